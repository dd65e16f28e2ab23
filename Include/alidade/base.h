/**
 * @file
 * What every other header needs: status codes, errors, plain values, the version, and the rules of the interface.
 *
 * Handles. Every object is named by a small struct of its own type (ald_map, ald_view, ...) that holds a 64-bit id. A
 * zero id is the null handle. A wrong, forged, released or null handle is answered with ALD_STATUS_INVALID_HANDLE,
 * never with a crash and never with another object.
 *
 * Ownership. A function with `create`, `open` or `identify` in its name gives an object; release it once with
 * ald_..._release. Every other handle that a function hands out is lent: do not release it. The library keeps what it
 * needs, so a layer in a map outlives the host's release of it. Releasing a null or stale handle does nothing. An id
 * turns stale when neither the host nor the library holds the object. Releasing a runtime makes all of its handles
 * stale.
 *
 * Errors. Every function that can fail returns an ald_status and takes a nullable ald_error last. Out-parameters are
 * written only on success, except that an out *handle* is set to null on failure. Beside the statuses that a
 * function's comment lists, every function may answer the four of the process: ALD_STATUS_FORKED,
 * ALD_STATUS_SHUTTING_DOWN, ALD_STATUS_OUT_OF_MEMORY and ALD_STATUS_INTERNAL; and, where ald_policy.max_request_ms
 * limits how long calls may take, ALD_STATUS_LIMIT_EXCEEDED.
 *
 * Threads. Any thread may call any function at any time.
 *
 * Strings are UTF-8 with a final NUL. A string that comes in is copied. A string that is a field of a result lives as
 * long as the object that the result was asked of.
 *
 * Options are structs whose first field is struct_size; initialise them with their ALD_..._INIT macro. NULL instead of
 * an options struct means the default of every field, and so does a field that is zero. Fields named reserved must be
 * zero in structs that come in. A field that counts only with a bit of the struct must be zero without it: a value
 * whose bit was forgotten is ALD_STATUS_INVALID_ARGUMENT.
 *
 * Axes. x is east or longitude, y is north or latitude, whatever order an authority gives. Screen coordinates are
 * logical pixels (DIP), origin at the top left of the view, y down.
 */
#ifndef ALIDADE_BASE_H
#define ALIDADE_BASE_H

#include <stddef.h>
#include <stdint.h>

/** Marks a function of the shared library. */
#if defined(__GNUC__)
#define ALD_API __attribute__((visibility("default")))
#else
#define ALD_API
#endif

/** The version that these headers belong to. */
#define ALD_VERSION_MAJOR 0
#define ALD_VERSION_MINOR 1
#define ALD_VERSION_PATCH 0

/** "All of them", wherever a count is asked for and 0 means a default. */
#define ALD_ALL UINT32_MAX

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a call. */
typedef int32_t ald_status;
enum {
  /** The call did what its comment says. */
  ALD_STATUS_OK = 0,
  /** An argument is missing, not finite, out of its range, of another runtime, or does not fit the others. */
  ALD_STATUS_INVALID_ARGUMENT = 1,
  /** A handle is null, stale, forged or of another kind. */
  ALD_STATUS_INVALID_HANDLE = 2,
  /** Something that the call needs has not been given yet; the message names it. */
  ALD_STATUS_NOT_READY = 3,
  /** A file, code, band, attribute or table does not exist. */
  ALD_STATUS_NOT_FOUND = 4,
  /** The data or the combination is understood and cannot be served; the message says what would help. */
  ALD_STATUS_UNSUPPORTED = 5,
  /** A file could not be opened or read, or its content is damaged. */
  ALD_STATUS_READ_FAILED = 6,
  /** A coordinate or an operation could not be projected. */
  ALD_STATUS_PROJECTION_FAILED = 7,
  /** The runtime's policy does not allow this. */
  ALD_STATUS_POLICY_REFUSED = 8,
  /** The request is larger than a limit of the runtime's policy. */
  ALD_STATUS_LIMIT_EXCEEDED = 9,
  /** The host's buffer is too small; the needed size is answered where the function has a place for it. */
  ALD_STATUS_BUFFER_TOO_SMALL = 10,
  /** The object is in a state that does not allow this, such as a layer that is already in a map. */
  ALD_STATUS_INVALID_STATE = 11,
  /** The handle was made before this process was forked off; make a new runtime, or spawn instead of fork. */
  ALD_STATUS_FORKED = 12,
  /** The process is ending: GDAL and PROJ are no longer called. */
  ALD_STATUS_SHUTTING_DOWN = 13,
  /** Memory could not be had. */
  ALD_STATUS_OUT_OF_MEMORY = 14,
  /** A fault of this library; please report it with the message. */
  ALD_STATUS_INTERNAL = 15,
  /** The request was cancelled, or replaced by a newer one. */
  ALD_STATUS_CANCELLED = 16,
  /** A transformation needs a grid file that is not there or cannot be read; the message names every such file. */
  ALD_STATUS_MISSING_GRID = 17
};

/** Whose code ald_error.domain_code is. */
typedef int32_t ald_error_domain;
enum {
  /** This library: no code beside the status. */
  ALD_ERROR_DOMAIN_ALIDADE = 0,
  /** GDAL: a CPLE_... number. */
  ALD_ERROR_DOMAIN_GDAL = 1,
  /** PROJ: a PROJ_ERR_... number. */
  ALD_ERROR_DOMAIN_PROJ = 2,
  /** GEOS: no code. */
  ALD_ERROR_DOMAIN_GEOS = 3,
  /** The operating system: an errno. */
  ALD_ERROR_DOMAIN_SYSTEM = 4
};

/**
 * Why a call failed. Written by the library on failure and left alone on success; never read by it, so an
 * uninitialised one on the stack is right. Its size is the same for ever.
 */
typedef struct ald_error {
  /** The status that the function returned. */
  ald_status status;
  /** The argument at fault, counted from 1 for the function's first parameter; 0 if it is none of them. */
  int32_t argument;
  /** Whose code domain_code is. */
  ald_error_domain domain;
  /** The code of GDAL, PROJ or the system; 0 if there is none. */
  int32_t domain_code;
  /** Zero. */
  uint8_t reserved[48];
  /** UTF-8 with a final NUL: what is wrong, with which value, and what helps. Cut at a whole character. */
  char message[960];
} ald_error;

/** A place: x east or longitude and y north or latitude in a spatial reference's unit, or DIP on a screen. */
typedef struct ald_point {
  double x;
  double y;
} ald_point;

/**
 * An axis-parallel box; x_min <= x_max and y_min <= y_max. Only where a comment says so, x_min > x_max means that it
 * goes over the antimeridian.
 */
typedef struct ald_envelope {
  double x_min;
  double y_min;
  double x_max;
  double y_max;
} ald_envelope;

/** A colour, 0 to 255 per channel, alpha 255 opaque, not premultiplied. */
typedef struct ald_rgba {
  uint8_t red;
  uint8_t green;
  uint8_t blue;
  uint8_t alpha;
} ald_rgba;

/**
 * The version of the loaded library: major << 16 | minor << 8 | patch. Compare it with ALD_VERSION_MAJOR and its
 * like. Needs no runtime.
 */
ALD_API uint32_t ald_version(void);

/** The version of the loaded library as text, such as "0.1.0". Static storage. Needs no runtime. */
ALD_API const char *ald_version_text(void);

/**
 * The name of a status, such as "ALD_STATUS_NOT_READY"; "ALD_STATUS_?" for a number that is none. Static storage. Needs
 * no runtime.
 */
ALD_API const char *ald_status_name(ald_status status);

#ifdef __cplusplus
}
#endif

#endif

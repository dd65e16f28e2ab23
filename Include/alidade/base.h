/**
 * @file
 * The basis of every other header: status codes, errors, plain values, the version, and the rules of the interface.
 *
 * Handles. The host names an object by its handle: a small struct with a 64-bit id. Each kind of object has its own
 * handle type (ald_map, ald_view, ...). A zero id is the null handle. A function that receives a wrong, forged,
 * released or null handle always fails with ALD_STATUS_INVALID_HANDLE, never with a crash and never with another
 * object.
 *
 * Ownership. The form of the name says who owns an object. A function with create, open, clone, take or _async in its
 * name gives the host an object. So does a parameter whose name begins with out_new_. The host releases such an object
 * once, with ald_..._release. Every other handle that a function hands out is borrowed: do not release it. The library
 * keeps the objects that it needs, so a layer in a map outlives the host's release of the layer. Releasing a null or
 * stale handle does nothing. An id turns stale when neither the host nor the library holds the object. Releasing a
 * runtime makes all of its handles stale.
 *
 * Errors. Every function that can fail returns an ald_status. Its last parameter is an ald_error, which may be NULL.
 * The function writes its out parameters only on success, with two exceptions: it sets an out *handle* to null on
 * failure, and with ALD_STATUS_BUFFER_TOO_SMALL it writes the needed size. The comment of a function lists the statuses
 * that it returns. In addition, every function may return the four statuses of the process: ALD_STATUS_FORKED,
 * ALD_STATUS_SHUTTING_DOWN, ALD_STATUS_OUT_OF_MEMORY and ALD_STATUS_INTERNAL. A function may also return
 * ALD_STATUS_LIMIT_EXCEEDED where ald_policy.max_request_ms limits how long calls may take.
 *
 * Threads. Any thread may call any function at any time.
 *
 * Strings are UTF-8 with a final NUL. The library copies the strings that the host passes in. A string in a result is
 * valid until the object that gave the result is released.
 *
 * Options are structs whose first field is struct_size. Initialise them with their ALD_..._INIT macro. A field of zero
 * means the default of that field. NULL instead of the struct means all defaults. Set fields named reserved to zero in
 * structs that the host passes in. If a field takes effect only when a bit of the struct is set, the field must be zero
 * while the bit is not set. Otherwise the function returns ALD_STATUS_INVALID_ARGUMENT, because the host has probably
 * forgotten the bit.
 *
 * Axes. x is east or longitude, y is north or latitude, whatever the axis order of the authority. Screen coordinates
 * are logical pixels (DIP). Their origin is the top left corner of the view, and y points down.
 *
 * @code{.c}
 * ald_error why;
 * ald_map new_map;
 * if (ald_map_create(runtime, spatial_reference, &new_map, &why) != ALD_STATUS_OK)
 *   printf("%s: %s\n", ald_status_get_name(why.status), why.message);
 * ald_map_release(new_map); // The handle is null after a failure, so this is right in both cases.
 * return ALD_STATUS_OK;
 * @endcode
 */
#ifndef ALIDADE_BASE_H
#define ALIDADE_BASE_H

#include <stddef.h>
#include <stdint.h>

/** Marks a function of the shared library. */
#if defined(__GNUC__)
/** Marks a function of the shared library. */
#define ALD_API __attribute__((visibility("default")))
#else
#define ALD_API
#endif

/** The version of these headers. */
#define ALD_VERSION_MAJOR 0
#define ALD_VERSION_MINOR 1
#define ALD_VERSION_PATCH 0

/** Means "all" or "no limit" in a parameter or field in which 0 has another meaning. */
#define ALD_ALL UINT32_MAX

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a call. */
typedef int32_t ald_status;
enum ald_status_values {
  /** The call did what its comment says. */
  ALD_STATUS_OK = 0,
  /** An argument is missing, not finite, out of its range, of another runtime, or does not fit the other arguments. */
  ALD_STATUS_INVALID_ARGUMENT = 1,
  /** A handle is null, stale, forged or of another kind. */
  ALD_STATUS_INVALID_HANDLE = 2,
  /** Something that the call needs has not been given yet. The message names it. */
  ALD_STATUS_NOT_READY = 3,
  /** A file, code, band, attribute or table does not exist. */
  ALD_STATUS_NOT_FOUND = 4,
  /**
   * The library understands the data or the combination of arguments but does not support it. The message says what
   * would help.
   */
  ALD_STATUS_UNSUPPORTED = 5,
  /** A file could not be opened or read, or its content is damaged. */
  ALD_STATUS_READ_FAILED = 6,
  /** A coordinate could not be projected, or there is no operation between two spatial references. */
  ALD_STATUS_PROJECTION_FAILED = 7,
  /** The runtime's policy does not allow this. */
  ALD_STATUS_POLICY_REFUSED = 8,
  /** The request exceeds a limit of the runtime's policy. */
  ALD_STATUS_LIMIT_EXCEEDED = 9,
  /** The host's buffer is too small. The function writes the needed size if it has a parameter for the size. */
  ALD_STATUS_BUFFER_TOO_SMALL = 10,
  /** The state of the object does not allow this. For example, the layer is already in a map. */
  ALD_STATUS_INVALID_STATE = 11,
  /** The handle is older than the fork that created this process. Create a new runtime, or spawn instead of fork. */
  ALD_STATUS_FORKED = 12,
  /** The process is ending: the library no longer calls GDAL and PROJ. */
  ALD_STATUS_SHUTTING_DOWN = 13,
  /** The system did not provide the memory that the call needs. */
  ALD_STATUS_OUT_OF_MEMORY = 14,
  /** A fault of this library. Please report it with the message. */
  ALD_STATUS_INTERNAL = 15,
  /** The request was cancelled, or a newer request replaced it. */
  ALD_STATUS_CANCELLED = 16,
  /** A transformation needs a grid file that is missing or cannot be read. The message names every such file. */
  ALD_STATUS_MISSING_GRID = 17
};

/** The library that defines ald_error.domain_code. */
typedef int32_t ald_error_domain;
enum ald_error_domain_values {
  /** This library, which has no codes other than the status. */
  ALD_ERROR_DOMAIN_ALIDADE = 0,
  /** GDAL: a CPLE_... number. */
  ALD_ERROR_DOMAIN_GDAL = 1,
  /** PROJ: a PROJ_ERR_... number. */
  ALD_ERROR_DOMAIN_PROJ = 2,
  /** GEOS, which has no codes. */
  ALD_ERROR_DOMAIN_GEOS = 3,
  /** The operating system: an errno. */
  ALD_ERROR_DOMAIN_SYSTEM = 4,
  /**
   * A server: the status of its response, such as 404. Without a response, the code of libcurl, which is less than 100.
   */
  ALD_ERROR_DOMAIN_HTTP = 5
};

/**
 * The reason why a call failed.
 *
 * The library writes it on failure, leaves it alone on success and never reads it. An uninitialised ald_error on the
 * stack is fine. Its size never changes.
 */
typedef struct ald_error {
  /** The status that the function returned. */
  ald_status status;
  /** The position of the parameter at fault; 1 is the function's first parameter. 0 if no parameter is at fault. */
  int32_t argument;
  /** The library that defines domain_code. */
  ald_error_domain domain;
  /** The code of GDAL, PROJ, the system or a server; 0 if there is no code. */
  int32_t domain_code;
  /** Zero. */
  uint8_t reserved[48];
  /**
   * UTF-8 with a final NUL: what is wrong, with which value, and what helps. A longer message is cut at a whole
   * character.
   */
  char message[960];
} ald_error;

/**
 * A point. On a map, x is east or longitude and y is north or latitude, in the unit of the spatial reference. On a
 * screen, both are in DIP.
 */
typedef struct ald_point {
  double x;
  double y;
} ald_point;

/**
 * An axis-parallel box with x_min <= x_max and y_min <= y_max. x_min may be greater than x_max only where a comment
 * says so: the box then crosses the antimeridian.
 */
typedef struct ald_envelope {
  double x_min;
  double y_min;
  double x_max;
  double y_max;
} ald_envelope;

/** A colour, with 0 to 255 per channel. Alpha 255 is opaque. The channels are not premultiplied. */
typedef struct ald_rgba {
  uint8_t red;
  uint8_t green;
  uint8_t blue;
  uint8_t alpha;
} ald_rgba;

/**
 * Gets the version of the loaded library as a number. Needs no runtime.
 *
 * @return major << 16 | minor << 8 | patch. Compare it with ALD_VERSION_MAJOR, ALD_VERSION_MINOR and ALD_VERSION_PATCH.
 */
ALD_API uint32_t ald_get_version(void);

/**
 * Gets the version of the loaded library as text. Needs no runtime.
 *
 * @return Static text, such as "0.1.0".
 */
ALD_API const char *ald_get_version_text(void);

/**
 * Gets the name of a status, such as "ALD_STATUS_NOT_READY". Needs no runtime.
 *
 * @return Static text; "ALD_STATUS_?" for a number that is not a status.
 */
ALD_API const char *ald_status_get_name(ald_status status);

#ifdef __cplusplus
}
#endif

#endif

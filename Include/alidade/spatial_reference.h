/**
 * @file
 * Spatial references and projecting between them. A spatial reference is an immutable value: it can be shared by
 * everything and used on any thread.
 *
 * A few systems count towards the west or the south (EPSG:2053, EPSG:5513). Their numbers are taken as GDAL takes them,
 * in the authority's directions: on a map in such a system x grows to the west or the south.
 */
#ifndef ALIDADE_SPATIAL_REFERENCE_H
#define ALIDADE_SPATIAL_REFERENCE_H

#include "base.h"
#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A spatial reference. Positions in it are horizontal; a vertical part is kept in the WKT and not used. */
typedef struct ald_spatial_reference {
  uint64_t id;
} ald_spatial_reference;

/** What kind of coordinates a spatial reference has. */
typedef int32_t ald_spatial_reference_kind;
enum {
  /** Longitude and latitude, in an angular unit. */
  ALD_SPATIAL_REFERENCE_GEOGRAPHIC = 1,
  /** Easting and northing, in a linear unit. */
  ALD_SPATIAL_REFERENCE_PROJECTED = 2,
  /** A local plane that is not tied to the earth: nothing can be projected to or from it. */
  ALD_SPATIAL_REFERENCE_LOCAL = 3
};

/** Facts about a spatial reference. The strings live as long as the handle. */
typedef struct ald_spatial_reference_info {
  uint32_t struct_size;
  ald_spatial_reference_kind kind;
  /** Metres per unit. For an angular unit: metres of arc along the equator of the spatial reference's ellipsoid. */
  double metres_per_unit;
  /** Semi-major axis of the ellipsoid in metres; NaN for a local one. */
  double semi_major_axis_m;
  /** The name that the authority or the file gives. Empty if there is none. */
  const char *name;
  /** "EPSG", "ESRI", ...; empty if the spatial reference has no code. */
  const char *authority;
  /** The authority's code; empty if there is none. */
  const char *code;
  /** The name of the unit of the horizontal axes, such as "metre", "degree" or "US survey foot". */
  const char *unit_name;
} ald_spatial_reference_info;

/** Initialises an ald_spatial_reference_info. */
#define ALD_SPATIAL_REFERENCE_INFO_INIT                                                                                \
  { (uint32_t)sizeof(ald_spatial_reference_info), 0, 0.0, 0.0, NULL, NULL, NULL, NULL }

/** How coordinates get from one spatial reference to another at a place. */
typedef struct ald_projection_info {
  uint32_t struct_size;
  /** 1 if the operation is a ballpark one: the datums are treated as equal for want of a known relation. Else 0. */
  uint32_t is_ballpark;
  /** Accuracy in metres as the authority states it; NaN if it is not known. */
  double accuracy_m;
  /** The operation's name, cut at a whole character. */
  char name[256];
} ald_projection_info;

/** Initialises an ald_projection_info. */
#define ALD_PROJECTION_INFO_INIT                                                                                       \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_projection_info), 0, 0.0, {                                                                   \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** What became of one projected point. */
typedef uint8_t ald_point_status;
enum {
  /** The point was projected. */
  ALD_POINT_OK = 0,
  /** The point has no image in the target spatial reference; its coordinates are NaN. */
  ALD_POINT_FAILED = 1
};

/**
 * Makes a spatial reference from an authority's code.
 *
 * @param authority "EPSG" or another authority of proj.db, any case; NULL: "EPSG".
 * @param code The code, such as 3857.
 * @param out_spatial_reference Receives the spatial reference; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a text is not UTF-8 or
 *   out_spatial_reference is NULL; ALD_STATUS_NOT_FOUND if there is no such code; ALD_STATUS_UNSUPPORTED if the code is
 *   of a geocentric or a purely vertical system.
 */
ALD_API ald_status ald_spatial_reference_create_from_code(ald_runtime runtime, const char *authority, int32_t code,
                                                          ald_spatial_reference *out_spatial_reference,
                                                          ald_error *error);

/**
 * Makes a spatial reference from well-known text: WKT 1 as GDAL and Esri write it, or WKT 2.
 *
 * @param wkt The text.
 * @param out_spatial_reference Receives the spatial reference; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if wkt is NULL, not UTF-8 or not
 *   well-known text of a coordinate system (the message has PROJ's words), or out_spatial_reference is NULL;
 *   ALD_STATUS_UNSUPPORTED if it is a geocentric or a purely vertical system, or its unit is not within 1e-9 to 1e12
 *   metres.
 */
ALD_API ald_status ald_spatial_reference_create_from_wkt(ald_runtime runtime, const char *wkt,
                                                         ald_spatial_reference *out_spatial_reference,
                                                         ald_error *error);

/** Releases a spatial reference. */
ALD_API void ald_spatial_reference_release(ald_spatial_reference spatial_reference);

/**
 * Facts about a spatial reference.
 *
 * @param out_info Initialise it with ALD_SPATIAL_REFERENCE_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_spatial_reference_get_info(ald_spatial_reference spatial_reference,
                                                  ald_spatial_reference_info *out_info, ald_error *error);

/**
 * The spatial reference as WKT 2 (2019).
 *
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size that is needed, final NUL counted in; also written when the buffer is too small.
 *   May be NULL if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity is not
 *   0, or nothing is asked for; ALD_STATUS_BUFFER_TOO_SMALL, and the buffer is left alone.
 */
ALD_API ald_status ald_spatial_reference_wkt(ald_spatial_reference spatial_reference, char *buffer, size_t capacity,
                                             size_t *out_size, ald_error *error);

/**
 * Whether two spatial references mean the same positions: the same system, whatever the order of its axes.
 *
 * @param out_equal Receives 1 or 0.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_equal is NULL or the two are of
 *   different runtimes.
 */
ALD_API ald_status ald_spatial_reference_equals(ald_spatial_reference a, ald_spatial_reference b, uint32_t *out_equal,
                                                ald_error *error);

/**
 * Projects points. Each point gets the operation that PROJ ranks best for its place; ald_projection_describe tells
 * which. A point that cannot be projected becomes NaN, NaN and does not fail the others.
 *
 * @param from The spatial reference of the input.
 * @param to The spatial reference of the output.
 * @param xy count points, each two doubles x, y.
 * @param stride_bytes From one point to the next; 0: 16. At least 16.
 * @param count How many points; 0 does nothing.
 * @param out_xy Receives the points. May be xy, with the same stride; else the two must not overlap.
 * @param out_stride_bytes From one point to the next; 0: 16. At least 16. Bytes between points are left alone.
 * @param out_statuses NULL, or receives count statuses.
 * @return ALD_STATUS_OK, also if single points failed; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an
 *   array is missing, a stride is too small, a size overflows, or the two are of different runtimes;
 *   ALD_STATUS_PROJECTION_FAILED if there is no operation between the two; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_project_points(ald_spatial_reference from, ald_spatial_reference to, const double *xy,
                                      size_t stride_bytes, size_t count, double *out_xy, size_t out_stride_bytes,
                                      ald_point_status *out_statuses, ald_error *error);

/**
 * Which operation ald_project_points, identify and the screen calls use at a place, and how far it can be trusted.
 *
 * @param from The spatial reference of the point.
 * @param to The spatial reference that it would be projected to.
 * @param at The place, in from.
 * @param out_info Initialise it with ALD_PROJECTION_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the point is not finite, out_info is
 *   NULL or its struct_size is none, or the two are of different runtimes; ALD_STATUS_PROJECTION_FAILED if the point
 *   cannot be projected.
 */
ALD_API ald_status ald_projection_describe(ald_spatial_reference from, ald_spatial_reference to, ald_point at,
                                           ald_projection_info *out_info, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

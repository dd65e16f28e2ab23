/**
 * @file
 * Geometry arrays: many geometries behind one handle, with one spatial reference. An array is an immutable value: any
 * number of objects can share it, and any thread can use it.
 *
 * An array is the fast form for many geometries. Its coordinates lie in columns (ald_geometry_columns), which the host
 * can read without a copy, and functions on arrays run on all cores.
 *
 * @code{.c}
 * ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
 * ald_status status = ald_geometry_array_get_columns(geometry_array, &columns, error);
 * if (status == ALD_STATUS_OK)
 *   printf("%u vertices in %u geometries\n", columns.vertex_count, columns.geometry_count);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_GEOMETRY_ARRAY_H
#define ALIDADE_GEOMETRY_ARRAY_H

#include "base.h"
#include "geometry.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Facts about an array. */
typedef struct ald_geometry_array_info {
  uint32_t struct_size;
  uint32_t geometry_count;
  /** The number of vertices, not including the vertices of members of collections. */
  uint32_t vertex_count;
  uint32_t reserved;
  /** The box around all geometries; NaN if all are empty. */
  ald_envelope envelope;
} ald_geometry_array_info;

/** Initialises an ald_geometry_array_info. */
#define ALD_GEOMETRY_ARRAY_INFO_INIT                                                                                   \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_geometry_array_info), 0, 0, 0, {                                                              \
      0.0, 0.0, 0.0, 0.0                                                                                               \
    }                                                                                                                  \
  }

/**
 * Creates an array from coordinates and offsets. They are copied.
 *
 * @param columns The columns of any number of geometries.
 * @param spatial_reference The spatial reference of the coordinates; null: the geometries have no spatial reference.
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the columns do not fit together or break the rules of geometries (the message
 *     names the geometry), columns or out_array is NULL, or runtime and spatial_reference are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the array is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create(ald_runtime runtime, const ald_geometry_columns *columns,
                                             ald_spatial_reference spatial_reference, ald_geometry_array *out_array,
                                             ald_error *error);

/**
 * Creates an array from many geometries in well-known binary, read as in ald_geometry_create_from_wkb.
 *
 * @param wkbs The bytes of all geometries. They are copied.
 * @param wkbs_size_bytes The size of wkbs in bytes.
 * @param byte_offsets count + 1 numbers: the position in wkbs at which each geometry begins, and the position at which
 *     the last one ends.
 * @param count The number of geometries; 0 creates an empty array.
 * @param spatial_reference The spatial reference of the coordinates. If it is given, SRIDs are ignored. If it is null,
 *     the SRID is used as an EPSG code; all geometries with an SRID other than 0 must have the same SRID.
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the bytes are not WKB (the message names the geometry and its byte, counted from
 *     0), the offsets decrease or end beyond wkbs_size_bytes, SRIDs differ, a required pointer is NULL, or runtime and
 *     spatial_reference are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_FOUND if no such SRID exists.
 *   - ALD_STATUS_UNSUPPORTED if the bytes contain a curve or a surface, or the SRID names a spatial reference that maps
 *     cannot use.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the array is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_from_wkb(ald_runtime runtime, const uint8_t *wkbs, size_t wkbs_size_bytes,
                                                      const size_t *byte_offsets, size_t count,
                                                      ald_spatial_reference spatial_reference,
                                                      ald_geometry_array *out_array, ald_error *error);

/**
 * Creates an array from GeoJSON (RFC 7946): from a collection of features, from one feature, or from one geometry, read
 * as in ald_geometry_create_from_geojson.
 *
 * A feature without a geometry becomes an empty collection, so that the other features keep their indexes.
 *
 * @param geojson The text.
 * @param spatial_reference The spatial reference of the coordinates. If it is given, a "crs" member is ignored. If it
 *     is null, a "crs" member, as in GeoJSON before RFC 7946, names the spatial reference; without one it is EPSG:4326.
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the text is not GeoJSON (the message names the path in the text, the line and the
 *     character, counted from 1), geojson or out_array is NULL, or runtime and spatial_reference are of different
 *     runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_FOUND if a "crs" member names a spatial reference that does not exist.
 *   - ALD_STATUS_UNSUPPORTED if a "crs" member names a spatial reference that maps cannot use.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the array is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_from_geojson(ald_runtime runtime, const char *geojson,
                                                          ald_spatial_reference spatial_reference,
                                                          ald_geometry_array *out_array, ald_error *error);

/** Releases an array. */
ALD_API void ald_geometry_array_release(ald_geometry_array geometry_array);

/**
 * Gets facts about an array.
 *
 * @param out_info Receives the facts. Initialise it with ALD_GEOMETRY_ARRAY_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 */
ALD_API ald_status ald_geometry_array_get_info(ald_geometry_array geometry_array, ald_geometry_array_info *out_info,
                                               ald_error *error);

/**
 * Gets the columns of an array, without a copy.
 *
 * @param out_columns Receives the columns. Initialise it with ALD_GEOMETRY_COLUMNS_INIT. The arrays that it points to
 *     are valid while the handle lives; do not write to them.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_columns is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 */
ALD_API ald_status ald_geometry_array_get_columns(ald_geometry_array geometry_array, ald_geometry_columns *out_columns,
                                                  ald_error *error);

/**
 * Gets the spatial reference that is attached to an array.
 *
 * @param out_spatial_reference Receives the spatial reference. The handle is borrowed: valid while the array lives. Set
 *     to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_spatial_reference is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_NOT_READY if the array has no spatial reference.
 */
ALD_API ald_status ald_geometry_array_get_spatial_reference(ald_geometry_array geometry_array,
                                                            ald_spatial_reference *out_spatial_reference,
                                                            ald_error *error);

/**
 * Creates a geometry from one geometry of the array. The geometry and the array share their columns; nothing is copied.
 * The geometry stays valid after the array is released.
 *
 * @param index From 0 to the array's geometry_count - 1.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_geometry is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such geometry.
 */
ALD_API ald_status ald_geometry_array_create_geometry(ald_geometry_array geometry_array, uint32_t index,
                                                      ald_geometry *out_geometry, ald_error *error);

/**
 * Writes all geometries as well-known binary, one after the other.
 *
 * @param flags How to write the geometries. 0 means ISO's WKB, the least significant byte first.
 * @param buffer Receives the bytes. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, even if the buffer is too small. May be NULL if buffer is
 *     not NULL.
 * @param out_byte_offsets NULL with offset_capacity 0, or receives geometry_count + 1 numbers: the position at which
 *     each geometry begins, and the position at which the last one ends.
 * @param offset_capacity The number of offsets that fit into out_byte_offsets.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a flag is unknown, buffer is NULL and capacity_bytes is not 0, out_byte_offsets is
 *     NULL and offset_capacity is not 0, or nothing is requested.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if buffer or out_byte_offsets is too small. Neither is changed.
 */
ALD_API ald_status ald_geometry_array_get_wkb(ald_geometry_array geometry_array, ald_wkb_flags flags, uint8_t *buffer,
                                              size_t capacity_bytes, size_t *out_size_bytes, size_t *out_byte_offsets,
                                              size_t offset_capacity, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

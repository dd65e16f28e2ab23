/**
 * @file
 * Geometry arrays: many geometries behind one handle, with one spatial reference. An array is an immutable value: it
 * can be shared by everything and used on any thread.
 */
#ifndef ALIDADE_GEOMETRY_ARRAY_H
#define ALIDADE_GEOMETRY_ARRAY_H

#include "base.h"
#include "geometry.h"
#include "runtime.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Many geometries. */
typedef struct ald_geometry_array {
  uint64_t id;
} ald_geometry_array;

/** Facts about an array. */
typedef struct ald_geometry_array_info {
  uint32_t struct_size;
  uint32_t geometry_count;
  /** Those of members of collections not counted in. */
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
 * Makes an array from coordinates and offsets. They are copied.
 *
 * @param columns The columns of any number of geometries.
 * @param spatial_reference What the coordinates are in; null: the geometries have no spatial reference.
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the columns do not fit together or
 *   hold what no geometry has (the message names the geometry), an argument is missing, or the two are of different
 *   runtimes; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_array_create(ald_runtime runtime, const ald_geometry_columns *columns,
                                             ald_spatial_reference spatial_reference, ald_geometry_array *out_array,
                                             ald_error *error);

/**
 * Makes an array from many geometries in well-known binary, as ald_geometry_create_from_wkb reads it.
 *
 * @param wkbs The bytes of all. They are copied.
 * @param total_byte_count How many bytes wkbs has.
 * @param byte_offsets count + 1 numbers: where each geometry begins in wkbs; the last is where the last one ends.
 * @param count How many geometries; 0 makes an empty array.
 * @param spatial_reference What the coordinates are in; null: EPSG's for the SRID, if there is one other than 0; then
 *   all that have one must have the same. If it is given, SRIDs are not looked at.
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the bytes are no WKB (the message
 *   names the geometry and its byte, from 0), the offsets do not rise or end beyond total_byte_count, SRIDs differ, an
 *   argument is missing, or the two are of different runtimes; ALD_STATUS_UNSUPPORTED if there is a curve or a surface,
 *   or the SRID is of a system that maps cannot have; ALD_STATUS_NOT_FOUND if there is no such SRID;
 *   ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_array_create_from_wkb(ald_runtime runtime, const uint8_t *wkbs, size_t total_byte_count,
                                                      const size_t *byte_offsets, size_t count,
                                                      ald_spatial_reference spatial_reference,
                                                      ald_geometry_array *out_array, ald_error *error);

/**
 * Makes an array from GeoJSON (RFC 7946): the geometries of a collection of features, or of the one feature or geometry
 * that the text is, as ald_geometry_create_from_geojson reads them. A feature without a geometry becomes an empty
 * collection, so that the others keep their numbers.
 *
 * @param geojson The text.
 * @param spatial_reference What the coordinates are in; null: what a "crs" member of GeoJSON before RFC 7946 names, or
 *   else EPSG:4326. If it is given, a "crs" member is not looked at.
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the text is no GeoJSON (the message
 *   names the path in it, the line and the character, from 1), an argument is missing, or the two are of different
 *   runtimes; ALD_STATUS_NOT_FOUND and ALD_STATUS_UNSUPPORTED if a "crs" member names a spatial reference that there is
 *   not, or that maps cannot have; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_array_create_from_geojson(ald_runtime runtime, const char *geojson,
                                                          ald_spatial_reference spatial_reference,
                                                          ald_geometry_array *out_array, ald_error *error);

/** Releases an array. */
ALD_API void ald_geometry_array_release(ald_geometry_array geometry_array);

/**
 * Facts about an array.
 *
 * @param out_info Initialise it with ALD_GEOMETRY_ARRAY_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_geometry_array_get_info(ald_geometry_array geometry_array, ald_geometry_array_info *out_info,
                                               ald_error *error);

/**
 * The columns that an array is in, without a copy.
 *
 * @param out_columns Initialise it with ALD_GEOMETRY_COLUMNS_INIT. What it leads to lives as long as the handle, and
 *   must not be written to.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_columns is NULL or its
 *   struct_size is none.
 */
ALD_API ald_status ald_geometry_array_get_columns(ald_geometry_array geometry_array, ald_geometry_columns *out_columns,
                                                  ald_error *error);

/**
 * The spatial reference that is attached to an array, lent.
 *
 * @param out_spatial_reference Receives the spatial reference. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_spatial_reference is NULL;
 *   ALD_STATUS_NOT_READY if the array has none.
 */
ALD_API ald_status ald_geometry_array_spatial_reference(ald_geometry_array geometry_array,
                                                        ald_spatial_reference *out_spatial_reference, ald_error *error);

/**
 * One of the geometries, as a value of its own. Its columns are those of the array; nothing is copied.
 *
 * @param index From 0 to the array's geometry_count - 1.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_geometry is NULL;
 *   ALD_STATUS_NOT_FOUND if there is no such geometry.
 */
ALD_API ald_status ald_geometry_array_create_geometry(ald_geometry_array geometry_array, uint32_t index,
                                                      ald_geometry *out_geometry, ald_error *error);

/**
 * All geometries as well-known binary, one behind the other.
 *
 * @param wkb_flags How to write them; 0: ISO's, the least significant byte first.
 * @param buffer Receives the bytes; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size that is needed; also written when the buffer is too small. May be NULL if buffer is
 *   not.
 * @param out_byte_offsets NULL with offset_capacity 0, or receives geometry_count + 1 numbers: where each geometry
 *   begins, and where the last one ends.
 * @param offset_capacity How many numbers out_byte_offsets has room for.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a flag is unknown, buffer is NULL
 *   and capacity is not 0, the same holds of the offsets, or nothing is asked for; ALD_STATUS_BUFFER_TOO_SMALL if one
 * of the two has too little room, and both are left alone.
 */
ALD_API ald_status ald_geometry_array_wkb(ald_geometry_array geometry_array, ald_wkb_flags wkb_flags, uint8_t *buffer,
                                          size_t capacity, size_t *out_size, size_t *out_byte_offsets,
                                          size_t offset_capacity, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

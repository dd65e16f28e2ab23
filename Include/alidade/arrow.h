/**
 * @file
 * Arrow: geometries, features and identify results as Arrow arrays, and geometries from Arrow arrays, without a copy
 * where the layout allows it.
 *
 * The structs belong to the Arrow C data interface (https://arrow.apache.org/docs/format/CDataInterface.html), which
 * Arrow's own libraries, nanoarrow, DuckDB, polars and GDAL define. Geometries have the extension types of GeoArrow
 * (https://geoarrow.org), with the spatial reference as PROJJSON in the metadata of the type. x is east or longitude.
 *
 * An exported array is valid until it is released, even if the object and its runtime are released first. Any thread
 * may read and release it.
 *
 * @code{.c}
 * extern struct ArrowSchema *schema; // From the library that reads the table, such as nanoarrow.
 * extern struct ArrowArray *array;
 * ald_feature_set features = {0};
 * ald_status status = ald_feature_source_query(feature_source, NULL, &features, error);
 * if (status == ALD_STATUS_OK)
 *   status = ald_feature_set_export_arrow(features, ALD_ARROW_ENCODING_WKB, schema, array, error);
 * ald_feature_set_release(features); // The exported array stays valid.
 * return status;
 * @endcode
 */
#ifndef ALIDADE_ARROW_H
#define ALIDADE_ARROW_H

#include "base.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ArrowSchema;
struct ArrowArray;
struct ArrowArrayStream;

/** How geometries lie in an Arrow array. */
typedef int32_t ald_arrow_encoding;
enum ald_arrow_encoding_values {
  /** Well-known binary, the extension type geoarrow.wkb: geometries of any kind. */
  ALD_ARROW_ENCODING_WKB = 0,
  /**
   * Columns of coordinates, the extension types geoarrow.point to geoarrow.multipolygon: geometries of one kind.
   * Coordinates without z and m share the memory of the geometry array; other coordinates are copied.
   */
  ALD_ARROW_ENCODING_GEOARROW = 1
};

/**
 * Exports the geometries of an array.
 *
 * @param encoding How the geometries are written.
 * @param out_schema Receives the type. The host owns it and releases it with its release callback.
 * @param out_array Receives the values. The host owns it and releases it with its release callback.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if encoding is not valid, or out_schema or out_array is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_UNSUPPORTED if ALD_ARROW_ENCODING_GEOARROW is given and the geometries are of several kinds or are
 *     collections.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the copy would need more memory than the policy allows.
 */
ALD_API ald_status ald_geometry_array_export_arrow(ald_geometry_array geometry_array, ald_arrow_encoding encoding,
                                                   struct ArrowSchema *out_schema, struct ArrowArray *out_array,
                                                   ald_error *error);

/**
 * Exports features as one batch of a table: a struct with the column fid, a column for each field that was read, and
 * the column geometry if geometries were read. A column whose name is taken gets a number at its end.
 *
 * Integers, reals, texts, booleans, bytes and lists have Arrow's types for them. A date is a date32 and a time a time64
 * in microseconds. A date and time is a timestamp in milliseconds: in UTC if each value has an offset from UTC, without
 * a time zone if none has one, otherwise a text as in ISO 8601. A missing value is null, and so is a geometry that is
 * missing, cannot be read or cannot be projected.
 *
 * @param encoding How the geometries are written.
 * @param out_schema Receives the type. The host owns it and releases it with its release callback.
 * @param out_array Receives the values. The host owns it and releases it with its release callback.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if encoding is not valid, or out_schema or out_array is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if feature_set is not valid.
 *   - ALD_STATUS_UNSUPPORTED if ALD_ARROW_ENCODING_GEOARROW is given and the geometries are of several kinds or are
 *     collections.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the copy would need more memory than the policy allows.
 */
ALD_API ald_status ald_feature_set_export_arrow(ald_feature_set feature_set, ald_arrow_encoding encoding,
                                                struct ArrowSchema *out_schema, struct ArrowArray *out_array,
                                                ald_error *error);

/**
 * Exports features as a stream of one batch, for libraries that read streams; see ald_feature_set_export_arrow.
 *
 * @param encoding How the geometries are written.
 * @param out_stream Receives the stream. The host owns it and releases it with its release callback.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if encoding is not valid, or out_stream is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if feature_set is not valid.
 *   - ALD_STATUS_UNSUPPORTED as for ald_feature_set_export_arrow.
 *   - ALD_STATUS_LIMIT_EXCEEDED as for ald_feature_set_export_arrow.
 */
ALD_API ald_status ald_feature_set_export_arrow_stream(ald_feature_set feature_set, ald_arrow_encoding encoding,
                                                       struct ArrowArrayStream *out_stream, ald_error *error);

/**
 * Exports the elements of an identify result as one batch of a table, topmost first. The columns are:
 * - kind: "raster_cell", "feature" or "graphic".
 * - layer: the name of the layer or overlay. sublayer: for a feature, the name of the layer in its file.
 * - id: the id of a feature or graphic. column and row: the position of a cell in its raster.
 * - zone: "inside", "edge" or "halo". distance_dip, distance_m, nearest_x, nearest_y: see ald_identify_evidence.
 * - text: the element as text for people.
 * - a column for each attribute name, in the order in which the names occur in the elements. The column contains 64-bit
 *   integers if all values are such integers, otherwise doubles if all values are real numbers, otherwise texts, with
 *   dates as in ISO 8601.
 * - geometry: the geometry, or the polygon of a cell, in the spatial reference of the map.
 *
 * A column whose name is taken gets a number at its end. A value that an element does not have is null, and so is a
 * geometry that cannot be projected.
 *
 * @param encoding How the geometries are written.
 * @param out_schema Receives the type. The host owns it and releases it with its release callback.
 * @param out_array Receives the values. The host owns it and releases it with its release callback.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if encoding is not valid, or out_schema or out_array is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if result is not valid.
 *   - ALD_STATUS_UNSUPPORTED if ALD_ARROW_ENCODING_GEOARROW is given and the geometries are of several kinds or are
 *     collections.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the table would need more memory or time than the policy allows.
 */
ALD_API ald_status ald_identify_result_export_arrow(ald_identify_result result, ald_arrow_encoding encoding,
                                                    struct ArrowSchema *out_schema, struct ArrowArray *out_array,
                                                    ald_error *error);

/**
 * Exports the elements of an identify result as a stream of one batch; see ald_identify_result_export_arrow.
 *
 * @param encoding How the geometries are written.
 * @param out_stream Receives the stream. The host owns it and releases it with its release callback.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if encoding is not valid, or out_stream is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if result is not valid.
 *   - ALD_STATUS_UNSUPPORTED as for ald_identify_result_export_arrow.
 *   - ALD_STATUS_LIMIT_EXCEEDED as for ald_identify_result_export_arrow.
 */
ALD_API ald_status ald_identify_result_export_arrow_stream(ald_identify_result result, ald_arrow_encoding encoding,
                                                           struct ArrowArrayStream *out_stream, ald_error *error);

/**
 * Creates a geometry array from an Arrow array: well-known binary or text, or the columns of any type of GeoArrow. If
 * the type is a struct, such as a batch of a table, the first column with an extension type of GeoArrow is read. A null
 * becomes an empty geometry. The values are copied. The host still owns schema and array, and releases them.
 *
 * The two structs must be valid as the Arrow C data interface defines it. Sizes and offsets are checked against each
 * other, but no library can check where a pointer leads.
 *
 * @param schema The type.
 * @param array The values.
 * @param spatial_reference The spatial reference of the coordinates; null: the one in the metadata of the type, if
 * there is one.
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if schema, array or out_array is NULL, schema or array has been released, a geometry
 *     is not valid for its type, or sizes do not fit together.
 *   - ALD_STATUS_INVALID_HANDLE if runtime or spatial_reference is not valid.
 *   - ALD_STATUS_NOT_FOUND if the spatial reference in the metadata is not known.
 *   - ALD_STATUS_UNSUPPORTED if the type contains no geometries, or the library does not read its extension type.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more vertices than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_from_arrow(ald_runtime runtime, const struct ArrowSchema *schema,
                                                        const struct ArrowArray *array,
                                                        ald_spatial_reference spatial_reference,
                                                        ald_geometry_array *out_array, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

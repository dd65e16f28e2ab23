/**
 * @file
 * Feature sources: features of a file, of any format that GDAL reads, opened read-only; their facts, and questions to
 * them. What an answer holds is in alidade/feature_set.h.
 *
 * Geometries are points, lines and polygons: curves and surfaces become these, z and m are kept. The unit and the axes
 * of coordinates are those of the source's spatial reference, x east and y north.
 */
#ifndef ALIDADE_FEATURE_SOURCE_H
#define ALIDADE_FEATURE_SOURCE_H

#include "base.h"
#include "feature_set.h"
#include "geometry.h"
#include "request.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An open source of features. Its facts never change; reading is possible on any number of threads at once. */
typedef struct ald_feature_source {
  uint64_t id;
} ald_feature_source;

/** Bits of ald_feature_source_options.fields. */
typedef uint32_t ald_feature_source_options_fields;
enum {
  /** layer_index is given. */
  ALD_FEATURE_SOURCE_HAS_LAYER_INDEX = 1
};

/** How a source is opened. */
typedef struct ald_feature_source_options {
  uint32_t struct_size;
  ald_feature_source_options_fields fields;
  /**
   * The layer by its name; NULL: by index or, without one, the only one, or else the first that has geometries. See
   * ald_feature_source_info.sublayer_count for how many there are.
   */
  const char *layer_name;
  /** The layer by its place in the file, from 0. */
  uint32_t layer_index;
  uint32_t reserved;
  /**
   * The definition expression: a condition that features must meet, such as "POP > 1e6 AND NAME LIKE 'A%'". NULL: all
   * features.
   *
   * A condition consists of columns (a name, in double quotes if it has blanks), numbers, texts in single quotes, the
   * signs = <> < <= > >= + - * / % ||, LIKE and ILIKE with a pattern in quotes, IN with a list, BETWEEN, IS NULL, AND,
   * OR, NOT, brackets, CAST(x AS type), and functions: SUBSTR and CONCAT; in databases (GeoPackage, SQLite) LOWER,
   * UPPER, LENGTH, TRIM, LTRIM, RTRIM, ABS, ROUND, COALESCE, IFNULL, NULLIF, MIN, MAX, DATE, TIME, DATETIME,
   * STRFTIME and JULIANDAY as well. Outside of databases a pattern has one % before its end at most, because GDAL's
   * time to try more has no bound. Everything else is ALD_STATUS_POLICY_REFUSED unless the policy has
   * ALD_POLICY_ALLOW_SQL; then the condition goes to GDAL, and in databases to SQLite, as it is written.
   *
   * Databases compare texts by = with regard to case and by LIKE without; other formats the other way round.
   */
  const char *definition_expression;
  /**
   * A SELECT statement, whatever the format is, whose result is the source, in the place of a layer: columns,
   * expressions of conditions, COUNT, MIN, MAX, AVG and SUM, FROM one layer, WHERE, ORDER BY, LIMIT, OFFSET. With
   * ALD_POLICY_ALLOW_SQL it may be anything that GDAL's dialect (OGRSQL) has. It can name layers of the opened file
   * only. NULL: none.
   */
  const char *statement;
  /** Stands in for the file's spatial reference, present or not; null: the file's own. */
  ald_spatial_reference spatial_reference;
  /**
   * How far the lines that stand for an arc may be away from it, in the unit of the coordinates, 0 or more, beside what
   * rounding does to coordinates; 0: each stands for one degree of the arc, which is 0.00004 of its radius. An arc that
   * would take more vertices than the policy allows is ALD_STATUS_LIMIT_EXCEEDED where it is read.
   */
  double curve_tolerance;
} ald_feature_source_options;

/** Initialises an ald_feature_source_options to the default. */
#define ALD_FEATURE_SOURCE_OPTIONS_INIT                                                                                \
  { (uint32_t)sizeof(ald_feature_source_options), 0, NULL, 0, 0, NULL, NULL, {0}, 0.0 }

/** How long the id of a feature names it. */
typedef int32_t ald_id_stability;
enum {
  /** It may name another feature at the next reading: a statement's result. */
  ALD_ID_STABILITY_NONE = 0,
  /** It is the feature's place in the file: good as long as the file does not change. */
  ALD_ID_STABILITY_POSITION = 1,
  /** The file stores it: good as long as the feature is there. */
  ALD_ID_STABILITY_STORED = 2
};

/** Bits of ald_feature_source_info.facts. */
typedef uint32_t ald_feature_source_facts;
enum {
  /** The layer has geometries. */
  ALD_FEATURE_SOURCE_HAS_GEOMETRY = 1,
  /** Vertices have heights. */
  ALD_FEATURE_SOURCE_HAS_Z = 2,
  /** Vertices have measures. */
  ALD_FEATURE_SOURCE_HAS_M = 4,
  /** The layer is of curves, which become lines when they are read. */
  ALD_FEATURE_SOURCE_HAS_CURVES = 8,
  /** feature_count is known. */
  ALD_FEATURE_SOURCE_HAS_COUNT = 16,
  /** extent is known. */
  ALD_FEATURE_SOURCE_HAS_EXTENT = 32,
  /** There is a spatial reference that can be used, the file's own or one given at opening. */
  ALD_FEATURE_SOURCE_HAS_SPATIAL_REFERENCE = 64,
  /** Single features are found by their ids without reading others. */
  ALD_FEATURE_SOURCE_FINDS_IDS = 128
};

/** Facts about a source. The strings live as long as the handle. */
typedef struct ald_feature_source_info {
  uint32_t struct_size;
  ald_feature_source_facts facts;
  /** How many layers the file has. */
  uint32_t sublayer_count;
  /** Which of them this is; ALD_ALL for the result of a statement. */
  uint32_t layer_index;
  uint32_t field_count;
  /** What the geometries are; 0: of several kinds, of any kind, or there are none. */
  ald_geometry_kind geometry_kind;
  ald_id_stability id_stability;
  uint32_t reserved;
  /** As the file says it, without reading all features; -1 if that cannot be told. */
  int64_t feature_count;
  /**
   * Of the layer, whatever the definition leaves of it, as the file says it. If it does not, features are read for it
   * at opening: up to 100,000 of them, 1,000,000 of GeoJSON and other files that GDAL reads whole; a statement's result
   * is not. NaN if there are more, not all can be read, or none has a place.
   */
  ald_envelope extent;
  /** What the source was opened by. */
  const char *path;
  /** The short name of GDAL's driver, such as "GPKG". */
  const char *driver;
  const char *layer_name;
  /** The definition expression; empty if there is none. */
  const char *definition_expression;
} ald_feature_source_info;

/** Initialises an ald_feature_source_info. */
#define ALD_FEATURE_SOURCE_INFO_INIT                                                                                   \
  { (uint32_t)sizeof(ald_feature_source_info), 0, 0, 0, 0, 0, 0, 0, 0, {0.0, 0.0, 0.0, 0.0}, NULL, NULL, NULL, NULL }

/** Bits of ald_field_info.flags. */
typedef uint32_t ald_field_flags;
enum {
  /** A feature may have null in the place of a value. */
  ALD_FIELD_NULLABLE = 1,
  /** No two features have the same value. */
  ALD_FIELD_UNIQUE = 2
};

/** Facts about a field. The strings live as long as the source's handle. */
typedef struct ald_field_info {
  uint32_t struct_size;
  ald_field_type type;
  ald_field_subtype subtype;
  ald_field_flags flags;
  /** In characters or digits; 0: any. */
  int32_t width;
  /** Digits behind the point; 0: any. */
  int32_t precision;
  const char *name;
  /** Another name, for people; empty if there is none. */
  const char *alias;
} ald_field_info;

/** Initialises an ald_field_info. */
#define ALD_FIELD_INFO_INIT                                                                                            \
  { (uint32_t)sizeof(ald_field_info), 0, 0, 0, 0, 0, NULL, NULL }

/** Bits of ald_feature_query.flags. */
typedef uint32_t ald_feature_query_flags;
enum {
  /** envelope is given. */
  ALD_FEATURE_QUERY_HAS_ENVELOPE = 1,
  /** Only features with the given ids; without this, ids and id_count must be NULL and 0. */
  ALD_FEATURE_QUERY_HAS_IDS = 2,
  /** Only the given fields are read, none for a count of 0; without this, field_indexes and field_count must be NULL
   * and 0. */
  ALD_FEATURE_QUERY_HAS_FIELDS = 4,
  /** Geometries are not read. */
  ALD_FEATURE_QUERY_WITHOUT_GEOMETRY = 8
};

/**
 * Which features are read, and what of them. What is not given asks for nothing.
 *
 * Where a world repeats itself, as with longitudes, places a whole number of worlds apart are the same: what is asked
 * for from 170 to 190 is found at -175, too.
 */
typedef struct ald_feature_query {
  uint32_t struct_size;
  ald_feature_query_flags flags;
  /** A condition that features must meet beside the source's definition, written like it; NULL: none. */
  const char *where;
  /** Features must have a point in common with it, edges counted in. */
  ald_envelope envelope;
  /**
   * What envelope is in; null: the source's. In another one it stands for the box around its image, which may go over
   * the antimeridian. If one is given, x_min > x_max means that envelope goes over it itself.
   */
  ald_spatial_reference envelope_spatial_reference;
  /**
   * Features must have a point in common with it; null: none. Not together with envelope. One without a spatial
   * reference is in the source's. In another one the test is made there: features are projected to it, with vertices
   * put in where their edges, which are straight in the source, bend. A feature that cannot be shown there, as it has
   * vertices without an image or the map is cut open in it, counts if it meets the box around the geometry's image.
   */
  ald_geometry geometry;
  /** Ids of features. Ids that no feature has are passed over. */
  const int64_t *ids;
  /** Numbers of fields of the source, from 0. */
  const uint32_t *field_indexes;
  uint32_t id_count;
  uint32_t field_count;
  /** How many features are read at most; 0: all. */
  uint64_t limit;
  /** How many are passed over first. */
  uint64_t offset;
  /** What geometries are projected to; null: they stay as they are. */
  ald_spatial_reference spatial_reference;
} ald_feature_query;

/** Initialises an ald_feature_query to all features. */
#define ALD_FEATURE_QUERY_INIT                                                                                         \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_feature_query), 0, NULL, {0.0, 0.0, 0.0, 0.0}, {0}, {0}, NULL, NULL, 0, 0, 0, 0, {            \
      0                                                                                                                \
    }                                                                                                                  \
  }

/**
 * Opens a source, read-only. Nothing is written beside it.
 *
 * Before GDAL may open anything, the names in the file, in the files beside it and in all that these lead to are held
 * against the runtime's policy, and so is the SQL in databases; see ald_policy. Should one of these files change,
 * come or go later, reading is ALD_STATUS_READ_FAILED: old and new content are never mixed.
 *
 * Of a CSV file, columns named x and y, lon and lat, easting and northing and the like, or a column wkt or geometry,
 * give the geometries, and the types of the others are found in the first part of the file.
 *
 * @param source_path A file's or folder's path, or another name that GDAL understands and the policy allows; at most
 * 65536 bytes.
 * @param options NULL for all defaults.
 * @param out_source Receives the source; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the runtime, or the option's spatial reference);
 *   ALD_STATUS_INVALID_ARGUMENT if source_path is NULL, empty or not UTF-8, out_source is NULL, an option is not valid,
 * or the definition or statement cannot be used; ALD_STATUS_NOT_FOUND if there is no such file, or no such layer in it;
 *   ALD_STATUS_READ_FAILED with GDAL's words if it cannot be read as a source of features; ALD_STATUS_POLICY_REFUSED if
 *   the policy forbids source_path, its driver, a name that the file leads to, the SQL in it, or a definition or
 * statement; ALD_STATUS_LIMIT_EXCEEDED if a file that is read as a whole is larger than the policy's memory allows,
 * files name files too deep, or it takes longer than the policy allows; ALD_STATUS_UNSUPPORTED if the file holds no
 * layer, is a database with a write-ahead log or a journal beside it that has changes which the file has not, is
 * encrypted, or is no file but a pipe or a device.
 */
ALD_API ald_status ald_feature_source_open(ald_runtime runtime, const char *source_path,
                                           const ald_feature_source_options *options, ald_feature_source *out_source,
                                           ald_error *error);

/**
 * Opens a source without waiting for it; see alidade/request.h. Arguments are checked at once, the file is not.
 *
 * @param source_path As for ald_feature_source_open.
 * @param options NULL for all defaults.
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the runtime, or the option's spatial reference);
 *   ALD_STATUS_INVALID_ARGUMENT if source_path is NULL, empty or not UTF-8, out_request is NULL or an option is not
 * valid; ALD_STATUS_POLICY_REFUSED if the policy forbids the definition or the statement.
 */
ALD_API ald_status ald_feature_source_open_async(ald_runtime runtime, const char *source_path,
                                                 const ald_feature_source_options *options,
                                                 const ald_request_options *request_options, ald_request *out_request,
                                                 ald_error *error);

/**
 * Takes the source that a request has opened. It can be taken once.
 *
 * @param out_source Receives the source; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_source is NULL, the request
 *   opens no source, or the definition or statement cannot be used; ALD_STATUS_NOT_READY while it is pending;
 *   ALD_STATUS_CANCELLED; ALD_STATUS_INVALID_STATE if it has been taken already; and what ald_feature_source_open
 *   answers for a file that cannot be opened: ALD_STATUS_NOT_FOUND, ALD_STATUS_READ_FAILED, ALD_STATUS_POLICY_REFUSED,
 *   ALD_STATUS_LIMIT_EXCEEDED, ALD_STATUS_UNSUPPORTED.
 */
ALD_API ald_status ald_request_take_feature_source(ald_request request, ald_feature_source *out_source,
                                                   ald_error *error);

/** Releases a source. Layers that show it keep it. */
ALD_API void ald_feature_source_release(ald_feature_source feature_source);

/**
 * Facts about a source.
 *
 * @param out_info Initialise it with ALD_FEATURE_SOURCE_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_feature_source_get_info(ald_feature_source feature_source, ald_feature_source_info *out_info,
                                               ald_error *error);

/**
 * The source's spatial reference, lent.
 *
 * @param out_spatial_reference Receives it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_spatial_reference is NULL;
 *   ALD_STATUS_NOT_FOUND if the file has none, or one that cannot be used (the message says why), and none was given.
 */
ALD_API ald_status ald_feature_source_spatial_reference(ald_feature_source feature_source,
                                                        ald_spatial_reference *out_spatial_reference, ald_error *error);

/**
 * The name of a layer of the file.
 *
 * @param index From 0 to sublayer_count - 1.
 * @param out_name Receives the name, which lives as long as the handle.
 * @param out_has_geometry Receives 1 if the layer has geometries, else 0; NULL: not asked for.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_name is NULL;
 *   ALD_STATUS_NOT_FOUND if there is no such layer.
 */
ALD_API ald_status ald_feature_source_sublayer(ald_feature_source feature_source, uint32_t index, const char **out_name,
                                               uint32_t *out_has_geometry, ald_error *error);

/**
 * Facts about a field.
 *
 * @param index From 0 to field_count - 1.
 * @param out_info Initialise it with ALD_FIELD_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none; ALD_STATUS_NOT_FOUND if there is no such field.
 */
ALD_API ald_status ald_feature_source_field_info(ald_feature_source feature_source, uint32_t index,
                                                 ald_field_info *out_info, ald_error *error);

/**
 * Reads features, in the file's order, whatever is asked for and however they are found; those of a database's table in
 * the order of their ids. So limit and offset lead through all features, each once. An id that is given twice counts
 * once. If a file has several features with one id, which is wrong, a query by ids finds one of them or all.
 *
 * A feature whose geometry is broken is there, with a flag and an empty geometry; see ald_feature_set_info.
 *
 * @param query NULL: all features, with all fields and geometries.
 * @param out_set Receives the features; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the source, or one in the query); ALD_STATUS_INVALID_ARGUMENT if
 *   out_set is NULL, or the query is not valid or its condition cannot be used; ALD_STATUS_NOT_FOUND if there is no
 * such field; ALD_STATUS_NOT_READY if something would have to be projected and the source has no spatial reference;
 *   ALD_STATUS_PROJECTION_FAILED if the place to search in cannot be projected; ALD_STATUS_READ_FAILED if the file
 *   cannot be read any more, or has changed; ALD_STATUS_LIMIT_EXCEEDED if there are more features or vertices, or they
 *   take more memory or time, than the policy allows; ALD_STATUS_POLICY_REFUSED if the policy forbids the condition.
 */
ALD_API ald_status ald_feature_source_query(ald_feature_source feature_source, const ald_feature_query *query,
                                            ald_feature_set *out_set, ald_error *error);

/**
 * Reads features without waiting for them; see alidade/request.h. Arguments are checked at once.
 *
 * @param query NULL: all features. It is copied.
 * @param request_options NULL for all defaults. Requests with a replace_key replace those on the same source.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the source, or one in the query); ALD_STATUS_INVALID_ARGUMENT if
 *   out_request is NULL or the query is not valid; ALD_STATUS_NOT_FOUND if there is no such field; ALD_STATUS_NOT_READY
 *   if something would have to be projected and the source has no spatial reference; ALD_STATUS_LIMIT_EXCEEDED if more
 *   ids are given than the policy allows; ALD_STATUS_POLICY_REFUSED if the policy forbids the condition.
 */
ALD_API ald_status ald_feature_source_query_async(ald_feature_source feature_source, const ald_feature_query *query,
                                                  const ald_request_options *request_options, ald_request *out_request,
                                                  ald_error *error);

/**
 * Takes the features that a request has read. They can be taken once.
 *
 * @param out_set Receives the features; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_set is NULL, the request reads
 * no features, or the condition cannot be used; ALD_STATUS_NOT_READY while it is pending; ALD_STATUS_CANCELLED;
 *   ALD_STATUS_INVALID_STATE if they have been taken already; ALD_STATUS_READ_FAILED, ALD_STATUS_PROJECTION_FAILED,
 *   ALD_STATUS_POLICY_REFUSED and ALD_STATUS_LIMIT_EXCEEDED as for ald_feature_source_query.
 */
ALD_API ald_status ald_request_take_feature_set(ald_request request, ald_feature_set *out_set, ald_error *error);

/**
 * How many features a query would read, told by reading them. What the query says of fields, geometries, limit, offset
 * and projecting does not matter.
 *
 * @param query NULL: all features.
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK; and as ald_feature_source_query: ALD_STATUS_INVALID_HANDLE, ALD_STATUS_INVALID_ARGUMENT,
 *   ALD_STATUS_NOT_FOUND, ALD_STATUS_NOT_READY, ALD_STATUS_PROJECTION_FAILED, ALD_STATUS_READ_FAILED (also if the file
 *   cannot be read to its end), ALD_STATUS_POLICY_REFUSED, ALD_STATUS_LIMIT_EXCEEDED if more ids are given, or it takes
 *   longer, than the policy allows.
 */
ALD_API ald_status ald_feature_source_count(ald_feature_source feature_source, const ald_feature_query *query,
                                            int64_t *out_count, ald_error *error);

/**
 * What is wrong with a source that can be used all the same: it has no spatial reference, or a reading met features
 * whose geometries are broken, or came to an end too early.
 *
 * @param out_unreadable_count Receives how many broken geometries one reading has met at most; NULL: not asked for.
 * @param buffer Receives a text for people, empty if nothing is wrong; NULL with a capacity of 0: only its size is
 * asked for.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size of the text with its final NUL; also written when the buffer is too small. NULL:
 * not asked for.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if nothing is asked for, or capacity is
 *   not 0 without a buffer; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_feature_source_warning(ald_feature_source feature_source, uint32_t *out_unreadable_count,
                                              char *buffer, size_t capacity, size_t *out_size, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

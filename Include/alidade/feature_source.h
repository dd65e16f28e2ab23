/**
 * @file
 * Feature sources: features from files of any format that GDAL reads, opened read-only. A query reads features into a
 * feature set, with ids, geometries and typed attributes. A set is an immutable value: any number of objects can share
 * it, any thread can use it, and it outlives its source.
 *
 * Geometries are points, lines and polygons. Curves and surfaces are converted to lines and polygons; z and m are kept.
 * Coordinates are in the unit of the source's spatial reference, x east and y north.
 *
 * A source can have an index in memory, within the limit of the policy. With an index, queries by location and searches
 * for the nearest features do not read the whole file. Without one, queries use what the format itself offers.
 *
 * @code{.c}
 * ald_feature_set cities;
 * uint32_t field_index = 0;
 * ald_attribute_value name = ALD_ATTRIBUTE_VALUE_INIT;
 * ald_feature_query query = ALD_FEATURE_QUERY_INIT;
 * query.where = "POP > 1000000";
 * ald_status status = ald_feature_source_query(feature_source, &query, &cities, error);
 * if (status == ALD_STATUS_OK)
 *   status = ald_feature_set_get_attribute(cities, 0, field_index, &name, error);
 * if (status == ALD_STATUS_OK && name.text)
 *   printf("%s\n", name.text);
 * ald_feature_set_release(cities);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_FEATURE_SOURCE_H
#define ALIDADE_FEATURE_SOURCE_H

#include "base.h"
#include "geometry.h"
#include "handles.h"
#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The type of a field's values. */
typedef int32_t ald_field_type;
enum ald_field_type_values {
  ALD_FIELD_TYPE_INTEGER = 1,
  ALD_FIELD_TYPE_REAL = 2,
  ALD_FIELD_TYPE_TEXT = 3,
  ALD_FIELD_TYPE_DATE = 4,
  ALD_FIELD_TYPE_TIME = 5,
  ALD_FIELD_TYPE_DATE_TIME = 6,
  ALD_FIELD_TYPE_BINARY = 7,
  ALD_FIELD_TYPE_INTEGER_LIST = 8,
  ALD_FIELD_TYPE_REAL_LIST = 9,
  ALD_FIELD_TYPE_TEXT_LIST = 10
};

/** The meaning or the size of a field's values. */
typedef int32_t ald_field_subtype;
enum ald_field_subtype_values {
  ALD_FIELD_SUBTYPE_NONE = 0,
  /** Integers 0 and 1. */
  ALD_FIELD_SUBTYPE_BOOLEAN = 1,
  ALD_FIELD_SUBTYPE_INT16 = 2,
  ALD_FIELD_SUBTYPE_FLOAT32 = 3,
  /** Texts in JSON. */
  ALD_FIELD_SUBTYPE_JSON = 4,
  /** Texts with a UUID. */
  ALD_FIELD_SUBTYPE_UUID = 5,
  ALD_FIELD_SUBTYPE_INT32 = 6
};

/** Whether a feature has a value in a field. An empty text is a value. */
typedef int32_t ald_value_state;
enum ald_value_state_values {
  ALD_VALUE_STATE_PRESENT = 0,
  /** The file states that there is no value. */
  ALD_VALUE_STATE_NULL = 1,
  /** The file does not mention the field. */
  ALD_VALUE_STATE_UNSET = 2
};

/** What is known about the time zone of a date and time. */
typedef int32_t ald_time_zone;
enum ald_time_zone_values {
  ALD_TIME_ZONE_UNKNOWN = 0,
  /** The local time zone where the value was written. */
  ALD_TIME_ZONE_LOCAL = 1,
  /** The time zone is given by utc_offset_min. */
  ALD_TIME_ZONE_OFFSET = 2
};

/** A date, a time, or both, as in the file. Its size is 32 bytes in every version. */
typedef struct ald_date_time {
  /** The second with its fraction; less than 61. */
  double second;
  int32_t year;
  /** The offset from UTC in minutes, positive to the east. */
  int32_t utc_offset_min;
  ald_time_zone zone;
  /** The month, 1 to 12, and the day, 1 to 31. Both are 0 for a time without a date. */
  uint8_t month;
  uint8_t day;
  uint8_t hour;
  uint8_t minute;
  uint64_t reserved;
} ald_date_time;

/**
 * Bits of the bytes of ald_feature_columns.feature_flags. A feature with one of these bits has an empty geometry in the
 * set.
 */
typedef uint32_t ald_feature_flags;
enum ald_feature_flags_values {
  /** The feature has no geometry. */
  ALD_FEATURE_NO_GEOMETRY = 1,
  /** The feature's geometry is damaged. */
  ALD_FEATURE_UNREADABLE = 2,
  /** The geometry has no image in the spatial reference of the query. */
  ALD_FEATURE_NOT_PROJECTABLE = 4
};

/** Bits of ald_feature_set_info.flags. */
typedef uint32_t ald_feature_set_flags;
enum ald_feature_set_flags_values {
  /** The set has geometries: the query requested them, and the source has geometries. */
  ALD_FEATURE_SET_HAS_GEOMETRIES = 1,
  /** Reading ended before the last feature of the file, because the file is damaged. */
  ALD_FEATURE_SET_INCOMPLETE = 2
};

/** Facts about a set. The string is valid while the handle lives. */
typedef struct ald_feature_set_info {
  uint32_t struct_size;
  ald_feature_set_flags flags;
  uint32_t feature_count;
  uint32_t field_count;
  /** The number of features with damaged geometries. */
  uint32_t unreadable_count;
  uint32_t reserved;
  /** The first message about a damaged geometry or a premature end; empty if there was no problem. */
  const char *first_reason;
} ald_feature_set_info;

/** Initialises an ald_feature_set_info. */
#define ALD_FEATURE_SET_INFO_INIT                                                                                      \
  { (uint32_t)sizeof(ald_feature_set_info), 0, 0, 0, 0, 0, NULL }

/** The ids and flags of all features. The arrays are valid while the set's handle lives. */
typedef struct ald_feature_columns {
  uint32_t struct_size;
  uint32_t feature_count;
  /** feature_count ids. */
  const int64_t *ids;
  /** feature_count bytes, each with bits of ald_feature_flags. */
  const uint8_t *feature_flags;
} ald_feature_columns;

/** Initialises an ald_feature_columns. */
#define ALD_FEATURE_COLUMNS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_feature_columns), 0, NULL, NULL }

/** A value of a feature. The memory that the pointers lead to is valid while the set's handle lives. */
typedef struct ald_attribute_value {
  uint32_t struct_size;
  ald_field_type type;
  ald_value_state state;
  /** The number of elements of a list, or the number of bytes of a binary value or of a text without its final NUL. */
  uint32_t element_count;
  /** The value of an integer; 0 for other types. */
  int64_t integer;
  /** The value of a real; NaN without a value and for other types. */
  double real;
  /** The value of a text; NULL without a value and for other types. */
  const char *text;
  /** The elements of a list of integers; NULL for other types. */
  const int64_t *integers;
  /** The elements of a list of reals; NULL for other types. */
  const double *reals;
  /** The elements of a list of texts; NULL for other types. */
  const char *const *texts;
  /** The bytes of a binary value; NULL for other types. */
  const uint8_t *bytes;
  /** The value of a date, a time, or both; zeros for other types. */
  ald_date_time date_time;
} ald_attribute_value;

/** Initialises an ald_attribute_value. */
#define ALD_ATTRIBUTE_VALUE_INIT                                                                                       \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_attribute_value), 0, 0, 0, 0, 0.0, NULL, NULL, NULL, NULL, NULL, {                            \
      0.0, 0, 0, 0, 0, 0, 0, 0, 0                                                                                      \
    }                                                                                                                  \
  }

/**
 * The values of a field for all features. The memory that the pointers lead to is valid while the set's handle lives.
 *
 * The value of feature i begins at offsets[i] and ends at offsets[i + 1]. For texts and binary values the offsets count
 * bytes, including the NUL after each text. For lists they count integers, reals or texts.
 */
typedef struct ald_attribute_column {
  uint32_t struct_size;
  ald_field_type type;
  /** The index of the field in the source. */
  uint32_t field_index;
  uint32_t feature_count;
  /** feature_count bytes, each an ald_value_state. */
  const uint8_t *states;
  /** Integers: one for each feature. Lists of integers: the elements of all lists. NULL for other types. */
  const int64_t *integers;
  /**
   * Reals: one for each feature, NaN without a value. Lists of reals: the elements of all lists. NULL for other types.
   */
  const double *reals;
  /** Dates and times: one for each feature. NULL for other types. */
  const ald_date_time *date_times;
  /** Texts, binary values and lists: feature_count + 1 offsets. NULL for other types. */
  const int64_t *offsets;
  /** Texts and binary values: all bytes. NULL for other types. */
  const uint8_t *bytes;
  /** Lists of texts: the elements of all lists. NULL for other types. */
  const char *const *texts;
} ald_attribute_column;

/** Initialises an ald_attribute_column. */
#define ALD_ATTRIBUTE_COLUMN_INIT                                                                                      \
  { (uint32_t)sizeof(ald_attribute_column), 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/** Bits of ald_feature_source_options.fields. */
typedef uint32_t ald_feature_source_fields;
enum ald_feature_source_fields_values {
  /** layer_index is set. */
  ALD_FEATURE_SOURCE_HAS_LAYER_INDEX = 1
};

/** How a source is opened. */
typedef struct ald_feature_source_options {
  uint32_t struct_size;
  ald_feature_source_fields fields;
  /**
   * The name of the layer. NULL: layer_index decides. Without a layer_index, the source is the only layer, or the first
   * layer with geometries. ald_feature_source_info.sublayer_count is the number of layers.
   */
  const char *layer_name;
  /** The index of the layer in the file, from 0. */
  uint32_t layer_index;
  uint32_t reserved;
  /**
   * The definition expression: a condition that features must meet, such as "POP > 1e6 AND NAME LIKE 'A%'". NULL: all
   * features.
   *
   * A condition consists of columns (a name, in double quotes if it contains blanks), numbers, texts in single quotes,
   * the operators = <> < <= > >= + - * / % ||, LIKE and ILIKE with a pattern in quotes, IN with a list, BETWEEN, IS
   * NULL, AND, OR, NOT, brackets, CAST(x AS type), and the functions SUBSTR, CONCAT, LOWER, UPPER, LENGTH, TRIM, LTRIM,
   * RTRIM, ABS, ROUND, COALESCE, IFNULL, NULLIF, MIN, MAX, DATE, TIME, DATETIME, STRFTIME and JULIANDAY. Every other
   * element fails with ALD_STATUS_POLICY_REFUSED, unless the policy has ALD_POLICY_ALLOW_SQL. With that bit, the
   * condition is passed unchanged to GDAL, and in databases to SQLite.
   *
   * A condition has the same meaning in every format: the meaning that it has in SQLite. A feature meets it if it is
   * true, not if it is unknown: neither "N = 5" nor "NOT N = 5" is true where N has no value, and a division by 0 has
   * no value. Texts are compared case-sensitively, except that LIKE and ILIKE ignore the case of ASCII letters. FID is
   * a feature's id, unless a column has this name.
   *
   * A text that is compared with a date or time must be one: '2026-01-31', '2026-01-31T16:30:00.5+01:00', '16:30'. The
   * moments are compared, whatever their offsets from UTC. Without an offset, a moment counts as one in UTC. As texts,
   * as in LIKE, dates are what the format has.
   */
  const char *definition_expression;
  /**
   * A SELECT statement, for any format. The source is then the result of the statement instead of a layer. It consists
   * of columns and expressions, or of COUNT, MIN, MAX, AVG and SUM; DISTINCT; FROM one layer; WHERE with a condition as
   * above; ORDER BY columns; LIMIT and OFFSET. It can only name layers of the opened file. NULL: no statement.
   *
   * Without DISTINCT and sums, an expression may consist of columns, numbers, texts, + - * ||, CONCAT, CAST, and / and
   * % with a number; others fail with ALD_STATUS_UNSUPPORTED. The result has the geometries and the ids of the layer.
   * MIN and MAX of dates are texts, in UTC. A column without a name in the statement is called after what it is, as in
   * MAX_POP, with a number behind it if another column has that name; with DISTINCT and sums, no column can be called
   * fid, ogc_fid or _rowid_. With ALD_POLICY_ALLOW_SQL the statement may use all of GDAL's dialect
   * (OGRSQL).
   */
  const char *statement;
  /** Used instead of the file's spatial reference, whether the file has one or not. Null: the file's own. */
  ald_spatial_reference spatial_reference;
  /**
   * The largest distance between an arc and the lines that replace it, apart from rounding, in the unit of the
   * coordinates; 0 or more. 0 means that each line spans one degree of the arc, and deviates by 0.00004 times its
   * radius. If an arc needs more vertices than the policy allows, reading it returns ALD_STATUS_LIMIT_EXCEEDED.
   */
  double curve_tolerance;
} ald_feature_source_options;

/** Initialises an ald_feature_source_options to the default. */
#define ALD_FEATURE_SOURCE_OPTIONS_INIT                                                                                \
  { (uint32_t)sizeof(ald_feature_source_options), 0, NULL, 0, 0, NULL, NULL, {0}, 0.0 }

/** How long the id of a feature identifies it. */
typedef int32_t ald_id_stability;
enum ald_id_stability_values {
  /** The id may belong to another feature at the next reading, as in the result of a statement. */
  ALD_ID_STABILITY_NONE = 0,
  /** The id is the position of the feature in the file. It is valid until the file changes. */
  ALD_ID_STABILITY_POSITION = 1,
  /**
   * The file or the service stores the id. It is valid as long as the feature exists. Features of a service whose id is
   * not a whole number from 0 to 2^63 - 1, or that have the id of another feature on the same page, get ids from 2^62
   * on. These ids are valid while the source lives, if there are at most 500,000 of them.
   */
  ALD_ID_STABILITY_STORED = 2
};

/** Bits of ald_feature_source_info.facts. */
typedef uint32_t ald_feature_source_facts;
enum ald_feature_source_facts_values {
  /** The layer has geometries. */
  ALD_FEATURE_SOURCE_HAS_GEOMETRY = 1,
  /** The vertices have heights. */
  ALD_FEATURE_SOURCE_HAS_Z = 2,
  /** The vertices have measures. */
  ALD_FEATURE_SOURCE_HAS_M = 4,
  /** The layer has curves, which are converted to lines when they are read. */
  ALD_FEATURE_SOURCE_HAS_CURVES = 8,
  /** feature_count is known. */
  ALD_FEATURE_SOURCE_HAS_COUNT = 16,
  /** extent is known. */
  ALD_FEATURE_SOURCE_HAS_EXTENT = 32,
  /** The source has a spatial reference that can be used, the file's own or one given at opening. */
  ALD_FEATURE_SOURCE_HAS_SPATIAL_REFERENCE = 64,
  /** Single features can be read by their ids without reading others. */
  ALD_FEATURE_SOURCE_FINDS_IDS = 128
};

/** Facts about a source. The strings are valid while the handle lives. */
typedef struct ald_feature_source_info {
  uint32_t struct_size;
  ald_feature_source_facts facts;
  /** The number of layers in the file. */
  uint32_t sublayer_count;
  /** The index of this layer in the file; ALD_ALL for the result of a statement. */
  uint32_t layer_index;
  uint32_t field_count;
  /** The kind of the geometries. 0: several kinds, any kind, or no geometries. */
  ald_geometry_kind geometry_kind;
  ald_id_stability id_stability;
  uint32_t reserved;
  /** The number of features that the file states, without reading all features; -1 if it is not known. */
  int64_t feature_count;
  /**
   * The extent of the layer that the file states, without regard to the definition expression. If the file does not
   * state it, the library computes it from the features at opening, if there are at most 100,000 features, or 1,000,000
   * in GeoJSON and other files that GDAL reads as a whole. NaN if there are more features, not all can be read, none
   * has a position, or the source is the result of a statement.
   */
  ald_envelope extent;
  /** The path or name with which the source was opened. */
  const char *path;
  /** The short name of GDAL's driver, such as "GPKG". */
  const char *driver;
  const char *layer_name;
  /** The definition expression; empty if the source has none. */
  const char *definition_expression;
} ald_feature_source_info;

/** Initialises an ald_feature_source_info. */
#define ALD_FEATURE_SOURCE_INFO_INIT                                                                                   \
  { (uint32_t)sizeof(ald_feature_source_info), 0, 0, 0, 0, 0, 0, 0, 0, {0.0, 0.0, 0.0, 0.0}, NULL, NULL, NULL, NULL }

/** Bits of ald_field_info.flags. */
typedef uint32_t ald_field_flags;
enum ald_field_flags_values {
  /** A feature may have null instead of a value. */
  ALD_FIELD_NULLABLE = 1,
  /** No two features have the same value. */
  ALD_FIELD_UNIQUE = 2
};

/** Facts about a field. The strings are valid while the source's handle lives. */
typedef struct ald_field_info {
  uint32_t struct_size;
  ald_field_type type;
  ald_field_subtype subtype;
  ald_field_flags flags;
  /** The width in characters or digits; 0 if it is not limited. */
  int32_t width;
  /** The number of decimals; 0 if it is not limited. */
  int32_t precision;
  const char *name;
  /** Another name, for display; empty if the field has none. */
  const char *alias;
} ald_field_info;

/** Initialises an ald_field_info. */
#define ALD_FIELD_INFO_INIT                                                                                            \
  { (uint32_t)sizeof(ald_field_info), 0, 0, 0, 0, 0, NULL, NULL }

/** Bits of ald_feature_query.flags. */
typedef uint32_t ald_feature_query_flags;
enum ald_feature_query_flags_values {
  /** envelope is set. */
  ALD_FEATURE_QUERY_HAS_ENVELOPE = 1,
  /** Reads only features with the given ids. Without this bit, ids and id_count must be NULL and 0. */
  ALD_FEATURE_QUERY_HAS_IDS = 2,
  /**
   * Reads only the given fields, or no field if field_count is 0. Without this bit, field_indexes and field_count must
   * be NULL and 0.
   */
  ALD_FEATURE_QUERY_HAS_FIELDS = 4,
  /** Reads no geometries. */
  ALD_FEATURE_QUERY_WITHOUT_GEOMETRY = 8
};

/**
 * Which features are read, and which of their data. A feature must meet all given conditions.
 *
 * If the world repeats itself, as with longitudes, positions that are a whole number of worlds apart are the same
 * position: a query from 170 to 190 finds a feature at -175.
 */
typedef struct ald_feature_query {
  uint32_t struct_size;
  ald_feature_query_flags flags;
  /**
   * A condition that features must meet in addition to the source's definition expression, in the same grammar; NULL:
   * no condition.
   */
  const char *where;
  /** A box that features must share a point with. Its edges are included. */
  ald_envelope envelope;
  /**
   * The spatial reference of envelope; null: the source's. An envelope in another spatial reference selects the box
   * around its image, which may cross the antimeridian. If a spatial reference is given, x_min > x_max means that the
   * envelope itself crosses the antimeridian.
   */
  ald_spatial_reference envelope_spatial_reference;
  /**
   * A geometry that features must share a point with; null: no geometry. It cannot be combined with envelope. The
   * coordinates of a geometry without a spatial reference are in the source's spatial reference. If the geometry has
   * another spatial reference than the source, features are projected to it for the test. Their edges, which are
   * straight in the source, get additional vertices where they bend. A feature that cannot be projected, because a
   * vertex has no image or the map is cut open inside the feature, is selected if it meets the box around the
   * geometry's image in the source's spatial reference.
   */
  ald_geometry geometry;
  /** The ids of features. Ids that no feature has are skipped. */
  const int64_t *ids;
  /** The indexes of fields of the source, from 0. */
  const uint32_t *field_indexes;
  uint32_t id_count;
  uint32_t field_count;
  /** The largest number of features to read; 0: all. */
  uint64_t limit;
  /** The number of features to skip first. */
  uint64_t offset;
  /** The spatial reference to which geometries are projected; null: geometries are not projected. */
  ald_spatial_reference spatial_reference;
} ald_feature_query;

/** Initialises an ald_feature_query to all features. */
#define ALD_FEATURE_QUERY_INIT                                                                                         \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_feature_query), 0, NULL, {0.0, 0.0, 0.0, 0.0}, {0}, {0}, NULL, NULL, 0, 0, 0, 0, {            \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** The status of a source's index. */
typedef int32_t ald_index_status;
enum ald_index_status_values {
  ALD_INDEX_STATUS_NONE = 0,
  ALD_INDEX_STATUS_BUILDING = 1,
  ALD_INDEX_STATUS_READY = 2,
  /** The index could not be built. ald_feature_source_build_index tries again. */
  ALD_INDEX_STATUS_FAILED = 3
};

/** Facts about the index of a source. */
typedef struct ald_feature_index_info {
  uint32_t struct_size;
  ald_index_status index_status;
  /** The number of features in the index: all features that have a position. */
  uint64_t feature_count;
  /** The memory that the index uses, in bytes. */
  uint64_t size_bytes;
  /** The box around all features in the index; NaN if there are no such features. */
  ald_envelope extent;
} ald_feature_index_info;

/** Initialises an ald_feature_index_info. */
#define ALD_FEATURE_INDEX_INFO_INIT                                                                                    \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_feature_index_info), 0, 0, 0, {                                                               \
      0.0, 0.0, 0.0, 0.0                                                                                               \
    }                                                                                                                  \
  }

/** A feature near a point. Its size is 16 bytes in every version. */
typedef struct ald_nearest_feature {
  int64_t feature_id;
  /**
   * The distance from the point to the nearest point of the feature, in the plane, in the unit of the source's
   * coordinates.
   */
  double distance;
} ald_nearest_feature;

/* Opening */

/**
 * Opens a source, read-only. The library writes nothing next to the file.
 *
 * Before GDAL opens anything, the library checks all names against the runtime's policy: the names in the file, in the
 * files next to it, and in all files that these lead to; and the SQL in databases. See ald_policy. If one of these
 * files is changed, added or removed later, reading returns ALD_STATUS_READ_FAILED: old and new content are never
 * mixed. (Queries that need only the index notice a change within some 10 ms.)
 *
 * In a CSV file, columns named x and y, lon and lat, easting and northing and similar, or a column named wkt or
 * geometry, give the geometries. The types of the other columns are derived from the first part of the file.
 *
 * @param path The path of a file or folder, or another name that GDAL understands and the policy allows; at most 65536
 *     bytes.
 * @param options NULL for all defaults.
 * @param out_source Receives the source; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if path is NULL, empty or not UTF-8, out_source is NULL, an option is not valid, or
 *     the definition or statement cannot be used.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid, or options has a spatial reference that is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such file, or no such layer in it.
 *   - ALD_STATUS_UNSUPPORTED if the file has no layer, is a database whose write-ahead log or journal has changes that
 *     the file does not have, is encrypted, or is a pipe or a device, if the statement has an expression that cannot
 *     be a column, or if path is the address of a service and options has a statement, a layer_name or a layer_index.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if the file cannot be read as a source of features.
 *   - ALD_STATUS_POLICY_REFUSED if the policy forbids path, its driver, a name that the file leads to, the SQL in the
 *     file, or the definition or statement.
 *   - ALD_STATUS_LIMIT_EXCEEDED if a file that is read as a whole needs more memory than the policy allows, files refer
 *     to other files too deeply, or opening takes longer than the policy allows.
 */
ALD_API ald_status ald_feature_source_open(ald_runtime runtime, const char *path,
                                           const ald_feature_source_options *options, ald_feature_source *out_source,
                                           ald_error *error);

/**
 * Opens a source without waiting; see alidade/request.h. The arguments are checked at once, the file later.
 *
 * @param path As for ald_feature_source_open.
 * @param options NULL for all defaults.
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if path is NULL, empty or not UTF-8, out_request is NULL or an option is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid, or options has a spatial reference that is not valid.
 *   - ALD_STATUS_POLICY_REFUSED if the policy forbids the definition or the statement.
 */
ALD_API ald_status ald_feature_source_open_async(ald_runtime runtime, const char *path,
                                                 const ald_feature_source_options *options,
                                                 const ald_request_options *request_options, ald_request *out_request,
                                                 ald_error *error);

/**
 * Takes the source that a request has opened. The source can be taken once.
 *
 * @param out_source Receives the source; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_source is NULL, the request does not open a source, or the definition or
 *     statement cannot be used.
 *   - ALD_STATUS_INVALID_HANDLE if request is not valid.
 *   - ALD_STATUS_NOT_READY while the request is pending.
 *   - ALD_STATUS_NOT_FOUND as in ald_feature_source_open.
 *   - ALD_STATUS_UNSUPPORTED as in ald_feature_source_open.
 *   - ALD_STATUS_READ_FAILED as in ald_feature_source_open.
 *   - ALD_STATUS_POLICY_REFUSED as in ald_feature_source_open.
 *   - ALD_STATUS_LIMIT_EXCEEDED as in ald_feature_source_open.
 *   - ALD_STATUS_INVALID_STATE if the source was already taken.
 *   - ALD_STATUS_CANCELLED if the request was cancelled.
 */
ALD_API ald_status ald_request_take_feature_source(ald_request request, ald_feature_source *out_source,
                                                   ald_error *error);

/** Releases a source. Layers that show the source keep it. */
ALD_API void ald_feature_source_release(ald_feature_source feature_source);

/* Facts */

/**
 * Gets facts about a source.
 *
 * @param out_info Receives the facts. Initialise it with ALD_FEATURE_SOURCE_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if feature_source is not valid.
 */
ALD_API ald_status ald_feature_source_get_info(ald_feature_source feature_source, ald_feature_source_info *out_info,
                                               ald_error *error);

/**
 * Gets the spatial reference of a source.
 *
 * @param out_spatial_reference Receives the spatial reference. The handle is borrowed: valid while the source lives.
 *     Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_spatial_reference is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if feature_source is not valid.
 *   - ALD_STATUS_NOT_FOUND if no spatial reference was given at opening, and the file has none or its spatial reference
 *     cannot be used (the message says why).
 */
ALD_API ald_status ald_feature_source_get_spatial_reference(ald_feature_source feature_source,
                                                            ald_spatial_reference *out_spatial_reference,
                                                            ald_error *error);

/**
 * Gets the name of a layer of the file.
 *
 * @param index From 0 to sublayer_count - 1.
 * @param out_name Receives the name. It is valid while the handle lives.
 * @param out_has_geometry NULL, or receives 1 if the layer has geometries and 0 if not.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_name is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if feature_source is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such layer.
 */
ALD_API ald_status ald_feature_source_get_sublayer_at(ald_feature_source feature_source, uint32_t index,
                                                      const char **out_name, uint32_t *out_has_geometry,
                                                      ald_error *error);

/**
 * Gets facts about a field.
 *
 * @param index From 0 to field_count - 1.
 * @param out_info Receives the facts. Initialise it with ALD_FIELD_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if feature_source is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such field.
 */
ALD_API ald_status ald_feature_source_get_field_at(ald_feature_source feature_source, uint32_t index,
                                                   ald_field_info *out_info, ald_error *error);

/**
 * Gets a description of what is wrong with a source that can still be used: it has no spatial reference, a reading met
 * damaged geometries or ended too early, or GDAL changed values that do not fit the type of their field, such as an
 * integer of more than 64 bits, or a fraction that comes late in a column of integers of a CSV file.
 *
 * @param out_unreadable_count NULL, or receives the largest number of damaged geometries in one reading so far.
 * @param buffer Receives a text for display, empty if nothing is wrong. NULL with capacity_bytes 0 requests only the
 *     size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes NULL, or receives the needed size in bytes, including the final NUL, even if the buffer is too
 *     small.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if nothing is requested, or buffer is NULL and capacity_bytes is not 0.
 *   - ALD_STATUS_INVALID_HANDLE if feature_source is not valid.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the text does not fit. The buffer is not changed.
 */
ALD_API ald_status ald_feature_source_get_warning(ald_feature_source feature_source, uint32_t *out_unreadable_count,
                                                  char *buffer, size_t capacity_bytes, size_t *out_size_bytes,
                                                  ald_error *error);

/* Queries */

/**
 * Reads the features that a query selects.
 *
 * For every query, the features are in the file's order, or for a table of a database in the order of their ids.
 * Queries with limit and offset can therefore read all features, each once. An id that is given twice counts once. If a
 * file wrongly has several features with the same id, a query by ids finds one or all of them.
 *
 * A feature with a damaged geometry is included, with a flag and an empty geometry; see ald_feature_set_info.
 *
 * @param query NULL: all features, with all fields and geometries.
 * @param out_new_feature_set Receives the features; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_new_feature_set is NULL, the query is not valid or its condition cannot be
 *     used.
 *   - ALD_STATUS_INVALID_HANDLE if feature_source is not valid, or query has a handle that is not valid.
 *   - ALD_STATUS_NOT_READY if something must be projected and the source has no spatial reference.
 *   - ALD_STATUS_NOT_FOUND if there is no such field.
 *   - ALD_STATUS_READ_FAILED if the file can no longer be read, or has changed.
 *   - ALD_STATUS_PROJECTION_FAILED if the envelope cannot be projected.
 *   - ALD_STATUS_POLICY_REFUSED if the policy forbids the condition.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more features or vertices than the policy allows, or reading them needs
 *     more memory or time.
 */
ALD_API ald_status ald_feature_source_query(ald_feature_source feature_source, const ald_feature_query *query,
                                            ald_feature_set *out_new_feature_set, ald_error *error);

/**
 * Reads features without waiting; see alidade/request.h. The arguments are checked at once.
 *
 * @param query NULL: all features. The query is copied.
 * @param request_options NULL for all defaults. A request with a replace_key replaces requests with the same key on the
 *     same source.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or the query is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if feature_source is not valid, or query has a handle that is not valid.
 *   - ALD_STATUS_NOT_READY if something must be projected and the source has no spatial reference.
 *   - ALD_STATUS_NOT_FOUND if there is no such field.
 *   - ALD_STATUS_POLICY_REFUSED if the policy forbids the condition.
 *   - ALD_STATUS_LIMIT_EXCEEDED if more ids are given than the policy allows.
 */
ALD_API ald_status ald_feature_source_query_async(ald_feature_source feature_source, const ald_feature_query *query,
                                                  const ald_request_options *request_options, ald_request *out_request,
                                                  ald_error *error);

/**
 * Takes the features that a request has read. The features can be taken once.
 *
 * @param out_feature_set Receives the features; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_feature_set is NULL, the request does not read features, or the condition
 *     cannot be used.
 *   - ALD_STATUS_INVALID_HANDLE if request is not valid.
 *   - ALD_STATUS_NOT_READY while the request is pending.
 *   - ALD_STATUS_READ_FAILED as in ald_feature_source_query.
 *   - ALD_STATUS_PROJECTION_FAILED as in ald_feature_source_query.
 *   - ALD_STATUS_LIMIT_EXCEEDED as in ald_feature_source_query.
 *   - ALD_STATUS_INVALID_STATE if the features were already taken.
 *   - ALD_STATUS_CANCELLED if the request was cancelled.
 */
ALD_API ald_status ald_request_take_feature_set(ald_request request, ald_feature_set *out_feature_set,
                                                ald_error *error);

/**
 * Counts the features that a query selects, by reading them. The fields, geometries, limit, offset and projection of
 * the query are ignored.
 *
 * @param query NULL: all features.
 * @param out_count Receives the count.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_count is NULL, the query is not valid or its condition cannot be used.
 *   - ALD_STATUS_INVALID_HANDLE if feature_source is not valid, or query has a handle that is not valid.
 *   - ALD_STATUS_NOT_READY as in ald_feature_source_query.
 *   - ALD_STATUS_NOT_FOUND as in ald_feature_source_query.
 *   - ALD_STATUS_READ_FAILED as in ald_feature_source_query, or if the file cannot be read to its end.
 *   - ALD_STATUS_PROJECTION_FAILED as in ald_feature_source_query.
 *   - ALD_STATUS_POLICY_REFUSED as in ald_feature_source_query.
 *   - ALD_STATUS_LIMIT_EXCEEDED if more ids are given, or counting takes longer, than the policy allows.
 */
ALD_API ald_status ald_feature_source_query_count(ald_feature_source feature_source, const ald_feature_query *query,
                                                  uint64_t *out_count, ald_error *error);

/* Feature sets */

/** Releases a set. */
ALD_API void ald_feature_set_release(ald_feature_set feature_set);

/**
 * Gets facts about a set.
 *
 * @param out_info Receives the facts. Initialise it with ALD_FEATURE_SET_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if feature_set is not valid.
 */
ALD_API ald_status ald_feature_set_get_info(ald_feature_set feature_set, ald_feature_set_info *out_info,
                                            ald_error *error);

/**
 * Gets the ids and flags of all features, without a copy.
 *
 * @param out_columns Receives the columns. Initialise it with ALD_FEATURE_COLUMNS_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_columns is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if feature_set is not valid.
 */
ALD_API ald_status ald_feature_set_get_columns(ald_feature_set feature_set, ald_feature_columns *out_columns,
                                               ald_error *error);

/**
 * Gets the geometries of all features: one for each feature, in the same order. A feature without a geometry has an
 * empty one.
 *
 * @param out_array Receives the array. The handle is borrowed: valid while the set lives. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_array is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if feature_set is not valid.
 *   - ALD_STATUS_NOT_FOUND if the set has no geometries.
 */
ALD_API ald_status ald_feature_set_get_geometries(ald_feature_set feature_set, ald_geometry_array *out_array,
                                                  ald_error *error);

/**
 * Gets a value of a feature.
 *
 * @param feature_index From 0 to feature_count - 1.
 * @param field_index The index of a field of the set, from 0 to field_count - 1.
 * @param out_value Receives the value. Initialise it with ALD_ATTRIBUTE_VALUE_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_value is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if feature_set is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such feature or field.
 */
ALD_API ald_status ald_feature_set_get_attribute(ald_feature_set feature_set, uint32_t feature_index,
                                                 uint32_t field_index, ald_attribute_value *out_value,
                                                 ald_error *error);

/**
 * Gets the values of a field for all features, without a copy.
 *
 * @param field_index The index of a field of the set, from 0 to field_count - 1.
 * @param out_column Receives the column. Initialise it with ALD_ATTRIBUTE_COLUMN_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_column is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if feature_set is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such field.
 */
ALD_API ald_status ald_feature_set_get_attribute_column(ald_feature_set feature_set, uint32_t field_index,
                                                        ald_attribute_column *out_column, ald_error *error);

/* Index */

/**
 * Builds the index of a source by reading all of its geometries once. If the index already exists, the call does
 * nothing.
 *
 * Afterwards, queries by envelope or geometry read only the features there, if these are a small part of all features.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if feature_source is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the layer has no geometries.
 *   - ALD_STATUS_READ_FAILED if the file can no longer be read, or has changed.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the index would need more memory than the policy allows.
 */
ALD_API ald_status ald_feature_source_build_index(ald_feature_source feature_source, ald_error *error);

/**
 * Builds the index of a source without waiting; see alidade/request.h. The request has no result to take.
 *
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or an option is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if feature_source is not valid.
 */
ALD_API ald_status ald_feature_source_build_index_async(ald_feature_source feature_source,
                                                        const ald_request_options *request_options,
                                                        ald_request *out_request, ald_error *error);

/**
 * Gets the current facts about the index of a source. Never waits.
 *
 * @param out_info Receives the facts. Initialise it with ALD_FEATURE_INDEX_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if feature_source is not valid.
 */
ALD_API ald_status ald_feature_source_get_index_info(ald_feature_source feature_source,
                                                     ald_feature_index_info *out_info, ald_error *error);

/**
 * Finds the ids of the features whose boxes meet an envelope, in the file's order. The function uses only the index and
 * does not read the file.
 *
 * @param envelope As in ald_feature_query; its edges are included.
 * @param spatial_reference The spatial reference of envelope; null: the source's.
 * @param out_feature_ids Receives the ids. NULL with capacity 0 requests only their number.
 * @param capacity The number of ids that fit into out_feature_ids.
 * @param out_count Receives the number of ids, even if the buffer is too small. May be NULL if out_feature_ids is not
 *     NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if envelope is not a valid box, nothing is requested, out_feature_ids is NULL and
 *     capacity is not 0, or feature_source and spatial_reference are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if feature_source is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_READY if there is no index, or envelope must be projected and the source has no spatial reference.
 *   - ALD_STATUS_UNSUPPORTED if building the index failed with this status.
 *   - ALD_STATUS_READ_FAILED if the file has changed, or building the index failed with this status.
 *   - ALD_STATUS_PROJECTION_FAILED if envelope cannot be projected.
 *   - ALD_STATUS_LIMIT_EXCEEDED if building the index failed with this status.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the ids do not fit.
 */
ALD_API ald_status ald_feature_source_query_ids(ald_feature_source feature_source, ald_envelope envelope,
                                                ald_spatial_reference spatial_reference, int64_t *out_feature_ids,
                                                size_t capacity, size_t *out_count, ald_error *error);

/**
 * Finds the features nearest to a point, the nearest first. If features are equally near, the earlier one in the file
 * comes first.
 *
 * The search reads only features that may be among the nearest. If the world of the source repeats itself, the shorter
 * distance is used: from 179 degrees to -179 degrees it is 2 degrees.
 *
 * @param point The point.
 * @param spatial_reference The spatial reference of point; null: the source's.
 * @param max_distance The largest distance of a feature, in the unit of the source's coordinates, finite, 0 or more. 0:
 *     any distance.
 * @param out_features Receives the features. It must have a capacity of max_count.
 * @param max_count The largest number of features to find.
 * @param out_count Receives the number of features.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if point or max_distance is not valid, out_features or out_count is NULL, or
 *     feature_source and spatial_reference are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if feature_source is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_READY if there is no index, or the point must be projected and the source has no spatial
 *     reference.
 *   - ALD_STATUS_UNSUPPORTED if building the index failed with this status.
 *   - ALD_STATUS_READ_FAILED if the file can no longer be read, has changed, or building the index failed with this
 *     status.
 *   - ALD_STATUS_PROJECTION_FAILED if the point cannot be projected.
 *   - ALD_STATUS_LIMIT_EXCEEDED if max_count is more than the policy allows, or building the index failed with this
 *     status.
 */
ALD_API ald_status ald_feature_source_query_nearest(ald_feature_source feature_source, ald_point point,
                                                    ald_spatial_reference spatial_reference, double max_distance,
                                                    ald_nearest_feature *out_features, size_t max_count,
                                                    size_t *out_count, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

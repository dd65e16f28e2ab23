/**
 * @file
 * Feature sets: features that were read from a source, with ids, geometries and typed attributes. A set is an immutable
 * value: it can be shared by everything, used on any thread, and outlives its source.
 */
#ifndef ALIDADE_FEATURE_SET_H
#define ALIDADE_FEATURE_SET_H

#include "base.h"
#include "geometry_array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Features. */
typedef struct ald_feature_set {
  uint64_t id;
} ald_feature_set;

/** What a field's values are. */
typedef int32_t ald_field_type;
enum {
  ALD_FIELD_INTEGER = 1,
  ALD_FIELD_REAL = 2,
  ALD_FIELD_TEXT = 3,
  ALD_FIELD_DATE = 4,
  ALD_FIELD_TIME = 5,
  ALD_FIELD_DATE_TIME = 6,
  ALD_FIELD_BINARY = 7,
  ALD_FIELD_INTEGER_LIST = 8,
  ALD_FIELD_REAL_LIST = 9,
  ALD_FIELD_TEXT_LIST = 10
};

/** What the values of a type mean, or how small they are. */
typedef int32_t ald_field_subtype;
enum {
  ALD_FIELD_SUBTYPE_NONE = 0,
  /** Integers 0 and 1. */
  ALD_FIELD_SUBTYPE_BOOLEAN = 1,
  ALD_FIELD_SUBTYPE_INT16 = 2,
  ALD_FIELD_SUBTYPE_FLOAT32 = 3,
  /** Texts that are JSON. */
  ALD_FIELD_SUBTYPE_JSON = 4,
  /** Texts that are UUIDs. */
  ALD_FIELD_SUBTYPE_UUID = 5,
  ALD_FIELD_SUBTYPE_INT32 = 6
};

/** Whether a feature has a value in a field. An empty text is a value. */
typedef int32_t ald_value_state;
enum {
  ALD_VALUE_PRESENT = 0,
  /** The file says that there is none. */
  ALD_VALUE_NULL = 1,
  /** The file says nothing of the field. */
  ALD_VALUE_UNSET = 2
};

/** What is known of the time zone of a date and time. */
typedef int32_t ald_time_zone;
enum {
  ALD_TIME_ZONE_UNKNOWN = 0,
  /** That of the place where it was written. */
  ALD_TIME_ZONE_LOCAL = 1,
  /** utc_offset_min says it. */
  ALD_TIME_ZONE_OFFSET = 2
};

/** A date, a time, or both, as the file gives it. 32 bytes for ever. */
typedef struct ald_date_time {
  /** The second with its part; less than 61. */
  double second;
  int32_t year;
  /** East of UTC, in minutes. */
  int32_t utc_offset_min;
  ald_time_zone zone;
  /** 1 to 12, and 1 to 31; 0 in a time without a date. */
  uint8_t month;
  uint8_t day;
  uint8_t hour;
  uint8_t minute;
  uint64_t reserved;
} ald_date_time;

/** Bits of the bytes of ald_feature_columns.feature_flags. */
typedef uint32_t ald_feature_flags;
enum {
  /** The feature has no geometry; an empty one stands in its place. */
  ALD_FEATURE_NO_GEOMETRY = 1,
  /** The feature's geometry is broken; an empty one stands in its place. */
  ALD_FEATURE_UNREADABLE = 2,
  /** The geometry has no image in the spatial reference that was asked for; an empty one stands in its place. */
  ALD_FEATURE_NOT_PROJECTABLE = 4
};

/** Bits of ald_feature_set_info.flags. */
typedef uint32_t ald_feature_set_flags;
enum {
  /** The set has geometries: they were asked for, and the source has some. */
  ALD_FEATURE_SET_HAS_GEOMETRIES = 1,
  /** Reading came to an end before the file's last feature: it is damaged. */
  ALD_FEATURE_SET_INCOMPLETE = 2
};

/** Facts about a set. The string lives as long as the handle. */
typedef struct ald_feature_set_info {
  uint32_t struct_size;
  ald_feature_set_flags flags;
  uint32_t feature_count;
  uint32_t field_count;
  /** How many features have broken geometries. */
  uint32_t unreadable_count;
  uint32_t reserved;
  /** What was first said of a broken geometry or of an end that came too early; empty: nothing. */
  const char *first_reason;
} ald_feature_set_info;

/** Initialises an ald_feature_set_info. */
#define ALD_FEATURE_SET_INFO_INIT                                                                                      \
  { (uint32_t)sizeof(ald_feature_set_info), 0, 0, 0, 0, 0, NULL }

/** What all features have beside geometries and attributes. The arrays live as long as the handle. */
typedef struct ald_feature_columns {
  uint32_t struct_size;
  uint32_t feature_count;
  /** feature_count ids. */
  const int64_t *ids;
  /** feature_count bytes: bits of ald_feature_flags. */
  const uint8_t *feature_flags;
} ald_feature_columns;

/** Initialises an ald_feature_columns. */
#define ALD_FEATURE_COLUMNS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_feature_columns), 0, NULL, NULL }

/** A value of a feature. What it leads to lives as long as the set's handle. */
typedef struct ald_attribute_value {
  uint32_t struct_size;
  ald_field_type type;
  ald_value_state state;
  /** How many elements a list has, how many bytes a binary value or a text, its final NUL not counted in. */
  uint32_t element_count;
  /** Of an integer; else 0. */
  int64_t integer;
  /** Of a real; NaN without a value and for other types. */
  double real;
  /** Of a text; NULL without a value and for other types. */
  const char *text;
  /** Of a list of integers; NULL for other types. */
  const int64_t *integers;
  /** Of a list of reals; NULL for other types. */
  const double *reals;
  /** Of a list of texts; NULL for other types. */
  const char *const *texts;
  /** Of a binary value; NULL for other types. */
  const uint8_t *bytes;
  /** Of a date, a time, or both; zeros for other types. */
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
 * The values of a field in one piece. What it leads to lives as long as the set's handle.
 *
 * Entry i of offsets says where the value of feature i begins, the one behind the last where the last one ends: of
 * texts and binary values in bytes (a text has a NUL behind it, which the offsets count in), of lists in integers,
 * reals or texts.
 */
typedef struct ald_attribute_column {
  uint32_t struct_size;
  ald_field_type type;
  /** The number of the field in the source. */
  uint32_t field_index;
  uint32_t feature_count;
  /** feature_count bytes, each an ald_value_state. */
  const uint8_t *states;
  /** Of integers one for each feature, of lists of integers those of all; else NULL. */
  const int64_t *integers;
  /** Of reals one for each feature, NaN without a value, of lists of reals those of all; else NULL. */
  const double *reals;
  /** Of dates and times one for each feature; else NULL. */
  const ald_date_time *date_times;
  /** feature_count + 1 offsets of texts, binary values and lists; else NULL. */
  const int64_t *offsets;
  /** Of texts and binary values; else NULL. */
  const uint8_t *bytes;
  /** Of lists of texts those of all; else NULL. */
  const char *const *texts;
} ald_attribute_column;

/** Initialises an ald_attribute_column. */
#define ALD_ATTRIBUTE_COLUMN_INIT                                                                                      \
  { (uint32_t)sizeof(ald_attribute_column), 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/** Releases a set. */
ALD_API void ald_feature_set_release(ald_feature_set feature_set);

/**
 * Facts about a set.
 *
 * @param out_info Initialise it with ALD_FEATURE_SET_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_feature_set_get_info(ald_feature_set feature_set, ald_feature_set_info *out_info,
                                            ald_error *error);

/**
 * The ids and flags of all features, without a copy.
 *
 * @param out_columns Initialise it with ALD_FEATURE_COLUMNS_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_columns is NULL or its
 *   struct_size is none.
 */
ALD_API ald_status ald_feature_set_get_columns(ald_feature_set feature_set, ald_feature_columns *out_columns,
                                               ald_error *error);

/**
 * The geometries of all features, lent: one for each, in the same order, an empty one where there is none.
 *
 * @param out_array Receives the array. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_array is NULL;
 *   ALD_STATUS_NOT_FOUND if the set has no geometries.
 */
ALD_API ald_status ald_feature_set_geometries(ald_feature_set feature_set, ald_geometry_array *out_array,
                                              ald_error *error);

/**
 * A value of a feature.
 *
 * @param feature_index From 0 to feature_count - 1.
 * @param field_index From 0 to field_count - 1: a field of the set.
 * @param out_value Initialise it with ALD_ATTRIBUTE_VALUE_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_value is NULL or its struct_size
 *   is none; ALD_STATUS_NOT_FOUND if there is no such feature or field.
 */
ALD_API ald_status ald_feature_set_attribute(ald_feature_set feature_set, uint32_t feature_index, uint32_t field_index,
                                             ald_attribute_value *out_value, ald_error *error);

/**
 * The values of a field, without a copy.
 *
 * @param field_index From 0 to field_count - 1: a field of the set.
 * @param out_column Initialise it with ALD_ATTRIBUTE_COLUMN_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_column is NULL or its
 * struct_size is none; ALD_STATUS_NOT_FOUND if there is no such field.
 */
ALD_API ald_status ald_feature_set_get_attribute_column(ald_feature_set feature_set, uint32_t field_index,
                                                        ald_attribute_column *out_column, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

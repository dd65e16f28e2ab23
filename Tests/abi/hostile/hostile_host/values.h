/**
 * @file
 * Values that hosts should not give, by C type.
 */
#ifndef HOSTILE_VALUES_H
#define HOSTILE_VALUES_H

#include <stddef.h>
#include <stdint.h>

/** A count beyond this is beyond the policy of the worlds. */
#define MAX_POINTS 20000

typedef struct double_value {
  const char *label;
  double value;
  int is_finite;
} double_value;

typedef struct integer_value {
  const char *label;
  int64_t value;
} integer_value;

typedef struct size_value {
  const char *label;
  size_t value;
  /** Where the value is a count of points or bytes, it is beyond every limit. */
  int is_beyond_limits;
} size_value;

typedef struct text_value {
  const char *label;
  const char *text;
  int is_utf8;
} text_value;

/** Each list ends with an entry whose label is NULL. */
extern const double_value double_values[];
extern const integer_value int32_values[];
extern const integer_value uint32_values[];
extern const integer_value uint64_values[];
extern const size_value size_values[];
extern const size_value stride_values[];
extern const size_value struct_size_values[];

/** The long texts are made when this is first called. */
const text_value *text_values(void);

/** The path of the features that lie next to the folder of a raster. */
void features_beside(const char *raster_path, char *path, size_t size);

/** An entry of a list at random. */
const double_value *any_double_value(const double_value *values);
const integer_value *any_integer_value(const integer_value *values);
const size_value *any_size_value(const size_value *values);
const text_value *any_text_value(const text_value *values);

#endif

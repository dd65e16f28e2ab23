#include "values.h"

#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double_value double_values[] = {
    {"NaN", NAN, 0},
    {"infinity", INFINITY, 0},
    {"-infinity", -INFINITY, 0},
    {"0", 0.0, 1},
    {"-0", -0.0, 1},
    {"-1", -1.0, 1},
    {"1", 1.0, 1},
    {"the smallest denormal", 4.9406564584124654e-324, 1},
    {"1e-300", 1e-300, 1},
    {"1e18", 1e18, 1},
    {"-1e18", -1e18, 1},
    {"1e300", 1e300, 1},
    {"-1e300", -1e300, 1},
    {"DBL_MAX", 1.7976931348623157e308, 1},
    {"-DBL_MAX", -1.7976931348623157e308, 1},
    {NULL, 0, 0},
};

const integer_value int32_values[] = {
    {"0", 0},
    {"1", 1},
    {"2", 2},
    {"-1", -1},
    {"65536", 65536},
    {"65537", 65537},
    {"1000000", 1000000},
    {"INT32_MAX", INT32_MAX},
    {"INT32_MIN", INT32_MIN},
    {"INT32_MIN + 1", INT32_MIN + 1},
    {NULL, 0},
};

const integer_value uint32_values[] = {
    {"0", 0},
    {"1", 1},
    {"2", 2},
    {"257", 257},
    {"2^31 - 1", INT32_MAX},
    {"2^31", (int64_t)INT32_MAX + 1},
    {"UINT32_MAX", UINT32_MAX},
    {NULL, 0},
};

const integer_value uint64_values[] = {
    {"0", 0},           {"1", 1},  {"2^32", (int64_t)UINT32_MAX + 1}, {"2^63 - 1", INT64_MAX}, {"2^63", INT64_MIN},
    {"UINT64_MAX", -1}, {NULL, 0},
};

const size_value size_values[] = {
    {"0", 0, 0},
    {"1", 1, 0},
    {"one more than the policy allows", MAX_POINTS + 1, 1},
    {"2^32", (size_t)UINT32_MAX + 1, 1},
    {"2^58", (size_t)1 << 58, 1},
    {"2^60", (size_t)1 << 60, 1},
    {"PTRDIFF_MAX", PTRDIFF_MAX, 1},
    {"2^63", (size_t)PTRDIFF_MAX + 1, 1},
    {"SIZE_MAX / 16 + 1", SIZE_MAX / 16 + 1, 1},
    {"SIZE_MAX", SIZE_MAX, 1},
    {NULL, 0, 0},
};

const size_value stride_values[] = {
    {"0, which means no gaps", 0, 0},
    {"1", 1, 0},
    {"8", 8, 0},
    {"15", 15, 0},
    {"16", 16, 0},
    {"17", 17, 0},
    {"2^62, of which four are 0", (size_t)1 << 62, 1},
    {"SIZE_MAX / 4, of which four end before the beginning", SIZE_MAX / 4, 1},
    {"PTRDIFF_MAX", PTRDIFF_MAX, 1},
    {"2^63", (size_t)PTRDIFF_MAX + 1, 1},
    {"SIZE_MAX - 7", SIZE_MAX - 7, 1},
    {"SIZE_MAX", SIZE_MAX, 1},
    {NULL, 0, 0},
};

const size_value struct_size_values[] = {
    {"0", 0, 1},
    {"3", 3, 1},
    {"4", 4, 1},
    {"4097", 4097, 1},
    {"2^31", (size_t)INT32_MAX + 1, 1},
    {"UINT32_MAX", UINT32_MAX, 1},
    {NULL, 0, 0},
};

/* A text of so many repetitions; lives as long as the program. */
static const char *repeated(const char *part, size_t count) {
  const size_t length = strlen(part);
  char *text = malloc(length * count + 1);
  for (size_t i = 0; i < count; i++)
    memcpy(text + i * length, part, length);
  text[length * count] = '\0';
  return text;
}

const text_value *text_values(void) {
  static text_value values[] = {
      {"empty", "", 1},
      {"a space", " ", 1},
      {"a byte that is not UTF-8", "\xff", 0},
      {"an overlong NUL", "a\xc0\x80", 0},
      {"a surrogate", "\xed\xa0\x80", 0},
      {"beyond Unicode", "\xf4\x90\x80\x80", 0},
      {"a character cut short", "ab\xe2\x82", 0},
      {"a character cut short at the start", "\x82 b", 0},
      {"four-byte characters", "\xf0\x9f\x97\xba\xf0\x9f\x97\xba", 1},
      {"conversion specifiers", "%s%n%d%99999999s", 1},
      {"control characters", "\x01\n\r\t\x1b[31m", 1},
      {"a folder", "/", 1},
      {"an empty device", "/dev/null", 1},
      {"a URL", "http://127.0.0.1:9/a.tif", 1},
      {"a network file system", "/vsicurl/http://127.0.0.1:9/a.tif", 1},
      {"an XML document", "<VRTDataset rasterXSize=\"1\" rasterYSize=\"1\"/>", 1},
      {"half a million letters", NULL, 1},
      {"a hundred thousand brackets", NULL, 1},
      {"ten thousand nested nodes", NULL, 1},
      {NULL, NULL, 0},
  };
  enum { LETTERS = 16, BRACKETS, NODES };
  if (values[LETTERS].text == NULL) {
    values[LETTERS].text = repeated("a", 500000);
    values[BRACKETS].text = repeated("(", 100000);
    values[NODES].text = repeated("GEOGCS[\"a\",", 10000);
  }
  return values;
}

/* The same for every type of entry. */
#define ANY_ENTRY(type)                                                                                                \
  const type *any_##type(const type *values) {                                                                         \
    size_t count = 0;                                                                                                  \
    while (values[count].label)                                                                                        \
      count++;                                                                                                         \
    return &values[random_below(count)];                                                                               \
  }

ANY_ENTRY(double_value)
ANY_ENTRY(integer_value)
ANY_ENTRY(size_value)
ANY_ENTRY(text_value)

void features_beside(const char *raster_path, char *path, size_t size) {
  const char *end = strrchr(raster_path, '/');
  const int length = end ? (int)(end - raster_path) : 1;
  snprintf(path, size, "%.*s/../features/places.geojson", length, end ? raster_path : ".");
}

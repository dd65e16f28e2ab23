/* A geometry as well-known binary, well-known text or GeoJSON; the first byte says which of them, for one or for many.
 */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const drivers[] = {"GTiff", NULL};
/* More vertices would have GEOS look for crossings for too long. */
enum { MOST_VERTICES = 40 };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  fuzz_start(drivers);
  return 0;
}

static int is_equal(ald_geometry a, ald_geometry b) {
  ald_error error;
  uint32_t equal = 0;
  FUZZ_REQUIRE(ald_geometry_equals(a, b, &equal, &error) == ALD_STATUS_OK);
  return equal == 1;
}

/* Offsets rise and end with their column, coordinates are finite, rings are closed. */
static void check_columns(ald_geometry geometry) {
  ald_error error;
  ald_geometry_columns c = ALD_GEOMETRY_COLUMNS_INIT;
  FUZZ_REQUIRE(ald_geometry_get_columns(geometry, &c, &error) == ALD_STATUS_OK);
  for (int32_t part = c.part_offsets[0]; part < c.part_offsets[1]; part++) {
    FUZZ_REQUIRE(part >= 0 && (uint32_t)part < c.part_count && c.path_offsets[part] <= c.path_offsets[part + 1]);
    for (int32_t path = c.path_offsets[part]; path < c.path_offsets[part + 1]; path++) {
      const int32_t first = c.vertex_offsets[path], end = c.vertex_offsets[path + 1];
      FUZZ_REQUIRE(path >= 0 && (uint32_t)path < c.path_count && first <= end && (uint32_t)end <= c.vertex_count);
      for (int32_t vertex = first; vertex < end; vertex++)
        FUZZ_REQUIRE(isfinite(c.xy[2 * vertex]) && isfinite(c.xy[2 * vertex + 1]));
      if (c.kinds[0] == ALD_GEOMETRY_KIND_POLYGON)
        FUZZ_REQUIRE(end - first >= 4 && c.xy[2 * first] == c.xy[2 * end - 2] &&
                     c.xy[2 * first + 1] == c.xy[2 * end - 1]);
    }
  }
}

/* What is written reads back as the same. */
static void write_and_read(ald_geometry geometry, ald_spatial_reference reference) {
  ald_error error;
  ald_geometry again;
  size_t size = 0;
  for (ald_wkb_flags flags = 0; flags < 4; flags++) {
    FUZZ_REQUIRE(ald_geometry_get_wkb(geometry, flags, NULL, 0, &size, &error) == ALD_STATUS_OK);
    uint8_t *bytes = malloc(size);
    FUZZ_REQUIRE(ald_geometry_get_wkb(geometry, flags, bytes, size, NULL, &error) == ALD_STATUS_OK);
    FUZZ_REQUIRE(ald_geometry_create_from_wkb(fuzz_runtime, bytes, size, reference, &again, &error) == ALD_STATUS_OK);
    FUZZ_REQUIRE(is_equal(geometry, again));
    ald_geometry_release(again);
    free(bytes);
  }
  FUZZ_REQUIRE(ald_geometry_get_wkt(geometry, NULL, NULL, 0, &size, &error) == ALD_STATUS_OK);
  char *text = malloc(size);
  FUZZ_REQUIRE(ald_geometry_get_wkt(geometry, NULL, text, size, NULL, &error) == ALD_STATUS_OK);
  FUZZ_REQUIRE(ald_geometry_create_from_wkt(fuzz_runtime, text, reference, &again, &error) == ALD_STATUS_OK);
  FUZZ_REQUIRE(is_equal(geometry, again));
  ald_geometry_release(again);
  free(text);
}

/* GeoJSON has no m, and winds rings its own way: what is read from it is written as the same text again. */
static void write_geojson(ald_geometry geometry, ald_geojson_flags flags) {
  ald_error error;
  ald_geometry again;
  ald_geojson_options options = ALD_GEOJSON_OPTIONS_INIT;
  size_t size = 0, second_size = 0;
  options.flags = flags;
  if (!fuzz_ok(ald_geometry_get_geojson(geometry, &options, NULL, 0, &size, &error), &error))
    return;
  char *text = malloc(size), *second = malloc(size + 64);
  FUZZ_REQUIRE(ald_geometry_get_geojson(geometry, &options, text, size, NULL, &error) == ALD_STATUS_OK);
  fuzz_text(text);
  const ald_status status =
      ald_geometry_create_from_geojson(fuzz_runtime, text, (ald_spatial_reference){0}, &again, &error);
  FUZZ_REQUIRE(status == ALD_STATUS_OK);
  if (flags) {
    FUZZ_REQUIRE(ald_geometry_get_geojson(again, &options, second, size + 64, &second_size, &error) == ALD_STATUS_OK);
    FUZZ_REQUIRE(strcmp(text, second) == 0);
  }
  ald_geometry_release(again);
  free(text);
  free(second);
}

static void use(ald_geometry geometry) {
  ald_error error;
  ald_geometry_info info = ALD_GEOMETRY_INFO_INIT;
  ald_spatial_reference reference = {0};
  check_columns(geometry);
  FUZZ_REQUIRE(ald_geometry_get_info(geometry, &info, &error) == ALD_STATUS_OK);
  FUZZ_REQUIRE(isnan(info.envelope.x_min) == ((info.flags & ALD_GEOMETRY_EMPTY) != 0));
  (void)ald_geometry_get_spatial_reference(geometry, &reference, NULL);
  write_and_read(geometry, reference);
  write_geojson(geometry, ALD_GEOJSON_CRS_MEMBER);
  if (info.vertex_count <= MOST_VERTICES) {
    ald_geometry_validity validity = ALD_GEOMETRY_VALIDITY_INIT;
    ald_geometry repaired;
    write_geojson(geometry, 0);
    if (fuzz_ok(ald_geometry_get_validity(geometry, 0, &validity, &error), &error))
      FUZZ_REQUIRE(validity.is_valid == (validity.reason[0] == 0));
    for (ald_repair_method method = 0; method < 3; method++)
      if (fuzz_ok(ald_geometry_create_repaired(geometry, method, &repaired, &error), &error)) {
        check_columns(repaired);
        ald_geometry_release(repaired);
      }
  }
  for (uint32_t i = 0; i < info.member_count; i++) {
    ald_geometry member;
    FUZZ_REQUIRE(ald_geometry_create_member(geometry, i, &member, &error) == ALD_STATUS_OK);
    check_columns(member);
    ald_geometry_release(member);
  }
}

static void use_array(ald_geometry_array array) {
  ald_error error;
  ald_geometry_array_info info = ALD_GEOMETRY_ARRAY_INFO_INIT;
  FUZZ_REQUIRE(ald_geometry_array_get_info(array, &info, &error) == ALD_STATUS_OK);
  for (uint32_t i = 0; i < info.geometry_count && i < 4; i++) {
    ald_geometry geometry;
    FUZZ_REQUIRE(ald_geometry_array_create_geometry(array, i, &geometry, &error) == ALD_STATUS_OK);
    use(geometry);
    ald_geometry_release(geometry);
  }
  ald_geometry_array_release(array);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ald_error error;
  ald_geometry geometry;
  ald_geometry_array array;
  const ald_spatial_reference none = {0};
  if (size == 0)
    return -1;
  char *text = fuzz_string(data + 1, size - 1);
  ald_status status = ALD_STATUS_INVALID_ARGUMENT;
  fuzz_begin();
  switch (data[0] % 4) {
  case 0:
    status = ald_geometry_create_from_wkb(fuzz_runtime, (const uint8_t *)text, size - 1, none, &geometry, &error);
    break;
  case 1:
    status = ald_geometry_create_from_wkt(fuzz_runtime, text, none, &geometry, &error);
    break;
  case 2:
    status = ald_geometry_create_from_geojson(fuzz_runtime, text, none, &geometry, &error);
    break;
  default:
    if (fuzz_ok(ald_geometry_array_create_from_geojson(fuzz_runtime, text, none, &array, &error), &error))
      use_array(array);
    geometry.id = 0;
  }
  if (data[0] % 4 < 3 && fuzz_ok(status, &error)) {
    use(geometry);
    ald_geometry_release(geometry);
  }
  fuzz_end();
  free(text);
  return 0;
}

/* Geometries and geometry arrays as a C host sees them: whose memory the columns are, strides, and what is refused. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ald_runtime runtime;

static ald_geometry from_wkt(const char *text) {
  ald_error error;
  ald_geometry made = {0};
  CHECK_OK(ald_geometry_create_from_wkt(runtime, text, (ald_spatial_reference){0}, &made, &error), &error);
  return made;
}

static int is_wkt(ald_geometry geometry, const char *expected) {
  char text[512];
  return ald_geometry_get_wkt(geometry, NULL, text, sizeof text, NULL, NULL) == ALD_STATUS_OK &&
         is_text(text, expected);
}

/* The columns of an array, of its geometries and of copies: the same memory, alive as long as one handle is. */
static void test_views(void) {
  enum { COUNT = 1000 };
  ald_error error;
  static double xyz[COUNT * 2][5];
  static int32_t vertex_offsets[COUNT + 1];
  const ald_spatial_reference none = {0};
  for (int i = 0; i <= COUNT; i++)
    vertex_offsets[i] = 2 * i;
  for (int i = 0; i < COUNT * 2; i++) {
    xyz[i][0] = i;
    xyz[i][1] = -i;
    xyz[i][3] = i / 2.0;
  }
  ald_geometry_columns given = ALD_GEOMETRY_COLUMNS_INIT;
  given.kind = ALD_GEOMETRY_KIND_POLYLINE;
  given.geometry_count = given.path_count = COUNT;
  given.vertex_count = COUNT * 2;
  given.xy = &xyz[0][0];
  given.z = &xyz[0][3];
  given.xy_stride_bytes = given.z_stride_bytes = sizeof xyz[0];
  given.vertex_offsets = vertex_offsets;
  int32_t *part_offsets = malloc((COUNT + 1) * sizeof *part_offsets);
  for (int i = 0; i <= COUNT; i++)
    part_offsets[i] = i;
  given.part_offsets = part_offsets;
  ald_geometry_array array;
  CHECK_OK(ald_geometry_array_create(runtime, &given, none, &array, &error), &error);
  free(part_offsets);
  memset(vertex_offsets, 0xff, sizeof vertex_offsets);

  ald_geometry_columns shown = ALD_GEOMETRY_COLUMNS_INIT, of_one = ALD_GEOMETRY_COLUMNS_INIT;
  CHECK_OK(ald_geometry_array_get_columns(array, &shown, &error), &error);
  CHECK(shown.geometry_count == COUNT && shown.part_count == COUNT && shown.path_count == COUNT);
  CHECK(shown.vertex_count == COUNT * 2 && shown.xy_stride_bytes == 16 && shown.m == NULL);
  int differences = 0;
  for (int i = 0; i < COUNT * 2; i++)
    differences += shown.xy[2 * i] != i || shown.xy[2 * i + 1] != -i || shown.z[i] != i / 2.0;
  CHECK(differences == 0);

  ald_geometry one;
  CHECK_OK(ald_geometry_array_create_geometry(array, 7, &one, &error), &error);
  CHECK_OK(ald_geometry_get_columns(one, &of_one, &error), &error);
  CHECK(of_one.geometry_count == 1 && of_one.xy == shown.xy && of_one.part_offsets == shown.part_offsets + 7);
  CHECK(of_one.kinds[0] == ALD_GEOMETRY_KIND_POLYLINE && of_one.geometry_flags[0] == ALD_GEOMETRY_HAS_Z);
  ald_geometry_array_release(array);
  CHECK_STATUS(ald_geometry_array_get_columns(array, &shown, NULL), ALD_STATUS_INVALID_HANDLE);
  /* The array is gone, and what its geometry shows is there. */
  const int32_t vertex = of_one.vertex_offsets[of_one.path_offsets[of_one.part_offsets[0]]];
  CHECK(vertex == 14 && of_one.xy[2 * vertex] == 14 && of_one.z[vertex] == 7);
  CHECK(is_wkt(one, "LINESTRING Z (14 -14 7, 15 -15 7.5)"));

  /* What is shown may come in again, and starts where the geometry does. */
  ald_geometry copy;
  uint32_t is_equal = 0;
  CHECK_OK(ald_geometry_create(runtime, &of_one, none, &copy, &error), &error);
  CHECK_OK(ald_geometry_equals(one, copy, &is_equal, &error), &error);
  CHECK(is_equal == 1);
  ald_geometry_release(one);
  ald_geometry_release(copy);
}

/* Unaligned memory, as the fields of packed structs are. */
static void test_unaligned(void) {
  ald_error error;
  static uint8_t memory[64];
  const double numbers[4] = {1, 2, 3, 4};
  memcpy(memory + 3, numbers, 16);
  memcpy(memory + 3 + 17, numbers + 2, 16);
  ald_geometry_columns given = ALD_GEOMETRY_COLUMNS_INIT;
  given.kind = ALD_GEOMETRY_KIND_POLYLINE;
  given.vertex_count = 2;
  given.xy = (const double *)(const void *)(memory + 3);
  given.xy_stride_bytes = 17;
  ald_geometry line;
  CHECK_OK(ald_geometry_create(runtime, &given, (ald_spatial_reference){0}, &line, &error), &error);
  CHECK(is_wkt(line, "LINESTRING (1 2, 3 4)"));
  ald_geometry_release(line);
}

/* Offsets that lie are refused before they lead anywhere. */
static void test_offsets(void) {
  static const int32_t bad[][3] = {{0, 5, 4}, {-1, 2, 4}, {0, INT32_MIN, 4}, {0, INT32_MAX, 4}, {3, 2, 4}, {0, 2, 5}};
  static const double xy[8] = {0, 0, 1, 0, 1, 1, 0, 1};
  ald_error error;
  ald_geometry made;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    ald_geometry_columns given = ALD_GEOMETRY_COLUMNS_INIT;
    given.kind = ALD_GEOMETRY_KIND_POLYLINE;
    given.vertex_count = 4;
    given.path_count = 2;
    given.xy = xy;
    given.vertex_offsets = bad[i];
    CHECK_STATUS(ald_geometry_create(runtime, &given, (ald_spatial_reference){0}, &made, &error),
                 ALD_STATUS_INVALID_ARGUMENT);
    CHECK(made.id == 0 && error.argument == 2 && holds_text(error.message, "vertex_offsets["));
  }
}

static void test_members_and_references(void) {
  ald_error error;
  ald_geometry member;
  ald_geometry_info info = ALD_GEOMETRY_INFO_INIT;
  ald_geometry collection = from_wkt("SRID=3857;GEOMETRYCOLLECTION (POINT (1 2), LINESTRING ZM EMPTY)");
  ald_spatial_reference reference, again;
  CHECK_OK(ald_geometry_get_spatial_reference(collection, &reference, &error), &error);
  CHECK_OK(ald_geometry_create_member(collection, 1, &member, &error), &error);
  CHECK_OK(ald_geometry_get_info(member, &info, &error), &error);
  CHECK(info.kind == ALD_GEOMETRY_KIND_POLYLINE && isnan(info.envelope.x_min) && info.member_count == 0);
  CHECK(info.flags == (ALD_GEOMETRY_HAS_Z | ALD_GEOMETRY_HAS_M | ALD_GEOMETRY_EMPTY));
  ald_geometry_release(collection);
  /* The member keeps the spatial reference: the id that the host knows stays good. */
  CHECK_OK(ald_geometry_get_spatial_reference(member, &again, &error), &error);
  CHECK(again.id == reference.id);
  CHECK_STATUS(ald_geometry_create_member(member, 0, &collection, &error), ALD_STATUS_NOT_FOUND);
  ald_geometry_release(member);

  ald_geometry plain = from_wkt("POINT (1 2)");
  CHECK_STATUS(ald_geometry_get_spatial_reference(plain, &reference, &error), ALD_STATUS_NOT_READY);
  CHECK(reference.id == 0);
  ald_geometry_release(plain);
  ald_geometry_array empty;
  ald_geometry_columns nothing = ALD_GEOMETRY_COLUMNS_INIT;
  nothing.kind = ALD_GEOMETRY_KIND_POINT;
  CHECK_OK(ald_geometry_array_create(runtime, &nothing, (ald_spatial_reference){0}, &empty, &error), &error);
  CHECK_STATUS(ald_geometry_array_get_spatial_reference(empty, &reference, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_geometry_array_create_geometry(empty, 0, &plain, &error), ALD_STATUS_NOT_FOUND);
  ald_geometry_array_release(empty);
}

/* Curves, and spatial references that there are not or that maps cannot have. */
static void test_unsupported(void) {
  static const uint8_t curve[9] = {1, 8}, unknown[25] = {1, 1, 0, 0, 0x20, 0x72, 0xbd, 0x0d},
                       geocentric[25] = {1, 1, 0, 0, 0x20, 0x72, 0x13};
  static const size_t offsets[2] = {0, sizeof curve}, long_offsets[2] = {0, sizeof unknown};
  static const char *const crs = "{\"type\":\"Point\",\"coordinates\":[1,2],\"crs\":{\"type\":\"name\",\"properties\":"
                                 "{\"name\":\"EPSG:999999\"}}}",
                           *const linked = "{\"type\":\"Point\",\"coordinates\":[1,2],\"crs\":{\"type\":\"link\"}}";
  const ald_spatial_reference none = {0};
  ald_error error;
  ald_geometry made;
  ald_geometry_array array;
  CHECK_STATUS(ald_geometry_create_from_wkb(runtime, curve, sizeof curve, none, &made, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_create_from_wkb(runtime, unknown, sizeof unknown, none, &made, &error),
               ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_geometry_create_from_wkb(runtime, geocentric, sizeof geocentric, none, &made, &error),
               ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_array_create_from_wkb(runtime, curve, sizeof curve, offsets, 1, none, &array, &error),
               ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(
      ald_geometry_array_create_from_wkb(runtime, unknown, sizeof unknown, long_offsets, 1, none, &array, &error),
      ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_geometry_create_from_wkt(runtime, "TIN EMPTY", none, &made, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_create_from_wkt(runtime, "SRID=900914;POINT (1 2)", none, &made, &error),
               ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_geometry_create_from_geojson(runtime, crs, none, &made, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_geometry_create_from_geojson(runtime, linked, none, &made, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_array_create_from_geojson(runtime, crs, none, &array, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_geometry_array_create_from_geojson(runtime, linked, none, &array, &error), ALD_STATUS_UNSUPPORTED);
  ald_geometry british = from_wkt("SRID=27700;POINT (1 2)");
  size_t size = 0;
  CHECK_STATUS(ald_geometry_get_geojson(british, NULL, NULL, 0, &size, &error), ALD_STATUS_UNSUPPORTED);
  ald_geometry_release(british);
}

/* A star of so many corners, which crosses itself some hundred times. */
static void star(double *xy, int corners) {
  for (int i = 0; i <= corners; i++) {
    const double angle = 2 * 3.14159265358979323846 * (i % corners) * (corners / 2) / corners;
    xy[2 * i] = cos(angle) / 3;
    xy[2 * i + 1] = sin(angle) / 3;
  }
}

/* A policy that allows a geometry of 32 vertices, and not its texts or what becomes of it. */
static void test_limits(uint64_t max_bytes, int is_made) {
  enum { CORNERS = 31 };
  const ald_spatial_reference none = {0};
  static const uint8_t wkb[21] = {1, 1};
  static const size_t offsets[2] = {0, 21};
  double xy[2 * CORNERS + 2];
  ald_error error;
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  ald_runtime small;
  policy.max_request_bytes = max_bytes;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(&options, &small, &error), &error);
  star(xy, CORNERS);
  ald_geometry_columns given = ALD_GEOMETRY_COLUMNS_INIT;
  given.kind = ALD_GEOMETRY_KIND_POLYGON;
  given.vertex_count = CORNERS + 1;
  given.xy = xy;
  ald_geometry geometry, other;
  ald_geometry_array array;
  const ald_status made = ald_geometry_create(small, &given, none, &geometry, &error);
  CHECK(made == (is_made ? ALD_STATUS_OK : ALD_STATUS_LIMIT_EXCEEDED));
  if (is_made) {
    size_t size = 0;
    CHECK_STATUS(ald_geometry_get_wkt(geometry, NULL, NULL, 0, &size, &error), ALD_STATUS_LIMIT_EXCEEDED);
    CHECK_STATUS(ald_geometry_get_geojson(geometry, NULL, NULL, 0, &size, &error), ALD_STATUS_LIMIT_EXCEEDED);
    CHECK_STATUS(ald_geometry_create_repaired(geometry, ALD_REPAIR_METHOD_LINEWORK, &other, &error),
                 ALD_STATUS_LIMIT_EXCEEDED);
    CHECK_OK(ald_geometry_get_wkb(geometry, 0, NULL, 0, &size, &error), &error);
    CHECK(size == 9 + 4 + 16 * (CORNERS + 1));
  } else {
    const char *json = "{\"type\":\"Point\",\"coordinates\":[1,2]}";
    CHECK_STATUS(ald_geometry_array_create(small, &given, none, &array, &error), ALD_STATUS_LIMIT_EXCEEDED);
    CHECK_STATUS(ald_geometry_create_from_wkb(small, wkb, sizeof wkb, none, &other, &error), ALD_STATUS_LIMIT_EXCEEDED);
    CHECK_STATUS(ald_geometry_array_create_from_wkb(small, wkb, sizeof wkb, offsets, 1, none, &array, &error),
                 ALD_STATUS_LIMIT_EXCEEDED);
    CHECK_STATUS(ald_geometry_create_from_wkt(small, "POINT (1 2)", none, &other, &error), ALD_STATUS_LIMIT_EXCEEDED);
    CHECK_STATUS(ald_geometry_create_from_geojson(small, json, none, &other, &error), ALD_STATUS_LIMIT_EXCEEDED);
    CHECK_STATUS(ald_geometry_array_create_from_geojson(small, json, none, &array, &error), ALD_STATUS_LIMIT_EXCEEDED);
    CHECK_STATUS(ald_geometry_create_from_envelope(small, (ald_envelope){0, 0, 1, 1}, none, &other, &error),
                 ALD_STATUS_LIMIT_EXCEEDED);
  }
  ald_runtime_release(small);
}

static void test_sizes(void) {
  static const uint8_t wkbs[42] = {1, 1, [21] = 0, [25] = 1};
  static const size_t offsets[3] = {0, 21, 42};
  ald_error error;
  ald_geometry_array array;
  uint8_t buffer[42];
  size_t size = 0, back[3] = {9, 9, 9};
  CHECK_OK(ald_geometry_array_create_from_wkb(runtime, wkbs, sizeof wkbs, offsets, 2, (ald_spatial_reference){0},
                                              &array, &error),
           &error);
  memset(buffer, 0xee, sizeof buffer);
  CHECK_STATUS(ald_geometry_array_get_wkb(array, 0, buffer, 41, &size, back, 3, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(size == 42 && buffer[0] == 0xee && back[0] == 9);
  CHECK_STATUS(ald_geometry_array_get_wkb(array, 0, buffer, 42, &size, back, 2, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(buffer[0] == 0xee && back[0] == 9 && error.argument == 7);
  CHECK_OK(ald_geometry_array_get_wkb(array, 0, NULL, 0, &size, back, 3, &error), &error);
  CHECK(back[0] == 0 && back[1] == 21 && back[2] == 42);
  CHECK_OK(ald_geometry_array_get_wkb(array, ALD_WKB_BIG_ENDIAN, buffer, 42, NULL, NULL, 0, &error), &error);
  CHECK(buffer[0] == 0 && buffer[4] == 1 && buffer[21] == 0);
  ald_geometry_array_release(array);
}

int main(void) {
  ald_error error;
  if (CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error)) {
    test_views();
    test_unaligned();
    test_offsets();
    test_members_and_references();
    test_unsupported();
    test_limits(1200, 1);
    test_limits(1, 0);
    test_sizes();
    uint64_t handles = 0;
    CHECK_OK(ald_runtime_get_handle_count(runtime, &handles, &error), &error);
    CHECK(handles == 1);
    ald_runtime_release(runtime);
  }
  return finish();
}

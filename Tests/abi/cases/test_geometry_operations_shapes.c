/* Shapes of geometries and cuts as a C host asks for them: what is refused, and what is larger than the policy allows.
 */
#include "scene.h"

#include <string.h>

static ald_runtime runtime, narrow;
static const ald_spatial_reference none = {0};
static const ald_geometry none_geometry = {0};

static ald_geometry geometry(ald_runtime in, const char *wkt) {
  ald_error error;
  ald_geometry made = {0};
  CHECK_OK(ald_geometry_create_from_wkt(in, wkt, none, &made, &error), &error);
  return made;
}

/* An array of one geometry. */
static ald_geometry_array array_of(ald_runtime in, ald_geometry one) {
  ald_error error;
  static uint8_t wkb[1 << 20];
  size_t offsets[2] = {0, 0};
  ald_geometry_array made = {0};
  CHECK_OK(ald_geometry_get_wkb(one, 0, wkb, sizeof wkb, &offsets[1], &error), &error);
  CHECK_OK(ald_geometry_array_create_from_wkb(in, wkb, offsets[1], offsets, 1, none, &made, &error), &error);
  return made;
}

static int is_wkt(ald_geometry of, const char *expected) {
  char text[512] = "";
  return ald_geometry_get_wkt(of, NULL, text, sizeof text, NULL, NULL) == ALD_STATUS_OK && is_text(text, expected);
}

static void test_refused(void) {
  ald_error error;
  ald_geometry made = {1};
  ald_geometry_array pieces = {1};
  ald_projection_receipt receipt = {1};
  uint32_t left = 7, right = 7;
  const ald_geometry point = geometry(runtime, "POINT (1 1)");
  const ald_geometry line = geometry(runtime, "LINESTRING (0 0, 9 9)");
  const ald_geometry collection = geometry(runtime, "GEOMETRYCOLLECTION (POINT (1 1))");
  CHECK_STATUS(ald_geometry_create_boundary(collection, &made, &error), ALD_STATUS_UNSUPPORTED);
  CHECK(made.id == 0 && error.argument == 1);
  CHECK_STATUS(ald_geometry_create_offset_curve(point, 1, NULL, &made, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_create_cut(point, line, &pieces, &left, &right, &receipt, &error), ALD_STATUS_UNSUPPORTED);
  CHECK(pieces.id == 0 && receipt.id == 0 && left == 7 && right == 7 && error.argument == 1);
  CHECK_STATUS(ald_geometry_create_cut(line, point, &pieces, &left, &right, &receipt, &error), ALD_STATUS_UNSUPPORTED);
  CHECK(error.argument == 2);
  ald_geometry_release(point);
  ald_geometry_release(line);
  ald_geometry_release(collection);

  ald_spatial_reference mercator, world;
  CHECK_OK(ald_spatial_reference_create(runtime, "EPSG:3857", &mercator, &error), &error);
  CHECK_OK(ald_spatial_reference_create(runtime, "EPSG:4326", &world, &error), &error);
  ald_geometry here, there;
  CHECK_OK(ald_geometry_create_from_wkt(runtime, "LINESTRING (0 0, 9 9)", mercator, &here, &error), &error);
  CHECK_OK(ald_geometry_create_from_wkt(runtime, "LINESTRING (0 0, 5 90)", world, &there, &error), &error);
  CHECK_STATUS(ald_geometry_create_cut(here, there, &pieces, &left, &right, &receipt, &error),
               ALD_STATUS_PROJECTION_FAILED);
  CHECK(pieces.id == 0 && receipt.id == 0 && left == 7);
  ald_geometry_release(here);
  ald_geometry_release(there);
}

static void test_middles(void) {
  ald_error error;
  ald_geometry made = {1};
  double clearance = 7;
  const ald_geometry corner = geometry(runtime, "POLYGON ((0 0, 3 0, 3 1, 1 1, 1 3, 0 3, 0 0))");
  const ald_geometry bow_tie = geometry(runtime, "POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))");
  const ald_geometry lines = geometry(runtime, "MULTILINESTRING ((0 0, 2 0), (2 0, 2 2), (0 0, 0 2, 2 2), (5 5, 6 6))");
  const ald_geometry huge = geometry(runtime, "LINESTRING (0 0, 1e200 0)");
  const ald_geometry collection = geometry(runtime, "GEOMETRYCOLLECTION (POINT (1 1))");
  CHECK_OK(ald_geometry_create_centroid(corner, &made, &error), &error);
  CHECK(is_wkt(made, "POINT (1.1 1.1)")); /* (3 * 0.5 + 2 * 2) / 5 across, by its two rectangles */
  ald_geometry_release(made);
  CHECK_OK(ald_geometry_create_point_on_surface(corner, &made, &error), &error);
  uint32_t inside = 0;
  CHECK_OK(ald_geometry_test(corner, made, ALD_PREDICATE_CONTAINS, &inside, NULL, &error), &error);
  CHECK(inside == 1);
  ald_geometry_release(made);
  CHECK_OK(ald_geometry_minimum_clearance(corner, &clearance, &error), &error);
  CHECK(clearance == 1);
  CHECK_OK(ald_geometry_create_merged_lines(lines, &made, &error), &error);
  size_t size = 0;
  CHECK_OK(ald_geometry_get_wkb(made, 0, NULL, 0, &size, &error), &error);
  CHECK(size == 9 + 9 + 5 * 16 + 9 + 2 * 16);
  ald_geometry_release(made);
  CHECK_OK(ald_geometry_create_enclosed_polygons(lines, &made, &error), &error);
  double area = 0;
  CHECK_OK(ald_geometry_area(made, NULL, &area, &error), &error);
  CHECK(area == 4);
  ald_geometry_release(made);
  ald_status (*const makers[])(ald_geometry, ald_geometry *,
                               ald_error *) = {ald_geometry_create_centroid, ald_geometry_create_point_on_surface,
                                               ald_geometry_create_merged_lines, ald_geometry_create_enclosed_polygons};
  for (size_t index = 0; index < sizeof makers / sizeof makers[0]; index++) {
    const int takes_lines = index >= 2;
    made.id = 1;
    CHECK_STATUS(makers[index](huge, &made, &error), ALD_STATUS_INVALID_ARGUMENT);
    CHECK(made.id == 0 && error.argument == 1);
    CHECK_STATUS(makers[index](bow_tie, &made, &error),
                 takes_lines ? ALD_STATUS_UNSUPPORTED : ALD_STATUS_INVALID_ARGUMENT);
    CHECK_STATUS(makers[index](collection, &made, &error), ALD_STATUS_UNSUPPORTED);
    CHECK_STATUS(makers[index](lines, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
    CHECK_STATUS(makers[index](none_geometry, &made, &error), ALD_STATUS_INVALID_HANDLE);
  }
  CHECK_STATUS(ald_geometry_minimum_clearance(bow_tie, &clearance, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_minimum_clearance(corner, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_minimum_clearance(collection, &clearance, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_minimum_clearance(none_geometry, &clearance, &error), ALD_STATUS_INVALID_HANDLE);
  ald_geometry_release(corner);
  ald_geometry_release(bow_tie);
  ald_geometry_release(lines);
  ald_geometry_release(huge);
  ald_geometry_release(collection);
}

/* A line that goes to and fro in ever shorter strokes: at each split all other vertices stay on one side. */
static void test_coils(void) {
  enum { VERTICES = 10000 };
  static double xy[VERTICES][2];
  for (int i = 0; i < VERTICES; i++) {
    xy[i][0] = (i % 2 ? -1 : 1) * (1 + (VERTICES - i) * 0.001);
    xy[i][1] = i * 1e-6;
  }
  ald_error error;
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.kind = ALD_GEOMETRY_KIND_POLYLINE;
  columns.vertex_count = VERTICES;
  columns.xy = &xy[0][0];
  ald_geometry coil, made = {1};
  CHECK_OK(ald_geometry_create(runtime, &columns, none, &coil, &error), &error);
  const ald_geometry_array coils = array_of(runtime, coil);
  ald_geometry_array several = {1};
  CHECK_STATUS(ald_geometry_create_generalized(coil, 0.1, ALD_GENERALIZE_METHOD_PRESERVE_TOPOLOGY, &made, &error),
               ALD_STATUS_UNSUPPORTED);
  CHECK(made.id == 0 && error.argument == 1);
  CHECK_STATUS(
      ald_geometry_array_create_generalized(coils, 0.1, ALD_GENERALIZE_METHOD_PRESERVE_TOPOLOGY, &several, &error),
      ALD_STATUS_UNSUPPORTED);
  CHECK(several.id == 0 && holds_text(error.message, "Geometry 0"));
  CHECK_OK(ald_geometry_create_generalized(coil, 0, ALD_GENERALIZE_METHOD_DOUGLAS_PEUCKER, &made, &error), &error);
  ald_geometry_release(made);
  ald_geometry_array_release(coils);
  ald_geometry_release(coil);
}

/* Results that have more vertices than the policy allows: 10. */
static void test_limits(void) {
  ald_error error;
  ald_geometry made = {1};
  ald_geometry_array several = {1};
  const ald_geometry star = geometry(narrow, "LINESTRING (0 4, 9 4, 1 9, 5 0, 8 9, 0 4)");
  const ald_geometry_array stars = array_of(narrow, star);
  CHECK_STATUS(ald_geometry_create_simple(star, &made, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_geometry_array_create_simple(stars, &several, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK(made.id == 0 && several.id == 0);
  const ald_geometry bent = geometry(narrow, "LINESTRING (0 0, 9 0, 9 -9)");
  CHECK_STATUS(ald_geometry_create_offset_curve(bent, 2, NULL, &made, &error), ALD_STATUS_LIMIT_EXCEEDED);
  const ald_geometry square = geometry(narrow, "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))");
  const ald_geometry across = geometry(narrow, "LINESTRING (-1 2, 3 4, 5 2, 11 4)");
  CHECK_STATUS(ald_geometry_create_cut(square, across, &several, NULL, NULL, NULL, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK(made.id == 0 && several.id == 0);
}

static void test_what_comes_out(void) {
  ald_error error;
  ald_geometry made;
  ald_geometry_array pieces;
  ald_projection_receipt receipt = {1};
  uint32_t left = 7, right = 7;
  const ald_geometry square = geometry(runtime, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))");
  const ald_geometry across = geometry(runtime, "LINESTRING (1 -1, 1 5)");
  CHECK_OK(ald_geometry_create_cut(square, across, &pieces, &left, &right, &receipt, &error), &error);
  CHECK(left == 1 && right == 1 && receipt.id == 0);
  ald_geometry_array_release(pieces);
  CHECK_OK(ald_geometry_create_cut(square, across, &pieces, NULL, NULL, NULL, &error), &error);
  ald_geometry_array_release(pieces);
  ald_offset_options options = ALD_OFFSET_OPTIONS_INIT;
  options.join = ALD_OFFSET_JOIN_MITRE;
  const ald_geometry bent = geometry(runtime, "LINESTRING (0 0, 4 0, 4 -4)");
  CHECK_OK(ald_geometry_create_offset_curve(bent, 1, &options, &made, &error), &error);
  CHECK(is_wkt(made, "LINESTRING (0 1, 5 1, 5 -4)"));
  ald_geometry_release(made);
  CHECK_OK(ald_geometry_create_label_point(square, 0, &made, &error), &error);
  CHECK(is_wkt(made, "POINT (2 2)"));
  ald_geometry_release(made);
  ald_geometry_release(bent);
  ald_geometry_release(across);
  ald_geometry_release(square);
}

int main(void) {
  ald_error error;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_points = 10;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error);
  CHECK_OK(ald_runtime_create(&options, &narrow, &error), &error);
  test_refused();
  test_middles();
  test_coils();
  test_limits();
  test_what_comes_out();
  ald_runtime_release(narrow);
  ald_runtime_release(runtime);
  return finish();
}

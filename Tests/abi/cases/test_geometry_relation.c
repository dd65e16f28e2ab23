/* Operations on geometries as a C host does them: what is refused, receipts, and what is written when. */
#include "scene.h"

#include <string.h>

static ald_runtime runtime;
static ald_spatial_reference mercator, world;
static const ald_spatial_reference none = {0};

static ald_geometry made_in(ald_runtime in, const char *wkt, ald_spatial_reference reference) {
  ald_error error;
  ald_geometry made = {0};
  CHECK_OK(ald_geometry_create_from_wkt(in, wkt, reference, &made, &error), &error);
  return made;
}

static ald_geometry geometry(const char *wkt, ald_spatial_reference reference) {
  return made_in(runtime, wkt, reference);
}

/* An array of one geometry. */
static ald_geometry_array array_of(ald_runtime in, ald_geometry one, ald_spatial_reference reference) {
  ald_error error;
  static uint8_t wkb[1 << 16];
  size_t offsets[2] = {0, 0};
  ald_geometry_array made = {0};
  CHECK_OK(ald_geometry_get_wkb(one, 0, wkb, sizeof wkb, &offsets[1], &error), &error);
  CHECK_OK(ald_geometry_array_create_from_wkb(in, wkb, offsets[1], offsets, 1, reference, &made, &error), &error);
  return made;
}

static int is_wkt(ald_geometry of, const char *expected) {
  char text[512] = "";
  return ald_geometry_get_wkt(of, NULL, text, sizeof text, NULL, NULL) == ALD_STATUS_OK && is_text(text, expected);
}

/* Results that must stay as they are when a call fails. */
static char matrix[10];
static uint32_t holds;
static ald_test_result answer;
static ald_geometry overlay;
static ald_projection_receipt receipt;

static void expect(ald_status status, const ald_error *error, ald_status expected, const char *words) {
  CHECK_STATUS(status, expected);
  CHECK(words == NULL || holds_text(error->message, words));
  CHECK(matrix[0] == 7 && holds == 7 && answer == 7 && overlay.id == 0 && receipt.id == 0);
}

/* Every function that takes two geometries fails in the same way. */
static void expect_all(ald_geometry first, ald_geometry second, ald_geometry_array seconds, ald_status expected,
                       const char *words) {
  ald_error error;
  ald_prepared_geometry prepared;
  memset(matrix, 7, sizeof matrix);
  holds = answer = 7;
  CHECK_OK(ald_prepared_geometry_create(first, &prepared, &error), &error);
#define EXPECT(call)                                                                                                   \
  overlay.id = 0;                                                                                                      \
  receipt.id = 1;                                                                                                      \
  expect((call), &error, expected, words)
  EXPECT(ald_geometry_relate(first, second, matrix, &receipt, &error));
  EXPECT(ald_geometry_matches(first, second, "*********", &holds, &receipt, &error));
  EXPECT(ald_geometry_test(first, second, ALD_PREDICATE_COVERS, &holds, &receipt, &error));
  EXPECT(ald_geometry_create_overlay(first, second, ALD_OVERLAY_OPERATION_UNION, 0, &overlay, &receipt, &error));
  EXPECT(ald_prepared_geometry_test(prepared, second, ALD_PREDICATE_COVERS, &holds, &receipt, &error));
  EXPECT(ald_prepared_geometry_test_array(prepared, seconds, ALD_PREDICATE_COVERS, 0, &answer, 1, &receipt, &error));
  if (expected != ALD_STATUS_UNSUPPORTED) {
    EXPECT(ald_prepared_geometry_within_distance(prepared, second, 1, &holds, &receipt, &error));
    EXPECT(ald_prepared_geometry_within_distance_array(prepared, seconds, 1, 0, &answer, 1, &receipt, &error));
  }
#undef EXPECT
  ald_prepared_geometry_release(prepared);
}

/* Two lines whose squares of differences are 0: no wrong answer. */
static void test_vanishing(void) {
  ald_error error;
  uint32_t holds = 7;
  ald_distance distance = ALD_DISTANCE_INIT;
  ald_prepared_geometry prepared;
  const ald_geometry first = geometry("LINESTRING (0 0, 1e-200 1e-200)", (ald_spatial_reference){0});
  const ald_geometry second = geometry("LINESTRING (0 3e-200, 1e-200 4e-200)", (ald_spatial_reference){0});
  CHECK_OK(ald_prepared_geometry_create(first, &prepared, &error), &error);
  CHECK_STATUS(ald_prepared_geometry_within_distance(prepared, second, 1, &holds, NULL, &error),
               ALD_STATUS_UNSUPPORTED);
  CHECK(holds == 7);
  CHECK_STATUS(ald_geometry_distance(first, second, NULL, &distance, NULL, &error), ALD_STATUS_UNSUPPORTED);
  ald_prepared_geometry_release(prepared);
  ald_geometry_release(first);
  ald_geometry_release(second);
}

static void test_refused(void) {
  const ald_geometry square = geometry("POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))", mercator);
  static const struct {
    const char *wkt;
    int in_world, in_none;
    ald_status status;
    const char *words;
  } cases[] = {
      {"POINT (5 90)", 1, 0, ALD_STATUS_PROJECTION_FAILED, "(5, 90)"},
      {"POINT (1 1)", 0, 1, ALD_STATUS_INVALID_ARGUMENT, "has no spatial reference"},
      {"GEOMETRYCOLLECTION (POINT (1 1))", 0, 0, ALD_STATUS_UNSUPPORTED, "collections"},
      {"POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))", 0, 0, ALD_STATUS_INVALID_ARGUMENT, "Self-intersection at (1, 1)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const ald_spatial_reference in = cases[i].in_none ? none : cases[i].in_world ? world : mercator;
    const ald_geometry other = geometry(cases[i].wkt, in);
    const ald_geometry_array others = array_of(runtime, other, in);
    expect_all(square, other, others, cases[i].status, cases[i].words);
    ald_geometry_array_release(others);
    ald_geometry_release(other);
  }
  ald_geometry_release(square);
}

/* What goes through projecting needs more memory than what a geometry lies in. */
static void test_limits(void) {
  enum { VERTICES = 1000 };
  static double xy[VERTICES][2];
  for (int i = 0; i < VERTICES; i++) {
    xy[i][0] = i / 100.0;
    xy[i][1] = i % 7;
  }
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.kind = ALD_GEOMETRY_KIND_POLYLINE;
  columns.vertex_count = VERTICES;
  columns.xy = &xy[0][0];
  ald_error error;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_bytes = VERTICES * 18;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  ald_runtime narrow;
  ald_spatial_reference here, there;
  ald_geometry line;
  ald_geometry_array lines;
  CHECK_OK(ald_runtime_create(&options, &narrow, &error), &error);
  CHECK_OK(ald_spatial_reference_create(narrow, "EPSG:3857", &here, &error), &error);
  CHECK_OK(ald_spatial_reference_create(narrow, "EPSG:4326", &there, &error), &error);
  CHECK_OK(ald_geometry_create(narrow, &columns, there, &line, &error), &error);
  columns.geometry_count = 1;
  CHECK_OK(ald_geometry_array_create(narrow, &columns, there, &lines, &error), &error);
  const ald_geometry square = made_in(narrow, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))", here);
  expect_all(square, line, lines, ALD_STATUS_LIMIT_EXCEEDED, "policy allows");
  ald_runtime_release(narrow);
}

/* Results that have more points than the policy allows. */
static void test_larger_results(void) {
  ald_error error;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_points = 10;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  ald_runtime narrow;
  CHECK_OK(ald_runtime_create(&options, &narrow, &error), &error);
  const ald_geometry lying = made_in(narrow, "POLYGON ((0 1, 3 1, 3 2, 0 2, 0 1))", none);
  const ald_geometry standing = made_in(narrow, "POLYGON ((1 0, 2 0, 2 3, 1 3, 1 0))", none);
  ald_geometry made = {1};
  CHECK_STATUS(ald_geometry_create_overlay(lying, standing, ALD_OVERLAY_OPERATION_UNION, 0, &made, NULL, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  CHECK(made.id == 0);
  const ald_geometry both = made_in(
      narrow, "GEOMETRYCOLLECTION (POLYGON ((0 1, 3 1, 3 2, 0 2, 0 1)), POLYGON ((1 0, 2 0, 2 3, 1 3, 1 0)))", none);
  const ald_geometry_array cross = array_of(narrow, both, none);
  CHECK_STATUS(ald_geometry_array_create_union(cross, 0, &made, &error), ALD_STATUS_LIMIT_EXCEEDED);
  const ald_geometry star = made_in(narrow, "POLYGON ((0 3, 9 0, 6 9, 3 0, 9 6, 9 9, 0 9, 0 3))", none);
  ald_geometry simple;
  CHECK_OK(
      ald_geometry_create_from_wkt(narrow, "POLYGON ((0 4, 4 0, 9 4, 5 4, 8 9, 4 5, 4 9, 0 4))", none, &simple, &error),
      &error);
  const ald_geometry_array simples = array_of(narrow, simple, none);
  ald_geometry_array parts = {1};
  const ald_envelope box = {1, 1, 7.5, 7.5};
  CHECK_STATUS(ald_geometry_create_clipped(simple, box, &made, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_geometry_array_create_clipped(simples, box, &parts, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK(made.id == 0 && parts.id == 0);
  ald_geometry_release(star);
  ald_runtime_release(narrow);
}

static void test_receipts(void) {
  ald_error error;
  const ald_geometry square = geometry("POLYGON ((0 0, 300000 0, 300000 300000, 0 300000, 0 0))", mercator);
  const ald_geometry point = geometry("POINT (1 1)", world);
  const ald_geometry_array points = array_of(runtime, point, world);
  ald_projection_receipt_info info = ALD_PROJECTION_RECEIPT_INFO_INIT;
  CHECK_OK(ald_geometry_relate(square, point, matrix, &receipt, &error), &error);
  CHECK(is_text(matrix, "0F2FF1FF2"));
  CHECK_OK(ald_projection_receipt_get_info(receipt, &info, &error), &error);
  CHECK(info.point_count == 1 && info.failed_count == 0);
  ald_projection_receipt_release(receipt);
  /* The other way round the square is projected, of which the receipt has five vertices. */
  CHECK_OK(
      ald_geometry_create_overlay(point, square, ALD_OVERLAY_OPERATION_INTERSECTION, 0, &overlay, &receipt, &error),
      &error);
  CHECK_OK(ald_projection_receipt_get_info(receipt, &info, &error), &error);
  CHECK(info.point_count == 5 && is_wkt(overlay, "POINT (1 1)"));
  ald_projection_receipt_release(receipt);
  ald_geometry_release(overlay);
  ald_prepared_geometry prepared;
  CHECK_OK(ald_prepared_geometry_create(square, &prepared, &error), &error);
  CHECK_OK(ald_prepared_geometry_test_array(prepared, points, ALD_PREDICATE_CONTAINS, 0, &answer, 1, &receipt, &error),
           &error);
  CHECK(answer == ALD_TEST_RESULT_YES && receipt.id != 0);
  ald_projection_receipt_release(receipt);
  CHECK_OK(ald_prepared_geometry_within_distance(prepared, point, 0, &holds, &receipt, &error), &error);
  CHECK(holds == 1 && receipt.id != 0);
  ald_projection_receipt_release(receipt);
  /* Nothing is projected: the receipt is null. Then the same without a receipt. */
  receipt.id = 1;
  CHECK_OK(ald_geometry_test(square, square, ALD_PREDICATE_EQUALS, &holds, &receipt, &error), &error);
  CHECK(holds == 1 && receipt.id == 0);
  CHECK_OK(ald_geometry_matches(square, point, "0********", &holds, NULL, &error), &error);
  CHECK(holds == 1);
  ald_prepared_geometry_release(prepared);
  ald_geometry_array_release(points);
  ald_geometry_release(point);
  ald_geometry_release(square);
}

static void test_rooms(void) {
  ald_error error;
  const ald_geometry square = geometry("POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))", none);
  const ald_geometry_array squares = array_of(runtime, square, none);
  ald_prepared_geometry prepared;
  CHECK_OK(ald_prepared_geometry_create(square, &prepared, &error), &error);
  answer = 7;
  CHECK_STATUS(
      ald_prepared_geometry_test_array(prepared, squares, ALD_PREDICATE_EQUALS, 0, &answer, 0, &receipt, &error),
      ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(error.argument == 6 && answer == 7);
  CHECK_STATUS(ald_prepared_geometry_within_distance_array(prepared, squares, 1, 0, &answer, 0, &receipt, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(error.argument == 6 && answer == 7);
  ald_test_result answers[3] = {7, 7, 7};
  CHECK_OK(ald_prepared_geometry_test_array(prepared, squares, ALD_PREDICATE_EQUALS, 0, answers, 3, &receipt, &error),
           &error);
  CHECK(answers[0] == ALD_TEST_RESULT_YES && answers[1] == 7);
  ald_prepared_geometry_release(prepared);
  ald_geometry_array_release(squares);
  ald_geometry_release(square);
}

int main(void) {
  ald_error error;
  CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error);
  CHECK_OK(ald_spatial_reference_create(runtime, "EPSG:3857", &mercator, &error), &error);
  CHECK_OK(ald_spatial_reference_create(runtime, "EPSG:4326", &world, &error), &error);
  test_vanishing();
  test_refused();
  test_limits();
  test_larger_results();
  test_receipts();
  test_rooms();
  ald_runtime_release(runtime);
  return finish();
}

/* Planar buffers as a C host sees them: limits, what a failure leaves alone, and circles between a host's other data.
 */
#include "check.h"

#include <math.h>
#include <string.h>

static ald_runtime runtime;

static ald_geometry_array points(ald_runtime owner, const double *xy, uint32_t count) {
  ald_error error;
  ald_geometry_array made = {0};
  ald_geometry_columns given = ALD_GEOMETRY_COLUMNS_INIT;
  given.kind = ALD_GEOMETRY_KIND_POINT;
  given.geometry_count = given.vertex_count = count;
  given.xy = xy;
  CHECK_OK(ald_geometry_array_create(owner, &given, (ald_spatial_reference){0}, &made, &error), &error);
  return made;
}

/* The policy counts vertices of results before they are made, also where a mistake in a digit asks for terabytes. */
static void test_limits(void) {
  static const double xy[4] = {0, 0, 100, 0}, distance[1] = {5};
  ald_error error;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_points = 1000;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  ald_runtime small;
  if (!CHECK_OK(ald_runtime_create(&options, &small, &error), &error))
    return;
  ald_geometry_array array = points(small, xy, 2), made_array = {7};
  ald_geometry one = {0}, made = {7};
  CHECK_OK(ald_geometry_array_create_geometry(array, 0, &one, &error), &error);
  ald_buffer_options fine = ALD_BUFFER_OPTIONS_INIT;
  fine.maximum_deviation = 1e-9;
  CHECK_STATUS(ald_geometry_create_buffer(one, 5, &fine, &made, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK(made.id == 0);
  CHECK_STATUS(ald_geometry_array_create_buffers(array, distance, 1, &fine, &made_array, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  CHECK(made_array.id == 0);
  CHECK_STATUS(ald_geometry_array_create_buffer_union(array, distance, 1, &fine, &made, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  /* More segments than there may be, whatever the policy says. */
  fine.maximum_deviation = 1e-200;
  CHECK_STATUS(ald_geometry_create_buffer(one, 5, &fine, &made, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK(holds_text(error.message, "1048576"));
  fine.maximum_deviation = 0.01;
  CHECK_OK(ald_geometry_create_buffer(one, 5, &fine, &made, &error), &error);
  ald_runtime_release(small);
}

/* Vertices of a float colour and two doubles: nothing is written between them, and nothing where a call fails. */
static void test_circles_between_other_data(void) {
  struct vertex {
    double xy[2];
    float colour[4];
  } vertices[2 * 9 + 1];
  struct {
    int32_t name;
    double xy[2];
    char label[5];
  } __attribute__((packed)) centres[2] = {{1, {10, 20}, "a"}, {2, {-3, 4}, "b"}};
  const double radius = 2;
  const double *first = (const double *)(const void *)((const char *)centres + sizeof centres[0].name);
  ald_error error;
  memset(vertices, 0xee, sizeof vertices);
  CHECK_STATUS(ald_runtime_fill_circles(runtime, first, sizeof centres[0], 2, &radius, 1, 2, vertices[0].xy,
                                        sizeof vertices[0], 17, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(((unsigned char *)vertices)[0] == 0xee && error.argument == 10 && holds_text(error.message, "18"));
  CHECK_OK(ald_runtime_fill_circles(runtime, first, sizeof centres[0], 2, &radius, 1, 2, vertices[0].xy,
                                    sizeof vertices[0], 18, &error),
           &error);
  int differences = 0, overwritten = 0;
  for (int index = 0; index < 18; index++) {
    const double angle = index % 9 * acos(-1.0) / 4;
    const double x = (index < 9 ? 10 : -3) + 2 * cos(angle), y = (index < 9 ? 20 : 4) + 2 * sin(angle);
    differences += fabs(vertices[index].xy[0] - x) > 1e-14 || fabs(vertices[index].xy[1] - y) > 1e-14;
    overwritten += ((unsigned char *)vertices[index].colour)[0] != 0xee;
  }
  CHECK(differences == 0 && overwritten == 0 && ((unsigned char *)&vertices[18])[0] == 0xee);
  CHECK(vertices[0].xy[0] == vertices[8].xy[0] && vertices[0].xy[1] == vertices[8].xy[1]);
}

/* What is said of which argument. */
static void test_arguments(void) {
  static const double xy[4] = {0, 0, 100, 0}, distances[3] = {5, NAN, 7};
  ald_error error;
  ald_geometry_array array = points(runtime, xy, 2), made_array;
  ald_geometry one = {0}, made;
  CHECK_OK(ald_geometry_array_create_geometry(array, 0, &one, &error), &error);
  ald_buffer_options options = ALD_BUFFER_OPTIONS_INIT;
  options.unit = ALD_UNIT_METRE;
  CHECK_STATUS(ald_geometry_create_buffer(one, INFINITY, NULL, &made, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2);
  CHECK_STATUS(ald_geometry_create_buffer(one, 1, &options, &made, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 3);
  CHECK_STATUS(ald_geometry_array_create_buffers(array, distances, 1, &options, &made_array, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 4);
  CHECK_STATUS(ald_geometry_array_create_buffers(array, distances, 2, NULL, &made_array, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2 && holds_text(error.message, "Distance 1"));
  CHECK_STATUS(ald_geometry_array_create_buffer_union(array, distances, 3, NULL, &made, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 3);
  ald_geometry_release(one);
  ald_geometry_array_release(array);
}

static ald_geometry from_wkt(const char *text) {
  ald_error error;
  ald_geometry made = {0};
  CHECK_OK(ald_geometry_create_from_wkt(runtime, text, (ald_spatial_reference){0}, &made, &error), &error);
  return made;
}

/* Areas that GEOS 3.11 gets wrong; the true ones by integration. */
static void test_areas_of_lines(void) {
  static const struct {
    const char *wkt;
    double distance, area;
  } lines[] = {{"LINESTRING (17 9, 10 20, 16 7, 17 9)", 100, 34387.65},
               {"LINESTRING (4 10, 3 11, 4 12, 3 11, 4 10)", 3, 43.6466},
               {"LINESTRING (-1000 0, 0 0, 1000 -148)", 100, 433593.1}};
  ald_error error;
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    ald_geometry line = from_wkt(lines[i].wkt), made = {0};
    double area = 0;
    uint32_t covers = 0;
    CHECK_OK(ald_geometry_create_buffer(line, lines[i].distance, NULL, &made, &error), &error);
    CHECK_OK(ald_geometry_area(made, NULL, &area, &error), &error);
    CHECK(area < lines[i].area * 1.00001 && area > lines[i].area * (1 - 2 * 0.0012));
    CHECK_OK(ald_geometry_test(made, line, ALD_PREDICATE_COVERS, &covers, NULL, &error), &error);
    CHECK(covers == 1);
    ald_geometry_release(made);
    ald_geometry_release(line);
  }
}

/* An offset curve ends where its line does. */
/* 20 on the left and 5 on the right of a line of 100: 2,500. */
static void test_right_distance(void) {
  static const double refused[4] = {-1, NAN, 1e91, INFINITY};
  ald_error error;
  ald_geometry line = from_wkt("LINESTRING (0 0, 100 0)"), made = {0};
  ald_geometry_info info = ALD_GEOMETRY_INFO_INIT;
  ald_buffer_options options = ALD_BUFFER_OPTIONS_INIT;
  options.cap = ALD_BUFFER_CAP_FLAT;
  options.right_distance = 5;
  CHECK_OK(ald_geometry_create_buffer(line, 20, &options, &made, &error), &error);
  CHECK_OK(ald_geometry_get_info(made, &info, &error), &error);
  CHECK(info.envelope.x_min == 0 && info.envelope.x_max == 100);
  CHECK(info.envelope.y_min == -5 && info.envelope.y_max == 20);
  ald_geometry_release(made);
  CHECK_STATUS(ald_geometry_create_buffer(line, 0, &options, &made, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2 && made.id == 0);
  options.side = ALD_BUFFER_SIDE_LEFT;
  CHECK_STATUS(ald_geometry_create_buffer(line, 20, &options, &made, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 3);
  options.side = ALD_BUFFER_SIDE_BOTH;
  for (int index = 0; index < 4; ++index) {
    options.right_distance = refused[index];
    CHECK_STATUS(ald_geometry_create_buffer(line, 20, &options, &made, &error), ALD_STATUS_INVALID_ARGUMENT);
    CHECK(error.argument == 3 && made.id == 0);
  }
  ald_geometry_release(line);
}

static void test_offset_curve(void) {
  ald_error error;
  ald_geometry line = from_wkt("LINESTRING (5 5, 1 1, 1.5 3)"), curve = {0};
  ald_prepared_geometry prepared = {0};
  uint32_t is_near = 1;
  CHECK_OK(ald_geometry_create_offset_curve(line, 1.6, NULL, &curve, &error), &error);
  CHECK_OK(ald_prepared_geometry_create(line, &prepared, &error), &error);
  CHECK_OK(ald_prepared_geometry_within_distance(prepared, curve, 1.6 * (1 - 0.00121), &is_near, NULL, &error), &error);
  CHECK(is_near == 0);
  CHECK_OK(ald_prepared_geometry_within_distance(prepared, curve, 1.6001, &is_near, NULL, &error), &error);
  CHECK(is_near == 1);
  ald_prepared_geometry_release(prepared);
  ald_geometry_release(curve);
  ald_geometry_release(line);
}

/* A line contains a stretch of its own, although it crosses itself there. */
static void test_contained_line(void) {
  ald_error error;
  ald_geometry line = from_wkt("LINESTRING (1 0, 0 2, 0 0, 2 2)"), part = from_wkt("LINESTRING (0 0, 2 2)");
  uint32_t contains = 0;
  CHECK_OK(ald_geometry_test(line, part, ALD_PREDICATE_CONTAINS, &contains, NULL, &error), &error);
  CHECK(contains == 1);
  ald_geometry_release(part);
  ald_geometry_release(line);
}

/* Circles far away, whose union falls into parts that touch in two points. */
static void test_circles_far_away(void) {
  static const double xy[8] = {3 - 3e7, 4 - 3e7, 2 - 3e7, -3e7, 4 - 3e7, 2 - 3e7, 1 - 3e7, 2 - 3e7};
  const double radius = sqrt(2.0);
  ald_error error;
  ald_geometry_array array = points(runtime, xy, 4);
  ald_geometry made = {0};
  ald_buffer_options options = ALD_BUFFER_OPTIONS_INIT;
  options.quadrant_segments = 8;
  ald_geometry_validity validity = ALD_GEOMETRY_VALIDITY_INIT;
  CHECK_OK(ald_geometry_array_create_buffer_union(array, &radius, 1, &options, &made, &error), &error);
  CHECK_OK(ald_geometry_get_validity(made, 0, &validity, &error), &error);
  CHECK(validity.is_valid);
  ald_geometry_release(made);
  ald_geometry_array_release(array);
}

int main(void) {
  ald_error error;
  if (CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error)) {
    test_limits();
    test_circles_between_other_data();
    test_arguments();
    test_areas_of_lines();
    test_right_distance();
    test_offset_curve();
    test_contained_line();
    test_circles_far_away();
    uint64_t handles = 0;
    CHECK_OK(ald_runtime_get_handle_count(runtime, &handles, &error), &error);
    CHECK(handles == 1);
    ald_runtime_release(runtime);
  }
  return finish();
}

/* Geodesic circles in a host's memory: between other data, and what is refused. */
#include "check.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static scene stage;
static ald_spatial_reference degrees;

/* Metres per degree of latitude and longitude at 60 degrees north on WGS 84, by pyproj. */
static const double NORTH = 111412.29, EAST = 55800.00;

/* Vertices of two doubles and a colour: nothing is written between them, and nothing where a call fails. */
static void test_circles_between_other_data(void) {
  struct vertex {
    double xy[2];
    float colour[4];
  } vertices[2 * 4 + 1];
  struct {
    int32_t name;
    double xy[2];
    char label[5];
  } __attribute__((packed)) centres[2] = {{1, {10, 60}, "a"}, {2, {-170, 60}, "b"}};
  const double radius = 10;
  const double *first = (const double *)(const void *)((const char *)centres + sizeof centres[0].name);
  ald_error error;
  memset(vertices, 0xee, sizeof vertices);
  CHECK_STATUS(ald_spatial_reference_fill_geodesic_circles(degrees, first, sizeof centres[0], 2, &radius, 1, 4,
                                                           vertices[0].xy, sizeof vertices[0], 7, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(((unsigned char *)vertices)[0] == 0xee && error.argument == 10 && holds_text(error.message, "8"));
  CHECK_OK(ald_spatial_reference_fill_geodesic_circles(degrees, first, sizeof centres[0], 2, &radius, 1, 4,
                                                       vertices[0].xy, sizeof vertices[0], 8, &error),
           &error);
  int differences = 0, overwritten = 0;
  for (int index = 0; index < 8; index++) {
    /* North, east, south, west. */
    const double angle = index % 4 * acos(0.0);
    const double x = (index < 4 ? 10 : -170) + 10 * sin(angle) / EAST, y = 60 + 10 * cos(angle) / NORTH;
    differences += fabs(vertices[index].xy[0] - x) * EAST > 1e-4 || fabs(vertices[index].xy[1] - y) * NORTH > 1e-4;
    overwritten += ((unsigned char *)vertices[index].colour)[0] != 0xee;
  }
  CHECK(differences == 0 && overwritten == 0 && ((unsigned char *)&vertices[8])[0] == 0xee);
}

static void check_refused(ald_spatial_reference reference, double radius, size_t radius_count, uint32_t vertices,
                          ald_status status, int32_t argument) {
  static const double centre[2] = {10, 50};
  double xy[8] = {7};
  ald_error error;
  CHECK_STATUS(ald_spatial_reference_fill_geodesic_circles(reference, centre, 0, 1, &radius, radius_count, vertices, xy,
                                                           0, 4, &error),
               status);
  CHECK(error.argument == argument && error.message[0] && xy[0] == 7);
}

static void test_refusals(void) {
  ald_error error;
  ald_spatial_reference saturn, plane;
  const ald_spatial_reference none = {0};
  const double centre[2] = {10, 50}, radius = 1;
  double xy[8];
  check_refused(none, 1, 1, 4, ALD_STATUS_INVALID_HANDLE, 1);
  check_refused(degrees, 0, 1, 4, ALD_STATUS_INVALID_ARGUMENT, 5);
  check_refused(degrees, NAN, 1, 4, ALD_STATUS_INVALID_ARGUMENT, 5);
  check_refused(degrees, 2e7, 1, 4, ALD_STATUS_INVALID_ARGUMENT, 5);
  check_refused(degrees, 1, 0, 4, ALD_STATUS_INVALID_ARGUMENT, 6);
  check_refused(degrees, 1, 2, 4, ALD_STATUS_INVALID_ARGUMENT, 6);
  check_refused(degrees, 1, 1, 2, ALD_STATUS_INVALID_ARGUMENT, 7);
  check_refused(degrees, 1, 1, 1048577, ALD_STATUS_INVALID_ARGUMENT, 7);
  CHECK_STATUS(ald_spatial_reference_fill_geodesic_circles(degrees, NULL, 0, 1, &radius, 1, 4, xy, 0, 4, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2);
  CHECK_STATUS(ald_spatial_reference_fill_geodesic_circles(degrees, centre, 0, 1, NULL, 1, 4, xy, 0, 4, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 5);
  CHECK_STATUS(ald_spatial_reference_fill_geodesic_circles(degrees, centre, 0, 1, &radius, 1, 4, NULL, 0, 4, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 8);
  CHECK_OK(ald_spatial_reference_fill_geodesic_circles(degrees, NULL, 0, 0, &radius, 1, 4, NULL, 0, 0, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_wkt(
               stage.runtime,
               "GEOGCS[\"Saturn\",DATUM[\"Saturn\",SPHEROID[\"Saturn\",60268000,10.2]],PRIMEM[\"Reference\",0],"
               "UNIT[\"degree\",0.0174532925199433]]",
               &saturn, &error),
           &error);
  check_refused(saturn, 1, 1, 4, ALD_STATUS_UNSUPPORTED, 1);
  CHECK_OK(
      ald_spatial_reference_create_from_wkt(stage.runtime, "LOCAL_CS[\"plane\",UNIT[\"metre\",1]]", &plane, &error),
      &error);
  check_refused(plane, 1, 1, 4, ALD_STATUS_UNSUPPORTED, 1);
  ald_spatial_reference_release(saturn);
  ald_spatial_reference_release(plane);
}

/* A policy bounds the vertices of all circles together. */
static void test_limits(void) {
  ald_error error;
  ald_runtime small;
  ald_runtime_options runtime_options = ALD_RUNTIME_OPTIONS_INIT;
  ald_policy policy = ALD_POLICY_INIT;
  ald_spatial_reference reference;
  static const double centres[6] = {0, 0, 1, 1, 2, 2};
  const double radius = 1000;
  double xy[3 * 4 * 2];
  policy.max_request_points = 11;
  runtime_options.policy = &policy;
  CHECK_OK(ald_runtime_create(&runtime_options, &small, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(small, NULL, 4326, &reference, &error), &error);
  CHECK_STATUS(ald_spatial_reference_fill_geodesic_circles(reference, centres, 0, 3, &radius, 1, 4, xy, 0, 12, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_OK(ald_spatial_reference_fill_geodesic_circles(reference, centres, 0, 2, &radius, 1, 4, xy, 0, 12, &error),
           &error);
  ald_spatial_reference_release(reference);
  ald_runtime_release(small);
}

int main(int argc, char **argv) {
  ald_error error;
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    CHECK_OK(ald_spatial_reference_create_from_code(stage.runtime, NULL, 4326, &degrees, &error), &error);
    test_circles_between_other_data();
    test_refusals();
    test_limits();
    ald_spatial_reference_release(degrees);
    release_scene(&stage);
    ald_runtime_release(stage.runtime);
  }
  return finish();
}

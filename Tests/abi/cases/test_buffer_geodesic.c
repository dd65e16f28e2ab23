/* Geodesic buffers as a C host sees them: units, reports, what is refused, and what a failure leaves alone. */
#include "check.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static scene stage;
static ald_spatial_reference degrees, mercator;

static ald_geometry geometry(const char *wkt, ald_spatial_reference reference) {
  ald_error error;
  ald_geometry made = {0};
  CHECK_OK(ald_geometry_create_from_wkt(stage.runtime, wkt, reference, &made, &error), &error);
  return made;
}

static ald_geometry_array array(double x, double y, ald_spatial_reference reference) {
  ald_error error;
  ald_geometry_array made = {0};
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  const double xy[2] = {x, y};
  columns.kind = ALD_GEOMETRY_KIND_POINT;
  columns.geometry_count = 1;
  columns.part_count = 1;
  columns.path_count = 1;
  columns.vertex_count = 1;
  columns.xy = xy;
  CHECK_OK(ald_geometry_array_create(stage.runtime, &columns, reference, &made, &error), &error);
  return made;
}

/* A mile is a mile in any spatial reference: one degree of the equator is 60.1077 nautical miles. */
static void test_units(void) {
  ald_error error;
  ald_geometry buffer;
  ald_geometry_info info = ALD_GEOMETRY_INFO_INIT;
  ald_geodesic_buffer_options options = ALD_GEODESIC_BUFFER_OPTIONS_INIT;
  ald_geodesic_buffer_report report = ALD_GEODESIC_BUFFER_REPORT_INIT;
  const ald_geometry point = geometry("POINT (10 0)", degrees);
  const double degree_nmi = 6378137 * 3.14159265358979323846 / 180 / 1852;
  options.unit = ALD_UNIT_NAUTICAL_MILE;
  options.maximum_deviation = 0.001;
  CHECK_OK(ald_geometry_create_geodesic_buffer(point, degree_nmi, &options, &buffer, &report, &error), &error);
  CHECK_OK(ald_geometry_get_info(buffer, &info, &error), &error);
  CHECK(info.kind == ALD_GEOMETRY_KIND_POLYGON && info.part_count == 1);
  CHECK(fabs(info.envelope.x_max - 11) < 1e-5 && fabs(info.envelope.x_min - 9) < 1e-5);
  CHECK(fabs(report.maximum_deviation_m - 1.852) < 1e-12);
  CHECK(report.achieved_deviation_m > 0 && report.achieved_deviation_m <= report.maximum_deviation_m);
  ald_geometry_release(buffer);
  ald_geometry_release(point);
}

/* Many and united, with one distance for all and without a report. */
static void test_arrays(void) {
  ald_error error;
  ald_geometry_array buffers;
  ald_geometry united, only;
  uint32_t equal = 0;
  const double distance = 1000, two[2] = {1, 2};
  const ald_geometry_array points = array(20, 30, degrees);
  CHECK_OK(ald_geometry_array_create_geodesic_buffers(points, &distance, 1, NULL, &buffers, NULL, &error), &error);
  CHECK_OK(ald_geometry_array_create_geodesic_buffer_union(points, &distance, 1, NULL, &united, NULL, &error), &error);
  CHECK_OK(ald_geometry_array_create_geometry(buffers, 0, &only, &error), &error);
  CHECK_OK(ald_geometry_equals(united, only, &equal, &error), &error);
  CHECK(equal == 1);
  ald_geometry_array_release(buffers);
  CHECK_STATUS(ald_geometry_array_create_geodesic_buffers(points, two, 2, NULL, &buffers, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 3 && buffers.id == 0);
  CHECK_STATUS(ald_geometry_array_create_geodesic_buffer_union(points, NULL, 1, NULL, &united, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2 && united.id == 0);
  ald_geometry_release(only);
  ald_geometry_array_release(points);
}

/* The same of one geometry, of many and of their union. */
static void check_refused(double x, double y, ald_spatial_reference reference, double distance,
                          const ald_geodesic_buffer_options *options, ald_status status) {
  ald_error error;
  ald_geometry point = {0}, buffer = {7};
  ald_geometry_array buffers = {7};
  ald_geodesic_buffer_report report = ALD_GEODESIC_BUFFER_REPORT_INIT;
  const ald_geometry_array points = array(x, y, reference);
  CHECK_OK(ald_geometry_array_create_geometry(points, 0, &point, &error), &error);
  CHECK_STATUS(ald_geometry_create_geodesic_buffer(point, distance, options, &buffer, &report, &error), status);
  CHECK(buffer.id == 0 && error.message[0]);
  buffer.id = 7;
  CHECK_STATUS(ald_geometry_array_create_geodesic_buffers(points, &distance, 1, options, &buffers, &report, &error),
               status);
  CHECK(buffers.id == 0 && error.message[0]);
  CHECK_STATUS(ald_geometry_array_create_geodesic_buffer_union(points, &distance, 1, options, &buffer, &report, &error),
               status);
  CHECK(buffer.id == 0 && error.message[0]);
  CHECK(report.maximum_deviation_m == 0 && report.achieved_deviation_m == 0);
  ald_geometry_release(point);
  ald_geometry_array_release(points);
}

static void test_refusals(void) {
  ald_error error;
  ald_spatial_reference saturn, plane;
  ald_geodesic_buffer_options options = ALD_GEODESIC_BUFFER_OPTIONS_INIT;
  const ald_spatial_reference none = {0};
  check_refused(0, 0, degrees, 0, NULL, ALD_STATUS_INVALID_ARGUMENT);
  check_refused(0, 0, degrees, 2e7, NULL, ALD_STATUS_INVALID_ARGUMENT);
  check_refused(0, 0, degrees, NAN, NULL, ALD_STATUS_INVALID_ARGUMENT);
  check_refused(0, 91, degrees, 1, NULL, ALD_STATUS_INVALID_ARGUMENT);
  check_refused(0, 0, none, 1, NULL, ALD_STATUS_INVALID_ARGUMENT);
  options.unit = ALD_UNIT_DEGREE;
  check_refused(0, 0, degrees, 1, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.unit = 0;
  options.curve_type = 5;
  check_refused(0, 0, degrees, 1, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.curve_type = ALD_CURVE_TYPE_LOXODROME;
  options.flags = 2;
  check_refused(0, 0, degrees, 1, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.flags = ALD_GEODESIC_BUFFER_UNWRAPPED;
  options.maximum_deviation = -1;
  check_refused(0, 0, degrees, 1, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.maximum_deviation = 1e-8;
  check_refused(0, 0, degrees, 1, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.struct_size = 3;
  check_refused(0, 0, degrees, 1, &options, ALD_STATUS_INVALID_ARGUMENT);
  check_refused(0, 19000000, mercator, 3e6, NULL, ALD_STATUS_PROJECTION_FAILED);
  CHECK_OK(ald_spatial_reference_create_from_wkt(
               stage.runtime,
               "GEOGCS[\"Saturn\",DATUM[\"Saturn\",SPHEROID[\"Saturn\",60268000,10.2]],PRIMEM[\"Reference\",0],"
               "UNIT[\"degree\",0.0174532925199433]]",
               &saturn, &error),
           &error);
  check_refused(0, 0, saturn, 1, NULL, ALD_STATUS_UNSUPPORTED);
  CHECK_OK(
      ald_spatial_reference_create_from_wkt(stage.runtime, "LOCAL_CS[\"plane\",UNIT[\"metre\",1]]", &plane, &error),
      &error);
  check_refused(0, 0, plane, 1, NULL, ALD_STATUS_UNSUPPORTED);
  ald_spatial_reference_release(saturn);
  ald_spatial_reference_release(plane);
}

/* A strip along the equator with flat ends is as long as its line, with square ones longer by both distances. */
static void test_ends_and_corners(void) {
  ald_error error;
  ald_geometry buffer;
  ald_geometry_info info = ALD_GEOMETRY_INFO_INIT;
  ald_geodesic_buffer_options options = ALD_GEODESIC_BUFFER_OPTIONS_INIT;
  const double degree_m = 6378137 * 3.14159265358979323846 / 180;
  const ald_geometry line = geometry("LINESTRING (10 0, 12 0)", degrees);
  options.maximum_deviation = 0.01;
  options.cap = ALD_BUFFER_CAP_FLAT;
  CHECK_OK(ald_geometry_create_geodesic_buffer(line, degree_m, &options, &buffer, NULL, &error), &error);
  CHECK_OK(ald_geometry_get_info(buffer, &info, &error), &error);
  CHECK(fabs(info.envelope.x_min - 10) < 1e-6 && fabs(info.envelope.x_max - 12) < 1e-6);
  CHECK(info.envelope.y_max > 1.006 && info.envelope.y_max < 1.007);
  ald_geometry_release(buffer);
  options.cap = ALD_BUFFER_CAP_SQUARE;
  CHECK_OK(ald_geometry_create_geodesic_buffer(line, degree_m, &options, &buffer, NULL, &error), &error);
  CHECK_OK(ald_geometry_get_info(buffer, &info, &error), &error);
  CHECK(fabs(info.envelope.x_min - 9) < 1e-3 && fabs(info.envelope.x_max - 13) < 1e-3);
  ald_geometry_release(buffer);
  ald_geometry_release(line);
  check_refused(0, 0, degrees, 5e6, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.curve_type = ALD_CURVE_TYPE_LOXODROME;
  check_refused(0, 0, degrees, 1, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.curve_type = 0;
  options.cap = 3;
  check_refused(0, 0, degrees, 1, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.cap = 0;
  options.join = -1;
  check_refused(0, 0, degrees, 1, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.join = ALD_BUFFER_JOIN_MITRE;
  options.mitre_limit = 0.5;
  check_refused(0, 0, degrees, 1, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.mitre_limit = NAN;
  check_refused(0, 0, degrees, 1, &options, ALD_STATUS_INVALID_ARGUMENT);
}

/* The mitre of a corner of some degrees would reach around the earth. */
static void test_long_mitre(void) {
  ald_error error;
  ald_geometry buffer = {7};
  ald_geodesic_buffer_options options = ALD_GEODESIC_BUFFER_OPTIONS_INIT;
  const ald_geometry line = geometry("LINESTRING (0 0, 20 0, 0 0.1)", degrees);
  options.join = ALD_BUFFER_JOIN_MITRE;
  options.mitre_limit = 1e6;
  CHECK_STATUS(ald_geometry_create_geodesic_buffer(line, 1e5, &options, &buffer, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(buffer.id == 0 && strstr(error.message, "mitre"));
  ald_geometry_release(line);
}

static void test_handles(void) {
  ald_error error;
  ald_geometry buffer;
  ald_geometry_array buffers;
  const double distance = 1;
  const ald_geometry no_geometry = {0};
  const ald_geometry_array no_array = {0};
  const ald_geometry point = geometry("POINT (1 2)", degrees);
  CHECK_STATUS(ald_geometry_create_geodesic_buffer(no_geometry, 1, NULL, &buffer, NULL, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_geometry_array_create_geodesic_buffers(no_array, &distance, 1, NULL, &buffers, NULL, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_geometry_array_create_geodesic_buffer_union(no_array, &distance, 1, NULL, &buffer, NULL, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_geometry_create_geodesic_buffer(point, 1, NULL, NULL, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_geometry_release(point);
}

/* A policy bounds the vertices of a buffer. */
static void test_limits(void) {
  ald_error error;
  ald_runtime small;
  ald_runtime_options runtime_options = ALD_RUNTIME_OPTIONS_INIT;
  ald_policy policy = ALD_POLICY_INIT;
  const ald_runtime before = stage.runtime;
  ald_spatial_reference reference;
  ald_geodesic_buffer_options options = ALD_GEODESIC_BUFFER_OPTIONS_INIT;
  options.maximum_deviation = 0.01;
  policy.max_request_points = 100;
  runtime_options.policy = &policy;
  CHECK_OK(ald_runtime_create(&runtime_options, &small, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(small, NULL, 4326, &reference, &error), &error);
  stage.runtime = small;
  check_refused(0, 0, reference, 1000, &options, ALD_STATUS_LIMIT_EXCEEDED);
  stage.runtime = before;
  ald_runtime_release(small);
}

/* At 60 degrees north Web Mercator draws everything twice as large: a planar buffer is half as wide as it says. */
static void test_planar_buffer_error(void) {
  ald_error error;
  ald_spatial_reference plane;
  ald_planar_buffer_error measured = ALD_PLANAR_BUFFER_ERROR_INIT;
  const ald_point at_60 = {0, 8399737.89}, nowhere = {NAN, 0}, pole = {0, 89.99}, beyond = {0, 91}, origin = {0, 0};
  CHECK_OK(ald_spatial_reference_measure_buffer_error(mercator, at_60, 1, ALD_UNIT_KILOMETRE, &measured, &error),
           &error);
  CHECK(fabs(measured.mean_m + 499) < 2 && measured.min_m <= measured.mean_m && measured.mean_m <= measured.max_m);
  CHECK(fabs(measured.planar_area_m2 / measured.geodesic_area_m2 - 0.25) < 0.002);
  CHECK(fabs(measured.geodesic_area_m2 / 3141592.65 - 1) < 1e-6);
  CHECK(measured.worst_azimuth_deg >= 0 && measured.worst_azimuth_deg < 360);
  measured = (ald_planar_buffer_error)ALD_PLANAR_BUFFER_ERROR_INIT;
  CHECK_STATUS(ald_spatial_reference_measure_buffer_error((ald_spatial_reference){0}, origin, 1, 0, &measured, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_spatial_reference_measure_buffer_error(degrees, nowhere, 1, 0, &measured, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_spatial_reference_measure_buffer_error(degrees, beyond, 1, 0, &measured, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_spatial_reference_measure_buffer_error(degrees, origin, 0, 0, &measured, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_spatial_reference_measure_buffer_error(degrees, origin, NAN, 0, &measured, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 3);
  CHECK_STATUS(ald_spatial_reference_measure_buffer_error(degrees, origin, 1, ALD_UNIT_DEGREE, &measured, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 4);
  CHECK_STATUS(ald_spatial_reference_measure_buffer_error(degrees, origin, 1, 0, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_spatial_reference_measure_buffer_error(degrees, pole, 5000, 0, &measured, &error),
               ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(
      ald_spatial_reference_measure_buffer_error(mercator, origin, 19000, ALD_UNIT_STATUTE_MILE, &measured, &error),
      ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(
      ald_spatial_reference_create_from_wkt(stage.runtime, "LOCAL_CS[\"plane\",UNIT[\"metre\",1]]", &plane, &error),
      &error);
  CHECK_STATUS(ald_spatial_reference_measure_buffer_error(plane, origin, 1, 0, &measured, &error),
               ALD_STATUS_UNSUPPORTED);
  CHECK(measured.max_m == 0 && measured.geodesic_area_m2 == 0);
  ald_spatial_reference_release(plane);
}

int main(int argc, char **argv) {
  ald_error error;
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    mercator = stage.spatial_reference;
    CHECK_OK(ald_spatial_reference_create_from_code(stage.runtime, NULL, 4326, &degrees, &error), &error);
    test_units();
    test_arrays();
    test_refusals();
    test_ends_and_corners();
    test_long_mitre();
    test_handles();
    test_limits();
    test_planar_buffer_error();
    ald_spatial_reference_release(degrees);
    release_scene(&stage);
    ald_runtime_release(stage.runtime);
  }
  return finish();
}

/* Projecting as a C host does it: columns of any layout, in place, chosen transformations, statuses, marks, receipts.
 */
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 3 };

static ald_runtime runtime;
static ald_spatial_reference british, mercator, world, german;
/* Two in Britain, and one in the Sahara, where no operation is meant for the British grid. */
static const double eastings[COUNT] = {400000, 5000000, 250000}, northings[COUNT] = {300000, 3000000, 90000};
static const double heights[COUNT] = {10, 20, 30};

static ald_spatial_reference reference(const char *definition) {
  ald_error error;
  ald_spatial_reference made = {0};
  CHECK_OK(ald_spatial_reference_create(runtime, definition, &made, &error), &error);
  return made;
}

static ald_transformation transformation(const char *code) {
  ald_error error;
  ald_transformation made = {0};
  CHECK_OK(ald_transformation_create_from_code(runtime, NULL, code, &made, &error), &error);
  return made;
}

static ald_coordinates columns(const double *x, const double *y, const double *z, size_t stride) {
  ald_coordinates made = ALD_COORDINATES_INIT;
  made.count = COUNT;
  made.x = x;
  made.y = y;
  made.z = z;
  made.stride_bytes = stride;
  return made;
}

static ald_projected_coordinates images(double *x, double *y, double *z, size_t stride) {
  ald_projected_coordinates made = ALD_PROJECTED_COORDINATES_INIT;
  made.x = x;
  made.y = y;
  made.z = z;
  made.stride_bytes = stride;
  return made;
}

static ald_status project(const ald_coordinates *in, const ald_projected_coordinates *out) {
  return ald_spatial_reference_project_coordinates(british, mercator, NULL, in, out, NULL, NULL, NULL, NULL);
}

/* What columns of their own give; the other layouts must give the same. */
static double expected[3][COUNT];

static void test_columns(void) {
  ald_error error;
  const ald_coordinates in = columns(eastings, northings, heights, 0);
  const ald_projected_coordinates out = images(expected[0], expected[1], expected[2], 0);
  ald_point_status statuses[COUNT];
  CHECK_OK(ald_spatial_reference_project_coordinates(british, mercator, NULL, &in, &out, statuses, NULL, NULL, &error),
           &error);
  CHECK(statuses[0] == ALD_POINT_STATUS_OK && statuses[1] == ALD_POINT_STATUS_OK && statuses[2] == ALD_POINT_STATUS_OK);
  /* The same as the simple function. */
  double xy[2 * COUNT];
  for (int i = 0; i < COUNT; i++) {
    xy[2 * i] = eastings[i];
    xy[2 * i + 1] = northings[i];
  }
  CHECK_OK(ald_spatial_reference_project_points(british, mercator, xy, 0, COUNT, xy, 0, NULL, &error), &error);
  for (int i = 0; i < COUNT; i++)
    CHECK(xy[2 * i] == expected[0][i] && xy[2 * i + 1] == expected[1][i] && expected[2][i] == heights[i]);
}

/* Vertices with other fields between, at odd addresses, and in place. */
static void test_interleaved(void) {
  static const size_t strides[] = {24, 25, 40, 64};
  for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++) {
    const size_t stride = strides[s];
    uint8_t memory[COUNT * 64 + 1], other[COUNT * 64 + 1], whole[COUNT * 64 + 1];
    uint8_t *vertices = memory + 1, *elsewhere = other + 1, *wanted = whole + 1;
    memset(memory, 0xA5, sizeof memory);
    memset(other, 0xA5, sizeof other);
    memset(whole, 0xA5, sizeof whole);
    for (size_t i = 0; i < COUNT; i++) {
      memcpy(vertices + i * stride, &eastings[i], 8);
      memcpy(vertices + i * stride + 8, &northings[i], 8);
      memcpy(vertices + i * stride + 16, &heights[i], 8);
      for (size_t axis = 0; axis < 3; axis++)
        memcpy(wanted + i * stride + 8 * axis, &expected[axis][i], 8);
    }
    const ald_coordinates in = columns((double *)vertices, (double *)(vertices + 8), (double *)(vertices + 16), stride);
    const ald_projected_coordinates apart =
        images((double *)elsewhere, (double *)(elsewhere + 8), (double *)(elsewhere + 16), stride);
    const ald_projected_coordinates in_place =
        images((double *)vertices, (double *)(vertices + 8), (double *)(vertices + 16), stride);
    CHECK_STATUS(project(&in, &apart), ALD_STATUS_OK);
    CHECK(memcmp(other, whole, sizeof whole) == 0);
    CHECK_STATUS(project(&in, &in_place), ALD_STATUS_OK);
    CHECK(memcmp(memory, whole, sizeof whole) == 0);
  }
}

enum { MANY = 10000 };

static double places[2][MANY], found[4][2 * MANY], wanted[2][MANY];
static ald_point_status statuses[2][MANY];
static uint32_t operations[2][MANY];

static ald_status project_places(const double *x, const double *y, const double *z, double *to_x, double *to_y,
                                 double *to_z, size_t stride, int outputs, ald_projection_receipt *receipt) {
  ald_coordinates in = columns(x, y, z, stride);
  const ald_projected_coordinates out = images(to_x, to_y, to_z, stride);
  in.count = MANY;
  return ald_spatial_reference_project_coordinates(world, mercator, NULL, &in, &out, statuses[outputs],
                                                   operations[outputs], receipt, NULL);
}

static void check_places(const double *x, const double *y, size_t step) {
  int good = 1;
  for (size_t i = 0; i < MANY; i++)
    good &= memcmp(x + i * step, &wanted[0][i], 8) == 0 && memcmp(y + i * step, &wanted[1][i], 8) == 0;
  CHECK(good);
  CHECK(memcmp(statuses[0], statuses[1], sizeof statuses[0]) == 0);
  CHECK(memcmp(operations[0], operations[1], sizeof operations[0]) == 0);
}

/* Positions alone, which are projected where they lie, come out like positions with heights, which are not: apart, in
 * place, in exchanged columns and interleaved. Some of them cannot be projected. */
static void test_positions(void) {
  static const double none[] = {NAN, INFINITY, 1e15, 90.5, -91, 700};
  ald_projection_receipt receipts[2];
  ald_projection_receipt_info infos[2] = {ALD_PROJECTION_RECEIPT_INFO_INIT, ALD_PROJECTION_RECEIPT_INFO_INIT};
  for (size_t i = 0; i < MANY; i++) {
    places[0][i] = -180 + 360.0 * (double)(i * 7919 % MANY) / MANY;
    places[1][i] = -90 + 180.0 * (double)(i * 104729 % MANY) / MANY;
    if (i % 97 == 0)
      places[i / 97 % 2][i] = none[i / 97 % 6];
  }
  double *const z = found[2];
  CHECK_STATUS(project_places(places[0], places[1], z, wanted[0], wanted[1], found[3], 0, 0, &receipts[0]),
               ALD_STATUS_OK);
  CHECK_STATUS(project_places(places[0], places[1], NULL, found[0], found[1], NULL, 0, 1, &receipts[1]), ALD_STATUS_OK);
  check_places(found[0], found[1], 1);
  for (int i = 0; i < 2; i++) {
    CHECK_STATUS(ald_projection_receipt_get_info(receipts[i], &infos[i], NULL), ALD_STATUS_OK);
    ald_projection_receipt_release(receipts[i]);
  }
  CHECK(infos[1].failed_count > 80 && infos[1].point_count == MANY);
  CHECK(memcmp(&infos[0], &infos[1], sizeof infos[0]) == 0);
  memcpy(found[0], places[0], sizeof places[0]);
  memcpy(found[1], places[1], sizeof places[1]);
  CHECK_STATUS(project_places(found[0], found[1], NULL, found[0], found[1], NULL, 0, 1, NULL), ALD_STATUS_OK);
  check_places(found[0], found[1], 1);
  memcpy(found[0], places[0], sizeof places[0]);
  memcpy(found[1], places[1], sizeof places[1]);
  CHECK_STATUS(project_places(found[0], found[1], NULL, found[1], found[0], NULL, 0, 1, NULL), ALD_STATUS_OK);
  check_places(found[1], found[0], 1);
  for (size_t i = 0; i < MANY; i++)
    memcpy(&found[0][2 * i], (double[]){places[0][i], places[1][i]}, 16);
  CHECK_STATUS(project_places(found[0], found[0] + 1, NULL, found[0], found[0] + 1, NULL, 16, 1, NULL), ALD_STATUS_OK);
  check_places(found[0], found[0] + 1, 2);
}

static void test_refused_arrays(void) {
  double x[8], y[8], z[8];
  memcpy(x, eastings, sizeof eastings);
  memcpy(y, northings, sizeof northings);
  memcpy(z, heights, sizeof heights);
  const ald_coordinates in = columns(x, y, NULL, 0);
  const ald_projected_coordinates good = images(x, y, NULL, 0);
  /* One number on, half a number on, another stride, and one column for both. */
  const ald_projected_coordinates wrong[] = {images(x + 1, z, NULL, 0), images((double *)((char *)x + 4), z, NULL, 0),
                                             images(x, z, NULL, 16),    images(z, z, NULL, 0),
                                             images(z, z + 1, NULL, 0), images(z, NULL, NULL, 0),
                                             images(x, y, NULL, 7)};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    CHECK_STATUS(project(&in, &wrong[i]), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(memcmp(x, eastings, sizeof eastings) == 0 && memcmp(y, northings, sizeof northings) == 0);

  ald_coordinates bad = in;
  bad.x = NULL;
  CHECK_STATUS(project(&bad, &good), ALD_STATUS_INVALID_ARGUMENT);
  bad = in;
  bad.count = SIZE_MAX;
  CHECK_STATUS(project(&bad, &good), ALD_STATUS_INVALID_ARGUMENT);
  bad.count = (size_t)1 << 50;
  CHECK_STATUS(project(&bad, &good), ALD_STATUS_LIMIT_EXCEEDED);
  bad = in;
  bad.stride_bytes = SIZE_MAX;
  CHECK_STATUS(project(&bad, &good), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(project(NULL, &good), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(project(&in, NULL), ALD_STATUS_INVALID_ARGUMENT);
  /* Nothing is asked for. */
  const ald_coordinates nothing = ALD_COORDINATES_INIT;
  const ald_projected_coordinates nowhere = ALD_PROJECTED_COORDINATES_INIT;
  CHECK_STATUS(project(&nothing, &nowhere), ALD_STATUS_OK);
}

static void test_handles(void) {
  ald_error error;
  double x[COUNT], y[COUNT];
  const ald_coordinates in = columns(eastings, northings, NULL, 0);
  const ald_projected_coordinates out = images(x, y, NULL, 0);
  const ald_spatial_reference none = {0};
  ald_projection_receipt receipt = {1};
  CHECK_STATUS(ald_spatial_reference_project_coordinates(none, mercator, NULL, &in, &out, NULL, NULL, &receipt, NULL),
               ALD_STATUS_INVALID_HANDLE);
  CHECK(receipt.id == 0);
  CHECK_STATUS(ald_spatial_reference_project_coordinates(british, none, NULL, &in, &out, NULL, NULL, NULL, NULL),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_spatial_reference_project_coordinates(none, none, NULL, &in, &out, NULL, NULL, NULL, NULL),
               ALD_STATUS_INVALID_HANDLE);
  ald_projection_options options = ALD_PROJECTION_OPTIONS_INIT;
  options.flags = ALD_PROJECT_INVERSE;
  CHECK_STATUS(
      ald_spatial_reference_project_coordinates(british, mercator, &options, &in, &out, NULL, NULL, NULL, NULL),
      ALD_STATUS_INVALID_ARGUMENT);
  options.flags = 16;
  CHECK_STATUS(
      ald_spatial_reference_project_coordinates(british, mercator, &options, &in, &out, NULL, NULL, NULL, NULL),
      ALD_STATUS_INVALID_ARGUMENT);
  ald_runtime elsewhere;
  ald_spatial_reference foreign;
  CHECK_OK(ald_runtime_create(NULL, &elsewhere, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(elsewhere, NULL, 3857, &foreign, &error), &error);
  CHECK_STATUS(ald_spatial_reference_project_coordinates(british, foreign, NULL, &in, &out, NULL, NULL, NULL, NULL),
               ALD_STATUS_INVALID_ARGUMENT);
  ald_runtime_release(elsewhere);
}

/* Two operations in one array: each point has its mark, and the receipt has both. */
static void test_receipt(void) {
  ald_error error;
  double x[COUNT], y[COUNT];
  uint32_t marks[COUNT];
  ald_projection_receipt receipt;
  ald_projection_receipt_info info = ALD_PROJECTION_RECEIPT_INFO_INIT;
  const ald_coordinates in = columns(eastings, northings, NULL, 0);
  const ald_projected_coordinates out = images(x, y, NULL, 0);
  CHECK_OK(ald_spatial_reference_project_coordinates(british, mercator, NULL, &in, &out, NULL, marks, &receipt, &error),
           &error);
  CHECK_OK(ald_projection_receipt_get_info(receipt, &info, &error), &error);
  CHECK(info.operation_count == 2 && info.point_count == COUNT && info.failed_count == 0);
  CHECK(info.flags == (ALD_PROJECTION_RECEIPT_BALLPARK | ALD_PROJECTION_RECEIPT_SEVERAL) && isnan(info.accuracy_m));
  CHECK(marks[0] == marks[2] && marks[1] != marks[0] && marks[0] < 2 && marks[1] < 2);
  for (uint32_t i = 0; i < 2; i++) {
    ald_projection_receipt_row row = ALD_PROJECTION_RECEIPT_ROW_INIT;
    ald_transformation_info facts = ALD_TRANSFORMATION_INFO_INIT;
    ald_projection_info described = ALD_PROJECTION_INFO_INIT;
    const int point = marks[0] == i ? 0 : 1;
    CHECK_OK(ald_projection_receipt_get_row_at(receipt, i, &row, &error), &error);
    CHECK(row.point_count == (point == 0 ? 2 : 1) && row.is_ballpark == (uint32_t)(point == 1));
    CHECK_OK(ald_transformation_get_info(row.transformation, &facts, &error), &error);
    CHECK(is_text(facts.name, row.name) && facts.step_count >= 2 && (facts.flags & ALD_TRANSFORMATION_USABLE));
    CHECK_OK(ald_spatial_reference_get_projection_info(
                 british, mercator, (ald_point){eastings[point], northings[point]}, &described, &error),
             &error);
    CHECK(is_text(described.name, row.name) && described.is_ballpark == row.is_ballpark);
  }
  ald_projection_receipt_row beyond = ALD_PROJECTION_RECEIPT_ROW_INIT;
  CHECK_STATUS(ald_projection_receipt_get_row_at(receipt, 2, &beyond, NULL), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_projection_receipt_get_row_at(receipt, 0, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  ald_projection_receipt_release(receipt);
  CHECK_STATUS(ald_projection_receipt_get_info(receipt, &info, NULL), ALD_STATUS_INVALID_HANDLE);
}

/* Each status of a point. */
static void test_point_statuses(void) {
  ald_error error;
  double x[6] = {0, NAN, 0, 0, INFINITY, 0}, y[6] = {0, 0, 91, 90, 0, -91}, z[6] = {1, 2, 3, 4, 5, 6};
  ald_point_status statuses[6];
  uint32_t marks[6];
  ald_coordinates in = columns(x, y, z, 0);
  ald_projected_coordinates out = images(x, y, z, 0);
  in.count = 6;
  CHECK_OK(ald_spatial_reference_project_coordinates(world, mercator, NULL, &in, &out, statuses, marks, NULL, &error),
           &error);
  static const ald_point_status wanted[6] = {
      ALD_POINT_STATUS_OK,     ALD_POINT_STATUS_NOT_FINITE, ALD_POINT_STATUS_INVALID_COORDINATE,
      ALD_POINT_STATUS_FAILED, ALD_POINT_STATUS_NOT_FINITE, ALD_POINT_STATUS_INVALID_COORDINATE};
  CHECK(memcmp(statuses, wanted, sizeof wanted) == 0);
  CHECK(x[0] == 0 && z[0] == 1 && marks[0] == 0);
  for (int i = 1; i < 6; i++)
    CHECK(isnan(x[i]) && isnan(y[i]) && isnan(z[i]) && marks[i] == ALD_NO_OPERATION);

  double u[COUNT], v[COUNT];
  ald_projection_options options = ALD_PROJECTION_OPTIONS_INIT;
  in = columns(eastings, northings, NULL, 0);
  out = images(u, v, NULL, 0);
  options.flags = ALD_PROJECT_STRICT;
  CHECK_OK(
      ald_spatial_reference_project_coordinates(british, mercator, &options, &in, &out, statuses, NULL, NULL, &error),
      &error);
  CHECK(statuses[0] == ALD_POINT_STATUS_OK && statuses[1] == ALD_POINT_STATUS_ONLY_BALLPARK && isnan(u[1]));
  /* The grid of OSTN15 is not among Debian's. */
  options.flags = ALD_PROJECT_ONLY_BEST;
  CHECK_OK(
      ald_spatial_reference_project_coordinates(british, mercator, &options, &in, &out, statuses, NULL, NULL, &error),
      &error);
  CHECK(statuses[0] == ALD_POINT_STATUS_MISSING_GRID && statuses[1] == ALD_POINT_STATUS_OK && isnan(u[0]) &&
        !isnan(u[1]));

  /* BETA2007 is for Germany: Berlin lies inside, Paris outside. */
  const double lon[COUNT] = {13.4, 2.35, 13.4}, lat[COUNT] = {52.5, 48.85, 52.5};
  options.flags = 0;
  options.transformation = transformation("15948");
  in = columns(lon, lat, NULL, 0);
  const ald_spatial_reference etrs = reference("EPSG:4258");
  CHECK_OK(ald_spatial_reference_project_coordinates(german, etrs, &options, &in, &out, statuses, NULL, NULL, &error),
           &error);
  CHECK(statuses[0] == ALD_POINT_STATUS_OK && statuses[1] == ALD_POINT_STATUS_OUTSIDE_GRID && fabs(u[0] - 13.4) < 0.01);
  ald_spatial_reference_release(etrs);
  ald_transformation_release(options.transformation);
}

/* A chosen transformation: that one, or none. */
static void test_chosen(void) {
  ald_error error;
  double x[COUNT], y[COUNT];
  ald_projection_options options = ALD_PROJECTION_OPTIONS_INIT;
  ald_projection_receipt receipt;
  ald_projection_receipt_info info = ALD_PROJECTION_RECEIPT_INFO_INIT;
  const ald_coordinates in = columns(eastings, northings, NULL, 0);
  const ald_projected_coordinates out = images(x, y, NULL, 0);

  options.transformation = transformation("1314");
  CHECK_OK(
      ald_spatial_reference_project_coordinates(british, mercator, &options, &in, &out, NULL, NULL, &receipt, &error),
      &error);
  CHECK_OK(ald_projection_receipt_get_info(receipt, &info, &error), &error);
  CHECK(info.flags == ALD_PROJECTION_RECEIPT_CHOSEN && info.operation_count == 1 && info.accuracy_m == 2);
  ald_projection_receipt_row row = ALD_PROJECTION_RECEIPT_ROW_INIT;
  CHECK_OK(ald_projection_receipt_get_row_at(receipt, 0, &row, &error), &error);
  CHECK(row.transformation.id == options.transformation.id && row.point_count == COUNT);
  ald_projection_receipt_release(receipt);
  /* Elsewhere. */
  CHECK_STATUS(
      ald_spatial_reference_project_coordinates(german, mercator, &options, &in, &out, NULL, NULL, NULL, &error),
      ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 3 && holds_text(error.message, "OSGB"));
  /* The way back, and the other way round without saying so. */
  CHECK_STATUS(
      ald_spatial_reference_project_coordinates(mercator, british, &options, &in, &out, NULL, NULL, NULL, NULL),
      ALD_STATUS_INVALID_ARGUMENT);
  options.flags = ALD_PROJECT_INVERSE;
  const ald_coordinates back = columns(x, y, NULL, 0);
  CHECK_OK(
      ald_spatial_reference_project_coordinates(mercator, british, &options, &back, &out, NULL, NULL, NULL, &error),
      &error);
  CHECK(fabs(x[0] - eastings[0]) < 1e-3 && fabs(y[0] - northings[0]) < 1e-3);
  ald_transformation_release(options.transformation);

  /* Without its grid, and with no method that could be taken backwards. */
  options.flags = 0;
  options.transformation = transformation("7710");
  CHECK_STATUS(
      ald_spatial_reference_project_coordinates(british, mercator, &options, &in, &out, NULL, NULL, NULL, &error),
      ALD_STATUS_MISSING_GRID);
  CHECK(error.argument == 3 && holds_text(error.message, "OSTN15"));
  ald_transformation_release(options.transformation);
  const ald_spatial_reference none = {0};
  CHECK_OK(ald_transformation_create(runtime, "+proj=airy +R=6371000", &options.transformation, &error), &error);
  options.flags = ALD_PROJECT_INVERSE;
  CHECK_STATUS(ald_spatial_reference_project_coordinates(none, none, &options, &in, &out, NULL, NULL, NULL, &error),
               ALD_STATUS_UNSUPPORTED);
  ald_transformation_release(options.transformation);
}

/* The grid comes and goes with its folder; then with the file itself, behind the library's back. */
static void test_grid_that_goes(void) {
  ald_error error;
  double x[COUNT], y[COUNT];
  char folder[] = "/tmp/alidade-grids-XXXXXX", path[64];
  const ald_coordinates in = columns(eastings, northings, NULL, 0);
  const ald_projected_coordinates out = images(x, y, NULL, 0);
  ald_projection_options options = ALD_PROJECTION_OPTIONS_INIT;
  ald_point_status statuses[COUNT];
  if (!CHECK(mkdtemp(folder) != NULL))
    return;
  snprintf(path, sizeof path, "%s/uk_os_OSTN15_NTv2_OSGBtoETRS.tif", folder);
  CHECK(symlink("/usr/share/proj/BETA2007.gsb", path) == 0);
  CHECK_OK(ald_runtime_add_grid_directory(runtime, folder, &error), &error);
  options.transformation = transformation("7709");
  const ald_spatial_reference etrs = reference("EPSG:4258");
  CHECK_OK(ald_spatial_reference_project_coordinates(british, etrs, &options, &in, &out, statuses, NULL, NULL, &error),
           &error);
  CHECK(statuses[0] == ALD_POINT_STATUS_OUTSIDE_GRID);
  CHECK_OK(ald_runtime_set_grid_directories(runtime, NULL, &error), &error);
  CHECK_STATUS(
      ald_spatial_reference_project_coordinates(british, etrs, &options, &in, &out, statuses, NULL, NULL, &error),
      ALD_STATUS_MISSING_GRID);
  CHECK_OK(ald_runtime_add_grid_directory(runtime, folder, &error), &error);
  ald_transformation_info info = ALD_TRANSFORMATION_INFO_INIT;
  CHECK_OK(ald_transformation_get_info(options.transformation, &info, &error), &error);
  CHECK(info.flags & ALD_TRANSFORMATION_USABLE);
  unlink(path);
  CHECK_STATUS(
      ald_spatial_reference_project_coordinates(british, etrs, &options, &in, &out, statuses, NULL, NULL, &error),
      ALD_STATUS_MISSING_GRID);
  CHECK(holds_text(error.message, "OSTN15"));
  CHECK_OK(ald_runtime_set_grid_directories(runtime, NULL, &error), &error);
  rmdir(folder);
  ald_spatial_reference_release(etrs);
  ald_transformation_release(options.transformation);
}

/* Nothing leads from a local plane, or from Mars, to the Earth. */
static void test_no_operation(void) {
  double x[COUNT], y[COUNT];
  const ald_coordinates in = columns(eastings, northings, NULL, 0);
  const ald_projected_coordinates out = images(x, y, NULL, 0);
  const ald_spatial_reference plane = reference("LOCAL_CS[\"plane\",UNIT[\"metre\",1]]");
  const ald_spatial_reference mars = reference("IAU_2015:49900");
  CHECK_STATUS(ald_spatial_reference_project_coordinates(plane, mercator, NULL, &in, &out, NULL, NULL, NULL, NULL),
               ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_spatial_reference_project_coordinates(mars, world, NULL, &in, &out, NULL, NULL, NULL, NULL),
               ALD_STATUS_PROJECTION_FAILED);
  ald_spatial_reference_release(mars);
  ald_spatial_reference_release(plane);
}

int main(void) {
  ald_error error;
  if (CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error)) {
    british = reference("EPSG:27700");
    mercator = reference("EPSG:3857");
    world = reference("EPSG:4326");
    german = reference("EPSG:4314");
    test_columns();
    test_interleaved();
    test_positions();
    test_refused_arrays();
    test_handles();
    test_receipt();
    test_point_statuses();
    test_chosen();
    test_grid_that_goes();
    test_no_operation();
    ald_spatial_reference_release(british);
    ald_spatial_reference_release(mercator);
    ald_spatial_reference_release(world);
    ald_spatial_reference_release(german);
    CHECK(live_handles(runtime) == 1);
    ald_runtime_release(runtime);
  }
  return finish();
}

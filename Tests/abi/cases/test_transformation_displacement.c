/* Comparing transformations as a C host does: the field's size, what is refused, and what a failure leaves alone. */
#include "check.h"
#include "scene.h"

#include <math.h>

static scene stage;
static ald_spatial_reference german, european, british;

static const ald_point bavaria[2] = {{10, 48}, {12, 49}};
static const ald_transformation none;

/* DHDN to ETRS89 (2), seven parameters, and (8), whose grid BETA2007.gsb belongs to PROJ's own data. */
static ald_transformation coded(const char *code) {
  ald_error error;
  ald_transformation made = {0};
  CHECK_OK(ald_transformation_create_from_code(stage.runtime, NULL, code, &made, &error), &error);
  return made;
}

static ald_displacement_options over(const ald_point *area) {
  ald_displacement_options options = ALD_DISPLACEMENT_OPTIONS_INIT;
  options.area = area;
  options.area_count = 2;
  options.columns = 3;
  options.rows = 2;
  return options;
}

static void test_field(ald_transformation helmert, ald_transformation grid) {
  ald_error error;
  const ald_displacement_options options = over(bavaria);
  ald_displacement found = ALD_DISPLACEMENT_INIT, alone = ALD_DISPLACEMENT_INIT;
  double field[7] = {-1, -1, -1, -1, -1, -1, -1};
  CHECK_STATUS(
      ald_spatial_reference_measure_displacement(german, european, helmert, grid, &options, &found, field, 5, &error),
      ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(error.argument == 7 && field[0] == -1 && found.sample_count == 0);
  CHECK_OK(
      ald_spatial_reference_measure_displacement(german, european, helmert, grid, &options, &found, field, 7, &error),
      &error);
  CHECK(found.sample_count == 6 && found.failed_count == 0 && found.columns == 3 && found.rows == 2);
  CHECK(found.extent.x_min == 10 && found.extent.y_max == 49);
  /* Between some decimetres and some metres in Bavaria. */
  CHECK(found.min_m > 0.01 && found.min_m < found.mean_m && found.mean_m < found.max_m && found.max_m < 5);
  double least = INFINITY, most = 0;
  for (int i = 0; i < 6; i++) {
    least = fmin(least, field[i]);
    most = fmax(most, field[i]);
  }
  CHECK(least == found.min_m && most == found.max_m && field[6] == -1);
  CHECK_OK(
      ald_spatial_reference_measure_displacement(german, european, helmert, grid, &options, &alone, NULL, 0, &error),
      &error);
  CHECK(alone.max_m == found.max_m && alone.max_point.x == found.max_point.x && alone.max_point.y == found.max_point.y);
}

static void test_refusals(ald_transformation helmert) {
  ald_error error;
  ald_displacement found = ALD_DISPLACEMENT_INIT;
  ald_displacement_options options = over(bavaria);
  CHECK_STATUS(
      ald_spatial_reference_measure_displacement(british, european, helmert, none, &options, &found, NULL, 0, &error),
      ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(
      ald_spatial_reference_measure_displacement(german, european, none, none, &options, NULL, NULL, 0, &error),
      ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_spatial_reference_measure_displacement(german, (ald_spatial_reference){0}, none, none, &options,
                                                          &found, NULL, 0, &error),
               ALD_STATUS_INVALID_HANDLE);
  options.area_count = 1;
  CHECK_STATUS(
      ald_spatial_reference_measure_displacement(german, european, none, none, &options, &found, NULL, 0, &error),
      ALD_STATUS_INVALID_ARGUMENT);
  options = over(bavaria);
  options.columns = options.rows = UINT32_MAX;
  CHECK_STATUS(
      ald_spatial_reference_measure_displacement(german, european, none, none, &options, &found, NULL, 0, &error),
      ALD_STATUS_LIMIT_EXCEEDED);
  /* The grid of the Ordnance Survey is not part of PROJ's own data. */
  options = over(bavaria);
  ald_transformation ostn = coded("7709");
  CHECK_STATUS(
      ald_spatial_reference_measure_displacement(british, european, ostn, none, &options, &found, NULL, 0, &error),
      ALD_STATUS_MISSING_GRID);
  CHECK(holds_text(error.message, "OSTN15"));
  CHECK_STATUS(
      ald_spatial_reference_measure_displacement(british, european, none, ostn, &options, &found, NULL, 0, NULL),
      ALD_STATUS_MISSING_GRID);
  ald_transformation_release(ostn);
  /* Outside of the grid there is nothing to compare. */
  const ald_point tokyo[2] = {{139, 35}, {140, 36}};
  ald_transformation grid = coded("15948");
  options = over(tokyo);
  CHECK_STATUS(
      ald_spatial_reference_measure_displacement(german, european, helmert, grid, &options, &found, NULL, 0, &error),
      ALD_STATUS_PROJECTION_FAILED);
  ald_transformation_release(grid);
  CHECK(found.sample_count == 0 && found.max_m == 0);
}

#define PLACES                                                                                                         \
  "[GEOGCRS[\"a\",DATUM[\"a\",ELLIPSOID[\"GRS 1980\",6378137,298.257222101]],CS[ellipsoidal,2],"                       \
  "AXIS[\"longitude\",east],AXIS[\"latitude\",north],ANGLEUNIT[\"degree\",0.0174532925199433]]]"

/* A method that PROJ does not know. */
static void test_unsupported(void) {
  ald_error error;
  ald_displacement found = ALD_DISPLACEMENT_INIT;
  ald_transformation strange;
  const char *text = "COORDINATEOPERATION[\"strange\",SOURCECRS" PLACES ",TARGETCRS" PLACES
                     ",METHOD[\"By divination\"],PARAMETER[\"birds\",3]]";
  CHECK_OK(ald_transformation_create(stage.runtime, text, &strange, &error), &error);
  CHECK_STATUS(
      ald_spatial_reference_measure_displacement(german, european, strange, none, NULL, &found, NULL, 0, &error),
      ALD_STATUS_UNSUPPORTED);
  ald_transformation_release(strange);
}

int main(int argc, char **argv) {
  ald_error error;
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    CHECK_OK(ald_spatial_reference_create_from_code(stage.runtime, NULL, 31467, &german, &error), &error);
    CHECK_OK(ald_spatial_reference_create_from_code(stage.runtime, NULL, 25832, &european, &error), &error);
    CHECK_OK(ald_spatial_reference_create_from_code(stage.runtime, NULL, 27700, &british, &error), &error);
    ald_transformation helmert = coded("1776"), grid = coded("15948");
    test_field(helmert, grid);
    test_refusals(helmert);
    test_unsupported();
    ald_transformation_release(grid);
    ald_transformation_release(helmert);
    ald_spatial_reference_release(british);
    ald_spatial_reference_release(european);
    ald_spatial_reference_release(german);
    release_scene(&stage);
    ald_runtime_release(stage.runtime);
  }
  return finish();
}

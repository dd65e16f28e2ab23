/* Transformations as a C host sees them: what they lack, what they refuse, and what changes with the grid folders. */
#include "check.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static scene stage;

static ald_transformation from_text(const char *text) {
  ald_error error;
  ald_transformation made = {0};
  CHECK_OK(ald_transformation_create(stage.runtime, text, &made, &error), &error);
  return made;
}

/* Grid files in a format that PROJ does not read, and a projection that cannot be undone. */
static void test_unsupported(void) {
  ald_error error;
  ald_transformation nadcon, made;
  CHECK_OK(ald_transformation_create_from_code(stage.runtime, NULL, "8555", &nadcon, &error), &error);
  CHECK_STATUS(ald_transformation_create_from_steps(&nadcon, 1, &made, NULL), ALD_STATUS_OK);
  ald_transformation_release(made);
  const ald_transformation twice[2] = {nadcon, nadcon};
  CHECK_STATUS(ald_transformation_create_from_steps(twice, 2, &made, NULL), ALD_STATUS_INVALID_ARGUMENT);
  ald_transformation back;
  CHECK_OK(ald_transformation_create_inverse(nadcon, &back, &error), &error);
  const ald_transformation round_trip[2] = {nadcon, back};
  CHECK_STATUS(ald_transformation_create_from_steps(round_trip, 2, &made, &error), ALD_STATUS_UNSUPPORTED);
  CHECK(made.id == 0);
  ald_transformation_release(back);
  ald_transformation_release(nadcon);

  ald_transformation winkel = from_text("+proj=wintri +ellps=GRS80");
  CHECK_STATUS(ald_transformation_create_inverse(winkel, &back, &error), ALD_STATUS_UNSUPPORTED);
  ald_transformation_release(winkel);
}

/* The error of a PROJ string whose grid file is missing names the file; a string without a meaning is another mistake.
 */
static void test_missing_grid(void) {
  ald_error error;
  ald_transformation made;
  CHECK_STATUS(ald_transformation_create(stage.runtime, "+proj=pipeline +step +proj=hgridshift +grids=nowhere.tif",
                                         &made, &error),
               ALD_STATUS_MISSING_GRID);
  CHECK(made.id == 0 && strstr(error.message, "nowhere.tif") != NULL);
  CHECK_STATUS(ald_transformation_create(stage.runtime, "+proj=nowhere", &made, NULL), ALD_STATUS_INVALID_ARGUMENT);
}

/* An event for each transformation with a handle that became usable, and one when it is lost again. */
static void test_grid_folders(const char *grid) {
  ald_error error;
  ald_spatial_reference british;
  ald_transformation_list list;
  ald_transformation_row row = ALD_TRANSFORMATION_ROW_INIT;
  ald_transformation_info info = ALD_TRANSFORMATION_INFO_INIT;
  char folder[] = "/tmp/alidade-grids-XXXXXX", path[64];
  ald_event events[8];
  size_t count = 0;
  CHECK_OK(ald_spatial_reference_create_from_code(stage.runtime, NULL, 27700, &british, &error), &error);
  CHECK_OK(ald_transformation_list_create(british, stage.spatial_reference, NULL, &list, &error), &error);
  uint32_t rows = 0, number = 0;
  CHECK_OK(ald_transformation_list_get_row_count(list, &rows, &error), &error);
  for (uint32_t i = 0; i < rows && info.missing_grid_count == 0; i++) {
    number = i;
    CHECK_OK(ald_transformation_list_get_row_at(list, i, &row, &error), &error);
    CHECK_OK(ald_transformation_get_info(row.transformation, &info, &error), &error);
  }
  if (!CHECK(info.missing_grid_count == 1) || !CHECK(mkdtemp(folder) != NULL))
    return;
  CHECK(strcmp(row.reason, "") != 0 && number > 0);
  snprintf(path, sizeof path, "%s/uk_os_OSTN15_NTv2_OSGBtoETRS.tif", folder);
  CHECK(symlink(grid, path) == 0);
  CHECK_OK(ald_runtime_add_grid_directory(stage.runtime, folder, &error), &error);
  CHECK_OK(ald_transformation_get_info(row.transformation, &info, &error), &error);
  CHECK(info.missing_grid_count == 0 && (info.flags & ALD_TRANSFORMATION_USABLE));
  CHECK_OK(ald_runtime_poll_events(stage.runtime, events, 8, &count, &error), &error);
  CHECK(count == 1 && events[0].kind == ALD_EVENT_KIND_TRANSFORMATION_CHANGED && events[0].is_usable == 1 &&
        events[0].transformation.id == row.transformation.id);

  /* A new list has it first; the old one keeps its order. */
  ald_transformation_list fresh;
  ald_transformation_row first = ALD_TRANSFORMATION_ROW_INIT;
  uint32_t is_equal = 0;
  CHECK_OK(ald_transformation_list_create(british, stage.spatial_reference, NULL, &fresh, &error), &error);
  CHECK_OK(ald_transformation_list_get_row_at(fresh, 0, &first, &error), &error);
  CHECK_OK(ald_transformation_equals(first.transformation, row.transformation, &is_equal, &error), &error);
  CHECK(is_equal == 1);

  CHECK_OK(ald_runtime_set_grid_directories(stage.runtime, NULL, &error), &error);
  CHECK_OK(ald_transformation_get_info(row.transformation, &info, &error), &error);
  CHECK(info.missing_grid_count == 1 && !(info.flags & ALD_TRANSFORMATION_USABLE));
  CHECK_OK(ald_runtime_poll_events(stage.runtime, events, 8, &count, &error), &error);
  CHECK(count == 2 && events[0].is_usable == 0 && events[1].is_usable == 0);
  ald_transformation_list_release(fresh);
  ald_transformation_list_release(list);
  ald_spatial_reference_release(british);
  unlink(path);
  rmdir(folder);
}

/* Between a plane that lies nowhere and the raster there is no operation. */
static void test_local_plane(void) {
  ald_error error;
  ald_spatial_reference local;
  const double line[4] = {0, 0, 10, 10};
  ald_profile_sample samples[8];
  ald_profile_options options = ALD_PROFILE_OPTIONS_INIT;
  options.kind = ALD_PROFILE_KIND_COUNT;
  options.sample_count = 2;
  CHECK_OK(
      ald_spatial_reference_create_from_wkt(stage.runtime, "LOCAL_CS[\"plane\",UNIT[\"metre\",1]]", &local, &error),
      &error);
  CHECK_STATUS(ald_raster_read_profile(stage.raster, local, 1, line, 0, 2, &options, samples, 8, NULL, &error),
               ALD_STATUS_PROJECTION_FAILED);
  ald_spatial_reference_release(local);
}

/* A raster that says not where it lies can be asked in its own coordinates alone. */
static void test_nowhere(const char *path) {
  ald_error error;
  ald_raster raster;
  const double ring[6] = {0, 0, 10, 0, 10, 10};
  ald_profile_sample samples[8];
  ald_profile_options options = ALD_PROFILE_OPTIONS_INIT;
  ald_polygon_statistics statistics = ALD_POLYGON_STATISTICS_INIT;
  ald_class_count classes[8];
  options.kind = ALD_PROFILE_KIND_COUNT;
  options.sample_count = 2;
  if (!CHECK_OK(ald_raster_open(stage.runtime, path, NULL, &raster, &error), &error))
    return;
  CHECK_STATUS(
      ald_raster_read_profile(raster, stage.spatial_reference, 1, ring, 0, 2, &options, samples, 8, NULL, &error),
      ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_raster_read_polygon_statistics(raster, stage.spatial_reference, 1, ring, 0, 3, NULL, 0, NULL,
                                                  &statistics, &error),
               ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_raster_read_polygon_classes(raster, stage.spatial_reference, 1, ring, 0, 3, NULL, 0, NULL, classes,
                                               8, NULL, &error),
               ALD_STATUS_NOT_READY);
  ald_raster_release(raster);
}

/* Texts that name files outside of the grid directories; Tests/policy has the whole of it. */
static void test_paths_in_texts(void) {
  ald_error error;
  ald_spatial_reference reference = {1};
  ald_transformation transformation = {1};
  CHECK_STATUS(ald_spatial_reference_create(stage.runtime, "+proj=longlat +ellps=airy +nadgrids=/etc/passwd",
                                            &reference, &error),
               ALD_STATUS_POLICY_REFUSED);
  CHECK(reference.id == 0 && strstr(error.message, "/etc/passwd") != NULL);
  CHECK_STATUS(ald_spatial_reference_create_from_wkt(
                   stage.runtime,
                   "GEOGCS[\"g\",DATUM[\"d\",SPHEROID[\"s\",6377563.396,299.3249646],EXTENSION[\"PROJ4_GRIDS\","
                   "\"/etc/passwd\"]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]",
                   &reference, &error),
               ALD_STATUS_POLICY_REFUSED);
  CHECK_STATUS(ald_transformation_create(stage.runtime, "+proj=hgridshift +grids=/etc/passwd", &transformation, &error),
               ALD_STATUS_POLICY_REFUSED);
  CHECK(transformation.id == 0);
}

int main(int argc, char **argv) {
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    test_unsupported();
    test_missing_grid();
    /* Any grid of the system's will do: it is only looked for, and not run. */
    test_grid_folders("/usr/share/proj/BETA2007.gsb");
    test_local_plane();
    test_paths_in_texts();
    test_nowhere(raster_path(argv, "rotated.tif"));
    release_scene(&stage);
    ald_runtime_release(stage.runtime);
  }
  return finish();
}

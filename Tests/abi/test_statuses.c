/* Statuses that neither the hostile host nor the sequences of the stateful host provoke, because they need a file or a
 * policy of their own. */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A raster whose header promises more than there is. */
static const char DAMAGED[] = "ncols 6\nnrows 6\nxllcorner 440000\nyllcorner 3750000\ncellsize 500\n1 2 3\n";
/* A picture that lies nowhere. */
static const char PICTURE[] = "P5\n2 2\n255\nabcd";
/* As much of a database as tells that it has a write-ahead log: read and write version 2. */
static const char DATABASE[] = "SQLite format 3\0\x10\x00\x02\x02\x00\x40\x20\x20";
static const char LOCAL_WKT[] = "LOCAL_CS[\"a building\",UNIT[\"metre\",1]]";

static char folder[] = "/tmp/alidade-statuses-XXXXXX";
static const ald_cell_index INDEX = {3, 4};
static const ald_point TAP = {100, 50};

/* Writes a file of the test's folder; the path lies in static storage, overwritten by the next. */
static const char *write_file(const char *name, const void *content, size_t size) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  if (CHECK(file != NULL)) {
    CHECK(fwrite(content, 1, size, file) == size);
    CHECK(fclose(file) == 0);
  }
  return path;
}

static void remove_file(const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  CHECK(unlink(path) == 0);
}

/* A view of 200 by 100 DIP that looks at a raster's middle, or at any place where the map has no place for that. */
typedef struct setting {
  ald_layer layer;
  ald_map map;
  ald_view view;
} setting;

static int make_setting(setting *setting, ald_runtime runtime, ald_spatial_reference map_reference, ald_raster raster,
                        ald_point center) {
  ald_error error;
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = 200;
  options.height_dip = 100;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE;
  viewpoint.center = center;
  viewpoint.scale = 10000;
  return CHECK_OK(ald_raster_layer_create(raster, &setting->layer, &error), &error) &&
         CHECK_OK(ald_map_create(runtime, map_reference, &setting->map, &error), &error) &&
         CHECK_OK(ald_map_add_layer(setting->map, setting->layer, &error), &error) &&
         CHECK_OK(ald_view_create(setting->map, &options, &setting->view, &error), &error) &&
         CHECK_OK(ald_view_set_viewpoint(setting->view, &viewpoint, &error), &error);
}

static void release_setting(const setting *setting) {
  ald_view_release(setting->view);
  ald_map_release(setting->map);
  ald_layer_release(setting->layer);
}

/* Everything that reads cells through a view answers the same. */
static void check_reading(const setting *setting, ald_status status) {
  ald_cell cell;
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  ald_identify_result result;
  static uint8_t pixels[20 * 10 * 4];
  static double numbers[20 * 10];
  grid.columns = 20;
  grid.rows = 10;
  CHECK_STATUS(ald_view_cell_at(setting->view, setting->layer, TAP, &cell, NULL, 0, NULL), status);
  CHECK_STATUS(ald_view_identify_layer(setting->view, setting->layer, TAP, 0, 0, NULL, &result, NULL), status);
  CHECK_STATUS(ald_view_read_rgba(setting->view, setting->layer, &grid, pixels, 0, sizeof pixels, NULL, NULL), status);
  CHECK_STATUS(ald_view_read_values(setting->view, setting->layer, &grid, 1, numbers, 0, sizeof numbers, NULL, NULL),
               status);
}

static void test_damaged_file(ald_runtime runtime, ald_spatial_reference mercator) {
  ald_error error;
  ald_raster raster;
  ald_raster_open_options options = ALD_RASTER_OPEN_OPTIONS_INIT;
  options.spatial_reference = mercator;
  const char *path = write_file("damaged.asc", DAMAGED, sizeof DAMAGED - 1);
  if (!CHECK_OK(ald_raster_open(runtime, path, &options, &raster, &error), &error))
    return;
  ald_cell cell;
  ald_band_value value;
  CHECK_STATUS(ald_raster_read_cells(raster, &INDEX, 1, &cell, &value, 1, NULL), ALD_STATUS_READ_FAILED);
  const double xy[2] = {440005, 3750005};
  CHECK_STATUS(ald_raster_read_points(raster, (ald_spatial_reference){0}, xy, 0, 1, &cell, &value, 1, NULL),
               ALD_STATUS_READ_FAILED);
  setting setting = {{0}, {0}, {0}};
  if (make_setting(&setting, runtime, mercator, raster, (ald_point){441500, 3751500})) {
    check_reading(&setting, ALD_STATUS_READ_FAILED);
    ald_raster_renderer renderer = ALD_RASTER_RENDERER_INIT;
    CHECK_STATUS(ald_raster_layer_renderer(setting.layer, &renderer, NULL), ALD_STATUS_READ_FAILED);
  }
  release_setting(&setting);
  ald_raster_release(raster);
  remove_file("damaged.asc");
}

static void test_picture_without_place(ald_runtime runtime) {
  ald_error error;
  ald_raster raster;
  const char *path = write_file("picture.pgm", PICTURE, sizeof PICTURE - 1);
  if (!CHECK_OK(ald_raster_open(runtime, path, NULL, &raster, &error), &error))
    return;
  const ald_spatial_reference own = {0};
  ald_point points[5];
  ald_layer layer;
  ald_cell cell;
  const double xy[2] = {0, 0};
  CHECK_STATUS(ald_raster_outline(raster, own, 1, points, 5, NULL, NULL), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_raster_read_points(raster, own, xy, 0, 1, &cell, NULL, 0, NULL), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_raster_layer_create(raster, &layer, NULL), ALD_STATUS_UNSUPPORTED);
  ald_raster_release(raster);
  remove_file("picture.pgm");
}

static void test_database_with_log(ald_runtime runtime) {
  ald_raster raster;
  const char *path = write_file("logged.gpkg", DATABASE, sizeof DATABASE - 1);
  CHECK_STATUS(ald_raster_open(runtime, path, NULL, &raster, NULL), ALD_STATUS_UNSUPPORTED);
  remove_file("logged.gpkg");
}

/* A map that is not tied to the earth has no way to a raster that is. */
static void test_local_map(ald_runtime runtime, ald_raster raster) {
  ald_error error;
  ald_spatial_reference local;
  if (!CHECK_OK(ald_spatial_reference_create_from_wkt(runtime, LOCAL_WKT, &local, &error), &error))
    return;
  setting setting = {{0}, {0}, {0}};
  if (make_setting(&setting, runtime, local, raster, (ald_point){0, 0}))
    check_reading(&setting, ALD_STATUS_PROJECTION_FAILED);
  release_setting(&setting);
  ald_spatial_reference_release(local);
}

static void test_hillshade_of_complex_values(ald_runtime runtime, const char *path) {
  ald_error error;
  ald_raster raster;
  ald_layer layer;
  ald_raster_renderer renderer = ALD_RASTER_RENDERER_INIT;
  renderer.kind = ALD_RASTER_RENDERER_HILLSHADE;
  if (!CHECK_OK(ald_raster_open(runtime, path, NULL, &raster, &error), &error) ||
      !CHECK_OK(ald_raster_layer_create(raster, &layer, &error), &error))
    return;
  CHECK_STATUS(ald_raster_layer_set_renderer(layer, &renderer, NULL), ALD_STATUS_UNSUPPORTED);
  ald_layer_release(layer);
  ald_raster_release(raster);
}

static void test_limits(const char *path_with_table, const char *path) {
  ald_error error;
  ald_runtime runtime;
  ald_raster raster;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_bytes = 1000;
  policy.max_request_points = 100;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  if (!CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error))
    return;
  CHECK_STATUS(ald_raster_open(runtime, path_with_table, NULL, &raster, NULL), ALD_STATUS_LIMIT_EXCEEDED);
  setting setting = {{0}, {0}, {0}};
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  if (CHECK_OK(ald_raster_open(runtime, path, NULL, &raster, &error), &error) &&
      CHECK_OK(ald_raster_get_info(raster, &info, &error), &error) &&
      make_setting(&setting, runtime, (ald_spatial_reference){0}, raster, info.corners[0])) {
    static uint8_t pixels[200 * 100 * 4];
    static double numbers[200 * 100];
    CHECK_STATUS(ald_view_read_rgba(setting.view, setting.layer, NULL, pixels, 0, sizeof pixels, NULL, NULL),
                 ALD_STATUS_LIMIT_EXCEEDED);
    CHECK_STATUS(ald_view_read_values(setting.view, setting.layer, NULL, 1, numbers, 0, sizeof numbers, NULL, NULL),
                 ALD_STATUS_LIMIT_EXCEEDED);
  }
  ald_runtime_release(runtime);
}

int main(int argc, char **argv) {
  scene scene;
  if (argc < 2)
    return 2;
  if (CHECK(mkdtemp(folder) != NULL) && make_scene(&scene, raster_path(argv, "RGB.byte.tif"))) {
    test_damaged_file(scene.runtime, scene.spatial_reference);
    test_picture_without_place(scene.runtime);
    test_database_with_log(scene.runtime);
    test_local_map(scene.runtime, scene.raster);
    test_hillshade_of_complex_values(scene.runtime, raster_path(argv, "cint16.tif"));
    char table[4096];
    snprintf(table, sizeof table, "%s", raster_path(argv, "rat.img"));
    test_limits(table, raster_path(argv, "RGB.byte.tif"));
    release_scene(&scene);
    CHECK(rmdir(folder) == 0);
  }
  return finish();
}

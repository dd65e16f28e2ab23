/* What may be wrong with a layer that is loaded: no spatial reference, and files that change while they are open. */
#include "layer_files.h"
#include "scene.h"

#include <sys/stat.h>
#include <unistd.h>

/* Another grid of cells of 10 m. */
static const char OTHER_GRID[] = "ncols 3\nnrows 2\nxllcorner 440000\nyllcorner 3750000\ncellsize 10\n5 6 7\n8 9 9\n";

static const ald_spatial_reference none = {0};

/* A scene's layer and raster go on, whatever another file did. */
static void check_neighbours(const scene *scene) {
  ald_cell cell;
  CHECK_STATUS(ald_view_read_cell(scene->view, scene->layer, SCENE_MIDDLE, &cell, NULL, 0, NULL), ALD_STATUS_OK);
  CHECK(cell.verdict == ALD_CELL_VERDICT_VALUE);
}

/* A file that was cut short loads, because its header is whole; reading it is trouble. */
static void test_file_cut_short(const scene *scene, const char *path) {
  static char content[1 << 20];
  ald_error error;
  FILE *file = fopen(path, "rb");
  if (!CHECK(file != NULL))
    return;
  const size_t size = fread(content, 1, sizeof content, file);
  fclose(file);
  if (!CHECK(size > 4096 && size < sizeof content))
    return;
  const ald_layer layer = layer_of(scene->runtime, write_file("short.tif", content, size - size / 2), NULL);
  if (ald_layer_load(layer, &error) == ALD_STATUS_OK) {
    ald_raster raster;
    ald_raster_info info = ALD_RASTER_INFO_INIT;
    CHECK_OK(ald_raster_layer_get_raster(layer, &raster, &error), &error);
    CHECK_OK(ald_raster_get_info(raster, &info, &error), &error);
    const ald_cell_index last = {info.width - 1, info.height - 1};
    CHECK_STATUS(ald_raster_read_cells(raster, &last, 1, NULL, NULL, 0, NULL), ALD_STATUS_READ_FAILED);
  } else {
    CHECK(error.status == ALD_STATUS_READ_FAILED);
  }
  check_neighbours(scene);
  ald_layer_release(layer);
}

/* A layer whose data has no spatial reference loads, says so, is not placed, and is once it is given one. */
static void test_no_spatial_reference(const scene *scene) {
  ald_error error;
  ald_map map;
  ald_view view;
  ald_cell cell;
  ald_band_value value;
  ald_raster raster;
  ald_spatial_reference reference;
  uint32_t count = 9;
  ald_layer_warning_kind kind = 0;
  char text[512];
  const ald_point tap = {50, 50};
  const ald_cell_index corner = {1, 1};
  const ald_layer layer = layer_of(scene->runtime, write_file("nowhere.asc", GRID, sizeof GRID - 1), NULL);
  CHECK_OK(ald_layer_get_warning_count(layer, &count, &error), &error);
  CHECK(count == 0);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  CHECK_OK(ald_layer_get_warning_count(layer, &count, &error), &error);
  CHECK(count == 1);
  CHECK_OK(ald_layer_get_warning_at(layer, 0, &kind, text, sizeof text, NULL, &error), &error);
  CHECK(kind == ALD_LAYER_WARNING_KIND_NO_SPATIAL_REFERENCE && holds_text(text, "nowhere.asc"));
  CHECK(holds_text(text, "until it is given one"));
  CHECK_STATUS(ald_layer_get_warning_at(layer, 1, &kind, text, sizeof text, NULL, NULL), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_layer_get_warning_at(layer, 0, &kind, text, 5, NULL, NULL), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_STATUS(ald_layer_get_spatial_reference(layer, &reference, NULL), ALD_STATUS_NOT_READY);
  /* By column and row it can be read. */
  CHECK_OK(ald_raster_layer_get_raster(layer, &raster, &error), &error);
  CHECK_OK(ald_raster_read_cells(raster, &corner, 1, &cell, &value, 1, &error), &error);
  CHECK(value.value == 4);
  /* It decides no map's spatial reference. */
  CHECK_OK(ald_map_create(scene->runtime, none, &map, &error), &error);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  CHECK_STATUS(ald_map_get_spatial_reference(map, &reference, NULL), ALD_STATUS_NOT_READY);
  CHECK_OK(ald_map_remove_layer(map, layer, &error), &error);
  ald_map_release(map);
  /* In a map that has a spatial reference, the layer is not placed by guess. */
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = options.height_dip = 100;
  CHECK_OK(ald_map_create(scene->runtime, scene->spatial_reference, &map, &error), &error);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  CHECK_OK(ald_view_create(map, &options, &view, &error), &error);
  CHECK_OK(ald_view_set_center(view, (ald_point){440015, 3750005}, none, &error), &error);
  CHECK_OK(ald_view_set_scale(view, 100, &error), &error);
  CHECK_STATUS(ald_view_read_cell(view, layer, tap, &cell, &value, 1, &error), ALD_STATUS_NOT_READY);
  CHECK(holds_text(error.message, "Give the layer one"));
  CHECK_OK(ald_layer_set_spatial_reference(layer, scene->spatial_reference, &error), &error);
  CHECK_OK(ald_layer_get_warning_count(layer, &count, &error), &error);
  CHECK(count == 0);
  CHECK_OK(ald_view_read_cell(view, layer, tap, &cell, &value, 1, &error), &error);
  CHECK(cell.column == 1 && cell.row == 1 && value.value == 4);
  CHECK_OK(ald_layer_get_spatial_reference(layer, &reference, &error), &error);
  CHECK(reference.id == scene->spatial_reference.id);
  /* Without it the layer is no longer ready. */
  CHECK_OK(ald_layer_set_spatial_reference(layer, none, &error), &error);
  CHECK_STATUS(ald_view_read_cell(view, layer, tap, &cell, &value, 1, NULL), ALD_STATUS_NOT_READY);
  ald_view_release(view);
  ald_map_release(map);
  ald_layer_release(layer);
}

/* A group has no data, and so no location; it is loaded from the beginning. */
static void test_group(const scene *scene) {
  ald_error error;
  ald_layer group;
  uint32_t count = 9;
  CHECK_OK(ald_group_layer_create(scene->runtime, &group, &error), &error);
  CHECK_STATUS(ald_layer_set_spatial_reference(group, scene->spatial_reference, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_layer_get_warning_count(group, &count, &error), &error);
  CHECK(count == 0 && load_info_of(group).status == ALD_LOAD_STATUS_LOADED);
  ald_layer_release(group);
}

/* What the layer's trouble is; ALD_STATUS_OK if it has none. */
static ald_status trouble_of(ald_layer layer) {
  const ald_load_info info = load_info_of(layer);
  return info.status == ALD_LOAD_STATUS_LOADED ? info.error.status : -1;
}

/* A file that goes, comes back and changes under a layer. */
static void test_files_that_change(const scene *scene) {
  ald_error error;
  ald_map map;
  ald_view view;
  ald_cell cell;
  ald_band_value value;
  ald_raster before, after;
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  char moved[256];
  const ald_point tap = {50, 50};
  ald_raster_open_options as_mercator = ALD_RASTER_OPEN_OPTIONS_INIT;
  as_mercator.spatial_reference = scene->spatial_reference;
  /* A folder of its own goes and comes back: renaming the file itself would change the time of its last change. */
  CHECK(mkdir(path_of("changes"), 0700) == 0);
  const char *path = write_file("changes/changes.asc", GRID, sizeof GRID - 1);
  snprintf(moved, sizeof moved, "%s/moved", folder);
  const ald_layer layer = layer_of(scene->runtime, path, &as_mercator);
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = options.height_dip = 100;
  CHECK_OK(ald_map_create(scene->runtime, none, &map, &error), &error);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  CHECK_OK(ald_view_create(map, &options, &view, &error), &error);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  CHECK_OK(ald_view_set_center(view, (ald_point){440015, 3750005}, none, &error), &error);
  CHECK_OK(ald_view_set_scale(view, 100, &error), &error);
  CHECK_OK(ald_view_read_cell(view, layer, tap, &cell, &value, 1, &error), &error);
  CHECK(value.value == 4 && trouble_of(layer) == ALD_STATUS_OK);
  CHECK_OK(ald_layer_retry_load(layer, &error), &error);
  CHECK(load_info_of(layer).attempt_count == 1);
  /* Gone. */
  CHECK(rename(path_of("changes"), moved) == 0);
  sleep_ms(30);
  CHECK_STATUS(ald_view_read_cell(view, layer, tap, &cell, &value, 1, NULL), ALD_STATUS_READ_FAILED);
  CHECK(trouble_of(layer) == ALD_STATUS_READ_FAILED);
  check_neighbours(scene);
  /* Back, as it was: the next read ends the trouble. */
  CHECK(rename(moved, path_of("changes")) == 0);
  sleep_ms(30);
  CHECK_OK(ald_view_read_cell(view, layer, tap, &cell, &value, 1, &error), &error);
  CHECK(value.value == 4 && trouble_of(layer) == ALD_STATUS_OK);
  /* Replaced: only opening it again helps. */
  write_file("changes/changes.asc", OTHER_GRID, sizeof OTHER_GRID - 1);
  sleep_ms(30);
  CHECK_STATUS(ald_view_read_cell(view, layer, tap, &cell, &value, 1, NULL), ALD_STATUS_READ_FAILED);
  CHECK(trouble_of(layer) == ALD_STATUS_READ_FAILED);
  CHECK_OK(ald_raster_layer_get_raster(layer, &before, &error), &error);
  CHECK_OK(ald_layer_retry_load(layer, &error), &error);
  CHECK(trouble_of(layer) == ALD_STATUS_OK && load_info_of(layer).attempt_count == 2);
  CHECK_OK(ald_view_read_cell(view, layer, tap, &cell, &value, 1, &error), &error);
  CHECK(value.value == 9);
  CHECK_OK(ald_raster_layer_get_raster(layer, &after, &error), &error);
  CHECK_OK(ald_raster_get_info(after, &info, &error), &error);
  CHECK(after.id != before.id && info.width == 3);
  /* Deleted: a retry fails, and the layer has nothing to show. */
  CHECK(unlink(path) == 0);
  sleep_ms(30);
  CHECK_STATUS(ald_view_read_cell(view, layer, tap, &cell, &value, 1, NULL), ALD_STATUS_READ_FAILED);
  CHECK_STATUS(ald_layer_retry_load(layer, NULL), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_view_read_cell(view, layer, tap, &cell, &value, 1, NULL), ALD_STATUS_NOT_READY);
  write_file("changes/changes.asc", GRID, sizeof GRID - 1);
  CHECK_OK(ald_layer_retry_load(layer, &error), &error);
  CHECK_OK(ald_view_read_cell(view, layer, tap, &cell, &value, 1, &error), &error);
  CHECK(value.value == 4);
  check_neighbours(scene);
  ald_view_release(view);
  ald_map_release(map);
  ald_layer_release(layer);
}

int main(int argc, char **argv) {
  scene scene;
  if (argc == 2 && make_folder() && make_scene(&scene, raster_path(argv, "Shasta_Elevation.tif"))) {
    const uint64_t before = live_handles(scene.runtime);
    test_file_cut_short(&scene, raster_path(argv, "world.rgb.tif"));
    test_no_spatial_reference(&scene);
    test_files_that_change(&scene);
    test_group(&scene);
    CHECK(live_handles(scene.runtime) == before);
    release_scene(&scene);
    remove_folder();
  }
  return finish();
}

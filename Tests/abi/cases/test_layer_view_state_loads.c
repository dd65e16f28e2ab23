/* The view states of layers while they load, after they could not be loaded, in trouble, and with a warning. */
#include "layer_files.h"
#include "scene.h"

#include <sys/stat.h>
#include <unistd.h>

static const ald_spatial_reference none = {0};
static const ald_point TAP = {50, 50};

static scene stage;
static ald_error error;
static ald_map map;
static ald_view view;

enum { ACTIVE = ALD_LAYER_VIEW_ACTIVE, LOADING = ALD_LAYER_VIEW_LOADING, ERROR = ALD_LAYER_VIEW_ERROR };
enum { WARNING = ALD_LAYER_VIEW_WARNING };

static ald_layer grid_layer(const char *name, int with_reference) {
  ald_raster_open_options options = ALD_RASTER_OPEN_OPTIONS_INIT;
  if (with_reference)
    options.spatial_reference = stage.spatial_reference;
  return layer_of(stage.runtime, path_of(name), &options);
}

static ald_layer_view_state state_of(ald_layer layer) {
  ald_layer_view_state state = ALD_LAYER_VIEW_STATE_INIT;
  CHECK_OK(ald_view_get_layer_state(view, layer, &state, &error), &error);
  return state;
}

/* The flags of a layer's history, the newest last, as digits of a number to the base of 64. */
static uint64_t history_of(ald_layer layer, ald_status *last) {
  ald_layer_view_transition transitions[16];
  size_t count = 0;
  uint64_t flags = 0;
  CHECK_OK(ald_view_get_layer_state_history(view, layer, transitions, 16, &count, &error), &error);
  for (size_t i = 0; i < count; i++) {
    flags = 64 * flags + transitions[i].flags;
    *last = transitions[i].status;
  }
  return flags;
}

static ald_status cell_status(ald_layer layer) {
  ald_cell cell;
  return ald_view_read_cell(view, layer, TAP, &cell, NULL, 0, &error);
}

static void test_good_file(void) {
  ald_status status = 99;
  write_text("good.asc", GRID);
  const ald_layer layer = grid_layer("good.asc", 1);
  CHECK(state_of(layer).flags == 0);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  CHECK(state_of(layer).flags == ACTIVE && history_of(layer, &status) == LOADING * 64 + ACTIVE);
  CHECK(status == ALD_STATUS_OK && state_of(layer).error.status == 0 && state_of(layer).error.message[0] == '\0');
  CHECK_OK(ald_map_remove_layer(map, layer, &error), &error);
  ald_layer_release(layer);
}

static void test_missing_file(void) {
  ald_status status = 99;
  const ald_layer layer = grid_layer("later.asc", 1);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  CHECK_STATUS(ald_layer_load(layer, NULL), ALD_STATUS_NOT_FOUND);
  CHECK(state_of(layer).flags == ERROR && state_of(layer).error.status == ALD_STATUS_NOT_FOUND);
  CHECK(holds_text(state_of(layer).error.message, "later.asc"));
  CHECK(history_of(layer, &status) == LOADING * 64 + ERROR && status == ALD_STATUS_NOT_FOUND);
  /* Other flags are set in addition. */
  CHECK_OK(ald_layer_set_visible(layer, 0, &error), &error);
  CHECK(state_of(layer).flags == (ERROR | ALD_LAYER_VIEW_NOT_VISIBLE) && state_of(layer).hidden_by.id == layer.id);
  CHECK_OK(ald_layer_set_visible(layer, 1, &error), &error);
  write_text("later.asc", GRID);
  CHECK_OK(ald_layer_retry_load(layer, &error), &error);
  CHECK(state_of(layer).flags == ACTIVE && state_of(layer).error.status == 0);
  CHECK((history_of(layer, &status) & 4095) == LOADING * 64 + ACTIVE);
  CHECK_OK(ald_map_remove_layer(map, layer, &error), &error);
  ald_layer_release(layer);
}

static void test_trouble(void) {
  /* A folder of its own goes and comes back: renaming the file itself would change the time of its last change. */
  char moved[256];
  snprintf(moved, sizeof moved, "%s/moved", folder);
  CHECK(mkdir(path_of("trouble"), 0700) == 0);
  write_text("trouble/trouble.asc", GRID);
  const ald_layer layer = grid_layer("trouble/trouble.asc", 1);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  CHECK(cell_status(layer) == ALD_STATUS_OK && state_of(layer).flags == ACTIVE);
  CHECK(rename(path_of("trouble"), moved) == 0);
  sleep_ms(30);
  CHECK(cell_status(layer) == ALD_STATUS_READ_FAILED);
  CHECK(state_of(layer).flags == ERROR && state_of(layer).error.status == ALD_STATUS_READ_FAILED);
  CHECK(holds_text(state_of(layer).error.message, "trouble.asc"));
  CHECK(rename(moved, path_of("trouble")) == 0);
  sleep_ms(30);
  CHECK(cell_status(layer) == ALD_STATUS_OK && state_of(layer).flags == ACTIVE);
  CHECK_OK(ald_map_remove_layer(map, layer, &error), &error);
  ald_layer_release(layer);
}

static void test_warning(void) {
  ald_status status = 99;
  write_text("nowhere.asc", GRID);
  const ald_layer layer = grid_layer("nowhere.asc", 0);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  CHECK(state_of(layer).flags == WARNING && state_of(layer).error.status == ALD_STATUS_NOT_READY);
  CHECK(holds_text(state_of(layer).error.message, "spatial reference"));
  CHECK(history_of(layer, &status) == LOADING * 64 + WARNING && status == ALD_STATUS_NOT_READY);
  CHECK_OK(ald_layer_set_spatial_reference(layer, stage.spatial_reference, &error), &error);
  CHECK(state_of(layer).flags == ACTIVE && state_of(layer).error.status == 0);
  CHECK_OK(ald_layer_set_spatial_reference(layer, none, &error), &error);
  CHECK(state_of(layer).flags == WARNING);
  CHECK_OK(ald_map_remove_layer(map, layer, &error), &error);
  ald_layer_release(layer);
}

/* A group loads as long as one in it does; the failures of those in it are theirs. */
static void test_groups(void) {
  ald_layer outer, inner;
  ald_layer layers[3];
  ald_load_info load = ALD_LOAD_INFO_INIT;
  ald_layer_info info = ALD_LAYER_INFO_INIT;
  ald_status status = 99;
  CHECK_OK(ald_group_layer_create(stage.runtime, &outer, &error), &error);
  CHECK_OK(ald_group_layer_create(stage.runtime, &inner, &error), &error);
  CHECK_OK(ald_group_layer_add_layer(outer, inner, &error), &error);
  for (int i = 0; i < 3; i++) {
    layers[i] = grid_layer(i == 1 ? "missing.asc" : "good.asc", 1);
    CHECK_OK(ald_group_layer_add_layer(i ? inner : outer, layers[i], &error), &error);
  }
  /* Outside of a map a group loads when it is asked to, and waits for all in it. */
  CHECK_OK(ald_layer_load(outer, &error), &error);
  for (int i = 0; i < 3; i++) {
    CHECK_OK(ald_layer_get_info(layers[i], &info, &error), &error);
    CHECK(info.load_status == (i == 1 ? ALD_LOAD_STATUS_FAILED_TO_LOAD : ALD_LOAD_STATUS_LOADED));
  }
  CHECK_OK(ald_layer_get_load_info(outer, &load, &error), &error);
  CHECK(load.status == ALD_LOAD_STATUS_LOADED && load.error.status == 0);
  CHECK_OK(ald_map_add_layer(map, outer, &error), &error);
  CHECK(state_of(outer).flags == ACTIVE && state_of(inner).flags == ACTIVE && state_of(layers[1]).flags == ERROR);
  /* A retry tries what has failed, and the groups load meanwhile. */
  write_text("missing.asc", GRID);
  CHECK_OK(ald_layer_retry_load(outer, &error), &error);
  CHECK(state_of(layers[1]).flags == ACTIVE);
  const uint64_t past = ACTIVE * 64 * 64 + (ACTIVE | LOADING) * 64 + ACTIVE;
  CHECK(history_of(inner, &status) == past && history_of(outer, &status) == past &&
        history_of(layers[0], &status) == ACTIVE);
  CHECK_OK(ald_layer_cancel_load(outer, &error), &error);
  CHECK(state_of(outer).flags == ACTIVE);
  CHECK_OK(ald_map_remove_layer(map, outer, &error), &error);
  for (int i = 0; i < 3; i++)
    ald_layer_release(layers[i]);
  ald_layer_release(inner);
  ald_layer_release(outer);
}

int main(int argc, char **argv) {
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  if (argc != 2 || !make_folder() || !make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif")))
    return finish();
  const uint64_t before = live_handles(stage.runtime);
  options.width_dip = options.height_dip = 100;
  CHECK_OK(ald_map_create(stage.runtime, stage.spatial_reference, &map, &error), &error);
  CHECK_OK(ald_view_create(map, &options, &view, &error), &error);
  CHECK_OK(ald_view_set_center(view, (ald_point){440015, 3750005}, none, &error), &error);
  CHECK_OK(ald_view_set_scale(view, 100, &error), &error);
  test_good_file();
  test_missing_file();
  test_trouble();
  test_warning();
  test_groups();
  ald_view_release(view);
  ald_map_release(map);
  CHECK(live_handles(stage.runtime) == before);
  release_scene(&stage);
  remove_folder();
  return finish();
}

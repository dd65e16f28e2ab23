/* What layers are in views while they load, after they could not be loaded, in trouble, and with a warning. */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char GRID[] = "ncols 2\nnrows 2\nxllcorner 440000\nyllcorner 3750000\ncellsize 10\n1 2\n3 4\n";
static const ald_spatial_reference none = {0};
static const ald_point TAP = {50, 50};

static scene stage;
static ald_error error;
static char folder[] = "/tmp/alidade-states-XXXXXX";
static ald_map map;
static ald_view view;

enum { ACTIVE = ALD_LAYER_VIEW_ACTIVE, LOADING = ALD_LAYER_VIEW_LOADING, ERROR = ALD_LAYER_VIEW_ERROR };
enum { WARNING = ALD_LAYER_VIEW_WARNING };

static const char *path_of(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void write_grid(const char *name) {
  FILE *file = fopen(path_of(name), "wb");
  if (CHECK(file != NULL))
    CHECK(fwrite(GRID, 1, sizeof GRID - 1, file) == sizeof GRID - 1 && fclose(file) == 0);
}

static ald_layer layer_of(const char *name, int with_reference) {
  ald_layer layer = {0};
  ald_raster_open_options options = ALD_RASTER_OPEN_OPTIONS_INIT;
  if (with_reference)
    options.spatial_reference = stage.spatial_reference;
  CHECK_OK(ald_raster_layer_create_from_path(stage.runtime, path_of(name), &options, &layer, &error), &error);
  return layer;
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
  CHECK_OK(ald_view_layer_state_history(view, layer, transitions, 16, &count, &error), &error);
  for (size_t i = 0; i < count; i++) {
    flags = 64 * flags + transitions[i].flags;
    *last = transitions[i].status;
  }
  return flags;
}

static ald_status cell_status(ald_layer layer) {
  ald_cell cell;
  return ald_view_cell_at(view, layer, TAP, &cell, NULL, 0, &error);
}

static void test_good_file(void) {
  ald_status status = 99;
  write_grid("good.asc");
  const ald_layer layer = layer_of("good.asc", 1);
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
  const ald_layer layer = layer_of("later.asc", 1);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  CHECK_STATUS(ald_layer_load(layer, NULL), ALD_STATUS_NOT_FOUND);
  CHECK(state_of(layer).flags == ERROR && state_of(layer).error.status == ALD_STATUS_NOT_FOUND);
  CHECK(holds_text(state_of(layer).error.message, "later.asc"));
  CHECK(history_of(layer, &status) == LOADING * 64 + ERROR && status == ALD_STATUS_NOT_FOUND);
  /* Whatever else holds, holds too. */
  CHECK_OK(ald_layer_set_visible(layer, 0, &error), &error);
  CHECK(state_of(layer).flags == (ERROR | ALD_LAYER_VIEW_NOT_VISIBLE) && state_of(layer).hidden_by.id == layer.id);
  CHECK_OK(ald_layer_set_visible(layer, 1, &error), &error);
  write_grid("later.asc");
  CHECK_OK(ald_layer_retry_load(layer, &error), &error);
  CHECK(state_of(layer).flags == ACTIVE && state_of(layer).error.status == 0);
  CHECK((history_of(layer, &status) & 4095) == LOADING * 64 + ACTIVE);
  CHECK_OK(ald_map_remove_layer(map, layer, &error), &error);
  ald_layer_release(layer);
}

static void test_trouble(void) {
  char moved[256];
  write_grid("trouble.asc");
  snprintf(moved, sizeof moved, "%s/moved.asc", folder);
  const ald_layer layer = layer_of("trouble.asc", 1);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  CHECK(cell_status(layer) == ALD_STATUS_OK && state_of(layer).flags == ACTIVE);
  CHECK(rename(path_of("trouble.asc"), moved) == 0);
  sleep_ms(30);
  CHECK(cell_status(layer) == ALD_STATUS_READ_FAILED);
  CHECK(state_of(layer).flags == ERROR && state_of(layer).error.status == ALD_STATUS_READ_FAILED);
  CHECK(holds_text(state_of(layer).error.message, "trouble.asc"));
  CHECK(rename(moved, path_of("trouble.asc")) == 0);
  sleep_ms(30);
  CHECK(cell_status(layer) == ALD_STATUS_OK && state_of(layer).flags == ACTIVE);
  CHECK_OK(ald_map_remove_layer(map, layer, &error), &error);
  ald_layer_release(layer);
}

static void test_warning(void) {
  ald_status status = 99;
  write_grid("nowhere.asc");
  const ald_layer layer = layer_of("nowhere.asc", 0);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  CHECK(state_of(layer).flags == WARNING && state_of(layer).error.status == ALD_STATUS_NOT_READY);
  CHECK(holds_text(state_of(layer).error.message, "ald_layer_set_spatial_reference"));
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
  CHECK_OK(ald_group_layer_add(outer, inner, &error), &error);
  for (int i = 0; i < 3; i++) {
    layers[i] = layer_of(i == 1 ? "missing.asc" : "good.asc", 1);
    CHECK_OK(ald_group_layer_add(i ? inner : outer, layers[i], &error), &error);
  }
  /* Outside of a map a group loads when it is asked to, and waits for all in it. */
  CHECK_OK(ald_layer_load(outer, &error), &error);
  for (int i = 0; i < 3; i++) {
    CHECK_OK(ald_layer_get_info(layers[i], &info, &error), &error);
    CHECK(info.load_status == (i == 1 ? ALD_FAILED_TO_LOAD : ALD_LOADED));
  }
  CHECK_OK(ald_layer_get_load_info(outer, &load, &error), &error);
  CHECK(load.status == ALD_LOADED && load.error.status == 0);
  CHECK_OK(ald_map_add_layer(map, outer, &error), &error);
  CHECK(state_of(outer).flags == ACTIVE && state_of(inner).flags == ACTIVE && state_of(layers[1]).flags == ERROR);
  /* A retry tries what has failed, and the groups load meanwhile. */
  write_grid("missing.asc");
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

static void remove_folder(void) {
  char command[300];
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
}

int main(int argc, char **argv) {
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  if (argc != 2 || !CHECK(mkdtemp(folder) != NULL) || !make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif")))
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

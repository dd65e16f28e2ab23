/* How groups load while layers come and go, how their loads are cancelled, what a map's retry tries again, and what
 * views report of it. */
#include "blocker.h"
#include "scene.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ACTIVE = ALD_LAYER_VIEW_ACTIVE, LOADING = ALD_LAYER_VIEW_LOADING, ERROR = ALD_LAYER_VIEW_ERROR };
static const char GRID[] = "ncols 2\nnrows 2\nxllcorner 440000\nyllcorner 3750000\ncellsize 10\n1 2\n3 4\n";
static const ald_spatial_reference none = {0};
/* How long a load may take that has nothing left to wait for. */
static const double PATIENCE_S = 10;

static scene stage;
static ald_error error;
static char late_path[64];

static ald_layer layer_of(const char *path) {
  ald_layer layer = {0};
  ald_raster_open_options options = ALD_RASTER_OPEN_OPTIONS_INIT;
  options.spatial_reference = stage.spatial_reference;
  CHECK_OK(ald_raster_layer_create_from_path(stage.runtime, path, &options, &layer, &error), &error);
  return layer;
}

static ald_layer group_of(ald_layer first) {
  ald_layer group = {0};
  CHECK_OK(ald_group_layer_create(stage.runtime, &group, &error), &error);
  if (first.id != 0)
    CHECK_OK(ald_group_layer_add_layer(group, first, &error), &error);
  return group;
}

static ald_load_status status_of(ald_layer layer) {
  ald_load_info info = ALD_LOAD_INFO_INIT;
  CHECK_OK(ald_layer_get_load_info(layer, &info, &error), &error);
  return info.status;
}

static ald_request load_of(ald_layer layer) {
  ald_request request = {0};
  CHECK_OK(ald_layer_load_async(layer, NULL, &request, &error), &error);
  return request;
}

/* Waits for a load and returns how it ended. Releases the request. */
static ald_request_state end_of(ald_request request) {
  for (int i = 0; i < PATIENCE_S * 100 && state_of(request) == ALD_REQUEST_STATE_PENDING; i++)
    sleep_ms(10);
  const ald_request_state state = state_of(request);
  ald_request_release(request);
  return state;
}

static void write_late(void) {
  FILE *file = fopen(late_path, "wb");
  if (CHECK(file != NULL))
    CHECK(fwrite(GRID, 1, sizeof GRID - 1, file) == sizeof GRID - 1 && fclose(file) == 0);
}

/* A group does not wait for what has left it, whether by itself or in an inner group. */
static void test_leaving(void) {
  blocker blocker;
  const ald_layer layer = layer_of(stage.path), inner = group_of(layer), outer = group_of(inner);
  if (!block_workers(&blocker, stage.runtime, NULL))
    return;
  const ald_request first = load_of(outer), second = load_of(inner);
  CHECK(status_of(outer) == ALD_LOAD_STATUS_LOADING && status_of(inner) == ALD_LOAD_STATUS_LOADING);
  CHECK_OK(ald_group_layer_remove_layer(outer, inner, &error), &error);
  CHECK(state_of(first) == ALD_REQUEST_STATE_SUCCEEDED && state_of(second) == ALD_REQUEST_STATE_PENDING);
  CHECK_OK(ald_group_layer_remove_layer(inner, layer, &error), &error);
  CHECK(state_of(second) == ALD_REQUEST_STATE_SUCCEEDED && status_of(layer) == ALD_LOAD_STATUS_LOADING);
  unblock_workers(&blocker);
  end_blocker(&blocker);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  ald_request_release(first);
  ald_request_release(second);
  ald_layer_release(outer);
  ald_layer_release(inner);
  ald_layer_release(layer);
}

/* What comes into a group that loads is loaded, too, however deep it comes in. */
static void test_joining(void) {
  blocker blocker;
  const ald_layer layer = layer_of(stage.path), inner = group_of(layer), outer = group_of(inner);
  const ald_layer late = layer_of(stage.path), last = layer_of(stage.path);
  const ald_layer late_group = group_of(last);
  if (!block_workers(&blocker, stage.runtime, NULL))
    return;
  const ald_request request = load_of(outer);
  CHECK_OK(ald_group_layer_add_layer(inner, late, &error), &error);
  CHECK_OK(ald_group_layer_insert_layer(inner, late_group, 0, &error), &error);
  CHECK(status_of(late) == ALD_LOAD_STATUS_LOADING && status_of(last) == ALD_LOAD_STATUS_LOADING);
  unblock_workers(&blocker);
  end_blocker(&blocker);
  CHECK(end_of(request) == ALD_REQUEST_STATE_SUCCEEDED);
  CHECK(status_of(late) == ALD_LOAD_STATUS_LOADED && status_of(last) == ALD_LOAD_STATUS_LOADED &&
        status_of(outer) == ALD_LOAD_STATUS_LOADED);
  ald_layer_release(outer);
  ald_layer_release(inner);
  ald_layer_release(late_group);
  ald_layer_release(late);
  ald_layer_release(last);
  ald_layer_release(layer);
}

/* Cancelling a group's load cancels the loads of its layers, and whoever waits for the group is notified. The group
 * itself has not failed: it is the sum of what is in it. */
static void test_cancel(void) {
  blocker blocker;
  ald_request_info info = ALD_REQUEST_INFO_INIT;
  const ald_layer layer = layer_of(stage.path), group = group_of(layer);
  if (!block_workers(&blocker, stage.runtime, NULL))
    return;
  const ald_request request = load_of(group);
  CHECK_OK(ald_layer_cancel_load(group, &error), &error);
  CHECK_OK(ald_request_get_info(request, &info, &error), &error);
  CHECK(info.state == ALD_REQUEST_STATE_CANCELLED && info.status == ALD_STATUS_CANCELLED);
  CHECK(status_of(layer) == ALD_LOAD_STATUS_FAILED_TO_LOAD && status_of(group) == ALD_LOAD_STATUS_LOADED);
  CHECK_STATUS(ald_layer_load(layer, &error), ALD_STATUS_CANCELLED);
  CHECK(holds_text(error.message, "Retry"));
  CHECK_OK(ald_layer_load(group, &error), &error);
  CHECK(status_of(layer) == ALD_LOAD_STATUS_FAILED_TO_LOAD);
  unblock_workers(&blocker);
  end_blocker(&blocker);
  CHECK_OK(ald_layer_retry_load(group, &error), &error);
  CHECK(status_of(layer) == ALD_LOAD_STATUS_LOADED);
  ald_request_release(request);
  ald_layer_release(group);
  ald_layer_release(layer);
}

/* A map whose load was cancelled can be loaded again, although its layers went on meanwhile. */
static void test_cancelled_map(void) {
  blocker blocker;
  ald_map map;
  ald_request request;
  const ald_layer layer = layer_of(stage.path);
  CHECK_OK(ald_map_create(stage.runtime, stage.spatial_reference, &map, &error), &error);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  if (!block_workers(&blocker, stage.runtime, NULL))
    return;
  CHECK_OK(ald_map_load_async(map, NULL, &request, &error), &error);
  CHECK_OK(ald_map_cancel_load(map, &error), &error);
  CHECK(end_of(request) == ALD_REQUEST_STATE_CANCELLED && status_of(layer) == ALD_LOAD_STATUS_LOADING);
  unblock_workers(&blocker);
  end_blocker(&blocker);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  /* Until the map, too, is notified of the layer's end. */
  sleep_ms(50);
  CHECK_OK(ald_map_retry_load_async(map, NULL, &request, &error), &error);
  CHECK(end_of(request) == ALD_REQUEST_STATE_SUCCEEDED);
  ald_map_release(map);
  ald_layer_release(layer);
}

/* A map that is loaded has its failed layers tried again, and those with trouble. */
static void test_map_retry(void) {
  ald_map map;
  ald_view view;
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  ald_layer_view_flags flags = 0;
  ald_cell cell;
  options.width_dip = options.height_dip = 100;
  const ald_layer layer = layer_of(late_path);
  unlink(late_path);
  CHECK_OK(ald_map_create(stage.runtime, stage.spatial_reference, &map, &error), &error);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  CHECK_OK(ald_map_load(map, &error), &error);
  CHECK(status_of(layer) == ALD_LOAD_STATUS_FAILED_TO_LOAD);
  write_late();
  CHECK_OK(ald_map_load(map, &error), &error);
  CHECK(status_of(layer) == ALD_LOAD_STATUS_FAILED_TO_LOAD);
  CHECK_OK(ald_map_retry_load(map, &error), &error);
  CHECK(status_of(layer) == ALD_LOAD_STATUS_LOADED);
  CHECK_OK(ald_view_create(map, &options, &view, &error), &error);
  CHECK_OK(ald_view_set_center(view, (ald_point){440015, 3750005}, none, &error), &error);
  CHECK_OK(ald_view_set_scale(view, 100, &error), &error);
  unlink(late_path);
  CHECK_STATUS(ald_view_read_cell(view, layer, (ald_point){50, 50}, &cell, NULL, 0, &error), ALD_STATUS_READ_FAILED);
  CHECK_OK(ald_view_get_layer_states(view, &layer, 1, &flags, &error), &error);
  CHECK(flags == ERROR);
  write_late();
  CHECK_OK(ald_map_retry_load(map, &error), &error);
  CHECK_OK(ald_view_get_layer_states(view, &layer, 1, &flags, &error), &error);
  CHECK(flags == ACTIVE);
  ald_view_release(view);
  ald_map_release(map);
  ald_layer_release(layer);
}

/* A layer without a box takes nothing from the box of the group. */
static void test_extent(void) {
  ald_envelope alone, all;
  const ald_layer layer = layer_of(stage.path), missing = layer_of("/nowhere/missing.tif"), group = group_of(missing);
  CHECK_STATUS(ald_layer_get_full_extent(group, stage.spatial_reference, &all, &error), ALD_STATUS_NOT_READY);
  CHECK_OK(ald_group_layer_add_layer(group, layer, &error), &error);
  CHECK_OK(ald_layer_load(group, &error), &error);
  CHECK_OK(ald_layer_get_full_extent(layer, stage.spatial_reference, &alone, &error), &error);
  CHECK_OK(ald_layer_get_full_extent(group, stage.spatial_reference, &all, &error), &error);
  CHECK(alone.x_min == all.x_min && alone.y_min == all.y_min && alone.x_max == all.x_max && alone.y_max == all.y_max);
  ald_layer_release(group);
  ald_layer_release(layer);
  ald_layer_release(missing);
}

/* When a layer leaves a group, the view reports without being asked that the group no longer loads. */
static void test_event_of_leaving(void) {
  enum { MOST = 64 };
  static ald_event events[MOST];
  blocker blocker;
  size_t count = 0, told = 0;
  ald_layer_view_flags flags = 0;
  const ald_layer layer = layer_of(stage.path), group = group_of(layer);
  if (!block_workers(&blocker, stage.runtime, NULL))
    return;
  CHECK_OK(ald_map_add_layer(stage.map, group, &error), &error);
  CHECK_OK(ald_view_get_layer_states(stage.view, &group, 1, &flags, &error), &error);
  CHECK(flags == (ACTIVE | LOADING));
  CHECK_OK(ald_runtime_poll_events(stage.runtime, events, MOST, &count, &error), &error);
  CHECK_OK(ald_group_layer_remove_layer(group, layer, &error), &error);
  CHECK_OK(ald_runtime_poll_events(stage.runtime, events, MOST, &count, &error), &error);
  for (size_t i = 0; i < count; i++)
    told += events[i].kind == ALD_EVENT_KIND_LAYER_VIEW_STATE_CHANGED && events[i].view.id == stage.view.id &&
            events[i].layer.id == group.id && events[i].layer_view_state == ACTIVE;
  CHECK(told == 1);
  CHECK_OK(ald_map_remove_layer(stage.map, group, &error), &error);
  unblock_workers(&blocker);
  end_blocker(&blocker);
  ald_layer_release(group);
  ald_layer_release(layer);
}

/* The generation rises with whatever changes. */
static void test_generation(void) {
  ald_layer_info before = ALD_LAYER_INFO_INIT, now = ALD_LAYER_INFO_INIT;
  const ald_layer a = layer_of(stage.path), b = layer_of(stage.path), group = group_of(a);
  CHECK_OK(ald_group_layer_add_layer(group, b, &error), &error);
  CHECK_OK(ald_layer_get_info(b, &before, &error), &error);
  CHECK_OK(ald_group_layer_move_layer(group, b, 0, &error), &error);
  CHECK_OK(ald_layer_get_info(b, &now, &error), &error);
  CHECK(now.generation > before.generation);
  CHECK_OK(ald_layer_load(b, &error), &error);
  CHECK_OK(ald_layer_get_info(b, &before, &error), &error);
  CHECK(before.generation > now.generation);
  CHECK_OK(ald_layer_set_spatial_reference(b, stage.spatial_reference, &error), &error);
  CHECK_OK(ald_layer_get_info(b, &now, &error), &error);
  CHECK(now.generation > before.generation);
  ald_layer_release(group);
  ald_layer_release(a);
  ald_layer_release(b);
}

static atomic_int is_over;

static void *toggle(void *argument) {
  const ald_layer *layers = argument;
  ald_request request;
  while (!atomic_load(&is_over)) {
    ald_layer_set_visible(layers[0], 0, NULL);
    ald_layer_set_visible(layers[0], 1, NULL);
    if (ald_layer_retry_load_async(layers[1], NULL, &request, NULL) == ALD_STATUS_OK)
      ald_request_release(request);
    ald_layer_cancel_load(layers[1], NULL);
  }
  return NULL;
}

/* A state and its cause are of one moment, whatever other threads do. */
static void test_torn_states(void) {
  enum { READS = 200000 };
  pthread_t thread;
  ald_layer_view_state state = ALD_LAYER_VIEW_STATE_INIT;
  size_t causeless = 0, hidden = 0, failed = 0;
  const ald_layer missing = layer_of("/nowhere/missing.tif");
  const ald_layer layers[] = {stage.layer, missing};
  CHECK_OK(ald_map_add_layer(stage.map, missing, &error), &error);
  atomic_store(&is_over, 0);
  CHECK(pthread_create(&thread, NULL, toggle, (void *)layers) == 0);
  for (int i = 0; i < READS || ((hidden == 0 || failed == 0) && i < 10 * READS); i++) {
    ald_view_get_layer_state(stage.view, layers[i % 2], &state, NULL);
    hidden += state.hidden_by.id != 0;
    failed += state.error.status != 0;
    causeless += (state.flags & ALD_LAYER_VIEW_NOT_VISIBLE) != 0 && state.hidden_by.id == 0;
    causeless += (state.flags & ERROR) != 0 && state.error.status == ALD_STATUS_OK;
  }
  atomic_store(&is_over, 1);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(causeless == 0 && hidden > 0 && failed > 0);
  CHECK_OK(ald_map_remove_layer(stage.map, missing, &error), &error);
  ald_layer_release(missing);
}

static size_t bytes_in_use(void) {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/* What comes back before anybody looks, and layers that have left a magnifier's view, leave nothing behind. */
static void test_memory(void) {
  enum { ROUNDS = 100000, LAYERS = 5000, LIMIT = 600000 };
  ald_magnifier magnifier;
  ald_view view;
  ald_event events[64];
  size_t count = 64;
  ald_layer_view_flags flags;
  ald_layer other = {0};
  CHECK_OK(ald_raster_layer_create(stage.raster, &other, &error), &error);
  CHECK_OK(ald_map_add_layer(stage.map, other, &error), &error);
  while (count == 64)
    CHECK_OK(ald_runtime_poll_events(stage.runtime, events, 64, &count, &error), &error);
  CHECK_OK(ald_layer_set_visible(other, 0, &error), &error);
  size_t before = bytes_in_use();
  for (int i = 0; i < ROUNDS; i++) {
    ald_layer_set_visible(stage.layer, 0, NULL);
    ald_layer_set_visible(stage.layer, 1, NULL);
  }
  CHECK(bytes_in_use() < before + LIMIT);
  CHECK_OK(ald_runtime_poll_events(stage.runtime, events, 64, &count, &error), &error);
  CHECK(count == 1 && events[0].layer.id == other.id);

  /* One layer has left. Its event is not lost when another layer leaves and comes back. */
  CHECK_OK(ald_layer_set_visible(other, 1, &error), &error);
  CHECK_OK(ald_runtime_poll_events(stage.runtime, events, 64, &count, &error), &error);
  CHECK_OK(ald_map_remove_layer(stage.map, other, &error), &error);
  for (int i = 0; i < LAYERS; i++) {
    ald_map_remove_layer(stage.map, stage.layer, NULL);
    ald_map_add_layer(stage.map, stage.layer, NULL);
  }
  CHECK_OK(ald_runtime_poll_events(stage.runtime, events, 64, &count, &error), &error);
  CHECK(count == 1 && events[0].layer.id == other.id && events[0].layer_view_state == 0 && events[0].dropped == 0);
  ald_layer_release(other);

  CHECK_OK(ald_magnifier_create(stage.view, NULL, &magnifier, &error), &error);
  CHECK_OK(ald_magnifier_get_view(magnifier, &view, &error), &error);
  before = bytes_in_use();
  for (int i = 0; i < LAYERS; i++) {
    ald_raster_layer_create(stage.raster, &other, NULL);
    ald_map_add_layer(stage.map, other, NULL);
    ald_view_get_layer_states(view, &other, 1, &flags, NULL);
    ald_map_remove_layer(stage.map, other, NULL);
    ald_layer_release(other);
  }
  CHECK(bytes_in_use() < before + LIMIT);
  ald_view_release(view);
  ald_magnifier_release(magnifier);
}

int main(int argc, char **argv) {
  if (argc != 2 || !make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif")))
    return finish();
  snprintf(late_path, sizeof late_path, "/tmp/alidade-late-%d.asc", (int)getpid());
  const uint64_t before = live_handles(stage.runtime);
  test_leaving();
  test_joining();
  test_cancel();
  test_cancelled_map();
  test_map_retry();
  test_extent();
  test_generation();
  CHECK(live_handles(stage.runtime) == before);
  test_event_of_leaving();
  test_torn_states();
  test_memory();
  release_scene(&stage);
  unlink(late_path);
  return finish();
}

/* Loading: a hundred waiters of four kinds, a thousand layers, cancelling, retrying, and releasing what is loading. */
#include "layer_files.h"
#include "scene.h"
#include "waiters.h"

#include <sys/wait.h>
#include <unistd.h>

enum { LAYERS = 1000 };

static scene stage;

/* Drains all events. Returns how many were of a layer's loading, and writes the last of them. */
static int drained(ald_runtime runtime, ald_layer layer, ald_event *out_last) {
  ald_event events[64];
  size_t count = 64;
  int found = 0;
  while (count == 64) {
    if (!CHECK_STATUS(ald_runtime_poll_events(runtime, events, 64, &count, NULL), ALD_STATUS_OK))
      return -1;
    for (size_t i = 0; i < count; i++)
      if (events[i].kind == ALD_EVENT_KIND_LOAD_STATUS_CHANGED && events[i].layer.id == layer.id) {
        CHECK(events[i].map.id == 0 && events[i].raster.id == 0);
        *out_last = events[i];
        found++;
      }
  }
  return found;
}

/* What the hundred wait for. */
static ald_layer shared_layer;
static int changes;

static ald_request begin_load(size_t number, const ald_request_options *options) {
  ald_error error;
  ald_request request = {0};
  (void)number;
  CHECK_OK(ald_layer_load_async(shared_layer, options, &request, &error), &error);
  const ald_load_info info = load_info_of(shared_layer);
  CHECK(info.status == ALD_LOAD_STATUS_LOADING && info.attempt_count == 1);
  return request;
}

static void *load_and_wait(void *argument) {
  return ald_layer_load(*(ald_layer *)argument, NULL) == ALD_STATUS_OK ? argument : NULL;
}

static void count_change(const ald_event *event) {
  CHECK(event->kind == ALD_EVENT_KIND_LOAD_STATUS_CHANGED);
  CHECK(event->layer.id == shared_layer.id && event->status == ALD_STATUS_OK);
  changes++;
}

static void test_hundred_waiters(const char *path) {
  const waiting waiting = {stage.runtime, begin_load, load_and_wait, &shared_layer, count_change};
  ald_request late;
  ald_error error;
  shared_layer = layer_of(stage.runtime, path, NULL);
  CHECK(load_info_of(shared_layer).status == ALD_LOAD_STATUS_NOT_LOADED &&
        load_info_of(shared_layer).attempt_count == 0);
  if (!tell_hundred_waiters(&waiting))
    return;
  CHECK(changes >= 1 && changes <= 2);
  for (size_t i = 0; i < WAITERS; i++) {
    ald_raster raster;
    CHECK_STATUS(ald_request_take_raster(waiters[i], &raster, NULL), ALD_STATUS_INVALID_ARGUMENT);
    ald_request_release(waiters[i]);
  }
  CHECK(load_info_of(shared_layer).status == ALD_LOAD_STATUS_LOADED && load_info_of(shared_layer).attempt_count == 1);
  /* A late request is notified at once. */
  CHECK_OK(ald_layer_load_async(shared_layer, NULL, &late, &error), &error);
  CHECK(state_of(late) == ALD_REQUEST_STATE_SUCCEEDED);
  ald_request_release(late);
  ald_layer_release(shared_layer);
}

/* Cancelling one wait leaves the others and the load alone; cancelling the load notifies everyone. */
static void test_cancel(const char *path) {
  blocker blocker;
  ald_request first, second, third;
  ald_request_info request = ALD_REQUEST_INFO_INIT;
  ald_error error;
  ald_event event;
  const ald_layer layer = layer_of(stage.runtime, path, NULL);
  CHECK_OK(ald_layer_cancel_load(layer, &error), &error);
  CHECK(load_info_of(layer).status == ALD_LOAD_STATUS_NOT_LOADED);
  if (!block_workers(&blocker, stage.runtime, NULL))
    return;
  CHECK_OK(ald_layer_load_async(layer, NULL, &first, &error), &error);
  CHECK_OK(ald_layer_load_async(layer, NULL, &second, &error), &error);
  CHECK_OK(ald_layer_retry_load_async(layer, NULL, &third, &error), &error);
  CHECK_OK(ald_request_cancel(first, &error), &error);
  ald_request_release(third);
  CHECK(state_of(first) == ALD_REQUEST_STATE_CANCELLED && state_of(second) == ALD_REQUEST_STATE_PENDING);
  CHECK(load_info_of(layer).status == ALD_LOAD_STATUS_LOADING);
  CHECK_OK(ald_layer_cancel_load(layer, &error), &error);
  const ald_load_info info = load_info_of(layer);
  CHECK(info.status == ALD_LOAD_STATUS_FAILED_TO_LOAD && info.error.status == ALD_STATUS_CANCELLED &&
        info.attempt_count == 1);
  CHECK_STATUS(ald_request_get_info(second, &request, NULL), ALD_STATUS_OK);
  CHECK(request.state == ALD_REQUEST_STATE_CANCELLED && request.status == ALD_STATUS_CANCELLED);
  CHECK(request.kind == ALD_REQUEST_KIND_LOAD);
  CHECK(drained(stage.runtime, layer, &event) == 1);
  CHECK(event.load_status == ALD_LOAD_STATUS_FAILED_TO_LOAD && event.status == ALD_STATUS_CANCELLED);
  /* It is not tried again by itself, only by a retry. */
  CHECK_STATUS(ald_layer_load(layer, &error), ALD_STATUS_CANCELLED);
  CHECK_OK(ald_layer_retry_load_async(layer, NULL, &third, &error), &error);
  CHECK(load_info_of(layer).status == ALD_LOAD_STATUS_LOADING && load_info_of(layer).error.status == ALD_STATUS_OK);
  unblock_workers(&blocker);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  CHECK(state_of(third) == ALD_REQUEST_STATE_SUCCEEDED && load_info_of(layer).attempt_count == 2);
  CHECK_OK(ald_layer_retry_load(layer, &error), &error);
  CHECK(load_info_of(layer).attempt_count == 2);
  ald_request_release(first);
  ald_request_release(second);
  ald_request_release(third);
  ald_layer_release(layer);
  end_blocker(&blocker);
}

/* What waits on threads of its own, by every function that waits. */
typedef struct sleeper {
  pthread_t thread;
  ald_layer layer;
  ald_raster raster;
  ald_map map;
  int is_retry;
  ald_status status;
} sleeper;

static void *sleep_until_loaded(void *argument) {
  sleeper *const self = argument;
  if (self->layer.id)
    self->status = (self->is_retry ? ald_layer_retry_load : ald_layer_load)(self->layer, NULL);
  else if (self->raster.id)
    self->status = (self->is_retry ? ald_raster_retry_load : ald_raster_load)(self->raster, NULL);
  else
    self->status = (self->is_retry ? ald_map_retry_load : ald_map_load)(self->map, NULL);
  return NULL;
}

/* A layer, a raster and a map are cancelled: their sleepers wake at once, and there is an event for each. */
static void test_cancel_wakes(const char *path) {
  enum { SLEEPERS = 6 };
  blocker blocker;
  ald_error error;
  ald_raster raster;
  ald_map map;
  sleeper sleepers[SLEEPERS] = {{0}};
  const ald_layer layer = layer_of(stage.runtime, path, NULL), member = layer_of(stage.runtime, path, NULL);
  ald_event event;
  drained(stage.runtime, layer, &event);
  CHECK_OK(ald_raster_create(stage.runtime, path, NULL, &raster, &error), &error);
  CHECK_OK(ald_map_create(stage.runtime, (ald_spatial_reference){0}, &map, &error), &error);
  CHECK_OK(ald_map_add_layer(map, member, &error), &error);
  if (!block_workers(&blocker, stage.runtime, NULL))
    return;
  for (int i = 0; i < SLEEPERS; i++) {
    sleepers[i].is_retry = i % 2;
    if (i / 2 == 0)
      sleepers[i].layer = layer;
    else if (i / 2 == 1)
      sleepers[i].raster = raster;
    else
      sleepers[i].map = map;
    CHECK(pthread_create(&sleepers[i].thread, NULL, sleep_until_loaded, &sleepers[i]) == 0);
  }
  ald_load_info layer_info = load_info_of(layer), raster_info = ALD_LOAD_INFO_INIT, map_info = ALD_LOAD_INFO_INIT;
  for (int i = 0; i < 5000; i++) {
    layer_info = load_info_of(layer);
    CHECK_STATUS(ald_raster_get_load_info(raster, &raster_info, NULL), ALD_STATUS_OK);
    CHECK_STATUS(ald_map_get_load_info(map, &map_info, NULL), ALD_STATUS_OK);
    if (layer_info.status == ALD_LOAD_STATUS_LOADING && raster_info.status == ALD_LOAD_STATUS_LOADING &&
        map_info.status == ALD_LOAD_STATUS_LOADING)
      break;
    sleep_ms(1);
  }
  /* The second of each two may still be on its way. */
  sleep_ms(100);
  CHECK_OK(ald_layer_cancel_load(layer, &error), &error);
  CHECK_OK(ald_raster_cancel_load(raster, &error), &error);
  CHECK_OK(ald_map_cancel_load(map, &error), &error);
  for (int i = 0; i < SLEEPERS; i++) {
    pthread_join(sleepers[i].thread, NULL);
    CHECK(sleepers[i].status == ALD_STATUS_CANCELLED);
  }
  /* The map's layer goes on. */
  CHECK(load_info_of(member).status == ALD_LOAD_STATUS_LOADING);
  ald_event events[16];
  size_t count = 0;
  int found = 0;
  CHECK_OK(ald_runtime_poll_events(stage.runtime, events, 16, &count, &error), &error);
  for (size_t i = 0; i < count; i++)
    if (events[i].kind == ALD_EVENT_KIND_LOAD_STATUS_CHANGED && events[i].status == ALD_STATUS_CANCELLED) {
      CHECK(events[i].load_status == ALD_LOAD_STATUS_FAILED_TO_LOAD);
      found |= (events[i].layer.id == layer.id ? 1 : 0) | (events[i].raster.id == raster.id ? 2 : 0) |
               (events[i].map.id == map.id ? 4 : 0);
    }
  CHECK(found == 7);
  unblock_workers(&blocker);
  CHECK_OK(ald_layer_load(member, &error), &error);
  CHECK_OK(ald_map_retry_load(map, &error), &error);
  CHECK_OK(ald_raster_retry_load(raster, &error), &error);
  CHECK_OK(ald_layer_retry_load(layer, &error), &error);
  ald_map_release(map);
  ald_layer_release(layer);
  ald_layer_release(member);
  ald_raster_release(raster);
  end_blocker(&blocker);
}

/* When nobody holds a layer, its load ends with it; whoever waits is notified. */
static void test_release_while_loading(const char *path) {
  blocker blocker;
  ald_request request;
  ald_request_info info = ALD_REQUEST_INFO_INIT;
  ald_error error;
  ald_event event;
  const uint64_t before = live_handles(stage.runtime);
  if (!block_workers(&blocker, stage.runtime, NULL))
    return;
  const ald_layer layer = layer_of(stage.runtime, path, NULL);
  CHECK_OK(ald_layer_load_async(layer, NULL, &request, &error), &error);
  ald_layer_release(layer);
  CHECK_STATUS(ald_request_get_info(request, &info, NULL), ALD_STATUS_OK);
  CHECK(info.state == ALD_REQUEST_STATE_CANCELLED && info.status == ALD_STATUS_CANCELLED);
  CHECK(drained(stage.runtime, layer, &event) == 0);
  ald_request_release(request);
  unblock_workers(&blocker);
  end_blocker(&blocker);
  CHECK(live_handles(stage.runtime) == before);
}

/* The runtime goes while layers load, on workers and before them. */
static void test_release_runtime_while_loading(const char *path) {
  blocker blocker;
  ald_runtime runtime;
  ald_error error;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.thread_count = 2;
  for (int round = 0; round < 20; round++) {
    CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
    for (int i = 0; i < 50; i++) {
      ald_request request;
      CHECK_OK(ald_layer_load_async(layer_of(runtime, path, NULL), NULL, &request, &error), &error);
    }
    if (round % 2)
      sleep_ms((unsigned)round);
    ald_runtime_release(runtime);
  }
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  if (block_workers(&blocker, runtime, NULL)) {
    const ald_layer layer = layer_of(runtime, path, NULL);
    ald_request request;
    CHECK_OK(ald_layer_load_async(layer, NULL, &request, &error), &error);
    ald_runtime_release(runtime);
    CHECK_STATUS(ald_layer_load(layer, NULL), ALD_STATUS_INVALID_HANDLE);
    unblock_workers(&blocker);
    end_blocker(&blocker);
  }
}

/* A view begins to load the layers of its map, those added before it and after it. */
static void test_thousand_layers(const char *path) {
  ald_error error;
  ald_map map;
  ald_view view;
  static ald_layer layers[LAYERS];
  const uint64_t before = live_handles(stage.runtime);
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = 100;
  options.height_dip = 100;
  CHECK_OK(ald_map_create(stage.runtime, (ald_spatial_reference){0}, &map, &error), &error);
  for (size_t i = 0; i < LAYERS; i++)
    layers[i] = layer_of(stage.runtime, path, NULL);
  for (size_t i = 0; i < LAYERS / 2; i++)
    CHECK_OK(ald_map_add_layer(map, layers[i], &error), &error);
  CHECK(load_info_of(layers[0]).status == ALD_LOAD_STATUS_NOT_LOADED);
  CHECK_OK(ald_view_create(map, &options, &view, &error), &error);
  for (size_t i = LAYERS / 2; i < LAYERS; i++)
    CHECK_OK(ald_map_add_layer(map, layers[i], &error), &error);
  for (size_t i = 0; i < LAYERS; i++)
    CHECK(load_info_of(layers[i]).status != ALD_LOAD_STATUS_NOT_LOADED);
  CHECK_OK(ald_map_load(map, &error), &error);
  for (size_t i = 0; i < LAYERS; i++)
    CHECK(load_info_of(layers[i]).status == ALD_LOAD_STATUS_LOADED && load_info_of(layers[i]).attempt_count == 1);
  ald_spatial_reference reference;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  CHECK_OK(ald_map_get_spatial_reference(map, &reference, &error), &error);
  CHECK_OK(ald_view_get_state(view, &state, &error), &error);
  for (size_t i = 0; i < LAYERS; i++)
    ald_layer_release(layers[i]);
  ald_view_release(view);
  ald_map_release(map);
  ald_event event;
  drained(stage.runtime, layers[0], &event);
  CHECK(live_handles(stage.runtime) == before);
}

int main(int argc, char **argv) {
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    test_hundred_waiters(stage.path);
    test_cancel(stage.path);
    test_cancel_wakes(stage.path);
    test_release_while_loading(stage.path);
    test_release_runtime_while_loading(stage.path);
    test_thousand_layers(stage.path);
    release_scene(&stage);
  }
  return finish();
}

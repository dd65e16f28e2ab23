/* Requests: a hundred waiters of four kinds, cancelling, what is kept of the moment of the call, and long runs. */
#include "scene.h"
#include "waiters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 100000 };

static scene stage;

static ald_point point_of(size_t number) {
  return (ald_point){5.0 + (double)(number * 37 % 190), 5.0 + (double)(number * 11 % 90)};
}

static ald_request begin_identify(size_t number, const ald_request_options *options) {
  ald_error error;
  ald_request request;
  CHECK_OK(
      ald_view_identify_layer_async(stage.view, stage.layer, point_of(number), 0, 0, NULL, options, &request, &error),
      &error);
  return request;
}

/* The text of the first element; "" if there is none. The result is released. */
static void text_of(ald_identify_result result, char text[512]) {
  ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
  text[0] = '\0';
  if (CHECK_STATUS(ald_identify_result_get_element_at(result, 0, &element, NULL), ALD_STATUS_OK))
    snprintf(text, 512, "%s", element.text);
  ald_identify_result_release(result);
}

/* Takes what a request has found; it must be what the call that waits finds at that point. */
static void check_result(ald_request request, size_t number) {
  ald_error error;
  ald_identify_result result;
  char text[512], expected[512];
  if (!CHECK_OK(ald_request_take_identify_result(request, &result, &error), &error))
    return;
  text_of(result, text);
  CHECK_OK(ald_view_identify_layer(stage.view, stage.layer, point_of(number), 0, 0, NULL, &result, &error), &error);
  text_of(result, expected);
  CHECK(strlen(text) > 10 && strcmp(text, expected) == 0);
  CHECK_STATUS(ald_request_take_identify_result(request, &result, NULL), ALD_STATUS_INVALID_STATE);
  CHECK(result.id == 0);
}

static void test_hundred_waiters(void) {
  /* Twenty-five threads more wait for one and the same. */
  const waiting waiting = {stage.runtime, begin_identify, wait_for_end, &waiters[0], NULL};
  if (!tell_hundred_waiters(&waiting))
    return;
  for (size_t i = 0; i < WAITERS; i++) {
    check_result(waiters[i], i);
    ald_request_release(waiters[i]);
  }
}

static void check_cancelled(ald_request request) {
  ald_error error;
  ald_raster raster = {1};
  ald_request_state state = -1;
  ald_request_info info = ALD_REQUEST_INFO_INIT;
  CHECK_STATUS(ald_request_cancel(request, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_request_get_info(request, &info, NULL), ALD_STATUS_OK);
  CHECK(info.state == ALD_REQUEST_STATE_CANCELLED && info.status == ALD_STATUS_CANCELLED);
  CHECK_STATUS(ald_request_wait(request, 0, &state, NULL), ALD_STATUS_OK);
  CHECK(state == ALD_REQUEST_STATE_CANCELLED);
  CHECK_STATUS(ald_request_take_raster(request, &raster, &error), ALD_STATUS_CANCELLED);
  CHECK(raster.id == 0 && error.argument == 1);
  CHECK_STATUS(ald_request_cancel(request, NULL), ALD_STATUS_OK);
}

static void test_cancel(char **argv) {
  blocker blocker;
  ald_request queued, ended;
  ald_raster raster;
  ald_request_state state = -1;
  const uint64_t before = live_handles(stage.runtime);
  const char *path = raster_path(argv, "red.tif");
  CHECK_STATUS(ald_raster_open_async(stage.runtime, path, NULL, NULL, &ended, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_request_wait(ended, ALD_ALL, &state, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_request_cancel(ended, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_request_take_raster(ended, &raster, NULL), ALD_STATUS_OK);
  CHECK(state_of(ended) == ALD_REQUEST_STATE_SUCCEEDED);
  ald_raster_release(raster);
  ald_request_release(ended);
  if (!block_workers(&blocker, stage.runtime, NULL))
    return;
  CHECK_STATUS(ald_raster_open_async(stage.runtime, path, NULL, NULL, &queued, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_request_take_raster(queued, &raster, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_request_wait(queued, 1, &state, NULL), ALD_STATUS_OK);
  CHECK(state == ALD_REQUEST_STATE_PENDING);
  check_cancelled(queued);
  for (unsigned i = 0; i < blocker.count; i++)
    check_cancelled(blocker.requests[i]); /* each sits in a driver */
  ald_request_release(queued);
  unblock_workers(&blocker);
  end_blocker(&blocker);
  CHECK(live_handles(stage.runtime) == before);
}

/* Releasing a request without an event or a completion ends it, also for whoever waits for it on other threads. */
static void *wait_for_release(void *argument) {
  ald_request_state state = -1;
  const ald_status status = ald_request_wait(*(ald_request *)argument, 20000, &state, NULL);
  return status == ALD_STATUS_OK && state == ALD_REQUEST_STATE_CANCELLED ? argument : NULL;
}

static void test_release_while_waited_for(void) {
  blocker blocker;
  pthread_t thread;
  void *end = NULL;
  size_t count = 99;
  if (!block_workers(&blocker, stage.runtime, NULL))
    return;
  ald_request request = begin_identify(0, NULL);
  CHECK(pthread_create(&thread, NULL, wait_for_release, &request) == 0);
  sleep_ms(100);
  ald_request_release(request);
  CHECK_STATUS(ald_runtime_poll_events(stage.runtime, NULL, 0, &count, NULL), ALD_STATUS_OK);
  CHECK(count == 0);
  pthread_join(thread, &end);
  CHECK(end != NULL);
  unblock_workers(&blocker);
  end_blocker(&blocker);
}

/* A request's result is true for the moment of its call, whatever becomes of view, layer and folder meanwhile. */
static void test_moment_of_call(char **argv) {
  blocker blocker;
  scene other;
  ald_error error;
  ald_request identify, open;
  ald_identify_result result;
  ald_raster raster;
  ald_request_state state = -1;
  char text[512], expected[512], folder[4096], absolute[4096];
  CHECK(realpath(argv[1], absolute) != NULL && getcwd(folder, sizeof folder) != NULL);
  if (!make_scene(&other, raster_path(argv, "Shasta_Elevation.tif")) || !block_workers(&blocker, other.runtime, NULL))
    return;
  CHECK_OK(ald_view_identify_layer(other.view, other.layer, SCENE_MIDDLE, 0, 0, NULL, &result, &error), &error);
  text_of(result, expected);
  CHECK_OK(ald_view_identify_layer_async(other.view, other.layer, SCENE_MIDDLE, 0, 0, NULL, NULL, &identify, &error),
           &error);
  CHECK_STATUS(ald_view_set_rotation(other.view, 77, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_view_set_scale(other.view, 5000000, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_layer_set_visible(other.layer, 0, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_map_remove_layer(other.map, other.layer, NULL), ALD_STATUS_OK);
  ald_view_release(other.view);
  ald_layer_release(other.layer);
  ald_raster_release(other.raster);
  ald_map_release(other.map);
  CHECK(chdir(absolute) == 0);
  CHECK_OK(ald_raster_open_async(other.runtime, "red.tif", NULL, NULL, &open, &error), &error);
  CHECK(chdir("/") == 0);
  unblock_workers(&blocker);
  CHECK_STATUS(ald_request_wait(identify, ALD_ALL, &state, NULL), ALD_STATUS_OK);
  CHECK_OK(ald_request_take_identify_result(identify, &result, &error), &error);
  text_of(result, text);
  CHECK(strcmp(text, expected) == 0);
  CHECK_STATUS(ald_request_wait(open, ALD_ALL, &state, NULL), ALD_STATUS_OK);
  CHECK_OK(ald_request_take_raster(open, &raster, &error), &error);
  ald_raster_release(raster);
  ald_request_release(identify);
  ald_request_release(open);
  end_blocker(&blocker);
  CHECK(chdir(folder) == 0);
  ald_spatial_reference_release(other.spatial_reference);
  CHECK(live_handles(other.runtime) == 1);
  ald_runtime_release(other.runtime);
}

/* What cannot be opened says why when it is taken, as often as it is asked for. */
static void test_failure(void) {
  ald_error error;
  ald_request request;
  ald_raster raster;
  ald_identify_result result;
  ald_request_state state = -1;
  ald_request_info info = ALD_REQUEST_INFO_INIT;
  CHECK_STATUS(ald_raster_open_async(stage.runtime, "/no/such.tif", NULL, NULL, &request, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_request_wait(request, ALD_ALL, &state, NULL), ALD_STATUS_OK);
  CHECK(state == ALD_REQUEST_STATE_FAILED);
  CHECK_STATUS(ald_request_get_info(request, &info, NULL), ALD_STATUS_OK);
  CHECK(info.status == ALD_STATUS_NOT_FOUND && info.kind == ALD_REQUEST_KIND_OPEN_RASTER);
  CHECK_STATUS(ald_request_take_identify_result(request, &result, NULL), ALD_STATUS_INVALID_ARGUMENT);
  for (int i = 0; i < 2; i++) {
    CHECK_STATUS(ald_request_take_raster(request, &raster, &error), ALD_STATUS_NOT_FOUND);
    CHECK(holds_text(error.message, "/no/such.tif") && error.domain == ALD_ERROR_DOMAIN_SYSTEM);
  }
  ald_request_release(request);
}

/* A hundred thousand requests leave nothing behind, whoever hears of their ends. */
static void test_many(void) {
  const uint64_t before = live_handles(stage.runtime);
  ald_request *requests = calloc(MANY, sizeof *requests);
  ald_event *events = calloc(MANY, sizeof *events);
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  ald_pump_report report = ALD_PUMP_REPORT_INIT;
  atomic_int count = 0;
  size_t events_count = 0;
  uint64_t last = 0;
  CHECK(requests != NULL && events != NULL);
  options.completion = tell_waiter;
  options.user_data = &count;
  for (size_t i = 0; i < MANY; i++)
    ald_request_release(begin_identify(i, &options));
  for (unsigned called = 0, waits = 0; called < MANY && waits < 1000000; waits++) {
    uint32_t is_waiting = 0;
    CHECK_STATUS(ald_runtime_wait(stage.runtime, 1000, &is_waiting, NULL), ALD_STATUS_OK);
    CHECK_STATUS(ald_runtime_pump(stage.runtime, 0, &report, NULL), ALD_STATUS_OK);
    CHECK_STATUS(ald_runtime_poll_events(stage.runtime, events, MANY, &events_count, NULL), ALD_STATUS_OK);
    called += report.completion_count;
  }
  CHECK(atomic_load(&count) == MANY);
  CHECK(live_handles(stage.runtime) == before);
  CHECK_STATUS(ald_runtime_poll_events(stage.runtime, events, MANY, &events_count, NULL), ALD_STATUS_OK);
  for (size_t i = 0; i < MANY; i++)
    requests[i] = begin_identify(i, NULL);
  for (size_t i = 0; i < MANY; i++) {
    ald_request_state state = -1;
    if (ald_request_wait(requests[i], ALD_ALL, &state, NULL) != ALD_STATUS_OK || state != ALD_REQUEST_STATE_SUCCEEDED)
      CHECK(!"each request succeeds");
  }
  CHECK(live_handles(stage.runtime) == before + MANY);
  /* The events of those that are released before anybody drains are taken back. */
  for (size_t i = 0; i < MANY; i += 2)
    ald_request_release(requests[i]);
  CHECK_STATUS(ald_runtime_poll_events(stage.runtime, events, MANY, &events_count, NULL), ALD_STATUS_OK);
  CHECK(events_count == MANY / 2);
  for (size_t i = 0; i < events_count; i++) {
    if (events[i].sequence <= last || state_of(events[i].request) != ALD_REQUEST_STATE_SUCCEEDED)
      CHECK(!"events rise, and name requests that the host has");
    last = events[i].sequence;
  }
  for (size_t i = 1; i < MANY; i += 2)
    ald_request_release(requests[i]);
  CHECK(live_handles(stage.runtime) == before);
  free(requests);
  free(events);
}

int main(int argc, char **argv) {
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    test_hundred_waiters();
    test_cancel(argv);
    test_release_while_waited_for();
    test_moment_of_call(argv);
    test_failure();
    test_many();
    release_scene(&stage);
  }
  return finish();
}

/* Drag mode: a finger sends 120 points a second; the newest wins, and older requests end as cancelled, in order. */
#include "blocker.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 120, SECONDS = 3, POINTS = RATE * SECONDS, QUEUED = 5 };

static scene stage;

/* What the events said of each request. */
typedef struct ends {
  ald_request requests[POINTS];
  ald_request_state states[POINTS];
  /* The number of each request in the order of their ends. */
  size_t order[POINTS];
  size_t count;
} ends;

/* Where the finger is: it goes round over the raster. */
static ald_point finger(size_t number) {
  const double turn = (double)(number % 100);
  return (ald_point){20 + 1.6 * turn, 80 - 0.6 * turn};
}

static ald_request identify(ald_view view, size_t number, uint64_t key, ald_request_flags flags) {
  ald_error error;
  ald_request request;
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  options.replace_key = key;
  options.flags = flags;
  options.user_data = (void *)(uintptr_t)number;
  CHECK_OK(ald_view_identify_layer_async(view, stage.layer, finger(number), 0, 0, NULL, &options, &request, &error),
           &error);
  return request;
}

static void drain(ends *ends) {
  ald_event events[16];
  size_t count = 1;
  while (ald_runtime_poll_events(stage.runtime, events, 16, &count, NULL) == ALD_STATUS_OK && count > 0)
    for (size_t i = 0; i < count; i++) {
      const size_t number = (size_t)(uintptr_t)events[i].user_data;
      if (CHECK(events[i].kind == ALD_EVENT_KIND_REQUEST_FINISHED && number < POINTS && ends->count < POINTS)) {
        CHECK(ends->states[number] == ALD_REQUEST_STATE_PENDING); /* reported once */
        ends->states[number] = events[i].request_state;
        ends->order[ends->count++] = number;
      }
    }
}

static int is_same_answer(ald_identify_result a, ald_identify_result b) {
  ald_identify_element first = ALD_IDENTIFY_ELEMENT_INIT, second = ALD_IDENTIFY_ELEMENT_INIT;
  ald_identify_cell one = ALD_IDENTIFY_CELL_INIT, other = ALD_IDENTIFY_CELL_INIT;
  return ald_identify_result_get_element_at(a, 0, &first, NULL) == ALD_STATUS_OK &&
         ald_identify_result_get_element_at(b, 0, &second, NULL) == ALD_STATUS_OK &&
         ald_identify_result_get_cell_at(a, 0, &one, NULL) == ALD_STATUS_OK &&
         ald_identify_result_get_cell_at(b, 0, &other, NULL) == ALD_STATUS_OK && one.column == other.column &&
         one.row == other.row && strcmp(first.text, second.text) == 0 && strlen(first.text) > 10;
}

static void check_answer(ald_view view, ald_request request, size_t number) {
  ald_error error;
  ald_identify_result found = {0}, expected = {0};
  CHECK_OK(ald_request_take_identify_result(request, &found, &error), &error);
  CHECK_OK(ald_view_identify_layer(view, stage.layer, finger(number), 0, 0, NULL, &expected, &error), &error);
  CHECK(is_same_answer(found, expected));
  ald_identify_result_release(found);
  ald_identify_result_release(expected);
}

/* Three seconds of a finger; in the middle of them the workers are busy for a while, so that requests pile up. */
static void test_finger(ald_request_flags flags) {
  blocker blocker;
  size_t succeeded = 0, cancelled = 0, newest = 0;
  ends *ends = calloc(1, sizeof *ends);
  const uint64_t before = live_handles(stage.runtime);
  CHECK(ends != NULL);
  for (size_t i = 0; i < POINTS; i++) {
    if (i == POINTS / 3 && !block_workers(&blocker, stage.runtime, NULL))
      return;
    if (i == POINTS / 2) {
      for (unsigned k = 0; k < blocker.count; k++)
        ald_request_release(blocker.requests[k]);
      unblock_workers(&blocker);
    }
    ends->requests[i] = identify(stage.view, i, 7, flags);
    drain(ends);
    sleep_ms(1000 / RATE);
  }
  for (int i = 0; i < 1000 && ends->count < POINTS; i++) {
    sleep_ms(5);
    drain(ends);
  }
  CHECK(ends->count == POINTS);
  for (size_t i = 0; i < ends->count; i++) {
    CHECK(flags != 0 || ends->order[i] == i);
    /* Whatever is kept: no older request ends after a result, so that results come in order. */
    if (i > 0 && ends->order[i] < newest)
      CHECK(!"an older one ended after an answer");
    if (ends->states[ends->order[i]] == ALD_REQUEST_STATE_SUCCEEDED)
      newest = ends->order[i];
    succeeded += ends->states[i] == ALD_REQUEST_STATE_SUCCEEDED;
    cancelled += ends->states[i] == ALD_REQUEST_STATE_CANCELLED;
  }
  /* A sixth of the points fell into the time of the pile: all of those but the last were in vain. */
  CHECK(succeeded + cancelled == POINTS && cancelled >= POINTS / 6 - 1 && succeeded >= 2);
  for (size_t i = 0; i < POINTS; i++) {
    if (ends->states[i] == ALD_REQUEST_STATE_SUCCEEDED)
      check_answer(stage.view, ends->requests[i], i);
    ald_request_release(ends->requests[i]);
  }
  CHECK(ends->states[POINTS - 1] == ALD_REQUEST_STATE_SUCCEEDED);
  printf("of %d points %zu have results and %zu were replaced\n", POINTS, succeeded, cancelled);
  end_blocker(&blocker);
  CHECK(live_handles(stage.runtime) == before);
  free(ends);
}

/* Which requests replace each other: those with one key, of one kind, on one view. */
static void test_channels(void) {
  blocker blocker;
  ald_error error;
  ald_view other;
  ald_request requests[6];
  ald_request_state state;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  ald_view_state view_state = ALD_VIEW_STATE_INIT;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  size.width_dip = 2 * SCENE_MIDDLE.x;
  size.height_dip = 2 * SCENE_MIDDLE.y;
  CHECK_OK(ald_view_get_state(stage.view, &view_state, &error), &error);
  CHECK_OK(ald_view_create(stage.map, &size, &other, &error), &error);
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE;
  viewpoint.center = view_state.center;
  viewpoint.scale = view_state.scale;
  CHECK_OK(ald_view_set_viewpoint(other, &viewpoint, &error), &error);
  if (!block_workers(&blocker, stage.runtime, NULL))
    return;
  requests[0] = identify(stage.view, 0, 1, 0);
  requests[1] = identify(stage.view, 1, 2, 0);
  requests[2] = identify(other, 2, 1, 0);
  requests[3] = identify(stage.view, 3, 0, 0);
  requests[4] = identify(stage.view, 4, 1, 0);
  requests[5] = identify(stage.view, 5, 0, 0);
  CHECK(state_of(requests[0]) == ALD_REQUEST_STATE_CANCELLED);
  for (int i = 1; i < 6; i++)
    CHECK(state_of(requests[i]) == ALD_REQUEST_STATE_PENDING);
  unblock_workers(&blocker);
  for (size_t i = 1; i < 6; i++) {
    CHECK_STATUS(ald_request_wait(requests[i], ALD_ALL, &state, NULL), ALD_STATUS_OK);
    check_answer(i == 2 ? other : stage.view, requests[i], i);
  }
  for (int i = 0; i < 6; i++)
    ald_request_release(requests[i]);
  end_blocker(&blocker);
  ald_view_release(other);
}

/* Opening with a key: those that a worker is on are kept if they say so, and end before a newer one does. */
static void test_begun(ald_request_flags flags, const char *path) {
  blocker blocker;
  ald_request queued[QUEUED];
  ald_request_state state;
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  ald_raster raster;
  options.replace_key = 3;
  options.flags = flags;
  /* Those that open the slow file have keys of their own at first, so that all of them are begun. */
  if (!block_workers(&blocker, stage.runtime, flags != 0 ? &options : NULL))
    return;
  const unsigned last = blocker.count - 1;
  for (int i = 0; i < QUEUED; i++) {
    CHECK_STATUS(ald_raster_open_async(stage.runtime, path, NULL, &options, &queued[i], NULL), ALD_STATUS_OK);
    for (int k = 0; k < i; k++)
      CHECK(state_of(queued[k]) == ALD_REQUEST_STATE_CANCELLED);
    CHECK(state_of(blocker.requests[last]) == ALD_REQUEST_STATE_PENDING);
  }
  unblock_workers(&blocker);
  CHECK_STATUS(ald_request_wait(queued[QUEUED - 1], ALD_ALL, &state, NULL), ALD_STATUS_OK);
  CHECK(state == ALD_REQUEST_STATE_SUCCEEDED);
  if (flags != 0)
    for (unsigned i = 0; i < blocker.count; i++)
      CHECK(state_of(blocker.requests[i]) != ALD_REQUEST_STATE_PENDING);
  CHECK_STATUS(ald_request_take_raster(queued[QUEUED - 1], &raster, NULL), ALD_STATUS_OK);
  ald_raster_release(raster);
  for (int i = 0; i < QUEUED; i++)
    ald_request_release(queued[i]);
  end_blocker(&blocker);
}

/* Without the flag, a request that sits in a driver is replaced too. */
static void test_begun_is_replaced(const char *path) {
  blocker blocker;
  ald_request first, second;
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  ald_event events[8];
  size_t count = 0;
  options.replace_key = 4;
  if (!block_workers(&blocker, stage.runtime, NULL))
    return;
  CHECK_STATUS(ald_raster_open_async(stage.runtime, blocker.path, NULL, &options, &first, NULL), ALD_STATUS_OK);
  for (unsigned i = 0; i < blocker.count; i++)
    ald_request_release(blocker.requests[i]);
  CHECK_STATUS(ald_raster_open_async(stage.runtime, path, NULL, &options, &second, NULL), ALD_STATUS_OK);
  CHECK(state_of(first) == ALD_REQUEST_STATE_CANCELLED);
  CHECK_STATUS(ald_runtime_poll_events(stage.runtime, events, 8, &count, NULL), ALD_STATUS_OK);
  CHECK(count == 1 && events[0].request.id == first.id && events[0].status == ALD_STATUS_CANCELLED);
  unblock_workers(&blocker);
  ald_request_release(first);
  ald_request_release(second);
  end_blocker(&blocker);
}

static void drop_events(void) {
  ald_event event;
  size_t count = 1;
  while (ald_runtime_poll_events(stage.runtime, &event, 1, &count, NULL) == ALD_STATUS_OK && count > 0)
    continue;
}

int main(int argc, char **argv) {
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    test_finger(0);
    drop_events();
    test_finger(ALD_REQUEST_KEEP_BEGUN);
    drop_events();
    test_channels();
    drop_events();
    test_begun(0, raster_path(argv, "red.tif"));
    drop_events();
    test_begun(ALD_REQUEST_KEEP_BEGUN, raster_path(argv, "red.tif"));
    drop_events();
    test_begun_is_replaced(raster_path(argv, "red.tif"));
    drop_events();
    release_scene(&stage);
  }
  return finish();
}

/* Gestures and time as a C host gives them: what is refused, what an event holds, and that a frame in which nothing
 * changes takes no memory. */
#include "scene.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

static scene stage;

#ifndef HAS_SANITIZER
/* The library's calls of malloc come here as well: a program's own one is everybody's. */
static atomic_ulong allocations;
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  allocations++;
  return __libc_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  allocations++;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : 12;
}
#endif

/* Takes all events; returns how many of a kind there were, and writes the last of them. */
static int take_events(ald_event_kind kind, ald_event *last) {
  static ald_event events[256];
  ald_error error;
  size_t count = 0;
  int found = 0;
  CHECK_OK(ald_runtime_poll_events(stage.runtime, events, 256, &count, &error), &error);
  for (size_t i = 0; i < count; i++)
    if (events[i].kind == kind) {
      found++;
      *last = events[i];
    }
  return found;
}

static ald_view_state state_of(ald_view view) {
  ald_error error;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  CHECK_OK(ald_view_get_state(view, &state, &error), &error);
  return state;
}

static void test_events(void) {
  ald_error error;
  ald_event event;
  int marker = 0;
  (void)state_of(stage.view);
  take_events(ALD_EVENT_KIND_LOG, &event);
  CHECK_OK(ald_view_handle_touch(stage.view, 1, ALD_TOUCH_PHASE_BEGAN, (ald_point){50, 25}, 0, &error), &error);
  CHECK_OK(ald_view_handle_touch(stage.view, 1, ALD_TOUCH_PHASE_ENDED, (ald_point){50, 25}, 0.05, &error), &error);
  CHECK(take_events(ALD_EVENT_KIND_GESTURE, &event) == 1);
  const ald_view_state state = state_of(stage.view);
  CHECK(event.view.id == stage.view.id && event.gesture == ALD_GESTURE_KIND_TAP && event.status == ALD_STATUS_OK);
  CHECK(event.cause == ALD_NAVIGATION_CAUSE_GESTURE && event.gesture_phase == ALD_GESTURE_PHASE_AT_ONCE);
  CHECK(event.screen_point.x == 50 && event.screen_point.y == 25);
  CHECK(fabs(event.map_point.x - (state.center.x - 50 * state.units_per_dip)) < 1e-6);
  CHECK(fabs(event.map_point.y - (state.center.y + 25 * state.units_per_dip)) < 1e-6);

  ald_viewpoint there = ALD_VIEWPOINT_INIT;
  there.fields = ALD_VIEWPOINT_HAS_SCALE;
  there.scale = 1000;
  ald_animation_options options = ALD_ANIMATION_OPTIONS_INIT;
  options.user_data = &marker;
  CHECK_OK(ald_view_animate_to(stage.view, &there, NULL, &options, &error), &error);
  CHECK_OK(ald_view_advance(stage.view, 0.1, &error), &error);
  ald_navigation_state moving = ALD_NAVIGATION_STATE_INIT;
  CHECK_OK(ald_view_get_navigation_state(stage.view, &moving, &error), &error);
  CHECK(moving.is_navigating == 1 && moving.cause == ALD_NAVIGATION_CAUSE_ANIMATION && moving.needs_time == 1);
  CHECK_OK(ald_view_stop(stage.view, &error), &error);
  CHECK(take_events(ALD_EVENT_KIND_NAVIGATION_ENDED, &event) == 1);
  CHECK(event.status == ALD_STATUS_CANCELLED && event.user_data == &marker);
  CHECK_OK(ald_view_advance(stage.view, 10, &error), &error);
  CHECK(take_events(ALD_EVENT_KIND_VIEWPOINT_CHANGED, &event) == 0);
}

static void test_old_events_make_room(void) {
  ald_error error;
  ald_event events[64], event;
  size_t count = 0;
  take_events(ALD_EVENT_KIND_LOG, &event);
  for (int i = 0; i < 5000; i++)
    CHECK_OK(ald_view_set_center(stage.view, (ald_point){i, 0}, (ald_spatial_reference){0}, &error), &error);
  CHECK_OK(ald_runtime_poll_events(stage.runtime, NULL, 0, &count, &error), &error);
  /* Three for each call, of which 4096 are kept, and one for the viewpoint. */
  CHECK(count == 4096 + 1);
  CHECK_OK(ald_runtime_poll_events(stage.runtime, events, 64, &count, &error), &error);
  CHECK(events[0].kind == ALD_EVENT_KIND_VIEWPOINT_CHANGED && events[0].dropped == 0);
  CHECK(events[1].dropped == 3 * 5000 - 4096 && events[2].dropped == 0);
  do {
    take_events(ALD_EVENT_KIND_LOG, &event);
    CHECK_OK(ald_runtime_poll_events(stage.runtime, NULL, 0, &count, &error), &error);
  } while (count);
}

static void test_time(void) {
  ald_error error;
  const ald_view_state before = state_of(stage.view);
  const double wrong[] = {-1, -1e-300, NAN, INFINITY, -INFINITY, 1e10};
  CHECK_OK(ald_view_handle_wheel(stage.view, SCENE_MIDDLE, 1, &error), &error);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    CHECK_STATUS(ald_view_advance(stage.view, wrong[i], &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_view_advance(stage.view, 0, &error), &error);
  CHECK_OK(ald_view_advance(stage.view, 3600, &error), &error);
  const ald_view_state after = state_of(stage.view);
  CHECK(fabs(after.scale * 2 - before.scale) < 1e-6 * before.scale);
  /* A clock that goes back. */
  CHECK_OK(ald_view_handle_touch(stage.view, 1, ALD_TOUCH_PHASE_BEGAN, (ald_point){10, 10}, 1e10, &error), &error);
  CHECK_OK(ald_view_handle_touch(stage.view, 1, ALD_TOUCH_PHASE_MOVED, (ald_point){60, 10}, -1e10, &error), &error);
  CHECK_OK(ald_view_handle_touch(stage.view, 1, ALD_TOUCH_PHASE_ENDED, (ald_point){60, 10}, 0, &error), &error);
  CHECK(fabs(state_of(stage.view).center.x - (after.center.x - 50 * after.units_per_dip)) < 1e-6);
}

static void test_refusals(void) {
  ald_error error;
  ald_map map;
  ald_view view;
  ald_gesture gesture = ALD_GESTURE_INIT;
  gesture.kind = ALD_GESTURE_KIND_DRAG;
  gesture.phase = ALD_GESTURE_PHASE_CHANGED;
  gesture.point_dip = SCENE_MIDDLE;
  CHECK_STATUS(ald_view_handle_gesture(stage.view, &gesture, &error), ALD_STATUS_INVALID_STATE);
  gesture.phase = ALD_GESTURE_PHASE_AT_ONCE;
  CHECK_STATUS(ald_view_handle_gesture(stage.view, &gesture, &error), ALD_STATUS_INVALID_ARGUMENT);
  gesture.kind = ALD_GESTURE_KIND_WHEEL;
  CHECK_STATUS(ald_view_handle_gesture(stage.view, &gesture, &error), ALD_STATUS_INVALID_ARGUMENT);
  gesture.kind = ALD_GESTURE_KIND_TAP;

  /* A view that has nothing yet: time passes all the same. */
  const ald_viewpoint nowhere = ALD_VIEWPOINT_INIT;
  CHECK_OK(ald_map_create(stage.runtime, (ald_spatial_reference){0}, &map, &error), &error);
  CHECK_OK(ald_view_create(map, NULL, &view, &error), &error);
  CHECK_STATUS(ald_view_handle_touch(view, 1, ALD_TOUCH_PHASE_BEGAN, SCENE_MIDDLE, 0, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_handle_gesture(view, &gesture, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_handle_wheel(view, SCENE_MIDDLE, 1, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_handle_key(view, ALD_KEY_UP, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_animate_to(view, &nowhere, NULL, NULL, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_start_recording(view, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_replay(view, "alidade-navigation 1\nmap 1.0 -\n", 0, ALD_ALL, NULL, &error),
               ALD_STATUS_NOT_READY);
  CHECK_OK(ald_view_advance(view, 1, &error), &error);
  CHECK_OK(ald_view_stop(view, &error), &error);
  ald_view_release(view);
  ald_map_release(map);

  ald_spatial_reference degrees;
  CHECK_OK(ald_spatial_reference_create_from_code(stage.runtime, "EPSG", 4326, &degrees, &error), &error);
  ald_viewpoint pole = ALD_VIEWPOINT_INIT;
  pole.fields = ALD_VIEWPOINT_HAS_CENTER;
  pole.center = (ald_point){0, 91};
  pole.spatial_reference = degrees;
  const ald_view_state before = state_of(stage.view);
  CHECK_STATUS(ald_view_animate_to(stage.view, &pole, NULL, NULL, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK_OK(ald_view_advance(stage.view, 1, &error), &error);
  CHECK(state_of(stage.view).generation == before.generation);
  ald_spatial_reference_release(degrees);
}

/* A log begins at rest: a long press that is under way ends for the host, once. */
static void test_a_log_ends_a_long_press(void) {
  ald_error error;
  ald_event event;
  /* Forgets the clock that went back, too. */
  CHECK_OK(ald_view_start_recording(stage.view, &error), &error);
  take_events(ALD_EVENT_KIND_LOG, &event);
  CHECK_OK(ald_view_handle_touch(stage.view, 1, ALD_TOUCH_PHASE_BEGAN, (ald_point){50, 25}, 0, &error), &error);
  CHECK_OK(ald_view_advance(stage.view, 0.6, &error), &error);
  CHECK(take_events(ALD_EVENT_KIND_GESTURE, &event) == 1 && event.gesture_phase == ALD_GESTURE_PHASE_BEGAN);
  CHECK_OK(ald_view_start_recording(stage.view, &error), &error);
  CHECK(take_events(ALD_EVENT_KIND_GESTURE, &event) == 1 && event.gesture == ALD_GESTURE_KIND_LONG_PRESS);
  CHECK(event.gesture_phase == ALD_GESTURE_PHASE_CANCELLED && event.screen_point.x == 50 && event.screen_point.y == 25);
  CHECK_OK(ald_view_handle_touch(stage.view, 1, ALD_TOUCH_PHASE_ENDED, (ald_point){50, 25}, 1, &error), &error);
  CHECK(take_events(ALD_EVENT_KIND_GESTURE, &event) == 0);
  CHECK_OK(ald_view_stop_recording(stage.view, &error), &error);
}

static void test_logs(void) {
  ald_error error;
  char log[4096], small[8] = "abcdefg";
  size_t size = 0;
  uint64_t offset = 7;
  CHECK_STATUS(ald_view_get_recording(stage.view, log, sizeof log, NULL, &error), ALD_STATUS_INVALID_STATE);
  CHECK_OK(ald_view_start_recording(stage.view, &error), &error);
  /* A gesture that is refused leaves nothing in the log. */
  ald_gesture gesture = ALD_GESTURE_INIT;
  gesture.kind = ALD_GESTURE_KIND_DRAG;
  gesture.phase = ALD_GESTURE_PHASE_CHANGED;
  gesture.point_dip = SCENE_MIDDLE;
  CHECK_STATUS(ald_view_handle_gesture(stage.view, &gesture, &error), ALD_STATUS_INVALID_STATE);
  const ald_view_state first = state_of(stage.view);
  CHECK_OK(ald_view_handle_wheel(stage.view, (ald_point){3, 4}, 0.7, &error), &error);
  for (int i = 0; i < 30; i++)
    CHECK_OK(ald_view_advance(stage.view, 1.0 / 60, &error), &error);
  CHECK_STATUS(ald_view_get_recording(stage.view, small, sizeof small, &size, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(is_text(small, "abcdefg") && size > 100 && size < sizeof log);
  CHECK_OK(ald_view_get_recording(stage.view, log, sizeof log, NULL, &error), &error);
  CHECK(strlen(log) + 1 == size);
  CHECK_OK(ald_view_stop_recording(stage.view, &error), &error);
  const ald_view_state last = state_of(stage.view);

  CHECK_OK(ald_view_set_rotation(stage.view, 77, &error), &error);
  CHECK_OK(ald_view_replay(stage.view, log, 0, 1, &offset, &error), &error);
  CHECK(offset > 0 && offset < size - 1);
  CHECK_OK(ald_view_replay(stage.view, log, offset, ALD_ALL, &offset, &error), &error);
  const ald_view_state again = state_of(stage.view);
  CHECK(offset == size - 1 && memcmp(&again.center, &last.center, sizeof again.center) == 0);
  CHECK(again.scale == last.scale && again.rotation_deg == last.rotation_deg && again.scale != first.scale);

  offset = 7;
  CHECK_STATUS(ald_view_replay(stage.view, "something else", 0, ALD_ALL, &offset, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_replay(stage.view, log, 0, 0, &offset, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_replay(stage.view, "alidade-navigation 1\nmap 0.3048 -\n", 0, ALD_ALL, &offset, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(holds_text(error.message, "map 1.0 "));
  strcpy(strstr(log, "wheel"), "gesture 6 2 1 1 1 0 0 0\n");
  CHECK_STATUS(ald_view_replay(stage.view, log, 0, ALD_ALL, &offset, &error), ALD_STATUS_INVALID_STATE);
  CHECK(holds_text(error.message, "Line 7") && offset == 7);
}

static void test_a_log_has_a_limit(void) {
  ald_error error;
  ald_runtime runtime;
  ald_spatial_reference mercator;
  ald_map map;
  ald_view view;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_bytes = 1000;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  size.width_dip = size.height_dip = 100;
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, "EPSG", 3857, &mercator, &error), &error);
  CHECK_OK(ald_map_create(runtime, mercator, &map, &error), &error);
  CHECK_OK(ald_view_create(map, &size, &view, &error), &error);
  CHECK_OK(ald_view_set_center(view, (ald_point){0, 0}, mercator, &error), &error);
  CHECK_OK(ald_view_set_scale(view, 1000, &error), &error);
  CHECK_OK(ald_view_start_recording(view, &error), &error);
  char log[2000];
  CHECK_OK(ald_view_get_recording(view, log, sizeof log, NULL, &error), &error);
  for (int i = 0; i < 100; i++)
    CHECK_OK(ald_view_advance(view, 0.1, &error), &error);
  CHECK_STATUS(ald_view_get_recording(view, log, sizeof log, NULL, &error), ALD_STATUS_LIMIT_EXCEEDED);
  ald_runtime_release(runtime);
}

#ifndef HAS_SANITIZER
/* All that a host asks in a frame but its drawing. */
static void read_frame(ald_view lens, ald_magnifier magnifier, ald_callout callout) {
  ald_error error;
  ald_event events[16];
  size_t count = 0;
  double points[] = {1, 2, 3, 4};
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_navigation_state navigation = ALD_NAVIGATION_STATE_INIT;
  ald_magnifier_state magnified = ALD_MAGNIFIER_STATE_INIT;
  ald_callout_layout layout = ALD_CALLOUT_LAYOUT_INIT;
  ald_envelope box;
  CHECK_OK(ald_view_advance(stage.view, 1.0 / 60, &error), &error);
  CHECK_OK(ald_runtime_poll_events(stage.runtime, events, 16, &count, &error), &error);
  CHECK_OK(ald_view_get_state(stage.view, &state, &error), &error);
  CHECK_OK(ald_view_get_envelope(stage.view, &box, &error), &error);
  CHECK_OK(ald_view_screen_to_map(stage.view, points, 0, 2, points, 0, &error), &error);
  CHECK_OK(ald_view_map_to_screen(stage.view, points, 0, 2, points, 0, &error), &error);
  CHECK_OK(ald_view_get_navigation_state(stage.view, &navigation, &error), &error);
  CHECK_OK(ald_magnifier_get_state(magnifier, &magnified, &error), &error);
  CHECK_OK(ald_view_get_state(lens, &state, &error), &error);
  CHECK_OK(ald_callout_get_layout(callout, &layout, &error), &error);
}

/* With a callout that has to go round a magnifier. */
static void test_reading_a_still_frame_takes_no_memory(void) {
  ald_error error;
  ald_magnifier magnifier;
  ald_view lens;
  ald_callout callout;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_callout_options options = ALD_CALLOUT_OPTIONS_INIT;
  options.width_dip = 60;
  options.height_dip = 30;
  CHECK_OK(ald_magnifier_create(stage.view, NULL, &magnifier, &error), &error);
  CHECK_OK(ald_magnifier_get_view(magnifier, &lens, &error), &error);
  CHECK_OK(ald_magnifier_show_at(magnifier, SCENE_MIDDLE, &error), &error);
  CHECK_OK(ald_callout_create(stage.view, &options, &callout, &error), &error);
  CHECK_OK(ald_view_get_state(stage.view, &state, &error), &error);
  CHECK_OK(ald_callout_show_at(callout, state.center, (ald_spatial_reference){0}, "a", "b", 0, &error), &error);
  /* What waited before is drained, and what is made once is made. */
  for (int i = 0; i < 300; i++)
    read_frame(lens, magnifier, callout);
  const unsigned long before = allocations;
  for (int i = 0; i < 100; i++)
    read_frame(lens, magnifier, callout);
  CHECK(allocations == before);
  if (allocations != before)
    printf("%.2f allocations a frame\n", (double)(allocations - before) / 100);
  ald_callout_release(callout);
  ald_magnifier_release(magnifier);
}
#endif

static void test_a_still_frame_takes_no_memory(void) {
  /* A question for the build that hosts get: a sanitizer has a malloc of its own. */
#ifndef HAS_SANITIZER
  ald_error error;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  CHECK_OK(ald_view_advance(stage.view, 10, &error), &error);
  CHECK_OK(ald_view_get_state(stage.view, &state, &error), &error);
  const unsigned long before = allocations;
  free(malloc(10));
  CHECK(allocations == before + 1);
  for (int i = 0; i < 1000; i++)
    ald_view_advance(stage.view, 1.0 / 60, &error);
  CHECK(allocations == before + 1);
  CHECK_OK(ald_view_start_recording(stage.view, &error), &error);
  CHECK(allocations > before + 1); /* What the library takes is seen here. */
  CHECK_OK(ald_view_stop_recording(stage.view, &error), &error);
  /* Nor does one in which a finger rests on the screen. */
  CHECK_OK(ald_view_handle_touch(stage.view, 1, ALD_TOUCH_PHASE_BEGAN, SCENE_MIDDLE, 0, &error), &error);
  CHECK_OK(ald_view_advance(stage.view, 1, &error), &error);
  CHECK_OK(ald_view_advance(stage.view, 1, &error), &error);
  const unsigned long rested = allocations;
  for (int i = 0; i < 1000; i++)
    ald_view_advance(stage.view, 1.0 / 60, &error);
  CHECK(allocations == rested);
  CHECK_OK(ald_view_handle_touch(stage.view, 1, ALD_TOUCH_PHASE_ENDED, SCENE_MIDDLE, 9, &error), &error);
  test_reading_a_still_frame_takes_no_memory();
#endif
}

int main(int argc, char **argv) {
  (void)argc;
  if (make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    test_events();
    test_old_events_make_room();
    test_time();
    test_refusals();
    test_a_log_ends_a_long_press();
    test_logs();
    test_a_log_has_a_limit();
    test_a_still_frame_takes_no_memory();
    release_scene(&stage);
  }
  return finish();
}

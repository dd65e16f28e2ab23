/* Eight threads on the same objects and on their own: the same results as one thread gets, and nothing left over. */
#include "scene.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { THREADS = 8, ROUNDS = TRIES(150), POINTS = 64 };

static scene shared;
/* Of the shared view; every thread shows it, drags it and takes it away. */
static ald_callout callout;
/* What a single thread reads at the points of every round. */
static double points[2 * POINTS];
static ald_band_value expected[POINTS];
static atomic_int differences;
static atomic_int failures;

static void expect(int holds) {
  if (!holds)
    atomic_fetch_add(&failures, 1);
}

static ald_status read_points(ald_raster raster, ald_band_value values[POINTS]) {
  return ald_raster_read_points(raster, shared.spatial_reference, points, 0, POINTS, NULL, values, POINTS, NULL);
}

/* Reading with a raster, a map and a view that all threads share. */
static void use_shared_objects(unsigned round) {
  ald_band_value values[POINTS];
  ald_identify_result result;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  memset(values, 0, sizeof values);
  expect(read_points(shared.raster, values) == ALD_STATUS_OK);
  if (memcmp(values, expected, sizeof values) != 0)
    atomic_fetch_add(&differences, 1);
  expect(ald_view_set_rotation(shared.view, round, NULL) == ALD_STATUS_OK);
  expect(ald_view_get_state(shared.view, &state, NULL) == ALD_STATUS_OK);
  expect(ald_view_identify_layer(shared.view, shared.layer, SCENE_MIDDLE, 0, 0, NULL, &result, NULL) == ALD_STATUS_OK);
  ald_identify_result_release(result);
}

/* Whether a text is empty, or one letter as often as that letter stands for. */
static int is_whole(const char *text) {
  const size_t length = strlen(text);
  const char letter[2] = {text[0], '\0'};
  return length == 0 || (length == 1 + 12 * (size_t)(text[0] - 'a') && strspn(text, letter) == length);
}

/* What is read is of one moment, whoever shows the callout meanwhile. */
static void use_shared_callout(unsigned round) {
  char text[64];
  ald_callout_layout layout = ALD_CALLOUT_LAYOUT_INIT;
  ald_callout_action action = -1;
  const ald_spatial_reference own = {0};
  memset(text, 'a' + (int)(round % 5), sizeof text);
  text[1 + 12 * (round % 5)] = '\0';
  expect(ald_callout_show_at(callout, (ald_point){0, 0}, own, NULL, text, 0, NULL) == ALD_STATUS_OK);
  expect(ald_callout_set_size(callout, round, 10, NULL) == ALD_STATUS_OK);
  expect(ald_callout_drag_to(callout, SCENE_MIDDLE, (ald_identify_result){0}, &action, NULL) == ALD_STATUS_OK);
  expect(action == ALD_CALLOUT_ACTION_SHOWN_AGAIN || action == ALD_CALLOUT_ACTION_UNCHANGED);
  expect(ald_callout_get_layout(callout, &layout, NULL) == ALD_STATUS_OK);
  expect(layout.state == ALD_CALLOUT_STATE_HIDDEN ? layout.anchor_dip.x != layout.anchor_dip.x
                                                  : layout.anchor_dip.x == layout.leader_tip_dip.x);
  expect(ald_callout_get_text(callout, text, sizeof text, NULL, NULL) == ALD_STATUS_OK);
  expect(is_whole(text));
  if (round % 3 == 0)
    expect(ald_callout_dismiss(callout, NULL) == ALD_STATUS_OK);
}

/* Making, changing and releasing objects of its own in the shared runtime. */
static void use_own_objects(const char *path) {
  ald_raster raster;
  ald_layer layer;
  ald_map map;
  ald_view view;
  uint32_t count = 0;
  ald_band_value values[POINTS];
  memset(values, 0, sizeof values);
  expect(ald_raster_open(shared.runtime, path, NULL, &raster, NULL) == ALD_STATUS_OK);
  expect(ald_raster_layer_create(raster, &layer, NULL) == ALD_STATUS_OK);
  expect(ald_map_create(shared.runtime, (ald_spatial_reference){0}, &map, NULL) == ALD_STATUS_OK);
  expect(ald_map_add_layer(map, layer, NULL) == ALD_STATUS_OK);
  expect(ald_view_create(map, NULL, &view, NULL) == ALD_STATUS_OK);
  expect(ald_map_get_layer_count(map, &count, NULL) == ALD_STATUS_OK && count == 1);
  expect(read_points(raster, values) == ALD_STATUS_OK);
  if (memcmp(values, expected, sizeof values) != 0)
    atomic_fetch_add(&differences, 1);
  ald_layer_release(layer);
  ald_raster_release(raster);
  ald_map_release(map);
  ald_view_release(view);
}

/* Mistakes get their own error on every thread. */
static void make_mistakes(void) {
  ald_error error;
  ald_raster raster;
  expect(ald_raster_open(shared.runtime, "/no/such/file.tif", NULL, &raster, &error) == ALD_STATUS_NOT_FOUND);
  expect(holds_text(error.message, "/no/such/file.tif"));
  expect(ald_map_remove_layer(shared.map, (ald_layer){1}, &error) == ALD_STATUS_INVALID_HANDLE);
}

static void *work(void *path) {
  for (unsigned round = 0; round < ROUNDS; round++) {
    use_shared_objects(round);
    use_shared_callout(round);
    use_own_objects(path);
    make_mistakes();
  }
  return NULL;
}

/* One layer and many maps: it is in at most one of them at any time, whoever asks. */
static void *add_and_remove(void *map) {
  for (unsigned round = 0; round < 2000; round++) {
    const ald_map own = *(ald_map *)map;
    const ald_status added = ald_map_add_layer(own, shared.layer, NULL);
    expect(added == ALD_STATUS_OK || added == ALD_STATUS_INVALID_STATE);
    if (added == ALD_STATUS_OK)
      expect(ald_map_remove_layer(own, shared.layer, NULL) == ALD_STATUS_OK);
  }
  return NULL;
}

static void run_threads(void *(*function)(void *), void *const arguments[THREADS]) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    CHECK(pthread_create(&threads[i], NULL, function, arguments[i]) == 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

static void test_same_answers(const char *path) {
  void *arguments[THREADS];
  const uint64_t before = live_handles(shared.runtime);
  for (int i = 0; i < POINTS; i++) {
    points[2 * i] = 3.0 * i;
    points[2 * i + 1] = 1.5 * i;
  }
  CHECK_STATUS(ald_view_screen_to_map(shared.view, points, 0, POINTS, points, 0, NULL), ALD_STATUS_OK);
  memset(expected, 0, sizeof expected);
  CHECK_STATUS(read_points(shared.raster, expected), ALD_STATUS_OK);
  for (int i = 0; i < THREADS; i++)
    arguments[i] = (void *)path;
  run_threads(work, arguments);
  CHECK(atomic_load(&differences) == 0);
  CHECK(atomic_load(&failures) == 0);
  CHECK(live_handles(shared.runtime) == before);
}

static void test_one_layer_many_maps(void) {
  ald_map maps[THREADS];
  void *arguments[THREADS];
  uint32_t count = 1;
  CHECK_STATUS(ald_map_remove_layer(shared.map, shared.layer, NULL), ALD_STATUS_OK);
  for (int i = 0; i < THREADS; i++) {
    CHECK_STATUS(ald_map_create(shared.runtime, shared.spatial_reference, &maps[i], NULL), ALD_STATUS_OK);
    arguments[i] = &maps[i];
  }
  run_threads(add_and_remove, arguments);
  CHECK(atomic_load(&failures) == 0);
  for (int i = 0; i < THREADS; i++) {
    CHECK_STATUS(ald_map_get_layer_count(maps[i], &count, NULL), ALD_STATUS_OK);
    CHECK(count == 0);
    ald_map_release(maps[i]);
  }
}

int main(int argc, char **argv) {
  if (argc == 2 && make_scene(&shared, raster_path(argv, "Shasta_Elevation.tif"))) {
    CHECK_STATUS(ald_callout_create(shared.view, NULL, &callout, NULL), ALD_STATUS_OK);
    test_same_answers(raster_path(argv, "Shasta_Elevation.tif"));
    ald_callout_release(callout);
    test_one_layer_many_maps();
    release_scene(&shared);
  }
  return finish();
}

/*
 * What changes while others use it: folders of grids while points are projected, a definition while features are drawn
 * and counted. Each answer is that of one state, or an error that says so. Then threads that begin requests and end,
 * and requests that are cancelled, taken, waited for and released at once, in a runtime that a completion releases.
 */
#include "blocker.h"
#include "layer_files.h"
#include "scene.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { THREADS = 4, COUNT = 5000, CHANGES = TRIES(200), ROUNDS = TRIES(100), REQUESTS = 24 };

static atomic_int should_stop, failures;
/* How often each state has been seen; what is never seen shows nothing. */
static atomic_int seen[4];

static void expect(int holds) {
  if (!holds)
    atomic_fetch_add(&failures, 1);
}

static void run_while(void *(*work)(void *), void (*change)(int), int least) {
  pthread_t threads[THREADS];
  atomic_store(&should_stop, 0);
  atomic_store(&failures, 0);
  for (int i = 0; i < 4; i++)
    atomic_store(&seen[i], 0);
  for (int i = 0; i < THREADS; i++)
    CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
  /* As often as is asked for, and until each state has been seen, on a slow machine too. */
  for (int i = 0; i < 50 * CHANGES; i++) {
    int states = 0;
    for (int k = 0; k < 4; k++)
      states += atomic_load(&seen[k]) > 0;
    if (i >= CHANGES && states >= least)
      break;
    change(i);
    sleep_ms(1 + (unsigned)i % 3);
  }
  atomic_store(&should_stop, 1);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  CHECK(atomic_load(&failures) == 0);
  for (int i = 0; i < least; i++)
    CHECK(atomic_load(&seen[i]) > 0);
}

/* MARK: Folders of grids */

static ald_runtime runtime;
static ald_transformation shift;
static double degrees[2 * COUNT], shifted[2][2 * COUNT];

static ald_status project(ald_transformation transformation, double *out) {
  static const ald_spatial_reference none = {0};
  ald_error error;
  ald_coordinates in = ALD_COORDINATES_INIT;
  ald_projected_coordinates images = ALD_PROJECTED_COORDINATES_INIT;
  ald_projection_options options = ALD_PROJECTION_OPTIONS_INIT;
  in.count = COUNT;
  in.x = degrees;
  in.y = degrees + 1;
  in.stride_bytes = images.stride_bytes = 2 * sizeof *degrees;
  images.x = out;
  images.y = out + 1;
  options.transformation = transformation;
  const ald_status status =
      ald_spatial_reference_project_coordinates(none, none, &options, &in, &images, NULL, NULL, NULL, &error);
  if (status == ALD_STATUS_MISSING_GRID)
    expect(holds_text(error.message, "own.gsb"));
  return status;
}

static void *project_points(void *unused) {
  double out[2 * COUNT];
  while (!atomic_load(&should_stop)) {
    memset(out, 0, sizeof out);
    const ald_status status = project(shift, out);
    if (status == ALD_STATUS_MISSING_GRID)
      atomic_fetch_add(&seen[2], 1);
    else if (status == ALD_STATUS_OK && memcmp(out, shifted[0], sizeof out) == 0)
      atomic_fetch_add(&seen[0], 1);
    else if (status == ALD_STATUS_OK && memcmp(out, shifted[1], sizeof out) == 0)
      atomic_fetch_add(&seen[1], 1);
    else
      expect(0);
  }
  return unused;
}

static void change_folders(int number) {
  ald_error error;
  ald_grid_directories directories = ALD_GRID_DIRECTORIES_INIT;
  const char *const names[] = {path_of(number % 3 == 0 ? "german" : "french")};
  directories.directory_count = number % 3 == 2 ? 0 : 1;
  directories.directories = names;
  CHECK_OK(ald_runtime_set_grid_directories(runtime, &directories, &error), &error);
}

/* Two grids of one name in two folders, and none: each call goes by one of them, for all of its points. */
static void test_grid_directories(void) {
  static const char text[] = "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=hgridshift "
                             "+grids=%s +step +proj=unitconvert +xy_in=rad +xy_out=deg";
  static const char *const grids[] = {"BETA2007.gsb", "ntf_r93.gsb"};
  ald_error error;
  char definition[256], source[64];
  for (int i = 0; i < COUNT; i++) {
    degrees[2 * i] = 6.2 + 2.5 * i / COUNT;
    degrees[2 * i + 1] = 48 + i % 100 * 0.01;
  }
  CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error);
  CHECK(mkdir(path_of("german"), 0700) == 0 && mkdir(path_of("french"), 0700) == 0);
  for (int i = 0; i < 2; i++) {
    ald_transformation theirs;
    snprintf(source, sizeof source, "/usr/share/proj/%s", grids[i]);
    CHECK(symlink(source, path_of(i == 0 ? "german/own.gsb" : "french/own.gsb")) == 0);
    snprintf(definition, sizeof definition, text, grids[i]);
    CHECK_OK(ald_transformation_create(runtime, definition, &theirs, &error), &error);
    CHECK_STATUS(project(theirs, shifted[i]), ALD_STATUS_OK);
    CHECK(memcmp(shifted[i], degrees, sizeof degrees) != 0);
    ald_transformation_release(theirs);
  }
  CHECK(memcmp(shifted[0], shifted[1], sizeof shifted[0]) != 0);
  change_folders(0);
  snprintf(definition, sizeof definition, text, "own.gsb");
  if (CHECK_OK(ald_transformation_create(runtime, definition, &shift, &error), &error))
    run_while(project_points, change_folders, 3);
  ald_transformation_release(shift);
  ald_runtime_release(runtime);
}

/* MARK: Definitions */

enum { FEATURES = 300 };
static const struct {
  const char *text;
  uint32_t count;
} definitions[] = {{"n < 40", 40}, {"n >= 100 AND n < 250", 150}, {NULL, FEATURES}};
static ald_layer layer;
static ald_view view;

static void see_count(uint64_t count) {
  for (int i = 0; i < 3; i++)
    if (count == definitions[i].count) {
      atomic_fetch_add(&seen[i], 1);
      return;
    }
  expect(0);
}

static void *draw_and_count(void *unused) {
  while (!atomic_load(&should_stop)) {
    ald_overlay_drawing drawing;
    ald_overlay_drawing_info info = ALD_OVERLAY_DRAWING_INFO_INIT;
    ald_feature_source source;
    uint64_t count = -1;
    if (ald_view_create_feature_drawing(view, layer, NULL, &drawing, NULL) == ALD_STATUS_OK) {
      expect(ald_overlay_drawing_get_info(drawing, &info, NULL) == ALD_STATUS_OK);
      see_count(info.drawn_graphic_count);
      ald_overlay_drawing_release(drawing);
    } else {
      expect(0);
    }
    /* The source is the layer's, and may have gone with its definition. */
    expect(ald_feature_layer_get_source(layer, &source, NULL) == ALD_STATUS_OK);
    const ald_status status = ald_feature_source_query_count(source, NULL, &count, NULL);
    expect(status == ALD_STATUS_OK || status == ALD_STATUS_INVALID_HANDLE);
    if (status == ALD_STATUS_OK)
      see_count((uint64_t)count);
  }
  return unused;
}

static void change_definition(int number) {
  ald_error error;
  CHECK_OK(ald_feature_layer_set_definition(layer, definitions[number % 3].text, &error), &error);
}

static void write_features(void) {
  FILE *file = fopen(path_of("numbered.geojson"), "w");
  if (!CHECK(file != NULL))
    return;
  fputs("{\"type\":\"FeatureCollection\",\"features\":[", file);
  for (int i = 0; i < FEATURES; i++)
    fprintf(file,
            "%s{\"type\":\"Feature\",\"properties\":{\"n\":%d},\"geometry\":{\"type\":\"Point\",\"coordinates\":[%g,%g]"
            "}}",
            i == 0 ? "" : ",", i, i % 20 * 0.1, i / 20 * 0.1);
  fputs("]}", file);
  CHECK(fclose(file) == 0);
}

static void test_definitions(void) {
  static const ald_symbol marker = {
      ALD_SYMBOL_KIND_MARKER, 0, ALD_MARKER_STYLE_SQUARE, 0, 0, {255, 0, 0, 255}, {0, 0, 0, 255}, 0, 10, 0, {0, 0}, 1};
  ald_error error;
  ald_map map;
  ald_spatial_reference wgs84;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol = marker;
  size.width_dip = size.height_dip = 200;
  write_features();
  CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, "EPSG", 4326, &wgs84, &error), &error);
  CHECK_OK(ald_map_create(runtime, wgs84, &map, &error), &error);
  CHECK_OK(ald_view_create(map, &size, &view, &error), &error);
  CHECK_OK(ald_view_set_center(view, (ald_point){1, 0.7}, wgs84, &error), &error);
  CHECK_OK(ald_view_set_scale(view, 1e7, &error), &error);
  CHECK_OK(ald_feature_layer_create_from_path(runtime, path_of("numbered.geojson"), NULL, &layer, &error), &error);
  CHECK_OK(ald_feature_layer_set_renderer(layer, &renderer, &error), &error);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  if (CHECK_OK(ald_layer_load(layer, &error), &error))
    run_while(draw_and_count, change_definition, 3);
  ald_runtime_release(runtime);
}

/* MARK: Threads that end */

typedef struct begun {
  const scene *scene;
  ald_request request;
  atomic_int calls;
} begun;

static void count_call(ald_request request, void *user_data) {
  (void)request;
  atomic_fetch_add((atomic_int *)user_data, 1);
}

/* Begins a request, by completion or without, and ends while it is pending. */
static void *begin_and_end(void *argument) {
  begun *begun = argument;
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  options.completion = count_call;
  options.user_data = &begun->calls;
  expect(ald_view_identify_layer_async(begun->scene->view, begun->scene->layer, SCENE_MIDDLE, 0, 0, NULL, &options,
                                       &begun->request, NULL) == ALD_STATUS_OK);
  /* Whoever waits ends by itself, too. */
  ald_request_state state = -1;
  expect(ald_request_wait(begun->request, 1, &state, NULL) == ALD_STATUS_OK && state == ALD_REQUEST_STATE_PENDING);
  pthread_exit(NULL);
}

static void test_threads_that_end(const char *path) {
  static begun all[REQUESTS];
  ald_error error;
  scene scene;
  blocker blocker;
  atomic_store(&failures, 0);
  if (!make_scene(&scene, path) || !block_workers(&blocker, scene.runtime, NULL))
    return;
  for (int i = 0; i < REQUESTS; i++) {
    pthread_t thread;
    all[i].scene = &scene;
    CHECK(pthread_create(&thread, NULL, begin_and_end, &all[i]) == 0);
    pthread_join(thread, NULL);
    CHECK(state_of(all[i].request) == ALD_REQUEST_STATE_PENDING);
  }
  unblock_workers(&blocker);
  for (int i = 0; i < REQUESTS; i++) {
    ald_request_state state = -1;
    ald_identify_result result;
    CHECK_OK(ald_request_wait(all[i].request, 60000, &state, &error), &error);
    CHECK(state == ALD_REQUEST_STATE_SUCCEEDED);
    CHECK_OK(ald_request_take_identify_result(all[i].request, &result, &error), &error);
    ald_identify_result_release(result);
    ald_request_release(all[i].request);
  }
  CHECK_STATUS(ald_runtime_pump(scene.runtime, 0, NULL, NULL), ALD_STATUS_OK);
  for (int i = 0; i < REQUESTS; i++)
    CHECK(atomic_load(&all[i].calls) == 1);
  CHECK(atomic_load(&failures) == 0);
  end_blocker(&blocker);
  release_scene(&scene);
}

/* MARK: All at once */

static scene stage;
static atomic_ullong requests[REQUESTS];
static atomic_int calls[REQUESTS], is_released;

/* Calls back, begins another request, and the last one releases the runtime. */
static void call_back(ald_request request, void *user_data) {
  const ptrdiff_t number = (atomic_int *)user_data - calls;
  ald_request other;
  ald_identify_result result;
  atomic_fetch_add((atomic_int *)user_data, 1);
  ald_request_cancel(request, NULL);
  ald_request_take_identify_result(request, &result, NULL);
  ald_identify_result_release(result);
  if (ald_raster_open_async(stage.runtime, stage.path, NULL, NULL, &other, NULL) == ALD_STATUS_OK)
    ald_request_release(other);
  if (number == REQUESTS - 1) {
    atomic_store(&is_released, 1);
    ald_runtime_release(stage.runtime);
  }
}

/* Does something with any request until the runtime is gone: a call returns the right thing, or that the handle is
 * stale. */
static void *meddle(void *argument) {
  unsigned seed = 1 + (unsigned)(size_t)argument;
  int rounds_left = 1000000;
  ald_status status = ALD_STATUS_OK;
  while (rounds_left-- > 0 && status != ALD_STATUS_INVALID_HANDLE) {
    const ald_request request = {atomic_load_explicit(&requests[rand_r(&seed) % REQUESTS], memory_order_relaxed)};
    ald_request_state state = -1;
    ald_identify_result result;
    ald_event events[4];
    size_t count;
    uint32_t is_waiting;
    switch (rand_r(&seed) % 6) {
    case 0:
      ald_request_cancel(request, NULL);
      break;
    case 1:
      if (ald_request_take_identify_result(request, &result, NULL) == ALD_STATUS_OK)
        ald_identify_result_release(result);
      break;
    case 2:
      if (ald_request_wait(request, rand_r(&seed) % 3, &state, NULL) == ALD_STATUS_OK)
        expect(state >= ALD_REQUEST_STATE_PENDING && state <= ALD_REQUEST_STATE_CANCELLED);
      break;
    case 3:
      ald_request_release(request);
      break;
    case 4:
      status = ald_runtime_wait(stage.runtime, rand_r(&seed) % 3, &is_waiting, NULL);
      expect(status == ALD_STATUS_OK || status == ALD_STATUS_INVALID_HANDLE);
      break;
    default:
      status = ald_runtime_pump(stage.runtime, 1, NULL, NULL);
      expect(status == ALD_STATUS_OK || status == ALD_STATUS_INVALID_HANDLE);
      ald_runtime_poll_events(stage.runtime, events, 4, &count, NULL);
    }
  }
  expect(rounds_left > 0 && atomic_load(&is_released));
  return NULL;
}

static void test_all_at_once(const char *path) {
  atomic_store(&failures, 0);
  for (int round = 0; round < ROUNDS; round++) {
    pthread_t threads[THREADS];
    ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
    ald_error error;
    if (!make_scene(&stage, path))
      return;
    atomic_store(&is_released, 0);
    options.completion = call_back;
    for (int i = 0; i < REQUESTS; i++) {
      atomic_store(&requests[i], 0);
      atomic_store(&calls[i], 0);
    }
    for (size_t i = 0; i < THREADS; i++)
      CHECK(pthread_create(&threads[i], NULL, meddle, (void *)(i + 100 * (size_t)round)) == 0);
    for (int i = 0; i < REQUESTS; i++) {
      ald_request request;
      options.user_data = &calls[i];
      if (CHECK_OK(ald_view_identify_layer_async(stage.view, stage.layer, SCENE_MIDDLE, 0, 0, NULL, &options, &request,
                                                 &error),
                   &error))
        atomic_store_explicit(&requests[i], request.id, memory_order_relaxed);
    }
    for (int i = 0; i < THREADS; i++)
      pthread_join(threads[i], NULL);
    /* Once each, whoever pumps, cancels or releases; those that were left when the runtime went, never. */
    for (int i = 0; i < REQUESTS; i++)
      CHECK(atomic_load(&calls[i]) <= 1);
    CHECK(atomic_load(&calls[REQUESTS - 1]) == 1);
    CHECK(state_of((ald_request){atomic_load(&requests[0])}) == -1);
  }
  CHECK(atomic_load(&failures) == 0);
}

int main(int argc, char **argv) {
  if (argc != 2 || !make_folder())
    return finish();
  alarm(540);
  test_grid_directories();
  test_definitions();
  test_threads_that_end(raster_path(argv, "Shasta_Elevation.tif"));
  test_all_at_once(raster_path(argv, "Shasta_Elevation.tif"));
  remove_folder();
  return finish();
}

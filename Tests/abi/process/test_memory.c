/*
 * What is released is gone: the process does not grow with the number of objects that it has had, of whatever kind.
 *
 * Arguments: the folder of rasters, and how much: nothing, "long" for every loop in its full length, "few" for what a
 * leak finder needs. Each loop prints what it measured. The memory in use is what malloc has given out; the resident
 * memory is what the system has.
 */
#include "scene.h"

#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(leak_sanitizer)
#define HAS_SANITIZER
#endif
#endif
/* A sanitizer brings a malloc of its own, and keeps what is freed aside for a while. */
#ifdef HAS_SANITIZER
static const int IS_MEASURED = 0;
#else
static const int IS_MEASURED = 1;
#endif

enum {
  /* Kinds that live in memory: 1 MB is 10 bytes for each. */
  IN_MEMORY = 100000,
  /* What opens a file or starts a library. */
  OPENING = 1000,
  FEW = 20
};

/* The most that a loop may leave behind. Caches are full and pools are made after the rounds before. */
static const long MOST_IN_USE = 32 * 1000;
static const long MOST_RESIDENT = 1000 * 1000;

static scene shared;
static char **arguments;

/* MARK: Rounds */

static unsigned surprises;

static void must(ald_status status) {
  surprises += status != ALD_STATUS_OK;
}

static void must_not(ald_status status) {
  surprises += status == ALD_STATUS_OK || status == ALD_STATUS_INTERNAL;
}

static void use_spatial_reference(unsigned round) {
  ald_spatial_reference reference;
  ald_spatial_reference_info info = ALD_SPATIAL_REFERENCE_INFO_INIT;
  /* UTM zones: 60 codes, so that some repeat and some are new. */
  must(ald_spatial_reference_create_from_code(shared.runtime, NULL, 32601 + (int32_t)(round % 60), &reference, NULL));
  must(ald_spatial_reference_get_info(reference, &info, NULL));
  ald_spatial_reference_release(reference);
}

static void use_wkt(unsigned round) {
  static char wkt[8192];
  ald_spatial_reference reference;
  (void)round;
  if (wkt[0] == 0)
    must(ald_spatial_reference_get_wkt(shared.spatial_reference, wkt, sizeof wkt, NULL, NULL));
  must(ald_spatial_reference_create_from_wkt(shared.runtime, wkt, &reference, NULL));
  ald_spatial_reference_release(reference);
}

static void use_map(unsigned round) {
  ald_map map;
  ald_spatial_reference lent;
  (void)round;
  must(ald_map_create(shared.runtime, shared.spatial_reference, &map, NULL));
  must(ald_map_set_initial_location(map, 40.7, -122.2, 100000, NULL));
  must(ald_map_get_spatial_reference(map, &lent, NULL));
  ald_map_release(map);
}

static void use_layer(unsigned round) {
  ald_layer layer, lent;
  ald_map map;
  ald_raster raster;
  const ald_rgba ramp[] = {{0, 0, 0, 255}, {9, 9, 9, 255}, {255, 255, 255, 255}};
  ald_raster_renderer renderer = ALD_RASTER_RENDERER_INIT;
  renderer.kind = ALD_RASTER_RENDERER_KIND_STRETCH;
  renderer.fields = ALD_RASTER_RENDERER_HAS_RANGE;
  renderer.maximum = 1000 + round % 7;
  renderer.ramp = ramp;
  renderer.ramp_count = 3;
  must(ald_raster_layer_create(shared.raster, &layer, NULL));
  must(ald_raster_layer_set_renderer(layer, &renderer, NULL));
  must(ald_raster_layer_get_renderer(layer, &renderer, NULL));
  must(ald_raster_layer_get_raster(layer, &raster, NULL));
  must(ald_map_create(shared.runtime, (ald_spatial_reference){0}, &map, NULL));
  must(ald_map_add_layer(map, layer, NULL));
  ald_layer_release(layer);
  /* Now only the map holds the layer, and its id is borrowed. */
  must(ald_map_get_layer_at(map, 0, &lent, NULL));
  if (round % 2 == 0)
    must(ald_map_remove_layer(map, lent, NULL));
  ald_map_release(map);
}

static void use_view(unsigned round) {
  ald_view view;
  ald_map lent;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  double points[] = {1, 2, 3, 4};
  ald_cell cell;
  options.width_dip = 100;
  options.height_dip = 100;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE | ALD_VIEWPOINT_HAS_ROTATION;
  viewpoint.center = (ald_point){-13599000, 4977000};
  viewpoint.scale = 100000;
  viewpoint.rotation_deg = round;
  must(ald_view_create(shared.map, &options, &view, NULL));
  must(ald_view_set_viewpoint(view, &viewpoint, NULL));
  must(ald_view_get_state(view, &state, NULL));
  must(ald_view_get_map(view, &lent, NULL));
  must(ald_view_screen_to_map(view, points, 0, 2, points, 0, NULL));
  must(ald_view_read_cell(view, shared.layer, SCENE_MIDDLE, &cell, NULL, 0, NULL));
  ald_view_release(view);
}

static void use_identify_result(unsigned round) {
  ald_identify_result result;
  ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
  ald_attribute attribute = ALD_ATTRIBUTE_INIT;
  const ald_point at = {SCENE_MIDDLE.x + round % 10, SCENE_MIDDLE.y};
  must(ald_view_identify_layer(shared.view, shared.layer, at, 0, 0, NULL, &result, NULL));
  must(ald_identify_result_get_element_at(result, 0, &element, NULL));
  must(ald_identify_result_find_attribute(result, 0, "Band 1", &attribute, NULL));
  ald_identify_result_release(result);
}

static void use_callout(unsigned round) {
  ald_callout callout;
  must(ald_callout_create(shared.view, NULL, &callout, NULL));
  must(ald_callout_set_size(callout, 50 + round % 9, 20, NULL));
  ald_callout_release(callout);
}

static void count_completion(ald_request request, void *count) {
  (void)request;
  ++*(unsigned *)count;
}

/* Waited for and taken; notified by an event or a completion; cancelled; left alone. */
static void use_request(unsigned round) {
  ald_request request;
  ald_request_state state;
  ald_identify_result result;
  ald_event event;
  size_t events;
  unsigned calls = 0;
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  options.completion = round % 2 == 0 ? count_completion : NULL;
  options.user_data = &calls;
  must(ald_view_identify_layer_async(shared.view, shared.layer, SCENE_MIDDLE, 0, 0, NULL, &options, &request, NULL));
  if (round % 8 >= 6)
    must(ald_request_cancel(request, NULL));
  if (round % 8 < 4) {
    must(ald_request_wait(request, ALD_ALL, &state, NULL));
    must(ald_request_take_identify_result(request, &result, NULL));
    ald_identify_result_release(result);
  }
  if (options.completion != NULL)
    while (calls == 0)
      ald_runtime_pump(shared.runtime, 0, NULL, NULL);
  else
    ald_runtime_poll_events(shared.runtime, &event, 1, &events, NULL);
  ald_request_release(request);
}

static void use_opening_request(unsigned round) {
  ald_request request;
  ald_request_state state;
  ald_raster raster;
  must(ald_raster_open_async(shared.runtime, raster_path(arguments, "rat.img"), NULL, NULL, &request, NULL));
  if (round % 2 == 0) {
    must(ald_request_wait(request, ALD_ALL, &state, NULL));
    must(ald_request_take_raster(request, &raster, NULL));
    ald_raster_release(raster);
  }
  ald_request_release(request);
}

static void read_screen(unsigned round) {
  static uint8_t pixels[40 * 40 * 4];
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  double fraction;
  (void)round;
  grid.columns = 40;
  grid.rows = 40;
  must(ald_view_read_rgba(shared.view, shared.layer, &grid, pixels, 0, sizeof pixels, NULL, NULL));
  must(ald_view_get_layer_coverage(shared.view, shared.layer, &fraction, NULL));
}

static void make_mistakes(unsigned round) {
  ald_error error;
  ald_raster raster;
  ald_spatial_reference reference;
  uint64_t count;
  must_not(ald_map_add_layer(shared.map, shared.layer, &error));
  must_not(ald_runtime_get_handle_count((ald_runtime){round}, &count, &error));
  must_not(ald_spatial_reference_create_from_code(shared.runtime, "EPSG", 1, &reference, &error));
  must_not(ald_spatial_reference_create_from_wkt(shared.runtime, "PROJCS[broken", &reference, &error));
  must_not(ald_raster_open(shared.runtime, "/no/such/file.tif", NULL, &raster, &error));
  must_not(ald_raster_open(shared.runtime, "http://example.com/refused.tif", NULL, &raster, &error));
}

/* Projectors are kept up to a limit; these are more. */
static void use_projector(unsigned round) {
  static const int32_t CODES[] = {4326, 3857, 2154, 27700, 4267, 5070};
  ald_spatial_reference from, to;
  double points[] = {10, 50};
  must(ald_spatial_reference_create_from_code(shared.runtime, NULL, CODES[round % 6], &from, NULL));
  must(ald_spatial_reference_create_from_code(shared.runtime, NULL, 32601 + (int32_t)(round % 60), &to, NULL));
  must(ald_spatial_reference_project_points(from, to, points, 0, 1, points, 0, NULL, NULL));
  ald_spatial_reference_release(from);
  ald_spatial_reference_release(to);
}

static void use_raster(unsigned round) {
  /* With overviews and statistics, with an attribute table, of three bands, with scales, with a mask, with nodata. */
  static const char *const NAMES[] = {"Shasta_Elevation.tif", "rat.img", "RGB.byte.tif", "cog_scale.tif",
                                      "cog_rgb_mask.tif",     "lc.tif",  "red.tif"};
  ald_raster raster;
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  ald_band_info band = ALD_BAND_INFO_INIT;
  const ald_cell_index index = {3, 3};
  ald_cell cell;
  must(ald_raster_open(shared.runtime, raster_path(arguments, NAMES[round % 7]), NULL, &raster, NULL));
  must(ald_raster_get_info(raster, &info, NULL));
  must(ald_raster_get_band_info(raster, 1, &band, NULL));
  must(ald_raster_read_cells(raster, &index, 1, &cell, NULL, 0, NULL));
  ald_raster_release(raster);
}

static void use_runtime(unsigned round) {
  ald_runtime runtime;
  ald_map map;
  must(ald_runtime_create(NULL, &runtime, NULL));
  must(ald_map_create(runtime, (ald_spatial_reference){0}, &map, NULL));
  if (round % 2 == 0)
    ald_map_release(map);
  ald_runtime_release(runtime);
}

/* A leaked runtime would cost about a megabyte each time. */
static void use_scene(unsigned round) {
  scene scene;
  uint8_t pixels[40 * 40 * 4];
  ald_identify_result result;
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  grid.columns = 40;
  grid.rows = 40;
  if (!make_scene(&scene, raster_path(arguments, "Shasta_Elevation.tif")))
    return;
  must(ald_view_identify_layer(scene.view, scene.layer, SCENE_MIDDLE, 0, 0, NULL, &result, NULL));
  must(ald_view_read_rgba(scene.view, scene.layer, &grid, pixels, 0, sizeof pixels, NULL, NULL));
  if (round % 2 == 0) {
    ald_identify_result_release(result);
    release_scene(&scene);
  }
  ald_runtime_release(scene.runtime);
}

static void *use_on_thread(void *unused) {
  (void)unused;
  use_identify_result(0);
  use_spatial_reference(0);
  make_mistakes(0);
  return NULL;
}

/* GDAL and PROJ keep things per thread; a host's threads come and go. */
static void use_thread(unsigned round) {
  pthread_t thread;
  (void)round;
  if (CHECK(pthread_create(&thread, NULL, use_on_thread, NULL) == 0))
    pthread_join(thread, NULL);
}

/* MARK: Measuring */

typedef struct memory {
  /* Bytes. */
  long in_use;
  long resident;
} memory;

static memory measure(void) {
  const struct mallinfo2 heap = mallinfo2();
  memory memory = {(long)(heap.uordblks + heap.hblkhd), 0};
  long size = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL)
    return memory;
  if (fscanf(file, "%ld %ld", &size, &resident) == 2)
    memory.resident = resident * sysconf(_SC_PAGESIZE);
  fclose(file);
  return memory;
}

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Workers have come to the end of what was submitted to them, cancelled requests among it. */
static void settle(void) {
  for (int i = 0; i < 2 * SCENE_THREADS; i++)
    use_opening_request(0);
  sleep_ms(20);
}

/* Runs rounds, and returns whether memory stayed as it was. */
static int is_flat(const char *name, void (*make_round)(unsigned), unsigned rounds) {
  settle();
  const double start = seconds();
  const memory first = measure();
  for (unsigned round = 0; round < rounds; round++)
    make_round(round);
  settle();
  const memory last = measure();
  const long in_use = last.in_use - first.in_use, resident = last.resident - first.resident;
  printf("%-20s %6u rounds %6.1f s  in use %8.2f MB %+9ld B  resident %8.2f MB %+9ld B\n", name, rounds,
         seconds() - start, (double)last.in_use / 1e6, in_use, (double)last.resident / 1e6, resident);
  fflush(stdout);
  return in_use < MOST_IN_USE && resident < MOST_RESIDENT;
}

/*
 * Where workers take part, each of them fills caches of its own, which takes more rounds than one thread needs. What
 * leaks grows for ever: it is not flat the eighth time, either.
 */
static void test_loop(const char *name, void (*make_round)(unsigned), unsigned rounds) {
  /* At least as many as there are projectors in the cache. */
  const unsigned before = rounds == FEW ? 0 : rounds / 5 > 150 ? rounds / 5 : 150;
  surprises = 0;
  for (unsigned round = 0; round < before; round++)
    make_round(round);
  int flat = is_flat(name, make_round, rounds);
  for (int turn = 1; IS_MEASURED && !flat && turn < 8; turn++)
    flat = is_flat(name, make_round, rounds);
  CHECK(surprises == 0);
  CHECK(flat || !IS_MEASURED);
}

int main(int argc, char **argv) {
  /* What takes long makes `usual` rounds instead of `rounds`, unless asked for all. In 10,000, too, four bytes that
   * each leaves behind are more than what a loop may leave. */
  static const struct {
    const char *name;
    void (*make_round)(unsigned);
    unsigned rounds;
    unsigned usual;
  } LOOPS[] = {
      {"spatial references", use_spatial_reference, IN_MEMORY, IN_MEMORY / 10},
      {"WKT", use_wkt, IN_MEMORY, IN_MEMORY / 10},
      {"maps", use_map, IN_MEMORY, IN_MEMORY},
      {"layers", use_layer, IN_MEMORY, IN_MEMORY / 10},
      {"views", use_view, IN_MEMORY, IN_MEMORY / 10},
      {"identify results", use_identify_result, IN_MEMORY, IN_MEMORY / 10},
      {"callouts", use_callout, IN_MEMORY, IN_MEMORY},
      {"requests", use_request, IN_MEMORY, IN_MEMORY / 10},
      {"opening requests", use_opening_request, OPENING, OPENING},
      {"screens", read_screen, OPENING, OPENING},
      {"mistakes", make_mistakes, OPENING, OPENING},
      {"projectors", use_projector, OPENING, OPENING},
      {"rasters", use_raster, OPENING, OPENING},
      {"runtimes", use_runtime, OPENING, OPENING},
      {"runtimes in use", use_scene, OPENING, OPENING / 4},
      {"threads", use_thread, OPENING, OPENING},
  };
  if (argc < 2)
    return finish();
  const int is_long = argc > 2 && strcmp(argv[2], "long") == 0, is_few = argc > 2 && strcmp(argv[2], "few") == 0;
  arguments = argv;
  if (make_scene(&shared, raster_path(argv, "Shasta_Elevation.tif"))) {
    const uint64_t handles = live_handles(shared.runtime);
    for (size_t i = 0; i < sizeof LOOPS / sizeof *LOOPS; i++)
      test_loop(LOOPS[i].name, LOOPS[i].make_round, is_few ? FEW : is_long ? LOOPS[i].rounds : LOOPS[i].usual);
    CHECK(live_handles(shared.runtime) == handles);
    release_scene(&shared);
  }
  return finish();
}

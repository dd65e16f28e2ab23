/*
 * The loop of a game engine, without the engine: 60 frames a second, each with its input, its requests, a picture of
 * the map as a texture, and a flight as vertices near an origin. Nothing in it waits: layers load, 100 taps are in
 * flight and pictures are made while frames go on. In the end it prints how long the work of a frame took.
 *
 *     frame_loop [--data DIR] [--seconds N] [--picture FILE.ppm]
 *
 * README.md says how to build it, and what the numbers are.
 */
#include "allocations.h"

#include <alidade.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 800, HEIGHT = 600, RATE = 60, TAPS = 100, EVENTS = 64, PATH = 32, LAYERS = 4, MOST_SECONDS = 600 };

/* What a frame does with the library. The allocations of each are counted. */
typedef enum stage {
  STAGE_INPUT,
  STAGE_TAPS,
  STAGE_PUMP,
  STAGE_EVENTS,
  STAGE_MOVE,
  STAGE_FLIGHT,
  STAGE_PICTURE,
  STAGES
} stage;
static const char *const STAGE_NAMES[STAGES] = {
    "input", "ask for taps", "pump", "events", "move", "position the flight", "ask for a picture"};

typedef struct game {
  ald_runtime runtime;
  ald_spatial_reference wgs84;
  ald_map map;
  ald_view view;
  ald_layer heights, layers[LAYERS];
  ald_engine_frame engine;
  int frame, frame_count;
  /* Taps: how many are under way, have come back, and how long they took. */
  int asked, completed, hits, pending, longest_frames;
  uint32_t random;
  /* The picture that the screen shows, and of which state of the view it is. */
  uint8_t texture[WIDTH * HEIGHT * 4];
  uint64_t asked_generation;
  int pictures, is_picture_pending;
  int loaded_at[LAYERS];
  float vertices[PATH][3];
  double worst_rounding_m;
  double work_ms[MOST_SECONDS * RATE];
  uint64_t allocations[STAGES];
  double longest_ms[STAGES];
} game;

/* A tap that is under way; its index does not matter. */
typedef struct tap {
  game *game;
  int frame;
} tap;
static tap taps[TAPS];
static game the_game;

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* 0 <= number < below, the same in each run: a linear congruential generator. */
static double random_below(game *g, double below) {
  g->random = g->random * 1664525u + 1013904223u;
  return below * (g->random >> 8) / (1 << 24);
}

/* MARK: the scene */

static ald_status add_layer(game *g, int index, ald_status made, ald_layer layer, ald_rgba color, ald_symbol_kind kind,
                            ald_error *error) {
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol.kind = kind;
  renderer.symbol.color = renderer.symbol.line_color = color;
  renderer.symbol.size_dip = 6;
  renderer.symbol.line_width_dip = 2;
  g->layers[index] = layer;
  if (made == ALD_STATUS_OK && index > 0)
    made = ald_feature_layer_set_renderer(layer, &renderer, error);
  return made == ALD_STATUS_OK ? ald_map_add_layer(g->map, layer, error) : made;
}

/* Nothing is read here: the layers load while the loop runs, because a view shows them. */
static ald_status set_the_scene(game *g, const char *data, ald_error *error) {
  static const struct {
    const char *file;
    ald_symbol_kind kind;
    ald_rgba color;
  } FEATURES[] = {{NULL, 0, {0, 0, 0, 0}},
                  {"countries.fgb", ALD_SYMBOL_KIND_FILL, {255, 255, 255, 40}},
                  {"rivers.fgb", ALD_SYMBOL_KIND_LINE, {60, 120, 230, 255}},
                  {"cities.fgb", ALD_SYMBOL_KIND_MARKER, {230, 60, 60, 255}}};
  ald_raster_renderer grey = ALD_RASTER_RENDERER_INIT;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  ald_engine_frame_options axes = ALD_ENGINE_FRAME_OPTIONS_INIT;
  ald_spatial_reference mercator;
  ald_layer layer;
  const ald_point origin = {8.55, 47.45};
  char path[4096];
  grey.kind = ALD_RASTER_RENDERER_KIND_STRETCH;
  grey.fields = ALD_RASTER_RENDERER_HAS_RANGE;
  grey.minimum = 0;
  grey.maximum = 5000;
  size.width_dip = WIDTH;
  size.height_dip = HEIGHT;
  axes.axes = ALD_ENGINE_AXES_GODOT;
  ald_status status = ald_runtime_create(NULL, &g->runtime, error);
  if (status == ALD_STATUS_OK)
    status = ald_spatial_reference_create_from_code(g->runtime, "EPSG", 3857, &mercator, error);
  if (status == ALD_STATUS_OK)
    status = ald_spatial_reference_create_from_code(g->runtime, "EPSG", 4326, &g->wgs84, error);
  if (status == ALD_STATUS_OK)
    status = ald_map_create(g->runtime, mercator, &g->map, error);
  for (int i = 0; i < LAYERS && status == ALD_STATUS_OK; i++) {
    snprintf(path, sizeof path, "%s/%s", data, i == 0 ? "elevation.tif" : FEATURES[i].file);
    status = i == 0 ? ald_raster_layer_create_from_path(g->runtime, path, NULL, &layer, error)
                    : ald_feature_layer_create_from_path(g->runtime, path, NULL, &layer, error);
    status = add_layer(g, i, status, layer, FEATURES[i].color, FEATURES[i].kind, error);
  }
  if (status == ALD_STATUS_OK)
    status = ald_raster_layer_set_renderer(g->layers[0], &grey, error);
  if (status == ALD_STATUS_OK)
    status = ald_map_set_initial_location(g->map, 47, 9, 15e6, error);
  if (status == ALD_STATUS_OK)
    status = ald_view_create(g->map, &size, &g->view, error);
  return status == ALD_STATUS_OK ? ald_engine_frame_create(g->wgs84, origin, 0, &axes, &g->engine, error) : status;
}

/* MARK: the stages of a frame */

/* Stands for what a window says: a finger that drags the map every two seconds and lets it slide, and a wheel. */
static ald_status pass_input(game *g, ald_error *error) {
  const int step = g->frame % (2 * RATE);
  const int way = g->frame / (2 * RATE) % 4;
  const double along = 8.0 * (step - 20), left_or_up = way < 2 ? -along : along;
  const ald_point finger = {400 + (way % 2 == 0 ? left_or_up : 0), 300 + (way % 2 == 1 ? left_or_up : 0)};
  if (step >= 20 && step <= 40)
    return ald_view_handle_touch(g->view, 1,
                                 step == 20   ? ALD_TOUCH_PHASE_BEGAN
                                 : step == 40 ? ALD_TOUCH_PHASE_ENDED
                                              : ALD_TOUCH_PHASE_MOVED,
                                 finger, (double)g->frame / RATE, error);
  if (step == 90 || step == 95)
    return ald_view_handle_wheel(g->view, (ald_point){300, 200}, way < 2 ? 1 : -1, error);
  return ALD_STATUS_OK;
}

/* Called by ald_runtime_pump, on the thread of the loop. */
static void tap_has_ended(ald_request request, void *user_data) {
  tap *ended = user_data;
  game *g = ended->game;
  ald_identify_result result;
  ald_identify_result_info info = ALD_IDENTIFY_RESULT_INFO_INIT;
  g->pending--;
  if (ald_request_take_identify_result(request, &result, NULL) == ALD_STATUS_OK) {
    g->completed++;
    if (ald_identify_result_get_info(result, &info, NULL) == ALD_STATUS_OK && info.element_count > 0)
      g->hits++;
    if (g->frame - ended->frame > g->longest_frames)
      g->longest_frames = g->frame - ended->frame;
    ald_identify_result_release(result);
  }
  ended->game = NULL; /* free for another */
}

/* There are always 100 taps under way, which is far more than players make. */
static ald_status ask_for_taps(game *g, ald_error *error) {
  ald_status status = ALD_STATUS_OK;
  for (int i = 0; i < TAPS && status == ALD_STATUS_OK; i++) {
    if (taps[i].game != NULL)
      continue;
    const ald_point at = {random_below(g, WIDTH), random_below(g, HEIGHT)};
    ald_request request;
    ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
    options.completion = tap_has_ended;
    options.user_data = &taps[i];
    status = ald_view_identify_async(g->view, at, 10, 0, NULL, &options, &request, error);
    if (status != ALD_STATUS_OK)
      break;
    ald_request_release(request); /* the completion function is called all the same */
    taps[i] = (tap){g, g->frame};
    g->asked++;
    g->pending++;
  }
  return status;
}

static ald_status take_events(game *g, ald_error *error) {
  ald_event events[EVENTS];
  size_t count;
  const ald_status status = ald_runtime_poll_events(g->runtime, events, EVENTS, &count, error);
  for (size_t i = 0; status == ALD_STATUS_OK && i < count; i++)
    for (int k = 0; k < LAYERS; k++)
      if (events[i].kind == ALD_EVENT_KIND_LOAD_STATUS_CHANGED && events[i].layer.id == g->layers[k].id &&
          events[i].load_status == ALD_LOAD_STATUS_LOADED)
        g->loaded_at[k] = g->frame;
  return status;
}

/* A flight around the airport of Zurich, as vertices of 32-bit floats in metres near an origin: Godot's axes. */
static ald_status position_the_flight(game *g, ald_error *error) {
  double longitude[PATH], latitude[PATH], height[PATH];
  ald_coordinates path = ALD_COORDINATES_INIT;
  ald_vertex_report report = ALD_VERTEX_REPORT_INIT;
  for (int i = 0; i < PATH; i++) {
    const double angle = (g->frame - i) / 200.0;
    longitude[i] = 8.55 + 0.2 * sin(angle);
    latitude[i] = 47.45 + 0.1 * cos(angle);
    height[i] = 1500;
  }
  path.count = PATH;
  path.x = longitude;
  path.y = latitude;
  path.z = height;
  const ald_status status =
      ald_engine_frame_to_vertices(g->engine, g->wgs84, NULL, &path, &g->vertices[0][0], 0, NULL, &report, NULL, error);
  if (status == ALD_STATUS_OK && report.worst_rounding_m > g->worst_rounding_m)
    g->worst_rounding_m = report.worst_rounding_m;
  return status;
}

/* Called by ald_runtime_pump: the pixels go into the texture. An engine would upload them here. */
static void picture_is_there(ald_request request, void *user_data) {
  game *g = user_data;
  ald_screen_picture picture;
  ald_screen_pixels pixels = ALD_SCREEN_PIXELS_INIT;
  g->is_picture_pending = 0;
  if (ald_request_take_screen_picture(request, &picture, NULL) != ALD_STATUS_OK)
    return;
  if (ald_screen_picture_get_pixels(picture, &pixels, NULL) == ALD_STATUS_OK) {
    memcpy(g->texture, pixels.rgba, sizeof g->texture);
    g->pictures++;
  }
  ald_screen_picture_release(picture);
}

/* One picture is under way at a time; it is of the newest state of the view. */
static ald_status ask_for_a_picture(game *g, ald_error *error) {
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_request request;
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  options.completion = picture_is_there;
  options.user_data = g;
  ald_status status = ald_view_get_state(g->view, &state, error);
  if (status != ALD_STATUS_OK || g->is_picture_pending || state.generation == g->asked_generation)
    return status;
  status = ald_view_create_screen_picture_async(g->view, g->layers[0], NULL, &options, &request, error);
  if (status == ALD_STATUS_NOT_READY)
    return ALD_STATUS_OK; /* the layer still loads */
  if (status == ALD_STATUS_OK) {
    ald_request_release(request);
    g->is_picture_pending = 1;
    g->asked_generation = state.generation;
  }
  return status;
}

static ald_status run_stage(game *g, stage stage, ald_error *error) {
  const uint64_t before = allocations_of_this_thread();
  const double begin = now_ms();
  ald_status status = ALD_STATUS_OK;
  switch (stage) {
  case STAGE_INPUT:
    status = pass_input(g, error);
    break;
  case STAGE_TAPS:
    status = ask_for_taps(g, error);
    break;
  case STAGE_PUMP:
    status = ald_runtime_pump(g->runtime, 4, NULL, error);
    break;
  case STAGE_EVENTS:
    status = take_events(g, error);
    break;
  case STAGE_MOVE:
    status = ald_view_advance(g->view, 1.0 / RATE, error);
    break;
  case STAGE_FLIGHT:
    status = position_the_flight(g, error);
    break;
  case STAGE_PICTURE:
    status = ask_for_a_picture(g, error);
    break;
  case STAGES:
    break;
  }
  g->allocations[stage] += allocations_of_this_thread() - before;
  if (g->longest_ms[stage] < now_ms() - begin)
    g->longest_ms[stage] = now_ms() - begin;
  return status;
}

static ald_status run_loop(game *g, ald_error *error) {
  ald_status status = ALD_STATUS_OK;
  const double start = now_ms();
  for (g->frame = 0; g->frame < g->frame_count && status == ALD_STATUS_OK; g->frame++) {
    const double wait_ms = start + 1e3 * g->frame / RATE - now_ms();
    if (wait_ms > 0)
      nanosleep(&(struct timespec){0, (long)(wait_ms * 1e6)}, NULL);
    const double begin = now_ms();
    for (int stage = 0; stage < STAGES && status == ALD_STATUS_OK; stage++)
      status = run_stage(g, stage, error);
    g->work_ms[g->frame] = now_ms() - begin;
  }
  return status;
}

/* Outside the loop, waiting is allowed. */
static ald_status finish_requests(game *g, ald_error *error) {
  ald_status status = ALD_STATUS_OK;
  uint32_t is_waiting;
  while (status == ALD_STATUS_OK && (g->pending > 0 || g->is_picture_pending)) {
    status = ald_runtime_wait(g->runtime, ALD_ALL, &is_waiting, error);
    if (status == ALD_STATUS_OK)
      status = ald_runtime_pump(g->runtime, 0, NULL, error);
    if (status == ALD_STATUS_OK)
      status = take_events(g, error);
  }
  return status;
}

/* After the last frame, all requests end, and a last picture shows where the view has come to. */
static ald_status end_loop(game *g, ald_error *error) {
  ald_status status = ald_view_stop(g->view, error);
  if (status == ALD_STATUS_OK)
    status = finish_requests(g, error);
  if (status == ALD_STATUS_OK)
    status = ask_for_a_picture(g, error);
  return status == ALD_STATUS_OK ? finish_requests(g, error) : status;
}

/* MARK: the report */

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static ald_status report(game *g, ald_error *error) {
  ald_view_state state = ALD_VIEW_STATE_INIT;
  const ald_status status = ald_view_get_state(g->view, &state, error);
  const int n = g->frame_count;
  int late = 0;
  for (int i = 0; i < n; i++)
    late += g->work_ms[i] > 1e3 / RATE;
  qsort(g->work_ms, (size_t)n, sizeof g->work_ms[0], ascending);
  printf("frames: %d at %d a second, %d of them took longer than %.1f ms\n", n, RATE, late, 1e3 / RATE);
  printf("work of a frame: median %.2f ms, p90 %.2f, p99 %.2f, longest %.2f\n", g->work_ms[n / 2],
         g->work_ms[n * 9 / 10], g->work_ms[n * 99 / 100], g->work_ms[n - 1]);
  printf("taps: %d asked, %d completed, %d with a hit, the slowest after %d frames\n", g->asked, g->completed, g->hits,
         g->longest_frames);
  printf("pictures: %d of %d x %d\n", g->pictures, WIDTH, HEIGHT);
  printf("layers loaded in frame: %d %d %d %d\n", g->loaded_at[0], g->loaded_at[1], g->loaded_at[2], g->loaded_at[3]);
  printf("flight: %d vertices a frame, at most %.2f mm off\n", PATH, 1e3 * g->worst_rounding_m);
  for (int stage = 0; stage < STAGES; stage++)
    printf("%s: at most %.2f ms, %.2f allocations a frame\n", STAGE_NAMES[stage], g->longest_ms[stage],
           (double)g->allocations[stage] / n);
  printf("view: center %.9g %.9g, units per DIP %.9g, rotation %.9g\n", state.center.x, state.center.y,
         state.units_per_dip, state.rotation_deg);
  return status;
}

/* A PPM file: what the texture holds. Where it is transparent, it is black. */
static int write_picture(const game *g, const char *path) {
  FILE *file = fopen(path, "wb");
  if (file == NULL)
    return -1;
  fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    fwrite(&g->texture[4 * i], 1, 3, file);
  return fclose(file);
}

int main(int argc, char **argv) {
  const char *data = "examples/world_identify/data", *picture = NULL;
  game *g = &the_game;
  ald_error error;
  int seconds = 10;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 < argc && strcmp(argv[i], "--data") == 0) {
      data = argv[i + 1];
    } else if (i + 1 < argc && strcmp(argv[i], "--picture") == 0) {
      picture = argv[i + 1];
    } else if (i + 1 < argc && strcmp(argv[i], "--seconds") == 0) {
      seconds = atoi(argv[i + 1]);
    } else {
      fprintf(stderr, "usage: %s [--data DIR] [--seconds N] [--picture FILE.ppm]\n", argv[0]);
      return 2;
    }
  }
  g->frame_count = RATE * (seconds < 1 ? 1 : seconds > MOST_SECONDS ? MOST_SECONDS : seconds);
  if (set_the_scene(g, data, &error) || run_loop(g, &error) || end_loop(g, &error) || report(g, &error)) {
    fprintf(stderr, "%s: %s\n", ald_status_get_name(error.status), error.message);
    return 1;
  }
  ald_runtime_release(g->runtime); /* and all objects that were created with it */
  if (picture != NULL && write_picture(g, picture) != 0) {
    perror(picture);
    return 1;
  }
  return 0;
}

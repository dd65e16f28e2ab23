/*
 * A frame: letting time pass over a map of 10,000 layers in groups three deep, each with a scale range of its own,
 * while nothing changes, while the view slides, and while it crosses all ranges; and a million points of the screen to
 * the map and back, next to memory's own speed and a loop in C.
 *
 *   bench_advance RASTER
 */
#include "bench.h"

#include <math.h>

enum { LAYERS = 10000, FRAMES = 20000, POINTS = 1000000, ROUNDS = 15, CROSSINGS = 400 };
/* The view is at 1 : 100,000 at first; every range ends between that and 1 : 400,000. */
enum { NEAREST_END = 200000 };

static double times[FRAMES];
static double screen[2 * POINTS], converted[2 * POINTS];

static void report(const char *name, const char *part, double value) {
  char label[128];
  snprintf(label, sizeof label, "%s_%s", name, part);
  result(label, value);
}

/* Times each frame by itself; the clock's own cost, some 20 ns, is in it. */
static void measure_frames(const char *name, ald_view view, ald_runtime runtime, int reads) {
  ald_error error;
  ald_event events[16];
  ald_view_state state = ALD_VIEW_STATE_INIT;
  size_t count = 0;
  double checksum = 0;
  for (int frame = 0; frame < FRAMES; frame++) {
    const double start = now_ns();
    must(ald_view_advance(view, 1.0 / 120, &error), &error);
    if (reads) {
      must(ald_runtime_poll_events(runtime, events, 16, &count, &error), &error);
      must(ald_view_get_state(view, &state, &error), &error);
      checksum += state.center.x;
    }
    times[frame] = now_ns() - start;
  }
  must(ald_view_get_state(view, &state, &error), &error);
  report(name, "median", percentile(times, FRAMES, 50));
  report(name, "p99", percentile(times, FRAMES, 99));
  report(name, "checksum", checksum + state.center.x + state.center.y);
}

/* Eastward, in an animation that lasts longer than all frames. */
static void begin_to_move(ald_view view) {
  ald_error error;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_viewpoint far_away = ALD_VIEWPOINT_INIT;
  ald_animation_options options = ALD_ANIMATION_OPTIONS_INIT;
  must(ald_view_get_state(view, &state, &error), &error);
  far_away.fields = ALD_VIEWPOINT_HAS_CENTER;
  far_away.center = (ald_point){state.center.x + 1e6, state.center.y};
  options.duration_s = 3600;
  must(ald_view_animate_to(view, &far_away, NULL, &options, &error), &error);
}

static double best_of(double (*work)(const void *context), const void *context) {
  double best = INFINITY;
  for (int round = 0; round < ROUNDS; round++) {
    const double start = now_ns();
    volatile double answer = work(context);
    (void)answer;
    best = fmin(best, now_ns() - start);
  }
  return best;
}

static double to_map(const void *context) {
  ald_error error;
  must(ald_view_screen_to_map(*(const ald_view *)context, screen, 0, POINTS, converted, 0, &error), &error);
  return converted[POINTS];
}

static double to_screen(const void *context) {
  ald_error error;
  must(ald_view_map_to_screen(*(const ald_view *)context, converted, 0, POINTS, converted, 0, &error), &error);
  return converted[POINTS];
}

static double copy(const void *context) {
  (void)context;
  memcpy(converted, screen, sizeof screen);
  return converted[POINTS];
}

/* The same arithmetic as a host would write it with the matrix of ald_view_state. */
static double loop(const void *context) {
  const ald_view_state *state = context;
  const double *m = state->screen_to_map;
  for (size_t i = 0; i < POINTS; i++) {
    const double dx = screen[2 * i] - state->anchor_dip.x, dy = screen[2 * i + 1] - state->anchor_dip.y;
    converted[2 * i] = state->center.x + (m[0] * dx + m[1] * dy);
    converted[2 * i + 1] = state->center.y + (m[2] * dx + m[3] * dy);
  }
  return converted[POINTS];
}

static double sum(void) {
  double total = 0;
  for (size_t i = 0; i < 2 * POINTS; i++)
    total += converted[i];
  return total;
}

/* 10 groups of 10 groups of 10 groups of 10 layers. */
static void add_groups(const scene *scene, ald_layer parent, int depth, int *count) {
  ald_error error;
  for (int i = 0; i < 10; i++) {
    ald_layer layer;
    if (depth < 3) {
      must(ald_group_layer_create(scene->runtime, &layer, &error), &error);
      add_groups(scene, layer, depth + 1, count);
    } else {
      must(ald_raster_layer_create(scene->raster, &layer, &error), &error);
      must(ald_layer_set_scale_range(layer, NEAREST_END + (*count)++, 0, &error), &error);
    }
    must(depth == 0 ? ald_map_add_layer(scene->map, layer, &error) : ald_group_layer_add_layer(parent, layer, &error),
         &error);
    ald_layer_release(layer);
  }
}

/* Frames in which the scale crosses the ranges of all layers, there and back. The events are drained in between. */
static void measure_crossing(ald_view view, ald_runtime runtime) {
  static ald_event events[LAYERS + 64];
  ald_error error;
  size_t count = 0, told = 0;
  ald_viewpoint target = ALD_VIEWPOINT_INIT;
  ald_animation_options options = ALD_ANIMATION_OPTIONS_INIT;
  target.fields = ALD_VIEWPOINT_HAS_SCALE;
  options.duration_s = 1.0 / 120;
  for (int i = 0; i < CROSSINGS; i++) {
    target.scale = i % 2 ? 100000 : 400000;
    must(ald_view_animate_to(view, &target, NULL, &options, &error), &error);
    const double start = now_ns();
    must(ald_view_advance(view, 1.0 / 120, &error), &error);
    times[i] = now_ns() - start;
    must(ald_runtime_poll_events(runtime, events, LAYERS + 64, &count, &error), &error);
    for (size_t j = 0; j < count; j++)
      told += events[j].kind == ALD_EVENT_KIND_LAYER_VIEW_STATE_CHANGED;
  }
  if (told != (size_t)CROSSINGS * LAYERS) {
    fprintf(stderr, "%zu of %d changes had an event\n", told, CROSSINGS * LAYERS);
    exit(1);
  }
  report("advance_crossing", "median", percentile(times, CROSSINGS, 50));
  report("advance_crossing", "p99", percentile(times, CROSSINGS, 99));
  report("advance_crossing", "checksum", (double)told);
}

int main(int argc, char **argv) {
  ald_error error;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  uint64_t seed = 7;
  if (argc != 2)
    return 2;
  scene scene = open_scene(argv[1], 1, 3857);
  look_at_middle(&scene, 4, 30);
  int count = 0;
  add_groups(&scene, (ald_layer){0}, 0, &count);
  must(ald_view_set_scale(scene.view, 100000, &error), &error);
  measure_frames("advance_still", scene.view, scene.runtime, 0);
  measure_frames("frame_still", scene.view, scene.runtime, 1);
  begin_to_move(scene.view);
  measure_frames("frame_moving", scene.view, scene.runtime, 1);
  must(ald_view_stop(scene.view, &error), &error);
  measure_crossing(scene.view, scene.runtime);

  for (size_t i = 0; i < POINTS; i++) {
    screen[2 * i] = 800 * random_unit(&seed);
    screen[2 * i + 1] = 600 * random_unit(&seed);
  }
  must(ald_view_get_state(scene.view, &state, &error), &error);
  result("convert_copy", best_of(copy, NULL) / POINTS);
  result("convert_loop", best_of(loop, &state) / POINTS);
  const double by_loop = sum();
  result("convert_to_map", best_of(to_map, &scene.view) / POINTS);
  result("convert_difference", fabs(sum() - by_loop) / fabs(by_loop));
  result("convert_checksum", sum());
  /* In place, and the first time back where the points were. */
  must(ald_view_map_to_screen(scene.view, converted, 0, POINTS, converted, 0, &error), &error);
  double worst = 0;
  for (size_t i = 0; i < 2 * POINTS; i++)
    worst = fmax(worst, fabs(converted[i] - screen[i]));
  result("convert_round_trip", worst);
  result("convert_to_screen", best_of(to_screen, &scene.view) / POINTS);
  ald_runtime_release(scene.runtime);
  return 0;
}

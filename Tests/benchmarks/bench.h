/*
 * What the benchmark programs share: a clock, fixed random numbers, percentiles, and a line per result.
 *
 * Each program prints "name value" lines, times in nanoseconds; `run` collects them into a table.
 */
#ifndef BENCH_H
#define BENCH_H

#include <alidade.h>

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The benchmark raster, as Tests/data/generate.py makes it: its upper left corner, and the size of its cells. */
#define RASTER_LEFT 500000.0
#define RASTER_TOP 5400000.0
#define CELL_M 30.0

static inline double now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* splitmix64: the same numbers in every run and in peers.py. */
static inline uint64_t random_bits(uint64_t *state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* From 0 to just below 1. */
static inline double random_unit(uint64_t *state) {
  return (double)(random_bits(state) >> 11) * 0x1p-53;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sorts the times. */
static inline double percentile(double *times, size_t count, double percent) {
  qsort(times, count, sizeof *times, compare_doubles);
  size_t index = (size_t)(percent / 100 * (double)(count - 1) + 0.5);
  return times[index];
}

static inline void result(const char *name, double value) {
  printf("%s %.17g\n", name, value);
}

/* A line of /proc/self/status, in bytes. VmHWM is the peak of resident memory. */
static inline double memory_bytes(const char *line_name) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  double kibibytes = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, line_name, strlen(line_name)) == 0)
      kibibytes = strtod(line + strlen(line_name) + 1, NULL);
  if (file != NULL)
    fclose(file);
  return kibibytes * 1024;
}

/*
 * `run --growth` measures one row in each process: BENCH_ROW names it, BENCH_SIZE says how many times as many elements
 * as usual it has, up to MOST_TIMES, and the row's time as a whole and its memory are printed.
 */
enum { MOST_TIMES = 10 };
static double memory_before;

static inline uint32_t sized(uint32_t usual) {
  const char *factor = getenv("BENCH_SIZE");
  return factor == NULL ? usual : (uint32_t)(usual * strtod(factor, NULL) + 0.5);
}

static inline int wanted(const char *what, const char *who) {
  char label[96];
  const char *only = getenv("BENCH_ROW");
  snprintf(label, sizeof label, "%s_%s", what, who);
  return only == NULL || strcmp(only, label) == 0;
}

/* From here on, memory counts as the row's: what it is given is there already. */
static inline void watch_memory(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  malloc_trim(0);
  if (file != NULL) {
    fputs("5", file); /* the peak is what is there now */
    fclose(file);
  }
  memory_before = memory_bytes("VmRSS:");
}

/* The median of a row's rounds, for each of so many. */
static inline void print_times(const char *what, const char *who, double *times, size_t rounds, double per) {
  char label[96];
  const double median = percentile(times, rounds, 50);
  snprintf(label, sizeof label, "%s_%s_median", what, who);
  result(label, median / per);
  if (getenv("BENCH_ROW") != NULL) {
    result("row_time", median);
    result("row_memory", memory_bytes("VmHWM:") - memory_before);
  }
}

static inline void print_row(const char *what, const char *who, double *times, size_t rounds, double per,
                             double checksum) {
  char label[96];
  print_times(what, who, times, rounds, per);
  snprintf(label, sizeof label, "%s_%s_checksum", what, who);
  result(label, checksum);
}

/* A benchmark that cannot do its work says so and ends: a number from half of the work would be a lie. */
static inline void must(ald_status status, const ald_error *error) {
  if (status == ALD_STATUS_OK)
    return;
  fprintf(stderr, "%s: %s\n", ald_status_get_name(status), error->message);
  exit(1);
}

/* thread_count 0: one per processor. Ten times as many elements may take more than a request may by default. */
static inline ald_runtime open_runtime(uint32_t thread_count) {
  ald_error error;
  ald_runtime runtime = {0};
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_bytes = (uint64_t)MOST_TIMES << 30;
  policy.max_request_points = INT32_MAX;
  options.thread_count = thread_count;
  options.policy = getenv("BENCH_SIZE") == NULL ? NULL : &policy;
  must(ald_runtime_create(&options, &runtime, &error), &error);
  return runtime;
}

/* A raster on a map with a view. */
typedef struct scene {
  ald_runtime runtime;
  ald_raster raster;
  ald_layer layer;
  ald_map map;
  ald_view view;
} scene;

/* map_code 0: the map takes the raster's spatial reference. */
static inline scene open_scene(const char *path, uint32_t thread_count, int32_t map_code) {
  scene scene = {{0}, {0}, {0}, {0}, {0}};
  ald_error error;
  scene.runtime = open_runtime(thread_count);
  must(ald_raster_open(scene.runtime, path, NULL, &scene.raster, &error), &error);
  must(ald_raster_layer_create(scene.raster, &scene.layer, &error), &error);
  ald_spatial_reference map_reference = {0};
  if (map_code != 0)
    must(ald_spatial_reference_create_from_code(scene.runtime, NULL, map_code, &map_reference, &error), &error);
  must(ald_map_create(scene.runtime, map_reference, &scene.map, &error), &error);
  must(ald_map_add_layer(scene.map, scene.layer, &error), &error);
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  size.width_dip = 800;
  size.height_dip = 600;
  must(ald_view_create(scene.map, &size, &scene.view, &error), &error);
  return scene;
}

/* Looks at the middle of the raster, a cell being as large as dip_per_cell says, measured in the map. */
static inline void look_at_middle(const scene *scene, double dip_per_cell, double rotation_deg) {
  ald_error error;
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  must(ald_raster_get_info(scene->raster, &info, &error), &error);
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE | ALD_VIEWPOINT_HAS_ROTATION;
  viewpoint.center.x = (info.extent.x_min + info.extent.x_max) / 2;
  viewpoint.center.y = (info.extent.y_min + info.extent.y_max) / 2;
  must(ald_raster_get_spatial_reference(scene->raster, &viewpoint.spatial_reference, &error), &error);
  viewpoint.scale = CELL_M / dip_per_cell * 96 / 0.0254;
  viewpoint.rotation_deg = rotation_deg;
  must(ald_view_set_viewpoint(scene->view, &viewpoint, &error), &error);
}

#endif

/*
 * A hundred thousand circles: as a geometry array whose every coordinate is then read, into the host's memory, and
 * their union where 2, 10 or 40 others overlap each.
 *
 *   bench_circles
 *
 * Times are the best and the median of several rounds, in nanoseconds: per circle, but of unions for all. Checksums are
 * sums of coordinates, and areas of unions. circles_peers.py does the same with Shapely.
 */
#include "bench.h"

#include <math.h>

enum { CIRCLES = 100000, QUADRANT_SEGMENTS = 8, VERTICES = 4 * QUADRANT_SEGMENTS + 1, ROUNDS = 9, UNION_ROUNDS = 3 };

static double centres[CIRCLES][2], vertices[CIRCLES * VERTICES][2];

static void make_centres(double side) {
  uint64_t state = CIRCLES;
  for (size_t index = 0; index < CIRCLES; index++) {
    centres[index][0] = side * random_unit(&state);
    centres[index][1] = side * random_unit(&state);
  }
}

static ald_geometry_array points(ald_runtime runtime) {
  ald_error error;
  ald_geometry_array array;
  ald_geometry_columns given = ALD_GEOMETRY_COLUMNS_INIT;
  given.kind = ALD_GEOMETRY_KIND_POINT;
  given.geometry_count = given.vertex_count = CIRCLES;
  given.xy = &centres[0][0];
  must(ald_geometry_array_create(runtime, &given, (ald_spatial_reference){0}, &array, &error), &error);
  return array;
}

static void print_times(const char *what, const char *who, double *times, size_t count, double per) {
  char label[96];
  snprintf(label, sizeof label, "%s_%s_min", what, who);
  result(label, percentile(times, count, 0) / per);
  snprintf(label, sizeof label, "%s_%s_median", what, who);
  result(label, percentile(times, count, 50) / per);
}

static void print_checksum(const char *what, const char *who, double sum) {
  char label[96];
  snprintf(label, sizeof label, "%s_%s_checksum", what, who);
  result(label, sum);
}

static double sum_of(const double *numbers, size_t count) {
  double sums[4] = {0, 0, 0, 0};
  for (size_t index = 0; index + 4 <= count; index += 4)
    for (int lane = 0; lane < 4; lane++)
      sums[lane] += numbers[index + lane];
  for (size_t index = count / 4 * 4; index < count; index++)
    sums[0] += numbers[index];
  return sums[0] + sums[1] + sums[2] + sums[3];
}

static void measure_array(ald_runtime runtime, const char *who) {
  static const double radius = 1;
  ald_error error;
  ald_geometry_array array = points(runtime);
  ald_buffer_options options = ALD_BUFFER_OPTIONS_INIT;
  options.quadrant_segments = QUADRANT_SEGMENTS;
  double times[ROUNDS], sum = 0;
  for (int round = -1; round < ROUNDS; round++) { /* the first one starts the threads */
    const double start = now_ns();
    ald_geometry_array circles;
    ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
    must(ald_geometry_array_create_buffers(array, &radius, 1, &options, &circles, &error), &error);
    must(ald_geometry_array_get_columns(circles, &columns, &error), &error);
    sum = sum_of(columns.xy, 2 * (size_t)columns.vertex_count);
    if (round >= 0)
      times[round] = now_ns() - start;
    ald_geometry_array_release(circles);
  }
  ald_geometry_array_release(array);
  print_times("circles", who, times, ROUNDS, CIRCLES);
  print_checksum("circles", who, sum);
}

static void measure_fill(ald_runtime runtime, const char *who) {
  static const double radius = 1;
  ald_error error;
  double times[ROUNDS];
  for (int round = -1; round < ROUNDS; round++) { /* the first one touches the memory */
    const double start = now_ns();
    must(ald_runtime_fill_circles(runtime, &centres[0][0], 0, CIRCLES, &radius, 1, QUADRANT_SEGMENTS, &vertices[0][0],
                                  0, CIRCLES * VERTICES, &error),
         &error);
    if (round >= 0)
      times[round] = now_ns() - start;
  }
  print_times("circles_fill", who, times, ROUNDS, CIRCLES);
  print_checksum("circles_fill", who, sum_of(&vertices[0][0], 2 * sizeof vertices / sizeof vertices[0]));
}

/* The area within all rings, holes negative, from a point nearby. */
static double area_of(const ald_geometry_columns *columns) {
  double area = 0;
  for (uint32_t path = 0; path < columns->path_count; path++) {
    const double *origin = columns->xy + 2 * columns->vertex_offsets[path];
    for (int32_t index = columns->vertex_offsets[path]; index + 1 < columns->vertex_offsets[path + 1]; index++) {
      const double *a = columns->xy + 2 * index, *b = a + 2;
      area += 0.5 * ((a[0] - origin[0]) * (b[1] - origin[1]) - (b[0] - origin[0]) * (a[1] - origin[1]));
    }
  }
  return area;
}

static void measure_union(ald_runtime runtime, int neighbours, const char *who) {
  static const double radius = 1;
  ald_error error;
  char what[32];
  snprintf(what, sizeof what, "union_%d", neighbours);
  /* Circles overlap where centres are less than 2 apart: within an area of 4 pi. */
  make_centres(sqrt(CIRCLES * 4 * acos(-1.0) / neighbours));
  ald_geometry_array array = points(runtime);
  ald_buffer_options options = ALD_BUFFER_OPTIONS_INIT;
  options.quadrant_segments = QUADRANT_SEGMENTS;
  double times[UNION_ROUNDS], area = 0;
  for (int round = 0; round < UNION_ROUNDS; round++) {
    const double start = now_ns();
    ald_geometry whole;
    ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
    must(ald_geometry_array_create_buffer_union(array, &radius, 1, &options, &whole, &error), &error);
    times[round] = now_ns() - start;
    must(ald_geometry_get_columns(whole, &columns, &error), &error);
    area = area_of(&columns);
    ald_geometry_release(whole);
  }
  ald_geometry_array_release(array);
  print_times(what, who, times, UNION_ROUNDS, 1);
  print_checksum(what, who, area);
}

int main(void) {
  static const int neighbours[] = {2, 10, 40};
  for (uint32_t threads = 1; threads != ALD_ALL; threads = threads == 1 ? 0 : ALD_ALL) {
    const char *who = threads == 1 ? "one" : "all";
    ald_error error;
    ald_runtime runtime;
    ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
    options.thread_count = threads;
    must(ald_runtime_create(&options, &runtime, &error), &error);
    make_centres(1000);
    measure_array(runtime, who);
    measure_fill(runtime, who);
    for (size_t index = 0; index < sizeof neighbours / sizeof neighbours[0]; index++)
      measure_union(runtime, neighbours[index], who);
    ald_runtime_release(runtime);
  }
  return 0;
}

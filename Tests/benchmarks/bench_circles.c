/*
 * A hundred thousand circles: as a geometry array whose every coordinate is then read, into the host's memory, and
 * their union where 2, 10 or 40 others overlap each. Unions of circles that just touch, in lattices, and of a dense
 * column.
 *
 *   bench_circles
 *
 * Times are the median of several rounds, in nanoseconds: per circle, but of unions for all. Checksums are sums of
 * coordinates, and areas of unions. circles_peers.py does the same with Shapely.
 */
#include "bench.h"

#include <math.h>

enum { CIRCLES = 100000, QUADRANT_SEGMENTS = 8, VERTICES = 4 * QUADRANT_SEGMENTS + 1, ROUNDS = 9, UNION_ROUNDS = 3 };

static double centres[MOST_TIMES * CIRCLES][2], vertices[CIRCLES * VERTICES][2];

static void make_centres(double side, uint32_t count) {
  uint64_t state = count;
  for (uint32_t index = 0; index < count; index++) {
    centres[index][0] = side * random_unit(&state);
    centres[index][1] = side * random_unit(&state);
  }
}

/* Rows of circles with a radius of 5, or a column with a radius of 10. Every other row is shifted by half a circle. */
static void make_lattice(uint32_t columns, double shift, double up, uint32_t count) {
  for (uint32_t index = 0; index < count; index++) {
    const uint32_t row = index / columns;
    centres[index][0] = 500000 + index % columns * 10.0 + row % 2 * shift;
    centres[index][1] = 4500000 + row * up;
  }
}

static ald_geometry_array points(ald_runtime runtime, uint32_t count) {
  ald_error error;
  ald_geometry_array array;
  ald_geometry_columns given = ALD_GEOMETRY_COLUMNS_INIT;
  given.kind = ALD_GEOMETRY_KIND_POINT;
  given.geometry_count = given.vertex_count = count;
  given.xy = &centres[0][0];
  must(ald_geometry_array_create(runtime, &given, (ald_spatial_reference){0}, &array, &error), &error);
  return array;
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
  if (!wanted("circles", who))
    return;
  ald_error error;
  ald_geometry_array array = points(runtime, CIRCLES);
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
  print_row("circles", who, times, ROUNDS, CIRCLES, sum);
}

static void measure_fill(ald_runtime runtime, const char *who) {
  static const double radius = 1;
  if (!wanted("circles_fill", who))
    return;
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
  print_row("circles_fill", who, times, ROUNDS, CIRCLES,
            sum_of(&vertices[0][0], 2 * sizeof vertices / sizeof vertices[0]));
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

static void measure_union(ald_runtime runtime, const char *what, const char *who, double radius, uint32_t count) {
  ald_error error;
  const ald_geometry_array array = points(runtime, count);
  ald_buffer_options options = ALD_BUFFER_OPTIONS_INIT;
  options.quadrant_segments = QUADRANT_SEGMENTS;
  double times[UNION_ROUNDS], area = 0;
  watch_memory();
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
  print_row(what, who, times, UNION_ROUNDS, 1, area);
}

static void measure_crowded(ald_runtime runtime, int neighbours, const char *who) {
  const uint32_t count = sized(CIRCLES);
  char what[32];
  snprintf(what, sizeof what, "union_%d", neighbours);
  if (!wanted(what, who))
    return;
  /* Circles overlap where centres are less than 2 apart: within an area of 4 pi. */
  make_centres(sqrt(count * 4 * acos(-1.0) / neighbours), count);
  measure_union(runtime, what, who, 1, count);
}

static void measure_touching(ald_runtime runtime, const char *name, uint32_t usual, const char *who) {
  const uint32_t count = sized(usual), columns = (uint32_t)ceil(sqrt(count));
  const int is_column = strcmp(name, "column") == 0, is_square = strcmp(name, "square") == 0;
  char what[64];
  snprintf(what, sizeof what, "touching_%s_%u", name, usual);
  if (!wanted(what, who))
    return;
  make_lattice(is_column ? 1 : columns, is_column || is_square ? 0 : 5,
               is_column   ? 0.01
               : is_square ? 10
                           : sqrt(75),
               count);
  measure_union(runtime, what, who, is_column ? 10 : 5, count);
}

int main(void) {
  static const int neighbours[] = {2, 10, 40};
  static const char *const lattices[] = {"square", "hexagonal", "column"};
  for (uint32_t threads = 1; threads != ALD_ALL; threads = threads == 1 ? 0 : ALD_ALL) {
    const char *who = threads == 1 ? "one" : "all";
    const ald_runtime runtime = open_runtime(threads);
    make_centres(1000, CIRCLES);
    measure_array(runtime, who);
    measure_fill(runtime, who);
    for (size_t index = 0; index < 3; index++)
      measure_crowded(runtime, neighbours[index], who);
    for (size_t index = 0; index < 3; index++) {
      measure_touching(runtime, lattices[index], CIRCLES / 10, who);
      measure_touching(runtime, lattices[index], CIRCLES, who);
    }
    ald_runtime_release(runtime);
  }
  return 0;
}

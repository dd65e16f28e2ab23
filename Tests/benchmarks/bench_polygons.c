/*
 * 20,000 ragged polygons of 33 vertices: the planar buffer of each, the union of all, and the union of their buffers;
 * as many round ones: the buffer of each, and the union. The buffer of a line of 50,000 vertices, and that of a polygon
 * of 100,000.
 *
 *   bench_polygons FOLDER
 *
 * Times are in nanoseconds: the median of several rounds. Checksums are areas. The coordinates are written to FOLDER
 * for polygon_peers.py.
 */
#include "polygons.h"

enum { LINE_VERTICES = 50000, RING_VERTICES = 100000, ROUNDS = 5 };
#define DISTANCE_M 25.0

static double line[MOST_TIMES * LINE_VERTICES][2], ring[MOST_TIMES * RING_VERTICES + 1][2];

/* A track that wanders east and comes by its own buffer often, and an island with a rough coast. */
static void make_long_ones(const char *folder) {
  const uint32_t line_count = sized(LINE_VERTICES), ring_count = sized(RING_VERTICES);
  uint64_t state = line_count;
  double x = 500000, y = 4500000, radius = 8.0 * ring_count;
  for (uint32_t i = 0; i < line_count; i++) {
    x += 6 + 28 * (random_unit(&state) - 0.5);
    y += 28 * (random_unit(&state) - 0.5);
    line[i][0] = x;
    line[i][1] = y;
  }
  for (uint32_t i = 0; i < ring_count; i++) {
    const double angle = (i + 0.9 * random_unit(&state)) * 2 * PI / ring_count;
    radius += (random_unit(&state) - 0.5) * 80;
    ring[i][0] = 500000 + radius * cos(angle);
    ring[i][1] = 4500000 + radius * sin(angle);
  }
  ring[ring_count][0] = ring[0][0];
  ring[ring_count][1] = ring[0][1];
  write_to(folder, "line", (const double(*)[2])line, line_count);
  write_to(folder, "ring", (const double(*)[2])ring, ring_count + 1);
}

static double area_of(ald_geometry geometry) {
  ald_error error;
  double area = 0;
  ald_measure_options options = ALD_MEASURE_OPTIONS_INIT;
  options.kind = ALD_MEASURE_KIND_PLANAR;
  must(ald_geometry_area(geometry, &options, &area, &error), &error);
  return area;
}

static double areas_of(ald_geometry_array array, uint32_t count) {
  static double areas[MOST_POLYGONS];
  ald_error error;
  double sum = 0;
  ald_measure_options options = ALD_MEASURE_OPTIONS_INIT;
  options.kind = ALD_MEASURE_KIND_PLANAR;
  must(ald_geometry_array_areas(array, &options, areas, count, &error), &error);
  for (uint32_t index = 0; index < count; index++)
    sum += areas[index];
  return sum;
}

/* The buffer of one geometry, which is new each time: what is known of a geometry is not asked again. */
static void measure_single(ald_runtime runtime, const char *what, const char *who, ald_geometry_kind kind,
                           const double (*points)[2], size_t count) {
  double times[ROUNDS], area = 0;
  ald_error error;
  if (!wanted(what, who))
    return;
  watch_memory();
  for (int round = 0; round < ROUNDS; round++) {
    ald_geometry geometry = make_single(runtime, kind, points, count), buffer = {0};
    const double start = now_ns();
    must(ald_geometry_create_buffer(geometry, DISTANCE_M, NULL, &buffer, &error), &error);
    times[round] = now_ns() - start;
    area = area_of(buffer);
    ald_geometry_release(buffer);
    ald_geometry_release(geometry);
  }
  print_row(what, who, times, ROUNDS, 1, area);
}

static void measure_buffers(ald_geometry_array array, const char *what, const char *who) {
  const double distance = DISTANCE_M;
  double times[ROUNDS], area = 0;
  ald_error error;
  if (!wanted(what, who))
    return;
  watch_memory();
  for (int round = 0; round < ROUNDS; round++) {
    ald_geometry_array buffers = {0};
    const double start = now_ns();
    must(ald_geometry_array_create_buffers(array, &distance, 1, NULL, &buffers, &error), &error);
    times[round] = now_ns() - start;
    area = areas_of(buffers, sized(POLYGONS));
    ald_geometry_array_release(buffers);
  }
  print_row(what, who, times, ROUNDS, POLYGONS, area);
}

/* The union of the polygons, or of their buffers if the distance is not 0. */
static void measure_union(ald_geometry_array array, const char *what, const char *who, double distance) {
  double times[ROUNDS], area = 0;
  ald_error error;
  if (!wanted(what, who))
    return;
  watch_memory();
  for (int round = 0; round < ROUNDS; round++) {
    ald_geometry together = {0};
    const double start = now_ns();
    if (distance == 0)
      must(ald_geometry_array_create_union(array, 0, &together, &error), &error);
    else
      must(ald_geometry_array_create_buffer_union(array, &distance, 1, NULL, &together, &error), &error);
    times[round] = now_ns() - start;
    area = area_of(together);
    ald_geometry_release(together);
  }
  print_row(what, who, times, ROUNDS, 1, area);
}

static void measure(uint32_t thread_count, const char *who) {
  const ald_runtime runtime = open_runtime(thread_count);
  const ald_geometry_array array = make_array(runtime, (const double(*)[2])xy, sized(POLYGONS));
  measure_buffers(array, "polygons_buffers", who);
  measure_union(array, "polygons_union", who, 0);
  measure_union(array, "polygons_buffer_union", who, DISTANCE_M);
  measure_single(runtime, "polygons_line", who, ALD_GEOMETRY_KIND_POLYLINE, (const double(*)[2])line,
                 sized(LINE_VERTICES));
  measure_single(runtime, "polygons_ring", who, ALD_GEOMETRY_KIND_POLYGON, (const double(*)[2])ring,
                 sized(RING_VERTICES) + 1);
  ald_runtime_release(runtime);
}

static void measure_round(uint32_t thread_count, const char *who) {
  const ald_runtime runtime = open_runtime(thread_count);
  const ald_geometry_array array = make_array(runtime, (const double(*)[2])xy, sized(POLYGONS));
  measure_buffers(array, "polygons_round_buffers", who);
  measure_union(array, "polygons_round_union", who, 0);
  ald_runtime_release(runtime);
}

int main(int argument_count, char **arguments) {
  if (argument_count != 2)
    return 2;
  make_long_ones(arguments[1]);
  make_rings(arguments[1], "polygons", sized(POLYGONS), 0);
  measure(1, "one");
  measure(0, "all");
  make_rings(arguments[1], "round", sized(POLYGONS), 1);
  measure_round(1, "one");
  measure_round(0, "all");
  return 0;
}

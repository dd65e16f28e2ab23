/*
 * 20,000 polygons of 33 vertices: the planar buffer of each, the union of all, and the union of their buffers. The
 * buffer of a line of 50,000 vertices, and that of a polygon of 100,000.
 *
 *   bench_polygons FOLDER
 *
 * Times are in nanoseconds: the median of several rounds. Checksums are areas. The coordinates are written to FOLDER
 * for polygon_peers.py.
 */
#include "bench.h"

#include <math.h>

enum { POLYGONS = 20000, VERTICES = 33, LINE_VERTICES = 50000, RING_VERTICES = 100000, ROUNDS = 5 };
#define DISTANCE_M 25.0

static double xy[POLYGONS * (VERTICES + 1)][2];
static uint8_t kinds[POLYGONS];
static int32_t offsets[POLYGONS + 1], vertex_offsets[POLYGONS + 1];
static double line[LINE_VERTICES][2], ring[RING_VERTICES + 1][2];

static void write_to(const char *folder, const char *name, const double (*points)[2], size_t count) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s.bin", folder, name);
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(points, sizeof points[0], count, file) != count || fclose(file) != 0)
    exit(1);
}

/* A track that wanders east and comes by its own buffer often, and an island with a rough coast. */
static void make_long_ones(const char *folder) {
  const double pi = 3.14159265358979323846;
  uint64_t state = LINE_VERTICES;
  double x = 500000, y = 4500000, roughness = 0;
  for (int i = 0; i < LINE_VERTICES; i++) {
    x += 6 + 28 * (random_unit(&state) - 0.5);
    y += 28 * (random_unit(&state) - 0.5);
    line[i][0] = x;
    line[i][1] = y;
  }
  for (int i = 0; i < RING_VERTICES; i++) {
    const double angle = (i + 0.9 * random_unit(&state)) * 2 * pi / RING_VERTICES;
    roughness += (random_unit(&state) - 0.5) * 1e-4;
    ring[i][0] = 500000 + 800000 * (1 + roughness) * cos(angle);
    ring[i][1] = 4500000 + 800000 * (1 + roughness) * sin(angle);
  }
  ring[RING_VERTICES][0] = ring[0][0];
  ring[RING_VERTICES][1] = ring[0][1];
  write_to(folder, "line", (const double(*)[2])line, LINE_VERTICES);
  write_to(folder, "ring", (const double(*)[2])ring, RING_VERTICES + 1);
}

/* Rings around random centres, a few of which overlap each other. */
static void make_rings(const char *folder) {
  const double pi = 3.14159265358979323846;
  uint64_t state = POLYGONS;
  size_t at = 0;
  for (int ring = 0; ring < POLYGONS; ring++) {
    const double x = 500000 + 60000 * random_unit(&state), y = 4500000 + 60000 * random_unit(&state);
    offsets[ring] = ring;
    vertex_offsets[ring] = (int32_t)at;
    kinds[ring] = ALD_GEOMETRY_KIND_POLYGON;
    for (int i = 0; i < VERTICES; i++) {
      const double angle = (i + 0.9 * random_unit(&state)) * 2 * pi / VERTICES;
      const double radius = 150 * (0.5 + 0.5 * random_unit(&state));
      xy[at][0] = x + radius * cos(angle);
      xy[at++][1] = y + radius * sin(angle);
    }
    xy[at][0] = xy[vertex_offsets[ring]][0];
    xy[at++][1] = xy[vertex_offsets[ring]][1];
  }
  offsets[POLYGONS] = POLYGONS;
  vertex_offsets[POLYGONS] = (int32_t)at;
  write_to(folder, "polygons", (const double(*)[2])xy, at);
}

static ald_spatial_reference utm(ald_runtime runtime) {
  ald_error error;
  ald_spatial_reference utm = {0};
  must(ald_spatial_reference_create_from_code(runtime, NULL, 32610, &utm, &error), &error);
  return utm;
}

static ald_geometry_array make_array(ald_runtime runtime) {
  ald_error error;
  ald_geometry_array array = {0};
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.geometry_count = columns.part_count = columns.path_count = POLYGONS;
  columns.vertex_count = (uint32_t)vertex_offsets[POLYGONS];
  columns.kinds = kinds;
  columns.part_offsets = columns.path_offsets = offsets;
  columns.vertex_offsets = vertex_offsets;
  columns.xy = &xy[0][0];
  must(ald_geometry_array_create(runtime, &columns, utm(runtime), &array, &error), &error);
  return array;
}

static double area_of(ald_geometry geometry) {
  ald_error error;
  double area = 0;
  ald_measure_options options = ALD_MEASURE_OPTIONS_INIT;
  options.kind = ALD_MEASURE_KIND_PLANAR;
  must(ald_geometry_area(geometry, &options, &area, &error), &error);
  return area;
}

static double areas_of(ald_geometry_array array) {
  static double areas[POLYGONS];
  ald_error error;
  double sum = 0;
  ald_measure_options options = ALD_MEASURE_OPTIONS_INIT;
  options.kind = ALD_MEASURE_KIND_PLANAR;
  must(ald_geometry_array_areas(array, &options, areas, POLYGONS, &error), &error);
  for (int index = 0; index < POLYGONS; index++)
    sum += areas[index];
  return sum;
}

static void print(const char *name, const char *who, double *times, double per, double area) {
  char label[96];
  snprintf(label, sizeof label, "polygons_%s_%s_median", name, who);
  result(label, percentile(times, ROUNDS, 50) / per);
  snprintf(label, sizeof label, "polygons_%s_%s_checksum", name, who);
  result(label, area);
}

/* The buffer of one geometry, which is new each time: what is known of a geometry is not asked again. */
static void measure_single(ald_runtime runtime, const char *name, const char *who, ald_geometry_kind kind,
                           const double *points, size_t count) {
  const uint8_t kinds[] = {(uint8_t)kind};
  const int32_t one[] = {0, 1}, vertices[] = {0, (int32_t)count};
  double times[ROUNDS], area = 0;
  ald_error error;
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.geometry_count = columns.part_count = columns.path_count = 1;
  columns.vertex_count = (uint32_t)count;
  columns.kinds = kinds;
  columns.part_offsets = columns.path_offsets = one;
  columns.vertex_offsets = vertices;
  columns.xy = points;
  for (int round = 0; round < ROUNDS; round++) {
    ald_geometry geometry = {0}, buffer = {0};
    must(ald_geometry_create(runtime, &columns, utm(runtime), &geometry, &error), &error);
    const double start = now_ns();
    must(ald_geometry_create_buffer(geometry, DISTANCE_M, NULL, &buffer, &error), &error);
    times[round] = now_ns() - start;
    area = area_of(buffer);
    ald_geometry_release(buffer);
    ald_geometry_release(geometry);
  }
  print(name, who, times, 1, area);
}

static void measure(uint32_t thread_count, const char *who) {
  const double distance = DISTANCE_M;
  double times[ROUNDS], area = 0;
  ald_error error;
  ald_runtime runtime = {0};
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.thread_count = thread_count;
  must(ald_runtime_create(&options, &runtime, &error), &error);
  ald_geometry_array array = make_array(runtime);
  for (int round = 0; round < ROUNDS; round++) {
    ald_geometry_array buffers = {0};
    const double start = now_ns();
    must(ald_geometry_array_create_buffers(array, &distance, 1, NULL, &buffers, &error), &error);
    times[round] = now_ns() - start;
    area = areas_of(buffers);
    ald_geometry_array_release(buffers);
  }
  print("buffers", who, times, POLYGONS, area);
  for (int round = 0; round < ROUNDS; round++) {
    ald_geometry together = {0};
    const double start = now_ns();
    must(ald_geometry_array_create_union(array, 0, &together, &error), &error);
    times[round] = now_ns() - start;
    area = area_of(together);
    ald_geometry_release(together);
  }
  print("union", who, times, 1, area);
  for (int round = 0; round < ROUNDS; round++) {
    ald_geometry together = {0};
    const double start = now_ns();
    must(ald_geometry_array_create_buffer_union(array, &distance, 1, NULL, &together, &error), &error);
    times[round] = now_ns() - start;
    area = area_of(together);
    ald_geometry_release(together);
  }
  print("buffer_union", who, times, 1, area);
  measure_single(runtime, "line", who, ALD_GEOMETRY_KIND_POLYLINE, &line[0][0], LINE_VERTICES);
  measure_single(runtime, "ring", who, ALD_GEOMETRY_KIND_POLYGON, &ring[0][0], RING_VERTICES + 1);
  ald_runtime_release(runtime);
}

int main(int argument_count, char **arguments) {
  if (argument_count != 2)
    return 2;
  make_rings(arguments[1]);
  make_long_ones(arguments[1]);
  measure(1, "one");
  measure(0, "all");
  return 0;
}

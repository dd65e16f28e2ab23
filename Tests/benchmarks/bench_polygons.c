/*
 * 20,000 polygons of 33 vertices: the planar buffer of each, the union of all, and the union of their buffers.
 *
 *   bench_polygons FOLDER
 *
 * Times are in nanoseconds: the median of several rounds. Checksums are areas. The rings are written to FOLDER for
 * polygon_peers.py.
 */
#include "bench.h"

#include <math.h>

enum { POLYGONS = 20000, VERTICES = 33, ROUNDS = 5 };
#define DISTANCE_M 25.0

static double xy[POLYGONS * (VERTICES + 1)][2];
static uint8_t kinds[POLYGONS];
static int32_t offsets[POLYGONS + 1], vertex_offsets[POLYGONS + 1];

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
  char path[512];
  snprintf(path, sizeof path, "%s/polygons.bin", folder);
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(xy, sizeof xy[0], at, file) != at || fclose(file) != 0)
    exit(1);
}

static ald_geometry_array make_array(ald_runtime runtime) {
  ald_error error;
  ald_spatial_reference utm = {0};
  ald_geometry_array array = {0};
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  must(ald_spatial_reference_create_from_code(runtime, NULL, 32610, &utm, &error), &error);
  columns.geometry_count = columns.part_count = columns.path_count = POLYGONS;
  columns.vertex_count = (uint32_t)vertex_offsets[POLYGONS];
  columns.kinds = kinds;
  columns.part_offsets = columns.path_offsets = offsets;
  columns.vertex_offsets = vertex_offsets;
  columns.xy = &xy[0][0];
  must(ald_geometry_array_create(runtime, &columns, utm, &array, &error), &error);
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
  ald_runtime_release(runtime);
}

int main(int argument_count, char **arguments) {
  if (argument_count != 2)
    return 2;
  make_rings(arguments[1]);
  measure(1, "one");
  measure(0, "all");
  return 0;
}

/*
 * Polygons as indexed triangles in a local frame, with floats, normals and texture coordinates: many small ones in one
 * call, and large ones; and a tile of terrain.
 *
 *   bench_mesh FOLDER RASTER
 *
 * Times are per vertex, in nanoseconds: the median of several rounds. The checksum is the number of triangles. The
 * rings are written to FOLDER for mesh_peers.py.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 7, MOST = 1000000 };

typedef struct set {
  const char *name;
  uint32_t count, vertices;
} set;

static const set SETS[] = {{"small", 20000, 33}, {"medium", 100, 10000}, {"large", 5, 100000}};

static double xy[MOST + 20000][2];
static uint8_t kinds[20000];
static int32_t part_offsets[20001], path_offsets[20001], vertex_offsets[20001];

/* Rings around centres, whose vertices are at random distances. */
static void make_rings(const set *set, const char *folder) {
  const double pi = 3.14159265358979323846;
  uint64_t state = set->vertices;
  char path[512];
  size_t at = 0;
  for (uint32_t ring = 0; ring < set->count; ring++) {
    const double x = 500000 + 5000 * random_unit(&state), y = 4500000 + 5000 * random_unit(&state);
    vertex_offsets[ring] = (int32_t)at;
    part_offsets[ring] = path_offsets[ring] = (int32_t)ring;
    kinds[ring] = ALD_GEOMETRY_KIND_POLYGON;
    for (uint32_t i = 0; i < set->vertices; i++) {
      const double angle = (i + 0.8 * random_unit(&state)) * 2 * pi / set->vertices;
      const double radius = 20 + 80 * random_unit(&state);
      xy[at][0] = x + radius * cos(angle);
      xy[at++][1] = y + radius * sin(angle);
    }
    xy[at][0] = xy[vertex_offsets[ring]][0];
    xy[at++][1] = xy[vertex_offsets[ring]][1];
  }
  part_offsets[set->count] = path_offsets[set->count] = (int32_t)set->count;
  vertex_offsets[set->count] = (int32_t)at;
  snprintf(path, sizeof path, "%s/rings_%s.bin", folder, set->name);
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(xy, sizeof xy[0], at, file) != at || fclose(file) != 0)
    exit(1);
}

static void measure(const set *set, uint32_t thread_count, const char *who) {
  ald_error error;
  ald_spatial_reference utm = {0};
  ald_engine_frame frame = {0};
  ald_geometry_array array = {0};
  ald_engine_frame_options planar = ALD_ENGINE_FRAME_OPTIONS_INIT;
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  char label[96];
  double times[ROUNDS], triangles = 0;
  planar.kind = ALD_ENGINE_FRAME_KIND_PLANAR;
  const ald_runtime runtime = open_runtime(thread_count);
  must(ald_spatial_reference_create_from_code(runtime, NULL, 32610, &utm, &error), &error);
  must(ald_engine_frame_create(utm, (ald_point){502500, 4502500}, 0, &planar, &frame, &error), &error);
  columns.geometry_count = columns.part_count = columns.path_count = set->count;
  columns.vertex_count = (uint32_t)vertex_offsets[set->count];
  columns.kinds = kinds;
  columns.part_offsets = part_offsets;
  columns.path_offsets = path_offsets;
  columns.vertex_offsets = vertex_offsets;
  columns.xy = &xy[0][0];
  must(ald_geometry_array_create(runtime, &columns, utm, &array, &error), &error);
  for (int round = -1; round < ROUNDS; round++) {
    ald_mesh mesh;
    const double start = now_ns();
    must(ald_engine_frame_create_geometry_array_mesh(frame, array, (ald_raster){0}, NULL, 0, NULL, &mesh, &error),
         &error);
    if (round >= 0)
      times[round] = now_ns() - start;
    ald_mesh_info info = ALD_MESH_INFO_INIT;
    must(ald_mesh_get_info(mesh, &info, &error), &error);
    triangles = info.triangle_count;
    ald_mesh_release(mesh);
  }
  snprintf(label, sizeof label, "mesh_%s_%s_median", set->name, who);
  result(label, percentile(times, ROUNDS, 50) / set->count / set->vertices);
  snprintf(label, sizeof label, "mesh_%s_%s_checksum", set->name, who);
  result(label, triangles);
  ald_runtime_release(runtime);
}

/* The whole raster within a metre: milliseconds, and how many triangles. */
static void measure_terrain(const char *path) {
  ald_error error;
  ald_runtime runtime = {0};
  ald_raster raster = {0};
  ald_spatial_reference reference = {0};
  ald_engine_frame frame = {0};
  ald_engine_frame_options planar = ALD_ENGINE_FRAME_OPTIONS_INIT;
  ald_mesh_options options = ALD_MESH_OPTIONS_INIT;
  double times[ROUNDS], triangles = 0, deviation = 0;
  planar.kind = ALD_ENGINE_FRAME_KIND_PLANAR;
  options.maximum_deviation_m = 1;
  must(ald_runtime_create(NULL, &runtime, &error), &error);
  must(ald_raster_open(runtime, path, NULL, &raster, &error), &error);
  must(ald_raster_get_spatial_reference(raster, &reference, &error), &error);
  must(ald_engine_frame_create(reference, (ald_point){570000, 4512000}, 0, &planar, &frame, &error), &error);
  const ald_envelope box = {568500, 4511000, 572000, 4513500};
  for (int round = -1; round < ROUNDS; round++) {
    ald_mesh mesh;
    ald_mesh_info info = ALD_MESH_INFO_INIT;
    const double start = now_ns();
    must(ald_engine_frame_create_terrain_mesh(frame, raster, reference, &box, &options, &mesh, &error), &error);
    if (round >= 0)
      times[round] = now_ns() - start;
    must(ald_mesh_get_info(mesh, &info, &error), &error);
    triangles = info.triangle_count;
    deviation = info.deviation_m;
    ald_mesh_release(mesh);
  }
  result("mesh_terrain_median", percentile(times, ROUNDS, 50));
  result("mesh_terrain_checksum", triangles);
  if (deviation > 1)
    exit(1);
  ald_runtime_release(runtime);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  for (size_t i = 0; i < sizeof SETS / sizeof SETS[0]; i++) {
    make_rings(&SETS[i], argv[1]);
    measure(&SETS[i], 1, "one");
    measure(&SETS[i], 0, "all");
  }
  measure_terrain(argv[2]);
  return 0;
}

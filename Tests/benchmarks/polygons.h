/* Polygons of 33 vertices that bench_polygons.c and bench_predicates.c share; their peers read them from a file. */
#ifndef POLYGONS_H
#define POLYGONS_H

#include "bench.h"

#include <math.h>

enum { POLYGONS = 20000, MOST_POLYGONS = MOST_TIMES * POLYGONS, VERTICES = 33 };

static const double PI = 3.14159265358979323846;
static double xy[MOST_POLYGONS * (VERTICES + 1)][2];
static uint8_t kinds[MOST_POLYGONS];
static int32_t offsets[MOST_POLYGONS + 1], vertex_offsets[MOST_POLYGONS + 1];

static void write_to(const char *folder, const char *name, const double (*points)[2], size_t count) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s.bin", folder, name);
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(points, sizeof points[0], count, file) != count || fclose(file) != 0)
    exit(1);
}

/* The side of the square in which the polygons lie, equally dense for any number of them. */
static double side_m(uint32_t count) {
  return 60000 * sqrt((double)count / POLYGONS);
}

/* Rings around random centres, a few of which overlap each other: ragged ones, or regular ones of different sizes, as
 * buffers of points are. */
static void make_rings(const char *folder, const char *name, uint32_t count, int is_round) {
  uint64_t state = count;
  size_t at = 0;
  for (uint32_t ring = 0; ring < count; ring++) {
    const double x = 500000 + side_m(count) * random_unit(&state), y = 4500000 + side_m(count) * random_unit(&state);
    const double size = is_round ? 150 * (0.5 + 0.5 * random_unit(&state)) : 0;
    offsets[ring] = (int32_t)ring;
    vertex_offsets[ring] = (int32_t)at;
    kinds[ring] = ALD_GEOMETRY_KIND_POLYGON;
    for (int i = 0; i < VERTICES; i++) {
      const double angle = (i + (is_round ? 0 : 0.9 * random_unit(&state))) * 2 * PI / VERTICES;
      const double radius = is_round ? size : 150 * (0.5 + 0.5 * random_unit(&state));
      xy[at][0] = x + radius * cos(angle);
      xy[at++][1] = y + radius * sin(angle);
    }
    xy[at][0] = xy[vertex_offsets[ring]][0];
    xy[at++][1] = xy[vertex_offsets[ring]][1];
  }
  offsets[count] = (int32_t)count;
  vertex_offsets[count] = (int32_t)at;
  write_to(folder, name, (const double(*)[2])xy, at);
}

static ald_spatial_reference utm(ald_runtime runtime) {
  ald_error error;
  ald_spatial_reference utm = {0};
  must(ald_spatial_reference_create_from_code(runtime, NULL, 32610, &utm, &error), &error);
  return utm;
}

/* Polygons with these vertices, as many for each as in xy. */
static ald_geometry_array make_array(ald_runtime runtime, const double (*vertices)[2], uint32_t count) {
  ald_error error;
  ald_geometry_array array = {0};
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.geometry_count = columns.part_count = columns.path_count = count;
  columns.vertex_count = (uint32_t)vertex_offsets[count];
  columns.kinds = kinds;
  columns.part_offsets = columns.path_offsets = offsets;
  columns.vertex_offsets = vertex_offsets;
  columns.xy = &vertices[0][0];
  must(ald_geometry_array_create(runtime, &columns, utm(runtime), &array, &error), &error);
  return array;
}

/* A polyline, or a polygon with one ring. */
static ald_geometry make_single(ald_runtime runtime, ald_geometry_kind kind, const double (*points)[2], size_t count) {
  const uint8_t kinds[] = {(uint8_t)kind};
  const int32_t one[] = {0, 1}, vertices[] = {0, (int32_t)count};
  ald_error error;
  ald_geometry geometry = {0};
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.geometry_count = columns.part_count = columns.path_count = 1;
  columns.vertex_count = (uint32_t)count;
  columns.kinds = kinds;
  columns.part_offsets = columns.path_offsets = one;
  columns.vertex_offsets = vertices;
  columns.xy = &points[0][0];
  must(ald_geometry_create(runtime, &columns, utm(runtime), &geometry, &error), &error);
  return geometry;
}

#endif

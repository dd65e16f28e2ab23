/*
 * Geodesic circles anywhere on the earth, written into the host's memory; buffers of points, separate and united; the
 * buffers of a polygon and of a line of many vertices.
 *
 *   bench_geodesic
 *
 * Times are the median of several rounds, in nanoseconds: per vertex of circles, per separate buffer, and for all of a
 * union, a polygon or a line. Checksums are sums of latitudes. geodesic_peers.py goes to the same vertices with pyproj.
 */
#include "bench.h"

#include <math.h>

enum { CIRCLES = 1000, LARGEST = 360, POINTS = 100000, UNITED = 1000, CORNERS = 10000, ROUNDS = 9 };

static double centres[CIRCLES][2], radii[CIRCLES], vertices[CIRCLES * LARGEST][2], points[MOST_TIMES * POINTS][2],
    ring[MOST_TIMES * CORNERS + 1][2];

static const double PI = 3.14159265358979323846;

/* Evenly over the earth; radii from 1 km on up to so many times that. */
static void make_circles(double range) {
  uint64_t state = CIRCLES;
  for (size_t index = 0; index < CIRCLES; index++) {
    centres[index][0] = 360 * random_unit(&state) - 180;
    centres[index][1] = asin(2 * random_unit(&state) - 1) * 180 / PI;
    radii[index] = 1000 * pow(range, random_unit(&state));
  }
}

static void make_points(void) {
  const uint32_t count = sized(POINTS);
  uint64_t state = count;
  for (uint32_t index = 0; index < count; index++) {
    points[index][0] = 5 + 8 * random_unit(&state);
    points[index][1] = 42 + 9 * random_unit(&state);
  }
}

/* An outline some 150 km across, or larger if it has more corners; its corners are that many degrees off at most. */
static void make_ring(double raggedness) {
  const uint32_t count = sized(CORNERS);
  const double times = (double)count / CORNERS;
  uint64_t state = count;
  for (uint32_t index = 0; index < count; index++) {
    const double angle = 2 * PI * index / count;
    const double size = times * (1 + 0.1 * sin(7 * angle)) + raggedness * random_unit(&state);
    ring[index][0] = 10 + size * cos(angle);
    ring[index][1] = 50 + 0.6 * size * sin(angle);
  }
  ring[count][0] = ring[0][0];
  ring[count][1] = ring[0][1];
}

static double latitudes(const double *xy, size_t count) {
  double sum = 0;
  for (size_t index = 0; index < count; index++)
    sum += xy[2 * index + 1];
  return sum;
}

static void measure_fill(ald_spatial_reference degrees, const char *size, uint32_t count, const char *who) {
  char what[64];
  ald_error error;
  double times[ROUNDS];
  snprintf(what, sizeof what, "geodesic_%s_%u", size, count);
  if (!wanted(what, who))
    return;
  watch_memory();
  for (int round = -1; round < ROUNDS; round++) { /* the first one touches the memory */
    const double start = now_ns();
    must(ald_spatial_reference_fill_geodesic_circles(degrees, &centres[0][0], 0, CIRCLES, radii, CIRCLES, count,
                                                     &vertices[0][0], 0, (size_t)CIRCLES * count, &error),
         &error);
    if (round >= 0)
      times[round] = now_ns() - start;
  }
  print_row(what, who, times, ROUNDS, (double)CIRCLES * count, latitudes(&vertices[0][0], (size_t)CIRCLES * count));
}

static ald_geometry_array array_of(ald_runtime runtime, ald_spatial_reference degrees, uint32_t count) {
  ald_error error;
  ald_geometry_array array;
  ald_geometry_columns given = ALD_GEOMETRY_COLUMNS_INIT;
  given.kind = ALD_GEOMETRY_KIND_POINT;
  given.geometry_count = given.vertex_count = count;
  given.xy = &points[0][0];
  must(ald_geometry_array_create(runtime, &given, degrees, &array, &error), &error);
  return array;
}

static void measure_buffers(ald_runtime runtime, ald_spatial_reference degrees, uint32_t count, const char *who) {
  static const double radius = 1000;
  char what[64];
  ald_error error;
  double times[ROUNDS], sum = 0;
  snprintf(what, sizeof what, "geodesic_buffers_%u", count);
  if (!wanted(what, who))
    return;
  const ald_geometry_array array = array_of(runtime, degrees, sized(count));
  watch_memory();
  for (int round = 0; round < ROUNDS; round++) {
    ald_geometry_array made;
    ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
    const double start = now_ns();
    must(ald_geometry_array_create_geodesic_buffers(array, &radius, 1, NULL, &made, NULL, &error), &error);
    times[round] = now_ns() - start;
    must(ald_geometry_array_get_columns(made, &columns, &error), &error);
    sum = latitudes(columns.xy, (size_t)columns.vertex_count);
    ald_geometry_array_release(made);
  }
  ald_geometry_array_release(array);
  print_row(what, who, times, ROUNDS, count, sum);
}

static void measure_union(ald_runtime runtime, ald_spatial_reference degrees, double radius, const char *what,
                          const char *who) {
  ald_error error;
  double times[3], sum = 0;
  if (!wanted(what, who))
    return;
  const ald_geometry_array array = array_of(runtime, degrees, UNITED);
  watch_memory();
  for (int round = 0; round < 3; round++) {
    ald_geometry made;
    ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
    const double start = now_ns();
    must(ald_geometry_array_create_geodesic_buffer_union(array, &radius, 1, NULL, &made, NULL, &error), &error);
    times[round] = now_ns() - start;
    must(ald_geometry_get_columns(made, &columns, &error), &error);
    sum = latitudes(columns.xy, (size_t)columns.vertex_count);
    ald_geometry_release(made);
  }
  ald_geometry_array_release(array);
  print_row(what, who, times, 3, 1, sum);
}

static void measure_ring(ald_runtime runtime, ald_spatial_reference reference, ald_geometry_kind kind, const double *xy,
                         const char *what, const char *who) {
  ald_error error;
  ald_geometry figure;
  double times[3], sum = 0;
  ald_geometry_columns given = ALD_GEOMETRY_COLUMNS_INIT;
  if (!wanted(what, who))
    return;
  given.kind = kind;
  given.geometry_count = 1;
  given.vertex_count = sized(CORNERS) + 1;
  given.xy = xy;
  must(ald_geometry_create(runtime, &given, reference, &figure, &error), &error);
  watch_memory();
  for (int round = 0; round < 3; round++) {
    ald_geometry made;
    ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
    const double start = now_ns();
    must(ald_geometry_create_geodesic_buffer(figure, 1000, NULL, &made, NULL, &error), &error);
    times[round] = now_ns() - start;
    must(ald_geometry_get_columns(made, &columns, &error), &error);
    sum = latitudes(columns.xy, (size_t)columns.vertex_count);
    ald_geometry_release(made);
  }
  ald_geometry_release(figure);
  print_row(what, who, times, 3, 1, sum);
}

/* The ring in longitude and latitude, and in UTM. */
static void measure_both(ald_runtime runtime, ald_spatial_reference degrees, ald_geometry_kind kind, const char *what,
                         const char *who) {
  static double plane[MOST_TIMES * CORNERS + 1][2];
  char name[64];
  ald_error error;
  ald_spatial_reference utm;
  measure_ring(runtime, degrees, kind, &ring[0][0], what, who);
  must(ald_spatial_reference_create_from_code(runtime, NULL, 32632, &utm, &error), &error);
  must(ald_spatial_reference_project_points(degrees, utm, &ring[0][0], 0, sized(CORNERS) + 1, &plane[0][0], 0, NULL,
                                            &error),
       &error);
  snprintf(name, sizeof name, "%s_utm", what);
  measure_ring(runtime, utm, kind, &plane[0][0], name, who);
  ald_spatial_reference_release(utm);
}

int main(void) {
  make_points();
  for (uint32_t threads = 1; threads != ALD_ALL; threads = threads == 1 ? 0 : ALD_ALL) {
    const char *who = threads == 1 ? "one" : "all";
    ald_error error;
    ald_spatial_reference degrees;
    const ald_runtime runtime = open_runtime(threads);
    must(ald_spatial_reference_create_from_code(runtime, NULL, 4326, &degrees, &error), &error);
    make_circles(500);
    measure_fill(degrees, "near", 360, who);
    measure_fill(degrees, "near", 64, who);
    make_circles(19000);
    measure_fill(degrees, "far", 360, who);
    measure_fill(degrees, "far", 64, who);
    measure_buffers(runtime, degrees, 1000, who);
    measure_buffers(runtime, degrees, POINTS, who);
    measure_union(runtime, degrees, 10000, "geodesic_union_10km", who);
    measure_union(runtime, degrees, 100000, "geodesic_union_100km", who);
    make_ring(0);
    measure_both(runtime, degrees, ALD_GEOMETRY_KIND_POLYGON, "geodesic_smooth_polygon", who);
    make_ring(0.02);
    measure_both(runtime, degrees, ALD_GEOMETRY_KIND_POLYGON, "geodesic_polygon", who);
    measure_both(runtime, degrees, ALD_GEOMETRY_KIND_POLYLINE, "geodesic_line", who);
    ald_spatial_reference_release(degrees);
    ald_runtime_release(runtime);
  }
  return 0;
}

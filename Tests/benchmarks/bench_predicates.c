/*
 * Prepared geometries: a star of 500 vertices against 20,000 polygons of 33, each predicate in one call; and each of
 * the polygons prepared, for one test against a neighbour.
 *
 *   bench_predicates FOLDER
 *
 * Times are in nanoseconds for each polygon. Checksums are for how many a predicate holds. The coordinates are written
 * to FOLDER for predicate_peers.py.
 */
#include "polygons.h"

enum { TIPS = 50, STAR_VERTICES = 500, ROUNDS = 5 };

static double star[STAR_VERTICES + 1][2], neighbours[MOST_POLYGONS * (VERTICES + 1)][2];
static uint8_t results[MOST_POLYGONS];

/* The vertex of a ring that is nearest to a point. */
static const double *nearest_vertex(uint32_t ring, double x, double y) {
  const double *nearest = xy[vertex_offsets[ring]];
  for (int32_t at = vertex_offsets[ring]; at < vertex_offsets[ring + 1]; at++)
    if (hypot(xy[at][0] - x, xy[at][1] - y) < hypot(nearest[0] - x, nearest[1] - y))
      nearest = xy[at];
  return nearest;
}

/* A disc that meets about half of the polygons, with tips which end where a polygon is nearest, so that those touch it.
 */
static void make_star(const char *folder, uint32_t count) {
  const double side = side_m(count), reach = 0.4 * side, x = 500000 + side / 2, y = 4500000 + side / 2;
  double tips[TIPS];
  for (int i = 0; i < STAR_VERTICES; i++) {
    star[i][0] = x + reach * cos(i * 2 * PI / STAR_VERTICES);
    star[i][1] = y + reach * sin(i * 2 * PI / STAR_VERTICES);
    tips[i * TIPS / STAR_VERTICES] = 0.07 * side;
  }
  for (uint32_t ring = 0; ring < count; ring++) {
    const double *nearest = nearest_vertex(ring, x, y);
    const double turn = (atan2(nearest[1] - y, nearest[0] - x) / (2 * PI) + 1) * TIPS;
    const double beyond = hypot(nearest[0] - x, nearest[1] - y) - reach;
    const int tip = (int)turn % TIPS;
    if (fabs(turn - floor(turn) - 0.5) < 0.8 * TIPS / STAR_VERTICES && beyond > 0 && beyond < tips[tip]) {
      tips[tip] = beyond;
      memcpy(star[(2 * tip + 1) * STAR_VERTICES / (2 * TIPS)], nearest, sizeof star[0]);
    }
  }
  memcpy(star[STAR_VERTICES], star[0], sizeof star[0]);
  write_to(folder, "star", (const double(*)[2])star, STAR_VERTICES + 1);
}

/* A neighbour for each polygon, some 200 m away. */
static void make_neighbours(const char *folder, uint32_t count) {
  uint64_t state = count + 1;
  for (uint32_t ring = 0; ring < count; ring++) {
    const double *from = xy[vertex_offsets[(ring + 1) % count]], *to = xy[vertex_offsets[ring] + VERTICES / 2];
    const double east = to[0] - from[0] - 50 * random_unit(&state), north = to[1] - from[1];
    for (int i = 0; i <= VERTICES; i++) {
      neighbours[vertex_offsets[ring] + i][0] = from[2 * i] + east;
      neighbours[vertex_offsets[ring] + i][1] = from[2 * i + 1] + north;
    }
  }
  write_to(folder, "neighbours", (const double(*)[2])neighbours, (size_t)vertex_offsets[count]);
}

static void measure_array(ald_runtime runtime, const char *name, ald_predicate predicate, const char *who) {
  const uint32_t count = sized(POLYGONS);
  char what[64];
  double times[ROUNDS], holds = 0;
  ald_error error;
  ald_prepared_geometry prepared = {0};
  snprintf(what, sizeof what, "predicates_%s", name);
  if (!wanted(what, who))
    return;
  const ald_geometry_array array = make_array(runtime, (const double(*)[2])xy, count);
  const ald_geometry geometry =
      make_single(runtime, ALD_GEOMETRY_KIND_POLYGON, (const double(*)[2])star, STAR_VERTICES + 1);
  must(ald_prepared_geometry_create(geometry, &prepared, &error), &error);
  watch_memory();
  for (int round = 0; round < ROUNDS; round++) {
    const double start = now_ns();
    must(ald_prepared_geometry_test_array(prepared, array, predicate, 0, results, count, NULL, &error), &error);
    times[round] = now_ns() - start;
  }
  for (uint32_t index = 0; index < count; index++)
    holds += results[index] == ALD_TEST_RESULT_YES;
  print_row(what, who, times, ROUNDS, count, holds);
  ald_prepared_geometry_release(prepared);
  ald_geometry_release(geometry);
  ald_geometry_array_release(array);
}

/* Geometries are new each time: what is known of a geometry is not asked again. */
static ald_geometry *geometries_of(ald_runtime runtime, const double (*vertices)[2], uint32_t count) {
  ald_error error;
  const ald_geometry_array array = make_array(runtime, vertices, count);
  ald_geometry *geometries = malloc(count * sizeof *geometries);
  for (uint32_t index = 0; index < count; index++)
    must(ald_geometry_array_create_geometry(array, index, &geometries[index], &error), &error);
  ald_geometry_array_release(array);
  return geometries;
}

static void measure_each(ald_runtime runtime) {
  const uint32_t count = sized(POLYGONS);
  double times[ROUNDS], holds = 0;
  ald_error error;
  if (!wanted("predicates_each", "one"))
    return;
  for (int round = 0; round < ROUNDS; round++) {
    ald_geometry *a = geometries_of(runtime, (const double(*)[2])xy, count);
    ald_geometry *b = geometries_of(runtime, (const double(*)[2])neighbours, count);
    if (round == 0)
      watch_memory();
    const double start = now_ns();
    holds = 0;
    for (uint32_t index = 0; index < count; index++) {
      ald_prepared_geometry prepared = {0};
      uint32_t meets = 0;
      must(ald_prepared_geometry_create(a[index], &prepared, &error), &error);
      must(ald_prepared_geometry_test(prepared, b[index], ALD_PREDICATE_INTERSECTS, &meets, NULL, &error), &error);
      ald_prepared_geometry_release(prepared);
      holds += meets;
    }
    times[round] = now_ns() - start;
    for (uint32_t index = 0; index < count; index++) {
      ald_geometry_release(a[index]);
      ald_geometry_release(b[index]);
    }
    free(a);
    free(b);
  }
  print_row("predicates_each", "one", times, ROUNDS, count, holds);
}

int main(int argument_count, char **arguments) {
  static const struct {
    const char *name;
    ald_predicate predicate;
  } tests[] = {{"intersects", ALD_PREDICATE_INTERSECTS}, {"contains", ALD_PREDICATE_CONTAINS},
               {"covers", ALD_PREDICATE_COVERS},         {"within", ALD_PREDICATE_WITHIN},
               {"touches", ALD_PREDICATE_TOUCHES},       {"disjoint", ALD_PREDICATE_DISJOINT}};
  if (argument_count != 2)
    return 2;
  make_rings(arguments[1], "polygons", sized(POLYGONS), 0);
  make_star(arguments[1], sized(POLYGONS));
  make_neighbours(arguments[1], sized(POLYGONS));
  for (uint32_t threads = 1; threads != ALD_ALL; threads = threads == 1 ? 0 : ALD_ALL) {
    const ald_runtime runtime = open_runtime(threads);
    for (size_t index = 0; index < sizeof tests / sizeof tests[0]; index++)
      measure_array(runtime, tests[index].name, tests[index].predicate, threads == 1 ? "one" : "all");
    if (threads == 1)
      measure_each(runtime);
    ald_runtime_release(runtime);
  }
  return 0;
}

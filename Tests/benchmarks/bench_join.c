/*
 * Which features lie under many points: a join of a layer of points and a layer of polygons, each with its index.
 *
 *   bench_join FOLDER
 *
 * Makes FlatGeobufs in the folder, if they are not there. A point lies in about two polygons. Times are in nanoseconds
 * for each point. Checksums are how many pairs there are.
 */
#include "feature_files.h"

enum { POLYGONS = 100000, ROUNDS = 9 };

static ald_layer open_layer(ald_runtime runtime, const char *path) {
  ald_error error;
  ald_feature_source source;
  ald_layer layer;
  must(ald_feature_source_open(runtime, path, NULL, &source, &error), &error);
  must(ald_feature_source_build_index(source, &error), &error);
  must(ald_feature_layer_create(source, &layer, &error), &error);
  must(ald_layer_load(layer, &error), &error);
  ald_feature_source_release(source);
  return layer;
}

static void measure(const char *folder, uint32_t usual, int corner_count, uint32_t thread_count) {
  const uint32_t point_count = sized(usual), polygon_count = sized(POLYGONS);
  const char *who = thread_count == 1 ? "one" : "all";
  char points[512], polygons[512], what[64];
  double times[ROUNDS];
  ald_error error;
  ald_match_options match = ALD_MATCH_OPTIONS_INIT;
  ald_match_set_info info = ALD_MATCH_SET_INFO_INIT;
  snprintf(what, sizeof what, "join_%u_%d", usual, corner_count + 1);
  if (!wanted(what, who))
    return;
  snprintf(points, sizeof points, "%s/join_points_%u.fgb", folder, point_count);
  snprintf(polygons, sizeof polygons, "%s/join_polygons_%d.fgb", folder, corner_count);
  /* The points lie where the polygons lie. */
  make_file(points, wkbPoint, 1, point_count, polygon_count);
  make_file(polygons, wkbPolygon, corner_count, polygon_count, polygon_count);
  const ald_runtime runtime = open_runtime(thread_count);
  const ald_layer a = open_layer(runtime, points), b = open_layer(runtime, polygons);
  match.predicate = ALD_PREDICATE_WITHIN;
  watch_memory();
  for (int round = 0; round < ROUNDS; round++) {
    ald_match_set set;
    const double start = now_ns();
    must(ald_feature_layer_query_pairs(a, b, &match, &set, &error), &error);
    times[round] = now_ns() - start;
    must(ald_match_set_get_info(set, &info, &error), &error);
    ald_match_set_release(set);
  }
  ald_runtime_release(runtime);
  print_row(what, who, times, ROUNDS, point_count, info.match_count);
}

int main(int count, char **arguments) {
  if (count != 2)
    return 2;
  GDALAllRegister();
  static const uint32_t sizes[] = {20000, 200000, 1000000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (uint32_t threads = 0; threads < 2; threads++) {
      measure(arguments[1], sizes[i], 8, threads);
      measure(arguments[1], sizes[i], 32, threads);
    }
  }
  return 0;
}

/*
 * An index of a million points of a file: how long it takes to build next to GDAL's reading of the same geometries, and
 * what it finds near a point.
 *
 *   bench_features FILE
 *
 * Makes the file, a FlatGeobuf without an index of its own, if it is not there. Times are in nanoseconds. Checksums are
 * how many features were found, and the sum of distances.
 */
#include "bench.h"

#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

enum { POINTS = 1000000, QUERIES = 10000, ROUNDS = 3 };
/* Degrees to each side of a point: some twenty points are that near. */
#define REACH_DEG 0.5

static void check(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "%s: %s\n", what, CPLGetLastErrorMsg());
  exit(1);
}

static ald_point place_of(uint64_t *state) {
  const double x = -170 + 340 * random_unit(state);
  return (ald_point){x, -80 + 160 * random_unit(state)};
}

/* Longitudes and latitudes from a fixed seed, as in features_peers.py. */
static void make_file(const char *path) {
  uint64_t state = sized(POINTS);
  OGRSpatialReferenceH wgs84 = OSRNewSpatialReference(NULL);
  check(OSRImportFromEPSG(wgs84, 4326) == OGRERR_NONE, "EPSG:4326");
  OSRSetAxisMappingStrategy(wgs84, OAMS_TRADITIONAL_GIS_ORDER);
  GDALDatasetH data = GDALCreate(GDALGetDriverByName("FlatGeobuf"), path, 0, 0, 0, GDT_Unknown, NULL);
  check(data != NULL, path);
  char *options[] = {"SPATIAL_INDEX=NO", NULL};
  OGRLayerH layer = GDALDatasetCreateLayer(data, "points", wgs84, wkbPoint, options);
  check(layer != NULL, path);
  for (uint32_t i = 0; i < sized(POINTS); i++) {
    const ald_point place = place_of(&state);
    OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
    OGRGeometryH point = OGR_G_CreateGeometry(wkbPoint);
    OGR_G_SetPoint_2D(point, 0, place.x, place.y);
    OGR_F_SetGeometryDirectly(feature, point);
    check(OGR_L_CreateFeature(layer, feature) == OGRERR_NONE, path);
    OGR_F_Destroy(feature);
  }
  GDALClose(data);
  OSRDestroySpatialReference(wgs84);
}

/* What any index has to do first: reads the box of each geometry. */
static double read_all(const char *path) {
  const double start = now_ns();
  GDALDatasetH data = GDALOpenEx(path, GDAL_OF_VECTOR, NULL, NULL, NULL);
  check(data != NULL, path);
  OGRLayerH layer = GDALDatasetGetLayer(data, 0);
  uint32_t count = 0;
  for (OGRFeatureH feature; (feature = OGR_L_GetNextFeature(layer)) != NULL; count++) {
    OGREnvelope box;
    OGR_G_GetEnvelope(OGR_F_GetGeometryRef(feature), &box);
    OGR_F_Destroy(feature);
  }
  GDALClose(data);
  check(count == sized(POINTS), path);
  return now_ns() - start;
}

static void query(ald_feature_source source) {
  static double times[QUERIES];
  const ald_spatial_reference own = {0};
  ald_error error;
  int64_t ids[1024];
  size_t found = 0;
  uint64_t state = QUERIES;
  for (int i = 0; i < QUERIES; i++) {
    const ald_point at = place_of(&state);
    const ald_envelope near = {at.x - REACH_DEG, at.y - REACH_DEG, at.x + REACH_DEG, at.y + REACH_DEG};
    size_t count = 0;
    const double start = now_ns();
    must(ald_feature_source_query_ids(source, near, own, ids, 1024, &count, &error), &error);
    times[i] = now_ns() - start;
    found += count;
  }
  result("index_query_median", percentile(times, QUERIES, 50));
  result("index_query_p99", percentile(times, QUERIES, 99));
  result("index_query_checksum", (double)found);
  double distances = 0;
  state = QUERIES;
  for (int i = 0; i < QUERIES; i++) {
    const ald_point at = place_of(&state);
    ald_nearest_feature nearest;
    size_t count = 0;
    const double start = now_ns();
    must(ald_feature_source_query_nearest(source, at, own, 0, &nearest, 1, &count, &error), &error);
    times[i] = now_ns() - start;
    distances += nearest.distance;
  }
  result("index_nearest_median", percentile(times, QUERIES, 50));
  result("index_nearest_p99", percentile(times, QUERIES, 99));
  result("index_nearest_checksum", distances);
}

static void measure_index(ald_runtime runtime, const char *path) {
  double times[ROUNDS];
  ald_error error;
  ald_feature_index_info info = ALD_FEATURE_INDEX_INFO_INIT;
  if (!wanted("index_build", "all"))
    return;
  watch_memory();
  for (int round = 0; round < ROUNDS; round++) {
    ald_feature_source source;
    const double start = now_ns();
    must(ald_feature_source_open(runtime, path, NULL, &source, &error), &error);
    must(ald_feature_source_build_index(source, &error), &error);
    times[round] = now_ns() - start;
    must(ald_feature_source_get_index_info(source, &info, &error), &error);
    if (round == 0)
      query(source);
    ald_feature_source_release(source);
  }
  print_row("index_build", "all", times, ROUNDS, 1, (double)info.feature_count);
  result("index_bytes", (double)info.size_bytes);
}

static void measure_peer(const char *path) {
  double times[ROUNDS];
  if (!wanted("gdal_features", "one"))
    return;
  for (int round = 0; round < ROUNDS; round++)
    times[round] = read_all(path);
  print_times("gdal_features", "one", times, ROUNDS, 1);
}

int main(int count, char **arguments) {
  if (count != 2)
    return 2;
  const char *path = arguments[1];
  GDALAllRegister();
  FILE *there = fopen(path, "rb");
  if (there == NULL)
    make_file(path);
  else
    fclose(there);
  const ald_runtime runtime = open_runtime(0);
  measure_peer(path); /* the first time brings the file into memory */
  measure_index(runtime, path);
  ald_runtime_release(runtime);
  return 0;
}

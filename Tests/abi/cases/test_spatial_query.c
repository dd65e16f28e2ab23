/* Spatial queries: what is related to a geometry or near it, in layers and overlays, and pairs; and what is refused. */
#include "blocker.h"
#include "layer_files.h"

#include <math.h>

/* On the equator, a degree apart: points at 0, 1 and 5, and a square around (10, 0). */
static const char PLACES[] =
    "{\"type\":\"FeatureCollection\",\"features\":["
    "{\"type\":\"Feature\",\"id\":1,\"properties\":{},\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]}},"
    "{\"type\":\"Feature\",\"id\":2,\"properties\":{},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,0]}},"
    "{\"type\":\"Feature\",\"id\":3,\"properties\":{},\"geometry\":{\"type\":\"Point\",\"coordinates\":[5,0]}},"
    "{\"type\":\"Feature\",\"id\":4,\"properties\":{},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":"
    "[[[9,-1],[11,-1],[11,1],[9,1],[9,-1]]]}},"
    "{\"type\":\"Feature\",\"id\":5,\"properties\":{},\"geometry\":null},"
    "{\"type\":\"Feature\",\"id\":6,\"properties\":{},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":"
    "[[[20,0],[22,2],[22,0],[20,2],[20,0]]]}}]}";

static ald_runtime runtime;
static ald_spatial_reference degrees;
static ald_layer places;

static ald_layer layer_from(ald_runtime of, const char *path, const ald_feature_source_options *options) {
  ald_error error;
  ald_layer made = {0};
  CHECK_OK(ald_feature_layer_create_from_path(of, path, options, &made, &error), &error);
  return made;
}

static ald_geometry shape(const char *wkt, ald_spatial_reference in) {
  ald_error error;
  ald_geometry made = {0};
  CHECK_OK(ald_geometry_create_from_wkt(runtime, wkt, in, &made, &error), &error);
  return made;
}

/* Checks ids, other ids and distances in degrees of the equator, up to the first negative id. */
static void check_set(ald_match_set set, const int64_t *ids, const int64_t *other_ids, const double *distances) {
  ald_error error;
  uint32_t count = 0;
  ald_match_columns columns = ALD_MATCH_COLUMNS_INIT;
  CHECK_OK(ald_match_set_get_columns(set, &columns, &error), &error);
  while (ids[count] >= 0)
    count++;
  CHECK((columns.other_ids != NULL) == (other_ids != NULL));
  CHECK((columns.distances != NULL) == (distances != NULL));
  if (CHECK(columns.match_count == count))
    for (uint32_t i = 0; i < count; i++) {
      CHECK(columns.ids[i] == ids[i]);
      CHECK(other_ids == NULL || columns.other_ids[i] == other_ids[i]);
      CHECK(distances == NULL || fabs(columns.distances[i] - distances[i]) < 1e-9 * (1 + distances[i]));
    }
  ald_match_set_release(set);
}

static void check_query(ald_geometry geometry, const ald_match_options *options, const int64_t *ids,
                        const double *distances) {
  ald_error error;
  ald_match_set set;
  ald_request request;
  CHECK_OK(ald_feature_layer_query(places, geometry, options, &set, &error), &error);
  check_set(set, ids, NULL, distances);
  CHECK_OK(ald_feature_layer_query_async(places, geometry, options, NULL, &request, &error), &error);
  ald_request_state state;
  CHECK_OK(ald_request_wait(request, 60000, &state, &error), &error);
  CHECK_OK(ald_request_take_match_set(request, &set, &error), &error);
  check_set(set, ids, NULL, distances);
  ald_request_release(request);
}

static const double DEGREE_KM = 6378.137 * 3.14159265358979323846 / 180;

static void test_layers(void) {
  const ald_geometry box = shape("POLYGON ((0 -5, 12 -5, 12 5, 0 5, 0 -5))", degrees);
  const ald_geometry point = shape("POINT (2 0)", degrees);
  check_query(box, NULL, (const int64_t[]){1, 2, 3, 4, -1}, NULL);
  ald_match_options options = ALD_MATCH_OPTIONS_INIT;
  options.predicate = ALD_PREDICATE_WITHIN;
  check_query(box, &options, (const int64_t[]){2, 3, 4, -1}, NULL);
  options.predicate = ALD_PREDICATE_DISJOINT;
  check_query(point, &options, (const int64_t[]){1, 2, 3, 4, -1}, NULL);
  options = (ald_match_options)ALD_MATCH_OPTIONS_INIT;
  options.kind = ALD_MATCH_KIND_MATRIX_PATTERN;
  options.matrix_pattern = "FT*******";
  check_query(box, &options, (const int64_t[]){1, -1}, NULL);
  options = (ald_match_options)ALD_MATCH_OPTIONS_INIT;
  options.kind = ALD_MATCH_KIND_NEAREST;
  check_query(point, &options, (const int64_t[]){2, -1}, (const double[]){1});
  options.max_count = 3;
  check_query(point, &options, (const int64_t[]){2, 1, 3, -1}, (const double[]){1, 2, 3});
  options.max_distance = 2.5;
  check_query(point, &options, (const int64_t[]){2, 1, -1}, (const double[]){1, 2});
  options = (ald_match_options)ALD_MATCH_OPTIONS_INIT;
  options.kind = ALD_MATCH_KIND_WITHIN_DISTANCE;
  options.max_distance = 3.001 * DEGREE_KM;
  options.unit = ALD_UNIT_KILOMETRE;
  options.measure_kind = ALD_MEASURE_KIND_GEODESIC;
  check_query(point, &options, (const int64_t[]){2, 1, 3, -1},
              (const double[]){DEGREE_KM, 2 * DEGREE_KM, 3 * DEGREE_KM});
  ald_geometry_release(point);
  ald_geometry_release(box);
}

/* Features that cannot be compared are counted. */
static void test_skipped(void) {
  ald_error error;
  ald_match_set set;
  ald_match_set_info info = ALD_MATCH_SET_INFO_INIT;
  const ald_geometry point = shape("POINT (21 1)", degrees);
  CHECK_OK(ald_feature_layer_query(places, point, NULL, &set, &error), &error);
  CHECK_OK(ald_match_set_get_info(set, &info, &error), &error);
  CHECK(info.match_count == 0 && info.skipped_count == 1);
  CHECK(strstr(info.first_reason, "Feature 6: ") == info.first_reason);
  info.struct_size = 1;
  CHECK_STATUS(ald_match_set_get_info(set, &info, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_match_set_get_info(set, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_match_set_get_columns(set, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  ald_match_set_release(set);
  ald_match_columns columns = ALD_MATCH_COLUMNS_INIT;
  CHECK_STATUS(ald_match_set_get_columns(set, &columns, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_match_set_get_info(set, &info, NULL), ALD_STATUS_INVALID_HANDLE);
  ald_geometry_release(point);
}

static void test_pairs(void) {
  ald_error error;
  ald_match_set set;
  ald_request request;
  ald_request_state state;
  ald_match_options options = ALD_MATCH_OPTIONS_INIT;
  options.kind = ALD_MATCH_KIND_WITHIN_DISTANCE;
  options.max_distance = 1;
  static const int64_t ids[] = {1, 1, 2, 2, 3, 4, -1}, others[] = {1, 2, 2, 1, 3, 4};
  static const double distances[] = {0, 1, 0, 1, 0, 0};
  /* Without feature 6, which cannot be compared. */
  CHECK_OK(ald_feature_layer_query_pairs(places, places, &options, &set, &error), &error);
  check_set(set, ids, others, distances);
  CHECK_OK(ald_feature_layer_query_pairs_async(places, places, &options, NULL, &request, &error), &error);
  CHECK_OK(ald_request_wait(request, 60000, &state, &error), &error);
  CHECK_OK(ald_request_take_match_set(request, &set, &error), &error);
  check_set(set, ids, others, distances);
  ald_request_release(request);
}

static void test_overlays(void) {
  ald_error error;
  ald_match_set set;
  ald_request request;
  ald_request_state state;
  uint64_t first = 0, second = 0;
  ald_graphics_overlay overlay;
  ald_spatial_reference mercator;
  CHECK_OK(ald_graphics_overlay_create(runtime, NULL, &overlay, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, "EPSG", 3857, &mercator, &error), &error);
  const ald_geometry near = shape("POINT (111319.49079327357 0)", mercator), far = shape("POINT (3 0)", degrees);
  const ald_geometry from = shape("POINT (0 0)", degrees);
  CHECK_OK(ald_graphics_overlay_add_graphic(overlay, far, NULL, &first, &error), &error);
  CHECK_OK(ald_graphics_overlay_add_graphic(overlay, near, NULL, &second, &error), &error);
  ald_match_options options = ALD_MATCH_OPTIONS_INIT;
  options.kind = ALD_MATCH_KIND_NEAREST;
  options.max_count = ALD_ALL;
  const int64_t ids[] = {(int64_t)second, (int64_t)first, -1};
  CHECK_OK(ald_graphics_overlay_query(overlay, from, &options, &set, &error), &error);
  check_set(set, ids, NULL, (const double[]){1, 3});
  CHECK_OK(ald_graphics_overlay_query_async(overlay, from, &options, NULL, &request, &error), &error);
  CHECK_OK(ald_request_wait(request, 60000, &state, &error), &error);
  CHECK_OK(ald_request_take_match_set(request, &set, &error), &error);
  check_set(set, ids, NULL, (const double[]){1, 3});
  CHECK_STATUS(ald_request_take_match_set(request, &set, NULL), ALD_STATUS_INVALID_STATE);
  ald_request_release(request);
  CHECK_STATUS(ald_request_take_match_set(request, &set, NULL), ALD_STATUS_INVALID_HANDLE);

  /* What is refused. */
  const ald_geometry nowhere = shape("POINT (0 100)", degrees),
                     local = shape("POINT (0 0)", (ald_spatial_reference){0});
  options.measure_kind = ALD_MEASURE_KIND_GEODESIC;
  CHECK_STATUS(ald_graphics_overlay_query(overlay, nowhere, &options, &set, NULL), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_graphics_overlay_query(overlay, local, &options, &set, NULL), ALD_STATUS_INVALID_ARGUMENT);
  ald_spatial_reference site;
  CHECK_OK(ald_spatial_reference_create(runtime,
                                        "LOCAL_CS[\"site\",LOCAL_DATUM[\"site\",0],UNIT[\"metre\",1],AXIS[\"x\",EAST],"
                                        "AXIS[\"y\",NORTH]]",
                                        &site, &error),
           &error);
  const ald_geometry there = shape("POINT (0 0)", site);
  CHECK_STATUS(ald_graphics_overlay_query(overlay, there, &options, &set, NULL), ALD_STATUS_UNSUPPORTED);
  CHECK(set.id == 0);
  CHECK_STATUS(ald_graphics_overlay_query(overlay, (ald_geometry){0}, &options, &set, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_graphics_overlay_query_async(overlay, (ald_geometry){0}, &options, NULL, &request, NULL),
               ALD_STATUS_INVALID_HANDLE);
  options.predicate = ALD_PREDICATE_WITHIN;
  CHECK_STATUS(ald_graphics_overlay_query_async(overlay, from, &options, NULL, &request, NULL),
               ALD_STATUS_INVALID_ARGUMENT);
  ald_geometry_release(there);
  ald_spatial_reference_release(site);
  ald_geometry_release(local);
  ald_geometry_release(nowhere);
  ald_geometry_release(from);
  ald_geometry_release(far);
  ald_geometry_release(near);
  ald_spatial_reference_release(mercator);
  ald_graphics_overlay_release(overlay);
}

static void check_refused(ald_geometry geometry, ald_match_options options, ald_status status) {
  ald_match_set set = {7};
  CHECK_STATUS(ald_feature_layer_query(places, geometry, &options, &set, NULL), status);
  CHECK(set.id == 0);
}

static void test_options(void) {
  const ald_geometry point = shape("POINT (0 0)", degrees);
  const ald_match_options plain = ALD_MATCH_OPTIONS_INIT;
  ald_match_options options = plain;
  options.kind = 4;
  check_refused(point, options, ALD_STATUS_INVALID_ARGUMENT);
  options = plain;
  options.predicate = 11;
  check_refused(point, options, ALD_STATUS_INVALID_ARGUMENT);
  options = plain;
  options.struct_size = 1;
  check_refused(point, options, ALD_STATUS_INVALID_ARGUMENT);
  options = plain;
  options.kind = ALD_MATCH_KIND_MATRIX_PATTERN;
  check_refused(point, options, ALD_STATUS_INVALID_ARGUMENT);
  options.matrix_pattern = "T*F**F**";
  check_refused(point, options, ALD_STATUS_INVALID_ARGUMENT);
  options.matrix_pattern = "T*F**F**3";
  check_refused(point, options, ALD_STATUS_INVALID_ARGUMENT);
  for (int i = 0; i < 6; i++) {
    options = plain;
    options.matrix_pattern = i == 0 ? "T********" : NULL;
    options.max_distance = i == 1;
    options.unit = i == 2 ? ALD_UNIT_METRE : 0;
    options.max_count = i == 3;
    options.measure_kind = i == 4 ? ALD_MEASURE_KIND_GEODESIC : 0;
    options.kind = i == 5 ? ALD_MATCH_KIND_NEAREST : 0;
    options.predicate = i == 5 ? ALD_PREDICATE_WITHIN : 0;
    check_refused(point, options, ALD_STATUS_INVALID_ARGUMENT);
  }
  options = plain;
  options.kind = ALD_MATCH_KIND_WITHIN_DISTANCE;
  for (int i = 0; i < 3; i++) {
    options.max_distance = i == 0 ? -1 : i == 1 ? (double)NAN : (double)INFINITY;
    check_refused(point, options, ALD_STATUS_INVALID_ARGUMENT);
  }
  options.max_distance = 1;
  options.unit = ALD_UNIT_METRE;
  check_refused(point, options, ALD_STATUS_INVALID_ARGUMENT); /* In the plane of longitudes there is no metre. */
  ald_geometry_release(point);
}

static void test_refusals(void) {
  ald_error error;
  ald_match_set set;
  ald_request request;
  const ald_geometry point = shape("POINT (0 0)", degrees);
  const ald_geometry bow = shape("POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))", degrees);
  const ald_geometry local = shape("POINT (0 0)", (ald_spatial_reference){0});
  const ald_match_options plain = ALD_MATCH_OPTIONS_INIT;
  check_refused(bow, plain, ALD_STATUS_INVALID_ARGUMENT);
  check_refused(local, plain, ALD_STATUS_INVALID_ARGUMENT);
  check_refused((ald_geometry){0}, plain, ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_feature_layer_query(places, point, NULL, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_feature_layer_query_async(places, point, NULL, NULL, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_feature_layer_query_async(places, (ald_geometry){0}, NULL, NULL, &request, NULL),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_feature_layer_query_pairs(places, (ald_layer){0}, NULL, &set, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_feature_layer_query_pairs_async(places, (ald_layer){0}, NULL, NULL, &request, NULL),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_feature_layer_query_pairs(places, places, NULL, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_feature_layer_query_pairs_async(places, places, NULL, NULL, NULL, NULL),
               ALD_STATUS_INVALID_ARGUMENT);

  ald_layer group;
  CHECK_OK(ald_group_layer_create(runtime, &group, &error), &error);
  CHECK_STATUS(ald_feature_layer_query(group, point, NULL, &set, NULL), ALD_STATUS_INVALID_ARGUMENT);
  ald_layer_release(group);

  /* Not loaded. */
  ald_layer layer = layer_from(runtime, path_of("places.geojson"), NULL);
  CHECK_STATUS(ald_feature_layer_query(layer, point, NULL, &set, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_feature_layer_query_async(layer, point, NULL, NULL, &request, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_feature_layer_query_pairs(places, layer, NULL, &set, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_feature_layer_query_pairs_async(layer, places, NULL, NULL, &request, NULL), ALD_STATUS_NOT_READY);
  ald_layer_release(layer);

  /* No geometries. */
  write_text("table.csv", "a,b\n1,2\n");
  layer = layer_from(runtime, path_of("table.csv"), NULL);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  CHECK_STATUS(ald_feature_layer_query(layer, local, NULL, &set, NULL), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_feature_layer_query_pairs(layer, layer, NULL, &set, NULL), ALD_STATUS_UNSUPPORTED);
  CHECK_OK(ald_feature_layer_query_async(layer, local, NULL, NULL, &request, &error), &error);
  ald_request_state state;
  CHECK_OK(ald_request_wait(request, 60000, &state, &error), &error);
  CHECK_STATUS(ald_request_take_match_set(request, &set, NULL), ALD_STATUS_UNSUPPORTED);
  ald_request_release(request);
  ald_layer_release(layer);

  /* A point that Mercator does not show, and a reference that nothing leads to. */
  ald_feature_source_options options = ALD_FEATURE_SOURCE_OPTIONS_INIT;
  ald_spatial_reference mercator, moon;
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, "EPSG", 3395, &mercator, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, "ESRI", 104903, &moon, &error), &error);
  options.spatial_reference = mercator;
  layer = layer_from(runtime, path_of("places.geojson"), &options);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  const ald_geometry beyond = shape("POINT (0 100)", degrees);
  CHECK_STATUS(ald_feature_layer_query(layer, beyond, NULL, &set, NULL), ALD_STATUS_PROJECTION_FAILED);
  CHECK_OK(ald_feature_layer_query_async(layer, beyond, NULL, NULL, &request, &error), &error);
  CHECK_OK(ald_request_wait(request, 60000, &state, &error), &error);
  CHECK_STATUS(ald_request_take_match_set(request, &set, NULL), ALD_STATUS_PROJECTION_FAILED);
  ald_request_release(request);
  ald_geometry_release(beyond);
  ald_layer_release(layer);
  options.spatial_reference = moon;
  layer = layer_from(runtime, path_of("places.geojson"), &options);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  CHECK_STATUS(ald_feature_layer_query_pairs(places, layer, NULL, &set, NULL), ALD_STATUS_PROJECTION_FAILED);
  ald_layer_release(layer);
  ald_spatial_reference_release(moon);
  ald_spatial_reference_release(mercator);

  /* A file that changes. */
  write_text("changing.geojson", PLACES);
  layer = layer_from(runtime, path_of("changing.geojson"), NULL);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  write_text("changing.geojson", PLACES);
  CHECK_STATUS(ald_feature_layer_query(layer, point, NULL, &set, NULL), ALD_STATUS_READ_FAILED);
  CHECK_STATUS(ald_feature_layer_query_pairs(places, layer, NULL, &set, NULL), ALD_STATUS_READ_FAILED);
  CHECK_OK(ald_feature_layer_query_async(layer, point, NULL, NULL, &request, &error), &error);
  CHECK_OK(ald_request_wait(request, 60000, &state, &error), &error);
  CHECK_STATUS(ald_request_take_match_set(request, &set, NULL), ALD_STATUS_READ_FAILED);
  ald_request_release(request);
  CHECK_OK(ald_feature_layer_query_async(places, bow, NULL, NULL, &request, &error), &error);
  CHECK_OK(ald_request_wait(request, 60000, &state, &error), &error);
  CHECK_STATUS(ald_request_take_match_set(request, &set, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_request_take_match_set(request, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  ald_request_release(request);
  ald_layer_release(layer);

  blocker blocker;
  if (block_workers(&blocker, runtime, NULL)) {
    CHECK_OK(ald_feature_layer_query_async(places, point, NULL, NULL, &request, &error), &error);
    CHECK_STATUS(ald_request_take_match_set(request, &set, NULL), ALD_STATUS_NOT_READY);
    CHECK_OK(ald_request_cancel(request, &error), &error);
    CHECK_STATUS(ald_request_take_match_set(request, &set, NULL), ALD_STATUS_CANCELLED);
    ald_request_release(request);
    unblock_workers(&blocker);
    end_blocker(&blocker);
  }
  ald_geometry_release(local);
  ald_geometry_release(bow);
  ald_geometry_release(point);
}

/* More matches than the policy allows, and a call that takes too long. */
static void test_limits(void) {
  ald_error error;
  ald_runtime small;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_points = 3;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(&options, &small, &error), &error);
  ald_layer layer = layer_from(small, path_of("places.geojson"), NULL);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  ald_spatial_reference reference;
  CHECK_OK(ald_spatial_reference_create_from_code(small, "EPSG", 4326, &reference, &error), &error);
  ald_geometry point;
  CHECK_OK(ald_geometry_create_from_wkt(small, "POINT (0 0)", reference, &point, &error), &error);
  ald_match_options all = ALD_MATCH_OPTIONS_INIT;
  all.predicate = ALD_PREDICATE_DISJOINT;
  ald_match_set set;
  CHECK_STATUS(ald_feature_layer_query(layer, point, &all, &set, NULL), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_feature_layer_query_pairs(layer, layer, NULL, &set, NULL), ALD_STATUS_LIMIT_EXCEEDED);
  ald_request request;
  ald_request_state state;
  CHECK_OK(ald_feature_layer_query_async(layer, point, &all, NULL, &request, &error), &error);
  CHECK_OK(ald_request_wait(request, 60000, &state, &error), &error);
  CHECK_STATUS(ald_request_take_match_set(request, &set, NULL), ALD_STATUS_LIMIT_EXCEEDED);
  ald_request_release(request);
  ald_geometry other = shape("POINT (0 0)", degrees);
  CHECK_STATUS(ald_feature_layer_query(layer, other, NULL, &set, NULL), ALD_STATUS_INVALID_ARGUMENT);
  ald_geometry_release(other);
  ald_runtime_release(small);

  policy = (ald_policy)ALD_POLICY_INIT;
  policy.max_request_ms = 1;
  CHECK_OK(ald_runtime_create(&options, &small, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(small, "EPSG", 4326, &reference, &error), &error);
  CHECK_OK(ald_geometry_create_from_wkt(small, "POINT (0 0)", reference, &point, &error), &error);
  ald_graphics_overlay overlay;
  CHECK_OK(ald_graphics_overlay_create(small, NULL, &overlay, &error), &error);
  int added = 0;
  while (added < 20000 && ald_graphics_overlay_add_graphic(overlay, point, NULL, NULL, NULL) == ALD_STATUS_OK)
    added++;
  CHECK(added == 20000);
  all = (ald_match_options)ALD_MATCH_OPTIONS_INIT;
  all.kind = ALD_MATCH_KIND_WITHIN_DISTANCE;
  all.max_distance = 1;
  CHECK_STATUS(ald_graphics_overlay_query(overlay, point, &all, &set, NULL), ALD_STATUS_LIMIT_EXCEEDED);
  ald_runtime_release(small);
}

int main(void) {
  ald_error error;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.thread_count = 2;
  if (!make_folder())
    return finish();
  write_text("places.geojson", PLACES);
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, "EPSG", 4326, &degrees, &error), &error);
  places = layer_from(runtime, path_of("places.geojson"), NULL);
  CHECK_OK(ald_layer_load(places, &error), &error);
  test_layers();
  test_skipped();
  test_pairs();
  test_overlays();
  test_options();
  test_refusals();
  test_limits();
  ald_layer_release(places);
  ald_spatial_reference_release(degrees);
  ald_runtime_release(runtime);
  remove_folder();
  return finish();
}

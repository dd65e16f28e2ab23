/* Snapping: each kind with its position in the geometry, what is chosen, and what is refused. */
#include "layer_files.h"
#include "scene.h"

#include <math.h>

static const char SHAPES[] =
    "{\"type\":\"FeatureCollection\",\"features\":["
    "{\"type\":\"Feature\",\"id\":1,\"properties\":{},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":"
    "[[[-40,-20],[-20,-20],[-20,0],[-40,0],[-40,-20]],[[-32,-12],[-32,-8],[-28,-8],[-28,-12],[-32,-12]]]}},"
    "{\"type\":\"Feature\",\"id\":2,\"properties\":{},\"geometry\":{\"type\":\"MultiLineString\",\"coordinates\":"
    "[[[0,0],[10,0]],[[20,-10],[20,10],[40,10]]]}}]}";

static ald_runtime runtime;
static ald_spatial_reference wgs84;
static ald_map map;
static ald_view view;
static ald_layer layer;
static ald_graphics_overlay overlay;

/* Plate carree at 1 degree for a DIP, 200 by 100 DIP around (0, 0): screen (x, y) shows (x - 100, 50 - y). */
static void make_place(void) {
  ald_error error;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_points = 1000;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, "EPSG", 4326, &wgs84, &error), &error);
  CHECK_OK(ald_map_create(runtime, wgs84, &map, &error), &error);
  size.width_dip = 200;
  size.height_dip = 100;
  CHECK_OK(ald_view_create(map, &size, &view, &error), &error);
  CHECK_OK(ald_feature_layer_create_from_path(runtime, path_of("shapes.geojson"), NULL, &layer, &error), &error);
  CHECK_OK(ald_graphics_overlay_create(runtime, NULL, &overlay, &error), &error);
  renderer.symbol.kind = ALD_SYMBOL_KIND_LINE;
  renderer.symbol.line_width_dip = 1;
  CHECK_OK(ald_feature_layer_set_renderer(layer, &renderer, &error), &error);
  CHECK_OK(ald_graphics_overlay_set_renderer(overlay, &renderer, &error), &error);
  ald_snap snap = ALD_SNAP_INIT;
  CHECK_STATUS(ald_view_snap(view, (ald_point){0, 0}, 1, NULL, &snap, NULL), ALD_STATUS_NOT_READY);
  ald_request request;
  CHECK_STATUS(ald_view_snap_async(view, (ald_point){0, 0}, 1, NULL, NULL, &request, NULL), ALD_STATUS_NOT_READY);
  CHECK_OK(ald_view_set_center(view, (ald_point){0, 0}, wgs84, &error), &error);
  CHECK_OK(ald_view_set_scale(view, 1e8, &error), &error);
  CHECK_OK(ald_view_get_state(view, &state, &error), &error);
  CHECK_OK(ald_view_set_scale(view, 1e8 / state.units_per_dip, &error), &error);
  CHECK_OK(ald_view_add_graphics_overlay(view, overlay, &error), &error);
}

static uint64_t add(const char *wkt) {
  ald_error error;
  ald_geometry geometry = {0};
  uint64_t id = 0;
  CHECK_OK(ald_geometry_create_from_wkt(runtime, wkt, wgs84, &geometry, &error), &error);
  CHECK_OK(ald_graphics_overlay_add_graphic(overlay, geometry, NULL, &id, &error), &error);
  ald_geometry_release(geometry);
  return id;
}

static ald_snap snap_at(double x, double y, double tolerance, ald_snap_flags kinds) {
  ald_error error;
  ald_snap snap = ALD_SNAP_INIT;
  ald_snap_options options = ALD_SNAP_OPTIONS_INIT;
  options.kinds = kinds;
  CHECK_OK(ald_view_snap(view, (ald_point){x + 100, 50 - y}, tolerance, &options, &snap, &error), &error);
  return snap;
}

/* Numbers as in ald_snap; -1 for UINT32_MAX. */
static void check_snap(ald_snap snap, ald_snap_flags kind, int64_t id, double x, double y, double distance,
                       const int indexes[5]) {
  CHECK(snap.kind == kind);
  CHECK(snap.id == id);
  CHECK(fabs(snap.map_point.x - x) < 1e-9 && fabs(snap.map_point.y - y) < 1e-9);
  CHECK(fabs(snap.screen_point.x - x - 100) < 1e-9 && fabs(snap.screen_point.y - 50 + y) < 1e-9);
  CHECK(fabs(snap.distance_dip - distance) < 1e-9);
  CHECK(snap.member_index == (uint32_t)indexes[0] && snap.part_index == (uint32_t)indexes[1]);
  CHECK(snap.path_index == (uint32_t)indexes[2] && snap.segment_index == (uint32_t)indexes[3]);
  CHECK(snap.vertex_index == (uint32_t)indexes[4]);
}

static void test_kinds(void) {
  ald_error error;
  const ald_snap_flags all = ALD_SNAP_VERTEX | ALD_SNAP_ENDPOINT | ALD_SNAP_MIDPOINT | ALD_SNAP_EDGE |
                             ALD_SNAP_CENTROID | ALD_SNAP_INTERSECTION;
  CHECK(snap_at(3, 0, 5, all).kind == 0); /* The layer is not loaded, and passed over. */
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  /* The end of a line, though the edge is nearer. */
  check_snap(snap_at(2, 1, 3, all), ALD_SNAP_ENDPOINT, 2, 0, 0, hypot(2, 1), (const int[]){0, 0, 0, 0, 0});
  check_snap(snap_at(2, 1, 3, 0), ALD_SNAP_VERTEX, 2, 0, 0, hypot(2, 1), (const int[]){0, 0, 0, 0, 0});
  check_snap(snap_at(2, 1, 2, all), ALD_SNAP_EDGE, 2, 2, 0, 1, (const int[]){0, 0, 0, 0, -1});
  check_snap(snap_at(20, 9, 2, all), ALD_SNAP_VERTEX, 2, 20, 10, 1, (const int[]){0, 1, 0, 1, 1});
  check_snap(snap_at(21, 1, 3, all), ALD_SNAP_MIDPOINT, 2, 20, 0, hypot(1, 1), (const int[]){0, 1, 0, 0, -1});
  /* The hole's path, and the centroid: the hole lies in the middle. */
  check_snap(snap_at(-32, -9, 0.5, all), ALD_SNAP_EDGE, 1, -32, -9, 0, (const int[]){0, 0, 1, 0, -1});
  check_snap(snap_at(-30, -10.5, 1, all), ALD_SNAP_CENTROID, 1, -30, -10, 0.5, (const int[]){0, 0, 0, -1, -1});
  /* A graphic crosses the line, and lies above it. */
  const int64_t id = (int64_t)add("GEOMETRYCOLLECTION (LINESTRING (50 40, 60 40), LINESTRING (7 -5, 7 15))");
  const ald_snap crossing = snap_at(7.5, 0.25, 2, all);
  check_snap(crossing, ALD_SNAP_INTERSECTION, id, 7, 0, hypot(0.5, 0.25), (const int[]){1, 0, 0, 0, -1});
  CHECK(crossing.overlay.id == overlay.id && crossing.layer.id == 0);
  CHECK(snap_at(2, 1, 3, all).layer.id == layer.id && snap_at(2, 1, 3, all).overlay.id == 0);
}

static void test_choice(void) {
  ald_error error;
  ald_snap snap = ALD_SNAP_INIT;
  ald_snap_options options = ALD_SNAP_OPTIONS_INIT;
  const ald_point place = {107, 50};
  options.layers = &layer;
  options.layer_count = 1;
  CHECK_OK(ald_view_snap(view, place, 0.5, &options, &snap, &error), &error);
  CHECK(snap.kind == ALD_SNAP_EDGE && snap.id == 2);
  options = (ald_snap_options)ALD_SNAP_OPTIONS_INIT;
  options.overlays = &overlay;
  options.overlay_count = 1;
  CHECK_OK(ald_view_snap(view, place, 0.5, &options, &snap, &error), &error);
  CHECK(snap.kind == ALD_SNAP_EDGE && snap.overlay.id == overlay.id);
  options.overlay_count = 0;
  CHECK_OK(ald_view_snap(view, place, 0.5, &options, &snap, &error), &error);
  CHECK(snap.kind == 0 && snap.layer.id == 0 && snap.distance_dip == 0);
}

static ald_request begin_snap(ald_point place, double tolerance, const ald_request_options *options) {
  ald_error error;
  ald_request request = {0};
  CHECK_OK(ald_view_snap_async(view, place, tolerance, NULL, options, &request, &error), &error);
  return request;
}

static ald_request_state wait_for(ald_request request) {
  ald_error error;
  ald_request_state state = ALD_REQUEST_STATE_PENDING;
  CHECK_OK(ald_request_wait(request, 10000, &state, &error), &error);
  return state;
}

/* The same without waiting: for the view, the overlay and the graphics as they are when the request begins. */
static void test_requests(void) {
  ald_error error;
  ald_snap snap = ALD_SNAP_INIT, again = ALD_SNAP_INIT;
  const uint64_t id = add("LINESTRING (60 -30, 70 -30)");
  ald_request request = begin_snap((ald_point){161, 80}, 2, NULL);
  CHECK_OK(ald_graphics_overlay_remove_graphics(overlay, &id, 1, &error), &error);
  CHECK_OK(ald_view_set_center(view, (ald_point){30, 0}, wgs84, &error), &error);
  CHECK(wait_for(request) == ALD_REQUEST_STATE_SUCCEEDED);
  CHECK_OK(ald_request_get_snap(request, &snap, &error), &error);
  check_snap(snap, ALD_SNAP_VERTEX, (int64_t)id, 60, -30, 1, (const int[]){0, 0, 0, 0, 0});
  CHECK_OK(ald_request_get_snap(request, &again, &error), &error);
  CHECK(again.id == snap.id && again.kind == snap.kind && again.overlay.id == overlay.id);
  CHECK_OK(ald_view_set_center(view, (ald_point){0, 0}, wgs84, &error), &error);
  ald_request_release(request);
  /* A feature of a layer, as a finger that moves asks for it: the newest request wins. */
  ald_request_options drag = ALD_REQUEST_OPTIONS_INIT;
  drag.replace_key = 7;
  ald_request moves[20];
  for (int i = 0; i < 20; i++)
    moves[i] = begin_snap((ald_point){101 + i % 2, 50}, 3, &drag);
  for (int i = 0; i < 20; i++) {
    const ald_request_state state = wait_for(moves[i]);
    CHECK(state == ALD_REQUEST_STATE_SUCCEEDED || (i < 19 && state == ALD_REQUEST_STATE_CANCELLED));
    if (state == ALD_REQUEST_STATE_CANCELLED)
      CHECK_STATUS(ald_request_get_snap(moves[i], &snap, NULL), ALD_STATUS_CANCELLED);
  }
  CHECK_OK(ald_request_get_snap(moves[19], &snap, &error), &error);
  CHECK(snap.kind == ALD_SNAP_VERTEX && snap.id == 2 && snap.layer.id == layer.id);
  for (int i = 0; i < 20; i++)
    ald_request_release(moves[i]);
  request = begin_snap((ald_point){1, 1}, 1, NULL);
  CHECK(wait_for(request) == ALD_REQUEST_STATE_SUCCEEDED);
  CHECK_OK(ald_request_get_snap(request, &snap, &error), &error);
  CHECK(snap.kind == 0 && snap.layer.id == 0);
  ald_identify_result result;
  CHECK_STATUS(ald_request_take_identify_result(request, &result, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_request_get_snap(request, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  ald_request_release(request);
  CHECK_STATUS(ald_request_get_snap(request, &snap, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_OK(ald_view_identify_async(view, (ald_point){1, 1}, 1, 0, NULL, NULL, &request, &error), &error);
  CHECK_STATUS(ald_request_get_snap(request, &snap, NULL), ALD_STATUS_INVALID_ARGUMENT);
  ald_request_release(request);
}

/* What a request that has begun comes to, and what none is begun for. */
static void check_request_refused(ald_snap_options options, ald_status begun, ald_status made) {
  ald_request request = {1};
  ald_snap snap = ALD_SNAP_INIT;
  const ald_status status = ald_view_snap_async(view, (ald_point){0, 0}, 1, &options, NULL, &request, NULL);
  CHECK_STATUS(status, begun);
  CHECK((request.id != 0) == (begun == ALD_STATUS_OK));
  if (begun != ALD_STATUS_OK)
    return;
  CHECK(wait_for(request) == ALD_REQUEST_STATE_FAILED);
  CHECK_STATUS(ald_request_get_snap(request, &snap, NULL), made);
  ald_request_release(request);
}

static void check_refused(ald_snap_options options, ald_status status) {
  ald_snap snap = ALD_SNAP_INIT;
  CHECK_STATUS(ald_view_snap(view, (ald_point){0, 0}, 1, &options, &snap, NULL), status);
}

/* A request that is cancelled has no snap. */
static void test_cancelled(void) {
  ald_error error;
  ald_snap snap = ALD_SNAP_INIT;
  ald_status status = ALD_STATUS_OK;
  for (int tries = 0; tries < 1000 && status != ALD_STATUS_CANCELLED; tries++) {
    ald_request request = begin_snap((ald_point){101, 50}, 3, NULL);
    CHECK_OK(ald_request_cancel(request, &error), &error);
    status = ald_request_get_snap(request, &snap, &error);
    CHECK(status == ALD_STATUS_OK || status == ALD_STATUS_CANCELLED);
    ald_request_release(request);
  }
  CHECK_STATUS(status, ALD_STATUS_CANCELLED);
}

/* A layer with more vertices at the point than the policy allows. */
static void test_too_many(void) {
  ald_error error;
  static char text[1500 * 16];
  ald_layer many;
  ald_snap_options options = ALD_SNAP_OPTIONS_INIT;
  const ald_graphics_renderer renderer = {.struct_size = sizeof renderer,
                                          .symbol = {.kind = ALD_SYMBOL_KIND_LINE, .line_width_dip = 1}};
  char *end = text + sprintf(text, "{\"type\":\"LineString\",\"coordinates\":[[-100,50]");
  for (int i = 0; i < 1200; i++)
    end += sprintf(end, ",[%d,%d]", i % 90 - 45, i % 7);
  sprintf(end, "]}");
  CHECK_OK(ald_feature_layer_create_from_path(runtime, write_text("many.geojson", text), NULL, &many, &error), &error);
  CHECK_OK(ald_feature_layer_set_renderer(many, &renderer, &error), &error);
  CHECK_OK(ald_map_add_layer(map, many, &error), &error);
  CHECK_OK(ald_layer_load(many, &error), &error);
  options.layers = &many;
  options.layer_count = 1;
  check_refused(options, ALD_STATUS_LIMIT_EXCEEDED);
  check_request_refused(options, ALD_STATUS_OK, ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_OK(ald_map_remove_layer(map, many, &error), &error);
  ald_layer_release(many);
}

/* A request is pending until a worker has done it. */
static void test_pending(void) {
  ald_error error;
  ald_snap snap = ALD_SNAP_INIT;
  ald_status status = ALD_STATUS_OK;
  for (int tries = 0; tries < 1000 && status != ALD_STATUS_NOT_READY; tries++) {
    ald_request request = begin_snap((ald_point){101, 50}, 3, NULL);
    status = ald_request_get_snap(request, &snap, &error);
    CHECK(status == ALD_STATUS_OK || status == ALD_STATUS_NOT_READY);
    ald_request_release(request);
  }
  CHECK_STATUS(status, ALD_STATUS_NOT_READY);
}

static void test_refusals(const char *path) {
  ald_error error;
  ald_snap snap = ALD_SNAP_INIT;
  const ald_snap_options plain = ALD_SNAP_OPTIONS_INIT;
  ald_snap_options options = plain;
  const ald_layer gone = {0};
  const ald_point place = {0, 0};
  CHECK_STATUS(ald_view_snap((ald_view){0}, place, 1, NULL, &snap, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_snap(view, (ald_point){(double)NAN, 0}, 1, NULL, &snap, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_snap(view, place, -1, NULL, &snap, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_snap(view, place, (double)INFINITY, NULL, &snap, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_snap(view, place, 1, NULL, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  ald_request request;
  ald_request_options unknown = ALD_REQUEST_OPTIONS_INIT;
  unknown.flags = 64;
  CHECK_STATUS(ald_view_snap_async((ald_view){0}, place, 1, NULL, NULL, &request, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_snap_async(view, (ald_point){(double)NAN, 0}, 1, NULL, NULL, &request, NULL),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_snap_async(view, place, -1, NULL, NULL, &request, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_snap_async(view, place, 1, NULL, &unknown, &request, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_snap_async(view, place, 1, NULL, NULL, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  options.kinds = 64;
  check_refused(options, ALD_STATUS_INVALID_ARGUMENT);
  options = plain;
  options.layer_count = 1;
  check_refused(options, ALD_STATUS_INVALID_ARGUMENT);
  options.layers = &gone;
  check_refused(options, ALD_STATUS_INVALID_HANDLE);
  check_request_refused(options, ALD_STATUS_INVALID_HANDLE, ALD_STATUS_OK);
  options.layer_count = 1001;
  check_refused(options, ALD_STATUS_LIMIT_EXCEEDED);
  check_request_refused(options, ALD_STATUS_LIMIT_EXCEEDED, ALD_STATUS_OK);
  ald_layer other = layer_of(runtime, path, NULL);
  options.layers = &other;
  options.layer_count = 1;
  check_refused(options, ALD_STATUS_INVALID_ARGUMENT);
  ald_layer_release(other);
  CHECK_OK(ald_feature_layer_create_from_path(runtime, path_of("shapes.geojson"), NULL, &other, &error), &error);
  check_refused(options, ALD_STATUS_INVALID_ARGUMENT); /* Not in the map. */
  ald_layer_release(other);
  CHECK_OK(ald_feature_layer_create_from_path(runtime, path_of("none.geojson"), NULL, &other, &error), &error);
  CHECK_OK(ald_map_add_layer(map, other, &error), &error);
  check_refused(options, ALD_STATUS_NOT_READY);
  check_request_refused(options, ALD_STATUS_OK, ALD_STATUS_NOT_READY);
  ald_layer_release(other);
  ald_graphics_overlay stranger;
  CHECK_OK(ald_graphics_overlay_create(runtime, NULL, &stranger, &error), &error);
  options = plain;
  options.overlays = &stranger;
  options.overlay_count = 1;
  check_refused(options, ALD_STATUS_NOT_FOUND);
  check_request_refused(options, ALD_STATUS_NOT_FOUND, ALD_STATUS_OK);
  ald_graphics_overlay_release(stranger);
  options = plain;
  options.layers = &layer;
  options.layer_count = 1;
  write_text("shapes.geojson", SHAPES);
  sleep_ms(20); /* Files are looked at again after 10 ms. */
  check_refused(options, ALD_STATUS_READ_FAILED);
  check_request_refused(options, ALD_STATUS_OK, ALD_STATUS_READ_FAILED);
  CHECK_OK(ald_view_snap(view, place, 1, NULL, &snap, &error), &error);
}

int main(int argc, char **argv) {
  (void)argc;
  if (!make_folder())
    return finish();
  write_text("shapes.geojson", SHAPES);
  make_place();
  test_kinds();
  test_choice();
  test_requests();
  test_pending();
  test_cancelled();
  test_too_many();
  test_refusals(raster_path(argv, "RGB.byte.tif"));
  ald_graphics_overlay_release(overlay);
  ald_layer_release(layer);
  ald_view_release(view);
  ald_map_release(map);
  ald_spatial_reference_release(wgs84);
  ald_runtime_release(runtime);
  remove_folder();
  return finish();
}

/* Viewpoints that are kept, as a C host sees them: whose handles they have, and what is refused. */
#include "check.h"
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static scene stage;
static ald_spatial_reference degrees;

static ald_viewpoint place(double x, double y) {
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE;
  viewpoint.center = (ald_point){x, y};
  viewpoint.spatial_reference = degrees;
  viewpoint.scale = 5000;
  return viewpoint;
}

static ald_geometry geometry(const char *wkt) {
  ald_error error;
  ald_geometry made = {0};
  CHECK_OK(ald_geometry_create_from_wkt(stage.runtime, wkt, degrees, &made, &error), &error);
  return made;
}

static void test_location(void) {
  ald_error error;
  ald_viewpoint made = ALD_VIEWPOINT_INIT;
  ald_spatial_reference reference;
  const uint64_t handles = live_handles(stage.runtime);
  CHECK_OK(ald_viewpoint_create_from_location(stage.runtime, 49, -93, 1e6, &made, &reference, &error), &error);
  CHECK(made.center.x == -93 && made.spatial_reference.id == reference.id);
  CHECK(made.center.x == -93 && made.center.y == 49 && made.scale == 1e6);
  CHECK(made.fields == (ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE));
  CHECK(live_handles(stage.runtime) == handles + 1);
  CHECK_OK(ald_view_set_viewpoint(stage.view, &made, &error), &error);
  ald_spatial_reference_release(made.spatial_reference);
  CHECK(live_handles(stage.runtime) == handles);
  CHECK_STATUS(ald_viewpoint_create_from_location(stage.runtime, 91, 0, 1, &made, &reference, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_viewpoint_create_from_location((ald_runtime){0}, 1, 0, 1, &made, &reference, &error),
               ALD_STATUS_INVALID_HANDLE);
}

static void test_json(void) {
  ald_error error;
  ald_viewpoint made = ALD_VIEWPOINT_INIT;
  ald_spatial_reference reference;
  ald_geometry shape;
  char text[2000];
  size_t size = 0;
  const uint64_t handles = live_handles(stage.runtime);
  CHECK_OK(ald_viewpoint_create_from_json(stage.runtime,
                                          "{\"rotation\": 90, \"targetGeometry\": {\"rings\": [[[0,0],[0,9],[9,9],"
                                          "[0,0]]], \"spatialReference\": {\"wkid\": 4326}}}",
                                          &made, &reference, &shape, &error),
           &error);
  CHECK(made.fields == (ALD_VIEWPOINT_HAS_ROTATION | ALD_VIEWPOINT_HAS_GEOMETRY) && made.rotation_deg == 270);
  CHECK(live_handles(stage.runtime) == handles + 2);
  CHECK(made.spatial_reference.id == reference.id && made.geometry.id == shape.id);
  CHECK_OK(ald_viewpoint_get_json(stage.runtime, &made, text, sizeof text, &size, &error), &error);
  CHECK(size == strlen(text) + 1 && strstr(text, "rings") != NULL && strstr(text, "90") != NULL);
  CHECK_STATUS(ald_viewpoint_get_json(stage.runtime, &made, text, 3, &size, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_STATUS(ald_viewpoint_get_json(stage.runtime, NULL, text, 3, &size, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_geometry_release(made.geometry);
  ald_spatial_reference_release(made.spatial_reference);
  CHECK(live_handles(stage.runtime) == handles);
  CHECK_STATUS(ald_viewpoint_get_json(stage.runtime, &made, text, 3, &size, &error), ALD_STATUS_INVALID_HANDLE);

  const struct {
    const char *text;
    ald_status status;
  } bad[] = {
      {"[]", ALD_STATUS_INVALID_ARGUMENT},
      {"{\"scale\": }", ALD_STATUS_INVALID_ARGUMENT},
      {"{} x", ALD_STATUS_INVALID_ARGUMENT},
      {"{\"scale\": -1}", ALD_STATUS_INVALID_ARGUMENT},
      {"{\"scale\": \"1\"}", ALD_STATUS_INVALID_ARGUMENT},
      {"{\"targetGeometry\": {}}", ALD_STATUS_INVALID_ARGUMENT},
      {"{\"targetGeometry\": {\"x\": \"NaN\", \"y\": 1}}", ALD_STATUS_INVALID_ARGUMENT},
      {"{\"targetGeometry\": {\"rings\": [[[0,0],[1]]]}}", ALD_STATUS_INVALID_ARGUMENT},
      {"{\"targetGeometry\": {\"xmin\": 0, \"ymin\": 1, \"xmax\": 1, \"ymax\": 0}}", ALD_STATUS_INVALID_ARGUMENT},
      {"{\"targetGeometry\": {\"x\": 0, \"y\": 1, \"spatialReference\": {\"wkid\": 1}}}", ALD_STATUS_NOT_FOUND},
      {"{\"targetGeometry\": {\"x\": 0, \"y\": 1, \"spatialReference\": {\"wkid\": 4978}}}", ALD_STATUS_UNSUPPORTED},
      {"{\"targetGeometry\": {\"curveRings\": []}}", ALD_STATUS_UNSUPPORTED},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    CHECK_STATUS(ald_viewpoint_create_from_json(stage.runtime, bad[i].text, &made, &reference, &shape, &error),
                 bad[i].status);
  CHECK(reference.id == 0 && shape.id == 0);
  CHECK_STATUS(ald_viewpoint_create_from_json((ald_runtime){0}, "{}", &made, &reference, &shape, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK(live_handles(stage.runtime) == handles);

  ald_viewpoint collection = ALD_VIEWPOINT_INIT;
  collection.fields = ALD_VIEWPOINT_HAS_GEOMETRY;
  collection.geometry = geometry("GEOMETRYCOLLECTION (POINT (1 2))");
  CHECK_STATUS(ald_viewpoint_get_json(stage.runtime, &collection, text, sizeof text, NULL, &error),
               ALD_STATUS_UNSUPPORTED);
  ald_geometry_release(collection.geometry);

  ald_runtime small;
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  policy.max_request_bytes = 10;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(&options, &small, &error), &error);
  CHECK_STATUS(ald_viewpoint_create_from_json(small, "{\"scale\": 5000}", &made, &reference, &shape, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  ald_viewpoint line = ALD_VIEWPOINT_INIT;
  line.fields = ALD_VIEWPOINT_HAS_GEOMETRY;
  policy.max_request_bytes = 2000;
  ald_runtime_release(small);
  CHECK_OK(ald_runtime_create(&options, &small, &error), &error);
  CHECK_OK(ald_geometry_create_from_wkt(small, "LINESTRING (0 0, 1 1, 2 2, 3 3, 4 4, 5 5, 6 6, 7 7)",
                                        (ald_spatial_reference){0}, &line.geometry, &error),
           &error);
  CHECK_STATUS(ald_viewpoint_get_json(small, &line, text, sizeof text, NULL, &error), ALD_STATUS_LIMIT_EXCEEDED);
  ald_runtime_release(small);
}

static void test_bookmarks(void) {
  ald_error error;
  ald_viewpoint kept = place(-93, 49), found = ALD_VIEWPOINT_INIT, wrong = place(NAN, 0), stale = place(1, 2);
  char text[100];
  uint32_t count = 9;
  size_t size;
  const uint64_t handles = live_handles(stage.runtime);
  kept = (ald_viewpoint)ALD_VIEWPOINT_INIT;
  kept.fields = ALD_VIEWPOINT_HAS_GEOMETRY;
  kept.geometry = geometry("POINT (1 2)");
  CHECK_OK(ald_map_add_bookmark(stage.map, "Zuhause \xe2\x8c\x82", &kept, &error), &error);
  CHECK_STATUS(ald_map_add_bookmark(stage.map, "Zuhause \xe2\x8c\x82", &kept, &error), ALD_STATUS_INVALID_STATE);
  CHECK_STATUS(ald_map_add_bookmark(stage.map, "", &kept, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_map_add_bookmark(stage.map, "b", &wrong, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_map_add_bookmark((ald_map){0}, "b", &kept, &error), ALD_STATUS_INVALID_HANDLE);
  stale.spatial_reference.id = 77;
  CHECK_STATUS(ald_map_add_bookmark(stage.map, "b", &stale, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_OK(ald_map_get_bookmark_count(stage.map, &count, &error), &error);
  CHECK(count == 1);
  CHECK_OK(ald_map_get_bookmark_name_at(stage.map, 0, text, sizeof text, &size, &error), &error);
  CHECK(strcmp(text, "Zuhause \xe2\x8c\x82") == 0 && size == strlen(text) + 1);
  CHECK_STATUS(ald_map_get_bookmark_name_at(stage.map, 1, text, sizeof text, &size, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_map_get_bookmark_name_at(stage.map, 0, text, 3, &size, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_STATUS(ald_map_get_bookmark_name_at(stage.map, 0, NULL, 0, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);

  /* The map keeps the geometry, and returns the handle that the host had. */
  ald_geometry_release(kept.geometry);
  CHECK_OK(ald_map_find_bookmark(stage.map, "Zuhause \xe2\x8c\x82", &found, &error), &error);
  CHECK(found.fields == ALD_VIEWPOINT_HAS_GEOMETRY && found.geometry.id == kept.geometry.id);
  CHECK_OK(ald_view_set_viewpoint(stage.view, &found, &error), &error);
  CHECK_STATUS(ald_map_find_bookmark(stage.map, "other", &found, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_map_find_bookmark(stage.map, NULL, &found, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_map_remove_bookmark(stage.map, "other", &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_map_remove_bookmark(stage.map, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_map_remove_bookmark(stage.map, "Zuhause \xe2\x8c\x82", &error), &error);
  CHECK(live_handles(stage.runtime) == handles);

  kept = place(1, 2);
  for (int i = 0; i < 10000; i++) {
    snprintf(text, sizeof text, "%d", i);
    if (ald_map_add_bookmark(stage.map, text, &kept, &error) != ALD_STATUS_OK)
      break;
  }
  CHECK_STATUS(ald_map_add_bookmark(stage.map, "one more", &kept, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_OK(ald_map_get_bookmark_count(stage.map, &count, &error), &error);
  CHECK(count == 10000);
}

/* A map of its own, without layers. */
static void test_initial_viewpoint(void) {
  ald_error error;
  ald_map map;
  ald_view view;
  ald_viewpoint given = ALD_VIEWPOINT_INIT, found = ALD_VIEWPOINT_INIT;
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  options.width_dip = 200;
  options.height_dip = 100;
  CHECK_OK(ald_map_create(stage.runtime, stage.spatial_reference, &map, &error), &error);
  CHECK_STATUS(ald_map_get_initial_viewpoint(map, &found, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_map_set_initial_viewpoint(map, &given, &error), ALD_STATUS_INVALID_ARGUMENT);
  given = place(0, 90);
  CHECK_STATUS(ald_map_set_initial_viewpoint(map, &given, &error), ALD_STATUS_PROJECTION_FAILED);
  given.spatial_reference.id = 77;
  CHECK_STATUS(ald_map_set_initial_viewpoint(map, &given, &error), ALD_STATUS_INVALID_HANDLE);
  given = (ald_viewpoint)ALD_VIEWPOINT_INIT;
  given.fields = ALD_VIEWPOINT_HAS_EXTENT | ALD_VIEWPOINT_HAS_ROTATION;
  given.extent = (ald_envelope){0, 0, 1000, 2000};
  given.rotation_deg = 90;
  CHECK_OK(ald_map_set_initial_viewpoint(map, &given, &error), &error);
  CHECK_OK(ald_map_get_initial_viewpoint(map, &found, &error), &error);
  CHECK(found.fields == given.fields && found.extent.y_max == 2000 && found.rotation_deg == 90);
  CHECK_OK(ald_view_create(map, &options, &view, &error), &error);
  CHECK_OK(ald_view_get_state(view, &state, &error), &error);
  /* East is up: 2000 m from south to north lie across, on 200 DIP. */
  CHECK(fabs(state.units_per_dip - 10) < 1e-9 && state.rotation_deg == 90 && state.center.y == 1000);
  ald_view_release(view);
  CHECK_OK(ald_map_set_initial_viewpoint(map, NULL, &error), &error);
  CHECK_STATUS(ald_map_get_initial_viewpoint(map, &found, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_map_get_initial_viewpoint(map, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_map_release(map);
  CHECK_STATUS(ald_map_get_initial_viewpoint(map, &found, &error), ALD_STATUS_INVALID_HANDLE);
}

static void test_visible_area(void) {
  ald_error error;
  ald_map map;
  ald_view view;
  ald_geometry area = {0};
  ald_geometry_info info = ALD_GEOMETRY_INFO_INIT;
  ald_viewpoint viewpoint = place(0, 0), found = ALD_VIEWPOINT_INIT;
  viewpoint.scale = 96 / 0.0254;
  CHECK_OK(ald_view_create_visible_area(stage.view, &viewpoint, &area, &error), &error);
  CHECK_OK(ald_geometry_get_info(area, &info, &error), &error);
  /* 200 by 100 DIP at a metre each. */
  CHECK(info.kind == ALD_GEOMETRY_KIND_POLYGON && info.vertex_count == 5);
  CHECK(fabs(info.envelope.x_min + 100) < 1e-9 && fabs(info.envelope.y_max - 50) < 1e-9);
  ald_geometry_release(area);
  CHECK_OK(ald_view_create_visible_area(stage.view, NULL, &area, &error), &error);
  ald_geometry_release(area);
  viewpoint = place(0, 90);
  CHECK_STATUS(ald_view_create_visible_area(stage.view, &viewpoint, &area, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK(area.id == 0);
  viewpoint = place(NAN, 90);
  CHECK_STATUS(ald_view_create_visible_area(stage.view, &viewpoint, &area, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_view_get_viewpoint(stage.view, &found, &error), &error);
  CHECK(found.spatial_reference.id == stage.spatial_reference.id);
  CHECK(found.fields == (ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE | ALD_VIEWPOINT_HAS_ROTATION));
  CHECK_STATUS(ald_view_get_viewpoint(stage.view, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);

  CHECK_OK(ald_map_create(stage.runtime, stage.spatial_reference, &map, &error), &error);
  CHECK_OK(ald_view_create(map, NULL, &view, &error), &error);
  CHECK_STATUS(ald_view_get_viewpoint(view, &found, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_create_visible_area(view, NULL, &area, &error), ALD_STATUS_NOT_READY);
  ald_view_release(view);
  CHECK_STATUS(ald_view_get_viewpoint(view, &found, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_create_visible_area(view, NULL, &area, &error), ALD_STATUS_INVALID_HANDLE);
  ald_map_release(map);
}

/* A longitude beyond 180 names the neighbouring copy of the world: 2 pi 6378137 m wide, as EPSG:3857 is defined. */
static void test_copies_of_the_world(void) {
  ald_error error;
  const double metres_per_degree = 2 * 3.14159265358979323846 * 6378137 / 360;
  const double longitudes[] = {-541, -181, -179, 179, 181, 541};
  for (size_t index = 0; index < sizeof longitudes / sizeof *longitudes; ++index) {
    ald_viewpoint viewpoint = place(longitudes[index], 10);
    ald_viewpoint found = ALD_VIEWPOINT_INIT;
    CHECK_OK(ald_view_set_viewpoint(stage.view, &viewpoint, &error), &error);
    CHECK_OK(ald_view_get_viewpoint(stage.view, &found, &error), &error);
    CHECK(fabs(found.center.x - longitudes[index] * metres_per_degree) < 1e-6);
  }
  /* PROJ has no image of 900 degrees, in any copy. */
  const ald_viewpoint far_away = place(900, 10);
  CHECK_STATUS(ald_view_set_viewpoint(stage.view, &far_away, &error), ALD_STATUS_PROJECTION_FAILED);
}

int main(int argc, char **argv) {
  ald_error error;
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    CHECK_OK(ald_spatial_reference_create_from_code(stage.runtime, NULL, 4326, &degrees, &error), &error);
    test_location();
    test_json();
    test_visible_area();
    test_copies_of_the_world();
    test_initial_viewpoint();
    test_bookmarks();
    ald_spatial_reference_release(degrees);
    release_scene(&stage);
    ald_runtime_release(stage.runtime);
  }
  return finish();
}

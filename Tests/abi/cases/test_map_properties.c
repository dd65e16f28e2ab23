/* What a map says of itself: texts, properties, and the limits of scale and extent that all of its views obey. */
#include "check.h"
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static scene stage;
static ald_error error;
static ald_spatial_reference degrees;

/* Half of the way round the world of Web Mercator, in metres. */
#define HALF_WORLD 20037508.342789244

static ald_map_info info_of(ald_map map) {
  ald_map_info info = ALD_MAP_INFO_INIT;
  CHECK_OK(ald_map_get_info(map, &info, &error), &error);
  return info;
}

static ald_view_state state_of(ald_view view) {
  ald_view_state state = ALD_VIEW_STATE_INIT;
  CHECK_OK(ald_view_get_state(view, &state, &error), &error);
  return state;
}

/* Moves the scene's view and returns the result, after a check that a plan says the same. */
static ald_camera_plan move(double x, double y, double scale) {
  ald_camera_plan plan = ALD_CAMERA_PLAN_INIT, made = ALD_CAMERA_PLAN_INIT;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE;
  viewpoint.center = (ald_point){x, y};
  viewpoint.scale = scale;
  CHECK_OK(ald_view_plan_move(stage.view, &viewpoint, NULL, &plan, &error), &error);
  CHECK_OK(ald_view_move(stage.view, &viewpoint, NULL, &made, &error), &error);
  CHECK(plan.clamps == made.clamps && plan.scale == made.scale && plan.center.x == made.center.x);
  const ald_view_state state = state_of(stage.view);
  CHECK(state.scale == made.scale && state.center.x == made.center.x && state.center.y == made.center.y);
  return made;
}

static void set_view_scales(double min_scale, double max_scale) {
  ald_constraints constraints = ALD_CONSTRAINTS_INIT;
  constraints.min_scale = min_scale;
  constraints.max_scale = max_scale;
  CHECK_OK(ald_view_set_constraints(stage.view, &constraints, &error), &error);
}

static void test_texts(void) {
  char text[16];
  size_t size = 0;
  uint32_t count = 9;
  const ald_map map = stage.map;
  CHECK_OK(ald_map_get_text(map, ALD_MAP_TEXT_KIND_NAME, text, sizeof text, NULL, &error), &error);
  CHECK(is_text(text, ""));
  CHECK_OK(ald_map_set_text(map, ALD_MAP_TEXT_KIND_NAME, "H\xc3\xb6hen", &error), &error);
  CHECK_OK(ald_map_set_text(map, ALD_MAP_TEXT_KIND_ATTRIBUTION, "USGS", &error), &error);
  CHECK_OK(ald_map_get_text(map, ALD_MAP_TEXT_KIND_NAME, text, sizeof text, &size, &error), &error);
  CHECK(is_text(text, "H\xc3\xb6hen") && size == 7);
  CHECK_STATUS(ald_map_get_text(map, ALD_MAP_TEXT_KIND_NAME, text, 6, &size, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_STATUS(ald_map_get_text(map, 4, text, sizeof text, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2 && holds_text(error.message, "text of a map"));
  CHECK_STATUS(ald_map_set_text(map, 0, "", &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_map_set_text(map, ALD_MAP_TEXT_KIND_ID, "\xff", &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_map_set_text(map, ALD_MAP_TEXT_KIND_NAME, NULL, &error), &error);
  CHECK_OK(ald_map_get_text(map, ALD_MAP_TEXT_KIND_NAME, text, sizeof text, NULL, &error), &error);
  CHECK(is_text(text, ""));
  CHECK_OK(ald_map_get_text(map, ALD_MAP_TEXT_KIND_ATTRIBUTION, text, sizeof text, NULL, &error), &error);
  CHECK(is_text(text, "USGS"));
  /* The texts of its layers are others. */
  CHECK_OK(ald_layer_get_text(stage.layer, ALD_LAYER_TEXT_KIND_ATTRIBUTION, text, sizeof text, NULL, &error), &error);
  CHECK(is_text(text, ""));

  CHECK_OK(ald_map_set_property(map, "b", "1", &error), &error);
  CHECK_OK(ald_map_set_property(map, "a", "", &error), &error);
  CHECK_OK(ald_map_set_property(map, "b", "2", &error), &error);
  CHECK(ald_map_get_property_count(map, &count, NULL) == ALD_STATUS_OK && count == 2);
  CHECK(ald_map_get_property_key_at(map, 0, text, sizeof text, NULL, NULL) == ALD_STATUS_OK && is_text(text, "b"));
  CHECK(ald_map_get_property(map, "b", text, sizeof text, NULL, NULL) == ALD_STATUS_OK && is_text(text, "2"));
  CHECK_STATUS(ald_map_get_property(map, "b", text, 1, &size, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_STATUS(ald_map_get_property_key_at(map, 0, text, 1, &size, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_STATUS(ald_map_get_property_key_at(map, 2, text, sizeof text, NULL, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_map_get_property(map, "c", text, sizeof text, NULL, &error), ALD_STATUS_NOT_FOUND);
  CHECK(holds_text(error.message, "The map has no property"));
  CHECK_STATUS(ald_map_set_property(map, "", "", &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_map_set_property(map, NULL, "", &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_map_set_property(map, "b", NULL, &error), &error);
  CHECK_STATUS(ald_map_get_property(map, "b", text, sizeof text, NULL, &error), ALD_STATUS_NOT_FOUND);
  char key[8];
  for (int i = 0; i < 9999; i++) {
    snprintf(key, sizeof key, "%d", i);
    if (ald_map_set_property(map, key, "", &error) != ALD_STATUS_OK)
      CHECK(!"a property could not be set");
  }
  CHECK_STATUS(ald_map_set_property(map, "more", "", &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_OK(ald_map_set_property(map, "a", "8", &error), &error);
}

static void test_scales(void) {
  const ald_map map = stage.map;
  CHECK_OK(ald_view_set_constraints(stage.view, NULL, &error), &error);
  CHECK(info_of(map).min_scale == 0 && info_of(map).max_scale == 0);
  move(0, 0, 1e6);
  CHECK_OK(ald_map_set_scale_range(map, 5e5, 1e4, &error), &error);
  CHECK(info_of(map).min_scale == 5e5 && info_of(map).max_scale == 1e4 && info_of(map).flags == 0);
  /* At once, for every view, including a view that is created later. */
  CHECK(state_of(stage.view).scale == 5e5);
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  ald_view later;
  options.width_dip = options.height_dip = 100;
  CHECK_OK(ald_map_set_initial_location(map, 10, 20, 1e7, &error), &error);
  CHECK_OK(ald_view_create(map, &options, &later, &error), &error);
  CHECK(state_of(later).scale == 5e5);
  ald_view_release(later);

  ald_camera_plan plan = move(1000, 2000, 1e6);
  CHECK(plan.clamps == ALD_CAMERA_CLAMP_MIN_SCALE && plan.scale == 5e5 && plan.wanted_scale == 1e6);
  plan = move(1000, 2000, 1);
  CHECK(plan.clamps == ALD_CAMERA_CLAMP_MAX_SCALE && plan.scale == 1e4);
  CHECK(move(1000, 2000, 5e5).clamps == 0 && move(1000, 2000, 1e4).clamps == 0);
  /* Gestures stop there. */
  for (int i = 0; i < 12; i++)
    CHECK_OK(ald_view_handle_wheel(stage.view, SCENE_MIDDLE, 4, &error), &error);
  CHECK_OK(ald_view_advance(stage.view, 10, &error), &error);
  CHECK(state_of(stage.view).scale == 1e4);

  /* Of both the narrower. */
  set_view_scales(1e5, 1e3);
  CHECK(move(0, 0, 1e6).scale == 1e5 && move(0, 0, 1).scale == 1e4);
  set_view_scales(1e7, 3e4);
  CHECK(move(0, 0, 1e6).scale == 5e5 && move(0, 0, 1).scale == 3e4);
  /* What the view itself says is not changed by that. */
  ald_constraints own = ALD_CONSTRAINTS_INIT;
  CHECK_OK(ald_view_get_constraints(stage.view, &own, &error), &error);
  CHECK(own.min_scale == 1e7 && own.max_scale == 3e4);
  /* Nothing in common: the nearest end of the map's. */
  set_view_scales(5e3, 1e3);
  CHECK(move(0, 0, 1e6).scale == 1e4 && move(0, 0, 1).scale == 1e4);
  set_view_scales(0, 1e6);
  CHECK(move(0, 0, 1e7).scale == 5e5 && move(0, 0, 1).scale == 5e5);
  CHECK_OK(ald_view_set_constraints(stage.view, NULL, &error), &error);

  CHECK_STATUS(ald_map_set_scale_range(map, 1e3, 1e4, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 3);
  CHECK_STATUS(ald_map_set_scale_range(map, -1, 0, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2);
  CHECK_STATUS(ald_map_set_scale_range(map, 0, NAN, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(info_of(map).min_scale == 5e5);
  CHECK_OK(ald_map_set_scale_range(map, 0, 0, &error), &error);
  CHECK(move(0, 0, 1e8).scale == 1e8);
}

/* 200 by 100 DIP: at 1 : s the view is 200 s m wide and half as high, s being a DIP of 1/96 inch. */
static double width_m(double scale) {
  return 200 * scale * 0.0254 / 96;
}

static void test_extents(void) {
  const ald_map map = stage.map;
  const ald_spatial_reference none = {0};
  const ald_envelope box = {100000, 200000, 300000, 300000};
  CHECK_OK(ald_view_set_rotation(stage.view, 0, &error), &error);
  move(0, 0, 1e5);
  CHECK_OK(ald_map_set_max_extent(map, &box, none, &error), &error);
  CHECK(info_of(map).flags == (ALD_MAP_HAS_MAX_EXTENT | ALD_MAP_MAX_EXTENT_LIMITS));
  const ald_envelope known = info_of(map).max_extent;
  CHECK(memcmp(&known, &box, sizeof box) == 0 && info_of(map).max_extent_spatial_reference.id == 0);
  /* At once, with the corner of the view in that of the box. */
  const double half = width_m(1e5) / 2;
  CHECK(fabs(state_of(stage.view).center.x - (box.x_min + half)) < 1e-6);
  CHECK(fabs(state_of(stage.view).center.y - (box.y_min + half / 2)) < 1e-6);
  ald_camera_plan plan = move(1e6, 250000, 1e5);
  CHECK(plan.clamps == ALD_CAMERA_CLAMP_EXTENT_X && fabs(plan.center.x - (box.x_max - half)) < 1e-6);
  plan = move(1e6, 250000, 1e9);
  CHECK((plan.clamps & ALD_CAMERA_CLAMP_EXTENT_SCALE) && fabs(width_m(plan.scale) - 200000) < 1e-6);

  /* The view's own and the map's: what they have in common, kept as the view says. */
  ald_constraints constraints = ALD_CONSTRAINTS_INIT;
  constraints.flags = ALD_CONSTRAINTS_HAS_EXTENT;
  constraints.max_extent = (ald_envelope){250000, 0, 900000, 280000};
  constraints.extent_rule = ALD_EXTENT_RULE_CENTER;
  CHECK_OK(ald_view_set_constraints(stage.view, &constraints, &error), &error);
  plan = move(0, 0, 1e5);
  CHECK(plan.center.x == 250000 && plan.center.y == 200000);
  plan = move(1e6, 1e6, 1e5);
  CHECK(plan.center.x == 300000 && plan.center.y == 280000);
  CHECK(plan.clamps == (ALD_CAMERA_CLAMP_EXTENT_X | ALD_CAMERA_CLAMP_EXTENT_Y));
  /* Nothing in common, or an edge alone: the map's. */
  constraints.max_extent = (ald_envelope){300000, 200000, 900000, 280000};
  CHECK_OK(ald_view_set_constraints(stage.view, &constraints, &error), &error);
  CHECK(move(0, 0, 1e5).center.x == 100000 && move(1e6, 1e6, 1e5).center.y == 300000);

  /* Refusals leave what was set. */
  const ald_envelope flat = {0, 1, 2, 1}, backwards = {0, 2, 2, 1}, infinite = {0, 0, INFINITY, 1};
  const ald_envelope beyond = {0, 95, 10, 96};
  CHECK_STATUS(ald_map_set_max_extent(map, &flat, none, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2);
  CHECK_STATUS(ald_map_set_max_extent(map, &backwards, none, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_map_set_max_extent(map, &infinite, none, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_map_set_max_extent(map, &beyond, degrees, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_map_set_max_extent(map, &box, (ald_spatial_reference){stage.map.id}, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK(info_of(map).max_extent.x_max == 300000);
  CHECK_OK(ald_view_set_constraints(stage.view, NULL, &error), &error);
  CHECK_OK(ald_map_set_max_extent(map, NULL, none, &error), &error);
  CHECK(info_of(map).flags == 0 && move(1e6, 1e6, 1e5).clamps == 0);
}

/* Boxes over the antimeridian, from 170 degrees east to 170 west, and their copies. */
static void test_antimeridian(void) {
  const ald_map map = stage.map;
  const double degree = HALF_WORLD / 180;
  const ald_envelope strip = {170, -10, -170, 10};
  CHECK_OK(ald_map_set_max_extent(map, &strip, degrees, &error), &error);
  CHECK(info_of(map).max_extent.x_min == 170 && info_of(map).max_extent_spatial_reference.id == degrees.id);
  ald_constraints constraints = ALD_CONSTRAINTS_INIT;
  constraints.flags = ALD_CONSTRAINTS_HAS_EXTENT;
  constraints.extent_rule = ALD_EXTENT_RULE_CENTER;
  /* The west of the strip, in another copy of the world. */
  constraints.max_extent = (ald_envelope){-200 * degree, -1e6, -185 * degree, 1e6};
  CHECK_OK(ald_view_set_constraints(stage.view, &constraints, &error), &error);
  CHECK(fabs(move(160 * degree, 0, 1e5).center.x - 170 * degree) < 1e-3);
  CHECK(fabs(move(-170 * degree, 0, 1e5).center.x - 175 * degree) < 1e-3);
  /* All around, and a box that meets it twice: 170 to 172 and 181 to 190 are left, of which the second is wider. */
  constraints.max_extent = (ald_envelope){-HALF_WORLD, -1e6, HALF_WORLD, 1e6};
  CHECK_OK(ald_view_set_constraints(stage.view, &constraints, &error), &error);
  CHECK(fabs(move(175 * degree, 0, 1e5).center.x - 175 * degree) < 1e-3);
  CHECK(fabs(move(160 * degree, 0, 1e5).center.x - 170 * degree) < 1e-3);
  constraints.max_extent = (ald_envelope){-179 * degree, -1e6, 172 * degree, 1e6};
  CHECK_OK(ald_view_set_constraints(stage.view, &constraints, &error), &error);
  CHECK(fabs(move(171 * degree, 0, 1e5).center.x - 181 * degree) < 1e-3);
  CHECK(fabs(move(-171 * degree, 0, 1e5).center.x - 189 * degree) < 1e-3);
  CHECK_OK(ald_view_set_constraints(stage.view, NULL, &error), &error);
  CHECK_OK(ald_map_set_max_extent(map, NULL, degrees, &error), &error);
}

/* Whether the runtime's log has a line with a text. Drains the events. */
static int has_logged(const char *part) {
  ald_event events[32];
  size_t count;
  int found = 0;
  do {
    CHECK_OK(ald_runtime_poll_events(stage.runtime, events, 32, &count, &error), &error);
    for (size_t i = 0; i < count; i++) {
      ald_log_line line = ALD_LOG_LINE_INIT;
      char text[1024];
      if (events[i].kind == ALD_EVENT_KIND_LOG &&
          CHECK_OK(
              ald_runtime_get_log_line(stage.runtime, events[i].log_number, &line, text, sizeof text, NULL, &error),
              &error))
        found = found || holds_text(text, part);
    }
  } while (count == 32);
  return found;
}

/* An extent may be set before the map has its spatial reference, and limits views from then on. */
static void test_before_the_spatial_reference(void) {
  const ald_envelope box = {-122.5, 40, -121.5, 41}, beyond = {0, 95, 10, 96}, flat = {0, 1, 2, 1};
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = options.height_dip = 100;
  for (int holds = 0; holds < 2; holds++) {
    ald_map map;
    ald_view view;
    ald_layer layer;
    CHECK_OK(ald_map_create(stage.runtime, (ald_spatial_reference){0}, &map, &error), &error);
    CHECK_OK(ald_view_create(map, &options, &view, &error), &error);
    CHECK_STATUS(ald_map_set_max_extent(map, &box, (ald_spatial_reference){0}, &error), ALD_STATUS_NOT_READY);
    CHECK_STATUS(ald_map_set_max_extent(map, &flat, degrees, &error), ALD_STATUS_INVALID_ARGUMENT);
    CHECK_OK(ald_map_set_max_extent(map, holds ? &box : &beyond, degrees, &error), &error);
    CHECK(info_of(map).flags == ALD_MAP_HAS_MAX_EXTENT);
    CHECK_OK(ald_raster_layer_create(stage.raster, &layer, &error), &error);
    CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
    CHECK(info_of(map).flags == (ald_map_flags)(ALD_MAP_HAS_MAX_EXTENT | (holds ? ALD_MAP_MAX_EXTENT_LIMITS : 0)));
    CHECK(has_logged("limits no view") == !holds);
    /* Far away from the box, which is in Web Mercator and in the raster's own reference in the same direction. */
    ald_camera_plan plan = ALD_CAMERA_PLAN_INIT;
    ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
    viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE;
    viewpoint.center = (ald_point){-122, 50};
    viewpoint.spatial_reference = degrees;
    viewpoint.scale = 1e5;
    CHECK_OK(ald_view_move(view, &viewpoint, NULL, &plan, &error), &error);
    CHECK(((plan.clamps & ALD_CAMERA_CLAMP_EXTENT_Y) != 0) == holds);
    ald_view_release(view);
    ald_map_release(map);
    ald_layer_release(layer);
  }
}

static void test_full_extent(void) {
  const ald_spatial_reference none = {0};
  ald_projected_envelope expected = ALD_PROJECTED_ENVELOPE_INIT;
  ald_raster_info raster = ALD_RASTER_INFO_INIT;
  ald_spatial_reference own, far_side;
  ald_layer group, member, unloaded;
  ald_raster other;
  ald_raster_info other_info = ALD_RASTER_INFO_INIT;
  ald_envelope box;
  ald_map map;
  CHECK_OK(ald_map_create(stage.runtime, none, &map, &error), &error);
  CHECK_STATUS(ald_map_get_full_extent(map, none, &box, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_map_get_full_extent(map, degrees, &box, &error), ALD_STATUS_NOT_FOUND);
  CHECK_OK(ald_raster_layer_create_from_path(stage.runtime, "/nonexistent.tif", NULL, &unloaded, &error), &error);
  CHECK_OK(ald_map_add_layer(map, unloaded, &error), &error);
  CHECK_STATUS(ald_map_get_full_extent(map, degrees, &box, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_map_get_full_extent(map, degrees, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);

  /* In a hidden group of the basemap, next to the layer that has no extent. */
  CHECK_OK(ald_raster_get_info(stage.raster, &raster, &error), &error);
  CHECK_OK(ald_raster_get_spatial_reference(stage.raster, &own, &error), &error);
  CHECK_OK(ald_group_layer_create(stage.runtime, &group, &error), &error);
  CHECK_OK(ald_raster_layer_create(stage.raster, &member, &error), &error);
  CHECK_OK(ald_group_layer_add_layer(group, member, &error), &error);
  CHECK_OK(ald_layer_set_visible(group, 0, &error), &error);
  CHECK_OK(ald_map_add_basemap_layer(map, group, &error), &error);
  CHECK_OK(ald_map_get_full_extent(map, none, &box, &error), &error);
  CHECK(memcmp(&box, &raster.extent, sizeof box) == 0);
  CHECK_OK(ald_spatial_reference_project_envelope(own, degrees, NULL, raster.extent, &expected, &error), &error);
  CHECK_OK(ald_map_get_full_extent(map, degrees, &box, &error), &error);
  CHECK(memcmp(&box, &expected.envelope, sizeof box) == 0);

  /* Around both of two. */
  ald_layer second;
  char path[4096];
  snprintf(path, sizeof path, "%s", stage.path);
  char *slash = strrchr(path, '/');
  snprintf(slash + 1, sizeof path - (size_t)(slash + 1 - path), "red.tif");
  CHECK_OK(ald_raster_open(stage.runtime, path, NULL, &other, &error), &error);
  CHECK_OK(ald_raster_get_info(other, &other_info, &error), &error);
  CHECK_OK(ald_raster_get_spatial_reference(other, &own, &error), &error);
  CHECK_OK(ald_raster_layer_create(other, &second, &error), &error);
  CHECK_OK(ald_map_add_layer(map, second, &error), &error);
  const ald_envelope first_box = expected.envelope;
  CHECK_OK(ald_spatial_reference_project_envelope(own, degrees, NULL, other_info.extent, &expected, &error), &error);
  const ald_envelope second_box = expected.envelope;
  CHECK_OK(ald_map_get_full_extent(map, degrees, &box, &error), &error);
  CHECK(box.x_min == fmin(first_box.x_min, second_box.x_min) && box.x_max == fmax(first_box.x_max, second_box.x_max));
  CHECK(box.y_min == fmin(first_box.y_min, second_box.y_min) && box.y_max == fmax(first_box.y_max, second_box.y_max));
  CHECK(memcmp(&first_box, &box, sizeof box) != 0);
  CHECK_OK(ald_map_remove_layer(map, second, &error), &error);

  CHECK_OK(
      ald_spatial_reference_create(stage.runtime, "+proj=ortho +lat_0=-40 +lon_0=58 +ellps=WGS84", &far_side, &error),
      &error);
  CHECK_OK(ald_map_remove_layer(map, unloaded, &error), &error);
  CHECK_STATUS(ald_map_get_full_extent(map, far_side, &box, &error), ALD_STATUS_PROJECTION_FAILED);
  ald_spatial_reference_release(far_side);
  ald_layer_release(second);
  ald_raster_release(other);
  ald_layer_release(unloaded);
  ald_layer_release(member);
  ald_layer_release(group);
  ald_map_release(map);
}

/* A log has what limited the recorded view, and leads to the same camera over a map without limits. */
static void test_log(void) {
  static char log[1 << 16];
  const ald_envelope box = {100000, 200000, 300000, 300000};
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  ald_map map;
  ald_view view;
  move(200000, 250000, 1e5);
  CHECK_OK(ald_view_start_recording(stage.view, &error), &error);
  CHECK_OK(ald_map_set_max_extent(stage.map, &box, (ald_spatial_reference){0}, &error), &error);
  CHECK_OK(ald_map_set_scale_range(stage.map, 5e5, 1e4, &error), &error);
  for (int i = 0; i < 6; i++) {
    CHECK_OK(ald_view_handle_wheel(stage.view, (ald_point){10, 10}, i < 3 ? -2 : 1, &error), &error);
    CHECK_OK(ald_view_advance(stage.view, 1, &error), &error);
  }
  CHECK_OK(ald_view_get_recording(stage.view, log, sizeof log, NULL, &error), &error);
  CHECK_OK(ald_map_create(stage.runtime, stage.spatial_reference, &map, &error), &error);
  CHECK_OK(ald_view_create(map, &options, &view, &error), &error);
  CHECK_OK(ald_view_replay(view, log, 0, ALD_ALL, NULL, &error), &error);
  const ald_view_state played = state_of(view), recorded = state_of(stage.view);
  CHECK(played.scale == recorded.scale && played.center.x == recorded.center.x && played.center.y == recorded.center.y);
  CHECK_OK(ald_view_stop_recording(stage.view, &error), &error);
  ald_view_release(view);
  ald_map_release(map);
}

int main(int argc, char **argv) {
  if (argc < 2 || !make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif")))
    return finish();
  CHECK_OK(ald_spatial_reference_create_from_code(stage.runtime, NULL, 4326, &degrees, &error), &error);
  test_texts();
  test_scales();
  test_extents();
  test_antimeridian();
  test_before_the_spatial_reference();
  test_full_extent();
  test_log();
  ald_spatial_reference_release(degrees);
  release_scene(&stage);
  return finish();
}

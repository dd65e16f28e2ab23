/* Moves, plans and constraints as a C host sees them: what is refused, and what a failure leaves alone. */
#include "check.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static scene stage;
static ald_spatial_reference degrees;

static ald_geometry geometry(const char *wkt, ald_spatial_reference reference) {
  ald_error error;
  ald_geometry made = {0};
  CHECK_OK(ald_geometry_create_from_wkt(stage.runtime, wkt, reference, &made, &error), &error);
  return made;
}

static ald_view_state state(void) {
  ald_error error;
  ald_view_state found = ALD_VIEW_STATE_INIT;
  CHECK_OK(ald_view_get_state(stage.view, &found, &error), &error);
  return found;
}

/* 200 by 100 DIP, north up: a square of 1000 m with 10 DIP of padding fills 80 DIP from top to bottom. */
static void test_fit(void) {
  ald_error error;
  ald_camera_plan plan = ALD_CAMERA_PLAN_INIT;
  const ald_insets padding = {10, 10, 10, 10};
  const ald_envelope box = {1000, 5000, 2000, 6000};
  CHECK_OK(ald_view_set_rotation(stage.view, 0, &error), &error);
  CHECK_OK(ald_view_zoom_to_envelope(stage.view, box, (ald_spatial_reference){0}, &padding, &plan, &error), &error);
  CHECK(fabs(plan.margins.top_dip - 10) < 1e-9 && fabs(plan.margins.bottom_dip - 10) < 1e-9);
  CHECK(fabs(plan.margins.left_dip - 60) < 1e-9 && fabs(plan.margins.right_dip - 60) < 1e-9);
  CHECK(fabs(state().units_per_dip - 1000.0 / 80) < 1e-9 && plan.clamps == 0);
  CHECK(fabs(state().center.x - 1500) < 1e-9 && fabs(state().center.y - 5500) < 1e-9);

  const ald_geometry point = geometry("POINT (7 8)", stage.spatial_reference);
  const double scale = state().scale;
  CHECK_OK(ald_view_zoom_to_geometry(stage.view, point, NULL, NULL, &error), &error);
  CHECK(state().center.x == 7 && state().center.y == 8 && state().scale == scale);
  ald_geometry_release(point);
}

static void test_plan_moves_nothing(void) {
  ald_error error;
  ald_camera_plan plan = ALD_CAMERA_PLAN_INIT, moved = ALD_CAMERA_PLAN_INIT;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_ROTATION;
  viewpoint.center = (ald_point){-93, 49};
  viewpoint.spatial_reference = degrees;
  viewpoint.rotation_deg = 350;
  const ald_view_state before = state();
  CHECK_OK(ald_view_plan_move(stage.view, &viewpoint, NULL, &plan, &error), &error);
  const ald_view_state after = state();
  CHECK(memcmp(&before, &after, sizeof before) == 0);
  CHECK(plan.turn_deg == -10 && isnan(plan.margins.top_dip));
  CHECK_OK(ald_view_move(stage.view, &viewpoint, NULL, &moved, &error), &error);
  CHECK(memcmp(&plan, &moved, sizeof plan) == 0);
  CHECK(state().center.x == plan.center.x && state().rotation_deg == 350);
  CHECK_OK(ald_view_set_rotation(stage.view, 0, &error), &error);
}

static void test_constraints(void) {
  ald_error error;
  ald_constraints constraints = ALD_CONSTRAINTS_INIT, known = ALD_CONSTRAINTS_INIT;
  ald_camera_plan plan = ALD_CAMERA_PLAN_INIT;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  constraints.flags = ALD_CONSTRAINTS_HAS_EXTENT | ALD_CONSTRAINTS_LOCK_ROTATION;
  constraints.min_scale = 1e6;
  constraints.max_scale = 1e3;
  constraints.max_extent = (ald_envelope){-124, 30, -113, 44};
  constraints.spatial_reference = degrees;
  constraints.extent_rule = ALD_EXTENT_RULE_CENTER;
  CHECK_OK(ald_view_set_constraints(stage.view, &constraints, &error), &error);
  CHECK_OK(ald_view_get_constraints(stage.view, &known, &error), &error);
  CHECK(known.flags == constraints.flags && known.min_scale == 1e6 && known.max_scale == 1e3);
  CHECK(known.extent_rule == ALD_EXTENT_RULE_CENTER && known.spatial_reference.id == 0);
  CHECK(fabs(known.max_extent.x_min + 124 * 20037508.342789244 / 180) < 1e-6);

  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE | ALD_VIEWPOINT_HAS_ROTATION;
  viewpoint.scale = 1e8;
  viewpoint.rotation_deg = 20;
  CHECK_OK(ald_view_move(stage.view, &viewpoint, NULL, &plan, &error), &error);
  CHECK(plan.clamps == (ALD_CAMERA_CLAMP_MIN_SCALE | ALD_CAMERA_CLAMP_EXTENT_X | ALD_CAMERA_CLAMP_EXTENT_Y |
                        ALD_CAMERA_CLAMP_ROTATION));
  CHECK(plan.scale == 1e6 && plan.rotation_deg == 0 && plan.wanted_scale == 1e8 && plan.wanted_rotation_deg == 20);
  CHECK(plan.center.x == known.max_extent.x_max && plan.center.y == known.max_extent.y_min);
  CHECK(plan.wanted_center.x == 0 && state().center.x == plan.center.x);

  CHECK_OK(ald_view_set_constraints(stage.view, NULL, &error), &error);
  CHECK_OK(ald_view_get_constraints(stage.view, &known, &error), &error);
  CHECK(known.flags == 0 && known.min_scale == 0 && known.max_scale == 0);
}

/* Each refusal leaves the view where it is. */
static void test_refusals(void) {
  ald_error error;
  ald_runtime other;
  ald_spatial_reference foreign;
  ald_geometry foreign_point, bad;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  ald_camera_plan plan = ALD_CAMERA_PLAN_INIT;
  const ald_spatial_reference none = {0};
  const ald_view_state before = state();
  const ald_envelope box = {0, 0, 10, 10};

  const ald_insets too_wide = {0, 150, 0, 50}, negative = {-1, 0, 0, 0}, unknown = {0, NAN, 0, 0};
  const ald_insets *paddings[] = {&too_wide, &negative, &unknown};
  for (int i = 0; i < 3; i++)
    CHECK_STATUS(ald_view_zoom_to_envelope(stage.view, box, none, paddings[i], &plan, &error),
                 ALD_STATUS_INVALID_ARGUMENT);
  const ald_envelope backwards = {0, 1, 1, 0}, infinite = {0, 0, INFINITY, 1};
  CHECK_STATUS(ald_view_zoom_to_envelope(stage.view, backwards, none, NULL, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2);
  CHECK_STATUS(ald_view_zoom_to_envelope(stage.view, infinite, none, NULL, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  const ald_envelope pole = {0, 90, 1, 90};
  CHECK_STATUS(ald_view_zoom_to_envelope(stage.view, pole, degrees, NULL, NULL, &error), ALD_STATUS_PROJECTION_FAILED);

  bad = geometry("POLYGON EMPTY", degrees);
  CHECK_STATUS(ald_view_zoom_to_geometry(stage.view, bad, NULL, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(strstr(error.message, "empty") != NULL);
  viewpoint.fields = ALD_VIEWPOINT_HAS_GEOMETRY;
  viewpoint.geometry = bad;
  CHECK_STATUS(ald_view_set_viewpoint(stage.view, &viewpoint, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_geometry_release(bad);
  CHECK_STATUS(ald_view_zoom_to_geometry(stage.view, bad, NULL, NULL, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_move(stage.view, &viewpoint, NULL, NULL, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_plan_move(stage.view, &viewpoint, NULL, &plan, &error), ALD_STATUS_INVALID_HANDLE);
  bad = geometry("POINT (1 2)", none);
  CHECK_STATUS(ald_view_zoom_to_geometry(stage.view, bad, NULL, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(strstr(error.message, "spatial reference") != NULL);
  viewpoint.geometry = bad;
  viewpoint.spatial_reference = degrees;
  CHECK_OK(ald_view_plan_move(stage.view, &viewpoint, NULL, &plan, &error), &error);
  CHECK(fabs(plan.center.x - 20037508.342789244 / 180) < 1e-6);
  viewpoint.fields |= ALD_VIEWPOINT_HAS_CENTER;
  CHECK_STATUS(ald_view_plan_move(stage.view, &viewpoint, NULL, &plan, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_move(stage.view, &viewpoint, NULL, &plan, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_geometry_release(bad);
  bad = geometry("LINESTRING (0 0, 0 90)", degrees);
  CHECK_STATUS(ald_view_zoom_to_geometry(stage.view, bad, NULL, NULL, &error), ALD_STATUS_PROJECTION_FAILED);
  viewpoint.fields = ALD_VIEWPOINT_HAS_GEOMETRY;
  viewpoint.geometry = bad;
  CHECK_STATUS(ald_view_move(stage.view, &viewpoint, NULL, NULL, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_view_plan_move(stage.view, &viewpoint, NULL, &plan, &error), ALD_STATUS_PROJECTION_FAILED);
  ald_geometry_release(bad);

  CHECK_OK(ald_runtime_create(NULL, &other, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(other, NULL, 3857, &foreign, &error), &error);
  CHECK_OK(ald_geometry_create_from_wkt(other, "POINT (1 2)", foreign, &foreign_point, &error), &error);
  CHECK_STATUS(ald_view_zoom_to_geometry(stage.view, foreign_point, NULL, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_zoom_to_envelope(stage.view, box, foreign, NULL, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_runtime_release(other);
  CHECK_STATUS(ald_view_zoom_to_envelope(stage.view, box, foreign, NULL, NULL, &error), ALD_STATUS_INVALID_HANDLE);

  ald_constraints constraints = ALD_CONSTRAINTS_INIT;
  constraints.min_scale = 10;
  constraints.max_scale = 20;
  CHECK_STATUS(ald_view_set_constraints(stage.view, &constraints, &error), ALD_STATUS_INVALID_ARGUMENT);
  constraints.min_scale = constraints.max_scale = 0;
  constraints.extent_rule = 2;
  CHECK_STATUS(ald_view_set_constraints(stage.view, &constraints, &error), ALD_STATUS_INVALID_ARGUMENT);
  constraints.extent_rule = 0;
  constraints.flags = ALD_CONSTRAINTS_HAS_EXTENT;
  CHECK_STATUS(ald_view_set_constraints(stage.view, &constraints, &error), ALD_STATUS_INVALID_ARGUMENT);
  constraints.max_extent = pole;
  constraints.spatial_reference = degrees;
  CHECK_STATUS(ald_view_set_constraints(stage.view, &constraints, &error), ALD_STATUS_PROJECTION_FAILED);
  constraints.spatial_reference = foreign;
  CHECK_STATUS(ald_view_set_constraints(stage.view, &constraints, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_get_constraints(stage.view, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_get_constraints((ald_view){0}, &constraints, &error), ALD_STATUS_INVALID_HANDLE);

  const ald_view_state after = state();
  CHECK(memcmp(&before, &after, sizeof before) == 0);
}

/* What is missing is named. */
static void test_not_ready(void) {
  ald_error error;
  ald_map map;
  ald_view view;
  ald_camera_plan plan = ALD_CAMERA_PLAN_INIT;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  ald_constraints constraints = ALD_CONSTRAINTS_INIT;
  const ald_envelope box = {0, 0, 10, 10}, dot = {3, 4, 3, 4};
  const ald_spatial_reference none = {0};
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER;
  constraints.flags = ALD_CONSTRAINTS_HAS_EXTENT;
  constraints.max_extent = box;
  CHECK_OK(ald_map_create(stage.runtime, none, &map, &error), &error);
  CHECK_OK(ald_view_create(map, NULL, &view, &error), &error);
  CHECK_STATUS(ald_view_move(view, &viewpoint, NULL, NULL, &error), ALD_STATUS_NOT_READY);
  CHECK(strstr(error.message, "spatial reference") != NULL);
  CHECK_STATUS(ald_view_set_constraints(view, &constraints, &error), ALD_STATUS_NOT_READY);
  ald_view_release(view);
  ald_map_release(map);

  CHECK_OK(ald_map_create(stage.runtime, stage.spatial_reference, &map, &error), &error);
  CHECK_OK(ald_view_create(map, NULL, &view, &error), &error);
  const ald_geometry point = geometry("POINT (1 2)", stage.spatial_reference);
  CHECK_STATUS(ald_view_zoom_to_envelope(view, box, none, NULL, NULL, &error), ALD_STATUS_NOT_READY);
  CHECK(strstr(error.message, "size") != NULL);
  CHECK_OK(ald_view_set_size(view, 100, 100, 1, &error), &error);
  CHECK_STATUS(ald_view_zoom_to_geometry(view, point, NULL, NULL, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_zoom_to_envelope(view, dot, none, NULL, NULL, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_plan_move(view, &viewpoint, NULL, &plan, &error), ALD_STATUS_NOT_READY);
  CHECK(strstr(error.message, "scale") != NULL);
  CHECK_OK(ald_view_zoom_to_envelope(view, box, none, NULL, NULL, &error), &error);
  CHECK_OK(ald_view_zoom_to_geometry(view, point, NULL, NULL, &error), &error);
  ald_geometry_release(point);
  ald_view_release(view);
  ald_map_release(map);
}

int main(int argc, char **argv) {
  ald_error error;
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    CHECK_OK(ald_spatial_reference_create_from_code(stage.runtime, NULL, 4326, &degrees, &error), &error);
    test_fit();
    test_plan_moves_nothing();
    test_constraints();
    test_refusals();
    test_not_ready();
    ald_spatial_reference_release(degrees);
    release_scene(&stage);
    ald_runtime_release(stage.runtime);
  }
  return finish();
}

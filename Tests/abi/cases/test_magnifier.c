/* Magnifiers as a C host sees them: what their view reads, what cannot move it, panning at the edge, and its log. */
#include "check.h"
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static scene stage;
static ald_magnifier magnifier;
static ald_view lens;

static ald_view_state state_of(ald_view view) {
  ald_error error;
  ald_view_state found = ALD_VIEW_STATE_INIT;
  CHECK_OK(ald_view_get_state(view, &found, &error), &error);
  return found;
}

static ald_magnifier_state standing(void) {
  ald_error error;
  ald_magnifier_state found = ALD_MAGNIFIER_STATE_INIT;
  CHECK_OK(ald_magnifier_get_state(magnifier, &found, &error), &error);
  return found;
}

static int near(double a, double b) {
  return fabs(a - b) < 1e-6;
}

static void advance(double seconds) {
  ald_error error;
  CHECK_OK(ald_view_advance(stage.view, seconds, &error), &error);
}

static size_t drain(ald_event *events, size_t capacity) {
  ald_error error;
  size_t count = 0, kept = 0;
  CHECK_OK(ald_runtime_poll_events(stage.runtime, events, capacity, &count, &error), &error);
  for (size_t i = 0; i < count; i++)
    if (events[i].kind >= ALD_EVENT_KIND_NAVIGATION_BEGAN && events[i].kind <= ALD_EVENT_KIND_DID_END_ROTATING)
      events[kept++] = events[i];
  return kept;
}

/* Hidden at first: nothing can be read through it, and its state says so. */
static void test_hidden(void) {
  ald_error error;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  double point[2] = {1, 2};
  const ald_magnifier_state now = standing();
  CHECK(now.is_shown == 0 && now.is_panning == 0 && isnan(now.box_dip.x_min) && isnan(now.finger_point.x));
  CHECK_STATUS(ald_view_get_state(lens, &state, &error), ALD_STATUS_NOT_READY);
  CHECK(holds_text(error.message, "hidden"));
  CHECK_STATUS(ald_magnifier_to_view(magnifier, point, 0, 1, point, 0, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_magnifier_from_view(magnifier, point, 0, 1, point, 0, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_advance(lens, 1, &error), ALD_STATUS_OK);
}

/* The camera: three times as near, turned as the view is, with the finger's point in its middle. */
static void test_camera(void) {
  ald_error error;
  const ald_point finger = {130, 60};
  CHECK_OK(ald_view_set_rotation(stage.view, 30, &error), &error);
  CHECK_OK(ald_magnifier_show_at(magnifier, finger, &error), &error);
  const ald_view_state base = state_of(stage.view), near_view = state_of(lens);
  CHECK(near(near_view.scale * 3, base.scale) && near_view.rotation_deg == base.rotation_deg);
  CHECK(near_view.width_dip == 40 && near_view.height_dip == 30);
  CHECK(near_view.anchor_dip.x == 20 && near_view.anchor_dip.y == 15);
  CHECK(near(near_view.units_per_dip * 3, base.units_per_dip));
  const double angle = base.rotation_deg * 3.14159265358979323846 / 180;
  const double dx = finger.x - base.anchor_dip.x, dy = finger.y - base.anchor_dip.y;
  CHECK(near(near_view.center.x, base.center.x + base.units_per_dip * (dx * cos(angle) - dy * sin(angle))));
  CHECK(near(near_view.center.y, base.center.y - base.units_per_dip * (dx * sin(angle) + dy * cos(angle))));
  const ald_magnifier_state now = standing();
  CHECK(now.is_shown == 1 && now.finger_point.x == 130 && now.target_point.y == 60);
  CHECK(now.map_point.x == near_view.center.x && now.map_point.y == near_view.center.y);
  /* The 30 DIP and the lift of 10 fit above the finger. */
  CHECK(near(now.box_dip.x_min, 110) && near(now.box_dip.y_min, 20) && near(now.box_dip.y_max, 50));

  double points[6] = {20, 15, 35, 15, NAN, 0}, back[6];
  CHECK_OK(ald_magnifier_to_view(magnifier, points, 0, 3, back, 0, &error), &error);
  CHECK(near(back[0], 130) && near(back[1], 60) && near(back[2], 135) && near(back[3], 60) && isnan(back[4]));
  CHECK_OK(ald_magnifier_from_view(magnifier, back, 0, 3, back, 0, &error), &error);
  CHECK(near(back[0], 20) && near(back[1], 15) && near(back[2], 35) && near(back[3], 15));
  CHECK_STATUS(ald_magnifier_to_view(magnifier, NULL, 0, 1, back, 0, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_magnifier_from_view(magnifier, back, 8, 1, back, 0, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_magnifier_to_view(magnifier, back, 0, SIZE_MAX / 32, back, 0, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_magnifier_from_view(magnifier, back, 0, SIZE_MAX / 32, back, 0, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_OK(ald_view_set_rotation(stage.view, 0, &error), &error);
}

/* Each pixel of the magnifier's picture is the cell that identify finds there, and that the view finds where it lies.
 */
static void test_reading(void) {
  ald_error error;
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  ald_cell cell, same;
  ald_identify_result result;
  ald_identify_result_info info = ALD_IDENTIFY_RESULT_INFO_INIT;
  ald_identify_cell element = ALD_IDENTIFY_CELL_INIT;
  int32_t columns = 0, rows = 0;
  static uint8_t verdicts[40 * 30];
  static double values[40 * 30];
  CHECK_OK(ald_magnifier_show_at(magnifier, (ald_point){100.3, 50.2}, &error), &error);
  CHECK_OK(ald_view_grid_size(lens, NULL, &columns, &rows, &error), &error);
  CHECK(columns == 40 && rows == 30);
  CHECK_OK(ald_view_read_values(lens, stage.layer, &grid, 1, values, 0, sizeof values, verdicts, &error), &error);
  int value_count = 0;
  for (int i = 0; i < 40 * 30; i += 7) {
    const ald_point at = {i % 40 + 0.5, i / 40 + 0.5};
    double there[2] = {at.x, at.y};
    ald_band_value value;
    CHECK_OK(ald_view_read_cell(lens, stage.layer, at, &cell, &value, 1, &error), &error);
    CHECK(cell.verdict == verdicts[i] && (cell.verdict != ALD_CELL_VERDICT_VALUE || value.value == values[i]));
    CHECK_OK(ald_magnifier_to_view(magnifier, there, 0, 1, there, 0, &error), &error);
    CHECK_OK(ald_view_read_cell(stage.view, stage.layer, (ald_point){there[0], there[1]}, &same, NULL, 0, &error),
             &error);
    CHECK(abs(same.column - cell.column) <= 1 && abs(same.row - cell.row) <= 1);
    value_count += cell.verdict == ALD_CELL_VERDICT_VALUE;
  }
  CHECK(value_count > 100);
  CHECK_OK(ald_view_read_cell(lens, stage.layer, (ald_point){3.25, 20.75}, &cell, NULL, 0, &error), &error);
  CHECK_OK(ald_view_identify_layer(lens, stage.layer, (ald_point){3.25, 20.75}, 5, 0, NULL, &result, &error), &error);
  CHECK_OK(ald_identify_result_get_info(result, &info, &error), &error);
  CHECK(info.element_count == 1);
  CHECK_OK(ald_identify_result_get_cell_at(result, 0, &element, &error), &error);
  CHECK(element.column == cell.column && element.row == cell.row);
  ald_identify_result_release(result);
}

/* What moves a view, or says what may move it, is refused by a magnifier's. */
static void test_cannot_be_moved(void) {
  ald_error error;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  ald_camera_plan plan = ALD_CAMERA_PLAN_INIT;
  ald_geometry point, area;
  ald_gesture tap = ALD_GESTURE_INIT;
  const ald_spatial_reference none = {0};
  const ald_envelope box = {0, 0, 10, 10};
  const ald_point here = {5, 5};
  viewpoint.fields = ALD_VIEWPOINT_HAS_SCALE;
  viewpoint.scale = 5000;
  tap.kind = ALD_GESTURE_KIND_TAP;
  CHECK_OK(ald_geometry_create_from_wkt(stage.runtime, "POINT (1 2)", stage.spatial_reference, &point, &error), &error);
  const ald_view_state before = state_of(lens);
  const ald_status refused = ALD_STATUS_INVALID_STATE;
  CHECK_STATUS(ald_view_set_size(lens, 10, 10, 0, &error), refused);
  CHECK(holds_text(error.message, "magnifier"));
  CHECK_STATUS(ald_view_set_insets(lens, NULL, &error), refused);
  CHECK_STATUS(ald_view_set_viewpoint(lens, &viewpoint, &error), refused);
  CHECK_STATUS(ald_view_set_center(lens, here, none, &error), refused);
  CHECK_STATUS(ald_view_set_scale(lens, 1000, &error), refused);
  CHECK_STATUS(ald_view_set_rotation(lens, 10, &error), refused);
  CHECK_STATUS(ald_view_set_constraints(lens, NULL, &error), refused);
  CHECK_STATUS(ald_view_move(lens, &viewpoint, NULL, NULL, &error), refused);
  CHECK_STATUS(ald_view_plan_move(lens, &viewpoint, NULL, &plan, &error), refused);
  CHECK_STATUS(ald_view_zoom_to_envelope(lens, box, none, NULL, NULL, &error), refused);
  CHECK_STATUS(ald_view_zoom_to_geometry(lens, point, NULL, NULL, &error), refused);
  CHECK_STATUS(ald_view_handle_touch(lens, 1, ALD_TOUCH_PHASE_BEGAN, here, 0, &error), refused);
  CHECK_STATUS(ald_view_handle_gesture(lens, &tap, &error), refused);
  CHECK_STATUS(ald_view_handle_wheel(lens, here, 1, &error), refused);
  CHECK_STATUS(ald_view_handle_key(lens, ALD_KEY_LEFT, &error), refused);
  CHECK_STATUS(ald_view_animate_to(lens, &viewpoint, NULL, NULL, &error), refused);
  CHECK_STATUS(ald_view_set_interaction_options(lens, NULL, &error), refused);
  CHECK_STATUS(ald_view_start_recording(lens, &error), refused);
  CHECK_STATUS(ald_view_replay(lens, "alidade-navigation 1\n", 0, 1, NULL, &error), refused);
  CHECK_STATUS(ald_view_create_visible_area(lens, &viewpoint, &area, &error), refused);
  CHECK_OK(ald_view_create_visible_area(lens, NULL, &area, &error), &error);
  const ald_view_state after = state_of(lens);
  CHECK(memcmp(&before, &after, sizeof before) == 0);
  ald_geometry_release(area);
  ald_geometry_release(point);
}

/* A finger 10 DIP from the right side, of an edge of 20, pans at half of 100 DIP/s until it goes, with events. */
static void test_panning(void) {
  ald_error error;
  ald_event events[64];
  ald_interaction_options interaction = ALD_INTERACTION_OPTIONS_INIT;
  const ald_point at_side = {190, 50}, inside = {150, 50};
  CHECK_OK(ald_magnifier_show_at(magnifier, inside, &error), &error);
  drain(events, 64);
  const ald_view_state before = state_of(stage.view);
  CHECK_OK(ald_magnifier_show_at(magnifier, at_side, &error), &error);
  CHECK(standing().is_panning == 1);
  advance(0.25);
  advance(0.75);
  const ald_view_state after = state_of(stage.view);
  CHECK(near(after.center.x - before.center.x, 50 * before.units_per_dip) && after.center.y == before.center.y);
  /* What lies under the still finger has changed with the map. */
  CHECK(near(standing().map_point.x - after.center.x, 90 * after.units_per_dip));
  CHECK_OK(ald_magnifier_show_at(magnifier, inside, &error), &error);
  CHECK(standing().is_panning == 0);
  advance(1);
  CHECK(state_of(stage.view).center.x == after.center.x);
  CHECK(drain(events, 64) == 3);
  CHECK(events[0].kind == ALD_EVENT_KIND_NAVIGATION_BEGAN && events[1].kind == ALD_EVENT_KIND_DID_END_PANNING);
  CHECK(events[2].kind == ALD_EVENT_KIND_NAVIGATION_ENDED && events[2].status == ALD_STATUS_OK);
  CHECK(events[0].cause == ALD_NAVIGATION_CAUSE_GESTURE && events[0].gesture == ALD_GESTURE_KIND_LONG_PRESS);

  /* Hiding ends it, and so does another magnifier's coming; a call interrupts it. */
  CHECK_OK(ald_magnifier_show_at(magnifier, at_side, &error), &error);
  CHECK_OK(ald_magnifier_hide(magnifier, &error), &error);
  const ald_view_state hidden = state_of(stage.view);
  advance(1);
  CHECK(state_of(stage.view).center.x == hidden.center.x);
  CHECK(drain(events, 64) == 2 && events[1].status == ALD_STATUS_OK);
  CHECK_OK(ald_magnifier_show_at(magnifier, at_side, &error), &error);
  CHECK_OK(ald_view_set_center(stage.view, before.center, stage.spatial_reference, &error), &error);
  CHECK(standing().is_panning == 0);

  /* Not where it is forbidden. */
  const ald_interaction_flags forbidding[] = {ALD_INTERACTION_NO_PAN, ALD_INTERACTION_NO_MAGNIFIER_PAN,
                                              ALD_INTERACTION_OFF};
  for (int i = 0; i < 3; i++) {
    CHECK_OK(ald_magnifier_show_at(magnifier, at_side, &error), &error);
    CHECK(standing().is_panning == 1);
    interaction.flags = forbidding[i];
    CHECK_OK(ald_view_set_interaction_options(stage.view, &interaction, &error), &error);
    CHECK(standing().is_panning == 0);
    CHECK_OK(ald_magnifier_show_at(magnifier, at_side, &error), &error);
    const ald_view_state still = state_of(stage.view);
    advance(1);
    CHECK(standing().is_panning == 0 && state_of(stage.view).center.x == still.center.x);
    CHECK_OK(ald_view_set_interaction_options(stage.view, NULL, &error), &error);
  }
  CHECK_OK(ald_magnifier_hide(magnifier, &error), &error);
}

/* A log of a view whose magnifier pans leads another view to the same camera. */
static void test_log(void) {
  static char log[65536];
  ald_error error;
  ald_view other;
  size_t size = 0;
  CHECK_OK(ald_view_start_recording(stage.view, &error), &error);
  for (int i = 0; i < 60; i++) {
    CHECK_OK(ald_magnifier_show_at(magnifier, (ald_point){150 + i, 60 + 0.7 * i}, &error), &error);
    advance(1.0 / 60);
  }
  CHECK_OK(ald_magnifier_hide(magnifier, &error), &error);
  advance(0.5);
  CHECK_OK(ald_view_get_recording(stage.view, log, sizeof log, &size, &error), &error);
  CHECK_OK(ald_view_stop_recording(stage.view, &error), &error);
  CHECK(strstr(log, "drift -") != NULL && strstr(log, "drift 0.0 0.0\n") != NULL);
  CHECK_OK(ald_view_create(stage.map, NULL, &other, &error), &error);
  CHECK_OK(ald_view_replay(other, log, 0, ALD_ALL, NULL, &error), &error);
  const ald_view_state here = state_of(stage.view), there = state_of(other);
  CHECK(memcmp(&here.center, &there.center, sizeof here.center) == 0 && here.scale == there.scale);
  CHECK_STATUS(ald_view_replay(other, "alidade-navigation 1\nmap 1.0 40075016.68557849\ndrift 1e10 0\n", 0, ALD_ALL,
                               NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  ald_view_release(other);
}

/* A view shows one at a time; a callout of the view goes round it. */
static void test_box(void) {
  ald_error error;
  ald_magnifier second;
  ald_callout callout;
  ald_callout_options options = ALD_CALLOUT_OPTIONS_INIT;
  ald_callout_layout layout = ALD_CALLOUT_LAYOUT_INIT;
  ald_magnifier_state other = ALD_MAGNIFIER_STATE_INIT;
  CHECK_OK(ald_magnifier_create(stage.view, NULL, &second, &error), &error);
  CHECK_OK(ald_magnifier_show_at(magnifier, (ald_point){100, 70}, &error), &error);
  options.width_dip = 50;
  options.height_dip = 20;
  CHECK_OK(ald_callout_create(stage.view, &options, &callout, &error), &error);
  const ald_view_state now = state_of(stage.view);
  CHECK_OK(ald_callout_show_at(callout, now.center, (ald_spatial_reference){0}, NULL, "x", 0, &error), &error);
  CHECK_OK(ald_callout_get_layout(callout, &layout, &error), &error);
  const ald_envelope box = standing().box_dip;
  CHECK(layout.box_dip.x_max <= box.x_min + 1e-6 || layout.box_dip.x_min >= box.x_max - 1e-6 ||
        layout.box_dip.y_max <= box.y_min + 1e-6 || layout.box_dip.y_min >= box.y_max - 1e-6);
  /* Hidden again, the callout is where it would be without. */
  CHECK_OK(ald_magnifier_hide(magnifier, &error), &error);
  CHECK_OK(ald_callout_get_layout(callout, &layout, &error), &error);
  CHECK(layout.placement == ALD_CALLOUT_PLACEMENT_ABOVE && near(layout.box_dip.y_max, 50));

  CHECK_OK(ald_magnifier_show_at(magnifier, (ald_point){10, 10}, &error), &error);
  /* The box does not fit above the finger and is shown below; it is kept off the left side. */
  CHECK(near(standing().box_dip.y_min, 20) && standing().box_dip.x_min == 0);
  CHECK_OK(ald_magnifier_show_at(second, (ald_point){-1e6, 1e7}, &error), &error);
  CHECK_OK(ald_magnifier_get_state(second, &other, &error), &error);
  CHECK(standing().is_shown == 0 && other.is_shown == 1);
  CHECK(other.finger_point.x == -1e6 && other.target_point.x == 0 && other.target_point.y == 100);
  ald_magnifier_release(second);
  ald_callout_release(callout);
}

static void test_refusals(void) {
  ald_error error;
  ald_map map;
  ald_view unready;
  ald_magnifier made;
  ald_magnifier_options options = ALD_MAGNIFIER_OPTIONS_INIT;
  const double wrong[] = {NAN, INFINITY, -1, 1e5};
  for (int i = 0; i < 4; i++) {
    double *const fields[] = {&options.factor,   &options.width_dip, &options.height_dip,
                              &options.lift_dip, &options.edge_dip,  &options.pan_speed_dip_s};
    for (int k = 0; k < 6; k++) {
      *fields[k] = wrong[i];
      CHECK_STATUS(ald_magnifier_create(stage.view, &options, &made, &error), ALD_STATUS_INVALID_ARGUMENT);
      CHECK(error.argument == 2 && made.id == 0);
      CHECK_STATUS(ald_magnifier_set_options(magnifier, &options, &error), ALD_STATUS_INVALID_ARGUMENT);
      *fields[k] = 0;
    }
    if (i != 2) {
      CHECK_STATUS(ald_magnifier_show_at(magnifier, (ald_point){0, wrong[i] * 1e3}, &error),
                   ALD_STATUS_INVALID_ARGUMENT);
      CHECK(error.argument == 2);
    }
  }
  CHECK_STATUS(ald_magnifier_create(lens, NULL, &made, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 1 && holds_text(error.message, "magnifier"));
  CHECK_OK(ald_map_create(stage.runtime, stage.spatial_reference, &map, &error), &error);
  CHECK_OK(ald_view_create(map, NULL, &unready, &error), &error);
  CHECK_OK(ald_magnifier_create(unready, NULL, &made, &error), &error);
  CHECK_STATUS(ald_magnifier_show_at(made, (ald_point){1, 1}, &error), ALD_STATUS_NOT_READY);
  CHECK(error.argument == 0);
  ald_magnifier_release(made);
  ald_view_release(unready);
  ald_map_release(map);
}

int main(int argc, char **argv) {
  ald_error error;
  ald_magnifier_options options = ALD_MAGNIFIER_OPTIONS_INIT;
  options.factor = 3;
  options.width_dip = 40;
  options.height_dip = 30;
  options.lift_dip = 10;
  options.edge_dip = 20;
  options.pan_speed_dip_s = 100;
  if (argc < 2 || !make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif")))
    return finish();
  CHECK_OK(ald_magnifier_create(stage.view, &options, &magnifier, &error), &error);
  CHECK_OK(ald_magnifier_get_view(magnifier, &lens, &error), &error);
  test_hidden();
  test_camera();
  test_reading();
  test_cannot_be_moved();
  test_panning();
  test_log();
  test_box();
  test_refusals();
  /* The borrowed view ends with the magnifier. */
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_magnifier_release(magnifier);
  CHECK_STATUS(ald_view_get_state(lens, &state, &error), ALD_STATUS_INVALID_HANDLE);
  release_scene(&stage);
  return finish();
}

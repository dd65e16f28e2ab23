/* What views and snapshots say, as a C host sees it: snapshots stay, and what is missing or nowhere is an error. */
#include "check.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static scene stage;

/* A view of 200 by 100 DIP on a map in a spatial reference, at (0, 0) and one metre per DIP times a factor. */
static ald_view view_on(const char *definition, double metres_per_dip) {
  ald_error error;
  ald_spatial_reference reference;
  ald_map map;
  ald_view view = {0};
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = 200;
  options.height_dip = 100;
  CHECK_OK(ald_spatial_reference_create(stage.runtime, definition, &reference, &error), &error);
  CHECK_OK(ald_map_create(stage.runtime, reference, &map, &error), &error);
  CHECK_OK(ald_view_create(map, &options, &view, &error), &error);
  CHECK_OK(ald_view_set_center(view, (ald_point){0, 0}, (ald_spatial_reference){0}, &error), &error);
  CHECK_OK(ald_view_set_scale(view, metres_per_dip * 96 / 0.0254, &error), &error);
  ald_map_release(map);
  ald_spatial_reference_release(reference);
  return view;
}

static void test_snapshots_stay(void) {
  ald_error error;
  ald_view_snapshot snapshot;
  ald_view_state before = ALD_VIEW_STATE_INIT, kept = ALD_VIEW_STATE_INIT;
  ald_envelope box, kept_box;
  ald_ground_resolution ground = ALD_GROUND_RESOLUTION_INIT, kept_ground = ALD_GROUND_RESOLUTION_INIT;
  ald_scale_bar bar = ALD_SCALE_BAR_INIT, kept_bar = ALD_SCALE_BAR_INIT;
  double screen[2] = {10, 20}, map_point[2], kept_point[2], back[2];
  int64_t first = 9, last = 9;
  ald_view view = view_on("EPSG:3857", 1);
  CHECK_OK(ald_view_set_rotation(view, 30, &error), &error);
  CHECK_OK(ald_view_get_state(view, &before, &error), &error);
  CHECK_OK(ald_view_get_envelope(view, &box, &error), &error);
  CHECK_OK(ald_view_screen_to_map(view, screen, 0, 1, map_point, 0, &error), &error);
  CHECK_OK(ald_view_ground_resolution(view, SCENE_MIDDLE, &ground, &error), &error);
  CHECK_OK(ald_view_scale_bar(view, SCENE_MIDDLE, 100, ALD_UNIT_SYSTEM_METRIC, &bar, &error), &error);
  CHECK_OK(ald_view_create_snapshot(view, &snapshot, &error), &error);
  CHECK_OK(ald_view_set_center(view, (ald_point){1e6, 2e6}, (ald_spatial_reference){0}, &error), &error);
  ald_view_release(view);

  CHECK_OK(ald_view_snapshot_get_state(snapshot, &kept, &error), &error);
  CHECK(memcmp(&before, &kept, sizeof kept) == 0);
  CHECK_OK(ald_view_snapshot_get_envelope(snapshot, &kept_box, &error), &error);
  CHECK(memcmp(&box, &kept_box, sizeof box) == 0);
  /* 200 by 100 m, turned by 30 degrees: the box is 200 cos 30 + 100 sin 30 wide. */
  CHECK(fabs(box.x_max - box.x_min - (200 * sqrt(0.75) + 50)) < 1e-9);
  CHECK_OK(ald_view_snapshot_screen_to_map(snapshot, screen, 0, 1, kept_point, 0, &error), &error);
  CHECK(memcmp(map_point, kept_point, sizeof map_point) == 0);
  CHECK_OK(ald_view_snapshot_map_to_screen(snapshot, kept_point, 0, 1, back, 0, &error), &error);
  CHECK(fabs(back[0] - 10) < 1e-9 && fabs(back[1] - 20) < 1e-9);
  CHECK_OK(ald_view_snapshot_ground_resolution(snapshot, SCENE_MIDDLE, &kept_ground, &error), &error);
  CHECK(memcmp(&ground, &kept_ground, sizeof ground) == 0);
  CHECK_OK(ald_view_snapshot_scale_bar(snapshot, SCENE_MIDDLE, 100, ALD_UNIT_SYSTEM_METRIC, &kept_bar, &error), &error);
  CHECK(memcmp(&bar, &kept_bar, sizeof bar) == 0);
  CHECK(bar.unit == ALD_UNIT_METRE && bar.length == 50);
  CHECK_OK(ald_view_snapshot_get_world_copies(snapshot, &first, &last, &error), &error);
  CHECK(first == 0 && last == 0);
  ald_view_snapshot_release(snapshot);
  ald_view_snapshot_release(snapshot);
  CHECK_STATUS(ald_view_snapshot_get_state(snapshot, &kept, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_snapshot_get_envelope(snapshot, &box, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_snapshot_get_world_copies(snapshot, &first, &last, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_snapshot_ground_resolution(snapshot, SCENE_MIDDLE, &ground, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_snapshot_scale_bar(snapshot, SCENE_MIDDLE, 9, 1, &bar, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_snapshot_screen_to_map(snapshot, screen, 0, 1, back, 0, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_snapshot_map_to_screen(snapshot, screen, 0, 1, back, 0, &error), ALD_STATUS_INVALID_HANDLE);
}

static void test_not_ready(void) {
  ald_error error;
  ald_map map;
  ald_view view;
  ald_view_snapshot snapshot = {7};
  ald_envelope box;
  ald_ground_resolution ground = ALD_GROUND_RESOLUTION_INIT;
  ald_scale_bar bar = ALD_SCALE_BAR_INIT;
  int64_t first, last;
  CHECK_OK(ald_map_create(stage.runtime, stage.spatial_reference, &map, &error), &error);
  CHECK_OK(ald_view_create(map, NULL, &view, &error), &error);
  CHECK_STATUS(ald_view_create_snapshot(view, &snapshot, &error), ALD_STATUS_NOT_READY);
  CHECK(snapshot.id == 0 && strstr(error.message, "size") != NULL);
  CHECK_OK(ald_view_set_size(view, 100, 100, 1, &error), &error);
  CHECK_STATUS(ald_view_get_envelope(view, &box, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_get_world_copies(view, &first, &last, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_ground_resolution(view, SCENE_MIDDLE, &ground, &error), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_scale_bar(view, SCENE_MIDDLE, 10, 1, &bar, &error), ALD_STATUS_NOT_READY);
  CHECK(strstr(error.message, "centre") != NULL);
  ald_view_release(view);
  CHECK_STATUS(ald_view_create_snapshot(view, &snapshot, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_get_envelope(view, &box, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_get_world_copies(view, &first, &last, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_ground_resolution(view, SCENE_MIDDLE, &ground, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_scale_bar(view, SCENE_MIDDLE, 10, 1, &bar, &error), ALD_STATUS_INVALID_HANDLE);
  ald_map_release(map);
}

/* Outside the globe there is no ground, and a planet that is too flat has no exact geodesics. */
static void test_no_ground(void) {
  ald_error error;
  ald_view_snapshot snapshot;
  ald_ground_resolution ground = ALD_GROUND_RESOLUTION_INIT;
  ald_scale_bar bar = ALD_SCALE_BAR_INIT;
  const ald_point beside = {190, 50};
  ald_view globe = view_on("+proj=ortho +lat_0=0 +lon_0=0 +a=6378137 +b=6378137 +type=crs", 1e5);
  CHECK_OK(ald_view_ground_resolution(globe, SCENE_MIDDLE, &ground, &error), &error);
  CHECK(fabs(ground.x_m - 1e5) < 1e-4 && fabs(ground.y_m - 1e5) < 1e-4);
  CHECK_STATUS(ald_view_ground_resolution(globe, beside, &ground, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_view_scale_bar(globe, beside, 50, 1, &bar, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK_OK(ald_view_create_snapshot(globe, &snapshot, &error), &error);
  CHECK_STATUS(ald_view_snapshot_ground_resolution(snapshot, beside, &ground, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_view_snapshot_scale_bar(snapshot, beside, 50, 1, &bar, &error), ALD_STATUS_PROJECTION_FAILED);
  ald_view_snapshot_release(snapshot);
  ald_view_release(globe);

  ald_view saturn = view_on("+proj=longlat +a=60268000 +b=54364000 +type=crs", 1e5);
  CHECK_STATUS(ald_view_ground_resolution(saturn, SCENE_MIDDLE, &ground, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_view_scale_bar(saturn, SCENE_MIDDLE, 50, 1, &bar, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_OK(ald_view_create_snapshot(saturn, &snapshot, &error), &error);
  CHECK_STATUS(ald_view_snapshot_ground_resolution(snapshot, SCENE_MIDDLE, &ground, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_view_snapshot_scale_bar(snapshot, SCENE_MIDDLE, 50, 1, &bar, &error), ALD_STATUS_UNSUPPORTED);
  ald_view_snapshot_release(snapshot);
  ald_view_release(saturn);
}

static void test_refusals(void) {
  ald_error error;
  ald_view_snapshot snapshot;
  ald_ground_resolution ground = ALD_GROUND_RESOLUTION_INIT;
  ald_scale_bar bar = ALD_SCALE_BAR_INIT;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  int64_t first, last;
  double xy[2] = {1, 2};
  const ald_point nowhere = {NAN, 0};
  CHECK_OK(ald_view_create_snapshot(stage.view, &snapshot, &error), &error);
  CHECK_STATUS(ald_view_create_snapshot(stage.view, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_get_envelope(stage.view, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_snapshot_get_envelope(snapshot, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_get_world_copies(stage.view, NULL, &last, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_snapshot_get_world_copies(snapshot, &first, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_ground_resolution(stage.view, nowhere, &ground, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_snapshot_ground_resolution(snapshot, nowhere, &ground, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_scale_bar(stage.view, SCENE_MIDDLE, 0, 1, &bar, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_scale_bar(stage.view, SCENE_MIDDLE, 50, 0, &bar, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_snapshot_scale_bar(snapshot, SCENE_MIDDLE, 50, 3, &bar, &error), ALD_STATUS_INVALID_ARGUMENT);
  state.struct_size = 1;
  CHECK_STATUS(ald_view_snapshot_get_state(snapshot, &state, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_snapshot_screen_to_map(snapshot, NULL, 0, 1, xy, 0, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_snapshot_map_to_screen(snapshot, xy, 8, 1, xy, 0, &error), ALD_STATUS_INVALID_ARGUMENT);
  const size_t many = (size_t)1 << 40;
  CHECK_STATUS(ald_view_snapshot_screen_to_map(snapshot, xy, 0, many, xy, 0, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_view_snapshot_map_to_screen(snapshot, xy, 0, many, xy, 0, &error), ALD_STATUS_LIMIT_EXCEEDED);
  ald_view_snapshot_release(snapshot);
}

int main(int argc, char **argv) {
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    test_snapshots_stay();
    test_not_ready();
    test_no_ground();
    test_refusals();
    release_scene(&stage);
    ald_runtime_release(stage.runtime);
  }
  return finish();
}

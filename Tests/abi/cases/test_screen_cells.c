/* A raster layer as a picture that is not waited for: the same pixels, the newest view wins, and progress. */
#include "blocker.h"
#include "scene.h"

#include <string.h>

enum { WIDTH = 200, HEIGHT = 100 };

static scene stage;

static ald_request begin(const ald_request_options *options) {
  ald_error error;
  ald_request request = {0};
  CHECK_OK(ald_view_create_screen_picture_async(stage.view, stage.layer, NULL, options, &request, &error), &error);
  return request;
}

static ald_screen_picture take(ald_request request) {
  ald_error error;
  ald_request_state state = ALD_REQUEST_STATE_PENDING;
  ald_screen_picture picture = {0};
  CHECK_OK(ald_request_wait(request, 10000, &state, &error), &error);
  CHECK(state == ALD_REQUEST_STATE_SUCCEEDED);
  CHECK_OK(ald_request_take_screen_picture(request, &picture, &error), &error);
  return picture;
}

static void test_pixels_are_the_same(void) {
  ald_error error;
  uint8_t pixels[WIDTH * HEIGHT * 4], verdicts[WIDTH * HEIGHT];
  ald_screen_pixels found = ALD_SCREEN_PIXELS_INIT;
  const uint64_t before = live_handles(stage.runtime);
  CHECK_OK(ald_view_read_rgba(stage.view, stage.layer, NULL, pixels, 0, sizeof pixels, verdicts, &error), &error);
  const ald_request request = begin(NULL);
  /* The picture is of the view as it was when the request began. */
  ald_viewpoint away = ALD_VIEWPOINT_INIT, back = ALD_VIEWPOINT_INIT;
  CHECK_OK(ald_view_get_viewpoint(stage.view, &back, &error), &error);
  away.fields = ALD_VIEWPOINT_HAS_CENTER;
  away.center = (ald_point){0, 0};
  CHECK_OK(ald_view_set_viewpoint(stage.view, &away, &error), &error);
  const ald_screen_picture picture = take(request);
  CHECK_OK(ald_view_set_viewpoint(stage.view, &back, &error), &error);
  CHECK_OK(ald_screen_picture_get_pixels(picture, &found, &error), &error);
  CHECK(found.columns == WIDTH && found.rows == HEIGHT && found.lacking_count == 0);
  CHECK(memcmp(found.rgba, pixels, sizeof pixels) == 0 && memcmp(found.verdicts, verdicts, sizeof verdicts) == 0);
  /* Taken once. */
  ald_screen_picture again = {1};
  CHECK_STATUS(ald_request_take_screen_picture(request, &again, NULL), ALD_STATUS_INVALID_STATE);
  CHECK(again.id == 0);
  ald_request_release(request);
  CHECK(memcmp(found.rgba, pixels, sizeof pixels) == 0);
  ald_screen_picture_release(picture);
  ald_screen_picture_release(picture);
  CHECK_STATUS(ald_screen_picture_get_pixels(picture, &found, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK(live_handles(stage.runtime) == before);
}

static void test_the_newest_view_wins(void) {
  blocker blocker;
  ald_request requests[4];
  ald_request_options keyed = ALD_REQUEST_OPTIONS_INIT;
  ald_screen_picture none = {1};
  keyed.replace_key = 5;
  if (!block_workers(&blocker, stage.runtime, NULL))
    return;
  requests[0] = begin(NULL);
  requests[1] = begin(&keyed);
  requests[2] = begin(NULL);
  requests[3] = begin(&keyed);
  for (int i = 0; i < 4; i++)
    CHECK(state_of(requests[i]) == (i < 2 ? ALD_REQUEST_STATE_CANCELLED : ALD_REQUEST_STATE_PENDING));
  CHECK_STATUS(ald_request_take_screen_picture(requests[0], &none, NULL), ALD_STATUS_CANCELLED);
  CHECK_STATUS(ald_request_take_screen_picture(requests[2], &none, NULL), ALD_STATUS_NOT_READY);
  CHECK(none.id == 0);
  unblock_workers(&blocker);
  for (int i = 0; i < 4; i++) {
    if (i >= 2)
      ald_screen_picture_release(take(requests[i]));
    ald_request_release(requests[i]);
  }
  end_blocker(&blocker);
}

static void test_what_is_refused(void) {
  ald_error error;
  ald_request request = {1};
  ald_screen_picture picture = {1};
  ald_identify_result result = {1};
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  ald_layer stranger;
  ald_fetch_progress progress = ALD_FETCH_PROGRESS_INIT;
  CHECK_STATUS(ald_view_create_screen_picture_async(stage.view, stage.layer, NULL, NULL, NULL, NULL),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_create_screen_picture_async((ald_view){0}, stage.layer, NULL, NULL, &request, NULL),
               ALD_STATUS_INVALID_HANDLE);
  CHECK(request.id == 0);
  grid.columns = -1;
  CHECK_STATUS(ald_view_create_screen_picture_async(stage.view, stage.layer, &grid, NULL, &request, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_raster_layer_create(stage.raster, &stranger, &error), &error);
  CHECK_STATUS(ald_view_create_screen_picture_async(stage.view, stranger, NULL, NULL, &request, NULL),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_get_fetch_progress(stage.view, stranger, &progress, NULL), ALD_STATUS_INVALID_ARGUMENT);
  ald_layer_release(stranger);
  CHECK_STATUS(ald_view_get_fetch_progress(stage.view, stage.layer, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_get_fetch_progress(stage.view, stranger, &progress, NULL), ALD_STATUS_INVALID_HANDLE);
  /* A layer of a file has nothing on its way. */
  progress.wanted_count = 9;
  CHECK_OK(ald_view_get_fetch_progress(stage.view, stage.layer, &progress, &error), &error);
  CHECK(progress.wanted_count == 0 && progress.there_count == 0 && progress.failed_count == 0);

  request = begin(NULL);
  CHECK_STATUS(ald_request_take_screen_picture(request, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_request_take_identify_result(request, &result, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(result.id == 0);
  CHECK_STATUS(ald_request_take_screen_picture((ald_request){0}, &picture, NULL), ALD_STATUS_INVALID_HANDLE);
  ald_screen_picture_release(take(request));
  CHECK_STATUS(ald_screen_picture_get_pixels((ald_screen_picture){0}, NULL, NULL), ALD_STATUS_INVALID_HANDLE);
  ald_request_release(request);
}

/* Sixteen million samples take longer than the policy allows. */
static void test_time_limit(const char *path) {
  ald_error error;
  ald_runtime runtime;
  ald_raster raster;
  ald_layer layer;
  ald_map map;
  ald_view view;
  ald_request request;
  ald_request_state state;
  ald_screen_picture picture = {1};
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  policy.max_request_ms = 200;
  options.policy = &policy;
  size.width_dip = size.height_dip = 400;
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  CHECK_OK(ald_raster_open(runtime, path, NULL, &raster, &error), &error);
  CHECK_OK(ald_raster_get_info(raster, &info, &error), &error);
  CHECK_OK(ald_raster_layer_create(raster, &layer, &error), &error);
  CHECK_OK(ald_map_create(runtime, (ald_spatial_reference){0}, &map, &error), &error);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  CHECK_OK(ald_view_create(map, &size, &view, &error), &error);
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE;
  viewpoint.center = info.corners[0];
  viewpoint.scale = 50000;
  CHECK_OK(ald_view_set_viewpoint(view, &viewpoint, &error), &error);
  grid.columns = grid.rows = 4000;
  CHECK_STATUS(ald_view_create_screen_picture(view, layer, &grid, &picture, NULL), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_OK(ald_view_create_screen_picture_async(view, layer, &grid, NULL, &request, &error), &error);
  CHECK_OK(ald_request_wait(request, ALD_ALL, &state, &error), &error);
  CHECK_STATUS(ald_request_take_screen_picture(request, &picture, NULL), ALD_STATUS_LIMIT_EXCEEDED);
  ald_runtime_release(runtime);
}

/* A picture is the runtime's: with it, it goes. */
static void test_the_runtime_goes_first(const char *path) {
  scene other;
  ald_error error;
  ald_request request = {0};
  ald_screen_pixels pixels = ALD_SCREEN_PIXELS_INIT;
  if (!make_scene(&other, path))
    return;
  CHECK_OK(ald_view_create_screen_picture_async(other.view, other.layer, NULL, NULL, &request, &error), &error);
  const ald_screen_picture picture = take(request);
  CHECK_OK(ald_view_create_screen_picture_async(other.view, other.layer, NULL, NULL, &request, &error), &error);
  ald_runtime_release(other.runtime);
  CHECK(ald_screen_picture_get_pixels(picture, &pixels, NULL) == ALD_STATUS_INVALID_HANDLE);
}

int main(int argc, char **argv) {
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    test_pixels_are_the_same();
    test_the_newest_view_wins();
    test_what_is_refused();
    release_scene(&stage);
    test_time_limit(raster_path(argv, "Shasta_Elevation.tif"));
    test_the_runtime_goes_first(raster_path(argv, "Shasta_Elevation.tif"));
  }
  return finish();
}

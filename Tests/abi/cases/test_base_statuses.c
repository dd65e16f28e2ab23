/* Statuses that neither the hostile host nor the sequences of the stateful host provoke, because they need a file or a
 * policy of their own. */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A raster whose header promises more than there is. GDAL 3.6 by itself would take 2^200 steps to say so. */
static const char DAMAGED[] = "ncols 300\nnrows 300\nxllcorner 440000\nyllcorner 3750000\ncellsize 10\n1 2 3\n";
/* A picture that lies nowhere. */
static const char PICTURE[] = "P5\n2 2\n255\nabcd";
/* The part of a database that marks a write-ahead log: read and write version 2. */
static const char DATABASE[100] = "SQLite format 3\0\x10\x00\x02\x02\x00\x40\x20\x20";
/* A grid with a location, but without a spatial reference. */
static const char UNREFERENCED[] = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n";
static const char LOCAL_WKT[] = "LOCAL_CS[\"a building\",UNIT[\"metre\",1]]";

static char folder[] = "/tmp/alidade-statuses-XXXXXX";
static const ald_cell_index INDEX = {5, 200};
static const ald_point TAP = {100, 50};

/* Writes a file of the test's folder; the path lies in static storage, overwritten by the next. */
static const char *write_file(const char *name, const void *content, size_t size) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  if (CHECK(file != NULL)) {
    CHECK(fwrite(content, 1, size, file) == size);
    CHECK(fclose(file) == 0);
  }
  return path;
}

static void remove_file(const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  CHECK(unlink(path) == 0);
}

/* A view of 200 by 100 DIP that looks at a raster's middle, or at any point if the raster has no location on the map.
 */
typedef struct setting {
  ald_layer layer;
  ald_map map;
  ald_view view;
} setting;

static int make_setting(setting *setting, ald_runtime runtime, ald_spatial_reference map_reference, ald_raster raster,
                        ald_point center) {
  ald_error error;
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = 200;
  options.height_dip = 100;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE;
  viewpoint.center = center;
  viewpoint.scale = 10000;
  return CHECK_OK(ald_raster_layer_create(raster, &setting->layer, &error), &error) &&
         CHECK_OK(ald_map_create(runtime, map_reference, &setting->map, &error), &error) &&
         CHECK_OK(ald_map_add_layer(setting->map, setting->layer, &error), &error) &&
         CHECK_OK(ald_view_create(setting->map, &options, &setting->view, &error), &error) &&
         CHECK_OK(ald_view_set_viewpoint(setting->view, &viewpoint, &error), &error);
}

static void release_setting(const setting *setting) {
  ald_view_release(setting->view);
  ald_map_release(setting->map);
  ald_layer_release(setting->layer);
}

/* All functions that read cells through a view return the same status. */
static void check_reading(const setting *setting, ald_status status) {
  ald_cell cell;
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  ald_identify_result result;
  static uint8_t pixels[20 * 10 * 4];
  static double numbers[20 * 10];
  grid.columns = 20;
  grid.rows = 10;
  CHECK_STATUS(ald_view_read_cell(setting->view, setting->layer, TAP, &cell, NULL, 0, NULL), status);
  CHECK_STATUS(ald_view_identify_layer(setting->view, setting->layer, TAP, 0, 0, NULL, &result, NULL), status);
  ald_request request;
  ald_request_state state;
  CHECK_STATUS(ald_view_identify_layer_async(setting->view, setting->layer, TAP, 0, 0, NULL, NULL, &request, NULL),
               ALD_STATUS_OK);
  CHECK_STATUS(ald_request_wait(request, ALD_ALL, &state, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_request_take_identify_result(request, &result, NULL), status);
  ald_request_release(request);
  CHECK_STATUS(ald_view_read_rgba(setting->view, setting->layer, &grid, pixels, 0, sizeof pixels, NULL, NULL), status);
  CHECK_STATUS(ald_view_read_values(setting->view, setting->layer, &grid, 1, numbers, 0, sizeof numbers, NULL, NULL),
               status);
  ald_screen_picture picture;
  CHECK_STATUS(ald_view_create_screen_picture(setting->view, setting->layer, &grid, &picture, NULL), status);
  if (status != ALD_STATUS_READ_FAILED) {
    CHECK_STATUS(ald_view_create_screen_picture_async(setting->view, setting->layer, &grid, NULL, &request, NULL),
                 status);
    return;
  }
  CHECK_STATUS(ald_view_create_screen_picture_async(setting->view, setting->layer, &grid, NULL, &request, NULL),
               ALD_STATUS_OK);
  CHECK_STATUS(ald_request_wait(request, ALD_ALL, &state, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_request_take_screen_picture(request, &picture, NULL), ALD_STATUS_READ_FAILED);
  ald_request_release(request);
}

/* All functions that sample a raster at given points return the same status. The triangle lies inside the damaged
 * file. */
static void check_sampling(ald_raster raster, ald_status status) {
  static const double xy[6] = {440100, 3750100, 442000, 3750100, 440100, 3752000};
  const ald_spatial_reference own = {0};
  ald_profile_sample samples[2];
  ald_profile_options options = ALD_PROFILE_OPTIONS_INIT;
  options.kind = ALD_PROFILE_KIND_COUNT;
  options.sample_count = 2;
  ald_polygon_statistics statistics = ALD_POLYGON_STATISTICS_INIT;
  ald_class_count classes[4];
  double values[3];
  CHECK_STATUS(ald_raster_read_samples(raster, own, 1, xy, 0, 3, NULL, values, NULL, NULL), status);
  ald_coordinates points = ALD_COORDINATES_INIT;
  points.count = 3;
  points.x = xy;
  points.y = xy + 1;
  points.stride_bytes = 16;
  CHECK_STATUS(ald_raster_read_heights(raster, own, NULL, &points, values, 0, NULL, NULL, NULL, NULL), status);
  CHECK_STATUS(ald_raster_read_profile(raster, own, 1, xy, 0, 2, &options, samples, 2, NULL, NULL), status);
  CHECK_STATUS(ald_raster_read_polygon_statistics(raster, own, 1, xy, 0, 3, NULL, 0, NULL, &statistics, NULL), status);
  CHECK_STATUS(ald_raster_read_polygon_classes(raster, own, 1, xy, 0, 3, NULL, 0, NULL, classes, 4, NULL, NULL),
               status);
}

static void test_damaged_file(ald_runtime runtime, ald_spatial_reference mercator) {
  ald_error error;
  ald_raster raster;
  ald_raster_open_options options = ALD_RASTER_OPEN_OPTIONS_INIT;
  options.spatial_reference = mercator;
  const char *path = write_file("damaged.asc", DAMAGED, sizeof DAMAGED - 1);
  if (!CHECK_OK(ald_raster_open(runtime, path, &options, &raster, &error), &error))
    return;
  ald_cell cell;
  ald_band_value value;
  CHECK_STATUS(ald_raster_read_cells(raster, &INDEX, 1, &cell, &value, 1, NULL), ALD_STATUS_READ_FAILED);
  const double xy[2] = {440005, 3750005};
  CHECK_STATUS(ald_raster_read_points(raster, (ald_spatial_reference){0}, xy, 0, 1, &cell, &value, 1, NULL),
               ALD_STATUS_READ_FAILED);
  double values[4];
  ald_raster_window window = ALD_RASTER_WINDOW_INIT;
  window.top = 200;
  window.width = window.height = window.columns = window.rows = 2;
  CHECK_STATUS(ald_raster_read_window(raster, 1, &window, NULL, values, 0, sizeof values, NULL, NULL),
               ALD_STATUS_READ_FAILED);
  check_sampling(raster, ALD_STATUS_READ_FAILED);
  setting setting = {{0}, {0}, {0}};
  if (make_setting(&setting, runtime, mercator, raster, (ald_point){441500, 3751500})) {
    check_reading(&setting, ALD_STATUS_READ_FAILED);
    ald_raster_renderer renderer = ALD_RASTER_RENDERER_INIT;
    CHECK_STATUS(ald_raster_layer_get_renderer(setting.layer, &renderer, NULL), ALD_STATUS_READ_FAILED);
  }
  release_setting(&setting);
  ald_raster_release(raster);
  remove_file("damaged.asc");
}

static void test_picture_without_place(ald_runtime runtime, ald_spatial_reference mercator, const char *unreferenced) {
  ald_error error;
  ald_raster raster;
  const char *path = write_file("picture.pgm", PICTURE, sizeof PICTURE - 1);
  if (!CHECK_OK(ald_raster_open(runtime, path, NULL, &raster, &error), &error))
    return;
  const ald_spatial_reference own = {0};
  ald_point points[5];
  ald_layer layer;
  ald_cell cell;
  const double xy[2] = {0, 0};
  CHECK_STATUS(ald_raster_get_outline(raster, own, 1, points, 5, NULL, NULL), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_raster_read_points(raster, own, xy, 0, 1, &cell, NULL, 0, NULL), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_raster_layer_create(raster, &layer, NULL), ALD_STATUS_UNSUPPORTED);
  ald_raster_window window = ALD_RASTER_WINDOW_INIT;
  CHECK_STATUS(ald_raster_window_around(raster, own, (ald_point){0, 0}, 1, 1, &window, NULL), ALD_STATUS_UNSUPPORTED);
  check_sampling(raster, ALD_STATUS_UNSUPPORTED);
  ald_raster_release(raster);
  remove_file("picture.pgm");
  /* This one lies somewhere, and nobody says in what. */
  if (!CHECK_OK(ald_raster_open(runtime, unreferenced, NULL, &raster, &error), &error))
    return;
  static const double triangle[6] = {0, 0, 1, 0, 0, 1};
  ald_class_count classes[4];
  CHECK_STATUS(
      ald_raster_read_polygon_classes(raster, mercator, 1, triangle, 0, 3, NULL, 0, NULL, classes, 4, NULL, NULL),
      ALD_STATUS_NOT_READY);
  ald_raster_release(raster);
}

/* Opening the raster returns the same status with and without a request. */
static void check_opening(ald_runtime runtime, const char *path, ald_status status) {
  ald_raster raster;
  ald_request request;
  ald_request_state state;
  CHECK_STATUS(ald_raster_open(runtime, path, NULL, &raster, NULL), status);
  CHECK_STATUS(ald_raster_open_async(runtime, path, NULL, NULL, &request, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_request_wait(request, ALD_ALL, &state, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_request_take_raster(request, &raster, NULL), status);
  ald_request_release(request);
}

static void test_files_that_do_not_open(ald_runtime runtime) {
  write_file("logged.gpkg-wal", "changes", 7);
  const char *path = write_file("logged.gpkg", DATABASE, sizeof DATABASE);
  check_opening(runtime, path, ALD_STATUS_UNSUPPORTED);
  remove_file("logged.gpkg");
  remove_file("logged.gpkg-wal");
  check_opening(runtime, "/no/such/file.tif", ALD_STATUS_NOT_FOUND);
  check_opening(runtime, "/vsicurl/http://127.0.0.1:9/a.tif", ALD_STATUS_POLICY_REFUSED);
  path = write_file("text.tif", "no raster", 9);
  check_opening(runtime, path, ALD_STATUS_READ_FAILED);
  remove_file("text.tif");
}

/* A callout of this view that is to show a result of another map. */
static void check_callout(ald_view view, ald_identify_result result, ald_status status) {
  ald_error error;
  ald_callout callout;
  if (!CHECK_OK(ald_callout_create(view, NULL, &callout, &error), &error))
    return;
  CHECK_STATUS(ald_callout_show_for(callout, result, 0, 0, NULL), status);
  CHECK_STATUS(ald_callout_handle_tap(callout, result, NULL, NULL), status);
  ald_callout_release(callout);
}

/* A map that waits for its first layer has no spatial reference. */
static void test_empty_map(ald_runtime runtime, ald_identify_result result) {
  ald_error error;
  ald_map map;
  ald_view view;
  if (!CHECK_OK(ald_map_create(runtime, (ald_spatial_reference){0}, &map, &error), &error) ||
      !CHECK_OK(ald_view_create(map, NULL, &view, &error), &error))
    return;
  check_callout(view, result, ALD_STATUS_NOT_READY);
  ald_callout callout;
  if (CHECK_OK(ald_callout_create(view, NULL, &callout, &error), &error)) {
    const ald_point place = {0, 0};
    CHECK_STATUS(ald_callout_show_at(callout, place, (ald_spatial_reference){0}, NULL, NULL, 0, NULL),
                 ALD_STATUS_NOT_READY);
    ald_callout_release(callout);
  }
  ald_view_release(view);
  ald_map_release(map);
}

/* A map that is not tied to the earth has no way to a raster that is. */
static void test_local_map(ald_runtime runtime, ald_spatial_reference mercator, ald_raster raster,
                           ald_identify_result result) {
  ald_error error;
  double fraction;
  ald_spatial_reference local;
  if (!CHECK_OK(ald_spatial_reference_create_from_wkt(runtime, LOCAL_WKT, &local, &error), &error))
    return;
  setting setting = {{0}, {0}, {0}};
  if (make_setting(&setting, runtime, local, raster, (ald_point){0, 0})) {
    check_reading(&setting, ALD_STATUS_PROJECTION_FAILED);
    CHECK_STATUS(ald_view_get_layer_coverage(setting.view, setting.layer, &fraction, NULL),
                 ALD_STATUS_PROJECTION_FAILED);
    check_callout(setting.view, result, ALD_STATUS_PROJECTION_FAILED);
    ald_callout callout;
    if (CHECK_OK(ald_callout_create(setting.view, NULL, &callout, &error), &error)) {
      const ald_point place = {0, 0};
      CHECK_STATUS(ald_callout_show_at(callout, place, mercator, NULL, NULL, 0, NULL), ALD_STATUS_PROJECTION_FAILED);
      ald_callout_release(callout);
    }
  }
  release_setting(&setting);
  ald_spatial_reference_release(local);
}

/* A raster that has a location but no known spatial reference cannot be queried in another spatial reference. */
static void test_raster_without_reference(ald_runtime runtime, ald_spatial_reference mercator) {
  ald_error error;
  ald_raster raster;
  const char *path = write_file("nowhere.asc", UNREFERENCED, sizeof UNREFERENCED - 1);
  if (CHECK_OK(ald_raster_open(runtime, path, NULL, &raster, &error), &error)) {
    const ald_point place = {1, 1};
    ald_raster_window window = ALD_RASTER_WINDOW_INIT;
    ald_cell cell;
    double value;
    size_t count;
    CHECK_STATUS(ald_raster_get_outline(raster, mercator, 1, NULL, 0, &count, NULL), ALD_STATUS_NOT_READY);
    CHECK_STATUS(ald_raster_read_points(raster, mercator, &place.x, 0, 1, &cell, NULL, 0, NULL), ALD_STATUS_NOT_READY);
    CHECK_STATUS(ald_raster_window_around(raster, mercator, place, 3, 3, &window, NULL), ALD_STATUS_NOT_READY);
    CHECK_STATUS(ald_raster_read_samples(raster, mercator, 1, &place.x, 0, 1, NULL, &value, NULL, NULL),
                 ALD_STATUS_NOT_READY);
    ald_coordinates points = ALD_COORDINATES_INIT;
    points.count = 1;
    points.x = &place.x;
    points.y = &place.y;
    CHECK_STATUS(ald_raster_read_heights(raster, mercator, NULL, &points, &value, 0, NULL, NULL, NULL, NULL),
                 ALD_STATUS_NOT_READY);
    ald_raster_release(raster);
  }
  remove_file("nowhere.asc");
}

static void test_hillshade_of_complex_values(ald_runtime runtime, const char *path) {
  ald_error error;
  ald_raster raster;
  ald_layer layer;
  ald_raster_renderer renderer = ALD_RASTER_RENDERER_INIT;
  renderer.kind = ALD_RASTER_RENDERER_KIND_HILLSHADE;
  if (!CHECK_OK(ald_raster_open(runtime, path, NULL, &raster, &error), &error) ||
      !CHECK_OK(ald_raster_layer_create(raster, &layer, &error), &error))
    return;
  CHECK_STATUS(ald_raster_layer_set_renderer(layer, &renderer, NULL), ALD_STATUS_UNSUPPORTED);
  ald_layer_release(layer);
  ald_raster_release(raster);
}

static void test_limits(const char *path_with_table, const char *path) {
  ald_error error;
  ald_runtime runtime;
  ald_raster raster;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_bytes = 20000;
  policy.max_request_points = 100;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  if (!CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error))
    return;
  check_opening(runtime, path_with_table, ALD_STATUS_LIMIT_EXCEEDED);
  setting setting = {{0}, {0}, {0}};
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  if (CHECK_OK(ald_raster_open(runtime, path, NULL, &raster, &error), &error) &&
      CHECK_OK(ald_raster_get_info(raster, &info, &error), &error) &&
      make_setting(&setting, runtime, (ald_spatial_reference){0}, raster, info.corners[0])) {
    static uint8_t pixels[200 * 100 * 4];
    static double numbers[200 * 100];
    ald_raster_window window = ALD_RASTER_WINDOW_INIT;
    window.width = window.height = window.columns = window.rows = 20;
    CHECK_STATUS(ald_raster_read_window(raster, 1, &window, NULL, numbers, 0, sizeof numbers, NULL, NULL),
                 ALD_STATUS_LIMIT_EXCEEDED);
    CHECK_STATUS(ald_view_read_rgba(setting.view, setting.layer, NULL, pixels, 0, sizeof pixels, NULL, NULL),
                 ALD_STATUS_LIMIT_EXCEEDED);
    CHECK_STATUS(ald_view_read_values(setting.view, setting.layer, NULL, 1, numbers, 0, sizeof numbers, NULL, NULL),
                 ALD_STATUS_LIMIT_EXCEEDED);
  }
  ald_runtime_release(runtime);
}

/* Of many requests on one worker the last is pending for a while. */
static void test_pending_requests(const scene *scene, const char *path) {
  enum { REQUESTS = 400, TRIES = 50 };
  static ald_request requests[REQUESTS];
  ald_raster raster;
  ald_identify_result result;
  ald_status opening = ALD_STATUS_OK, identifying = ALD_STATUS_OK;
  for (int i = 0; i < TRIES && (opening != ALD_STATUS_NOT_READY || identifying != ALD_STATUS_NOT_READY); i++) {
    for (int k = 0; k < REQUESTS - 1; k++)
      CHECK_STATUS(ald_raster_open_async(scene->runtime, path, NULL, NULL, &requests[k], NULL), ALD_STATUS_OK);
    CHECK_STATUS(ald_view_identify_layer_async(scene->view, scene->layer, SCENE_MIDDLE, 0, 0, NULL, NULL,
                                               &requests[REQUESTS - 1], NULL),
                 ALD_STATUS_OK);
    opening = ald_request_take_raster(requests[REQUESTS - 2], &raster, NULL);
    identifying = ald_request_take_identify_result(requests[REQUESTS - 1], &result, NULL);
    if (opening == ALD_STATUS_NOT_READY && identifying == ALD_STATUS_NOT_READY)
      for (int k = REQUESTS - 2; k < REQUESTS; k++)
        CHECK_STATUS(ald_request_cancel(requests[k], NULL), ALD_STATUS_OK);
    if (opening == ALD_STATUS_OK)
      ald_raster_release(raster);
    if (identifying == ALD_STATUS_OK)
      ald_identify_result_release(result);
    if (opening == ALD_STATUS_NOT_READY && identifying == ALD_STATUS_NOT_READY) {
      CHECK_STATUS(ald_request_take_raster(requests[REQUESTS - 2], &raster, NULL), ALD_STATUS_CANCELLED);
      CHECK_STATUS(ald_request_take_identify_result(requests[REQUESTS - 1], &result, NULL), ALD_STATUS_CANCELLED);
    }
    for (int k = 0; k < REQUESTS; k++)
      ald_request_release(requests[k]);
  }
  CHECK(opening == ALD_STATUS_NOT_READY);
  CHECK(identifying == ALD_STATUS_NOT_READY);
}

static ald_runtime pumped;
static ald_status pumped_inside;

static void pump_inside(ald_request request, void *user_data) {
  (void)request;
  (void)user_data;
  pumped_inside = ald_runtime_pump(pumped, 0, NULL, NULL);
}

static void test_pump_inside_completion(ald_runtime runtime, const char *path) {
  ald_error error;
  ald_request request;
  ald_request_state state;
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  options.completion = pump_inside;
  pumped = runtime;
  pumped_inside = ALD_STATUS_OK;
  if (!CHECK_OK(ald_raster_open_async(runtime, path, NULL, &options, &request, &error), &error))
    return;
  CHECK_OK(ald_request_wait(request, ALD_ALL, &state, &error), &error);
  CHECK_OK(ald_runtime_pump(runtime, 0, NULL, &error), &error);
  CHECK(pumped_inside == ALD_STATUS_INVALID_STATE);
  ald_request_release(request);
}

/* A process that may have no further descriptor. */
static void test_no_descriptor_left(void) {
  ald_error error;
  ald_runtime runtime;
  int32_t descriptor;
  struct rlimit before, none;
  if (!CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error) || !CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0))
    return;
  none = before;
  none.rlim_cur = 0;
  CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
  const ald_status status = ald_runtime_get_wake_fd(runtime, &descriptor, &error);
  CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK_STATUS(status, ALD_STATUS_LIMIT_EXCEEDED);
  CHECK(error.domain == ALD_ERROR_DOMAIN_SYSTEM);
  ald_runtime_release(runtime);
}

int main(int argc, char **argv) {
  scene scene;
  if (argc < 2)
    return 2;
  if (CHECK(mkdtemp(folder) != NULL) && make_scene(&scene, raster_path(argv, "RGB.byte.tif"))) {
    test_damaged_file(scene.runtime, scene.spatial_reference);
    test_picture_without_place(scene.runtime, scene.spatial_reference, raster_path(argv, "rotated.tif"));
    test_files_that_do_not_open(scene.runtime);
    test_raster_without_reference(scene.runtime, scene.spatial_reference);
    ald_error error;
    ald_identify_result result;
    if (CHECK_OK(ald_view_identify_layer(scene.view, scene.layer, SCENE_MIDDLE, 0, 0, NULL, &result, &error), &error)) {
      test_local_map(scene.runtime, scene.spatial_reference, scene.raster, result);
      test_empty_map(scene.runtime, result);
      ald_identify_result_release(result);
    }
    test_pending_requests(&scene, raster_path(argv, "RGB.byte.tif"));
    test_pump_inside_completion(scene.runtime, raster_path(argv, "RGB.byte.tif"));
    test_no_descriptor_left();
    test_hillshade_of_complex_values(scene.runtime, raster_path(argv, "cint16.tif"));
    char table[4096];
    snprintf(table, sizeof table, "%s", raster_path(argv, "rat.img"));
    test_limits(table, raster_path(argv, "RGB.byte.tif"));
    release_scene(&scene);
    CHECK(rmdir(folder) == 0);
  }
  return finish();
}

/* What does not load, and why; which calls work until it does. */
#include "layer_files.h"
#include "scene.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The part of a database that marks a write-ahead log. */
static const char DATABASE[100] = "SQLite format 3\0\x10\x00\x02\x02\x00\x40\x20\x20";
static const char PICTURE[] = "P5\n2 2\n255\nabcd";

static const ald_spatial_reference none = {0};

static ald_raster raster_of(ald_runtime runtime, const char *path) {
  ald_error error;
  ald_raster raster = {0};
  CHECK_OK(ald_raster_create(runtime, path, NULL, &raster, &error), &error);
  return raster;
}

/* All functions that load the layer return the same, in the first attempt and later. */
static void check_layer(ald_layer layer, ald_status status) {
  ald_error error;
  ald_request request;
  ald_request_state state;
  ald_request_info request_info = ALD_REQUEST_INFO_INIT;
  CHECK_STATUS(ald_layer_load(layer, &error), status);
  ald_load_info info = load_info_of(layer);
  CHECK(info.status == ALD_LOAD_STATUS_FAILED_TO_LOAD && info.error.status == status && info.attempt_count == 1);
  CHECK(is_text(info.error.message, error.message) && error.message[0] != '\0');
  CHECK_STATUS(ald_layer_load(layer, NULL), status);
  CHECK(load_info_of(layer).attempt_count == 1);
  CHECK_STATUS(ald_layer_retry_load(layer, NULL), status);
  CHECK(load_info_of(layer).attempt_count == 2);
  CHECK_OK(ald_layer_retry_load_async(layer, NULL, &request, &error), &error);
  CHECK_STATUS(ald_request_wait(request, ALD_ALL, &state, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_request_get_info(request, &request_info, NULL), ALD_STATUS_OK);
  CHECK(state == ALD_REQUEST_STATE_FAILED && request_info.status == status && load_info_of(layer).attempt_count == 3);
  ald_request_release(request);
}

/* A layer and a raster of the file both fail, and a layer of the raster too. */
static void check_failure(ald_runtime runtime, const char *path, ald_status status) {
  ald_error error;
  ald_layer layer = layer_of(runtime, path, NULL), second;
  const ald_raster raster = raster_of(runtime, path);
  check_layer(layer, status);
  ald_layer_release(layer);
  if (CHECK_OK(ald_raster_layer_create(raster, &second, &error), &error)) {
    check_layer(second, status);
    ald_layer_release(second);
  }
  /* The layer's load was the raster's. */
  CHECK_STATUS(ald_raster_load(raster, NULL), status);
  CHECK_STATUS(ald_raster_retry_load(raster, NULL), status);
  ald_load_info info = ALD_LOAD_INFO_INIT;
  CHECK_STATUS(ald_raster_get_load_info(raster, &info, NULL), ALD_STATUS_OK);
  CHECK(info.status == ALD_LOAD_STATUS_FAILED_TO_LOAD && info.error.status == status && info.attempt_count == 4);
  ald_raster_release(raster);
}

/* A scene's layer and raster go on, whatever another file did. */
static void check_neighbours(const scene *scene) {
  ald_cell cell;
  CHECK_STATUS(ald_view_read_cell(scene->view, scene->layer, SCENE_MIDDLE, &cell, NULL, 0, NULL), ALD_STATUS_OK);
  CHECK(cell.verdict == ALD_CELL_VERDICT_VALUE);
}

static void test_bad_files(const scene *scene, char **argv) {
  const ald_runtime runtime = scene->runtime;
  const uint64_t before = live_handles(runtime);
  static const struct {
    const char *name;
    const char *content;
    size_t size;
    ald_status status;
  } files[] = {{"empty.tif", "", 0, ALD_STATUS_READ_FAILED},
               {"text.tif", "no raster", 9, ALD_STATUS_READ_FAILED},
               {"points.csv", "x,y\n1,2\n", 8, ALD_STATUS_READ_FAILED},
               {"logged.gpkg", DATABASE, sizeof DATABASE, ALD_STATUS_UNSUPPORTED}};
  write_file("logged.gpkg-wal", "changes", 7);
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    check_failure(runtime, write_file(files[i].name, files[i].content, files[i].size), files[i].status);
    check_neighbours(scene);
  }
  check_failure(runtime, "/no/such/file.tif", ALD_STATUS_NOT_FOUND);
  check_neighbours(scene);
  check_failure(runtime, folder, ALD_STATUS_READ_FAILED);
  check_neighbours(scene);
  check_failure(runtime, "/vsicurl/http://127.0.0.1:9/a.tif", ALD_STATUS_POLICY_REFUSED);
  /* A database that wants a password, by a driver that is not among those that are allowed. */
  check_failure(runtime, "PG:host=127.0.0.1 dbname=none table=none", ALD_STATUS_READ_FAILED);
  char pipe[256];
  snprintf(pipe, sizeof pipe, "%s/pipe.tif", folder);
  CHECK(mkfifo(pipe, 0600) == 0);
  check_failure(runtime, pipe, ALD_STATUS_UNSUPPORTED);
  enum { TOO_LONG = 70000 };
  char *name = malloc(TOO_LONG + 1);
  if (CHECK(name != NULL)) {
    memset(name, 'a', TOO_LONG);
    name[TOO_LONG] = '\0';
    check_failure(runtime, name, ALD_STATUS_INVALID_ARGUMENT);
  }
  free(name);
  /* A picture has no location: the raster can be opened, and a layer of it cannot be loaded. */
  const char *picture = write_file("picture.pgm", PICTURE, sizeof PICTURE - 1);
  const ald_layer nowhere = layer_of(runtime, picture, NULL);
  check_layer(nowhere, ALD_STATUS_UNSUPPORTED);
  ald_layer_release(nowhere);
  check_neighbours(scene);
  CHECK(live_handles(runtime) == before);
  /* And what only a stricter policy refuses: a table that is larger than it allows, and a format. */
  static const char *const drivers[] = {"GTiff", "HFA"};
  ald_runtime small;
  ald_error error;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_bytes = 20000;
  policy.drivers = drivers;
  policy.driver_count = 2;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  if (CHECK_OK(ald_runtime_create(&options, &small, &error), &error)) {
    check_failure(small, raster_path(argv, "rat.img"), ALD_STATUS_LIMIT_EXCEEDED);
    check_failure(small, write_file("grid.asc", GRID, sizeof GRID - 1), ALD_STATUS_POLICY_REFUSED);
    ald_runtime_release(small);
  }
}

/* Until a raster is loaded everything that needs it says how to load it. */
static void test_raster_that_is_not_loaded(const scene *scene) {
  ald_error error;
  const ald_raster raster = raster_of(scene->runtime, scene->path);
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  ald_band_info band = ALD_BAND_INFO_INIT;
  ald_table_column column = ALD_TABLE_COLUMN_INIT;
  ald_table_value value = ALD_TABLE_VALUE_INIT;
  ald_raster_window window = ALD_RASTER_WINDOW_INIT;
  ald_spatial_reference reference;
  const char *name;
  int32_t columns, rows;
  double values[4];
  CHECK_STATUS(ald_raster_get_info(raster, &info, &error), ALD_STATUS_NOT_READY);
  CHECK(error.argument == 1 && holds_text(error.message, "oad it") && holds_text(error.message, scene->path));
  CHECK_STATUS(ald_raster_get_spatial_reference(raster, &reference, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_raster_get_band_info(raster, 1, &band, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_raster_get_overview_size(raster, 1, 0, &columns, &rows, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_raster_get_subdataset_at(raster, 0, &name, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_raster_get_table_column(raster, 1, 0, &column, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_raster_get_table_value(raster, 1, 0, 0, &value, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_raster_read_cells(raster, NULL, 0, NULL, NULL, 0, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_raster_window_size(raster, &window, &columns, &rows, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_raster_read_window(raster, 1, &window, NULL, values, 0, sizeof values, NULL, NULL),
               ALD_STATUS_NOT_READY);
  CHECK_OK(ald_raster_load(raster, &error), &error);
  CHECK_OK(ald_raster_get_info(raster, &info, &error), &error);
  CHECK(is_text(info.path, scene->path));
  /* Once it is loaded, a layer of it is loaded from the beginning. */
  ald_layer layer;
  CHECK_OK(ald_raster_layer_create(raster, &layer, &error), &error);
  CHECK(load_info_of(layer).status == ALD_LOAD_STATUS_LOADED && load_info_of(layer).attempt_count == 0);
  ald_layer_release(layer);
  ald_raster_release(raster);
}

/* The same for a layer, in a map and a view. A renderer may be set before, and is checked against the raster then. */
static void test_layer_that_is_not_loaded(const scene *scene) {
  ald_error error;
  ald_map map;
  ald_view view;
  ald_cell cell;
  ald_identify_result result;
  ald_raster raster;
  ald_raster_renderer renderer = ALD_RASTER_RENDERER_INIT;
  ald_spatial_reference reference;
  const ald_layer layer = layer_of(scene->runtime, scene->path, NULL);
  static uint8_t pixels[64 * 48 * 4];
  static double values[64 * 48];
  double fraction;
  CHECK_STATUS(ald_raster_layer_get_renderer(layer, &renderer, &error), ALD_STATUS_NOT_READY);
  CHECK(holds_text(error.message, "oad it"));
  CHECK_STATUS(ald_layer_get_spatial_reference(layer, &reference, &error), ALD_STATUS_NOT_READY);
  renderer.bands[0] = 77;
  CHECK_OK(ald_raster_layer_set_renderer(layer, &renderer, &error), &error);
  CHECK_STATUS(ald_layer_load(layer, NULL), ALD_STATUS_NOT_FOUND);
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = 64;
  options.height_dip = 48;
  CHECK_OK(ald_map_create(scene->runtime, scene->spatial_reference, &map, &error), &error);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  CHECK_OK(ald_map_set_initial_location(map, 41.4, -122.2, 50000, &error), &error);
  CHECK_OK(ald_view_create(map, &options, &view, &error), &error);
  const ald_point tap = {32, 24};
  CHECK_STATUS(ald_view_read_cell(view, layer, tap, &cell, NULL, 0, &error), ALD_STATUS_NOT_READY);
  CHECK(holds_text(error.message, "Retry to load it") && holds_text(error.message, "band 77"));
  CHECK_STATUS(ald_view_identify_layer(view, layer, tap, 0, 0, NULL, &result, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_read_rgba(view, layer, NULL, pixels, 0, sizeof pixels, NULL, NULL), ALD_STATUS_NOT_READY);
  ald_request request;
  ald_screen_picture picture;
  CHECK_STATUS(ald_view_create_screen_picture(view, layer, NULL, &picture, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_create_screen_picture_async(view, layer, NULL, NULL, &request, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_read_values(view, layer, NULL, 1, values, 0, sizeof values, NULL, NULL), ALD_STATUS_NOT_READY);
  CHECK_STATUS(ald_view_get_layer_coverage(view, layer, &fraction, NULL), ALD_STATUS_NOT_READY);
  /* The map is loaded all the same: it has a spatial reference, and its layer has ended. */
  CHECK_OK(ald_map_load(map, &error), &error);
  CHECK_OK(ald_raster_layer_set_renderer(layer, NULL, &error), &error);
  CHECK_OK(ald_layer_retry_load(layer, &error), &error);
  CHECK_OK(ald_view_read_cell(view, layer, tap, &cell, NULL, 0, &error), &error);
  CHECK_OK(ald_view_read_rgba(view, layer, NULL, pixels, 0, sizeof pixels, NULL, &error), &error);
  CHECK_OK(ald_raster_layer_get_raster(layer, &raster, &error), &error);
  renderer.bands[0] = 77;
  CHECK_STATUS(ald_raster_layer_set_renderer(layer, &renderer, NULL), ALD_STATUS_NOT_FOUND);
  ald_view_release(view);
  ald_map_release(map);
  ald_layer_release(layer);
}

static void test_map_without_reference(const scene *scene) {
  ald_error error;
  ald_map map;
  ald_request request;
  ald_load_info info = ALD_LOAD_INFO_INIT;
  ald_spatial_reference reference;
  const ald_layer broken = layer_of(scene->runtime, "/no/such/file.tif", NULL);
  const ald_layer first = layer_of(scene->runtime, scene->path, NULL);
  CHECK_OK(ald_map_create(scene->runtime, none, &map, &error), &error);
  CHECK_STATUS(ald_map_load(map, &error), ALD_STATUS_NOT_READY);
  CHECK(holds_text(error.message, "no layer that could"));
  CHECK_OK(ald_map_add_layer(map, broken, &error), &error);
  CHECK_STATUS(ald_map_load(map, NULL), ALD_STATUS_NOT_READY);
  CHECK(load_info_of(broken).status == ALD_LOAD_STATUS_NOT_LOADED);
  CHECK_STATUS(ald_map_retry_load(map, NULL), ALD_STATUS_NOT_READY);
  CHECK(load_info_of(broken).attempt_count == 1);
  CHECK_STATUS(ald_map_retry_load(map, &error), ALD_STATUS_NOT_READY);
  CHECK(load_info_of(broken).attempt_count == 2 && holds_text(error.message, "none of its layers"));
  CHECK_STATUS(ald_map_get_load_info(map, &info, NULL), ALD_STATUS_OK);
  CHECK(info.status == ALD_LOAD_STATUS_FAILED_TO_LOAD && info.attempt_count == 3 &&
        info.error.status == ALD_STATUS_NOT_READY);
  CHECK_OK(ald_map_add_layer(map, first, &error), &error);
  CHECK(load_info_of(first).status == ALD_LOAD_STATUS_NOT_LOADED);
  CHECK_OK(ald_map_retry_load(map, &error), &error);
  CHECK_OK(ald_map_get_spatial_reference(map, &reference, &error), &error);
  /* With nothing to try again a retry begins nothing, and there is nothing to cancel. */
  CHECK_OK(ald_map_remove_layer(map, broken, &error), &error);
  CHECK_OK(ald_map_load_async(map, NULL, &request, &error), &error);
  ald_request_release(request);
  CHECK_OK(ald_map_retry_load_async(map, NULL, &request, &error), &error);
  ald_request_release(request);
  CHECK_OK(ald_map_cancel_load(map, &error), &error);
  CHECK_STATUS(ald_map_get_load_info(map, &info, NULL), ALD_STATUS_OK);
  CHECK(info.status == ALD_LOAD_STATUS_LOADED && info.error.status == ALD_STATUS_OK && info.error.message[0] == '\0');
  ald_map_release(map);
  ald_layer_release(broken);
  ald_layer_release(first);
}

/* A map whose layers have all failed, or lack a spatial reference, does not look at them again until one can be placed.
 */
static void test_layers_that_come_to_be_placed(const scene *scene) {
  enum { GIVEN, RETRIED, ADDED, WAYS };
  ald_raster_open_options options = ALD_RASTER_OPEN_OPTIONS_INIT;
  options.spatial_reference = scene->spatial_reference;
  for (int way = 0; way < WAYS; way++) {
    ald_error error;
    ald_map map;
    ald_layer outer, inner, good;
    ald_spatial_reference reference;
    char late[256];
    snprintf(late, sizeof late, "%s/late%d.asc", folder, way);
    const ald_layer nowhere = layer_of(scene->runtime, write_text("nowhere.asc", GRID), NULL);
    const ald_layer missing = layer_of(scene->runtime, late, &options);
    CHECK_OK(ald_map_create(scene->runtime, none, &map, &error), &error);
    CHECK_OK(ald_group_layer_create(scene->runtime, &outer, &error), &error);
    CHECK_OK(ald_group_layer_create(scene->runtime, &inner, &error), &error);
    CHECK_OK(ald_group_layer_add_layer(inner, nowhere, &error), &error);
    CHECK_OK(ald_group_layer_add_layer(inner, missing, &error), &error);
    CHECK_OK(ald_group_layer_add_layer(outer, inner, &error), &error);
    CHECK_OK(ald_map_add_basemap_layer(map, outer, &error), &error);
    for (int i = 0; i < 2; i++)
      CHECK_STATUS(ald_map_retry_load(map, &error), ALD_STATUS_NOT_READY);
    CHECK_STATUS(ald_map_get_spatial_reference(map, &reference, NULL), ALD_STATUS_NOT_READY);
    CHECK_OK(ald_raster_layer_create(scene->raster, &good, &error), &error);
    if (way == GIVEN)
      CHECK_OK(ald_layer_set_spatial_reference(nowhere, scene->spatial_reference, &error), &error);
    if (way == RETRIED) {
      snprintf(late, sizeof late, "late%d.asc", way);
      write_text(late, GRID);
      CHECK_OK(ald_layer_retry_load(missing, &error), &error);
    }
    if (way == ADDED)
      CHECK_OK(ald_group_layer_insert_layer(inner, good, 0, &error), &error);
    CHECK_OK(ald_map_get_spatial_reference(map, &reference, &error), &error);
    ald_map_release(map);
    ald_layer_release(outer);
    ald_layer_release(inner);
    ald_layer_release(good);
    ald_layer_release(nowhere);
    ald_layer_release(missing);
  }
}

/* Children of a process whose workers load: their parent's handles are FORKED, and its loads end. */
static void test_fork_while_loading(const scene *scene) {
  enum { CHILDREN = 10, LAYERS = 20 };
  ald_error error;
  for (int round = 0; round < CHILDREN; round++) {
    ald_layer layers[LAYERS];
    for (int i = 0; i < LAYERS; i++) {
      ald_request request;
      layers[i] = layer_of(scene->runtime, scene->path, NULL);
      CHECK_OK(ald_layer_load_async(layers[i], NULL, &request, &error), &error);
      ald_request_release(request);
    }
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      ald_load_info info = ALD_LOAD_INFO_INIT;
      ald_layer layer;
      int is_right = ald_layer_get_load_info(layers[0], &info, NULL) == ALD_STATUS_FORKED &&
                     ald_layer_load(layers[1], NULL) == ALD_STATUS_FORKED &&
                     ald_layer_cancel_load(layers[2], NULL) == ALD_STATUS_FORKED;
      for (int i = 0; i < LAYERS; i++)
        ald_layer_release(layers[i]);
      ald_runtime own;
      const ald_status status = ald_runtime_create(NULL, &own, &error);
      if (status == ALD_STATUS_OK)
        is_right = is_right &&
                   ald_raster_layer_create_from_path(own, scene->path, NULL, &layer, NULL) == ALD_STATUS_OK &&
                   ald_layer_load(layer, NULL) == ALD_STATUS_OK;
      else
        is_right = is_right && status == ALD_STATUS_FORKED && holds_text(error.message, "spawn");
      _exit(is_right ? 0 : 1);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    for (int i = 0; i < LAYERS; i++) {
      CHECK_OK(ald_layer_load(layers[i], &error), &error);
      ald_layer_release(layers[i]);
    }
  }
}

int main(int argc, char **argv) {
  scene scene;
  if (argc == 2 && make_folder() && make_scene(&scene, raster_path(argv, "Shasta_Elevation.tif"))) {
    const uint64_t before = live_handles(scene.runtime);
    test_bad_files(&scene, argv);
    scene.path = raster_path(argv, "Shasta_Elevation.tif");
    test_raster_that_is_not_loaded(&scene);
    test_layer_that_is_not_loaded(&scene);
    test_map_without_reference(&scene);
    test_layers_that_come_to_be_placed(&scene);
    test_fork_while_loading(&scene);
    CHECK(live_handles(scene.runtime) == before);
    release_scene(&scene);
    remove_folder();
  }
  return finish();
}

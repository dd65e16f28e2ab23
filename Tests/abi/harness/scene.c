#include "scene.h"

#include <string.h>

static int look_at_raster(scene *scene, ald_error *error) {
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  if (!CHECK_OK(ald_raster_get_info(scene->raster, &info, error), error))
    return 0;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE;
  viewpoint.center.x = (info.extent.x_min + info.extent.x_max) / 2;
  viewpoint.center.y = (info.extent.y_min + info.extent.y_max) / 2;
  viewpoint.scale = 100000;
  return CHECK_OK(ald_raster_get_spatial_reference(scene->raster, &viewpoint.spatial_reference, error), error) &&
         CHECK_OK(ald_view_set_viewpoint(scene->view, &viewpoint, error), error);
}

/* There is an event when the view is ready; tests that count events begin without it. */
static int drain(ald_runtime runtime, ald_error *error) {
  ald_event events[8];
  size_t count;
  return CHECK_OK(ald_runtime_poll_events(runtime, events, 8, &count, error), error);
}

int make_scene(scene *scene, const char *path) {
  ald_error error;
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  ald_runtime_options runtime_options = ALD_RUNTIME_OPTIONS_INIT;
  options.width_dip = 2 * SCENE_MIDDLE.x;
  options.height_dip = 2 * SCENE_MIDDLE.y;
  runtime_options.thread_count = SCENE_THREADS;
  memset(scene, 0, sizeof *scene);
  scene->path = path;
  return CHECK_OK(ald_runtime_create(&runtime_options, &scene->runtime, &error), &error) &&
         CHECK_OK(ald_spatial_reference_create_from_code(scene->runtime, NULL, 3857, &scene->spatial_reference, &error),
                  &error) &&
         CHECK_OK(ald_raster_open(scene->runtime, path, NULL, &scene->raster, &error), &error) &&
         CHECK_OK(ald_raster_layer_create(scene->raster, &scene->layer, &error), &error) &&
         CHECK_OK(ald_map_create(scene->runtime, scene->spatial_reference, &scene->map, &error), &error) &&
         CHECK_OK(ald_map_add_layer(scene->map, scene->layer, &error), &error) &&
         CHECK_OK(ald_view_create(scene->map, &options, &scene->view, &error), &error) &&
         look_at_raster(scene, &error) && drain(scene->runtime, &error);
}

void release_scene(scene *scene) {
  ald_view_release(scene->view);
  ald_map_release(scene->map);
  ald_layer_release(scene->layer);
  ald_raster_release(scene->raster);
  ald_spatial_reference_release(scene->spatial_reference);
  ald_runtime_release(scene->runtime);
}

ald_status read_picture(const scene *scene, picture *picture) {
  memset(picture, 0, sizeof *picture);
  return ald_view_read_rgba(scene->view, scene->layer, NULL, picture->pixels, 0, sizeof picture->pixels, NULL, NULL);
}

uint64_t live_handles(ald_runtime runtime) {
  uint64_t count = 0;
  return ald_runtime_get_handle_count(runtime, &count, NULL) == ALD_STATUS_OK ? count : 0;
}

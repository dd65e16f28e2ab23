#include "pool.h"

#include <string.h>

enum { POINTS = 24 };

static void random_points(pool_worker *worker, double points[2 * POINTS], double width, double height) {
  for (int i = 0; i < POINTS; i++) {
    points[2 * i] = pool_random(worker, 1000) * width / 1000;
    points[2 * i + 1] = pool_random(worker, 1000) * height / 1000;
  }
}

void pool_use_runtime(pool_worker *worker) {
  ald_error error;
  uint64_t count;
  ald_library_versions versions = ALD_LIBRARY_VERSIONS_INIT;
  const ald_runtime runtime = POOL_PICK(ald_runtime, KIND_RUNTIME);
  DID(runtime_get_handle_count, runtime, &count);
  DID(runtime_get_library_versions, runtime, &versions);
}

void pool_use_reference(pool_worker *worker) {
  ald_error error;
  ald_spatial_reference_info info = ALD_SPATIAL_REFERENCE_INFO_INIT;
  ald_projection_info projection = ALD_PROJECTION_INFO_INIT;
  char text[8192];
  size_t size;
  uint32_t equal;
  double points[2 * POINTS];
  ald_point_status statuses[POINTS];
  const ald_spatial_reference a = POOL_PICK(ald_spatial_reference, KIND_SPATIAL_REFERENCE);
  const ald_spatial_reference b = POOL_PICK(ald_spatial_reference, KIND_SPATIAL_REFERENCE);
  random_points(worker, points, 80, 80);
  DID(spatial_reference_get_info, a, &info);
  DID(spatial_reference_get_wkt, a, text, sizeof text, &size);
  DID(spatial_reference_equals, a, b, &equal);
  DID(spatial_reference_project_points, a, b, points, 0, POINTS, points, 0, statuses);
  pool_did(worker, ACTION_spatial_reference_get_projection_info,
           ald_spatial_reference_get_projection_info(a, a, (ald_point){1, 1}, &projection, &error), &error);
}

void pool_use_raster(pool_worker *worker) {
  ald_error error;
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  ald_band_info band = ALD_BAND_INFO_INIT;
  ald_spatial_reference own;
  ald_point outline[64];
  ald_band_value value, many[POINTS];
  double points[2 * POINTS] = {0};
  size_t count;
  int32_t width, height;
  const ald_raster raster = POOL_PICK(ald_raster, KIND_RASTER);
  if (DID(raster_get_info, raster, &info))
    for (int i = 0; i < POINTS; i++) {
      points[2 * i] = info.extent.x_min + (info.extent.x_max - info.extent.x_min) * pool_random(worker, 1000) / 1000;
      points[2 * i + 1] =
          info.extent.y_min + (info.extent.y_max - info.extent.y_min) * pool_random(worker, 1000) / 1000;
    }
  DID(raster_get_band_info, raster, 1, &band);
  DID(raster_get_overview_size, raster, 1, 0, &width, &height);
  memset(&value, 0, sizeof value);
  if (DID(raster_read_cells, raster, &POOL_INDEX, 1, NULL, &value, 1))
    pool_expect_cell(worker, value);
  if (!DID(raster_get_spatial_reference, raster, &own))
    return;
  DID(raster_get_outline, raster, own, 3, outline, sizeof outline / sizeof *outline, &count);
  DID(raster_read_points, raster, own, points, 0, POINTS, NULL, many, POINTS);
}

void pool_use_layer(pool_worker *worker) {
  ald_error error;
  ald_raster raster;
  uint32_t visible;
  ald_raster_renderer renderer = ALD_RASTER_RENDERER_INIT;
  const ald_layer layer = POOL_PICK(ald_layer, KIND_LAYER);
  if (DID(raster_layer_get_raster, layer, &raster) && pool_random(worker, 8) == 0)
    ald_raster_release(raster); /* Whether borrowed or not, releasing it does no harm. */
  DID(layer_set_visible, layer, pool_random(worker, 8) != 0);
  DID(layer_is_visible, layer, &visible);
  renderer.kind = pool_random(worker, 2) == 0 ? ALD_RASTER_RENDERER_KIND_HILLSHADE : ALD_RASTER_RENDERER_KIND_STRETCH;
  DID(raster_layer_set_renderer, layer, &renderer);
  DID(raster_layer_get_renderer, layer, &renderer);
}

void pool_use_map(pool_worker *worker) {
  ald_error error;
  ald_spatial_reference own;
  ald_layer layer;
  uint32_t count;
  const ald_map map = POOL_PICK(ald_map, KIND_MAP);
  const ald_layer some = POOL_PICK(ald_layer, KIND_LAYER);
  DID(map_get_spatial_reference, map, &own);
  DID(map_get_layer_count, map, &count);
  DID(map_set_initial_location, map, 40.76 + pool_random(worker, 10) / 1000.0, -122.16, 50000);
  if (DID(map_get_layer_at, map, 0, &layer) && pool_random(worker, 4) == 0 && DID(map_remove_layer, map, layer))
    DID(map_add_layer, map, layer);
  DID(map_add_layer, map, some);
}

static void move_view(pool_worker *worker, ald_view view) {
  ald_error error;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  const ald_insets insets = {pool_random(worker, 10), 1, 2, pool_random(worker, 10)};
  const ald_spatial_reference reference = POOL_PICK(ald_spatial_reference, KIND_SPATIAL_REFERENCE);
  viewpoint.fields = ALD_VIEWPOINT_HAS_SCALE | ALD_VIEWPOINT_HAS_ROTATION;
  viewpoint.scale = 20000 + pool_random(worker, 200000);
  viewpoint.rotation_deg = pool_random(worker, 360);
  DID(view_set_size, view, 2 * POOL_SIDE, POOL_SIDE + pool_random(worker, 9), 1);
  DID(view_set_insets, view, &insets);
  DID(view_set_viewpoint, view, &viewpoint);
  if (pool_random(worker, 6) == 0)
    DID(view_set_center, view, (ald_point){1, 1}, reference);
  DID(view_set_scale, view, viewpoint.scale);
  DID(view_set_rotation, view, viewpoint.rotation_deg);
}

void pool_use_view(pool_worker *worker) {
  ald_error error;
  ald_map map;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  double points[2 * POINTS];
  const ald_view view = POOL_PICK(ald_view, KIND_VIEW);
  random_points(worker, points, 2 * POOL_SIDE, POOL_SIDE);
  if (DID(view_get_map, view, &map) && pool_random(worker, 8) == 0)
    ald_map_release(map);
  if (pool_random(worker, 3) == 0)
    move_view(worker, view);
  DID(view_get_state, view, &state);
  if (DID(view_screen_to_map, view, points, 0, POINTS, points, 0))
    DID(view_map_to_screen, view, points, 0, POINTS, points, 0);
}

/* The layer of a view's map, as a host finds it. */
static int find_layer(pool_worker *worker, ald_view view, ald_layer *layer) {
  ald_error error;
  ald_map map;
  return DID(view_get_map, view, &map) && DID(map_get_layer_at, map, 0, layer);
}

void pool_look_through_view(pool_worker *worker) {
  ald_error error;
  ald_layer layer;
  ald_cell cell;
  ald_band_value value;
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  double fraction, samples[POOL_SIDE * POOL_SIDE];
  uint8_t pixels[POOL_SIDE * POOL_SIDE * 4];
  int32_t columns, rows;
  const ald_point at = {pool_random(worker, 2 * POOL_SIDE), pool_random(worker, POOL_SIDE)};
  const ald_view view = POOL_PICK(ald_view, KIND_VIEW);
  if (!find_layer(worker, view, &layer))
    return;
  grid.columns = POOL_SIDE;
  grid.rows = POOL_SIDE;
  DID(view_get_layer_coverage, view, layer, &fraction);
  DID(view_read_cell, view, layer, at, &cell, &value, 1);
  DID(view_grid_size, view, NULL, &columns, &rows);
  if (pool_random(worker, 2) == 0)
    DID(view_read_rgba, view, layer, &grid, pixels, 0, sizeof pixels, NULL);
  else
    DID(view_read_values, view, layer, &grid, 1, samples, 0, sizeof samples, NULL);
}

void pool_identify(pool_worker *worker) {
  ald_error error;
  ald_layer layer;
  ald_identify_result made;
  const ald_point at = {POOL_SIDE, POOL_SIDE / 2.0};
  const ald_view view = POOL_PICK(ald_view, KIND_VIEW);
  if (find_layer(worker, view, &layer) && DID(view_identify_layer, view, layer, at, 0, 0, NULL, &made))
    pool_put(worker, KIND_RESULT, made.id);
}

/* Texts are not read here: they live as long as the result, which another thread may release at any time. */
void pool_use_result(pool_worker *worker) {
  ald_error error;
  ald_identify_result_info info = ALD_IDENTIFY_RESULT_INFO_INIT;
  ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
  ald_attribute attribute = ALD_ATTRIBUTE_INIT;
  const ald_identify_result result = POOL_PICK(ald_identify_result, KIND_RESULT);
  DID(identify_result_get_info, result, &info);
  DID(identify_result_get_element_at, result, 0, &element);
  DID(identify_result_get_attribute_at, result, 0, 0, &attribute);
  DID(identify_result_find_attribute, result, 0, "Band 1", &attribute);
}

/* Handles: when they turn stale, which object keeps which, and what is borrowed from a getter. */
#include "scene.h"

static void test_second_release(const scene *scene) {
  ald_error error;
  ald_map map;
  uint32_t count;
  const uint64_t before = live_handles(scene->runtime);
  CHECK_OK(ald_map_create(scene->runtime, scene->spatial_reference, &map, &error), &error);
  CHECK(live_handles(scene->runtime) == before + 1);
  ald_map_release(map);
  CHECK(live_handles(scene->runtime) == before);
  CHECK_STATUS(ald_map_get_layer_count(map, &count, NULL), ALD_STATUS_INVALID_HANDLE);
  ald_map_release(map);
  ald_map_release((ald_map){0});
  CHECK(live_handles(scene->runtime) == before);
}

/* Ids are not given twice, however often a slot of the table is used again. */
static void test_stale_stays_stale(const scene *scene) {
  ald_map first, next;
  uint32_t count;
  int is_stale = 1, is_new = 1;
  CHECK_STATUS(ald_map_create(scene->runtime, scene->spatial_reference, &first, NULL), ALD_STATUS_OK);
  ald_map_release(first);
  for (int i = 0; i < 100000; i++) {
    if (ald_map_create(scene->runtime, scene->spatial_reference, &next, NULL) != ALD_STATUS_OK)
      break;
    is_new = is_new && next.id != first.id;
    if (i % 1000 == 0)
      is_stale = is_stale && ald_map_get_layer_count(first, &count, NULL) == ALD_STATUS_INVALID_HANDLE;
    ald_map_release(first);
    is_stale = is_stale && ald_map_get_layer_count(next, &count, NULL) == ALD_STATUS_OK;
    ald_map_release(next);
  }
  CHECK(is_stale);
  CHECK(is_new);
}

/* The id stays valid while the library holds the object, and no longer. */
static void test_layer_outlives_release(const scene *scene) {
  ald_error error;
  ald_map map;
  ald_layer layer, lent;
  uint32_t visible;
  const uint64_t before = live_handles(scene->runtime);
  CHECK_OK(ald_map_create(scene->runtime, scene->spatial_reference, &map, &error), &error);
  CHECK_OK(ald_raster_layer_create(scene->raster, &layer, &error), &error);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  ald_layer_release(layer);
  CHECK_STATUS(ald_layer_is_visible(layer, &visible, NULL), ALD_STATUS_OK);
  ald_layer_release(layer);
  CHECK_STATUS(ald_layer_is_visible(layer, &visible, NULL), ALD_STATUS_OK);
  CHECK_OK(ald_map_get_layer_at(map, 0, &lent, &error), &error);
  CHECK(lent.id == layer.id);
  CHECK_OK(ald_map_remove_layer(map, layer, &error), &error);
  CHECK_STATUS(ald_layer_is_visible(layer, &visible, NULL), ALD_STATUS_INVALID_HANDLE);
  ald_map_release(map);
  CHECK(live_handles(scene->runtime) == before);
}

/* A view keeps its map, the map its layer, the layer its raster, the raster its spatial reference. */
static void test_view_keeps_everything(const char *path) {
  ald_error error;
  scene scene;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_cell cell;
  if (!make_scene(&scene, path))
    return;
  ald_spatial_reference_release(scene.spatial_reference);
  ald_raster_release(scene.raster);
  ald_layer_release(scene.layer);
  ald_map_release(scene.map);
  CHECK_OK(ald_view_get_state(scene.view, &state, &error), &error);
  CHECK_OK(ald_view_read_cell(scene.view, scene.layer, SCENE_MIDDLE, &cell, NULL, 0, &error), &error);
  CHECK(cell.verdict == ALD_CELL_VERDICT_VALUE);
  ald_view_release(scene.view);
  CHECK(live_handles(scene.runtime) == 1);
  CHECK_STATUS(ald_view_get_state(scene.view, &state, NULL), ALD_STATUS_INVALID_HANDLE);
  ald_runtime_release(scene.runtime);
}

static void test_getters_lend_the_same_id(const scene *scene) {
  ald_error error;
  ald_map map;
  ald_raster raster;
  ald_spatial_reference of_map, first, second;
  const uint64_t before = live_handles(scene->runtime);
  CHECK_OK(ald_view_get_map(scene->view, &map, &error), &error);
  CHECK(map.id == scene->map.id);
  CHECK_OK(ald_raster_layer_get_raster(scene->layer, &raster, &error), &error);
  CHECK(raster.id == scene->raster.id);
  CHECK_OK(ald_map_get_spatial_reference(scene->map, &of_map, &error), &error);
  CHECK(of_map.id == scene->spatial_reference.id);
  CHECK_OK(ald_raster_get_spatial_reference(scene->raster, &first, &error), &error);
  CHECK_OK(ald_raster_get_spatial_reference(scene->raster, &second, &error), &error);
  CHECK(first.id == second.id);
  CHECK(live_handles(scene->runtime) == before);
}

/* If a host releases a borrowed handle, the objects that hold it keep it. */
static void test_releasing_what_is_lent(const char *path) {
  ald_error error;
  scene scene;
  ald_spatial_reference lent, again;
  ald_spatial_reference_info info = ALD_SPATIAL_REFERENCE_INFO_INIT;
  if (!make_scene(&scene, path))
    return;
  CHECK_OK(ald_raster_get_spatial_reference(scene.raster, &lent, &error), &error);
  ald_spatial_reference_release(lent);
  CHECK_OK(ald_raster_get_spatial_reference(scene.raster, &again, &error), &error);
  CHECK_OK(ald_spatial_reference_get_info(again, &info, &error), &error);
  release_scene(&scene);
}

static void test_result_keeps_layer(const char *path) {
  ald_error error;
  scene scene;
  ald_identify_result result;
  ald_identify_part part = ALD_IDENTIFY_PART_INIT;
  uint32_t visible;
  if (!make_scene(&scene, path))
    return;
  CHECK_OK(ald_view_identify_layer(scene.view, scene.layer, SCENE_MIDDLE, 0, 0, NULL, &result, &error), &error);
  CHECK_OK(ald_identify_result_get_part_at(result, 0, &part, &error), &error);
  CHECK(part.layer.id == scene.layer.id);
  ald_view_release(scene.view);
  ald_map_release(scene.map);
  ald_layer_release(scene.layer);
  CHECK_OK(ald_identify_result_get_part_at(result, 0, &part, &error), &error);
  CHECK(part.layer.id == scene.layer.id);
  CHECK_STATUS(ald_layer_is_visible(scene.layer, &visible, NULL), ALD_STATUS_OK);
  ald_identify_result_release(result);
  CHECK_STATUS(ald_layer_is_visible(scene.layer, &visible, NULL), ALD_STATUS_INVALID_HANDLE);
  release_scene(&scene);
}

static void test_runtime_release(const char *path) {
  scene scene;
  uint64_t count;
  uint32_t number;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  ald_spatial_reference_info reference_info = ALD_SPATIAL_REFERENCE_INFO_INIT;
  if (!make_scene(&scene, path))
    return;
  ald_runtime_release(scene.runtime);
  CHECK_STATUS(ald_runtime_get_handle_count(scene.runtime, &count, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_get_state(scene.view, &state, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_map_get_layer_count(scene.map, &number, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_layer_is_visible(scene.layer, &number, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_raster_get_info(scene.raster, &info, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_spatial_reference_get_info(scene.spatial_reference, &reference_info, NULL),
               ALD_STATUS_INVALID_HANDLE);
  release_scene(&scene);
}

int main(int argc, char **argv) {
  scene scene;
  if (argc == 2 && make_scene(&scene, raster_path(argv, "Shasta_Elevation.tif"))) {
    test_second_release(&scene);
    test_stale_stays_stale(&scene);
    test_layer_outlives_release(&scene);
    test_getters_lend_the_same_id(&scene);
    release_scene(&scene);
    test_view_keeps_everything(raster_path(argv, "Shasta_Elevation.tif"));
    test_releasing_what_is_lent(raster_path(argv, "Shasta_Elevation.tif"));
    test_result_keeps_layer(raster_path(argv, "Shasta_Elevation.tif"));
    test_runtime_release(raster_path(argv, "Shasta_Elevation.tif"));
  }
  return finish();
}

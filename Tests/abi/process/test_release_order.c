/*
 * Any order of release is harmless: whole sets of objects, released in random orders, twice and by way of the runtime
 * at any moment, and used in between. And no handle outlives its runtime, even if it is just being created.
 */
#include "scene.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
  REFERENCE,
  RASTER,
  OTHER_RASTER,
  LAYER,
  OTHER_LAYER,
  MAP,
  OTHER_MAP,
  VIEW,
  OTHER_VIEW,
  RESULT,
  OTHER_RESULT,
  RUNTIME,
  OBJECTS
};
enum { ROUNDS = TRIES(200), MAKERS = 4, RACES = TRIES(100) };

/* A scene, a second map with a layer and a view of its own, and results of both. */
typedef struct set {
  scene scene;
  ald_raster raster;
  ald_layer layer;
  ald_map map;
  ald_view view;
  ald_identify_result results[2];
} set;

/* What the raster holds in the middle of the view. */
static ald_band_value expected;

static int make_set(set *set, const char *path) {
  ald_error error;
  scene *scene = &set->scene;
  const ald_view_options size = {sizeof size, 0, 2 * SCENE_MIDDLE.x, 2 * SCENE_MIDDLE.y, 0};
  return make_scene(scene, path) &&
         CHECK_OK(ald_raster_open(scene->runtime, path, NULL, &set->raster, &error), &error) &&
         CHECK_OK(ald_raster_layer_create(set->raster, &set->layer, &error), &error) &&
         CHECK_OK(ald_map_create(scene->runtime, (ald_spatial_reference){0}, &set->map, &error), &error) &&
         CHECK_OK(ald_map_add_layer(set->map, set->layer, &error), &error) &&
         CHECK_OK(ald_map_set_initial_location(set->map, 40.7624, -122.1621, 72000, &error), &error) &&
         CHECK_OK(ald_view_create(set->map, &size, &set->view, &error), &error) &&
         CHECK_OK(
             ald_view_identify_layer(scene->view, scene->layer, SCENE_MIDDLE, 0, 0, NULL, &set->results[0], &error),
             &error) &&
         CHECK_OK(ald_view_identify_layer(set->view, set->layer, SCENE_MIDDLE, 0, 0, NULL, &set->results[1], &error),
                  &error);
}

static void release(const set *set, int object) {
  switch (object) {
  case REFERENCE:
    ald_spatial_reference_release(set->scene.spatial_reference);
    break;
  case RASTER:
    ald_raster_release(set->scene.raster);
    break;
  case OTHER_RASTER:
    ald_raster_release(set->raster);
    break;
  case LAYER:
    ald_layer_release(set->scene.layer);
    break;
  case OTHER_LAYER:
    ald_layer_release(set->layer);
    break;
  case MAP:
    ald_map_release(set->scene.map);
    break;
  case OTHER_MAP:
    ald_map_release(set->map);
    break;
  case VIEW:
    ald_view_release(set->scene.view);
    break;
  case OTHER_VIEW:
    ald_view_release(set->view);
    break;
  case RESULT:
    ald_identify_result_release(set->results[0]);
    break;
  case OTHER_RESULT:
    ald_identify_result_release(set->results[1]);
    break;
  case RUNTIME:
    ald_runtime_release(set->scene.runtime);
    break;
  default:
    break;
  }
}

/* What still has its handles works as if nothing had been released, because the library keeps what it needs. */
static void use(const set *set, const int released[OBJECTS]) {
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
  ald_cell cell;
  ald_band_value value;
  ald_layer layer;
  ald_status status;
  const int gone = released[RUNTIME];
  memset(&value, 0, sizeof value);
  status = ald_view_get_state(set->scene.view, &state, NULL);
  CHECK_STATUS(status, gone || released[VIEW] ? ALD_STATUS_INVALID_HANDLE : ALD_STATUS_OK);
  /* The view keeps its map, the map its layer and the layer its raster; their ids are borrowed then. */
  status = ald_view_read_cell(set->scene.view, set->scene.layer, SCENE_MIDDLE, &cell, &value, 1, NULL);
  if (!gone && !released[VIEW] && CHECK_STATUS(status, ALD_STATUS_OK))
    CHECK(memcmp(&value, &expected, sizeof value) == 0);
  status = ald_map_get_layer_at(set->map, 0, &layer, NULL);
  if (gone || (released[OTHER_MAP] && released[OTHER_VIEW]))
    CHECK_STATUS(status, ALD_STATUS_INVALID_HANDLE);
  else
    CHECK(status == ALD_STATUS_OK && layer.id == set->layer.id);
  status = ald_identify_result_get_element_at(set->results[1], 0, &element, NULL);
  if (CHECK_STATUS(status, gone || released[OTHER_RESULT] ? ALD_STATUS_INVALID_HANDLE : ALD_STATUS_OK) && status == 0)
    CHECK(element.attribute_count > 0 && strlen(element.text) > 0);
}

static void shuffle(int order[OBJECTS], unsigned *seed) {
  for (int i = 0; i < OBJECTS; i++)
    order[i] = i;
  for (int i = OBJECTS - 1; i > 0; i--) {
    const int other = (int)((unsigned)rand_r(seed) % (unsigned)(i + 1));
    const int kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
}

static void test_random_orders(const char *path) {
  unsigned seed = 1;
  for (int round = 0; round < ROUNDS; round++) {
    set set;
    int order[OBJECTS], released[OBJECTS] = {0};
    if (!make_set(&set, path))
      return;
    shuffle(order, &seed);
    for (int i = 0; i < OBJECTS; i++) {
      /* Each third round releases the runtime last, so that every object ends by itself. */
      if (order[i] != RUNTIME || round % 3 != 0) {
        release(&set, order[i]);
        released[order[i]] = 1;
      }
      const int again = order[(unsigned)rand_r(&seed) % (unsigned)(i + 1)];
      if (released[again])
        release(&set, again);
      use(&set, released);
    }
    if (round % 3 == 0)
      CHECK(live_handles(set.scene.runtime) == 1);
    for (int i = 0; i < OBJECTS; i++)
      release(&set, i);
  }
}

/* MARK: A runtime that goes while objects are made in it */

typedef struct maker {
  ald_runtime runtime;
  unsigned number;
  ald_raster raster;
  /* The last objects that were made. */
  ald_spatial_reference reference;
  ald_map map;
  ald_layer layer;
} maker;

/* Makes objects until the runtime is gone; releases none but the last before. */
static void *make_objects(void *argument) {
  maker *maker = argument;
  for (ald_status status = ALD_STATUS_OK; status == ALD_STATUS_OK;) {
    ald_spatial_reference reference;
    ald_map map;
    ald_layer layer;
    if (maker->number % 3 == 0) {
      status = ald_spatial_reference_create_from_code(maker->runtime, NULL, 4326, &reference, NULL);
      if (status == ALD_STATUS_OK) {
        ald_spatial_reference_release(maker->reference);
        maker->reference = reference;
      }
    } else if (maker->number % 3 == 1) {
      status = ald_map_create(maker->runtime, (ald_spatial_reference){0}, &map, NULL);
      if (status == ALD_STATUS_OK) {
        ald_map_release(maker->map);
        maker->map = map;
      }
    } else {
      status = ald_raster_layer_create(maker->raster, &layer, NULL);
      if (status == ALD_STATUS_OK) {
        ald_layer_release(maker->layer);
        maker->layer = layer;
      }
    }
  }
  return NULL;
}

static void expect_nothing_alive(const maker *maker) {
  ald_spatial_reference_info info = ALD_SPATIAL_REFERENCE_INFO_INIT;
  uint32_t number;
  CHECK_STATUS(ald_spatial_reference_get_info(maker->reference, &info, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_map_get_layer_count(maker->map, &number, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_layer_is_visible(maker->layer, &number, NULL), ALD_STATUS_INVALID_HANDLE);
}

static void test_no_handle_outlives_its_runtime(const char *path) {
  for (unsigned race = 0; race < RACES; race++) {
    ald_error error;
    ald_runtime runtime;
    ald_raster raster;
    maker makers[MAKERS];
    pthread_t threads[MAKERS];
    if (!CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error) ||
        !CHECK_OK(ald_raster_open(runtime, path, NULL, &raster, &error), &error))
      return;
    for (unsigned i = 0; i < MAKERS; i++) {
      makers[i] = (maker){runtime, i, raster, {0}, {0}, {0}};
      CHECK(pthread_create(&threads[i], NULL, make_objects, &makers[i]) == 0);
    }
    sleep_ms(race % 5);
    ald_runtime_release(runtime);
    for (unsigned i = 0; i < MAKERS; i++)
      pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < MAKERS; i++)
      expect_nothing_alive(&makers[i]);
  }
}

/* MARK: What a view's middle holds */

static int learn(const char *path) {
  scene scene;
  ald_error error;
  ald_cell cell;
  memset(&expected, 0, sizeof expected);
  if (!make_scene(&scene, path) ||
      !CHECK_OK(ald_view_read_cell(scene.view, scene.layer, SCENE_MIDDLE, &cell, &expected, 1, &error), &error))
    return 0;
  release_scene(&scene);
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return finish();
  const char *path = raster_path(argv, "Shasta_Elevation.tif");
  if (learn(path)) {
    test_random_orders(path);
    test_no_handle_outlives_its_runtime(path);
  }
  return finish();
}

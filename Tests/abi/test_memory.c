/* What is released is gone: the process does not grow with the number of objects, nor of runtimes, that it has had. */
#include "scene.h"

#include <stdio.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER
#endif
#endif

/* Resident memory in bytes. */
static long resident_bytes(void) {
  long size = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL)
    return 0;
  if (fscanf(file, "%ld %ld", &size, &resident) != 2)
    resident = 0;
  fclose(file);
  return resident * sysconf(_SC_PAGESIZE);
}

static void make_and_release_runtime(const char *path) {
  scene scene;
  ald_identify_result result = {0};
  if (!make_scene(&scene, path))
    return;
  CHECK_STATUS(ald_view_identify_layer(scene.view, scene.layer, SCENE_MIDDLE, 0, 0, NULL, &result, NULL),
               ALD_STATUS_OK);
  ald_identify_result_release(result);
  release_scene(&scene);
}

static void make_and_release_objects(const scene *scene) {
  ald_layer layer;
  ald_map map;
  ald_view view;
  ald_identify_result result = {0};
  ald_spatial_reference reference;
  ald_spatial_reference_create_from_code(scene->runtime, NULL, 32633, &reference, NULL);
  ald_raster_layer_create(scene->raster, &layer, NULL);
  ald_map_create(scene->runtime, reference, &map, NULL);
  ald_map_add_layer(map, layer, NULL);
  ald_view_create(map, NULL, &view, NULL);
  ald_view_identify_layer(scene->view, scene->layer, SCENE_MIDDLE, 0, 0, NULL, &result, NULL);
  ald_identify_result_release(result);
  ald_view_release(view);
  ald_map_release(map);
  ald_layer_release(layer);
  ald_spatial_reference_release(reference);
}

/* A leaked runtime would cost about a megabyte each time. */
static void test_runtimes(const char *path) {
  for (int i = 0; i < 20; i++)
    make_and_release_runtime(path);
  const long before = resident_bytes();
  for (int i = 0; i < 60; i++)
    make_and_release_runtime(path);
  const long growth = resident_bytes() - before;
  if (!CHECK(growth < 8 * 1000 * 1000))
    printf("60 runtimes left %ld bytes\n", growth);
}

static void test_objects(const char *path) {
  scene scene;
  if (!make_scene(&scene, path))
    return;
  for (int i = 0; i < 500; i++)
    make_and_release_objects(&scene);
  const long before = resident_bytes();
  for (int i = 0; i < 5000; i++)
    make_and_release_objects(&scene);
  const long growth = resident_bytes() - before;
  if (!CHECK(growth < 4 * 1000 * 1000))
    printf("5000 sets of objects left %ld bytes\n", growth);
  release_scene(&scene);
}

int main(int argc, char **argv) {
#ifdef HAS_ADDRESS_SANITIZER
  /* AddressSanitizer keeps freed memory aside for a while. Calls are made all the same, for its own checks. */
  if (argc == 2)
    make_and_release_runtime(raster_path(argv, "Shasta_Elevation.tif"));
  (void)test_runtimes;
  (void)test_objects;
#else
  if (argc == 2) {
    test_runtimes(raster_path(argv, "Shasta_Elevation.tif"));
    test_objects(raster_path(argv, "Shasta_Elevation.tif"));
  }
#endif
  return finish();
}

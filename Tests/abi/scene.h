/**
 * @file
 * What most tests begin with: a map on a real raster, and a view of it.
 */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include "check.h"

/** A raster in the middle of a view of 200 by 100 DIP, on a map in Web Mercator. */
typedef struct scene {
  ald_runtime runtime;
  ald_spatial_reference spatial_reference;
  ald_raster raster;
  ald_layer layer;
  ald_map map;
  ald_view view;
} scene;

/** Makes a scene; a failure counts, is printed and answered by 0. */
int make_scene(scene *scene, const char *path);

/** Releases everything that the host owns, the runtime last. */
void release_scene(scene *scene);

/** How many handles of a runtime are alive. */
uint64_t live_handles(ald_runtime runtime);

/** The middle of the view of a scene. */
#define SCENE_MIDDLE ((ald_point){100, 50})

#endif

/**
 * @file
 * What most tests begin with: a map on a real raster, and a view of it.
 */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include "check.h"

/** How many threads may work on a request in a scene's runtime, whatever the machine has: there are workers. */
enum { SCENE_THREADS = 4 };

/** A raster in the middle of a view of 200 by 100 DIP, on a map in Web Mercator. */
typedef struct scene {
  /** Of the raster; lives as long as what make_scene was given. */
  const char *path;
  ald_runtime runtime;
  ald_spatial_reference spatial_reference;
  ald_raster raster;
  ald_layer layer;
  ald_map map;
  ald_view view;
} scene;

/** Creates a scene. Counts and prints a failure, and returns 0 then. */
int make_scene(scene *scene, const char *path);

/** Releases everything that the host owns, the runtime last. */
void release_scene(scene *scene);

/** What the view of a scene shows. */
typedef struct picture {
  uint8_t pixels[200 * 100 * 4];
} picture;

/** Reads the picture, with the help of workers. */
ald_status read_picture(const scene *scene, picture *picture);

/** How many handles of a runtime are alive. */
uint64_t live_handles(ald_runtime runtime);

/** The middle of the view of a scene. */
#define SCENE_MIDDLE ((ald_point){100, 50})

#endif

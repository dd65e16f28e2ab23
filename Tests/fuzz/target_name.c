/* The name that a raster is opened by, under the default policy: it may fail, and it may read local files, but it must
 * not reach outside in any other way. In the name, "$" stands for the target's folder, in which there are files. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  fuzz_start(NULL);
  fuzz_copy_raster("geomatrix.tif", "a.tif");
  fuzz_copy_raster("scale_offset.nc", "b.nc");
  fuzz_copy_raster("rat.img", "c.img");
  fuzz_copy_raster("RGB.byte.gcp.vrt", "d.vrt");
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *folder = fuzz_path("");
  const size_t length = strlen(folder) - 1;
  char *name = malloc(size * (length + 1) + 1), *end = name;
  FUZZ_REQUIRE(name);
  for (size_t i = 0; i < size; i++) {
    if (data[i] == '$') {
      memcpy(end, folder, length);
      end += length;
    } else {
      *end++ = (char)data[i];
    }
  }
  *end = 0;
  fuzz_begin();
  fuzz_open(name);
  fuzz_end();
  free(name);
  return 0;
}

/* The text of a sidecar (GDAL's .aux.xml) of a raster that is sound: tables, categories, statistics, georeference.
 * The first byte chooses the raster, so that each type of value meets each kind of fact. The rasters
 * (Tests/fuzz/rasters) have no spatial reference of their own: reading one takes longer than all the rest. */
#include "fuzz.h"

#include <stdio.h>

static const char *const drivers[] = {"GTiff", NULL};
static const char *const rasters[] = {"Byte.tif", "Float32.tif", "UInt32.tif", "CInt16.tif", "Int64.tif"};
enum { RASTERS = sizeof rasters / sizeof rasters[0] };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  fuzz_start(drivers);
  for (int i = 0; i < RASTERS; i++)
    fuzz_copy(rasters[i]);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return -1;
  char sidecar[64];
  const char *raster = rasters[data[0] % RASTERS];
  snprintf(sidecar, sizeof sidecar, "%s.aux.xml", raster);
  fuzz_write(sidecar, data + 1, size - 1);
  fuzz_begin();
  fuzz_open(fuzz_path(raster));
  fuzz_end();
  remove(fuzz_path(sidecar));
  return 0;
}

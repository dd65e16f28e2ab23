/* Names that rasters are opened by and that are no plain file of an allowed format. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The status of opening a name under a policy that allows one driver, or the default ones. */
static ald_status open_name(const char *driver, const char *name, ald_error *error) {
  ald_runtime runtime;
  ald_raster raster;
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  policy.drivers = driver ? &driver : NULL;
  policy.driver_count = driver ? 1 : 0;
  options.policy = &policy;
  if (!CHECK_OK(ald_runtime_create(&options, &runtime, error), error))
    return ALD_STATUS_INTERNAL;
  const ald_status status = ald_raster_open(runtime, name, NULL, &raster, error);
  ald_runtime_release(runtime);
  return status;
}

/* A driver that the policy leaves out is named, whether the name's ending, its beginning or the file's says so. */
static void test_missing_drivers(char **argv) {
  ald_error error;
  CHECK_STATUS(open_name("GTiff", raster_path(argv, "scale_offset.nc"), &error), ALD_STATUS_POLICY_REFUSED);
  CHECK(holds_text(error.message, "netCDF"));
  CHECK_STATUS(open_name("GTiff", raster_path(argv, "RGB.byte.rpc.vrt"), &error), ALD_STATUS_POLICY_REFUSED);
  CHECK(holds_text(error.message, "VRT"));
  CHECK_STATUS(open_name("GTiff", "<VRTDataset rasterXSize='1' rasterYSize='1'/>", &error), ALD_STATUS_POLICY_REFUSED);
  CHECK_STATUS(open_name("GTiff", "MEM:::DATAPOINTER=4096,PIXELS=1,LINES=1", &error), ALD_STATUS_POLICY_REFUSED);
  CHECK(holds_text(error.message, "MEM"));
  /* No driver is missing here: GTiff reads files of any ending. */
  CHECK_STATUS(open_name("GTiff", raster_path(argv, "LF20_EVT_220.csv"), &error), ALD_STATUS_READ_FAILED);
  CHECK_STATUS(open_name("netCDF", raster_path(argv, "scale_offset.nc"), &error), ALD_STATUS_OK);
}

/* A document is known by how it begins, whatever its name. */
static void test_documents(void) {
  ald_error error;
  char folder[] = "/tmp/alidade-names-XXXXXX", path[64];
  if (!CHECK(mkdtemp(folder)))
    return;
  snprintf(path, sizeof path, "%s/service.xml", folder);
  FILE *file = fopen(path, "w");
  if (CHECK(file)) {
    fputs("<GDAL_WMS></GDAL_WMS>", file);
    fclose(file);
    CHECK_STATUS(open_name("GTiff", path, &error), ALD_STATUS_POLICY_REFUSED);
    CHECK(holds_text(error.message, "WMS"));
  }
  unlink(path);
  rmdir(folder);
}

/* Opening a pipe would wait for somebody to write into it. */
static void test_pipes_and_devices(void) {
  ald_error error;
  char folder[] = "/tmp/alidade-names-XXXXXX", path[64];
  if (!CHECK(mkdtemp(folder)))
    return;
  snprintf(path, sizeof path, "%s/pipe.tif", folder);
  CHECK(mkfifo(path, 0600) == 0);
  alarm(20);
  CHECK_STATUS(open_name(NULL, path, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(open_name(NULL, "/dev/zero", &error), ALD_STATUS_UNSUPPORTED);
  alarm(0);
  unlink(path);
  rmdir(folder);
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  test_missing_drivers(argv);
  test_documents();
  test_pipes_and_devices();
  return finish();
}

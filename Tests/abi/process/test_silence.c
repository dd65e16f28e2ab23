/* Nothing prints: HDF5 does by itself, on every thread but the first that opens a netCDF file. */
#include "scene.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 3 };

static ald_runtime runtime;
static const char *path;

static void *open_raster(void *unused) {
  (void)unused;
  ald_error error;
  ald_raster raster;
  if (CHECK_OK(ald_raster_open(runtime, path, NULL, &raster, &error), &error))
    ald_raster_release(raster);
  return NULL;
}

int main(int argc, char **argv) {
  ald_error error;
  if (argc < 2)
    return 2;
  path = raster_path(argv, "tmmx_20190121.nc");
  char name[] = "/tmp/alidade-silence-XXXXXX";
  const char *const driver = "netCDF";
  ald_policy policy = ALD_POLICY_INIT;
  policy.flags = ALD_POLICY_ADD_DRIVERS;
  policy.drivers = &driver;
  policy.driver_count = 1;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  const int file = mkstemp(name);
  const int own = dup(STDERR_FILENO);
  if (!CHECK(file >= 0 && own >= 0) || !CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error))
    return finish();
  CHECK(unlink(name) == 0);
  CHECK(dup2(file, STDERR_FILENO) >= 0);
  for (int i = 0; i < THREADS; i++) {
    pthread_t thread;
    if (CHECK(pthread_create(&thread, NULL, open_raster, NULL) == 0))
      pthread_join(thread, NULL);
  }
  CHECK(dup2(own, STDERR_FILENO) >= 0);
  CHECK(lseek(file, 0, SEEK_END) == 0);
  ald_runtime_release(runtime);
  return finish();
}

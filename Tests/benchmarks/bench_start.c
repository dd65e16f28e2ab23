/*
 * What a host pays before the first tap: loading the library, the first runtime and the next, and memory. One process
 * measures one start; `run` starts many and takes medians. The peer does the same with GDAL and PROJ alone.
 *
 *   bench_start alidade LIBRARY RASTER
 *   bench_start gdal LIBRARY RASTER
 *
 * Links with neither: it loads the library by its path, as a host with plug-ins does.
 */
#include "bench.h"

#include <dlfcn.h>

static void *library;

static void *function(const char *name) {
  void *address = dlsym(library, name);
  if (address == NULL)
    exit(1);
  return address;
}

static void load(const char *path) {
  double start = now_ns();
  library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  result("load", now_ns() - start);
  result("load_memory", memory_bytes("VmHWM:"));
}

static void start_alidade(const char *raster_path) {
  /* ISO C has no conversion from void * to a function pointer; POSIX has, by way of memory. */
  ald_status (*create)(const ald_runtime_options *, ald_runtime *, ald_error *);
  ald_status (*open)(ald_runtime, const char *, const ald_raster_open_options *, ald_raster *, ald_error *);
  ald_status (*read)(ald_raster, const ald_cell_index *, size_t, ald_cell *, ald_band_value *, size_t, ald_error *);
  *(void **)&create = function("ald_runtime_create");
  *(void **)&open = function("ald_raster_open");
  *(void **)&read = function("ald_raster_read_cells");

  ald_runtime first, next;
  ald_raster raster;
  double start = now_ns();
  if (create(NULL, &first, NULL) != ALD_STATUS_OK)
    exit(1);
  result("first", now_ns() - start);
  start = now_ns();
  if (create(NULL, &next, NULL) != ALD_STATUS_OK)
    exit(1);
  result("next", now_ns() - start);
  result("ready_memory", memory_bytes("VmHWM:"));

  ald_cell_index index = {4000, 4000};
  ald_band_value value;
  if (open(first, raster_path, NULL, &raster, NULL) != ALD_STATUS_OK)
    exit(1);
  if (read(raster, &index, 1, NULL, &value, 1, NULL) != ALD_STATUS_OK)
    exit(1);
  result("cell", value.value);
  result("peak_memory", memory_bytes("VmHWM:"));
}

static void start_gdal(const char *raster_path) {
  void (*register_all)(void);
  void *(*new_reference)(const char *);
  int (*import)(void *, int);
  void *(*open)(const char *, int);
  void *(*band_of)(void *, int);
  const char *(*reference_of)(void *);
  int (*read)(void *, int, int, int, int, int, void *, int, int, int, int, int);
  *(void **)&register_all = function("GDALAllRegister");
  *(void **)&new_reference = function("OSRNewSpatialReference");
  *(void **)&import = function("OSRImportFromEPSG");
  *(void **)&open = function("GDALOpen");
  *(void **)&reference_of = function("GDALGetProjectionRef");
  *(void **)&band_of = function("GDALGetRasterBand");
  *(void **)&read = function("GDALRasterIO");

  double start = now_ns();
  register_all();
  if (import(new_reference(NULL), 3857) != 0)
    exit(1); /* opens proj.db */
  result("first", now_ns() - start);
  result("ready_memory", memory_bytes("VmHWM:"));

  double value = 0;
  void *dataset = open(raster_path, 0);
  /* A raster of ours knows its reference once it is open. */
  if (dataset == NULL || reference_of(dataset)[0] == 0 ||
      read(band_of(dataset, 1), 0, 4000, 4000, 1, 1, &value, 1, 1, 7 /* Float64 */, 0, 0) != 0)
    exit(1);
  result("cell", value);
  result("peak_memory", memory_bytes("VmHWM:"));
}

int main(int argument_count, char **arguments) {
  if (argument_count != 4)
    return 2;
  load(arguments[2]);
  if (strcmp(arguments[1], "alidade") == 0)
    start_alidade(arguments[3]);
  else
    start_gdal(arguments[3]);
  return 0;
}

/*
 * The library as a plug-in: opened by name in a program that is not linked to it, closed, opened again. Nothing of
 * Swift comes from outside of it.
 *
 * Arguments: the folder of rasters, the library.
 */
#include "check.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

typedef ald_status (*runtime_create_function)(const ald_runtime_options *, ald_runtime *, ald_error *);
typedef void (*runtime_release_function)(ald_runtime);
typedef ald_status (*raster_open_function)(ald_runtime, const char *, const ald_raster_open_options *, ald_raster *,
                                           ald_error *);
typedef ald_status (*read_cells_function)(ald_raster, const ald_cell_index *, size_t, ald_cell *, ald_band_value *,
                                          size_t, ald_error *);

/* What the tests call; ISO C has no cast from void * to a function. */
typedef struct functions {
  runtime_create_function runtime_create;
  runtime_release_function runtime_release;
  raster_open_function raster_open;
  read_cells_function read_cells;
} functions;

static int find(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static int find_functions(void *library, functions *found) {
  return find(library, "ald_runtime_create", &found->runtime_create) &&
         find(library, "ald_runtime_release", &found->runtime_release) &&
         find(library, "ald_raster_open", &found->raster_open) &&
         find(library, "ald_raster_read_cells", &found->read_cells);
}

static int is_swift(struct dl_phdr_info *info, size_t size, void *found) {
  (void)size;
  if (info->dlpi_name != NULL && strstr(info->dlpi_name, "libswift") != NULL)
    *(int *)found = 1;
  return 0;
}

static void use(const functions *library, const char *path) {
  static const ald_cell_index index = {100, 100};
  ald_error error;
  ald_runtime runtime;
  ald_raster raster;
  ald_cell cell;
  CHECK_OK(library->runtime_create(NULL, &runtime, &error), &error);
  CHECK_OK(library->raster_open(runtime, path, NULL, &raster, &error), &error);
  CHECK_OK(library->read_cells(raster, &index, 1, &cell, NULL, 0, &error), &error);
  CHECK(cell.verdict == ALD_CELL_VALUE);
  /* A runtime that is still there when the library is closed does no harm, either. */
  library->runtime_release(runtime);
  CHECK_OK(library->runtime_create(NULL, &runtime, &error), &error);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  char path[4096];
  snprintf(path, sizeof path, "%s/Shasta_Elevation.tif", argv[1]);
  for (int round = 0; round < 3; round++) {
    functions functions;
    int swift_is_there = 0;
    void *library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    if (!CHECK(library != NULL)) {
      printf("%s\n", dlerror());
      break;
    }
    if (CHECK(find_functions(library, &functions)))
      use(&functions, path);
    dl_iterate_phdr(is_swift, &swift_is_there);
    CHECK(!swift_is_there);
    CHECK(dlclose(library) == 0);
  }
  return finish();
}

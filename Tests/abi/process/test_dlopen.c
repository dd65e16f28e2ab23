/*
 * The library as a plug-in: opened by name in a program that is not linked to it, closed, opened again. Nothing of
 * Swift comes from outside of it. Then closed and opened while threads and workers are in it.
 *
 * Arguments: the folder of rasters, the library.
 */
#include "check.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

typedef ald_status (*runtime_create_function)(const ald_runtime_options *, ald_runtime *, ald_error *);
typedef void (*runtime_release_function)(ald_runtime);
typedef ald_status (*raster_open_function)(ald_runtime, const char *, const ald_raster_open_options *, ald_raster *,
                                           ald_error *);
typedef ald_status (*read_cells_function)(ald_raster, const ald_cell_index *, size_t, ald_cell *, ald_band_value *,
                                          size_t, ald_error *);

typedef ald_status (*raster_open_async_function)(ald_runtime, const char *, const ald_raster_open_options *,
                                                 const ald_request_options *, ald_request *, ald_error *);

/* What the tests call; ISO C has no cast from void * to a function. */
typedef struct functions {
  runtime_create_function runtime_create;
  runtime_release_function runtime_release;
  raster_open_function raster_open;
  read_cells_function read_cells;
  raster_open_async_function raster_open_async;
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
         find(library, "ald_raster_read_cells", &found->read_cells) &&
         find(library, "ald_raster_open_async", &found->raster_open_async);
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
  CHECK(cell.verdict == ALD_CELL_VERDICT_VALUE);
  /* A runtime that is still there when the library is closed does no harm, either. */
  library->runtime_release(runtime);
  CHECK_OK(library->runtime_create(NULL, &runtime, &error), &error);
}

/* MARK: Closed while it works */

enum { READERS = 3, CELLS = 4000 };

/* A host's thread that is in the library, and keeps its workers busy, while another closes it. */
typedef struct reader {
  functions library;
  const char *path;
  ald_runtime runtime;
  ald_raster raster;
  atomic_int should_stop;
  unsigned long calls;
  unsigned long failures;
} reader;

static void *read_until_stopped(void *argument) {
  static const ald_cell_index FIRST = {100, 100};
  reader *reader = argument;
  ald_cell_index indexes[CELLS];
  ald_cell cells[CELLS];
  ald_request request;
  for (int i = 0; i < CELLS; i++)
    indexes[i] = (ald_cell_index){FIRST.column + i % 200, FIRST.row + i / 20};
  for (; !atomic_load(&reader->should_stop); reader->calls++) {
    const ald_status status = reader->library.read_cells(reader->raster, indexes, CELLS, cells, NULL, 0, NULL);
    reader->failures += status != ALD_STATUS_OK || cells[0].verdict != ALD_CELL_VERDICT_VALUE;
    /* Left in flight, and released with the runtime. */
    reader->failures +=
        reader->library.raster_open_async(reader->runtime, reader->path, NULL, NULL, &request, NULL) != ALD_STATUS_OK;
  }
  return NULL;
}

static void test_closing_while_it_works(const char *library_path, const char *path) {
  static reader readers[READERS];
  pthread_t threads[READERS];
  ald_error error;
  functions library, again;
  void *handle = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  ald_runtime runtime;
  options.thread_count = 4;
  if (!CHECK(handle != NULL) || !CHECK(find_functions(handle, &library)))
    return;
  CHECK_OK(library.runtime_create(&options, &runtime, &error), &error);
  for (int i = 0; i < READERS; i++) {
    readers[i].library = library;
    readers[i].path = path;
    readers[i].runtime = runtime;
    CHECK_OK(library.raster_open(runtime, path, NULL, &readers[i].raster, &error), &error);
    CHECK(pthread_create(&threads[i], NULL, read_until_stopped, &readers[i]) == 0);
  }
  for (int round = 0; round < 20; round++) {
    sleep_ms(5);
    CHECK(dlclose(handle) == 0);
    sleep_ms(5);
    handle = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
    if (!CHECK(handle != NULL) || !CHECK(find_functions(handle, &again)))
      return;
    /* It is the same library, and knows its objects still. */
    CHECK(again.read_cells == library.read_cells);
    use(&again, path);
  }
  CHECK(dlclose(handle) == 0);
  for (int i = 0; i < READERS; i++) {
    atomic_store(&readers[i].should_stop, 1);
    pthread_join(threads[i], NULL);
    CHECK(readers[i].calls > 0 && readers[i].failures == 0);
  }
  library.runtime_release(runtime);
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
  test_closing_while_it_works(argv[2], path);
  return finish();
}

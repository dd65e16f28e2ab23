/* How many threads runtimes have: none before their first request, no more than it needs, and none when they rest. */
#include "check.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { RUNTIMES = 1000, BUSY = 100, FEW = 4, REST_SECONDS = 60 };

static ald_runtime runtimes[RUNTIMES];

/* The process's threads, this one included. */
static int thread_count(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (tasks == NULL)
    return -1;
  for (const struct dirent *entry = readdir(tasks); entry != NULL; entry = readdir(tasks))
    count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

static void *do_nothing(void *unused) {
  return unused;
}

/* Opens a raster on a worker. */
static void make_a_request(ald_runtime runtime, const char *path) {
  ald_error error;
  ald_request request = {0};
  CHECK_OK(ald_raster_open_async(runtime, path, NULL, NULL, &request, &error), &error);
  ald_request_state state = -1;
  CHECK_OK(ald_request_wait(request, 60000, &state, &error), &error);
  CHECK(state == ALD_REQUEST_STATE_SUCCEEDED);
  ald_request_release(request);
}

int main(int argc, char **argv) {
  ald_error error;
  const char *path = raster_path(argv, "Shasta_Elevation.tif");
  CHECK(argc == 2);
  /* ThreadSanitizer starts a thread of its own with the first of the program. */
  pthread_t first;
  CHECK(pthread_create(&first, NULL, do_nothing, NULL) == 0 && pthread_join(first, NULL) == 0);
  const int before = thread_count();
  CHECK(before >= 1);
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.thread_count = FEW;
  for (int i = 0; i < RUNTIMES; i++)
    CHECK_OK(ald_runtime_create(&options, &runtimes[i], &error), &error);
  CHECK(thread_count() == before);
  /* The first request starts a thread, and not one per processor. */
  for (int i = 0; i < BUSY; i++) {
    make_a_request(runtimes[i], path);
    /* Earlier ones may rest long enough to end meanwhile, on a busy machine. */
    const int threads = thread_count();
    CHECK(threads > before && threads <= before + i + 1);
  }
  int seconds = 0;
  while (thread_count() > before && seconds++ < REST_SECONDS)
    sleep(1);
  CHECK(thread_count() == before);
  /* They come again when there is work again. */
  make_a_request(runtimes[0], path);
  CHECK(thread_count() == before + 1);
  for (int i = 0; i < RUNTIMES; i++)
    ald_runtime_release(runtimes[i]);
  return finish();
}

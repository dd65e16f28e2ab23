#include "busy.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MAX_THREADS = 64, POINTS = 200 };

static pthread_t threads[MAX_THREADS];
static unsigned thread_count;
static atomic_int should_stop;
static atomic_ulong calls;
static atomic_ulong completions;

static void count_completion(ald_request request, void *count) {
  (void)request;
  atomic_fetch_add((atomic_ulong *)count, 1);
}

/* Loads and requests that are in flight when the next ones are made; a few are waited for. */
static void make_requests(const scene *scene, ald_point at) {
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  ald_request opening, identifying;
  ald_request_state state;
  ald_event events[8];
  size_t count;
  options.completion = count_completion;
  options.user_data = &completions;
  options.replace_key = 1;
  if (ald_raster_open_async(scene->runtime, scene->path, NULL, NULL, &opening, NULL) == ALD_STATUS_OK) {
    if (atomic_load(&calls) % 8 == 0)
      ald_request_wait(opening, 10, &state, NULL);
    ald_request_release(opening);
  }
  if (ald_view_identify_layer_async(scene->view, scene->layer, at, 0, 0, NULL, &options, &identifying, NULL) ==
      ALD_STATUS_OK)
    ald_request_release(identifying);
  ald_runtime_pump(scene->runtime, 1, NULL, NULL);
  ald_runtime_poll_events(scene->runtime, events, 8, &count, NULL);
}

/* Every kind of work that holds the gate: reading blocks, projecting, opening; on this thread and on the library's
 * workers. */
static void work_once(const scene *scene, unsigned *seed) {
  picture picture;
  double points[2 * POINTS];
  ald_cell cells[POINTS];
  ald_identify_result result;
  ald_point at = {(double)(rand_r(seed) % 200), (double)(rand_r(seed) % 100)};
  for (int i = 0; i < 2 * POINTS; i++)
    points[i] = rand_r(seed) % 200;
  ald_view_screen_to_map(scene->view, points, 0, POINTS, points, 0, NULL);
  ald_raster_read_points(scene->raster, scene->spatial_reference, points, 0, POINTS, cells, NULL, 0, NULL);
  if (ald_view_identify_layer(scene->view, scene->layer, at, 0, 0, NULL, &result, NULL) == ALD_STATUS_OK)
    ald_identify_result_release(result);
  if (rand_r(seed) % 4 == 0)
    read_picture(scene, &picture);
  make_requests(scene, at);
}

static void *work(void *argument) {
  const scene *scene = argument;
  unsigned seed = (unsigned)(size_t)&seed;
  while (!atomic_load(&should_stop)) {
    work_once(scene, &seed);
    atomic_fetch_add(&calls, 1);
  }
  return NULL;
}

int start_threads(const scene *scene, unsigned count) {
  atomic_store(&should_stop, 0);
  for (thread_count = 0; thread_count < count && thread_count < MAX_THREADS; thread_count++)
    if (pthread_create(&threads[thread_count], NULL, work, (void *)scene) != 0)
      return -1;
  return 0;
}

void stop_threads(void) {
  atomic_store(&should_stop, 1);
  for (unsigned i = 0; i < thread_count; i++)
    pthread_join(threads[i], NULL);
}

int wait_until_busy(void) {
  for (int wait = 0; wait < 10000 && busy_calls() < 4ul * thread_count; wait++)
    sleep_ms(1);
  return busy_calls() >= 4ul * thread_count;
}

unsigned threads_of_process(void) {
  unsigned count = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (tasks == NULL)
    return 0;
  for (struct dirent *entry = readdir(tasks); entry != NULL; entry = readdir(tasks))
    count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

unsigned long busy_completions(void) {
  return atomic_load(&completions);
}

unsigned long busy_calls(void) {
  return atomic_load(&calls);
}

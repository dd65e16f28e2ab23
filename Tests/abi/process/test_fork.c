/*
 * Fork while threads are in the library: in the child the parent's handles answer FORKED, a new runtime works, and
 * nothing hangs.
 */
#include "busy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A thread that holds the gate may be off the processor for longer than a fork waits, on a machine with more to do. */
enum { FORKS = TRIES(60), MOST_TOLD_TO_SPAWN = (FORKS + 19) / 20, THREADS = 4, CHILD_SECONDS = 20 };

/* What a child found wrong; its exit status. */
typedef enum finding {
  FINDING_NONE,
  FINDING_HANDLE_NOT_FORKED,
  FINDING_RELEASE_FAILED,
  FINDING_NO_RUNTIME,
  /* The fork did not wait for a thread that took long; an error says to the child what to do instead. */
  FINDING_TOLD_TO_SPAWN,
  FINDING_NO_PICTURE,
  FINDING_OTHER_PICTURE,
  FINDING_NO_WORKERS
} finding;

/* What parent and children see. */
static picture expected;

static finding look_at_old_handles(const scene *scene) {
  ald_error error;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_cell cell;
  uint64_t count;
  ald_map map;
  const int all_forked =
      ald_view_get_state(scene->view, &state, &error) == ALD_STATUS_FORKED && holds_text(error.message, "fork") &&
      ald_view_read_cell(scene->view, scene->layer, SCENE_MIDDLE, &cell, NULL, 0, NULL) == ALD_STATUS_FORKED &&
      ald_runtime_get_handle_count(scene->runtime, &count, NULL) == ALD_STATUS_FORKED &&
      ald_map_create(scene->runtime, (ald_spatial_reference){0}, &map, NULL) == ALD_STATUS_FORKED && map.id == 0;
  /* Finalizers of the host run in the child, too. */
  ald_view_release(scene->view);
  ald_raster_release(scene->raster);
  ald_runtime_release(scene->runtime);
  return all_forked ? FINDING_NONE : FINDING_HANDLE_NOT_FORKED;
}

/* Everything anew in the child, workers too. */
static finding use_new_runtime(const char *path) {
  static picture picture;
  scene own;
  ald_runtime runtime;
  ald_error error;
  const ald_status status = ald_runtime_create(NULL, &runtime, &error);
  if (status == ALD_STATUS_FORKED && holds_text(error.message, "spawn"))
    return FINDING_TOLD_TO_SPAWN;
  if (status != ALD_STATUS_OK || !make_scene(&own, path))
    return FINDING_NO_RUNTIME;
  if (read_picture(&own, &picture) != ALD_STATUS_OK)
    return FINDING_NO_PICTURE;
  if (memcmp(&picture, &expected, sizeof picture) != 0)
    return FINDING_OTHER_PICTURE;
  if (threads_of_process() < 2)
    return FINDING_NO_WORKERS;
  release_scene(&own);
  ald_runtime_release(runtime);
  return FINDING_NONE;
}

/*
 * Never returns. Children end as hosts' do: half of them by way of exit handlers. A child that has to spawn has locks
 * of PROJ that nobody will unlock, and PROJ's own exit handlers take them.
 */
static void live_as_child(const scene *scene, const char *path, int by_exit) {
  alarm(CHILD_SECONDS);
  finding finding = look_at_old_handles(scene);
  if (finding == FINDING_NONE)
    finding = use_new_runtime(path);
  if (by_exit && finding != FINDING_TOLD_TO_SPAWN)
    exit(finding);
  _exit(finding);
}

/* Returns whether the error asked the child to spawn. */
static int test_child(const scene *scene, const char *path, int number) {
  int status = 0;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0)
    live_as_child(scene, path, number % 2);
  CHECK(child > 0);
  CHECK(waitpid(child, &status, 0) == child);
  if (WIFSIGNALED(status))
    printf("child %d ended by signal %d\n", number, WTERMSIG(status));
  const int told_to_spawn = WIFEXITED(status) && WEXITSTATUS(status) == FINDING_TOLD_TO_SPAWN;
  if (WIFEXITED(status) && WEXITSTATUS(status) != FINDING_NONE && !told_to_spawn)
    printf("child %d ended with finding %d\n", number, WEXITSTATUS(status));
  CHECK(told_to_spawn || (WIFEXITED(status) && WEXITSTATUS(status) == FINDING_NONE));
  return told_to_spawn;
}

/* The positions in this process's files, by descriptor; -1 where there is none. */
static void look_at_places(off_t *places, int count) {
  for (int descriptor = 0; descriptor < count; descriptor++)
    places[descriptor] = lseek(descriptor, 0, SEEK_CUR);
}

/*
 * Files that are open at a fork share their positions with the child's. The C library moves them when the child exits;
 * a parent that reads after that would read other bytes.
 */
static void test_places_in_files(const scene *scene) {
  enum { DESCRIPTORS = 64 };
  static picture picture;
  off_t before[DESCRIPTORS], after[DESCRIPTORS];
  int open_count = 0;
  CHECK_STATUS(read_picture(scene, &picture), ALD_STATUS_OK);
  fflush(stdout);
  look_at_places(before, DESCRIPTORS);
  const pid_t child = fork();
  if (child == 0)
    exit(0);
  CHECK(child > 0);
  CHECK(waitpid(child, NULL, 0) == child);
  look_at_places(after, DESCRIPTORS);
  for (int descriptor = 3; descriptor < DESCRIPTORS; descriptor++) {
    CHECK(before[descriptor] == after[descriptor]);
    open_count += before[descriptor] > 0;
  }
  CHECK(open_count > 0);
}

int main(int argc, char **argv) {
  scene scene;
  if (argc == 2 && make_scene(&scene, raster_path(argv, "Shasta_Elevation.tif"))) {
    const char *path = raster_path(argv, "Shasta_Elevation.tif");
    static picture picture;
    int told_to_spawn = 0;
    CHECK_STATUS(read_picture(&scene, &expected), ALD_STATUS_OK);
    test_places_in_files(&scene);
    CHECK(start_threads(&scene, THREADS) == 0);
    CHECK(wait_until_busy());
    /* In addition to these and the main thread there are the library's workers. */
    CHECK(threads_of_process() > THREADS + 1);
    for (int i = 0; i < FORKS; i++) {
      const unsigned long before = busy_calls();
      told_to_spawn += test_child(&scene, path, i);
      /* The parent's threads go on. */
      for (int wait = 0; wait < 5000 && busy_calls() == before; wait++)
        sleep_ms(1);
      CHECK(busy_calls() > before);
    }
    stop_threads();
    CHECK(busy_completions() > 0);
    printf("%d of %d children had to spawn\ntries: %d\n", told_to_spawn, FORKS, FORKS);
    CHECK(told_to_spawn <= MOST_TOLD_TO_SPAWN);
    CHECK_STATUS(read_picture(&scene, &picture), ALD_STATUS_OK);
    CHECK(memcmp(&picture, &expected, sizeof picture) == 0);
    release_scene(&scene);
  }
  return finish();
}

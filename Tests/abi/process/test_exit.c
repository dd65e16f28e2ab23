/*
 * A process that ends while its threads and the library's workers are at work ends as it says, in whatever way it ends:
 * no signal, no hang, the status that was given.
 */
#include "busy.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Tests/run --long repeats the test, so that each way comes more than 100 times. */
enum { TIMES = TRIES(20), THREADS = 4, CHILD_SECONDS = 30, SET_UP_FAILED = 99, HANDLER_FAILED = 98 };

typedef enum way {
  WAY_RETURN_FROM_MAIN,
  WAY_EXIT,
  WAY_EXIT_ON_THREAD,
  WAY_EXIT_AFTER_RELEASE,
  /* The main thread has gone by then. */
  WAY_EXIT_WITHOUT_MAIN_THREAD,
  /* A handler that the host registered first, and that therefore runs last, calls the library. */
  WAY_EXIT_WITH_HANDLER,
  WAY_QUICK_EXIT,
  WAY_EXIT_AT_ONCE,
  WAYS
} way;

static const char *const NAMES[WAYS] = {"return from main",
                                        "exit",
                                        "exit on another thread",
                                        "exit after release",
                                        "exit without main thread",
                                        "exit with a handler that calls the library",
                                        "quick_exit",
                                        "_exit"};

static scene shared;

static void *exit_on_another_thread(void *status) {
  sleep_ms(2);
  exit(*(int *)status);
}

/* Calls do no harm then, and say why nothing comes of them. */
static void call_in_handler(void) {
  ald_error error;
  ald_runtime runtime;
  ald_cell cell;
  const int is_right =
      ald_view_read_cell(shared.view, shared.layer, SCENE_MIDDLE, &cell, NULL, 0, &error) == ALD_STATUS_SHUTTING_DOWN &&
      ald_runtime_create(NULL, &runtime, &error) == ALD_STATUS_SHUTTING_DOWN && runtime.id == 0;
  release_scene(&shared);
  if (!is_right)
    _exit(HANDLER_FAILED);
}

/*
 * Returns the status that main returns, or does not return. The library is used in children alone: this parent has no
 * threads when it forks.
 */
static int live_as_child(const char *path, way way, int number) {
  static int status;
  pthread_t thread;
  status = number * WAYS % 50 + way;
  alarm(CHILD_SECONDS);
  if (way == WAY_EXIT_WITH_HANDLER && atexit(call_in_handler) != 0)
    _exit(SET_UP_FAILED);
  if (!make_scene(&shared, path) || start_threads(&shared, THREADS) != 0)
    _exit(SET_UP_FAILED);
  /* Some end while the first calls are being made, some when everything is in full swing. */
  if (number % 2 == 0 && !wait_until_busy())
    _exit(SET_UP_FAILED);
  sleep_ms((unsigned)number % 7);
  switch (way) {
  case WAY_RETURN_FROM_MAIN:
    return status;
  case WAY_EXIT_ON_THREAD:
    if (pthread_create(&thread, NULL, exit_on_another_thread, &status) == 0)
      pthread_join(thread, NULL);
    break;
  case WAY_EXIT_WITHOUT_MAIN_THREAD:
    if (pthread_create(&thread, NULL, exit_on_another_thread, &status) == 0)
      pthread_exit(NULL);
    break;
  case WAY_EXIT_AFTER_RELEASE:
    release_scene(&shared);
    break;
  case WAY_QUICK_EXIT:
    quick_exit(status);
  case WAY_EXIT_AT_ONCE:
    _exit(status);
  default:
    break;
  }
  exit(status);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return finish();
  const char *path = raster_path(argv, "Shasta_Elevation.tif");
  for (int i = 0; i < TIMES * WAYS; i++) {
    const way way = i % WAYS;
    const int number = i / WAYS;
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
      return live_as_child(path, way, number);
    CHECK(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status))
      printf("%s, time %d: ended by signal %d\n", NAMES[way], number, WTERMSIG(status));
    else if (WEXITSTATUS(status) != number * WAYS % 50 + way)
      printf("%s, time %d: ended with status %d\n", NAMES[way], number, WEXITSTATUS(status));
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == number * WAYS % 50 + (int)way);
  }
  printf("tries: %d\n", TIMES * WAYS);
  return finish();
}

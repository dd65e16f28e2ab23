/* A process that ends while its threads are in the library ends as it says: no signal, no hang. */
#include "busy.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 100, THREADS = 4, CHILD_SECONDS = 30, SET_UP_FAILED = 99 };

static void *exit_on_another_thread(void *status) {
  exit(*(int *)status);
}

/* Never returns. The library is used in children alone: this parent has no threads when it forks. */
static void live_as_child(const char *path, int number) {
  scene scene;
  pthread_t thread;
  int status = number % 50;
  alarm(CHILD_SECONDS);
  if (!make_scene(&scene, path) || start_threads(&scene, THREADS) != 0)
    _exit(SET_UP_FAILED);
  sleep_ms(1 + (unsigned)number % 17);
  if (number % 4 == 1)
    release_scene(&scene);
  if (number % 4 == 2 && pthread_create(&thread, NULL, exit_on_another_thread, &status) == 0)
    pthread_join(thread, NULL);
  exit(status);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return finish();
  const char *path = raster_path(argv, "Shasta_Elevation.tif");
  for (int i = 0; i < PROCESSES; i++) {
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
      live_as_child(path, i);
    CHECK(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status))
      printf("process %d ended by signal %d\n", i, WTERMSIG(status));
    else if (WEXITSTATUS(status) != i % 50)
      printf("process %d ended with status %d\n", i, WEXITSTATUS(status));
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == i % 50);
  }
  return finish();
}

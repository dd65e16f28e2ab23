/* Threads create a process's first runtimes at the same moment: GDAL 3.6 crashes if they register its drivers so. */
#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = TRIES(60), THREADS = 8, CHILD_SECONDS = 30 };

static pthread_barrier_t all_ready;

/* Returns NULL if the runtime was created. */
static void *make_runtime(void *unused) {
  (void)unused;
  ald_runtime runtime;
  ald_error error;
  pthread_barrier_wait(&all_ready);
  const ald_status status = ald_runtime_create(NULL, &runtime, &error);
  if (status != ALD_STATUS_OK)
    return "failed";
  ald_runtime_release(runtime);
  return NULL;
}

/* Never returns. The library is used in children alone, so that each has its own first time. */
static void live_as_child(void) {
  pthread_t threads[THREADS];
  int failed = 0;
  alarm(CHILD_SECONDS);
  pthread_barrier_init(&all_ready, NULL, THREADS);
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, make_runtime, NULL) != 0)
      _exit(2);
  for (int i = 0; i < THREADS; i++) {
    void *answer;
    pthread_join(threads[i], &answer);
    failed |= answer != NULL;
  }
  exit(failed);
}

int main(void) {
  for (int i = 0; i < PROCESSES; i++) {
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
      live_as_child();
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  return finish();
}

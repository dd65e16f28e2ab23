/*
 * Eight threads make, use and release everything at random, each other's objects and runtimes too: every call ends as
 * it should, every cell that is read is right, and nothing is left over. Under ThreadSanitizer: without a report.
 */
#include "pool.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#ifdef HAS_THREAD_SANITIZER
enum { SECONDS = 20 };
#else
enum { SECONDS = 5 };
#endif

enum { THREADS = 8, LAST_TURN_SECONDS = 180, TIME_LIMIT_SECONDS = 240 };

static time_t end;

static time_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

static void *work(void *worker) {
  while (now() < end)
    pool_act(worker);
  return NULL;
}

static void look_at(const pool_worker *worker) {
  if (!CHECK(worker->astray == 0))
    printf("%lu calls went astray, the last of them %s with status %d: %s\n", worker->astray,
           action_name(worker->astray_action), worker->astray_error.status, worker->astray_error.message);
  CHECK(worker->wrong_cells == 0);
}

/* Whether every action has worked, and how many calls in all. */
static int has_done_everything(const pool_worker workers[THREADS], unsigned long *calls, int is_last) {
  int missing = 0;
  *calls = 0;
  for (action action = 0; action < ACTIONS; action++) {
    unsigned long succeeded = 0;
    for (unsigned i = 0; i < THREADS; i++)
      succeeded += workers[i].succeeded[action];
    *calls += succeeded;
    missing += succeeded == 0;
    if (is_last && !CHECK(succeeded > 0))
      printf("%s never worked\n", action_name(action));
  }
  return missing == 0;
}

static void run_threads(pool_worker workers[THREADS]) {
  pthread_t threads[THREADS];
  end = now() + SECONDS;
  for (unsigned i = 0; i < THREADS; i++)
    CHECK(pthread_create(&threads[i], NULL, work, &workers[i]) == 0);
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
  static pool_worker workers[THREADS];
  unsigned long calls = 0;
  if (argc != 2 || !pool_begin(argv[1]))
    return finish();
  alarm(TIME_LIMIT_SECONDS);
  for (unsigned i = 0; i < THREADS; i++) {
    workers[i].seed = i + 1;
    workers[i].folder = argv[1];
  }
  /* Once, and again where a slow machine has not come round to everything. */
  const time_t last_turn = now() + LAST_TURN_SECONDS;
  do
    run_threads(workers);
  while (!has_done_everything(workers, &calls, 0) && now() < last_turn);
  has_done_everything(workers, &calls, 1);
  for (unsigned i = 0; i < THREADS; i++)
    look_at(&workers[i]);
  printf("%lu calls worked\n", calls);
  CHECK(pool_completions() > 0);
  CHECK(pool_end() == 0);
  return finish();
}

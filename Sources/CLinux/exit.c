/* The end of the process, for the gate. */
#define _GNU_SOURCE
#include "CLinux.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static _Atomic(void (*)(int)) last_function;
static atomic_int exit_status;

static void remember_status(int status, void *unused) {
  (void)unused;
  atomic_store(&exit_status, status);
}

/* A library's destructors run after all exit handlers, and before the destructors of the libraries that it needs. */
__attribute__((destructor)) static void run_last_function(void) {
  void (*function)(int) = atomic_load(&last_function);
  if (function)
    function(atomic_load(&exit_status));
}

int alidade_before_libraries_end(void (*function)(int status)) {
  atomic_store(&last_function, function);
  return on_exit(remember_status, NULL);
}

static void *flush_all(void *unused) {
  fflush(NULL);
  return unused;
}

void alidade_end_process(int status) {
  pthread_t thread;
  struct timespec until;
  if (pthread_create(&thread, NULL, flush_all, NULL) == 0 && clock_gettime(CLOCK_REALTIME, &until) == 0) {
    ++until.tv_sec;
    pthread_timedjoin_np(thread, NULL, &until);
  }
  _exit(status);
}

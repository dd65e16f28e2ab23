/* What Linux has and Swift's Glibc module leaves out. */
#ifndef ALIDADE_CLINUX_H
#define ALIDADE_CLINUX_H

#include <sys/eventfd.h>
#include <sys/types.h>

extern pid_t gettid(void);

/* The C library's part of C++'s thread_local: what runs when a thread ends, and on the thread that calls exit before
 * anything else that runs at exit. */
extern int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *dso);
extern void *__dso_handle __attribute__((visibility("hidden")));

/* 0: the function runs at the calling thread's end. */
static inline int alidade_at_thread_end(void (*function)(void *)) {
  return __cxa_thread_atexit_impl(function, 0, &__dso_handle);
}

/* Has a function run with the status of exit after all exit handlers, before the libraries that this one needs are
 * taken down. 0: it will run. */
int alidade_before_libraries_end(void (*function)(int status));

/* Ends the process after its streams are flushed, for a second at most: one may be locked by a thread that waits. No
 * more exit handlers and destructors run. */
void alidade_end_process(int status) __attribute__((noreturn));

#endif

/* What Linux has and Swift's Glibc module leaves out. */
#ifndef ALIDADE_CLINUX_SHIM_H
#define ALIDADE_CLINUX_SHIM_H

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

#endif

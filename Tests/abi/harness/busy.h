/**
 * @file
 * Threads that keep the library busy reading and projecting, for tests of what happens meanwhile.
 */
#ifndef TESTS_BUSY_H
#define TESTS_BUSY_H

#include "scene.h"

/** Starts threads that read cells of a scene, and make requests, until stop_threads; -1 if one cannot be started. */
int start_threads(const scene *scene, unsigned count);
void stop_threads(void);

/** Waits until the threads are past their first calls, which take longer. Returns 0 if that does not happen. */
int wait_until_busy(void);

/** How many threads the process has, the library's workers among them. */
unsigned threads_of_process(void);

/** How many calls the threads have made so far. */
unsigned long busy_calls(void);

/** How many completions of their requests have been called. */
unsigned long busy_completions(void);

#endif

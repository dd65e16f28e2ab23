/**
 * @file
 * Threads that keep the library busy reading and projecting, for tests of what happens meanwhile.
 */
#ifndef TESTS_BUSY_H
#define TESTS_BUSY_H

#include "scene.h"

/** Starts threads that read cells of a scene until stop_threads; -1 if one cannot be started. */
int start_threads(const scene *scene, unsigned count);
void stop_threads(void);

/** How many calls the threads have made so far. */
unsigned long busy_calls(void);

#endif

/**
 * @file
 * Workers that are kept busy: each opens a file that another holds a lease on, and sleeps in the system meanwhile.
 */
#ifndef TESTS_BLOCKER_H
#define TESTS_BLOCKER_H

#include "check.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MAX_BLOCKED = 256 };

/** Requests that wait for a file until unblock_workers, or for 45 seconds: the system breaks a lease then. */
typedef struct blocker {
  char path[64];
  unsigned count;
  ald_request requests[MAX_BLOCKED];
  int file;
} blocker;

/**
 * Has every worker that the runtime may have open the file, and waits until they do. `options` is for each of the
 * requests. Counts a failure and returns 0 then.
 */
int block_workers(blocker *blocker, ald_runtime runtime, const ald_request_options *options);

/** Lets the workers go on: the file turns out to be no raster. */
void unblock_workers(blocker *blocker);

/** Releases the requests and removes the file; to be called after unblock_workers. */
void end_blocker(blocker *blocker);

/** The state of a request; -1 if it cannot be asked. */
ald_request_state state_of(ald_request request);

#endif

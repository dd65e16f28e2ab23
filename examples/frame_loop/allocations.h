/* Counts what a thread allocates, in all of the process: the allocator of the C library is called through functions of
 * this program. */
#ifndef FRAME_LOOP_ALLOCATIONS_H
#define FRAME_LOOP_ALLOCATIONS_H

#include <stdint.h>

/* How often the calling thread has allocated memory. */
uint64_t allocations_of_this_thread(void);

#endif

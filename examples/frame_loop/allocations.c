#include "allocations.h"

#include <errno.h>
#include <stddef.h>

/* What glibc calls its own functions. A function of the program comes before that of a shared library of the same name,
 * for the shared libraries too. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local uint64_t count_of_this_thread;

uint64_t allocations_of_this_thread(void) {
  return count_of_this_thread;
}

void *malloc(size_t size) {
  count_of_this_thread++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_of_this_thread++;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  count_of_this_thread++;
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count_of_this_thread++;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *made = memalign(alignment, size);
  if (made == NULL)
    return ENOMEM;
  *memory = made;
  return 0;
}

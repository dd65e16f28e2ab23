#include "blocker.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How many threads of this process sleep in opening a FIFO, as the system tells. */
static unsigned sleeping_in_fifo(void) {
  char line[128] = "";
  unsigned count = 0;
  FILE *list = popen("cat /proc/$PPID/task/*/wchan 2>/dev/null | grep -o -E 'wait_for_partner|fifo_open' | wc -l", "r");
  if (list != NULL) {
    if (fgets(line, sizeof line, list) != NULL)
      count = (unsigned)strtoul(line, NULL, 10);
    pclose(list);
  }
  return count;
}

int block_workers(blocker *blocker, ald_runtime runtime, const ald_request_options *options) {
  ald_error error;
  memset(blocker, 0, sizeof *blocker);
  snprintf(blocker->path, sizeof blocker->path, "/tmp/alidade-fifo-%ld-XXXXXX", (long)getpid());
  if (!CHECK(mkdtemp(blocker->path) != NULL))
    return 0;
  strcat(blocker->path, "/fifo");
  if (!CHECK(mkfifo(blocker->path, 0600) == 0))
    return 0;
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  blocker->count = processors < MAX_BLOCKED ? (unsigned)processors : MAX_BLOCKED;
  for (unsigned i = 0; i < blocker->count; i++) {
    if (!CHECK_OK(ald_raster_open_async(runtime, blocker->path, NULL, options, &blocker->requests[i], &error), &error))
      return 0;
    /* Until a worker is on it. Where the system does not tell, time must do. */
    for (unsigned k = 0; k < 50 && sleeping_in_fifo() < i + 1; k++)
      sleep_ms(10);
  }
  return 1;
}

/* A library may open a file more than once: there is a writer each time, who has nothing to say. */
static void *write_nothing(void *argument) {
  blocker *blocker = argument;
  while (!atomic_load(&blocker->should_stop)) {
    const int file = open(blocker->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0)
      close(file);
    sleep_ms(1);
  }
  return NULL;
}

void unblock_workers(blocker *blocker) {
  CHECK(pthread_create(&blocker->thread, NULL, write_nothing, blocker) == 0);
}

void end_blocker(blocker *blocker) {
  for (unsigned i = 0; i < blocker->count; i++)
    ald_request_release(blocker->requests[i]);
  /* A worker whose request has ended may be in the driver still. */
  sleep_ms(100);
  atomic_store(&blocker->should_stop, 1);
  pthread_join(blocker->thread, NULL);
  unlink(blocker->path);
  *strrchr(blocker->path, '/') = '\0';
  rmdir(blocker->path);
}

ald_request_state state_of(ald_request request) {
  ald_request_info info = ALD_REQUEST_INFO_INIT;
  return ald_request_get_info(request, &info, NULL) == ALD_STATUS_OK ? info.state : -1;
}

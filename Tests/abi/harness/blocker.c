/* For F_SETLEASE. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "blocker.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many threads of this process wait for a lease, according to the system. */
static unsigned waiting_for_lease(void) {
  char line[128] = "";
  unsigned count = 0;
  FILE *list = popen("cat /proc/$PPID/task/*/wchan 2>/dev/null | grep -o __break_lease | wc -l", "r");
  if (list != NULL) {
    if (fgets(line, sizeof line, list) != NULL)
      count = (unsigned)strtoul(line, NULL, 10);
    pclose(list);
  }
  return count;
}

/* How many workers a runtime may have, as its report says; 0 if it does not. */
static unsigned worker_limit(ald_runtime runtime) {
  static const char name[] = "\"worker_limit\": ";
  size_t size = 0;
  if (ald_runtime_get_report(runtime, ALD_REPORT_FORMAT_JSON, NULL, 0, &size, NULL) != ALD_STATUS_OK)
    return 0;
  /* The capacity allows for what may be added meanwhile. */
  char *report = calloc(1, size + 65536);
  unsigned limit = 0;
  if (report &&
      ald_runtime_get_report(runtime, ALD_REPORT_FORMAT_JSON, report, size + 65536, NULL, NULL) == ALD_STATUS_OK) {
    const char *found = strstr(report, name);
    if (found)
      limit = (unsigned)strtoul(found + sizeof name - 1, NULL, 10);
  }
  free(report);
  return limit;
}

int block_workers(blocker *blocker, ald_runtime runtime, const ald_request_options *options) {
  ald_error error;
  memset(blocker, 0, sizeof *blocker);
  /* A signal notifies the holder of a lease when somebody wants the file. */
  signal(SIGIO, SIG_IGN);
  snprintf(blocker->path, sizeof blocker->path, "/tmp/alidade-slow-XXXXXX");
  blocker->file = mkostemp(blocker->path, O_CLOEXEC);
  if (!CHECK(blocker->file >= 0 && write(blocker->file, "no raster", 9) == 9) ||
      !CHECK(fcntl(blocker->file, F_SETLEASE, F_WRLCK) == 0))
    return 0;
  blocker->count = worker_limit(runtime);
  if (!CHECK(blocker->count > 0 && blocker->count <= MAX_BLOCKED))
    return 0;
  for (unsigned i = 0; i < blocker->count; i++) {
    if (!CHECK_OK(ald_raster_open_async(runtime, blocker->path, NULL, options, &blocker->requests[i], &error), &error))
      return 0;
    /* Until a worker is on it. Where the system does not report that, time must do. */
    for (unsigned k = 0; k < 50 && waiting_for_lease() < i + 1; k++)
      sleep_ms(10);
    CHECK(state_of(blocker->requests[i]) == ALD_REQUEST_STATE_PENDING);
  }
  return 1;
}

void unblock_workers(blocker *blocker) {
  CHECK(fcntl(blocker->file, F_SETLEASE, F_UNLCK) == 0);
}

void end_blocker(blocker *blocker) {
  for (unsigned i = 0; i < blocker->count; i++)
    ald_request_release(blocker->requests[i]);
  close(blocker->file);
  unlink(blocker->path);
}

ald_request_state state_of(ald_request request) {
  ald_request_info info = ALD_REQUEST_INFO_INIT;
  return ald_request_get_info(request, &info, NULL) == ALD_STATUS_OK ? info.state : -1;
}

/* Events, the wake descriptor, pumping, the log, and a runtime that goes while others use it. */
#include "blocker.h"
#include "scene.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAITERS = 8, FORKS = 40, LOG_CAPACITY = 1024 };

static scene stage;

static ald_request identify(const ald_request_options *options) {
  ald_error error;
  ald_request request;
  CHECK_OK(ald_view_identify_layer_async(stage.view, stage.layer, SCENE_MIDDLE, 0, 0, NULL, options, &request, &error),
           &error);
  return request;
}

static size_t waiting_events(void) {
  size_t count = 999;
  CHECK_STATUS(ald_runtime_next_events(stage.runtime, NULL, 0, &count, NULL), ALD_STATUS_OK);
  return count;
}

static size_t take_events(ald_event *events, size_t room) {
  size_t count = 999;
  CHECK_STATUS(ald_runtime_next_events(stage.runtime, events, room, &count, NULL), ALD_STATUS_OK);
  return count;
}

static int is_readable(int fd, int timeout_ms) {
  struct pollfd entry = {fd, POLLIN, 0};
  return poll(&entry, 1, timeout_ms) == 1 && (entry.revents & POLLIN) != 0;
}

static void count_call(ald_request request, void *user_data) {
  CHECK(state_of(request) != ALD_REQUEST_PENDING);
  ++*(int *)user_data;
}

static void *poll_thread(void *fd) {
  return is_readable(*(int *)fd, 20000) ? fd : NULL;
}

/* Readable exactly while something waits. */
static void test_wake_descriptor(void) {
  ald_event events[4];
  int32_t fd = -1, again = -1;
  int calls = 0;
  pthread_t thread;
  void *end = NULL;
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  CHECK_STATUS(ald_runtime_wake_fd(stage.runtime, &fd, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_runtime_wake_fd(stage.runtime, &again, NULL), ALD_STATUS_OK);
  CHECK(fd >= 0 && fd == again && !is_readable(fd, 0));
  CHECK(pthread_create(&thread, NULL, poll_thread, &fd) == 0);
  sleep_ms(20);
  ald_request first = identify(NULL);
  pthread_join(thread, &end);
  CHECK(end != NULL && waiting_events() == 1);
  ald_request second = identify(NULL);
  CHECK_STATUS(ald_request_wait(second, ALD_ALL, &(ald_request_state){0}, NULL), ALD_STATUS_OK);
  CHECK(take_events(events, 1) == 1 && is_readable(fd, 0));
  CHECK(take_events(events, 4) == 1 && !is_readable(fd, 0));
  CHECK(take_events(events, 4) == 0 && !is_readable(fd, 0));
  ald_request_release(first);
  ald_request_release(second);
  options.completion = count_call;
  options.user_data = &calls;
  first = identify(&options);
  CHECK(is_readable(fd, 20000));
  CHECK_STATUS(ald_runtime_pump(stage.runtime, 0, NULL, NULL), ALD_STATUS_OK);
  CHECK(calls == 1 && !is_readable(fd, 0));
  ald_request_release(first);
  /* An event that is taken back leaves nothing to wake for. */
  first = identify(NULL);
  CHECK(is_readable(fd, 20000));
  ald_request_release(first);
  CHECK(!is_readable(fd, 0) && waiting_events() == 0);
}

static void *wait_runtime(void *argument) {
  uint32_t is_waiting = 9;
  const ald_status status = ald_runtime_wait(*(ald_runtime *)argument, 20000, &is_waiting, NULL);
  return status == ALD_STATUS_OK && is_waiting == 1 ? argument : NULL;
}

static void test_wait(void) {
  pthread_t threads[WAITERS];
  ald_event event;
  uint32_t is_waiting = 9;
  CHECK_STATUS(ald_runtime_wait(stage.runtime, 0, &is_waiting, NULL), ALD_STATUS_OK);
  CHECK(is_waiting == 0);
  CHECK_STATUS(ald_runtime_wait(stage.runtime, 20, &is_waiting, NULL), ALD_STATUS_OK);
  CHECK(is_waiting == 0);
  for (int i = 0; i < WAITERS; i++)
    CHECK(pthread_create(&threads[i], NULL, wait_runtime, &stage.runtime) == 0);
  sleep_ms(20);
  ald_request request = identify(NULL);
  for (int i = 0; i < WAITERS; i++) {
    void *end = NULL;
    pthread_join(threads[i], &end);
    CHECK(end != NULL);
  }
  CHECK_STATUS(ald_runtime_wait(stage.runtime, ALD_ALL, &is_waiting, NULL), ALD_STATUS_OK);
  CHECK(is_waiting == 1 && take_events(&event, 1) == 1 && event.request.id == request.id);
  ald_request_release(request);
}

static void sleep_a_while(ald_request request, void *user_data) {
  (void)request;
  ++*(int *)user_data;
  sleep_ms(30);
}

static void test_budget(void) {
  int calls = 0;
  ald_pump_report report = ALD_PUMP_REPORT_INIT;
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  options.completion = sleep_a_while;
  options.user_data = &calls;
  for (int i = 0; i < 4; i++) {
    ald_request request = identify(&options);
    CHECK_STATUS(ald_request_wait(request, ALD_ALL, &(ald_request_state){0}, NULL), ALD_STATUS_OK);
    ald_request_release(request);
  }
  CHECK_STATUS(ald_runtime_pump(stage.runtime, 1, &report, NULL), ALD_STATUS_OK);
  CHECK(calls == 1 && report.completion_count == 1 && report.waiting_completion_count == 3);
  CHECK_STATUS(ald_runtime_pump(stage.runtime, 45, &report, NULL), ALD_STATUS_OK);
  CHECK(calls >= 2 && report.completion_count + report.waiting_completion_count == 3);
  CHECK_STATUS(ald_runtime_pump(stage.runtime, 0, &report, NULL), ALD_STATUS_OK);
  CHECK(calls == 4 && report.waiting_completion_count == 0 && report.waiting_event_count == 0);
}

/* Everything that a completion may do. */
static int reentrant_calls;

static void use_library(ald_request request, void *user_data) {
  ald_identify_result result;
  ald_request_state state = -1;
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  reentrant_calls++;
  CHECK_STATUS(ald_runtime_pump(stage.runtime, 0, NULL, NULL), ALD_STATUS_INVALID_STATE);
  CHECK_STATUS(ald_request_cancel(request, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_request_take_identify_result(request, &result, NULL), ALD_STATUS_OK);
  ald_request_release(request);
  CHECK(state_of(request) == ALD_REQUEST_SUCCEEDED); /* valid until this function returns */
  ald_identify_result_release(result);
  ald_request other = identify(NULL);
  CHECK_STATUS(ald_request_wait(other, 20000, &state, NULL), ALD_STATUS_OK);
  CHECK(state == ALD_REQUEST_SUCCEEDED && waiting_events() == 1);
  ald_request_release(other);
  if (user_data != NULL)
    return;
  options.completion = use_library;
  options.user_data = &reentrant_calls;
  other = identify(&options);
  CHECK_STATUS(ald_request_wait(other, 20000, &state, NULL), ALD_STATUS_OK);
}

static void test_reentrancy(void) {
  const uint64_t before = live_handles(stage.runtime);
  ald_pump_report report = ALD_PUMP_REPORT_INIT;
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  uint32_t is_waiting = 0;
  options.completion = use_library;
  identify(&options);
  CHECK_STATUS(ald_runtime_wait(stage.runtime, 20000, &is_waiting, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_runtime_pump(stage.runtime, 0, &report, NULL), ALD_STATUS_OK);
  CHECK(reentrant_calls == 1 && report.completion_count == 1 && report.waiting_completion_count == 1);
  CHECK_STATUS(ald_runtime_pump(stage.runtime, 0, &report, NULL), ALD_STATUS_OK);
  CHECK(reentrant_calls == 2 && report.waiting_completion_count == 0);
  CHECK(live_handles(stage.runtime) == before);
}

/* A TIFF without StripByteCounts: GDAL reads it and says that something is missing. */
static void write_odd_tiff(const char *path) {
  static const uint16_t tags[8][2] = {{256, 4}, {257, 4}, {258, 8}, {259, 1}, {262, 1}, {273, 110}, {277, 1}, {278, 4}};
  unsigned char bytes[126] = {'I', 'I', 42, 0, 8, 0, 0, 0, 8, 0};
  FILE *file = fopen(path, "wb");
  for (unsigned i = 0; i < 8; i++) {
    unsigned char *entry = bytes + 10 + (size_t)12 * i;
    const unsigned char fields[12] = {tags[i][0] & 255, tags[i][0] >> 8, 3, 0, 1, 0, 0, 0, (unsigned char)tags[i][1]};
    memcpy(entry, fields, sizeof fields);
  }
  CHECK(file != NULL && fwrite(bytes, sizeof bytes, 1, file) == 1 && fclose(file) == 0);
}

static int read_line(ald_runtime runtime, uint64_t number, ald_log_line *line, char text[1024]) {
  return ald_runtime_read_log(runtime, number, line, text, 1024, NULL, NULL) == ALD_STATUS_OK;
}

static void test_log(void) {
  char path[64], text[1024];
  uint64_t first;
  size_t size = 0;
  ald_event event;
  ald_raster raster;
  ald_log_line line = ALD_LOG_LINE_INIT;
  snprintf(path, sizeof path, "/tmp/alidade-odd-%ld.tif", (long)getpid());
  write_odd_tiff(path);
  CHECK_STATUS(ald_raster_open(stage.runtime, path, NULL, &raster, NULL), ALD_STATUS_OK);
  ald_raster_release(raster);
  CHECK(take_events(&event, 1) == 1 && event.kind == ALD_EVENT_LOG && event.log_level == ALD_LOG_WARNING);
  CHECK(event.domain == ALD_ERROR_DOMAIN_GDAL && event.domain_code == 1 && event.dropped == 0);
  CHECK(read_line(stage.runtime, event.log_number, &line, text) && holds_text(text, "StripByteCounts"));
  CHECK(line.number == event.log_number && line.level == ALD_LOG_WARNING && line.domain == ALD_ERROR_DOMAIN_GDAL);
  CHECK(line.time_ns > 0 && line.time_ns <= event.time_ns);
  first = line.number;
  text[0] = '?';
  CHECK_STATUS(ald_runtime_read_log(stage.runtime, first, &line, text, 3, &size, NULL), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(text[0] == '?' && size > 20);
  CHECK_STATUS(ald_runtime_read_log(stage.runtime, UINT64_MAX, &line, text, 9, NULL, NULL), ALD_STATUS_NOT_FOUND);
  while (take_events(&event, 1) == 1)
    continue;
  /* A flood: the last lines are kept, and the first event of those that are left tells how many went. */
  const uint64_t floods = 3000;
  uint64_t before = 0, last = 0, kept = 0;
  for (uint64_t i = 0; i < floods; i++) {
    CHECK_STATUS(ald_raster_open(stage.runtime, path, NULL, &raster, NULL), ALD_STATUS_OK);
    ald_raster_release(raster);
  }
  for (uint64_t number = 0; read_line(stage.runtime, number, &line, text); number = line.number + 1, kept++) {
    CHECK(line.number > before);
    before = line.number;
  }
  CHECK(kept == LOG_CAPACITY && before >= first + floods && waiting_events() == LOG_CAPACITY);
  CHECK(take_events(&event, 1) == 1 && event.log_number == before - LOG_CAPACITY + 1);
  CHECK(event.dropped >= floods - LOG_CAPACITY && event.dropped < event.log_number);
  for (last = event.log_number; take_events(&event, 1) == 1; last++)
    CHECK(event.log_number == last + 1 && event.dropped == 0);
  CHECK(last == before);
  /* What a runtime does not keep it does not tell of either. */
  for (ald_log_level level = ALD_LOG_OFF; level <= ALD_LOG_DEBUG; level++) {
    ald_runtime quiet;
    ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
    options.log_level = level;
    CHECK_STATUS(ald_runtime_create(&options, &quiet, NULL), ALD_STATUS_OK);
    CHECK_STATUS(ald_raster_open(quiet, path, NULL, &raster, NULL), ALD_STATUS_OK);
    for (kept = 0, line.number = 0; read_line(quiet, line.number + 1, &line, text); kept++)
      CHECK(line.level <= level);
    CHECK(level < ALD_LOG_WARNING ? kept == 0 : level == ALD_LOG_WARNING ? kept >= 1 : kept >= 2);
    ald_runtime_release(quiet);
  }
  unlink(path);
}

static void release_all(ald_request request, void *user_data) {
  ++*(int *)user_data;
  ald_runtime_release(stage.runtime);
  CHECK(state_of(request) == -1);
  ald_request_release(request);
}

static void test_release_inside_completion(const char *path) {
  int calls = 0;
  uint32_t is_waiting = 0;
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  scene before = stage;
  options.completion = release_all;
  options.user_data = &calls;
  if (!make_scene(&stage, path))
    return;
  for (int i = 0; i < 5; i++)
    CHECK_STATUS(ald_request_wait(identify(&options), ALD_ALL, &(ald_request_state){0}, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_runtime_pump(stage.runtime, 0, NULL, NULL), ALD_STATUS_OK);
  CHECK(calls == 1);
  CHECK_STATUS(ald_runtime_wait(stage.runtime, 0, &is_waiting, NULL), ALD_STATUS_INVALID_HANDLE);
  stage = before;
}

static void *wait_for_nothing(void *argument) {
  return ald_request_wait(*(ald_request *)argument, ALD_ALL, &(ald_request_state){0}, NULL) == ALD_STATUS_INVALID_HANDLE
             ? argument
             : NULL;
}

static void *sleep_for_nothing(void *argument) {
  uint32_t is_waiting = 0;
  return ald_runtime_wait(*(ald_runtime *)argument, ALD_ALL, &is_waiting, NULL) == ALD_STATUS_INVALID_HANDLE ? argument
                                                                                                             : NULL;
}

/* Whoever waits is woken when the runtime goes, although a worker sits in a driver. */
static void test_release_while_waiting(void) {
  blocker blocker;
  ald_runtime runtime;
  pthread_t threads[2 * WAITERS];
  CHECK_STATUS(ald_runtime_create(NULL, &runtime, NULL), ALD_STATUS_OK);
  if (!block_workers(&blocker, runtime, NULL))
    return;
  for (int i = 0; i < WAITERS; i++) {
    CHECK(pthread_create(&threads[2 * i], NULL, wait_for_nothing, &blocker.requests[0]) == 0);
    CHECK(pthread_create(&threads[2 * i + 1], NULL, sleep_for_nothing, &runtime) == 0);
  }
  sleep_ms(50);
  ald_runtime_release(runtime);
  for (int i = 0; i < 2 * WAITERS; i++) {
    void *end = NULL;
    pthread_join(threads[i], &end);
    CHECK(end != NULL);
  }
  unblock_workers(&blocker);
  end_blocker(&blocker);
}

/* A completion that forks and comes back in the child: the child is told so, and hangs on no lock of the parent's. */
static pid_t child_of_completion;

static void fork_and_return(ald_request request, void *user_data) {
  (void)request, (void)user_data;
  child_of_completion = fork();
  if (child_of_completion == 0)
    alarm(20);
}

static void *keep_lock_busy(void *should_stop) {
  uint32_t is_waiting = 0;
  while (!atomic_load((atomic_int *)should_stop))
    ald_runtime_wait(stage.runtime, 0, &is_waiting, NULL);
  return NULL;
}

static void test_fork_inside_completion(void) {
  pthread_t threads[WAITERS];
  atomic_int should_stop = 0;
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  options.completion = fork_and_return;
  for (int i = 0; i < WAITERS; i++)
    CHECK(pthread_create(&threads[i], NULL, keep_lock_busy, &should_stop) == 0);
  for (int i = 0; i < FORKS; i++) {
    int status = -1;
    ald_request request = identify(&options);
    CHECK_STATUS(ald_request_wait(request, ALD_ALL, &(ald_request_state){0}, NULL), ALD_STATUS_OK);
    ald_request_release(request);
    fflush(stdout);
    const ald_status answer = ald_runtime_pump(stage.runtime, 0, NULL, NULL);
    if (child_of_completion == 0)
      _exit(answer == ALD_STATUS_FORKED ? 0 : 1);
    CHECK(answer == ALD_STATUS_OK);
    CHECK(waitpid(child_of_completion, &status, 0) == child_of_completion);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  atomic_store(&should_stop, 1);
  for (int i = 0; i < WAITERS; i++)
    pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    test_wake_descriptor();
    test_wait();
    test_budget();
    test_reentrancy();
    test_log();
    test_release_inside_completion(raster_path(argv, "Shasta_Elevation.tif"));
    test_release_while_waiting();
    test_fork_inside_completion();
    release_scene(&stage);
  }
  return finish();
}

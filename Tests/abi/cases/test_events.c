/* Events, the wake descriptor, pumping, and a runtime that goes while others use it. */
#include "blocker.h"
#include "scene.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAITERS = 8, FORKS = 40, MANY = 2000 };

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
  CHECK_STATUS(ald_runtime_poll_events(stage.runtime, NULL, 0, &count, NULL), ALD_STATUS_OK);
  return count;
}

static size_t take_events(ald_event *events, size_t room) {
  size_t count = 999;
  CHECK_STATUS(ald_runtime_poll_events(stage.runtime, events, room, &count, NULL), ALD_STATUS_OK);
  return count;
}

static int is_readable(int fd, int timeout_ms) {
  struct pollfd entry = {fd, POLLIN, 0};
  return poll(&entry, 1, timeout_ms) == 1 && (entry.revents & POLLIN) != 0;
}

static void count_call(ald_request request, void *user_data) {
  CHECK(state_of(request) != ALD_REQUEST_STATE_PENDING);
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
  CHECK_STATUS(ald_runtime_get_wake_fd(stage.runtime, &fd, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_runtime_get_wake_fd(stage.runtime, &again, NULL), ALD_STATUS_OK);
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
  CHECK(state_of(request) == ALD_REQUEST_STATE_SUCCEEDED); /* valid until this function returns */
  ald_identify_result_release(result);
  ald_request other = identify(NULL);
  CHECK_STATUS(ald_request_wait(other, 20000, &state, NULL), ALD_STATUS_OK);
  CHECK(state == ALD_REQUEST_STATE_SUCCEEDED && waiting_events() == 1);
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

static void count_atomically(ald_request request, void *user_data) {
  (void)request;
  atomic_fetch_add((atomic_int *)user_data, 1);
}

static void *pump_until_released(void *runtime) {
  while (ald_runtime_pump(*(ald_runtime *)runtime, 0, NULL, NULL) == ALD_STATUS_OK)
    sleep_ms(0);
  return runtime;
}

/* Threads that pump at once call each function once; a runtime that goes meanwhile ends them. */
static void test_many_pumps(const char *path) {
  static atomic_int calls[MANY];
  pthread_t threads[WAITERS];
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  scene before = stage;
  if (!make_scene(&stage, path))
    return;
  for (int i = 0; i < WAITERS; i++)
    CHECK(pthread_create(&threads[i], NULL, pump_until_released, &stage.runtime) == 0);
  options.completion = count_atomically;
  for (int i = 0; i < MANY; i++) {
    options.user_data = &calls[i];
    ald_request_release(identify(&options));
  }
  for (int i = 0; i < MANY; i++)
    for (int wait = 0; wait < 20000 && atomic_load(&calls[i]) == 0; wait++)
      sleep_ms(1);
  for (int i = 0; i < MANY; i++)
    ald_request_release(identify(&options));
  ald_runtime_release(stage.runtime);
  for (int i = 0; i < WAITERS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < MANY - 1; i++)
    CHECK(atomic_load(&calls[i]) == 1);
  CHECK(atomic_load(&calls[MANY - 1]) >= 1 && atomic_load(&calls[MANY - 1]) <= MANY + 1);
  stage = before;
}

#ifndef HAS_THREAD_SANITIZER
/* A completion that forks and returns in the child: the child gets an error, and hangs on no lock of the parent's. */
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

#endif

int main(int argc, char **argv) {
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    test_wake_descriptor();
    test_wait();
    test_budget();
    test_reentrancy();
    test_release_inside_completion(raster_path(argv, "Shasta_Elevation.tif"));
    test_release_while_waiting();
    test_many_pumps(raster_path(argv, "Shasta_Elevation.tif"));
#ifndef HAS_THREAD_SANITIZER
    test_fork_inside_completion();
#endif
    release_scene(&stage);
  }
  return finish();
}

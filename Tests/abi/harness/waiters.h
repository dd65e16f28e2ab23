/**
 * @file
 * A hundred wait for requests in four ways: they poll, wait, are called, and get an event. Each must be notified once.
 */
#ifndef TESTS_WAITERS_H
#define TESTS_WAITERS_H

#include "blocker.h"

enum { WAITERS = 100, KINDS = 4, PER_KIND = WAITERS / KINDS };

/** What they wait for. */
typedef struct waiting {
  ald_runtime runtime;
  /** Begins the request of a waiter. */
  ald_request (*begin)(size_t number, const ald_request_options *options);
  /** So many threads as there are of each kind wait in this way, too. Returns NULL if that fails. */
  void *(*wait)(void *argument);
  void *argument;
  /** Looks at an event of another kind than ALD_EVENT_KIND_REQUEST_FINISHED; NULL: there must be none. */
  void (*look)(const ald_event *event);
} waiting;

/** Their requests. The test that has notified the waiters releases them. */
static ald_request waiters[WAITERS];
/** How often each has been notified. */
static atomic_int told[WAITERS];

static inline void tell_waiter(ald_request request, void *user_data) {
  (void)request;
  atomic_fetch_add((atomic_int *)user_data, 1);
}

/** Waits for a request, of which `argument` is the address. Returns NULL if it does not succeed. */
static inline void *wait_for_end(void *argument) {
  ald_request_state state = -1;
  if (ald_request_wait(*(ald_request *)argument, 60000, &state, NULL) == ALD_STATUS_OK &&
      state == ALD_REQUEST_STATE_SUCCEEDED)
    return argument;
  return NULL;
}

/** Takes in an event. Returns how many waiters it notifies. */
static inline int take_event(const waiting *waiting, const ald_event *event) {
  if (waiting->look != NULL && event->kind != ALD_EVENT_KIND_REQUEST_FINISHED) {
    waiting->look(event);
    return 0;
  }
  if (!CHECK(event->kind == ALD_EVENT_KIND_REQUEST_FINISHED && event->status == ALD_STATUS_OK))
    return 0;
  const size_t number = (size_t)((const atomic_int *)event->user_data - told);
  /* Those who poll or wait leave their events to whoever drains. */
  if (number % KINDS != 3)
    return 0;
  CHECK(event->request.id == waiters[number].id);
  atomic_fetch_add(&told[number], 1);
  return 1;
}

/** Polls, pumps and drains until all but those in threads have been notified, as a frame loop does. */
static inline void run_loop(const waiting *waiting) {
  int left = 3 * PER_KIND;
  for (int frame = 0; frame < 6000 && left > 0; frame++) {
    ald_pump_report report = ALD_PUMP_REPORT_INIT;
    ald_event events[7];
    size_t count = 1;
    CHECK_STATUS(ald_runtime_pump(waiting->runtime, 0, &report, NULL), ALD_STATUS_OK);
    left -= (int)report.completion_count;
    while (ald_runtime_poll_events(waiting->runtime, events, 7, &count, NULL) == ALD_STATUS_OK && count > 0)
      for (size_t i = 0; i < count; i++)
        left -= take_event(waiting, &events[i]);
    for (size_t i = 0; i < WAITERS; i += KINDS)
      if (atomic_load(&told[i]) == 0 && state_of(waiters[i]) == ALD_REQUEST_STATE_SUCCEEDED) {
        atomic_fetch_add(&told[i], 1);
        left--;
      }
    sleep_ms(5);
  }
  CHECK(left == 0);
}

/** Begins all requests while the workers are busy, and has all notified. Returns 0 if the workers could not be kept
 * busy. */
static inline int tell_hundred_waiters(const waiting *waiting) {
  blocker blocker;
  pthread_t threads[2 * PER_KIND];
  size_t thread_count = 0;
  if (!block_workers(&blocker, waiting->runtime, NULL))
    return 0;
  for (size_t i = 0; i < WAITERS; i++) {
    ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
    options.user_data = &told[i];
    options.completion = i % KINDS == 2 ? tell_waiter : NULL;
    waiters[i] = waiting->begin(i, &options);
    CHECK(state_of(waiters[i]) == ALD_REQUEST_STATE_PENDING);
  }
  for (size_t i = 1; i < WAITERS; i += KINDS)
    CHECK(pthread_create(&threads[thread_count++], NULL, wait_for_end, &waiters[i]) == 0);
  for (size_t i = 0; i < PER_KIND; i++)
    CHECK(pthread_create(&threads[thread_count++], NULL, waiting->wait, waiting->argument) == 0);
  sleep_ms(20);
  for (unsigned i = 0; i < blocker.count; i++)
    ald_request_release(blocker.requests[i]);
  unblock_workers(&blocker);
  run_loop(waiting);
  for (size_t i = 0; i < thread_count; i++) {
    void *end = NULL;
    pthread_join(threads[i], &end);
    CHECK(end != NULL);
    if (i < PER_KIND && end != NULL)
      atomic_fetch_add(&told[(ald_request *)end - waiters], 1);
  }
  for (size_t i = 0; i < WAITERS; i++)
    CHECK(atomic_load(&told[i]) == 1);
  end_blocker(&blocker);
  return 1;
}

#endif

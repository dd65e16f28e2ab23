#include "play.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "picks.h"
#include "utf8.h"

enum {
  /* A call that takes longer is a finding; at twice that the process ends, and the progress says where. */
  MAX_CALL_SECONDS = 10,
  /* So often all objects are released and counted. */
  CALLS_PER_SWEEP = 1000,
  PROGRESS_SIZE = 64
};

char *const *raster_paths;
size_t raster_count;

static const function_facts *function;
static uint64_t seed;
static unsigned long call_number;
/* The first call that is printed; 0: none. */
static unsigned long first_traced;
static size_t failed;
static char *progress;

static ald_status status;
static double started;
static uint64_t counts_before[RUNTIME_COUNT];

/* Telling */

static int is_traced(void) {
  return first_traced && call_number >= first_traced;
}

void trace(const char *format, ...) {
  if (!is_traced())
    return;
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}

void fail(const char *reason, const char *detail) {
  failed++;
  trace("\n");
  printf("FAILED seed %llu, call %lu, %s: %s%s%s\n", (unsigned long long)seed, call_number,
         function ? function->name : "-", reason, detail ? ": " : "", detail ? detail : "");
  fflush(stdout);
}

/* A file that survives this process and names the call that ended it. */
static void open_progress(const char *path) {
  const int file = open(path, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, PROGRESS_SIZE) != 0)
    return;
  void *memory = mmap(NULL, PROGRESS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED)
    progress = memory;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Calls */

static uint64_t count_handles(size_t number) {
  uint64_t count = 0;
  const ald_runtime runtime = {runtime_at(number)};
  return ald_runtime_get_handle_count(runtime, &count, NULL) == ALD_STATUS_OK ? count : 0;
}

void before_call(void) {
  watch_blocks();
  for (size_t i = 0; i < RUNTIME_COUNT; i++)
    counts_before[i] = count_handles(i);
  if (is_traced())
    fflush(stdout);
  alarm(2 * MAX_CALL_SECONDS);
  started = now();
}

void after_call(ald_status answered) {
  const double seconds = now() - started;
  alarm(0);
  status = answered;
  const ald_error *error = given_error();
  trace(" -> %s%s%.300s", ald_status_get_name(status), error && status ? ": " : "",
        error && status ? error->message : "");
  if (seconds > MAX_CALL_SECONDS) {
    char text[32];
    snprintf(text, sizeof text, "%.1f s", seconds);
    fail("the call took too long", text);
  }
  check_documented(function, status);
  check_blocks(function, status);
}

void check_handle_counts(size_t given, size_t lent) {
  if (function->is_release)
    return;
  int64_t more = 0;
  for (size_t i = 0; i < RUNTIME_COUNT; i++)
    more += (int64_t)(count_handles(i) - counts_before[i]);
  const int64_t most = status ? 0 : (int64_t)(given + lent);
  const int has_lost = status ? more < 0 : given > 0 && more < (int64_t)given;
  if (more > most || has_lost) {
    char text[96];
    snprintf(text, sizeof text, "by %lld; %zu were given and %zu borrowed", (long long)more, status ? 0 : given,
             status ? 0 : lent);
    fail("the number of live handles has changed", text);
  }
}

/* Results */

void check_text(const char *text, const char *what) {
  if (!text)
    fail("a text is NULL", what);
  else if (!is_utf8(text, strlen(text)))
    fail("a text is not UTF-8", what);
}

void check_not_infinite(double number, const char *what) {
  if (isinf(number))
    fail("a number is infinite", what);
}

void check_struct_size(size_t size, size_t plain, const char *what) {
  if (size != plain && size != plain + NEWER_FIELDS_SIZE)
    fail("struct_size was written", what);
}

void end_request(ald_request request) {
  ald_request_state state = ALD_REQUEST_STATE_PENDING;
  if (ald_request_wait(request, MAX_CALL_SECONDS * 1000, &state, NULL) != ALD_STATUS_OK ||
      state == ALD_REQUEST_STATE_PENDING)
    fail("a request did not end", NULL);
}

void read_memory(const void *memory, size_t size, const char *what) {
  static volatile uint8_t sink;
  uint8_t sum = 0;
  if (!memory && size)
    fail("an array that should have elements is NULL", what);
  for (size_t i = 0; memory && i < size; i++)
    sum ^= ((const uint8_t *)memory)[i];
  sink = sum;
  (void)sink;
}

/* The sequence */

/* Runtimes whose policies let useful things happen: one is generous, one soon refuses. */
static void open_runtime(size_t number) {
  ald_error error;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_points = number == 0 ? 1500000 : 50000;
  policy.max_request_bytes = number == 0 ? 0 : 10000000;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.thread_count = 2;
  options.policy = &policy;
  ald_runtime runtime;
  if (ald_runtime_create(&options, &runtime, &error) != ALD_STATUS_OK) {
    fail("a runtime could not be made", error.message);
    return;
  }
  set_runtime(number, runtime.id);
  if (is_traced())
    printf("%lu: a new runtime %zu:%llx\n", call_number, number, (unsigned long long)runtime.id);
}

/* Releases everything but the runtimes: then each must have no handle but its own. */
static void sweep(void) {
  trace("%lu: all objects are released:", call_number);
  release_all_objects();
  trace("\n");
  for (size_t i = 0; i < RUNTIME_COUNT; i++) {
    if (!runtime_at(i))
      continue;
    /* A request is alive until its completion has been called, which may be after a load that is under way. A worker
       that has just loaded a layer may be telling the views of its map, and holds them as long. */
    const double end = now() + MAX_CALL_SECONDS;
    uint64_t count;
    do {
      ald_runtime_pump((ald_runtime){runtime_at(i)}, 0, NULL, NULL);
      count = count_handles(i);
    } while (count != 1 && now() < end && usleep(1000) == 0);
    if (count != 1) {
      char text[32];
      snprintf(text, sizeof text, "%llu", (unsigned long long)count);
      fail("handles are alive after everything has been released", text);
    }
  }
}

static const player *choose(const player *players, size_t count, unsigned sum) {
  enum { TRIES = 20 };
  const player *chosen = players;
  for (int i = 0; i < TRIES; i++) {
    unsigned weight = (unsigned)random_below(sum);
    for (chosen = players; weight >= chosen->weight; chosen++)
      weight -= chosen->weight;
    int misses = 0;
    for (size_t kind = 0; kind < kind_count; kind++)
      misses |= (chosen->needed_kinds & UINT32_C(1) << kind) && !has_handle((int)kind);
    if (!misses)
      break;
  }
  (void)count;
  return chosen;
}

static void play_sequence(const player *players, size_t count, unsigned long calls) {
  unsigned sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += players[i].weight;
  for (call_number = 1; call_number <= calls && !failed; call_number++) {
    function = NULL;
    if (progress)
      snprintf(progress, PROGRESS_SIZE, "%lu", call_number);
    for (size_t i = 0; i < RUNTIME_COUNT; i++)
      if (!runtime_at(i))
        open_runtime(i);
    if (call_number % CALLS_PER_SWEEP == 0)
      sweep();
    current_group = random_below(GROUP_COUNT);
    const player *chosen = choose(players, count, sum);
    function = chosen->facts;
    trace("%lu: %s", call_number, function->name);
    chosen->play();
    trace("\n");
    free_blocks();
  }
}

int run_stateful_host(const player *players, size_t count, int argc, char **argv) {
  if (argc < 6)
    return 2;
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
  open_progress(argv[1]);
  seed = strtoull(argv[2], NULL, 10);
  const unsigned long calls = strtoul(argv[3], NULL, 10);
  first_traced = strtoul(argv[4], NULL, 10);
  raster_paths = argv + 5;
  raster_count = (size_t)argc - 5;
  seed_random(seed);
  open_runtime(0);
  if (!failed)
    find_places((ald_runtime){runtime_at(0)});
  play_sequence(players, count, calls);
  const unsigned long played = call_number - 1;
  function = NULL;
  if (!failed)
    sweep();
  for (size_t i = 0; i < RUNTIME_COUNT && !failed; i++)
    ald_runtime_release((ald_runtime){runtime_at(i)});
  printf("%lu passed, %zu failed\n", played - (failed > 0 && played > 0), failed);
  return failed == 0 ? 0 : 1;
}

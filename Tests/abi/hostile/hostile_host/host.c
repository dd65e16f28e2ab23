#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "utf8.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PROGRESS_SIZE = 512 };

world here;
world elsewhere;

static const function_facts *function;
/* The scene that is live in the main world. */
static scene_choice scene;
/* What live_handles returns for each world when there is no scene in the main one, and when there is. */
static uint64_t handles_here;
static uint64_t handles_elsewhere;
static uint64_t handles_with_scene;

/* The ids of objects that are gone: released, and released with their whole runtime. */
static uint64_t released_ids[KIND_COUNT];
static uint64_t ids_of_released_runtime[KIND_COUNT];
/* What is left of the world whose objects were released: its runtime. */
static world survivor;

static struct {
  int32_t argument;
  const char *argument_name;
  const char *label;
  expectation expectation;
  int has_failed;
} current;

static size_t passed;
static size_t failed;
static char *progress;

/* Functions and cases */

static void set_scene(void) {
  make_scene(&here, scene);
  handles_with_scene = live_handles(&here);
}

static void open_worlds(void) {
  open_world(&here);
  open_world(&elsewhere);
  make_scene(&elsewhere, scene_choice_at(0));
  handles_elsewhere = live_handles(&elsewhere);
  handles_here = live_handles(&here);
  set_scene();
}

/* Whether releasing everything leaves each runtime with no handle but its own. */
static int close_worlds(void) {
  release_scene(&here);
  release_scene(&elsewhere);
  close_world(&here);
  close_world(&elsewhere);
  const int is_empty = live_handles(&here) <= 1 && live_handles(&elsewhere) <= 1;
  ald_runtime_release(here.runtime);
  ald_runtime_release(elsewhere.runtime);
  return is_empty;
}

void choose_scene(scene_choice choice) {
  release_scene(&here);
  scene = choice;
  set_scene();
}

void begin_function(const function_facts *next) {
  function = next;
  choose_scene(scene_choice_at(0));
}

void begin_case(int32_t argument, const char *argument_name, const char *label, expectation expected) {
  current.argument = argument;
  current.argument_name = argument_name;
  current.label = label;
  current.expectation = expected;
  current.has_failed = 0;
  if (progress)
    snprintf(progress, PROGRESS_SIZE, "%zu %zu %zu %s, %s: %s", function->number, passed, failed, function->name,
             argument_name, label);
}

void fail(const char *reason, const char *detail) {
  current.has_failed = 1;
  printf("FAILED %s, %s: %s: %s%s%s\n", function->name, current.argument_name, current.label, reason,
         detail ? ": " : "", detail ? detail : "");
}

/* Whether a refused call has left as many handles as there were. Then the scene serves the next case, too. A release
 * says nothing, but must do nothing with a wrong handle. */
static int is_scene_as_before(ald_status status) {
  if (function->is_release ? current.expectation != EXPECT_INVALID_HANDLE : status == ALD_STATUS_OK)
    return 0;
  const int is_as_before = live_handles(&here) == handles_with_scene && live_handles(&elsewhere) == handles_elsewhere;
  if (!is_as_before && function->is_release)
    fail("a wrong handle has released something", NULL);
  return is_as_before;
}

/* Puts everything back to where begin_case found it. */
static void clear_up(ald_status status) {
  free_blocks();
  if (is_scene_as_before(status))
    return;
  if (function->is_release) {
    if (!close_worlds())
      fail("handles are alive after everything has been released", NULL);
    open_worlds();
    return;
  }
  release_scene(&here);
  /* A request of the other runtime may wait for its completion to be called. */
  ald_runtime_pump(elsewhere.runtime, 0, NULL, NULL);
  if (live_handles(&here) != handles_here || live_handles(&elsewhere) != handles_elsewhere) {
    char counts[128];
    snprintf(counts, sizeof counts, "%llu instead of %llu, of the other runtime %llu instead of %llu",
             (unsigned long long)live_handles(&here), (unsigned long long)handles_here,
             (unsigned long long)live_handles(&elsewhere), (unsigned long long)handles_elsewhere);
    fail("the number of live handles has changed", counts);
    handles_here = live_handles(&here);
    handles_elsewhere = live_handles(&elsewhere);
  }
  set_scene();
}

static void finish_case(ald_status status) {
  clear_up(status);
  if (current.has_failed)
    failed++;
  else
    passed++;
}

/* Judging */

static void check_expectation(ald_status status) {
  static const ald_status expected_statuses[] = {
      [EXPECT_OK] = ALD_STATUS_OK,
      [EXPECT_INVALID_ARGUMENT] = ALD_STATUS_INVALID_ARGUMENT,
      [EXPECT_INVALID_HANDLE] = ALD_STATUS_INVALID_HANDLE,
      [EXPECT_BUFFER_TOO_SMALL] = ALD_STATUS_BUFFER_TOO_SMALL,
  };
  if (current.expectation == EXPECT_DOCUMENTED)
    return;
  if (current.expectation == EXPECT_REFUSAL) {
    if (status == ALD_STATUS_OK)
      fail("it succeeded", NULL);
  } else if (status != expected_statuses[current.expectation]) {
    char text[1200];
    const ald_error *error = given_error();
    const char *message = status != ALD_STATUS_OK && error ? error->message : "";
    snprintf(text, sizeof text, "%s instead of %s: %.960s", ald_status_get_name(status),
             ald_status_get_name(expected_statuses[current.expectation]), message);
    fail("the status", text);
  }
}

/* An error about an argument names the one that is wrong. */
static void check_named_argument(const ald_error *error) {
  const int names_argument =
      current.expectation == EXPECT_INVALID_ARGUMENT || current.expectation == EXPECT_INVALID_HANDLE;
  if (error && names_argument && error->argument != current.argument) {
    char text[64 + sizeof error->message];
    snprintf(text, sizeof text, "%d instead of %d (%.*s)", error->argument, current.argument,
             (int)sizeof error->message - 1, error->message);
    fail("error.argument", text);
  }
}

void end_case(ald_status status) {
  check_expectation(status);
  check_documented(function, status);
  check_blocks(function, status);
  if (status != ALD_STATUS_OK)
    check_named_argument(given_error());
  finish_case(status);
}

void end_case_without_status(void) {
  finish_case(ALD_STATUS_OK);
}

void end_case_with_text(const char *text) {
  if (text == NULL || text[0] == '\0' || !is_utf8(text, strlen(text)))
    fail("the text is NULL, empty or not UTF-8", NULL);
  finish_case(ALD_STATUS_OK);
}

int end_trial(ald_status status) {
  clear_up(status);
  return status == ALD_STATUS_OK;
}

/* Handles */

static void note_ids(world *gone, uint64_t ids[KIND_COUNT]) {
  open_world(gone);
  make_scene(gone, scene_choice_at(0));
  for (int kind = 0; kind < KIND_COUNT; kind++)
    ids[kind] = world_id(gone, (handle_kind)kind);
}

/* Makes the ids of objects that once were. The runtime of the first ones lives on, so that it is they who are stale. */
static void collect_stale_ids(void) {
  world with_runtime;
  note_ids(&with_runtime, ids_of_released_runtime);
  ald_runtime_release(with_runtime.runtime);

  note_ids(&survivor, released_ids);
  release_scene(&survivor);
  close_world(&survivor);
  released_ids[KIND_RUNTIME] = ids_of_released_runtime[KIND_RUNTIME];
}

int bad_handle_at(size_t number, handle_kind kind, int null_is_allowed, int is_alone, bad_handle *out) {
  const uint64_t valid = world_id(&here, kind);
  const bad_handle fixed[] = {
      {"null", 0, null_is_allowed ? EXPECT_OK : EXPECT_INVALID_HANDLE},
      {"id 1", 1, EXPECT_INVALID_HANDLE},
      {"id UINT64_MAX", UINT64_MAX, EXPECT_INVALID_HANDLE},
      {"a forged id", UINT64_C(0xDEADBEEFCAFEF00D), EXPECT_INVALID_HANDLE},
      {"a released object", released_ids[kind], EXPECT_INVALID_HANDLE},
      {"an object of a released runtime", ids_of_released_runtime[kind], EXPECT_INVALID_HANDLE},
      {"an object of another runtime", world_id(&elsewhere, kind), is_alone ? EXPECT_DOCUMENTED : EXPECT_REFUSAL},
  };
  const size_t fixed_count = sizeof fixed / sizeof fixed[0];
  if (number < fixed_count) {
    *out = fixed[number];
    return 1;
  }
  number -= fixed_count;
  if (number < KIND_COUNT - 1) {
    const handle_kind other = (handle_kind)(number < (size_t)kind ? number : number + 1);
    *out = (bad_handle){"a handle of another kind", world_id(&here, other), EXPECT_INVALID_HANDLE};
    return 1;
  }
  number -= KIND_COUNT - 1;
  /* A flipped bit may by chance name another live object of the kind; a release must not meet one. */
  if (number < 64 && !function->is_release) {
    *out = (bad_handle){"a valid id with one bit flipped", valid ^ UINT64_C(1) << number, EXPECT_DOCUMENTED};
    return 1;
  }
  return 0;
}

bad_handle any_bad_handle(handle_kind kind) {
  /* About half of them are flipped bits. */
  enum { FEW = 6 + KIND_COUNT, MANY = FEW + 64 };
  bad_handle bad;
  if (!bad_handle_at(random_below(random_permille(200) ? MANY : FEW), kind, 0, 0, &bad))
    bad = (bad_handle){"null", 0, EXPECT_DOCUMENTED};
  return bad;
}

/* Calls with everything wrong */

/* The share of wrong targets in the call under way. */
static unsigned wrong_permille;

void begin_wrong_case(size_t number) {
  static const unsigned shares[] = {1000, 500, 250};
  static char label[64];
  snprintf(label, sizeof label, "number %zu", number);
  seed_random(number);
  wrong_permille = shares[number % 3];
  begin_case(0, "everything wrong", label, EXPECT_DOCUMENTED);
}

int is_wrong_here(void) {
  return random_permille(wrong_permille);
}

/* Running */

/* A file that survives this process and names the case that ended it. */
static void open_progress(const char *path) {
  const int file = open(path, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, PROGRESS_SIZE) != 0)
    return;
  void *memory = mmap(NULL, PROGRESS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED)
    progress = memory;
}

int run_hostile_host(void (*const *functions)(void), size_t function_count, size_t first, const char *progress_path) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  open_progress(progress_path);
  collect_stale_ids();
  scene = scene_choice_at(0);
  open_worlds();
  for (size_t i = first; i < function_count; i++)
    functions[i]();
  if (!close_worlds()) {
    printf("FAILED the end: handles are alive after everything has been released\n");
    failed++;
  }
  ald_runtime_release(survivor.runtime);
  printf("%zu passed, %zu failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

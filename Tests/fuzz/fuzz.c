#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ald_runtime fuzz_runtime;
ald_spatial_reference fuzz_geographic, fuzz_mercator, fuzz_utm;
static uint64_t handles_at_start;
static char folder[256];

static ald_spatial_reference reference_of(int32_t code) {
  ald_error error;
  ald_spatial_reference reference;
  FUZZ_REQUIRE(ald_spatial_reference_create_from_code(fuzz_runtime, NULL, code, &reference, &error) == ALD_STATUS_OK);
  return reference;
}

void fuzz_require(int holds, const char *what, const char *file, int line) {
  if (holds)
    return;
  fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
  abort();
}

void fuzz_start(const char *const *drivers) {
  ald_error error;
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  const char *place = getenv("FUZZ_FOLDER");
  snprintf(folder, sizeof folder, "%s/alidade-fuzz-XXXXXX", place ? place : "/tmp");
  FUZZ_REQUIRE(mkdtemp(folder));
  policy.max_request_bytes = 64 << 20;
  policy.max_request_points = 1 << 20;
  if (drivers) {
    policy.drivers = drivers;
    while (drivers[policy.driver_count])
      policy.driver_count++;
  }
  options.policy = &policy;
  options.thread_count = 1; /* the same input must take the same path */
  FUZZ_REQUIRE(ald_runtime_create(&options, &fuzz_runtime, &error) == ALD_STATUS_OK);
  fuzz_geographic = reference_of(4326);
  fuzz_mercator = reference_of(3857);
  fuzz_utm = reference_of(32633);
  fuzz_started();
}

void fuzz_started(void) {
  FUZZ_REQUIRE(ald_runtime_get_handle_count(fuzz_runtime, &handles_at_start, NULL) == ALD_STATUS_OK);
}

const char *fuzz_path(const char *name) {
  static char paths[4][512];
  static unsigned next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

void fuzz_write(const char *name, const void *bytes, size_t size) {
  FILE *file = fopen(fuzz_path(name), "wb");
  FUZZ_REQUIRE(file);
  FUZZ_REQUIRE(fwrite(bytes, 1, size, file) == size);
  FUZZ_REQUIRE(fclose(file) == 0);
}

static void copy(const char *variable, const char *name, const char *as) {
  static char bytes[1 << 20];
  char path[1024];
  const char *from = getenv(variable);
  FUZZ_REQUIRE(from);
  snprintf(path, sizeof path, "%s/%s", from, name);
  FILE *file = fopen(path, "rb");
  FUZZ_REQUIRE(file);
  fuzz_write(as, bytes, fread(bytes, 1, sizeof bytes, file));
  fclose(file);
}

void fuzz_copy_raster(const char *name, const char *as) {
  copy("FUZZ_RASTERS", name, as);
}

void fuzz_copy(const char *name) {
  copy("FUZZ_OWN_RASTERS", name, name);
}

/* A number that changes when a file comes into the target's folder, goes, or is written to. */
static uint64_t folder_state(void) {
  uint64_t sum = 0;
  struct stat status;
  DIR *directory = opendir(folder);
  FUZZ_REQUIRE(directory);
  for (const struct dirent *entry; (entry = readdir(directory));)
    if (entry->d_name[0] != '.' && stat(fuzz_path(entry->d_name), &status) == 0)
      sum += (uint64_t)status.st_ino * 31 + (uint64_t)status.st_size * 17 + (uint64_t)status.st_mtim.tv_nsec + 1;
  closedir(directory);
  return sum;
}

static uint64_t state_at_begin;

void fuzz_begin(void) {
  state_at_begin = folder_state();
  fuzz_watching = 1;
}

void fuzz_end(void) {
  uint64_t count = 0;
  fuzz_watching = 0;
  FUZZ_REQUIRE(folder_state() == state_at_begin);
  FUZZ_REQUIRE(ald_runtime_get_handle_count(fuzz_runtime, &count, NULL) == ALD_STATUS_OK);
  if (count != handles_at_start)
    fprintf(stderr, "fuzz: %llu handles are alive, %llu at the start\n", (unsigned long long)count,
            (unsigned long long)handles_at_start);
  FUZZ_REQUIRE(count == handles_at_start);
}

/* Whether bytes up to a NUL are UTF-8: no byte missing, no longer form than needed, no surrogate. */
static int is_utf8(const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  while (*at) {
    const unsigned first = *at++;
    const int more = first < 0x80 ? 0 : first < 0xC2 ? -1 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF5 ? 3 : -1;
    uint32_t code = more == 1 ? first & 31 : more == 2 ? first & 15 : first & 7;
    if (more < 0)
      return 0;
    for (int i = 0; i < more; i++) {
      if ((*at & 0xC0) != 0x80)
        return 0;
      code = code << 6 | (*at++ & 63);
    }
    if (more == 2 && (code < 0x800 || (code >= 0xD800 && code < 0xE000)))
      return 0;
    if (more == 3 && (code < 0x10000 || code > 0x10FFFF))
      return 0;
  }
  return 1;
}

void fuzz_text(const char *text) {
  FUZZ_REQUIRE(text);
  FUZZ_REQUIRE(is_utf8(text));
}

int fuzz_ok(ald_status status, const ald_error *error) {
  if (status == ALD_STATUS_OK)
    return 1;
  if (status == ALD_STATUS_INTERNAL)
    fprintf(stderr, "internal: %s\n", error->message);
  FUZZ_REQUIRE(status != ALD_STATUS_INTERNAL && strcmp(ald_status_get_name(status), "ALD_STATUS_?") != 0);
  FUZZ_REQUIRE(error->status == status);
  FUZZ_REQUIRE(memchr(error->message, 0, sizeof error->message));
  FUZZ_REQUIRE(error->message[0]);
  fuzz_text(error->message);
  return 0;
}

uint8_t fuzz_byte(fuzz_input *input) {
  if (input->left == 0)
    return 0;
  input->left--;
  return *input->at++;
}

int32_t fuzz_int(fuzz_input *input) {
  const uint8_t form = fuzz_byte(input);
  uint32_t bits = 0;
  if (form < 0xE0)
    return (int32_t)form - 16;
  for (int i = 0; i < 4; i++)
    bits = bits << 8 | fuzz_byte(input);
  return (int32_t)bits;
}

double fuzz_double(fuzz_input *input) {
  const uint8_t form = fuzz_byte(input);
  uint64_t bits = 0;
  if (form < 0x60)
    return (double)fuzz_int(input);
  if (form < 0xC0)
    return (double)fuzz_int(input) / (1 + fuzz_byte(input)) * (form & 1 ? 1 : 40075.016);
  for (int i = 0; i < 8; i++)
    bits = bits << 8 | fuzz_byte(input);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

char *fuzz_string(const uint8_t *bytes, size_t size) {
  char *text = malloc(size + 1);
  FUZZ_REQUIRE(text);
  if (size > 0)
    memcpy(text, bytes, size);
  text[size] = 0;
  return text;
}

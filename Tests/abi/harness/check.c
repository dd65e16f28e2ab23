#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned passed;
static unsigned failed;

int check_that(int holds, const char *what, const char *file, int line) {
  pthread_mutex_lock(&mutex);
  if (holds) {
    passed++;
  } else {
    failed++;
    printf("FAILED %s:%d: %s\n", file, line, what);
    fflush(stdout);
  }
  pthread_mutex_unlock(&mutex);
  return holds;
}

int check_ok(ald_status status, const char *what, const ald_error *error, const char *file, int line) {
  char text[1400];
  if (status == ALD_STATUS_OK)
    return check_that(1, what, file, line);
  snprintf(text, sizeof text, "%.300s: status %d: %s", what, status, error->message);
  return check_that(0, text, file, line);
}

int check_status(ald_status status, ald_status expected, const char *what, const char *file, int line) {
  char text[400];
  snprintf(text, sizeof text, "%.300s: status %d instead of %d", what, status, expected);
  return check_that(status == expected, text, file, line);
}

void skip(const char *what, const char *why) {
  printf("skipped: %s: %s\n", what, why);
}

int finish(void) {
  printf("%u passed, %u failed\n", passed, failed);
  fflush(stdout);
  return failed == 0 ? 0 : 1;
}

const char *raster_path(char **argv, const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", argv[1], name);
  return path;
}

int is_text(const char *text, const char *expected) {
  return text != NULL && strcmp(text, expected) == 0;
}

int holds_text(const char *text, const char *part) {
  return text != NULL && strstr(text, part) != NULL;
}

void sleep_ms(unsigned milliseconds) {
  const struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
  nanosleep(&time, NULL);
}

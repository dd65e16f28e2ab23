/* The log: a ring of lines that reports how many it dropped, and an event for each line. */
#include "check.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LOG_CAPACITY = 1024 };

static ald_runtime runtime;

static size_t waiting_events(void) {
  size_t count = 999;
  CHECK_STATUS(ald_runtime_poll_events(runtime, NULL, 0, &count, NULL), ALD_STATUS_OK);
  return count;
}

static size_t take_events(ald_event *events, size_t room) {
  size_t count = 999;
  CHECK_STATUS(ald_runtime_poll_events(runtime, events, room, &count, NULL), ALD_STATUS_OK);
  return count;
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
  return ald_runtime_get_log_line(runtime, number, line, text, 1024, NULL, NULL) == ALD_STATUS_OK;
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
  CHECK_STATUS(ald_raster_open(runtime, path, NULL, &raster, NULL), ALD_STATUS_OK);
  ald_raster_release(raster);
  CHECK(take_events(&event, 1) == 1 && event.kind == ALD_EVENT_KIND_LOG && event.log_level == ALD_LOG_LEVEL_WARNING);
  CHECK(event.domain == ALD_ERROR_DOMAIN_GDAL && event.domain_code == 1 && event.dropped == 0);
  CHECK(read_line(runtime, event.log_number, &line, text) && holds_text(text, "StripByteCounts"));
  CHECK(line.number == event.log_number && line.level == ALD_LOG_LEVEL_WARNING && line.domain == ALD_ERROR_DOMAIN_GDAL);
  CHECK(line.time_ns > 0 && line.time_ns <= event.time_ns);
  first = line.number;
  text[0] = '?';
  CHECK_STATUS(ald_runtime_get_log_line(runtime, first, &line, text, 3, &size, NULL), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(text[0] == '?' && size > 20);
  CHECK_STATUS(ald_runtime_get_log_line(runtime, UINT64_MAX, &line, text, 9, NULL, NULL), ALD_STATUS_NOT_FOUND);
  while (take_events(&event, 1) == 1)
    continue;
  /* A flood: the last lines are kept, and the first event that is left reports how many went. */
  const uint64_t floods = 1200;
  uint64_t before = 0, last = 0, kept = 0;
  for (uint64_t i = 0; i < floods; i++) {
    CHECK_STATUS(ald_raster_open(runtime, path, NULL, &raster, NULL), ALD_STATUS_OK);
    ald_raster_release(raster);
  }
  for (uint64_t number = 0; read_line(runtime, number, &line, text); number = line.number + 1, kept++) {
    CHECK(line.number > before);
    before = line.number;
  }
  CHECK(kept == LOG_CAPACITY && before >= first + floods && waiting_events() == LOG_CAPACITY);
  CHECK(take_events(&event, 1) == 1 && event.log_number == before - LOG_CAPACITY + 1);
  CHECK(event.dropped >= floods - LOG_CAPACITY && event.dropped < event.log_number);
  for (last = event.log_number; take_events(&event, 1) == 1; last++)
    CHECK(event.log_number == last + 1 && event.dropped == 0);
  CHECK(last == before);
  /* There is no event for a line that a runtime does not keep. */
  for (ald_log_level level = ALD_LOG_LEVEL_OFF; level <= ALD_LOG_LEVEL_DEBUG; level++) {
    ald_runtime quiet;
    ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
    options.log_level = level;
    CHECK_STATUS(ald_runtime_create(&options, &quiet, NULL), ALD_STATUS_OK);
    CHECK_STATUS(ald_raster_open(quiet, path, NULL, &raster, NULL), ALD_STATUS_OK);
    for (kept = 0, line.number = 0; read_line(quiet, line.number + 1, &line, text); kept++)
      CHECK(line.level <= level);
    CHECK(level < ALD_LOG_LEVEL_WARNING ? kept == 0 : level == ALD_LOG_LEVEL_WARNING ? kept >= 1 : kept >= 2);
    ald_runtime_release(quiet);
  }
  unlink(path);
}

int main(void) {
  if (CHECK_STATUS(ald_runtime_create(NULL, &runtime, NULL), ALD_STATUS_OK)) {
    test_log();
    ald_runtime_release(runtime);
  }
  return finish();
}

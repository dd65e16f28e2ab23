/*
 * A process that ends while a thread waits inside GDAL, for a server that does not answer, ends as it says: with its
 * status, after the host's own handlers and with its streams flushed, and without taking down GDAL under that thread.
 */
#include "check.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STATUS = 37, CHILD_SECONDS = 30 };

static const char *address;
static ald_runtime runtime;
static int handler_output;

static void *open_for_ever(void *unused) {
  ald_error error;
  ald_raster raster;
  ald_raster_open(runtime, address, NULL, &raster, &error);
  return unused;
}

static void note_handler(void) {
  if (write(handler_output, "h", 1) != 1)
    _exit(1);
}

/* Its standard output is a pipe, and so buffered: "flushed" is lost unless the streams are flushed. */
static void live_as_child(const char *url, const char *handler_pipe, int is_stuck) {
  static const struct timespec pause = {0, 500 * 1000 * 1000};
  ald_error error;
  pthread_t thread;
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  alarm(CHILD_SECONDS);
  address = url;
  handler_output = atoi(handler_pipe);
  if (atexit(note_handler) != 0)
    _exit(2);
  policy.flags = ALD_POLICY_ALLOW_NETWORK;
  options.policy = &policy;
  if (ald_runtime_create(&options, &runtime, &error) != ALD_STATUS_OK)
    _exit(3);
  if (is_stuck && pthread_create(&thread, NULL, open_for_ever, NULL) != 0)
    _exit(4);
  nanosleep(&pause, NULL);
  fputs("flushed", stdout);
  exit(STATUS);
}

/* Reads what is left, and closes the pipe. */
static const char *rest(int from) {
  static char text[64];
  size_t length = 0;
  ssize_t count;
  while (length < sizeof text - 1 && (count = read(from, text + length, sizeof text - 1 - length)) > 0)
    length += (size_t)count;
  text[length] = 0;
  close(from);
  return text;
}

static int has_line(FILE *file, const char *first, const char *second) {
  char line[4096];
  rewind(file);
  while (fgets(line, sizeof line, file))
    if (strstr(line, first) && strstr(line, second))
      return 1;
  return 0;
}

static void test_end(const char *program, const char *url, int is_stuck) {
  int output[2], handlers[2], status = 0;
  char number[16];
  /* The dynamic linker says there which libraries it takes down. */
  FILE *linker = tmpfile();
  if (!CHECK(linker && pipe(output) == 0 && pipe(handlers) == 0))
    return;
  snprintf(number, sizeof number, "%d", handlers[1]);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    dup2(output[1], STDOUT_FILENO);
    dup2(fileno(linker), STDERR_FILENO);
    setenv("LD_DEBUG", "files", 1);
    execl(program, program, url, number, is_stuck ? "stuck" : "idle", (char *)NULL);
    _exit(5);
  }
  close(output[1]);
  close(handlers[1]);
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == STATUS);
  CHECK(strcmp(rest(output[0]), "flushed") == 0);
  CHECK(strcmp(rest(handlers[0]), "h") == 0);
  CHECK(has_line(linker, "calling fini", "libalidade"));
  CHECK(has_line(linker, "calling fini", "libproj") == !is_stuck);
  fclose(linker);
}

int main(int argc, char **argv) {
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof place;
  char url[64];
  if (argc == 4)
    live_as_child(argv[1], argv[2], strcmp(argv[3], "stuck") == 0);
  /* The system takes up connections by itself; nobody reads from them. */
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK(bind(server, (struct sockaddr *)&place, size) == 0 && listen(server, 8) == 0);
  CHECK(getsockname(server, (struct sockaddr *)&place, &size) == 0);
  snprintf(url, sizeof url, "/vsicurl/http://127.0.0.1:%d/x.tif", ntohs(place.sin_port));
  test_end(argv[0], url, 0);
  test_end(argv[0], url, 1);
  return finish();
}

/* Ends the process when something in it reaches outside while an input is under way: writes or removes a file, starts a
 * program, or calls anybody over the network. The functions here stand before libc's, for the library and for GDAL. */
#include "fuzz.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

volatile int fuzz_watching;

/* The sanitizer calls this before it reports an error: what it does then is its own business. */
void __asan_on_error(void);
void __asan_on_error(void) {
  fuzz_watching = 0;
}

static void forbid(const char *what, const char *name) {
  /* Where libFuzzer keeps an input that took too long, or too much. */
  const char *artifacts = getenv("FUZZ_ARTIFACTS");
  if (!fuzz_watching || (artifacts && name && strncmp(name, artifacts, strlen(artifacts)) == 0))
    return;
  fuzz_watching = 0;
  fprintf(stderr, "fuzz: reaches outside: %s %s\n", what, name ? name : "");
  abort();
}

/* libc's own function of that name. */
#define NEXT(name) __typeof__(&name) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

int connect(int descriptor, const struct sockaddr *address, socklen_t size) {
  NEXT(connect);
  if (address->sa_family == AF_INET) {
    const struct sockaddr_in *internet = (const struct sockaddr_in *)(const void *)address;
    /* Where the runtime leads what slips past its other defences: nobody listens there. */
    if (internet->sin_addr.s_addr != htonl(INADDR_LOOPBACK) || internet->sin_port != htons(9))
      forbid("connect", inet_ntoa(internet->sin_addr));
  } else {
    forbid("connect", "by another family of addresses");
  }
  return next(descriptor, address, size);
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  NEXT(getaddrinfo);
  if (!node || strcmp(node, "127.0.0.1") != 0)
    forbid("getaddrinfo", node);
  return next(node, service, hints, found);
}

static int writes(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
}

#define OPEN(name)                                                                                                     \
  int name(const char *path, int flags, ...) {                                                                         \
    NEXT(name);                                                                                                        \
    va_list list;                                                                                                      \
    va_start(list, flags);                                                                                             \
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;                                      \
    va_end(list);                                                                                                      \
    if (writes(flags))                                                                                                 \
      forbid(#name, path);                                                                                             \
    return next(path, flags, mode);                                                                                    \
  }
OPEN(open)
OPEN(open64)

#define FOPEN(name)                                                                                                    \
  FILE *name(const char *path, const char *mode) {                                                                     \
    NEXT(name);                                                                                                        \
    if (mode[0] != 'r')                                                                                                \
      forbid(#name, path);                                                                                             \
    return next(path, mode);                                                                                           \
  }
FOPEN(fopen)
FOPEN(fopen64)

int unlink(const char *path) {
  NEXT(unlink);
  forbid("unlink", path);
  return next(path);
}

int rename(const char *from, const char *to) {
  NEXT(rename);
  forbid("rename", from);
  return next(from, to);
}

int mkdir(const char *path, mode_t mode) {
  NEXT(mkdir);
  forbid("mkdir", path);
  return next(path, mode);
}

FILE *popen(const char *command, const char *mode) {
  NEXT(popen);
  forbid("popen", command);
  return next(command, mode);
}

int system(const char *command) {
  NEXT(system);
  forbid("system", command);
  return next(command);
}

int execve(const char *path, char *const arguments[], char *const environment[]) {
  NEXT(execve);
  forbid("execve", path);
  return next(path, arguments, environment);
}

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  NEXT(posix_spawn);
  forbid("posix_spawn", path);
  return next(process, path, actions, attributes, arguments, environment);
}

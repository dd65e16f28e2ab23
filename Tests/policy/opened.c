/* Writes the names that a process opens or looks for into the file that OPENED_NAMES names. Loaded by LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void note(const char *what, const char *path) {
  static int log = -2;
  static __typeof__(open) *real;
  if (log == -2) {
    const char *name = getenv("OPENED_NAMES");
    real = (__typeof__(open) *)dlsym(RTLD_NEXT, "open");
    log = name != NULL && real != NULL ? real(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  }
  char line[8192];
  const int length = snprintf(line, sizeof line, "%s\t%s\n", what, path);
  if (log >= 0 && length > 0 && (size_t)length < sizeof line && write(log, line, (size_t)length) < 0)
    abort();
}

#define REAL(name)                                                                                                     \
  static __typeof__(name) *real;                                                                                       \
  if (real == NULL)                                                                                                    \
  real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define MODE(flags)                                                                                                    \
  mode_t mode = 0;                                                                                                     \
  if ((flags) & (O_CREAT | O_TMPFILE)) {                                                                               \
    va_list list;                                                                                                      \
    va_start(list, flags);                                                                                             \
    mode = va_arg(list, mode_t);                                                                                       \
    va_end(list);                                                                                                      \
  }
/* What cannot wait is no opening. */
#define WORD(flags) ((flags)&O_PATH ? "look" : (flags)&O_NONBLOCK ? "try" : "open")

int open(const char *path, int flags, ...) {
  MODE(flags)
  REAL(open);
  note(WORD(flags), path);
  return real(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags)
  REAL(open64);
  note(WORD(flags), path);
  return real(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  MODE(flags)
  REAL(openat);
  note(WORD(flags), path);
  return real(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  MODE(flags)
  REAL(openat64);
  note(WORD(flags), path);
  return real(folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
  REAL(fopen);
  note("open", path);
  return real(path, mode);
}

FILE *fopen64(const char *path, const char *mode) {
  REAL(fopen64);
  note("open", path);
  return real(path, mode);
}

int stat(const char *path, struct stat *status) {
  REAL(stat);
  note("look", path);
  return real(path, status);
}

int stat64(const char *path, struct stat64 *status) {
  REAL(stat64);
  note("look", path);
  return real(path, status);
}

int lstat(const char *path, struct stat *status) {
  REAL(lstat);
  note("look", path);
  return real(path, status);
}

int lstat64(const char *path, struct stat64 *status) {
  REAL(lstat64);
  note("look", path);
  return real(path, status);
}

int access(const char *path, int mode) {
  REAL(access);
  note("look", path);
  return real(path, mode);
}

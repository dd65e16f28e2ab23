/*
 * A host that knows nothing of the library when it is built: it loads it with dlopen, makes and releases a runtime,
 * closes the library, does all of it again, and ends: plugin_host LIBRARY.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct handle {
  uint64_t id;
} handle;

static void *function(void *library, const char *name) {
  void *symbol = dlsym(library, name);
  if (symbol == NULL) {
    fprintf(stderr, "%s\n", dlerror());
  }
  return symbol;
}

int main(int argc, char **argv) {
  int round;
  if (argc != 2) {
    return 2;
  }
  for (round = 0; round < 3; round++) {
    handle runtime = {0};
    int32_t (*create)(const void *, handle *, void *);
    void (*release)(handle);
    void *symbol;
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    symbol = function(library, "ald_runtime_create");
    memcpy(&create, &symbol, sizeof create);
    symbol = function(library, "ald_runtime_release");
    memcpy(&release, &symbol, sizeof release);
    if (create == NULL || release == NULL || create(NULL, &runtime, NULL) != 0 || runtime.id == 0) {
      fprintf(stderr, "round %d: no runtime\n", round);
      return 1;
    }
    release(runtime);
    dlclose(library);
    usleep(20000); /* Time for a thread that runs on in the library to show itself. */
  }
  puts("closed");
  return 0;
}

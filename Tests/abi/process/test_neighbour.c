/*
 * A good neighbour: what the process shares stays as it was, nothing is printed, and the host's locale does not change
 * a text.
 *
 * Arguments: the folder of rasters, and a locale that writes 1.5 as "1,5", if there is one.
 */
#include "scene.h"

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/* What a process has one of. */
typedef struct process_state {
  char folder[4096];
  char locale[256];
  mode_t umask;
  int rounding;
  size_t environment_size;
  struct sigaction actions[NSIG];
  sigset_t blocked;
} process_state;

static size_t environment_size(void) {
  size_t size = 0;
  for (char **variable = environ; *variable != NULL; variable++)
    size += strlen(*variable) + 1;
  return size;
}

static void note_state(process_state *state) {
  memset(state, 0, sizeof *state);
  CHECK(getcwd(state->folder, sizeof state->folder) != NULL);
  snprintf(state->locale, sizeof state->locale, "%s", setlocale(LC_ALL, NULL));
  state->umask = umask(0);
  umask(state->umask);
  state->rounding = fegetround();
  state->environment_size = environment_size();
  for (int number = 1; number < NSIG; number++)
    sigaction(number, NULL, &state->actions[number]);
  sigprocmask(SIG_BLOCK, NULL, &state->blocked);
}

/* Everything that a host does, mistakes included, of which GDAL and PROJ would like to print something. */
static void use_everything(char **argv, char *text, size_t text_size) {
  scene scene;
  ald_raster raster;
  ald_spatial_reference reference;
  ald_identify_result result;
  ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
  if (!make_scene(&scene, raster_path(argv, "Shasta_Elevation.tif")))
    return;
  CHECK_STATUS(ald_raster_open(scene.runtime, "/no/such/file.tif", NULL, &raster, NULL), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_raster_open(scene.runtime, raster_path(argv, "LF20_EVT_220.csv"), NULL, &raster, NULL),
               ALD_STATUS_READ_FAILED);
  CHECK_STATUS(ald_spatial_reference_create_from_code(scene.runtime, NULL, 999999, &reference, NULL),
               ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_spatial_reference_create_from_wkt(scene.runtime, "PROJCS[\"", &reference, NULL),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_identify_layer(scene.view, scene.layer, SCENE_MIDDLE, 0, 0, NULL, &result, NULL),
               ALD_STATUS_OK);
  CHECK_STATUS(ald_identify_result_get_element_at(result, 0, &element, NULL), ALD_STATUS_OK);
  snprintf(text, text_size, "%s", element.text ? element.text : "");
  ald_identify_result_release(result);
  release_scene(&scene);
}

/* Signal by signal: a sigset_t has bytes that the system leaves as they were. */
static int is_same_set(const sigset_t *a, const sigset_t *b) {
  for (int number = 1; number < NSIG; number++)
    if (sigismember(a, number) != sigismember(b, number))
      return 0;
  return 1;
}

static int is_same_action(const struct sigaction *a, const struct sigaction *b) {
  return a->sa_handler == b->sa_handler && a->sa_flags == b->sa_flags && is_same_set(&a->sa_mask, &b->sa_mask);
}

static void test_state_stays(char **argv) {
  process_state before, after;
  char text[1000];
  note_state(&before);
  errno = 4711;
  use_everything(argv, text, sizeof text);
  CHECK(errno == 4711);
  note_state(&after);
  CHECK(is_text(after.folder, before.folder));
  CHECK(is_text(after.locale, before.locale));
  CHECK(after.umask == before.umask);
  CHECK(after.rounding == before.rounding);
  CHECK(after.environment_size == before.environment_size);
  for (int number = 1; number < NSIG; number++)
    CHECK(is_same_action(&after.actions[number], &before.actions[number]));
  CHECK(is_same_set(&after.blocked, &before.blocked));
}

static void test_nothing_is_printed(char **argv) {
  char path[] = "/tmp/alidade-output-XXXXXX";
  char text[1000];
  fflush(NULL);
  const int file = mkstemp(path), out = dup(1), err = dup(2);
  if (!CHECK(file >= 0 && out >= 0 && err >= 0))
    return;
  unlink(path);
  dup2(file, 1);
  dup2(file, 2);
  use_everything(argv, text, sizeof text);
  fflush(NULL);
  dup2(out, 1);
  dup2(err, 2);
  const off_t size = lseek(file, 0, SEEK_END);
  if (!CHECK(size == 0)) {
    const ssize_t length = pread(file, text, sizeof text - 1, 0);
    printf("printed: %.*s\n", (int)(length > 0 ? length : 0), text);
  }
  close(file);
}

static void test_locale(char **argv, const char *locale) {
  char plain[1000] = "", translated[1000] = "", number[16];
  use_everything(argv, plain, sizeof plain);
  CHECK(holds_text(plain, "."));
  if (locale == NULL || setlocale(LC_ALL, locale) == NULL) {
    skip("texts in a locale with decimal commas", "there is no such locale here");
    return;
  }
  snprintf(number, sizeof number, "%.1f", 1.5);
  CHECK(is_text(number, "1,5"));
  use_everything(argv, translated, sizeof translated);
  CHECK(is_text(translated, plain));
  CHECK(is_text(setlocale(LC_ALL, NULL), locale));
  setlocale(LC_ALL, "C");
}

int main(int argc, char **argv) {
  if (argc >= 2) {
    test_state_stays(argv);
    test_nothing_is_printed(argv);
    test_locale(argv, argc > 2 ? argv[2] : NULL);
  }
  return finish();
}

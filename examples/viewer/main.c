/*
 * An interactive viewer over the engine: the loop, and what the command line says.
 *
 *   viewer [--examples DIR] [--size WxH] [--times] [--script FILE] [--screenshot FILE] [FILE or URL]...
 *
 * See README.md for mouse, fingers and keys. With --script it opens no window on a screen, plays the file (script.c
 * says what may be in it), writes the last frame to the screenshot's file as a BMP, and ends.
 */
#include "viewer.h"

#include <stdlib.h>
#include <string.h>

typedef struct options {
  const char *examples;
  const char *script;
  bool says_times;
  const char *screenshot;
  int width;
  int height;
  const char *files[MAX_LAYERS];
  uint32_t file_count;
} options;

static bool understand(int count, char **arguments, options *options) {
  for (int i = 1; i < count; i++) {
    const char *const name = arguments[i];
    const char *const value = i + 1 < count ? arguments[i + 1] : NULL;
    if (strncmp(name, "--", 2) != 0) {
      if (options->file_count == MAX_LAYERS)
        return false;
      options->files[options->file_count++] = name;
      continue;
    }
    if (strcmp(name, "--times") == 0) {
      options->says_times = true;
      continue;
    }
    i++;
    if (value == NULL)
      return false;
    if (strcmp(name, "--examples") == 0)
      options->examples = value;
    else if (strcmp(name, "--script") == 0)
      options->script = value;
    else if (strcmp(name, "--screenshot") == 0)
      options->screenshot = value;
    else if (strcmp(name, "--size") != 0 || sscanf(value, "%dx%d", &options->width, &options->height) != 2 ||
             options->width < 1 || options->height < 1 || options->width > 16384 || options->height > 16384)
      return false;
  }
  return true;
}

/* The window, or without a screen a replacement for it. */
static bool open_window(viewer *viewer, const options *options) {
  if (viewer->is_scripted && getenv("SDL_VIDEODRIVER") == NULL)
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "dummy");
  /* Fingers are reported as such, and not as a mouse once more. */
  SDL_SetHint(SDL_HINT_TOUCH_MOUSE_EVENTS, "0");
  const bool is_open = SDL_Init(SDL_INIT_VIDEO) == 0;
  /* SDL may take its driver that shows nothing rather than fail. */
  if (!is_open || (SDL_getenv("SDL_VIDEODRIVER") == NULL && !viewer->is_scripted &&
                   strcmp(SDL_GetCurrentVideoDriver(), "offscreen") == 0)) {
    fprintf(stderr,
            "viewer: there is no display to open a window on%s%s. Set DISPLAY or WAYLAND_DISPLAY, or play a script "
            "without a display: --script FILE --screenshot FILE.bmp\n",
            is_open ? "" : ": ", is_open ? "" : SDL_GetError());
    return false;
  }
  viewer->window = SDL_CreateWindow("Alidade", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, options->width,
                                    options->height, SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
  if (viewer->window != NULL)
    viewer->renderer =
        SDL_CreateRenderer(viewer->window, -1, viewer->is_scripted ? SDL_RENDERER_SOFTWARE : SDL_RENDERER_PRESENTVSYNC);
  if (viewer->renderer == NULL)
    fprintf(stderr, "viewer: cannot create a window: %s\n", SDL_GetError());
  return viewer->renderer != NULL;
}

bool viewer_is_at_rest(viewer *viewer) {
  ald_navigation_state state = ALD_NAVIGATION_STATE_INIT;
  return viewer->is_painted && ald_view_get_navigation_state(viewer->view, &state, NULL) == ALD_STATUS_OK &&
         !state.needs_time && !answers_are_awaited(viewer) && !pictures_are_behind(viewer->pictures) &&
         !viewer->lens_gaps.is_awaited;
}

/* A frame: what was done, the time that has passed, what came of it, and, unless it is to be skipped, the picture. */
static bool step(viewer *viewer, double seconds, bool is_painted) {
  ald_error error;
  SDL_Event event;
  while (SDL_PollEvent(&event))
    input_take(viewer, &event);
  viewer->time_s += seconds;
  if (!succeeded(viewer, ald_view_advance(viewer->view, seconds, &error), &error))
    return false;
  answers_drain(viewer);
  viewer->is_painted = is_painted;
  return !is_painted || frame_paint(viewer);
}

/* Nobody looks on while a script waits or moves the view: of such frames every sixth is painted. */
static bool play_script(viewer *viewer, const options *options) {
  script script;
  bool is_fine = script_open(&script, options->script);
  for (int number = 0; is_fine && script_step(&script, viewer); number++) {
    ald_navigation_state state = ALD_NAVIGATION_STATE_INIT;
    ald_view_get_navigation_state(viewer->view, &state, NULL);
    is_fine = step(viewer, FRAME_S, (script.is_resting && !state.needs_time) || number % 6 == 0);
  }
  return is_fine && !script.is_failed && (options->screenshot == NULL || frame_save(viewer, options->screenshot));
}

/* Waits for the engine, and wakes the loop: once, until it has drained what the engine says. */
static int wake(void *argument) {
  viewer *const viewer = argument;
  uint32_t is_waiting = 0;
  /* The end of the runtime ends the wait. */
  while (ald_runtime_wait(viewer->runtime, UINT32_MAX, &is_waiting, NULL) == ALD_STATUS_OK) {
    SDL_Event event = {0};
    event.type = SDL_USEREVENT;
    SDL_PushEvent(&event);
    SDL_SemWait(viewer->drained);
  }
  return 0;
}

static bool run(viewer *viewer) {
  const double frequency = (double)SDL_GetPerformanceFrequency();
  uint64_t last = SDL_GetPerformanceCounter();
  bool is_fine = true;
  while (is_fine && !viewer->is_closed) {
    /* While nothing moves and nothing is awaited the loop sleeps until the user or the engine does something. */
    if (viewer_is_at_rest(viewer))
      SDL_WaitEvent(NULL);
    const uint64_t now = SDL_GetPerformanceCounter();
    is_fine = step(viewer, (double)(now - last) / frequency, true);
    if (SDL_SemValue(viewer->drained) == 0)
      SDL_SemPost(viewer->drained);
    last = now;
    const double spent = (double)(SDL_GetPerformanceCounter() - now) / frequency;
    if (spent < FRAME_S)
      SDL_Delay((uint32_t)((FRAME_S - spent) * 1000));
  }
  return is_fine;
}

int main(int count, char **arguments) {
  static viewer viewer;
  options options = {.examples = "examples", .width = 960, .height = 640};
  if (!understand(count, arguments, &options)) {
    fprintf(stderr, "usage: viewer [--examples DIR] [--size WxH] [--times] [--script FILE] [--screenshot FILE] "
                    "[FILE or URL]...\n");
    return 2;
  }
  viewer.is_scripted = options.script != NULL;
  viewer.pointer_dip = (ald_point){-1, -1};
  bool is_fine = open_window(&viewer, &options) &&
                 world_open(&viewer, options.examples, options.files, options.file_count) && lens_open(&viewer) &&
                 frame_resize(&viewer);
  if (is_fine) {
    viewer.pictures = pictures_start(viewer.map, options.says_times);
    viewer.drained = SDL_CreateSemaphore(0);
    is_fine = viewer.pictures != NULL && viewer.drained != NULL;
  }
  if (is_fine && !viewer.is_scripted) {
    viewer.waker = SDL_CreateThread(wake, "wake", &viewer);
    is_fine = viewer.waker != NULL;
  }
  if (is_fine)
    is_fine = viewer.is_scripted ? play_script(&viewer, &options) : run(&viewer);
  pictures_stop(viewer.pictures);
  world_close(&viewer);
  if (viewer.waker != NULL) {
    SDL_SemPost(viewer.drained);
    SDL_WaitThread(viewer.waker, NULL);
  }
  SDL_DestroySemaphore(viewer.drained);
  canvas_free(&viewer.canvas);
  canvas_free(&viewer.glass);
  canvas_free(&viewer.scratch);
  SDL_DestroyTexture(viewer.texture);
  SDL_DestroyRenderer(viewer.renderer);
  SDL_DestroyWindow(viewer.window);
  SDL_Quit();
  return is_fine ? 0 : 1;
}

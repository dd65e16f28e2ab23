/*
 * Scripts: a file of inputs, a line each, which become events of the window like the inputs of a person. Time is made
 * up, 60 frames a second, so that a script does the same wherever it runs.
 *
 *   move X Y             the mouse, at once; with its button down, that is a drag
 *   press [right]        a mouse button down
 *   release              and up
 *   glide X Y SECONDS    the mouse, a bit in each frame
 *   finger ID down|move|up X Y
 *   wheel NOTCHES        where the mouse is
 *   key NAME             as SDL calls it: Left, +, -, Q, 1; "Shift+1"
 *   wait SECONDS
 *   rest                 until nothing moves and nothing is awaited
 *   state                prints camera, scale bar, callout, magnifier, what is under the pointer, and status line
 *   screenshot FILE      a BMP
 *
 * Empty lines and what follows # are passed over.
 */
#include "viewer.h"

#include <math.h>
#include <string.h>

bool script_open(script *script, const char *path) {
  *script = (struct script){0};
  script->path = path;
  script->file = fopen(path, "r");
  if (script->file == NULL)
    fprintf(stderr, "viewer: cannot read %s\n", path);
  return script->file != NULL;
}

static uint32_t buttons(const script *script) {
  return script->button == 0 ? 0 : SDL_BUTTON(script->button);
}

static void move(script *script, double x, double y) {
  SDL_Event event = {0};
  script->x = x;
  script->y = y;
  event.type = SDL_MOUSEMOTION;
  event.motion.state = buttons(script);
  event.motion.x = (int)floor(x);
  event.motion.y = (int)floor(y);
  SDL_PushEvent(&event);
}

static void press(script *script, uint8_t button, bool is_down) {
  SDL_Event event = {0};
  event.type = is_down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
  event.button.button = button;
  event.button.x = (int)floor(script->x);
  event.button.y = (int)floor(script->y);
  SDL_PushEvent(&event);
  script->button = is_down ? button : 0;
}

static bool touch(const viewer *viewer, long finger, const char *phase, double x, double y) {
  SDL_Event event = {0};
  int width = 1, height = 1;
  SDL_GetWindowSize(viewer->window, &width, &height);
  event.type = strcmp(phase, "down") == 0 ? SDL_FINGERDOWN : strcmp(phase, "up") == 0 ? SDL_FINGERUP : SDL_FINGERMOTION;
  event.tfinger.fingerId = finger;
  event.tfinger.x = (float)(x / width);
  event.tfinger.y = (float)(y / height);
  SDL_PushEvent(&event);
  return event.type != SDL_FINGERMOTION || strcmp(phase, "move") == 0;
}

static bool press_key(const char *name) {
  SDL_Event event = {0};
  event.type = SDL_KEYDOWN;
  if (strncmp(name, "Shift+", 6) == 0) {
    event.key.keysym.mod = KMOD_LSHIFT;
    name += 6;
  }
  event.key.keysym.sym = SDL_GetKeyFromName(name);
  SDL_PushEvent(&event);
  return event.key.keysym.sym != SDLK_UNKNOWN;
}

static bool turn_wheel(double notches) {
  SDL_Event event = {0};
  event.type = SDL_MOUSEWHEEL;
  event.wheel.preciseY = (float)notches;
  return SDL_PushEvent(&event) == 1;
}

/* Does what a line says; false if it says nothing that can be done. */
static bool play(script *script, viewer *viewer, const char *line) {
  double x = 0, y = 0, number = 0;
  long finger = 0;
  char word[512] = "";
  if (sscanf(line, "move %lf %lf", &x, &y) == 2) {
    move(script, x, y);
  } else if (sscanf(line, "glide %lf %lf %lf", &script->glide_x, &script->glide_y, &number) == 3) {
    script->glide_frames = (int)lround(number / FRAME_S);
  } else if (sscanf(line, "finger %ld %7s %lf %lf", &finger, word, &x, &y) == 4) {
    return touch(viewer, finger, word, x, y);
  } else if (sscanf(line, "wheel %lf", &number) == 1) {
    return turn_wheel(number);
  } else if (sscanf(line, "key %63s", word) == 1) {
    return press_key(word);
  } else if (sscanf(line, "wait %lf", &number) == 1) {
    script->waiting_frames = (int)lround(number / FRAME_S);
  } else if (sscanf(line, "screenshot %511s", word) == 1) {
    return frame_paint(viewer) && frame_save(viewer, word);
  } else if (strcmp(line, "press") == 0 || strcmp(line, "press right") == 0) {
    press(script, line[5] == '\0' ? SDL_BUTTON_LEFT : SDL_BUTTON_RIGHT, true);
  } else if (strcmp(line, "release") == 0) {
    press(script, script->button, false);
  } else if (strcmp(line, "rest") == 0) {
    script->is_resting = true;
  } else if (strcmp(line, "state") == 0) {
    report(viewer);
  } else {
    return false;
  }
  return true;
}

/* Whether a line before takes this frame, too. */
static bool goes_on(script *script, viewer *viewer) {
  if (script->waiting_frames > 0) {
    script->waiting_frames--;
    return true;
  }
  if (script->glide_frames > 0) {
    const double part = 1.0 / script->glide_frames--;
    move(script, script->x + (script->glide_x - script->x) * part, script->y + (script->glide_y - script->y) * part);
    return true;
  }
  if (script->is_resting && viewer_is_at_rest(viewer))
    script->is_resting = false;
  if (script->is_resting && viewer->is_painted)
    SDL_WaitEventTimeout(NULL, 10); /* Others are at work: the threads of the engine and of the pictures. */
  return script->is_resting;
}

bool script_step(script *script, viewer *viewer) {
  char line[1024];
  if (goes_on(script, viewer))
    return true;
  while (fgets(line, sizeof line, script->file) != NULL) {
    script->line++;
    line[strcspn(line, "#\r\n")] = '\0';
    for (size_t end = strlen(line); end > 0 && line[end - 1] == ' '; end--)
      line[end - 1] = '\0';
    if (line[0] == '\0')
      continue;
    if (!play(script, viewer, line)) {
      fprintf(stderr, "viewer: %s, line %d: \"%s\" is not a valid input\n", script->path, script->line, line);
      script->is_failed = true;
      break;
    }
    /* What was sent is taken in with the next frame. */
    return true;
  }
  fclose(script->file);
  script->file = NULL;
  return false;
}

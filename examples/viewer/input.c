/*
 * What the window reports. A mouse with its button down is a finger; with the right button a second finger is opposite
 * of it, around the middle of the view. The engine recognises the gestures.
 */
#include "viewer.h"

#define MOUSE_FINGER 1
#define OPPOSITE_FINGER 2
/* Fingers of a touch screen have numbers from here on. */
#define FIRST_TOUCH 16

static const struct {
  SDL_Keycode code;
  ald_key key;
} keys[] = {
    {SDLK_LEFT, ALD_KEY_LEFT},       {SDLK_RIGHT, ALD_KEY_RIGHT},    {SDLK_UP, ALD_KEY_UP},
    {SDLK_DOWN, ALD_KEY_DOWN},       {SDLK_PLUS, ALD_KEY_ZOOM_IN},   {SDLK_EQUALS, ALD_KEY_ZOOM_IN},
    {SDLK_KP_PLUS, ALD_KEY_ZOOM_IN}, {SDLK_MINUS, ALD_KEY_ZOOM_OUT}, {SDLK_KP_MINUS, ALD_KEY_ZOOM_OUT},
    {SDLK_q, ALD_KEY_ROTATE_LEFT},   {SDLK_e, ALD_KEY_ROTATE_RIGHT}, {SDLK_n, ALD_KEY_NORTH_UP},
};

/* When an event came. A script's time is made up. */
static double time_of(const viewer *viewer, const SDL_Event *event) {
  return viewer->is_scripted ? viewer->time_s : event->common.timestamp / 1000.0;
}

static void touch(viewer *viewer, uint64_t finger, ald_touch_phase phase, ald_point place, const SDL_Event *event) {
  ald_error error;
  viewer->is_moved = true;
  succeeded(viewer, ald_view_handle_touch(viewer->view, finger, phase, place, time_of(viewer, event), &error), &error);
}

/* A pixel's middle: SDL reports whole numbers. */
static ald_point middle(int x, int y) {
  return (ald_point){x + 0.5, y + 0.5};
}

static void touch_with_mouse(viewer *viewer, ald_touch_phase phase, ald_point place, bool is_right,
                             const SDL_Event *event) {
  touch(viewer, MOUSE_FINGER, phase, place, event);
  if (is_right) {
    ald_view_state state = ALD_VIEW_STATE_INIT;
    if (ald_view_get_state(viewer->view, &state, NULL) != ALD_STATUS_OK)
      return;
    const ald_point opposite = {2 * state.anchor_dip.x - place.x, 2 * state.anchor_dip.y - place.y};
    touch(viewer, OPPOSITE_FINGER, phase, opposite, event);
  }
}

static void take_button(viewer *viewer, const SDL_Event *event) {
  const SDL_MouseButtonEvent *button = &event->button;
  if (button->button != SDL_BUTTON_LEFT && button->button != SDL_BUTTON_RIGHT)
    return;
  const bool is_down = button->type == SDL_MOUSEBUTTONDOWN;
  viewer->is_pointer_free = !is_down;
  /* What begins on the layer list is the list's. */
  if (is_down && list_click(viewer, middle(button->x, button->y))) {
    viewer->is_list_pressed = true;
    return;
  }
  if (viewer->is_list_pressed) {
    viewer->is_list_pressed = is_down;
    return;
  }
  touch_with_mouse(viewer, is_down ? ALD_TOUCH_PHASE_BEGAN : ALD_TOUCH_PHASE_ENDED, middle(button->x, button->y),
                   button->button == SDL_BUTTON_RIGHT, event);
}

static void take_motion(viewer *viewer, const SDL_Event *event) {
  const SDL_MouseMotionEvent *motion = &event->motion;
  viewer->pointer_dip = middle(motion->x, motion->y);
  viewer->is_pointer_free = (motion->state & (SDL_BUTTON_LMASK | SDL_BUTTON_RMASK)) == 0;
  if (!viewer->is_list_pressed && (motion->state & (SDL_BUTTON_LMASK | SDL_BUTTON_RMASK)) != 0)
    touch_with_mouse(viewer, ALD_TOUCH_PHASE_MOVED, viewer->pointer_dip, (motion->state & SDL_BUTTON_RMASK) != 0,
                     event);
}

/* A finger on a screen; SDL reports parts of the window's size. */
static void take_finger(viewer *viewer, const SDL_Event *event) {
  const SDL_TouchFingerEvent *finger = &event->tfinger;
  int width = 0, height = 0;
  SDL_GetWindowSize(viewer->window, &width, &height);
  const ald_point place = {(double)finger->x * width, (double)finger->y * height};
  const ald_touch_phase phase = finger->type == SDL_FINGERDOWN ? ALD_TOUCH_PHASE_BEGAN
                                : finger->type == SDL_FINGERUP ? ALD_TOUCH_PHASE_ENDED
                                                               : ALD_TOUCH_PHASE_MOVED;
  viewer->pointer_dip = place;
  viewer->is_pointer_free = false;
  if (phase == ALD_TOUCH_PHASE_BEGAN && list_click(viewer, place))
    viewer->listed_finger = finger->fingerId + 1;
  if (viewer->listed_finger == finger->fingerId + 1) {
    viewer->listed_finger = phase == ALD_TOUCH_PHASE_ENDED ? 0 : viewer->listed_finger;
    return;
  }
  touch(viewer, FIRST_TOUCH + (uint64_t)finger->fingerId, phase, place, event);
}

static void take_wheel(viewer *viewer, const SDL_MouseWheelEvent *wheel) {
  ald_error error;
  const double notches = wheel->direction == SDL_MOUSEWHEEL_FLIPPED ? -wheel->preciseY : wheel->preciseY;
  if (list_wheel(viewer, viewer->pointer_dip, notches))
    return;
  viewer->is_moved = true;
  succeeded(viewer, ald_view_handle_wheel(viewer->view, viewer->pointer_dip, notches, &error), &error);
}

static void take_key(viewer *viewer, const SDL_KeyboardEvent *event) {
  ald_error error;
  const SDL_Keycode code = event->keysym.sym;
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (keys[i].code == code) {
      viewer->is_moved = true;
      succeeded(viewer, ald_view_handle_key(viewer->view, keys[i].key, &error), &error);
    }
  if (code >= SDLK_0 && code <= SDLK_9 && (event->keysym.mod & KMOD_SHIFT) == 0) {
    viewer->is_moved = true;
    world_fly_to(viewer, (uint32_t)(code - SDLK_0));
  }
  if (code >= SDLK_1 && code <= SDLK_9 && (event->keysym.mod & KMOD_SHIFT) != 0)
    world_toggle(viewer, (uint32_t)(code - SDLK_0));
  if (code == SDLK_HOME) {
    viewer->is_moved = true;
    world_fly_to_data(viewer);
  }
  if (code == SDLK_p && viewer->is_pointer_free)
    world_add_pin(viewer, viewer->pointer_dip);
  if (code == SDLK_ESCAPE) {
    succeeded(viewer, ald_callout_dismiss(viewer->callout, &error), &error);
    world_show_cell(viewer, (ald_identify_result){0});
  }
}

void input_take(viewer *viewer, const SDL_Event *event) {
  switch (event->type) {
  case SDL_QUIT:
    viewer->is_closed = true;
    break;
  case SDL_WINDOWEVENT:
    if (event->window.event == SDL_WINDOWEVENT_SIZE_CHANGED && !frame_resize(viewer))
      viewer->is_closed = true;
    if (event->window.event == SDL_WINDOWEVENT_LEAVE)
      viewer->is_pointer_free = false;
    break;
  case SDL_MOUSEBUTTONDOWN:
  case SDL_MOUSEBUTTONUP:
    take_button(viewer, event);
    break;
  case SDL_MOUSEMOTION:
    take_motion(viewer, event);
    break;
  case SDL_FINGERDOWN:
  case SDL_FINGERUP:
  case SDL_FINGERMOTION:
    take_finger(viewer, event);
    break;
  case SDL_MOUSEWHEEL:
    take_wheel(viewer, &event->wheel);
    break;
  case SDL_KEYDOWN:
    take_key(viewer, &event->key);
    break;
  default:
    break;
  }
}

/**
 * @file
 * Gestures: what fingers, a wheel and keys do, as data. The library makes a moving view of it.
 *
 * Touches are recognised by the library: ald_view_touch. A host with a recogniser of its own tells what it has
 * recognised: ald_view_take_gesture. Time goes on in ald_view_advance alone, so a long press, the end of a wheel's turn
 * and a tap that waits for a second one come there, as all inertia does.
 *
 * What a touch is taken for. A finger has moved when it is more than 8 DIP from where it came down; until then nothing
 * moves, and then the map follows so that what lay under the finger at first is under it again. A second tap within
 * 0.3 s and 100 DIP makes a double tap; a finger that stays for 0.5 s is a long press. Two fingers zoom when their
 * distance has changed by 8 DIP, turn when each has gone 8 DIP around their middle, pan when that has moved 8 DIP; they
 * tap when both are up 0.3 s after the second came down. A third finger is looked at when one of the two is up.
 */
#ifndef ALIDADE_GESTURE_H
#define ALIDADE_GESTURE_H

#include "base.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a touch does. */
typedef int32_t ald_touch_phase;
enum {
  /** A finger comes down. */
  ALD_TOUCH_BEGAN = 1,
  ALD_TOUCH_MOVED = 2,
  /** It is lifted. */
  ALD_TOUCH_ENDED = 3,
  /** The system has taken it away: its gesture ends where it is, without inertia. */
  ALD_TOUCH_CANCELLED = 4
};

/** What was recognised. */
typedef int32_t ald_gesture_kind;
enum {
  ALD_GESTURE_NONE = 0,
  /** A short touch, told at once; a second one may make it a double tap. Moves nothing. */
  ALD_GESTURE_TAP = 1,
  /** A tap after which no second one came, 0.3 s after it. Moves nothing. */
  ALD_GESTURE_SINGLE_TAP = 2,
  /** Zooms in by the zoom factor, about the tap, in 0.3 s. */
  ALD_GESTURE_DOUBLE_TAP = 3,
  /** Zooms out by the zoom factor, about the middle between the fingers, in 0.3 s. */
  ALD_GESTURE_TWO_FINGER_TAP = 4,
  /** A finger that stays, and may move then: began, changed, ended. Moves nothing. */
  ALD_GESTURE_LONG_PRESS = 5,
  /** Pans, and slides on when the finger leaves at 50 DIP/s or more. */
  ALD_GESTURE_DRAG = 6,
  /** A drag that is told when it is over: slides on from its velocity. */
  ALD_GESTURE_SWIPE = 7,
  /** Two fingers: zooms, pans, and turns where ALD_INTERACTION_TWIST allows it. */
  ALD_GESTURE_PINCH = 8,
  /** Two fingers that turn, and are neither moved apart nor along. */
  ALD_GESTURE_TWIST = 9,
  /** A double tap whose second touch stays and moves: 128 DIP down double the scale, about the touch. */
  ALD_GESTURE_ONE_FINGER_ZOOM = 10,
  /** Zooms about the pointer by the zoom factor for each notch. It has ended when it has rested for 0.2 s. */
  ALD_GESTURE_WHEEL = 11,
  /** 100 DIP, 15 degrees or the zoom factor, in 0.3 s. */
  ALD_GESTURE_KEY = 12
};

/** How far a gesture is. */
typedef int32_t ald_gesture_phase;
enum {
  /** All of it at once: taps and swipes. */
  ALD_GESTURE_AT_ONCE = 0,
  ALD_GESTURE_BEGAN = 1,
  ALD_GESTURE_CHANGED = 2,
  ALD_GESTURE_ENDED = 3,
  /** It ends where it is, without inertia. */
  ALD_GESTURE_CANCELLED = 4
};

/** Keys, by what they do. */
typedef int32_t ald_key;
enum {
  /** The view goes left: the map goes right. */
  ALD_KEY_LEFT = 1,
  ALD_KEY_RIGHT = 2,
  ALD_KEY_UP = 3,
  ALD_KEY_DOWN = 4,
  ALD_KEY_ZOOM_IN = 5,
  ALD_KEY_ZOOM_OUT = 6,
  /** What is up turns from north to west. */
  ALD_KEY_ROTATE_LEFT = 7,
  ALD_KEY_ROTATE_RIGHT = 8,
  ALD_KEY_NORTH_UP = 9
};

/** A gesture, or a step of one, that the host has recognised. */
typedef struct ald_gesture {
  uint32_t struct_size;
  /** None of ALD_GESTURE_NONE, ALD_GESTURE_WHEEL and ALD_GESTURE_KEY. */
  ald_gesture_kind kind;
  /** ALD_GESTURE_AT_ONCE for taps and swipes; one of the others for the rest. */
  ald_gesture_phase phase;
  uint32_t reserved;
  /** Where, in DIP: the finger, or the middle between two; each -1e7 to 1e7. */
  ald_point point_dip;
  /**
   * Pinch: how many times as far apart the fingers are as when it began; one-finger zoom: how many times as large
   * things become. More than 0; 0: 1.
   */
  double scale_factor;
  /** Pinch and twist: how far the fingers have turned since they began, clockwise on the screen; -1e6 to 1e6. */
  double rotation_deg;
  /** Swipe, and the end of a drag or pinch: DIP/s, right and down; each -1e9 to 1e9. */
  ald_point velocity_dip_s;
} ald_gesture;

/** Initialises an ald_gesture that says nothing. */
#define ALD_GESTURE_INIT                                                                                               \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_gesture), 0, 0, 0, {0.0, 0.0}, 0.0, 0.0, {                                                    \
      0.0, 0.0                                                                                                         \
    }                                                                                                                  \
  }

/**
 * Takes in what a finger, or a mouse with its button down, does. A finger that comes down stops what moves by itself.
 *
 * @param touch_id Tells fingers apart that are down at the same time. One that never began is not looked at, and
 * neither are fingers beyond 32.
 * @param point_dip Where, each -1e7 to 1e7.
 * @param time_s When, in seconds on any clock of the host's, -1e10 to 1e10. Only differences count; a time before the
 *   last one counts as the last one.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if the view is a magnifier's;
 *   ALD_STATUS_INVALID_ARGUMENT if the phase is none, or a number is not finite or out of its range;
 *   ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_view_touch(ald_view view, uint64_t touch_id, ald_touch_phase touch_phase, ald_point point_dip,
                                  double time_s, ald_error *error);

/**
 * Takes in a gesture that the host has recognised itself. A gesture that lasts begins, changes and ends; another one
 * that begins before takes its place. What is switched off moves nothing, and taps are told of all the same.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if gesture is NULL, its kind is none
 *   that can be told, the phase does not fit the kind, or a number is not finite or out of its range;
 *   ALD_STATUS_INVALID_STATE if a step is told of a gesture that has not begun, or the view is a magnifier's;
 * ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_view_take_gesture(ald_view view, const ald_gesture *gesture, ald_error *error);

/**
 * Zooms as a mouse wheel does, about the pointer.
 *
 * @param point_dip Where the pointer is, each -1e7 to 1e7.
 * @param notches How far the wheel has turned, -1000 to 1000; more than 0 zooms in; parts of a notch are allowed.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if the view is a magnifier's;
 *   ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its range; ALD_STATUS_NOT_READY as for
 *   ald_view_get_state.
 */
ALD_API ald_status ald_view_wheel(ald_view view, ald_point point_dip, double notches, ald_error *error);

/**
 * Moves as a key does. Call it for each press, those that a held key repeats included: they add up.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if the view is a magnifier's;
 *   ALD_STATUS_INVALID_ARGUMENT if the key is none; ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_view_press_key(ald_view view, ald_key key, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

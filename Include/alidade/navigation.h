/**
 * @file
 * Navigation: how a view moves while time passes. Animations, inertia, what gestures may do, and logs that can be
 * played again.
 *
 * The library has no clock. The host tells how much time has passed, once a frame: ald_view_advance. The same inputs at
 * the same times give the same cameras, bit for bit.
 *
 * A movement lasts from its beginning to its end, inertia included. Of each, ALD_EVENT_NAVIGATION_BEGAN comes once,
 * then ALD_EVENT_DID_END_ZOOMING if the scale has changed, else ALD_EVENT_DID_END_PANNING if the centre was moved,
 * ALD_EVENT_DID_END_ROTATING if the rotation has changed, and ALD_EVENT_NAVIGATION_ENDED once. A view has one movement
 * at most: another one that begins ends it.
 */
#ifndef ALIDADE_NAVIGATION_H
#define ALIDADE_NAVIGATION_H

#include "base.h"
#include "camera.h"
#include "gesture.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Why a view moves. */
typedef int32_t ald_navigation_cause;
enum {
  /** It does not. */
  ALD_NAVIGATION_NONE = 0,
  ALD_NAVIGATION_GESTURE = 1,
  ALD_NAVIGATION_ANIMATION = 2,
  /** A function that moves at once. */
  ALD_NAVIGATION_CALL = 3
};

/** How an animation runs: Penner's curves. "In" begins slowly, "out" ends slowly, "in out" does both. */
typedef int32_t ald_animation_curve;
enum {
  ALD_CURVE_LINEAR = 0,
  ALD_CURVE_EASE_IN_QUAD = 1,
  ALD_CURVE_EASE_OUT_QUAD = 2,
  ALD_CURVE_EASE_IN_OUT_QUAD = 3,
  ALD_CURVE_EASE_IN_CUBIC = 4,
  ALD_CURVE_EASE_OUT_CUBIC = 5,
  ALD_CURVE_EASE_IN_OUT_CUBIC = 6,
  ALD_CURVE_EASE_IN_QUART = 7,
  ALD_CURVE_EASE_OUT_QUART = 8,
  ALD_CURVE_EASE_IN_OUT_QUART = 9,
  ALD_CURVE_EASE_IN_QUINT = 10,
  ALD_CURVE_EASE_OUT_QUINT = 11,
  ALD_CURVE_EASE_IN_OUT_QUINT = 12,
  ALD_CURVE_EASE_IN_SINE = 13,
  ALD_CURVE_EASE_OUT_SINE = 14,
  ALD_CURVE_EASE_IN_OUT_SINE = 15,
  ALD_CURVE_EASE_IN_EXPO = 16,
  ALD_CURVE_EASE_OUT_EXPO = 17,
  ALD_CURVE_EASE_IN_OUT_EXPO = 18,
  ALD_CURVE_EASE_IN_CIRC = 19,
  ALD_CURVE_EASE_OUT_CIRC = 20,
  ALD_CURVE_EASE_IN_OUT_CIRC = 21
};

/** Bits of ald_animation_options.flags. */
typedef uint32_t ald_animation_flags;
enum {
  /** The view flies: out, across and in again, as van Wijk and Nuij describe it. */
  ALD_ANIMATION_FLY = 1,
  /** duration_s counts also if it is 0: the animation ends with the next ald_view_advance. */
  ALD_ANIMATION_HAS_DURATION = 2
};

/** How an animation runs. */
typedef struct ald_animation_options {
  uint32_t struct_size;
  ald_animation_flags flags;
  ald_animation_curve curve;
  uint32_t reserved;
  /** 0 to 3600; 0: 0.25, or what the flight's length asks for. */
  double duration_s;
  /** Comes back with ALD_EVENT_NAVIGATION_ENDED; the library never looks at what it points to. */
  void *user_data;
} ald_animation_options;

/** Initialises an ald_animation_options to the default. */
#define ALD_ANIMATION_OPTIONS_INIT                                                                                     \
  { (uint32_t)sizeof(ald_animation_options), 0, 0, 0, 0.0, NULL }

/** Bits of ald_interaction_options.flags. */
typedef uint32_t ald_interaction_flags;
enum {
  /** Gestures, wheel and keys move nothing. Taps and long presses are still told of. */
  ALD_INTERACTION_OFF = 1,
  /** Nothing pans; what zooms does so about the centre. */
  ALD_INTERACTION_NO_PAN = 2,
  ALD_INTERACTION_NO_ZOOM = 4,
  /** Two fingers turn the map. */
  ALD_INTERACTION_TWIST = 8,
  ALD_INTERACTION_NO_PINCH = 16,
  ALD_INTERACTION_NO_DOUBLE_TAP = 32,
  ALD_INTERACTION_NO_TWO_FINGER_TAP = 64,
  ALD_INTERACTION_NO_ONE_FINGER_ZOOM = 128,
  ALD_INTERACTION_NO_WHEEL = 256,
  ALD_INTERACTION_NO_KEYS = 512,
  /** The map stops when the finger leaves it. */
  ALD_INTERACTION_NO_FLING = 1024,
  ALD_INTERACTION_NO_SNAP = 2048,
  /** A finger that stays is no long press. */
  ALD_INTERACTION_NO_LONG_PRESS = 4096,
  /** A magnifier at the view's edge does not pan; see alidade/magnifier.h. */
  ALD_INTERACTION_NO_MAGNIFIER_PAN = 8192
};

/** What gestures may do, and how much. */
typedef struct ald_interaction_options {
  uint32_t struct_size;
  ald_interaction_flags flags;
  /** Of a double tap, a two-finger tap, a notch of the wheel and a key. More than 1, at most 1000; 0: 2. */
  double zoom_factor;
  /** Turned by fingers and left no farther from north than this, the map turns to north. 0 to 45; 0: 7.5. */
  double snap_threshold_deg;
} ald_interaction_options;

/** Initialises an ald_interaction_options to the default. */
#define ALD_INTERACTION_OPTIONS_INIT                                                                                   \
  { (uint32_t)sizeof(ald_interaction_options), 0, 0.0, 0.0 }

/** Whether and why a view moves. */
typedef struct ald_navigation_state {
  uint32_t struct_size;
  /** 1 from the beginning of a movement to its end. */
  uint32_t is_navigating;
  ald_navigation_cause cause;
  /** ALD_GESTURE_NONE unless a gesture is the cause. */
  ald_gesture_kind gesture;
  /** 1 if ald_view_advance can change something before the next input. A loop that sleeps need not wake for it else. */
  uint32_t needs_time;
  uint32_t is_recording;
} ald_navigation_state;

/** Initialises an ald_navigation_state. */
#define ALD_NAVIGATION_STATE_INIT                                                                                      \
  { (uint32_t)sizeof(ald_navigation_state), 0, 0, 0, 0, 0 }

/**
 * Lets time pass for a view: animations, inertia, and gestures that wait. Call it once a frame.
 *
 * @param seconds Since the last call, 0 to 1e9. 0 changes nothing.
 * @return ALD_STATUS_OK, also if the view is not ready; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if
 *   seconds is negative, not finite or too large; nothing has moved then.
 */
ALD_API ald_status ald_view_advance(ald_view view, double seconds, ald_error *error);

/**
 * Begins to move to a viewpoint while time passes. The rotation goes the shortest way round, the centre too where the
 * world repeats itself. Where the constraints do not let the view go, it goes as near as they do. Its end is told by
 * ALD_EVENT_NAVIGATION_ENDED: status ALD_STATUS_OK, or ALD_STATUS_CANCELLED if something else moved the view before.
 *
 * @param viewpoint Where to, as for ald_view_move; what its fields do not name stays.
 * @param padding As for ald_view_move. NULL: none.
 * @param options NULL for all defaults.
 * @return As ald_view_move: ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if the view is a
 *   magnifier's; ALD_STATUS_INVALID_ARGUMENT, also if an option is none; ALD_STATUS_NOT_READY, also as for
 *   ald_view_get_state; ALD_STATUS_PROJECTION_FAILED. On failure the view goes on as it did.
 */
ALD_API ald_status ald_view_animate_to(ald_view view, const ald_viewpoint *viewpoint, const ald_insets *padding,
                                       const ald_animation_options *options, ald_error *error);

/**
 * Ends what moves, where it is. Fingers that are down move the map on when they move.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE.
 */
ALD_API ald_status ald_view_stop(ald_view view, ald_error *error);

/**
 * Whether and why a view moves.
 *
 * @param out_state Initialise it with ALD_NAVIGATION_STATE_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_state is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_view_get_navigation_state(ald_view view, ald_navigation_state *out_state, ald_error *error);

/**
 * Sets what gestures may do, all of it.
 *
 * @param options NULL for all defaults: every gesture is on but the twist.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if the view is a magnifier's;
 *   ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its range.
 */
ALD_API ald_status ald_view_set_interaction_options(ald_view view, const ald_interaction_options *options,
                                                    ald_error *error);

/**
 * What gestures may do.
 *
 * @param out_options Initialise it with ALD_INTERACTION_OPTIONS_INIT. Numbers come as they are used, never as 0 for a
 *   default.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_options is NULL or its
 *   struct_size is none.
 */
ALD_API ald_status ald_view_get_interaction_options(ald_view view, ald_interaction_options *out_options,
                                                    ald_error *error);

/**
 * How far an animation is when a part of its duration has passed.
 *
 * @param part 0 to 1; less counts as 0, more as 1.
 * @param out_value Receives 0 to 1.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_ARGUMENT if the curve is none, part is not finite or out_value is NULL.
 */
ALD_API ald_status ald_animation_curve_value(ald_animation_curve curve, double part, double *out_value,
                                             ald_error *error);

/**
 * Begins to write down all that moves a view: inputs, times, and what calls set. What moves by itself ends where it is,
 * and fingers that are down count no more. A view that records already begins a new log.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if the view is a magnifier's;
 *   ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_view_start_recording(ald_view view, ald_error *error);

/**
 * The log as it is by now: UTF-8, a line per input, the first one "alidade-navigation 1".
 *
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the needed size, the NUL counted in; also written when the buffer is too small. May be NULL
 *   if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity is not
 * 0, or both buffer and out_size are NULL; ALD_STATUS_INVALID_STATE if the view does not record;
 *   ALD_STATUS_LIMIT_EXCEEDED if the log would be longer than the policy's max_request_bytes;
 * ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_view_recording(ald_view view, char *buffer, size_t capacity, size_t *out_size, ald_error *error);

/**
 * Plays a log: the view does what the recorded one did, and ends where it did, bit for bit. On failure the view stays
 * where the log was right.
 *
 * @param log What ald_view_recording gave, or a text of that form. Empty lines and lines that begin with # are passed
 *   over.
 * @param offset Where to begin, in bytes; 0 sets the view up as the recorded one was, with its size, constraints and
 *   interaction options. Beyond the end is the end.
 * @param frame_count After how many calls of ald_view_advance to pause, at least 1; ALD_ALL: plays to the end.
 * @param out_offset Receives where to go on; the log's length at its end. May be NULL.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if log is NULL or not UTF-8, is no log
 *   or one of a map in another spatial reference, or has a line that cannot be played; the message names it;
 *   ALD_STATUS_INVALID_STATE for a line that does not follow from those before, or if the view is a magnifier's;
 * ALD_STATUS_NOT_READY if the map has no spatial reference.
 */
ALD_API ald_status ald_view_replay(ald_view view, const char *log, uint64_t offset, uint32_t frame_count,
                                   uint64_t *out_offset, ald_error *error);

/**
 * Ends the writing. The log is gone; read it before with ald_view_recording.
 *
 * @return ALD_STATUS_OK, also if the view does not record; ALD_STATUS_INVALID_HANDLE.
 */
ALD_API ald_status ald_view_stop_recording(ald_view view, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

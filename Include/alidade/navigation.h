/**
 * @file
 * Navigation: how a view moves by gestures, by animations and while time passes.
 *
 * The library has no clock. The host passes in touches, wheel turns, keys and, once per frame, the time that has passed
 * (ald_view_advance). The same inputs at the same times give the same cameras, bit for bit. A host that recognises
 * gestures itself passes them to ald_view_handle_gesture; otherwise ald_view_handle_touch recognises them. Time passes
 * only in ald_view_advance. Long presses, single taps, the end of a wheel turn and all inertia therefore happen there.
 *
 * How touches become gestures: a finger has moved when it is more than 8 DIP from where it came down. Until then
 * nothing moves. From then on the map follows the finger: the map point on which the finger came down stays under it. A
 * second tap within 0.3 s and 100 DIP is a double tap. A finger that stays for 0.5 s is a long press. Two fingers zoom
 * when their distance has changed by 8 DIP, rotate when each has moved 8 DIP around their middle, and pan when their
 * middle has moved 8 DIP. Two fingers tap when both are up within 0.3 s after the second one came down. A third finger
 * is ignored until one of the first two is up.
 *
 * A movement lasts from its beginning to its end, inertia included. A view has at most one movement: a new one ends the
 * current one. Each movement posts ALD_EVENT_KIND_NAVIGATION_BEGAN once. At its end it posts
 * ALD_EVENT_KIND_DID_END_ZOOMING if the scale has changed, otherwise ALD_EVENT_KIND_DID_END_PANNING if the centre was
 * moved; then ALD_EVENT_KIND_DID_END_ROTATING if the rotation has changed; and ALD_EVENT_KIND_NAVIGATION_ENDED once.
 *
 * @code{.c}
 * const ald_point finger = {100, 80};
 * ald_status status = ald_view_handle_touch(view, 1, ALD_TOUCH_PHASE_BEGAN, finger, 12.50, error);
 * if (status == ALD_STATUS_OK) status = ald_view_handle_touch(view, 1, ALD_TOUCH_PHASE_ENDED, finger, 12.56, error);
 * if (status == ALD_STATUS_OK) status = ald_view_advance(view, 1.0 / 60, error); // once per frame
 * return status;
 * @endcode
 */
#ifndef ALIDADE_NAVIGATION_H
#define ALIDADE_NAVIGATION_H

#include "base.h"
#include "handles.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The phase of a touch. */
typedef int32_t ald_touch_phase;
enum ald_touch_phase_values {
  /** A finger comes down. */
  ALD_TOUCH_PHASE_BEGAN = 1,
  ALD_TOUCH_PHASE_MOVED = 2,
  /** The finger is lifted. */
  ALD_TOUCH_PHASE_ENDED = 3,
  /** The system has taken the touch away. Its gesture ends at once, without inertia. */
  ALD_TOUCH_PHASE_CANCELLED = 4
};

/** The kind of a gesture. */
typedef int32_t ald_gesture_kind;
enum ald_gesture_kind_values {
  ALD_GESTURE_KIND_NONE = 0,
  /** A short touch, reported at once. A second tap may still turn it into a double tap. Moves nothing. */
  ALD_GESTURE_KIND_TAP = 1,
  /** A tap that no second tap followed, reported 0.3 s after the tap. Moves nothing. */
  ALD_GESTURE_KIND_SINGLE_TAP = 2,
  /** Zooms in by the zoom factor about the tap, in 0.3 s. */
  ALD_GESTURE_KIND_DOUBLE_TAP = 3,
  /** Zooms out by the zoom factor about the middle between the fingers, in 0.3 s. */
  ALD_GESTURE_KIND_TWO_FINGER_TAP = 4,
  /** A finger that stays, and may then move: began, changed, ended. Moves nothing. */
  ALD_GESTURE_KIND_LONG_PRESS = 5,
  /** Pans. The map slides on if the finger leaves at 50 DIP/s or more. */
  ALD_GESTURE_KIND_DRAG = 6,
  /** A drag that is reported when it is over. The map slides on at its velocity. */
  ALD_GESTURE_KIND_SWIPE = 7,
  /** Two fingers zoom and pan. They also rotate if ALD_INTERACTION_TWIST allows it. */
  ALD_GESTURE_KIND_PINCH = 8,
  /** Two fingers rotate, without zooming or panning. */
  ALD_GESTURE_KIND_TWIST = 9,
  /**
   * A double tap whose second touch stays and moves. Each 128 DIP down magnify the map by 2 about the touch; each 128
   * DIP up reduce it by 2.
   */
  ALD_GESTURE_KIND_ONE_FINGER_ZOOM = 10,
  /** Zooms by the zoom factor per notch about the pointer. Ends when the wheel has rested for 0.2 s. */
  ALD_GESTURE_KIND_WHEEL = 11,
  /** Moves by 100 DIP, 15 degrees or the zoom factor, in 0.3 s. */
  ALD_GESTURE_KIND_KEY = 12
};

/** The phase of a gesture. */
typedef int32_t ald_gesture_phase;
enum ald_gesture_phase_values {
  /** The whole gesture at once, for taps and swipes. */
  ALD_GESTURE_PHASE_AT_ONCE = 0,
  ALD_GESTURE_PHASE_BEGAN = 1,
  ALD_GESTURE_PHASE_CHANGED = 2,
  ALD_GESTURE_PHASE_ENDED = 3,
  /** The gesture ends at once, without inertia. */
  ALD_GESTURE_PHASE_CANCELLED = 4
};

/** Keys, by their function. */
typedef int32_t ald_key;
enum ald_key_values {
  /** The view moves left, so the map moves right. */
  ALD_KEY_LEFT = 1,
  ALD_KEY_RIGHT = 2,
  ALD_KEY_UP = 3,
  ALD_KEY_DOWN = 4,
  ALD_KEY_ZOOM_IN = 5,
  ALD_KEY_ZOOM_OUT = 6,
  /** The direction that is up turns from north to west. */
  ALD_KEY_ROTATE_LEFT = 7,
  ALD_KEY_ROTATE_RIGHT = 8,
  ALD_KEY_NORTH_UP = 9
};

/** A gesture, or a step of a gesture, that the host has recognised. */
typedef struct ald_gesture {
  uint32_t struct_size;
  /** Any kind except ALD_GESTURE_KIND_NONE, ALD_GESTURE_KIND_WHEEL and ALD_GESTURE_KIND_KEY. */
  ald_gesture_kind kind;
  /** ALD_GESTURE_PHASE_AT_ONCE for taps and swipes, another phase for all other kinds. */
  ald_gesture_phase phase;
  uint32_t reserved;
  /** The position of the finger, or the middle between two fingers, in DIP, each -1e7 to 1e7. */
  ald_point point_dip;
  /**
   * For a pinch: the distance between the fingers, divided by the distance when the gesture began. For a one-finger
   * zoom: the magnification since the gesture began. More than 0; 0 means 1.
   */
  double scale_factor;
  /**
   * For a pinch or a twist: how far the fingers have turned since the gesture began, in degrees clockwise on the
   * screen, -1e6 to 1e6.
   */
  double rotation_deg;
  /** For a swipe, and for the end of a drag or pinch: the velocity in DIP/s, right and down, each -1e9 to 1e9. */
  ald_point velocity_dip_s;
} ald_gesture;

/** Initialises an ald_gesture without a kind. */
#define ALD_GESTURE_INIT                                                                                               \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_gesture), 0, 0, 0, {0.0, 0.0}, 0.0, 0.0, {                                                    \
      0.0, 0.0                                                                                                         \
    }                                                                                                                  \
  }

/** The cause of a movement. */
typedef int32_t ald_navigation_cause;
enum ald_navigation_cause_values {
  /** The view does not move. */
  ALD_NAVIGATION_CAUSE_NONE = 0,
  ALD_NAVIGATION_CAUSE_GESTURE = 1,
  ALD_NAVIGATION_CAUSE_ANIMATION = 2,
  /** A function that moves the view at once. */
  ALD_NAVIGATION_CAUSE_CALL = 3
};

/** The easing of an animation: Penner's curves. "In" begins slowly, "out" ends slowly, and "in out" does both. */
typedef int32_t ald_animation_curve;
enum ald_animation_curve_values {
  ALD_ANIMATION_CURVE_LINEAR = 0,
  ALD_ANIMATION_CURVE_EASE_IN_QUAD = 1,
  ALD_ANIMATION_CURVE_EASE_OUT_QUAD = 2,
  ALD_ANIMATION_CURVE_EASE_IN_OUT_QUAD = 3,
  ALD_ANIMATION_CURVE_EASE_IN_CUBIC = 4,
  ALD_ANIMATION_CURVE_EASE_OUT_CUBIC = 5,
  ALD_ANIMATION_CURVE_EASE_IN_OUT_CUBIC = 6,
  ALD_ANIMATION_CURVE_EASE_IN_QUART = 7,
  ALD_ANIMATION_CURVE_EASE_OUT_QUART = 8,
  ALD_ANIMATION_CURVE_EASE_IN_OUT_QUART = 9,
  ALD_ANIMATION_CURVE_EASE_IN_QUINT = 10,
  ALD_ANIMATION_CURVE_EASE_OUT_QUINT = 11,
  ALD_ANIMATION_CURVE_EASE_IN_OUT_QUINT = 12,
  ALD_ANIMATION_CURVE_EASE_IN_SINE = 13,
  ALD_ANIMATION_CURVE_EASE_OUT_SINE = 14,
  ALD_ANIMATION_CURVE_EASE_IN_OUT_SINE = 15,
  ALD_ANIMATION_CURVE_EASE_IN_EXPO = 16,
  ALD_ANIMATION_CURVE_EASE_OUT_EXPO = 17,
  ALD_ANIMATION_CURVE_EASE_IN_OUT_EXPO = 18,
  ALD_ANIMATION_CURVE_EASE_IN_CIRC = 19,
  ALD_ANIMATION_CURVE_EASE_OUT_CIRC = 20,
  ALD_ANIMATION_CURVE_EASE_IN_OUT_CIRC = 21
};

/** Bits of ald_animation_options.flags. */
typedef uint32_t ald_animation_flags;
enum ald_animation_flags_values {
  /** The view flies: out, across and in again, on the path of van Wijk and Nuij. */
  ALD_ANIMATION_FLY = 1,
  /** duration_s is used even if it is 0. With 0, the animation ends with the next ald_view_advance. */
  ALD_ANIMATION_HAS_DURATION = 2
};

/** The options of an animation. */
typedef struct ald_animation_options {
  uint32_t struct_size;
  ald_animation_flags flags;
  ald_animation_curve curve;
  uint32_t reserved;
  /** The duration in seconds, 0 to 3600. 0 means 0.25, or for a flight the duration that fits its length. */
  double duration_s;
  /** Returned with ALD_EVENT_KIND_NAVIGATION_ENDED. The library does not access what it points to. */
  void *user_data;
} ald_animation_options;

/** Initialises an ald_animation_options to the default. */
#define ALD_ANIMATION_OPTIONS_INIT                                                                                     \
  { (uint32_t)sizeof(ald_animation_options), 0, 0, 0, 0.0, NULL }

/** Bits of ald_interaction_options.flags. */
typedef uint32_t ald_interaction_flags;
enum ald_interaction_flags_values {
  /** Gestures, wheel and keys move nothing. Taps and long presses are still reported. */
  ALD_INTERACTION_OFF = 1,
  /** Nothing pans. Zooming is about the centre. */
  ALD_INTERACTION_NO_PAN = 2,
  ALD_INTERACTION_NO_ZOOM = 4,
  /** Two fingers rotate the map. */
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
  /** A finger that stays is not a long press. */
  ALD_INTERACTION_NO_LONG_PRESS = 4096,
  /** A magnifier at the edge of the view does not pan. See magnifier.h. */
  ALD_INTERACTION_NO_MAGNIFIER_PAN = 8192
};

/** The gestures that a view accepts, and their strength. */
typedef struct ald_interaction_options {
  uint32_t struct_size;
  ald_interaction_flags flags;
  /**
   * The zoom factor of a double tap, a two-finger tap, a notch of the wheel and a key. More than 1, at most 1000. 0
   * means 2.
   */
  double zoom_factor;
  /**
   * If fingers rotate the map and let go of it at most this far from north, the map turns to north. 0 to 45 degrees. 0
   * means 7.5.
   */
  double snap_threshold_deg;
} ald_interaction_options;

/** Initialises an ald_interaction_options to the default. */
#define ALD_INTERACTION_OPTIONS_INIT                                                                                   \
  { (uint32_t)sizeof(ald_interaction_options), 0, 0.0, 0.0 }

/** Whether a view moves, and why. */
typedef struct ald_navigation_state {
  uint32_t struct_size;
  /** 1 from the beginning of a movement to its end, otherwise 0. */
  uint32_t is_navigating;
  ald_navigation_cause cause;
  /** The gesture if a gesture is the cause, otherwise ALD_GESTURE_KIND_NONE. */
  ald_gesture_kind gesture;
  /**
   * 1 if ald_view_advance can change something before the next input. While it is 0, a loop that sleeps does not need
   * to wake for the view.
   */
  uint32_t needs_time;
  /** 1 between ald_view_start_recording and ald_view_stop_recording, otherwise 0. */
  uint32_t is_recording;
} ald_navigation_state;

/** Initialises an ald_navigation_state. */
#define ALD_NAVIGATION_STATE_INIT                                                                                      \
  { (uint32_t)sizeof(ald_navigation_state), 0, 0, 0, 0, 0 }

/* Input */

/**
 * Handles a touch by a finger, or by a mouse with its button down. A finger that comes down stops inertia and
 * animations.
 *
 * @param touch_id Identifies the finger among all fingers that are down. A touch that never began is ignored, and so is
 *     every finger beyond 32.
 * @param phase What the finger does.
 * @param screen_point The position of the finger, each coordinate -1e7 to 1e7.
 * @param time_s The time in seconds on any clock of the host, -1e10 to 1e10. Only differences matter. A time before the
 *     last one counts as the last one.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if phase is not valid, or a number is not finite or out of range.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_handle_touch(ald_view view, uint64_t touch_id, ald_touch_phase phase,
                                         ald_point screen_point, double time_s, ald_error *error);

/**
 * Handles a gesture that the host has recognised. A gesture that lasts begins, changes and ends. If another gesture
 * begins before the end, it replaces the first. A gesture that the interaction options forbid moves nothing; taps are
 * still reported.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if gesture is NULL, its kind is not valid here, the phase does not fit the kind, or a
 *     number is not finite or out of range.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_INVALID_STATE if the gesture changes or ends without having begun, or the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_handle_gesture(ald_view view, const ald_gesture *gesture, ald_error *error);

/**
 * Zooms about the pointer, as a mouse wheel does.
 *
 * @param screen_point The position of the pointer, each coordinate -1e7 to 1e7.
 * @param notches The turn of the wheel, -1000 to 1000. More than 0 zooms in. Fractions of a notch are allowed.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_handle_wheel(ald_view view, ald_point screen_point, double notches, ald_error *error);

/**
 * Moves a view as a key does. Call it for each press, including the repeats of a key that is held: the steps add up.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if key is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_handle_key(ald_view view, ald_key key, ald_error *error);

/**
 * Sets the interaction options of a view. They replace all previous options.
 *
 * @param options NULL for all defaults: every gesture except the twist is on.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_set_interaction_options(ald_view view, const ald_interaction_options *options,
                                                    ald_error *error);

/**
 * Gets the interaction options of a view.
 *
 * @param out_options Receives the options. Initialise it with ALD_INTERACTION_OPTIONS_INIT. Numbers are the effective
 *     values, never 0 for a default.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_options is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 */
ALD_API ald_status ald_view_get_interaction_options(ald_view view, ald_interaction_options *out_options,
                                                    ald_error *error);

/* Animations and time */

/**
 * Lets time pass for a view: for animations, inertia and gestures that wait. Call it once per frame. On failure nothing
 * moves.
 *
 * @param seconds The time since the last call, 0 to 1e9. 0 changes nothing.
 * @return ALD_STATUS_OK on success, even if the view is not ready. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if seconds is negative, not finite or too large.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 */
ALD_API ald_status ald_view_advance(ald_view view, double seconds, ald_error *error);

/**
 * Begins an animation to a viewpoint. The rotation turns in the shorter direction. On a map that wraps around, the
 * centre takes the shorter path as well. The view goes as near to the viewpoint as its constraints allow.
 * ALD_EVENT_KIND_NAVIGATION_ENDED reports the end, with the status ALD_STATUS_OK, or ALD_STATUS_CANCELLED if something
 * else moved the view first. On failure the current movement continues.
 *
 * @param viewpoint The viewpoint, as for ald_view_move. The view keeps every part that its fields do not name.
 * @param padding As for ald_view_move. NULL means no padding.
 * @param options NULL for all defaults.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is not valid, or as for ald_view_move.
 *   - ALD_STATUS_INVALID_HANDLE if view or a handle in viewpoint is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_move and ald_view_get_state.
 *   - ALD_STATUS_PROJECTION_FAILED as for ald_view_move.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_animate_to(ald_view view, const ald_viewpoint *viewpoint, const ald_insets *padding,
                                       const ald_animation_options *options, ald_error *error);

/**
 * Stops a view where it is. Fingers that are down continue to move the map when they move.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 */
ALD_API ald_status ald_view_stop(ald_view view, ald_error *error);

/**
 * Gets the navigation state of a view: whether it moves, and why.
 *
 * @param out_state Receives the state. Initialise it with ALD_NAVIGATION_STATE_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_state is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 */
ALD_API ald_status ald_view_get_navigation_state(ald_view view, ald_navigation_state *out_state, ald_error *error);

/**
 * Computes the progress of an animation after a part of its duration.
 *
 * @param fraction The fraction of the duration that has passed, 0 to 1. A smaller number counts as 0, a larger one as
 *     1.
 * @param out_value Receives the progress, 0 to 1.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if curve is not valid, fraction is not finite or out_value is NULL.
 */
ALD_API ald_status ald_animation_curve_value(ald_animation_curve curve, double fraction, double *out_value,
                                             ald_error *error);

/* Recording and replay */

/**
 * Begins to record everything that moves a view: inputs, times, and the settings of calls. Inertia and animations stop
 * where they are, and touches in progress are ignored. If the view already records, a new log begins.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_start_recording(ald_view view, ald_error *error);

/**
 * Gets the log that has been recorded so far. It is UTF-8 with one line per input. The first line is
 * "alidade-navigation 1".
 *
 * @param buffer Receives the text with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity_bytes is not 0, or both buffer and out_size_bytes are
 *     NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the log would be longer than max_request_bytes of the policy.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 *   - ALD_STATUS_INVALID_STATE if the view does not record.
 */
ALD_API ald_status ald_view_get_recording(ald_view view, char *buffer, size_t capacity_bytes, size_t *out_size_bytes,
                                          ald_error *error);

/**
 * Replays a log. The view does what the recorded view did, and ends at the same camera, bit for bit, if its map
 * limits scales and extent as the recorded view's map did: these limits are not in the log. On failure the view stays
 * where the last valid line left it.
 *
 * @param log The text from ald_view_get_recording, or a text of the same form. Empty lines and lines that begin with #
 *     are ignored.
 * @param offset The position in bytes at which to begin. 0 first gives the view the size, constraints and interaction
 *     options of the recorded view. A position beyond the end counts as the end.
 * @param frame_count The number of calls of ald_view_advance after which to pause, at least 1. ALD_ALL replays to the
 *     end.
 * @param out_offset Receives the position at which to continue, or the length of the log at its end. May be NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if log is NULL or not UTF-8, is not a log, belongs to a map in another spatial
 *     reference, or has a line that cannot be replayed. The message names the line.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY if the map has no spatial reference.
 *   - ALD_STATUS_INVALID_STATE if a line does not follow from the lines before it, or the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_replay(ald_view view, const char *log, uint64_t offset, uint32_t frame_count,
                                   uint64_t *out_offset, ald_error *error);

/**
 * Stops recording and discards the log. Read the log first with ald_view_get_recording.
 *
 * @return ALD_STATUS_OK on success, even if the view does not record. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 */
ALD_API ald_status ald_view_stop_recording(ald_view view, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

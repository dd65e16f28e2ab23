/**
 * @file
 * Magnifiers: a second camera, bound to a view, that enlarges what is under a finger.
 *
 * The library says what the magnifier shows and where it is on the screen; the host draws it. A magnifier has a view of
 * its own (ald_magnifier_get_view). Every function that reads a view accepts it, in the magnifier's own DIP with the
 * origin at its top left: ald_view_get_state, ald_view_screen_to_map, ald_view_identify_layer, ald_view_read_rgba,
 * ald_view_create_overlay_drawing, ald_view_create_snapshot and so on. Its map, graphics overlays, rotation and pixel
 * density are the same as in the magnified view. While the magnifier is hidden, these functions return
 * ALD_STATUS_NOT_READY. The host cannot move the magnifier's view: functions that move a view, or set how it may move,
 * return ALD_STATUS_INVALID_STATE. The magnifier's view changes with the magnified view and with ald_magnifier_show_at,
 * and posts no events.
 *
 * To use a magnifier with a long press: show it at the point of each ALD_EVENT_KIND_GESTURE of
 * ALD_GESTURE_KIND_LONG_PRESS that begins or changes, and hide it when the gesture ends. A finger near a side of the
 * view pans the map during ald_view_advance, unless ALD_INTERACTION_NO_PAN or ALD_INTERACTION_NO_MAGNIFIER_PAN forbids
 * it. The events of that movement name the cause ALD_NAVIGATION_CAUSE_GESTURE and ALD_GESTURE_KIND_LONG_PRESS, and a
 * recording of the view contains it. The layout of a callout of the view avoids the magnifier.
 *
 * @code{.c}
 * ald_magnifier magnifier;
 * ald_status status = ald_magnifier_create(view, NULL, &magnifier, error);
 * if (status != ALD_STATUS_OK) return status;
 * const ald_point finger = {400, 300};
 * status = ald_magnifier_show_at(magnifier, finger, error);
 * ald_magnifier_state state = ALD_MAGNIFIER_STATE_INIT;
 * if (status == ALD_STATUS_OK) status = ald_magnifier_get_state(magnifier, &state, error);
 * if (status == ALD_STATUS_OK) printf("draw it at %g, %g\n", state.box_dip.x_min, state.box_dip.y_min);
 * ald_magnifier_release(magnifier);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_MAGNIFIER_H
#define ALIDADE_MAGNIFIER_H

#include "base.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_magnifier_options.flags. */
typedef uint32_t ald_magnifier_flags;
enum ald_magnifier_flags_values {
  /** lift_dip is used even if it is 0. */
  ALD_MAGNIFIER_HAS_LIFT = 1
};

/** The options of a magnifier. */
typedef struct ald_magnifier_options {
  uint32_t struct_size;
  ald_magnifier_flags flags;
  /** The magnification relative to the view, 1 to 1000. 0 means 2. */
  double factor;
  /** The width of the magnifier, 0 to 1e4. 0 means 120. */
  double width_dip;
  /** The height of the magnifier, 0 to 1e4. 0 means 120. */
  double height_dip;
  /** The distance from the finger to the magnifier's box, 0 to 1e4. 0 means 40. */
  double lift_dip;
  /** A finger nearer than this to a side of the area that the insets leave free pans the map. 0 to 1e4. 0 means 40. */
  double edge_dip;
  /**
   * The speed of panning at the side itself, in DIP/s. At edge_dip from the side the speed is 0. 0 to 1e4. 0 means 400.
   */
  double pan_speed_dip_s;
} ald_magnifier_options;

/** Initialises an ald_magnifier_options to the default. */
#define ALD_MAGNIFIER_OPTIONS_INIT                                                                                     \
  { (uint32_t)sizeof(ald_magnifier_options), 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 }

/** The state of a magnifier. While it is hidden, points and box are NaN. */
typedef struct ald_magnifier_state {
  uint32_t struct_size;
  /** 1 while the magnifier is shown, otherwise 0. */
  uint32_t is_shown;
  /** 1 while the map moves because the finger is near a side of the view, otherwise 0. */
  uint32_t is_panning;
  uint32_t reserved;
  /** The position of the finger, as passed to ald_magnifier_show_at, in DIP of the view. */
  ald_point finger_point;
  /**
   * The screen point of the view that is in the middle of the magnifier: the position of the finger, kept inside the
   * view.
   */
  ald_point target_point;
  /** The map point at target_point, in the map's spatial reference. */
  ald_point map_point;
  /**
   * The box in which to draw the magnifier, in DIP of the view, y down. It is above the finger, or below the finger if
   * there is not enough space above. As far as it fits, it is inside the area that the insets leave free.
   */
  ald_envelope box_dip;
} ald_magnifier_state;

/** Initialises an ald_magnifier_state. */
#define ALD_MAGNIFIER_STATE_INIT                                                                                       \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_magnifier_state), 0, 0, 0, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {                              \
      0.0, 0.0, 0.0, 0.0                                                                                               \
    }                                                                                                                  \
  }

/**
 * Creates a magnifier of a view. It is hidden. A view can have any number of magnifiers and shows one at a time.
 *
 * @param view The view. The magnifier keeps it.
 * @param options NULL for all defaults.
 * @param out_magnifier Receives the magnifier; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_magnifier is NULL, an option is not finite, out of range or unknown, or the
 *     view belongs to a magnifier.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 */
ALD_API ald_status ald_magnifier_create(ald_view view, const ald_magnifier_options *options,
                                        ald_magnifier *out_magnifier, ald_error *error);

/** Releases a magnifier. The effect on the view is the same as hiding the magnifier. */
ALD_API void ald_magnifier_release(ald_magnifier magnifier);

/**
 * Sets the options of a magnifier. They replace all previous options. Panning in progress continues unchanged until the
 * next ald_magnifier_show_at.
 *
 * @param options NULL for all defaults.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is not finite, out of range or unknown.
 *   - ALD_STATUS_INVALID_HANDLE if magnifier is not valid.
 */
ALD_API ald_status ald_magnifier_set_options(ald_magnifier magnifier, const ald_magnifier_options *options,
                                             ald_error *error);

/**
 * Gets the view of a magnifier. It is the same view for the whole life of the magnifier.
 *
 * @param out_view Receives the view. The handle is borrowed: valid while the magnifier lives. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_view is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if magnifier is not valid.
 */
ALD_API ald_status ald_magnifier_get_view(ald_magnifier magnifier, ald_view *out_view, ald_error *error);

/**
 * Shows a magnifier, or moves it with the finger. Hides another magnifier that the view shows. A finger that stays near
 * a side of the view pans continuously. Another movement (a call, an animation, another finger) ends the panning until
 * the next call of this function.
 *
 * @param screen_point The position of the finger in the magnified view, each coordinate -1e7 to 1e7. A point outside
 *     the view counts as the nearest point inside.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range.
 *   - ALD_STATUS_INVALID_HANDLE if magnifier is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_magnifier_show_at(ald_magnifier magnifier, ald_point screen_point, ald_error *error);

/**
 * Hides a magnifier and ends its panning. Does nothing if the magnifier is hidden.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if magnifier is not valid.
 */
ALD_API ald_status ald_magnifier_hide(ald_magnifier magnifier, ald_error *error);

/**
 * Gets the state of a magnifier, including where to draw it. Call it in every frame: the map point under a still
 * finger changes when the map moves.
 *
 * @param out_state Receives the state. Initialise it with ALD_MAGNIFIER_STATE_INIT.
 * @return ALD_STATUS_OK on success, whether the magnifier is shown or not. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_state is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if magnifier is not valid.
 */
ALD_API ald_status ald_magnifier_get_state(ald_magnifier magnifier, ald_magnifier_state *out_state, ald_error *error);

/**
 * Converts points of a magnifier's screen to points of the screen of the magnified view.
 *
 * @param screen_xy count points, each two doubles x, y in DIP of the magnifier. Points outside the magnifier are
 *     allowed.
 * @param stride_bytes The distance from one point to the next in bytes, at least 16. 0 means 16.
 * @param count The number of points. 0 does nothing.
 * @param out_screen_xy Receives the points in DIP of the view. A point that is not finite, or whose image is not
 *     finite, becomes NaN, NaN. May be screen_xy if both strides are equal; otherwise the arrays must not overlap.
 * @param out_stride_bytes The distance from one point to the next in bytes, at least 16. 0 means 16. Bytes between
 *     points are not changed.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an array is NULL, a stride is too small or a size overflows.
 *   - ALD_STATUS_INVALID_HANDLE if magnifier is not valid.
 *   - ALD_STATUS_NOT_READY if the magnifier is hidden, or as for ald_view_get_state.
 *   - ALD_STATUS_LIMIT_EXCEEDED if count is above the limit of the policy.
 */
ALD_API ald_status ald_magnifier_to_view(ald_magnifier magnifier, const double *screen_xy, size_t stride_bytes,
                                         size_t count, double *out_screen_xy, size_t out_stride_bytes,
                                         ald_error *error);

/**
 * Converts points of the screen of the magnified view to points of a magnifier's screen.
 *
 * @param screen_xy count points, each two doubles x, y in DIP of the view.
 * @param stride_bytes The distance from one point to the next in bytes, at least 16. 0 means 16.
 * @param count The number of points. 0 does nothing.
 * @param out_screen_xy Receives the points in DIP of the magnifier. A point that is not finite, or whose image is not
 *     finite, becomes NaN, NaN. May be screen_xy if both strides are equal; otherwise the arrays must not overlap.
 * @param out_stride_bytes The distance from one point to the next in bytes, at least 16. 0 means 16. Bytes between
 *     points are not changed.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an array is NULL, a stride is too small or a size overflows.
 *   - ALD_STATUS_INVALID_HANDLE if magnifier is not valid.
 *   - ALD_STATUS_NOT_READY if the magnifier is hidden, or as for ald_view_get_state.
 *   - ALD_STATUS_LIMIT_EXCEEDED if count is above the limit of the policy.
 */
ALD_API ald_status ald_magnifier_from_view(ald_magnifier magnifier, const double *screen_xy, size_t stride_bytes,
                                           size_t count, double *out_screen_xy, size_t out_stride_bytes,
                                           ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

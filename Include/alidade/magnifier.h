/**
 * @file
 * Magnifiers: a second camera, bound to a view, that shows what lies under a finger, larger. The library says what the
 * magnifier shows and where it goes on the screen; the host draws it.
 *
 * A magnifier has a view of its own, which ald_magnifier_view lends. All that reads a view reads this one, in the
 * magnifier's own DIP, origin at its top left: ald_view_get_state, ald_view_screen_to_map, ald_view_identify_layer,
 * ald_view_read_rgba, ald_view_create_overlay_drawing, ald_view_create_snapshot and so on. Its map, its graphics
 * overlays, its rotation and its pixel density are those of the view that is magnified. While the magnifier is hidden
 * it answers ALD_STATUS_NOT_READY. It cannot be moved: what moves a view, or sets what may move it, answers
 * ALD_STATUS_INVALID_STATE. It sends no events: it changes when the magnified view does, and with
 * ald_magnifier_show_at.
 *
 * With a long press: show the magnifier at the place of each ALD_EVENT_GESTURE of ALD_GESTURE_LONG_PRESS that begins or
 * changes, and hide it when it ends. A finger near a side of the view pans the map while time passes in
 * ald_view_advance, unless ALD_INTERACTION_NO_PAN or ALD_INTERACTION_NO_MAGNIFIER_PAN forbids it; the events of that
 * movement name the cause ALD_NAVIGATION_GESTURE and ALD_GESTURE_LONG_PRESS. A log of the view holds it. A callout of
 * the view is laid out clear of the magnifier.
 */
#ifndef ALIDADE_MAGNIFIER_H
#define ALIDADE_MAGNIFIER_H

#include "base.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A magnifier of a view. */
typedef struct ald_magnifier {
  uint64_t id;
} ald_magnifier;

/** Bits of ald_magnifier_options.flags. */
typedef uint32_t ald_magnifier_flags;
enum {
  /** lift_dip counts also if it is 0. */
  ALD_MAGNIFIER_HAS_LIFT = 1
};

/** How a magnifier shows a place. */
typedef struct ald_magnifier_options {
  uint32_t struct_size;
  ald_magnifier_flags flags;
  /** How many times as large things are as in the view, 1 to 1000; 0: 2. */
  double factor;
  /** The size of the magnifier's screen, 0 to 1e4; 0: 120. */
  double width_dip;
  /** 0 to 1e4; 0: 120. */
  double height_dip;
  /** From the finger to the magnifier's box, 0 to 1e4; 0: 40. */
  double lift_dip;
  /** A finger nearer than this to a side of what the insets leave free of the view pans. 0 to 1e4; 0: 40. */
  double edge_dip;
  /** How fast it does so at the side itself, DIP/s; at edge_dip from it nothing moves. 0 to 1e4; 0: 400. */
  double pan_speed_dip_s;
} ald_magnifier_options;

/** Initialises an ald_magnifier_options to the default. */
#define ALD_MAGNIFIER_OPTIONS_INIT                                                                                     \
  { (uint32_t)sizeof(ald_magnifier_options), 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 }

/** How a magnifier stands. While it is hidden, points and box are NaN. */
typedef struct ald_magnifier_state {
  uint32_t struct_size;
  /** 1 while it is shown. */
  uint32_t is_shown;
  /** 1 while the map moves because the finger is near a side of the view. */
  uint32_t is_panning;
  uint32_t reserved;
  /** Where the finger is, as ald_magnifier_show_at was told, in DIP of the view. */
  ald_point finger_dip;
  /** The screen point of the view that is in the middle of the magnifier: the finger, kept inside the view. */
  ald_point target_dip;
  /** What lies there, in the map's spatial reference. */
  ald_point map_point;
  /**
   * Where to draw the magnifier, in DIP of the view, y down: above the finger, below it where there is no room above,
   * and inside what the insets leave free as far as it fits.
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
 * Makes a magnifier of a view, hidden. A view may have any number of them, and shows one at a time.
 *
 * @param view The view; the magnifier keeps it.
 * @param options NULL for all defaults.
 * @param out_magnifier Receives the magnifier; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_magnifier is NULL, an option is
 *   not finite, out of its range or unknown, or the view is a magnifier's.
 */
ALD_API ald_status ald_magnifier_create(ald_view view, const ald_magnifier_options *options,
                                        ald_magnifier *out_magnifier, ald_error *error);

/** Releases a magnifier. The view is as if it were hidden. */
ALD_API void ald_magnifier_release(ald_magnifier magnifier);

/**
 * Sets how a magnifier shows a place, all of it. What pans already goes on until the next ald_magnifier_show_at.
 *
 * @param options NULL for all defaults.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an option is not finite, out of its
 *   range or unknown.
 */
ALD_API ald_status ald_magnifier_set_options(ald_magnifier magnifier, const ald_magnifier_options *options,
                                             ald_error *error);

/**
 * What a magnifier shows, as a view, lent. It is the same for the whole life of the magnifier.
 *
 * @param out_view Receives the view. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_view is NULL.
 */
ALD_API ald_status ald_magnifier_view(ald_magnifier magnifier, ald_view *out_view, ald_error *error);

/**
 * Shows a magnifier, or moves it along with the finger. Another one that the view shows is hidden. A finger that stays
 * near a side of the view pans on and on; a movement that comes between (a call, an animation, another finger) ends
 * that until the next call of this function.
 *
 * @param screen_dip Where the finger is in the view that is magnified, each -1e7 to 1e7. Points outside count as the
 *   nearest inside.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 *   range; ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_magnifier_show_at(ald_magnifier magnifier, ald_point screen_dip, ald_error *error);

/**
 * Takes a magnifier away, and ends its panning. Does nothing if it is hidden.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE.
 */
ALD_API ald_status ald_magnifier_hide(ald_magnifier magnifier, ald_error *error);

/**
 * How a magnifier stands, and where to draw it. Ask in every frame: what lies under a still finger changes when the
 * map moves.
 *
 * @param out_state Initialise it with ALD_MAGNIFIER_STATE_INIT.
 * @return ALD_STATUS_OK, whether it is shown or not; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if
 *   out_state is NULL or its struct_size is none.
 */
ALD_API ald_status ald_magnifier_get_state(ald_magnifier magnifier, ald_magnifier_state *out_state, ald_error *error);

/**
 * Points of a magnifier's screen to points of the screen of the view that it magnifies.
 *
 * @param screen_dip count points, each two doubles x, y in DIP of the magnifier. Points outside are allowed.
 * @param stride_bytes From one point to the next; 0: 16. At least 16.
 * @param count How many; 0 does nothing.
 * @param out_screen_dip Receives the points in DIP of the view; NaN, NaN for one that is not finite, or whose image is
 *   not. May be screen_dip, with the same stride; else the two must not overlap.
 * @param out_stride_bytes From one point to the next; 0: 16. At least 16. Bytes between points are left alone.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an array is missing, a stride is too
 *   small or a size overflows; ALD_STATUS_NOT_READY if the magnifier is hidden, or as for ald_view_get_state;
 *   ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_magnifier_to_view(ald_magnifier magnifier, const double *screen_dip, size_t stride_bytes,
                                         size_t count, double *out_screen_dip, size_t out_stride_bytes,
                                         ald_error *error);

/**
 * Points of the screen of the view that a magnifier magnifies to points of the magnifier's screen.
 *
 * @param screen_dip count points, each two doubles x, y in DIP of the view.
 * @param stride_bytes From one point to the next; 0: 16. At least 16.
 * @param count How many; 0 does nothing.
 * @param out_screen_dip Receives the points in DIP of the magnifier; NaN, NaN for one that is not finite, or whose
 *   image is not. May be screen_dip, with the same stride; else the two must not overlap.
 * @param out_stride_bytes From one point to the next; 0: 16. At least 16. Bytes between points are left alone.
 * @return As ald_magnifier_to_view: ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT;
 *   ALD_STATUS_NOT_READY; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_magnifier_from_view(ald_magnifier magnifier, const double *screen_dip, size_t stride_bytes,
                                           size_t count, double *out_screen_dip, size_t out_stride_bytes,
                                           ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

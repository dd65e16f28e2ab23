/**
 * @file
 * Callouts: a text at a point of the map, which follows the map while the view moves.
 *
 * A callout is anchored to a map point and has a title and a text. The library computes for every frame where the box,
 * its leader and the leader's tip are on the screen. The host measures the text and draws. The layout keeps the box
 * inside the free area: the area that the view's insets and the callout's margin leave free.
 *
 * @code{.c}
 * ald_callout callout;
 * ald_status status = ald_callout_create(view, NULL, &callout, error);
 * if (status != ALD_STATUS_OK) return status;
 * const ald_point location = {10, 50};
 * status = ald_callout_show_at(callout, location, spatial_reference, "Title", "Text", 0, error);
 * ald_callout_layout layout = ALD_CALLOUT_LAYOUT_INIT;
 * if (status == ALD_STATUS_OK) status = ald_callout_get_layout(callout, &layout, error);
 * if (status == ALD_STATUS_OK) printf("the box begins at %g, %g\n", layout.box_dip.x_min, layout.box_dip.y_min);
 * ald_callout_release(callout);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_CALLOUT_H
#define ALIDADE_CALLOUT_H

#include "base.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The distance in DIP by which ALD_CALLOUT_SHOW_WHILE_DRAGGING lifts the leader's tip above the finger. */
#define ALD_CALLOUT_DRAG_LIFT_DIP 70

/** The side of the leader's tip on which the box lies. */
typedef int32_t ald_callout_placement;
enum ald_callout_placement_values {
  /** In options: the same as ALD_CALLOUT_PLACEMENT_ABOVE. In a layout: there is no box. */
  ALD_CALLOUT_PLACEMENT_AUTOMATIC = 0,
  ALD_CALLOUT_PLACEMENT_ABOVE = 1,
  ALD_CALLOUT_PLACEMENT_BELOW = 2,
  ALD_CALLOUT_PLACEMENT_LEFT = 3,
  ALD_CALLOUT_PLACEMENT_RIGHT = 4
};

/** Bits of ald_callout_options.flags. */
typedef uint32_t ald_callout_flags;
enum ald_callout_flags_values {
  /**
   * offset_dip applies to rotation 0 and turns with the map: an offset to the north of the anchor stays north of it.
   */
  ALD_CALLOUT_ROTATE_OFFSET_WITH_MAP = 1
};

/** The options for the layout of a callout. Lengths are 0 to 1e7 DIP. */
typedef struct ald_callout_options {
  uint32_t struct_size;
  ald_callout_flags flags;
  /** The offset from the anchor's screen point to the leader's tip, right and down, each -1e7 to 1e7. */
  ald_point offset_dip;
  /** The size of the box that the host will draw. */
  double width_dip;
  double height_dip;
  /** The distance from the leader's tip to the box. With 0, the box touches the tip. */
  double leader_length_dip;
  /** The width of the leader where it meets the box. */
  double leader_width_dip;
  /** The distance that stays free between the box and the insets, on each side. */
  double margin_dip;
  /**
   * The preferred side. If the box does not fit there, the opposite side is tried, then the right or upper one, then
   * the left or lower one.
   */
  ald_callout_placement placement;
  uint32_t reserved;
} ald_callout_options;

/** Initialises an ald_callout_options to the default. */
#define ALD_CALLOUT_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_callout_options), 0, {0.0, 0.0}, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0 }

/** Bits for the functions that show a callout. */
typedef uint32_t ald_callout_show_flags;
enum ald_callout_show_flags_values {
  /**
   * Lifts the leader's tip by 70 DIP up the screen, so that the finger does not cover it. This adds to the offset of
   * the options and never turns with the map. A side on which the box would cover the anchor, where the finger is, is
   * tried last.
   */
  ALD_CALLOUT_SHOW_WHILE_DRAGGING = 1,
  /**
   * Anchors the callout at the element's centre instead of the point that was identified. Only for
   * ald_callout_show_for.
   */
  ALD_CALLOUT_SHOW_AT_CENTER = 2
};

/** How a call changed a callout. */
typedef int32_t ald_callout_action;
enum ald_callout_action_values {
  /** The callout was hidden and stays hidden. */
  ALD_CALLOUT_ACTION_UNCHANGED = 0,
  /** The callout was hidden and is shown now. */
  ALD_CALLOUT_ACTION_SHOWN = 1,
  /** The callout was shown and is shown again, at another point or with another text. */
  ALD_CALLOUT_ACTION_SHOWN_AGAIN = 2,
  /** The callout was shown and is hidden now. */
  ALD_CALLOUT_ACTION_DISMISSED = 3
};

/** Whether a callout can be seen. */
typedef int32_t ald_callout_state;
enum ald_callout_state_values {
  /** The callout has not been shown yet, or was dismissed. */
  ALD_CALLOUT_STATE_HIDDEN = 0,
  /** The anchor is in the part of the view that the insets leave free. */
  ALD_CALLOUT_STATE_VISIBLE = 1,
  /** The anchor is in the view, under an inset. The box is still laid out inside the insets. */
  ALD_CALLOUT_STATE_ANCHOR_COVERED = 2,
  /** The anchor is outside the view. The box is still laid out, at the edge nearest to the anchor. */
  ALD_CALLOUT_STATE_ANCHOR_OUTSIDE = 3,
  /** The anchor is so far away that it has no finite screen point. There is no box. */
  ALD_CALLOUT_STATE_NOT_PROJECTABLE = 4
};

/** Bits of ald_callout_layout.flags. */
typedef uint32_t ald_callout_layout_flags;
enum ald_callout_layout_flags_values {
  /**
   * The box is larger than the free area. In each direction in which it is too large, it begins at the left or top of
   * the free area.
   */
  ALD_CALLOUT_LAYOUT_TOO_LARGE = 1,
  /**
   * The leader and the box do not fit on any side of the tip. The box was pushed into the free area from the side that
   * fits best. It may cover the tip, and the leader is shorter than requested.
   */
  ALD_CALLOUT_LAYOUT_SHIFTED = 2
};

/**
 * Where to draw a callout, at one moment of the callout and of its view. Screen points and boxes are in DIP, y down, so
 * y_min of a box is its top. Values that do not exist are NaN.
 */
typedef struct ald_callout_layout {
  uint32_t struct_size;
  ald_callout_state state;
  /** Increases by at least 1 with every change of the callout: shown, shown again, dismissed, or new options. */
  uint64_t generation;
  /** Increases when the title or the text changes. The host must measure them again only then. */
  uint64_t text_generation;
  /** The generation of the view's state that this layout is for. */
  uint64_t view_generation;
  /** The side of the tip on which the box lies. */
  ald_callout_placement placement;
  ald_callout_layout_flags flags;
  /**
   * The anchor, in the map's spatial reference. If the world repeats itself (Web Mercator, longitudes) and the view
   * does not show the given location, this is the image of the location nearest to the view's centre.
   */
  ald_point map_point;
  /** The screen point of map_point, as ald_view_map_to_screen computes it. */
  ald_point anchor_dip;
  /** The point that the leader points to: anchor_dip plus the offset. */
  ald_point leader_tip_dip;
  /** The points at which the leader meets the box. Both are on one edge of the box, the left or upper one first. */
  ald_point leader_base_dip[2];
  /** The box. It is inside the free area unless ALD_CALLOUT_LAYOUT_TOO_LARGE is set. */
  ald_envelope box_dip;
  /** The free area: the part of the view that insets and margin leave free, whether the callout is shown or not. */
  ald_envelope free_area_dip;
} ald_callout_layout;

/** Initialises an ald_callout_layout. */
#define ALD_CALLOUT_LAYOUT_INIT                                                                                        \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_callout_layout), 0, 0, 0, 0, 0, 0, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0},                        \
        {{0.0, 0.0}, {0.0, 0.0}}, {0.0, 0.0, 0.0, 0.0}, {                                                              \
      0.0, 0.0, 0.0, 0.0                                                                                               \
    }                                                                                                                  \
  }

/**
 * Creates a callout of a view. It is hidden. A view can have any number of callouts, and does not keep them alive.
 *
 * @param view The view. The callout keeps it.
 * @param options NULL for all defaults.
 * @param out_callout Receives the callout; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_callout is NULL or an option is not finite, out of range or unknown.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 */
ALD_API ald_status ald_callout_create(ald_view view, const ald_callout_options *options, ald_callout *out_callout,
                                      ald_error *error);

/** Releases a callout. */
ALD_API void ald_callout_release(ald_callout callout);

/**
 * Sets the options of a callout. They replace all previous options. The anchor does not change, and the callout stays
 * shown or hidden.
 *
 * @param options NULL for all defaults.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is not finite, out of range or unknown.
 *   - ALD_STATUS_INVALID_HANDLE if callout is not valid.
 */
ALD_API ald_status ald_callout_set_options(ald_callout callout, const ald_callout_options *options, ald_error *error);

/**
 * Sets the size of a callout's box and no other option. Use it if you measure the text only after you have shown the
 * callout.
 *
 * @param width_dip 0 to 1e7.
 * @param height_dip 0 to 1e7.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range.
 *   - ALD_STATUS_INVALID_HANDLE if callout is not valid.
 */
ALD_API ald_status ald_callout_set_size(ald_callout callout, double width_dip, double height_dip, ald_error *error);

/**
 * Shows a callout at a location. A callout that is already shown moves there. On failure the callout does not change.
 *
 * @param location The location.
 * @param spatial_reference The spatial reference of location. Null means the map's own.
 * @param title The line above the text: UTF-8, copied. NULL means no title.
 * @param text The text: UTF-8, copied. NULL means no text.
 * @param flags Bits of ald_callout_show_flags. ALD_CALLOUT_SHOW_AT_CENTER is not allowed here.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if location is not finite, a text is not UTF-8, a flag is not allowed or the spatial
 *     reference belongs to another runtime.
 *   - ALD_STATUS_INVALID_HANDLE if callout or spatial_reference is not valid.
 *   - ALD_STATUS_NOT_READY if the map has no spatial reference.
 *   - ALD_STATUS_PROJECTION_FAILED if location cannot be projected to the map's spatial reference.
 */
ALD_API ald_status ald_callout_show_at(ald_callout callout, ald_point location, ald_spatial_reference spatial_reference,
                                       const char *title, const char *text, ald_callout_show_flags flags,
                                       ald_error *error);

/**
 * Shows a callout for an element of an identify result, with the element's text and no title. The anchor is the point
 * that was identified. The callout keeps what it needs, so you can release the result. A point from a result of another
 * map is projected to this map's spatial reference; the text does not change. On failure the callout does not change.
 *
 * @param result The result.
 * @param index The index of the element, from 0.
 * @param flags Bits of ald_callout_show_flags.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a flag is unknown or the result belongs to another runtime.
 *   - ALD_STATUS_INVALID_HANDLE if callout or result is not valid.
 *   - ALD_STATUS_NOT_READY if the map has no spatial reference.
 *   - ALD_STATUS_NOT_FOUND if there is no element with that index.
 *   - ALD_STATUS_PROJECTION_FAILED if the centre is requested and the element has no centre on the map, or the point
 *     cannot be projected to the map's spatial reference.
 */
ALD_API ald_status ald_callout_show_for(ald_callout callout, ald_identify_result result, uint32_t index,
                                        ald_callout_show_flags flags, ald_error *error);

/**
 * Moves a callout with a finger. The anchor is under the finger, and the leader's tip is lifted as with
 * ALD_CALLOUT_SHOW_WHILE_DRAGGING. If the result has elements, the callout shows the text of the topmost element. If
 * the result has no elements, the callout is dismissed.
 *
 * @param screen_point The position of the finger in the view. Points outside the view are allowed.
 * @param result The identify result at that point. Null means that it is not known yet: a callout that is shown moves
 *     and keeps its text, and a hidden callout stays hidden.
 * @param out_action Receives how the call changed the callout. May be NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if screen_point is not finite or the result belongs to another runtime.
 *   - ALD_STATUS_INVALID_HANDLE if callout or result is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_callout_drag_to(ald_callout callout, ald_point screen_point, ald_identify_result result,
                                       ald_callout_action *out_action, ald_error *error);

/**
 * Updates a callout after a tap. If the tap hit something, the callout is shown for the topmost element, anchored at
 * the tap. If not, the callout is dismissed.
 *
 * @param result The identify result at the tap.
 * @param out_action Receives how the call changed the callout. May be NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the result belongs to another runtime.
 *   - ALD_STATUS_INVALID_HANDLE if callout or result is not valid.
 *   - ALD_STATUS_NOT_READY if the map has no spatial reference.
 *   - ALD_STATUS_PROJECTION_FAILED as for ald_callout_show_for.
 */
ALD_API ald_status ald_callout_handle_tap(ald_callout callout, ald_identify_result result,
                                          ald_callout_action *out_action, ald_error *error);

/**
 * Hides a callout and removes its texts. Does nothing if the callout is hidden.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if callout is not valid.
 */
ALD_API ald_status ald_callout_dismiss(ald_callout callout, ald_error *error);

/**
 * Computes where to draw a callout in the current state of its view. Call it in every frame: the callout follows the
 * view.
 *
 * @param out_layout Receives the layout. Initialise it with ALD_CALLOUT_LAYOUT_INIT.
 * @return ALD_STATUS_OK on success, whether the callout is shown or not. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_layout is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if callout is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_callout_get_layout(ald_callout callout, ald_callout_layout *out_layout, ald_error *error);

/**
 * Gets the title of a callout. It is empty while the callout is hidden.
 *
 * @param buffer Receives the title with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity_bytes is not 0, or both buffer and out_size_bytes are
 *     NULL.
 *   - ALD_STATUS_INVALID_HANDLE if callout is not valid.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_callout_get_title(ald_callout callout, char *buffer, size_t capacity_bytes,
                                         size_t *out_size_bytes, ald_error *error);

/**
 * Gets the text of a callout. It is empty while the callout is hidden. If another thread shows the callout, the text
 * may grow after the host has requested its size. Then the call returns ALD_STATUS_BUFFER_TOO_SMALL: request the size
 * again.
 *
 * @param buffer Receives the text with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity_bytes is not 0, or both buffer and out_size_bytes are
 *     NULL.
 *   - ALD_STATUS_INVALID_HANDLE if callout is not valid.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_callout_get_text(ald_callout callout, char *buffer, size_t capacity_bytes,
                                        size_t *out_size_bytes, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

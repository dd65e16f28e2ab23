/**
 * @file
 * Callouts: a text at a place of the map, kept beside it while the view moves. The library says where the box, its
 * leader and the text go; the host draws them.
 */
#ifndef ALIDADE_CALLOUT_H
#define ALIDADE_CALLOUT_H

#include "base.h"
#include "identify.h"
#include "spatial_reference.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A callout of a view. */
typedef struct ald_callout {
  uint64_t id;
} ald_callout;

/** How far ALD_CALLOUT_WHILE_DRAGGING lifts the leader's tip above the finger, in DIP. */
#define ALD_CALLOUT_DRAG_LIFT_DIP 70

/** On which side of its leader's tip the box lies. */
typedef int32_t ald_callout_placement;
enum {
  /** As ALD_CALLOUT_PLACED_ABOVE. In a layout: there is no box. */
  ALD_CALLOUT_PLACED_AUTOMATIC = 0,
  ALD_CALLOUT_PLACED_ABOVE = 1,
  ALD_CALLOUT_PLACED_BELOW = 2,
  ALD_CALLOUT_PLACED_LEFT = 3,
  ALD_CALLOUT_PLACED_RIGHT = 4
};

/** Bits of ald_callout_options.flags. */
typedef uint32_t ald_callout_flags;
enum {
  /** offset_dip is meant for rotation 0 and turns with the map: what is north of the anchor stays north of it. */
  ALD_CALLOUT_ROTATE_OFFSET_WITH_MAP = 1
};

/** How a callout is laid out. Lengths are 0 to 1e7 DIP. */
typedef struct ald_callout_options {
  uint32_t struct_size;
  ald_callout_flags flags;
  /** From the anchor's screen point to the leader's tip: right and down, each -1e7 to 1e7. */
  ald_point offset_dip;
  /** The size of the box that the host will draw. */
  double width_dip;
  double height_dip;
  /** From the leader's tip to the box; 0: the box touches the tip. */
  double leader_length_dip;
  /** The leader's width where it meets the box. */
  double leader_width_dip;
  /** What stays free between the box and the insets, on each side. */
  double margin_dip;
  /** The side that is tried first; then the opposite one, then the right or upper, then the left or lower one. */
  ald_callout_placement placement;
  uint32_t reserved;
} ald_callout_options;

/** Initialises an ald_callout_options to the default. */
#define ALD_CALLOUT_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_callout_options), 0, {0.0, 0.0}, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0 }

/** How a callout is shown. */
typedef uint32_t ald_callout_show_flags;
enum {
  /**
   * The leader's tip goes 70 DIP up the screen, beside the offset of the options and never turned with the map, so that
   * the finger does not cover it. A side on which the box would cover the anchor, where the finger is, comes last.
   */
  ALD_CALLOUT_WHILE_DRAGGING = 1,
  /** Anchored at the element's centre instead of the point that was identified. ald_callout_show_for alone. */
  ALD_CALLOUT_AT_CENTER = 2
};

/** What became of a callout. */
typedef int32_t ald_callout_action;
enum {
  /** It was hidden and stays so. */
  ALD_CALLOUT_UNCHANGED = 0,
  /** It was hidden and is shown now. */
  ALD_CALLOUT_SHOWN = 1,
  /** It was shown and is shown anew, at another place or with another text. */
  ALD_CALLOUT_SHOWN_AGAIN = 2,
  /** It was shown and is hidden now. */
  ALD_CALLOUT_DISMISSED = 3
};

/** Whether a callout can be seen. */
typedef int32_t ald_callout_state;
enum {
  /** It was not shown yet, or was dismissed. */
  ALD_CALLOUT_HIDDEN = 0,
  /** The anchor is in the part of the view that the insets leave free. */
  ALD_CALLOUT_VISIBLE = 1,
  /** The anchor is in the view, under an inset. The box is laid out inside the insets all the same. */
  ALD_CALLOUT_ANCHOR_COVERED = 2,
  /** The anchor is not in the view. The box is laid out all the same, at the edge that is nearest to it. */
  ALD_CALLOUT_ANCHOR_OUTSIDE = 3,
  /** The anchor is so far away that it has no finite screen point. There is no box. */
  ALD_CALLOUT_NOT_PROJECTABLE = 4
};

/** Bits of ald_callout_layout.flags. */
typedef uint32_t ald_callout_layout_flags;
enum {
  /** The box is larger than the room. In the direction in which it is, it begins at the room's left or top. */
  ALD_CALLOUT_TOO_LARGE = 1,
  /**
   * On no side of the tip is there room for the leader and the box: the box was pushed inside from the side that comes
   * nearest. It may cover the tip, and the leader is not as long as wanted.
   */
  ALD_CALLOUT_SHIFTED = 2
};

/**
 * Where to draw a callout: one moment of the callout and of its view. Screen points and boxes are in DIP, y down, so
 * that y_min of a box is its top. What there is not is NaN.
 */
typedef struct ald_callout_layout {
  uint32_t struct_size;
  ald_callout_state state;
  /** Goes up by at least 1 with every change of the callout: shown, shown again, dismissed, other options. */
  uint64_t generation;
  /** Goes up when title or text become others: only then does the host have to measure them again. */
  uint64_t text_generation;
  /** The generation of the view's state that this layout is for. */
  uint64_t view_generation;
  /** The side of the tip that the box lies on. */
  ald_callout_placement placement;
  ald_callout_layout_flags flags;
  /**
   * The anchor, in the map's spatial reference. Where the world repeats itself (Web Mercator, longitudes) and the view
   * does not show the anchor where it was given, its image nearest to the view's centre.
   */
  ald_point map_point;
  /** The screen point of map_point, as ald_view_map_to_screen answers it. */
  ald_point anchor_dip;
  /** anchor_dip plus the offset: where the leader points to. */
  ald_point leader_tip_dip;
  /** Where the leader meets the box: two points of one of its edges, the left or upper one first. */
  ald_point leader_base_dip[2];
  /** The box. Inside the room unless ALD_CALLOUT_TOO_LARGE is set. */
  ald_envelope box_dip;
  /** What insets and margin leave free of the view, whether the callout is shown or not. */
  ald_envelope room_dip;
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
 * Makes a callout of a view, hidden. A view may have any number of them and does not know them.
 *
 * @param view The view; the callout keeps it.
 * @param options NULL for all defaults.
 * @param out_callout Receives the callout; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_callout is NULL or an option is
 *   not finite, out of its range or unknown.
 */
ALD_API ald_status ald_callout_create(ald_view view, const ald_callout_options *options, ald_callout *out_callout,
                                      ald_error *error);

/** Releases a callout. */
ALD_API void ald_callout_release(ald_callout callout);

/**
 * Sets how a callout is laid out, all of it. It stays where it is anchored, and shown or hidden.
 *
 * @param options NULL for all defaults.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an option is not finite, out of its
 *   range or unknown.
 */
ALD_API ald_status ald_callout_set_options(ald_callout callout, const ald_callout_options *options, ald_error *error);

/**
 * Sets the size of a callout's box and no other option: for a host that measures the text once the callout has it.
 *
 * @param width_dip 0 to 1e7.
 * @param height_dip 0 to 1e7.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 *   range.
 */
ALD_API ald_status ald_callout_set_size(ald_callout callout, double width_dip, double height_dip, ald_error *error);

/**
 * Shows a callout at a place of the map. One that is shown already moves there.
 *
 * @param location The place.
 * @param spatial_reference What location is in; null: the map's spatial reference.
 * @param title A line above the text; NULL: none.
 * @param text The text; NULL: none.
 * @param flags Bits of ald_callout_show_flags; ALD_CALLOUT_AT_CENTER is not allowed here.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the callout, or the spatial reference);
 *   ALD_STATUS_INVALID_ARGUMENT if location is not finite, a text is not UTF-8, a flag is not allowed or the spatial
 *   reference is of another runtime; ALD_STATUS_NOT_READY if the map has no spatial reference;
 *   ALD_STATUS_PROJECTION_FAILED if the place is not in the map's spatial reference. On failure the callout stays as it
 *   was.
 */
ALD_API ald_status ald_callout_show_at(ald_callout callout, ald_point location, ald_spatial_reference spatial_reference,
                                       const char *title, const char *text, ald_callout_show_flags flags,
                                       ald_error *error);

/**
 * Shows a callout for an element of a result, with the element's text and no title, anchored at the point that was
 * identified. The callout keeps what it needs; the result may be released. A result of another map is projected from
 * that map's spatial reference to this one's; its text stays as it is.
 *
 * @param index The element, from 0.
 * @param flags Bits of ald_callout_show_flags.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a flag is unknown or the result is
 *   of another runtime; ALD_STATUS_NOT_FOUND if there is no such element; ALD_STATUS_NOT_READY if the map has no
 *   spatial reference; ALD_STATUS_PROJECTION_FAILED if the centre is wanted and the element has none on the map, or the
 *   place is not in the map's spatial reference. On failure the callout stays as it was.
 */
ALD_API ald_status ald_callout_show_for(ald_callout callout, ald_identify_result result, uint32_t index,
                                        ald_callout_show_flags flags, ald_error *error);

/**
 * Moves a callout along with a finger: anchored under it, the leader's tip lifted as ALD_CALLOUT_WHILE_DRAGGING says.
 * A result with elements shows the callout with the topmost one's text; a result without dismisses it.
 *
 * @param screen_dip Where the finger is in the view. Points outside the view are allowed.
 * @param result What lies there; null: not known yet: a callout that is shown moves with the text that it has, and a
 *   hidden one stays hidden.
 * @param out_action Receives what became of the callout; may be NULL.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the callout, or the result); ALD_STATUS_INVALID_ARGUMENT if
 *   screen_dip is not finite or the result is of another runtime; ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_callout_drag_to(ald_callout callout, ald_point screen_dip, ald_identify_result result,
                                       ald_callout_action *out_action, ald_error *error);

/**
 * What a tap does to a callout: if it hit something, the callout is shown for the topmost element, anchored where it
 * was tapped; if not, it is dismissed.
 *
 * @param result What was identified at the tap.
 * @param out_action Receives what became of the callout; may be NULL.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the result is of another runtime;
 *   ALD_STATUS_NOT_READY if the map has no spatial reference; ALD_STATUS_PROJECTION_FAILED as for ald_callout_show_for.
 */
ALD_API ald_status ald_callout_handle_tap(ald_callout callout, ald_identify_result result,
                                          ald_callout_action *out_action, ald_error *error);

/**
 * Takes a callout away, with its texts. Does nothing if it is hidden.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE.
 */
ALD_API ald_status ald_callout_dismiss(ald_callout callout, ald_error *error);

/**
 * Where to draw a callout in its view as the view is now. Ask in every frame: the callout follows the view.
 *
 * @param out_layout Initialise it with ALD_CALLOUT_LAYOUT_INIT.
 * @return ALD_STATUS_OK, whether the callout is shown or not; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if
 *   out_layout is NULL or its struct_size is none; ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_callout_get_layout(ald_callout callout, ald_callout_layout *out_layout, ald_error *error);

/**
 * The title of a callout; empty while it is hidden.
 *
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size that is needed, final NUL counted in; also written when the buffer is too small.
 *   May be NULL if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity is not
 *   0, or nothing is asked for; ALD_STATUS_BUFFER_TOO_SMALL, and the buffer is left alone.
 */
ALD_API ald_status ald_callout_title(ald_callout callout, char *buffer, size_t capacity, size_t *out_size,
                                     ald_error *error);

/**
 * The text of a callout; empty while it is hidden. If other threads show the callout, its size may have changed since
 * it was asked for, and the answer is ALD_STATUS_BUFFER_TOO_SMALL: ask again.
 *
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size that is needed, final NUL counted in; also written when the buffer is too small.
 *   May be NULL if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity is not
 *   0, or nothing is asked for; ALD_STATUS_BUFFER_TOO_SMALL, and the buffer is left alone.
 */
ALD_API ald_status ald_callout_text(ald_callout callout, char *buffer, size_t capacity, size_t *out_size,
                                    ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * What a layer is in a view: shown, hidden, out of scale, loading, in error or with a warning, and why.
 *
 * A state belongs to a layer and a view: two views of one map have states of their own. It is right whenever it is
 * read, and each change is told by ALD_EVENT_LAYER_VIEW_STATE_CHANGED, which the call brings about that made the
 * change: one that moves a view, lets time pass, shows or hides a layer, sets its scales, puts it elsewhere, or loads
 * it.
 */
#ifndef ALIDADE_LAYER_VIEW_STATE_H
#define ALIDADE_LAYER_VIEW_STATE_H

#include "base.h"
#include "layer.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What a layer is in a view. 0: it is not in the view's map; or it is ready and the view not, because it looks nowhere
 * yet (ald_view_get_state says what is missing). Several hold at once; with ALD_LAYER_VIEW_ACTIVE go only
 * ALD_LAYER_VIEW_LOADING and ALD_LAYER_VIEW_WARNING.
 */
typedef uint32_t ald_layer_view_flags;
enum {
  /** The layer is loaded and shown, and its data drawn and identified as far as there are any. */
  ALD_LAYER_VIEW_ACTIVE = 1,
  /** The layer, or a group above it, is hidden. */
  ALD_LAYER_VIEW_NOT_VISIBLE = 2,
  /** The view's scale is out of the range of the layer, or of a group above it. Not before the view looks somewhere. */
  ALD_LAYER_VIEW_OUT_OF_SCALE = 4,
  /** The layer loads, or waits to be loaded; of a group: a layer in it does. A group is active meanwhile. */
  ALD_LAYER_VIEW_LOADING = 8,
  /**
   * The layer could not be loaded, its data can no longer be read, or it cannot be placed on the map, such as a raster
   * of Mars on a map of the Earth. Those in a group are its members' own.
   */
  ALD_LAYER_VIEW_ERROR = 16,
  /**
   * The layer is loaded, and something is missing. Without a spatial reference it cannot be placed, and is not active.
   */
  ALD_LAYER_VIEW_WARNING = 32
};

/** The state of a layer in a view. */
typedef struct ald_layer_view_state {
  uint32_t struct_size;
  ald_layer_view_flags flags;
  /** What they were before the last change. */
  ald_layer_view_flags previous_flags;
  /** Zero. */
  uint32_t reserved32;
  /** How often the flags have changed since the layer came into the view's map. */
  uint64_t change_count;
  /** When they changed last: CLOCK_MONOTONIC, in nanoseconds; 0: never. */
  uint64_t changed_at_ns;
  /** How long ago that was; 0: never. */
  double since_s;
  /** With ALD_LAYER_VIEW_NOT_VISIBLE: which layer is hidden, lent: this one, else the nearest group above that is. */
  ald_layer hidden_by;
  /** With ALD_LAYER_VIEW_OUT_OF_SCALE: which layer is out of its range, lent: this one, else the nearest group above.
   */
  ald_layer out_of_scale_by;
  /**
   * By which the view's scale would have to be multiplied to come to the end of that range: below 1, the view is too
   * far away; above 1, it is too close. 1 otherwise.
   */
  double scale_factor;
  /** Zero. */
  uint64_t reserved[4];
  /** With ALD_LAYER_VIEW_ERROR or ALD_LAYER_VIEW_WARNING: why; the error if there are both. Otherwise zero. */
  ald_error error;
} ald_layer_view_state;

/** Initialises an ald_layer_view_state. */
#define ALD_LAYER_VIEW_STATE_INIT                                                                                      \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_layer_view_state), 0, 0, 0, 0, 0, 0.0, {0}, {0}, 0.0, {0}, {                                  \
      0, 0, 0, 0, {0}, {                                                                                               \
        0                                                                                                              \
      }                                                                                                                \
    }                                                                                                                  \
  }

/** A change of a layer's state. */
typedef struct ald_layer_view_transition {
  ald_layer_view_flags flags;
  ald_layer_view_flags previous_flags;
  /** Of the error or the warning that the layer had from then on; ALD_STATUS_OK without one. */
  ald_status status;
  /** Zero. */
  uint32_t reserved;
  /** CLOCK_MONOTONIC, in nanoseconds. */
  uint64_t time_ns;
} ald_layer_view_transition;

/**
 * The state of a layer in a view, as of now. A layer that is not in the view's map has flags 0 and no past.
 *
 * A view that could take the place where views of its map look at first takes it now, as it does when it is read. A
 * magnifier's view has states of its own, by its own scale, which change when they are asked for and send no events.
 *
 * @param out_state Initialise it with ALD_LAYER_VIEW_STATE_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the two are of different runtimes,
 * or out_state is NULL or its struct_size is none.
 */
ALD_API ald_status ald_view_get_layer_state(ald_view view, ald_layer layer, ald_layer_view_state *out_state,
                                            ald_error *error);

/**
 * The flags of many layers in a view, as ald_view_get_layer_state answers them.
 *
 * @param layers count layers; one may be there several times.
 * @param count How many.
 * @param out_flags Receives count flags.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE, also of one of the layers; ALD_STATUS_INVALID_ARGUMENT if an array
 * is NULL and count is not 0, count is more than memory can hold, or a layer is of another runtime;
 *   ALD_STATUS_LIMIT_EXCEEDED if count is above the points that the policy allows.
 */
ALD_API ald_status ald_view_layer_states(ald_view view, const ald_layer *layers, size_t count,
                                         ald_layer_view_flags *out_flags, ald_error *error);

/**
 * The last changes of a layer's state in a view, at most 16, the oldest first. A layer that is not in the view's map
 * has none.
 *
 * @param out_transitions Receives them; NULL with capacity 0 asks for their number alone.
 * @param capacity How many out_transitions has room for.
 * @param out_count Receives their number; also written when the buffer is too small. May be NULL if out_transitions is
 *   not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the two are of different runtimes,
 *   out_transitions is NULL and capacity is not 0, both out_transitions and out_count are NULL, or capacity is more
 * than memory can hold; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_view_layer_state_history(ald_view view, ald_layer layer,
                                                ald_layer_view_transition *out_transitions, size_t capacity,
                                                size_t *out_count, ald_error *error);

/**
 * Flags as a person would read them, such as "active, with a warning"; 0 is "not shown". Needs no runtime.
 *
 * @param view_flags Any combination.
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the needed size, the NUL counted in; also written when the buffer is too small. May be NULL
 *   if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_ARGUMENT if view_flags has an unknown bit, buffer is NULL and capacity is
 * not 0, or both buffer and out_size are NULL; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_layer_view_state_text(ald_layer_view_flags view_flags, char *buffer, size_t capacity,
                                             size_t *out_size, ald_error *error);

/**
 * Whom the data is from that a view shows: the attributions of its active layers, each once, the lowest layer first,
 * with " | " between them.
 *
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the needed size, the NUL counted in; also written when the buffer is too small. May be NULL
 *   if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity is not
 * 0, or both buffer and out_size are NULL; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_view_attribution(ald_view view, char *buffer, size_t capacity, size_t *out_size,
                                        ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Layer view states: whether a view shows a layer, and why not.
 *
 * A layer has one state in each view of its map. The state says whether the layer is active, hidden, out of scale or
 * loading, and whether it has an error or a warning. It is current whenever the host reads it. The event
 * ALD_EVENT_KIND_LAYER_VIEW_STATE_CHANGED reports each change. The event is posted by the call that causes the change:
 * a call that moves a view, lets time pass, shows or hides a layer, sets its scale range, moves it to another position,
 * or loads it.
 *
 * @code{.c}
 * ald_layer_view_state state = ALD_LAYER_VIEW_STATE_INIT;
 * ald_status status = ald_view_get_layer_state(view, layer, &state, error);
 * if (status != ALD_STATUS_OK) return status;
 * if (state.flags & ALD_LAYER_VIEW_OUT_OF_SCALE) printf("multiply the scale by %g\n", state.scale_factor);
 * if (state.flags & ALD_LAYER_VIEW_ERROR) printf("error: %s\n", state.error.message);
 * return ALD_STATUS_OK;
 * @endcode
 */
#ifndef ALIDADE_LAYER_VIEW_STATE_H
#define ALIDADE_LAYER_VIEW_STATE_H

#include "base.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The state of a layer in a view, as bits. Several bits can be set at once. ALD_LAYER_VIEW_ACTIVE combines only with
 * ALD_LAYER_VIEW_LOADING and ALD_LAYER_VIEW_WARNING. 0 means that the layer is not in the view's map, or that the layer
 * is ready but the view is not. ald_view_get_state reports what the view lacks.
 */
typedef uint32_t ald_layer_view_flags;
enum ald_layer_view_flags_values {
  /** The layer is loaded and shown. Its data, if any, is drawn and identified. */
  ALD_LAYER_VIEW_ACTIVE = 1,
  /** The layer, or a group above it, is hidden. */
  ALD_LAYER_VIEW_NOT_VISIBLE = 2,
  /**
   * The scale of the view is out of the range of the layer or of a group above it. Not set before the view has a
   * viewpoint.
   */
  ALD_LAYER_VIEW_OUT_OF_SCALE = 4,
  /** The layer is loading or waits to be loaded. A group is loading while a layer in it is, and is active meanwhile. */
  ALD_LAYER_VIEW_LOADING = 8,
  /**
   * The layer could not be loaded, its data can no longer be read, or it has no position on the map, such as a raster
   * of Mars on a map of the Earth. A group does not have the errors of the layers in it.
   */
  ALD_LAYER_VIEW_ERROR = 16,
  /**
   * The layer is loaded, and something is missing. Without a spatial reference it has no position and is not active.
   */
  ALD_LAYER_VIEW_WARNING = 32
};

/** The state of a layer in a view, with its causes. */
typedef struct ald_layer_view_state {
  uint32_t struct_size;
  ald_layer_view_flags flags;
  /** The flags before the last change. */
  ald_layer_view_flags previous_flags;
  /** Zero. */
  uint32_t reserved32;
  /** The number of changes of the flags since the layer came into the view's map. */
  uint64_t change_count;
  /** The time of the last change: CLOCK_MONOTONIC, in nanoseconds. 0 means never. */
  uint64_t changed_at_ns;
  /** The seconds since the last change. 0 means never. */
  double since_s;
  /**
   * With ALD_LAYER_VIEW_NOT_VISIBLE: the hidden layer, which is this layer or the nearest hidden group above it. The
   * handle is borrowed: valid while that layer lives.
   */
  ald_layer hidden_by;
  /**
   * With ALD_LAYER_VIEW_OUT_OF_SCALE: the layer that is out of range, which is this layer or the nearest such group
   * above it. The handle is borrowed: valid while that layer lives.
   */
  ald_layer out_of_scale_by;
  /**
   * With ALD_LAYER_VIEW_OUT_OF_SCALE: the factor that would bring the view's scale to the nearest end of the range.
   * Below 1, the view is too far away; above 1, it is too close. Otherwise 1.
   */
  double scale_factor;
  /** Zero. */
  uint64_t reserved[4];
  /**
   * With ALD_LAYER_VIEW_ERROR or ALD_LAYER_VIEW_WARNING: the cause. If both are set, the cause of the error. Otherwise
   * zero.
   */
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
  /** The status of the error or warning after the change, or ALD_STATUS_OK. */
  ald_status status;
  /** Zero. */
  uint32_t reserved;
  /** The time of the change: CLOCK_MONOTONIC, in nanoseconds. */
  uint64_t time_ns;
} ald_layer_view_transition;

/**
 * Gets the state of a layer in a view. A layer that is not in the view's map has flags 0 and no history.
 *
 * If the view has no viewpoint yet and the map can give it the initial viewpoint, the view takes it now. The layers
 * have other states in a magnifier's view, which depend on its scale. These states change when they are read, and no
 * event reports the change.
 *
 * @param out_state Receives the state. Initialise it with ALD_LAYER_VIEW_STATE_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the two belong to different runtimes, or out_state is NULL or its struct_size is
 *     not valid.
 *   - ALD_STATUS_INVALID_HANDLE if view or layer is not valid.
 */
ALD_API ald_status ald_view_get_layer_state(ald_view view, ald_layer layer, ald_layer_view_state *out_state,
                                            ald_error *error);

/**
 * Gets the flags of many layers in a view, as ald_view_get_layer_state does for one layer.
 *
 * @param layers count layers. A layer may appear several times.
 * @param count The number of layers.
 * @param out_flags Receives count flags.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an array is NULL and count is not 0, count is more than memory can hold, or a
 *     layer belongs to another runtime.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid, or one of the layers is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if count is above the number of points that the policy allows.
 */
ALD_API ald_status ald_view_get_layer_states(ald_view view, const ald_layer *layers, size_t count,
                                             ald_layer_view_flags *out_flags, ald_error *error);

/**
 * Gets the last changes of a layer's state in a view, at most 16, the oldest first. A layer that is not in the view's
 * map has no changes.
 *
 * @param out_transitions Receives the changes. NULL with capacity 0 requests only their number.
 * @param capacity The number of changes that out_transitions can hold.
 * @param out_count Receives the number of changes, even if the buffer is too small. May be NULL if out_transitions is
 *     not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the two belong to different runtimes, out_transitions is NULL and capacity is not
 *     0, both out_transitions and out_count are NULL, or capacity is more than memory can hold.
 *   - ALD_STATUS_INVALID_HANDLE if view or layer is not valid.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_view_get_layer_state_history(ald_view view, ald_layer layer,
                                                    ald_layer_view_transition *out_transitions, size_t capacity,
                                                    size_t *out_count, ald_error *error);

/**
 * Writes flags as text, such as "active, with a warning". 0 is "not shown". Needs no runtime.
 *
 * @param flags Any combination of flags.
 * @param buffer Receives the text with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if flags has an unknown bit, buffer is NULL and capacity_bytes is not 0, or both
 *     buffer and out_size_bytes are NULL.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_layer_view_flags_get_text(ald_layer_view_flags flags, char *buffer, size_t capacity_bytes,
                                                 size_t *out_size_bytes, ald_error *error);

/** How much of a server's layer has arrived for a view. */
typedef struct ald_fetch_progress {
  uint32_t struct_size;
  /**
   * The number of parts that the view shows: tiles of a raster layer; 1 for a feature layer; 0 for a layer of files.
   */
  uint32_t wanted_count;
  /** The number of these parts that have arrived. */
  uint32_t there_count;
  /** The number of parts that the server did not return when they were last requested. */
  uint32_t failed_count;
} ald_fetch_progress;

/** Initialises an ald_fetch_progress. */
#define ALD_FETCH_PROGRESS_INIT                                                                                        \
  { (uint32_t)sizeof(ald_fetch_progress), 0, 0, 0 }

/**
 * Gets how much of a server's layer has arrived for a view: of the parts that the last call that drew the layer needed.
 * ALD_EVENT_KIND_LAYER_VIEW_STATE_CHANGED reports when the library no longer waits for any part.
 *
 * @param out_progress Receives the progress. Initialise it with ALD_FETCH_PROGRESS_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map, out_progress is NULL or its struct_size is not
 *     valid.
 *   - ALD_STATUS_INVALID_HANDLE if view or layer is not valid.
 */
ALD_API ald_status ald_view_get_fetch_progress(ald_view view, ald_layer layer, ald_fetch_progress *out_progress,
                                               ald_error *error);

/**
 * Gets the attribution of the data that a view shows: the attributions of its active layers, each once, the lowest
 * layer first, separated by " | ".
 *
 * @param buffer Receives the text with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity_bytes is not 0, or both buffer and out_size_bytes are
 *     NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_view_get_attribution(ald_view view, char *buffer, size_t capacity_bytes, size_t *out_size_bytes,
                                            ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

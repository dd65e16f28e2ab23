/**
 * @file
 * Layers: what a map shows.
 *
 * A raster layer shows a raster through a renderer. A feature layer shows the features of a source. A group layer holds
 * other layers. A layer is in one map or in one group at a time. The library does not draw layers: screen_cells.h gives
 * the cells of a raster layer and overlay_drawing.h gives the features of a feature layer, ready for the host to draw.
 *
 * A layer that is created from an open raster or source is loaded from the beginning. A layer that is created from a
 * path is not loaded. It can be added to a map, but every function that needs its data returns ALD_STATUS_NOT_READY
 * until it is loaded. request.h describes loading.
 *
 * A loaded layer can have warnings: it works, but not for every purpose. A loaded layer can also be in trouble: its
 * file can no longer be read, because the file was deleted, replaced or truncated. ald_layer_get_load_info reports the
 * trouble. It ends when a read succeeds, or when ald_layer_retry_load has opened the file again.
 *
 * @code{.c}
 * ald_layer heights;
 * ald_status status = ald_raster_layer_create(raster, &heights, error);
 * if (status != ALD_STATUS_OK) return status;
 * status = ald_layer_set_opacity(heights, 0.5, error);
 * if (status == ALD_STATUS_OK) status = ald_map_add_layer(map, heights, error);
 * ald_layer_release(heights); // The map keeps the layer.
 * return status;
 * @endcode
 */
#ifndef ALIDADE_LAYER_H
#define ALIDADE_LAYER_H

#include "base.h"
#include "feature_source.h"
#include "graphics_overlay.h"
#include "handles.h"
#include "raster.h"
#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kind of a layer. */
typedef int32_t ald_layer_kind;
enum ald_layer_kind_values {
  /** The layer shows a raster. */
  ALD_LAYER_KIND_RASTER = 1,
  /** The layer shows features. */
  ALD_LAYER_KIND_FEATURE = 2,
  /** The layer holds other layers. */
  ALD_LAYER_KIND_GROUP = 3
};

/** Bits of ald_layer_info.flags. */
typedef uint32_t ald_layer_flags;
enum ald_layer_flags_values {
  /** The layer itself is visible, as ald_layer_is_visible reports. */
  ALD_LAYER_VISIBLE = 1,
  /** The layer and all groups above it are visible. */
  ALD_LAYER_SHOWN = 2,
  /** The layer is in a map's basemap, directly or inside a group. */
  ALD_LAYER_IN_BASEMAP = 4
};

/** The properties of a layer at one moment. */
typedef struct ald_layer_info {
  uint32_t struct_size;
  ald_layer_kind kind;
  ald_layer_flags flags;
  /** The number of groups above the layer. */
  uint32_t depth;
  /** The opacity of the layer itself, from 0 (transparent) to 1. */
  double opacity;
  /** The product of the opacities of the layer and of all groups above it. */
  double effective_opacity;
  /** The denominator of the farthest scale at which the layer is shown. 0 means no limit. */
  double min_scale;
  /** The denominator of the closest scale at which the layer is shown. 0 means no limit. */
  double max_scale;
  /** The denominator of the farthest scale at which the layer and all groups above it are shown. 0 means no limit. */
  double effective_min_scale;
  /**
   * The denominator of the closest scale at which the layer and all groups above it are shown. 0 means no limit. It is
   * larger than effective_min_scale if the ranges have no scale in common.
   */
  double effective_max_scale;
  /** The group that holds the layer, or null. The handle is borrowed: valid while the group lives. */
  ald_layer group;
  /**
   * The map that holds the layer, directly or inside a group, or null. The handle is borrowed: valid while the map
   * lives.
   */
  ald_map map;
  /** Increases when a property of the layer changes, or when the layer or a group above it moves. */
  uint64_t generation;
  /** The load status, as ald_layer_get_load_info reports. */
  ald_load_status load_status;
  /** Zero. */
  uint32_t reserved32;
  uint64_t reserved[3];
} ald_layer_info;

/** Initialises an ald_layer_info. */
#define ALD_LAYER_INFO_INIT                                                                                            \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_layer_info), 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, {0}, {0}, 0, 0, 0, {                      \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** The texts of a layer. The library only stores them. */
typedef int32_t ald_layer_text_kind;
enum ald_layer_text_kind_values {
  /** The name that a list of layers shows. */
  ALD_LAYER_TEXT_KIND_NAME = 1,
  /** The host's own identifier. The library does not check that it is unique. */
  ALD_LAYER_TEXT_KIND_ID = 2,
  /** The attribution of the data. */
  ALD_LAYER_TEXT_KIND_ATTRIBUTION = 3
};

/** The kinds of warnings. A layer with a warning is loaded and can be used. */
typedef int32_t ald_layer_warning_kind;
enum ald_layer_warning_kind_values {
  /** The data has no usable spatial reference. The layer has no position on the map until the host sets one. */
  ALD_LAYER_WARNING_KIND_NO_SPATIAL_REFERENCE = 1,
  /** Some features cannot be read. */
  ALD_LAYER_WARNING_KIND_UNREADABLE_FEATURES = 2,
  /** There is no index, so searches take longer. */
  ALD_LAYER_WARNING_KIND_NO_INDEX = 3,
  /** A request for a part of the data has failed, or the data has changed. */
  ALD_LAYER_WARNING_KIND_FAILED_REQUEST = 4,
  /** A service has more features in the area of a view than it returns, or than the layer keeps. */
  ALD_LAYER_WARNING_KIND_TRUNCATED = 5
};

/** How a raster layer converts values to colours. */
typedef int32_t ald_raster_renderer_kind;
enum ald_raster_renderer_kind_values {
  /**
   * Selects the kind that fits the raster: the colour table if band 1 has one; three bands if the file says which bands
   * are red, green and blue, or has at least three 8-bit bands; otherwise a stretch of band 1.
   */
  ALD_RASTER_RENDERER_KIND_AUTOMATIC = 0,
  /** Uses the colour table of a band. A value without an entry is transparent. */
  ALD_RASTER_RENDERER_KIND_COLOR_TABLE = 1,
  /** Uses three bands as red, green and blue. */
  ALD_RASTER_RENDERER_KIND_RGB = 2,
  /** Stretches one band from minimum to maximum over a colour ramp. */
  ALD_RASTER_RENDERER_KIND_STRETCH = 3,
  /** Lights one band of heights from a side (Horn 1981), as gdaldem does, including the cells at the edges. */
  ALD_RASTER_RENDERER_KIND_HILLSHADE = 4
};

/** Bits of ald_raster_renderer.fields. A bit says that the host sets a field whose default is not 0. */
typedef uint32_t ald_raster_renderer_fields;
enum ald_raster_renderer_fields_values {
  /**
   * minimum and maximum are set. Without this bit they come from the file's statistics or from a sample of its cells.
   */
  ALD_RASTER_RENDERER_HAS_RANGE = 1,
  /** azimuth_deg is set. Without this bit it is 315. */
  ALD_RASTER_RENDERER_HAS_AZIMUTH = 2,
  /** altitude_deg is set. Without this bit it is 45. */
  ALD_RASTER_RENDERER_HAS_ALTITUDE = 4
};

/** The renderer of a raster layer. */
typedef struct ald_raster_renderer {
  uint32_t struct_size;
  ald_raster_renderer_kind kind;
  ald_raster_renderer_fields fields;
  /** The number of colours in ramp, 2 to 65536. 0 with a NULL ramp means black to white. */
  uint32_t ramp_count;
  /** Colours at equal steps from minimum to maximum, interpolated linearly per channel. Copied. */
  const ald_rgba *ramp;
  /**
   * For ALD_RASTER_RENDERER_KIND_RGB: the red, green and blue bands. For a kind that uses one band: that band, in
   * bands[0]. The first band is 1. 0 means that the library selects the band.
   */
  int32_t bands[3];
  uint32_t reserved;
  /** The stored values (before scale and offset) at the ends of the ramp. minimum < maximum. */
  double minimum;
  double maximum;
  /** The exponent for the stretched value, more than 0. 0 means 1. */
  double gamma;
  /** The direction of the light, in degrees clockwise from the y axis of the raster's spatial reference. */
  double azimuth_deg;
  /** The angle of the light above the horizon, 0 to 90 degrees. */
  double altitude_deg;
  /** The factor for heights, in map units per height unit. 0 means that heights are in metres. */
  double z_factor;
} ald_raster_renderer;

/** Initialises an ald_raster_renderer to the default. */
#define ALD_RASTER_RENDERER_INIT                                                                                       \
  { (uint32_t)sizeof(ald_raster_renderer), 0, 0, 0, NULL, {0, 0, 0}, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 }

/**
 * Creates a layer that shows a raster. The layer is loaded if the raster is loaded. Otherwise, loading the layer loads
 * the raster.
 *
 * @param raster The raster. The layer keeps it.
 * @param out_layer Receives the layer; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_layer is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 *   - ALD_STATUS_NOT_READY if the raster has no spatial reference. Set one when you open the raster.
 *   - ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform, or its geotransform cannot be
 *     inverted.
 */
ALD_API ald_status ald_raster_layer_create(ald_raster raster, ald_layer *out_layer, ald_error *error);

/**
 * Creates a layer that shows a raster file. The layer is not loaded, and the call does not access the file.
 *
 * @param path The path, as for ald_raster_open.
 * @param options NULL for all defaults.
 * @param out_layer Receives the layer; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if path is NULL, empty or not UTF-8, out_layer is NULL or an option is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if runtime or the spatial reference in options is not valid.
 */
ALD_API ald_status ald_raster_layer_create_from_path(ald_runtime runtime, const char *path,
                                                     const ald_raster_open_options *options, ald_layer *out_layer,
                                                     ald_error *error);

/**
 * Creates a layer that shows the features of a source. The layer draws nothing until ald_feature_layer_set_renderer has
 * set a renderer. The library begins to build an index of the source if the source has none. The layer can be drawn
 * before the index is ready.
 *
 * @param feature_source The source. The layer keeps it.
 * @param out_layer Receives the layer; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_layer is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if feature_source is not valid.
 */
ALD_API ald_status ald_feature_layer_create(ald_feature_source feature_source, ald_layer *out_layer, ald_error *error);

/**
 * Creates a layer that shows the features of a file. The layer is not loaded, and the call does not access the file.
 *
 * @param path The path, as for ald_feature_source_open.
 * @param options NULL for all defaults.
 * @param out_layer Receives the layer; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if path is NULL, empty or not UTF-8, out_layer is NULL or an option is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if runtime or the spatial reference in options is not valid.
 *   - ALD_STATUS_POLICY_REFUSED if the policy forbids the definition expression or the statement.
 */
ALD_API ald_status ald_feature_layer_create_from_path(ald_runtime runtime, const char *path,
                                                      const ald_feature_source_options *options, ald_layer *out_layer,
                                                      ald_error *error);

/**
 * Creates an empty group layer. See the section "Group layers" below.
 *
 * @param out_layer Receives the group; the host owns it. Release it with ald_layer_release. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_layer is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 */
ALD_API ald_status ald_group_layer_create(ald_runtime runtime, ald_layer *out_layer, ald_error *error);

/** Releases a layer. A map or group that holds the layer keeps it. */
ALD_API void ald_layer_release(ald_layer layer);

/**
 * Gets the properties of a layer.
 *
 * @param out_info Receives the properties. Initialise it with ALD_LAYER_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_layer_get_info(ald_layer layer, ald_layer_info *out_info, ald_error *error);

/**
 * Shows or hides a layer. A new layer is visible. A hidden layer draws nothing and identify does not find it. The same
 * applies to every layer inside a hidden group.
 *
 * @param visible 1 to show the layer, 0 to hide it.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if visible is neither 0 nor 1.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_layer_set_visible(ald_layer layer, uint32_t visible, ald_error *error);

/**
 * Reports whether a layer is visible.
 *
 * @param out_visible Receives 1 if the layer itself is visible, otherwise 0. The groups above it do not count.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_visible is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_layer_is_visible(ald_layer layer, uint32_t *out_visible, ald_error *error);

/**
 * Sets the opacity with which a layer is drawn. Identify ignores the opacity.
 *
 * @param opacity 0 (transparent) to 1. The opacity of a group is a factor for all layers in it.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if opacity is not finite or out of range.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_layer_set_opacity(ald_layer layer, double opacity, ald_error *error);

/**
 * Sets the range of scales at which a layer is shown, both ends included. Outside the range, the layer draws nothing
 * and identify does not find it. The same applies to every layer inside a group that is out of its range.
 *
 * @param min_scale The denominator of the farthest scale, 1e-6 to 1e15. 0 means no limit.
 * @param max_scale The denominator of the closest scale, 1e-6 to 1e15, at most min_scale. 0 means no limit.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, or max_scale is above a min_scale that is
 *     not 0.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_layer_set_scale_range(ald_layer layer, double min_scale, double max_scale, ald_error *error);

/**
 * Computes the box around the data of a layer. For a group, the box covers all layers in it, inner groups included.
 * Layers in a group without a box, because they are not loaded or have no position on the map, are left out if another
 * layer has a box.
 *
 * For a feature layer, the box is the extent of the source. If ald_feature_source_info does not contain the extent, the
 * box comes from the index, and is not known before the index is ready. It is never known if the index cannot be built.
 *
 * @param spatial_reference The spatial reference of the box. Null means the layer's own spatial reference, which a
 *     group does not have.
 * @param out_extent Receives the box. Where the world repeats itself, x_min > x_max means that the box crosses the
 *     antimeridian. The box of a group continues beyond the antimeridian instead, to an x_max above half a world.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_extent is NULL or the spatial reference belongs to another runtime.
 *   - ALD_STATUS_INVALID_HANDLE if layer or spatial_reference is not valid.
 *   - ALD_STATUS_NOT_READY if the layer is not loaded, the box is not known yet, spatial_reference is not null and the
 *     layer has none, or spatial_reference is null and the layer is a group.
 *   - ALD_STATUS_NOT_FOUND if there is no data.
 *   - ALD_STATUS_PROJECTION_FAILED if no part of the layer can be projected to the spatial reference.
 */
ALD_API ald_status ald_layer_get_full_extent(ald_layer layer, ald_spatial_reference spatial_reference,
                                             ald_envelope *out_extent, ald_error *error);

/**
 * Sets the spatial reference of a layer. It replaces the spatial reference of the layer's data, whether the data has
 * one or not. This gives a position to a layer whose data has no spatial reference. The spatial reference of a map does
 * not change.
 *
 * @param spatial_reference The spatial reference. Null restores the spatial reference of the data.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the two belong to different runtimes, or the layer is a group.
 *   - ALD_STATUS_INVALID_HANDLE if layer or spatial_reference is not valid.
 */
ALD_API ald_status ald_layer_set_spatial_reference(ald_layer layer, ald_spatial_reference spatial_reference,
                                                   ald_error *error);

/**
 * Gets the spatial reference of a layer: the one that the host set, otherwise the one of the data.
 *
 * @param out_spatial_reference Receives the spatial reference. The handle is borrowed: valid while the layer uses it.
 *     Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_spatial_reference is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 *   - ALD_STATUS_NOT_READY if the layer has no spatial reference, or is not loaded.
 */
ALD_API ald_status ald_layer_get_spatial_reference(ald_layer layer, ald_spatial_reference *out_spatial_reference,
                                                   ald_error *error);

/* Loading */

/**
 * Loads a layer and waits until loading ends. Starts loading if that has not happened yet. A failed layer is not loaded
 * again: the call returns the old error. Data without a spatial reference loads with a warning.
 *
 * For a group, the call loads all layers in it and waits for all of them. It succeeds even if a layer fails; each layer
 * reports its own error. A layer that is added to a group while the group loads is loaded, too. The call does not wait
 * for a layer that is removed.
 *
 * @return ALD_STATUS_OK if the layer is loaded. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the path is longer than 65,536 bytes.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid, or the runtime is released during the call.
 *   - ALD_STATUS_NOT_FOUND if the file, or the data in it, does not exist, as for ald_raster_open.
 *   - ALD_STATUS_UNSUPPORTED if the data is not supported, as for ald_raster_open and ald_raster_layer_create.
 *   - ALD_STATUS_READ_FAILED if the data cannot be opened or read.
 *   - ALD_STATUS_POLICY_REFUSED if the policy forbids the data.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the data exceeds a limit of the policy.
 *   - ALD_STATUS_CANCELLED if the load is cancelled.
 */
ALD_API ald_status ald_layer_load(ald_layer layer, ald_error *error);

/**
 * Starts loading a layer if that has not happened yet, and creates a request that ends when loading ends. Each request
 * reports the end once, as its options choose; there is nothing to take from it. Cancelling or releasing the request
 * ends only this wait; loading continues.
 *
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request, of the kind ALD_REQUEST_KIND_LOAD; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or an option is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_layer_load_async(ald_layer layer, const ald_request_options *request_options,
                                        ald_request *out_request, ald_error *error);

/**
 * Loads a layer like ald_layer_load, but loads it again if loading has failed or the layer is in trouble. A layer in
 * trouble counts as not loaded until the new attempt has succeeded. For a group, each layer in it that has failed is
 * loaded again. Data without a spatial reference loads with a warning.
 *
 * @return ALD_STATUS_OK if the layer is loaded. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the path is longer than 65,536 bytes.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid, or the runtime is released during the call.
 *   - ALD_STATUS_NOT_FOUND if the file, or the data in it, does not exist, as for ald_raster_open.
 *   - ALD_STATUS_UNSUPPORTED if the data is not supported, as for ald_raster_open and ald_raster_layer_create.
 *   - ALD_STATUS_READ_FAILED if the data cannot be opened or read.
 *   - ALD_STATUS_POLICY_REFUSED if the policy forbids the data.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the data exceeds a limit of the policy.
 *   - ALD_STATUS_CANCELLED if the load is cancelled.
 */
ALD_API ald_status ald_layer_retry_load(ald_layer layer, ald_error *error);

/**
 * Does the same as ald_layer_retry_load without waiting. See ald_layer_load_async.
 *
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or an option is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_layer_retry_load_async(ald_layer layer, const ald_request_options *request_options,
                                              ald_request *out_request, ald_error *error);

/**
 * Cancels the loading of a layer. When this function returns, loading has failed with ALD_STATUS_CANCELLED, and all
 * waiting callers are notified. If the layer is not being loaded, nothing changes, and the call succeeds.
 *
 * For a group, the layers in it that are being loaded fail, and the group itself does not fail. All callers that wait
 * for the group receive ALD_STATUS_CANCELLED.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_layer_cancel_load(ald_layer layer, ald_error *error);

/**
 * Gets the current state of loading a layer. Never waits. A group is loading while a layer in it is.
 *
 * @param out_info Receives the state. Initialise it with ALD_LOAD_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_layer_get_load_info(ald_layer layer, ald_load_info *out_info, ald_error *error);

/**
 * Gets the number of warnings of a layer, 0 if the layer is not loaded. A group does not have the warnings of the
 * layers in it.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_layer_get_warning_count(ald_layer layer, uint32_t *out_count, ald_error *error);

/**
 * Gets a warning of a layer. A layer has at most one warning of each kind.
 *
 * @param index The index of the warning, from 0. Warnings are sorted by the number of their kind.
 * @param out_kind Receives the kind. May be NULL.
 * @param buffer Receives the message, which says what is wrong and what helps, with its final NUL. NULL with
 *     capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity_bytes is not 0, or both buffer and out_size_bytes are
 *     NULL.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no warning with that index.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_layer_get_warning_at(ald_layer layer, uint32_t index, ald_layer_warning_kind *out_kind,
                                            char *buffer, size_t capacity_bytes, size_t *out_size_bytes,
                                            ald_error *error);

/* Texts and properties of the host */

/**
 * Sets a text of a layer.
 *
 * @param kind The text to set.
 * @param text UTF-8, copied. NULL or "" removes the text.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if kind is not valid or text is not UTF-8.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_layer_set_text(ald_layer layer, ald_layer_text_kind kind, const char *text, ald_error *error);

/**
 * Gets a text of a layer. The text is "" if none is set.
 *
 * @param kind The text to read.
 * @param buffer Receives the text with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if kind is not valid, buffer is NULL and capacity_bytes is not 0, or both buffer and
 *     out_size_bytes are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_layer_get_text(ald_layer layer, ald_layer_text_kind kind, char *buffer, size_t capacity_bytes,
                                      size_t *out_size_bytes, ald_error *error);

/**
 * Sets a property of a layer. Properties belong to the host: the library only stores them, at most 10,000 per layer.
 *
 * @param key The name of the property: UTF-8, not empty. Copied.
 * @param text The value: UTF-8, copied. NULL removes the property, if there is one.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if key is NULL or empty, or a text is not UTF-8.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the layer has 10,000 properties.
 */
ALD_API ald_status ald_layer_set_property(ald_layer layer, const char *key, const char *text, ald_error *error);

/**
 * Gets a property of a layer.
 *
 * @param key The name of the property.
 * @param buffer Receives the value with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if key is NULL or not UTF-8, buffer is NULL and capacity_bytes is not 0, or both
 *     buffer and out_size_bytes are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no property with that name.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_layer_get_property(ald_layer layer, const char *key, char *buffer, size_t capacity_bytes,
                                          size_t *out_size_bytes, ald_error *error);

/**
 * Gets the number of properties of a layer.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_layer_get_property_count(ald_layer layer, uint32_t *out_count, ald_error *error);

/**
 * Gets the name of a property. The properties are in the order in which they were added.
 *
 * @param index The index of the property, from 0.
 * @param buffer Receives the name with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity_bytes is not 0, or both buffer and out_size_bytes are
 *     NULL.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no property with that index.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_layer_get_property_key_at(ald_layer layer, uint32_t index, char *buffer, size_t capacity_bytes,
                                                 size_t *out_size_bytes, ald_error *error);

/* Raster layers */

/**
 * Gets the raster of a raster layer. ald_raster_get_load_info reports whether the raster is loaded.
 *
 * @param out_raster Receives the raster. The handle is borrowed: valid while the layer lives. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not a raster layer or out_raster is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_raster_layer_get_raster(ald_layer layer, ald_raster *out_raster, ald_error *error);

/**
 * Sets the renderer of a raster layer. A layer that is not loaded accepts any renderer. It fails to load if the
 * renderer does not fit the raster.
 *
 * @param renderer The renderer. NULL selects the automatic renderer.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not a raster layer or a field is out of range.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 *   - ALD_STATUS_NOT_FOUND if the band does not exist, or has no colour table.
 *   - ALD_STATUS_UNSUPPORTED if a hillshade is requested for complex values.
 */
ALD_API ald_status ald_raster_layer_set_renderer(ald_layer layer, const ald_raster_renderer *renderer,
                                                 ald_error *error);

/**
 * Gets the renderer of a raster layer, with all values that the library selected. The first call may read cells to find
 * the range of a stretch. ALD_RASTER_RENDERER_HAS_RANGE is not set if each of three bands has its own range.
 *
 * @param out_renderer Receives the renderer. Initialise it with ALD_RASTER_RENDERER_INIT. Its ramp is always NULL: the
 *     host knows the ramp that it set.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not a raster layer, or out_renderer is NULL or its struct_size is not
 *     valid.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 *   - ALD_STATUS_NOT_READY if the layer is not loaded.
 *   - ALD_STATUS_READ_FAILED if cells are needed and cannot be read.
 */
ALD_API ald_status ald_raster_layer_get_renderer(ald_layer layer, ald_raster_renderer *out_renderer, ald_error *error);

/* Feature layers */

/**
 * Gets the source of a feature layer.
 *
 * @param out_source Receives the source. The handle is borrowed: valid while the layer shows this source. Set to null
 *     on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_source is NULL or the layer is not a feature layer.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 *   - ALD_STATUS_NOT_READY if the layer is not loaded.
 */
ALD_API ald_status ald_feature_layer_get_source(ald_layer layer, ald_feature_source *out_source, ald_error *error);

/**
 * Sets the renderer of a feature layer. A renderer selects fields by name. A field that the source does not have counts
 * as null, and so do dates, lists and binary values.
 *
 * @param renderer The renderer. NULL: the layer draws no features.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not a feature layer, or a field of the renderer is out of range.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 */
ALD_API ald_status ald_feature_layer_set_renderer(ald_layer layer, const ald_graphics_renderer *renderer,
                                                  ald_error *error);

/**
 * Sets the definition expression of a feature layer: the condition that a feature must meet to be shown.
 *
 * A loaded layer stays loaded and from then on shows a new source of the same file. Drawings, counts and searches use
 * the new source, and so does ald_feature_layer_get_source. A borrowed handle of the old source stays valid while the
 * host or a result holds that source. The index is built again. The call does not open the file again. It reads as much
 * as it needs to check the expression, which in a database may be a whole table.
 *
 * A layer that is not loaded uses the expression when it loads, even if loading has already begun. If the file cannot
 * use the expression, loading fails. Loading again keeps the expression.
 *
 * On failure nothing changes.
 *
 * @param definition_expression The expression, as in ald_feature_source_options.definition_expression. It replaces the
 *     current one. NULL selects all features. Copied.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not a feature layer, or the expression is empty, not UTF-8 or not
 *     valid. The message says where the fault is.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 *   - ALD_STATUS_READ_FAILED if the file can no longer be read, or has changed.
 *   - ALD_STATUS_POLICY_REFUSED if the policy forbids the expression.
 */
ALD_API ald_status ald_feature_layer_set_definition(ald_layer layer, const char *definition_expression,
                                                    ald_error *error);

/**
 * Gets the definition expression of a feature layer. The text is "" if none is set.
 *
 * @param buffer Receives the text with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not a feature layer, buffer is NULL and capacity_bytes is not 0, or
 *     both buffer and out_size_bytes are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if layer is not valid.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_feature_layer_get_definition(ald_layer layer, char *buffer, size_t capacity_bytes,
                                                    size_t *out_size_bytes, ald_error *error);

/*
 * Group layers
 *
 * Groups nest up to 64 deep. The visibility, opacity and scale range of a group apply to all layers in it.
 */

/**
 * Adds a layer on top of the layers in a group.
 *
 * @param layer The layer, or another group. The group keeps it.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if group is not a group layer, the two belong to different runtimes, or a group would
 *     contain itself.
 *   - ALD_STATUS_INVALID_HANDLE if group or layer is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if groups would nest more than 64 deep.
 *   - ALD_STATUS_INVALID_STATE if the layer is already in a map or a group.
 */
ALD_API ald_status ald_group_layer_add_layer(ald_layer group, ald_layer layer, ald_error *error);

/**
 * Inserts a layer into a group.
 *
 * @param layer The layer, or another group. The group keeps it.
 * @param index The new index of the layer: 0 is the lowest layer in drawing order. At most the number of layers in the
 *     group.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if group is not a group layer, the two belong to different runtimes, or a group would
 *     contain itself.
 *   - ALD_STATUS_INVALID_HANDLE if group or layer is not valid.
 *   - ALD_STATUS_NOT_FOUND if index is above the number of layers.
 *   - ALD_STATUS_LIMIT_EXCEEDED if groups would nest more than 64 deep.
 *   - ALD_STATUS_INVALID_STATE if the layer is already in a map or a group.
 */
ALD_API ald_status ald_group_layer_insert_layer(ald_layer group, ald_layer layer, uint32_t index, ald_error *error);

/**
 * Moves a layer to another position in its group.
 *
 * @param index The new index of the layer: 0 is the lowest layer in drawing order.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if group is not a group layer, or the two belong to different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if group or layer is not valid.
 *   - ALD_STATUS_NOT_FOUND if the layer is not in this group, or index is out of range.
 */
ALD_API ald_status ald_group_layer_move_layer(ald_layer group, ald_layer layer, uint32_t index, ald_error *error);

/**
 * Removes a layer from a group.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if group is not a group layer, or the two belong to different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if group or layer is not valid.
 *   - ALD_STATUS_NOT_FOUND if the layer is not in this group.
 */
ALD_API ald_status ald_group_layer_remove_layer(ald_layer group, ald_layer layer, ald_error *error);

/**
 * Gets the number of layers in a group. Layers inside inner groups do not count.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if group is not a group layer or out_count is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if group is not valid.
 */
ALD_API ald_status ald_group_layer_get_layer_count(ald_layer group, uint32_t *out_count, ald_error *error);

/**
 * Gets a layer of a group.
 *
 * @param index The index of the layer: 0 is the lowest layer in drawing order.
 * @param out_layer Receives the layer. The handle is borrowed: valid while the layer is in the group. Set to null on
 *     failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if group is not a group layer or out_layer is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if group is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no layer with that index.
 */
ALD_API ald_status ald_group_layer_get_layer_at(ald_layer group, uint32_t index, ald_layer *out_layer,
                                                ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

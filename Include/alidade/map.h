/**
 * @file
 * Maps: layers in drawing order, in one spatial reference.
 *
 * A map has two lists of layers. The layers of the basemap are drawn first, and the operational layers are drawn above
 * them. In each list, index 0 is the lowest layer. A map shows nothing by itself: create a view of it (view.h). Several
 * views can share a map.
 *
 * The spatial reference of a map is the one that ald_map_create received. Without one, the map takes the spatial
 * reference of its lowest layer that loads and has one, as soon as all layers below it have ended loading. From then on
 * it is fixed.
 *
 * A map can limit the scales and the extent that its views show. Every view of the map obeys these limits in addition
 * to its own constraints (ald_view_set_constraints). Where both set a limit, the narrower one applies: the smaller
 * min_scale, the larger max_scale, and the intersection of the extents. If the intersection has two parts, which is
 * possible where the world repeats itself, the wider part applies. If the scale ranges do not overlap, the limit is the
 * end of the map's range that is nearest to the view's range. If the extents do not overlap, the map's extent applies.
 * The view's ald_extent_rule, locked rotation and rubber band also apply to the map's limits, so by default no view
 * shows anything outside the map's extent. If a limit of the map changes a move, ald_camera_plan.clamps reports it like
 * a constraint of the view.
 *
 * @code{.c}
 * ald_map new_map;
 * ald_status status = ald_map_create(runtime, spatial_reference, &new_map, error);
 * if (status != ALD_STATUS_OK) return status;
 * status = ald_map_add_layer(new_map, layer, error);
 * if (status == ALD_STATUS_OK) status = ald_map_load(new_map, error);
 * ald_map_release(new_map);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_MAP_H
#define ALIDADE_MAP_H

#include "base.h"
#include "handles.h"
#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The texts of a map. The library only stores them. */
typedef int32_t ald_map_text_kind;
enum ald_map_text_kind_values {
  /** The name that a list of maps shows. */
  ALD_MAP_TEXT_KIND_NAME = 1,
  /** The host's own identifier. */
  ALD_MAP_TEXT_KIND_ID = 2,
  /** The attribution of the map. ald_view_get_attribution reports the attribution of the data that a view shows. */
  ALD_MAP_TEXT_KIND_ATTRIBUTION = 3
};

/** Bits of ald_map_info.flags. */
typedef uint32_t ald_map_flags;
enum ald_map_flags_values {
  /** A maximum extent is set. */
  ALD_MAP_HAS_MAX_EXTENT = 1,
  /**
   * The maximum extent limits views: the map has a spatial reference, and at least a part of the extent can be
   * projected to it. If an extent was set before the map had a spatial reference, and no part of the extent can be
   * projected, it limits nothing, and a log line reports this.
   */
  ALD_MAP_MAX_EXTENT_LIMITS = 2
};

/** The properties of a map at one moment. */
typedef struct ald_map_info {
  uint32_t struct_size;
  ald_map_flags flags;
  /** The denominator of the farthest scale that views may show. 0 means no limit. */
  double min_scale;
  /** The denominator of the closest scale that views may show. 0 means no limit. */
  double max_scale;
  /** The maximum extent as the host set it. Valid with ALD_MAP_HAS_MAX_EXTENT. */
  ald_envelope max_extent;
  /**
   * The spatial reference of max_extent, or null for the map's own. The handle is borrowed: valid until the map gets
   * another maximum extent.
   */
  ald_spatial_reference max_extent_spatial_reference;
  uint64_t reserved[4];
} ald_map_info;

/** Initialises an ald_map_info. */
#define ALD_MAP_INFO_INIT                                                                                              \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_map_info), 0, 0.0, 0.0, {0.0, 0.0, 0.0, 0.0}, {0}, {                                          \
      0                                                                                                                \
    }                                                                                                                  \
  }

/**
 * Creates an empty map.
 *
 * @param spatial_reference The spatial reference of the map. Null: the map takes it from its layers, as described at
 *     the top of this header.
 * @param out_map Receives the map; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_map is NULL or the spatial reference belongs to another runtime.
 *   - ALD_STATUS_INVALID_HANDLE if runtime or spatial_reference is not valid.
 */
ALD_API ald_status ald_map_create(ald_runtime runtime, ald_spatial_reference spatial_reference, ald_map *out_map,
                                  ald_error *error);

/** Releases a map. A view of the map keeps it. */
ALD_API void ald_map_release(ald_map map);

/**
 * Gets the spatial reference of a map.
 *
 * @param out_spatial_reference Receives the spatial reference. The handle is borrowed: valid while the map lives. Set
 *     to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_spatial_reference is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 *   - ALD_STATUS_NOT_READY if the map was created without a spatial reference and has not yet taken one from its
 *     layers.
 */
ALD_API ald_status ald_map_get_spatial_reference(ald_map map, ald_spatial_reference *out_spatial_reference,
                                                 ald_error *error);

/**
 * Gets the properties of a map.
 *
 * @param out_info Receives the properties. Initialise it with ALD_MAP_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 */
ALD_API ald_status ald_map_get_info(ald_map map, ald_map_info *out_info, ald_error *error);

/**
 * Sets the range of scales that views of the map may show. A view that is outside the range moves into it at once.
 *
 * @param min_scale The denominator of the farthest scale, 1e-6 to 1e15. 0 means no limit.
 * @param max_scale The denominator of the closest scale, 1e-6 to 1e15, at most min_scale. 0 means no limit.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, or max_scale is above a min_scale that is
 *     not 0.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 */
ALD_API ald_status ald_map_set_scale_range(ald_map map, double min_scale, double max_scale, ald_error *error);

/**
 * Sets the extent that views of the map must not leave. A view that is outside the extent moves into it at once. On
 * failure the previous extent stays.
 *
 * @param max_extent A box with width and height, as ald_constraints.max_extent. NULL removes the limit.
 * @param spatial_reference The spatial reference of the box. Null means the map's own. A box in another spatial
 *     reference is projected, and the box around its image applies. A box with a spatial reference can be set before
 *     the map has one.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the box has no width or height, a number is not finite or out of range, or the
 *     spatial reference belongs to another runtime.
 *   - ALD_STATUS_INVALID_HANDLE if map or spatial_reference is not valid.
 *   - ALD_STATUS_NOT_READY if spatial_reference is null and the map has no spatial reference yet.
 *   - ALD_STATUS_PROJECTION_FAILED if no part of the box can be projected to the map's spatial reference.
 */
ALD_API ald_status ald_map_set_max_extent(ald_map map, const ald_envelope *max_extent,
                                          ald_spatial_reference spatial_reference, ald_error *error);

/**
 * Computes the box around the data of all layers of a map: basemap layers and operational layers, groups included,
 * whether they are shown or not. Layers without a box are left out if another layer has a box. A layer has no box if it
 * is not loaded, has no position on the map, or its box is not known yet (see ald_layer_get_full_extent).
 *
 * @param spatial_reference The spatial reference of the box. Null means the map's own.
 * @param out_extent Receives the box. Where the world repeats itself, a box that crosses the antimeridian continues
 *     beyond it, to an x_max above half a world.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_extent is NULL or the spatial reference belongs to another runtime.
 *   - ALD_STATUS_INVALID_HANDLE if map or spatial_reference is not valid.
 *   - ALD_STATUS_NOT_READY if spatial_reference is null and the map has none yet, or there is no layer that is loaded
 *     and has a spatial reference and a known box.
 *   - ALD_STATUS_NOT_FOUND if there is no data.
 *   - ALD_STATUS_PROJECTION_FAILED if no part of the layers can be projected to the spatial reference.
 */
ALD_API ald_status ald_map_get_full_extent(ald_map map, ald_spatial_reference spatial_reference,
                                           ald_envelope *out_extent, ald_error *error);

/**
 * Sets the first viewpoint of the map's views from a WGS 84 location. A view without a centre takes this viewpoint when
 * its state, or anything that depends on the state, is read for the first time. Views that already have a centre keep
 * it. ald_map_set_initial_viewpoint in viewpoint.h sets any other viewpoint.
 *
 * @param latitude_deg The latitude of the centre, -90 to 90.
 * @param longitude_deg The longitude of the centre, -360 to 360.
 * @param scale The denominator of the nominal scale (see ald_view_set_scale), 1e-6 to 1e15.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 *   - ALD_STATUS_PROJECTION_FAILED if the map has a spatial reference and the location cannot be projected to it.
 */
ALD_API ald_status ald_map_set_initial_location(ald_map map, double latitude_deg, double longitude_deg, double scale,
                                                ald_error *error);

/**
 * Sets the reference scale of a map. Symbols that grow and shrink with the map have their given size at this scale. See
 * ALD_GRAPHICS_OVERLAY_SCALE_SYMBOLS.
 *
 * @param reference_scale The denominator of the nominal scale, 1e-6 to 1e15. 0 means that the map has no reference
 *     scale.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if reference_scale is not finite or out of range.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 */
ALD_API ald_status ald_map_set_reference_scale(ald_map map, double reference_scale, ald_error *error);

/**
 * Gets the reference scale of a map.
 *
 * @param out_reference_scale Receives the denominator, or 0 if the map has no reference scale.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_reference_scale is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 */
ALD_API ald_status ald_map_get_reference_scale(ald_map map, double *out_reference_scale, ald_error *error);

/* Layers */

/**
 * Adds a layer on top of the operational layers of a map.
 *
 * @param layer The layer. The map keeps it.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the two belong to different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if map or layer is not valid.
 *   - ALD_STATUS_INVALID_STATE if the layer is already in a map or a group.
 */
ALD_API ald_status ald_map_add_layer(ald_map map, ald_layer layer, ald_error *error);

/**
 * Inserts a layer into the operational layers of a map.
 *
 * @param layer The layer. The map keeps it.
 * @param index The new index of the layer: 0 is the lowest layer in drawing order. At most the number of operational
 *     layers.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the two belong to different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if map or layer is not valid.
 *   - ALD_STATUS_NOT_FOUND if index is above the number of operational layers.
 *   - ALD_STATUS_INVALID_STATE if the layer is already in a map or a group.
 */
ALD_API ald_status ald_map_insert_layer(ald_map map, ald_layer layer, uint32_t index, ald_error *error);

/**
 * Moves a layer to another position in its list: an operational layer among the operational layers, a basemap layer
 * among the basemap layers. To move a layer inside a group, call ald_group_layer_move_layer.
 *
 * @param index The new index of the layer: 0 is the lowest layer in drawing order.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the two belong to different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if map or layer is not valid.
 *   - ALD_STATUS_NOT_FOUND if the layer is not in this map, is inside a group, or index is out of range.
 */
ALD_API ald_status ald_map_move_layer(ald_map map, ald_layer layer, uint32_t index, ald_error *error);

/**
 * Removes a layer from a map, whether it is an operational layer or a basemap layer. The map's spatial reference does
 * not change.
 *
 * @param layer The layer. To remove a layer from a group, call ald_group_layer_remove_layer.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the two belong to different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if map or layer is not valid.
 *   - ALD_STATUS_NOT_FOUND if the layer is not in this map, or is inside a group.
 */
ALD_API ald_status ald_map_remove_layer(ald_map map, ald_layer layer, ald_error *error);

/**
 * Gets the number of operational layers of a map.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 */
ALD_API ald_status ald_map_get_layer_count(ald_map map, uint32_t *out_count, ald_error *error);

/**
 * Gets an operational layer of a map.
 *
 * @param index The index of the layer: 0 is the lowest layer in drawing order.
 * @param out_layer Receives the layer. The handle is borrowed: valid while the layer is in the map. Set to null on
 *     failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_layer is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no layer with that index.
 */
ALD_API ald_status ald_map_get_layer_at(ald_map map, uint32_t index, ald_layer *out_layer, ald_error *error);

/**
 * Adds a layer on top of the basemap layers of a map. ald_map_remove_layer removes it.
 *
 * @param layer The layer. The map keeps it.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the two belong to different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if map or layer is not valid.
 *   - ALD_STATUS_INVALID_STATE if the layer is already in a map or a group.
 */
ALD_API ald_status ald_map_add_basemap_layer(ald_map map, ald_layer layer, ald_error *error);

/**
 * Inserts a layer into the basemap layers of a map.
 *
 * @param layer The layer. The map keeps it.
 * @param index The new index of the layer: 0 is the lowest layer in drawing order. At most the number of basemap
 *     layers.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the two belong to different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if map or layer is not valid.
 *   - ALD_STATUS_NOT_FOUND if index is above the number of basemap layers.
 *   - ALD_STATUS_INVALID_STATE if the layer is already in a map or a group.
 */
ALD_API ald_status ald_map_insert_basemap_layer(ald_map map, ald_layer layer, uint32_t index, ald_error *error);

/**
 * Gets the number of basemap layers of a map.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 */
ALD_API ald_status ald_map_get_basemap_layer_count(ald_map map, uint32_t *out_count, ald_error *error);

/**
 * Gets a basemap layer of a map.
 *
 * @param index The index of the layer: 0 is the lowest layer in drawing order.
 * @param out_layer Receives the layer. The handle is borrowed: valid while the layer is in the map. Set to null on
 *     failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_layer is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no layer with that index.
 */
ALD_API ald_status ald_map_get_basemap_layer_at(ald_map map, uint32_t index, ald_layer *out_layer, ald_error *error);

/*
 * Loading
 *
 * A map is loaded when it has a spatial reference and all of its layers have ended loading. The map does not fail if a
 * layer fails. A loaded map stays loaded when layers are added. request.h describes loading.
 */

/**
 * Loads a map and waits until loading ends. Starts loading all of its layers, including layers that are added
 * meanwhile. A failed map is not loaded again: the call returns the old error.
 *
 * @return ALD_STATUS_OK if the map is loaded. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid, or the runtime is released during the call.
 *   - ALD_STATUS_NOT_READY if the map has no spatial reference at the end of the load.
 *   - ALD_STATUS_CANCELLED if the load is cancelled.
 */
ALD_API ald_status ald_map_load(ald_map map, ald_error *error);

/**
 * Starts loading a map if that has not happened yet, and creates a request that ends when loading ends. Each request
 * reports the end once, as its options choose; there is nothing to take from it. Cancelling or releasing the request
 * ends only this wait; loading continues.
 *
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request, of the kind ALD_REQUEST_KIND_LOAD; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or an option is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 */
ALD_API ald_status ald_map_load_async(ald_map map, const ald_request_options *request_options, ald_request *out_request,
                                      ald_error *error);

/**
 * Loads a map like ald_map_load, but loads it again if loading has failed. Each layer that has failed or is in trouble
 * is loaded again, even if the map itself is loaded.
 *
 * @return ALD_STATUS_OK if the map is loaded. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid, or the runtime is released during the call.
 *   - ALD_STATUS_NOT_READY if the map has no spatial reference at the end of the load.
 *   - ALD_STATUS_CANCELLED if the load is cancelled.
 */
ALD_API ald_status ald_map_retry_load(ald_map map, ald_error *error);

/**
 * Does the same as ald_map_retry_load without waiting. See ald_map_load_async.
 *
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or an option is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 */
ALD_API ald_status ald_map_retry_load_async(ald_map map, const ald_request_options *request_options,
                                            ald_request *out_request, ald_error *error);

/**
 * Cancels the loading of a map. When this function returns, loading has failed with ALD_STATUS_CANCELLED, and all
 * waiting callers are notified. Loading of the map's layers continues. If the map is not being loaded, nothing changes,
 * and the call succeeds.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 */
ALD_API ald_status ald_map_cancel_load(ald_map map, ald_error *error);

/**
 * Gets the current state of loading a map. Never waits.
 *
 * @param out_info Receives the state. Initialise it with ALD_LOAD_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 */
ALD_API ald_status ald_map_get_load_info(ald_map map, ald_load_info *out_info, ald_error *error);

/* Texts and properties of the host */

/**
 * Sets a text of a map.
 *
 * @param kind The text to set.
 * @param text UTF-8, copied. NULL or "" removes the text.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if kind is not valid or text is not UTF-8.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 */
ALD_API ald_status ald_map_set_text(ald_map map, ald_map_text_kind kind, const char *text, ald_error *error);

/**
 * Gets a text of a map. The text is "" if none is set.
 *
 * @param kind The text to read.
 * @param buffer Receives the text with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if kind is not valid, buffer is NULL and capacity_bytes is not 0, or both buffer and
 *     out_size_bytes are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_map_get_text(ald_map map, ald_map_text_kind kind, char *buffer, size_t capacity_bytes,
                                    size_t *out_size_bytes, ald_error *error);

/**
 * Sets a property of a map. Properties belong to the host: the library only stores them, at most 10,000 per map.
 *
 * @param key The name of the property: UTF-8, not empty. Copied.
 * @param text The value: UTF-8, copied. NULL removes the property, if there is one.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if key is NULL or empty, or a text is not UTF-8.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the map has 10,000 properties.
 */
ALD_API ald_status ald_map_set_property(ald_map map, const char *key, const char *text, ald_error *error);

/**
 * Gets a property of a map.
 *
 * @param key The name of the property.
 * @param buffer Receives the value with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if key is NULL or not UTF-8, buffer is NULL and capacity_bytes is not 0, or both
 *     buffer and out_size_bytes are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no property with that name.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_map_get_property(ald_map map, const char *key, char *buffer, size_t capacity_bytes,
                                        size_t *out_size_bytes, ald_error *error);

/**
 * Gets the number of properties of a map.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 */
ALD_API ald_status ald_map_get_property_count(ald_map map, uint32_t *out_count, ald_error *error);

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
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no property with that index.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_map_get_property_key_at(ald_map map, uint32_t index, char *buffer, size_t capacity_bytes,
                                               size_t *out_size_bytes, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Maps: layers in an order, in one spatial reference.
 */
#ifndef ALIDADE_MAP_H
#define ALIDADE_MAP_H

#include "base.h"
#include "layer.h"
#include "runtime.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A map. Several views may look at one map. */
typedef struct ald_map {
  uint64_t id;
} ald_map;

/**
 * Makes an empty map.
 *
 * @param spatial_reference The map's spatial reference, fixed for ever; null: that of the lowest layer that loads and
 * has one, as soon as all layers below it have ended loading. See alidade/map_loading.h.
 * @param out_map Receives the map; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_map is NULL or the spatial
 *   reference is of another runtime.
 */
ALD_API ald_status ald_map_create(ald_runtime runtime, ald_spatial_reference spatial_reference, ald_map *out_map,
                                  ald_error *error);

/** Releases a map. Views that look at it keep it. */
ALD_API void ald_map_release(ald_map map);

/**
 * The map's spatial reference, lent.
 *
 * @param out_spatial_reference Receives the spatial reference. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_spatial_reference is NULL;
 *   ALD_STATUS_NOT_READY if none was given, and none was found by loading layers yet.
 */
ALD_API ald_status ald_map_spatial_reference(ald_map map, ald_spatial_reference *out_spatial_reference,
                                             ald_error *error);

/**
 * Puts a layer on top of the map's operational layers.
 *
 * @param layer The layer; the map keeps it.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the two are of different runtimes;
 *   ALD_STATUS_INVALID_STATE if the layer is in a map or a group already.
 */
ALD_API ald_status ald_map_add_layer(ald_map map, ald_layer layer, ald_error *error);

/**
 * Takes a layer out of the map, be it an operational one or of the basemap. The map's spatial reference stays.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the two are of different runtimes;
 *   ALD_STATUS_NOT_FOUND if the layer is not in this map, or in a group: then ald_group_layer_remove takes it out.
 */
ALD_API ald_status ald_map_remove_layer(ald_map map, ald_layer layer, ald_error *error);

/**
 * How many operational layers the map has.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 */
ALD_API ald_status ald_map_layer_count(ald_map map, uint32_t *out_count, ald_error *error);

/**
 * An operational layer of the map, lent.
 *
 * @param index From 0, the lowest in drawing order.
 * @param out_layer Receives the layer. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_layer is NULL;
 *   ALD_STATUS_NOT_FOUND if there is no such layer.
 */
ALD_API ald_status ald_map_layer_at(ald_map map, uint32_t index, ald_layer *out_layer, ald_error *error);

/**
 * Sets where views of this map look at first: a view without a centre takes it when it is first asked for its state, or
 * for anything that follows from it. Views that have a centre keep theirs.
 *
 * @param latitude_deg WGS 84 latitude of the centre, -90 to 90.
 * @param longitude_deg WGS 84 longitude of the centre, -360 to 360.
 * @param scale The denominator of the nominal scale (see ald_view_set_scale), 1e-6 to 1e15.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 *   range; ALD_STATUS_PROJECTION_FAILED if the map has a spatial reference and the place is not in it.
 */
ALD_API ald_status ald_map_set_initial_viewpoint(ald_map map, double latitude_deg, double longitude_deg, double scale,
                                                 ald_error *error);

/**
 * Sets the scale at which symbols that follow it have the size that they say; see ALD_GRAPHICS_OVERLAY_SCALE_SYMBOLS.
 *
 * @param reference_scale The denominator of the nominal scale, 1e-6 to 1e15; 0: the map has none.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the number is not finite or out of
 *   its range.
 */
ALD_API ald_status ald_map_set_reference_scale(ald_map map, double reference_scale, ald_error *error);

/**
 * The map's reference scale.
 *
 * @param out_reference_scale Receives its denominator; 0: the map has none.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_reference_scale is NULL.
 */
ALD_API ald_status ald_map_reference_scale(ald_map map, double *out_reference_scale, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

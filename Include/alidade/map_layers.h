/**
 * @file
 * The layers of a map: those of its basemap, which are drawn first, and the operational layers above them.
 * alidade/map.h has ald_map_add_layer, ald_map_remove_layer, ald_map_layer_count and ald_map_layer_at.
 */
#ifndef ALIDADE_MAP_LAYERS_H
#define ALIDADE_MAP_LAYERS_H

#include "base.h"
#include "layer.h"
#include "map.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Puts a layer among a map's operational layers.
 *
 * @param layer The layer; the map keeps it.
 * @param index Its number from 0, the lowest in drawing order; at most the number of operational layers.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the two are of different runtimes;
 *   ALD_STATUS_NOT_FOUND if index is above the number of layers; ALD_STATUS_INVALID_STATE if the layer is in a map or a
 *   group already.
 */
ALD_API ald_status ald_map_insert_layer(ald_map map, ald_layer layer, uint32_t index, ald_error *error);

/**
 * Moves a layer to another place: among the operational layers if it is one of them, among those of the basemap if it
 * is there. A layer that is in a group is moved by ald_group_layer_move.
 *
 * @param index Its number afterwards.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the two are of different runtimes;
 *   ALD_STATUS_NOT_FOUND if the layer is not in this map, or in a group, or there is no such place.
 */
ALD_API ald_status ald_map_move_layer(ald_map map, ald_layer layer, uint32_t index, ald_error *error);

/**
 * Puts a layer on top of a map's basemap. ald_map_remove_layer takes it out again.
 *
 * @param layer The layer; the map keeps it.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the two are of different runtimes;
 *   ALD_STATUS_INVALID_STATE if the layer is in a map or a group already.
 */
ALD_API ald_status ald_map_add_basemap_layer(ald_map map, ald_layer layer, ald_error *error);

/**
 * Puts a layer among those of a map's basemap.
 *
 * @param layer The layer; the map keeps it.
 * @param index Its number from 0, the lowest in drawing order; at most the number of layers of the basemap.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the two are of different runtimes;
 *   ALD_STATUS_NOT_FOUND if index is above the number of layers; ALD_STATUS_INVALID_STATE if the layer is in a map or a
 *   group already.
 */
ALD_API ald_status ald_map_insert_basemap_layer(ald_map map, ald_layer layer, uint32_t index, ald_error *error);

/**
 * How many layers the map's basemap has.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 */
ALD_API ald_status ald_map_basemap_layer_count(ald_map map, uint32_t *out_count, ald_error *error);

/**
 * A layer of the map's basemap, lent.
 *
 * @param index From 0, the lowest in drawing order.
 * @param out_layer Receives the layer. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_layer is NULL;
 *   ALD_STATUS_NOT_FOUND if there is no such layer.
 */
ALD_API ald_status ald_map_basemap_layer_at(ald_map map, uint32_t index, ald_layer *out_layer, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

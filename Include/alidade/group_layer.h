/**
 * @file
 * Group layers: layers of layers, nested as deep as 64 groups. What a group says of visibility, opacity and scales
 * counts for all in it.
 *
 * A layer is in one map or in one group at a time.
 *
 * A group loads as long as a layer in it does. ald_layer_load loads all in it and waits for them, and succeeds whatever
 * becomes of them: what could not be loaded says so itself. ald_layer_retry_load tries that again. What comes into a
 * group that is being loaded is loaded, too; what leaves it is not waited for. ald_layer_cancel_load cancels the loads
 * of the layers in it that are under way: they have failed, and the group has not, but whoever waits for the group is
 * told ALD_STATUS_CANCELLED.
 */
#ifndef ALIDADE_GROUP_LAYER_H
#define ALIDADE_GROUP_LAYER_H

#include "base.h"
#include "layer.h"
#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes an empty group.
 *
 * @param out_layer Receives the group; the host owns it, and releases it with ald_layer_release. Set to null on
 * failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_layer is NULL.
 */
ALD_API ald_status ald_group_layer_create(ald_runtime runtime, ald_layer *out_layer, ald_error *error);

/**
 * Puts a layer on top of those in a group.
 *
 * @param group The group.
 * @param layer The layer, or another group; the group keeps it.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the first layer is no group, the two
 *   are of different runtimes, or a group would be inside itself; ALD_STATUS_INVALID_STATE if the layer is in a map or
 * a group already; ALD_STATUS_LIMIT_EXCEEDED if more than 64 groups would be inside each other.
 */
ALD_API ald_status ald_group_layer_add(ald_layer group, ald_layer layer, ald_error *error);

/**
 * Puts a layer among those in a group.
 *
 * @param group The group.
 * @param layer The layer, or another group; the group keeps it.
 * @param index Its number from 0, the lowest in drawing order; at most the number of layers in the group.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the first layer is no group, the two
 *   are of different runtimes, or a group would be inside itself; ALD_STATUS_NOT_FOUND if index is above the number of
 *   layers; ALD_STATUS_INVALID_STATE if the layer is in a map or a group already; ALD_STATUS_LIMIT_EXCEEDED if more
 * than 64 groups would be inside each other.
 */
ALD_API ald_status ald_group_layer_insert(ald_layer group, ald_layer layer, uint32_t index, ald_error *error);

/**
 * Moves a layer to another place in its group.
 *
 * @param group The group.
 * @param index Its number afterwards.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the first layer is no group, or the
 *   two are of different runtimes; ALD_STATUS_NOT_FOUND if the layer is not in this group, or there is no such place.
 */
ALD_API ald_status ald_group_layer_move(ald_layer group, ald_layer layer, uint32_t index, ald_error *error);

/**
 * Takes a layer out of a group.
 *
 * @param group The group.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the first layer is no group, or the
 *   two are of different runtimes; ALD_STATUS_NOT_FOUND if the layer is not in this group.
 */
ALD_API ald_status ald_group_layer_remove(ald_layer group, ald_layer layer, ald_error *error);

/**
 * How many layers are in a group; those inside inner groups do not count.
 *
 * @param group The group.
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the layer is no group or out_count
 * is NULL.
 */
ALD_API ald_status ald_group_layer_count(ald_layer group, uint32_t *out_count, ald_error *error);

/**
 * A layer of a group, lent.
 *
 * @param group The group.
 * @param index From 0, the lowest in drawing order.
 * @param out_layer Receives the layer. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the layer is no group or out_layer
 * is NULL; ALD_STATUS_NOT_FOUND if there is no such layer.
 */
ALD_API ald_status ald_group_layer_at(ald_layer group, uint32_t index, ald_layer *out_layer, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

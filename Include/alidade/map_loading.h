/**
 * @file
 * Maps that are loaded; see alidade/loading.h.
 *
 * A map is loaded when it has a spatial reference and all of its layers have ended loading. A layer that fails does not
 * fail the map. A map that is loaded stays so when layers are added.
 *
 * The spatial reference of a map is the one that it was made with, else that of its lowest layer that is loaded and has
 * one, as soon as all layers below that have ended loading. It is fixed then.
 */
#ifndef ALIDADE_MAP_LOADING_H
#define ALIDADE_MAP_LOADING_H

#include "base.h"
#include "loading.h"
#include "map.h"
#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Loads a map: begins to load its layers, those too that are added meanwhile, and waits for the end. What has failed is
 * not tried again: the old error comes back.
 *
 * @return ALD_STATUS_OK if it is loaded; ALD_STATUS_INVALID_HANDLE, also if the runtime is released meanwhile;
 *   ALD_STATUS_CANCELLED; ALD_STATUS_NOT_READY if the map has no spatial reference in the end.
 */
ALD_API ald_status ald_map_load(ald_map map, ald_error *error);

/**
 * Begins to load a map if that has not been done, and gives a request that ends when it has been loaded. Each request
 * is told once, in whichever way it asks for; there is nothing to take from it. Cancelling or releasing it ends this
 * wait alone and not the load.
 *
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request, of the kind ALD_REQUEST_LOAD; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or an option is
 *   not valid.
 */
ALD_API ald_status ald_map_load_async(ald_map map, const ald_request_options *request_options, ald_request *out_request,
                                      ald_error *error);

/**
 * Loads a map, and tries again if it has failed. Each of its layers that has failed or has trouble is tried again, too,
 * also if the map itself is loaded.
 *
 * @return ALD_STATUS_OK if it is loaded; ALD_STATUS_INVALID_HANDLE, also if the runtime is released meanwhile;
 *   ALD_STATUS_CANCELLED; ALD_STATUS_NOT_READY if the map has no spatial reference in the end.
 */
ALD_API ald_status ald_map_retry_load(ald_map map, ald_error *error);

/**
 * ald_map_retry_load without waiting; see ald_map_load_async.
 *
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or an option is
 *   not valid.
 */
ALD_API ald_status ald_map_retry_load_async(ald_map map, const ald_request_options *request_options,
                                            ald_request *out_request, ald_error *error);

/**
 * Cancels the loading of a map: it has failed with ALD_STATUS_CANCELLED when this returns, and whoever waits is told.
 * Its layers go on. What is not being loaded stays as it is, and that is no error.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE.
 */
ALD_API ald_status ald_map_cancel_load(ald_map map, ald_error *error);

/**
 * How the loading of a map stands, as of now. Never waits.
 *
 * @param out_info Initialise it with ALD_LOAD_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_map_get_load_info(ald_map map, ald_load_info *out_info, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Rasters that are opened when they are loaded; see alidade/loading.h.
 *
 * A raster of ald_raster_open is loaded from the beginning. Of one that is not loaded the other functions answer
 * ALD_STATUS_NOT_READY.
 */
#ifndef ALIDADE_RASTER_LOADING_H
#define ALIDADE_RASTER_LOADING_H

#include "base.h"
#include "loading.h"
#include "raster.h"
#include "request.h"
#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a raster that is not loaded. Touches no file.
 *
 * @param path As for ald_raster_open.
 * @param options NULL for all defaults.
 * @param out_raster Receives the raster; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the runtime, or the option's spatial reference);
 *   ALD_STATUS_INVALID_ARGUMENT if path is NULL, empty or not UTF-8, out_raster is NULL or an option is not valid.
 */
ALD_API ald_status ald_raster_create(ald_runtime runtime, const char *path, const ald_raster_open_options *options,
                                     ald_raster *out_raster, ald_error *error);

/**
 * Loads a raster: begins if that has not been done, and waits for the end. What has failed is not tried again: the old
 * error comes back.
 *
 * @return ALD_STATUS_OK if it is loaded; ALD_STATUS_INVALID_HANDLE, also if the runtime is released meanwhile;
 *   ALD_STATUS_INVALID_ARGUMENT if the path is longer than 65,536 bytes; ALD_STATUS_CANCELLED; and what
 *   ald_raster_open answers for a file that cannot be opened: ALD_STATUS_NOT_FOUND,
 *   ALD_STATUS_READ_FAILED, ALD_STATUS_POLICY_REFUSED, ALD_STATUS_LIMIT_EXCEEDED, ALD_STATUS_UNSUPPORTED.
 */
ALD_API ald_status ald_raster_load(ald_raster raster, ald_error *error);

/**
 * Begins to load a raster if that has not been done, and gives a request that ends when it has been loaded. Each
 * request is told once, in whichever way it asks for; there is nothing to take from it. Cancelling or releasing it ends
 * this wait alone and not the load.
 *
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request, of the kind ALD_REQUEST_LOAD; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or an option is
 *   not valid.
 */
ALD_API ald_status ald_raster_load_async(ald_raster raster, const ald_request_options *request_options,
                                         ald_request *out_request, ald_error *error);

/**
 * Loads a raster, and tries again if it has failed. One that is loaded stays as it is, also if its files change.
 *
 * @return ALD_STATUS_OK if it is loaded; ALD_STATUS_INVALID_HANDLE, also if the runtime is released meanwhile;
 *   ALD_STATUS_INVALID_ARGUMENT if the path is longer than 65,536 bytes; ALD_STATUS_CANCELLED; and what
 *   ald_raster_open answers for a file that cannot be opened: ALD_STATUS_NOT_FOUND,
 *   ALD_STATUS_READ_FAILED, ALD_STATUS_POLICY_REFUSED, ALD_STATUS_LIMIT_EXCEEDED, ALD_STATUS_UNSUPPORTED.
 */
ALD_API ald_status ald_raster_retry_load(ald_raster raster, ald_error *error);

/**
 * ald_raster_retry_load without waiting; see ald_raster_load_async.
 *
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or an option is
 *   not valid.
 */
ALD_API ald_status ald_raster_retry_load_async(ald_raster raster, const ald_request_options *request_options,
                                               ald_request *out_request, ald_error *error);

/**
 * Cancels the loading of a raster: it has failed with ALD_STATUS_CANCELLED when this returns, and whoever waits is
 * told. What is not being loaded stays as it is, and that is no error.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE.
 */
ALD_API ald_status ald_raster_cancel_load(ald_raster raster, ald_error *error);

/**
 * How the loading of a raster stands, as of now. Never waits.
 *
 * @param out_info Initialise it with ALD_LOAD_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_raster_get_load_info(ald_raster raster, ald_load_info *out_info, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Layers that are loaded, and what may be wrong with a layer that is; see alidade/loading.h.
 *
 * A layer that is made of something open is loaded from the beginning. One that is not loaded can be put into a map;
 * whatever needs its data answers ALD_STATUS_NOT_READY.
 *
 * A layer that is loaded may have warnings: it can be used, but not for everything. And it may have trouble: its file
 * can not be read any more, because it was deleted, replaced or cut short. Trouble ends when a read succeeds, or with
 * ald_layer_retry_load, which opens the file again; ald_layer_get_load_info tells it.
 */
#ifndef ALIDADE_LAYER_LOADING_H
#define ALIDADE_LAYER_LOADING_H

#include "base.h"
#include "layer.h"
#include "loading.h"
#include "raster.h"
#include "request.h"
#include "runtime.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is wrong with a layer that can be used all the same. */
typedef int32_t ald_layer_warning_kind;
enum {
  /** The data has no spatial reference, or none that can be used: it is not placed until the host gives one. */
  ALD_LAYER_WARNING_NO_SPATIAL_REFERENCE = 1,
  /** Some features cannot be read. */
  ALD_LAYER_WARNING_UNREADABLE_FEATURES = 2,
  /** There is no index, so that searching takes longer. */
  ALD_LAYER_WARNING_NO_INDEX = 3,
  /** A request for a part of the data has failed, or the data has changed. */
  ALD_LAYER_WARNING_FAILED_REQUEST = 4
};

/**
 * Makes a layer that shows a raster file, not loaded. Touches no file.
 *
 * @param path As for ald_raster_open.
 * @param options NULL for all defaults.
 * @param out_layer Receives the layer; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the runtime, or the option's spatial reference);
 *   ALD_STATUS_INVALID_ARGUMENT if path is NULL, empty or not UTF-8, out_layer is NULL or an option is not valid.
 */
ALD_API ald_status ald_raster_layer_create_from_path(ald_runtime runtime, const char *path,
                                                     const ald_raster_open_options *options, ald_layer *out_layer,
                                                     ald_error *error);

/**
 * Loads a layer: begins if that has not been done, and waits for the end. What has failed is not tried again: the old
 * error comes back.
 *
 * @return ALD_STATUS_OK if it is loaded; ALD_STATUS_INVALID_HANDLE, also if the runtime is released meanwhile;
 *   ALD_STATUS_INVALID_ARGUMENT if the path is longer than 65,536 bytes; ALD_STATUS_CANCELLED; and why its data
 *   cannot be opened, as for ald_raster_open and ald_raster_layer_create:
 *   ALD_STATUS_NOT_FOUND, ALD_STATUS_READ_FAILED, ALD_STATUS_POLICY_REFUSED, ALD_STATUS_LIMIT_EXCEEDED,
 *   ALD_STATUS_UNSUPPORTED. Data without a spatial reference loads, with a warning.
 */
ALD_API ald_status ald_layer_load(ald_layer layer, ald_error *error);

/**
 * Begins to load a layer if that has not been done, and gives a request that ends when it has been loaded. Each request
 * is told once, in whichever way it asks for; there is nothing to take from it. Cancelling or releasing it ends this
 * wait alone and not the load.
 *
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request, of the kind ALD_REQUEST_LOAD; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or an option is
 *   not valid.
 */
ALD_API ald_status ald_layer_load_async(ald_layer layer, const ald_request_options *request_options,
                                        ald_request *out_request, ald_error *error);

/**
 * Loads a layer, and tries again if it has failed or has trouble. A layer that has trouble is not loaded until the new
 * attempt has succeeded.
 *
 * @return ALD_STATUS_OK if it is loaded; ALD_STATUS_INVALID_HANDLE, also if the runtime is released meanwhile;
 *   ALD_STATUS_INVALID_ARGUMENT if the path is longer than 65,536 bytes; ALD_STATUS_CANCELLED; and why its data
 *   cannot be opened, as for ald_raster_open and ald_raster_layer_create:
 *   ALD_STATUS_NOT_FOUND, ALD_STATUS_READ_FAILED, ALD_STATUS_POLICY_REFUSED, ALD_STATUS_LIMIT_EXCEEDED,
 *   ALD_STATUS_UNSUPPORTED. Data without a spatial reference loads, with a warning.
 */
ALD_API ald_status ald_layer_retry_load(ald_layer layer, ald_error *error);

/**
 * ald_layer_retry_load without waiting; see ald_layer_load_async.
 *
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or an option is
 *   not valid.
 */
ALD_API ald_status ald_layer_retry_load_async(ald_layer layer, const ald_request_options *request_options,
                                              ald_request *out_request, ald_error *error);

/**
 * Cancels the loading of a layer: it has failed with ALD_STATUS_CANCELLED when this returns, and whoever waits is told.
 * What is not being loaded stays as it is, and that is no error. Of a group, the layers in it that load have failed;
 * see alidade/group_layer.h.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE.
 */
ALD_API ald_status ald_layer_cancel_load(ald_layer layer, ald_error *error);

/**
 * How the loading of a layer stands, as of now. Never waits.
 *
 * @param out_info Initialise it with ALD_LOAD_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_layer_get_load_info(ald_layer layer, ald_load_info *out_info, ald_error *error);

/**
 * Has a spatial reference stand in for that of the layer's data, present or not, from now on: a layer whose data has
 * none is placed by it. A map's spatial reference stays.
 *
 * @param spatial_reference The spatial reference; null: the data's own again.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the two are of different runtimes,
 *   or the layer is a group.
 */
ALD_API ald_status ald_layer_set_spatial_reference(ald_layer layer, ald_spatial_reference spatial_reference,
                                                   ald_error *error);

/**
 * The spatial reference of a layer, lent: the one that was given, else that of its data.
 *
 * @param out_spatial_reference Receives the spatial reference. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_spatial_reference is NULL;
 *   ALD_STATUS_NOT_READY if there is none, or none yet.
 */
ALD_API ald_status ald_layer_spatial_reference(ald_layer layer, ald_spatial_reference *out_spatial_reference,
                                               ald_error *error);

/**
 * How many warnings a layer has; 0 unless it is loaded. A group's layers have their own.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 */
ALD_API ald_status ald_layer_warning_count(ald_layer layer, uint32_t *out_count, ald_error *error);

/**
 * A warning of a layer. There is one at most of each kind.
 *
 * @param index From 0, in the order of the kinds' numbers.
 * @param out_kind Receives the kind; may be NULL.
 * @param buffer Receives the text with its final NUL: what is wrong, and what helps. NULL with capacity 0 asks for the
 *   size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the text's size with the NUL; also written when the buffer is too small. May be NULL if
 *   buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if neither the text nor its size is
 * asked for, or buffer is NULL and capacity is not 0; ALD_STATUS_NOT_FOUND if there is no such warning;
 *   ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_layer_warning_at(ald_layer layer, uint32_t index, ald_layer_warning_kind *out_kind, char *buffer,
                                        size_t capacity, size_t *out_size, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

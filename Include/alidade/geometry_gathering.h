/**
 * @file
 * Geometries put together: as an array, or as the members of a collection.
 *
 * The result is in the spatial reference of the first one. Those in another one are projected to it, by what is best
 * for each vertex, and a receipt tells how. Either all have a spatial reference or none has; coordinates without one
 * are taken as they are.
 */
#ifndef ALIDADE_GEOMETRY_GATHERING_H
#define ALIDADE_GEOMETRY_GATHERING_H

#include "base.h"
#include "geometry.h"
#include "geometry_array.h"
#include "projection.h"
#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes an array of geometries. They are copied.
 *
 * @param geometries count geometries; one may be there several times.
 * @param count How many; 0 makes an empty array.
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @param out_receipt NULL, or receives the receipt over the vertices that were projected; the host owns it. Null if
 *   none was. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if geometries is NULL and count is not
 *   0, some have a spatial reference and others have none (the message names two), out_array is NULL, or objects are of
 *   different runtimes; ALD_STATUS_PROJECTION_FAILED if a vertex cannot be projected (the message names it);
 *   ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_array_create_from_geometries(ald_runtime runtime, const ald_geometry *geometries,
                                                             size_t count, ald_geometry_array *out_array,
                                                             ald_projection_receipt *out_receipt, ald_error *error);

/**
 * Makes a collection of geometries. They are copied.
 *
 * @param geometries count geometries; one may be there several times. Collections become collections inside this one.
 * @param count How many; 0 makes an empty collection.
 * @param out_geometry Receives the collection; the host owns it. Set to null on failure.
 * @param out_receipt NULL, or receives the receipt over the vertices that were projected; the host owns it. Null if
 *   none was. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if geometries is NULL and count is not
 *   0, some have a spatial reference and others have none (the message names two), collections would be nested more
 *   than 32 deep, out_geometry is NULL, or objects are of different runtimes; ALD_STATUS_PROJECTION_FAILED if a vertex
 *   cannot be projected (the message names it); ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_create_collection(ald_runtime runtime, const ald_geometry *geometries, size_t count,
                                                  ald_geometry *out_geometry, ald_projection_receipt *out_receipt,
                                                  ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

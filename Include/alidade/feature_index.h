/**
 * @file
 * Indexes of feature sources: what is where, without reading the file again. An index lies in memory, within the
 * policy's limit; without one, queries go on with what the format itself has.
 */
#ifndef ALIDADE_FEATURE_INDEX_H
#define ALIDADE_FEATURE_INDEX_H

#include "base.h"
#include "feature_source.h"
#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whether a source has an index. */
typedef int32_t ald_index_status;
enum {
  ALD_INDEX_NONE = 0,
  ALD_INDEX_BUILDING = 1,
  ALD_INDEX_READY = 2,
  /** It could not be built; ald_feature_source_build_index tries again. */
  ALD_INDEX_FAILED = 3
};

/** Facts about the index of a source. */
typedef struct ald_feature_index_info {
  uint32_t struct_size;
  ald_index_status index_status;
  /** How many features it holds: those that have a place. */
  uint64_t feature_count;
  /** The memory that it takes. */
  uint64_t byte_count;
  /** The box around all of them; NaN if there is none. */
  ald_envelope extent;
} ald_feature_index_info;

/** Initialises an ald_feature_index_info. */
#define ALD_FEATURE_INDEX_INFO_INIT                                                                                    \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_feature_index_info), 0, 0, 0, {                                                               \
      0.0, 0.0, 0.0, 0.0                                                                                               \
    }                                                                                                                  \
  }

/** A feature near a point. 16 bytes for ever. */
typedef struct ald_near_feature {
  int64_t feature_id;
  /** From the point to the nearest place of the feature, on the plane, in the unit of the source's coordinates. */
  double distance;
} ald_near_feature;

/**
 * Builds the index of a source, which reads all of its geometries once. If there is one already nothing is done. From
 * then on queries by envelope or geometry read what lies there, if that is a small part of all.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_UNSUPPORTED if the layer has no geometries;
 *   ALD_STATUS_READ_FAILED if the file cannot be read any more, or has changed; ALD_STATUS_LIMIT_EXCEEDED if the index
 *   would take more memory than the policy allows.
 */
ALD_API ald_status ald_feature_source_build_index(ald_feature_source feature_source, ald_error *error);

/**
 * Builds the index of a source without waiting for it; see alidade/request.h. The request makes nothing to take.
 *
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or an option is
 *   not valid.
 */
ALD_API ald_status ald_feature_source_build_index_async(ald_feature_source feature_source,
                                                        const ald_request_options *request_options,
                                                        ald_request *out_request, ald_error *error);

/**
 * Facts about the index of a source, as of now. Never waits.
 *
 * @param out_info Initialise it with ALD_FEATURE_INDEX_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_feature_source_get_index_info(ald_feature_source feature_source,
                                                     ald_feature_index_info *out_info, ald_error *error);

/**
 * The ids of the features whose boxes meet an envelope, in the file's order. Reads nothing of the file.
 *
 * @param envelope As in ald_feature_query, edges counted in.
 * @param spatial_reference What envelope is in; null: the source's.
 * @param out_feature_ids Receives the ids; NULL with a capacity of 0: only their number is asked for.
 * @param capacity How many ids out_feature_ids has room for.
 * @param out_count Receives how many there are; also written when the buffer is too small. NULL: not asked for.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the source, or the spatial reference); ALD_STATUS_INVALID_ARGUMENT
 *   if envelope is no box, nothing is asked for, capacity is not 0 without out_feature_ids, or the objects are of two
 *   runtimes; ALD_STATUS_NOT_READY if there is no index, or envelope would have to be projected and the source has no
 *   spatial reference; ALD_STATUS_PROJECTION_FAILED if it cannot be projected; ALD_STATUS_READ_FAILED if the file has
 *   changed, or the index could not be built for it; ALD_STATUS_LIMIT_EXCEEDED or ALD_STATUS_UNSUPPORTED if the index
 *   could not be built for that; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_feature_source_ids_in_envelope(ald_feature_source feature_source, ald_envelope envelope,
                                                      ald_spatial_reference spatial_reference, int64_t *out_feature_ids,
                                                      size_t capacity, size_t *out_count, ald_error *error);

/**
 * The features nearest to a point, the nearest first; of equally near ones the earlier in the file. Reads the features
 * that may be among them and no others. Where the world of the source repeats itself, the shorter way counts: from 179
 * degrees to -179 are two.
 *
 * @param point The point.
 * @param spatial_reference What point is in; null: the source's.
 * @param max_distance How far they may be away, in the unit of the source's coordinates, 0 or more, finite; 0: any
 * distance.
 * @param out_features Receives the features; it has room for max_count.
 * @param max_count How many features are wanted at most.
 * @param out_count Receives how many there are.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the source, or the spatial reference); ALD_STATUS_INVALID_ARGUMENT
 *   if point or max_distance is not valid, out_features or out_count is NULL, or the objects are of two runtimes;
 *   ALD_STATUS_NOT_READY if there is no index, or the point would have to be projected and the source has no spatial
 *   reference; ALD_STATUS_PROJECTION_FAILED if it cannot be projected; ALD_STATUS_READ_FAILED if the file cannot be
 * read any more, has changed, or the index could not be built for it; ALD_STATUS_LIMIT_EXCEEDED if max_count is more
 * than the policy allows; ALD_STATUS_UNSUPPORTED if the index could not be built for that.
 */
ALD_API ald_status ald_feature_source_nearest(ald_feature_source feature_source, ald_point point,
                                              ald_spatial_reference spatial_reference, double max_distance,
                                              ald_near_feature *out_features, size_t max_count, size_t *out_count,
                                              ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

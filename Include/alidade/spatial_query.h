/**
 * @file
 * Spatial queries: find the features of a layer, or the graphics of an overlay, that are related to a geometry, lie
 * within a distance of it, or are nearest to it; and find such pairs of features of two layers.
 *
 * A feature or a graphic is the first geometry of a relation, and the given geometry is the second: with
 * ALD_PREDICATE_WITHIN, features that lie in the geometry are found. Relations are computed in the plane as in
 * alidade/geometry_relation.h, distances as in ald_geometry_distance.
 *
 * For a layer, the plane is the plane of the layer's spatial reference: the geometry is projected to it, vertex by
 * vertex. If long edges must bend when they are projected, add vertices first with ald_geometry_create_densified. For
 * an overlay, whose graphics may have many spatial references, the plane is the plane of the geometry's spatial
 * reference, and the graphics are projected. A graphic that crosses the edge of the world there must be normalized
 * first with ald_geometry_create_normalized: its edges run the other way around the world otherwise. If the world of
 * the plane repeats itself, positions that are a whole number of worlds apart are the same: a relation holds if it
 * holds for at least one image of the geometry. ALD_PREDICATE_DISJOINT must hold for all images. On the ellipsoid
 * distances are the lengths of geodesics.
 *
 * Features without a geometry are not found. A feature is skipped if its geometry cannot be read, is not valid, cannot
 * be projected, or is a collection for which the relation is not defined. To distances, a line without length is a
 * point. The match set has the number of skipped features and the reason for the first one.
 *
 * A query searches the features that the layer's definition expression selects, whether the layer is visible or not.
 * Distances use the index of the layer's source. If the index is not ready, the call builds it.
 *
 * @code{.c}
 * ald_match_set matches;
 * ald_match_options options = ALD_MATCH_OPTIONS_INIT;
 * ald_match_columns columns = ALD_MATCH_COLUMNS_INIT;
 * options.kind = ALD_MATCH_KIND_WITHIN_DISTANCE;
 * options.max_distance = 2;
 * options.unit = ALD_UNIT_KILOMETRE;
 * options.measure_kind = ALD_MEASURE_KIND_GEODESIC;
 * ald_status status = ald_graphics_overlay_query(overlay, geometry, &options, &matches, error);
 * if (status == ALD_STATUS_OK)
 *   status = ald_match_set_get_columns(matches, &columns, error);
 * for (uint32_t i = 0; i < columns.match_count; i++)
 *   printf("%lld: %.3f km\n", (long long)columns.ids[i], columns.distances[i]);
 * ald_match_set_release(matches);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_SPATIAL_QUERY_H
#define ALIDADE_SPATIAL_QUERY_H

#include "base.h"
#include "geometry_relation.h"
#include "handles.h"
#include "measure.h"
#include "request.h"
#include "units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kind of condition that features must meet. */
typedef int32_t ald_match_kind;
enum ald_match_kind_values {
  /** A predicate. */
  ALD_MATCH_KIND_PREDICATE = 0,
  /** A pattern that the DE-9IM matrix matches. */
  ALD_MATCH_KIND_MATRIX_PATTERN = 1,
  /** A largest distance. */
  ALD_MATCH_KIND_WITHIN_DISTANCE = 2,
  /** The nearest features. */
  ALD_MATCH_KIND_NEAREST = 3
};

/** The condition that features must meet. A field that does not belong to the kind must be 0 or NULL. */
typedef struct ald_match_options {
  uint32_t struct_size;
  ald_match_kind kind;
  /** For ALD_MATCH_KIND_PREDICATE: the predicate; 0: ALD_PREDICATE_INTERSECTS. */
  ald_predicate predicate;
  /** For distances: whether they are measured in the plane or on the ellipsoid. */
  ald_measure_kind measure_kind;
  /**
   * For ALD_MATCH_KIND_MATRIX_PATTERN: nine characters. 0, 1, 2 and F match only themselves, T matches any dimension,
   * and * matches anything.
   */
  const char *matrix_pattern;
  /**
   * For distances: the largest distance, included but for rounding of the last digits; 0 or more, finite. With
   * ALD_MATCH_KIND_NEAREST, 0 means any distance.
   */
  double max_distance;
  /**
   * For distances: the unit of max_distance and of the results. ALD_UNIT_NONE means metres on the ellipsoid, and the
   * unit of the spatial reference in the plane.
   */
  ald_unit unit;
  /** For ALD_MATCH_KIND_NEAREST: the largest number of matches, for pairs per feature of a. 0 means 1, ALD_ALL all. */
  uint32_t max_count;
} ald_match_options;

/** Initialises an ald_match_options to features that share a point with the geometry. */
#define ALD_MATCH_OPTIONS_INIT                                                                                         \
  { (uint32_t)sizeof(ald_match_options), 0, 0, 0, NULL, 0.0, 0, 0 }

/** Facts about a match set. The string is valid while the handle lives. */
typedef struct ald_match_set_info {
  uint32_t struct_size;
  uint32_t match_count;
  /**
   * The number of features, graphics or pairs that were skipped, because they could not be compared. If a service did
   * not return all of its features, this counts as one more.
   */
  uint64_t skipped_count;
  /** Why the first of them was skipped; empty if none was skipped. */
  const char *first_reason;
} ald_match_set_info;

/** Initialises an ald_match_set_info. */
#define ALD_MATCH_SET_INFO_INIT                                                                                        \
  { (uint32_t)sizeof(ald_match_set_info), 0, 0, NULL }

/** All matches of a set. The arrays are valid while the set's handle lives. */
typedef struct ald_match_columns {
  uint32_t struct_size;
  uint32_t match_count;
  /** match_count ids of features or graphics. */
  const int64_t *ids;
  /** For pairs: match_count ids of features of the other layer. Otherwise NULL. */
  const int64_t *other_ids;
  /** For distances: match_count distances. Otherwise NULL. */
  const double *distances;
} ald_match_columns;

/** Initialises an ald_match_columns. */
#define ALD_MATCH_COLUMNS_INIT                                                                                         \
  { (uint32_t)sizeof(ald_match_columns), 0, NULL, NULL, NULL }

/**
 * Finds the features of a layer that are related to a geometry or near it.
 *
 * With a relation, the features are in the file's order; with a distance, the nearest is first. If features are equally
 * near, the earlier one in the file comes first. Nothing is found for an empty geometry.
 *
 * @param layer A feature layer.
 * @param geometry The geometry.
 * @param options NULL: the features that share a point with the geometry.
 * @param out_new_match_set Receives the matches; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not a feature layer, an option is not valid or does not belong to the
 *     kind, the unit does not fit, only one of the two has a spatial reference, the geometry is not valid in the plane,
 *     out_new_match_set is NULL, or layer and geometry are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if layer or geometry is not valid.
 *   - ALD_STATUS_NOT_READY if the layer is not loaded.
 *   - ALD_STATUS_UNSUPPORTED if the layer has no geometries, or the ellipsoid is requested and the spatial reference is
 *     local or its ellipsoid is flatter than 1/50.
 *   - ALD_STATUS_READ_FAILED if the file can no longer be read, or has changed.
 *   - ALD_STATUS_PROJECTION_FAILED if the geometry cannot be projected.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more matches than the policy allows, or finding them needs more memory or
 *     time.
 */
ALD_API ald_status ald_feature_layer_query(ald_layer layer, ald_geometry geometry, const ald_match_options *options,
                                           ald_match_set *out_new_match_set, ald_error *error);

/**
 * Finds features without waiting; see alidade/request.h. The arguments are checked at once. The query uses the layer's
 * source and definition expression at the moment of the call.
 *
 * @param layer A feature layer.
 * @param geometry The geometry.
 * @param options NULL: the features that share a point with the geometry.
 * @param request_options NULL for all defaults. A request with a replace_key replaces requests with the same key on the
 *     same layer.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not a feature layer, an option is not valid or does not belong to the
 *     kind, out_request is NULL, or layer and geometry are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if layer or geometry is not valid.
 *   - ALD_STATUS_NOT_READY if the layer is not loaded.
 */
ALD_API ald_status ald_feature_layer_query_async(ald_layer layer, ald_geometry geometry,
                                                 const ald_match_options *options,
                                                 const ald_request_options *request_options, ald_request *out_request,
                                                 ald_error *error);

/**
 * Finds the pairs of a feature of layer a and a feature of layer b that are related to each other or near each other,
 * on all cores. The features of a are the first geometries of relations.
 *
 * The pairs are in the order of a's file; the pairs of each feature of a are in the order of ald_feature_layer_query.
 * The features of b are projected to the spatial reference of a, vertex by vertex. All geometries of both layers are in
 * memory during the call. The sources keep the geometries that are not projected for the next join, if they take at
 * most 64 MB and an eighth of max_request_bytes of the policy.
 *
 * @param a A feature layer.
 * @param b A feature layer; it may be the same layer.
 * @param options NULL: pairs that share a point. With ALD_MATCH_KIND_NEAREST, the nearest for each feature of a.
 * @param out_new_match_set Receives the pairs; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a or b is not a feature layer, an option is not valid or does not belong to the
 *     kind, the unit does not fit, only one of the two has a spatial reference, out_new_match_set is NULL, or they are
 *     of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a or b is not valid.
 *   - ALD_STATUS_NOT_READY if a layer is not loaded.
 *   - ALD_STATUS_UNSUPPORTED if a layer has no geometries, or the ellipsoid is requested and the spatial reference is
 *     local or its ellipsoid is flatter than 1/50.
 *   - ALD_STATUS_READ_FAILED if a file can no longer be read, or has changed.
 *   - ALD_STATUS_PROJECTION_FAILED if PROJ has no operation between the two spatial references.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more features or pairs than the policy allows, or finding them needs more
 *     memory or time.
 */
ALD_API ald_status ald_feature_layer_query_pairs(ald_layer a, ald_layer b, const ald_match_options *options,
                                                 ald_match_set *out_new_match_set, ald_error *error);

/**
 * Finds pairs of features without waiting; see alidade/request.h. The arguments are checked at once. The query uses the
 * sources and definition expressions of the layers at the moment of the call.
 *
 * @param a A feature layer.
 * @param b A feature layer; it may be the same layer.
 * @param options NULL: pairs that share a point.
 * @param request_options NULL for all defaults. A request with a replace_key replaces requests with the same key on the
 *     same layer.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a or b is not a feature layer, an option is not valid or does not belong to the
 *     kind, out_request is NULL, or they are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a or b is not valid.
 *   - ALD_STATUS_NOT_READY if a layer is not loaded.
 */
ALD_API ald_status ald_feature_layer_query_pairs_async(ald_layer a, ald_layer b, const ald_match_options *options,
                                                       const ald_request_options *request_options,
                                                       ald_request *out_request, ald_error *error);

/**
 * Finds the graphics of an overlay that are related to a geometry or near it, whether they are visible or not.
 *
 * With a relation, the graphics are in the order in which they were added; with a distance, the nearest is first. If
 * graphics are equally near, the graphic that was added first comes first. Nothing is found for an empty geometry.
 *
 * @param overlay The overlay. It need not be in a view.
 * @param geometry The geometry.
 * @param options NULL: the graphics that share a point with the geometry.
 * @param out_new_match_set Receives the matches; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is not valid or does not belong to the kind, the unit does not fit, the
 *     geometry is not valid in the plane, out_new_match_set is NULL, the ellipsoid or a unit is requested and the
 *     geometry has no spatial reference, or the two are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if overlay or geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the ellipsoid is requested and the spatial reference is local or its ellipsoid is
 *     flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if a vertex of the geometry is not a point on the ellipsoid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_graphics_overlay_query(ald_graphics_overlay overlay, ald_geometry geometry,
                                              const ald_match_options *options, ald_match_set *out_new_match_set,
                                              ald_error *error);

/**
 * Finds graphics without waiting; see alidade/request.h. The arguments are checked at once. The query uses the graphics
 * at the moment of the call.
 *
 * @param overlay The overlay. It need not be in a view.
 * @param geometry The geometry.
 * @param options NULL: the graphics that share a point with the geometry.
 * @param request_options NULL for all defaults. A request with a replace_key replaces requests with the same key on the
 *     same overlay.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is not valid or does not belong to the kind, out_request is NULL, or the
 *     two are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if overlay or geometry is not valid.
 */
ALD_API ald_status ald_graphics_overlay_query_async(ald_graphics_overlay overlay, ald_geometry geometry,
                                                    const ald_match_options *options,
                                                    const ald_request_options *request_options,
                                                    ald_request *out_request, ald_error *error);

/**
 * Takes the matches that a request has found. The matches can be taken once.
 *
 * @param out_match_set Receives the matches; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_match_set is NULL or the request does not find matches, or as in the function
 *     without `_async`.
 *   - ALD_STATUS_INVALID_HANDLE if request is not valid.
 *   - ALD_STATUS_NOT_READY while the request is pending.
 *   - ALD_STATUS_UNSUPPORTED as in the function without `_async`.
 *   - ALD_STATUS_READ_FAILED as in the function without `_async`.
 *   - ALD_STATUS_PROJECTION_FAILED as in the function without `_async`.
 *   - ALD_STATUS_LIMIT_EXCEEDED as in the function without `_async`.
 *   - ALD_STATUS_INVALID_STATE if the matches were already taken.
 *   - ALD_STATUS_CANCELLED if the request was cancelled.
 */
ALD_API ald_status ald_request_take_match_set(ald_request request, ald_match_set *out_match_set, ald_error *error);

/** Releases a set. */
ALD_API void ald_match_set_release(ald_match_set match_set);

/**
 * Gets facts about a set.
 *
 * @param out_info Receives the facts. Initialise it with ALD_MATCH_SET_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if match_set is not valid.
 */
ALD_API ald_status ald_match_set_get_info(ald_match_set match_set, ald_match_set_info *out_info, ald_error *error);

/**
 * Gets all matches of a set, without a copy.
 *
 * @param out_columns Receives the columns. Initialise it with ALD_MATCH_COLUMNS_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_columns is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if match_set is not valid.
 */
ALD_API ald_status ald_match_set_get_columns(ald_match_set match_set, ald_match_columns *out_columns, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

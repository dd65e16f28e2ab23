/**
 * @file
 * Relations of geometries: DE-9IM matrices, the predicates that OGC defines with them, and prepared geometries, which
 * test many other geometries quickly.
 *
 * Relations are computed in the plane of the coordinates: edges are straight there, and z and m are ignored. A second
 * geometry in another spatial reference is projected to the spatial reference of the first, and a receipt reports how.
 * Either both geometries have a spatial reference or neither has one. All geometries must be valid, as
 * ald_geometry_get_validity defines it, and their coordinates must not be beyond 1e100: results for other geometries
 * could be wrong.
 *
 * Polylines and polygons are related without rounding if their coordinates are 0 or between 1e-100 and 1e100 in size: a
 * vertex lies on a line only if it lies there exactly. If the result depends on a coordinate whose size is above 0 and
 * below 1e-100, the call returns ALD_STATUS_INVALID_ARGUMENT, and the message names the vertex. GEOS relates points. If
 * a vertex lies on an edge, GEOS also computes what a prepared polygon contains and covers.
 *
 * For a collection only ALD_PREDICATE_INTERSECTS, ALD_PREDICATE_DISJOINT and distances are defined. They test member by
 * member. Every other relation of a collection that is not empty returns ALD_STATUS_UNSUPPORTED.
 *
 * @code{.c}
 * ald_geometry point;
 * uint32_t is_inside = 0;
 * ald_status status = ald_geometry_create_from_wkt(runtime, "POINT (2 1)", spatial_reference, &point, error);
 * if (status == ALD_STATUS_OK)
 *   status = ald_geometry_test(geometry, point, ALD_PREDICATE_CONTAINS, &is_inside, NULL, error);
 * ald_geometry_release(point);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_GEOMETRY_RELATION_H
#define ALIDADE_GEOMETRY_RELATION_H

#include "base.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A relation of a first geometry to a second geometry, as OGC defines it. */
typedef int32_t ald_predicate;
enum ald_predicate_values {
  /** The two are the same set of points, whatever their vertices are. ald_geometry_equals compares vertices. */
  ALD_PREDICATE_EQUALS = 1,
  /** The two have no point in common. */
  ALD_PREDICATE_DISJOINT = 2,
  /** The two have a point in common. */
  ALD_PREDICATE_INTERSECTS = 3,
  /** The two have points in common, but their interiors do not. */
  ALD_PREDICATE_TOUCHES = 4,
  /** The interiors share points, but in fewer dimensions than one of the two has, and neither covers the other. */
  ALD_PREDICATE_CROSSES = 5,
  /** The first lies in the second, and their interiors share points. */
  ALD_PREDICATE_WITHIN = 6,
  /** The second lies in the first, and their interiors share points. A polygon does not contain its own boundary. */
  ALD_PREDICATE_CONTAINS = 7,
  /** The two and their intersection have the same dimension, and neither covers the other. */
  ALD_PREDICATE_OVERLAPS = 8,
  /** No point of the second lies outside the first. A polygon covers its own boundary. */
  ALD_PREDICATE_COVERS = 9,
  /** No point of the first lies outside the second. */
  ALD_PREDICATE_COVERED_BY = 10
};

/** The result of a test for a geometry of an array. */
typedef uint8_t ald_test_result;
enum ald_test_result_values {
  ALD_TEST_RESULT_NO = 0,
  ALD_TEST_RESULT_YES = 1,
  /** The geometry is not valid, or is beyond 1e100. Only with ALD_TEST_SKIP_INVALID. */
  ALD_TEST_RESULT_UNKNOWN = 2
};

/** How arrays are tested. */
typedef uint32_t ald_test_flags;
enum ald_test_flags_values {
  /** The result for a geometry that is not valid is ALD_TEST_RESULT_UNKNOWN. Without this bit the call fails. */
  ALD_TEST_SKIP_INVALID = 1
};

/**
 * Computes the DE-9IM matrix of two geometries.
 *
 * The matrix has nine characters. The rows are the interior, boundary and exterior of the first geometry, the columns
 * the interior, boundary and exterior of the second. Each character is the dimension of the points that the two share,
 * 0, 1 or 2, or F if they share none.
 *
 * @param out_matrix Receives the nine characters and a final NUL: ten bytes.
 * @param out_new_receipt NULL, or receives the receipt of projecting the second geometry; the host owns it. Null if it
 *     was not projected. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_matrix is NULL, a geometry is not valid (the message says why and where) or
 *     beyond 1e100, only one of the two has a spatial reference, or they are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a or b is not valid.
 *   - ALD_STATUS_UNSUPPORTED if one of the geometries is a collection that is not empty.
 *   - ALD_STATUS_PROJECTION_FAILED if the second geometry cannot be projected.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the projected geometry is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_relate(ald_geometry a, ald_geometry b, char *out_matrix,
                                       ald_projection_receipt *out_new_receipt, ald_error *error);

/**
 * Checks whether the DE-9IM matrix of two geometries matches a pattern.
 *
 * @param matrix_pattern Nine characters. 0, 1, 2 and F match only themselves, T matches any dimension, and * matches
 *     anything.
 * @param out_matches Receives 1 or 0.
 * @param out_new_receipt NULL, or receives the receipt of projecting the second geometry; the host owns it. Null if it
 *     was not projected. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the pattern is not valid, matrix_pattern or out_matches is NULL, a geometry is not
 *     valid (the message says why and where) or beyond 1e100, only one of the two has a spatial reference, or they are
 *     of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a or b is not valid.
 *   - ALD_STATUS_UNSUPPORTED if one of the geometries is a collection that is not empty.
 *   - ALD_STATUS_PROJECTION_FAILED if the second geometry cannot be projected.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the projected geometry is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_matches(ald_geometry a, ald_geometry b, const char *matrix_pattern,
                                        uint32_t *out_matches, ald_projection_receipt *out_new_receipt,
                                        ald_error *error);

/**
 * Tests whether a predicate holds between two geometries.
 *
 * @param predicate The predicate.
 * @param out_holds Receives 1 or 0.
 * @param out_new_receipt NULL, or receives the receipt of projecting the second geometry; the host owns it. Null if it
 *     was not projected. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if there is no such predicate, out_holds is NULL, a geometry is not valid (the
 *     message says why and where) or beyond 1e100, only one of the two has a spatial reference, or they are of
 *     different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a or b is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the predicate is not defined for a collection.
 *   - ALD_STATUS_PROJECTION_FAILED if the second geometry cannot be projected.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the projected geometry is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_test(ald_geometry a, ald_geometry b, ald_predicate predicate, uint32_t *out_holds,
                                     ald_projection_receipt *out_new_receipt, ald_error *error);

/*
 * Prepared geometries
 *
 * A prepared geometry is indexed once, for many tests. Any number of threads may use it at the same time.
 */

/**
 * Creates a prepared geometry. It keeps the geometry.
 *
 * @param out_prepared Receives the prepared geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the geometry is not valid (the message says why and where) or beyond 1e100, or
 *     out_prepared is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_prepared_geometry_create(ald_geometry geometry, ald_prepared_geometry *out_prepared,
                                                ald_error *error);

/** Releases a prepared geometry. */
ALD_API void ald_prepared_geometry_release(ald_prepared_geometry prepared_geometry);

/**
 * Tests whether a predicate holds between the prepared geometry and another geometry.
 *
 * @param predicate The predicate. The prepared geometry is the first geometry.
 * @param out_holds Receives 1 or 0.
 * @param out_new_receipt NULL, or receives the receipt of projecting the other geometry; the host owns it. Null if it
 *     was not projected. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if there is no such predicate, out_holds is NULL, the geometry is not valid (the
 *     message says why and where) or beyond 1e100, only one of the two has a spatial reference, or they are of
 *     different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if prepared_geometry or geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the predicate is not defined for a collection.
 *   - ALD_STATUS_PROJECTION_FAILED if the geometry cannot be projected.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the projected geometry is larger than the policy allows.
 */
ALD_API ald_status ald_prepared_geometry_test(ald_prepared_geometry prepared_geometry, ald_geometry geometry,
                                              ald_predicate predicate, uint32_t *out_holds,
                                              ald_projection_receipt *out_new_receipt, ald_error *error);

/**
 * Tests whether a predicate holds between the prepared geometry and each geometry of an array, on all cores.
 *
 * @param predicate The predicate. The prepared geometry is the first geometry.
 * @param flags How geometries that are not valid are handled. 0: the call fails.
 * @param out_results Receives an ald_test_result for each geometry.
 * @param result_capacity The number of results that fit into out_results.
 * @param out_new_receipt NULL, or receives the receipt of projecting the array; the host owns it. Null if it was not
 *     projected. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if there is no such predicate or flag, out_results is NULL, a geometry is not valid
 *     (the message says which, why and where) or beyond 1e100, only one of the two has a spatial reference, or they are
 *     of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if prepared_geometry or geometry_array is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the predicate is not defined for a collection.
 *   - ALD_STATUS_PROJECTION_FAILED if the array cannot be projected.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the projected array is larger than the policy allows.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the results do not fit. out_results is not changed.
 */
ALD_API ald_status ald_prepared_geometry_test_array(ald_prepared_geometry prepared_geometry,
                                                    ald_geometry_array geometry_array, ald_predicate predicate,
                                                    ald_test_flags flags, ald_test_result *out_results,
                                                    size_t result_capacity, ald_projection_receipt *out_new_receipt,
                                                    ald_error *error);

/**
 * Tests whether a geometry lies within a distance of the prepared geometry, in the plane. An empty geometry is never
 * within the distance.
 *
 * @param distance The distance in the unit of the prepared geometry's spatial reference; 0 to 1e100.
 * @param out_holds Receives 1 or 0.
 * @param out_new_receipt NULL, or receives the receipt of projecting the other geometry; the host owns it. Null if it
 *     was not projected. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the distance is out of its range, out_holds is NULL, the geometry is not valid
 *     (the message says why and where) or beyond 1e100, only one of the two has a spatial reference, or they are of
 *     different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if prepared_geometry or geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if coordinates are so near each other that the squares of their differences are 0.
 *   - ALD_STATUS_PROJECTION_FAILED if the geometry cannot be projected.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the projected geometry is larger than the policy allows.
 */
ALD_API ald_status ald_prepared_geometry_within_distance(ald_prepared_geometry prepared_geometry, ald_geometry geometry,
                                                         double distance, uint32_t *out_holds,
                                                         ald_projection_receipt *out_new_receipt, ald_error *error);

/**
 * Tests whether each geometry of an array lies within a distance of the prepared geometry, in the plane, on all cores.
 *
 * @param distance The distance in the unit of the prepared geometry's spatial reference; 0 to 1e100.
 * @param flags How geometries that are not valid are handled. 0: the call fails.
 * @param out_results Receives an ald_test_result for each geometry.
 * @param result_capacity The number of results that fit into out_results.
 * @param out_new_receipt NULL, or receives the receipt of projecting the array; the host owns it. Null if it was not
 *     projected. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the distance is out of its range, there is no such flag, out_results is NULL, a
 *     geometry is not valid (the message says which, why and where) or beyond 1e100, only one of the two has a spatial
 *     reference, or they are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if prepared_geometry or geometry_array is not valid.
 *   - ALD_STATUS_PROJECTION_FAILED if the array cannot be projected.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the projected array is larger than the policy allows.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the results do not fit. out_results is not changed.
 */
ALD_API ald_status ald_prepared_geometry_within_distance_array(
    ald_prepared_geometry prepared_geometry, ald_geometry_array geometry_array, double distance, ald_test_flags flags,
    ald_test_result *out_results, size_t result_capacity, ald_projection_receipt *out_new_receipt, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * How geometries lie to each other: DE-9IM matrices, the predicates that are named after them, and prepared geometries
 * that many others are held against.
 *
 * Everything is told of the plane of the coordinates: edges are straight there, and z and m are not looked at. A second
 * geometry in another spatial reference is projected to the first one's, and a receipt tells how; of two geometries
 * either both have a spatial reference or none has. All must be valid, as ald_geometry_get_validity has it, and their
 * coordinates not beyond 1e100: the answers for others would be wrong.
 *
 * Polylines and polygons are related without rounding, whatever their coordinates from 1e-100 to 1e100 in size: a
 * vertex lies on a line only if it lies there exactly. A coordinate below 1e-100 in size that is not 0 is
 * ALD_STATUS_INVALID_ARGUMENT: the message names the vertex. GEOS relates points, and tells what a prepared polygon
 * contains and covers.
 *
 * A collection takes part in ALD_PREDICATE_INTERSECTS, ALD_PREDICATE_DISJOINT and distances, member by member. For
 * everything else it is ALD_STATUS_UNSUPPORTED unless it is empty.
 */
#ifndef ALIDADE_GEOMETRY_RELATION_H
#define ALIDADE_GEOMETRY_RELATION_H

#include "base.h"
#include "geometry.h"
#include "geometry_array.h"
#include "projection.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A relation of a first geometry to a second one, as OGC defines it. */
typedef int32_t ald_predicate;
enum {
  /** They are the same set of points, whatever their vertices are; ald_geometry_equals compares those. */
  ALD_PREDICATE_EQUALS = 1,
  /** They have no point in common. */
  ALD_PREDICATE_DISJOINT = 2,
  /** They have a point in common. */
  ALD_PREDICATE_INTERSECTS = 3,
  /** They have points in common, but their interiors have none. */
  ALD_PREDICATE_TOUCHES = 4,
  /** Their interiors meet in something of fewer dimensions than the larger of them, and neither covers the other. */
  ALD_PREDICATE_CROSSES = 5,
  /** The first lies in the second, and their interiors meet. */
  ALD_PREDICATE_WITHIN = 6,
  /** The second lies in the first, and their interiors meet: a polygon does not contain its own boundary. */
  ALD_PREDICATE_CONTAINS = 7,
  /** Both have the same dimension, so has what they share, and neither covers the other. */
  ALD_PREDICATE_OVERLAPS = 8,
  /** No point of the second lies outside of the first: a polygon covers its own boundary. */
  ALD_PREDICATE_COVERS = 9,
  /** No point of the first lies outside of the second. */
  ALD_PREDICATE_COVERED_BY = 10
};

/**
 * The DE-9IM matrix of two geometries: nine characters, row by row interior, boundary and exterior of the first, column
 * by column those of the second. Each is the dimension of what the two share, 0, 1 or 2, or F if they share nothing.
 *
 * @param out_matrix Receives the nine characters and a final NUL: ten bytes.
 * @param out_receipt NULL, or receives how the second geometry was projected; the host owns it. Null if it was not. Set
 *   to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_matrix is NULL, a geometry is
 *   not valid (the message says why and where) or beyond 1e100, one of the two has no spatial reference, or they are of
 *   different runtimes; ALD_STATUS_UNSUPPORTED if one is a collection that is not empty; ALD_STATUS_PROJECTION_FAILED
 *   if the second cannot be projected; ALD_STATUS_LIMIT_EXCEEDED if it is larger then than the policy allows.
 */
ALD_API ald_status ald_geometry_relate(ald_geometry geometry, ald_geometry other_geometry, char *out_matrix,
                                       ald_projection_receipt *out_receipt, ald_error *error);

/**
 * Whether the DE-9IM matrix of two geometries matches a pattern.
 *
 * @param matrix_pattern Nine characters: 0, 1, 2, F, T for any dimension, or * for whatever there is.
 * @param out_matches Receives 1 or 0.
 * @param out_receipt NULL, or receives how the second geometry was projected; the host owns it. Null if it was not. Set
 *   to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the pattern is none, an argument is
 *   missing, a geometry is not valid (the message says why and where) or beyond 1e100, one of the two has no spatial
 *   reference, or they are of different runtimes; ALD_STATUS_UNSUPPORTED if one is a collection that is not empty;
 *   ALD_STATUS_PROJECTION_FAILED if the second cannot be projected; ALD_STATUS_LIMIT_EXCEEDED if it is larger then than
 *   the policy allows.
 */
ALD_API ald_status ald_geometry_matches(ald_geometry geometry, ald_geometry other_geometry, const char *matrix_pattern,
                                        uint32_t *out_matches, ald_projection_receipt *out_receipt, ald_error *error);

/**
 * Whether a predicate holds between two geometries.
 *
 * @param predicate Which one.
 * @param out_holds Receives 1 or 0.
 * @param out_receipt NULL, or receives how the second geometry was projected; the host owns it. Null if it was not. Set
 *   to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if there is no such predicate,
 *   out_holds is NULL, a geometry is not valid (the message says why and where) or beyond 1e100, one of the two has no
 *   spatial reference, or they are of different runtimes; ALD_STATUS_UNSUPPORTED if the predicate is not defined for a
 *   collection; ALD_STATUS_PROJECTION_FAILED if the second cannot be projected; ALD_STATUS_LIMIT_EXCEEDED if it is
 *   larger then than the policy allows.
 */
ALD_API ald_status ald_geometry_test(ald_geometry geometry, ald_geometry other_geometry, ald_predicate predicate,
                                     uint32_t *out_holds, ald_projection_receipt *out_receipt, ald_error *error);

/** A geometry that is indexed, so that many others can be held against it. */
typedef struct ald_prepared_geometry {
  uint64_t id;
} ald_prepared_geometry;

/** What is told of a geometry of an array. */
typedef uint8_t ald_answer;
enum {
  ALD_ANSWER_NO = 0,
  ALD_ANSWER_YES = 1,
  /** The geometry is not valid, or beyond 1e100. Only with ALD_TEST_SKIP_INVALID. */
  ALD_ANSWER_UNKNOWN = 2
};

/** How arrays are tested. */
typedef uint32_t ald_test_flags;
enum {
  /** A geometry that is not valid is ALD_ANSWER_UNKNOWN; else it fails the call. */
  ALD_TEST_SKIP_INVALID = 1
};

/**
 * Prepares a geometry.
 *
 * @param out_prepared Receives the prepared geometry; the host owns it. Set to null on failure. It keeps the geometry.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the geometry is not valid (the
 *   message says why and where) or beyond 1e100, or out_prepared is NULL; ALD_STATUS_LIMIT_EXCEEDED if it takes longer
 *   than the policy allows.
 */
ALD_API ald_status ald_prepared_geometry_create(ald_geometry geometry, ald_prepared_geometry *out_prepared,
                                                ald_error *error);

/** Releases a prepared geometry. */
ALD_API void ald_prepared_geometry_release(ald_prepared_geometry prepared_geometry);

/**
 * Whether a predicate holds between the prepared geometry and another one.
 *
 * @param predicate Which one; the prepared geometry is the first.
 * @param out_holds Receives 1 or 0.
 * @param out_receipt NULL, or receives how the other geometry was projected; the host owns it. Null if it was not. Set
 *   to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if there is no such predicate,
 *   out_holds is NULL, the geometry is not valid (the message says why and where) or beyond 1e100, one of the two has
 *   no spatial reference, or they are of different runtimes; ALD_STATUS_UNSUPPORTED if the predicate is not defined for
 *   a collection; ALD_STATUS_PROJECTION_FAILED if the geometry cannot be projected; ALD_STATUS_LIMIT_EXCEEDED if it is
 *   larger then than the policy allows.
 */
ALD_API ald_status ald_prepared_geometry_test(ald_prepared_geometry prepared_geometry, ald_geometry geometry,
                                              ald_predicate predicate, uint32_t *out_holds,
                                              ald_projection_receipt *out_receipt, ald_error *error);

/**
 * The same for each geometry of an array, on all cores.
 *
 * @param predicate Which one; the prepared geometry is the first.
 * @param test_flags What becomes of geometries that are not valid; 0: they fail the call.
 * @param out_answers Receives an answer for each geometry.
 * @param answer_capacity How many answers out_answers has room for.
 * @param out_receipt NULL, or receives how the array was projected; the host owns it. Null if it was not. Set to null
 *   on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if there is no such predicate or flag,
 *   out_answers is NULL, a geometry is not valid (the message says which, why and where) or beyond 1e100, one of the
 *   two has no spatial reference, or they are of different runtimes; ALD_STATUS_UNSUPPORTED if the predicate is not
 *   defined for a collection; ALD_STATUS_BUFFER_TOO_SMALL, and out_answers is left alone; ALD_STATUS_PROJECTION_FAILED
 *   if the array cannot be projected; ALD_STATUS_LIMIT_EXCEEDED if it is larger then than the policy allows.
 */
ALD_API ald_status ald_prepared_geometry_test_array(ald_prepared_geometry prepared_geometry,
                                                    ald_geometry_array geometry_array, ald_predicate predicate,
                                                    ald_test_flags test_flags, ald_answer *out_answers,
                                                    size_t answer_capacity, ald_projection_receipt *out_receipt,
                                                    ald_error *error);

/**
 * Whether a geometry lies no farther from the prepared one than a distance in the plane. An empty one is at no
 * distance.
 *
 * @param distance In the unit of the prepared geometry's spatial reference; 0 to 1e100.
 * @param out_holds Receives 1 or 0.
 * @param out_receipt NULL, or receives how the other geometry was projected; the host owns it. Null if it was not. Set
 *   to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the distance is out of its range,
 *   out_holds is NULL, the geometry is not valid (the message says why and where) or beyond 1e100, one of the two has
 *   no spatial reference, or they are of different runtimes; ALD_STATUS_PROJECTION_FAILED if the geometry cannot be
 *   projected; ALD_STATUS_LIMIT_EXCEEDED if it is larger then than the policy allows.
 */
ALD_API ald_status ald_prepared_geometry_within_distance(ald_prepared_geometry prepared_geometry, ald_geometry geometry,
                                                         double distance, uint32_t *out_holds,
                                                         ald_projection_receipt *out_receipt, ald_error *error);

/**
 * The same for each geometry of an array, on all cores.
 *
 * @param distance In the unit of the prepared geometry's spatial reference; 0 to 1e100.
 * @param test_flags What becomes of geometries that are not valid; 0: they fail the call.
 * @param out_answers Receives an answer for each geometry.
 * @param answer_capacity How many answers out_answers has room for.
 * @param out_receipt NULL, or receives how the array was projected; the host owns it. Null if it was not. Set to null
 *   on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the distance is out of its range,
 *   there is no such flag, out_answers is NULL, a geometry is not valid (the message says which, why and where) or
 *   beyond 1e100, one of the two has no spatial reference, or they are of different runtimes;
 *   ALD_STATUS_BUFFER_TOO_SMALL, and out_answers is left alone; ALD_STATUS_PROJECTION_FAILED if the array cannot be
 *   projected; ALD_STATUS_LIMIT_EXCEEDED if it is larger then than the policy allows.
 */
ALD_API ald_status ald_prepared_geometry_within_distance_array(ald_prepared_geometry prepared_geometry,
                                                               ald_geometry_array geometry_array, double distance,
                                                               ald_test_flags test_flags, ald_answer *out_answers,
                                                               size_t answer_capacity,
                                                               ald_projection_receipt *out_receipt, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

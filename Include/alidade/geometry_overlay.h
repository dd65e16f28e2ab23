/**
 * @file
 * Geometries laid over each other: what they share, what they make together, what is left of one.
 *
 * Everything happens in the plane of the coordinates, by GEOS's OverlayNG: with floating numbers, with snapping where
 * that fails, and at last on a grid of its own choice. A second geometry in another spatial reference is projected to
 * the first one's, and a receipt tells how; of two geometries either both have a spatial reference or none has. All
 * must be valid, as ald_geometry_get_validity has it, and their coordinates not beyond 1e100.
 *
 * z is kept, and interpolated at new vertices, as GEOS does it; where none is known it is NaN. m is lost. Rings come
 * out in no particular direction and begin anywhere.
 */
#ifndef ALIDADE_GEOMETRY_OVERLAY_H
#define ALIDADE_GEOMETRY_OVERLAY_H

#include "base.h"
#include "geometry.h"
#include "geometry_array.h"
#include "projection.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is made of two geometries. */
typedef int32_t ald_overlay_operation;
enum {
  /** What lies in both. */
  ALD_OVERLAY_INTERSECTION = 1,
  /** What lies in one of them or in both. */
  ALD_OVERLAY_UNION = 2,
  /** What lies in the first and not in the second. */
  ALD_OVERLAY_DIFFERENCE = 3,
  /** What lies in one of them and not in both. */
  ALD_OVERLAY_SYMMETRIC_DIFFERENCE = 4
};

/**
 * Lays two geometries over each other. The result has the kind that it needs: the intersection of two polygons that
 * touch is a point, a polyline, or a collection of both. Lines are cut where they meet, and points come once.
 *
 * @param operation What is made of the two.
 * @param grid_size The coordinates of the result are multiples of it, and what is narrower may vanish; 0: they are as
 *   precise as doubles are.
 * @param out_overlay Receives the geometry; the host owns it. Set to null on failure.
 * @param out_receipt NULL, or receives how the second geometry was projected; the host owns it. Null if it was not. Set
 *   to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if there is no such operation,
 *   grid_size is negative, not finite, beyond 1e100 or finer than doubles are there, out_overlay is NULL, a geometry is
 *   not valid (the message says why and where) or beyond 1e100, one of the two has no spatial reference, or they are of
 *   different runtimes; ALD_STATUS_UNSUPPORTED if one is a collection that is not empty; ALD_STATUS_PROJECTION_FAILED
 *   if the second cannot be projected; ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_overlay(ald_geometry geometry, ald_geometry other_geometry,
                                               ald_overlay_operation operation, double grid_size,
                                               ald_geometry *out_overlay, ald_projection_receipt *out_receipt,
                                               ald_error *error);

/**
 * Unites all geometries of an array: polygons where they overlap or share an edge; lines are cut where they meet, and
 * each stretch comes once; points come once; and what lies in a polygon is no line or point any more. Members of
 * collections count as geometries. Polygons are united on all cores.
 *
 * The result is what GEOS's unary union makes, but for rounding, for where rings begin, and for the order of parts.
 *
 * @param grid_size The coordinates of the result are multiples of it, and what is narrower may vanish; 0: they are as
 *   precise as they come. Where polygons are mixed with lines or points, the nodes where they meet may lie off the
 * grid.
 * @param out_union Receives the geometry; the host owns it. Set to null on failure. An array without geometries gives
 * an empty collection.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if grid_size is negative, not finite,
 *   beyond 1e100 or finer than doubles are there, a geometry is not valid (the message says which, why and where) or
 *   beyond 1e100, or out_union is NULL; ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_union(ald_geometry_array geometry_array, double grid_size,
                                             ald_geometry *out_union, ald_error *error);

/**
 * Clips a geometry to a box. The result is of the geometry's own kind: where a polygon only touches the box, nothing is
 * left of it. Lines are cut where they enter and leave the box, and z and m are interpolated there; a polygon that is
 * cut loses its m. Members of a collection are clipped one by one; those of which nothing is left become empty.
 *
 * @param envelope The box, in the geometry's spatial reference; with width and height.
 * @param out_clipped Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the envelope is not finite, has no
 *   width or no height or lies beyond 1e100, the geometry is not valid (the message says why and where) or beyond
 *   1e100, or out_clipped is NULL; ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_clipped(ald_geometry geometry, ald_envelope envelope, ald_geometry *out_clipped,
                                               ald_error *error);

/**
 * Clips each geometry of an array to a box, on all cores. The result has as many geometries; those of which nothing is
 * left are empty.
 *
 * @param envelope The box, in the array's spatial reference; with width and height.
 * @param out_clipped Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the envelope is not finite, has no
 *   width or no height or lies beyond 1e100, a geometry is not valid (the message says which, why and where) or beyond
 *   1e100, or out_clipped is NULL; ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_clipped(ald_geometry_array geometry_array, ald_envelope envelope,
                                                     ald_geometry_array *out_clipped, ald_error *error);

/**
 * Cuts a polyline or polygon by a polyline. A polygon is divided where the cutting line goes all the way from edge to
 * edge; what ends inside it cuts nothing. A line is divided wherever it meets the cutting line, also where the two only
 * touch; z and m are interpolated there. A polygon that is cut loses its m.
 *
 * Stretches that a line shares with the cutting line have the vertices of both.
 *
 * All pieces come out, each as a geometry of its own: first those that lie on the left of the cutting line, looking
 * along it, then those on its right, and then the others: what was not cut, what lies on the cutting line, and what
 * lies on its left at one place and on its right at another. A polygon of several parts comes out part by part.
 *
 * @param cutter The line that cuts; of any number of lines.
 * @param out_pieces Receives an array of the pieces; the host owns it. Set to null on failure.
 * @param out_left_count NULL, or receives how many pieces lie on the left.
 * @param out_right_count NULL, or receives how many pieces lie on the right.
 * @param out_receipt NULL, or receives how the cutting line was projected; the host owns it. Null if it was not. Set to
 *   null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a geometry is not valid (the message
 *   says why and where) or beyond 1e100, one of the two has no spatial reference, out_pieces is NULL, or they are of
 *   different runtimes; ALD_STATUS_UNSUPPORTED if the geometry is neither a polyline nor a polygon, or the cutter no
 *   polyline; ALD_STATUS_PROJECTION_FAILED if the cutter cannot be projected; ALD_STATUS_LIMIT_EXCEEDED if the result
 * is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_cut(ald_geometry geometry, ald_geometry cutter,
                                                 ald_geometry_array *out_pieces, uint32_t *out_left_count,
                                                 uint32_t *out_right_count, ald_projection_receipt *out_receipt,
                                                 ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

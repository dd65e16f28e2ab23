/**
 * @file
 * Geometries in another spatial reference: projected vertex by vertex, with a receipt that says what was used.
 *
 * Kinds, parts, rings and m stay as they are, and rings stay closed. z is converted as ald_project_coordinates does it:
 * only if both spatial references have a vertical part; a vertex whose z is NaN is projected by its position alone, and
 * keeps its NaN. Geometries have no epochs.
 *
 * An edge is a straight line between its two vertices before and after, so that a long one runs elsewhere on the Earth
 * afterwards: add vertices first. Longitudes are taken at their word: an edge from 170 to 190 crosses the antimeridian,
 * and most projections put its two ends at opposite sides of the map, with the edge right across it. Cut it there
 * first.
 *
 * Where the two spatial references mean the same positions the coordinates are shared, not copied, and not looked at.
 *
 * The marks, out_statuses and out_operations, have an entry for each vertex that goes in, geometry by geometry, as they
 * lie in the columns; in the place of a collection stand the vertices of its members, member by member.
 */
#ifndef ALIDADE_GEOMETRY_PROJECTION_H
#define ALIDADE_GEOMETRY_PROJECTION_H

#include "base.h"
#include "geometry.h"
#include "geometry_array.h"
#include "projection.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is done where a vertex has no image in the target. 0: the call fails, and the message names the vertex. */
typedef uint32_t ald_missing_image_flags;
enum {
  /**
   * Such vertices are left out. Points vanish. A line is cut there: the edges to the vertex are lost, and what is left
   * of the line between two such vertices is a part of its own, if it has at least two vertices. A polygon cannot leave
   * one out, because an edge that is nowhere on Earth would close its ring; it is treated as without this flag.
   */
  ALD_MISSING_IMAGE_LEFT_OUT = 1,
  /** Of an array: a geometry that cannot be projected becomes an empty one of its kind; the others are projected. */
  ALD_MISSING_IMAGE_EMPTIES_GEOMETRY = 2
};

/**
 * Makes the image of a geometry in another spatial reference.
 *
 * @param to The spatial reference of the result.
 * @param options How vertices are projected; NULL for the defaults. A chosen transformation must lead from the
 *   geometry's spatial reference to this one, conversions left aside.
 * @param missing_images ALD_MISSING_IMAGE_LEFT_OUT or 0.
 * @param out_statuses NULL, or receives a status for each vertex.
 * @param out_operations NULL, or receives for each vertex the row of its operation in the receipt; ALD_NO_OPERATION for
 *   one without an image.
 * @param vertex_capacity How many vertices out_statuses and out_operations have room for: at least the geometry's
 *   vertex_count. 0 if both are NULL.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @param out_receipt NULL, or receives the receipt; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the geometry has no spatial
 *   reference, flags are unknown, ALD_PROJECT_INVERSE stands without a transformation, the transformation leads
 *   elsewhere or does not say where, both marks are NULL and vertex_capacity is not 0, out_geometry is NULL, or objects
 *   are of different runtimes; ALD_STATUS_BUFFER_TOO_SMALL; ALD_STATUS_PROJECTION_FAILED if there is no operation
 *   between the two, or a vertex has no image (the message names the first, why, and how many there are);
 *   ALD_STATUS_MISSING_GRID if that is for want of a grid file, or the chosen transformation lacks one;
 *   ALD_STATUS_UNSUPPORTED if PROJ cannot run the chosen transformation, or not backwards; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_create_projected(ald_geometry geometry, ald_spatial_reference to,
                                                 const ald_projection_options *options,
                                                 ald_missing_image_flags missing_images, ald_point_status *out_statuses,
                                                 uint32_t *out_operations, size_t vertex_capacity,
                                                 ald_geometry *out_geometry, ald_projection_receipt *out_receipt,
                                                 ald_error *error);

/**
 * Makes the images of geometries in another spatial reference, on all cores. The receipt is one over all vertices.
 *
 * @param to The spatial reference of the result.
 * @param options How vertices are projected; NULL for the defaults. A chosen transformation must lead from the array's
 *   spatial reference to this one, conversions left aside.
 * @param missing_images ald_missing_image_flags.
 * @param out_geometry_statuses NULL with geometry_capacity 0, or receives for each geometry the status of its first
 *   vertex without an image; ALD_POINT_OK if there is none.
 * @param geometry_capacity How many geometries out_geometry_statuses has room for: at least geometry_count.
 * @param out_statuses NULL, or receives a status for each vertex.
 * @param out_operations NULL, or receives for each vertex the row of its operation in the receipt; ALD_NO_OPERATION for
 *   one without an image.
 * @param vertex_capacity How many vertices out_statuses and out_operations have room for: at least the array's
 *   vertex_count and those of the members of collections. 0 if both are NULL.
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @param out_receipt NULL, or receives the receipt; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the array has no spatial reference,
 *   flags are unknown, ALD_PROJECT_INVERSE stands without a transformation, the transformation leads elsewhere or does
 *   not say where, marks are NULL and their capacity is not 0, out_array is NULL, or objects are of different runtimes;
 *   ALD_STATUS_BUFFER_TOO_SMALL; ALD_STATUS_PROJECTION_FAILED if there is no operation between the two, or a vertex has
 *   no image and ALD_MISSING_IMAGE_EMPTIES_GEOMETRY is not set (the message names the first, why, and how many there
 *   are); ALD_STATUS_MISSING_GRID if that is for want of a grid file, or the chosen transformation lacks one;
 *   ALD_STATUS_UNSUPPORTED if PROJ cannot run the chosen transformation, or not backwards; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_array_create_projected(
    ald_geometry_array geometry_array, ald_spatial_reference to, const ald_projection_options *options,
    ald_missing_image_flags missing_images, ald_point_status *out_geometry_statuses, size_t geometry_capacity,
    ald_point_status *out_statuses, uint32_t *out_operations, size_t vertex_capacity, ald_geometry_array *out_array,
    ald_projection_receipt *out_receipt, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

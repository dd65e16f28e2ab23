/**
 * @file
 * Adding vertices to geometries along their edges, moving all of them, and bringing geometries back into the world.
 */
#ifndef ALIDADE_GEOMETRY_VERTICES_H
#define ALIDADE_GEOMETRY_VERTICES_H

#include "base.h"
#include "geometry.h"
#include "geometry_array.h"
#include "geometry_measure.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where vertices are added. At least one of the two lengths is more than 0. */
typedef struct ald_densify_options {
  uint32_t struct_size;
  /** In the plane, or along ways on the earth. */
  ald_measure_kind kind;
  /** Which ways; 0 in the plane. */
  ald_curve_type curve_type;
  /** Of both lengths. ALD_UNIT_NONE: on the earth metres, in the plane the spatial reference's own unit. */
  ald_unit unit;
  /** No segment of the result is longer, by its way; 0: no limit. Finite, not negative. */
  double longest_segment;
  /**
   * The segments of the result, which are straight in the coordinates, keep within so much of the ways; 0: no limit.
   * From 1e-7 m. 0 in the plane, whose edges are straight.
   */
  double maximum_deviation;
} ald_densify_options;

/** Initialises an ald_densify_options; one of the lengths is still to be set. */
#define ALD_DENSIFY_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_densify_options), 0, 0, 0, 0.0, 0.0 }

/**
 * Adds vertices along the edges of lines and polygons. Vertices that there were stay, to the last bit; z and m go
 * evenly from one of them to the next. Points stay as they are.
 *
 * Where a way goes over the antimeridian, longitudes go on beyond 180 if the edge's ends do, and jump if they do: an
 * edge from 170 to 190 gets 175, 180, 185, and one from 170 to -170 gets 175, 180, -175. The same holds of projected
 * systems whose world repeats itself.
 *
 * @param geometry The geometry.
 * @param options Where.
 * @param out_densified Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if options is NULL, an option is not
 *   valid, the unit does not fit, the earth or a unit is asked for and the geometry has no spatial reference, or no one
 * way of a kind joins two vertices that lie opposite to each other; ALD_STATUS_UNSUPPORTED if the spatial reference is
 * local or has an ellipsoid that is too flat and the earth is asked for, or the coordinates are too large;
 *   ALD_STATUS_PROJECTION_FAILED if a vertex is no place on the earth, or a way leads where the spatial reference has
 * no coordinates; ALD_STATUS_LIMIT_EXCEEDED if there were too many vertices.
 */
ALD_API ald_status ald_geometry_create_densified(ald_geometry geometry, const ald_densify_options *options,
                                                 ald_geometry *out_densified, ald_error *error);

/**
 * Adds vertices along the edges of all geometries of an array.
 *
 * @param geometry_array The array.
 * @param options Where.
 * @param out_densified Receives the array; the host owns it. Set to null on failure.
 * @return What ald_geometry_create_densified does; messages name the geometry. ALD_STATUS_OK;
 * ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT; ALD_STATUS_UNSUPPORTED; ALD_STATUS_PROJECTION_FAILED;
 * ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_array_create_densified(ald_geometry_array geometry_array,
                                                       const ald_densify_options *options,
                                                       ald_geometry_array *out_densified, ald_error *error);

/**
 * Moves every vertex by a distance in one direction: in the plane a shift, on the earth along a way of a kind that
 * begins in that direction at each vertex. z and m stay. What hangs together across the antimeridian still does:
 * longitudes go on beyond 180.
 *
 * @param geometry The geometry.
 * @param distance How far, in the unit of the options; backwards if negative. Finite.
 * @param azimuth_deg Degrees clockwise from north; in the plane from the y axis. Finite.
 * @param options How; NULL: in the plane. Not ALD_CURVE_SHAPE_PRESERVING.
 * @param out_moved Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or a vertex
 *   would not be, an option is not valid, the unit does not fit, or the earth or a unit is asked for and the geometry
 * has no spatial reference; ALD_STATUS_UNSUPPORTED if the curve is shape-preserving, or the spatial reference is local
 * or has an ellipsoid that is too flat and the earth is asked for; ALD_STATUS_PROJECTION_FAILED if a vertex is no place
 * on the earth, or the way from it leads to none: a loxodrome beyond a pole, or where the spatial reference has no
 * coordinates; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_create_moved(ald_geometry geometry, double distance, double azimuth_deg,
                                             const ald_measure_options *options, ald_geometry *out_moved,
                                             ald_error *error);

/**
 * Moves every vertex of all geometries of an array.
 *
 * @param geometry_array The array.
 * @param distance How far, in the unit of the options; backwards if negative. Finite.
 * @param azimuth_deg Degrees clockwise from north; in the plane from the y axis. Finite.
 * @param options How; NULL: in the plane. Not ALD_CURVE_SHAPE_PRESERVING.
 * @param out_moved Receives the array; the host owns it. Set to null on failure.
 * @return What ald_geometry_create_moved does; messages name the geometry. ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE;
 *   ALD_STATUS_INVALID_ARGUMENT; ALD_STATUS_UNSUPPORTED; ALD_STATUS_PROJECTION_FAILED; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_array_create_moved(ald_geometry_array geometry_array, double distance,
                                                   double azimuth_deg, const ald_measure_options *options,
                                                   ald_geometry_array *out_moved, ald_error *error);

/**
 * Brings a geometry into the bounds of the world: what lies beyond the antimeridian, or beyond the sides of a projected
 * system whose world repeats itself (world_width of ald_spatial_reference_info), is cut off there and moved back by
 * whole turns. Coordinates are taken at their word: a line from longitude 170 to 190 crosses the antimeridian, and one
 * from 170 to -170 crosses Greenwich. What lies within the bounds stays as it is, to the last bit; a polygon that is
 * cut loses its m.
 *
 * @param geometry The geometry.
 * @param out_normalized Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the geometry has no spatial
 * reference; ALD_STATUS_UNSUPPORTED if that does not repeat itself from west to east or where its sides are cannot be
 * told, a coordinate lies more than 16 times around the earth, or a polygon that would be cut is not valid:
 * ald_geometry_create_repaired makes it so;
 *   ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_create_normalized(ald_geometry geometry, ald_geometry *out_normalized,
                                                  ald_error *error);

/**
 * Brings all geometries of an array into the bounds of the world.
 *
 * @param geometry_array The array.
 * @param out_normalized Receives the array; the host owns it. Set to null on failure.
 * @return What ald_geometry_create_normalized does; messages name the geometry. ALD_STATUS_OK;
 * ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT; ALD_STATUS_UNSUPPORTED; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_array_create_normalized(ald_geometry_array geometry_array,
                                                        ald_geometry_array *out_normalized, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

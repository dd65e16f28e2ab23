/**
 * @file
 * How far geometries are from each other, and what of a geometry is nearest to a point.
 */
#ifndef ALIDADE_GEOMETRY_DISTANCE_H
#define ALIDADE_GEOMETRY_DISTANCE_H

#include "base.h"
#include "geometry.h"
#include "geometry_measure.h"
#include "projection.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The distance of two geometries, and where they are nearest to each other. */
typedef struct ald_distance {
  uint32_t struct_size;
  uint32_t reserved;
  /** 0 if they have a place in common; NaN if one of them is empty. */
  double distance;
  /** On the first geometry. NaN if one of them is empty. */
  ald_point nearest;
  /**
   * On the other one, in the spatial reference of the first. NaN if one of them is empty, or the place has no
   * coordinates there.
   */
  ald_point other_nearest;
} ald_distance;

/** Initialises an ald_distance. */
#define ALD_DISTANCE_INIT                                                                                              \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_distance), 0, 0.0, {0.0, 0.0}, {                                                              \
      0.0, 0.0                                                                                                         \
    }                                                                                                                  \
  }

/**
 * The distance of two geometries: of the two places that are nearest to each other, 0 if one lies in a polygon of the
 * other.
 *
 * On the earth edges are geodesics, and a ring encloses the smaller of the two parts that it cuts the earth into. The
 * distance is right to a millionth of a metre, and to a millimetre where it is within some 150 km of 10,000 km. What is
 * nearest is found among all segments by way of discs around them, not among samples.
 *
 * @param geometry The first geometry.
 * @param other_geometry The other one. Where it is in another spatial reference, it is projected, vertex by vertex: in
 * the plane into the first one's, on the earth into the longitudes and latitudes of that one.
 * @param options How; NULL: in the plane. On the earth ALD_CURVE_GEODESIC alone; densify geometries whose edges are
 * others.
 * @param out_distance Initialise it with ALD_DISTANCE_INIT.
 * @param out_receipt NULL, or receives what the other geometry was projected by; the host owns it. Null if nothing had
 * to be projected, and on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an option is not valid, the unit
 * does not fit, one of the two has a spatial reference and the other has none, the earth or a unit is asked for and
 * both have none, they are of different runtimes, out_distance is NULL or its struct_size is none;
 * ALD_STATUS_UNSUPPORTED if the curve is none of geodesics, the spatial reference is local or has an ellipsoid that is
 * too flat and the earth is asked for, or the coordinates are too large; ALD_STATUS_PROJECTION_FAILED if a vertex is no
 * place on the earth, or cannot be projected; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_distance(ald_geometry geometry, ald_geometry other_geometry,
                                         const ald_measure_options *options, ald_distance *out_distance,
                                         ald_projection_receipt *out_receipt, ald_error *error);

/** Bits of ald_nearest_place.flags. */
typedef uint32_t ald_nearest_flags;
enum {
  /** The point lies inside of a polygon and is the nearest place itself; part, path and vertex are 0, share is NaN. */
  ALD_NEAREST_INSIDE = 1
};

/** What of a geometry is nearest to a point. */
typedef struct ald_nearest_place {
  uint32_t struct_size;
  ald_nearest_flags flags;
  /** The part of the geometry, the path of the part, and the vertex of the path at which the edge begins, from 0. */
  uint32_t part;
  uint32_t path;
  uint32_t vertex;
  uint32_t reserved;
  /** How far from that vertex to the next, as a share of the edge's length, 0 to 1. */
  double share;
  /** In the unit of the options; NaN if the geometry is empty. */
  double distance;
  /** The place, in the spatial reference of the geometry; NaN if the geometry is empty. */
  ald_point point;
} ald_nearest_place;

/** Initialises an ald_nearest_place. */
#define ALD_NEAREST_PLACE_INIT                                                                                         \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_nearest_place), 0, 0, 0, 0, 0, 0.0, 0.0, {                                                    \
      0.0, 0.0                                                                                                         \
    }                                                                                                                  \
  }

/** Bits that say how what is nearest is looked for. */
typedef uint32_t ald_nearest_search;
enum {
  /** On the rings, also where the point lies inside of a polygon; without it, the point itself is nearest then. */
  ALD_NEAREST_ON_BOUNDARY = 1,
  /** Among vertices. */
  ALD_NEAREST_VERTEX = 2
};

/**
 * The place of a geometry that is nearest to a point: on its edges, inside of its polygons, or among its vertices.
 *
 * @param geometry The geometry; no collection.
 * @param at The point, in the spatial reference of the geometry. Finite.
 * @param nearest_search ALD_NEAREST_ON_BOUNDARY, ALD_NEAREST_VERTEX; 0: anywhere.
 * @param options How; NULL: in the plane. On the earth ALD_CURVE_GEODESIC alone.
 * @param out_nearest Initialise it with ALD_NEAREST_PLACE_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the point is not finite, a flag is
 *   unknown, an option is not valid, the unit does not fit, the earth or a unit is asked for and the geometry has no
 *   spatial reference, out_nearest is NULL or its struct_size is none; ALD_STATUS_UNSUPPORTED if the geometry is a
 *   collection, the curve is none of geodesics, the spatial reference is local or has an ellipsoid that is too flat and
 *   the earth is asked for, or the coordinates are too large; ALD_STATUS_PROJECTION_FAILED if the point or a vertex is
 * no place on the earth; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_nearest(ald_geometry geometry, ald_point at, ald_nearest_search nearest_search,
                                        const ald_measure_options *options, ald_nearest_place *out_nearest,
                                        ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

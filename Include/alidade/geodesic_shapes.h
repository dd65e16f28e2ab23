/**
 * @file
 * Ellipses and sectors of circles on the earth, as polygons in any spatial reference with a datum.
 *
 * Edges of the polygons are straight in the spatial reference, and keep within a deviation of the true outline on the
 * ground. What crosses the antimeridian, or the side of a map of the whole world, is cut there; one that holds a pole
 * reaches up to the map's side. A circle is an ellipse of equal axes, a sector of 360 degrees, and a geodesic buffer of
 * a point.
 */
#ifndef ALIDADE_GEODESIC_SHAPES_H
#define ALIDADE_GEODESIC_SHAPES_H

#include "base.h"
#include "geometry.h"
#include "spatial_reference.h"
#include "units.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * An ellipse: in each direction from the centre the place at that geodesic distance which an ellipse in the plane has
 * in that direction.
 */
typedef struct ald_geodesic_ellipse {
  uint32_t struct_size;
  /** Of the lengths; ALD_UNIT_NONE: metres. */
  ald_unit unit;
  /** In the spatial reference. */
  ald_point center;
  /** Along the axis; from 1e-6 m to 19,900 km on the earth. */
  double semi_axis_1;
  /** Across the axis; the same. */
  double semi_axis_2;
  /** Of the first axis, degrees clockwise from north. Finite. */
  double axis_azimuth_deg;
  /** From 1e-7 m; 0: a thousandth of the longer semi-axis. */
  double maximum_deviation;
} ald_geodesic_ellipse;

/** Initialises an ald_geodesic_ellipse; centre and axes are still to be set. */
#define ALD_GEODESIC_ELLIPSE_INIT                                                                                      \
  { (uint32_t)sizeof(ald_geodesic_ellipse), 0, {0.0, 0.0}, 0.0, 0.0, 0.0, 0.0 }

/** A sector: what lies within a geodesic distance of the centre, between two directions. */
typedef struct ald_geodesic_sector {
  uint32_t struct_size;
  /** Of the lengths; ALD_UNIT_NONE: metres. */
  ald_unit unit;
  /** In the spatial reference. */
  ald_point center;
  /** From 1e-6 m to 19,900 km on the earth. */
  double radius;
  /** Where it begins, degrees clockwise from north. Finite. */
  double start_azimuth_deg;
  /** How far it goes on clockwise: more than 0 to 360. */
  double angle_deg;
  /** From 1e-7 m; 0: a thousandth of the radius. */
  double maximum_deviation;
} ald_geodesic_sector;

/** Initialises an ald_geodesic_sector; centre, radius and angle are still to be set. */
#define ALD_GEODESIC_SECTOR_INIT                                                                                       \
  { (uint32_t)sizeof(ald_geodesic_sector), 0, {0.0, 0.0}, 0.0, 0.0, 0.0, 0.0 }

/**
 * Makes a polygon of an ellipse.
 *
 * @param spatial_reference What the centre is in, and the polygon.
 * @param ellipse The ellipse.
 * @param out_geometry Receives the polygon; the host owns it. Set to null on failure.
 * @param out_achieved_deviation_m NULL, or receives how far the outline is off at most, in metres on the ground.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if ellipse is NULL or its struct_size
 * is none, the unit is none of length, the centre or the azimuth is not finite, or a length is out of its range;
 *   ALD_STATUS_UNSUPPORTED if the spatial reference is local, has a pole of its own or an ellipsoid that is too flat;
 *   ALD_STATUS_PROJECTION_FAILED if the centre is no place on the earth, or the polygon reaches where the spatial
 *   reference has no coordinates; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_create_geodesic_ellipse(ald_spatial_reference spatial_reference,
                                                        const ald_geodesic_ellipse *ellipse, ald_geometry *out_geometry,
                                                        double *out_achieved_deviation_m, ald_error *error);

/**
 * Makes a polygon of a sector.
 *
 * @param spatial_reference What the centre is in, and the polygon.
 * @param sector The sector.
 * @param out_geometry Receives the polygon; the host owns it. Set to null on failure.
 * @param out_achieved_deviation_m NULL, or receives how far the outline is off at most, in metres on the ground.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if sector is NULL or its struct_size is
 *   none, the unit is none of length, the centre or the azimuth is not finite, or a length or the angle is out of its
 *   range; ALD_STATUS_UNSUPPORTED if the spatial reference is local, has a pole of its own or an ellipsoid that is too
 *   flat; ALD_STATUS_PROJECTION_FAILED if the centre is no place on the earth, or the polygon reaches where the spatial
 *   reference has no coordinates; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_create_geodesic_sector(ald_spatial_reference spatial_reference,
                                                       const ald_geodesic_sector *sector, ald_geometry *out_geometry,
                                                       double *out_achieved_deviation_m, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

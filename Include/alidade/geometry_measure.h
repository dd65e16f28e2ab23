/**
 * @file
 * Areas and lengths of geometries, in the plane of their coordinates or on the earth.
 *
 * On the earth a geometry lies on the ellipsoid of its own spatial reference, to whose longitudes and latitudes it is
 * brought without a change of datum; heights do not count. Its edges are ways on the earth between its vertices, so
 * one from longitude 170 to -170 crosses the antimeridian.
 */
#ifndef ALIDADE_GEOMETRY_MEASURE_H
#define ALIDADE_GEOMETRY_MEASURE_H

#include "base.h"
#include "geodesic.h"
#include "geometry.h"
#include "geometry_array.h"
#include "units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where lengths, areas and distances are measured. */
typedef int32_t ald_measure_kind;
enum {
  /** In the plane of the coordinates. Of longitudes and latitudes that is in degrees, and seldom what is wanted. */
  ALD_MEASURE_PLANAR = 0,
  /** On the ellipsoid. */
  ALD_MEASURE_GEODESIC = 1
};

/** How something is measured. */
typedef struct ald_measure_options {
  uint32_t struct_size;
  ald_measure_kind kind;
  /**
   * The unit of the result, and of lengths that go in: one of area for areas, else one of length; in the plane of
   * longitudes and latitudes an angle. ALD_UNIT_NONE: on the earth metres and square metres, in the plane the spatial
   * reference's own unit and its square.
   */
  ald_unit unit;
  /** What edges are on the earth; 0, geodesics, in the plane. */
  ald_curve_type curve_type;
} ald_measure_options;

/** Initialises an ald_measure_options to the plane and its own unit. */
#define ALD_MEASURE_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_measure_options), 0, 0, 0 }

/**
 * The area of polygons: of each part the shell less the holes, whichever way round they run. 0 for points and lines; of
 * a collection the sum.
 *
 * On the earth a ring encloses the smaller of the two parts that it cuts the earth into, also around a pole. With
 * ALD_CURVE_SHAPE_PRESERVING, longitudes and latitudes enclose what they do on the map, up to the whole earth. Polygons
 * that are not valid are not looked for: where rings cross themselves, areas cancel out.
 *
 * @param geometry The geometry.
 * @param options How; NULL: in the plane.
 * @param out_area Receives the area, not negative but where holes are larger than their shell.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an option is not valid, the unit
 *   does not fit (longitudes and latitudes have no area in the plane but in square degrees), the earth or a unit is
 *   asked for and the geometry has no spatial reference, out_area is NULL, or no one way of a kind joins two vertices
 *   that lie opposite to each other; ALD_STATUS_UNSUPPORTED if the spatial reference is local or has an ellipsoid that
 *   is too flat and the earth is asked for, or the coordinates are too large; ALD_STATUS_PROJECTION_FAILED if a vertex
 *   is no place on the earth: the message names the first; ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy
 *   allows.
 */
ALD_API ald_status ald_geometry_area(ald_geometry geometry, const ald_measure_options *options, double *out_area,
                                     ald_error *error);

/**
 * The length of lines, and of the rings of polygons, holes too. 0 for points; of a collection the sum.
 *
 * @param geometry The geometry.
 * @param options How; NULL: in the plane.
 * @param out_length Receives the length.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an option is not valid, the unit
 *   does not fit, the earth or a unit is asked for and the geometry has no spatial reference, out_length is NULL, or no
 *   one way of a kind joins two vertices that lie opposite to each other; ALD_STATUS_UNSUPPORTED if the spatial
 *   reference is local or has an ellipsoid that is too flat and the earth is asked for, or the coordinates are too
 *   large; ALD_STATUS_PROJECTION_FAILED if a vertex is no place on the earth: the message names the first;
 *   ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_length(ald_geometry geometry, const ald_measure_options *options, double *out_length,
                                       ald_error *error);

/**
 * The area of each geometry of an array, on all cores. What ald_geometry_area would refuse is NaN, and does not fail
 * the others.
 *
 * @param geometry_array The array.
 * @param options How; NULL: in the plane.
 * @param out_measures Receives an area for each geometry.
 * @param measure_capacity How many numbers out_measures has room for.
 * @return ALD_STATUS_OK, also if single areas are NaN; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an
 *   option is not valid, the unit does not fit, the earth or a unit is asked for and the array has no spatial
 *   reference, or out_measures is NULL and there are geometries; ALD_STATUS_UNSUPPORTED if the spatial reference is
 *   local or has an ellipsoid that is too flat and the earth is asked for; ALD_STATUS_PROJECTION_FAILED if PROJ knows
 *   no way from it to longitudes and latitudes; ALD_STATUS_BUFFER_TOO_SMALL; ALD_STATUS_LIMIT_EXCEEDED if it takes
 *   longer than the policy allows.
 */
ALD_API ald_status ald_geometry_array_areas(ald_geometry_array geometry_array, const ald_measure_options *options,
                                            double *out_measures, size_t measure_capacity, ald_error *error);

/**
 * The length of each geometry of an array, on all cores. What ald_geometry_length would refuse is NaN, and does not
 * fail the others.
 *
 * @param geometry_array The array.
 * @param options How; NULL: in the plane.
 * @param out_measures Receives a length for each geometry.
 * @param measure_capacity How many numbers out_measures has room for.
 * @return ALD_STATUS_OK, also if single lengths are NaN; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an
 *   option is not valid, the unit does not fit, the earth or a unit is asked for and the array has no spatial
 *   reference, or out_measures is NULL and there are geometries; ALD_STATUS_UNSUPPORTED if the spatial reference is
 *   local or has an ellipsoid that is too flat and the earth is asked for; ALD_STATUS_PROJECTION_FAILED if PROJ knows
 *   no way from it to longitudes and latitudes; ALD_STATUS_BUFFER_TOO_SMALL; ALD_STATUS_LIMIT_EXCEEDED if it takes
 *   longer than the policy allows.
 */
ALD_API ald_status ald_geometry_array_lengths(ald_geometry_array geometry_array, const ald_measure_options *options,
                                              double *out_measures, size_t measure_capacity, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

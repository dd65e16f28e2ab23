/**
 * @file
 * Measurements: areas, lengths and distances of geometries, in the plane of the coordinates or on the ellipsoid, and
 * the curves on the ellipsoid between points.
 *
 * The ellipsoid is the ellipsoid of the spatial reference's datum; no datum is changed. Positions are converted to
 * longitudes and latitudes of that datum. Heights are ignored. Ellipsoids may be flattened by up to 1/50. Azimuths are
 * in degrees clockwise from true north.
 *
 * Geodesics are computed with Karney's method. They are correct to 15 nanometres on the earth, even at the poles and
 * between points that lie nearly opposite to each other. The other curves are computed by integrals with the same
 * accuracy, except loxodromes within some nanometres of a pole.
 *
 * @code{.c}
 * double hectares = 0;
 * ald_measure_options options = ALD_MEASURE_OPTIONS_INIT;
 * options.kind = ALD_MEASURE_KIND_GEODESIC;
 * options.unit = ALD_UNIT_HECTARE;
 * ald_status status = ald_geometry_area(geometry, &options, &hectares, error);
 * if (status == ALD_STATUS_OK)
 *   printf("%.1f ha\n", hectares);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_MEASURE_H
#define ALIDADE_MEASURE_H

#include "base.h"
#include "handles.h"
#include "units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The curve that joins two points. */
typedef int32_t ald_curve_type;
enum ald_curve_type_values {
  /** The shortest path. */
  ALD_CURVE_TYPE_GEODESIC = 0,
  /**
   * The path of constant azimuth, which is straight in Mercator's projection; the shorter of the two paths around the
   * earth. From or to a pole it is the meridian of the other end.
   */
  ALD_CURVE_TYPE_LOXODROME = 1,
  /** The path in the plane through both points and the centre of the ellipsoid. */
  ALD_CURVE_TYPE_GREAT_ELLIPTIC = 2,
  /** The path in the plane through both points and the normal to the ellipsoid at the first point. */
  ALD_CURVE_TYPE_NORMAL_SECTION = 3,
  /** A straight line in the coordinates of the geometry, as the geometry is drawn. Only for edges of geometries. */
  ALD_CURVE_TYPE_SHAPE_PRESERVING = 4
};

/** The surface on which lengths, areas and distances are measured. */
typedef int32_t ald_measure_kind;
enum ald_measure_kind_values {
  /** In the plane of the coordinates. For longitudes and latitudes the result is in degrees, which is seldom wanted. */
  ALD_MEASURE_KIND_PLANAR = 0,
  /** On the ellipsoid. */
  ALD_MEASURE_KIND_GEODESIC = 1
};

/** How something is measured. */
typedef struct ald_measure_options {
  uint32_t struct_size;
  ald_measure_kind kind;
  /**
   * The unit of the result, and of lengths in the input: a unit of area for areas, otherwise a unit of length, or an
   * angle in the plane of longitudes and latitudes. ALD_UNIT_NONE means metres and square metres on the ellipsoid, and
   * the spatial reference's own unit and its square in the plane.
   */
  ald_unit unit;
  /** The curve of the edges on the ellipsoid; 0 is the geodesic. Must be 0 in the plane. */
  ald_curve_type curve_type;
} ald_measure_options;

/** Initialises an ald_measure_options to the plane and its own unit. */
#define ALD_MEASURE_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_measure_options), 0, 0, 0 }

/** The distance between two geometries, and the points at which they are nearest to each other. */
typedef struct ald_distance {
  uint32_t struct_size;
  uint32_t reserved;
  /** 0 if the geometries have a point in common; NaN if one of them is empty. */
  double distance;
  /** The nearest point on the first geometry. NaN if one of the geometries is empty. */
  ald_point point_a;
  /**
   * The nearest point on the other geometry, in the spatial reference of the first. NaN if one of the geometries is
   * empty, or the point has no coordinates there.
   */
  ald_point point_b;
} ald_distance;

/** Initialises an ald_distance. */
#define ALD_DISTANCE_INIT                                                                                              \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_distance), 0, 0.0, {0.0, 0.0}, {                                                              \
      0.0, 0.0                                                                                                         \
    }                                                                                                                  \
  }

/** Bits of ald_nearest_point.flags. */
typedef uint32_t ald_nearest_flags;
enum ald_nearest_flags_values {
  /**
   * The input point lies inside a polygon and is itself the nearest point. part, path and vertex are 0, share is NaN.
   */
  ALD_NEAREST_INSIDE = 1
};

/** The point of a geometry that is nearest to another point. */
typedef struct ald_nearest_point {
  uint32_t struct_size;
  ald_nearest_flags flags;
  /**
   * The index of the part in the geometry, of the path in the part, and of the vertex in the path at which the edge
   * begins; each from 0.
   */
  uint32_t part;
  uint32_t path;
  uint32_t vertex;
  uint32_t reserved;
  /** The position between that vertex and the next, as a share of the edge's length, 0 to 1. */
  double share;
  /** The distance in the unit of the options; NaN if the geometry is empty. */
  double distance;
  /** The nearest point, in the spatial reference of the geometry; NaN if the geometry is empty. */
  ald_point point;
} ald_nearest_point;

/** Initialises an ald_nearest_point. */
#define ALD_NEAREST_POINT_INIT                                                                                         \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_nearest_point), 0, 0, 0, 0, 0, 0.0, 0.0, {                                                    \
      0.0, 0.0                                                                                                         \
    }                                                                                                                  \
  }

/** Bits that restrict where the nearest point may lie. */
typedef uint32_t ald_nearest_search;
enum ald_nearest_search_values {
  /**
   * On the rings, even if the input point lies inside a polygon. Without this bit, the input point itself is the
   * nearest point in that case.
   */
  ALD_NEAREST_SEARCH_ON_BOUNDARY = 1,
  /** At a vertex. */
  ALD_NEAREST_SEARCH_VERTEX = 2
};

/*
 * Areas and lengths
 *
 * On the ellipsoid, edges are curves between the vertices. An edge from longitude 170 to -170 therefore crosses the
 * antimeridian.
 */

/**
 * Computes the area of the polygons of a geometry: for each part the area of its shell minus the area of its holes,
 * whatever their direction. The area is 0 for points and lines, and the sum over all members for a collection.
 *
 * On the ellipsoid a ring encloses the smaller of the two areas into which it divides the earth, even around a pole.
 * With ALD_CURVE_TYPE_SHAPE_PRESERVING, a ring of longitudes and latitudes encloses what it encloses on the map, up to
 * the whole earth. The function does not check whether polygons are valid: where rings cross themselves, areas cancel
 * out.
 *
 * @param geometry The geometry.
 * @param options How the area is measured; NULL: in the plane.
 * @param out_area Receives the area. It is negative only if holes are larger than their shell.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is not valid, the unit does not fit (longitudes and latitudes have no
 *     area in the plane except in square degrees), the ellipsoid or a unit is requested and the geometry has no spatial
 *     reference, out_area is NULL, or two vertices lie opposite to each other so that no unique curve joins them.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the ellipsoid is requested and the spatial reference is local or its ellipsoid is
 *     flatter than 1/50, or the coordinates are too large.
 *   - ALD_STATUS_PROJECTION_FAILED if a vertex is not a point on the ellipsoid; the message names the first such
 *     vertex.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_area(ald_geometry geometry, const ald_measure_options *options, double *out_area,
                                     ald_error *error);

/**
 * Computes the length of the lines of a geometry, and of the rings of its polygons, including holes. The length is 0
 * for points, and the sum over all members for a collection.
 *
 * @param geometry The geometry.
 * @param options How the length is measured; NULL: in the plane.
 * @param out_length Receives the length.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is not valid, the unit does not fit, the ellipsoid or a unit is
 *     requested and the geometry has no spatial reference, out_length is NULL, or two vertices lie opposite to each
 *     other so that no unique curve joins them.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the ellipsoid is requested and the spatial reference is local or its ellipsoid is
 *     flatter than 1/50, or the coordinates are too large.
 *   - ALD_STATUS_PROJECTION_FAILED if a vertex is not a point on the ellipsoid; the message names the first such
 *     vertex.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_length(ald_geometry geometry, const ald_measure_options *options, double *out_length,
                                       ald_error *error);

/**
 * Computes the area of each geometry of an array, as in ald_geometry_area, on all cores. If ald_geometry_area would
 * fail for a geometry, its area is NaN, and the call does not fail.
 *
 * @param geometry_array The array.
 * @param options How the areas are measured; NULL: in the plane.
 * @param out_measures Receives an area for each geometry.
 * @param measure_capacity The number of areas that fit into out_measures.
 * @return ALD_STATUS_OK on success, even if some areas are NaN. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is not valid, the unit does not fit, the ellipsoid or a unit is
 *     requested and the array has no spatial reference, or out_measures is NULL and the array is not empty.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the ellipsoid is requested and the spatial reference is local or its ellipsoid is
 *     flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if PROJ has no operation from the spatial reference to longitudes and latitudes.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if measure_capacity is too small.
 */
ALD_API ald_status ald_geometry_array_areas(ald_geometry_array geometry_array, const ald_measure_options *options,
                                            double *out_measures, size_t measure_capacity, ald_error *error);

/**
 * Computes the length of each geometry of an array, as in ald_geometry_length, on all cores. If ald_geometry_length
 * would fail for a geometry, its length is NaN, and the call does not fail.
 *
 * @param geometry_array The array.
 * @param options How the lengths are measured; NULL: in the plane.
 * @param out_measures Receives a length for each geometry.
 * @param measure_capacity The number of lengths that fit into out_measures.
 * @return ALD_STATUS_OK on success, even if some lengths are NaN. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is not valid, the unit does not fit, the ellipsoid or a unit is
 *     requested and the array has no spatial reference, or out_measures is NULL and the array is not empty.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the ellipsoid is requested and the spatial reference is local or its ellipsoid is
 *     flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if PROJ has no operation from the spatial reference to longitudes and latitudes.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if measure_capacity is too small.
 */
ALD_API ald_status ald_geometry_array_lengths(ald_geometry_array geometry_array, const ald_measure_options *options,
                                              double *out_measures, size_t measure_capacity, ald_error *error);

/* Distances */

/**
 * Computes the distance between two geometries: the distance between their two nearest points. It is 0 if one geometry
 * lies in a polygon of the other.
 *
 * On the ellipsoid edges are geodesics, and a ring encloses the smaller of the two areas into which it divides the
 * earth. The distance is correct to a millionth of a metre. If it is about 10,000 km (within 150 km), it is correct to
 * a millimetre. The search covers all segments, by means of discs around them; it does not use samples.
 *
 * @param a The first geometry.
 * @param b The other geometry. If it is in another spatial reference, it is projected vertex by vertex: for the plane,
 *     to the spatial reference of the first geometry; for the ellipsoid, to the longitudes and latitudes of that
 *     spatial reference.
 * @param options How the distance is measured; NULL: in the plane. On the ellipsoid only ALD_CURVE_TYPE_GEODESIC is
 *     allowed; densify geometries whose edges are other curves.
 * @param out_distance Receives the distance. Initialise it with ALD_DISTANCE_INIT.
 * @param out_new_receipt NULL, or receives the receipt of projecting the other geometry; the host owns it. Null if it
 *     was not projected. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is not valid, the unit does not fit, only one of the two has a spatial
 *     reference, the ellipsoid or a unit is requested and neither has a spatial reference, they are of different
 *     runtimes, out_distance is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if a or b is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the curve type is not the geodesic, the ellipsoid is requested and the spatial
 *     reference is local or its ellipsoid is flatter than 1/50, or the coordinates are too large,
 *     or so near each other that the squares of their differences are 0.
 *   - ALD_STATUS_PROJECTION_FAILED if a vertex is not a point on the ellipsoid, or cannot be projected.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call exceeds a limit of the policy.
 */
ALD_API ald_status ald_geometry_distance(ald_geometry a, ald_geometry b, const ald_measure_options *options,
                                         ald_distance *out_distance, ald_projection_receipt *out_new_receipt,
                                         ald_error *error);

/**
 * Finds the point of a geometry that is nearest to another point: on its edges, inside its polygons, or among its
 * vertices.
 *
 * @param geometry The geometry; not a collection.
 * @param point The point, in the spatial reference of the geometry; finite.
 * @param search Bits of ald_nearest_search; 0: anywhere.
 * @param options How the distance is measured; NULL: in the plane. On the ellipsoid only ALD_CURVE_TYPE_GEODESIC is
 *     allowed.
 * @param out_nearest Receives the nearest point. Initialise it with ALD_NEAREST_POINT_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the point is not finite, a flag is unknown, an option is not valid, the unit does
 *     not fit, the ellipsoid or a unit is requested and the geometry has no spatial reference, out_nearest is NULL or
 *     its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the geometry is a collection, the curve type is not the geodesic, the ellipsoid is
 *     requested and the spatial reference is local or its ellipsoid is flatter than 1/50, or the coordinates are too
 *     large.
 *   - ALD_STATUS_PROJECTION_FAILED if the point or a vertex is not a point on the ellipsoid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call exceeds a limit of the policy.
 */
ALD_API ald_status ald_geometry_nearest(ald_geometry geometry, ald_point point, ald_nearest_search search,
                                        const ald_measure_options *options, ald_nearest_point *out_nearest,
                                        ald_error *error);

/* Curves between points */

/**
 * Computes the distances and azimuths between pairs of points, along curves on the ellipsoid.
 *
 * If a point does not lie on the ellipsoid, or two points lie opposite to each other so that no unique great elliptic
 * or normal section joins them, the results for this pair are NaN. Other pairs are not affected. A loxodrome from a
 * pole follows the other point's meridian; its azimuth is 180 or 0, whatever the pole's own longitude.
 *
 * @param spatial_reference The spatial reference of the points.
 * @param curve_type The curve; not ALD_CURVE_TYPE_SHAPE_PRESERVING.
 * @param from_xy count points, each two doubles x, y.
 * @param from_stride_bytes Bytes from one point to the next, at least 16. 0 means 16.
 * @param to_xy count points, each two doubles x, y.
 * @param to_stride_bytes Bytes from one point to the next, at least 16. 0 means 16.
 * @param count The number of pairs; 0 does nothing.
 * @param out_distances_m NULL, or receives count distances in metres.
 * @param out_azimuths_deg NULL, or receives count azimuths of the curves at the first points, -180 to 180.
 * @param out_end_azimuths_deg NULL, or receives count azimuths of the curves at the second points, in the direction
 *     away from the first points, -180 to 180.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an array is missing, a stride is too small, a size overflows, or there is no such
 *     curve_type.
 *   - ALD_STATUS_INVALID_HANDLE if spatial_reference is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the curve type is shape-preserving, or the spatial reference is local or its ellipsoid
 *     is flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if PROJ has no operation from the spatial reference to longitudes and latitudes.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more points than the policy allows.
 */
ALD_API ald_status ald_spatial_reference_geodesic_inverse(ald_spatial_reference spatial_reference,
                                                          ald_curve_type curve_type, const double *from_xy,
                                                          size_t from_stride_bytes, const double *to_xy,
                                                          size_t to_stride_bytes, size_t count, double *out_distances_m,
                                                          double *out_azimuths_deg, double *out_end_azimuths_deg,
                                                          ald_error *error);

/**
 * Computes the end points of curves on the ellipsoid from their start points, directions and lengths.
 *
 * If a point does not lie on the ellipsoid, the end point has no coordinates in the spatial reference, or a loxodrome
 * would continue beyond a pole, the results for this curve are NaN. Longitudes are -180 to 180, from the spatial
 * reference's own prime meridian.
 *
 * @param spatial_reference The spatial reference of the points.
 * @param curve_type The curve; not ALD_CURVE_TYPE_SHAPE_PRESERVING.
 * @param from_xy count points, each two doubles x, y.
 * @param from_stride_bytes Bytes from one point to the next, at least 16. 0 means 16.
 * @param azimuths_deg count azimuths at the points.
 * @param distances_m count distances in metres. A negative distance leads backwards.
 * @param count The number of curves; 0 does nothing.
 * @param out_xy Receives count points, each two doubles x, y. Must not overlap the input arrays.
 * @param out_stride_bytes Bytes from one point to the next, at least 16. 0 means 16. Bytes between points are not
 *     changed.
 * @param out_end_azimuths_deg NULL, or receives count azimuths of the curves at the end points, in the direction away
 *     from the start points, -180 to 180.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an array is missing, a stride is too small, a size overflows, or there is no such
 *     curve_type.
 *   - ALD_STATUS_INVALID_HANDLE if spatial_reference is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the curve type is shape-preserving, or the spatial reference is local or its ellipsoid
 *     is flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if PROJ has no operation from the spatial reference to longitudes and latitudes.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more points than the policy allows.
 */
ALD_API ald_status ald_spatial_reference_geodesic_direct(ald_spatial_reference spatial_reference,
                                                         ald_curve_type curve_type, const double *from_xy,
                                                         size_t from_stride_bytes, const double *azimuths_deg,
                                                         const double *distances_m, size_t count, double *out_xy,
                                                         size_t out_stride_bytes, double *out_end_azimuths_deg,
                                                         ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

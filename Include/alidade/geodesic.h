/**
 * @file
 * Ways on the earth between points: how far it is, in which direction, and where a way leads.
 *
 * Points are in any spatial reference with a datum; ways lie on its ellipsoid, and no datum is changed. Azimuths are
 * degrees clockwise from true north, distances metres. Geodesics are computed after Karney and right to 15 nanometres
 * on the earth, also between points that lie nearly opposite to each other, and at the poles; the other curves by
 * integrals that are as right, loxodromes to a distance of some nanometres from a pole. Ellipsoids may be flattened by
 * up to 1/50.
 */
#ifndef ALIDADE_GEODESIC_H
#define ALIDADE_GEODESIC_H

#include "base.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which way leads from one point to the next. */
typedef int32_t ald_curve_type;
enum {
  /** The shortest way. */
  ALD_CURVE_GEODESIC = 0,
  /**
   * The way of constant azimuth, straight in Mercator's projection; of the two ways around the earth the shorter. To
   * and from a pole it is the meridian of the other end.
   */
  ALD_CURVE_LOXODROME = 1,
  /** In the plane of both points and the earth's centre. */
  ALD_CURVE_GREAT_ELLIPTIC = 2,
  /** In the plane of both points and the normal to the ellipsoid at the first. */
  ALD_CURVE_NORMAL_SECTION = 3,
  /** Straight in a geometry's own coordinates, as it is drawn there. Of edges of geometries only. */
  ALD_CURVE_SHAPE_PRESERVING = 4
};

/**
 * How far it is between points, and in which directions. Where a point is no place on the earth, or two lie opposite to
 * each other so that no one great elliptic or normal section joins them, the numbers are NaN; others are not affected.
 *
 * @param spatial_reference What the points are in.
 * @param curve_type Which way; not ALD_CURVE_SHAPE_PRESERVING.
 * @param from_xy count points, each two doubles x, y.
 * @param from_stride_bytes From one point to the next; 0: 16. At least 16.
 * @param to_xy count points, each two doubles x, y.
 * @param to_stride_bytes From one point to the next; 0: 16. At least 16.
 * @param count How many pairs; 0 does nothing.
 * @param out_distances_m NULL, or receives count distances.
 * @param out_azimuths_deg NULL, or receives count azimuths at the first points, -180 to 180.
 * @param out_end_azimuths_deg NULL, or receives count azimuths at the second points, onwards, -180 to 180.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an array is missing, a stride is too
 *   small, a size overflows, or curve_type is none; ALD_STATUS_UNSUPPORTED if the curve is shape-preserving, or the
 *   spatial reference is local or has an ellipsoid that is too flat; ALD_STATUS_PROJECTION_FAILED if PROJ knows no way
 *   from the spatial reference to longitudes and latitudes; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geodesic_inverse(ald_spatial_reference spatial_reference, ald_curve_type curve_type,
                                        const double *from_xy, size_t from_stride_bytes, const double *to_xy,
                                        size_t to_stride_bytes, size_t count, double *out_distances_m,
                                        double *out_azimuths_deg, double *out_end_azimuths_deg, ald_error *error);

/**
 * Where ways lead that begin at points, in directions, and go on for distances. Where a point is no place on the earth,
 * the end has none in the spatial reference, or a loxodrome would go on beyond a pole, the numbers are NaN.
 *
 * Longitudes are -180 to 180 (of the spatial reference's own prime meridian).
 *
 * @param spatial_reference What the points are in.
 * @param curve_type Which way; not ALD_CURVE_SHAPE_PRESERVING.
 * @param from_xy count points, each two doubles x, y.
 * @param from_stride_bytes From one point to the next; 0: 16. At least 16.
 * @param azimuths_deg count azimuths at the points.
 * @param distances_m count distances; backwards if negative.
 * @param count How many ways; 0 does nothing.
 * @param out_xy Receives count points, each two doubles x, y. Must not overlap the arrays that go in.
 * @param out_stride_bytes From one point to the next; 0: 16. At least 16. Bytes between points are left alone.
 * @param out_end_azimuths_deg NULL, or receives count azimuths at the ends, onwards, -180 to 180.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an array is missing, a stride is too
 *   small, a size overflows, or curve_type is none; ALD_STATUS_UNSUPPORTED if the curve is shape-preserving, or the
 *   spatial reference is local or has an ellipsoid that is too flat; ALD_STATUS_PROJECTION_FAILED if PROJ knows no way
 *   from the spatial reference to longitudes and latitudes; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geodesic_direct(ald_spatial_reference spatial_reference, ald_curve_type curve_type,
                                       const double *from_xy, size_t from_stride_bytes, const double *azimuths_deg,
                                       const double *distances_m, size_t count, double *out_xy, size_t out_stride_bytes,
                                       double *out_end_azimuths_deg, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

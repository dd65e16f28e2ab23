/**
 * @file
 * How far a planar buffer is off from the geodesic one at a place, in metres: whether a plane will do.
 */
#ifndef ALIDADE_PLANAR_BUFFER_ERROR_H
#define ALIDADE_PLANAR_BUFFER_ERROR_H

#include "base.h"
#include "spatial_reference.h"
#include "units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How far the planar buffer of a place reaches too far. Negative numbers: it falls short. */
typedef struct ald_planar_buffer_error {
  uint32_t struct_size;
  uint32_t reserved;
  /** Metres on the ground that the planar buffer's outline lies farther from the place than the distance; the least. */
  double min_m;
  /** The most. */
  double max_m;
  /** The mean over all directions of the plane. */
  double mean_m;
  /** The direction in which the two differ most, as an azimuth at the place: degrees clockwise from north, 0 to 360. */
  double worst_azimuth_deg;
  /** The point of the planar buffer's outline in that direction, in the spatial reference. */
  ald_point worst_at;
  /** Square metres on the ground of the planar buffer. */
  double planar_area_m2;
  /** Square metres on the ground of the geodesic buffer, which is right. */
  double geodesic_area_m2;
} ald_planar_buffer_error;

/** Initialises an ald_planar_buffer_error. */
#define ALD_PLANAR_BUFFER_ERROR_INIT                                                                                   \
  { (uint32_t)sizeof(ald_planar_buffer_error), 0, 0.0, 0.0, 0.0, 0.0, {0.0, 0.0}, 0.0, 0.0 }

/**
 * Measures how far the planar buffer of a place is off from the geodesic one.
 *
 * The planar buffer is a circle in the plane of the coordinates, its radius the distance in the unit of the spatial
 * reference; of one in degrees, as arc along the equator: 1 degree for 111,319 m. Both outlines are compared all
 * around.
 *
 * @param spatial_reference What the place and the planar buffer are in.
 * @param place The centre.
 * @param distance In the unit, 1e-6 m to 19,970 km (on the earth).
 * @param unit A unit of length; 0: metres.
 * @param out_measured Initialise it with ALD_PLANAR_BUFFER_ERROR_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the place is not finite or no place
 * on the earth, the distance or the unit is not valid, out_measured is NULL or its struct_size is none;
 *   ALD_STATUS_UNSUPPORTED if the spatial reference has no ellipsoid, or one flatter than 1/50;
 *   ALD_STATUS_PROJECTION_FAILED if the place or some of the planar buffer lies nowhere on the earth, such as beyond a
 *   pole, or the planar buffer is wider than the world.
 */
ALD_API ald_status ald_planar_buffer_measure_error(ald_spatial_reference spatial_reference, ald_point place,
                                                   double distance, ald_unit unit,
                                                   ald_planar_buffer_error *out_measured, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

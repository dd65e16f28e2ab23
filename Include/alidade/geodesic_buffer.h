/**
 * @file
 * Geodesic buffers: all that lies within a distance on the ground, wherever on the earth, in any spatial reference.
 *
 * A planar buffer is as wide as the plane says, which away from the middle of a projection is not what the ground says.
 * A geodesic one is the same anywhere: across the antimeridian and over a pole, too. How far its outline is off from
 * the true one is bounded by the host and reported.
 *
 * With flat or square ends, mitres or bevels, a buffer is the union of strips along the segments and of what joins
 * them. The sides of a strip lie at the distance abeam of its segment, its ends are geodesics at right angles to it.
 */
#ifndef ALIDADE_GEODESIC_BUFFER_H
#define ALIDADE_GEODESIC_BUFFER_H

#include "base.h"
#include "geodesic.h"
#include "geometry.h"
#include "geometry_array.h"
#include "planar_buffer.h"
#include "units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_geodesic_buffer_options.flags. */
typedef uint32_t ald_geodesic_buffer_flags;
enum {
  /**
   * What crosses the antimeridian stays in one piece, with longitudes beyond 180, if anywhere around the earth there is
   * room to cut the map open. Without it polygons are cut there. The same holds of the sides of other maps of the whole
   * world, such as Web Mercator.
   */
  ALD_GEODESIC_BUFFER_UNWRAPPED = 1
};

/** How geodesic buffers are made. */
typedef struct ald_geodesic_buffer_options {
  uint32_t struct_size;
  ald_geodesic_buffer_flags flags;
  /** A unit of length, of the distance and of maximum_deviation; 0: metres. */
  ald_unit unit;
  /** What the edges of lines and polygons are; 0: geodesics. */
  ald_curve_type curve_type;
  /**
   * How far the outline may lie from the true one on the ground, from 1e-7 m; 0: a thousandth of each distance, which
   * gives a circle some 72 vertices. Smaller numbers take more vertices, by their square root. From 1e-6 m unless cap
   * and join are round.
   */
  double maximum_deviation;
  /**
   * How the ends of lines are buffered. A square end is that of the geodesic that goes on by the distance; the square
   * around a point has two sides that cross its meridian at right angles.
   */
  ald_buffer_cap cap;
  /**
   * How the outer sides of corners are buffered. The sides of a mitre are abeam of the segments' geodesics beyond the
   * corner; the side of a bevel is a geodesic.
   */
  ald_buffer_join join;
  /** How many times the distance a mitre may be long, 1 to 1e6; a longer one is cut off. 0: 5. */
  double mitre_limit;
} ald_geodesic_buffer_options;

/** Initialises an ald_geodesic_buffer_options to the default. */
#define ALD_GEODESIC_BUFFER_OPTIONS_INIT                                                                               \
  { (uint32_t)sizeof(ald_geodesic_buffer_options), 0, 0, 0, 0.0, 0, 0, 0.0 }

/** How near a geodesic buffer is to the true one. */
typedef struct ald_geodesic_buffer_report {
  uint32_t struct_size;
  uint32_t reserved;
  /** What was allowed, metres; of several buffers the most. */
  double maximum_deviation_m;
  /**
   * What was achieved, metres on the ground; of several buffers the worst. What is nearer than the distance by more
   * than this is inside, and what is farther by more is outside. Not below the true deviation; 0 for an empty result.
   */
  double achieved_deviation_m;
} ald_geodesic_buffer_report;

/** Initialises an ald_geodesic_buffer_report. */
#define ALD_GEODESIC_BUFFER_REPORT_INIT                                                                                \
  { (uint32_t)sizeof(ald_geodesic_buffer_report), 0, 0.0, 0.0 }

/**
 * All that lies within a geodesic distance of a geometry, as a polygon in the geometry's spatial reference.
 *
 * Distances are those on the ellipsoid of the geometry's datum; no datum is changed. In a projected spatial reference
 * the deviation holds of the edges as they are straight there. A ring encloses the smaller of the two parts that it
 * cuts the earth into, or with ALD_CURVE_SHAPE_PRESERVING what it encloses as it is drawn; one that crosses itself
 * encloses what it goes around an odd number of times. z and m are left out.
 *
 * A projection that cannot show some of the buffer (a pole in Mercator, the line along which a map is cut open, the far
 * side of the earth) is an error: nothing is left out in silence. Project the geometry to its geographic spatial
 * reference and buffer it there. A map of the whole world with straight sides, such as Web Mercator, is cut at its
 * sides, or unwrapped.
 *
 * @param geometry Of any kind; an empty one gives an empty polygon.
 * @param distance In the unit of the options, 1e-6 m to 19,970 km (on the earth), or to 4,975 km unless cap and join
 * are round. Negative: what of polygons lies farther than that from their boundaries; points and lines give an empty
 * polygon.
 * @param options NULL for the defaults.
 * @param out_buffer Receives the polygon, of as many parts as it takes; the host owns it. Set to null on failure.
 * @param out_report NULL, or how near it is. Initialise it with ALD_GEODESIC_BUFFER_REPORT_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the distance or an option is not
 * valid, the geometry has no spatial reference or a vertex is no place on the earth (a longitude beyond 1,000,000
 * degrees is none: it has lost too many digits), an edge goes all around the earth,
 * or in a plane of its curve type to the opposite point, cap and join are not round and the curve type is not geodesic,
 * a mitre would be longer than a quarter of the way around the earth, out_buffer is NULL or a struct_size is none;
 * ALD_STATUS_UNSUPPORTED if the spatial reference has no ellipsoid, or one flatter than 1/50;
 * ALD_STATUS_PROJECTION_FAILED if the projection cannot show the buffer or has no place for a vertex;
 * ALD_STATUS_LIMIT_EXCEEDED if it takes more vertices than the policy allows, or than doubles can tell apart.
 */
ALD_API ald_status ald_geometry_create_geodesic_buffer(ald_geometry geometry, double distance,
                                                       const ald_geodesic_buffer_options *options,
                                                       ald_geometry *out_buffer, ald_geodesic_buffer_report *out_report,
                                                       ald_error *error);

/**
 * A geodesic buffer of each geometry of an array, on all cores.
 *
 * @param geometry_array Of any kinds.
 * @param distances One for each geometry; of fewer the last one is for all that follow.
 * @param distance_count At least 1, and at most as many as there are geometries (1 for an empty array).
 * @param options NULL for the defaults.
 * @param out_buffers Receives the polygons, in the order of the geometries; the host owns it. Set to null on
 *   failure.
 * @param out_report NULL, or how near they are. Initialise it with ALD_GEODESIC_BUFFER_REPORT_INIT.
 * @return As ald_geometry_create_geodesic_buffer; the message names the geometry. ALD_STATUS_OK;
 * ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT; ALD_STATUS_UNSUPPORTED; ALD_STATUS_PROJECTION_FAILED;
 * ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_array_create_geodesic_buffers(ald_geometry_array geometry_array,
                                                              const double *distances, size_t distance_count,
                                                              const ald_geodesic_buffer_options *options,
                                                              ald_geometry_array *out_buffers,
                                                              ald_geodesic_buffer_report *out_report, ald_error *error);

/**
 * The geodesic buffers of all geometries of an array, united into one polygon.
 *
 * @param geometry_array Of any kinds.
 * @param distances One for each geometry; of fewer the last one is for all that follow.
 * @param distance_count At least 1, and at most as many as there are geometries (1 for an empty array).
 * @param options NULL for the defaults.
 * @param out_buffer Receives the polygon, of as many parts as it takes; the host owns it. Set to null on failure.
 * @param out_report NULL, or how near it is. Initialise it with ALD_GEODESIC_BUFFER_REPORT_INIT.
 * @return As ald_geometry_create_geodesic_buffer. ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE;
 * ALD_STATUS_INVALID_ARGUMENT; ALD_STATUS_UNSUPPORTED; ALD_STATUS_PROJECTION_FAILED; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_array_create_geodesic_buffer_union(ald_geometry_array geometry_array,
                                                                   const double *distances, size_t distance_count,
                                                                   const ald_geodesic_buffer_options *options,
                                                                   ald_geometry *out_buffer,
                                                                   ald_geodesic_buffer_report *out_report,
                                                                   ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

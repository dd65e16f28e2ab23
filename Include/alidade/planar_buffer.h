/**
 * @file
 * Planar buffers: all that lies within a distance of a geometry, measured in the plane of its coordinates. In degrees,
 * or far from where a projection is true to scale, that is not a distance on the ground.
 *
 * A buffer is a polygon of as many parts as it takes, without z and m: shells go counterclockwise, holes clockwise. It
 * is empty if nothing is left: of an empty geometry, of points and lines at a distance of 0 or below, of a polygon
 * that a negative distance shrinks to nothing. A collection's buffer is the union of its members'.
 *
 * Arcs are drawn by chords whose ends lie on the arc. So with round caps and joins the outline of a growing buffer lies
 * between (1 - cos(pi / (4 * quadrant_segments))) of the distance inside of the true one and the true one, and that of
 * a shrinking buffer between the true one and the same share outside of it, apart from rounding: the buffer covers its
 * geometry, whatever lines and rings do. Around points alone the first vertex lies due east.
 *
 * The outline is computed on a grid of one step of a double at the largest coordinate of the result; each vertex may be
 * off by some of these steps (1.9e-9 at coordinates of 1e7). What is narrower than a step is left out. A distance below
 * one step of the geometry's largest coordinate counts as 0, and where a polygon shrinks, one below 64 steps.
 *
 * Polygons must be valid, which GEOS decides; nothing else here is GEOS's.
 */
#ifndef ALIDADE_PLANAR_BUFFER_H
#define ALIDADE_PLANAR_BUFFER_H

#include "base.h"
#include "geometry.h"
#include "geometry_array.h"
#include "runtime.h"
#include "units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How the ends of lines are buffered. A point has the caps of a line without length. */
typedef int32_t ald_buffer_cap;
enum {
  /** A half circle; a circle around a point. A line that ends where it begins has a corner there and no ends. */
  ALD_BUFFER_CAP_ROUND = 0,
  /** Straight through the end; nothing around a point. */
  ALD_BUFFER_CAP_FLAT = 1,
  /** Straight, the distance beyond the end; a square around a point, its sides along the axes. */
  ALD_BUFFER_CAP_SQUARE = 2
};

/** How the outer sides of corners are buffered. */
typedef int32_t ald_buffer_join;
enum {
  /** An arc. */
  ALD_BUFFER_JOIN_ROUND = 0,
  /** The sides go on until they meet, but not beyond the mitre limit. */
  ALD_BUFFER_JOIN_MITRE = 1,
  /** A straight line between the ends of both sides. */
  ALD_BUFFER_JOIN_BEVEL = 2
};

/** On which sides lines are buffered, looking along them. */
typedef int32_t ald_buffer_side;
enum {
  ALD_BUFFER_SIDE_BOTH = 0,
  /**
   * Only on the left, with flat caps: a strip along each segment, and what joins the strips at corners. Where a corner
   * turns to the left and both of its segments are long against the distance, the strips end where they meet; where one
   * is short, a strip may reach across the next segment. Points and polygons are buffered as ever.
   */
  ALD_BUFFER_SIDE_LEFT = 1,
  /** Only on the right, in the same way. */
  ALD_BUFFER_SIDE_RIGHT = 2
};

/** How a planar buffer is made. */
typedef struct ald_buffer_options {
  uint32_t struct_size;
  ald_buffer_cap cap;
  ald_buffer_join join;
  ald_buffer_side side;
  /**
   * What distances and maximum_deviation are in; 0: the unit of the geometry's coordinates. A named unit needs a
   * spatial reference: a length one that is projected, an angle one that is geographic.
   */
  ald_unit unit;
  /** Segments to a right angle of an arc, 1 to 1048576; 0: 16, unless maximum_deviation says it. */
  uint32_t quadrant_segments;
  /**
   * How far a segment may be from its arc, above 0; then arcs have as many segments as that takes. 0:
   * quadrant_segments says it. One of the two must be 0. 16 segments to a right angle deviate by 0.0012 of the
   * distance at most.
   */
  double maximum_deviation;
  /** How many times the distance a mitre may be long, 1 to 1e6; what is longer is cut off. 0: 5. */
  double mitre_limit;
  /**
   * The distance on the right of lines, in the same unit, up to 1e90; then the distance of the call, above 0, is that
   * on their left. 0: the same on both sides. Round and square ends are those of the strip as wide as both distances
   * together; inner sides of corners are as with a side alone. Points and polygons have the distance of the call. May
   * not be given beside a side.
   */
  double right_distance;
} ald_buffer_options;

/** Initialises an ald_buffer_options to round caps and joins with 16 segments to a right angle. */
#define ALD_BUFFER_OPTIONS_INIT                                                                                        \
  { (uint32_t)sizeof(ald_buffer_options), 0, 0, 0, 0, 0, 0.0, 0.0, 0.0 }

/**
 * Makes the planar buffer of a geometry.
 *
 * @param distance How far: 0, or 1e-90 to 1e90 in size. A negative one shrinks polygons, and may not be given beside a
 *   side or a right distance.
 * @param options NULL for all defaults.
 * @param out_geometry Receives the polygon; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is out of its range, the
 *   unit does not fit the spatial reference (a length in degrees: the message names the geodesic buffer), a polygon is
 *   not valid (the message says where; ald_geometry_create_repaired mends it), a coordinate is beyond 1e90, or
 *   out_geometry is NULL; ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows, or the maximum
 *   deviation needs more than 1048576 segments to a right angle.
 */
ALD_API ald_status ald_geometry_create_buffer(ald_geometry geometry, double distance, const ald_buffer_options *options,
                                              ald_geometry *out_geometry, ald_error *error);

/**
 * Makes the planar buffer of each geometry of an array, on all cores.
 *
 * @param distances A distance for each geometry; where there are fewer, the last one holds for the rest. As in
 *   ald_geometry_create_buffer.
 * @param distance_count How many distances there are: 1 to the number of geometries; an empty array may have 1, too.
 * @param options NULL for all defaults.
 * @param out_array Receives an array with a polygon for each geometry, in their order; the host owns it. Set to null
 *   on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if there is no distance or are more
 *   than geometries, a number is out of its range, the unit does not fit the spatial reference, a polygon is not valid
 *   (the message says which and where), a coordinate is beyond 1e90, or an argument is missing;
 *   ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows, or the maximum deviation needs more than
 *   1048576 segments to a right angle.
 */
ALD_API ald_status ald_geometry_array_create_buffers(ald_geometry_array geometry_array, const double *distances,
                                                     size_t distance_count, const ald_buffer_options *options,
                                                     ald_geometry_array *out_array, ald_error *error);

/**
 * Makes one polygon of the planar buffers of all geometries of an array: their union. The boundary of a union of
 * points' buffers is computed exactly, in arcs: their vertices are those that whole circles have, and where circles
 * meet.
 *
 * @param distances A distance for each geometry; where there are fewer, the last one holds for the rest. As in
 *   ald_geometry_create_buffer.
 * @param distance_count How many distances there are: 1 to the number of geometries; an empty array may have 1, too.
 * @param options NULL for all defaults.
 * @param out_geometry Receives the polygon; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if there is no distance or are more
 *   than geometries, a number is out of its range, the unit does not fit the spatial reference, a polygon is not valid
 *   (the message says which and where), a coordinate is beyond 1e90, circles differ in size by more than 2 to the
 *   power of 100, or an argument is missing; ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows,
 *   or the maximum deviation needs more than 1048576 segments to a right angle.
 */
ALD_API ald_status ald_geometry_array_create_buffer_union(ald_geometry_array geometry_array, const double *distances,
                                                          size_t distance_count, const ald_buffer_options *options,
                                                          ald_geometry *out_geometry, ald_error *error);

/**
 * Writes circles into memory of the host's, such as a vertex buffer, on all cores: 4 * quadrant_segments + 1 vertices
 * for each, counterclockwise from due east, the last the first again. They are those of
 * ald_geometry_array_create_buffers, and nothing is made of them: a radius of 0 gives that many times the centre.
 *
 * @param runtime Whose cores and policy count.
 * @param xy The centres, finite: pairs x, y.
 * @param stride_bytes Bytes from one centre to the next; 0: 16. At least 16.
 * @param count How many centres xy has.
 * @param radii A radius for each centre, finite, 0 or above; where there are fewer, the last one holds for the rest.
 * @param radius_count How many radii there are: 1 to count; 1 if count is 0.
 * @param quadrant_segments Segments to a right angle, 1 to 1048576.
 * @param out_vertex_xy Receives the vertices, circle after circle. May not overlap the input.
 * @param out_stride_bytes Bytes from one vertex to the next; 0: 16. At least 16.
 * @param vertex_capacity How many vertices out_vertex_xy has room for.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is out of its range, a
 *   vertex would not be finite, or an argument is missing; ALD_STATUS_LIMIT_EXCEEDED if there are more vertices than
 *   the policy allows; ALD_STATUS_BUFFER_TOO_SMALL. Unless it is ALD_STATUS_OK, the memory is left alone.
 */
ALD_API ald_status ald_circles_fill(ald_runtime runtime, const double *xy, size_t stride_bytes, size_t count,
                                    const double *radii, size_t radius_count, uint32_t quadrant_segments,
                                    double *out_vertex_xy, size_t out_stride_bytes, size_t vertex_capacity,
                                    ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

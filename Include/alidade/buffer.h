/**
 * @file
 * Buffers: the area within a distance of geometries, in the plane of their coordinates or on the ground. Also circles,
 * ellipses and sectors on the ellipsoid.
 *
 * A planar buffer measures in the plane of the coordinates. In degrees, or far from the points where a projection is
 * true to scale, this is not the distance on the ground. ald_spatial_reference_measure_buffer_error reports how large
 * the difference is. A geodesic buffer measures on the ellipsoid and is correct everywhere, even across the
 * antimeridian and over a pole. The host sets the largest deviation of its outline, and a report gives the deviation
 * that was achieved.
 *
 * A buffer is a polygon with any number of parts, without z and m. Shells run counterclockwise, holes clockwise. It is
 * empty if nothing remains: for an empty geometry, for points and lines at a planar distance of 0 or below and a
 * geodesic distance below 0, and for a polygon that a negative distance shrinks to nothing. A geodesic distance of 0 is
 * an error. The buffer of a collection is the union of the buffers of its members.
 *
 * @code{.c}
 * ald_geometry zone;
 * ald_geodesic_buffer_options options = ALD_GEODESIC_BUFFER_OPTIONS_INIT;
 * ald_geodesic_buffer_report report = ALD_GEODESIC_BUFFER_REPORT_INIT;
 * options.maximum_deviation = 0.5;
 * ald_status status = ald_geometry_create_geodesic_buffer(geometry, 2000, &options, &zone, &report, error);
 * if (status == ALD_STATUS_OK)
 *   printf("within %g m of the true buffer\n", report.achieved_deviation_m);
 * ald_geometry_release(zone);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_BUFFER_H
#define ALIDADE_BUFFER_H

#include "base.h"
#include "handles.h"
#include "measure.h"
#include "units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How the ends of lines are buffered. A point has the caps of a line without length. */
typedef int32_t ald_buffer_cap;
enum ald_buffer_cap_values {
  /** A half circle; a circle around a point. A line that ends where it begins has a corner there, and no ends,
   * unless it has only three vertices and goes out and back. */
  ALD_BUFFER_CAP_ROUND = 0,
  /** A straight side through the end; nothing around a point. */
  ALD_BUFFER_CAP_FLAT = 1,
  /** A straight side at the distance beyond the end; around a point a square with its sides along the axes. */
  ALD_BUFFER_CAP_SQUARE = 2
};

/** How the outer sides of corners are buffered. */
typedef int32_t ald_buffer_join;
enum ald_buffer_join_values {
  /** An arc. */
  ALD_BUFFER_JOIN_ROUND = 0,
  /** Both sides are extended until they meet, but not beyond the mitre limit. */
  ALD_BUFFER_JOIN_MITRE = 1,
  /** A straight line between the ends of both sides. */
  ALD_BUFFER_JOIN_BEVEL = 2
};

/** The sides on which lines are buffered, in the direction of the line. */
typedef int32_t ald_buffer_side;
enum ald_buffer_side_values {
  ALD_BUFFER_SIDE_BOTH = 0,
  /**
   * Only the left side, with flat caps. The buffer consists of a strip along each segment and the joins between the
   * strips at corners. At a corner that turns left, strips end where they meet if both segments are long compared to
   * the distance; if one is short, a strip may reach across the next segment. Points and polygons are buffered as
   * usual.
   */
  ALD_BUFFER_SIDE_LEFT = 1,
  /** Only the right side, in the same way. */
  ALD_BUFFER_SIDE_RIGHT = 2
};

/** How a planar buffer is created. */
typedef struct ald_buffer_options {
  uint32_t struct_size;
  ald_buffer_cap cap;
  ald_buffer_join join;
  ald_buffer_side side;
  /**
   * The unit of distances and of maximum_deviation. 0 means the unit of the geometry's coordinates. A named unit needs
   * a spatial reference: a unit of length a projected one, a unit of angle a geographic one.
   */
  ald_unit unit;
  /**
   * The number of segments for each right angle of an arc, 1 to 1048576. 0 means 16, unless maximum_deviation is given.
   */
  uint32_t quadrant_segments;
  /**
   * The largest distance between a segment and its arc, above 0; arcs then have as many segments as this needs. 0:
   * quadrant_segments decides. At most one of the two may be given. 16 segments for each right angle deviate by at most
   * 0.0012 times the distance.
   */
  double maximum_deviation;
  /** The longest mitre, as a multiple of the distance, 1 to 1e6. Longer mitres are cut off. 0 means 5. */
  double mitre_limit;
  /**
   * The distance on the right side of lines, in the same unit, up to 1e90. The parameter distance, which must then be
   * above 0, applies to the left side. 0 means the same distance on both sides. Round and square ends are the ends of a
   * strip as wide as both distances together; inner sides of corners are formed as for a single side. The parameter
   * distance applies to points and polygons. Must be 0 if side is not ALD_BUFFER_SIDE_BOTH.
   */
  double right_distance;
} ald_buffer_options;

/** Initialises an ald_buffer_options to round caps and joins with 16 segments to a right angle. */
#define ALD_BUFFER_OPTIONS_INIT                                                                                        \
  { (uint32_t)sizeof(ald_buffer_options), 0, 0, 0, 0, 0, 0.0, 0.0, 0.0 }

/**
 * By how much the planar buffer of a point is larger than the geodesic buffer. Negative numbers mean that it is
 * smaller.
 */
typedef struct ald_planar_buffer_error {
  uint32_t struct_size;
  uint32_t reserved;
  /**
   * The smallest difference in any direction: the distance on the ground from the point to the outline of the planar
   * buffer, minus the buffer's distance, in metres.
   */
  double min_m;
  /** The largest difference, in metres. */
  double max_m;
  /** The mean difference over all directions of the plane, in metres. */
  double mean_m;
  /** The direction in which the two differ most, as an azimuth at the point: degrees clockwise from north, 0 to 360. */
  double worst_azimuth_deg;
  /** The position on the planar buffer's outline in that direction, in the spatial reference. */
  ald_point worst_point;
  /** The area of the planar buffer on the ground, in square metres. */
  double planar_area_m2;
  /** The area of the geodesic buffer on the ground, in square metres. This area is correct. */
  double geodesic_area_m2;
} ald_planar_buffer_error;

/** Initialises an ald_planar_buffer_error. */
#define ALD_PLANAR_BUFFER_ERROR_INIT                                                                                   \
  { (uint32_t)sizeof(ald_planar_buffer_error), 0, 0.0, 0.0, 0.0, 0.0, {0.0, 0.0}, 0.0, 0.0 }

/** Bits of ald_geodesic_buffer_options.flags. */
typedef uint32_t ald_geodesic_buffer_flags;
enum ald_geodesic_buffer_flags_values {
  /**
   * Keeps a polygon that crosses the antimeridian in one piece, with longitudes beyond 180, if the map can be cut open
   * along a meridian that no polygon crosses. Without this bit, polygons are cut at the antimeridian. The same applies
   * to the sides of projected maps of the whole world, such as Web Mercator.
   */
  ALD_GEODESIC_BUFFER_UNWRAPPED = 1
};

/** How geodesic buffers are created. */
typedef struct ald_geodesic_buffer_options {
  uint32_t struct_size;
  ald_geodesic_buffer_flags flags;
  /** The unit of the distance and of maximum_deviation, a unit of length. 0 means metres. */
  ald_unit unit;
  /** The type of the edges of lines and polygons. 0 means geodesics. */
  ald_curve_type curve_type;
  /**
   * The largest deviation of the outline from the true outline on the ground: at least 1e-7 m, or at least 1e-6 m
   * unless cap and join are round. 0 means a thousandth of each distance, which gives a circle about 72 vertices. A
   * quarter of the deviation needs about twice as many vertices.
   */
  double maximum_deviation;
  /**
   * How the ends of lines are buffered. A square end lies on the geodesic that extends the line by the distance. The
   * square around a point has two sides that cross its meridian at right angles.
   */
  ald_buffer_cap cap;
  /**
   * How the outer sides of corners are buffered. The sides of a mitre lie at right angles to the extended geodesics of
   * the segments, at the distance from them. The side of a bevel is a geodesic.
   */
  ald_buffer_join join;
  /** The longest mitre, as a multiple of the distance, 1 to 1e6. Longer mitres are cut off. 0 means 5. */
  double mitre_limit;
} ald_geodesic_buffer_options;

/** Initialises an ald_geodesic_buffer_options to the default. */
#define ALD_GEODESIC_BUFFER_OPTIONS_INIT                                                                               \
  { (uint32_t)sizeof(ald_geodesic_buffer_options), 0, 0, 0, 0.0, 0, 0, 0.0 }

/** How close a geodesic buffer is to the true buffer. */
typedef struct ald_geodesic_buffer_report {
  uint32_t struct_size;
  uint32_t reserved;
  /** The allowed deviation in metres; for several buffers, the largest one. */
  double maximum_deviation_m;
  /**
   * The achieved deviation in metres on the ground; for several buffers, the worst one. It is never below the true
   * deviation. Points nearer than the distance minus this deviation are inside the buffer. Points farther than the
   * distance plus this deviation are outside. 0 for an empty result.
   */
  double achieved_deviation_m;
} ald_geodesic_buffer_report;

/** Initialises an ald_geodesic_buffer_report. */
#define ALD_GEODESIC_BUFFER_REPORT_INIT                                                                                \
  { (uint32_t)sizeof(ald_geodesic_buffer_report), 0, 0.0, 0.0 }

/**
 * An ellipse on the ellipsoid. In each direction from the centre, its outline lies at the geodesic distance that an
 * ellipse in the plane has in that direction.
 */
typedef struct ald_geodesic_ellipse {
  uint32_t struct_size;
  /** The unit of the lengths. ALD_UNIT_NONE means metres. */
  ald_unit unit;
  /** The centre, in the spatial reference. */
  ald_point center;
  /** The semi-axis along the axis direction, from 1e-6 m to 19,900 km on the earth. */
  double semi_axis_1;
  /** The semi-axis across the axis direction, in the same range. */
  double semi_axis_2;
  /** The direction of the first axis in degrees clockwise from north; finite. */
  double axis_azimuth_deg;
  /** The largest deviation of the outline, at least 1e-7 m. 0 means a thousandth of the longer semi-axis. */
  double maximum_deviation;
} ald_geodesic_ellipse;

/** Initialises an ald_geodesic_ellipse; set the centre and the axes. */
#define ALD_GEODESIC_ELLIPSE_INIT                                                                                      \
  { (uint32_t)sizeof(ald_geodesic_ellipse), 0, {0.0, 0.0}, 0.0, 0.0, 0.0, 0.0 }

/** A sector on the ellipsoid: the area within a geodesic distance of the centre, between two directions. */
typedef struct ald_geodesic_sector {
  uint32_t struct_size;
  /** The unit of the lengths. ALD_UNIT_NONE means metres. */
  ald_unit unit;
  /** The centre, in the spatial reference. */
  ald_point center;
  /** The radius, from 1e-6 m to 19,900 km on the earth. */
  double radius;
  /** The direction in which the sector begins, in degrees clockwise from north; finite. */
  double start_azimuth_deg;
  /** The angle from there, clockwise: above 0, at most 360. */
  double angle_deg;
  /** The largest deviation of the outline, at least 1e-7 m. 0 means a thousandth of the radius. */
  double maximum_deviation;
} ald_geodesic_sector;

/** Initialises an ald_geodesic_sector; set the centre, the radius and the angle. */
#define ALD_GEODESIC_SECTOR_INIT                                                                                       \
  { (uint32_t)sizeof(ald_geodesic_sector), 0, {0.0, 0.0}, 0.0, 0.0, 0.0, 0.0 }

/*
 * Planar buffers
 *
 * Arcs are approximated by chords whose ends lie on the arc. With round caps and joins, the outline of a growing buffer
 * therefore lies between the true outline and an outline that is smaller by (1 - cos(pi / (4 * quadrant_segments)))
 * times the distance. The outline of a shrinking buffer lies between the true outline and an outline that is larger by
 * the same length. Apart from rounding, a buffer covers its geometry. Around points, the first vertex lies due east.
 *
 * The outline is computed on a grid. One step of the grid is the distance between two neighbouring doubles at the
 * largest coordinate of the result. Each vertex may be off by some of these steps (1.9e-9 at coordinates of 1e7). Parts
 * that are narrower than a step are left out. A distance below one step of the geometry's largest coordinate counts as
 * 0. If a polygon shrinks, a distance below 64 steps counts as 0.
 *
 * Polygons must be valid. GEOS checks this; the library itself computes the buffers.
 */

/**
 * Creates a planar buffer around a geometry.
 *
 * @param distance The distance: 0, or 1e-90 to 1e90 in size. A negative distance shrinks polygons, and must not be
 *     combined with a side or a right distance.
 * @param options NULL for all defaults.
 * @param out_geometry Receives the polygon; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is out of its range, the unit does not fit the spatial reference (for a
 *     length in degrees the message names the geodesic buffer), a polygon is not valid (the message says where;
 *     ald_geometry_create_repaired repairs it), a coordinate is beyond 1e90, or out_geometry is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows, or the maximum deviation needs more
 *     than 1048576 segments for each right angle.
 */
ALD_API ald_status ald_geometry_create_buffer(ald_geometry geometry, double distance, const ald_buffer_options *options,
                                              ald_geometry *out_geometry, ald_error *error);

/**
 * Creates a planar buffer around each geometry of an array, on all cores.
 *
 * @param distances A distance for each geometry, as in ald_geometry_create_buffer. If there are fewer distances, the
 *     last one applies to all remaining geometries.
 * @param distance_count The number of distances: 1 to the number of geometries; 1 for an empty array.
 * @param options NULL for all defaults.
 * @param out_array Receives an array with a polygon for each geometry, in their order; the host owns it. Set to null on
 *     failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if there is no distance or there are more distances than geometries, a number is out
 *     of its range, the unit does not fit the spatial reference, a polygon is not valid (the message says which and
 *     where), a coordinate is beyond 1e90, or distances or out_array is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows, or the maximum deviation needs more
 *     than 1048576 segments for each right angle.
 */
ALD_API ald_status ald_geometry_array_create_buffers(ald_geometry_array geometry_array, const double *distances,
                                                     size_t distance_count, const ald_buffer_options *options,
                                                     ald_geometry_array *out_array, ald_error *error);

/**
 * Creates one polygon from the planar buffers around all geometries of an array: their union.
 *
 * For points, the boundary of the union is computed exactly, in arcs. Its vertices are the vertices of whole circles,
 * and the points where circles meet.
 *
 * @param distances A distance for each geometry, as in ald_geometry_create_buffer. If there are fewer distances, the
 *     last one applies to all remaining geometries.
 * @param distance_count The number of distances: 1 to the number of geometries; 1 for an empty array.
 * @param options NULL for all defaults.
 * @param out_geometry Receives the polygon; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if there is no distance or there are more distances than geometries, a number is out
 *     of its range, the unit does not fit the spatial reference, a polygon is not valid (the message says which and
 *     where), a coordinate is beyond 1e90, circles differ in size by more than 2 to the power of 100, or distances or
 *     out_geometry is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows, or the maximum deviation needs more
 *     than 1048576 segments for each right angle.
 */
ALD_API ald_status ald_geometry_array_create_buffer_union(ald_geometry_array geometry_array, const double *distances,
                                                          size_t distance_count, const ald_buffer_options *options,
                                                          ald_geometry *out_geometry, ald_error *error);

/**
 * Writes planar circles into the host's memory, such as a vertex buffer, on all cores.
 *
 * Each circle has 4 * quadrant_segments + 1 vertices, counterclockwise from due east; the last vertex equals the first.
 * They are the vertices of ald_geometry_array_create_buffers. No circle is left out: a radius of 0 gives the same
 * number of vertices at the centre.
 *
 * @param runtime The runtime whose worker threads and policy are used.
 * @param xy The centres: pairs x, y; finite.
 * @param stride_bytes Bytes from one centre to the next, at least 16. 0 means 16.
 * @param count The number of centres in xy.
 * @param radii A radius for each centre, finite, 0 or above. If there are fewer radii, the last one applies to all
 *     remaining centres.
 * @param radius_count The number of radii: 1 to count; 1 if count is 0.
 * @param quadrant_segments The number of segments for each right angle, 1 to 1048576.
 * @param out_vertex_xy Receives the vertices, circle after circle. Must not overlap the input. Not changed on failure.
 * @param out_stride_bytes Bytes from one vertex to the next, at least 16. 0 means 16.
 * @param vertex_capacity The number of vertices that fit into out_vertex_xy.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is out of its range, a vertex would not be finite, or a required pointer
 *     is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more vertices than the policy allows.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the vertices do not fit.
 */
ALD_API ald_status ald_runtime_fill_circles(ald_runtime runtime, const double *xy, size_t stride_bytes, size_t count,
                                            const double *radii, size_t radius_count, uint32_t quadrant_segments,
                                            double *out_vertex_xy, size_t out_stride_bytes, size_t vertex_capacity,
                                            ald_error *error);

/**
 * Measures how much the planar buffer of a point differs from the geodesic buffer, in metres. Use it to decide whether
 * a planar buffer is good enough.
 *
 * The planar buffer is a circle in the plane of the coordinates. Its radius is the distance in the unit of the spatial
 * reference. If that unit is an angle, the radius is an arc along the equator: 1 degree for 111,319 m. The two outlines
 * are compared in all directions.
 *
 * @param spatial_reference The spatial reference of the point and of the planar buffer.
 * @param point The centre.
 * @param distance The distance in the unit, 1e-6 m to 19,970 km (on the earth).
 * @param unit A unit of length. 0 means metres.
 * @param out_measured Receives the difference. Initialise it with ALD_PLANAR_BUFFER_ERROR_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the point is not finite, its latitude or longitude is out of range, the distance
 *     or the unit is not valid, out_measured is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if spatial_reference is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the spatial reference has no ellipsoid, or its ellipsoid is flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if the projected point, or a part of the planar buffer, has no position on the
 *     ellipsoid, such as beyond a pole, or the planar buffer is wider than the world.
 */
ALD_API ald_status ald_spatial_reference_measure_buffer_error(ald_spatial_reference spatial_reference, ald_point point,
                                                              double distance, ald_unit unit,
                                                              ald_planar_buffer_error *out_measured, ald_error *error);

/*
 * Geodesic buffers
 *
 * With flat or square ends, mitres or bevels, a geodesic buffer is the union of strips along the segments and of the
 * joins between them. The sides of a strip lie at right angles to its segment, at the distance from it. The ends of a
 * strip are geodesics at right angles to the segment.
 */

/**
 * Creates a geodesic buffer around a geometry: a polygon in the geometry's spatial reference that contains all points
 * within a geodesic distance.
 *
 * Distances are measured on the ellipsoid of the geometry's datum; no datum is changed. In a projected spatial
 * reference, the deviation includes the effect of the polygon's edges, which are straight there. A ring encloses the
 * smaller of the two areas into which it divides the earth. With ALD_CURVE_TYPE_SHAPE_PRESERVING, it encloses the area
 * that it encloses on the map. A ring that crosses itself encloses the areas that it surrounds an odd number of times.
 * z and m are left out.
 *
 * If the projection cannot show a part of the buffer (a pole in Mercator, the line along which a map is cut open, the
 * far side of the earth), the call fails; no part is left out silently. Project the geometry to its geographic spatial
 * reference and buffer it there. A map of the whole world with straight sides, such as Web Mercator, is cut at its
 * sides, or unwrapped.
 *
 * @param geometry A geometry of any kind. An empty geometry gives an empty polygon.
 * @param distance The distance in the unit of the options: 1e-6 m to 19,970 km (on the earth), or to 4,975 km unless
 *     cap and join are round. A negative distance keeps the part of polygons that lies farther than this from their
 *     boundaries; points and lines then give an empty polygon.
 * @param options NULL for the defaults.
 * @param out_buffer Receives the polygon; the host owns it. Set to null on failure.
 * @param out_report NULL, or receives how close the buffer is to the true buffer. Initialise it with
 *     ALD_GEODESIC_BUFFER_REPORT_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the distance or an option is not valid, the geometry has no spatial reference, a
 *     vertex is not a point on the ellipsoid (a longitude beyond 1,000,000 degrees is not, because it has lost too many
 *     digits), an edge goes all around the earth, an edge that is a great elliptic or a normal section joins opposite
 *     points, cap or join is not round and the curve type is not geodesic, a mitre would be longer than a quarter of
 *     the distance around the earth, out_buffer is NULL or a struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the spatial reference has no ellipsoid, or its ellipsoid is flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if the projection cannot show the buffer or has no coordinates for a vertex.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the buffer needs more vertices than the policy allows, or than doubles can
 *     distinguish.
 */
ALD_API ald_status ald_geometry_create_geodesic_buffer(ald_geometry geometry, double distance,
                                                       const ald_geodesic_buffer_options *options,
                                                       ald_geometry *out_buffer, ald_geodesic_buffer_report *out_report,
                                                       ald_error *error);

/**
 * Creates a geodesic buffer around each geometry of an array, as in ald_geometry_create_geodesic_buffer, on all cores.
 * Messages name the geometry or the distance.
 *
 * @param geometry_array An array of geometries of any kind.
 * @param distances A distance for each geometry. If there are fewer distances, the last one applies to all remaining
 *     geometries.
 * @param distance_count The number of distances: 1 to the number of geometries; 1 for an empty array.
 * @param options NULL for the defaults.
 * @param out_buffers Receives an array of the polygons, in the order of the geometries; the host owns it. Set to null
 *     on failure.
 * @param out_report NULL, or receives how close the buffers are to the true buffers. Initialise it with
 *     ALD_GEODESIC_BUFFER_REPORT_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if distance_count is out of its range, distances or the out handle is NULL, or as in
 *     ald_geometry_create_geodesic_buffer.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_UNSUPPORTED as in ald_geometry_create_geodesic_buffer.
 *   - ALD_STATUS_PROJECTION_FAILED as in ald_geometry_create_geodesic_buffer.
 *   - ALD_STATUS_LIMIT_EXCEEDED as in ald_geometry_create_geodesic_buffer.
 */
ALD_API ald_status ald_geometry_array_create_geodesic_buffers(ald_geometry_array geometry_array,
                                                              const double *distances, size_t distance_count,
                                                              const ald_geodesic_buffer_options *options,
                                                              ald_geometry_array *out_buffers,
                                                              ald_geodesic_buffer_report *out_report, ald_error *error);

/**
 * Creates one polygon from the geodesic buffers around all geometries of an array: their union.
 *
 * @param geometry_array An array of geometries of any kind.
 * @param distances A distance for each geometry. If there are fewer distances, the last one applies to all remaining
 *     geometries.
 * @param distance_count The number of distances: 1 to the number of geometries; 1 for an empty array.
 * @param options NULL for the defaults.
 * @param out_buffer Receives the polygon; the host owns it. Set to null on failure.
 * @param out_report NULL, or receives how close the polygon is to the true union. Initialise it with
 *     ALD_GEODESIC_BUFFER_REPORT_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if distance_count is out of its range, distances or the out handle is NULL, or as in
 *     ald_geometry_create_geodesic_buffer.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_UNSUPPORTED as in ald_geometry_create_geodesic_buffer.
 *   - ALD_STATUS_PROJECTION_FAILED as in ald_geometry_create_geodesic_buffer.
 *   - ALD_STATUS_LIMIT_EXCEEDED as in ald_geometry_create_geodesic_buffer.
 */
ALD_API ald_status ald_geometry_array_create_geodesic_buffer_union(ald_geometry_array geometry_array,
                                                                   const double *distances, size_t distance_count,
                                                                   const ald_geodesic_buffer_options *options,
                                                                   ald_geometry *out_buffer,
                                                                   ald_geodesic_buffer_report *out_report,
                                                                   ald_error *error);

/*
 * Geodesic circles, ellipses and sectors
 *
 * The edges of the polygons are straight in the spatial reference, and stay within a deviation of the true outline on
 * the ground. A polygon that crosses the antimeridian, or the side of a map of the whole world, is cut there. A polygon
 * that contains a pole extends to the side of the map. An ellipse with equal axes, a sector of 360 degrees and a
 * geodesic buffer around a point are all the same circle.
 */

/**
 * Writes geodesic circles into the host's memory, such as a vertex buffer, on all cores.
 *
 * The vertices of a circle lie at the radius from the centre in evenly spaced directions, clockwise from due north. The
 * circle is not closed. Each vertex lies within 1e-8 m of the exact position, even around poles: it is Karney's
 * solution of the direct problem.
 *
 * In a geographic spatial reference the longitudes of a circle are continuous: they have no jump, and exceed 180 where
 * necessary. Around a pole they cover a whole turn.
 *
 * @param spatial_reference The spatial reference of the centres and of the vertices. The worker threads and the policy
 *     of its runtime are used.
 * @param xy The centres: pairs x, y. If a centre is not a point on the ellipsoid, all vertices of its circle are NaN. A
 *     vertex without coordinates in the spatial reference is NaN.
 * @param stride_bytes Bytes from one centre to the next, at least 16. 0 means 16.
 * @param count The number of centres in xy.
 * @param radii_m A radius for each centre in metres, above 0 and at most 19,970 km (on the earth). If there are fewer
 *     radii, the last one applies to all remaining centres.
 * @param radius_count The number of radii: 1 to count; 1 if count is 0.
 * @param vertices_per_circle The number of vertices of each circle, 3 to 1048576.
 * @param out_vertex_xy Receives the vertices, circle after circle. Must not overlap the input. Not changed on failure.
 * @param out_stride_bytes Bytes from one vertex to the next, at least 16. 0 means 16.
 * @param vertex_capacity The number of vertices that fit into out_vertex_xy.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is out of its range or a required pointer is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if spatial_reference is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the spatial reference is local or its ellipsoid is flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if PROJ has no operation from the spatial reference to longitudes and latitudes.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more vertices than the policy allows.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the vertices do not fit.
 */
ALD_API ald_status ald_spatial_reference_fill_geodesic_circles(ald_spatial_reference spatial_reference,
                                                               const double *xy, size_t stride_bytes, size_t count,
                                                               const double *radii_m, size_t radius_count,
                                                               uint32_t vertices_per_circle, double *out_vertex_xy,
                                                               size_t out_stride_bytes, size_t vertex_capacity,
                                                               ald_error *error);

/**
 * Creates a polygon from an ellipse on the ellipsoid.
 *
 * @param spatial_reference The spatial reference of the centre and of the polygon.
 * @param ellipse The ellipse.
 * @param out_geometry Receives the polygon; the host owns it. Set to null on failure.
 * @param out_achieved_deviation_m NULL, or receives the largest deviation of the outline, in metres on the ground.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if ellipse is NULL or its struct_size is not valid, the unit is not a unit of length,
 *     the centre or the azimuth is not finite, a length is out of its range, or out_geometry is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if spatial_reference is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the spatial reference is local, is geographic with a rotated pole, or has an ellipsoid
 *     flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if the centre is not a point on the ellipsoid, or the polygon reaches positions
 *     without coordinates in the spatial reference.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the polygon has more vertices than the policy allows.
 */
ALD_API ald_status ald_spatial_reference_create_geodesic_ellipse(ald_spatial_reference spatial_reference,
                                                                 const ald_geodesic_ellipse *ellipse,
                                                                 ald_geometry *out_geometry,
                                                                 double *out_achieved_deviation_m, ald_error *error);

/**
 * Creates a polygon from a sector on the ellipsoid.
 *
 * @param spatial_reference The spatial reference of the centre and of the polygon.
 * @param sector The sector.
 * @param out_geometry Receives the polygon; the host owns it. Set to null on failure.
 * @param out_achieved_deviation_m NULL, or receives the largest deviation of the outline, in metres on the ground.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if sector is NULL or its struct_size is not valid, the unit is not a unit of length,
 *     the centre or the azimuth is not finite, a length or the angle is out of its range, or out_geometry is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if spatial_reference is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the spatial reference is local, is geographic with a rotated pole, or has an ellipsoid
 *     flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if the centre is not a point on the ellipsoid, or the polygon reaches positions
 *     without coordinates in the spatial reference.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the polygon has more vertices than the policy allows.
 */
ALD_API ald_status ald_spatial_reference_create_geodesic_sector(ald_spatial_reference spatial_reference,
                                                                const ald_geodesic_sector *sector,
                                                                ald_geometry *out_geometry,
                                                                double *out_achieved_deviation_m, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

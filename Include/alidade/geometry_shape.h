/**
 * @file
 * What is made of the shape of one geometry: hulls and rectangles around it, its boundary, its middle, a simple or a
 * simpler form, a line beside it, a place for its label, lines and polygons of its lines. Each that a map needs often
 * is there for whole arrays, too.
 *
 * Everything happens in the plane of the coordinates, which must not be beyond 1e100.
 */
#ifndef ALIDADE_GEOMETRY_SHAPE_H
#define ALIDADE_GEOMETRY_SHAPE_H

#include "base.h"
#include "geometry.h"
#include "geometry_array.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The convex hull of a geometry: the smallest convex polygon around all of its vertices; a polyline or a point if they
 * lie on a line or in one place, an empty collection if there are none. z is kept, m is lost.
 *
 * @param out_hull Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the geometry is beyond 1e100, or
 *   out_hull is NULL; ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_convex_hull(ald_geometry geometry, ald_geometry *out_hull, ald_error *error);

/**
 * The convex hull of each geometry of an array, on all cores.
 *
 * @param out_hulls Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a geometry is beyond 1e100 (the
 *   message says which), or out_hulls is NULL; ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_convex_hulls(ald_geometry_array geometry_array,
                                                          ald_geometry_array *out_hulls, ald_error *error);

/**
 * The rectangle with the smallest area, in any direction, around all vertices of a geometry; a polyline or a point if
 * they lie on a line or in one place. It has neither z nor m.
 *
 * @param out_rectangle Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the geometry is beyond 1e100, or
 *   out_rectangle is NULL; ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_minimum_rectangle(ald_geometry geometry, ald_geometry *out_rectangle,
                                                         ald_error *error);

/**
 * The boundary of a geometry: the rings of a polygon as lines, of lines the ends at which an odd number of them ends,
 * of points nothing. z is kept, m is lost.
 *
 * @param out_boundary Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the geometry is not valid (the
 *   message says why and where) or beyond 1e100, or out_boundary is NULL; ALD_STATUS_UNSUPPORTED if it is a collection
 *   that is not empty; ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_boundary(ald_geometry geometry, ald_geometry *out_boundary, ald_error *error);

/**
 * The centroid of a geometry: the centre of the area of polygons, of the length of lines, or of points. It may lie
 * outside of the geometry; ald_geometry_create_point_on_surface makes one that does not. An empty geometry has an empty
 * point.
 *
 * @param out_point Receives a point without z and m; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the geometry is not valid (the
 *   message says why and where) or beyond 1e100, or out_point is NULL; ALD_STATUS_UNSUPPORTED if it is a collection
 *   that is not empty; ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_centroid(ald_geometry geometry, ald_geometry *out_point, ald_error *error);

/**
 * A point that lies on a geometry: inside of a polygon, on a line away from its ends where it has other vertices, or
 * one of its points. It is found in less time than a place for a label, and lies nearer to the boundary. An empty
 * geometry has an empty point.
 *
 * @param out_point Receives a point without z and m; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the geometry is not valid (the
 *   message says why and where) or beyond 1e100, or out_point is NULL; ALD_STATUS_UNSUPPORTED if it is a collection
 *   that is not empty; ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_point_on_surface(ald_geometry geometry, ald_geometry *out_point,
                                                        ald_error *error);

/**
 * How far a vertex may be moved, at least, before the geometry is no longer valid: the smallest distance between two
 * vertices, or between a vertex and an edge that it is no end of.
 *
 * @param out_clearance Receives the distance in the unit of the coordinates; infinity if there is none, as of a point.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the geometry is not valid (the
 *   message says why and where) or beyond 1e100, or out_clearance is NULL; ALD_STATUS_UNSUPPORTED if it is a collection
 *   that is not empty; ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_minimum_clearance(ald_geometry geometry, double *out_clearance, ald_error *error);

/**
 * The lines of a polyline joined at their ends, wherever just two of them end. Lines that cross elsewhere are not cut;
 * their directions may change. z is kept, m is lost.
 *
 * @param out_lines Receives a polyline; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the geometry is not valid (the
 *   message says why and where) or beyond 1e100, or out_lines is NULL; ALD_STATUS_UNSUPPORTED if it is no polyline;
 *   ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_merged_lines(ald_geometry geometry, ald_geometry *out_lines, ald_error *error);

/**
 * The polygons that the lines of a polyline enclose. Lines count where they meet at their ends; unite lines that cross
 * elsewhere first (ald_geometry_create_overlay with themselves). What encloses nothing is left out. z is kept, m is
 * lost.
 *
 * @param out_polygons Receives a collection of polygons that share no area, empty if nothing is enclosed; the host owns
 *   it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the geometry is not valid (the
 *   message says why and where) or beyond 1e100, or out_polygons is NULL; ALD_STATUS_UNSUPPORTED if it is no polyline;
 *   ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_enclosed_polygons(ald_geometry geometry, ald_geometry *out_polygons,
                                                         ald_error *error);

/**
 * Whether a geometry is simple: it is valid, no two points are in one place, and lines meet themselves and each other
 * at their ends only. Valid polygons are simple; so is a collection whose members are, each by itself.
 *
 * @param out_simple Receives 1 or 0.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the geometry is beyond 1e100, or
 *   out_simple is NULL; ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_is_simple(ald_geometry geometry, uint32_t *out_simple, ald_error *error);

/**
 * Makes a simple geometry of one that is not, of the same kind; a simple one comes out as it is. Of points that share a
 * place the first is kept; lines are cut where they meet, and each stretch is kept once; a polygon becomes what its
 * rings enclose an odd number of times. What has no length or no area any more vanishes. Members of a collection are
 * made simple one by one. New vertices have a z that GEOS interpolates, or NaN; lines and polygons lose m.
 *
 * This is what is called simplifying where less vertices are called generalizing. ald_geometry_create_repaired keeps
 * what vanishes here, and may change the kind for it.
 *
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the geometry is beyond 1e100, or
 *   out_geometry is NULL; ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_simple(ald_geometry geometry, ald_geometry *out_geometry, ald_error *error);

/**
 * Makes a simple geometry of each of an array, on all cores.
 *
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a geometry is beyond 1e100 (the
 *   message says which), or out_array is NULL; ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy
 * allows.
 */
ALD_API ald_status ald_geometry_array_create_simple(ald_geometry_array geometry_array, ald_geometry_array *out_array,
                                                    ald_error *error);

/** How vertices are left out. */
typedef int32_t ald_generalize_method;
enum {
  /**
   * Douglas and Peucker: each line and ring by itself, z and m kept. Rings may cross afterwards, and what becomes a
   * point or a ring without area vanishes.
   */
  ALD_GENERALIZE_DOUGLAS_PEUCKER = 0,
  /**
   * The same, but no line of the geometry crosses another one or itself because of it, and nothing vanishes: a polygon
   * stays valid, if need be with more vertices. m is lost.
   */
  ALD_GENERALIZE_PRESERVE_TOPOLOGY = 1
};

/**
 * Leaves vertices out: none of them lies farther than a distance from the line that is left. Points stay as they are.
 *
 * @param max_deviation The distance, in the unit of the geometry's coordinates; 0 to 1e100.
 * @param method How vertices are left out.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if max_deviation is out of its range,
 *   there is no such method, the geometry is beyond 1e100 or, with ALD_GENERALIZE_PRESERVE_TOPOLOGY, not valid, or
 *   out_geometry is NULL; ALD_STATUS_UNSUPPORTED if a line coils so that GEOS could not watch over its topology;
 *   ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_generalized(ald_geometry geometry, double max_deviation,
                                                   ald_generalize_method method, ald_geometry *out_geometry,
                                                   ald_error *error);

/**
 * Leaves vertices of each geometry of an array out, on all cores.
 *
 * @param max_deviation The distance, in the unit of the coordinates; 0 to 1e100.
 * @param method How vertices are left out.
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if max_deviation is out of its range,
 *   there is no such method, a geometry is beyond 1e100 or, with ALD_GENERALIZE_PRESERVE_TOPOLOGY, not valid (the
 *   message says which), or out_array is NULL; ALD_STATUS_UNSUPPORTED if a line coils so that GEOS could not watch over
 *   its topology; ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_generalized(ald_geometry_array geometry_array, double max_deviation,
                                                         ald_generalize_method method, ald_geometry_array *out_array,
                                                         ald_error *error);

/** How the corners of an offset curve are made. */
typedef int32_t ald_offset_join;
enum {
  /** An arc. */
  ALD_OFFSET_JOIN_ROUND = 0,
  /** Both sides go on until they meet, but not beyond the mitre limit. */
  ALD_OFFSET_JOIN_MITRE = 1,
  /** A straight line between the ends of both sides. */
  ALD_OFFSET_JOIN_BEVEL = 2
};

/** How an offset curve is made. */
typedef struct ald_offset_options {
  uint32_t struct_size;
  ald_offset_join join;
  /** Segments to a right angle of an arc, 1 to 1024; 0: 16. */
  uint32_t quadrant_segments;
  uint32_t reserved;
  /** How many times the distance a mitre may be long, 1 to 1e6; what is longer is cut off. 0: 5. */
  double mitre_limit;
} ald_offset_options;

/** Initialises an ald_offset_options to round joins with 16 segments to a right angle. */
#define ALD_OFFSET_OPTIONS_INIT                                                                                        \
  { (uint32_t)sizeof(ald_offset_options), 0, 0, 0, 0.0 }

/**
 * Creates the line at a distance beside each line of a polyline, or around or inside of a polygon.
 *
 * Beside a line, it is the part of the outline of the line's buffer with round caps that comes of the line's left or
 * right side, in the line's direction: it comes nowhere nearer to the line than the distance, apart from what the
 * chords of arcs (0.0012 of the distance with 16 segments), bevelled corners and rounding take off. Where that side of
 * the buffer lies in several pieces, there are several lines; where it leaves no room, there is none. For a polygon, it
 * is the outline of the polygon's buffer: shells counterclockwise, holes clockwise. It has neither z nor m.
 *
 * A distance below one step of a double at the largest coordinate counts as 0: then the lines or rings themselves are
 * returned.
 *
 * @param distance For a polyline, the distance to the left, looking along the line; negative to the right. For a
 *   polygon, the distance outside; negative inside. In the unit of the geometry's coordinates; -1e100 to 1e100.
 * @param options NULL for round joins.
 * @param out_curve Receives a polyline; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is out of its range, the
 *   geometry is not valid (the message says why and where) or beyond 1e100, or out_curve is NULL;
 *   ALD_STATUS_UNSUPPORTED if the geometry is neither a polyline nor a polygon; ALD_STATUS_LIMIT_EXCEEDED if the result
 *   is larger than the policy allows, or it takes longer.
 */
ALD_API ald_status ald_geometry_create_offset_curve(ald_geometry geometry, double distance,
                                                    const ald_offset_options *options, ald_geometry *out_curve,
                                                    ald_error *error);

/**
 * The place for a geometry's label, always on it: in a polygon the place farthest from its boundary, of all parts; on a
 * polyline the middle of its longest line; of points the one nearest to their centre. Of a collection it is that of the
 * members with the most dimensions. An empty geometry has an empty point.
 *
 * @param tolerance How much farther from the boundary of a polygon another place may lie, in the unit of its
 *   coordinates, 0 to 1e100; 0: one percent of the distance. Where a polygon is millions of times as long as wide, the
 *   search ends earlier.
 * @param out_point Receives a point; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if tolerance is out of its range, the
 *   geometry is not valid (the message says why and where) or beyond 1e100, or out_point is NULL;
 *   ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_label_point(ald_geometry geometry, double tolerance, ald_geometry *out_point,
                                                   ald_error *error);

/**
 * The place for the label of each geometry of an array, on all cores.
 *
 * @param tolerance As in ald_geometry_create_label_point; 0 to 1e100.
 * @param out_points Receives an array of points, in the order of the geometries; the host owns it. Set to null on
 *   failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if tolerance is out of its range, a
 *   geometry is not valid (the message says which, why and where) or beyond 1e100, or out_points is NULL;
 *   ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_label_points(ald_geometry_array geometry_array, double tolerance,
                                                          ald_geometry_array *out_points, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Operations on geometries: overlays of two geometries, cuts and clips, hulls, simpler forms, offset curves, label
 * points, added and moved vertices, and projection into another spatial reference. Operations that maps need often
 * exist for whole arrays too; these run on all cores.
 *
 * Operations work in the plane of the coordinates, unless their options request the ellipsoid. Coordinates beyond 1e100
 * are refused. Most operations need valid geometries, as ald_geometry_get_validity defines them.
 *
 * If an operation takes two geometries, either both have a spatial reference or neither has one. A second geometry in
 * another spatial reference is projected to the spatial reference of the first, and a receipt reports how.
 *
 * Unless a comment says otherwise, the rings of a result have no particular direction or start, and new vertices have
 * an interpolated z. z is NaN where it is not known. Most operations lose m.
 *
 * @code{.c}
 * ald_geometry hull;
 * ald_geometry label;
 * ald_status status = ald_geometry_create_convex_hull(geometry, &hull, error);
 * if (status == ALD_STATUS_OK)
 *   status = ald_geometry_create_label_point(hull, 0, &label, error);
 * if (status == ALD_STATUS_OK)
 *   ald_geometry_release(label);
 * ald_geometry_release(hull);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_GEOMETRY_OPERATIONS_H
#define ALIDADE_GEOMETRY_OPERATIONS_H

#include "base.h"
#include "handles.h"
#include "measure.h"
#include "projection.h"
#include "units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The operation of ald_geometry_create_overlay. */
typedef int32_t ald_overlay_operation;
enum ald_overlay_operation_values {
  /** The points that lie in both geometries. */
  ALD_OVERLAY_OPERATION_INTERSECTION = 1,
  /** The points that lie in one of the geometries or in both. */
  ALD_OVERLAY_OPERATION_UNION = 2,
  /** The points that lie in the first geometry and not in the second. */
  ALD_OVERLAY_OPERATION_DIFFERENCE = 3,
  /** The points that lie in exactly one of the geometries. */
  ALD_OVERLAY_OPERATION_SYMMETRIC_DIFFERENCE = 4
};

/** How vertices are removed. */
typedef int32_t ald_generalize_method;
enum ald_generalize_method_values {
  /**
   * The method of Douglas and Peucker, on each line and ring separately. z and m are kept. Rings may cross afterwards,
   * and a line or ring that collapses to a point or has no area left is removed.
   */
  ALD_GENERALIZE_METHOD_DOUGLAS_PEUCKER = 0,
  /**
   * The same method, but the result keeps its topology: lines do not start to cross themselves or each other, nothing
   * is removed completely, and a polygon stays valid, with more vertices where that is necessary. m is lost.
   */
  ALD_GENERALIZE_METHOD_PRESERVE_TOPOLOGY = 1
};

/** How the corners of an offset curve are formed. */
typedef int32_t ald_offset_join;
enum ald_offset_join_values {
  /** An arc. */
  ALD_OFFSET_JOIN_ROUND = 0,
  /** Both sides are extended until they meet, but not beyond the mitre limit. */
  ALD_OFFSET_JOIN_MITRE = 1,
  /** A straight line between the ends of both sides. */
  ALD_OFFSET_JOIN_BEVEL = 2
};

/** How an offset curve is created. */
typedef struct ald_offset_options {
  uint32_t struct_size;
  ald_offset_join join;
  /** The number of segments for each right angle of an arc, 1 to 1024. 0 means 16. */
  uint32_t quadrant_segments;
  uint32_t reserved;
  /** The longest mitre, as a multiple of the distance, 1 to 1e6. Longer mitres are cut off. 0 means 5. */
  double mitre_limit;
} ald_offset_options;

/** Initialises an ald_offset_options to round joins with 16 segments to a right angle. */
#define ALD_OFFSET_OPTIONS_INIT                                                                                        \
  { (uint32_t)sizeof(ald_offset_options), 0, 0, 0, 0.0 }

/** Where vertices are added. At least one of longest_segment and maximum_deviation must be above 0. */
typedef struct ald_densify_options {
  uint32_t struct_size;
  /** Whether edges lie in the plane or on the ellipsoid. */
  ald_measure_kind kind;
  /** The curve of the edges on the ellipsoid. Must be 0 in the plane. */
  ald_curve_type curve_type;
  /**
   * The unit of longest_segment and maximum_deviation. ALD_UNIT_NONE means metres on the ellipsoid, and the spatial
   * reference's own unit in the plane.
   */
  ald_unit unit;
  /** The longest segment of the result, measured along its curve. Finite, not negative. 0 means no limit. */
  double longest_segment;
  /**
   * The largest distance between the segments of the result, which are straight in the coordinates, and the curves,
   * from 1e-7 m. 0 means no limit. Must be 0 in the plane, where edges are straight.
   */
  double maximum_deviation;
} ald_densify_options;

/** Initialises an ald_densify_options; set at least one of the lengths. */
#define ALD_DENSIFY_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_densify_options), 0, 0, 0, 0.0, 0.0 }

/**
 * What happens if a vertex has no image in the target spatial reference. With 0 the call fails, and the message names
 * the vertex.
 */
typedef uint32_t ald_missing_image_flags;
enum ald_missing_image_flags_values {
  /**
   * Leaves such vertices out. A point is removed. A line is cut: the edges to the vertex are removed, and each
   * remaining run of at least two vertices becomes a part of its own. The flag has no effect on polygons, because
   * without the vertex an edge that does not exist on the earth would close the ring.
   */
  ALD_MISSING_IMAGE_LEFT_OUT = 1,
  /**
   * For arrays: a geometry that cannot be projected becomes an empty geometry of its kind, and the other geometries are
   * projected.
   */
  ALD_MISSING_IMAGE_EMPTIES_GEOMETRY = 2
};

/*
 * Overlays
 *
 * GEOS's OverlayNG computes overlays: with floating-point numbers first, then with snapping if that fails, and finally
 * on a grid that it chooses. All geometries must be valid. z is kept, and interpolated at new vertices; m is lost.
 *
 * OverlayNG may take a whole polygon for the inside or the outside of another if the two have vertices that are nearly
 * but not exactly equal. Therefore a vertex of the second polygon is moved onto a vertex of the first polygon if the
 * two are at most 64 units in the last place of the largest coordinate apart.
 *
 * Unions of arrays do not use OverlayNG, unless the polygons have z or a grid size is given: they are computed by snap
 * rounding (Hobby 1999), with a grid of one unit in the last place of the largest coordinate. An edge moves by less
 * than one unit, and a part that is narrower may vanish. Vertices keep their coordinates, except where another part of
 * the outline is within two units.
 */

/**
 * Creates the intersection, union, difference or symmetric difference of two geometries.
 *
 * The kind of the result depends on the geometries: the intersection of two polygons that touch is a point, a polyline,
 * or a collection of both. Lines are split where they meet, and equal points occur once.
 *
 * @param operation The operation.
 * @param grid_size The coordinates of the result are multiples of this number, and narrower parts may vanish. 0 means
 *     the full precision of doubles.
 * @param out_overlay Receives the geometry; the host owns it. Set to null on failure.
 * @param out_receipt NULL, or receives the receipt of projecting the second geometry; the host owns it. Null if it was
 *     not projected. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if there is no such operation, grid_size is negative, not finite, beyond 1e100 or
 *     finer than doubles at these coordinates, out_overlay is NULL, a geometry is not valid (the message says why and
 *     where) or beyond 1e100, only one of the two has a spatial reference, or they are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a or b is not valid.
 *   - ALD_STATUS_UNSUPPORTED if one of the geometries is a collection that is not empty.
 *   - ALD_STATUS_PROJECTION_FAILED if the second geometry cannot be projected.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_overlay(ald_geometry a, ald_geometry b, ald_overlay_operation operation,
                                               double grid_size, ald_geometry *out_overlay,
                                               ald_projection_receipt *out_receipt, ald_error *error);

/**
 * Creates the union of all geometries of an array.
 *
 * Polygons that overlap or share an edge are merged. Lines are split where they meet, and each shared stretch occurs
 * once. Equal points occur once. Lines and points inside a polygon are dropped. Members of collections count as
 * geometries. Polygons are united on all cores.
 *
 * The result covers what the result of GEOS's unary union covers, except for rounding. It is also right where polygons
 * have vertices or edges that are nearly but not exactly equal; GEOS may lose or add whole polygons there.
 *
 * @param grid_size The coordinates of the result are multiples of this number, and narrower parts may vanish. 0 means
 *     the full precision of doubles. If polygons are mixed with lines or points, the vertices where they meet may lie
 *     off the grid.
 * @param out_union Receives the geometry; the host owns it. An array without geometries gives an empty collection. Set
 *     to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if grid_size is negative, not finite, beyond 1e100 or finer than doubles at these
 *     coordinates, a geometry is not valid (the message says which, why and where) or beyond 1e100, or out_union is
 *     NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_union(ald_geometry_array geometry_array, double grid_size,
                                                   ald_geometry *out_union, ald_error *error);

/**
 * Creates a geometry clipped to a box.
 *
 * The result has the kind of the input: if a polygon only touches the box, the result is empty. Lines are cut where
 * they enter and leave the box, and z and m are interpolated there. A polygon that is cut loses its m. Members of a
 * collection are clipped one by one; a member outside the box becomes empty.
 *
 * @param envelope The box, in the geometry's spatial reference. It must have width and height.
 * @param out_clipped Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the envelope is not finite, has no width or no height or lies beyond 1e100, the
 *     geometry is not valid (the message says why and where) or beyond 1e100, or out_clipped is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_clipped(ald_geometry geometry, ald_envelope envelope, ald_geometry *out_clipped,
                                               ald_error *error);

/**
 * Creates an array with each geometry clipped to a box, as in ald_geometry_create_clipped, on all cores. The result has
 * the same number of geometries; geometries outside the box become empty.
 *
 * @param envelope The box, in the array's spatial reference. It must have width and height.
 * @param out_clipped Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the envelope is not finite, has no width or no height or lies beyond 1e100, a
 *     geometry is not valid (the message says which, why and where) or beyond 1e100, or out_clipped is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_clipped(ald_geometry_array geometry_array, ald_envelope envelope,
                                                     ald_geometry_array *out_clipped, ald_error *error);

/**
 * Creates the pieces of a polyline or polygon that is cut by a polyline.
 *
 * A polygon is divided where the cutting line runs through it from edge to edge; a line that ends inside the polygon
 * does not cut it. A polyline is divided wherever it meets the cutting line, even if the two only touch. z and m are
 * interpolated there. A polygon that is cut loses its m. A stretch that a line shares with the cutting line has the
 * vertices of both.
 *
 * The result holds all pieces, each as a geometry of its own. The pieces on the left of the cutting line, seen in its
 * direction, come first. The pieces on its right come second. All other pieces come last: pieces that were not cut,
 * pieces on the cutting line, and pieces that lie partly on its left and partly on its right. A polygon with several
 * parts is returned part by part.
 *
 * @param cutter The polyline that cuts, of any number of lines.
 * @param out_pieces Receives an array of the pieces; the host owns it. Set to null on failure.
 * @param out_left_count NULL, or receives the number of pieces on the left.
 * @param out_right_count NULL, or receives the number of pieces on the right.
 * @param out_receipt NULL, or receives the receipt of projecting the cutting line; the host owns it. Null if it was not
 *     projected. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a geometry is not valid (the message says why and where) or beyond 1e100, only one
 *     of the two has a spatial reference, out_pieces is NULL, or they are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if geometry or cutter is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the geometry is neither a polyline nor a polygon, or the cutter is not a polyline.
 *   - ALD_STATUS_PROJECTION_FAILED if the cutter cannot be projected.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_cut(ald_geometry geometry, ald_geometry cutter, ald_geometry_array *out_pieces,
                                           uint32_t *out_left_count, uint32_t *out_right_count,
                                           ald_projection_receipt *out_receipt, ald_error *error);

/* Shapes */

/**
 * Creates the convex hull of a geometry: the smallest convex polygon around all of its vertices. It is a polyline or a
 * point if the vertices lie on one line or coincide, and an empty collection if the geometry has no vertices. z is
 * kept, m is lost.
 *
 * @param out_hull Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the geometry is beyond 1e100, or out_hull is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_convex_hull(ald_geometry geometry, ald_geometry *out_hull, ald_error *error);

/**
 * Creates the convex hull of each geometry of an array, on all cores.
 *
 * @param out_hulls Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a geometry is beyond 1e100 (the message says which), or out_hulls is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_convex_hulls(ald_geometry_array geometry_array,
                                                          ald_geometry_array *out_hulls, ald_error *error);

/**
 * Creates the rectangle with the smallest area, in any direction, around all vertices of a geometry. It is a polyline
 * or a point if the vertices lie on one line or coincide. It has neither z nor m.
 *
 * @param out_rectangle Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the geometry is beyond 1e100, or out_rectangle is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_minimum_rectangle(ald_geometry geometry, ald_geometry *out_rectangle,
                                                         ald_error *error);

/**
 * Creates the boundary of a geometry. The boundary of a polygon is its rings as lines. The boundary of lines is the
 * points at which an odd number of them ends. The boundary of points is empty. z is kept, m is lost.
 *
 * @param out_boundary Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the geometry is not valid (the message says why and where) or beyond 1e100, or
 *     out_boundary is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the geometry is a collection that is not empty.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_boundary(ald_geometry geometry, ald_geometry *out_boundary, ald_error *error);

/**
 * Creates the centroid of a geometry: the mean position of the area of its polygons, of the length of its lines, or of
 * its points.
 *
 * The centroid may lie outside the geometry; ald_geometry_create_point_on_surface creates a point that does not. The
 * centroid of an empty geometry is an empty point.
 *
 * @param out_point Receives a point without z and m; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the geometry is not valid (the message says why and where) or beyond 1e100, or
 *     out_point is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the geometry is a collection that is not empty.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_centroid(ald_geometry geometry, ald_geometry *out_point, ald_error *error);

/**
 * Creates a point that lies on a geometry: inside a polygon, on a line, or one of its points.
 *
 * On a line the point lies away from the ends if the line has other vertices. The function is faster than
 * ald_geometry_create_label_point, but its point lies nearer to the boundary. An empty geometry gives an empty point.
 *
 * @param out_point Receives a point without z and m; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the geometry is not valid (the message says why and where) or beyond 1e100, or
 *     out_point is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the geometry is a collection that is not empty.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_point_on_surface(ald_geometry geometry, ald_geometry *out_point,
                                                        ald_error *error);

/**
 * Computes the smallest distance by which moving one vertex can make a geometry invalid. It is the smallest distance
 * between two vertices, or between a vertex and an edge that does not end in it.
 *
 * @param out_clearance Receives the distance in the unit of the coordinates; infinity if no such distance exists, as
 *     for a single point.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the geometry is not valid (the message says why and where) or beyond 1e100, or
 *     out_clearance is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the geometry is a collection that is not empty.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_minimum_clearance(ald_geometry geometry, double *out_clearance, ald_error *error);

/**
 * Creates a polyline whose lines are joined wherever exactly two of them end. Lines that cross elsewhere are not cut,
 * and the direction of a line may change. z is kept, m is lost.
 *
 * @param out_lines Receives a polyline; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the geometry is not valid (the message says why and where) or beyond 1e100, or
 *     out_lines is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the geometry is not a polyline.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_merged_lines(ald_geometry geometry, ald_geometry *out_lines, ald_error *error);

/**
 * Creates the polygons that the lines of a polyline enclose.
 *
 * Lines are connected only at their ends. If lines cross elsewhere, first unite the polyline with itself
 * (ald_geometry_create_overlay). Lines that enclose nothing are left out. z is kept, m is lost.
 *
 * @param out_polygons Receives a collection of polygons that share no area, empty if nothing is enclosed; the host owns
 *     it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the geometry is not valid (the message says why and where) or beyond 1e100, or
 *     out_polygons is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the geometry is not a polyline.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_enclosed_polygons(ald_geometry geometry, ald_geometry *out_polygons,
                                                         ald_error *error);

/**
 * Creates the point for a geometry's label. It always lies on the geometry.
 *
 * For a polygon it is the point of any part that is farthest from the boundary. For a polyline it is the middle of the
 * longest line. For points it is the point nearest to their centre. For a collection the members with the highest
 * dimension decide. An empty geometry gives an empty point.
 *
 * @param tolerance The largest distance by which another point of a polygon may be farther from the boundary, in the
 *     unit of the coordinates, 0 to 1e100. 0 means one percent of the distance. If a polygon is millions of times as
 *     long as it is wide, the search ends earlier.
 * @param out_point Receives a point; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if tolerance is out of its range, the geometry is not valid (the message says why and
 *     where) or beyond 1e100, or out_point is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_label_point(ald_geometry geometry, double tolerance, ald_geometry *out_point,
                                                   ald_error *error);

/**
 * Creates the point for the label of each geometry of an array, on all cores.
 *
 * @param tolerance As in ald_geometry_create_label_point; 0 to 1e100.
 * @param out_points Receives an array of points, in the order of the geometries; the host owns it. Set to null on
 *     failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if tolerance is out of its range, a geometry is not valid (the message says which,
 *     why and where) or beyond 1e100, or out_points is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_label_points(ald_geometry_array geometry_array, double tolerance,
                                                          ald_geometry_array *out_points, ald_error *error);

/* Simpler forms */

/**
 * Checks whether a geometry is simple: it is valid, no two points coincide, and lines meet themselves and each other
 * only at their ends.
 *
 * Valid polygons are simple. A collection is simple if each of its members is.
 *
 * @param out_simple Receives 1 or 0.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the geometry is beyond 1e100, or out_simple is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_is_simple(ald_geometry geometry, uint32_t *out_simple, ald_error *error);

/**
 * Creates a simple geometry of the same kind. A simple geometry is returned unchanged.
 *
 * The first of several coinciding points is kept. Lines are cut where they meet, and each shared stretch is kept once.
 * A polygon becomes the area that its rings enclose an odd number of times. Parts without length or area vanish.
 * Members of a collection are simplified one by one. New vertices have a z that GEOS interpolates, or NaN. Lines and
 * polygons lose m.
 *
 * Some systems call this operation simplifying, and use generalizing for fewer vertices
 * (ald_geometry_create_generalized). ald_geometry_create_repaired keeps the parts that vanish here, and may change the
 * kind for them.
 *
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the geometry is beyond 1e100, or out_geometry is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_simple(ald_geometry geometry, ald_geometry *out_geometry, ald_error *error);

/**
 * Creates a simple geometry from each geometry of an array, on all cores.
 *
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a geometry is beyond 1e100 (the message says which), or out_array is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_simple(ald_geometry_array geometry_array, ald_geometry_array *out_array,
                                                    ald_error *error);

/**
 * Creates a geometry with fewer vertices. No vertex that is removed lies farther than max_deviation from the line that
 * remains. Points stay unchanged.
 *
 * @param max_deviation The distance, in the unit of the geometry's coordinates; 0 to 1e100.
 * @param method How vertices are removed.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if max_deviation is out of its range, there is no such method, the geometry is beyond
 *     1e100 or, with ALD_GENERALIZE_METHOD_PRESERVE_TOPOLOGY, not valid, or out_geometry is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if a line is coiled so much that GEOS could not preserve its topology.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_create_generalized(ald_geometry geometry, double max_deviation,
                                                   ald_generalize_method method, ald_geometry *out_geometry,
                                                   ald_error *error);

/**
 * Creates an array of geometries with fewer vertices, as in ald_geometry_create_generalized, on all cores.
 *
 * @param max_deviation The distance, in the unit of the coordinates; 0 to 1e100.
 * @param method How vertices are removed.
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if max_deviation is out of its range, there is no such method, a geometry is beyond
 *     1e100 or, with ALD_GENERALIZE_METHOD_PRESERVE_TOPOLOGY, not valid (the message says which), or out_array is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_UNSUPPORTED if a line is coiled so much that GEOS could not preserve its topology.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_generalized(ald_geometry_array geometry_array, double max_deviation,
                                                         ald_generalize_method method, ald_geometry_array *out_array,
                                                         ald_error *error);

/**
 * Creates a line at a distance from each line of a polyline, or a line around or inside a polygon.
 *
 * For a polyline, the curve is the left or right part of the outline of the line's buffer with round caps, in the
 * direction of the line. It is nowhere nearer to the line than the distance, except for the effect of the chords of
 * arcs (0.0012 of the distance with 16 segments), bevelled corners and rounding. If that side of the buffer consists of
 * several pieces, there are several lines; if nothing remains of it, the result is empty. For a polygon, the curve is
 * the outline of the polygon's buffer: shells counterclockwise, holes clockwise. The curve has neither z nor m.
 *
 * A distance below the distance between two neighbouring doubles at the largest coordinate counts as 0: the result is
 * then the lines or rings themselves.
 *
 * @param distance For a polyline, the distance to the left, in the direction of the line; a negative distance is to the
 *     right. For a polygon, the distance outwards; a negative distance is inwards. In the unit of the geometry's
 *     coordinates; -1e100 to 1e100.
 * @param options NULL for round joins.
 * @param out_curve Receives a polyline; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is out of its range, the geometry is not valid (the message says why and
 *     where) or beyond 1e100, or out_curve is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the geometry is neither a polyline nor a polygon.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger, or takes longer, than the policy allows.
 */
ALD_API ald_status ald_geometry_create_offset_curve(ald_geometry geometry, double distance,
                                                    const ald_offset_options *options, ald_geometry *out_curve,
                                                    ald_error *error);

/* Vertices */

/**
 * Creates a geometry with more vertices along the edges of lines and polygons.
 *
 * The existing vertices stay, exactly as they are. z and m change evenly from one existing vertex to the next. Points
 * stay unchanged.
 *
 * If a curve crosses the antimeridian, the longitudes of new vertices follow the ends of the edge: an edge from 170 to
 * 190 gets 175, 180 and 185, and an edge from 170 to -170 gets 175, 180 and -175. The same applies to projected spatial
 * references whose world repeats itself.
 *
 * @param geometry The geometry.
 * @param options Where vertices are added.
 * @param out_densified Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if options or out_densified is NULL, an option is not valid, the unit does not fit,
 *     the ellipsoid or a unit is requested and the geometry has no spatial reference, or two vertices lie opposite to
 *     each other so that no unique curve joins them.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the ellipsoid is requested and the spatial reference is local or its ellipsoid is
 *     flatter than 1/50, or the coordinates are too large.
 *   - ALD_STATUS_PROJECTION_FAILED if a vertex is not a point on the ellipsoid, or a curve leads to where the spatial
 *     reference has no coordinates.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result has more vertices than the policy allows.
 */
ALD_API ald_status ald_geometry_create_densified(ald_geometry geometry, const ald_densify_options *options,
                                                 ald_geometry *out_densified, ald_error *error);

/**
 * Creates an array of geometries with more vertices along their edges, as in ald_geometry_create_densified. Messages
 * name the geometry.
 *
 * @param geometry_array The array.
 * @param options Where vertices are added.
 * @param out_densified Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT as in ald_geometry_create_densified.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_UNSUPPORTED as in ald_geometry_create_densified.
 *   - ALD_STATUS_PROJECTION_FAILED as in ald_geometry_create_densified.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result has more vertices than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_densified(ald_geometry_array geometry_array,
                                                       const ald_densify_options *options,
                                                       ald_geometry_array *out_densified, ald_error *error);

/**
 * Creates a geometry whose vertices are all moved by a distance in one direction.
 *
 * In the plane this is a shift. On the ellipsoid each vertex is moved along a curve that starts in that direction. z
 * and m stay. A geometry that crosses the antimeridian stays connected: its longitudes continue beyond 180.
 *
 * @param geometry The geometry.
 * @param distance The distance in the unit of the options; finite. A negative distance moves backwards.
 * @param azimuth_deg The direction in degrees clockwise from north, or from the y axis in the plane; finite.
 * @param options How the distance is measured; NULL: in the plane. ALD_CURVE_TYPE_SHAPE_PRESERVING is not allowed.
 * @param out_moved Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or a vertex would not be finite, an option is not valid,
 *     the unit does not fit, the ellipsoid or a unit is requested and the geometry has no spatial reference, or
 *     out_moved is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the curve type is shape-preserving, or the ellipsoid is requested and the spatial
 *     reference is local or its ellipsoid is flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if a vertex is not a point on the ellipsoid, or the curve from it leads beyond a
 *     pole (a loxodrome) or to where the spatial reference has no coordinates.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call exceeds a limit of the policy.
 */
ALD_API ald_status ald_geometry_create_moved(ald_geometry geometry, double distance, double azimuth_deg,
                                             const ald_measure_options *options, ald_geometry *out_moved,
                                             ald_error *error);

/**
 * Creates an array whose vertices are all moved by a distance in one direction, as in ald_geometry_create_moved.
 * Messages name the geometry.
 *
 * @param geometry_array The array.
 * @param distance The distance in the unit of the options; finite. A negative distance moves backwards.
 * @param azimuth_deg The direction in degrees clockwise from north, or from the y axis in the plane; finite.
 * @param options How the distance is measured; NULL: in the plane. ALD_CURVE_TYPE_SHAPE_PRESERVING is not allowed.
 * @param out_moved Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT as in ald_geometry_create_moved.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_UNSUPPORTED as in ald_geometry_create_moved.
 *   - ALD_STATUS_PROJECTION_FAILED as in ald_geometry_create_moved.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call exceeds a limit of the policy.
 */
ALD_API ald_status ald_geometry_array_create_moved(ald_geometry_array geometry_array, double distance,
                                                   double azimuth_deg, const ald_measure_options *options,
                                                   ald_geometry_array *out_moved, ald_error *error);

/**
 * Creates a geometry that lies within the bounds of the world.
 *
 * Parts beyond the antimeridian, or beyond the sides of a projected spatial reference whose world repeats itself
 * (world_width of ald_spatial_reference_info), are cut off there and moved back by whole turns. Coordinates are not
 * reinterpreted: a line from longitude 170 to 190 crosses the antimeridian, and a line from 170 to -170 crosses
 * Greenwich. Parts within the bounds stay exactly as they are. A polygon that is cut loses its m.
 *
 * @param geometry The geometry.
 * @param out_normalized Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the geometry has no spatial reference, or out_normalized is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the spatial reference does not repeat itself from west to east or its sides are not
 *     known, a coordinate lies more than 16 times around the earth, or a polygon that would be cut is not valid (repair
 *     it with ald_geometry_create_repaired).
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_normalized(ald_geometry geometry, ald_geometry *out_normalized,
                                                  ald_error *error);

/**
 * Creates an array whose geometries lie within the bounds of the world, as in ald_geometry_create_normalized. Messages
 * name the geometry.
 *
 * @param geometry_array The array.
 * @param out_normalized Receives the array; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT as in ald_geometry_create_normalized.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array is not valid.
 *   - ALD_STATUS_UNSUPPORTED as in ald_geometry_create_normalized.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_normalized(ald_geometry_array geometry_array,
                                                        ald_geometry_array *out_normalized, ald_error *error);

/*
 * Projecting
 *
 * Geometries are projected vertex by vertex, and a receipt reports which operations were used. Kinds, parts, rings and
 * m stay as they are, and rings stay closed. z is converted as in ald_spatial_reference_project_coordinates: only if
 * both spatial references have a vertical part. A vertex whose z is NaN is projected by its position only, and keeps
 * its NaN. Geometries have no epochs.
 *
 * An edge is a straight line between its two vertices, before and after projecting. A long edge therefore runs
 * elsewhere on the ground after projecting: add vertices first. Longitudes are not reinterpreted: an edge from 170 to
 * 190 crosses the antimeridian, and most projections put its two ends at opposite sides of the map, with the edge right
 * across it. Cut the edge first.
 *
 * If both spatial references describe the same positions, the coordinates are shared: they are neither copied nor
 * checked.
 *
 * out_statuses and out_operations have an entry for each input vertex, geometry by geometry, in the order of the
 * columns. A collection contributes the vertices of its members, member by member.
 */

/**
 * Creates the image of a geometry in another spatial reference.
 *
 * @param to The spatial reference of the result.
 * @param options How vertices are projected; NULL for the defaults. A chosen transformation must lead from the
 *     geometry's spatial reference to this one. The library adds conversions that do not change the datum.
 * @param missing_images ALD_MISSING_IMAGE_LEFT_OUT or 0.
 * @param out_statuses NULL, or receives a status for each vertex.
 * @param out_operations NULL, or receives for each vertex the row of its operation in the receipt; ALD_NO_OPERATION for
 *     a vertex without an image.
 * @param vertex_capacity The number of entries in out_statuses and out_operations: at least the geometry's
 *     vertex_count. 0 if both are NULL.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @param out_receipt NULL, or receives the receipt; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the geometry has no spatial reference, flags are unknown, ALD_PROJECT_INVERSE is
 *     set without a transformation, the transformation leads elsewhere or does not state where it leads, out_statuses
 *     and out_operations are NULL and vertex_capacity is not 0, out_geometry is NULL, or objects are of different
 *     runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if geometry or to is not valid, or options has a transformation that is not valid.
 *   - ALD_STATUS_UNSUPPORTED if PROJ cannot run the chosen transformation, or cannot run it backwards.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the two spatial references, or a vertex has no
 *     image (the message names the first such vertex, the reason, and how many there are).
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if vertex_capacity is too small.
 *   - ALD_STATUS_MISSING_GRID if a vertex cannot be projected because a grid file is missing, or the chosen
 *     transformation lacks a grid file.
 */
ALD_API ald_status ald_geometry_create_projected(ald_geometry geometry, ald_spatial_reference to,
                                                 const ald_projection_options *options,
                                                 ald_missing_image_flags missing_images, ald_point_status *out_statuses,
                                                 uint32_t *out_operations, size_t vertex_capacity,
                                                 ald_geometry *out_geometry, ald_projection_receipt *out_receipt,
                                                 ald_error *error);

/**
 * Creates the images of all geometries of an array in another spatial reference, on all cores. One receipt covers all
 * vertices.
 *
 * @param to The spatial reference of the result.
 * @param options How vertices are projected; NULL for the defaults. A chosen transformation must lead from the array's
 *     spatial reference to this one. The library adds conversions that do not change the datum.
 * @param missing_images Bits of ald_missing_image_flags.
 * @param out_geometry_statuses NULL with geometry_capacity 0, or receives for each geometry the status of its first
 *     vertex without an image; ALD_POINT_STATUS_OK if all vertices have one.
 * @param geometry_capacity The number of entries in out_geometry_statuses: at least geometry_count.
 * @param out_statuses NULL, or receives a status for each vertex.
 * @param out_operations NULL, or receives for each vertex the row of its operation in the receipt; ALD_NO_OPERATION for
 *     a vertex without an image.
 * @param vertex_capacity The number of entries in out_statuses and out_operations: at least the array's vertex_count
 *     plus the vertices of the members of collections. 0 if both are NULL.
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @param out_receipt NULL, or receives the receipt; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the array has no spatial reference, flags are unknown, ALD_PROJECT_INVERSE is set
 *     without a transformation, the transformation leads elsewhere or does not state where it leads, an output array is
 *     NULL and its capacity is not 0, out_array is NULL, or objects are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if geometry_array or to is not valid, or options has a transformation that is not
 *     valid.
 *   - ALD_STATUS_UNSUPPORTED if PROJ cannot run the chosen transformation, or cannot run it backwards.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the two spatial references, or a vertex has no
 *     image and ALD_MISSING_IMAGE_EMPTIES_GEOMETRY is not set (the message names the first such vertex, the reason, and
 *     how many there are).
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if a capacity is too small.
 *   - ALD_STATUS_MISSING_GRID if a vertex cannot be projected because a grid file is missing, or the chosen
 *     transformation lacks a grid file.
 */
ALD_API ald_status ald_geometry_array_create_projected(
    ald_geometry_array geometry_array, ald_spatial_reference to, const ald_projection_options *options,
    ald_missing_image_flags missing_images, ald_point_status *out_geometry_statuses, size_t geometry_capacity,
    ald_point_status *out_statuses, uint32_t *out_operations, size_t vertex_capacity, ald_geometry_array *out_array,
    ald_projection_receipt *out_receipt, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

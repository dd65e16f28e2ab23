/**
 * @file
 * Snapping: finds the vertex, endpoint, midpoint, edge, centroid or intersection of drawn geometries that is near a
 * screen point.
 *
 * Points snap to features of feature layers and to graphics, as they are drawn: on the map, on each copy of the world
 * that the view shows. Points do not snap to anything that is hidden, is out of its scale range or has no symbol.
 * Colours, sizes and widths do not matter. Raster layers are ignored.
 *
 * Within the tolerance, the kind decides, whatever the distances are: endpoints come first, then vertices and
 * intersections, then midpoints, then centroids, then edges. Within one kind, the nearest is found; if several are
 * equally near, the topmost.
 *
 * @code{.c}
 * ald_snap snap = ALD_SNAP_INIT;
 * ald_snap_options options = ALD_SNAP_OPTIONS_INIT;
 * options.kinds = ALD_SNAP_VERTEX | ALD_SNAP_MIDPOINT | ALD_SNAP_EDGE;
 * ald_status status = ald_view_snap(view, (ald_point){400, 300}, 12, &options, &snap, error);
 * if (status == ALD_STATUS_OK && snap.kind != 0)
 *   printf("%.3f DIP away at %.3f, %.3f\n", snap.distance_dip, snap.map_point.x, snap.map_point.y);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_SNAP_H
#define ALIDADE_SNAP_H

#include "base.h"
#include "handles.h"
#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits for what a point snaps to. */
typedef uint32_t ald_snap_flags;
enum ald_snap_flags_values {
  /** A vertex of a line or a ring, or a point. */
  ALD_SNAP_VERTEX = 1,
  /** The first or the last vertex of a line that is not closed. */
  ALD_SNAP_ENDPOINT = 2,
  /** The middle of an edge. */
  ALD_SNAP_MIDPOINT = 4,
  /** The nearest point of an edge. */
  ALD_SNAP_EDGE = 8,
  /**
   * The centroid of a geometry on the map: of its polygons, or of its lines if it has no polygons, or of its points if
   * it has neither.
   */
  ALD_SNAP_CENTROID = 16,
  /**
   * A point at which two edges of one or two geometries cross, or at which one edge ends on the other. A point at which
   * both edges end is a vertex.
   */
  ALD_SNAP_INTERSECTION = 32
};

/** What a point may snap to. */
typedef struct ald_snap_options {
  uint32_t struct_size;
  /** 0: ALD_SNAP_VERTEX and ALD_SNAP_EDGE. */
  ald_snap_flags kinds;
  /**
   * Feature layers of the view's map, and groups. A group stands for the feature layers in it. If layers and overlays
   * are both NULL, all layers and all overlays are searched; otherwise only the given ones.
   */
  const ald_layer *layers;
  /** Overlays of the view. */
  const ald_graphics_overlay *overlays;
  uint32_t layer_count;
  uint32_t overlay_count;
} ald_snap_options;

/** Initialises an ald_snap_options to vertices and edges of everything. */
#define ALD_SNAP_OPTIONS_INIT                                                                                          \
  { (uint32_t)sizeof(ald_snap_options), 0, NULL, NULL, 0, 0 }

/** What a point snaps to. */
typedef struct ald_snap {
  uint32_t struct_size;
  /** One bit of ald_snap_flags. If nothing is within the tolerance, it is 0, and all other fields are 0 or null. */
  ald_snap_flags kind;
  /** The layer, borrowed; null for a graphic. */
  ald_layer layer;
  /** The overlay, borrowed; null for a feature. */
  ald_graphics_overlay overlay;
  /** The id of the feature or the graphic. For an intersection, the id of the upper one of the two. */
  int64_t id;
  /** The point in the map's spatial reference, in the copy of the world that is shown there. */
  ald_point map_point;
  /** The same point on the screen, in DIP. */
  ald_point screen_point;
  /** The distance from the given screen point to this point. */
  double distance_dip;
  /** The index of the member, in the flattened list of a collection's members; otherwise 0. */
  uint32_t member_index;
  /** The part of the geometry; 0 for a centroid. */
  uint32_t part_index;
  /** The path in the part; for a polygon 0 for the shell, then the holes. */
  uint32_t path_index;
  /** The edge in the path: from vertex segment_index to the next one; UINT32_MAX for points and centroids. */
  uint32_t segment_index;
  /** The vertex in the path; UINT32_MAX unless the kind is ALD_SNAP_VERTEX or ALD_SNAP_ENDPOINT. */
  uint32_t vertex_index;
  uint32_t reserved;
} ald_snap;

/** Initialises an ald_snap. */
#define ALD_SNAP_INIT                                                                                                  \
  { (uint32_t)sizeof(ald_snap), 0, {0}, {0}, 0, {0.0, 0.0}, {0.0, 0.0}, 0.0, 0, 0, 0, 0, 0, 0 }

/**
 * Finds what a screen point snaps to.
 *
 * The function uses the features of a layer that were last drawn. If the view has not drawn the layer, it reads the
 * features near the point. If all layers are searched, layers that are not loaded or cannot be read are skipped.
 *
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip The radius around the point in DIP; finite, 0 or more.
 * @param options NULL for all defaults.
 * @param out_snap Receives the result. Initialise it with ALD_SNAP_INIT.
 * @return ALD_STATUS_OK on success, even if there is nothing within the tolerance. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its range, an option is not valid, a layer is not
 *     in the view's map or is a raster layer, or out_snap is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if view, or a layer or an overlay of options, is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state, or if a given layer is not loaded.
 *   - ALD_STATUS_NOT_FOUND if an overlay is not in this view.
 *   - ALD_STATUS_READ_FAILED if the file of a given layer can no longer be read, or has changed.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more layers, overlays or features than the policy allows.
 */
ALD_API ald_status ald_view_snap(ald_view view, ald_point screen_point, double tolerance_dip,
                                 const ald_snap_options *options, ald_snap *out_snap, ald_error *error);

/**
 * Finds what a screen point snaps to without waiting. The result describes the view, the layers and the overlays at the
 * moment of this call. While a finger moves, set ald_request_options.replace_key: the newest request replaces the older
 * ones.
 *
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip The radius around the point in DIP; finite, 0 or more.
 * @param options NULL for all defaults.
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request, of the kind ALD_REQUEST_KIND_SNAP; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT as for ald_view_snap, or if a request option is not valid or out_request is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view, or a layer or an overlay of options, is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_NOT_FOUND if an overlay is not in this view.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more layers, overlays or graphics than the policy allows.
 */
ALD_API ald_status ald_view_snap_async(ald_view view, ald_point screen_point, double tolerance_dip,
                                       const ald_snap_options *options, const ald_request_options *request_options,
                                       ald_request *out_request, ald_error *error);

/**
 * Gets the result of a snap request. The result stays with the request and can be read again.
 *
 * @param out_snap Receives the result. Initialise it with ALD_SNAP_INIT.
 * @return ALD_STATUS_OK on success, even if there is nothing within the tolerance. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the request is not a snap request, or out_snap is NULL or its struct_size is not
 *     valid.
 *   - ALD_STATUS_INVALID_HANDLE if request is not valid.
 *   - ALD_STATUS_NOT_READY while the request is pending, or if a given layer was not loaded.
 *   - ALD_STATUS_READ_FAILED as for ald_view_snap.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more features than the policy allows.
 *   - ALD_STATUS_CANCELLED if the request was cancelled, or a newer request replaced it.
 */
ALD_API ald_status ald_request_get_snap(ald_request request, ald_snap *out_snap, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

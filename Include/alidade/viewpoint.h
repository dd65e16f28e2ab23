/**
 * @file
 * Viewpoints: moving a view to them, and storing them.
 *
 * ald_view_move moves a view at once. A viewpoint can be a centre with a scale, or an extent or a geometry that must
 * fit into the view. ald_view_plan_move computes the same move without moving the view. Constraints limit scale, extent
 * and rotation. If the constraints do not allow a move, this is not an error: the view goes as near as it can, and the
 * plan reports which constraints changed the move. A move that is not valid is an error and leaves the view where it
 * is. For moves that take time, see ald_view_animate_to in navigation.h.
 *
 * A map stores viewpoints as bookmarks and as its initial viewpoint. A viewpoint can also be written as JSON and read
 * again, in the form of a viewpoint in ArcGIS web maps:
 *
 *     {"rotation": 0, "scale": 72000, "targetGeometry": {"x": 10, "y": 50, "spatialReference": {"wkid": 4326}}}
 *
 * "targetGeometry" is a point (the centre), a box with xmin, ymin, xmax and ymax (the extent), or a multipoint with
 * points, a polyline with paths or a polygon with rings (the geometry). "rotation" is the direction of north on the
 * screen, in degrees clockwise from the top: 360 minus rotation_deg. Each of the three members is optional, like the
 * parts of a viewpoint. A spatial reference has a "wkid", which is an EPSG or ESRI code, a "latestWkid", which takes
 * precedence over "wkid", or a "wkt".
 *
 * @code{.c}
 * ald_viewpoint target = ALD_VIEWPOINT_INIT;
 * target.fields = ALD_VIEWPOINT_HAS_GEOMETRY;
 * target.geometry = geometry;
 * const ald_insets padding = {40, 40, 40, 40};
 * ald_camera_plan plan = ALD_CAMERA_PLAN_INIT;
 * ald_status status = ald_view_move(view, &target, &padding, &plan, error);
 * if (status == ALD_STATUS_OK && plan.clamps != 0) printf("the constraints changed the move\n");
 * return status;
 * @endcode
 */
#ifndef ALIDADE_VIEWPOINT_H
#define ALIDADE_VIEWPOINT_H

#include "base.h"
#include "handles.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_constraints.flags. */
typedef uint32_t ald_constraints_flags;
enum ald_constraints_flags_values {
  /** max_extent is set. */
  ALD_CONSTRAINTS_HAS_EXTENT = 1,
  /** The view keeps rotation_deg. */
  ALD_CONSTRAINTS_LOCK_ROTATION = 2,
  /**
   * Fingers can pull the view past the limits of scale and extent, as on a rubber band: with increasing resistance, at
   * most by an octave of the scale and by the smaller side of the view. When the fingers let go, the view springs back
   * during 0.3 s of ald_view_advance. The spring replaces inertia and is part of the gesture's movement. All other
   * movements stay within the limits. Without this flag, fingers cannot pull the view past the limits.
   */
  ALD_CONSTRAINTS_RUBBER_BAND = 4
};

/** The part of a view that must stay inside the maximum extent. */
typedef int32_t ald_extent_rule;
enum ald_extent_rule_values {
  /**
   * The view shows nothing outside the extent: all four corners of the view, insets included, stay inside, and the
   * scale stays close enough for that.
   */
  ALD_EXTENT_RULE_VISIBLE_AREA = 0,
  /** The centre of the view stays inside. */
  ALD_EXTENT_RULE_CENTER = 1
};

/** The constraints of a view's camera. */
typedef struct ald_constraints {
  uint32_t struct_size;
  ald_constraints_flags flags;
  /** The denominator of the farthest scale that is allowed, 1e-6 to 1e15. 0 means no limit. */
  double min_scale;
  /** The denominator of the closest scale that is allowed, 1e-6 to 1e15. 0 means no limit. */
  double max_scale;
  /**
   * A box with width and height. Valid with ALD_CONSTRAINTS_HAS_EXTENT. Where the world repeats itself, x_min > x_max
   * means that the box crosses the antimeridian, a point in any copy of the world counts as inside, and a box around
   * the whole world has no limit in x.
   */
  ald_envelope max_extent;
  /**
   * The spatial reference of max_extent. Null means the map's own. A box in another spatial reference is projected, and
   * the box around its image applies.
   */
  ald_spatial_reference spatial_reference;
  ald_extent_rule extent_rule;
  uint32_t reserved;
  /** The rotation that the view keeps, taken modulo 360. Valid with ALD_CONSTRAINTS_LOCK_ROTATION. */
  double rotation_deg;
} ald_constraints;

/** Initialises an ald_constraints without any limit. */
#define ALD_CONSTRAINTS_INIT                                                                                           \
  { (uint32_t)sizeof(ald_constraints), 0, 0.0, 0.0, {0.0, 0.0, 0.0, 0.0}, {0}, 0, 0, 0.0 }

/** Bits of ald_camera_plan.clamps: the constraints that changed a move. */
typedef uint32_t ald_camera_clamp_flags;
enum ald_camera_clamp_flags_values {
  /** The scale was beyond min_scale. */
  ALD_CAMERA_CLAMP_MIN_SCALE = 1,
  /** The scale was beyond max_scale. */
  ALD_CAMERA_CLAMP_MAX_SCALE = 2,
  /** The view would have shown more than the maximum extent. It was zoomed in. */
  ALD_CAMERA_CLAMP_EXTENT_SCALE = 4,
  /** The centre was moved in x to stay inside the maximum extent. */
  ALD_CAMERA_CLAMP_EXTENT_X = 8,
  /** The centre was moved in y to stay inside the maximum extent. */
  ALD_CAMERA_CLAMP_EXTENT_Y = 16,
  /** The rotation is locked. */
  ALD_CAMERA_CLAMP_ROTATION = 32,
  /** The scale was outside 1e-6 to 1e15, the range of all views. */
  ALD_CAMERA_CLAMP_RANGE = 64
};

/** The result of a move. */
typedef struct ald_camera_plan {
  uint32_t struct_size;
  /** The constraints that changed the move. 0 means that none did. */
  ald_camera_clamp_flags clamps;
  /** The centre after the move, in the map's spatial reference. */
  ald_point center;
  double scale;
  /** 0 <= rotation_deg < 360. */
  double rotation_deg;
  /** The turn from the previous rotation in the shorter direction, clockwise: -180 < turn_deg <= 180. */
  double turn_deg;
  /** The centre that the view would have without constraints. */
  ald_point wanted_center;
  double wanted_scale;
  double wanted_rotation_deg;
  /**
   * For a move to an extent or a geometry: the distances in DIP from its outermost points to the sides of the free area
   * inside the insets. A distance is negative where a point lies outside. Without constraints each distance is at least
   * the padding. NaN for other moves.
   */
  ald_insets margins;
} ald_camera_plan;

/** Initialises an ald_camera_plan. */
#define ALD_CAMERA_PLAN_INIT                                                                                           \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_camera_plan), 0, {0.0, 0.0}, 0.0, 0.0, 0.0, {0.0, 0.0}, 0.0, 0.0, {                           \
      0.0, 0.0, 0.0, 0.0                                                                                               \
    }                                                                                                                  \
  }

/* Moving a view */

/**
 * Moves a view at once.
 *
 * The view fits an extent or a geometry into the area that insets and padding leave free: it fills the area in one
 * direction and is centred in the other. A geometry is fitted as it lies on the rotated screen: its points, lines and
 * shells, with edges followed where the projection bends them. Where the world repeats itself, the parts of a geometry
 * with several parts are taken from the copies in which they lie close together: on both sides of the antimeridian, not
 * around the world.
 *
 * On failure the view does not change.
 *
 * @param viewpoint The viewpoint. The view keeps every part that its fields do not name.
 * @param padding The distances in DIP that stay free around an extent or a geometry, in addition to the insets. Each is
 *     0 or more. NULL means no padding.
 * @param out_plan Receives the result of the move. NULL, or initialise it with ALD_CAMERA_PLAN_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if viewpoint is NULL, a number is not finite or out of range, more than one of
 *     centre, extent and geometry is named, the geometry is empty or has no spatial reference, padding and insets leave
 *     no free area, or a handle belongs to another runtime.
 *   - ALD_STATUS_INVALID_HANDLE if view or a handle in viewpoint is not valid.
 *   - ALD_STATUS_NOT_READY if the map's spatial reference, the view's size, or a centre or scale that the viewpoint
 *     does not name is missing.
 *   - ALD_STATUS_PROJECTION_FAILED if the centre, a point of the geometry or the whole extent cannot be projected to
 *     the map's spatial reference.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_move(ald_view view, const ald_viewpoint *viewpoint, const ald_insets *padding,
                                 ald_camera_plan *out_plan, ald_error *error);

/**
 * Computes what ald_view_move would do now, without moving the view.
 *
 * @param viewpoint As for ald_view_move.
 * @param padding As for ald_view_move. NULL means no padding.
 * @param out_plan Receives the result. Initialise it with ALD_CAMERA_PLAN_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_plan is NULL, or as for ald_view_move.
 *   - ALD_STATUS_INVALID_HANDLE if view or a handle in viewpoint is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_move.
 *   - ALD_STATUS_PROJECTION_FAILED as for ald_view_move.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_plan_move(ald_view view, const ald_viewpoint *viewpoint, const ald_insets *padding,
                                      ald_camera_plan *out_plan, ald_error *error);

/**
 * Moves a view at once so that a box fits into it. The rotation does not change. The function does the same as
 * ald_view_move with an extent.
 *
 * @param envelope The box.
 * @param spatial_reference The spatial reference of the box. Null means the map's own.
 * @param padding As for ald_view_move. NULL means no padding.
 * @param out_plan Receives the result of the move. NULL, or initialise it with ALD_CAMERA_PLAN_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT as for ald_view_move.
 *   - ALD_STATUS_INVALID_HANDLE if view or spatial_reference is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_move.
 *   - ALD_STATUS_PROJECTION_FAILED if no part of the box can be projected to the map's spatial reference.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_zoom_to_envelope(ald_view view, ald_envelope envelope,
                                             ald_spatial_reference spatial_reference, const ald_insets *padding,
                                             ald_camera_plan *out_plan, ald_error *error);

/**
 * Moves a view at once so that a geometry fits into it. The rotation does not change. The function does the same as
 * ald_view_move with a geometry.
 *
 * @param geometry The geometry, with a spatial reference.
 * @param padding As for ald_view_move. NULL means no padding.
 * @param out_plan Receives the result of the move. NULL, or initialise it with ALD_CAMERA_PLAN_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT as for ald_view_move.
 *   - ALD_STATUS_INVALID_HANDLE if view or geometry is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_move.
 *   - ALD_STATUS_PROJECTION_FAILED if a point of the geometry cannot be projected to the map's spatial reference.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call takes longer than the policy allows.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_zoom_to_geometry(ald_view view, ald_geometry geometry, const ald_insets *padding,
                                             ald_camera_plan *out_plan, ald_error *error);

/**
 * Sets the constraints of a view and moves the view at once if they require it. The rotation is limited first, then the
 * scale, then the centre. If constraints contradict each other, the limits of the scale take precedence, and the middle
 * of the extent is in the middle of the view. The constraints also apply when the size or the insets of the view
 * change.
 *
 * @param constraints The constraints. They replace all previous constraints. NULL removes all constraints.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, min_scale is a closer scale than
 *     max_scale, the extent has no width or height, or the spatial reference belongs to another runtime.
 *   - ALD_STATUS_INVALID_HANDLE if view or the spatial reference in constraints is not valid.
 *   - ALD_STATUS_NOT_READY if an extent is set and the map has no spatial reference.
 *   - ALD_STATUS_PROJECTION_FAILED if no part of the extent can be projected to the map's spatial reference.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_set_constraints(ald_view view, const ald_constraints *constraints, ald_error *error);

/**
 * Gets the constraints of a view.
 *
 * @param out_constraints Receives the constraints. Initialise it with ALD_CONSTRAINTS_INIT. The extent is in the map's
 *     spatial reference, and spatial_reference is null.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_constraints is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 */
ALD_API ald_status ald_view_get_constraints(ald_view view, ald_constraints *out_constraints, ald_error *error);

/* Reading a view's viewpoint */

/**
 * Gets the viewpoint of a view: its centre, scale and rotation.
 *
 * @param out_viewpoint Receives the viewpoint. Initialise it with ALD_VIEWPOINT_INIT. Its spatial_reference is the
 *     map's; the handle is borrowed: valid while the map lives.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_viewpoint is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_view_get_viewpoint(ald_view view, ald_viewpoint *out_viewpoint, ald_error *error);

/**
 * Creates the visible area of a view, now or after a move: a polygon with four corners in the map's spatial reference.
 * The function converts a centre and a scale to a geometry; ald_view_plan_move converts a geometry to a centre and a
 * scale.
 *
 * @param viewpoint The viewpoint that the view would move to; the view does not move. NULL uses the current viewpoint.
 * @param out_geometry Receives the polygon; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_geometry is NULL, or as for ald_view_move.
 *   - ALD_STATUS_INVALID_HANDLE if view or a handle in viewpoint is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_move.
 *   - ALD_STATUS_PROJECTION_FAILED as for ald_view_move.
 *   - ALD_STATUS_INVALID_STATE if viewpoint is not NULL and the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_create_visible_area(ald_view view, const ald_viewpoint *viewpoint,
                                                ald_geometry *out_geometry, ald_error *error);

/* Creating viewpoints, and JSON */

/**
 * Creates a viewpoint from a WGS 84 location and a scale.
 *
 * @param latitude_deg The latitude of the centre, -90 to 90.
 * @param longitude_deg The longitude of the centre, -360 to 360.
 * @param scale The denominator of the nominal scale, 1e-6 to 1e15.
 * @param out_viewpoint Receives the viewpoint. Initialise it with ALD_VIEWPOINT_INIT. Its spatial_reference is the
 *     handle in out_spatial_reference.
 * @param out_spatial_reference Receives EPSG:4326; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, out_viewpoint is NULL or its struct_size
 *     is not valid, or out_spatial_reference is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 */
ALD_API ald_status ald_viewpoint_create_from_location(ald_runtime runtime, double latitude_deg, double longitude_deg,
                                                      double scale, ald_viewpoint *out_viewpoint,
                                                      ald_spatial_reference *out_spatial_reference, ald_error *error);

/**
 * Creates a viewpoint from JSON. See the form at the top of this header.
 *
 * @param json UTF-8. Members that the form does not have are ignored.
 * @param out_viewpoint Receives the viewpoint. Initialise it with ALD_VIEWPOINT_INIT. Its spatial_reference and
 *     geometry are the handles in the next two parameters.
 * @param out_spatial_reference Receives the spatial reference of the coordinates, or null if the text has none; the
 *     host owns it. Set to null on failure.
 * @param out_geometry Receives the geometry, or null if the text has none; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if json is NULL or not of this form, a number is out of range, out_viewpoint is NULL
 *     or its struct_size is not valid, or an out handle is NULL. The message says where the fault is.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 *   - ALD_STATUS_NOT_FOUND if the spatial reference does not exist.
 *   - ALD_STATUS_UNSUPPORTED if maps cannot use the spatial reference, or the geometry has curves.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the policy does not allow a text of this length.
 */
ALD_API ald_status ald_viewpoint_create_from_json(ald_runtime runtime, const char *json, ald_viewpoint *out_viewpoint,
                                                  ald_spatial_reference *out_spatial_reference,
                                                  ald_geometry *out_geometry, ald_error *error);

/**
 * Writes a viewpoint as JSON. Each number is the shortest text that reads back as the same number.
 *
 * @param viewpoint The viewpoint. Parts that its fields do not name are left out.
 * @param buffer Receives the text with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if viewpoint is NULL, a number is not finite or out of range, more than one of
 *     centre, extent and geometry is named, a handle belongs to another runtime, buffer is NULL and capacity_bytes is
 *     not 0, or both buffer and out_size_bytes are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime or a handle in viewpoint is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the geometry is a collection, which the form does not have.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the policy does not allow the memory for the text.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_viewpoint_get_json(ald_runtime runtime, const ald_viewpoint *viewpoint, char *buffer,
                                          size_t capacity_bytes, size_t *out_size_bytes, ald_error *error);

/* Viewpoints of a map */

/**
 * Sets the first viewpoint of the map's views. A view without a centre takes this viewpoint when its state is read for
 * the first time; see ald_map_set_initial_location, which does the same for a WGS 84 location. Without an initial
 * viewpoint, views show the full extent of the map's lowest layer.
 *
 * @param viewpoint A viewpoint with a centre and a scale, an extent, or a geometry. NULL removes the initial viewpoint.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, none or more than one of centre, extent
 *     and geometry is named, the geometry is empty or has no spatial reference, or a handle belongs to another runtime.
 *   - ALD_STATUS_INVALID_HANDLE if map or a handle in viewpoint is not valid.
 *   - ALD_STATUS_PROJECTION_FAILED if the map has a spatial reference and the viewpoint cannot be projected to it.
 */
ALD_API ald_status ald_map_set_initial_viewpoint(ald_map map, const ald_viewpoint *viewpoint, ald_error *error);

/**
 * Gets the initial viewpoint of a map.
 *
 * @param out_viewpoint Receives the viewpoint. Initialise it with ALD_VIEWPOINT_INIT. Its handles are borrowed: valid
 *     until the map gets another initial viewpoint.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_viewpoint is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 *   - ALD_STATUS_NOT_FOUND if the map has no initial viewpoint.
 */
ALD_API ald_status ald_map_get_initial_viewpoint(ald_map map, ald_viewpoint *out_viewpoint, ald_error *error);

/**
 * Adds a bookmark to a map: a viewpoint with a name.
 *
 * @param name UTF-8, not empty.
 * @param viewpoint The viewpoint. The map keeps it and its handles.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a pointer is NULL, the name is empty or not UTF-8, a number is not finite or out
 *     of range, more than one of centre, extent and geometry is named, or a handle belongs to another runtime.
 *   - ALD_STATUS_INVALID_HANDLE if map or a handle in viewpoint is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the map has 10,000 bookmarks.
 *   - ALD_STATUS_INVALID_STATE if the map already has a bookmark with that name.
 */
ALD_API ald_status ald_map_add_bookmark(ald_map map, const char *name, const ald_viewpoint *viewpoint,
                                        ald_error *error);

/**
 * Removes a bookmark.
 *
 * @param name The name of the bookmark.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if name is NULL or not UTF-8.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no bookmark with that name.
 */
ALD_API ald_status ald_map_remove_bookmark(ald_map map, const char *name, ald_error *error);

/**
 * Gets the number of bookmarks of a map.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 */
ALD_API ald_status ald_map_get_bookmark_count(ald_map map, uint32_t *out_count, ald_error *error);

/**
 * Gets the name of a bookmark. The bookmarks are in the order in which they were added.
 *
 * @param index The index of the bookmark, from 0.
 * @param buffer Receives the name with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity_bytes is not 0, or both buffer and out_size_bytes are
 *     NULL.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no bookmark with that index.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_map_get_bookmark_name_at(ald_map map, uint32_t index, char *buffer, size_t capacity_bytes,
                                                size_t *out_size_bytes, ald_error *error);

/**
 * Finds a bookmark by its name and reads its viewpoint.
 *
 * @param name The name of the bookmark.
 * @param out_viewpoint Receives the viewpoint. Initialise it with ALD_VIEWPOINT_INIT. Its handles are borrowed: valid
 *     while the map keeps the bookmark.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if name is NULL or not UTF-8, or out_viewpoint is NULL or its struct_size is not
 *     valid.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no bookmark with that name.
 */
ALD_API ald_status ald_map_find_bookmark(ald_map map, const char *name, ald_viewpoint *out_viewpoint, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

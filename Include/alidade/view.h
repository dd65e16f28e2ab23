/**
 * @file
 * Views: a camera over a map.
 *
 * A view has a size, a viewpoint and insets. It has no window and draws nothing. The host sets where the view looks,
 * reads the state of the view once per frame, and converts points between screen and map. viewpoint.h moves a view with
 * constraints and plans. navigation.h moves it by gestures and animations.
 *
 * Functions that read a view return ALD_STATUS_NOT_READY while the map has no spatial reference, or while the view has
 * no size, centre or scale. The message names what is missing.
 *
 * @code{.c}
 * ald_view_state state = ALD_VIEW_STATE_INIT;
 * ald_status status = ald_view_get_state(view, &state, error);
 * if (status != ALD_STATUS_OK) return status;
 * double point[2] = {state.anchor_dip.x + 100, state.anchor_dip.y};
 * status = ald_view_screen_to_map(view, point, 0, 1, point, 0, error);
 * if (status == ALD_STATUS_OK) printf("100 DIP to the right of the centre: %.3f, %.3f\n", point[0], point[1]);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_VIEW_H
#define ALIDADE_VIEW_H

#include "base.h"
#include "handles.h"
#include "units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The parts of a view that the host's own controls cover, in DIP from each side. */
typedef struct ald_insets {
  double top_dip;
  double right_dip;
  double bottom_dip;
  double left_dip;
} ald_insets;

/** The options for ald_view_create. */
typedef struct ald_view_options {
  uint32_t struct_size;
  uint32_t reserved;
  /** The size in DIP, 0 to 1e7. If width and height are 0, set the size later with ald_view_set_size. */
  double width_dip;
  double height_dip;
  /** Physical pixels per DIP, 0 to 100. 0 means 1. */
  double pixel_density;
} ald_view_options;

/** Initialises an ald_view_options to the default. */
#define ALD_VIEW_OPTIONS_INIT                                                                                          \
  { (uint32_t)sizeof(ald_view_options), 0, 0.0, 0.0, 0.0 }

/** Bits of ald_viewpoint.fields: the parts that a viewpoint sets. */
typedef uint32_t ald_viewpoint_fields;
enum ald_viewpoint_fields_values {
  ALD_VIEWPOINT_HAS_CENTER = 1,
  ALD_VIEWPOINT_HAS_SCALE = 2,
  ALD_VIEWPOINT_HAS_ROTATION = 4,
  ALD_VIEWPOINT_HAS_EXTENT = 8,
  ALD_VIEWPOINT_HAS_GEOMETRY = 16
};

/**
 * Where a view looks. A view keeps every part that fields does not name; leave the value of such a part as it was
 * initialised. fields names at most one of centre, extent and geometry.
 */
typedef struct ald_viewpoint {
  uint32_t struct_size;
  ald_viewpoint_fields fields;
  /**
   * The point in the middle of the area that the insets leave free. Where the world repeats itself, an x beyond the
   * world selects a neighbouring copy of it. This applies to every spatial reference: a longitude of -181 degrees is 1
   * degree west of -180, and 179 is the same point in copy 0. The middle of an extent or a geometry selects a copy in
   * the same way. The view shows the same picture for each copy; the coordinates differ by the width of the world.
   * Animations take the shorter path around the world, whichever copy is selected.
   */
  ald_point center;
  /** The spatial reference of center and extent, and of a geometry that has none. Null means the map's own. */
  ald_spatial_reference spatial_reference;
  /**
   * The denominator of the nominal scale: 50000 for 1 : 50000. 1e-6 to 1e15. With an extent or a geometry, the view
   * shows the middle of it at this scale, even if it does not fit into the view.
   */
  double scale;
  /** The compass direction that is up on the screen, in degrees clockwise from north. Taken modulo 360. */
  double rotation_deg;
  /**
   * The box to fit into the view. Where the world repeats itself, x_min > x_max means that the box crosses the
   * antimeridian. A box without width and height only pans.
   */
  ald_envelope extent;
  /**
   * The geometry to fit into the view, or null. The view fits its vertices as they lie on the rotated screen, not the
   * box around them. A geometry without a spatial reference uses spatial_reference. A point only pans.
   */
  ald_geometry geometry;
} ald_viewpoint;

/** Initialises an ald_viewpoint that sets nothing. */
#define ALD_VIEWPOINT_INIT                                                                                             \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_viewpoint), 0, {0.0, 0.0}, {0}, 0.0, 0.0, {0.0, 0.0, 0.0, 0.0}, {                             \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** The state of a view: everything that a frame needs. */
typedef struct ald_view_state {
  uint32_t struct_size;
  uint32_t reserved;
  /** Increases by at least 1 with every change of the values below. */
  uint64_t generation;
  /** The map point in the middle of the area that the insets leave free, in the map's spatial reference. */
  ald_point center;
  /** The denominator of the nominal scale. */
  double scale;
  /** The compass direction that is up on the screen, 0 <= rotation_deg < 360. */
  double rotation_deg;
  /** Map units per DIP. */
  double units_per_dip;
  double width_dip;
  double height_dip;
  /** Physical pixels per DIP. */
  double pixel_density;
  ald_insets insets;
  /** The screen point, in DIP, that shows center. */
  ald_point anchor_dip;
  /**
   * The matrix m from screen to map, relative to anchor_dip and center:
   *
   *     x - center.x = m[0] * (sx - anchor_dip.x) + m[1] * (sy - anchor_dip.y)
   *     y - center.y = m[2] * (sx - anchor_dip.x) + m[3] * (sy - anchor_dip.y)
   */
  double screen_to_map[4];
  /**
   * The matrix from map to screen, relative to center and anchor_dip. It is the inverse of screen_to_map and is used in
   * the same way.
   */
  double map_to_screen[4];
  /** The corners of the whole view, insets included, in map coordinates: clockwise from the top left of the screen. */
  ald_point visible_area[4];
} ald_view_state;

/** Initialises an ald_view_state. */
#define ALD_VIEW_STATE_INIT                                                                                            \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_view_state), 0, 0, {0.0, 0.0}, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, {0.0, 0.0, 0.0, 0.0},            \
        {0.0, 0.0}, {0.0}, {0.0}, {                                                                                    \
      {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {                                                                            \
        0.0, 0.0                                                                                                       \
      }                                                                                                                \
    }                                                                                                                  \
  }

/** The ground resolution at a screen point. */
typedef struct ald_ground_resolution {
  uint32_t struct_size;
  uint32_t reserved;
  /** Metres per DIP along the screen's x axis. */
  double x_m;
  /** Metres per DIP along the screen's y axis. */
  double y_m;
} ald_ground_resolution;

/** Initialises an ald_ground_resolution. */
#define ALD_GROUND_RESOLUTION_INIT                                                                                     \
  { (uint32_t)sizeof(ald_ground_resolution), 0, 0.0, 0.0 }

/** The units of a scale bar. */
typedef int32_t ald_unit_system;
enum ald_unit_system_values {
  /** Kilometres, or metres for bars shorter than a kilometre. */
  ALD_UNIT_SYSTEM_METRIC = 1,
  /** Statute miles, or feet for bars shorter than a mile. */
  ALD_UNIT_SYSTEM_IMPERIAL = 2
};

/** A scale bar: a line on the screen with its length on the ground. */
typedef struct ald_scale_bar {
  uint32_t struct_size;
  /** The unit of length: ALD_UNIT_KILOMETRE, ALD_UNIT_METRE, ALD_UNIT_STATUTE_MILE or ALD_UNIT_FOOT. */
  ald_unit unit;
  /** The length in that unit: 1, 2 or 5 times a power of ten. */
  double length;
  /** The length in metres. */
  double length_m;
  /** The width of the bar on the screen. */
  double width_dip;
  /** The left end, in DIP. */
  ald_point start_dip;
  /** The right end, in DIP. */
  ald_point end_dip;
} ald_scale_bar;

/** Initialises an ald_scale_bar. */
#define ALD_SCALE_BAR_INIT                                                                                             \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_scale_bar), 0, 0.0, 0.0, 0.0, {0.0, 0.0}, {                                                   \
      0.0, 0.0                                                                                                         \
    }                                                                                                                  \
  }

/**
 * Creates a view of a map.
 *
 * @param map The map. The view keeps it.
 * @param options NULL for all defaults.
 * @param out_view Receives the view; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_view is NULL or an option is out of range.
 *   - ALD_STATUS_INVALID_HANDLE if map is not valid.
 */
ALD_API ald_status ald_view_create(ald_map map, const ald_view_options *options, ald_view *out_view, ald_error *error);

/** Releases a view. */
ALD_API void ald_view_release(ald_view view);

/**
 * Gets the map of a view.
 *
 * @param out_map Receives the map. The handle is borrowed: valid while the view lives. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_map is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 */
ALD_API ald_status ald_view_get_map(ald_view view, ald_map *out_map, ald_error *error);

/**
 * Sets the size of a view. Centre, scale and rotation do not change.
 *
 * @param width_dip The width, more than 0, at most 1e7.
 * @param height_dip The height, more than 0, at most 1e7.
 * @param pixel_density Physical pixels per DIP, at most 100. 0 means 1.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, or the insets would leave no free area.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_set_size(ald_view view, double width_dip, double height_dip, double pixel_density,
                                     ald_error *error);

/**
 * Sets the parts of a view that the host's controls cover. The centre moves to the middle of the free area.
 *
 * @param insets Each 0 or more. NULL removes the insets.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is negative or not finite, or the insets leave no free area.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY if the view has no size.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_set_insets(ald_view view, const ald_insets *insets, ald_error *error);

/**
 * Moves a view at once, as near to a viewpoint as the view's constraints allow. ald_view_move in viewpoint.h does the
 * same and reports the result. ald_view_set_viewpoint also accepts parts of a viewpoint while the view has no size,
 * centre or scale. On failure the view does not change.
 *
 * @param viewpoint The viewpoint. The view keeps every part that its fields do not name.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if viewpoint is NULL, a number is not finite or out of range, more than one of
 *     centre, extent and geometry is named, the geometry is empty or has no spatial reference, or a handle belongs to
 *     another runtime.
 *   - ALD_STATUS_INVALID_HANDLE if view or a handle in viewpoint is not valid.
 *   - ALD_STATUS_NOT_READY if the map has no spatial reference, or the viewpoint has an extent or a geometry and the
 *     view has no size, or has no scale where the extent or geometry only pans.
 *   - ALD_STATUS_PROJECTION_FAILED if the centre, the geometry or the whole extent cannot be projected to the map's
 *     spatial reference.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_set_viewpoint(ald_view view, const ald_viewpoint *viewpoint, ald_error *error);

/**
 * Moves the centre of a view. Scale and rotation do not change.
 *
 * @param center The new centre.
 * @param spatial_reference The spatial reference of center. Null means the map's own.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT as for ald_view_set_viewpoint.
 *   - ALD_STATUS_INVALID_HANDLE if view or spatial_reference is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_set_viewpoint.
 *   - ALD_STATUS_PROJECTION_FAILED if center cannot be projected to the map's spatial reference.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_set_center(ald_view view, ald_point center, ald_spatial_reference spatial_reference,
                                       ald_error *error);

/**
 * Sets the scale of a view. Centre and rotation do not change.
 *
 * The nominal scale is map units per DIP * metres per map unit * 96 / 0.0254. A DIP is 1/96 inch. A map unit has the
 * length that its name says; a degree has the length of a degree on the equator.
 *
 * @param scale The denominator: 50000 for 1 : 50000. 1e-6 to 1e15.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if scale is not finite or out of range.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY if the map has no spatial reference.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_set_scale(ald_view view, double scale, ald_error *error);

/**
 * Sets the rotation of a view. Centre and scale do not change.
 *
 * @param rotation_deg The compass direction that is up on the screen, in degrees clockwise from north. Taken modulo
 *     360. At 90, east is up.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if rotation_deg is not finite.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY if the map has no spatial reference.
 *   - ALD_STATUS_INVALID_STATE if the view belongs to a magnifier.
 */
ALD_API ald_status ald_view_set_rotation(ald_view view, double rotation_deg, ald_error *error);

/**
 * Gets the state of a view at one moment.
 *
 * @param out_state Receives the state. Initialise it with ALD_VIEW_STATE_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_state is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY if the map's spatial reference, or the view's size, centre or scale is missing, or the view
 *     belongs to a magnifier that is hidden. The message names what is missing.
 */
ALD_API ald_status ald_view_get_state(ald_view view, ald_view_state *out_state, ald_error *error);

/**
 * Converts screen points to map points in the map's spatial reference.
 *
 * @param screen_xy count points, each two doubles x, y in DIP. Points outside the view are allowed.
 * @param stride_bytes The distance from one point to the next in bytes, at least 16. 0 means 16.
 * @param count The number of points. 0 does nothing.
 * @param out_map_xy Receives the points. A point that is not finite, or whose image is not finite, becomes NaN, NaN.
 *     May be screen_xy if both strides are equal; otherwise the arrays must not overlap.
 * @param out_stride_bytes The distance from one point to the next in bytes, at least 16. 0 means 16. Bytes between
 *     points are not changed.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an array is NULL, a stride is too small or a size overflows.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_LIMIT_EXCEEDED if count is above the limit of the policy.
 */
ALD_API ald_status ald_view_screen_to_map(ald_view view, const double *screen_xy, size_t stride_bytes, size_t count,
                                          double *out_map_xy, size_t out_stride_bytes, ald_error *error);

/**
 * Converts map points in the map's spatial reference to screen points.
 *
 * @param map_xy count points, each two doubles x, y.
 * @param stride_bytes The distance from one point to the next in bytes, at least 16. 0 means 16.
 * @param count The number of points. 0 does nothing.
 * @param out_screen_xy Receives the points in DIP. A point that is not finite, or whose image is not finite, becomes
 *     NaN, NaN. May be map_xy if both strides are equal; otherwise the arrays must not overlap.
 * @param out_stride_bytes The distance from one point to the next in bytes, at least 16. 0 means 16. Bytes between
 *     points are not changed.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an array is NULL, a stride is too small or a size overflows.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_LIMIT_EXCEEDED if count is above the limit of the policy.
 */
ALD_API ald_status ald_view_map_to_screen(ald_view view, const double *map_xy, size_t stride_bytes, size_t count,
                                          double *out_screen_xy, size_t out_stride_bytes, ald_error *error);

/**
 * Computes the fraction of the visible area that the outline of a layer covers. Both areas are planar areas in the
 * map's spatial reference. Each edge of the outline is divided into 32 segments before it is projected.
 *
 * @param layer A layer of the view's map.
 * @param out_fraction Receives the fraction, 0 to 1.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map, the layer is a group, or out_fraction is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view or layer is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state, or if the layer's box is not known yet (see
 *     ald_layer_get_full_extent).
 *   - ALD_STATUS_PROJECTION_FAILED if the outline cannot be projected to the map's spatial reference, or its image
 *     crosses itself so often that it encloses no area.
 */
ALD_API ald_status ald_view_get_layer_coverage(ald_view view, ald_layer layer, double *out_fraction, ald_error *error);

/**
 * Gets the box around the area that a view shows, insets included, in the map's spatial reference. In a rotated view
 * the box is larger than the visible area, which is in ald_view_state. Where the world repeats itself, the box can
 * extend beyond one copy of the world.
 *
 * @param out_envelope Receives the box.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_envelope is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_view_get_envelope(ald_view view, ald_envelope *out_envelope, ald_error *error);

/**
 * Gets the copies of the world that a view shows, where the world repeats itself. Copies are numbered from west to
 * east. Copy 0 is the copy around x = 0. The map point x is in copy round(x / world_width), and x - copy * world_width
 * is the same point in copy 0. Where the world does not repeat itself, both results are 0.
 *
 * @param out_first Receives the westernmost copy.
 * @param out_last Receives the easternmost copy.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_first or out_last is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_view_get_world_copies(ald_view view, int64_t *out_first, int64_t *out_last, ald_error *error);

/**
 * Computes the ground resolution at a screen point: the metres of ground per DIP along both axes of the screen. It is
 * measured on the ellipsoid of the map's spatial reference at that point, unlike the nominal scale, which applies to
 * the equator or centre of the projection. In a local spatial reference, it follows from the unit.
 *
 * @param screen_point The screen point in DIP.
 * @param out_resolution Receives the resolution. Initialise it with ALD_GROUND_RESOLUTION_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if screen_point is not finite, or out_resolution is NULL or its struct_size is not
 *     valid.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_UNSUPPORTED if the ellipsoid is flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if the map has no position on the ellipsoid at the point.
 */
ALD_API ald_status ald_view_ground_resolution(ald_view view, ald_point screen_point,
                                              ald_ground_resolution *out_resolution, ald_error *error);

/**
 * Computes the longest scale bar of a round length that fits into a width, along the screen's x axis. The length is
 * measured on the ellipsoid along the bar. A bar is at most 1e10 nominal metres long, 250 times around the world.
 *
 * @param screen_point The middle of the bar. Pass the point where you draw the bar, or the anchor for the scale at the
 *     centre.
 * @param max_width_dip The largest width, more than 0, at most 1e5.
 * @param unit_system The units of the bar.
 * @param out_bar Receives the bar. Initialise it with ALD_SCALE_BAR_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, unit_system is not valid, or out_bar is
 *     NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_UNSUPPORTED if the ellipsoid is flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if the map has no position on the ellipsoid at a part of the bar.
 */
ALD_API ald_status ald_view_scale_bar(ald_view view, ald_point screen_point, double max_width_dip,
                                      ald_unit_system unit_system, ald_scale_bar *out_bar, ald_error *error);

/*
 * Snapshots
 *
 * A snapshot is an immutable copy of a view at one moment. Its functions return what the functions of the view would
 * have returned at that moment, even after the view has moved.
 */

/**
 * Creates a snapshot of a view.
 *
 * @param out_snapshot Receives the snapshot; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_snapshot is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 */
ALD_API ald_status ald_view_create_snapshot(ald_view view, ald_view_snapshot *out_snapshot, ald_error *error);

/** Releases a snapshot. */
ALD_API void ald_view_snapshot_release(ald_view_snapshot snapshot);

/**
 * Gets the state of a snapshot, as ald_view_get_state does for a view.
 *
 * @param out_state Receives the state. Initialise it with ALD_VIEW_STATE_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_state is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if snapshot is not valid.
 */
ALD_API ald_status ald_view_snapshot_get_state(ald_view_snapshot snapshot, ald_view_state *out_state, ald_error *error);

/**
 * Converts screen points to map points, as ald_view_screen_to_map does for a view.
 *
 * @param screen_xy count points, each two doubles x, y in DIP. Points outside the view are allowed.
 * @param stride_bytes The distance from one point to the next in bytes, at least 16. 0 means 16.
 * @param count The number of points. 0 does nothing.
 * @param out_map_xy Receives the points. A point that is not finite, or whose image is not finite, becomes NaN, NaN.
 *     May be screen_xy if both strides are equal; otherwise the arrays must not overlap.
 * @param out_stride_bytes The distance from one point to the next in bytes, at least 16. 0 means 16. Bytes between
 *     points are not changed.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an array is NULL, a stride is too small or a size overflows.
 *   - ALD_STATUS_INVALID_HANDLE if snapshot is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if count is above the limit of the policy.
 */
ALD_API ald_status ald_view_snapshot_screen_to_map(ald_view_snapshot snapshot, const double *screen_xy,
                                                   size_t stride_bytes, size_t count, double *out_map_xy,
                                                   size_t out_stride_bytes, ald_error *error);

/**
 * Converts map points to screen points, as ald_view_map_to_screen does for a view.
 *
 * @param map_xy count points, each two doubles x, y.
 * @param stride_bytes The distance from one point to the next in bytes, at least 16. 0 means 16.
 * @param count The number of points. 0 does nothing.
 * @param out_screen_xy Receives the points in DIP. A point that is not finite, or whose image is not finite, becomes
 *     NaN, NaN. May be map_xy if both strides are equal; otherwise the arrays must not overlap.
 * @param out_stride_bytes The distance from one point to the next in bytes, at least 16. 0 means 16. Bytes between
 *     points are not changed.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an array is NULL, a stride is too small or a size overflows.
 *   - ALD_STATUS_INVALID_HANDLE if snapshot is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if count is above the limit of the policy.
 */
ALD_API ald_status ald_view_snapshot_map_to_screen(ald_view_snapshot snapshot, const double *map_xy,
                                                   size_t stride_bytes, size_t count, double *out_screen_xy,
                                                   size_t out_stride_bytes, ald_error *error);

/**
 * Gets the box around the area that a snapshot shows, as ald_view_get_envelope does for a view.
 *
 * @param out_envelope Receives the box.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_envelope is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if snapshot is not valid.
 */
ALD_API ald_status ald_view_snapshot_get_envelope(ald_view_snapshot snapshot, ald_envelope *out_envelope,
                                                  ald_error *error);

/**
 * Gets the copies of the world that a snapshot shows, as ald_view_get_world_copies does for a view.
 *
 * @param out_first Receives the westernmost copy.
 * @param out_last Receives the easternmost copy.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_first or out_last is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if snapshot is not valid.
 */
ALD_API ald_status ald_view_snapshot_get_world_copies(ald_view_snapshot snapshot, int64_t *out_first, int64_t *out_last,
                                                      ald_error *error);

/**
 * Computes the ground resolution at a screen point, as ald_view_ground_resolution does for a view.
 *
 * @param screen_point The screen point in DIP.
 * @param out_resolution Receives the resolution. Initialise it with ALD_GROUND_RESOLUTION_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if screen_point is not finite, or out_resolution is NULL or its struct_size is not
 *     valid.
 *   - ALD_STATUS_INVALID_HANDLE if snapshot is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the ellipsoid is flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if the map has no position on the ellipsoid at the point.
 */
ALD_API ald_status ald_view_snapshot_ground_resolution(ald_view_snapshot snapshot, ald_point screen_point,
                                                       ald_ground_resolution *out_resolution, ald_error *error);

/**
 * Computes a scale bar, as ald_view_scale_bar does for a view.
 *
 * @param screen_point The middle of the bar.
 * @param max_width_dip The largest width, more than 0, at most 1e5.
 * @param unit_system The units of the bar.
 * @param out_bar Receives the bar. Initialise it with ALD_SCALE_BAR_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, unit_system is not valid, or out_bar is
 *     NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if snapshot is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the ellipsoid is flatter than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if the map has no position on the ellipsoid at a part of the bar.
 */
ALD_API ald_status ald_view_snapshot_scale_bar(ald_view_snapshot snapshot, ald_point screen_point, double max_width_dip,
                                               ald_unit_system unit_system, ald_scale_bar *out_bar, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

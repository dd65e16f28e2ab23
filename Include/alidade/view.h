/**
 * @file
 * Views: a camera over a map. A view has a size, a viewpoint and insets, and no window.
 */
#ifndef ALIDADE_VIEW_H
#define ALIDADE_VIEW_H

#include "base.h"
#include "geometry.h"
#include "layer.h"
#include "map.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A view. */
typedef struct ald_view {
  uint64_t id;
} ald_view;

/** Parts of the view that the host's own controls cover, in DIP from each side. */
typedef struct ald_insets {
  double top_dip;
  double right_dip;
  double bottom_dip;
  double left_dip;
} ald_insets;

/** How a view begins. */
typedef struct ald_view_options {
  uint32_t struct_size;
  uint32_t reserved;
  /** The size in DIP, 0 to 1e7; 0 and 0: to be set later. */
  double width_dip;
  double height_dip;
  /** Physical pixels per DIP, 0 to 100; 0: 1. */
  double pixel_density;
} ald_view_options;

/** Initialises an ald_view_options to the default. */
#define ALD_VIEW_OPTIONS_INIT                                                                                          \
  { (uint32_t)sizeof(ald_view_options), 0, 0.0, 0.0, 0.0 }

/** Bits of ald_viewpoint.fields: what a viewpoint says. */
typedef uint32_t ald_viewpoint_fields;
enum {
  ALD_VIEWPOINT_HAS_CENTER = 1,
  ALD_VIEWPOINT_HAS_SCALE = 2,
  ALD_VIEWPOINT_HAS_ROTATION = 4,
  ALD_VIEWPOINT_HAS_EXTENT = 8,
  ALD_VIEWPOINT_HAS_GEOMETRY = 16
};

/**
 * Where a view looks. What fields does not name stays as it is in the view, and is left as initialised here. At most
 * one of centre, extent and geometry is named.
 */
typedef struct ald_viewpoint {
  uint32_t struct_size;
  ald_viewpoint_fields fields;
  /**
   * The point in the middle of the part of the view that the insets leave free. Where the world repeats itself, an x
   * beyond the world names a neighbouring copy of it, in the map's spatial reference and in any other one: a longitude
   * of -181 degrees is 1 degree west of -180, and 179 is the same point in the first copy. The same holds for the
   * middle of an extent or a geometry. The view looks the same either way; the coordinates of the view differ by the
   * width of the world. Animations take the shorter way around the earth, whichever copy is named.
   */
  ald_point center;
  /** What center and extent are in, and a geometry that does not say it; null: the map's spatial reference. */
  ald_spatial_reference spatial_reference;
  /**
   * The denominator of the nominal scale: 50000 for 1 : 50000. 1e-6 to 1e15. Beside an extent or a geometry: their
   * middle is shown at this scale, whether they fit into the view or not.
   */
  double scale;
  /** The compass direction that is up on the screen, degrees clockwise from north; taken modulo 360. */
  double rotation_deg;
  /**
   * A box that is to fit into the view. Where the world repeats itself, x_min > x_max goes over the antimeridian. One
   * without width and height only pans.
   */
  ald_envelope extent;
  /**
   * A geometry that is to fit into the view: with its vertices as they lie on the rotated screen, not with a box around
   * them. It has a spatial reference, or spatial_reference says it. A point only pans; null: none.
   */
  ald_geometry geometry;
} ald_viewpoint;

/** Initialises an ald_viewpoint that says nothing. */
#define ALD_VIEWPOINT_INIT                                                                                             \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_viewpoint), 0, {0.0, 0.0}, {0}, 0.0, 0.0, {0.0, 0.0, 0.0, 0.0}, {                             \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** Everything about a view that a frame needs. */
typedef struct ald_view_state {
  uint32_t struct_size;
  uint32_t reserved;
  /** Goes up by at least 1 with every change of what is below. */
  uint64_t generation;
  /** The map point in the middle of the part that the insets leave free, in the map's spatial reference. */
  ald_point center;
  /** The denominator of the nominal scale. */
  double scale;
  /** 0 <= rotation_deg < 360; the compass direction that is up on the screen. */
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
   * Screen to map, relative to anchor_dip and center:
   * x - center.x = m[0] * (sx - anchor.x) + m[1] * (sy - anchor.y),
   * y - center.y = m[2] * (sx - anchor.x) + m[3] * (sy - anchor.y).
   */
  double screen_to_map[4];
  /** Map to screen, relative to center and anchor_dip: the inverse of screen_to_map, used in the same way. */
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

/**
 * Makes a view of a map.
 *
 * @param map The map; the view keeps it.
 * @param options NULL for all defaults.
 * @param out_view Receives the view; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_view is NULL or an option is out
 *   of its range.
 */
ALD_API ald_status ald_view_create(ald_map map, const ald_view_options *options, ald_view *out_view, ald_error *error);

/** Releases a view. */
ALD_API void ald_view_release(ald_view view);

/**
 * The map that a view looks at, lent.
 *
 * @param out_map Receives the map. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_map is NULL.
 */
ALD_API ald_status ald_view_map(ald_view view, ald_map *out_map, ald_error *error);

/**
 * Sets a view's size. Centre, scale and rotation stay.
 *
 * @param width_dip More than 0, at most 1e7.
 * @param height_dip More than 0, at most 1e7.
 * @param pixel_density Physical pixels per DIP, at most 100; 0: 1.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if the view is a magnifier's;
 *   ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its range, or the insets would leave no room.
 */
ALD_API ald_status ald_view_set_size(ald_view view, double width_dip, double height_dip, double pixel_density,
                                     ald_error *error);

/**
 * Sets which parts of a view are covered by the host's controls. The centre then lies in the middle of what is left.
 *
 * @param insets Each 0 or more; NULL: none.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if the view is a magnifier's;
 *   ALD_STATUS_INVALID_ARGUMENT if a number is negative or not finite, or nothing of the view would be left;
 *   ALD_STATUS_NOT_READY if the view has no size.
 */
ALD_API ald_status ald_view_set_insets(ald_view view, const ald_insets *insets, ald_error *error);

/**
 * Moves a view at once, as near to the viewpoint as its constraints allow: see ald_view_move in camera.h, which tells
 * what came of it. This one takes parts of a viewpoint also while the view has no size, centre or scale.
 *
 * @param viewpoint Where to; what its fields do not name stays.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the view, or a handle of the viewpoint's); ALD_STATUS_INVALID_STATE
 *   if the view is a magnifier's; ALD_STATUS_INVALID_ARGUMENT if viewpoint is NULL, a number is not finite or out of
 *   its range, more than one of centre, extent and geometry is named, the geometry is empty or says nowhere what it is
 *   in, or a handle is of another runtime; ALD_STATUS_NOT_READY if the map has no spatial reference, or, for an extent
 *   or a geometry, the view has no size, or no scale where it only pans; ALD_STATUS_PROJECTION_FAILED if the centre,
 *   the geometry or all of the extent is not in the map's spatial reference. On failure the view stays.
 */
ALD_API ald_status ald_view_set_viewpoint(ald_view view, const ald_viewpoint *viewpoint, ald_error *error);

/**
 * Moves a view's centre; scale and rotation stay.
 *
 * @param center The place.
 * @param spatial_reference What center is in; null: the map's spatial reference.
 * @return As ald_view_set_viewpoint: ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if the view is
 *   a magnifier's; ALD_STATUS_INVALID_ARGUMENT; ALD_STATUS_NOT_READY; ALD_STATUS_PROJECTION_FAILED.
 */
ALD_API ald_status ald_view_set_center(ald_view view, ald_point center, ald_spatial_reference spatial_reference,
                                       ald_error *error);

/**
 * Sets a view's scale; centre and rotation stay.
 *
 * The nominal scale is map units per DIP * metres per map unit * 96 / 0.0254: a DIP is 1/96 inch, and a map unit is as
 * long as its name says, a degree as long as on the equator.
 *
 * @param scale The denominator: 50000 for 1 : 50000. 1e-6 to 1e15.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if the view is a magnifier's;
 *   ALD_STATUS_INVALID_ARGUMENT if scale is not finite or out of its range; ALD_STATUS_NOT_READY if the map has no
 *   spatial reference.
 */
ALD_API ald_status ald_view_set_scale(ald_view view, double scale, ald_error *error);

/**
 * Sets a view's rotation; centre and scale stay.
 *
 * @param rotation_deg The compass direction that is up on the screen, degrees clockwise from north; taken modulo 360.
 *   At 90, east is up.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if the view is a magnifier's;
 *   ALD_STATUS_INVALID_ARGUMENT if rotation_deg is not finite; ALD_STATUS_NOT_READY if the map has no spatial
 *   reference.
 */
ALD_API ald_status ald_view_set_rotation(ald_view view, double rotation_deg, ald_error *error);

/**
 * Reads everything about a view that a frame needs, as of one moment.
 *
 * @param out_state Initialise it with ALD_VIEW_STATE_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_state is NULL or its struct_size
 *   is none; ALD_STATUS_NOT_READY if the map's spatial reference, the view's size, its centre or its scale is missing,
 *   or the view is a magnifier's that is hidden; the message names it.
 */
ALD_API ald_status ald_view_get_state(ald_view view, ald_view_state *out_state, ald_error *error);

/**
 * Screen points to map points, in the map's spatial reference.
 *
 * @param screen_dip count points, each two doubles x, y in DIP. Points outside the view are allowed.
 * @param stride_bytes From one point to the next; 0: 16. At least 16.
 * @param count How many; 0 does nothing.
 * @param out_map_xy Receives the points; NaN, NaN for one that is not finite, or whose image is not. May be
 *   screen_dip, with the same stride; else the two must not overlap.
 * @param out_stride_bytes From one point to the next; 0: 16. At least 16. Bytes between points are left alone.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an array is missing, a stride is too
 *   small or a size overflows; ALD_STATUS_NOT_READY as for ald_view_get_state; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_view_screen_to_map(ald_view view, const double *screen_dip, size_t stride_bytes, size_t count,
                                          double *out_map_xy, size_t out_stride_bytes, ald_error *error);

/**
 * Map points, in the map's spatial reference, to screen points.
 *
 * @param map_xy count points, each two doubles x, y.
 * @param stride_bytes From one point to the next; 0: 16. At least 16.
 * @param count How many; 0 does nothing.
 * @param out_screen_dip Receives the points in DIP; NaN, NaN for one that is not finite, or whose image is not. May be
 *   map_xy, with the same stride; else the two must not overlap.
 * @param out_stride_bytes From one point to the next; 0: 16. At least 16. Bytes between points are left alone.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an array is missing, a stride is too
 *   small or a size overflows; ALD_STATUS_NOT_READY as for ald_view_get_state; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_view_map_to_screen(ald_view view, const double *map_xy, size_t stride_bytes, size_t count,
                                          double *out_screen_dip, size_t out_stride_bytes, ald_error *error);

/**
 * How much of what a view shows is covered by a layer's outline, 0 to 1: area of the visible area's part that lies
 * inside the outline, by the area of the visible area, both planar in the map's spatial reference. The outline's edges
 * are cut into 32 segments each before they are projected.
 *
 * @param layer A layer of the view's map.
 * @param out_fraction Receives the fraction.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map
 *   or out_fraction is NULL; ALD_STATUS_NOT_READY as for ald_view_get_state, or if the layer's box is not known yet
 * (see ald_layer_full_extent); ALD_STATUS_PROJECTION_FAILED if the outline has no image in the map's spatial reference,
 * or one that crosses itself all over.
 */
ALD_API ald_status ald_view_layer_coverage(ald_view view, ald_layer layer, double *out_fraction, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

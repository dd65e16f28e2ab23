/**
 * @file
 * Moving a view's camera: constraints, moves that fit an extent or a geometry into the view, and plans, which are moves
 * that are computed and not made.
 *
 * All of these move at once. A move that the constraints do not allow goes as near as they do, and says which of them
 * changed it; a move that cannot be understood is an error and leaves the view where it is.
 */
#ifndef ALIDADE_CAMERA_H
#define ALIDADE_CAMERA_H

#include "base.h"
#include "geometry.h"
#include "spatial_reference.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_constraints.flags. */
typedef uint32_t ald_constraints_flags;
enum {
  /** max_extent is set. */
  ALD_CONSTRAINTS_HAS_EXTENT = 1,
  /** The view keeps rotation_deg. */
  ALD_CONSTRAINTS_LOCK_ROTATION = 2,
  /**
   * Fingers pull the view past the limits of scale and extent, as on a rubber band: less and less, at most an octave of
   * the scale and the smaller side of the view. When they let go it springs back in 0.3 s of ald_view_advance, in place
   * of inertia, as a part of the gesture's movement. All else that moves keeps to the limits. Without this they are
   * hard.
   */
  ALD_CONSTRAINTS_RUBBER_BAND = 4
};

/** What must not leave the maximum extent. */
typedef int32_t ald_extent_rule;
enum {
  /**
   * Nothing outside is shown: all four corners of the view, insets included, stay inside, and the scale stays large
   * enough for that.
   */
  ALD_EXTENT_VISIBLE_AREA = 0,
  /** The view's centre stays inside. */
  ALD_EXTENT_CENTER = 1
};

/** What a view's camera may not do. */
typedef struct ald_constraints {
  uint32_t struct_size;
  ald_constraints_flags flags;
  /** The farthest: the largest denominator that is allowed, itself included; 0: no limit. 1e-6 to 1e15. */
  double min_scale;
  /** The closest: the smallest denominator that is allowed, itself included; 0: no limit. 1e-6 to 1e15. */
  double max_scale;
  /**
   * With ALD_CONSTRAINTS_HAS_EXTENT: a box with width and height. Where the world repeats itself, x_min > x_max goes
   * over the antimeridian, places in all copies of the world count as inside, and a box all around has no end in x.
   */
  ald_envelope max_extent;
  /** What max_extent is in; null: the map's spatial reference. In another one the box around its image counts. */
  ald_spatial_reference spatial_reference;
  ald_extent_rule extent_rule;
  uint32_t reserved;
  /** With ALD_CONSTRAINTS_LOCK_ROTATION: the rotation that stays, taken modulo 360. */
  double rotation_deg;
} ald_constraints;

/** Initialises an ald_constraints to none. */
#define ALD_CONSTRAINTS_INIT                                                                                           \
  { (uint32_t)sizeof(ald_constraints), 0, 0.0, 0.0, {0.0, 0.0, 0.0, 0.0}, {0}, 0, 0, 0.0 }

/** Which constraints changed a move. */
typedef uint32_t ald_camera_clamps;
enum {
  /** The scale was beyond min_scale. */
  ALD_CLAMPED_MIN_SCALE = 1,
  /** The scale was beyond max_scale. */
  ALD_CLAMPED_MAX_SCALE = 2,
  /** The view would have shown more than the maximum extent; the scale was made larger. */
  ALD_CLAMPED_EXTENT_SCALE = 4,
  /** The centre was moved in x to stay in the maximum extent. */
  ALD_CLAMPED_EXTENT_X = 8,
  /** The centre was moved in y to stay in the maximum extent. */
  ALD_CLAMPED_EXTENT_Y = 16,
  /** The rotation is locked. */
  ALD_CLAMPED_ROTATION = 32,
  /** The scale was beyond 1e-6 to 1e15, which are the scales that a view can have. */
  ALD_CLAMPED_RANGE = 64
};

/** What a move makes of a view, or would make of it. */
typedef struct ald_camera_plan {
  uint32_t struct_size;
  /** The constraints that changed the move; 0: none. */
  ald_camera_clamps clamps;
  /** Where the view looks then, in the map's spatial reference. */
  ald_point center;
  double scale;
  /** 0 <= rotation_deg < 360. */
  double rotation_deg;
  /** The shortest way round from the rotation before, clockwise: -180 < turn_deg <= 180. */
  double turn_deg;
  /** Where the view would look without constraints. */
  ald_point wanted_center;
  double wanted_scale;
  double wanted_rotation_deg;
  /**
   * Of a move to an extent or a geometry: DIP between its outermost points and the sides of what the insets leave free;
   * negative where it sticks out. Without constraints each is at least the padding. NaN for other moves.
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

/**
 * Sets what a view's camera may not do, and moves it at once as far as that asks for. The rotation is limited first,
 * then the scale, then the centre. Where constraints contradict each other the scales win, and the middle of the extent
 * is in the middle of the view. A view whose size or insets change keeps to its constraints, too.
 *
 * @param constraints NULL: none. They replace all that were set before.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the view, or the constraints' spatial reference);
 *   ALD_STATUS_INVALID_STATE if the view is a magnifier's; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out
 *   of its range, min_scale is closer than max_scale, the extent has no width or height, or the spatial reference is of
 *   another runtime; ALD_STATUS_NOT_READY if there is an extent and the map has no spatial reference;
 *   ALD_STATUS_PROJECTION_FAILED if nothing of the extent is in the map's spatial reference.
 */
ALD_API ald_status ald_view_set_constraints(ald_view view, const ald_constraints *constraints, ald_error *error);

/**
 * What a view's camera may not do.
 *
 * @param out_constraints Initialise it with ALD_CONSTRAINTS_INIT. The extent is in the map's spatial reference, and
 *   spatial_reference is null.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_constraints is NULL or its
 *   struct_size is none.
 */
ALD_API ald_status ald_view_get_constraints(ald_view view, ald_constraints *out_constraints, ald_error *error);

/**
 * Moves a view at once.
 *
 * An extent or a geometry is fitted into what insets and padding leave free: it fills the room in one direction and
 * lies in its middle in the other. A geometry is taken as it lies on the rotated screen: its points, lines and shells,
 * with their edges followed where the map's spatial reference bends them. Of one with several parts, in a world that
 * repeats itself, the parts are taken so that they lie together: on both sides of the antimeridian, not around the
 * world.
 *
 * @param viewpoint Where to; what its fields do not name stays.
 * @param padding DIP that stay free around an extent or a geometry, beside the insets; each 0 or more. NULL: none.
 * @param out_plan NULL, or initialise it with ALD_CAMERA_PLAN_INIT; receives what came of it.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the view, or a handle of the viewpoint's); ALD_STATUS_INVALID_STATE
 *   if the view is a magnifier's; ALD_STATUS_INVALID_ARGUMENT if viewpoint is NULL, a number is not finite or out of
 *   its range, more than one of centre, extent and geometry is named, the geometry is empty or says nowhere what it is
 *   in, padding and insets leave no room, or a handle is of another runtime; ALD_STATUS_NOT_READY if the map's spatial
 *   reference, the view's size, or a centre or scale that the viewpoint does not name is missing;
 *   ALD_STATUS_PROJECTION_FAILED if the centre, a point of the geometry or all of the extent is not in the map's
 *   spatial reference. On failure the view stays.
 */
ALD_API ald_status ald_view_move(ald_view view, const ald_viewpoint *viewpoint, const ald_insets *padding,
                                 ald_camera_plan *out_plan, ald_error *error);

/**
 * Tells what ald_view_move would do now, and leaves the view where it is.
 *
 * @param viewpoint As for ald_view_move.
 * @param padding As for ald_view_move. NULL: none.
 * @param out_plan Initialise it with ALD_CAMERA_PLAN_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if the view is a magnifier's;
 *   ALD_STATUS_INVALID_ARGUMENT, also if out_plan is NULL; ALD_STATUS_NOT_READY; ALD_STATUS_PROJECTION_FAILED.
 */
ALD_API ald_status ald_view_plan_move(ald_view view, const ald_viewpoint *viewpoint, const ald_insets *padding,
                                      ald_camera_plan *out_plan, ald_error *error);

/**
 * Moves a view at once so that a box fits into it; the rotation stays. The same as ald_view_move with an extent.
 *
 * @param envelope The box.
 * @param spatial_reference What the box is in; null: the map's spatial reference.
 * @param padding As for ald_view_move. NULL: none.
 * @param out_plan NULL, or initialise it with ALD_CAMERA_PLAN_INIT; receives what came of it.
 * @return As ald_view_move: ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if the view is a
 *   magnifier's; ALD_STATUS_INVALID_ARGUMENT; ALD_STATUS_NOT_READY; ALD_STATUS_PROJECTION_FAILED.
 */
ALD_API ald_status ald_view_zoom_to_envelope(ald_view view, ald_envelope envelope,
                                             ald_spatial_reference spatial_reference, const ald_insets *padding,
                                             ald_camera_plan *out_plan, ald_error *error);

/**
 * Moves a view at once so that a geometry fits into it; the rotation stays. The same as ald_view_move with a geometry.
 *
 * @param geometry The geometry, with a spatial reference.
 * @param padding As for ald_view_move. NULL: none.
 * @param out_plan NULL, or initialise it with ALD_CAMERA_PLAN_INIT; receives what came of it.
 * @return As ald_view_move: ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if the view is a
 *   magnifier's; ALD_STATUS_INVALID_ARGUMENT; ALD_STATUS_NOT_READY; ALD_STATUS_PROJECTION_FAILED;
 *   ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_view_zoom_to_geometry(ald_view view, ald_geometry geometry, const ald_insets *padding,
                                             ald_camera_plan *out_plan, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

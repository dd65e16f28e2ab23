/**
 * @file
 * What a view shows: the box around it, how large things are on the ground, a scale bar; and snapshots, which answer
 * the same as a view did at one moment while the view moves on.
 *
 * Each function answers ALD_STATUS_NOT_READY while the map's spatial reference or the view's size, centre or scale is
 * missing, and names it.
 */
#ifndef ALIDADE_VIEW_READING_H
#define ALIDADE_VIEW_READING_H

#include "base.h"
#include "units.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A view as of one moment: an immutable value, which can be read on any thread. */
typedef struct ald_view_snapshot {
  uint64_t id;
} ald_view_snapshot;

/** How many metres of ground a DIP shows at a place. */
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

/** Which units a scale bar is in. */
typedef int32_t ald_unit_system;
enum {
  /** Kilometres, and metres below one. */
  ALD_UNIT_SYSTEM_METRIC = 1,
  /** Statute miles, and feet below one. */
  ALD_UNIT_SYSTEM_IMPERIAL = 2
};

/** A line on the screen that is as long on the ground as it says. */
typedef struct ald_scale_bar {
  uint32_t struct_size;
  /** ALD_UNIT_KILOMETRE, ALD_UNIT_METRE, ALD_UNIT_STATUTE_MILE or ALD_UNIT_FOOT. */
  ald_unit unit;
  /** In that unit: 1, 2 or 5 times a power of ten. */
  double length;
  /** The same in metres. */
  double length_m;
  /** How wide the bar is on the screen. */
  double width_dip;
  /** Its left end, in DIP. */
  ald_point start_dip;
  /** Its right end, in DIP. */
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
 * The box around what a view shows, insets included, in the map's spatial reference. With a rotation it is larger than
 * the visible area, which ald_view_state has. Where the world repeats itself it may go beyond one copy of it.
 *
 * @param out_envelope Receives the box.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_envelope is NULL;
 *   ALD_STATUS_NOT_READY.
 */
ALD_API ald_status ald_view_get_envelope(ald_view view, ald_envelope *out_envelope, ald_error *error);

/**
 * Which copies of a world that repeats itself a view shows, numbered from west to east. Copy 0 is the one around x = 0;
 * the map point x is in copy round(x / world_width), and x - copy * world_width is the same place in copy 0. Where the
 * world does not repeat itself both are 0.
 *
 * @param out_first Receives the westernmost copy.
 * @param out_last Receives the easternmost copy.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_first or out_last is NULL;
 *   ALD_STATUS_NOT_READY.
 */
ALD_API ald_status ald_view_world_copies(ald_view view, int64_t *out_first, int64_t *out_last, ald_error *error);

/**
 * How many metres of ground a DIP shows at a screen point, along both axes of the screen: on the ellipsoid of the map's
 * spatial reference, other than the nominal scale, which is that of the projection's equator or of its centre. In a
 * local spatial reference, by its unit.
 *
 * @param screen_dip The screen point.
 * @param out_resolution Initialise it with ALD_GROUND_RESOLUTION_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if screen_dip is not finite, or
 *   out_resolution is NULL or its struct_size is none; ALD_STATUS_NOT_READY; ALD_STATUS_PROJECTION_FAILED if the point
 *   shows no place on the earth; ALD_STATUS_UNSUPPORTED if the ellipsoid is too flat for exact geodesics.
 */
ALD_API ald_status ald_view_ground_resolution(ald_view view, ald_point screen_dip,
                                              ald_ground_resolution *out_resolution, ald_error *error);

/**
 * The longest scale bar of a round length that is not wider than asked for, along the screen's x axis. Its length is
 * measured on the ellipsoid, along the bar. No bar is longer than 1e10 nominal metres, 250 times around the earth.
 *
 * @param screen_dip Where the middle of the bar is: where it is drawn, or the anchor for what the centre shows.
 * @param max_width_dip More than 0, at most 1e5.
 * @param unit_system Which units.
 * @param out_bar Initialise it with ALD_SCALE_BAR_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 *   range, unit_system is none, or out_bar is NULL or its struct_size is none; ALD_STATUS_NOT_READY;
 *   ALD_STATUS_PROJECTION_FAILED if a part of the bar shows no place on the earth; ALD_STATUS_UNSUPPORTED if the
 *   ellipsoid is too flat for exact geodesics.
 */
ALD_API ald_status ald_view_scale_bar(ald_view view, ald_point screen_dip, double max_width_dip,
                                      ald_unit_system unit_system, ald_scale_bar *out_bar, ald_error *error);

/**
 * Keeps a view as it is now.
 *
 * @param out_snapshot Receives the snapshot; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_snapshot is NULL;
 *   ALD_STATUS_NOT_READY.
 */
ALD_API ald_status ald_view_create_snapshot(ald_view view, ald_view_snapshot *out_snapshot, ald_error *error);

/** Releases a snapshot. */
ALD_API void ald_view_snapshot_release(ald_view_snapshot snapshot);

/**
 * As ald_view_get_state, of a snapshot.
 *
 * @param out_state Initialise it with ALD_VIEW_STATE_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_state is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_view_snapshot_get_state(ald_view_snapshot snapshot, ald_view_state *out_state, ald_error *error);

/**
 * As ald_view_screen_to_map, of a snapshot.
 *
 * @param screen_dip count points, each two doubles x, y in DIP.
 * @param stride_bytes From one point to the next; 0: 16. At least 16.
 * @param count How many; 0 does nothing.
 * @param out_map_xy Receives the points; NaN, NaN for one that is not finite, or whose image is not. May be
 *   screen_dip, with the same stride; else the two must not overlap.
 * @param out_stride_bytes From one point to the next; 0: 16. At least 16. Bytes between points are left alone.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an array is missing, a stride is too
 *   small or a size overflows; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_view_snapshot_screen_to_map(ald_view_snapshot snapshot, const double *screen_dip,
                                                   size_t stride_bytes, size_t count, double *out_map_xy,
                                                   size_t out_stride_bytes, ald_error *error);

/**
 * As ald_view_map_to_screen, of a snapshot.
 *
 * @param map_xy count points, each two doubles x, y.
 * @param stride_bytes From one point to the next; 0: 16. At least 16.
 * @param count How many; 0 does nothing.
 * @param out_screen_dip Receives the points in DIP; NaN, NaN for one that is not finite, or whose image is not. May be
 *   map_xy, with the same stride; else the two must not overlap.
 * @param out_stride_bytes From one point to the next; 0: 16. At least 16. Bytes between points are left alone.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an array is missing, a stride is too
 *   small or a size overflows; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_view_snapshot_map_to_screen(ald_view_snapshot snapshot, const double *map_xy,
                                                   size_t stride_bytes, size_t count, double *out_screen_dip,
                                                   size_t out_stride_bytes, ald_error *error);

/**
 * As ald_view_get_envelope, of a snapshot.
 *
 * @param out_envelope Receives the box.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_envelope is NULL.
 */
ALD_API ald_status ald_view_snapshot_get_envelope(ald_view_snapshot snapshot, ald_envelope *out_envelope,
                                                  ald_error *error);

/**
 * As ald_view_world_copies, of a snapshot.
 *
 * @param out_first Receives the westernmost copy.
 * @param out_last Receives the easternmost copy.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_first or out_last is NULL.
 */
ALD_API ald_status ald_view_snapshot_world_copies(ald_view_snapshot snapshot, int64_t *out_first, int64_t *out_last,
                                                  ald_error *error);

/**
 * As ald_view_ground_resolution, of a snapshot.
 *
 * @param screen_dip The screen point.
 * @param out_resolution Initialise it with ALD_GROUND_RESOLUTION_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if screen_dip is not finite, or
 *   out_resolution is NULL or its struct_size is none; ALD_STATUS_PROJECTION_FAILED; ALD_STATUS_UNSUPPORTED.
 */
ALD_API ald_status ald_view_snapshot_ground_resolution(ald_view_snapshot snapshot, ald_point screen_dip,
                                                       ald_ground_resolution *out_resolution, ald_error *error);

/**
 * As ald_view_scale_bar, of a snapshot.
 *
 * @param screen_dip Where the middle of the bar is.
 * @param max_width_dip More than 0, at most 1e5.
 * @param unit_system Which units.
 * @param out_bar Initialise it with ALD_SCALE_BAR_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 *   range, unit_system is none, or out_bar is NULL or its struct_size is none; ALD_STATUS_PROJECTION_FAILED;
 *   ALD_STATUS_UNSUPPORTED.
 */
ALD_API ald_status ald_view_snapshot_scale_bar(ald_view_snapshot snapshot, ald_point screen_dip, double max_width_dip,
                                               ald_unit_system unit_system, ald_scale_bar *out_bar, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

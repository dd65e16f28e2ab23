/**
 * @file
 * Values of a raster beyond the single cell: a window of cells, values between cells, and a profile along a line.
 *
 * Places in a raster's grid are given in cells: (0, 0) is the outer corner of the first cell, (0.5, 0.5) its middle.
 *
 * A sample's verdict is always that of the cell that holds it, whatever the interpolation, so that it agrees with
 * ald_raster_read_points and with identify. A sample without a value is NaN. Values are doubles: 64-bit integers beyond
 * 2^53 are rounded; of complex values the real part is taken.
 */
#ifndef ALIDADE_RASTER_SAMPLING_H
#define ALIDADE_RASTER_SAMPLING_H

#include "base.h"
#include "raster.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How a value is found between the middles of cells. Weights are those of GDAL's resampling where it enlarges; they are
 * the same however far apart the samples lie (nothing is averaged). Cells beyond the raster's edge are left out and the
 * other weights made to sum up to 1 again, as GDAL does. A raster that goes around the whole world in whole columns,
 * along the parallels, has no edge in the west and east: beyond its last column its first one follows.
 */
typedef int32_t ald_interpolation;
enum {
  /** The value of the cell that holds the sample. */
  ALD_INTERPOLATION_NEAREST = 0,
  /**
   * From the four cells whose middles are nearest, by distance. Cells without a value are left out and the other
   * weights made to sum up to 1 again.
   */
  ALD_INTERPOLATION_BILINEAR = 1,
  /**
   * Cubic convolution (a = -0.5, Catmull-Rom) from sixteen cells. Where one of these has no value it is bilinear, as in
   * gdalwarp: a cubic's negative weights have no sensible remainder.
   */
  ALD_INTERPOLATION_CUBIC = 2
};

/** Bits of ald_sampling_options.flags and of its like. */
typedef uint32_t ald_sampling_flags;
enum {
  /** Scaled values (stored value * scale + offset) instead of stored ones. */
  ALD_SAMPLING_SCALED = 1
};

/** How samples are taken. */
typedef struct ald_sampling_options {
  uint32_t struct_size;
  ald_interpolation interpolation;
  ald_sampling_flags flags;
  uint32_t reserved;
} ald_sampling_options;

/** Initialises an ald_sampling_options to nearest, stored values. */
#define ALD_SAMPLING_OPTIONS_INIT                                                                                      \
  { (uint32_t)sizeof(ald_sampling_options), 0, 0, 0 }

/**
 * A rectangle of a raster's grid, and the samples that lie over it: columns x rows squares, a sample in the middle of
 * each. It may reach beyond the raster.
 */
typedef struct ald_raster_window {
  uint32_t struct_size;
  uint32_t reserved;
  /** The upper left corner in the raster's grid, in cells. */
  double left;
  double top;
  /** The size in cells, up to 2^31; both 0, with left and top 0: the whole raster. */
  double width;
  double height;
  /** Samples per line and lines; both 0: one per cell, rounded to whole samples. At most 65536. */
  int32_t columns;
  int32_t rows;
} ald_raster_window;

/** Initialises an ald_raster_window to the whole raster, a sample per cell. */
#define ALD_RASTER_WINDOW_INIT                                                                                         \
  { (uint32_t)sizeof(ald_raster_window), 0, 0.0, 0.0, 0.0, 0.0, 0, 0 }

/**
 * The window of whole cells around a point, for ald_raster_read_window. The cell that holds the point is the middle
 * one; if the number of columns or rows is even, the one to the right of or below the middle line. The point may lie
 * beside the raster.
 *
 * @param spatial_reference What the point is in; null: the raster's own.
 * @param columns How many cells wide, 1 to 65536.
 * @param rows How many cells high, 1 to 65536.
 * @param out_window Receives the window with a sample per cell: initialise it with ALD_RASTER_WINDOW_INIT. For a
 *   magnifier that shows each cell larger, raise its columns and rows afterwards.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the point is not finite or farther
 *   than 2^30 cells off, columns or rows is out of its range, out_window is NULL or its struct_size is none, or the two
 *   are of different runtimes; ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform;
 *   ALD_STATUS_NOT_READY if a spatial reference is given and the raster has none; ALD_STATUS_PROJECTION_FAILED if the
 *   point cannot be projected.
 */
ALD_API ald_status ald_raster_window_around(ald_raster raster, ald_spatial_reference spatial_reference, ald_point at,
                                            int32_t columns, int32_t rows, ald_raster_window *out_window,
                                            ald_error *error);

/**
 * How many samples a window has, its zeros filled in.
 *
 * @param window NULL for the whole raster.
 * @param out_columns Receives the samples per line.
 * @param out_rows Receives the lines.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_NOT_READY if the raster is not loaded;
 *   ALD_STATUS_INVALID_ARGUMENT if a field of the window is out of its range or out_columns or out_rows is NULL.
 */
ALD_API ald_status ald_raster_window_size(ald_raster raster, const ald_raster_window *window, int32_t *out_columns,
                                          int32_t *out_rows, ald_error *error);

/**
 * Reads a window of a band. The raster needs no georeference. Samples beyond the raster are NaN and ALD_CELL_OUTSIDE.
 *
 * A magnifier that shows what lies under a finger as the map does (projected, turned) asks ald_view_read_rgba or
 * ald_view_read_values for a small rectangle of the screen with many samples instead; this function knows no view and
 * shows the raster's own grid.
 *
 * @param band From 1 to the raster's band_count.
 * @param window NULL for the whole raster, a sample per cell.
 * @param options NULL for nearest and stored values.
 * @param out_values Receives the values, the line at the window's top first.
 * @param row_stride_bytes From one line to the next; 0: 8 * columns. At least that, and a multiple of 8. Bytes between
 *   lines are left alone.
 * @param values_size The size of out_values in bytes.
 * @param out_verdicts NULL, or receives columns * rows verdicts (ald_cell_verdict as bytes), without gaps.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_NOT_READY if the raster is not loaded;
 *   ALD_STATUS_INVALID_ARGUMENT if a field of the window or an option is out of its range, out_values is NULL or the
 *   stride is too small; ALD_STATUS_NOT_FOUND if there is no such band; ALD_STATUS_BUFFER_TOO_SMALL;
 *   ALD_STATUS_LIMIT_EXCEEDED; ALD_STATUS_READ_FAILED with GDAL's words, and nothing is written.
 */
ALD_API ald_status ald_raster_read_window(ald_raster raster, int32_t band, const ald_raster_window *window,
                                          const ald_sampling_options *options, double *out_values,
                                          size_t row_stride_bytes, size_t values_size, uint8_t *out_verdicts,
                                          ald_error *error);

/**
 * Values of a band at points, between cells too. Read block by block and on all cores; the answers are in the order of
 * the points.
 *
 * @param spatial_reference What the points are in; null: the raster's own.
 * @param band From 1 to the raster's band_count.
 * @param xy count points, each two doubles x, y. A point that is not finite is ALD_CELL_OUTSIDE.
 * @param stride_bytes From one point to the next; 0: 16. At least 16.
 * @param count How many; 0 does nothing.
 * @param options NULL for nearest and stored values.
 * @param out_values NULL, or receives count values.
 * @param out_verdicts NULL, or receives count verdicts (ald_cell_verdict as bytes).
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if xy is NULL, the stride is too small,
 *   a size overflows, an option is out of its range, or the two are of different runtimes; ALD_STATUS_NOT_FOUND if
 *   there is no such band; ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform;
 *   ALD_STATUS_NOT_READY if a spatial reference is given and the raster has none; ALD_STATUS_PROJECTION_FAILED if there
 *   is no operation between the two; ALD_STATUS_LIMIT_EXCEEDED; ALD_STATUS_READ_FAILED with GDAL's words; then nothing
 *   is written.
 */
ALD_API ald_status ald_raster_sample_points(ald_raster raster, ald_spatial_reference spatial_reference, int32_t band,
                                            const double *xy, size_t stride_bytes, size_t count,
                                            const ald_sampling_options *options, double *out_values,
                                            uint8_t *out_verdicts, ald_error *error);

/** Where along a line a profile has its samples. */
typedef int32_t ald_profile_kind;
enum {
  /**
   * Every cell that the line crosses, in order, each with the distances at which the line enters and leaves it. A
   * stretch beside the raster, or one that cannot be projected, is one sample too: the samples follow each other
   * without gaps from the line's start to its end. A corner that the line only touches is not crossed.
   */
  ALD_PROFILE_CELLS = 0,
  /** A sample each `step`, from the line's start, and one at its end. */
  ALD_PROFILE_STEP = 1,
  /** sample_count samples, evenly from the line's start to its end. */
  ALD_PROFILE_COUNT = 2
};

/** How a profile is taken. */
typedef struct ald_profile_options {
  uint32_t struct_size;
  ald_profile_kind kind;
  /** Must be nearest for ALD_PROFILE_CELLS. */
  ald_interpolation interpolation;
  ald_sampling_flags flags;
  /** For ALD_PROFILE_STEP: from one sample to the next, in the unit of the line's spatial reference; above 0. */
  double step;
  /** For ALD_PROFILE_COUNT: 2 to INT32_MAX. */
  uint32_t sample_count;
  uint32_t reserved;
} ald_profile_options;

/** Initialises an ald_profile_options to every cell, stored values. */
#define ALD_PROFILE_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_profile_options), 0, 0, 0, 0.0, 0, 0 }

/** A sample of a profile. 56 bytes for ever. */
typedef struct ald_profile_sample {
  /**
   * How far along the line, from its start: planar, in the unit of the line's spatial reference. For metres give the
   * line in a spatial reference whose unit is one. For ALD_PROFILE_CELLS, where the line enters the cell.
   */
  double distance;
  /** For ALD_PROFILE_CELLS, where the line leaves the cell; else as distance. */
  double end_distance;
  /** The place, in the line's spatial reference; for ALD_PROFILE_CELLS, midway between the two distances. */
  double x;
  double y;
  /** NaN unless the verdict is ALD_CELL_VALUE. */
  double value;
  /** The cell; -1 and -1 without one. */
  int32_t column;
  int32_t row;
  ald_cell_verdict verdict;
  uint32_t reserved;
} ald_profile_sample;

/**
 * The values of a band along a line.
 *
 * The line is straight between its vertices in its own spatial reference. For ALD_PROFILE_CELLS a line in another
 * spatial reference than the raster's is bent in the raster's grid: each of its segments is divided until what is left
 * straight is nowhere farther than 1/8 of a cell from where it belongs. Where the raster's spatial reference has a seam
 * (such as 180 degrees) the line stops on one side and goes on on the other.
 *
 * @param spatial_reference What the line is in; null: the raster's own.
 * @param band From 1 to the raster's band_count.
 * @param xy The vertices, each two doubles x, y, finite.
 * @param stride_bytes From one vertex to the next; 0: 16. At least 16.
 * @param vertex_count How many; at least 2. They may lie on each other.
 * @param options NULL for every cell and stored values.
 * @param out_samples Receives the samples; NULL with capacity 0 asks for the number alone.
 * @param capacity How many samples out_samples has room for.
 * @param out_count Receives the number of samples; also written when the buffer is too small. May be NULL if
 *   out_samples is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if xy is NULL, the stride is too small,
 *   a size overflows, there are fewer than 2 vertices or one is not finite, an option is out of its range, out_samples
 *   is NULL and capacity is not 0, nothing is asked for, or the two are of different runtimes; ALD_STATUS_NOT_FOUND if
 *   there is no such band; ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform;
 *   ALD_STATUS_NOT_READY if a spatial reference is given and the raster has none; ALD_STATUS_PROJECTION_FAILED if there
 *   is no operation between the two; ALD_STATUS_LIMIT_EXCEEDED; ALD_STATUS_BUFFER_TOO_SMALL; ALD_STATUS_READ_FAILED
 *   with GDAL's words; then nothing is written.
 */
ALD_API ald_status ald_raster_profile(ald_raster raster, ald_spatial_reference spatial_reference, int32_t band,
                                      const double *xy, size_t stride_bytes, size_t vertex_count,
                                      const ald_profile_options *options, ald_profile_sample *out_samples,
                                      size_t capacity, size_t *out_count, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

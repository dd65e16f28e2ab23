/**
 * @file
 * Analysis of rasters: windows of cells, values between cells, profiles along lines, statistics of polygons, and
 * heights at points.
 *
 * Positions in a raster's grid are given in cells: (0, 0) is the outer corner of the first cell, and (0.5, 0.5) is its
 * centre.
 *
 * The verdict of a sample is always the verdict of the cell that contains it, whatever the interpolation, so that it
 * agrees with ald_raster_read_points and with identify. A sample without a value is NaN. Values are doubles: 64-bit
 * integers beyond 2^53 are rounded, and complex values give their real part. Samples, polygons and heights are read
 * block by block and on all cores. A function that fails writes nothing.
 *
 * @code{.c}
 * double heights[3];
 * const double xy[] = {9.85, 47.45, 9.86, 47.46, 9.87, 47.47};
 * ald_sampling_options options = ALD_SAMPLING_OPTIONS_INIT;
 * options.interpolation = ALD_INTERPOLATION_BILINEAR;
 * return ald_raster_read_samples(raster, spatial_reference, 1, xy, 0, 3, &options, heights, NULL, error);
 * @endcode
 */
#ifndef ALIDADE_RASTER_ANALYSIS_H
#define ALIDADE_RASTER_ANALYSIS_H

#include "base.h"
#include "handles.h"
#include "projection.h"
#include "raster.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How a value between the centres of cells is computed.
 *
 * The weights are the same as in GDAL when it enlarges a raster. They do not depend on the distance between samples;
 * nothing is averaged. Cells beyond the raster's edge are left out, and the remaining weights are scaled so that their
 * sum is 1 again, as in GDAL. A raster whose rows run along the parallels, with a whole number of columns around the
 * world, has no edge in the west and east: its first column follows its last column.
 */
typedef int32_t ald_interpolation;
enum ald_interpolation_values {
  /** The value of the cell that contains the sample. */
  ALD_INTERPOLATION_NEAREST = 0,
  /**
   * Computed from the four cells with the nearest centres, weighted by distance. Cells without a value are left out,
   * and the remaining weights are scaled so that their sum is 1 again.
   */
  ALD_INTERPOLATION_BILINEAR = 1,
  /**
   * Cubic convolution (a = -0.5, Catmull-Rom) from sixteen cells. If one of these cells has no value, the interpolation
   * is bilinear, as in gdalwarp: the remaining cubic weights, some of them negative, would give no sensible value.
   */
  ALD_INTERPOLATION_CUBIC = 2
};

/** Bits of the flags of ald_sampling_options, ald_profile_options and ald_polygon_options. */
typedef uint32_t ald_sampling_flags;
enum ald_sampling_flags_values {
  /** Uses scaled values (stored value * scale + offset) instead of stored values. */
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
 * A rectangle of a raster's grid, divided into columns x rows squares with a sample in the centre of each. It may
 * extend beyond the raster.
 */
typedef struct ald_raster_window {
  uint32_t struct_size;
  uint32_t reserved;
  /** The upper left corner in the raster's grid, in cells. */
  double left;
  double top;
  /** The size in cells, up to 2^31. If both are 0, with left and top 0, the window is the whole raster. */
  double width;
  double height;
  /**
   * The number of samples per line and the number of lines, at most 65536. If both are 0, there is one sample per cell,
   * rounded to whole samples.
   */
  int32_t columns;
  int32_t rows;
} ald_raster_window;

/** Initialises an ald_raster_window to the whole raster, a sample per cell. */
#define ALD_RASTER_WINDOW_INIT                                                                                         \
  { (uint32_t)sizeof(ald_raster_window), 0, 0.0, 0.0, 0.0, 0.0, 0, 0 }

/** The positions of the samples of a profile. */
typedef int32_t ald_profile_kind;
enum ald_profile_kind_values {
  /**
   * In every cell that the line crosses, in order, each with the distances at which the line enters and leaves the
   * cell. A stretch outside the raster, or a stretch that cannot be projected, is one sample too: the samples follow
   * each other without gaps from the start to the end of the line. A corner that the line only touches is not crossed.
   */
  ALD_PROFILE_KIND_CELLS = 0,
  /** At every multiple of step from the start of the line, and at its end. */
  ALD_PROFILE_KIND_STEP = 1,
  /** At sample_count positions, evenly spaced from the start to the end of the line. */
  ALD_PROFILE_KIND_COUNT = 2
};

/** How a profile is taken. */
typedef struct ald_profile_options {
  uint32_t struct_size;
  ald_profile_kind kind;
  /** Must be ALD_INTERPOLATION_NEAREST for ALD_PROFILE_KIND_CELLS. */
  ald_interpolation interpolation;
  ald_sampling_flags flags;
  /**
   * For ALD_PROFILE_KIND_STEP: the distance from one sample to the next, in the unit of the line's spatial reference;
   * above 0.
   */
  double step;
  /** For ALD_PROFILE_KIND_COUNT: the number of samples, 2 to INT32_MAX. */
  uint32_t sample_count;
  uint32_t reserved;
} ald_profile_options;

/** Initialises an ald_profile_options to every cell, stored values. */
#define ALD_PROFILE_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_profile_options), 0, 0, 0, 0.0, 0, 0 }

/** A sample of a profile. Its size is 56 bytes in every version. */
typedef struct ald_profile_sample {
  /**
   * The distance along the line from its start, in the plane, in the unit of the line's spatial reference. To get
   * metres, give the line in a spatial reference whose unit is the metre. For ALD_PROFILE_KIND_CELLS: where the line
   * enters the cell.
   */
  double distance;
  /** For ALD_PROFILE_KIND_CELLS: where the line leaves the cell. Otherwise equal to distance. */
  double end_distance;
  /** The position in the line's spatial reference. For ALD_PROFILE_KIND_CELLS: midway between the two distances. */
  double x;
  double y;
  /** The value; NaN unless the verdict is ALD_CELL_VERDICT_VALUE. */
  double value;
  /** The cell; -1 and -1 if there is no cell. */
  int32_t column;
  int32_t row;
  ald_cell_verdict verdict;
  uint32_t reserved;
} ald_profile_sample;

/** Which cells belong to a polygon. */
typedef int32_t ald_polygon_rule;
enum ald_polygon_rule_values {
  /**
   * The cells whose centre lies inside. In the raster's grid, a centre exactly on an edge belongs to the polygon on the
   * right of the edge, or below the edge if the edge runs along a row of cells. Polygons that share an edge, vertex by
   * vertex, therefore share no cell, and no cell between them is left out.
   */
  ALD_POLYGON_RULE_CELL_CENTERS = 0,
  /** The cells that share a point with the polygon or its boundary, even if only on the edge of the cell. */
  ALD_POLYGON_RULE_ALL_TOUCHED = 1
};

/** How the cells of a polygon are chosen and counted. */
typedef struct ald_polygon_options {
  uint32_t struct_size;
  ald_polygon_rule rule;
  ald_sampling_flags flags;
  uint32_t reserved;
} ald_polygon_options;

/** Initialises an ald_polygon_options to cell centres, stored values. */
#define ALD_POLYGON_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_polygon_options), 0, 0, 0 }

/**
 * Statistics of the cells of a polygon.
 *
 * Each cell counts as one, however much of it lies inside. A NaN that is not the nodata value counts as no value.
 * Values are doubles. The sum is compensated, so that its error does not grow with the number of cells. The result is
 * the same on any number of threads.
 */
typedef struct ald_polygon_statistics {
  uint32_t struct_size;
  uint32_t reserved;
  /**
   * The number of cells that have a value. If it is 0, mean, minimum, maximum and standard_deviation are NaN, and the
   * columns and rows of both cells are -1.
   */
  uint64_t value_count;
  /** The number of cells of the raster that have no value: nodata, masked, transparent or NaN. */
  uint64_t empty_count;
  /**
   * The number of cells that the polygon would have beyond the raster's edges if its grid continued there. Cells of the
   * opposite side, in a raster of the whole world, are not included.
   */
  uint64_t outside_count;
  double sum;
  double mean;
  double minimum;
  double maximum;
  /** The standard deviation of the population: the root of the mean square deviation from the mean. */
  double standard_deviation;
  /** The first cell, row by row, that has the minimum, and the first that has the maximum. */
  ald_cell_index minimum_cell;
  ald_cell_index maximum_cell;
} ald_polygon_statistics;

/** Initialises an ald_polygon_statistics. */
#define ALD_POLYGON_STATISTICS_INIT                                                                                    \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_polygon_statistics), 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, {0, 0}, {                           \
      0, 0                                                                                                             \
    }                                                                                                                  \
  }

/** How often a stored value occurs. Its size is 24 bytes in every version. */
typedef struct ald_class_count {
  /** The stored value. For 64-bit integers beyond 2^53 only integer is exact. */
  double value;
  /** The exact stored value; for UINT64 its bits. */
  int64_t integer;
  /** The number of cells with this value. */
  uint64_t cell_count;
} ald_class_count;

/** Bits of ald_height_options.fields. */
typedef uint32_t ald_height_fields;
enum ald_height_fields_values {
  /** interpolation is set. Without this bit, the interpolation is bilinear. */
  ALD_HEIGHT_HAS_INTERPOLATION = 1
};

/** How heights are taken. */
typedef struct ald_height_options {
  uint32_t struct_size;
  ald_height_fields fields;
  /** See ald_interpolation, also for the raster's edge and for cells without a value. */
  ald_interpolation interpolation;
  /** The band, from 1. 0 means the first band. */
  int32_t band;
  /**
   * The length in metres of the unit of the band's scaled values, 1e-9 to 1e9. 0: the unit of the band or the raster
   * decides.
   */
  double metres_per_band_unit;
  /** How heights are converted: strictly, only by the best operation, or not at all. See ald_project_flags. */
  ald_project_flags project_flags;
  uint32_t reserved;
} ald_height_options;

/** Initialises an ald_height_options to bilinear heights of the first band. */
#define ALD_HEIGHT_OPTIONS_INIT                                                                                        \
  { (uint32_t)sizeof(ald_height_options), 0, 0, 0, 0.0, 0, 0 }

/** Bits of ald_height_info.flags. */
typedef uint32_t ald_height_flags;
enum ald_height_flags_values {
  /** Neither the band nor the raster's spatial reference states the unit of the values. They were taken as metres. */
  ALD_HEIGHT_UNIT_ASSUMED = 1,
  /** The heights were converted from the raster's vertical reference to the vertical reference of the points. */
  ALD_HEIGHT_CONVERTED = 2,
  /**
   * The vertical parts of the raster and the points differ, or only one of them has a vertical part, and the heights
   * were not converted: they are relative to the vertical reference of the raster.
   */
  ALD_HEIGHT_REFERENCE_KEPT = 4
};

/** Facts about the heights that were written. */
typedef struct ald_height_info {
  uint32_t struct_size;
  ald_height_flags flags;
  /** The number of points. */
  uint64_t point_count;
  /** The number of points without a height. */
  uint64_t failed_count;
  /** Metres per unit of the heights that were written; negative for depths. */
  double metres_per_unit;
} ald_height_info;

/** Initialises an ald_height_info. */
#define ALD_HEIGHT_INFO_INIT                                                                                           \
  { (uint32_t)sizeof(ald_height_info), 0, 0, 0, 0.0 }

/* Windows and samples */

/**
 * Computes the window of whole cells around a point, for ald_raster_read_window.
 *
 * The cell that contains the point is in the middle. If the number of columns or rows is even, this cell is to the
 * right of the middle line or below it. The point may lie outside the raster.
 *
 * @param spatial_reference The spatial reference of the point; null: the raster's own.
 * @param columns The width in cells, 1 to 65536.
 * @param rows The height in cells, 1 to 65536.
 * @param out_window Receives the window, with a sample per cell. Initialise it with ALD_RASTER_WINDOW_INIT. For a
 *     magnifier that shows each cell larger, increase its columns and rows afterwards.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the point is not finite or farther than 2^30 cells away, columns or rows is out of
 *     its range, out_window is NULL or its struct_size is not valid, or raster and spatial_reference are of different
 *     runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded, or a spatial reference is given and the raster has none.
 *   - ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform.
 *   - ALD_STATUS_PROJECTION_FAILED if the point cannot be projected.
 */
ALD_API ald_status ald_raster_window_around(ald_raster raster, ald_spatial_reference spatial_reference, ald_point point,
                                            int32_t columns, int32_t rows, ald_raster_window *out_window,
                                            ald_error *error);

/**
 * Computes the number of samples of a window, with the defaults of its zero fields.
 *
 * @param window NULL for the whole raster.
 * @param out_columns Receives the number of samples per line.
 * @param out_rows Receives the number of lines.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a field of the window is out of its range, or out_columns or out_rows is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded.
 */
ALD_API ald_status ald_raster_window_size(ald_raster raster, const ald_raster_window *window, int32_t *out_columns,
                                          int32_t *out_rows, ald_error *error);

/**
 * Reads a window of a band. The raster needs no georeference. Samples beyond the raster have the value NaN and the
 * verdict ALD_CELL_VERDICT_OUTSIDE.
 *
 * This function reads the raster's own grid and does not depend on a view. For a magnifier that shows the map as it is
 * on the screen (projected, rotated), read a small rectangle of the screen with many samples instead: see
 * ald_view_read_rgba and ald_view_read_values.
 *
 * @param band From 1 to the raster's band_count.
 * @param window NULL for the whole raster, with a sample per cell.
 * @param options NULL for nearest and stored values.
 * @param out_values Receives the values, beginning with the line at the top of the window.
 * @param row_stride_bytes Bytes from one line to the next: at least 8 * columns, and a multiple of 8. 0 means 8 *
 *     columns. Bytes between lines are not changed.
 * @param values_size_bytes The size of out_values in bytes.
 * @param out_verdicts NULL, or receives columns * rows verdicts (ald_cell_verdict as bytes), without gaps.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a field of the window or an option is out of its range, out_values is NULL or the
 *     stride is too small.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded.
 *   - ALD_STATUS_NOT_FOUND if there is no such band.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if a block cannot be read.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call exceeds a limit of the policy.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the values do not fit.
 */
ALD_API ald_status ald_raster_read_window(ald_raster raster, int32_t band, const ald_raster_window *window,
                                          const ald_sampling_options *options, double *out_values,
                                          size_t row_stride_bytes, size_t values_size_bytes, uint8_t *out_verdicts,
                                          ald_error *error);

/**
 * Reads the values of a band at points, interpolated between cells if the options request it. The results are in the
 * order of the points.
 *
 * @param spatial_reference The spatial reference of the points; null: the raster's own.
 * @param band From 1 to the raster's band_count.
 * @param xy count points, each two doubles x, y. A point that is not finite gives ALD_CELL_VERDICT_OUTSIDE.
 * @param stride_bytes Bytes from one point to the next, at least 16. 0 means 16.
 * @param count The number of points; 0 does nothing.
 * @param options NULL for nearest and stored values.
 * @param out_values NULL, or receives count values.
 * @param out_verdicts NULL, or receives count verdicts (ald_cell_verdict as bytes).
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if xy is NULL, the stride is too small, a size overflows, an option is out of its
 *     range, or raster and spatial_reference are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded, or a spatial reference is given and the raster has none.
 *   - ALD_STATUS_NOT_FOUND if there is no such band.
 *   - ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if a block cannot be read.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the two spatial references.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call exceeds a limit of the policy.
 */
ALD_API ald_status ald_raster_read_samples(ald_raster raster, ald_spatial_reference spatial_reference, int32_t band,
                                           const double *xy, size_t stride_bytes, size_t count,
                                           const ald_sampling_options *options, double *out_values,
                                           uint8_t *out_verdicts, ald_error *error);

/* Profiles */

/**
 * Reads the values of a band along a line.
 *
 * The line is straight between its vertices in its own spatial reference. For ALD_PROFILE_KIND_CELLS, a line in another
 * spatial reference is bent in the raster's grid: each segment is divided until no part deviates from its true position
 * by more than 1/8 of a cell. If the raster's spatial reference has a seam (such as 180 degrees), the line stops on one
 * side of it and continues on the other.
 *
 * @param spatial_reference The spatial reference of the line; null: the raster's own.
 * @param band From 1 to the raster's band_count.
 * @param xy The vertices, each two doubles x, y; finite.
 * @param stride_bytes Bytes from one vertex to the next, at least 16. 0 means 16.
 * @param vertex_count The number of vertices, at least 2. Vertices may coincide.
 * @param options NULL for every cell and stored values.
 * @param out_samples Receives the samples. NULL with capacity 0 requests only their number.
 * @param capacity The number of samples that fit into out_samples.
 * @param out_count Receives the number of samples, even if the buffer is too small. May be NULL if out_samples is not
 *     NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if xy is NULL, the stride is too small, a size overflows, there are fewer than 2
 *     vertices or one is not finite, an option is out of its range, out_samples is NULL and capacity is not 0, both
 *     out_samples and out_count are NULL, or raster and spatial_reference are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded, or a spatial reference is given and the raster has none.
 *   - ALD_STATUS_NOT_FOUND if there is no such band.
 *   - ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if a block cannot be read.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the two spatial references.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call exceeds a limit of the policy.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the samples do not fit.
 */
ALD_API ald_status ald_raster_read_profile(ald_raster raster, ald_spatial_reference spatial_reference, int32_t band,
                                           const double *xy, size_t stride_bytes, size_t vertex_count,
                                           const ald_profile_options *options, ald_profile_sample *out_samples,
                                           size_t capacity, size_t *out_count, ald_error *error);

/*
 * Statistics of polygons
 *
 * A polygon is given as rings of vertices. The area inside an odd number of rings is inside the polygon: a ring in
 * another ring is a hole, rings next to each other form a multipolygon, and a ring that crosses itself leaves out the
 * areas that it surrounds an even number of times. Rings are closed automatically; a last vertex equal to the first is
 * allowed. The direction of rings does not matter.
 *
 * Rings in another spatial reference are straight there and bent in the raster's grid: each segment is divided until no
 * part deviates from its true position by more than 1/8 of a cell. A polygon is refused if a vertex or a part of an
 * edge has no image in the raster's spatial reference, or if it crosses a seam of that spatial reference (such as 180
 * degrees). Cut the polygon at the seam. Longitudes are not wrapped: -179 is not 181, so a polygon across 180 in the
 * raster's own degrees runs from 179 to 181, or from -181 to -179. If the world repeats itself, the parts of such a
 * polygon beyond the raster's western or eastern edge use the cells of the opposite side, each cell once: a polygon may
 * cross the seam of a raster of the whole world.
 */

/**
 * Computes statistics of a band's cells in a polygon.
 *
 * @param spatial_reference The spatial reference of the rings; null: the raster's own.
 * @param band From 1 to the raster's band_count.
 * @param xy The vertices of all rings, ring after ring: each two doubles x, y; finite.
 * @param stride_bytes Bytes from one vertex to the next, at least 16. 0 means 16.
 * @param vertex_count The number of vertices.
 * @param ring_starts The index of the first vertex of each ring; the first is 0, and each ring has at least 3 vertices.
 *     NULL if all vertices form one ring.
 * @param ring_count The number of rings; 0 or 1 if ring_starts is NULL.
 * @param options NULL for cell centres and stored values.
 * @param out_statistics Receives the statistics. Initialise it with ALD_POLYGON_STATISTICS_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if xy is NULL, the stride is too small, a size overflows, a ring has fewer than 3
 *     vertices, a vertex is not finite, the ring starts do not increase from 0, an option is out of its range,
 *     out_statistics is NULL or its struct_size is not valid, or raster and spatial_reference are of different
 *     runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded, or a spatial reference is given and the raster has none.
 *   - ALD_STATUS_NOT_FOUND if there is no such band.
 *   - ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if a block cannot be read.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the two spatial references, or a part of the
 *     boundary has no image or crosses a seam.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the polygon has more cells in the raster, or its boundary crosses more rows of
 *     cells, than the policy allows.
 */
ALD_API ald_status ald_raster_read_polygon_statistics(ald_raster raster, ald_spatial_reference spatial_reference,
                                                      int32_t band, const double *xy, size_t stride_bytes,
                                                      size_t vertex_count, const size_t *ring_starts, size_t ring_count,
                                                      const ald_polygon_options *options,
                                                      ald_polygon_statistics *out_statistics, ald_error *error);

/**
 * Counts how often each stored value of an integer band, such as a land cover class, occurs in a polygon. Cells without
 * a value are not counted.
 *
 * @param spatial_reference The spatial reference of the rings; null: the raster's own.
 * @param band From 1 to the raster's band_count.
 * @param xy The vertices of all rings, as for ald_raster_read_polygon_statistics.
 * @param stride_bytes Bytes from one vertex to the next, at least 16. 0 means 16.
 * @param vertex_count The number of vertices.
 * @param ring_starts The index of the first vertex of each ring. NULL if all vertices form one ring.
 * @param ring_count The number of rings; 0 or 1 if ring_starts is NULL.
 * @param options NULL for cell centres. ALD_SAMPLING_SCALED is refused, because classes are stored values.
 * @param out_classes Receives the values that occur, in increasing order. NULL with capacity 0 requests only their
 *     number.
 * @param capacity The number of classes that fit into out_classes.
 * @param out_count Receives the number of values that occur, even if the buffer is too small. May be NULL if
 *     out_classes is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_classes is NULL and capacity is not 0, both out_classes and out_count are
 *     NULL, or as in ald_raster_read_polygon_statistics.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_READY as in ald_raster_read_polygon_statistics.
 *   - ALD_STATUS_NOT_FOUND if there is no such band.
 *   - ALD_STATUS_UNSUPPORTED if the band does not store integers, or the raster is not georeferenced by a geotransform.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if a block cannot be read.
 *   - ALD_STATUS_PROJECTION_FAILED as in ald_raster_read_polygon_statistics.
 *   - ALD_STATUS_LIMIT_EXCEEDED as in ald_raster_read_polygon_statistics.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the classes do not fit.
 */
ALD_API ald_status ald_raster_read_polygon_classes(ald_raster raster, ald_spatial_reference spatial_reference,
                                                   int32_t band, const double *xy, size_t stride_bytes,
                                                   size_t vertex_count, const size_t *ring_starts, size_t ring_count,
                                                   const ald_polygon_options *options, ald_class_count *out_classes,
                                                   size_t capacity, size_t *out_count, ald_error *error);

/* Heights */

/**
 * Reads the heights of a raster at points, for terrain or to put objects on the ground. The results are in the order of
 * the points.
 *
 * The band's scaled values are lengths, in the unit of the band. If the band has no unit, the unit of the vertical axis
 * of the raster's spatial reference is used; without one, metres. The heights are written in the unit of the vertical
 * axis of the points' spatial reference (depths as depths), or in metres upwards if it has no vertical axis. If the
 * spatial references of the raster and of the points both have a vertical part, heights are converted from the first to
 * the second. Otherwise they stay relative to the vertical reference of the raster, usually the sea level.
 *
 * @param spatial_reference The spatial reference of the points and of the heights; null: the raster's own.
 * @param options NULL for bilinear heights of the first band.
 * @param coordinates The points; z and t are not read. All points are read before anything is written. A point that is
 *     not finite gives ALD_CELL_VERDICT_OUTSIDE.
 * @param out_heights Receives count heights; NaN where there is no height. Any alignment is allowed. It may be the z of
 *     the vertices in coordinates.
 * @param height_stride_bytes Bytes from one height to the next, at least 8. 0 means 8. Bytes between heights are not
 *     changed.
 * @param out_verdicts NULL, or receives count verdicts (ald_cell_verdict as bytes): ALD_CELL_VERDICT_VALUE where there
 *     is a height, ALD_CELL_VERDICT_NOT_PROJECTABLE where it cannot be converted, and ALD_CELL_VERDICT_NODATA where the
 *     band's value is NaN or infinite, even if the band has no nodata value.
 * @param out_info NULL, or receives facts about the heights. Initialise it with ALD_HEIGHT_INFO_INIT.
 * @param out_new_receipt NULL, or receives the receipt of converting the heights; the host owns it. Null if they were
 *     not converted. Set to null on failure.
 * @return ALD_STATUS_OK on success, even if some points have no height. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an array is missing, a stride is too small, a size overflows, an option is out of
 *     its range, flags are unknown, the struct_size of out_info is not valid, or raster and spatial_reference are of
 *     different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded, or a spatial reference is given and the raster has none.
 *   - ALD_STATUS_NOT_FOUND if there is no such band.
 *   - ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform, or the band's unit is not a known
 *     unit of length.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if a block cannot be read.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the two spatial references.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call exceeds a limit of the policy.
 */
ALD_API ald_status ald_raster_read_heights(ald_raster raster, ald_spatial_reference spatial_reference,
                                           const ald_height_options *options, const ald_coordinates *coordinates,
                                           double *out_heights, size_t height_stride_bytes, uint8_t *out_verdicts,
                                           ald_height_info *out_info, ald_projection_receipt *out_new_receipt,
                                           ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

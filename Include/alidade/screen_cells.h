/**
 * @file
 * A whole screen of cells in one call: what hosts draw.
 *
 * A grid of columns x rows samples lies over a rectangle of the screen. Each sample is the cell under the centre of its
 * square, at native resolution, found exactly as identify finds it: pixel and tap always agree.
 */
#ifndef ALIDADE_SCREEN_CELLS_H
#define ALIDADE_SCREEN_CELLS_H

#include "base.h"
#include "layer.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_screen_grid.flags. */
typedef uint32_t ald_screen_grid_flags;
enum {
  /**
   * Read the overview whose cells come nearest to the size of a sample without being larger, instead of the native
   * cells. Faster where the view is far out; values are then those of the overview and need not agree with identify.
   */
  ALD_SCREEN_GRID_OVERVIEWS = 1,
  /** ald_view_read_values answers scaled values instead of stored ones. */
  ALD_SCREEN_GRID_SCALED = 2
};

/** Which samples of a screen are wanted. */
typedef struct ald_screen_grid {
  uint32_t struct_size;
  ald_screen_grid_flags flags;
  /** The rectangle in DIP; width and height 0: the whole view. */
  double left_dip;
  double top_dip;
  double width_dip;
  double height_dip;
  /** Samples per line and lines; both 0: one sample per physical pixel, rounded to whole samples. At most 65536. */
  int32_t columns;
  int32_t rows;
} ald_screen_grid;

/** Initialises an ald_screen_grid to the whole view. */
#define ALD_SCREEN_GRID_INIT                                                                                           \
  { (uint32_t)sizeof(ald_screen_grid), 0, 0.0, 0.0, 0.0, 0.0, 0, 0 }

/**
 * How many samples a grid has for a view, its zeros filled in.
 *
 * @param grid NULL for the whole view.
 * @param out_columns Receives the samples per line.
 * @param out_rows Receives the lines.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a field of the grid is out of its
 *   range or out_columns or out_rows is NULL; ALD_STATUS_NOT_READY if the view has no size.
 */
ALD_API ald_status ald_view_grid_size(ald_view view, const ald_screen_grid *grid, int32_t *out_columns,
                                      int32_t *out_rows, ald_error *error);

/**
 * Fills a picture with a raster layer as its renderer shows it. Nodata, masked, transparent, outside and not
 * projectable samples are 0, 0, 0, 0; so is everything if the layer is hidden.
 *
 * @param layer A raster layer of the view's map.
 * @param grid NULL for the whole view.
 * @param out_pixels Receives red, green, blue, alpha bytes, alpha not premultiplied, the top line first.
 * @param row_stride_bytes From one line to the next; 0: 4 * columns. At least that. Bytes between lines are left alone.
 * @param pixels_size The size of out_pixels in bytes.
 * @param out_verdicts NULL, or receives columns * rows verdicts (ald_cell_verdict as bytes), without gaps.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map,
 *   a field of the grid is out of its range, out_pixels is NULL or the stride is too small; ALD_STATUS_NOT_READY as for
 *   ald_view_get_state; ALD_STATUS_BUFFER_TOO_SMALL; ALD_STATUS_PROJECTION_FAILED if there is no operation between map
 *   and raster; ALD_STATUS_LIMIT_EXCEEDED; ALD_STATUS_READ_FAILED with GDAL's words, and nothing is written.
 */
ALD_API ald_status ald_view_read_rgba(ald_view view, ald_layer layer, const ald_screen_grid *grid, uint8_t *out_pixels,
                                      size_t row_stride_bytes, size_t pixels_size, uint8_t *out_verdicts,
                                      ald_error *error);

/**
 * Fills an array with the values of a band. Samples without a value are NaN; so is everything if the layer is hidden,
 * with the verdict ALD_CELL_OUTSIDE. 64-bit integers beyond 2^53 are rounded; of complex values the real part is taken.
 *
 * @param layer A raster layer of the view's map.
 * @param grid NULL for the whole view.
 * @param band From 1 to the raster's band_count.
 * @param out_values Receives the values, the top line first.
 * @param row_stride_bytes From one line to the next; 0: 8 * columns. At least that, and a multiple of 8.
 * @param values_size The size of out_values in bytes.
 * @param out_verdicts NULL, or receives columns * rows verdicts (ald_cell_verdict as bytes), without gaps.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map,
 *   a field of the grid is out of its range, out_values is NULL or the stride is too small; ALD_STATUS_NOT_FOUND if
 *   there is no such band; ALD_STATUS_NOT_READY as for ald_view_get_state; ALD_STATUS_BUFFER_TOO_SMALL;
 *   ALD_STATUS_PROJECTION_FAILED if there is no operation between map and raster; ALD_STATUS_LIMIT_EXCEEDED;
 *   ALD_STATUS_READ_FAILED with GDAL's words, and nothing is written.
 */
ALD_API ald_status ald_view_read_values(ald_view view, ald_layer layer, const ald_screen_grid *grid, int32_t band,
                                        double *out_values, size_t row_stride_bytes, size_t values_size,
                                        uint8_t *out_verdicts, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Screen cells: a raster layer as pixels or values, for a whole screen in one call.
 *
 * A grid of columns x rows samples covers a rectangle of the screen. Each sample is the cell under the centre of its
 * square, at native resolution. It is found exactly as identify finds it, so a pixel and a tap at the same point always
 * agree.
 *
 * @code{.c}
 * static uint8_t pixels[640 * 480 * 4];
 * ald_screen_grid grid = ALD_SCREEN_GRID_INIT; // the whole view
 * grid.columns = 640;
 * grid.rows = 480;
 * return ald_view_read_rgba(view, layer, &grid, pixels, 0, sizeof pixels, NULL, error);
 * @endcode
 */
#ifndef ALIDADE_SCREEN_CELLS_H
#define ALIDADE_SCREEN_CELLS_H

#include "base.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_screen_grid.flags. */
typedef uint32_t ald_screen_grid_flags;
enum ald_screen_grid_flags_values {
  /**
   * Reads an overview instead of the native cells: the overview with the largest cells that are not larger than a
   * sample. This is faster where the view shows a large area. The values come from the overview and may differ from
   * identify.
   */
  ALD_SCREEN_GRID_OVERVIEWS = 1,
  /** ald_view_read_values returns scaled values instead of stored values. */
  ALD_SCREEN_GRID_SCALED = 2
};

/** The samples to read from a screen. */
typedef struct ald_screen_grid {
  uint32_t struct_size;
  ald_screen_grid_flags flags;
  /** The rectangle in DIP. Width 0 and height 0 mean the whole view. */
  double left_dip;
  double top_dip;
  double width_dip;
  double height_dip;
  /**
   * The number of samples per line and the number of lines, each at most 65536. If both are 0, there is one sample per
   * physical pixel, rounded to whole samples.
   */
  int32_t columns;
  int32_t rows;
} ald_screen_grid;

/** Initialises an ald_screen_grid to the whole view. */
#define ALD_SCREEN_GRID_INIT                                                                                           \
  { (uint32_t)sizeof(ald_screen_grid), 0, 0.0, 0.0, 0.0, 0.0, 0, 0 }

/**
 * Computes the size of a grid for a view, with the zeros of the grid filled in.
 *
 * @param grid NULL for the whole view.
 * @param out_columns Receives the number of samples per line.
 * @param out_rows Receives the number of lines.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a field of grid is out of range or out_columns or out_rows is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY if the view has no size.
 */
ALD_API ald_status ald_view_grid_size(ald_view view, const ald_screen_grid *grid, int32_t *out_columns,
                                      int32_t *out_rows, ald_error *error);

/**
 * Reads a raster layer as pixels, coloured by its renderer. A sample that is nodata, masked, transparent, outside the
 * raster or not projectable becomes 0, 0, 0, 0. If the layer is hidden, all samples become 0, 0, 0, 0.
 *
 * @param layer A raster layer of the view's map.
 * @param grid NULL for the whole view.
 * @param out_pixels Receives red, green, blue and alpha bytes, alpha not premultiplied, the top line first.
 * @param row_stride_bytes The distance from one line to the next in bytes, at least 4 * columns. 0 means 4 * columns.
 *     Bytes between lines are not changed.
 * @param pixels_size_bytes The size of out_pixels in bytes.
 * @param out_verdicts Receives columns * rows verdicts (ald_cell_verdict as bytes) without gaps. May be NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map, a field of grid is out of range, out_pixels is
 *     NULL or the stride is too small.
 *   - ALD_STATUS_INVALID_HANDLE if view or layer is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_READ_FAILED if cells cannot be read. The message is GDAL's, and nothing is written.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the spatial references of map and raster.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the grid exceeds a limit of the policy.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if out_pixels is too small.
 */
ALD_API ald_status ald_view_read_rgba(ald_view view, ald_layer layer, const ald_screen_grid *grid, uint8_t *out_pixels,
                                      size_t row_stride_bytes, size_t pixels_size_bytes, uint8_t *out_verdicts,
                                      ald_error *error);

/**
 * Reads the values of one band of a raster layer. A sample without a value becomes NaN. If the layer is hidden, all
 * samples become NaN with the verdict ALD_CELL_VERDICT_OUTSIDE. 64-bit integers beyond 2^53 are rounded. For complex
 * values the real part is read.
 *
 * @param layer A raster layer of the view's map.
 * @param grid NULL for the whole view.
 * @param band The band, from 1 to the raster's band_count.
 * @param out_values Receives the values, the top line first.
 * @param row_stride_bytes The distance from one line to the next in bytes, at least 8 * columns and a multiple of 8. 0
 *     means 8 * columns. Bytes between lines are not changed.
 * @param values_size_bytes The size of out_values in bytes.
 * @param out_verdicts Receives columns * rows verdicts (ald_cell_verdict as bytes) without gaps. May be NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map, a field of grid is out of range, out_values is
 *     NULL or the stride is too small.
 *   - ALD_STATUS_INVALID_HANDLE if view or layer is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_NOT_FOUND if the band does not exist.
 *   - ALD_STATUS_READ_FAILED if cells cannot be read. The message is GDAL's, and nothing is written.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the spatial references of map and raster.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the grid exceeds a limit of the policy.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if out_values is too small.
 */
ALD_API ald_status ald_view_read_values(ald_view view, ald_layer layer, const ald_screen_grid *grid, int32_t band,
                                        double *out_values, size_t row_stride_bytes, size_t values_size_bytes,
                                        uint8_t *out_verdicts, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Screen cells: a raster layer as pixels or values, for a whole screen in one call.
 *
 * A grid of columns x rows samples covers a rectangle of the screen. Each sample is the cell under the centre of its
 * square, at native resolution. It is found exactly as identify finds it, so a pixel and a tap at the same point always
 * agree.
 *
 * For a layer of a server, the samples are the cells of the level that fits the view. These calls never wait for the
 * server: cells that it has not returned yet have the verdict ALD_CELL_VERDICT_NOT_LOADED, and the view requests them.
 * To wait for all of them, use ald_view_create_screen_picture. See also ald_view_get_fetch_progress and the page
 * "Services".
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
#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_screen_grid.flags. */
typedef uint32_t ald_screen_grid_flags;
enum ald_screen_grid_flags_values {
  /**
   * Reads an overview instead of the native cells: the overview with the largest cells that are not larger than a
   * sample, in any rotation. This is faster where the view shows a large area. The values come from the overview and
   * may differ from identify. A GeoTIFF on a server is always read in this way.
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
 * Computes the number of samples of a grid for a view, with the defaults of its zero fields.
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
 * Reads a raster layer as pixels, coloured by its renderer. Alpha includes the effective opacity of the layer. A sample
 * that is nodata, masked, transparent, outside the raster or not projectable becomes 0, 0, 0, 0. If the layer is
 * hidden, all samples become 0, 0, 0, 0. A sample that is not loaded gets the colour of a coarser level that the server
 * has returned before, otherwise 0, 0, 0, 0.
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
 * Creates a picture of a raster layer, with the pixels of ald_view_read_rgba. If the layer is on a server, the call
 * waits until the server has returned the cells, or has failed to return them. A picture in which cells are missing is
 * not an error.
 *
 * @param layer A raster layer of the view's map.
 * @param grid NULL for the whole view.
 * @param out_picture Receives the picture; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map, a field of grid is out of range, or
 * out_picture is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view or layer is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state, or if the layer is not loaded.
 *   - ALD_STATUS_READ_FAILED if cells cannot be read.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the spatial references of map and raster.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the grid exceeds a limit of the policy.
 */
ALD_API ald_status ald_view_create_screen_picture(ald_view view, ald_layer layer, const ald_screen_grid *grid,
                                                  ald_screen_picture *out_picture, ald_error *error);

/**
 * Creates a picture without waiting; see alidade/request.h. The picture shows the view as it is at the time of this
 * call.
 *
 * A newer request for the same view and layer replaces an older one, so that the newest view wins. If
 * ald_request_options.replace_key is not 0, only requests with the same key replace each other.
 *
 * @param layer A raster layer of the view's map.
 * @param grid NULL for the whole view.
 * @param request_options NULL for the defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map, a field of grid or request_options is out of
 * range, or out_request is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view or layer is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state, or if the layer is not loaded.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the spatial references of map and raster.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the grid exceeds a limit of the policy.
 *   - ALD_STATUS_OUT_OF_MEMORY if the system has no thread for the request.
 */
ALD_API ald_status ald_view_create_screen_picture_async(ald_view view, ald_layer layer, const ald_screen_grid *grid,
                                                        const ald_request_options *request_options,
                                                        ald_request *out_request, ald_error *error);

/**
 * Takes the picture that a request has created. The picture can be taken once.
 *
 * @param out_picture Receives the picture; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the request does not create a picture, or out_picture is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if request is not valid.
 *   - ALD_STATUS_NOT_READY while the request is pending.
 *   - ALD_STATUS_READ_FAILED as for ald_view_create_screen_picture.
 *   - ALD_STATUS_LIMIT_EXCEEDED as for ald_view_create_screen_picture.
 *   - ALD_STATUS_INVALID_STATE if the picture was already taken.
 *   - ALD_STATUS_CANCELLED if the request was cancelled or replaced.
 */
ALD_API ald_status ald_request_take_screen_picture(ald_request request, ald_screen_picture *out_picture,
                                                   ald_error *error);

/** The pixels of a picture. The pointers are valid until the picture is released. */
typedef struct ald_screen_pixels {
  uint32_t struct_size;
  /** The number of samples per line. */
  int32_t columns;
  /** The number of lines. */
  int32_t rows;
  /** columns * rows. */
  uint32_t sample_count;
  /** The number of samples with the verdict ALD_CELL_VERDICT_NOT_LOADED, because the server did not return them. */
  uint32_t lacking_count;
  /**
   * sample_count times four bytes: red, green, blue and alpha, alpha not premultiplied, the top line first, without
   * gaps.
   */
  const uint8_t *rgba;
  /** sample_count verdicts (ald_cell_verdict as bytes). */
  const uint8_t *verdicts;
} ald_screen_pixels;

/** Initialises an ald_screen_pixels. */
#define ALD_SCREEN_PIXELS_INIT                                                                                         \
  { (uint32_t)sizeof(ald_screen_pixels), 0, 0, 0, 0, NULL, NULL }

/**
 * Gets the pixels of a picture.
 *
 * @param out_pixels Receives the pixels. Initialise it with ALD_SCREEN_PIXELS_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_pixels is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if picture is not valid.
 */
ALD_API ald_status ald_screen_picture_get_pixels(ald_screen_picture picture, ald_screen_pixels *out_pixels,
                                                 ald_error *error);

/** Releases a picture. */
ALD_API void ald_screen_picture_release(ald_screen_picture picture);

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

#include "sizes.h"

size_t geometries_of_array(ald_geometry_array array) {
  ald_geometry_array_info info = ALD_GEOMETRY_ARRAY_INFO_INIT;
  return ald_geometry_array_get_info(array, &info, NULL) == ALD_STATUS_OK ? (size_t)info.geometry_count : 0;
}

size_t vertices_of_array(ald_geometry_array array) {
  ald_geometry_array_info info = ALD_GEOMETRY_ARRAY_INFO_INIT;
  return ald_geometry_array_get_info(array, &info, NULL) == ALD_STATUS_OK ? (size_t)info.vertex_count : 0;
}

size_t vertices_of_geometry(ald_geometry geometry) {
  ald_geometry_info info = ALD_GEOMETRY_INFO_INIT;
  return ald_geometry_get_info(geometry, &info, NULL) == ALD_STATUS_OK ? (size_t)info.vertex_count : 0;
}

size_t bands_of_raster(ald_raster raster) {
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  return ald_raster_get_info(raster, &info, NULL) == ALD_STATUS_OK ? (size_t)info.band_count : 0;
}

size_t bands_of_layer(ald_layer layer) {
  ald_raster raster;
  return ald_raster_layer_get_raster(layer, &raster, NULL) == ALD_STATUS_OK ? bands_of_raster(raster) : 0;
}

size_t points_of_coordinates(const ald_coordinates *coordinates) {
  return coordinates ? coordinates->count : 0;
}

size_t samples_of_displacement(const ald_displacement_options *options) {
  return options ? (size_t)options->columns * options->rows : 0;
}

size_t samples_of_grid(ald_view view, const ald_screen_grid *grid) {
  int32_t columns = 0, rows = 0;
  return ald_view_grid_size(view, grid, &columns, &rows, NULL) == ALD_STATUS_OK ? (size_t)columns * (size_t)rows : 0;
}

size_t samples_of_window(ald_raster raster, const ald_raster_window *window) {
  int32_t columns = 0, rows = 0;
  return ald_raster_window_size(raster, window, &columns, &rows, NULL) == ALD_STATUS_OK ? (size_t)columns * (size_t)rows
                                                                                        : 0;
}

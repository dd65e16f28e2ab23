/* How many elements arrays need that a call fills, where nothing in the call itself says it. 0 for what is not valid:
 * the call then fails by itself. */
#ifndef ALIDADE_GODOT_SIZES_H
#define ALIDADE_GODOT_SIZES_H

#include <alidade.h>

size_t geometries_of_array(ald_geometry_array array);
size_t vertices_of_array(ald_geometry_array array);
size_t vertices_of_geometry(ald_geometry geometry);
size_t bands_of_raster(ald_raster raster);
size_t bands_of_layer(ald_layer layer);
size_t points_of_coordinates(const ald_coordinates *coordinates);
size_t samples_of_displacement(const ald_displacement_options *options);
size_t samples_of_grid(ald_view view, const ald_screen_grid *grid);
size_t samples_of_window(ald_raster raster, const ald_raster_window *window);

#endif

/*
 * The quickstart in C: opens three rasters, adds them to a map, shows the map in a view and taps the screen.
 *
 *   cc quickstart.c $(pkg-config --cflags --libs alidade) -o quickstart
 *   ./quickstart --data data
 *
 * Prints the same tables as quickstart.py, which also draws a picture.
 */
#include <alidade.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The view's size in logical pixels. */
static const double width_dip = 400, height_dip = 320;

/* A viewpoint and the taps on it. Each tap is in the middle of a pixel. */
typedef struct stop {
  const char *title;
  double latitude_deg;
  double longitude_deg;
  double scale;
  double rotation_deg;
  size_t tap_count;
  ald_point taps[4];
} stop;

static const stop stops[] = {
    {"Off Cape Town", -34.1, 18.6, 1155000, 0, 1, {{200.5, 160.5}}},
    {"Vegetation, Lake Como", 45.94, 9.40, 700000, 0, 3, {{200.5, 160.5}, {118.5, 92.5}, {30.5, 280.5}}},
    {"The same taps, the view moved", 46.02, 9.30, 120000, 0, 3, {{200.5, 160.5}, {118.5, 92.5}, {30.5, 280.5}}},
    {"Picture, the Bahamas", 24.56, -77.76, 3300000, 0, 4, {{200.5, 160.5}, {153.5, 75.5}, {84.5, 67.5}, {20.5, 20.5}}},
    {"Elevation, Shasta Lake", 40.7624, -122.1626, 72000, 0, 3, {{228.5, 33.5}, {200.5, 240.5}, {390.5, 12.5}}},
    {"Elevation, north-east is up", 40.7735, -122.1505, 9000, 45, 2, {{200.5, 160.5}, {300.5, 220.5}}},
};

static const char *const files[] = {"MOD13A1_NDVI_2016_209.tif", "RGB.byte.tif", "Shasta_Elevation.tif"};

/* The objects of the tour. The handle of an object that was never created is null, and releasing null does nothing. */
typedef struct tour {
  ald_runtime runtime;
  ald_map map;
  ald_view view;
  ald_spatial_reference wgs84;
} tour;

/* Prints an error. The library's message names the object, the value and the remedy. */
static ald_status report(ald_status status, const ald_error *error) {
  if (status != ALD_STATUS_OK)
    fprintf(stderr, "%s: %s\n", ald_status_get_name(status), error->message);
  return status;
}

/* Adds a raster on top of the map. The map keeps the layer and the layer keeps the raster, so release both here. */
static ald_status add_raster(const tour *tour, const char *folder, const char *file, ald_error *error) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  ald_raster raster = {0};
  ald_layer layer = {0};
  ald_status status = ald_raster_open(tour->runtime, path, NULL, &raster, error);
  if (status == ALD_STATUS_OK)
    status = ald_raster_layer_create(raster, &layer, error);
  if (status == ALD_STATUS_OK)
    status = ald_map_add_layer(tour->map, layer, error);
  ald_layer_release(layer);
  ald_raster_release(raster);
  return status;
}

/* Creates a Web Mercator map with all rasters, none of which is in Web Mercator, and a view of it. */
static ald_status begin(tour *tour, const char *folder, ald_error *error) {
  ald_status status = ald_runtime_create(NULL, &tour->runtime, error);
  if (status != ALD_STATUS_OK)
    return status;

  ald_spatial_reference web_mercator = {0};
  status = ald_spatial_reference_create_from_code(tour->runtime, "EPSG", 3857, &web_mercator, error);
  if (status == ALD_STATUS_OK)
    status = ald_map_create(tour->runtime, web_mercator, &tour->map, error);
  ald_spatial_reference_release(web_mercator);
  if (status == ALD_STATUS_OK)
    status = ald_spatial_reference_create_from_code(tour->runtime, "EPSG", 4326, &tour->wgs84, error);

  for (size_t index = 0; index < COUNT(files) && status == ALD_STATUS_OK; index++)
    status = add_raster(tour, folder, files[index], error);

  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = width_dip;
  options.height_dip = height_dip;
  if (status == ALD_STATUS_OK)
    status = ald_view_create(tour->map, &options, &tour->view, error);
  return status;
}

static ald_status look_at(const tour *tour, const stop *stop, ald_error *error) {
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE | ALD_VIEWPOINT_HAS_ROTATION;
  viewpoint.center.x = stop->longitude_deg; /* x is east, whatever order the authority gives */
  viewpoint.center.y = stop->latitude_deg;
  viewpoint.spatial_reference = tour->wgs84;
  viewpoint.scale = stop->scale;
  viewpoint.rotation_deg = stop->rotation_deg;
  return ald_view_set_viewpoint(tour->view, &viewpoint, error);
}

/* Prints the lines of an element's text ("Band 1: 8123", ..., "X: ...", "Y: ...") as one line. */
static void print_cell(const ald_identify_cell *cell, const char *text) {
  printf("column %d, row %d", (int)cell->column, (int)cell->row);
  for (const char *line = text; *line != '\0';) {
    size_t length = strcspn(line, "\n");
    if (length > 0)
      printf(" | %.*s", (int)length, line);
    line += length;
    line += *line == '\n';
  }
}

/* Identifies one layer under a tap and prints what was found, if anything. */
static ald_status identify(const tour *tour, uint32_t layer_index, ald_point tap, int *found, ald_error *error) {
  ald_layer layer;
  ald_status status = ald_map_get_layer_at(tour->map, layer_index, &layer, error);
  if (status != ALD_STATUS_OK)
    return status;

  ald_identify_result result = {0};
  status = ald_view_identify_layer(tour->view, layer, tap, 0, 1, NULL, &result, error);
  if (status != ALD_STATUS_OK)
    return status;

  ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
  ald_identify_cell cell = ALD_IDENTIFY_CELL_INIT;
  if (ald_identify_result_get_element_at(result, 0, &element, NULL) == ALD_STATUS_OK &&
      ald_identify_result_get_cell_at(result, 0, &cell, NULL) == ALD_STATUS_OK) {
    print_cell(&cell, element.text);
    *found = 1;
  }
  ald_identify_result_release(result);
  return ALD_STATUS_OK;
}

/* Taps all layers, the topmost first, until one has a cell there. */
static ald_status tap(const tour *tour, size_t number, ald_point point, ald_error *error) {
  uint32_t layer_count = 0;
  ald_status status = ald_map_get_layer_count(tour->map, &layer_count, error);
  int found = 0;
  printf("  %zu  (%.1f, %.1f)  ", number, point.x, point.y);
  for (uint32_t index = layer_count; index > 0 && !found && status == ALD_STATUS_OK; index--)
    status = identify(tour, index - 1, point, &found, error);
  if (status == ALD_STATUS_OK)
    printf("%s\n", found ? "" : "nothing here");
  return status;
}

static ald_status visit(const tour *tour, const stop *stop, ald_error *error) {
  printf("%s: latitude %.10g, longitude %.10g, 1:%.0f, %.10g degrees is up\n", stop->title, stop->latitude_deg,
         stop->longitude_deg, stop->scale, stop->rotation_deg);
  ald_status status = look_at(tour, stop, error);
  for (size_t index = 0; index < stop->tap_count && status == ALD_STATUS_OK; index++)
    status = tap(tour, index + 1, stop->taps[index], error);
  return status;
}

int main(int argument_count, char **arguments) {
  const char *folder = "data";
  for (int index = 1; index + 1 < argument_count; index += 2)
    if (strcmp(arguments[index], "--data") == 0)
      folder = arguments[index + 1];

  tour tour = {{0}, {0}, {0}, {0}};
  ald_error error;
  ald_status status = begin(&tour, folder, &error);
  for (size_t index = 0; index < COUNT(stops) && status == ALD_STATUS_OK; index++)
    status = visit(&tour, &stops[index], &error);
  report(status, &error);

  ald_view_release(tour.view);
  ald_map_release(tour.map);
  ald_spatial_reference_release(tour.wgs84);
  ald_runtime_release(tour.runtime);
  return status == ALD_STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

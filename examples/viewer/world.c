/*
 * The engine's objects: a runtime, a map with layers that load by themselves, a view, overlays and a callout.
 */
#include "viewer.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
/* Once around the world in Web Mercator. */
#define WORLD_M (2 * 3.14159265358979323846 * 6378137)
/* A view of a single point: 1 : 10,000. */
#define POINT_SCALE 1e4

static const char *const default_rasters[] = {"MOD13A1_NDVI_2016_209.tif", "RGB.byte.tif", "Shasta_Elevation.tif"};

static const ald_symbol land_symbol = {
    .kind = ALD_SYMBOL_KIND_FILL, .color = {236, 234, 224, 255}, .line_style = ALD_LINE_STYLE_NULL};
static const ald_symbol coast_symbol = {
    .kind = ALD_SYMBOL_KIND_LINE, .line_color = {96, 108, 104, 255}, .line_width_dip = 1};
static const ald_symbol cell_symbol = {
    .kind = ALD_SYMBOL_KIND_FILL, .color = {255, 230, 0, 70}, .line_color = {230, 0, 90, 255}, .line_width_dip = 2};
static const ald_symbol hover_symbol = {
    .kind = ALD_SYMBOL_KIND_FILL, .color = {255, 150, 0, 24}, .line_color = {255, 150, 0, 255}, .line_width_dip = 3};
static const ald_symbol pin_symbol = {.kind = ALD_SYMBOL_KIND_MARKER,
                                      .color = {110, 40, 160, 255},
                                      .line_color = {255, 255, 255, 255},
                                      .line_width_dip = 2,
                                      .size_dip = 12};
static const ald_symbol mark_symbol = {.kind = ALD_SYMBOL_KIND_MARKER,
                                       .color = {230, 0, 90, 255},
                                       .line_color = {255, 255, 255, 255},
                                       .line_width_dip = 1.5,
                                       .size_dip = 8};
static const ald_rgba found_color = {230, 0, 90, 255}, hover_color = {255, 150, 0, 255};

/* Lines and points that were found or are under the pointer lie around what the layer draws. Areas are filled. */
static ald_symbol around_symbol(ald_symbol_kind kind, ald_rgba line, double width_dip) {
  ald_symbol symbol = {0};
  symbol.kind = kind;
  symbol.marker_style = ALD_MARKER_STYLE_CIRCLE;
  symbol.color = (ald_rgba){255, 230, 0, 255};
  symbol.line_color = line;
  symbol.line_width_dip = width_dip;
  symbol.size_dip = 15;
  return symbol;
}

bool succeeded(viewer *viewer, ald_status status, const ald_error *error) {
  if (status == ALD_STATUS_OK)
    return true;
  fprintf(stderr, "viewer: %s: %s\n", ald_status_get_name(status), error->message);
  snprintf(viewer->message, sizeof viewer->message, "%s", error->message);
  return false;
}

static bool add_overlay(viewer *viewer, ald_symbol symbol, ald_graphics_overlay *overlay) {
  ald_error error;
  ald_graphics_overlay_options options = ALD_GRAPHICS_OVERLAY_OPTIONS_INIT;
  options.flags = ALD_GRAPHICS_OVERLAY_NO_UNDO;
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol = symbol;
  ald_status status = ald_graphics_overlay_create(viewer->runtime, &options, overlay, &error);
  if (status == ALD_STATUS_OK)
    status = ald_graphics_overlay_set_renderer(*overlay, &renderer, &error);
  if (status == ALD_STATUS_OK)
    status = ald_view_add_graphics_overlay(viewer->view, *overlay, &error);
  return succeeded(viewer, status, &error);
}

/* Points that the user puts on the map, with a popup each. */
static bool add_pins(viewer *viewer) {
  ald_error error;
  const ald_popup_field fields[] = {
      {ALD_POPUP_FIELD_HAS_DECIMALS, 5, "longitude", "Longitude", NULL, NULL, NULL},
      {ALD_POPUP_FIELD_HAS_DECIMALS, 5, "latitude", "Latitude", NULL, NULL, NULL},
  };
  ald_popup_definition definition = ALD_POPUP_DEFINITION_INIT;
  definition.title = "Pin {number}";
  definition.field_count = COUNT(fields);
  definition.fields = fields;
  return add_overlay(viewer, pin_symbol, &viewer->pins) &&
         succeeded(viewer, ald_graphics_overlay_set_popup_definition(viewer->pins, &definition, &error), &error);
}

static bool add_countries(viewer *viewer, const char *examples) {
  char path[4096];
  snprintf(path, sizeof path, "%s/navigation/data/countries_110m.geojson", examples);
  char *text = NULL;
  if (!g_file_get_contents(path, &text, NULL, NULL)) {
    fprintf(stderr, "viewer: cannot read %s; pass the folder of the examples with --examples\n", path);
    return false;
  }
  ald_error error;
  ald_geometry_array countries = {0};
  const ald_spatial_reference as_geojson_says = {0};
  ald_status status =
      ald_geometry_array_create_from_geojson(viewer->runtime, text, as_geojson_says, &countries, &error);
  if (status == ALD_STATUS_OK)
    status = ald_graphics_overlay_add_graphics(viewer->land, countries, NULL, NULL, &error);
  if (status == ALD_STATUS_OK)
    status = ald_graphics_overlay_add_graphics(viewer->coasts, countries, NULL, NULL, &error);
  ald_geometry_array_release(countries);
  g_free(text);
  return succeeded(viewer, status, &error);
}

/*
 * Creates a layer for each file, which touches none of the files, and puts it on the map. Each is taken for a raster at
 * first: what it is shows when it loads.
 */
static bool add_layers(viewer *viewer, const char *const *paths, uint32_t path_count, const char *examples) {
  const bool is_default = path_count == 0;
  const ald_popup_definition rows = ALD_POPUP_DEFINITION_INIT;
  viewer->layer_count = is_default ? COUNT(default_rasters) : path_count;
  for (uint32_t i = 0; i < viewer->layer_count; i++) {
    ald_error error;
    const size_t size = sizeof viewer->files[i];
    viewer->paths[i] = is_default ? default_rasters[i] : paths[i];
    const int length = is_default
                           ? snprintf(viewer->files[i], size, "%s/quickstart/data/%s", examples, default_rasters[i])
                           : snprintf(viewer->files[i], size, "%s", paths[i]);
    if (length < 0 || (size_t)length >= size) {
      fprintf(stderr, "viewer: the path %s is too long\n", viewer->paths[i]);
      return false;
    }
    ald_status status =
        ald_raster_layer_create_from_path(viewer->runtime, viewer->files[i], NULL, &viewer->layers[i], &error);
    if (status == ALD_STATUS_OK)
      status = ald_layer_set_popup_definition(viewer->layers[i], &rows, &error);
    if (status == ALD_STATUS_OK)
      status = ald_map_add_layer(viewer->map, viewer->layers[i], &error);
    if (!succeeded(viewer, status, &error))
      return false;
  }
  return true;
}

/* The host of an address of the web, with its port; false for the path of a file. */
static bool host_of(const char *path, char *host, size_t size) {
  const char *const slashes = strstr(path, "://");
  if (strncmp(path, "http", 4) != 0 || slashes == NULL || slashes - path > 5)
    return false;
  const size_t length = strcspn(slashes + 3, "/?#");
  snprintf(host, size, "%.*s", (int)length, slashes + 3);
  return true;
}

/* A runtime that may use the hosts of the addresses on the command line, and no others. */
static ald_status create_runtime(viewer *viewer, const char *const *paths, uint32_t path_count, ald_error *error) {
  static char hosts[MAX_LAYERS][256];
  const char *names[MAX_LAYERS];
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  for (uint32_t i = 0; i < path_count; i++)
    if (host_of(paths[i], hosts[i], sizeof hosts[i]))
      names[policy.host_count++] = hosts[i];
  policy.hosts = names;
  options.policy = &policy;
  return ald_runtime_create(&options, &viewer->runtime, error);
}

bool world_open(viewer *viewer, const char *examples, const char *const *paths, uint32_t path_count) {
  ald_error error;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  ald_interaction_options interaction = ALD_INTERACTION_OPTIONS_INIT;
  interaction.flags = ALD_INTERACTION_TWIST;
  ald_callout_options callout = ALD_CALLOUT_OPTIONS_INIT;
  callout.leader_length_dip = 10;
  callout.leader_width_dip = 14;
  callout.margin_dip = 6;
  ald_status status = create_runtime(viewer, paths, path_count, &error);
  if (status == ALD_STATUS_OK)
    status = ald_spatial_reference_create_from_code(viewer->runtime, "EPSG", 4326, &viewer->wgs84, &error);
  if (status == ALD_STATUS_OK)
    status = ald_spatial_reference_create_from_code(viewer->runtime, "EPSG", 3857, &viewer->web_mercator, &error);
  if (status == ALD_STATUS_OK)
    status = ald_map_create(viewer->runtime, viewer->web_mercator, &viewer->map, &error);
  if (status == ALD_STATUS_OK)
    status = ald_map_set_initial_location(viewer->map, 38, -50, 120e6, &error);
  if (status == ALD_STATUS_OK)
    status = ald_view_create(viewer->map, &size, &viewer->view, &error);
  if (status == ALD_STATUS_OK)
    status = ald_view_set_interaction_options(viewer->view, &interaction, &error);
  if (status == ALD_STATUS_OK)
    status = ald_callout_create(viewer->view, &callout, &viewer->callout, &error);
  return succeeded(viewer, status, &error) && add_overlay(viewer, land_symbol, &viewer->land) &&
         add_overlay(viewer, coast_symbol, &viewer->coasts) && add_pins(viewer) &&
         add_overlay(viewer, hover_symbol, &viewer->hovered) && add_overlay(viewer, cell_symbol, &viewer->found) &&
         add_overlay(viewer, mark_symbol, &viewer->marks) && add_countries(viewer, examples) &&
         add_layers(viewer, paths, path_count, examples);
}

void world_close(viewer *viewer) {
  for (uint32_t i = 0; i < viewer->layer_count; i++)
    stretch_cancel(&viewer->stretches[i]);
  ald_runtime_release(viewer->runtime); /* and all that was made with it */
}

/* A raster layer could not be loaded: if there is such a file, perhaps it is one of features. */
static bool try_features(viewer *viewer, uint32_t number, const ald_error *refusal) {
  ald_error error;
  char *const text = viewer->refusals[number - 1];
  if (text[0] != '\0' || refusal->status == ALD_STATUS_NOT_FOUND)
    return false;
  snprintf(text, sizeof viewer->refusals[0], "%s", refusal->message);
  return succeeded(viewer, features_try(viewer, number, &error), &error);
}

static void take_failure(viewer *viewer, uint32_t number) {
  ald_load_info info = ALD_LOAD_INFO_INIT;
  if (ald_layer_get_load_info(viewer->layers[number - 1], &info, NULL) != ALD_STATUS_OK ||
      try_features(viewer, number, &info.error))
    return;
  viewer->is_settled[number - 1] = true;
  /* It is neither: only the file's owner knows which of the two is of interest. */
  if (viewer->refusals[number - 1][0] != '\0')
    fprintf(stderr, "viewer: %s\n", viewer->refusals[number - 1]);
  succeeded(viewer, info.error.status, &info.error);
}

void world_take_load(viewer *viewer, const ald_event *event) {
  ald_error error;
  ald_layer_info info = ALD_LAYER_INFO_INIT;
  uint32_t number = viewer->layer_count;
  while (number > 0 && viewer->layers[number - 1].id != event->layer.id)
    number--;
  /* Layers of before, which have given way, and those in groups are of no interest. */
  if (number == 0 || ald_layer_get_info(event->layer, &info, NULL) != ALD_STATUS_OK ||
      info.kind == ALD_LAYER_KIND_GROUP)
    return;
  if (event->load_status == ALD_LOAD_STATUS_FAILED_TO_LOAD) {
    take_failure(viewer, number);
  } else if (event->load_status == ALD_LOAD_STATUS_LOADED) {
    stretch *const stretch = &viewer->stretches[number - 1];
    viewer->is_settled[number - 1] =
        info.kind != ALD_LAYER_KIND_RASTER || !stretch_begin(stretch, viewer->runtime, event->layer);
    if (info.kind != ALD_LAYER_KIND_RASTER)
      succeeded(viewer, features_style(viewer, number, &error), &error);
  }
  viewer->layers_generation++;
  viewer->is_fit_due = true;
}

static const ald_insets padding = {30, 30, 30, 30};

/* The box of all data that is loaded. The rasters of the quickstart lie far apart: of these, the topmost one's. */
static ald_status extent_of_data(viewer *viewer, ald_viewpoint *viewpoint, ald_error *error) {
  const ald_layer top = viewer->layers[viewer->layer_count - 1];
  viewpoint->fields = ALD_VIEWPOINT_HAS_EXTENT;
  viewpoint->spatial_reference = viewer->web_mercator;
  const ald_status status = viewer->paths[0] == default_rasters[0]
                                ? ald_layer_get_full_extent(top, viewer->web_mercator, &viewpoint->extent, error)
                                : ald_map_get_full_extent(viewer->map, viewer->web_mercator, &viewpoint->extent, error);
  const ald_envelope box = viewpoint->extent;
  if (status == ALD_STATUS_OK && box.x_min == box.x_max && box.y_min == box.y_max) {
    viewpoint->fields |= ALD_VIEWPOINT_HAS_SCALE;
    viewpoint->scale = POINT_SCALE;
  }
  return status;
}

/* Opens at the data. */
static void fit(viewer *viewer) {
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewer->is_fit_due = extent_of_data(viewer, &viewpoint, NULL) != ALD_STATUS_OK ||
                       ald_view_move(viewer->view, &viewpoint, &padding, NULL, NULL) != ALD_STATUS_OK;
}

void world_follow(viewer *viewer) {
  for (uint32_t i = 0; i < viewer->layer_count; i++) {
    if (stretch_take(&viewer->stretches[i])) {
      viewer->is_settled[i] = true;
      viewer->layers_generation++;
    }
  }
  if (viewer->is_fit_due && !viewer->is_moved)
    fit(viewer);
}

bool world_is_loading(const viewer *viewer) {
  ald_layer_view_flags flags[MAX_LAYERS] = {0}, all = 0;
  bool is_settled = true;
  ald_view_get_layer_states(viewer->view, viewer->layers, viewer->layer_count, flags, NULL);
  for (uint32_t i = 0; i < viewer->layer_count; i++) {
    all |= flags[i];
    is_settled = is_settled && viewer->is_settled[i];
  }
  return !is_settled || (all & ALD_LAYER_VIEW_LOADING) != 0;
}

void world_toggle(viewer *viewer, uint32_t number) {
  ald_error error;
  uint32_t is_visible = 0;
  if (number > viewer->layer_count)
    return;
  const ald_layer layer = viewer->layers[number - 1];
  ald_status status = ald_layer_is_visible(layer, &is_visible, &error);
  if (status == ALD_STATUS_OK)
    status = ald_layer_set_visible(layer, !is_visible, &error);
  succeeded(viewer, status, &error);
  viewer->layers_generation++;
}

void world_fade(viewer *viewer, uint32_t number, double more) {
  ald_error error;
  ald_layer_info info = ALD_LAYER_INFO_INIT;
  const ald_layer layer = viewer->layers[number - 1];
  ald_status status = ald_layer_get_info(layer, &info, &error);
  const double opacity = fmin(fmax(info.opacity + more, 0), 1);
  if (status == ALD_STATUS_OK)
    status = ald_layer_set_opacity(layer, opacity, &error);
  if (succeeded(viewer, status, &error))
    snprintf(viewer->message, sizeof viewer->message, "%.0f %% opaque", opacity * 100);
  viewer->layers_generation++;
}

ald_point world_once_around(ald_point place) {
  return (ald_point){remainder(place.x, WORLD_M), place.y};
}

bool world_place(viewer *viewer, ald_point point_dip, ald_point *place) {
  if (ald_view_screen_to_map(viewer->view, &point_dip.x, 0, 1, &place->x, 0, NULL) != ALD_STATUS_OK)
    return false;
  *place = world_once_around(*place);
  return true;
}

/* Makes one geometry in the map's spatial reference and puts it into an overlay, in place of what was there. */
static bool show(viewer *viewer, ald_graphics_overlay overlay, ald_geometry_kind kind, const ald_point *points,
                 uint32_t count) {
  ald_error error;
  ald_geometry geometry = {0};
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.kind = kind;
  columns.vertex_count = count;
  columns.xy = &points->x;
  ald_status status = ald_graphics_overlay_clear_graphics(overlay, &error);
  if (status == ALD_STATUS_OK && count > 0)
    status = ald_geometry_create(viewer->runtime, &columns, viewer->web_mercator, &geometry, &error);
  if (status == ALD_STATUS_OK && count > 0)
    status = ald_graphics_overlay_add_graphic(overlay, geometry, NULL, NULL, &error);
  ald_geometry_release(geometry);
  return succeeded(viewer, status, &error);
}

bool world_show_cell(viewer *viewer, ald_identify_result result) {
  ald_error error;
  ald_identify_result_info info = ALD_IDENTIFY_RESULT_INFO_INIT;
  ald_identify_cell cell = ALD_IDENTIFY_CELL_INIT;
  const bool is_found = result.id != 0 && ald_identify_result_get_info(result, &info, &error) == ALD_STATUS_OK &&
                        ald_identify_result_get_cell_at(result, 0, &cell, &error) == ALD_STATUS_OK;
  const bool has_polygon = is_found && cell.has_map_polygon;
  return show(viewer, viewer->found, ALD_GEOMETRY_KIND_POLYGON, cell.polygon, has_polygon ? 5 : 0) &&
         show(viewer, viewer->marks, ALD_GEOMETRY_KIND_POINT, &info.map_point, is_found ? 1 : 0);
}

/* Puts one geometry into an overlay, in place of what was there; null: nothing. */
static bool show_shape(viewer *viewer, ald_graphics_overlay overlay, ald_geometry geometry, ald_rgba line,
                       double width_dip) {
  ald_error error;
  ald_geometry_info info = ALD_GEOMETRY_INFO_INIT;
  ald_graphic_columns columns = ALD_GRAPHIC_COLUMNS_INIT;
  const uint32_t first = 0;
  ald_status status = ald_graphics_overlay_clear_graphics(overlay, &error);
  if (status != ALD_STATUS_OK || geometry.id == 0)
    return succeeded(viewer, status, &error);
  status = ald_geometry_get_info(geometry, &info, &error);
  const bool is_point = info.kind == ALD_GEOMETRY_KIND_POINT || info.kind == ALD_GEOMETRY_KIND_MULTIPOINT;
  const ald_symbol symbol = around_symbol(is_point ? ALD_SYMBOL_KIND_MARKER : ALD_SYMBOL_KIND_LINE, line, width_dip);
  columns.graphic_count = 1;
  /* Otherwise it has the overlay's symbol, which fills. */
  if (is_point || info.kind == ALD_GEOMETRY_KIND_POLYLINE) {
    columns.symbols = &symbol;
    columns.symbol_count = 1;
    columns.symbol_indexes = &first;
  }
  if (status == ALD_STATUS_OK)
    status = ald_graphics_overlay_add_graphic(overlay, geometry, &columns, NULL, &error);
  return succeeded(viewer, status, &error);
}

bool world_show_found(viewer *viewer, ald_geometry geometry, ald_point place) {
  return show_shape(viewer, viewer->found, geometry, found_color, 3) &&
         show(viewer, viewer->marks, ALD_GEOMETRY_KIND_POINT, &place, 1);
}

bool world_show_hover(viewer *viewer, ald_geometry geometry) {
  return show_shape(viewer, viewer->hovered, geometry, hover_color, 4);
}

void world_add_pin(viewer *viewer, ald_point point_dip) {
  ald_error error;
  ald_geometry geometry = {0};
  ald_geometry_columns point = ALD_GEOMETRY_COLUMNS_INIT;
  ald_graphic_columns columns = ALD_GRAPHIC_COLUMNS_INIT;
  ald_graphics_overlay_info info = ALD_GRAPHICS_OVERLAY_INFO_INIT;
  ald_point place = {0, 0}, degrees = {0, 0};
  if (!world_place(viewer, point_dip, &place) ||
      ald_spatial_reference_project_points(viewer->web_mercator, viewer->wgs84, &place.x, 0, 1, &degrees.x, 0, NULL,
                                           NULL) != ALD_STATUS_OK)
    return;
  ald_status status = ald_graphics_overlay_get_info(viewer->pins, &info, &error);
  const int64_t number = (int64_t)info.graphic_count + 1;
  const ald_graphic_attributes attributes[] = {
      {"number", ALD_GRAPHIC_VALUE_TYPE_INTEGER, 0, &number, NULL, NULL, NULL},
      {"longitude", ALD_GRAPHIC_VALUE_TYPE_REAL, 0, NULL, &degrees.x, NULL, NULL},
      {"latitude", ALD_GRAPHIC_VALUE_TYPE_REAL, 0, NULL, &degrees.y, NULL, NULL}};
  columns.graphic_count = 1;
  columns.attribute_count = COUNT(attributes);
  columns.attributes = attributes;
  point.kind = ALD_GEOMETRY_KIND_POINT;
  point.vertex_count = 1;
  point.xy = &place.x;
  if (status == ALD_STATUS_OK)
    status = ald_geometry_create(viewer->runtime, &point, viewer->web_mercator, &geometry, &error);
  if (status == ALD_STATUS_OK)
    status = ald_graphics_overlay_add_graphic(viewer->pins, geometry, &columns, NULL, &error);
  ald_geometry_release(geometry);
  succeeded(viewer, status, &error);
  viewer->hover.is_on = false; /* It may be the pin now that is under the pointer. */
}

/* What a flight to a raster ends at: its corners as they lie on the map, not a box around them. */
static ald_status outline_of(viewer *viewer, ald_layer layer, ald_viewpoint *viewpoint, ald_error *error) {
  ald_raster raster = {0};
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.kind = ALD_GEOMETRY_KIND_POLYGON;
  columns.vertex_count = 4;
  viewpoint->fields = ALD_VIEWPOINT_HAS_GEOMETRY;
  ald_status status = ald_raster_layer_get_raster(layer, &raster, error);
  if (status == ALD_STATUS_OK)
    status = ald_raster_get_info(raster, &info, error);
  columns.xy = &info.corners[0].x;
  if (status == ALD_STATUS_OK)
    status = ald_raster_get_spatial_reference(raster, &viewpoint->spatial_reference, error);
  if (status == ALD_STATUS_OK)
    status = ald_geometry_create(viewer->runtime, &columns, viewpoint->spatial_reference, &viewpoint->geometry, error);
  return status;
}

/* The box around a layer, in Web Mercator. */
static ald_status extent_of(viewer *viewer, ald_layer layer, ald_viewpoint *viewpoint, ald_error *error) {
  *viewpoint = (ald_viewpoint)ALD_VIEWPOINT_INIT;
  viewpoint->fields = ALD_VIEWPOINT_HAS_EXTENT;
  viewpoint->spatial_reference = viewer->web_mercator;
  return ald_layer_get_full_extent(layer, viewer->web_mercator, &viewpoint->extent, error);
}

static ald_status fly_to(viewer *viewer, const ald_viewpoint *viewpoint, ald_error *error) {
  ald_animation_options flight = ALD_ANIMATION_OPTIONS_INIT;
  flight.flags = ALD_ANIMATION_FLY;
  flight.duration_s = 2;
  return ald_view_animate_to(viewer->view, viewpoint, &padding, &flight, error);
}

static ald_status fly_to_layer(viewer *viewer, ald_layer layer, ald_error *error) {
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  ald_layer_info info = ALD_LAYER_INFO_INIT;
  ald_status status = ald_layer_get_info(layer, &info, error);
  if (status == ALD_STATUS_OK && info.kind == ALD_LAYER_KIND_RASTER) {
    status = outline_of(viewer, layer, &viewpoint, error);
    if (status == ALD_STATUS_OK)
      status = fly_to(viewer, &viewpoint, error);
    ald_geometry_release(viewpoint.geometry);
    /* An outline that reaches a pole has no image in Web Mercator; its box has. */
    if (status != ALD_STATUS_PROJECTION_FAILED)
      return status;
    status = ALD_STATUS_OK;
  }
  if (status == ALD_STATUS_OK)
    status = extent_of(viewer, layer, &viewpoint, error);
  return status == ALD_STATUS_OK ? fly_to(viewer, &viewpoint, error) : status;
}

void world_fly_to_data(viewer *viewer) {
  ald_error error;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  ald_status status = extent_of_data(viewer, &viewpoint, &error);
  if (status == ALD_STATUS_OK)
    status = fly_to(viewer, &viewpoint, &error);
  succeeded(viewer, status, &error);
}

void world_fly_to(viewer *viewer, uint32_t number) {
  ald_error error;
  ald_status status = ALD_STATUS_OK;
  if (number > viewer->layer_count)
    return;
  if (number == 0) {
    ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
    viewpoint.fields = ALD_VIEWPOINT_HAS_EXTENT;
    viewpoint.extent = (ald_envelope){-170, -55, 170, 75};
    viewpoint.spatial_reference = viewer->wgs84;
    status = fly_to(viewer, &viewpoint, &error);
  } else {
    snprintf(viewer->message, sizeof viewer->message, "%s", viewer->paths[number - 1]);
    status = fly_to_layer(viewer, viewer->layers[number - 1], &error);
  }
  succeeded(viewer, status, &error);
}

/*
 * Feature layers: what is no raster may be a file of features. They are drawn with plain symbols.
 */
#include "viewer.h"

#include <strings.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
/* More points than this are small dots. */
#define MANY 20000

static const ald_rgba colors[] = {{0, 92, 200, 255}, {190, 60, 150, 255}, {0, 130, 110, 255}, {150, 90, 20, 255}};

/* The symbol that a layer has for points, lines or areas; layers are counted from 1. */
static ald_symbol symbol_of(uint32_t number, ald_symbol_kind kind, uint64_t feature_count) {
  const ald_rgba color = colors[(number - 1) % COUNT(colors)];
  ald_symbol symbol = {0};
  symbol.kind = kind;
  symbol.color = color;
  symbol.line_color = color;
  symbol.line_width_dip = 1.5;
  if (kind == ALD_SYMBOL_KIND_FILL)
    symbol.color.alpha = 80;
  if (kind == ALD_SYMBOL_KIND_MARKER) {
    symbol.size_dip = 7;
    symbol.line_width_dip = 1;
    symbol.line_color = (ald_rgba){255, 255, 255, 255};
  }
  /* White rings of many points would cover what is inside of them. */
  if (kind == ALD_SYMBOL_KIND_MARKER && feature_count > MANY) {
    symbol.size_dip = 3;
    symbol.line_width_dip = 0;
  }
  return symbol;
}

/* A popup has a row for each field, and the name as its title if the features have one. */
static ald_status set_popup(ald_layer layer, ald_feature_source source, ald_error *error) {
  ald_feature_source_info info = ALD_FEATURE_SOURCE_INFO_INIT;
  ald_popup_definition definition = ALD_POPUP_DEFINITION_INIT;
  ald_status status = ald_feature_source_get_info(source, &info, error);
  for (uint32_t i = 0; status == ALD_STATUS_OK && i < info.field_count; i++) {
    ald_field_info field = ALD_FIELD_INFO_INIT;
    status = ald_feature_source_get_field_at(source, i, &field, error);
    if (status == ALD_STATUS_OK && strcasecmp(field.name, "name") == 0)
      definition.title = "{name}";
  }
  return status == ALD_STATUS_OK ? ald_layer_set_popup_definition(layer, &definition, error) : status;
}

static ald_status set_symbol(ald_layer layer, ald_feature_source source, uint32_t number, ald_symbol_kind kind,
                             ald_error *error) {
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  ald_feature_source_info info = ALD_FEATURE_SOURCE_INFO_INIT;
  ald_status status = ald_feature_source_get_info(source, &info, error);
  renderer.symbol = symbol_of(number, kind, info.feature_count);
  if (status == ALD_STATUS_OK)
    status = ald_feature_layer_set_renderer(layer, &renderer, error);
  return status == ALD_STATUS_OK ? set_popup(layer, source, error) : status;
}

ald_status features_try(viewer *viewer, uint32_t number, ald_error *error) {
  ald_layer *layer = &viewer->layers[number - 1], features = {0};
  ald_status status =
      ald_feature_layer_create_from_path(viewer->runtime, viewer->files[number - 1], NULL, &features, error);
  if (status == ALD_STATUS_OK)
    status = ald_map_remove_layer(viewer->map, *layer, error);
  if (status == ALD_STATUS_OK)
    status = ald_map_insert_layer(viewer->map, features, number - 1, error);
  if (status == ALD_STATUS_OK) {
    ald_layer_release(*layer);
    *layer = features;
  }
  return status;
}

/*
 * A symbol draws one kind of geometries: a file of several kinds becomes a group of three layers over the same source,
 * points on top of lines, lines on top of areas.
 */
static ald_status make_group(viewer *viewer, uint32_t number, ald_feature_source source, ald_error *error) {
  static const ald_symbol_kind kinds[] = {ALD_SYMBOL_KIND_FILL, ALD_SYMBOL_KIND_LINE, ALD_SYMBOL_KIND_MARKER};
  ald_layer *single = &viewer->layers[number - 1], group = {0};
  ald_status status = ald_group_layer_create(viewer->runtime, &group, error);
  for (size_t i = 0; status == ALD_STATUS_OK && i < COUNT(kinds); i++) {
    ald_layer layer = {0};
    status = ald_feature_layer_create(source, &layer, error);
    if (status == ALD_STATUS_OK)
      status = set_symbol(layer, source, number, kinds[i], error);
    if (status == ALD_STATUS_OK)
      status = ald_group_layer_add_layer(group, layer, error);
    ald_layer_release(layer); /* the group keeps it */
  }
  if (status == ALD_STATUS_OK)
    status = ald_map_remove_layer(viewer->map, *single, error);
  if (status == ALD_STATUS_OK)
    status = ald_map_insert_layer(viewer->map, group, number - 1, error);
  if (status == ALD_STATUS_OK) {
    ald_layer_release(*single);
    *single = group;
  }
  return status;
}

ald_status features_style(viewer *viewer, uint32_t number, ald_error *error) {
  ald_feature_source_info info = ALD_FEATURE_SOURCE_INFO_INIT;
  ald_feature_source *source = &viewer->sources[number - 1];
  const ald_layer layer = viewer->layers[number - 1];
  ald_status status = ald_feature_layer_get_source(layer, source, error);
  if (status == ALD_STATUS_OK)
    status = ald_feature_source_get_info(*source, &info, error);
  if (status != ALD_STATUS_OK || (info.facts & ALD_FEATURE_SOURCE_HAS_GEOMETRY) == 0)
    return status;
  switch (info.geometry_kind) {
  case ALD_GEOMETRY_KIND_POINT:
  case ALD_GEOMETRY_KIND_MULTIPOINT:
    return set_symbol(layer, *source, number, ALD_SYMBOL_KIND_MARKER, error);
  case ALD_GEOMETRY_KIND_POLYLINE:
    return set_symbol(layer, *source, number, ALD_SYMBOL_KIND_LINE, error);
  case ALD_GEOMETRY_KIND_POLYGON:
    return set_symbol(layer, *source, number, ALD_SYMBOL_KIND_FILL, error);
  default:
    return make_group(viewer, number, *source, error);
  }
}

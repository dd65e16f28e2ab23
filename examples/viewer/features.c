/*
 * Feature layers: what is no raster may be a file of features. They are drawn with plain symbols, and a tap asks the
 * file what lies around it.
 */
#include "viewer.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
/* How near to a tap a feature has to be, to the sides and up and down the map. */
#define TOUCH_DIP 4.0
#define MAX_LINES 14
#define MAX_LINE_BYTES 60

static const ald_rgba colors[] = {{0, 92, 200, 255}, {190, 60, 150, 255}, {0, 130, 110, 255}, {150, 90, 20, 255}};

/* The symbol that a layer has for points, lines or areas; layers are counted from 1. */
static ald_symbol symbol_of(uint32_t number, ald_symbol_kind kind) {
  const ald_rgba color = colors[(number - 1) % COUNT(colors)];
  ald_symbol symbol = {0};
  symbol.kind = kind;
  symbol.color = color;
  symbol.line_color = color;
  symbol.line_width_dip = 1.5;
  if (kind == ALD_SYMBOL_FILL)
    symbol.color.alpha = 80;
  if (kind == ALD_SYMBOL_MARKER) {
    symbol.size_dip = 7;
    symbol.line_width_dip = 1;
    symbol.line_color = (ald_rgba){255, 255, 255, 255};
  }
  return symbol;
}

static ald_status set_symbol(ald_layer layer, uint32_t number, ald_symbol_kind kind, ald_error *error) {
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol = symbol_of(number, kind);
  return ald_feature_layer_set_renderer(layer, &renderer, error);
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
  static const ald_symbol_kind kinds[] = {ALD_SYMBOL_FILL, ALD_SYMBOL_LINE, ALD_SYMBOL_MARKER};
  ald_layer *single = &viewer->layers[number - 1], group = {0};
  ald_status status = ald_group_layer_create(viewer->runtime, &group, error);
  for (size_t i = 0; status == ALD_STATUS_OK && i < COUNT(kinds); i++) {
    ald_layer layer = {0};
    status = ald_feature_layer_create(source, &layer, error);
    if (status == ALD_STATUS_OK)
      status = set_symbol(layer, number, kinds[i], error);
    if (status == ALD_STATUS_OK)
      status = ald_group_layer_add(group, layer, error);
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
  ald_status status = ald_feature_layer_source(layer, source, error);
  if (status == ALD_STATUS_OK)
    status = ald_feature_source_get_info(*source, &info, error);
  if (status != ALD_STATUS_OK || (info.facts & ALD_FEATURE_SOURCE_HAS_GEOMETRY) == 0)
    return status;
  switch (info.geometry_kind) {
  case ALD_GEOMETRY_POINT:
  case ALD_GEOMETRY_MULTIPOINT:
    return set_symbol(layer, number, ALD_SYMBOL_MARKER, error);
  case ALD_GEOMETRY_POLYLINE:
    return set_symbol(layer, number, ALD_SYMBOL_LINE, error);
  case ALD_GEOMETRY_POLYGON:
    return set_symbol(layer, number, ALD_SYMBOL_FILL, error);
  default:
    return make_group(viewer, number, *source, error);
  }
}

ald_status features_ask(viewer *viewer, uint32_t number, ald_point place, ald_request *request, ald_error *error) {
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_feature_query query = ALD_FEATURE_QUERY_INIT;
  const ald_status status = ald_view_get_state(viewer->view, &state, error);
  if (status != ALD_STATUS_OK)
    return status;
  const double reach = TOUCH_DIP * state.units_per_dip;
  query.flags = ALD_FEATURE_QUERY_HAS_ENVELOPE;
  query.envelope = (ald_envelope){place.x - reach, place.y - reach, place.x + reach, place.y + reach};
  query.envelope_spatial_reference = viewer->web_mercator;
  query.spatial_reference = viewer->web_mercator;
  return ald_feature_source_query_async(viewer->sources[number - 1], &query, NULL, request, error);
}

/* What lies higher is hit first: points on lines on areas. */
static int rank_of(ald_geometry_kind kind) {
  return kind == ALD_GEOMETRY_POINT || kind == ALD_GEOMETRY_MULTIPOINT ? 3 : kind == ALD_GEOMETRY_POLYLINE ? 2 : 1;
}

bool features_find(ald_feature_set set, uint32_t *index, ald_geometry *geometry) {
  ald_feature_columns columns = ALD_FEATURE_COLUMNS_INIT;
  ald_geometry_array shapes = {0};
  int best = 0;
  *geometry = (ald_geometry){0};
  if (ald_feature_set_get_columns(set, &columns, NULL) != ALD_STATUS_OK ||
      ald_feature_set_geometries(set, &shapes, NULL) != ALD_STATUS_OK)
    return false;
  /* Later features are drawn over earlier ones. */
  for (uint32_t i = columns.feature_count; i-- > 0 && best < 3;) {
    ald_geometry shape = {0};
    ald_geometry_info info = ALD_GEOMETRY_INFO_INIT;
    if (columns.feature_flags[i] != 0 || ald_geometry_array_create_geometry(shapes, i, &shape, NULL) != ALD_STATUS_OK ||
        ald_geometry_get_info(shape, &info, NULL) != ALD_STATUS_OK || rank_of(info.kind) <= best) {
      ald_geometry_release(shape);
      continue;
    }
    ald_geometry_release(*geometry);
    *geometry = shape;
    *index = i;
    best = rank_of(info.kind);
  }
  return best > 0;
}

/* A value as people read it. */
static void write_value(const ald_attribute_value *value, char *text, size_t size) {
  const ald_date_time *time = &value->date_time;
  switch (value->state == ALD_VALUE_PRESENT ? value->type : 0) {
  case ALD_FIELD_INTEGER:
    snprintf(text, size, "%lld", (long long)value->integer);
    break;
  case ALD_FIELD_REAL:
    snprintf(text, size, "%.10g", value->real);
    break;
  case ALD_FIELD_TEXT:
    snprintf(text, size, "%s", value->text);
    break;
  case ALD_FIELD_DATE:
    snprintf(text, size, "%04d-%02d-%02d", time->year, time->month, time->day);
    break;
  case ALD_FIELD_TIME:
    snprintf(text, size, "%02d:%02d:%02.0f", time->hour, time->minute, floor(time->second));
    break;
  case ALD_FIELD_DATE_TIME:
    snprintf(text, size, "%04d-%02d-%02d %02d:%02d:%02.0f", time->year, time->month, time->day, time->hour,
             time->minute, floor(time->second));
    break;
  case ALD_FIELD_BINARY:
    snprintf(text, size, "%u bytes", value->element_count);
    break;
  case 0:
    snprintf(text, size, "none");
    break;
  default:
    snprintf(text, size, "%u values", value->element_count);
    break;
  }
}

/* Cuts a line that is too long between two characters, and makes it one line. */
static void tidy(char *line) {
  size_t length = strlen(line);
  if (length > MAX_LINE_BYTES) {
    for (length = MAX_LINE_BYTES; length > 0 && ((unsigned char)line[length] & 0xC0) == 0x80;)
      length--;
    strcpy(line + length, "...");
  }
  for (; *line != '\0'; line++)
    if ((unsigned char)*line < ' ')
      *line = ' ';
}

void features_text(viewer *viewer, uint32_t number, ald_feature_set set, uint32_t index, char *text, size_t size) {
  const ald_feature_source source = viewer->sources[number - 1];
  ald_feature_source_info info = ALD_FEATURE_SOURCE_INFO_INIT;
  ald_feature_columns columns = ALD_FEATURE_COLUMNS_INIT;
  size_t used = 0;
  text[0] = '\0';
  if (ald_feature_source_get_info(source, &info, NULL) != ALD_STATUS_OK ||
      ald_feature_set_get_columns(set, &columns, NULL) != ALD_STATUS_OK)
    return;
  used += (size_t)snprintf(text, size, "%.*s %lld\n", MAX_LINE_BYTES, info.layer_name, (long long)columns.ids[index]);
  for (uint32_t field = 0; field < info.field_count && used < size; field++) {
    ald_field_info about = ALD_FIELD_INFO_INIT;
    ald_attribute_value value = ALD_ATTRIBUTE_VALUE_INIT;
    char words[256], line[512];
    if (field == MAX_LINES) {
      snprintf(text + used, size - used, "and %u more\n", info.field_count - field);
      return;
    }
    if (ald_feature_source_field_info(source, field, &about, NULL) != ALD_STATUS_OK ||
        ald_feature_set_attribute(set, index, field, &value, NULL) != ALD_STATUS_OK)
      continue;
    write_value(&value, words, sizeof words);
    snprintf(line, sizeof line, "%.*s: %s", MAX_LINE_BYTES, about.name, words);
    tidy(line);
    used += (size_t)snprintf(text + used, size - used, "%s\n", line);
  }
}

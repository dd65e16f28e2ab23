/*
 * Runs the table of cases in C: conformance CASES, in the root of the repository.
 *
 * Prints a line for each case that fails and, last, "N passed, N failed". The head of cases.tsv explains the
 * operations. A case has a runtime of its own. Releasing the runtime ends all objects of the case.
 */
#include <alidade.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 64, MOST_BYTES = 4096 };
#define TRY(call)                                                                                                      \
  do {                                                                                                                 \
    const ald_status status_of_call = (call);                                                                          \
    if (status_of_call != ALD_STATUS_OK)                                                                               \
      return status_of_call;                                                                                           \
  } while (0)

typedef struct value {
  int is_number;
  double number;
  char text[MOST_BYTES];
} value;

/* The case that runs: its arguments, the values that were found, and the error of the last call that failed. */
static ald_runtime runtime;
static const char *arguments[MOST_CELLS];
static int argument_count;
static value found[MOST_CELLS];
static int found_count;
static ald_error error;

static const char *text(int index) {
  return index < argument_count ? arguments[index] : "";
}
static double number(int index) {
  return strtod(text(index), NULL);
}
static int is_given(int index) {
  return strcmp(text(index), "-") != 0;
}
static ald_point point(int index) {
  const ald_point result = {number(index), number(index + 1)};
  return result;
}

static value *next_value(int is_number) {
  value *const next = &found[found_count];
  found_count += found_count < MOST_CELLS - 1;
  next->is_number = is_number;
  return next;
}
static void put_number(double number) {
  value *const to = next_value(1);
  to->number = number;
  snprintf(to->text, sizeof to->text, "%.17g", number);
}
static void put_integer(int64_t integer) {
  snprintf(next_value(0)->text, MOST_BYTES, "%lld", (long long)integer);
}
static void put_text(const char *text) {
  char *to = next_value(0)->text;
  const char *const end = to + MOST_BYTES - 2;
  strcpy(to, "\"\"");
  for (; *text != '\0' && to < end; text++, *to = '\0') {
    *to++ = *text == '\n' ? '\\' : *text;
    if (*text == '\n')
      *to++ = 'n';
  }
}
static void put_point(ald_point point) {
  put_number(point.x);
  put_number(point.y);
}

/* Objects from arguments. */
static ald_status reference_at(int index, ald_spatial_reference *out) {
  out->id = 0;
  return is_given(index) ? ald_spatial_reference_create(runtime, text(index), out, &error) : ALD_STATUS_OK;
}
static ald_status geometry_at(int index, ald_spatial_reference reference, ald_geometry *out) {
  return ald_geometry_create_from_wkt(runtime, text(index), reference, out, &error);
}
static ald_status unit_at(int index, ald_unit *out) {
  *out = ALD_UNIT_NONE;
  return is_given(index) ? ald_unit_find_by_name(text(index), out, &error) : ALD_STATUS_OK;
}
static ald_status layer_at(int index, ald_layer *out) {
  const char *path = text(index), *ending = strrchr(path, '.');
  if (ending != NULL && strcmp(ending, ".tif") == 0)
    return ald_raster_layer_create_from_path(runtime, path, NULL, out, &error);
  return ald_feature_layer_create_from_path(runtime, path, NULL, out, &error);
}
/* The layer of the arguments path and symbol, loaded. */
static ald_status drawn_layer_at(int index, ald_layer *out) {
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol.kind = (ald_symbol_kind)number(index + 1);
  renderer.symbol.color.alpha = 255;
  renderer.symbol.size_dip = 8;
  TRY(layer_at(index, out));
  if (is_given(index + 1))
    TRY(ald_feature_layer_set_renderer(*out, &renderer, &error));
  return ald_layer_load(*out, &error);
}
/* Longitude, latitude, scale and rotation are the first four arguments. A path and a symbol may be the next but two. */
static ald_status view_of_case(ald_view *out) {
  ald_spatial_reference wgs84, mercator;
  ald_map map;
  ald_layer layer;
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = 800;
  options.height_dip = 600;
  TRY(ald_spatial_reference_create_from_code(runtime, "EPSG", 4326, &wgs84, &error));
  TRY(ald_spatial_reference_create_from_code(runtime, "EPSG", 3857, &mercator, &error));
  TRY(ald_map_create(runtime, mercator, &map, &error));
  if (argument_count > 8) {
    TRY(drawn_layer_at(6, &layer));
    TRY(ald_map_add_layer(map, layer, &error));
  }
  TRY(ald_view_create(map, &options, out, &error));
  TRY(ald_view_set_center(*out, point(0), wgs84, &error));
  TRY(ald_view_set_scale(*out, number(2), &error));
  return ald_view_set_rotation(*out, number(3), &error);
}
static ald_status first_features(ald_feature_set *out_set, uint32_t *out_count) {
  ald_feature_source source;
  ald_feature_query query = ALD_FEATURE_QUERY_INIT;
  ald_feature_set_info info = ALD_FEATURE_SET_INFO_INIT;
  query.where = is_given(1) ? text(1) : NULL;
  TRY(ald_feature_source_open(runtime, text(0), NULL, &source, &error));
  TRY(ald_feature_source_query(source, &query, out_set, &error));
  TRY(ald_feature_set_get_info(*out_set, &info, &error));
  *out_count = info.feature_count;
  return ALD_STATUS_OK;
}
static ald_status put_wkt(ald_geometry geometry) {
  char buffer[MOST_BYTES];
  size_t size = 0;
  TRY(ald_geometry_get_wkt(geometry, NULL, buffer, sizeof buffer, &size, &error));
  put_text(buffer);
  return ALD_STATUS_OK;
}

/* The operations, as in the head of cases.tsv. */
static ald_status unit(void) {
  ald_unit from, to;
  double result;
  TRY(unit_at(1, &from));
  TRY(unit_at(2, &to));
  TRY(ald_unit_convert(number(0), from, to, &result, &error));
  put_number(result);
  return ALD_STATUS_OK;
}
static ald_status reference(void) {
  ald_spatial_reference reference;
  ald_spatial_reference_info info = ALD_SPATIAL_REFERENCE_INFO_INIT;
  TRY(reference_at(0, &reference));
  TRY(ald_spatial_reference_get_info(reference, &info, &error));
  put_integer(info.kind);
  put_text(info.name);
  put_text(info.authority);
  put_text(info.code);
  put_text(info.unit_name);
  put_number(info.metres_per_unit);
  put_number(info.semi_major_axis_m);
  put_number(info.inverse_flattening);
  return ALD_STATUS_OK;
}
static ald_status project(void) {
  ald_spatial_reference from, to;
  ald_point points[MOST_CELLS];
  ald_point_status statuses[MOST_CELLS];
  const int count = (argument_count - 2) / 2;
  for (int index = 0; index < count; index++)
    points[index] = point(2 + 2 * index);
  TRY(reference_at(0, &from));
  TRY(reference_at(1, &to));
  TRY(ald_spatial_reference_project_points(from, to, &points[0].x, sizeof *points, (size_t)count, &points[0].x,
                                           sizeof *points, statuses, &error));
  for (int index = 0; index < count; index++) {
    put_integer(statuses[index]);
    if (statuses[index] == ALD_POINT_STATUS_OK)
      put_point(points[index]);
  }
  return ALD_STATUS_OK;
}
static ald_status geodesic(void) {
  ald_spatial_reference reference;
  const ald_point from = point(1), to = point(3);
  double distance, azimuth, end_azimuth;
  TRY(reference_at(0, &reference));
  TRY(ald_spatial_reference_geodesic_inverse(reference, ALD_CURVE_TYPE_GEODESIC, &from.x, sizeof from, &to.x, sizeof to,
                                             1, &distance, &azimuth, &end_azimuth, &error));
  put_number(distance);
  put_number(azimuth);
  put_number(end_azimuth);
  return ALD_STATUS_OK;
}
static ald_status geometry(void) {
  ald_geometry geometry;
  const ald_spatial_reference none = {0};
  ald_geometry_info info = ALD_GEOMETRY_INFO_INIT;
  uint8_t bytes[MOST_BYTES / 2];
  char digits[MOST_BYTES];
  size_t size = 0;
  TRY(geometry_at(0, none, &geometry));
  TRY(ald_geometry_get_info(geometry, &info, &error));
  TRY(ald_geometry_get_wkb(geometry, 0, bytes, sizeof bytes - 1, &size, &error));
  for (size_t index = 0; index < size; index++)
    snprintf(digits + 2 * index, 3, "%02X", bytes[index]);
  put_integer(info.kind);
  put_integer(info.flags);
  put_integer(info.vertex_count);
  put_text(digits);
  return put_wkt(geometry);
}
static ald_status from_wkb(void) {
  ald_geometry geometry;
  const ald_spatial_reference none = {0};
  uint8_t bytes[MOST_BYTES / 2];
  const size_t size = strlen(text(0)) / 2;
  for (size_t index = 0; index < size && index < sizeof bytes; index++) {
    const char digits[] = {text(0)[2 * index], text(0)[2 * index + 1], '\0'};
    bytes[index] = (uint8_t)strtoul(digits, NULL, 16);
  }
  TRY(ald_geometry_create_from_wkb(runtime, bytes, size, none, &geometry, &error));
  return put_wkt(geometry);
}
static ald_status measure_options(ald_spatial_reference *out_reference, ald_measure_options *options) {
  options->kind = (ald_measure_kind)number(1);
  TRY(reference_at(0, out_reference));
  return unit_at(2, &options->unit);
}
static ald_status area(void) {
  ald_spatial_reference reference;
  ald_geometry geometry;
  ald_measure_options options = ALD_MEASURE_OPTIONS_INIT;
  double result;
  TRY(measure_options(&reference, &options));
  TRY(geometry_at(3, reference, &geometry));
  TRY(ald_geometry_area(geometry, is_given(1) ? &options : NULL, &result, &error));
  put_number(result);
  return ALD_STATUS_OK;
}
static ald_status lengths(void) {
  ald_spatial_reference reference;
  ald_geometry geometries[MOST_CELLS];
  ald_geometry_array array;
  ald_measure_options options = ALD_MEASURE_OPTIONS_INIT;
  double results[MOST_CELLS];
  const size_t count = (size_t)argument_count - 3;
  TRY(measure_options(&reference, &options));
  for (size_t index = 0; index < count; index++)
    TRY(geometry_at(3 + (int)index, reference, &geometries[index]));
  TRY(ald_geometry_array_create_from_geometries(runtime, geometries, count, &array, NULL, &error));
  TRY(ald_geometry_array_lengths(array, is_given(1) ? &options : NULL, results, MOST_CELLS, &error));
  for (size_t index = 0; index < count; index++)
    put_number(results[index]);
  return ALD_STATUS_OK;
}
static ald_status pair(int index, ald_spatial_reference reference, ald_geometry *out_a, ald_geometry *out_b) {
  TRY(geometry_at(index, reference, out_a));
  return geometry_at(index + 1, reference, out_b);
}
static ald_status distance(void) {
  ald_spatial_reference reference;
  ald_geometry a, b;
  ald_distance result = ALD_DISTANCE_INIT;
  ald_measure_options options = ALD_MEASURE_OPTIONS_INIT;
  TRY(measure_options(&reference, &options));
  TRY(pair(3, reference, &a, &b));
  TRY(ald_geometry_distance(a, b, is_given(1) ? &options : NULL, &result, NULL, &error));
  put_number(result.distance);
  put_point(result.point_a);
  put_point(result.point_b);
  return ALD_STATUS_OK;
}
static ald_status relate(void) {
  const ald_spatial_reference none = {0};
  ald_geometry a, b;
  char matrix[10];
  TRY(pair(0, none, &a, &b));
  TRY(ald_geometry_relate(a, b, matrix, NULL, &error));
  put_text(matrix);
  return ALD_STATUS_OK;
}
static ald_status test(void) {
  const ald_spatial_reference none = {0};
  ald_geometry a, b;
  uint32_t holds;
  TRY(pair(1, none, &a, &b));
  TRY(ald_geometry_test(a, b, (ald_predicate)number(0), &holds, NULL, &error));
  put_integer(holds);
  return ALD_STATUS_OK;
}
static ald_status buffer(void) {
  ald_spatial_reference reference;
  ald_geometry geometry, result;
  ald_buffer_options options = ALD_BUFFER_OPTIONS_INIT;
  double area;
  TRY(reference_at(0, &reference));
  TRY(geometry_at(4, reference, &geometry));
  TRY(unit_at(2, &options.unit));
  options.quadrant_segments = is_given(3) ? (uint32_t)number(3) : 0;
  TRY(ald_geometry_create_buffer(geometry, number(1), is_given(2) || is_given(3) ? &options : NULL, &result, &error));
  TRY(ald_geometry_area(result, NULL, &area, &error));
  put_number(area);
  return ALD_STATUS_OK;
}
static ald_status geodesic_buffer(void) {
  ald_spatial_reference reference;
  ald_geometry geometry, result;
  ald_geodesic_buffer_options options = ALD_GEODESIC_BUFFER_OPTIONS_INIT;
  ald_geodesic_buffer_report report = ALD_GEODESIC_BUFFER_REPORT_INIT;
  ald_measure_options geodesic = ALD_MEASURE_OPTIONS_INIT;
  double area;
  geodesic.kind = ALD_MEASURE_KIND_GEODESIC;
  TRY(reference_at(0, &reference));
  TRY(geometry_at(4, reference, &geometry));
  TRY(unit_at(2, &options.unit));
  options.maximum_deviation = is_given(3) ? number(3) : 0;
  TRY(ald_geometry_create_geodesic_buffer(geometry, number(1), &options, &result, &report, &error));
  TRY(ald_geometry_area(result, &geodesic, &area, &error));
  put_number(area);
  put_number(report.maximum_deviation_m);
  put_integer(report.achieved_deviation_m <= report.maximum_deviation_m);
  return ALD_STATUS_OK;
}
static ald_status transformations(void) {
  ald_spatial_reference from, to;
  ald_transformation_list list;
  ald_transformation_row row = ALD_TRANSFORMATION_ROW_INIT;
  ald_transformation_info info = ALD_TRANSFORMATION_INFO_INIT;
  uint32_t count;
  TRY(reference_at(0, &from));
  TRY(reference_at(1, &to));
  TRY(ald_transformation_list_create(from, to, NULL, &list, &error));
  TRY(ald_transformation_list_get_row_count(list, &count, &error));
  put_integer(count);
  if (count == 0)
    return ALD_STATUS_OK;
  TRY(ald_transformation_list_get_row_at(list, 0, &row, &error));
  TRY(ald_transformation_get_info(row.transformation, &info, &error));
  put_text(info.name);
  put_number(info.accuracy_m);
  return ALD_STATUS_OK;
}
static ald_status raster(void) {
  ald_raster raster;
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  ald_band_info band = ALD_BAND_INFO_INIT;
  ald_spatial_reference reference;
  ald_spatial_reference_info reference_info = ALD_SPATIAL_REFERENCE_INFO_INIT;
  TRY(ald_raster_open(runtime, text(0), NULL, &raster, &error));
  TRY(ald_raster_get_info(raster, &info, &error));
  TRY(ald_raster_get_band_info(raster, 1, &band, &error));
  TRY(ald_raster_get_spatial_reference(raster, &reference, &error));
  TRY(ald_spatial_reference_get_info(reference, &reference_info, &error));
  put_text(info.driver);
  put_integer(info.width);
  put_integer(info.height);
  put_integer(info.band_count);
  put_text(reference_info.code);
  put_number(info.extent.x_min);
  put_number(info.extent.y_min);
  put_number(info.extent.x_max);
  put_number(info.extent.y_max);
  put_integer(band.type);
  if (band.facts & ALD_BAND_HAS_NODATA)
    put_number(band.nodata);
  return ALD_STATUS_OK;
}
static ald_status cells(void) {
  ald_raster raster;
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  ald_spatial_reference wgs84;
  ald_point points[MOST_CELLS];
  ald_cell cells[MOST_CELLS];
  ald_band_value values[MOST_CELLS];
  const size_t count = (size_t)(argument_count - 1) / 2;
  for (size_t index = 0; index < count; index++)
    points[index] = point(1 + 2 * (int)index);
  TRY(ald_raster_open(runtime, text(0), NULL, &raster, &error));
  TRY(ald_raster_get_info(raster, &info, &error));
  TRY(ald_spatial_reference_create_from_code(runtime, "EPSG", 4326, &wgs84, &error));
  TRY(ald_raster_read_points(raster, wgs84, &points[0].x, sizeof *points, count, cells, values, MOST_CELLS, &error));
  for (size_t index = 0; index < count; index++) {
    put_integer(cells[index].verdict);
    if (cells[index].verdict == ALD_CELL_VERDICT_OUTSIDE)
      continue;
    put_integer(cells[index].column);
    put_integer(cells[index].row);
    for (int32_t band = 0; band < info.band_count; band++) {
      const ald_band_value *value = &values[(int32_t)index * info.band_count + band];
      if (value->type == ALD_DATA_TYPE_INT64)
        put_integer(value->integer);
      else
        put_number(value->value);
    }
  }
  return ALD_STATUS_OK;
}
static ald_status features(void) {
  ald_feature_set set;
  uint32_t count;
  ald_feature_columns columns = ALD_FEATURE_COLUMNS_INIT;
  TRY(first_features(&set, &count));
  TRY(ald_feature_set_get_columns(set, &columns, &error));
  put_integer(count);
  for (uint32_t index = 0; index < count && index < 5; index++)
    put_integer(columns.ids[index]);
  return ALD_STATUS_OK;
}
static ald_status feature(void) {
  ald_feature_set set;
  uint32_t count;
  ald_geometry_array geometries;
  ald_geometry geometry;
  ald_attribute_value value = ALD_ATTRIBUTE_VALUE_INIT;
  TRY(first_features(&set, &count));
  TRY(ald_feature_set_get_geometries(set, &geometries, &error));
  TRY(ald_geometry_array_create_geometry(geometries, 0, &geometry, &error));
  TRY(put_wkt(geometry));
  TRY(ald_feature_set_get_attribute(set, 0, (uint32_t)number(2), &value, &error));
  put_integer(value.type);
  put_integer(value.state == ALD_VALUE_STATE_PRESENT);
  if (value.state != ALD_VALUE_STATE_PRESENT)
    return ALD_STATUS_OK;
  if (value.type == ALD_FIELD_TYPE_INTEGER)
    put_integer(value.integer);
  else if (value.type == ALD_FIELD_TYPE_REAL)
    put_number(value.real);
  else if (value.type == ALD_FIELD_TYPE_TEXT)
    put_text(value.text);
  for (uint32_t index = 0; index < value.element_count && value.type == ALD_FIELD_TYPE_TEXT_LIST; index++)
    put_text(value.texts[index]);
  if (value.type == ALD_FIELD_TYPE_DATE_TIME) {
    put_integer(value.date_time.year);
    put_integer(value.date_time.month);
    put_integer(value.date_time.day);
    put_integer(value.date_time.hour);
    put_integer(value.date_time.minute);
    put_number(value.date_time.second);
  }
  return ALD_STATUS_OK;
}
static ald_status view(void) {
  ald_view view;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_point map_point = point(4), screen_point = point(6);
  TRY(view_of_case(&view));
  TRY(ald_view_get_state(view, &state, &error));
  TRY(ald_view_screen_to_map(view, &map_point.x, sizeof map_point, 1, &map_point.x, sizeof map_point, &error));
  TRY(ald_view_map_to_screen(view, &screen_point.x, sizeof screen_point, 1, &screen_point.x, sizeof screen_point,
                             &error));
  put_point(state.center);
  put_number(state.scale);
  put_number(state.rotation_deg);
  put_number(state.units_per_dip);
  put_point(map_point);
  put_point(screen_point);
  return ALD_STATUS_OK;
}
static ald_status put_identified(ald_identify_result result) {
  ald_identify_result_info info = ALD_IDENTIFY_RESULT_INFO_INIT;
  ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
  ald_identify_cell cell = ALD_IDENTIFY_CELL_INIT;
  ald_attribute attribute = ALD_ATTRIBUTE_INIT;
  TRY(ald_identify_result_get_info(result, &info, &error));
  put_integer(info.element_count);
  if (info.element_count == 0)
    return ALD_STATUS_OK;
  TRY(ald_identify_result_get_element_at(result, 0, &element, &error));
  put_integer(element.kind);
  if (element.kind == ALD_ELEMENT_KIND_RASTER_CELL) {
    TRY(ald_identify_result_get_cell_at(result, 0, &cell, &error));
    put_integer(cell.column);
    put_integer(cell.row);
  } else {
    put_integer(element.id);
  }
  put_text(element.text);
  TRY(ald_identify_result_find_attribute(result, 0, text(9), &attribute, &error));
  put_integer(attribute.type);
  if (attribute.type == ALD_ATTRIBUTE_TYPE_INTEGER)
    put_integer(attribute.integer);
  else if (attribute.type == ALD_ATTRIBUTE_TYPE_UNSIGNED)
    put_integer((int64_t)attribute.unsigned_integer);
  else if (attribute.type == ALD_ATTRIBUTE_TYPE_REAL)
    put_number(attribute.real);
  else if (attribute.type == ALD_ATTRIBUTE_TYPE_TEXT)
    put_text(attribute.text);
  return ALD_STATUS_OK;
}
static ald_status identify(void) {
  ald_view view;
  ald_identify_result result;
  TRY(view_of_case(&view));
  TRY(ald_view_identify(view, point(4), number(8), 0, NULL, &result, &error));
  return put_identified(result);
}
static void count_call(ald_request request, void *user_data) {
  (void)request;
  ++*(int *)user_data;
}
static ald_status identify_async(void) {
  ald_view view;
  ald_request request;
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  ald_request_state state;
  ald_request_info info = ALD_REQUEST_INFO_INIT;
  ald_identify_result result;
  int calls = 0;
  options.completion = count_call;
  options.user_data = &calls;
  TRY(view_of_case(&view));
  TRY(ald_view_identify_async(view, point(4), number(8), 0, NULL, &options, &request, &error));
  TRY(ald_request_wait(request, ALD_ALL, &state, &error));
  TRY(ald_request_get_info(request, &info, &error));
  TRY(ald_runtime_pump(runtime, ALD_ALL, NULL, &error));
  put_integer(info.kind);
  put_integer(state);
  put_integer(calls);
  TRY(ald_request_take_identify_result(request, &result, &error));
  return put_identified(result);
}
static ald_status snap(void) {
  ald_view view;
  ald_snap_options options = ALD_SNAP_OPTIONS_INIT;
  ald_snap result = ALD_SNAP_INIT;
  options.kinds = (ald_snap_flags)number(9);
  TRY(view_of_case(&view));
  TRY(ald_view_snap(view, point(4), number(8), &options, &result, &error));
  put_integer(result.kind);
  if (result.kind == 0)
    return ALD_STATUS_OK;
  put_integer(result.id);
  put_point(result.map_point);
  put_point(result.screen_point);
  put_number(result.distance_dip);
  return ALD_STATUS_OK;
}
/* The layers that the host released stay in the map, and the handles that the map returns are borrowed. */
static ald_status layer_names(void) {
  ald_map map;
  ald_layer layer;
  char name[MOST_BYTES];
  size_t size;
  const ald_spatial_reference none = {0};
  TRY(ald_map_create(runtime, none, &map, &error));
  for (int index = 1; index < argument_count; index++) {
    TRY(layer_at(0, &layer));
    TRY(ald_layer_set_text(layer, ALD_LAYER_TEXT_KIND_NAME, text(index), &error));
    TRY(ald_map_add_layer(map, layer, &error));
    ald_layer_release(layer);
  }
  for (int index = argument_count - 1; index > 0; index--) {
    TRY(ald_map_get_layer_at(map, (uint32_t)index - 1, &layer, &error));
    TRY(ald_layer_get_text(layer, ALD_LAYER_TEXT_KIND_NAME, name, sizeof name, &size, &error));
    put_text(name);
  }
  return ALD_STATUS_OK;
}
static ald_status released(void) {
  ald_geometry geometry;
  const ald_spatial_reference none = {0};
  TRY(geometry_at(0, none, &geometry));
  ald_geometry_release(geometry);
  ald_geometry_release(geometry);
  return put_wkt(geometry);
}
static ald_status load(void) {
  ald_layer layer;
  ald_request request;
  ald_event event = {0}, loaded = {0}, finished = {0};
  uint32_t is_waiting = 1;
  size_t count;
  TRY(layer_at(0, &layer));
  TRY(ald_layer_load_async(layer, NULL, &request, &error));
  while (is_waiting && (finished.kind == 0 || loaded.load_status < ALD_LOAD_STATUS_LOADED)) {
    TRY(ald_runtime_wait(runtime, 60000, &is_waiting, &error));
    TRY(ald_runtime_poll_events(runtime, &event, 1, &count, &error));
    if (event.kind == ALD_EVENT_KIND_LOAD_STATUS_CHANGED && event.layer.id == layer.id)
      loaded = event;
    else if (event.kind == ALD_EVENT_KIND_REQUEST_FINISHED && event.request.id == request.id)
      finished = event;
  }
  put_integer(finished.request_state);
  put_integer(loaded.load_status);
  put_text(ald_status_get_name(loaded.status));
  return ALD_STATUS_OK;
}

typedef struct operation {
  const char *name;
  ald_status (*run)(void);
} operation;
#define OPERATION(name)                                                                                                \
  { #name, name }
static const operation operations[] = {
    OPERATION(unit),
    OPERATION(reference),
    OPERATION(project),
    OPERATION(geodesic),
    OPERATION(geometry),
    OPERATION(from_wkb),
    OPERATION(area),
    OPERATION(lengths),
    OPERATION(distance),
    OPERATION(relate),
    OPERATION(test),
    OPERATION(buffer),
    OPERATION(geodesic_buffer),
    OPERATION(transformations),
    OPERATION(raster),
    OPERATION(cells),
    OPERATION(features),
    OPERATION(feature),
    OPERATION(view),
    OPERATION(identify),
    OPERATION(identify_async),
    OPERATION(snap),
    OPERATION(layer_names),
    OPERATION(released),
    OPERATION(load),
};

/* Runs an operation. An operation that fails has three values: the status, the argument and the message. */
static void run(const char *name) {
  ald_status status = ALD_STATUS_OK;
  size_t index = 0;
  found_count = 0;
  while (index < sizeof operations / sizeof *operations && strcmp(operations[index].name, name) != 0)
    index++;
  if (index == sizeof operations / sizeof *operations) {
    put_text("no such operation");
    return;
  }
  status = ald_runtime_create(NULL, &runtime, &error);
  if (status == ALD_STATUS_OK)
    status = operations[index].run();
  if (status != ALD_STATUS_OK) {
    found_count = 0;
    put_text(ald_status_get_name(status));
    put_integer(error.argument);
    put_text(error.message);
  }
  ald_runtime_release(runtime);
}

/* Whether a value is the one expected: NUMBER~TOLERANCE, *PART OF A TEXT*, or the text itself. */
static int fits(const value *value, const char *expected) {
  char *end;
  const double wanted = strtod(expected, &end);
  const size_t length = strlen(expected);
  if (value->is_number)
    return end != expected && *end == '~' &&
           (fabs(value->number - wanted) <= strtod(end + 1, NULL) || (isnan(wanted) && isnan(value->number)));
  if (length > 2 && expected[0] == '*' && expected[length - 1] == '*') {
    char part[MOST_BYTES];
    snprintf(part, sizeof part, "%.*s", (int)length - 2, expected + 1);
    return strstr(value->text, part) != NULL;
  }
  return strcmp(value->text, expected) == 0;
}

static int passes(char *line) {
  const char *cells[MOST_CELLS], *const *expected;
  int cell_count = 0, holds = 1;
  for (char *next = line; next != NULL && cell_count < MOST_CELLS; cell_count++) {
    cells[cell_count] = next;
    next = strchr(next, '\t');
    if (next != NULL)
      *next++ = '\0';
  }
  argument_count = 0;
  while (2 + argument_count < cell_count && strcmp(cells[2 + argument_count], "=") != 0) {
    arguments[argument_count] = cells[2 + argument_count];
    argument_count++;
  }
  run(cell_count > 1 ? cells[1] : "");
  expected = cells + 3 + argument_count;
  holds = found_count == cell_count - 3 - argument_count;
  for (int index = 0; index < found_count && holds; index++)
    holds = fits(&found[index], expected[index]);
  if (holds)
    return 1;
  printf("FAILED  %s: expected", cells[0]);
  for (int index = 3 + argument_count; index < cell_count; index++)
    printf(" | %s", cells[index]);
  printf(", found");
  for (int index = 0; index < found_count; index++)
    printf(" | %s", found[index].text);
  printf("\n");
  return 0;
}

int main(int count, char **paths) {
  static char line[1 << 16];
  int passed = 0, failed = 0;
  FILE *file = count > 1 ? fopen(paths[1], "r") : NULL;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] != '#' && line[0] != '\0')
      passes(line) ? passed++ : failed++;
  }
  if (file != NULL)
    fclose(file);
  printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

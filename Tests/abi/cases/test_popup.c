/* Popups: templates, rows, formats of numbers and dates, what is refused, and what an identify leaves out. */
#include "layer_files.h"
#include "scene.h"

#include <unistd.h>

static const char PLACES[] =
    "{\"type\":\"FeatureCollection\",\"features\":["
    "{\"type\":\"Feature\",\"id\":1,\"properties\":{\"NAME\":\"Ulm\",\"people\":1234567,\"share\":-1234.125,"
    "\"day\":\"2024/02/29\",\"at\":\"2024/02/29 13:05:09+01\",\"none\":null},"
    "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[-10,-10],[10,-10],[10,10],[-10,10],[-10,-10]]]}},"
    "{\"type\":\"Feature\",\"id\":2,\"properties\":{\"NAME\":\"{x}\",\"none\":\"7\"},\"geometry\":"
    "{\"type\":\"Polygon\",\"coordinates\":[[[30,-10],[40,-10],[40,10],[30,10],[30,-10]]]}}]}";

typedef struct place {
  ald_runtime runtime;
  ald_spatial_reference wgs84;
  ald_map map;
  ald_view view;
  ald_layer layer;
  ald_graphics_overlay overlay;
} place;

static const ald_point ULM = {100, 50}, OTHER = {135, 50};

/* One degree for each DIP, 200 by 100 DIP around (0, 0), with the file's layer and an overlay with a square. */
static void make_place(place *made) {
  ald_error error;
  CHECK_OK(ald_runtime_create(NULL, &made->runtime, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(made->runtime, "EPSG", 4326, &made->wgs84, &error), &error);
  CHECK_OK(ald_map_create(made->runtime, made->wgs84, &made->map, &error), &error);
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  size.width_dip = 200;
  size.height_dip = 100;
  CHECK_OK(ald_view_create(made->map, &size, &made->view, &error), &error);
  CHECK_OK(ald_feature_layer_create_from_path(made->runtime, path_of("places.geojson"), NULL, &made->layer, &error),
           &error);
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol.kind = ALD_SYMBOL_KIND_FILL;
  renderer.symbol.fill_style = ALD_FILL_STYLE_SOLID;
  CHECK_OK(ald_feature_layer_set_renderer(made->layer, &renderer, &error), &error);
  CHECK_OK(ald_map_add_layer(made->map, made->layer, &error), &error);
  CHECK_OK(ald_layer_load(made->layer, &error), &error);
  ald_view_state state = ALD_VIEW_STATE_INIT;
  CHECK_OK(ald_view_set_center(made->view, (ald_point){0, 0}, made->wgs84, &error), &error);
  CHECK_OK(ald_view_set_scale(made->view, 1e8, &error), &error);
  CHECK_OK(ald_view_get_state(made->view, &state, &error), &error);
  CHECK_OK(ald_view_set_scale(made->view, 1e8 / state.units_per_dip, &error), &error);

  CHECK_OK(ald_graphics_overlay_create(made->runtime, NULL, &made->overlay, &error), &error);
  CHECK_OK(ald_graphics_overlay_set_renderer(made->overlay, &renderer, &error), &error);
  CHECK_OK(ald_view_add_graphics_overlay(made->view, made->overlay, &error), &error);
  const int64_t numbers[] = {42};
  const ald_graphic_attributes attribute = {"number", ALD_GRAPHIC_VALUE_TYPE_INTEGER, 0, numbers, NULL, NULL, NULL};
  ald_graphic_columns columns = ALD_GRAPHIC_COLUMNS_INIT;
  columns.graphic_count = 1;
  columns.attributes = &attribute;
  columns.attribute_count = 1;
  ald_geometry square = {0};
  uint64_t id;
  CHECK_OK(ald_geometry_create_from_wkt(made->runtime, "POLYGON ((-50 -9, -40 -9, -40 9, -50 9, -50 -9))", made->wgs84,
                                        &square, &error),
           &error);
  CHECK_OK(ald_graphics_overlay_add_graphic(made->overlay, square, &columns, &id, &error), &error);
  ald_geometry_release(square);
}

static ald_identify_result identify(const place *place, ald_point point, ald_identify_flags flags) {
  ald_error error;
  ald_identify_result result = {0};
  ald_identify_options options = ALD_IDENTIFY_OPTIONS_INIT;
  options.flags = flags;
  CHECK_OK(ald_view_identify(place->view, point, 0, ALD_ALL, &options, &result, &error), &error);
  return result;
}

/* Whether the popup of the one element at a point has this title and this text. */
static int reads(const place *place, ald_point point, const char *title, const char *text) {
  ald_error error;
  ald_popup popup = ALD_POPUP_INIT;
  const ald_identify_result result = identify(place, point, 0);
  CHECK_OK(ald_identify_result_get_popup_at(result, 0, &popup, &error), &error);
  const int holds = popup.title != NULL && is_text(popup.title, title) && is_text(popup.text, text);
  if (!holds)
    printf("\"%s\", \"%s\"\n", popup.title, popup.text);
  ald_identify_result_release(result);
  return holds;
}

/* Whether a row of the popup at a point has this label and this text. */
static int row_reads(const place *place, ald_point point, uint32_t index, const char *label, const char *text) {
  ald_error error;
  ald_popup_row row = ALD_POPUP_ROW_INIT;
  const ald_identify_result result = identify(place, point, 0);
  CHECK_OK(ald_identify_result_get_popup_row_at(result, 0, index, &row, &error), &error);
  const int holds = row.label != NULL && is_text(row.label, label) && is_text(row.text, text);
  if (!holds)
    printf("\"%s\": \"%s\"\n", row.label, row.text);
  ald_identify_result_release(result);
  return holds;
}

static void set(const place *place, const char *title, const char *text, const ald_popup_field *fields,
                uint32_t field_count) {
  ald_error error;
  ald_popup_definition definition = ALD_POPUP_DEFINITION_INIT;
  definition.title = title;
  definition.text = text;
  definition.fields = fields;
  definition.field_count = field_count;
  CHECK_OK(ald_layer_set_popup_definition(place->layer, &definition, &error), &error);
}

static void test_templates(const place *place) {
  set(place, "{name}", "{{{NAME}}} has {people}, {none}, {nothing} }}", NULL, 0);
  CHECK(reads(place, ULM, "Ulm", "{Ulm} has 1234567, , {nothing} }"));
  /* What an attribute says is not read as a template. */
  CHECK(reads(place, OTHER, "{x}", "{{x}} has , 7, {nothing} }"));
  CHECK(row_reads(place, ULM, 0, "NAME", "Ulm"));
  CHECK(row_reads(place, ULM, 2, "share", "-1234.125"));
  CHECK(row_reads(place, ULM, 5, "none", ""));
  set(place, NULL, NULL, NULL, 0);
  CHECK(reads(place, ULM, "", ""));
}

static void test_formats(const place *place) {
  const ald_popup_field fields[] = {
      {ALD_POPUP_FIELD_HAS_DECIMALS, 2, "SHARE", "Part", ",", ".", NULL},
      {0, 0, "people", NULL, NULL, " ", NULL},
      {0, 0, "day", NULL, NULL, NULL, "%d. %B %Y (%b, %m) 100%%%H"},
      {0, 0, "at", NULL, NULL, NULL, "%I:%M:%S %p %z"},
      {0, 0, "missing", NULL, NULL, NULL, NULL},
      {0, 0, "none", "Nothing", NULL, NULL, NULL},
      {ALD_POPUP_FIELD_HAS_DECIMALS, 0, "share", NULL, NULL, NULL, NULL},
      {ALD_POPUP_FIELD_HAS_DECIMALS, 3, "people", NULL, NULL, ",", NULL},
  };
  set(place, "{share}", "{day}", fields, sizeof fields / sizeof fields[0]);
  /* Half to even: 0.125 is 0.12. The first field of a name counts in templates. */
  CHECK(reads(place, ULM, "-1.234,12", "29. February 2024 (Feb, 02) 100%"));
  CHECK(row_reads(place, ULM, 0, "Part", "-1.234,12"));
  CHECK(row_reads(place, ULM, 1, "people", "1 234 567"));
  CHECK(row_reads(place, ULM, 3, "at", "01:05:09 PM +0100"));
  CHECK(row_reads(place, ULM, 4, "missing", ""));
  CHECK(row_reads(place, ULM, 5, "Nothing", ""));
  CHECK(row_reads(place, ULM, 6, "share", "-1234"));
  CHECK(row_reads(place, ULM, 7, "people", "1,234,567.000"));
}

static ald_status refuse(const place *place, const char *title, ald_popup_field field, const char *message) {
  ald_error error;
  ald_popup_definition definition = ALD_POPUP_DEFINITION_INIT;
  definition.title = title;
  definition.fields = &field;
  definition.field_count = 1;
  const ald_status status = ald_graphics_overlay_set_popup_definition(place->overlay, &definition, &error);
  CHECK(status == ald_layer_set_popup_definition(place->layer, &definition, &error));
  CHECK(error.argument == 2 && holds_text(error.message, message));
  return status;
}

static void test_refused(const place *place) {
  const ald_popup_field good = {0, 0, "name", NULL, NULL, NULL, NULL};
  set(place, "{NAME}", NULL, NULL, 0);
  static const char *const titles[] = {"{", "}", "a {b", "a} b", "{}", "{a{b}", "{a}}"};
  for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
    CHECK_STATUS(refuse(place, titles[i], good, titles[i]), ALD_STATUS_INVALID_ARGUMENT);
  ald_popup_field bad = good;
  bad.name = "";
  CHECK_STATUS(refuse(place, "", bad, "no name"), ALD_STATUS_INVALID_ARGUMENT);
  bad.name = NULL;
  CHECK_STATUS(refuse(place, "", bad, "name"), ALD_STATUS_INVALID_ARGUMENT);
  bad = good;
  bad.decimals = 2;
  CHECK_STATUS(refuse(place, "", bad, "ALD_POPUP_FIELD_HAS_DECIMALS"), ALD_STATUS_INVALID_ARGUMENT);
  bad.flags = ALD_POPUP_FIELD_HAS_DECIMALS;
  bad.decimals = 18;
  CHECK_STATUS(refuse(place, "", bad, "18"), ALD_STATUS_INVALID_ARGUMENT);
  bad.decimals = 0;
  bad.flags = 2;
  CHECK_STATUS(refuse(place, "", bad, "0x2"), ALD_STATUS_INVALID_ARGUMENT);
  static const char *const formats[] = {"%", "%Q", "%Y %"};
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
    bad = good;
    bad.date_format = formats[i];
    CHECK_STATUS(refuse(place, "", bad, formats[i]), ALD_STATUS_INVALID_ARGUMENT);
  }
  bad = good;
  bad.label = "\xff";
  CHECK_STATUS(refuse(place, "", bad, "UTF-8"), ALD_STATUS_INVALID_ARGUMENT);
  /* What is refused leaves the definition as it was. */
  CHECK(reads(place, ULM, "Ulm", ""));
}

static void test_without(const place *place) {
  ald_error error;
  ald_popup popup = ALD_POPUP_INIT;
  ald_popup_row row = ALD_POPUP_ROW_INIT;
  const ald_point graphic = {55, 50};
  /* The overlay has no definition yet. */
  ald_identify_result result = identify(place, graphic, 0);
  CHECK_STATUS(ald_identify_result_get_popup_at(result, 0, &popup, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_identify_result_get_popup_at(result, 1, &popup, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_identify_result_get_popup_row_at(result, 0, 0, &row, &error), ALD_STATUS_NOT_FOUND);
  ald_identify_result_release(result);
  result = identify(place, graphic, ALD_IDENTIFY_POPUPS_ONLY);
  ald_identify_result_info info = ALD_IDENTIFY_RESULT_INFO_INIT;
  ald_identify_part part = ALD_IDENTIFY_PART_INIT;
  CHECK_OK(ald_identify_result_get_info(result, &info, &error), &error);
  CHECK_OK(ald_identify_result_get_part_at(result, 0, &part, &error), &error);
  CHECK(info.element_count == 0 && part.reasons == ALD_MISS_REASON_NO_POPUP);
  ald_identify_result_release(result);
  ald_identify_options options = ALD_IDENTIFY_OPTIONS_INIT;
  ald_why_not why = ALD_WHY_NOT_INIT;
  options.flags = ALD_IDENTIFY_POPUPS_ONLY;
  CHECK_OK(ald_view_why_not_graphic(place->view, place->overlay, 1, graphic, 0, 0, &options, &why, &error), &error);
  CHECK(why.reasons == ALD_MISS_REASON_NO_POPUP);

  ald_popup_definition definition = ALD_POPUP_DEFINITION_INIT;
  definition.title = "Number {NUMBER}";
  CHECK_OK(ald_graphics_overlay_set_popup_definition(place->overlay, &definition, &error), &error);
  result = identify(place, graphic, ALD_IDENTIFY_POPUPS_ONLY);
  CHECK_OK(ald_identify_result_get_popup_at(result, 0, &popup, &error), &error);
  CHECK(is_text(popup.title, "Number 42") && popup.row_count == 1);
  CHECK_OK(ald_identify_result_get_popup_row_at(result, 0, 0, &row, &error), &error);
  CHECK(is_text(row.label, "number") && is_text(row.text, "42"));
  CHECK_STATUS(ald_identify_result_get_popup_row_at(result, 0, 1, &row, &error), ALD_STATUS_NOT_FOUND);
  /* A result keeps the popups of its moment. */
  CHECK_OK(ald_graphics_overlay_set_popup_definition(place->overlay, NULL, &error), &error);
  CHECK_OK(ald_identify_result_get_popup_at(result, 0, &popup, &error), &error);
  CHECK(is_text(popup.title, "Number 42"));
  ald_identify_result_release(result);

  CHECK_OK(ald_layer_set_popup_definition(place->layer, NULL, &error), &error);
  CHECK_OK(ald_view_why_not_layer(place->view, place->layer, ULM, 0, 0, &options, &why, &error), &error);
  CHECK(why.reasons == ALD_MISS_REASON_NO_POPUP);
  CHECK_OK(ald_view_why_not_feature(place->view, place->layer, 1, ULM, 0, 0, &options, &why, &error), &error);
  CHECK(why.reasons == ALD_MISS_REASON_NO_POPUP);
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc == 2 && make_folder()) {
    write_text("places.geojson", PLACES);
    place place = {0};
    make_place(&place);
    test_templates(&place);
    test_formats(&place);
    test_refused(&place);
    test_without(&place);
    ald_graphics_overlay_release(place.overlay);
    ald_layer_release(place.layer);
    ald_view_release(place.view);
    ald_map_release(place.map);
    ald_spatial_reference_release(place.wgs84);
    ald_runtime_release(place.runtime);
    remove_folder();
  }
  return finish();
}

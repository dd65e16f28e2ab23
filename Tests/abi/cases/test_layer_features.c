/* Feature layers as a C host shows them: loaded from paths, placed, drawn, and with reports of what is wrong. */
#include "layer_files.h"
#include "scene.h"

#include <unistd.h>

static const char POINTS[] = "{\"type\":\"FeatureCollection\",\"features\":["
                             "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"Point\","
                             "\"coordinates\":[1,2]}},"
                             "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"Point\","
                             "\"coordinates\":[3,4]}},"
                             "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"Point\","
                             "\"coordinates\":[5,6]}}]}";
static const char LOOSE[] = "name,x,y\na,1,2\nb,3,4\n";

static const ald_symbol marker = {
    ALD_SYMBOL_KIND_MARKER, 0, ALD_MARKER_STYLE_SQUARE, 0, 0, {255, 0, 0, 255}, {0, 0, 0, 255}, 0, 10, 0, {0, 0}, 1};

/* A runtime, and a view of 100 by 100 DIP around the points. */
typedef struct place {
  ald_runtime runtime;
  ald_spatial_reference wgs84;
  ald_map map;
  ald_view view;
} place;

static place make_place(uint64_t points) {
  ald_error error;
  place made;
  ald_spatial_reference mercator;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_points = points;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  options.thread_count = 2;
  CHECK_OK(ald_runtime_create(&options, &made.runtime, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(made.runtime, "EPSG", 4326, &made.wgs84, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(made.runtime, "EPSG", 3857, &mercator, &error), &error);
  CHECK_OK(ald_map_create(made.runtime, mercator, &made.map, &error), &error);
  ald_spatial_reference_release(mercator);
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  size.width_dip = size.height_dip = 100;
  CHECK_OK(ald_view_create(made.map, &size, &made.view, &error), &error);
  return made;
}

static void look(const place *place) {
  ald_error error;
  CHECK_OK(ald_view_set_center(place->view, (ald_point){3, 4}, place->wgs84, &error), &error);
  CHECK_OK(ald_view_set_scale(place->view, 1e8, &error), &error);
}

static void release_place(const place *place) {
  ald_view_release(place->view);
  ald_map_release(place->map);
  ald_spatial_reference_release(place->wgs84);
  /* A worker that builds an index keeps the source until it is done. */
  for (int i = 0; i < 500 && live_handles(place->runtime) != 1; i++)
    sleep_ms(10);
  CHECK(live_handles(place->runtime) == 1);
  ald_runtime_release(place->runtime);
}

static ald_layer feature_layer_of(const place *place, const char *name) {
  ald_error error;
  ald_layer layer = {0};
  CHECK_OK(ald_feature_layer_create_from_path(place->runtime, path_of(name), NULL, &layer, &error), &error);
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol = marker;
  CHECK_OK(ald_feature_layer_set_renderer(layer, &renderer, &error), &error);
  return layer;
}

/* Draws a layer: how many features have items. */
static ald_status draw(const place *place, ald_layer layer, uint32_t *drawn, ald_error *error) {
  ald_overlay_drawing drawing;
  ald_overlay_drawing_info info = ALD_OVERLAY_DRAWING_INFO_INIT;
  const ald_status status = ald_view_create_feature_drawing(place->view, layer, NULL, &drawing, error);
  *drawn = 0;
  if (status != ALD_STATUS_OK)
    return status;
  CHECK_OK(ald_overlay_drawing_get_info(drawing, &info, error), error);
  ald_overlay_drawing_release(drawing);
  *drawn = info.drawn_graphic_count;
  return status;
}

static void test_loading(void) {
  ald_error error;
  ald_feature_source source;
  uint32_t drawn;
  const place place = make_place(1000);
  const ald_layer layer = feature_layer_of(&place, "points.geojson");
  CHECK_STATUS(ald_feature_layer_get_source(layer, &source, &error), ALD_STATUS_NOT_READY);
  CHECK(holds_text(error.message, path_of("points.geojson")) && holds_text(error.message, "Load it first"));
  CHECK_STATUS(draw(&place, layer, &drawn, NULL), ALD_STATUS_NOT_READY);
  look(&place);
  CHECK_STATUS(draw(&place, layer, &drawn, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_map_add_layer(place.map, layer, &error), &error);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  CHECK_OK(ald_feature_layer_get_source(layer, &source, &error), &error);
  CHECK_OK(draw(&place, layer, &drawn, &error), &error);
  CHECK(drawn == 3);
  ald_layer_release(layer);

  const ald_layer missing = feature_layer_of(&place, "none.gpkg");
  CHECK_STATUS(ald_layer_load(missing, NULL), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_feature_layer_get_source(missing, &source, NULL), ALD_STATUS_NOT_READY);
  ald_layer_release(missing);

  ald_layer refused;
  ald_feature_source_options options = ALD_FEATURE_SOURCE_OPTIONS_INIT;
  options.statement = "SELECT * FROM 'other.shp'.other";
  CHECK_STATUS(ald_feature_layer_create_from_path(place.runtime, path_of("points.geojson"), &options, &refused, NULL),
               ALD_STATUS_POLICY_REFUSED);
  CHECK(refused.id == 0);
  release_place(&place);
}

static void test_placing(void) {
  ald_error error;
  uint32_t drawn, count = 9;
  const place place = make_place(1000);
  look(&place);
  const ald_layer layer = feature_layer_of(&place, "loose.csv");
  CHECK_OK(ald_map_add_layer(place.map, layer, &error), &error);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  CHECK_OK(ald_layer_get_warning_count(layer, &count, &error), &error);
  CHECK(count == 1);
  CHECK_STATUS(draw(&place, layer, &drawn, NULL), ALD_STATUS_NOT_READY);
  CHECK_OK(ald_layer_set_spatial_reference(layer, place.wgs84, &error), &error);
  CHECK_OK(ald_layer_get_warning_count(layer, &count, &error), &error);
  CHECK(count == 0);
  CHECK_OK(draw(&place, layer, &drawn, &error), &error);
  CHECK(drawn == 2);
  ald_layer_release(layer);
  release_place(&place);
}

static const char NUMBERED[] =
    "{\"type\":\"FeatureCollection\",\"features\":["
    "{\"type\":\"Feature\",\"properties\":{\"n\":1},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}},"
    "{\"type\":\"Feature\",\"properties\":{\"n\":2},\"geometry\":{\"type\":\"Point\",\"coordinates\":[3,4]}},"
    "{\"type\":\"Feature\",\"properties\":{\"n\":3},\"geometry\":{\"type\":\"Point\",\"coordinates\":[5,6]}}]}";

static int has_definition(ald_layer layer, const char *expected) {
  char text[32];
  return ald_feature_layer_get_definition(layer, text, sizeof text, NULL, NULL) == ALD_STATUS_OK &&
         is_text(text, expected);
}

static uint64_t count_of(ald_layer layer) {
  ald_error error;
  ald_feature_source source;
  uint64_t count = UINT64_MAX;
  CHECK_OK(ald_feature_layer_get_source(layer, &source, &error), &error);
  CHECK_OK(ald_feature_source_query_count(source, NULL, &count, &error), &error);
  return count;
}

/* The definition expression of a layer that is loaded, and of a layer that is not. */
static void test_definitions(void) {
  ald_error error;
  uint32_t drawn;
  size_t size = 0;
  char text[4];
  ald_feature_source before, after;
  ald_feature_source_info info = ALD_FEATURE_SOURCE_INFO_INIT;
  ald_layer_info layer_info = ALD_LAYER_INFO_INIT;
  const place place = make_place(1000);
  look(&place);
  write_text("numbered.geojson", NUMBERED);
  const ald_layer layer = feature_layer_of(&place, "numbered.geojson");
  CHECK(has_definition(layer, ""));
  /* Before it is loaded nothing but the form can be looked at. */
  CHECK_STATUS(ald_feature_layer_set_definition(layer, "n > (1", &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2);
  CHECK_OK(ald_feature_layer_set_definition(layer, "none = 1", &error), &error);
  CHECK_OK(ald_map_add_layer(place.map, layer, &error), &error);
  CHECK_STATUS(ald_layer_load(layer, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_feature_layer_set_definition(layer, "n > 1", &error), &error);
  CHECK_OK(ald_layer_retry_load(layer, &error), &error);
  CHECK(has_definition(layer, "n > 1") && count_of(layer) == 2);
  CHECK_OK(draw(&place, layer, &drawn, &error), &error);
  CHECK(drawn == 2);

  /* Loaded: another source from now on. */
  CHECK_OK(ald_feature_layer_get_source(layer, &before, &error), &error);
  CHECK_OK(ald_layer_get_info(layer, &layer_info, &error), &error);
  const uint64_t generation = layer_info.generation;
  CHECK_OK(ald_feature_layer_set_definition(layer, "n = 3", &error), &error);
  CHECK_OK(ald_layer_get_info(layer, &layer_info, &error), &error);
  CHECK(layer_info.load_status == ALD_LOAD_STATUS_LOADED && layer_info.generation > generation);
  CHECK_OK(ald_feature_layer_get_source(layer, &after, &error), &error);
  CHECK(before.id != after.id);
  /* The old source ends once nobody builds its index. */
  for (int i = 0; i < 500 && ald_feature_source_get_info(before, &info, NULL) == ALD_STATUS_OK; i++)
    sleep_ms(10);
  CHECK_STATUS(ald_feature_source_get_info(before, &info, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_OK(ald_feature_source_get_info(after, &info, &error), &error);
  CHECK(is_text(info.definition_expression, "n = 3"));
  CHECK_OK(draw(&place, layer, &drawn, &error), &error);
  CHECK(drawn == 1 && count_of(layer) == 1);

  /* What cannot be used changes nothing, and says where. */
  CHECK_STATUS(ald_feature_layer_set_definition(layer, "none = 1", &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2 && holds_text(error.message, "none"));
  CHECK_STATUS(ald_feature_layer_set_definition(layer, "n = = 3", &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(holds_text(error.message, "at byte 4"));
  CHECK_STATUS(ald_feature_layer_set_definition(layer, "n IN (SELECT 3)", &error), ALD_STATUS_POLICY_REFUSED);
  CHECK_STATUS(ald_feature_layer_set_definition(layer, "", &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_feature_layer_set_definition(layer, "n = '\xff'", &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(has_definition(layer, "n = 3") && count_of(layer) == 1);
  CHECK_OK(ald_feature_layer_get_source(layer, &before, &error), &error);
  CHECK(before.id == after.id);
  CHECK_OK(draw(&place, layer, &drawn, &error), &error);
  CHECK(drawn == 1);

  CHECK_STATUS(ald_feature_layer_get_definition(layer, text, sizeof text, &size, NULL), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(size == sizeof "n = 3");
  CHECK_STATUS(ald_feature_layer_get_definition(layer, NULL, 0, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);

  /* It stays when the file is loaded again; a file that has changed has to be. */
  write_text("numbered.geojson", NUMBERED);
  usleep(30000);
  CHECK_STATUS(ald_feature_layer_set_definition(layer, "n > 1", &error), ALD_STATUS_READ_FAILED);
  CHECK_STATUS(draw(&place, layer, &drawn, NULL), ALD_STATUS_READ_FAILED);
  CHECK_OK(ald_layer_retry_load(layer, &error), &error);
  CHECK(has_definition(layer, "n = 3") && count_of(layer) == 1);
  CHECK_OK(ald_feature_layer_set_definition(layer, NULL, &error), &error);
  CHECK(has_definition(layer, "") && count_of(layer) == 3);
  CHECK_OK(draw(&place, layer, &drawn, &error), &error);
  CHECK(drawn == 3);
  ald_layer_release(layer);

  /* A layer of an open source leaves that as it is. */
  ald_feature_source source;
  ald_layer shown;
  uint64_t count;
  CHECK_OK(ald_feature_source_open(place.runtime, path_of("numbered.geojson"), NULL, &source, &error), &error);
  CHECK_OK(ald_feature_layer_create(source, &shown, &error), &error);
  CHECK_OK(ald_feature_layer_set_definition(shown, "n < 3", &error), &error);
  CHECK(count_of(shown) == 2);
  CHECK_OK(ald_feature_source_query_count(source, NULL, &count, &error), &error);
  CHECK(count == 3);
  ald_layer_release(shown);
  ald_feature_source_release(source);

  ald_layer group;
  CHECK_OK(ald_group_layer_create(place.runtime, &group, &error), &error);
  CHECK_STATUS(ald_feature_layer_set_definition(group, "n = 1", &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 1);
  CHECK_STATUS(ald_feature_layer_get_definition(group, text, sizeof text, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_layer_release(group);
  release_place(&place);
}

static void test_files_that_change(void) {
  ald_error error;
  uint32_t drawn;
  const place place = make_place(1000);
  look(&place);
  write_text("changing.geojson", POINTS);
  const ald_layer layer = feature_layer_of(&place, "changing.geojson");
  CHECK_OK(ald_map_add_layer(place.map, layer, &error), &error);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  CHECK_OK(draw(&place, layer, &drawn, &error), &error);
  write_text("changing.geojson", POINTS);
  /* Whether a file has changed is looked at every 10 ms at most. */
  usleep(30000);
  CHECK_STATUS(draw(&place, layer, &drawn, NULL), ALD_STATUS_READ_FAILED);
  CHECK_OK(ald_layer_retry_load(layer, &error), &error);
  CHECK_OK(draw(&place, layer, &drawn, &error), &error);
  CHECK(drawn == 3);
  ald_layer_release(layer);
  release_place(&place);
}

static void test_limits(void) {
  ald_error error;
  uint32_t drawn;
  const place place = make_place(2);
  look(&place);
  const ald_layer layer = feature_layer_of(&place, "points.geojson");
  CHECK_OK(ald_map_add_layer(place.map, layer, &error), &error);
  CHECK_OK(ald_layer_load(layer, &error), &error);
  CHECK_STATUS(draw(&place, layer, &drawn, NULL), ALD_STATUS_LIMIT_EXCEEDED);
  ald_layer_release(layer);
  release_place(&place);
}

int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
  if (!make_folder())
    return finish();
  write_text("points.geojson", POINTS);
  write_text("loose.csv", LOOSE);
  test_loading();
  test_placing();
  test_definitions();
  test_files_that_change();
  test_limits();
  remove_folder();
  return finish();
}

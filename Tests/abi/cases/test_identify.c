/* Identify: features, graphics, groups and cells in one result, with their evidence, and why something is missed. */
#include "layer_files.h"
#include "scene.h"

#include <math.h>
#include <unistd.h>

/* Around (0, 0) in WGS 84: a square with a hole, a line with heights, a point, a feature without a geometry. */
static const char SHAPES[] =
    "{\"type\":\"FeatureCollection\",\"features\":["
    "{\"type\":\"Feature\",\"id\":1,\"properties\":{\"name\":\"square\",\"level\":2.5,\"tags\":[\"a\",\"b\"],"
    "\"day\":\"2024/02/29\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[-10,-10],[10,-10],[10,10],[-10,10],"
    "[-10,-10]],[[-5,-5],[-5,5],[5,5],[5,-5],[-5,-5]]]}},"
    "{\"type\":\"Feature\",\"id\":2,\"properties\":{\"name\":\"none\"},\"geometry\":null},"
    "{\"type\":\"Feature\",\"id\":3,\"properties\":{\"name\":\"over\"},\"geometry\":{\"type\":\"Polygon\","
    "\"coordinates\":[[[6,6],[20,6],[20,20],[6,20],[6,6]]]}},"
    "{\"type\":\"Feature\",\"id\":4,\"properties\":{\"name\":\"line\"},\"geometry\":{\"type\":\"LineString\","
    "\"coordinates\":[[-30,0,100],[-20,0,200]]}}]}";

static const ald_symbol fill = {ALD_SYMBOL_KIND_FILL,
                                0,
                                0,
                                ALD_FILL_STYLE_SOLID,
                                ALD_LINE_STYLE_SOLID,
                                {9, 9, 9, 255},
                                {0, 0, 0, 255},
                                0,
                                0,
                                0,
                                {0, 0},
                                2};
static const ald_symbol disc = {ALD_SYMBOL_KIND_MARKER,
                                0,
                                ALD_MARKER_STYLE_CIRCLE,
                                0,
                                ALD_LINE_STYLE_NULL,
                                {255, 0, 0, 255},
                                {0, 0, 0, 0},
                                0,
                                10,
                                0,
                                {0, 0},
                                0};

/* Plate carree at 1 degree for a DIP, 200 by 100 DIP around (0, 0): screen (x, y) shows (x - 100, 50 - y). */
typedef struct place {
  ald_runtime runtime;
  ald_spatial_reference wgs84;
  ald_map map;
  ald_view view;
  ald_layer layer;
  ald_graphics_overlay overlay;
} place;

static place make_place(uint64_t points) {
  ald_error error;
  place made = {0};
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.thread_count = 2;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_points = points;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(&options, &made.runtime, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(made.runtime, "EPSG", 4326, &made.wgs84, &error), &error);
  CHECK_OK(ald_map_create(made.runtime, made.wgs84, &made.map, &error), &error);
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  size.width_dip = 200;
  size.height_dip = 100;
  CHECK_OK(ald_view_create(made.map, &size, &made.view, &error), &error);
  CHECK_OK(ald_feature_layer_create_from_path(made.runtime, path_of("shapes.geojson"), NULL, &made.layer, &error),
           &error);
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol = fill;
  CHECK_OK(ald_feature_layer_set_renderer(made.layer, &renderer, &error), &error);
  CHECK_OK(ald_graphics_overlay_create(made.runtime, NULL, &made.overlay, &error), &error);
  return made;
}

static void look(const place *place) {
  ald_error error;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  CHECK_OK(ald_view_set_center(place->view, (ald_point){0, 0}, place->wgs84, &error), &error);
  CHECK_OK(ald_view_set_scale(place->view, 1e8, &error), &error);
  CHECK_OK(ald_view_get_state(place->view, &state, &error), &error);
  CHECK_OK(ald_view_set_scale(place->view, 1e8 / state.units_per_dip, &error), &error);
}

static void load(const place *place) {
  ald_error error;
  CHECK_OK(ald_map_add_layer(place->map, place->layer, &error), &error);
  CHECK_OK(ald_layer_load(place->layer, &error), &error);
}

static void release_place(const place *place) {
  ald_graphics_overlay_release(place->overlay);
  ald_layer_release(place->layer);
  ald_view_release(place->view);
  ald_map_release(place->map);
  ald_spatial_reference_release(place->wgs84);
  for (int i = 0; i < 500 && live_handles(place->runtime) != 1; i++)
    sleep_ms(10);
  CHECK(live_handles(place->runtime) == 1);
  ald_runtime_release(place->runtime);
}

static uint64_t add(const place *place, const char *wkt, const ald_symbol *symbol, int32_t z_index) {
  ald_error error;
  ald_geometry geometry = {0};
  uint64_t id = 0;
  const uint32_t first = 0;
  ald_graphic_columns columns = ALD_GRAPHIC_COLUMNS_INIT;
  columns.graphic_count = 1;
  columns.z_indexes = &z_index;
  if (symbol != NULL) {
    columns.symbols = symbol;
    columns.symbol_count = 1;
    columns.symbol_indexes = &first;
  }
  CHECK_OK(ald_geometry_create_from_wkt(place->runtime, wkt, place->wgs84, &geometry, &error), &error);
  CHECK_OK(ald_graphics_overlay_add_graphic(place->overlay, geometry, &columns, &id, &error), &error);
  ald_geometry_release(geometry);
  return id;
}

static ald_identify_result tap(const place *place, double x, double y, double tolerance, uint32_t most) {
  ald_error error;
  ald_identify_result result = {0};
  CHECK_OK(ald_view_identify(place->view, (ald_point){x, y}, tolerance, most, NULL, &result, &error), &error);
  return result;
}

static ald_identify_result_info info_of(ald_identify_result result) {
  ald_error error;
  ald_identify_result_info info = ALD_IDENTIFY_RESULT_INFO_INIT;
  CHECK_OK(ald_identify_result_get_info(result, &info, &error), &error);
  return info;
}

static ald_identify_element element_of(ald_identify_result result, uint32_t index) {
  ald_error error;
  ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
  CHECK_OK(ald_identify_result_get_element_at(result, index, &element, &error), &error);
  return element;
}

static ald_identify_part part_of(ald_identify_result result, uint32_t index) {
  ald_error error;
  ald_identify_part part = ALD_IDENTIFY_PART_INIT;
  CHECK_OK(ald_identify_result_get_part_at(result, index, &part, &error), &error);
  return part;
}

static ald_identify_evidence evidence_of(ald_identify_result result, uint32_t index) {
  ald_error error;
  ald_identify_evidence evidence = ALD_IDENTIFY_EVIDENCE_INIT;
  CHECK_OK(ald_identify_result_get_evidence_at(result, index, &evidence, &error), &error);
  return evidence;
}

/* What is topmost comes first, whatever it is, and each layer and overlay has a part. */
static void test_order(void) {
  ald_error error;
  const place place = make_place(0);
  look(&place);
  load(&place);
  CHECK_OK(ald_view_add_graphics_overlay(place.view, place.overlay, &error), &error);
  const uint64_t low = add(&place, "POINT (7 7)", &disc, 5), high = add(&place, "POINT (8 8)", &disc, 5);
  const uint64_t highest = add(&place, "POINT (7 8)", &disc, 6);
  ald_identify_result result = tap(&place, 107, 43, 0, ALD_ALL);
  ald_view_state state = ALD_VIEW_STATE_INIT;
  CHECK_OK(ald_view_get_state(place.view, &state, &error), &error);
  const ald_identify_result_info info = info_of(result);
  CHECK(info.element_count == 5 && info.part_count == 2 && info.flags == 0);
  CHECK(info.view_generation == state.generation && fabs(info.map_point.x - 7) < 1e-9);
  const int64_t expected[] = {(int64_t)highest, (int64_t)high, (int64_t)low, 3, 1};
  for (uint32_t i = 0; i < 5 && i < info.element_count; i++) {
    const ald_identify_element element = element_of(result, i);
    CHECK(element.id == expected[i]);
    CHECK(element.kind == (i < 3 ? ALD_ELEMENT_KIND_GRAPHIC : ALD_ELEMENT_KIND_FEATURE));
    CHECK(element.part_index == (i < 3 ? 0u : 1u));
    CHECK(i < 3 ? element.overlay.id == place.overlay.id && element.layer.id == 0
                : element.layer.id == place.layer.id && element.overlay.id == 0);
    CHECK(is_text(element.sublayer, i < 3 ? "" : "shapes"));
    const ald_identify_evidence evidence = evidence_of(result, i);
    CHECK(evidence.draw_rank == i && evidence.z_index == (i == 0 ? 6 : i < 3 ? 5 : 0));
  }
  ald_identify_part part = part_of(result, 1);
  CHECK(part.layer.id == place.layer.id && part.first_element == 3 && part.element_count == 2 && part.hit_count == 2);
  CHECK(part.parent_index == UINT32_MAX && part.status == ALD_STATUS_OK && is_text(part.message, ""));
  ald_identify_result_release(result);

  /* One of each, and it is said that there are more. */
  result = tap(&place, 107, 43, 0, 0);
  CHECK(info_of(result).element_count == 2 && info_of(result).flags == ALD_IDENTIFY_RESULT_LIMIT_EXCEEDED);
  CHECK(element_of(result, 0).id == (int64_t)highest && element_of(result, 1).id == 3);
  CHECK(part_of(result, 0).hit_count == 3 && part_of(result, 0).element_count == 1);
  ald_identify_result_release(result);

  /* The overlay alone; the layers alone; the overlays. */
  const ald_point point = {107, 43};
  CHECK_OK(ald_view_identify_graphics_overlay(place.view, place.overlay, point, 0, 0, NULL, &result, &error), &error);
  CHECK(info_of(result).part_count == 1 && element_of(result, 0).id == (int64_t)highest);
  ald_identify_result_release(result);
  CHECK_OK(ald_view_identify_graphics_overlays(place.view, point, 0, 2, NULL, &result, &error), &error);
  CHECK(info_of(result).part_count == 1 && info_of(result).element_count == 2);
  ald_identify_result_release(result);
  CHECK_OK(ald_view_identify_layers(place.view, point, 0, 0, NULL, &result, &error), &error);
  CHECK(info_of(result).part_count == 1 && element_of(result, 0).id == 3);
  ald_identify_result_release(result);
  release_place(&place);
}

/* A hole is no part of a polygon; its outline is. */
static void test_evidence(void) {
  ald_error error;
  const place place = make_place(0);
  look(&place);
  load(&place);
  ald_identify_result result = tap(&place, 100, 50, 0, ALD_ALL);
  CHECK(info_of(result).element_count == 0 && part_of(result, 0).reasons == ALD_MISS_REASON_OUTSIDE);
  ald_identify_result_release(result);
  /* 5 DIP to each side of the hole, of which the outline takes 1. */
  result = tap(&place, 102, 50, 1.99, ALD_ALL);
  CHECK(info_of(result).element_count == 0);
  ald_identify_result_release(result);
  result = tap(&place, 102, 50, 2.01, ALD_ALL);
  if (CHECK(info_of(result).element_count == 1)) {
    const ald_identify_evidence evidence = evidence_of(result, 0);
    CHECK(evidence.zone == ALD_HIT_ZONE_HALO && fabs(evidence.distance_dip - 2) < 1e-9);
    CHECK(fabs(evidence.nearest_distance_dip - 3) < 1e-9);
    CHECK(fabs(evidence.nearest_point.x - 5) < 1e-9 && fabs(evidence.nearest_point.y) < 1e-9);
    CHECK(evidence.part_index == 0 && evidence.path_index == 1 && evidence.segment_index == 2);
    /* 3 degrees on the equator of WGS 84, by its radius. */
    CHECK(fabs(evidence.distance_m - 3 * 6378137 * 3.14159265358979323846 / 180) < 1e-3);
    CHECK(isnan(evidence.z) && isnan(evidence.m));
  }
  ald_identify_result_release(result);
  result = tap(&place, 104.5, 50, 0, ALD_ALL);
  CHECK(evidence_of(result, 0).zone == ALD_HIT_ZONE_EDGE && evidence_of(result, 0).distance_dip == 0);
  ald_identify_result_release(result);
  result = tap(&place, 107.5, 50, 0, ALD_ALL);
  CHECK(evidence_of(result, 0).zone == ALD_HIT_ZONE_INSIDE && evidence_of(result, 0).distance_m == 0);

  /* Attributes by index and by name, and the geometry. */
  const ald_identify_element element = element_of(result, 0);
  CHECK(element.attribute_count == 4 && holds_text(element.text, "name: square") && holds_text(element.text, "2.5"));
  ald_attribute attribute = ALD_ATTRIBUTE_INIT;
  CHECK_OK(ald_identify_result_find_attribute(result, 0, "LEVEL", &attribute, &error), &error);
  CHECK(attribute.type == ALD_ATTRIBUTE_TYPE_REAL && attribute.real == 2.5 &&
        attribute.role == ALD_ATTRIBUTE_ROLE_FIELD);
  CHECK_OK(ald_identify_result_find_attribute(result, 0, "tags", &attribute, &error), &error);
  CHECK(attribute.type == ALD_ATTRIBUTE_TYPE_TEXT_LIST && attribute.element_count == 2);
  CHECK(attribute.texts != NULL && is_text(attribute.texts[1], "b") && is_text(attribute.text, "a, b"));
  CHECK_OK(ald_identify_result_find_attribute(result, 0, "day", &attribute, &error), &error);
  CHECK(attribute.type == ALD_ATTRIBUTE_TYPE_DATE && attribute.date_time.day == 29 &&
        is_text(attribute.text, "2024-02-29"));
  ald_geometry geometry = {0};
  ald_geometry_info shape = ALD_GEOMETRY_INFO_INIT;
  CHECK_OK(ald_identify_result_create_geometry(result, 0, &geometry, &error), &error);
  CHECK_OK(ald_geometry_get_info(geometry, &shape, &error), &error);
  CHECK(shape.kind == ALD_GEOMETRY_KIND_POLYGON && shape.vertex_count == 10);
  ald_geometry_release(geometry);

  ald_identify_cell cell = ALD_IDENTIFY_CELL_INIT;
  CHECK_STATUS(ald_identify_result_get_cell_at(result, 0, &cell, NULL), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_identify_result_get_cell_at(result, 0, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_identify_result_find_attribute(result, 0, "no such", &attribute, NULL), ALD_STATUS_NOT_FOUND);
  ald_identify_result_release(result);
  release_place(&place);
}

/* Heights are interpolated along the edge. */
static void test_heights(void) {
  ald_error error;
  const place place = make_place(0);
  look(&place);
  load(&place);
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol = fill;
  renderer.symbol.kind = ALD_SYMBOL_KIND_LINE;
  CHECK_OK(ald_feature_layer_set_renderer(place.layer, &renderer, &error), &error);
  ald_identify_result result = tap(&place, 72.5, 53, 2, 1);
  if (CHECK(info_of(result).element_count == 1)) {
    const ald_identify_evidence evidence = evidence_of(result, 0);
    CHECK(element_of(result, 0).id == 4 && fabs(evidence.z - 125) < 1e-9 && fabs(evidence.distance_dip - 2) < 1e-9);
    CHECK(evidence.segment_index == 0 && evidence.vertex_index == 0);
  }
  ald_identify_result_release(result);
  release_place(&place);
}

/* The part of a group comes before the parts of its layers. A failure in one layer fails no other layer. */
static void test_groups(const char *raster_path) {
  ald_error error;
  const place place = make_place(0);
  look(&place);
  ald_layer group = {0}, missing = {0}, raster = {0};
  CHECK_OK(ald_group_layer_create(place.runtime, &group, &error), &error);
  CHECK_OK(ald_feature_layer_create_from_path(place.runtime, path_of("missing.geojson"), NULL, &missing, &error),
           &error);
  CHECK_OK(ald_raster_layer_create_from_path(place.runtime, raster_path, NULL, &raster, &error), &error);
  CHECK_OK(ald_map_add_layer(place.map, raster, &error), &error);
  CHECK_OK(ald_map_add_layer(place.map, group, &error), &error);
  CHECK_OK(ald_group_layer_add_layer(group, place.layer, &error), &error);
  CHECK_OK(ald_group_layer_add_layer(group, missing, &error), &error);
  CHECK_OK(ald_layer_load(place.layer, &error), &error);
  CHECK_OK(ald_layer_load(raster, &error), &error);
  CHECK(ald_layer_load(missing, NULL) != ALD_STATUS_OK);
  ald_identify_result result = tap(&place, 107.5, 50, 0, ALD_ALL);
  const ald_identify_result_info info = info_of(result);
  CHECK(info.part_count == 4 && info.element_count == 1 && info.flags == ALD_IDENTIFY_RESULT_HAS_ERRORS);
  CHECK(part_of(result, 0).layer.id == group.id && part_of(result, 0).element_count == 1);
  CHECK(part_of(result, 0).parent_index == UINT32_MAX && part_of(result, 0).hit_count == 1);
  ald_identify_part part = part_of(result, 1);
  CHECK(part.layer.id == missing.id && part.parent_index == 0 && part.status == ALD_STATUS_NOT_READY);
  CHECK(part.reasons == ALD_MISS_REASON_NOT_LOADED && holds_text(part.message, "missing.geojson"));
  CHECK(part_of(result, 2).layer.id == place.layer.id && part_of(result, 2).parent_index == 0);
  CHECK(part_of(result, 3).layer.id == raster.id &&
        (part_of(result, 3).reasons & (ALD_MISS_REASON_OUTSIDE | ALD_MISS_REASON_NOT_PROJECTABLE)) != 0);
  ald_identify_result_release(result);

  /* The layer itself fails, and so does nothing that it is in. */
  const ald_point point = {107.5, 50};
  CHECK_STATUS(ald_view_identify_layer(place.view, missing, point, 0, 0, NULL, &result, NULL), ALD_STATUS_NOT_READY);
  CHECK(result.id == 0);
  CHECK_OK(ald_view_identify_layer(place.view, group, point, 0, 0, NULL, &result, &error), &error);
  CHECK(info_of(result).part_count == 3 && element_of(result, 0).id == 1);
  ald_identify_result_release(result);

  /* A hidden group hides what is in it. */
  ald_why_not why = ALD_WHY_NOT_INIT;
  CHECK_OK(ald_layer_set_visible(group, 0, &error), &error);
  result = tap(&place, 107.5, 50, 0, ALD_ALL);
  CHECK(info_of(result).element_count == 0 && part_of(result, 2).reasons == ALD_MISS_REASON_HIDDEN);
  ald_identify_result_release(result);
  CHECK_OK(ald_view_why_not_feature(place.view, place.layer, 1, point, 0, 0, NULL, &why, &error), &error);
  CHECK(why.reasons == ALD_MISS_REASON_HIDDEN && why.hidden_by.id == group.id && why.distance_dip == 0);
  ald_identify_options options = ALD_IDENTIFY_OPTIONS_INIT;
  options.flags = ALD_IDENTIFY_INCLUDE_HIDDEN;
  CHECK_OK(ald_view_identify(place.view, point, 0, 0, &options, &result, &error), &error);
  CHECK(info_of(result).element_count == 1);
  ald_identify_result_release(result);
  ald_layer_release(group);
  ald_layer_release(missing);
  ald_layer_release(raster);
  release_place(&place);
}

static ald_miss_reason_flags why_graphic(const place *place, uint64_t id, double x, double y, uint32_t most) {
  ald_error error;
  ald_why_not why = ALD_WHY_NOT_INIT;
  CHECK_OK(ald_view_why_not_graphic(place->view, place->overlay, id, (ald_point){x, y}, 1, most, NULL, &why, &error),
           &error);
  return why.reasons;
}

/* Every reason, each provoked. */
static void test_misses(const char *raster_path) {
  ald_error error;
  ald_why_not why = ALD_WHY_NOT_INIT;
  const place place = make_place(0);
  const ald_point middle = {100, 50};
  look(&place);
  CHECK(why_graphic(&place, 1, 0, 0, 0) == ALD_MISS_REASON_NOT_IN_VIEW);
  CHECK_OK(ald_view_why_not_layer(place.view, place.layer, middle, 0, 0, NULL, &why, &error), &error);
  CHECK(why.reasons == ALD_MISS_REASON_NOT_IN_VIEW);
  CHECK_OK(ald_view_add_graphics_overlay(place.view, place.overlay, &error), &error);
  const uint64_t point = add(&place, "POINT (0 0)", &disc, 1);
  CHECK(why_graphic(&place, point, 104, 50, 0) == 0);
  CHECK(why_graphic(&place, point, 105.9, 50, 0) == 0);
  CHECK(why_graphic(&place, point, 106.1, 50, 0) == ALD_MISS_REASON_OUTSIDE);
  CHECK(why_graphic(&place, 999, 100, 50, 0) == ALD_MISS_REASON_NOT_THERE);
  CHECK(why_graphic(&place, add(&place, "POINT (0 0)", NULL, 0), 100, 50, 0) == ALD_MISS_REASON_NO_SYMBOL);
  CHECK(why_graphic(&place, add(&place, "POINT EMPTY", &disc, 0), 100, 50, 0) == ALD_MISS_REASON_EMPTY_GEOMETRY);
  CHECK(why_graphic(&place, add(&place, "POINT (0 0)", &fill, 0), 100, 50, 0) == ALD_MISS_REASON_WRONG_SYMBOL);
  CHECK(why_graphic(&place, add(&place, "POINT (0 0)", &disc, 0), 100, 50, 1) == ALD_MISS_REASON_BEYOND_LIMIT);
  ald_symbol nothing = disc;
  nothing.size_dip = 0;
  CHECK(why_graphic(&place, add(&place, "POINT (0 0)", &nothing, 0), 100, 50, 0) == ALD_MISS_REASON_EMPTY_SYMBOL);
  CHECK(why_graphic(&place, add(&place, "POINT (1e308 0)", &disc, 0), 100, 50, 0) == ALD_MISS_REASON_NOT_PROJECTABLE);
  ald_graphics_overlay_options hidden = ALD_GRAPHICS_OVERLAY_OPTIONS_INIT;
  hidden.flags = ALD_GRAPHICS_OVERLAY_HIDDEN;
  hidden.min_scale = 1000;
  CHECK_OK(ald_graphics_overlay_set_options(place.overlay, &hidden, &error), &error);
  CHECK(why_graphic(&place, point, 200, 50, 0) ==
        (ALD_MISS_REASON_HIDDEN | ALD_MISS_REASON_OUT_OF_SCALE | ALD_MISS_REASON_OUTSIDE));
  ald_identify_result result = tap(&place, 100, 50, 0, 0);
  CHECK(part_of(result, 0).reasons == (ALD_MISS_REASON_HIDDEN | ALD_MISS_REASON_OUT_OF_SCALE));
  ald_identify_result_release(result);

  /* Layers and features. */
  CHECK_OK(ald_map_add_layer(place.map, place.layer, &error), &error);
  CHECK_OK(ald_layer_load(place.layer, &error), &error);
  CHECK_OK(ald_view_why_not_feature(place.view, place.layer, 2, middle, 0, 0, NULL, &why, &error), &error);
  CHECK(why.reasons == ALD_MISS_REASON_EMPTY_GEOMETRY);
  CHECK_OK(ald_view_why_not_feature(place.view, place.layer, 77, middle, 0, 0, NULL, &why, &error), &error);
  CHECK(why.reasons == ALD_MISS_REASON_NOT_THERE);
  CHECK_OK(ald_view_why_not_feature(place.view, place.layer, 1, middle, 0, 0, NULL, &why, &error), &error);
  CHECK(why.reasons == ALD_MISS_REASON_OUTSIDE && fabs(why.distance_dip - 4) < 1e-9);
  CHECK_OK(ald_layer_set_scale_range(place.layer, 1000, 0, &error), &error);
  CHECK_OK(ald_view_why_not_layer(place.view, place.layer, middle, 0, 0, NULL, &why, &error), &error);
  CHECK(why.reasons == (ALD_MISS_REASON_OUT_OF_SCALE | ALD_MISS_REASON_OUTSIDE));
  CHECK(why.out_of_scale_by.id == place.layer.id && why.scale_factor < 1);
  ald_layer raster = {0};
  CHECK_OK(ald_raster_layer_create_from_path(place.runtime, raster_path, NULL, &raster, &error), &error);
  CHECK_OK(ald_map_add_layer(place.map, raster, &error), &error);
  CHECK_OK(ald_layer_load(raster, &error), &error);
  const ald_point corners[] = {{0, 0}, {200, 100}};
  ald_identify_options options = ALD_IDENTIFY_OPTIONS_INIT;
  options.area = corners;
  options.area_count = 2;
  CHECK_OK(ald_view_why_not_layer(place.view, raster, middle, 0, 0, &options, &why, &error), &error);
  CHECK(why.reasons == ALD_MISS_REASON_NEEDS_POINT);
  ald_layer_release(raster);

  /* A file that is gone, and a layer that was never loaded. */
  ald_layer other = {0};
  write_text("other.geojson", SHAPES);
  CHECK_OK(ald_feature_layer_create_from_path(place.runtime, path_of("other.geojson"), NULL, &other, &error), &error);
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol = fill;
  CHECK_OK(ald_feature_layer_set_renderer(other, &renderer, &error), &error);
  CHECK_OK(ald_map_add_layer(place.map, other, &error), &error);
  CHECK_OK(ald_layer_load(other, &error), &error);
  CHECK(unlink(path_of("other.geojson")) == 0);
  CHECK_OK(ald_view_why_not_layer(place.view, other, middle, 0, 0, NULL, &why, &error), &error);
  CHECK(why.reasons == ALD_MISS_REASON_FAILED && why.status == ALD_STATUS_READ_FAILED);
  CHECK_STATUS(ald_view_identify_layer(place.view, other, middle, 0, 0, NULL, &result, NULL), ALD_STATUS_READ_FAILED);
  ald_layer_release(other);
  release_place(&place);
}

/* Cells without a value are passed over, and the layer below is there all the same. */
static void test_cells(const char *raster_path) {
  ald_error error;
  scene scene;
  ald_layer second = {0};
  ald_identify_result result;
  if (!make_scene(&scene, raster_path))
    return;
  CHECK_OK(ald_raster_layer_create(scene.raster, &second, &error), &error);
  CHECK_OK(ald_map_add_layer(scene.map, second, &error), &error);
  CHECK_OK(ald_view_identify(scene.view, SCENE_MIDDLE, 3, 0, NULL, &result, &error), &error);
  CHECK(info_of(result).element_count == 2 && element_of(result, 0).layer.id == second.id);
  ald_identify_cell cell = ALD_IDENTIFY_CELL_INIT, under = ALD_IDENTIFY_CELL_INIT;
  ald_identify_evidence evidence = ALD_IDENTIFY_EVIDENCE_INIT;
  ald_geometry geometry;
  CHECK_OK(ald_identify_result_get_cell_at(result, 0, &cell, &error), &error);
  CHECK_OK(ald_identify_result_get_cell_at(result, 1, &under, &error), &error);
  CHECK(cell.column == under.column && cell.row == under.row && cell.band_count > 0 && cell.values != NULL);
  CHECK_STATUS(ald_identify_result_get_evidence_at(result, 0, &evidence, NULL), ALD_STATUS_NOT_FOUND);
  CHECK_OK(ald_identify_result_create_geometry(result, 0, &geometry, &error), &error);
  ald_geometry_release(geometry);
  ald_identify_result_release(result);
  /* Its corner is nodata. */
  ald_why_not why = ALD_WHY_NOT_INIT;
  ald_identify_options options = ALD_IDENTIFY_OPTIONS_INIT;
  options.flags = ALD_IDENTIFY_SKIP_EMPTY_CELLS;
  ald_point outline[5];
  size_t count = 0;
  CHECK_OK(ald_raster_get_outline(scene.raster, scene.spatial_reference, 1, outline, 5, &count, &error), &error);
  CHECK_OK(ald_view_set_center(scene.view, (ald_point){outline[0].x + 500, outline[0].y - 500}, scene.spatial_reference,
                               &error),
           &error);
  CHECK_OK(ald_view_set_scale(scene.view, 10000, &error), &error);
  CHECK_OK(ald_view_why_not_layer(scene.view, second, SCENE_MIDDLE, 0, 0, &options, &why, &error), &error);
  CHECK(why.reasons == ALD_MISS_REASON_EMPTY_CELL);
  ald_layer_release(second);
  release_scene(&scene);
}

/* Boxes and polygons of the screen. */
static void test_areas(void) {
  ald_error error;
  const place place = make_place(0);
  look(&place);
  load(&place);
  const struct {
    ald_point corners[4];
    size_t count;
    uint32_t found;
  } cases[] = {
      {{{96.1, 46.1}, {103.9, 53.9}}, 2, 0},                /* in the hole, up to its outline */
      {{{96, 46}, {105, 54}}, 2, 1},                        /* across the hole's edge */
      {{{106.5, 48}, {108, 49}}, 2, 1},                     /* inside the polygon */
      {{{0, 0}, {200, 100}}, 2, 2},                         /* around both polygons */
      {{{96.1, 46.1}, {96.1, 53.9}, {99, 50}}, 3, 0},       /* a triangle in the hole */
      {{{100, 20}, {150, 20}, {150, 90}, {118, 30}}, 4, 1}, /* bent around the second polygon's corner */
  };
  ald_identify_options options = ALD_IDENTIFY_OPTIONS_INIT;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ald_identify_result result;
    options.area = cases[i].corners;
    options.area_count = cases[i].count;
    CHECK_OK(ald_view_identify_layers(place.view, (ald_point){0, 0}, 0, ALD_ALL, &options, &result, &error), &error);
    if (!CHECK(info_of(result).element_count == cases[i].found))
      printf("case %zu: %u\n", i, info_of(result).element_count);
    ald_identify_result_release(result);
  }
  release_place(&place);
}

/* A result describes the moment of the call. */
static void test_requests(void) {
  ald_error error;
  const place place = make_place(0);
  look(&place);
  load(&place);
  CHECK_OK(ald_view_add_graphics_overlay(place.view, place.overlay, &error), &error);
  const uint64_t graphic = add(&place, "POINT (7 0)", &disc, 0);
  const ald_point point = {107, 50};
  ald_view_state state = ALD_VIEW_STATE_INIT;
  CHECK_OK(ald_view_get_state(place.view, &state, &error), &error);
  ald_request requests[3];
  CHECK_OK(ald_view_identify_async(place.view, point, 0, 0, NULL, NULL, &requests[0], &error), &error);
  CHECK_OK(ald_view_identify_layers_async(place.view, point, 0, 0, NULL, NULL, &requests[1], &error), &error);
  CHECK_OK(ald_view_identify_layer_async(place.view, place.layer, point, 0, 0, NULL, NULL, &requests[2], &error),
           &error);
  CHECK_OK(ald_view_set_center(place.view, (ald_point){90, 0}, place.wgs84, &error), &error);
  CHECK_OK(ald_layer_set_visible(place.layer, 0, &error), &error);
  CHECK_OK(ald_graphics_overlay_remove_graphics(place.overlay, &graphic, 1, &error), &error);
  for (int i = 0; i < 3; i++) {
    ald_identify_result result;
    ald_request_state ended;
    CHECK_OK(ald_request_wait(requests[i], 60000, &ended, &error), &error);
    CHECK_OK(ald_request_take_identify_result(requests[i], &result, &error), &error);
    const ald_identify_result_info info = info_of(result);
    CHECK(info.element_count == (i == 0 ? 2u : 1u) && info.view_generation == state.generation);
    CHECK(element_of(result, info.element_count - 1).id == 1);
    ald_identify_result_release(result);
    ald_request_release(requests[i]);
  }
  release_place(&place);
}

#define EACH(view, point, tolerance, options, status)                                                                  \
  do {                                                                                                                 \
    CHECK_STATUS(ald_view_identify(view, point, tolerance, 0, options, &result, NULL), status);                        \
    CHECK_STATUS(ald_view_identify_async(view, point, tolerance, 0, options, NULL, &request, NULL), status);           \
    CHECK_STATUS(ald_view_identify_layers(view, point, tolerance, 0, options, &result, NULL), status);                 \
    CHECK_STATUS(ald_view_identify_layers_async(view, point, tolerance, 0, options, NULL, &request, NULL), status);    \
    CHECK_STATUS(ald_view_identify_graphics_overlays(view, point, tolerance, 0, options, &result, NULL), status);      \
    CHECK_STATUS(ald_view_identify_graphics_overlay(view, place.overlay, point, tolerance, 0, options, &result, NULL), \
                 status);                                                                                              \
    CHECK_STATUS(ald_view_identify_layer(view, place.layer, point, tolerance, 0, options, &result, NULL), status);     \
    CHECK_STATUS(ald_view_identify_layer_async(view, place.layer, point, tolerance, 0, options, NULL, &request, NULL), \
                 status);                                                                                              \
    CHECK_STATUS(ald_view_why_not_layer(view, place.layer, point, tolerance, 0, options, &why, NULL), status);         \
    CHECK_STATUS(ald_view_why_not_feature(view, place.layer, 1, point, tolerance, 0, options, &why, NULL), status);    \
    CHECK_STATUS(ald_view_why_not_graphic(view, place.overlay, 1, point, tolerance, 0, options, &why, NULL), status);  \
  } while (0)

/* A view that shows nothing yet, because the only layer of its map has no file: one with a file may be loaded before
 * the first tap. */
static void test_not_ready(void) {
  place place = make_place(0);
  ald_error error;
  ald_identify_result result;
  ald_request request;
  ald_why_not why = ALD_WHY_NOT_INIT;
  ald_layer_release(place.layer);
  CHECK_OK(ald_feature_layer_create_from_path(place.runtime, "missing.geojson", NULL, &place.layer, &error), &error);
  CHECK_OK(ald_map_add_layer(place.map, place.layer, &error), &error);
  CHECK_OK(ald_view_add_graphics_overlay(place.view, place.overlay, &error), &error);
  const ald_point point = {100, 50};
  EACH(place.view, point, 0, NULL, ALD_STATUS_NOT_READY);
  release_place(&place);
}

/* Every status that the header lists. */
static void test_statuses(void) {
  const place place = make_place(0);
  const ald_point point = {100, 50}, nowhere = {NAN, 0};
  const ald_view no_view = {0};
  const ald_identify_result no_result = {0};
  ald_identify_result result;
  ald_request request;
  ald_why_not why = ALD_WHY_NOT_INIT, bad = ALD_WHY_NOT_INIT;
  bad.struct_size = 3;
  ald_identify_options options = ALD_IDENTIFY_OPTIONS_INIT;
  options.area = &point;
  options.area_count = 1;
  ald_error error;
  CHECK_OK(ald_map_add_layer(place.map, place.layer, &error), &error);
  CHECK_OK(ald_view_add_graphics_overlay(place.view, place.overlay, &error), &error);
  EACH(no_view, point, 0, NULL, ALD_STATUS_INVALID_HANDLE);
  look(&place);
  CHECK_OK(ald_layer_load(place.layer, &error), &error);
  EACH(place.view, nowhere, 0, NULL, ALD_STATUS_INVALID_ARGUMENT);
  EACH(place.view, point, -1, NULL, ALD_STATUS_INVALID_ARGUMENT);
  EACH(place.view, point, 0, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.area = NULL;
  options.area_count = 3;
  EACH(place.view, point, 0, &options, ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_why_not_layer(place.view, place.layer, point, 0, 0, NULL, &bad, NULL),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_view_remove_graphics_overlay(place.view, place.overlay, &error), &error);
  CHECK_STATUS(ald_view_identify_graphics_overlay(place.view, place.overlay, point, 0, 0, NULL, &result, NULL),
               ALD_STATUS_NOT_FOUND);
  ald_identify_part part = ALD_IDENTIFY_PART_INIT;
  ald_identify_cell cell = ALD_IDENTIFY_CELL_INIT;
  ald_identify_evidence evidence = ALD_IDENTIFY_EVIDENCE_INIT;
  ald_attribute attribute = ALD_ATTRIBUTE_INIT;
  ald_geometry geometry;
  CHECK_STATUS(ald_identify_result_get_part_at(no_result, 0, &part, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_identify_result_get_cell_at(no_result, 0, &cell, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_identify_result_get_evidence_at(no_result, 0, &evidence, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_identify_result_create_geometry(no_result, 0, &geometry, NULL), ALD_STATUS_INVALID_HANDLE);
  result = tap(&place, 107.5, 50, 0, 0);
  CHECK_STATUS(ald_identify_result_get_part_at(result, 0, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_identify_result_get_part_at(result, 1, &part, NULL), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_identify_result_get_evidence_at(result, 0, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_identify_result_get_evidence_at(result, 9, &evidence, NULL), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_identify_result_create_geometry(result, 0, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_identify_result_create_geometry(result, 9, &geometry, NULL), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_identify_result_get_attribute_at(result, 0, 9, &attribute, NULL), ALD_STATUS_NOT_FOUND);
  ald_identify_result_release(result);
  release_place(&place);
}

/* More corners than the policy allows. */
static void test_limits(void) {
  const place place = make_place(2);
  const ald_point point = {100, 50}, corners[3] = {{0, 0}, {9, 0}, {9, 9}};
  ald_identify_result result;
  ald_request request;
  ald_why_not why = ALD_WHY_NOT_INIT;
  ald_identify_options options = ALD_IDENTIFY_OPTIONS_INIT;
  options.area = corners;
  options.area_count = 3;
  EACH(place.view, point, 0, &options, ALD_STATUS_LIMIT_EXCEEDED);
  release_place(&place);
}

int main(int argc, char **argv) {
  (void)argc;
  if (!make_folder())
    return finish();
  write_text("shapes.geojson", SHAPES);
  test_order();
  test_evidence();
  test_heights();
  test_groups(raster_path(argv, "RGB.byte.tif"));
  test_misses(raster_path(argv, "RGB.byte.tif"));
  test_cells(raster_path(argv, "RGB.byte.tif"));
  test_areas();
  test_requests();
  test_not_ready();
  test_statuses();
  test_limits();
  remove_folder();
  return finish();
}

/* Graphics overlays as a C host uses them: buffers, what is refused, and the statuses that need a policy. */
#include "check.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static scene stage;

static const ald_symbol marker = {
    ALD_SYMBOL_KIND_MARKER, 0, ALD_MARKER_STYLE_SQUARE, 0, 0, {255, 0, 0, 255}, {0, 0, 0, 255}, 0, 10, 0, {0, 0}, 1};

static ald_graphics_overlay new_overlay(void) {
  ald_error error;
  ald_graphics_overlay overlay;
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol = marker;
  CHECK_OK(ald_graphics_overlay_create(stage.runtime, NULL, &overlay, &error), &error);
  CHECK_OK(ald_graphics_overlay_set_renderer(overlay, &renderer, &error), &error);
  return overlay;
}

/* Points in a row through the middle of the view, a DIP apart. */
static ald_geometry_array row_of_points(ald_runtime runtime, ald_point first, double step, uint32_t count) {
  ald_error error;
  double xy[2 * 16];
  ald_geometry_array array;
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  for (uint32_t i = 0; i < count; i++) {
    xy[2 * i] = first.x + i * step;
    xy[2 * i + 1] = first.y;
  }
  columns.kind = ALD_GEOMETRY_KIND_POINT;
  columns.xy = xy;
  columns.vertex_count = count;
  CHECK_OK(ald_geometry_array_create(runtime, &columns, (ald_spatial_reference){0}, &array, &error), &error);
  return array;
}

static void test_drawing(void) {
  ald_error error;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  CHECK_OK(ald_view_get_state(stage.view, &state, &error), &error);
  ald_graphics_overlay overlay = new_overlay();
  ald_geometry_array array = row_of_points(stage.runtime, state.center, state.units_per_dip, 4);
  const int32_t z[4] = {5, 0, 0, -5};
  const uint8_t flags[4] = {0, 0, ALD_GRAPHIC_HIDDEN, 0};
  const uint32_t symbols[4] = {0, ALD_ALL, ALD_ALL, ALD_ALL};
  const char *const texts[4] = {"a", NULL, "c", "d"};
  const int64_t numbers[4] = {1, 2, 3, INT64_MIN};
  const uint8_t nulls[4] = {1, 0, 0, 0};
  ald_symbol own = marker;
  own.marker_style = ALD_MARKER_STYLE_X;
  const ald_graphic_attributes attributes[2] = {
      {"text", ALD_GRAPHIC_VALUE_TYPE_TEXT, 0, NULL, NULL, texts, NULL},
      {"number", ALD_GRAPHIC_VALUE_TYPE_INTEGER, 0, numbers, NULL, NULL, nulls}};
  ald_graphic_columns columns = ALD_GRAPHIC_COLUMNS_INIT;
  columns.graphic_count = 4;
  columns.z_indexes = z;
  columns.graphic_flags = flags;
  columns.symbol_indexes = symbols;
  columns.symbols = &own;
  columns.symbol_count = 1;
  columns.attributes = attributes;
  columns.attribute_count = 2;
  uint64_t first = 0;
  CHECK_OK(ald_graphics_overlay_add_graphics(overlay, array, &columns, &first, &error), &error);
  CHECK(first == 1);
  CHECK_OK(ald_view_add_graphics_overlay(stage.view, overlay, &error), &error);
  ald_overlay_drawing drawing;
  CHECK_OK(ald_view_create_overlay_drawing(stage.view, (ald_graphics_overlay){0}, NULL, &drawing, &error), &error);
  ald_overlay_drawing_columns items = ALD_OVERLAY_DRAWING_COLUMNS_INIT;
  CHECK_OK(ald_overlay_drawing_get_columns(drawing, &items, &error), &error);
  CHECK(items.item_count == 3 && items.vertex_count == 3 && items.part_count == 3 && items.path_count == 3);
  CHECK(items.graphic_ids[0] == 4 && items.graphic_ids[1] == 2 && items.graphic_ids[2] == 1);
  CHECK(items.symbols[items.symbol_indexes[2]].marker_style == ALD_MARKER_STYLE_X);
  CHECK(items.symbols[items.symbol_indexes[0]].marker_style == ALD_MARKER_STYLE_SQUARE);
  CHECK(items.part_offsets[0] == 0 && items.part_offsets[3] == 3 && items.vertex_offsets[3] == 3);
  CHECK(fabs(items.screen_xy[4] - state.anchor_dip.x) < 1e-6 &&
        fabs(items.screen_xy[0] - items.screen_xy[4] - 3) < 1e-6);
  /* A later change of view and overlay leaves the drawing as it is. */
  const double before = items.screen_xy[0];
  CHECK_OK(ald_view_set_rotation(stage.view, 90, &error), &error);
  CHECK_OK(ald_graphics_overlay_clear_graphics(overlay, &error), &error);
  CHECK(items.screen_xy[0] == before);
  CHECK_OK(ald_view_set_rotation(stage.view, 0, &error), &error);

  uint32_t changed = 0;
  CHECK_OK(ald_graphics_overlay_undo(overlay, &changed, &error), &error);
  CHECK(changed == 4);
  ald_overlay_drawing_overlay part = ALD_OVERLAY_DRAWING_OVERLAY_INIT;
  CHECK_OK(ald_overlay_drawing_get_overlay_at(drawing, 0, &part, &error), &error);
  CHECK(part.overlay.id == overlay.id && part.first_item == 0 && part.item_count == 3 && part.opacity == 1);
  CHECK_STATUS(ald_overlay_drawing_get_overlay_at(drawing, 1, &part, &error), ALD_STATUS_NOT_FOUND);
  ald_overlay_failure failure = ALD_OVERLAY_FAILURE_INIT;
  CHECK_STATUS(ald_overlay_drawing_get_failure_at(drawing, 0, &failure, &error), ALD_STATUS_NOT_FOUND);
  CHECK_OK(ald_view_remove_graphics_overlay(stage.view, overlay, &error), &error);
  ald_overlay_drawing_release(drawing);

  /* Attributes. */
  ald_graphic_value value;
  char buffer[8];
  size_t size = 0;
  CHECK_OK(ald_graphics_overlay_find_attribute(overlay, 4, "number", &value, NULL, 0, NULL, &error), &error);
  CHECK(value.type == ALD_GRAPHIC_VALUE_TYPE_INTEGER && value.integer == INT64_MIN && !value.text);
  CHECK_OK(ald_graphics_overlay_find_attribute(overlay, 1, "number", &value, NULL, 0, NULL, &error), &error);
  CHECK(value.type == ALD_GRAPHIC_VALUE_TYPE_NULL);
  CHECK_STATUS(ald_graphics_overlay_find_attribute(overlay, 1, "text", &value, buffer, 1, &size, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(size == 2 && value.type == ALD_GRAPHIC_VALUE_TYPE_NULL);
  CHECK_OK(ald_graphics_overlay_find_attribute(overlay, 1, "text", &value, buffer, sizeof buffer, &size, &error),
           &error);
  CHECK(value.type == ALD_GRAPHIC_VALUE_TYPE_TEXT && is_text(buffer, "a"));
  CHECK_STATUS(ald_graphics_overlay_find_attribute(overlay, 1, "text", NULL, NULL, 0, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_graphics_overlay_get_attribute_name_at(overlay, 1, 1, buffer, sizeof buffer, NULL, &error),
               ALD_STATUS_NOT_FOUND);
  CHECK_OK(ald_graphics_overlay_get_attribute_name_at(overlay, 2, 0, buffer, sizeof buffer, NULL, &error), &error);
  CHECK(is_text(buffer, "number"));
  ald_geometry_array_release(array);
  ald_graphics_overlay_release(overlay);
}

static void test_refusals(void) {
  ald_error error;
  ald_graphics_overlay overlay = new_overlay(), other = new_overlay();
  CHECK_OK(ald_view_insert_graphics_overlay(stage.view, overlay, 0, &error), &error);
  CHECK_STATUS(ald_view_insert_graphics_overlay(stage.view, overlay, 0, &error), ALD_STATUS_INVALID_STATE);
  CHECK_STATUS(ald_view_add_graphics_overlay(stage.view, overlay, &error), ALD_STATUS_INVALID_STATE);
  CHECK_STATUS(ald_view_insert_graphics_overlay(stage.view, other, 2, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_view_move_graphics_overlay(stage.view, other, 0, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_view_move_graphics_overlay(stage.view, overlay, 1, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_view_remove_graphics_overlay(stage.view, other, &error), ALD_STATUS_NOT_FOUND);
  ald_overlay_drawing drawing = {1};
  CHECK_STATUS(ald_view_create_overlay_drawing(stage.view, other, NULL, &drawing, &error), ALD_STATUS_NOT_FOUND);
  CHECK(drawing.id == 0);
  ald_view blind;
  CHECK_OK(ald_view_create(stage.map, NULL, &blind, &error), &error);
  CHECK_STATUS(ald_view_create_overlay_drawing(blind, (ald_graphics_overlay){0}, NULL, &drawing, &error),
               ALD_STATUS_NOT_READY);
  ald_view_release(blind);

  ald_geometry_array array = row_of_points(stage.runtime, (ald_point){0, 0}, 1, 3);
  ald_graphic_columns columns = ALD_GRAPHIC_COLUMNS_INIT;
  columns.graphic_count = 2;
  CHECK_STATUS(ald_graphics_overlay_add_graphics(overlay, array, &columns, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  columns.graphic_count = 3;
  const uint8_t unknown_flags[3] = {0, 2, 0};
  columns.graphic_flags = unknown_flags;
  CHECK_STATUS(ald_graphics_overlay_add_graphics(overlay, array, &columns, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  columns.graphic_flags = NULL;
  const uint32_t no_symbols[3] = {0, ALD_ALL, ALD_ALL};
  columns.symbol_indexes = no_symbols;
  CHECK_STATUS(ald_graphics_overlay_add_graphics(overlay, array, &columns, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  columns.symbol_indexes = NULL;
  ald_graphic_attributes twice[2] = {{"x", ALD_GRAPHIC_VALUE_TYPE_NULL, 0, NULL, NULL, NULL, NULL},
                                     {"x", ALD_GRAPHIC_VALUE_TYPE_NULL, 0, NULL, NULL, NULL, NULL}};
  columns.attributes = twice;
  columns.attribute_count = 2;
  CHECK_STATUS(ald_graphics_overlay_add_graphics(overlay, array, &columns, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(holds_text(error.message, "x"));
  twice[1].name = "y";
  twice[1].type = ALD_GRAPHIC_VALUE_TYPE_REAL;
  CHECK_STATUS(ald_graphics_overlay_add_graphics(overlay, array, &columns, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  twice[1].type = 9;
  CHECK_STATUS(ald_graphics_overlay_add_graphics(overlay, array, &columns, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_graphics_overlay_info info = ALD_GRAPHICS_OVERLAY_INFO_INIT;
  CHECK_OK(ald_graphics_overlay_get_info(overlay, &info, &error), &error);
  CHECK(info.graphic_count == 0 && info.undo_count == 0);
  CHECK_OK(ald_graphics_overlay_add_graphics(overlay, array, NULL, NULL, &error), &error);
  const uint64_t stale[2] = {3, 4};
  CHECK_STATUS(ald_graphics_overlay_remove_graphics(overlay, stale, 2, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_graphics_overlay_select_graphics(overlay, stale, 2, 1, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_graphics_overlay_select_graphics(overlay, stale, 1, 2, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_graphics_overlay_update_graphics(overlay, stale, 2, (ald_geometry_array){0}, NULL, &error),
               ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_graphics_overlay_update_graphics(overlay, stale, 1, array, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  ald_geometry geometry;
  CHECK_STATUS(ald_graphics_overlay_create_graphic_geometry(overlay, 4, &geometry, &error), ALD_STATUS_NOT_FOUND);
  CHECK_OK(ald_graphics_overlay_create_graphic_geometry(overlay, 3, &geometry, &error), &error);
  CHECK_STATUS(ald_graphics_overlay_set_graphic_geometry(overlay, 4, geometry, &error), ALD_STATUS_NOT_FOUND);
  ald_geometry_release(geometry);
  uint64_t ids[3];
  size_t count = 0;
  CHECK_STATUS(ald_graphics_overlay_get_graphic_ids(overlay, 0, ids, 2, &count, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(count == 3);
  CHECK_OK(ald_view_remove_graphics_overlay(stage.view, overlay, &error), &error);
  ald_geometry_array_release(array);
  ald_graphics_overlay_release(overlay);
  ald_graphics_overlay_release(other);
}

/* A policy that lets 12 points through, and 2000 bytes. */
static void test_limits(void) {
  ald_error error;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_points = 12;
  policy.max_request_bytes = 2000;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  ald_runtime runtime;
  ald_graphics_overlay overlay;
  ald_spatial_reference reference;
  ald_map map;
  ald_view view;
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  CHECK_OK(ald_graphics_overlay_create(runtime, NULL, &overlay, &error), &error);
  ald_geometry_array few = row_of_points(runtime, (ald_point){0, 0}, 1, 4);
  /* 13 graphics of 160 bytes are too many. */
  ald_geometry_array many = row_of_points(runtime, (ald_point){0, 0}, 1, 12);
  ald_graphic_columns columns = ALD_GRAPHIC_COLUMNS_INIT;
  columns.graphic_count = 12;
  columns.attribute_count = 1000;
  CHECK_STATUS(ald_graphics_overlay_add_graphics(overlay, many, &columns, NULL, &error), ALD_STATUS_LIMIT_EXCEEDED);
  columns.attribute_count = 0;
  columns.graphic_count = 1;
  columns.symbol_count = 13;
  ald_geometry one;
  CHECK_OK(ald_geometry_array_create_geometry(few, 0, &one, &error), &error);
  CHECK_STATUS(ald_graphics_overlay_add_graphic(overlay, one, &columns, NULL, &error), ALD_STATUS_LIMIT_EXCEEDED);
  uint64_t ids[13] = {0};
  CHECK_STATUS(ald_graphics_overlay_remove_graphics(overlay, ids, 13, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_graphics_overlay_select_graphics(overlay, ids, 13, 1, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_graphics_overlay_update_graphics(overlay, ids, 13, (ald_geometry_array){0}, NULL, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  /* Four points, seen in nine worlds. */
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol = marker;
  CHECK_OK(ald_graphics_overlay_set_renderer(overlay, &renderer, &error), &error);
  CHECK_OK(ald_graphics_overlay_add_graphics(overlay, few, NULL, NULL, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, "EPSG", 3857, &reference, &error), &error);
  CHECK_OK(ald_map_create(runtime, reference, &map, &error), &error);
  CHECK_OK(ald_view_create(map, NULL, &view, &error), &error);
  CHECK_OK(ald_view_set_size(view, 800, 600, 1, &error), &error);
  CHECK_OK(ald_view_set_center(view, (ald_point){0, 0}, (ald_spatial_reference){0}, &error), &error);
  CHECK_OK(ald_view_set_scale(view, 1e12, &error), &error);
  CHECK_OK(ald_view_add_graphics_overlay(view, overlay, &error), &error);
  ald_overlay_drawing drawing;
  CHECK_STATUS(ald_view_create_overlay_drawing(view, overlay, NULL, &drawing, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_OK(ald_view_set_scale(view, 1e6, &error), &error);
  CHECK_OK(ald_view_create_overlay_drawing(view, overlay, NULL, &drawing, &error), &error);
  ald_runtime_release(runtime);
}

/* A history that may take 2000 bytes: a point that is moved takes 200, and twice 16 for its vertex. */
static void test_history_bytes(void) {
  ald_error error;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_bytes = 2000;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  ald_runtime runtime;
  ald_graphics_overlay overlay;
  ald_graphics_overlay_info info = ALD_GRAPHICS_OVERLAY_INFO_INIT;
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  CHECK_OK(ald_graphics_overlay_create(runtime, NULL, &overlay, &error), &error);
  ald_geometry_array array = row_of_points(runtime, (ald_point){0, 0}, 1, 2);
  ald_geometry place;
  uint64_t id = 0;
  uint32_t changed = 0;
  CHECK_OK(ald_geometry_array_create_geometry(array, 1, &place, &error), &error);
  CHECK_OK(ald_graphics_overlay_add_graphics(overlay, array, NULL, &id, &error), &error);
  for (int step = 0; step < 20; step++)
    CHECK_OK(ald_graphics_overlay_set_graphic_geometry(overlay, id, place, &error), &error);
  CHECK_OK(ald_graphics_overlay_get_info(overlay, &info, &error), &error);
  /* The geometry that replaces itself is kept anyway: only the first move counts its vertex. */
  CHECK(info.undo_count == 10);
  ald_geometry_array_release(array);
  array = row_of_points(runtime, (ald_point){5, 5}, 1, 1);
  for (int step = 0; step < 20; step++)
    CHECK_OK(ald_graphics_overlay_update_graphics(overlay, &id, 1, array, NULL, &error), &error),
        CHECK_OK(ald_graphics_overlay_set_graphic_geometry(overlay, id, place, &error), &error);
  CHECK_OK(ald_graphics_overlay_get_info(overlay, &info, &error), &error);
  CHECK(info.undo_count == 2000 / 232);
  /* A group counts once, and the last step is kept however large it is. */
  CHECK_STATUS(ald_graphics_overlay_end_undo_group(overlay, &error), ALD_STATUS_INVALID_STATE);
  CHECK_OK(ald_graphics_overlay_begin_undo_group(overlay, &error), &error);
  CHECK_STATUS(ald_graphics_overlay_begin_undo_group(overlay, &error), ALD_STATUS_INVALID_STATE);
  for (int step = 0; step < 20; step++)
    CHECK_OK(ald_graphics_overlay_add_graphics(overlay, array, NULL, NULL, &error), &error);
  CHECK_OK(ald_graphics_overlay_end_undo_group(overlay, &error), &error);
  CHECK_STATUS(ald_graphics_overlay_end_undo_group(overlay, &error), ALD_STATUS_INVALID_STATE);
  CHECK_OK(ald_graphics_overlay_get_info(overlay, &info, &error), &error);
  CHECK(info.undo_count == 1 && info.graphic_count == 22);
  CHECK_OK(ald_graphics_overlay_undo(overlay, &changed, &error), &error);
  CHECK(changed == 20);
  ald_runtime_release(runtime);
}

/* Alpha 0 is the default's sign, unless the colour is said to be set. */
static void test_selection_color(void) {
  ald_error error;
  ald_graphics_overlay overlay;
  ald_graphics_overlay_options options = ALD_GRAPHICS_OVERLAY_OPTIONS_INIT;
  ald_graphics_overlay_info info = ALD_GRAPHICS_OVERLAY_INFO_INIT;
  CHECK_OK(ald_graphics_overlay_create(stage.runtime, &options, &overlay, &error), &error);
  CHECK_OK(ald_graphics_overlay_get_info(overlay, &info, &error), &error);
  CHECK(info.selection_color.green == 255 && info.selection_color.alpha == 255);
  options.flags = ALD_GRAPHICS_OVERLAY_HAS_SELECTION_COLOR;
  CHECK_OK(ald_graphics_overlay_set_options(overlay, &options, &error), &error);
  CHECK_OK(ald_graphics_overlay_get_info(overlay, &info, &error), &error);
  CHECK(info.selection_color.green == 0 && info.selection_color.alpha == 0);
  ald_graphics_overlay_release(overlay);
}

static void test_two_runtimes(void) {
  ald_error error;
  ald_runtime runtime;
  ald_graphics_overlay overlay, strange;
  CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error);
  CHECK_OK(ald_graphics_overlay_create(runtime, NULL, &strange, &error), &error);
  CHECK_STATUS(ald_view_add_graphics_overlay(stage.view, strange, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_geometry_array array = row_of_points(stage.runtime, (ald_point){0, 0}, 1, 1);
  CHECK_STATUS(ald_graphics_overlay_add_graphics(strange, array, NULL, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  overlay = new_overlay();
  const uint64_t handles = live_handles(stage.runtime);
  CHECK_OK(ald_view_add_graphics_overlay(stage.view, overlay, &error), &error);
  ald_graphics_overlay lent;
  CHECK_OK(ald_view_get_graphics_overlay_at(stage.view, 0, &lent, &error), &error);
  CHECK(lent.id == overlay.id && live_handles(stage.runtime) == handles);
  CHECK_STATUS(ald_view_get_graphics_overlay_at(stage.view, 1, &lent, &error), ALD_STATUS_NOT_FOUND);
  ald_geometry_array_release(array);
  ald_runtime_release(runtime);
  CHECK_OK(ald_view_remove_graphics_overlay(stage.view, overlay, &error), &error);
  ald_graphics_overlay_release(overlay);
}

int main(int argc, char **argv) {
  (void)argc;
  if (!make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif")))
    return finish();
  const uint64_t handles = live_handles(stage.runtime);
  test_drawing();
  test_refusals();
  test_limits();
  test_history_bytes();
  test_selection_color();
  test_two_runtimes();
  CHECK(live_handles(stage.runtime) == handles);
  release_scene(&stage);
  return finish();
}

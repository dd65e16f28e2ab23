/*
 * Graphics overlays at the speed of a drag: an overlay of a hundred thousand points is edited and drawn, and a thousand
 * buffers and their union follow a radius slider.
 *
 *   bench_overlays
 *
 * Times are in nanoseconds, for one frame each. Checksums are sums of screen coordinates, or of vertices.
 */
#include "bench.h"

enum { GRAPHICS = 100000, BUFFERS = 1000, ROUNDS = 41 };

typedef struct stage {
  ald_runtime runtime;
  ald_spatial_reference wgs84;
  ald_view view;
  ald_graphics_overlay overlay;
  uint64_t first_id;
} stage;

static ald_geometry_array points(const stage *stage, const double *xy, uint32_t count) {
  ald_error error;
  ald_geometry_array array;
  ald_geometry_columns given = ALD_GEOMETRY_COLUMNS_INIT;
  given.kind = ALD_GEOMETRY_KIND_POINT;
  given.geometry_count = given.vertex_count = count;
  given.xy = xy;
  must(ald_geometry_array_create(stage->runtime, &given, stage->wgs84, &array, &error), &error);
  return array;
}

static ald_geometry point(const stage *stage, double x, double y) {
  ald_error error;
  ald_geometry geometry;
  char text[96];
  snprintf(text, sizeof text, "POINT (%.17g %.17g)", x, y);
  must(ald_geometry_create_from_wkt(stage->runtime, text, stage->wgs84, &geometry, &error), &error);
  return geometry;
}

static stage set_up(void) {
  static double places[GRAPHICS][2];
  stage stage;
  ald_error error;
  ald_spatial_reference mercator;
  ald_map map;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol = (ald_symbol){
      ALD_SYMBOL_KIND_MARKER, 0, ALD_MARKER_STYLE_CIRCLE, 0, 0, {255, 0, 0, 255}, {0, 0, 0, 0}, 0, 6, 0, {0, 0}, 0};
  size.width_dip = 800;
  size.height_dip = 600;
  must(ald_runtime_create(NULL, &stage.runtime, &error), &error);
  must(ald_spatial_reference_create_from_code(stage.runtime, NULL, 4326, &stage.wgs84, &error), &error);
  must(ald_spatial_reference_create_from_code(stage.runtime, NULL, 3857, &mercator, &error), &error);
  must(ald_map_create(stage.runtime, mercator, &map, &error), &error);
  must(ald_view_create(map, &size, &stage.view, &error), &error);
  must(ald_graphics_overlay_create(stage.runtime, NULL, &stage.overlay, &error), &error);
  must(ald_graphics_overlay_set_renderer(stage.overlay, &renderer, &error), &error);
  must(ald_view_add_graphics_overlay(stage.view, stage.overlay, &error), &error);
  uint64_t state = GRAPHICS;
  for (size_t index = 0; index < GRAPHICS; index++) {
    places[index][0] = -10 + 20 * random_unit(&state);
    places[index][1] = 40 + 15 * random_unit(&state);
  }
  ald_geometry_array array = points(&stage, &places[0][0], GRAPHICS);
  must(ald_graphics_overlay_add_graphics(stage.overlay, array, NULL, &stage.first_id, &error), &error);
  ald_geometry_array_release(array);
  return stage;
}

static void look(const stage *stage, double scale) {
  ald_error error;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE;
  viewpoint.center = (ald_point){0, 48};
  viewpoint.spatial_reference = stage->wgs84;
  viewpoint.scale = scale;
  must(ald_view_set_viewpoint(stage->view, &viewpoint, &error), &error);
}

/* The sum of the screen coordinates of a frame. */
static double draw(const stage *stage) {
  ald_error error;
  ald_overlay_drawing drawing;
  ald_overlay_drawing_columns columns = ALD_OVERLAY_DRAWING_COLUMNS_INIT;
  must(ald_view_create_overlay_drawing(stage->view, stage->overlay, NULL, &drawing, &error), &error);
  must(ald_overlay_drawing_get_columns(drawing, &columns, &error), &error);
  double sum = 0;
  for (uint32_t index = 0; index < 2 * columns.vertex_count; index++)
    sum += columns.screen_xy[index];
  ald_overlay_drawing_release(drawing);
  return sum;
}

static void nothing(const stage *stage, int round) {
  (void)stage;
  (void)round;
}

static void move_one(const stage *stage, int round) {
  ald_error error;
  ald_geometry place = point(stage, 0.001 * round, 48);
  must(ald_graphics_overlay_set_graphic_geometry(stage->overlay, stage->first_id + 5000, place, &error), &error);
  ald_geometry_release(place);
}

static void select_one(const stage *stage, int round) {
  ald_error error;
  const uint64_t id = stage->first_id + 5000;
  must(ald_graphics_overlay_select_graphics(stage->overlay, &id, 1, round & 1, &error), &error);
}

static void hide_one(const stage *stage, int round) {
  ald_error error;
  const uint64_t id = stage->first_id + 5001;
  const uint8_t flags = round & 1 ? ALD_GRAPHIC_HIDDEN : 0;
  ald_graphic_columns columns = ALD_GRAPHIC_COLUMNS_INIT;
  columns.graphic_count = 1;
  columns.graphic_flags = &flags;
  must(ald_graphics_overlay_update_graphics(stage->overlay, &id, 1, (ald_geometry_array){0}, &columns, &error), &error);
}

/* A frame: an edit, and the drawing that shows it. */
static void measure(const char *what, const stage *stage, void (*edit)(const struct stage *, int)) {
  double times[ROUNDS], sum = 0;
  char label[96];
  edit(stage, 0);
  draw(stage); /* the first one makes what is kept */
  for (int round = 0; round < ROUNDS; round++) {
    const double start = now_ns();
    edit(stage, round + 1);
    sum = draw(stage);
    times[round] = now_ns() - start;
  }
  snprintf(label, sizeof label, "overlay_%s_median", what);
  result(label, percentile(times, ROUNDS, 50));
  snprintf(label, sizeof label, "overlay_%s_p99", what);
  result(label, percentile(times, ROUNDS, 99));
  snprintf(label, sizeof label, "overlay_%s_checksum", what);
  result(label, sum);
}

/* A slider's frame: a thousand points are buffered and united, and the union replaces the last one. */
static void measure_slider(stage *stage) {
  static double places[BUFFERS][2];
  ald_error error;
  uint64_t state = BUFFERS;
  for (size_t index = 0; index < BUFFERS; index++) {
    places[index][0] = 1000 * random_unit(&state);
    places[index][1] = 1000 * random_unit(&state);
  }
  ald_geometry_array array;
  ald_geometry_columns given = ALD_GEOMETRY_COLUMNS_INIT;
  given.kind = ALD_GEOMETRY_KIND_POINT;
  given.geometry_count = given.vertex_count = BUFFERS;
  given.xy = &places[0][0];
  must(ald_geometry_array_create(stage->runtime, &given, (ald_spatial_reference){0}, &array, &error), &error);
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol =
      (ald_symbol){ALD_SYMBOL_KIND_FILL, 0, 0, 0, 0, {255, 255, 0, 150}, {0, 128, 0, 255}, 0, 0, 0, {0, 0}, 3};
  must(ald_graphics_overlay_clear_graphics(stage->overlay, &error), &error);
  must(ald_graphics_overlay_clear_history(stage->overlay, &error), &error);
  must(ald_graphics_overlay_set_renderer(stage->overlay, &renderer, &error), &error);
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE;
  viewpoint.center = (ald_point){500, 500};
  viewpoint.scale = 8000;
  must(ald_view_set_viewpoint(stage->view, &viewpoint, &error), &error);
  uint64_t id = 0;
  double times[ROUNDS], sum = 0;
  for (int round = -1; round < ROUNDS; round++) {
    const double start = now_ns(), radius = 10 + 0.5 * (round + 1);
    ald_geometry whole;
    must(ald_geometry_array_create_buffer_union(array, &radius, 1, NULL, &whole, &error), &error);
    if (id == 0)
      must(ald_graphics_overlay_add_graphic(stage->overlay, whole, NULL, &id, &error), &error);
    else
      must(ald_graphics_overlay_set_graphic_geometry(stage->overlay, id, whole, &error), &error);
    ald_geometry_release(whole);
    sum = draw(stage);
    if (round >= 0)
      times[round] = now_ns() - start;
  }
  ald_geometry_array_release(array);
  result("overlay_slider_median", percentile(times, ROUNDS, 50));
  result("overlay_slider_p99", percentile(times, ROUNDS, 99));
  result("overlay_slider_checksum", sum);
}

int main(void) {
  stage stage = set_up();
  look(&stage, 4e7);
  measure("draw_all", &stage, nothing);
  measure("move_all", &stage, move_one);
  look(&stage, 1.5e6);
  measure("draw_few", &stage, nothing);
  measure("move", &stage, move_one);
  measure("select", &stage, select_one);
  measure("hide", &stage, hide_one);
  measure_slider(&stage);
  ald_runtime_release(stage.runtime);
  return 0;
}

/* A policy that limits how long calls with geometries take: what takes longer is refused and makes nothing. */
#include "scene.h"

#include <math.h>
#include <stdlib.h>

enum { STARS = 60, CORNERS = 50, ALL = STARS * CORNERS };

static double xy[ALL][2];
static int32_t first_of_star[STARS + 1], first_vertex[STARS + 1];

/* Stars that lie over each other, around 10, 50. */
static void make_stars(void) {
  for (int star = 0; star <= STARS; star++) {
    first_of_star[star] = star;
    first_vertex[star] = star * CORNERS;
    for (int corner = 0; star < STARS && corner < CORNERS; corner++) {
      const double angle = 2 * 3.14159265358979323846 * (corner % (CORNERS - 1)) / (CORNERS - 1);
      const double radius = corner % (CORNERS - 1) % 2 == 0 ? 0.05 : 0.02;
      xy[star * CORNERS + corner][0] = 10 + star % 20 * 0.01 + radius * cos(angle);
      xy[star * CORNERS + corner][1] = 50 + star / 20 * 0.01 + radius * sin(angle);
    }
  }
}

/* A ring of corners around 10, 50. A gear goes out and in, a knot crosses itself hundreds of times. */
static ald_geometry_array ring(ald_runtime runtime, ald_spatial_reference degrees, int corners, double turns,
                               double inner) {
  ald_error error;
  ald_geometry_array made = {0};
  ald_geometry_columns given = ALD_GEOMETRY_COLUMNS_INIT;
  double(*points)[2] = malloc(((size_t)corners + 1) * sizeof points[0]);
  if (!CHECK(points != NULL))
    return made;
  for (int i = 0; i <= corners; i++) {
    const double angle = 2 * 3.14159265358979323846 * turns * (i % corners + (inner == 0.9 ? 0.5 : 0)) / corners;
    const double radius = i % corners % 2 == 0 ? 1 : inner;
    points[i][0] = 10 + radius * cos(angle);
    points[i][1] = 50 + radius * sin(angle);
  }
  given.kind = ALD_GEOMETRY_KIND_POLYGON;
  given.geometry_count = given.part_count = given.path_count = 1;
  given.vertex_count = (uint32_t)corners + 1;
  given.xy = &points[0][0];
  CHECK_OK(ald_geometry_array_create(runtime, &given, degrees, &made, &error), &error);
  free(points);
  return made;
}

static ald_geometry first(ald_geometry_array array) {
  ald_error error;
  ald_geometry geometry = {0};
  CHECK_OK(ald_geometry_array_create_geometry(array, 0, &geometry, &error), &error);
  return geometry;
}

/* The ring of a polygon as a line, without a call that has a limit. */
static ald_geometry line_of(ald_runtime runtime, ald_spatial_reference degrees, ald_geometry polygon) {
  ald_error error;
  ald_geometry line = {0};
  ald_geometry_columns shown = ALD_GEOMETRY_COLUMNS_INIT, given = ALD_GEOMETRY_COLUMNS_INIT;
  CHECK_OK(ald_geometry_get_columns(polygon, &shown, &error), &error);
  given.kind = ALD_GEOMETRY_KIND_POLYLINE;
  given.geometry_count = given.part_count = given.path_count = 1;
  given.vertex_count = shown.vertex_count;
  given.xy = shown.xy;
  CHECK_OK(ald_geometry_create(runtime, &given, degrees, &line, &error), &error);
  return line;
}

static ald_runtime limited(uint32_t milliseconds) {
  ald_error error;
  ald_runtime made;
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  policy.max_request_ms = milliseconds;
  options.policy = &policy;
  options.thread_count = 2;
  CHECK_OK(ald_runtime_create(&options, &made, &error), &error);
  return made;
}

static void expect(ald_status status, const ald_error *error, ald_status expected, const uint64_t *id) {
  CHECK_STATUS(status, expected);
  CHECK((*id != 0) == (expected == ALD_STATUS_OK));
  CHECK(expected == ALD_STATUS_OK || holds_text(error->message, "max_request_ms"));
}

#define EXPECT(out, call)                                                                                              \
  out.id = 0;                                                                                                          \
  expect(call, &error, expected, &out.id)

/* Overlays, clipping, cutting, offset curves, repair, label points, and comparing transformations. */
static void check_shapes(ald_runtime runtime, ald_spatial_reference degrees, ald_status expected) {
  ald_error error;
  ald_geometry_array array;
  ald_geometry one, knife;
  const ald_envelope half = {9, 49, 10, 51};
  const ald_geometry_array gears = ring(runtime, degrees, 8000, 1, 0.8);
  const ald_geometry gear = first(gears), other = first(ring(runtime, degrees, 8000, 1, 0.9));
  const ald_geometry_array knots = ring(runtime, degrees, 31, 13, 1);
  knife = line_of(runtime, degrees, first(ring(runtime, degrees, 1000, 1, 0.9)));
  EXPECT(one, ald_geometry_create_overlay(gear, other, ALD_OVERLAY_OPERATION_INTERSECTION, 0, &one, NULL, &error));
  EXPECT(one, ald_geometry_create_clipped(gear, half, &one, &error));
  EXPECT(array, ald_geometry_array_create_clipped(gears, half, &array, &error));
  EXPECT(array, ald_geometry_create_cut(gear, knife, &array, NULL, NULL, NULL, &error));
  EXPECT(array,
         ald_geometry_array_create_generalized(gears, 0.001, ALD_GENERALIZE_METHOD_PRESERVE_TOPOLOGY, &array, &error));
  EXPECT(one, ald_geometry_create_offset_curve(knife, 0.01, NULL, &one, &error));
  EXPECT(one, ald_geometry_create_label_point(gear, 1e-12, &one, &error));
  EXPECT(array, ald_geometry_array_create_label_points(gears, 1e-12, &array, &error));
  EXPECT(one, ald_geometry_create_simple(first(knots), &one, &error));
  EXPECT(array, ald_geometry_array_create_simple(knots, &array, &error));
  EXPECT(one, ald_geometry_create_repaired(first(knots), ALD_REPAIR_METHOD_LINEWORK, &one, &error));
  ald_spatial_reference german;
  const ald_point bavaria[2] = {{10, 48}, {12, 49}};
  const ald_transformation chosen = {0};
  ald_displacement found = ALD_DISPLACEMENT_INIT;
  ald_displacement_options options = ALD_DISPLACEMENT_OPTIONS_INIT;
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, NULL, 4314, &german, &error), &error);
  options.area = bavaria;
  options.area_count = 2;
  options.columns = options.rows = 300;
  CHECK_STATUS(
      ald_spatial_reference_measure_displacement(german, degrees, chosen, chosen, &options, &found, NULL, 0, &error),
      expected);
  CHECK(found.sample_count == (expected == ALD_STATUS_OK ? 90000 : 0));
  CHECK(expected == ALD_STATUS_OK || holds_text(error.message, "max_request_ms"));
}

#define EXPECT_STATUS(call) CHECK_STATUS(call, expected)

/* Measures, hulls, middles and questions. */
static void check_measures(ald_runtime runtime, ald_spatial_reference degrees, ald_status expected) {
  ald_error error;
  double number, numbers[1];
  uint32_t flag;
  ald_geometry one;
  ald_geometry_array array;
  ald_prepared_geometry prepared;
  ald_map map;
  ald_view view;
  ald_geometry_validity validity = ALD_GEOMETRY_VALIDITY_INIT;
  ald_measure_options sections = ALD_MEASURE_OPTIONS_INIT;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  const ald_geometry_array gears = ring(runtime, degrees, 8000, 1, 0.8), larges = ring(runtime, degrees, 60000, 1, 0.8);
  const ald_geometry gear = first(gears), large = first(larges), line = line_of(runtime, degrees, large);
  const ald_geometry huge = first(ring(runtime, degrees, 1000000, 1, 0.99999)); /* Each vertex is looked at once. */
  sections.kind = ALD_MEASURE_KIND_GEODESIC;
  sections.curve_type = ALD_CURVE_TYPE_NORMAL_SECTION;
  size.width_dip = size.height_dip = 500;
  EXPECT_STATUS(ald_geometry_area(gear, &sections, &number, &error));
  EXPECT_STATUS(ald_geometry_length(gear, &sections, &number, &error));
  EXPECT_STATUS(ald_geometry_array_areas(gears, &sections, numbers, 1, &error));
  EXPECT_STATUS(ald_geometry_array_lengths(gears, &sections, numbers, 1, &error));
  EXPECT_STATUS(ald_geometry_get_validity(large, 0, &validity, &error));
  EXPECT(prepared, ald_prepared_geometry_create(large, &prepared, &error));
  EXPECT(one, ald_geometry_create_boundary(huge, &one, &error));
  EXPECT(one, ald_geometry_create_centroid(huge, &one, &error));
  EXPECT(one, ald_geometry_create_point_on_surface(huge, &one, &error));
  EXPECT_STATUS(ald_geometry_minimum_clearance(gear, &number, &error));
  EXPECT(one, ald_geometry_create_convex_hull(line, &one, &error));
  EXPECT(array, ald_geometry_array_create_convex_hulls(larges, &array, &error));
  EXPECT(one, ald_geometry_create_minimum_rectangle(line, &one, &error));
  EXPECT(one, ald_geometry_create_merged_lines(line_of(runtime, degrees, huge), &one, &error));
  EXPECT(one, ald_geometry_create_enclosed_polygons(line, &one, &error));
  EXPECT_STATUS(ald_geometry_is_simple(line, &flag, &error));
  CHECK_OK(ald_map_create(runtime, degrees, &map, &error), &error);
  CHECK_OK(ald_view_create(map, &size, &view, &error), &error);
  EXPECT_STATUS(ald_view_zoom_to_geometry(view, huge, NULL, NULL, &error));
}

/* Graphics are projected and sorted into an index by the first call that looks for them. */
static void check_graphics(ald_runtime runtime, ald_spatial_reference degrees, ald_status expected) {
  enum { COUNT = 200000 };
  ald_error error;
  ald_spatial_reference mercator;
  ald_map map;
  ald_view view;
  ald_graphics_overlay overlay;
  ald_geometry_array points;
  ald_identify_result result;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  ald_geometry_columns given = ALD_GEOMETRY_COLUMNS_INIT;
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  const ald_point middle = {250, 250};
  uint64_t id;
  double(*places)[2] = malloc(COUNT * sizeof places[0]);
  if (!CHECK(places != NULL))
    return;
  for (int i = 0; i < COUNT; i++) {
    places[i][0] = 10 + i % 447 * 1e-4;
    places[i][1] = 50 + i / 447 * 1e-4;
  }
  size.width_dip = size.height_dip = 500;
  given.kind = ALD_GEOMETRY_KIND_POINT;
  given.geometry_count = given.vertex_count = COUNT;
  given.xy = &places[0][0];
  renderer.symbol.kind = ALD_SYMBOL_KIND_MARKER;
  renderer.symbol.size_dip = 10;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE;
  viewpoint.center = (ald_point){10.02, 50.02};
  viewpoint.spatial_reference = degrees;
  viewpoint.scale = 1e5;
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, NULL, 3857, &mercator, &error), &error);
  CHECK_OK(ald_map_create(runtime, mercator, &map, &error), &error);
  CHECK_OK(ald_view_create(map, &size, &view, &error), &error);
  CHECK_OK(ald_view_set_viewpoint(view, &viewpoint, &error), &error);
  CHECK_OK(ald_geometry_array_create(runtime, &given, degrees, &points, &error), &error);
  CHECK_OK(ald_graphics_overlay_create(runtime, NULL, &overlay, &error), &error);
  CHECK_OK(ald_graphics_overlay_set_renderer(overlay, &renderer, &error), &error);
  CHECK_OK(ald_view_add_graphics_overlay(view, overlay, &error), &error);
  CHECK_OK(ald_graphics_overlay_add_graphics(overlay, points, NULL, &id, &error), &error);
  EXPECT(result, ald_view_identify_graphics_overlay(view, overlay, middle, 5, 0, NULL, &result, &error));
  if (expected != ALD_STATUS_OK) {
    EXPECT(result, ald_view_identify_graphics_overlays(view, middle, 5, 0, NULL, &result, &error));
    EXPECT(result, ald_view_identify(view, middle, 5, 0, NULL, &result, &error));
    ald_request request;
    EXPECT(request, ald_view_identify_async(view, middle, 5, 0, NULL, NULL, &request, &error));
  }
  free(places);
}

/* Calls that take at least five milliseconds on a fast machine: the limit is one. */
static void check_calls(uint32_t milliseconds, ald_status expected) {
  ald_error error;
  const ald_runtime runtime = limited(milliseconds);
  const double distance = 500, narrow = 0.01;
  ald_spatial_reference degrees;
  ald_geometry_array stars, array;
  ald_geometry line, one;
  ald_geometry_columns given = ALD_GEOMETRY_COLUMNS_INIT;
  ald_densify_options dense = ALD_DENSIFY_OPTIONS_INIT;
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, NULL, 4326, &degrees, &error), &error);
  given.kind = ALD_GEOMETRY_KIND_POLYGON;
  given.geometry_count = given.part_count = given.path_count = STARS;
  given.vertex_count = ALL;
  given.part_offsets = given.path_offsets = first_of_star;
  given.vertex_offsets = first_vertex;
  given.xy = &xy[0][0];
  CHECK_OK(ald_geometry_array_create(runtime, &given, degrees, &stars, &error), &error);
  given.kind = ALD_GEOMETRY_KIND_POLYLINE;
  given.geometry_count = given.part_count = given.path_count = 1;
  given.part_offsets = given.path_offsets = given.vertex_offsets = NULL;
  CHECK_OK(ald_geometry_create(runtime, &given, degrees, &line, &error), &error);
  EXPECT(array, ald_geometry_array_create_geodesic_buffers(stars, &distance, 1, NULL, &array, NULL, &error));
  EXPECT(one, ald_geometry_array_create_geodesic_buffer_union(stars, &distance, 1, NULL, &one, NULL, &error));
  EXPECT(one, ald_geometry_create_geodesic_buffer(line, distance, NULL, &one, NULL, &error));
  EXPECT(array, ald_geometry_array_create_buffers(stars, &narrow, 1, NULL, &array, &error));
  EXPECT(one, ald_geometry_array_create_buffer_union(stars, &narrow, 1, NULL, &one, &error));
  EXPECT(one, ald_geometry_array_create_union(stars, 0, &one, &error));
  EXPECT(one, ald_geometry_create_generalized(line, 0.001, ALD_GENERALIZE_METHOD_PRESERVE_TOPOLOGY, &one, &error));
  dense.kind = ALD_MEASURE_KIND_GEODESIC;
  dense.maximum_deviation = 1e-3;
  EXPECT(one, ald_geometry_create_densified(line, &dense, &one, &error));
  EXPECT(array, ald_geometry_array_create_densified(stars, &dense, &array, &error));
  check_shapes(runtime, degrees, expected);
  check_measures(runtime, degrees, expected);
  check_graphics(runtime, degrees, expected);
  ald_runtime_release(runtime);
}

int main(void) {
  make_stars();
  check_calls(1, ALD_STATUS_LIMIT_EXCEEDED);
  check_calls(600000, ALD_STATUS_OK);
  return finish();
}

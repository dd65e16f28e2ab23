/* Calls in any order with any numbers, on a map with three rasters and a view: a byte names the call, those that follow
 * are its arguments. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const drivers[] = {"GTiff", NULL};
static const char *const files[] = {"geomatrix.tif", "cint16.tif", "lc.tif"};
static const int32_t codes[] = {3857, 4326, 27700, 32633, 3031, 2154, 5514, 3395};
enum { FILES = 3, CODES = 8, MOST_CALLS = 64, SAMPLES = 24 * 24 };

/* Made once: making them takes longer than all calls of an input. */
static ald_spatial_reference references[CODES];
static ald_raster rasters[FILES];

typedef struct world {
  ald_layer layers[FILES];
  ald_map map;
  ald_view view;
} world;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  fuzz_start(drivers);
  for (int i = 0; i < FILES; i++)
    fuzz_copy_raster(files[i], files[i]);
  for (int i = 0; i < FILES; i++)
    FUZZ_REQUIRE(ald_raster_open(fuzz_runtime, fuzz_path(files[i]), NULL, &rasters[i], NULL) == ALD_STATUS_OK);
  for (int i = 0; i < CODES; i++)
    FUZZ_REQUIRE(ald_spatial_reference_create_from_code(fuzz_runtime, NULL, codes[i], &references[i], NULL) ==
                 ALD_STATUS_OK);
  fuzz_started();
  return 0;
}

static void make(world *world, fuzz_input *input) {
  ald_error error;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  size.width_dip = 200;
  size.height_dip = 100;
  memset(world, 0, sizeof *world);
  const ald_spatial_reference reference = references[fuzz_byte(input) % CODES];
  FUZZ_REQUIRE(ald_map_create(fuzz_runtime, reference, &world->map, &error) == ALD_STATUS_OK);
  FUZZ_REQUIRE(ald_view_create(world->map, &size, &world->view, &error) == ALD_STATUS_OK);
  for (int i = 0; i < FILES; i++) {
    FUZZ_REQUIRE(ald_raster_layer_create(rasters[i], &world->layers[i], &error) == ALD_STATUS_OK);
    FUZZ_REQUIRE(ald_map_add_layer(world->map, world->layers[i], &error) == ALD_STATUS_OK);
  }
}

static void release(world *world) {
  ald_view_release(world->view);
  ald_map_release(world->map);
  for (int i = 0; i < FILES; i++) {
    ald_layer_release(world->layers[i]);
  }
}

static ald_point point(fuzz_input *input) {
  ald_point point;
  point.x = fuzz_double(input);
  point.y = fuzz_double(input);
  return point;
}

/* One of them, or null. */
static ald_spatial_reference reference(fuzz_input *input) {
  const unsigned choice = fuzz_byte(input) % (CODES + 1);
  return choice < CODES ? references[choice] : (ald_spatial_reference){0};
}

/* Of a byte of bits: values are left without theirs. */
enum { FORGETS_BITS = 128 };

static void look(world *world, fuzz_input *input) {
  ald_error error;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  const uint8_t bits = fuzz_byte(input);
  viewpoint.fields = bits & 7;
  viewpoint.center = point(input);
  viewpoint.spatial_reference = reference(input);
  viewpoint.scale = fuzz_double(input);
  viewpoint.rotation_deg = fuzz_double(input);
  /* A value without its bit is refused before anything else is looked at: not every time. */
  if (!(bits & (ALD_VIEWPOINT_HAS_CENTER | FORGETS_BITS)))
    viewpoint.center = (ald_point){0, 0};
  if (!(bits & (ALD_VIEWPOINT_HAS_SCALE | FORGETS_BITS)))
    viewpoint.scale = 0;
  if (!(bits & (ALD_VIEWPOINT_HAS_ROTATION | FORGETS_BITS)))
    viewpoint.rotation_deg = 0;
  fuzz_ok(ald_view_set_viewpoint(world->view, &viewpoint, &error), &error);
}

/* What the state says of screen and map holds of the two calls, and is finite. */
static void check_state(world *world) {
  ald_error error;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  if (!fuzz_ok(ald_view_get_state(world->view, &state, &error), &error))
    return;
  FUZZ_REQUIRE(isfinite(state.center.x) && isfinite(state.center.y) && isfinite(state.scale));
  FUZZ_REQUIRE(state.scale > 0 && state.units_per_dip > 0);
  FUZZ_REQUIRE(state.rotation_deg >= 0 && state.rotation_deg < 360);
  for (int i = 0; i < 4; i++)
    FUZZ_REQUIRE(isfinite(state.screen_to_map[i]) && isfinite(state.map_to_screen[i]));
}

static void convert(world *world, fuzz_input *input) {
  ald_error error;
  ald_point there = point(input), back;
  const size_t stride = fuzz_byte(input) % 3 * 8;
  if (fuzz_ok(ald_view_screen_to_map(world->view, &there.x, stride, 1, &back.x, 0, &error), &error))
    fuzz_ok(ald_view_map_to_screen(world->view, &back.x, 0, 1, &there.x, 0, &error), &error);
}

static void identify(world *world, fuzz_input *input) {
  ald_error error;
  ald_identify_result result;
  ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
  const ald_layer layer = world->layers[fuzz_byte(input) % FILES];
  const ald_point at = point(input);
  const double tolerance = fuzz_double(input);
  if (!fuzz_ok(ald_view_identify_layer(world->view, layer, at, tolerance, 1, NULL, &result, &error), &error))
    return;
  if (fuzz_ok(ald_identify_result_get_element_at(result, 0, &element, &error), &error))
    fuzz_text(element.text);
  ald_identify_result_release(result);
}

static void render(world *world, fuzz_input *input) {
  ald_error error;
  ald_rgba ramp[3] = {{0, 0, 0, 255}, {9, 9, 9, 9}, {255, 255, 255, 255}};
  ald_raster_renderer renderer = ALD_RASTER_RENDERER_INIT;
  renderer.kind = fuzz_int(input);
  const uint8_t bits = fuzz_byte(input);
  renderer.fields = bits & 15;
  renderer.ramp_count = fuzz_byte(input) % 4;
  renderer.ramp = renderer.ramp_count ? ramp : NULL;
  for (int i = 0; i < 3; i++)
    renderer.bands[i] = fuzz_int(input);
  renderer.minimum = fuzz_double(input);
  renderer.maximum = fuzz_double(input);
  renderer.gamma = fuzz_double(input);
  renderer.azimuth_deg = fuzz_double(input);
  renderer.altitude_deg = fuzz_double(input);
  renderer.z_factor = fuzz_double(input);
  if (!(bits & (ALD_RASTER_RENDERER_HAS_RANGE | FORGETS_BITS)))
    renderer.minimum = renderer.maximum = 0;
  if (!(bits & (ALD_RASTER_RENDERER_HAS_AZIMUTH | FORGETS_BITS)))
    renderer.azimuth_deg = 0;
  if (!(bits & (ALD_RASTER_RENDERER_HAS_ALTITUDE | FORGETS_BITS)))
    renderer.altitude_deg = 0;
  fuzz_ok(ald_raster_layer_set_renderer(world->layers[fuzz_byte(input) % FILES], &renderer, &error), &error);
}

/* Reads a grid into a buffer of exactly the size that is passed, so that a byte too many is seen. */
static void picture(world *world, fuzz_input *input) {
  ald_error error;
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  grid.flags = fuzz_byte(input) & 7;
  grid.left_dip = fuzz_double(input);
  grid.top_dip = fuzz_double(input);
  grid.width_dip = fuzz_double(input);
  grid.height_dip = fuzz_double(input);
  grid.columns = fuzz_int(input);
  grid.rows = fuzz_int(input);
  const ald_layer layer = world->layers[fuzz_byte(input) % FILES];
  const size_t size = (size_t)fuzz_byte(input) * 64, stride = (size_t)fuzz_byte(input) * 8;
  double *values = malloc(size + 8);
  int32_t columns = 0, rows = 0;
  FUZZ_REQUIRE(values);
  fuzz_ok(ald_view_grid_size(world->view, &grid, &columns, &rows, &error), &error);
  uint8_t *verdicts = columns > 0 && rows > 0 && columns <= SAMPLES / rows ? malloc((size_t)columns * (size_t)rows) : 0;
  fuzz_ok(ald_view_read_rgba(world->view, layer, &grid, (uint8_t *)values, stride, size, verdicts, &error), &error);
  fuzz_ok(ald_view_read_values(world->view, layer, &grid, fuzz_int(input), values, stride, size, verdicts, &error),
          &error);
  free(verdicts);
  free(values);
}

static void read(world *world, fuzz_input *input) {
  (void)world;
  ald_error error;
  ald_cell cells[2];
  ald_band_value values[2];
  const ald_raster raster = rasters[fuzz_byte(input) % FILES];
  const ald_cell_index indexes[2] = {{fuzz_int(input), fuzz_int(input)}, {fuzz_int(input), fuzz_int(input)}};
  const ald_point points[2] = {point(input), point(input)};
  const ald_spatial_reference in = reference(input);
  fuzz_ok(ald_raster_read_cells(raster, indexes, 2, cells, values, 2, &error), &error);
  fuzz_ok(ald_raster_read_points(raster, in, &points[0].x, 0, 2, cells, values, 2, &error), &error);
}

/* Windows, profiles and polygons of a raster. */
static void sample(world *world, fuzz_input *input) {
  (void)world;
  enum { SAMPLED = 64 };
  ald_error error;
  double values[SAMPLED];
  uint8_t verdicts[SAMPLED];
  ald_profile_sample samples[SAMPLED];
  ald_class_count classes[SAMPLED];
  ald_polygon_statistics statistics = ALD_POLYGON_STATISTICS_INIT;
  ald_raster_window window = ALD_RASTER_WINDOW_INIT;
  const ald_raster raster = rasters[fuzz_byte(input) % FILES];
  const ald_spatial_reference in = reference(input);
  const ald_point ring[4] = {point(input), point(input), point(input), point(input)};
  const size_t starts[2] = {0, fuzz_byte(input) % 5};
  const size_t ring_count = fuzz_byte(input) % 3;
  size_t count = 0;
  if (fuzz_ok(ald_raster_window_around(raster, in, ring[0], fuzz_int(input), fuzz_int(input), &window, &error),
              &error)) {
    int32_t columns = 0, rows = 0;
    if (fuzz_ok(ald_raster_window_size(raster, &window, &columns, &rows, &error), &error) && columns > 0 && rows > 0 &&
        columns <= SAMPLED / rows)
      fuzz_ok(ald_raster_read_window(raster, 1, &window, NULL, values, 0, sizeof values, verdicts, &error), &error);
  }
  fuzz_ok(ald_raster_read_samples(raster, in, 1, &ring[0].x, 0, 4, NULL, values, verdicts, &error), &error);
  if (fuzz_ok(ald_raster_read_profile(raster, in, 1, &ring[0].x, 0, 4, NULL, samples, SAMPLED, &count, &error), &error))
    FUZZ_REQUIRE(count <= SAMPLED);
  fuzz_ok(ald_raster_read_polygon_statistics(raster, in, 1, &ring[0].x, 0, 4, starts, ring_count, NULL, &statistics,
                                             &error),
          &error);
  fuzz_ok(ald_raster_read_polygon_classes(raster, in, 1, &ring[0].x, 0, 4, starts, ring_count, NULL, classes, SAMPLED,
                                          &count, &error),
          &error);
}

static void project(world *world, fuzz_input *input) {
  (void)world;
  ald_error error;
  ald_projection_info info = ALD_PROJECTION_INFO_INIT;
  ald_point points[2] = {point(input), point(input)};
  ald_point_status statuses[2];
  const ald_spatial_reference from = reference(input), to = reference(input);
  fuzz_ok(ald_spatial_reference_get_projection_info(from, to, points[0], &info, &error), &error);
  fuzz_ok(ald_spatial_reference_project_points(from, to, &points[0].x, 0, 2, &points[0].x, 0, statuses, &error),
          &error);
}

static void size(world *world, fuzz_input *input) {
  ald_error error;
  const double width = fuzz_double(input), height = fuzz_double(input), density = fuzz_double(input);
  fuzz_ok(ald_view_set_size(world->view, width, height, density, &error), &error);
  const ald_insets insets = {fuzz_double(input), fuzz_double(input), fuzz_double(input), fuzz_double(input)};
  fuzz_ok(ald_view_set_insets(world->view, &insets, &error), &error);
}

/* Layers come and go; a handle that is released is used again and again. */
static void arrange(world *world, fuzz_input *input) {
  ald_error error;
  const ald_layer layer = world->layers[fuzz_byte(input) % FILES];
  switch (fuzz_byte(input) % 5) {
  case 0:
    fuzz_ok(ald_map_add_layer(world->map, layer, &error), &error);
    break;
  case 1:
    fuzz_ok(ald_map_remove_layer(world->map, layer, &error), &error);
    break;
  case 2:
    fuzz_ok(ald_layer_set_visible(layer, fuzz_byte(input) & 1, &error), &error);
    break;
  case 3:
    ald_layer_release(layer);
    break;
  default:
    ald_view_release(world->view);
    break;
  }
}

static void (*const calls[])(world *, fuzz_input *) = {look, convert, identify, render,  picture,
                                                       read, project, size,     arrange, sample};
enum { CALLS = sizeof calls / sizeof calls[0] };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input input = {data, size};
  world world;
  fuzz_begin();
  make(&world, &input);
  for (int i = 0; i < MOST_CALLS && input.left > 0; i++) {
    calls[fuzz_byte(&input) % CALLS](&world, &input);
    check_state(&world);
  }
  release(&world);
  fuzz_end();
  return 0;
}

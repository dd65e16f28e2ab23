/*
 * One tap with all of its evidence: on layers of polygons and of points of three sizes, on graphics, on all layers of a
 * map, and while the view moves. The scale is the same everywhere, so that each tap hits about three features.
 *
 *   bench_identify FOLDER [PART]
 *
 * Makes FlatGeobufs in the folder, if they are not there. A tap identifies with 4 DIP of tolerance, and reads the
 * element, its evidence and its attributes of each hit. Times are in nanoseconds. Checksums are how many hits all taps
 * have.
 */
#include "feature_files.h"

enum { TAPS = 4000, FRAMES = 1200, CORNERS = 8, WIDTH = 1200, HEIGHT = 800, MOST = 100 };
#define UNITS_PER_DIP 10.0
#define TOLERANCE_DIP 4.0
/* Taps lie in a square of this size in the middle of the view. */
#define TAPPED_DIP 300.0

/* A map in Web Mercator with a view. */
typedef struct stage {
  ald_runtime runtime;
  ald_spatial_reference wgs84;
  ald_map map;
  ald_view view;
} stage;

static stage set_up(void) {
  stage stage;
  ald_error error;
  ald_spatial_reference mercator;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  size.width_dip = WIDTH;
  size.height_dip = HEIGHT;
  must(ald_runtime_create(NULL, &stage.runtime, &error), &error);
  must(ald_spatial_reference_create_from_code(stage.runtime, NULL, 4326, &stage.wgs84, &error), &error);
  must(ald_spatial_reference_create_from_code(stage.runtime, NULL, 3857, &mercator, &error), &error);
  must(ald_map_create(stage.runtime, mercator, &stage.map, &error), &error);
  must(ald_view_create(stage.map, &size, &stage.view, &error), &error);
  return stage;
}

static void look(const stage *stage, ald_point center) {
  ald_error error;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE;
  viewpoint.center = center;
  viewpoint.scale = UNITS_PER_DIP * 96 / 0.0254;
  must(ald_view_set_viewpoint(stage->view, &viewpoint, &error), &error);
}

static ald_graphics_renderer renderer_of(OGRwkbGeometryType kind) {
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol.kind = kind == wkbPoint     ? ALD_SYMBOL_KIND_MARKER
                         : kind == wkbPolygon ? ALD_SYMBOL_KIND_FILL
                                              : ALD_SYMBOL_KIND_LINE;
  renderer.symbol.color = renderer.symbol.line_color = (ald_rgba){255, 0, 0, 255};
  renderer.symbol.size_dip = 6;
  renderer.symbol.line_width_dip = kind == wkbPoint ? 0 : 1;
  return renderer;
}

static ald_layer add_layer(const stage *stage, const char *folder, OGRwkbGeometryType kind, uint32_t count) {
  char path[512];
  ald_error error;
  ald_feature_source source;
  ald_layer layer;
  const char *name = kind == wkbPoint ? "points" : kind == wkbPolygon ? "polygons" : "lines";
  const ald_graphics_renderer renderer = renderer_of(kind);
  snprintf(path, sizeof path, "%s/identify_%s_%u.fgb", folder, name, count);
  make_file(path, kind, CORNERS, count, count);
  must(ald_feature_source_open(stage->runtime, path, NULL, &source, &error), &error);
  must(ald_feature_source_build_index(source, &error), &error);
  must(ald_feature_layer_create(source, &layer, &error), &error);
  must(ald_feature_layer_set_renderer(layer, &renderer, &error), &error);
  must(ald_map_add_layer(stage->map, layer, &error), &error);
  ald_feature_source_release(source);
  return layer;
}

static void draw(const stage *stage, ald_layer layer) {
  ald_error error;
  ald_overlay_drawing drawing;
  must(ald_view_create_feature_drawing(stage->view, layer, NULL, &drawing, &error), &error);
  ald_overlay_drawing_release(drawing);
}

/* Reads what a host reads of each element. */
static uint32_t read_result(ald_identify_result result) {
  ald_error error;
  ald_identify_result_info info = ALD_IDENTIFY_RESULT_INFO_INIT;
  must(ald_identify_result_get_info(result, &info, &error), &error);
  for (uint32_t index = 0; index < info.element_count; index++) {
    ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
    ald_identify_evidence evidence = ALD_IDENTIFY_EVIDENCE_INIT;
    must(ald_identify_result_get_element_at(result, index, &element, &error), &error);
    if (element.kind != ALD_ELEMENT_KIND_RASTER_CELL)
      must(ald_identify_result_get_evidence_at(result, index, &evidence, &error), &error);
    for (uint32_t number = 0; number < element.attribute_count; number++) {
      ald_attribute attribute = ALD_ATTRIBUTE_INIT;
      must(ald_identify_result_get_attribute_at(result, index, number, &attribute, &error), &error);
    }
  }
  return info.element_count;
}

/* What is tapped on: a layer, an overlay, or everything if both are null. */
typedef struct target {
  ald_layer layer;
  ald_graphics_overlay overlay;
} target;

static double tap(const stage *stage, target target, ald_point point, size_t *hits) {
  ald_error error;
  ald_identify_result result;
  const double start = now_ns();
  if (target.layer.id != 0)
    must(ald_view_identify_layer(stage->view, target.layer, point, TOLERANCE_DIP, MOST, NULL, &result, &error), &error);
  else if (target.overlay.id != 0)
    must(ald_view_identify_graphics_overlay(stage->view, target.overlay, point, TOLERANCE_DIP, MOST, NULL, &result,
                                            &error),
         &error);
  else
    must(ald_view_identify(stage->view, point, TOLERANCE_DIP, MOST, NULL, &result, &error), &error);
  *hits += read_result(result);
  ald_identify_result_release(result);
  return now_ns() - start;
}

static ald_point screen_point(uint64_t *state) {
  const double x = WIDTH / 2 + TAPPED_DIP * (random_unit(state) - 0.5);
  return (ald_point){x, HEIGHT / 2 + TAPPED_DIP * (random_unit(state) - 0.5)};
}

static void report(const char *name, double *times, size_t count, size_t hits) {
  char label[96];
  snprintf(label, sizeof label, "tap_%s_median", name);
  result(label, percentile(times, count, 50));
  snprintf(label, sizeof label, "tap_%s_p99", name);
  result(label, percentile(times, count, 99));
  snprintf(label, sizeof label, "tap_%s_checksum", name);
  result(label, (double)hits);
}

/* Taps all over the view. */
static void measure(const char *name, const stage *stage, target target, uint32_t taps) {
  static double times[TAPS];
  size_t hits = 0, warm = 0;
  uint64_t state = TAPS;
  tap(stage, target, (ald_point){1, 1}, &warm);
  for (uint32_t i = 0; i < taps; i++)
    times[i] = tap(stage, target, screen_point(&state), &hits);
  report(name, times, taps, hits);
}

/* A layer alone on its map. */
static void measure_layer(const char *folder, OGRwkbGeometryType kind, uint32_t count, const char *name) {
  char label[64];
  stage stage = set_up();
  const target target = {.layer = add_layer(&stage, folder, kind, count)};
  look(&stage, (ald_point){0, 0});
  draw(&stage, target.layer);
  snprintf(label, sizeof label, "%s_%u", name, count);
  measure(label, &stage, target, TAPS);
  ald_runtime_release(stage.runtime);
}

/* Features that no drawing has read: each tap reads them from the file. */
static void measure_undrawn(const char *folder, uint32_t count) {
  stage stage = set_up();
  const target target = {.layer = add_layer(&stage, folder, wkbPolygon, count)};
  look(&stage, (ald_point){0, 0});
  measure("undrawn", &stage, target, 1000);
  ald_runtime_release(stage.runtime);
}

static ald_graphics_overlay add_overlay(const stage *stage, uint32_t count) {
  ald_error error;
  ald_graphics_overlay overlay;
  ald_geometry_array array;
  uint64_t first, state = count;
  const ald_graphics_renderer renderer = renderer_of(wkbPoint);
  double *places = malloc(count * 2 * sizeof *places);
  check(places != NULL, "memory");
  for (uint32_t i = 0; i < count; i++) {
    double radius;
    const ald_point place = on_globe(middle_of(&state, side_of(count), &radius));
    places[2 * i] = place.x;
    places[2 * i + 1] = place.y;
  }
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.kind = ALD_GEOMETRY_KIND_POINT;
  columns.geometry_count = columns.vertex_count = count;
  columns.xy = places;
  must(ald_geometry_array_create(stage->runtime, &columns, stage->wgs84, &array, &error), &error);
  must(ald_graphics_overlay_create(stage->runtime, NULL, &overlay, &error), &error);
  must(ald_graphics_overlay_set_renderer(overlay, &renderer, &error), &error);
  must(ald_view_add_graphics_overlay(stage->view, overlay, &error), &error);
  must(ald_graphics_overlay_add_graphics(overlay, array, NULL, &first, &error), &error);
  ald_geometry_array_release(array);
  free(places);
  return overlay;
}

static void measure_overlay(uint32_t count) {
  char label[64];
  stage stage = set_up();
  const target target = {.overlay = add_overlay(&stage, count)};
  look(&stage, (ald_point){0, 0});
  snprintf(label, sizeof label, "graphics_%u", count);
  measure(label, &stage, target, TAPS);
  ald_runtime_release(stage.runtime);
}

/* A raster of the same size as the features, in Web Mercator. */
static void make_raster(const char *path, double side) {
  enum { CELLS = 512 };
  static float row[CELLS];
  FILE *there = fopen(path, "rb");
  if (there != NULL) {
    fclose(there);
    return;
  }
  OGRSpatialReferenceH mercator = OSRNewSpatialReference(NULL);
  check(OSRImportFromEPSG(mercator, 3857) == OGRERR_NONE, "EPSG:3857");
  GDALDatasetH data = GDALCreate(GDALGetDriverByName("GTiff"), path, CELLS, CELLS, 1, GDT_Float32, NULL);
  check(data != NULL, path);
  double transform[6] = {-side / 2, side / CELLS, 0, side / 2, 0, -side / CELLS};
  GDALSetGeoTransform(data, transform);
  GDALSetSpatialRef(data, mercator);
  for (int y = 0; y < CELLS; y++) {
    for (int x = 0; x < CELLS; x++)
      row[x] = (float)(x + y);
    check(GDALRasterIO(GDALGetRasterBand(data, 1), GF_Write, 0, y, CELLS, 1, row, CELLS, 1, GDT_Float32, 0, 0) ==
              CE_None,
          path);
  }
  GDALClose(data);
  OSRDestroySpatialReference(mercator);
}

/* A raster, polygons, lines and points: everything under a finger. */
static void measure_all(const char *folder) {
  char path[512];
  enum { COUNT = 100000 };
  ald_error error;
  ald_layer raster;
  stage stage = set_up();
  snprintf(path, sizeof path, "%s/identify_raster.tif", folder);
  make_raster(path, side_of(COUNT));
  must(ald_raster_layer_create_from_path(stage.runtime, path, NULL, &raster, &error), &error);
  must(ald_map_add_layer(stage.map, raster, &error), &error);
  must(ald_layer_load(raster, &error), &error);
  look(&stage, (ald_point){0, 0});
  draw(&stage, add_layer(&stage, folder, wkbPolygon, COUNT));
  draw(&stage, add_layer(&stage, folder, wkbLineString, COUNT));
  draw(&stage, add_layer(&stage, folder, wkbPoint, COUNT));
  measure("all", &stage, (target){{0}, {0}}, TAPS);
  ald_runtime_release(stage.runtime);
}

/* Ten seconds of a finger that pans at 120 Hz: each frame is drawn and tapped on; the tap alone is timed. */
static void measure_panning(const char *folder) {
  static double times[FRAMES];
  enum { COUNT = 1000000 };
  stage stage = set_up();
  const target target = {.layer = add_layer(&stage, folder, wkbPolygon, COUNT)};
  size_t hits = 0;
  uint64_t state = FRAMES;
  for (int frame = 0; frame < FRAMES; frame++) {
    const double way = UNITS_PER_DIP * (frame - FRAMES / 2);
    look(&stage, (ald_point){4 * way, way});
    draw(&stage, target.layer);
    times[frame] = tap(&stage, target, screen_point(&state), &hits);
  }
  report("panning", times, FRAMES, hits);
  ald_runtime_release(stage.runtime);
}

/* only: NULL, or the name of the one part that is measured: "layers_1000", "graphics". */
static bool is_wanted(const char *only, const char *part, uint32_t size) {
  char name[64];
  snprintf(name, sizeof name, size != 0 ? "%s_%u" : "%s", part, size);
  return only == NULL || strcmp(only, name) == 0;
}

int main(int count, char **arguments) {
  if (count < 2 || count > 3)
    return 2;
  const char *folder = arguments[1], *only = count > 2 ? arguments[2] : NULL;
  static const uint32_t sizes[] = {1000, 100000, 5000000};
  GDALAllRegister();
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    if (is_wanted(only, "layers", sizes[i])) {
      measure_layer(folder, wkbPolygon, sizes[i], "polygons");
      measure_layer(folder, wkbPoint, sizes[i], "points");
    }
  }
  if (is_wanted(only, "undrawn", 0))
    measure_undrawn(folder, 100000);
  if (is_wanted(only, "graphics", 0)) {
    measure_overlay(1000);
    measure_overlay(100000);
  }
  if (is_wanted(only, "all", 0))
    measure_all(folder);
  if (is_wanted(only, "panning", 0))
    measure_panning(folder);
  return 0;
}

/* Asks an open raster for everything that the interface returns, and requires that the results agree. */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More bands than that are opened, but not read. */
enum { MOST_BANDS = 64, MOST_ROWS = 40, MOST_ENTRIES = 1 << 16 };

void fuzz_spatial_reference(ald_spatial_reference reference) {
  ald_error error;
  ald_spatial_reference_info info = ALD_SPATIAL_REFERENCE_INFO_INIT;
  size_t size = 0;
  FUZZ_REQUIRE(ald_spatial_reference_get_info(reference, &info, &error) == ALD_STATUS_OK);
  fuzz_text(info.name);
  fuzz_text(info.authority);
  fuzz_text(info.code);
  fuzz_text(info.unit_name);
  FUZZ_REQUIRE(info.metres_per_unit > 0 && isfinite(info.metres_per_unit));
  FUZZ_REQUIRE(ald_spatial_reference_get_wkt(reference, NULL, 0, &size, &error) == ALD_STATUS_OK && size > 0);
  char *wkt = malloc(size);
  FUZZ_REQUIRE(wkt);
  FUZZ_REQUIRE(ald_spatial_reference_get_wkt(reference, wkt, size, NULL, &error) == ALD_STATUS_OK);
  FUZZ_REQUIRE(strlen(wkt) == size - 1);
  free(wkt);
}

static void explore_table(ald_raster raster, int32_t band, const ald_band_info *info) {
  ald_error error;
  for (int32_t column = 0; column < info->table_column_count; column++) {
    ald_table_column head = ALD_TABLE_COLUMN_INIT;
    FUZZ_REQUIRE(ald_raster_get_table_column(raster, band, column, &head, &error) == ALD_STATUS_OK);
    fuzz_text(head.name);
    for (int32_t row = 0; row < info->table_row_count && row < MOST_ROWS; row++) {
      ald_table_value value = ALD_TABLE_VALUE_INIT;
      FUZZ_REQUIRE(ald_raster_get_table_value(raster, band, row, column, &value, &error) == ALD_STATUS_OK);
      FUZZ_REQUIRE(value.type == head.type);
      fuzz_text(value.text);
    }
  }
  ald_table_value none = ALD_TABLE_VALUE_INIT;
  FUZZ_REQUIRE(ald_raster_get_table_value(raster, band, info->table_row_count, 0, &none, &error) ==
               ALD_STATUS_NOT_FOUND);
}

static void explore_band(ald_raster raster, int32_t band) {
  ald_error error;
  ald_band_info info = ALD_BAND_INFO_INIT;
  FUZZ_REQUIRE(ald_raster_get_band_info(raster, band, &info, &error) == ALD_STATUS_OK);
  fuzz_text(info.unit);
  fuzz_text(info.description);
  FUZZ_REQUIRE(info.block_width > 0 && info.block_height > 0);
  FUZZ_REQUIRE(info.category_count >= 0 && info.color_count >= 0 && info.overview_count >= 0);
  for (int32_t i = 0; i < info.category_count && i < MOST_ENTRIES; i++)
    fuzz_text(info.category_names[i]);
  volatile unsigned sum = 0;
  for (int32_t i = 0; i < info.color_count; i++)
    sum += info.colors[i].red + info.colors[i].alpha;
  for (int32_t i = -1; i <= info.overview_count && i < MOST_ROWS; i++) {
    int32_t width, height;
    fuzz_ok(ald_raster_get_overview_size(raster, band, (uint32_t)i, &width, &height, &error), &error);
  }
  explore_table(raster, band, &info);
}

static void explore_cells(ald_raster raster, const ald_raster_info *info) {
  enum { COUNT = 8 };
  static ald_band_value values[COUNT * MOST_BANDS];
  ald_error error;
  ald_cell cells[COUNT];
  const int32_t w = info->width, h = info->height;
  const ald_cell_index indexes[COUNT] = {{0, 0},     {w - 1, h - 1}, {w / 2, h / 2}, {-1, 0},
                                         {0, h - 1}, {w, h},         {w / 3, 0},     {INT32_MAX, INT32_MIN}};
  double points[2 * COUNT];
  const double *g = info->geotransform;
  for (int i = 0; i < COUNT; i++) {
    const double column = indexes[i].column + 0.5, row = indexes[i].row + 0.5;
    points[2 * i] = g[0] + column * g[1] + row * g[2];
    points[2 * i + 1] = g[3] + column * g[4] + row * g[5];
  }
  const size_t room = (size_t)COUNT * (size_t)info->band_count;
  if (fuzz_ok(ald_raster_read_cells(raster, indexes, COUNT, cells, values, room, &error), &error)) {
    for (int i = 0; i < COUNT; i++) {
      const int inside = indexes[i].column >= 0 && indexes[i].row >= 0 && indexes[i].column < w && indexes[i].row < h;
      FUZZ_REQUIRE(inside == (cells[i].verdict != ALD_CELL_VERDICT_OUTSIDE));
      FUZZ_REQUIRE(cells[i].column == (inside ? indexes[i].column : -1));
    }
  }
  const ald_spatial_reference own = {0};
  fuzz_ok(ald_raster_read_points(raster, own, points, 0, COUNT, cells, values, room, &error), &error);
}

static void explore_outline(ald_raster raster, ald_spatial_reference reference) {
  ald_error error;
  ald_point ring[4 * 5 + 1];
  size_t count = 0;
  if (fuzz_ok(ald_raster_get_outline(raster, reference, 5, ring, 21, &count, &error), &error))
    FUZZ_REQUIRE(count == 21);
}

static void explore_pictures(ald_view view, ald_layer layer) {
  enum { COLUMNS = 12, ROWS = 9 };
  ald_error error;
  uint8_t pixels[COLUMNS * ROWS * 4], verdicts[COLUMNS * ROWS];
  double values[COLUMNS * ROWS];
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  grid.columns = COLUMNS;
  grid.rows = ROWS;
  for (int32_t kind = ALD_RASTER_RENDERER_KIND_AUTOMATIC; kind <= ALD_RASTER_RENDERER_KIND_HILLSHADE; kind++) {
    ald_raster_renderer renderer = ALD_RASTER_RENDERER_INIT;
    renderer.kind = kind;
    grid.flags = kind == ALD_RASTER_RENDERER_KIND_STRETCH ? ALD_SCREEN_GRID_OVERVIEWS : 0;
    if (fuzz_ok(ald_raster_layer_set_renderer(layer, &renderer, &error), &error))
      fuzz_ok(ald_view_read_rgba(view, layer, &grid, pixels, 0, sizeof pixels, verdicts, &error), &error);
  }
  grid.flags = ALD_SCREEN_GRID_SCALED;
  fuzz_ok(ald_view_read_values(view, layer, &grid, 1, values, 0, sizeof values, verdicts, &error), &error);
}

static void explore_identify(ald_view view, ald_layer layer, int32_t band_count) {
  static ald_band_value values[MOST_BANDS];
  ald_error error;
  ald_cell cell;
  ald_identify_result result;
  ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
  ald_identify_cell found = ALD_IDENTIFY_CELL_INIT;
  const ald_point middle = {32, 24};
  const int has_cell =
      fuzz_ok(ald_view_read_cell(view, layer, middle, &cell, values, (size_t)band_count, &error), &error);
  if (!fuzz_ok(ald_view_identify_layer(view, layer, middle, 0, 1, NULL, &result, &error), &error))
    return;
  if (fuzz_ok(ald_identify_result_get_element_at(result, 0, &element, &error), &error)) {
    FUZZ_REQUIRE(ald_identify_result_get_cell_at(result, 0, &found, &error) == ALD_STATUS_OK);
    FUZZ_REQUIRE(has_cell && found.column == cell.column && found.row == cell.row);
    FUZZ_REQUIRE(found.verdict == cell.verdict);
    fuzz_text(element.text);
    for (uint32_t i = 0; i < element.attribute_count; i++) {
      ald_attribute attribute = ALD_ATTRIBUTE_INIT, named = ALD_ATTRIBUTE_INIT;
      FUZZ_REQUIRE(ald_identify_result_get_attribute_at(result, 0, i, &attribute, &error) == ALD_STATUS_OK);
      fuzz_text(attribute.text);
      fuzz_text(attribute.name);
      /* Names are unique within an element. */
      FUZZ_REQUIRE(ald_identify_result_find_attribute(result, 0, attribute.name, &named, &error) == ALD_STATUS_OK);
      FUZZ_REQUIRE(named.text == attribute.text);
    }
  }
  ald_identify_result_release(result);
}

static void explore_view(ald_raster raster, const ald_raster_info *info, ald_spatial_reference reference) {
  ald_error error;
  ald_layer layer;
  ald_map map;
  ald_view view;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  size.width_dip = 64;
  size.height_dip = 48;
  if (!fuzz_ok(ald_raster_layer_create(raster, &layer, &error), &error))
    return; /* It cannot be placed. */
  FUZZ_REQUIRE(ald_map_create(fuzz_runtime, reference, &map, &error) == ALD_STATUS_OK);
  FUZZ_REQUIRE(ald_map_add_layer(map, layer, &error) == ALD_STATUS_OK);
  FUZZ_REQUIRE(ald_view_create(map, &size, &view, &error) == ALD_STATUS_OK);
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE;
  viewpoint.center.x = (info->extent.x_min + info->extent.x_max) / 2;
  viewpoint.center.y = (info->extent.y_min + info->extent.y_max) / 2;
  /* The raster's own; where it has none, its coordinates are taken for the map's. */
  fuzz_ok(ald_raster_get_spatial_reference(raster, &viewpoint.spatial_reference, &error), &error);
  viewpoint.scale = 1e5;
  if (fuzz_ok(ald_view_set_viewpoint(view, &viewpoint, &error), &error)) {
    explore_identify(view, layer, info->band_count);
    explore_pictures(view, layer);
    double coverage;
    fuzz_ok(ald_view_get_layer_coverage(view, layer, &coverage, &error), &error);
  }
  ald_view_release(view);
  ald_map_release(map);
  ald_layer_release(layer);
}

void fuzz_explore(ald_raster raster) {
  ald_error error;
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  ald_spatial_reference own;
  FUZZ_REQUIRE(ald_raster_get_info(raster, &info, &error) == ALD_STATUS_OK);
  FUZZ_REQUIRE(info.width > 0 && info.height > 0 && info.band_count > 0);
  fuzz_text(info.path);
  fuzz_text(info.driver);
  for (int32_t i = 0; i < info.subdataset_count && i < MOST_ROWS; i++) {
    const char *name;
    FUZZ_REQUIRE(ald_raster_get_subdataset_at(raster, (uint32_t)i, &name, &error) == ALD_STATUS_OK);
    fuzz_text(name);
  }
  for (int32_t band = 1; band <= info.band_count && band <= MOST_BANDS; band++)
    explore_band(raster, band);
  if (info.band_count <= MOST_BANDS) {
    explore_cells(raster, &info);
    explore_outline(raster, (ald_spatial_reference){0});
    explore_outline(raster, fuzz_geographic);
    explore_view(raster, &info, fuzz_mercator);
    if (fuzz_ok(ald_raster_get_spatial_reference(raster, &own, &error), &error)) {
      fuzz_spatial_reference(own);
      explore_view(raster, &info, own);
    }
  }
}

/* Opens a name, perhaps with a spatial reference in place of the file's own. Returns whether the file has one. */
static int open_with(const char *name, const ald_raster_open_options *options) {
  ald_error error;
  ald_raster raster;
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  if (!fuzz_ok(ald_raster_open(fuzz_runtime, name, options, &raster, &error), &error))
    return 1;
  FUZZ_REQUIRE(ald_raster_get_info(raster, &info, &error) == ALD_STATUS_OK);
  const int is_placed = info.has_spatial_reference != 0;
  fuzz_explore(raster);
  ald_raster_release(raster);
  return is_placed;
}

void fuzz_open(const char *name) {
  ald_raster_open_options options = ALD_RASTER_OPEN_OPTIONS_INIT;
  options.spatial_reference = fuzz_utm;
  if (!open_with(name, NULL))
    open_with(name, &options);
}

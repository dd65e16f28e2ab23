/* Results whose size the host does not know: the host asks first, or gives a buffer and learns the size. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

static void test_wkt(const scene *scene) {
  ald_error error;
  const ald_spatial_reference reference = scene->spatial_reference;
  size_t size = 0, same_size = 0;
  CHECK_OK(ald_spatial_reference_get_wkt(reference, NULL, 0, &size, &error), &error);
  CHECK(size > 100);
  char *text = malloc(size + 8);
  memset(text, '#', size + 8);
  CHECK_OK(ald_spatial_reference_get_wkt(reference, text, size, &same_size, &error), &error);
  CHECK(same_size == size);
  CHECK(strlen(text) == size - 1);
  CHECK(memcmp(text + size, "########", 8) == 0);
  CHECK(holds_text(text, "PROJCRS["));

  memset(text, '#', size);
  CHECK_STATUS(ald_spatial_reference_get_wkt(reference, text, size - 1, &same_size, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(same_size == size);
  CHECK(text[0] == '#' && text[size - 1] == '#');
  CHECK_STATUS(ald_spatial_reference_get_wkt(reference, text, size - 1, NULL, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_STATUS(ald_spatial_reference_get_wkt(reference, text, 0, &same_size, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_OK(ald_spatial_reference_get_wkt(reference, text, size + 8, NULL, &error), &error);
  CHECK(strlen(text) == size - 1);

  CHECK_STATUS(ald_spatial_reference_get_wkt(reference, NULL, 0, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_spatial_reference_get_wkt(reference, NULL, size, &same_size, &error), ALD_STATUS_INVALID_ARGUMENT);
  free(text);
}

/* Every form of a spatial reference's text. Nothing is written for a form that does not exist. */
static void test_spatial_reference_texts(const scene *scene) {
  ald_error error;
  ald_spatial_reference solid;
  CHECK_OK(ald_spatial_reference_create(scene->runtime, "EPSG:4979", &solid, &error), &error);
  for (ald_spatial_reference_format form = ALD_SPATIAL_REFERENCE_FORMAT_WKT2_2019;
       form <= ALD_SPATIAL_REFERENCE_FORMAT_PROJ_STRING; form++) {
    size_t size = 0, same_size = 0;
    CHECK_OK(ald_spatial_reference_get_text(scene->spatial_reference, form, NULL, 0, &size, &error), &error);
    CHECK(size > 20);
    char *text = malloc(size);
    memset(text, '#', size);
    CHECK_STATUS(ald_spatial_reference_get_text(scene->spatial_reference, form, text, size - 1, &same_size, &error),
                 ALD_STATUS_BUFFER_TOO_SMALL);
    CHECK(same_size == size);
    CHECK(text[0] == '#' && text[size - 1] == '#');
    CHECK_OK(ald_spatial_reference_get_text(scene->spatial_reference, form, text, size, NULL, &error), &error);
    CHECK(strlen(text) == size - 1);
    ald_spatial_reference again;
    ald_spatial_reference_relation relation = 0;
    CHECK_OK(ald_spatial_reference_create(scene->runtime, text, &again, &error), &error);
    CHECK_OK(ald_spatial_reference_compare(again, scene->spatial_reference, &relation, &error), &error);
    CHECK(relation == ALD_SPATIAL_REFERENCE_RELATION_SAME || form == ALD_SPATIAL_REFERENCE_FORMAT_PROJ_STRING);
    ald_spatial_reference_release(again);
    free(text);
  }
  size_t size = 77;
  char text[4096] = "left alone";
  CHECK_STATUS(
      ald_spatial_reference_get_text(solid, ALD_SPATIAL_REFERENCE_FORMAT_WKT1_GDAL, text, sizeof text, &size, &error),
      ALD_STATUS_UNSUPPORTED);
  CHECK(size == 77 && strcmp(text, "left alone") == 0);
  CHECK(holds_text(error.message, "cannot be written as WKT 1"));

  /* The horizontal part is the host's own, and outlives what it was made from. */
  ald_spatial_reference flat;
  ald_spatial_reference_info info = ALD_SPATIAL_REFERENCE_INFO_INIT;
  CHECK_OK(ald_spatial_reference_create_horizontal(solid, &flat, &error), &error);
  ald_spatial_reference_release(solid);
  CHECK_OK(ald_spatial_reference_get_info(flat, &info, &error), &error);
  CHECK((info.flags & ALD_SPATIAL_REFERENCE_HAS_VERTICAL) == 0);
  CHECK(info.vertical_name[0] == '\0' && info.metres_per_vertical_unit != info.metres_per_vertical_unit);
  ald_spatial_reference_release(flat);
}

/* The same with an empty text, which needs its NUL, and with one of several bytes a character. */
static void test_callout_texts(const scene *scene) {
  ald_error error;
  ald_callout callout;
  const ald_spatial_reference own = {0};
  const char *const snowman = "\xE2\x98\x83";
  size_t size = 0;
  char text[8] = "#######";
  CHECK_OK(ald_callout_create(scene->view, NULL, &callout, &error), &error);
  CHECK_OK(ald_callout_get_text(callout, NULL, 0, &size, &error), &error);
  CHECK(size == 1);
  CHECK_OK(ald_callout_show_at(callout, (ald_point){0, 0}, own, snowman, NULL, 0, &error), &error);
  CHECK_OK(ald_callout_get_text(callout, text, 1, NULL, &error), &error);
  CHECK(text[0] == '\0' && text[1] == '#');
  text[0] = '#';
  CHECK_STATUS(ald_callout_get_title(callout, text, 3, &size, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(size == 4 && strcmp(text, "#######") == 0);
  CHECK_OK(ald_callout_get_title(callout, text, sizeof text, NULL, &error), &error);
  CHECK(strcmp(text, snowman) == 0 && text[4] == '#');
  CHECK_STATUS(ald_callout_get_title(callout, NULL, 0, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_callout_release(callout);
}

static void test_outline(const scene *scene) {
  ald_error error;
  const ald_spatial_reference own = {0};
  ald_point points[10];
  size_t count = 0;
  memset(points, 0xA5, sizeof points);
  const ald_point untouched = points[0];
  CHECK_OK(ald_raster_get_outline(scene->raster, own, 2, NULL, 0, &count, &error), &error);
  CHECK(count == 9);
  count = 0;
  CHECK_STATUS(ald_raster_get_outline(scene->raster, own, 2, points, 8, &count, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(count == 9);
  CHECK(memcmp(&points[0], &untouched, sizeof untouched) == 0);
  CHECK_OK(ald_raster_get_outline(scene->raster, own, 2, points, 9, NULL, &error), &error);
  CHECK(memcmp(&points[8], &points[0], sizeof points[0]) == 0);
  CHECK(memcmp(&points[9], &untouched, sizeof untouched) == 0);
  CHECK_STATUS(ald_raster_get_outline(scene->raster, own, 2, NULL, 0, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
}

/* Arrays whose size follows from the arguments: one element too few is refused and nothing is written. */
static void test_values(const scene *scene) {
  enum { COUNT = 3 };
  ald_error error;
  ald_cell cells[COUNT], cells_before[COUNT];
  ald_band_value values[COUNT], values_before[COUNT];
  const ald_cell_index indexes[COUNT] = {{0, 0}, {10, 10}, {-1, 5}};
  memset(cells, 0xA5, sizeof cells);
  memset(values, 0xA5, sizeof values);
  memcpy(cells_before, cells, sizeof cells);
  memcpy(values_before, values, sizeof values);
  CHECK_STATUS(ald_raster_read_cells(scene->raster, indexes, COUNT, cells, values, COUNT - 1, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(memcmp(cells, cells_before, sizeof cells) == 0);
  CHECK(memcmp(values, values_before, sizeof values) == 0);
  CHECK_OK(ald_raster_read_cells(scene->raster, indexes, COUNT, cells, NULL, 0, &error), &error);
  CHECK(memcmp(values, values_before, sizeof values) == 0);
  CHECK(cells[1].column == 10 && cells[1].row == 10 && cells[1].verdict == ALD_CELL_VERDICT_VALUE);
  CHECK(cells[2].column == -1 && cells[2].row == -1 && cells[2].verdict == ALD_CELL_VERDICT_OUTSIDE);
  CHECK_OK(ald_raster_read_cells(scene->raster, indexes, COUNT, NULL, values, COUNT, &error), &error);
  CHECK(values[1].verdict == ALD_CELL_VERDICT_VALUE);
  CHECK(values[2].verdict == ALD_CELL_VERDICT_OUTSIDE);
  CHECK(values[2].value != values[2].value);
}

static void test_picture(const scene *scene) {
  enum { SIZE = 20 * 10 * 4 };
  ald_error error;
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  uint8_t pixels[SIZE + 1];
  grid.columns = 20;
  grid.rows = 10;
  memset(pixels, 0xA5, sizeof pixels);
  CHECK_STATUS(ald_view_read_rgba(scene->view, scene->layer, &grid, pixels, 0, SIZE - 1, NULL, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(pixels[0] == 0xA5 && pixels[SIZE - 2] == 0xA5);
  CHECK_OK(ald_view_read_rgba(scene->view, scene->layer, &grid, pixels, 0, SIZE, NULL, &error), &error);
  CHECK(pixels[3] == 255);
  CHECK(pixels[SIZE] == 0xA5);
}

/* A line across the raster's first cells, in its own spatial reference. */
static void test_profile(const scene *scene) {
  enum { ROOM = 64 };
  ald_error error;
  const ald_spatial_reference own = {0};
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  ald_profile_sample samples[ROOM], untouched;
  size_t count = 0, same_count = 0;
  CHECK_OK(ald_raster_get_info(scene->raster, &info, &error), &error);
  const double line[4] = {info.geotransform[0] + 0.5, info.geotransform[3] - 0.5, info.geotransform[0] + 95,
                          info.geotransform[3] - 45};
  memset(samples, 0xA5, sizeof samples);
  untouched = samples[0];
  CHECK_OK(ald_raster_read_profile(scene->raster, own, 1, line, 0, 2, NULL, NULL, 0, &count, &error), &error);
  /* Ten columns and five rows, each border crossed at its own point. */
  CHECK(count == 14);
  CHECK_STATUS(
      ald_raster_read_profile(scene->raster, own, 1, line, 0, 2, NULL, samples, count - 1, &same_count, &error),
      ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(same_count == count);
  CHECK(memcmp(&samples[0], &untouched, sizeof untouched) == 0);
  CHECK_OK(ald_raster_read_profile(scene->raster, own, 1, line, 0, 2, NULL, samples, ROOM, NULL, &error), &error);
  CHECK(samples[0].distance == 0 && samples[0].column == 0 && samples[0].row == 0);
  CHECK(samples[count - 1].column == 9 && samples[count - 1].row == 4);
  CHECK(memcmp(&samples[count], &untouched, sizeof untouched) == 0);
  CHECK_STATUS(ald_raster_read_profile(scene->raster, own, 1, line, 0, 2, NULL, NULL, 0, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_raster_read_profile(scene->raster, own, 1, line, 0, 2, NULL, NULL, 5, &count, &error),
               ALD_STATUS_INVALID_ARGUMENT);
}

/* Classes need integers; the scene's raster has none, so this opens another. */
static void test_classes(const scene *scene, const char *path) {
  enum { ROOM = 256 };
  ald_error error;
  const ald_spatial_reference own = {0};
  ald_raster raster;
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  ald_class_count classes[ROOM], untouched;
  size_t count = 0, same_count = 0;
  uint64_t cells = 0;
  CHECK_OK(ald_raster_open(scene->runtime, path, NULL, &raster, &error), &error);
  CHECK_OK(ald_raster_get_info(raster, &info, &error), &error);
  const double *ring = &info.corners[0].x;
  memset(classes, 0xA5, sizeof classes);
  untouched = classes[0];
  CHECK_OK(ald_raster_read_polygon_classes(raster, own, 1, ring, 0, 4, NULL, 0, NULL, NULL, 0, &count, &error), &error);
  CHECK(count > 1 && count < ROOM);
  CHECK_STATUS(ald_raster_read_polygon_classes(raster, own, 1, ring, 0, 4, NULL, 0, NULL, classes, count - 1,
                                               &same_count, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(same_count == count);
  CHECK(memcmp(&classes[0], &untouched, sizeof untouched) == 0);
  CHECK_OK(ald_raster_read_polygon_classes(raster, own, 1, ring, 0, 4, NULL, 0, NULL, classes, ROOM, NULL, &error),
           &error);
  for (size_t i = 0; i < count; i++) {
    cells += classes[i].cell_count;
    CHECK(i == 0 || classes[i - 1].value < classes[i].value);
  }
  CHECK(cells == (uint64_t)info.width * (uint64_t)info.height);
  CHECK(memcmp(&classes[count], &untouched, sizeof untouched) == 0);
  CHECK_STATUS(ald_raster_read_polygon_classes(raster, own, 1, ring, 0, 4, NULL, 0, NULL, NULL, 0, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(
      ald_raster_read_polygon_classes(scene->raster, own, 1, ring, 0, 4, NULL, 0, NULL, NULL, 0, &count, &error),
      ALD_STATUS_UNSUPPORTED);
  ald_raster_release(raster);
}

/* Ring starts that would read beyond the vertices, or backwards. */
static void test_ring_starts(const scene *scene) {
  ald_error error;
  const ald_spatial_reference own = {0};
  const size_t bad[][2] = {{1, 4}, {0, 0}, {0, 2}, {0, 4}, {0, 6}, {0, SIZE_MAX}, {SIZE_MAX, 3}, {0, PTRDIFF_MAX}};
  const double ring[12] = {0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1};
  ald_polygon_statistics statistics = ALD_POLYGON_STATISTICS_INIT;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    CHECK_STATUS(
        ald_raster_read_polygon_statistics(scene->raster, own, 1, ring, 0, 6, bad[i], 2, NULL, &statistics, &error),
        ALD_STATUS_INVALID_ARGUMENT);
  const size_t good[2] = {0, 3};
  CHECK_OK(ald_raster_read_polygon_statistics(scene->raster, own, 1, ring, 0, 6, good, 2, NULL, &statistics, &error),
           &error);
  for (size_t count = 3; count < 7; count++)
    CHECK_STATUS(
        ald_raster_read_polygon_statistics(scene->raster, own, 1, ring, 0, 6, good, count, NULL, &statistics, &error),
        ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(
      ald_raster_read_polygon_statistics(scene->raster, own, 1, ring, 0, 6, NULL, 2, NULL, &statistics, &error),
      ALD_STATUS_INVALID_ARGUMENT);
}

int main(int argc, char **argv) {
  scene scene;
  if (argc == 2 && make_scene(&scene, raster_path(argv, "Shasta_Elevation.tif"))) {
    test_spatial_reference_texts(&scene);
    test_wkt(&scene);
    test_callout_texts(&scene);
    test_outline(&scene);
    test_values(&scene);
    test_picture(&scene);
    test_profile(&scene);
    test_classes(&scene, raster_path(argv, "lc.tif"));
    test_ring_starts(&scene);
    release_scene(&scene);
  }
  return finish();
}

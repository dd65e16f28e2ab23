/* Answers whose size the host does not know: ask first, or give a buffer and be told. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

static void test_wkt(const scene *scene) {
  ald_error error;
  const ald_spatial_reference reference = scene->spatial_reference;
  size_t size = 0, same_size = 0;
  CHECK_OK(ald_spatial_reference_wkt(reference, NULL, 0, &size, &error), &error);
  CHECK(size > 100);
  char *text = malloc(size + 8);
  memset(text, '#', size + 8);
  CHECK_OK(ald_spatial_reference_wkt(reference, text, size, &same_size, &error), &error);
  CHECK(same_size == size);
  CHECK(strlen(text) == size - 1);
  CHECK(memcmp(text + size, "########", 8) == 0);
  CHECK(holds_text(text, "PROJCRS["));

  memset(text, '#', size);
  CHECK_STATUS(ald_spatial_reference_wkt(reference, text, size - 1, &same_size, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(same_size == size);
  CHECK(text[0] == '#' && text[size - 1] == '#');
  CHECK_STATUS(ald_spatial_reference_wkt(reference, text, size - 1, NULL, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_STATUS(ald_spatial_reference_wkt(reference, text, 0, &same_size, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_OK(ald_spatial_reference_wkt(reference, text, size + 8, NULL, &error), &error);
  CHECK(strlen(text) == size - 1);

  CHECK_STATUS(ald_spatial_reference_wkt(reference, NULL, 0, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_spatial_reference_wkt(reference, NULL, size, &same_size, &error), ALD_STATUS_INVALID_ARGUMENT);
  free(text);
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
  CHECK_OK(ald_callout_text(callout, NULL, 0, &size, &error), &error);
  CHECK(size == 1);
  CHECK_OK(ald_callout_show_at(callout, (ald_point){0, 0}, own, snowman, NULL, 0, &error), &error);
  CHECK_OK(ald_callout_text(callout, text, 1, NULL, &error), &error);
  CHECK(text[0] == '\0' && text[1] == '#');
  text[0] = '#';
  CHECK_STATUS(ald_callout_title(callout, text, 3, &size, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(size == 4 && strcmp(text, "#######") == 0);
  CHECK_OK(ald_callout_title(callout, text, sizeof text, NULL, &error), &error);
  CHECK(strcmp(text, snowman) == 0 && text[4] == '#');
  CHECK_STATUS(ald_callout_title(callout, NULL, 0, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_callout_release(callout);
}

static void test_outline(const scene *scene) {
  ald_error error;
  const ald_spatial_reference own = {0};
  ald_point points[10];
  size_t count = 0;
  memset(points, 0xA5, sizeof points);
  const ald_point untouched = points[0];
  CHECK_OK(ald_raster_outline(scene->raster, own, 2, NULL, 0, &count, &error), &error);
  CHECK(count == 9);
  count = 0;
  CHECK_STATUS(ald_raster_outline(scene->raster, own, 2, points, 8, &count, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(count == 9);
  CHECK(memcmp(&points[0], &untouched, sizeof untouched) == 0);
  CHECK_OK(ald_raster_outline(scene->raster, own, 2, points, 9, NULL, &error), &error);
  CHECK(memcmp(&points[8], &points[0], sizeof points[0]) == 0);
  CHECK(memcmp(&points[9], &untouched, sizeof untouched) == 0);
  CHECK_STATUS(ald_raster_outline(scene->raster, own, 2, NULL, 0, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
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
  CHECK(cells[1].column == 10 && cells[1].row == 10 && cells[1].verdict == ALD_CELL_VALUE);
  CHECK(cells[2].column == -1 && cells[2].row == -1 && cells[2].verdict == ALD_CELL_OUTSIDE);
  CHECK_OK(ald_raster_read_cells(scene->raster, indexes, COUNT, NULL, values, COUNT, &error), &error);
  CHECK(values[1].verdict == ALD_CELL_VALUE);
  CHECK(values[2].verdict == ALD_CELL_OUTSIDE);
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

int main(int argc, char **argv) {
  scene scene;
  if (argc == 2 && make_scene(&scene, raster_path(argv, "Shasta_Elevation.tif"))) {
    test_wkt(&scene);
    test_callout_texts(&scene);
    test_outline(&scene);
    test_values(&scene);
    test_picture(&scene);
    release_scene(&scene);
  }
  return finish();
}

/* Coordinates and pictures with gaps between them: read and written where they lie, gaps left alone. */
#include "scene.h"

#include <math.h>
#include <string.h>

enum { COUNT = 7, LARGEST_STRIDE = 48 };

/* A function that turns points into points; both conversions of a view, and projecting. */
typedef ald_status (*conversion)(const scene *scene, const double *in, size_t stride, double *out, size_t out_stride,
                                 ald_error *error);

static ald_status to_map(const scene *scene, const double *in, size_t stride, double *out, size_t out_stride,
                         ald_error *error) {
  return ald_view_screen_to_map(scene->view, in, stride, COUNT, out, out_stride, error);
}

static ald_status to_screen(const scene *scene, const double *in, size_t stride, double *out, size_t out_stride,
                            ald_error *error) {
  return ald_view_map_to_screen(scene->view, in, stride, COUNT, out, out_stride, error);
}

static ald_status to_raster(const scene *scene, const double *in, size_t stride, double *out, size_t out_stride,
                            ald_error *error) {
  ald_spatial_reference raster;
  const ald_status status = ald_raster_get_spatial_reference(scene->raster, &raster, error);
  if (status != ALD_STATUS_OK)
    return status;
  return ald_spatial_reference_project_points(scene->spatial_reference, raster, in, stride, COUNT, out, out_stride,
                                              NULL, error);
}

static void make_points(double points[2 * COUNT]) {
  for (int i = 0; i < COUNT; i++) {
    points[2 * i] = 10.25 * i;
    points[2 * i + 1] = 3.5 - i;
  }
}

/* Lays points out with gaps of 0xA5. */
static void spread(const double points[2 * COUNT], uint8_t *memory, size_t stride) {
  memset(memory, 0xA5, COUNT * LARGEST_STRIDE);
  for (size_t i = 0; i < COUNT; i++)
    memcpy(memory + i * stride, points + 2 * i, 16);
}

/* Whether memory holds these points at this stride, and 0xA5 everywhere else. */
static int holds(const uint8_t *memory, const double points[2 * COUNT], size_t stride) {
  uint8_t expected[COUNT * LARGEST_STRIDE];
  spread(points, expected, stride);
  return memcmp(memory, expected, sizeof expected) == 0;
}

static void test_conversion(const scene *scene, conversion convert) {
  static const size_t strides[] = {16, 17, 24, 40, LARGEST_STRIDE};
  ald_error error;
  double points[2 * COUNT], dense[2 * COUNT];
  uint8_t in[COUNT * LARGEST_STRIDE], out[COUNT * LARGEST_STRIDE];
  make_points(points);
  CHECK_OK(convert(scene, points, 0, dense, 0, &error), &error);
  CHECK(isfinite(dense[0]) && dense[0] != points[0]);
  for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
    const size_t stride = strides[i];
    spread(points, in, stride);
    memset(out, 0xA5, sizeof out);
    CHECK_OK(convert(scene, (double *)in, stride, (double *)out, LARGEST_STRIDE, &error), &error);
    CHECK(holds(in, points, stride));
    CHECK(holds(out, dense, LARGEST_STRIDE));
    memset(out, 0xA5, sizeof out);
    CHECK_OK(convert(scene, points, 0, (double *)out, stride, &error), &error);
    CHECK(holds(out, dense, stride));
    CHECK_OK(convert(scene, (double *)in, stride, (double *)in, stride, &error), &error);
    CHECK(holds(in, dense, stride));
  }
}

/* A vertex buffer with both positions in each vertex: x, y, and where they go. */
static void test_interleaved(const scene *scene, conversion convert) {
  ald_error error;
  double points[2 * COUNT], dense[2 * COUNT], vertices[4 * COUNT];
  int is_right = 1;
  make_points(points);
  CHECK_OK(convert(scene, points, 0, dense, 0, &error), &error);
  for (int i = 0; i < COUNT; i++)
    memcpy(vertices + 4 * i, points + 2 * i, 16);
  CHECK_OK(convert(scene, vertices, 32, vertices + 2, 32, &error), &error);
  for (int i = 0; i < COUNT; i++)
    is_right = is_right && memcmp(vertices + 4 * i, points + 2 * i, 16) == 0 &&
               memcmp(vertices + 4 * i + 2, dense + 2 * i, 16) == 0;
  CHECK(is_right);
}

static void test_bad_strides(const scene *scene, conversion convert) {
  static const size_t strides[] = {1, 8, 15};
  ald_error error;
  double points[2 * COUNT], out[2 * COUNT];
  make_points(points);
  for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
    CHECK_STATUS(convert(scene, points, strides[i], out, 0, &error), ALD_STATUS_INVALID_ARGUMENT);
    CHECK_STATUS(convert(scene, points, 0, out, strides[i], &error), ALD_STATUS_INVALID_ARGUMENT);
  }
  CHECK_STATUS(convert(scene, points, SIZE_MAX - 15, out, 0, &error), ALD_STATUS_INVALID_ARGUMENT);
}

/* Reading cells under points that lie apart. */
static void test_read_points(const scene *scene) {
  ald_error error;
  double screen[2 * COUNT], map[2 * COUNT];
  uint8_t apart[COUNT * LARGEST_STRIDE];
  ald_cell dense[COUNT], strided[COUNT];
  for (int i = 0; i < COUNT; i++) {
    screen[2 * i] = SCENE_MIDDLE.x + 5 * i;
    screen[2 * i + 1] = SCENE_MIDDLE.y - 3 * i;
  }
  CHECK_OK(ald_view_screen_to_map(scene->view, screen, 0, COUNT, map, 0, &error), &error);
  spread(map, apart, 40);
  CHECK_OK(ald_raster_read_points(scene->raster, scene->spatial_reference, map, 0, COUNT, dense, NULL, 0, &error),
           &error);
  CHECK_OK(ald_raster_read_points(scene->raster, scene->spatial_reference, (double *)apart, 40, COUNT, strided, NULL, 0,
                                  &error),
           &error);
  CHECK(dense[0].verdict == ALD_CELL_VERDICT_VALUE);
  CHECK(memcmp(dense, strided, sizeof dense) == 0);
}

/* A picture that is part of a larger one: bytes between its lines are left alone. */
static void test_lines_of_a_picture(const scene *scene) {
  enum { COLUMNS = 12, ROWS = 5, LINE = COLUMNS * 4, STRIDE = LINE + 20 };
  ald_error error;
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  uint8_t dense[ROWS * LINE], apart[ROWS * STRIDE];
  int is_right = 1;
  grid.columns = COLUMNS;
  grid.rows = ROWS;
  memset(apart, 0xA5, sizeof apart);
  CHECK_OK(ald_view_read_rgba(scene->view, scene->layer, &grid, dense, 0, sizeof dense, NULL, &error), &error);
  CHECK_OK(ald_view_read_rgba(scene->view, scene->layer, &grid, apart, STRIDE, sizeof apart, NULL, &error), &error);
  for (int row = 0; row < ROWS; row++) {
    is_right = is_right && memcmp(apart + row * STRIDE, dense + row * LINE, LINE) == 0;
    for (int byte = LINE; byte < STRIDE; byte++)
      is_right = is_right && apart[row * STRIDE + byte] == 0xA5;
  }
  CHECK(is_right);
  /* The last line needs no gap behind it. */
  CHECK_OK(
      ald_view_read_rgba(scene->view, scene->layer, &grid, apart, STRIDE, (ROWS - 1) * STRIDE + LINE, NULL, &error),
      &error);
  CHECK_STATUS(ald_view_read_rgba(scene->view, scene->layer, &grid, apart, LINE - 1, sizeof apart, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
}

static void test_lines_of_values(const scene *scene) {
  enum { COLUMNS = 6, ROWS = 4, STRIDE = (COLUMNS + 3) * 8 };
  ald_error error;
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  double dense[ROWS * COLUMNS], apart[ROWS * (COLUMNS + 3)];
  int is_right = 1;
  grid.columns = COLUMNS;
  grid.rows = ROWS;
  memset(apart, 0xA5, sizeof apart);
  const double gap = apart[0];
  CHECK_OK(ald_view_read_values(scene->view, scene->layer, &grid, 1, dense, 0, sizeof dense, NULL, &error), &error);
  CHECK_OK(ald_view_read_values(scene->view, scene->layer, &grid, 1, apart, STRIDE, sizeof apart, NULL, &error),
           &error);
  for (int row = 0; row < ROWS; row++) {
    is_right = is_right && memcmp(apart + row * (COLUMNS + 3), dense + row * COLUMNS, COLUMNS * 8) == 0;
    is_right = is_right && memcmp(apart + row * (COLUMNS + 3) + COLUMNS, &gap, 8) == 0;
  }
  CHECK(is_right);
  CHECK_STATUS(ald_view_read_values(scene->view, scene->layer, &grid, 1, apart, STRIDE + 4, sizeof apart, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
}

/* The same points, dense and apart, as samples, as a line and as a ring. */
static void test_sampling(const scene *scene) {
  ald_error error;
  double screen[2 * COUNT], map[2 * COUNT], dense[COUNT], strided[COUNT];
  uint8_t apart[COUNT * LARGEST_STRIDE];
  ald_sampling_options bilinear = ALD_SAMPLING_OPTIONS_INIT;
  ald_profile_sample dense_line[256], strided_line[256];
  ald_polygon_statistics dense_ring = ALD_POLYGON_STATISTICS_INIT, strided_ring = ALD_POLYGON_STATISTICS_INIT;
  size_t dense_count = 0, strided_count = 0;
  const ald_spatial_reference reference = scene->spatial_reference;
  bilinear.interpolation = ALD_INTERPOLATION_BILINEAR;
  for (int i = 0; i < COUNT; i++) {
    screen[2 * i] = SCENE_MIDDLE.x + 2 * i;
    screen[2 * i + 1] = SCENE_MIDDLE.y - i * i / 3.0;
  }
  CHECK_OK(ald_view_screen_to_map(scene->view, screen, 0, COUNT, map, 0, &error), &error);
  spread(map, apart, 40);
  const double *gaps = (const double *)apart;
  CHECK_OK(ald_raster_read_samples(scene->raster, reference, 1, map, 0, COUNT, &bilinear, dense, NULL, &error), &error);
  CHECK_OK(ald_raster_read_samples(scene->raster, reference, 1, gaps, 40, COUNT, &bilinear, strided, NULL, &error),
           &error);
  CHECK(isfinite(dense[0]));
  CHECK(memcmp(dense, strided, sizeof dense) == 0);
  CHECK_OK(
      ald_raster_read_profile(scene->raster, reference, 1, map, 0, COUNT, NULL, dense_line, 256, &dense_count, &error),
      &error);
  CHECK_OK(ald_raster_read_profile(scene->raster, reference, 1, gaps, 40, COUNT, NULL, strided_line, 256,
                                   &strided_count, &error),
           &error);
  CHECK(dense_count > 2 && dense_count == strided_count);
  CHECK(memcmp(dense_line, strided_line, dense_count * sizeof dense_line[0]) == 0);
  CHECK_OK(ald_raster_read_polygon_statistics(scene->raster, reference, 1, map, 0, COUNT, NULL, 0, NULL, &dense_ring,
                                              &error),
           &error);
  CHECK_OK(ald_raster_read_polygon_statistics(scene->raster, reference, 1, gaps, 40, COUNT, NULL, 0, NULL,
                                              &strided_ring, &error),
           &error);
  CHECK(dense_ring.value_count > 0);
  CHECK(memcmp(&dense_ring, &strided_ring, sizeof dense_ring) == 0);
  CHECK_STATUS(
      ald_raster_read_profile(scene->raster, reference, 1, map, 15, COUNT, NULL, NULL, 0, &dense_count, &error),
      ALD_STATUS_INVALID_ARGUMENT);
}

static void test_lines_of_a_window(const scene *scene) {
  enum { COLUMNS = 7, ROWS = 3, STRIDE = (COLUMNS + 2) * 8 };
  ald_error error;
  ald_raster_window window = ALD_RASTER_WINDOW_INIT;
  double dense[ROWS * COLUMNS], apart[ROWS * (COLUMNS + 2)];
  int is_right = 1;
  window.left = 100;
  window.top = 120;
  window.width = COLUMNS;
  window.height = ROWS;
  memset(apart, 0xA5, sizeof apart);
  const double gap = apart[0];
  CHECK_OK(ald_raster_read_window(scene->raster, 1, &window, NULL, dense, 0, sizeof dense, NULL, &error), &error);
  CHECK_OK(ald_raster_read_window(scene->raster, 1, &window, NULL, apart, STRIDE, sizeof apart, NULL, &error), &error);
  for (int row = 0; row < ROWS; row++) {
    is_right = is_right && memcmp(apart + row * (COLUMNS + 2), dense + row * COLUMNS, COLUMNS * 8) == 0;
    is_right = is_right && memcmp(apart + row * (COLUMNS + 2) + COLUMNS, &gap, 8) == 0;
  }
  CHECK(is_right);
  CHECK_STATUS(ald_raster_read_window(scene->raster, 1, &window, NULL, apart, STRIDE + 4, sizeof apart, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_raster_read_window(scene->raster, 1, &window, NULL, dense, 0, sizeof dense - 1, NULL, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
}

int main(int argc, char **argv) {
  static const conversion conversions[] = {to_map, to_screen, to_raster};
  scene scene;
  if (argc == 2 && make_scene(&scene, raster_path(argv, "Shasta_Elevation.tif"))) {
    for (size_t i = 0; i < sizeof conversions / sizeof conversions[0]; i++) {
      test_conversion(&scene, conversions[i]);
      test_interleaved(&scene, conversions[i]);
      test_bad_strides(&scene, conversions[i]);
    }
    test_read_points(&scene);
    test_lines_of_a_picture(&scene);
    test_lines_of_values(&scene);
    test_sampling(&scene);
    test_lines_of_a_window(&scene);
    release_scene(&scene);
  }
  return finish();
}

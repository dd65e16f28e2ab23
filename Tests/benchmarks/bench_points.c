/*
 * Ten thousand random points on a tiled raster that nothing has been read of yet, and the limit that decoding sets.
 *
 *   bench_points RASTER
 *
 * The limit: each touched block has to be decoded once. One block's time is measured in the same run, with
 * GDALReadBlock on a data set of its own, which goes past GDAL's block cache.
 */
#include "bench.h"

#include <gdal.h>

enum { POINTS = 10000, ROUNDS = 3, SIZE = 8192, TILE = 256, TILES = SIZE / TILE };

static double xy[MOST_TIMES * POINTS][2];

static void make_points(void) {
  const uint32_t count = sized(POINTS);
  uint64_t state = count;
  for (size_t index = 0; index < count; index++) {
    xy[index][0] = RASTER_LEFT + CELL_M * SIZE * random_unit(&state);
    xy[index][1] = RASTER_TOP - CELL_M * SIZE * random_unit(&state);
  }
}

/* The time of one call on a raster of a runtime of its own, so that nothing is cached. */
static double read_once(const char *path, uint32_t thread_count, double *checksum) {
  static ald_cell cells[MOST_TIMES * POINTS];
  static ald_band_value values[MOST_TIMES * POINTS];
  const uint32_t count = sized(POINTS);
  scene scene = open_scene(path, thread_count, 0);
  ald_spatial_reference own = {0};
  ald_error error;
  double start = now_ns();
  ald_status status = ald_raster_read_points(scene.raster, own, &xy[0][0], 0, count, cells, values, count, &error);
  double time = now_ns() - start;
  must(status, &error);
  *checksum = 0;
  for (size_t index = 0; index < count; index++)
    *checksum += values[index].value;
  ald_runtime_release(scene.runtime);
  return time;
}

static void measure(const char *path, uint32_t thread_count, const char *who) {
  double times[ROUNDS], checksum = 0;
  if (!wanted("points", who))
    return;
  watch_memory();
  for (int round = 0; round < ROUNDS; round++)
    times[round] = read_once(path, thread_count, &checksum);
  print_row("points", who, times, ROUNDS, 1, checksum);
}

static void measure_limit(const char *path) {
  unsigned char touched[TILES][TILES] = {{0}};
  static unsigned short block[TILE * TILE];
  size_t count = 0;
  for (size_t index = 0; index < sized(POINTS); index++) {
    size_t column = (size_t)((xy[index][0] - RASTER_LEFT) / CELL_M) / TILE;
    size_t row = (size_t)((RASTER_TOP - xy[index][1]) / CELL_M) / TILE;
    count += !touched[row][column];
    touched[row][column] = 1;
  }
  GDALDatasetH dataset = GDALOpen(path, GA_ReadOnly);
  if (dataset == NULL)
    exit(1);
  GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
  double start = now_ns();
  for (int row = 0; row < TILES; row++)
    for (int column = 0; column < TILES; column++)
      if (touched[row][column] && GDALReadBlock(band, column, row, block) != CE_None)
        exit(1);
  result("touched_blocks", (double)count);
  result("decode_all_blocks", now_ns() - start);
  GDALClose(dataset);
}

int main(int argument_count, char **arguments) {
  if (argument_count != 2)
    return 2;
  make_points();
  GDALAllRegister();
  measure_limit(arguments[1]); /* the first time brings the file into memory */
  measure(arguments[1], 1, "one");
  measure_limit(arguments[1]);
  measure(arguments[1], 0, "all");
  return 0;
}

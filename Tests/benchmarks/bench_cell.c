/*
 * One cell: under a screen point into a plain struct, and as a full identify; GDALRasterIO alone as the peer.
 *
 *   bench_cell RASTER
 *
 * All blocks are cached when the clock runs. Minimum and median are of batches, so that the clock itself does not
 * count; p99 is of single calls, less what reading the clock takes.
 */
#include "bench.h"

#include <gdal.h>

enum { POINTS = 4096, BATCH = 64, ROUNDS = 40 };

static ald_point points[POINTS];
static double single[POINTS * ROUNDS];
static double batches[POINTS / BATCH * ROUNDS];

/* What is measured: does its work for point number `index` and returns something that depends on it. */
typedef double (*work)(const void *context, size_t index);

static double clock_cost(void) {
  static double times[10001];
  for (size_t index = 0; index < 10001; index++) {
    double start = now_ns();
    times[index] = now_ns() - start;
  }
  return percentile(times, 10001, 50);
}

static void measure(const char *name, work work, const void *context) {
  char label[128];
  double checksum = 0;
  for (size_t index = 0; index < POINTS; index++)
    checksum += work(context, index); /* warms all caches */

  size_t batch_count = 0;
  for (int round = 0; round < ROUNDS; round++)
    for (size_t first = 0; first < POINTS; first += BATCH) {
      double start = now_ns(), sum = 0;
      for (size_t index = first; index < first + BATCH; index++)
        sum += work(context, index);
      batches[batch_count++] = (now_ns() - start) / BATCH;
      if (sum != sum)
        exit(1); /* keeps the sum, and with it the work, from being optimised away */
    }

  double cost = clock_cost();
  for (size_t call = 0; call < POINTS * ROUNDS; call++) {
    double start = now_ns();
    volatile double answer = work(context, call % POINTS);
    (void)answer;
    single[call] = now_ns() - start - cost;
  }

  snprintf(label, sizeof label, "%s_min", name);
  result(label, percentile(batches, batch_count, 0));
  snprintf(label, sizeof label, "%s_median", name);
  result(label, percentile(batches, batch_count, 50));
  snprintf(label, sizeof label, "%s_p99", name);
  result(label, percentile(single, POINTS * ROUNDS, 99));
  snprintf(label, sizeof label, "%s_checksum", name);
  result(label, checksum);
}

static double cell_at(const void *context, size_t index) {
  const scene *scene = context;
  ald_cell cell;
  ald_band_value value;
  if (ald_view_read_cell(scene->view, scene->layer, points[index], &cell, &value, 1, NULL) != ALD_STATUS_OK)
    exit(1);
  return value.value;
}

/* Everything that a host would show: attributes with their texts, the text of the whole, the polygon. */
static double identify(const void *context, size_t index) {
  const scene *scene = context;
  ald_identify_result found;
  if (ald_view_identify_layer(scene->view, scene->layer, points[index], 5, 1, NULL, &found, NULL) != ALD_STATUS_OK)
    exit(1);
  ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
  if (ald_identify_result_get_element_at(found, 0, &element, NULL) != ALD_STATUS_OK)
    exit(1);
  ald_identify_cell cell = ALD_IDENTIFY_CELL_INIT;
  if (ald_identify_result_get_cell_at(found, 0, &cell, NULL) != ALD_STATUS_OK)
    exit(1);
  double sum = cell.values[0].value + (double)strlen(element.text);
  for (int corner = 0; corner < 4; corner++)
    sum += cell.polygon[corner].x - cell.polygon[corner + 1].x;
  for (uint32_t number = 0; number < element.attribute_count; number++) {
    ald_attribute attribute = ALD_ATTRIBUTE_INIT;
    if (ald_identify_result_get_attribute_at(found, 0, number, &attribute, NULL) != ALD_STATUS_OK)
      exit(1);
    sum += (double)strlen(attribute.text);
  }
  ald_identify_result_release(found);
  return sum;
}

/* The peer: the cell is known already, only the value is read. */
typedef struct gdal_peer {
  GDALRasterBandH band;
  ald_cell cells[POINTS];
} gdal_peer;

static double raster_io(const void *context, size_t index) {
  const gdal_peer *peer = context;
  double value = 0;
  const ald_cell *cell = &peer->cells[index];
  if (GDALRasterIO(peer->band, GF_Read, cell->column, cell->row, 1, 1, &value, 1, 1, GDT_Float64, 0, 0) != CE_None)
    exit(1);
  return value;
}

static void measure_scene(const char *path, int32_t map_code, const char *cell_name, const char *identify_name) {
  scene scene = open_scene(path, 1, map_code);
  look_at_middle(&scene, 2, 30);
  measure(cell_name, cell_at, &scene);
  measure(identify_name, identify, &scene);
  ald_runtime_release(scene.runtime);
}

static void measure_peer(const char *path) {
  static gdal_peer peer;
  scene scene = open_scene(path, 1, 0);
  look_at_middle(&scene, 2, 30);
  for (size_t index = 0; index < POINTS; index++)
    if (ald_view_read_cell(scene.view, scene.layer, points[index], &peer.cells[index], NULL, 0, NULL) != ALD_STATUS_OK)
      exit(1);
  ald_runtime_release(scene.runtime);
  GDALAllRegister();
  GDALDatasetH dataset = GDALOpen(path, GA_ReadOnly);
  if (dataset == NULL)
    exit(1);
  peer.band = GDALGetRasterBand(dataset, 1);
  measure("gdal_cell", raster_io, &peer);
  GDALClose(dataset);
}

int main(int argument_count, char **arguments) {
  if (argument_count != 2)
    return 2;
  uint64_t state = 1;
  for (size_t index = 0; index < POINTS; index++) {
    points[index].x = random_unit(&state) * 800;
    points[index].y = random_unit(&state) * 600;
  }
  measure_scene(arguments[1], 0, "cell_same", "identify_same");
  measure_scene(arguments[1], 3857, "cell_other", "identify_other");
  measure_peer(arguments[1]);
  return 0;
}

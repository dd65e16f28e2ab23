/*
 * A screen of 800 x 600 pixels of a raster in another spatial reference, as RGBA; the warp utility of GDAL as the peer,
 * which fills the same screen with values.
 *
 *   bench_screen RASTER
 */
#include "bench.h"

#include <gdal.h>
#include <gdal_alg.h>
#include <gdal_utils.h>

enum { WIDTH = 800, HEIGHT = 600, ROUNDS = 15 };

static uint8_t pixels[WIDTH * HEIGHT * 4];

static void measure(const char *path, uint32_t thread_count, double rotation_deg, const char *name) {
  scene scene = open_scene(path, thread_count, 3857);
  look_at_middle(&scene, 0.9, rotation_deg);
  ald_error error;
  ald_raster_renderer renderer = ALD_RASTER_RENDERER_INIT;
  renderer.kind = ALD_RASTER_RENDERER_KIND_STRETCH;
  renderer.fields = ALD_RASTER_RENDERER_HAS_RANGE;
  renderer.minimum = 11000;
  renderer.maximum = 29000;
  must(ald_raster_layer_set_renderer(scene.layer, &renderer, &error), &error);
  double times[ROUNDS];
  for (int round = -1; round < ROUNDS; round++) { /* the first round fills the caches */
    double start = now_ns();
    must(ald_view_read_rgba(scene.view, scene.layer, NULL, pixels, 0, sizeof pixels, NULL, &error), &error);
    if (round >= 0)
      times[round] = now_ns() - start;
  }
  double checksum = 0;
  for (size_t index = 0; index < sizeof pixels; index++)
    checksum += pixels[index];
  char label[64];
  snprintf(label, sizeof label, "%s_median", name);
  result(label, percentile(times, ROUNDS, 50));
  snprintf(label, sizeof label, "%s_checksum", name);
  result(label, checksum);
  ald_runtime_release(scene.runtime);
}

/* The view's corners, for the peer. */
static ald_envelope screen_box(const char *path) {
  scene scene = open_scene(path, 1, 3857);
  look_at_middle(&scene, 0.9, 0);
  ald_error error;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  must(ald_view_get_state(scene.view, &state, &error), &error);
  ald_runtime_release(scene.runtime);
  ald_envelope box = {state.visible_area[3].x, state.visible_area[3].y, state.visible_area[1].x,
                      state.visible_area[1].y};
  return box;
}

/* error_px: how far off the warp may put a pixel, as its option -et says; "0" is exact, as ours is. */
static void measure_warp(const char *path, char *error_px, char *threads, const char *name) {
  ald_envelope box = screen_box(path);
  char numbers[4][32];
  const double edges[4] = {box.x_min, box.y_min, box.x_max, box.y_max};
  for (int edge = 0; edge < 4; edge++)
    snprintf(numbers[edge], sizeof numbers[edge], "%.17g", edges[edge]);
  char *options[] = {"-of", "MEM", "-t_srs", "EPSG:3857", "-te", numbers[0], numbers[1], numbers[2], numbers[3], "-ts",
                     "800", "600", "-r",     "near",      "-et", error_px,   "-wo",      threads,    NULL};
  GDALDatasetH source = GDALOpen(path, GA_ReadOnly);
  double times[ROUNDS];
  double checksum = 0;
  for (int round = -1; round < ROUNDS; round++) {
    GDALWarpAppOptions *prepared = GDALWarpAppOptionsNew(options, NULL);
    double start = now_ns();
    GDALDatasetH screen = GDALWarp("", NULL, 1, &source, prepared, NULL);
    if (round >= 0)
      times[round] = now_ns() - start;
    GDALWarpAppOptionsFree(prepared);
    if (screen == NULL)
      exit(1);
    checksum = GDALChecksumImage(GDALGetRasterBand(screen, 1), 0, 0, WIDTH, HEIGHT);
    GDALClose(screen);
  }
  char label[64];
  snprintf(label, sizeof label, "%s_median", name);
  result(label, percentile(times, ROUNDS, 50));
  snprintf(label, sizeof label, "%s_checksum", name);
  result(label, checksum);
  GDALClose(source);
}

int main(int argument_count, char **arguments) {
  if (argument_count != 2)
    return 2;
  GDALAllRegister();
  measure(arguments[1], 1, 0, "screen_one");
  measure(arguments[1], 0, 0, "screen_all");
  measure(arguments[1], 1, 30, "screen_turned_one");
  measure(arguments[1], 0, 30, "screen_turned_all");
  measure_warp(arguments[1], "0", "NUM_THREADS=1", "warp_one");
  measure_warp(arguments[1], "0", "NUM_THREADS=ALL_CPUS", "warp_all");
  measure_warp(arguments[1], "0.125", "NUM_THREADS=1", "warp_near_one");
  measure_warp(arguments[1], "0.125", "NUM_THREADS=ALL_CPUS", "warp_near_all");
  return 0;
}

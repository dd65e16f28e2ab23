/*
 * Screens of 800 x 600 and 1920 x 1080 pixels of a raster in another spatial reference, as RGBA; the warp utility of
 * GDAL as the peer, which fills the same screen with values.
 *
 *   bench_screen RASTER
 */
#include "bench.h"

#include <gdal.h>
#include <gdal_alg.h>
#include <gdal_utils.h>

enum { ROUNDS = 15 };

typedef struct screen {
  int width, height;
} screen;

static uint8_t pixels[1920 * 1080 * 4];

static scene open_screen(const char *path, screen screen, uint32_t thread_count, double rotation_deg) {
  scene scene = open_scene(path, thread_count, 3857);
  ald_error error;
  must(ald_view_set_size(scene.view, screen.width, screen.height, 1, &error), &error);
  look_at_middle(&scene, 0.9, rotation_deg);
  return scene;
}

static void print(const char *what, screen screen, const char *who, double *times, double checksum) {
  char label[64];
  snprintf(label, sizeof label, "%s_%d", what, screen.width);
  print_row(label, who, times, ROUNDS, 1, checksum);
}

static void measure(const char *path, screen screen, uint32_t thread_count, double rotation_deg, const char *what) {
  const size_t size_bytes = 4 * (size_t)screen.width * (size_t)screen.height;
  scene scene = open_screen(path, screen, thread_count, rotation_deg);
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
    must(ald_view_read_rgba(scene.view, scene.layer, NULL, pixels, 0, size_bytes, NULL, &error), &error);
    if (round >= 0)
      times[round] = now_ns() - start;
  }
  double checksum = 0;
  for (size_t index = 0; index < size_bytes; index++)
    checksum += pixels[index];
  print(what, screen, thread_count == 1 ? "one" : "all", times, checksum);
  ald_runtime_release(scene.runtime);
}

/* The view's corners, for the peer. */
static ald_envelope screen_box(const char *path, screen screen) {
  scene scene = open_screen(path, screen, 1, 0);
  ald_error error;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  must(ald_view_get_state(scene.view, &state, &error), &error);
  ald_runtime_release(scene.runtime);
  ald_envelope box = {state.visible_area[3].x, state.visible_area[3].y, state.visible_area[1].x,
                      state.visible_area[1].y};
  return box;
}

/* error_px: how far off the warp may put a pixel, as its option -et says; "0" is exact, as ours is. */
static void measure_warp(const char *path, screen screen, char *error_px, char *threads, const char *what) {
  ald_envelope box = screen_box(path, screen);
  char numbers[4][32], sides[2][16];
  const double edges[4] = {box.x_min, box.y_min, box.x_max, box.y_max};
  for (int edge = 0; edge < 4; edge++)
    snprintf(numbers[edge], sizeof numbers[edge], "%.17g", edges[edge]);
  snprintf(sides[0], sizeof sides[0], "%d", screen.width);
  snprintf(sides[1], sizeof sides[1], "%d", screen.height);
  char *options[] = {"-of",      "MEM",      "-t_srs", "EPSG:3857", "-te",    numbers[0], numbers[1],
                     numbers[2], numbers[3], "-ts",    sides[0],    sides[1], "-r",       "near",
                     "-et",      error_px,   "-wo",    threads,     NULL};
  GDALDatasetH source = GDALOpen(path, GA_ReadOnly);
  double times[ROUNDS];
  double checksum = 0;
  for (int round = -1; round < ROUNDS; round++) {
    GDALWarpAppOptions *prepared = GDALWarpAppOptionsNew(options, NULL);
    double start = now_ns();
    GDALDatasetH warped = GDALWarp("", NULL, 1, &source, prepared, NULL);
    if (round >= 0)
      times[round] = now_ns() - start;
    GDALWarpAppOptionsFree(prepared);
    if (warped == NULL)
      exit(1);
    checksum = GDALChecksumImage(GDALGetRasterBand(warped, 1), 0, 0, screen.width, screen.height);
    GDALClose(warped);
  }
  print(what, screen, strcmp(threads, "NUM_THREADS=1") == 0 ? "one" : "all", times, checksum);
  GDALClose(source);
}

int main(int argument_count, char **arguments) {
  if (argument_count != 2)
    return 2;
  GDALAllRegister();
  static const screen screens[] = {{800, 600}, {1920, 1080}};
  for (size_t index = 0; index < sizeof screens / sizeof screens[0]; index++) {
    for (uint32_t threads = 0; threads < 2; threads++) {
      char *peer_threads = threads == 1 ? "NUM_THREADS=1" : "NUM_THREADS=ALL_CPUS";
      measure(arguments[1], screens[index], threads, 0, "screen");
      measure(arguments[1], screens[index], threads, 30, "screen_turned");
      measure_warp(arguments[1], screens[index], "0", peer_threads, "warp");
      measure_warp(arguments[1], screens[index], "0.125", peer_threads, "warp_near");
    }
  }
  return 0;
}

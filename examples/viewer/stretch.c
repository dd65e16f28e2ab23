/*
 * Colours for rasters with one band that bring none along: a ramp from 2 to 98 % of the cells, so that a few extreme
 * values do not make all others alike. The cells are sampled by a thread, from overviews where there are some, through
 * a map of its own in the raster's own spatial reference.
 */
#include "viewer.h"

#include <math.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
/* The shares of the cells that have the lowest and the highest colour. */
#define LOW 0.02
#define HIGH 0.98

enum { SIZE = 512, SAMPLES = SIZE * SIZE };
/* What servers have not returned is asked for again, for 10 s. */
enum { WAIT_MS = 50, MAX_WAITS = 200 };
enum { IS_IDLE, IS_AT_WORK, IS_DONE };

static const ald_rgba ramp[] = {{58, 110, 150, 255}, {96, 150, 92, 255},  {186, 190, 118, 255},
                                {206, 164, 96, 255}, {160, 112, 82, 255}, {244, 240, 236, 255}};

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The value below which a share of the sorted samples lies, between two samples. */
static double percentile(const double *sorted, size_t count, double share) {
  const double place = share * (double)(count - 1);
  const size_t index = (size_t)place;
  const double next = sorted[index + 1 < count ? index + 1 : index];
  return sorted[index] + (place - (double)index) * (next - sorted[index]);
}

/* A view of nothing but the raster, with a sample for each cell, or as many as there may be. */
static ald_status look_at(ald_runtime runtime, ald_layer shown, ald_map *map, ald_layer *layer, ald_view *view,
                          ald_screen_grid *grid, ald_error *error) {
  ald_raster raster = {0};
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  ald_envelope extent = {0, 0, 0, 0};
  ald_status status = ald_raster_layer_get_raster(shown, &raster, error);
  if (status == ALD_STATUS_OK)
    status = ald_raster_get_info(raster, &info, error);
  const double step = fmax(fmax(info.width, info.height) / (double)SIZE, 1);
  grid->flags = ALD_SCREEN_GRID_OVERVIEWS;
  grid->columns = (int32_t)fmax(info.width / step, 1);
  grid->rows = (int32_t)fmax(info.height / step, 1);
  if (status == ALD_STATUS_OK)
    status = ald_raster_layer_create(raster, layer, error);
  ald_spatial_reference reference = {0};
  if (status == ALD_STATUS_OK)
    status = ald_layer_get_spatial_reference(*layer, &reference, error);
  if (status == ALD_STATUS_OK)
    status = ald_map_create(runtime, reference, map, error);
  if (status == ALD_STATUS_OK)
    status = ald_map_add_layer(*map, *layer, error);
  if (status == ALD_STATUS_OK)
    status = ald_view_create(*map, NULL, view, error);
  if (status == ALD_STATUS_OK)
    status = ald_view_set_size(*view, grid->columns, grid->rows, 1, error);
  if (status == ALD_STATUS_OK)
    status = ald_map_get_full_extent(*map, reference, &extent, error);
  if (status == ALD_STATUS_OK)
    status = ald_view_zoom_to_envelope(*view, extent, reference, NULL, NULL, error);
  return status;
}

/* Reads a sample for each point of the view; returns how many have a value. */
static size_t read_samples(stretch *stretch, ald_view view, ald_layer layer, const ald_screen_grid *grid, int32_t band,
                           double *values, uint8_t *verdicts) {
  size_t count = 0;
  bool is_complete = false;
  for (int waits = 0; !is_complete && waits < MAX_WAITS && !SDL_AtomicGet(&stretch->is_cancelled); waits++) {
    if (waits > 0)
      SDL_Delay(WAIT_MS);
    if (ald_view_read_values(view, layer, grid, band, values, 0, SAMPLES * sizeof *values, verdicts, NULL) !=
        ALD_STATUS_OK)
      return 0;
    is_complete = true;
    count = 0;
    for (int32_t i = 0; i < grid->columns * grid->rows; i++) {
      is_complete = is_complete && verdicts[i] != ALD_CELL_VERDICT_NOT_LOADED;
      if (isfinite(values[i]))
        values[count++] = values[i];
    }
  }
  return count;
}

static bool measure(stretch *stretch, int32_t band) {
  ald_map map = {0};
  ald_layer layer = {0};
  ald_view view = {0};
  double *const values = malloc(SAMPLES * sizeof *values);
  uint8_t *const verdicts = malloc(SAMPLES);
  size_t count = 0;
  ald_error error;
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  const ald_status status = look_at(stretch->runtime, stretch->layer, &map, &layer, &view, &grid, &error);
  if (status == ALD_STATUS_OK && values != NULL && verdicts != NULL)
    count = read_samples(stretch, view, layer, &grid, band, values, verdicts);
  /* A raster without a spatial reference is not shown. */
  if (status != ALD_STATUS_OK && status != ALD_STATUS_NOT_READY)
    fprintf(stderr, "viewer: no range for a raster: %s\n", error.message);
  if (count > 0) {
    qsort(values, count, sizeof *values, by_value);
    stretch->low = percentile(values, count, LOW);
    stretch->high = percentile(values, count, HIGH);
    for (size_t i = 0; i < count && stretch->low < stretch->high; i++) {
      const double share = (values[i] - stretch->low) / (stretch->high - stretch->low);
      if (share >= 0 && share <= 1)
        stretch->bins[(int)fmin(share * STRETCH_BINS, STRETCH_BINS - 1)]++;
    }
  }
  ald_view_release(view);
  ald_map_release(map);
  ald_layer_release(layer);
  free(values);
  free(verdicts);
  return count > 0 && stretch->low < stretch->high;
}

static int work(void *argument) {
  stretch *const stretch = argument;
  ald_error error;
  ald_raster_renderer automatic = ALD_RASTER_RENDERER_INIT, renderer = ALD_RASTER_RENDERER_INIT;
  if (ald_raster_layer_get_renderer(stretch->layer, &automatic, NULL) == ALD_STATUS_OK &&
      automatic.kind == ALD_RASTER_RENDERER_KIND_STRETCH && measure(stretch, automatic.bands[0])) {
    renderer.kind = ALD_RASTER_RENDERER_KIND_STRETCH;
    renderer.fields = ALD_RASTER_RENDERER_HAS_RANGE;
    renderer.bands[0] = automatic.bands[0];
    renderer.ramp = ramp;
    renderer.ramp_count = COUNT(ramp);
    renderer.minimum = stretch->low;
    renderer.maximum = stretch->high;
    stretch->is_stretched = ald_raster_layer_set_renderer(stretch->layer, &renderer, &error) == ALD_STATUS_OK;
    if (!stretch->is_stretched)
      fprintf(stderr, "viewer: %s\n", error.message);
  }
  SDL_AtomicSet(&stretch->progress, IS_DONE);
  SDL_Event event = {0};
  event.type = SDL_USEREVENT;
  SDL_PushEvent(&event);
  return 0;
}

ald_rgba stretch_color(double share) {
  const double place = fmin(fmax(share, 0), 1) * (COUNT(ramp) - 1);
  const size_t index = (size_t)fmin(place, COUNT(ramp) - 2);
  const double part = place - (double)index;
  const ald_rgba a = ramp[index], b = ramp[index + 1];
  return (ald_rgba){(uint8_t)(a.red + part * (b.red - a.red)), (uint8_t)(a.green + part * (b.green - a.green)),
                    (uint8_t)(a.blue + part * (b.blue - a.blue)), 255};
}

bool stretch_begin(stretch *stretch, ald_runtime runtime, ald_layer layer) {
  stretch->runtime = runtime;
  stretch->layer = layer;
  SDL_AtomicSet(&stretch->progress, IS_AT_WORK);
  stretch->thread = SDL_CreateThread(work, "stretch", stretch);
  return stretch->thread != NULL;
}

bool stretch_take(stretch *stretch) {
  if (stretch->thread == NULL || SDL_AtomicGet(&stretch->progress) != IS_DONE)
    return false;
  SDL_WaitThread(stretch->thread, NULL);
  stretch->thread = NULL;
  return true;
}

void stretch_cancel(stretch *stretch) {
  SDL_AtomicSet(&stretch->is_cancelled, 1);
  if (stretch->thread != NULL)
    SDL_WaitThread(stretch->thread, NULL);
  stretch->thread = NULL;
}

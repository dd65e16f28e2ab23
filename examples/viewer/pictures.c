/*
 * The layers. The screen call and the drawings of features read files and so take their time: a thread of its own makes
 * one picture after the other through a view of its own on the same map, and the window shows the newest one, moved,
 * turned and scaled to where the camera is by now.
 */
/* For clock_gettime. */
#define _POSIX_C_SOURCE 200809L
#include "viewer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A picture, and the camera that it was made for. */
typedef struct picture {
  ald_view_state state;
  uint64_t layers_generation;
  canvas canvas;
  picture_gaps gaps;
} picture;

/* A picture that lacks something is painted again after this time. */
enum { PARTIAL_MS = 50 };

struct pictures {
  ald_map map;
  bool says_times;
  SDL_Thread *thread;
  SDL_mutex *mutex;
  SDL_cond *changed;
  /* The rest is guarded by the mutex. `wanted` has no pixels; `shown` is the newest that is done. */
  picture wanted;
  picture shown;
  bool is_wanted;
  bool is_stopping;
};

static bool is_for(const picture *picture, const ald_view_state *state, uint64_t layers_generation) {
  return picture->state.generation == state->generation && picture->layers_generation == layers_generation;
}

/* Lays one picture on another of the same size. `opacity` is 0 to 1. */
static void put_over(canvas *below, const canvas *above, double opacity) {
  cairo_set_source_surface(below->cairo, above->surface, 0, 0);
  cairo_paint_with_alpha(below->cairo, opacity);
}

/* From the engine's bytes, red, green, blue and alpha, to Cairo's pixels, whose colours are multiplied by alpha. */
static void multiply(uint8_t *pixels, size_t count) {
  for (size_t i = 0; i < count; i++, pixels += 4) {
    const uint32_t alpha = pixels[3];
    const uint32_t pixel = alpha << 24 | (pixels[0] * alpha + 127) / 255 << 16 | (pixels[1] * alpha + 127) / 255 << 8 |
                           (pixels[2] * alpha + 127) / 255;
    memcpy(pixels, &pixel, sizeof pixel);
  }
}

/* Reads the cells of a raster layer, which come with its opacity. */
static ald_status add_cells(ald_view view, ald_layer layer, canvas *canvas, struct canvas *scratch, picture_gaps *gaps,
                            ald_error *error) {
  const size_t count = (size_t)canvas->width * (size_t)canvas->height;
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  grid.flags = ALD_SCREEN_GRID_OVERVIEWS;
  grid.columns = canvas->width;
  grid.rows = canvas->height;
  uint8_t *const verdicts = malloc(count), *const pixels = cairo_image_surface_get_data(scratch->surface);
  cairo_surface_flush(scratch->surface);
  const ald_status status = ald_view_read_rgba(view, layer, &grid, pixels, 0, count * 4, verdicts, error);
  if (status == ALD_STATUS_OK) {
    multiply(pixels, count);
    cairo_surface_mark_dirty(scratch->surface);
    put_over(canvas, scratch, 1);
  }
  /* What lacks may be there by now. */
  if (status == ALD_STATUS_OK && verdicts != NULL && memchr(verdicts, ALD_CELL_VERDICT_NOT_LOADED, count) != NULL)
    gaps->is_partial = true;
  free(verdicts);
  return status;
}

/* Paints the features of a layer on nothing, and lays all of them on the picture as opaque as the layer is. */
static ald_status add_features(ald_view view, ald_layer layer, canvas *canvas, struct canvas *scratch,
                               ald_error *error) {
  ald_overlay_drawing drawing = {0};
  ald_overlay_drawing_overlay overlay = ALD_OVERLAY_DRAWING_OVERLAY_INIT;
  canvas_clear(scratch, (ald_rgba){0, 0, 0, 0});
  ald_status status = ald_view_create_feature_drawing(view, layer, NULL, &drawing, error);
  if (status == ALD_STATUS_OK)
    status = ald_overlay_drawing_get_overlay_at(drawing, 0, &overlay, error);
  if (status == ALD_STATUS_OK)
    status = graphics_paint_drawing(scratch, drawing, error);
  if (status == ALD_STATUS_OK)
    put_over(canvas, scratch, overlay.opacity);
  ald_overlay_drawing_release(drawing);
  return status;
}

static bool is_active(ald_view view, ald_layer layer) {
  ald_layer_view_state state = ALD_LAYER_VIEW_STATE_INIT;
  return ald_view_get_layer_state(view, layer, &state, NULL) == ALD_STATUS_OK &&
         (state.flags & ALD_LAYER_VIEW_ACTIVE) != 0;
}

/*
 * Adds a layer to the picture; for a group, the layers in it, the lowest first. A layer that cannot be read is left
 * out, and so is a layer that cannot be placed, for want of a spatial reference; the layer list says so.
 */
static void add_layer(ald_view view, ald_layer layer, canvas *canvas, struct canvas *scratch, picture_gaps *gaps) {
  ald_error error;
  ald_layer_info info = ALD_LAYER_INFO_INIT;
  ald_status status = ALD_STATUS_OK;
  if (ald_layer_get_info(layer, &info, NULL) != ALD_STATUS_OK || !is_active(view, layer))
    return;
  if (info.kind == ALD_LAYER_KIND_GROUP) {
    ald_layer member = {0};
    for (uint32_t i = 0; ald_group_layer_get_layer_at(layer, i, &member, NULL) == ALD_STATUS_OK; i++)
      add_layer(view, member, canvas, scratch, gaps);
  } else if (info.kind == ALD_LAYER_KIND_FEATURE) {
    status = add_features(view, layer, canvas, scratch, &error);
  } else {
    status = add_cells(view, layer, canvas, scratch, gaps, &error);
  }
  ald_fetch_progress progress = ALD_FETCH_PROGRESS_INIT;
  if (ald_view_get_fetch_progress(view, layer, &progress, NULL) == ALD_STATUS_OK) {
    gaps->is_partial = gaps->is_partial || progress.there_count < progress.wanted_count;
    gaps->is_awaited = gaps->is_awaited || (gaps->is_partial && progress.failed_count == 0);
  }
  /* The window's thread may have taken the layer off the map meanwhile. */
  if (status != ALD_STATUS_OK && status != ALD_STATUS_NOT_READY && is_active(view, layer))
    fprintf(stderr, "viewer: %s\n", error.message);
}

picture_gaps pictures_add_layers(ald_map map, ald_view view, canvas *canvas, struct canvas *scratch) {
  picture_gaps gaps = {false, false};
  ald_layer layer = {0};
  for (uint32_t i = 0; ald_map_get_layer_at(map, i, &layer, NULL) == ALD_STATUS_OK; i++)
    add_layer(view, layer, canvas, scratch, &gaps);
  return gaps;
}

/* Brings the thread's view to where the window's one was. */
static bool look(ald_view view, const ald_view_state *state) {
  ald_error error;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE | ALD_VIEWPOINT_HAS_ROTATION;
  viewpoint.center = state->center;
  viewpoint.scale = state->scale;
  viewpoint.rotation_deg = state->rotation_deg;
  /* The old insets might not fit the new size. A view without a size refuses, and has none to take away. */
  ald_view_set_insets(view, NULL, NULL);
  ald_status status = ald_view_set_size(view, state->width_dip, state->height_dip, state->pixel_density, &error);
  if (status == ALD_STATUS_OK)
    status = ald_view_set_insets(view, &state->insets, &error);
  if (status == ALD_STATUS_OK)
    status = ald_view_set_viewpoint(view, &viewpoint, &error);
  if (status != ALD_STATUS_OK)
    fprintf(stderr, "viewer: %s\n", error.message);
  return status == ALD_STATUS_OK;
}

/* The time of the clock, or of the processor for this thread. */
static double time_ms(clockid_t clock) {
  struct timespec time = {0, 0};
  clock_gettime(clock, &time);
  return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

/* Paints the picture that is described, in new memory; a picture that cannot be painted has no pixels. */
static void make(const pictures *pictures, ald_view view, picture *picture, canvas *scratch) {
  const double density = picture->state.pixel_density;
  const int width = (int)lround(picture->state.width_dip * density);
  const int height = (int)lround(picture->state.height_dip * density);
  picture->canvas = (canvas){0};
  picture->gaps = (picture_gaps){false, false};
  const bool has_scratch = (scratch->width == width && scratch->height == height && scratch->density == density) ||
                           canvas_resize(scratch, width, height, density);
  const double begin = time_ms(CLOCK_MONOTONIC), begin_here = time_ms(CLOCK_THREAD_CPUTIME_ID);
  if (has_scratch && canvas_resize(&picture->canvas, width, height, density) && look(view, &picture->state))
    picture->gaps = pictures_add_layers(pictures->map, view, &picture->canvas, scratch);
  else
    canvas_free(&picture->canvas);
  if (pictures->says_times)
    fprintf(stderr, "viewer: layers drawn in %.0f ms, %.0f ms of a processor\n", time_ms(CLOCK_MONOTONIC) - begin,
            time_ms(CLOCK_THREAD_CPUTIME_ID) - begin_here);
}

static int work(void *argument) {
  pictures *pictures = argument;
  ald_error error;
  ald_view view = {0};
  canvas scratch = {0};
  if (ald_view_create(pictures->map, NULL, &view, &error) != ALD_STATUS_OK) {
    fprintf(stderr, "viewer: %s\n", error.message);
    return 1;
  }
  SDL_LockMutex(pictures->mutex);
  while (!pictures->is_stopping) {
    if (!pictures->is_wanted) {
      /* What a server has not returned is drawn when it is there, and what failed is requested again. */
      if (!pictures->shown.gaps.is_partial)
        SDL_CondWait(pictures->changed, pictures->mutex);
      else if (SDL_CondWaitTimeout(pictures->changed, pictures->mutex, PARTIAL_MS) == SDL_MUTEX_TIMEDOUT)
        pictures->is_wanted = true;
      continue;
    }
    picture made = pictures->wanted;
    pictures->is_wanted = false;
    SDL_UnlockMutex(pictures->mutex);
    make(pictures, view, &made, &scratch);
    SDL_LockMutex(pictures->mutex);
    canvas_free(&pictures->shown.canvas);
    pictures->shown = made;
    SDL_UnlockMutex(pictures->mutex);
    /* A loop that sleeps wakes up. */
    SDL_Event event = {0};
    event.type = SDL_USEREVENT;
    SDL_PushEvent(&event);
    SDL_LockMutex(pictures->mutex);
  }
  SDL_UnlockMutex(pictures->mutex);
  canvas_free(&scratch);
  ald_view_release(view);
  return 0;
}

pictures *pictures_start(ald_map map, bool says_times) {
  pictures *pictures = calloc(1, sizeof *pictures);
  if (pictures == NULL)
    return NULL;
  pictures->map = map;
  pictures->says_times = says_times;
  pictures->mutex = SDL_CreateMutex();
  pictures->changed = SDL_CreateCond();
  if (pictures->mutex != NULL && pictures->changed != NULL)
    pictures->thread = SDL_CreateThread(work, "pictures", pictures);
  if (pictures->thread == NULL) {
    pictures_stop(pictures);
    return NULL;
  }
  return pictures;
}

void pictures_stop(pictures *pictures) {
  if (pictures == NULL)
    return;
  if (pictures->thread != NULL) {
    SDL_LockMutex(pictures->mutex);
    pictures->is_stopping = true;
    SDL_CondSignal(pictures->changed);
    SDL_UnlockMutex(pictures->mutex);
    SDL_WaitThread(pictures->thread, NULL);
  }
  SDL_DestroyCond(pictures->changed);
  SDL_DestroyMutex(pictures->mutex);
  canvas_free(&pictures->shown.canvas);
  free(pictures);
}

void pictures_want(pictures *pictures, const ald_view_state *state, uint64_t layers_generation) {
  SDL_LockMutex(pictures->mutex);
  if (!is_for(&pictures->wanted, state, layers_generation)) {
    pictures->wanted.state = *state;
    pictures->wanted.layers_generation = layers_generation;
    pictures->is_wanted = true;
    SDL_CondSignal(pictures->changed);
  }
  SDL_UnlockMutex(pictures->mutex);
}

bool pictures_are_behind(pictures *pictures) {
  SDL_LockMutex(pictures->mutex);
  const bool is_behind = pictures->shown.gaps.is_awaited ||
                         !is_for(&pictures->shown, &pictures->wanted.state, pictures->wanted.layers_generation);
  SDL_UnlockMutex(pictures->mutex);
  return is_behind;
}

/* Whether Cairo's coordinates, 16 bits and 16 more for fractions, suffice for the picture. */
static bool is_near(const cairo_matrix_t *matrix) {
  const double scale = fmax(hypot(matrix->xx, matrix->yx), hypot(matrix->xy, matrix->yy));
  return scale > 1.0 / 256 && scale < 256 && fabs(matrix->x0) < 16384 && fabs(matrix->y0) < 16384;
}

void pictures_paint(pictures *pictures, canvas *canvas, const ald_view_state *now) {
  SDL_LockMutex(pictures->mutex);
  const picture *shown = &pictures->shown;
  const ald_view_state *then = &shown->state;
  if (shown->canvas.surface != NULL && then->pixel_density == canvas->density) {
    /* Screen point of now to map point to screen point of then, both relative to the cameras' centres and anchors. */
    const double *to_map = now->screen_to_map, *to_then = then->map_to_screen;
    const double east = now->center.x - then->center.x, north = now->center.y - then->center.y;
    cairo_matrix_t matrix = {.xx = to_then[0] * to_map[0] + to_then[1] * to_map[2],
                             .xy = to_then[0] * to_map[1] + to_then[1] * to_map[3],
                             .yx = to_then[2] * to_map[0] + to_then[3] * to_map[2],
                             .yy = to_then[2] * to_map[1] + to_then[3] * to_map[3]};
    const ald_point here = now->anchor_dip;
    matrix.x0 = to_then[0] * east + to_then[1] * north - matrix.xx * here.x - matrix.xy * here.y + then->anchor_dip.x;
    matrix.y0 = to_then[2] * east + to_then[3] * north - matrix.yx * here.x - matrix.yy * here.y + then->anchor_dip.y;
    if (now->generation == then->generation)
      cairo_matrix_init_identity(&matrix);
    if (is_near(&matrix)) {
      cairo_pattern_t *const pattern = cairo_pattern_create_for_surface(shown->canvas.surface);
      cairo_pattern_set_matrix(pattern, &matrix);
      cairo_pattern_set_filter(pattern, CAIRO_FILTER_BILINEAR);
      cairo_set_source(canvas->cairo, pattern);
      cairo_paint(canvas->cairo);
      cairo_pattern_destroy(pattern);
    }
  }
  SDL_UnlockMutex(pictures->mutex);
}

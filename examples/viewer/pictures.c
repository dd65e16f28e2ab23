/*
 * The layers. The screen call and the drawings of features read files and so take their time: a thread of its own makes
 * one picture after the other through a view of its own on the same map, and the window shows the newest one, moved,
 * turned and scaled to where the camera is by now.
 */
#include "viewer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A picture, and the camera that it was made for. */
typedef struct picture {
  ald_view_state state;
  uint64_t layers_generation;
  int width;
  int height;
  uint8_t *pixels;
  /* Servers have not returned all that it shows; of what lacks, some is on its way. */
  bool is_partial;
  bool is_awaited;
} picture;

/* A picture that lacks something is painted again after this time. */
enum { PARTIAL_MS = 50 };

struct pictures {
  ald_map map;
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

/*
 * Puts a layer's colours over what is below it: alpha is not premultiplied, on both sides. `opacity` is 0 to 1.
 */
static void put_over(uint8_t *below, const uint8_t *above, size_t count, double opacity) {
  const int share = (int)lround(opacity * 255);
  for (size_t i = 0; i < count; i++, below += 4, above += 4) {
    const int alpha = (above[3] * share + 127) / 255;
    const int rest = below[3] * (255 - alpha) / 255;
    if (alpha == 0)
      continue;
    for (int channel = 0; channel < 3; channel++)
      below[channel] =
          (uint8_t)((above[channel] * alpha + below[channel] * rest + (alpha + rest) / 2) / (alpha + rest));
    below[3] = (uint8_t)(alpha + rest);
  }
}

/* Reads the cells of a raster layer, which come with its opacity. */
static ald_status read_cells(ald_view view, ald_layer layer, picture *picture, canvas *scratch, ald_error *error) {
  const size_t count = (size_t)picture->width * (size_t)picture->height;
  ald_screen_grid grid = ALD_SCREEN_GRID_INIT;
  grid.flags = ALD_SCREEN_GRID_OVERVIEWS;
  grid.columns = picture->width;
  grid.rows = picture->height;
  uint8_t *const verdicts = malloc(count);
  const ald_status status = ald_view_read_rgba(view, layer, &grid, scratch->pixels, 0, count * 4, verdicts, error);
  if (status == ALD_STATUS_OK)
    put_over(picture->pixels, scratch->pixels, count, 1);
  /* What lacks may be there by now. */
  if (status == ALD_STATUS_OK && verdicts != NULL && memchr(verdicts, ALD_CELL_VERDICT_NOT_LOADED, count) != NULL)
    picture->is_partial = true;
  free(verdicts);
  return status;
}

/* Paints the features of a layer on nothing, and lays all of them on the picture as opaque as the layer is. */
static ald_status paint_features(ald_view view, ald_layer layer, picture *picture, canvas *scratch, ald_error *error) {
  ald_overlay_drawing drawing = {0};
  ald_overlay_drawing_overlay overlay = ALD_OVERLAY_DRAWING_OVERLAY_INIT;
  canvas_clear(scratch, (ald_rgba){0, 0, 0, 0});
  ald_status status = ald_view_create_feature_drawing(view, layer, NULL, &drawing, error);
  if (status == ALD_STATUS_OK)
    status = ald_overlay_drawing_get_overlay_at(drawing, 0, &overlay, error);
  if (status == ALD_STATUS_OK)
    status = graphics_paint_drawing(scratch, drawing, error);
  if (status == ALD_STATUS_OK)
    put_over(picture->pixels, scratch->pixels, (size_t)picture->width * (size_t)picture->height, overlay.opacity);
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
static void add_layer(ald_view view, ald_layer layer, picture *picture, canvas *scratch) {
  ald_error error;
  ald_layer_info info = ALD_LAYER_INFO_INIT;
  ald_status status = ALD_STATUS_OK;
  if (ald_layer_get_info(layer, &info, NULL) != ALD_STATUS_OK || !is_active(view, layer))
    return;
  if (info.kind == ALD_LAYER_KIND_GROUP) {
    ald_layer member = {0};
    for (uint32_t i = 0; ald_group_layer_get_layer_at(layer, i, &member, NULL) == ALD_STATUS_OK; i++)
      add_layer(view, member, picture, scratch);
  } else if (info.kind == ALD_LAYER_KIND_FEATURE) {
    status = paint_features(view, layer, picture, scratch, &error);
  } else {
    status = read_cells(view, layer, picture, scratch, &error);
  }
  ald_fetch_progress progress = ALD_FETCH_PROGRESS_INIT;
  if (ald_view_get_fetch_progress(view, layer, &progress, NULL) == ALD_STATUS_OK) {
    picture->is_partial = picture->is_partial || progress.there_count < progress.wanted_count;
    picture->is_awaited = picture->is_awaited || (picture->is_partial && progress.failed_count == 0);
  }
  /* The window's thread may have taken the layer off the map meanwhile. */
  if (status != ALD_STATUS_OK && status != ALD_STATUS_NOT_READY && is_active(view, layer))
    fprintf(stderr, "viewer: %s\n", error.message);
}

static void add_layers(ald_map map, ald_view view, picture *picture, canvas *scratch) {
  ald_layer layer = {0};
  memset(picture->pixels, 0, (size_t)picture->width * (size_t)picture->height * 4);
  for (uint32_t i = 0; ald_map_get_layer_at(map, i, &layer, NULL) == ALD_STATUS_OK; i++)
    add_layer(view, layer, picture, scratch);
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

/* Paints the picture that is described, in new memory; a picture that cannot be painted has no pixels. */
static void make(const pictures *pictures, ald_view view, picture *picture, canvas *scratch) {
  picture->width = (int)lround(picture->state.width_dip * picture->state.pixel_density);
  picture->height = (int)lround(picture->state.height_dip * picture->state.pixel_density);
  picture->pixels = malloc((size_t)picture->width * (size_t)picture->height * 4);
  const bool has_room = (scratch->width == picture->width && scratch->height == picture->height &&
                         scratch->density == picture->state.pixel_density) ||
                        canvas_resize(scratch, picture->width, picture->height, picture->state.pixel_density);
  if (has_room && picture->pixels != NULL && look(view, &picture->state)) {
    add_layers(pictures->map, view, picture, scratch);
  } else {
    free(picture->pixels);
    picture->pixels = NULL;
  }
  if (scratch->is_out_of_memory)
    fprintf(stderr, "viewer: not enough memory for all features\n");
  scratch->is_out_of_memory = false;
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
      if (!pictures->shown.is_partial)
        SDL_CondWait(pictures->changed, pictures->mutex);
      else if (SDL_CondWaitTimeout(pictures->changed, pictures->mutex, PARTIAL_MS) == SDL_MUTEX_TIMEDOUT)
        pictures->is_wanted = true;
      continue;
    }
    picture made = pictures->wanted;
    made.is_partial = made.is_awaited = false;
    pictures->is_wanted = false;
    SDL_UnlockMutex(pictures->mutex);
    make(pictures, view, &made, &scratch);
    SDL_LockMutex(pictures->mutex);
    free(pictures->shown.pixels);
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

pictures *pictures_start(ald_map map) {
  pictures *pictures = calloc(1, sizeof *pictures);
  if (pictures == NULL)
    return NULL;
  pictures->map = map;
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
  free(pictures->shown.pixels);
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
  const bool is_behind = pictures->shown.is_awaited ||
                         !is_for(&pictures->shown, &pictures->wanted.state, pictures->wanted.layers_generation);
  SDL_UnlockMutex(pictures->mutex);
  return is_behind;
}

/* One line of the window: the picture's pixel at each point is found by steps along the line. */
static void paint_row(const picture *picture, uint8_t *row, int width, double x, double y, double dx, double dy) {
  for (int column = 0; column < width; column++, row += 4, x += dx, y += dy) {
    if (!(x >= 0 && y >= 0 && x < picture->width && y < picture->height))
      continue;
    const uint8_t *pixel = picture->pixels + 4 * ((size_t)(int)y * (size_t)picture->width + (size_t)(int)x);
    for (int channel = 0; channel < 3; channel++)
      row[channel] = (uint8_t)((pixel[channel] * pixel[3] + row[channel] * (255 - pixel[3]) + 127) / 255);
  }
}

void pictures_paint(pictures *pictures, canvas *canvas, const ald_view_state *now) {
  SDL_LockMutex(pictures->mutex);
  const picture *shown = &pictures->shown;
  if (shown->pixels != NULL && shown->state.pixel_density == canvas->density) {
    /* Screen point of now to map point to screen point of then, both relative to the cameras' centres and anchors. */
    const double *to_map = now->screen_to_map, *to_then = shown->state.map_to_screen;
    const double a = to_then[0] * to_map[0] + to_then[1] * to_map[2];
    const double b = to_then[0] * to_map[1] + to_then[1] * to_map[3];
    const double c = to_then[2] * to_map[0] + to_then[3] * to_map[2];
    const double d = to_then[2] * to_map[1] + to_then[3] * to_map[3];
    const double east = now->center.x - shown->state.center.x, north = now->center.y - shown->state.center.y;
    const double density = canvas->density;
    for (int row = 0; row < canvas->height; row++) {
      const double right = 0.5 / density - now->anchor_dip.x, down = (row + 0.5) / density - now->anchor_dip.y;
      const double x = to_then[0] * east + to_then[1] * north + a * right + b * down + shown->state.anchor_dip.x;
      const double y = to_then[2] * east + to_then[3] * north + c * right + d * down + shown->state.anchor_dip.y;
      paint_row(shown, canvas->pixels + 4 * (size_t)row * (size_t)canvas->width, canvas->width, x * density,
                y * density, a, c);
    }
  }
  SDL_UnlockMutex(pictures->mutex);
}

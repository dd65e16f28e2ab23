/*
 * A frame: the map from bottom to top, then what lies on the glass; all of it goes to the window as one texture.
 */
#include "viewer.h"

#include <math.h>

static const ald_rgba water = {206, 222, 234, 255};

bool frame_resize(viewer *viewer) {
  ald_error error;
  int width = 0, height = 0, width_px = 0, height_px = 0;
  SDL_GetWindowSize(viewer->window, &width, &height);
  if (SDL_GetRendererOutputSize(viewer->renderer, &width_px, &height_px) != 0 || width < 1 || width_px < 1)
    return false;
  const double density = (double)width_px / width;
  SDL_DestroyTexture(viewer->texture);
  viewer->texture =
      SDL_CreateTexture(viewer->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STREAMING, width_px, height_px);
  if (viewer->texture == NULL || !canvas_resize(&viewer->canvas, width_px, height_px, density)) {
    fprintf(stderr, "viewer: cannot create a picture of %d x %d pixels: %s\n", width_px, height_px, SDL_GetError());
    return false;
  }
  /* The status line covers a part of the map: callouts and what is zoomed to keep clear of it. */
  const ald_insets insets = {0, 0, height > 2 * STATUS_BAR_DIP ? STATUS_BAR_DIP : 0, 0};
  ald_view_set_insets(viewer->view, NULL, NULL); /* refused by a view without a size, which has none */
  ald_status status = ald_view_set_size(viewer->view, width, height, density, &error);
  if (status == ALD_STATUS_OK)
    status = ald_view_set_insets(viewer->view, &insets, &error);
  return succeeded(viewer, status, &error);
}

/* Paints what lies below the layers as a view shows it. */
void frame_paint_below(viewer *viewer, canvas *canvas, ald_view view) {
  canvas_clear(canvas, water);
  graphics_paint(viewer, canvas, view, viewer->land);
}

void frame_paint_above(viewer *viewer, canvas *canvas, ald_view view) {
  graphics_paint(viewer, canvas, view, viewer->coasts);
  graphics_paint(viewer, canvas, view, viewer->pins);
  graphics_paint(viewer, canvas, view, viewer->hovered);
  graphics_paint(viewer, canvas, view, viewer->found);
  graphics_paint(viewer, canvas, view, viewer->marks);
}

bool frame_paint(viewer *viewer) {
  ald_error error;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  canvas *canvas = &viewer->canvas;
  if (!succeeded(viewer, ald_view_get_state(viewer->view, &state, &error), &error))
    return false;
  frame_paint_below(viewer, canvas, viewer->view);
  pictures_want(viewer->pictures, &state, viewer->layers_generation);
  pictures_paint(viewer->pictures, canvas, &state);
  frame_paint_above(viewer, canvas, viewer->view);
  if (!lens_paint(viewer))
    return false;
  balloon_paint(viewer);
  panel_paint(viewer, &state);
  list_paint(viewer);
  cairo_surface_flush(canvas->surface);
  SDL_UpdateTexture(viewer->texture, NULL, cairo_image_surface_get_data(canvas->surface), canvas->width * 4);
  SDL_RenderCopy(viewer->renderer, viewer->texture, NULL, NULL);
  SDL_RenderPresent(viewer->renderer);
  if (cairo_status(canvas->cairo) != CAIRO_STATUS_SUCCESS)
    fprintf(stderr, "viewer: cannot paint: %s\n", cairo_status_to_string(cairo_status(canvas->cairo)));
  return cairo_status(canvas->cairo) == CAIRO_STATUS_SUCCESS;
}

bool frame_save(viewer *viewer, const char *path) {
  const int width = viewer->canvas.width, height = viewer->canvas.height;
  SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, width, height, 32, SDL_PIXELFORMAT_RGBA32);
  /* What the renderer has, and not what was given to it. */
  const bool is_saved =
      surface != NULL && SDL_RenderCopy(viewer->renderer, viewer->texture, NULL, NULL) == 0 &&
      SDL_RenderReadPixels(viewer->renderer, NULL, SDL_PIXELFORMAT_RGBA32, surface->pixels, surface->pitch) == 0 &&
      SDL_SaveBMP(surface, path) == 0;
  if (!is_saved)
    fprintf(stderr, "viewer: cannot write %s: %s\n", path, SDL_GetError());
  SDL_FreeSurface(surface);
  return is_saved;
}

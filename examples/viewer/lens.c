/*
 * The magnifier: the engine says where it goes and owns a view of what it shows. That view is painted like the
 * window's own, in a canvas of its own, and lies on the map as a round glass.
 */
#include "viewer.h"

#include <math.h>
#include <string.h>

#define SIZE_DIP 150
#define RING_DIP 3.0

static const ald_rgba ring = {60, 64, 70, 255}, rim = {255, 255, 255, 255}, cross = {230, 0, 90, 255};

bool lens_open(viewer *viewer) {
  ald_error error;
  ald_magnifier_options options = ALD_MAGNIFIER_OPTIONS_INIT;
  options.factor = 4;
  options.width_dip = SIZE_DIP;
  options.height_dip = SIZE_DIP;
  ald_status status = ald_magnifier_create(viewer->view, &options, &viewer->magnifier, &error);
  if (status == ALD_STATUS_OK)
    status = ald_magnifier_get_view(viewer->magnifier, &viewer->lens_view, &error);
  return succeeded(viewer, status, &error);
}

void lens_move(viewer *viewer, bool is_shown, ald_point finger_point) {
  ald_error error;
  const ald_status status = is_shown ? ald_magnifier_show_at(viewer->magnifier, finger_point, &error)
                                     : ald_magnifier_hide(viewer->magnifier, &error);
  succeeded(viewer, status, &error);
}

bool lens_is_panning(const viewer *viewer) {
  ald_magnifier_state state = ALD_MAGNIFIER_STATE_INIT;
  return ald_magnifier_get_state(viewer->magnifier, &state, NULL) == ALD_STATUS_OK && state.is_panning;
}

/* Copies what is inside the circle; `left` and `top` are pixels of the window. */
static void lay_on(canvas *below, const canvas *glass, long left, long top) {
  const double radius = fmin(glass->width, glass->height) / 2.0;
  for (int row = 0; row < glass->height; row++) {
    const double down = row + 0.5 - glass->height / 2.0;
    const double half = sqrt(fmax(radius * radius - down * down, 0));
    const long first = lround(glass->width / 2.0 - half), end = lround(glass->width / 2.0 + half);
    const long begin = left + first < 0 ? -left : first;
    const long stop = left + end > below->width ? below->width - left : end;
    if (top + row < 0 || top + row >= below->height || begin >= stop)
      continue;
    memcpy(below->pixels + 4 * ((top + row) * below->width + left + begin),
           glass->pixels + 4 * ((long)row * glass->width + begin), 4 * (size_t)(stop - begin));
  }
}

bool lens_paint(viewer *viewer) {
  ald_magnifier_state state = ALD_MAGNIFIER_STATE_INIT;
  ald_view_state seen = ALD_VIEW_STATE_INIT;
  canvas *below = &viewer->canvas, *glass = &viewer->glass;
  if (ald_magnifier_get_state(viewer->magnifier, &state, NULL) != ALD_STATUS_OK || !state.is_shown ||
      ald_view_get_state(viewer->lens_view, &seen, NULL) != ALD_STATUS_OK)
    return true;
  const int size = (int)lround(SIZE_DIP * below->density);
  if ((glass->width != size || glass->density != below->density) && !canvas_resize(glass, size, size, below->density))
    return false;
  frame_paint_map(viewer, glass, viewer->lens_view, viewer->lens_pictures, &seen);
  const ald_point middle = {SIZE_DIP / 2.0, SIZE_DIP / 2.0};
  const double across[4] = {middle.x - 8, middle.y, middle.x + 8, middle.y};
  const double down[4] = {middle.x, middle.y - 8, middle.x, middle.y + 8};
  canvas_add_line(glass, across, 2, 1);
  canvas_add_line(glass, down, 2, 1);
  canvas_fill(glass, CANVAS_NON_ZERO, cross);
  lay_on(below, glass, lround(state.box_dip.x_min * below->density), lround(state.box_dip.y_min * below->density));
  const ald_point center = {(state.box_dip.x_min + state.box_dip.x_max) / 2,
                            (state.box_dip.y_min + state.box_dip.y_max) / 2};
  canvas_circle(below, center, SIZE_DIP / 2.0, RING_DIP, ring);
  canvas_circle(below, center, SIZE_DIP / 2.0 - RING_DIP, RING_DIP / 2, rim);
  return !glass->is_out_of_memory;
}

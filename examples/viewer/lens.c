/*
 * The magnifier: the engine says where it goes and owns a view of what it shows. That view is painted like the
 * window's own, in a canvas of its own, and lies on the map as a round glass.
 */
#include "viewer.h"

#include <math.h>

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

/* The picture is painted at once, and not by a thread: it is small, and the finger moves. */
static void paint_glass(viewer *viewer) {
  canvas *const glass = &viewer->glass;
  frame_paint_below(viewer, glass, viewer->lens_view);
  viewer->lens_gaps = pictures_add_layers(viewer->map, viewer->lens_view, glass, &viewer->scratch);
  frame_paint_above(viewer, glass, viewer->lens_view);
  const double middle = SIZE_DIP / 2.0;
  canvas_add_line(glass->cairo, (ald_point){middle - 8, middle}, (ald_point){middle + 8, middle});
  canvas_add_line(glass->cairo, (ald_point){middle, middle - 8}, (ald_point){middle, middle + 8});
  canvas_stroke(glass->cairo, 1, cross);
}

bool lens_paint(viewer *viewer) {
  ald_magnifier_state state = ALD_MAGNIFIER_STATE_INIT;
  ald_view_state seen = ALD_VIEW_STATE_INIT;
  canvas *below = &viewer->canvas, *glass = &viewer->glass;
  viewer->lens_gaps = (picture_gaps){false, false};
  if (ald_magnifier_get_state(viewer->magnifier, &state, NULL) != ALD_STATUS_OK || !state.is_shown ||
      ald_view_get_state(viewer->lens_view, &seen, NULL) != ALD_STATUS_OK)
    return true;
  const double density = below->density;
  const int size = (int)lround(SIZE_DIP * density);
  if ((glass->width != size || glass->density != density) &&
      (!canvas_resize(glass, size, size, density) || !canvas_resize(&viewer->scratch, size, size, density)))
    return false;
  paint_glass(viewer);
  /* Whole pixels, so that the cells keep their colours. */
  const double left = round(state.box_dip.x_min * density) / density,
               top = round(state.box_dip.y_min * density) / density;
  const ald_point center = {(state.box_dip.x_min + state.box_dip.x_max) / 2,
                            (state.box_dip.y_min + state.box_dip.y_max) / 2};
  cairo_set_source_surface(below->cairo, glass->surface, left, top);
  canvas_add_disk(below->cairo, center, SIZE_DIP / 2.0);
  cairo_fill(below->cairo);
  canvas_add_disk(below->cairo, center, SIZE_DIP / 2.0);
  canvas_stroke(below->cairo, RING_DIP, ring);
  canvas_add_disk(below->cairo, center, SIZE_DIP / 2.0 - RING_DIP);
  canvas_stroke(below->cairo, RING_DIP / 2, rim);
  return true;
}

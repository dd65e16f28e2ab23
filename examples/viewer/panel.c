/*
 * What lies on the glass: scale bar, compass and status line.
 */
#include "viewer.h"

#include <math.h>
#include <string.h>

static const ald_rgba ink = {24, 28, 34, 255}, paper = {255, 255, 255, 200}, bar_color = {40, 48, 58, 255},
                      words = {232, 236, 240, 255}, north = {214, 60, 60, 255}, south = {150, 156, 162, 255};

bool panel_scale_bar(viewer *viewer, const ald_view_state *state, ald_scale_bar *bar) {
  const ald_point middle = {90, state->height_dip - STATUS_BAR_DIP - 14};
  return ald_view_scale_bar(viewer->view, middle, 140, ALD_UNIT_SYSTEM_METRIC, bar, NULL) == ALD_STATUS_OK;
}

static void paint_scale_bar(viewer *viewer, const ald_view_state *state) {
  canvas *canvas = &viewer->canvas;
  ald_scale_bar bar = ALD_SCALE_BAR_INIT;
  /* There is none where the view shows no point on the earth. */
  if (!panel_scale_bar(viewer, state, &bar))
    return;
  char label[64];
  snprintf(label, sizeof label, "%g %s", bar.length, bar.unit == ALD_UNIT_KILOMETRE ? "km" : "m");
  const double y = bar.start_dip.y, left = bar.start_dip.x, right = bar.end_dip.x;
  const double width = text_width(label, strlen(label));
  const double middle = (left + right) / 2, half = fmax(right - left, width) / 2 + 6;
  canvas_box(canvas, (ald_envelope){middle - half, y - 20, middle + half, y + 7}, paper);
  canvas_box(canvas, (ald_envelope){left, y - 1.5, right, y + 1.5}, ink);
  canvas_text(canvas, (ald_point){middle - width / 2, y - 17}, label, strlen(label), ink);
}

/* A needle that shows where north is: the rotation is the compass direction that is up. */
static void paint_compass(viewer *viewer, const ald_view_state *state) {
  canvas *canvas = &viewer->canvas;
  const ald_point center = {state->width_dip - 28, 28};
  const double angle = -state->rotation_deg * 3.14159265358979323846 / 180;
  const double x = sin(angle), y = -cos(angle);
  canvas_add_disk(canvas, center, 18);
  canvas_fill(canvas, CANVAS_NON_ZERO, paper);
  canvas_circle(canvas, center, 18, 1, bar_color);
  const double up[6] = {center.x + 14 * x, center.y + 14 * y, center.x - 5 * y,
                        center.y + 5 * x,  center.x + 5 * y,  center.y - 5 * x};
  const double down[6] = {center.x - 14 * x, center.y - 14 * y, center.x - 5 * y,
                          center.y + 5 * x,  center.x + 5 * y,  center.y - 5 * x};
  canvas_add_ring(canvas, up, 3);
  canvas_fill(canvas, CANVAS_NON_ZERO, north);
  canvas_add_ring(canvas, down, 3);
  canvas_fill(canvas, CANVAS_NON_ZERO, south);
}

/* Latitude and longitude under the pointer, or of the middle of the view if it is elsewhere. */
static bool place_of_pointer(viewer *viewer, const ald_view_state *state, ald_point *place) {
  const ald_point pointer = viewer->pointer_dip;
  const bool is_inside =
      pointer.x >= 0 && pointer.y >= 0 && pointer.x < state->width_dip && pointer.y < state->height_dip;
  const ald_point at = is_inside ? pointer : state->anchor_dip;
  return ald_view_screen_to_map(viewer->view, &at.x, 0, 1, &place->x, 0, NULL) == ALD_STATUS_OK &&
         ald_spatial_reference_project_points(viewer->web_mercator, viewer->wgs84, &place->x, 0, 1, &place->x, 0, NULL,
                                              NULL) == ALD_STATUS_OK &&
         isfinite(place->x) && isfinite(place->y);
}

void panel_status(viewer *viewer, const ald_view_state *state, char *text, size_t size) {
  char place_text[64] = "outside the map";
  ald_point place = {0, 0};
  if (place_of_pointer(viewer, state, &place))
    snprintf(place_text, sizeof place_text, "%.5f\xc2\xb0 %c %.5f\xc2\xb0 %c", fabs(place.y), place.y < 0 ? 'S' : 'N',
             fabs(place.x), place.x < 0 ? 'W' : 'E');
  snprintf(text, size, "1 : %.0f   %s   %.1f\xc2\xb0   %s", state->scale, place_text, state->rotation_deg,
           viewer->message);
}

static void paint_status(viewer *viewer, const ald_view_state *state) {
  char text[MESSAGE_SIZE + 256];
  panel_status(viewer, state, text, sizeof text);
  const double top = state->height_dip - STATUS_BAR_DIP;
  canvas_box(&viewer->canvas, (ald_envelope){0, top, state->width_dip, state->height_dip}, bar_color);
  canvas_text(&viewer->canvas, (ald_point){8, top + 4}, text, strlen(text), words);
}

void panel_paint(viewer *viewer, const ald_view_state *state) {
  paint_scale_bar(viewer, state);
  paint_compass(viewer, state);
  paint_status(viewer, state);
}

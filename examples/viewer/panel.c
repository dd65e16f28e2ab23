/*
 * What lies on the glass: scale bar, compass and status line.
 */
#include "viewer.h"

#include <math.h>
#include <string.h>

#define BAR_LEFT_DIP 20.0

static const ald_rgba ink = {24, 28, 34, 255}, paper = {255, 255, 255, 200}, bar_color = {40, 48, 58, 255},
                      words = {232, 236, 240, 255}, north = {214, 60, 60, 255}, south = {150, 156, 162, 255};

/* The bar is as long as it says at the centre of the view. It is drawn at the lower left. */
bool panel_scale_bar(viewer *viewer, const ald_view_state *state, ald_scale_bar *bar) {
  if (ald_view_scale_bar(viewer->view, state->anchor_dip, 140, ALD_UNIT_SYSTEM_METRIC, bar, NULL) != ALD_STATUS_OK)
    return false;
  const double y = state->height_dip - STATUS_BAR_DIP - 14;
  bar->start_dip = (ald_point){BAR_LEFT_DIP, y};
  bar->end_dip = (ald_point){BAR_LEFT_DIP + bar->width_dip, y};
  return true;
}

static void paint_scale_bar(viewer *viewer, const ald_view_state *state) {
  canvas *canvas = &viewer->canvas;
  ald_scale_bar bar = ALD_SCALE_BAR_INIT;
  /* There is none where the view shows no point on the earth. */
  if (!panel_scale_bar(viewer, state, &bar))
    return;
  char label[64];
  snprintf(label, sizeof label, "%.15g %s", bar.length, bar.unit == ALD_UNIT_KILOMETRE ? "km" : "m");
  const double y = bar.start_dip.y, left = bar.start_dip.x, right = bar.end_dip.x, none = 1e4;
  const double width = canvas_text(canvas, (ald_point){0, 0}, none, label, (ald_rgba){0, 0, 0, 0}).x;
  const double half = fmax(right - left, width) / 2 + 6, middle = fmax((left + right) / 2, half + 4);
  canvas_add_box(canvas->cairo, (ald_envelope){middle - half, y - 22, middle + half, y + 7});
  canvas_fill(canvas->cairo, paper);
  canvas_add_box(canvas->cairo, (ald_envelope){left, y - 1.5, right, y + 1.5});
  canvas_fill(canvas->cairo, ink);
  canvas_text(canvas, (ald_point){middle - width / 2, y - 20}, none, label, ink);
}

/* A needle that shows where north is: the rotation is the compass direction that is up. */
static void paint_compass(viewer *viewer, const ald_view_state *state) {
  cairo_t *const cairo = viewer->canvas.cairo;
  const ald_point center = {state->width_dip - 28, 28};
  canvas_add_disk(cairo, center, 18);
  canvas_color(cairo, paper);
  cairo_fill_preserve(cairo);
  canvas_stroke(cairo, 1, bar_color);
  cairo_save(cairo);
  cairo_translate(cairo, center.x, center.y);
  cairo_rotate(cairo, -state->rotation_deg * 3.14159265358979323846 / 180);
  canvas_add_triangle(cairo, (ald_point){0, -14}, (ald_point){5, 0}, (ald_point){-5, 0});
  canvas_fill(cairo, north);
  canvas_add_triangle(cairo, (ald_point){0, 14}, (ald_point){5, 0}, (ald_point){-5, 0});
  canvas_fill(cairo, south);
  cairo_restore(cairo);
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

/* A whole number with a comma before each three digits. */
static void write_grouped(double number, char *text, size_t size) {
  snprintf(text, size, "%.0f", number);
  for (size_t length = strlen(text), place = length; place > 3 && length + 1 < size; length++) {
    place -= 3;
    memmove(text + place + 1, text + place, length - place + 1);
    text[place] = ',';
  }
}

void panel_status(viewer *viewer, const ald_view_state *state, char *text, size_t size) {
  char place_text[64] = "outside the map";
  ald_point place = {0, 0};
  if (place_of_pointer(viewer, state, &place))
    snprintf(place_text, sizeof place_text, "%.5f\xc2\xb0 %c %.5f\xc2\xb0 %c", fabs(place.y), place.y < 0 ? 'S' : 'N',
             fabs(place.x), place.x < 0 ? 'W' : 'E');
  char scale[32];
  write_grouped(state->scale, scale, sizeof scale);
  snprintf(text, size, "1 : %s   %s   %.1f\xc2\xb0   %s", scale, place_text, state->rotation_deg, viewer->message);
}

static void paint_status(viewer *viewer, const char *text) {
  canvas *const canvas = &viewer->canvas;
  const double width = canvas->width / canvas->density, height = canvas->height / canvas->density;
  canvas_add_box(canvas->cairo, (ald_envelope){0, height - STATUS_BAR_DIP, width, height});
  canvas_fill(canvas->cairo, bar_color);
  canvas_text(canvas, (ald_point){8, height - STATUS_BAR_DIP + 3}, width - 16, text, words);
}

void panel_paint(viewer *viewer, const ald_view_state *state) {
  char text[MESSAGE_SIZE + 256];
  panel_status(viewer, state, text, sizeof text);
  paint_scale_bar(viewer, state);
  paint_compass(viewer, state);
  paint_status(viewer, text);
}

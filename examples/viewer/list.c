/*
 * The layer list: a row for each layer, the topmost first, with a box that shows or hides it, a sign for what its state
 * in this view is, and its name, grey while the view does not show it. A click on the name says what the state is.
 */
#include "viewer.h"

#include <math.h>
#include <string.h>

#define LEFT_DIP 8.0
#define TOP_DIP 8.0
#define WIDTH_DIP 214.0
#define ROW_DIP 20.0
#define BOX_DIP 11.0
#define SIGN_RADIUS_DIP 6.5
#define HISTOGRAM_DIP 58.0

static const ald_rgba paper = {255, 255, 255, 225}, edge = {60, 64, 70, 255}, ink = {24, 28, 34, 255},
                      grey = {150, 156, 162, 255}, yellow = {245, 190, 0, 255}, red = {205, 30, 40, 255},
                      white = {255, 255, 255, 255}, pale = {205, 210, 216, 255}, blue = {40, 110, 200, 255};

/* The box of the row that a layer has; layers are counted from 1, the lowest. */
static ald_envelope row_of(const viewer *viewer, uint32_t number) {
  const double top = TOP_DIP + ROW_DIP * (viewer->layer_count - number);
  return (ald_envelope){LEFT_DIP, top, LEFT_DIP + WIDTH_DIP, top + ROW_DIP};
}

static ald_envelope box_of(ald_envelope row) {
  const double top = row.y_min + (ROW_DIP - BOX_DIP) / 2;
  return (ald_envelope){row.x_min + 6, top, row.x_min + 6 + BOX_DIP, top + BOX_DIP};
}

static ald_point sign_of(ald_envelope row) {
  return (ald_point){row.x_max - 14, row.y_min + ROW_DIP / 2};
}

static bool contains(ald_envelope box, ald_point place) {
  return place.x >= box.x_min && place.x < box.x_max && place.y >= box.y_min && place.y < box.y_max;
}

/* A layer's state in the view as a text; an error or a warning with its cause. */
static void say(viewer *viewer, uint32_t number) {
  ald_layer_view_state state = ALD_LAYER_VIEW_STATE_INIT;
  char text[128] = "";
  if (ald_view_get_layer_state(viewer->view, viewer->layers[number - 1], &state, NULL) != ALD_STATUS_OK)
    return;
  ald_layer_view_flags_get_text(state.flags, text, sizeof text, NULL, NULL);
  const bool is_neither = (state.flags & ALD_LAYER_VIEW_ERROR) != 0 && viewer->refusals[number - 1][0] != '\0';
  snprintf(viewer->message, sizeof viewer->message, "%s%s%s%s%.400s", text, state.error.message[0] == '\0' ? "" : ": ",
           state.error.message, is_neither ? " As a raster: " : "", is_neither ? viewer->refusals[number - 1] : "");
}

/* The layer whose row is there; 0: none. */
static uint32_t number_at(const viewer *viewer, ald_point place) {
  uint32_t number = viewer->layer_count;
  while (number > 0 && !contains(row_of(viewer, number), place))
    number--;
  return number;
}

/* The list lies over the map, and the histogram at its end. */
bool list_contains(const viewer *viewer, ald_point place) {
  return number_at(viewer, place) > 0;
}

bool list_click(viewer *viewer, ald_point place) {
  const uint32_t number = number_at(viewer, place);
  if (number > 0 && contains(box_of(row_of(viewer, number)), place))
    world_toggle(viewer, number);
  else if (number > 0)
    say(viewer, number);
  return number > 0;
}

bool list_wheel(viewer *viewer, ald_point place, double notches) {
  const uint32_t number = number_at(viewer, place);
  if (number > 0)
    world_fade(viewer, number, notches / 10);
  return number > 0;
}

/* The topmost raster that is shown with a stretch, as a number; 0: none. */
static uint32_t stretched(const viewer *viewer) {
  for (uint32_t number = viewer->layer_count; number > 0; number--) {
    ald_layer_view_flags flags = 0;
    ald_view_get_layer_states(viewer->view, &viewer->layers[number - 1], 1, &flags, NULL);
    const stretch *const stretch = &viewer->stretches[number - 1];
    if (stretch->thread == NULL && stretch->is_stretched && (flags & ALD_LAYER_VIEW_ACTIVE) != 0)
      return number;
  }
  return 0;
}

void list_report(const viewer *viewer) {
  for (uint32_t number = viewer->layer_count; number > 0; number--) {
    const ald_envelope row = row_of(viewer, number);
    ald_layer_view_state state = ALD_LAYER_VIEW_STATE_INIT;
    char text[128] = "";
    ald_view_get_layer_state(viewer->view, viewer->layers[number - 1], &state, NULL);
    ald_layer_view_flags_get_text(state.flags, text, sizeof text, NULL, NULL);
    printf("row %g %g %g %g flags %u %s\n", row.x_min, row.y_min, row.x_max, row.y_max, state.flags, text);
  }
  const uint32_t number = stretched(viewer);
  if (number > 0)
    printf("stretch %u %.17g %.17g\n", number, viewer->stretches[number - 1].low, viewer->stretches[number - 1].high);
}

/* A wheel of eight dots, one of them dark, that goes round once a second. */
static void paint_spinner(const viewer *viewer, cairo_t *cairo, ald_point center) {
  const int dark = (int)floor(fmod(viewer->time_s, 1) * 8);
  for (int dot = 0; dot < 8; dot++) {
    const double angle = dot * 3.14159265358979323846 / 4;
    const ald_point place = {center.x + (SIGN_RADIUS_DIP - 1.5) * sin(angle),
                             center.y - (SIGN_RADIUS_DIP - 1.5) * cos(angle)};
    canvas_add_disk(cairo, place, 1.5);
    canvas_fill(cairo, dot == dark ? blue : pale);
  }
}

static void paint_warning(cairo_t *cairo, ald_point center) {
  const double r = SIGN_RADIUS_DIP;
  canvas_add_triangle(cairo, (ald_point){center.x, center.y - r}, (ald_point){center.x + r, center.y + r - 1},
                      (ald_point){center.x - r, center.y + r - 1});
  canvas_fill(cairo, yellow);
  canvas_add_line(cairo, (ald_point){center.x, center.y - 2.5}, (ald_point){center.x, center.y + 2});
  canvas_stroke(cairo, 1.5, ink);
  canvas_add_disk(cairo, (ald_point){center.x, center.y + 4}, 0.9);
  canvas_fill(cairo, ink);
}

static void paint_error(cairo_t *cairo, ald_point center) {
  const double r = 3;
  canvas_add_disk(cairo, center, SIGN_RADIUS_DIP);
  canvas_fill(cairo, red);
  canvas_add_line(cairo, (ald_point){center.x - r, center.y - r}, (ald_point){center.x + r, center.y + r});
  canvas_add_line(cairo, (ald_point){center.x - r, center.y + r}, (ald_point){center.x + r, center.y - r});
  canvas_stroke(cairo, 1.8, white);
}

/* The name of a file, without its folders. */
static const char *name_of(const viewer *viewer, uint32_t number) {
  const char *const path = viewer->paths[number - 1];
  const char *const slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static void paint_row(viewer *viewer, uint32_t number) {
  cairo_t *const cairo = viewer->canvas.cairo;
  const ald_envelope row = row_of(viewer, number), box = box_of(row);
  const ald_point sign = sign_of(row);
  ald_layer_view_state state = ALD_LAYER_VIEW_STATE_INIT;
  uint32_t is_visible = 0;
  /* A layer that is not on the map waits for those below. */
  if (ald_view_get_layer_state(viewer->view, viewer->layers[number - 1], &state, NULL) != ALD_STATUS_OK)
    state.flags = ALD_LAYER_VIEW_LOADING;
  ald_layer_is_visible(viewer->layers[number - 1], &is_visible, NULL);
  canvas_add_box(cairo, (ald_envelope){box.x_min + 0.5, box.y_min + 0.5, box.x_max - 0.5, box.y_max - 0.5});
  canvas_stroke(cairo, 1, edge);
  if (is_visible) {
    canvas_add_line(cairo, (ald_point){box.x_min + 2.5, box.y_min + 5.5}, (ald_point){box.x_min + 4.5, box.y_min + 8});
    cairo_line_to(cairo, box.x_max - 2, box.y_min + 2.5);
    canvas_stroke(cairo, 2, ink);
  }
  if ((state.flags & ALD_LAYER_VIEW_ERROR) != 0)
    paint_error(cairo, sign);
  else if ((state.flags & ALD_LAYER_VIEW_LOADING) != 0)
    paint_spinner(viewer, cairo, sign);
  else if ((state.flags & ALD_LAYER_VIEW_WARNING) != 0)
    paint_warning(cairo, sign);
  const bool is_seen = (state.flags & (ALD_LAYER_VIEW_NOT_VISIBLE | ALD_LAYER_VIEW_OUT_OF_SCALE)) == 0;
  canvas_text(&viewer->canvas, (ald_point){row.x_min + 25, row.y_min + 2}, WIDTH_DIP - 25 - 28, name_of(viewer, number),
              is_seen ? ink : grey);
}

/* How often the values of a raster occur from the lowest to the highest colour, as bars of those colours. Their roots,
 * so that rare values show in addition to a lake's. */
static void paint_histogram(viewer *viewer, uint32_t number, double top) {
  cairo_t *const cairo = viewer->canvas.cairo;
  const stretch *const stretch = &viewer->stretches[number - 1];
  const double left = LEFT_DIP + 8, right = LEFT_DIP + WIDTH_DIP - 8, base = top + HISTOGRAM_DIP - TEXT_LINE_DIP - 4;
  const double bar = (right - left) / STRETCH_BINS, height = base - top - 4;
  double most = 1;
  for (int i = 0; i < STRETCH_BINS; i++)
    most = fmax(most, stretch->bins[i]);
  /* On whole pixels, or else gaps would shine through. */
  cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE);
  for (int i = 0; i < STRETCH_BINS; i++) {
    canvas_add_box(cairo, (ald_envelope){left + i * bar, base - height * sqrt(stretch->bins[i] / most),
                                         left + (i + 1) * bar, base + 3});
    canvas_fill(cairo, stretch_color((i + 0.5) / STRETCH_BINS));
  }
  cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
  canvas_add_line(cairo, (ald_point){left, base + 3.5}, (ald_point){right, base + 3.5});
  canvas_stroke(cairo, 1, edge);
  char low[32], high[32];
  snprintf(low, sizeof low, "%.6g", stretch->low);
  snprintf(high, sizeof high, "%.6g", stretch->high);
  const double width = canvas_text(&viewer->canvas, (ald_point){0, 0}, WIDTH_DIP, high, (ald_rgba){0, 0, 0, 0}).x;
  canvas_text(&viewer->canvas, (ald_point){left, base + 4}, WIDTH_DIP, low, ink);
  canvas_text(&viewer->canvas, (ald_point){right - width, base + 4}, WIDTH_DIP, high, ink);
}

void list_paint(viewer *viewer) {
  if (viewer->layer_count == 0)
    return;
  const ald_envelope top = row_of(viewer, viewer->layer_count), bottom = row_of(viewer, 1);
  const uint32_t number = stretched(viewer);
  canvas_add_box(viewer->canvas.cairo,
                 (ald_envelope){top.x_min, top.y_min, top.x_max, bottom.y_max + (number > 0 ? HISTOGRAM_DIP : 0)});
  canvas_fill(viewer->canvas.cairo, paper);
  for (uint32_t row = 1; row <= viewer->layer_count; row++)
    paint_row(viewer, row);
  if (number > 0)
    paint_histogram(viewer, number, bottom.y_max);
}

#include "canvas.h"

#include <pango/pangocairo.h>

#define FONT "DejaVu Sans, Sans"
#define FONT_SIZE_DIP 12.5

bool canvas_resize(canvas *canvas, int width, int height, double density) {
  canvas_free(canvas);
  canvas->width = width;
  canvas->height = height;
  canvas->density = density;
  canvas->surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  cairo_surface_set_device_scale(canvas->surface, density, density);
  canvas->cairo = cairo_create(canvas->surface);
  return cairo_status(canvas->cairo) == CAIRO_STATUS_SUCCESS;
}

void canvas_free(canvas *canvas) {
  if (canvas->cairo != NULL)
    cairo_destroy(canvas->cairo);
  if (canvas->surface != NULL)
    cairo_surface_destroy(canvas->surface);
  *canvas = (struct canvas){0};
}

void canvas_color(cairo_t *cairo, ald_rgba color) {
  cairo_set_source_rgba(cairo, color.red / 255.0, color.green / 255.0, color.blue / 255.0, color.alpha / 255.0);
}

void canvas_clear(canvas *canvas, ald_rgba color) {
  cairo_set_operator(canvas->cairo, CAIRO_OPERATOR_SOURCE);
  canvas_color(canvas->cairo, color);
  cairo_paint(canvas->cairo);
  cairo_set_operator(canvas->cairo, CAIRO_OPERATOR_OVER);
}

void canvas_fill(cairo_t *cairo, ald_rgba color) {
  canvas_color(cairo, color);
  cairo_fill(cairo);
}

void canvas_stroke(cairo_t *cairo, double width, ald_rgba color) {
  canvas_color(cairo, color);
  cairo_set_line_width(cairo, width);
  cairo_stroke(cairo);
}

void canvas_add_box(cairo_t *cairo, ald_envelope box) {
  cairo_rectangle(cairo, box.x_min, box.y_min, box.x_max - box.x_min, box.y_max - box.y_min);
}

void canvas_add_disk(cairo_t *cairo, ald_point center, double radius) {
  cairo_new_sub_path(cairo);
  cairo_arc(cairo, center.x, center.y, radius, 0, 2 * G_PI);
  cairo_close_path(cairo);
}

void canvas_add_line(cairo_t *cairo, ald_point from, ald_point to) {
  cairo_move_to(cairo, from.x, from.y);
  cairo_line_to(cairo, to.x, to.y);
}

void canvas_add_triangle(cairo_t *cairo, ald_point a, ald_point b, ald_point c) {
  canvas_add_line(cairo, a, b);
  cairo_line_to(cairo, c.x, c.y);
  cairo_close_path(cairo);
}

/* Metrics without rounding, so that a text has the same width at each density; grey edges, as a texture needs them. */
static PangoLayout *create_layout(canvas *canvas) {
  PangoLayout *const layout = pango_cairo_create_layout(canvas->cairo);
  cairo_font_options_t *const options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options(pango_layout_get_context(layout), options);
  cairo_font_options_destroy(options);
  PangoFontDescription *const font = pango_font_description_from_string(FONT);
  pango_font_description_set_absolute_size(font, FONT_SIZE_DIP * PANGO_SCALE);
  pango_layout_set_font_description(layout, font);
  pango_font_description_free(font);
  return layout;
}

ald_point canvas_text(canvas *canvas, ald_point place, double width, const char *text, ald_rgba color) {
  PangoLayout *const layout = create_layout(canvas);
  int text_width = 0, text_height = 0;
  pango_layout_set_text(layout, text, -1);
  pango_layout_get_size(layout, &text_width, &text_height);
  /* A layout with a width aligns texts that run from right to left at its right side: only where it is needed. */
  if (text_width > width * PANGO_SCALE) {
    pango_layout_set_width(layout, (int)(width * PANGO_SCALE));
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_MIDDLE);
    pango_layout_get_size(layout, &text_width, &text_height);
  }
  if (color.alpha > 0) {
    cairo_move_to(canvas->cairo, place.x, place.y);
    canvas_color(canvas->cairo, color);
    pango_cairo_show_layout(canvas->cairo, layout);
    cairo_new_path(canvas->cairo);
  }
  g_object_unref(layout);
  return (ald_point){(double)text_width / PANGO_SCALE, (double)text_height / PANGO_SCALE};
}

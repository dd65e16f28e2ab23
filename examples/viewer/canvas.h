/*
 * A picture in memory, painted with Cairo; texts are set by Pango. Lengths and positions are in DIP, y down; a DIP has
 * `density` pixels in each direction.
 */
#ifndef VIEWER_CANVAS_H
#define VIEWER_CANVAS_H

#include <alidade.h>
#include <cairo.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct canvas {
  int width;
  int height;
  double density;
  /* Pixels of 32 bits, alpha in the highest, colours multiplied by alpha. */
  cairo_surface_t *surface;
  cairo_t *cairo;
} canvas;

/* Allocates a size in pixels; false if there is no memory. What was painted is lost. */
bool canvas_resize(canvas *canvas, int width, int height, double density);
void canvas_free(canvas *canvas);
void canvas_clear(canvas *canvas, ald_rgba color);

/* Sets the colour for what is painted next with Cairo. */
void canvas_color(cairo_t *cairo, ald_rgba color);
/* Fills the path, or strokes it, and forgets it. */
void canvas_fill(cairo_t *cairo, ald_rgba color);
void canvas_stroke(cairo_t *cairo, double width, ald_rgba color);
/* Adds to the path. */
void canvas_add_box(cairo_t *cairo, ald_envelope box);
void canvas_add_disk(cairo_t *cairo, ald_point center, double radius);
void canvas_add_line(cairo_t *cairo, ald_point from, ald_point to);
void canvas_add_triangle(cairo_t *cairo, ald_point a, ald_point b, ald_point c);

/* The height of a line of text. */
#define TEXT_LINE_DIP 16.0

/*
 * Writes UTF-8, a line for each of the text's, from a top left point on. A line that is wider than `width` has an
 * ellipsis in its middle: names of files often differ at their ends. A colour without alpha only measures. Returns the
 * size.
 */
ald_point canvas_text(canvas *canvas, ald_point place, double width, const char *text, ald_rgba color);

#endif

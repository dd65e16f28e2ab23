/*
 * A picture in memory, and what is painted on it: filled rings, strokes and texts with smooth edges. All lengths and
 * positions are in DIP, y down; a DIP has `density` pixels in each direction.
 */
#ifndef VIEWER_CANVAS_H
#define VIEWER_CANVAS_H

#include <alidade.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An edge of what is filled next, in pixels, from its upper to its lower end. */
typedef struct canvas_edge {
  double top;
  double bottom;
  double x_at_top;
  double slope;
  int direction;
} canvas_edge;

/* Where a line of sight meets an edge. */
typedef struct canvas_crossing {
  double x;
  int direction;
} canvas_crossing;

typedef struct canvas {
  int width;
  int height;
  double density;
  /* Red, green, blue, alpha, not premultiplied. The top line first, without gaps. */
  uint8_t *pixels;
  canvas_edge *edges;
  size_t edge_count;
  size_t edge_capacity;
  /* Numbers of edges, and one crossing each: as many as edge_capacity. */
  size_t *active;
  canvas_crossing *crossings;
  /* How much of each pixel of a line is covered. */
  float *coverage;
  /* What did not fit into memory was not painted. */
  bool is_out_of_memory;
} canvas;

/* What is inside: by the even-odd rule for polygons with holes, by the other one for strokes that overlap. */
typedef enum canvas_rule { CANVAS_EVEN_ODD, CANVAS_NON_ZERO } canvas_rule;

/* Allocates a size in pixels; false if there is no memory. What was painted is lost. */
bool canvas_resize(canvas *canvas, int width, int height, double density);
void canvas_free(canvas *canvas);

void canvas_clear(canvas *canvas, ald_rgba color);

/* Adds to what canvas_fill fills: a ring, a line of a width, or a disk. Open rings are closed. */
void canvas_add_ring(canvas *canvas, const double *xy, size_t count);
void canvas_add_line(canvas *canvas, const double *xy, size_t count, double width);
void canvas_add_disk(canvas *canvas, ald_point center, double radius);

/* Fills what was added, and forgets it. */
void canvas_fill(canvas *canvas, canvas_rule rule, ald_rgba color);

/* The common forms. */
void canvas_box(canvas *canvas, ald_envelope box, ald_rgba color);
void canvas_frame(canvas *canvas, ald_envelope box, double width, ald_rgba color);
void canvas_circle(canvas *canvas, ald_point center, double radius, double width, ald_rgba color);

/* The size of a line of text, and the distance from one to the next. */
double text_width(const char *text, size_t length);
#define TEXT_LINE_DIP 15.0

/* Writes up to `length` bytes of UTF-8; what the font does not have becomes a question mark. `place`: the top left. */
void canvas_text(canvas *canvas, ald_point place, const char *text, size_t length, ald_rgba color);

#endif

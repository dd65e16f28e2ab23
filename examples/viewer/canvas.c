/*
 * Filling shapes: each line of pixels is looked at along four lines of sight; what lies between an edge that goes in
 * and an edge that goes out is covered.
 */
#include "canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIGHTS 4

bool canvas_resize(canvas *canvas, int width, int height, double density) {
  uint8_t *pixels = realloc(canvas->pixels, (size_t)width * (size_t)height * 4);
  if (pixels != NULL)
    canvas->pixels = pixels;
  float *coverage = realloc(canvas->coverage, sizeof(float) * (size_t)width);
  if (coverage != NULL)
    canvas->coverage = coverage;
  if (pixels == NULL || coverage == NULL)
    return false;
  canvas->width = width;
  canvas->height = height;
  canvas->density = density;
  return true;
}

void canvas_free(canvas *canvas) {
  free(canvas->pixels);
  free(canvas->edges);
  free(canvas->active);
  free(canvas->crossings);
  free(canvas->coverage);
  memset(canvas, 0, sizeof *canvas);
}

void canvas_clear(canvas *canvas, ald_rgba color) {
  const uint8_t pixel[4] = {color.red, color.green, color.blue, color.alpha};
  for (size_t i = 0; i < (size_t)canvas->width * (size_t)canvas->height; i++)
    memcpy(canvas->pixels + 4 * i, pixel, 4);
}

static bool make_room(canvas *canvas) {
  if (canvas->edge_count < canvas->edge_capacity)
    return true;
  size_t capacity = canvas->edge_capacity == 0 ? 1024 : canvas->edge_capacity * 2;
  canvas_edge *edges = realloc(canvas->edges, capacity * sizeof *edges);
  if (edges != NULL)
    canvas->edges = edges;
  size_t *active = realloc(canvas->active, capacity * sizeof *active);
  if (active != NULL)
    canvas->active = active;
  canvas_crossing *crossings = realloc(canvas->crossings, capacity * sizeof *crossings);
  if (crossings != NULL)
    canvas->crossings = crossings;
  if (edges == NULL || active == NULL || crossings == NULL) {
    canvas->is_out_of_memory = true;
    return false;
  }
  canvas->edge_capacity = capacity;
  return true;
}

/* Adds an edge between two points in pixels. What lies above or below the picture covers nothing. */
static void add_edge(canvas *canvas, double x0, double y0, double x1, double y1) {
  if (y0 == y1 || fmax(y0, y1) <= 0 || fmin(y0, y1) >= canvas->height || !make_room(canvas))
    return;
  canvas_edge *edge = &canvas->edges[canvas->edge_count++];
  edge->direction = y0 < y1 ? 1 : -1;
  edge->slope = (x1 - x0) / (y1 - y0);
  edge->top = fmin(y0, y1);
  edge->bottom = fmax(y0, y1);
  edge->x_at_top = y0 < y1 ? x0 : x1;
}

void canvas_add_ring(canvas *canvas, const double *xy, size_t count) {
  const double scale = canvas->density;
  for (size_t i = 0; i < count; i++) {
    const double *from = xy + 2 * i, *to = xy + 2 * ((i + 1) % count);
    add_edge(canvas, from[0] * scale, from[1] * scale, to[0] * scale, to[1] * scale);
  }
}

void canvas_add_disk(canvas *canvas, ald_point center, double radius) {
  enum { corners = 32 };
  double xy[2 * corners];
  for (int i = 0; i < corners; i++) {
    const double angle = 2 * 3.14159265358979323846 * i / corners;
    xy[2 * i] = center.x + radius * cos(angle);
    xy[2 * i + 1] = center.y + radius * sin(angle);
  }
  canvas_add_ring(canvas, xy, corners);
}

void canvas_add_line(canvas *canvas, const double *xy, size_t count, double width) {
  const double half = width / 2;
  const double right = canvas->width / canvas->density + half, bottom = canvas->height / canvas->density + half;
  const double *from = xy;
  if (count == 1)
    canvas_add_disk(canvas, (ald_point){xy[0], xy[1]}, half);
  for (size_t i = 1; i < count; i++) {
    const double *to = xy + 2 * i;
    const double dx = to[0] - from[0], dy = to[1] - from[1], length = sqrt(dx * dx + dy * dy);
    /* Steps of less than half a pixel wait for the next one. */
    if (length * canvas->density < 0.5 && i + 1 < count)
      continue;
    const bool is_seen = fmax(from[0], to[0]) > -half && fmin(from[0], to[0]) < right && fmax(from[1], to[1]) > -half &&
                         fmin(from[1], to[1]) < bottom;
    if (is_seen && length > 0) {
      const double x = dx / length * half, y = dy / length * half;
      const double corners[8] = {from[0] + y, from[1] - x, to[0] + y,   to[1] - x,
                                 to[0] - y,   to[1] + x,   from[0] - y, from[1] + x};
      canvas_add_ring(canvas, corners, 4);
    }
    /* A round joint where a gap would be seen. */
    if (is_seen && width * canvas->density > 2.5 && i + 1 < count)
      canvas_add_disk(canvas, (ald_point){to[0], to[1]}, half);
    from = to;
  }
}

static int by_top(const void *first, const void *second) {
  const double a = ((const canvas_edge *)first)->top, b = ((const canvas_edge *)second)->top;
  return (a > b) - (a < b);
}

/* Adds to the coverage of a line of pixels what lies between two points on a line of sight. */
static void cover(canvas *canvas, double from, double to, int *first, int *last) {
  from = fmax(from, 0);
  to = fmin(to, canvas->width);
  if (!(from < to))
    return;
  const int begin = (int)from, end = (int)ceil(to) - 1;
  const float whole = 1.0f / SIGHTS;
  if (begin == end) {
    canvas->coverage[begin] += (float)(to - from) * whole;
  } else {
    canvas->coverage[begin] += (float)(begin + 1 - from) * whole;
    for (int x = begin + 1; x < end; x++)
      canvas->coverage[x] += whole;
    canvas->coverage[end] += (float)(to - end) * whole;
  }
  *first = begin < *first ? begin : *first;
  *last = end > *last ? end : *last;
}

/* What a line of sight sees: `count` of the edges are at its height. */
static void look(canvas *canvas, canvas_rule rule, double y, size_t count, int *first, int *last) {
  canvas_crossing *found = canvas->crossings;
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    const canvas_edge *edge = &canvas->edges[canvas->active[i]];
    if (y < edge->top || y >= edge->bottom)
      continue;
    const canvas_crossing here = {edge->x_at_top + (y - edge->top) * edge->slope, edge->direction};
    size_t place = n++;
    for (; place > 0 && found[place - 1].x > here.x; place--)
      found[place] = found[place - 1];
    found[place] = here;
  }
  int winding = 0;
  for (size_t i = 0; i + 1 < n; i++) {
    winding += found[i].direction;
    if (rule == CANVAS_EVEN_ODD ? i % 2 == 0 : winding != 0)
      cover(canvas, found[i].x, found[i + 1].x, first, last);
  }
}

static void blend_row(canvas *canvas, int row, int first, int last, ald_rgba color) {
  uint8_t *pixel = canvas->pixels + 4 * ((size_t)row * (size_t)canvas->width + (size_t)first);
  const float channels[3] = {color.red, color.green, color.blue};
  const uint8_t whole[4] = {color.red, color.green, color.blue, 255};
  for (int x = first; x <= last; x++, pixel += 4) {
    const float covered = canvas->coverage[x] < 1 ? canvas->coverage[x] : 1;
    const float share = covered * ((float)color.alpha / 255);
    canvas->coverage[x] = 0;
    if (share == 1) {
      memcpy(pixel, whole, 4);
      continue;
    }
    /* What is below shows through, as far as there is something. */
    const float rest = (1 - share) * ((float)pixel[3] / 255), all = share + rest;
    if (all == 0)
      continue;
    for (int channel = 0; channel < 3; channel++)
      pixel[channel] = (uint8_t)(((float)pixel[channel] * rest + channels[channel] * share) / all + 0.5f);
    pixel[3] = (uint8_t)(all * 255 + 0.5f);
  }
}

void canvas_fill(canvas *canvas, canvas_rule rule, ald_rgba color) {
  if (canvas->edge_count == 0)
    return;
  qsort(canvas->edges, canvas->edge_count, sizeof *canvas->edges, by_top);
  memset(canvas->coverage, 0, sizeof(float) * (size_t)canvas->width);
  size_t next = 0, count = 0;
  for (int row = (int)fmax(canvas->edges[0].top, 0); row < canvas->height && (next < canvas->edge_count || count > 0);
       row++) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
      if (canvas->edges[canvas->active[i]].bottom > row)
        canvas->active[kept++] = canvas->active[i];
    count = kept;
    for (; next < canvas->edge_count && canvas->edges[next].top < row + 1; next++)
      if (canvas->edges[next].bottom > row)
        canvas->active[count++] = next;
    int first = canvas->width, last = -1;
    for (int sight = 0; sight < SIGHTS; sight++)
      look(canvas, rule, row + (sight + 0.5) / SIGHTS, count, &first, &last);
    if (first <= last)
      blend_row(canvas, row, first, last, color);
  }
  canvas->edge_count = 0;
}

void canvas_box(canvas *canvas, ald_envelope box, ald_rgba color) {
  const double xy[8] = {box.x_min, box.y_min, box.x_max, box.y_min, box.x_max, box.y_max, box.x_min, box.y_max};
  canvas_add_ring(canvas, xy, 4);
  canvas_fill(canvas, CANVAS_EVEN_ODD, color);
}

void canvas_frame(canvas *canvas, ald_envelope box, double width, ald_rgba color) {
  const double in = width;
  const double outer[8] = {box.x_min, box.y_min, box.x_max, box.y_min, box.x_max, box.y_max, box.x_min, box.y_max};
  const double inner[8] = {box.x_min + in, box.y_min + in, box.x_max - in, box.y_min + in,
                           box.x_max - in, box.y_max - in, box.x_min + in, box.y_max - in};
  canvas_add_ring(canvas, outer, 4);
  canvas_add_ring(canvas, inner, 4);
  canvas_fill(canvas, CANVAS_EVEN_ODD, color);
}

void canvas_circle(canvas *canvas, ald_point center, double radius, double width, ald_rgba color) {
  canvas_add_disk(canvas, center, radius + width / 2);
  canvas_add_disk(canvas, center, radius - width / 2);
  canvas_fill(canvas, CANVAS_EVEN_ODD, color);
}

/*
 * Graphics overlays and features: the engine says what to draw where, in order and with final symbols; Cairo paints it.
 * Fills, solid lines and disks are all that this program's symbols have.
 * A marker is painted once as a sprite, and copied to its points: a layer may have a million of them.
 */
#include "viewer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cairo keeps coordinates in 24 bits with 8 more for fractions: what is farther away than this is cut off. */
#define FAR_DIP 1e5
/* A sprite's point lies in one of 4 x 4 parts of a pixel. */
enum { STEPS = 4 };

typedef struct sprite {
  int size;
  uint32_t *pixels;
} sprite;

typedef sprite sprites[STEPS * STEPS];

/* What is cut off: points with sign * xy[axis] > FAR_DIP. Lines that leave and come back run along the cut, unseen. */
static size_t cut(const double *xy, size_t count, int axis, double sign, bool is_ring, double *kept) {
  size_t kept_count = 0;
  for (size_t i = 0; i < count; i++) {
    const double *const from = i > 0 ? xy + 2 * (i - 1) : xy + 2 * (count - 1), *const to = xy + 2 * i;
    const double before = FAR_DIP - sign * from[axis], after = FAR_DIP - sign * to[axis];
    if ((i > 0 || is_ring) && (before >= 0) != (after >= 0)) {
      const double share = before / (before - after);
      kept[2 * kept_count] = from[0] + share * (to[0] - from[0]);
      kept[2 * kept_count++ + 1] = from[1] + share * (to[1] - from[1]);
    }
    if (after >= 0) {
      memcpy(kept + 2 * kept_count, to, 2 * sizeof *to);
      kept_count++;
    }
  }
  return kept_count;
}

/* Adds a line or a ring; steps that nobody sees wait for the next one. */
static void add_near(canvas *canvas, const double *xy, size_t count, bool is_ring) {
  const double *last = NULL;
  const double seen = 0.25 / canvas->density;
  for (size_t i = 0; i < count; i++, xy += 2) {
    if (last != NULL && i + 1 < count && fabs(xy[0] - last[0]) < seen && fabs(xy[1] - last[1]) < seen)
      continue;
    (last == NULL ? cairo_move_to : cairo_line_to)(canvas->cairo, xy[0], xy[1]);
    last = xy;
  }
  if (is_ring)
    cairo_close_path(canvas->cairo);
}

static void add_path(canvas *canvas, const double *xy, size_t count, bool is_ring) {
  bool is_far = false;
  for (size_t i = 0; i < 2 * count && !is_far; i++)
    is_far = !(fabs(xy[i]) <= FAR_DIP);
  if (!is_far) {
    add_near(canvas, xy, count, is_ring);
    return;
  }
  /* Each cut adds at most one point for each point. */
  double *const buffers[2] = {malloc(64 * count * sizeof *xy), malloc(64 * count * sizeof *xy)};
  for (int side = 0; side < 4 && buffers[0] != NULL && buffers[1] != NULL; side++) {
    count = cut(xy, count, side % 2, side < 2 ? 1 : -1, is_ring, buffers[side % 2]);
    xy = buffers[side % 2];
  }
  if (xy == buffers[1])
    add_near(canvas, xy, count, is_ring);
  free(buffers[0]);
  free(buffers[1]);
}

/* Strokes the path and forgets it. */
static void stroke(cairo_t *cairo, ald_symbol symbol) {
  if (symbol.line_style != ALD_LINE_STYLE_NULL && symbol.line_width_dip > 0)
    canvas_stroke(cairo, symbol.line_width_dip, symbol.line_color);
  cairo_new_path(cairo);
}

/* A marker with its point in the middle of a part of the middle pixel. */
static sprite make_sprite(ald_symbol symbol, int size, double density, int step) {
  sprite made = {size, calloc((size_t)size * (size_t)size, sizeof *made.pixels)};
  if (made.pixels == NULL)
    return made;
  cairo_surface_t *const surface =
      cairo_image_surface_create_for_data((uint8_t *)made.pixels, CAIRO_FORMAT_ARGB32, size, size, 4 * size);
  cairo_surface_set_device_scale(surface, density, density);
  cairo_t *const cairo = cairo_create(surface);
  const double x = size / 2 + (step % STEPS + 0.5) / STEPS, y = size / 2 + (step / STEPS + 0.5) / STEPS;
  canvas_add_disk(cairo, (ald_point){x / density, y / density}, symbol.size_dip / 2);
  canvas_color(cairo, symbol.color);
  cairo_fill_preserve(cairo);
  stroke(cairo, symbol);
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
  return made;
}

/* One pixel over another, two channels at a time; exact to a half of 1/255. */
static inline uint32_t over(uint32_t above, uint32_t below) {
  const uint32_t rest = 255 - (above >> 24), mask = 0xff00ff, half = 0x800080;
  uint32_t even = (below & mask) * rest + half, odd = (below >> 8 & mask) * rest + half;
  even = (even + (even >> 8 & mask)) >> 8 & mask;
  odd = (odd + (odd >> 8 & mask)) & ~mask;
  return above + (even | odd);
}

static void copy_sprite(canvas *canvas, const sprite *sprite, int left, int top) {
  uint32_t *const pixels = (uint32_t *)(void *)cairo_image_surface_get_data(canvas->surface);
  const int first = left < 0 ? -left : 0,
            end = left + sprite->size > canvas->width ? canvas->width - left : sprite->size;
  for (int row = 0; row < sprite->size; row++) {
    if (top + row < 0 || top + row >= canvas->height)
      continue;
    const uint32_t *const above = sprite->pixels + row * sprite->size;
    uint32_t *const below = pixels + (ptrdiff_t)(top + row) * canvas->width + left;
    for (int column = first; column < end; column++)
      if (above[column] != 0)
        below[column] = over(above[column], below[column]);
  }
}

static void paint_markers(canvas *canvas, sprite *sprites, const ald_overlay_drawing_columns *items, ald_symbol symbol,
                          int32_t first, int32_t end) {
  const double density = canvas->density;
  /* With pixels that are covered in part. */
  const double reach = (symbol.size_dip + symbol.line_width_dip) / 2 * density + 1;
  const int size = 2 * (int)ceil(reach) + 1;
  cairo_surface_flush(canvas->surface);
  for (int32_t i = first; i < end; i++) {
    const double x = (items->screen_xy[2 * i] + symbol.offset_dip.x) * density;
    const double y = (items->screen_xy[2 * i + 1] + symbol.offset_dip.y) * density;
    if (!(x > -reach && y > -reach && x < canvas->width + reach && y < canvas->height + reach))
      continue;
    const double column = floor(x), row = floor(y);
    const int step = (int)((y - row) * STEPS) * STEPS + (int)((x - column) * STEPS);
    sprite *const sprite = &sprites[step];
    if (sprite->pixels == NULL)
      *sprite = make_sprite(symbol, size, density, step);
    if (sprite->pixels != NULL)
      copy_sprite(canvas, sprite, (int)column - size / 2, (int)row - size / 2);
  }
  cairo_surface_mark_dirty(canvas->surface);
}

static void paint_item(canvas *canvas, sprites *sprites, const ald_overlay_drawing_columns *items, uint32_t item) {
  const uint32_t index = items->symbol_indexes[item];
  const ald_symbol symbol = items->symbols[index];
  const bool is_area = items->kinds[item] == ALD_GEOMETRY_KIND_POLYGON;
  for (int32_t part = items->part_offsets[item]; part < items->part_offsets[item + 1]; part++) {
    for (int32_t path = items->path_offsets[part]; path < items->path_offsets[part + 1]; path++) {
      const int32_t first = items->vertex_offsets[path], end = items->vertex_offsets[path + 1];
      if (symbol.kind == ALD_SYMBOL_KIND_MARKER)
        paint_markers(canvas, sprites[index], items, symbol, first, end);
      else
        add_path(canvas, items->screen_xy + 2 * first, (size_t)(end - first), is_area);
    }
    if (symbol.kind == ALD_SYMBOL_KIND_FILL && symbol.fill_style == ALD_FILL_STYLE_SOLID) {
      canvas_color(canvas->cairo, symbol.color);
      cairo_fill_preserve(canvas->cairo);
    }
    if (symbol.kind != ALD_SYMBOL_KIND_MARKER)
      stroke(canvas->cairo, symbol);
  }
}

ald_status graphics_paint_drawing(canvas *canvas, ald_overlay_drawing drawing, ald_error *error) {
  ald_overlay_drawing_columns items = ALD_OVERLAY_DRAWING_COLUMNS_INIT;
  const ald_status status = ald_overlay_drawing_get_columns(drawing, &items, error);
  if (status != ALD_STATUS_OK)
    return status;
  sprites *const sprites = calloc(items.symbol_count, sizeof *sprites);
  cairo_set_fill_rule(canvas->cairo, CAIRO_FILL_RULE_EVEN_ODD);
  cairo_set_line_join(canvas->cairo, CAIRO_LINE_JOIN_ROUND);
  for (uint32_t item = 0; sprites != NULL && item < items.item_count; item++)
    paint_item(canvas, sprites, &items, item);
  for (uint32_t i = 0; sprites != NULL && i < items.symbol_count; i++)
    for (int step = 0; step < STEPS * STEPS; step++)
      free(sprites[i][step].pixels);
  free(sprites);
  return ALD_STATUS_OK;
}

void graphics_paint(viewer *viewer, canvas *canvas, ald_view view, ald_graphics_overlay overlay) {
  ald_error error;
  ald_overlay_drawing drawing = {0};
  ald_status status = ald_view_create_overlay_drawing(view, overlay, NULL, &drawing, &error);
  if (status == ALD_STATUS_OK)
    status = graphics_paint_drawing(canvas, drawing, &error);
  succeeded(viewer, status, &error);
  ald_overlay_drawing_release(drawing);
}

/*
 * Graphics overlays and features: the engine says what to draw where, in order and with final symbols; here it is
 * painted. Fills, solid lines and circles are all that this program's symbols have.
 */
#include "viewer.h"

static void paint_outline(canvas *canvas, const ald_overlay_drawing_columns *items, int32_t path, ald_symbol symbol) {
  const int32_t first = items->vertex_offsets[path], end = items->vertex_offsets[path + 1];
  canvas_add_line(canvas, items->screen_xy + 2 * first, (size_t)(end - first), symbol.line_width_dip);
}

static void paint_marker(canvas *canvas, const ald_overlay_drawing_columns *items, int32_t path, ald_symbol symbol) {
  for (int32_t i = items->vertex_offsets[path]; i < items->vertex_offsets[path + 1]; i++) {
    const ald_point place = {items->screen_xy[2 * i] + symbol.offset_dip.x,
                             items->screen_xy[2 * i + 1] + symbol.offset_dip.y};
    canvas_add_disk(canvas, place, symbol.size_dip / 2);
    canvas_fill(canvas, CANVAS_NON_ZERO, symbol.color);
    if (symbol.line_style != ALD_LINE_STYLE_NULL && symbol.line_width_dip > 0)
      canvas_circle(canvas, place, symbol.size_dip / 2, symbol.line_width_dip, symbol.line_color);
  }
}

static void paint_item(canvas *canvas, const ald_overlay_drawing_columns *items, uint32_t item) {
  const ald_symbol symbol = items->symbols[items->symbol_indexes[item]];
  for (int32_t part = items->part_offsets[item]; part < items->part_offsets[item + 1]; part++) {
    const int32_t first = items->path_offsets[part], end = items->path_offsets[part + 1];
    if (symbol.kind == ALD_SYMBOL_KIND_FILL && symbol.fill_style == ALD_FILL_STYLE_SOLID) {
      for (int32_t path = first; path < end; path++) {
        const int32_t from = items->vertex_offsets[path], to = items->vertex_offsets[path + 1];
        canvas_add_ring(canvas, items->screen_xy + 2 * from, (size_t)(to - from));
      }
      canvas_fill(canvas, CANVAS_EVEN_ODD, symbol.color);
    }
    if (symbol.kind == ALD_SYMBOL_KIND_MARKER) {
      for (int32_t path = first; path < end; path++)
        paint_marker(canvas, items, path, symbol);
    } else if (symbol.line_style != ALD_LINE_STYLE_NULL && symbol.line_width_dip > 0) {
      for (int32_t path = first; path < end; path++)
        paint_outline(canvas, items, path, symbol);
      canvas_fill(canvas, CANVAS_NON_ZERO, symbol.line_color);
    }
  }
}

ald_status graphics_paint_drawing(canvas *canvas, ald_overlay_drawing drawing, ald_error *error) {
  ald_overlay_drawing_columns items = ALD_OVERLAY_DRAWING_COLUMNS_INIT;
  const ald_status status = ald_overlay_drawing_get_columns(drawing, &items, error);
  for (uint32_t item = 0; status == ALD_STATUS_OK && item < items.item_count; item++)
    paint_item(canvas, &items, item);
  return status;
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

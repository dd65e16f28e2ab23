/**
 * @file
 * Symbols: how a graphic or a feature is drawn.
 *
 * A symbol is a plain value that describes a marker, a line or a fill. The library says which symbol to draw at which
 * screen coordinates (overlay_drawing.h); the host draws it. graphics_overlay.h shows where symbols are used: as a
 * graphic's own symbol, or in a renderer.
 *
 * @code{.c}
 * ald_symbol symbol = {0};
 * symbol.kind = ALD_SYMBOL_KIND_MARKER;
 * symbol.marker_style = ALD_MARKER_STYLE_CIRCLE;
 * symbol.color = (ald_rgba){255, 0, 0, 255};
 * symbol.size_dip = 10;
 * ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
 * renderer.symbol = symbol;
 * return ald_graphics_overlay_set_renderer(overlay, &renderer, error);
 * @endcode
 */
#ifndef ALIDADE_SYMBOL_H
#define ALIDADE_SYMBOL_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kind of a symbol. */
typedef int32_t ald_symbol_kind;
enum ald_symbol_kind_values {
  /** Draws nothing. */
  ALD_SYMBOL_KIND_NONE = 0,
  /** Draws points and multipoints. */
  ALD_SYMBOL_KIND_MARKER = 1,
  /** Draws polylines, and the rings of polygons. */
  ALD_SYMBOL_KIND_LINE = 2,
  /** Draws polygons. */
  ALD_SYMBOL_KIND_FILL = 3
};

/** The shape of a marker. It fills a box of size_dip by size_dip around its point. */
typedef int32_t ald_marker_style;
enum ald_marker_style_values {
  ALD_MARKER_STYLE_CIRCLE = 0,
  /** Two strokes: from left to right, and from top to bottom. */
  ALD_MARKER_STYLE_CROSS = 1,
  /** A square rotated by 45 degrees. */
  ALD_MARKER_STYLE_DIAMOND = 2,
  ALD_MARKER_STYLE_SQUARE = 3,
  /** From the middle of the box's top to the two corners of its bottom. */
  ALD_MARKER_STYLE_TRIANGLE = 4,
  /** Two strokes from corner to corner. */
  ALD_MARKER_STYLE_X = 5
};

/** How a line is stroked. The lengths of strokes and gaps are multiples of the line width. */
typedef int32_t ald_line_style;
enum ald_line_style_values {
  ALD_LINE_STYLE_SOLID = 0,
  /** Stroke 4, gap 3. */
  ALD_LINE_STYLE_DASH = 1,
  /** Stroke 1, gap 2. */
  ALD_LINE_STYLE_DOT = 2,
  /** Stroke 4, gap 2, stroke 1, gap 2. */
  ALD_LINE_STYLE_DASH_DOT = 3,
  /** Stroke 4, gap 2, stroke 1, gap 2, stroke 1, gap 2. */
  ALD_LINE_STYLE_DASH_DOT_DOT = 4,
  /** No stroke. */
  ALD_LINE_STYLE_NULL = 5
};

/** How an area is filled. */
typedef int32_t ald_fill_style;
enum ald_fill_style_values {
  ALD_FILL_STYLE_SOLID = 0,
  /** No fill. */
  ALD_FILL_STYLE_NULL = 1
};

/** Bits of ald_symbol.flags. */
typedef uint32_t ald_symbol_flags;
enum ald_symbol_flags_values {
  /**
   * angle_deg is clockwise from the map's north, and the marker turns with the map. Without this bit the marker keeps
   * its angle on the screen.
   */
  ALD_SYMBOL_ROTATE_WITH_MAP = 1
};

/** A symbol. A symbol of zeros draws nothing. Fields that the kind does not use are ignored, but must be in range. */
typedef struct ald_symbol {
  ald_symbol_kind kind;
  ald_symbol_flags flags;
  ald_marker_style marker_style;
  ald_fill_style fill_style;
  /** The style of a line, or of the outline of a fill or a marker. */
  ald_line_style line_style;
  /** The colour of a marker or a fill. The strokes of a cross or an X have this colour. */
  ald_rgba color;
  /** The colour of a line or an outline. */
  ald_rgba line_color;
  uint32_t reserved;
  /** The size of a marker, 0 to 1e7. */
  double size_dip;
  /** The angle of a marker, in degrees clockwise. Finite. */
  double angle_deg;
  /**
   * The offset from the point to the middle of the marker, right and down on the screen, each -1e7 to 1e7. The offset
   * does not turn.
   */
  ald_point offset_dip;
  /**
   * The width of a line or an outline, 0 to 1e7. With 0, there is no line or outline, and the strokes of a cross or an
   * X are 1 DIP wide.
   */
  double line_width_dip;
} ald_symbol;

#ifdef __cplusplus
}
#endif

#endif

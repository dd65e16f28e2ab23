/**
 * @file
 * Symbols: how a graphic is drawn. Symbols are plain values; the library says what to draw where, and the host draws.
 */
#ifndef ALIDADE_SYMBOL_H
#define ALIDADE_SYMBOL_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a symbol draws. */
typedef int32_t ald_symbol_kind;
enum {
  /** Nothing. */
  ALD_SYMBOL_NONE = 0,
  /** Points and multipoints. */
  ALD_SYMBOL_MARKER = 1,
  /** Polylines, and polygons by their rings alone. */
  ALD_SYMBOL_LINE = 2,
  /** Polygons. */
  ALD_SYMBOL_FILL = 3
};

/** The shape of a marker, which fills a box of size_dip by size_dip around its place. */
typedef int32_t ald_marker_style;
enum {
  ALD_MARKER_CIRCLE = 0,
  /** Two strokes: from the left to the right, and from the top to the bottom. */
  ALD_MARKER_CROSS = 1,
  /** A square that stands on a corner. */
  ALD_MARKER_DIAMOND = 2,
  ALD_MARKER_SQUARE = 3,
  /** From the middle of the box's top to the two corners of its bottom. */
  ALD_MARKER_TRIANGLE = 4,
  /** Two strokes from corner to corner. */
  ALD_MARKER_X = 5
};

/** How a line is stroked; the lengths of strokes and gaps are in widths of the line. */
typedef int32_t ald_line_style;
enum {
  ALD_LINE_SOLID = 0,
  /** 4, and 3 free. */
  ALD_LINE_DASH = 1,
  /** 1, and 2 free. */
  ALD_LINE_DOT = 2,
  /** 4, 2 free, 1, 2 free. */
  ALD_LINE_DASH_DOT = 3,
  /** 4, 2 free, 1, 2 free, 1, 2 free. */
  ALD_LINE_DASH_DOT_DOT = 4,
  /** Not at all. */
  ALD_LINE_NULL = 5
};

/** How an area is filled. */
typedef int32_t ald_fill_style;
enum {
  ALD_FILL_SOLID = 0,
  /** Not at all. */
  ALD_FILL_NULL = 1
};

/** Bits of ald_symbol.flags. */
typedef uint32_t ald_symbol_flags;
enum {
  /** angle_deg is clockwise from the map's north, and the marker turns with the map; else it stays as it is. */
  ALD_SYMBOL_ROTATE_WITH_MAP = 1
};

/**
 * A symbol. Zeros draw nothing. What its kind does not use is left alone, and must be within its range all the same.
 */
typedef struct ald_symbol {
  ald_symbol_kind kind;
  ald_symbol_flags flags;
  ald_marker_style marker_style;
  ald_fill_style fill_style;
  /** Of a line, or of the outline of a fill or a marker. */
  ald_line_style line_style;
  /** Of a marker or a fill. Crosses and X are strokes of this colour. */
  ald_rgba color;
  /** Of a line or an outline. */
  ald_rgba line_color;
  uint32_t reserved;
  /** Of a marker, 0 to 1e7. */
  double size_dip;
  /** Of a marker, degrees clockwise. Finite. */
  double angle_deg;
  /** From the place to the marker's middle: right and down the screen, each -1e7 to 1e7. It does not turn. */
  ald_point offset_dip;
  /** Of a line or an outline, 0 to 1e7; 0: there is none. The strokes of a cross or an X are 1 DIP wide then. */
  double line_width_dip;
} ald_symbol;

#ifdef __cplusplus
}
#endif

#endif

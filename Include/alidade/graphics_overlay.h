/**
 * @file
 * Graphics overlays: graphics that a host draws over a view's map. A graphic has a geometry in any spatial reference,
 * attributes, a z-index and perhaps a symbol of its own; an overlay has a renderer for the others.
 *
 * A graphic is named by its id in its overlay: a number from 1 that is never given to another one. The ids of graphics
 * that are added together follow each other. An id whose graphic is gone is ALD_STATUS_NOT_FOUND, until undo brings it
 * back.
 *
 * Graphics are drawn by z-index, the lowest first, and those of equal z-index in the order in which they were added.
 */
#ifndef ALIDADE_GRAPHICS_OVERLAY_H
#define ALIDADE_GRAPHICS_OVERLAY_H

#include "base.h"
#include "runtime.h"
#include "symbol.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A graphics overlay. */
typedef struct ald_graphics_overlay {
  uint64_t id;
} ald_graphics_overlay;

/** Bits of ald_graphics_overlay_options.flags. */
typedef uint32_t ald_graphics_overlay_flags;
enum {
  /** Nothing of the overlay is drawn. */
  ALD_GRAPHICS_OVERLAY_HIDDEN = 1,
  /** opacity is set; else it is 1. */
  ALD_GRAPHICS_OVERLAY_HAS_OPACITY = 2,
  /** Symbols grow and shrink with the map: their sizes are those at the map's reference scale, if it has one. */
  ALD_GRAPHICS_OVERLAY_SCALE_SYMBOLS = 4,
  /** Edits are not kept for undo. */
  ALD_GRAPHICS_OVERLAY_NO_UNDO = 8,
  /** selection_color is set, and may be transparent. */
  ALD_GRAPHICS_OVERLAY_HAS_SELECTION_COLOR = 16
};

/** How an overlay is shown and edited. */
typedef struct ald_graphics_overlay_options {
  uint32_t struct_size;
  ald_graphics_overlay_flags flags;
  /** 0 to 1, of the overlay as a whole. The host applies it. */
  double opacity;
  /** The farthest scale at which the overlay is drawn, its denominator, 1e-6 to 1e15; 0: no limit. */
  double min_scale;
  /** The closest one; 0: no limit. At both scales it is drawn. */
  double max_scale;
  /** What selected graphics are drawn with; alpha 0 without ALD_GRAPHICS_OVERLAY_HAS_SELECTION_COLOR: cyan. */
  ald_rgba selection_color;
  /** How many edits are kept for undo, at most 10,000; 0: 100. */
  uint32_t undo_limit;
} ald_graphics_overlay_options;

/** Initialises an ald_graphics_overlay_options to the default. */
#define ALD_GRAPHICS_OVERLAY_OPTIONS_INIT                                                                              \
  { (uint32_t)sizeof(ald_graphics_overlay_options), 0, 0.0, 0.0, 0.0, {0, 0, 0, 0}, 0 }

/** The type of an attribute's value. */
typedef int32_t ald_graphic_value_type;
enum { ALD_GRAPHIC_NULL = 0, ALD_GRAPHIC_INTEGER = 1, ALD_GRAPHIC_REAL = 2, ALD_GRAPHIC_TEXT = 3 };

/** An attribute's value. */
typedef struct ald_graphic_value {
  ald_graphic_value_type type;
  uint32_t reserved;
  int64_t integer;
  double real;
  /** Of a text; copied when it comes in. */
  const char *text;
} ald_graphic_value;

/** Facts about an overlay. */
typedef struct ald_graphics_overlay_info {
  uint32_t struct_size;
  ald_graphics_overlay_flags flags;
  /** Goes up by at least 1 with every change of the overlay: graphics, selection, renderer, options. */
  uint64_t generation;
  uint32_t graphic_count;
  uint32_t selected_count;
  /** How many edits can be undone, and done again. */
  uint32_t undo_count;
  uint32_t redo_count;
  double opacity;
  double min_scale;
  double max_scale;
  ald_rgba selection_color;
  uint32_t undo_limit;
} ald_graphics_overlay_info;

/** Initialises an ald_graphics_overlay_info. */
#define ALD_GRAPHICS_OVERLAY_INFO_INIT                                                                                 \
  { (uint32_t)sizeof(ald_graphics_overlay_info), 0, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, {0, 0, 0, 0}, 0 }

/** How an overlay chooses symbols for graphics that have none of their own. */
typedef int32_t ald_graphics_renderer_kind;
enum {
  /** The one symbol. */
  ALD_GRAPHICS_RENDERER_SIMPLE = 0,
  /** By the values of attributes. */
  ALD_GRAPHICS_RENDERER_UNIQUE_VALUE = 1,
  /** By the class that the number of an attribute falls in. */
  ALD_GRAPHICS_RENDERER_CLASS_BREAKS = 2
};

/** A renderer of an overlay. */
typedef struct ald_graphics_renderer {
  uint32_t struct_size;
  ald_graphics_renderer_kind kind;
  /** Of a simple renderer the symbol; else the one of what is in no class. Of kind ALD_SYMBOL_NONE: not drawn. */
  ald_symbol symbol;
  /** The attributes that are looked at: 1 to 8 for unique values, 1 for class breaks, 0 else. Copied. */
  const char *const *fields;
  uint32_t field_count;
  /** How many classes there are, at most 65,536; 0 for a simple renderer. */
  uint32_t class_count;
  /** class_count symbols. Copied. */
  const ald_symbol *symbols;
  /**
   * For unique values: field_count values for each class, class after class. A graphic is in the first class whose
   * values are all equal to its own: numbers by value, whether integer or real; texts byte by byte; null to null. NaN
   * is equal to nothing.
   */
  const ald_graphic_value *values;
  /** field_count * class_count for unique values, else 0. */
  uint32_t value_count;
  /** class_count for class breaks, else 0. */
  uint32_t upper_bound_count;
  /**
   * For class breaks: where each class ends, rising. The first class has what is at least minimum and at most its upper
   * bound; each other one what is above the bound before and at most its own. Integers are compared exactly, however
   * many digits they have.
   */
  const double *upper_bounds;
  /** Finite. */
  double minimum;
} ald_graphics_renderer;

/** Initialises an ald_graphics_renderer that draws nothing. */
#define ALD_GRAPHICS_RENDERER_INIT                                                                                     \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_graphics_renderer), 0,                                                                        \
        {0, 0, 0, 0, 0, {0, 0, 0, 0}, {0, 0, 0, 0}, 0, 0.0, 0.0, {0.0, 0.0}, 0.0}, NULL, 0, 0, NULL, NULL, 0, 0, NULL, \
        0.0                                                                                                            \
  }

/**
 * Makes an overlay without graphics, in no view.
 *
 * @param options NULL for all defaults.
 * @param out_overlay Receives the overlay; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_overlay is NULL or an option is
 *   not finite, out of its range or unknown.
 */
ALD_API ald_status ald_graphics_overlay_create(ald_runtime runtime, const ald_graphics_overlay_options *options,
                                               ald_graphics_overlay *out_overlay, ald_error *error);

/** Releases an overlay. A view that has it keeps it. */
ALD_API void ald_graphics_overlay_release(ald_graphics_overlay overlay);

/**
 * Sets how an overlay is shown and edited, all of it. A lower undo limit, or none, drops the oldest edits.
 *
 * @param options NULL for all defaults.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an option is not finite, out of its
 *   range or unknown.
 */
ALD_API ald_status ald_graphics_overlay_set_options(ald_graphics_overlay overlay,
                                                    const ald_graphics_overlay_options *options, ald_error *error);

/**
 * Facts about an overlay, as of one moment.
 *
 * @param out_info Initialise it with ALD_GRAPHICS_OVERLAY_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_graphics_overlay_get_info(ald_graphics_overlay overlay, ald_graphics_overlay_info *out_info,
                                                 ald_error *error);

/**
 * Sets the name of an overlay, which is the host's own matter. It is empty at first.
 *
 * @param name The name.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if name is NULL or not UTF-8.
 */
ALD_API ald_status ald_graphics_overlay_set_name(ald_graphics_overlay overlay, const char *name, ald_error *error);

/**
 * The name of an overlay.
 *
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size that is needed, final NUL counted in; also written when the buffer is too small.
 *   May be NULL if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity is not
 *   0, or nothing is asked for; ALD_STATUS_BUFFER_TOO_SMALL, and the buffer is left alone.
 */
ALD_API ald_status ald_graphics_overlay_name(ald_graphics_overlay overlay, char *buffer, size_t capacity,
                                             size_t *out_size, ald_error *error);

/**
 * Sets the renderer of an overlay. It has no part in undo.
 *
 * @param renderer What draws graphics without a symbol of their own; NULL: they are not drawn.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a symbol is out of its range, the
 *   counts do not fit the kind, a pointer is missing, a text is not UTF-8, or bounds do not rise.
 */
ALD_API ald_status ald_graphics_overlay_set_renderer(ald_graphics_overlay overlay,
                                                     const ald_graphics_renderer *renderer, ald_error *error);

/**
 * Puts an overlay on top of a view's overlays.
 *
 * @param overlay The overlay; the view keeps it.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the two are of different runtimes;
 *   ALD_STATUS_INVALID_STATE if the overlay is in a view already.
 */
ALD_API ald_status ald_view_add_graphics_overlay(ald_view view, ald_graphics_overlay overlay, ald_error *error);

/**
 * Puts an overlay among a view's overlays.
 *
 * @param overlay The overlay; the view keeps it.
 * @param index Its number from 0, the lowest in drawing order; at most the number of overlays.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the two are of different runtimes;
 *   ALD_STATUS_NOT_FOUND if index is above the number of overlays; ALD_STATUS_INVALID_STATE if the overlay is in a view
 *   already.
 */
ALD_API ald_status ald_view_insert_graphics_overlay(ald_view view, ald_graphics_overlay overlay, uint32_t index,
                                                    ald_error *error);

/**
 * Moves an overlay to another place among a view's overlays.
 *
 * @param index Its number afterwards.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the two are of different runtimes;
 *   ALD_STATUS_NOT_FOUND if the overlay is not in this view, or there is no such place.
 */
ALD_API ald_status ald_view_move_graphics_overlay(ald_view view, ald_graphics_overlay overlay, uint32_t index,
                                                  ald_error *error);

/**
 * Takes an overlay out of a view, with its graphics.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the two are of different runtimes;
 *   ALD_STATUS_NOT_FOUND if the overlay is not in this view.
 */
ALD_API ald_status ald_view_remove_graphics_overlay(ald_view view, ald_graphics_overlay overlay, ald_error *error);

/**
 * How many overlays a view has.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 */
ALD_API ald_status ald_view_graphics_overlay_count(ald_view view, uint32_t *out_count, ald_error *error);

/**
 * An overlay of a view, lent.
 *
 * @param index From 0, the lowest in drawing order.
 * @param out_overlay Receives the overlay. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_overlay is NULL;
 *   ALD_STATUS_NOT_FOUND if there is no such overlay.
 */
ALD_API ald_status ald_view_graphics_overlay_at(ald_view view, uint32_t index, ald_graphics_overlay *out_overlay,
                                                ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

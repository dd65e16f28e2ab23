/**
 * @file
 * Overlay drawings: what a host draws of a view's graphics overlays in a frame, in order and in screen coordinates.
 *
 * A drawing is a list of items, the lowest first: one for each graphic that is drawn, several for one whose geometry is
 * a collection (one for each member that its symbol draws), and several where the world repeats itself and the graphic
 * is seen more than once. What is not drawn is counted by its reason.
 *
 * A geometry in another spatial reference than the map's is projected vertex by vertex, once; a moving view projects
 * nothing anew. Edges are straight on the map. In a world that repeats itself, lines and rings that cross its seam hang
 * together, and an edge that is given as 170 to 190 degrees is 20 degrees long.
 */
#ifndef ALIDADE_OVERLAY_DRAWING_H
#define ALIDADE_OVERLAY_DRAWING_H

#include "base.h"
#include "graphics_overlay.h"
#include "projection.h"
#include "symbol.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What to draw of the graphics overlays of a view: an immutable value. */
typedef struct ald_overlay_drawing {
  uint64_t id;
} ald_overlay_drawing;

/** Bits of ald_overlay_drawing_options.flags. */
typedef uint32_t ald_overlay_drawing_options_flags;
enum {
  /** Graphics that are not in sight are kept, too. */
  ALD_OVERLAY_DRAWING_KEEP_OUTSIDE = 1
};

/** What a drawing has. */
typedef struct ald_overlay_drawing_options {
  uint32_t struct_size;
  ald_overlay_drawing_options_flags flags;
} ald_overlay_drawing_options;

/** Initialises an ald_overlay_drawing_options to the default. */
#define ALD_OVERLAY_DRAWING_OPTIONS_INIT                                                                               \
  { (uint32_t)sizeof(ald_overlay_drawing_options), 0 }

/** Facts about a drawing. The counts that end in graphic_count add up to all graphics of its overlays. */
typedef struct ald_overlay_drawing_info {
  uint32_t struct_size;
  uint32_t overlay_count;
  /** The generation of the view's state that the drawing is for. */
  uint64_t view_generation;
  /** How many graphics have items. */
  uint32_t drawn_graphic_count;
  /** Hidden themselves, or by their overlay, or by its scale range. */
  uint32_t hidden_graphic_count;
  /** Out of sight: no part of the box around the graphic and its symbol is in the view. */
  uint32_t outside_graphic_count;
  /** Without a symbol of their own or of the renderer. */
  uint32_t unsymbolized_graphic_count;
  /** Of a geometry without vertices. */
  uint32_t empty_graphic_count;
  /** That should be drawn and cannot be; ald_overlay_drawing_failure_at tells why. */
  uint32_t failed_graphic_count;
  /** Graphics with items that were projected with datums treated as equal for want of a known relation. */
  uint32_t ballpark_graphic_count;
  uint32_t reserved;
} ald_overlay_drawing_info;

/** Initialises an ald_overlay_drawing_info. */
#define ALD_OVERLAY_DRAWING_INFO_INIT                                                                                  \
  { (uint32_t)sizeof(ald_overlay_drawing_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/** Bits of ald_overlay_drawing_columns.item_flags. */
typedef uint32_t ald_overlay_item_flags;
enum {
  /** The graphic is selected, and its symbol has the selection colour. */
  ALD_OVERLAY_ITEM_SELECTED = 1,
  /** It was projected with datums treated as equal for want of a known relation. */
  ALD_OVERLAY_ITEM_BALLPARK = 2
};

/**
 * The items of a drawing in columns, and their coordinates as ald_geometry_columns has them: item i has the parts
 * part_offsets[i] to part_offsets[i + 1] - 1, a part has paths, and a path has vertices. The first offsets are 0.
 */
typedef struct ald_overlay_drawing_columns {
  uint32_t struct_size;
  uint32_t item_count;
  uint32_t part_count;
  uint32_t path_count;
  uint32_t vertex_count;
  uint32_t symbol_count;
  /** item_count ids of graphics in their overlay. */
  const uint64_t *graphic_ids;
  /** item_count numbers of overlays, for ald_overlay_drawing_overlay_at. They rise. */
  const uint32_t *overlay_indexes;
  /** item_count numbers of symbols. */
  const uint32_t *symbol_indexes;
  /** item_count bytes: bits of ald_overlay_item_flags. */
  const uint8_t *item_flags;
  /** item_count bytes, each an ald_geometry_kind, none of them a collection. */
  const uint8_t *kinds;
  /** item_count + 1 numbers of parts. */
  const int32_t *part_offsets;
  /** part_count + 1 numbers of paths. */
  const int32_t *path_offsets;
  /** path_count + 1 numbers of vertices. */
  const int32_t *vertex_offsets;
  /** vertex_count pairs of screen coordinates in DIP. Finite, and not clipped: they may lie far outside the view. */
  const double *screen_dip;
  /** symbol_count symbols that items have, with their final sizes, angles on the screen, and colours. */
  const ald_symbol *symbols;
} ald_overlay_drawing_columns;

/** Initialises an ald_overlay_drawing_columns. */
#define ALD_OVERLAY_DRAWING_COLUMNS_INIT                                                                               \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_overlay_drawing_columns), 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,      \
        NULL, NULL                                                                                                     \
  }

/** An overlay of a drawing. */
typedef struct ald_overlay_drawing_overlay {
  uint32_t struct_size;
  /** The first of its items, which follow each other. */
  uint32_t first_item;
  uint32_t item_count;
  uint32_t reserved;
  /** 0 to 1, of the overlay as a whole: its items are drawn at full opacity, and the picture of all is blended. */
  double opacity;
  /** The generation of the overlay that was drawn. */
  uint64_t generation;
  /** The overlay, lent; null in the drawing of a feature layer. */
  ald_graphics_overlay overlay;
} ald_overlay_drawing_overlay;

/** Initialises an ald_overlay_drawing_overlay. */
#define ALD_OVERLAY_DRAWING_OVERLAY_INIT                                                                               \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_overlay_drawing_overlay), 0, 0, 0, 0.0, 0, {                                                  \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** Why a graphic is not drawn that should be. */
typedef int32_t ald_overlay_failure_reason;
enum {
  /** A vertex has no image in the map's spatial reference. */
  ALD_OVERLAY_FAILURE_NO_IMAGE = 1,
  /** There is no way from the geometry's spatial reference to the map's. */
  ALD_OVERLAY_FAILURE_NO_OPERATION = 2,
  /** A ring goes round a pole, which a world that repeats itself cannot show. */
  ALD_OVERLAY_FAILURE_AROUND_POLE = 3,
  /** A vertex is so far away that it has no finite screen point. */
  ALD_OVERLAY_FAILURE_TOO_FAR = 4,
  /** The symbol does not draw geometries of this kind. */
  ALD_OVERLAY_FAILURE_WRONG_SYMBOL = 5
};

/** A graphic that is not drawn and should be. */
typedef struct ald_overlay_failure {
  uint32_t struct_size;
  ald_overlay_failure_reason reason;
  uint64_t graphic_id;
  /** The number of its overlay in the drawing. */
  uint32_t overlay_index;
  /** Of ALD_OVERLAY_FAILURE_NO_IMAGE: why, an ald_point_status; else 0. */
  uint32_t point_status;
  /** Of ALD_OVERLAY_FAILURE_NO_IMAGE: the first vertex without an image, as it was given; else NaN. */
  ald_point vertex;
} ald_overlay_failure;

/** Initialises an ald_overlay_failure. */
#define ALD_OVERLAY_FAILURE_INIT                                                                                       \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_overlay_failure), 0, 0, 0, 0, {                                                               \
      0.0, 0.0                                                                                                         \
    }                                                                                                                  \
  }

/**
 * Makes the drawing of a view's overlays as view and overlays are now.
 *
 * @param overlay The overlay to draw, which must be in the view; null: all overlays of the view, the lowest first.
 * @param options NULL for all defaults.
 * @param out_drawing Receives the drawing; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the view, or the overlay); ALD_STATUS_INVALID_ARGUMENT if
 *   out_drawing is NULL, an option is unknown, or the two are of different runtimes; ALD_STATUS_NOT_FOUND if the
 * overlay is not in this view; ALD_STATUS_NOT_READY as for ald_view_get_state; ALD_STATUS_LIMIT_EXCEEDED if the items
 * have more vertices, or take more memory, than the policy allows. A graphic that cannot be drawn fails nothing.
 */
ALD_API ald_status ald_view_create_overlay_drawing(ald_view view, ald_graphics_overlay overlay,
                                                   const ald_overlay_drawing_options *options,
                                                   ald_overlay_drawing *out_drawing, ald_error *error);

/** Releases a drawing. */
ALD_API void ald_overlay_drawing_release(ald_overlay_drawing overlay_drawing);

/**
 * Facts about a drawing.
 *
 * @param out_info Initialise it with ALD_OVERLAY_DRAWING_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_overlay_drawing_get_info(ald_overlay_drawing overlay_drawing, ald_overlay_drawing_info *out_info,
                                                ald_error *error);

/**
 * The items of a drawing, without a copy.
 *
 * @param out_columns Initialise it with ALD_OVERLAY_DRAWING_COLUMNS_INIT. What it leads to lives as long as the handle,
 *   and must not be written to.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_columns is NULL or its
 *   struct_size is none.
 */
ALD_API ald_status ald_overlay_drawing_get_columns(ald_overlay_drawing overlay_drawing,
                                                   ald_overlay_drawing_columns *out_columns, ald_error *error);

/**
 * An overlay of a drawing: its items, and what the host needs to know of it. Its handle is lent.
 *
 * @param index From 0 to the drawing's overlay_count - 1, the lowest first.
 * @param out_overlay Initialise it with ALD_OVERLAY_DRAWING_OVERLAY_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_overlay is NULL or its
 *   struct_size is none; ALD_STATUS_NOT_FOUND if there is no such overlay.
 */
ALD_API ald_status ald_overlay_drawing_overlay_at(ald_overlay_drawing overlay_drawing, uint32_t index,
                                                  ald_overlay_drawing_overlay *out_overlay, ald_error *error);

/**
 * A graphic that is not drawn and should be.
 *
 * @param index From 0 to the drawing's failed_graphic_count - 1, in draw order.
 * @param out_failure Initialise it with ALD_OVERLAY_FAILURE_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_failure is NULL or its
 *   struct_size is none; ALD_STATUS_NOT_FOUND if there is no such failure.
 */
ALD_API ald_status ald_overlay_drawing_failure_at(ald_overlay_drawing overlay_drawing, uint32_t index,
                                                  ald_overlay_failure *out_failure, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Overlay drawings: what to draw for graphics overlays and feature layers, in drawing order and in screen coordinates.
 *
 * A drawing is an immutable list of items, the lowest first. Most graphics have one item. A graphic whose geometry is a
 * collection has one item for each member that its symbol draws. Where the world repeats itself, a graphic that is
 * visible several times has several items. Graphics without items are counted by their reason.
 *
 * A geometry in another spatial reference than the map's is projected once, vertex by vertex. It is not projected again
 * when the view moves. Edges are straight on the map. Where the world repeats itself, lines and rings stay connected
 * across its seam, and an edge from 170 to 190 degrees is 20 degrees long.
 *
 * @code{.c}
 * ald_overlay_drawing drawing;
 * ald_status status = ald_view_create_overlay_drawing(view, overlay, NULL, &drawing, error);
 * if (status != ALD_STATUS_OK) return status;
 * ald_overlay_drawing_columns items = ALD_OVERLAY_DRAWING_COLUMNS_INIT;
 * status = ald_overlay_drawing_get_columns(drawing, &items, error);
 * for (uint32_t i = 0; i < items.item_count; i++)
 *   printf("item %u: graphic %llu\n", (unsigned)i, (unsigned long long)items.graphic_ids[i]);
 * ald_overlay_drawing_release(drawing);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_OVERLAY_DRAWING_H
#define ALIDADE_OVERLAY_DRAWING_H

#include "base.h"
#include "handles.h"
#include "symbol.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_overlay_drawing_options.flags. */
typedef uint32_t ald_overlay_drawing_flags;
enum ald_overlay_drawing_flags_values {
  /** Keeps graphics that are outside the view. */
  ALD_OVERLAY_DRAWING_KEEP_OUTSIDE = 1
};

/** The options for a drawing. */
typedef struct ald_overlay_drawing_options {
  uint32_t struct_size;
  ald_overlay_drawing_flags flags;
} ald_overlay_drawing_options;

/** Initialises an ald_overlay_drawing_options to the default. */
#define ALD_OVERLAY_DRAWING_OPTIONS_INIT                                                                               \
  { (uint32_t)sizeof(ald_overlay_drawing_options), 0 }

/**
 * Counts of a drawing. The counts of drawn, hidden, outside, unsymbolized, empty and failed graphics add up to the
 * number of graphics in its overlays.
 */
typedef struct ald_overlay_drawing_info {
  uint32_t struct_size;
  uint32_t overlay_count;
  /** The generation of the view's state that the drawing is for. */
  uint64_t view_generation;
  /** Graphics with items. */
  uint32_t drawn_graphic_count;
  /** Graphics that are hidden by themselves, by their overlay, or by its scale range. */
  uint32_t hidden_graphic_count;
  /** Graphics outside the view: no part of the box around the graphic and its symbol is in the view. */
  uint32_t outside_graphic_count;
  /** Graphics without a symbol, neither their own nor from the renderer. */
  uint32_t unsymbolized_graphic_count;
  /** Graphics whose geometry has no vertices. */
  uint32_t empty_graphic_count;
  /** Graphics that should be drawn but cannot be. ald_overlay_drawing_get_failure_at reports why. */
  uint32_t failed_graphic_count;
  /**
   * Graphics with items that were projected by a ballpark transformation, which treats the datums as equal because no
   * relation between them is known.
   */
  uint32_t ballpark_graphic_count;
  uint32_t reserved;
} ald_overlay_drawing_info;

/** Initialises an ald_overlay_drawing_info. */
#define ALD_OVERLAY_DRAWING_INFO_INIT                                                                                  \
  { (uint32_t)sizeof(ald_overlay_drawing_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/** Bits of ald_overlay_drawing_columns.item_flags. */
typedef uint32_t ald_overlay_item_flags;
enum ald_overlay_item_flags_values {
  /** The graphic is selected, and its symbol has the selection colour. */
  ALD_OVERLAY_ITEM_SELECTED = 1,
  /**
   * The graphic was projected by a ballpark transformation, which treats the datums as equal because no relation
   * between them is known.
   */
  ALD_OVERLAY_ITEM_BALLPARK = 2
};

/**
 * The items of a drawing in columns. Their coordinates are laid out as in ald_geometry_columns: item i has the parts
 * part_offsets[i] to part_offsets[i + 1] - 1, a part has paths, and a path has vertices. The first offset of each
 * column is 0.
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
  /** item_count indexes of overlays for ald_overlay_drawing_get_overlay_at, in increasing order. */
  const uint32_t *overlay_indexes;
  /** item_count indexes into symbols. */
  const uint32_t *symbol_indexes;
  /** item_count bytes: bits of ald_overlay_item_flags. */
  const uint8_t *item_flags;
  /** item_count bytes, each an ald_geometry_kind. No item is a collection. */
  const uint8_t *kinds;
  /** item_count + 1 indexes of parts. */
  const int32_t *part_offsets;
  /** part_count + 1 indexes of paths. */
  const int32_t *path_offsets;
  /** path_count + 1 indexes of vertices. */
  const int32_t *vertex_offsets;
  /**
   * vertex_count pairs of screen coordinates in DIP. They are finite and not clipped: they may be far outside the view.
   */
  const double *screen_xy;
  /** symbol_count symbols, with their final sizes, angles on the screen, and colours. */
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
  /** The index of the overlay's first item. Its items follow each other. */
  uint32_t first_item;
  uint32_t item_count;
  uint32_t reserved;
  /**
   * The opacity of the overlay as a whole, 0 to 1: draw its items at full opacity, then blend the picture of all items.
   */
  double opacity;
  /** The generation of the overlay that was drawn. */
  uint64_t generation;
  /** The overlay, or null in the drawing of a feature layer. The handle is borrowed: valid while the drawing lives. */
  ald_graphics_overlay overlay;
} ald_overlay_drawing_overlay;

/** Initialises an ald_overlay_drawing_overlay. */
#define ALD_OVERLAY_DRAWING_OVERLAY_INIT                                                                               \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_overlay_drawing_overlay), 0, 0, 0, 0.0, 0, {                                                  \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** Why a graphic cannot be drawn. */
typedef int32_t ald_overlay_failure_reason;
enum ald_overlay_failure_reason_values {
  /**
   * A vertex cannot be projected to the map's spatial reference. On a map whose poles are infinitely far away, as in
   * Web Mercator, a vertex of a line or a polygon at a pole does not count: it is drawn on its meridian, far outside
   * the map.
   */
  ALD_OVERLAY_FAILURE_REASON_NO_IMAGE = 1,
  /** There is no operation from the geometry's spatial reference to the map's. */
  ALD_OVERLAY_FAILURE_REASON_NO_OPERATION = 2,
  /** A ring encloses a pole, which a map of a world that repeats itself cannot show. */
  ALD_OVERLAY_FAILURE_REASON_AROUND_POLE = 3,
  /** A vertex is so far away that it has no finite screen point. */
  ALD_OVERLAY_FAILURE_REASON_TOO_FAR = 4,
  /** The symbol does not draw geometries of this kind. */
  ALD_OVERLAY_FAILURE_REASON_WRONG_SYMBOL = 5
};

/** A graphic that should be drawn but cannot be. */
typedef struct ald_overlay_failure {
  uint32_t struct_size;
  ald_overlay_failure_reason reason;
  uint64_t graphic_id;
  /** The index of its overlay in the drawing. */
  uint32_t overlay_index;
  /** For ALD_OVERLAY_FAILURE_REASON_NO_IMAGE: the cause, an ald_point_status. Otherwise 0. */
  uint32_t point_status;
  /**
   * For ALD_OVERLAY_FAILURE_REASON_NO_IMAGE: the first vertex that cannot be projected, as it was given. Otherwise NaN.
   */
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
 * Creates a drawing of a view's overlays in their current state. A graphic that cannot be drawn does not fail the call.
 *
 * @param overlay The overlay to draw, which must be in the view. Null draws all overlays of the view, the lowest first.
 * @param options NULL for all defaults.
 * @param out_drawing Receives the drawing; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_drawing is NULL, an option is unknown, or the two belong to different
 *     runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if view or overlay is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_NOT_FOUND if the overlay is not in this view.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the items have more vertices, or take more memory, than the policy allows.
 */
ALD_API ald_status ald_view_create_overlay_drawing(ald_view view, ald_graphics_overlay overlay,
                                                   const ald_overlay_drawing_options *options,
                                                   ald_overlay_drawing *out_drawing, ald_error *error);

/**
 * Creates a drawing of a feature layer in its current state. The graphic ids are the ids of the features, bit for bit.
 * The features are drawn in the file's order. The drawing has one overlay; its opacity is the effective opacity of the
 * layer.
 *
 * Features are read for three times the width and height of the visible area, and read again when the view shows more.
 * The drawing counts these features or, while the layer is hidden, all features of the file. A feature that cannot be
 * read, or has no geometry, counts as empty.
 *
 * @param layer A feature layer of the view's map.
 * @param options NULL for all defaults.
 * @param out_drawing Receives the drawing; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_drawing is NULL, an option is unknown, the layer is not a feature layer, or it
 *     is not in the view's map.
 *   - ALD_STATUS_INVALID_HANDLE if view or layer is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state, or if the layer is not loaded or has no spatial reference.
 *   - ALD_STATUS_READ_FAILED if the file can no longer be read, or has changed.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more features or vertices, or they take more memory, than the policy
 *     allows.
 */
ALD_API ald_status ald_view_create_feature_drawing(ald_view view, ald_layer layer,
                                                   const ald_overlay_drawing_options *options,
                                                   ald_overlay_drawing *out_drawing, ald_error *error);

/** Releases a drawing. */
ALD_API void ald_overlay_drawing_release(ald_overlay_drawing overlay_drawing);

/**
 * Gets the counts of a drawing.
 *
 * @param out_info Receives the counts. Initialise it with ALD_OVERLAY_DRAWING_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if overlay_drawing is not valid.
 */
ALD_API ald_status ald_overlay_drawing_get_info(ald_overlay_drawing overlay_drawing, ald_overlay_drawing_info *out_info,
                                                ald_error *error);

/**
 * Gets the items of a drawing without a copy.
 *
 * @param out_columns Receives pointers to the columns. Initialise it with ALD_OVERLAY_DRAWING_COLUMNS_INIT. The columns
 *     are valid while the drawing's handle lives. Do not write to them.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_columns is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if overlay_drawing is not valid.
 */
ALD_API ald_status ald_overlay_drawing_get_columns(ald_overlay_drawing overlay_drawing,
                                                   ald_overlay_drawing_columns *out_columns, ald_error *error);

/**
 * Gets an overlay of a drawing.
 *
 * @param index The index of the overlay, from 0 to the drawing's overlay_count - 1, the lowest first.
 * @param out_overlay Receives the overlay. Initialise it with ALD_OVERLAY_DRAWING_OVERLAY_INIT. Its handle is borrowed.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_overlay is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if overlay_drawing is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no overlay with that index.
 */
ALD_API ald_status ald_overlay_drawing_get_overlay_at(ald_overlay_drawing overlay_drawing, uint32_t index,
                                                      ald_overlay_drawing_overlay *out_overlay, ald_error *error);

/**
 * Gets a graphic that should be drawn but cannot be.
 *
 * @param index The index of the failure, from 0 to the drawing's failed_graphic_count - 1, in drawing order.
 * @param out_failure Receives the failure. Initialise it with ALD_OVERLAY_FAILURE_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_failure is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if overlay_drawing is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no failure with that index.
 */
ALD_API ald_status ald_overlay_drawing_get_failure_at(ald_overlay_drawing overlay_drawing, uint32_t index,
                                                      ald_overlay_failure *out_failure, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

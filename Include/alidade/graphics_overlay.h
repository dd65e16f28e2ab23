/**
 * @file
 * Graphics overlays: geometries with attributes and symbols, above the map of a view.
 *
 * A view has an ordered list of overlays, and an overlay holds graphics. A graphic has a geometry in any spatial
 * reference, attributes, a z-index and, optionally, a symbol of its own. The overlay's renderer selects symbols for all
 * other graphics. The library draws nothing: overlay_drawing.h says what to draw where.
 *
 * A graphic is identified by its id in its overlay: a number from 1 that is never used for another graphic. Graphics
 * that are added together have consecutive ids. A function that receives the id of a removed graphic returns
 * ALD_STATUS_NOT_FOUND, until undo restores the graphic.
 *
 * Graphics are drawn by z-index, the lowest first. Graphics with the same z-index are drawn in the order in which they
 * were added.
 *
 * @code{.c}
 * uint64_t graphic_id = 0;
 * ald_status status = ald_graphics_overlay_add_graphic(overlay, geometry, NULL, &graphic_id, error);
 * if (status == ALD_STATUS_OK) status = ald_view_add_graphics_overlay(view, overlay, error);
 * if (status == ALD_STATUS_OK) status = ald_graphics_overlay_select_graphics(overlay, &graphic_id, 1, 1, error);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_GRAPHICS_OVERLAY_H
#define ALIDADE_GRAPHICS_OVERLAY_H

#include "base.h"
#include "handles.h"
#include "symbol.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_graphics_overlay_options.flags. */
typedef uint32_t ald_graphics_overlay_flags;
enum ald_graphics_overlay_flags_values {
  /** The overlay is not drawn. */
  ALD_GRAPHICS_OVERLAY_HIDDEN = 1,
  /** opacity is set. Without this bit it is 1. */
  ALD_GRAPHICS_OVERLAY_HAS_OPACITY = 2,
  /**
   * Symbols grow and shrink with the map. They have their given size at the map's reference scale. Has no effect if the
   * map has no reference scale.
   */
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
  /** The opacity of the overlay as a whole, 0 to 1. The host applies it. */
  double opacity;
  /** The denominator of the farthest scale at which the overlay is drawn, 1e-6 to 1e15. 0 means no limit. */
  double min_scale;
  /** The denominator of the closest scale at which the overlay is drawn. 0 means no limit. Both ends are included. */
  double max_scale;
  /** The colour of selected graphics. Alpha 0 without ALD_GRAPHICS_OVERLAY_HAS_SELECTION_COLOR means cyan. */
  ald_rgba selection_color;
  /** The number of edits that are kept for undo, at most 10,000. 0 means 100. */
  uint32_t undo_limit;
} ald_graphics_overlay_options;

/** Initialises an ald_graphics_overlay_options to the default. */
#define ALD_GRAPHICS_OVERLAY_OPTIONS_INIT                                                                              \
  { (uint32_t)sizeof(ald_graphics_overlay_options), 0, 0.0, 0.0, 0.0, {0, 0, 0, 0}, 0 }

/** The properties of an overlay. */
typedef struct ald_graphics_overlay_info {
  uint32_t struct_size;
  ald_graphics_overlay_flags flags;
  /** Increases by at least 1 with every change of the overlay: its graphics, selection, renderer or options. */
  uint64_t generation;
  uint32_t graphic_count;
  uint32_t selected_count;
  /** The number of edits that can be undone. */
  uint32_t undo_count;
  /** The number of edits that can be redone. */
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

/** The type of an attribute value. */
typedef int32_t ald_graphic_value_type;
enum ald_graphic_value_type_values {
  ALD_GRAPHIC_VALUE_TYPE_NULL = 0,
  ALD_GRAPHIC_VALUE_TYPE_INTEGER = 1,
  ALD_GRAPHIC_VALUE_TYPE_REAL = 2,
  ALD_GRAPHIC_VALUE_TYPE_TEXT = 3
};

/** The value of an attribute. type says which of the other fields is used. */
typedef struct ald_graphic_value {
  ald_graphic_value_type type;
  uint32_t reserved;
  int64_t integer;
  double real;
  /** UTF-8. Copied when the library receives it. */
  const char *text;
} ald_graphic_value;

/** How an overlay or a feature layer selects symbols. */
typedef int32_t ald_graphics_renderer_kind;
enum ald_graphics_renderer_kind_values {
  /** One symbol for all graphics. */
  ALD_GRAPHICS_RENDERER_KIND_SIMPLE = 0,
  /** A symbol for each combination of attribute values. */
  ALD_GRAPHICS_RENDERER_KIND_UNIQUE_VALUE = 1,
  /** A symbol for each class of numbers of an attribute. */
  ALD_GRAPHICS_RENDERER_KIND_CLASS_BREAKS = 2
};

/** A renderer of an overlay or a feature layer. */
typedef struct ald_graphics_renderer {
  uint32_t struct_size;
  ald_graphics_renderer_kind kind;
  /**
   * The symbol of a simple renderer. For the other kinds: the symbol for graphics that belong to no class. If its kind
   * is ALD_SYMBOL_KIND_NONE, such graphics are not drawn.
   */
  ald_symbol symbol;
  /**
   * The names of the attributes that the renderer uses: 1 to 8 for unique values, 1 for class breaks, otherwise 0.
   * Copied.
   */
  const char *const *fields;
  uint32_t field_count;
  /** The number of classes, at most 65,536. 0 for a simple renderer. */
  uint32_t class_count;
  /** class_count symbols. Copied. */
  const ald_symbol *symbols;
  /**
   * For unique values: field_count values for each class, one class after the other. A graphic belongs to the first
   * class whose values all equal its own. Numbers are compared by value, whether integer or real; texts byte by byte.
   * Null equals null. NaN equals nothing.
   */
  const ald_graphic_value *values;
  /** field_count * class_count for unique values, otherwise 0. */
  uint32_t value_count;
  /** class_count for class breaks, otherwise 0. */
  uint32_t upper_bound_count;
  /**
   * For class breaks: the upper bound of each class, in increasing order. The first class holds values from minimum to
   * its upper bound, both included. Every other class holds values above the previous bound, up to and including its
   * own. Integers are compared exactly, however many digits they have.
   */
  const double *upper_bounds;
  /** For class breaks: the lowest value of the first class. Finite. */
  double minimum;
} ald_graphics_renderer;

/** Initialises an ald_graphics_renderer that draws nothing. */
#define ALD_GRAPHICS_RENDERER_INIT                                                                                     \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_graphics_renderer), 0,                                                                        \
        {0, 0, 0, 0, 0, {0, 0, 0, 0}, {0, 0, 0, 0}, 0, 0.0, 0.0, {0.0, 0.0}, 0.0}, NULL, 0, 0, NULL, NULL, 0, 0, NULL, \
        0.0                                                                                                            \
  }

/** An attribute of many graphics, as a column. type says which of integers, reals and texts is used. */
typedef struct ald_graphic_attributes {
  /** The name of the attribute, not empty. Copied. */
  const char *name;
  /** The type of all values that are not null. With ALD_GRAPHIC_VALUE_TYPE_NULL, all values are null. */
  ald_graphic_value_type type;
  uint32_t reserved;
  /** One value per graphic. */
  const int64_t *integers;
  /** One value per graphic. */
  const double *reals;
  /** One value per graphic. A NULL pointer means null. Copied. */
  const char *const *texts;
  /** One byte per graphic: 1 if the value is null, otherwise 0. NULL means that no value is null. */
  const uint8_t *nulls;
} ald_graphic_attributes;

/** Bits of ald_graphic.flags. */
typedef uint32_t ald_graphic_flags;
enum ald_graphic_flags_values {
  ALD_GRAPHIC_HIDDEN = 1,
  /** The graphic is selected. Only in results. */
  ALD_GRAPHIC_SELECTED = 2,
  /** The graphic has a symbol of its own. Only in results. */
  ALD_GRAPHIC_HAS_SYMBOL = 4
};

/**
 * The properties of many graphics, as columns. A NULL column means the default when graphics are added, and no change
 * when graphics are updated.
 */
typedef struct ald_graphic_columns {
  uint32_t struct_size;
  /** The number of graphics that the columns describe. */
  uint32_t graphic_count;
  /** graphic_count z-indexes. Default: 0. */
  const int32_t *z_indexes;
  /** graphic_count bytes, each 0 or ALD_GRAPHIC_HIDDEN. Default: 0. */
  const uint8_t *graphic_flags;
  /**
   * graphic_count indexes into symbols, or ALD_ALL for a graphic without a symbol of its own. Default: no graphic has a
   * symbol of its own.
   */
  const uint32_t *symbol_indexes;
  /** symbol_count symbols. Copied. */
  const ald_symbol *symbols;
  uint32_t symbol_count;
  /** The number of attributes, at most 1,000. */
  uint32_t attribute_count;
  /** attribute_count attributes with different names. Default: no attributes. */
  const ald_graphic_attributes *attributes;
} ald_graphic_columns;

/** Initialises an ald_graphic_columns. */
#define ALD_GRAPHIC_COLUMNS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_graphic_columns), 0, NULL, NULL, NULL, NULL, 0, 0, NULL }

/** The properties of a graphic. */
typedef struct ald_graphic {
  uint32_t struct_size;
  ald_graphic_flags flags;
  uint64_t graphic_id;
  int32_t z_index;
  /** The number of attributes that are not null. */
  uint32_t attribute_count;
  /** The graphic's own symbol. Its kind is ALD_SYMBOL_KIND_NONE if the graphic has none. */
  ald_symbol symbol;
} ald_graphic;

/** Initialises an ald_graphic. */
#define ALD_GRAPHIC_INIT                                                                                               \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_graphic), 0, 0, 0, 0, {                                                                       \
      0, 0, 0, 0, 0, {0, 0, 0, 0}, {0, 0, 0, 0}, 0, 0.0, 0.0, {0.0, 0.0}, 0.0                                          \
    }                                                                                                                  \
  }

/** Bits that select the graphics in a list. */
typedef uint32_t ald_graphic_list_flags;
enum ald_graphic_list_flags_values {
  /** Only selected graphics. */
  ALD_GRAPHIC_LIST_SELECTED = 1
};

/* Overlays */

/**
 * Creates an overlay without graphics. It does not belong to a view.
 *
 * @param options NULL for all defaults.
 * @param out_overlay Receives the overlay; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_overlay is NULL or an option is not finite, out of range or unknown.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 */
ALD_API ald_status ald_graphics_overlay_create(ald_runtime runtime, const ald_graphics_overlay_options *options,
                                               ald_graphics_overlay *out_overlay, ald_error *error);

/** Releases an overlay. A view that holds the overlay keeps it. */
ALD_API void ald_graphics_overlay_release(ald_graphics_overlay overlay);

/**
 * Sets the options of an overlay. They replace all previous options. A lower undo limit, or switching undo off,
 * discards the oldest edits.
 *
 * @param options NULL for all defaults.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is not finite, out of range or unknown.
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 */
ALD_API ald_status ald_graphics_overlay_set_options(ald_graphics_overlay overlay,
                                                    const ald_graphics_overlay_options *options, ald_error *error);

/**
 * Gets the properties of an overlay at one moment.
 *
 * @param out_info Receives the properties. Initialise it with ALD_GRAPHICS_OVERLAY_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 */
ALD_API ald_status ald_graphics_overlay_get_info(ald_graphics_overlay overlay, ald_graphics_overlay_info *out_info,
                                                 ald_error *error);

/**
 * Sets the name of an overlay. The library only stores it. A new overlay has an empty name.
 *
 * @param name UTF-8, copied.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if name is NULL or not UTF-8.
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 */
ALD_API ald_status ald_graphics_overlay_set_name(ald_graphics_overlay overlay, const char *name, ald_error *error);

/**
 * Gets the name of an overlay.
 *
 * @param buffer Receives the name with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity_bytes is not 0, or both buffer and out_size_bytes are
 *     NULL.
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_graphics_overlay_get_name(ald_graphics_overlay overlay, char *buffer, size_t capacity_bytes,
                                                 size_t *out_size_bytes, ald_error *error);

/**
 * Sets the renderer of an overlay. Undo does not cover it.
 *
 * @param renderer The renderer for graphics without a symbol of their own. NULL: these graphics are not drawn.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a symbol is out of range, the counts do not fit the kind, a pointer is NULL, a
 *     text is not UTF-8, or the bounds do not increase.
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 */
ALD_API ald_status ald_graphics_overlay_set_renderer(ald_graphics_overlay overlay,
                                                     const ald_graphics_renderer *renderer, ald_error *error);

/* Overlays of a view */

/**
 * Adds an overlay on top of the overlays of a view.
 *
 * @param overlay The overlay. The view keeps it.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the two belong to different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if view or overlay is not valid.
 *   - ALD_STATUS_INVALID_STATE if the overlay is already in a view.
 */
ALD_API ald_status ald_view_add_graphics_overlay(ald_view view, ald_graphics_overlay overlay, ald_error *error);

/**
 * Inserts an overlay into the overlays of a view.
 *
 * @param overlay The overlay. The view keeps it.
 * @param index The new index of the overlay: 0 is the lowest overlay in drawing order. At most the number of overlays.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the two belong to different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if view or overlay is not valid.
 *   - ALD_STATUS_NOT_FOUND if index is above the number of overlays.
 *   - ALD_STATUS_INVALID_STATE if the overlay is already in a view.
 */
ALD_API ald_status ald_view_insert_graphics_overlay(ald_view view, ald_graphics_overlay overlay, uint32_t index,
                                                    ald_error *error);

/**
 * Moves an overlay to another position among the overlays of a view.
 *
 * @param index The new index of the overlay: 0 is the lowest overlay in drawing order.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the two belong to different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if view or overlay is not valid.
 *   - ALD_STATUS_NOT_FOUND if the overlay is not in this view, or index is out of range.
 */
ALD_API ald_status ald_view_move_graphics_overlay(ald_view view, ald_graphics_overlay overlay, uint32_t index,
                                                  ald_error *error);

/**
 * Removes an overlay from a view. The overlay keeps its graphics.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the two belong to different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if view or overlay is not valid.
 *   - ALD_STATUS_NOT_FOUND if the overlay is not in this view.
 */
ALD_API ald_status ald_view_remove_graphics_overlay(ald_view view, ald_graphics_overlay overlay, ald_error *error);

/**
 * Gets the number of overlays of a view.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 */
ALD_API ald_status ald_view_get_graphics_overlay_count(ald_view view, uint32_t *out_count, ald_error *error);

/**
 * Gets an overlay of a view.
 *
 * @param index The index of the overlay: 0 is the lowest overlay in drawing order.
 * @param out_overlay Receives the overlay. The handle is borrowed: valid while the overlay is in the view. Set to null
 *     on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_overlay is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no overlay with that index.
 */
ALD_API ald_status ald_view_get_graphics_overlay_at(ald_view view, uint32_t index, ald_graphics_overlay *out_overlay,
                                                    ald_error *error);

/* Adding, changing and removing graphics */

/**
 * Adds a graphic for each geometry of an array. On failure no graphic is added.
 *
 * @param geometry_array The geometries, which may be empty or collections. The overlay keeps the array and does not
 *     copy it. The coordinates of geometries without a spatial reference are in the map's spatial reference.
 * @param columns The other properties of the graphics. NULL means the defaults. Its graphic_count must be the number of
 *     geometries.
 * @param out_first_id Receives the id of the first graphic, or 0 if the array is empty. The ids of the other graphics
 *     follow. May be NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a column has a value that no graphic can have, or does not fit the array, or the
 *     two belong to different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if overlay or geometry_array is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the graphics exceed a limit of the policy, or the overlay would have more than
 *     16,777,216 graphics.
 */
ALD_API ald_status ald_graphics_overlay_add_graphics(ald_graphics_overlay overlay, ald_geometry_array geometry_array,
                                                     const ald_graphic_columns *columns, uint64_t *out_first_id,
                                                     ald_error *error);

/**
 * Adds one graphic.
 *
 * @param geometry The geometry, as for ald_graphics_overlay_add_graphics.
 * @param columns The other properties of the graphic, with a graphic_count of 1. NULL means the defaults.
 * @param out_graphic_id Receives the id of the graphic. May be NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT as for ald_graphics_overlay_add_graphics.
 *   - ALD_STATUS_INVALID_HANDLE if overlay or geometry is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED as for ald_graphics_overlay_add_graphics.
 */
ALD_API ald_status ald_graphics_overlay_add_graphic(ald_graphics_overlay overlay, ald_geometry geometry,
                                                    const ald_graphic_columns *columns, uint64_t *out_graphic_id,
                                                    ald_error *error);

/**
 * Changes graphics. Only the properties that columns names change; other attributes stay. On failure nothing changes.
 *
 * @param graphic_ids graphic_count ids. If an id appears twice, its last values apply.
 * @param graphic_count The number of ids. It must equal the graphic_count of columns and the number of geometries.
 * @param geometry_array The new geometries. Null: the graphics keep their geometries.
 * @param columns The other changes. NULL: no other changes.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if graphic_ids is NULL, or as for ald_graphics_overlay_add_graphics.
 *   - ALD_STATUS_INVALID_HANDLE if overlay or geometry_array is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no graphic with one of the ids.
 *   - ALD_STATUS_LIMIT_EXCEEDED as for ald_graphics_overlay_add_graphics.
 */
ALD_API ald_status ald_graphics_overlay_update_graphics(ald_graphics_overlay overlay, const uint64_t *graphic_ids,
                                                        size_t graphic_count, ald_geometry_array geometry_array,
                                                        const ald_graphic_columns *columns, ald_error *error);

/**
 * Changes the geometry of one graphic.
 *
 * @param graphic_id The id of the graphic.
 * @param geometry The new geometry.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the two belong to different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if overlay or geometry is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no graphic with that id.
 */
ALD_API ald_status ald_graphics_overlay_set_graphic_geometry(ald_graphics_overlay overlay, uint64_t graphic_id,
                                                             ald_geometry geometry, ald_error *error);

/**
 * Removes graphics. If one of the ids does not exist, none is removed.
 *
 * @param graphic_ids graphic_count ids. An id may appear twice.
 * @param graphic_count The number of ids. 0 does nothing.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if graphic_ids is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no graphic with one of the ids.
 *   - ALD_STATUS_LIMIT_EXCEEDED if graphic_count is above the limit of the policy.
 */
ALD_API ald_status ald_graphics_overlay_remove_graphics(ald_graphics_overlay overlay, const uint64_t *graphic_ids,
                                                        size_t graphic_count, ald_error *error);

/**
 * Removes all graphics, as one step for undo.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 */
ALD_API ald_status ald_graphics_overlay_clear_graphics(ald_graphics_overlay overlay, ald_error *error);

/**
 * Selects or deselects graphics. If one of the ids does not exist, nothing changes.
 *
 * @param graphic_ids graphic_count ids. An id may appear twice.
 * @param graphic_count The number of ids. 0 does nothing.
 * @param selected 1 to select the graphics, 0 to deselect them.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if graphic_ids is NULL or selected is neither 0 nor 1.
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no graphic with one of the ids.
 *   - ALD_STATUS_LIMIT_EXCEEDED if graphic_count is above the limit of the policy.
 */
ALD_API ald_status ald_graphics_overlay_select_graphics(ald_graphics_overlay overlay, const uint64_t *graphic_ids,
                                                        size_t graphic_count, uint32_t selected, ald_error *error);

/**
 * Deselects all graphics.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 */
ALD_API ald_status ald_graphics_overlay_clear_selection(ald_graphics_overlay overlay, ald_error *error);

/*
 * Undo
 *
 * Undo covers adding, removing, clearing and updating graphics. Each call that changes something is one step; all calls
 * of an undo group together are one step. Undo does not cover the selection, the renderer or the options. A graphic
 * that is removed, even by undo, is no longer selected.
 *
 * The library discards the oldest steps beyond the overlay's undo limit, and when all steps together take more memory
 * than max_request_bytes of the policy. A step takes, for each graphic that it changes, 200 bytes, the attributes, and,
 * if the geometry changes, its vertices as given and as projected. The last step is always kept.
 */

/**
 * Opens an undo group: all edits until the end of the group are one step. Open a group when a finger begins to drag. A
 * graphic that moves a thousand times in a group counts once. A group without any lasting change is not a step.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 *   - ALD_STATUS_INVALID_STATE if a group is already open.
 */
ALD_API ald_status ald_graphics_overlay_begin_undo_group(ald_graphics_overlay overlay, ald_error *error);

/**
 * Ends the open undo group.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 *   - ALD_STATUS_INVALID_STATE if no group is open.
 */
ALD_API ald_status ald_graphics_overlay_end_undo_group(ald_graphics_overlay overlay, ald_error *error);

/**
 * Undoes the last step that has not been undone. While a group is open, the call undoes the edits of the group so far;
 * the group stays open, and the edits that follow are a step of their own.
 *
 * @param out_changed_count Receives the number of graphics that were added, removed or changed, or 0 if there was
 *     nothing to undo. May be NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 */
ALD_API ald_status ald_graphics_overlay_undo(ald_graphics_overlay overlay, uint32_t *out_changed_count,
                                             ald_error *error);

/**
 * Redoes the step that was undone last. A new edit discards the undone steps. While a group is open, the edits that
 * follow are a step of their own, as after undo.
 *
 * @param out_changed_count Receives the number of graphics that were added, removed or changed, or 0 if there was
 *     nothing to redo. May be NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 */
ALD_API ald_status ald_graphics_overlay_redo(ald_graphics_overlay overlay, uint32_t *out_changed_count,
                                             ald_error *error);

/**
 * Discards all steps, so that nothing can be undone or redone.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 */
ALD_API ald_status ald_graphics_overlay_clear_history(ald_graphics_overlay overlay, ald_error *error);

/* Reading graphics */

/**
 * Gets the ids of an overlay's graphics in drawing order, the lowest first, whether they are drawn or not.
 *
 * @param flags Bits of ald_graphic_list_flags.
 * @param out_graphic_ids Receives the ids. NULL with capacity 0 requests only their number.
 * @param capacity The number of ids that out_graphic_ids can hold.
 * @param out_count Receives the number of ids, even if the buffer is too small. May be NULL if out_graphic_ids is not
 *     NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a flag is unknown, out_graphic_ids is NULL and capacity is not 0, or both
 *     out_graphic_ids and out_count are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_graphics_overlay_get_graphic_ids(ald_graphics_overlay overlay, ald_graphic_list_flags flags,
                                                        uint64_t *out_graphic_ids, size_t capacity, size_t *out_count,
                                                        ald_error *error);

/**
 * Gets the properties of a graphic.
 *
 * @param graphic_id The id of the graphic.
 * @param out_graphic Receives the properties. Initialise it with ALD_GRAPHIC_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_graphic is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no graphic with that id.
 */
ALD_API ald_status ald_graphics_overlay_get_graphic(ald_graphics_overlay overlay, uint64_t graphic_id,
                                                    ald_graphic *out_graphic, ald_error *error);

/**
 * Creates a handle to the geometry of a graphic, as the host gave it.
 *
 * @param graphic_id The id of the graphic.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_geometry is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no graphic with that id.
 */
ALD_API ald_status ald_graphics_overlay_create_graphic_geometry(ald_graphics_overlay overlay, uint64_t graphic_id,
                                                                ald_geometry *out_geometry, ald_error *error);

/**
 * Gets the name of an attribute of a graphic.
 *
 * @param graphic_id The id of the graphic.
 * @param index The index of the attribute, from 0 to the graphic's attribute_count - 1. Attributes are in the order in
 *     which the overlay first received their names.
 * @param buffer Receives the name with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity_bytes is not 0, or both buffer and out_size_bytes are
 *     NULL.
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no graphic with that id, or no attribute with that index.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. The buffer is not changed.
 */
ALD_API ald_status ald_graphics_overlay_get_attribute_name_at(ald_graphics_overlay overlay, uint64_t graphic_id,
                                                              uint32_t index, char *buffer, size_t capacity_bytes,
                                                              size_t *out_size_bytes, ald_error *error);

/**
 * Finds an attribute of a graphic by its name and reads its type and value.
 *
 * @param graphic_id The id of the graphic.
 * @param name The name of the attribute. If the graphic does not have it, the type is ALD_GRAPHIC_VALUE_TYPE_NULL.
 * @param out_value Receives type, integer and real. Its text is always NULL. May be NULL if buffer is not NULL.
 * @param buffer Receives the text with its final NUL, or an empty text for another type. NULL with capacity_bytes 0:
 *     the text is not copied.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if name is NULL or not UTF-8, buffer is NULL and capacity_bytes is not 0, or nothing
 *     is requested.
 *   - ALD_STATUS_INVALID_HANDLE if overlay is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no graphic with that id.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the buffer is too small. buffer and out_value are not changed.
 */
ALD_API ald_status ald_graphics_overlay_find_attribute(ald_graphics_overlay overlay, uint64_t graphic_id,
                                                       const char *name, ald_graphic_value *out_value, char *buffer,
                                                       size_t capacity_bytes, size_t *out_size_bytes, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

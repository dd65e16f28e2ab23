/**
 * @file
 * The graphics of an overlay: adding, changing, removing, selecting and reading them, many at once, and undo.
 *
 * Undo covers what is added, removed, cleared and updated: each such call that changes something is one step, or all
 * calls of a group are. It does not cover selection, the renderer, or how the overlay is shown. A graphic that is
 * removed, by undo too, is no longer selected.
 *
 * The oldest steps are forgotten beyond the overlay's undo limit, and when what all steps keep takes more bytes than
 * the policy's max_request_bytes: of each graphic that they change 200 bytes, the attributes, and, if it has another
 * geometry then, its vertices, as given and as projected. The last step is kept however much it takes.
 */
#ifndef ALIDADE_GRAPHICS_H
#define ALIDADE_GRAPHICS_H

#include "base.h"
#include "geometry.h"
#include "geometry_array.h"
#include "graphics_overlay.h"
#include "symbol.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An attribute of many graphics. Of integers, reals and texts the one that type names is read. */
typedef struct ald_graphic_attributes {
  /** Not empty. Copied. */
  const char *name;
  /** Of all values that are not null; ALD_GRAPHIC_NULL: all are null. */
  ald_graphic_value_type type;
  uint32_t reserved;
  /** As many as there are graphics. */
  const int64_t *integers;
  /** As many as there are graphics. */
  const double *reals;
  /** As many as there are graphics; NULL among them is null. Copied. */
  const char *const *texts;
  /** As many as there are graphics: 1 where the value is null, else 0. NULL: none is. */
  const uint8_t *nulls;
} ald_graphic_attributes;

/** Bits of ald_graphic.flags. */
typedef uint32_t ald_graphic_flags;
enum {
  ALD_GRAPHIC_HIDDEN = 1,
  /** Answered only. */
  ALD_GRAPHIC_SELECTED = 2,
  /** It has a symbol of its own. Answered only. */
  ALD_GRAPHIC_HAS_SYMBOL = 4
};

/** What is said of many graphics beside their geometries: a column each, NULL for the default, or for no change. */
typedef struct ald_graphic_columns {
  uint32_t struct_size;
  /** How many graphics the columns are for. */
  uint32_t graphic_count;
  /** graphic_count numbers. Default: 0. */
  const int32_t *z_indexes;
  /** graphic_count bytes, each 0 or ALD_GRAPHIC_HIDDEN. Default: 0. */
  const uint8_t *graphic_flags;
  /** graphic_count numbers: which of symbols is the graphic's own; ALD_ALL: it has none. Default: it has none. */
  const uint32_t *symbol_indexes;
  /** symbol_count symbols. Copied. */
  const ald_symbol *symbols;
  uint32_t symbol_count;
  /** At most 1,000. */
  uint32_t attribute_count;
  /** attribute_count attributes, no two of one name. Default: there are none. */
  const ald_graphic_attributes *attributes;
} ald_graphic_columns;

/** Initialises an ald_graphic_columns. */
#define ALD_GRAPHIC_COLUMNS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_graphic_columns), 0, NULL, NULL, NULL, NULL, 0, 0, NULL }

/** Facts about a graphic. */
typedef struct ald_graphic {
  uint32_t struct_size;
  ald_graphic_flags flags;
  uint64_t graphic_id;
  int32_t z_index;
  /** Those that are not null. */
  uint32_t attribute_count;
  /** Its own symbol; of kind ALD_SYMBOL_NONE if it has none. */
  ald_symbol symbol;
} ald_graphic;

/** Initialises an ald_graphic. */
#define ALD_GRAPHIC_INIT                                                                                               \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_graphic), 0, 0, 0, 0, {                                                                       \
      0, 0, 0, 0, 0, {0, 0, 0, 0}, {0, 0, 0, 0}, 0, 0.0, 0.0, {0.0, 0.0}, 0.0                                          \
    }                                                                                                                  \
  }

/**
 * Adds a graphic for each geometry of an array.
 *
 * @param geometry_array The geometries, which the overlay keeps; nothing is copied. Without a spatial reference they
 *   are in that of the map. They may be empty, or collections.
 * @param columns What else there is to say of the graphics; NULL: nothing. Its graphic_count is the number of
 *   geometries.
 * @param out_first_id Receives the id of the first graphic, those of the others follow; may be NULL. 0 if there is
 * none.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a column says what no graphic has,
 *   or does not fit the array, or the two are of different runtimes; ALD_STATUS_LIMIT_EXCEEDED by the policy, or beyond
 *   16,777,216 graphics. On failure nothing is added.
 */
ALD_API ald_status ald_graphics_overlay_add(ald_graphics_overlay overlay, ald_geometry_array geometry_array,
                                            const ald_graphic_columns *columns, uint64_t *out_first_id,
                                            ald_error *error);

/**
 * Adds one graphic.
 *
 * @param geometry Its geometry, as for ald_graphics_overlay_add.
 * @param columns What else there is to say of it, with a graphic_count of 1; NULL: nothing.
 * @param out_graphic_id Receives its id; may be NULL.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT and ALD_STATUS_LIMIT_EXCEEDED as for
 *   ald_graphics_overlay_add.
 */
ALD_API ald_status ald_graphics_overlay_add_one(ald_graphics_overlay overlay, ald_geometry geometry,
                                                const ald_graphic_columns *columns, uint64_t *out_graphic_id,
                                                ald_error *error);

/**
 * Changes graphics: what columns names, and nothing else. Attributes that it does not name stay.
 *
 * @param graphic_ids The graphics, as many as graphic_count says. If one comes twice, the last counts.
 * @param graphic_count How many numbers graphic_ids has. It is the graphic_count of columns, and the number of
 *   geometries.
 * @param geometry_array Their new geometries; null: they keep theirs.
 * @param columns What else changes; NULL: nothing.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the overlay, or the array); ALD_STATUS_INVALID_ARGUMENT as for
 *   ald_graphics_overlay_add, or if graphic_ids is NULL; ALD_STATUS_NOT_FOUND if there is no such graphic;
 *   ALD_STATUS_LIMIT_EXCEEDED. On failure nothing is changed.
 */
ALD_API ald_status ald_graphics_overlay_update(ald_graphics_overlay overlay, const uint64_t *graphic_ids,
                                               size_t graphic_count, ald_geometry_array geometry_array,
                                               const ald_graphic_columns *columns, ald_error *error);

/**
 * Changes the geometry of one graphic.
 *
 * @param graphic_id The graphic.
 * @param geometry Its new geometry.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the two are of different runtimes;
 *   ALD_STATUS_NOT_FOUND if there is no such graphic.
 */
ALD_API ald_status ald_graphics_overlay_set_geometry(ald_graphics_overlay overlay, uint64_t graphic_id,
                                                     ald_geometry geometry, ald_error *error);

/**
 * Removes graphics.
 *
 * @param graphic_ids The graphics, as many as graphic_count says; one may come twice.
 * @param graphic_count How many numbers graphic_ids has; 0 does nothing.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if graphic_ids is NULL;
 *   ALD_STATUS_NOT_FOUND if there is no such graphic, and none is removed; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_graphics_overlay_remove(ald_graphics_overlay overlay, const uint64_t *graphic_ids,
                                               size_t graphic_count, ald_error *error);

/**
 * Removes all graphics, in one step for undo.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE.
 */
ALD_API ald_status ald_graphics_overlay_clear(ald_graphics_overlay overlay, ald_error *error);

/**
 * Selects graphics, or takes them out of the selection.
 *
 * @param graphic_ids The graphics, as many as graphic_count says; one may come twice.
 * @param graphic_count How many numbers graphic_ids has; 0 does nothing.
 * @param selected 1: they are selected; 0: they are not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if graphic_ids is NULL or selected is
 *   neither; ALD_STATUS_NOT_FOUND if there is no such graphic, and nothing changes; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_graphics_overlay_select(ald_graphics_overlay overlay, const uint64_t *graphic_ids,
                                               size_t graphic_count, int32_t selected, ald_error *error);

/**
 * Takes all graphics out of the selection.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE.
 */
ALD_API ald_status ald_graphics_overlay_clear_selection(ald_graphics_overlay overlay, ald_error *error);

/**
 * Opens a group of edits: all up to its end are one step for undo, in which a graphic that is moved a thousand times
 * counts once. A drag begins one when the finger comes down. A group in which nothing lasting happens is no step.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if a group is open already.
 */
ALD_API ald_status ald_graphics_overlay_begin_undo_group(ald_graphics_overlay overlay, ald_error *error);

/**
 * Ends the open group of edits.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_STATE if no group is open.
 */
ALD_API ald_status ald_graphics_overlay_end_undo_group(ald_graphics_overlay overlay, ald_error *error);

/**
 * Undoes the last step that is not undone yet; while a group is open, what that has done so far: it stays open, and
 * what is done then is a step of its own.
 *
 * @param out_changed_count Receives how many graphics came, went or changed; 0: there was nothing to undo. May be NULL.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE.
 */
ALD_API ald_status ald_graphics_overlay_undo(ald_graphics_overlay overlay, uint32_t *out_changed_count,
                                             ald_error *error);

/**
 * Does again what was undone last. A new edit drops what was undone. While a group is open, what is done after this is
 * a step of its own, as it is after undo.
 *
 * @param out_changed_count Receives how many graphics came, went or changed; 0: there was nothing. May be NULL.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE.
 */
ALD_API ald_status ald_graphics_overlay_redo(ald_graphics_overlay overlay, uint32_t *out_changed_count,
                                             ald_error *error);

/**
 * Forgets all edits, so that none can be undone or done again.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE.
 */
ALD_API ald_status ald_graphics_overlay_clear_history(ald_graphics_overlay overlay, ald_error *error);

/** Which graphics are listed. */
typedef uint32_t ald_graphic_list_flags;
enum {
  /** Only those that are selected. */
  ALD_GRAPHIC_LIST_SELECTED = 1
};

/**
 * The ids of an overlay's graphics in draw order, the lowest first, whether they are drawn or not.
 *
 * @param list_flags Bits of ald_graphic_list_flags.
 * @param out_graphic_ids Receives the ids; NULL with capacity 0 asks for their number alone.
 * @param capacity How many numbers out_graphic_ids has room for.
 * @param out_count Receives how many there are; also written when the buffer is too small. May be NULL if
 *   out_graphic_ids is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a flag is unknown, out_graphic_ids
 * is NULL and capacity is not 0, or nothing is asked for; ALD_STATUS_BUFFER_TOO_SMALL, and out_graphic_ids is left
 * alone.
 */
ALD_API ald_status ald_graphics_overlay_list(ald_graphics_overlay overlay, ald_graphic_list_flags list_flags,
                                             uint64_t *out_graphic_ids, size_t capacity, size_t *out_count,
                                             ald_error *error);

/**
 * Facts about a graphic.
 *
 * @param graphic_id The graphic.
 * @param out_graphic Initialise it with ALD_GRAPHIC_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_graphic is NULL or its
 *   struct_size is none; ALD_STATUS_NOT_FOUND if there is no such graphic.
 */
ALD_API ald_status ald_graphics_overlay_get_graphic(ald_graphics_overlay overlay, uint64_t graphic_id,
                                                    ald_graphic *out_graphic, ald_error *error);

/**
 * The geometry of a graphic, as it was given.
 *
 * @param graphic_id The graphic.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_geometry is NULL;
 *   ALD_STATUS_NOT_FOUND if there is no such graphic.
 */
ALD_API ald_status ald_graphics_overlay_create_geometry(ald_graphics_overlay overlay, uint64_t graphic_id,
                                                        ald_geometry *out_geometry, ald_error *error);

/**
 * The name of an attribute of a graphic.
 *
 * @param graphic_id The graphic.
 * @param index From 0 to the graphic's attribute_count - 1, in the order in which the overlay met the names first.
 * @param buffer Receives the name with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size that is needed, final NUL counted in; also written when the buffer is too small.
 *   May be NULL if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity is not
 *   0, or nothing is asked for; ALD_STATUS_NOT_FOUND if there is no such graphic or attribute;
 *   ALD_STATUS_BUFFER_TOO_SMALL, and the buffer is left alone.
 */
ALD_API ald_status ald_graphics_overlay_attribute_name(ald_graphics_overlay overlay, uint64_t graphic_id,
                                                       uint32_t index, char *buffer, size_t capacity, size_t *out_size,
                                                       ald_error *error);

/**
 * The value of an attribute of a graphic: its type, and its number or its text.
 *
 * @param graphic_id The graphic.
 * @param attribute_name The attribute. One that the graphic does not have is null.
 * @param out_value Receives type, integer and real; its text is always NULL. May be NULL if buffer is not.
 * @param buffer Receives the text with its final NUL, empty for other values; NULL with capacity 0: it is not wanted.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size that is needed, final NUL counted in; also written when the buffer is too small.
 *   May be NULL.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if attribute_name is NULL or not UTF-8,
 *   buffer is NULL and capacity is not 0, or nothing is asked for; ALD_STATUS_NOT_FOUND if there is no such graphic;
 *   ALD_STATUS_BUFFER_TOO_SMALL, and buffer and out_value are left alone.
 */
ALD_API ald_status ald_graphics_overlay_attribute(ald_graphics_overlay overlay, uint64_t graphic_id,
                                                  const char *attribute_name, ald_graphic_value *out_value,
                                                  char *buffer, size_t capacity, size_t *out_size, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

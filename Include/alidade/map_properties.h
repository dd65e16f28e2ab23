/**
 * @file
 * What a map says of itself: texts, properties of the host's own, between which scales and where its views may look,
 * and the extent of its layers.
 *
 * The limits of scale and extent are a map's defaults: every view of the map obeys them, beside its own constraints
 * (ald_view_set_constraints). Where both say something the narrower holds: the smaller min_scale, the larger max_scale,
 * and what both extents have in common; of two pieces, which there can be where the world repeats itself, the wider
 * one. Scales that have nothing in common leave the end of the map's range that is nearest to the view's; extents that
 * have nothing in common leave the map's. ald_extent_rule, the locked rotation and the rubber band are the view's, and
 * count for the map's limits, too: by default no view shows anything outside of the map's extent. What a limit of the
 * map changes in a move is reported as what one of the view's does: ald_camera_plan.clamps.
 */
#ifndef ALIDADE_MAP_PROPERTIES_H
#define ALIDADE_MAP_PROPERTIES_H

#include "base.h"
#include "map.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Texts of a map. The library does nothing with them. */
typedef int32_t ald_map_text_kind;
enum {
  /** What a list of maps calls it. */
  ALD_MAP_TEXT_NAME = 1,
  /** What the host knows it by. */
  ALD_MAP_TEXT_ID = 2,
  /** Whom the map is from. That of the data which a view shows is told by ald_view_attribution. */
  ALD_MAP_TEXT_ATTRIBUTION = 3
};

/** Bits of ald_map_info.flags. */
typedef uint32_t ald_map_flags;
enum {
  /** A maximum extent is set. */
  ALD_MAP_HAS_MAX_EXTENT = 1,
  /**
   * It limits views: the map has a spatial reference, and the extent has an image in it. One that was set before the
   * map's spatial reference was known, and of which nothing is in it, limits none; a line of the log says so.
   */
  ALD_MAP_MAX_EXTENT_HOLDS = 2
};

/** A map as of one moment. */
typedef struct ald_map_info {
  uint32_t struct_size;
  ald_map_flags flags;
  /** The denominator of the farthest scale at which views look at it; 0: no limit. */
  double min_scale;
  /** The denominator of the closest one; 0: no limit. */
  double max_scale;
  /** With ALD_MAP_HAS_MAX_EXTENT: as it was set. */
  ald_envelope max_extent;
  /** What max_extent is in, lent; null: the map's spatial reference. */
  ald_spatial_reference max_extent_spatial_reference;
  uint64_t reserved[4];
} ald_map_info;

/** Initialises an ald_map_info. */
#define ALD_MAP_INFO_INIT                                                                                              \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_map_info), 0, 0.0, 0.0, {0.0, 0.0, 0.0, 0.0}, {0}, {                                          \
      0                                                                                                                \
    }                                                                                                                  \
  }

/**
 * Facts about a map, as of now.
 *
 * @param out_info Initialise it with ALD_MAP_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_map_get_info(ald_map map, ald_map_info *out_info, ald_error *error);

/**
 * Sets between which scales the map's views may look at it, and moves those at once that are out of them.
 *
 * @param min_scale The denominator of the farthest scale, 1e-6 to 1e15; 0: no limit.
 * @param max_scale The denominator of the closest one, not above min_scale, 1e-6 to 1e15; 0: no limit.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 *   range, or max_scale is above a min_scale that is not 0.
 */
ALD_API ald_status ald_map_set_scale_range(ald_map map, double min_scale, double max_scale, ald_error *error);

/**
 * Sets the extent that the map's views must not leave, and moves those at once that are out of it.
 *
 * @param max_extent A box with width and height, as ald_constraints.max_extent; NULL: there is no limit.
 * @param spatial_reference What the box is in; null: the map's spatial reference. In another one the box around its
 *   image counts. With one that is named the box may be set before the map has a spatial reference.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the box has no width or height, a
 *   number is not finite or out of its range, or the spatial reference is of another runtime; ALD_STATUS_NOT_READY if
 *   neither a spatial reference is named nor the map has one yet; ALD_STATUS_PROJECTION_FAILED if nothing of the box is
 *   in the map's spatial reference. On failure the extent that was set before stays.
 */
ALD_API ald_status ald_map_set_max_extent(ald_map map, const ald_envelope *max_extent,
                                          ald_spatial_reference spatial_reference, ald_error *error);

/**
 * The box around the data of the map's layers, of the basemap and the operational ones, groups included, whether shown
 * or not. Layers that have no box, because they are not loaded or cannot be placed, or theirs is not known yet (see
 * ald_layer_full_extent), are left out unless there is no other.
 *
 * @param spatial_reference What the box is wanted in; null: the map's spatial reference.
 * @param out_extent Receives the box. Where the world repeats itself, one that goes over the antimeridian goes on
 *   beyond it, to an x_max above half a world.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_extent is NULL or the spatial
 *   reference is of another runtime; ALD_STATUS_NOT_READY if none is named and the map has none yet, or no layer is
 *   loaded, has a spatial reference and a box that is known; ALD_STATUS_NOT_FOUND if there are no data;
 * ALD_STATUS_PROJECTION_FAILED if nothing of the layers can be projected there.
 */
ALD_API ald_status ald_map_full_extent(ald_map map, ald_spatial_reference spatial_reference, ald_envelope *out_extent,
                                       ald_error *error);

/**
 * Sets a text of a map.
 *
 * @param text_kind Which text.
 * @param text UTF-8; NULL or "": none. Copied.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if text_kind is none or text is not
 *   UTF-8.
 */
ALD_API ald_status ald_map_set_text(ald_map map, ald_map_text_kind text_kind, const char *text, ald_error *error);

/**
 * A text of a map; "" if it has none.
 *
 * @param text_kind Which text.
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the needed size, the NUL counted in; also written when the buffer is too small. May be NULL
 *   if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if text_kind is none, buffer is NULL
 *   and capacity is not 0, or both buffer and out_size are NULL; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_map_text(ald_map map, ald_map_text_kind text_kind, char *buffer, size_t capacity,
                                size_t *out_size, ald_error *error);

/**
 * Sets a property of the host's own on a map, at most 10,000 of them. The library does nothing with it.
 *
 * @param property_key UTF-8, not empty. Copied.
 * @param text UTF-8, copied; NULL: the property is removed, if there is one.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if property_key is NULL or empty, or a
 *   text is not UTF-8; ALD_STATUS_LIMIT_EXCEEDED if the map has 10,000 properties.
 */
ALD_API ald_status ald_map_set_property(ald_map map, const char *property_key, const char *text, ald_error *error);

/**
 * A property of the host's own.
 *
 * @param property_key As it was set.
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the needed size, the NUL counted in; also written when the buffer is too small. May be NULL
 *   if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if property_key is NULL or not UTF-8,
 *   buffer is NULL and capacity is not 0, or both buffer and out_size are NULL; ALD_STATUS_NOT_FOUND if there is no
 *   such property; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_map_property(ald_map map, const char *property_key, char *buffer, size_t capacity,
                                    size_t *out_size, ald_error *error);

/**
 * How many properties of the host's own a map has.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 */
ALD_API ald_status ald_map_property_count(ald_map map, uint32_t *out_count, ald_error *error);

/**
 * The key of a property, in the order in which they were added.
 *
 * @param index From 0.
 * @param buffer Receives the key with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the needed size, the NUL counted in; also written when the buffer is too small. May be NULL
 *   if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity is not
 *   0, or both buffer and out_size are NULL; ALD_STATUS_NOT_FOUND if there is no such property;
 *   ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_map_property_key(ald_map map, uint32_t index, char *buffer, size_t capacity, size_t *out_size,
                                        ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * What all layers have: opacity, scales, texts, properties of the host's own, an extent, and a place in a map.
 * alidade/layer.h has ald_layer_set_visible.
 */
#ifndef ALIDADE_LAYER_PROPERTIES_H
#define ALIDADE_LAYER_PROPERTIES_H

#include "base.h"
#include "layer.h"
#include "loading.h"
#include "map.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What kind of layer a layer is. */
typedef int32_t ald_layer_kind;
enum {
  /** It shows a raster: ald_raster_layer_create. */
  ALD_LAYER_RASTER = 1,
  /** It shows features. */
  ALD_LAYER_FEATURE = 2,
  /** It holds layers: ald_group_layer_create. */
  ALD_LAYER_GROUP = 3
};

/** Texts of a layer. The library does nothing with them. */
typedef int32_t ald_layer_text_kind;
enum {
  /** What a list of layers calls it. */
  ALD_LAYER_TEXT_NAME = 1,
  /** What the host knows it by; that no two layers have the same is the host's matter. */
  ALD_LAYER_TEXT_ID = 2,
  /** Whom the data is from. */
  ALD_LAYER_TEXT_ATTRIBUTION = 3
};

/** Bits of ald_layer_info.flags. */
typedef uint32_t ald_layer_flags;
enum {
  /** As ald_layer_visible answers. */
  ALD_LAYER_VISIBLE = 1,
  /** The layer and all groups above it are visible. */
  ALD_LAYER_SHOWN = 2,
  /** The layer is in a map's basemap, by itself or in a group. */
  ALD_LAYER_IN_BASEMAP = 4
};

/** A layer as of one moment. */
typedef struct ald_layer_info {
  uint32_t struct_size;
  ald_layer_kind kind;
  ald_layer_flags flags;
  /** How many groups hold the layer. */
  uint32_t depth;
  /** 0, transparent, to 1. */
  double opacity;
  /** The product of the layer's opacity and that of all groups above it. */
  double effective_opacity;
  /** The denominator of the farthest scale at which the layer is shown; 0: no limit. */
  double min_scale;
  /** The denominator of the closest one; 0: no limit. */
  double max_scale;
  /** The farthest scale at which the layer and all groups above it are shown; 0: no limit. */
  double effective_min_scale;
  /** The closest one; 0: no limit. Above effective_min_scale if they have no scale in common. */
  double effective_max_scale;
  /** The group that the layer is in, lent; null: none. */
  ald_layer group;
  /** The map that the layer is in, by itself or in a group, lent; null: none. */
  ald_map map;
  /** Rises when anything of the layer is changed, or it or a group above it is put elsewhere. */
  uint64_t generation;
  /** As ald_layer_get_load_info tells it. */
  ald_load_status load_status;
  /** Zero. */
  uint32_t reserved32;
  uint64_t reserved[3];
} ald_layer_info;

/** Initialises an ald_layer_info. */
#define ALD_LAYER_INFO_INIT                                                                                            \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_layer_info), 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, {0}, {0}, 0, 0, 0, {                      \
      0                                                                                                                \
    }                                                                                                                  \
  }

/**
 * Facts about a layer, as of now.
 *
 * @param out_info Initialise it with ALD_LAYER_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_layer_get_info(ald_layer layer, ald_layer_info *out_info, ald_error *error);

/**
 * Sets how opaque a layer is drawn. Identify takes no notice of it.
 *
 * @param opacity 0, transparent, to 1. That of a group is a factor for all in it.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the number is not finite or out of
 *   its range.
 */
ALD_API ald_status ald_layer_set_opacity(ald_layer layer, double opacity, ald_error *error);

/**
 * Sets between which scales a layer is shown. At both ends it is. Out of them it is not identified and draws nothing;
 * nor do those in a group that is out of its scales.
 *
 * @param min_scale The denominator of the farthest scale, 1e-6 to 1e15; 0: no limit.
 * @param max_scale The denominator of the closest one, not above min_scale, 1e-6 to 1e15; 0: no limit.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 *   range, or max_scale is above a min_scale that is not 0.
 */
ALD_API ald_status ald_layer_set_scale_range(ald_layer layer, double min_scale, double max_scale, ald_error *error);

/**
 * Sets a text of a layer.
 *
 * @param text_kind Which text.
 * @param text UTF-8; NULL or "": none. Copied.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if text_kind is none or text is not
 *   UTF-8.
 */
ALD_API ald_status ald_layer_set_text(ald_layer layer, ald_layer_text_kind text_kind, const char *text,
                                      ald_error *error);

/**
 * A text of a layer; "" if it has none.
 *
 * @param text_kind Which text.
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the needed size, the NUL counted in; also written when the buffer is too small. May be NULL
 *   if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if text_kind is none, buffer is NULL
 * and capacity is not 0, or both buffer and out_size are NULL; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_layer_text(ald_layer layer, ald_layer_text_kind text_kind, char *buffer, size_t capacity,
                                  size_t *out_size, ald_error *error);

/**
 * Sets a property of the host's own on a layer, at most 10,000 of them. The library does nothing with it.
 *
 * @param property_key UTF-8, not empty. Copied.
 * @param text UTF-8, copied; NULL: the property is removed, if there is one.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if property_key is NULL or empty, or a
 *   text is not UTF-8; ALD_STATUS_LIMIT_EXCEEDED if the layer has 10,000 properties.
 */
ALD_API ald_status ald_layer_set_property(ald_layer layer, const char *property_key, const char *text,
                                          ald_error *error);

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
 * such property; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_layer_property(ald_layer layer, const char *property_key, char *buffer, size_t capacity,
                                      size_t *out_size, ald_error *error);

/**
 * How many properties of the host's own a layer has.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 */
ALD_API ald_status ald_layer_property_count(ald_layer layer, uint32_t *out_count, ald_error *error);

/**
 * The key of a property, in the order in which they were added.
 *
 * @param index From 0.
 * @param buffer Receives the key with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the needed size, the NUL counted in; also written when the buffer is too small. May be NULL
 *   if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity is not
 * 0, or both buffer and out_size are NULL; ALD_STATUS_NOT_FOUND if there is no such property;
 *   ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_layer_property_key(ald_layer layer, uint32_t index, char *buffer, size_t capacity,
                                          size_t *out_size, ald_error *error);

/**
 * The box around a layer's data; of a group, around those of the layers in it, inner groups included. Layers in a group
 * that have no box, because they are not loaded or cannot be placed, are left out unless there is no other.
 *
 * That of a feature layer is the extent of its source. Where ald_feature_source_info does not have that, it is the one
 * of the index, and not ready before that is; if the index cannot be built it stays so.
 *
 * @param spatial_reference What the box is wanted in; null: the layer's own spatial reference, which a group has not.
 * @param out_extent Receives the box. Where the world repeats itself, x_min > x_max means that it goes over the
 *   antimeridian; that of a group goes on beyond it instead, to an x_max above half a world.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_extent is NULL or the spatial
 *   reference is of another runtime; ALD_STATUS_NOT_READY if the layer is not loaded, or has no spatial reference and
 * one is named, or is a group and none is named, or the box is not known yet; ALD_STATUS_NOT_FOUND if there are no
 * data; ALD_STATUS_PROJECTION_FAILED if nothing of the layer can be projected there.
 */
ALD_API ald_status ald_layer_full_extent(ald_layer layer, ald_spatial_reference spatial_reference,
                                         ald_envelope *out_extent, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

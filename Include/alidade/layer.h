/**
 * @file
 * Layers: what a map shows. A raster layer shows a raster through a renderer.
 */
#ifndef ALIDADE_LAYER_H
#define ALIDADE_LAYER_H

#include "base.h"
#include "raster.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A layer. */
typedef struct ald_layer {
  uint64_t id;
} ald_layer;

/** How a raster layer turns values into colours. */
typedef int32_t ald_raster_renderer_kind;
enum {
  /**
   * The kind that fits the raster: the colour table if band 1 has one; three bands if the file says which are red,
   * green and blue, or has at least three 8-bit bands; else a stretch of band 1.
   */
  ALD_RASTER_RENDERER_AUTOMATIC = 0,
  /** The band's colour table. A value without an entry is transparent. */
  ALD_RASTER_RENDERER_COLOR_TABLE = 1,
  /** Three bands as red, green and blue. */
  ALD_RASTER_RENDERER_RGB = 2,
  /** One band, stretched from minimum to maximum over a colour ramp. */
  ALD_RASTER_RENDERER_STRETCH = 3,
  /** One band of heights, lit from a side (Horn 1981, as gdaldem computes it, edges included). */
  ALD_RASTER_RENDERER_HILLSHADE = 4
};

/** Bits of ald_raster_renderer.fields: which fields are given although 0 has a meaning of its own there. */
typedef uint32_t ald_raster_renderer_fields;
enum {
  /** minimum and maximum are given; else they come from the file's statistics or from a sample of its cells. */
  ALD_RASTER_RENDERER_HAS_RANGE = 1,
  /** azimuth_deg is given; else 315. */
  ALD_RASTER_RENDERER_HAS_AZIMUTH = 2,
  /** altitude_deg is given; else 45. */
  ALD_RASTER_RENDERER_HAS_ALTITUDE = 4
};

/** A raster layer's renderer. */
typedef struct ald_raster_renderer {
  uint32_t struct_size;
  ald_raster_renderer_kind kind;
  ald_raster_renderer_fields fields;
  /** How many colours ramp holds; 0 with NULL: black to white. Else 2 to 65536. */
  uint32_t ramp_count;
  /** Colours at equal steps from minimum to maximum, interpolated linearly per channel. Copied. */
  const ald_rgba *ramp;
  /** The band for one-band kinds in bands[0]; red, green, blue for RGB. From 1; 0: chosen by the library. */
  int32_t bands[3];
  uint32_t reserved;
  /** The stored values that the ends of the ramp stand for (before scale and offset); minimum < maximum. */
  double minimum;
  double maximum;
  /** Exponent on the stretched value: 0 means 1. More than 0. */
  double gamma;
  /** Where the light comes from, degrees clockwise from the up of the raster's spatial reference. */
  double azimuth_deg;
  /** How high the light stands, 0 to 90 degrees. */
  double altitude_deg;
  /** Factor on heights, in map units per height unit; 0: heights are metres. */
  double z_factor;
} ald_raster_renderer;

/** Initialises an ald_raster_renderer to the default. */
#define ALD_RASTER_RENDERER_INIT                                                                                       \
  { (uint32_t)sizeof(ald_raster_renderer), 0, 0, 0, NULL, {0, 0, 0}, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 }

/**
 * Makes a layer that shows a raster. It is loaded if the raster is; else loading it loads the raster.
 *
 * @param raster The raster; the layer keeps it.
 * @param out_layer Receives the layer; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_layer is NULL;
 *   ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform, or its geotransform cannot be
 *   inverted; ALD_STATUS_NOT_READY if it has no spatial reference (give one when opening it).
 */
ALD_API ald_status ald_raster_layer_create(ald_raster raster, ald_layer *out_layer, ald_error *error);

/** Releases a layer. A map that holds it keeps it. */
ALD_API void ald_layer_release(ald_layer layer);

/**
 * The raster that a layer was made of, or that it loads from its path, lent; see ald_raster_get_load_info.
 *
 * @param out_raster Receives the raster. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_raster is NULL.
 */
ALD_API ald_status ald_raster_layer_raster(ald_layer layer, ald_raster *out_raster, ald_error *error);

/**
 * Shows or hides a layer. A hidden layer is not identified and draws nothing, nor do those in a hidden group.
 * Layers are visible when made.
 *
 * @param visible 1 or 0.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if visible is neither 0 nor 1.
 */
ALD_API ald_status ald_layer_set_visible(ald_layer layer, uint32_t visible, ald_error *error);

/**
 * Whether a layer is visible.
 *
 * @param out_visible Receives 1 or 0.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_visible is NULL.
 */
ALD_API ald_status ald_layer_visible(ald_layer layer, uint32_t *out_visible, ald_error *error);

/**
 * Sets how a raster layer is drawn.
 *
 * @param renderer The renderer; NULL: the automatic one.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a field is out of its range;
 *   ALD_STATUS_NOT_FOUND if there is no such band, or no colour table on it; ALD_STATUS_UNSUPPORTED for a hillshade of
 *   complex values. A layer that is not loaded takes any renderer, and fails to load if that does not fit the raster.
 */
ALD_API ald_status ald_raster_layer_set_renderer(ald_layer layer, const ald_raster_renderer *renderer,
                                                 ald_error *error);

/**
 * How a raster layer is drawn, with everything filled in that was left to the library. Finding the range of a stretch
 * may read cells the first time. ALD_RASTER_RENDERER_HAS_RANGE is not set if three bands have a range each.
 *
 * @param out_renderer Initialise it with ALD_RASTER_RENDERER_INIT. Its ramp is NULL: the host knows what it gave.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_renderer is NULL or its
 *   struct_size is none; ALD_STATUS_NOT_READY if the layer is not loaded; ALD_STATUS_READ_FAILED if cells had to be
 * read and cannot be.
 */
ALD_API ald_status ald_raster_layer_renderer(ald_layer layer, ald_raster_renderer *out_renderer, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

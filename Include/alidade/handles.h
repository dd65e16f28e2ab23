/**
 * @file
 * The objects of the library: one handle type for each kind.
 *
 * A handle names an object. Each kind is a struct of its own, so C, C++ and ctypes refuse a handle of the wrong kind.
 * Handles are plain numbers: copy and compare them freely. The zero handle, such as (ald_map){0}, names no object.
 * base.h says who releases an object.
 *
 * @code{.c}
 * ald_map no_map = {0};
 * ald_map same_map = map; // Names the same map. It is not a second map.
 * printf("%s\n", same_map.id == no_map.id ? "no map" : "a map");
 * ald_map_release(no_map); // Does nothing.
 * return ALD_STATUS_OK;
 * @endcode
 */
#ifndef ALIDADE_HANDLES_H
#define ALIDADE_HANDLES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A runtime: the owner of all other objects.
 *
 * Create one per process. More runtimes are allowed. They share only the process-wide state of GDAL and PROJ.
 */
typedef struct ald_runtime {
  uint64_t id;
} ald_runtime;

/** A request: work that is under way or has ended. */
typedef struct ald_request {
  uint64_t id;
} ald_request;

/** A spatial reference: what coordinates mean. It can have a vertical part, which says what heights mean. */
typedef struct ald_spatial_reference {
  uint64_t id;
} ald_spatial_reference;

/**
 * A transformation: exactly one operation. It is immutable, except that changed grid directories may make it usable or
 * not usable.
 */
typedef struct ald_transformation {
  uint64_t id;
} ald_transformation;

/** The ranked transformations between two spatial references, as they were when the list was created. */
typedef struct ald_transformation_list {
  uint64_t id;
} ald_transformation_list;

/**
 * The record of the operations that projected coordinates. It is immutable, and stays valid after all other objects
 * except the runtime have been released.
 */
typedef struct ald_projection_receipt {
  uint64_t id;
} ald_projection_receipt;

/** A geometry: a point, line, polygon, or several of them. */
typedef struct ald_geometry {
  uint64_t id;
} ald_geometry;

/** Many geometries in one object. */
typedef struct ald_geometry_array {
  uint64_t id;
} ald_geometry_array;

/** A geometry with an index, which makes it fast to compare with many other geometries. */
typedef struct ald_prepared_geometry {
  uint64_t id;
} ald_prepared_geometry;

/**
 * A raster. The facts of a loaded raster never change. Any number of threads may read it at once.
 *
 * ald_raster_open gives a loaded raster. ald_raster_create gives a raster that is loaded later: see alidade/raster.h.
 */
typedef struct ald_raster {
  uint64_t id;
} ald_raster;

/** Features that were read from a source. */
typedef struct ald_feature_set {
  uint64_t id;
} ald_feature_set;

/** An open source of features. Its facts never change. Any number of threads may read it at once. */
typedef struct ald_feature_source {
  uint64_t id;
} ald_feature_source;

/** A layer of a map. */
typedef struct ald_layer {
  uint64_t id;
} ald_layer;

/** A map. Several views may show one map. */
typedef struct ald_map {
  uint64_t id;
} ald_map;

/** A view of a map. */
typedef struct ald_view {
  uint64_t id;
} ald_view;

/** The state of a view at one moment: an immutable value that any thread may read. */
typedef struct ald_view_snapshot {
  uint64_t id;
} ald_view_snapshot;

/** A graphics overlay of a view. */
typedef struct ald_graphics_overlay {
  uint64_t id;
} ald_graphics_overlay;

/** What the host draws for the graphics overlays of a view: an immutable value. */
typedef struct ald_overlay_drawing {
  uint64_t id;
} ald_overlay_drawing;

/** A magnifier of a view. */
typedef struct ald_magnifier {
  uint64_t id;
} ald_magnifier;

/** The elements that an identify call found. Immutable. */
typedef struct ald_identify_result {
  uint64_t id;
} ald_identify_result;

/** A callout of a view. */
typedef struct ald_callout {
  uint64_t id;
} ald_callout;

/** A local coordinate frame for a game engine. Immutable. */
typedef struct ald_engine_frame {
  uint64_t id;
} ald_engine_frame;

/** Triangles in an engine frame. Immutable. */
typedef struct ald_mesh {
  uint64_t id;
} ald_mesh;

/** What a spatial query has found. Immutable. */
typedef struct ald_match_set {
  uint64_t id;
} ald_match_set;

/** The pixels of a raster layer, as a view showed them. Immutable. */
typedef struct ald_screen_picture {
  uint64_t id;
} ald_screen_picture;

#ifdef __cplusplus
}
#endif

#endif

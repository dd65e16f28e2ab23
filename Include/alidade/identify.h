/**
 * @file
 * Identify: what is drawn at a point of the screen, topmost first, and why.
 *
 * An element is a cell of a raster layer, a feature of a feature layer, or a graphic of a graphics overlay. Overlays
 * lie above the map's operational layers, and those lie above the basemap. Within an overlay or a feature layer the
 * order is that of the drawing; see alidade/overlay_drawing.h. Each layer and each overlay is a part of the result, in
 * the same order; a group is a part that stands before the parts of its layers. What fails in one part does not fail
 * the others.
 *
 * A feature or a graphic is hit where it is drawn: its footprint is that of its symbol, with the final sizes, on each
 * copy of the world that the view shows. The strokes of lines and outlines have round ends and joins; the gaps of
 * dashes belong to the stroke; a fill that is not filled is hit on its outline alone. Colours, opacity and selection do
 * not matter. The tolerance is the radius of a circle around the screen point that the footprint must meet, whatever
 * the projection and the rotation.
 *
 * A result describes the view, the layers and the overlays at the moment of the call, even if it comes later.
 *
 * @code{.c}
 * ald_identify_result result;
 * ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
 * const ald_point tap = {400, 300};
 * ald_status status = ald_view_identify(view, tap, 22, 0, NULL, &result, error);
 * if (status != ALD_STATUS_OK) return status;
 * if (ald_identify_result_get_element_at(result, 0, &element, NULL) == ALD_STATUS_OK) printf("%s\n", element.text);
 * ald_identify_result_release(result);
 * return ALD_STATUS_OK;
 * @endcode
 */
#ifndef ALIDADE_IDENTIFY_H
#define ALIDADE_IDENTIFY_H

#include "base.h"
#include "feature_source.h"
#include "handles.h"
#include "raster.h"
#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_identify_options.flags. */
typedef uint32_t ald_identify_flags;
enum ald_identify_flags_values {
  /** Cells without a value (nodata, masked, transparent) are left out instead of being reported as such. */
  ALD_IDENTIFY_SKIP_EMPTY_CELLS = 1,
  /** Layers and overlays that are hidden or out of their scale range are identified as if they were shown. */
  ALD_IDENTIFY_INCLUDE_HIDDEN = 2,
  /** Layers and overlays without a popup definition are left out. */
  ALD_IDENTIFY_POPUPS_ONLY = 4
};

/** How to identify. */
typedef struct ald_identify_options {
  uint32_t struct_size;
  ald_identify_flags flags;
  /**
   * NULL, or the corners of an area of the screen in DIP. Features and graphics are hit if their footprints meet the
   * area; raster layers take no part. Two corners are opposite corners of a box; three or more are those of a polygon,
   * which may cross itself: its inside is where a ray crosses its edges an odd number of times. Read during the call.
   */
  const ald_point *area;
  /** 0, or 2 to 100,000. */
  size_t area_count;
} ald_identify_options;

/** Initialises an ald_identify_options to the default. */
#define ALD_IDENTIFY_OPTIONS_INIT                                                                                      \
  { (uint32_t)sizeof(ald_identify_options), 0, NULL, 0 }

/** Bits of ald_identify_result_info.flags. */
typedef uint32_t ald_identify_result_flags;
enum ald_identify_result_flags_values {
  /** More was hit in a layer or an overlay than the most elements wanted. */
  ALD_IDENTIFY_RESULT_LIMIT_EXCEEDED = 1,
  /** A part has an error. */
  ALD_IDENTIFY_RESULT_HAS_ERRORS = 2
};

/** Facts about a result. */
typedef struct ald_identify_result_info {
  uint32_t struct_size;
  /** How many elements were found, topmost first. */
  uint32_t element_count;
  /** How many layers, groups and overlays were identified. */
  uint32_t part_count;
  ald_identify_result_flags flags;
  /** The map point under the screen point, in the map's spatial reference. */
  ald_point map_point;
  /** The generation of the view's state that was identified. */
  uint64_t view_generation;
} ald_identify_result_info;

/** Initialises an ald_identify_result_info. */
#define ALD_IDENTIFY_RESULT_INFO_INIT                                                                                  \
  { (uint32_t)sizeof(ald_identify_result_info), 0, 0, 0, {0.0, 0.0}, 0 }

/** What kind of thing an element is. */
typedef int32_t ald_element_kind;
enum ald_element_kind_values {
  /** A cell of a raster layer. */
  ALD_ELEMENT_KIND_RASTER_CELL = 1,
  /** A feature of a feature layer. */
  ALD_ELEMENT_KIND_FEATURE = 2,
  /** A graphic of a graphics overlay. */
  ALD_ELEMENT_KIND_GRAPHIC = 3
};

/** An element of a result. Strings are valid until the result is released. */
typedef struct ald_identify_element {
  uint32_t struct_size;
  ald_element_kind kind;
  /** The layer, borrowed; null for a graphic. The result keeps it. */
  ald_layer layer;
  /** The overlay, borrowed; null unless the element is a graphic. The result keeps it. */
  ald_graphics_overlay overlay;
  /** The id of the feature or the graphic; 0 for a cell. */
  int64_t id;
  /** The part of the result that the element belongs to: that of its layer or overlay. */
  uint32_t part_index;
  uint32_t attribute_count;
  /** For a feature, the name of the layer in its file; otherwise empty. */
  const char *sublayer;
  /**
   * The element as a person would read it: a line "name: text" per attribute, with the alias in place of the name where
   * there is one. For a cell with a map polygon, an empty line follows, then "X: ..." and "Y: ..." of the minimum
   * corner of the cell's extent, rounded away from zero to 0.001 from the shortest decimal that reads back as the same
   * double. The same in every locale.
   */
  const char *text;
} ald_identify_element;

/** Initialises an ald_identify_element. */
#define ALD_IDENTIFY_ELEMENT_INIT                                                                                      \
  { (uint32_t)sizeof(ald_identify_element), 0, {0}, {0}, 0, 0, 0, NULL, NULL }

/** The facts of an element that is a raster cell. The array is valid until the result is released. */
typedef struct ald_identify_cell {
  uint32_t struct_size;
  int32_t column;
  int32_t row;
  /** ALD_CELL_VERDICT_VALUE if any band but an alpha band has a value; else why the first band has none. */
  ald_cell_verdict verdict;
  uint32_t band_count;
  /** 1 if polygon, extent and center are there; 0 if the cell's corners cannot all be projected: then they are NaN. */
  uint32_t has_map_polygon;
  /** The cell's corners in the raster's spatial reference: (column, row), (column + 1, row), ...; last equals first. */
  ald_point raster_polygon[5];
  /**
   * The same corners in the map's spatial reference. Where the world repeats itself (Web Mercator, longitudes), the
   * images nearest to the screen point.
   */
  ald_point polygon[5];
  /** The box around polygon. */
  ald_envelope extent;
  /** The cell's centre in the map's spatial reference. */
  ald_point center;
  /** band_count values. */
  const ald_band_value *values;
} ald_identify_cell;

/** Initialises an ald_identify_cell. */
#define ALD_IDENTIFY_CELL_INIT                                                                                         \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_identify_cell), 0, 0, 0, 0, 0, {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}},  \
        {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, {0.0, 0.0, 0.0, 0.0}, {0.0, 0.0}, NULL           \
  }

/** Where a footprint was hit. */
typedef int32_t ald_hit_zone;
enum ald_hit_zone_values {
  /** On the fill of a polygon or a marker. */
  ALD_HIT_ZONE_INSIDE = 1,
  /** On a line, an outline, or a stroke of a marker. */
  ALD_HIT_ZONE_EDGE = 2,
  /** Beside the footprint, within the tolerance. */
  ALD_HIT_ZONE_HALO = 3
};

/** How a feature or a graphic was hit. */
typedef struct ald_identify_evidence {
  uint32_t struct_size;
  ald_hit_zone zone;
  /** From the screen point, or the area, to the footprint; 0 on it. */
  double distance_dip;
  /** From the screen point to nearest_point on the screen. */
  double nearest_distance_dip;
  /**
   * From the screen point to nearest_point along the ellipsoid of the map's spatial reference; 0 if the screen point is
   * on the fill of a polygon; NaN if one of the two has no position on the earth.
   */
  double distance_m;
  /**
   * The point of the geometry's vertices and edges that is nearest to the screen point, in the map's spatial reference:
   * on the copy of the world that was hit.
   */
  ald_point nearest_point;
  /** The height at that point, interpolated along the edge; NaN if the geometry has none. */
  double z;
  /** The measure at that point, interpolated along the edge; NaN if the geometry has none. */
  double m;
  /** For a collection, the index of its simple geometry, members of members included; otherwise 0. */
  uint32_t member_index;
  /** The part of the geometry. */
  uint32_t part_index;
  /** The path in the part; for a polygon 0 for the shell, then the holes. */
  uint32_t path_index;
  /** The edge in the path: from vertex segment_index to the next one; UINT32_MAX if the geometry has no edges. */
  uint32_t segment_index;
  /** The vertex in the path: the nearest end of the edge, or the point. */
  uint32_t vertex_index;
  /** For a graphic, its z-index; otherwise 0. */
  int32_t z_index;
  /** How many hits of the same part lie above it. */
  uint32_t draw_rank;
  uint32_t reserved;
} ald_identify_evidence;

/** Initialises an ald_identify_evidence. */
#define ALD_IDENTIFY_EVIDENCE_INIT                                                                                     \
  { (uint32_t)sizeof(ald_identify_evidence), 0, 0.0, 0.0, 0.0, {0.0, 0.0}, 0.0, 0.0, 0, 0, 0, 0, 0, 0, 0, 0 }

/** Bits that say why something was not identified. */
typedef uint32_t ald_miss_reason_flags;
enum ald_miss_reason_flags_values {
  /** It, or something that it is in, is hidden. */
  ALD_MISS_REASON_HIDDEN = 1,
  /** It, or something that it is in, is not shown at the view's scale. */
  ALD_MISS_REASON_OUT_OF_SCALE = 2,
  /** It is not loaded, or its layer has no spatial reference. */
  ALD_MISS_REASON_NOT_LOADED = 4,
  /** It failed to load, or cannot be read. */
  ALD_MISS_REASON_FAILED = 8,
  /** Nothing of it is within the tolerance. */
  ALD_MISS_REASON_OUTSIDE = 16,
  /** It has no symbol: neither its own nor one of a renderer. */
  ALD_MISS_REASON_NO_SYMBOL = 32,
  /** Its symbol draws nothing: a size or a width of 0, or a null style. */
  ALD_MISS_REASON_EMPTY_SYMBOL = 64,
  /** Its symbol does not draw geometries of its kind. */
  ALD_MISS_REASON_WRONG_SYMBOL = 128,
  /** It has no geometry, or one without vertices. */
  ALD_MISS_REASON_EMPTY_GEOMETRY = 256,
  /** It has no image in the map's spatial reference, or is too far away to be drawn. */
  ALD_MISS_REASON_NOT_PROJECTABLE = 512,
  /** There is no such feature or graphic, or the layer's definition expression leaves it out. */
  ALD_MISS_REASON_NOT_THERE = 1024,
  /** The cell has no value, and ALD_IDENTIFY_SKIP_EMPTY_CELLS leaves it out. */
  ALD_MISS_REASON_EMPTY_CELL = 2048,
  /** It is hit, and more hits than the most elements wanted lie above it. */
  ALD_MISS_REASON_BEYOND_LIMIT = 4096,
  /** The layer is not in the view's map, or the overlay is not in the view. */
  ALD_MISS_REASON_NOT_IN_VIEW = 8192,
  /** An area was identified, which raster layers take no part in. */
  ALD_MISS_REASON_NEEDS_POINT = 16384,
  /** The layer or overlay has no popup definition, and ALD_IDENTIFY_POPUPS_ONLY leaves it out. */
  ALD_MISS_REASON_NO_POPUP = 32768
};

/** What one layer, group or overlay has in a result. The string is valid until the result is released. */
typedef struct ald_identify_part {
  uint32_t struct_size;
  /** The part of the group that the layer is in; UINT32_MAX if there is none. */
  uint32_t parent_index;
  /** The layer, borrowed; null for an overlay. The result keeps it. */
  ald_layer layer;
  /** The overlay, borrowed; null for a layer. The result keeps it. */
  ald_graphics_overlay overlay;
  /** The first of its elements, which follow each other. For a group, they are those of its layers. */
  uint32_t first_element;
  uint32_t element_count;
  /** How many were hit; more than element_count if the most elements wanted were too few. */
  uint32_t hit_count;
  /** Why it has no elements; 0 if it has some. */
  ald_miss_reason_flags reasons;
  /** The generation of the layer or overlay that was identified. */
  uint64_t generation;
  /** Why it could not be identified; otherwise ALD_STATUS_OK. */
  ald_status status;
  uint32_t reserved;
  /** The error's message; otherwise empty. */
  const char *message;
} ald_identify_part;

/** Initialises an ald_identify_part. */
#define ALD_IDENTIFY_PART_INIT                                                                                         \
  { (uint32_t)sizeof(ald_identify_part), 0, {0}, {0}, 0, 0, 0, 0, 0, 0, 0, NULL }

/** The type of an attribute's value. */
typedef int32_t ald_attribute_type;
enum ald_attribute_type_values {
  /** No value. For a cell nodata, masked or transparent; the text says which. */
  ALD_ATTRIBUTE_TYPE_NULL = 0,
  ALD_ATTRIBUTE_TYPE_INTEGER = 1,
  ALD_ATTRIBUTE_TYPE_UNSIGNED = 2,
  ALD_ATTRIBUTE_TYPE_REAL = 3,
  ALD_ATTRIBUTE_TYPE_COMPLEX = 4,
  ALD_ATTRIBUTE_TYPE_TEXT = 5,
  ALD_ATTRIBUTE_TYPE_DATE = 6,
  ALD_ATTRIBUTE_TYPE_TIME = 7,
  ALD_ATTRIBUTE_TYPE_DATE_TIME = 8,
  ALD_ATTRIBUTE_TYPE_BINARY = 9,
  ALD_ATTRIBUTE_TYPE_INTEGER_LIST = 10,
  ALD_ATTRIBUTE_TYPE_REAL_LIST = 11,
  ALD_ATTRIBUTE_TYPE_TEXT_LIST = 12
};

/** Where an attribute comes from. */
typedef int32_t ald_attribute_role;
enum ald_attribute_role_values {
  /** The value of a band: scaled if the band has a scale or an offset, else as stored. */
  ALD_ATTRIBUTE_ROLE_BAND_VALUE = 0,
  /** The category name of a band's value. */
  ALD_ATTRIBUTE_ROLE_CATEGORY = 1,
  /** A column of a band's attribute table. */
  ALD_ATTRIBUTE_ROLE_TABLE_COLUMN = 2,
  /** A field of a feature, or an attribute of a graphic. */
  ALD_ATTRIBUTE_ROLE_FIELD = 3
};

/** An attribute of an element. Strings and arrays are valid until the result is released. */
typedef struct ald_attribute {
  uint32_t struct_size;
  ald_attribute_type type;
  ald_attribute_role role;
  /** The band that the attribute belongs to, from 1; 0 for a field. */
  int32_t band;
  /**
   * For a cell a band's own description, or "Band 1"; "Band 1 category"; a table column's name; unique within the
   * element. Otherwise the name of the field.
   */
  const char *name;
  /** The value as a person would read it, with its unit. The same in every locale. */
  const char *text;
  /** The value of an INTEGER. */
  int64_t integer;
  /** The value of an UNSIGNED. */
  uint64_t unsigned_integer;
  /** The value of a REAL; the nearest double of an INTEGER or UNSIGNED; the real part of a COMPLEX; else NaN. */
  double real;
  /** The imaginary part of a COMPLEX; else 0. */
  double imaginary;
  /** Another name of the field, for people; empty if there is none. */
  const char *alias;
  /** The number of elements of a list, or of bytes of a BINARY. */
  size_t element_count;
  /** The elements of an INTEGER_LIST; otherwise NULL. */
  const int64_t *integers;
  /** The elements of a REAL_LIST; otherwise NULL. */
  const double *reals;
  /** The elements of a TEXT_LIST; otherwise NULL. */
  const char *const *texts;
  /** The bytes of a BINARY; otherwise NULL. */
  const uint8_t *bytes;
  /** The value of a DATE, a TIME or a DATE_TIME; otherwise zeros. */
  ald_date_time date_time;
} ald_attribute;

/** Initialises an ald_attribute. */
#define ALD_ATTRIBUTE_INIT                                                                                             \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_attribute), 0, 0, 0, NULL, NULL, 0, 0, 0.0, 0.0, NULL, 0, NULL, NULL, NULL, NULL, {           \
      0.0, 0, 0, 0, 0, 0, 0, 0, 0                                                                                      \
    }                                                                                                                  \
  }

/** Why something is not identified at a screen point. */
typedef struct ald_why_not {
  uint32_t struct_size;
  /** Every reason that applies; 0 if it is identified. */
  ald_miss_reason_flags reasons;
  /** The layer itself, or the nearest group above it, that is hidden, borrowed; null if none is. */
  ald_layer hidden_by;
  /** The layer itself, or the nearest group above it, that is out of its scale range, borrowed; null if none is. */
  ald_layer out_of_scale_by;
  /** What the view's scale would have to be multiplied by to come to the nearest end of that range; 1 inside. */
  double scale_factor;
  /** From the screen point to the footprint; NaN if it is not known. */
  double distance_dip;
  /** The first vertex without an image in the map's spatial reference, as it was given; otherwise NaN. */
  ald_point vertex;
  /** Why that vertex has no image, an ald_point_status; otherwise 0. */
  uint32_t point_status;
  /** For ALD_MISS_REASON_NOT_LOADED and ALD_MISS_REASON_FAILED, the status of the error; otherwise ALD_STATUS_OK. */
  ald_status status;
} ald_why_not;

/** Initialises an ald_why_not. */
#define ALD_WHY_NOT_INIT                                                                                               \
  { (uint32_t)sizeof(ald_why_not), 0, {0}, {0}, 0.0, 0.0, {0.0, 0.0}, 0, 0 }

/**
 * The cell of a raster layer under a screen point, in its plainest form: nothing is made and nothing needs releasing.
 *
 * @param layer A raster layer of the view's map. A hidden one answers ALD_CELL_VERDICT_OUTSIDE.
 * @param screen_point The screen point in DIP. Points outside the view are allowed.
 * @param out_cell Receives the cell.
 * @param out_values NULL, or receives a value per band.
 * @param value_capacity How many values out_values has room for.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map,
 *   the point is not finite or out_cell is NULL; ALD_STATUS_NOT_READY as for ald_view_get_state;
 *   ALD_STATUS_BUFFER_TOO_SMALL; ALD_STATUS_PROJECTION_FAILED if there is no operation between map and raster;
 *   ALD_STATUS_READ_FAILED with GDAL's words.
 */
ALD_API ald_status ald_view_read_cell(ald_view view, ald_layer layer, ald_point screen_point, ald_cell *out_cell,
                                      ald_band_value *out_values, size_t value_capacity, ald_error *error);

/**
 * Identifies one layer at a screen point, or all layers in a group. For a raster layer that is the cell that holds the
 * point. A point beside everything, or a hidden layer, finds no elements and is no error.
 *
 * @param layer A layer of the view's map.
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip Radius around the point in DIP; finite, 0 or more. It does not apply to raster layers.
 * @param max_results The most elements wanted of each layer and each overlay; 0: 1, the topmost; ALD_ALL: all.
 * @param options NULL for all defaults.
 * @param out_new_result Receives the result; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map,
 * a number is not finite or out of its range, an option is not valid or out_new_result is NULL; ALD_STATUS_NOT_READY as
 * for ald_view_get_state and if the layer is not loaded; ALD_STATUS_PROJECTION_FAILED if there is no operation between
 * map and layer; ALD_STATUS_READ_FAILED with GDAL's message if the data cannot be read. For a group, the errors of its
 * layers are in their parts;
 *   ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify_layer(ald_view view, ald_layer layer, ald_point screen_point, double tolerance_dip,
                                           uint32_t max_results, const ald_identify_options *options,
                                           ald_identify_result *out_new_result, ald_error *error);

/**
 * Identifies one layer without waiting for it; see alidade/request.h. The view is read at once: the result describes
 * the moment of the call, wherever the view has moved when it comes. For a finger that is dragged, give a replace_key
 * in request_options: the newest point wins.
 *
 * @param layer A layer of the view's map.
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip Radius around the point in DIP; finite, 0 or more. It does not apply to raster layers.
 * @param max_results The most elements wanted of each layer and each overlay; 0: 1, the topmost; ALD_ALL: all.
 * @param options NULL for all defaults.
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT as for ald_view_identify_layer;
 *   ALD_STATUS_NOT_READY as for ald_view_get_state;
 *   ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify_layer_async(ald_view view, ald_layer layer, ald_point screen_point,
                                                 double tolerance_dip, uint32_t max_results,
                                                 const ald_identify_options *options,
                                                 const ald_request_options *request_options, ald_request *out_request,
                                                 ald_error *error);

/**
 * Identifies all layers of the view's map. The error of a layer is in its part of the result.
 *
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip Radius around the point in DIP; finite, 0 or more. It does not apply to raster layers.
 * @param max_results The most elements wanted of each layer and each overlay; 0: 1, the topmost; ALD_ALL: all.
 * @param options NULL for all defaults.
 * @param out_new_result Receives the result; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 * range, an option is not valid or out_new_result is NULL; ALD_STATUS_NOT_READY as for ald_view_get_state;
 *   ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify_layers(ald_view view, ald_point screen_point, double tolerance_dip,
                                            uint32_t max_results, const ald_identify_options *options,
                                            ald_identify_result *out_new_result, ald_error *error);

/**
 * Identifies all layers without waiting for them, as ald_view_identify_layer_async does for one.
 *
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip Radius around the point in DIP; finite, 0 or more. It does not apply to raster layers.
 * @param max_results The most elements wanted of each layer and each overlay; 0: 1, the topmost; ALD_ALL: all.
 * @param options NULL for all defaults.
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT as for ald_view_identify_layers;
 *   ALD_STATUS_NOT_READY as for ald_view_get_state;
 *   ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify_layers_async(ald_view view, ald_point screen_point, double tolerance_dip,
                                                  uint32_t max_results, const ald_identify_options *options,
                                                  const ald_request_options *request_options, ald_request *out_request,
                                                  ald_error *error);

/**
 * Identifies the graphics of one overlay. Reads no files.
 *
 * @param overlay An overlay of the view.
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip Radius around the point in DIP; finite, 0 or more. It does not apply to raster layers.
 * @param max_results The most elements wanted of each layer and each overlay; 0: 1, the topmost; ALD_ALL: all.
 * @param options NULL for all defaults.
 * @param out_new_result Receives the result; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 * range, an option is not valid or out_new_result is NULL; ALD_STATUS_NOT_READY as for ald_view_get_state;
 *   ALD_STATUS_NOT_FOUND if the overlay is not in this view;
 *   ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify_graphics_overlay(ald_view view, ald_graphics_overlay overlay,
                                                      ald_point screen_point, double tolerance_dip,
                                                      uint32_t max_results, const ald_identify_options *options,
                                                      ald_identify_result *out_new_result, ald_error *error);

/**
 * Identifies the graphics of all overlays of the view. Reads no files.
 *
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip Radius around the point in DIP; finite, 0 or more. It does not apply to raster layers.
 * @param max_results The most elements wanted of each layer and each overlay; 0: 1, the topmost; ALD_ALL: all.
 * @param options NULL for all defaults.
 * @param out_new_result Receives the result; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 * range, an option is not valid or out_new_result is NULL; ALD_STATUS_NOT_READY as for ald_view_get_state;
 *   ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify_graphics_overlays(ald_view view, ald_point screen_point, double tolerance_dip,
                                                       uint32_t max_results, const ald_identify_options *options,
                                                       ald_identify_result *out_new_result, ald_error *error);

/**
 * Identifies everything: the graphics of all overlays, and all layers.
 *
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip Radius around the point in DIP; finite, 0 or more. It does not apply to raster layers.
 * @param max_results The most elements wanted of each layer and each overlay; 0: 1, the topmost; ALD_ALL: all.
 * @param options NULL for all defaults.
 * @param out_new_result Receives the result; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 * range, an option is not valid or out_new_result is NULL; ALD_STATUS_NOT_READY as for ald_view_get_state;
 *   ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify(ald_view view, ald_point screen_point, double tolerance_dip, uint32_t max_results,
                                     const ald_identify_options *options, ald_identify_result *out_new_result,
                                     ald_error *error);

/**
 * Identifies everything without waiting for it, as ald_view_identify_layer_async does for one layer.
 *
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip Radius around the point in DIP; finite, 0 or more. It does not apply to raster layers.
 * @param max_results The most elements wanted of each layer and each overlay; 0: 1, the topmost; ALD_ALL: all.
 * @param options NULL for all defaults.
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT as for ald_view_identify;
 *   ALD_STATUS_NOT_READY as for ald_view_get_state;
 *   ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify_async(ald_view view, ald_point screen_point, double tolerance_dip,
                                           uint32_t max_results, const ald_identify_options *options,
                                           const ald_request_options *request_options, ald_request *out_request,
                                           ald_error *error);

/**
 * Takes the result of a request that has identified. It can be taken once.
 *
 * @param out_new_result Receives the result; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_new_result is NULL or the
 * request does not identify; ALD_STATUS_NOT_READY while it is pending; ALD_STATUS_CANCELLED; ALD_STATUS_INVALID_STATE
 * if it has been taken already; ALD_STATUS_PROJECTION_FAILED and ALD_STATUS_READ_FAILED as for ald_view_identify_layer.
 */
ALD_API ald_status ald_request_take_identify_result(ald_request request, ald_identify_result *out_new_result,
                                                    ald_error *error);

/** Releases a result and all that was read from it. */
ALD_API void ald_identify_result_release(ald_identify_result result);

/**
 * Facts about a result.
 *
 * @param out_info Initialise it with ALD_IDENTIFY_RESULT_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_identify_result_get_info(ald_identify_result result, ald_identify_result_info *out_info,
                                                ald_error *error);

/**
 * An element of a result.
 *
 * @param index From 0, topmost first.
 * @param out_element Initialise it with ALD_IDENTIFY_ELEMENT_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_element is NULL or its
 *   struct_size is not valid; ALD_STATUS_NOT_FOUND if there is no such element.
 */
ALD_API ald_status ald_identify_result_get_element_at(ald_identify_result result, uint32_t index,
                                                      ald_identify_element *out_element, ald_error *error);

/**
 * What one layer, group or overlay has in a result.
 *
 * @param index From 0 to the result's part_count - 1, topmost first.
 * @param out_part Initialise it with ALD_IDENTIFY_PART_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_part is NULL or its struct_size
 * is not valid; ALD_STATUS_NOT_FOUND if there is no such part.
 */
ALD_API ald_status ald_identify_result_get_part_at(ald_identify_result result, uint32_t index,
                                                   ald_identify_part *out_part, ald_error *error);

/**
 * The facts of an element that is a raster cell.
 *
 * @param element_index From 0.
 * @param out_cell Initialise it with ALD_IDENTIFY_CELL_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_cell is NULL or its struct_size
 * is not valid; ALD_STATUS_NOT_FOUND if there is no such element or it is not a cell.
 */
ALD_API ald_status ald_identify_result_get_cell_at(ald_identify_result result, uint32_t element_index,
                                                   ald_identify_cell *out_cell, ald_error *error);

/**
 * How an element that is a feature or a graphic was hit.
 *
 * @param element_index From 0.
 * @param out_evidence Initialise it with ALD_IDENTIFY_EVIDENCE_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_evidence is NULL or its
 *   struct_size is not valid; ALD_STATUS_NOT_FOUND if there is no such element or it is a cell.
 */
ALD_API ald_status ald_identify_result_get_evidence_at(ald_identify_result result, uint32_t element_index,
                                                       ald_identify_evidence *out_evidence, ald_error *error);

/**
 * Creates the geometry of an element: that of a feature or a graphic as it was given, in its own spatial reference; the
 * polygon of a cell in the spatial reference of its raster.
 *
 * @param element_index From 0.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_geometry is NULL;
 *   ALD_STATUS_NOT_FOUND if there is no such element.
 */
ALD_API ald_status ald_identify_result_create_geometry(ald_identify_result result, uint32_t element_index,
                                                       ald_geometry *out_geometry, ald_error *error);

/**
 * An attribute of an element, by its index. For a cell: the bands in their order, each followed by its category and its
 * table's columns. For a feature: the fields of its source. For a graphic: the attributes that are not null.
 *
 * @param element_index From 0.
 * @param index From 0 to the element's attribute_count - 1.
 * @param out_attribute Initialise it with ALD_ATTRIBUTE_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_attribute is NULL or its
 *   struct_size is not valid; ALD_STATUS_NOT_FOUND if there is no such element or attribute.
 */
ALD_API ald_status ald_identify_result_get_attribute_at(ald_identify_result result, uint32_t element_index,
                                                        uint32_t index, ald_attribute *out_attribute, ald_error *error);

/**
 * An attribute of an element, by its name.
 *
 * @param element_index From 0.
 * @param name The name; the case of ASCII letters does not matter.
 * @param out_attribute Initialise it with ALD_ATTRIBUTE_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if name is NULL or not UTF-8, or
 *   out_attribute is NULL or its struct_size is not valid; ALD_STATUS_NOT_FOUND if there is no such element or
 * attribute.
 */
ALD_API ald_status ald_identify_result_find_attribute(ald_identify_result result, uint32_t element_index,
                                                      const char *name, ald_attribute *out_attribute, ald_error *error);

/**
 * Explains why a layer, or anything in a group, is not identified at a screen point. For everything, identify
 * everything and read the reasons of the parts.
 *
 * @param layer A layer.
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip Radius around the point in DIP; finite, 0 or more.
 * @param max_results As for the identify that is to be explained.
 * @param options NULL for all defaults.
 * @param out_why_not Initialise it with ALD_WHY_NOT_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 *   range, an option is not valid, or out_why_not is NULL or its struct_size is not valid; ALD_STATUS_NOT_READY as
 *   for ald_view_get_state;
 *   ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_why_not_layer(ald_view view, ald_layer layer, ald_point screen_point, double tolerance_dip,
                                          uint32_t max_results, const ald_identify_options *options,
                                          ald_why_not *out_why_not, ald_error *error);

/**
 * Explains why a feature is not identified at a screen point. For everything, identify everything and read the reasons
 * of the parts.
 *
 * @param layer A feature layer.
 * @param feature_id The id of the feature.
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip Radius around the point in DIP; finite, 0 or more.
 * @param max_results As for the identify that is to be explained.
 * @param options NULL for all defaults.
 * @param out_why_not Initialise it with ALD_WHY_NOT_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 *   range, an option is not valid, the layer is no feature layer, or out_why_not is NULL or its struct_size is not
 * valid; ALD_STATUS_NOT_READY as for ald_view_get_state;
 *   ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_why_not_feature(ald_view view, ald_layer layer, int64_t feature_id, ald_point screen_point,
                                            double tolerance_dip, uint32_t max_results,
                                            const ald_identify_options *options, ald_why_not *out_why_not,
                                            ald_error *error);

/**
 * Explains why a graphic is not identified at a screen point. For everything, identify everything and read the reasons
 * of the parts.
 *
 * @param overlay An overlay.
 * @param graphic_id The id of the graphic.
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip Radius around the point in DIP; finite, 0 or more.
 * @param max_results As for the identify that is to be explained.
 * @param options NULL for all defaults.
 * @param out_why_not Initialise it with ALD_WHY_NOT_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of its
 *   range, an option is not valid, or out_why_not is NULL or its struct_size is not valid; ALD_STATUS_NOT_READY as
 *   for ald_view_get_state;
 *   ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_why_not_graphic(ald_view view, ald_graphics_overlay overlay, uint64_t graphic_id,
                                            ald_point screen_point, double tolerance_dip, uint32_t max_results,
                                            const ald_identify_options *options, ald_why_not *out_why_not,
                                            ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

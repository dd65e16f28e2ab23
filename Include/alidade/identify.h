/**
 * @file
 * Identify: finds what is drawn at a point of the screen, and explains each hit and each miss.
 *
 * A result has elements and parts. An element is a cell of a raster layer, a feature of a feature layer, or a graphic
 * of a graphics overlay. Elements come topmost first: overlays lie above the map's operational layers, and these lie
 * above the basemap. Within an overlay or a feature layer the drawing order decides; see alidade/overlay_drawing.h.
 *
 * A part describes one layer, one overlay or one group. Parts come in the same order; the part of a group comes before
 * the parts of its layers. An error in one part does not affect the others.
 *
 * A feature or a graphic is hit where its symbol is drawn, in its final size and on each copy of the world that the
 * view shows. This area is its footprint. Lines and outlines have round ends and joins. The gaps of a dashed line
 * belong to the line. A polygon without a fill is hit on its outline only. Colours, opacity and selection do not
 * matter. The tolerance is the radius of a circle around the screen point, in DIP. A footprint that meets the circle is
 * hit, in any projection and at any rotation. Edges are straight between the images of their vertices on the map, as in
 * drawings: if the host draws edges as curves, its drawing differs from what is hit. Densify the geometries of graphics
 * whose edges should bend; see ald_geometry_create_densified.
 *
 * A result describes the view, the layers and the overlays at the moment of the call, even if it arrives later.
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

/** Options of the identify functions. */
typedef struct ald_identify_options {
  uint32_t struct_size;
  ald_identify_flags flags;
  /**
   * NULL, or the corners of an area of the screen in DIP. Features and graphics are hit if their footprints meet the
   * area. Raster layers are not identified: an area contains any number of cells; read their statistics with
   * ald_raster_read_polygon_statistics. Two corners are opposite corners of a box. Three or more are the corners of a
   * polygon, which may cross itself: a point is inside if a ray from it crosses the edges an odd number of times. The
   * library reads the corners during the call and does not keep them.
   */
  const ald_point *area;
  /** The number of corners in area: 0, or 2 to 100,000. */
  size_t area_count;
} ald_identify_options;

/** Initialises an ald_identify_options to the default. */
#define ALD_IDENTIFY_OPTIONS_INIT                                                                                      \
  { (uint32_t)sizeof(ald_identify_options), 0, NULL, 0 }

/** Bits of ald_identify_result_info.flags. */
typedef uint32_t ald_identify_result_flags;
enum ald_identify_result_flags_values {
  /** In a layer or an overlay, more was hit than max_results allows. */
  ALD_IDENTIFY_RESULT_LIMIT_EXCEEDED = 1,
  /** A part has an error. */
  ALD_IDENTIFY_RESULT_HAS_ERRORS = 2
};

/** What a result contains. */
typedef struct ald_identify_result_info {
  uint32_t struct_size;
  /** The number of elements. */
  uint32_t element_count;
  /** The number of parts: one for each layer, group and overlay that was identified. */
  uint32_t part_count;
  ald_identify_result_flags flags;
  /** The map point under the screen point, in the map's spatial reference. */
  ald_point map_point;
  /** The generation of the view's state at the moment of the call; see ald_view_state. */
  uint64_t view_generation;
} ald_identify_result_info;

/** Initialises an ald_identify_result_info. */
#define ALD_IDENTIFY_RESULT_INFO_INIT                                                                                  \
  { (uint32_t)sizeof(ald_identify_result_info), 0, 0, 0, {0.0, 0.0}, 0 }

/** The kinds of elements. */
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
  /** The index of the part that describes the element's layer or overlay. */
  uint32_t part_index;
  uint32_t attribute_count;
  /** For a feature, the name of the layer in its file; otherwise empty. */
  const char *sublayer;
  /**
   * The element as text for people, with one line "name: text" per attribute. The alias replaces the name if the
   * attribute has one. For a cell with a map polygon, an empty line follows, then the lines "X: ..." and "Y: ..." with
   * the minimum corner of the cell's extent. Each of these two numbers is written as the shortest decimal that reads
   * back as the same double; if that has more than three decimals, it is rounded away from zero to three. The text does
   * not depend on the locale.
   */
  const char *text;
} ald_identify_element;

/** Initialises an ald_identify_element. */
#define ALD_IDENTIFY_ELEMENT_INIT                                                                                      \
  { (uint32_t)sizeof(ald_identify_element), 0, {0}, {0}, 0, 0, 0, NULL, NULL }

/** An element that is a raster cell. The array is valid until the result is released. */
typedef struct ald_identify_cell {
  uint32_t struct_size;
  int32_t column;
  int32_t row;
  /** ALD_CELL_VERDICT_VALUE if any band except an alpha band has a value. Otherwise the verdict of the first band. */
  ald_cell_verdict verdict;
  uint32_t band_count;
  /** 1 if polygon, extent and center are known. 0 if a corner of the cell cannot be projected: all three are NaN. */
  uint32_t has_map_polygon;
  /** The cell's corners in the raster's spatial reference: (column, row), (column + 1, row), ...; last equals first. */
  ald_point raster_polygon[5];
  /**
   * The same corners in the map's spatial reference. If the map wraps around, they lie on the copy of the world that is
   * nearest to the screen point.
   */
  ald_point polygon[5];
  /** The envelope of polygon. */
  ald_envelope extent;
  /** The cell's centre in the map's spatial reference. */
  ald_point center;
  /** The values of the band_count bands. */
  const ald_band_value *values;
} ald_identify_cell;

/** Initialises an ald_identify_cell. */
#define ALD_IDENTIFY_CELL_INIT                                                                                         \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_identify_cell), 0, 0, 0, 0, 0, {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}},  \
        {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, {0.0, 0.0, 0.0, 0.0}, {0.0, 0.0}, NULL           \
  }

/** The zones of a footprint. */
typedef int32_t ald_hit_zone;
enum ald_hit_zone_values {
  /** On the fill of a polygon or a marker. */
  ALD_HIT_ZONE_INSIDE = 1,
  /** On a line, an outline, or a stroke of a marker. */
  ALD_HIT_ZONE_EDGE = 2,
  /** Outside the footprint, within the tolerance. */
  ALD_HIT_ZONE_HALO = 3
};

/** How a feature or a graphic was hit. */
typedef struct ald_identify_evidence {
  uint32_t struct_size;
  ald_hit_zone zone;
  /** The distance from the screen point, or the area, to the footprint; 0 if they meet. */
  double distance_dip;
  /** The distance from the screen point to nearest_point, on the screen. */
  double nearest_distance_dip;
  /**
   * The geodesic distance from the screen point to nearest_point on the ellipsoid of the map's spatial reference. 0 if
   * the screen point is on the fill of a polygon; NaN if one of the two points has no position on the earth.
   */
  double distance_m;
  /**
   * The point on the vertices and edges of the geometry that is nearest to the screen point, in the map's spatial
   * reference. It lies on the copy of the world that was hit.
   */
  ald_point nearest_point;
  /** The height at nearest_point, interpolated along the edge; NaN if the geometry has no heights. */
  double z;
  /** The measure at nearest_point, interpolated along the edge; NaN if the geometry has no measures. */
  double m;
  /** The index of the member that was hit, in the flattened list of a collection's members; otherwise 0. */
  uint32_t member_index;
  /** The index of the part of the geometry. */
  uint32_t part_index;
  /** The index of the path in the part. For a polygon, 0 is the shell, and the holes follow. */
  uint32_t path_index;
  /** The index of the edge in the path, from vertex segment_index to the next one; UINT32_MAX if there are no edges. */
  uint32_t segment_index;
  /** The index of the nearest vertex in the path: an end of the edge, or the point itself. */
  uint32_t vertex_index;
  /** The z-index of a graphic; otherwise 0. */
  int32_t z_index;
  /** The number of elements of the result that lie above this one: 0 for the topmost. It is the element's index. */
  uint32_t draw_rank;
  uint32_t reserved;
} ald_identify_evidence;

/** Initialises an ald_identify_evidence. */
#define ALD_IDENTIFY_EVIDENCE_INIT                                                                                     \
  { (uint32_t)sizeof(ald_identify_evidence), 0, 0.0, 0.0, 0.0, {0.0, 0.0}, 0.0, 0.0, 0, 0, 0, 0, 0, 0, 0, 0 }

/** Reasons why a layer, a feature or a graphic was not identified. */
typedef uint32_t ald_miss_reason_flags;
enum ald_miss_reason_flags_values {
  /** It is hidden, or its layer, overlay or a group around it is. */
  ALD_MISS_REASON_HIDDEN = 1,
  /** It is out of scale in this view, or its layer, overlay or a group around it is. */
  ALD_MISS_REASON_OUT_OF_SCALE = 2,
  /** It is not loaded, or its layer has no spatial reference. */
  ALD_MISS_REASON_NOT_LOADED = 4,
  /** It failed to load, or cannot be read. */
  ALD_MISS_REASON_FAILED = 8,
  /** Its footprint is farther away than the tolerance, or outside the area, or its symbol is outside the view. */
  ALD_MISS_REASON_OUTSIDE = 16,
  /** It has no symbol of its own, and the renderer has no symbol for it. */
  ALD_MISS_REASON_NO_SYMBOL = 32,
  /** Its symbol draws nothing: its size or its width is 0, or its style is null. */
  ALD_MISS_REASON_EMPTY_SYMBOL = 64,
  /** Its symbol cannot draw geometries of its type. */
  ALD_MISS_REASON_WRONG_SYMBOL = 128,
  /** It has no geometry, or a geometry without vertices. */
  ALD_MISS_REASON_EMPTY_GEOMETRY = 256,
  /** It cannot be projected to the map's spatial reference, or is too far away to be drawn. */
  ALD_MISS_REASON_NOT_PROJECTABLE = 512,
  /** The feature or graphic does not exist, or the layer's definition expression excludes it. */
  ALD_MISS_REASON_NOT_THERE = 1024,
  /** The cell has no value, and ALD_IDENTIFY_SKIP_EMPTY_CELLS leaves it out. */
  ALD_MISS_REASON_EMPTY_CELL = 2048,
  /** It is hit, but max_results or more hits lie above it. */
  ALD_MISS_REASON_BEYOND_LIMIT = 4096,
  /** The layer is not in the view's map, or the overlay is not in the view. */
  ALD_MISS_REASON_NOT_IN_VIEW = 8192,
  /** Raster layers are not identified by an area; see ald_raster_read_polygon_statistics. */
  ALD_MISS_REASON_NEEDS_POINT = 16384,
  /** The layer or overlay has no popup definition, and ALD_IDENTIFY_POPUPS_ONLY leaves it out. */
  ALD_MISS_REASON_NO_POPUP = 32768
};

/** One layer, group or overlay in a result. The string is valid until the result is released. */
typedef struct ald_identify_part {
  uint32_t struct_size;
  /** The index of the part of the group that contains the layer; UINT32_MAX if no group contains it. */
  uint32_t parent_index;
  /** The layer, borrowed; null for an overlay. The result keeps it. */
  ald_layer layer;
  /** The overlay, borrowed; null for a layer. The result keeps it. */
  ald_graphics_overlay overlay;
  /** The index of the part's first element; its other elements follow. A group has the elements of its layers. */
  uint32_t first_element;
  uint32_t element_count;
  /** The number of hits. It exceeds element_count if max_results was too small. */
  uint32_t hit_count;
  /** Why the part has no elements; 0 if it has elements. */
  ald_miss_reason_flags reasons;
  /** The generation of the layer or overlay that was identified. */
  uint64_t generation;
  /** The status of the error if identifying failed; otherwise ALD_STATUS_OK. */
  ald_status status;
  uint32_t reserved;
  /** The error's message; otherwise empty. */
  const char *message;
} ald_identify_part;

/** Initialises an ald_identify_part. */
#define ALD_IDENTIFY_PART_INIT                                                                                         \
  { (uint32_t)sizeof(ald_identify_part), 0, {0}, {0}, 0, 0, 0, 0, 0, 0, 0, NULL }

/** Types of attribute values. */
typedef int32_t ald_attribute_type;
enum ald_attribute_type_values {
  /** No value. A cell is nodata, masked or transparent; the text says which. */
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

/** Sources of attributes. */
typedef int32_t ald_attribute_role;
enum ald_attribute_role_values {
  /** The value of a band: the scaled value if the band has a scale or an offset, otherwise the stored value. */
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
   * For a feature or a graphic, the name of the field. For a cell, the description of the band, or "Band 1" if it has
   * none; this name with " category" after it; or the name of a table column. Unique within the element.
   */
  const char *name;
  /** The value as text for people, with its unit. The text does not depend on the locale. */
  const char *text;
  /** The value of an INTEGER. */
  int64_t integer;
  /** The value of an UNSIGNED. */
  uint64_t unsigned_integer;
  /** The value of a REAL, the nearest double of an INTEGER or UNSIGNED, the real part of a COMPLEX, otherwise NaN. */
  double real;
  /** The imaginary part of a COMPLEX; otherwise 0. */
  double imaginary;
  /** The name of the field for people; empty if the field has no alias. */
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

/** Why a layer, a feature or a graphic is not identified at a screen point. */
typedef struct ald_why_not {
  uint32_t struct_size;
  /** Every reason that applies; 0 if it is identified. */
  ald_miss_reason_flags reasons;
  /** The hidden layer: the layer itself or the nearest hidden group around it. Borrowed; null if nothing is hidden. */
  ald_layer hidden_by;
  /**
   * The layer that is out of scale: the layer itself or the nearest such group around it. Borrowed; null if in scale.
   */
  ald_layer out_of_scale_by;
  /** The factor by which to multiply the view's scale to reach the nearest end of the scale range; 1 inside it. */
  double scale_factor;
  /** The distance from the screen point to the footprint; NaN if it is not known. */
  double distance_dip;
  /** The first vertex that cannot be projected to the map's spatial reference, as it was given; otherwise NaN. */
  ald_point vertex;
  /** Why that vertex cannot be projected, an ald_point_status; otherwise 0. */
  uint32_t point_status;
  /** For ALD_MISS_REASON_NOT_LOADED and ALD_MISS_REASON_FAILED, the status of the error; otherwise ALD_STATUS_OK. */
  ald_status status;
} ald_why_not;

/** Initialises an ald_why_not. */
#define ALD_WHY_NOT_INIT                                                                                               \
  { (uint32_t)sizeof(ald_why_not), 0, {0}, {0}, 0.0, 0.0, {0.0, 0.0}, 0, 0 }

/**
 * Reads the cell of a raster layer under a screen point into plain structs. It creates no object, so nothing needs to
 * be released.
 *
 * @param layer A raster layer of the view's map. If it is hidden, the verdict is ALD_CELL_VERDICT_OUTSIDE.
 * @param screen_point The screen point in DIP. Points outside the view are allowed.
 * @param out_cell Receives the cell.
 * @param out_values NULL, or receives a value per band.
 * @param value_capacity The number of values that fit into out_values.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map, the point is not finite or out_cell is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view or layer is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if the cell cannot be read.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the spatial references of map and raster.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if out_values is not NULL and too small.
 */
ALD_API ald_status ald_view_read_cell(ald_view view, ald_layer layer, ald_point screen_point, ald_cell *out_cell,
                                      ald_band_value *out_values, size_t value_capacity, ald_error *error);

/**
 * Identifies one layer at a screen point, or all layers of a group. For a raster layer, the element is the cell that
 * contains the point. If nothing is hit or the layer is hidden, the result has no elements, which is not an error.
 *
 * In a group, the error of a layer is in the part of that layer.
 *
 * @param layer A layer of the view's map.
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip The radius around the point in DIP: finite, 0 or more. It does not apply to raster layers.
 * @param max_results The largest number of elements for each layer and each overlay. 0 means 1, the topmost; ALD_ALL
 *     means all.
 * @param options NULL for all defaults.
 * @param out_new_result Receives the result; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map, a number is not finite or out of range, an
 *     option is not valid or out_new_result is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view or layer is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state, or if the layer is not loaded, or its server has not returned the
 *     cell yet.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if the data cannot be read.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the spatial references of map and layer.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify_layer(ald_view view, ald_layer layer, ald_point screen_point, double tolerance_dip,
                                           uint32_t max_results, const ald_identify_options *options,
                                           ald_identify_result *out_new_result, ald_error *error);

/**
 * Identifies one layer without waiting; see alidade/request.h. The view is read at once: the result describes the
 * moment of the call, even if the view has moved when the result arrives.
 *
 * While a finger is dragged, give a replace_key in request_options: each new request replaces the older ones.
 *
 * @param layer A layer of the view's map.
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip The radius around the point in DIP: finite, 0 or more. It does not apply to raster layers.
 * @param max_results The largest number of elements for each layer and each overlay. 0 means 1, the topmost; ALD_ALL
 *     means all.
 * @param options NULL for all defaults.
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT as for ald_view_identify_layer.
 *   - ALD_STATUS_INVALID_HANDLE if view or layer is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify_layer_async(ald_view view, ald_layer layer, ald_point screen_point,
                                                 double tolerance_dip, uint32_t max_results,
                                                 const ald_identify_options *options,
                                                 const ald_request_options *request_options, ald_request *out_request,
                                                 ald_error *error);

/**
 * Identifies all layers of the view's map. The error of a layer is in the part of that layer.
 *
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip The radius around the point in DIP: finite, 0 or more. It does not apply to raster layers.
 * @param max_results The largest number of elements for each layer and each overlay. 0 means 1, the topmost; ALD_ALL
 *     means all.
 * @param options NULL for all defaults.
 * @param out_new_result Receives the result; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, an option is not valid or out_new_result
 *     is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify_layers(ald_view view, ald_point screen_point, double tolerance_dip,
                                            uint32_t max_results, const ald_identify_options *options,
                                            ald_identify_result *out_new_result, ald_error *error);

/**
 * Identifies all layers of the view's map without waiting; see ald_view_identify_layer_async.
 *
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip The radius around the point in DIP: finite, 0 or more. It does not apply to raster layers.
 * @param max_results The largest number of elements for each layer and each overlay. 0 means 1, the topmost; ALD_ALL
 *     means all.
 * @param options NULL for all defaults.
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT as for ald_view_identify_layers.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify_layers_async(ald_view view, ald_point screen_point, double tolerance_dip,
                                                  uint32_t max_results, const ald_identify_options *options,
                                                  const ald_request_options *request_options, ald_request *out_request,
                                                  ald_error *error);

/**
 * Identifies the graphics of one overlay. The call accesses no file.
 *
 * @param overlay An overlay of the view.
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip The radius around the point in DIP: finite, 0 or more.
 * @param max_results The largest number of elements for each layer and each overlay. 0 means 1, the topmost; ALD_ALL
 *     means all.
 * @param options NULL for all defaults.
 * @param out_new_result Receives the result; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, an option is not valid or out_new_result
 *     is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view or overlay is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_NOT_FOUND if the overlay is not in this view.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify_graphics_overlay(ald_view view, ald_graphics_overlay overlay,
                                                      ald_point screen_point, double tolerance_dip,
                                                      uint32_t max_results, const ald_identify_options *options,
                                                      ald_identify_result *out_new_result, ald_error *error);

/**
 * Identifies the graphics of all overlays of the view. The call accesses no file.
 *
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip The radius around the point in DIP: finite, 0 or more.
 * @param max_results The largest number of elements for each layer and each overlay. 0 means 1, the topmost; ALD_ALL
 *     means all.
 * @param options NULL for all defaults.
 * @param out_new_result Receives the result; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, an option is not valid or out_new_result
 *     is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify_graphics_overlays(ald_view view, ald_point screen_point, double tolerance_dip,
                                                       uint32_t max_results, const ald_identify_options *options,
                                                       ald_identify_result *out_new_result, ald_error *error);

/**
 * Identifies everything: the graphics of all overlays and all layers.
 *
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip The radius around the point in DIP: finite, 0 or more. It does not apply to raster layers.
 * @param max_results The largest number of elements for each layer and each overlay. 0 means 1, the topmost; ALD_ALL
 *     means all.
 * @param options NULL for all defaults.
 * @param out_new_result Receives the result; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, an option is not valid or out_new_result
 *     is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify(ald_view view, ald_point screen_point, double tolerance_dip, uint32_t max_results,
                                     const ald_identify_options *options, ald_identify_result *out_new_result,
                                     ald_error *error);

/**
 * Identifies everything without waiting; see ald_view_identify_layer_async.
 *
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip The radius around the point in DIP: finite, 0 or more. It does not apply to raster layers.
 * @param max_results The largest number of elements for each layer and each overlay. 0 means 1, the topmost; ALD_ALL
 *     means all.
 * @param options NULL for all defaults.
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT as for ald_view_identify.
 *   - ALD_STATUS_INVALID_HANDLE if view is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_identify_async(ald_view view, ald_point screen_point, double tolerance_dip,
                                           uint32_t max_results, const ald_identify_options *options,
                                           const ald_request_options *request_options, ald_request *out_request,
                                           ald_error *error);

/**
 * Takes the identify result of a request. The result can be taken once.
 *
 * @param out_new_result Receives the result; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_new_result is NULL or the request does not identify.
 *   - ALD_STATUS_INVALID_HANDLE if request is not valid.
 *   - ALD_STATUS_NOT_READY while the request is pending, or if the layer was not loaded.
 *   - ALD_STATUS_READ_FAILED as for ald_view_identify_layer.
 *   - ALD_STATUS_PROJECTION_FAILED as for ald_view_identify_layer.
 *   - ALD_STATUS_INVALID_STATE if the result was already taken.
 *   - ALD_STATUS_CANCELLED if the request was cancelled.
 */
ALD_API ald_status ald_request_take_identify_result(ald_request request, ald_identify_result *out_new_result,
                                                    ald_error *error);

/** Releases a result. Strings and arrays that were read from it are no longer valid. */
ALD_API void ald_identify_result_release(ald_identify_result result);

/**
 * Gets the facts about a result: how many elements and parts it has.
 *
 * @param out_info Initialise it with ALD_IDENTIFY_RESULT_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if result is not valid.
 */
ALD_API ald_status ald_identify_result_get_info(ald_identify_result result, ald_identify_result_info *out_info,
                                                ald_error *error);

/**
 * Gets an element of a result.
 *
 * @param index From 0 to the result's element_count - 1, topmost first.
 * @param out_element Initialise it with ALD_IDENTIFY_ELEMENT_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_element is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if result is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such element.
 */
ALD_API ald_status ald_identify_result_get_element_at(ald_identify_result result, uint32_t index,
                                                      ald_identify_element *out_element, ald_error *error);

/**
 * Gets a part of a result: one layer, group or overlay.
 *
 * @param index From 0 to the result's part_count - 1, topmost first.
 * @param out_part Initialise it with ALD_IDENTIFY_PART_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_part is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if result is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such part.
 */
ALD_API ald_status ald_identify_result_get_part_at(ald_identify_result result, uint32_t index,
                                                   ald_identify_part *out_part, ald_error *error);

/**
 * Gets an element that is a raster cell.
 *
 * @param element_index From 0 to the result's element_count - 1.
 * @param out_cell Initialise it with ALD_IDENTIFY_CELL_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_cell is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if result is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such element, or the element is not a cell.
 */
ALD_API ald_status ald_identify_result_get_cell_at(ald_identify_result result, uint32_t element_index,
                                                   ald_identify_cell *out_cell, ald_error *error);

/**
 * Gets the evidence of an element that is a feature or a graphic: how it was hit.
 *
 * @param element_index From 0 to the result's element_count - 1.
 * @param out_evidence Initialise it with ALD_IDENTIFY_EVIDENCE_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_evidence is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if result is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such element, or the element is a cell.
 */
ALD_API ald_status ald_identify_result_get_evidence_at(ald_identify_result result, uint32_t element_index,
                                                       ald_identify_evidence *out_evidence, ald_error *error);

/**
 * Creates the geometry of an element. For a feature or a graphic, this is its original geometry in its own spatial
 * reference. For a cell, it is the cell's polygon in the spatial reference of the raster.
 *
 * @param element_index From 0 to the result's element_count - 1.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_geometry is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if result is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such element.
 */
ALD_API ald_status ald_identify_result_create_geometry(ald_identify_result result, uint32_t element_index,
                                                       ald_geometry *out_geometry, ald_error *error);

/**
 * Gets an attribute of an element by its index. A cell has the bands in their order, each followed by its category and
 * the columns of its table. A feature has the fields of its source. A graphic has the attributes that are not null.
 *
 * @param element_index From 0 to the result's element_count - 1.
 * @param index From 0 to the element's attribute_count - 1.
 * @param out_attribute Initialise it with ALD_ATTRIBUTE_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_attribute is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if result is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such element or attribute.
 */
ALD_API ald_status ald_identify_result_get_attribute_at(ald_identify_result result, uint32_t element_index,
                                                        uint32_t index, ald_attribute *out_attribute, ald_error *error);

/**
 * Finds an attribute of an element by its name.
 *
 * @param element_index From 0 to the result's element_count - 1.
 * @param name The name. The case of ASCII letters does not matter.
 * @param out_attribute Initialise it with ALD_ATTRIBUTE_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if name is NULL or not UTF-8, or out_attribute is NULL or its struct_size is not
 *     valid.
 *   - ALD_STATUS_INVALID_HANDLE if result is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such element or attribute.
 */
ALD_API ald_status ald_identify_result_find_attribute(ald_identify_result result, uint32_t element_index,
                                                      const char *name, ald_attribute *out_attribute, ald_error *error);

/**
 * Explains why a layer, or every layer of a group, is not identified at a screen point. To explain a whole result of
 * ald_view_identify, read the reasons of its parts.
 *
 * @param layer A layer.
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip The radius around the point in DIP: finite, 0 or more. It does not apply to raster layers.
 * @param max_results As for the call to be explained.
 * @param options NULL for all defaults.
 * @param out_why_not Initialise it with ALD_WHY_NOT_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, an option is not valid, or out_why_not is
 *     NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if view or layer is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_why_not_layer(ald_view view, ald_layer layer, ald_point screen_point, double tolerance_dip,
                                          uint32_t max_results, const ald_identify_options *options,
                                          ald_why_not *out_why_not, ald_error *error);

/**
 * Explains why a feature is not identified at a screen point.
 *
 * @param layer A feature layer.
 * @param feature_id The id of the feature.
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip The radius around the point in DIP: finite, 0 or more. It does not apply to raster layers.
 * @param max_results As for the call to be explained.
 * @param options NULL for all defaults.
 * @param out_why_not Initialise it with ALD_WHY_NOT_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, an option is not valid, layer is not a
 *     feature layer, or out_why_not is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if view or layer is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_why_not_feature(ald_view view, ald_layer layer, int64_t feature_id, ald_point screen_point,
                                            double tolerance_dip, uint32_t max_results,
                                            const ald_identify_options *options, ald_why_not *out_why_not,
                                            ald_error *error);

/**
 * Explains why a graphic is not identified at a screen point.
 *
 * @param overlay An overlay.
 * @param graphic_id The id of the graphic.
 * @param screen_point The screen point in DIP.
 * @param tolerance_dip The radius around the point in DIP: finite, 0 or more.
 * @param max_results As for the call to be explained.
 * @param options NULL for all defaults.
 * @param out_why_not Initialise it with ALD_WHY_NOT_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a number is not finite or out of range, an option is not valid, or out_why_not is
 *     NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if view or overlay is not valid.
 *   - ALD_STATUS_NOT_READY as for ald_view_get_state.
 *   - ALD_STATUS_LIMIT_EXCEEDED if there are more corners or features than the policy allows.
 */
ALD_API ald_status ald_view_why_not_graphic(ald_view view, ald_graphics_overlay overlay, uint64_t graphic_id,
                                            ald_point screen_point, double tolerance_dip, uint32_t max_results,
                                            const ald_identify_options *options, ald_why_not *out_why_not,
                                            ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

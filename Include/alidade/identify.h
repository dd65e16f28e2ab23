/**
 * @file
 * Identify: what lies under a point of the screen.
 */
#ifndef ALIDADE_IDENTIFY_H
#define ALIDADE_IDENTIFY_H

#include "base.h"
#include "layer.h"
#include "raster.h"
#include "request.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What an identify found. Immutable. */
typedef struct ald_identify_result {
  uint64_t id;
} ald_identify_result;

/** Bits of ald_identify_options.flags. */
typedef uint32_t ald_identify_flags;
enum {
  /** Cells without a value (nodata, masked, transparent) are left out instead of being reported as such. */
  ALD_IDENTIFY_SKIP_EMPTY_CELLS = 1
};

/** How to identify. */
typedef struct ald_identify_options {
  uint32_t struct_size;
  ald_identify_flags flags;
} ald_identify_options;

/** Initialises an ald_identify_options to the default. */
#define ALD_IDENTIFY_OPTIONS_INIT                                                                                      \
  { (uint32_t)sizeof(ald_identify_options), 0 }

/** Facts about a result. */
typedef struct ald_identify_result_info {
  uint32_t struct_size;
  /** How many elements were found, topmost first. */
  uint32_t element_count;
  /** The layer that was identified, lent; the result keeps it. */
  ald_layer layer;
  /** The map point under the screen point, in the map's spatial reference. */
  ald_point map_point;
} ald_identify_result_info;

/** Initialises an ald_identify_result_info. */
#define ALD_IDENTIFY_RESULT_INFO_INIT                                                                                  \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_identify_result_info), 0, {0}, {                                                              \
      0.0, 0.0                                                                                                         \
    }                                                                                                                  \
  }

/** What kind of thing an element is. */
typedef int32_t ald_element_kind;
enum { ALD_ELEMENT_RASTER_CELL = 1 };

/** An element of a result. Strings and arrays live as long as the result's handle. */
typedef struct ald_identify_element {
  uint32_t struct_size;
  ald_element_kind kind;
  int32_t column;
  int32_t row;
  /** ALD_CELL_VALUE if any band but an alpha band has a value; else why the first band has none. */
  ald_cell_verdict verdict;
  uint32_t attribute_count;
  uint32_t band_count;
  /** 1 if polygon, extent and center are there; 0 if the cell's corners cannot all be projected: then they are NaN. */
  uint32_t has_map_polygon;
  /** The cell's corners in the raster's spatial reference: (column, row), (column + 1, row), ...; last equals first. */
  ald_point raster_polygon[5];
  /**
   * The same corners in the map's spatial reference. Where the world repeats itself (Web Mercator, longitudes), the
   * images nearest to the tap.
   */
  ald_point polygon[5];
  /** The box around polygon. */
  ald_envelope extent;
  /** The cell's centre in the map's spatial reference. */
  ald_point center;
  /** band_count values. */
  const ald_band_value *values;
  /**
   * The element as a person would read it: a line "name: text" per attribute, an empty line, then "X: ..." and "Y: ..."
   * of the extent's minimum corner, rounded away from zero to 0.001 from the shortest decimal that reads back as the
   * same double. The same in every locale. Without a map polygon, the attributes alone.
   */
  const char *text;
} ald_identify_element;

/** Initialises an ald_identify_element. */
#define ALD_IDENTIFY_ELEMENT_INIT                                                                                      \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_identify_element), 0, 0, 0, 0, 0, 0, 0,                                                       \
        {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}},                                                  \
        {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, {0.0, 0.0, 0.0, 0.0}, {0.0, 0.0}, NULL, NULL     \
  }

/** The type of an attribute's value. */
typedef int32_t ald_attribute_type;
enum {
  /** No value: nodata, masked or transparent; the text says which. */
  ALD_ATTRIBUTE_NULL = 0,
  ALD_ATTRIBUTE_INTEGER = 1,
  ALD_ATTRIBUTE_UNSIGNED = 2,
  ALD_ATTRIBUTE_REAL = 3,
  ALD_ATTRIBUTE_COMPLEX = 4,
  ALD_ATTRIBUTE_TEXT = 5
};

/** Where an attribute comes from. */
typedef int32_t ald_attribute_role;
enum {
  /** The value of a band: scaled if the band has a scale or an offset, else as stored. */
  ALD_ATTRIBUTE_BAND_VALUE = 0,
  /** The category name of a band's value. */
  ALD_ATTRIBUTE_CATEGORY = 1,
  /** A column of a band's attribute table. */
  ALD_ATTRIBUTE_TABLE_COLUMN = 2
};

/** An attribute of an element. Strings live as long as the result's handle. */
typedef struct ald_attribute {
  uint32_t struct_size;
  ald_attribute_type type;
  ald_attribute_role role;
  /** The band that the attribute belongs to, from 1. */
  int32_t band;
  /** A band's own description, or "Band 1"; "Band 1 category"; a table column's name. Unique within an element. */
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
} ald_attribute;

/** Initialises an ald_attribute. */
#define ALD_ATTRIBUTE_INIT                                                                                             \
  { (uint32_t)sizeof(ald_attribute), 0, 0, 0, NULL, NULL, 0, 0, 0.0, 0.0 }

/**
 * The cell of a raster layer under a screen point, in its plainest form: nothing is made and nothing needs releasing.
 *
 * @param layer A raster layer of the view's map. A hidden one answers ALD_CELL_OUTSIDE.
 * @param screen_dip The screen point in DIP. Points outside the view are allowed.
 * @param out_cell Receives the cell.
 * @param out_values NULL, or receives a value per band.
 * @param value_capacity How many values out_values has room for.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map,
 *   the point is not finite or out_cell is NULL; ALD_STATUS_NOT_READY as for ald_view_get_state;
 *   ALD_STATUS_BUFFER_TOO_SMALL; ALD_STATUS_PROJECTION_FAILED if there is no operation between map and raster;
 *   ALD_STATUS_READ_FAILED with GDAL's words.
 */
ALD_API ald_status ald_view_cell_at(ald_view view, ald_layer layer, ald_point screen_dip, ald_cell *out_cell,
                                    ald_band_value *out_values, size_t value_capacity, ald_error *error);

/**
 * Identifies one layer at a screen point. On a raster layer that is the cell that holds the point; the tolerance does
 * not apply to it. A tap beside the raster, or on a hidden layer, finds no elements and is no error.
 *
 * @param layer A layer of the view's map.
 * @param screen_dip The screen point in DIP.
 * @param tolerance_dip Radius around the point in DIP; finite, 0 or more.
 * @param max_results The most elements wanted; 0: 1, the topmost; ALD_ALL: all.
 * @param options NULL for all defaults.
 * @param out_result Receives the result; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map,
 *   a number is not finite or out of its range, an option is not valid or out_result is NULL; ALD_STATUS_NOT_READY as
 *   for ald_view_get_state; ALD_STATUS_PROJECTION_FAILED if there is no operation between map and raster;
 *   ALD_STATUS_READ_FAILED with GDAL's words if the cell's block cannot be read.
 */
ALD_API ald_status ald_view_identify_layer(ald_view view, ald_layer layer, ald_point screen_dip, double tolerance_dip,
                                           uint32_t max_results, const ald_identify_options *options,
                                           ald_identify_result *out_result, ald_error *error);

/**
 * Identifies one layer at a screen point without waiting for it; see alidade/request.h. The view is read at once: the
 * result is that of the moment of the call, wherever the view has moved when it comes. For a finger that is dragged,
 * give a replace_key in request_options: the newest point wins.
 *
 * @param layer A layer of the view's map.
 * @param screen_dip The screen point in DIP.
 * @param tolerance_dip Radius around the point in DIP; finite, 0 or more.
 * @param max_results The most elements wanted; 0: 1, the topmost; ALD_ALL: all.
 * @param options NULL for all defaults.
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the layer is not in the view's map,
 *   a number is not finite or out of its range, an option is not valid or out_request is NULL; ALD_STATUS_NOT_READY as
 *   for ald_view_get_state.
 */
ALD_API ald_status ald_view_identify_layer_async(ald_view view, ald_layer layer, ald_point screen_dip,
                                                 double tolerance_dip, uint32_t max_results,
                                                 const ald_identify_options *options,
                                                 const ald_request_options *request_options, ald_request *out_request,
                                                 ald_error *error);

/**
 * Takes the result of a request that has identified. It can be taken once.
 *
 * @param out_result Receives the result; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_result is NULL or the request
 *   does not identify; ALD_STATUS_NOT_READY while it is pending; ALD_STATUS_CANCELLED; ALD_STATUS_INVALID_STATE if it
 *   has been taken already; ALD_STATUS_PROJECTION_FAILED and ALD_STATUS_READ_FAILED as for ald_view_identify_layer.
 */
ALD_API ald_status ald_request_take_identify_result(ald_request request, ald_identify_result *out_result,
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
 *   struct_size is none; ALD_STATUS_NOT_FOUND if there is no such element.
 */
ALD_API ald_status ald_identify_result_element(ald_identify_result result, uint32_t index,
                                               ald_identify_element *out_element, ald_error *error);

/**
 * An attribute of an element, by its number: the bands in their order, each followed by its category and its table's
 * columns.
 *
 * @param element From 0.
 * @param index From 0 to the element's attribute_count - 1.
 * @param out_attribute Initialise it with ALD_ATTRIBUTE_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_attribute is NULL or its
 *   struct_size is none; ALD_STATUS_NOT_FOUND if there is no such element or attribute.
 */
ALD_API ald_status ald_identify_result_attribute(ald_identify_result result, uint32_t element, uint32_t index,
                                                 ald_attribute *out_attribute, ald_error *error);

/**
 * An attribute of an element, by its name.
 *
 * @param element From 0.
 * @param name The name; the case of ASCII letters does not matter.
 * @param out_attribute Initialise it with ALD_ATTRIBUTE_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if name is NULL or not UTF-8, or
 *   out_attribute is NULL or its struct_size is none; ALD_STATUS_NOT_FOUND if there is no such element or attribute.
 */
ALD_API ald_status ald_identify_result_attribute_named(ald_identify_result result, uint32_t element, const char *name,
                                                       ald_attribute *out_attribute, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Spatial references: what coordinates mean. They are created from codes, well-known text and other forms, described,
 * written and compared.
 *
 * A spatial reference is an immutable value: all objects can share it, and any thread may use it. x is east or
 * longitude and y is north or latitude. In a few spatial references, coordinates increase to the west or the south
 * (EPSG:2053, EPSG:5513). They keep the directions of the authority, as in GDAL: on a map in such a spatial reference,
 * x increases to the west or the south. Longitudes always increase to the east and latitudes to the north, also where
 * an authority has them the other way round (IAU_2015:49901). Maps that are based on planetocentric latitudes
 * ("Ocentric" systems of IAU_2015) can be shown and projected; what needs the ellipsoid returns
 * ALD_STATUS_UNSUPPORTED there.
 *
 * @code{.c}
 * ald_spatial_reference utm;
 * ald_spatial_reference_info info = ALD_SPATIAL_REFERENCE_INFO_INIT;
 * ald_status status = ald_spatial_reference_create(runtime, "EPSG:32632", &utm, error);
 * if (status == ALD_STATUS_OK)
 *   status = ald_spatial_reference_get_info(utm, &info, error);
 * if (status == ALD_STATUS_OK)
 *   printf("%s, in %s\n", info.name, info.unit_name);
 * ald_spatial_reference_release(utm);
 * return ALD_STATUS_OK;
 * @endcode
 */
#ifndef ALIDADE_SPATIAL_REFERENCE_H
#define ALIDADE_SPATIAL_REFERENCE_H

#include "base.h"
#include "handles.h"
#include "units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kind of coordinates of a spatial reference. */
typedef int32_t ald_spatial_reference_kind;
enum ald_spatial_reference_kind_values {
  /** Longitude and latitude, in an angular unit. */
  ALD_SPATIAL_REFERENCE_KIND_GEOGRAPHIC = 1,
  /** Easting and northing, in a linear unit. */
  ALD_SPATIAL_REFERENCE_KIND_PROJECTED = 2,
  /** A local plane that is not tied to the earth. Nothing can be projected to or from it. */
  ALD_SPATIAL_REFERENCE_KIND_LOCAL = 3
};

/** Bits of ald_spatial_reference_info.flags. */
typedef uint32_t ald_spatial_reference_flags;
enum ald_spatial_reference_flags_values {
  /** The spatial reference has a vertical part: positions have heights or depths. */
  ALD_SPATIAL_REFERENCE_HAS_VERTICAL = 1,
  /**
   * Heights are above the ellipsoid. Without this bit, they are above (or depths are below) a surface of the vertical
   * datum.
   */
  ALD_SPATIAL_REFERENCE_ELLIPSOIDAL_HEIGHT = 2,
  /** The vertical axis points down: its values are depths. */
  ALD_SPATIAL_REFERENCE_DEPTH = 4,
  /** The datum is an ensemble: several realisations that are treated as one and differ by decimetres or metres. */
  ALD_SPATIAL_REFERENCE_DATUM_ENSEMBLE = 8,
  /** The world repeats itself in x after world_width, so maps can wrap around. */
  ALD_SPATIAL_REFERENCE_CAN_WRAP = 16
};

/**
 * The facts about a spatial reference. The strings are valid as long as the handle. A string without a value is empty.
 */
typedef struct ald_spatial_reference_info {
  uint32_t struct_size;
  ald_spatial_reference_kind kind;
  /** Metres per unit. For an angular unit: metres of arc along the equator of the ellipsoid. */
  double metres_per_unit;
  /** The semi-major axis of the ellipsoid in metres; NaN for a local spatial reference. */
  double semi_major_axis_m;
  /** The name that the authority or the file gives. */
  const char *name;
  /** The authority, such as "EPSG" or "ESRI"; empty if the spatial reference has no code. */
  const char *authority;
  /** The code of the authority. */
  const char *code;
  /** The name of the unit of the horizontal axes, such as "metre", "degree" or "US survey foot". */
  const char *unit_name;
  ald_spatial_reference_flags flags;
  /** The unit of the horizontal axes; ALD_UNIT_NONE if it is not a named unit. */
  ald_unit unit;
  /** The inverse flattening of the ellipsoid; 0 for a sphere, NaN for a local spatial reference. */
  double inverse_flattening;
  /** The longitude of the prime meridian in degrees east of Greenwich; NaN for a local spatial reference. */
  double prime_meridian_deg;
  /** The number of units of x after which the world repeats itself; 0 if it does not. */
  double world_width;
  /**
   * The area of use in degrees, as the authority states it. West is greater than east if it crosses the antimeridian.
   * NaN without an area.
   */
  double area_west_deg;
  double area_south_deg;
  double area_east_deg;
  double area_north_deg;
  /** Metres per unit of the vertical axis; NaN without a vertical part. */
  double metres_per_vertical_unit;
  /** The name of the datum or of the datum ensemble. */
  const char *datum_name;
  const char *ellipsoid_name;
  /** The name of the area of use, such as "World - N hemisphere - 6 deg E to 12 deg E - by country". */
  const char *area_name;
  /** The name of the vertical system ("EGM96 height") or of the third axis ("Ellipsoidal height"). */
  const char *vertical_name;
  /** The name of the vertical datum; empty for ellipsoidal heights. */
  const char *vertical_datum_name;
  const char *vertical_unit_name;
  /** The unit of the vertical axis; ALD_UNIT_NONE if it is not a named unit. */
  ald_unit vertical_unit;
  uint32_t reserved;
} ald_spatial_reference_info;

/** Initialises an ald_spatial_reference_info. */
#define ALD_SPATIAL_REFERENCE_INFO_INIT                                                                                \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_spatial_reference_info), 0, 0.0, 0.0, NULL, NULL, NULL, NULL, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0,  \
        0.0, 0.0, 0.0, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0                                                        \
  }

/** The text formats of a spatial reference. */
typedef int32_t ald_spatial_reference_format;
enum ald_spatial_reference_format_values {
  /** Well-known text 2, ISO 19162:2019. */
  ALD_SPATIAL_REFERENCE_FORMAT_WKT2_2019 = 1,
  /** Well-known text 2, ISO 19162:2015. */
  ALD_SPATIAL_REFERENCE_FORMAT_WKT2_2015 = 2,
  /** Well-known text 1 as GDAL writes it. */
  ALD_SPATIAL_REFERENCE_FORMAT_WKT1_GDAL = 3,
  /** Well-known text 1 as Esri writes it: the content of a .prj file. */
  ALD_SPATIAL_REFERENCE_FORMAT_WKT1_ESRI = 4,
  ALD_SPATIAL_REFERENCE_FORMAT_PROJJSON = 5,
  /** A PROJ string with +type=crs. It has no names, codes or areas, and only the ellipsoid of most datums. */
  ALD_SPATIAL_REFERENCE_FORMAT_PROJ_STRING = 6
};

/** How two spatial references are related. */
typedef int32_t ald_spatial_reference_relation;
enum ald_spatial_reference_relation_values {
  ALD_SPATIAL_REFERENCE_RELATION_DIFFERENT = 1,
  /** The same datum, ellipsoid, projection, parameters, units and axes. Names and codes may differ. */
  ALD_SPATIAL_REFERENCE_RELATION_SAME = 2,
  /**
   * The same except that the definitions order the axes differently, such as EPSG:4326 and OGC:CRS84. Coordinates in
   * Alidade are equal, because x is east or longitude in both.
   */
  ALD_SPATIAL_REFERENCE_RELATION_SAME_BUT_FOR_AXIS_ORDER = 3
};

/**
 * Creates a spatial reference from a text. The beginning of the text decides which of these forms it has:
 *
 * - a code: "EPSG:27700", "ESRI:102100", "OGC:CRS84" (or "CRS:84"), a compound "EPSG:4326+5773", a URN
 *   "urn:ogc:def:crs:EPSG::3857", or an address "http://www.opengis.net/def/crs/EPSG/0/3857";
 * - well-known text: version 1 as GDAL and Esri write it, or version 2;
 * - PROJJSON;
 * - a PROJ string, with or without +type=crs. A string that describes an operation ("+proj=pipeline") is refused. So is
 *   +init=, which makes PROJ open any file by name;
 * - the complete name of a spatial reference in PROJ's database, in any case: "WGS 84 / UTM zone 32N". Geographic 2D
 *   and projected spatial references take precedence over compound and 3D ones, and those in EPSG over others. If a
 *   name still has several matches, it is refused, and the message gives their codes.
 *
 * @param definition The text: at most 262,144 bytes, at most 16 nested brackets, and at most 1,000 parameters in a PROJ
 *   string.
 * @param out_spatial_reference Receives the spatial reference; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if definition is NULL, not UTF-8 or describes no spatial reference (the message
 *     quotes PROJ), or out_spatial_reference is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such code.
 *   - ALD_STATUS_UNSUPPORTED if it is a geocentric or a purely vertical system, or its unit is not within 1e-9 to 1e12
 *     metres.
 *   - ALD_STATUS_POLICY_REFUSED if it names a grid by a path outside the grid directories and
 *     ald_policy.data_directories.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the text is too long or nested too deeply.
 */
ALD_API ald_status ald_spatial_reference_create(ald_runtime runtime, const char *definition,
                                                ald_spatial_reference *out_spatial_reference, ald_error *error);

/**
 * Creates a spatial reference from an authority's code.
 *
 * @param authority "EPSG" or another authority of proj.db, in any case. NULL means "EPSG".
 * @param code The code, such as 3857.
 * @param out_spatial_reference Receives the spatial reference; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if authority is not UTF-8 or out_spatial_reference is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such code.
 *   - ALD_STATUS_UNSUPPORTED if the code stands for a geocentric or a purely vertical system.
 */
ALD_API ald_status ald_spatial_reference_create_from_code(ald_runtime runtime, const char *authority, int32_t code,
                                                          ald_spatial_reference *out_spatial_reference,
                                                          ald_error *error);

/**
 * Creates a spatial reference from well-known text: version 1 as GDAL and Esri write it, or version 2.
 *
 * @param wkt The text, within the limits of ald_spatial_reference_create.
 * @param out_spatial_reference Receives the spatial reference; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if wkt is NULL, not UTF-8 or not well-known text of a coordinate system (the message
 *     quotes PROJ), or out_spatial_reference is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 *   - ALD_STATUS_UNSUPPORTED if it is a geocentric or a purely vertical system, or its unit is not within 1e-9 to 1e12
 *     metres.
 *   - ALD_STATUS_POLICY_REFUSED if it names a grid by a path outside the grid directories and
 *     ald_policy.data_directories.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the text is too long or nested too deeply.
 */
ALD_API ald_status ald_spatial_reference_create_from_wkt(ald_runtime runtime, const char *wkt,
                                                         ald_spatial_reference *out_spatial_reference,
                                                         ald_error *error);

/** Releases a spatial reference. */
ALD_API void ald_spatial_reference_release(ald_spatial_reference spatial_reference);

/**
 * Gets the facts about a spatial reference.
 *
 * @param out_info Initialise it with ALD_SPATIAL_REFERENCE_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if spatial_reference is not valid.
 */
ALD_API ald_status ald_spatial_reference_get_info(ald_spatial_reference spatial_reference,
                                                  ald_spatial_reference_info *out_info, ald_error *error);

/**
 * Creates a spatial reference from the horizontal part of another: the first part of a compound system, or the
 * two-dimensional form of a three-dimensional system.
 *
 * If there is no vertical part, the result is the same spatial reference with another handle.
 *
 * @param out_horizontal Receives the spatial reference; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_horizontal is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if spatial_reference is not valid.
 */
ALD_API ald_status ald_spatial_reference_create_horizontal(ald_spatial_reference spatial_reference,
                                                           ald_spatial_reference *out_horizontal, ald_error *error);

/**
 * Writes a spatial reference as text.
 *
 * The library reads the text back before it returns it, and refuses a text that would be read as another system. Only a
 * PROJ string is not compared: it must be readable, but by its nature it leaves out most of a datum.
 *
 * @param format The format of the text.
 * @param buffer Receives the text with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *   May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if format is not valid, buffer is NULL and capacity_bytes is not 0, or both buffer
 *     and out_size_bytes are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if spatial_reference is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the format cannot express the spatial reference (the message quotes PROJ).
 *   - ALD_STATUS_BUFFER_TOO_SMALL if capacity_bytes is too small. The buffer is not changed.
 */
ALD_API ald_status ald_spatial_reference_get_text(ald_spatial_reference spatial_reference,
                                                  ald_spatial_reference_format format, char *buffer,
                                                  size_t capacity_bytes, size_t *out_size_bytes, ald_error *error);

/**
 * Writes a spatial reference as WKT 2 (2019), as PROJ writes it.
 *
 * The library keeps this text ready. It does not read the text back as ald_spatial_reference_get_text does.
 *
 * @param buffer Receives the text with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *   May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity_bytes is not 0, or both buffer and out_size_bytes are
 *     NULL.
 *   - ALD_STATUS_INVALID_HANDLE if spatial_reference is not valid.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if capacity_bytes is too small. The buffer is not changed.
 */
ALD_API ald_status ald_spatial_reference_get_wkt(ald_spatial_reference spatial_reference, char *buffer,
                                                 size_t capacity_bytes, size_t *out_size_bytes, ald_error *error);

/**
 * Compares two spatial references, including their vertical parts. Their order does not matter.
 *
 * To compare only the horizontal parts, use ald_spatial_reference_create_horizontal first.
 *
 * @param out_relation Receives the relation.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_relation is NULL or the two are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a or b is not valid.
 */
ALD_API ald_status ald_spatial_reference_compare(ald_spatial_reference a, ald_spatial_reference b,
                                                 ald_spatial_reference_relation *out_relation, ald_error *error);

/**
 * Checks whether two spatial references mean the same positions: whether their relation is not
 * ALD_SPATIAL_REFERENCE_RELATION_DIFFERENT.
 *
 * @param out_equal Receives 1 or 0.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_equal is NULL or the two are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a or b is not valid.
 */
ALD_API ald_status ald_spatial_reference_equals(ald_spatial_reference a, ald_spatial_reference b, uint32_t *out_equal,
                                                ald_error *error);

/**
 * Converts a value from a named unit into the unit of the horizontal axes of a spatial reference.
 *
 * The result is rounded once, as by ald_unit_convert: 1 mile is 5279.98944 US survey feet in EPSG:32038. Projected and
 * local spatial references need units of length, geographic ones units of angle.
 *
 * @param value The value; finite.
 * @param unit The unit of the value.
 * @param out_value Receives the result.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the value or the result is not finite, unit is not valid or is of another kind
 *     than the unit of the spatial reference, or out_value is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if spatial_reference is not valid.
 */
ALD_API ald_status ald_unit_convert_to_spatial_reference(double value, ald_unit unit,
                                                         ald_spatial_reference spatial_reference, double *out_value,
                                                         ald_error *error);

/**
 * Converts a value from the unit of the horizontal axes of a spatial reference into a named unit. This is the inverse
 * of ald_unit_convert_to_spatial_reference.
 *
 * @param value The value; finite.
 * @param unit The unit of the result.
 * @param out_value Receives the result.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the value or the result is not finite, unit is not valid or is of another kind
 *     than the unit of the spatial reference, or out_value is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if spatial_reference is not valid.
 */
ALD_API ald_status ald_unit_convert_from_spatial_reference(double value, ald_spatial_reference spatial_reference,
                                                           ald_unit unit, double *out_value, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

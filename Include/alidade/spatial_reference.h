/**
 * @file
 * Spatial references. A spatial reference is an immutable value: it can be shared by everything and used on any thread.
 *
 * A few systems count towards the west or the south (EPSG:2053, EPSG:5513). Their numbers are taken as GDAL takes them,
 * in the authority's directions: on a map in such a system x grows to the west or the south.
 */
#ifndef ALIDADE_SPATIAL_REFERENCE_H
#define ALIDADE_SPATIAL_REFERENCE_H

#include "base.h"
#include "runtime.h"
#include "units.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A spatial reference. Positions in it are horizontal; a vertical part is described, and kept in the texts. */
typedef struct ald_spatial_reference {
  uint64_t id;
} ald_spatial_reference;

/** What kind of coordinates a spatial reference has. */
typedef int32_t ald_spatial_reference_kind;
enum {
  /** Longitude and latitude, in an angular unit. */
  ALD_SPATIAL_REFERENCE_GEOGRAPHIC = 1,
  /** Easting and northing, in a linear unit. */
  ALD_SPATIAL_REFERENCE_PROJECTED = 2,
  /** A local plane that is not tied to the earth: nothing can be projected to or from it. */
  ALD_SPATIAL_REFERENCE_LOCAL = 3
};

/** Bits of ald_spatial_reference_info.flags. */
typedef uint32_t ald_spatial_reference_flags;
enum {
  /** There is a vertical part: positions have heights or depths. */
  ALD_SPATIAL_REFERENCE_HAS_VERTICAL = 1,
  /** The heights are above the ellipsoid; else they are above (or depths below) a surface of the vertical datum. */
  ALD_SPATIAL_REFERENCE_ELLIPSOIDAL_HEIGHT = 2,
  /** The vertical axis counts downwards: depths. */
  ALD_SPATIAL_REFERENCE_DEPTH = 4,
  /** The datum is an ensemble: realisations that are taken for one and differ by decimetres or metres. */
  ALD_SPATIAL_REFERENCE_DATUM_ENSEMBLE = 8,
  /** The world repeats itself in x, after world_width: maps can wrap around. */
  ALD_SPATIAL_REFERENCE_CAN_WRAP = 16
};

/** Facts about a spatial reference. The strings live as long as the handle; one that says nothing is empty. */
typedef struct ald_spatial_reference_info {
  uint32_t struct_size;
  ald_spatial_reference_kind kind;
  /** Metres per unit. For an angular unit: metres of arc along the equator of the spatial reference's ellipsoid. */
  double metres_per_unit;
  /** Semi-major axis of the ellipsoid in metres; NaN for a local one. */
  double semi_major_axis_m;
  /** The name that the authority or the file gives. Empty if there is none. */
  const char *name;
  /** "EPSG", "ESRI", ...; empty if the spatial reference has no code. */
  const char *authority;
  /** The authority's code; empty if there is none. */
  const char *code;
  /** The name of the unit of the horizontal axes, such as "metre", "degree" or "US survey foot". */
  const char *unit_name;
  ald_spatial_reference_flags flags;
  /** The unit of the horizontal axes, if it is a named one; else ALD_UNIT_NONE. */
  ald_unit unit;
  /** 0 for a sphere; NaN for a local spatial reference. */
  double inverse_flattening;
  /** Longitude of the prime meridian in degrees east of Greenwich; NaN for a local spatial reference. */
  double prime_meridian_deg;
  /** After how many units of x the world repeats itself; 0 if it does not. */
  double world_width;
  /**
   * The area of use in degrees, as the authority states it; west is greater than east where it crosses the
   * antimeridian. NaN if there is none.
   */
  double area_west_deg;
  double area_south_deg;
  double area_east_deg;
  double area_north_deg;
  /** Metres per unit of the vertical axis; NaN without a vertical part. */
  double metres_per_vertical_unit;
  /** The datum's name, or the ensemble's. */
  const char *datum_name;
  const char *ellipsoid_name;
  /** Such as "World - N hemisphere - 6 deg E to 12 deg E - by country". */
  const char *area_name;
  /** The name of the vertical system ("EGM96 height"), or of the third axis ("Ellipsoidal height"). */
  const char *vertical_name;
  /** Empty for ellipsoidal heights. */
  const char *vertical_datum_name;
  const char *vertical_unit_name;
  /** The unit of the vertical axis, if it is a named one; else ALD_UNIT_NONE. */
  ald_unit vertical_unit;
  uint32_t reserved;
} ald_spatial_reference_info;

/** Initialises an ald_spatial_reference_info. */
#define ALD_SPATIAL_REFERENCE_INFO_INIT                                                                                \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_spatial_reference_info), 0, 0.0, 0.0, NULL, NULL, NULL, NULL, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0,  \
        0.0, 0.0, 0.0, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0                                                        \
  }

/** The forms in which a spatial reference can be written. */
typedef int32_t ald_spatial_reference_format;
enum {
  /** Well-known text 2, ISO 19162:2019. */
  ALD_SPATIAL_REFERENCE_WKT2_2019 = 1,
  /** Well-known text 2, ISO 19162:2015. */
  ALD_SPATIAL_REFERENCE_WKT2_2015 = 2,
  /** Well-known text 1 as GDAL writes it. */
  ALD_SPATIAL_REFERENCE_WKT1_GDAL = 3,
  /** Well-known text 1 as Esri writes it: the content of a .prj file. */
  ALD_SPATIAL_REFERENCE_WKT1_ESRI = 4,
  ALD_SPATIAL_REFERENCE_PROJJSON = 5,
  /** A PROJ string with +type=crs. It has no names, codes or areas, and of most datums only the ellipsoid. */
  ALD_SPATIAL_REFERENCE_PROJ_STRING = 6
};

/** How two spatial references stand to each other. */
typedef int32_t ald_spatial_reference_relation;
enum {
  ALD_SPATIAL_REFERENCE_DIFFERENT = 1,
  /** Same datum, ellipsoid, projection, parameters, units and axes; names and codes may differ. */
  ALD_SPATIAL_REFERENCE_SAME = 2,
  /**
   * The same, but the definitions give the axes in another order, such as EPSG:4326 and OGC:CRS84. Coordinates in
   * Alidade are the same ones: x is east or longitude in both.
   */
  ALD_SPATIAL_REFERENCE_SAME_BUT_FOR_AXIS_ORDER = 3
};

/**
 * Makes a spatial reference from a text of any of these forms, told apart by how they begin:
 *
 * - a code: "EPSG:27700", "ESRI:102100", "OGC:CRS84" (also as "CRS:84"), a compound "EPSG:4326+5773", a URN
 *   "urn:ogc:def:crs:EPSG::3857", an address "http://www.opengis.net/def/crs/EPSG/0/3857";
 * - well-known text, 1 as GDAL and Esri write it, or 2;
 * - PROJJSON;
 * - a PROJ string, with or without +type=crs. One that describes an operation ("+proj=pipeline") is refused, and so is
 *   +init=, which makes PROJ open any file by name;
 * - the name of a spatial reference in PROJ's database, whole, case aside: "WGS 84 / UTM zone 32N". Geographic 2D and
 *   projected ones come before compound and 3D ones, EPSG's before others'; a name that still has several is refused
 *   with their codes.
 *
 * @param definition The text: at most 262,144 bytes and 16 brackets open at once; a PROJ string at most 1,000
 *   parameters.
 * @param out_spatial_reference Receives the spatial reference; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if definition is NULL, not UTF-8 or
 *   describes no spatial reference (the message has PROJ's words), or out_spatial_reference is NULL;
 *   ALD_STATUS_NOT_FOUND if there is no such code; ALD_STATUS_UNSUPPORTED if it is a geocentric or a purely vertical
 *   system, or its unit is not within 1e-9 to 1e12 metres; ALD_STATUS_LIMIT_EXCEEDED if the text is too long or nested
 * too deeply; ALD_STATUS_POLICY_REFUSED if it names a grid by a path outside of the grid directories and of
 *   ald_policy.data_directories.
 */
ALD_API ald_status ald_spatial_reference_create(ald_runtime runtime, const char *definition,
                                                ald_spatial_reference *out_spatial_reference, ald_error *error);

/**
 * Makes a spatial reference from an authority's code.
 *
 * @param authority "EPSG" or another authority of proj.db, any case; NULL: "EPSG".
 * @param code The code, such as 3857.
 * @param out_spatial_reference Receives the spatial reference; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a text is not UTF-8 or
 *   out_spatial_reference is NULL; ALD_STATUS_NOT_FOUND if there is no such code; ALD_STATUS_UNSUPPORTED if the code is
 *   of a geocentric or a purely vertical system.
 */
ALD_API ald_status ald_spatial_reference_create_from_code(ald_runtime runtime, const char *authority, int32_t code,
                                                          ald_spatial_reference *out_spatial_reference,
                                                          ald_error *error);

/**
 * Makes a spatial reference from well-known text: WKT 1 as GDAL and Esri write it, or WKT 2.
 *
 * @param wkt The text, within the limits of ald_spatial_reference_create.
 * @param out_spatial_reference Receives the spatial reference; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if wkt is NULL, not UTF-8 or not
 *   well-known text of a coordinate system (the message has PROJ's words), or out_spatial_reference is NULL;
 *   ALD_STATUS_UNSUPPORTED if it is a geocentric or a purely vertical system, or its unit is not within 1e-9 to 1e12
 *   metres; ALD_STATUS_LIMIT_EXCEEDED if the text is too long or nested too deeply; ALD_STATUS_POLICY_REFUSED as in
 *   ald_spatial_reference_create.
 */
ALD_API ald_status ald_spatial_reference_create_from_wkt(ald_runtime runtime, const char *wkt,
                                                         ald_spatial_reference *out_spatial_reference,
                                                         ald_error *error);

/** Releases a spatial reference. */
ALD_API void ald_spatial_reference_release(ald_spatial_reference spatial_reference);

/**
 * Facts about a spatial reference.
 *
 * @param out_info Initialise it with ALD_SPATIAL_REFERENCE_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_spatial_reference_get_info(ald_spatial_reference spatial_reference,
                                                  ald_spatial_reference_info *out_info, ald_error *error);

/**
 * The horizontal part of a spatial reference as one of its own: of a compound one its first part, of a
 * three-dimensional one its two-dimensional form. One without a vertical part gives the same again.
 *
 * @param out_horizontal Receives the spatial reference; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_horizontal is NULL.
 */
ALD_API ald_status ald_spatial_reference_horizontal(ald_spatial_reference spatial_reference,
                                                    ald_spatial_reference *out_horizontal, ald_error *error);

/**
 * The spatial reference as a text. The text is read back before it is handed out: one that would be read as another
 * system is refused. A PROJ string is the exception: it must be readable, but it leaves out most of a datum by its
 * nature.
 *
 * @param text_format The form.
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size that is needed, final NUL counted in; also written when the buffer is too small.
 *   May be NULL if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if there is no such form, buffer is
 * NULL and capacity is not 0, or nothing is asked for; ALD_STATUS_UNSUPPORTED if the form cannot express the spatial
 *   reference (the message has PROJ's words); ALD_STATUS_BUFFER_TOO_SMALL, and the buffer is left alone.
 */
ALD_API ald_status ald_spatial_reference_text(ald_spatial_reference spatial_reference,
                                              ald_spatial_reference_format text_format, char *buffer, size_t capacity,
                                              size_t *out_size, ald_error *error);

/**
 * The spatial reference as WKT 2 (2019), as PROJ writes it. It is kept ready, and not read back as
 * ald_spatial_reference_text does.
 *
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size that is needed, final NUL counted in; also written when the buffer is too small.
 *   May be NULL if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if buffer is NULL and capacity is not
 *   0, or nothing is asked for; ALD_STATUS_BUFFER_TOO_SMALL, and the buffer is left alone.
 */
ALD_API ald_status ald_spatial_reference_wkt(ald_spatial_reference spatial_reference, char *buffer, size_t capacity,
                                             size_t *out_size, ald_error *error);

/**
 * How two spatial references stand to each other, their vertical parts counted in; the same whichever comes first. To
 * compare horizontal parts alone, ask ald_spatial_reference_horizontal for them.
 *
 * @param out_relation Receives the relation.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_relation is NULL or the two are
 *   of different runtimes.
 */
ALD_API ald_status ald_spatial_reference_compare(ald_spatial_reference a, ald_spatial_reference b,
                                                 ald_spatial_reference_relation *out_relation, ald_error *error);

/**
 * Whether two spatial references mean the same positions: whether they are not ALD_SPATIAL_REFERENCE_DIFFERENT.
 *
 * @param out_equal Receives 1 or 0.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_equal is NULL or the two are of
 *   different runtimes.
 */
ALD_API ald_status ald_spatial_reference_equals(ald_spatial_reference a, ald_spatial_reference b, uint32_t *out_equal,
                                                ald_error *error);

/**
 * Converts a value from a named unit into the unit of a spatial reference's horizontal axes, rounded once as
 * ald_unit_convert does: 1 mile is 5279.98944 US survey feet in EPSG:32038. Lengths fit projected and local spatial
 * references, angles geographic ones.
 *
 * @param value What to convert; finite.
 * @param unit The unit of the value.
 * @param out_value Receives the result.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the value is not finite or the
 * result would not be, there is no such unit, it is of another kind than the spatial reference's, or out_value is NULL.
 */
ALD_API ald_status ald_unit_to_spatial_reference(double value, ald_unit unit, ald_spatial_reference spatial_reference,
                                                 double *out_value, ald_error *error);

/**
 * Converts a value from the unit of a spatial reference's horizontal axes into a named unit: the way back of
 * ald_unit_to_spatial_reference.
 *
 * @param value What to convert; finite.
 * @param unit The unit of the result.
 * @param out_value Receives the result.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the value is not finite or the
 * result would not be, there is no such unit, it is of another kind than the spatial reference's, or out_value is NULL.
 */
ALD_API ald_status ald_unit_from_spatial_reference(double value, ald_spatial_reference spatial_reference, ald_unit unit,
                                                   double *out_value, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

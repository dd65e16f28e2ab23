/**
 * @file
 * Geometries: points, lines and polygons with their spatial reference. A geometry is an immutable value: it can be
 * shared by everything and used on any thread.
 *
 * A geometry has parts, a part has paths, a path has vertices:
 *
 * - a point: one part with one path of one vertex; none if it is empty;
 * - a multipoint: one part with one path of all vertices; none if it is empty;
 * - a polyline: a part for each line, with one path, of at least two vertices or none;
 * - a polygon: a part for each polygon; its paths are the shell and then the holes, of at least four vertices each, the
 *   last the first again; no paths if it is empty;
 * - a collection: no parts, but members, which are geometries. Collections may be nested 32 deep.
 *
 * x and y are finite. z and m (a measure) may be NaN, which says that one is not known, but not infinite. What a text
 * or bytes say otherwise is ALD_STATUS_INVALID_ARGUMENT, and the message says where: at which byte, or at which line
 * and character, counted from 1. Members of a multipoint that are empty are left out. Curves, triangles and polyhedral
 * surfaces are not read.
 *
 * Nothing here checks whether polygons cross themselves: ald_geometry_get_validity does.
 */
#ifndef ALIDADE_GEOMETRY_H
#define ALIDADE_GEOMETRY_H

#include "base.h"
#include "runtime.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A geometry. */
typedef struct ald_geometry {
  uint64_t id;
} ald_geometry;

/** What a geometry is made of. */
typedef int32_t ald_geometry_kind;
enum {
  ALD_GEOMETRY_POINT = 1,
  ALD_GEOMETRY_MULTIPOINT = 2,
  /** One or more lines. */
  ALD_GEOMETRY_POLYLINE = 3,
  /** One or more polygons, with holes. */
  ALD_GEOMETRY_POLYGON = 4,
  /** Other geometries, of any kinds. */
  ALD_GEOMETRY_COLLECTION = 5
};

/** Bits of ald_geometry_info.flags. */
typedef uint32_t ald_geometry_flags;
enum {
  /** Vertices have a z. */
  ALD_GEOMETRY_HAS_Z = 1,
  /** Vertices have an m. */
  ALD_GEOMETRY_HAS_M = 2,
  /**
   * A polyline or polygon that is written as MULTILINESTRING or MULTIPOLYGON. One with several parts always is; one
   * with one part or none is, if it was read so.
   */
  ALD_GEOMETRY_MULTI = 4,
  /** There is no vertex, in no member either. Answered only; never part of ald_geometry_columns. */
  ALD_GEOMETRY_EMPTY = 8
};

/** Facts about a geometry. */
typedef struct ald_geometry_info {
  uint32_t struct_size;
  ald_geometry_kind kind;
  ald_geometry_flags flags;
  uint32_t part_count;
  /** Lines, rings, or 1 for points. */
  uint32_t path_count;
  /** Those of a collection's members counted in. */
  uint32_t vertex_count;
  /** Of a collection. */
  uint32_t member_count;
  uint32_t reserved;
  /** The box around all vertices; NaN if the geometry is empty. */
  ald_envelope envelope;
} ald_geometry_info;

/** Initialises an ald_geometry_info. */
#define ALD_GEOMETRY_INFO_INIT                                                                                         \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_geometry_info), 0, 0, 0, 0, 0, 0, 0, {                                                        \
      0.0, 0.0, 0.0, 0.0                                                                                               \
    }                                                                                                                  \
  }

/**
 * Geometries in columns, as GeoArrow has them: what ald_geometry_get_columns shows without a copy, and what geometries
 * are made of.
 *
 * An offset says where something begins one level below; the offset behind it says where it ends. Path p has the
 * vertices vertex_offsets[p] to vertex_offsets[p + 1] - 1. The first offset may be above 0: a geometry of an array
 * shows the array's columns, of which it has a part.
 *
 * In columns that come in, a column of offsets may be NULL where kinds is NULL. Then its count is 0 or what follows:
 * points have a vertex each; a multipoint, polyline or polygon is a single one, a path of a polyline is a line of its
 * own, and all paths of a polygon are rings of one polygon. So a line needs kind, xy and vertex_count alone. Rings that
 * are open are closed. A collection cannot come in, and has no parts when it is shown.
 */
typedef struct ald_geometry_columns {
  uint32_t struct_size;
  /** Coming in: of all geometries, if kinds is NULL; else 0. Shown: 0. */
  ald_geometry_kind kind;
  uint32_t geometry_count;
  uint32_t part_count;
  uint32_t path_count;
  uint32_t vertex_count;
  /** Bytes from one x to the next; 0: 16. At least 16. */
  uint32_t xy_stride_bytes;
  /** Bytes from one z to the next; 0: 8. At least 8. */
  uint32_t z_stride_bytes;
  /** Bytes from one m to the next; 0: 8. At least 8. */
  uint32_t m_stride_bytes;
  uint32_t reserved;
  /** geometry_count bytes, each an ald_geometry_kind. */
  const uint8_t *kinds;
  /**
   * geometry_count bytes, each with ALD_GEOMETRY_HAS_Z, ALD_GEOMETRY_HAS_M and ALD_GEOMETRY_MULTI. Coming in, NULL
   * says that all have a z if z is there, and an m if m is there.
   */
  const uint8_t *geometry_flags;
  /** geometry_count + 1 numbers of parts. */
  const int32_t *part_offsets;
  /** part_count + 1 numbers of paths. */
  const int32_t *path_offsets;
  /** path_count + 1 numbers of vertices. */
  const int32_t *vertex_offsets;
  /** vertex_count pairs x, y. */
  const double *xy;
  /** vertex_count numbers; NULL if no geometry has a z. NaN where one has none. */
  const double *z;
  /** vertex_count numbers; NULL if no geometry has an m. NaN where one has none. */
  const double *m;
} ald_geometry_columns;

/** Initialises an ald_geometry_columns. */
#define ALD_GEOMETRY_COLUMNS_INIT                                                                                      \
  { (uint32_t)sizeof(ald_geometry_columns), 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/** How well-known binary is written. */
typedef uint32_t ald_wkb_flags;
enum {
  /** PostGIS's EWKB, with the spatial reference's EPSG code as SRID if it has one; else ISO's WKB. */
  ALD_WKB_EXTENDED = 1,
  /** The most significant byte first; else the least significant one. */
  ALD_WKB_BIG_ENDIAN = 2
};

/** Bits of ald_wkt_options.flags. */
typedef uint32_t ald_wkt_flags;
enum {
  /** decimals is set. */
  ALD_WKT_HAS_DECIMALS = 1,
  /** Puts "SRID=4326;" in front, if the spatial reference has an EPSG code. */
  ALD_WKT_EXTENDED = 2
};

/** How well-known text is written. */
typedef struct ald_wkt_options {
  uint32_t struct_size;
  ald_wkt_flags flags;
  /**
   * Places behind the point, 0 to 20, rounded half to even, without zeros at the end. Without ALD_WKT_HAS_DECIMALS it
   * is left alone, and each number is the shortest that reads back as the same double.
   */
  uint32_t decimals;
  uint32_t reserved;
} ald_wkt_options;

/** Initialises an ald_wkt_options to numbers that read back as the same. */
#define ALD_WKT_OPTIONS_INIT                                                                                           \
  { (uint32_t)sizeof(ald_wkt_options), 0, 0, 0 }

/** Bits of ald_geojson_options.flags. */
typedef uint32_t ald_geojson_flags;
enum {
  /** decimals is set. */
  ALD_GEOJSON_HAS_DECIMALS = 1,
  /**
   * Writes coordinates in any spatial reference as they are, and names it in a "crs" member, as GeoJSON before RFC 7946
   * did; null if there is none. Nothing is cut at the antimeridian then.
   */
  ALD_GEOJSON_CRS_MEMBER = 2
};

/** How GeoJSON is written. */
typedef struct ald_geojson_options {
  uint32_t struct_size;
  ald_geojson_flags flags;
  /**
   * Places behind the point, 0 to 20, rounded half to even, without zeros at the end. Without ALD_GEOJSON_HAS_DECIMALS
   * it is left alone, and each number is the shortest that reads back as the same double.
   */
  uint32_t decimals;
  uint32_t reserved;
} ald_geojson_options;

/** Initialises an ald_geojson_options to RFC 7946 and numbers that read back as the same. */
#define ALD_GEOJSON_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_geojson_options), 0, 0, 0 }

/** What counts as valid. */
typedef uint32_t ald_validity_flags;
enum {
  /** Rings may touch themselves in a point and so form a hole, as Esri's polygons have it. */
  ALD_VALIDITY_TOUCHING_RINGS = 1
};

/** Whether a geometry is valid, and if not, why and where. */
typedef struct ald_geometry_validity {
  uint32_t struct_size;
  /** 1 or 0. */
  uint32_t is_valid;
  /** Where the first fault is, in the geometry's spatial reference; NaN if it is valid. */
  ald_point place;
  /** GEOS's words, such as "Self-intersection"; empty if it is valid. */
  char reason[128];
} ald_geometry_validity;

/** Initialises an ald_geometry_validity. */
#define ALD_GEOMETRY_VALIDITY_INIT                                                                                     \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_geometry_validity), 0, {0.0, 0.0}, {                                                          \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** How a geometry is repaired. */
typedef int32_t ald_repair_method;
enum {
  /** Keeps all lines, and makes polygons of what they enclose an odd number of times. */
  ALD_REPAIR_LINEWORK = 0,
  /** Takes shells for shells, which are united, and holes for holes, which are taken away. */
  ALD_REPAIR_STRUCTURE = 1,
  /** The same, and what has no area any more is kept as a line or a point. */
  ALD_REPAIR_STRUCTURE_KEEP_COLLAPSED = 2
};

/**
 * Makes a geometry from well-known binary: OGC's, ISO's or PostGIS's EWKB, in either byte order. A point whose x and y
 * are NaN is an empty one.
 *
 * @param wkb The bytes. They are copied.
 * @param byte_count How many bytes wkb has; the geometry must end with the last one.
 * @param spatial_reference What the coordinates are in; null: EPSG's for the SRID if there is one other than 0, else
 *   the geometry has no spatial reference. If it is given, the SRID is not looked at.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the bytes are no WKB (the message
 *   names the byte, from 0), an argument is missing, or the two are of different runtimes; ALD_STATUS_UNSUPPORTED if
 *   they are of a curve or a surface, or the SRID is of a system that maps cannot have; ALD_STATUS_NOT_FOUND if there
 *   is no such SRID; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_create_from_wkb(ald_runtime runtime, const uint8_t *wkb, size_t byte_count,
                                                ald_spatial_reference spatial_reference, ald_geometry *out_geometry,
                                                ald_error *error);

/**
 * Makes a geometry from well-known text: ISO's ("POINT Z (1 2 3)"), the older form without a mark ("POINT (1 2 3)" has
 * a z, four numbers have z and m), or PostGIS's with "SRID=4326;" in front. Upper and lower case mean the same; z and m
 * may be "nan". A LINEARRING is read as a polyline that is closed. A byte order mark in front of the text is passed
 * over, here and in GeoJSON.
 *
 * @param geometry_wkt The text.
 * @param spatial_reference What the coordinates are in; null: EPSG's for the SRID if there is one other than 0, else
 *   the geometry has no spatial reference. If it is given, the SRID is not looked at.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the text is no WKT (the message
 *   names the line and character, from 1), an argument is missing, or the two are of different runtimes;
 *   ALD_STATUS_UNSUPPORTED if it is of a curve or a surface, or the SRID is of a system that maps cannot have;
 *   ALD_STATUS_NOT_FOUND if there is no such SRID; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_create_from_wkt(ald_runtime runtime, const char *geometry_wkt,
                                                ald_spatial_reference spatial_reference, ald_geometry *out_geometry,
                                                ald_error *error);

/**
 * Makes a geometry from GeoJSON (RFC 7946): a geometry, or a feature's geometry. x comes first, then y, then z if there
 * is one; further numbers of a position, and members that RFC 7946 does not know, are not looked at.
 *
 * @param geojson The text.
 * @param spatial_reference What the coordinates are in; null: what a "crs" member of GeoJSON before RFC 7946 names, or
 *   else EPSG:4326. If it is given, a "crs" member is not looked at.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the text is no GeoJSON of one
 *   geometry (the message names the path in it, the line and the character, from 1), an argument is missing, or the two
 *   are of different runtimes; ALD_STATUS_NOT_FOUND and ALD_STATUS_UNSUPPORTED if a "crs" member names a spatial
 *   reference that there is not, or that maps cannot have; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_create_from_geojson(ald_runtime runtime, const char *geojson,
                                                    ald_spatial_reference spatial_reference, ald_geometry *out_geometry,
                                                    ald_error *error);

/**
 * Makes a geometry from coordinates and offsets. They are copied.
 *
 * @param columns The columns of one geometry.
 * @param spatial_reference What the coordinates are in; null: the geometry has no spatial reference.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the columns do not fit together, do
 *   not hold one geometry, or hold what no geometry has (the message names the path or vertex), an argument is missing,
 *   or the two are of different runtimes; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_create(ald_runtime runtime, const ald_geometry_columns *columns,
                                       ald_spatial_reference spatial_reference, ald_geometry *out_geometry,
                                       ald_error *error);

/**
 * Makes a polygon of an envelope: one ring, counterclockwise from the lower left corner.
 *
 * @param envelope The box; finite. One without width or height gives a polygon that is not valid.
 * @param spatial_reference What the coordinates are in; null: the geometry has no spatial reference.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the envelope is not finite or ends
 *   before it begins, out_geometry is NULL, or the two are of different runtimes; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_geometry_create_from_envelope(ald_runtime runtime, ald_envelope envelope,
                                                     ald_spatial_reference spatial_reference,
                                                     ald_geometry *out_geometry, ald_error *error);

/** Releases a geometry. */
ALD_API void ald_geometry_release(ald_geometry geometry);

/**
 * Facts about a geometry.
 *
 * @param out_info Initialise it with ALD_GEOMETRY_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_geometry_get_info(ald_geometry geometry, ald_geometry_info *out_info, ald_error *error);

/**
 * The columns that a geometry is in, without a copy: its kind, flags and part_offsets are the first and only ones; the
 * other columns may hold more than the geometry.
 *
 * @param out_columns Initialise it with ALD_GEOMETRY_COLUMNS_INIT. What it leads to lives as long as the handle, and
 *   must not be written to.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_columns is NULL or its
 *   struct_size is none.
 */
ALD_API ald_status ald_geometry_get_columns(ald_geometry geometry, ald_geometry_columns *out_columns, ald_error *error);

/**
 * The spatial reference that is attached to a geometry, lent.
 *
 * @param out_spatial_reference Receives the spatial reference. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_spatial_reference is NULL;
 *   ALD_STATUS_NOT_READY if the geometry has none.
 */
ALD_API ald_status ald_geometry_spatial_reference(ald_geometry geometry, ald_spatial_reference *out_spatial_reference,
                                                  ald_error *error);

/**
 * A member of a collection. Nothing is copied.
 *
 * @param index From 0 to the geometry's member_count - 1.
 * @param out_member Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_member is NULL;
 *   ALD_STATUS_NOT_FOUND if there is no such member.
 */
ALD_API ald_status ald_geometry_create_member(ald_geometry geometry, uint32_t index, ald_geometry *out_member,
                                              ald_error *error);

/**
 * Whether two geometries are the same: kind, flags, parts, all numbers in the same order, members, and spatial
 * reference (as ald_spatial_reference_equals compares them). NaN equals NaN, 0 equals -0.
 *
 * @param out_equal Receives 1 or 0.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_equal is NULL or the two are of
 *   different runtimes.
 */
ALD_API ald_status ald_geometry_equals(ald_geometry geometry, ald_geometry other_geometry, uint32_t *out_equal,
                                       ald_error *error);

/**
 * The geometry as well-known binary. An empty point is one whose x and y are NaN.
 *
 * @param wkb_flags How to write it; 0: ISO's, the least significant byte first.
 * @param buffer Receives the bytes; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size that is needed; also written when the buffer is too small. May be NULL if buffer is
 *   not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a flag is unknown, buffer is NULL
 *   and capacity is not 0, or nothing is asked for; ALD_STATUS_BUFFER_TOO_SMALL, and the buffer is left alone.
 */
ALD_API ald_status ald_geometry_wkb(ald_geometry geometry, ald_wkb_flags wkb_flags, uint8_t *buffer, size_t capacity,
                                    size_t *out_size, ald_error *error);

/**
 * The geometry as well-known text, as ISO has it: "POINT ZM (1 2 3 4)".
 *
 * @param options NULL for numbers that read back as the same.
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size that is needed, final NUL counted in; also written when the buffer is too small.
 *   May be NULL if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an option is out of its range,
 *   buffer is NULL and capacity is not 0, or nothing is asked for; ALD_STATUS_LIMIT_EXCEEDED if the text is larger than
 *   the policy allows; ALD_STATUS_BUFFER_TOO_SMALL, and the buffer is left alone.
 */
ALD_API ald_status ald_geometry_wkt(ald_geometry geometry, const ald_wkt_options *options, char *buffer,
                                    size_t capacity, size_t *out_size, ald_error *error);

/**
 * The geometry as GeoJSON (RFC 7946): shells counterclockwise, holes clockwise, z as the third number; m has no place
 * there and is left out. What lies beyond longitudes -180 and 180 is cut off there and moved back by whole turns;
 * longitudes are taken at their word, so that a line from 170 to 190 crosses the antimeridian and one from 170 to -170
 * crosses Greenwich.
 *
 * @param options NULL for RFC 7946 and numbers that read back as the same.
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size that is needed, final NUL counted in; also written when the buffer is too small.
 *   May be NULL if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an option is out of its range,
 *   buffer is NULL and capacity is not 0, or nothing is asked for; ALD_STATUS_UNSUPPORTED if the geometry has another
 *   spatial reference than WGS 84 (project it first; without one its coordinates are taken for WGS 84), a "crs" member
 *   is asked for and the spatial reference has no code, or a polygon that is not valid or a longitude beyond 5,940
 *   would have to be cut; ALD_STATUS_LIMIT_EXCEEDED if the text is larger than the policy allows;
 *   ALD_STATUS_BUFFER_TOO_SMALL, and the buffer is left alone.
 */
ALD_API ald_status ald_geometry_geojson(ald_geometry geometry, const ald_geojson_options *options, char *buffer,
                                        size_t capacity, size_t *out_size, ald_error *error);

/**
 * Whether a geometry is valid in the sense of OGC, by GEOS: rings do not cross themselves or each other, holes lie
 * inside, polygons of one geometry do not overlap. Points always are, and lines unless all of their vertices are in one
 * place.
 *
 * @param validity_flags What counts as valid; 0: what OGC says.
 * @param out_validity Initialise it with ALD_GEOMETRY_VALIDITY_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a flag is unknown, out_validity is
 *   NULL or its struct_size is none; ALD_STATUS_LIMIT_EXCEEDED if it takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_get_validity(ald_geometry geometry, ald_validity_flags validity_flags,
                                             ald_geometry_validity *out_validity, ald_error *error);

/**
 * Makes a valid geometry of one that is not, by GEOS. A valid one comes out as it is. Else the kind may change, such as
 * to a collection; vertices that are new have a z that GEOS interpolates, or NaN; m is lost. GEOS needs seconds for a
 * ring with thousands of crossings.
 *
 * @param method How to repair it.
 * @param out_repaired Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if there is no such method or
 *   out_repaired is NULL; ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_repaired(ald_geometry geometry, ald_repair_method method,
                                                ald_geometry *out_repaired, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Geometries: points, lines and polygons with their spatial reference. A geometry is an immutable value: any number of
 * objects can share it, and any thread can use it.
 *
 * A geometry has parts, a part has paths, and a path has vertices:
 *
 * - A point has one part with one path of one vertex. An empty point has no parts.
 * - A multipoint has one part with one path of all its vertices. An empty multipoint has no parts.
 * - A polyline has one part for each line. Each part has one path, of at least two vertices or none.
 * - A polygon has one part for each polygon. The paths of a part are its shell and then its holes. Each ring has at
 *   least four vertices, and its last vertex equals its first. An empty polygon has no paths.
 * - A collection has no parts. It has members, which are geometries. Collections can be nested 32 deep.
 *
 * x and y are finite. z and m (a measure) may be NaN, which means that the value is not known, but they are not
 * infinite. Functions return ALD_STATUS_INVALID_ARGUMENT for input that breaks these rules. The message says where: at
 * which byte, or at which line and character, counted from 1. Empty members of a multipoint are left out. Curves,
 * triangles and polyhedral surfaces are not read.
 *
 * The functions that create geometries do not check whether polygons cross themselves. ald_geometry_get_validity does.
 *
 * @code{.c}
 * ald_geometry_validity validity = ALD_GEOMETRY_VALIDITY_INIT;
 * ald_geometry parcel;
 * const char *wkt = "POLYGON ((0 0, 4 0, 4 3, 0 0))";
 * ald_status status = ald_geometry_create_from_wkt(runtime, wkt, spatial_reference, &parcel, error);
 * if (status == ALD_STATUS_OK)
 *   status = ald_geometry_get_validity(parcel, 0, &validity, error);
 * if (status == ALD_STATUS_OK && !validity.is_valid)
 *   printf("%s\n", validity.reason);
 * ald_geometry_release(parcel);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_GEOMETRY_H
#define ALIDADE_GEOMETRY_H

#include "base.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kind of a geometry. */
typedef int32_t ald_geometry_kind;
enum ald_geometry_kind_values {
  ALD_GEOMETRY_KIND_POINT = 1,
  ALD_GEOMETRY_KIND_MULTIPOINT = 2,
  /** One or more lines. */
  ALD_GEOMETRY_KIND_POLYLINE = 3,
  /** One or more polygons, with holes. */
  ALD_GEOMETRY_KIND_POLYGON = 4,
  /** Other geometries, of any kind. */
  ALD_GEOMETRY_KIND_COLLECTION = 5
};

/** Bits of ald_geometry_info.flags. */
typedef uint32_t ald_geometry_flags;
enum ald_geometry_flags_values {
  /** The vertices have a z. */
  ALD_GEOMETRY_HAS_Z = 1,
  /** The vertices have an m. */
  ALD_GEOMETRY_HAS_M = 2,
  /**
   * The geometry is written as MULTILINESTRING or MULTIPOLYGON. This bit is always set for a polyline or polygon with
   * several parts. It is set for one part or none if the geometry was read in that form.
   */
  ALD_GEOMETRY_MULTI = 4,
  /**
   * The geometry and its members have no vertices. Only ald_geometry_info has this bit; it is never part of
   * ald_geometry_columns.
   */
  ALD_GEOMETRY_EMPTY = 8
};

/** Facts about a geometry. */
typedef struct ald_geometry_info {
  uint32_t struct_size;
  ald_geometry_kind kind;
  ald_geometry_flags flags;
  uint32_t part_count;
  /** The number of lines or rings; 1 for points. */
  uint32_t path_count;
  /** The number of vertices, including the vertices of a collection's members. */
  uint32_t vertex_count;
  /** The number of members of a collection; 0 for other kinds. */
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
 * Geometries in columns, in the layout of GeoArrow. ald_geometry_get_columns gives a geometry in this form without a
 * copy, and ald_geometry_create creates a geometry from it.
 *
 * An offset is an index into the next lower level (parts, paths, vertices): an item begins at its offset and ends
 * before the next offset. Path p has the vertices vertex_offsets[p] to vertex_offsets[p + 1] - 1. The first offset can
 * be above 0: a geometry that was created from an array shares the columns of the array, and uses a part of them.
 *
 * In input, part_offsets, path_offsets and vertex_offsets may be NULL if kinds is NULL. The counts of levels without
 * offsets must then be 0, or the numbers that follow from these rules: each point has one vertex; a multipoint,
 * polyline or polygon is a single geometry; each path of a polyline is a line of its own; all paths of a polygon are
 * rings of one polygon. A line therefore needs only kind, xy and vertex_count. Open rings are closed. A collection is
 * not allowed in input. In output it has no parts.
 */
typedef struct ald_geometry_columns {
  uint32_t struct_size;
  /** In input: the kind of all geometries if kinds is NULL, otherwise 0. In output: 0. */
  ald_geometry_kind kind;
  uint32_t geometry_count;
  uint32_t part_count;
  uint32_t path_count;
  uint32_t vertex_count;
  /** Bytes from one x to the next, at least 16. 0 means 16. */
  uint32_t xy_stride_bytes;
  /** Bytes from one z to the next, at least 8. 0 means 8. */
  uint32_t z_stride_bytes;
  /** Bytes from one m to the next, at least 8. 0 means 8. */
  uint32_t m_stride_bytes;
  uint32_t reserved;
  /** geometry_count bytes, each an ald_geometry_kind. */
  const uint8_t *kinds;
  /**
   * geometry_count bytes, each with the bits ALD_GEOMETRY_HAS_Z, ALD_GEOMETRY_HAS_M and ALD_GEOMETRY_MULTI. NULL in
   * input means that all geometries have a z if z is given, and an m if m is given.
   */
  const uint8_t *geometry_flags;
  /** geometry_count + 1 indexes of parts. */
  const int32_t *part_offsets;
  /** part_count + 1 indexes of paths. */
  const int32_t *path_offsets;
  /** path_count + 1 indexes of vertices. */
  const int32_t *vertex_offsets;
  /** vertex_count pairs x, y. */
  const double *xy;
  /** vertex_count numbers; NaN where a geometry has no z. NULL if no geometry has a z. */
  const double *z;
  /** vertex_count numbers; NaN where a geometry has no m. NULL if no geometry has an m. */
  const double *m;
} ald_geometry_columns;

/** Initialises an ald_geometry_columns. */
#define ALD_GEOMETRY_COLUMNS_INIT                                                                                      \
  { (uint32_t)sizeof(ald_geometry_columns), 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/** How well-known binary is written. */
typedef uint32_t ald_wkb_flags;
enum ald_wkb_flags_values {
  /** PostGIS's EWKB, with the EPSG code of the spatial reference as SRID if it has one. Without this bit: ISO's WKB. */
  ALD_WKB_EXTENDED = 1,
  /** The most significant byte first. Without this bit: the least significant byte first. */
  ALD_WKB_BIG_ENDIAN = 2
};

/** Bits of ald_wkt_options.flags. */
typedef uint32_t ald_wkt_flags;
enum ald_wkt_flags_values {
  /** decimals is set. */
  ALD_WKT_HAS_DECIMALS = 1,
  /** Writes "SRID=4326;" before the text, if the spatial reference has an EPSG code. */
  ALD_WKT_EXTENDED = 2
};

/** How well-known text is written. */
typedef struct ald_wkt_options {
  uint32_t struct_size;
  ald_wkt_flags flags;
  /**
   * The number of decimals, 0 to 20, rounded half to even, without trailing zeros. Must be 0 without
   * ALD_WKT_HAS_DECIMALS: each number is then written as the shortest text that reads back as the same double.
   */
  uint32_t decimals;
  uint32_t reserved;
} ald_wkt_options;

/** Initialises an ald_wkt_options to numbers that read back as the same. */
#define ALD_WKT_OPTIONS_INIT                                                                                           \
  { (uint32_t)sizeof(ald_wkt_options), 0, 0, 0 }

/** Bits of ald_geojson_options.flags. */
typedef uint32_t ald_geojson_flags;
enum ald_geojson_flags_values {
  /** decimals is set. */
  ALD_GEOJSON_HAS_DECIMALS = 1,
  /**
   * Writes the coordinates as they are, in any spatial reference, and names the spatial reference in a "crs" member, as
   * in GeoJSON before RFC 7946. The member is null if there is no spatial reference. Nothing is cut at the
   * antimeridian.
   */
  ALD_GEOJSON_CRS_MEMBER = 2
};

/** How GeoJSON is written. */
typedef struct ald_geojson_options {
  uint32_t struct_size;
  ald_geojson_flags flags;
  /**
   * The number of decimals, 0 to 20, rounded half to even, without trailing zeros. Must be 0 without
   * ALD_GEOJSON_HAS_DECIMALS: each number is then written as the shortest text that reads back as the same double.
   */
  uint32_t decimals;
  uint32_t reserved;
} ald_geojson_options;

/** Initialises an ald_geojson_options to RFC 7946 and numbers that read back as the same. */
#define ALD_GEOJSON_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_geojson_options), 0, 0, 0 }

/** What is accepted as valid. */
typedef uint32_t ald_validity_flags;
enum ald_validity_flags_values {
  /** A ring may touch itself in a point and so enclose a hole, as in Esri's polygons. */
  ALD_VALIDITY_TOUCHING_RINGS = 1
};

/** Whether a geometry is valid. If it is not, why and where. */
typedef struct ald_geometry_validity {
  uint32_t struct_size;
  /** 1 or 0. */
  uint32_t is_valid;
  /** The position of the first fault, in the geometry's spatial reference; NaN if the geometry is valid. */
  ald_point point;
  /** GEOS's message, such as "Self-intersection"; empty if the geometry is valid. */
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
enum ald_repair_method_values {
  /** Keeps all lines, and builds polygons from the areas that they enclose an odd number of times. */
  ALD_REPAIR_METHOD_LINEWORK = 0,
  /** Unites the shells, and subtracts the holes from them. */
  ALD_REPAIR_METHOD_STRUCTURE = 1,
  /** The same as ALD_REPAIR_METHOD_STRUCTURE, but a part that loses its area is kept as a line or a point. */
  ALD_REPAIR_METHOD_STRUCTURE_KEEP_COLLAPSED = 2
};

/**
 * Creates a geometry from well-known binary (WKB): OGC's, ISO's or PostGIS's EWKB, in either byte order.
 *
 * A point whose x and y are NaN is an empty point.
 *
 * @param wkb The bytes. They are copied.
 * @param wkb_size_bytes The size of wkb in bytes. The geometry must end with the last byte.
 * @param spatial_reference The spatial reference of the coordinates. If it is given, the SRID is ignored. If it is
 *     null, the SRID is used as an EPSG code; without an SRID, or with an SRID of 0, the geometry has no spatial
 *     reference.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the bytes are not WKB (the message names the byte, counted from 0), wkb or
 *     out_geometry is NULL, or runtime and spatial_reference are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_FOUND if no such SRID exists.
 *   - ALD_STATUS_UNSUPPORTED if the bytes contain a curve or a surface, or the SRID names a spatial reference that maps
 *     cannot use.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the geometry is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_from_wkb(ald_runtime runtime, const uint8_t *wkb, size_t wkb_size_bytes,
                                                ald_spatial_reference spatial_reference, ald_geometry *out_geometry,
                                                ald_error *error);

/**
 * Creates a geometry from well-known text (WKT).
 *
 * The text is in ISO's form ("POINT Z (1 2 3)"), in the older form without a mark ("POINT (1 2 3)" has a z; four
 * numbers have z and m), or in PostGIS's form, which begins with "SRID=4326;". Upper and lower case are equivalent. z
 * and m may be "nan". A LINEARRING is read as a closed polyline. A byte order mark before the text is skipped, here and
 * in GeoJSON.
 *
 * @param wkt The text.
 * @param spatial_reference The spatial reference of the coordinates. If it is given, the SRID is ignored. If it is
 *     null, the SRID is used as an EPSG code; without an SRID, or with an SRID of 0, the geometry has no spatial
 *     reference.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the text is not WKT (the message names the line and character, counted from 1),
 *     wkt or out_geometry is NULL, or runtime and spatial_reference are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_FOUND if no such SRID exists.
 *   - ALD_STATUS_UNSUPPORTED if the text contains a curve or a surface, or the SRID names a spatial reference that maps
 *     cannot use.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the geometry is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_from_wkt(ald_runtime runtime, const char *wkt,
                                                ald_spatial_reference spatial_reference, ald_geometry *out_geometry,
                                                ald_error *error);

/**
 * Creates a geometry from GeoJSON (RFC 7946): from a geometry, or from the geometry of a feature.
 *
 * x comes first, then y, then z if there is one. Further numbers of a position are ignored, and so are members that RFC
 * 7946 does not define.
 *
 * @param geojson The text.
 * @param spatial_reference The spatial reference of the coordinates. If it is given, a "crs" member is ignored. If it
 *     is null, a "crs" member, as in GeoJSON before RFC 7946, names the spatial reference; without one it is EPSG:4326.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the text is not GeoJSON of one geometry (the message names the path in the text,
 *     the line and the character, counted from 1), geojson or out_geometry is NULL, or runtime and spatial_reference
 *     are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_FOUND if a "crs" member names a spatial reference that does not exist.
 *   - ALD_STATUS_UNSUPPORTED if a "crs" member names a spatial reference that maps cannot use.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the geometry is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_from_geojson(ald_runtime runtime, const char *geojson,
                                                    ald_spatial_reference spatial_reference, ald_geometry *out_geometry,
                                                    ald_error *error);

/**
 * Creates a geometry from coordinates and offsets. They are copied.
 *
 * @param columns The columns of one geometry.
 * @param spatial_reference The spatial reference of the coordinates; null: the geometry has no spatial reference.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the columns do not fit together, do not hold exactly one geometry, or break the
 *     rules of geometries (the message names the path or vertex), columns or out_geometry is NULL, or runtime and
 *     spatial_reference are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the geometry is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create(ald_runtime runtime, const ald_geometry_columns *columns,
                                       ald_spatial_reference spatial_reference, ald_geometry *out_geometry,
                                       ald_error *error);

/**
 * Creates a polygon from an envelope: one ring, counterclockwise from the lower left corner.
 *
 * @param envelope The box; finite. A box without width or height gives a polygon that is not valid.
 * @param spatial_reference The spatial reference of the envelope; null: the geometry has no spatial reference.
 * @param out_geometry Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the envelope is not finite or a minimum is above its maximum, out_geometry is
 *     NULL, or runtime and spatial_reference are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the geometry is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_from_envelope(ald_runtime runtime, ald_envelope envelope,
                                                     ald_spatial_reference spatial_reference,
                                                     ald_geometry *out_geometry, ald_error *error);

/*
 * Collections and arrays of geometries
 *
 * The result is in the spatial reference of the first geometry. Geometries in another spatial reference are projected
 * to it, each vertex by the best operation for its position, and a receipt reports which operations were used. Either
 * all geometries must have a spatial reference, or none. If none has one, coordinates are copied unchanged.
 */

/**
 * Creates a collection of geometries. They are copied.
 *
 * @param geometries count geometries. The same geometry may occur several times. Collections become nested collections.
 * @param count The number of geometries; 0 creates an empty collection.
 * @param out_geometry Receives the collection; the host owns it. Set to null on failure.
 * @param out_receipt NULL, or receives the receipt of the vertices that were projected; the host owns it. Null if no
 *     vertex was projected. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if geometries is NULL and count is not 0, some geometries have a spatial reference
 *     and others have none (the message names two), collections would be nested more than 32 deep, out_geometry is
 *     NULL, or objects are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if runtime or a geometry is not valid.
 *   - ALD_STATUS_PROJECTION_FAILED if a vertex cannot be projected (the message names it).
 *   - ALD_STATUS_LIMIT_EXCEEDED if the collection is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_collection(ald_runtime runtime, const ald_geometry *geometries, size_t count,
                                                  ald_geometry *out_geometry, ald_projection_receipt *out_receipt,
                                                  ald_error *error);

/**
 * Creates an array of geometries. They are copied.
 *
 * @param geometries count geometries. The same geometry may occur several times.
 * @param count The number of geometries; 0 creates an empty array.
 * @param out_array Receives the array; the host owns it. Set to null on failure.
 * @param out_receipt NULL, or receives the receipt of the vertices that were projected; the host owns it. Null if no
 *     vertex was projected. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if geometries is NULL and count is not 0, some geometries have a spatial reference
 *     and others have none (the message names two), out_array is NULL, or objects are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if runtime or a geometry is not valid.
 *   - ALD_STATUS_PROJECTION_FAILED if a vertex cannot be projected (the message names it).
 *   - ALD_STATUS_LIMIT_EXCEEDED if the array is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_array_create_from_geometries(ald_runtime runtime, const ald_geometry *geometries,
                                                             size_t count, ald_geometry_array *out_array,
                                                             ald_projection_receipt *out_receipt, ald_error *error);

/** Releases a geometry. */
ALD_API void ald_geometry_release(ald_geometry geometry);

/* Facts */

/**
 * Gets facts about a geometry.
 *
 * @param out_info Receives the facts. Initialise it with ALD_GEOMETRY_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 */
ALD_API ald_status ald_geometry_get_info(ald_geometry geometry, ald_geometry_info *out_info, ald_error *error);

/**
 * Gets the columns of a geometry, without a copy.
 *
 * kinds, geometry_flags and part_offsets contain only the entries of this geometry. The other columns may contain more.
 *
 * @param out_columns Receives the columns. Initialise it with ALD_GEOMETRY_COLUMNS_INIT. The arrays that it points to
 *     are valid while the handle lives; do not write to them.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_columns is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 */
ALD_API ald_status ald_geometry_get_columns(ald_geometry geometry, ald_geometry_columns *out_columns, ald_error *error);

/**
 * Gets the spatial reference that is attached to a geometry.
 *
 * @param out_spatial_reference Receives the spatial reference. The handle is borrowed: valid while the geometry lives.
 *     Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_spatial_reference is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_NOT_READY if the geometry has no spatial reference.
 */
ALD_API ald_status ald_geometry_get_spatial_reference(ald_geometry geometry,
                                                      ald_spatial_reference *out_spatial_reference, ald_error *error);

/**
 * Creates a geometry from a member of a collection. Nothing is copied.
 *
 * @param index From 0 to the geometry's member_count - 1.
 * @param out_member Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_member is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such member.
 */
ALD_API ald_status ald_geometry_create_member(ald_geometry geometry, uint32_t index, ald_geometry *out_member,
                                              ald_error *error);

/**
 * Compares two geometries for equality: kind, flags, parts, all numbers in the same order, members, and spatial
 * reference (compared as in ald_spatial_reference_equals). NaN equals NaN, and 0 equals -0.
 *
 * @param out_equal Receives 1 or 0.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_equal is NULL, or a and b are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a or b is not valid.
 */
ALD_API ald_status ald_geometry_equals(ald_geometry a, ald_geometry b, uint32_t *out_equal, ald_error *error);

/* Writing */

/**
 * Writes a geometry as well-known binary. An empty point is written with an x and y of NaN.
 *
 * @param flags How to write the geometry. 0 means ISO's WKB, the least significant byte first.
 * @param buffer Receives the bytes. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, even if the buffer is too small. May be NULL if buffer is
 *     not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a flag is unknown, buffer is NULL and capacity_bytes is not 0, or both buffer and
 *     out_size_bytes are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the bytes do not fit. The buffer is not changed.
 */
ALD_API ald_status ald_geometry_get_wkb(ald_geometry geometry, ald_wkb_flags flags, uint8_t *buffer,
                                        size_t capacity_bytes, size_t *out_size_bytes, ald_error *error);

/**
 * Writes a geometry as well-known text in ISO's form: "POINT ZM (1 2 3 4)".
 *
 * @param options NULL for numbers that read back as the same doubles.
 * @param buffer Receives the text with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is out of its range, buffer is NULL and capacity_bytes is not 0, or both
 *     buffer and out_size_bytes are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the text is larger than the policy allows.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the text does not fit. The buffer is not changed.
 */
ALD_API ald_status ald_geometry_get_wkt(ald_geometry geometry, const ald_wkt_options *options, char *buffer,
                                        size_t capacity_bytes, size_t *out_size_bytes, ald_error *error);

/**
 * Writes a geometry as GeoJSON (RFC 7946): shells counterclockwise, holes clockwise, z as the third number. m is left
 * out, because GeoJSON has no m.
 *
 * Parts beyond longitudes -180 and 180 are cut off there and moved back by whole turns. Longitudes are not
 * reinterpreted: a line from 170 to 190 crosses the antimeridian, and a line from 170 to -170 crosses Greenwich.
 *
 * @param options NULL for RFC 7946 and numbers that read back as the same doubles.
 * @param buffer Receives the text with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is out of its range, buffer is NULL and capacity_bytes is not 0, or both
 *     buffer and out_size_bytes are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the spatial reference is not WGS 84 (project the geometry first; a geometry without a
 *     spatial reference is written as if it were in WGS 84), a "crs" member is requested and the spatial reference has
 *     no code, or a polygon that is not valid or a longitude beyond 5,940 would have to be cut.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the text is larger than the policy allows.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the text does not fit. The buffer is not changed.
 */
ALD_API ald_status ald_geometry_get_geojson(ald_geometry geometry, const ald_geojson_options *options, char *buffer,
                                            size_t capacity_bytes, size_t *out_size_bytes, ald_error *error);

/* Validity */

/**
 * Checks whether a geometry is valid in the sense of OGC. GEOS decides.
 *
 * The rings of a valid polygon do not cross themselves or each other, holes lie inside their shell, and polygons of one
 * geometry do not overlap. Points are always valid. Lines are valid unless all of their vertices coincide.
 *
 * @param flags What is accepted as valid. 0 means OGC's rules.
 * @param out_validity Receives the result. Initialise it with ALD_GEOMETRY_VALIDITY_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a flag is unknown, out_validity is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the check takes longer than the policy allows.
 */
ALD_API ald_status ald_geometry_get_validity(ald_geometry geometry, ald_validity_flags flags,
                                             ald_geometry_validity *out_validity, ald_error *error);

/**
 * Creates a valid geometry from a geometry that is not valid. GEOS does the work.
 *
 * A valid geometry is returned unchanged. Otherwise the kind may change, for example to a collection. New vertices have
 * a z that GEOS interpolates, or NaN; m is lost. GEOS needs seconds for a ring with thousands of crossings.
 *
 * @param method How to repair the geometry.
 * @param out_repaired Receives the geometry; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if there is no such method, or out_repaired is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if geometry is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the result is larger than the policy allows.
 */
ALD_API ald_status ald_geometry_create_repaired(ald_geometry geometry, ald_repair_method method,
                                                ald_geometry *out_repaired, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

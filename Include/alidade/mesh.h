/**
 * @file
 * Meshes: indexed triangles for game engines and graphics cards, made of polygons, of lines, or of a raster's heights.
 * Vertices are 32-bit floats in an engine frame (engine_frame.h), with normals and texture coordinates.
 *
 * A mesh is an immutable value: any thread may use it. Polygons become triangles whose corners are the vertices of the
 * polygons. Lines become ribbons. With a raster, triangles are split until they follow its heights within a distance
 * that the host chooses.
 *
 * @code{.c}
 * ald_engine_frame frame;
 * ald_mesh mesh;
 * ald_status status = ald_engine_frame_create(spatial_reference, (ald_point){10, 50}, 0, NULL, &frame, error);
 * if (status != ALD_STATUS_OK) return status;
 * ald_mesh_options options = ALD_MESH_OPTIONS_INIT;
 * options.maximum_deviation_m = 2;
 * status = ald_engine_frame_create_geometry_mesh(frame, geometry, raster, 0, &options, &mesh, error);
 * ald_mesh_columns columns = ALD_MESH_COLUMNS_INIT;
 * if (status == ALD_STATUS_OK) status = ald_mesh_get_columns(mesh, &columns, error);
 * if (status == ALD_STATUS_OK) printf("%u triangles\n", columns.index_count / 3);
 * ald_mesh_release(mesh);
 * ald_engine_frame_release(frame);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_MESH_H
#define ALIDADE_MESH_H

#include "base.h"
#include "buffer.h"
#include "handles.h"
#include "projection.h"
#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_mesh_options.flags. */
typedef uint32_t ald_mesh_flags;
enum ald_mesh_flags_values {
  /**
   * Corners are clockwise, seen from the side to which the normal points. Unity and Godot show such triangles. Without
   * this bit they are counter-clockwise, as for OpenGL, Vulkan and glTF.
   */
  ALD_MESH_CLOCKWISE = 1,
  /** Extruded polygons have a lower surface, too. */
  ALD_MESH_BOTTOM = 2,
  /** Extruded polygons have walls only. */
  ALD_MESH_WALLS_ONLY = 4
};

/** The options for a mesh. */
typedef struct ald_mesh_options {
  uint32_t struct_size;
  ald_mesh_flags flags;
  /**
   * The largest distance between the mesh and what it represents, in metres, at least 1e-3. With a raster, the mesh
   * represents the surface of its heights, and 0 means 1. Without a raster, it represents the area on the curved earth
   * or on the projected map, and 0 means that triangles are not split.
   */
  double maximum_deviation_m;
  /** The width of lines in metres, 0 to 1e7. Must be above 0 if there are lines. */
  double line_width_m;
  /** The ends of lines. */
  ald_buffer_cap line_cap;
  /** The corners of lines. */
  ald_buffer_join line_join;
  /** The largest length of a mitre, in half line widths, 1 to 1e6. Longer mitres are bevelled. 0 means 5. */
  double mitre_limit;
  /** The number of segments in a quarter circle of a cap or a corner, 1 to 1000. 0 means 8. */
  uint32_t quadrant_segments;
  /** The band with the heights, from 1. 0 means 1. */
  int32_t band;
  /**
   * The length of the band's unit in metres. 0 means the unit that the raster states, as in ald_raster_read_heights.
   */
  double metres_per_band_unit;
  /**
   * The height of the skirt around a terrain, in metres, 0 to 1e5. A skirt hides gaps between tiles of different
   * detail. Twice the maximum deviation is enough for neighbours with the same deviation.
   */
  double skirt_m;
  /**
   * The box of the image for the texture coordinates of areas, in the spatial reference of the geometries. All zeros
   * mean the envelope of all geometries.
   */
  ald_envelope texture_envelope;
} ald_mesh_options;

/** Initialises an ald_mesh_options to all defaults. */
#define ALD_MESH_OPTIONS_INIT                                                                                          \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_mesh_options), 0, 0.0, 0.0, 0, 0, 0.0, 0, 0, 0.0, 0.0, {                                      \
      0.0, 0.0, 0.0, 0.0                                                                                               \
    }                                                                                                                  \
  }

/** Facts about a mesh. */
typedef struct ald_mesh_info {
  uint32_t struct_size;
  uint32_t vertex_count;
  uint32_t triangle_count;
  /**
   * The number of triangles that were left out because the raster has no heights there, or because a corner has no
   * position in the frame.
   */
  uint32_t dropped_triangle_count;
  /**
   * The largest distance between the mesh and what it represents, in metres. It is an upper bound if the map projection
   * is nearly a polynomial of degree two between the measured points. Heights are exact. The rounding of the vertices
   * is not included.
   */
  double deviation_m;
  /** The largest distance between a vertex and its true position, in metres. It is due to 32-bit floats. */
  double worst_rounding_m;
  /** The largest distance of a vertex from the frame's origin, in metres. */
  double farthest_m;
} ald_mesh_info;

/** Initialises an ald_mesh_info. */
#define ALD_MESH_INFO_INIT                                                                                             \
  { (uint32_t)sizeof(ald_mesh_info), 0, 0, 0, 0.0, 0.0, 0.0 }

/**
 * The vertices and triangles of a mesh in columns.
 *
 * Geometry i has the vertices vertex_offsets[i] to vertex_offsets[i + 1] - 1, and the indices index_offsets[i] to
 * index_offsets[i + 1] - 1. The first offset of each column is 0. A terrain has one geometry.
 */
typedef struct ald_mesh_columns {
  uint32_t struct_size;
  uint32_t vertex_count;
  /** Three for each triangle. */
  uint32_t index_count;
  uint32_t geometry_count;
  /** vertex_count times x, y, z in the frame. */
  const float *positions;
  /**
   * vertex_count times x, y, z with length 1: upwards on surfaces, outwards on walls, downwards on lower surfaces. A
   * skirt has the normals of its terrain, so that it does not show.
   */
  const float *normals;
  /**
   * vertex_count pairs.
   *
   * - On an area or a terrain: the position in the image. 0, 0 is its north-west corner, 1, 1 the south-east corner, as
   *   for Vulkan, Direct3D and glTF. For OpenGL and Unity, use 1 - v.
   * - On a wall: metres along the ring, and metres below the upper edge.
   * - On a line: metres along the line, and 0 on its left side to 1 on its right side.
   */
  const float *texture_coordinates;
  /** index_count indexes of vertices. */
  const uint32_t *indices;
  /** geometry_count + 1 indexes of vertices. */
  const uint32_t *vertex_offsets;
  /** geometry_count + 1 indexes into indices. */
  const uint32_t *index_offsets;
} ald_mesh_columns;

/** Initialises an ald_mesh_columns. */
#define ALD_MESH_COLUMNS_INIT                                                                                          \
  { (uint32_t)sizeof(ald_mesh_columns), 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL }

/**
 * Creates a mesh of a polygon or a line, or of a collection of these.
 *
 * Without a raster, vertices have the heights of the geometry's vertices, 0 without heights. With a raster, the heights
 * of the geometry are not used: between the centres of four cells the surface is bilinear, as in
 * ald_raster_read_heights. Where one of the four cells has no value, the mesh has a hole. The border of the hole is
 * accurate to half a cell.
 *
 * @param frame The frame of the vertices.
 * @param geometry A geometry with a spatial reference.
 * @param raster The raster with the heights; null: the geometry's own heights.
 * @param extrusion_m The height of the walls of polygons, in metres: the surface is raised by it, and walls run from
 *   the surface's old position to the new one. If it is negative, walls run downwards and the surface stays. 0 means no
 *   walls. Lines have no walls.
 * @param options NULL for all defaults.
 * @param out_mesh Receives the mesh; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option or extrusion_m is out of its range, the geometry has no spatial
 *     reference or is not valid, it has a line and line_width_m is 0, out_mesh is NULL, or the objects are of different
 *     runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if frame or geometry is not valid, or raster is given and is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded, or has no spatial reference.
 *   - ALD_STATUS_NOT_FOUND if there is no such band.
 *   - ALD_STATUS_UNSUPPORTED if the geometry has a point, the raster is not georeferenced by a geotransform, or the
 *     band's unit is not a known unit of length.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if a block cannot be read.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the spatial references.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the mesh is larger than the policy allows.
 */
ALD_API ald_status ald_engine_frame_create_geometry_mesh(ald_engine_frame frame, ald_geometry geometry,
                                                         ald_raster raster, double extrusion_m,
                                                         const ald_mesh_options *options, ald_mesh *out_mesh,
                                                         ald_error *error);

/**
 * Creates one mesh of many geometries, on all cores. See ald_engine_frame_create_geometry_mesh.
 *
 * @param raster The raster with the heights; null: the geometries' own heights.
 * @param extrusions_m The height of the walls of each geometry, in metres. If there are fewer heights than geometries,
 *   the heights are repeated from the first. NULL with extrusion_count 0 means no walls.
 * @param extrusion_count The number of extrusions_m.
 * @param options NULL for all defaults.
 * @param out_mesh Receives the mesh; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option or an extrusion is out of its range, the geometries have no spatial
 *     reference, a geometry is not valid (the message names it), there is a line and line_width_m is 0, extrusion_count
 *     is above the number of geometries, extrusions_m is NULL and extrusion_count is not 0, out_mesh is NULL, or the
 *     objects are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if frame or geometry_array is not valid, or raster is given and is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded, or has no spatial reference.
 *   - ALD_STATUS_NOT_FOUND if there is no such band.
 *   - ALD_STATUS_UNSUPPORTED if a geometry has a point, the raster is not georeferenced by a geotransform, or the
 *     band's unit is not a known unit of length.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if a block cannot be read.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the spatial references.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the mesh is larger than the policy allows.
 */
ALD_API ald_status ald_engine_frame_create_geometry_array_mesh(ald_engine_frame frame,
                                                               ald_geometry_array geometry_array, ald_raster raster,
                                                               const double *extrusions_m, size_t extrusion_count,
                                                               const ald_mesh_options *options, ald_mesh *out_mesh,
                                                               ald_error *error);

/**
 * Creates one mesh of many geometries without waiting; see alidade/request.h and
 * ald_engine_frame_create_geometry_array_mesh. ald_request_take_mesh gives the mesh.
 *
 * @param raster The raster with the heights; null: the geometries' own heights.
 * @param extrusions_m The height of the walls of each geometry, in metres. NULL with extrusion_count 0 means no walls.
 * @param extrusion_count The number of extrusions_m.
 * @param options NULL for all defaults.
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK if the request was started. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is out of its range, out_request is NULL, or the objects are of
 * different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if frame or geometry_array is not valid, or raster is given and is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded.
 *   - ALD_STATUS_NOT_FOUND if there is no such band.
 */
ALD_API ald_status ald_engine_frame_create_geometry_array_mesh_async(
    ald_engine_frame frame, ald_geometry_array geometry_array, ald_raster raster, const double *extrusions_m,
    size_t extrusion_count, const ald_mesh_options *options, const ald_request_options *request_options,
    ald_request *out_request, ald_error *error);

/**
 * Creates the mesh of a rectangle of terrain. Its triangles follow the heights of a raster within the maximum
 * deviation; flat parts have few triangles.
 *
 * @param frame The frame of the vertices.
 * @param raster The raster with the heights.
 * @param spatial_reference The spatial reference of the rectangle; null: the raster's own.
 * @param envelope The rectangle. NULL for the whole raster.
 * @param options NULL for all defaults.
 * @param out_mesh Receives the mesh; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success, even if the raster has no heights there. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is out of its range, the envelope is not a rectangle with an area,
 *     out_mesh is NULL, or the objects are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if frame or raster is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded, or has no spatial reference.
 *   - ALD_STATUS_NOT_FOUND if there is no such band.
 *   - ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform, or the band's unit is not a known
 *     unit of length.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if a block cannot be read.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the spatial references.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the mesh or the heights in the rectangle are larger than the policy allows.
 */
ALD_API ald_status ald_engine_frame_create_terrain_mesh(ald_engine_frame frame, ald_raster raster,
                                                        ald_spatial_reference spatial_reference,
                                                        const ald_envelope *envelope, const ald_mesh_options *options,
                                                        ald_mesh *out_mesh, ald_error *error);

/**
 * Creates the mesh of a rectangle of terrain without waiting; see alidade/request.h and
 * ald_engine_frame_create_terrain_mesh. ald_request_take_mesh gives the mesh.
 *
 * @param spatial_reference The spatial reference of the rectangle; null: the raster's own.
 * @param envelope The rectangle. NULL for the whole raster.
 * @param options NULL for all defaults.
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK if the request was started. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is out of its range, the envelope is not a rectangle with an area,
 *     out_request is NULL, or the objects are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if frame or raster is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded.
 *   - ALD_STATUS_NOT_FOUND if there is no such band.
 */
ALD_API ald_status ald_engine_frame_create_terrain_mesh_async(ald_engine_frame frame, ald_raster raster,
                                                              ald_spatial_reference spatial_reference,
                                                              const ald_envelope *envelope,
                                                              const ald_mesh_options *options,
                                                              const ald_request_options *request_options,
                                                              ald_request *out_request, ald_error *error);

/**
 * Takes the mesh that a request has created. The mesh can be taken once.
 *
 * @param out_mesh Receives the mesh; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_mesh is NULL, the request does not create a mesh, or a geometry is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if request is not valid.
 *   - ALD_STATUS_NOT_READY while the request is pending, or if the raster has no spatial reference.
 *   - ALD_STATUS_UNSUPPORTED as in the function that started the request.
 *   - ALD_STATUS_READ_FAILED as in the function that started the request.
 *   - ALD_STATUS_PROJECTION_FAILED as in the function that started the request.
 *   - ALD_STATUS_LIMIT_EXCEEDED as in the function that started the request.
 *   - ALD_STATUS_INVALID_STATE if the mesh was already taken.
 *   - ALD_STATUS_CANCELLED if the request was cancelled or replaced.
 */
ALD_API ald_status ald_request_take_mesh(ald_request request, ald_mesh *out_mesh, ald_error *error);

/** Releases a mesh. */
ALD_API void ald_mesh_release(ald_mesh mesh);

/**
 * Gets the facts about a mesh.
 *
 * @param out_info Initialise it with ALD_MESH_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if mesh is not valid.
 */
ALD_API ald_status ald_mesh_get_info(ald_mesh mesh, ald_mesh_info *out_info, ald_error *error);

/**
 * Gets the vertices and triangles of a mesh without a copy.
 *
 * @param out_columns Receives the columns. Initialise it with ALD_MESH_COLUMNS_INIT. The arrays that it points to are
 *     valid while the handle lives; do not write to them.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_columns is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if mesh is not valid.
 */
ALD_API ald_status ald_mesh_get_columns(ald_mesh mesh, ald_mesh_columns *out_columns, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

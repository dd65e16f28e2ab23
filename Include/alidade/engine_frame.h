/**
 * @file
 * Local frames for engines: small coordinates around an origin, with the axes of a game engine. A frame has 4x4
 * matrices, converts coordinates and geometries into vertices of 32-bit floats, and converts vertices back into map
 * coordinates.
 *
 * A frame is an immutable value: any thread may use it.
 *
 * Heights of a spatial reference with a vertical part are in the unit of its vertical axis. They are converted if both
 * the frame's and the other spatial reference have a vertical part. Otherwise they are used unchanged. Without a
 * vertical part, heights are in metres; an earth-centred frame takes them as heights above the ellipsoid.
 *
 * @code{.c}
 * ald_engine_frame frame;
 * ald_point origin = {500000, 5400000};
 * ald_engine_frame_options options = ALD_ENGINE_FRAME_OPTIONS_INIT;
 * options.kind = ALD_ENGINE_FRAME_KIND_PLANAR;
 * options.axes = ALD_ENGINE_AXES_UNITY;
 * ald_status status = ald_engine_frame_create(spatial_reference, origin, 0, &options, &frame, error);
 * float vertices[300]; // 100 vertices.
 * if (status == ALD_STATUS_OK)
 *   status = ald_engine_frame_geometry_to_vertices(frame, geometry, NULL, vertices, 0, 100, NULL, NULL, NULL, error);
 * ald_engine_frame_release(frame);
 * printf("%s\n", ald_status_get_name(status));
 * return ALD_STATUS_OK;
 * @endcode
 */
#ifndef ALIDADE_ENGINE_FRAME_H
#define ALIDADE_ENGINE_FRAME_H

#include "base.h"
#include "handles.h"
#include "projection.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The world that contains a frame. */
typedef int32_t ald_engine_frame_kind;
enum ald_engine_frame_kind_values {
  /**
   * The earth in three dimensions.
   *
   * The world is earth-centred: x, y, z are in metres from the centre of the ellipsoid. x goes through longitude 0
   * (Greenwich) on the equator, z through the north pole. For WGS 84 this is EPSG:4978. East and north are tangent to
   * the ellipsoid at the origin, and up is its normal. The ellipsoid falls away from the plane by 8 cm at 1 km and 7.8
   * m at 10 km.
   */
  ALD_ENGINE_FRAME_KIND_TANGENT = 0,
  /**
   * A flat map.
   *
   * The world is the spatial reference, projected or local: x and y are in its unit, heights in the unit of its
   * vertical axis, or in metres without one. East and north are the map's directions. ald_engine_frame_info gives the
   * scale of the map and the angle between its north and true north.
   */
  ALD_ENGINE_FRAME_KIND_PLANAR = 1
};

/** The axes of an engine. */
typedef int32_t ald_engine_axes;
enum ald_engine_axes_values {
  /** x east, y north, z up; right-handed, metres. */
  ALD_ENGINE_AXES_ENU = 0,
  /**
   * x east, y south, z up; left-handed, centimetres. As in Cesium for Unreal and Unreal Engine's GeoReferencing
   * plug-in.
   */
  ALD_ENGINE_AXES_UNREAL = 1,
  /** x east, y up, z north; left-handed, metres. As in Cesium for Unity. */
  ALD_ENGINE_AXES_UNITY = 2,
  /** x east, y up, z south, so that forward (-z) is north; right-handed, metres. As in Godot, glTF and three.js. */
  ALD_ENGINE_AXES_GODOT = 3
};

/** The settings of a new frame. */
typedef struct ald_engine_frame_options {
  uint32_t struct_size;
  ald_engine_frame_kind kind;
  ald_engine_axes axes;
  uint32_t reserved;
  /** The length of the engine's unit in metres, 1e-6 to 1e6. 0 means 0.01 with ALD_ENGINE_AXES_UNREAL, otherwise 1. */
  double metres_per_unit;
} ald_engine_frame_options;

/** Initialises an ald_engine_frame_options to an earth-centred frame with x east, y north, z up, in metres. */
#define ALD_ENGINE_FRAME_OPTIONS_INIT                                                                                  \
  { (uint32_t)sizeof(ald_engine_frame_options), 0, 0, 0, 0.0 }

/** Bits of ald_engine_frame_info.flags. */
typedef uint32_t ald_engine_frame_flags;
enum ald_engine_frame_flags_values {
  /** The axes are left-handed: triangles that are counter-clockwise on the map are clockwise in the engine. */
  ALD_ENGINE_FRAME_LEFT_HANDED = 1,
  /** The origin was projected by a ballpark operation, which treats datums or heights as equal. */
  ALD_ENGINE_FRAME_BALLPARK = 2
};

/**
 * The facts about a frame.
 *
 * The matrices are for column vectors, world = local_to_world * (x, y, z, 1), and are stored column by column. Elements
 * 12, 13 and 14 are the translation. This is the layout of OpenGL, Vulkan, Unity and glTF. Direct3D and Unreal use row
 * vectors and store row by row, so the same sixteen numbers are right there, too.
 */
typedef struct ald_engine_frame_info {
  uint32_t struct_size;
  ald_engine_frame_flags flags;
  ald_engine_frame_kind kind;
  ald_engine_axes axes;
  double metres_per_unit;
  /** The matrix from the frame's coordinates to the world's coordinates. */
  double local_to_world[16];
  /**
   * The matrix from the world's coordinates to the frame's coordinates. Use it with doubles: its translation is as
   * large as the world.
   */
  double world_to_local[16];
  /** The origin as the host gave it. */
  ald_point origin;
  double origin_height;
  /**
   * The origin in degrees, east of Greenwich and north, on the datum of the spatial reference. NaN for a local plane.
   */
  double longitude_deg;
  double latitude_deg;
  /** The origin's height above the ellipsoid in metres. NaN in a planar frame whose heights are not ellipsoidal. */
  double ellipsoidal_height_m;
  /**
   * The scale along the meridian at the origin: metres on the map per metre on the ellipsoid. 1 in an earth-centred
   * frame. NaN for a local plane and within 0.12 degrees of a pole.
   */
  double meridian_scale;
  /** The scale along the parallel at the origin, with the same special values. */
  double parallel_scale;
  /**
   * The grid convergence at the origin of a planar frame: degrees clockwise from true north to the map's north. 0 in an
   * earth-centred frame. NaN in the same cases as the scales.
   */
  double convergence_deg;
} ald_engine_frame_info;

/** Initialises an ald_engine_frame_info. */
#define ALD_ENGINE_FRAME_INFO_INIT                                                                                     \
  { (uint32_t)sizeof(ald_engine_frame_info), 0, 0, 0, 0.0, {0.0}, {0.0}, {0.0, 0.0}, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 }

/** The accuracy and the extent of vertices that were written. */
typedef struct ald_vertex_report {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t vertex_count;
  /** The number of vertices whose status is not ALD_POINT_STATUS_OK. */
  uint64_t failed_count;
  /**
   * The largest distance between a vertex and its true position, in metres. It is measured between the floats and the
   * doubles from which they were rounded. 0 without vertices.
   */
  double worst_rounding_m;
  /** The index of the vertex with this distance. UINT64_MAX without vertices. */
  uint64_t worst_index;
  /** The largest distance of a vertex from the frame's origin, in metres. Use another origin for distant vertices. */
  double farthest_m;
} ald_vertex_report;

/** Initialises an ald_vertex_report. */
#define ALD_VERTEX_REPORT_INIT                                                                                         \
  { (uint32_t)sizeof(ald_vertex_report), 0, 0, 0, 0.0, 0, 0.0 }

/**
 * Creates a frame at a point.
 *
 * @param spatial_reference The spatial reference of the origin. The frame uses its datum. Coordinates in other spatial
 *   references are projected.
 * @param origin The position of the frame's 0, 0, 0; finite.
 * @param origin_height The origin's height in the unit of the vertical axis, or in metres without one. Finite.
 * @param options NULL for an earth-centred frame with x east, y north, z up, in metres.
 * @param out_frame Receives the frame; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the origin is not finite or so far away that the matrices would not be finite, an
 *     option is out of its range, or out_frame is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if spatial_reference is not valid.
 *   - ALD_STATUS_UNSUPPORTED for a planar frame in longitudes and latitudes, an earth-centred frame in a local plane,
 *     or an ellipsoid with a flattening of more than 1/50.
 *   - ALD_STATUS_PROJECTION_FAILED if the origin is not a position on the earth.
 */
ALD_API ald_status ald_engine_frame_create(ald_spatial_reference spatial_reference, ald_point origin,
                                           double origin_height, const ald_engine_frame_options *options,
                                           ald_engine_frame *out_frame, ald_error *error);

/** Releases a frame. */
ALD_API void ald_engine_frame_release(ald_engine_frame frame);

/**
 * Gets the facts about a frame.
 *
 * @param out_info Initialise it with ALD_ENGINE_FRAME_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if frame is not valid.
 */
ALD_API ald_status ald_engine_frame_get_info(ald_engine_frame frame, ald_engine_frame_info *out_info, ald_error *error);

/**
 * Projects coordinates into a frame and writes them as vertices of 32-bit floats.
 *
 * If the world of a planar frame repeats itself in x, each vertex is the image nearest to the origin.
 *
 * @param spatial_reference The spatial reference of the coordinates. Null for the spatial reference in which the frame
 *     was created.
 * @param options The settings for projecting; NULL for all defaults.
 * @param coordinates The coordinates. All of them are read before anything is written.
 * @param out_vertices Receives three floats x, y, z for each point, with any alignment. NaN for a point that has no
 *   position in the frame. The array may overlap the coordinates.
 * @param vertex_stride_bytes Bytes from one vertex to the next, at least 12. 0 means 12. Bytes between vertices are not
 *   changed.
 * @param out_statuses NULL, or receives a status for each point.
 * @param out_report NULL, or receives the extent and the rounding of the vertices: initialise it with
 *   ALD_VERTEX_REPORT_INIT.
 * @param out_new_receipt NULL, or receives the receipt of projecting; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK even if single points failed. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an array is missing, a stride is too small, a size overflows, flags are unknown,
 *     the struct_size of out_report is not valid, ALD_PROJECT_INVERSE is set without a transformation, the
 *     transformation connects other spatial references, or the objects are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a handle is not valid.
 *   - ALD_STATUS_UNSUPPORTED if PROJ cannot run the chosen transformation, or cannot run it backwards.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the spatial reference and the frame's.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the number of points or their memory exceeds a limit of the policy.
 *   - ALD_STATUS_MISSING_GRID if the chosen transformation lacks grid files.
 */
ALD_API ald_status ald_engine_frame_to_vertices(ald_engine_frame frame, ald_spatial_reference spatial_reference,
                                                const ald_projection_options *options,
                                                const ald_coordinates *coordinates, float *out_vertices,
                                                size_t vertex_stride_bytes, ald_point_status *out_statuses,
                                                ald_vertex_report *out_report, ald_projection_receipt *out_new_receipt,
                                                ald_error *error);

/**
 * Computes the map coordinates of vertices, for example of a vertex that was picked or moved in the engine.
 *
 * @param spatial_reference The spatial reference of the images. Null for the spatial reference in which the frame was
 *     created.
 * @param options The settings for projecting; NULL for all defaults.
 * @param vertices count vertices, each with three floats x, y, z in the frame, with any alignment.
 * @param vertex_stride_bytes Bytes from one vertex to the next, at least 12. 0 means 12.
 * @param count The number of vertices. 0 does nothing.
 * @param images Receives the coordinates: x, y and, unless z is NULL, heights. Heights are in the unit of the vertical
 *   axis of the spatial reference, or in metres without one. NaN for a vertex without a position. All vertices are read
 *   before anything is written.
 * @param out_statuses NULL, or receives count statuses. A vertex nearer to the earth's centre than a tenth of the
 *   earth's radius has ALD_POINT_STATUS_FAILED.
 * @param out_new_receipt NULL, or receives the receipt of projecting; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK even if single vertices failed. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an array is missing, a stride is too small, columns overlap, a size overflows,
 *     flags are unknown, ALD_PROJECT_INVERSE is set without a transformation, the transformation connects other spatial
 *     references, or the objects are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a handle is not valid.
 *   - ALD_STATUS_UNSUPPORTED if PROJ cannot run the chosen transformation, or cannot run it backwards.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the frame's spatial reference and the other.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the number of points or their memory exceeds a limit of the policy.
 *   - ALD_STATUS_MISSING_GRID if the chosen transformation lacks grid files.
 */
ALD_API ald_status ald_engine_frame_from_vertices(ald_engine_frame frame, ald_spatial_reference spatial_reference,
                                                  const ald_projection_options *options, const float *vertices,
                                                  size_t vertex_stride_bytes, size_t count,
                                                  const ald_projected_coordinates *images,
                                                  ald_point_status *out_statuses,
                                                  ald_projection_receipt *out_new_receipt, ald_error *error);

/**
 * Projects the vertices of a geometry into a frame and writes them as 32-bit floats. See ald_engine_frame_to_vertices.
 *
 * The vertices are in the order of ald_geometry_get_columns, which says where each path begins: part by part and path
 * by path, and for a collection member by member. A vertex without a height has height 0.
 *
 * @param geometry A geometry with a spatial reference.
 * @param options The settings for projecting; NULL for all defaults.
 * @param out_vertices Receives three floats x, y, z for each vertex, with any alignment. NaN for a vertex that has no
 *   position in the frame.
 * @param vertex_stride_bytes Bytes from one vertex to the next, at least 12. 0 means 12. Bytes between vertices are not
 *   changed.
 * @param vertex_capacity The number of vertices that fit into out_vertices and, unless it is NULL, into out_statuses:
 *   at least the number of vertices of the geometry.
 * @param out_statuses NULL, or receives a status for each vertex.
 * @param out_report NULL, or receives the extent and the rounding of the vertices: initialise it with
 *   ALD_VERTEX_REPORT_INIT.
 * @param out_new_receipt NULL, or receives the receipt of projecting; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK even if single vertices failed. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the geometry has no spatial reference, an array is missing, the stride is too
 *     small, a size overflows, flags are unknown, the struct_size of out_report is not valid, ALD_PROJECT_INVERSE is
 *     set without a transformation, the transformation connects other spatial references, or the objects are of
 *     different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a handle is not valid.
 *   - ALD_STATUS_UNSUPPORTED if PROJ cannot run the chosen transformation, or cannot run it backwards.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the spatial reference and the frame's.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the number of points or their memory exceeds a limit of the policy.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if vertex_capacity is too small.
 *   - ALD_STATUS_MISSING_GRID if the chosen transformation lacks grid files.
 */
ALD_API ald_status ald_engine_frame_geometry_to_vertices(ald_engine_frame frame, ald_geometry geometry,
                                                         const ald_projection_options *options, float *out_vertices,
                                                         size_t vertex_stride_bytes, size_t vertex_capacity,
                                                         ald_point_status *out_statuses, ald_vertex_report *out_report,
                                                         ald_projection_receipt *out_new_receipt, ald_error *error);

/**
 * Projects the vertices of all geometries of an array into a frame and writes them as 32-bit floats. See
 * ald_engine_frame_to_vertices.
 *
 * The vertices are in the order of ald_geometry_array_get_columns, which says where each path begins: geometry by
 * geometry. A vertex without a height has height 0.
 *
 * @param geometry_array An array with a spatial reference.
 * @param options The settings for projecting; NULL for all defaults.
 * @param out_vertices Receives three floats x, y, z for each vertex, with any alignment. NaN for a vertex that has no
 *   position in the frame.
 * @param vertex_stride_bytes Bytes from one vertex to the next, at least 12. 0 means 12. Bytes between vertices are not
 *   changed.
 * @param vertex_capacity The number of vertices that fit into out_vertices and, unless it is NULL, into out_statuses:
 *   at least the number of vertices of the array.
 * @param out_statuses NULL, or receives a status for each vertex.
 * @param out_report NULL, or receives the extent and the rounding of the vertices: initialise it with
 *   ALD_VERTEX_REPORT_INIT.
 * @param out_new_receipt NULL, or receives the receipt of projecting; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK even if single vertices failed. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT as for ald_engine_frame_geometry_to_vertices.
 *   - ALD_STATUS_INVALID_HANDLE if a handle is not valid.
 *   - ALD_STATUS_UNSUPPORTED if PROJ cannot run the chosen transformation, or cannot run it backwards.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the spatial reference and the frame's.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the number of points or their memory exceeds a limit of the policy.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if vertex_capacity is too small.
 *   - ALD_STATUS_MISSING_GRID if the chosen transformation lacks grid files.
 */
ALD_API ald_status ald_engine_frame_geometry_array_to_vertices(
    ald_engine_frame frame, ald_geometry_array geometry_array, const ald_projection_options *options,
    float *out_vertices, size_t vertex_stride_bytes, size_t vertex_capacity, ald_point_status *out_statuses,
    ald_vertex_report *out_report, ald_projection_receipt *out_new_receipt, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

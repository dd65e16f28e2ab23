/**
 * @file
 * Local frames for engines: small coordinates around an origin, with the axes of a game engine, as 4x4 matrices and as
 * vertices of 32-bit floats; and from a vertex back to the map.
 *
 * A frame is an immutable value: it can be used on any thread.
 *
 * Heights: a spatial reference with a vertical part has heights in its unit, and they are converted where both sides
 * have one; else they are taken as they are. Of a spatial reference without a vertical part heights are metres, above
 * the ellipsoid where a frame is earth-centred.
 */
#ifndef ALIDADE_ENGINE_FRAME_H
#define ALIDADE_ENGINE_FRAME_H

#include "base.h"
#include "projection.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A local frame. */
typedef struct ald_engine_frame {
  uint64_t id;
} ald_engine_frame;

/** What a local frame lies in: its world. */
typedef int32_t ald_engine_frame_kind;
enum {
  /**
   * The earth in three dimensions. The world is earth-centred: x, y, z in metres from the centre of the ellipsoid, x
   * through longitude 0 (of Greenwich) on the equator, z through the north pole; of WGS 84 that is EPSG:4978. East and
   * north are tangent to the ellipsoid at the origin, up is its normal; the earth falls away from the plane by 8 cm at
   * 1 km and 7.8 m at 10 km.
   */
  ALD_ENGINE_FRAME_TANGENT = 0,
  /**
   * A flat map. The world is the spatial reference, projected or local: x and y in its unit, heights in that of its
   * vertical axis, in metres without one. East and north are those of the map: the info tells by how much they differ
   * from the ground.
   */
  ALD_ENGINE_FRAME_PLANAR = 1
};

/** The axes of an engine. */
typedef int32_t ald_engine_axes;
enum {
  /** x east, y north, z up; right-handed, metres. */
  ALD_ENGINE_AXES_ENU = 0,
  /**
   * x east, y south, z up; left-handed, centimetres. As Cesium for Unreal and Unreal Engine's GeoReferencing plug-in
   * have it.
   */
  ALD_ENGINE_AXES_UNREAL = 1,
  /** x east, y up, z north; left-handed, metres. As Cesium for Unity has it. */
  ALD_ENGINE_AXES_UNITY = 2,
  /** x east, y up, z south: forward, -z, is north; right-handed, metres. Also glTF's and three.js's. */
  ALD_ENGINE_AXES_GODOT = 3
};

/** How a frame is made. */
typedef struct ald_engine_frame_options {
  uint32_t struct_size;
  ald_engine_frame_kind kind;
  ald_engine_axes axes;
  uint32_t reserved;
  /** The length of the engine's unit, 1e-6 to 1e6; 0: 0.01 for ALD_ENGINE_AXES_UNREAL, else 1. */
  double metres_per_unit;
} ald_engine_frame_options;

/** Initialises an ald_engine_frame_options to an earth-centred frame of x east, y north, z up, in metres. */
#define ALD_ENGINE_FRAME_OPTIONS_INIT                                                                                  \
  { (uint32_t)sizeof(ald_engine_frame_options), 0, 0, 0, 0.0 }

/** Bits of ald_engine_frame_info.flags. */
typedef uint32_t ald_engine_frame_flags;
enum {
  /** The axes are left-handed: triangles that run counter-clockwise on the map run clockwise in the engine. */
  ALD_ENGINE_FRAME_LEFT_HANDED = 1,
  /** The origin was located by a ballpark operation, which treats datums or heights as equal. */
  ALD_ENGINE_FRAME_BALLPARK = 2
};

/**
 * Facts about a frame.
 *
 * Matrices are for column vectors, world = local_to_world * (x, y, z, 1), and stored column by column, so that elements
 * 12, 13 and 14 are the shift: the layout of OpenGL, Vulkan, Unity and glTF. To Direct3D and Unreal, which write row
 * vectors and store row by row, the same sixteen numbers are the same matrix.
 */
typedef struct ald_engine_frame_info {
  uint32_t struct_size;
  ald_engine_frame_flags flags;
  ald_engine_frame_kind kind;
  ald_engine_axes axes;
  double metres_per_unit;
  /** From the frame's coordinates to the world's. */
  double local_to_world[16];
  /** From the world's coordinates to the frame's. Meant for doubles: its shift is as large as the world. */
  double world_to_local[16];
  /** The origin as it was given. */
  ald_point origin;
  double origin_height;
  /**
   * The origin in degrees, east of Greenwich and north, on the datum of the spatial reference; NaN for a local plane.
   */
  double longitude_deg;
  double latitude_deg;
  /** The origin's height above the ellipsoid in metres; NaN in a planar frame whose heights are others. */
  double ellipsoidal_height_m;
  /**
   * In a planar frame: metres on the map per metre on the ellipsoid at the origin, along the meridian and along the
   * parallel. 1 in an earth-centred frame. NaN for a local plane and within 0.12 degrees of a pole.
   */
  double meridian_scale;
  double parallel_scale;
  /**
   * In a planar frame the grid convergence at the origin: degrees from true north to the map's north, clockwise. 0 in
   * an earth-centred frame. NaN as the scales.
   */
  double convergence_deg;
} ald_engine_frame_info;

/** Initialises an ald_engine_frame_info. */
#define ALD_ENGINE_FRAME_INFO_INIT                                                                                     \
  { (uint32_t)sizeof(ald_engine_frame_info), 0, 0, 0, 0.0, {0.0}, {0.0}, {0.0, 0.0}, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 }

/**
 * Makes a frame at a place.
 *
 * @param spatial_reference What the origin is in. The frame is on its datum: what is given in others is projected.
 * @param origin Where the frame's 0, 0, 0 lies; finite.
 * @param origin_height The origin's height in the unit of the vertical axis; metres without one. Finite.
 * @param options NULL for an earth-centred frame of x east, y north, z up, in metres.
 * @param out_frame Receives the frame; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the origin is not finite or so far
 *   away that the matrices would not be, an option is out of its range, or out_frame is NULL;
 *   ALD_STATUS_UNSUPPORTED if a planar frame is to be made in longitudes and latitudes, an earth-centred one in a local
 *   plane, or the ellipsoid is too flat (by more than 1/50); ALD_STATUS_PROJECTION_FAILED if the origin is no place on
 *   the earth.
 */
ALD_API ald_status ald_engine_frame_create(ald_spatial_reference spatial_reference, ald_point origin,
                                           double origin_height, const ald_engine_frame_options *options,
                                           ald_engine_frame *out_frame, ald_error *error);

/** Releases a frame. */
ALD_API void ald_engine_frame_release(ald_engine_frame frame);

/**
 * Facts about a frame.
 *
 * @param out_info Initialise it with ALD_ENGINE_FRAME_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_engine_frame_get_info(ald_engine_frame frame, ald_engine_frame_info *out_info, ald_error *error);

/** What became of coordinates that were made vertices. */
typedef struct ald_vertex_report {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t vertex_count;
  /** How many vertices have another status than ALD_POINT_OK. */
  uint64_t failed_count;
  /**
   * The largest distance between a vertex and the place that it stands for, in metres: measured between the floats and
   * the doubles that they were rounded from. 0 without vertices.
   */
  double worst_rounding_m;
  /** Which vertex that is; UINT64_MAX without vertices. */
  uint64_t worst_index;
  /** The largest distance of a vertex from the frame's origin, in metres: far ones want an origin of their own. */
  double farthest_m;
} ald_vertex_report;

/** Initialises an ald_vertex_report. */
#define ALD_VERTEX_REPORT_INIT                                                                                         \
  { (uint32_t)sizeof(ald_vertex_report), 0, 0, 0, 0.0, 0, 0.0 }

/**
 * Projects coordinates into a frame and writes them as vertices of 32-bit floats.
 *
 * In a planar frame whose world repeats itself in x, each vertex is the image nearest to the origin.
 *
 * @param spatial_reference What the coordinates are in; null: what the frame was made in.
 * @param options How they are projected; NULL for the defaults.
 * @param coordinates What becomes vertices. All of it is read before anything is written.
 * @param out_vertices Receives three floats x, y, z for each point; NaN for one that has no place in the frame. Of any
 *   alignment; may lie anywhere, also between the coordinates.
 * @param vertex_stride_bytes From one vertex to the next; 0: 12. At least 12. Bytes between are left alone.
 * @param out_statuses NULL, or receives a status for each point.
 * @param out_report NULL, or receives how large the vertices are and how far they are rounded: initialise it with
 *   ALD_VERTEX_REPORT_INIT.
 * @param out_receipt NULL, or receives the receipt of the projecting; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK, also if single points failed; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an
 *   array is missing, a stride is too small, a size overflows, flags are unknown, the struct_size of out_report is
 * none, ALD_PROJECT_INVERSE stands without a transformation, the transformation leads elsewhere, or objects are of
 * different runtimes; ALD_STATUS_MISSING_GRID if the chosen transformation lacks grid files; ALD_STATUS_UNSUPPORTED if
 * PROJ cannot run the chosen transformation, or not backwards; ALD_STATUS_PROJECTION_FAILED if there is no operation
 *   between the spatial reference and the frame's; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_engine_frame_to_vertices(ald_engine_frame frame, ald_spatial_reference spatial_reference,
                                                const ald_projection_options *options,
                                                const ald_coordinates *coordinates, float *out_vertices,
                                                size_t vertex_stride_bytes, ald_point_status *out_statuses,
                                                ald_vertex_report *out_report, ald_projection_receipt *out_receipt,
                                                ald_error *error);

/**
 * Where vertices lie on the map: what was picked in the engine, or moved there.
 *
 * @param spatial_reference What the images are to be in; null: what the frame was made in.
 * @param options How they are projected; NULL for the defaults.
 * @param vertices count vertices, each three floats x, y, z of the frame; of any alignment.
 * @param vertex_stride_bytes From one vertex to the next; 0: 12. At least 12.
 * @param count How many; 0 does nothing.
 * @param images Where the coordinates go: x, y and, unless z is NULL, heights, in the unit of the vertical axis of the
 *   spatial reference; metres without one. NaN for a vertex without a place. All vertices are read before anything is
 *   written.
 * @param out_statuses NULL, or receives count statuses. A vertex nearer to the earth's centre than a tenth of its
 * radius is ALD_POINT_FAILED.
 * @param out_receipt NULL, or receives the receipt of the projecting; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK, also if single vertices failed; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an
 *   array is missing, a stride is too small, columns overlap, a size overflows, flags are unknown, ALD_PROJECT_INVERSE
 *   stands without a transformation, the transformation leads elsewhere, or objects are of different runtimes;
 *   ALD_STATUS_MISSING_GRID if the chosen transformation lacks grid files; ALD_STATUS_UNSUPPORTED if PROJ cannot run
 * the chosen transformation, or not backwards; ALD_STATUS_PROJECTION_FAILED if there is no operation between the
 * frame's spatial reference and the other; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_engine_frame_from_vertices(ald_engine_frame frame, ald_spatial_reference spatial_reference,
                                                  const ald_projection_options *options, const float *vertices,
                                                  size_t vertex_stride_bytes, size_t count,
                                                  const ald_coordinate_images *images, ald_point_status *out_statuses,
                                                  ald_projection_receipt *out_receipt, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

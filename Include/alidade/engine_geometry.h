/**
 * @file
 * Geometries as vertices of a local frame.
 *
 * Vertices come geometry by geometry, part by part and path by path, as the columns of an array have them; those of a
 * collection member by member. ald_geometry_get_columns and ald_geometry_array_get_columns tell where each path begins.
 * A vertex without a height is at height 0.
 */
#ifndef ALIDADE_ENGINE_GEOMETRY_H
#define ALIDADE_ENGINE_GEOMETRY_H

#include "base.h"
#include "engine_frame.h"
#include "geometry.h"
#include "geometry_array.h"
#include "projection.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Projects the vertices of a geometry into a frame and writes them as 32-bit floats. See ald_engine_frame_to_vertices.
 *
 * @param geometry Has a spatial reference.
 * @param options How vertices are projected; NULL for the defaults.
 * @param out_vertices Receives three floats x, y, z for each vertex; NaN for one that has no place in the frame. Of any
 *   alignment.
 * @param vertex_stride_bytes From one vertex to the next; 0: 12. At least 12. Bytes between are left alone.
 * @param vertex_capacity How many vertices out_vertices and, unless it is NULL, out_statuses have room for: at least
 * the geometry's.
 * @param out_statuses NULL, or receives a status for each vertex.
 * @param out_report NULL, or receives how large the vertices are and how far they are rounded: initialise it with
 *   ALD_VERTEX_REPORT_INIT.
 * @param out_receipt NULL, or receives the receipt of the projecting; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK, also if single vertices failed; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the
 *   geometry has no spatial reference, an array is missing, the stride is too small, a size overflows, flags are
 *   unknown, the struct_size of out_report is none, ALD_PROJECT_INVERSE stands without a transformation, the
 *   transformation leads elsewhere, or objects are of different runtimes; ALD_STATUS_BUFFER_TOO_SMALL;
 *   ALD_STATUS_MISSING_GRID if the chosen transformation lacks grid files; ALD_STATUS_UNSUPPORTED if PROJ cannot run
 * the chosen transformation, or not backwards; ALD_STATUS_PROJECTION_FAILED if there is no operation between the
 * spatial reference and the frame's; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_engine_frame_geometry_to_vertices(ald_engine_frame frame, ald_geometry geometry,
                                                         const ald_projection_options *options, float *out_vertices,
                                                         size_t vertex_stride_bytes, size_t vertex_capacity,
                                                         ald_point_status *out_statuses, ald_vertex_report *out_report,
                                                         ald_projection_receipt *out_receipt, ald_error *error);

/**
 * The same for all geometries of an array.
 *
 * @param geometry_array Has a spatial reference.
 * @param options How vertices are projected; NULL for the defaults.
 * @param out_vertices Receives three floats x, y, z for each vertex; NaN for one that has no place in the frame. Of any
 *   alignment.
 * @param vertex_stride_bytes From one vertex to the next; 0: 12. At least 12. Bytes between are left alone.
 * @param vertex_capacity How many vertices out_vertices and, unless it is NULL, out_statuses have room for: at least
 * the array's.
 * @param out_statuses NULL, or receives a status for each vertex.
 * @param out_report NULL, or receives how large the vertices are and how far they are rounded: initialise it with
 *   ALD_VERTEX_REPORT_INIT.
 * @param out_receipt NULL, or receives the receipt of the projecting; the host owns it. Set to null on failure.
 * @return As ald_engine_frame_geometry_to_vertices: ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE;
 *   ALD_STATUS_INVALID_ARGUMENT; ALD_STATUS_BUFFER_TOO_SMALL; ALD_STATUS_MISSING_GRID; ALD_STATUS_UNSUPPORTED;
 *   ALD_STATUS_PROJECTION_FAILED; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_engine_frame_geometry_array_to_vertices(
    ald_engine_frame frame, ald_geometry_array geometry_array, const ald_projection_options *options,
    float *out_vertices, size_t vertex_stride_bytes, size_t vertex_capacity, ald_point_status *out_statuses,
    ald_vertex_report *out_report, ald_projection_receipt *out_receipt, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

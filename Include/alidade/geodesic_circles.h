/**
 * @file
 * Vertices of circles on the earth, written into memory of the host's.
 */
#ifndef ALIDADE_GEODESIC_CIRCLES_H
#define ALIDADE_GEODESIC_CIRCLES_H

#include "base.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Writes geodesic circles into memory of the host's, such as a vertex buffer, on all cores: for each centre the places
 * at that distance in evenly spaced directions, the first one due north, the others clockwise, not closed. Each lies
 * within 1e-8 m of the exact place, poles included: it is Karney's solution of the direct problem, for four directions
 * at a time.
 *
 * In a geographic spatial reference the longitudes of a circle hang together: they follow it without a jump, beyond 180
 * if need be. Around a pole they go on for a turn.
 *
 * @param spatial_reference What the centres are in, and the vertices. Its runtime's cores and policy count.
 * @param xy The centres: pairs x, y. Where one is no place on the earth, the vertices of its circle are NaN; so is a
 * vertex that has no place in the spatial reference.
 * @param stride_bytes Bytes from one centre to the next; 0: 16. At least 16.
 * @param count How many centres xy has.
 * @param radii_m A radius for each centre, metres, above 0 and at most 19,970 km (on the earth); where there are fewer,
 * the last one holds for the rest.
 * @param radius_count How many radii there are: 1 to count; 1 if count is 0.
 * @param vertices_per_circle From due north on around,, 3 to 1048576.
 * @param out_vertex_xy Receives the vertices, circle after circle. May not overlap the input.
 * @param out_stride_bytes Bytes from one vertex to the next; 0: 16. At least 16.
 * @param vertex_capacity How many vertices out_vertex_xy has room for.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a number is out of its range or an
 * argument is missing; ALD_STATUS_UNSUPPORTED if the spatial reference is local or has an ellipsoid that is too flat;
 * ALD_STATUS_PROJECTION_FAILED if PROJ knows no way from the spatial reference to longitudes and latitudes;
 * ALD_STATUS_LIMIT_EXCEEDED if there are more vertices than the policy allows; ALD_STATUS_BUFFER_TOO_SMALL. With these
 * the memory is left alone.
 */
ALD_API ald_status ald_geodesic_circles_fill(ald_spatial_reference spatial_reference, const double *xy,
                                             size_t stride_bytes, size_t count, const double *radii_m,
                                             size_t radius_count, uint32_t vertices_per_circle, double *out_vertex_xy,
                                             size_t out_stride_bytes, size_t vertex_capacity, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Statistics of a raster's cells inside polygons.
 *
 * Polygons are given as rings of vertices. What lies inside an odd number of rings is inside: a ring in another is a
 * hole, rings beside each other are a multipolygon, and a ring that crosses itself has what lies in it an even number
 * of times left out. Rings are closed by themselves; a last vertex equal to the first does no harm. Their direction
 * does not matter.
 *
 * Rings in another spatial reference than the raster's are straight there and bent in the raster's grid: each of their
 * segments is divided until what is left straight is nowhere farther than 1/8 of a cell from where it belongs. A
 * polygon with a vertex or part of an edge that has no image in the raster's spatial reference, or that runs across a
 * seam of it (such as 180 degrees), is refused: cut it there. Longitudes are not wrapped: -179 is not 181, so a polygon
 * across 180 in the raster's own degrees goes from 179 to 181, or from -181 to -179. Where the world repeats itself,
 * the parts of such a polygon that lie beyond the raster's western or eastern edge have the cells of the other side,
 * each cell once: a polygon may cross the seam of a raster of the whole world.
 */
#ifndef ALIDADE_RASTER_STATISTICS_H
#define ALIDADE_RASTER_STATISTICS_H

#include "base.h"
#include "raster.h"
#include "raster_sampling.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which cells belong to a polygon. */
typedef int32_t ald_polygon_rule;
enum {
  /**
   * Cells whose middle lies inside. A middle exactly on an edge belongs to the polygon on the edge's right (or, if the
   * edge runs along a row of cells, below it), in the raster's grid: polygons that share an edge, vertex by vertex,
   * share no cell, and none is left out between them.
   */
  ALD_POLYGON_CELL_CENTERS = 0,
  /** Cells that have a point, be it on their edge, in common with the polygon or its boundary. */
  ALD_POLYGON_ALL_TOUCHED = 1
};

/** How cells of polygons are chosen and counted. */
typedef struct ald_polygon_options {
  uint32_t struct_size;
  ald_polygon_rule rule;
  ald_sampling_flags flags;
  uint32_t reserved;
} ald_polygon_options;

/** Initialises an ald_polygon_options to cell centres, stored values. */
#define ALD_POLYGON_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_polygon_options), 0, 0, 0 }

/**
 * Statistics of the cells of a polygon. Each cell counts as one, whatever part of it lies inside. A NaN that no nodata
 * value explains counts as no value. Values are doubles, as in raster_sampling.h; the sum is compensated, so that its
 * error does not grow with the number of cells, and the result is the same on any number of threads.
 */
typedef struct ald_polygon_statistics {
  uint32_t struct_size;
  uint32_t reserved;
  /** Cells that have a value. The fields from mean on are NaN, and the cells -1 and -1, if there are none. */
  uint64_t value_count;
  /** Cells of the raster that have none: nodata, masked, transparent, NaN. */
  uint64_t empty_count;
  /** Cells that the polygon would have if the raster's grid went on beyond its edges, and that it has on no other side.
   */
  uint64_t outside_count;
  double sum;
  double mean;
  double minimum;
  double maximum;
  /** Of the population: the root of the mean square deviation from the mean. */
  double standard_deviation;
  /** The first cell, row by row, that has the minimum, and the maximum. */
  ald_cell_index minimum_cell;
  ald_cell_index maximum_cell;
} ald_polygon_statistics;

/** Initialises an ald_polygon_statistics. */
#define ALD_POLYGON_STATISTICS_INIT                                                                                    \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_polygon_statistics), 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0, {0, 0}, {                           \
      0, 0                                                                                                             \
    }                                                                                                                  \
  }

/** How often a stored value occurs. 24 bytes for ever. */
typedef struct ald_class_count {
  /** The stored value; for 64-bit integers beyond 2^53 integer is exact. */
  double value;
  /** The stored value, exact; of UINT64 its bits. */
  int64_t integer;
  /** How many cells have it. */
  uint64_t cell_count;
} ald_class_count;

/**
 * Statistics of a band's cells in a polygon. Read block by block and on all cores.
 *
 * @param spatial_reference What the rings are in; null: the raster's own.
 * @param band From 1 to the raster's band_count.
 * @param xy The vertices of all rings, one ring after the other: two doubles x, y each, finite.
 * @param stride_bytes From one vertex to the next; 0: 16. At least 16.
 * @param vertex_count How many.
 * @param ring_starts NULL for one ring of all vertices; or ring_count numbers: of each ring its first vertex. The first
 *   is 0, and each ring has at least 3 vertices.
 * @param ring_count How many rings; 0 or 1 if ring_starts is NULL.
 * @param options NULL for cell centres and stored values.
 * @param out_statistics Initialise it with ALD_POLYGON_STATISTICS_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if xy is NULL, the stride is too small,
 *   a size overflows, a ring has fewer than 3 vertices, a vertex is not finite, the ring starts do not rise from 0, an
 *   option is out of its range, out_statistics is NULL or its struct_size is none, or the two are of different
 * runtimes; ALD_STATUS_NOT_FOUND if there is no such band; ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by
 * a geotransform; ALD_STATUS_NOT_READY if a spatial reference is given and the raster has none;
 *   ALD_STATUS_PROJECTION_FAILED if there is no operation between the two, or a part of the boundary has no image or
 *   crosses a seam; ALD_STATUS_LIMIT_EXCEEDED if the polygon has more cells in the raster, or its boundary crosses more
 *   rows of cells, than the policy allows; ALD_STATUS_READ_FAILED with GDAL's words; then nothing is written.
 */
ALD_API ald_status ald_raster_polygon_statistics(ald_raster raster, ald_spatial_reference spatial_reference,
                                                 int32_t band, const double *xy, size_t stride_bytes,
                                                 size_t vertex_count, const size_t *ring_starts, size_t ring_count,
                                                 const ald_polygon_options *options,
                                                 ald_polygon_statistics *out_statistics, ald_error *error);

/**
 * How often each stored value of an integer band occurs in a polygon: land cover classes, categories. Cells without a
 * value are not counted.
 *
 * @param spatial_reference What the rings are in; null: the raster's own.
 * @param band From 1 to the raster's band_count.
 * @param xy The vertices of all rings, as for ald_raster_polygon_statistics.
 * @param stride_bytes From one vertex to the next; 0: 16. At least 16.
 * @param vertex_count How many.
 * @param ring_starts NULL for one ring of all vertices; or ring_count numbers: of each ring its first vertex.
 * @param ring_count How many rings; 0 or 1 if ring_starts is NULL.
 * @param options NULL for cell centres. ALD_SAMPLING_SCALED is refused: classes are stored values.
 * @param out_classes Receives the values that occur, rising; NULL with capacity 0 asks for the number alone.
 * @param capacity How many classes out_classes has room for.
 * @param out_count Receives the number of values that occur; also written when the buffer is too small. May be NULL if
 *   out_classes is not.
 * @return As ald_raster_polygon_statistics: ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT, also
 *   if out_classes is NULL and capacity is not 0 or nothing is asked for; ALD_STATUS_NOT_FOUND; ALD_STATUS_UNSUPPORTED,
 *   also if the band does not store integers; ALD_STATUS_NOT_READY; ALD_STATUS_PROJECTION_FAILED;
 *   ALD_STATUS_LIMIT_EXCEEDED; ALD_STATUS_BUFFER_TOO_SMALL; ALD_STATUS_READ_FAILED; then nothing is written.
 */
ALD_API ald_status ald_raster_polygon_classes(ald_raster raster, ald_spatial_reference spatial_reference, int32_t band,
                                              const double *xy, size_t stride_bytes, size_t vertex_count,
                                              const size_t *ring_starts, size_t ring_count,
                                              const ald_polygon_options *options, ald_class_count *out_classes,
                                              size_t capacity, size_t *out_count, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

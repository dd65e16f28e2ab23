/**
 * @file
 * Heights of many points from a raster, in one call: for terrain, and to put what has no height onto the ground.
 */
#ifndef ALIDADE_RASTER_HEIGHTS_H
#define ALIDADE_RASTER_HEIGHTS_H

#include "base.h"
#include "projection.h"
#include "raster.h"
#include "raster_sampling.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_height_options.fields. */
typedef uint32_t ald_height_fields;
enum {
  /** The interpolation is given; else it is bilinear. */
  ALD_HEIGHT_HAS_INTERPOLATION = 1
};

/** How heights are taken. */
typedef struct ald_height_options {
  uint32_t struct_size;
  ald_height_fields fields;
  /** See raster_sampling.h for the weights, at the raster's edge and beside cells without a value, too. */
  ald_interpolation interpolation;
  /** From 1; 0: the first. */
  int32_t band;
  /** The length of the unit of the band's scaled values, 1e-9 to 1e9; 0: what the band or the raster says. */
  double metres_per_band_unit;
  /** How heights are converted, see ald_projection_options: strict, only the best, or not at all. */
  ald_project_flags project_flags;
  uint32_t reserved;
} ald_height_options;

/** Initialises an ald_height_options to bilinear heights of the first band. */
#define ALD_HEIGHT_OPTIONS_INIT                                                                                        \
  { (uint32_t)sizeof(ald_height_options), 0, 0, 0, 0.0, 0, 0 }

/** Bits of ald_height_info.flags. */
typedef uint32_t ald_height_flags;
enum {
  /** Neither the band nor the raster's spatial reference tells the unit of the values: they were taken for metres. */
  ALD_HEIGHT_UNIT_ASSUMED = 1,
  /** Heights went from the raster's vertical reference to that of the points. */
  ALD_HEIGHT_CONVERTED = 2,
  /** The two have different vertical parts, or only one has any: heights are above the raster's own reference. */
  ALD_HEIGHT_REFERENCE_KEPT = 4
};

/** What heights are. */
typedef struct ald_height_info {
  uint32_t struct_size;
  ald_height_flags flags;
  uint64_t point_count;
  /** How many points have no height. */
  uint64_t failed_count;
  /** Metres per unit of the heights that were written; negative for depths. */
  double metres_per_unit;
} ald_height_info;

/** Initialises an ald_height_info. */
#define ALD_HEIGHT_INFO_INIT                                                                                           \
  { (uint32_t)sizeof(ald_height_info), 0, 0, 0, 0.0 }

/**
 * Heights of a raster at points. Read block by block and on all cores; the answers are in the order of the points.
 *
 * The band's scaled values are lengths: in the unit of the band, else in that of the vertical axis of the raster's
 * spatial reference, else metres. What is written is in the unit of the vertical axis of the points' spatial reference
 * (depths are depths); metres upwards without one. If both the raster and the points have a vertical part, heights are
 * converted from the one to the other; else they stay above what the raster has them above, commonly the sea.
 *
 * @param spatial_reference What the points are in, and the heights will be; null: the raster's own.
 * @param options NULL for bilinear heights of the first band.
 * @param coordinates The points; z and t are not read. All are read before anything is written. A point that is not
 *   finite is ALD_CELL_OUTSIDE.
 * @param out_heights Receives count heights, NaN where there is none. Of any alignment; may be the z of the
 *   coordinates' own vertices.
 * @param height_stride_bytes From one height to the next; 0: 8. At least 8. Bytes between are left alone.
 * @param out_verdicts NULL, or receives count verdicts (ald_cell_verdict as bytes): ALD_CELL_VALUE where there is a
 *   height. Where one cannot be converted it is ALD_CELL_NOT_PROJECTABLE. Where the band's value is NaN or infinite it
 *   is ALD_CELL_NODATA, also if the band has no nodata value.
 * @param out_info NULL, or receives what the heights are: initialise it with ALD_HEIGHT_INFO_INIT.
 * @param out_receipt NULL, or receives what the heights were converted by; the host owns it. Null if they were not
 *   converted, and on failure.
 * @return ALD_STATUS_OK, also if single points have no height; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT
 * if an array is missing, a stride is too small, a size overflows, an option is out of its range, flags are unknown,
 * the struct_size of out_info is none, or the two are of different runtimes; ALD_STATUS_NOT_FOUND if there is no such
 *   band; ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform, or the band's unit is no length
 *   that is known; ALD_STATUS_NOT_READY if a spatial reference is given and the raster has none;
 *   ALD_STATUS_PROJECTION_FAILED if there is no operation between the two; ALD_STATUS_LIMIT_EXCEEDED;
 *   ALD_STATUS_READ_FAILED with GDAL's words; then nothing is written.
 */
ALD_API ald_status ald_raster_read_heights(ald_raster raster, ald_spatial_reference spatial_reference,
                                           const ald_height_options *options, const ald_coordinates *coordinates,
                                           double *out_heights, size_t height_stride_bytes, uint8_t *out_verdicts,
                                           ald_height_info *out_info, ald_projection_receipt *out_receipt,
                                           ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

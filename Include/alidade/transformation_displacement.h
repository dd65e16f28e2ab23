/**
 * @file
 * How far apart two transformations put the same places: what it costs, in metres, to use one for want of another.
 *
 * A transformation whose grid file is missing cannot be run, so nothing can be measured with it: the call answers
 * ALD_STATUS_MISSING_GRID. Until the file is there, the accuracies in a transformation list are the estimate. Once it
 * is in a grid directory, this is what tells where it matters, and by how much.
 */
#ifndef ALIDADE_TRANSFORMATION_DISPLACEMENT_H
#define ALIDADE_TRANSFORMATION_DISPLACEMENT_H

#include "base.h"
#include "spatial_reference.h"
#include "transformation.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where transformations are compared: at the centres of cells that cut the box around the area evenly. */
typedef struct ald_displacement_options {
  uint32_t struct_size;
  /** How many places there are from west to east; 0: 16. */
  uint32_t columns;
  /** How many places there are from north to south; 0: 16. columns x rows is at most max_request_points of the policy.
   */
  uint32_t rows;
  /** How many points area holds, at most 100,000. */
  uint32_t area_count;
  /**
   * The area. Two points: the lower left and the upper right corner of a box; of a geographic box that crosses the
   * antimeridian the first x is the greater one. Three or more: a polygon; only the places inside it are compared.
   * NULL: the smaller one of the areas where the two spatial references are used.
   */
  const ald_point *area;
  /** What area is in; null: WGS 84, longitude and latitude in degrees. */
  ald_spatial_reference area_spatial_reference;
} ald_displacement_options;

/** Initialises an ald_displacement_options to the default. */
#define ALD_DISPLACEMENT_OPTIONS_INIT                                                                                  \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_displacement_options), 0, 0, 0, NULL, {                                                       \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** How far apart two transformations put the same places. */
typedef struct ald_displacement {
  uint32_t struct_size;
  /** How many places were compared. */
  uint32_t sample_count;
  /** For how many places of the area one of the two transformations has no result. */
  uint32_t failed_count;
  /** As used. */
  uint32_t columns;
  uint32_t rows;
  uint32_t reserved;
  /** Metres, along geodesics on the ellipsoid of the target. */
  double min_m;
  /** The mean; each place counts by the area of its cell on the ellipsoid. */
  double mean_m;
  double max_m;
  /** Where the least is, in the area's spatial reference. */
  ald_point min_at;
  ald_point max_at;
  /**
   * The box around the area, in its spatial reference. x runs on across the antimeridian. The centre of column c and
   * row r, row 0 in the north, is at x_min + (c + 0.5) / columns of its width and y_max - (r + 0.5) / rows of its
   * height.
   */
  ald_envelope extent;
} ald_displacement;

/** Initialises an ald_displacement. */
#define ALD_DISPLACEMENT_INIT                                                                                          \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_displacement), 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, {0.0, 0.0}, {0.0, 0.0}, {                        \
      0.0, 0.0, 0.0, 0.0                                                                                               \
    }                                                                                                                  \
  }

/**
 * Measures over an area how far apart two transformations put the same places.
 *
 * A transformation must lead from `from` to `to`, as those of a list between the two do, or between other systems of
 * the same two datums: then what is missing at either end are conversions, which are exact.
 *
 * @param from The spatial reference that is transformed from.
 * @param to The spatial reference that is transformed to.
 * @param first_transformation NULL: what ald_project_points uses at each place, which may be several ones and may be a
 *   ballpark.
 * @param second_transformation NULL: the same.
 * @param options NULL for all defaults.
 * @param out_summary Initialise it with ALD_DISPLACEMENT_INIT.
 * @param out_field NULL, or receives columns x rows distances in metres, row by row from the north, each from west to
 *   east; NaN outside the area and where one of the two has no result.
 * @param field_capacity How many distances out_field has room for.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an option is not valid, there is no
 *   area and none is known, a transformation belongs to other datums, out_summary is NULL or its struct_size is none,
 *   or not all are of one runtime; ALD_STATUS_MISSING_GRID if a transformation lacks a grid file (the message names
 *   each); ALD_STATUS_UNSUPPORTED if PROJ cannot run a transformation; ALD_STATUS_PROJECTION_FAILED if there is no
 *   operation between the two, or no place has both results; ALD_STATUS_LIMIT_EXCEEDED;
 *   ALD_STATUS_BUFFER_TOO_SMALL, and out_field is left alone.
 */
ALD_API ald_status ald_transformation_displacement(ald_spatial_reference from, ald_spatial_reference to,
                                                   ald_transformation first_transformation,
                                                   ald_transformation second_transformation,
                                                   const ald_displacement_options *options,
                                                   ald_displacement *out_summary, double *out_field,
                                                   size_t field_capacity, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

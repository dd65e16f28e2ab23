/**
 * @file
 * The box around a projected box.
 *
 * The extremes of the image are searched, not sampled: along the four edges, which are lines of constant x and y, and
 * inside, where a pole lies or where the image folds, jumps or breaks off. They are right to 1e-8 of the longer side of
 * the image where the operation is given by formulas; where a grid file shifts coordinates, to what the shift varies by
 * between places that lie 1/64 of an edge apart, mostly less than some centimetres. Where longitudes and latitudes end
 * at the limb of a globe seen from outside, they change without bound, and are right to some hundredths of a degree.
 */
#ifndef ALIDADE_ENVELOPE_H
#define ALIDADE_ENVELOPE_H

#include "base.h"
#include "projection.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_projected_envelope.flags. */
typedef uint32_t ald_projected_envelope_flags;
enum {
  /** Some of the box cannot be projected, and is left out. */
  ALD_ENVELOPE_PARTIAL = 1,
  /** x_min > x_max: the box goes over the antimeridian, or over the line along which another map is cut open. */
  ALD_ENVELOPE_CROSSES_ANTIMERIDIAN = 2,
  /** The north pole lies in the box or on its edge. */
  ALD_ENVELOPE_HOLDS_NORTH_POLE = 4,
  /** The south pole lies in the box or on its edge. */
  ALD_ENVELOPE_HOLDS_SOUTH_POLE = 8
};

/** The box around the image of a box. */
typedef struct ald_projected_envelope {
  uint32_t struct_size;
  ald_projected_envelope_flags flags;
  /** The box, with x_min > x_max if it crosses the antimeridian. */
  ald_envelope envelope;
} ald_projected_envelope;

/** Initialises an ald_projected_envelope. */
#define ALD_PROJECTED_ENVELOPE_INIT                                                                                    \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_projected_envelope), 0, {                                                                     \
      0.0, 0.0, 0.0, 0.0                                                                                               \
    }                                                                                                                  \
  }

/**
 * Projects a box: the narrowest box in another spatial reference that holds the image of each point of it.
 *
 * In a spatial reference whose world repeats itself (world_width of ald_spatial_reference_info is not NaN), x_min >
 * x_max means that a box goes over the antimeridian: 170 to -170 is 20 degrees wide, in and out. A box that holds a
 * pole strictly inside, or that goes all around, has the whole width of the world there: -180 to 180. A box wider than
 * the world is taken for one around it. One that is not, and lies more than 2^20 worlds away, is refused: its numbers
 * do not say any more which place they mean. Between the same positions a box stays as it is, bit for bit.
 *
 * What has no image is left out, and ALD_ENVELOPE_PARTIAL is set. A Mercator projection has no image for a pole, and
 * images without end near it: of a box that holds a pole, what lies beyond the square world map (85.06 degrees in
 * EPSG:3857) is left out as well, unless all of the box lies there. In other systems without end (the far pole of a
 * polar or conic system) the box reaches as far as doubles do.
 *
 * @param from The spatial reference of the box.
 * @param to The spatial reference of the result.
 * @param options How points are projected; NULL for the defaults. A point that they refuse is left out of the result.
 * @param envelope The box; finite. It may be a point or a line.
 * @param out_envelope Initialise it with ALD_PROJECTED_ENVELOPE_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the box is not finite, y_min is
 *   greater than y_max, or x_min than x_max by more than once around or where nothing repeats itself, or the box lies
 *   too many worlds away, an option is not valid, the chosen transformation leads elsewhere, out_envelope is NULL or
 * its struct_size is none, or objects are of different runtimes; ALD_STATUS_MISSING_GRID if the chosen transformation
 * lacks grid files; ALD_STATUS_UNSUPPORTED if PROJ cannot run it, or not backwards; ALD_STATUS_PROJECTION_FAILED if
 * there is no operation between the two, or nothing of the box has an image.
 */
ALD_API ald_status ald_project_envelope(ald_spatial_reference from, ald_spatial_reference to,
                                        const ald_projection_options *options, ald_envelope envelope,
                                        ald_projected_envelope *out_envelope, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Projecting: coordinates and boxes from one spatial reference into another, and receipts that say which operations
 * were used.
 *
 * By default, the library selects an operation for each point: the operation that PROJ ranks best at this location
 * among the operations whose grid files are available. If that operation fails, the library tries the next best ones,
 * as PROJ does, and finally operations that are not meant for the location. The receipt, the operation index of each
 * point, and ald_spatial_reference_get_projection_info say which operation was used. If the host chooses a
 * transformation, the library uses only that transformation.
 *
 * Heights are converted only if both spatial references have a vertical part, the chosen transformation (if there is
 * one) converts heights, and the host gives heights. Otherwise heights are copied, and have no effect on x and y.
 * Where the grid of the heights is missing, PROJ ranks first an operation that does not move the positions between
 * their datums either; the library ranks it last, so x and y may differ from PROJ's, by up to 150 m.
 *
 * @code{.c}
 * double xy[2] = {9.17, 48.78}; // Longitude and latitude of one point.
 * ald_spatial_reference degrees;
 * ald_status status = ald_spatial_reference_create(runtime, "EPSG:4326", &degrees, error);
 * if (status == ALD_STATUS_OK)
 *   status = ald_spatial_reference_project_points(degrees, spatial_reference, xy, 0, 1, xy, 0, NULL, error);
 * if (status == ALD_STATUS_OK)
 *   printf("%f %f\n", xy[0], xy[1]);
 * ald_spatial_reference_release(degrees);
 * return ALD_STATUS_OK;
 * @endcode
 */
#ifndef ALIDADE_PROJECTION_H
#define ALIDADE_PROJECTION_H

#include "base.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The operation that projects a point from one spatial reference into another. */
typedef struct ald_projection_info {
  uint32_t struct_size;
  /** 1 if the operation is a ballpark one: it treats the datums as equal, because no relation is known. Otherwise 0. */
  uint32_t is_ballpark;
  /** The accuracy in metres, as the authority states it; NaN if it is not known. */
  double accuracy_m;
  /** The name of the operation. A longer name is cut at a whole character. */
  char name[256];
} ald_projection_info;

/** Initialises an ald_projection_info. */
#define ALD_PROJECTION_INFO_INIT                                                                                       \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_projection_info), 0, 0.0, {                                                                   \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** The result of projecting one point. For all values except ALD_POINT_STATUS_OK, the resulting coordinates are NaN. */
typedef uint8_t ald_point_status;
enum ald_point_status_values {
  /** The point was projected. */
  ALD_POINT_STATUS_OK = 0,
  /** The point has no image in the target spatial reference, or PROJ's result is a latitude beyond the poles. */
  ALD_POINT_STATUS_FAILED = 1,
  /** An input coordinate is NaN or infinite. */
  ALD_POINT_STATUS_NOT_FINITE = 2,
  /** The point is outside the grid of the operation for its location, or in a part of the grid without values. */
  ALD_POINT_STATUS_OUTSIDE_GRID = 3,
  /** Only a ballpark operation exists for the point, and ALD_PROJECT_STRICT refuses it. */
  ALD_POINT_STATUS_ONLY_BALLPARK = 4,
  /**
   * The grid file of the best operation for the point is missing or cannot be read, and ALD_PROJECT_ONLY_BEST refuses
   * other operations. Or the grid file of the chosen transformation cannot be read at this location.
   */
  ALD_POINT_STATUS_MISSING_GRID = 5,
  /** A latitude is beyond 90 degrees, a longitude is many turns around the world, or a coordinate is 1e15 or more. */
  ALD_POINT_STATUS_INVALID_COORDINATE = 6
};

/** Bits of ald_projection_options.flags. */
typedef uint32_t ald_project_flags;
enum ald_project_flags_values {
  /** Refuses points that only a ballpark operation, which treats the datums as equal, could project. */
  ALD_PROJECT_STRICT = 1,
  /**
   * Refuses points whose best operation lacks a grid file. The best operation is the operation that would be selected
   * if all grid files were available. Has no effect with a chosen transformation.
   */
  ALD_PROJECT_ONLY_BEST = 2,
  /** Copies heights, even if both spatial references have heights. */
  ALD_PROJECT_IGNORE_VERTICAL = 4,
  /** Runs the chosen transformation backwards. */
  ALD_PROJECT_INVERSE = 8
};

/** The settings for projecting coordinates. */
typedef struct ald_projection_options {
  uint32_t struct_size;
  ald_project_flags flags;
  /** The only operation that is used. Null: the best operation for the location of each point. */
  ald_transformation transformation;
} ald_projection_options;

/** Initialises an ald_projection_options to the default. */
#define ALD_PROJECTION_OPTIONS_INIT                                                                                    \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_projection_options), 0, {                                                                     \
      0                                                                                                                \
    }                                                                                                                  \
  }

/**
 * Input coordinates: columns of doubles, with any alignment.
 *
 * One stride applies to all columns. It suits separate columns (stride 0) and also an array of vertices, where each
 * pointer points to its field of the first vertex.
 */
typedef struct ald_coordinates {
  uint32_t struct_size;
  uint32_t reserved;
  /** The number of points. 0 does nothing. */
  size_t count;
  /** East or longitude; geocentric X. */
  const double *x;
  /** North or latitude; geocentric Y. */
  const double *y;
  /** Heights, depths or geocentric Z, in the unit of the vertical axis. NULL means 0 everywhere. */
  const double *z;
  /** Coordinate epochs in decimal years, such as 2024.5, for operations that depend on time. NULL means none. */
  const double *t;
  /** Bytes from one point to the next in each column, at least 8. 0 means 8. */
  size_t stride_bytes;
} ald_coordinates;

/** Initialises an ald_coordinates without points. */
#define ALD_COORDINATES_INIT                                                                                           \
  { (uint32_t)sizeof(ald_coordinates), 0, 0, NULL, NULL, NULL, NULL, 0 }

/** Output coordinates: columns for as many points as the input has. */
typedef struct ald_projected_coordinates {
  uint32_t struct_size;
  uint32_t reserved;
  double *x;
  double *y;
  /** NULL: heights are not written. */
  double *z;
  /** Bytes from one point to the next in each column, at least 8. 0 means 8. Bytes between points are not changed. */
  size_t stride_bytes;
} ald_projected_coordinates;

/** Initialises an ald_projected_coordinates. */
#define ALD_PROJECTED_COORDINATES_INIT                                                                                 \
  { (uint32_t)sizeof(ald_projected_coordinates), 0, NULL, NULL, NULL, 0 }

/** The operation index of a point that no operation projected. */
#define ALD_NO_OPERATION UINT32_MAX

/** Bits of ald_projection_receipt_info.flags. */
typedef uint32_t ald_projection_receipt_flags;
enum ald_projection_receipt_flags_values {
  /** A ballpark operation projected at least one point. */
  ALD_PROJECTION_RECEIPT_BALLPARK = 1,
  /** The two spatial references mean the same positions: the coordinates are unchanged, bit for bit. */
  ALD_PROJECTION_RECEIPT_IDENTITY = 2,
  /** More than one operation was used. */
  ALD_PROJECTION_RECEIPT_SEVERAL = 4,
  /** The host chose a transformation. */
  ALD_PROJECTION_RECEIPT_CHOSEN = 8,
  /** Heights were converted together with the positions. Without this bit they were copied. */
  ALD_PROJECTION_RECEIPT_VERTICAL = 16,
  /**
   * The numbers follow EPSG's formulas, and differ from the numbers of PROJ's own programs. One of the two spatial
   * references has a map projection for which PROJ has other formulas (methods 9803, as in EPSG:31300, 1028, as in
   * EPSG:4087, and 1027 and 9834 on an ellipsoid, as in EPSG:9311).
   */
  ALD_PROJECTION_RECEIPT_EPSG_FORMULAS = 32
};

/** The summary of a receipt. */
typedef struct ald_projection_receipt_info {
  uint32_t struct_size;
  ald_projection_receipt_flags flags;
  /**
   * The worst accuracy of the used operations, in metres. NaN if an accuracy is not known, or no operation was used.
   */
  double accuracy_m;
  /** The number of points. */
  uint64_t point_count;
  /** The number of points whose status is not ALD_POINT_STATUS_OK. */
  uint64_t failed_count;
  /** The number of used operations, which is the number of rows. */
  uint32_t operation_count;
  uint32_t reserved;
} ald_projection_receipt_info;

/** Initialises an ald_projection_receipt_info. */
#define ALD_PROJECTION_RECEIPT_INFO_INIT                                                                               \
  { (uint32_t)sizeof(ald_projection_receipt_info), 0, 0.0, 0, 0, 0, 0 }

/** A row of a receipt: an operation that was used. */
typedef struct ald_projection_receipt_row {
  uint32_t struct_size;
  /** 1 if it is a ballpark operation. Otherwise 0. */
  uint32_t is_ballpark;
  /**
   * The transformation, which has the steps and grid files. The handle is borrowed: it is valid as long as the receipt.
   * Null for the identity.
   */
  ald_transformation transformation;
  /** The accuracy in metres, as the authority states it; NaN if it is not known. */
  double accuracy_m;
  /** The number of points that the operation projected. */
  uint64_t point_count;
  /** The name of the operation. The string is valid as long as the receipt. */
  const char *name;
} ald_projection_receipt_row;

/** Initialises an ald_projection_receipt_row. */
#define ALD_PROJECTION_RECEIPT_ROW_INIT                                                                                \
  { (uint32_t)sizeof(ald_projection_receipt_row), 0, {0}, 0.0, 0, NULL }

/** Bits of ald_projected_envelope.flags. */
typedef uint32_t ald_projected_envelope_flags;
enum ald_projected_envelope_flags_values {
  /** A part of the box cannot be projected, and is left out. */
  ALD_PROJECTED_ENVELOPE_PARTIAL = 1,
  /** x_min > x_max: the box crosses the antimeridian, or the line along which the map is cut open. */
  ALD_PROJECTED_ENVELOPE_CROSSES_ANTIMERIDIAN = 2,
  /** The north pole is inside the box or on its edge. */
  ALD_PROJECTED_ENVELOPE_HOLDS_NORTH_POLE = 4,
  /** The south pole is inside the box or on its edge. */
  ALD_PROJECTED_ENVELOPE_HOLDS_SOUTH_POLE = 8
};

/** The box around the image of a box. */
typedef struct ald_projected_envelope {
  uint32_t struct_size;
  ald_projected_envelope_flags flags;
  /** The box. x_min is greater than x_max if it crosses the antimeridian. */
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
 * Projects points, each by the operation that PROJ ranks best for its location.
 *
 * ald_spatial_reference_get_projection_info says which operation that is. A point that cannot be projected becomes NaN,
 * NaN and does not make the call fail. A latitude beyond 90 degrees cannot be projected.
 *
 * @param from The spatial reference of the input.
 * @param to The spatial reference of the output.
 * @param xy count points, each with two doubles x, y.
 * @param stride_bytes Bytes from one point to the next, at least 16. 0 means 16.
 * @param count The number of points. 0 does nothing.
 * @param out_xy Receives the points. It may be xy with the same stride. Otherwise the two must not overlap.
 * @param out_stride_bytes Bytes from one point to the next, at least 16. 0 means 16. Bytes between points are not
 *   changed.
 * @param out_statuses NULL, or receives count statuses, each ALD_POINT_STATUS_OK or ALD_POINT_STATUS_FAILED.
 *   ald_spatial_reference_project_coordinates gives the exact reason.
 * @return ALD_STATUS_OK even if single points failed. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an array is missing, a stride is too small, a size overflows, or the two are of
 *     different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if from or to is not valid.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the two.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the number of points or their memory exceeds a limit of the policy.
 */
ALD_API ald_status ald_spatial_reference_project_points(ald_spatial_reference from, ald_spatial_reference to,
                                                        const double *xy, size_t stride_bytes, size_t count,
                                                        double *out_xy, size_t out_stride_bytes,
                                                        ald_point_status *out_statuses, ald_error *error);

/**
 * Gets the operation, with its accuracy, that ald_spatial_reference_project_points, identify and the screen functions
 * use for a point.
 *
 * @param from The spatial reference of the point.
 * @param to The spatial reference into which the point would be projected.
 * @param point The point, in from.
 * @param out_info Initialise it with ALD_PROJECTION_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the point is not finite, out_info is NULL or its struct_size is not valid, or the
 *     two are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if from or to is not valid.
 *   - ALD_STATUS_PROJECTION_FAILED if the point cannot be projected.
 */
ALD_API ald_status ald_spatial_reference_get_projection_info(ald_spatial_reference from, ald_spatial_reference to,
                                                             ald_point point, ald_projection_info *out_info,
                                                             ald_error *error);

/**
 * Projects coordinates with heights and epochs, and gives a receipt of the operations that were used.
 *
 * The library uses the best operation for each point, or the chosen transformation. A point that cannot be projected
 * becomes NaN and does not make the call fail.
 *
 * A chosen transformation need not begin and end in the two spatial references themselves: the library adds conversions
 * before and after it that do not change the datum. A datum ensemble and a member of it are different datums.
 *
 * If both spatial references are null, the coordinates are in the transformation's own systems: x is east or longitude,
 * and angles are in degrees or in the unit of its source and target. They may be geocentric.
 *
 * @param from The spatial reference of the coordinates. With a chosen transformation, from and to may both be null:
 *   coordinates and images are then in the source and the target of the transformation.
 * @param to The spatial reference of the images. See from.
 * @param options NULL for all defaults.
 * @param coordinates The input.
 * @param images Receives the output. The columns may be the columns of coordinates, with the same stride. Any
 *   other overlap of an output column with an input column is refused.
 * @param out_statuses NULL, or receives a status for each point.
 * @param out_operations NULL, or receives for each point the index of its operation, which is its row in the receipt;
 *   ALD_NO_OPERATION for a point that failed.
 * @param out_new_receipt NULL, or receives the receipt; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK even if single points failed. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a column is missing, a stride is too small, columns overlap, a size overflows,
 *     flags are unknown, ALD_PROJECT_INVERSE is set without a transformation, the transformation connects other spatial
 *     references (or does not name its own, and from and to are not null), or the objects are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a handle is not valid.
 *   - ALD_STATUS_UNSUPPORTED if PROJ cannot run the chosen transformation, or cannot run it backwards.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the two.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the number of points or their memory exceeds a limit of the policy.
 *   - ALD_STATUS_MISSING_GRID if the chosen transformation lacks grid files. The message names all of them.
 */
ALD_API ald_status ald_spatial_reference_project_coordinates(ald_spatial_reference from, ald_spatial_reference to,
                                                             const ald_projection_options *options,
                                                             const ald_coordinates *coordinates,
                                                             const ald_projected_coordinates *images,
                                                             ald_point_status *out_statuses, uint32_t *out_operations,
                                                             ald_projection_receipt *out_new_receipt, ald_error *error);

/** Releases a receipt. */
ALD_API void ald_projection_receipt_release(ald_projection_receipt receipt);

/**
 * Gets the summary of a receipt.
 *
 * @param out_info Initialise it with ALD_PROJECTION_RECEIPT_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if receipt is not valid.
 */
ALD_API ald_status ald_projection_receipt_get_info(ald_projection_receipt receipt,
                                                   ald_projection_receipt_info *out_info, ald_error *error);

/**
 * Gets a row of a receipt: one of the operations that were used.
 *
 * @param index From 0 to operation_count - 1.
 * @param out_row Initialise it with ALD_PROJECTION_RECEIPT_ROW_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_row is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if receipt is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such row.
 */
ALD_API ald_status ald_projection_receipt_get_row_at(ald_projection_receipt receipt, uint32_t index,
                                                     ald_projection_receipt_row *out_row, ald_error *error);

/**
 * Projects a box: finds the narrowest box in another spatial reference that contains the images of all points of the
 * box.
 *
 * The extremes of the image are searched, not sampled: along the four edges, which are lines of constant x and y, and
 * inside, where there is a pole or where the image folds, jumps or breaks off. They are accurate to 1e-8 of the longer
 * side of the image if the operation is given by formulas. If a grid file shifts coordinates, they are accurate to the
 * variation of the shift between points that are 1/64 of an edge apart, usually less than some centimetres. Where
 * the box reaches the limb of a globe seen from outside, the image changes without bound, and PROJ refuses some of the
 * last points: there, longitudes and latitudes are accurate to some hundredths of a degree, and other coordinates to
 * 1e-4 of the longer side.
 *
 * If the world repeats itself in x (world_width of ald_spatial_reference_info is not 0), x_min > x_max means that a box
 * crosses the antimeridian, for input and output: 170 to -170 is 20 degrees wide. A box that has a pole strictly
 * inside, or that goes all around, has the whole width of the world: -180 to 180. A box wider than the world is treated
 * as a box around the world. A narrower box more than 2^20 worlds away is refused, because its numbers are too coarse
 * to name a position. If both spatial references mean the same positions, the box stays as it is, bit for bit.
 *
 * Parts without an image are left out, and ALD_PROJECTED_ENVELOPE_PARTIAL is set. A Mercator projection has no image
 * for a pole, and images without bound near it. For a box that contains a pole, the part beyond the square world map
 * (85.06 degrees in EPSG:3857) is left out too, unless the whole box is there. In other unbounded spatial references
 * (at the far pole of a polar or conic projection), the result extends as far as doubles do.
 *
 * @param from The spatial reference of the box.
 * @param to The spatial reference of the result.
 * @param options NULL for all defaults. Points that the options refuse are left out of the result.
 * @param envelope The box; finite. It may be a point or a line.
 * @param out_envelope Initialise it with ALD_PROJECTED_ENVELOPE_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the box is not finite; y_min is greater than y_max; x_min is greater than x_max by
 *     more than the width of the world, or where the world does not repeat itself; the box is too many worlds away; an
 *     option is not valid; the chosen transformation connects other spatial references; out_envelope is NULL or its
 *     struct_size is not valid; or the objects are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a handle is not valid.
 *   - ALD_STATUS_UNSUPPORTED if PROJ cannot run the chosen transformation, or cannot run it backwards.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the two, or no part of the box has an image.
 *   - ALD_STATUS_MISSING_GRID if the chosen transformation lacks grid files.
 */
ALD_API ald_status ald_spatial_reference_project_envelope(ald_spatial_reference from, ald_spatial_reference to,
                                                          const ald_projection_options *options, ald_envelope envelope,
                                                          ald_projected_envelope *out_envelope, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

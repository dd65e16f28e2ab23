/**
 * @file
 * Projecting: coordinates from one spatial reference into another, and a receipt that says what was used for it.
 *
 * By default each point gets the operation that PROJ ranks best for its place among those whose grid files are there.
 * Where that one fails, the next best is tried, as PROJ does, at last one that is not meant for the place: the receipt,
 * the marks and ald_projection_describe tell which operation was used. With a chosen transformation that one is used
 * and no other.
 *
 * Heights are converted only if both spatial references have a vertical part, the transformation that was chosen (if
 * one was) leads through heights, and heights are given; else they are copied, and do not bear upon x and y.
 */
#ifndef ALIDADE_PROJECTION_H
#define ALIDADE_PROJECTION_H

#include "base.h"
#include "runtime.h"
#include "spatial_reference.h"
#include "transformation.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How coordinates get from one spatial reference to another at a place. */
typedef struct ald_projection_info {
  uint32_t struct_size;
  /** 1 if the operation is a ballpark one: the datums are treated as equal for want of a known relation. Else 0. */
  uint32_t is_ballpark;
  /** Accuracy in metres as the authority states it; NaN if it is not known. */
  double accuracy_m;
  /** The operation's name, cut at a whole character. */
  char name[256];
} ald_projection_info;

/** Initialises an ald_projection_info. */
#define ALD_PROJECTION_INFO_INIT                                                                                       \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_projection_info), 0, 0.0, {                                                                   \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** What became of one projected point. The coordinates of all but ALD_POINT_OK are NaN. */
typedef uint8_t ald_point_status;
enum {
  /** The point was projected. */
  ALD_POINT_OK = 0,
  /** The point has no image in the target spatial reference, or PROJ answers a latitude beyond the poles. */
  ALD_POINT_FAILED = 1,
  /** A coordinate that went in is NaN or infinite. */
  ALD_POINT_NOT_FINITE = 2,
  /** The point lies outside the grid of the operation for its place, or in a part of it without values. */
  ALD_POINT_OUTSIDE_GRID = 3,
  /** Only a ballpark operation is there for the point, and ALD_PROJECT_STRICT refuses it. */
  ALD_POINT_ONLY_BALLPARK = 4,
  /**
   * What would be best for the point lacks a grid file, or has one that cannot be read, and ALD_PROJECT_ONLY_BEST
   * refuses anything else; or the grid file of the chosen transformation cannot be read there.
   */
  ALD_POINT_MISSING_GRID = 5,
  /** A latitude beyond 90 degrees, a longitude that is many times around, or a coordinate of 1e15 and more. */
  ALD_POINT_INVALID_COORDINATE = 6
};

/** Bits of ald_projection_options.flags. */
typedef uint32_t ald_project_flags;
enum {
  /** A point is refused rather than projected by a ballpark operation, which treats the datums as equal. */
  ALD_PROJECT_STRICT = 1,
  /**
   * A point is refused if the operation that would be chosen for it, were all grid files there, lacks one. Means
   * nothing with a chosen transformation.
   */
  ALD_PROJECT_ONLY_BEST = 2,
  /** Heights are copied, also where both sides have some. */
  ALD_PROJECT_IGNORE_VERTICAL = 4,
  /** The chosen transformation is taken backwards. */
  ALD_PROJECT_INVERSE = 8
};

/** How coordinates are projected. */
typedef struct ald_projection_options {
  uint32_t struct_size;
  ald_project_flags flags;
  /** The one operation that is used; null: for each point what is best for its place. */
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
 * Coordinates that go in: columns of doubles, of any alignment. One stride for all of them fits columns of their own
 * (stride 0) as well as an array of vertices (each pointer at its field of the first vertex).
 */
typedef struct ald_coordinates {
  uint32_t struct_size;
  uint32_t reserved;
  /** How many points; 0 does nothing. */
  size_t count;
  /** East or longitude; geocentric X. */
  const double *x;
  /** North or latitude; geocentric Y. */
  const double *y;
  /** Heights, depths or geocentric Z, in the unit of the vertical axis; NULL: 0 everywhere. */
  const double *z;
  /** Coordinate epochs in decimal years, such as 2024.5; NULL: none. Of use for operations that depend on time. */
  const double *t;
  /** From one point to the next in each column; 0: 8. At least 8. */
  size_t stride_bytes;
} ald_coordinates;

/** Initialises an ald_coordinates to no points. */
#define ALD_COORDINATES_INIT                                                                                           \
  { (uint32_t)sizeof(ald_coordinates), 0, 0, NULL, NULL, NULL, NULL, 0 }

/** Where coordinates go: columns for as many points as go in. */
typedef struct ald_coordinate_images {
  uint32_t struct_size;
  uint32_t reserved;
  double *x;
  double *y;
  /** NULL: heights are not written. */
  double *z;
  /** From one point to the next in each column; 0: 8. At least 8. Bytes between are left alone. */
  size_t stride_bytes;
} ald_coordinate_images;

/** Initialises an ald_coordinate_images. */
#define ALD_COORDINATE_IMAGES_INIT                                                                                     \
  { (uint32_t)sizeof(ald_coordinate_images), 0, NULL, NULL, NULL, 0 }

/** The mark of a point that no operation projected. */
#define ALD_NO_OPERATION UINT32_MAX

/** What was used to project coordinates: immutable, and good after everything else has been released. */
typedef struct ald_projection_receipt {
  uint64_t id;
} ald_projection_receipt;

/** Bits of ald_projection_receipt_info.flags. */
typedef uint32_t ald_projection_receipt_flags;
enum {
  /** At least one point was projected by a ballpark operation. */
  ALD_RECEIPT_BALLPARK = 1,
  /** The two spatial references mean the same positions: coordinates are as they were, bit for bit. */
  ALD_RECEIPT_IDENTITY = 2,
  /** More than one operation was used. */
  ALD_RECEIPT_SEVERAL = 4,
  /** A transformation was chosen. */
  ALD_RECEIPT_CHOSEN = 8,
  /** Heights went through the operations with the positions; else they were copied. */
  ALD_RECEIPT_VERTICAL = 16,
  /**
   * One of the two spatial references has a map projection for which PROJ has other formulas: the numbers are EPSG's
   * (methods 9803, as of EPSG:31300, and 1028, as of EPSG:4087) and not those of PROJ's own programs.
   */
  ALD_RECEIPT_EPSG_FORMULAS = 32
};

/** The whole of a receipt. */
typedef struct ald_projection_receipt_info {
  uint32_t struct_size;
  ald_projection_receipt_flags flags;
  /** Of the operations that were used the worst, in metres; NaN if one of them is not known, or none was used. */
  double accuracy_m;
  uint64_t point_count;
  /** How many points have another status than ALD_POINT_OK. */
  uint64_t failed_count;
  /** How many operations were used: the rows of the receipt. */
  uint32_t operation_count;
  uint32_t reserved;
} ald_projection_receipt_info;

/** Initialises an ald_projection_receipt_info. */
#define ALD_PROJECTION_RECEIPT_INFO_INIT                                                                               \
  { (uint32_t)sizeof(ald_projection_receipt_info), 0, 0.0, 0, 0, 0, 0 }

/** An operation of a receipt. */
typedef struct ald_projection_receipt_row {
  uint32_t struct_size;
  /** 1 if it is a ballpark operation. Else 0. */
  uint32_t is_ballpark;
  /** Lent: it lives as long as the receipt, and tells steps and grid files. Null for the identity. */
  ald_transformation transformation;
  /** As the authority states it, in metres; NaN if it is not known. */
  double accuracy_m;
  /** How many points it projected. */
  uint64_t point_count;
  /** The operation's name; lives as long as the receipt. */
  const char *name;
} ald_projection_receipt_row;

/** Initialises an ald_projection_receipt_row. */
#define ALD_PROJECTION_RECEIPT_ROW_INIT                                                                                \
  { (uint32_t)sizeof(ald_projection_receipt_row), 0, {0}, 0.0, 0, NULL }

/**
 * Projects points. Each point gets the operation that PROJ ranks best for its place; ald_projection_describe tells
 * which. A point that cannot be projected becomes NaN, NaN and does not fail the others; a latitude beyond 90 degrees
 * is none.
 *
 * @param from The spatial reference of the input.
 * @param to The spatial reference of the output.
 * @param xy count points, each two doubles x, y.
 * @param stride_bytes From one point to the next; 0: 16. At least 16.
 * @param count How many points; 0 does nothing.
 * @param out_xy Receives the points. May be xy, with the same stride; else the two must not overlap.
 * @param out_stride_bytes From one point to the next; 0: 16. At least 16. Bytes between points are left alone.
 * @param out_statuses NULL, or receives count statuses, ALD_POINT_OK or ALD_POINT_FAILED; ald_project_coordinates tells
 *   why.
 * @return ALD_STATUS_OK, also if single points failed; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if an
 *   array is missing, a stride is too small, a size overflows, or the two are of different runtimes;
 *   ALD_STATUS_PROJECTION_FAILED if there is no operation between the two; ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_project_points(ald_spatial_reference from, ald_spatial_reference to, const double *xy,
                                      size_t stride_bytes, size_t count, double *out_xy, size_t out_stride_bytes,
                                      ald_point_status *out_statuses, ald_error *error);

/**
 * Which operation ald_project_points, identify and the screen calls use at a place, and how far it can be trusted.
 *
 * @param from The spatial reference of the point.
 * @param to The spatial reference that it would be projected to.
 * @param at The place, in from.
 * @param out_info Initialise it with ALD_PROJECTION_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if the point is not finite, out_info is
 *   NULL or its struct_size is none, or the two are of different runtimes; ALD_STATUS_PROJECTION_FAILED if the point
 *   cannot be projected.
 */
ALD_API ald_status ald_projection_describe(ald_spatial_reference from, ald_spatial_reference to, ald_point at,
                                           ald_projection_info *out_info, ald_error *error);

/**
 * Projects coordinates with heights and epochs, by the operation that is best for each point or by a chosen
 * transformation, and says what was used. A point that cannot be projected becomes NaN and does not fail the others.
 *
 * A chosen transformation need not begin and end in the two spatial references themselves: conversions without a change
 * of datum are put before and behind it. An ensemble of datums and a member of it are two datums. With two null spatial
 * references coordinates are as the transformation has them: x east or longitude, angles in degrees or in the unit of
 * its source and target, geocentric ones too.
 *
 * @param from The spatial reference of the coordinates. With a chosen transformation it may be null together with to:
 *   coordinates and images are then what the transformation begins and ends in.
 * @param to The spatial reference of the images. See from.
 * @param options How; NULL for the defaults.
 * @param coordinates What is projected.
 * @param images Where it goes. May be the same columns as coordinates, with the same stride; any other overlap of an
 *   output column with an input column is refused.
 * @param out_statuses NULL, or receives a status for each point.
 * @param out_operations NULL, or receives for each point the row of its operation in the receipt; ALD_NO_OPERATION for
 *   one that failed.
 * @param out_receipt NULL, or receives the receipt; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK, also if single points failed; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a
 *   column is missing, a stride is too small, columns overlap, a size overflows, flags are unknown, ALD_PROJECT_INVERSE
 *   stands without a transformation, the transformation leads elsewhere (or does not say where, and spatial references
 *   are given), or objects are of different runtimes; ALD_STATUS_MISSING_GRID if the chosen
 *   transformation lacks grid files: the message names them all; ALD_STATUS_UNSUPPORTED if PROJ cannot run the chosen
 *   transformation, or not backwards; ALD_STATUS_PROJECTION_FAILED if there is no operation between the two;
 *   ALD_STATUS_LIMIT_EXCEEDED.
 */
ALD_API ald_status ald_project_coordinates(ald_spatial_reference from, ald_spatial_reference to,
                                           const ald_projection_options *options, const ald_coordinates *coordinates,
                                           const ald_coordinate_images *images, ald_point_status *out_statuses,
                                           uint32_t *out_operations, ald_projection_receipt *out_receipt,
                                           ald_error *error);

/** Releases a receipt. */
ALD_API void ald_projection_receipt_release(ald_projection_receipt receipt);

/**
 * What was used in all.
 *
 * @param out_info Initialise it with ALD_PROJECTION_RECEIPT_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_projection_receipt_get_info(ald_projection_receipt receipt,
                                                   ald_projection_receipt_info *out_info, ald_error *error);

/**
 * One of the operations that were used.
 *
 * @param index From 0, below operation_count.
 * @param out_row Initialise it with ALD_PROJECTION_RECEIPT_ROW_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_row is NULL or its struct_size
 * is none; ALD_STATUS_NOT_FOUND if there is no such row.
 */
ALD_API ald_status ald_projection_receipt_row_at(ald_projection_receipt receipt, uint32_t index,
                                                 ald_projection_receipt_row *out_row, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Transformations: operations that convert coordinates from one datum to another, each with its accuracy, its steps and
 * its grid files.
 *
 * Several operations usually exist between two spatial references with different datums. Their results differ by
 * decimetres up to hundreds of metres. A transformation list ranks all of them, including those whose grid files are
 * missing. A transformation that the host has chosen is used exactly as it is; the library never replaces it by another
 * one. If its grid file is missing, the call fails.
 *
 * The first of these criteria in which two transformations differ decides their order in a list:
 *
 * - a known relation between the datums comes before a ballpark transformation;
 * - all grid files are available;
 * - a larger part of the area is inside the area of use, in whole per cent;
 * - a better accuracy; an unknown accuracy comes last;
 * - not superseded;
 * - a smaller area of use;
 * - fewer steps;
 * - PROJ's own order.
 *
 * Each row of a list says which criterion decided.
 *
 * @code{.c}
 * ald_transformation_list list;
 * uint32_t count = 0;
 * ald_spatial_reference target;
 * ald_status status = ald_spatial_reference_create(runtime, "EPSG:4326", &target, error);
 * if (status == ALD_STATUS_OK)
 *   status = ald_transformation_list_create(spatial_reference, target, NULL, &list, error);
 * ald_spatial_reference_release(target);
 * if (status != ALD_STATUS_OK)
 *   return status;
 * status = ald_transformation_list_get_row_count(list, &count, error);
 * printf("%u transformations\n", (unsigned)count);
 * ald_transformation_list_release(list);
 * return ALD_STATUS_OK;
 * @endcode
 */
#ifndef ALIDADE_TRANSFORMATION_H
#define ALIDADE_TRANSFORMATION_H

#include "base.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_transformation_list_options.flags. */
typedef uint32_t ald_transformation_list_flags;
enum ald_transformation_list_flags_values {
  /** Ignores heights, even if both spatial references have heights. */
  ALD_TRANSFORMATION_LIST_IGNORE_VERTICAL = 1,
  /** Also lists transformations that an authority has replaced by better ones. */
  ALD_TRANSFORMATION_LIST_SUPERSEDED = 2
};

/** The settings of a transformation list. */
typedef struct ald_transformation_list_options {
  uint32_t struct_size;
  ald_transformation_list_flags flags;
  /**
   * The area of interest. NULL means the area where both spatial references are used.
   *
   * Two points are the lower left and the upper right corner of a box. In a geographic box that crosses the
   * antimeridian, the first x is greater than the second. Three or more points are a polygon, such as the visible_area
   * of ald_view_state. If the polygon crosses itself, the even-odd rule defines its inside.
   */
  const ald_point *area;
  /** The number of points in area, at most 100,000. */
  uint32_t area_count;
  uint32_t reserved;
  /** The spatial reference of area. Null means WGS 84, with longitude and latitude in degrees. */
  ald_spatial_reference area_spatial_reference;
} ald_transformation_list_options;

/** Initialises an ald_transformation_list_options to the default. */
#define ALD_TRANSFORMATION_LIST_OPTIONS_INIT                                                                           \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_transformation_list_options), 0, NULL, 0, 0, {                                                \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** Bits of ald_transformation_info.flags. */
typedef uint32_t ald_transformation_flags;
enum ald_transformation_flags_values {
  /** All grid files are available and readable now, and PROJ can run the transformation. */
  ALD_TRANSFORMATION_USABLE = 1,
  /**
   * The transformation treats the datums as equal, because no relation is known. It may be wrong by hundreds of metres.
   */
  ALD_TRANSFORMATION_BALLPARK = 2,
  /** An authority has replaced the transformation. Set only in lists with ALD_TRANSFORMATION_LIST_SUPERSEDED. */
  ALD_TRANSFORMATION_SUPERSEDED = 4,
  /** The authority advises against the transformation. */
  ALD_TRANSFORMATION_DEPRECATED = 8
};

/** The facts about a transformation. The strings are valid as long as its handle. */
typedef struct ald_transformation_info {
  uint32_t struct_size;
  ald_transformation_flags flags;
  /** The accuracy in metres, as the authority states it; NaN if it is not known. */
  double accuracy_m;
  /** The area of use in degrees. West is greater than east if it crosses the antimeridian. NaN if it is not known. */
  double west_deg;
  double south_deg;
  double east_deg;
  double north_deg;
  uint32_t step_count;
  /** The number of grid files that are missing now. */
  uint32_t missing_grid_count;
  const char *name;
  /** The authority, such as "EPSG"; empty if there is no code, for example for a chain that PROJ composed. */
  const char *authority;
  const char *code;
  const char *area_name;
  /** The purpose of the transformation. */
  const char *scope;
  const char *remarks;
} ald_transformation_info;

/** Initialises an ald_transformation_info. */
#define ALD_TRANSFORMATION_INFO_INIT                                                                                   \
  { (uint32_t)sizeof(ald_transformation_info), 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL }

/** Bits of ald_transformation_step.flags. */
typedef uint32_t ald_transformation_step_flags;
enum ald_transformation_step_flags_values {
  /** The step runs in the direction opposite to the authority's definition. */
  ALD_TRANSFORMATION_STEP_INVERSE = 1,
  /** The step is a map projection or a change of units or axes. It is exact and does not change the datum. */
  ALD_TRANSFORMATION_STEP_CONVERSION = 2
};

/** A step of a transformation. The strings are valid as long as the transformation's handle. */
typedef struct ald_transformation_step {
  uint32_t struct_size;
  ald_transformation_step_flags flags;
  /** The accuracy in metres; 0 for a conversion; NaN if it is not known. */
  double accuracy_m;
  uint32_t grid_count;
  uint32_t reserved;
  const char *name;
  /** The authority, such as "EPSG"; empty if the step has no code. */
  const char *authority;
  const char *code;
  /** The method, such as "Coordinate Frame rotation (geog2D domain)". */
  const char *method;
  /** The step as WKT 2 (2019). */
  const char *wkt;
} ald_transformation_step;

/** Initialises an ald_transformation_step. */
#define ALD_TRANSFORMATION_STEP_INIT                                                                                   \
  { (uint32_t)sizeof(ald_transformation_step), 0, 0.0, 0, 0, NULL, NULL, NULL, NULL, NULL }

/** Bits of ald_transformation_grid.flags. */
typedef uint32_t ald_grid_flags;
enum ald_grid_flags_values {
  /** The file exists, and can be opened and read. */
  ALD_GRID_AVAILABLE = 1,
  /** The URL leads to the file itself. */
  ALD_GRID_DIRECT_DOWNLOAD = 2,
  /** The file has an open licence. */
  ALD_GRID_OPEN_LICENSE = 4
};

/**
 * A grid file that a step needs. The strings are valid as long as the transformation's handle. An unknown string is
 * empty.
 */
typedef struct ald_transformation_grid {
  uint32_t struct_size;
  ald_grid_flags flags;
  /** The name that PROJ uses for the file, such as "de_adv_BETA2007.tif". */
  const char *name;
  /**
   * The authority's name of the file, such as "BETA2007.gsb"; empty if it is the same. The library finds the file by
   * this name too.
   */
  const char *authority_name;
  /** The path of the file when the transformation was created. */
  const char *path;
  /** The package of grids that contains the file. */
  const char *package;
  /** The address from which the file can be downloaded. */
  const char *url;
} ald_transformation_grid;

/** Initialises an ald_transformation_grid. */
#define ALD_TRANSFORMATION_GRID_INIT                                                                                   \
  { (uint32_t)sizeof(ald_transformation_grid), 0, NULL, NULL, NULL, NULL, NULL }

/** A row of a transformation list. The string is valid as long as the list's handle. */
typedef struct ald_transformation_row {
  uint32_t struct_size;
  uint32_t reserved;
  /** The transformation. The handle is borrowed: it is valid as long as the list. */
  ald_transformation transformation;
  /** The part of the area of interest that is inside the area of use, 0 to 1. */
  double area_share;
  /** The criterion that puts the row above the next row. */
  const char *reason;
} ald_transformation_row;

/** Initialises an ald_transformation_row. */
#define ALD_TRANSFORMATION_ROW_INIT                                                                                    \
  { (uint32_t)sizeof(ald_transformation_row), 0, {0}, 0.0, NULL }

/** The folders that hold grid files. */
typedef struct ald_grid_directories {
  uint32_t struct_size;
  /** The number of paths in directories, at most 10,000. */
  uint32_t directory_count;
  /**
   * The paths, in the order in which they are searched. It is not an error if a folder does not exist: it may be
   * created later.
   */
  const char *const *directories;
} ald_grid_directories;

/** Initialises an ald_grid_directories without folders. */
#define ALD_GRID_DIRECTORIES_INIT                                                                                      \
  { (uint32_t)sizeof(ald_grid_directories), 0, NULL }

/** The text formats of a transformation. */
typedef int32_t ald_transformation_format;
enum ald_transformation_format_values {
  /**
   * WKT 2 (2019), which ald_transformation_create can read. Not for transformations that were created from steps.
   *
   * PROJ writes the inverse of a Helmert step as a Helmert step with negated parameters, which differs by some
   * millimetres. Use ALD_TRANSFORMATION_FORMAT_PROJ to get the same numbers again.
   */
  ALD_TRANSFORMATION_FORMAT_WKT2 = 0,
  /** The PROJ string that is run: x east, y north, in the units of the two spatial references. */
  ALD_TRANSFORMATION_FORMAT_PROJ = 1,
  /** PROJJSON, with the same difference as WKT 2. Not for transformations that were created from steps. */
  ALD_TRANSFORMATION_FORMAT_PROJJSON = 2
};

/**
 * The area and the sample points of a comparison. The sample points are the centres of the cells of an even grid over
 * the box around the area.
 */
typedef struct ald_displacement_options {
  uint32_t struct_size;
  /** The number of sample points from west to east. 0 means 16. */
  uint32_t columns;
  /**
   * The number of sample points from north to south. 0 means 16. columns x rows is at most
   * ald_policy.max_request_points.
   */
  uint32_t rows;
  /** The number of points in area, at most 100,000. */
  uint32_t area_count;
  /**
   * The area. NULL means the smaller one of the areas of use of the two spatial references.
   *
   * Two points are the lower left and the upper right corner of a box. In a geographic box that crosses the
   * antimeridian, the first x is greater than the second. Three or more points are a polygon: only sample points inside
   * it are compared.
   */
  const ald_point *area;
  /** The spatial reference of area. Null means WGS 84, with longitude and latitude in degrees. */
  ald_spatial_reference area_spatial_reference;
} ald_displacement_options;

/** Initialises an ald_displacement_options to the default. */
#define ALD_DISPLACEMENT_OPTIONS_INIT                                                                                  \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_displacement_options), 0, 0, 0, NULL, {                                                       \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** The distances between the results of two transformations. */
typedef struct ald_displacement {
  uint32_t struct_size;
  /** The number of sample points that were compared. */
  uint32_t sample_count;
  /** The number of sample points in the area for which one of the two transformations has no result. */
  uint32_t failed_count;
  /** The numbers of columns and rows that were used. */
  uint32_t columns;
  uint32_t rows;
  uint32_t reserved;
  /** The smallest distance in metres. All distances are along geodesics on the ellipsoid of the target. */
  double min_m;
  /** The mean distance in metres. The weight of each sample point is the area of its cell on the ellipsoid. */
  double mean_m;
  /** The largest distance in metres. */
  double max_m;
  /** The sample point with the smallest distance, in the area's spatial reference. */
  ald_point min_point;
  /** The sample point with the largest distance, in the area's spatial reference. */
  ald_point max_point;
  /**
   * The box around the area, in its spatial reference. Its x continues across the antimeridian.
   *
   * Row 0 is in the north. The centre of column c and row r is at x_min + (c + 0.5) / columns of the width and at y_max
   * - (r + 0.5) / rows of the height.
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
 * Creates a list of the transformations between two spatial references, including those whose grid files are missing.
 *
 * The list is empty if the two have the same datum. Then only map projections differ, and these are exact.
 *
 * @param from The spatial reference of the coordinates before the transformation.
 * @param to The spatial reference of the coordinates after the transformation.
 * @param options NULL for all defaults.
 * @param out_list Receives the list; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_list is NULL, an option is not valid, or the objects are of different
 *     runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if from or to is not valid.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the two, or the area has no longitudes and
 *     latitudes.
 */
ALD_API ald_status ald_transformation_list_create(ald_spatial_reference from, ald_spatial_reference to,
                                                  const ald_transformation_list_options *options,
                                                  ald_transformation_list *out_list, ald_error *error);

/** Releases a list. Clones of its transformations (ald_transformation_clone) stay valid. */
ALD_API void ald_transformation_list_release(ald_transformation_list list);

/**
 * Gets the number of transformations in a list.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if list is not valid.
 */
ALD_API ald_status ald_transformation_list_get_row_count(ald_transformation_list list, uint32_t *out_count,
                                                         ald_error *error);

/**
 * Gets a row of a list.
 *
 * @param index From 0. Row 0 has the most suitable transformation.
 * @param out_row Initialise it with ALD_TRANSFORMATION_ROW_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_row is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if list is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such row.
 */
ALD_API ald_status ald_transformation_list_get_row_at(ald_transformation_list list, uint32_t index,
                                                      ald_transformation_row *out_row, ald_error *error);

/**
 * Creates a transformation from an authority's code.
 *
 * @param authority "EPSG" or another authority of proj.db. NULL means "EPSG".
 * @param code The code of a coordinate operation, such as "1314".
 * @param out_transformation Receives the transformation; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if a text is not UTF-8, or code or out_transformation is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such code.
 */
ALD_API ald_status ald_transformation_create_from_code(ald_runtime runtime, const char *authority, const char *code,
                                                       ald_transformation *out_transformation, ald_error *error);

/**
 * Creates a transformation from a text: WKT 2, PROJJSON, or a PROJ string whose grid files are available.
 *
 * @param operation The text.
 * @param out_transformation Receives the transformation; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if operation is NULL, not UTF-8 or describes no transformation (the message quotes
 *     PROJ), or out_transformation is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 *   - ALD_STATUS_POLICY_REFUSED if it names a grid by a path outside the grid directories and
 *     ald_policy.data_directories.
 *   - ALD_STATUS_LIMIT_EXCEEDED if it has more than 262,144 bytes, 16 nested brackets or 1,000 parameters.
 *   - ALD_STATUS_MISSING_GRID if a grid file that a PROJ string names is missing.
 */
ALD_API ald_status ald_transformation_create(ald_runtime runtime, const char *operation,
                                             ald_transformation *out_transformation, ald_error *error);

/**
 * Creates one transformation that runs several transformations one after the other.
 *
 * @param steps step_count transformations. Each begins in the spatial reference in which the previous one ends.
 * @param step_count 1 to 100.
 * @param out_transformation Receives the transformation; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if steps is NULL, step_count is out of its range, the steps do not follow each other
 *     or are of different runtimes, or out_transformation is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if an element of steps is not valid.
 *   - ALD_STATUS_UNSUPPORTED if a step cannot be written as a PROJ string.
 */
ALD_API ald_status ald_transformation_create_from_steps(const ald_transformation *steps, size_t step_count,
                                                        ald_transformation *out_transformation, ald_error *error);

/**
 * Creates the inverse of a transformation.
 *
 * @param out_inverse Receives the inverse; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_inverse is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if transformation is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the transformation has no inverse.
 */
ALD_API ald_status ald_transformation_create_inverse(ald_transformation transformation, ald_transformation *out_inverse,
                                                     ald_error *error);

/**
 * Gives the host its own handle of a transformation. The handle outlives the list or receipt that contains the
 * transformation.
 *
 * @param out_transformation Receives the transformation; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_transformation is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if transformation is not valid.
 */
ALD_API ald_status ald_transformation_clone(ald_transformation transformation, ald_transformation *out_transformation,
                                            ald_error *error);

/** Releases a transformation. A list or receipt that contains it keeps it. */
ALD_API void ald_transformation_release(ald_transformation transformation);

/**
 * Gets the facts about a transformation, with the current state of its grids.
 *
 * @param out_info Initialise it with ALD_TRANSFORMATION_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if transformation is not valid.
 */
ALD_API ald_status ald_transformation_get_info(ald_transformation transformation, ald_transformation_info *out_info,
                                               ald_error *error);

/**
 * Gets a step of a transformation.
 *
 * @param index From 0, in the order in which the steps are run.
 * @param out_step Initialise it with ALD_TRANSFORMATION_STEP_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_step is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if transformation is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such step.
 */
ALD_API ald_status ald_transformation_get_step_at(ald_transformation transformation, uint32_t index,
                                                  ald_transformation_step *out_step, ald_error *error);

/**
 * Gets a grid file that a step needs, with its current state.
 *
 * @param step_index From 0.
 * @param index From 0 to the step's grid_count - 1.
 * @param out_grid Initialise it with ALD_TRANSFORMATION_GRID_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_grid is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if transformation is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such step or grid.
 */
ALD_API ald_status ald_transformation_get_grid_at(ald_transformation transformation, uint32_t step_index,
                                                  uint32_t index, ald_transformation_grid *out_grid, ald_error *error);

/**
 * Writes a transformation as text, which another process can read.
 *
 * @param format The format of the text.
 * @param buffer Receives the text with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *   May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if format is not valid, buffer is NULL and capacity_bytes is not 0, or both buffer
 *     and out_size_bytes are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if transformation is not valid.
 *   - ALD_STATUS_UNSUPPORTED if the transformation cannot be written in this format.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if capacity_bytes is too small. The buffer is not changed.
 */
ALD_API ald_status ald_transformation_get_text(ald_transformation transformation, ald_transformation_format format,
                                               char *buffer, size_t capacity_bytes, size_t *out_size_bytes,
                                               ald_error *error);

/**
 * Checks whether two transformations give the same result for every point, to the last digit.
 *
 * A transformation equals the same transformation in another list, and to the transformation created from its
 * ALD_TRANSFORMATION_FORMAT_PROJ text.
 *
 * @param out_equal Receives 1 or 0.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_equal is NULL or the two are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a or b is not valid.
 */
ALD_API ald_status ald_transformation_equals(ald_transformation a, ald_transformation b, uint32_t *out_equal,
                                             ald_error *error);

/**
 * Sets the folders that are searched for grid files first, before the folders that PROJ searches by itself.
 *
 * The library checks all transformations of the runtime again, even if the folders are the same as before. Each
 * transformation with a live handle that becomes usable or stops being usable sends an event
 * ALD_EVENT_KIND_TRANSFORMATION_CHANGED. Lists keep their order: create a new list for the new ranks. Other runtimes
 * are not affected.
 *
 * @param directories NULL means none.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the struct_size is not valid, or a path is NULL, empty or not UTF-8.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 */
ALD_API ald_status ald_runtime_set_grid_directories(ald_runtime runtime, const ald_grid_directories *directories,
                                                    ald_error *error);

/**
 * Adds a folder after the folders of ald_runtime_set_grid_directories.
 *
 * @param directory The path.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if directory is NULL, empty or not UTF-8.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 */
ALD_API ald_status ald_runtime_add_grid_directory(ald_runtime runtime, const char *directory, ald_error *error);

/**
 * Measures over an area how far apart the results of two transformations are. This is the cost, in metres, of using one
 * transformation instead of the other.
 *
 * Nothing can be measured with a transformation whose grid file is missing: the call returns ALD_STATUS_MISSING_GRID.
 * Until the file is available, use the accuracies in a transformation list as an estimate.
 *
 * A transformation must convert between the datums of `from` and `to`, as all transformations in a list between the two
 * do. It may begin and end in other systems of these datums: the library adds the conversions, which are exact.
 *
 * @param from The spatial reference of the coordinates before the transformation.
 * @param to The spatial reference of the coordinates after the transformation.
 * @param a The first transformation. Null means the operation that ald_spatial_reference_project_points uses for each
 *   sample point. There may be several such operations, and some may be ballpark operations.
 * @param b The second transformation. Null means the same operations as for a.
 * @param options NULL for all defaults.
 * @param out_summary Initialise it with ALD_DISPLACEMENT_INIT.
 * @param out_field NULL, or receives columns x rows distances in metres, row by row from the north, each row from west
 *   to east. NaN outside the area and where one of the two transformations has no result.
 * @param field_capacity The number of distances that fit into out_field.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if an option is not valid, area is NULL and neither area of use is known, a
 *     transformation belongs to other datums, out_summary is NULL or its struct_size is not valid, or the objects are
 *     of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if a handle is not valid. The transformations may be null.
 *   - ALD_STATUS_UNSUPPORTED if PROJ cannot run a transformation.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the two, or no sample point has both results.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the number of points or their memory exceeds a limit of the policy.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if field_capacity is too small. out_field is not changed.
 *   - ALD_STATUS_MISSING_GRID if a transformation lacks a grid file. The message names each file.
 */
ALD_API ald_status ald_spatial_reference_measure_displacement(ald_spatial_reference from, ald_spatial_reference to,
                                                              ald_transformation a, ald_transformation b,
                                                              const ald_displacement_options *options,
                                                              ald_displacement *out_summary, double *out_field,
                                                              size_t field_capacity, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Transformations: the ways from one datum to another, ranked, each with its accuracy, its steps and its grid files.
 *
 * Two spatial references with different datums can mostly be related in several ways, which differ by decimetres up to
 * hundreds of metres. A transformation list names them all, the most suitable first, those that lack a grid file as
 * well. A transformation that was chosen is used as it is, or not at all: never is another one put in its place.
 *
 * Rank in a list; the first of these in which two transformations differ decides: no ballpark (the datums' relation is
 * known); all grid files there; more of the area inside the area of use, in whole per cent; more accurate (unknown
 * last); not superseded; a smaller area of use; fewer steps; PROJ's own order. Each row tells what decided.
 */
#ifndef ALIDADE_TRANSFORMATION_H
#define ALIDADE_TRANSFORMATION_H

#include "base.h"
#include "runtime.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A transformation: exactly one operation. Immutable, but that its grids come and go with the grid directories. */
typedef struct ald_transformation {
  uint64_t id;
} ald_transformation;

/** Transformations between two spatial references, ranked, as of one moment. */
typedef struct ald_transformation_list {
  uint64_t id;
} ald_transformation_list;

/** Bits of ald_transformation_list_options.flags. */
typedef uint32_t ald_transformation_list_flags;
enum {
  /** Heights are left out, also where both spatial references have some. */
  ALD_TRANSFORMATIONS_IGNORE_VERTICAL = 1,
  /** Those that an authority has replaced by better ones are listed too. */
  ALD_TRANSFORMATIONS_SUPERSEDED = 2
};

/** Which transformations are wanted. */
typedef struct ald_transformation_list_options {
  uint32_t struct_size;
  ald_transformation_list_flags flags;
  /**
   * The place that matters. Two points: the lower left and the upper right corner of a box; of a geographic box that
   * crosses the antimeridian the first x is the greater one. Three or more: a polygon, such as the visible_area of
   * ald_view_state; of one that crosses itself the even-odd rule says what is inside. NULL: where the spatial
   * references are used.
   */
  const ald_point *area;
  /** How many points area holds, at most 100,000. */
  uint32_t area_count;
  uint32_t reserved;
  /** What area is in; null: WGS 84, longitude and latitude in degrees. */
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
enum {
  /** All of its grid files are there now and can be opened and read, and PROJ can run it. */
  ALD_TRANSFORMATION_USABLE = 1,
  /** The datums are treated as equal for want of a known relation: it may be wrong by hundreds of metres. */
  ALD_TRANSFORMATION_BALLPARK = 2,
  /** An authority has replaced it; known only in lists that were asked for such ones. */
  ALD_TRANSFORMATION_SUPERSEDED = 4,
  /** The authority advises against it. */
  ALD_TRANSFORMATION_DEPRECATED = 8
};

/** Facts about a transformation. The strings live as long as its handle. */
typedef struct ald_transformation_info {
  uint32_t struct_size;
  ald_transformation_flags flags;
  /** As the authority states it, in metres; NaN if it is not known. */
  double accuracy_m;
  /** Where it is meant to be used, in degrees; west > east across the antimeridian; NaN if it is not known. */
  double west_deg;
  double south_deg;
  double east_deg;
  double north_deg;
  uint32_t step_count;
  /** How many grid files are missing now. */
  uint32_t missing_grid_count;
  const char *name;
  /** "EPSG", ...; empty if it has no code, as those that are put together for two projected systems. */
  const char *authority;
  const char *code;
  const char *area_name;
  /** What it is meant for. */
  const char *scope;
  const char *remarks;
} ald_transformation_info;

/** Initialises an ald_transformation_info. */
#define ALD_TRANSFORMATION_INFO_INIT                                                                                   \
  { (uint32_t)sizeof(ald_transformation_info), 0, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL }

/** Bits of ald_transformation_step.flags. */
typedef uint32_t ald_transformation_step_flags;
enum {
  /** The step is taken against the direction in which its authority defines it. */
  ALD_STEP_INVERSE = 1,
  /** A map projection, a change of units or of axes: exact, and no change of datum. */
  ALD_STEP_CONVERSION = 2
};

/** A step, in the order in which it is taken. The strings live as long as the transformation's handle. */
typedef struct ald_transformation_step {
  uint32_t struct_size;
  ald_transformation_step_flags flags;
  /** In metres; 0 for a conversion; NaN if it is not known. */
  double accuracy_m;
  uint32_t grid_count;
  uint32_t reserved;
  const char *name;
  /** "EPSG", ...; empty if the step has no code. */
  const char *authority;
  const char *code;
  /** Such as "Coordinate Frame rotation (geog2D domain)". */
  const char *method;
  /** WKT 2 (2019). */
  const char *wkt;
} ald_transformation_step;

/** Initialises an ald_transformation_step. */
#define ALD_TRANSFORMATION_STEP_INIT                                                                                   \
  { (uint32_t)sizeof(ald_transformation_step), 0, 0.0, 0, 0, NULL, NULL, NULL, NULL, NULL }

/** Bits of ald_transformation_grid.flags. */
typedef uint32_t ald_grid_flags;
enum {
  /** The file is there, and can be opened and read. */
  ALD_GRID_AVAILABLE = 1,
  /** The URL leads to the file itself. */
  ALD_GRID_DIRECT_DOWNLOAD = 2,
  ALD_GRID_OPEN_LICENSE = 4
};

/** A grid file that a step needs. The strings live as long as the transformation's handle; those that are not known are
 * empty. */
typedef struct ald_transformation_grid {
  uint32_t struct_size;
  ald_grid_flags flags;
  /** The name by which PROJ asks for it, such as "de_adv_BETA2007.tif". */
  const char *name;
  /** The authority's name, such as "BETA2007.gsb", under which the file is found as well; empty if it is the same. */
  const char *authority_name;
  /** Where it was found when the transformation was made. */
  const char *path;
  /** The package of grids that holds it. */
  const char *package;
  /** Where it can be had. */
  const char *url;
} ald_transformation_grid;

/** Initialises an ald_transformation_grid. */
#define ALD_TRANSFORMATION_GRID_INIT                                                                                   \
  { (uint32_t)sizeof(ald_transformation_grid), 0, NULL, NULL, NULL, NULL, NULL }

/** A row of a list. The string lives as long as the list's handle. */
typedef struct ald_transformation_row {
  uint32_t struct_size;
  uint32_t reserved;
  /** The transformation, lent; the list keeps it. */
  ald_transformation transformation;
  /** How much of the area lies where the transformation is meant to be used, 0 to 1. */
  double area_share;
  /** Why it stands above the next row. */
  const char *reason;
} ald_transformation_row;

/** Initialises an ald_transformation_row. */
#define ALD_TRANSFORMATION_ROW_INIT                                                                                    \
  { (uint32_t)sizeof(ald_transformation_row), 0, {0}, 0.0, NULL }

/** Folders with grid files. */
typedef struct ald_grid_directories {
  uint32_t struct_size;
  /** How many paths directories holds, at most 10,000. */
  uint32_t directory_count;
  /** The paths, the first one looked into first. A folder that does not exist is no error: it may come. */
  const char *const *directories;
} ald_grid_directories;

/** Initialises an ald_grid_directories to none. */
#define ALD_GRID_DIRECTORIES_INIT                                                                                      \
  { (uint32_t)sizeof(ald_grid_directories), 0, NULL }

/** How a transformation is written. */
typedef int32_t ald_transformation_format;
enum {
  /**
   * WKT 2 (2019), which ald_transformation_create reads again. Not for one that was made of steps. PROJ writes the
   * inverse of a Helmert step as a Helmert step with its parameters negated, which is up to some millimetres off: for
   * the same numbers again keep ALD_TRANSFORMATION_PROJ.
   */
  ALD_TRANSFORMATION_WKT2 = 0,
  /** The PROJ string that is run: x east, y north, in the units of the two spatial references. */
  ALD_TRANSFORMATION_PROJ = 1,
  /** PROJJSON, with the same reserve as for WKT 2. Not for one that was made of steps. */
  ALD_TRANSFORMATION_PROJJSON = 2
};

/**
 * Lists the transformations between two spatial references, those that lack a grid file as well. The list is empty if
 * the two have the same datum: then they differ by map projections alone, which are exact.
 *
 * @param options NULL for all defaults.
 * @param out_list Receives the list; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_list is NULL, an option is not
 *   valid, or not all are of one runtime; ALD_STATUS_PROJECTION_FAILED if there is no operation between the two or the
 *   area has no longitudes and latitudes.
 */
ALD_API ald_status ald_transformation_list_create(ald_spatial_reference from, ald_spatial_reference to,
                                                  const ald_transformation_list_options *options,
                                                  ald_transformation_list *out_list, ald_error *error);

/** Releases a list. Transformations that were taken out of it by ald_transformation_clone live on. */
ALD_API void ald_transformation_list_release(ald_transformation_list list);

/**
 * How many transformations a list holds.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 */
ALD_API ald_status ald_transformation_list_count(ald_transformation_list list, uint32_t *out_count, ald_error *error);

/**
 * A row of a list.
 *
 * @param index From 0, the most suitable first.
 * @param out_row Initialise it with ALD_TRANSFORMATION_ROW_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_row is NULL or its struct_size
 *   is none; ALD_STATUS_NOT_FOUND if there is no such row.
 */
ALD_API ald_status ald_transformation_list_row(ald_transformation_list list, uint32_t index,
                                               ald_transformation_row *out_row, ald_error *error);

/**
 * Makes a transformation from an authority's code.
 *
 * @param authority "EPSG" or another authority of proj.db; NULL: "EPSG".
 * @param operation_code The code of a coordinate operation, such as "1314".
 * @param out_transformation Receives the transformation; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if a text is not UTF-8, operation_code
 * is NULL or out_transformation is NULL; ALD_STATUS_NOT_FOUND if there is no such code.
 */
ALD_API ald_status ald_transformation_create_from_code(ald_runtime runtime, const char *authority,
                                                       const char *operation_code,
                                                       ald_transformation *out_transformation, ald_error *error);

/**
 * Makes a transformation from a text: WKT 2, PROJJSON, or a PROJ string whose grid files are there.
 *
 * @param operation The text.
 * @param out_transformation Receives the transformation; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if operation is NULL, not UTF-8 or
 *   describes no transformation (the message has PROJ's words), or out_transformation is NULL;
 *   ALD_STATUS_POLICY_REFUSED if it names a grid by a path outside of the grid directories and of
 *   ald_policy.data_directories; ALD_STATUS_LIMIT_EXCEEDED if it has more than 262,144 bytes, 16 brackets open at once,
 *   or 1,000 parameters; ALD_STATUS_MISSING_GRID if a grid file that a PROJ string names is not there.
 */
ALD_API ald_status ald_transformation_create(ald_runtime runtime, const char *operation,
                                             ald_transformation *out_transformation, ald_error *error);

/**
 * Makes one transformation of several, taken one after the other.
 *
 * @param steps step_count transformations; each begins in the spatial reference in which the one before ends.
 * @param step_count 1 to 100.
 * @param out_transformation Receives the transformation; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if steps is NULL, step_count is out of
 * its range, the steps do not follow each other or are of several runtimes, or out_transformation is NULL;
 *   ALD_STATUS_UNSUPPORTED if a step cannot be written as a PROJ string.
 */
ALD_API ald_status ald_transformation_create_from_steps(const ald_transformation *steps, size_t step_count,
                                                        ald_transformation *out_transformation, ald_error *error);

/**
 * The same way back.
 *
 * @param out_inverse Receives the inverse; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_inverse is NULL;
 *   ALD_STATUS_UNSUPPORTED if it has none.
 */
ALD_API ald_status ald_transformation_create_inverse(ald_transformation transformation, ald_transformation *out_inverse,
                                                     ald_error *error);

/**
 * The same transformation with a handle of the host's own, so that it outlives the list.
 *
 * @param out_transformation Receives the transformation; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_transformation is NULL.
 */
ALD_API ald_status ald_transformation_clone(ald_transformation transformation, ald_transformation *out_transformation,
                                            ald_error *error);

/** Releases a transformation. One that a list lends stays alive with the list. */
ALD_API void ald_transformation_release(ald_transformation transformation);

/**
 * Facts about a transformation, its grids as they are now.
 *
 * @param out_info Initialise it with ALD_TRANSFORMATION_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_transformation_get_info(ald_transformation transformation, ald_transformation_info *out_info,
                                               ald_error *error);

/**
 * A step of a transformation.
 *
 * @param index From 0, in the order in which the steps are taken.
 * @param out_step Initialise it with ALD_TRANSFORMATION_STEP_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_step is NULL or its struct_size
 *   is none; ALD_STATUS_NOT_FOUND if there is no such step.
 */
ALD_API ald_status ald_transformation_get_step(ald_transformation transformation, uint32_t index,
                                               ald_transformation_step *out_step, ald_error *error);

/**
 * A grid file that a step needs, as it is now: available or not.
 *
 * @param step_index From 0.
 * @param index From 0 to the step's grid_count - 1.
 * @param out_grid Initialise it with ALD_TRANSFORMATION_GRID_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_grid is NULL or its struct_size
 *   is none; ALD_STATUS_NOT_FOUND if there is no such step or grid.
 */
ALD_API ald_status ald_transformation_get_grid(ald_transformation transformation, uint32_t step_index, uint32_t index,
                                               ald_transformation_grid *out_grid, ald_error *error);

/**
 * A transformation as text, which another process reads again.
 *
 * @param operation_format The form.
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size that is needed, final NUL counted in; also written when the buffer is too small.
 *   May be NULL if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if operation_format is none, buffer is
 * NULL and capacity is not 0, or nothing is asked for; ALD_STATUS_UNSUPPORTED if it cannot be written so;
 *   ALD_STATUS_BUFFER_TOO_SMALL, and the buffer is left alone.
 */
ALD_API ald_status ald_transformation_text(ald_transformation transformation,
                                           ald_transformation_format operation_format, char *buffer, size_t capacity,
                                           size_t *out_size, ald_error *error);

/**
 * Whether two transformations do the same to every point, to the last digit. A transformation is equal to itself in
 * another list, and to what is read again of it as ALD_TRANSFORMATION_PROJ.
 *
 * @param out_equal Receives 1 or 0.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_equal is NULL or the two are of
 *   different runtimes.
 */
ALD_API ald_status ald_transformation_equals(ald_transformation one, ald_transformation other, uint32_t *out_equal,
                                             ald_error *error);

/**
 * Sets the folders in which grid files are looked for, before the places where PROJ looks by itself. What was listed or
 * chosen before is looked at anew: for each transformation with a live handle that became usable or was lost an event
 * ALD_EVENT_TRANSFORMATION_CHANGED comes. Lists keep their order; list again for the new ranks. Other runtimes see
 * nothing of it. The same folders set again are looked at anew as well.
 *
 * @param directories NULL for none.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if struct_size is none, or a path is
 *   NULL, empty or not UTF-8.
 */
ALD_API ald_status ald_runtime_set_grid_directories(ald_runtime runtime, const ald_grid_directories *directories,
                                                    ald_error *error);

/**
 * Adds a folder to those of ald_runtime_set_grid_directories, after them.
 *
 * @param directory The path.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if directory is NULL, empty or not
 *   UTF-8.
 */
ALD_API ald_status ald_runtime_add_grid_directory(ald_runtime runtime, const char *directory, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

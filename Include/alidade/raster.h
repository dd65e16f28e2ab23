/**
 * @file
 * Rasters: files that GDAL reads, opened read-only, with facts about them and functions that read their cells.
 *
 * Columns count from 0 at the left of the raster's own grid, rows from 0 at its first line, and bands from 1. A cell is
 * half open: it contains its left and upper edge (in the raster's own grid) but not its right and lower edge. Cells are
 * always cells of the native resolution. At the raster's own border the geotransform decides, not its inverse: corner
 * (0, 0) of ald_raster_info is on the raster, and corner (width, height) is not. Everywhere else GDAL's inverse
 * geotransform decides which cell a point is in.
 *
 * If the raster's spatial reference repeats the world (longitudes, Web Mercator), a point and its copies one or more
 * worlds to the west or east are the same point. A raster with longitudes 0 to 360 therefore has cells at -90.
 *
 * A band can have both a nodata value and an alpha band. A cell with the nodata value is then ALD_CELL_VERDICT_NODATA.
 * Otherwise it is ALD_CELL_VERDICT_TRANSPARENT if alpha is 0. GDAL's own mask differs: it uses only the nodata value. A
 * nodata value that the band's type cannot hold, such as 127.5 for bytes, is in no cell; GDAL's own mask rounds it.
 *
 * @code{.c}
 * ald_band_value height;
 * const double point[2] = {9.85, 47.45};
 * ald_status status = ald_raster_read_points(raster, spatial_reference, point, 0, 1, NULL, &height, 1, error);
 * if (status == ALD_STATUS_OK && height.verdict == ALD_CELL_VERDICT_VALUE)
 *   printf("%g\n", height.scaled);
 * return status;
 * @endcode
 */
#ifndef ALIDADE_RASTER_H
#define ALIDADE_RASTER_H

#include "base.h"
#include "handles.h"
#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The type in which a band stores its values. */
typedef int32_t ald_data_type;
enum ald_data_type_values {
  ALD_DATA_TYPE_UINT8 = 1,
  ALD_DATA_TYPE_INT8 = 2,
  ALD_DATA_TYPE_UINT16 = 3,
  ALD_DATA_TYPE_INT16 = 4,
  ALD_DATA_TYPE_UINT32 = 5,
  ALD_DATA_TYPE_INT32 = 6,
  ALD_DATA_TYPE_UINT64 = 7,
  ALD_DATA_TYPE_INT64 = 8,
  ALD_DATA_TYPE_FLOAT32 = 9,
  ALD_DATA_TYPE_FLOAT64 = 10,
  ALD_DATA_TYPE_COMPLEX_INT16 = 11,
  ALD_DATA_TYPE_COMPLEX_INT32 = 12,
  ALD_DATA_TYPE_COMPLEX_FLOAT32 = 13,
  ALD_DATA_TYPE_COMPLEX_FLOAT64 = 14
};

/** The meaning of a band in a picture. */
typedef int32_t ald_color_role;
enum ald_color_role_values {
  ALD_COLOR_ROLE_UNDEFINED = 0,
  ALD_COLOR_ROLE_GRAY = 1,
  ALD_COLOR_ROLE_PALETTE = 2,
  ALD_COLOR_ROLE_RED = 3,
  ALD_COLOR_ROLE_GREEN = 4,
  ALD_COLOR_ROLE_BLUE = 5,
  ALD_COLOR_ROLE_ALPHA = 6,
  /** Any other of GDAL's interpretations (cyan, hue, YCbCr, ...). */
  ALD_COLOR_ROLE_OTHER = 7
};

/** Whether a cell has a value. If it has none, why. */
typedef int32_t ald_cell_verdict;
enum ald_cell_verdict_values {
  /** The cell has a value. */
  ALD_CELL_VERDICT_VALUE = 0,
  /** The stored value is the nodata value of the band or of the data set, and no mask overrides it. */
  ALD_CELL_VERDICT_NODATA = 1,
  /** The mask band marks the cell as not valid. */
  ALD_CELL_VERDICT_MASKED = 2,
  /** The alpha band is 0 in this cell. */
  ALD_CELL_VERDICT_TRANSPARENT = 3,
  /** The point is not on the raster, or the layer is hidden. */
  ALD_CELL_VERDICT_OUTSIDE = 4,
  /** The point cannot be projected into the raster's spatial reference. */
  ALD_CELL_VERDICT_NOT_PROJECTABLE = 5,
  /** The server of the layer has not returned the cell yet. See "Services". */
  ALD_CELL_VERDICT_NOT_LOADED = 6
};

/** How columns and rows are converted to coordinates. */
typedef int32_t ald_georeference_kind;
enum ald_georeference_kind_values {
  /** There is no conversion: the raster cannot be shown on a map. */
  ALD_GEOREFERENCE_KIND_NONE = 0,
  /** By the affine geotransform. */
  ALD_GEOREFERENCE_KIND_AFFINE = 1,
  /** By ground control points. The raster must be warped before it can be shown on a map. */
  ALD_GEOREFERENCE_KIND_CONTROL_POINTS = 2,
  /** By rational polynomial coefficients. The raster must be warped before it can be shown on a map. */
  ALD_GEOREFERENCE_KIND_RATIONAL_POLYNOMIAL = 3,
  /** By geolocation arrays, a position for each cell. The raster must be warped before it can be shown on a map. */
  ALD_GEOREFERENCE_KIND_GEOLOCATION_ARRAYS = 4
};

/** How a raster is opened. */
typedef struct ald_raster_open_options {
  uint32_t struct_size;
  uint32_t reserved;
  /** Used instead of the file's spatial reference, whether the file has one or not. Null: the file's own. */
  ald_spatial_reference spatial_reference;
} ald_raster_open_options;

/** Initialises an ald_raster_open_options to the default. */
#define ALD_RASTER_OPEN_OPTIONS_INIT                                                                                   \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_raster_open_options), 0, {                                                                    \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** Facts about a raster. The strings are valid while the handle lives. */
typedef struct ald_raster_info {
  uint32_t struct_size;
  /** The size in cells. */
  int32_t width;
  int32_t height;
  int32_t band_count;
  /** Whether geotransform can be used, and if not, what locates the raster. */
  ald_georeference_kind georeference;
  /** The number of ground control points in the file. */
  int32_t control_point_count;
  /** The number of further data sets inside the file; see ald_raster_get_subdataset_at. */
  int32_t subdataset_count;
  /** 1 if the raster has a spatial reference that can be used, its own or one given at opening. 0 otherwise. */
  uint32_t has_spatial_reference;
  /**
   * x = g[0] + column * g[1] + row * g[2] and y = g[3] + column * g[4] + row * g[5], in the raster's spatial reference.
   * 0, 1, 0, 0, 0, 1 unless georeference is ALD_GEOREFERENCE_KIND_AFFINE.
   */
  double geotransform[6];
  /** The corners (0, 0), (width, 0), (width, height) and (0, height), converted by the geotransform. */
  ald_point corners[4];
  /** The box around the corners. */
  ald_envelope extent;
  /** The path or name with which the raster was opened. */
  const char *path;
  /** The short name of GDAL's driver, such as "GTiff". */
  const char *driver;
} ald_raster_info;

/** Initialises an ald_raster_info. */
#define ALD_RASTER_INFO_INIT                                                                                           \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_raster_info), 0, 0, 0, 0, 0, 0, 0, {0.0}, {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}},   \
        {0.0, 0.0, 0.0, 0.0}, NULL, NULL                                                                               \
  }

/** Bits of ald_band_info.facts: which properties the file defines. */
typedef uint32_t ald_band_facts;
enum ald_band_facts_values {
  ALD_BAND_HAS_NODATA = 1,
  ALD_BAND_HAS_SCALE = 2,
  ALD_BAND_HAS_OFFSET = 4,
  /** A mask band, of the band or of the data set, marks the valid cells. */
  ALD_BAND_HAS_MASK = 8,
  /** An alpha band marks the transparent cells. */
  ALD_BAND_HAS_ALPHA = 16
};

/** Facts about a band. Strings and arrays are valid while the raster's handle lives. */
typedef struct ald_band_info {
  uint32_t struct_size;
  ald_data_type type;
  ald_color_role color_role;
  ald_band_facts facts;
  /** The size in cells of the blocks in which the file stores the band. */
  int32_t block_width;
  int32_t block_height;
  int32_t overview_count;
  int32_t category_count;
  int32_t color_count;
  /** The size of the attribute table; 0 and 0 if the band has no table. */
  int32_t table_row_count;
  int32_t table_column_count;
  uint32_t reserved;
  /** The nodata value; NaN if the band has none. For 64-bit integers only nodata_integer is exact. */
  double nodata;
  /** The nodata value of an integer band; for UINT64 its bits. 0 if the band has none. */
  int64_t nodata_integer;
  /** scaled value = raw value * scale + offset. 1 and 0 if the file defines none. */
  double scale;
  double offset;
  /** The unit of the scaled value; empty if the file defines none. */
  const char *unit;
  /** The name of the band; empty if the file defines none. */
  const char *description;
  /** category_count names. The name at index i belongs to raw value i, and may be empty. */
  const char *const *category_names;
  /** color_count colours. The colour at index i belongs to raw value i. */
  const ald_rgba *colors;
} ald_band_info;

/** Initialises an ald_band_info. */
#define ALD_BAND_INFO_INIT                                                                                             \
  { (uint32_t)sizeof(ald_band_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.0, 0, 0.0, 0.0, NULL, NULL, NULL, NULL }

/** The type of a column of an attribute table. */
typedef int32_t ald_table_column_type;
enum ald_table_column_type_values {
  ALD_TABLE_COLUMN_TYPE_INTEGER = 1,
  ALD_TABLE_COLUMN_TYPE_REAL = 2,
  ALD_TABLE_COLUMN_TYPE_TEXT = 3
};

/** The purpose of a column of an attribute table. */
typedef int32_t ald_table_column_role;
enum ald_table_column_role_values {
  ALD_TABLE_COLUMN_ROLE_GENERIC = 0,
  ALD_TABLE_COLUMN_ROLE_PIXEL_COUNT = 1,
  ALD_TABLE_COLUMN_ROLE_NAME = 2,
  ALD_TABLE_COLUMN_ROLE_MINIMUM = 3,
  ALD_TABLE_COLUMN_ROLE_MAXIMUM = 4,
  ALD_TABLE_COLUMN_ROLE_VALUE = 5,
  ALD_TABLE_COLUMN_ROLE_RED = 6,
  ALD_TABLE_COLUMN_ROLE_GREEN = 7,
  ALD_TABLE_COLUMN_ROLE_BLUE = 8,
  ALD_TABLE_COLUMN_ROLE_ALPHA = 9,
  /** Any other of GDAL's usages. */
  ALD_TABLE_COLUMN_ROLE_OTHER = 10
};

/** A column of a band's attribute table. The name is valid while the raster's handle lives. */
typedef struct ald_table_column {
  uint32_t struct_size;
  ald_table_column_type type;
  ald_table_column_role role;
  uint32_t reserved;
  const char *name;
} ald_table_column;

/** Initialises an ald_table_column. */
#define ALD_TABLE_COLUMN_INIT                                                                                          \
  { (uint32_t)sizeof(ald_table_column), 0, 0, 0, NULL }

/** A value of a band's attribute table. The text is valid while the raster's handle lives. */
typedef struct ald_table_value {
  uint32_t struct_size;
  ald_table_column_type type;
  /** The value of an integer column. */
  int64_t integer;
  /** The value of an integer or real column. */
  double real;
  /** The value as text, for every type of column. */
  const char *text;
} ald_table_value;

/** Initialises an ald_table_value. */
#define ALD_TABLE_VALUE_INIT                                                                                           \
  { (uint32_t)sizeof(ald_table_value), 0, 0, 0.0, NULL }

/** The position of a cell in its raster. */
typedef struct ald_cell_index {
  int32_t column;
  int32_t row;
} ald_cell_index;

/** A cell of a raster. Its size is 16 bytes in every version. */
typedef struct ald_cell {
  /** The column and row; -1 and -1 if the point is not on the raster. */
  int32_t column;
  int32_t row;
  /** ALD_CELL_VERDICT_VALUE if any band except an alpha band has a value. Otherwise the reason for the first band. */
  ald_cell_verdict verdict;
  uint32_t reserved;
} ald_cell;

/** The value of one band in a cell. Its size is 64 bytes in every version. */
typedef struct ald_band_value {
  ald_data_type type;
  ald_cell_verdict verdict;
  /**
   * The stored value, whatever the verdict is; for a complex value, its real part. NaN if there is no cell. 64-bit
   * integers beyond 2^53 are rounded: read integer instead.
   */
  double value;
  /** The imaginary part of a complex value; 0 for other types. */
  double imaginary;
  /** The exact stored value of an integer type; for UINT64 its bits. 0 for other types. */
  int64_t integer;
  /** value * scale + offset, or its real part for a complex value. NaN unless the verdict is ALD_CELL_VERDICT_VALUE. */
  double scaled;
  /** imaginary * scale for a complex value (the offset is real); 0 for other types. */
  double scaled_imaginary;
  /**
   * The colour in the band's colour table. 0, 0, 0, 0 if there is no colour, or the verdict is not
   * ALD_CELL_VERDICT_VALUE.
   */
  ald_rgba color;
  /** The index of the value's category name; -1 if the value has no name. */
  int32_t category;
  /** The row of the band's attribute table that describes the value; -1 if there is no such row. */
  int32_t table_row;
  uint32_t reserved;
} ald_band_value;

/* Opening */

/**
 * Opens a raster, read-only. The library writes nothing next to the file.
 *
 * Before GDAL opens anything, the library checks all names against the runtime's policy: the names in the file, in the
 * files next to it, and in all files that these lead to; see ald_policy. If one of these files is changed, added or
 * removed later, reading returns ALD_STATUS_READ_FAILED: old and new content are never mixed. (Reads of single cells
 * notice a change within some 10 ms.)
 *
 * @param path The path of a file, another name that GDAL understands and the policy allows, or the address of a service
 *     (see the page "Services"); at most 65536 bytes.
 * @param options NULL for all defaults.
 * @param out_raster Receives the raster; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if path is NULL, empty or not UTF-8, out_raster is NULL or an option is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid, or options has a spatial reference that is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such file.
 *   - ALD_STATUS_UNSUPPORTED if the file has no band but only data sets inside it, is a database with a write-ahead log
 *     (which cannot be read without writing next to it), or is a pipe or a device.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if the file cannot be read as a raster.
 *   - ALD_STATUS_POLICY_REFUSED if the policy forbids path, its driver, or a name that the file leads to.
 *   - ALD_STATUS_LIMIT_EXCEEDED if an attribute table, a block or the bands need more memory than the policy allows, or
 *     files refer to other files too deeply.
 */
ALD_API ald_status ald_raster_open(ald_runtime runtime, const char *path, const ald_raster_open_options *options,
                                   ald_raster *out_raster, ald_error *error);

/**
 * Opens a raster without waiting; see alidade/request.h. The arguments are checked at once, the file later.
 *
 * @param path As for ald_raster_open.
 * @param options NULL for all defaults.
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if path is NULL, empty or not UTF-8, out_request is NULL or an option is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid, or options has a spatial reference that is not valid.
 */
ALD_API ald_status ald_raster_open_async(ald_runtime runtime, const char *path, const ald_raster_open_options *options,
                                         const ald_request_options *request_options, ald_request *out_request,
                                         ald_error *error);

/**
 * Takes the raster that a request has opened. The raster can be taken once.
 *
 * @param out_raster Receives the raster; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_raster is NULL or the request does not open a raster.
 *   - ALD_STATUS_INVALID_HANDLE if request is not valid.
 *   - ALD_STATUS_NOT_READY while the request is pending.
 *   - ALD_STATUS_NOT_FOUND as in ald_raster_open.
 *   - ALD_STATUS_UNSUPPORTED as in ald_raster_open.
 *   - ALD_STATUS_READ_FAILED as in ald_raster_open.
 *   - ALD_STATUS_POLICY_REFUSED as in ald_raster_open.
 *   - ALD_STATUS_LIMIT_EXCEEDED as in ald_raster_open.
 *   - ALD_STATUS_INVALID_STATE if the raster was already taken.
 *   - ALD_STATUS_CANCELLED if the request was cancelled.
 */
ALD_API ald_status ald_request_take_raster(ald_request request, ald_raster *out_raster, ald_error *error);

/**
 * Lists the rasters in a file that can hold several, such as netCDF, HDF5 or GeoPackage.
 *
 * The names can be passed to ald_raster_open; the policy is applied when they are opened. If a file lists no rasters
 * but has bands of its own, the file is the only entry, with path as its name. For the address of a WMS or WMTS, the
 * entries are its layers. For layers of features see ald_feature_source_get_sublayer_at. Each call reads the file, even
 * a call that requests only the size.
 *
 * @param path As for ald_raster_open.
 * @param buffer Receives a JSON array of objects with "name" and "description" (the driver's text, may be empty), with
 *     a final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *     May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if path is NULL, empty or not UTF-8, buffer is NULL and capacity_bytes is not 0, or
 *     both buffer and out_size_bytes are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 *   - ALD_STATUS_NOT_FOUND if there is no such file.
 *   - ALD_STATUS_UNSUPPORTED if path is a pipe or a device.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if the file cannot be read.
 *   - ALD_STATUS_POLICY_REFUSED as in ald_raster_open.
 *   - ALD_STATUS_LIMIT_EXCEEDED if files refer to other files too deeply.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the text does not fit. The buffer is not changed.
 */
ALD_API ald_status ald_runtime_read_datasets(ald_runtime runtime, const char *path, char *buffer, size_t capacity_bytes,
                                             size_t *out_size_bytes, ald_error *error);

/**
 * Creates a raster that is not loaded. The call accesses no file.
 *
 * Load it with ald_raster_load or ald_raster_load_async. Until then, functions that need the file return
 * ALD_STATUS_NOT_READY. A raster from ald_raster_open is loaded from the beginning.
 *
 * @param path As for ald_raster_open.
 * @param options NULL for all defaults.
 * @param out_raster Receives the raster; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if path is NULL, empty or not UTF-8, out_raster is NULL or an option is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid, or options has a spatial reference that is not valid.
 */
ALD_API ald_status ald_raster_create(ald_runtime runtime, const char *path, const ald_raster_open_options *options,
                                     ald_raster *out_raster, ald_error *error);

/** Releases a raster. Layers that show the raster keep it. */
ALD_API void ald_raster_release(ald_raster raster);

/* Loading */

/**
 * Loads a raster and waits until loading ends. Starts loading if that has not happened yet. A failed raster is not
 * loaded again: the call returns the old error.
 *
 * @return ALD_STATUS_OK if the raster is loaded. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the path is longer than 65,536 bytes.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid, or its runtime is released during the call.
 *   - ALD_STATUS_NOT_FOUND as in ald_raster_open.
 *   - ALD_STATUS_UNSUPPORTED as in ald_raster_open.
 *   - ALD_STATUS_READ_FAILED as in ald_raster_open.
 *   - ALD_STATUS_POLICY_REFUSED as in ald_raster_open.
 *   - ALD_STATUS_LIMIT_EXCEEDED as in ald_raster_open.
 *   - ALD_STATUS_CANCELLED if loading was cancelled.
 */
ALD_API ald_status ald_raster_load(ald_raster raster, ald_error *error);

/**
 * Starts loading a raster if that has not happened yet, and creates a request that ends when loading ends.
 *
 * Each request reports the end once, as its options choose; there is nothing to take from it. Cancelling or releasing
 * the request ends only this wait; loading continues.
 *
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request, of the kind ALD_REQUEST_KIND_LOAD; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or an option is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 */
ALD_API ald_status ald_raster_load_async(ald_raster raster, const ald_request_options *request_options,
                                         ald_request *out_request, ald_error *error);

/**
 * Loads a raster like ald_raster_load, but loads it again if loading has failed. A raster that is loaded stays
 * unchanged, even if its files change.
 *
 * @return ALD_STATUS_OK if the raster is loaded. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the path is longer than 65,536 bytes.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid, or its runtime is released during the call.
 *   - ALD_STATUS_NOT_FOUND as in ald_raster_open.
 *   - ALD_STATUS_UNSUPPORTED as in ald_raster_open.
 *   - ALD_STATUS_READ_FAILED as in ald_raster_open.
 *   - ALD_STATUS_POLICY_REFUSED as in ald_raster_open.
 *   - ALD_STATUS_LIMIT_EXCEEDED as in ald_raster_open.
 *   - ALD_STATUS_CANCELLED if loading was cancelled.
 */
ALD_API ald_status ald_raster_retry_load(ald_raster raster, ald_error *error);

/**
 * Starts loading a raster like ald_raster_load_async, even if loading has failed before.
 *
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_request is NULL or an option is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 */
ALD_API ald_status ald_raster_retry_load_async(ald_raster raster, const ald_request_options *request_options,
                                               ald_request *out_request, ald_error *error);

/**
 * Cancels the loading of a raster. When this function returns, loading has failed with ALD_STATUS_CANCELLED, and all
 * waiting callers are notified. If the raster is not being loaded, nothing changes, and the call succeeds.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 */
ALD_API ald_status ald_raster_cancel_load(ald_raster raster, ald_error *error);

/**
 * Gets the current state of loading a raster. Never waits.
 *
 * @param out_info Receives the state. Initialise it with ALD_LOAD_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 */
ALD_API ald_status ald_raster_get_load_info(ald_raster raster, ald_load_info *out_info, ald_error *error);

/* Facts */

/**
 * Gets facts about a raster.
 *
 * @param out_info Receives the facts. Initialise it with ALD_RASTER_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded.
 */
ALD_API ald_status ald_raster_get_info(ald_raster raster, ald_raster_info *out_info, ald_error *error);

/**
 * Gets the spatial reference of a raster.
 *
 * @param out_spatial_reference Receives the spatial reference. The handle is borrowed: valid while the raster lives.
 *     Set to null on failure.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_spatial_reference is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded.
 *   - ALD_STATUS_NOT_FOUND if the raster has no spatial reference, or its spatial reference cannot be used (the message
 *     says why).
 */
ALD_API ald_status ald_raster_get_spatial_reference(ald_raster raster, ald_spatial_reference *out_spatial_reference,
                                                    ald_error *error);

/**
 * Gets facts about a band.
 *
 * @param band From 1 to the raster's band_count.
 * @param out_info Receives the facts. Initialise it with ALD_BAND_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded.
 *   - ALD_STATUS_NOT_FOUND if there is no such band.
 */
ALD_API ald_status ald_raster_get_band_info(ald_raster raster, int32_t band, ald_band_info *out_info, ald_error *error);

/**
 * Gets the size of an overview, which is a copy of the band at a coarser resolution.
 *
 * @param band From 1 to the raster's band_count.
 * @param index From 0 to the band's overview_count - 1.
 * @param out_width Receives the width in cells.
 * @param out_height Receives the height in cells.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_width or out_height is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded.
 *   - ALD_STATUS_NOT_FOUND if there is no such band or overview.
 */
ALD_API ald_status ald_raster_get_overview_size(ald_raster raster, int32_t band, uint32_t index, int32_t *out_width,
                                                int32_t *out_height, ald_error *error);

/**
 * Gets the name with which ald_raster_open opens a data set inside the file.
 *
 * @param index From 0 to the raster's subdataset_count - 1.
 * @param out_name Receives the name. It is valid while the handle lives.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_name is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded.
 *   - ALD_STATUS_NOT_FOUND if there is no such data set.
 */
ALD_API ald_status ald_raster_get_subdataset_at(ald_raster raster, uint32_t index, const char **out_name,
                                                ald_error *error);

/**
 * Gets a column of a band's attribute table.
 *
 * @param band From 1 to the raster's band_count.
 * @param column From 0 to the band's table_column_count - 1.
 * @param out_column Receives the column. Initialise it with ALD_TABLE_COLUMN_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_column is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded.
 *   - ALD_STATUS_NOT_FOUND if there is no such band or column.
 */
ALD_API ald_status ald_raster_get_table_column(ald_raster raster, int32_t band, int32_t column,
                                               ald_table_column *out_column, ald_error *error);

/**
 * Gets a value of a band's attribute table.
 *
 * @param band From 1 to the raster's band_count.
 * @param row From 0 to the band's table_row_count - 1.
 * @param column From 0 to the band's table_column_count - 1.
 * @param out_value Receives the value. Initialise it with ALD_TABLE_VALUE_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_value is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded.
 *   - ALD_STATUS_NOT_FOUND if there is no such band, row or column.
 */
ALD_API ald_status ald_raster_get_table_value(ald_raster raster, int32_t band, int32_t row, int32_t column,
                                              ald_table_value *out_value, ald_error *error);

/**
 * Gets the outline of a raster as a polygon, in the raster's own or another spatial reference.
 *
 * If a point of the outline cannot be projected, such as a pole in Web Mercator, it is moved along its column towards
 * the raster's middle row until it can be projected and lies in the box that ald_layer_get_full_extent returns for the
 * raster.
 *
 * @param spatial_reference The spatial reference of the outline; null: the raster's own.
 * @param segments_per_edge The number of segments into which each of the four edges is divided before it is projected,
 *     1 to 10000.
 * @param out_points Receives the ring, from corner (0, 0) through (width, 0); the last point equals the first. NULL
 *     with capacity 0 requests only their number.
 * @param capacity The number of points that fit into out_points.
 * @param out_count Receives 4 * segments_per_edge + 1, even if the buffer is too small. May be NULL if out_points is
 *     not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if segments_per_edge is out of its range, out_points is NULL and capacity is not 0,
 *     both out_points and out_count are NULL, or raster and spatial_reference are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded, or another spatial reference is requested and the raster has
 *     none.
 *   - ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform.
 *   - ALD_STATUS_PROJECTION_FAILED if no point of the outline can be projected.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the points do not fit.
 */
ALD_API ald_status ald_raster_get_outline(ald_raster raster, ald_spatial_reference spatial_reference,
                                          int32_t segments_per_edge, ald_point *out_points, size_t capacity,
                                          size_t *out_count, ald_error *error);

/* Cells */

/**
 * Reads cells by column and row.
 *
 * An index that is not on the raster gives ALD_CELL_VERDICT_OUTSIDE; this is not an error. The file is read block by
 * block. The results are in the order of the indexes. On failure nothing is written.
 *
 * @param indexes count indexes.
 * @param count The number of indexes; 0 does nothing.
 * @param out_cells NULL, or receives count cells.
 * @param out_values NULL, or receives count * band_count values: all bands of the first cell, then all bands of the
 *     next.
 * @param value_capacity The number of values that fit into out_values.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if indexes is NULL or a size overflows.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if a block cannot be read.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call exceeds a limit of the policy.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the values do not fit.
 */
ALD_API ald_status ald_raster_read_cells(ald_raster raster, const ald_cell_index *indexes, size_t count,
                                         ald_cell *out_cells, ald_band_value *out_values, size_t value_capacity,
                                         ald_error *error);

/**
 * Reads the cells at points. The inverse of the geotransform, in the raster's own spatial reference, gives the column
 * and row of each point. Otherwise the function works like ald_raster_read_cells. On failure nothing is written.
 *
 * @param spatial_reference The spatial reference of the points; null: the raster's own.
 * @param xy count points, each two doubles x, y. A point that is not finite gives ALD_CELL_VERDICT_OUTSIDE.
 * @param stride_bytes Bytes from one point to the next, at least 16. 0 means 16.
 * @param count The number of points; 0 does nothing.
 * @param out_cells NULL, or receives count cells.
 * @param out_values NULL, or receives count * band_count values: all bands of the first cell, then all bands of the
 *     next.
 * @param value_capacity The number of values that fit into out_values.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if xy is NULL, the stride is too small, a size overflows, or raster and
 *     spatial_reference are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if raster is not valid, or spatial_reference is given and is not valid.
 *   - ALD_STATUS_NOT_READY if the raster is not loaded, or a spatial reference is given and the raster has none.
 *   - ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform.
 *   - ALD_STATUS_READ_FAILED with GDAL's message if a block cannot be read.
 *   - ALD_STATUS_PROJECTION_FAILED if there is no operation between the two spatial references.
 *   - ALD_STATUS_LIMIT_EXCEEDED if the call exceeds a limit of the policy.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if the values do not fit.
 */
ALD_API ald_status ald_raster_read_points(ald_raster raster, ald_spatial_reference spatial_reference, const double *xy,
                                          size_t stride_bytes, size_t count, ald_cell *out_cells,
                                          ald_band_value *out_values, size_t value_capacity, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

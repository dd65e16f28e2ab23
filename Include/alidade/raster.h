/**
 * @file
 * Rasters: anything that GDAL reads, opened read-only, its facts and its cells.
 *
 * Columns count from 0 at the left of the raster's own grid, rows from 0 at its first line, bands from 1. A cell is
 * half open: it holds its left and upper edge (in the raster's own grid) and not its right and lower one. Cells are
 * always those of the native resolution. On the raster's own border the geotransform decides and not its inverse:
 * corner (0, 0) of ald_raster_info is on the raster and corner (width, height) is not. Everywhere else a cell is what
 * GDAL's inverse geotransform gives.
 *
 * Where the raster's spatial reference repeats the world (longitudes, Web Mercator), a point and its copies one or more
 * worlds to the west or east are the same: a raster with longitudes 0 to 360 has cells at -90.
 *
 * A band may have a nodata value and an alpha band. Then each has its say: ALD_CELL_NODATA where the value is nodata,
 * else ALD_CELL_TRANSPARENT where alpha is 0. GDAL's mask differs: it is that of the nodata value alone.
 */
#ifndef ALIDADE_RASTER_H
#define ALIDADE_RASTER_H

#include "base.h"
#include "request.h"
#include "spatial_reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A raster. Its facts never change while it is loaded; reading is possible on any number of threads at once. One of
 * ald_raster_open is loaded; of ald_raster_create see alidade/raster_loading.h.
 */
typedef struct ald_raster {
  uint64_t id;
} ald_raster;

/** The type in which a band stores its values. */
typedef int32_t ald_data_type;
enum {
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

/** What a band means for a picture. */
typedef int32_t ald_color_role;
enum {
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

/** Whether there is a value, and if not, why. */
typedef int32_t ald_cell_verdict;
enum {
  /** The cell has a value. */
  ALD_CELL_VALUE = 0,
  /** The stored value is the band's (or the data set's) nodata value, and no mask says that it is valid all the same.
   */
  ALD_CELL_NODATA = 1,
  /** The mask band says that the cell is not valid. */
  ALD_CELL_MASKED = 2,
  /** The alpha band is 0 here. */
  ALD_CELL_TRANSPARENT = 3,
  /** The point is not on the raster, or the layer is hidden. */
  ALD_CELL_OUTSIDE = 4,
  /** The point cannot be projected into the raster's spatial reference. */
  ALD_CELL_NOT_PROJECTABLE = 5
};

/** How raster coordinates follow from columns and rows. */
typedef int32_t ald_georeference_kind;
enum {
  /** Not at all: the raster cannot be placed on a map. */
  ALD_GEOREFERENCE_NONE = 0,
  /** By the affine geotransform. */
  ALD_GEOREFERENCE_AFFINE = 1,
  /** By ground control points: the raster must be warped before it can be placed on a map. */
  ALD_GEOREFERENCE_CONTROL_POINTS = 2,
  /** By rational polynomial coefficients: the raster must be warped before it can be placed on a map. */
  ALD_GEOREFERENCE_RATIONAL_POLYNOMIAL = 3
};

/** How a raster is opened. */
typedef struct ald_raster_open_options {
  uint32_t struct_size;
  uint32_t reserved;
  /** Stands in for the file's spatial reference, present or not; null: the file's own. */
  ald_spatial_reference spatial_reference;
} ald_raster_open_options;

/** Initialises an ald_raster_open_options to the default. */
#define ALD_RASTER_OPEN_OPTIONS_INIT                                                                                   \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_raster_open_options), 0, {                                                                    \
      0                                                                                                                \
    }                                                                                                                  \
  }

/** Facts about a raster. The strings live as long as the handle. */
typedef struct ald_raster_info {
  uint32_t struct_size;
  /** Size in cells. */
  int32_t width;
  int32_t height;
  int32_t band_count;
  /** What geotransform is worth. */
  ald_georeference_kind georeference;
  /** How many control points the file has. */
  int32_t control_point_count;
  /** How many data sets lie inside the file beside this one; see ald_raster_subdataset. */
  int32_t subdataset_count;
  /** 1 if the raster has a spatial reference that can be used, its own or one given at opening. */
  uint32_t has_spatial_reference;
  /**
   * x = g[0] + column * g[1] + row * g[2] and y = g[3] + column * g[4] + row * g[5], in the raster's spatial
   * reference; 0, 1, 0, 0, 0, 1 unless georeference is ALD_GEOREFERENCE_AFFINE.
   */
  double geotransform[6];
  /** The corners (0, 0), (width, 0), (width, height), (0, height), through the geotransform. */
  ald_point corners[4];
  /** The box around the corners. */
  ald_envelope extent;
  /** What the raster was opened by. */
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

/** Bits of ald_band_info.facts: which fields the file gives. */
typedef uint32_t ald_band_facts;
enum {
  ALD_BAND_HAS_NODATA = 1,
  ALD_BAND_HAS_SCALE = 2,
  ALD_BAND_HAS_OFFSET = 4,
  /** A mask band of its own or of the data set says which cells are valid. */
  ALD_BAND_HAS_MASK = 8,
  /** An alpha band says which cells are transparent. */
  ALD_BAND_HAS_ALPHA = 16
};

/** Facts about a band. Strings and arrays live as long as the raster's handle. */
typedef struct ald_band_info {
  uint32_t struct_size;
  ald_data_type type;
  ald_color_role color_role;
  ald_band_facts facts;
  /** The size of the blocks in which the file stores the band, in cells. */
  int32_t block_width;
  int32_t block_height;
  int32_t overview_count;
  int32_t category_count;
  int32_t color_count;
  /** Size of the attribute table; 0 and 0 if there is none. */
  int32_t table_row_count;
  int32_t table_column_count;
  uint32_t reserved;
  /** The nodata value; for 64-bit integers nodata_integer is exact. NaN if there is none. */
  double nodata;
  /** The nodata value of integer bands; of UINT64 its bits. 0 if there is none. */
  int64_t nodata_integer;
  /** scaled value = raw value * scale + offset; 1 and 0 if the file gives none. */
  double scale;
  double offset;
  /** The unit of the scaled value; empty if the file gives none. */
  const char *unit;
  /** The band's own name; empty if the file gives none. */
  const char *description;
  /** category_count names; the name at i is that of raw value i, and may be empty. */
  const char *const *category_names;
  /** color_count colours; the colour at i is that of raw value i. */
  const ald_rgba *colors;
} ald_band_info;

/** Initialises an ald_band_info. */
#define ALD_BAND_INFO_INIT                                                                                             \
  { (uint32_t)sizeof(ald_band_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.0, 0, 0.0, 0.0, NULL, NULL, NULL, NULL }

/** The type of an attribute table's column. */
typedef int32_t ald_table_column_type;
enum { ALD_TABLE_COLUMN_INTEGER = 1, ALD_TABLE_COLUMN_REAL = 2, ALD_TABLE_COLUMN_TEXT = 3 };

/** What an attribute table's column is for. */
typedef int32_t ald_table_column_role;
enum {
  ALD_TABLE_COLUMN_GENERIC = 0,
  ALD_TABLE_COLUMN_PIXEL_COUNT = 1,
  ALD_TABLE_COLUMN_NAME = 2,
  ALD_TABLE_COLUMN_MINIMUM = 3,
  ALD_TABLE_COLUMN_MAXIMUM = 4,
  ALD_TABLE_COLUMN_VALUE = 5,
  ALD_TABLE_COLUMN_RED = 6,
  ALD_TABLE_COLUMN_GREEN = 7,
  ALD_TABLE_COLUMN_BLUE = 8,
  ALD_TABLE_COLUMN_ALPHA = 9,
  /** Any other of GDAL's usages. */
  ALD_TABLE_COLUMN_OTHER = 10
};

/** A column of a band's attribute table. The name lives as long as the raster's handle. */
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

/** A value in a band's attribute table. The text lives as long as the raster's handle. */
typedef struct ald_table_value {
  uint32_t struct_size;
  ald_table_column_type type;
  /** The value of an integer column. */
  int64_t integer;
  /** The value of an integer or real column. */
  double real;
  /** The value as text, whatever the column's type. */
  const char *text;
} ald_table_value;

/** Initialises an ald_table_value. */
#define ALD_TABLE_VALUE_INIT                                                                                           \
  { (uint32_t)sizeof(ald_table_value), 0, 0, 0.0, NULL }

/** A cell's place in its raster. */
typedef struct ald_cell_index {
  int32_t column;
  int32_t row;
} ald_cell_index;

/** A cell that was asked for. 16 bytes for ever. */
typedef struct ald_cell {
  /** Column and row; -1 and -1 unless the point is on the raster. */
  int32_t column;
  int32_t row;
  /** ALD_CELL_VALUE if any band but an alpha band has a value; else why the first band has none. */
  ald_cell_verdict verdict;
  uint32_t reserved;
} ald_cell;

/** What one band says of a cell. 64 bytes for ever. */
typedef struct ald_band_value {
  ald_data_type type;
  ald_cell_verdict verdict;
  /**
   * The stored value, whatever the verdict; NaN where there is no cell. Exact but for 64-bit integers beyond 2^53: for
   * those, read integer. The real part of a complex value.
   */
  double value;
  /** The imaginary part of a complex value, else 0. */
  double imaginary;
  /** The stored value of an integer type, exact; of UINT64 its bits. Else 0. */
  int64_t integer;
  /** value * scale + offset; NaN unless the verdict is ALD_CELL_VALUE. The real part for a complex value. */
  double scaled;
  /** imaginary * scale for a complex value (the offset is real), else 0. */
  double scaled_imaginary;
  /** The colour by the band's colour table; 0, 0, 0, 0 if there is none or the verdict is not ALD_CELL_VALUE. */
  ald_rgba color;
  /** Index of the value's category name; -1 if it has none. */
  int32_t category;
  /** Row of the band's attribute table that describes the value; -1 if there is none. */
  int32_t table_row;
  uint32_t reserved;
} ald_band_value;

/**
 * Opens a raster, read-only. Nothing is written beside it.
 *
 * Before GDAL may open anything, the names in the file, in the files beside it and in all that these lead to are held
 * against the runtime's policy; see ald_policy. Should one of these files change, come or go later, reading is
 * ALD_STATUS_READ_FAILED: old and new content are never mixed. (Single cells notice it within some 10 ms.)
 *
 * @param path A file's path, or another name that GDAL understands and the policy allows; at most 65536 bytes.
 * @param options NULL for all defaults.
 * @param out_raster Receives the raster; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the runtime, or the option's spatial reference);
 *   ALD_STATUS_INVALID_ARGUMENT if path is NULL, empty or not UTF-8, out_raster is NULL or an option is not valid;
 *   ALD_STATUS_NOT_FOUND if there is no such file; ALD_STATUS_READ_FAILED with GDAL's words if it cannot be read as a
 *   raster; ALD_STATUS_POLICY_REFUSED if the policy forbids path, its driver, or a name that the file leads to;
 *   ALD_STATUS_LIMIT_EXCEEDED if an attribute table, a block or the number of bands is larger than the policy's memory
 *   allows, or files name files too deep; ALD_STATUS_UNSUPPORTED if the file holds no band, only data sets inside it,
 *   is a database with a write-ahead log, which cannot be read without writing beside it, or is no file but a pipe or
 *   a device.
 */
ALD_API ald_status ald_raster_open(ald_runtime runtime, const char *path, const ald_raster_open_options *options,
                                   ald_raster *out_raster, ald_error *error);

/**
 * Lists the rasters in a file that may hold several, such as netCDF, HDF5 or GeoPackage.
 *
 * The names are what ald_raster_open takes; they are subject to the policy when they are opened. A file that lists none
 * and has bands itself is its only entry, under the given path. For layers of features see ald_feature_source_sublayer.
 * The file is read by each call, also by one that asks for the size.
 *
 * @param path As for ald_raster_open.
 * @param buffer Receives a JSON array of objects, each with "name" and "description" (the driver's words, may be
 * empty), ended by a zero byte; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the size in bytes, the zero byte included; also written when the buffer is too small. May be
 *   NULL if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if path is NULL, empty or not UTF-8,
 *   buffer is NULL and capacity is not 0, or nothing is asked for; ALD_STATUS_NOT_FOUND if there is no such file;
 *   ALD_STATUS_READ_FAILED with GDAL's words if it cannot be read; ALD_STATUS_POLICY_REFUSED as for ald_raster_open;
 *   ALD_STATUS_LIMIT_EXCEEDED if files name files too deep; ALD_STATUS_UNSUPPORTED if it is no file but a pipe or a
 *   device; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_runtime_read_datasets(ald_runtime runtime, const char *path, char *buffer, size_t capacity,
                                             size_t *out_size, ald_error *error);

/**
 * Opens a raster without waiting for it; see alidade/request.h. Arguments are checked at once, the file is not.
 *
 * @param path As for ald_raster_open.
 * @param options NULL for all defaults.
 * @param request_options NULL for all defaults.
 * @param out_request Receives the request; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the runtime, or the option's spatial reference);
 *   ALD_STATUS_INVALID_ARGUMENT if path is NULL, empty or not UTF-8, out_request is NULL or an option is not valid.
 */
ALD_API ald_status ald_raster_open_async(ald_runtime runtime, const char *path, const ald_raster_open_options *options,
                                         const ald_request_options *request_options, ald_request *out_request,
                                         ald_error *error);

/**
 * Takes the raster that a request has opened. It can be taken once.
 *
 * @param out_raster Receives the raster; the host owns it. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_raster is NULL or the request
 *   opens no raster; ALD_STATUS_NOT_READY while it is pending; ALD_STATUS_CANCELLED; ALD_STATUS_INVALID_STATE if it has
 *   been taken already; and what ald_raster_open answers for a file that cannot be opened: ALD_STATUS_NOT_FOUND,
 *   ALD_STATUS_READ_FAILED, ALD_STATUS_POLICY_REFUSED, ALD_STATUS_LIMIT_EXCEEDED, ALD_STATUS_UNSUPPORTED.
 */
ALD_API ald_status ald_request_take_raster(ald_request request, ald_raster *out_raster, ald_error *error);

/** Releases a raster. Layers that show it keep it. */
ALD_API void ald_raster_release(ald_raster raster);

/**
 * Facts about a raster.
 *
 * @param out_info Initialise it with ALD_RASTER_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_NOT_READY if the raster is not loaded;
 *   ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is none.
 */
ALD_API ald_status ald_raster_get_info(ald_raster raster, ald_raster_info *out_info, ald_error *error);

/**
 * The raster's spatial reference, lent.
 *
 * @param out_spatial_reference Receives the spatial reference. Set to null on failure.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_NOT_READY if the raster is not loaded;
 *   ALD_STATUS_INVALID_ARGUMENT if out_spatial_reference is NULL; ALD_STATUS_NOT_FOUND if the raster has none, or one
 *   that cannot be used (the message says why).
 */
ALD_API ald_status ald_raster_spatial_reference(ald_raster raster, ald_spatial_reference *out_spatial_reference,
                                                ald_error *error);

/**
 * Facts about a band.
 *
 * @param band From 1 to the raster's band_count.
 * @param out_info Initialise it with ALD_BAND_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_NOT_READY if the raster is not loaded;
 *   ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is none; ALD_STATUS_NOT_FOUND if there is no
 *   such band.
 */
ALD_API ald_status ald_raster_band_info(ald_raster raster, int32_t band, ald_band_info *out_info, ald_error *error);

/**
 * The size of an overview (a copy of the band at a coarser resolution).
 *
 * @param band From 1 to the raster's band_count.
 * @param index From 0 to the band's overview_count - 1.
 * @param out_width Receives its width in cells.
 * @param out_height Receives its height in cells.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_NOT_READY if the raster is not loaded;
 *   ALD_STATUS_INVALID_ARGUMENT if out_width or out_height is NULL; ALD_STATUS_NOT_FOUND if there is no such band or
 *   overview.
 */
ALD_API ald_status ald_raster_overview_size(ald_raster raster, int32_t band, int32_t index, int32_t *out_width,
                                            int32_t *out_height, ald_error *error);

/**
 * The name by which a data set inside the file can be opened.
 *
 * @param index From 0 to the raster's subdataset_count - 1.
 * @param out_name Receives the name, which lives as long as the handle.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_NOT_READY if the raster is not loaded;
 *   ALD_STATUS_INVALID_ARGUMENT if out_name is NULL; ALD_STATUS_NOT_FOUND if there is no such data set.
 */
ALD_API ald_status ald_raster_subdataset(ald_raster raster, int32_t index, const char **out_name, ald_error *error);

/**
 * A column of a band's attribute table.
 *
 * @param band From 1 to the raster's band_count.
 * @param column From 0 to the band's table_column_count - 1.
 * @param out_column Initialise it with ALD_TABLE_COLUMN_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_NOT_READY if the raster is not loaded;
 *   ALD_STATUS_INVALID_ARGUMENT if out_column is NULL or its struct_size is none; ALD_STATUS_NOT_FOUND if there is no
 *   such band or column.
 */
ALD_API ald_status ald_raster_table_column(ald_raster raster, int32_t band, int32_t column,
                                           ald_table_column *out_column, ald_error *error);

/**
 * A value in a band's attribute table.
 *
 * @param band From 1 to the raster's band_count.
 * @param row From 0 to the band's table_row_count - 1.
 * @param column From 0 to the band's table_column_count - 1.
 * @param out_value Initialise it with ALD_TABLE_VALUE_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_NOT_READY if the raster is not loaded;
 *   ALD_STATUS_INVALID_ARGUMENT if out_value is NULL or its struct_size is none; ALD_STATUS_NOT_FOUND if there is no
 *   such band, row or column.
 */
ALD_API ald_status ald_raster_table_value(ald_raster raster, int32_t band, int32_t row, int32_t column,
                                          ald_table_value *out_value, ald_error *error);

/**
 * The raster's outline as a polygon, in its own or another spatial reference.
 *
 * A point of the outline that cannot be projected, such as a pole in Web Mercator, is taken along its column towards
 * the raster's middle row until it can be projected and lies in the box that ald_layer_full_extent gives for the
 * raster.
 *
 * @param spatial_reference Where the outline is wanted; null: the raster's own.
 * @param segments_per_edge How many segments each of the four edges is cut into before it is projected, 1 to 10000.
 * @param out_points Receives the ring, from corner (0, 0) by (width, 0), the last point equal to the first; NULL with
 *   capacity 0 asks for the number alone.
 * @param capacity How many points out_points has room for.
 * @param out_count Receives 4 * segments_per_edge + 1; also written when the buffer is too small. May be NULL if
 *   out_points is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if segments_per_edge is out of its
 *   range, out_points is NULL and capacity is not 0, nothing is asked for, or the two are of different runtimes;
 *   ALD_STATUS_UNSUPPORTED if the raster is not georeferenced by a geotransform; ALD_STATUS_NOT_READY if another
 *   spatial reference is asked for and the raster has none; ALD_STATUS_PROJECTION_FAILED if no point of the outline
 *   can be projected; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_raster_outline(ald_raster raster, ald_spatial_reference spatial_reference,
                                      int32_t segments_per_edge, ald_point *out_points, size_t capacity,
                                      size_t *out_count, ald_error *error);

/**
 * Reads cells by column and row. An index that is not on the raster is ALD_CELL_OUTSIDE and no error. Inside, cells are
 * read block by block; the answers are in the order of the indexes.
 *
 * @param indexes count indexes.
 * @param count How many; 0 does nothing.
 * @param out_cells NULL, or receives count cells.
 * @param out_values NULL, or receives count * band_count values: all bands of the first cell, then of the next.
 * @param value_capacity How many values out_values has room for.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_NOT_READY if the raster is not loaded;
 *   ALD_STATUS_INVALID_ARGUMENT if indexes is NULL or a size overflows; ALD_STATUS_BUFFER_TOO_SMALL;
 *   ALD_STATUS_LIMIT_EXCEEDED; ALD_STATUS_READ_FAILED with GDAL's words if a block cannot be read; then nothing is
 *   written.
 */
ALD_API ald_status ald_raster_read_cells(ald_raster raster, const ald_cell_index *indexes, size_t count,
                                         ald_cell *out_cells, ald_band_value *out_values, size_t value_capacity,
                                         ald_error *error);

/**
 * Reads the cells under points. Like ald_raster_read_cells, with the cell found by the inverse of the geotransform in
 * the raster's own spatial reference.
 *
 * @param spatial_reference What the points are in; null: the raster's own.
 * @param xy count points, each two doubles x, y. A point that is not finite is ALD_CELL_OUTSIDE.
 * @param stride_bytes From one point to the next; 0: 16. At least 16.
 * @param count How many; 0 does nothing.
 * @param out_cells NULL, or receives count cells.
 * @param out_values NULL, or receives count * band_count values: all bands of the first cell, then of the next.
 * @param value_capacity How many values out_values has room for.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if xy is NULL, the stride is too small,
 *   a size overflows, or the two are of different runtimes; ALD_STATUS_UNSUPPORTED if the raster is not georeferenced
 *   by a geotransform; ALD_STATUS_NOT_READY if a spatial reference is given and the raster has none;
 *   ALD_STATUS_PROJECTION_FAILED if there is no operation between the two; ALD_STATUS_BUFFER_TOO_SMALL;
 *   ALD_STATUS_LIMIT_EXCEEDED; ALD_STATUS_READ_FAILED with GDAL's words if a block cannot be read; then nothing is
 *   written.
 */
ALD_API ald_status ald_raster_read_points(ald_raster raster, ald_spatial_reference spatial_reference, const double *xy,
                                          size_t stride_bytes, size_t count, ald_cell *out_cells,
                                          ald_band_value *out_values, size_t value_capacity, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

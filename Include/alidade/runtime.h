/**
 * @file
 * Runtimes. A runtime owns all other objects, the worker threads, the caches, the search paths and the policy.
 *
 * Create one runtime per process, before anything else, and release it last. Its policy limits what opened files may
 * do. Its report contains what a person needs to know when something is wrong.
 *
 * @code{.c}
 * ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
 * ald_runtime new_runtime;
 * options.thread_count = 4;
 * ald_status status = ald_runtime_create(&options, &new_runtime, error);
 * if (status != ALD_STATUS_OK)
 *   return status;
 * ald_runtime_release(new_runtime);
 * return ALD_STATUS_OK;
 * @endcode
 */
#ifndef ALIDADE_RUNTIME_H
#define ALIDADE_RUNTIME_H

#include "base.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of ald_policy.flags. */
typedef uint32_t ald_policy_flags;
enum ald_policy_flags_values {
  /**
   * Allows names with which GDAL itself uses the network, such as /vsicurl/, for all hosts. Without this bit such names
   * are refused. Services need only ald_policy.hosts.
   */
  ALD_POLICY_ALLOW_NETWORK = 1,
  /** Adds ald_policy.drivers to the default list instead of replacing the list. */
  ALD_POLICY_ADD_DRIVERS = 2,
  /**
   * Runs the host's conditions and statements unchanged, in the SQL dialect of the file: any function, any sub-select,
   * without a time limit. Without this bit the grammar of ald_feature_source_options applies. Set it only if strangers
   * cannot write them.
   */
  ALD_POLICY_ALLOW_SQL = 4,
  /**
   * Allows databases (GeoPackage, SQLite, MBTiles) that contain SQL of their own: views that call any function, virtual
   * tables, SpatiaLite. This SQL runs when the file is opened. Set the bit only for files that you trust like programs.
   */
  ALD_POLICY_ALLOW_SQL_IN_FILES = 8,
  /**
   * Replaces the default list of drivers by a short list of formats in which files are commonly exchanged. Their
   * decoders withstood damaged files in tests, print nothing, open no file by a name in another file, and read no
   * databases.
   *
   * For rasters: AAIGrid, BIGGIF, BMP, DTED, EHdr, ENVI, GIF, GTiff, JPEG, PNG, SRTMHGT and WEBP. For features: CSV,
   * ESRI Shapefile, FlatGeobuf, GeoJSON, GeoJSONSeq, GPX, KML and TopoJSON.
   */
  ALD_POLICY_COMMON_FORMATS_ONLY = 16
};

/**
 * What opened files may do.
 *
 * Zero in every field is the strict default. Only local files can be opened. The GDAL drivers neither use the network
 * nor run code. Files that name other files (such as VRT) may name only files in their own folder and below. The limits
 * suit an interactive host. A list may hold up to 10,000 names.
 *
 * The default list leaves out drivers that read whatever a file names, because the library cannot check those names
 * first. They include netCDF, HDF5, HDF4, BAG and Zarr. To open such files, name the driver in drivers and set
 * ALD_POLICY_ADD_DRIVERS. Do that only for files from a source that you trust.
 *
 * The library checks every name in a file before GDAL opens the named file, however deeply files name other files. If
 * it refuses a name, the error message gives the file, the name, the rule, and the setting that allows it.
 */
typedef struct ald_policy {
  uint32_t struct_size;
  ald_policy_flags flags;
  /** The short names of the GDAL drivers that may open files, such as "GTiff". NULL means the default list. */
  const char *const *drivers;
  /** The number of names in drivers. */
  uint32_t driver_count;
  /** The number of names in vsi_prefixes. */
  uint32_t vsi_prefix_count;
  /**
   * The virtual file systems that names may use. Each is a prefix that begins with "/vsi", such as "/vsizip/". NULL
   * means none.
   */
  const char *const *vsi_prefixes;
  /**
   * The most memory that one request may need, in bytes. 0 means 1 GiB.
   *
   * It also limits what a file can make the library allocate: a block may have this size, and a file that names other
   * files a sixteenth of it. Each band counts as 4096 bytes.
   */
  uint64_t max_request_bytes;
  /** The largest number of points or pixels in one request, at most 2,147,483,647. 0 means 67,108,864. */
  uint64_t max_request_points;
  /**
   * Absolute paths of folders. Other files may name the files in these folders and in the folders below them. NULL
   * means none.
   *
   * The folder of the file that the host opens, and the folders below it, are always allowed. The library resolves
   * links before it compares paths.
   */
  const char *const *data_directories;
  /** The number of paths in data_directories. */
  uint32_t data_directory_count;
  /**
   * The longest time that a call may take, in milliseconds. 0 means no limit.
   *
   * The limit applies to calls that compute with geometries, project them, read rasters and features, or open files, to
   * ald_spatial_reference_measure_displacement, and to the work of requests. The time of other calls depends only on
   * the size of their data. A call that takes longer returns ALD_STATUS_LIMIT_EXCEEDED and creates nothing. A request
   * fails in the same way.
   *
   * While the caller waits, another thread does the work of such a call. Operations that check the time end soon after
   * the limit. Operations of GEOS end when GEOS next checks the time. Other operations, such as a driver that decodes a
   * block, are abandoned: the call returns when the limit has passed a second time (after at least 10 ms and at most 1
   * s more), and the work continues until it ends by itself. A runtime has 16 threads for this in addition to
   * thread_count. While all of them are busy, calls wait for a thread, and the limit includes this time.
   *
   * GEOS checks the time with a function of the process (GEOS_interruptRegisterCallback). The first call with a limit
   * registers that function. It calls the function that was registered before, and does nothing on threads that do not
   * work for such calls. If the host registers its own function later, operations of GEOS are abandoned instead.
   */
  uint32_t max_request_ms;
  /**
   * The hosts whose services layers may use over http and https. NULL means none.
   *
   * An entry is a host's name such as "example.com", or its address ("192.0.2.1", "[2001:db8::1]"). "*.example.com"
   * allows all hosts below that name, and "*" allows all hosts. An entry with a port, such as "localhost:8080", allows
   * that port alone. The list also applies to redirects and to the addresses that the documents of a service name. The
   * environment's proxies are not used.
   */
  const char *const *hosts;
  /** The number of entries in hosts. */
  uint32_t host_count;
  /** Zero. */
  uint32_t reserved;
} ald_policy;

/** Initialises an ald_policy to the default. */
#define ALD_POLICY_INIT                                                                                                \
  { (uint32_t)sizeof(ald_policy), 0, NULL, 0, 0, NULL, 0, 0, NULL, 0, 0, NULL, 0, 0 }

/** The value of ald_policy.max_request_bytes in ALD_POLICY_INIT_UNTRUSTED. */
#define ALD_POLICY_UNTRUSTED_BYTES 268435456
/** The value of ald_policy.max_request_points in ALD_POLICY_INIT_UNTRUSTED. */
#define ALD_POLICY_UNTRUSTED_POINTS 16777216
/** The value of ald_policy.max_request_ms in ALD_POLICY_INIT_UNTRUSTED. */
#define ALD_POLICY_UNTRUSTED_MS 10000

/**
 * Initialises an ald_policy for a process that opens files of strangers, such as a server.
 *
 * It is the default with ALD_POLICY_COMMON_FORMATS_ONLY and lower limits of memory, points and time. A decoder may
 * still have a fault: run such a server in a process that may crash without harm, under limits of the operating system.
 */
#define ALD_POLICY_INIT_UNTRUSTED                                                                                      \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_policy), ALD_POLICY_COMMON_FORMATS_ONLY, NULL, 0, 0, NULL, ALD_POLICY_UNTRUSTED_BYTES,        \
        ALD_POLICY_UNTRUSTED_POINTS, NULL, 0, ALD_POLICY_UNTRUSTED_MS, NULL, 0, 0                                      \
  }

/** The severity of a log line. In ald_runtime_options: the lowest severity that the log keeps. */
typedef int32_t ald_log_level;
enum ald_log_level_values {
  /** In ald_runtime_options: the same as ALD_LOG_LEVEL_WARNING. */
  ALD_LOG_LEVEL_DEFAULT = 0,
  /** In ald_runtime_options: the log keeps nothing. */
  ALD_LOG_LEVEL_OFF = 1,
  /** Something failed, and no call returned the failure. */
  ALD_LOG_LEVEL_ERROR = 2,
  /** Something is wrong, and the library continued. */
  ALD_LOG_LEVEL_WARNING = 3,
  ALD_LOG_LEVEL_INFO = 4,
  ALD_LOG_LEVEL_DEBUG = 5
};

/** The settings of a new runtime. */
typedef struct ald_runtime_options {
  uint32_t struct_size;
  /**
   * The number of threads that may work at once, including the caller's; at most 256. 0 means one per processor.
   *
   * A thread starts when there is work for it, and ends when it has had no work for some seconds.
   */
  uint32_t thread_count;
  /** The policy. NULL means the default. The library copies it. */
  const ald_policy *policy;
  /** The folder that holds proj.db. NULL means the folders that PROJ searches by itself. */
  const char *proj_directory;
  /** The folder that holds GDAL's support files. NULL means the folders that GDAL searches by itself. */
  const char *gdal_directory;
  /** The lowest severity that the log keeps. See alidade/events.h. */
  ald_log_level log_level;
  uint32_t reserved;
} ald_runtime_options;

/** Initialises an ald_runtime_options to the default. */
#define ALD_RUNTIME_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_runtime_options), 0, NULL, NULL, NULL, 0, 0 }

/** The versions of the loaded libraries that this library uses. The strings are static. */
typedef struct ald_library_versions {
  uint32_t struct_size;
  uint32_t reserved;
  const char *gdal;
  const char *proj;
  const char *geos;
} ald_library_versions;

/** Initialises an ald_library_versions. */
#define ALD_LIBRARY_VERSIONS_INIT                                                                                      \
  { (uint32_t)sizeof(ald_library_versions), 0, NULL, NULL, NULL }

/** The format of a report. */
typedef int32_t ald_report_format;
enum ald_report_format_values {
  /** Lines of text for a person. */
  ALD_REPORT_FORMAT_TEXT = 0,
  /** A JSON object (RFC 8259) with the same facts. */
  ALD_REPORT_FORMAT_JSON = 1
};

/**
 * Creates a runtime.
 *
 * The first runtime in a process registers GDAL's drivers, which every user of the same GDAL in the process can see.
 * The library changes nothing else for the whole process.
 *
 * @param options NULL for all defaults.
 * @param out_runtime Receives the runtime; the host owns it. Set to null on failure.
 * @param error NULL, or receives the reason why the call failed.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_runtime is NULL or an option is out of its range.
 *   - ALD_STATUS_NOT_FOUND if proj.db is not in the folder where it should be.
 *   - ALD_STATUS_FORKED in a child process that was forked at a moment when GDAL or PROJ could not be left in a usable
 *     state. End such a child with _exit or exec: at a plain exit, GDAL's own destructors may wait for a lock that no
 *     thread will release.
 */
ALD_API ald_status ald_runtime_create(const ald_runtime_options *options, ald_runtime *out_runtime, ald_error *error);

/**
 * Releases a runtime and makes all of its handles stale.
 *
 * Calls in progress end normally, except that a call that creates an object returns ALD_STATUS_INVALID_HANDLE. Calls
 * that wait (ald_request_wait, ald_runtime_wait) end at once. Pending requests are cancelled.
 *
 * Completion functions that have not been called yet are never called: call ald_runtime_pump first if that matters. If
 * another thread is in ald_runtime_pump, its current completion function may still run after this function has
 * returned. No further completion function is called.
 *
 * This function does not wait for workers. A worker that is inside a driver frees its resources when the driver
 * returns.
 */
ALD_API void ald_runtime_release(ald_runtime runtime);

/**
 * Gets the number of live handles of a runtime, including the handle of the runtime itself.
 *
 * The number includes the handles that the host owns, and the borrowed handles whose object the library still holds. If
 * a host releases all objects that it owns, the number returns to its earlier value.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 */
ALD_API ald_status ald_runtime_get_handle_count(ald_runtime runtime, uint64_t *out_count, ald_error *error);

/**
 * Gets the versions of GDAL, PROJ and GEOS.
 *
 * @param out_versions Initialise it with ALD_LIBRARY_VERSIONS_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_versions is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 */
ALD_API ald_status ald_runtime_get_library_versions(ald_runtime runtime, ald_library_versions *out_versions,
                                                    ald_error *error);

/**
 * Gives an object a label for the report, so that a person can recognise an object that was never released. The label
 * lasts as long as the handle.
 *
 * @param id The id of any live handle of the runtime: the field id of its struct.
 * @param label UTF-8. A label of more than 255 bytes is cut at a whole character. NULL removes the label.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if label is not UTF-8 or the two are of different runtimes.
 *   - ALD_STATUS_INVALID_HANDLE if runtime or id is not valid.
 */
ALD_API ald_status ald_runtime_set_label(ald_runtime runtime, uint64_t id, const char *label, ald_error *error);

/**
 * Writes a report about a runtime, which helps a person to find out what is wrong.
 *
 * The report holds:
 *
 * - the versions of this library, GDAL, PROJ and GEOS;
 * - the drivers that may open files, and which of them this GDAL has;
 * - the folders of proj.db and of GDAL's support files, the folders in which PROJ searches for grids, and the grid
 *   files in them;
 * - the live handles by kind with their labels: the first 1000 of them one by one. Passwords and queries in the names
 *   of rasters are left out;
 * - workers, requests and events;
 * - caches and memory.
 *
 * @param format The format of the report.
 * @param buffer Receives the report with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *   May be NULL if buffer is not NULL. The report may grow between two calls. Then the second call fails again and
 *   gives the new size.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if format is not valid, buffer is NULL and capacity_bytes is not 0, or both buffer
 *     and out_size_bytes are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if capacity_bytes is too small.
 */
ALD_API ald_status ald_runtime_get_report(ald_runtime runtime, ald_report_format format, char *buffer,
                                          size_t capacity_bytes, size_t *out_size_bytes, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * The runtime: what all other objects hang on. It owns the workers, the caches, the search paths and the policy.
 */
#ifndef ALIDADE_RUNTIME_H
#define ALIDADE_RUNTIME_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A runtime. Make one per process; more are allowed and share nothing but GDAL's and PROJ's own process-wide state. */
typedef struct ald_runtime {
  uint64_t id;
} ald_runtime;

/** Bits of ald_policy.flags. */
typedef uint32_t ald_policy_flags;
enum {
  /** Names that lead to the network (http:, /vsicurl/ and their like) may be opened. Off unless set. */
  ALD_POLICY_ALLOW_NETWORK = 1,
  /** ald_policy.drivers adds to the default list instead of replacing it. */
  ALD_POLICY_ADD_DRIVERS = 2,
  /**
   * Conditions and statements of the host run as they are written, in the dialect of SQL that their file has: any
   * function, any sub-select, without a bound on time. Unless it is set they are read by the grammar of
   * ald_feature_source_options. Set it only where no stranger writes them.
   */
  ALD_POLICY_ALLOW_SQL = 4,
  /**
   * Databases (GeoPackage, SQLite, MBTiles) may bring SQL of their own along: views that call any function, virtual
   * tables, SpatiaLite. It runs when the file is opened. Set it only for files that you trust like programs.
   */
  ALD_POLICY_ALLOW_SQL_IN_FILES = 8,
  /**
   * The default list of drivers is a short one: formats that files are commonly exchanged in, whose decoders held when
   * damaged files were read, print nothing, open no file by a name in another and read no databases. For rasters
   * AAIGrid, BIGGIF, BMP, DTED, EHdr, ENVI, GIF, GTiff, JPEG, PNG, SRTMHGT and WEBP; for features CSV, ESRI Shapefile,
   * FlatGeobuf, GeoJSON, GeoJSONSeq, GPX, KML and TopoJSON.
   */
  ALD_POLICY_COMMON_FORMATS_ONLY = 16
};

/**
 * What files may ask of the host. Lists may hold up to 10,000 names. Zero everywhere is the strict default: local files
 * only, GDAL drivers that neither touch the network nor run code, files that name other files (VRT and its like) only
 * as far as these lie beside them, and limits that suit an interactive host.
 *
 * The default list leaves out the drivers that read whatever a file names, because the library cannot check those names
 * first. They include netCDF, HDF5, HDF4, BAG and Zarr. To open such files, name the driver in drivers and set
 * ALD_POLICY_ADD_DRIVERS. Do that only for files from a source that you trust.
 *
 * What a file names is looked at before GDAL opens any of it, however deep files name files. A refusal names the file,
 * the name in it, the rule, and what allows it.
 */
typedef struct ald_policy {
  uint32_t struct_size;
  ald_policy_flags flags;
  /** Short names of the GDAL drivers that may open files ("GTiff"); NULL: the default list. */
  const char *const *drivers;
  /** How many names drivers holds. */
  uint32_t driver_count;
  /** How many names vsi_prefixes holds. */
  uint32_t vsi_prefix_count;
  /** Virtual file systems that names may use, each as a prefix that begins with "/vsi" ("/vsizip/"); NULL: none. */
  const char *const *vsi_prefixes;
  /**
   * The most memory that one request may need, in bytes; 0: 1 GiB. It bounds what a file can make the library allocate
   * too: a block may have that size, a file that names others a sixteenth of it, and a band counts 4096 bytes.
   */
  uint64_t max_request_bytes;
  /** The most points or pixels that one request may name; 0: 67,108,864. */
  uint64_t max_request_points;
  /**
   * Folders, each as an absolute path, whose files, and those in folders below, may be named by other files; NULL:
   * none. The folder of the file that the host opens, and those below it, always count. Links are followed before a
   * path is compared.
   */
  const char *const *data_directories;
  /** How many paths data_directories holds. */
  uint32_t data_directory_count;
  /**
   * How long a call may take, in milliseconds; 0: as long as it takes. It holds for whatever computes with geometries,
   * projects them, reads rasters and features, or opens files, for ald_transformation_displacement, and for the work of
   * requests; other calls take no longer than their data is large. A call that takes longer returns
   * ALD_STATUS_LIMIT_EXCEEDED and creates nothing, and so does a request.
   *
   * Another thread works on such a call, while the caller waits. Operations that look at the time end soon after the
   * limit, and operations of GEOS where GEOS looks. What does neither, such as a driver that decodes a block, is given
   * up: the call returns when the limit has passed a second time (10 ms later at least, 1 s at most), and the work goes
   * on until it ends by itself. A runtime has 16 threads for that in addition to thread_count; while none is free,
   * calls wait for one, and end as above.
   *
   * GEOS looks by a function of the process (GEOS_interruptRegisterCallback), which the first call with a limit sets.
   * It calls the function that was set before, and does nothing on threads that do not work for such calls. If the host
   * sets its own afterwards, operations of GEOS are given up instead.
   */
  uint32_t max_request_ms;
} ald_policy;

/** Initialises an ald_policy to the default. */
#define ALD_POLICY_INIT                                                                                                \
  { (uint32_t)sizeof(ald_policy), 0, NULL, 0, 0, NULL, 0, 0, NULL, 0, 0 }

/** ald_policy.max_request_bytes in ALD_POLICY_INIT_UNTRUSTED. */
#define ALD_POLICY_UNTRUSTED_BYTES 268435456
/** ald_policy.max_request_points in ALD_POLICY_INIT_UNTRUSTED. */
#define ALD_POLICY_UNTRUSTED_POINTS 16777216
/** ald_policy.max_request_ms in ALD_POLICY_INIT_UNTRUSTED. */
#define ALD_POLICY_UNTRUSTED_MS 10000

/**
 * Initialises an ald_policy for a process that opens files of strangers, such as a server: the default, with
 * ALD_POLICY_COMMON_FORMATS_ONLY and lower limits of memory, points and time. A decoder may still have a fault: run
 * such a server in a process that may end, under limits of the operating system.
 */
#define ALD_POLICY_INIT_UNTRUSTED                                                                                      \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_policy), ALD_POLICY_COMMON_FORMATS_ONLY, NULL, 0, 0, NULL, ALD_POLICY_UNTRUSTED_BYTES,        \
        ALD_POLICY_UNTRUSTED_POINTS, NULL, 0, ALD_POLICY_UNTRUSTED_MS                                                  \
  }

/** How much a line of the log matters; in ald_runtime_options, the least that is kept. */
typedef int32_t ald_log_level;
enum {
  /** In ald_runtime_options: ALD_LOG_WARNING. */
  ALD_LOG_DEFAULT = 0,
  /** In ald_runtime_options: nothing is kept. */
  ALD_LOG_OFF = 1,
  /** Something failed, and no call answered with it. */
  ALD_LOG_ERROR = 2,
  /** Something is not as it should be, and was got over. */
  ALD_LOG_WARNING = 3,
  ALD_LOG_INFO = 4,
  ALD_LOG_DEBUG = 5
};

/** How a runtime is set up. */
typedef struct ald_runtime_options {
  uint32_t struct_size;
  /**
   * Threads that may work at once, the caller's included; 0: one per processor. At most 256. A thread starts when there
   * is work for it, and ends when none has come for some seconds.
   */
  uint32_t thread_count;
  /** The policy; NULL: the default. Copied. */
  const ald_policy *policy;
  /** The folder that holds proj.db; NULL: where PROJ looks by itself. */
  const char *proj_directory;
  /** The folder that holds GDAL's support files; NULL: where GDAL looks by itself. */
  const char *gdal_directory;
  /** What the log keeps: lines of this level and of those that matter more. See alidade/events.h. */
  ald_log_level log_level;
  uint32_t reserved;
} ald_runtime_options;

/** Initialises an ald_runtime_options to the default. */
#define ALD_RUNTIME_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_runtime_options), 0, NULL, NULL, NULL, 0, 0 }

/** The libraries underneath, as found at run time. The strings are static storage. */
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

/**
 * Makes a runtime. The first one in a process registers GDAL's drivers, which every user of the same GDAL in the
 * process can see; this is the only process-wide thing that the library does.
 *
 * @param options NULL for all defaults.
 * @param out_runtime Receives the runtime; the host owns it. Set to null on failure.
 * @param error NULL or where to write why the call failed.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_ARGUMENT if out_runtime is NULL or an option is out of its range;
 *   ALD_STATUS_NOT_FOUND if proj.db is not where it should be; ALD_STATUS_FORKED in a child process that was forked
 *   off at a moment when GDAL or PROJ could not be left in a usable state. Such a child should end with _exit or exec:
 *   at a plain exit GDAL's own destructors may wait for a lock that nobody will release.
 */
ALD_API ald_status ald_runtime_create(const ald_runtime_options *options, ald_runtime *out_runtime, ald_error *error);

/**
 * Releases a runtime and makes all of its handles stale. Calls that are under way end as they would have, except that
 * one that makes an object answers ALD_STATUS_INVALID_HANDLE; those that wait (ald_request_wait, ald_runtime_wait) end
 * at once. Requests that are pending are cancelled, and completions that have not been called yet never are: pump
 * before, where that matters. If another thread is in ald_runtime_pump, the completion that it is calling may run on
 * after this has returned; no further one is called. Does not wait for workers: one that sits in a driver cleans up
 * when the driver lets go.
 */
ALD_API void ald_runtime_release(ald_runtime runtime);

/**
 * How many handles of a runtime are alive, the runtime's own counted in: those that the host owns, and those lent ones
 * whose object the library still holds. A host that releases what it owns sees the number return to where it was.
 *
 * @param out_count Receives the number.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_count is NULL.
 */
ALD_API ald_status ald_runtime_handle_count(ald_runtime runtime, uint64_t *out_count, ald_error *error);

/**
 * The versions of the libraries underneath.
 *
 * @param out_versions Initialise it with ALD_LIBRARY_VERSIONS_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_versions is NULL or its
 *   struct_size is none.
 */
ALD_API ald_status ald_runtime_library_versions(ald_runtime runtime, ald_library_versions *out_versions,
                                                ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

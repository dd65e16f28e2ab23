/**
 * @file
 * What a person needs to know when something is not as it should be: versions, folders, drivers, grids, live handles,
 * caches and memory.
 */
#ifndef ALIDADE_DOCTOR_H
#define ALIDADE_DOCTOR_H

#include "base.h"
#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The form of a report. */
typedef int32_t ald_report_format;
enum {
  /** Lines for a person. */
  ALD_REPORT_TEXT = 0,
  /** A JSON object (RFC 8259) with the same facts. */
  ALD_REPORT_JSON = 1
};

/**
 * Names an object for the report, so that a leaked one can be told. The label goes with the handle.
 *
 * @param id The id of any live handle of the runtime: the field of its struct.
 * @param label UTF-8; what is beyond 255 bytes is cut at a whole character. NULL: none.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE (the runtime, or the id); ALD_STATUS_INVALID_ARGUMENT if label is
 *   not UTF-8 or the two are of different runtimes.
 */
ALD_API ald_status ald_runtime_set_label(ald_runtime runtime, uint64_t id, const char *label, ald_error *error);

/**
 * Reports on a runtime: the versions of this library, GDAL, PROJ and GEOS; which drivers may open files and which of
 * them this GDAL has; where proj.db and GDAL's support files are; the folders in which PROJ looks for grids and the
 * grid files that are there; the live handles by kind with their labels (the first 1000 of them one by one; passwords
 * and queries in the names of rasters are left out); workers, requests, events; caches and memory.
 *
 * @param format The form of the report.
 * @param buffer Receives the report with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the needed size, the NUL counted in; also written when the buffer is too small. May be NULL
 *   if buffer is not. The report may have grown when it is asked for again: then it is too large once more, with the
 *   new size.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if format is none, buffer is NULL and
 *   capacity is not 0, or both buffer and out_size are NULL; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_runtime_doctor(ald_runtime runtime, ald_report_format format, char *buffer, size_t capacity,
                                      size_t *out_size, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

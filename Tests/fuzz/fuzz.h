/**
 * @file
 * What the fuzz targets share: a runtime, a folder, input taken apart, and what must hold whatever the input.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "alidade.h"

#include <stddef.h>
#include <stdint.h>

/** What every target calls things on. Made by fuzz_start. */
extern ald_runtime fuzz_runtime;
/** EPSG:4326, 3857 and 32633. */
extern ald_spatial_reference fuzz_geographic, fuzz_mercator, fuzz_utm;

/**
 * Makes the runtime and a folder for files. Limits are small, so that an input that passes them shows as a crash.
 *
 * @param drivers The GDAL drivers that the target may use, the last one NULL; NULL: the default list.
 * @param leaf Where the folder's files begin, such as "raster".
 */
void fuzz_start(const char *const *drivers);

/** Says that the handles which are alive now stay so. For a target that makes objects once for all inputs. */
void fuzz_started(void);

/** A path in the target's folder. Static storage, overwritten by the fourth call after it. */
const char *fuzz_path(const char *name);

/** Writes a file in the target's folder. */
void fuzz_write(const char *name, const void *bytes, size_t size);

/** Copies a file of Tests/data/rasters into the target's folder. */
void fuzz_copy_raster(const char *name, const char *as);
/** Copies a file of Tests/fuzz/rasters into the target's folder. */
void fuzz_copy(const char *name);

/** Around each input: from begin to end no file may be written, no program started and nobody called. */
void fuzz_begin(void);
/** Ends an input: every handle that was made must have been released, and the files must be as they were. */
void fuzz_end(void);

/** Ends the process with a message unless the condition holds. */
#define FUZZ_REQUIRE(condition) fuzz_require((condition) != 0, #condition, __FILE__, __LINE__)
void fuzz_require(int holds, const char *what, const char *file, int line);

/** Whether a call succeeded. A call that failed must have a known status, not "internal", and a message in UTF-8. */
int fuzz_ok(ald_status status, const ald_error *error);

/** Requires that a text is there and is UTF-8. */
void fuzz_text(const char *text);

/** Requires that there is WKT for a spatial reference, and that this WKT is read again as the same. */
void fuzz_spatial_reference(ald_spatial_reference spatial_reference);

/** Asks a raster for everything. */
void fuzz_explore(ald_raster raster);

/** Opens a name as a raster and, if that succeeds, asks it for everything. */
void fuzz_open(const char *name);

/** Input that is taken apart from its beginning; what is not there is 0. */
typedef struct fuzz_input {
  const uint8_t *at;
  size_t left;
} fuzz_input;

uint8_t fuzz_byte(fuzz_input *input);
int32_t fuzz_int(fuzz_input *input);
/** Any double at all, or, mostly, a double that is likely to mean something. */
double fuzz_double(fuzz_input *input);

/** A heap copy as a string of exactly its length, so that reading beyond its end is seen. Freed by the caller. */
char *fuzz_string(const uint8_t *bytes, size_t size);

/** The calls that reach outside end the process while this is not 0. */
extern volatile int fuzz_watching;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif

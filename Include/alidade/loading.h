/**
 * @file
 * Loading: what layers, maps and rasters have in common that are not there at once.
 *
 * A layer made from a path, a raster made by ald_raster_create, and a map are not loaded. Loading them is begun by a
 * load function of theirs; for a layer also by its map, and by the first view that looks at that map, which loads the
 * layers that are added later too. The work is done by the runtime's workers, in the order in which it was asked for.
 *
 * Loading is begun once, whoever asks, and everyone who waits is told once. What has failed is not tried again by
 * itself nor by another load, which answers the same error; a retry_load function tries again. Cancelling takes effect
 * at once; a worker that sits in a driver at that moment comes back later, and what it brings is dropped. Releasing
 * what is being loaded is safe at any time; if that ends it, whoever waits is told ALD_STATUS_CANCELLED.
 */
#ifndef ALIDADE_LOADING_H
#define ALIDADE_LOADING_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How far something that loads is. */
typedef int32_t ald_load_status;
enum {
  /** Nobody has asked for it yet. */
  ALD_NOT_LOADED = 0,
  /** It waits for a worker, or a worker is on it. */
  ALD_LOADING = 1,
  /** It can be used. */
  ALD_LOADED = 2,
  /** It could not be loaded, or loading was cancelled. */
  ALD_FAILED_TO_LOAD = 3
};

/** How something that loads stands. */
typedef struct ald_load_info {
  uint32_t struct_size;
  ald_load_status status;
  /** How often loading was begun; 0 for what was made loaded. */
  uint32_t attempt_count;
  uint32_t reserved;
  /** When the status became what it is: CLOCK_MONOTONIC, in nanoseconds. */
  uint64_t since_ns;
  /**
   * Why it failed. Of a layer that is loaded: its trouble, why it could not be read the last time that this was tried;
   * status ALD_STATUS_READ_FAILED. Else all zero.
   */
  ald_error error;
} ald_load_info;

/** Initialises an ald_load_info. */
#define ALD_LOAD_INFO_INIT                                                                                             \
  {                                                                                                                    \
    (uint32_t)sizeof(ald_load_info), 0, 0, 0, 0, {                                                                     \
      0, 0, 0, 0, {0}, {                                                                                               \
        0                                                                                                              \
      }                                                                                                                \
    }                                                                                                                  \
  }

#ifdef __cplusplus
}
#endif

#endif

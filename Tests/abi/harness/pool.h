/**
 * @file
 * Handles of every kind that threads share, use and release under each other's hands, for tests of just that.
 *
 * Nothing here orders one thread's work after another's (handles change hands through relaxed atomics, and nothing is
 * counted under a lock), so that ThreadSanitizer sees the library's own order and no other.
 */
#ifndef TESTS_POOL_H
#define TESTS_POOL_H

#include "check.h"

#include <stdatomic.h>

/** What threads do with the pool; each has to have worked before a test is worth anything. */
#define POOL_ACTIONS(ACTION)                                                                                           \
  ACTION(runtime_create)                                                                                               \
  ACTION(runtime_get_handle_count)                                                                                     \
  ACTION(runtime_get_library_versions)                                                                                 \
  ACTION(spatial_reference_create_from_code)                                                                           \
  ACTION(spatial_reference_create_from_wkt)                                                                            \
  ACTION(spatial_reference_get_info)                                                                                   \
  ACTION(spatial_reference_get_wkt)                                                                                    \
  ACTION(spatial_reference_equals)                                                                                     \
  ACTION(spatial_reference_project_points)                                                                             \
  ACTION(spatial_reference_get_projection_info)                                                                        \
  ACTION(raster_open)                                                                                                  \
  ACTION(raster_get_info)                                                                                              \
  ACTION(raster_get_spatial_reference)                                                                                 \
  ACTION(raster_get_band_info)                                                                                         \
  ACTION(raster_get_overview_size)                                                                                     \
  ACTION(raster_get_outline)                                                                                           \
  ACTION(raster_read_cells)                                                                                            \
  ACTION(raster_read_points)                                                                                           \
  ACTION(raster_layer_create)                                                                                          \
  ACTION(raster_layer_get_raster)                                                                                      \
  ACTION(layer_set_visible)                                                                                            \
  ACTION(layer_is_visible)                                                                                             \
  ACTION(raster_layer_set_renderer)                                                                                    \
  ACTION(raster_layer_get_renderer)                                                                                    \
  ACTION(map_create)                                                                                                   \
  ACTION(map_get_spatial_reference)                                                                                    \
  ACTION(map_add_layer)                                                                                                \
  ACTION(map_remove_layer)                                                                                             \
  ACTION(map_get_layer_count)                                                                                          \
  ACTION(map_get_layer_at)                                                                                             \
  ACTION(map_set_initial_location)                                                                                     \
  ACTION(view_create)                                                                                                  \
  ACTION(view_get_map)                                                                                                 \
  ACTION(view_set_size)                                                                                                \
  ACTION(view_set_insets)                                                                                              \
  ACTION(view_set_viewpoint)                                                                                           \
  ACTION(view_set_center)                                                                                              \
  ACTION(view_set_scale)                                                                                               \
  ACTION(view_set_rotation)                                                                                            \
  ACTION(view_get_state)                                                                                               \
  ACTION(view_screen_to_map)                                                                                           \
  ACTION(view_map_to_screen)                                                                                           \
  ACTION(view_get_layer_coverage)                                                                                      \
  ACTION(view_read_cell)                                                                                               \
  ACTION(view_identify_layer)                                                                                          \
  ACTION(identify_result_get_info)                                                                                     \
  ACTION(identify_result_get_element_at)                                                                               \
  ACTION(identify_result_get_attribute_at)                                                                             \
  ACTION(identify_result_find_attribute)                                                                               \
  ACTION(view_grid_size)                                                                                               \
  ACTION(view_read_rgba)                                                                                               \
  ACTION(view_read_values)                                                                                             \
  ACTION(raster_open_async)                                                                                            \
  ACTION(view_identify_layer_async)                                                                                    \
  ACTION(request_get_info)                                                                                             \
  ACTION(request_wait)                                                                                                 \
  ACTION(request_cancel)                                                                                               \
  ACTION(request_take_raster)                                                                                          \
  ACTION(request_take_identify_result)                                                                                 \
  ACTION(runtime_get_wake_fd)                                                                                          \
  ACTION(runtime_wait)                                                                                                 \
  ACTION(runtime_pump)                                                                                                 \
  ACTION(runtime_poll_events)

#define POOL_ENUMERATOR(name) ACTION_##name,
typedef enum action { POOL_ACTIONS(POOL_ENUMERATOR) ACTIONS } action;

typedef enum kind {
  KIND_RUNTIME,
  KIND_SPATIAL_REFERENCE,
  KIND_RASTER,
  KIND_LAYER,
  KIND_MAP,
  KIND_VIEW,
  KIND_RESULT,
  KIND_REQUEST,
  KINDS
} kind;

/** A thread that works on the pool. */
typedef struct pool_worker {
  unsigned seed;
  /** The folder of rasters. */
  const char *folder;
  /** How often each action has worked. */
  unsigned long succeeded[ACTIONS];
  /** Calls that returned a status which nothing here can lead to. */
  unsigned long astray;
  action astray_action;
  ald_error astray_error;
  /** Reads that worked and gave something else than the file holds. */
  unsigned long wrong_cells;
} pool_worker;

/** The side of a view in DIP: views are twice as wide as high. */
enum { POOL_SIDE = 48 };

/** Learns what a cell holds. Returns 0 if that does not work. */
int pool_begin(const char *folder);

/** Does something with a random object: creates, uses, passes on or releases it. */
void pool_act(pool_worker *worker);

/** Releases everything that is left. Returns how many handles were alive then that should not have been. */
uint64_t pool_end(void);

/** The name of an action. */
const char *action_name(action action);

/** A random number below `limit`. */
unsigned pool_random(pool_worker *worker, unsigned limit);

/** A random id of a kind: 0 and stale ones among them. POOL_PICK returns the id as a handle. */
uint64_t pool_pick(pool_worker *worker, kind kind);
#define POOL_PICK(type, kind) ((type){pool_pick(worker, (kind))})

/** Puts an object into the pool and releases the object that it replaces. */
void pool_put(pool_worker *worker, kind kind, uint64_t id);

/** Counts a call and returns whether it worked. */
int pool_did(pool_worker *worker, action action, ald_status status, const ald_error *error);

/** DID(map_add_layer, map, layer) calls ald_map_add_layer(map, layer, &error) and counts it. */
#define DID(name, ...) pool_did(worker, ACTION_##name, ald_##name(__VA_ARGS__, &error), &error)

/** What a raster of the pool must say, whichever thread reads it or has released it meanwhile: its cell at POOL_INDEX.
 */
#define POOL_INDEX ((ald_cell_index){100, 100})
void pool_expect_cell(pool_worker *worker, ald_band_value value);

/** Random uses of a random object of each kind. */
void pool_use_runtime(pool_worker *worker);
void pool_use_reference(pool_worker *worker);
void pool_use_raster(pool_worker *worker);
void pool_use_layer(pool_worker *worker);
void pool_use_map(pool_worker *worker);
void pool_use_view(pool_worker *worker);
void pool_look_through_view(pool_worker *worker);
void pool_identify(pool_worker *worker);
void pool_use_result(pool_worker *worker);
void pool_begin_requests(pool_worker *worker);
void pool_use_request(pool_worker *worker);
void pool_run_loop(pool_worker *worker);

/** How many completion functions have been called; 0 if one was called before its request had ended. */
unsigned long pool_completions(void);

/** The path of the pool's raster. */
void pool_raster_path(const pool_worker *worker, char *path, size_t size);

#endif

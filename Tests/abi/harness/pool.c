#include "pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 12, RUNTIMES = 2, RUNTIME_THREADS = 3, RUNTIME_LIFE = 1000 };

/* Of EPSG; the rasters lie in all of them. */
static const int32_t CODES[] = {3857, 4326, 32610, 32611};

static const char *const WKT = "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"
                               "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]";

static const char *const RASTER = "Shasta_Elevation.tif";

/* Ids of every kind; 0 and stale ones among them. */
static atomic_uint_least64_t pool[KINDS][SLOTS];
/* What the raster holds at POOL_INDEX. */
static ald_band_value expected;

#define POOL_NAME(name) "ald_" #name,
static const char *const NAMES[ACTIONS] = {POOL_ACTIONS(POOL_NAME)};

const char *action_name(action action) {
  return NAMES[action];
}

void pool_raster_path(const pool_worker *worker, char *path, size_t size) {
  snprintf(path, size, "%s/%s", worker->folder, RASTER);
}

unsigned pool_random(pool_worker *worker, unsigned limit) {
  return (unsigned)rand_r(&worker->seed) % limit;
}

int pool_did(pool_worker *worker, action action, ald_status status, const ald_error *error) {
  switch (status) {
  case ALD_STATUS_OK:
    worker->succeeded[action]++;
    return 1;
  case ALD_STATUS_INVALID_HANDLE:   /* Released by another thread. */
  case ALD_STATUS_INVALID_ARGUMENT: /* Of two runtimes, or a layer of another map. */
  case ALD_STATUS_INVALID_STATE:    /* A layer that another thread has put into a map. */
  case ALD_STATUS_NOT_FOUND:        /* A layer that another thread has taken out. */
  case ALD_STATUS_CANCELLED:        /* A request that another thread has cancelled, or replaced. */
  case ALD_STATUS_NOT_READY:        /* A view that nobody has set up yet; a request that has not ended. */
    return 0;
  default:
    worker->astray++;
    worker->astray_action = action;
    worker->astray_error = *error;
    return 0;
  }
}

static unsigned slots(kind kind) {
  return kind == KIND_RUNTIME ? RUNTIMES : SLOTS;
}

uint64_t pool_pick(pool_worker *worker, kind kind) {
  return atomic_load_explicit(&pool[kind][pool_random(worker, slots(kind))], memory_order_relaxed);
}

static void release(kind kind, uint64_t id) {
  switch (kind) {
  case KIND_RUNTIME:
    ald_runtime_release((ald_runtime){id});
    break;
  case KIND_SPATIAL_REFERENCE:
    ald_spatial_reference_release((ald_spatial_reference){id});
    break;
  case KIND_RASTER:
    ald_raster_release((ald_raster){id});
    break;
  case KIND_LAYER:
    ald_layer_release((ald_layer){id});
    break;
  case KIND_MAP:
    ald_map_release((ald_map){id});
    break;
  case KIND_VIEW:
    ald_view_release((ald_view){id});
    break;
  case KIND_RESULT:
    ald_identify_result_release((ald_identify_result){id});
    break;
  case KIND_REQUEST:
    ald_request_release((ald_request){id});
    break;
  case KINDS:
    break;
  }
}

void pool_put(pool_worker *worker, kind kind, uint64_t id) {
  atomic_uint_least64_t *place = &pool[kind][pool_random(worker, slots(kind))];
  release(kind, atomic_exchange_explicit(place, id, memory_order_relaxed));
}

/* Releases an object whose id stays in the pool, so that others go on using it; sometimes twice. */
static void release_any(pool_worker *worker) {
  const kind kind = 1 + pool_random(worker, KINDS - 1);
  const uint64_t id = pool_pick(worker, kind);
  release(kind, id);
  if (pool_random(worker, 4) == 0)
    release(kind, id);
}

static void replace_runtime(pool_worker *worker) {
  ald_error error;
  ald_runtime runtime;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.thread_count = RUNTIME_THREADS;
  if (pool_did(worker, ACTION_runtime_create, ald_runtime_create(&options, &runtime, &error), &error))
    pool_put(worker, KIND_RUNTIME, runtime.id);
}

void pool_expect_cell(pool_worker *worker, ald_band_value value) {
  if (memcmp(&value, &expected, sizeof value) != 0)
    worker->wrong_cells++;
}

static void make_reference(pool_worker *worker) {
  ald_error error;
  ald_spatial_reference made;
  const ald_runtime runtime = POOL_PICK(ald_runtime, KIND_RUNTIME);
  const int32_t code = CODES[pool_random(worker, sizeof CODES / sizeof *CODES)];
  const int worked = pool_random(worker, 4) == 0
                         ? DID(spatial_reference_create_from_wkt, runtime, WKT, &made)
                         : DID(spatial_reference_create_from_code, runtime, "EPSG", code, &made);
  if (worked)
    pool_put(worker, KIND_SPATIAL_REFERENCE, made.id);
}

/* Everything that a view needs, in one runtime; all of it goes into the pool. */
static void make_scene_in_pool(pool_worker *worker) {
  ald_error error;
  ald_raster raster;
  ald_layer layer;
  ald_map map;
  ald_view view;
  char path[4096];
  const ald_runtime runtime = POOL_PICK(ald_runtime, KIND_RUNTIME);
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = 2 * POOL_SIDE;
  options.height_dip = POOL_SIDE;
  pool_raster_path(worker, path, sizeof path);
  if (!DID(raster_open, runtime, path, NULL, &raster))
    return;
  if (DID(raster_layer_create, raster, &layer)) {
    if (DID(map_create, runtime, (ald_spatial_reference){0}, &map)) {
      if (DID(map_add_layer, map, layer) && DID(map_set_initial_location, map, 40.7624, -122.1621, 72000) &&
          DID(view_create, map, &options, &view))
        pool_put(worker, KIND_VIEW, view.id);
      pool_put(worker, KIND_MAP, map.id);
    }
    pool_put(worker, KIND_LAYER, layer.id);
  }
  pool_put(worker, KIND_RASTER, raster.id);
}

static void make_map(pool_worker *worker) {
  ald_error error;
  ald_map map;
  if (!DID(map_create, POOL_PICK(ald_runtime, KIND_RUNTIME), POOL_PICK(ald_spatial_reference, KIND_SPATIAL_REFERENCE),
           &map))
    return;
  DID(map_add_layer, map, POOL_PICK(ald_layer, KIND_LAYER));
  pool_put(worker, KIND_MAP, map.id);
}

static void make_layer(pool_worker *worker) {
  ald_error error;
  ald_layer layer;
  if (DID(raster_layer_create, POOL_PICK(ald_raster, KIND_RASTER), &layer))
    pool_put(worker, KIND_LAYER, layer.id);
}

static void make_view(pool_worker *worker) {
  ald_error error;
  ald_view view;
  if (DID(view_create, POOL_PICK(ald_map, KIND_MAP), NULL, &view))
    pool_put(worker, KIND_VIEW, view.id);
}

void pool_act(pool_worker *worker) {
  static void (*const DEEDS[])(pool_worker *) = {
      make_reference,
      make_scene_in_pool,
      make_map,
      make_layer,
      make_view,
      release_any,
      pool_use_runtime,
      pool_use_reference,
      pool_use_raster,
      pool_use_layer,
      pool_use_map,
      pool_use_view,
      pool_look_through_view,
      pool_look_through_view,
      pool_identify,
      pool_use_result,
      pool_begin_requests,
      pool_use_request,
      pool_use_request,
      pool_run_loop,
  };
  if (pool_random(worker, RUNTIME_LIFE) == 0)
    replace_runtime(worker);
  DEEDS[pool_random(worker, sizeof DEEDS / sizeof *DEEDS)](worker);
}

int pool_begin(const char *folder) {
  ald_error error;
  ald_runtime runtime;
  ald_raster raster;
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, RASTER);
  memset(&expected, 0, sizeof expected);
  const int worked = CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error) &&
                     CHECK_OK(ald_raster_open(runtime, path, NULL, &raster, &error), &error) &&
                     CHECK_OK(ald_raster_read_cells(raster, &POOL_INDEX, 1, NULL, &expected, 1, &error), &error);
  ald_runtime_release(runtime);
  return worked;
}

uint64_t pool_end(void) {
  uint64_t left = 0;
  for (kind kind = KINDS - 1; kind > KIND_RUNTIME; kind--)
    for (unsigned i = 0; i < SLOTS; i++)
      release(kind, atomic_exchange(&pool[kind][i], 0));
  for (unsigned i = 0; i < RUNTIMES; i++) {
    const ald_runtime runtime = {atomic_exchange(&pool[KIND_RUNTIME][i], 0)};
    uint64_t count = 1;
    ald_runtime_get_handle_count(runtime, &count, NULL);
    /* Requests with a completion function live until it has been called. */
    for (int wait = 0; wait < 10000 && count > 1; wait++) {
      ald_runtime_pump(runtime, 0, NULL, NULL);
      ald_runtime_get_handle_count(runtime, &count, NULL);
      sleep_ms(count > 1);
    }
    left += count - 1; /* The runtime's own. */
    ald_runtime_release(runtime);
  }
  return left;
}

#include "pool.h"

#include <stdio.h>

/* Completions that were called; nothing is ordered by it. */
static atomic_ulong completions;

static void count_completion(ald_request request, void *worker) {
  ald_request_info info = ALD_REQUEST_INFO_INIT;
  (void)worker;
  atomic_fetch_add_explicit(&completions, 1, memory_order_relaxed);
  /* The request is valid in here, even if another thread has released it. */
  if (ald_request_get_info(request, &info, NULL) == ALD_STATUS_OK && info.state == ALD_REQUEST_STATE_PENDING)
    atomic_store_explicit(&completions, 0, memory_order_relaxed);
}

unsigned long pool_completions(void) {
  return atomic_load(&completions);
}

static ald_request_options any_options(pool_worker *worker) {
  ald_request_options options = ALD_REQUEST_OPTIONS_INIT;
  options.completion = pool_random(worker, 2) == 0 ? count_completion : NULL;
  options.replace_key = pool_random(worker, 4);
  options.flags = pool_random(worker, 2) == 0 ? ALD_REQUEST_KEEP_BEGUN : 0;
  return options;
}

void pool_begin_requests(pool_worker *worker) {
  ald_error error;
  ald_request request;
  ald_map map;
  ald_layer layer;
  char path[4096];
  const ald_point at = {POOL_SIDE, POOL_SIDE / 2.0};
  const ald_request_options options = any_options(worker);
  const ald_view view = POOL_PICK(ald_view, KIND_VIEW);
  pool_raster_path(worker, path, sizeof path);
  if (DID(raster_open_async, POOL_PICK(ald_runtime, KIND_RUNTIME), path, NULL, &options, &request))
    pool_put(worker, KIND_REQUEST, request.id);
  if (DID(view_get_map, view, &map) && DID(map_get_layer_at, map, 0, &layer) &&
      DID(view_identify_layer_async, view, layer, at, 0, 0, NULL, &options, &request))
    pool_put(worker, KIND_REQUEST, request.id);
}

void pool_use_request(pool_worker *worker) {
  ald_error error;
  ald_request_info info = ALD_REQUEST_INFO_INIT;
  ald_request_state state;
  ald_raster raster;
  ald_identify_result result;
  const ald_request request = POOL_PICK(ald_request, KIND_REQUEST);
  if (!DID(request_get_info, request, &info))
    return;
  if (pool_random(worker, 4) == 0)
    DID(request_cancel, request);
  DID(request_wait, request, pool_random(worker, 20), &state);
  if (info.kind == ALD_REQUEST_KIND_OPEN_RASTER) {
    if (DID(request_take_raster, request, &raster))
      pool_put(worker, KIND_RASTER, raster.id);
  } else if (DID(request_take_identify_result, request, &result)) {
    pool_put(worker, KIND_RESULT, result.id);
  }
}

void pool_run_loop(pool_worker *worker) {
  ald_error error;
  ald_event events[16];
  size_t count;
  int32_t descriptor;
  uint32_t is_waiting;
  ald_pump_report report = ALD_PUMP_REPORT_INIT;
  const ald_runtime runtime = POOL_PICK(ald_runtime, KIND_RUNTIME);
  DID(runtime_get_wake_fd, runtime, &descriptor);
  DID(runtime_wait, runtime, pool_random(worker, 5), &is_waiting);
  DID(runtime_pump, runtime, 0, &report);
  DID(runtime_poll_events, runtime, events, sizeof events / sizeof *events, &count);
}

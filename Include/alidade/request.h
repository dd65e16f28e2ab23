/**
 * @file
 * Requests and loading: work that goes on while the host does something else.
 *
 * A function whose name ends in `_async` checks its arguments, starts the work and gives a request at once. The workers
 * of the runtime do the work. The host finds out about the end in the way that suits it:
 *
 * - it polls with ald_request_get_info;
 * - it waits with ald_request_wait;
 * - it gives a completion function, which is called only inside ald_runtime_pump;
 * - without a completion function, it reads the event ALD_EVENT_KIND_REQUEST_FINISHED with ald_runtime_poll_events.
 *
 * Then the host gets the result with the `take` function for that kind of request, such as ald_request_take_raster.
 *
 * A request ends exactly once: it succeeds, fails or is cancelled. Cancelling takes effect at once. A worker that is
 * inside a driver at that moment returns later, and the library drops its result.
 *
 * @code{.c}
 * ald_request request;
 * ald_request_state state;
 * ald_status status = ald_raster_open_async(runtime, "elevation.tif", NULL, NULL, &request, error);
 * if (status == ALD_STATUS_OK)
 *   status = ald_request_wait(request, 1000, &state, error); // Waits for at most one second.
 * if (status == ALD_STATUS_OK && state == ALD_REQUEST_STATE_SUCCEEDED)
 *   status = ald_request_take_raster(request, &raster, error);
 * ald_request_release(request);
 * printf("%s\n", ald_status_get_name(status));
 * return ALD_STATUS_OK;
 * @endcode
 */
#ifndef ALIDADE_REQUEST_H
#define ALIDADE_REQUEST_H

#include "base.h"
#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a request gives when it succeeds. */
typedef int32_t ald_request_kind;
enum ald_request_kind_values {
  /** A raster. See ald_raster_open_async and ald_request_take_raster. */
  ALD_REQUEST_KIND_OPEN_RASTER = 1,
  /** An identify result. See ald_view_identify_layer_async and ald_request_take_identify_result. */
  ALD_REQUEST_KIND_IDENTIFY = 2,
  /** A source of features. See ald_feature_source_open_async and ald_request_take_feature_source. */
  ALD_REQUEST_KIND_OPEN_FEATURE_SOURCE = 3,
  /** Nothing to take: the index of a source of features has been built. See ald_feature_source_build_index_async. */
  ALD_REQUEST_KIND_BUILD_INDEX = 4,
  /** Nothing to take: a layer, map or raster has been loaded. See ald_load_status. */
  ALD_REQUEST_KIND_LOAD = 5,
  /** Features. See ald_feature_source_query_async and ald_request_take_feature_set. */
  ALD_REQUEST_KIND_QUERY_FEATURES = 6,
  /** Matches. See ald_feature_layer_query_async and ald_request_take_match_set. */
  ALD_REQUEST_KIND_QUERY_MATCHES = 7,
  /** A picture of a raster layer. See ald_view_create_screen_picture_async and ald_request_take_screen_picture. */
  ALD_REQUEST_KIND_READ_SCREEN = 8,
  /** What a screen point snaps to. See ald_view_snap_async and ald_request_get_snap. */
  ALD_REQUEST_KIND_SNAP = 9,
  /** A mesh. See ald_engine_frame_create_terrain_mesh_async and ald_request_take_mesh. */
  ALD_REQUEST_KIND_CREATE_MESH = 10
};

/** The state of a request. A request ends once, and its state never changes after that. */
typedef int32_t ald_request_state;
enum ald_request_state_values {
  /** The request waits for a worker, or a worker works on it. */
  ALD_REQUEST_STATE_PENDING = 0,
  /** The result can be taken. */
  ALD_REQUEST_STATE_SUCCEEDED = 1,
  /** The request failed. Its `take` or `get` function returns the reason. */
  ALD_REQUEST_STATE_FAILED = 2,
  /** The host cancelled the request, or a newer request replaced it. */
  ALD_REQUEST_STATE_CANCELLED = 3
};

/**
 * A function of the host that is called once when a request has ended.
 *
 * It is called inside ald_runtime_pump, on the thread that pumps, with no lock held. It may call any function of the
 * library except ald_runtime_pump. It must return: the behaviour is undefined if an exception, a longjmp or the end of
 * the thread leaves it through the frames of the library. A binding to a language with exceptions catches them inside
 * the function and raises them after ald_runtime_pump has returned.
 *
 * @param request The request. It is valid until the function returns, and after that as long as the host owns it.
 * @param user_data The value of ald_request_options.user_data.
 */
typedef void (*ald_completion)(ald_request request, void *user_data);

/** Bits of ald_request_options.flags. */
typedef uint32_t ald_request_flags;
enum ald_request_flags_values {
  /**
   * Lets a replaced request (see replace_key) continue and succeed if a worker has already begun it.
   *
   * Set it for sources that take longer than the time between two requests. Without it, the host would receive no
   * result while a finger keeps moving. Requests between the begun request and the newest one are cancelled. The begun
   * request is cancelled if a newer request succeeds or fails first.
   */
  ALD_REQUEST_KEEP_BEGUN = 1
};

/** The settings of a new request. */
typedef struct ald_request_options {
  uint32_t struct_size;
  ald_request_flags flags;
  /** Called once when the request has ended. NULL: the library sends an event instead. */
  ald_completion completion;
  /** Passed to the completion function and put into the event. The library never reads what it points to. */
  void *user_data;
  /**
   * The key for drag mode. 0: the request replaces no other.
   *
   * Requests replace each other if they have the same key and kind and belong to the same object: the view, layer,
   * overlay, source, frame, map or raster for which they were created. Requests that open a file belong to the runtime.
   * A new request cancels all older pending ones, in the order in which they were created, before it can end itself.
   */
  uint64_t replace_key;
} ald_request_options;

/** Initialises an ald_request_options to the default. */
#define ALD_REQUEST_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_request_options), 0, NULL, NULL, 0 }

/** The facts about a request. */
typedef struct ald_request_info {
  uint32_t struct_size;
  ald_request_kind kind;
  ald_request_state state;
  /** ALD_STATUS_NOT_READY while the request is pending. Then ALD_STATUS_OK, ALD_STATUS_CANCELLED, or why it failed. */
  ald_status status;
  /** The value of ald_request_options.user_data. */
  void *user_data;
} ald_request_info;

/** Initialises an ald_request_info. */
#define ALD_REQUEST_INFO_INIT                                                                                          \
  { (uint32_t)sizeof(ald_request_info), 0, 0, 0, NULL }

/**
 * The state of an object that loads: a layer, a map or a raster.
 *
 * A layer that was created from a path, a raster from ald_raster_create, and a map are not loaded at first. Loading
 * starts when the host calls a load function of the object. A layer also starts to load with its map, and when the
 * first view of that map is created; layers that are added to the map later then load too. The workers of the runtime
 * load objects in the order in which loading was requested.
 *
 * Each object loads once, even if several callers request it. All callers that wait are notified once. An object that
 * failed is not loaded again automatically, and another load returns the same error; only a retry_load function tries
 * again. Cancelling takes effect at once. A worker that is inside a driver at that moment returns later, and the
 * library drops its result. An object may be released at any time while it loads. If its load ends because of that, the
 * callers that wait receive ALD_STATUS_CANCELLED.
 */
typedef int32_t ald_load_status;
enum ald_load_status_values {
  /** Loading has not been requested yet. */
  ALD_LOAD_STATUS_NOT_LOADED = 0,
  /** The load waits for a worker, or a worker works on it. */
  ALD_LOAD_STATUS_LOADING = 1,
  /** The object can be used. */
  ALD_LOAD_STATUS_LOADED = 2,
  /** The object could not be loaded, or loading was cancelled. */
  ALD_LOAD_STATUS_FAILED_TO_LOAD = 3
};

/** The facts about loading an object. */
typedef struct ald_load_info {
  uint32_t struct_size;
  ald_load_status status;
  /** How many times loading has started. 0 for an object that was loaded from the beginning. */
  uint32_t attempt_count;
  uint32_t reserved;
  /** When the status last changed: CLOCK_MONOTONIC, in nanoseconds. */
  uint64_t since_ns;
  /**
   * Why loading failed. For a loaded layer in trouble: why the last attempt to read it failed, with the status
   * ALD_STATUS_READ_FAILED. Otherwise all zero.
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

/**
 * Gets the current facts about a request. Never waits.
 *
 * @param out_info Initialise it with ALD_REQUEST_INFO_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if request is not valid.
 */
ALD_API ald_status ald_request_get_info(ald_request request, ald_request_info *out_info, ald_error *error);

/**
 * Waits until a request has ended. Any number of threads may wait for one request.
 *
 * A cancelled request has ended, even if its worker has not returned yet.
 *
 * @param timeout_ms The longest time to wait, in milliseconds. 0: do not wait. ALD_ALL: no limit.
 * @param out_state Receives the state. If the time runs out first, this is ALD_REQUEST_STATE_PENDING, and the call
 *     succeeds.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_state is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if request is not valid, or the runtime is released during the wait.
 */
ALD_API ald_status ald_request_wait(ald_request request, uint32_t timeout_ms, ald_request_state *out_state,
                                    ald_error *error);

/**
 * Cancels a request. The request has ended when this function returns.
 *
 * Its completion function is called, or its event is sent, as for any other end. If the request has already ended,
 * nothing changes, and the call succeeds.
 *
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_HANDLE if request is not valid.
 */
ALD_API ald_status ald_request_cancel(ald_request request, ald_error *error);

/**
 * Releases a request.
 *
 * If the request has a completion function, the work continues and the function will be called. Otherwise the end could
 * no longer be reported: a pending request is cancelled, even if threads wait for it, and its event is removed from the
 * queue.
 */
ALD_API void ald_request_release(ald_request request);

#ifdef __cplusplus
}
#endif

#endif

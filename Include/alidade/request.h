/**
 * @file
 * Requests: work that goes on while the host does something else.
 *
 * A function whose name ends in `_async` checks its arguments, begins, and gives a request at once. The work is done by
 * the runtime's workers. The host learns of the end in whichever way suits it:
 * - it polls: ald_request_get_info;
 * - it waits: ald_request_wait;
 * - it names a completion function, which is called inside ald_runtime_pump and nowhere else;
 * - or, without a completion function, it drains the event ALD_EVENT_REQUEST_FINISHED with ald_runtime_next_events.
 * Then it takes what was made with the `take` function of that kind of request, such as ald_request_take_raster.
 *
 * A request ends exactly once: succeeded, failed or cancelled. Cancelling takes effect at once; a worker that sits in
 * a driver at that moment comes back later, and what it brings is dropped.
 */
#ifndef ALIDADE_REQUEST_H
#define ALIDADE_REQUEST_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A request: work under way, or done. */
typedef struct ald_request {
  uint64_t id;
} ald_request;

/** What a request makes. */
typedef int32_t ald_request_kind;
enum {
  /** A raster: ald_raster_open_async, ald_request_take_raster. */
  ALD_REQUEST_OPEN_RASTER = 1,
  /** An identify result: ald_view_identify_layer_async, ald_request_take_identify_result. */
  ALD_REQUEST_IDENTIFY_LAYER = 2,
  /** A source of features: ald_feature_source_open_async, ald_request_take_feature_source. */
  ALD_REQUEST_OPEN_FEATURE_SOURCE = 3,
  /** The index of a source of features, which is not taken: ald_feature_source_build_index_async. */
  ALD_REQUEST_BUILD_INDEX = 4,
  /** Nothing: it ends when something has been loaded; see alidade/loading.h. */
  ALD_REQUEST_LOAD = 5,
  /** Features: ald_feature_source_query_async, ald_request_take_feature_set. */
  ALD_REQUEST_QUERY_FEATURES = 6
};

/** How far a request is. It ends once, and never changes after that. */
typedef int32_t ald_request_state;
enum {
  /** It waits for a worker, or a worker is on it. */
  ALD_REQUEST_PENDING = 0,
  /** What it made can be taken. */
  ALD_REQUEST_SUCCEEDED = 1,
  /** It failed; its `take` function answers why. */
  ALD_REQUEST_FAILED = 2,
  /** The host cancelled it, or a newer request replaced it. */
  ALD_REQUEST_CANCELLED = 3
};

/**
 * Called once when a request has ended, inside ald_runtime_pump, on the thread that pumps, with no lock held: it may
 * call any function of the library but ald_runtime_pump. It must return: an exception, a longjmp or a thread's end that
 * leaves it through the library's frames has no defined meaning. A binding to a language with exceptions catches them
 * inside and raises them after ald_runtime_pump has returned.
 *
 * @param request The request; valid until the function returns, and after that as long as the host owns it.
 * @param user_data What the host gave in ald_request_options.
 */
typedef void (*ald_completion)(ald_request request, void *user_data);

/** Bits of ald_request_options.flags. */
typedef uint32_t ald_request_flags;
enum {
  /**
   * A request that is replaced (see replace_key) is left to succeed if a worker is on it already. For sources that
   * take longer than the host's pace: without this, a finger that never rests would never see a result. Newer ones
   * that are replaced meanwhile end before it does. It is cancelled once a newer one has succeeded or failed.
   */
  ALD_REQUEST_KEEP_BEGUN = 1
};

/** How a request is made. */
typedef struct ald_request_options {
  uint32_t struct_size;
  ald_request_flags flags;
  /** Called once when the request has ended; NULL: an event tells. */
  ald_completion completion;
  /** Handed to the completion function and put into the event; the library never looks at what it points to. */
  void *user_data;
  /**
   * Drag mode. Requests with the same key, of the same kind, on the same object (the view, or the runtime) replace each
   * other: a new one cancels all older ones that are pending, in the order in which they were made, before it can end
   * itself. 0: replaces none.
   */
  uint64_t replace_key;
} ald_request_options;

/** Initialises an ald_request_options to the default. */
#define ALD_REQUEST_OPTIONS_INIT                                                                                       \
  { (uint32_t)sizeof(ald_request_options), 0, NULL, NULL, 0 }

/** Facts about a request. */
typedef struct ald_request_info {
  uint32_t struct_size;
  ald_request_kind kind;
  ald_request_state state;
  /** ALD_STATUS_NOT_READY while it is pending; ALD_STATUS_OK, ALD_STATUS_CANCELLED, or why it failed. */
  ald_status status;
  /** What the host gave in ald_request_options. */
  void *user_data;
} ald_request_info;

/** Initialises an ald_request_info. */
#define ALD_REQUEST_INFO_INIT                                                                                          \
  { (uint32_t)sizeof(ald_request_info), 0, 0, 0, NULL }

/**
 * Facts about a request, as of now. Never waits.
 *
 * @param out_info Initialise it with ALD_REQUEST_INFO_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_info is NULL or its struct_size
 *   is none.
 */
ALD_API ald_status ald_request_get_info(ald_request request, ald_request_info *out_info, ald_error *error);

/**
 * Waits until a request has ended. Any number of threads may wait for one request. A request that has been cancelled
 * has ended, also if its worker is not back yet.
 *
 * @param timeout_ms The longest to wait, in milliseconds; 0: not at all; ALD_ALL: without limit.
 * @param out_state Receives the state; ALD_REQUEST_PENDING if the time ran out first, which is no error.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE, also if the runtime is released meanwhile;
 *   ALD_STATUS_INVALID_ARGUMENT if out_state is NULL.
 */
ALD_API ald_status ald_request_wait(ald_request request, uint32_t timeout_ms, ald_request_state *out_state,
                                    ald_error *error);

/**
 * Cancels a request. It has ended when this returns; its completion or event comes as for any other end. One that has
 * ended already stays as it is, and that is no error.
 *
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE.
 */
ALD_API ald_status ald_request_cancel(ald_request request, ald_error *error);

/**
 * Releases a request. If it has a completion function, the work goes on and the function will be called. If it has
 * none, nobody can be told of its end any more: a pending one is cancelled, also for threads that wait for it, and its
 * event is taken back.
 */
ALD_API void ald_request_release(ald_request request);

#ifdef __cplusplus
}
#endif

#endif

/**
 * @file
 * Events, completion functions and the log: how the host's loop finds out what has happened.
 *
 * The library never calls the host from a foreign thread. A loop that runs once per frame calls ald_runtime_pump and
 * ald_runtime_poll_events in each frame. A loop that sleeps waits first: with ald_runtime_wait, or by adding
 * ald_runtime_get_wake_fd to poll, epoll, asyncio, GLib or SDL. After the wait it calls both functions until neither
 * has anything left.
 *
 * @code{.c}
 * ald_event events[32];
 * size_t count = 0;
 * ald_status status = ald_runtime_pump(runtime, 4, NULL, error); // Calls completion functions for about 4 ms.
 * if (status == ALD_STATUS_OK)
 *   status = ald_runtime_poll_events(runtime, events, 32, &count, error);
 * for (size_t i = 0; status == ALD_STATUS_OK && i < count; i++)
 *   printf("event of kind %d\n", (int)events[i].kind);
 * return ALD_STATUS_OK;
 * @endcode
 */
#ifndef ALIDADE_EVENTS_H
#define ALIDADE_EVENTS_H

#include "base.h"
#include "handles.h"
#include "layer_view_state.h"
#include "navigation.h"
#include "request.h"
#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kind of an event, which says which fields of ald_event are set. */
typedef int32_t ald_event_kind;
enum ald_event_kind_values {
  /** A request without a completion function has ended. Fields: request, request_state, status, user_data. */
  ALD_EVENT_KIND_REQUEST_FINISHED = 1,
  /** A line was added to the log. Fields: log_level, domain, domain_code, log_number, dropped. */
  ALD_EVENT_KIND_LOG = 2,
  /**
   * A transformation became usable or stopped being usable, because the grid directories changed. Fields:
   * transformation, is_usable.
   */
  ALD_EVENT_KIND_TRANSFORMATION_CHANGED = 3,
  /**
   * The state of a view (see ald_view_get_state) has changed. The change from ALD_STATUS_NOT_READY to the first state
   * sends no such event. At most one such event waits for each view, however often the state changes. Fields: view.
   */
  ALD_EVENT_KIND_VIEWPOINT_CHANGED = 10,
  /** A view begins to move. Fields: view, cause, gesture, dropped. */
  ALD_EVENT_KIND_NAVIGATION_BEGAN = 11,
  /**
   * A view has come to rest. The status is ALD_STATUS_OK, or ALD_STATUS_CANCELLED if the movement was interrupted.
   * Fields: view, cause, gesture, status, user_data (of the animation), dropped.
   */
  ALD_EVENT_KIND_NAVIGATION_ENDED = 12,
  /**
   * The centre of a view has moved and its scale has not changed.
   *
   * This event and the next two come before ALD_EVENT_KIND_NAVIGATION_ENDED. For animations their cause is
   * ALD_NAVIGATION_CAUSE_CALL. Fields: view, cause, gesture, dropped.
   */
  ALD_EVENT_KIND_DID_END_PANNING = 13,
  /** The scale of a view has changed. Fields: view, cause, gesture, dropped. */
  ALD_EVENT_KIND_DID_END_ZOOMING = 14,
  /** The rotation of a view has changed. Fields: view, cause, gesture, dropped. */
  ALD_EVENT_KIND_DID_END_ROTATING = 15,
  /**
   * A tap or a long press, to which the host may react. Fields: view, cause, gesture, gesture_phase, screen_point,
   * map_point, dropped.
   */
  ALD_EVENT_KIND_GESTURE = 16,
  /**
   * ald_view_get_state no longer returns ALD_STATUS_NOT_READY: the map has a spatial reference, and the view has a size
   * and a viewpoint or an initial location.
   *
   * The event comes once for each view, even if the view is ready when it is created. The view of a magnifier sends no
   * such event. Fields: view.
   */
  ALD_EVENT_KIND_VIEW_READY = 17,
  /**
   * A layer, a map or a raster begins to load, has been loaded, or has failed to load.
   *
   * At most one such event waits for each object, with the newest status. The event comes only for objects that have a
   * handle at that moment. Fields: load_status, status (why loading failed), and one of layer, map and raster.
   */
  ALD_EVENT_KIND_LOAD_STATUS_CHANGED = 18,
  /**
   * The state of a layer in a view has changed.
   *
   * At most one such event waits for each layer and view. It has the newest state and the state of the previous event.
   * If the state returns to the state of the previous event before the host drains the events, no event comes, unless
   * the layer has stopped loading meanwhile: then there is more to draw than before. Fields: view, layer,
   * layer_view_state, previous_layer_view_state, dropped (the number of lost events of layers that have left the map:
   * more than 4096 events waited).
   */
  ALD_EVENT_KIND_LAYER_VIEW_STATE_CHANGED = 19
};

/**
 * Something that happened: plain data of 192 bytes. The size never changes. Fields that a kind does not name are zero.
 */
typedef struct ald_event {
  ald_event_kind kind;
  ald_request_state request_state;
  /** A number that increases with each event of a runtime. */
  uint64_t sequence;
  /** When it happened: CLOCK_MONOTONIC, in nanoseconds. */
  uint64_t time_ns;
  /** The user_data of the request or the animation. */
  void *user_data;
  /** The request, which the host owns. A request that the host has released sends no event. */
  ald_request request;
  /** ALD_STATUS_OK, ALD_STATUS_CANCELLED, or why the request or the load failed. */
  ald_status status;
  ald_log_level log_level;
  /** The library that wrote the log line. */
  ald_error_domain domain;
  int32_t domain_code;
  /** The number of the log line, for ald_runtime_get_log_line. */
  uint64_t log_number;
  /**
   * The number of lost events of this kind before this one. For the log, these are lines that were overwritten before
   * their event was read. For views, these are events that were overwritten because more than 4096 waited.
   */
  uint64_t dropped;
  /** A transformation that had a handle when the event was sent. The handle may have turned stale since. */
  ald_transformation transformation;
  uint32_t is_usable;
  ald_load_status load_status;
  /** A view that had a handle when the event was sent. The handle may have turned stale since. */
  ald_view view;
  ald_navigation_cause cause;
  ald_gesture_kind gesture;
  ald_gesture_phase gesture_phase;
  uint32_t reserved32_2;
  /** The screen point of the gesture, in DIP. */
  ald_point screen_point;
  /** The map point under screen_point at that moment, in the map's spatial reference. */
  ald_point map_point;
  /** The layer, map or raster that had a handle when the event was sent. The handle may have turned stale since. */
  ald_layer layer;
  ald_map map;
  ald_raster raster;
  ald_layer_view_flags layer_view_state;
  ald_layer_view_flags previous_layer_view_state;
  /** Zero. */
  uint64_t reserved[2];
} ald_event;

/** The result of ald_runtime_pump. */
typedef struct ald_pump_report {
  uint32_t struct_size;
  /** The number of completion functions that were called. */
  uint32_t completion_count;
  /** The number of completion functions that still wait. */
  uint32_t waiting_completion_count;
  /** The number of events that wait for ald_runtime_poll_events. */
  uint32_t waiting_event_count;
} ald_pump_report;

/** Initialises an ald_pump_report. */
#define ALD_PUMP_REPORT_INIT                                                                                           \
  { (uint32_t)sizeof(ald_pump_report), 0, 0, 0 }

/** A line of the log. */
typedef struct ald_log_line {
  uint32_t struct_size;
  ald_log_level level;
  /** The library that wrote the line. */
  ald_error_domain domain;
  /** The code of GDAL or PROJ; 0 without a code. */
  int32_t domain_code;
  /** The number of the line. The first line has 1. */
  uint64_t number;
  /** When it was written: CLOCK_MONOTONIC, in nanoseconds. */
  uint64_t time_ns;
} ald_log_line;

/** Initialises an ald_log_line. */
#define ALD_LOG_LINE_INIT                                                                                              \
  { (uint32_t)sizeof(ald_log_line), 0, 0, 0, 0, 0 }

/**
 * Calls the waiting completion functions on the calling thread, oldest first.
 *
 * Completion functions that begin to wait during the call are called by the next pump. If two threads pump at once,
 * each function is still called once, but the order is lost.
 *
 * @param budget_ms The time after which no further function is called, in milliseconds. At least one function is
 *   called. 0: no limit.
 * @param out_report NULL, or initialise it with ALD_PUMP_REPORT_INIT.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if the struct_size of out_report is not valid.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 *   - ALD_STATUS_INVALID_STATE if a completion function calls it.
 *   - ALD_STATUS_FORKED if a completion function has forked and returns in the child.
 */
ALD_API ald_status ald_runtime_pump(ald_runtime runtime, uint32_t budget_ms, ald_pump_report *out_report,
                                    ald_error *error);

/**
 * Takes events out of the queue, oldest first. If a state has changed several times, one event reports the newest
 * state.
 *
 * @param out_events Receives up to max_events events. NULL with max_events 0 requests only the number of waiting
 *     events, and takes none.
 * @param max_events The number of events that fit into out_events.
 * @param out_count Receives the number of events that were written, or of waiting events if only their number is
 *     requested.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_count is NULL, out_events is NULL and max_events is not 0, or max_events is
 *     more than memory can hold.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 */
ALD_API ald_status ald_runtime_poll_events(ald_runtime runtime, ald_event *out_events, size_t max_events,
                                           size_t *out_count, ald_error *error);

/**
 * Sleeps until an event or a completion function waits. Returns at once if one already waits.
 *
 * @param timeout_ms The longest time to wait, in milliseconds. 0: do not wait. ALD_ALL: no limit.
 * @param out_is_waiting Receives 1 if something waits, 0 if the time ran out first.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_is_waiting is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid or is released during the wait.
 */
ALD_API ald_status ald_runtime_wait(ald_runtime runtime, uint32_t timeout_ms, uint32_t *out_is_waiting,
                                    ald_error *error);

/**
 * Gets a file descriptor (an eventfd) that is readable while an event or a completion function waits.
 *
 * It belongs to the library: do not read, write or close it. A runtime has only one such descriptor. Take it out of the
 * loop before you release the runtime: the release makes it readable once more and then closes it. In the child of a
 * fork it still belongs to the parent: leave it alone.
 *
 * @param out_fd Receives the descriptor.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_fd is NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 *   - ALD_STATUS_LIMIT_EXCEEDED with the system's code if the process has no descriptor left.
 */
ALD_API ald_status ald_runtime_get_wake_fd(ald_runtime runtime, int32_t *out_fd, ald_error *error);

/**
 * Gets the oldest line of the log whose number is line_number or higher.
 *
 * The log keeps the last 1024 lines, whether or not their events have been drained. To read all lines, begin with
 * line_number 0 and go on with the number of the line plus 1, until the call returns ALD_STATUS_NOT_FOUND.
 *
 * @param line_number The lowest number to look for.
 * @param out_line Initialise it with ALD_LOG_LINE_INIT.
 * @param buffer Receives the text with its final NUL. NULL with capacity_bytes 0 requests only the size.
 * @param capacity_bytes The size of buffer in bytes.
 * @param out_size_bytes Receives the needed size in bytes, including the final NUL, even if the buffer is too small.
 *   May be NULL if buffer is not NULL.
 * @return ALD_STATUS_OK on success. Otherwise:
 *   - ALD_STATUS_INVALID_ARGUMENT if out_line is NULL or its struct_size is not valid, buffer is NULL and
 *     capacity_bytes is not 0, or both buffer and out_size_bytes are NULL.
 *   - ALD_STATUS_INVALID_HANDLE if runtime is not valid.
 *   - ALD_STATUS_NOT_FOUND if no line has this number or a higher one.
 *   - ALD_STATUS_BUFFER_TOO_SMALL if capacity_bytes is too small.
 */
ALD_API ald_status ald_runtime_get_log_line(ald_runtime runtime, uint64_t line_number, ald_log_line *out_line,
                                            char *buffer, size_t capacity_bytes, size_t *out_size_bytes,
                                            ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

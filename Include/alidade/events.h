/**
 * @file
 * Events, completions and the log: how a host's loop hears of what happens by itself.
 *
 * Nothing here calls the host from a foreign thread. A loop that runs per frame calls ald_runtime_pump and
 * ald_runtime_next_events once a frame. A loop that sleeps first waits, with ald_runtime_wait or by putting
 * ald_runtime_wake_fd into poll, epoll, asyncio, GLib or SDL, and then calls both: something waits until both have
 * nothing left.
 */
#ifndef ALIDADE_EVENTS_H
#define ALIDADE_EVENTS_H

#include "base.h"
#include "gesture.h"
#include "layer.h"
#include "layer_view_state.h"
#include "loading.h"
#include "map.h"
#include "navigation.h"
#include "raster.h"
#include "request.h"
#include "runtime.h"
#include "transformation.h"
#include "view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What an event tells. */
typedef int32_t ald_event_kind;
enum {
  /** A request without a completion function has ended. Fields: request, request_state, status, user_data. */
  ALD_EVENT_REQUEST_FINISHED = 1,
  /** A line was added to the log. Fields: log_level, domain, domain_code, log_number, dropped. */
  ALD_EVENT_LOG = 2,
  /** A transformation became usable, or was lost: the grid directories changed. Fields: transformation, is_usable. */
  ALD_EVENT_TRANSFORMATION_CHANGED = 3,
  /**
   * What ald_view_get_state answers has changed, and not from ALD_STATUS_NOT_READY. Waits once at most for each view,
   * however often it changes. Fields: view.
   */
  ALD_EVENT_VIEWPOINT_CHANGED = 10,
  /** A view begins to move. Fields: view, cause, gesture, dropped. */
  ALD_EVENT_NAVIGATION_BEGAN = 11,
  /**
   * It has come to rest: status ALD_STATUS_OK, or ALD_STATUS_CANCELLED if it was interrupted. Fields: view, cause,
   * gesture, status, user_data (of the animation), dropped.
   */
  ALD_EVENT_NAVIGATION_ENDED = 12,
  /**
   * The centre has moved and the scale has not. Comes before ALD_EVENT_NAVIGATION_ENDED, for animations with the cause
   * ALD_NAVIGATION_CALL, as the two that follow. Fields: view, cause, gesture, dropped.
   */
  ALD_EVENT_DID_END_PANNING = 13,
  /** The scale has changed. */
  ALD_EVENT_DID_END_ZOOMING = 14,
  /** The rotation has changed. */
  ALD_EVENT_DID_END_ROTATING = 15,
  /**
   * A tap or a long press, for the host to do something there. Fields: view, cause, gesture, gesture_phase, screen_dip,
   * map_point, dropped.
   */
  ALD_EVENT_GESTURE = 16,
  /**
   * ald_view_get_state no longer answers ALD_STATUS_NOT_READY: the map has a spatial reference, and the view a size,
   * and a viewpoint or a place to look at first. Comes once for each view, also for one that is ready when it is made;
   * a magnifier's view sends none. Fields: view.
   */
  ALD_EVENT_VIEW_READY = 17,
  /**
   * A layer, a map or a raster begins to load, has been loaded, or has failed. Waits once at most for each, and tells
   * the newest status. Comes for what has a handle at that moment. Fields: load_status, status (why it failed), and the
   * one of layer, map and raster that it is about.
   */
  ALD_EVENT_LOAD_STATUS_CHANGED = 18,
  /**
   * A layer is in another state in a view. One waits at most for each layer and view, and tells the newest state beside
   * what was told last; if the state comes back to that before it is drained, nothing is told. Fields: view, layer,
   * layer_view_state, previous_layer_view_state, dropped (of layers that have left the map, because more than 4096
   * waited).
   */
  ALD_EVENT_LAYER_VIEW_STATE_CHANGED = 19
};

/** Something that happened. Plain data; 192 bytes for ever. Fields that a kind does not name are zero. */
typedef struct ald_event {
  ald_event_kind kind;
  ald_request_state request_state;
  /** Rises from event to event of a runtime. */
  uint64_t sequence;
  /** When it happened: CLOCK_MONOTONIC, in nanoseconds. */
  uint64_t time_ns;
  /** The request's user_data. */
  void *user_data;
  /** The request, which the host owns. One that the host has released sends no event. */
  ald_request request;
  /** ALD_STATUS_OK, ALD_STATUS_CANCELLED, or why the request or the load failed. */
  ald_status status;
  ald_log_level log_level;
  /** Who speaks, and with which code; 0 if there is none. */
  ald_error_domain domain;
  int32_t domain_code;
  /** The line's number, for ald_runtime_read_log. */
  uint64_t log_number;
  /**
   * How many lines before this one were overwritten without an event; of events of views: how many of them were
   * overwritten, because more than 4096 waited.
   */
  uint64_t dropped;
  /** A transformation that had a handle when the event was sent; the handle may have turned stale since. */
  ald_transformation transformation;
  uint32_t is_usable;
  ald_load_status load_status;
  /** A view that had a handle when the event was sent; the handle may have turned stale since. */
  ald_view view;
  ald_navigation_cause cause;
  ald_gesture_kind gesture;
  ald_gesture_phase gesture_phase;
  uint32_t reserved32_2;
  ald_point screen_dip;
  /** What lay there at that moment, in the map's spatial reference. */
  ald_point map_point;
  /** What had a handle when the event was sent; the handle may have turned stale since. */
  ald_layer layer;
  ald_map map;
  ald_raster raster;
  ald_layer_view_flags layer_view_state;
  ald_layer_view_flags previous_layer_view_state;
  /** Zero. */
  uint64_t reserved[2];
} ald_event;

/** What a pump did. */
typedef struct ald_pump_report {
  uint32_t struct_size;
  /** How many completion functions were called. */
  uint32_t completion_count;
  /** How many wait still. */
  uint32_t waiting_completion_count;
  /** How many events wait for ald_runtime_next_events. */
  uint32_t waiting_event_count;
} ald_pump_report;

/** Initialises an ald_pump_report. */
#define ALD_PUMP_REPORT_INIT                                                                                           \
  { (uint32_t)sizeof(ald_pump_report), 0, 0, 0 }

/** A line of the log. */
typedef struct ald_log_line {
  uint32_t struct_size;
  ald_log_level level;
  /** Who speaks. */
  ald_error_domain domain;
  /** The code of GDAL or PROJ; 0 if there is none. */
  int32_t domain_code;
  /** Counts from 1. */
  uint64_t number;
  /** When it was written: CLOCK_MONOTONIC, in nanoseconds. */
  uint64_t time_ns;
} ald_log_line;

/** Initialises an ald_log_line. */
#define ALD_LOG_LINE_INIT                                                                                              \
  { (uint32_t)sizeof(ald_log_line), 0, 0, 0, 0, 0 }

/**
 * Calls completion functions that wait, oldest first, on the calling thread. Those that begin to wait meanwhile come
 * with the next pump. If two threads pump at once each function is still called once, but the order is lost.
 *
 * @param budget_ms No further function is called once this many milliseconds have passed; at least one is. 0: no limit.
 * @param out_report NULL, or initialise it with ALD_PUMP_REPORT_INIT.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_report's struct_size is none;
 *   ALD_STATUS_INVALID_STATE if called from inside a completion function; ALD_STATUS_FORKED if a completion function
 *   has forked and come back in the child.
 */
ALD_API ald_status ald_runtime_pump(ald_runtime runtime, uint32_t budget_ms, ald_pump_report *out_report,
                                    ald_error *error);

/**
 * Takes events out of the queue, oldest first. An event that tells of a state comes once, with the newest state.
 *
 * @param out_events Receives up to max_events events; NULL with max_events 0 asks how many wait and takes none.
 * @param max_events How many events out_events has room for.
 * @param out_count Receives how many were written, or how many wait.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_count is NULL, or out_events is
 *   NULL and max_events is not 0, or max_events is more than memory can hold.
 */
ALD_API ald_status ald_runtime_next_events(ald_runtime runtime, ald_event *out_events, size_t max_events,
                                           size_t *out_count, ald_error *error);

/**
 * Sleeps until an event or a completion waits. Comes back at once if one does already.
 *
 * @param timeout_ms The longest to wait, in milliseconds; 0: not at all; ALD_ALL: without limit.
 * @param out_is_waiting Receives 1 if something waits, 0 if the time ran out first.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE, also if the runtime is released meanwhile;
 *   ALD_STATUS_INVALID_ARGUMENT if out_is_waiting is NULL.
 */
ALD_API ald_status ald_runtime_wait(ald_runtime runtime, uint32_t timeout_ms, uint32_t *out_is_waiting,
                                    ald_error *error);

/**
 * A file descriptor (an eventfd) that is readable while an event or a completion waits. It belongs to the library: do
 * not read, write or close it. It is always the same; take it out of the loop before the runtime is released, which
 * makes it readable once more and then closes it. In the child of a fork it is the parent's still: leave it alone.
 *
 * @param out_fd Receives the descriptor.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_fd is NULL;
 *   ALD_STATUS_LIMIT_EXCEEDED with the system's code if the process has no descriptor left.
 */
ALD_API ald_status ald_runtime_wake_fd(ald_runtime runtime, int32_t *out_fd, ald_error *error);

/**
 * Reads a line of the log: the oldest that is kept and whose number is not below the wanted one. The log keeps the last
 * 1024 lines, whether or not their events have been drained. To read all: begin with 0, go on with number + 1, until
 * ALD_STATUS_NOT_FOUND.
 *
 * @param number The number, or a lower one.
 * @param out_line Initialise it with ALD_LOG_LINE_INIT.
 * @param buffer Receives the text with its final NUL; NULL with capacity 0 asks for the size alone.
 * @param capacity The size of buffer in bytes.
 * @param out_size Receives the needed size, the NUL counted in; also written when the buffer is too small. May be NULL
 *   if buffer is not.
 * @return ALD_STATUS_OK; ALD_STATUS_INVALID_HANDLE; ALD_STATUS_INVALID_ARGUMENT if out_line is NULL or its struct_size
 *   is none, buffer is NULL and capacity is not 0, or both buffer and out_size are NULL; ALD_STATUS_NOT_FOUND if no
 *   line has the number or a higher one; ALD_STATUS_BUFFER_TOO_SMALL.
 */
ALD_API ald_status ald_runtime_read_log(ald_runtime runtime, uint64_t number, ald_log_line *out_line, char *buffer,
                                        size_t capacity, size_t *out_size, ald_error *error);

#ifdef __cplusplus
}
#endif

#endif

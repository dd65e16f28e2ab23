/*
 * What the engine tells. The events are drained once a frame; identify is asked without waiting, so that a slow raster
 * never holds up a frame.
 */
#include "viewer.h"

static void forget(inquiry *inquiry, uint32_t layer_count) {
  for (uint32_t i = 0; i < layer_count; i++) {
    /* A pending request is cancelled by that. */
    ald_request_release(inquiry->requests[i]);
    ald_identify_result_release(inquiry->results[i]);
  }
  *inquiry = (struct inquiry){0};
}

void answers_close(viewer *viewer) {
  forget(&viewer->inquiry, viewer->layer_count);
}

bool answers_are_awaited(const viewer *viewer) {
  return viewer->inquiry.pending_count > 0 || world_is_loading(viewer) ||
         (viewer->is_finger_down && !viewer->is_finger_asked);
}

/* The topmost layer's result that has an element; if none has, one without; null if nothing was asked. */
static ald_identify_result topmost(const viewer *viewer) {
  ald_identify_result empty = {0};
  for (uint32_t i = viewer->layer_count; i-- > 0;) {
    const ald_identify_result result = viewer->inquiry.results[i];
    ald_identify_result_info info = ALD_IDENTIFY_RESULT_INFO_INIT;
    if (result.id == 0 || ald_identify_result_get_info(result, &info, NULL) != ALD_STATUS_OK)
      continue;
    if (info.element_count > 0)
      return result;
    empty = result;
  }
  return empty;
}

/* All layers have answered. */
static void finish(viewer *viewer) {
  ald_error error;
  inquiry *inquiry = &viewer->inquiry;
  const ald_identify_result found = topmost(viewer);
  ald_status status = ALD_STATUS_OK;
  if (inquiry->reason == INQUIRY_TAP && found.id != 0)
    status = ald_callout_handle_tap(viewer->callout, found, NULL, &error);
  else if (inquiry->reason == INQUIRY_DRAG && viewer->is_finger_down)
    /* The callout goes where the finger is now, which may have moved on. */
    status = ald_callout_drag_to(viewer->callout, viewer->finger_dip, found, NULL, &error);
  else if (inquiry->reason == INQUIRY_TAP)
    status = ald_callout_dismiss(viewer->callout, &error);
  if (succeeded(viewer, status, &error))
    world_show_cell(viewer, found);
  forget(inquiry, viewer->layer_count);
}

static void ask(viewer *viewer, inquiry_reason reason, ald_point point_dip) {
  ald_error error;
  inquiry *inquiry = &viewer->inquiry;
  forget(inquiry, viewer->layer_count);
  inquiry->reason = reason;
  inquiry->point_dip = point_dip;
  ald_layer_view_flags flags[MAX_LAYERS] = {0};
  ald_view_layer_states(viewer->view, viewer->layers, viewer->layer_count, flags, NULL);
  for (uint32_t i = 0; i < viewer->layer_count; i++) {
    if ((flags[i] & ALD_LAYER_VIEW_ACTIVE) == 0)
      continue;
    const ald_status status = ald_view_identify_layer_async(viewer->view, viewer->layers[i], point_dip, 0, 0, NULL,
                                                            NULL, &inquiry->requests[i], &error);
    if (succeeded(viewer, status, &error))
      inquiry->pending_count++;
  }
  if (inquiry->pending_count == 0)
    finish(viewer);
}

static void take_answer(viewer *viewer, ald_request request) {
  inquiry *inquiry = &viewer->inquiry;
  for (uint32_t i = 0; i < viewer->layer_count; i++) {
    if (request.id == 0 || inquiry->requests[i].id != request.id)
      continue;
    ald_error error;
    succeeded(viewer, ald_request_take_identify_result(request, &inquiry->results[i], &error), &error);
    ald_request_release(request);
    inquiry->requests[i].id = 0;
    if (--inquiry->pending_count == 0)
      finish(viewer);
    return;
  }
}

/* A finger that has stayed, and may move then. When it is lifted, what lies there is shown as after a tap. */
static void take_long_press(viewer *viewer, const ald_event *event) {
  ald_error error;
  const bool goes_on = event->gesture_phase == ALD_GESTURE_BEGAN || event->gesture_phase == ALD_GESTURE_CHANGED;
  viewer->is_finger_asked = !goes_on;
  if (goes_on) {
    viewer->finger_dip = event->screen_dip;
    /* Until the answer comes, the callout moves with the text that it has. */
    succeeded(viewer, ald_callout_drag_to(viewer->callout, viewer->finger_dip, (ald_identify_result){0}, NULL, &error),
              &error);
  }
  viewer->is_finger_down = goes_on;
  lens_move(viewer, goes_on, event->screen_dip);
  if (event->gesture_phase == ALD_GESTURE_ENDED)
    ask(viewer, INQUIRY_TAP, event->screen_dip);
}

static void take_gesture(viewer *viewer, const ald_event *event) {
  if (event->gesture == ALD_GESTURE_LONG_PRESS) {
    take_long_press(viewer, event);
  } else if (event->gesture == ALD_GESTURE_SINGLE_TAP) {
    /* No second tap came, so the view is where it was at the tap. */
    ask(viewer, INQUIRY_TAP, event->screen_dip);
  }
}

static void take(viewer *viewer, const ald_event *event) {
  const char *what = NULL;
  /* One queue has the events of all views, also of those that the pictures are read through. */
  if (event->view.id != 0 && event->view.id != viewer->view.id)
    return;
  switch (event->kind) {
  case ALD_EVENT_REQUEST_FINISHED:
    take_answer(viewer, event->request);
    break;
  case ALD_EVENT_LOAD_STATUS_CHANGED:
    if (event->layer.id != 0)
      world_take_load(viewer, event);
    break;
  case ALD_EVENT_LAYER_VIEW_STATE_CHANGED:
    viewer->layers_generation++;
    break;
  case ALD_EVENT_GESTURE:
    take_gesture(viewer, event);
    break;
  case ALD_EVENT_DID_END_PANNING:
    what = "did end panning";
    break;
  case ALD_EVENT_DID_END_ZOOMING:
    what = "did end zooming";
    break;
  case ALD_EVENT_DID_END_ROTATING:
    what = "did end rotating";
    break;
  default:
    break;
  }
  if (what != NULL)
    snprintf(viewer->message, sizeof viewer->message, "%s", what);
}

void answers_drain(viewer *viewer) {
  ald_error error;
  ald_event events[32];
  size_t count = 0;
  ald_status status;
  ald_runtime_pump(viewer->runtime, 4, NULL, NULL);
  do {
    status = ald_runtime_next_events(viewer->runtime, events, 32, &count, &error);
    for (size_t i = 0; status == ALD_STATUS_OK && i < count; i++)
      take(viewer, &events[i]);
  } while (status == ALD_STATUS_OK && count == 32);
  /*
   * A finger sends more points than a slow raster can answer: the newest one is asked for when the last one has been
   * answered. With one layer the library does that by itself: see replace_key of ald_request_options.
   */
  if (viewer->is_finger_down && lens_is_panning(viewer))
    viewer->is_finger_asked = false;
  if (viewer->is_finger_down && !viewer->is_finger_asked && viewer->inquiry.pending_count == 0) {
    viewer->is_finger_asked = true;
    ask(viewer, INQUIRY_DRAG, viewer->finger_dip);
  }
}

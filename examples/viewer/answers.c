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
    ald_feature_set_release(inquiry->sets[i]);
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

/* Shows a feature that was found, if one was. */
static bool show_feature(viewer *viewer, uint32_t number, ald_feature_set set, ald_point place) {
  ald_error error;
  ald_geometry geometry = {0};
  uint32_t index = 0;
  char text[2048];
  if (set.id == 0 || !features_find(set, &index, &geometry))
    return false;
  features_text(viewer, number, set, index, text, sizeof text);
  const ald_callout_show_flags flags = viewer->inquiry.reason == INQUIRY_DRAG ? ALD_CALLOUT_WHILE_DRAGGING : 0;
  const ald_status status =
      ald_callout_show_at(viewer->callout, place, viewer->web_mercator, NULL, text, flags, &error);
  if (succeeded(viewer, status, &error))
    world_show_feature(viewer, geometry, place);
  ald_geometry_release(geometry);
  return true;
}

/* Shows a cell that was found, if one was. */
static bool show_cell(viewer *viewer, ald_identify_result result) {
  ald_error error;
  ald_identify_result_info info = ALD_IDENTIFY_RESULT_INFO_INIT;
  if (result.id == 0 || ald_identify_result_get_info(result, &info, NULL) != ALD_STATUS_OK || info.element_count == 0)
    return false;
  const ald_status status = viewer->inquiry.reason == INQUIRY_DRAG
                                ? ald_callout_drag_to(viewer->callout, viewer->finger_dip, result, NULL, &error)
                                : ald_callout_handle_tap(viewer->callout, result, NULL, &error);
  if (succeeded(viewer, status, &error))
    world_show_cell(viewer, result);
  return true;
}

/* All layers have answered: what the topmost one found is shown. */
static void finish(viewer *viewer) {
  ald_error error;
  inquiry *inquiry = &viewer->inquiry;
  const bool is_drag = inquiry->reason == INQUIRY_DRAG;
  /* The callout goes where the finger is now, which may have moved on. */
  ald_point place = {0, 0};
  bool is_shown = is_drag && !viewer->is_finger_down;
  const bool has_place = world_place(viewer, is_drag ? viewer->finger_dip : inquiry->point_dip, &place);
  for (uint32_t i = viewer->layer_count; i-- > 0 && !is_shown;)
    is_shown =
        show_cell(viewer, inquiry->results[i]) || (has_place && show_feature(viewer, i + 1, inquiry->sets[i], place));
  if (!is_shown && succeeded(viewer, ald_callout_dismiss(viewer->callout, &error), &error))
    world_show_cell(viewer, (ald_identify_result){0});
  forget(inquiry, viewer->layer_count);
}

static ald_status ask_layer(viewer *viewer, uint32_t number, ald_point point_dip, ald_request *request,
                            ald_error *error) {
  ald_point place = {0, 0};
  if (viewer->sources[number - 1].id == 0)
    return ald_view_identify_layer_async(viewer->view, viewer->layers[number - 1], point_dip, 0, 0, NULL, NULL, request,
                                         error);
  if (!world_place(viewer, point_dip, &place))
    return ALD_STATUS_OK;
  return features_ask(viewer, number, place, request, error);
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
    const ald_status status = ask_layer(viewer, i + 1, point_dip, &inquiry->requests[i], &error);
    if (succeeded(viewer, status, &error) && inquiry->requests[i].id != 0)
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
    const ald_status status = viewer->sources[i].id == 0
                                  ? ald_request_take_identify_result(request, &inquiry->results[i], &error)
                                  : ald_request_take_feature_set(request, &inquiry->sets[i], &error);
    succeeded(viewer, status, &error);
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

/*
 * What the engine tells. The events are drained once a frame; identify is asked without waiting, so that a slow raster
 * never holds up a frame.
 */
#include "viewer.h"

#include <string.h>

/* How near to a tap a feature has to be drawn. */
#define TOUCH_DIP 4.0
#define MAX_LINES 15
#define MAX_LINE_BYTES 60

void answers_close(viewer *viewer) {
  /* A pending request is cancelled by that. */
  ald_request_release(viewer->inquiry.request);
  viewer->inquiry = (struct inquiry){0};
}

bool answers_are_awaited(const viewer *viewer) {
  return viewer->inquiry.request.id != 0 || world_is_loading(viewer) ||
         (viewer->is_finger_down && !viewer->is_finger_asked);
}

/* Copies the first lines of a text, each cut between two characters where it is too long. */
static void write_lines(const char *lines, char *text, size_t size) {
  size_t used = strlen(text);
  for (int count = 0; *lines != '\0' && count < MAX_LINES && used + MAX_LINE_BYTES + 8 < size; count++) {
    const size_t length = strcspn(lines, "\n");
    size_t kept = length < MAX_LINE_BYTES ? length : MAX_LINE_BYTES;
    while (kept < length && kept > 0 && ((unsigned char)lines[kept] & 0xC0) == 0x80)
      kept--;
    used += (size_t)snprintf(text + used, size - used, "%.*s%s\n", (int)kept, lines, kept < length ? "..." : "");
    lines += length + (lines[length] == '\n');
  }
}

static ald_status show_feature(viewer *viewer, ald_identify_result result, const ald_identify_element *element,
                               ald_point place, ald_error *error) {
  ald_geometry geometry = {0};
  char text[2048];
  snprintf(text, sizeof text, "%.*s %lld\n", MAX_LINE_BYTES, element->sublayer, (long long)element->id);
  write_lines(element->text, text, sizeof text);
  const ald_callout_show_flags flags = viewer->inquiry.reason == INQUIRY_DRAG ? ALD_CALLOUT_SHOW_WHILE_DRAGGING : 0;
  ald_status status = ald_callout_show_at(viewer->callout, place, viewer->web_mercator, NULL, text, flags, error);
  if (status == ALD_STATUS_OK)
    status = ald_identify_result_create_geometry(result, 0, &geometry, error);
  if (status == ALD_STATUS_OK)
    world_show_feature(viewer, geometry, place);
  ald_geometry_release(geometry);
  return status;
}

static ald_status show_cell(viewer *viewer, ald_identify_result result, ald_error *error) {
  const ald_status status = viewer->inquiry.reason == INQUIRY_DRAG
                                ? ald_callout_drag_to(viewer->callout, viewer->finger_point, result, NULL, error)
                                : ald_callout_handle_tap(viewer->callout, result, NULL, error);
  if (status == ALD_STATUS_OK)
    world_show_cell(viewer, result);
  return status;
}

/* What lies topmost is shown. */
static void finish(viewer *viewer, ald_identify_result result) {
  ald_error error;
  ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
  const bool is_drag = viewer->inquiry.reason == INQUIRY_DRAG;
  /* The callout goes where the finger is now, which may have moved on. */
  ald_point place = {0, 0};
  ald_status status = ALD_STATUS_OK;
  if (is_drag && !viewer->is_finger_down)
    return;
  if (result.id == 0 || ald_identify_result_get_element_at(result, 0, &element, NULL) != ALD_STATUS_OK) {
    status = ald_callout_dismiss(viewer->callout, &error);
    if (status == ALD_STATUS_OK)
      world_show_cell(viewer, (ald_identify_result){0});
  } else if (element.kind == ALD_ELEMENT_KIND_RASTER_CELL) {
    status = show_cell(viewer, result, &error);
  } else if (world_place(viewer, is_drag ? viewer->finger_point : viewer->inquiry.point_dip, &place)) {
    status = show_feature(viewer, result, &element, place, &error);
  }
  succeeded(viewer, status, &error);
}

static void ask(viewer *viewer, inquiry_reason reason, ald_point point_dip) {
  ald_error error;
  answers_close(viewer);
  viewer->inquiry.reason = reason;
  viewer->inquiry.point_dip = point_dip;
  succeeded(viewer,
            ald_view_identify_layers_async(viewer->view, point_dip, TOUCH_DIP, 0, NULL, NULL, &viewer->inquiry.request,
                                           &error),
            &error);
}

static void take_answer(viewer *viewer, ald_request request) {
  ald_error error;
  ald_identify_result result = {0};
  if (request.id == 0 || request.id != viewer->inquiry.request.id)
    return;
  if (succeeded(viewer, ald_request_take_identify_result(request, &result, &error), &error))
    finish(viewer, result);
  ald_identify_result_release(result);
  answers_close(viewer);
}

/* A finger that has stayed, and may move then. When it is lifted, what lies there is shown as after a tap. */
static void take_long_press(viewer *viewer, const ald_event *event) {
  ald_error error;
  const bool goes_on =
      event->gesture_phase == ALD_GESTURE_PHASE_BEGAN || event->gesture_phase == ALD_GESTURE_PHASE_CHANGED;
  viewer->is_finger_asked = !goes_on;
  if (goes_on) {
    viewer->finger_point = event->screen_point;
    /* Until the answer comes, the callout moves with the text that it has. */
    succeeded(viewer,
              ald_callout_drag_to(viewer->callout, viewer->finger_point, (ald_identify_result){0}, NULL, &error),
              &error);
  }
  viewer->is_finger_down = goes_on;
  lens_move(viewer, goes_on, event->screen_point);
  if (event->gesture_phase == ALD_GESTURE_PHASE_ENDED)
    ask(viewer, INQUIRY_TAP, event->screen_point);
}

static void take_gesture(viewer *viewer, const ald_event *event) {
  if (event->gesture == ALD_GESTURE_KIND_LONG_PRESS) {
    take_long_press(viewer, event);
  } else if (event->gesture == ALD_GESTURE_KIND_SINGLE_TAP) {
    /* No second tap came, so the view is where it was at the tap. */
    ask(viewer, INQUIRY_TAP, event->screen_point);
  }
}

static void take(viewer *viewer, const ald_event *event) {
  const char *what = NULL;
  /* One queue has the events of all views, also of those that the pictures are read through. */
  if (event->view.id != 0 && event->view.id != viewer->view.id)
    return;
  switch (event->kind) {
  case ALD_EVENT_KIND_REQUEST_FINISHED:
    take_answer(viewer, event->request);
    break;
  case ALD_EVENT_KIND_LOAD_STATUS_CHANGED:
    if (event->layer.id != 0)
      world_take_load(viewer, event);
    break;
  case ALD_EVENT_KIND_LAYER_VIEW_STATE_CHANGED:
    viewer->layers_generation++;
    break;
  case ALD_EVENT_KIND_GESTURE:
    take_gesture(viewer, event);
    break;
  case ALD_EVENT_KIND_DID_END_PANNING:
    what = "did end panning";
    break;
  case ALD_EVENT_KIND_DID_END_ZOOMING:
    what = "did end zooming";
    break;
  case ALD_EVENT_KIND_DID_END_ROTATING:
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
    status = ald_runtime_poll_events(viewer->runtime, events, 32, &count, &error);
    for (size_t i = 0; status == ALD_STATUS_OK && i < count; i++)
      take(viewer, &events[i]);
  } while (status == ALD_STATUS_OK && count == 32);
  /*
   * A finger sends more points than a slow raster can answer: the newest one is asked for when the last one has been
   * answered. The library does that by itself, too: see replace_key of ald_request_options.
   */
  if (viewer->is_finger_down && lens_is_panning(viewer))
    viewer->is_finger_asked = false;
  if (viewer->is_finger_down && !viewer->is_finger_asked && viewer->inquiry.request.id == 0) {
    viewer->is_finger_asked = true;
    ask(viewer, INQUIRY_DRAG, viewer->finger_point);
  }
}

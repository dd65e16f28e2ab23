/*
 * What the engine reports. Events are drained once a frame. What lies at a point is asked without waiting, so that a
 * slow raster never holds up a frame: of several points, the newest wins.
 */
#include "viewer.h"

#include <glib.h>

/* How near to a point a feature has to be drawn. */
#define TOUCH_DIP 4.0
#define MAX_ROWS 14
#define MAX_CHARACTERS 200

/* Requests of one key replace each other. */
enum { SHOW_KEY = 1, HOVER_KEY = 2 };

bool answers_are_awaited(const viewer *viewer) {
  return viewer->awaited_count > 0 || world_is_loading(viewer);
}

/* Asks what lies topmost of the layers and overlays that have popups: the land and what was found have none. */
static void ask(viewer *viewer, uint64_t key, ald_point point_dip, ald_completion completion) {
  ald_error error;
  ald_request request = {0};
  ald_identify_options options = ALD_IDENTIFY_OPTIONS_INIT;
  ald_request_options newest = ALD_REQUEST_OPTIONS_INIT;
  options.flags = ALD_IDENTIFY_POPUPS_ONLY;
  newest.flags = ALD_REQUEST_KEEP_BEGUN;
  newest.completion = completion;
  newest.user_data = viewer;
  newest.replace_key = key;
  if (succeeded(viewer,
                ald_view_identify_async(viewer->view, point_dip, TOUCH_DIP, 0, &options, &newest, &request, &error),
                &error))
    viewer->awaited_count++;
}

/* The result of a request that has ended; null if a newer one has replaced it. */
static ald_identify_result take_result(viewer *viewer, ald_request request) {
  ald_error error;
  ald_identify_result result = {0};
  viewer->awaited_count--;
  const ald_status status = ald_request_take_identify_result(request, &result, &error);
  if (status != ALD_STATUS_CANCELLED)
    succeeded(viewer, status, &error);
  ald_request_release(request);
  return result;
}

/* Adds a text as far as it is of use in a callout, which shows the beginning of long lines: whole characters. */
static void append(GString *text, const char *what) {
  const glong count = g_utf8_strlen(what, -1);
  g_string_append_len(text, what,
                      g_utf8_offset_to_pointer(what, count < MAX_CHARACTERS ? count : MAX_CHARACTERS) - what);
}

/* A popup as text: its title, or else what the file calls the element; its text; and its rows. */
static GString *popup_text(ald_identify_result result, const ald_identify_element *element) {
  ald_popup popup = ALD_POPUP_INIT;
  ald_popup_row row = ALD_POPUP_ROW_INIT;
  GString *const text = g_string_new("");
  if (ald_identify_result_get_popup_at(result, 0, &popup, NULL) != ALD_STATUS_OK)
    return text;
  if (popup.title[0] != '\0')
    append(text, popup.title);
  else
    g_string_append_printf(text, "%s %lld", element->sublayer, (long long)element->id);
  if (popup.text[0] != '\0') {
    g_string_append_c(text, '\n');
    append(text, popup.text);
  }
  for (uint32_t i = 0; i < popup.row_count && i < MAX_ROWS; i++) {
    if (ald_identify_result_get_popup_row_at(result, 0, i, &row, NULL) != ALD_STATUS_OK)
      continue;
    g_string_append_c(text, '\n');
    append(text, row.label);
    g_string_append(text, ": ");
    append(text, row.text);
  }
  if (popup.row_count > MAX_ROWS)
    g_string_append_printf(text, "\n%u more", popup.row_count - MAX_ROWS);
  return text;
}

/* A feature or a graphic, and a callout at a point of the map. */
static ald_status show_shape(viewer *viewer, ald_identify_result result, const ald_identify_element *element,
                             ald_point place, bool is_drag, ald_error *error) {
  ald_geometry geometry = {0};
  GString *const text = popup_text(result, element);
  const ald_callout_show_flags flags = is_drag ? ALD_CALLOUT_SHOW_WHILE_DRAGGING : 0;
  ald_status status = ald_callout_show_at(viewer->callout, place, viewer->web_mercator, NULL, text->str, flags, error);
  if (status == ALD_STATUS_OK)
    status = ald_identify_result_create_geometry(result, 0, &geometry, error);
  if (status == ALD_STATUS_OK)
    world_show_found(viewer, geometry, place);
  ald_geometry_release(geometry);
  g_string_free(text, TRUE);
  return status;
}

static ald_status show_cell(viewer *viewer, ald_identify_result result, bool is_drag, ald_error *error) {
  const ald_status status = is_drag ? ald_callout_drag_to(viewer->callout, viewer->finger_point, result, NULL, error)
                                    : ald_callout_handle_tap(viewer->callout, result, NULL, error);
  if (status == ALD_STATUS_OK)
    world_show_cell(viewer, result);
  return status;
}

/* What lies topmost is shown: at the point that was asked for, or where the finger is now. */
static void show(viewer *viewer, ald_identify_result result, bool is_drag) {
  ald_error error;
  ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
  ald_identify_result_info info = ALD_IDENTIFY_RESULT_INFO_INIT;
  ald_status status = ALD_STATUS_OK;
  if (ald_identify_result_get_info(result, &info, NULL) != ALD_STATUS_OK)
    return;
  ald_point place = world_once_around(info.map_point);
  if (ald_identify_result_get_element_at(result, 0, &element, NULL) != ALD_STATUS_OK) {
    status = ald_callout_dismiss(viewer->callout, &error);
    if (status == ALD_STATUS_OK)
      world_show_cell(viewer, (ald_identify_result){0});
  } else if (element.kind == ALD_ELEMENT_KIND_RASTER_CELL) {
    status = show_cell(viewer, result, is_drag, &error);
  } else if (!is_drag || world_place(viewer, viewer->finger_point, &place)) {
    status = show_shape(viewer, result, &element, place, is_drag, &error);
  }
  succeeded(viewer, status, &error);
}

static void take_tap(ald_request request, void *user_data) {
  viewer *viewer = user_data;
  const ald_identify_result result = take_result(viewer, request);
  if (result.id != 0)
    show(viewer, result, false);
  ald_identify_result_release(result);
}

static void take_drag(ald_request request, void *user_data) {
  viewer *viewer = user_data;
  const ald_identify_result result = take_result(viewer, request);
  if (result.id != 0 && viewer->is_finger_down)
    show(viewer, result, true);
  ald_identify_result_release(result);
}

/* The pointer: the feature or graphic under it is outlined. */
static void take_hover(ald_request request, void *user_data) {
  viewer *viewer = user_data;
  ald_error error;
  ald_geometry geometry = {0};
  ald_identify_element element = ALD_IDENTIFY_ELEMENT_INIT;
  const ald_identify_result result = take_result(viewer, request);
  if (result.id != 0 && viewer->hover.is_on) {
    const bool is_shape = ald_identify_result_get_element_at(result, 0, &element, NULL) == ALD_STATUS_OK &&
                          element.kind != ALD_ELEMENT_KIND_RASTER_CELL;
    if (is_shape && !succeeded(viewer, ald_identify_result_create_geometry(result, 0, &geometry, &error), &error))
      element.id = 0;
    viewer->hover.kind = is_shape ? element.kind : 0;
    viewer->hover.id = is_shape ? element.id : 0;
    world_show_hover(viewer, geometry);
  }
  ald_geometry_release(geometry);
  ald_identify_result_release(result);
}

/* Asks again if the pointer, the view, the layers or the pins are others than before. */
static void follow_pointer(viewer *viewer) {
  ald_view_state state = ALD_VIEW_STATE_INIT;
  const bool is_on = viewer->is_pointer_free && !list_contains(viewer, viewer->pointer_dip) &&
                     ald_view_get_state(viewer->view, &state, NULL) == ALD_STATUS_OK;
  hover *hover = &viewer->hover;
  if (!is_on) {
    if (hover->is_on)
      world_show_hover(viewer, (ald_geometry){0});
    *hover = (struct hover){0};
  } else if (!hover->is_on || hover->point_dip.x != viewer->pointer_dip.x ||
             hover->point_dip.y != viewer->pointer_dip.y || hover->view_generation != state.generation ||
             hover->layers_generation != viewer->layers_generation) {
    hover->is_on = true;
    hover->point_dip = viewer->pointer_dip;
    hover->view_generation = state.generation;
    hover->layers_generation = viewer->layers_generation;
    ask(viewer, HOVER_KEY, hover->point_dip, take_hover);
  }
}

/* A finger that has stayed, and may move then. When it is lifted, what lies there is shown as after a tap. */
static void take_long_press(viewer *viewer, const ald_event *event) {
  ald_error error;
  const bool goes_on =
      event->gesture_phase == ALD_GESTURE_PHASE_BEGAN || event->gesture_phase == ALD_GESTURE_PHASE_CHANGED;
  if (goes_on) {
    viewer->finger_point = event->screen_point;
    /* Until the answer comes, the callout moves with the text that it has. */
    succeeded(viewer,
              ald_callout_drag_to(viewer->callout, viewer->finger_point, (ald_identify_result){0}, NULL, &error),
              &error);
  }
  viewer->is_finger_down = goes_on;
  lens_move(viewer, goes_on, event->screen_point);
  if (goes_on)
    ask(viewer, SHOW_KEY, viewer->finger_point, take_drag);
  if (event->gesture_phase == ALD_GESTURE_PHASE_ENDED)
    ask(viewer, SHOW_KEY, event->screen_point, take_tap);
}

static void take_gesture(viewer *viewer, const ald_event *event) {
  if (event->gesture == ALD_GESTURE_KIND_LONG_PRESS) {
    take_long_press(viewer, event);
  } else if (event->gesture == ALD_GESTURE_KIND_SINGLE_TAP) {
    /* No second tap came, so the view is where it was at the tap. */
    ask(viewer, SHOW_KEY, event->screen_point, take_tap);
  }
}

static void take(viewer *viewer, const ald_event *event) {
  const char *what = NULL;
  /* One queue has the events of all views. What those have loaded that the pictures are read through is to be seen. */
  if (event->kind == ALD_EVENT_KIND_LAYER_VIEW_STATE_CHANGED && (event->layer_view_state & ALD_LAYER_VIEW_LOADING) == 0)
    viewer->layers_generation++;
  if (event->view.id != 0 && event->view.id != viewer->view.id)
    return;
  switch (event->kind) {
  case ALD_EVENT_KIND_LOAD_STATUS_CHANGED:
    if (event->layer.id != 0)
      world_take_load(viewer, event);
    break;
  case ALD_EVENT_KIND_LAYER_VIEW_STATE_CHANGED:
    viewer->layers_generation++;
    viewer->is_fit_due = true; /* the box of a file may be known later than the file is loaded */
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
  /* Where the viewer opens is not worth a word. */
  if (what != NULL && viewer->is_moved)
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
  /* The map moves under a finger that rests near an edge. */
  if (viewer->is_finger_down && lens_is_panning(viewer))
    ask(viewer, SHOW_KEY, viewer->finger_point, take_drag);
  world_follow(viewer);
  follow_pointer(viewer);
}

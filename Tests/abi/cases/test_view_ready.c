/* A view notifies the host once when it can be read, whatever came last: the map's spatial reference, a layer, an
 * initial location, the size, or the viewpoint. */
#include "check.h"
#include "scene.h"

#include <string.h>

static scene stage;
static const ald_spatial_reference none = {0};

/* Returns how many events report that a view is ready; drains all events. */
static int told(ald_view view) {
  ald_error error;
  ald_event events[64];
  size_t count = 64;
  int found = 0;
  while (count == 64) {
    CHECK_OK(ald_runtime_poll_events(stage.runtime, events, 64, &count, &error), &error);
    for (size_t i = 0; i < count; i++)
      if (events[i].kind == ALD_EVENT_KIND_VIEW_READY) {
        CHECK(events[i].view.id != 0);
        found += events[i].view.id == view.id;
      }
  }
  return found;
}

static ald_status reading(ald_view view) {
  ald_view_state state = ALD_VIEW_STATE_INIT;
  return ald_view_get_state(view, &state, NULL);
}

static ald_map new_map(ald_spatial_reference reference) {
  ald_error error;
  ald_map map = {0};
  CHECK_OK(ald_map_create(stage.runtime, reference, &map, &error), &error);
  return map;
}

static ald_view new_view(ald_map map, double width, double height) {
  ald_error error;
  ald_view view = {0};
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = width;
  options.height_dip = height;
  CHECK_OK(ald_view_create(map, &options, &view, &error), &error);
  return view;
}

static ald_layer new_layer(void) {
  ald_error error;
  ald_layer layer = {0};
  CHECK_OK(ald_raster_layer_create(stage.raster, &layer, &error), &error);
  return layer;
}

/* Not ready until now, and without an event: call before the step that makes the view ready. */
static void check_waits(ald_view view) {
  CHECK(reading(view) == ALD_STATUS_NOT_READY);
  CHECK(told(view) == 0);
}

/* There is one event, and never another whatever changes. */
static void check_ready(ald_view view) {
  ald_error error;
  CHECK(told(view) == 1);
  CHECK(reading(view) == ALD_STATUS_OK);
  CHECK_OK(ald_view_set_size(view, 300, 200, 0, &error), &error);
  CHECK_OK(ald_view_set_center(view, (ald_point){5, 6}, none, &error), &error);
  CHECK_OK(ald_view_set_scale(view, 7000, &error), &error);
  CHECK(reading(view) == ALD_STATUS_OK);
  CHECK(told(view) == 0);
  ald_view_release(view);
}

static void test_map_comes_last(void) {
  ald_error error;
  const ald_map map = new_map(none);
  const ald_view view = new_view(map, 200, 100), small = new_view(map, 0, 0);
  const ald_layer layer = new_layer();
  check_waits(view);
  /* The layer brings a spatial reference and a location. */
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  check_ready(view);
  check_waits(small);
  CHECK_OK(ald_view_set_size(small, 20, 10, 0, &error), &error);
  check_ready(small);
  ald_layer_release(layer);
  ald_map_release(map);
}

static void test_place_comes_last(void) {
  ald_error error;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  const ald_map map = new_map(stage.spatial_reference), other = new_map(stage.spatial_reference);
  const ald_view view = new_view(map, 200, 100), second = new_view(other, 200, 100);
  check_waits(view);
  CHECK_OK(ald_map_set_initial_location(map, 40, -122, 10000, &error), &error);
  check_ready(view);
  viewpoint.fields = ALD_VIEWPOINT_HAS_EXTENT;
  viewpoint.extent = (ald_envelope){0, 0, 100, 100};
  check_waits(second);
  CHECK_OK(ald_map_set_initial_viewpoint(other, &viewpoint, &error), &error);
  check_ready(second);
  ald_map_release(other);
  ald_map_release(map);
}

static void test_viewpoint_comes_last(void) {
  ald_error error;
  const ald_map map = new_map(stage.spatial_reference);
  ald_view view = new_view(map, 200, 100);
  CHECK_OK(ald_view_set_scale(view, 1000, &error), &error);
  check_waits(view);
  CHECK_OK(ald_view_set_center(view, (ald_point){1, 2}, none, &error), &error);
  check_ready(view);
  view = new_view(map, 200, 100);
  check_waits(view);
  CHECK_OK(ald_view_zoom_to_envelope(view, (ald_envelope){0, 0, 10, 10}, none, NULL, NULL, &error), &error);
  check_ready(view);
  ald_map_release(map);
}

static void test_size_comes_last(void) {
  ald_error error;
  const ald_map map = new_map(stage.spatial_reference);
  ald_view view = new_view(map, 0, 0);
  CHECK_OK(ald_view_set_center(view, (ald_point){1, 2}, none, &error), &error);
  CHECK_OK(ald_view_set_scale(view, 1000, &error), &error);
  check_waits(view);
  CHECK_OK(ald_view_set_size(view, 200, 100, 0, &error), &error);
  check_ready(view);
  /* A log brings all of it. */
  view = new_view(map, 0, 0);
  check_waits(view);
  CHECK_OK(ald_view_replay(view,
                           "alidade-navigation 1\nmap 1.0 40075016.68557849\nsize 800.0 600.0 1.0 0.0 0.0 0.0 0.0\n"
                           "camera 0.0 0.0 1000.0 0.0\n",
                           0, ALD_ALL, NULL, &error),
           &error);
  check_ready(view);
  ald_map_release(map);
}

/* The view is ready when it is created. The initial location can still be set until the view is read. */
static void test_ready_from_the_beginning(void) {
  ald_error error;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  const ald_map map = new_map(stage.spatial_reference);
  const ald_layer layer = new_layer();
  ald_magnifier magnifier;
  ald_view lens;
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  const ald_view view = new_view(map, 200, 100);
  CHECK(told(view) == 1);
  CHECK_OK(ald_map_set_initial_location(map, 0, 0, 12345, &error), &error);
  CHECK_OK(ald_view_get_state(view, &state, &error), &error);
  CHECK(state.scale == 12345 && told(view) == 0);
  CHECK_OK(ald_magnifier_create(view, NULL, &magnifier, &error), &error);
  CHECK_OK(ald_magnifier_get_view(magnifier, &lens, &error), &error);
  CHECK_OK(ald_magnifier_show_at(magnifier, (ald_point){1, 1}, &error), &error);
  CHECK(reading(lens) == ALD_STATUS_OK && told(lens) == 0);
  ald_magnifier_release(magnifier);
  ald_view_release(view);
  ald_layer_release(layer);
  /* There are no events of views that have gone. */
  ald_view_release(new_view(map, 0, 0));
  CHECK_OK(ald_map_set_initial_location(map, 1, 1, 1000, &error), &error);
  CHECK(told(view) == 0);
  ald_map_release(map);
}

int main(int argc, char **argv) {
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    told(stage.view);
    test_map_comes_last();
    test_place_comes_last();
    test_viewpoint_comes_last();
    test_size_comes_last();
    test_ready_from_the_beginning();
    release_scene(&stage);
  }
  return finish();
}

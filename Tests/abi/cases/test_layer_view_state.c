/* The states of layers in views: the flags and their causes, the events, the history, and two views of one map. */
#include "check.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static scene stage;
static ald_error error;
static const ald_spatial_reference none = {0};

enum { ACTIVE = ALD_LAYER_VIEW_ACTIVE, NOT_VISIBLE = ALD_LAYER_VIEW_NOT_VISIBLE };
enum { OUT_OF_SCALE = ALD_LAYER_VIEW_OUT_OF_SCALE };

static ald_layer_view_state state_of(ald_view view, ald_layer layer) {
  ald_layer_view_state state = ALD_LAYER_VIEW_STATE_INIT;
  CHECK_OK(ald_view_get_layer_state(view, layer, &state, &error), &error);
  return state;
}

static ald_layer_view_flags flags_of(ald_view view, ald_layer layer) {
  ald_layer_view_flags flags = 99;
  CHECK_OK(ald_view_get_layer_states(view, &layer, 1, &flags, &error), &error);
  CHECK(state_of(view, layer).flags == flags);
  return flags;
}

/* Collects the events of a layer in a view, the newest last; returns their number. Drains all events. */
static size_t told(ald_view view, ald_layer layer, ald_event *last) {
  ald_event events[64];
  size_t count = 64, found = 0;
  uint64_t sequence = 0;
  while (count == 64) {
    CHECK_OK(ald_runtime_poll_events(stage.runtime, events, 64, &count, &error), &error);
    for (size_t i = 0; i < count; i++) {
      CHECK(events[i].sequence > sequence);
      sequence = events[i].sequence;
      if (events[i].kind != ALD_EVENT_KIND_LAYER_VIEW_STATE_CHANGED || events[i].view.id != view.id ||
          events[i].layer.id != layer.id)
        continue;
      *last = events[i];
      found++;
    }
  }
  return found;
}

static void check_told(ald_view view, ald_layer layer, ald_layer_view_flags previous, ald_layer_view_flags now) {
  ald_event event = {0};
  CHECK(told(view, layer, &event) == 1);
  CHECK(event.previous_layer_view_state == previous && event.layer_view_state == now && event.dropped == 0);
}

static void check_silent(ald_view view, ald_layer layer) {
  ald_event event;
  CHECK(told(view, layer, &event) == 0);
}

static ald_layer new_layer(void) {
  ald_layer layer = {0};
  CHECK_OK(ald_raster_layer_create(stage.raster, &layer, &error), &error);
  return layer;
}

static ald_layer new_group(void) {
  ald_layer layer = {0};
  CHECK_OK(ald_group_layer_create(stage.runtime, &layer, &error), &error);
  return layer;
}

static ald_view new_view(ald_map map) {
  ald_view view = {0};
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = 800;
  options.height_dip = 600;
  CHECK_OK(ald_view_create(map, &options, &view, &error), &error);
  return view;
}

/* A layer from 1 : 100,000,000 to 1 : 6,000,000, first seen at 1 : 20,000,000. */
static void test_the_range(void) {
  static const struct {
    double scale;
    ald_layer_view_flags flags;
    double factor;
  } steps[] = {{1e8, ACTIVE, 1},
               {100000000.1, OUT_OF_SCALE, 1e8 / 100000000.1},
               {2e8, OUT_OF_SCALE, 0.5},
               {6e6, ACTIVE, 1},
               {5999999.9, OUT_OF_SCALE, 6e6 / 5999999.9},
               {3e6, OUT_OF_SCALE, 2},
               {1e9, OUT_OF_SCALE, 0.1},
               {2e7, ACTIVE, 1}};
  const ald_layer layer = new_layer();
  ald_map map;
  ald_viewpoint first = ALD_VIEWPOINT_INIT;
  first.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE;
  first.center = (ald_point){-13e6, 51e5};
  first.scale = 2e7;
  CHECK_OK(ald_layer_set_scale_range(layer, 1e8, 6e6, &error), &error);
  CHECK_OK(ald_map_create(stage.runtime, stage.spatial_reference, &map, &error), &error);
  CHECK_OK(ald_map_set_initial_viewpoint(map, &first, &error), &error);
  const ald_view view = new_view(map);
  CHECK_OK(ald_map_add_layer(map, layer, &error), &error);
  /* An event comes before anybody has looked. */
  check_told(view, layer, 0, ACTIVE);
  CHECK(flags_of(view, layer) == ACTIVE);
  check_silent(view, layer);
  ald_layer_view_flags before = ACTIVE;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    CHECK_OK(ald_view_set_scale(view, steps[i].scale, &error), &error);
    if (steps[i].flags == before)
      check_silent(view, layer);
    else
      check_told(view, layer, before, steps[i].flags);
    before = steps[i].flags;
    const ald_layer_view_state state = state_of(view, layer);
    CHECK(state.flags == before && fabs(state.scale_factor - steps[i].factor) < 1e-12);
    CHECK(state.out_of_scale_by.id == (before == OUT_OF_SCALE ? layer.id : 0) && state.hidden_by.id == 0);
  }
  /* The event of an animation comes in the frame in which it crosses the end. */
  ald_viewpoint far = ALD_VIEWPOINT_INIT;
  ald_animation_options animation = ALD_ANIMATION_OPTIONS_INIT;
  far.fields = ALD_VIEWPOINT_HAS_SCALE;
  far.scale = 4e8;
  animation.duration_s = 1;
  CHECK_OK(ald_view_animate_to(view, &far, NULL, &animation, &error), &error);
  int changes = 0;
  for (int frame = 0; frame < 12; frame++) {
    ald_event event = {0};
    ald_view_state looks = ALD_VIEW_STATE_INIT;
    CHECK_OK(ald_view_advance(view, 0.1, &error), &error);
    CHECK_OK(ald_view_get_state(view, &looks, &error), &error);
    changes += (int)told(view, layer, &event);
    CHECK(flags_of(view, layer) == (looks.scale <= 1e8 ? ACTIVE : OUT_OF_SCALE));
  }
  CHECK(changes == 1 && flags_of(view, layer) == OUT_OF_SCALE);
  /* The range comes to the scale. */
  CHECK_OK(ald_layer_set_scale_range(layer, 4e8, 6e6, &error), &error);
  check_told(view, layer, OUT_OF_SCALE, ACTIVE);
  ald_view_release(view);
  ald_map_release(map);
  ald_layer_release(layer);
}

static void test_coalescing(void) {
  const ald_view view = stage.view;
  const ald_layer layer = stage.layer;
  ald_event event;
  told(view, layer, &event);
  CHECK(flags_of(view, layer) == ACTIVE);
  CHECK_OK(ald_layer_set_visible(layer, 0, &error), &error);
  CHECK_OK(ald_layer_set_visible(layer, 1, &error), &error);
  check_silent(view, layer);
  CHECK_OK(ald_layer_set_visible(layer, 0, &error), &error);
  CHECK_OK(ald_layer_set_scale_range(layer, 1, 0, &error), &error);
  check_told(view, layer, ACTIVE, NOT_VISIBLE | OUT_OF_SCALE);
  CHECK_OK(ald_layer_set_scale_range(layer, 0, 0, &error), &error);
  CHECK_OK(ald_layer_set_visible(layer, 1, &error), &error);
  check_told(view, layer, NOT_VISIBLE | OUT_OF_SCALE, ACTIVE);
  /* Out of the map and back, before anybody looked. */
  CHECK_OK(ald_map_remove_layer(stage.map, layer, &error), &error);
  CHECK(flags_of(view, layer) == 0 && state_of(view, layer).change_count == 0);
  CHECK_OK(ald_map_add_layer(stage.map, layer, &error), &error);
  check_silent(view, layer);
  CHECK_OK(ald_map_remove_layer(stage.map, layer, &error), &error);
  check_told(view, layer, ACTIVE, 0);
  CHECK_OK(ald_map_add_layer(stage.map, layer, &error), &error);
  check_told(view, layer, 0, ACTIVE);
}

/* Layers that have left while nobody looked: events come for the newest 4096, with the number of layers before. */
static void test_a_host_that_never_looks(void) {
  enum { LAYERS = 5000, KEPT = 4096 };
  static ald_layer layers[LAYERS];
  static ald_event events[LAYERS + 64];
  size_t count, gone = 0, dropped = 0;
  for (int i = 0; i < LAYERS; i++) {
    layers[i] = new_layer();
    if (ald_map_add_layer(stage.map, layers[i], &error) != ALD_STATUS_OK)
      CHECK(!"a layer could not be added");
  }
  CHECK_OK(ald_runtime_poll_events(stage.runtime, events, LAYERS + 64, &count, &error), &error);
  CHECK(count == LAYERS);
  for (int i = 0; i < LAYERS; i++) {
    if (ald_map_remove_layer(stage.map, layers[i], &error) != ALD_STATUS_OK)
      CHECK(!"a layer could not be removed");
    ald_layer_release(layers[i]);
  }
  CHECK_OK(ald_runtime_poll_events(stage.runtime, NULL, 0, &count, &error), &error);
  CHECK(count == KEPT);
  CHECK_OK(ald_runtime_poll_events(stage.runtime, events, LAYERS + 64, &count, &error), &error);
  CHECK(count == KEPT);
  for (size_t i = 0; i < count; i++) {
    gone += events[i].kind == ALD_EVENT_KIND_LAYER_VIEW_STATE_CHANGED && events[i].layer_view_state == 0;
    dropped += events[i].dropped;
  }
  CHECK(gone == KEPT && dropped == LAYERS - KEPT);
  CHECK(events[0].layer.id == layers[LAYERS - KEPT].id && events[0].dropped == LAYERS - KEPT);
  CHECK(flags_of(stage.view, stage.layer) == ACTIVE);
}

static void test_groups(void) {
  const ald_layer outer = new_group(), inner = new_group(), layer = new_layer();
  const ald_layer all[] = {outer, inner, layer};
  ald_layer_view_flags flags[3];
  CHECK_OK(ald_group_layer_add_layer(inner, layer, &error), &error);
  CHECK_OK(ald_group_layer_add_layer(outer, inner, &error), &error);
  CHECK_OK(ald_map_add_layer(stage.map, outer, &error), &error);
  CHECK_OK(ald_view_get_layer_states(stage.view, all, 3, flags, &error), &error);
  CHECK(flags[0] == ACTIVE && flags[1] == ACTIVE && flags[2] == ACTIVE);
  CHECK_OK(ald_layer_set_visible(outer, 0, &error), &error);
  check_told(stage.view, layer, 0, NOT_VISIBLE);
  CHECK(state_of(stage.view, layer).hidden_by.id == outer.id);
  CHECK_OK(ald_layer_set_visible(inner, 0, &error), &error);
  CHECK(state_of(stage.view, layer).hidden_by.id == inner.id && state_of(stage.view, inner).hidden_by.id == inner.id);
  CHECK_OK(ald_layer_set_visible(inner, 1, &error), &error);
  CHECK_OK(ald_layer_set_visible(outer, 1, &error), &error);
  /* The view's scale is 100,000. */
  CHECK_OK(ald_layer_set_scale_range(outer, 0, 200000, &error), &error);
  check_told(stage.view, layer, NOT_VISIBLE, OUT_OF_SCALE);
  CHECK(state_of(stage.view, layer).out_of_scale_by.id == outer.id && state_of(stage.view, layer).scale_factor == 2);
  CHECK_OK(ald_group_layer_remove_layer(inner, layer, &error), &error);
  check_told(stage.view, layer, OUT_OF_SCALE, 0);
  CHECK_OK(ald_map_add_layer(stage.map, layer, &error), &error);
  check_told(stage.view, layer, 0, ACTIVE);
  CHECK_OK(ald_map_remove_layer(stage.map, layer, &error), &error);
  CHECK_OK(ald_map_remove_layer(stage.map, outer, &error), &error);
  for (int i = 0; i < 3; i++) {
    CHECK(flags_of(stage.view, all[i]) == 0);
    ald_layer_release(all[i]);
  }
}

static void test_two_views(void) {
  const ald_view other = new_view(stage.map);
  ald_event event;
  ald_magnifier magnifier;
  ald_magnifier_options options = ALD_MAGNIFIER_OPTIONS_INIT;
  ald_view lens;
  CHECK_OK(ald_view_set_center(other, (ald_point){-13e6, 51e5}, none, &error), &error);
  CHECK_OK(ald_view_set_scale(other, 1e6, &error), &error);
  CHECK_OK(ald_layer_set_scale_range(stage.layer, 0, 90000, &error), &error);
  CHECK(flags_of(other, stage.layer) == ACTIVE && flags_of(stage.view, stage.layer) == ACTIVE);
  CHECK_OK(ald_view_set_scale(other, 1000, &error), &error);
  CHECK(flags_of(other, stage.layer) == OUT_OF_SCALE && flags_of(stage.view, stage.layer) == ACTIVE);
  /* A magnifier has a state of its own, and no events. */
  options.factor = 2;
  CHECK_OK(ald_magnifier_create(stage.view, &options, &magnifier, &error), &error);
  CHECK_OK(ald_magnifier_get_view(magnifier, &lens, &error), &error);
  CHECK(flags_of(lens, stage.layer) == 0);
  CHECK_OK(ald_magnifier_show_at(magnifier, SCENE_MIDDLE, &error), &error);
  CHECK(flags_of(lens, stage.layer) == OUT_OF_SCALE && state_of(lens, stage.layer).scale_factor == 1.8);
  CHECK(told(lens, stage.layer, &event) == 0);
  CHECK_OK(ald_layer_set_scale_range(stage.layer, 0, 0, &error), &error);
  CHECK(flags_of(lens, stage.layer) == ACTIVE && flags_of(other, stage.layer) == ACTIVE);
  ald_magnifier_release(magnifier);
  ald_view_release(other);
}

static void test_history(void) {
  ald_layer_view_transition transitions[16];
  size_t count = 0;
  const ald_layer layer = new_layer();
  CHECK_OK(ald_view_get_layer_state_history(stage.view, layer, NULL, 0, &count, &error), &error);
  CHECK(count == 0);
  CHECK_OK(ald_map_add_layer(stage.map, layer, &error), &error);
  for (int i = 0; i < 19; i++) {
    CHECK_OK(ald_layer_set_visible(layer, i % 2 != 0, &error), &error);
    CHECK_OK(ald_view_get_layer_state_history(stage.view, layer, transitions, 16, &count, &error), &error);
    CHECK(count == (i + 2 < 16 ? (size_t)i + 2 : 16));
    CHECK(transitions[count - 1].flags == (i % 2 ? ACTIVE : NOT_VISIBLE));
    CHECK(transitions[count - 1].previous_flags == (i % 2 ? NOT_VISIBLE : ACTIVE));
    CHECK(transitions[count - 1].status == ALD_STATUS_OK && transitions[count - 1].time_ns >= transitions[0].time_ns);
  }
  CHECK(state_of(stage.view, layer).change_count == 20 && state_of(stage.view, layer).since_s >= 0);
  CHECK_STATUS(ald_view_get_layer_state_history(stage.view, layer, transitions, 15, &count, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(count == 16);
  ald_map_remove_layer(stage.map, layer, &error);
  ald_layer_release(layer);
}

static void test_statuses(void) {
  char text[64];
  size_t size;
  ald_layer_view_flags flags;
  CHECK_OK(ald_layer_view_flags_get_text(ACTIVE | ALD_LAYER_VIEW_WARNING, text, sizeof text, &size, &error), &error);
  CHECK(is_text(text, "active, with a warning") && size == 23);
  CHECK_STATUS(ald_layer_view_flags_get_text(64, text, sizeof text, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_layer_view_flags_get_text(0, text, 3, NULL, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_OK(ald_layer_set_text(stage.layer, ALD_LAYER_TEXT_KIND_ATTRIBUTION, "USGS", &error), &error);
  CHECK_OK(ald_view_get_attribution(stage.view, text, sizeof text, NULL, &error), &error);
  CHECK(is_text(text, "USGS"));
  CHECK_STATUS(ald_view_get_attribution(stage.view, text, 4, NULL, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_STATUS(ald_view_get_attribution(stage.view, NULL, 0, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_view_get_layer_states(stage.view, NULL, 0, NULL, &error), &error);
  CHECK_STATUS(ald_view_get_layer_states(stage.view, NULL, 1, &flags, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_view_get_layer_states(stage.view, &stage.layer, 1, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  /* Refused before the array is looked at. */
  CHECK_STATUS(ald_view_get_layer_states(stage.view, &stage.layer, (1 << 26) + 1, &flags, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_view_get_layer_states(stage.view, &(ald_layer){0}, 1, &flags, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_view_get_layer_state(stage.view, stage.layer, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
}

int main(int argc, char **argv) {
  if (argc < 2 || !make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif")))
    return finish();
  test_the_range();
  test_coalescing();
  test_groups();
  test_two_views();
  test_history();
  test_statuses();
  test_a_host_that_never_looks();
  release_scene(&stage);
  return finish();
}

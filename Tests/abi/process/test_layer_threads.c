/* Trees of layers and their states while several threads change, move and read them at once: the events add up to
 * what is read in the end, no ring of groups comes about, and nothing is left over. */
#include "scene.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { LAYERS = 8, ROUNDS = 400 };

static scene stage;
static ald_layer layers[LAYERS], groups[2];
static ald_view other;
static atomic_int failures, is_over;
/* What the events say of each layer in each view; kept by the thread that drains. */
static ald_layer_view_flags told[2][LAYERS];
static int drained, lost;

static void expect(int holds) {
  if (!holds)
    atomic_fetch_add(&failures, 1);
}

static void *change(void *context) {
  const unsigned seed = *(const unsigned *)context;
  for (unsigned i = 0; i < ROUNDS; i++) {
    const ald_layer layer = layers[(i * seed + seed) % LAYERS], group = groups[i % 2];
    expect(ald_layer_set_visible(layer, i % 3 != 0, NULL) == ALD_STATUS_OK);
    expect(ald_layer_set_visible(group, i % 5 != 0, NULL) == ALD_STATUS_OK);
    expect(ald_layer_set_scale_range(layer, i % 7 == 0 ? 50000 : 0, 0, NULL) == ALD_STATUS_OK);
    /* Into a group, out of it, into the map: whoever comes too late gets an error. */
    ald_group_layer_remove_layer(groups[0], layer, NULL);
    ald_group_layer_remove_layer(groups[1], layer, NULL);
    ald_group_layer_insert_layer(group, layer, 0, NULL);
    if (i % 4 == seed % 4) {
      ald_group_layer_remove_layer(group, layer, NULL);
      ald_map_add_basemap_layer(stage.map, layer, NULL);
      ald_map_remove_layer(stage.map, layer, NULL);
      ald_map_insert_layer(stage.map, layer, 0, NULL);
      ald_map_remove_layer(stage.map, layer, NULL);
    }
    /* Groups into each other, from two threads in two orders. */
    ald_map_remove_layer(stage.map, groups[seed % 2], NULL);
    ald_group_layer_add_layer(groups[1 - seed % 2], groups[seed % 2], NULL);
    ald_group_layer_remove_layer(groups[1 - seed % 2], groups[seed % 2], NULL);
    ald_map_add_layer(stage.map, groups[seed % 2], NULL);
  }
  return NULL;
}

static void *move(void *unused) {
  (void)unused;
  for (int i = 0; !atomic_load(&is_over); i++) {
    expect(ald_view_set_scale(stage.view, i % 2 ? 40000 : 60000, NULL) == ALD_STATUS_OK);
    expect(ald_view_set_scale(other, i % 3 ? 40000 : 60000, NULL) == ALD_STATUS_OK);
  }
  return NULL;
}

static void *read_states(void *unused) {
  ald_layer_view_state state = ALD_LAYER_VIEW_STATE_INIT;
  ald_layer_view_flags flags[LAYERS];
  ald_layer_view_transition transitions[16];
  ald_layer_info info = ALD_LAYER_INFO_INIT;
  size_t count;
  (void)unused;
  for (int i = 0; !atomic_load(&is_over); i++) {
    const ald_layer layer = layers[i % LAYERS];
    expect(ald_view_get_layer_state(stage.view, layer, &state, NULL) == ALD_STATUS_OK);
    expect((state.flags & ALD_LAYER_VIEW_ACTIVE) == 0 || state.flags == ALD_LAYER_VIEW_ACTIVE);
    expect(ald_view_get_layer_states(other, layers, LAYERS, flags, NULL) == ALD_STATUS_OK);
    expect(ald_view_get_layer_state_history(stage.view, layer, transitions, 16, &count, NULL) == ALD_STATUS_OK);
    for (size_t j = 1; j < count; j++)
      expect(transitions[j].previous_flags == transitions[j - 1].flags);
    expect(ald_layer_get_info(layer, &info, NULL) == ALD_STATUS_OK && info.depth <= 2);
  }
  return NULL;
}

static void drain(void) {
  ald_event events[32];
  size_t count = 32;
  while (count == 32) {
    expect(ald_runtime_poll_events(stage.runtime, events, 32, &count, NULL) == ALD_STATUS_OK);
    for (size_t i = 0; i < count; i++) {
      if (events[i].kind != ALD_EVENT_KIND_LAYER_VIEW_STATE_CHANGED)
        continue;
      for (int j = 0; j < LAYERS; j++)
        if (layers[j].id == events[i].layer.id) {
          ald_layer_view_flags *known = &told[events[i].view.id == other.id][j];
          lost += *known != events[i].previous_layer_view_state;
          *known = events[i].layer_view_state;
          drained++;
        }
    }
  }
}

static void *drain_all(void *unused) {
  (void)unused;
  while (!atomic_load(&is_over))
    drain();
  return NULL;
}

int main(int argc, char **argv) {
  ald_error error;
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  pthread_t changing[2], others[3];
  unsigned seeds[2] = {1, 2};
  if (argc < 2 || !make_scene(&stage, raster_path(argv, "red.tif")))
    return finish();
  options.width_dip = options.height_dip = 100;
  CHECK_OK(ald_view_create(stage.map, &options, &other, &error), &error);
  CHECK_OK(ald_view_set_scale(other, 40000, &error), &error);
  for (int i = 0; i < 2; i++)
    CHECK_OK(ald_group_layer_create(stage.runtime, &groups[i], &error), &error);
  for (int i = 0; i < LAYERS; i++)
    CHECK_OK(ald_raster_layer_create(stage.raster, &layers[i], &error), &error);
  const uint64_t before = live_handles(stage.runtime);
  CHECK(pthread_create(&others[0], NULL, move, NULL) == 0);
  CHECK(pthread_create(&others[1], NULL, read_states, NULL) == 0);
  CHECK(pthread_create(&others[2], NULL, drain_all, NULL) == 0);
  for (int i = 0; i < 2; i++)
    CHECK(pthread_create(&changing[i], NULL, change, &seeds[i]) == 0);
  for (int i = 0; i < 2; i++)
    pthread_join(changing[i], NULL);
  atomic_store(&is_over, 1);
  for (int i = 0; i < 3; i++)
    pthread_join(others[i], NULL);
  CHECK(atomic_load(&failures) == 0);
  drain();
  CHECK(drained > 0 && lost == 0);
  /* The events and what is read say the same. */
  const ald_view views[2] = {stage.view, other};
  for (int v = 0; v < 2; v++) {
    ald_layer_view_flags flags[LAYERS];
    CHECK_OK(ald_view_get_layer_states(views[v], layers, LAYERS, flags, &error), &error);
    CHECK(memcmp(flags, told[v], sizeof flags) == 0);
  }
  CHECK(live_handles(stage.runtime) == before);
  for (int i = 0; i < LAYERS; i++)
    ald_layer_release(layers[i]);
  for (int i = 0; i < 2; i++)
    ald_layer_release(groups[i]);
  ald_view_release(other);
  release_scene(&stage);
  return finish();
}

/* The text of a spatial reference. The first byte says where the points lie that are projected with it. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const drivers[] = {"GTiff", NULL};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  fuzz_start(drivers);
  return 0;
}

/* Points whose images are NaN if and only if their status says so. */
static void project(ald_spatial_reference from, ald_spatial_reference to, double size) {
  enum { COUNT = 5 };
  ald_error error;
  const double xy[2 * COUNT] = {0, 0, size, size / 2, -size, -size / 2, size * 2, size, 1e300, NAN};
  double images[2 * COUNT];
  ald_point_status statuses[COUNT];
  if (!fuzz_ok(ald_spatial_reference_project_points(from, to, xy, 0, COUNT, images, 0, statuses, &error), &error))
    return;
  for (int i = 0; i < COUNT; i++) {
    const int is_failed = statuses[i] == ALD_POINT_STATUS_FAILED;
    FUZZ_REQUIRE(is_failed == isnan(images[2 * i]) && is_failed == isnan(images[2 * i + 1]));
    FUZZ_REQUIRE(!isinf(images[2 * i]) && !isinf(images[2 * i + 1]));
  }
  ald_projection_info info = ALD_PROJECTION_INFO_INIT;
  if (fuzz_ok(ald_spatial_reference_get_projection_info(from, to, (ald_point){size / 9, size / 7}, &info, &error),
              &error)) {
    FUZZ_REQUIRE(memchr(info.name, 0, sizeof info.name));
    fuzz_text(info.name);
  }
}

static void view(ald_spatial_reference reference) {
  ald_error error;
  ald_map map;
  ald_view view;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  size.width_dip = size.height_dip = 100;
  if (!fuzz_ok(ald_map_create(fuzz_runtime, reference, &map, &error), &error))
    return;
  fuzz_ok(ald_map_set_initial_location(map, 47, 11, 1e6, &error), &error);
  if (fuzz_ok(ald_view_create(map, &size, &view, &error), &error)) {
    fuzz_ok(ald_view_set_center(view, (ald_point){1e6, 1e6}, reference, &error), &error);
    fuzz_ok(ald_view_set_scale(view, 1e4, &error), &error);
    fuzz_ok(ald_view_get_state(view, &state, &error), &error);
    ald_view_release(view);
  }
  ald_map_release(map);
}

static void use(ald_spatial_reference reference, const char *text, double size) {
  ald_error error;
  ald_spatial_reference again;
  uint32_t is_equal = 0;
  fuzz_spatial_reference(reference);
  FUZZ_REQUIRE(ald_spatial_reference_create_from_wkt(fuzz_runtime, text, &again, &error) == ALD_STATUS_OK);
  FUZZ_REQUIRE(ald_spatial_reference_equals(reference, again, &is_equal, &error) == ALD_STATUS_OK && is_equal);
  ald_spatial_reference_release(again);
  fuzz_ok(ald_spatial_reference_equals(reference, fuzz_geographic, &is_equal, &error), &error);
  project(reference, fuzz_geographic, size);
  project(fuzz_geographic, reference, size);
  view(reference);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ald_error error;
  ald_spatial_reference reference;
  if (size == 0)
    return -1;
  char *text = fuzz_string(data + 1, size - 1);
  fuzz_begin();
  if (fuzz_ok(ald_spatial_reference_create_from_wkt(fuzz_runtime, text, &reference, &error), &error)) {
    use(reference, text, pow(10, data[0] % 9));
    ald_spatial_reference_release(reference);
  }
  /* The same text as an authority's name. */
  if (fuzz_ok(ald_spatial_reference_create_from_code(fuzz_runtime, text, data[0] * 257, &reference, &error), &error)) {
    fuzz_spatial_reference(reference);
    ald_spatial_reference_release(reference);
  }
  fuzz_end();
  free(text);
  return 0;
}

/* Any text that means a spatial reference or a transformation: codes, WKT 1 and 2, PROJJSON, PROJ strings. */
#include "fuzz.h"

#include <stdlib.h>

static const char *const drivers[] = {"GTiff", NULL};

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  fuzz_start(drivers);
  return 0;
}

/* Writes a spatial reference in every form, and reads each again. */
static void use_reference(ald_spatial_reference reference) {
  static const ald_spatial_reference_format formats[] = {
      ALD_SPATIAL_REFERENCE_FORMAT_WKT2_2019,   ALD_SPATIAL_REFERENCE_FORMAT_WKT1_GDAL,
      ALD_SPATIAL_REFERENCE_FORMAT_WKT1_ESRI,   ALD_SPATIAL_REFERENCE_FORMAT_PROJJSON,
      ALD_SPATIAL_REFERENCE_FORMAT_PROJ_STRING,
  };
  ald_error error;
  fuzz_spatial_reference(reference);
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
    size_t size = 0;
    if (!fuzz_ok(ald_spatial_reference_get_text(reference, formats[i], NULL, 0, &size, &error), &error))
      continue;
    char *text = malloc(size);
    FUZZ_REQUIRE(ald_spatial_reference_get_text(reference, formats[i], text, size, NULL, &error) == ALD_STATUS_OK);
    fuzz_text(text);
    ald_spatial_reference again;
    if (fuzz_ok(ald_spatial_reference_create(fuzz_runtime, text, &again, &error), &error))
      ald_spatial_reference_release(again);
    free(text);
  }
}

static void use_transformation(ald_transformation transformation) {
  ald_error error;
  ald_transformation_info info = ALD_TRANSFORMATION_INFO_INIT;
  if (!fuzz_ok(ald_transformation_get_info(transformation, &info, &error), &error))
    return;
  fuzz_text(info.name);
  fuzz_text(info.area_name);
  for (uint32_t i = 0; i < info.step_count; i++) {
    ald_transformation_step step = ALD_TRANSFORMATION_STEP_INIT;
    ald_transformation_grid grid = ALD_TRANSFORMATION_GRID_INIT;
    FUZZ_REQUIRE(ald_transformation_get_step_at(transformation, i, &step, &error) == ALD_STATUS_OK);
    fuzz_text(step.method);
    for (uint32_t k = 0; k < step.grid_count; k++)
      FUZZ_REQUIRE(ald_transformation_get_grid_at(transformation, i, k, &grid, &error) == ALD_STATUS_OK);
  }
  ald_transformation back;
  uint32_t is_equal = 0;
  if (fuzz_ok(ald_transformation_create_inverse(transformation, &back, &error), &error)) {
    fuzz_ok(ald_transformation_equals(transformation, back, &is_equal, &error), &error);
    ald_transformation_release(back);
  }
  fuzz_ok(ald_transformation_equals(transformation, transformation, &is_equal, &error), &error);
  FUZZ_REQUIRE(is_equal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ald_error error;
  ald_spatial_reference reference;
  ald_transformation transformation;
  char *text = fuzz_string(data, size);
  fuzz_begin();
  if (fuzz_ok(ald_spatial_reference_create(fuzz_runtime, text, &reference, &error), &error)) {
    use_reference(reference);
    ald_spatial_reference_release(reference);
  }
  if (fuzz_ok(ald_transformation_create(fuzz_runtime, text, &transformation, &error), &error)) {
    use_transformation(transformation);
    ald_transformation_release(transformation);
  }
  fuzz_end();
  free(text);
  return 0;
}

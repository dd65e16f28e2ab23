/* Heights as a C host asks for them: into the vertices that they are for, and what is refused. */
#include "scene.h"

#include <math.h>

static ald_runtime runtime;
static ald_spatial_reference plane;
static const ald_spatial_reference none = {0};

static ald_coordinates columns(const double *xyz, size_t count, size_t stride) {
  ald_coordinates coordinates = ALD_COORDINATES_INIT;
  coordinates.count = count;
  coordinates.x = xyz;
  coordinates.y = xyz + 1;
  coordinates.z = xyz + 2;
  coordinates.stride_bytes = stride;
  return coordinates;
}

static void test_heights(char **argv) {
  enum { COUNT = 4 };
  ald_error error;
  ald_raster raster = {0};
  ald_raster_info facts = ALD_RASTER_INFO_INIT;
  ald_height_info info = ALD_HEIGHT_INFO_INIT;
  ald_height_options options = ALD_HEIGHT_OPTIONS_INIT;
  ald_sampling_options bilinear = ALD_SAMPLING_OPTIONS_INIT;
  ald_projection_receipt receipt = {1};
  double vertices[4 * COUNT], values[COUNT];
  uint8_t verdicts[COUNT];
  CHECK_OK(ald_raster_open(runtime, raster_path(argv, "Shasta_Elevation.tif"), NULL, &raster, &error), &error);
  CHECK_OK(ald_raster_get_info(raster, &facts, &error), &error);
  for (int i = 0; i < COUNT; i++) {
    vertices[4 * i] = facts.extent.x_min + 103.7 * (i + 1);
    vertices[4 * i + 1] = facts.extent.y_min + 207.3 * (i + 1);
    vertices[4 * i + 2] = vertices[4 * i + 3] = 7;
  }
  vertices[12] = facts.extent.x_max + 1;
  const ald_coordinates in = columns(vertices, COUNT, 32);
  bilinear.interpolation = ALD_INTERPOLATION_BILINEAR;
  CHECK_OK(ald_raster_read_samples(raster, none, 1, vertices, 32, COUNT, &bilinear, values, NULL, &error), &error);
  CHECK_OK(ald_raster_read_heights(raster, none, NULL, &in, vertices + 2, 32, verdicts, &info, &receipt, &error),
           &error);
  for (int i = 0; i < COUNT - 1; i++)
    CHECK(vertices[4 * i + 2] == values[i] && verdicts[i] == ALD_CELL_VERDICT_VALUE && vertices[4 * i + 3] == 7);
  CHECK(isnan(vertices[14]) && verdicts[3] == ALD_CELL_VERDICT_OUTSIDE && receipt.id == 0);
  CHECK(info.point_count == COUNT && info.failed_count == 1 && info.metres_per_unit == 1);

  CHECK_STATUS(ald_raster_read_heights((ald_raster){0}, none, NULL, &in, values, 0, NULL, NULL, NULL, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_raster_read_heights(raster, none, NULL, &in, NULL, 0, NULL, NULL, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_raster_read_heights(raster, none, NULL, &in, values, 4, NULL, NULL, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 6);
  CHECK_STATUS(ald_raster_read_heights(raster, plane, NULL, &in, values, 0, NULL, NULL, NULL, &error),
               ALD_STATUS_PROJECTION_FAILED);
  const ald_coordinates many = columns(vertices, 101, 32);
  CHECK_STATUS(ald_raster_read_heights(raster, none, NULL, &many, values, 0, NULL, NULL, NULL, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  options.project_flags = ALD_PROJECT_INVERSE;
  CHECK_STATUS(ald_raster_read_heights(raster, none, &options, &in, values, 0, NULL, NULL, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  options.project_flags = 0;
  options.band = 2;
  CHECK_STATUS(ald_raster_read_heights(raster, none, &options, &in, values, 0, NULL, NULL, NULL, &error),
               ALD_STATUS_NOT_FOUND);
  ald_raster_release(raster);
  CHECK_OK(ald_raster_open(runtime, raster_path(argv, "RGB.byte.gcp.vrt"), NULL, &raster, &error), &error);
  CHECK_STATUS(ald_raster_read_heights(raster, none, NULL, &in, values, 0, NULL, NULL, NULL, &error),
               ALD_STATUS_UNSUPPORTED);
  ald_raster_release(raster);
}

int main(int argc, char **argv) {
  ald_error error;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  ald_policy policy = ALD_POLICY_INIT;
  (void)argc;
  policy.max_request_points = 100;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  CHECK_OK(ald_spatial_reference_create(runtime, "LOCAL_CS[\"plane\",UNIT[\"metre\",1]]", &plane, &error), &error);
  test_heights(argv);
  ald_runtime_release(runtime);
  return finish();
}

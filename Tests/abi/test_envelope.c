/* Projected envelopes as a C host sees them: flags, what is refused, and what a failure leaves alone. */
#include "check.h"
#include "scene.h"

#include <math.h>

static scene stage;
static ald_spatial_reference degrees, zone;

static ald_envelope box(double x_min, double y_min, double x_max, double y_max) {
  return (ald_envelope){x_min, y_min, x_max, y_max};
}

/* Over the antimeridian and back. */
static void test_crossing(void) {
  ald_error error;
  ald_projected_envelope there = ALD_PROJECTED_ENVELOPE_INIT, back = ALD_PROJECTED_ENVELOPE_INIT;
  CHECK_OK(ald_project_envelope(degrees, stage.spatial_reference, box(170, -10, -170, 10), &there, &error), &error);
  CHECK(there.flags == ALD_ENVELOPE_CROSSES_ANTIMERIDIAN && there.envelope.x_min > there.envelope.x_max);
  CHECK_OK(ald_project_envelope(stage.spatial_reference, degrees, there.envelope, &back, &error), &error);
  CHECK(back.flags == ALD_ENVELOPE_CROSSES_ANTIMERIDIAN);
  CHECK(fabs(back.envelope.x_min - 170) < 1e-9 && fabs(back.envelope.x_max + 170) < 1e-9);
  CHECK(fabs(back.envelope.y_min + 10) < 1e-9 && fabs(back.envelope.y_max - 10) < 1e-9);
}

static void test_partial(void) {
  ald_error error;
  ald_projected_envelope world = ALD_PROJECTED_ENVELOPE_INIT;
  CHECK_OK(ald_project_envelope(degrees, stage.spatial_reference, box(-180, -90, 180, 90), &world, &error), &error);
  CHECK(world.flags == (ALD_ENVELOPE_PARTIAL | ALD_ENVELOPE_HOLDS_NORTH_POLE | ALD_ENVELOPE_HOLDS_SOUTH_POLE));
  CHECK(fabs(world.envelope.y_max - 20037508.342789244) < 1e-6);
}

static void test_refusals(void) {
  ald_error error;
  ald_runtime other;
  ald_spatial_reference foreign, local;
  ald_projected_envelope out = ALD_PROJECTED_ENVELOPE_INIT, untouched = ALD_PROJECTED_ENVELOPE_INIT;
  const ald_spatial_reference mercator = stage.spatial_reference;
  CHECK_STATUS(ald_project_envelope(degrees, mercator, box(0, 1, 1, 0), &out, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 3);
  CHECK_STATUS(ald_project_envelope(degrees, mercator, box(NAN, 0, 1, 1), &out, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_project_envelope(zone, mercator, box(2, 0, 1, 1), &out, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_project_envelope(degrees, mercator, box(9, 0, -999, 1), &out, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_project_envelope(degrees, mercator, box(0, 0, 1, 1), NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_project_envelope((ald_spatial_reference){0}, mercator, box(0, 0, 1, 1), &out, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_project_envelope(degrees, mercator, box(0, 90, 1, 90), &out, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK_OK(
      ald_spatial_reference_create_from_wkt(stage.runtime, "LOCAL_CS[\"plane\",UNIT[\"metre\",1]]", &local, &error),
      &error);
  CHECK_STATUS(ald_project_envelope(local, degrees, box(0, 0, 1, 1), &out, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_project_envelope(degrees, local, box(0, 0, 1, 1), &out, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK_OK(ald_runtime_create(NULL, &other, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(other, NULL, 3857, &foreign, &error), &error);
  CHECK_STATUS(ald_project_envelope(degrees, foreign, box(0, 0, 1, 1), &out, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(out.flags == untouched.flags && out.envelope.x_min == 0 && out.envelope.x_max == 0);
  ald_runtime_release(other);
  ald_spatial_reference_release(local);
}

int main(int argc, char **argv) {
  ald_error error;
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    CHECK_OK(ald_spatial_reference_create_from_code(stage.runtime, NULL, 4326, &degrees, &error), &error);
    CHECK_OK(ald_spatial_reference_create_from_code(stage.runtime, NULL, 32632, &zone, &error), &error);
    test_crossing();
    test_partial();
    test_refusals();
    ald_spatial_reference_release(zone);
    ald_spatial_reference_release(degrees);
    release_scene(&stage);
    ald_runtime_release(stage.runtime);
  }
  return finish();
}

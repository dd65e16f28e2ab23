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
  CHECK_OK(ald_spatial_reference_project_envelope(degrees, stage.spatial_reference, NULL, box(170, -10, -170, 10),
                                                  &there, &error),
           &error);
  CHECK(there.flags == ALD_PROJECTED_ENVELOPE_CROSSES_ANTIMERIDIAN && there.envelope.x_min > there.envelope.x_max);
  CHECK_OK(
      ald_spatial_reference_project_envelope(stage.spatial_reference, degrees, NULL, there.envelope, &back, &error),
      &error);
  CHECK(back.flags == ALD_PROJECTED_ENVELOPE_CROSSES_ANTIMERIDIAN);
  CHECK(fabs(back.envelope.x_min - 170) < 1e-9 && fabs(back.envelope.x_max + 170) < 1e-9);
  CHECK(fabs(back.envelope.y_min + 10) < 1e-9 && fabs(back.envelope.y_max - 10) < 1e-9);
}

static void test_partial(void) {
  ald_error error;
  ald_projected_envelope world = ALD_PROJECTED_ENVELOPE_INIT;
  CHECK_OK(ald_spatial_reference_project_envelope(degrees, stage.spatial_reference, NULL, box(-180, -90, 180, 90),
                                                  &world, &error),
           &error);
  CHECK(world.flags == (ALD_PROJECTED_ENVELOPE_PARTIAL | ALD_PROJECTED_ENVELOPE_HOLDS_NORTH_POLE |
                        ALD_PROJECTED_ENVELOPE_HOLDS_SOUTH_POLE));
  CHECK(fabs(world.envelope.y_max - 20037508.342789244) < 1e-6);
}

static void test_refusals(void) {
  ald_error error;
  ald_runtime other;
  ald_spatial_reference foreign, local;
  ald_projected_envelope out = ALD_PROJECTED_ENVELOPE_INIT, untouched = ALD_PROJECTED_ENVELOPE_INIT;
  const ald_spatial_reference mercator = stage.spatial_reference;
  CHECK_STATUS(ald_spatial_reference_project_envelope(degrees, mercator, NULL, box(0, 1, 1, 0), &out, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 4);
  CHECK_STATUS(ald_spatial_reference_project_envelope(degrees, mercator, NULL, box(NAN, 0, 1, 1), &out, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_spatial_reference_project_envelope(zone, mercator, NULL, box(2, 0, 1, 1), &out, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_spatial_reference_project_envelope(degrees, mercator, NULL, box(9, 0, -999, 1), &out, NULL),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_spatial_reference_project_envelope(degrees, mercator, NULL, box(0, 0, 1, 1), NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(
      ald_spatial_reference_project_envelope((ald_spatial_reference){0}, mercator, NULL, box(0, 0, 1, 1), &out, &error),
      ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_spatial_reference_project_envelope(degrees, mercator, NULL, box(0, 90, 1, 90), &out, &error),
               ALD_STATUS_PROJECTION_FAILED);
  CHECK_OK(
      ald_spatial_reference_create_from_wkt(stage.runtime, "LOCAL_CS[\"plane\",UNIT[\"metre\",1]]", &local, &error),
      &error);
  CHECK_STATUS(ald_spatial_reference_project_envelope(local, degrees, NULL, box(0, 0, 1, 1), &out, &error),
               ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_spatial_reference_project_envelope(degrees, local, NULL, box(0, 0, 1, 1), &out, &error),
               ALD_STATUS_PROJECTION_FAILED);
  CHECK_OK(ald_runtime_create(NULL, &other, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(other, NULL, 3857, &foreign, &error), &error);
  CHECK_STATUS(ald_spatial_reference_project_envelope(degrees, foreign, NULL, box(0, 0, 1, 1), &out, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(out.flags == untouched.flags && out.envelope.x_min == 0 && out.envelope.x_max == 0);
  ald_runtime_release(other);
  ald_spatial_reference_release(local);
}

static ald_transformation transformation(const char *code) {
  ald_error error;
  ald_transformation made = {0};
  CHECK_OK(ald_transformation_create_from_code(stage.runtime, NULL, code, &made, &error), &error);
  return made;
}

/* With a chosen transformation the box is where that one puts its corners, and not where the default does. */
static void test_options(void) {
  ald_error error;
  ald_spatial_reference british;
  ald_projection_options options = ALD_PROJECTION_OPTIONS_INIT;
  ald_projected_envelope best = ALD_PROJECTED_ENVELOPE_INIT, chosen = best;
  const ald_envelope area = box(-1, 51, 1, 52);
  const double x[2] = {-1, 1}, y[2] = {51, 52};
  double u[2], v[2];
  ald_coordinates corners = ALD_COORDINATES_INIT;
  ald_projected_coordinates images = ALD_PROJECTED_COORDINATES_INIT;
  corners.count = 2;
  corners.x = x, corners.y = y;
  images.x = u, images.y = v;
  CHECK_OK(ald_spatial_reference_create(stage.runtime, "EPSG:4277", &british, &error), &error);
  CHECK_OK(ald_spatial_reference_project_envelope(british, stage.spatial_reference, NULL, area, &best, &error), &error);
  options.transformation = transformation("1195"); /* OSGB36 to WGS 84 (1) */
  CHECK_OK(ald_spatial_reference_project_envelope(british, stage.spatial_reference, &options, area, &chosen, &error),
           &error);
  CHECK_OK(ald_spatial_reference_project_coordinates(british, stage.spatial_reference, &options, &corners, &images,
                                                     NULL, NULL, NULL, &error),
           &error);
  CHECK(fabs(chosen.envelope.y_min - best.envelope.y_min) > 1);
  CHECK(chosen.flags == 0 && chosen.envelope.x_min <= u[0] && chosen.envelope.x_max >= u[1]);
  CHECK(chosen.envelope.y_min <= v[0] && chosen.envelope.y_max >= v[1]);
  CHECK(fabs(chosen.envelope.x_min - u[0]) < 20 && fabs(chosen.envelope.y_max - v[1]) < 20);
  options.flags = ALD_PROJECT_INVERSE;
  CHECK_STATUS(
      ald_spatial_reference_project_envelope(british, stage.spatial_reference, &options, area, &chosen, &error),
      ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_spatial_reference_project_envelope(stage.spatial_reference, british, &options, chosen.envelope, &best,
                                                  &error),
           &error);
  CHECK(fabs(best.envelope.x_min + 1) < 1e-3 && fabs(best.envelope.y_max - 52) < 1e-3);
  ald_transformation_release(options.transformation);

  options.flags = 0;
  options.transformation = transformation("7710"); /* OSTN15, whose grid is not among Debian's */
  CHECK_STATUS(
      ald_spatial_reference_project_envelope(british, stage.spatial_reference, &options, area, &chosen, &error),
      ALD_STATUS_MISSING_GRID);
  ald_transformation_release(options.transformation);
  options.transformation = transformation("7960"); /* a method that PROJ does not have */
  CHECK_STATUS(
      ald_spatial_reference_project_envelope(british, stage.spatial_reference, &options, area, &chosen, &error),
      ALD_STATUS_UNSUPPORTED);
  ald_transformation_release(options.transformation);

  /* OSGB36 lies in Britain alone: elsewhere there are but ballpark operations, and what is refused is left out. */
  options.transformation.id = 0;
  options.flags = ALD_PROJECT_STRICT;
  CHECK_OK(ald_spatial_reference_project_envelope(british, stage.spatial_reference, &options, area, &chosen, &error),
           &error);
  CHECK(chosen.flags == 0);
  CHECK_STATUS(ald_spatial_reference_project_envelope(british, stage.spatial_reference, &options, box(100, 0, 101, 1),
                                                      &chosen, &error),
               ALD_STATUS_PROJECTION_FAILED);
  ald_spatial_reference_release(british);

  /* With one operation alone, and that a ballpark one, nothing is left. */
  ald_spatial_reference airy;
  CHECK_OK(ald_spatial_reference_create(stage.runtime, "+proj=longlat +ellps=airy +type=crs", &airy, &error), &error);
  CHECK_OK(ald_spatial_reference_project_envelope(degrees, airy, NULL, area, &chosen, &error), &error);
  CHECK_STATUS(ald_spatial_reference_project_envelope(degrees, airy, &options, area, &chosen, &error),
               ALD_STATUS_PROJECTION_FAILED);
  ald_spatial_reference_release(airy);
}

int main(int argc, char **argv) {
  ald_error error;
  if (argc == 2 && make_scene(&stage, raster_path(argv, "Shasta_Elevation.tif"))) {
    CHECK_OK(ald_spatial_reference_create_from_code(stage.runtime, NULL, 4326, &degrees, &error), &error);
    CHECK_OK(ald_spatial_reference_create_from_code(stage.runtime, NULL, 32632, &zone, &error), &error);
    test_crossing();
    test_partial();
    test_refusals();
    test_options();
    ald_spatial_reference_release(zone);
    ald_spatial_reference_release(degrees);
    release_scene(&stage);
    ald_runtime_release(stage.runtime);
  }
  return finish();
}

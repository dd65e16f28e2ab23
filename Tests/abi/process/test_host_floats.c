/* A host thread rounds in another direction, or has floating-point exceptions end the process: results are right, and
   afterwards the thread's mode is as before. The library's own threads begin in the default mode. */
#include "check.h"

#include <alidade.h>
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RINGS = 20, CORNERS = 2000 };

static ald_runtime make_runtime(void) {
  ald_error error;
  ald_runtime runtime = {0};
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  /* With a limit on the time, GEOS works on threads of the library. */
  policy.max_request_ms = 60000;
  options.policy = &policy;
  options.thread_count = 2;
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  return runtime;
}

static ald_geometry make_ring(ald_runtime runtime, double (*corners)[2]) {
  ald_error error;
  ald_geometry ring = {0};
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.kind = ALD_GEOMETRY_KIND_POLYGON;
  columns.vertex_count = CORNERS + 1;
  columns.xy = corners[0];
  CHECK_OK(ald_geometry_create(runtime, &columns, (ald_spatial_reference){0}, &ring, &error), &error);
  return ring;
}

/* How many polygons are not equal to themselves. The corners were computed before, in the default mode. */
static int wrong_relations(ald_runtime runtime, double (*rings)[CORNERS + 1][2]) {
  int wrong = 0;
  for (int i = 0; i < RINGS; i++) {
    char matrix[10] = "";
    ald_error error;
    const ald_geometry a = make_ring(runtime, rings[i]), b = make_ring(runtime, rings[i]);
    CHECK_OK(ald_geometry_relate(a, b, matrix, NULL, &error), &error);
    wrong += strcmp(matrix, "2FFF1FFF2") != 0;
    ald_geometry_release(a);
    ald_geometry_release(b);
  }
  return wrong;
}

static void test_rounding(double (*rings)[CORNERS + 1][2]) {
  static const int modes[] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  for (int i = 0; i < 3; i++) {
    ald_runtime runtime = make_runtime();
    CHECK(fesetround(modes[i]) == 0);
    CHECK(wrong_relations(runtime, rings) == 0);
    CHECK(fegetround() == modes[i]);
    CHECK(fesetround(FE_TONEAREST) == 0);
    /* Threads that began meanwhile. */
    CHECK(wrong_relations(runtime, rings) == 0);
    ald_runtime_release(runtime);
  }
}

/* On its central meridian, a point of UTM's zone 32 has the easting 500,000 m, and on the equator the northing 0. */
static void test_traps(void) {
  static const double places[4][2] = {{9, 0}, {9, 50}, {15, 49}, {INFINITY, NAN}};
  double out[4][2];
  ald_point_status statuses[4];
  ald_error error;
  ald_spatial_reference degrees, zone;
  feclearexcept(FE_ALL_EXCEPT);
  CHECK(feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW) != -1);
  ald_runtime runtime = make_runtime();
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, NULL, 4326, &degrees, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, NULL, 32632, &zone, &error), &error);
  CHECK_OK(ald_spatial_reference_project_points(degrees, zone, places[0], 0, 4, out[0], 0, statuses, &error), &error);
  CHECK(fegetexcept() == (FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW));
  CHECK(fetestexcept(FE_ALL_EXCEPT) == 0);
  fedisableexcept(FE_ALL_EXCEPT);
  CHECK(out[0][0] == 500000 && fabs(out[0][1]) < 1e-9);
  CHECK(out[1][0] == 500000 && statuses[2] == ALD_POINT_STATUS_OK && statuses[3] != ALD_POINT_STATUS_OK);
  ald_runtime_release(runtime);
}

int main(void) {
  static double rings[RINGS][CORNERS + 1][2];
  for (int i = 0; i < RINGS; i++)
    for (int k = 0; k <= CORNERS; k++) {
      const double angle = 2 * acos(-1) * (k % CORNERS) / CORNERS + i * 0.01;
      rings[i][k][0] = 9 + 0.7 * cos(angle) * (1 + 0.2 * sin(7 * angle));
      rings[i][k][1] = 50 + 0.7 * sin(angle);
    }
  test_rounding(rings);
  test_traps();
  return finish();
}

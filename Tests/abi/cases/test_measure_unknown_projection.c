/* Measures on the earth of what lies in a projection that PROJ has no formulas for. */
#include "scene.h"

#include <math.h>

static const char UNKNOWN_PROJECTION[] =
    "PROJCS[\"p\",GEOGCS[\"g\",DATUM[\"d\",SPHEROID[\"s\",6378137,298.257223563]],PRIMEM[\"Greenwich\",0],"
    "UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Nobody_Knows\"],UNIT[\"metre\",1]]";

static void test_ways(ald_spatial_reference unknown) {
  static const double xy[2] = {0, 0}, one[1] = {1};
  double distance = 0, end[2] = {0, 0}, circle[8];
  CHECK_STATUS(ald_spatial_reference_geodesic_inverse(unknown, 0, xy, 0, xy, 0, 1, &distance, NULL, NULL, NULL),
               ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_spatial_reference_fill_geodesic_circles(unknown, xy, 0, 1, one, 1, 4, circle, 0, 4, NULL),
               ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_spatial_reference_geodesic_direct(unknown, 0, xy, 0, one, one, 1, end, 0, NULL, NULL),
               ALD_STATUS_PROJECTION_FAILED);
}

static void test_measures(ald_runtime runtime, ald_spatial_reference unknown) {
  ald_error error;
  ald_geometry polygon;
  ald_geometry_array polygons;
  ald_measure_options planar = ALD_MEASURE_OPTIONS_INIT, earth = ALD_MEASURE_OPTIONS_INIT;
  earth.kind = ALD_MEASURE_KIND_GEODESIC;
  static const char text[] = "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[2,0],[2,3],[0,0]]]}";
  if (!CHECK_OK(ald_geometry_create_from_geojson(runtime, text, unknown, &polygon, &error), &error) ||
      !CHECK_OK(ald_geometry_array_create_from_geojson(runtime, text, unknown, &polygons, &error), &error))
    return;
  double measure = 0;
  CHECK_OK(ald_geometry_area(polygon, &planar, &measure, &error), &error);
  CHECK(measure == 3);
  CHECK_STATUS(ald_geometry_area(polygon, &earth, &measure, NULL), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_geometry_length(polygon, &earth, &measure, NULL), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_geometry_array_areas(polygons, &earth, &measure, 1, NULL), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_geometry_array_lengths(polygons, &earth, &measure, 1, NULL), ALD_STATUS_PROJECTION_FAILED);
  CHECK(measure == 3);
  ald_geometry_release(polygon);
  ald_geometry_array_release(polygons);
}

int main(void) {
  ald_error error;
  ald_runtime runtime;
  ald_spatial_reference unknown;
  if (!CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error))
    return finish();
  if (CHECK_OK(ald_spatial_reference_create_from_wkt(runtime, UNKNOWN_PROJECTION, &unknown, &error), &error)) {
    test_ways(unknown);
    test_measures(runtime, unknown);
  }
  ald_runtime_release(runtime);
  return finish();
}

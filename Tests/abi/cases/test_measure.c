/* Areas, lengths, paths and added vertices as a C host asks for them: what is returned, refused and left alone. */
#include "scene.h"

#include <math.h>
#include <string.h>

static ald_runtime runtime;
static ald_spatial_reference degrees, plane, flat;
static const ald_spatial_reference none = {0};

static ald_spatial_reference reference(const char *definition) {
  ald_error error;
  ald_spatial_reference made = {0};
  CHECK_OK(ald_spatial_reference_create(runtime, definition, &made, &error), &error);
  return made;
}

static ald_geometry geometry(const char *wkt, ald_spatial_reference in) {
  ald_error error;
  ald_geometry made = {0};
  CHECK_OK(ald_geometry_create_from_wkt(runtime, wkt, in, &made, &error), &error);
  return made;
}

/* Two lines in degrees, or in the given spatial reference; the second one may lead to no point on the earth. */
static ald_geometry_array lines(double last_y, ald_spatial_reference in) {
  ald_error error;
  ald_geometry_array made = {0};
  const double xy[8] = {0, 0, 1, 0, 0, 0, 0, last_y};
  static const int32_t offsets[3] = {0, 1, 2}, vertices[3] = {0, 2, 4};
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.kind = ALD_GEOMETRY_KIND_POLYLINE;
  columns.geometry_count = columns.part_count = columns.path_count = 2;
  columns.vertex_count = 4;
  columns.xy = xy;
  columns.part_offsets = columns.path_offsets = offsets;
  columns.vertex_offsets = vertices;
  CHECK_OK(ald_geometry_array_create(runtime, &columns, in, &made, &error), &error);
  return made;
}

static ald_measure_options on_earth(ald_unit unit, ald_curve_type curve) {
  ald_measure_options options = ALD_MEASURE_OPTIONS_INIT;
  options.kind = ALD_MEASURE_KIND_GEODESIC;
  options.unit = unit;
  options.curve_type = curve;
  return options;
}

/* A degree of the equator is a 360th of the circle with the semi-major axis. */
static void test_lengths(void) {
  ald_error error;
  double length = 0, lengths[3] = {0, 0, 77};
  const double degree = 6378137 * acos(-1) / 180;
  const ald_geometry line = geometry("LINESTRING (0 0, 1 0)", degrees);
  const ald_measure_options metres = on_earth(ALD_UNIT_NONE, ALD_CURVE_TYPE_GEODESIC);
  const ald_measure_options kilometres = on_earth(ALD_UNIT_KILOMETRE, ALD_CURVE_TYPE_LOXODROME);
  CHECK_OK(ald_geometry_length(line, NULL, &length, &error), &error);
  CHECK(length == 1);
  CHECK_OK(ald_geometry_length(line, &metres, &length, &error), &error);
  CHECK(fabs(length - degree) < 1e-7);
  CHECK_OK(ald_geometry_length(line, &kilometres, &length, &error), &error);
  CHECK(fabs(length - degree / 1000) < 1e-10);
  CHECK_OK(ald_geometry_array_lengths(lines(91, degrees), &metres, lengths, 2, &error), &error);
  CHECK(fabs(lengths[0] - degree) < 1e-7 && isnan(lengths[1]) && lengths[2] == 77);
  CHECK_STATUS(ald_geometry_array_lengths(lines(1, degrees), &metres, lengths, 1, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_STATUS(ald_geometry_array_areas(lines(1, degrees), &metres, NULL, 2, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 3);
  CHECK_STATUS(ald_geometry_array_areas(lines(1, degrees), NULL, lengths, 0, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_OK(ald_geometry_array_areas(lines(1, degrees), NULL, lengths, 2, &error), &error);
  CHECK(lengths[0] == 0 && lengths[1] == 0);
}

/* The spherical excess of an eighth of a sphere is a right angle. */
static void test_areas(void) {
  ald_error error;
  double area = 0;
  const ald_spatial_reference sphere = reference("+proj=longlat +R=1000 +type=crs");
  const ald_geometry octant = geometry("POLYGON ((0 0, 90 0, 0 90, 0 0))", sphere);
  const ald_measure_options options = on_earth(ALD_UNIT_SQUARE_METRE, ALD_CURVE_TYPE_GREAT_ELLIPTIC);
  CHECK_OK(ald_geometry_area(octant, &options, &area, &error), &error);
  CHECK(fabs(area - acos(-1) / 2 * 1e6) < 1e-6);
}

static void test_unaligned_ways(void) {
  ald_error error;
  unsigned char memory[128];
  double values[2] = {1, 0}, distance = 0, azimuth = 0, end[2] = {0, 0}, *unaligned = (double *)(void *)(memory + 1);
  memset(memory, 0, sizeof memory);
  memcpy(memory + 1, values, sizeof values);
  CHECK_OK(ald_spatial_reference_geodesic_inverse(degrees, ALD_CURVE_TYPE_GEODESIC, end, 0, unaligned, 17, 1, &distance,
                                                  (double *)(void *)(memory + 65), NULL, &error),
           &error);
  memcpy(&azimuth, memory + 65, sizeof azimuth);
  CHECK(fabs(azimuth - 90) < 1e-9 && fabs(distance - 111319.490793) < 1e-6);
  CHECK_OK(ald_spatial_reference_geodesic_direct(degrees, ALD_CURVE_TYPE_GEODESIC, end, 0, &azimuth, &distance, 1,
                                                 unaligned, 0, NULL, &error),
           &error);
  memcpy(values, memory + 1, sizeof values);
  CHECK(fabs(values[0] - 1) < 1e-12 && fabs(values[1]) < 1e-12);
}

static void test_refused_ways(void) {
  ald_error error;
  double xy[2] = {0, 0}, number = 0;
  CHECK_STATUS(ald_spatial_reference_geodesic_inverse(none, 0, xy, 0, xy, 0, 1, &number, NULL, NULL, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_spatial_reference_geodesic_inverse(degrees, 5, xy, 0, xy, 0, 1, &number, NULL, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_spatial_reference_geodesic_inverse(flat, 0, xy, 0, xy, 0, 1, &number, NULL, NULL, &error),
               ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_spatial_reference_geodesic_inverse(degrees, 0, xy, 0, xy, 0, 101, &number, NULL, NULL, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_spatial_reference_geodesic_direct(none, 0, xy, 0, &number, &number, 1, xy, 0, NULL, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_spatial_reference_geodesic_direct(degrees, 0, xy, 0, NULL, &number, 1, xy, 0, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 5);
  CHECK_STATUS(ald_spatial_reference_geodesic_direct(degrees, ALD_CURVE_TYPE_SHAPE_PRESERVING, xy, 0, &number, &number,
                                                     1, xy, 0, NULL, &error),
               ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_spatial_reference_geodesic_direct(degrees, 0, xy, 0, &number, &number, 101, xy, 0, NULL, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
}

/* Every status of area and length, of a geometry and of an array. */
static void test_refused_measures(void) {
  ald_error error;
  double number = 77, numbers[2] = {0, 0};
  ald_measure_options bad = ALD_MEASURE_OPTIONS_INIT;
  bad.unit = ALD_UNIT_DEGREE;
  const ald_measure_options earth = on_earth(0, ALD_CURVE_TYPE_GEODESIC);
  ald_status (*of_one[])(ald_geometry, const ald_measure_options *, double *, ald_error *) = {ald_geometry_area,
                                                                                              ald_geometry_length};
  ald_status (*of_many[])(ald_geometry_array, const ald_measure_options *, double *, size_t,
                          ald_error *) = {ald_geometry_array_areas, ald_geometry_array_lengths};
  for (int i = 0; i < 2; i++) {
    CHECK_STATUS(of_one[i]((ald_geometry){0}, NULL, &number, &error), ALD_STATUS_INVALID_HANDLE);
    CHECK_STATUS(of_one[i](geometry("POLYGON ((0 0, 1 0, 0 1, 0 0))", plane), &bad, &number, &error),
                 ALD_STATUS_INVALID_ARGUMENT);
    CHECK_STATUS(of_one[i](geometry("POLYGON ((0 0, 1 0, 0 1, 0 0))", plane), &earth, &number, &error),
                 ALD_STATUS_UNSUPPORTED);
    CHECK_STATUS(of_one[i](geometry("POLYGON ((0 0, 1 0, 0 91, 0 0))", degrees), &earth, &number, &error),
                 ALD_STATUS_PROJECTION_FAILED);
    CHECK(number == 77 && holds_text(error.message, "(0, 91)"));
    CHECK_STATUS(of_many[i]((ald_geometry_array){0}, NULL, numbers, 2, &error), ALD_STATUS_INVALID_HANDLE);
    CHECK_STATUS(of_many[i](lines(1, none), &earth, numbers, 2, &error), ALD_STATUS_INVALID_ARGUMENT);
    CHECK_STATUS(of_many[i](lines(1, flat), &earth, numbers, 2, &error), ALD_STATUS_UNSUPPORTED);
  }
}

static void test_refused_vertices(void) {
  ald_error error;
  ald_geometry made = {1};
  ald_geometry_array many = {1};
  ald_densify_options dense = ALD_DENSIFY_OPTIONS_INIT;
  dense.kind = ALD_MEASURE_KIND_GEODESIC;
  const ald_measure_options earth = on_earth(0, ALD_CURVE_TYPE_LOXODROME);
  const ald_geometry line = geometry("LINESTRING (0 0, 1 0)", degrees);
  const ald_geometry far = geometry("LINESTRING (0 0, 0 91)", degrees);
  const ald_geometry local = geometry("LINESTRING (0 0, 1 0)", plane);

  CHECK_STATUS(ald_geometry_create_densified(line, &dense, &made, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(made.id == 0 && holds_text(error.message, "Neither"));
  CHECK_STATUS(ald_geometry_array_create_densified(lines(1, degrees), &dense, &many, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  dense.longest_segment = 60000;
  CHECK_OK(ald_geometry_create_densified(line, &dense, &made, &error), &error);
  CHECK_OK(ald_geometry_array_create_densified(lines(1, degrees), &dense, &many, &error), &error);
  CHECK_STATUS(ald_geometry_create_densified((ald_geometry){0}, &dense, &made, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_geometry_create_densified(local, &dense, &made, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_create_densified(far, &dense, &made, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_geometry_array_create_densified((ald_geometry_array){0}, &dense, &many, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_geometry_array_create_densified(lines(1, flat), &dense, &many, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_array_create_densified(lines(91, degrees), &dense, &many, &error),
               ALD_STATUS_PROJECTION_FAILED);
  CHECK(many.id == 0 && holds_text(error.message, "Geometry 1: (0, 91)"));
  dense.longest_segment = 100;
  CHECK_STATUS(ald_geometry_create_densified(line, &dense, &made, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_geometry_array_create_densified(lines(1, degrees), &dense, &many, &error),
               ALD_STATUS_LIMIT_EXCEEDED);

  CHECK_OK(ald_geometry_create_moved(line, 1000, 45, &earth, &made, &error), &error);
  CHECK_STATUS(ald_geometry_create_moved((ald_geometry){0}, 1, 1, NULL, &made, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_geometry_create_moved(line, NAN, 1, NULL, &made, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2);
  CHECK_STATUS(ald_geometry_create_moved(local, 1, 1, &earth, &made, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_create_moved(line, 2e7, 0, &earth, &made, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_geometry_array_create_moved((ald_geometry_array){0}, 1, 1, NULL, &many, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_geometry_array_create_moved(lines(1, degrees), 1, INFINITY, NULL, &many, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 3);
  CHECK_STATUS(ald_geometry_array_create_moved(lines(1, plane), 1, 1, &earth, &many, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_array_create_moved(lines(1, degrees), 2e7, 0, &earth, &many, &error),
               ALD_STATUS_PROJECTION_FAILED);
}

/* A point in another spatial reference; a corner of a ring; what lies inside. */
static void test_distances(void) {
  ald_error error;
  ald_distance found = ALD_DISTANCE_INIT;
  ald_nearest_point nearest = ALD_NEAREST_POINT_INIT;
  ald_projection_receipt receipt = {1};
  const ald_measure_options earth = on_earth(ALD_UNIT_KILOMETRE, ALD_CURVE_TYPE_GEODESIC);
  const ald_geometry here = geometry("POINT (0 0)", degrees);
  const ald_geometry there = geometry("POINT (111319.49079327357 0)", reference("EPSG:3857"));
  const ald_geometry box = geometry("POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))", none);
  CHECK_OK(ald_geometry_distance(here, there, &earth, &found, &receipt, &error), &error);
  CHECK(fabs(found.distance - 111.319490793) < 1e-8 && receipt.id != 0);
  CHECK(found.point_a.x == 0 && fabs(found.point_b.x - 1) < 1e-12);
  CHECK_OK(ald_geometry_distance(here, here, NULL, &found, &receipt, &error), &error);
  CHECK(found.distance == 0 && receipt.id == 0);
  CHECK_OK(ald_geometry_nearest(box, (ald_point){1, 3}, 0, NULL, &nearest, &error), &error);
  CHECK(nearest.flags == ALD_NEAREST_INSIDE && nearest.distance == 0 && isnan(nearest.share));
  CHECK_OK(ald_geometry_nearest(box, (ald_point){1, 3.5}, ALD_NEAREST_SEARCH_ON_BOUNDARY, NULL, &nearest, &error),
           &error);
  CHECK(nearest.flags == 0 && nearest.distance == 0.5 && nearest.vertex == 2 && nearest.share == 0.75);
  CHECK_OK(ald_geometry_nearest(box, (ald_point){3, 3.5}, ALD_NEAREST_SEARCH_VERTEX, NULL, &nearest, &error), &error);
  CHECK(nearest.vertex == 2 && nearest.point.x == 4 && nearest.point.y == 4);
}

static void test_refused_distances(void) {
  ald_error error;
  ald_distance found = ALD_DISTANCE_INIT;
  ald_nearest_point nearest = ALD_NEAREST_POINT_INIT;
  ald_projection_receipt receipt = {1};
  const ald_measure_options earth = on_earth(0, 0), loxodrome = on_earth(0, ALD_CURVE_TYPE_LOXODROME);
  const ald_point origin = {0, 0};
  const ald_geometry here = geometry("POINT (0 0)", degrees), bare = geometry("POINT (0 0)", none);
  const ald_geometry far = geometry("POINT (0 91)", degrees);
  CHECK_STATUS(ald_geometry_distance(here, (ald_geometry){0}, NULL, &found, &receipt, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK(receipt.id == 0);
  CHECK_STATUS(ald_geometry_distance(here, bare, NULL, &found, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_distance(here, here, &loxodrome, &found, NULL, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_distance(here, far, &earth, &found, NULL, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_geometry_nearest((ald_geometry){0}, origin, 0, NULL, &nearest, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_geometry_nearest(here, origin, 4, NULL, &nearest, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_nearest(here, origin, 0, &loxodrome, &nearest, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_nearest(far, origin, 0, &earth, &nearest, &error), ALD_STATUS_PROJECTION_FAILED);
}

/* Ellipses and sectors, and what is brought back into the world. */
static void test_shapes(void) {
  ald_error error;
  ald_geometry made = {1};
  ald_geometry_array many = {1};
  double achieved = 0, area = 0;
  const ald_measure_options earth = on_earth(0, 0);
  ald_geodesic_ellipse ellipse = ALD_GEODESIC_ELLIPSE_INIT;
  ald_geodesic_sector sector = ALD_GEODESIC_SECTOR_INIT;
  ellipse.semi_axis_1 = sector.radius = 1000;
  ellipse.semi_axis_2 = 500;
  sector.angle_deg = 90;
  CHECK_OK(ald_spatial_reference_create_geodesic_ellipse(degrees, &ellipse, &made, &achieved, &error), &error);
  CHECK_OK(ald_geometry_area(made, &earth, &area, &error), &error);
  CHECK(achieved > 0 && achieved <= 1 && fabs(area / (acos(-1) * 5e5) - 1) < 5e-3);
  CHECK_OK(ald_spatial_reference_create_geodesic_sector(degrees, &sector, &made, &achieved, &error), &error);
  CHECK_OK(ald_geometry_area(made, &earth, &area, &error), &error);
  CHECK(achieved > 0 && achieved <= 1 && fabs(area / (acos(-1) * 25e4) - 1) < 5e-3);

  CHECK_STATUS(ald_spatial_reference_create_geodesic_ellipse(none, &ellipse, &made, NULL, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_spatial_reference_create_geodesic_ellipse(plane, &ellipse, &made, NULL, &error),
               ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_spatial_reference_create_geodesic_sector(none, &sector, &made, NULL, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_spatial_reference_create_geodesic_sector(plane, &sector, &made, NULL, &error),
               ALD_STATUS_UNSUPPORTED);
  ellipse.maximum_deviation = sector.maximum_deviation = 1e-3;
  CHECK_STATUS(ald_spatial_reference_create_geodesic_ellipse(degrees, &ellipse, &made, NULL, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_spatial_reference_create_geodesic_sector(degrees, &sector, &made, NULL, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  ellipse.center.y = sector.center.y = 91;
  CHECK_STATUS(ald_spatial_reference_create_geodesic_ellipse(degrees, &ellipse, &made, NULL, &error),
               ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_spatial_reference_create_geodesic_sector(degrees, &sector, &made, NULL, &error),
               ALD_STATUS_PROJECTION_FAILED);
  ellipse.center.y = sector.center.y = 0;
  ellipse.semi_axis_2 = -1;
  sector.angle_deg = 361;
  CHECK_STATUS(ald_spatial_reference_create_geodesic_ellipse(degrees, &ellipse, &made, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_spatial_reference_create_geodesic_sector(degrees, &sector, &made, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(made.id == 0);

  CHECK_OK(ald_geometry_create_normalized(geometry("POINT (190 1)", degrees), &made, &error), &error);
  CHECK_OK(ald_geometry_array_create_normalized(lines(1, degrees), &many, &error), &error);
  CHECK_STATUS(ald_geometry_create_normalized((ald_geometry){0}, &made, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_geometry_create_normalized(geometry("POINT (1 1)", none), &made, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_create_normalized(geometry("POINT (1 1)", plane), &made, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_array_create_normalized((ald_geometry_array){0}, &many, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_geometry_array_create_normalized(lines(1, none), &many, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_array_create_normalized(lines(1, plane), &many, &error), ALD_STATUS_UNSUPPORTED);
  /* So far from its origin doubles are 16 m apart: too far for the sides of the world to be found. */
  ald_spatial_reference coarse;
  CHECK_OK(ald_spatial_reference_create(runtime, "+proj=merc +x_0=1e17 +ellps=GRS80", &coarse, &error), &error);
  CHECK_STATUS(ald_geometry_create_normalized(geometry("POINT (1 1)", coarse), &made, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_array_create_normalized(lines(1, coarse), &many, &error), ALD_STATUS_UNSUPPORTED);
}

/* A line of 98 vertices, and 40 crossings of the antimeridian that each add two. */
static void test_limits_of_normalizing(void) {
  ald_error error;
  ald_geometry made = {1}, zigzag = {0};
  ald_geometry_array many = {1}, zigzags = {0};
  double xy[196];
  for (int i = 0; i < 98; i++) {
    xy[2 * i] = i % 2 ? 181 : 179;
    xy[2 * i + 1] = i / 10.0;
  }
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.kind = ALD_GEOMETRY_KIND_POLYLINE;
  columns.vertex_count = 98;
  columns.xy = xy;
  CHECK_OK(ald_geometry_create(runtime, &columns, degrees, &zigzag, &error), &error);
  CHECK_STATUS(ald_geometry_create_normalized(zigzag, &made, &error), ALD_STATUS_LIMIT_EXCEEDED);
  columns.geometry_count = 1;
  CHECK_OK(ald_geometry_array_create(runtime, &columns, degrees, &zigzags, &error), &error);
  CHECK_STATUS(ald_geometry_array_create_normalized(zigzags, &many, &error), ALD_STATUS_LIMIT_EXCEEDED);
}

/* Memory: trees of discs take more of it than vertices. */
static void test_limits_of_distances(void) {
  enum { COUNT = 400 };
  ald_error error;
  ald_runtime small;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  ald_policy policy = ALD_POLICY_INIT;
  ald_spatial_reference earth;
  ald_geometry ring = {0};
  ald_distance found = ALD_DISTANCE_INIT;
  ald_nearest_point nearest = ALD_NEAREST_POINT_INIT;
  const ald_measure_options geodesic = on_earth(0, 0);
  static double xy[2 * COUNT];
  for (int i = 0; i < COUNT; i++) {
    xy[2 * i] = cos(i * 2 * acos(-1) / COUNT);
    xy[2 * i + 1] = sin(i * 2 * acos(-1) / COUNT);
  }
  policy.max_request_bytes = 50000;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(&options, &small, &error), &error);
  CHECK_OK(ald_spatial_reference_create(small, "EPSG:4326", &earth, &error), &error);
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.kind = ALD_GEOMETRY_KIND_POLYGON;
  columns.vertex_count = COUNT;
  columns.xy = xy;
  CHECK_OK(ald_geometry_create(small, &columns, earth, &ring, &error), &error);
  CHECK_STATUS(ald_geometry_distance(ring, ring, &geodesic, &found, NULL, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_geometry_nearest(ring, (ald_point){0, 0}, 0, &geodesic, &nearest, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  ald_runtime_release(small);
}

/* Memory: what was handed in exactly fits, and is made anew vertex by vertex. */
static void test_limits_of_moving(void) {
  enum { COUNT = 1022 };
  ald_error error;
  ald_runtime small;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  ald_policy policy = ALD_POLICY_INIT;
  ald_geometry line = {0}, made = {1};
  ald_geometry_array array = {0}, many = {1};
  static double xy[2 * COUNT];
  policy.max_request_bytes = 20000;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(&options, &small, &error), &error);
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.kind = ALD_GEOMETRY_KIND_POLYLINE;
  columns.vertex_count = COUNT;
  columns.xy = xy;
  CHECK_OK(ald_geometry_create(small, &columns, none, &line, &error), &error);
  CHECK_STATUS(ald_geometry_create_moved(line, 1, 1, NULL, &made, &error), ALD_STATUS_LIMIT_EXCEEDED);
  columns.geometry_count = 1;
  CHECK_OK(ald_geometry_array_create(small, &columns, none, &array, &error), &error);
  CHECK_STATUS(ald_geometry_array_create_moved(array, 1, 1, NULL, &many, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK(made.id == 0 && many.id == 0);
  ald_runtime_release(small);
}

int main(void) {
  ald_error error;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_points = 100;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  degrees = reference("EPSG:4326");
  plane = reference("LOCAL_CS[\"plane\",UNIT[\"metre\",1]]");
  flat = reference("+proj=longlat +a=6378137 +rf=10 +type=crs");
  test_lengths();
  test_areas();
  test_unaligned_ways();
  test_refused_ways();
  test_refused_measures();
  test_refused_vertices();
  test_distances();
  test_refused_distances();
  test_shapes();
  test_limits_of_normalizing();
  test_limits_of_distances();
  test_limits_of_moving();
  ald_runtime_release(runtime);
  return finish();
}

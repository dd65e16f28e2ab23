/* Local frames as a C host asks for them: vertex buffers of any stride, and what is refused. */
#include "scene.h"

#include <math.h>
#include <string.h>

static ald_runtime runtime;
static ald_spatial_reference degrees, solid, utm, british, mercator, plane, flat;
static const ald_spatial_reference none = {0};

static ald_spatial_reference reference(const char *definition) {
  ald_error error;
  ald_spatial_reference made = {0};
  CHECK_OK(ald_spatial_reference_create(runtime, definition, &made, &error), &error);
  return made;
}

static ald_engine_frame frame(ald_spatial_reference in, double x, double y, double height, ald_engine_frame_kind kind,
                              ald_engine_axes axes) {
  ald_error error;
  ald_engine_frame made = {0};
  ald_engine_frame_options options = ALD_ENGINE_FRAME_OPTIONS_INIT;
  options.kind = kind;
  options.axes = axes;
  CHECK_OK(ald_engine_frame_create(in, (ald_point){x, y}, height, &options, &made, &error), &error);
  return made;
}

static ald_coordinates columns(const double *xyz, size_t count, size_t stride) {
  ald_coordinates coordinates = ALD_COORDINATES_INIT;
  coordinates.count = count;
  coordinates.x = xyz;
  coordinates.y = xyz + 1;
  coordinates.z = xyz + 2;
  coordinates.stride_bytes = stride;
  return coordinates;
}

/* IOGP Guidance Note 7-2, worked example of EPSG method 9837: geographic to topocentric, in metres. */
static const double WORKED_ORIGIN[3] = {5, 55, 200};
static const double WORKED_PLACE[3] = {2.0 + 7 / 60.0 + 46.38 / 3600, 53.0 + 48 / 60.0 + 33.82 / 3600, 73};
static const double WORKED_ENU[3] = {-189013.869, -128642.040, -4220.171};

static void test_worked_example(void) {
  ald_error error;
  float got[3];
  ald_vertex_report report = ALD_VERTEX_REPORT_INIT;
  ald_projection_receipt receipt;
  ald_projection_receipt_info used = ALD_PROJECTION_RECEIPT_INFO_INIT;
  ald_engine_frame_info info = ALD_ENGINE_FRAME_INFO_INIT;
  const ald_coordinates in = columns(WORKED_PLACE, 1, 0);
  const double *enu = WORKED_ENU;
  const double expected[4][3] = {{enu[0], enu[1], enu[2]},
                                 {enu[0] * 100, -enu[1] * 100, enu[2] * 100},
                                 {enu[0], enu[2], enu[1]},
                                 {enu[0], enu[2], -enu[1]}};
  for (ald_engine_axes axes = ALD_ENGINE_AXES_ENU; axes <= ALD_ENGINE_AXES_GODOT; axes++) {
    const double unit = axes == ALD_ENGINE_AXES_UNREAL ? 100 : 1;
    const ald_engine_frame made = frame(solid, WORKED_ORIGIN[0], WORKED_ORIGIN[1], WORKED_ORIGIN[2], 0, axes);
    CHECK_OK(ald_engine_frame_to_vertices(made, none, NULL, &in, got, 0, NULL, &report, &receipt, &error), &error);
    /* Floats this far away are 8 mm apart, and the example's figures are millimetres. */
    for (int i = 0; i < 3; i++)
      CHECK(fabs(got[i] - expected[axes][i]) < 0.01 * unit);
    CHECK(report.vertex_count == 1 && report.failed_count == 0 && report.worst_index == 0);
    CHECK(report.worst_rounding_m > 0 && report.worst_rounding_m < 0.01);
    CHECK(fabs(report.farthest_m - sqrt(enu[0] * enu[0] + enu[1] * enu[1] + enu[2] * enu[2])) < 0.01);
    CHECK_OK(ald_projection_receipt_get_info(receipt, &used, &error), &error);
    CHECK(used.point_count == 1 && (used.flags & ALD_PROJECTION_RECEIPT_IDENTITY));
    ald_projection_receipt_release(receipt);
    CHECK_OK(ald_engine_frame_get_info(made, &info, &error), &error);
    CHECK(info.axes == axes && info.kind == ALD_ENGINE_FRAME_KIND_TANGENT && info.metres_per_unit == 1 / unit);
    CHECK((info.flags & ALD_ENGINE_FRAME_LEFT_HANDED) ==
          (axes == ALD_ENGINE_AXES_UNREAL || axes == ALD_ENGINE_AXES_UNITY ? ALD_ENGINE_FRAME_LEFT_HANDED : 0u));
    /* The example's geocentric coordinates of the origin. */
    CHECK(fabs(info.local_to_world[12] - 3652755.3058) < 1e-4 && fabs(info.local_to_world[13] - 319574.6799) < 1e-4 &&
          fabs(info.local_to_world[14] - 5201547.3536) < 1e-4 && info.local_to_world[15] == 1);
    ald_engine_frame_release(made);
  }
}

/* Vertices of 12, 16 and 32 bytes, at an odd address too, next to other attributes and on top of the coordinates. */
static void test_strides(void) {
  enum { COUNT = 5 };
  ald_error error;
  float dense[3 * COUNT];
  double xyz[3 * COUNT];
  unsigned char apart[COUNT * 40 + 1];
  static const size_t strides[] = {12, 16, 32, 40};
  const ald_engine_frame made = frame(utm, 500000, 4500000, 100, ALD_ENGINE_FRAME_KIND_PLANAR, ALD_ENGINE_AXES_UNITY);
  for (int i = 0; i < COUNT; i++) {
    xyz[3 * i] = 500000 + 10 * i;
    xyz[3 * i + 1] = 4500000 - 3 * i;
    xyz[3 * i + 2] = 100 + i;
  }
  ald_coordinates in = columns(xyz, COUNT, 24);
  CHECK_OK(ald_engine_frame_to_vertices(made, none, NULL, &in, dense, 0, NULL, NULL, NULL, &error), &error);
  for (int i = 0; i < COUNT; i++)
    CHECK(dense[3 * i] == 10 * i && dense[3 * i + 1] == i && dense[3 * i + 2] == -3 * i);
  for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
    int is_right = 1;
    memset(apart, 0xA5, sizeof apart);
    /* No float's address. */
    float *odd = (float *)(void *)(apart + 1);
    CHECK_OK(ald_engine_frame_to_vertices(made, none, NULL, &in, odd, strides[s], NULL, NULL, NULL, &error), &error);
    for (int i = 0; i < COUNT; i++) {
      const unsigned char *vertex = apart + 1 + i * strides[s];
      is_right = is_right && memcmp(vertex, dense + 3 * i, 12) == 0;
      for (size_t gap = 12; gap < strides[s] && i + 1 < COUNT; gap++)
        is_right = is_right && vertex[gap] == 0xA5;
    }
    CHECK(is_right);
    double back[3 * COUNT];
    ald_projected_coordinates out = ALD_PROJECTED_COORDINATES_INIT;
    out.x = back;
    out.y = back + 1;
    out.z = back + 2;
    out.stride_bytes = 24;
    CHECK_OK(ald_engine_frame_from_vertices(made, none, NULL, odd, strides[s], COUNT, &out, NULL, NULL, &error),
             &error);
    CHECK(memcmp(back, xyz, sizeof back) == 0);
  }
  CHECK_OK(ald_engine_frame_to_vertices(made, none, NULL, &in, (float *)(void *)xyz, 24, NULL, NULL, NULL, &error),
           &error);
  for (int i = 0; i < COUNT; i++)
    CHECK(memcmp(xyz + 3 * i, dense + 3 * i, 12) == 0);
  ald_engine_frame_release(made);
}

static void test_single_failures(void) {
  ald_error error;
  const double xyz[] = {5, 55, 0, 5, 91, 0, NAN, 55, 0, 5, 55, INFINITY};
  ald_point_status statuses[4];
  float got[12];
  ald_vertex_report report = ALD_VERTEX_REPORT_INIT;
  const ald_engine_frame made = frame(degrees, 5, 55, 0, 0, 0);
  ald_coordinates in = columns(xyz, 4, 24);
  CHECK_OK(ald_engine_frame_to_vertices(made, none, NULL, &in, got, 0, statuses, &report, NULL, &error), &error);
  CHECK(statuses[0] == ALD_POINT_STATUS_OK && statuses[1] == ALD_POINT_STATUS_INVALID_COORDINATE);
  CHECK(statuses[2] == ALD_POINT_STATUS_NOT_FINITE && statuses[3] == ALD_POINT_STATUS_NOT_FINITE);
  CHECK(got[0] == 0 && isnan(got[3]) && isnan(got[8]) && isnan(got[9]) && report.failed_count == 3);
  in.count = 0;
  CHECK_OK(ald_engine_frame_to_vertices(made, none, NULL, &in, NULL, 0, NULL, &report, NULL, &error), &error);
  CHECK(report.worst_index == UINT64_MAX && report.worst_rounding_m == 0 && report.farthest_m == 0);

  /* The middle of the earth has no latitude; below a tenth of the radius no latitude is returned. */
  const float vertices[] = {0, 0, -6.37e6f, NAN, 0, 0, 0, 0, -1e6f};
  double x[3], y[3];
  ald_projected_coordinates out = ALD_PROJECTED_COORDINATES_INIT;
  out.x = x;
  out.y = y;
  CHECK_OK(ald_engine_frame_from_vertices(made, none, NULL, vertices, 0, 3, &out, statuses, NULL, &error), &error);
  CHECK(statuses[0] == ALD_POINT_STATUS_FAILED && statuses[1] == ALD_POINT_STATUS_NOT_FINITE &&
        statuses[2] == ALD_POINT_STATUS_OK);
  CHECK(isnan(x[0]) && isnan(y[1]) && fabs(x[2] - 5) < 1e-9 && fabs(y[2] - 55) < 1e-9);
  ald_engine_frame_release(made);
}

static void test_refused_frames(void) {
  ald_error error;
  ald_engine_frame made = {1};
  ald_engine_frame_info info = ALD_ENGINE_FRAME_INFO_INIT;
  ald_engine_frame_options options = ALD_ENGINE_FRAME_OPTIONS_INIT;
  const ald_point here = {5, 55};
  CHECK_STATUS(ald_engine_frame_create(none, here, 0, NULL, &made, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK(made.id == 0);
  CHECK_STATUS(ald_engine_frame_create(degrees, here, NAN, NULL, &made, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 3);
  CHECK_STATUS(ald_engine_frame_create(degrees, (ald_point){5, 91}, 0, NULL, &made, &error),
               ALD_STATUS_PROJECTION_FAILED);
  /* An origin without end in the matrices. */
  options.axes = ALD_ENGINE_AXES_UNREAL;
  CHECK_STATUS(ald_engine_frame_create(solid, here, 1e308, &options, &made, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(made.id == 0 && holds_text(error.message, "too far away"));
  options.kind = ALD_ENGINE_FRAME_KIND_PLANAR;
  options.metres_per_unit = 1e-6;
  CHECK_STATUS(ald_engine_frame_create(plane, (ald_point){1e305, 0}, 0, &options, &made, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(made.id == 0 && holds_text(error.message, "too far away"));
  options = (ald_engine_frame_options)ALD_ENGINE_FRAME_OPTIONS_INIT;
  /* A longitude beyond all turns is not valid; a finite longitude stays finite. */
  CHECK_STATUS(ald_engine_frame_create(solid, (ald_point){1e308, 55}, 0, NULL, &made, &error),
               ALD_STATUS_PROJECTION_FAILED);
  CHECK_OK(ald_engine_frame_create(solid, (ald_point){1e14, 55}, 0, NULL, &made, &error), &error);
  CHECK_OK(ald_engine_frame_get_info(made, &info, &error), &error);
  CHECK(isfinite(info.longitude_deg) && isfinite(info.local_to_world[12]));
  ald_engine_frame_release(made);
  CHECK_STATUS(ald_engine_frame_create(plane, here, 0, NULL, &made, &error), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_engine_frame_create(flat, here, 0, NULL, &made, &error), ALD_STATUS_UNSUPPORTED);
  options.kind = ALD_ENGINE_FRAME_KIND_PLANAR;
  CHECK_STATUS(ald_engine_frame_create(degrees, here, 0, &options, &made, &error), ALD_STATUS_UNSUPPORTED);
  options.metres_per_unit = 1e7;
  CHECK_STATUS(ald_engine_frame_create(plane, here, 0, &options, &made, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_engine_frame_get_info((ald_engine_frame){0}, &info, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_engine_frame_get_info((ald_engine_frame){plane.id}, &info, &error), ALD_STATUS_INVALID_HANDLE);
}

/* Asks for vertices of a point, and for the point of a vertex; both answer the same. */
static ald_status both_ways(ald_engine_frame made, ald_spatial_reference other, const ald_projection_options *options,
                            size_t count, ald_error *error) {
  static double xyz[3 * 200] = {400000, 300000, 0};
  static float vertices[3 * 200];
  ald_projected_coordinates out = ALD_PROJECTED_COORDINATES_INIT;
  out.x = xyz;
  out.y = xyz + 1;
  out.stride_bytes = 24;
  ald_projection_options back = ALD_PROJECTION_OPTIONS_INIT;
  if (options)
    back = *options;
  if (back.transformation.id)
    back.flags ^= ALD_PROJECT_INVERSE;
  const ald_coordinates in = columns(xyz, count, 24);
  const ald_status of_places =
      ald_engine_frame_from_vertices(made, other, &back, vertices, 0, count, &out, NULL, NULL, error);
  xyz[0] = 400000;
  xyz[1] = 300000;
  const ald_status of_vertices =
      ald_engine_frame_to_vertices(made, other, options, &in, vertices, 0, NULL, NULL, NULL, error);
  CHECK(of_places == of_vertices);
  return of_vertices;
}

/* The library does not know the method. */
static const char UNKNOWN_METHOD[] =
    "COORDINATEOPERATION[\"Nobody's\",SOURCECRS[GEOGCRS[\"OSGB36\",DATUM[\"Ordnance Survey of Great Britain "
    "1936\",ELLIPSOID[\"Airy 1830\",6377563.396,299.3249646]],CS[ellipsoidal,2],AXIS[\"latitude\",north],"
    "AXIS[\"longitude\",east],UNIT[\"degree\",0.0174532925199433],ID[\"EPSG\",4277]]],TARGETCRS[GEOGCRS[\"WGS "
    "84\",DATUM[\"World Geodetic System 1984\",ELLIPSOID[\"WGS 84\",6378137,298.257223563]],CS[ellipsoidal,2],"
    "AXIS[\"latitude\",north],AXIS[\"longitude\",east],UNIT[\"degree\",0.0174532925199433],ID[\"EPSG\",4326]]],"
    "METHOD[\"A method of nobody's\"],OPERATIONACCURACY[1]]";

static void test_refused_vertices(void) {
  ald_error error;
  ald_projection_options options = ALD_PROJECTION_OPTIONS_INIT;
  const ald_engine_frame made = frame(degrees, 0, 52, 0, 0, 0);
  CHECK_STATUS(both_ways((ald_engine_frame){0}, british, NULL, 1, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(both_ways(made, plane, NULL, 1, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(both_ways(made, british, NULL, 101, &error), ALD_STATUS_LIMIT_EXCEEDED);
  options.flags = ALD_PROJECT_INVERSE;
  CHECK_STATUS(both_ways(made, british, &options, 1, &error), ALD_STATUS_INVALID_ARGUMENT);
  options.flags = 0;
  CHECK_OK(ald_transformation_create_from_code(runtime, NULL, "7710", &options.transformation, &error), &error);
  CHECK_STATUS(both_ways(made, british, &options, 1, &error), ALD_STATUS_MISSING_GRID);
  CHECK(holds_text(error.message, "OSTN15") && error.argument == 3);
  ald_transformation_release(options.transformation);
  CHECK_OK(ald_transformation_create_from_code(runtime, NULL, "1314", &options.transformation, &error), &error);
  CHECK_STATUS(both_ways(made, british, &options, 1, &error), ALD_STATUS_OK);
  CHECK_STATUS(both_ways(made, mercator, &options, 1, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_transformation_release(options.transformation);
  CHECK_OK(ald_transformation_create(runtime, UNKNOWN_METHOD, &options.transformation, &error), &error);
  CHECK_STATUS(both_ways(made, british, &options, 1, &error), ALD_STATUS_UNSUPPORTED);
  ald_transformation_release(options.transformation);

  float vertices[3] = {0};
  double xy[3] = {0, 52, 0};
  ald_projected_coordinates out = ALD_PROJECTED_COORDINATES_INIT;
  const ald_coordinates in = columns(xy, 1, 0);
  CHECK_STATUS(ald_engine_frame_to_vertices(made, none, NULL, &in, NULL, 0, NULL, NULL, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 5);
  CHECK_STATUS(ald_engine_frame_to_vertices(made, none, NULL, &in, vertices, 8, NULL, NULL, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 6);
  CHECK_STATUS(ald_engine_frame_from_vertices(made, none, NULL, vertices, 0, 1, &out, NULL, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 7);
  ald_engine_frame_release(made);
}

static ald_geometry line(ald_spatial_reference in) {
  ald_error error;
  ald_geometry made = {0};
  CHECK_OK(ald_geometry_create_from_wkt(runtime, "LINESTRING Z (0 52 1, 0.001 52 2)", in, &made, &error), &error);
  return made;
}

/* The vertices of a line, and of an array with only that line; both calls return the same. */
static ald_status vertices_of(ald_engine_frame made, ald_geometry geometry, const ald_projection_options *options,
                              size_t capacity, ald_error *error) {
  float of_one[9] = {0}, of_many[9] = {0};
  ald_geometry_array array = {0};
  ald_projection_receipt receipt = {0};
  ald_vertex_report report = ALD_VERTEX_REPORT_INIT;
  const ald_status many_status =
      ald_geometry_array_create_from_geometries(runtime, &geometry, 1, &array, &receipt, error) != ALD_STATUS_OK
          ? ald_engine_frame_geometry_array_to_vertices(made, (ald_geometry_array){geometry.id}, options, of_many, 0,
                                                        capacity, NULL, &report, NULL, error)
          : ald_engine_frame_geometry_array_to_vertices(made, array, options, of_many, 0, capacity, NULL, &report, NULL,
                                                        error);
  const ald_status status =
      ald_engine_frame_geometry_to_vertices(made, geometry, options, of_one, 0, capacity, NULL, &report, NULL, error);
  CHECK(status == many_status && memcmp(of_one, of_many, sizeof of_one) == 0);
  if (status == ALD_STATUS_OK)
    CHECK(report.vertex_count == 2 && of_one[2] == 1 && of_one[3] > 68 && of_one[3] < 69 && of_one[6] == 0);
  ald_geometry_array_release(array);
  return status;
}

static void test_geometries(void) {
  enum { MANY = 60 };
  ald_error error;
  const ald_engine_frame made = frame(degrees, 0, 52, 0, 0, 0);
  const ald_geometry given = line(degrees), nowhere = line(none), flat_line = line(plane), national = line(british);
  CHECK_STATUS(vertices_of(made, given, NULL, 2, &error), ALD_STATUS_OK);
  CHECK_STATUS(vertices_of(made, given, NULL, 1, &error), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_STATUS(vertices_of(made, (ald_geometry){0}, NULL, 2, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(vertices_of(made, nowhere, NULL, 2, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2);
  CHECK_STATUS(vertices_of(made, flat_line, NULL, 2, &error), ALD_STATUS_PROJECTION_FAILED);
  ald_projection_options options = ALD_PROJECTION_OPTIONS_INIT;
  CHECK_OK(ald_transformation_create_from_code(runtime, NULL, "7710", &options.transformation, &error), &error);
  CHECK_STATUS(vertices_of(made, national, &options, 2, &error), ALD_STATUS_MISSING_GRID);
  ald_transformation_release(options.transformation);
  CHECK_OK(ald_transformation_create(runtime, UNKNOWN_METHOD, &options.transformation, &error), &error);
  CHECK_STATUS(vertices_of(made, national, &options, 2, &error), ALD_STATUS_UNSUPPORTED);
  ald_transformation_release(options.transformation);

  ald_geometry_array many = {0};
  ald_geometry_columns points = ALD_GEOMETRY_COLUMNS_INIT;
  static const double xy[2 * MANY];
  static float vertices[6 * MANY];
  points.kind = ALD_GEOMETRY_KIND_POINT;
  points.geometry_count = points.vertex_count = MANY;
  points.xy = xy;
  CHECK_OK(ald_geometry_array_create(runtime, &points, degrees, &many, &error), &error);
  CHECK_OK(ald_engine_frame_geometry_array_to_vertices(made, many, NULL, vertices, 0, MANY, NULL, NULL, NULL, &error),
           &error);
  ald_geometry_array_release(many);
  ald_geometry_release(given);
  ald_geometry_release(nowhere);
  ald_geometry_release(flat_line);
  ald_geometry_release(national);
  ald_engine_frame_release(made);
}

/* The policy allows the vertices, and not what projecting them takes. */
static void test_limits(void) {
  enum { VERTICES = 32 };
  ald_error error;
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  ald_runtime small;
  ald_spatial_reference in;
  ald_engine_frame made;
  ald_geometry one;
  ald_geometry_array many;
  static const double xy[2 * VERTICES];
  static float vertices[3 * VERTICES];
  policy.max_request_bytes = 1200;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(&options, &small, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(small, NULL, 4326, &in, &error), &error);
  CHECK_OK(ald_engine_frame_create(in, (ald_point){0, 0}, 0, NULL, &made, &error), &error);
  ald_geometry_columns columns_in = ALD_GEOMETRY_COLUMNS_INIT;
  columns_in.kind = ALD_GEOMETRY_KIND_MULTIPOINT;
  columns_in.vertex_count = VERTICES;
  columns_in.xy = xy;
  CHECK_OK(ald_geometry_create(small, &columns_in, in, &one, &error), &error);
  columns_in.geometry_count = 1;
  CHECK_OK(ald_geometry_array_create(small, &columns_in, in, &many, &error), &error);
  CHECK_STATUS(ald_engine_frame_geometry_to_vertices(made, one, NULL, vertices, 0, VERTICES, NULL, NULL, NULL, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(
      ald_engine_frame_geometry_array_to_vertices(made, many, NULL, vertices, 0, VERTICES, NULL, NULL, NULL, &error),
      ALD_STATUS_LIMIT_EXCEEDED);
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
  solid = reference("EPSG:4979");
  utm = reference("EPSG:32610");
  british = reference("EPSG:27700");
  mercator = reference("EPSG:3857");
  plane = reference("LOCAL_CS[\"plane\",UNIT[\"metre\",1]]");
  flat = reference("+proj=longlat +a=6378137 +rf=10 +type=crs");
  test_worked_example();
  test_strides();
  test_single_failures();
  test_refused_frames();
  test_refused_vertices();
  test_geometries();
  test_limits();
  ald_runtime_release(runtime);
  return finish();
}

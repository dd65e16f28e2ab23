/* Meshes as a C host makes them: what they hold, how requests give them, and what is refused. */
#include "layer_files.h"
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ald_runtime runtime;
static ald_spatial_reference utm, degrees, plane;
static const ald_spatial_reference none = {0};
static const ald_raster no_raster = {0};

/* A cone of 60 x 60 cells of 10 m, up to 100 m high, and the heights at its cells. */
enum { SIDE = 60 };
static double cone(double column, double row) {
  const double off = hypot(column - SIDE / 2.0, row - SIDE / 2.0);
  return off < 25 ? 100 - 4 * off : 0;
}

static ald_raster open_cone(void) {
  static char text[SIDE * SIDE * 20 + 200];
  ald_error error;
  ald_raster raster = {0};
  ald_raster_open_options options = ALD_RASTER_OPEN_OPTIONS_INIT;
  options.spatial_reference = utm;
  char *at = text;
  at += sprintf(at, "ncols %d\nnrows %d\nxllcorner 500000\nyllcorner 4500000\ncellsize 10\n", SIDE, SIDE);
  for (int row = 0; row < SIDE; row++)
    for (int column = 0; column < SIDE; column++)
      at += sprintf(at, "%.6f ", cone(column, row));
  CHECK_OK(ald_raster_open(runtime, write_text("cone.asc", text), &options, &raster, &error), &error);
  return raster;
}

static ald_engine_frame make_frame(ald_spatial_reference in, ald_engine_frame_kind kind) {
  ald_error error;
  ald_engine_frame made = {0};
  ald_engine_frame_options options = ALD_ENGINE_FRAME_OPTIONS_INIT;
  options.kind = kind;
  CHECK_OK(ald_engine_frame_create(in, (ald_point){500000, 4500000}, 0, &options, &made, &error), &error);
  return made;
}

static ald_geometry shape(const char *wkt, ald_spatial_reference reference) {
  ald_error error;
  ald_geometry made = {0};
  CHECK_OK(ald_geometry_create_from_wkt(runtime, wkt, reference, &made, &error), &error);
  return made;
}

static ald_geometry_array shapes(const char *geojson, ald_spatial_reference reference) {
  ald_error error;
  ald_geometry_array made = {0};
  CHECK_OK(ald_geometry_array_create_from_geojson(runtime, geojson, reference, &made, &error), &error);
  return made;
}

/* The area of the triangles seen from above; positive if they are counter-clockwise. */
static double area_of(const ald_mesh_columns *columns) {
  double sum = 0;
  for (uint32_t i = 0; i + 2 < columns->index_count; i += 3) {
    const float *a = columns->positions + 3 * columns->indices[i],
                *b = columns->positions + 3 * columns->indices[i + 1],
                *c = columns->positions + 3 * columns->indices[i + 2];
    sum += ((b[0] - a[0]) * (double)(c[1] - a[1]) - (b[1] - a[1]) * (double)(c[0] - a[0])) / 2;
  }
  return sum;
}

static ald_mesh_columns columns_of(ald_mesh mesh) {
  ald_error error;
  ald_mesh_columns columns = ALD_MESH_COLUMNS_INIT;
  CHECK_OK(ald_mesh_get_columns(mesh, &columns, &error), &error);
  return columns;
}

static const char HOUSES[] =
    "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{},\"geometry\":"
    "{\"type\":\"Polygon\",\"coordinates\":[[[500000,4500000],[500030,4500000],[500030,4500020],[500000,4500020],"
    "[500000,4500000]]]}},{\"type\":\"Feature\",\"properties\":{},\"geometry\":"
    "{\"type\":\"Polygon\",\"coordinates\":[[[500100,4500000],[500110,4500000],[500105,4500008],[500100,4500000]]]}}]}";

static void test_polygons(void) {
  ald_error error;
  ald_mesh mesh;
  const ald_engine_frame frame = make_frame(utm, ALD_ENGINE_FRAME_KIND_PLANAR);
  const ald_geometry both = shape("MULTIPOLYGON(((500000 4500000,500030 4500000,500030 4500020,500000 4500020,500000 "
                                  "4500000),(500010 4500005,500010 4500015,500020 4500015,500020 4500005,500010 "
                                  "4500005)),((500100 4500000,500110 4500000,500105 4500008,500100 4500000)))",
                                  utm);
  CHECK_OK(ald_engine_frame_create_geometry_mesh(frame, both, no_raster, 0, NULL, &mesh, &error), &error);
  ald_mesh_columns columns = columns_of(mesh);
  /* 4 + 4 vertices and a hole: 8 triangles; and one. */
  CHECK(columns.vertex_count == 11 && columns.index_count == 27 && columns.geometry_count == 1);
  CHECK(columns.index_offsets[0] == 0 && columns.index_offsets[1] == 27 && columns.vertex_offsets[1] == 11);
  CHECK(fabs(area_of(&columns) - (600 - 100 + 40)) < 1e-3);
  for (uint32_t i = 0; i < columns.vertex_count; i++)
    CHECK(columns.normals[3 * i] == 0 && columns.normals[3 * i + 1] == 0 && columns.normals[3 * i + 2] == 1);
  ald_mesh_info info = ALD_MESH_INFO_INIT;
  CHECK_OK(ald_mesh_get_info(mesh, &info, &error), &error);
  CHECK(info.vertex_count == 11 && info.triangle_count == 9 && info.dropped_triangle_count == 0);
  CHECK(info.deviation_m == 0 && info.worst_rounding_m < 1e-5 && fabs(info.farthest_m - 110) < 1e-3);
  ald_mesh_release(mesh);

  /* Walls for each geometry of an array. The second has the first's height again, or one of its own. */
  const ald_geometry_array houses = shapes(HOUSES, utm);
  const double heights[2] = {10, 3};
  ald_mesh_options options = ALD_MESH_OPTIONS_INIT;
  options.flags = ALD_MESH_WALLS_ONLY | ALD_MESH_CLOCKWISE;
  for (size_t count = 1; count <= 2; count++) {
    CHECK_OK(
        ald_engine_frame_create_geometry_array_mesh(frame, houses, no_raster, heights, count, &options, &mesh, &error),
        &error);
    columns = columns_of(mesh);
    CHECK(columns.geometry_count == 2 && columns.index_offsets[1] == 24 && columns.index_offsets[2] == 42);
    float first = 0, second = 0;
    for (uint32_t i = 0; i < columns.vertex_count; i++) {
      float *const highest = i < columns.vertex_offsets[1] ? &first : &second;
      *highest = fmaxf(*highest, columns.positions[3 * i + 2]);
    }
    CHECK(first == 10 && second == (count == 1 ? 10 : 3));
    ald_mesh_release(mesh);
  }
  ald_geometry_array_release(houses);
  ald_geometry_release(both);
  ald_engine_frame_release(frame);
}

static void test_terrain(ald_raster raster) {
  ald_error error;
  ald_mesh mesh;
  const ald_engine_frame frame = make_frame(utm, ALD_ENGINE_FRAME_KIND_PLANAR);
  ald_mesh_options options = ALD_MESH_OPTIONS_INIT;
  options.maximum_deviation_m = 1;
  CHECK_OK(ald_engine_frame_create_terrain_mesh(frame, raster, none, NULL, &options, &mesh, &error), &error);
  ald_mesh_columns columns = columns_of(mesh);
  CHECK(fabs(area_of(&columns) - SIDE * SIDE * 100) < 1);
  ald_mesh_info info = ALD_MESH_INFO_INIT;
  CHECK_OK(ald_mesh_get_info(mesh, &info, &error), &error);
  CHECK(info.deviation_m > 0.1 && info.deviation_m <= 1);
  float highest = 0;
  for (uint32_t i = 0; i < columns.vertex_count; i++)
    highest = fmaxf(highest, columns.positions[3 * i + 2]);
  CHECK(highest > 98 && highest <= 100);
  const uint32_t triangles = info.triangle_count;
  ald_mesh_release(mesh);

  /* A skirt has more triangles, and hangs below. */
  options.skirt_m = 20;
  const ald_envelope box = {500100, 4500100, 500500, 4500500};
  CHECK_OK(ald_engine_frame_create_terrain_mesh(frame, raster, utm, &box, &options, &mesh, &error), &error);
  columns = columns_of(mesh);
  float lowest = 0;
  for (uint32_t i = 0; i < columns.vertex_count; i++)
    lowest = fminf(lowest, columns.positions[3 * i + 2]);
  CHECK(lowest <= -19.99f && columns.index_count / 3 < triangles * 2);
  ald_mesh_release(mesh);

  /* The same by a request. */
  ald_request request;
  ald_request_state state;
  CHECK_OK(ald_engine_frame_create_terrain_mesh_async(frame, raster, none, NULL, NULL, NULL, &request, &error), &error);
  CHECK_OK(ald_request_wait(request, ALD_ALL, &state, &error), &error);
  CHECK(state == ALD_REQUEST_STATE_SUCCEEDED);
  ald_request_info about = ALD_REQUEST_INFO_INIT;
  CHECK_OK(ald_request_get_info(request, &about, &error), &error);
  CHECK(about.kind == ALD_REQUEST_KIND_CREATE_MESH);
  CHECK_OK(ald_request_take_mesh(request, &mesh, &error), &error);
  CHECK_OK(ald_mesh_get_info(mesh, &info, &error), &error);
  CHECK(info.triangle_count == triangles);
  ald_mesh_release(mesh);
  CHECK_STATUS(ald_request_take_mesh(request, &mesh, &error), ALD_STATUS_INVALID_STATE);
  CHECK(mesh.id == 0);
  ald_request_release(request);
  CHECK_STATUS(ald_request_take_mesh(request, &mesh, &error), ALD_STATUS_INVALID_HANDLE);
  ald_engine_frame_release(frame);
}

/* One mesh by every way: its status is the same. */
static void check_status_of(ald_engine_frame frame, const char *geojson, ald_spatial_reference reference,
                            ald_raster raster, const ald_mesh_options *options, ald_status status) {
  ald_error error;
  ald_mesh mesh = {1};
  ald_request request;
  ald_request_state state;
  const ald_geometry_array array = shapes(geojson, reference);
  ald_geometry geometry = {0};
  CHECK_OK(ald_geometry_array_create_geometry(array, 0, &geometry, &error), &error);
  CHECK_STATUS(ald_engine_frame_create_geometry_mesh(frame, geometry, raster, 0, options, &mesh, &error), status);
  CHECK(mesh.id == 0 && strlen(error.message) > 10);
  CHECK_STATUS(ald_engine_frame_create_geometry_array_mesh(frame, array, raster, NULL, 0, options, &mesh, &error),
               status);
  const ald_status begun =
      ald_engine_frame_create_geometry_array_mesh_async(frame, array, raster, NULL, 0, options, NULL, &request, &error);
  if (begun == ALD_STATUS_OK) {
    CHECK_OK(ald_request_wait(request, ALD_ALL, &state, &error), &error);
    CHECK(state == ALD_REQUEST_STATE_FAILED);
    CHECK_STATUS(ald_request_take_mesh(request, &mesh, &error), status);
    ald_request_release(request);
  } else {
    CHECK_STATUS(begun, status);
  }
  ald_geometry_release(geometry);
  ald_geometry_array_release(array);
}

static void check_terrain_status(ald_engine_frame frame, ald_raster raster, const ald_envelope *box,
                                 const ald_mesh_options *options, ald_status status) {
  ald_error error;
  ald_mesh mesh = {1};
  ald_request request;
  ald_request_state state;
  CHECK_STATUS(ald_engine_frame_create_terrain_mesh(frame, raster, none, box, options, &mesh, &error), status);
  CHECK(mesh.id == 0);
  const ald_status begun =
      ald_engine_frame_create_terrain_mesh_async(frame, raster, none, box, options, NULL, &request, &error);
  if (begun == ALD_STATUS_OK) {
    CHECK_OK(ald_request_wait(request, ALD_ALL, &state, &error), &error);
    CHECK_STATUS(ald_request_take_mesh(request, &mesh, &error), status);
    ald_request_release(request);
  } else {
    CHECK_STATUS(begun, status);
  }
}

static const char SQUARE[] =
    "{\"type\":\"Polygon\",\"coordinates\":[[[500100,4500100],[500200,4500100],[500200,4500200],"
    "[500100,4500100]]]}";

static void test_refused(ald_raster raster, char **argv) {
  ald_error error;
  ald_mesh mesh;
  const ald_engine_frame frame = make_frame(utm, ALD_ENGINE_FRAME_KIND_PLANAR);
  const ald_geometry square = shape("POLYGON((500100 4500100,500200 4500100,500200 4500200,500100 4500100))", utm);
  ald_mesh_options options = ALD_MESH_OPTIONS_INIT;

  /* Options that are out of their range, each by its message. */
  static const double bad[] = {NAN, -1, INFINITY};
  for (int i = 0; i < 3; i++) {
    double *const fields[] = {&options.maximum_deviation_m, &options.line_width_m, &options.mitre_limit,
                              &options.metres_per_band_unit, &options.skirt_m};
    for (size_t field = 0; field < sizeof fields / sizeof fields[0]; field++) {
      *fields[field] = bad[i];
      check_status_of(frame, SQUARE, utm, no_raster, &options, ALD_STATUS_INVALID_ARGUMENT);
      check_terrain_status(frame, raster, NULL, &options, ALD_STATUS_INVALID_ARGUMENT);
      *fields[field] = 0;
    }
    CHECK_STATUS(ald_engine_frame_create_geometry_mesh(frame, square, no_raster, bad[i] == -1 ? 2e6 : bad[i], &options,
                                                       &mesh, &error),
                 ALD_STATUS_INVALID_ARGUMENT);
    CHECK(error.argument == 4);
    const ald_envelope box = {500000, 4500000, 500000 + bad[i], 4500100};
    check_terrain_status(frame, raster, &box, NULL, ALD_STATUS_INVALID_ARGUMENT);
  }
  options.flags = 64;
  check_status_of(frame, SQUARE, utm, no_raster, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.flags = 0;
  options.line_cap = 9;
  check_status_of(frame, SQUARE, utm, no_raster, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.line_cap = 0;
  options.line_join = -1;
  check_status_of(frame, SQUARE, utm, no_raster, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.line_join = 0;
  options.quadrant_segments = 1001;
  check_status_of(frame, SQUARE, utm, no_raster, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.quadrant_segments = 0;
  options.texture_envelope.x_max = -1;
  check_status_of(frame, SQUARE, utm, no_raster, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.texture_envelope.x_max = 0;
  options.struct_size = 3;
  check_status_of(frame, SQUARE, utm, no_raster, &options, ALD_STATUS_INVALID_ARGUMENT);
  options.struct_size = sizeof options;
  options.band = 2;
  check_status_of(frame, SQUARE, utm, raster, &options, ALD_STATUS_NOT_FOUND);
  check_terrain_status(frame, raster, NULL, &options, ALD_STATUS_NOT_FOUND);
  options.band = -1;
  check_terrain_status(frame, raster, NULL, &options, ALD_STATUS_NOT_FOUND);

  /* Geometries that have no mesh. */
  check_status_of(frame, "{\"type\":\"Point\",\"coordinates\":[500100,4500100]}", utm, no_raster, NULL,
                  ALD_STATUS_UNSUPPORTED);
  check_status_of(frame, "{\"type\":\"LineString\",\"coordinates\":[[500100,4500100],[500200,4500100]]}", utm,
                  no_raster, NULL, ALD_STATUS_INVALID_ARGUMENT);
  check_status_of(frame,
                  "{\"type\":\"Polygon\",\"coordinates\":[[[500100,4500100],[500200,4500200],[500200,4500100],"
                  "[500100,4500200],[500100,4500100]]]}",
                  utm, no_raster, NULL, ALD_STATUS_INVALID_ARGUMENT);
  check_status_of(frame, SQUARE, plane, no_raster, NULL, ALD_STATUS_PROJECTION_FAILED);
  check_status_of(frame, SQUARE, plane, raster, NULL, ALD_STATUS_PROJECTION_FAILED);
  ald_geometry unplaced = shape("POLYGON((0 0,1 0,1 1,0 0))", none);
  CHECK_STATUS(ald_engine_frame_create_geometry_mesh(frame, unplaced, no_raster, 0, NULL, &mesh, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  ald_geometry_release(unplaced);

  /* Arrays of walls. */
  const ald_geometry_array array = shapes(SQUARE, utm);
  const double heights[3] = {1, 2, 3};
  CHECK_STATUS(ald_engine_frame_create_geometry_array_mesh(frame, array, no_raster, heights, 2, NULL, &mesh, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 5);
  CHECK_STATUS(ald_engine_frame_create_geometry_array_mesh(frame, array, no_raster, NULL, 1, NULL, &mesh, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 4);

  /* Rasters without what a mesh needs. */
  ald_raster other;
  CHECK_OK(ald_raster_open(runtime, raster_path(argv, "RGB.byte.gcp.vrt"), NULL, &other, &error), &error);
  check_terrain_status(frame, other, NULL, NULL, ALD_STATUS_UNSUPPORTED);
  check_status_of(frame, SQUARE, utm, other, NULL, ALD_STATUS_UNSUPPORTED);
  ald_raster_release(other);
  static const char UNREFERENCED[] = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n";
  CHECK_OK(ald_raster_open(runtime, write_text("nowhere.asc", UNREFERENCED), NULL, &other, &error), &error);
  check_terrain_status(frame, other, NULL, NULL, ALD_STATUS_NOT_READY);
  check_status_of(frame, SQUARE, utm, other, NULL, ALD_STATUS_NOT_READY);
  ald_raster_release(other);
  CHECK_OK(ald_raster_create(runtime, path_of("cone.asc"), NULL, &other, &error), &error);
  check_terrain_status(frame, other, NULL, NULL, ALD_STATUS_NOT_READY);
  check_status_of(frame, SQUARE, utm, other, NULL, ALD_STATUS_NOT_READY);
  ald_raster_release(other);
  static const char DAMAGED[] = "ncols 60\nnrows 60\nxllcorner 500000\nyllcorner 4500000\ncellsize 10\n1 2 3\n";
  ald_raster_open_options opening = ALD_RASTER_OPEN_OPTIONS_INIT;
  opening.spatial_reference = utm;
  CHECK_OK(ald_raster_open(runtime, write_text("damaged.asc", DAMAGED), &opening, &other, &error), &error);
  check_terrain_status(frame, other, NULL, NULL, ALD_STATUS_READ_FAILED);
  check_status_of(frame, SQUARE, utm, other, NULL, ALD_STATUS_READ_FAILED);
  ald_raster_release(other);
  const ald_engine_frame flat = make_frame(plane, ALD_ENGINE_FRAME_KIND_PLANAR);
  check_terrain_status(flat, raster, NULL, NULL, ALD_STATUS_PROJECTION_FAILED);
  ald_engine_frame_release(flat);

  /* Handles and out parameters. */
  ald_request request;
  CHECK_STATUS(ald_engine_frame_create_geometry_mesh((ald_engine_frame){7}, square, no_raster, 0, NULL, &mesh, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_engine_frame_create_geometry_mesh(frame, square, (ald_raster){7}, 0, NULL, &mesh, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_engine_frame_create_geometry_mesh(frame, square, no_raster, 0, NULL, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_engine_frame_create_terrain_mesh(frame, no_raster, none, NULL, NULL, &mesh, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_engine_frame_create_terrain_mesh_async(frame, no_raster, none, NULL, NULL, NULL, &request, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_engine_frame_create_geometry_array_mesh((ald_engine_frame){0}, array, no_raster, NULL, 0, NULL,
                                                           &mesh, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_engine_frame_create_geometry_array_mesh_async((ald_engine_frame){0}, array, no_raster, NULL, 0, NULL,
                                                                 NULL, &request, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_OK(ald_raster_open_async(runtime, path_of("cone.asc"), NULL, NULL, &request, &error), &error);
  ald_request_state state;
  CHECK_OK(ald_request_wait(request, ALD_ALL, &state, &error), &error);
  CHECK_STATUS(ald_request_take_mesh(request, &mesh, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_request_release(request);
  CHECK_OK(ald_engine_frame_create_geometry_mesh(frame, square, no_raster, 0, NULL, &mesh, &error), &error);
  ald_mesh_release(mesh);
  ald_mesh_release(mesh);
  ald_mesh_info info = ALD_MESH_INFO_INIT;
  ald_mesh_columns columns = ALD_MESH_COLUMNS_INIT;
  CHECK_STATUS(ald_mesh_get_info(mesh, &info, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_mesh_get_columns(mesh, &columns, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_OK(ald_engine_frame_create_geometry_mesh(frame, square, no_raster, 0, NULL, &mesh, &error), &error);
  CHECK_STATUS(ald_mesh_get_info(mesh, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_mesh_get_columns(mesh, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_mesh_release(mesh);
  ald_geometry_array_release(array);
  ald_geometry_release(square);
  ald_engine_frame_release(frame);
}

/* Requests that have not ended, and that are cancelled: a pending one waits behind slow ones on the only thread. */
static void test_requests(ald_raster raster) {
  ald_error error;
  ald_mesh mesh;
  ald_request requests[20];
  const ald_engine_frame frame = make_frame(utm, ALD_ENGINE_FRAME_KIND_PLANAR);
  ald_mesh_options options = ALD_MESH_OPTIONS_INIT;
  options.maximum_deviation_m = 0.001;
  for (int i = 0; i < 20; i++)
    CHECK_OK(
        ald_engine_frame_create_terrain_mesh_async(frame, raster, none, NULL, &options, NULL, &requests[i], &error),
        &error);
  CHECK_STATUS(ald_request_take_mesh(requests[19], &mesh, &error), ALD_STATUS_NOT_READY);
  CHECK_OK(ald_request_cancel(requests[19], &error), &error);
  CHECK_STATUS(ald_request_take_mesh(requests[19], &mesh, &error), ALD_STATUS_CANCELLED);
  for (int i = 0; i < 20; i++)
    ald_request_release(requests[i]);
  ald_engine_frame_release(frame);
}

/* A mesh may not become larger than the policy allows, however fine it is asked to be. */
static void test_limits(void) {
  ald_error error;
  const ald_runtime before = runtime;
  const ald_spatial_reference reference = utm;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_points = 5000;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  if (!CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error))
    return;
  CHECK_OK(ald_spatial_reference_create(runtime, "EPSG:32610", &utm, &error), &error);
  const ald_raster raster = open_cone();
  const ald_engine_frame frame = make_frame(utm, ALD_ENGINE_FRAME_KIND_PLANAR);
  ald_mesh_options fine = ALD_MESH_OPTIONS_INIT;
  fine.maximum_deviation_m = 0.001;
  check_terrain_status(frame, raster, NULL, &fine, ALD_STATUS_LIMIT_EXCEEDED);
  check_status_of(frame,
                  "{\"type\":\"Polygon\",\"coordinates\":[[[500000,4500000],[500600,4500000],[500600,4500600],"
                  "[500000,4500600],[500000,4500000]]]}",
                  utm, raster, &fine, ALD_STATUS_LIMIT_EXCEEDED);
  ald_runtime_release(runtime);
  runtime = before;
  utm = reference;
}

int main(int argc, char **argv) {
  ald_error error;
  if (argc < 2 || !make_folder())
    return 1;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.thread_count = 1;
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  CHECK_OK(ald_spatial_reference_create(runtime, "EPSG:32610", &utm, &error), &error);
  CHECK_OK(ald_spatial_reference_create(runtime, "EPSG:4326", &degrees, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_wkt(runtime, "LOCAL_CS[\"a building\",UNIT[\"metre\",1]]", &plane, &error),
           &error);
  const ald_raster raster = open_cone();
  test_polygons();
  test_terrain(raster);
  test_refused(raster, argv);
  test_requests(raster);
  test_limits();
  ald_runtime_release(runtime);
  remove_folder();
  return finish();
}

/* Projecting geometries as a C host does it: marks and their capacity, both flags, what is refused, and messages. */
#include "scene.h"

#include <math.h>
#include <string.h>

static ald_runtime runtime;
static ald_spatial_reference british, mercator, world;
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

static ald_geometry_array array(const char *geojson) {
  ald_error error;
  ald_geometry_array made = {0};
  CHECK_OK(ald_geometry_array_create_from_geojson(runtime, geojson, none, &made, &error), &error);
  return made;
}

static int is_wkt(ald_geometry of, const char *expected) {
  ald_error error;
  char text[512] = "";
  ald_wkt_options options = ALD_WKT_OPTIONS_INIT;
  options.flags = ALD_WKT_HAS_DECIMALS;
  CHECK_OK(ald_geometry_get_wkt(of, &options, text, sizeof text, NULL, &error), &error);
  return is_text(text, expected);
}

/* A line with a vertex at the pole, which Web Mercator does not have. */
static void test_geometry_marks(void) {
  enum { VERTICES = 6 };
  ald_error error;
  const ald_geometry line = geometry("LINESTRING M (0 0 1, 1 0 2, 5 90 3, 0 1 4, 0 2 5, 0 90 6)", world);
  ald_geometry image = {1};
  ald_projection_receipt receipt = {1};
  ald_point_status statuses[VERTICES + 1];
  uint32_t operations[VERTICES + 1];
  memset(statuses, 77, sizeof statuses);
  memset(operations, 77, sizeof operations);

  CHECK_STATUS(
      ald_geometry_create_projected(line, mercator, NULL, 0, statuses, operations, VERTICES, &image, &receipt, &error),
      ALD_STATUS_PROJECTION_FAILED);
  CHECK(image.id == 0 && receipt.id == 0 && statuses[0] == 77);
  CHECK(holds_text(error.message, "2 of 6 vertices") && holds_text(error.message, "path 0, vertex 2, at (5, 90)"));

  CHECK_OK(ald_geometry_create_projected(line, mercator, NULL, ALD_MISSING_IMAGE_LEFT_OUT, statuses, operations,
                                         VERTICES, &image, &receipt, &error),
           &error);
  CHECK(is_wkt(image, "MULTILINESTRING M ((0 0 1, 111319 0 2), (0 111325 4, 0 222684 5))"));
  static const ald_point_status wanted[VERTICES + 1] = {0, 0, ALD_POINT_STATUS_FAILED, 0, 0, ALD_POINT_STATUS_FAILED,
                                                        77};
  CHECK(memcmp(statuses, wanted, sizeof wanted) == 0);
  CHECK(operations[0] == 0 && operations[2] == ALD_NO_OPERATION && operations[4] == 0);
  ald_projection_receipt_info info = ALD_PROJECTION_RECEIPT_INFO_INIT;
  CHECK_OK(ald_projection_receipt_get_info(receipt, &info, &error), &error);
  CHECK(info.point_count == VERTICES && info.failed_count == 2 && info.operation_count == 1);
  ald_projection_receipt_release(receipt);
  ald_geometry_release(image);

  /* One array of marks, no array, and a capacity that is too small or that belongs to no array. */
  CHECK_OK(ald_geometry_create_projected(line, mercator, NULL, ALD_MISSING_IMAGE_LEFT_OUT, NULL, operations, VERTICES,
                                         &image, NULL, &error),
           &error);
  ald_geometry_release(image);
  CHECK_OK(ald_geometry_create_projected(line, mercator, NULL, ALD_MISSING_IMAGE_LEFT_OUT, NULL, NULL, 0, &image, NULL,
                                         &error),
           &error);
  ald_geometry_release(image);
  CHECK_STATUS(ald_geometry_create_projected(line, mercator, NULL, ALD_MISSING_IMAGE_LEFT_OUT, statuses, NULL,
                                             VERTICES - 1, &image, NULL, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(error.argument == 7 && image.id == 0);
  CHECK_STATUS(ald_geometry_create_projected(line, mercator, NULL, 0, NULL, NULL, 1, &image, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_create_projected(line, mercator, NULL, 0, statuses, NULL, SIZE_MAX, &image, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_create_projected(line, mercator, NULL, 0, NULL, NULL, 0, NULL, &receipt, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  /* What empties a geometry is for arrays. */
  CHECK_STATUS(ald_geometry_create_projected(line, mercator, NULL, ALD_MISSING_IMAGE_EMPTIES_GEOMETRY, NULL, NULL, 0,
                                             &image, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  ald_geometry_release(line);
}

/* The same in an array, next to a polygon, which is refused whole, and a collection, whose vertices have marks as well.
 */
static void test_array_marks(void) {
  enum { GEOMETRIES = 4, VERTICES = 2 + 4 + 3 + 1 };
  static const char features[] =
      "{\"type\":\"FeatureCollection\",\"features\":["
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[0,0],[1,0]]}},"
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[0,90],[0,0]]]}},"
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"GeometryCollection\",\"geometries\":["
      "{\"type\":\"Point\",\"coordinates\":[1,0]},"
      "{\"type\":\"MultiPoint\",\"coordinates\":[[0,91],[0,1]]}]}},"
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,90]}}]}";
  ald_error error;
  const ald_geometry_array given = array(features);
  ald_geometry_array image = {1};
  ald_projection_receipt receipt = {1};
  ald_point_status of_geometries[GEOMETRIES], statuses[VERTICES];
  uint32_t operations[VERTICES];
  CHECK_STATUS(ald_geometry_array_create_projected(given, mercator, NULL, 0, of_geometries, GEOMETRIES, statuses,
                                                   operations, VERTICES, &image, &receipt, &error),
               ALD_STATUS_PROJECTION_FAILED);
  CHECK(image.id == 0 && receipt.id == 0 && holds_text(error.message, "geometry 1, path 0, vertex 2"));
  /* A polygon still fails. */
  CHECK_STATUS(ald_geometry_array_create_projected(given, mercator, NULL, ALD_MISSING_IMAGE_LEFT_OUT, NULL, 0, NULL,
                                                   NULL, 0, &image, NULL, &error),
               ALD_STATUS_PROJECTION_FAILED);
  CHECK(holds_text(error.message, "polygon"));

  static const ald_point_status wanted[GEOMETRIES] = {0, ALD_POINT_STATUS_FAILED, ALD_POINT_STATUS_INVALID_COORDINATE,
                                                      ALD_POINT_STATUS_FAILED};
  static const ald_point_status of_vertices[VERTICES] = {0, 0, 0, 0, 1, 0, 0, 6, 0, 1};
  static const char *const emptied[GEOMETRIES] = {"LINESTRING (0 0, 111319 0)", "POLYGON EMPTY",
                                                  "GEOMETRYCOLLECTION EMPTY", "POINT EMPTY"};
  static const char *const cut[GEOMETRIES] = {"LINESTRING (0 0, 111319 0)", "POLYGON EMPTY",
                                              "GEOMETRYCOLLECTION (POINT (111319 0), MULTIPOINT ((0 111325)))",
                                              "POINT EMPTY"};
  for (int leaves_out = 0; leaves_out < 2; leaves_out++) {
    const ald_missing_image_flags flags =
        ALD_MISSING_IMAGE_EMPTIES_GEOMETRY | (leaves_out ? ALD_MISSING_IMAGE_LEFT_OUT : 0);
    CHECK_OK(ald_geometry_array_create_projected(given, mercator, NULL, flags, of_geometries, GEOMETRIES, statuses,
                                                 operations, VERTICES, &image, &receipt, &error),
             &error);
    CHECK(memcmp(of_geometries, wanted, sizeof wanted) == 0);
    CHECK(memcmp(statuses, of_vertices, sizeof of_vertices) == 0);
    for (uint32_t i = 0; i < GEOMETRIES; i++) {
      ald_geometry one;
      CHECK_OK(ald_geometry_array_create_geometry(image, i, &one, &error), &error);
      CHECK(is_wkt(one, leaves_out ? cut[i] : emptied[i]));
      ald_geometry_release(one);
    }
    ald_projection_receipt_release(receipt);
    ald_geometry_array_release(image);
  }

  CHECK_STATUS(ald_geometry_array_create_projected(given, mercator, NULL, 2, of_geometries, GEOMETRIES - 1, NULL, NULL,
                                                   0, &image, NULL, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(error.argument == 6);
  CHECK_STATUS(ald_geometry_array_create_projected(given, mercator, NULL, 2, NULL, 0, NULL, operations, VERTICES - 1,
                                                   &image, NULL, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(error.argument == 9);
  CHECK_STATUS(
      ald_geometry_array_create_projected(given, mercator, NULL, 2, NULL, 1, NULL, NULL, 0, &image, NULL, &error),
      ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(
      ald_geometry_array_create_projected(given, mercator, NULL, 4, NULL, 0, NULL, NULL, 0, &image, NULL, &error),
      ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_array_create_projected(given, none, NULL, 0, NULL, 0, NULL, NULL, 0, &image, NULL, &error),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(
      ald_geometry_array_create_projected(given, mercator, NULL, 0, NULL, 0, NULL, NULL, 0, NULL, NULL, &error),
      ALD_STATUS_INVALID_ARGUMENT);
  ald_geometry_array_release(given);
}

/* Where both mean the same positions the columns are shared, and the result outlives what it was made of. */
static void test_identity(void) {
  ald_error error;
  const ald_spatial_reference again = reference("OGC:CRS84");
  const ald_geometry_array given = array("{\"type\":\"MultiPoint\",\"coordinates\":[[1,2],[3,91]]}");
  ald_geometry_columns before = ALD_GEOMETRY_COLUMNS_INIT, after = ALD_GEOMETRY_COLUMNS_INIT;
  ald_geometry_array image;
  ald_projection_receipt receipt;
  ald_projection_receipt_info info = ALD_PROJECTION_RECEIPT_INFO_INIT;
  ald_point_status statuses[2] = {7, 7};
  uint32_t operations[2] = {7, 7};
  CHECK_OK(ald_geometry_array_create_projected(given, again, NULL, 0, NULL, 0, statuses, operations, 2, &image,
                                               &receipt, &error),
           &error);
  CHECK(statuses[0] == 0 && statuses[1] == 0 && operations[0] == 0 && operations[1] == 0);
  CHECK_OK(ald_projection_receipt_get_info(receipt, &info, &error), &error);
  CHECK(info.flags == ALD_PROJECTION_RECEIPT_IDENTITY && info.point_count == 2 && info.operation_count == 1);
  CHECK_OK(ald_geometry_array_get_columns(given, &before, &error), &error);
  CHECK_OK(ald_geometry_array_get_columns(image, &after, &error), &error);
  CHECK(before.xy == after.xy && before.vertex_offsets == after.vertex_offsets);
  ald_geometry_array_release(given);
  ald_spatial_reference lent = {0};
  uint32_t is_equal = 0;
  CHECK_OK(ald_geometry_array_get_spatial_reference(image, &lent, &error), &error);
  CHECK_OK(ald_spatial_reference_equals(lent, again, &is_equal, &error), &error);
  CHECK(is_equal && after.xy[3] == 91);
  ald_projection_receipt_release(receipt);
  ald_geometry_array_release(image);
  ald_spatial_reference_release(again);
}

static ald_status project_both(ald_spatial_reference from, const char *wkt, const ald_projection_options *options,
                               ald_error *error) {
  ald_geometry image;
  ald_geometry_array images;
  const ald_geometry one = geometry(wkt, from);
  uint8_t wkb[512];
  size_t offsets[2] = {0, 0};
  ald_geometry_array many;
  CHECK_OK(ald_geometry_get_wkb(one, 0, wkb, sizeof wkb, &offsets[1], error), error);
  CHECK_OK(ald_geometry_array_create_from_wkb(runtime, wkb, offsets[1], offsets, 1, from, &many, error), error);
  const ald_status of_many =
      ald_geometry_array_create_projected(many, mercator, options, 0, NULL, 0, NULL, NULL, 0, &images, NULL, error);
  const ald_status of_one =
      ald_geometry_create_projected(one, mercator, options, 0, NULL, NULL, 0, &image, NULL, error);
  CHECK(of_many == of_one);
  if (of_one == ALD_STATUS_OK) {
    ald_geometry_release(image);
    ald_geometry_array_release(images);
  }
  ald_geometry_release(one);
  ald_geometry_array_release(many);
  return of_one;
}

/* The library does not know the method. */
static const char UNKNOWN_METHOD[] =
    "COORDINATEOPERATION[\"Nobody's\",SOURCECRS[GEOGCRS[\"OSGB36\",DATUM[\"Ordnance Survey of Great Britain "
    "1936\",ELLIPSOID[\"Airy 1830\",6377563.396,299.3249646]],CS[ellipsoidal,2],AXIS[\"latitude\",north],"
    "AXIS[\"longitude\",east],UNIT[\"degree\",0.0174532925199433],ID[\"EPSG\",4277]]],TARGETCRS[GEOGCRS[\"WGS "
    "84\",DATUM[\"World Geodetic System 1984\",ELLIPSOID[\"WGS 84\",6378137,298.257223563]],CS[ellipsoidal,2],"
    "AXIS[\"latitude\",north],AXIS[\"longitude\",east],UNIT[\"degree\",0.0174532925199433],ID[\"EPSG\",4326]]],"
    "METHOD[\"A method of nobody's\"],OPERATIONACCURACY[1]]";

static void test_options(void) {
  static const char point[] = "LINESTRING (400000 300000, 410000 310000)";
  ald_error error;
  ald_projection_options options = ALD_PROJECTION_OPTIONS_INIT;
  options.flags = ALD_PROJECT_STRICT;
  CHECK_STATUS(project_both(british, point, &options, &error), ALD_STATUS_OK);
  /* In the Sahara there is only a ballpark operation. */
  CHECK_STATUS(project_both(british, "POINT (5000000 3000000)", &options, &error), ALD_STATUS_PROJECTION_FAILED);
  CHECK(holds_text(error.message, "ballpark"));
  /* The grid of OSTN15 is not among Debian's. */
  options.flags = ALD_PROJECT_ONLY_BEST;
  CHECK_STATUS(project_both(british, point, &options, &error), ALD_STATUS_MISSING_GRID);
  CHECK(holds_text(error.message, "vertex 0, at (400000, 300000)") && error.argument == 0);
  options.flags = ALD_PROJECT_INVERSE;
  CHECK_STATUS(project_both(british, point, &options, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 3);
  options.flags = 0;
  CHECK_OK(ald_transformation_create_from_code(runtime, NULL, "7710", &options.transformation, &error), &error);
  CHECK_STATUS(project_both(british, point, &options, &error), ALD_STATUS_MISSING_GRID);
  CHECK(holds_text(error.message, "OSTN15") && error.argument == 3);
  ald_transformation_release(options.transformation);
  CHECK_OK(ald_transformation_create_from_code(runtime, NULL, "1314", &options.transformation, &error), &error);
  CHECK_STATUS(project_both(british, point, &options, &error), ALD_STATUS_OK);
  CHECK_STATUS(project_both(mercator, "POINT (1 2)", &options, &error), ALD_STATUS_INVALID_ARGUMENT);
  ald_transformation_release(options.transformation);
  CHECK_OK(ald_transformation_create(runtime, UNKNOWN_METHOD, &options.transformation, &error), &error);
  CHECK_STATUS(project_both(british, point, &options, &error), ALD_STATUS_UNSUPPORTED);
  ald_transformation_release(options.transformation);
}

static void test_refused(void) {
  ald_error error;
  CHECK_STATUS(project_both(none, "POINT (1 2)", NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(holds_text(error.message, "no spatial reference") && error.argument == 1);
  const ald_spatial_reference plane = reference("LOCAL_CS[\"plane\",UNIT[\"metre\",1]]");
  CHECK_STATUS(project_both(plane, "POINT EMPTY", NULL, &error), ALD_STATUS_PROJECTION_FAILED);
  ald_spatial_reference_release(plane);
  ald_runtime elsewhere;
  ald_spatial_reference foreign;
  ald_geometry image;
  const ald_geometry given = geometry("POINT (1 2)", world);
  CHECK_OK(ald_runtime_create(NULL, &elsewhere, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(elsewhere, NULL, 3857, &foreign, &error), &error);
  CHECK_STATUS(ald_geometry_create_projected(given, foreign, NULL, 0, NULL, NULL, 0, &image, NULL, &error),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2 && image.id == 0);
  ald_geometry_release(given);
  ald_runtime_release(elsewhere);
}

/* A geometry that the policy allows, and the work of projecting it not. */
static void test_limits(void) {
  enum { VERTICES = 32 };
  ald_error error;
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  ald_runtime small;
  ald_spatial_reference from, to;
  double xy[2 * VERTICES] = {0};
  policy.max_request_bytes = 1200;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(&options, &small, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(small, NULL, 4326, &from, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(small, NULL, 3857, &to, &error), &error);
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.kind = ALD_GEOMETRY_KIND_MULTIPOINT;
  columns.vertex_count = VERTICES;
  columns.xy = xy;
  ald_geometry one, image;
  ald_geometry_array many, images;
  CHECK_OK(ald_geometry_create(small, &columns, from, &one, &error), &error);
  CHECK_OK(ald_geometry_array_create(small, &columns, from, &many, &error), &error);
  CHECK_STATUS(ald_geometry_create_projected(one, to, NULL, 0, NULL, NULL, 0, &image, NULL, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_geometry_array_create_projected(many, to, NULL, 0, NULL, 0, NULL, NULL, 0, &images, NULL, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  ald_runtime_release(small);
}

int main(void) {
  ald_error error;
  if (CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error)) {
    british = reference("EPSG:27700");
    mercator = reference("EPSG:3857");
    world = reference("EPSG:4326");
    test_geometry_marks();
    test_array_marks();
    test_identity();
    test_options();
    test_refused();
    test_limits();
    ald_spatial_reference_release(british);
    ald_spatial_reference_release(mercator);
    ald_spatial_reference_release(world);
    CHECK(live_handles(runtime) == 1);
    ald_runtime_release(runtime);
  }
  return finish();
}

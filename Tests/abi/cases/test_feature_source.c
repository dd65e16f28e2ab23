/* Features as a C host reads them, and the statuses that need files and policies of their own. */
#include "blocker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char POINTS[] =
    "{\"type\":\"FeatureCollection\",\"features\":["
    "{\"type\":\"Feature\",\"properties\":{\"name\":\"a\",\"n\":1,\"r\":0.5,\"l\":[1,2],\"t\":[\"x\",\"y\"],"
    "\"d\":\"2024-02-29\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}},"
    "{\"type\":\"Feature\",\"properties\":{\"name\":null},\"geometry\":{\"type\":\"Point\",\"coordinates\":[3,4]}},"
    "{\"type\":\"Feature\",\"properties\":{\"name\":\"\",\"n\":3},\"geometry\":{\"type\":\"Point\",\"coordinates\":[5,"
    "6]}}]}";
static const char TABLE[] = "name,number\na,1\nb,2\n";
static const char LOOSE[] = "name,x,y\na,1,2\nb,3,4\n";
/* The part of a database that marks a write-ahead log: read and write version 2. */
static const char LOGGED[100] = "SQLite format 3\0\x10\x00\x02\x02\x00\x40\x20\x20";

static char folder[] = "/tmp/alidade-features-XXXXXX";
static ald_runtime runtime;
static ald_spatial_reference wgs84, mercator;

static const char *path_of(const char *name) {
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void write_file(const char *name, const void *content, size_t size) {
  FILE *file = fopen(path_of(name), "wb");
  if (CHECK(file != NULL)) {
    CHECK(fwrite(content, 1, size, file) == size);
    CHECK(fclose(file) == 0);
  }
}

static ald_runtime runtime_with(uint64_t bytes, uint64_t points) {
  ald_error error;
  ald_runtime made;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_bytes = bytes;
  policy.max_request_points = points;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  options.thread_count = 2;
  CHECK_OK(ald_runtime_create(&options, &made, &error), &error);
  return made;
}

static ald_feature_source open_in(ald_runtime host, const char *name, ald_spatial_reference reference) {
  ald_error error;
  ald_feature_source source;
  ald_feature_source_options options = ALD_FEATURE_SOURCE_OPTIONS_INIT;
  options.spatial_reference = reference;
  CHECK_OK(ald_feature_source_open(host, path_of(name), &options, &source, &error), &error);
  return source;
}

static ald_feature_source open_file(const char *name) {
  return open_in(runtime, name, (ald_spatial_reference){0});
}

static void test_values(void) {
  ald_error error;
  ald_feature_source source = open_file("points.geojson");
  ald_feature_set set;
  CHECK_OK(ald_feature_source_query(source, NULL, &set, &error), &error);
  /* The set outlives its source. */
  ald_feature_source_release(source);
  ald_feature_set_info info = ALD_FEATURE_SET_INFO_INIT;
  CHECK_OK(ald_feature_set_get_info(set, &info, &error), &error);
  CHECK(info.feature_count == 3 && info.field_count == 6 && info.flags == ALD_FEATURE_SET_HAS_GEOMETRIES);
  CHECK(is_text(info.first_reason, ""));
  ald_attribute_value value = ALD_ATTRIBUTE_VALUE_INIT;
  CHECK_OK(ald_feature_set_get_attribute(set, 0, 0, &value, &error), &error);
  CHECK(value.type == ALD_FIELD_TYPE_TEXT && value.element_count == 1 && is_text(value.text, "a") && isnan(value.real));
  CHECK_OK(ald_feature_set_get_attribute(set, 1, 0, &value, &error), &error);
  CHECK(value.state == ALD_VALUE_STATE_NULL && value.text == NULL);
  CHECK_OK(ald_feature_set_get_attribute(set, 1, 1, &value, &error), &error);
  CHECK(value.state == ALD_VALUE_STATE_UNSET && value.type == ALD_FIELD_TYPE_INTEGER);
  CHECK_OK(ald_feature_set_get_attribute(set, 2, 0, &value, &error), &error);
  CHECK(value.state == ALD_VALUE_STATE_PRESENT && value.element_count == 0 && is_text(value.text, ""));
  CHECK_OK(ald_feature_set_get_attribute(set, 0, 2, &value, &error), &error);
  CHECK(value.type == ALD_FIELD_TYPE_REAL && value.real == 0.5);
  CHECK_OK(ald_feature_set_get_attribute(set, 0, 3, &value, &error), &error);
  CHECK(value.type == ALD_FIELD_TYPE_INTEGER_LIST && value.element_count == 2 && value.integers[1] == 2);
  CHECK_OK(ald_feature_set_get_attribute(set, 0, 4, &value, &error), &error);
  CHECK(value.type == ALD_FIELD_TYPE_TEXT_LIST && value.element_count == 2 && is_text(value.texts[1], "y"));
  CHECK_OK(ald_feature_set_get_attribute(set, 0, 5, &value, &error), &error);
  CHECK(value.type == ALD_FIELD_TYPE_DATE && value.date_time.year == 2024 && value.date_time.month == 2 &&
        value.date_time.day == 29);
  CHECK_STATUS(ald_feature_set_get_attribute(set, 3, 0, &value, NULL), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_feature_set_get_attribute(set, 0, 6, &value, NULL), ALD_STATUS_NOT_FOUND);
  ald_attribute_column column = ALD_ATTRIBUTE_COLUMN_INIT;
  CHECK_OK(ald_feature_set_get_attribute_column(set, 1, &column, &error), &error);
  CHECK(column.integers[0] == 1 && column.integers[2] == 3 && column.states[1] == ALD_VALUE_STATE_UNSET &&
        column.offsets == NULL);
  CHECK_STATUS(ald_feature_set_get_attribute_column(set, 6, &column, NULL), ALD_STATUS_NOT_FOUND);
  ald_geometry_array array;
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  CHECK_OK(ald_feature_set_get_geometries(set, &array, &error), &error);
  CHECK_OK(ald_geometry_array_get_columns(array, &columns, &error), &error);
  CHECK(columns.geometry_count == 3 && columns.xy[4] == 5 && columns.xy[5] == 6);
  ald_feature_set_release(set);
}

static void test_opening(void) {
  static const struct {
    const char *name;
    const char *statement;
    ald_status status;
  } cases[] = {
      {"none.gpkg", NULL, ALD_STATUS_NOT_FOUND},
      {"empty.geojson", NULL, ALD_STATUS_READ_FAILED},
      {"folder", NULL, ALD_STATUS_READ_FAILED},
      {"service.xml", NULL, ALD_STATUS_POLICY_REFUSED},
      {"points.kmz", NULL, ALD_STATUS_POLICY_REFUSED},
      {"logged.gpkg", NULL, ALD_STATUS_UNSUPPORTED},
      {"large.kml", NULL, ALD_STATUS_LIMIT_EXCEEDED},
      {"points.geojson", "SELECT nothing FROM points", ALD_STATUS_INVALID_ARGUMENT},
  };
  ald_error error;
  ald_feature_source source;
  ald_request request;
  ald_request_state state;
  ald_runtime small = runtime_with(64000, 1000);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ald_feature_source_options options = ALD_FEATURE_SOURCE_OPTIONS_INIT;
    options.statement = cases[i].statement;
    CHECK_STATUS(ald_feature_source_open(small, path_of(cases[i].name), &options, &source, &error), cases[i].status);
    CHECK(source.id == 0 && error.argument == 2);
    CHECK_OK(ald_feature_source_open_async(small, path_of(cases[i].name), &options, NULL, &request, &error), &error);
    CHECK_OK(ald_request_wait(request, ALD_ALL, &state, &error), &error);
    CHECK(state == ALD_REQUEST_STATE_FAILED);
    CHECK_STATUS(ald_request_take_feature_source(request, &source, NULL), cases[i].status);
    ald_request_release(request);
  }
  ald_runtime_release(small);
  ald_feature_source_options options = ALD_FEATURE_SOURCE_OPTIONS_INIT;
  options.statement = "SELECT * FROM 'other.shp'.other";
  CHECK_STATUS(ald_feature_source_open(runtime, path_of("points.geojson"), &options, &source, NULL),
               ALD_STATUS_POLICY_REFUSED);
  CHECK_STATUS(ald_feature_source_open_async(runtime, path_of("points.geojson"), &options, NULL, &request, NULL),
               ALD_STATUS_POLICY_REFUSED);
  options.statement = NULL;
  options.layer_name = "other";
  CHECK_STATUS(ald_feature_source_open(runtime, path_of("points.geojson"), &options, &source, NULL),
               ALD_STATUS_NOT_FOUND);
}

/* What a request has made can be taken once, and only when it is there. */
static void test_taking(void) {
  ald_error error;
  ald_request opening, reading, building;
  ald_request_state state;
  ald_feature_source source, taken;
  ald_feature_set set;
  ald_raster raster;
  source = open_file("points.geojson");
  blocker blocker;
  if (block_workers(&blocker, runtime, NULL)) {
    CHECK_OK(ald_feature_source_open_async(runtime, path_of("points.geojson"), NULL, NULL, &opening, &error), &error);
    CHECK_OK(ald_feature_source_query_async(source, NULL, NULL, &reading, &error), &error);
    CHECK_STATUS(ald_request_take_feature_source(opening, &taken, NULL), ALD_STATUS_NOT_READY);
    CHECK_STATUS(ald_request_take_feature_set(reading, &set, NULL), ALD_STATUS_NOT_READY);
    CHECK_OK(ald_request_cancel(opening, &error), &error);
    CHECK_OK(ald_request_cancel(reading, &error), &error);
    CHECK_STATUS(ald_request_take_feature_source(opening, &taken, NULL), ALD_STATUS_CANCELLED);
    CHECK_STATUS(ald_request_take_feature_set(reading, &set, NULL), ALD_STATUS_CANCELLED);
    ald_request_release(opening);
    ald_request_release(reading);
    unblock_workers(&blocker);
    end_blocker(&blocker);
  }
  CHECK_OK(ald_feature_source_open_async(runtime, path_of("points.geojson"), NULL, NULL, &opening, &error), &error);
  CHECK_OK(ald_feature_source_query_async(source, NULL, NULL, &reading, &error), &error);
  CHECK_OK(ald_feature_source_build_index_async(source, NULL, &building, &error), &error);
  CHECK_OK(ald_request_wait(opening, ALD_ALL, &state, &error), &error);
  CHECK_OK(ald_request_wait(reading, ALD_ALL, &state, &error), &error);
  CHECK_OK(ald_request_wait(building, ALD_ALL, &state, &error), &error);
  CHECK(state == ALD_REQUEST_STATE_SUCCEEDED);
  CHECK_STATUS(ald_request_take_raster(opening, &raster, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_request_take_feature_set(opening, &set, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_request_take_feature_source(building, &taken, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_request_take_feature_source(opening, &taken, &error), &error);
  CHECK_OK(ald_request_take_feature_set(reading, &set, &error), &error);
  CHECK_STATUS(ald_request_take_feature_source(opening, &taken, NULL), ALD_STATUS_INVALID_STATE);
  CHECK_STATUS(ald_request_take_feature_set(reading, &set, NULL), ALD_STATUS_INVALID_STATE);
  ald_request_release(opening);
  ald_request_release(reading);
  ald_request_release(building);
  ald_feature_source_release(source);
}

/* Asks all three functions that read; those that wait are asked by way of a request. */
static void check_reading(ald_feature_source source, const ald_feature_query *query, ald_status status, int at_once) {
  ald_error error;
  ald_feature_set set;
  ald_request request;
  ald_request_state state;
  uint64_t count;
  CHECK_STATUS(ald_feature_source_query(source, query, &set, NULL), status);
  if (at_once) {
    CHECK_STATUS(ald_feature_source_query_async(source, query, NULL, &request, NULL), status);
  } else {
    CHECK_OK(ald_feature_source_query_async(source, query, NULL, &request, &error), &error);
    CHECK_OK(ald_request_wait(request, ALD_ALL, &state, &error), &error);
    CHECK_STATUS(ald_request_take_feature_set(request, &set, NULL), status);
    ald_request_release(request);
  }
  /* Counting holds nothing in memory. */
  const ald_status counted = ald_feature_source_query_count(source, query, &count, NULL);
  CHECK(counted == status || (status == ALD_STATUS_LIMIT_EXCEEDED && !at_once && counted == ALD_STATUS_OK));
}

static void test_reading(void) {
  ald_error error;
  const uint32_t no_field = 99;
  static const int64_t ids[9] = {0};
  ald_geometry pole;
  ald_feature_source source = open_file("points.geojson");
  ald_feature_query query = ALD_FEATURE_QUERY_INIT;
  query.flags = ALD_FEATURE_QUERY_HAS_FIELDS;
  query.field_indexes = &no_field;
  query.field_count = 1;
  check_reading(source, &query, ALD_STATUS_NOT_FOUND, 1);
  query = (ald_feature_query)ALD_FEATURE_QUERY_INIT;
  query.where = "nothing = 1";
  check_reading(source, &query, ALD_STATUS_INVALID_ARGUMENT, 0);
  query.where = "load_extension('x') = 1";
  check_reading(source, &query, ALD_STATUS_POLICY_REFUSED, 1);
  query.where = "name GLOB '*a*b'";
  check_reading(source, &query, ALD_STATUS_POLICY_REFUSED, 1);
  ald_feature_source_release(source);

  source = open_in(runtime, "points.geojson", mercator);
  CHECK_OK(ald_geometry_create_from_wkt(runtime, "POINT (0 90)", wgs84, &pole, &error), &error);
  query = (ald_feature_query)ALD_FEATURE_QUERY_INIT;
  query.geometry = pole;
  ald_feature_set set;
  CHECK_OK(ald_feature_source_query(source, &query, &set, &error), &error);
  CHECK(set.id != 0);
  ald_feature_set_release(set);
  ald_geometry_release(pole);
  query = (ald_feature_query)ALD_FEATURE_QUERY_INIT;
  query.flags = ALD_FEATURE_QUERY_HAS_ENVELOPE;
  query.envelope = (ald_envelope){0, 90, 0, 90};
  query.envelope_spatial_reference = wgs84;
  check_reading(source, &query, ALD_STATUS_PROJECTION_FAILED, 0);
  ald_feature_source_release(source);

  source = open_file("loose.csv");
  ald_spatial_reference none;
  CHECK_STATUS(ald_feature_source_get_spatial_reference(source, &none, NULL), ALD_STATUS_NOT_FOUND);
  query = (ald_feature_query)ALD_FEATURE_QUERY_INIT;
  query.spatial_reference = mercator;
  check_reading(source, &query, ALD_STATUS_NOT_READY, 1);
  char text[8];
  uint32_t unreadable = 9;
  CHECK_STATUS(ald_feature_source_get_warning(source, &unreadable, text, sizeof text, NULL, NULL),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK_OK(ald_feature_source_get_warning(source, &unreadable, NULL, 0, NULL, &error), &error);
  CHECK(unreadable == 0);
  ald_feature_source_release(source);

  ald_runtime small = runtime_with(1 << 20, 2);
  source = open_in(small, "points.geojson", (ald_spatial_reference){0});
  check_reading(source, NULL, ALD_STATUS_LIMIT_EXCEEDED, 0);
  query = (ald_feature_query)ALD_FEATURE_QUERY_INIT;
  query.flags = ALD_FEATURE_QUERY_HAS_IDS;
  query.ids = ids;
  query.id_count = 9;
  check_reading(source, &query, ALD_STATUS_LIMIT_EXCEEDED, 1);
  ald_runtime_release(small);

  source = open_file("table.csv");
  ald_geometry_array array;
  CHECK_OK(ald_feature_source_query(source, NULL, &set, &error), &error);
  CHECK_STATUS(ald_feature_set_get_geometries(set, &array, NULL), ALD_STATUS_NOT_FOUND);
  ald_feature_set_release(set);
  ald_feature_source_release(source);

  write_file("changing.geojson", POINTS, sizeof POINTS - 1);
  source = open_file("changing.geojson");
  write_file("changing.geojson", POINTS, sizeof POINTS - 1);
  check_reading(source, NULL, ALD_STATUS_READ_FAILED, 0);
  ald_feature_source_release(source);
}

/* Asks both functions that need an index. */
static void check_asking(ald_feature_source source, double y, ald_spatial_reference reference, ald_status status) {
  int64_t ids[4];
  ald_nearest_feature near[4];
  size_t count;
  const ald_envelope box = {0, y, 0, y};
  CHECK_STATUS(ald_feature_source_query_ids(source, box, reference, ids, 4, &count, NULL), status);
  CHECK_STATUS(ald_feature_source_query_nearest(source, (ald_point){0, y}, reference, 0, near, 4, &count, NULL),
               status);
}

static void test_index(void) {
  ald_error error;
  const ald_spatial_reference own = {0};
  ald_feature_source source = open_file("points.geojson");
  check_asking(source, 0, own, ALD_STATUS_NOT_READY);
  ald_feature_index_info info = ALD_FEATURE_INDEX_INFO_INIT;
  CHECK_OK(ald_feature_source_get_index_info(source, &info, &error), &error);
  CHECK(info.index_status == ALD_INDEX_STATUS_NONE && info.size_bytes == 0 && isnan(info.extent.x_min));
  CHECK_OK(ald_feature_source_build_index(source, &error), &error);
  CHECK_OK(ald_feature_source_get_index_info(source, &info, &error), &error);
  CHECK(info.index_status == ALD_INDEX_STATUS_READY && info.feature_count == 3 && info.size_bytes > 0 &&
        info.extent.x_max == 5);
  int64_t ids[2];
  size_t count = 0;
  const ald_envelope all = {0, 0, 9, 9};
  CHECK_STATUS(ald_feature_source_query_ids(source, all, own, ids, 2, &count, NULL), ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(count == 3);
  ald_nearest_feature near[2];
  CHECK_OK(ald_feature_source_query_nearest(source, (ald_point){5, 5}, own, 0, near, 2, &count, &error), &error);
  CHECK(count == 2 && near[0].feature_id == 2 && near[0].distance == 1 && near[1].feature_id == 1);
  CHECK_OK(ald_feature_source_query_nearest(source, (ald_point){5, 5}, own, 1, near, 2, &count, &error), &error);
  CHECK(count == 1);
  ald_feature_source_release(source);

  source = open_in(runtime, "points.geojson", mercator);
  CHECK_OK(ald_feature_source_build_index(source, &error), &error);
  check_asking(source, 90, wgs84, ALD_STATUS_PROJECTION_FAILED);
  ald_feature_source_release(source);

  source = open_file("table.csv");
  CHECK_STATUS(ald_feature_source_build_index(source, NULL), ALD_STATUS_UNSUPPORTED);
  check_asking(source, 0, own, ALD_STATUS_UNSUPPORTED);
  ald_feature_source_release(source);

  write_file("changing.geojson", POINTS, sizeof POINTS - 1);
  source = open_file("changing.geojson");
  CHECK_OK(ald_feature_source_build_index(source, &error), &error);
  ald_feature_source other = open_file("changing.geojson");
  write_file("changing.geojson", POINTS, sizeof POINTS - 1);
  check_asking(source, 0, own, ALD_STATUS_READ_FAILED);
  CHECK_STATUS(ald_feature_source_build_index(other, NULL), ALD_STATUS_READ_FAILED);
  ald_feature_source_release(source);
  ald_feature_source_release(other);

  ald_runtime small = runtime_with(400, 3);
  source = open_in(small, "points.geojson", own);
  CHECK_STATUS(ald_feature_source_build_index(source, NULL), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_OK(ald_feature_source_get_index_info(source, &info, &error), &error);
  CHECK(info.index_status == ALD_INDEX_STATUS_FAILED);
  check_asking(source, 0, own, ALD_STATUS_LIMIT_EXCEEDED);
  /* Queries go on without. */
  ald_feature_query query = ALD_FEATURE_QUERY_INIT;
  uint64_t found = 0;
  query.envelope = (ald_envelope){0, 0, 3, 4};
  /* Without its bit it would count for nothing, and all be found. */
  CHECK_STATUS(ald_feature_source_query_count(source, &query, &found, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(holds_text(error.message, "ALD_FEATURE_QUERY_HAS_ENVELOPE"));
  query.flags = ALD_FEATURE_QUERY_HAS_ENVELOPE;
  CHECK_OK(ald_feature_source_query_count(source, &query, &found, &error), &error);
  CHECK(found == 2);
  ald_runtime_release(small);
}

int main(int argc, char **argv) {
  ald_error error;
  (void)argc;
  (void)argv;
  if (!CHECK(mkdtemp(folder) != NULL))
    return finish();
  runtime = runtime_with(1 << 24, 1000);
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, "EPSG", 4326, &wgs84, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, "EPSG", 3857, &mercator, &error), &error);
  static char large[8000] = "<kml>";
  memset(large + 5, ' ', sizeof large - 5);
  write_file("points.geojson", POINTS, sizeof POINTS - 1);
  write_file("table.csv", TABLE, sizeof TABLE - 1);
  write_file("loose.csv", LOOSE, sizeof LOOSE - 1);
  write_file("empty.geojson", "", 0);
  write_file("service.xml", "<OGRWFSDataSource><URL>http://127.0.0.1:9/</URL></OGRWFSDataSource>", 67);
  write_file("points.kmz", "PK\3\4\24\0\0\0\0\0", 10);
  write_file("logged.gpkg", LOGGED, sizeof LOGGED);
  write_file("logged.gpkg-wal", "changes", 7);
  write_file("large.kml", large, sizeof large);
  CHECK(mkdir(path_of("folder"), 0700) == 0);
  test_values();
  test_opening();
  test_taking();
  test_reading();
  test_index();
  uint64_t left = 0;
  CHECK_OK(ald_runtime_get_handle_count(runtime, &left, &error), &error);
  /* The runtime, the two spatial references, and the source that a request gave. */
  CHECK(left == 5);
  ald_runtime_release(runtime);
  static const char *const names[] = {"points.geojson",   "table.csv",  "loose.csv",      "empty.geojson",
                                      "service.xml",      "points.kmz", "logged.gpkg",    "large.kml",
                                      "changing.geojson", "folder",     "logged.gpkg-wal"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    remove(path_of(names[i]));
  CHECK(rmdir(folder) == 0);
  return finish();
}

/* Arrow: arrays that outlive what they come from, what lies in them, arrays that come in, and what is refused. */
#include "arrow_structs.h"
#include "layer_files.h"

#include <math.h>

static const char FEATURES[] =
    "{\"type\":\"FeatureCollection\",\"features\":["
    "{\"type\":\"Feature\",\"id\":5,\"properties\":{\"n\":7,\"t\":\"ab\"},\"geometry\":{\"type\":\"Point\","
    "\"coordinates\":[1,2]}},"
    "{\"type\":\"Feature\",\"id\":6,\"properties\":{\"n\":null,\"t\":\"\"},\"geometry\":null}]}";

static ald_runtime make_runtime(uint64_t max_bytes, uint64_t max_points) {
  ald_error error;
  ald_runtime runtime;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_bytes = max_bytes;
  policy.max_request_points = max_points;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  return runtime;
}

static ald_geometry_array array_of(ald_runtime runtime, const char *geojson) {
  ald_error error;
  ald_geometry_array array = {0};
  CHECK_OK(ald_geometry_array_create_from_geojson(runtime, geojson, (ald_spatial_reference){0}, &array, &error),
           &error);
  return array;
}

#define FEATURE(geometry) "{\"type\":\"Feature\",\"properties\":{},\"geometry\":" geometry "}"
static const char LINES[] = "{\"type\":\"FeatureCollection\",\"features\":[" FEATURE(
    "{\"type\":\"LineString\",\"coordinates\":[[1,2],[3,4]]}") "," FEATURE("{\"type\":\"LineString\",\"coordinates\":[["
                                                                           "5,6],[7,8],[9,10]]}") "]}";
static const char MIXED[] =
    "{\"type\":\"FeatureCollection\",\"features\":[" FEATURE("{\"type\":\"Point\",\"coordinates\":[1,2]}") "," FEATURE(
        "{\"type\":\"LineString\",\"coordinates\":[[5,6],[7,8]]}") "]}";

/* Values lie where Arrow says, and live on without the array and its runtime. */
static void test_columns(void) {
  ald_error error;
  struct ArrowSchema schema;
  struct ArrowArray values;
  ald_runtime runtime = make_runtime(0, 0);
  const ald_geometry_array array = array_of(runtime, LINES);
  CHECK_OK(ald_geometry_array_export_arrow(array, ALD_ARROW_ENCODING_GEOARROW, &schema, &values, &error), &error);
  ald_geometry_array_release(array);
  ald_runtime_release(runtime);
  CHECK(strcmp(schema.format, "+l") == 0 && schema.n_children == 1 && values.length == 2 && values.n_buffers == 2);
  CHECK(strstr(schema.metadata + 8, "ARROW:extension:name") != NULL);
  const int32_t *offsets = values.buffers[1];
  CHECK(offsets[0] == 0 && offsets[1] == 2 && offsets[2] == 5);
  CHECK(strcmp(schema.children[0]->format, "+w:2") == 0 && values.children[0]->length == 5);
  const double *numbers = values.children[0]->children[0]->buffers[1];
  for (int i = 0; i < 10; i++)
    CHECK(numbers[i] == i + 1);
  /* A child that is moved out lives on without its parent. */
  struct ArrowArray moved = *values.children[0];
  values.children[0]->release = NULL;
  schema.release(&schema);
  values.release(&values);
  CHECK(schema.release == NULL && values.release == NULL);
  CHECK(((const double *)moved.children[0]->buffers[1])[9] == 10);
  moved.release(&moved);
}

static void test_features(ald_runtime runtime) {
  ald_error error;
  ald_feature_source source;
  ald_feature_set set;
  struct ArrowArrayStream stream;
  struct ArrowSchema schema, other_schema;
  struct ArrowArray values, other, end;
  CHECK_OK(ald_feature_source_open(runtime, write_text("features.geojson", FEATURES), NULL, &source, &error), &error);
  CHECK_OK(ald_feature_source_query(source, NULL, &set, &error), &error);
  CHECK_OK(ald_feature_set_export_arrow(set, ALD_ARROW_ENCODING_WKB, &schema, &values, &error), &error);
  CHECK(strcmp(schema.format, "+s") == 0 && schema.n_children == 4 && values.length == 2);
  static const char *const names[] = {"fid", "n", "t", "geometry"};
  for (int i = 0; i < 4; i++)
    CHECK(strcmp(schema.children[i]->name, names[i]) == 0);
  CHECK(((const int64_t *)values.children[0]->buffers[1])[1] == 6);
  CHECK(values.children[1]->null_count == 1 && (*(const uint8_t *)values.children[1]->buffers[0] & 3) == 1);
  CHECK(((const int64_t *)values.children[1]->buffers[1])[0] == 7);
  CHECK(((const int64_t *)values.children[2]->buffers[1])[1] == 2 &&
        memcmp(values.children[2]->buffers[2], "ab", 2) == 0);
  CHECK(values.children[3]->null_count == 1);
  /* The table comes in again: its column of geometries. */
  ald_geometry_array array;
  ald_geometry_array_info info = ALD_GEOMETRY_ARRAY_INFO_INIT;
  CHECK_OK(ald_geometry_array_create_from_arrow(runtime, &schema, &values, (ald_spatial_reference){0}, &array, &error),
           &error);
  CHECK_OK(ald_geometry_array_get_info(array, &info, &error), &error);
  CHECK(info.geometry_count == 2);
  ald_geometry_array_release(array);
  CHECK_OK(ald_feature_set_export_arrow_stream(set, ALD_ARROW_ENCODING_WKB, &stream, &error), &error);
  CHECK(stream.get_schema(&stream, &other_schema) == 0 && stream.get_next(&stream, &other) == 0);
  CHECK(other.length == 2 && other_schema.n_children == 4);
  CHECK(stream.get_next(&stream, &end) == 0 && end.release == NULL && stream.get_last_error(&stream) == NULL);
  stream.release(&stream);
  other_schema.release(&other_schema);
  other.release(&other);
  /* Refused. */
  ald_feature_source mixed_source;
  ald_feature_set mixed;
  CHECK_OK(ald_feature_source_open(runtime, write_text("mixed.geojson", MIXED), NULL, &mixed_source, &error), &error);
  CHECK_OK(ald_feature_source_query(mixed_source, NULL, &mixed, &error), &error);
  CHECK_STATUS(ald_feature_set_export_arrow(mixed, ALD_ARROW_ENCODING_GEOARROW, &schema, &values, NULL),
               ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_feature_set_export_arrow_stream(mixed, ALD_ARROW_ENCODING_GEOARROW, &stream, NULL),
               ALD_STATUS_UNSUPPORTED);
  ald_feature_set_release(mixed);
  ald_feature_source_release(mixed_source);
  CHECK_STATUS(ald_feature_set_export_arrow(set, 7, &schema, &values, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_feature_set_export_arrow(set, 0, NULL, &values, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_feature_set_export_arrow(set, 0, &schema, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_feature_set_export_arrow_stream(set, 7, &stream, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_feature_set_export_arrow_stream(set, 0, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_feature_set_export_arrow((ald_feature_set){0}, 0, &schema, &values, NULL),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_feature_set_export_arrow_stream((ald_feature_set){0}, 0, &stream, NULL), ALD_STATUS_INVALID_HANDLE);
  const int is_released = values.release != NULL;
  CHECK(is_released); /* What was refused left them alone. */
  schema.release(&schema);
  values.release(&values);
  const ald_spatial_reference none = {0};
  CHECK_STATUS(ald_geometry_array_create_from_arrow(runtime, &schema, &values, none, &array, NULL),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_array_create_from_arrow(runtime, NULL, &values, none, &array, NULL),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_array_create_from_arrow(runtime, &schema, NULL, none, &array, NULL),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_array_create_from_arrow(runtime, &schema, &values, none, NULL, NULL),
               ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_array_create_from_arrow((ald_runtime){0}, &schema, &values, none, &array, NULL),
               ALD_STATUS_INVALID_HANDLE);
  ald_feature_set_release(set);
  ald_feature_source_release(source);
}

static void keep(struct ArrowArray *array) {
  (void)array;
}
static void keep_schema(struct ArrowSchema *schema) {
  (void)schema;
}

/* A column of the test's own: well-known binary, one point. */
static ald_status create(ald_runtime runtime, const char *format, const char *metadata, int32_t end) {
  static const uint8_t point[21] = {1, 1};
  const int32_t offsets[] = {0, end};
  const void *buffers[] = {NULL, offsets, point};
  struct ArrowSchema schema = {format, "g", metadata, 2, 0, NULL, NULL, keep_schema, NULL};
  struct ArrowArray values = {1, 0, 0, 3, 0, buffers, NULL, NULL, keep, NULL};
  ald_geometry_array array = {0};
  const ald_status status =
      ald_geometry_array_create_from_arrow(runtime, &schema, &values, (ald_spatial_reference){0}, &array, NULL);
  ald_geometry_array_release(array);
  return status;
}

/* A number of the machine, and a text. */
static size_t put(char *to, const char *text) {
  const int32_t size = (int32_t)strlen(text);
  memcpy(to, &size, 4);
  memcpy(to + 4, text, (size_t)size);
  return 4 + (size_t)size;
}

static const char *metadata_of(const char *name, const char *extension) {
  static char text[512];
  const int32_t count = 2;
  memcpy(text, &count, 4);
  size_t end = 4;
  end += put(text + end, "ARROW:extension:name");
  end += put(text + end, name);
  end += put(text + end, "ARROW:extension:metadata");
  put(text + end, extension);
  return text;
}

static void test_coming_in(ald_runtime runtime) {
  CHECK_STATUS(create(runtime, "z", NULL, 21), ALD_STATUS_OK);
  CHECK_STATUS(create(runtime, "z", metadata_of("geoarrow.wkb", "{}"), 21), ALD_STATUS_OK);
  CHECK_STATUS(create(runtime, "z", metadata_of("geoarrow.wkb", "{\"crs\":\"EPSG:3035\"}"), 21), ALD_STATUS_OK);
  CHECK_STATUS(create(runtime, "z", metadata_of("geoarrow.wkb", "{\"crs\":\"EPSG:1\"}"), 21), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(create(runtime, "z", metadata_of("geoarrow.wkb", "{"), 21), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(create(runtime, "z", metadata_of("geoarrow.box", "{}"), 21), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(create(runtime, "l", NULL, 21), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(create(runtime, "u", metadata_of("geoarrow.wkb", "{}"), 21), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(create(runtime, "z", metadata_of("geoarrow.polygon", "{}"), 21), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(create(runtime, "z", NULL, 20), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(create(runtime, "z", NULL, -1), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(create(runtime, "+s", NULL, 21), ALD_STATUS_INVALID_ARGUMENT);
}

static void test_refusals(void) {
  struct ArrowSchema schema;
  struct ArrowArray values;
  ald_error error;
  ald_runtime runtime = make_runtime(0, 0), small = make_runtime(1000000, 3);
  const ald_geometry_array lines = array_of(runtime, LINES);
  const ald_geometry_array mixed = array_of(runtime, MIXED);
  CHECK_STATUS(ald_geometry_array_export_arrow(mixed, ALD_ARROW_ENCODING_GEOARROW, &schema, &values, NULL),
               ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_geometry_array_export_arrow(lines, -1, &schema, &values, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_array_export_arrow(lines, 0, NULL, &values, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_array_export_arrow(lines, 0, &schema, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_geometry_array_export_arrow((ald_geometry_array){0}, 0, &schema, &values, NULL),
               ALD_STATUS_INVALID_HANDLE);
  CHECK_OK(ald_geometry_array_export_arrow(lines, 0, &schema, &values, &error), &error);
  ald_geometry_array array;
  CHECK_STATUS(ald_geometry_array_create_from_arrow(small, &schema, &values, (ald_spatial_reference){0}, &array, NULL),
               ALD_STATUS_LIMIT_EXCEEDED);
  schema.release(&schema);
  values.release(&values);
  ald_geometry_array_release(mixed);
  ald_geometry_array_release(lines);
  ald_runtime_release(small);
  ald_runtime_release(runtime);
}

/* An array of the host's, with a column in it if there is one. */
typedef struct column {
  struct ArrowSchema schema, *schema_child;
  struct ArrowArray array, *array_child;
} column;

static void make_column(column *made, const char *format, const char *name, int64_t length, int64_t buffer_count,
                        const void **buffers, column *child) {
  memset(made, 0, sizeof *made);
  made->schema.format = format;
  made->schema.name = name;
  made->schema.release = keep_schema;
  made->array.length = length;
  made->array.n_buffers = buffer_count;
  made->array.buffers = buffers;
  made->array.release = keep;
  if (child == NULL)
    return;
  made->schema_child = &child->schema;
  made->array_child = &child->array;
  made->schema.n_children = made->array.n_children = 1;
  made->schema.children = &made->schema_child;
  made->array.children = &made->array_child;
}

static ald_status read_column(ald_runtime runtime, const column *made, ald_geometry_array *array) {
  ald_error error;
  const ald_status status = ald_geometry_array_create_from_arrow(runtime, &made->schema, &made->array,
                                                                 (ald_spatial_reference){0}, array, &error);
  CHECK(status == ALD_STATUS_OK || error.argument == 2 || error.argument == 3);
  return status;
}

/* The metadata that says the type of a column: one pair of texts, each after its size. */
#define METADATA(size, type)                                                                                           \
  "\1\0\0\0\x14\0\0\0"                                                                                                 \
  "ARROW:extension:name" size "\0\0\0" type
static const char LINESTRING[] = METADATA("\x13", "geoarrow.linestring");
static const char WKB[] = METADATA("\x0c", "geoarrow.wkb");

/* Sizes whose product is beyond 2^63, and a list that is its own child. */
static void test_hostile_lists(ald_runtime runtime) {
  static const double numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  static const int32_t offsets[2] = {0, 2};
  const void *list_buffers[2] = {NULL, offsets}, *no_buffers[1] = {NULL}, *number_buffers[2] = {NULL, numbers};
  const int64_t huge[] = {(INT64_C(1) << 61) - 1, INT64_MAX / 256, INT64_MAX};
  column line, tuples, doubles;
  ald_geometry_array array;
  make_column(&doubles, "g", "xyzm", 8, 2, number_buffers, NULL);
  make_column(&tuples, "+w:4", "vertices", 2, 1, no_buffers, &doubles);
  make_column(&line, "+l", "line", 1, 2, list_buffers, &tuples);
  line.schema.metadata = LINESTRING;
  if (CHECK(read_column(runtime, &line, &array) == ALD_STATUS_OK))
    ald_geometry_array_release(array);
  for (int i = 0; i < 3; i++) {
    tuples.array.length = tuples.array.offset = huge[i];
    CHECK(read_column(runtime, &line, &array) == ALD_STATUS_INVALID_ARGUMENT);
  }
  tuples.array.length = 2;
  tuples.array.offset = 0;
  tuples.schema.format = "+w:+4";
  CHECK(read_column(runtime, &line, &array) == ALD_STATUS_INVALID_ARGUMENT);
  make_column(&line, "+l", "line", 1, 2, list_buffers, &line);
  line.schema.metadata = LINESTRING;
  CHECK(read_column(runtime, &line, &array) == ALD_STATUS_INVALID_ARGUMENT);
}

/* A view of 21 bytes in a buffer of 21 bytes, and of 20. The last buffer has the sizes. */
static void test_hostile_views(ald_runtime runtime) {
  static unsigned char bytes[21] = {1, 1};
  int64_t sizes[1] = {sizeof bytes};
  struct {
    int32_t size;
    char prefix[4];
    int32_t buffer, offset;
  } view = {sizeof bytes, {1, 1}, 0, 0};
  const void *buffers[4] = {NULL, &view, bytes, sizes};
  column made;
  ald_geometry_array array;
  make_column(&made, "vz", "geometry", 1, 4, buffers, NULL);
  made.schema.metadata = WKB;
  if (CHECK(read_column(runtime, &made, &array) == ALD_STATUS_OK))
    ald_geometry_array_release(array);
  sizes[0]--;
  CHECK(read_column(runtime, &made, &array) == ALD_STATUS_INVALID_ARGUMENT);
  sizes[0]++;
  view.offset = INT32_MAX;
  CHECK(read_column(runtime, &made, &array) == ALD_STATUS_INVALID_ARGUMENT);
  view.offset = 0;
  view.buffer = 1;
  CHECK(read_column(runtime, &made, &array) == ALD_STATUS_INVALID_ARGUMENT);
  made.array.n_buffers = 3;
  view.buffer = 0;
  CHECK(read_column(runtime, &made, &array) == ALD_STATUS_INVALID_ARGUMENT);
}

/* Where a row of a table is null, so is its geometry, whatever the column has there. */
static void test_null_rows(ald_runtime runtime) {
  static const double numbers[4] = {9, 9, 1, 2};
  static const unsigned char validity[1] = {2};
  const void *table_buffers[1] = {validity}, *no_buffers[1] = {NULL}, *number_buffers[2] = {NULL, numbers};
  column table, points, doubles;
  ald_error error;
  ald_geometry_array array;
  make_column(&doubles, "g", "xy", 4, 2, number_buffers, NULL);
  make_column(&points, "+w:2", "geometry", 2, 1, no_buffers, &doubles);
  points.schema.metadata = METADATA("\x0e", "geoarrow.point");
  make_column(&table, "+s", "", 2, 1, table_buffers, &points);
  table.array.null_count = 1;
  if (!CHECK(read_column(runtime, &table, &array) == ALD_STATUS_OK))
    return;
  for (uint32_t row = 0; row < 2; row++) {
    char text[40];
    ald_geometry geometry;
    CHECK_OK(ald_geometry_array_create_geometry(array, row, &geometry, &error), &error);
    CHECK_OK(ald_geometry_get_wkt(geometry, NULL, text, sizeof text, NULL, &error), &error);
    CHECK(strcmp(text, row == 0 ? "POINT EMPTY" : "POINT (1 2)") == 0);
    ald_geometry_release(geometry);
  }
  ald_geometry_array_release(array);
}

/* A multipoint takes 16 bytes for each point in memory, and 21 as WKB. */
static void test_limits(void) {
  enum { COUNT = 4000 };
  ald_error error;
  struct ArrowSchema schema;
  struct ArrowArray values;
  struct ArrowArrayStream stream;
  static double xy[2 * COUNT];
  ald_runtime runtime = make_runtime(18 * COUNT, 0);
  ald_geometry_array array;
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.kind = ALD_GEOMETRY_KIND_MULTIPOINT;
  columns.geometry_count = 1;
  columns.vertex_count = COUNT;
  columns.xy = xy;
  CHECK_OK(ald_geometry_array_create(runtime, &columns, (ald_spatial_reference){0}, &array, &error), &error);
  CHECK_STATUS(ald_geometry_array_export_arrow(array, 0, &schema, &values, NULL), ALD_STATUS_LIMIT_EXCEEDED);
  ald_runtime_release(runtime);
  /* The same from a file, with as few bytes as it can be read with. */
  static char text[16 * COUNT];
  char *end = text + sprintf(text, "WKT,n\n\"MULTIPOINT(");
  for (int i = 0; i < COUNT; i++)
    end += sprintf(end, "%s%d 1", i == 0 ? "" : ",", i % 100);
  sprintf(end, ")\",1\n");
  const char *path = write_text("points.csv", text);
  ald_status status = ALD_STATUS_LIMIT_EXCEEDED, exported = ALD_STATUS_OK, streamed = ALD_STATUS_OK;
  for (uint64_t bytes = 17 * COUNT; bytes < 60 * COUNT && status != ALD_STATUS_OK; bytes += COUNT / 4) {
    ald_feature_source source = {0};
    ald_feature_set set = {0};
    runtime = make_runtime(bytes, 0);
    status = ald_feature_source_open(runtime, path, NULL, &source, &error);
    if (status == ALD_STATUS_OK)
      status = ald_feature_source_query(source, NULL, &set, &error);
    if (status == ALD_STATUS_OK) {
      exported = ald_feature_set_export_arrow(set, 0, &schema, &values, NULL);
      streamed = ald_feature_set_export_arrow_stream(set, 0, &stream, NULL);
    }
    ald_runtime_release(runtime);
  }
  CHECK_STATUS(exported, ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(streamed, ALD_STATUS_LIMIT_EXCEEDED);
}

/* A view with an overlay of one graphic, a multipoint, and what lies at the middle of the view; or of two, with a point
 * there. */
static ald_identify_result identify(ald_runtime runtime, const double *xy, uint32_t count, int with_point) {
  ald_error error;
  ald_spatial_reference degrees;
  ald_map map;
  ald_view view;
  ald_graphics_overlay overlay;
  ald_geometry_array array;
  ald_identify_result result = {0};
  uint64_t id;
  ald_view_options size = ALD_VIEW_OPTIONS_INIT;
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  columns.kind = ALD_GEOMETRY_KIND_MULTIPOINT;
  columns.geometry_count = 1;
  columns.vertex_count = count;
  columns.xy = xy;
  size.width_dip = size.height_dip = 500;
  renderer.symbol.kind = ALD_SYMBOL_KIND_MARKER;
  renderer.symbol.size_dip = 10;
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, NULL, 4326, &degrees, &error), &error);
  CHECK_OK(ald_map_create(runtime, degrees, &map, &error), &error);
  CHECK_OK(ald_map_set_initial_location(map, 2, 1, 1e6, &error), &error);
  CHECK_OK(ald_view_create(map, &size, &view, &error), &error);
  CHECK_OK(ald_geometry_array_create(runtime, &columns, degrees, &array, &error), &error);
  CHECK_OK(ald_graphics_overlay_create(runtime, NULL, &overlay, &error), &error);
  CHECK_OK(ald_graphics_overlay_set_name(overlay, "stops", &error), &error);
  CHECK_OK(ald_graphics_overlay_set_renderer(overlay, &renderer, &error), &error);
  CHECK_OK(ald_view_add_graphics_overlay(view, overlay, &error), &error);
  CHECK_OK(ald_graphics_overlay_add_graphics(overlay, array, NULL, &id, &error), &error);
  if (with_point) {
    columns.kind = ALD_GEOMETRY_KIND_POINT;
    columns.vertex_count = 1;
    CHECK_OK(ald_geometry_array_create(runtime, &columns, degrees, &array, &error), &error);
    CHECK_OK(ald_graphics_overlay_add_graphics(overlay, array, NULL, &id, &error), &error);
  }
  CHECK_OK(ald_view_identify(view, (ald_point){250, 250}, 5, ALD_ALL, NULL, &result, &error), &error);
  return result;
}

static void test_identify_results(void) {
  ald_error error;
  struct ArrowSchema schema, other_schema;
  struct ArrowArray values, other;
  struct ArrowArrayStream stream;
  static const char *const names[] = {"kind",      "layer", "sublayer",     "id",         "column",
                                      "row",       "zone",  "distance_dip", "distance_m", "nearest_x",
                                      "nearest_y", "text",  "geometry"};
  enum { COLUMNS = sizeof names / sizeof names[0] };
  const double here[] = {1, 2, 30, 40};
  ald_runtime runtime = make_runtime(0, 0);
  const ald_identify_result result = identify(runtime, here, 2, 0);
  const ald_identify_result mixed = identify(runtime, here, 2, 1);
  CHECK_STATUS(ald_identify_result_export_arrow(mixed, ALD_ARROW_ENCODING_GEOARROW, &schema, &values, NULL),
               ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_identify_result_export_arrow_stream(mixed, ALD_ARROW_ENCODING_GEOARROW, &stream, NULL),
               ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_identify_result_export_arrow(result, 7, &schema, &values, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_identify_result_export_arrow(result, 0, NULL, &values, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_identify_result_export_arrow(result, 0, &schema, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_identify_result_export_arrow_stream(result, 7, &stream, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_identify_result_export_arrow_stream(result, 0, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_OK(ald_identify_result_export_arrow_stream(result, ALD_ARROW_ENCODING_WKB, &stream, &error), &error);
  CHECK_OK(ald_identify_result_export_arrow(result, ALD_ARROW_ENCODING_GEOARROW, &schema, &values, &error), &error);
  ald_identify_result_release(result);
  ald_runtime_release(runtime);
  CHECK_STATUS(ald_identify_result_export_arrow(result, 0, &other_schema, &other, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_identify_result_export_arrow_stream(result, 0, &stream, NULL), ALD_STATUS_INVALID_HANDLE);
  CHECK(strcmp(schema.format, "+s") == 0 && values.length == 1);
  if (CHECK(schema.n_children == COLUMNS)) {
    for (int i = 0; i < COLUMNS; i++)
      CHECK(strcmp(schema.children[i]->name, names[i]) == 0);
    CHECK(memcmp(values.children[0]->buffers[2], "graphic", 7) == 0);
    CHECK(memcmp(values.children[1]->buffers[2], "stops", 5) == 0);
    CHECK(values.children[4]->null_count == 1 && values.children[5]->null_count == 1);
    CHECK(((const double *)values.children[7]->buffers[1])[0] == 0);
    CHECK(((const double *)values.children[9]->buffers[1])[0] == 1);
    CHECK(((const double *)values.children[10]->buffers[1])[0] == 2);
    const double *xy = values.children[12]->children[0]->children[0]->buffers[1];
    CHECK(xy[0] == 1 && xy[1] == 2 && xy[2] == 30 && xy[3] == 40);
  }
  CHECK(stream.get_schema(&stream, &other_schema) == 0 && stream.get_next(&stream, &other) == 0);
  CHECK(other.length == 1 && other_schema.n_children == COLUMNS);
  other_schema.release(&other_schema);
  other.release(&other);
  stream.release(&stream);
  schema.release(&schema);
  values.release(&values);
}

/* What an identify may find is more than its table may take: a point has 16 bytes, and 21 as WKB. */
static void test_identify_limits(void) {
  enum { COUNT = 100000 };
  struct ArrowSchema schema;
  struct ArrowArray values;
  struct ArrowArrayStream stream;
  static double xy[2 * COUNT];
  ald_runtime runtime = make_runtime(18 * COUNT, 0);
  for (int i = 0; i < COUNT; i++) {
    xy[2 * i] = 1;
    xy[2 * i + 1] = 2;
  }
  const ald_identify_result result = identify(runtime, xy, COUNT, 0);
  CHECK_STATUS(ald_identify_result_export_arrow(result, 0, &schema, &values, NULL), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_identify_result_export_arrow_stream(result, 0, &stream, NULL), ALD_STATUS_LIMIT_EXCEEDED);
  ald_runtime_release(runtime);
}

int main(void) {
  if (!make_folder())
    return finish();
  test_columns();
  ald_runtime runtime = make_runtime(0, 0);
  test_features(runtime);
  test_coming_in(runtime);
  test_hostile_lists(runtime);
  test_hostile_views(runtime);
  test_null_rows(runtime);
  ald_runtime_release(runtime);
  test_refusals();
  test_limits();
  test_identify_results();
  test_identify_limits();
  remove_folder();
  return finish();
}

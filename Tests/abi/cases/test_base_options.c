/* Options and info structs: their sizes, their unknown parts, and what zero means. */
#include "layer_files.h"
#include "scene.h"

#include <stdio.h>

#include <stdlib.h>
#include <string.h>

enum { LARGEST_STRUCT_SIZE = 4096 };

/* NULL, the INIT macro, and a struct of a newer header whose new fields are zero: all the same. */
static void test_defaults(const scene *scene) {
  ald_error error;
  ald_identify_options options = ALD_IDENTIFY_OPTIONS_INIT;
  ald_identify_options *newer = calloc(1, LARGEST_STRUCT_SIZE);
  const ald_identify_options *choices[] = {NULL, &options, newer};
  newer->struct_size = LARGEST_STRUCT_SIZE;
  for (size_t i = 0; i < 3; i++) {
    ald_identify_result result;
    ald_identify_result_info info = ALD_IDENTIFY_RESULT_INFO_INIT;
    CHECK_OK(ald_view_identify_layer(scene->view, scene->layer, SCENE_MIDDLE, 0, 0, choices[i], &result, &error),
             &error);
    CHECK_OK(ald_identify_result_get_info(result, &info, &error), &error);
    CHECK(info.element_count == 1);
    ald_identify_result_release(result);
  }
  free(newer);
}

static ald_status identify_with(const scene *scene, const ald_identify_options *options, ald_error *error) {
  ald_identify_result result;
  const ald_status status =
      ald_view_identify_layer(scene->view, scene->layer, SCENE_MIDDLE, 0, 0, options, &result, error);
  ald_identify_result_release(result);
  return status;
}

static void test_struct_sizes(const scene *scene) {
  static const uint32_t refused[] = {0, 1, 4, sizeof(ald_identify_options) - 1, LARGEST_STRUCT_SIZE + 1, UINT32_MAX};
  ald_error error;
  ald_identify_options *options = calloc(1, LARGEST_STRUCT_SIZE);
  uint8_t *bytes = (uint8_t *)options;
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    options->struct_size = refused[i];
    CHECK_STATUS(identify_with(scene, options, &error), ALD_STATUS_INVALID_ARGUMENT);
    CHECK(error.argument == 6);
  }
  /* One unknown byte that is not zero, at either end of the unknown part. */
  options->struct_size = LARGEST_STRUCT_SIZE;
  bytes[LARGEST_STRUCT_SIZE - 1] = 1;
  CHECK_STATUS(identify_with(scene, options, &error), ALD_STATUS_INVALID_ARGUMENT);
  bytes[LARGEST_STRUCT_SIZE - 1] = 0;
  bytes[sizeof *options] = 1;
  CHECK_STATUS(identify_with(scene, options, &error), ALD_STATUS_INVALID_ARGUMENT);
  /* Beyond struct_size nothing is read. */
  options->struct_size = sizeof *options;
  CHECK_STATUS(identify_with(scene, options, &error), ALD_STATUS_OK);
  free(options);
}

static void test_unknown_flags(const scene *scene) {
  ald_error error;
  ald_identify_options options = ALD_IDENTIFY_OPTIONS_INIT;
  options.flags = ALD_IDENTIFY_SKIP_EMPTY_CELLS;
  CHECK_STATUS(identify_with(scene, &options, &error), ALD_STATUS_OK);
  options.flags = 1u << 31;
  CHECK_STATUS(identify_with(scene, &options, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 6);
}

/* A host of an older header gives a smaller struct than a newer library knows; 0.1's is the smallest. */
static void test_out_structs(const scene *scene) {
  ald_error error;
  ald_raster_info *info = malloc(LARGEST_STRUCT_SIZE);
  uint8_t *bytes = (uint8_t *)info;
  memset(info, 0, LARGEST_STRUCT_SIZE);
  info->struct_size = sizeof *info - 1;
  CHECK_STATUS(ald_raster_get_info(scene->raster, info, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(info->width == 0);
  info->struct_size = LARGEST_STRUCT_SIZE + 1;
  CHECK_STATUS(ald_raster_get_info(scene->raster, info, &error), ALD_STATUS_INVALID_ARGUMENT);
  info->struct_size = LARGEST_STRUCT_SIZE;
  CHECK_OK(ald_raster_get_info(scene->raster, info, &error), &error);
  CHECK(info->struct_size == LARGEST_STRUCT_SIZE);
  CHECK(info->width == 492 && info->height == 412);
  CHECK(bytes[sizeof *info] == 0 && bytes[LARGEST_STRUCT_SIZE - 1] == 0);
  /* What the host left in the known fields does not matter. */
  memset(info, 0xA5, LARGEST_STRUCT_SIZE);
  info->struct_size = sizeof *info;
  CHECK_OK(ald_raster_get_info(scene->raster, info, &error), &error);
  CHECK(info->width == 492);
  CHECK(bytes[sizeof *info] == 0xA5);
  free(info);
}

static ald_status set_popup_field(const scene *scene, const ald_popup_field *field, ald_error *error) {
  ald_popup_definition definition = ALD_POPUP_DEFINITION_INIT;
  definition.fields = field;
  definition.field_count = 1;
  return ald_layer_set_popup_definition(scene->layer, &definition, error);
}

/* A field that counts only with a bit and is given without it: the host has forgotten the bit. */
static void test_forgotten_bits(const scene *scene) {
  ald_error error;
  char text[256];
  size_t size = 0;
  ald_geometry geometry = {0};
  ald_graphics_overlay overlay = {0};
  CHECK_OK(ald_geometry_create_from_wkt(scene->runtime, "POINT (1 2)", scene->spatial_reference, &geometry, &error),
           &error);
/* has_bits looks for each bit here. */
#define REFUSED(kind, init, field, value, bit, call)                                                                   \
  do {                                                                                                                 \
    kind options = init;                                                                                               \
    options.field = value;                                                                                             \
    CHECK_STATUS(call, ALD_STATUS_INVALID_ARGUMENT);                                                                   \
    CHECK(holds_text(error.message, "without " #bit "."));                                                             \
  } while (0)
#define MOVED ald_view_set_viewpoint(scene->view, &options, &error)
  REFUSED(ald_viewpoint, ALD_VIEWPOINT_INIT, center.x, 1, ALD_VIEWPOINT_HAS_CENTER, MOVED);
  REFUSED(ald_viewpoint, ALD_VIEWPOINT_INIT, scale, 5000, ALD_VIEWPOINT_HAS_SCALE, MOVED);
  REFUSED(ald_viewpoint, ALD_VIEWPOINT_INIT, rotation_deg, 1, ALD_VIEWPOINT_HAS_ROTATION, MOVED);
  REFUSED(ald_viewpoint, ALD_VIEWPOINT_INIT, extent.x_max, 1, ALD_VIEWPOINT_HAS_EXTENT, MOVED);
  REFUSED(ald_viewpoint, ALD_VIEWPOINT_INIT, geometry, geometry, ALD_VIEWPOINT_HAS_GEOMETRY, MOVED);
#define CONSTRAINED ald_view_set_constraints(scene->view, &options, &error)
  REFUSED(ald_constraints, ALD_CONSTRAINTS_INIT, max_extent.y_max, 1, ALD_CONSTRAINTS_HAS_EXTENT, CONSTRAINED);
  REFUSED(ald_constraints, ALD_CONSTRAINTS_INIT, rotation_deg, 1, ALD_CONSTRAINTS_LOCK_ROTATION, CONSTRAINED);
#define RENDERED ald_raster_layer_set_renderer(scene->layer, &options, &error)
  REFUSED(ald_raster_renderer, ALD_RASTER_RENDERER_INIT, minimum, 1, ALD_RASTER_RENDERER_HAS_RANGE, RENDERED);
  REFUSED(ald_raster_renderer, ALD_RASTER_RENDERER_INIT, maximum, 1, ALD_RASTER_RENDERER_HAS_RANGE, RENDERED);
  REFUSED(ald_raster_renderer, ALD_RASTER_RENDERER_INIT, azimuth_deg, 1, ALD_RASTER_RENDERER_HAS_AZIMUTH, RENDERED);
  REFUSED(ald_raster_renderer, ALD_RASTER_RENDERER_INIT, altitude_deg, 1, ALD_RASTER_RENDERER_HAS_ALTITUDE, RENDERED);
  REFUSED(ald_popup_field, {0}, decimals, 2, ALD_POPUP_FIELD_HAS_DECIMALS, set_popup_field(scene, &options, &error));
  REFUSED(ald_wkt_options, ALD_WKT_OPTIONS_INIT, decimals, 3, ALD_WKT_HAS_DECIMALS,
          ald_geometry_get_wkt(geometry, &options, text, sizeof text, &size, &error));
  REFUSED(ald_geojson_options, ALD_GEOJSON_OPTIONS_INIT, decimals, 3, ALD_GEOJSON_HAS_DECIMALS,
          ald_geometry_get_geojson(geometry, &options, text, sizeof text, &size, &error));
#define OVERLAID ald_graphics_overlay_create(scene->runtime, &options, &overlay, &error)
  REFUSED(ald_graphics_overlay_options, ALD_GRAPHICS_OVERLAY_OPTIONS_INIT, opacity, 0.5,
          ALD_GRAPHICS_OVERLAY_HAS_OPACITY, OVERLAID);
  REFUSED(ald_graphics_overlay_options, ALD_GRAPHICS_OVERLAY_OPTIONS_INIT, selection_color.red, 9,
          ALD_GRAPHICS_OVERLAY_HAS_SELECTION_COLOR, OVERLAID);
  double height = 0;
  double at[2] = {0, 0};
  ald_coordinates coordinates = ALD_COORDINATES_INIT;
  coordinates.count = 1;
  coordinates.x = at;
  coordinates.y = at + 1;
#define RISEN                                                                                                          \
  ald_raster_read_heights(scene->raster, scene->spatial_reference, &options, &coordinates, &height, 0, NULL, NULL,     \
                          NULL, &error)
  REFUSED(ald_height_options, ALD_HEIGHT_OPTIONS_INIT, interpolation, ALD_INTERPOLATION_CUBIC,
          ALD_HEIGHT_HAS_INTERPOLATION, RISEN);
  ald_geometry_release(geometry);
}

static void test_forgotten_bits_of_features(const scene *scene) {
  ald_error error;
  ald_feature_source source = {0};
  ald_feature_source none = {0};
  const int64_t id = 1;
  const uint32_t index = 0;
  uint64_t count = 0;
  const char *path = write_text("point.geojson", "{\"type\": \"Point\", \"coordinates\": [1, 2]}");
  CHECK_OK(ald_feature_source_open(scene->runtime, path, NULL, &source, &error), &error);
#define OPENED ald_feature_source_open(scene->runtime, path, &options, &none, &error)
  REFUSED(ald_feature_source_options, ALD_FEATURE_SOURCE_OPTIONS_INIT, layer_index, 1,
          ALD_FEATURE_SOURCE_HAS_LAYER_INDEX, OPENED);
#define COUNTED ald_feature_source_query_count(source, &options, &count, &error)
  REFUSED(ald_feature_query, ALD_FEATURE_QUERY_INIT, envelope.x_max, 1, ALD_FEATURE_QUERY_HAS_ENVELOPE, COUNTED);
  REFUSED(ald_feature_query, ALD_FEATURE_QUERY_INIT, ids, &id, ALD_FEATURE_QUERY_HAS_IDS, COUNTED);
  REFUSED(ald_feature_query, ALD_FEATURE_QUERY_INIT, id_count, 1, ALD_FEATURE_QUERY_HAS_IDS, COUNTED);
  REFUSED(ald_feature_query, ALD_FEATURE_QUERY_INIT, field_indexes, &index, ALD_FEATURE_QUERY_HAS_FIELDS, COUNTED);
  REFUSED(ald_feature_query, ALD_FEATURE_QUERY_INIT, field_count, 1, ALD_FEATURE_QUERY_HAS_FIELDS, COUNTED);
  ald_feature_source_release(source);
}

static void test_nested_policy(void) {
  ald_error error;
  ald_runtime runtime;
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  ald_runtime_release(runtime);
  policy.struct_size = 4;
  CHECK_STATUS(ald_runtime_create(&options, &runtime, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 1);
  CHECK(runtime.id == 0);
  policy.struct_size = sizeof policy;
  policy.flags = 1u << 30;
  CHECK_STATUS(ald_runtime_create(&options, &runtime, &error), ALD_STATUS_INVALID_ARGUMENT);
  policy.flags = 0;
  options.thread_count = 257;
  CHECK_STATUS(ald_runtime_create(&options, &runtime, &error), ALD_STATUS_INVALID_ARGUMENT);
  options.thread_count = 1;
  options.proj_directory = "/no/such/folder";
  CHECK_STATUS(ald_runtime_create(&options, &runtime, &error), ALD_STATUS_NOT_FOUND);
  CHECK(holds_text(error.message, "proj.db"));
  CHECK(holds_text(error.message, "/no/such/folder"));
}

/* The policy's limits hold for what a call names, before its arrays are read. */
static void test_limits(const char *path) {
  ald_error error;
  ald_runtime runtime;
  ald_raster raster;
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  const ald_cell_index indexes[10] = {{0, 0}};
  ald_cell cells[10];
  policy.max_request_points = 9;
  options.policy = &policy;
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  CHECK_OK(ald_raster_open(runtime, path, NULL, &raster, &error), &error);
  CHECK_OK(ald_raster_read_cells(raster, indexes, 9, cells, NULL, 0, &error), &error);
  CHECK_STATUS(ald_raster_read_cells(raster, indexes, 10, cells, NULL, 0, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK(holds_text(error.message, "9"));
  CHECK_STATUS(ald_raster_read_cells(raster, indexes, (size_t)1 << 40, cells, NULL, 0, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  ald_runtime_release(runtime);
}

/* The policy for files of strangers: few drivers, and lower limits. */
static void test_untrusted(const char *raster_file, const char *vrt_file) {
  ald_error error;
  ald_runtime runtime;
  ald_raster raster;
  ald_policy policy = ALD_POLICY_INIT_UNTRUSTED;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  const ald_cell_index index = {0, 0};
  ald_cell cell;
  options.policy = &policy;
  CHECK(policy.struct_size == sizeof policy && policy.drivers == NULL && policy.data_directories == NULL);
  CHECK(policy.max_request_bytes == 1u << 28 && policy.max_request_points == 1u << 24);
  CHECK(policy.max_request_ms == 10000);
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  CHECK_OK(ald_raster_open(runtime, raster_file, NULL, &raster, &error), &error);
  CHECK_STATUS(ald_raster_read_cells(raster, &index, (1u << 24) + 1, &cell, NULL, 0, &error),
               ALD_STATUS_LIMIT_EXCEEDED);
  CHECK_STATUS(ald_raster_open(runtime, vrt_file, NULL, &raster, &error), ALD_STATUS_POLICY_REFUSED);
  CHECK(holds_text(error.message, "driver VRT"));
  ald_runtime_release(runtime);
}

/* The hosts whose services may be used. */
static void test_hosts(void) {
  static const char *const wrong[] = {"http://example.com", "example.com/a", "", "*.", "a:0", "a:65536", "[::1"};
  static const char *const right[] = {"example.com", "*.example.com", "localhost:8080", "192.0.2.1", "[::1]:80", "*"};
  ald_error error;
  ald_runtime runtime;
  ald_feature_source source;
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.policy = &policy;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    policy.hosts = &wrong[i];
    policy.host_count = 1;
    CHECK_STATUS(ald_runtime_create(&options, &runtime, &error), ALD_STATUS_INVALID_ARGUMENT);
    CHECK(holds_text(error.message, "hosts"));
  }
  policy.hosts = right;
  policy.host_count = 2;
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  CHECK_STATUS(ald_feature_source_open(runtime, "http://127.0.0.1:9/FeatureServer/0", NULL, &source, &error),
               ALD_STATUS_POLICY_REFUSED);
  CHECK(error.argument == 2 && holds_text(error.message, "127.0.0.1"));
  ald_runtime_release(runtime);
  policy.host_count = sizeof right / sizeof right[0];
  CHECK_OK(ald_runtime_create(&options, &runtime, &error), &error);
  CHECK_STATUS(ald_feature_source_open(runtime, "http://127.0.0.1:9/FeatureServer/0", NULL, &source, &error),
               ALD_STATUS_READ_FAILED);
  CHECK(error.domain == ALD_ERROR_DOMAIN_HTTP && error.domain_code > 0);
  ald_runtime_release(runtime);
  policy.reserved = 1;
  CHECK_STATUS(ald_runtime_create(&options, &runtime, &error), ALD_STATUS_INVALID_ARGUMENT);
}

static void test_policy_refuses(const scene *scene) {
  static const char *const refused[] = {"/vsicurl/http://127.0.0.1:9/a.tif", "http://127.0.0.1:9/a.tif",
                                        "/vsizip//tmp/a.zip/a.tif", "/vsimem/a.tif"};
  ald_error error;
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    ald_raster raster;
    CHECK_STATUS(ald_raster_open(scene->runtime, refused[i], NULL, &raster, &error), ALD_STATUS_POLICY_REFUSED);
    CHECK(error.argument == 2);
  }
}

int main(int argc, char **argv) {
  scene scene;
  if (argc == 2 && make_scene(&scene, raster_path(argv, "Shasta_Elevation.tif"))) {
    test_defaults(&scene);
    test_struct_sizes(&scene);
    test_unknown_flags(&scene);
    test_forgotten_bits(&scene);
    if (make_folder()) {
      test_forgotten_bits_of_features(&scene);
      remove_folder();
    }
    test_out_structs(&scene);
    test_policy_refuses(&scene);
    test_hosts();
    release_scene(&scene);
    test_nested_policy();
    test_limits(raster_path(argv, "Shasta_Elevation.tif"));
    char raster_file[4096];
    snprintf(raster_file, sizeof raster_file, "%s", raster_path(argv, "Shasta_Elevation.tif"));
    test_untrusted(raster_file, raster_path(argv, "RGB.byte.gcp.vrt"));
  }
  return finish();
}

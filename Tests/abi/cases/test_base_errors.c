/* Errors: what they say, when they are written, and that each mistake with a handle has its own message. */
#include "scene.h"

#include "utf8.h"
#include <stdio.h>
#include <string.h>

static void test_versions(void) {
  const uint32_t version = ALD_VERSION_MAJOR << 16 | ALD_VERSION_MINOR << 8 | ALD_VERSION_PATCH;
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", ALD_VERSION_MAJOR, ALD_VERSION_MINOR, ALD_VERSION_PATCH);
  CHECK(ald_get_version() == version);
  CHECK(is_text(ald_get_version_text(), text));
}

static void test_status_names(void) {
  CHECK(is_text(ald_status_get_name(ALD_STATUS_OK), "ALD_STATUS_OK"));
  CHECK(is_text(ald_status_get_name(ALD_STATUS_NOT_READY), "ALD_STATUS_NOT_READY"));
  CHECK(is_text(ald_status_get_name(ALD_STATUS_INTERNAL), "ALD_STATUS_INTERNAL"));
  CHECK(is_text(ald_status_get_name(ALD_STATUS_CANCELLED), "ALD_STATUS_CANCELLED"));
  CHECK(is_text(ald_status_get_name(ALD_STATUS_MISSING_GRID), "ALD_STATUS_MISSING_GRID"));
  CHECK(is_text(ald_status_get_name(ALD_STATUS_MISSING_GRID + 1), "ALD_STATUS_?"));
  CHECK(is_text(ald_status_get_name(-1), "ALD_STATUS_?"));
  CHECK(is_text(ald_status_get_name(INT32_MIN), "ALD_STATUS_?"));
  CHECK(is_text(ald_status_get_name(INT32_MAX), "ALD_STATUS_?"));
}

static void test_written_on_failure_alone(const scene *scene) {
  ald_error error, before;
  uint32_t count = 0;
  memset(&error, 0xA5, sizeof error);
  before = error;
  CHECK_STATUS(ald_map_get_layer_count(scene->map, &count, &error), ALD_STATUS_OK);
  CHECK(memcmp(&error, &before, sizeof error) == 0);
  CHECK_STATUS(ald_map_get_layer_count(scene->map, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.status == ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2);
  CHECK(error.domain == ALD_ERROR_DOMAIN_ALIDADE);
  CHECK(error.domain_code == 0);
  CHECK(strnlen(error.message, sizeof error.message) < sizeof error.message);
  CHECK_STATUS(ald_map_get_layer_count(scene->map, NULL, NULL), ALD_STATUS_INVALID_ARGUMENT);
}

static void test_message_names_thing_and_value(const scene *scene) {
  ald_error error;
  ald_raster raster = {1};
  ald_band_info info = ALD_BAND_INFO_INIT;
  CHECK_STATUS(ald_raster_open(scene->runtime, "/no/such/elevation.tif", NULL, &raster, &error), ALD_STATUS_NOT_FOUND);
  CHECK(holds_text(error.message, "/no/such/elevation.tif"));
  CHECK(raster.id == 0);
  CHECK_STATUS(ald_raster_get_band_info(scene->raster, 4711, &info, &error), ALD_STATUS_NOT_FOUND);
  CHECK(holds_text(error.message, "4711"));
  CHECK(error.argument == 2);
}

static void test_gdals_words(const scene *scene, const char *no_raster) {
  ald_error error;
  ald_raster raster;
  CHECK_STATUS(ald_raster_open(scene->runtime, no_raster, NULL, &raster, &error), ALD_STATUS_READ_FAILED);
  CHECK(error.domain == ALD_ERROR_DOMAIN_GDAL);
  CHECK(error.domain_code != 0);
  CHECK(holds_text(error.message, no_raster));
}

static void test_projs_words(const scene *scene) {
  ald_error error;
  ald_spatial_reference spatial_reference;
  const ald_status status =
      ald_spatial_reference_create_from_wkt(scene->runtime, "GEOGCS[\"half", &spatial_reference, &error);
  CHECK_STATUS(status, ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2);
  CHECK(strlen(error.message) > 20);
}

/* A message that is too long for the error is cut between characters, whatever the bytes before. */
static void test_cut_at_a_character(const scene *scene) {
  for (size_t shift = 0; shift < 4; shift++) {
    static const char map_sign[] = "\xf0\x9f\x97\xba";
    char path[4096] = "/";
    size_t length = 1;
    ald_error error;
    ald_raster raster;
    for (size_t i = 0; i < shift; i++)
      path[length++] = 'a';
    while (length + sizeof map_sign < 1500) {
      memcpy(path + length, map_sign, sizeof map_sign - 1);
      length += sizeof map_sign - 1;
    }
    path[length] = '\0';
    CHECK(ald_raster_open(scene->runtime, path, NULL, &raster, &error) != ALD_STATUS_OK);
    const size_t message_length = strnlen(error.message, sizeof error.message);
    CHECK(message_length < sizeof error.message);
    CHECK(message_length > 100);
    CHECK(is_utf8(error.message, message_length));
  }
}

static void test_handles_have_their_own_messages(const scene *scene) {
  ald_error null_error, stale_error, kind_error, forged_error;
  uint32_t count;
  ald_map stale, other_kind = {scene->raster.id}, null = {0}, forged = {UINT64_C(0xDEADBEEFCAFEF00D)};
  CHECK_STATUS(ald_map_create(scene->runtime, scene->spatial_reference, &stale, NULL), ALD_STATUS_OK);
  ald_map_release(stale);
  CHECK_STATUS(ald_map_get_layer_count(null, &count, &null_error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_map_get_layer_count(stale, &count, &stale_error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_map_get_layer_count(other_kind, &count, &kind_error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_map_get_layer_count(forged, &count, &forged_error), ALD_STATUS_INVALID_HANDLE);
  const char *messages[] = {null_error.message, stale_error.message, kind_error.message, forged_error.message};
  for (size_t i = 0; i < 4; i++)
    for (size_t j = 0; j < i; j++)
      CHECK(strcmp(messages[i], messages[j]) != 0);
  CHECK(null_error.argument == 1 && stale_error.argument == 1 && kind_error.argument == 1);
}

static void test_other_runtime(const scene *scene) {
  ald_error error;
  ald_runtime runtime;
  ald_map map;
  CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error);
  CHECK_OK(ald_map_create(runtime, (ald_spatial_reference){0}, &map, &error), &error);
  CHECK_STATUS(ald_map_add_layer(map, scene->layer, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_map_create(runtime, scene->spatial_reference, &map, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK(error.argument == 2);
  CHECK(map.id == 0);
  ald_runtime_release(runtime);
}

int main(int argc, char **argv) {
  scene scene;
  test_versions();
  test_status_names();
  if (argc == 2 && make_scene(&scene, raster_path(argv, "Shasta_Elevation.tif"))) {
    test_written_on_failure_alone(&scene);
    test_message_names_thing_and_value(&scene);
    test_gdals_words(&scene, raster_path(argv, "LF20_EVT_220.csv"));
    test_projs_words(&scene);
    test_cut_at_a_character(&scene);
    test_handles_have_their_own_messages(&scene);
    test_other_runtime(&scene);
    release_scene(&scene);
  }
  return finish();
}

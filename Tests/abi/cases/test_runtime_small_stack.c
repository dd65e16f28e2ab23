/* Texts and files that are nested as deeply as they may be, and far deeper, on a thread with the smallest stack that
   the pages allow. */
#include "layer_files.h"

#include <pthread.h>

/* A sanitizer makes frames several times as large. */
#if defined(__SANITIZE_ADDRESS__)
enum { STACK_BYTES = 2 << 20 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { STACK_BYTES = 2 << 20 };
#else
enum { STACK_BYTES = 256 << 10 };
#endif
#else
enum { STACK_BYTES = 256 << 10 };
#endif
enum { FAR_TOO_DEEP = 100000 };

static ald_runtime runtime;

/* A text between beginnings and endings that repeat; the caller frees it. */
static char *nested(const char *open, size_t depth, const char *inside, const char *close) {
  const size_t before = strlen(open), after = strlen(close), middle = strlen(inside);
  char *text = malloc((before + after) * depth + middle + 1), *end = text;
  if (!CHECK(text != NULL))
    exit(finish());
  for (size_t i = 0; i < depth; i++, end += before)
    memcpy(end, open, before);
  memcpy(end, inside, middle);
  end += middle;
  for (size_t i = 0; i < depth; i++, end += after)
    memcpy(end, close, after);
  *end = 0;
  return text;
}

static void read_condition(ald_feature_source source, const char *open, size_t depth, const char *inside,
                           const char *close, ald_status expected) {
  ald_error error;
  uint64_t count = 0;
  ald_feature_query query = ALD_FEATURE_QUERY_INIT;
  char *text = nested(open, depth, inside, close);
  query.where = text;
  CHECK_STATUS(ald_feature_source_query_count(source, &query, &count, &error), expected);
  if (expected == ALD_STATUS_OK)
    CHECK(count == 1);
  free(text);
}

static void read_conditions(void) {
  ald_error error;
  ald_feature_source source;
  const char *path = write_text("places.csv", "id,a,X,Y\n1,2,3,4\n2,3,4,5\n");
  CHECK_OK(ald_feature_source_open(runtime, path, NULL, &source, &error), &error);
  read_condition(source, "(", 60, "a=2", ")", ALD_STATUS_OK);
  read_condition(source, "NOT ", 60, "a=2", "", ALD_STATUS_OK);
  read_condition(source, "a=2 OR ", 5000, "a=7", "", ALD_STATUS_OK);
  read_condition(source, "a+", 190, "a<400", "", ALD_STATUS_OK);
  read_condition(source, "(", FAR_TOO_DEEP, "a=2", ")", ALD_STATUS_INVALID_ARGUMENT);
  read_condition(source, "NOT ", FAR_TOO_DEEP, "a=2", "", ALD_STATUS_INVALID_ARGUMENT);
  ald_feature_source_release(source);
}

static void read_geometries(void) {
  ald_error error;
  ald_geometry geometry;
  const ald_spatial_reference none = {0};
  char *wkt = nested("GEOMETRYCOLLECTION(", 30, "POINT(1 2)", ")");
  CHECK_OK(ald_geometry_create_from_wkt(runtime, wkt, none, &geometry, &error), &error);
  ald_geometry_release(geometry);
  free(wkt);
  wkt = nested("GEOMETRYCOLLECTION(", FAR_TOO_DEEP, "POINT(1 2)", ")");
  CHECK(ald_geometry_create_from_wkt(runtime, wkt, none, &geometry, &error) != ALD_STATUS_OK);
  free(wkt);
  char *json = nested("{\"type\":\"GeometryCollection\",\"geometries\":[", FAR_TOO_DEEP, "", "]}");
  CHECK(ald_geometry_create_from_geojson(runtime, json, none, &geometry, &error) != ALD_STATUS_OK);
  free(json);
}

static void read_references(void) {
  ald_error error;
  ald_spatial_reference reference;
  char *wkt = nested("BOUNDCRS[SOURCECRS[", FAR_TOO_DEEP, "GEOGCRS[\"a\"]", "]]");
  CHECK(ald_spatial_reference_create_from_wkt(runtime, wkt, &reference, &error) != ALD_STATUS_OK);
  free(wkt);
  char *json = nested("{\"type\":\"BoundCRS\",\"source_crs\":", FAR_TOO_DEEP, "{}", "}");
  CHECK(ald_spatial_reference_create(runtime, json, &reference, &error) != ALD_STATUS_OK);
  free(json);
}

static void read_files(void) {
  static const struct {
    const char *name, *head, *open, *inside, *close, *tail;
  } files[] = {
      {"deep.geojson",
       "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"geometry\":null,\"properties\":{\"a\":",
       "[", "1", "]", "}}]}"},
      {"deep.kml", "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>", "<Folder>", "", "</Folder>",
       "</Document></kml>"},
      {"deep.vrt", "<VRTDataset rasterXSize=\"2\" rasterYSize=\"2\"><VRTRasterBand dataType=\"Byte\" band=\"1\">",
       "<a>", "1", "</a>", "</VRTRasterBand></VRTDataset>"},
  };
  ald_error error;
  ald_feature_source source;
  ald_raster raster;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char *middle = nested(files[i].open, FAR_TOO_DEEP, files[i].inside, files[i].close);
    const size_t size = strlen(middle) + strlen(files[i].head) + strlen(files[i].tail) + 1;
    char *text = malloc(size);
    if (!CHECK(text != NULL))
      exit(finish());
    snprintf(text, size, "%s%s%s", files[i].head, middle, files[i].tail);
    const char *path = write_text(files[i].name, text);
    /* Whether such a file opens is up to GDAL. */
    if (ald_feature_source_open(runtime, path, NULL, &source, &error) == ALD_STATUS_OK)
      ald_feature_source_release(source);
    if (ald_raster_open(runtime, path, NULL, &raster, &error) == ALD_STATUS_OK)
      ald_raster_release(raster);
    free(middle);
    free(text);
  }
}

static void *on_small_stack(void *unused) {
  (void)unused;
  read_conditions();
  read_geometries();
  read_references();
  read_files();
  return NULL;
}

int main(void) {
  ald_error error;
  pthread_attr_t attributes;
  pthread_t thread;
  if (!make_folder())
    return finish();
  CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error);
  CHECK(pthread_attr_init(&attributes) == 0);
  CHECK(pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0);
  CHECK(pthread_create(&thread, &attributes, on_small_stack, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  pthread_attr_destroy(&attributes);
  ald_runtime_release(runtime);
  remove_folder();
  return finish();
}

/* The list of the rasters in a file: every status; what is in real containers is the outside tests' business. */
#include "layer_files.h"
#include "scene.h"

#include <sys/stat.h>

/* Files of which each names the next are refused from some depth on. */
static const char *write_chain(int length) {
  char name[16], text[512];
  write_text("end.asc", GRID);
  for (int i = 0; i < length; i++) {
    snprintf(name, sizeof name, i + 1 < length ? "%d.vrt" : "end.asc", i + 1);
    snprintf(
        text, sizeof text,
        "<VRTDataset rasterXSize=\"2\" rasterYSize=\"2\"><VRTRasterBand dataType=\"Byte\" band=\"1\"><SimpleSource>"
        "<SourceFilename relativeToVRT=\"1\">%s</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>",
        name);
    snprintf(name, sizeof name, "%d.vrt", i);
    write_text(name, text);
  }
  return path_of("0.vrt");
}

static void test_list(const scene *scene) {
  ald_error error;
  char text[512] = "";
  size_t size = 0;
  CHECK_OK(ald_runtime_read_datasets(scene->runtime, scene->path, NULL, 0, &size, &error), &error);
  CHECK(size > 2 && size <= sizeof text);
  CHECK_OK(ald_runtime_read_datasets(scene->runtime, scene->path, text, size, NULL, &error), &error);
  CHECK(holds_text(text, scene->path) && strlen(text) + 1 == size);
  text[0] = '\0';
  CHECK_STATUS(ald_runtime_read_datasets(scene->runtime, scene->path, text, size - 1, &size, &error),
               ALD_STATUS_BUFFER_TOO_SMALL);
  CHECK(text[0] == '\0' && size > 2);
}

static void test_failures(const scene *scene) {
  ald_error error;
  size_t size = 0;
  const ald_runtime runtime = scene->runtime, stale = {77};
  const char *grid = write_text("grid.asc", GRID);
  CHECK_STATUS(ald_runtime_read_datasets(stale, grid, NULL, 0, &size, &error), ALD_STATUS_INVALID_HANDLE);
  CHECK_STATUS(ald_runtime_read_datasets(runtime, NULL, NULL, 0, &size, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_runtime_read_datasets(runtime, "", NULL, 0, &size, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_runtime_read_datasets(runtime, "\xff", NULL, 0, &size, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_runtime_read_datasets(runtime, grid, NULL, 0, NULL, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_runtime_read_datasets(runtime, grid, NULL, 9, &size, &error), ALD_STATUS_INVALID_ARGUMENT);
  CHECK_STATUS(ald_runtime_read_datasets(runtime, path_of("none.tif"), NULL, 0, &size, &error), ALD_STATUS_NOT_FOUND);
  CHECK_STATUS(ald_runtime_read_datasets(runtime, write_text("bad.tif", "nothing"), NULL, 0, &size, &error),
               ALD_STATUS_READ_FAILED);
  CHECK_STATUS(ald_runtime_read_datasets(runtime, "/vsizip/a.zip/b.tif", NULL, 0, &size, &error),
               ALD_STATUS_POLICY_REFUSED);
  CHECK(holds_text(error.message, "system /vsizip/,"));
  CHECK_STATUS(ald_runtime_read_datasets(runtime, write_chain(20), NULL, 0, &size, &error), ALD_STATUS_LIMIT_EXCEEDED);
  CHECK(mkfifo(path_of("pipe"), 0600) == 0);
  CHECK_STATUS(ald_runtime_read_datasets(runtime, path_of("pipe"), NULL, 0, &size, &error), ALD_STATUS_UNSUPPORTED);
}

int main(int count, char **arguments) {
  scene scene;
  if (!CHECK(count == 2) || !make_folder() || !make_scene(&scene, raster_path(arguments, "Shasta_Elevation.tif")))
    return finish();
  test_list(&scene);
  test_failures(&scene);
  release_scene(&scene);
  remove_folder();
  return finish();
}

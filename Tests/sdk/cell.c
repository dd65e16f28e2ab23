/* Opens a raster and prints band 1 of one cell: cell FILE COLUMN ROW. Built against the SDK by Tests/sdk/run. */
#include <alidade.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const char *what, const ald_error *error) {
  fprintf(stderr, "%s: %s: %s\n", what, ald_status_get_name(error->status), error->message);
  return 1;
}

int main(int argc, char **argv) {
  ald_error error;
  ald_runtime runtime;
  ald_raster raster;
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  ald_cell_index index;
  ald_cell cell;
  ald_band_value *values;

  if (argc != 4) {
    fprintf(stderr, "usage: cell FILE COLUMN ROW\n");
    return 2;
  }
  index.column = (int32_t)strtol(argv[2], NULL, 10);
  index.row = (int32_t)strtol(argv[3], NULL, 10);

  if (ald_runtime_create(NULL, &runtime, &error) != ALD_STATUS_OK) {
    return failed("runtime", &error);
  }
  if (ald_raster_open(runtime, argv[1], NULL, &raster, &error) != ALD_STATUS_OK) {
    return failed("open", &error);
  }
  if (ald_raster_get_info(raster, &info, &error) != ALD_STATUS_OK) {
    return failed("info", &error);
  }
  values = calloc((size_t)info.band_count, sizeof *values);
  if (values == NULL) {
    return 1;
  }
  if (ald_raster_read_cells(raster, &index, 1, &cell, values, (size_t)info.band_count, &error) != ALD_STATUS_OK) {
    return failed("read", &error);
  }
  printf("%.9g\n", values[0].value);
  free(values);
  ald_raster_release(raster);
  ald_runtime_release(runtime);
  return 0;
}

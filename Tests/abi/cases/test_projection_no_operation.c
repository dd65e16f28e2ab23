/* Points that no operation of PROJ leads to, and maps without a spatial reference: statuses that random calls find only
 * now and then. */
#include "scene.h"

#include <stdlib.h>
#include <unistd.h>

static const char LOCAL_WKT[] = "LOCAL_CS[\"a building\",UNIT[\"metre\",1]]";
static const char HEIGHTS_WKT[] = "VERT_CS[\"h\",VERT_DATUM[\"d\",2005],UNIT[\"metre\",1]]";
/* An ellipsoid that does not survive being written with 15 digits. */
static const char ENDLESS_WKT[] =
    "PROJCS[\"p\",GEOGCS[\"g\",DATUM[\"d\",SPHEROID[\"s\",1.7976931348623157e308,0]],PRIMEM[\"Greenwich\",0],"
    "UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Mercator_1SP\"],UNIT[\"metre\",1]]";
/* Cells with a location, and no spatial reference. */
static const char UNREFERENCED[] =
    "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n1 2\n3 4\n";

static void test_points(const scene *scene, ald_spatial_reference local) {
  static const double triangle[] = {0, 0, 1, 0, 0, 1};
  double value = 0;
  size_t count = 0;
  ald_cell cell;
  ald_polygon_statistics statistics = ALD_POLYGON_STATISTICS_INIT;
  const ald_status expected = ALD_STATUS_PROJECTION_FAILED;
  CHECK_STATUS(
      ald_raster_read_polygon_statistics(scene->raster, local, 1, triangle, 0, 3, NULL, 0, NULL, &statistics, NULL),
      expected);
  CHECK_STATUS(
      ald_raster_read_polygon_classes(scene->raster, local, 1, triangle, 0, 3, NULL, 0, NULL, NULL, 0, &count, NULL),
      expected);
  CHECK_STATUS(ald_raster_get_outline(scene->raster, local, 1, NULL, 0, &count, NULL), expected);
  CHECK_STATUS(ald_raster_read_points(scene->raster, local, triangle, 0, 1, &cell, NULL, 0, NULL), expected);
  CHECK_STATUS(ald_raster_read_samples(scene->raster, local, 1, triangle, 0, 1, NULL, &value, NULL, NULL), expected);
}

static void test_operations(const scene *scene, ald_spatial_reference local) {
  double xy[2] = {0, 0};
  ald_transformation_list list;
  ald_projection_info info = ALD_PROJECTION_INFO_INIT;
  const ald_point area[2] = {{0, 0}, {1, 1}};
  ald_transformation_list_options options = ALD_TRANSFORMATION_LIST_OPTIONS_INIT;
  options.area = area;
  options.area_count = 2;
  options.area_spatial_reference = local;
  CHECK_STATUS(
      ald_transformation_list_create(scene->spatial_reference, scene->spatial_reference, &options, &list, NULL),
      ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(
      ald_spatial_reference_get_projection_info(local, scene->spatial_reference, (ald_point){0, 0}, &info, NULL),
      ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_spatial_reference_project_points(local, scene->spatial_reference, xy, 0, 1, xy, 0, NULL, NULL),
               ALD_STATUS_PROJECTION_FAILED);
}

static void test_views(const scene *scene, ald_spatial_reference local) {
  ald_error error;
  ald_map local_map;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER;
  viewpoint.spatial_reference = local;
  CHECK_STATUS(ald_view_set_viewpoint(scene->view, &viewpoint, NULL), ALD_STATUS_PROJECTION_FAILED);
  CHECK_STATUS(ald_view_set_center(scene->view, (ald_point){0, 0}, local, NULL), ALD_STATUS_PROJECTION_FAILED);
  if (!CHECK_OK(ald_map_create(scene->runtime, local, &local_map, &error), &error))
    return;
  CHECK_STATUS(ald_map_set_initial_location(local_map, 51, 0, 1e6, NULL), ALD_STATUS_PROJECTION_FAILED);
  ald_map_release(local_map);
}

/* A map that nothing has given a spatial reference, and a view of it that has no size. */
static void test_bare_map(ald_runtime runtime) {
  ald_error error;
  ald_map map;
  ald_view view;
  ald_callout callout;
  ald_callout_layout layout = ALD_CALLOUT_LAYOUT_INIT;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER;
  if (!CHECK_OK(ald_map_create(runtime, (ald_spatial_reference){0}, &map, &error), &error))
    return;
  if (CHECK_OK(ald_view_create(map, NULL, &view, &error), &error)) {
    CHECK_STATUS(ald_view_set_viewpoint(view, &viewpoint, NULL), ALD_STATUS_NOT_READY);
    CHECK_STATUS(ald_view_set_center(view, (ald_point){0, 0}, (ald_spatial_reference){0}, NULL), ALD_STATUS_NOT_READY);
    double xy[2] = {0, 0};
    CHECK_STATUS(ald_view_set_rotation(view, 30, NULL), ALD_STATUS_NOT_READY);
    CHECK_STATUS(ald_view_set_scale(view, 1000, NULL), ALD_STATUS_NOT_READY);
    CHECK_STATUS(ald_view_map_to_screen(view, xy, 0, 1, xy, 0, NULL), ALD_STATUS_NOT_READY);
    const ald_insets insets = {1, 1, 1, 1};
    CHECK_STATUS(ald_view_set_insets(view, &insets, NULL), ALD_STATUS_NOT_READY);
    if (CHECK_OK(ald_callout_create(view, NULL, &callout, &error), &error)) {
      CHECK_STATUS(ald_callout_get_layout(callout, &layout, NULL), ALD_STATUS_NOT_READY);
      CHECK_STATUS(ald_callout_drag_to(callout, (ald_point){0, 0}, (ald_identify_result){0}, NULL, NULL),
                   ALD_STATUS_NOT_READY);
      ald_callout_release(callout);
    }
    ald_view_release(view);
  }
  ald_map_release(map);
}

static void test_raster_without_reference(ald_runtime runtime) {
  char path[] = "/tmp/alidade-no-way-XXXXXX.asc";
  ald_error error;
  ald_raster raster;
  ald_layer layer;
  const int file = mkstemps(path, 4);
  CHECK(file >= 0 && write(file, UNREFERENCED, sizeof UNREFERENCED - 1) == (ssize_t)(sizeof UNREFERENCED - 1));
  close(file);
  if (CHECK_OK(ald_raster_open(runtime, path, NULL, &raster, &error), &error)) {
    CHECK_STATUS(ald_raster_layer_create(raster, &layer, NULL), ALD_STATUS_NOT_READY);
    ald_raster_release(raster);
  }
  unlink(path);
}

/* What PROJ writes of its longitudes and latitudes it does not read again. */
static void test_endless_ellipsoid(ald_runtime runtime) {
  ald_error error;
  ald_spatial_reference endless;
  ald_engine_frame frame;
  if (!CHECK_OK(ald_spatial_reference_create_from_wkt(runtime, ENDLESS_WKT, &endless, &error), &error))
    return;
  const ald_status answer = ald_engine_frame_create(endless, (ald_point){0, 0}, 0, NULL, &frame, NULL);
  CHECK(answer == ALD_STATUS_PROJECTION_FAILED || answer == ALD_STATUS_UNSUPPORTED);
  ald_spatial_reference_release(endless);
}

int main(int argument_count, char **arguments) {
  ald_error error;
  scene scene;
  ald_spatial_reference local, heights;
  if (argument_count < 2 || !make_scene(&scene, raster_path(arguments, "RGB.byte.tif")))
    return finish();
  CHECK_STATUS(ald_spatial_reference_create_from_code(scene.runtime, "EPSG", 5773, &heights, NULL),
               ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_spatial_reference_create_from_wkt(scene.runtime, HEIGHTS_WKT, &heights, NULL),
               ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_spatial_reference_create(scene.runtime, "EPSG:5773", &heights, NULL), ALD_STATUS_UNSUPPORTED);
  CHECK_STATUS(ald_map_remove_layer(scene.map, scene.layer, NULL), ALD_STATUS_OK);
  CHECK_STATUS(ald_map_remove_layer(scene.map, scene.layer, NULL), ALD_STATUS_NOT_FOUND);
  if (CHECK_OK(ald_spatial_reference_create_from_wkt(scene.runtime, LOCAL_WKT, &local, &error), &error)) {
    test_points(&scene, local);
    test_operations(&scene, local);
    test_views(&scene, local);
  }
  test_bare_map(scene.runtime);
  test_raster_without_reference(scene.runtime);
  test_endless_ellipsoid(scene.runtime);
  release_scene(&scene);
  return finish();
}

#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "values.h"

/* What a scene's request may make. */
enum { REQUEST_CHOICES = 8 };

static char *const *raster_paths;
static size_t raster_count;

/* Ends the program if the world cannot be made: then nothing else can be tested. */
static void require(ald_status status, const ald_error *error, const char *what) {
  if (status == ALD_STATUS_OK)
    return;
  printf("FAILED the world of the hostile host: %s: %s: %s\n", what, ald_status_get_name(status), error->message);
  exit(2);
}

void set_raster_paths(char *const *paths, size_t count) {
  raster_paths = paths;
  raster_count = count < MAX_RASTERS ? count : MAX_RASTERS;
}

size_t scene_choice_count(void) {
  return 2 * REQUEST_CHOICES * raster_count;
}

scene_choice scene_choice_at(size_t number) {
  scene_choice choice = {number / 2 / REQUEST_CHOICES, number % 2 == 0, number / 2 % REQUEST_CHOICES};
  return choice;
}

static void open_features(world *world) {
  ald_error error;
  ald_spatial_reference lent;
  ald_geometry_array geometries;
  features_beside(raster_paths[0], world->source_path, sizeof world->source_path);
  require(ald_feature_source_open(world->runtime, world->source_path, NULL, &world->feature_source, &error), &error,
          world->source_path);
  require(ald_feature_source_build_index(world->feature_source, &error), &error, "the index");
  require(ald_feature_source_query(world->feature_source, NULL, &world->feature_set, &error), &error, "the features");
  /* Asked for once, so that the borrowed handles count from the beginning. */
  require(ald_feature_source_get_spatial_reference(world->feature_source, &lent, &error), &error, "their reference");
  require(ald_feature_set_export_arrow(world->feature_set, ALD_ARROW_ENCODING_WKB, &world->arrow_schema,
                                       &world->arrow_array, &error),
          &error, "the Arrow table");
  require(ald_feature_set_get_geometries(world->feature_set, &geometries, &error), &error, "their geometries");
}

static void open_unplaced_layer(world *world) {
  ald_error error;
  char path[4096];
  /* Next to the others. */
  const char *const last = strrchr(raster_paths[0], '/');
  snprintf(path, sizeof path, "%.*srotated.tif", last ? (int)(last - raster_paths[0] + 1) : 0, raster_paths[0]);
  require(ald_raster_layer_create_from_path(world->runtime, path, NULL, &world->unplaced_layer, &error), &error,
          "the layer without a location");
  require(ald_layer_load(world->unplaced_layer, &error), &error, "loading the layer without a location");
}

/* The transformation needs a grid file, whether it is there or not. */
static void list_transformations(world *world) {
  ald_error error;
  require(ald_transformation_list_create(world->british_grid, world->spatial_reference, NULL,
                                         &world->transformation_list, &error),
          &error, "the transformations");
  uint32_t count = 0;
  require(ald_transformation_list_get_row_count(world->transformation_list, &count, &error), &error, "their number");
  for (uint32_t i = 0; i < count; i++) {
    ald_transformation_row row = ALD_TRANSFORMATION_ROW_INIT;
    ald_transformation_grid grid = ALD_TRANSFORMATION_GRID_INIT;
    require(ald_transformation_list_get_row_at(world->transformation_list, i, &row, &error), &error, "a row");
    if (ald_transformation_get_grid_at(row.transformation, 1, 0, &grid, NULL) == ALD_STATUS_OK) {
      require(ald_transformation_clone(row.transformation, &world->transformation, &error), &error, "a copy");
      return;
    }
  }
  printf("FAILED the world of the hostile host: no transformation needs a grid file\n");
  exit(2);
}

static void project(world *world) {
  ald_error error;
  double x = 400000, y = 300000;
  ald_coordinates coordinates = ALD_COORDINATES_INIT;
  ald_projected_coordinates images = ALD_PROJECTED_COORDINATES_INIT;
  coordinates.count = 1;
  coordinates.x = images.x = &x;
  coordinates.y = images.y = &y;
  require(ald_spatial_reference_project_coordinates(world->british_grid, world->spatial_reference, NULL, &coordinates,
                                                    &images, NULL, NULL, &world->projection_receipt, &error),
          &error, "projecting");
  /* Its transformation is borrowed now, so that asking again adds no new handle. */
  ald_projection_receipt_row row = ALD_PROJECTION_RECEIPT_ROW_INIT;
  require(ald_projection_receipt_get_row_at(world->projection_receipt, 0, &row, &error), &error, "what was used");
}

static void make_frame(world *world) {
  ald_error error;
  ald_engine_frame_options options = ALD_ENGINE_FRAME_OPTIONS_INIT;
  options.kind = ALD_ENGINE_FRAME_KIND_PLANAR;
  options.axes = ALD_ENGINE_AXES_UNITY;
  require(ald_engine_frame_create(world->spatial_reference, (ald_point){100000, 200000}, 0, &options,
                                  &world->engine_frame, &error),
          &error, "the frame");
}

static void make_geometries(world *world) {
  static const char text[] = "{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Polygon\",\"coordinates\":[["
                             "[170,0,1],[190,0,2],[190,9,3],"
                             "[170,0,1]]]},{\"type\":\"Point\",\"coordinates\":[1,2]}]}";
  static const char polygons[] = "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[4,0],[4,4],[0,0]]]}";
  ald_error error;
  require(ald_geometry_create_from_geojson(world->runtime, text, world->wgs84, &world->geometry, &error), &error,
          "the geometry");
  require(ald_geometry_array_create_from_geojson(world->runtime, text, world->wgs84, &world->geometry_array, &error),
          &error, "the geometry array");
  require(ald_geometry_create_from_wkt(world->runtime, "POLYGON ((171 1, 191 1, 191 8, 171 1))", world->wgs84,
                                       &world->polygon, &error),
          &error, "the polygon");
  require(ald_geometry_array_create_from_geojson(world->runtime, polygons, world->wgs84, &world->polygons, &error),
          &error, "the polygons");
  require(ald_engine_frame_create_geometry_array_mesh(world->engine_frame, world->polygons, (ald_raster){0}, NULL, 0,
                                                      NULL, &world->mesh, &error),
          &error, "the mesh");
  require(ald_geometry_create_from_wkt(world->runtime, "LINESTRING (180 0, 180 9)", world->wgs84, &world->line, &error),
          &error, "the line");
  require(ald_prepared_geometry_create(world->polygon, &world->prepared_geometry, &error), &error,
          "the prepared geometry");
}

void open_world(world *world) {
  ald_error error;
  memset(world, 0, sizeof *world);
  ald_policy policy = ALD_POLICY_INIT;
  policy.max_request_points = MAX_POINTS;
  /* For a file that lists data sets. */
  static const char *const drivers[] = {"netCDF"};
  policy.flags = ALD_POLICY_ADD_DRIVERS;
  policy.drivers = drivers;
  policy.driver_count = 1;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  options.thread_count = 2;
  options.policy = &policy;
  /* The first line of the log names the versions. */
  options.log_level = ALD_LOG_LEVEL_INFO;
  require(ald_runtime_create(&options, &world->runtime, &error), &error, "the runtime");
  require(ald_spatial_reference_create_from_code(world->runtime, "EPSG", 3857, &world->spatial_reference, &error),
          &error, "the spatial reference");
  require(ald_spatial_reference_create_from_code(world->runtime, "EPSG", 27700, &world->british_grid, &error), &error,
          "the British National Grid");
  require(ald_spatial_reference_create_from_code(world->runtime, "EPSG", 4326, &world->wgs84, &error), &error,
          "WGS 84");
  for (size_t i = 0; i < raster_count; i++) {
    require(ald_raster_open(world->runtime, raster_paths[i], NULL, &world->rasters[i], &error), &error,
            raster_paths[i]);
    /* Asked for once, so that the borrowed handle counts from the beginning. */
    ald_spatial_reference lent;
    require(ald_raster_get_spatial_reference(world->rasters[i], &lent, &error), &error, raster_paths[i]);
  }
  open_features(world);
  open_unplaced_layer(world);
  list_transformations(world);
  project(world);
  make_frame(world);
  make_geometries(world);
}

/* The view looks at the middle of the raster, close enough to show cells and far enough to show several. */
static void look_at_raster(world *world) {
  ald_error error;
  ald_raster_info info = ALD_RASTER_INFO_INIT;
  require(ald_raster_get_info(world->raster, &info, &error), &error, "the raster's facts");
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_CENTER | ALD_VIEWPOINT_HAS_SCALE | ALD_VIEWPOINT_HAS_ROTATION;
  viewpoint.center.x = (info.extent.x_min + info.extent.x_max) / 2;
  viewpoint.center.y = (info.extent.y_min + info.extent.y_max) / 2;
  viewpoint.spatial_reference = world->raster_spatial_reference;
  viewpoint.scale = 100000;
  viewpoint.rotation_deg = 30;
  require(ald_view_set_viewpoint(world->view, &viewpoint, &error), &error, "the viewpoint");
}

static void identify_middle(world *world) {
  ald_error error;
  ald_point middle = {VIEW_WIDTH_DIP / 2.0, VIEW_HEIGHT_DIP / 2.0};
  const ald_popup_definition popup = ALD_POPUP_DEFINITION_INIT;
  require(ald_layer_set_popup_definition(world->shown_layer, &popup, &error), &error, "setting the popup definition");
  require(ald_view_identify_layer(world->view, world->shown_layer, middle, 0, 0, NULL, &world->identify_result, &error),
          &error, "identify");
  ald_attribute attribute = ALD_ATTRIBUTE_INIT;
  require(ald_identify_result_get_attribute_at(world->identify_result, 0, 0, &attribute, &error), &error,
          "an attribute");
  snprintf(world->attribute_name, sizeof world->attribute_name, "%s", attribute.name);
}

static void take_picture(world *world) {
  ald_error error;
  ald_request request;
  ald_request_state state;
  require(ald_view_create_screen_picture_async(world->view, world->shown_layer, NULL, NULL, &request, &error), &error,
          "the picture's request");
  require(ald_request_wait(request, ALD_ALL, &state, &error), &error, "waiting for the picture");
  require(ald_request_take_screen_picture(request, &world->screen_picture, &error), &error, "the picture");
  ald_request_release(request);
}

static void show_callout(world *world) {
  ald_error error;
  require(ald_callout_create(world->view, NULL, &world->callout, &error), &error, "the callout");
  require(ald_callout_show_for(world->callout, world->identify_result, 0, 0, &error), &error, "showing the callout");
}

static void show_magnifier(world *world) {
  ald_error error;
  ald_view lens;
  const ald_point middle = {VIEW_WIDTH_DIP / 2.0, VIEW_HEIGHT_DIP / 2.0};
  require(ald_magnifier_create(world->view, NULL, &world->magnifier, &error), &error, "the magnifier");
  require(ald_magnifier_show_at(world->magnifier, middle, &error), &error, "showing the magnifier");
  /* Borrowed now, so that asking again adds no new handle. */
  require(ald_magnifier_get_view(world->magnifier, &lens, &error), &error, "the magnifier's view");
}

/* What a map keeps of viewpoints. */
static void keep_viewpoints(world *world) {
  ald_error error;
  ald_viewpoint viewpoint = ALD_VIEWPOINT_INIT;
  viewpoint.fields = ALD_VIEWPOINT_HAS_EXTENT;
  viewpoint.extent = (ald_envelope){0, 0, 1000, 1000};
  require(ald_map_add_bookmark(world->map, "Home", &viewpoint, &error), &error, "the bookmark");
  require(ald_map_set_property(world->map, "key", "value", &error), &error, "a property of the map");
  require(ald_map_set_initial_viewpoint(world->map, &viewpoint, &error), &error, "the initial viewpoint");
  require(ald_view_create_snapshot(world->view, &world->view_snapshot, &error), &error, "the snapshot");
}

/* A request that has succeeded: of an identify, a raster, a source of features, features, matches, a picture, a
 * snap, or a mesh. */
static void make_request(world *world, size_t choice) {
  ald_error error;
  ald_point middle = {VIEW_WIDTH_DIP / 2.0, VIEW_HEIGHT_DIP / 2.0};
  ald_request_state state;
  ald_status status;
  if (choice == 1)
    status = ald_raster_open_async(world->runtime, world->path, NULL, NULL, &world->request, &error);
  else if (choice == 2)
    status = ald_feature_source_open_async(world->runtime, world->source_path, NULL, NULL, &world->request, &error);
  else if (choice == 3)
    status = ald_feature_source_query_async(world->feature_source, NULL, NULL, &world->request, &error);
  else if (choice == 4)
    status = ald_feature_layer_query_async(world->feature_layer, world->line, NULL, NULL, &world->request, &error);
  else if (choice == 5)
    status = ald_view_create_screen_picture_async(world->view, world->shown_layer, NULL, NULL, &world->request, &error);
  else if (choice == 6)
    status = ald_view_snap_async(world->view, middle, 1, NULL, NULL, &world->request, &error);
  else if (choice == 7)
    status = ald_engine_frame_create_geometry_array_mesh_async(world->engine_frame, world->polygons, (ald_raster){0},
                                                               NULL, 0, NULL, NULL, &world->request, &error);
  else
    status = ald_view_identify_layer_async(world->view, world->shown_layer, middle, 0, 0, NULL, NULL, &world->request,
                                           &error);
  require(status, &error, "the request");
  require(ald_request_wait(world->request, ALD_ALL, &state, &error), &error, "the end of the request");
}

/* Graphics 1 and 2: one with an attribute, which is selected, and a pole, which Web Mercator does not have. */
static ald_graphics_overlay make_overlay(world *world) {
  static const int64_t number = 7;
  static const ald_symbol marker = {ALD_SYMBOL_KIND_MARKER, 0, 0,  0, 0,      {255, 0, 0, 255},
                                    {0, 0, 0, 255},         0, 10, 0, {0, 0}, 1};
  static const uint64_t first = 1;
  ald_error error;
  ald_graphics_overlay overlay;
  ald_geometry pole;
  ald_graphic_attributes attribute = {"number", ALD_GRAPHIC_VALUE_TYPE_INTEGER, 0, &number, NULL, NULL, NULL};
  ald_graphic_columns columns = ALD_GRAPHIC_COLUMNS_INIT;
  columns.graphic_count = 1;
  columns.attributes = &attribute;
  columns.attribute_count = 1;
  ald_graphics_renderer renderer = ALD_GRAPHICS_RENDERER_INIT;
  renderer.symbol = marker;
  require(ald_graphics_overlay_create(world->runtime, NULL, &overlay, &error), &error, "the overlay");
  require(ald_graphics_overlay_set_renderer(overlay, &renderer, &error), &error, "its renderer");
  require(ald_graphics_overlay_add_graphics(overlay, world->geometry_array, &columns, NULL, &error), &error,
          "a graphic");
  require(ald_geometry_create_from_wkt(world->runtime, "POINT (0 90)", world->wgs84, &pole, &error), &error, "a pole");
  require(ald_graphics_overlay_add_graphic(overlay, pole, NULL, NULL, &error), &error, "another graphic");
  require(ald_graphics_overlay_select_graphics(overlay, &first, 1, 1, &error), &error, "the selection");
  ald_geometry_release(pole);
  return overlay;
}

static void make_overlays(world *world, int is_shown) {
  ald_error error;
  world->shown_overlay = make_overlay(world);
  world->spare_overlay = make_overlay(world);
  /* One has an open group of edits, which can be ended; in the other one, one can be opened. */
  require(ald_graphics_overlay_begin_undo_group(world->spare_overlay, &error), &error, "the group of edits");
  world->graphics_overlay = is_shown ? world->shown_overlay : world->spare_overlay;
  require(ald_view_add_graphics_overlay(world->view, world->shown_overlay, &error), &error, "the view's overlay");
  require(ald_view_create_overlay_drawing(world->view, world->shown_overlay, NULL, &world->overlay_drawing, &error),
          &error, "the drawing");
  /* A graphic that can be hit. */
  char text[80];
  ald_spatial_reference spatial_reference;
  ald_geometry point;
  ald_view_state state = ALD_VIEW_STATE_INIT;
  require(ald_view_get_state(world->view, &state, &error), &error, "the view's state");
  require(ald_map_get_spatial_reference(world->map, &spatial_reference, &error), &error, "the map's reference");
  snprintf(text, sizeof text, "POINT (%.17g %.17g)", state.center.x, state.center.y);
  require(ald_geometry_create_from_wkt(world->runtime, text, spatial_reference, &point, &error), &error, "a point");
  require(ald_graphics_overlay_add_graphic(world->shown_overlay, point, NULL, NULL, &error), &error,
          "a graphic to hit");
  require(ald_graphics_overlay_query(world->shown_overlay, point, NULL, &world->match_set, &error), &error,
          "the matches");
  ald_geometry_release(point);
  const ald_point corner = {0, 0};
  require(ald_view_identify_graphics_overlay(world->view, world->shown_overlay, corner, 1e9, 0, NULL,
                                             &world->graphic_result, &error),
          &error, "the graphic's result");
}

void settle(ald_request request) {
  ald_request_state state;
  ald_request_wait(request, ALD_ALL, &state, NULL);
  ald_request_release(request);
}

static void make_tree(world *world) {
  ald_error error;
  ald_layer *const layers[] = {&world->group_member, &world->basemap_layer};
  for (size_t i = 0; i < 2; i++)
    require(ald_raster_layer_create(world->raster, layers[i], &error), &error, "a layer of the tree");
  require(ald_group_layer_create(world->runtime, &world->group, &error), &error, "the group");
  require(ald_group_layer_add_layer(world->group, world->group_member, &error), &error, "the group's layer");
  require(ald_map_add_layer(world->map, world->group, &error), &error, "the map's group");
  require(ald_map_add_basemap_layer(world->map, world->basemap_layer, &error), &error, "the basemap");
  require(ald_layer_set_property(world->layer, "key", "value", &error), &error, "a property");
}

void make_scene(world *world, scene_choice choice) {
  ald_error error;
  world->raster = world->rasters[choice.raster];
  world->path = raster_paths[choice.raster];
  require(ald_raster_get_spatial_reference(world->raster, &world->raster_spatial_reference, &error), &error,
          "the raster's spatial reference");
  require(ald_raster_layer_create(world->raster, &world->shown_layer, &error), &error, "the layer");
  require(ald_feature_layer_create(world->feature_source, &world->feature_layer, &error), &error, "features' layer");
  require(ald_raster_layer_create(world->raster, &world->spare_layer, &error), &error, "the layer without a map");
  world->layer = choice.layer_is_shown ? world->shown_layer : world->spare_layer;
  require(ald_map_create(world->runtime, world->spatial_reference, &world->map, &error), &error, "the map");
  require(ald_map_add_layer(world->map, world->shown_layer, &error), &error, "the map's layer");
  require(ald_map_add_layer(world->map, world->feature_layer, &error), &error, "features in the map");
  make_tree(world);
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = VIEW_WIDTH_DIP;
  options.height_dip = VIEW_HEIGHT_DIP;
  require(ald_view_create(world->map, &options, &world->view, &error), &error, "the view");
  look_at_raster(world);
  require(ald_view_start_recording(world->view, &error), &error, "the view's log");
  identify_middle(world);
  take_picture(world);
  make_request(world, choice.request);
  show_callout(world);
  show_magnifier(world);
  make_overlays(world, choice.layer_is_shown);
  keep_viewpoints(world);
}

void release_scene(world *world) {
  ald_view_snapshot_release(world->view_snapshot);
  ald_overlay_drawing_release(world->overlay_drawing);
  ald_identify_result_release(world->graphic_result);
  ald_match_set_release(world->match_set);
  ald_screen_picture_release(world->screen_picture);
  ald_graphics_overlay_release(world->shown_overlay);
  ald_graphics_overlay_release(world->spare_overlay);
  ald_magnifier_release(world->magnifier);
  ald_callout_release(world->callout);
  ald_request_release(world->request);
  ald_runtime_pump(world->runtime, 0, NULL, NULL);
  ald_identify_result_release(world->identify_result);
  ald_view_release(world->view);
  ald_map_release(world->map);
  ald_layer_release(world->shown_layer);
  ald_layer_release(world->feature_layer);
  ald_layer_release(world->spare_layer);
  ald_layer_release(world->group);
  ald_layer_release(world->group_member);
  ald_layer_release(world->basemap_layer);
}

void close_world(world *world) {
  ald_mesh_release(world->mesh);
  ald_engine_frame_release(world->engine_frame);
  ald_projection_receipt_release(world->projection_receipt);
  ald_prepared_geometry_release(world->prepared_geometry);
  ald_geometry_release(world->line);
  ald_geometry_release(world->polygon);
  ald_geometry_array_release(world->polygons);
  ald_geometry_array_release(world->geometry_array);
  ald_geometry_release(world->geometry);
  ald_transformation_release(world->transformation);
  ald_transformation_list_release(world->transformation_list);
  ald_layer_release(world->unplaced_layer);
  for (size_t i = 0; i < raster_count; i++)
    ald_raster_release(world->rasters[i]);
  world->arrow_schema.release(&world->arrow_schema);
  world->arrow_array.release(&world->arrow_array);
  ald_feature_set_release(world->feature_set);
  ald_feature_source_release(world->feature_source);
  ald_spatial_reference_release(world->spatial_reference);
  ald_spatial_reference_release(world->british_grid);
  ald_spatial_reference_release(world->wgs84);
}

uint64_t live_handles(const world *world) {
  uint64_t count = 0;
  return ald_runtime_get_handle_count(world->runtime, &count, NULL) == ALD_STATUS_OK ? count : 0;
}

uint64_t world_id(const world *world, handle_kind kind) {
  switch (kind) {
  case KIND_RUNTIME:
    return world->runtime.id;
  case KIND_SPATIAL_REFERENCE:
    return world->spatial_reference.id;
  case KIND_RASTER:
    return world->raster.id;
  case KIND_LAYER:
    return world->layer.id;
  case KIND_MAP:
    return world->map.id;
  case KIND_VIEW:
    return world->view.id;
  case KIND_IDENTIFY_RESULT:
    return world->identify_result.id;
  case KIND_MATCH_SET:
    return world->match_set.id;
  case KIND_SCREEN_PICTURE:
    return world->screen_picture.id;
  case KIND_CALLOUT:
    return world->callout.id;
  case KIND_TRANSFORMATION:
    return world->transformation.id;
  case KIND_TRANSFORMATION_LIST:
    return world->transformation_list.id;
  case KIND_PROJECTION_RECEIPT:
    return world->projection_receipt.id;
  case KIND_GEOMETRY:
    return world->geometry.id;
  case KIND_FEATURE_SOURCE:
    return world->feature_source.id;
  case KIND_FEATURE_SET:
    return world->feature_set.id;
  case KIND_GEOMETRY_ARRAY:
    return world->geometry_array.id;
  case KIND_PREPARED_GEOMETRY:
    return world->prepared_geometry.id;
  case KIND_GRAPHICS_OVERLAY:
    return world->graphics_overlay.id;
  case KIND_OVERLAY_DRAWING:
    return world->overlay_drawing.id;
  case KIND_VIEW_SNAPSHOT:
    return world->view_snapshot.id;
  case KIND_MAGNIFIER:
    return world->magnifier.id;
  case KIND_ENGINE_FRAME:
    return world->engine_frame.id;
  case KIND_MESH:
    return world->mesh.id;
  case KIND_REQUEST:
    return world->request.id;
  case KIND_COUNT:
    break;
  }
  return 0;
}

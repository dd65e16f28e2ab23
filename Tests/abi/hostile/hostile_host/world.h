/**
 * @file
 * The live, populated map on which the hostile host makes its calls.
 */
#ifndef HOSTILE_WORLD_H
#define HOSTILE_WORLD_H

#include "../../harness/arrow_structs.h"
#include "alidade.h"

enum { MAX_RASTERS = 16 };

/** The kinds of handles, named like their types. The generated file checks that none is missing. */
typedef enum handle_kind {
  KIND_RUNTIME,
  KIND_SPATIAL_REFERENCE,
  KIND_RASTER,
  KIND_LAYER,
  KIND_MAP,
  KIND_VIEW,
  KIND_IDENTIFY_RESULT,
  KIND_MATCH_SET,
  KIND_SCREEN_PICTURE,
  KIND_CALLOUT,
  KIND_REQUEST,
  KIND_TRANSFORMATION,
  KIND_TRANSFORMATION_LIST,
  KIND_PROJECTION_RECEIPT,
  KIND_GEOMETRY,
  KIND_GEOMETRY_ARRAY,
  KIND_PREPARED_GEOMETRY,
  KIND_GRAPHICS_OVERLAY,
  KIND_OVERLAY_DRAWING,
  KIND_VIEW_SNAPSHOT,
  KIND_MAGNIFIER,
  KIND_ENGINE_FRAME,
  KIND_MESH,
  KIND_FEATURE_SOURCE,
  KIND_FEATURE_SET,
  KIND_COUNT
} handle_kind;

/** A runtime with one valid handle of each kind. */
typedef struct world {
  /* What lasts, because no call changes it: making it reads files, or takes long. */
  ald_runtime runtime;
  ald_spatial_reference spatial_reference;
  ald_spatial_reference british_grid;
  ald_spatial_reference wgs84;
  ald_raster rasters[MAX_RASTERS];
  /* With an index. */
  ald_feature_source feature_source;
  ald_feature_set feature_set;
  /* The features, exported. */
  struct ArrowSchema arrow_schema;
  struct ArrowArray arrow_array;
  /* Loaded from a file that has a location, but no spatial reference. */
  ald_layer unplaced_layer;
  /* From the British National Grid to Web Mercator. The transformation lacks a grid file in its second step. */
  ald_transformation_list transformation_list;
  ald_transformation transformation;
  /* Of points that went from the British National Grid to Web Mercator. */
  ald_projection_receipt projection_receipt;
  /* A collection in EPSG:4326, and an array with that collection. */
  ald_geometry geometry;
  ald_geometry_array geometry_array;
  ald_geometry_array polygons;
  /* A polygon in EPSG:4326, the same prepared, and a line across it. */
  ald_geometry polygon;
  ald_geometry line;
  ald_prepared_geometry prepared_geometry;
  /* Planar, in Web Mercator. */
  ald_engine_frame engine_frame;
  ald_mesh mesh;
  /* The scene: made anew before each case, because a case may change it. */
  ald_raster raster;
  /* Borrowed from the raster. */
  ald_spatial_reference raster_spatial_reference;
  ald_layer shown_layer;
  /* In the map. */
  ald_layer feature_layer;
  ald_layer spare_layer;
  /* A group in the map, a layer in that, and a layer in the map's basemap. */
  ald_layer group;
  ald_layer group_member;
  ald_layer basemap_layer;
  ald_map map;
  ald_view view;
  ald_identify_result identify_result;
  ald_graphics_overlay shown_overlay;
  ald_graphics_overlay spare_overlay;
  /* With the graphic that is drawn of the view's overlay. */
  ald_identify_result graphic_result;
  ald_match_set match_set;
  /* Of the shown layer. */
  ald_screen_picture screen_picture;
  /* Of the view's overlay; one graphic is drawn, and one cannot be projected. */
  ald_overlay_drawing overlay_drawing;
  ald_view_snapshot view_snapshot;
  /* Shown for the result. */
  ald_callout callout;
  /* Shown in the middle of the view. */
  ald_magnifier magnifier;
  /* Has succeeded, and what it made waits; its event waits too. */
  ald_request request;
  /* Which of the two layers the case uses: the one in the map, or the one that is in none. */
  ald_layer layer;
  /* The same of the two overlays. */
  ald_graphics_overlay graphics_overlay;
  const char *path;
  char source_path[4096];
  char attribute_name[256];
} world;

/** The size of every view. */
#define VIEW_WIDTH_DIP 64
#define VIEW_HEIGHT_DIP 48

/** Which raster is looked at, whether the layer of the case is in the map and its overlay in the view, and what the
 * request has made. */
typedef struct scene_choice {
  size_t raster;
  int layer_is_shown;
  /* An index of a list in world.c. */
  size_t request;
} scene_choice;

/** The files that worlds open; fixed before the first world is made. */
void set_raster_paths(char *const *paths, size_t count);

/** How many choices of a scene there are, and the choice of a number below that. */
size_t scene_choice_count(void);
scene_choice scene_choice_at(size_t number);

/** Makes runtime, spatial reference and rasters. What cannot be made ends the program with a message. */
void open_world(world *world);

/** Releases what lasts but the runtime itself, whose only handle should then be its own. */
void close_world(world *world);

void make_scene(world *world, scene_choice choice);
void release_scene(world *world);

/** Waits for the end of a request, lets its completion be called, and releases it. */
void settle(ald_request request);

/** How many handles of the world's runtime are alive. */
uint64_t live_handles(const world *world);

/** The id of the world's handle of a kind. */
uint64_t world_id(const world *world, handle_kind kind);

#endif

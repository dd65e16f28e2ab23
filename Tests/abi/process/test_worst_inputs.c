/*
 * The worst input of a given size for each function whose time grows with its input: with max_request_ms set, the call
 * returns soon after that, with its result or with ALD_STATUS_LIMIT_EXCEEDED, also in a debug build.
 *
 * Every function that takes a geometry, an array of them, a prepared one, a raster or a source of features stands here
 * once at least, in a row of the table (WORST) or among those that take no longer than their data is large, with the
 * reason (CHEAP); Tests/abi/worst_inputs checks that none is missing.
 */
#include "layer_files.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT_MS = 100, SLACK = 10, REST_SECONDS = 20, TEXT_BYTES = 64 << 20, NUMBERS = 2000000, SIDE = 20000 };

/* What a row's call works with; made before the clock runs. */
typedef struct world {
  ald_runtime runtime;
  ald_spatial_reference degrees, mercator;
  ald_geometry a, b;
  ald_geometry_array array;
  ald_prepared_geometry prepared;
  ald_engine_frame frame;
  ald_graphics_overlay overlay;
  ald_view view;
  ald_raster raster;
  ald_feature_source source;
  ald_layer layer;
  size_t count;
  /* Buffers for results. */
  char *text;
  double *numbers;
  ald_geometry made;
  ald_geometry_array made_array;
  ald_prepared_geometry made_prepared;
  ald_mesh mesh;
  uint32_t flag;
  ald_geometry_validity validity;
  ald_distance distance;
  ald_nearest_point nearest;
  ald_vertex_report vertices;
  ald_camera_plan plan;
  ald_feature_set set;
  ald_match_set matches;
  ald_polygon_statistics statistics;
  ald_height_info heights;
} world;

/* ---- Shapes ---- */

/* Paths that grow vertex by vertex. */
typedef struct drawing {
  double (*points)[2];
  int32_t *starts;
  uint32_t points_used, points_size, paths_used, paths_size;
} drawing;

static void add(drawing *drawing, double x, double y) {
  if (drawing->points_used == drawing->points_size) {
    drawing->points_size = drawing->points_size ? 2 * drawing->points_size : 1024;
    drawing->points = realloc(drawing->points, drawing->points_size * sizeof drawing->points[0]);
    if (drawing->points == NULL)
      abort();
  }
  drawing->points[drawing->points_used][0] = 10 + x;
  drawing->points[drawing->points_used++][1] = 50 + y;
}

static void begin_path(drawing *drawing) {
  if (drawing->paths_used + 2 > drawing->paths_size) {
    drawing->paths_size = drawing->paths_size ? 2 * drawing->paths_size : 1024;
    drawing->starts = realloc(drawing->starts, drawing->paths_size * sizeof drawing->starts[0]);
    if (drawing->starts == NULL)
      abort();
  }
  drawing->starts[drawing->paths_used++] = (int32_t)drawing->points_used;
}

/* A drawing as one geometry, each path a part of its own if there are no polygons; or as an array, a geometry a path.
 */
static void finish_drawing(world *world, drawing *drawing, ald_geometry_kind kind, ald_geometry *out,
                           ald_geometry_array *out_array) {
  ald_error error;
  ald_geometry_columns columns = ALD_GEOMETRY_COLUMNS_INIT;
  const uint32_t paths = drawing->paths_used;
  int32_t *numbers = malloc((paths + 2) * sizeof numbers[0]);
  if (numbers == NULL)
    abort();
  begin_path(drawing);
  for (uint32_t i = 0; i <= paths; i++)
    numbers[i] = (int32_t)i;
  columns.kind = kind;
  columns.path_count = paths;
  columns.vertex_count = drawing->points_used;
  columns.vertex_offsets = drawing->starts;
  columns.xy = &drawing->points[0][0];
  const int is_each_a_part = out == NULL || kind != ALD_GEOMETRY_KIND_POLYGON;
  int32_t ends[2] = {0, (int32_t)(is_each_a_part ? paths : 1)}, whole[2] = {0, (int32_t)paths};
  columns.part_count = is_each_a_part ? paths : 1;
  columns.path_offsets = is_each_a_part ? numbers : whole;
  columns.geometry_count = out == NULL ? paths : 1;
  columns.part_offsets = out == NULL ? numbers : ends;
  if (out != NULL)
    CHECK_OK(ald_geometry_create(world->runtime, &columns, world->degrees, out, &error), &error);
  else
    CHECK_OK(ald_geometry_array_create(world->runtime, &columns, world->degrees, out_array, &error), &error);
  free(numbers);
  free(drawing->points);
  free(drawing->starts);
}

static const double PI = 3.14159265358979323846;

static void add_ring(drawing *drawing, double x, double y, double radius, double inner, int corners) {
  begin_path(drawing);
  for (int i = 0; i <= corners; i++) {
    const double angle = 2 * PI * (i % corners) / corners, r = i % corners % 2 == 0 ? radius : inner;
    add(drawing, x + r * cos(angle), y + r * sin(angle));
  }
}

/* A polygon whose boundary goes out and in. */
static ald_geometry star(world *world, int corners, double inner) {
  drawing drawing = {0};
  ald_geometry made = {0};
  add_ring(&drawing, 0, 0, 1, inner, corners);
  finish_drawing(world, &drawing, ALD_GEOMETRY_KIND_POLYGON, &made, NULL);
  return made;
}

/* A polygon with long teeth, upright or lying: one of each cross as often as both have teeth, multiplied. */
static ald_geometry comb(world *world, int teeth, int lies) {
  drawing drawing = {0};
  ald_geometry made = {0};
  begin_path(&drawing);
#define COMB(u, v) (lies ? add(&drawing, v, u) : add(&drawing, u, v))
  const double step = 2.0 / teeth;
  COMB(-1.1, -1.1);
  for (int i = 0; i < teeth; i++) {
    COMB(-1 + i * step, -1);
    COMB(-1 + (i + 0.1) * step, 1);
    COMB(-1 + (i + 0.4) * step, 1);
    COMB(-1 + (i + 0.5) * step, -1);
  }
  COMB(1.1, -1.1);
  COMB(-1.1, -1.1);
  finish_drawing(world, &drawing, ALD_GEOMETRY_KIND_POLYGON, &made, NULL);
  return made;
}

/* Lines that cross each other as often as can be. */
static ald_geometry lattice(world *world, int lines, double turn) {
  drawing drawing = {0};
  ald_geometry made = {0};
  for (int i = 0; i < lines; i++) {
    const double at = -1 + 2.0 * i / lines + 1e-4 * turn;
    begin_path(&drawing);
    add(&drawing, at, -1);
    add(&drawing, at + 0.01 * turn, 1);
    begin_path(&drawing);
    add(&drawing, -1, at);
    add(&drawing, 1, at + 0.01 * turn);
  }
  finish_drawing(world, &drawing, ALD_GEOMETRY_KIND_POLYLINE, &made, NULL);
  return made;
}

/* The same in one path, corner by corner, so that a hierarchy of boxes finds out little. */
static ald_geometry scribble(world *world, int strokes, int lies) {
  drawing drawing = {0};
  ald_geometry made = {0};
  begin_path(&drawing);
  for (int i = 0; i < strokes; i++)
    COMB(-1 + 2.0 * i / strokes, i % 2 ? 1 : -1);
  finish_drawing(world, &drawing, ALD_GEOMETRY_KIND_POLYLINE, &made, NULL);
  return made;
}

static ald_geometry spiral(world *world, int vertices, double shift) {
  drawing drawing = {0};
  ald_geometry made = {0};
  begin_path(&drawing);
  for (int i = 0; i < vertices; i++) {
    const double share = (double)i / vertices, angle = sqrt(share) * PI * sqrt(vertices);
    add(&drawing, shift + share * cos(angle), shift + share * sin(angle));
  }
  finish_drawing(world, &drawing, ALD_GEOMETRY_KIND_POLYLINE, &made, NULL);
  return made;
}

/* A line of many vertices that meets itself nowhere. */
static ald_geometry long_line(world *world, int vertices) {
  drawing drawing = {0};
  ald_geometry made = {0};
  begin_path(&drawing);
  for (int i = 0; i < vertices; i++)
    add(&drawing, -1 + 2.0 * i / vertices, 0.3 * sin(0.37 * i));
  finish_drawing(world, &drawing, ALD_GEOMETRY_KIND_POLYLINE, &made, NULL);
  return made;
}

/* A polygon with side by side holes. */
static ald_geometry sieve(world *world, int side) {
  drawing drawing = {0};
  ald_geometry made = {0};
  begin_path(&drawing);
  add(&drawing, -1.1, -1.1);
  add(&drawing, 1.1, -1.1);
  add(&drawing, 1.1, 1.1);
  add(&drawing, -1.1, 1.1);
  add(&drawing, -1.1, -1.1);
  for (int i = 0; i < side * side; i++)
    add_ring(&drawing, -1 + 2.0 * (i % side) / side, -1 + 2.0 * (i / side) / side, 0.6 / side, 0.6 / side, 8);
  finish_drawing(world, &drawing, ALD_GEOMETRY_KIND_POLYGON, &made, NULL);
  return made;
}

/* Triangular holes around one point, their common corner; or lines that end there. */
static ald_geometry fan(world *world, int count, double turn, int is_polygon) {
  drawing drawing = {0};
  ald_geometry made = {0};
  if (is_polygon) {
    begin_path(&drawing);
    add(&drawing, -1.1, -1.1);
    add(&drawing, 1.1, -1.1);
    add(&drawing, 1.1, 1.1);
    add(&drawing, -1.1, 1.1);
    add(&drawing, -1.1, -1.1);
  }
  for (int i = 0; i < count; i++) {
    const double from = 2 * PI * (i + turn) / count, to = 2 * PI * (i + turn + 0.5) / count;
    begin_path(&drawing);
    add(&drawing, 0, 0);
    add(&drawing, cos(from), sin(from));
    if (!is_polygon)
      continue;
    add(&drawing, cos(to), sin(to));
    add(&drawing, 0, 0);
  }
  finish_drawing(world, &drawing, is_polygon ? ALD_GEOMETRY_KIND_POLYGON : ALD_GEOMETRY_KIND_POLYLINE, &made, NULL);
  return made;
}

static ald_geometry cloud(world *world, int points) {
  drawing drawing = {0};
  ald_geometry made = {0};
  begin_path(&drawing);
  for (int i = 0; i < points; i++)
    add(&drawing, cos(2 * PI * i / points), sin(2 * PI * i / points));
  finish_drawing(world, &drawing, ALD_GEOMETRY_KIND_MULTIPOINT, &made, NULL);
  return made;
}

/* An array of stars, all over the square, or one on the other. */
static ald_geometry_array stars(world *world, int count, int corners, double radius) {
  drawing drawing = {0};
  ald_geometry_array made = {0};
  const int side = (int)sqrt(count);
  for (int i = 0; i < count; i++)
    add_ring(&drawing, -1 + 2.0 * (i % side) / side, -1 + 2.0 * (i / side) / side, radius, 0.5 * radius, corners);
  finish_drawing(world, &drawing, ALD_GEOMETRY_KIND_POLYGON, NULL, &made);
  world->count = (size_t)count;
  return made;
}

/* ---- Files ---- */

static void put(FILE *file, uint32_t value, int bytes, int is_big) {
  for (int i = 0; i < bytes; i++)
    fputc((int)(value >> 8 * (is_big ? bytes - 1 - i : i) & 255), file);
}

/* A TIFF of zeros without compression, a line a strip: it is read as fast as any, and takes no space on the disk. */
static const char *large_raster(void) {
  const char *path = path_of("large.tif");
  FILE *file = fopen(path, "wb");
  const uint32_t strips = 8 + 2 + 12 * 12 + 4, scale = strips + 8 * SIDE, data = scale + 24 + 48;
  /* Tag, type, count, value: width, height, bits, compression, meaning, strips, bands, lines, sizes, format; scale,
   * tie. */
  const uint32_t tags[12][4] = {
      {256, 4, 1, SIDE}, {257, 4, 1, SIDE},     {258, 3, 1, 8},
      {259, 3, 1, 1},    {262, 3, 1, 1},        {273, 4, SIDE, strips},
      {277, 3, 1, 1},    {278, 4, 1, 1},        {279, 4, SIDE, strips + 4 * SIDE},
      {339, 3, 1, 1},    {33550, 12, 3, scale}, {33922, 12, 6, scale + 24},
  };
  const double places[9] = {1e-4, 1e-4, 0, 0, 0, 0, 9, 51, 0};
  if (!CHECK(file != NULL))
    return path;
  fwrite("II*\0", 1, 4, file);
  put(file, 8, 4, 0);
  put(file, 12, 2, 0);
  for (int i = 0; i < 12; i++) {
    put(file, tags[i][0], 2, 0);
    put(file, tags[i][1], 2, 0);
    put(file, tags[i][2], 4, 0);
    put(file, tags[i][3], 4, 0);
  }
  put(file, 0, 4, 0);
  for (uint32_t i = 0; i < SIDE; i++)
    put(file, data + i * SIDE, 4, 0);
  for (uint32_t i = 0; i < SIDE; i++)
    put(file, SIDE, 4, 0);
  CHECK(fwrite(places, sizeof places, 1, file) == 1);
  CHECK(fclose(file) == 0);
  CHECK(truncate(path, (off_t)data + (off_t)SIDE * SIDE) == 0);
  return path;
}

/* The header of a shapefile of points around 10, 50. */
static void put_header(FILE *file, uint32_t bytes) {
  const double box[8] = {9, 49, 11, 51, 0, 0, 0, 0};
  put(file, 9994, 4, 1);
  for (int i = 0; i < 5; i++)
    put(file, 0, 4, 1);
  put(file, bytes / 2, 4, 1);
  put(file, 1000, 4, 0);
  put(file, 1, 4, 0);
  CHECK(fwrite(box, sizeof box, 1, file) == 1);
}

/* A shapefile of that many points, without attributes. */
static const char *many_points(const char *name, uint32_t points) {
  char index[64];
  const char *path = path_of(name);
  snprintf(index, sizeof index, "%.*sx", (int)strlen(name) - 1, name);
  FILE *shapes = fopen(path, "wb"), *places = fopen(path_of(index), "wb");
  if (!CHECK(shapes != NULL && places != NULL))
    return path;
  put_header(shapes, 100 + 28 * points);
  put_header(places, 100 + 8 * points);
  for (uint32_t i = 0; i < points; i++) {
    const double at[2] = {10 + cos(i), 50 + sin(i)};
    put(shapes, i + 1, 4, 1);
    put(shapes, 10, 4, 1);
    put(shapes, 1, 4, 0);
    fwrite(at, sizeof at, 1, shapes);
    put(places, 50 + 14 * i, 4, 1);
    put(places, 10, 4, 1);
  }
  CHECK(fclose(shapes) == 0);
  CHECK(fclose(places) == 0);
  return path;
}

/* A call that prepares a row has the row's limit, too, and a machine that is busy may keep it longer. */
#define PREPARE(call)                                                                                                  \
  do {                                                                                                                 \
    ald_error error;                                                                                                   \
    ald_status status;                                                                                                 \
    int tries = 0;                                                                                                     \
    do                                                                                                                 \
      status = call;                                                                                                   \
    while (status == ALD_STATUS_LIMIT_EXCEEDED && ++tries < 50);                                                       \
    CHECK_OK(status, &error);                                                                                          \
  } while (0)

static void open_raster(world *world) {
  PREPARE(ald_raster_open(world->runtime, path_of("large.tif"), NULL, &world->raster, &error));
}

/* In degrees. */
static void place_raster(world *world) {
  ald_raster_open_options options = ALD_RASTER_OPEN_OPTIONS_INIT;
  options.spatial_reference = world->degrees;
  PREPARE(ald_raster_open(world->runtime, path_of("large.tif"), &options, &world->raster, &error));
}

static void open_source(world *world, const char *name, int is_indexed) {
  PREPARE(ald_feature_source_open(world->runtime, path_of(name), NULL, &world->source, &error));
  if (is_indexed)
    PREPARE(ald_feature_source_build_index(world->source, &error));
}

static void prepare(world *world, ald_geometry geometry) {
  PREPARE(ald_prepared_geometry_create(geometry, &world->prepared, &error));
}

/* Cells all over the raster, or points there. */
static void scatter(world *world, size_t count, int are_cells) {
  world->count = count;
  ald_cell_index *indexes = (ald_cell_index *)world->numbers;
  for (size_t i = 0; i < count; i++)
    if (are_cells)
      indexes[i] = (ald_cell_index){(int32_t)(i * 7919 % SIDE), (int32_t)(i * 104729 % SIDE)};
    else {
      world->numbers[2 * i] = 9 + 1e-4 * (double)(i * 7919 % SIDE);
      world->numbers[2 * i + 1] = 51 - 1e-4 * (double)(i * 104729 % SIDE);
    }
}

/* A ring around much of the raster. */
static void surround(world *world) {
  static const double ring[5][2] = {{9.1, 50.1}, {9.9, 50.1}, {9.9, 50.9}, {9.1, 50.9}, {9.1, 50.1}};
  memcpy(world->numbers, ring, sizeof ring);
  world->count = 5;
}

static void make_view(world *world) {
  ald_error error;
  ald_map map;
  ald_view_options options = ALD_VIEW_OPTIONS_INIT;
  options.width_dip = options.height_dip = 500;
  CHECK_OK(ald_map_create(world->runtime, world->mercator, &map, &error), &error);
  CHECK_OK(ald_view_create(map, &options, &world->view, &error), &error);
}

/* ---- The table ---- */

static const ald_measure_options GEODESIC = {sizeof(ald_measure_options), ALD_MEASURE_KIND_GEODESIC, 0,
                                             ALD_CURVE_TYPE_GEODESIC};
static const ald_measure_options SECTIONS = {sizeof(ald_measure_options), ALD_MEASURE_KIND_GEODESIC, 0,
                                             ALD_CURVE_TYPE_NORMAL_SECTION};
static const ald_densify_options DENSE = {sizeof(ald_densify_options), ALD_MEASURE_KIND_GEODESIC, 0, 0, 0, 1e-5};
static const ald_envelope HALF = {9, 49, 10.1, 50.1};
static const ald_envelope TILE = {9.1, 50.2, 9.8, 50.9};
static const ald_mesh_options FINE_MESH = {
    .struct_size = sizeof(ald_mesh_options), .maximum_deviation_m = 0.001, .line_width_m = 5};
static const double REACH = 0.003, METRES = 500;
static void frame(world *world) {
  ald_error error;
  CHECK_OK(ald_engine_frame_create(world->degrees, (ald_point){10, 50}, 0, NULL, &world->frame, &error), &error);
}

static void overlay(world *world) {
  ald_error error;
  CHECK_OK(ald_graphics_overlay_create(world->runtime, NULL, &world->overlay, &error), &error);
}

/* With a graphic of many vertices. */
static void graphic_of(world *world, ald_geometry geometry) {
  ald_error error;
  overlay(world);
  CHECK_OK(ald_graphics_overlay_add_graphic(world->overlay, geometry, NULL, NULL, &error), &error);
}

static void layer_of_points(world *world) {
  open_source(world, "some.shp", 1);
  PREPARE(ald_feature_layer_create(world->source, &world->layer, &error));
  PREPARE(ald_layer_set_spatial_reference(world->layer, world->mercator, &error));
}

static const ald_match_options TOUCHING = {sizeof TOUCHING, 0, ALD_PREDICATE_TOUCHES, 0, NULL, 0, 0, 0};
static const ald_match_options NEAR = {sizeof NEAR, ALD_MATCH_KIND_NEAREST, 0, ALD_MEASURE_KIND_GEODESIC, NULL, 0, 0,
                                       ALD_ALL};

static const ald_coordinates *coordinates(const world *world) {
  static ald_coordinates made = ALD_COORDINATES_INIT;
  made.count = world->count;
  made.x = world->numbers;
  made.y = world->numbers + 1;
  made.stride_bytes = 16;
  return &made;
}

static const ald_raster_window COARSE = {sizeof(ald_raster_window), 0, 0, 0, 0, 0, 2000, 2000};
static const ald_feature_query ALL = ALD_FEATURE_QUERY_INIT;
static const ald_graphic_columns PLAIN = {sizeof PLAIN, 8000, NULL, NULL, NULL, NULL, 0, 0, NULL};

#define MADE &world->made, error
#define MADE_ARRAY &world->made_array, error

/* A function, what the input is called, how it is made, and the call. */
#define TABLE(WORST)                                                                                                   \
  WORST(ald_geometry_get_validity, star, world->a = star(world, 200000, 0.9), (world->a, 0, &world->validity, error))  \
  WORST(ald_geometry_get_validity, sieve, world->a = sieve(world, 150), (world->a, 0, &world->validity, error))        \
  WORST(ald_geometry_create_repaired, scribbled_star, world->a = star(world, 801, -0.9),                               \
        (world->a, ALD_REPAIR_METHOD_LINEWORK, MADE))                                                                  \
  WORST(ald_geometry_create_geodesic_buffer, spiral, world->a = spiral(world, 5000, 0),                                \
        (world->a, METRES, NULL, &world->made, NULL, error))                                                           \
  WORST(ald_geometry_array_create_geodesic_buffers, stars, world->array = stars(world, 2000, 40, 0.02),                \
        (world->array, &METRES, 1, NULL, &world->made_array, NULL, error))                                             \
  WORST(ald_geometry_array_create_geodesic_buffer_union, stars, world->array = stars(world, 2000, 40, 0.05),           \
        (world->array, &METRES, 1, NULL, &world->made, NULL, error))                                                   \
  WORST(ald_geometry_area, star, world->a = star(world, 1000000, 0.9), (world->a, &SECTIONS, world->numbers, error))   \
  WORST(ald_geometry_length, line, world->a = long_line(world, 1000000), (world->a, &SECTIONS, world->numbers, error)) \
  WORST(ald_geometry_array_areas, stars, world->array = stars(world, 40000, 24, 0.01),                                 \
        (world->array, &SECTIONS, world->numbers, world->count, error))                                                \
  WORST(ald_geometry_array_lengths, stars, world->array = stars(world, 40000, 24, 0.01),                               \
        (world->array, &GEODESIC, world->numbers, world->count, error))                                                \
  WORST(ald_geometry_distance, spirals, (world->a = spiral(world, 300000, 0), world->b = spiral(world, 300000, 1e-4)), \
        (world->a, world->b, NULL, &world->distance, NULL, error))                                                     \
  WORST(ald_geometry_distance, geodesic_spirals,                                                                       \
        (world->a = spiral(world, 30000, 0), world->b = spiral(world, 30000, 1e-4)),                                   \
        (world->a, world->b, &GEODESIC, &world->distance, NULL, error))                                                \
  WORST(ald_geometry_nearest, line, world->a = long_line(world, 1000000),                                              \
        (world->a, (ald_point){10, 50}, 0, &GEODESIC, &world->nearest, error))                                         \
  WORST(ald_geometry_nearest, circle, world->a = star(world, 200000, 1),                                               \
        (world->a, (ald_point){10, 50}, ALD_NEAREST_SEARCH_ON_BOUNDARY, &GEODESIC, &world->nearest, error))            \
  WORST(ald_geometry_create_overlay, combs, (world->a = comb(world, 600, 0), world->b = comb(world, 600, 1)),          \
        (world->a, world->b, ALD_OVERLAY_OPERATION_INTERSECTION, 0, &world->made, NULL, error))                        \
  WORST(ald_geometry_create_overlay, lattices, (world->a = lattice(world, 500, 0), world->b = lattice(world, 500, 1)), \
        (world->a, world->b, ALD_OVERLAY_OPERATION_UNION, 1e-7, &world->made, NULL, error))                            \
  WORST(ald_geometry_array_create_union, stars, world->array = stars(world, 3000, 40, 0.3), (world->array, 0, MADE))   \
  WORST(ald_geometry_create_clipped, star, world->a = star(world, 300000, 0.9), (world->a, HALF, MADE))                \
  WORST(ald_geometry_array_create_clipped, stars, world->array = stars(world, 20000, 40, 0.3),                         \
        (world->array, HALF, MADE_ARRAY))                                                                              \
  WORST(ald_geometry_create_cut, comb, (world->a = comb(world, 3000, 0), world->b = scribble(world, 3000, 1)),         \
        (world->a, world->b, &world->made_array, NULL, NULL, NULL, error))                                             \
  WORST(ald_geometry_create_cut, scribbles,                                                                            \
        (world->a = scribble(world, 2000, 0), world->b = scribble(world, 2000, 1)),                                    \
        (world->a, world->b, &world->made_array, NULL, NULL, NULL, error))                                             \
  WORST(ald_geometry_create_projected, line, world->a = long_line(world, 1000000),                                     \
        (world->a, world->mercator, NULL, 0, NULL, NULL, 0, &world->made, NULL, error))                                \
  WORST(ald_geometry_array_create_projected, stars, world->array = stars(world, 40000, 24, 0.01),                      \
        (world->array, world->mercator, NULL, 0, NULL, 0, NULL, NULL, 0, &world->made_array, NULL, error))             \
  WORST(ald_geometry_relate, scribbles, (world->a = scribble(world, 20000, 0), world->b = scribble(world, 20000, 1)),  \
        (world->a, world->b, world->text, NULL, error))                                                                \
  WORST(ald_geometry_relate, lattices, (world->a = lattice(world, 10000, 0), world->b = lattice(world, 10000, 1)),     \
        (world->a, world->b, world->text, NULL, error))                                                                \
  WORST(ald_geometry_relate, combs, (world->a = comb(world, 600, 0), world->b = comb(world, 600, 1)),                  \
        (world->a, world->b, world->text, NULL, error))                                                                \
  WORST(ald_geometry_relate, line_and_comb, (world->a = scribble(world, 1000, 1), world->b = comb(world, 1000, 0)),    \
        (world->a, world->b, world->text, NULL, error))                                                                \
  WORST(ald_geometry_relate, comb_and_lattice, (world->a = comb(world, 1000, 0), world->b = lattice(world, 1000, 1)),  \
        (world->a, world->b, world->text, NULL, error))                                                                \
  WORST(ald_geometry_relate, fans, (world->a = fan(world, 100000, 0, 1), world->b = fan(world, 100000, 0.2, 1)),       \
        (world->a, world->b, world->text, NULL, error))                                                                \
  WORST(ald_geometry_relate, fans_of_lines,                                                                            \
        (world->a = fan(world, 200000, 0, 0), world->b = fan(world, 200000, 0.2, 0)),                                  \
        (world->a, world->b, world->text, NULL, error))                                                                \
  WORST(ald_geometry_relate, lines_and_fan,                                                                            \
        (world->a = fan(world, 100000, 0.2, 0), world->b = fan(world, 1000, 0, 1)),                                    \
        (world->a, world->b, world->text, NULL, error))                                                                \
  WORST(ald_geometry_matches, scribbles, (world->a = scribble(world, 20000, 0), world->b = scribble(world, 20000, 1)), \
        (world->a, world->b, "T********", &world->flag, NULL, error))                                                  \
  WORST(ald_geometry_test, spirals, (world->a = spiral(world, 100000, 0), world->b = spiral(world, 100000, 1e-4)),     \
        (world->a, world->b, ALD_PREDICATE_TOUCHES, &world->flag, NULL, error))                                        \
  WORST(ald_geometry_test, line_and_comb, (world->a = scribble(world, 1000, 1), world->b = comb(world, 1000, 0)),      \
        (world->a, world->b, ALD_PREDICATE_CROSSES, &world->flag, NULL, error))                                        \
  WORST(ald_prepared_geometry_create, sieve, world->a = sieve(world, 150), (world->a, &world->made_prepared, error))   \
  WORST(ald_prepared_geometry_test, scribbles,                                                                         \
        (prepare(world, scribble(world, 20000, 0)), world->b = scribble(world, 20000, 1)),                             \
        (world->prepared, world->b, ALD_PREDICATE_WITHIN, &world->flag, NULL, error))                                  \
  WORST(ald_prepared_geometry_test_array, stars,                                                                       \
        (prepare(world, comb(world, 500, 0)), world->array = stars(world, 2000, 40, 0.3)),                             \
        (world->prepared, world->array, ALD_PREDICATE_OVERLAPS, 0, (ald_test_result *)world->text, world->count, NULL, \
         error))                                                                                                       \
  WORST(ald_prepared_geometry_within_distance, spirals,                                                                \
        (prepare(world, spiral(world, 300000, 0)), world->b = spiral(world, 300000, 1e-4)),                            \
        (world->prepared, world->b, 1e-9, &world->flag, NULL, error))                                                  \
  WORST(ald_prepared_geometry_within_distance_array, stars,                                                            \
        (prepare(world, spiral(world, 300000, 0)), world->array = stars(world, 20000, 40, 0.01)),                      \
        (world->prepared, world->array, 1e-9, 0, (ald_test_result *)world->text, world->count, NULL, error))           \
  WORST(ald_geometry_create_convex_hull, circle, world->a = cloud(world, 500000), (world->a, MADE))                    \
  WORST(ald_geometry_array_create_convex_hulls, stars, world->array = stars(world, 40000, 24, 0.01),                   \
        (world->array, MADE_ARRAY))                                                                                    \
  WORST(ald_geometry_create_minimum_rectangle, circle, world->a = cloud(world, 100000), (world->a, MADE))              \
  WORST(ald_geometry_create_boundary, sieve, world->a = sieve(world, 150), (world->a, MADE))                           \
  WORST(ald_geometry_create_boundary, lattice, world->a = lattice(world, 100000, 0), (world->a, MADE))                 \
  WORST(ald_geometry_create_centroid, line, world->a = long_line(world, 1000000), (world->a, MADE))                    \
  WORST(ald_geometry_create_point_on_surface, comb, world->a = comb(world, 100000, 1), (world->a, MADE))               \
  WORST(ald_geometry_create_point_on_surface, line, world->a = long_line(world, 1000000), (world->a, MADE))            \
  WORST(ald_geometry_minimum_clearance, comb, world->a = comb(world, 20000, 0), (world->a, world->numbers, error))     \
  WORST(ald_geometry_create_merged_lines, lattice, world->a = lattice(world, 100000, 0), (world->a, MADE))             \
  WORST(ald_geometry_create_enclosed_polygons, line, world->a = long_line(world, 1000000), (world->a, MADE))           \
  WORST(ald_geometry_create_enclosed_polygons, lattice, world->a = lattice(world, 100000, 0), (world->a, MADE))        \
  WORST(ald_geometry_is_simple, spiral, world->a = spiral(world, 1000000, 0), (world->a, &world->flag, error))         \
  WORST(ald_geometry_create_simple, lattice, world->a = lattice(world, 1000, 0), (world->a, MADE))                     \
  WORST(ald_geometry_create_simple, scribbled_star, world->a = star(world, 801, -0.9), (world->a, MADE))               \
  WORST(ald_geometry_array_create_simple, stars, world->array = stars(world, 400, 101, -0.05),                         \
        (world->array, MADE_ARRAY))                                                                                    \
  WORST(ald_geometry_create_generalized, saw, world->a = long_line(world, 200000),                                     \
        (world->a, 0.4, ALD_GENERALIZE_METHOD_PRESERVE_TOPOLOGY, MADE))                                                \
  WORST(ald_geometry_create_generalized, spiral, world->a = spiral(world, 300000, 0),                                  \
        (world->a, 0, ALD_GENERALIZE_METHOD_DOUGLAS_PEUCKER, MADE))                                                    \
  WORST(ald_geometry_array_create_generalized, stars, world->array = stars(world, 2000, 400, 0.5),                     \
        (world->array, 0.3, ALD_GENERALIZE_METHOD_PRESERVE_TOPOLOGY, MADE_ARRAY))                                      \
  WORST(ald_geometry_create_offset_curve, spiral, world->a = spiral(world, 20000, 0), (world->a, 0.05, NULL, MADE))    \
  WORST(ald_geometry_create_label_point, comb, world->a = comb(world, 20000, 0), (world->a, 1e-12, MADE))              \
  WORST(ald_geometry_array_create_label_points, stars, world->array = stars(world, 20000, 40, 0.3),                    \
        (world->array, 1e-12, MADE_ARRAY))                                                                             \
  WORST(ald_geometry_create_densified, line, world->a = long_line(world, 100000), (world->a, &DENSE, MADE))            \
  WORST(ald_geometry_array_create_densified, stars, world->array = stars(world, 20000, 40, 0.3),                       \
        (world->array, &DENSE, MADE_ARRAY))                                                                            \
  WORST(ald_geometry_create_moved, line, world->a = long_line(world, 1000000),                                         \
        (world->a, METRES, 30, &SECTIONS, MADE))                                                                       \
  WORST(ald_geometry_array_create_moved, stars, world->array = stars(world, 40000, 24, 0.01),                          \
        (world->array, METRES, 30, &SECTIONS, MADE_ARRAY))                                                             \
  WORST(ald_geometry_create_normalized, line, world->a = long_line(world, 1000000), (world->a, MADE))                  \
  WORST(ald_geometry_array_create_normalized, stars, world->array = stars(world, 40000, 24, 0.01),                     \
        (world->array, MADE_ARRAY))                                                                                    \
  WORST(ald_geometry_create_buffer, lattice, world->a = lattice(world, 1000, 0), (world->a, 1e-5, NULL, MADE))         \
  WORST(ald_geometry_create_buffer, spiral, world->a = spiral(world, 30000, 0), (world->a, 0.05, NULL, MADE))          \
  WORST(ald_geometry_create_buffer, sieve, world->a = sieve(world, 120), (world->a, 1e-5, NULL, MADE))                 \
  WORST(ald_geometry_create_buffer, circles, world->a = cloud(world, 100000), (world->a, 0.5, NULL, MADE))             \
  WORST(ald_geometry_array_create_buffers, stars, world->array = stars(world, 20000, 40, 0.3),                         \
        (world->array, &REACH, 1, NULL, MADE_ARRAY))                                                                   \
  WORST(ald_geometry_array_create_buffer_union, stars, world->array = stars(world, 20000, 40, 0.3),                    \
        (world->array, &REACH, 1, NULL, MADE))                                                                         \
  WORST(ald_geometry_get_wkb, line, world->a = long_line(world, 200000),                                               \
        (world->a, 0, (uint8_t *)world->text, TEXT_BYTES, NULL, error))                                                \
  WORST(ald_geometry_get_wkt, line, world->a = long_line(world, 1000000),                                              \
        (world->a, NULL, world->text, TEXT_BYTES, NULL, error))                                                        \
  WORST(ald_geometry_get_geojson, line, world->a = long_line(world, 1000000),                                          \
        (world->a, NULL, world->text, TEXT_BYTES, NULL, error))                                                        \
  WORST(ald_geometry_array_get_wkb, stars, world->array = stars(world, 8000, 24, 0.01),                                \
        (world->array, 0, (uint8_t *)world->text, TEXT_BYTES, NULL, NULL, 0, error))                                   \
  WORST(ald_geometry_equals, lines, (world->a = long_line(world, 200000), world->b = long_line(world, 200000)),        \
        (world->a, world->b, &world->flag, error))                                                                     \
  WORST(ald_geometry_array_create_from_geometries, lines,                                                              \
        (world->a = long_line(world, 1000000), world->b = long_line(world, 1000000)),                                  \
        (world->runtime, &world->a, 2, &world->made_array, NULL, error))                                               \
  WORST(ald_geometry_create_collection, lines,                                                                         \
        (world->a = long_line(world, 1000000), world->b = long_line(world, 1000000)),                                  \
        (world->runtime, &world->a, 2, &world->made, NULL, error))                                                     \
  WORST(ald_engine_frame_geometry_to_vertices, line, (frame(world), world->a = long_line(world, 200000)),              \
        (world->frame, world->a, NULL, (float *)world->numbers, 12, 1000000, NULL, &world->vertices, NULL, error))     \
  WORST(ald_engine_frame_geometry_array_to_vertices, stars, (frame(world), world->array = stars(world, 8000, 24, 1)),  \
        (world->frame, world->array, NULL, (float *)world->numbers, 12, 1000000, NULL, &world->vertices, NULL, error)) \
  WORST(ald_engine_frame_create_geometry_mesh, comb, (frame(world), world->a = comb(world, 200000, 0)),                \
        (world->frame, world->a, (ald_raster){0}, 10, NULL, &world->mesh, error))                                      \
  WORST(ald_engine_frame_create_geometry_mesh, sieve, (frame(world), world->a = sieve(world, 200)),                    \
        (world->frame, world->a, (ald_raster){0}, 0, &FINE_MESH, &world->mesh, error))                                 \
  WORST(ald_engine_frame_create_geometry_mesh, line, (frame(world), world->a = long_line(world, 200000)),              \
        (world->frame, world->a, (ald_raster){0}, 0, &FINE_MESH, &world->mesh, error))                                 \
  WORST(ald_engine_frame_create_geometry_array_mesh, stars, (frame(world), world->array = stars(world, 8000, 24, 1)),  \
        (world->frame, world->array, (ald_raster){0}, NULL, 0, NULL, &world->mesh, error))                             \
  WORST(ald_engine_frame_create_terrain_mesh, large, (frame(world), place_raster(world)),                              \
        (world->frame, world->raster, (ald_spatial_reference){0}, &TILE, &FINE_MESH, &world->mesh, error))             \
  WORST(ald_view_zoom_to_geometry, line, (make_view(world), world->a = long_line(world, 1000000)),                     \
        (world->view, world->a, NULL, &world->plan, error))                                                            \
  WORST(ald_graphics_overlay_add_graphics, stars, (overlay(world), world->array = stars(world, 8000, 24, 1)),          \
        (world->overlay, world->array, &PLAIN, NULL, error))                                                           \
  WORST(ald_graphics_overlay_query, scribbles,                                                                         \
        (graphic_of(world, scribble(world, 20000, 0)), world->a = scribble(world, 20000, 1)),                          \
        (world->overlay, world->a, &TOUCHING, &world->matches, error))                                                 \
  WORST(ald_graphics_overlay_query, spirals,                                                                           \
        (graphic_of(world, spiral(world, 30000, 0)), world->a = spiral(world, 30000, 1e-4)),                           \
        (world->overlay, world->a, &NEAR, &world->matches, error))                                                     \
  WORST(ald_feature_layer_query, points, (layer_of_points(world), world->a = long_line(world, 100000)),                \
        (world->layer, world->a, &NEAR, &world->matches, error))                                                       \
  WORST(ald_raster_read_cells, scattered, (open_raster(world), scatter(world, 200000, 1)),                             \
        (world->raster, (ald_cell_index *)world->numbers, world->count, (ald_cell *)world->text,                       \
         (ald_band_value *)(world->text + 16 * world->count), world->count, error))                                    \
  WORST(ald_raster_read_points, scattered, (open_raster(world), scatter(world, 100000, 0)),                            \
        (world->raster, (ald_spatial_reference){0}, world->numbers, 0, world->count, (ald_cell *)world->text,          \
         (ald_band_value *)(world->text + 16 * world->count), world->count, error))                                    \
  WORST(                                                                                                               \
      ald_raster_read_window, whole, open_raster(world),                                                               \
      (world->raster, 1, &COARSE, NULL, (double *)world->text, 0, 32000000, (uint8_t *)world->text + 32000000, error)) \
  WORST(ald_raster_read_samples, scattered, (open_raster(world), scatter(world, 500000, 0)),                           \
        (world->raster, (ald_spatial_reference){0}, 1, world->numbers, 0, world->count, NULL, (double *)world->text,   \
         NULL, error))                                                                                                 \
  WORST(ald_raster_read_profile, around, (open_raster(world), surround(world)),                                        \
        (world->raster, (ald_spatial_reference){0}, 1, world->numbers, 0, world->count, NULL,                          \
         (ald_profile_sample *)world->text, 500000, &world->count, error))                                             \
  WORST(ald_raster_read_heights, scattered, (open_raster(world), scatter(world, 500000, 0)),                           \
        (world->raster, (ald_spatial_reference){0}, NULL, coordinates(world), (double *)world->text, 0, NULL,          \
         &world->heights, NULL, error))                                                                                \
  WORST(ald_raster_read_polygon_statistics, whole, (open_raster(world), surround(world)),                              \
        (world->raster, (ald_spatial_reference){0}, 1, world->numbers, 0, world->count, NULL, 0, NULL,                 \
         &world->statistics, error))                                                                                   \
  WORST(ald_raster_read_polygon_classes, whole, (open_raster(world), surround(world)),                                 \
        (world->raster, (ald_spatial_reference){0}, 1, world->numbers, 0, world->count, NULL, 0, NULL,                 \
         (ald_class_count *)world->text, 1000, &world->count, error))                                                  \
  WORST(ald_feature_source_query, points, open_source(world, "many.shp", 0),                                           \
        (world->source, &ALL, &world->set, error))                                                                     \
  WORST(ald_feature_source_query_count, points, open_source(world, "many.shp", 0),                                     \
        (world->source,                                                                                                \
         &(ald_feature_query){                                                                                         \
             sizeof ALL, ALD_FEATURE_QUERY_HAS_ENVELOPE, NULL, HALF, {0}, {0}, NULL, NULL, 0, 0, 0, 0, {0}},           \
         (uint64_t *)world->text, error))                                                                              \
  WORST(ald_feature_source_build_index, points, open_source(world, "many.shp", 0), (world->source, error))             \
  WORST(ald_feature_source_query_ids, points, open_source(world, "some.shp", 1),                                       \
        (world->source, HALF, (ald_spatial_reference){0}, (int64_t *)world->text, 1000000, &world->count, error))      \
  WORST(ald_feature_source_query_nearest, points, open_source(world, "some.shp", 1),                                   \
        (world->source, (ald_point){10, 50}, (ald_spatial_reference){0}, 1e9, (ald_nearest_feature *)world->text,      \
         1000000, &world->count, error))

/* What takes no longer than its data is large, or nothing at all, and why. */
#define CHEAP_ONES(CHEAP)                                                                                              \
  CHEAP(ald_engine_frame_create_geometry_array_mesh_async, "starts a request")                                         \
  CHEAP(ald_engine_frame_create_terrain_mesh_async, "starts a request")                                                \
  CHEAP(ald_geometry_release, "frees memory")                                                                          \
  CHEAP(ald_geometry_array_release, "frees memory")                                                                    \
  CHEAP(ald_prepared_geometry_release, "frees memory")                                                                 \
  CHEAP(ald_raster_release, "closes files that nobody reads")                                                          \
  CHEAP(ald_feature_source_release, "closes files that nobody reads")                                                  \
  CHEAP(ald_geometry_get_info, "reads fields, and the envelope, which is computed once in one pass")                   \
  CHEAP(ald_geometry_array_get_info, "reads fields, and the envelope, which is computed once in one pass")             \
  CHEAP(ald_geometry_get_columns, "returns memory")                                                                    \
  CHEAP(ald_geometry_array_get_columns, "returns memory")                                                              \
  CHEAP(ald_geometry_array_export_arrow, "copies each vertex once, within max_request_bytes")                          \
  CHEAP(ald_geometry_get_spatial_reference, "reads a field")                                                           \
  CHEAP(ald_geometry_array_get_spatial_reference, "reads a field")                                                     \
  CHEAP(ald_raster_get_spatial_reference, "reads a field")                                                             \
  CHEAP(ald_feature_source_get_spatial_reference, "reads a field")                                                     \
  CHEAP(ald_geometry_create_member, "names a row of columns that are there")                                           \
  CHEAP(ald_geometry_array_create_geometry, "names a row of columns that are there")                                   \
  CHEAP(ald_graphics_overlay_add_graphic, "keeps a reference to one geometry")                                         \
  CHEAP(ald_graphics_overlay_set_graphic_geometry, "keeps a reference to one geometry")                                \
  CHEAP(ald_graphics_overlay_update_graphics,                                                                          \
        "copies a number for each graphic, as ald_graphics_overlay_add_graphics does")                                 \
  CHEAP(ald_raster_get_info, "reads fields")                                                                           \
  CHEAP(ald_raster_get_band_info, "reads fields")                                                                      \
  CHEAP(ald_raster_get_overview_size, "reads fields")                                                                  \
  CHEAP(ald_raster_get_subdataset_at, "reads fields")                                                                  \
  CHEAP(ald_raster_get_table_column, "reads fields")                                                                   \
  CHEAP(ald_raster_get_table_value, "reads fields")                                                                    \
  CHEAP(ald_raster_get_outline, "computes as many points as the host asks for, at most 4 times 10,000")                \
  CHEAP(ald_raster_window_around, "projects one point")                                                                \
  CHEAP(ald_raster_window_size, "computes from fields")                                                                \
  CHEAP(ald_raster_layer_create, "keeps a reference")                                                                  \
  CHEAP(ald_feature_layer_create, "keeps a reference")                                                                 \
  CHEAP(ald_raster_load, "waits for ald_raster_load_async")                                                            \
  CHEAP(ald_raster_retry_load, "waits for ald_raster_retry_load_async")                                                \
  CHEAP(ald_raster_load_async, "leaves the work to a worker, where opening has the limit")                             \
  CHEAP(ald_raster_retry_load_async, "leaves the work to a worker, where opening has the limit")                       \
  CHEAP(ald_raster_cancel_load, "changes a state")                                                                     \
  CHEAP(ald_raster_get_load_info, "reads a state")                                                                     \
  CHEAP(ald_feature_source_query_async, "leaves the work to a worker, where the query has the limit")                  \
  CHEAP(ald_feature_layer_query_async, "leaves the work to a worker, where the query has the limit")                   \
  CHEAP(ald_graphics_overlay_query_async, "leaves the work to a worker, where the query has the limit")                \
  CHEAP(ald_feature_source_build_index_async, "leaves the work to a worker, where building has the limit")             \
  CHEAP(ald_feature_source_get_info, "reads fields")                                                                   \
  CHEAP(ald_feature_source_get_sublayer_at, "reads fields")                                                            \
  CHEAP(ald_feature_source_get_field_at, "reads fields")                                                               \
  CHEAP(ald_feature_source_get_warning, "reads fields")                                                                \
  CHEAP(ald_feature_source_get_index_info, "reads a state")

typedef struct row {
  const char *function, *input;
  void (*prepare)(world *world);
  ald_status (*call)(world *world, ald_error *error);
} row;

#define DEFINE(function, input, preparation, arguments)                                                                \
  static void prepare_##function##_##input(world *world) {                                                             \
    ald_error error;                                                                                                   \
    (void)error;                                                                                                       \
    (void)(preparation);                                                                                               \
  }                                                                                                                    \
  static ald_status call_##function##_##input(world *world, ald_error *error) {                                        \
    return function arguments;                                                                                         \
  }
TABLE(DEFINE)

#define ROW(function, input, preparation, arguments)                                                                   \
  {#function, #input, prepare_##function##_##input, call_##function##_##input},
static const row ROWS[] = {TABLE(ROW)};

#define CHEAP_ROW(function, reason) {#function, reason},
static const char *const CHEAP_ROWS[][2] = {CHEAP_ONES(CHEAP_ROW)};

/* ---- Running it ---- */

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Waits until no work is left, so that the next row has the machine for itself. Returns how long that took. */
static double rest(void) {
  const double start = seconds(CLOCK_MONOTONIC);
  double spent, last = seconds(CLOCK_PROCESS_CPUTIME_ID);
  do {
    sleep_ms(20);
    const double now = seconds(CLOCK_PROCESS_CPUTIME_ID);
    spent = now - last;
    last = now;
  } while (spent > 0.005 && seconds(CLOCK_MONOTONIC) - start < REST_SECONDS);
  return seconds(CLOCK_MONOTONIC) - start - 0.02;
}

static void begin(world *world, char *text, double *numbers) {
  ald_error error;
  ald_policy policy = ALD_POLICY_INIT;
  ald_runtime_options options = ALD_RUNTIME_OPTIONS_INIT;
  memset(world, 0, sizeof *world);
  policy.max_request_ms = LIMIT_MS;
  options.policy = &policy;
  options.thread_count = 2;
  world->text = text;
  world->validity.struct_size = sizeof world->validity;
  world->distance.struct_size = sizeof world->distance;
  world->nearest.struct_size = sizeof world->nearest;
  world->vertices.struct_size = sizeof world->vertices;
  world->plan.struct_size = sizeof world->plan;
  world->statistics.struct_size = sizeof world->statistics;
  world->heights.struct_size = sizeof world->heights;
  world->numbers = numbers;
  CHECK_OK(ald_runtime_create(&options, &world->runtime, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(world->runtime, NULL, 4326, &world->degrees, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(world->runtime, NULL, 27700, &world->mercator, &error), &error);
}

/* Runs a row, and returns whether it kept its time. Only the last try is held to it: others may be at the machine. */
static int run(const row *row, char *text, double *numbers, int is_last) {
  world world;
  ald_error error;
  begin(&world, text, numbers);
  row->prepare(&world);
  const double start = seconds(CLOCK_MONOTONIC);
  const ald_status status = row->call(&world, &error);
  const double took = seconds(CLOCK_MONOTONIC) - start;
  const double rested = rest();
  char what[1280];
  snprintf(what, sizeof what, "%s of %s: status %d in %.0f ms%s%s", row->function, row->input, status, 1000 * took,
           status == ALD_STATUS_OK ? "" : ": ", status == ALD_STATUS_OK ? "" : error.message);
  const int is_ended = status == ALD_STATUS_LIMIT_EXCEEDED && holds_text(error.message, "max_request_ms");
  check_that(status == ALD_STATUS_OK || is_ended, what, __FILE__, __LINE__);
  const int kept = took * 1000 <= SLACK * LIMIT_MS;
  if (kept || is_last) {
    check_that(kept, what, __FILE__, __LINE__);
    if (TRIES_DIVISOR == 1)
      printf("%-47s %-17s %-5s %6.0f ms, went on for %6.0f ms\n", row->function, row->input,
             status == ALD_STATUS_OK ? "done" : "ended", 1000 * took, 1000 * rested);
  }
  ald_runtime_release(world.runtime);
  return kept;
}

int main(int argc, char **argv) {
  char *text = malloc(TEXT_BYTES);
  double *numbers = malloc(NUMBERS * sizeof numbers[0]);
  if (!CHECK(text != NULL && numbers != NULL))
    return finish();
  if (!make_folder())
    return finish();
  large_raster();
  many_points("many.shp", 2000000);
  many_points("some.shp", 2000);
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++)
    if (argc < 3 || holds_text(ROWS[i].function, argv[2]))
      for (int tries = 3; tries > 0 && !run(&ROWS[i], text, numbers, tries == 1); tries--) {
      }
  if (TRIES_DIVISOR == 1 && argc < 3)
    for (size_t i = 0; i < sizeof CHEAP_ROWS / sizeof CHEAP_ROWS[0]; i++)
      printf("%-46s %s\n", CHEAP_ROWS[i][0], CHEAP_ROWS[i][1]);
  remove_folder();
  free(text);
  free(numbers);
  return finish();
}

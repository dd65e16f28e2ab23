#include "picks.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play.h"
#include "values.h"

enum { MAX_PLACES = 256, PLACES_PER_RASTER = 6, SINGLE_PICKS = 64 };

/* For every raster its middle and two corners, in its own spatial reference and in Web Mercator. */
static ald_point places[MAX_PLACES];
static size_t place_count;

/* Numbers */

static double log_uniform(double low, double high) {
  return exp(log(low) + random_unit() * (log(high) - log(low)));
}

/* A magnitude from the smallest denormal to the largest number, half of them extreme. */
static double any_magnitude(void) {
  static const double extremes[] = {0.0, 5e-324, DBL_MIN, 1e-300, 1e-30, 0x1p-53, 0.5,   1.0,
                                    1e7, 1e15,   1e18,    1e154,  1e155, 1e300,   1e308, DBL_MAX};
  if (random_permille(500))
    return extremes[random_below(sizeof extremes / sizeof extremes[0])];
  return log_uniform(1e-320, 1e308);
}

static double beyond(const number_range *range) {
  const double others[] = {NAN, INFINITY, -INFINITY, range->low - 1, range->high * 2, -DBL_MAX, DBL_MAX};
  return others[random_below(sizeof others / sizeof others[0])];
}

static double double_in(const number_range *range) {
  if (random_permille(15))
    return beyond(range);
  if (range->usual_low < range->usual_high && random_permille(450)) {
    const int is_scale = range->usual_low > 0 && range->usual_high / range->usual_low > 100;
    return is_scale ? log_uniform(range->usual_low, range->usual_high)
                    : range->usual_low + random_unit() * (range->usual_high - range->usual_low);
  }
  if (random_permille(200) && isfinite(range->low))
    return random_permille(500) ? range->low : nextafter(range->low, INFINITY);
  if (random_permille(200) && isfinite(range->high))
    return random_permille(500) ? range->high : nextafter(range->high, -INFINITY);
  double number = any_magnitude();
  if (range->low < 0 && random_permille(500))
    number = -number;
  /* What does not fit becomes something between the ends. */
  if (number < range->low || number > range->high)
    number = range->low + random_unit() * (range->high - range->low);
  return number;
}

double pick_double(const char *name, const number_range *range) {
  const double number = double_in(range);
  trace(" %s=%.17g", name, number);
  return number;
}

int64_t pick_integer(const char *name, const number_range *range, int64_t type_low, int64_t type_high) {
  const double low = fmax(range->low, (double)type_low);
  const double high = fmin(range->high, (double)type_high);
  double number;
  if (random_permille(600))
    number = low + (double)random_below(4);
  else if (random_permille(500))
    number = low + (double)random_below(64);
  else if (random_permille(500))
    number = low + floor(log_uniform(1, fmax(high - low, 2)));
  else
    number = random_permille(500) ? low : high;
  int64_t integer = number >= (double)type_high ? type_high : (int64_t)number;
  if (number > high)
    integer = (int64_t)high;
  if (random_permille(15))
    integer = random_permille(500) ? type_low : type_high;
  trace(" %s=%lld", name, (long long)integer);
  return integer;
}

int64_t pick_choice(const char *name, const int64_t *choices, size_t count) {
  const int64_t choice = choices[random_below(count)];
  trace(" %s=%lld", name, (long long)choice);
  return choice;
}

uint32_t pick_flags(const char *name, uint32_t all) {
  uint32_t flags = (uint32_t)random_bits() & all;
  if (random_permille(10))
    flags |= UINT32_C(1) << random_below(32);
  trace(" %s=0x%x", name, (unsigned)flags);
  return flags;
}

/* Texts */

static const char *traced_text(const char *name, const char *text) {
  trace(" %s=\"%.200s\"%s", name, text, strlen(text) > 200 ? "..." : "");
  return give_text(text);
}

const char *pick_text(const char *name, const char *const *choices, size_t count, unsigned null_permille) {
  if (random_permille(null_permille)) {
    trace(" %s=NULL", name);
    return NULL;
  }
  if (random_permille(10))
    return traced_text(name, any_text_value(text_values())->text);
  return traced_text(name, choices[random_below(count)]);
}

const char *pick_path(const char *name) {
  if (random_permille(20))
    return traced_text(name, any_text_value(text_values())->text);
  /* Mostly the group's own raster, so that its map shows it. */
  const size_t own = current_group % raster_count;
  return traced_text(name, raster_paths[random_permille(600) ? own : random_below(raster_count)]);
}

const char *pick_source_path(const char *name) {
  char path[4096];
  if (random_permille(20))
    return traced_text(name, any_text_value(text_values())->text);
  features_beside(raster_paths[0], path, sizeof path);
  /* Rasters are sources of nothing. */
  return traced_text(name, random_permille(900) ? path : raster_paths[random_below(raster_count)]);
}

const char *pick_wkt(const char *name) {
  static const char *const projections[] = {
      "Transverse_Mercator",
      "Mercator_1SP",
      "Lambert_Conformal_Conic_2SP",
      "Albers_Conic_Equal_Area",
      "Stereographic",
      "Equirectangular",
      "Lambert_Azimuthal_Equal_Area",
      "Oblique_Stereographic",
      "Sinusoidal",
      "Polyconic",
      "Hotine_Oblique_Mercator",
      "Azimuthal_Equidistant",
      "Orthographic",
      "Cassini_Soldner",
      "Polar_Stereographic",
      "New_Zealand_Map_Grid",
      "Robinson",
      "Mollweide",
      "Gnomonic",
      "Krovak",
      "Bonne",
      "Eckert_IV",
      "VanDerGrinten",
      "Two_Point_Equidistant",
  };
  static const number_range any = {-DBL_MAX, DBL_MAX, -180, 180};
  static const number_range axis = {0, DBL_MAX, 1e6, 1e7};
  static const number_range flattening = {0, DBL_MAX, 100, 300};
  static const number_range unit = {0, DBL_MAX, 0.1, 10};
  static const char *const angles[] = {"latitude_of_origin", "central_meridian", "standard_parallel_1",
                                       "standard_parallel_2", "azimuth"};
  char geographic[512];
  char text[2048];
  snprintf(geographic, sizeof geographic,
           "GEOGCS[\"g\",DATUM[\"d\",SPHEROID[\"s\",%.17g,%.17g]],PRIMEM[\"p\",%.17g],UNIT[\"degree\",%.17g]]",
           pick_double("axis", &axis), pick_double("flattening", &flattening),
           random_permille(800) ? 0.0 : pick_double("meridian", &any),
           random_permille(800) ? 0.017453292519943295 : pick_double("unit", &unit));
  if (random_permille(300))
    return traced_text(name, geographic);
  size_t length = (size_t)snprintf(text, sizeof text, "PROJCS[\"p\",%s,PROJECTION[\"%s\"]", geographic,
                                   projections[random_below(sizeof projections / sizeof projections[0])]);
  for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++)
    if (random_permille(700))
      length += (size_t)snprintf(text + length, sizeof text - length, ",PARAMETER[\"%s\",%.17g]", angles[i],
                                 pick_double(angles[i], &any));
  snprintf(text + length, sizeof text - length,
           ",PARAMETER[\"scale_factor\",%.17g],PARAMETER[\"false_easting\",%.17g],PARAMETER[\"false_northing\",%.17g],"
           "UNIT[\"u\",%.17g]]",
           random_permille(700) ? 1.0 : pick_double("scale_factor", &unit), pick_double("false_easting", &any),
           pick_double("false_northing", &any), random_permille(700) ? 1.0 : pick_double("unit", &unit));
  return traced_text(name, text);
}

/* Points */

static ald_point map_point(void) {
  static const number_range any = {-INFINITY, INFINITY, -180, 180};
  if (place_count && random_permille(700)) {
    const size_t own = current_group % raster_count * PLACES_PER_RASTER;
    const size_t chosen = random_permille(700) ? own + random_below(PLACES_PER_RASTER) : random_below(place_count);
    ald_point place = places[chosen % place_count];
    /* Somewhere near: by some thousandths of its numbers. */
    place.x *= 1 + (random_unit() - 0.5) * 0.002;
    place.y *= 1 + (random_unit() - 0.5) * 0.002;
    return place;
  }
  ald_point extreme = {double_in(&any), double_in(&any)};
  return extreme;
}

static ald_point screen_point(void) {
  static const number_range any = {-INFINITY, INFINITY, -100, 1000};
  ald_point point = {double_in(&any), double_in(&any)};
  return point;
}

ald_point pick_map_point(const char *name) {
  const ald_point point = map_point();
  trace(" %s=(%.17g, %.17g)", name, point.x, point.y);
  return point;
}

ald_point pick_screen_point(const char *name) {
  const ald_point point = screen_point();
  trace(" %s=(%.17g, %.17g)", name, point.x, point.y);
  return point;
}

double *pick_points(const char *name, size_t count, size_t stride, ald_point (*point)(const char *)) {
  const size_t size = strided_size(count, stride, sizeof(ald_point));
  uint8_t *memory = give_block(BLOCK_INPUT, size, NULL);
  const size_t step = stride ? stride : sizeof(ald_point);
  ald_point last = {0, 0};
  trace(" %s={", name);
  for (size_t i = 0; i < count; i++) {
    /* The many of a large array differ a little from one another. */
    if (i < SINGLE_PICKS)
      last = point("");
    else
      last.x += last.x * 1e-6;
    memcpy(memory + i * step, &last, sizeof last);
  }
  trace(" }");
  return (double *)(void *)memory;
}

float *pick_vertices(size_t count, size_t stride) {
  static const number_range range = {-3e38, 3e38, -1e6, 1e6};
  uint8_t *memory = give_block(BLOCK_INPUT, strided_size(count, stride, 3 * sizeof(float)), NULL);
  trace(" vertices={");
  for (size_t i = 0; i < count; i++) {
    float vertex[3];
    for (int axis = 0; axis < 3; axis++)
      vertex[axis] = (float)pick_double("", &range);
    memcpy(memory + i * (stride ? stride : sizeof vertex), vertex, sizeof vertex);
  }
  trace(" }");
  return (float *)(void *)memory;
}

/* Sizes */

size_t pick_count(const char *name) {
  size_t count = random_below(20);
  if (random_permille(100))
    count = random_below(2);
  else if (random_permille(150))
    count = random_below(1000);
  else if (random_permille(5))
    count = random_below(100000);
  else if (random_permille(1))
    count = 1000000;
  trace(" %s=%zu", name, count);
  return count;
}

size_t pick_stride(const char *name, size_t smallest, size_t count) {
  enum { MANY = 1000 };
  const size_t choices[] = {0, 0, smallest, smallest + 8, 2 * smallest, 3 * smallest + 8, 4096};
  size_t stride = choices[random_below(sizeof choices / sizeof choices[0])];
  if (count > MANY && stride > 4 * smallest)
    stride = 0;
  if (random_permille(20))
    stride = smallest - 1 - random_below(smallest - 1);
  trace(" %s=%zu", name, stride);
  return stride;
}

size_t pick_capacity(const char *name, size_t count, size_t element) {
  static const size_t rooms[] = {0, 1, 5, 17, 64, 1000, 4096, 40004, 65536, 1 << 18, 1 << 20};
  const size_t most = (random_permille(5) ? (size_t)64 << 20 : (size_t)1 << 20) / element;
  size_t capacity = rooms[random_below(sizeof rooms / sizeof rooms[0])];
  if (count && random_permille(700)) {
    const size_t per_element[] = {1, 1, 3, 4, 8};
    capacity = count * per_element[random_below(5)];
  }
  if (capacity > most)
    capacity = most;
  trace(" %s=%zu", name, capacity);
  return capacity;
}

size_t pick_ring_count(size_t vertex_count) {
  const size_t count = random_permille(500) ? random_below(2) : random_below(vertex_count / 3 + 1);
  trace(" ring_count=%zu", count);
  return count;
}

size_t *pick_ring_starts(size_t ring_count, size_t vertex_count) {
  if (random_permille(ring_count < 2 ? 500 : 20)) {
    trace(" ring_starts=NULL");
    return NULL;
  }
  size_t *starts = give_block(BLOCK_INPUT, ring_count * sizeof *starts, NULL);
  for (size_t i = 0; i < ring_count; i++)
    starts[i] = i * (vertex_count / ring_count);
  if (ring_count && random_permille(20))
    starts[random_below(ring_count)] = random_permille(500) ? SIZE_MAX : vertex_count;
  return starts;
}

size_t pick_graphic_count(void) {
  const size_t count = random_permille(600) ? 1 : random_below(6);
  trace(" graphic_count=%zu", count);
  return count;
}

uint64_t *pick_graphic_ids(size_t graphic_count) {
  uint64_t *ids = give_block(BLOCK_INPUT, graphic_count * sizeof *ids, NULL);
  for (size_t i = 0; i < graphic_count; i++)
    ids[i] = random_permille(950) ? 1 + random_below(4) : UINT64_MAX - random_below(3);
  return ids;
}

/* POINT (1 2), again and again; mostly whole, and now and then with a byte changed. */
static const uint8_t wkb_point[21] = {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x40};

size_t pick_wkb_size(void) {
  const size_t size = random_permille(900) ? sizeof wkb_point : random_below(60);
  trace(" wkb_size_bytes=%zu", size);
  return size;
}

size_t pick_wkbs_size(void) {
  const size_t size = sizeof wkb_point * random_below(8);
  trace(" wkbs_size_bytes=%zu", size);
  return size;
}

uint8_t *pick_wkb(size_t size) {
  uint8_t *bytes = give_block(BLOCK_INPUT, size, NULL);
  for (size_t i = 0; i < size; i++)
    bytes[i] = wkb_point[i % sizeof wkb_point];
  if (size && random_permille(200)) {
    const size_t place = random_below(size);
    bytes[place] = (uint8_t)random_below(256);
    trace(" wkb[%zu]=%u", place, (unsigned)bytes[place]);
  }
  return bytes;
}

size_t *pick_byte_offsets(size_t count, size_t size) {
  size_t *offsets = give_block(BLOCK_INPUT, (count + 1) * sizeof *offsets, NULL);
  for (size_t i = 0; i <= count; i++)
    offsets[i] = i * sizeof wkb_point < size ? i * sizeof wkb_point : size;
  if (random_permille(50))
    offsets[random_below(count + 1)] = random_permille(500) ? SIZE_MAX : random_below(size + 1);
  return offsets;
}

/* Mostly as many as there are things to measure from, which are few. */
size_t pick_length_count(const char *name) {
  const size_t count = random_permille(800) ? 1 : random_below(4);
  trace(" %s=%zu", name, count);
  return count;
}

double *pick_lengths(const char *name, size_t count) {
  static const number_range any = {-INFINITY, INFINITY, -5, 50};
  double *lengths = give_block(BLOCK_INPUT, count * sizeof *lengths, NULL);
  for (size_t i = 0; i < count; i++)
    lengths[i] = pick_double(name, &any);
  return lengths;
}

size_t strided_size(size_t count, size_t stride, size_t element) {
  return count ? (count - 1) * (stride ? stride : element) + element : 0;
}

/* Points */

static void add_place(double x, double y) {
  if (place_count < MAX_PLACES)
    places[place_count++] = (ald_point){x, y};
}

void find_places(ald_runtime runtime) {
  ald_spatial_reference mercator;
  ald_raster raster;
  if (ald_spatial_reference_create_from_code(runtime, "EPSG", 3857, &mercator, NULL))
    return;
  for (size_t i = 0; i < raster_count; i++) {
    ald_spatial_reference own;
    ald_raster_info info = ALD_RASTER_INFO_INIT;
    if (ald_raster_open(runtime, raster_paths[i], NULL, &raster, NULL))
      continue;
    if (ald_raster_get_info(raster, &info, NULL) == ALD_STATUS_OK) {
      double xy[6] = {(info.extent.x_min + info.extent.x_max) / 2,
                      (info.extent.y_min + info.extent.y_max) / 2,
                      info.corners[0].x,
                      info.corners[0].y,
                      info.corners[2].x,
                      info.corners[2].y};
      for (int k = 0; k < 2; k++) {
        for (int j = 0; j < 6; j += 2)
          add_place(xy[j], xy[j + 1]);
        if (k == 0 && ald_raster_get_spatial_reference(raster, &own, NULL) == ALD_STATUS_OK)
          ald_spatial_reference_project_points(own, mercator, xy, 0, 3, xy, 0, NULL, NULL);
      }
    }
    ald_raster_release(raster);
  }
  ald_spatial_reference_release(mercator);
}

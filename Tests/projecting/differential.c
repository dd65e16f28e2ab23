/*
 * ald_spatial_reference_project_points against PROJ's own operations, point by point, over everything that has a fast
 * path.
 *
 *   differential POINTS
 *
 * For each pair the same points go through both: points where one would use the pair, the whole world, far beyond it,
 * and the corners where something changes: poles, the antimeridian, latitude 91, NaN, infinity. Every point must have
 * the same status, and its image be within 1e-7 m or 1e-12 degrees of PROJ's. Prints the worst difference of each pair.
 * POINTS is how many points are tried in all; a quarter of each pair's lies where one would use it.
 */
#include "check.h"

#include <math.h>
#include <proj.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

/* A box in the coordinates of the source. */
typedef struct box {
  double x_min, y_min, x_max, y_max;
} box;

typedef struct pair {
  int from, to;
  /* Where the pair would be used. */
  box use;
  /* What one metre, or one radian, is in the target's unit. */
  double unit;
  int is_geographic;
} pair;

static const double METRE = 1, US_FOOT = 3937.0 / 1200, DEGREE = 57.295779513082321;

static const box WORLD_DEG = {-180, -90, 180, 90};
static const box WORLD_M = {-2.1e7, -2.1e7, 2.1e7, 2.1e7};

typedef struct point {
  double x, y;
} point;

/* Points where a formula, a check or a wrap changes. In degrees; for projected sources they are points in metres. */
static const point CORNERS[] = {{0, 0},
                                {-0.0, -0.0},
                                {180, 0},
                                {-180, 0},
                                {180, 45},
                                {-180, -45},
                                {180.0000000001, 10},
                                {-180.0000000001, 10},
                                {181, 10},
                                {-181, 10},
                                {359.5, 10},
                                {-359.5, 10},
                                {360, 10},
                                {372, 10},
                                {540, 10},
                                {572, 10},
                                {573, 10},
                                {-573, 10},
                                {1e6, 10},
                                {9, 90},
                                {9, -90},
                                {9, 89.9999999},
                                {9, -89.9999999},
                                {9, 89.99},
                                {9, 89.99994},
                                {9, 90.0000000000001},
                                {9, 90.00000000001},
                                {9, 90.001},
                                {9, 91},
                                {9, -91},
                                {9, 1e300},
                                {1e300, 9},
                                {1e300, 1e300},
                                {-1e300, 1e300},
                                {1e-300, 1e-300},
                                {5e-324, -5e-324},
                                {1.7976931348623157e308, 0},
                                {0, 1.7976931348623157e308},
                                {99, 0},
                                {-81, 0},
                                {98.999999, 0},
                                {69, 0.0000001},
                                {69.01, 40},
                                {20037508.342789244, 0},
                                {-20037508.342789244, 20037508.342789244},
                                {20037508.342789248, 1},
                                {20037508.4, 1},
                                {40075016.68, 1},
                                {0, 1e8},
                                {0, 242528680.9},
                                {500000, 10000000},
                                {500000, 9997964.943},
                                {500000, -9997964.943},
                                {500000, 1.5e7},
                                {1.6e7, 0},
                                {9e6, 5e5},
                                {700000, 6600000},
                                {700000, 12655612.05},
                                {700000, 1.3e7},
                                {INFINITY, 0},
                                {0, INFINITY},
                                {-INFINITY, -INFINITY}};

static uint64_t random_bits(uint64_t *state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static double random_between(uint64_t *state, double low, double high) {
  return low + (high - low) * ((double)(random_bits(state) >> 11) * 0x1p-53);
}

static point random_point(const pair *pair, uint64_t *state) {
  static const double edges[] = {0, 90, 180, 360};
  const box world = pair->use.x_max - pair->use.x_min <= 360 ? WORLD_DEG : WORLD_M;
  box box = pair->use;
  const unsigned kind = random_bits(state) & 7;
  if (kind >= 2 && kind < 6) /* twice as large around the use, or the world */
    box = kind == 2 ? (struct box){1.5 * box.x_min - 0.5 * box.x_max, 1.5 * box.y_min - 0.5 * box.y_max,
                                   1.5 * box.x_max - 0.5 * box.x_min, 1.5 * box.y_max - 0.5 * box.y_min}
                    : world;
  if (kind == 6) /* beyond the world */
    box = (struct box){world.x_min * 2.2, world.y_min * 1.1, world.x_max * 2.2, world.y_max * 1.1};
  point point = {random_between(state, box.x_min, box.x_max), random_between(state, box.y_min, box.y_max)};
  if (kind == 7) { /* as near to an edge as one likes */
    const double near = pow(10, random_between(state, -16, 0)) * (random_bits(state) & 1 ? 1 : -1);
    const double sign = random_bits(state) & 1 ? 1 : -1;
    const double size = world.x_max / 180;
    if (random_bits(state) & 1)
      point.x = size * (sign * edges[random_bits(state) & 3] + near);
    else
      point.y = size * (sign * edges[random_bits(state) & 1] + near);
  }
  return point;
}

/* PROJ's image; NaN where there is none, and where it is what PROJ returns for a pole that cannot be shown. */
static point proj_image(PJ *operation, point at, double northing_limit) {
  const point none = {NAN, NAN};
  if (!isfinite(at.x) || !isfinite(at.y))
    return none;
  const PJ_COORD image = proj_trans(operation, PJ_FWD, proj_coord(at.x, at.y, 0, HUGE_VAL));
  proj_errno_reset(operation);
  if (!(fabs(image.xy.x) < 1e15 && fabs(image.xy.y) < 1e15))
    return none;
  if (fabs(image.xy.y) > northing_limit)
    return none;
  return (point){image.xy.x, image.xy.y};
}

/* What was seen of a pair. */
typedef struct tally {
  uint64_t tried, failed, other_status, too_far;
  double worst;
  point worst_point;
  point bad_at;
} tally;

static void compare(const pair *pair, point at, point ours, ald_point_status status, point theirs, tally *tally) {
  const double bound = pair->is_geographic ? 1e-12 * (pair->unit / DEGREE) : 1e-7 * pair->unit;
  tally->tried++;
  tally->failed += status != ALD_POINT_STATUS_OK;
  if ((status == ALD_POINT_STATUS_OK) != !isnan(theirs.x) ||
      (status != ALD_POINT_STATUS_OK) != (isnan(ours.x) && isnan(ours.y))) {
    tally->other_status++;
    tally->bad_at = at;
    return;
  }
  if (status != ALD_POINT_STATUS_OK)
    return;
  const double far = fmax(fabs(ours.x - theirs.x), fabs(ours.y - theirs.y));
  if (far > tally->worst) {
    tally->worst = far;
    tally->worst_point = at;
  }
  tally->too_far += !(far <= bound);
}

static void run_chunk(const pair *pair, ald_spatial_reference from, ald_spatial_reference to, PJ *operation,
                      double northing_limit, point *points, size_t count, tally *tally) {
  static point images[CHUNK];
  static ald_point_status statuses[CHUNK];
  ald_error error;
  memset(images, 0x5A, sizeof images);
  CHECK_OK(ald_spatial_reference_project_points(from, to, &points[0].x, 0, count, &images[0].x, 0, statuses, &error),
           &error);
  for (size_t index = 0; index < count; index++) {
    point theirs = proj_image(operation, points[index], northing_limit);
    /* What is no position anywhere is refused, also where PROJ hands it on. */
    if (fabs(points[index].x) >= 1e15 || fabs(points[index].y) >= 1e15)
      theirs = (point){NAN, NAN};
    /* So is a latitude beyond a pole. */
    if (pair->use.x_max - pair->use.x_min <= 360 && fabs(points[index].y) > 90 + 1e-12 * DEGREE)
      theirs = (point){NAN, NAN};
    compare(pair, points[index], images[index], statuses[index], theirs, tally);
  }
  /* A point's image depends neither on its neighbours nor on where it lies among them. */
  uint64_t state = count;
  for (int round = 0; round < 16; round++) {
    const size_t first = random_bits(&state) % count;
    const size_t left = count - first;
    const size_t size = 1 + random_bits(&state) % (left < 9 ? left : 9);
    point few[9];
    CHECK_OK(ald_spatial_reference_project_points(from, to, &points[first].x, 0, size, &few[0].x, 0, NULL, &error),
             &error);
    for (size_t index = 0; index < size; index++)
      if (!isnan(few[index].x) || !isnan(images[first + index].x))
        CHECK(memcmp(&few[index], &images[first + index], sizeof few[index]) == 0);
  }
}

/* Mercator's projections show no pole, but PROJ has a finite northing for it: what is nearer to that than to the last
 * latitude's is no image. */
static double find_northing_limit(PJ_CONTEXT *context, const pair *pair) {
  if (pair->to != 3857 && pair->to != 3395)
    return 1e15;
  PJ *raw = proj_create_crs_to_crs(context, "EPSG:4326", pair->to == 3857 ? "EPSG:3857" : "EPSG:3395", NULL);
  /* As the authority has it: latitude first. */
  const double last = proj_trans(raw, PJ_FWD, proj_coord(nextafter(90, 0), 0, 0, HUGE_VAL)).xy.y;
  const double pole = proj_trans(raw, PJ_FWD, proj_coord(90, 0, 0, HUGE_VAL)).xy.y;
  proj_destroy(raw);
  CHECK(last > 1e8 && pole > last);
  return (last + pole) / 2;
}

static void run_pair(ald_runtime runtime, const pair *pair, size_t count) {
  static point points[CHUNK];
  ald_error error;
  ald_spatial_reference from = {0}, to = {0};
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, NULL, pair->from, &from, &error), &error);
  CHECK_OK(ald_spatial_reference_create_from_code(runtime, NULL, pair->to, &to, &error), &error);
  char names[2][32];
  snprintf(names[0], sizeof names[0], "EPSG:%d", pair->from);
  snprintf(names[1], sizeof names[1], "EPSG:%d", pair->to);
  PJ_CONTEXT *context = proj_context_create();
  proj_log_level(context, PJ_LOG_NONE);
  PJ *raw = proj_create_crs_to_crs(context, names[0], names[1], NULL);
  PJ *operation = raw == NULL ? NULL : proj_normalize_for_visualization(context, raw);
  if (CHECK(operation != NULL)) {
    const double northing_limit = find_northing_limit(context, pair);
    tally tally = {0, 0, 0, 0, 0, {0, 0}, {0, 0}};
    uint64_t state = (uint64_t)pair->from * 100000 + (uint64_t)pair->to;
    size_t filled = 0;
    for (size_t index = 0; index < sizeof CORNERS / sizeof CORNERS[0]; index++)
      points[filled++] = CORNERS[index];
    points[filled++] = (point){NAN, 1};
    points[filled++] = (point){1, NAN};
    for (size_t left = count; left > 0;) {
      while (filled < CHUNK && left > 0) {
        points[filled++] = random_point(pair, &state);
        left--;
      }
      run_chunk(pair, from, to, operation, northing_limit, points, filled, &tally);
      filled = 0;
    }
    printf("EPSG:%-5d to EPSG:%-5d  %9llu points, %9llu without image, worst difference %.2e at (%.17g, %.17g)\n",
           pair->from, pair->to, (unsigned long long)tally.tried, (unsigned long long)tally.failed, tally.worst,
           tally.worst_point.x, tally.worst_point.y);
    if (!CHECK(tally.other_status == 0))
      printf("  %llu points have another status, one is (%.17g, %.17g)\n", (unsigned long long)tally.other_status,
             tally.bad_at.x, tally.bad_at.y);
    if (!CHECK(tally.too_far == 0))
      printf("  %llu points are too far from PROJ's\n", (unsigned long long)tally.too_far);
    CHECK(tally.failed < tally.tried / 2);
  }
  proj_destroy(operation);
  proj_destroy(raw);
  proj_context_destroy(context);
  ald_spatial_reference_release(from);
  ald_spatial_reference_release(to);
}

int main(int argc, char **argv) {
  const pair pairs[] = {
      {4326, 3857, {-180, -85, 180, 85}, METRE, 0},           /* Web Mercator */
      {3857, 4326, {-2e7, -2e7, 2e7, 2e7}, DEGREE, 1},        /* and back */
      {4326, 32632, {6, 0, 12, 84}, METRE, 0},                /* transverse Mercator */
      {32632, 4326, {1e5, 0, 9e5, 9.3e6}, DEGREE, 1},         /* */
      {4326, 32701, {-180, -80, -174, 0}, METRE, 0},          /* at the antimeridian, southern hemisphere */
      {32701, 4326, {1e5, 1e6, 9e5, 1e7}, DEGREE, 1},         /* */
      {4326, 2193, {166, -48, 179, -34}, METRE, 0},           /* false northing, near the antimeridian */
      {3857, 32632, {6.6e5, 0, 1.4e6, 1.5e7}, METRE, 0},      /* a tap on the map */
      {32632, 3857, {1e5, 0, 9e5, 9.3e6}, METRE, 0},          /* */
      {27700, 3857, {0, 0, 7e5, 1.3e6}, METRE, 0},            /* several operations; Helmert */
      {3857, 27700, {-9e5, 6.4e6, 2e5, 8.8e6}, METRE, 0},     /* and back */
      {4326, 27700, {-8, 49, 2, 61}, METRE, 0},               /* */
      {27700, 4326, {0, 0, 7e5, 1.3e6}, DEGREE, 1},           /* */
      {4326, 2154, {-5, 41, 10, 52}, METRE, 0},               /* Lambert conformal conic, two parallels */
      {2154, 4326, {1e5, 6e6, 1.2e6, 7.2e6}, DEGREE, 1},      /* */
      {2154, 3857, {1e5, 6e6, 1.2e6, 7.2e6}, METRE, 0},       /* */
      {4269, 2263, {-74.5, 40, -71, 42}, US_FOOT, 0},         /* US survey feet */
      {2263, 4269, {9e5, 1e5, 1.6e6, 4e5}, DEGREE, 1},        /* */
      {2263, 3857, {9e5, 1e5, 1.6e6, 4e5}, METRE, 0},         /* */
      {27572, 4326, {1e5, 1.6e6, 1.2e6, 2.7e6}, DEGREE, 1},   /* one parallel, the meridian of Paris */
      {4326, 3395, {-180, -80, 180, 84}, METRE, 0},           /* Mercator on an ellipsoid */
      {3395, 4326, {-2e7, -1.6e7, 2e7, 1.8e7}, DEGREE, 1},    /* */
      {4326, 3112, {112, -44, 154, -10}, METRE, 0},           /* the cone's apex over the south pole */
      {3112, 4326, {-2e6, -5e6, 2.2e6, -1e6}, DEGREE, 1},     /* */
      {4277, 4326, {-8, 49, 2, 61}, DEGREE, 1},               /* geographic to geographic */
      {4326, 3413, {-180, 50, 180, 90}, METRE, 0},            /* stereographic; PROJ turns infinity into a point */
      {3413, 4326, {-3e6, -3e6, 3e6, 3e6}, DEGREE, 1},        /* */
      {4326, 3031, {-180, -90, 180, -50}, METRE, 0},          /* the south pole, a standard parallel */
      {3031, 4326, {-3e6, -3e6, 3e6, 3e6}, DEGREE, 1},        /* */
      {4326, 3035, {-10, 35, 30, 65}, METRE, 0},              /* Lambert's azimuthal equal-area */
      {3035, 4326, {2e6, 1e6, 7e6, 6e6}, DEGREE, 1},          /* */
      {4326, 6931, {-180, 20, 180, 90}, METRE, 0},            /* with a pole in the centre */
      {6931, 4326, {-6e6, -6e6, 6e6, 6e6}, DEGREE, 1},        /* */
      {4326, 5070, {-125, 24, -66, 50}, METRE, 0},            /* Albers' conic */
      {5070, 4326, {-2.5e6, 2e5, 2.5e6, 3.2e6}, DEGREE, 1},   /* */
      {4326, 3577, {110, -45, 155, -9}, METRE, 0},            /* the cone's apex over the south pole */
      {3577, 4326, {-2e6, -5e6, 2.2e6, -1e6}, DEGREE, 1},     /* */
      {4326, 2056, {5, 45, 11, 48}, METRE, 0},                /* Switzerland's oblique Mercator; Helmert */
      {2056, 4326, {2.4e6, 1e6, 2.9e6, 1.4e6}, DEGREE, 1},    /* */
      {2056, 3857, {2.5e6, 1.1e6, 2.8e6, 1.3e6}, METRE, 0},   /* */
      {4326, 3375, {100, 1, 105, 6}, METRE, 0},               /* PROJ alone */
      {31466, 3857, {2.49e6, 5.5e6, 2.62e6, 5.9e6}, METRE, 0} /* a grid, or what PROJ falls back on */
  };
  const size_t pair_count = sizeof pairs / sizeof pairs[0];
  const unsigned long long total = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
  if (total < pair_count) {
    fprintf(stderr, "usage: differential POINTS, at least one for each pair\n");
    return 2;
  }
  ald_error error;
  ald_runtime runtime = {0};
  if (CHECK_OK(ald_runtime_create(NULL, &runtime, &error), &error))
    for (size_t index = 0; index < pair_count; index++)
      run_pair(runtime, &pairs[index], (size_t)(total / pair_count));
  ald_runtime_release(runtime);
  return finish();
}

/*
 * A million points from one spatial reference to another, in one call; PROJ in C as the peer, on one thread.
 *
 *   bench_project
 *
 * Times are per point, in nanoseconds: the median of several rounds. Both sides write into memory that has been touched
 * before. The largest difference between the two is printed, and a checksum of ours.
 */
#include "bench.h"

#include <math.h>
#include <proj.h>

enum { POINTS = 1000000, ROUNDS = 9, PEER_ROUNDS = 3 };

typedef double places[MOST_TIMES * POINTS][2];
static places points, images, peers;

typedef struct work {
  const char *name;
  int32_t from, to;
  double x_min, y_min, x_max, y_max;
} work;

static void make_points(const work *work) {
  const uint32_t count = sized(POINTS);
  uint64_t state = count;
  for (size_t index = 0; index < count; index++) {
    points[index][0] = work->x_min + (work->x_max - work->x_min) * random_unit(&state);
    points[index][1] = work->y_min + (work->y_max - work->y_min) * random_unit(&state);
  }
}

static void measure(const work *work, uint32_t thread_count, const char *who) {
  const uint32_t count = sized(POINTS);
  char what[64];
  ald_error error;
  ald_spatial_reference from = {0}, to = {0};
  snprintf(what, sizeof what, "project_%s", work->name);
  if (!wanted(what, who))
    return;
  const ald_runtime runtime = open_runtime(thread_count);
  must(ald_spatial_reference_create_from_code(runtime, NULL, work->from, &from, &error), &error);
  must(ald_spatial_reference_create_from_code(runtime, NULL, work->to, &to, &error), &error);
  double times[ROUNDS];
  watch_memory();
  for (int round = -1; round < ROUNDS; round++) { /* the first one makes the projector */
    const double start = now_ns();
    must(ald_spatial_reference_project_points(from, to, &points[0][0], 0, count, &images[0][0], 0, NULL, &error),
         &error);
    if (round >= 0)
      times[round] = now_ns() - start;
  }
  print_times(what, who, times, ROUNDS, count);
  ald_runtime_release(runtime);
}

static void measure_peer(const work *work) {
  char what[64], names[2][32];
  snprintf(what, sizeof what, "project_%s", work->name);
  if (!wanted(what, "proj"))
    return;
  snprintf(names[0], sizeof names[0], "EPSG:%d", work->from);
  snprintf(names[1], sizeof names[1], "EPSG:%d", work->to);
  PJ *raw = proj_create_crs_to_crs(PJ_DEFAULT_CTX, names[0], names[1], NULL);
  PJ *operation = raw == NULL ? NULL : proj_normalize_for_visualization(PJ_DEFAULT_CTX, raw);
  if (operation == NULL)
    exit(1);
  double times[PEER_ROUNDS];
  for (int round = 0; round < PEER_ROUNDS; round++) {
    memcpy(peers, points, POINTS * sizeof peers[0]);
    const double start = now_ns();
    proj_trans_generic(operation, PJ_FWD, &peers[0][0], sizeof peers[0], POINTS, &peers[0][1], sizeof peers[0], POINTS,
                       NULL, 0, 0, NULL, 0, 0);
    times[round] = now_ns() - start;
  }
  print_times(what, "proj", times, PEER_ROUNDS, POINTS);
  proj_destroy(operation);
  proj_destroy(raw);
}

/* Ours against PROJ's, and a sum of all images. */
static void print_sums(const work *work) {
  double checksum = 0, difference = 0;
  for (size_t index = 0; index < POINTS; index++) {
    checksum += images[index][0] + images[index][1];
    difference = fmax(difference, fabs(images[index][0] - peers[index][0]));
    difference = fmax(difference, fabs(images[index][1] - peers[index][1]));
    if (isnan(images[index][0]) != !isfinite(peers[index][0]))
      difference = INFINITY;
  }
  char label[96];
  snprintf(label, sizeof label, "project_%s_checksum", work->name);
  result(label, checksum);
  snprintf(label, sizeof label, "project_%s_difference", work->name);
  result(label, difference);
}

int main(void) {
  static const work works[] = {
      {"webmercator", 4326, 3857, -180, -85, 180, 85}, {"utm", 4326, 32632, 6, 0, 12, 84},
      {"laea", 4326, 3035, -10, 35, 30, 65},           {"albers", 4326, 5070, -120, 25, -70, 48},
      {"polar", 4326, 3413, -180, 60, 180, 90},        {"swiss", 4326, 2056, 6, 46, 10, 47.5},
      {"osgb", 27700, 3857, 0, 0, 700000, 1300000}};
  for (size_t index = 0; index < sizeof works / sizeof works[0]; index++) {
    make_points(&works[index]);
    measure_peer(&works[index]);
    measure(&works[index], 1, "one");
    measure(&works[index], 0, "all");
    print_sums(&works[index]);
  }
  return 0;
}

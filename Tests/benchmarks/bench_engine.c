/*
 * A million points of WGS 84 with heights into a local frame, as vertices of 32-bit floats, in one call.
 *
 *   bench_engine
 *
 * Times are per point, in nanoseconds: the best and the median of several rounds, into memory that has been touched
 * before. The checksum is the sum of all numbers' magnitudes; pyproj with numpy in peers.py has the same.
 */
#include "bench.h"

#include <math.h>

enum { POINTS = 1000000, ROUNDS = 9 };

static double points[POINTS][3];
static float vertices[POINTS][3];

static void measure(uint32_t thread_count, const char *who) {
  ald_error error;
  ald_spatial_reference solid = {0};
  ald_engine_frame frame = {0};
  ald_coordinates coordinates = ALD_COORDINATES_INIT;
  char label[96];
  double times[ROUNDS], checksum = 0;
  const ald_runtime runtime = open_runtime(thread_count);
  must(ald_spatial_reference_create_from_code(runtime, NULL, 4979, &solid, &error), &error);
  must(ald_engine_frame_create(solid, (ald_point){5, 55}, 200, NULL, &frame, &error), &error);
  coordinates.count = POINTS;
  coordinates.x = &points[0][0];
  coordinates.y = &points[0][1];
  coordinates.z = &points[0][2];
  coordinates.stride_bytes = sizeof points[0];
  for (int round = -1; round < ROUNDS; round++) {
    ald_vertex_report report = ALD_VERTEX_REPORT_INIT;
    const double start = now_ns();
    must(
        ald_engine_frame_to_vertices(frame, solid, NULL, &coordinates, &vertices[0][0], 0, NULL, &report, NULL, &error),
        &error);
    if (round >= 0)
      times[round] = now_ns() - start;
  }
  for (size_t index = 0; index < POINTS; index++)
    checksum += fabs(vertices[index][0]) + fabs(vertices[index][1]) + fabs(vertices[index][2]);
  snprintf(label, sizeof label, "engine_%s_min", who);
  result(label, percentile(times, ROUNDS, 0) / POINTS);
  snprintf(label, sizeof label, "engine_%s_median", who);
  result(label, percentile(times, ROUNDS, 50) / POINTS);
  snprintf(label, sizeof label, "engine_%s_checksum", who);
  result(label, checksum);
  ald_runtime_release(runtime);
}

int main(void) {
  uint64_t state = 1000000;
  for (size_t index = 0; index < POINTS; index++) {
    points[index][0] = 4.5 + random_unit(&state);
    points[index][1] = 54.5 + random_unit(&state);
    points[index][2] = 1000 * random_unit(&state);
  }
  measure(1, "one");
  measure(0, "all");
  return 0;
}

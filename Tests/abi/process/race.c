/*
 * A host's own mistake, for the check that ThreadSanitizer sees into the library: two threads let it write to the same
 * memory. It ends with the sanitizer's exit status, or the reports that did not come from other tests mean nothing.
 */
#include "scene.h"

#include <pthread.h>

/* So many that threads are writing nearly all of the time: a lock inside the library orders what lies between calls. */
enum { POINTS = 20000, ROUNDS = 200 };

static scene shared;
static double points[2 * POINTS];

static void *work(void *unused) {
  (void)unused;
  static const double screen[2 * POINTS];
  for (int round = 0; round < ROUNDS; round++)
    ald_view_screen_to_map(shared.view, screen, 0, POINTS, points, 0, NULL);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t other;
  if (argc != 2 || !make_scene(&shared, raster_path(argv, "Shasta_Elevation.tif")))
    return 1;
  if (pthread_create(&other, NULL, work, NULL) != 0)
    return 1;
  work(NULL);
  pthread_join(other, NULL);
  return 0;
}

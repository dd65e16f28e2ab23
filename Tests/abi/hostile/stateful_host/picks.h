/**
 * @file
 * Legal arguments of extreme value.
 */
#ifndef STATEFUL_PICKS_H
#define STATEFUL_PICKS_H

#include "alidade.h"

/** What the numbers of a parameter or field may be, and between which they mostly are. */
typedef struct number_range {
  double low;
  double high;
  double usual_low;
  double usual_high;
} number_range;

/** A number in the range, often at its ends or of an extreme magnitude; seldom beyond it, or not finite. */
double pick_double(const char *name, const number_range *range);

/** An integer in the range; seldom beyond it. */
int64_t pick_integer(const char *name, const number_range *range, int64_t type_low, int64_t type_high);

/** One of these. */
int64_t pick_choice(const char *name, const int64_t *choices, size_t count);

/** Any bits of these; seldom another. */
uint32_t pick_flags(const char *name, uint32_t all);

/** One of these texts, seldom a strange one; null_permille: how often NULL. Watched memory. */
const char *pick_text(const char *name, const char *const *choices, size_t count, unsigned null_permille);

/** Well-known text of a system with extreme parameters. Watched memory. */
const char *pick_wkt(const char *name);

/** The path of a raster. Watched memory. */
const char *pick_path(const char *name);
const char *pick_source_path(const char *name);

/** A point on the map: mostly where a raster is. */
ald_point pick_map_point(const char *name);

/** A point on the screen. */
ald_point pick_screen_point(const char *name);

/** How many elements an array has: mostly few, seldom a million. */
size_t pick_count(const char *name);

/** From one element to the next: 0 or at least smallest; seldom less. Moderate where there are many elements. */
size_t pick_stride(const char *name, size_t smallest, size_t count);

/**
 * The capacity of a host's buffer in elements: seldom more than a megabyte. count: how many elements the call asks
 * for; 0 if it is not known.
 */
size_t pick_capacity(const char *name, size_t count, size_t element);

/** Points in watched memory of exactly their size; point is one of the functions above. */
double *pick_points(const char *name, size_t count, size_t stride, ald_point (*point)(const char *));

/** Vertices of an engine, some of them nowhere, in watched memory of exactly their size. */
float *pick_vertices(size_t count, size_t stride);

/** How many rings so many vertices are: mostly as many as there can be with 3 vertices each. */
size_t pick_ring_count(size_t vertex_count);

/** Where rings start: rising, 3 apart or more if the vertices suffice; or NULL. Watched memory. */
size_t *pick_ring_starts(size_t ring_count, size_t vertex_count);

/** How many graphics a call is for: mostly the one that columns are for, or a few. */
size_t pick_graphic_count(void);

/** Ids of graphics, mostly such as overlays have. Watched memory. */
uint64_t *pick_graphic_ids(size_t graphic_count);

/** How many bytes of well-known binary a call gets, for one geometry and for many. */
size_t pick_wkb_size(void);
size_t pick_wkbs_size(void);

/** So many bytes of well-known binary, mostly whole. */
uint8_t *pick_wkb(size_t size);

/** Where count geometries begin in so many bytes, and the last one ends; now and then wrong. */
size_t *pick_byte_offsets(size_t count, size_t size);

/** How many distances or radii a call gets. */
size_t pick_length_count(const char *name);

/** So many distances or radii, now and then such as nothing has. Watched memory. */
double *pick_lengths(const char *name, size_t count);

/** How many bytes so many elements take, one every stride bytes (0: without gaps), the last without its gap. */
size_t strided_size(size_t count, size_t stride, size_t element);

/** Finds out where the rasters are. */
void find_places(ald_runtime runtime);

#endif

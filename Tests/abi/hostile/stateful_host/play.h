/**
 * @file
 * The machinery of the stateful host: a long sequence of legal calls on live objects, the same for the same seed. The
 * functions are generated from the header by stateful.py; a generated function picks its arguments, makes the call
 * and hands over what came of it.
 */
#ifndef STATEFUL_PLAY_H
#define STATEFUL_PLAY_H

#include "blocks.h"
#include "pools.h"
#include "random.h"

/** A function that can be played. */
typedef struct player {
  const function_facts *facts;
  void (*play)(void);
  /** How often it comes, by the others' weights. */
  unsigned weight;
  /** 1 << kind for every kind of handle that it cannot do without. */
  uint32_t needed_kinds;
} player;

/** What the arguments of the sequence are made of; the program's own arguments hold their paths. */
extern char *const *raster_paths;
extern size_t raster_count;

/**
 * Adds to the text of the call under way, if this part of the sequence is printed. Every pick does it by itself.
 */
void trace(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Comes right before the call, and right after it. A function without a status counts as ALD_STATUS_OK. */
void before_call(void);
void after_call(ald_status status);

/** Judges how many handles the call that succeeded gave to the host, and how many the host borrowed at most. */
void check_handle_counts(size_t given, size_t lent);

/** Judges a text that the library returned or wrote into a struct. */
void check_text(const char *text, const char *what);

/** Judges a number that must not be infinite. */
void check_not_infinite(double number, const char *what);

/** Judges the struct_size of a struct that was written: as the host gave it, plain or that of a newer header. */
void check_struct_size(size_t size, size_t plain, const char *what);

/** Waits until a request has ended. */
void end_request(ald_request request);

/** Reads memory that is borrowed from the library, so that AddressSanitizer sees whether it is there. */
void read_memory(const void *memory, size_t size, const char *what);

/** How much larger the structs of a newer header are than the structs of this header. */
enum { NEWER_FIELDS_SIZE = 16 };

/**
 * Runs a sequence. Arguments: a file for the progress, the seed, how many calls, from which call on they are printed
 * (0: none), and the rasters. Prints what failed and "N passed, N failed"; the sequence ends at its first failure.
 */
int run_stateful_host(const player *players, size_t count, int argc, char **argv);

#endif

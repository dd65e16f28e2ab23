/**
 * @file
 * Memory that goes into a call and is watched: what the library may write where, and what a failure must say. Knows
 * nothing of the functions.
 */
#ifndef HOSTILE_BLOCKS_H
#define HOSTILE_BLOCKS_H

#include "alidade.h"

/** A function as the header declares it. */
typedef struct function_facts {
  const char *name;
  /** Its number in the order of declaration. */
  size_t number;
  int32_t parameter_count;
  /** 1 << status for every status that its comment lists. */
  uint32_t documented_statuses;
  /** Its valid call takes a handle away, so that the world must be made anew. */
  int is_release;
} function_facts;

/** What a block of memory is to the library. */
typedef enum block_role {
  /** Read only: never changes. */
  BLOCK_INPUT,
  /** Written on success alone. */
  BLOCK_OUTPUT,
  /** A handle: written on success, null after a failure. */
  BLOCK_OUTPUT_HANDLE,
  /** A handle that may be null after a success, too. */
  BLOCK_OUTPUT_OPTIONAL_HANDLE,
  /** A needed size: written on success and when a buffer is too small. */
  BLOCK_OUTPUT_SIZE,
  /** The ald_error: written on failure alone. */
  BLOCK_ERROR
} block_role;

/**
 * Memory for an argument, of exactly this size, so that AddressSanitizer sees every step beyond it. Watched by
 * watch_blocks and freed by free_blocks. Filled from content, or with a pattern if that is NULL.
 */
void *give_block(block_role role, size_t size, const void *content);

/**
 * From now on arrays for output have at least this size; 0: just what is asked for. For calls whose counts and strides
 * are wrong and can still be served.
 */
void set_smallest_output_array(size_t size);

/** Takes a block out of the call: nothing is expected of it. */
void take_back(void *memory);

/** Changes what a block is to the library. */
void set_role(const void *memory, block_role role);

/** The same block's content in a larger one, with zeros behind it. */
void *give_larger_block(block_role role, const void *content, size_t size, size_t larger_size);

/** A text of exactly its size. */
char *give_text(const char *text);

/** count points, two doubles each, around a point, in a block that is large enough for strides up to 64 bytes. */
double *give_points(size_t count, double x, double y);

/** An ald_error that looks as uninitialised as one on the stack. */
ald_error *give_error(void);

/** Takes a copy of all blocks; comes right before the call. */
void watch_blocks(void);

/** Checks all blocks against what the call returned; what is wrong goes to fail. */
void check_blocks(const function_facts *function, ald_status status);

/** Whether the comment lists this status; if not, that goes to fail. */
void check_documented(const function_facts *function, ald_status status);

/** What the library has written of a failure; NULL if the call passes no error. */
const ald_error *given_error(void);

void free_blocks(void);

/** Takes a finding; each program has its own. The detail may be NULL. */
void fail(const char *reason, const char *detail);

#endif

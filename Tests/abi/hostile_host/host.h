/**
 * @file
 * The machinery of the hostile host: memory that is watched, cases, and what is expected of them. The calls and their
 * cases are generated from the header by hostile.py.
 */
#ifndef HOSTILE_HOST_H
#define HOSTILE_HOST_H

#include "alidade.h"
#include "values.h"
#include "world.h"

/** What a block of memory is to the library. */
typedef enum block_role {
  /** Read only: never changes. */
  BLOCK_INPUT,
  /** Written on success alone. */
  BLOCK_OUTPUT,
  /** A handle: written on success, null after a failure. */
  BLOCK_OUTPUT_HANDLE,
  /** A needed size: written on success and when a buffer is too small. */
  BLOCK_OUTPUT_SIZE,
  /** The ald_error: written on failure alone. */
  BLOCK_ERROR
} block_role;

/**
 * Memory for an argument, of exactly this size, so that AddressSanitizer sees every step beyond it. Watched and freed
 * by end_case. Filled from content, or with a pattern if that is NULL.
 */
void *give_block(block_role role, size_t size, const void *content);

/** Takes a block out of the case: it does not go into the call, so nothing is expected of it. */
void take_back(void *memory);

/** The same block's content in a larger one, with zeros behind it. */
void *give_larger_block(block_role role, const void *content, size_t size, size_t larger_size);

/** A text of exactly its size. */
char *give_text(const char *text);

/** count points, two doubles each, around a place, in a block that is large enough for strides up to 64 bytes. */
double *give_points(size_t count, double x, double y);

/** An ald_error that looks as uninitialised as one on the stack. */
ald_error *give_error(void);

/** What a case must end as. */
typedef enum expectation {
  /** Any status that the function's comment lists. */
  EXPECT_DOCUMENTED,
  EXPECT_OK,
  EXPECT_REFUSAL,
  /** One of these, and the error names the argument. */
  EXPECT_INVALID_ARGUMENT,
  EXPECT_INVALID_HANDLE,
  EXPECT_BUFFER_TOO_SMALL
} expectation;

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

/** The main world, and one of another runtime. Both have a live scene at all times. */
extern world here;
extern world elsewhere;

/** Begins the cases of a function, in the first scene. */
void begin_function(const function_facts *function);

/** The scene for the cases that follow: one in which the valid call succeeds. */
void choose_scene(scene_choice choice);

/** Begins a case: one argument, counted from 1, is given in a way that label describes. */
void begin_case(int32_t argument, const char *argument_name, const char *label, expectation expectation);

/** Takes a copy of all blocks; comes right before the call. */
void watch_blocks(void);

/** Judges a case of a function that answers a status, and puts the scene back to what it was. */
void end_case(ald_status status);

/** The same for a function that answers nothing, and for one that answers a text. */
void end_case_without_status(void);
void end_case_with_text(const char *text);

/** The same without a judgement: whether the valid call succeeded in this scene. Prints nothing. */
int end_trial(ald_status status);

/** A handle that is not what a parameter asks for, and what that must lead to. */
typedef struct bad_handle {
  const char *label;
  uint64_t id;
  expectation expectation;
} bad_handle;

/**
 * The bad handles of a kind by number, from 0; 0 when there are no more. null_is_allowed: the parameter takes a null
 * handle; is_alone: there is no other handle in the call, so that one of another runtime is no mistake.
 */
int bad_handle_at(size_t number, handle_kind kind, int null_is_allowed, int is_alone, bad_handle *out);

/**
 * Runs all generated functions from a number on, prints what failed and "N passed, N failed". progress_path is a file
 * that holds, whenever the program should crash, the number of the function, the counts, and the case under way.
 */
int run_hostile_host(void (*const *functions)(void), size_t function_count, size_t first, const char *progress_path);

#endif

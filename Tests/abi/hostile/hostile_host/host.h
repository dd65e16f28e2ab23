/**
 * @file
 * The machinery of the hostile host: cases, and what is expected of them. The calls and their cases are generated from
 * the header by hostile.py.
 */
#ifndef HOSTILE_HOST_H
#define HOSTILE_HOST_H

#include "blocks.h"
#include "random.h"
#include "values.h"
#include "world.h"

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

/** The main world, and one of another runtime. Both have a live scene at all times. */
extern world here;
extern world elsewhere;

/** Begins the cases of a function, in the first scene. */
void begin_function(const function_facts *function);

/** The scene for the cases that follow: one in which the valid call succeeds. */
void choose_scene(scene_choice choice);

/** Begins a case: one argument, counted from 1, is given in a way that label describes. */
void begin_case(int32_t argument, const char *argument_name, const char *label, expectation expectation);

/** Judges a case of a function that returns a status, and puts the scene back to what it was. */
void end_case(ald_status status);

/** The same for a function that returns nothing, and for a function that returns a text. */
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

/** One of them at random. */
bad_handle any_bad_handle(handle_kind kind);

/**
 * Begins a case in which any number of arguments is wrong, always the same for the same number; is_wrong_here then
 * returns for each target whether it is.
 */
void begin_wrong_case(size_t number);
int is_wrong_here(void);

/**
 * Runs all generated functions from a number on, prints what failed and "N passed, N failed". progress_path is a file
 * that holds, whenever the program should crash, the number of the function, the counts, and the case under way.
 */
int run_hostile_host(void (*const *functions)(void), size_t function_count, size_t first, const char *progress_path);

#endif

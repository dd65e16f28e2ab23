/**
 * @file
 * Counting what holds and what does not, and small helpers. Calls nothing of the library.
 */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include "alidade.h"

#include <stddef.h>

/** What takes longer under ThreadSanitizer, or does not survive it: the children of a fork while threads run. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_THREAD_SANITIZER
#endif
#endif

/**
 * How often something is tried whose outcome depends on chance: so often, or a share of that where Tests/abi/run gives
 * a divisor, as it does without --long.
 */
#ifndef TRIES_DIVISOR
#define TRIES_DIVISOR 1
#endif
#define TRIES(count) ((count) / TRIES_DIVISOR)

/** Counts; prints the condition if it does not hold. May be used on any thread. */
#define CHECK(condition) check_that((condition) != 0, #condition, __FILE__, __LINE__)

/** The same for a call that must answer ALD_STATUS_OK; `error` is the ald_error that the call was given. */
#define CHECK_OK(call, error) check_ok((call), #call, (error), __FILE__, __LINE__)

/** The same for a call that must answer another status. */
#define CHECK_STATUS(call, status) check_status((call), (status), #call, __FILE__, __LINE__)

int check_that(int holds, const char *what, const char *file, int line);
int check_ok(ald_status status, const char *what, const ald_error *error, const char *file, int line);
int check_status(ald_status status, ald_status expected, const char *what, const char *file, int line);

/** Prints what could not be tested, and why. */
void skip(const char *what, const char *why);

/** Prints "N passed, N failed" and returns the program's exit status. */
int finish(void);

/** The path of a raster of the test data; argv[1] of the test is the folder. Static storage, overwritten by the next.
 */
const char *raster_path(char **argv, const char *name);

/** Whether two texts are equal. */
int is_text(const char *text, const char *expected);

/** Whether a text holds another. */
int holds_text(const char *text, const char *part);

void sleep_ms(unsigned milliseconds);

#endif

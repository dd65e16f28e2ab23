/* Calls a function of the interface with Godot's values. */
#ifndef ALIDADE_GODOT_CALLS_H
#define ALIDADE_GODOT_CALLS_H

#include "interface.h"
#include "values.h"

/* Calls a function. On success *result is what its out parameters hold: null for none, the value of one, a Dictionary
 * of several. On failure *error says why, and *result is null. Arguments that are missing are null. */
ald_status call_function(const function *called, size_t count, value *const *arguments, value *result,
                         ald_error *error);

/* A struct of C as a Dictionary. */
value value_of_record(const record *shape, const void *memory);

#endif

/**
 * @file
 * The live objects of the stateful host, by kind and group. A group is a handful of objects that are likely to have to
 * do with each other; it belongs to one of the runtimes.
 */
#ifndef STATEFUL_POOLS_H
#define STATEFUL_POOLS_H

#include <stddef.h>
#include <stdint.h>

enum { MAX_KINDS = 32, RUNTIME_COUNT = 2, GROUPS_PER_RUNTIME = 3, GROUP_COUNT = RUNTIME_COUNT * GROUPS_PER_RUNTIME };

/** A kind of handle; the generated file has one entry per kind. */
typedef struct kind_facts {
  const char *name;
  void (*release)(uint64_t id);
} kind_facts;

extern const kind_facts kinds[];
extern const size_t kind_count;
extern const int kind_of_runtime;

/** The group of the call under way. */
extern size_t current_group;

/** The runtime of a group; 0 if it has been released. */
uint64_t runtime_of_group(size_t group);
void set_runtime(size_t number, uint64_t id);
uint64_t runtime_at(size_t number);

/** Whether the current group has an object of a kind. */
int has_handle(int kind);

/**
 * A handle for an argument: mostly of the current group, seldom of another group or another runtime, stale or null.
 * null_permille: how often it is null where that is no mistake.
 */
uint64_t pick_handle(const char *name, int kind, unsigned null_permille);

/** Takes a handle that the host owns (is_owned) or borrows after a call. The pool may release another one for it. */
void keep_handle(int kind, uint64_t id, int is_owned);

/** Takes note that the host has released a handle. */
void forget_handle(int kind, uint64_t id);

/** Releases all that the host owns but the runtimes, in any order. */
void release_all_objects(void);

#endif

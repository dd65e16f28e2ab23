/**
 * @file
 * Numbers that look random and are the same for the same seed, on every machine.
 */
#ifndef HOSTILE_RANDOM_H
#define HOSTILE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

void seed_random(uint64_t seed);

/** 64 bits. */
uint64_t random_bits(void);

/** 0 to count - 1; 0 for a count of 0. */
size_t random_below(size_t count);

/** Whether something that happens in so many of a thousand cases happens. */
int random_permille(unsigned permille);

/** 0 <= x < 1. */
double random_unit(void);

#endif

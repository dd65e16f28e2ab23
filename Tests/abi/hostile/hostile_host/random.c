#include "random.h"

/* SplitMix64: Steele, Lea and Flood 2014. */
static uint64_t state;

void seed_random(uint64_t seed) {
  state = seed;
}

uint64_t random_bits(void) {
  uint64_t z = state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

size_t random_below(size_t count) {
  return count ? (size_t)(random_bits() % count) : 0;
}

int random_permille(unsigned permille) {
  return random_bits() % 1000 < permille;
}

double random_unit(void) {
  return (double)(random_bits() >> 11) * 0x1p-53;
}

/**
 * @file
 * Whether bytes are UTF-8, as RFC 3629 has it.
 */
#ifndef TESTS_UTF8_H
#define TESTS_UTF8_H

#include <stddef.h>

/* How many bytes follow a first byte, or -1 for a byte that begins no character. */
static inline int utf8_following(unsigned char first) {
  if (first < 0x80)
    return 0;
  if (first >= 0xC2 && first <= 0xDF)
    return 1;
  if (first >= 0xE0 && first <= 0xEF)
    return 2;
  return first >= 0xF0 && first <= 0xF4 ? 3 : -1;
}

/* Whether a first and a second byte go together: neither overlong, nor a surrogate, nor beyond U+10FFFF. */
static inline int utf8_pair_is_valid(unsigned char first, unsigned char second) {
  const unsigned char lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  return second >= lowest && second <= highest;
}

static inline int is_utf8(const char *text, size_t length) {
  const unsigned char *bytes = (const unsigned char *)text;
  for (size_t i = 0; i < length;) {
    const unsigned char first = bytes[i++];
    const int following = utf8_following(first);
    if (following < 0 || (size_t)following > length - i)
      return 0;
    if (following > 0 && !utf8_pair_is_valid(first, bytes[i]))
      return 0;
    for (int j = 1; j < following; j++)
      if ((bytes[i + (size_t)j] & 0xC0) != 0x80)
        return 0;
    i += (size_t)following;
  }
  return 1;
}

#endif

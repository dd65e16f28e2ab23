#include "blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

enum { MAX_BLOCKS = 64, PATTERN = 0xA5, LARGEST_SINGLE_VALUE = 64 };

typedef struct block {
  block_role role;
  size_t size;
  uint8_t *memory;
  /* The memory as it was right before the call. */
  uint8_t *before;
} block;

static block blocks[MAX_BLOCKS];
static size_t block_count;
static size_t smallest_output_array;

void *give_block(block_role role, size_t size, const void *content) {
  if (block_count == MAX_BLOCKS) {
    printf("FAILED the hostile host: more than %d blocks in a call\n", MAX_BLOCKS);
    exit(2);
  }
  if (role == BLOCK_OUTPUT && !content && size > LARGEST_SINGLE_VALUE && size < smallest_output_array)
    size = smallest_output_array;
  block *given = &blocks[block_count];
  given->role = role;
  given->size = size;
  given->memory = malloc(size);
  given->before = NULL;
  if (!given->memory) {
    printf("FAILED the hostile host: no memory for a block of %zu bytes\n", size);
    exit(2);
  }
  block_count++;
  if (content)
    memcpy(given->memory, content, size);
  else
    memset(given->memory, PATTERN, size);
  return given->memory;
}

void set_smallest_output_array(size_t size) {
  smallest_output_array = size;
}

void take_back(void *memory) {
  for (size_t i = 0; i < block_count; i++) {
    if (blocks[i].memory == memory) {
      free(memory);
      blocks[i] = blocks[--block_count];
      return;
    }
  }
}

void set_role(const void *memory, block_role role) {
  for (size_t i = 0; i < block_count; i++)
    if (blocks[i].memory == memory)
      blocks[i].role = role;
}

void *give_larger_block(block_role role, const void *content, size_t size, size_t larger_size) {
  uint8_t *memory = give_block(role, larger_size, NULL);
  memcpy(memory, content, size);
  memset(memory + size, 0, larger_size - size);
  return memory;
}

char *give_text(const char *text) {
  return give_block(BLOCK_INPUT, strlen(text) + 1, text);
}

double *give_points(size_t count, double x, double y) {
  enum { LARGEST_STRIDE = 64 };
  double *points = give_block(BLOCK_INPUT, count * LARGEST_STRIDE, NULL);
  for (size_t i = 0; i < count * LARGEST_STRIDE / (2 * sizeof(double)); i++) {
    points[2 * i] = x + (double)i;
    points[2 * i + 1] = y + (double)i;
  }
  return points;
}

ald_error *give_error(void) {
  return give_block(BLOCK_ERROR, sizeof(ald_error), NULL);
}

void watch_blocks(void) {
  for (size_t i = 0; i < block_count; i++) {
    blocks[i].before = malloc(blocks[i].size);
    if (!blocks[i].before) {
      printf("FAILED the hostile host: no memory for the copy of a block of %zu bytes\n", blocks[i].size);
      exit(2);
    }
    memcpy(blocks[i].before, blocks[i].memory, blocks[i].size);
  }
}

void free_blocks(void) {
  for (size_t i = 0; i < block_count; i++) {
    free(blocks[i].memory);
    free(blocks[i].before);
  }
  block_count = 0;
}

const ald_error *given_error(void) {
  for (size_t i = 0; i < block_count; i++)
    if (blocks[i].role == BLOCK_ERROR)
      return (const ald_error *)(const void *)blocks[i].memory;
  return NULL;
}

void check_documented(const function_facts *function, ald_status status) {
  /* A status that needs no mention can only be this one here: nothing forks, ends or is at fault. */
  const uint32_t allowed = function->documented_statuses | 1u << ALD_STATUS_OUT_OF_MEMORY;
  if (status < 0 || status > 31 || !(allowed & 1u << status))
    fail("a status that its comment does not list", ald_status_get_name(status));
}

/* What every failure must say, in memory that held anything before. */
static void check_error(const function_facts *function, const ald_error *error, ald_status status) {
  static const uint8_t zeros[sizeof error->reserved];
  if (error->status != status)
    fail("error.status", ald_status_get_name(error->status));
  if (error->argument < 0 || error->argument > function->parameter_count)
    fail("error.argument is not an argument of the function", error->message);
  if (error->domain < ALD_ERROR_DOMAIN_ALIDADE || error->domain > ALD_ERROR_DOMAIN_SYSTEM)
    fail("error.domain is not valid", error->message);
  if (memcmp(error->reserved, zeros, sizeof zeros) != 0)
    fail("error.reserved is not zero", NULL);
  const size_t length = strnlen(error->message, sizeof error->message);
  if (length == 0 || length == sizeof error->message)
    fail("error.message is empty or has no end", NULL);
  else if (!is_utf8(error->message, length))
    fail("error.message is not UTF-8", NULL);
}

static int is_null_handle(const block *block) {
  static const uint8_t zeros[8];
  return block->size == sizeof zeros && memcmp(block->memory, zeros, sizeof zeros) == 0;
}

static void check_block(const function_facts *function, const block *block, ald_status status) {
  const int is_changed = memcmp(block->memory, block->before, block->size) != 0;
  const int has_succeeded = status == ALD_STATUS_OK;
  switch (block->role) {
  case BLOCK_INPUT:
    if (is_changed)
      fail("memory that is only read has changed", NULL);
    break;
  case BLOCK_OUTPUT:
    if (!has_succeeded && is_changed)
      fail("an out-parameter was written although the call failed", ald_status_get_name(status));
    break;
  case BLOCK_OUTPUT_HANDLE:
    if (has_succeeded == is_null_handle(block))
      fail(has_succeeded ? "the out handle is null" : "the out handle is not null although the call failed", NULL);
    break;
  case BLOCK_OUTPUT_OPTIONAL_HANDLE:
    if (!has_succeeded && !is_null_handle(block))
      fail("the out handle is not null although the call failed", NULL);
    break;
  case BLOCK_OUTPUT_SIZE:
    if (!has_succeeded && status != ALD_STATUS_BUFFER_TOO_SMALL && is_changed)
      fail("a size was written although the call failed", ald_status_get_name(status));
    break;
  case BLOCK_ERROR:
    if (has_succeeded && is_changed)
      fail("the error was written although the call succeeded", NULL);
    if (!has_succeeded)
      check_error(function, (const ald_error *)(const void *)block->memory, status);
    break;
  }
}

void check_blocks(const function_facts *function, ald_status status) {
  for (size_t i = 0; i < block_count; i++)
    check_block(function, &blocks[i], status);
}

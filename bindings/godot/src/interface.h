/* The interface of Alidade as tables, which bindings/generator/generate writes into interface.generated.c. */
#ifndef ALIDADE_GODOT_INTERFACE_H
#define ALIDADE_GODOT_INTERFACE_H

#include <alidade.h>
#include <stdbool.h>

/* What a function of C gets for one parameter. */
typedef union {
  uint64_t integer;
  double real;
  void *pointer;
} word;

typedef enum {
  ELEMENT_UINT8,
  ELEMENT_INT32,
  ELEMENT_UINT32,
  /* Also what is opaque: a pointer of the host's. */
  ELEMENT_INT64,
  /* Sizes, too. Godot's integers have a sign, so the highest bit is the sign there. */
  ELEMENT_UINT64,
  ELEMENT_HANDLE,
  ELEMENT_FLOAT,
  ELEMENT_DOUBLE,
  /* A pointer to a text. */
  ELEMENT_TEXT,
  /* An array of characters inside a struct. */
  ELEMENT_CHARACTERS,
  ELEMENT_RECORD
} element;

typedef struct record record;
typedef struct {
  const char *name;
  size_t offset;
  element element;
  /* Of ELEMENT_RECORD. */
  const record *record;
  /* How many elements lie in the struct, 0 for one alone. */
  size_t length;
  /* Whether the struct points to the elements. */
  int is_pointer;
  /* Where a pointer leads to an array: the position of the field with its length plus 1, 0 without one; what is added
   * to it, and by how much it is multiplied. */
  size_t count_field, count_more, count_times;
  /* The distance between elements of an array. Arrays of Godot have none. */
  int is_stride;
} field;

struct record {
  const char *name;
  size_t size;
  bool has_struct_size;
  size_t field_count;
  const field *fields;
};

typedef enum {
  /* A number or a handle. */
  ROLE_VALUE,
  /* A flag: any value that is true or false. */
  ROLE_FLAG,
  ROLE_TEXT,
  /* A struct, which must be given, and a pointer to one, which may be left out. */
  ROLE_RECORD,
  ROLE_OPTIONS,
  /* An array, and how many numbers make one of its elements. */
  ROLE_ARRAY,
  /* How many elements the array before has, or how many bytes lie between them. */
  ROLE_COUNT,
  ROLE_STRIDE,
  ROLE_OUT_VALUE,
  ROLE_OUT_FLAG,
  ROLE_OUT_TEXT,
  ROLE_OUT_RECORD,
  /* A receipt, which is created if an argument asks for it. */
  ROLE_OUT_RECEIPT,
  ROLE_OUT_ARRAY,
  /* The matrix of DE-9IM. */
  ROLE_OUT_MATRIX,
  /* An array or a buffer that grows until the result fits. */
  ROLE_OUT_LIST,
  ROLE_OUT_BUFFER,
  /* How large the array before is, and how much the library wrote or would write. */
  ROLE_CAPACITY,
  ROLE_OUT_SIZE,
  /* How many elements the host wants at most. */
  ROLE_MAXIMUM,
  /* Columns of projected coordinates, for as many points as the coordinates have. */
  ROLE_OUT_COLUMNS
} role;

typedef struct {
  const char *name;
  role role;
  element element;
  const record *record;
  /* Whether C takes NULL for it. */
  int is_optional;
  /* Numbers for each element of an array: 2 for points. For a stride and a capacity, the bytes of each. */
  size_t times;
  /* The position plus 1 of another parameter: the array that a count, a stride or a capacity belongs to, or the array
   * with as many elements. 0 without one. */
  size_t of;
  /* What is added to a count: offsets have an element more than there are elements. */
  int more;
} parameter;

typedef struct {
  const char *name;
  size_t parameter_count;
  const parameter *parameters;
  ald_status (*call)(word *words, ald_error *error);
  /* How many elements a parameter needs that no other parameter has. */
  size_t (*size_of)(const word *words, size_t parameter);
} function;

extern const function interface_functions[];
extern const size_t interface_function_count;

#endif

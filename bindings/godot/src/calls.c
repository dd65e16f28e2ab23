/* Converts Godot's values to what C takes and back, as the tables of interface.h say. */
#include "calls.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAXIMUM_PARAMETERS = 24, FIRST_CAPACITY = 64 };

/* Memory for the length of a call. */
typedef struct block {
  struct block *next;
  max_align_t bytes[];
} block;

/* An array: where it is, and how many elements it has. */
typedef struct {
  void *data;
  size_t count;
} array;

typedef struct {
  const function *called;
  ald_error *error;
  block *blocks;
  /* The parameter that is converted, for messages. */
  size_t place;
  /* The length of the shortest array whose length stands in another struct, as for the attributes of graphics. */
  size_t shortest;
  word words[MAXIMUM_PARAMETERS];
  array arrays[MAXIMUM_PARAMETERS];
  size_t sizes[MAXIMUM_PARAMETERS];
} call;

static bool refuse(call *state, const char *format, ...) {
  ald_error *error = state->error;
  memset(error, 0, sizeof *error);
  error->status = ALD_STATUS_INVALID_ARGUMENT;
  error->argument = (int32_t)state->place + 1;
  const int written = snprintf(error->message, sizeof error->message, "%s: %s ", state->called->name,
                               state->called->parameters[state->place].name);
  va_list rest;
  va_start(rest, format);
  if (written > 0 && (size_t)written < sizeof error->message)
    vsnprintf(error->message + written, sizeof error->message - (size_t)written, format, rest);
  va_end(rest);
  return false;
}

/* Zeroed memory; NULL, and the error, when there is none. */
static void *take(call *state, size_t count, size_t size) {
  block *made = count <= (SIZE_MAX / 2) / (size + 1) ? calloc(1, sizeof *made + count * size + 1) : NULL;
  if (!made) {
    refuse(state, "needs more memory than there is");
    state->error->status = ALD_STATUS_OUT_OF_MEMORY;
    return NULL;
  }
  made->next = state->blocks;
  state->blocks = made;
  return made->bytes;
}

static void drop_blocks(call *state) {
  while (state->blocks) {
    block *next = state->blocks->next;
    free(state->blocks);
    state->blocks = next;
  }
}

static size_t size_of_element(element kind, const record *shape) {
  switch (kind) {
  case ELEMENT_UINT8:
  case ELEMENT_CHARACTERS:
    return 1;
  case ELEMENT_INT32:
  case ELEMENT_UINT32:
  case ELEMENT_FLOAT:
    return 4;
  case ELEMENT_RECORD:
    return shape->size;
  default:
    return 8;
  }
}

/* In */

static bool record_in(call *state, const value *from, const record *shape, void *memory);
static bool coordinates_in(call *state, const value *from, element kind, size_t times, uint8_t *memory);

static char *text_in(call *state, const value *from) {
  if (value_type(from) != GODOT_TYPE_STRING) {
    refuse(state, "must be a String, not %s", value_type_name(from));
    return NULL;
  }
  char *text = value_as_text(from), *kept = text ? take(state, strlen(text) + 1, 1) : NULL;
  if (kept)
    strcpy(kept, text);
  free(text);
  return kept;
}

/* Writes a number, a text or a struct to where C expects it. Null is 0. */
static bool element_in(call *state, const value *from, element kind, const record *shape, void *memory) {
  if (kind == ELEMENT_RECORD)
    return record_in(state, from, shape, memory);
  if (value_type(from) == GODOT_TYPE_NIL)
    return true;
  if (kind == ELEMENT_TEXT) {
    char *text = text_in(state, from);
    memcpy(memory, &text, sizeof text);
    return text != NULL;
  }
  if (!value_is_number(from))
    return refuse(state, "must be a number, not %s", value_type_name(from));
  const double real = value_as_real(from);
  if (kind == ELEMENT_DOUBLE) {
    memcpy(memory, &real, sizeof real);
    return true;
  }
  if (kind == ELEMENT_FLOAT) {
    const float number = (float)real;
    memcpy(memory, &number, sizeof number);
    return true;
  }
  if (value_type(from) == GODOT_TYPE_REAL && !(fabs(real) < 9.2e18 && floor(real) == real))
    return refuse(state, "must be a whole number, not %.17g", real);
  const int64_t whole = value_as_int(from);
  const int64_t least = kind == ELEMENT_INT32 ? INT32_MIN : kind <= ELEMENT_UINT32 ? 0 : INT64_MIN;
  const int64_t most = kind == ELEMENT_UINT8    ? UINT8_MAX
                       : kind == ELEMENT_INT32  ? INT32_MAX
                       : kind == ELEMENT_UINT32 ? UINT32_MAX
                                                : INT64_MAX;
  if (whole < least || whole > most)
    return refuse(state, "must be from %lld to %lld, not %lld", (long long)least, (long long)most, (long long)whole);
  if (kind == ELEMENT_UINT8)
    *(uint8_t *)memory = (uint8_t)whole;
  else if (kind <= ELEMENT_UINT32) {
    const uint32_t number = (uint32_t)whole;
    memcpy(memory, &number, sizeof number);
  } else
    memcpy(memory, &whole, sizeof whole);
  return true;
}

/* The numbers of a point: a Vector2, a Vector3, an Array of numbers, or a Dictionary with x and y. */
static bool coordinates_in(call *state, const value *from, element kind, size_t times, uint8_t *memory) {
  const size_t size = size_of_element(kind, NULL);
  double numbers[3] = {0, 0, 0};
  const size_t known = value_as_coordinates(from, numbers);
  bool is_right = known == times;
  godot_dictionary names = dictionary_new();
  godot_array list = list_new(0);
  if (value_type(from) == GODOT_TYPE_DICTIONARY) {
    dictionary_drop(names);
    names = value_as_dictionary(from);
    is_right = true;
  } else if (value_is_list(from)) {
    list_drop(list);
    list = value_as_list(from);
    is_right = list_count(&list) == times;
  }
  if (!is_right)
    refuse(state, "must have points of %zu numbers, not %s", times, value_type_name(from));
  for (size_t index = 0; is_right && index < times; index++) {
    value number = value_real(numbers[index]);
    if (!known) {
      value_end(number);
      static const char *const axes[] = {"x", "y", "z"};
      const value key = value_text(axes[index]);
      number = value_is_list(from) ? list_get(&list, index) : dictionary_get(&names, &key);
      value_end(key);
    }
    is_right = element_in(state, &number, kind, NULL, memory + index * size);
    value_end(number);
  }
  list_drop(list);
  dictionary_drop(names);
  return is_right;
}

/* An array of elements that each have `times` numbers. Null is no array. */
static bool array_in(call *state, const value *from, element kind, const record *shape, size_t times, array *made) {
  const godot_variant_type type = value_type(from);
  const size_t size = size_of_element(kind, shape);
  if (type == GODOT_TYPE_NIL)
    return true;
  if (type == GODOT_TYPE_POOL_BYTE_ARRAY && kind == ELEMENT_UINT8) {
    uint8_t *bytes = value_as_bytes(from, &made->count);
    made->data = bytes ? take(state, made->count, 1) : NULL;
    if (made->data)
      memcpy(made->data, bytes, made->count);
    free(bytes);
    return made->data != NULL;
  }
  if (type == GODOT_TYPE_POOL_VECTOR2_ARRAY && kind == ELEMENT_DOUBLE && times == 2) {
    double *xy = value_as_vectors(from, &made->count);
    made->data = xy ? take(state, made->count, 16) : NULL;
    if (made->data)
      memcpy(made->data, xy, made->count * 16);
    free(xy);
    return made->data != NULL;
  }
  if (!value_is_list(from))
    return refuse(state, "must be an array, not %s", value_type_name(from));
  godot_array list = value_as_list(from);
  const size_t length = list_count(&list);
  bool is_flat = times == 1, is_right = true;
  if (length && !is_flat) {
    const value first = list_get(&list, 0);
    is_flat = value_is_number(&first);
    value_end(first);
  }
  if (is_flat && length % times)
    is_right = refuse(state, "has %zu numbers, which are no whole number of points", length);
  made->count = is_flat ? length / times : length;
  made->data = is_right ? take(state, made->count * times, size) : NULL;
  is_right = made->data != NULL;
  for (size_t index = 0; is_right && index < length; index++) {
    const value item = list_get(&list, index);
    uint8_t *place = (uint8_t *)made->data + index * size * (is_flat ? 1 : times);
    is_right =
        is_flat ? element_in(state, &item, kind, shape, place) : coordinates_in(state, &item, kind, times, place);
    value_end(item);
  }
  list_drop(list);
  return is_right;
}

static uint64_t number_at(const void *memory, element kind) {
  uint64_t number = 0;
  memcpy(&number, memory, size_of_element(kind, NULL));
  return number;
}

static const field *field_named(const record *shape, const char *name) {
  for (size_t index = 0; index < shape->field_count; index++)
    if (!strcmp(shape->fields[index].name, name))
      return &shape->fields[index];
  return NULL;
}

/* One field from a value. *length becomes that of an array. */
static bool field_in(call *state, const value *from, const field *listed, uint8_t *memory, size_t *length) {
  uint8_t *place = memory + listed->offset;
  if (listed->is_stride || listed->element == ELEMENT_CHARACTERS)
    return refuse(state, "cannot be given %s, which follows from the arrays", listed->name);
  if (listed->is_pointer) {
    array made = {NULL, 0};
    const bool is_single = listed->element == ELEMENT_RECORD && !listed->count_field;
    if (is_single && value_type(from) != GODOT_TYPE_NIL) {
      made.data = take(state, 1, listed->record->size);
      if (!made.data || !record_in(state, from, listed->record, made.data))
        return false;
    } else if (!is_single &&
               !array_in(state, from, listed->element, listed->record, listed->count_times == 2 ? 2 : 1, &made))
      return false;
    if (made.data && !listed->count_field && !is_single && made.count < state->shortest)
      state->shortest = made.count;
    memcpy(place, &made.data, sizeof made.data);
    *length = made.count * (listed->count_times == 2 ? 2 : 1);
    return true;
  }
  if (!listed->length)
    return element_in(state, from, listed->element, listed->record, place);
  array made = {NULL, 0};
  if (!array_in(state, from, listed->element, listed->record, 1, &made))
    return false;
  if (made.count > listed->length)
    return refuse(state, "has %zu elements in %s, at most %zu are possible", made.count, listed->name, listed->length);
  if (made.data)
    memcpy(place, made.data, made.count * size_of_element(listed->element, listed->record));
  return true;
}

/* Whether lengths of arrays agree with the fields that count them; sets those that were not given. */
static bool counts_in(call *state, const record *shape, uint8_t *memory, const size_t *lengths) {
  bool *is_known = take(state, shape->field_count, sizeof *is_known);
  if (!is_known)
    return false;
  for (size_t index = 0; index < shape->field_count; index++) {
    const field *listed = &shape->fields[index];
    void *data = NULL;
    if (!listed->count_field || !listed->is_pointer)
      continue;
    memcpy(&data, memory + listed->offset, sizeof data);
    if (!data)
      continue;
    const field *counted = &shape->fields[listed->count_field - 1];
    const size_t have = lengths[index];
    if (have < listed->count_more || have % listed->count_times)
      return refuse(state, "%s.%s has a length that is not possible: %zu", shape->name, listed->name, have);
    const uint64_t count = (have - listed->count_more) / listed->count_times;
    const uint64_t given = number_at(memory + counted->offset, counted->element);
    if ((given || is_known[listed->count_field - 1]) && given != count)
      return refuse(state, "%s.%s has %llu elements, other fields say %llu", shape->name, listed->name,
                    (unsigned long long)count, (unsigned long long)given);
    memcpy(memory + counted->offset, &count, size_of_element(counted->element, NULL));
    is_known[listed->count_field - 1] = true;
  }
  return true;
}

/* The arrays of attributes have as many elements as there are graphics. */
static bool attributes_in(call *state, const record *shape, uint8_t *memory) {
  const field *counted = field_named(shape, "graphic_count");
  if (!counted || state->shortest == SIZE_MAX)
    return true;
  const uint64_t given = number_at(memory + counted->offset, counted->element), count = given ? given : state->shortest;
  if (count > state->shortest)
    return refuse(state, "has %llu graphics and an attribute of %zu values", (unsigned long long)count,
                  state->shortest);
  memcpy(memory + counted->offset, &count, size_of_element(counted->element, NULL));
  return true;
}

/* Fills a struct, which is zero, from a Dictionary by names, or from an Array in the order of its fields. */
static bool record_in(call *state, const value *from, const record *shape, void *memory) {
  if (shape->has_struct_size) {
    const uint32_t size = (uint32_t)shape->size;
    memcpy(memory, &size, sizeof size);
  }
  const godot_variant_type type = value_type(from);
  if (type == GODOT_TYPE_NIL)
    return true;
  size_t *lengths = take(state, shape->field_count, sizeof *lengths);
  if (!lengths)
    return false;
  const bool is_point = !shape->has_struct_size && shape->field_count == 2 &&
                        shape->fields[0].element == ELEMENT_DOUBLE && shape->fields[1].element == ELEMENT_DOUBLE;
  if (type == GODOT_TYPE_VECTOR2 && is_point)
    return coordinates_in(state, from, ELEMENT_DOUBLE, 2, memory);
  if (type != GODOT_TYPE_DICTIONARY && !value_is_list(from))
    return refuse(state, "must be a Dictionary with the fields of %s, not %s", shape->name, value_type_name(from));
  const bool is_named = type == GODOT_TYPE_DICTIONARY;
  godot_dictionary given = is_named ? value_as_dictionary(from) : dictionary_new();
  godot_array names = is_named ? dictionary_keys(&given) : value_as_list(from);
  bool is_right = is_named || list_count(&names) <= shape->field_count ||
                  refuse(state, "has more numbers than %s has fields", shape->name);
  for (size_t index = 0; is_right && index < list_count(&names); index++) {
    const value name = list_get(&names, index);
    char *text = is_named ? value_as_text(&name) : NULL;
    const field *listed = is_named ? (text ? field_named(shape, text) : NULL) : &shape->fields[index];
    if (!listed)
      is_right = refuse(state, "is a Dictionary with %s, which %s does not have", text ? text : "a name", shape->name);
    else {
      const value item = is_named ? dictionary_get(&given, &name) : name;
      is_right = field_in(state, &item, listed, memory, &lengths[listed - shape->fields]);
      if (is_named)
        value_end(item);
    }
    free(text);
    value_end(name);
  }
  list_drop(names);
  dictionary_drop(given);
  return is_right && counts_in(state, shape, memory, lengths) && attributes_in(state, shape, memory);
}

/* Out */

static value number_out(const uint8_t *memory, element kind) {
  float single;
  double real;
  int32_t small;
  switch (kind) {
  case ELEMENT_FLOAT:
    memcpy(&single, memory, sizeof single);
    return value_real(single);
  case ELEMENT_DOUBLE:
    memcpy(&real, memory, sizeof real);
    return value_real(real);
  case ELEMENT_INT32:
    memcpy(&small, memory, sizeof small);
    return value_int(small);
  default:
    return value_int((int64_t)number_at(memory, kind));
  }
}

static value element_out(const void *memory, element kind, const record *shape) {
  if (kind == ELEMENT_RECORD)
    return value_of_record(shape, memory);
  if (kind != ELEMENT_TEXT)
    return number_out(memory, kind);
  const char *text;
  memcpy(&text, memory, sizeof text);
  return value_text(text);
}

/* Bytes become a PoolByteArray, other elements an Array, because Godot's other arrays cut numbers to 32 bits. */
static value array_out(const void *data, size_t count, element kind, const record *shape) {
  if (!data)
    return value_nil();
  if (kind == ELEMENT_UINT8)
    return value_bytes(data, count);
  const size_t size = size_of_element(kind, shape);
  godot_array list = list_new(count);
  for (size_t index = 0; index < count; index++)
    list_set(&list, index, element_out((const uint8_t *)data + index * size, kind, shape));
  return list_end(list);
}

/* How many elements a column of attributes has: as many as the last offset says, or one for each feature. */
static size_t length_of_column(const record *shape, const uint8_t *memory) {
  const field *offsets = field_named(shape, "offsets"), *features = field_named(shape, "feature_count");
  if (!offsets || !features)
    return 0;
  const uint64_t count = number_at(memory + features->offset, features->element);
  const int64_t *ends = NULL;
  memcpy(&ends, memory + offsets->offset, sizeof ends);
  return (size_t)(ends ? (uint64_t)ends[count] : count);
}

/* A column whose elements lie further apart than they are large, as in the coordinates of geometries. */
static value column_out(const record *shape, const uint8_t *memory, const field *listed, const uint8_t *data,
                        size_t count) {
  char name[64];
  snprintf(name, sizeof name, "%s_stride_bytes", listed->name);
  const field *strided = field_named(shape, name);
  const size_t size = size_of_element(listed->element, listed->record);
  const uint64_t stride = strided ? number_at(memory + strided->offset, strided->element) : 0;
  if (!stride || stride == size * listed->count_times || !data)
    return array_out(data, count, listed->element, listed->record);
  godot_array list = list_new(count);
  for (size_t index = 0; index < count; index++) {
    const uint8_t *row = data + index / listed->count_times * stride;
    list_set(&list, index, element_out(row + index % listed->count_times * size, listed->element, listed->record));
  }
  return list_end(list);
}

static value field_out(const record *shape, const uint8_t *memory, const field *listed) {
  const uint8_t *place = memory + listed->offset, *data = place;
  if (listed->element == ELEMENT_CHARACTERS)
    return value_text((const char *)place);
  if (!listed->is_pointer)
    return listed->length ? array_out(place, listed->length, listed->element, listed->record)
                          : element_out(place, listed->element, listed->record);
  memcpy(&data, place, sizeof data);
  if (!listed->count_field)
    return array_out(data, length_of_column(shape, memory), listed->element, listed->record);
  const field *counted = &shape->fields[listed->count_field - 1];
  const uint64_t count = number_at(memory + counted->offset, counted->element);
  return column_out(shape, memory, listed, data, (size_t)(count * listed->count_times + listed->count_more));
}

value value_of_record(const record *shape, const void *memory) {
  godot_dictionary made = dictionary_new();
  for (size_t index = 0; index < shape->field_count; index++)
    if (!shape->fields[index].is_stride)
      dictionary_set(&made, shape->fields[index].name, field_out(shape, memory, &shape->fields[index]));
  return dictionary_end(made);
}

/* Calls */

/* What an argument of GDScript stands for. */
static bool takes_argument(role kind) {
  return kind <= ROLE_ARRAY || kind == ROLE_MAXIMUM || kind == ROLE_OUT_RECEIPT;
}

static bool argument_in(call *state, const parameter *listed, const value *given) {
  word *target = &state->words[state->place];
  array *made = &state->arrays[state->place];
  const bool is_null = value_type(given) == GODOT_TYPE_NIL;
  switch (listed->role) {
  case ROLE_VALUE:
  case ROLE_MAXIMUM:
    return element_in(state, given, listed->element, NULL, target);
  case ROLE_FLAG:
    target->integer = value_as_bool(given);
    return true;
  case ROLE_OUT_RECEIPT:
    /* Asked for by anything that is true. */
    target->pointer = !is_null && value_as_bool(given) ? take(state, 1, 8) : NULL;
    return true;
  case ROLE_TEXT:
    target->pointer = is_null ? NULL : text_in(state, given);
    return is_null || target->pointer;
  case ROLE_RECORD:
  case ROLE_OPTIONS:
    if (is_null)
      return listed->role == ROLE_OPTIONS || refuse(state, "must be given");
    target->pointer = take(state, 1, listed->record->size);
    return target->pointer && record_in(state, given, listed->record, target->pointer);
  default:
    if (!array_in(state, given, listed->element, listed->record, listed->times, made))
      return false;
    target->pointer = made->data;
    if (listed->of && made->count != state->arrays[listed->of - 1].count)
      return refuse(state, "has %zu elements, and an array before has %zu", made->count,
                    state->arrays[listed->of - 1].count);
    return true;
  }
}

/* Memory for what the library writes, and the numbers that follow from it. */
static bool prepare_out(call *state, const parameter *listed) {
  const size_t place = state->place;
  word *target = &state->words[place];
  array *made = &state->arrays[place];
  const size_t size = size_of_element(listed->element, listed->record);
  switch (listed->role) {
  case ROLE_COUNT:
    target->integer = state->arrays[listed->of - 1].count + (uint64_t)(int64_t)listed->more;
    if (listed->more && !state->arrays[listed->of - 1].count)
      target->integer = 0;
    return true;
  case ROLE_STRIDE:
    target->integer = listed->times;
    return true;
  case ROLE_CAPACITY:
    target->integer = state->arrays[listed->of - 1].count * (listed->times ? listed->times : 1);
    return true;
  case ROLE_OUT_SIZE:
    target->pointer = &state->sizes[place];
    return true;
  case ROLE_OUT_VALUE:
  case ROLE_OUT_FLAG:
  case ROLE_OUT_TEXT:
    target->pointer = take(state, 1, 8);
    return target->pointer != NULL;
  case ROLE_OUT_MATRIX:
    target->pointer = take(state, 16, 1);
    return target->pointer != NULL;
  case ROLE_OUT_RECORD:
    target->pointer = take(state, 1, size);
    if (target->pointer && listed->record->has_struct_size)
      *(uint32_t *)target->pointer = (uint32_t)size;
    return target->pointer != NULL;
  case ROLE_OUT_ARRAY:
    made->count = listed->of ? state->arrays[listed->of - 1].count : state->called->size_of(state->words, place);
    if (!made->count && !listed->of && listed->is_optional)
      return true;
    target->pointer = made->data = take(state, made->count * (listed->times ? listed->times : 1), size);
    return made->data != NULL;
  case ROLE_OUT_LIST:
    /* The capacity stands behind: a maximum of the host's, or what fits after a second try. */
    if (state->called->parameters[place + 1].role == ROLE_MAXIMUM)
      made->count = (size_t)state->words[place + 1].integer;
    else if (!made->count)
      made->count = FIRST_CAPACITY;
    target->pointer = made->data = take(state, made->count, size);
    return made->data != NULL;
  case ROLE_OUT_BUFFER:
    if (!made->count)
      made->count = 1024;
    target->pointer = made->data = take(state, made->count, 1);
    return made->data != NULL;
  default:
    return true;
  }
}

/* The columns that receive projected coordinates, for as many points as there are. */
static bool columns_out(call *state, const parameter *listed) {
  const parameter *of = &state->called->parameters[listed->of - 1];
  const ald_coordinates *given = of->role == ROLE_ARRAY ? NULL : state->words[listed->of - 1].pointer;
  const size_t count = of->role == ROLE_ARRAY ? state->arrays[listed->of - 1].count : given ? given->count : 0;
  ald_projected_coordinates *columns = take(state, 1, sizeof *columns);
  if (!columns)
    return false;
  columns->struct_size = sizeof *columns;
  columns->x = take(state, count, sizeof(double));
  columns->y = take(state, count, sizeof(double));
  columns->z = given && !given->z ? NULL : take(state, count, sizeof(double));
  state->words[state->place].pointer = columns;
  state->arrays[state->place].count = count;
  return columns->x && columns->y && (columns->z || (given && !given->z));
}

static value columns_value(const array *made, const ald_projected_coordinates *columns) {
  godot_dictionary result = dictionary_new();
  dictionary_set(&result, "x", array_out(columns->x, made->count, ELEMENT_DOUBLE, NULL));
  dictionary_set(&result, "y", array_out(columns->y, made->count, ELEMENT_DOUBLE, NULL));
  dictionary_set(&result, "z", array_out(columns->z, made->count, ELEMENT_DOUBLE, NULL));
  return dictionary_end(result);
}

/* Whether a list or a text needs more memory than it had; makes it as large as the library says. */
static bool grows(call *state, ald_status status) {
  bool does_grow = false;
  for (size_t place = 0; place < state->called->parameter_count; place++) {
    const parameter *listed = &state->called->parameters[place];
    if (listed->role != ROLE_OUT_SIZE)
      continue;
    const size_t had = state->arrays[listed->of - 1].count;
    const bool is_maximum = state->called->parameters[place - 1].role == ROLE_MAXIMUM;
    if (!is_maximum && (status == ALD_STATUS_BUFFER_TOO_SMALL || status == ALD_STATUS_OK) &&
        state->sizes[place] > had) {
      state->arrays[listed->of - 1].count = state->sizes[place];
      does_grow = true;
    }
  }
  return does_grow;
}

static bool is_result(role kind) {
  return kind >= ROLE_OUT_VALUE && kind != ROLE_CAPACITY && kind != ROLE_OUT_SIZE && kind != ROLE_MAXIMUM;
}

static value result_out(const call *state, size_t place) {
  const parameter *listed = &state->called->parameters[place];
  const void *memory = state->words[place].pointer;
  const array *made = &state->arrays[place];
  switch (listed->role) {
  case ROLE_OUT_FLAG:
    return value_bool(number_at(memory, listed->element) != 0);
  case ROLE_OUT_RECORD:
    return value_of_record(listed->record, memory);
  case ROLE_OUT_MATRIX:
    return value_text(memory);
  case ROLE_OUT_RECEIPT:
    return memory ? element_out(memory, ELEMENT_HANDLE, NULL) : value_nil();
  case ROLE_OUT_ARRAY:
    return array_out(made->data, made->count * listed->times, listed->element, listed->record);
  case ROLE_OUT_LIST:
    return array_out(made->data, state->sizes[place + 2] < made->count ? state->sizes[place + 2] : made->count,
                     listed->element, listed->record);
  case ROLE_OUT_BUFFER:
    return listed->element == ELEMENT_TEXT ? value_text(memory) : value_bytes(memory, state->sizes[place + 2]);
  case ROLE_OUT_COLUMNS:
    return columns_value(made, memory);
  default:
    return element_out(memory, listed->element, NULL);
  }
}

static value results_out(const call *state) {
  size_t places[MAXIMUM_PARAMETERS], count = 0;
  for (size_t place = 0; place < state->called->parameter_count; place++) {
    const parameter *listed = &state->called->parameters[place];
    if (is_result(listed->role) && (listed->role != ROLE_OUT_RECEIPT || state->words[place].pointer))
      places[count++] = place;
  }
  if (count <= 1)
    return count ? result_out(state, places[0]) : value_nil();
  godot_dictionary results = dictionary_new();
  for (size_t index = 0; index < count; index++)
    dictionary_set(&results, state->called->parameters[places[index]].name, result_out(state, places[index]));
  return dictionary_end(results);
}

static bool arguments_in(call *state, size_t count, value *const *arguments) {
  size_t taken = 0;
  const value nothing = value_nil();
  for (state->place = 0; state->place < state->called->parameter_count; state->place++) {
    const parameter *listed = &state->called->parameters[state->place];
    if (takes_argument(listed->role) && !argument_in(state, listed, taken < count ? arguments[taken] : &nothing))
      return false;
    taken += takes_argument(listed->role);
  }
  state->place = 0;
  return taken >= count || refuse(state, "is the first of %zu arguments, not of %zu", taken, count);
}

static bool outs_in(call *state) {
  for (state->place = 0; state->place < state->called->parameter_count; state->place++) {
    const parameter *listed = &state->called->parameters[state->place];
    if (!(listed->role == ROLE_OUT_COLUMNS ? columns_out(state, listed) : prepare_out(state, listed)))
      return false;
  }
  return true;
}

ald_status call_function(const function *called, size_t count, value *const *arguments, value *result,
                         ald_error *error) {
  call state = {.called = called, .error = error, .shortest = SIZE_MAX};
  ald_status status = ALD_STATUS_INVALID_ARGUMENT;
  *result = value_nil();
  if (arguments_in(&state, count, arguments)) {
    do
      status = outs_in(&state) ? called->call(state.words, error) : error->status;
    while (grows(&state, status));
    if (status == ALD_STATUS_OK)
      *result = results_out(&state);
  } else
    status = error->status;
  drop_blocks(&state);
  return status;
}

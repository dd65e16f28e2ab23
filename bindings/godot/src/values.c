#include "values.h"

#include <stdlib.h>
#include <string.h>

const char *value_type_name(const value *from) {
  static const char *const names[] = {"null",
                                      "bool",
                                      "int",
                                      "float",
                                      "String",
                                      "Vector2",
                                      "Rect2",
                                      "Vector3",
                                      "Transform2D",
                                      "Plane",
                                      "Quat",
                                      "AABB",
                                      "Basis",
                                      "Transform",
                                      "Color",
                                      "NodePath",
                                      "RID",
                                      "Object",
                                      "Dictionary",
                                      "Array",
                                      "PoolByteArray",
                                      "PoolIntArray",
                                      "PoolRealArray",
                                      "PoolStringArray",
                                      "PoolVector2Array",
                                      "PoolVector3Array",
                                      "PoolColorArray"};
  const godot_variant_type type = value_type(from);
  return type >= 0 && (size_t)type < sizeof names / sizeof *names ? names[type] : "value";
}

godot_variant_type value_type(const value *from) {
  return GODOT(variant_get_type)(from);
}

void value_end(value ended) {
  GODOT(variant_destroy)(&ended);
}

value value_nil(void) {
  value made;
  GODOT(variant_new_nil)(&made);
  return made;
}

value value_bool(bool truth) {
  value made;
  GODOT(variant_new_bool)(&made, truth);
  return made;
}

value value_int(int64_t number) {
  value made;
  GODOT(variant_new_int)(&made, number);
  return made;
}

value value_real(double number) {
  value made;
  GODOT(variant_new_real)(&made, number);
  return made;
}

static value text_of(godot_string string) {
  value made;
  GODOT(variant_new_string)(&made, &string);
  GODOT(string_destroy)(&string);
  return made;
}

value value_text(const char *text) {
  return text ? text_of(GODOT(string_chars_to_utf8_with_len)(text, (godot_int)strlen(text))) : value_nil();
}

value value_bytes(const uint8_t *bytes, size_t count) {
  if (!bytes)
    return value_nil();
  godot_pool_byte_array array;
  GODOT(pool_byte_array_new)(&array);
  GODOT(pool_byte_array_resize)(&array, (godot_int)count);
  if (count) {
    godot_pool_byte_array_write_access *access = GODOT(pool_byte_array_write)(&array);
    memcpy(GODOT(pool_byte_array_write_access_ptr)(access), bytes, count);
    GODOT(pool_byte_array_write_access_destroy)(access);
  }
  value made;
  GODOT(variant_new_pool_byte_array)(&made, &array);
  GODOT(pool_byte_array_destroy)(&array);
  return made;
}

value value_vectors(const double *xy, size_t count) {
  godot_pool_vector2_array array;
  GODOT(pool_vector2_array_new)(&array);
  GODOT(pool_vector2_array_resize)(&array, (godot_int)count);
  if (count) {
    godot_pool_vector2_array_write_access *access = GODOT(pool_vector2_array_write)(&array);
    godot_vector2 *vectors = GODOT(pool_vector2_array_write_access_ptr)(access);
    for (size_t index = 0; index < count; index++)
      GODOT(vector2_new)(&vectors[index], (float)xy[2 * index], (float)xy[2 * index + 1]);
    GODOT(pool_vector2_array_write_access_destroy)(access);
  }
  value made;
  GODOT(variant_new_pool_vector2_array)(&made, &array);
  GODOT(pool_vector2_array_destroy)(&array);
  return made;
}

godot_array list_new(size_t count) {
  godot_array list;
  GODOT(array_new)(&list);
  GODOT(array_resize)(&list, (godot_int)count);
  return list;
}

void list_set(godot_array *list, size_t index, value item) {
  GODOT(array_set)(list, (godot_int)index, &item);
  value_end(item);
}

value list_end(godot_array list) {
  value made;
  GODOT(variant_new_array)(&made, &list);
  GODOT(array_destroy)(&list);
  return made;
}

godot_dictionary dictionary_new(void) {
  godot_dictionary dictionary;
  GODOT(dictionary_new)(&dictionary);
  return dictionary;
}

void dictionary_set(godot_dictionary *dictionary, const char *key, value item) {
  const value name = value_text(key);
  GODOT(dictionary_set)(dictionary, &name, &item);
  value_end(name);
  value_end(item);
}

value dictionary_end(godot_dictionary dictionary) {
  value made;
  GODOT(variant_new_dictionary)(&made, &dictionary);
  GODOT(dictionary_destroy)(&dictionary);
  return made;
}

bool value_is_number(const value *from) {
  const godot_variant_type type = value_type(from);
  return type == GODOT_TYPE_BOOL || type == GODOT_TYPE_INT || type == GODOT_TYPE_REAL;
}

bool value_as_bool(const value *from) {
  return GODOT(variant_as_bool)(from);
}

int64_t value_as_int(const value *from) {
  return GODOT(variant_as_int)(from);
}

double value_as_real(const value *from) {
  return GODOT(variant_as_real)(from);
}

char *value_as_text(const value *from) {
  godot_string string = GODOT(variant_as_string)(from);
  godot_char_string utf8 = GODOT(string_utf8)(&string);
  const size_t size = (size_t)GODOT(char_string_length)(&utf8);
  char *text = malloc(size + 1);
  if (text) {
    memcpy(text, GODOT(char_string_get_data)(&utf8), size);
    text[size] = 0;
  }
  GODOT(char_string_destroy)(&utf8);
  GODOT(string_destroy)(&string);
  return text;
}

uint8_t *value_as_bytes(const value *from, size_t *count) {
  godot_pool_byte_array array = GODOT(variant_as_pool_byte_array)(from);
  *count = (size_t)GODOT(pool_byte_array_size)(&array);
  uint8_t *bytes = malloc(*count + 1);
  if (bytes && *count) {
    godot_pool_byte_array_read_access *access = GODOT(pool_byte_array_read)(&array);
    memcpy(bytes, GODOT(pool_byte_array_read_access_ptr)(access), *count);
    GODOT(pool_byte_array_read_access_destroy)(access);
  }
  GODOT(pool_byte_array_destroy)(&array);
  return bytes;
}

double *value_as_vectors(const value *from, size_t *count) {
  godot_pool_vector2_array array = GODOT(variant_as_pool_vector2_array)(from);
  *count = (size_t)GODOT(pool_vector2_array_size)(&array);
  double *xy = malloc(*count * 2 * sizeof *xy + 1);
  if (xy && *count) {
    godot_pool_vector2_array_read_access *access = GODOT(pool_vector2_array_read)(&array);
    const godot_vector2 *vectors = GODOT(pool_vector2_array_read_access_ptr)(access);
    for (size_t index = 0; index < *count; index++) {
      xy[2 * index] = GODOT(vector2_get_x)(&vectors[index]);
      xy[2 * index + 1] = GODOT(vector2_get_y)(&vectors[index]);
    }
    GODOT(pool_vector2_array_read_access_destroy)(access);
  }
  GODOT(pool_vector2_array_destroy)(&array);
  return xy;
}

size_t value_as_coordinates(const value *from, double numbers[3]) {
  if (value_type(from) == GODOT_TYPE_VECTOR2) {
    const godot_vector2 vector = GODOT(variant_as_vector2)(from);
    numbers[0] = GODOT(vector2_get_x)(&vector);
    numbers[1] = GODOT(vector2_get_y)(&vector);
    return 2;
  }
  if (value_type(from) != GODOT_TYPE_VECTOR3)
    return 0;
  const godot_vector3 vector = GODOT(variant_as_vector3)(from);
  for (int axis = 0; axis < 3; axis++)
    numbers[axis] = GODOT(vector3_get_axis)(&vector, axis);
  return 3;
}

bool value_is_list(const value *from) {
  return value_type(from) >= GODOT_TYPE_ARRAY;
}

godot_array value_as_list(const value *from) {
  return GODOT(variant_as_array)(from);
}

size_t list_count(const godot_array *list) {
  return (size_t)GODOT(array_size)(list);
}

value list_get(const godot_array *list, size_t index) {
  return GODOT(array_get)(list, (godot_int)index);
}

void list_drop(godot_array list) {
  GODOT(array_destroy)(&list);
}

godot_dictionary value_as_dictionary(const value *from) {
  return GODOT(variant_as_dictionary)(from);
}

godot_array dictionary_keys(const godot_dictionary *dictionary) {
  return GODOT(dictionary_keys)(dictionary);
}

value dictionary_get(const godot_dictionary *dictionary, const value *key) {
  return GODOT(dictionary_get)(dictionary, key);
}

void dictionary_drop(godot_dictionary dictionary) {
  GODOT(dictionary_destroy)(&dictionary);
}

/* Godot's values: creating and reading them. A function that takes a value by value also ends it. */
#ifndef ALIDADE_GODOT_VALUES_H
#define ALIDADE_GODOT_VALUES_H

#include "gdnative.h"

typedef godot_variant value;

/* The name of a type, such as "String". */
const char *value_type_name(const value *from);
godot_variant_type value_type(const value *from);
void value_end(value ended);

value value_nil(void);
value value_bool(bool truth);
value value_int(int64_t number);
value value_real(double number);
/* A text in UTF-8; NULL gives null. */
value value_text(const char *text);
/* Arrays of bytes and of Vector2. NULL gives null. */
value value_bytes(const uint8_t *bytes, size_t count);
value value_vectors(const double *xy, size_t count);

godot_array list_new(size_t count);
void list_set(godot_array *list, size_t index, value item);
value list_end(godot_array list);
godot_dictionary dictionary_new(void);
void dictionary_set(godot_dictionary *dictionary, const char *key, value item);
value dictionary_end(godot_dictionary dictionary);

bool value_is_number(const value *from);
bool value_as_bool(const value *from);
int64_t value_as_int(const value *from);
double value_as_real(const value *from);
/* These give memory to be freed, and NULL when there is none left. */
char *value_as_text(const value *from);
uint8_t *value_as_bytes(const value *from, size_t *count);
double *value_as_vectors(const value *from, size_t *count);
/* The numbers of a Vector2 or a Vector3: how many there are. */
size_t value_as_coordinates(const value *from, double numbers[3]);
/* The elements of an array of any kind. */
bool value_is_list(const value *from);
godot_array value_as_list(const value *from);
size_t list_count(const godot_array *list);
value list_get(const godot_array *list, size_t index);
void list_drop(godot_array list);
godot_dictionary value_as_dictionary(const value *from);
godot_array dictionary_keys(const godot_dictionary *dictionary);
value dictionary_get(const godot_dictionary *dictionary, const value *key);
void dictionary_drop(godot_dictionary dictionary);

#endif

/* The part of Godot 3's C interface, GDNative, that the add-on uses, so that it compiles without the engine's sources.
 *
 * The engine gives a table of functions. Their order is the interface: modules/gdnative/gdnative_api.json of the
 * engine's sources, where a position is the index in the list, here the first column. Tests/hosts/godot/declarations.py
 * compares this file with Debian's source package. Types have the sizes and the classes of the engine's own
 * declarations; what they hold is the engine's.
 */
#ifndef ALIDADE_GODOT_GDNATIVE_H
#define ALIDADE_GODOT_GDNATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void godot_object;
typedef bool godot_bool;
typedef int godot_int;
typedef float godot_real;
typedef int godot_variant_type;
/* As in the engine: the bytes of a value, which are returned in the same registers. */
#define GODOT_VALUE(name, size)                                                                                        \
  typedef struct {                                                                                                     \
    uint8_t bytes[size];                                                                                               \
  } name
GODOT_VALUE(godot_variant, 24);
GODOT_VALUE(godot_string, 8);
GODOT_VALUE(godot_char_string, 8);
GODOT_VALUE(godot_array, 8);
GODOT_VALUE(godot_dictionary, 8);
GODOT_VALUE(godot_vector2, 8);
GODOT_VALUE(godot_vector3, 12);
GODOT_VALUE(godot_pool_byte_array, 8);
GODOT_VALUE(godot_pool_vector2_array, 8);
#undef GODOT_VALUE
/* Accesses to the memory of arrays; only pointers to them exist. */
typedef struct godot_read_access godot_pool_byte_array_read_access, godot_pool_vector2_array_read_access;
typedef struct godot_write_access godot_pool_byte_array_write_access, godot_pool_vector2_array_write_access;

enum {
  GODOT_TYPE_NIL = 0,
  GODOT_TYPE_BOOL = 1,
  GODOT_TYPE_INT = 2,
  GODOT_TYPE_REAL = 3,
  GODOT_TYPE_STRING = 4,
  GODOT_TYPE_VECTOR2 = 5,
  GODOT_TYPE_VECTOR3 = 7,
  GODOT_TYPE_DICTIONARY = 18,
  GODOT_TYPE_ARRAY = 19,
  GODOT_TYPE_POOL_BYTE_ARRAY = 20,
  GODOT_TYPE_POOL_VECTOR2_ARRAY = 24
};

/* Position, result, name without "godot_", parameters. */
#define GODOT_FUNCTIONS(X)                                                                                             \
  X(24, void, vector2_new, (godot_vector2 *, godot_real, godot_real))                                                  \
  X(59, godot_real, vector2_get_x, (const godot_vector2 *))                                                            \
  X(60, godot_real, vector2_get_y, (const godot_vector2 *))                                                            \
  X(155, void, pool_byte_array_new, (godot_pool_byte_array *))                                                         \
  X(164, void, pool_byte_array_resize, (godot_pool_byte_array *, godot_int))                                           \
  X(165, godot_pool_byte_array_read_access *, pool_byte_array_read, (const godot_pool_byte_array *))                   \
  X(166, godot_pool_byte_array_write_access *, pool_byte_array_write, (godot_pool_byte_array *))                       \
  X(169, godot_int, pool_byte_array_size, (const godot_pool_byte_array *))                                             \
  X(170, void, pool_byte_array_destroy, (godot_pool_byte_array *))                                                     \
  X(219, void, pool_vector2_array_new, (godot_pool_vector2_array *))                                                   \
  X(228, void, pool_vector2_array_resize, (godot_pool_vector2_array *, godot_int))                                     \
  X(229, godot_pool_vector2_array_read_access *, pool_vector2_array_read, (const godot_pool_vector2_array *))          \
  X(230, godot_pool_vector2_array_write_access *, pool_vector2_array_write, (godot_pool_vector2_array *))              \
  X(233, godot_int, pool_vector2_array_size, (const godot_pool_vector2_array *))                                       \
  X(234, void, pool_vector2_array_destroy, (godot_pool_vector2_array *))                                               \
  X(268, const uint8_t *, pool_byte_array_read_access_ptr, (const godot_pool_byte_array_read_access *))                \
  X(270, void, pool_byte_array_read_access_destroy, (godot_pool_byte_array_read_access *))                             \
  X(284, const godot_vector2 *, pool_vector2_array_read_access_ptr, (const godot_pool_vector2_array_read_access *))    \
  X(286, void, pool_vector2_array_read_access_destroy, (godot_pool_vector2_array_read_access *))                       \
  X(296, uint8_t *, pool_byte_array_write_access_ptr, (const godot_pool_byte_array_write_access *))                    \
  X(298, void, pool_byte_array_write_access_destroy, (godot_pool_byte_array_write_access *))                           \
  X(312, godot_vector2 *, pool_vector2_array_write_access_ptr, (const godot_pool_vector2_array_write_access *))        \
  X(314, void, pool_vector2_array_write_access_destroy, (godot_pool_vector2_array_write_access *))                     \
  X(154, godot_real, vector3_get_axis, (const godot_vector3 *, int))                                                   \
  X(323, void, array_new, (godot_array *))                                                                             \
  X(332, void, array_set, (godot_array *, godot_int, const godot_variant *))                                           \
  X(333, godot_variant, array_get, (const godot_array *, godot_int))                                                   \
  X(354, void, array_resize, (godot_array *, godot_int))                                                               \
  X(356, godot_int, array_size, (const godot_array *))                                                                 \
  X(361, void, array_destroy, (godot_array *))                                                                         \
  X(362, void, dictionary_new, (godot_dictionary *))                                                                   \
  X(364, void, dictionary_destroy, (godot_dictionary *))                                                               \
  X(372, godot_array, dictionary_keys, (const godot_dictionary *))                                                     \
  X(374, godot_variant, dictionary_get, (const godot_dictionary *, const godot_variant *))                             \
  X(375, void, dictionary_set, (godot_dictionary *, const godot_variant *, const godot_variant *))                     \
  X(507, godot_variant_type, variant_get_type, (const godot_variant *))                                                \
  X(509, void, variant_new_nil, (godot_variant *))                                                                     \
  X(510, void, variant_new_bool, (godot_variant *, godot_bool))                                                        \
  X(512, void, variant_new_int, (godot_variant *, int64_t))                                                            \
  X(513, void, variant_new_real, (godot_variant *, double))                                                            \
  X(514, void, variant_new_string, (godot_variant *, const godot_string *))                                            \
  X(528, void, variant_new_dictionary, (godot_variant *, const godot_dictionary *))                                    \
  X(529, void, variant_new_array, (godot_variant *, const godot_array *))                                              \
  X(530, void, variant_new_pool_byte_array, (godot_variant *, const godot_pool_byte_array *))                          \
  X(534, void, variant_new_pool_vector2_array, (godot_variant *, const godot_pool_vector2_array *))                    \
  X(537, godot_bool, variant_as_bool, (const godot_variant *))                                                         \
  X(539, int64_t, variant_as_int, (const godot_variant *))                                                             \
  X(540, double, variant_as_real, (const godot_variant *))                                                             \
  X(541, godot_string, variant_as_string, (const godot_variant *))                                                     \
  X(542, godot_vector2, variant_as_vector2, (const godot_variant *))                                                   \
  X(544, godot_vector3, variant_as_vector3, (const godot_variant *))                                                   \
  X(555, godot_dictionary, variant_as_dictionary, (const godot_variant *))                                             \
  X(556, godot_array, variant_as_array, (const godot_variant *))                                                       \
  X(557, godot_pool_byte_array, variant_as_pool_byte_array, (const godot_variant *))                                   \
  X(561, godot_pool_vector2_array, variant_as_pool_vector2_array, (const godot_variant *))                             \
  X(570, void, variant_destroy, (godot_variant *))                                                                     \
  X(571, godot_int, char_string_length, (const godot_char_string *))                                                   \
  X(572, const char *, char_string_get_data, (const godot_char_string *))                                              \
  X(573, void, char_string_destroy, (godot_char_string *))                                                             \
  X(678, godot_char_string, string_utf8, (const godot_string *))                                                       \
  X(682, godot_string, string_chars_to_utf8_with_len, (const char *, godot_int))                                       \
  X(721, void, string_destroy, (godot_string *))

typedef struct {
  unsigned major, minor;
} godot_version;

enum { GODOT_EXTENSION_NATIVESCRIPT = 1 };
/* What begins every table. */
typedef struct {
  unsigned type;
  godot_version version;
  const void *next;
} godot_table;

typedef struct {
  godot_table table;
  unsigned extension_count;
  const godot_table **extensions;
  void (*functions[])(void);
} godot_core;

/* Calls a function of the engine: GODOT(variant_new_int)(&variant, 5). */
extern const godot_core *godot_core_functions;
#define GODOT(name) ((godot_##name##_function)godot_core_functions->functions[GODOT_##name])
#define X(position, result, name, parameters) GODOT_##name = (position),
enum { GODOT_FUNCTIONS(X) GODOT_FUNCTIONS_END };
#undef X
#define X(position, result, name, parameters) typedef result(*godot_##name##_function) parameters;
GODOT_FUNCTIONS(X)
#undef X

typedef struct {
  godot_bool in_editor;
  uint64_t core_api_hash, editor_api_hash, no_api_hash;
  void (*report_version_mismatch)(const godot_object *library, const char *what, godot_version want,
                                  godot_version have);
  void (*report_loading_error)(const godot_object *library, const char *what);
  godot_object *library;
  const godot_core *core;
  const godot_string *library_path;
} godot_init_options;

/* NativeScript: classes whose methods are functions of C. */
typedef struct {
  void *(*create)(godot_object *instance, void *method_data);
  void *method_data;
  void (*free_data)(void *);
} godot_instance_create;

typedef struct {
  void (*destroy)(godot_object *instance, void *method_data, void *user_data);
  void *method_data;
  void (*free_data)(void *);
} godot_instance_destroy;

typedef struct {
  godot_variant (*method)(godot_object *instance, void *method_data, void *user_data, int count,
                          godot_variant **arguments);
  void *method_data;
  void (*free_data)(void *);
} godot_instance_method;

typedef struct {
  int rpc_mode;
} godot_method_attributes;

typedef struct {
  godot_table table;
  void (*register_class)(void *handle, const char *name, const char *base, godot_instance_create create,
                         godot_instance_destroy destroy);
  void (*register_tool_class)(void *handle, const char *name, const char *base, godot_instance_create create,
                              godot_instance_destroy destroy);
  void (*register_method)(void *handle, const char *class_name, const char *name, godot_method_attributes attributes,
                          godot_instance_method method);
} godot_nativescript;

#endif

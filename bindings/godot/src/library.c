/* The entry points that Godot 3 calls, and the class Alidade: a method for each function of the interface. */
#include "calls.h"

#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

const godot_core *godot_core_functions;
static const godot_nativescript *nativescript;

/* An object of the class: why its last call failed. */
typedef struct {
  ald_error error;
} instance;

EXPORTED void alidade_gdnative_init(godot_init_options *options);
EXPORTED void alidade_gdnative_terminate(void *options);
EXPORTED void alidade_nativescript_init(void *handle);

void alidade_gdnative_init(godot_init_options *options) {
  godot_core_functions = options->core;
  for (unsigned index = 0; index < options->core->extension_count; index++)
    if (options->core->extensions[index]->type == GODOT_EXTENSION_NATIVESCRIPT)
      nativescript = (const godot_nativescript *)options->core->extensions[index];
}

void alidade_gdnative_terminate(void *options) {
  (void)options;
  godot_core_functions = NULL;
  nativescript = NULL;
}

static void *create(godot_object *object, void *data) {
  (void)object, (void)data;
  return calloc(1, sizeof(instance));
}

static void destroy(godot_object *object, void *data, void *memory) {
  (void)object, (void)data;
  free(memory);
}

/* A function that has results gives them, or null on failure; any other gives its status. */
static bool has_result(const function *called) {
  for (size_t place = 0; place < called->parameter_count; place++) {
    const role kind = called->parameters[place].role;
    if (kind >= ROLE_OUT_VALUE && kind != ROLE_OUT_RECEIPT && kind != ROLE_CAPACITY && kind != ROLE_MAXIMUM)
      return true;
  }
  return false;
}

static value call_method(godot_object *object, void *data, void *memory, int count, value **arguments) {
  (void)object;
  const function *called = data;
  instance *self = memory;
  value result = value_nil();
  ald_error failure;
  const ald_status status = call_function(called, (size_t)count, arguments, &result, &failure);
  if (status == ALD_STATUS_OK)
    memset(&self->error, 0, sizeof self->error);
  else
    self->error = failure;
  if (has_result(called))
    return result;
  value_end(result);
  return value_int(status);
}

/* get_error(): why the last call of this object failed: status (0 for none), name, argument, domain, domain_code and
 * message. */
static value get_error(godot_object *object, void *data, void *memory, int count, value **arguments) {
  (void)object, (void)data, (void)count, (void)arguments;
  const ald_error *error = &((const instance *)memory)->error;
  godot_dictionary made = dictionary_new();
  dictionary_set(&made, "status", value_int(error->status));
  dictionary_set(&made, "name", value_text(ald_status_get_name(error->status)));
  dictionary_set(&made, "argument", value_int(error->argument));
  dictionary_set(&made, "domain", value_int(error->domain));
  dictionary_set(&made, "domain_code", value_int(error->domain_code));
  dictionary_set(&made, "message", value_text(error->message));
  return dictionary_end(made);
}

static double real_at(const godot_array *numbers, size_t index) {
  const value number = list_get(numbers, index);
  const double real = value_as_real(&number);
  value_end(number);
  return real;
}

/* to_vectors(numbers, first, count, origin): points out of an Array x, y, x, y..., as Godot draws them, in 32 bits. An
 * origin [x, y] is subtracted before, in 64 bits. */
static value to_vectors(godot_object *object, void *data, void *memory, int count, value **arguments) {
  (void)object, (void)data, (void)memory;
  if (count < 1 || !value_is_list(arguments[0]))
    return value_nil();
  godot_array numbers = value_as_list(arguments[0]);
  const int64_t have = (int64_t)list_count(&numbers) / 2;
  const int64_t first = count > 1 ? value_as_int(arguments[1]) : 0;
  const int64_t wanted = count > 2 ? value_as_int(arguments[2]) : have - first;
  godot_array origin = count > 3 ? value_as_list(arguments[3]) : list_new(0);
  double from[2] = {0, 0};
  for (size_t axis = 0; axis < 2 && list_count(&origin) == 2; axis++)
    from[axis] = real_at(&origin, axis);
  value made = value_nil();
  if (first >= 0 && wanted >= 0 && first <= have && wanted <= have - first) {
    double *xy = malloc((size_t)wanted * 2 * sizeof *xy + 1);
    for (int64_t index = 0; xy && index < wanted * 2; index++)
      xy[index] = real_at(&numbers, (size_t)(first * 2 + index)) - from[index % 2];
    if (xy)
      made = value_vectors(xy, (size_t)wanted);
    free(xy);
  }
  list_drop(origin);
  list_drop(numbers);
  return made;
}

static void register_method(void *handle, const char *name,
                            value (*method)(godot_object *, void *, void *, int, value **), const void *data) {
  const godot_instance_method called = {method, (void *)(uintptr_t)data, NULL};
  nativescript->register_method(handle, "Alidade", name, (godot_method_attributes){0}, called);
}

void alidade_nativescript_init(void *handle) {
  nativescript->register_tool_class(handle, "Alidade", "Reference", (godot_instance_create){create, NULL, NULL},
                                    (godot_instance_destroy){destroy, NULL, NULL});
  register_method(handle, "get_error", get_error, NULL);
  register_method(handle, "to_vectors", to_vectors, NULL);
  for (size_t index = 0; index < interface_function_count; index++)
    register_method(handle, interface_functions[index].name, call_method, &interface_functions[index]);
}

"""Generates the hostile host: a C program that calls every function of the header, first with valid arguments then with
one argument wrong at a time, and last with everything wrong.

No function is written down here or in the C files next to it: a new function is covered from the day it is declared,
and if it has a parameter that hostile_values.py or hostile_cases.py knows nothing of, generating fails and says so.
"""

from __future__ import annotations

import re

from header_model import Function, Header, HeaderError
from hostile_cases import CaseWriter
from hostile_values import COUNTED_ARRAYS, FIELDS, valid_argument

# Calls per function with everything wrong.
WRONG_CASES = 300

PRELUDE = """\
#include "host.h"

#include <stdlib.h>

/* Sizes of valid arguments. */
enum {
  COUNT = 5,
  CAPACITY = 16384,
  LARGEST_STRIDE = 64,
  PIXELS_SIZE = VIEW_WIDTH_DIP * VIEW_HEIGHT_DIP * 4,
  /* Enough for the view, and for the whole of the first raster. */
  VALUES_SIZE = 64 * 64 * 8,
  SMALLEST_POINT_STRIDE = 16,
  SMALLEST_VERTEX_STRIDE = 12,
  SMALLEST_HEIGHT_STRIDE = 8,
  /* A line of the valid ald_screen_grid: 8 pixels. */
  SMALLEST_ROW_STRIDE = 32,
  /* For calls with everything wrong. What the policy allows fits, whatever the counts and strides. */
  ROOMY_ARRAY = 32 * MAX_POINTS
};

static const char WKT[] = "GEOGCS[\\"WGS 84\\",DATUM[\\"WGS_1984\\",SPHEROID[\\"WGS 84\\",6378137,298.257223563]],"
                          "PRIMEM[\\"Greenwich\\",0],UNIT[\\"degree\\",0.0174532925199433]]";
static const ald_cell_index CELL_INDEXES[COUNT] = {{0, 0}, {1, 0}, {0, 1}, {-1, 3}, {5, 5}};
static const double DISTANCES[COUNT] = {5, 0, 1, 2.5, 7};
static const size_t RING_STARTS[1] = {0};
/* POINT (1 2), once and COUNT times. */
#define WKB_POINT 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0x40
static const uint8_t WKB[21] = {WKB_POINT};
static const uint8_t WKBS[COUNT * 21] = {WKB_POINT, WKB_POINT, WKB_POINT, WKB_POINT, WKB_POINT};
static const size_t BYTE_OFFSETS[COUNT + 1] = {0, 21, 42, 63, 84, 105};
/* A polyline of two lines, with z. */
static const uint8_t KINDS[1] = {ALD_GEOMETRY_KIND_POLYLINE};
static const uint8_t GEOMETRY_FLAGS[1] = {ALD_GEOMETRY_HAS_Z | ALD_GEOMETRY_MULTI};
static const int32_t PART_OFFSETS[2] = {0, 2};
static const int32_t PATH_OFFSETS[3] = {0, 1, 2};
static const int32_t VERTEX_OFFSETS[3] = {0, 2, 4};
static const double VERTICES[8] = {0, 0, 1, 1, 2, 2, 3, 3};
static const double HEIGHTS[4] = {1, 2, 3, 4};
static const char *const DRIVERS[2] = {"GTiff", "HFA"};
static const char *const VSI_PREFIXES[2] = {"/vsizip/", "/vsimem/"};
static const char *const HOSTS[2] = {"example.com", "*.example.com:8080"};
static const char *const DATA_DIRECTORIES[2] = {"/nowhere", "/nowhere/else"};
static const ald_point AREA[2] = {{-8, 50}, {-1, 60}};
static const ald_point DEGREES[2] = {{-5, 51}, {-3, 53}};
static ald_geometry *give_geometries(size_t count) {
  ald_geometry list[COUNT];
  for (size_t i = 0; i < count; i++)
    list[i] = here.geometry;
  return give_block(BLOCK_INPUT, count * sizeof *list, list);
}
static ald_layer *give_layers(size_t count) {
  const ald_layer all[3] = {here.layer, here.group, here.group_member};
  ald_layer list[COUNT];
  for (size_t i = 0; i < count; i++)
    list[i] = all[i % 3];
  return give_block(BLOCK_INPUT, count * sizeof *list, list);
}
static void completion(ald_request request, void *user_data) {
  (void)request;
  (void)user_data;
}
static const ald_rgba RAMP[2] = {{0, 0, 0, 255}, {255, 255, 255, 255}};
static const uint64_t GRAPHIC_IDS[1] = {1};
static const int32_t Z_INDEXES[1] = {-3};
static const uint8_t GRAPHIC_FLAGS[1] = {ALD_GRAPHIC_HIDDEN};
static const uint32_t SYMBOL_INDEXES[1] = {1};
static const ald_symbol SYMBOLS[2] = {{ALD_SYMBOL_KIND_LINE, 0, 0, 0, 0, {0}, {9, 9, 9, 9}, 0, 0, 0, {0, 0}, 2}, {.kind = 3}};
static const int64_t INTEGERS[1] = {-1};
static const char *const VALUE_TEXTS[1] = {"a"};
static const ald_graphic_attributes ATTRIBUTES[2] = {{"i", ALD_GRAPHIC_VALUE_TYPE_INTEGER, 0, INTEGERS, NULL, NULL, NULL},
                                                     {"t", ALD_GRAPHIC_VALUE_TYPE_TEXT, 0, NULL, NULL, VALUE_TEXTS, NULL}};
static const char *const FIELDS[1] = {"i"};
static const ald_graphic_value GRAPHIC_VALUES[2] = {{ALD_GRAPHIC_VALUE_TYPE_INTEGER, 0, -1, 0, NULL}, {ALD_GRAPHIC_VALUE_TYPE_TEXT, 0, 0, 0, "a"}};
static const double BOUNDS[2] = {0, 1};
static const int64_t FEATURE_IDS[2] = {1, 5};
static const uint32_t FIELD_INDEXES[2] = {1, 0};
static const ald_popup_field POPUP_FIELDS[1] = {{ALD_POPUP_FIELD_HAS_DECIMALS, 2, "i", "I", ",", " ", "%Y"}};
"""


def render(header: Header, wrong_cases: int = WRONG_CASES) -> str:
    """The whole C file, with so many calls per function with everything wrong."""
    parts = [PRELUDE, f"enum {{ WRONG_CASES = {wrong_cases} }};\n", _kind_check(header)]
    parts += [_struct_giver(name, header) for name in _read_structs(header)]
    parts += [_test(number, function, header) for number, function in enumerate(header.functions.values())]
    parts.append(_main(header))
    return "\n".join(parts)


def _kind_check(header: Header) -> str:
    count = len(header.handles)
    return f'_Static_assert(KIND_COUNT == {count}, "world.h does not know every kind of handle");\n'


def _read_structs(header: Header) -> list[str]:
    """The structs that functions read through a pointer, and those that these lead to, the inner ones first."""
    names: list[str] = []

    def add(name: str) -> None:
        for field in header.structs[name].fields:
            leads_to_struct = field.type.pointers == 1 and field.type.base in header.structs
            if leads_to_struct and (name, field.name) not in COUNTED_ARRAYS:
                add(field.type.base)
        if name not in names:
            names.append(name)

    for function in header.functions.values():
        for parameter in function.parameters:
            is_read = parameter.type.pointers == 1 and parameter.type.is_const and parameter.type.base in header.structs
            if is_read and valid_argument(function, parameter, header) == f"give_{parameter.type.base}()":
                add(parameter.type.base)
    return names


def _struct_giver(name: str, header: Header) -> str:
    """A C function that gives a valid struct."""
    if name not in FIELDS:
        raise HeaderError(f"no valid fields are known for {name}; add it to FIELDS in hostile_values.py")
    init = header.init_macros.get(name, "{0}")
    lines = [
        f"static {name} *give_{name}(void) {{",
        f"  {name} *s = give_block(BLOCK_INPUT, sizeof({name}), &(const {name}){init});",
        f"  {FIELDS[name]}",
    ]
    for field in header.structs[name].fields:
        array = COUNTED_ARRAYS.get((name, field.name))
        if array is not None:
            lines.append(f"  s->{field.name} = {array.give};")
            if array.count is not None:
                lines.append(f"  s->{array.count} = {array.elements};")
        elif field.type.pointers and field.type.base in header.structs:
            lines.append(f"  s->{field.name} = give_{field.type.base}();")
    return "\n".join([*lines, "  return s;", "}", ""])


def _test(number: int, function: Function, header: Header) -> str:
    """All that belongs to one function."""
    return "\n".join(
        [
            *_facts(number, function),
            *_arguments(function, header.foreign_structs),
            *_valid_giver(function, header),
            *_call(function, header),
            *_cases(function, header),
            "",
        ]
    )


def _facts(number: int, function: Function) -> list[str]:
    statuses = " | ".join(f"1u << {status}" for status in function.statuses) or "0"
    return [
        f"static const function_facts facts_{function.name} = {{",
        f'    "{function.name}", {number}, {len(function.parameters)}, {statuses}, {int(function.is_release)}}};',
        "",
    ]


def _arguments(function: Function, foreign_structs: list[str]) -> list[str]:
    """A struct with the arguments of a call. What the function reads is not const here, so that cases can change it."""
    lines = [f"struct arguments_{function.name} {{"]
    for parameter in function.parameters:
        ctype = parameter.type
        spelling = ctype.spelling if ctype.pointers == 2 else f"{ctype.base} {'*' * ctype.pointers}"
        if ctype.base in foreign_structs:
            spelling = f"struct {spelling}"
        lines.append(f"  {spelling} {parameter.name};")
    if not function.parameters:
        lines.append("  int none;")
    return [*lines, "};", ""]


def _valid_giver(function: Function, header: Header) -> list[str]:
    lines = [f"static void give_valid_{function.name}(struct arguments_{function.name} *a) {{"]
    for parameter in function.parameters:
        lines.append(f"  a->{parameter.name} = {valid_argument(function, parameter, header)};")
    if not function.parameters:
        lines.append("  a->none = 0;")
    return [*lines, "}", ""]


def _call(function: Function, header: Header) -> list[str]:
    """A C function that makes the call, and releases at once what that gave."""
    arguments = ", ".join(f"a->{p.name}" for p in function.parameters)
    returns = function.returns.spelling
    head = f"static {returns} call_{function.name}(const struct arguments_{function.name} *a) {{"
    lines = [head, "  (void)a;", "  watch_blocks();"]
    if returns == "void":
        return [*lines, f"  {function.name}({arguments});", "}", ""]
    lines.append(f"  {returns} result = {function.name}({arguments});")
    for parameter in function.parameters:
        if parameter.type.base in header.foreign_structs and not parameter.type.is_const:
            lines.append(f"  if (result == ALD_STATUS_OK && a->{parameter.name})")
            lines.append(f"    a->{parameter.name}->release(a->{parameter.name});")
        struct = header.structs.get(parameter.type.base)
        if struct is not None and struct.is_handle and parameter.type.pointers == 1 and not parameter.type.is_const:
            if gives(function, parameter.name):
                # What a request does is over before the case is judged.
                let_go = "settle" if struct.name == "ald_request" else f"{struct.name}_release"
                lines.append(f"  if (result == ALD_STATUS_OK && a->{parameter.name})")
                lines.append(f"    {let_go}(*a->{parameter.name});")
    return [*lines, "  return result;", "}", ""]


def gives(function: Function, parameter: str) -> bool:
    """Whether the host owns the handle that comes out: the form of the names says it, as base.h explains."""
    is_creating = re.search(r"_(create|open|clone|take|async)(_|$)", function.name) is not None
    return is_creating or parameter.startswith("out_new_")


def _cases(function: Function, header: Header) -> list[str]:
    """The C function that runs all cases of a function."""
    finish = _finish(function)
    writers = [CaseWriter(header, function, p, finish) for p in function.parameters]
    cases = [line for writer in writers for line in writer.cases()]
    lines = [f"static void test_{function.name}(void) {{", f"  struct arguments_{function.name} a;"]
    if any("bad_handle_at" in line for line in cases):
        lines.append("  bad_handle h;")
    lines.append(f"  begin_function(&facts_{function.name});")
    if function.returns_status:
        lines += _scene_search(function.name)
    return [*lines, *_valid_case(function.name, finish), *cases, *_everything_wrong(function, writers, finish), "}"]


def _everything_wrong(function: Function, writers: list[CaseWriter], finish: str) -> list[str]:
    """Calls with all targets wrong at once, and with some of them; a single target has been tried already."""
    if sum(len(writer.wrong_ways) for writer in writers) < 2:
        return []
    lines = ["  set_smallest_output_array(ROOMY_ARRAY);", "  for (size_t number = 0; number < WRONG_CASES; number++) {"]
    lines += ["    begin_wrong_case(number);", f"    give_valid_{function.name}(&a);"]
    # The error comes first: what it is for does not hang on the others.
    lines += [line for writer in reversed(writers) for line in writer.everything_wrong()]
    return [*lines, f"    {finish}", "  }", "  set_smallest_output_array(0);"]


def _finish(function: Function) -> str:
    """The C statement that makes the call and judges it."""
    call = f"call_{function.name}(&a)"
    if function.returns_status:
        return f"end_case({call});"
    if function.returns.base == "char":
        return f"end_case_with_text({call});"
    return f"{call}; end_case_without_status();"


def _scene_search(name: str) -> list[str]:
    """Finds a scene in which the valid call succeeds: not every raster has a table, not every layer is in a map."""
    return [
        "  size_t scene = 0;",
        "  for (; scene < scene_choice_count(); scene++) {",
        "    choose_scene(scene_choice_at(scene));",
        '    begin_case(0, "all arguments", "looking for a scene", EXPECT_OK);',
        f"    give_valid_{name}(&a);",
        f"    if (end_trial(call_{name}(&a)))",
        "      break;",
        "  }",
        "  if (scene == scene_choice_count())",
        "    choose_scene(scene_choice_at(0));",
    ]


def _valid_case(name: str, finish: str) -> list[str]:
    return [
        '  begin_case(0, "all arguments", "valid", EXPECT_OK);',
        f"  give_valid_{name}(&a);",
        f"  {finish}",
    ]


def _main(header: Header) -> str:
    tests = "".join(f"    test_{name},\n" for name in header.functions)
    return (
        f"static void (*const tests[])(void) = {{\n{tests}}};\n\n"
        "/* Arguments: the file for the progress, the number of the first function, and the rasters. */\n"
        "int main(int argc, char **argv) {\n"
        "  if (argc < 4)\n"
        "    return 2;\n"
        "  set_raster_paths(argv + 3, (size_t)argc - 3);\n"
        "  return run_hostile_host(tests, sizeof tests / sizeof tests[0], strtoul(argv[2], NULL, 10), argv[1]);\n"
        "}\n"
    )

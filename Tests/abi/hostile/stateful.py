"""Generates the stateful host: a C program that plays long sequences of random legal calls on live objects.

Every function of the header takes part. What an argument may be follows from its type, its name and its comment; see
stateful_values.py for what they do not say. A parameter of which nothing is known stops the generator.
"""

from __future__ import annotations

import re

from header_model import CType, Field, Function, Header, HeaderError, Parameter, Struct
import hostile
from hostile import gives
from hostile_cases import null_is_allowed
from hostile_values import COUNTED_ARRAYS
import hostile_values
import stateful_values as values

PRELUDE = """\
#include "stateful_host/picks.h"
#include "stateful_host/play.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A completion does what one is for: it looks at its request. */
static void completion(ald_request request, void *user_data) {
  ald_request_info info = ALD_REQUEST_INFO_INIT;
  (void)user_data;
  ald_request_get_info(request, &info, NULL);
}
"""

INTEGER_LIMITS = {
    "int32_t": ("INT32_MIN", "INT32_MAX"),
    "uint32_t": ("0", "UINT32_MAX"),
    "uint64_t": ("0", "INT64_MAX"),
    "int64_t": ("INT64_MIN", "INT64_MAX"),
    "uint8_t": ("0", "UINT8_MAX"),
}
# Not every struct is picked or read on its own.
HELPER = "__attribute__((unused)) static void"
NUMBER = r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?"


def render(header: Header) -> str:
    """The whole C file."""
    parts = [PRELUDE, _given_arrays(), _kinds(header)]
    parts += [_struct_picker(name, header) for name in _structs(header, is_read=True)]
    parts += [_struct_reader(name, header) for name in _structs(header, is_read=False)]
    # What goes through a struct of another interface has a memory of its own; test_arrow.c has it.
    functions = [
        function for function in header.functions.values()
        if not any(p.type.base in header.foreign_structs for p in function.parameters)
    ]
    parts += [_player(number, function, header) for number, function in enumerate(functions)]
    entries = "".join(
        f"    {{&facts_{f.name}, play_{f.name}, {_weight(f)}, {_needed_kinds(f, header)}}},\n" for f in functions
    )
    parts.append(
        f"static const player players[] = {{\n{entries}}};\n\n"
        "int main(int argc, char **argv) {\n"
        "  return run_stateful_host(players, sizeof players / sizeof players[0], argc, argv);\n"
        "}\n"
    )
    return "\n".join(parts)


def _given_arrays() -> str:
    """The arrays that COUNTED_ARRAYS names, and those that they lead to, as the hostile host defines them."""
    lines: dict[str, None] = {}
    for array in COUNTED_ARRAYS.values():
        for name in re.findall(r"sizeof (\w+)", array.give):
            if _definition(name) is None:
                raise HeaderError(f"the array {name} of hostile_values.py is not defined in hostile.py")
            _define(name, lines)
    return "\n".join(lines) + "\n"


def _definition(name: str) -> str | None:
    found = re.search(rf"^static const [^;]*\b{name}\[[^;]*;$", hostile.PRELUDE, re.MULTILINE)
    return found[0] if found else None


def _define(name: str, lines: dict[str, None]) -> None:
    """Adds the definition of an array of the hostile host behind the definitions of the arrays in it."""
    definition = _definition(name)
    if definition is None or definition in lines:
        return
    for used in re.findall(r"\b[A-Z_]+\b", definition.partition("=")[2]):
        _define(used, lines)
    lines[definition] = None


# Kinds of handles


def _kind(name: str) -> str:
    return "KIND_" + name.removeprefix("ald_").upper()


def _kinds(header: Header) -> str:
    handles = header.handles
    lines = [f"enum {{ {', '.join(_kind(h.name) for h in handles)} }};"]
    for handle in handles:
        if f"{handle.name}_release" not in header.functions:
            raise HeaderError(f"{handle.name} has no function that releases it")
        lines.append(f"static void release_{handle.name}(uint64_t id) {{")
        lines.append(f"  {handle.name}_release(({handle.name}){{id}});\n}}")
    lines.append("const kind_facts kinds[] = {")
    lines += [f'    {{"{h.name.removeprefix("ald_")}", release_{h.name}}},' for h in handles]
    return "\n".join([*lines, "};", f"const size_t kind_count = {len(handles)};", "const int kind_of_runtime = KIND_RUNTIME;", ""])


def _weight(function: Function) -> int:
    return next((weight for pattern, weight in values.WEIGHTS if re.search(pattern, function.name)), 100)


def _needed_kinds(function: Function, header: Header) -> str:
    needed = [
        f"1u << {_kind(p.type.base)}"
        for p in function.parameters
        if _is_handle(p.type, header) and not p.type.pointers and not null_is_allowed(p.doc)
    ]
    return " | ".join(dict.fromkeys(needed)) or "0"


def _is_handle(ctype: CType, header: Header) -> bool:
    return ctype.base in header.structs and header.structs[ctype.base].is_handle


# Structs that are read, and structs that are written


def _structs(header: Header, *, is_read: bool) -> list[str]:
    """The structs that functions get or fill through a pointer or by value, the inner ones first."""
    names: list[str] = []

    def add(name: str) -> None:
        for field in header.structs[name].fields:
            # What arrays lead to is given as it stands in hostile.py.
            is_given = is_read and (name, field.name) in COUNTED_ARRAYS
            if field.type.base in header.structs and not _is_handle(field.type, header) and not is_given:
                add(field.type.base)
        if name not in names:
            names.append(name)

    for function in header.functions.values():
        for parameter in function.parameters:
            ctype = parameter.type
            if ctype.base not in header.structs or _is_handle(ctype, header) or ctype.base == "ald_error":
                continue
            if is_read == (ctype.is_const or not ctype.pointers):
                add(ctype.base)
    return names


def _struct_picker(name: str, header: Header) -> str:
    """A C function that fills a struct with legal values."""
    lines = [f"{HELPER} pick_{name}({name} *s) {{", "  (void)s;"]
    struct = header.structs[name]
    counted = {array.count for (owner, _), array in COUNTED_ARRAYS.items() if owner == name}
    for field in struct.fields:
        if field.name in ("struct_size", "reserved") or field.name in counted:
            continue
        lines += _field_pick(struct, field, header)
    return "\n".join([*lines, "}", ""])


def _field_pick(struct: Struct, field: Field, header: Header) -> list[str]:
    target = f"s->{field.name}"
    ctype = field.type
    array = COUNTED_ARRAYS.get((struct.name, field.name))
    if array is not None and _is_handle(ctype, header):
        return [
            "  if (random_permille(300)) {",
            f'    const {ctype.base} picked = {{pick_handle("{field.name}", {_kind(ctype.base)}, 0)}};',
            f"    {target} = give_block(BLOCK_INPUT, sizeof picked, &picked);",
            f"    s->{array.count} = 1;",
            "  }",
        ]
    if array is not None:
        return [
            # Most columns of numbers have to be there.
            f"  if (random_permille({900 if ctype.base == 'double' else 300})) {{",
            f"    {target} = {array.give};",
            *([f"    s->{array.count} = {array.elements};"] if array.count is not None else []),
            f'    trace(" {field.name}={array.elements} elements");',
            "  }",
        ]
    if ctype.base in header.callbacks:
        if header.callbacks[ctype.base].name != "ald_completion":
            raise HeaderError(f"{struct.name}: no function is known for {ctype.spelling} {field.name}")
        return [f"  {target} = random_permille(500) ? completion : NULL;"]
    if ctype.pointers == 1 and ctype.base == "void":
        # Handed back as it is and never looked at.
        return [f"  {target} = (void *)(uintptr_t)random_below(3);"]
    if ctype.pointers == 1 and ctype.base == "char":
        return [f"  {target} = {_text_pick(field.name, field.name, null_permille=950)};"]
    if ctype.pointers == 1 and ctype.base in header.structs:
        return ["  if (random_permille(500)) {", *_given_struct(ctype.base, target, header), "  }"]
    if ctype.pointers:
        raise HeaderError(f"{struct.name}: nothing is known of {ctype.spelling} {field.name}; see stateful_values.py")
    if ctype.length is not None:
        element = CType(ctype.base, ctype.base, ctype.is_const, 0)
        picks = (_value_pick(field.name, element, field.doc, header) for _ in range(ctype.length))
        return [f"  {target}[{index}] = {pick};" for index, pick in enumerate(picks)]
    if ctype.base in header.structs and not _is_handle(ctype, header) and ctype.base != "ald_point":
        return [f"  pick_{ctype.base}(&{target});"]
    return [f"  {target} = {_value_pick(field.name, ctype, field.doc, header)};"]


def _given_struct(base: str, target: str, header: Header) -> list[str]:
    """C that makes `target` lead to a struct that is read; one with a size is sometimes that of a newer header."""
    init = header.init_macros.get(base)
    content = f"&(const {base}){init}" if init else f"&(const {base}){{0}}"
    lines = [f"    {base} *given = give_block(BLOCK_INPUT, sizeof({base}), {content});", f'    trace(" {{");']
    lines += [f"    pick_{base}(given);", '    trace(" }");']
    if init:
        lines += [
            "    if (random_permille(30)) {",
            f"      given = give_larger_block(BLOCK_INPUT, given, sizeof({base}), sizeof({base}) + NEWER_FIELDS_SIZE);",
            "      given->struct_size += NEWER_FIELDS_SIZE;",
            "    }",
        ]
    return [*lines, f"    {target} = given;"]


def _struct_reader(name: str, header: Header) -> str:
    """A C function that judges a struct that the library has written, and reads all that it leads to."""
    struct = header.structs[name]
    lines = [f"{HELPER} read_{name}(const {name} *s) {{", "  (void)s;"]
    for field in struct.fields:
        lines += _field_read(struct, field, header)
    return "\n".join([*lines, "}", ""])


def _field_read(struct: Struct, field: Field, header: Header) -> list[str]:
    what = f'"{struct.name}.{field.name}"'
    ctype = field.type
    source = f"s->{field.name}"
    if ctype.base == "void" or (struct.name, field.name) in values.NOT_READ:
        return []
    if ctype.pointers:
        count = re.search(r"\b(\w+_count) ", field.doc)
        has_count = count is not None and any(f.name == count[1] for f in struct.fields)
        if ctype.base == "char" and ctype.pointers == 1:
            return [f"  check_text({source}, {what});"]
        if not has_count:
            raise HeaderError(f"{struct.name}: the comment of {field.name} does not name the field with its count")
        number = f"(size_t)s->{count[1]}"
        if ctype.base == "char":
            return [f"  for (size_t i = 0; i < {number}; i++)", f"    check_text({source}[i], {what});"]
        # "For distances: match_count distances. Otherwise NULL."
        condition = [f"  if ({source} != NULL)"] if "NULL" in field.doc else []
        return [*condition, f"  read_memory({source}, {number} * sizeof *{source}, {what});"]
    if ctype.base == "char":
        return [f"  check_text({source}, {what});"]
    index = "[i]" if ctype.length is not None else ""
    loop = [f"  for (size_t i = 0; i < {ctype.length}; i++)"] if ctype.length is not None else []
    if ctype.base == "double" and struct.name not in values.MAY_BE_INFINITE:
        return [*loop, f"  check_not_infinite({source}{index}, {what});"]
    if ctype.base in header.structs and not _is_handle(ctype, header):
        if struct.name in values.MAY_BE_INFINITE:
            return []
        return [*loop, f"  read_{ctype.base}(&{source}{index});"]
    return []


# Values


def _value_pick(name: str, ctype: CType, doc: str, header: Header, role: str | None = None) -> str:
    """A C expression that picks a value; the role is the name in the tables, where it differs."""
    role = role or name
    base = ctype.base
    if _is_handle(ctype, header):
        null = 250 if null_is_allowed(doc) else 0
        return f'({base}){{pick_handle("{name}", {_kind(base)}, {null})}}'
    if base == "ald_point":
        picker = "pick_screen_point" if re.search(values.SCREEN_POINTS, name) else "pick_map_point"
        return f'{picker}("{name}")'
    if base in header.enumerations:
        enumeration = header.enumerations[base]
        if enumeration.is_flags:
            return f'pick_flags("{name}", {sum(e.value for e in enumeration.enumerators)}u)'
        numbers = ", ".join(str(e.value) for e in enumeration.enumerators)
        # A known one most of the time.
        return _choice(name, base, f"{numbers}, {numbers}, {numbers}, {numbers}, -1")
    if name in values.IDS:
        return f'pick_handle("{name}", (int)random_below(kind_count), 0)'
    if role in values.CHOICES:
        return _choice(name, base, ", ".join(map(str, values.CHOICES[role])))
    if base == "double":
        return f'pick_double("{name}", {_range(name, doc, "-INFINITY", "INFINITY")})'
    if base in INTEGER_LIMITS:
        low, high = INTEGER_LIMITS[base]
        return f'({base})pick_integer("{name}", {_range(name, doc, f"(double){low}", f"(double){high}")}, {low}, {high})'
    raise HeaderError(f"nothing is known of {ctype.spelling} {name}; see stateful_values.py")


def _choice(name: str, base: str, numbers: str) -> str:
    array = f"(const int64_t[]){{{numbers}}}"
    return f'({base})pick_choice("{name}", {array}, sizeof {array} / sizeof(int64_t))'


def _range(name: str, doc: str, lowest: str, highest: str) -> str:
    """A number_range from the tables or the comment."""
    low, high = documented_range(doc) if name not in values.RANGES else values.RANGES[name]
    usual = next((ends for pattern, ends in values.USUAL_RANGES if re.search(pattern, name)), (0, 0))
    return (
        f"&(const number_range){{{lowest if low is None else low}, {highest if high is None else high}, "
        f"{usual[0]}, {usual[1]}}}"
    )


def documented_range(doc: str) -> tuple[float | None, float | None]:
    """The lowest and the highest number that a comment allows; None where it names none."""

    def number(text: str) -> float:
        return float(text.replace(",", ""))

    match = re.search(rf"({NUMBER}) to ({NUMBER})", doc)
    if match:
        return number(match[1]), number(match[2])
    if re.search(r"\b1 or 0\b", doc):
        return 0, 1
    low = re.search(rf"\bFrom ({NUMBER})|\b({NUMBER}) or more|[Mm]ore than ({NUMBER})|[Aa]t least ({NUMBER})", doc)
    high = re.search(rf"[Aa]t most ({NUMBER})", doc)
    lowest = number(next(group for group in low.groups() if group)) if low else None
    return (0 if high and lowest is None else lowest), number(high[1]) if high else None


def _text_pick(name: str, role: str, null_permille: int) -> str:
    if role in values.MADE_TEXTS:
        return f'{values.MADE_TEXTS[role]}("{name}")'
    if role in values.TEXTS:
        texts = [f'"{text}"' for text in values.TEXTS[role]]
    else:
        texts = [hostile_values.TEXTS.get(role, hostile_values.ANY_TEXT), '""']
        if not texts[0].startswith('"'):
            raise HeaderError(f"the text of {role} is the hostile host's own; add it to stateful_values.py")
    array = ", ".join(texts)
    return f'pick_text("{name}", (const char *const[]){{{array}}}, {len(texts)}, {null_permille})'


# Functions


def _player(number: int, function: Function, header: Header) -> str:
    """Facts about a function, and a C function that plays it once."""
    statuses = " | ".join(f"1u << {status}" for status in function.statuses) or "1u"
    lines = [
        f"static const function_facts facts_{function.name} = {{",
        f'    "{function.name}", {number}, {len(function.parameters)}, {statuses}, {int(function.is_release)}}};',
        f"static void play_{function.name}(void) {{",
    ]
    call = Call(function, header)
    lines += call.picks()
    arguments = ", ".join(p.name for p in function.parameters)
    lines.append("  before_call();")
    if function.returns_status:
        lines += [f"  const ald_status answer = {function.name}({arguments});", "  after_call(answer);"]
        lines += ["  if (answer == ALD_STATUS_OK) {", *call.reads(), "  }"]
        # Work that runs in parallel would change the sequence each time.
        if any(base == "ald_request" for _, base, _, _ in call.handles()):
            lines += ["  if (answer == ALD_STATUS_OK && out_request)", "    end_request(*out_request);"]
        given, lent = call.handle_numbers()
        lines.append(f"  check_handle_counts({given}, {lent});")
        keeps = call.keeps()
        if keeps:
            lines += ["  if (answer == ALD_STATUS_OK) {", *keeps, "  }"]
    else:
        returned = function.returns
        if returned.base == "char":
            lines += [f"  const char *text = {function.name}({arguments});", "  after_call(ALD_STATUS_OK);"]
            lines.append(f'  check_text(text, "{function.name}");')
        else:
            lines += [f"  {function.name}({arguments});", "  after_call(ALD_STATUS_OK);"]
        if function.is_release:
            handle = function.parameters[0]
            lines.append(f"  forget_handle({_kind(handle.type.base)}, {handle.name}.id);")
        else:
            lines.append("  check_handle_counts(0, 0);")
    return "\n".join([*lines, "}", ""])


class Call:
    """Writes the C of one call: its picks, and what is done with its results."""

    def __init__(self, function: Function, header: Header) -> None:
        self.function = function
        self.header = header
        self.by_name = {p.name: p for p in function.parameters}
        self.sizes = [p for p in function.parameters if p.type.base == "size_t" and not p.type.pointers]

    def picks(self) -> list[str]:
        """Declarations of all arguments, values first, then counts, then strides and capacities, then memory."""
        parameters = list(self.function.parameters)
        order = [self._is_value, self._is_count, self._is_other_size, self._is_memory]
        return [line for is_next in order for p in parameters if is_next(p) for line in self._pick(p)]

    def _is_value(self, p: Parameter) -> bool:
        return not p.type.pointers and p.type.base != "size_t"

    def _is_count(self, p: Parameter) -> bool:
        return p in self.sizes and self._counts_input(p)

    def _is_other_size(self, p: Parameter) -> bool:
        return p in self.sizes and not self._counts_input(p)

    def _is_memory(self, p: Parameter) -> bool:
        return p.type.pointers > 0

    def _counts_input(self, size: Parameter) -> bool:
        return not size.name.endswith("stride_bytes") and any(
            p.type.pointers and p.type.is_const and self._size_of(p) == size for p in self.function.parameters
        )

    def _size_of(self, array: Parameter) -> Parameter | None:
        """The parameter that says how large an array is: one of the two comments names the other."""
        sizes = [size for size in self.sizes if not size.name.endswith("stride_bytes")]
        for size in sizes:
            if (array.name, size.name) in values.SIZES:
                return size
        for size in sizes:
            if re.search(rf"\b{array.name}\b", size.doc) and size.name not in values.MADE_SIZES:
                return size
        for size in sizes:
            if re.search(rf"\b{size.name}\b", array.doc):
                return size
        points = array.doc.startswith("Receives the points") and "count" in self.by_name
        return self.by_name["count"] if points else None

    def _pick(self, p: Parameter) -> list[str]:
        ctype = p.type
        if p in self.sizes:
            return [f"  const size_t {p.name} = {self._size_pick(p)};"]
        if not ctype.pointers:
            if ctype.base in self.header.structs and not _is_handle(ctype, self.header) and ctype.base != "ald_point":
                return [f"  {ctype.base} {p.name} = {{0}};", f"  pick_{ctype.base}(&{p.name});"]
            return [f"  const {ctype.base} {p.name} = {_value_pick(p.name, ctype, p.doc, self.header, hostile_values.role(self.function.name, p.name))};"]
        if ctype.base == "ald_error":
            return [f"  ald_error *{p.name} = random_permille(100) ? NULL : give_error();"]
        if ctype.is_const and ctype.base == "char" and ctype.pointers == 1:
            null = 200 if null_is_allowed(p.doc) else 5
            return [f"  const char *{p.name} = {_text_pick(p.name, hostile_values.role(self.function.name, p.name), null)};"]
        return self._input(p) if ctype.is_const and ctype.pointers == 1 else self._output(p)

    def _size_pick(self, size: Parameter) -> str:
        counts = [s.name for s in self.sizes if s.name in ("count", "vertex_count") and s != size]
        count = counts[0] if counts else "0"
        if size.name.endswith("stride_bytes"):
            smallest = values.SMALLEST_STRIDES.get(size.name, 64 if size.name.startswith("row") else 16)
            return f'pick_stride("{size.name}", {smallest}, {count})'
        if (self.function.name, size.name) in values.MADE_SIZES_OF:
            return values.MADE_SIZES_OF[self.function.name, size.name]
        if size.name in values.MADE_SIZES:
            return values.MADE_SIZES[size.name]
        if self._counts_input(size):
            return f'pick_count("{size.name}")'
        for p in self.function.parameters:
            if p.type.pointers and self._size_of(p) == size:
                element = "1" if size.name.endswith("_bytes") else f"sizeof({p.type.base})"
                return f'pick_capacity("{size.name}", {count}, {element})'
        raise HeaderError(f"{self.function.name}: no comment says which array {size.name} is the size of")

    # Memory

    def _input(self, p: Parameter) -> list[str]:
        base = p.type.base
        size = self._size_of(p)
        if p.name in values.MADE_ARRAYS:
            return [f"  {base} *{p.name} = {values.MADE_ARRAYS[p.name]};"]
        if size is not None and base == "double":
            picker = "pick_screen_point" if re.search(values.SCREEN_POINTS, p.name) else "pick_map_point"
            own_stride = p.name.removesuffix("xy") + "stride_bytes"
            stride = next((name for name in (own_stride, "stride_bytes") if name in self.by_name), "0")
            return [f'  double *{p.name} = pick_points("{p.name}", {size.name}, {stride}, {picker});']
        if size is not None and base in self.header.structs:
            is_handle = self.header.structs[base].is_handle
            pick = f"pick_{base}(&{p.name}[i])"
            if is_handle:
                pick = f'{p.name}[i].id = pick_handle("{p.name}", {_kind(base)}, 0)'
            return [
                f"  {base} *{p.name} = give_block(BLOCK_INPUT, {size.name} * sizeof *{p.name}, NULL);",
                f"  for (size_t i = 0; i < {size.name}; i++)",
                f"    {pick};",
            ]
        if size is None and base in self.header.structs and not _is_handle(p.type, self.header):
            null = 300 if re.search(r"\bNULL\b", p.doc) else 5
            return [
                f"  {base} *{p.name} = NULL;",
                f'  trace(" {p.name}=");',
                f"  if (!random_permille({null})) {{",
                *_given_struct(base, p.name, self.header),
                "  }",
            ]
        raise HeaderError(f"{self.function.name}: nothing is known of {p.type.spelling} {p.name}; see stateful.py")

    def _output(self, p: Parameter) -> list[str]:
        base = p.type.base
        declaration = f"  {p.type.spelling.removesuffix('*').rstrip()} *{p.name}"
        given = self._given_output(p)
        in_place = re.search(r"May be (\w+), with the same stride", p.doc)
        lines = [f"{declaration} = NULL;"]
        condition = f"!random_permille({200 if re.search(r'NULL', p.doc) else 5})"
        allocation = [f"    {p.name} = {given};"]
        if in_place:
            # The input is then written too, and must not be on failure.
            allocation = [
                f"    {p.name} = stride_bytes == out_stride_bytes && random_permille(300) ? {in_place[1]} : {given};",
                f"    if ({p.name} == {in_place[1]})",
                f"      set_role({p.name}, BLOCK_OUTPUT);",
            ]
        struct = self.header.structs.get(base)
        if struct is not None and struct.has_struct_size and p.type.pointers == 1:
            allocation += [
                "    if (random_permille(30)) {",
                f"      {p.name} = give_larger_block(BLOCK_OUTPUT, {p.name}, sizeof({base}), sizeof({base}) + NEWER_FIELDS_SIZE);",
                f"      {p.name}->struct_size += NEWER_FIELDS_SIZE;",
                "    }",
            ]
        return [*lines, f"  if ({condition}) {{", *allocation, "  }", f'  if (!{p.name})', f'    trace(" {p.name}=NULL");']

    def _given_output(self, p: Parameter) -> str:
        """C that gives memory to write to, of just the size that the other arguments say."""
        base = p.type.base
        if p.type.pointers == 2:
            return f"give_block(BLOCK_OUTPUT, sizeof *{p.name}, NULL)"
        for (name, other), size in values.FOLLOWING_SIZES.items():
            if p.name == name and other in self.by_name:
                return f"give_block(BLOCK_OUTPUT, {size}, NULL)"
        size_parameter = self._size_of(p)
        if size_parameter is not None:
            return f"give_block(BLOCK_OUTPUT, {self._bytes(p, size_parameter)}, NULL)"
        fixed_size = hostile_values.FIXED_ARRAYS.get((base, p.name))
        if fixed_size is not None:
            return f"give_block(BLOCK_OUTPUT, {fixed_size}, NULL)"
        if not p.name.startswith("out_") or base == "char":
            raise HeaderError(f"{self.function.name}: nothing is known of {p.type.spelling} {p.name}; see stateful.py")
        if _is_handle(p.type, self.header):
            return hostile_values.output_handle(p)
        if base in self.header.init_macros:
            return f"give_block(BLOCK_OUTPUT, sizeof({base}), &(const {base}){self.header.init_macros[base]})"
        role = "BLOCK_OUTPUT_SIZE" if "buffer is too small" in p.doc else "BLOCK_OUTPUT"
        return f"give_block({role}, sizeof({base}), NULL)"

    def _bytes(self, array: Parameter, size: Parameter) -> str:
        if size.name.endswith("_bytes"):
            return size.name
        if array.type.base == "double" and "out_stride_bytes" in self.by_name:
            return f"strided_size({size.name}, out_stride_bytes, sizeof(ald_point))"
        return f"{size.name} * sizeof *{array.name}"

    # Results

    def _outputs(self) -> list[Parameter]:
        return [p for p in self.function.parameters if p.type.pointers and not p.type.is_const and p.type.base != "ald_error"]

    def reads(self) -> list[str]:
        lines = []
        for p in self.function.parameters:
            if p.type.pointers == 2 and p.type.base == "char":
                lines += [f"    if ({p.name})", f'      check_text(*{p.name}, "{p.name}");']
        for p in self._outputs():
            struct = self.header.structs.get(p.type.base)
            if struct is None or struct.is_handle or self._size_of(p) is not None:
                continue
            lines += [f"    if ({p.name})", f"      read_{struct.name}({p.name});"]
            if struct.has_struct_size:
                size = f"{p.name}->struct_size, sizeof({struct.name})"
                lines += [f"    if ({p.name})", f'      check_struct_size({size}, "{p.name}");']
        for p in self._outputs():
            size = self._size_of(p)
            if p.type.base == "double" and size is not None and "out_stride_bytes" in self.by_name:
                lines += [
                    f"    for (size_t i = 0; {p.name} && i < count; i++) {{",
                    "      const size_t step = out_stride_bytes ? out_stride_bytes : sizeof(ald_point);",
                    "      ald_point point;",
                    f"      memcpy(&point, (const uint8_t *){p.name} + i * step, sizeof point);",
                    f'      check_not_infinite(point.x, "{p.name}");',
                    f'      check_not_infinite(point.y, "{p.name}");',
                    "    }",
                ]
        return lines

    def handles(self) -> list[tuple[str, str, bool, str]]:
        """The handles that come out: C for the handle, its type, whether the host owns it, and the condition."""
        found = []
        for p in self._outputs():
            struct = self.header.structs.get(p.type.base)
            if struct is not None and struct.is_handle:
                is_there = f"{p.name} && {p.name}->id" if hostile_values.is_optional_handle(p) else p.name
                found.append((f"*{p.name}", struct.name, gives(self.function, p.name), is_there))
            elif struct is not None and self._size_of(p) is None:
                for field in struct.fields:
                    if _is_handle(field.type, self.header) and not field.type.pointers:
                        found.append((f"{p.name}->{field.name}", field.type.base, False, p.name))
        return found

    def handle_numbers(self) -> tuple[str, int]:
        """C for how many handles are given to an out-parameter, and how many are borrowed at most."""
        # A new runtime's handle counts in that runtime.
        handles = [handle for handle in self.handles() if handle[1] != "ald_runtime"]
        given = [pointer for _, _, is_owned, pointer in handles if is_owned]
        return " + ".join(f"({pointer} ? 1u : 0u)" for pointer in given) or "0", len(handles) - len(given)

    def keeps(self) -> list[str]:
        lines = []
        for handle, base, is_owned, pointer in self.handles():
            condition = f"{pointer}" if is_owned else f"{pointer} && ({handle}).id"
            lines += [f"    if ({condition})", f"      keep_handle({_kind(base)}, ({handle}).id, {int(is_owned)});"]
        return lines

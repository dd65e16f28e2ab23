"""The cases of the hostile host: what is tried for each parameter and field, by its type.

Each function here returns lines of C. In them, `a` holds the arguments of the call; a case gives valid ones, changes
one of them, calls and judges.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from header_model import CType, Enumeration, Field, Function, Header, HeaderError, Parameter, Struct
from hostile_values import COUNTED_ARRAYS

LARGEST_STRUCT_SIZE = 4096


@dataclass(frozen=True)
class Place:
    """Where a value goes: an argument, or a field that is reached through one."""

    # In C, something that can be assigned to.
    target: str
    # As a report names it.
    name: str
    type: CType
    doc: str

# The least that strides may be, where it is not that of a point. In C.
SMALLEST_STRIDES = {
    "row_stride_bytes": "SMALLEST_ROW_STRIDE",
    "vertex_stride_bytes": "SMALLEST_VERTEX_STRIDE",
    "height_stride_bytes": "SMALLEST_HEIGHT_STRIDE",
}


class CaseWriter:
    """Writes the cases of one parameter of one function."""

    def __init__(self, header: Header, function: Function, parameter: Parameter, finish: str) -> None:
        self.header = header
        self.function = function
        self.number = function.parameters.index(parameter) + 1
        self.parameter = parameter
        # The C statement that makes the call and judges it.
        self.finish = finish
        # For each target of the parameter, the ways in which it can be wrong: C that changes `a`.
        self.wrong_ways: dict[str, list[str]] = {}
        self.refused_as_invalid = (
            "EXPECT_INVALID_ARGUMENT" if "ALD_STATUS_INVALID_ARGUMENT" in function.statuses else "EXPECT_DOCUMENTED"
        )

    def cases(self) -> list[str]:
        """All cases of the parameter."""
        parameter = self.parameter
        place = Place(f"a.{parameter.name}", parameter.name, parameter.type, parameter.doc)
        if parameter.type.spelling == "ald_error *":
            return self._error(place)
        if parameter.type.pointers:
            return self._pointer_argument(place)
        if parameter.type.base == "size_t":
            return self._size(place)
        return self._value(place)

    # Forms of cases

    def _case(self, place: Place, label: str, expectation: str, change: str) -> list[str]:
        """One case; label and expectation are C expressions."""
        self.wrong_ways.setdefault(place.target, []).append(change)
        return self._lines(place, label, expectation, change)

    def _each(self, list_type: str, values: str, place: Place, expectation: str, change: str) -> list[str]:
        """A case per entry of a list of hostile values; in expectation and change, the entry is `v`."""
        any_entry = f"const {list_type} *v = any_{list_type}({values}); {change}"
        # As often as a few single cases, because there are many values.
        self.wrong_ways.setdefault(place.target, []).extend([any_entry] * 4)
        loop = f"  for (const {list_type} *v = {values}; v->label; v++)"
        return [loop, *self._lines(place, "v->label", expectation, change)]

    def _lines(self, place: Place, label: str, expectation: str, change: str) -> list[str]:
        return [
            "  {",
            f'    begin_case({self.number}, "{place.name}", {label}, {expectation});',
            f"    give_valid_{self.function.name}(&a);",
            f"    {change}",
            f"    {self.finish}",
            "  }",
        ]

    def everything_wrong(self) -> list[str]:
        """C that makes each target of the parameter wrong, or not, at random; call it after `cases`.

        What a pointer leads to comes before the pointer, which may be NULL afterwards.
        """
        lines = []
        for ways in reversed(self.wrong_ways.values()):
            alternatives = "".join(f" case {number}: {{ {way} }} break;" for number, way in enumerate(ways))
            lines.append(f"    if (is_wrong_here()) switch (random_below({len(ways)})) {{{alternatives} }}")
        return lines

    # Values

    def _value(self, place: Place) -> list[str]:
        """Cases for something that is given by value."""
        base = place.type.base
        struct = self.header.structs.get(base)
        if struct is not None and struct.is_handle:
            return self._handle(place)
        if struct is not None:
            return self._fields(place.target + ".", place, struct, struct.fields)
        if base in self.header.enumerations:
            return self._enumeration(place, self.header.enumerations[base])
        if base == "double":
            expectation = f"v->is_finite ? EXPECT_DOCUMENTED : {self.refused_as_invalid}"
            return self._each("double_value", "double_values", place, expectation, f"{place.target} = v->value;")
        if base in self.header.callbacks:
            # A pointer that is no function looks like a pointer to a function, so there is nothing wrong to give.
            return self._case(place, '"NULL"', "EXPECT_DOCUMENTED", f"{place.target} = NULL;")
        if base == "uint8_t":
            # All bytes of a colour are right.
            change = f"{place.target} = 255;"
            return self._case(place, '"255"', "EXPECT_DOCUMENTED", change)
        if base in ("int32_t", "uint32_t", "int64_t", "uint64_t"):
            # The bits of the numbers of 64 bits are hostile with a sign, too.
            values = ("uint64" if base == "int64_t" else base.removesuffix("_t")) + "_values"
            change = f"{place.target} = ({base})v->value;"
            return self._each("integer_value", values, place, "EXPECT_DOCUMENTED", change)
        raise HeaderError(f"{self.function.name}: no hostile values are known for {place.type.spelling} {place.name}")

    def _handle(self, place: Place) -> list[str]:
        kind = "KIND_" + place.type.base.removeprefix("ald_").upper()
        takes_null = int(null_is_allowed(place.doc))
        self.wrong_ways[place.target] = [f"{place.target}.id = any_bad_handle({kind}).id;"]
        is_alone = int(not self._another_handle(place))
        return [
            f"  for (size_t i = 0; bad_handle_at(i, {kind}, {takes_null}, {is_alone}, &h); i++)",
            *self._lines(place, "h.label", "h.expectation", f"{place.target}.id = h.id;"),
        ]

    def _another_handle(self, place: Place) -> bool:
        """Whether the call has another handle, which must then be of the same runtime."""
        handles = [p for p in self.function.parameters if p.type.pointers == 0 and self._is_handle(p.type)]
        return any(p.name != place.name for p in handles)

    def _is_handle(self, ctype: CType) -> bool:
        struct = self.header.structs.get(ctype.base)
        return struct is not None and struct.is_handle

    def _enumeration(self, place: Place, enumeration: Enumeration) -> list[str]:
        """Every known enumerator, and numbers that are not enumerators."""
        lines = []
        for enumerator in enumeration.enumerators:
            change = f"{place.target} = {enumerator.name};"
            lines += self._case(place, f'"{enumerator.name}"', "EXPECT_DOCUMENTED", change)
        values = [e.value for e in enumeration.enumerators]
        if enumeration.is_flags:
            unknown = [max(values) * 2, 2**31, 2**32 - 1]
        else:
            unknown = [-1, max(values) + 1, 2**31 - 1, -(2**31)]
        for value in unknown:
            # INT32_MIN has no literal of its own in C.
            number = f"({enumeration.name})({value}LL)"
            change = f"{place.target} = {number};"
            lines += self._case(place, f'"unknown {value}"', self.refused_as_invalid, change)
        return lines

    # Sizes

    def _size(self, place: Place) -> list[str]:
        """Counts, strides and capacities, which differ by their names."""
        change = f"{place.target} = v->value;"
        name = place.name
        if name.endswith("stride_bytes"):
            smallest = SMALLEST_STRIDES.get(name, "SMALLEST_POINT_STRIDE")
            expectation = (
                f"v->value && v->value < {smallest} ? {self.refused_as_invalid} "
                ": v->is_beyond_limits ? EXPECT_REFUSAL : EXPECT_OK"
            )
            return self._each("size_value", "stride_values", place, expectation, change)
        if name.startswith("max_"):
            # More than there is: only what there is is written.
            return self._each("size_value", "size_values", place, "EXPECT_DOCUMENTED", change)
        if name == "count":
            expectation = "v->is_beyond_limits ? EXPECT_REFUSAL : EXPECT_OK"
            return self._each("size_value", "size_values", place, expectation, change)
        if name == "step_count":
            expectation = "v->value == 1 ? EXPECT_OK : EXPECT_INVALID_ARGUMENT"
            return self._each("size_value", "size_values", place, expectation, change)
        if name.startswith("wkb") and name.endswith("_size_bytes"):
            # What the bytes say of their length is checked against the size; it never is beyond the bytes.
            return self._each("size_value", "size_values", place, "EXPECT_DOCUMENTED", change)
        if name in ("vertex_count", "ring_count", "radius_count", "distance_count", "extrusion_count", "graphic_count"):
            # Too few for a line or a ring is refused too, more distances than geometries, and what fits no column.
            expectation = "v->is_beyond_limits ? EXPECT_REFUSAL : EXPECT_DOCUMENTED"
            return self._each("size_value", "size_values", place, expectation, change)
        if name.endswith(("capacity", "capacity_bytes", "_size_bytes")):
            # More than there is: nothing is written beyond what is needed.
            expectation = "v->value == 0 ? EXPECT_BUFFER_TOO_SMALL : EXPECT_DOCUMENTED"
            return self._each("size_value", "size_values", place, expectation, change)
        raise HeaderError(f"{self.function.name}: it is not known what the size {name} is for")

    # Pointers

    def _pointer_argument(self, place: Place) -> list[str]:
        # A block that does not go into the call is not judged.
        change = f"take_back({place.target}); {place.target} = NULL;"
        lines = self._case(place, '"NULL"', self._expectation_of_null(place), change)
        base = place.type.base
        struct = self.header.structs.get(base)
        if base == "char" and place.type.is_const and place.type.pointers == 1:
            return lines + self._text(place)
        if struct is not None and struct.has_struct_size:
            return lines + self._sized_struct(place, struct)
        if struct is not None and place.type.is_const:
            return lines + self._fields(place.target + "->", place, struct, struct.fields)
        if base == "double" and place.type.is_const:
            change = f"{place.target}[0] = v->value;"
            return lines + self._each("double_value", "double_values", place, "EXPECT_DOCUMENTED", change)
        return lines

    def _expectation_of_null(self, place: Place) -> str:
        if null_is_allowed(place.doc):
            return "EXPECT_OK"
        # "May be NULL if ..." depends on other arguments.
        return "EXPECT_DOCUMENTED" if re.search(r"\bNULL\b", place.doc) else self.refused_as_invalid

    def _text(self, place: Place) -> list[str]:
        expectation = f"v->is_utf8 ? EXPECT_DOCUMENTED : {self.refused_as_invalid}"
        return self._each("text_value", "text_values()", place, expectation, f"{place.target} = give_text(v->text);")

    def _error(self, place: Place) -> list[str]:
        """Without an error to write to, the call does the same."""
        change = f"take_back({place.target}); {place.target} = NULL;"
        lines = self._case(place, '"NULL, the others valid"', "EXPECT_OK", change)
        change += " " + self._simplest_mistake()
        return lines + self._lines(place, '"NULL, another argument wrong"', "EXPECT_REFUSAL", change)

    def _simplest_mistake(self) -> str:
        for parameter in self.function.parameters:
            if parameter.type.pointers == 0 and self._is_handle(parameter.type) and not null_is_allowed(parameter.doc):
                return f"a.{parameter.name}.id = 0;"
        outs = [p for p in self.function.parameters if p.name.startswith("out_")]
        # A text's size need not be asked for; then it is the buffer that must be there, because there is a capacity.
        name = next((out.name for out in outs if "May be NULL" not in out.doc), "buffer")
        return f"take_back(a.{name}); a.{name} = NULL;"

    # Structs

    def _sized_struct(self, place: Place, struct: Struct) -> list[str]:
        """struct_size, what may lie behind the known fields, and every field of a struct that is read."""
        inside = f"(({struct.name} *){place.target})->"
        change = f"{inside}struct_size = (uint32_t)v->value;"
        lines = self._each("size_value", "struct_size_values", place, self.refused_as_invalid, change)
        change = f"{inside}struct_size = sizeof({struct.name}) - 1;"
        lines += self._case(place, '"struct_size one too small"', self.refused_as_invalid, change)
        for size in (f"sizeof({struct.name}) + 8", str(LARGEST_STRUCT_SIZE)):
            lines += self._larger_struct(place, struct, size)
        if place.type.is_const:
            lines += self._fields(inside, place, struct, struct.fields[1:])
        return lines

    def _larger_struct(self, place: Place, struct: Struct, size: str) -> list[str]:
        """A struct of a newer header: its unknown part may be there, and must be zero where the struct is read."""
        role = "BLOCK_INPUT" if place.type.is_const else "BLOCK_OUTPUT"
        enlarge = (
            f"{place.target} = give_larger_block({role}, {place.target}, sizeof({struct.name}), {size}); "
            f"(({struct.name} *){place.target})->struct_size = (uint32_t)({size});"
        )
        lines = self._case(place, f'"struct_size {size}, unknown fields zero"', "EXPECT_OK", enlarge)
        if place.type.is_const:
            change = f"{enlarge} ((uint8_t *){place.target})[{size} - 1] = 1;"
            lines += self._case(place, f'"struct_size {size}, unknown field set"', self.refused_as_invalid, change)
        return lines

    def _fields(self, inside: str, owner: Place, struct: Struct, fields: tuple[Field, ...]) -> list[str]:
        """Cases for fields; `inside` is C for the way to them, up to the dot or arrow."""
        return [line for field in fields for line in self._field(inside, owner, struct, field)]

    def _field(self, inside: str, owner: Place, struct: Struct, field: Field) -> list[str]:
        place = Place(inside + field.name, f"{owner.name}.{field.name}", field.type, field.doc)
        if field.type.pointers:
            return self._pointer_field(place, struct, field)
        if field.name == "reserved":
            return self._case(place, '"1"', self.refused_as_invalid, f"{place.target} = 1;")
        if field.name.endswith("_stride_bytes"):
            # Larger ones lead beyond the array, where the host has to know what is there.
            lines = self._case(place, '"0"', "EXPECT_DOCUMENTED", f"{place.target} = 0;")
            return lines + self._case(place, '"1"', self.refused_as_invalid, f"{place.target} = 1;")
        counted = {array.count: array for key, array in COUNTED_ARRAYS.items() if key[0] == struct.name}
        if field.name in counted:
            return self._count_field(place, counted[field.name].limit)
        if field.name == "stride_bytes":
            return self._stride_field(place)
        if field.type.length is None:
            return self._value(place)
        lines = []
        element = CType(field.type.base, field.type.base, field.type.is_const, 0)
        for index in range(field.type.length):
            suffix = f"[{index}]"
            lines += self._value(Place(place.target + suffix, place.name + suffix, element, place.doc))
        return lines

    def _count_field(self, place: Place, limit: int | None) -> list[str]:
        """How many elements an array has. Beyond the header's limit it must be refused before the array is read."""
        lines = self._case(place, '"0"', "EXPECT_DOCUMENTED", f"{place.target} = 0;")
        lines += self._case(place, '"1"', "EXPECT_DOCUMENTED", f"{place.target} = 1;")
        if limit is not None:
            for value in (limit + 1, 2**31, 2**32 - 1):
                change = f"{place.target} = {value}u;"
                lines += self._case(place, f'"{value}, too many"', self.refused_as_invalid, change)
        return lines

    def _stride_field(self, place: Place) -> list[str]:
        """How far apart the numbers of a column lie: too near, farther than memory goes, and just right."""
        lines = []
        for value in ("1", "7", "SIZE_MAX", "PTRDIFF_MAX", "(size_t)PTRDIFF_MAX + 1"):
            lines += self._case(place, f'"{value}"', self.refused_as_invalid, f"{place.target} = {value};")
        for value in ("8", "9", "LARGEST_STRIDE"):
            lines += self._case(place, f'"{value}"', "EXPECT_OK", f"{place.target} = {value};")
        return lines

    def _pointer_field(self, place: Place, struct: Struct, field: Field) -> list[str]:
        lines = self._case(place, '"NULL"', "EXPECT_DOCUMENTED", f"{place.target} = NULL;")
        base = field.type.base
        if base == "void":
            # Handed back as it is and never looked at.
            return lines + self._case(place, '"an odd address"', "EXPECT_DOCUMENTED", f"{place.target} = (void *)1;")
        if (struct.name, field.name) in COUNTED_ARRAYS:
            if base == "char":
                lines += self._names(place)
            return lines
        if base == "char" and field.type.pointers == 1:
            return lines + self._text(place)
        if base in self.header.structs and self.header.structs[base].has_struct_size:
            return lines + self._sized_struct(place, self.header.structs[base])
        raise HeaderError(f"{struct.name}: no hostile values are known for {field.type.spelling} {field.name}")

    def _names(self, place: Place) -> list[str]:
        """An array of texts with one of them wrong."""
        first = f"((const char **){place.target})[0]"
        missing = Place(first, place.name + "[0]", place.type, place.doc)
        lines = self._case(missing, '"NULL"', "EXPECT_DOCUMENTED", f"{first} = NULL;")
        change = f"{first} = give_text(v->text);"
        return lines + self._each("text_value", "text_values()", missing, "EXPECT_DOCUMENTED", change)


def null_is_allowed(doc: str) -> bool:
    """Whether a comment says what NULL, or a null handle, means: "NULL for ...", "Null means ...", "NULL, or ...", "NULL: ..."."""
    if doc.startswith("Receives"):
        return re.search(r"; (?:NULL|null): ", doc) is not None
    said = r"^NULL,|\bN(?:ULL|ull) (?:for|\w+s)\b|\bis null\b|\bor null\b|(?:^|[.;] )(?:NULL|[Nn]ull): "
    return re.search(said, doc) is not None

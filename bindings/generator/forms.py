"""What the parameters of a function mean together, for the bindings of Rust, Go and Java: an array with its count, a text
that is copied into a buffer, an object that is created. Each binding writes these forms in its own language.

A function with a form that these three bindings leave to the raw interface has none: `forms` returns None, and
`left_raw` lists all of them. Every other form that is not known is an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cpp_header import BOOLEANS, LAYER_KINDS, PICTURE_BUFFERS, PICTURES, may_be_null
from csharp_records import LENGTHS, LENGTHS_ELSEWHERE
from header_model import Function, Header, HeaderError, Parameter, Struct

# Structs of arrays whose lengths stand elsewhere, or that lead to memory of the host that the call fills.
RAW_STRUCTS = ("ald_coordinates", "ald_projected_coordinates", "ald_attribute_column")
PLURALS = ("statuses", "operations", "flags", "cells", "values", "verdicts", "distances_m", "azimuths_deg")


@dataclass
class Form:
    """One or more parameters of C that are one in another language.

    kind is one of
      handle, scalar, value (a struct), text, struct, request      what goes in
      array, points      an array, or points with a stride, that goes in
      count              the number of elements of the arrays in `arrays`, which must be the same
      capacity           the number of elements of the arrays in `arrays`, which must be the same unless one is empty
      out_handle, out_scalar, out_struct, out_text, out_matrix     what comes out
      out_buffer         a text (base is char) or bytes, which are copied into a buffer that grows
      out_list           an array that grows
      fill, fill_points  an array of the host that the call fills; with has_capacity C checks its size, otherwise it must
                         have as many elements as `arrays[0]`, or none if it is optional
    """

    kind: str
    parameter: Parameter
    is_optional: bool = False
    # An array that carries its own count behind it.
    has_count: bool = False
    has_capacity: bool = False
    # The numbers of a point or vertex.
    dimensions: int = 1
    arrays: list[Form] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.parameter.name

    @property
    def base(self) -> str:
        return self.parameter.type.base

    @property
    def is_bool(self) -> bool:
        return self.kind == "out_scalar" and self.name in BOOLEANS

    @property
    def is_owned(self) -> bool:
        return self.parameter.ownership == "owned"

    @property
    def short(self) -> str:
        """The name without what says that it comes out."""
        return self.name.removeprefix("out_new_").removeprefix("out_")


class Forms:
    def __init__(self, header: Header) -> None:
        self.header = header
        self.handles = {handle.name for handle in header.handles}

    def owner(self, function: Function, layer_kinds: bool) -> str:
        """The kind of object that a function belongs to, such as "map"; "" if it stands alone."""
        name = function.name.removeprefix("ald_")
        if any(function.name.startswith(e + "_") for e in self.header.enumerations):
            return ""
        kinds = [handle.removeprefix("ald_") for handle in self.handles] + list(LAYER_KINDS)
        found = max((kind for kind in kinds if name.startswith(kind + "_")), key=len, default="")
        return "layer" if found in LAYER_KINDS and not layer_kinds else found

    def is_method(self, function: Function, owner: str) -> bool:
        first = function.parameters[0].type if function.parameters else None
        handle = "ald_layer" if owner in LAYER_KINDS else f"ald_{owner}"
        return bool(owner) and first is not None and first.pointers == 0 and first.base == handle

    def left_raw(self) -> list[Function]:
        return [f for f in self.header.functions.values() if f.returns_status and self.of(f) is None]

    def of(self, function: Function) -> list[Form] | None:
        """The forms of all parameters but the error; None for a function that is left to the raw interface."""
        parameters = [p for p in function.parameters if p.name != "error"]
        bases = {p.type.base for p in parameters}
        if bases & ({*self.header.foreign_structs, *RAW_STRUCTS}) or function.name in PICTURES:
            return None
        if any(p.name == "out_byte_offsets" for p in parameters):
            return None
        found: list[Form] = []
        at = 0
        while at < len(parameters):
            form, used = self._next(function, parameters[at:], found)
            found.append(form)
            at += used
        counted = [f for f in found if f.kind in ("array", "points") and f.name not in ("radii", "radii_m", "ring_starts")]
        vertices = [f for f in found if f.kind == "fill_points" and f.has_capacity]
        shared = [f for f in found if f.kind == "capacity"]
        for form in found:
            if form.kind in ("fill", "fill_points") and not form.has_capacity:
                if shared and form.kind == "fill":
                    shared[0].arrays.append(form)
                elif counted or vertices:
                    form.arrays = [(counted or vertices)[0]]
                else:
                    raise HeaderError(f"{function.name}: {form.name} has no length")
        return found

    def _next(self, function: Function, rest: list[Parameter], before: list[Form]) -> tuple[Form, int]:
        parameter = rest[0]
        following = [p.name for p in rest[1:3]] + ["", ""]
        ctype, name = parameter.type, parameter.name
        optional = may_be_null(parameter)
        if ctype.pointers == 0:
            return self._value(function, parameter, before, optional), 1
        if name == "buffer":
            return Form("out_buffer", parameter), 3
        if ctype.spelling == "const char *":
            return Form("text", parameter, optional), 1
        if ctype.spelling == "const char **":
            return Form("out_text", parameter), 1
        if name == "out_matrix":
            return Form("out_matrix", parameter), 1
        if ctype.pointers != 1 or ctype.base in ("void", "char"):
            raise HeaderError(f"{function.name}: the parameter {name} has an unknown form")
        if following[0].endswith("stride_bytes"):
            dimensions = 3 if ctype.base == "float" else 2
            if not parameter.is_out:
                return Form("points", parameter, dimensions=dimensions), 2
            has_capacity = following[1] == "vertex_capacity"
            return Form("fill_points", parameter, has_capacity=has_capacity, dimensions=dimensions), 2 + has_capacity
        if not parameter.is_out:
            if following[0].endswith(("count", "size_bytes")) and rest[1].type.spelling == "size_t":
                earlier = [f for f in before if f.kind in ("array", "points") and not f.has_count]
                if following[0] in ("count", "vertex_count") and earlier:
                    return Form("array", parameter), 1
                return Form("array", parameter, has_count=True), 2
            struct = self.header.structs.get(ctype.base)
            if struct is None or not (struct.has_struct_size or name in ("padding", "insets", "max_extent")):
                return Form("array", parameter), 1
            return Form("request" if ctype.base == "ald_request_options" else "struct", parameter, optional), 1
        if following[1] == "out_count":
            return Form("out_list", parameter), 3
        is_array = ctype.base not in self.handles and (following[0].endswith("capacity") or name.endswith(PLURALS))
        if is_array:
            is_shared = name in ("out_statuses", "out_operations") and any(p.name == "vertex_capacity" for p in rest)
            has_capacity = following[0].endswith("capacity") and not is_shared
            return Form("fill", parameter, optional, has_capacity=has_capacity), 1 + has_capacity
        if ctype.base in self.handles:
            return Form("out_handle", parameter, optional), 1
        return Form("out_struct" if ctype.base in self.header.structs else "out_scalar", parameter), 1

    def _value(self, function: Function, parameter: Parameter, before: list[Form], optional: bool) -> Form:
        base = parameter.type.base
        if base in self.handles:
            return Form("handle", parameter, optional)
        if base in self.header.structs:
            return Form("value", parameter)
        if base == "size_t" and parameter.name in ("count", "vertex_count"):
            arrays = [f for f in before if f.kind in ("array", "points") and not f.has_count]
            if arrays:
                return Form("count", parameter, arrays=arrays)
        if base == "size_t" and parameter.name == "vertex_capacity":
            return Form("capacity", parameter)
        if base == "size_t":
            raise HeaderError(f"{function.name}: the size {parameter.name} belongs to no array")
        return Form("scalar", parameter)


# Structs


@dataclass(frozen=True)
class Array:
    """An array that a struct points to: the field with its length, a number to multiply it with, one to add."""

    count: str
    factor: int = 1
    more: int = 0
    # The field with the distance between its elements, if there is one.
    stride: str = ""


def array(struct: Struct, name: str) -> Array | None:
    """How long the array in a field is; None if the length stands in the struct around this one, or nowhere."""
    key = f"{struct.name}.{name}"
    if key in LENGTHS:
        count, more = LENGTHS[key]
        head, _, factor = count.partition(" * ")
        stride = f"{name}_stride_bytes" if any(f.name == f"{name}_stride_bytes" for f in struct.fields) else ""
        return Array(head, int(factor or 2 if name in ("xy", "screen_xy") else factor or 1), more, stride)
    if key not in LENGTHS_ELSEWHERE:
        raise HeaderError(f"{key}: nothing says how long the array is (LENGTHS in csharp_records.py)")
    return None


def is_plain(struct: Struct, header: Header) -> bool:
    """Whether a struct leads to no memory: it means the same in every language that gives it the layout of C."""
    return all(
        (f.type.pointers == 0 or f.type.base == "void")
        and f.type.base != "ald_completion"
        and (f.type.base not in header.structs or f.type.pointers or is_plain(header.structs[f.type.base], header))
        for f in struct.fields
    )


def directions(header: Header, forms: Forms) -> tuple[set[str], set[str]]:
    """Which structs with pointers go in and come out through functions that have forms, also inside others."""
    ins: set[str] = set()
    outs: set[str] = set()

    def reach(struct: Struct, found: set[str]) -> None:
        if is_plain(struct, header) or struct.name in found:
            return
        found.add(struct.name)
        for item in struct.fields:
            if item.type.base in header.structs:
                reach(header.structs[item.type.base], found)

    for function in header.functions.values():
        for form in (forms.of(function) or []) if function.returns_status else []:
            if form.kind in ("struct", "out_struct"):
                reach(header.structs[form.base], ins if form.kind == "struct" else outs)
    return ins, outs


def pascal(name: str) -> str:
    """view_state becomes ViewState."""
    return "".join(part[:1].upper() + part[1:].lower() for part in name.split("_") if part)


def first_paragraph(text: str) -> str:
    return " ".join(text.split("\n\n")[0].split())

"""Writes the classes of the C# binding from the header model: one for each kind of handle, with the functions whose
names begin with that kind, and Library for the functions without an object.

The first result of a function is returned, the others are out parameters. A receipt that a caller may leave out gives a
function two forms. `_Mapper` decides what the forms of the parameters become; a form that it does not know is an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import csharp_names as names
from cpp_header import BOOLEANS, COUNTS, DEFAULT_STRUCTS, LAYER_KINDS, PICTURE_BUFFERS, may_be_null
from csharp_records import Records
from header_model import Function, Header, HeaderError, Parameter, Struct

# Functions whose methods are written by hand.
BY_HAND = ("ald_runtime_pump", "ald_runtime_create")
# How pictures ask for the size that their verdicts must have.
PICTURES = {
    "ald_raster_read_window": "Native.ald_raster_window_size({self}, {window}, &columns, &rows, &error)",
    "ald_view_read_rgba": "Native.ald_view_grid_size({self}, {grid}, &columns, &rows, &error)",
    "ald_view_read_values": "Native.ald_view_grid_size({self}, {grid}, &columns, &rows, &error)",
}
DEFAULTS = {"timeout_ms": "uint.MaxValue", "budget_ms": "0", "tolerance_dip": "0", "max_results": "0", "grid_size": "0"}


@dataclass
class _Argument:
    type: str
    name: str
    default: str | None = None
    doc: str = ""


@dataclass
class _Shape:
    """The C# form of a function."""

    arguments: list[_Argument] = field(default_factory=list)
    # What C gets, in the order of its parameters.
    passed: list[str] = field(default_factory=list)
    # Checks and assignments before anything is held.
    checks: list[str] = field(default_factory=list)
    # What is held during the call.
    usings: list[str] = field(default_factory=list)
    # After that, before the call.
    locals: list[str] = field(default_factory=list)
    # The results: type, name, expression, comment.
    results: list[tuple[str, str, str, str]] = field(default_factory=list)
    # Results that are never returned, so that a form without them has the same other parameters.
    outs: list[tuple[str, str, str, str]] = field(default_factory=list)
    # Whether structs of arguments need a scope.
    has_scope: bool = False
    # The buffer that grows until a text or a list fits, and the name of its size.
    buffer: tuple[str, str] | None = None
    # Whether it begins a request.
    requests: bool = False
    # Statements right before the call, which know `error`.
    before_call: list[str] = field(default_factory=list)


class _Class:
    def __init__(self, kind: str, handle: str, base: str) -> None:
        self.kind, self.handle, self.base = kind, handle, base
        self.functions: list[Function] = []

    @property
    def name(self) -> str:
        return names.pascal(self.kind)


class _Mapper:
    def __init__(
        self,
        function: Function,
        owner: _Class | None,
        header: Header,
        records: Records,
        with_receipt: bool,
        fills: bool,
    ) -> None:
        self.function, self.owner, self.header, self.records = function, owner, header, records
        self.with_receipt, self.fills = with_receipt, fills
        self.handles = {handle.name for handle in header.handles}
        self.parameters = [p for p in function.parameters if p.name != "error"]
        self.shape = _Shape()
        self.waiting: list[Parameter] = []
        # The expressions for the runtime that results belong to, and for the object that borrowed results come from.
        self.runtime, self.lender = "null", "null"
        at = 0
        first = self.parameters[0].type if self.parameters else None
        self.is_static = owner is None or first is None or first.pointers > 0 or first.base != owner.handle
        if not self.is_static:
            self._hold("this", self.parameters[0], "this", False)
            at = 1
        while at < len(self.parameters):
            at += self._next(at)

    # Pieces

    def _argument(self, kind: str, parameter: Parameter, default: str | None, *passed: str) -> str:
        name = names.camel(parameter.name)
        self.shape.arguments.append(_Argument(kind, name, default, parameter.doc))
        self.shape.passed += passed
        return name

    def _local(self, parameter: Parameter, prefix: str) -> str:
        return prefix + names.pascal(parameter.name)

    def _hold(self, name: str, parameter: Parameter, shown: str, may_be_null: bool) -> None:
        held = self._local(parameter, "use") if name != "this" else "useThis"
        more = ", true" if may_be_null else ""
        self.shape.usings.append(f'using (var {held} = Use.Of({name}, "{shown}"{more}))')
        self.shape.passed.append(f"new {names.handle_name(parameter.type.base)}({held}.Id)")
        if self.runtime == "null":
            self.runtime, self.lender = f"{name}.Runtime", name

    def _refuse(self, condition: str, parameter: Parameter, message: str) -> None:
        name = names.camel(parameter.name)
        self.shape.checks.append(f'if ({condition}) throw new ArgumentException("{message}", "{name.lstrip("@")}");')

    def _pin(self, parameter: Parameter, is_wanted: bool = False) -> str:
        """Keeps an array where it is; gives its address, or NULL for an empty array that the caller does not want."""
        name, pin = names.camel(parameter.name), self._local(parameter, "pin")
        kind = names.raw_type(parameter.type, self.header)
        if self.shape.arguments[-1].type.startswith("Slice"):
            self.shape.usings.append(f"fixed ({kind} {pin} = {name}.Pinnable)")
            address = f"({kind}){name}.At({pin})"
        else:
            self.shape.usings.append(f"using (var {pin} = {name}.Pin())")
            address = f"({kind}){pin}.Address"
        return f"{name}.Count == 0 ? null : {address}" if is_wanted else address

    def _result(self, kind: str, parameter: Parameter, expression: str) -> None:
        name = parameter.name.removeprefix("out_new_").removeprefix("out_")
        self.shape.results.append((kind, names.camel(name), expression, parameter.doc))

    # Forms

    def _next(self, at: int) -> int:
        """Maps the parameter at an index and those that belong to it; gives how many those are."""
        parameter = self.parameters[at]
        following = [p.name for p in self.parameters[at + 1 : at + 3]] + ["", ""]
        ctype, name, shape = parameter.type, parameter.name, self.shape
        raw = names.raw_type(ctype, self.header)
        if self.function.name in PICTURES and name in PICTURE_BUFFERS:
            return self._picture(at)
        if ctype.pointers == 0:
            self._value(parameter)
            return 1
        if name == "buffer":
            return self._copied(parameter, at)
        if ctype.spelling == "const char *":
            text = self._argument("string", parameter, "null" if may_be_null(parameter) else None)
            held = self._local(parameter, "text")
            shape.usings.append(f'using (var {held} = TextArgument.Of({text}, "{name}"))')
            if not may_be_null(parameter):
                shape.checks.append(f'if ({text} == null) throw new ArgumentNullException("{text.lstrip("@")}");')
            shape.passed.append(f"{held}.Address")
            return 1
        if ctype.spelling == "const char **":
            local = names.camel(name)
            shape.locals.append(f"byte* {local};")
            shape.passed.append(f"&{local}")
            self._result("string", parameter, f"Utf8.Read({local})")
            return 1
        if name == "out_matrix":
            shape.locals.append("byte* outMatrix = stackalloc byte[10];")
            shape.passed.append("outMatrix")
            self._result("string", parameter, "Utf8.Read(outMatrix)")
            return 1
        if name == "out_byte_offsets":
            return self._byte_offsets(parameter)
        if ctype.base in self.header.foreign_structs:
            self._argument("IntPtr", parameter, None, names.camel(name))
            return 1
        if ctype.pointers != 1 or ctype.base in ("void", "char"):
            raise HeaderError(f"{self.function.name}: the parameter {name} has an unknown form")
        if following[0].endswith("stride_bytes"):
            return self._strided_out(parameter, following[1]) if parameter.is_out else self._strided_in(parameter)
        if not parameter.is_out:
            return self._input(parameter, at, following[0])
        if following[1] == "out_count":
            return self._list(parameter, at)
        plural = ("statuses", "operations", "flags", "cells", "values", "verdicts", "distances_m", "azimuths_deg")
        if ctype.base not in self.handles and (following[0].endswith("capacity") or name.endswith(plural)):
            return self._out_array(parameter, following[0])
        self._out_value(parameter, raw)
        return 1

    def _value(self, parameter: Parameter) -> None:
        ctype, name = parameter.type, names.camel(parameter.name)
        if ctype.base in self.handles:
            optional = may_be_null(parameter)
            kind = names.type_name(ctype.base)
            self.shape.arguments.append(_Argument(kind, name, "null" if optional else None, parameter.doc))
            self._hold(name, parameter, name.lstrip("@"), optional)
        elif ctype.base == "size_t" and parameter.name in ("count", "vertex_count") and self.waiting:
            first = names.camel(self.waiting[0].name)
            self.shape.passed.append(f"(ulong){first}.Count")
            self._of_one_size(first, self.waiting[1:])
            self.waiting = self.waiting[:1]
        elif ctype.base == "size_t" and parameter.name.endswith("capacity"):
            a, b = (x.name for x in self.shape.arguments if x.name in ("outStatuses", "outOperations"))
            self.shape.passed.append(f"(ulong)({a}.Count == 0 ? {b}.Count : {a}.Count)")
            self._refuse(
                f"{a}.Count != 0 && {b}.Count != 0 && {a}.Count != {b}.Count",
                self.parameters[self.parameters.index(parameter) - 1],
                f"{a} and {b} must have the same size unless one is empty.",
            )
        elif ctype.base == "size_t" and parameter.name != "row_stride_bytes":
            raise HeaderError(f"{self.function.name}: the size {parameter.name} belongs to no array")
        else:
            kind = names.raw_type(ctype, self.header)
            enumeration = self.header.enumerations.get(ctype.base)
            default = f"({kind})0" if enumeration and enumeration.is_flags else DEFAULTS.get(parameter.name)
            self._argument(kind, parameter, default, name)

    def _of_one_size(self, first: str, others: list[Parameter]) -> None:
        for other in others:
            name = names.camel(other.name)
            self._refuse(f"{name}.Count != {first}.Count", other, f"{name} and {first} must have the same size.")

    def _copied(self, parameter: Parameter, at: int) -> int:
        is_text = parameter.type.base == "char"
        self.shape.buffer = ("byte", "256")
        self.shape.passed += ["buffer", "(ulong)bytes.Length", "&size"]
        size = self.parameters[at + 2]
        if is_text:
            self.shape.results.insert(0, ("string", "text", "Utf8.Read(bytes, size)", "The text."))
        else:
            self.shape.results.insert(0, ("byte[]", "wkb", "Sized.Cut(bytes, size)", "The bytes."))
        assert size.name == "out_size_bytes", self.function.name
        return 3

    def _byte_offsets(self, parameter: Parameter) -> int:
        self.shape.locals += [
            "GeometryArrayInfo info = GetInfo();",
            "var outByteOffsets = new ulong[(long)info.GeometryCount + 1];",
        ]
        self.shape.passed += ["offsets", "(ulong)outByteOffsets.Length"]
        self._result("ulong[]", parameter, "outByteOffsets")
        return 2

    def _strided_in(self, parameter: Parameter) -> int:
        kind = "Points" if parameter.type.base == "double" else "Vertices"
        name = self._argument(kind, parameter, None)
        self.shape.passed += [self._pin(parameter), f"(ulong){name}.StrideBytes"]
        self.waiting.append(parameter)
        return 2

    def _strided_out(self, parameter: Parameter, size: str) -> int:
        kind = "Points" if parameter.type.base == "double" else "Vertices"
        is_heights = parameter.name == "out_heights"
        name = self._argument("Slice<double>" if is_heights else kind, parameter, None)
        self.shape.passed += [self._pin(parameter), "8" if is_heights else f"(ulong){name}.StrideBytes"]
        if size == "vertex_capacity":
            self.shape.passed.append(f"(ulong){name}.Count")
            return 3
        self._refuse(
            f"{name}.Count < {self._count()}", parameter, f"{name} must hold as many entries as there are points."
        )
        return 2

    def _input(self, parameter: Parameter, at: int, size: str) -> int:
        ctype = parameter.type
        if size.endswith(("count", "size_bytes")) and self.parameters[at + 1].type.spelling == "size_t":
            self._in_array(parameter, size)
            return 2
        struct = self.header.structs.get(ctype.base)
        if struct is not None:
            self._in_struct(parameter, struct)
        else:
            self._argument(f"Slice<{names.raw_type(ctype, self.header).removesuffix('*')}>", parameter, None)
            self.shape.passed.append(self._pin(parameter))
            self.waiting.append(parameter)
        return 1

    def _in_array(self, parameter: Parameter, size: str) -> None:
        ctype, name = parameter.type, names.camel(parameter.name)
        raw = names.raw_type(ctype, self.header)
        if ctype.base in self.handles:
            self._argument(f"{names.type_name(ctype.base)}[]", parameter, None)
            self.shape.has_scope = True
            self.shape.checks.append(f'if ({name} == null) throw new ArgumentNullException("{name}");')
            if self.runtime == "null":
                self.runtime = f"({name}.Length == 0 ? null : {name}[0].Runtime)"
            self.shape.passed += [f'({raw})scope.Ids({name}, "{name}")', f"(ulong){name}.Length"]
            self.waiting = [parameter]
            return
        self._argument(f"Slice<{raw.removesuffix('*')}>", parameter, None)
        if parameter.name == "byte_offsets":
            self._refuse(f"{name}.Count == 0", parameter, f"{name} must hold a number more than there are geometries.")
            self.shape.passed += [self._pin(parameter), f"(ulong){name}.Count - 1"]
            return
        self.shape.passed += [self._pin(parameter, parameter.name == "ring_starts"), f"(ulong){name}.Count"]
        if size == "count":
            self._of_one_size(name, self.waiting)
            self.waiting = [parameter]

    def _in_struct(self, parameter: Parameter, struct: Struct) -> None:
        name, local = names.camel(parameter.name), self._local(parameter, "raw")
        kind, raw = self.records.type(struct, False), names.raw_name(struct, self.header)
        if struct.name == "ald_request_options":
            self.shape.requests = True
            self._argument("RequestOptions", parameter, "null", "&rawRequestOptions")
            return
        optional = may_be_null(parameter) and parameter.name != "images"
        is_default = optional and parameter.name in DEFAULT_STRUCTS
        if optional and not is_default:
            self._argument(f"{kind}?", parameter, "null", f"{name}.HasValue ? &{local} : null")
            value = f"{name}.GetValueOrDefault()"
        else:
            # The default struct means the same as NULL.
            self._argument(kind, parameter, f"default({kind})" if is_default else None, f"&{local}")
            value = name
        if parameter.name == "images":
            self.shape.checks.append(f"images.Check({self._count()});")
        if names.needs_raw(struct, self.header):
            self.shape.has_scope = True
            self.shape.locals += [f"{raw} {local};", f"{value}.Write(ref scope, &{local});"]
        else:
            self.shape.locals.append(f"{raw} {local} = {value};")
            if struct.has_struct_size:
                self.shape.locals.append(f"{local}.StructSize = (uint)sizeof({raw});")

    def _list(self, parameter: Parameter, at: int) -> int:
        """A list that is copied out: into an array of the caller, or into a new one."""
        item = names.raw_type(parameter.type, self.header).removesuffix("*")
        limit = self.parameters[at + 1]
        if self.fills or limit.name == "max_events":
            name = self._argument(f"Slice<{item}>", parameter, None)
            self.shape.passed += [self._pin(parameter), f"(ulong){name}.Count", "&count"]
            self.shape.locals.append("ulong count = 0;")
            self.shape.results.append(("int", "count", "(int)count", "How many were written."))
            return 3
        length = "16"
        if limit.name == "max_count":
            self.shape.arguments.append(_Argument("int", "maxCount", None, limit.doc))
            self.shape.checks.append('if (maxCount < 0) throw new ArgumentOutOfRangeException("maxCount");')
            length = "maxCount"
        self.shape.buffer = (item, length)
        self.shape.passed += ["buffer", "(ulong)bytes.Length", "&size"]
        name = names.camel(parameter.name.removeprefix("out_"))
        self.shape.results.append((f"{item}[]", name, "Sized.Cut(bytes, size)", parameter.doc))
        return 3

    def _out_array(self, parameter: Parameter, size: str) -> int:
        item = names.raw_type(parameter.type, self.header).removesuffix("*")
        default = f"default(Slice<{item}>)" if may_be_null(parameter) else None
        name = self._argument(f"Slice<{item}>", parameter, default)
        here = self.parameters.index(parameter)
        is_shared = parameter.name in ("out_statuses", "out_operations") and any(
            p.name == "vertex_capacity" for p in self.parameters[here + 1 :]
        )
        if size.endswith("capacity") and not is_shared:
            self.shape.passed += [self._pin(parameter), f"(ulong){name}.Count"]
            return 2
        self.shape.passed.append(self._pin(parameter, True))
        if not is_shared:
            self._refuse(
                f"{name}.Count != 0 && {name}.Count < {self._count()}",
                parameter,
                f"{name} must hold as many entries as there are points, or be empty.",
            )
        return 1

    def _count(self) -> str:
        """The number of points of a call, as the C# arguments give it."""
        every = [p.name for p in self.parameters]
        if "coordinates" in every:
            return "coordinates.Count"
        if "vertex_capacity" in every:
            return "outVertices.Count"
        count = "count" if "count" in every else "vertex_count"
        for parameter in self.parameters[: every.index(count)]:
            struct = self.header.structs.get(parameter.type.base)
            is_array = parameter.type.pointers == 1 and parameter.type.is_const and parameter.type.base != "char"
            if is_array and not (struct and struct.has_struct_size):
                length = "Length" if parameter.type.base in self.handles else "Count"
                return f"{names.camel(parameter.name)}.{length}"
        raise HeaderError(f"{self.function.name}: an out array has no length")

    def _picture(self, at: int) -> int:
        pixels, _, size, verdicts = self.parameters[at : at + 4]
        kind = names.raw_type(pixels.type, self.header).removesuffix("*")
        name = self._argument(f"Slice<{kind}>", pixels, None)
        self.shape.passed += [self._pin(pixels), "(ulong)rowStrideBytes", f"(ulong){name}.Count * sizeof({kind})"]
        self.shape.arguments.append(_Argument("int", "rowStrideBytes", "0", self.parameters[at + 1].doc))
        self.shape.checks.append('if (rowStrideBytes < 0) throw new ArgumentOutOfRangeException("rowStrideBytes");')
        out = self._argument("Slice<byte>", verdicts, "default(Slice<byte>)")
        self.shape.passed.append(self._pin(verdicts, True))
        outer = {p.name: passed for p, passed in zip(self.parameters, self.shape.passed)}
        ask = PICTURES[self.function.name].format(
            self=self.shape.passed[0], window=outer.get("window"), grid=outer.get("grid")
        )
        self.shape.before_call += [
            f"if ({out}.Count != 0) {{",
            "  int columns, rows;",
            f"  Failure.Check({ask}, &error);",
            f"  if ({out}.Count < (long)columns * rows)",
            f'    throw new ArgumentException("{out} must hold columns * rows entries, or be empty.", "{out}");',
            "}",
        ]
        assert size.name.endswith("size_bytes")
        return 4

    def _out_value(self, parameter: Parameter, raw: str) -> None:
        base, name = parameter.type.base, names.camel(parameter.name)
        kind = raw.removesuffix("*")
        if base == "ald_projection_receipt" and may_be_null(parameter) and not self.with_receipt:
            self.shape.passed.append("null")
            return
        self.shape.passed.append(f"&{name}")
        if base in self.handles:
            self.shape.locals.append(f"{kind} {name};")
            shown = names.type_name(base)
            if self.owner and self.owner.handle == base and parameter.ownership == "owned":
                shown = self.owner.name
            lend = (
                f"{shown}.Own({name}, {self.runtime})"
                if parameter.ownership == "owned"
                else f"{shown}.Wrap({name}, {self.lender})"
            )
            self._result(shown, parameter, lend)
            if base == "ald_projection_receipt" and may_be_null(parameter):
                self.shape.outs.append(self.shape.results.pop())
            return
        struct = self.header.structs.get(base)
        self.shape.locals.append(f"{kind} {name};" if struct is None else f"{kind} {name} = default({kind});")
        if struct is None:
            is_bool = parameter.name in BOOLEANS
            self._result("bool" if is_bool else kind, parameter, f"{name} != 0" if is_bool else name)
            return
        if struct.has_struct_size:
            self.shape.locals.append(f"{name}.StructSize = (uint)sizeof({kind});")
        if names.needs_raw(struct, self.header):
            shown = self.records.type(struct, True)
            self._result(shown, parameter, f"{shown}.Read(&{name}, {self.lender})")
        else:
            self._result(kind, parameter, name)


class Writer:
    def __init__(self, header: Header) -> None:
        self.header = header
        self.records = Records(header)
        self.handles = {handle.name for handle in header.handles}
        self.classes = {
            h.name.removeprefix("ald_"): _Class(h.name.removeprefix("ald_"), h.name, "AlidadeObject")
            for h in header.handles
        }
        for kind in LAYER_KINDS:
            self.classes[kind] = _Class(kind, "ald_layer", "Layer")
        self.free: list[Function] = []
        for function in header.functions.values():
            if not function.is_release:
                owner = self._class_of(function)
                (owner.functions if owner else self.free).append(function)

    def learn(self) -> None:
        """Makes comments say what functions are called in C#."""
        for owner in self.classes.values():
            names.learn({f.name: f"{owner.name}.{self._name(f, owner)}" for f in owner.functions})
        names.learn({f.name: f"Library.{self._name(f, None)}" for f in self.free})

    def _name(self, function: Function, owner: _Class | None) -> str:
        return names.pascal(function.name.removeprefix(f"ald_{owner.kind}_" if owner else "ald_"))

    def render(self) -> str:
        parts = [names.HEAD.rstrip(), "using System;\nusing System.Collections.Generic;", "namespace Alidade {"]
        parts += [self._class(owner) for owner in self.classes.values()]
        lines = names.element("summary", "The functions that need no object.", "")
        lines.append("public static partial class Library {")
        for function in self.free:
            lines += self._function(function, None)
        parts.append("\n".join([*lines, "}"]))
        return "\n\n".join([*parts, "}"]) + "\n"

    def _class_of(self, function: Function) -> _Class | None:
        name = function.name.removeprefix("ald_")
        kinds = [kind for kind in self.classes if name.startswith(kind + "_")]
        if any(function.name.startswith(e + "_") for e in self.header.enumerations):
            return None
        return self.classes[max(kinds, key=len)] if kinds else None

    def _class(self, owner: _Class) -> str:
        name, handle = owner.name, names.handle_name(owner.handle)
        hidden = "new " if owner.base == "Layer" else ""
        lines = names.summary(self.header.structs[owner.handle].doc, "")
        sealed = "" if name == "Layer" else "sealed "
        lines += [f"public {sealed}partial class {name} : {owner.base} {{"]
        if owner.base == "Layer":
            lines.append(f"  internal {name}(ulong id, Runtime runtime, AlidadeObject lender, bool isOwned)")
            lines.append("      : base(id, runtime, lender, isOwned) {}")
        else:
            lines += [
                f"  internal {name}(ulong id, Runtime runtime, AlidadeObject lender, bool isOwned)",
                "      : base(id, runtime, lender, isOwned) {}",
                "",
                *names.element("summary", "The handle for functions and structs of C.", "  "),
                f"  public {handle} Handle {{ get {{ return new {handle}(Id); }} }}",
            ]
            if name != "Runtime":
                lines += [
                    "",
                    *names.element(
                        "summary",
                        "An object for a handle of an event or of a struct of C, which stays "
                        "borrowed; null for the null handle.",
                        "  ",
                    ),
                    f"  public static {name} Borrow(Runtime runtime, {handle} handle) {{",
                    '    if (runtime == null) throw new ArgumentNullException("runtime");',
                    "    return Wrap(handle, runtime);",
                    "  }",
                ]
            release = f"Native.{owner.handle}_release(new {handle}(Id));"
            ending = " Ended();" if name == "Runtime" else ""
            lines += ["", "  /// <summary>Releases what it owns.</summary>"]
            lines += [f"  protected override bool ReleaseHandle() {{ {release}{ending} return true; }}"]
        lines += [
            "",
            f"  internal static {hidden}{name} Own({handle} handle, Runtime runtime) {{",
            f"    return handle.Id == 0 ? null : new {name}(handle.Id, runtime, null, true);",
            "  }",
            f"  internal static {hidden}{name} Wrap({handle} handle, AlidadeObject lender) {{",
            f"    return handle.Id == 0 ? null : new {name}(handle.Id, lender.Runtime, lender, false);",
            "  }",
        ]
        every = {function.name for function in owner.functions}
        for function in owner.functions:
            if function.name in BY_HAND:
                continue
            lines += self._function(function, owner)
            lines += self._list(owner, function, every)
        return "\n".join([*lines, "}"])

    def _function(self, function: Function, owner: _Class | None) -> list[str]:
        if not function.returns_status:
            return self._plain(function)
        has_receipt = any(
            p.type.base == "ald_projection_receipt" and p.is_out and may_be_null(p) for p in function.parameters
        )
        every = [p.name for p in function.parameters]
        has_list = "out_count" in every and any(n in every for n in ("capacity", "max_count")) and "buffer" not in every
        lines = []
        for with_receipt in (False, True) if has_receipt else (True,):
            for fills in (False, True) if has_list else (False,):
                mapped = _Mapper(function, owner, self.header, self.records, with_receipt, fills)
                lines += ["", *self._method(function, owner, mapped)]
        mapped = _Mapper(function, owner, self.header, self.records, True, False)
        kinds = [a.type for a in mapped.shape.arguments if a.default is None]
        if (
            owner
            and not mapped.is_static
            and not (mapped.shape.results or mapped.shape.outs)
            and kinds[-2:] == ["Points", "Points"]
        ):
            lines += self._one_point(function, owner, mapped)
        return lines

    def _plain(self, function: Function) -> list[str]:
        """A function that cannot fail."""
        arguments = ", ".join(
            f"{names.raw_type(p.type, self.header)} {names.camel(p.name)}" for p in function.parameters
        )
        passed = ", ".join(names.camel(p.name) for p in function.parameters)
        call, kind = f"Native.{function.name}({passed})", names.raw_type(function.returns, self.header)
        if kind == "byte*":
            call, kind = f"Utf8.Read({call})", "string"
        lines = ["", *names.summary(function.doc.summary, "  ")]
        name = self._name(function, None)
        return [*lines, f"  public static unsafe {kind} {name}({arguments}) {{ return {call}; }}"]

    def _method(self, function: Function, owner: _Class | None, mapped: _Mapper) -> list[str]:
        shape = mapped.shape
        name = self._name(function, owner)
        result = shape.results[0][0] if shape.results else "void"
        lines = names.summary(function.doc.summary, "  ")
        for argument in shape.arguments:
            lines += names.element(
                f'param name="{argument.name.lstrip("@")}"', argument.doc or "See the summary.", "  "
            )
        for _, out, _, doc in shape.results[1:] + shape.outs:
            lines += names.element(f'param name="{out.lstrip("@")}"', doc or "See the summary.", "  ")
        if shape.results:
            lines += names.element("returns", shape.results[0][3] or "See the summary.", "  ")
        lines += names.element('exception cref="AlidadeException"', names.statuses(function.doc.returns), "  ", True)
        # Parameters without a default come first, as C# wants it; out parameters stand before those with one.
        needed = [a for a in shape.arguments if a.default is None]
        more = [a for a in shape.arguments if a.default is not None]
        arguments = [f"{a.type} {a.name}" for a in needed]
        arguments += [f"out {kind} {out}" for kind, out, _, _ in shape.results[1:] + shape.outs]
        arguments += [f"{a.type} {a.name} = {a.default}" for a in more]
        static = "static " if mapped.is_static else ""
        head = f"  public {static}unsafe {result} {name}("
        whole = f"{head}{', '.join(arguments)}) {{"
        if len(whole) <= names.WIDTH:
            lines.append(whole)
        else:
            lines += [head, *(f"      {a}," for a in arguments[:-1]), f"      {arguments[-1]}) {{"]
        lines += [f"    {line}" for line in self._body(function, mapped)]
        return [*lines, "  }"]

    def _body(self, function: Function, mapped: _Mapper) -> list[str]:
        shape = mapped.shape
        lines = list(shape.checks)
        inner: list[str] = list(shape.locals)
        call = f"Native.{function.name}({', '.join([*shape.passed, '&error'])})"
        inner.append("Error error;")
        inner += shape.before_call
        if shape.requests:
            inner.append(f"var pending = new PendingRequest({mapped.runtime}, requestOptions);")
            inner.append("RawRequestOptions rawRequestOptions = pending.Options;")
            inner.append(f"return pending.Begun({call}, &error, outRequest);")
            return [*lines, *self._held(shape, inner)]
        if shape.buffer is not None:
            item, length = shape.buffer
            inner += [
                f"var bytes = new {item}[{length}];",
                "ulong size = 0;",
                "while (true) {",
                "  Status status;",
                f"  fixed ({item}* buffer = bytes)"
                + (" fixed (ulong* offsets = outByteOffsets)" if "offsets" in shape.passed else ""),
                "  {",
                f"    status = {call};",
                "    if (status != Status.BufferTooSmall || size <= (ulong)bytes.Length) {",
                "      Failure.Check(status, &error);",
                *(f"      {line}" for line in self._results(shape)),
                "    }",
                "  }",
                f"  bytes = new {item}[size];",
                "}",
            ]
        else:
            inner.append(f"Failure.Check({call}, &error);")
            inner += self._results(shape)
        return [*lines, *self._held(shape, inner)]

    def _results(self, shape: _Shape) -> list[str]:
        lines = [f"{out} = {expression};" for _, out, expression, _ in shape.results[1:] + shape.outs]
        if shape.results:
            lines.append(f"return {shape.results[0][2]};")
        return lines

    def _held(self, shape: _Shape, inner: list[str]) -> list[str]:
        if shape.has_scope:
            inner = [
                "var scope = new Scope();",
                "try {",
                *(f"  {line}" for line in inner),
                "} finally {",
                "  scope.Dispose();",
                "}",
            ]
        if not shape.usings:
            return inner
        return [*shape.usings, "{", *(f"  {line}" for line in inner), "}"]

    def _one_point(self, function: Function, owner: _Class, mapped: _Mapper) -> list[str]:
        """The form for one point, which returns its image."""
        kept = [a for a in mapped.shape.arguments if a.default is None and a.type != "Points"]
        if any(a.type.startswith("Slice") for a in kept):
            return []
        name = self._name(function, owner)
        arguments = ", ".join([*(f"{a.type} {a.name}" for a in kept), "Point one"])
        places = [f"new Points((IntPtr)(&{point}), sizeof(Point), 1)" for point in ("one", "image")]
        return [
            "",
            *names.element("summary", f"The form of {name} for one point. It allocates nothing.", "  "),
            f"  public unsafe Point {name}({arguments}) {{",
            "    Point image = default(Point);",
            f"    {name}({', '.join([*(a.name for a in kept), *places])});",
            "    return image;",
            "  }",
        ]

    def _list(self, owner: _Class, function: Function, every: set[str]) -> list[str]:
        """The elements of a list inside an object, for foreach."""
        match = re.fullmatch(rf"ald_{owner.kind}_get_(\w+)_at", function.name)
        inputs = [p for p in function.parameters if not p.is_out and p.name != "error"]
        if match is None or [p.name for p in inputs if p.name not in ("buffer", "capacity_bytes")][1:] != ["index"]:
            return []
        mapped = _Mapper(function, owner, self.header, self.records, True, False)
        if len(mapped.shape.results) != 1:
            return []
        noun = match[1]
        counted = noun.removesuffix("_key").removesuffix("_name")
        if f"ald_{owner.kind}_get_{counted}_count" in every:
            count = f"Get{names.pascal(counted)}Count()"
        else:
            info = self.header.structs[f"ald_{owner.kind}_info"]
            field_name = COUNTS.get(function.name, f"{noun}_count")
            if field_name not in {f.name for f in info.fields}:
                raise HeaderError(f"{function.name}: {info.name} has no {field_name}")
            count = f"GetInfo().{names.pascal(field_name)}"
        kind, plural = mapped.shape.results[0][0], names.pascal(noun) + "s"
        return [
            "",
            *names.element("summary", f"All that Get{names.pascal(noun)}At gives, one after the other.", "  "),
            f"  public IEnumerable<{kind}> {plural}() {{",
            f"    uint count = (uint){count};",
            f"    for (uint index = 0; index < count; index++) yield return Get{names.pascal(noun)}At(index);",
            "  }",
        ]

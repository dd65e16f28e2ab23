"""Writes the raw interface in C#: enumerations, structs with the layout of C, and the imported functions."""

from __future__ import annotations

import re

import csharp_names as names
from header_model import Enumeration, Field, Header, HeaderError, Struct
from measure import StructLayout

USING = "using System;\nusing System.Runtime.InteropServices;\n"


def enumerations(header: Header) -> str:
    parts = [_enumeration(e) for e in header.enumerations.values()]
    return f"{names.HEAD}using System;\n\nnamespace Alidade {{\n\n" + "\n\n".join(parts) + "\n\n}\n"


def _enumeration(enumeration: Enumeration) -> str:
    width = names.SCALARS[enumeration.storage]
    lines = names.summary(enumeration.doc, "")
    if enumeration.is_flags:
        lines.append("[Flags]")
    lines.append(f"public enum {names.type_name(enumeration.name)} : {width} {{")
    if enumeration.is_flags and all(e.value for e in enumeration.enumerators):
        lines += ["  /// <summary>No bit is set.</summary>", "  None = 0,"]
    for enumerator in enumeration.enumerators:
        lines += names.summary(enumerator.doc or enumerator.name, "  ")
        lines.append(f"  {names.enumerator_name(enumerator.name, enumeration)} = {enumerator.value},")
    return "\n".join([*lines, "}"])


def structs(header: Header) -> str:
    """Handles, and structs with the layout of C. Those without pointers and handles are what programs use as well."""
    parts = [
        names.HEAD + "#pragma warning disable 169, 649, 1591 // Reserved fields; fields that the header leaves alone"
    ]
    parts += [USING.rstrip(), "namespace Alidade {"]
    parts += [_handle(s) if s.is_handle else _struct(s, header) for s in header.structs.values()]
    return "\n\n".join([*parts, "}"]) + "\n"


def _handle(struct: Struct) -> str:
    name = names.handle_name(struct.name)
    return "\n".join(
        [
            *names.element("summary", f"The number by which C knows an object: {struct.name}. It owns nothing.", ""),
            "[StructLayout(LayoutKind.Sequential)]",
            f"public struct {name} : IEquatable<{name}> {{",
            "  public ulong Id;",
            f"  public {name}(ulong id) {{ Id = id; }}",
            f"  public bool Equals({name} other) {{ return Id == other.Id; }}",
            f"  public override bool Equals(object other) {{ return other is {name} && Equals(({name})other); }}",
            "  public override int GetHashCode() { return Id.GetHashCode(); }",
            f"  public static bool operator ==({name} a, {name} b) {{ return a.Id == b.Id; }}",
            f"  public static bool operator !=({name} a, {name} b) {{ return a.Id != b.Id; }}",
            "}",
        ]
    )


def _struct(struct: Struct, header: Header) -> str:
    name = names.raw_name(struct, header)
    lines = names.summary(struct.doc, "")
    lines += ["[StructLayout(LayoutKind.Sequential)]", f"public unsafe partial struct {name} {{"]
    for field in struct.fields:
        doc = (
            "The size of the struct, which the methods of this binding set."
            if field.name == "struct_size"
            else field.doc
        )
        lines += names.summary(doc, "  ")
        lines += _field(field, header)
    return "\n".join([*lines, "}"])


def _field(field: Field, header: Header) -> list[str]:
    kind, name, length = names.raw_type(field.type, header), names.pascal(field.name), field.type.length
    access = "internal" if field.name.startswith("reserved") else "public"
    if length is None:
        return [f"  {access} {kind} {name};"]
    if field.type.base == "char":
        return [
            f"  internal fixed byte {name}Bytes[{length}];",
            *names.summary(field.doc, "  "),
            f"  public string {name} {{ get {{ fixed (byte* at = {name}Bytes) return Utf8.Read(at); }} }}",
        ]
    if access == "internal":
        return [f"  internal fixed {kind} {name}[{length}];"]
    # One field per element: only numbers can be fixed buffers, and a program without unsafe code reads fields.
    elements = ", ".join(f"{name}{index}" for index in range(length))
    return [
        f"  public {kind} {elements};",
        *names.element("summary", f"One of the {length} elements of {field.name}.", "  "),
        f"  public {kind} {name}(int index) {{",
        f'    if (index < 0 || index >= {length}) throw new ArgumentOutOfRangeException("index");',
        f"    fixed ({kind}* first = &{name}0) return first[index];",
        "  }",
    ]


def native(header: Header) -> str:
    lines = [names.HEAD + "#pragma warning disable 1591", USING.rstrip(), ""]
    lines += ["namespace Alidade {", ""]
    lines += names.element(
        "summary",
        "The functions of the C interface under their names of C, for what the classes do not "
        "offer. A wrong pointer here ends the process; the classes never pass one.",
        "",
    )
    lines += ["public static unsafe partial class Native {"]
    for name, text in header.macros.items():
        if re.fullmatch(r"\d+|UINT32_MAX", text):
            lines.append(f"  public const uint {name} = {text.replace('UINT32_MAX', '0xFFFFFFFF')};")
        elif name != "ALD_API" and "_INIT" not in name:
            raise HeaderError(f"no C# form for the macro {name}: {text}")
    for function in header.functions.values():
        parameters = []
        for parameter in function.parameters:
            name = names.camel(parameter.name)
            parameters.append(f"{names.raw_type(parameter.type, header)} {name}")
        head = f"  public static extern {names.raw_type(function.returns, header)} {function.name}("
        lines += ["", *names.summary(function.doc.summary, "  ")]
        lines += ["  [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]"]
        whole = f"{head}{', '.join(parameters)});"
        lines += (
            [whole]
            if len(whole) <= names.WIDTH
            else [head, *(f"      {p}," for p in parameters[:-1]), f"      {parameters[-1]});"]
        )
    return "\n".join([*lines, "}", "", "}"]) + "\n"


def layouts(header: Header, measured: list[StructLayout]) -> str:
    """The test of layouts: what the C compiler says of every struct, next to what the runtime of C# makes of it."""
    lines = [
        f"{names.HEAD}using Alidade;\n\nstatic unsafe class LayoutTable {{",
        "  public static void Check(LayoutTest test) {",
    ]
    for layout in measured:
        struct = header.structs[layout.name]
        name = names.raw_name(struct, header)
        lines += ["    {", f"      var s = default({name});", "      byte* at = (byte*)&s;"]
        lines.append(f'      test.Size("{name}", typeof({name}), sizeof({name}), {layout.size});')
        for field, place in zip(struct.fields, layout.fields):
            member, length = names.pascal(field.name), field.type.length
            if field.name.startswith("reserved") or (length is not None and field.type.base == "char"):
                hidden = f"{member}Bytes" if field.type.base == "char" else member
                lines.append(f'      test.Hidden(typeof({name}), "{hidden}", {place.offset});')
                continue
            # The first and the last element of an array.
            for index in ("",) if length is None else (0, length - 1):
                size = place.size // (length or 1)
                offset, at = place.offset + size * (index or 0), f"&s.{member}{index}"
                lines.append(
                    f'      test.Field("{name}.{member}{index}", (byte*){at} - at, (byte*)({at} + 1) - at, '
                    f"{offset}, {offset + size});"
                )
        lines.append("    }")
    return "\n".join([*lines, "  }", "}"]) + "\n"

"""Writes the structs with pointers and handles as programs in C# use them: with strings, arrays and objects.

A struct that goes in has a method Write, which fills the struct of C for the length of a call. A struct that comes out
has Read, which copies texts and short lists, so that nothing in it depends on the object that gave it. The structs in
VIEWS have long columns: they stay in the library's memory, and reading them checks that their object still exists.
"""

from __future__ import annotations

import csharp_names as names
from header_model import Field, Header, HeaderError, Struct

# How many elements an array has: the field with the number, and what is added to it.
LENGTHS = {
    "ald_policy.drivers": ("driver_count", 0),
    "ald_policy.vsi_prefixes": ("vsi_prefix_count", 0),
    "ald_policy.data_directories": ("data_directory_count", 0),
    "ald_policy.hosts": ("host_count", 0),
    "ald_coordinates.x": ("count", 0),
    "ald_coordinates.y": ("count", 0),
    "ald_coordinates.z": ("count", 0),
    "ald_coordinates.t": ("count", 0),
    "ald_geometry_columns.kinds": ("geometry_count", 0),
    "ald_geometry_columns.geometry_flags": ("geometry_count", 0),
    "ald_geometry_columns.part_offsets": ("geometry_count", 1),
    "ald_geometry_columns.path_offsets": ("part_count", 1),
    "ald_geometry_columns.vertex_offsets": ("path_count", 1),
    "ald_geometry_columns.xy": ("vertex_count", 0),
    "ald_geometry_columns.z": ("vertex_count", 0),
    "ald_geometry_columns.m": ("vertex_count", 0),
    "ald_mesh_columns.positions": ("vertex_count * 3", 0),
    "ald_mesh_columns.normals": ("vertex_count * 3", 0),
    "ald_mesh_columns.texture_coordinates": ("vertex_count * 2", 0),
    "ald_mesh_columns.indices": ("index_count", 0),
    "ald_mesh_columns.vertex_offsets": ("geometry_count", 1),
    "ald_mesh_columns.index_offsets": ("geometry_count", 1),
    "ald_feature_columns.ids": ("feature_count", 0),
    "ald_feature_columns.feature_flags": ("feature_count", 0),
    "ald_attribute_value.integers": ("element_count", 0),
    "ald_attribute_value.reals": ("element_count", 0),
    "ald_attribute_value.texts": ("element_count", 0),
    "ald_attribute_value.bytes": ("element_count", 0),
    "ald_attribute_column.states": ("feature_count", 0),
    "ald_attribute_column.date_times": ("feature_count", 0),
    "ald_attribute_column.offsets": ("feature_count", 1),
    "ald_feature_query.ids": ("id_count", 0),
    "ald_feature_query.field_indexes": ("field_count", 0),
    "ald_graphics_renderer.fields": ("field_count", 0),
    "ald_graphics_renderer.symbols": ("class_count", 0),
    "ald_graphics_renderer.values": ("value_count", 0),
    "ald_graphics_renderer.upper_bounds": ("upper_bound_count", 0),
    "ald_graphic_columns.z_indexes": ("graphic_count", 0),
    "ald_graphic_columns.graphic_flags": ("graphic_count", 0),
    "ald_graphic_columns.symbol_indexes": ("graphic_count", 0),
    "ald_graphic_columns.symbols": ("symbol_count", 0),
    "ald_graphic_columns.attributes": ("attribute_count", 0),
    "ald_band_info.category_names": ("category_count", 0),
    "ald_band_info.colors": ("color_count", 0),
    "ald_identify_options.area": ("area_count", 0),
    "ald_identify_cell.values": ("band_count", 0),
    "ald_attribute.integers": ("element_count", 0),
    "ald_attribute.reals": ("element_count", 0),
    "ald_attribute.texts": ("element_count", 0),
    "ald_attribute.bytes": ("element_count", 0),
    "ald_raster_renderer.ramp": ("ramp_count", 0),
    "ald_overlay_drawing_columns.graphic_ids": ("item_count", 0),
    "ald_overlay_drawing_columns.overlay_indexes": ("item_count", 0),
    "ald_overlay_drawing_columns.symbol_indexes": ("item_count", 0),
    "ald_overlay_drawing_columns.item_flags": ("item_count", 0),
    "ald_overlay_drawing_columns.kinds": ("item_count", 0),
    "ald_overlay_drawing_columns.part_offsets": ("item_count", 1),
    "ald_overlay_drawing_columns.path_offsets": ("part_count", 1),
    "ald_overlay_drawing_columns.vertex_offsets": ("path_count", 1),
    "ald_overlay_drawing_columns.screen_xy": ("vertex_count", 0),
    "ald_overlay_drawing_columns.symbols": ("symbol_count", 0),
    "ald_popup_definition.fields": ("field_count", 0),
    "ald_screen_pixels.rgba": ("sample_count * 4", 0),
    "ald_screen_pixels.verdicts": ("sample_count", 0),
    "ald_snap_options.layers": ("layer_count", 0),
    "ald_snap_options.overlays": ("overlay_count", 0),
    "ald_match_columns.ids": ("match_count", 0),
    "ald_match_columns.other_ids": ("match_count", 0),
    "ald_match_columns.distances": ("match_count", 0),
    "ald_transformation_list_options.area": ("area_count", 0),
    "ald_grid_directories.directories": ("directory_count", 0),
    "ald_displacement_options.area": ("area_count", 0),
}
# Arrays whose length stands in another struct: the field of the attributes, the count of the coordinates.
LENGTHS_ELSEWHERE = {
    *(f"ald_graphic_attributes.{name}" for name in ("integers", "reals", "texts", "nulls")),
    *(f"ald_projected_coordinates.{name}" for name in "xyz"),
    # As many as the offsets say, or one per feature.
    *(f"ald_attribute_column.{name}" for name in ("integers", "reals", "bytes", "texts")),
}
# Structs whose arrays stay where they are.
VIEWS = (
    "ald_geometry_columns",
    "ald_feature_columns",
    "ald_attribute_column",
    "ald_overlay_drawing_columns",
    "ald_screen_pixels",
    "ald_match_columns",
    "ald_mesh_columns",
)
# Arrays of coordinate pairs.
PAIRS = ("ald_geometry_columns.xy", "ald_overlay_drawing_columns.screen_xy")
# Structs that classes written by hand stand for.
BY_HAND = ("ald_request_options",)


class Records:
    def __init__(self, header: Header) -> None:
        self.header = header
        self.ins: set[str] = set()
        self.outs: set[str] = set()
        for function in header.functions.values():
            for parameter in function.parameters:
                struct = header.structs.get(parameter.type.base)
                if struct and parameter.type.pointers:
                    self._reach(struct, self.outs if parameter.is_out else self.ins)

    def _reach(self, struct: Struct, found: set[str]) -> None:
        if names.needs_raw(struct, self.header):
            found.add(struct.name)
            for field in struct.fields:
                if field.type.base in self.header.structs:
                    self._reach(self.header.structs[field.type.base], found)

    def is_view(self, struct: Struct) -> bool:
        return struct.name in VIEWS

    def type(self, struct: Struct, is_out: bool) -> str:
        """The type that programs use for a struct."""
        name = names.struct_name(struct)
        return f"{name}View" if is_out and struct.name in VIEWS and struct.name in self.ins else name

    def render(self) -> str:
        silent = "#pragma warning disable 1591 // Fields that the header does not explain"
        parts = [names.HEAD + silent, "using System;", "namespace Alidade {"]
        kinds: dict[str, str] = {}
        for struct in self.header.structs.values():
            if not names.needs_raw(struct, self.header) or struct.name in BY_HAND:
                continue
            if struct.name in self.outs and self.is_view(struct):
                parts.append(self._view(struct, kinds))
            if struct.name in self.ins or not self.is_view(struct):
                parts.append(self._record(struct))
        parts += [_column(name, kind) for name, kind in sorted(kinds.items())]
        return "\n\n".join([*parts, "}"]) + "\n"

    # Structs that are copied

    def _record(self, struct: Struct) -> str:
        lines = names.summary(struct.doc, "")
        lines += [f"public unsafe partial struct {names.struct_name(struct)} {{"]
        is_in, is_out = struct.name in self.ins, struct.name in self.outs
        counts = {LENGTHS[key][0] for key in self._keys(struct) if key in LENGTHS} if is_in else set()
        write, read = [], []
        for field in struct.fields:
            name = names.pascal(field.name)
            if field.name == "struct_size":
                write.append(f"raw->StructSize = (uint)sizeof({names.raw_name(struct, self.header)});")
                continue
            if field.name.startswith("reserved") or field.name in counts:
                continue
            if is_in and struct.name == "ald_geometry_columns" and field.name == "xy_stride_bytes":
                write.append("raw->XyStrideBytes = (uint)Xy.StrideBytes;")
                continue
            kind, to_raw, from_raw = self._field(struct, field, is_in)
            lines += names.summary(field.doc, "  ")
            lines.append(f"  public {kind} {name};")
            write.append(to_raw)
            read.append(f"{name} = {from_raw},")
        if is_in:
            raw = names.raw_name(struct, self.header)
            write += [self._count(struct, count) for count in sorted(counts)]
            lines += ["", f"  internal void Write(ref Scope scope, {raw}* raw) {{", f"    *raw = default({raw});"]
            lines += [f"    {line}" for line in write] + ["  }"]
        if is_out:
            raw = names.raw_name(struct, self.header)
            lines += ["", f"  internal static {names.struct_name(struct)} Read({raw}* raw, AlidadeObject from) {{"]
            lines += [f"    return new {names.struct_name(struct)} {{"]
            lines += [f"      {line}" for line in read] + ["    };", "  }"]
        return "\n".join([*lines, "}"])

    def _keys(self, struct: Struct) -> list[str]:
        return [f"{struct.name}.{field.name}" for field in struct.fields]

    def _field(self, struct: Struct, field: Field, is_in: bool) -> tuple[str, str, str]:
        """The type in C#, the statement that writes the struct of C, and the expression that reads it."""
        ctype, name, header = field.type, names.pascal(field.name), self.header
        key = f"{struct.name}.{field.name}"
        raw, at = names.raw_type(ctype, header), f"raw->{name}"
        nested = header.structs.get(ctype.base)
        if ctype.length is not None:
            if ctype.base == "char":
                return "string", "", f"raw->{name}"
            getter = ", ".join(f"raw->{name}{index}" for index in range(ctype.length))
            write = f'Scope.Require({name}, {ctype.length}, "{name}");'
            write += f" if ({name} != null) {{ "
            write += " ".join(f"raw->{name}{index} = {name}[{index}];" for index in range(ctype.length))
            return f"{raw}[]", write + " }", f"new[] {{ {getter} }}"
        if nested is not None and nested.is_handle and ctype.pointers == 0:
            kind = names.type_name(ctype.base)
            return kind, f"{at} = new {raw}(scope.Id({name}));", f"{kind}.Wrap({at}, from)"
        if ctype.pointers == 0:
            if nested is not None and names.needs_raw(nested, header):
                return (
                    self.type(nested, False),
                    f"{name}.Write(ref scope, &raw->{name});",
                    f"{names.struct_name(nested)}.Read(&raw->{name}, from)",
                )
            return raw, f"{at} = {name};", at
        if names.is_address(ctype):
            return "IntPtr", f"{at} = {name};", at
        if ctype.base == "char":
            if ctype.pointers == 1:
                return "string", f'{at} = scope.Text({name}, "{name}");', f"Utf8.Read({at})"
            return (
                "string[]",
                f'{at} = scope.Texts({name}, "{name}");',
                f"Utf8.ReadAll({at}, {self._length(struct, field)})",
            )
        if key not in LENGTHS and key not in LENGTHS_ELSEWHERE:
            if nested is not None and names.needs_raw(nested, header):
                # A single struct, which may be left out.
                inner = names.raw_name(nested, header)
                write = (
                    f"if ({name}.HasValue) {{ {at} = ({inner}*)scope.Allocate(1, sizeof({inner})); "
                    f"{name}.Value.Write(ref scope, {at}); }}"
                )
                return f"{names.struct_name(nested)}?", write, ""
            raise HeaderError(f"{key}: nothing says how long the array is (LENGTHS)")
        if nested is not None and nested.is_handle:
            kind = names.type_name(ctype.base)
            return f"{kind}[]", f'{at} = ({raw})scope.Ids({name}, "{name}");', ""
        if nested is not None and names.needs_raw(nested, header):
            inner = names.raw_name(nested, header)
            write = (
                f"if ({name} != null) {{ {at} = ({inner}*)scope.Allocate({name}.Length, sizeof({inner})); "
                f"for (int index = 0; index < {name}.Length; index++) {name}[index].Write(ref scope, {at} + index); }}"
            )
            return f"{names.struct_name(nested)}[]", write, ""
        item = raw.removesuffix("*")
        if ctype.base in header.enumerations:
            raise HeaderError(f"{key}: an array of enumerations, which not every runtime pins")
        if is_in:
            kind = "Points" if key in PAIRS else f"Slice<{item}>"
            read = "" if key in LENGTHS_ELSEWHERE else f"SizeOf<{item}>.Read({at}, {self._length(struct, field)})"
            return kind, f"{at} = ({raw})scope.Array({name});", read
        return f"{item}[]", "", f"SizeOf<{item}>.Read({at}, {self._length(struct, field)})"

    def _length(self, struct: Struct, field: Field) -> str:
        key = f"{struct.name}.{field.name}"
        if key in LENGTHS_ELSEWHERE:
            return "0"
        count, more = LENGTHS[key]
        head, _, factor = count.partition(" ")
        return f"(ulong)raw->{names.pascal(head)}" + (f" {factor}" if factor else "") + (f" + {more}" if more else "")

    def _count(self, struct: Struct, count: str) -> str:
        """Sets a field with a number from the arrays that have this number of elements."""
        lengths = []
        for field in struct.fields:
            key = f"{struct.name}.{field.name}"
            if LENGTHS.get(key, ("", 0))[0] == count:
                name, more = names.pascal(field.name), LENGTHS[key][1]
                # A column with a stride has fewer rows than numbers.
                strides = {f.name for f in struct.fields} & {"stride_bytes", f"{field.name}_stride_bytes"}
                if more:
                    lengths.append(f"Scope.LengthOfOffsets({name})")
                elif strides and key not in PAIRS:
                    lengths.append(f"Scope.LengthOf({name}, {names.pascal(strides.pop())})")
                else:
                    lengths.append(f"Scope.LengthOf({name})")
        if (struct.name, count) == ("ald_graphic_columns", "graphic_count"):
            lengths.append("GraphicAttributes.SharedLength(Attributes)")
        kind = names.raw_type(next(f.type for f in struct.fields if f.name == count), self.header)
        return f'raw->{names.pascal(count)} = ({kind})Scope.Length("{names.pascal(count)}", {", ".join(lengths)});'

    # Structs whose arrays stay where they are

    def _view(self, struct: Struct, kinds: dict[str, str]) -> str:
        raw, name = names.raw_name(struct, self.header), self.type(struct, True)
        lines = names.summary(struct.doc, "")
        lines += [
            f"public unsafe partial struct {name} {{",
            f"  readonly {raw} raw;",
            "  readonly AlidadeObject owner;",
            "",
        ]
        lines += [f"  internal static {name} Read({raw}* raw, AlidadeObject from) {{ return new {name}(raw, from); }}"]
        lines += [f"  {name}({raw}* raw, AlidadeObject from) {{ this.raw = *raw; owner = from; }}"]
        strides = {f.name for f in struct.fields if f.name.endswith("_stride_bytes")}
        for field in struct.fields:
            member = names.pascal(field.name)
            if field.name == "struct_size" or field.name.startswith("reserved") or field.name in strides:
                continue
            kind = names.raw_type(field.type, self.header)
            lines += ["", *names.summary(field.doc or f"The field {field.name}.", "  ")]
            if field.type.pointers == 0:
                lines.append(f"  public {kind} {member} {{ get {{ return raw.{member}; }} }}")
                continue
            key, item = f"{struct.name}.{field.name}", kind.removesuffix("*")
            if key in PAIRS:
                item, column = "Point", "PointColumn"
            elif field.type.base == "char":
                item, column = "byte*", "TextColumn"
            else:
                column = f"{_title(item)}Column"
            kinds[column] = item
            if key in LENGTHS_ELSEWHERE:
                length = "(raw.Offsets == null ? raw.FeatureCount : (ulong)raw.Offsets[raw.FeatureCount])"
            else:
                count, more = LENGTHS[key]
                head, _, factor = count.partition(" ")
                length = (
                    f"(ulong)raw.{names.pascal(head)}{f' {factor}' if factor else ''}{f' + {more}' if more else ''}"
                )
            stride = f"(int)raw.{member}StrideBytes" if f"{field.name}_stride_bytes" in strides else f"sizeof({item})"
            lines.append(f"  public {column} {member} {{")
            lines.append(f"    get {{ return new {column}(owner, raw.{member}, {length}, {stride}); }}")
            lines.append("  }")
        return "\n".join([*lines, "}"])


def _title(item: str) -> str:
    return {
        "byte": "Byte",
        "int": "Int32",
        "uint": "UInt32",
        "long": "Int64",
        "ulong": "UInt64",
        "double": "Double",
    }.get(item, item)


def _column(name: str, item: str) -> str:
    """A column of elements of one type. Generic code cannot read through a pointer before C# 7.3."""
    shown = "string" if item == "byte*" else item
    value = f"*({item}*)(first + (long)index * strideBytes)"
    value = f"Utf8.Read({value})" if item == "byte*" else value
    return f"""\
/// <summary>A column in the memory of the library. Reading throws ObjectDisposedException after its object has
/// gone.</summary>
public unsafe struct {name} {{
  readonly AlidadeObject owner;
  readonly byte* first;
  readonly int strideBytes;

  internal {name}(AlidadeObject owner, void* first, ulong count, int strideBytes) {{
    this.owner = owner;
    this.first = (byte*)first;
    this.strideBytes = strideBytes;
    Count = first == null ? 0 : (int)count;
  }}

  /// <summary>How many elements there are; 0 if the column is absent.</summary>
  public readonly int Count;

  /// <summary>Whether the column is absent.</summary>
  public bool IsNull {{ get {{ return first == null; }} }}

  /// <summary>Where the column begins, for code that reads the memory itself while it keeps the object.</summary>
  public IntPtr Address {{ get {{ return (IntPtr)first; }} }}

  /// <summary>The distance from one element to the next.</summary>
  public int StrideBytes {{ get {{ return strideBytes; }} }}

  /// <summary>An element.</summary>
  public {shown} this[int index] {{
    get {{
      if ((uint)index >= (uint)Count) throw new ArgumentOutOfRangeException("index");
      using (Column.Reading(owner)) return {value};
    }}
  }}

  /// <summary>A copy of all elements.</summary>
  public {shown}[] ToArray() {{
    var copy = new {shown}[Count];
    if (Count == 0) return copy;
    using (Column.Reading(owner))
      for (int index = 0; index < copy.Length; index++) copy[index] = {value};
    return copy;
  }}
}}"""

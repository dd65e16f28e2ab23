"""Writes the interface as JSON, for those who make bindings: alidade.json in the SDK."""

from __future__ import annotations

import json
import re
from typing import Any

import measure
from header_model import PROCESS_WIDE_STATUSES, CType, Field, Header, Parameter


def render(header: Header) -> str:
    """The whole interface, in the order of declaration."""
    layouts = {layout.name: layout for layout in measure.structs(header)}
    version = ".".join(header.macros[f"ALD_VERSION_{part}"] for part in ("MAJOR", "MINOR", "PATCH"))
    return json.dumps(
        {
            "version": version,
            "constants": {
                name: 2**32 - 1 if text == "UINT32_MAX" else int(text)
                for name, text in header.macros.items()
                if re.fullmatch(r"\d+|UINT32_MAX", text)
            },
            "statuses_of_every_function": list(PROCESS_WIDE_STATUSES),
            "enums": [
                {
                    "name": enumeration.name,
                    "type": enumeration.storage,
                    "is_flags": enumeration.is_flags,
                    "doc": enumeration.doc,
                    "enumerators": [{"name": e.name, "value": e.value, "doc": e.doc} for e in enumeration.enumerators],
                }
                for enumeration in header.enumerations.values()
            ],
            "handles": [
                {"name": handle.name, "release": f"{handle.name}_release", "doc": handle.doc}
                for handle in header.handles
            ],
            "structs": [
                {
                    "name": struct.name,
                    "size": layouts[struct.name].size,
                    "alignment": layouts[struct.name].alignment,
                    "has_struct_size": struct.has_struct_size,
                    "init_macro": header.init_macros.get(struct.name),
                    "doc": struct.doc,
                    "fields": [
                        {**_item(field), "offset": layout.offset, "size": layout.size}
                        for field, layout in zip(struct.fields, layouts[struct.name].fields)
                    ],
                }
                for struct in header.structs.values()
                if not struct.is_handle
            ],
            "callbacks": [
                {"name": c.name, "parameters": [_type(p) for p in c.parameters], "doc": c.doc}
                for c in header.callbacks.values()
            ],
            "functions": [
                {
                    "name": function.name,
                    "returns": _type(function.returns),
                    "statuses": list(function.statuses),
                    "doc": function.doc.summary,
                    "parameters": [_parameter(parameter, header) for parameter in function.parameters],
                }
                for function in header.functions.values()
            ],
        },
        indent=1,
        ensure_ascii=False,
    )


def _parameter(parameter: Parameter, header: Header) -> dict[str, Any]:
    fields = _item(parameter)
    fields["direction"] = "out" if parameter.is_out else "in"
    if parameter.is_out and parameter.type.base in {handle.name for handle in header.handles}:
        fields["ownership"] = parameter.ownership
    return fields


def _item(item: Parameter | Field) -> dict[str, Any]:
    fields = {"name": item.name, **_type(item.type), "doc": item.doc}
    if item.unit:
        fields["unit"] = item.unit
    return fields


def _type(ctype: CType) -> dict[str, Any]:
    """As C spells it, and in parts: the name, how many pointers lead to it, whether what they lead to is const."""
    parts: dict[str, Any] = {"type": ctype.spelling, "base": ctype.base, "pointers": ctype.pointers}
    if ctype.pointers:
        parts["const"] = ctype.is_const
    if ctype.length is not None:
        parts["length"] = ctype.length
    return parts

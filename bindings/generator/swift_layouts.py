"""Writes the layouts that the C compiler measured, for the Swift test that compares them with MemoryLayout."""

from __future__ import annotations

import measure


def render(measured: list[measure.StructLayout]) -> str:
    """A Swift file with the numbers from C and, next to each, what Swift says of the same.

    Each struct is a function of its own: the compiler took minutes to optimise one literal of them all.
    """
    lines = [
        "import CAlidade",
        "",
        "/// Every struct of the interface: as the C compiler measured it, and as Swift lays it out.",
        "let structLayouts: [StructLayout] = [",
        *[f"  {struct.name}.measuredLayout," for struct in measured],
        "]",
    ]
    for struct in measured:
        fields = [f'("{field.name}", {field.offset}, \\.{field.name})' for field in struct.fields]
        # The form that swift-format gives: a comma after the last of several.
        comma = "," if len(fields) > 1 else ""
        lines += [
            "",
            f"extension {struct.name} {{",
            "  fileprivate static var measuredLayout: StructLayout {",
            "    StructLayout(",
            f'      of: Self.self, named: "{struct.name}",',
            f"      inC: Extent(size: {struct.size}, alignment: {struct.alignment}),",
            "      fieldsInC: [",
            *[f"        {field}," for field in fields[:-1]],
            f"        {fields[-1]}{comma}",
            "      ])",
            "  }",
            "}",
        ]
    return "\n".join(lines)

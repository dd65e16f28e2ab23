"""Measures the structs of the interface with the C compiler."""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from header_model import INCLUDE, Header


@dataclass(frozen=True)
class FieldLayout:
    name: str
    offset: int
    size: int


@dataclass(frozen=True)
class StructLayout:
    """All in bytes."""

    name: str
    size: int
    alignment: int
    fields: tuple[FieldLayout, ...]


def structs(header: Header, include: Path = INCLUDE) -> list[StructLayout]:
    """The layout of every struct, in the order of declaration; `include` is the folder of the header."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "measure.c"
        program = Path(folder) / "measure"
        source.write_text(_source(header))
        command = ["cc", "-std=c11", f"-I{include}", "-o", str(program), str(source)]
        subprocess.run(command, check=True, timeout=60)
        output = subprocess.run([str(program)], check=True, capture_output=True, text=True, timeout=60).stdout
    return _layouts(output)


def _source(header: Header) -> str:
    """A program that prints "struct NAME SIZE ALIGNMENT" and "field NAME OFFSET SIZE"."""
    lines = ["#include <stdio.h>", '#include "alidade.h"', "int main(void) {"]
    for struct in header.structs.values():
        name = struct.name
        lines.append(f'  printf("struct {name} %zu %zu\\n", sizeof({name}), _Alignof({name}));')
        for item in struct.fields:
            place = f"offsetof({name}, {item.name}), sizeof((({name} *)0)->{item.name})"
            lines.append(f'  printf("field {item.name} %zu %zu\\n", {place});')
    return "\n".join([*lines, "  return 0;", "}", ""])


def _layouts(output: str) -> list[StructLayout]:
    layouts: list[StructLayout] = []
    for line in output.splitlines():
        kind, name, first, second = line.split()
        if kind == "struct":
            layouts.append(StructLayout(name, int(first), int(second), ()))
        else:
            struct = layouts.pop()
            fields = (*struct.fields, FieldLayout(name, int(first), int(second)))
            layouts.append(StructLayout(struct.name, struct.size, struct.alignment, fields))
    return layouts

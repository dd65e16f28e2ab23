"""Runs clang on a C header and hands out its top-level declarations.

clang prints its syntax tree as JSON. To keep that small it names a file or a line only where it differs from the one
printed before; `declarations` fills the gaps, so that every location of the tree names its file.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Iterator

Node = dict[str, Any]


def declarations(header: Path, include_directory: Path) -> Iterator[tuple[Path, Node]]:
    """The top-level declarations of `header`, each with its file, for all files that lie in `include_directory`."""
    command = ["clang", "-x", "c", "-std=c11", "-Xclang", "-ast-dump=json", "-fsyntax-only", str(header)]
    dump = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    tree = json.loads(dump)
    _fill_locations(tree)
    root = include_directory.resolve()
    for node in tree["inner"]:
        file = begin(node).get("file")
        if file is not None and Path(file).resolve().is_relative_to(root):
            yield Path(file).resolve(), node


def begin(node: Node) -> Node:
    """Where a declaration begins in its file; if it begins with a macro, where the macro stands."""
    location = node["range"]["begin"]
    return location.get("expansionLoc", location)


def macro_definitions(header: Path) -> dict[str, str]:
    """The macros that are defined after `header` has been read, each with its text, white space made single."""
    command = ["clang", "-x", "c", "-std=c11", "-dM", "-E", str(header)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    macros = {}
    for line in text.splitlines():
        _, name, *body = line.split(None, 2)
        macros[name] = " ".join(" ".join(body).split())
    return macros


def _fill_locations(tree: Node) -> None:
    """Gives every location its file. The order of the walk is the order of printing, which is what clang refers to."""
    last_file: str | None = None
    pending: list[Any] = [tree]
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            pending.extend(reversed(value))
        elif isinstance(value, dict):
            if "offset" in value:
                last_file = value.setdefault("file", last_file)
            pending.extend(reversed(value.values()))

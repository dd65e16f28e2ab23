"""The reference of Swift: a page for each folder of the public modules, from the compiler's symbol graphs.

The modules are read as bindings/c/build-sdk has built them. Comments are Markdown, and so are these pages.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from header_model import REPOSITORY

MODULES = ("AlidadeBase", "AlidadeCoordinates", "AlidadeGeometry", "AlidadeData", "AlidadeMap")
SOURCES = REPOSITORY / "Sources"
INTRO = """\
A Swift program can use the modules below the C interface directly: `import AlidadeMap` and the modules that it is built
on. They are the same engine. In a package, depend on this repository and its product `AlidadeMap`.

"""
TYPES = ("class", "struct", "enum", "protocol", "typealias", "actor")


@dataclass
class Symbol:
    kind: str
    path: tuple[str, ...]
    declaration: str
    doc: str
    # The source file, relative to Sources.
    file: Path
    line: int
    children: list[Symbol] = field(default_factory=list)

    @property
    def name(self) -> str:
        return ".".join(self.path)


def extract(build: Path) -> list[dict[str, Any]]:
    """The symbols of the public modules, read from the folder of a configuration in a SwiftPM build."""
    told = subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True, text=True).stdout
    toolchain = json.loads(told)
    options = ["-target", toolchain["target"]["unversionedTriple"], "-I", str(build / "Modules")]
    options += ["-resource-dir", toolchain["paths"]["runtimeResourcePath"]]
    for folder in sorted(SOURCES.glob("C*")):
        options += ["-I", str(folder), "-I", str(folder / "include")]
        generated = build / f"{folder.name}.build" / "module.modulemap"
        options += ["-Xcc", f"-fmodule-map-file={generated}"] if generated.exists() else []
    flags = subprocess.run(
        ["pkg-config", "--cflags", "gdal"], check=True, capture_output=True, text=True
    ).stdout.split()
    options += [part for flag in flags for part in ("-Xcc", flag)]
    options += ["-minimum-access-level", "public", "-skip-synthesized-members"]
    symbols: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for module in MODULES:
            command = ["swift", "symbolgraph-extract", "-module-name", module, *options, "-output-dir", folder]
            subprocess.run(command, check=True)
        for path in sorted(Path(folder).glob("*.symbols.json")):
            symbols += json.loads(path.read_text(encoding="utf-8"))["symbols"]
    return symbols


class Reference:
    def __init__(self, symbols: list[dict[str, Any]]) -> None:
        self.symbols = sorted((_symbol(s) for s in symbols if "location" in s), key=lambda s: (s.file, s.line))
        self.missing = [s for s in self.symbols if not s.doc]
        known = {s.path: s for s in reversed(self.symbols) if s.kind in TYPES}
        self.top: list[Symbol] = []
        for symbol in self.symbols:
            owner = known.get(symbol.path[:-1])
            # A member stands with its type; a member of a type of another module stands for itself.
            (owner.children if owner is not None else self.top).append(symbol)

    def pages(self) -> dict[str, str]:
        folders: dict[tuple[str, str], list[Symbol]] = {}
        for symbol in self.top:
            parts = symbol.file.parts
            folders.setdefault((parts[0], parts[1] if len(parts) > 2 else ""), []).append(symbol)
        texts, index = {}, [f"# Swift reference\n\n{INTRO}"]
        order = sorted(folders, key=lambda key: (-MODULES.index(key[0]), key[1]))
        for module, folder in order:
            stem = f"{module}-{folder}" if folder else module
            title = f"{module}: {_words(folder)}" if folder else module
            body = "\n\n".join(_entry(symbol, 3) for symbol in folders[module, folder])
            texts[f"swift/{stem}"] = f"# {title}\n\n`import {module}`\n\n{body}\n"
            names = [f"`{s.name}`" for s in folders[module, folder] if s.kind in TYPES]
            index.append(f"[{title}]({stem}.md)\n: {', '.join(names) or 'Functions.'}\n")
        entries = "\n".join(f"{module}-{folder}" if folder else module for module, folder in order)
        texts["swift/index"] = "\n".join(index) + f"\n```{{toctree}}\n:hidden:\n{entries}\n```\n"
        return texts


def _words(folder: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", folder)


def _symbol(symbol: dict[str, Any]) -> Symbol:
    declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
    doc = "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
    file = Path(symbol["location"]["uri"].removeprefix("file://"))
    # The build may have run in another checkout: what counts is the path below Sources.
    relative = Path(*file.parts[file.parts.index("Sources") + 1 :])
    kind = symbol["kind"]["identifier"].removeprefix("swift.")
    line = symbol["location"]["position"]["line"]
    return Symbol(kind, tuple(symbol["pathComponents"]), " ".join(declaration.split()), doc, relative, line)


def _entry(symbol: Symbol, depth: int) -> str:
    """An entry as a directive of MyST; those inside have shorter fences."""
    body = [_markdown(symbol.doc)] if symbol.doc else []
    body += [_entry(child, depth) for child in symbol.children]
    inner = max((len(fence) for text in body for fence in re.findall(r"(?m)^\s*([:`]{3,})", text)), default=depth - 1)
    fence = ":" * max(depth, inner + 1)
    head = f"{fence}{{swift:symbol}} {symbol.declaration}\n:name: {symbol.name}\n:kind: {symbol.kind}\n"
    return head + ("\n" + "\n\n".join(body) + "\n" if body else "") + fence


def _markdown(doc: str) -> str:
    """A comment of Swift as MyST: its fields become items with a label, and nothing is markup of MyST."""
    doc = re.sub(r"(?m)^- (Parameters?|Returns|Throws|Note|Precondition|Complexity)(?: (\w+))?:", _label, doc)
    doc = re.sub(r"``([\w.()/:]+)``", r"`\1`", doc)
    return re.sub(r"(?m)^(\s*)(#+ )", r"\1\\\2", doc)


def _label(match: re.Match[str]) -> str:
    return f"- **{match[1]}**" + (f" `{match[2]}`:" if match[2] else ":")

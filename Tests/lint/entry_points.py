#!/usr/bin/env python3
"""Counts the entry points of AlidadeABI that branch, and finds those that loop: logic belongs into the engine or into the
helpers of Boundary.

`--list N` prints the N entry points that branch most. Prints each finding and, last, "N passed, N failed".
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from swift_code import strip  # noqa: E402

# More entry points may not branch. A guard that only refuses NULL is not counted.
MOST_BRANCHING = 18

_ENTRY = re.compile(r"@implementation\s+public func (ald_\w+)")
_LOOP = re.compile(r"\b(?:for|while|repeat)\b(?!\s*:)")
_BRANCH = re.compile(r"\b(?:if|guard|switch)\b(?!\s*:)")
_REFUSES_NULL = re.compile(r"\bguard (?:let \w+|\w+ != nil) else \{ throw (?:AlidadeABI\.)?missing")


@dataclass(frozen=True)
class EntryPoint:
    path: Path
    line: int
    name: str
    branches: int
    loops: int


def _closing(text: str, opening: int) -> int:
    """Where the bracket at `opening` is closed."""
    depth = 0
    for at in range(opening, len(text)):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return len(text)


def entry_points(folder: Path) -> Iterator[EntryPoint]:
    for path in sorted(folder.rglob("*.swift")):
        code = strip(path.read_text(encoding="utf-8"))
        for match in _ENTRY.finditer(code.text):
            parameters = _closing(code.text, code.text.index("(", match.end()))
            start = code.text.index("{", parameters)
            body = code.text[start : _closing(code.text, start)]
            branches = len(_BRANCH.findall(body)) - len(_REFUSES_NULL.findall(body))
            line = code.line_of(match.start(1))
            yield EntryPoint(path, line, match[1], branches, len(_LOOP.findall(body)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = Path(__file__).resolve().parents[2]
    parser.add_argument("--root", type=Path, default=here, help="the checkout to look at")
    parser.add_argument("--list", type=int, default=0, metavar="N", help="print the entry points that branch most")
    options = parser.parse_args()
    found = list(entry_points(options.root / "Sources" / "AlidadeABI"))
    for entry in sorted(found, key=lambda entry: -entry.branches)[: options.list]:
        print(f"{entry.branches:3} {entry.name}")
    looping = [entry for entry in found if entry.loops]
    for entry in looping:
        print(f"{entry.path.relative_to(options.root)}:{entry.line}: {entry.name} loops; use a helper of Boundary")
    branching = sum(entry.branches > 0 for entry in found)
    print(f"{len(found)} entry points: {branching} branch, {len(looping)} loop")
    failures = [bool(looping), branching > MOST_BRANCHING]
    if failures[1]:
        print(f"{branching} entry points branch; {MOST_BRANCHING} may")
    print(f"{failures.count(False)} passed, {failures.count(True)} failed")
    return 1 if any(failures) else 0


if __name__ == "__main__":
    sys.exit(main())

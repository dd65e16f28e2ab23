"""Tests of the count of entry points that branch or loop."""

from __future__ import annotations

from pathlib import Path

import entry_points
import pytest

START = '@_cdecl("ald_map_pin") @implementation\npublic func ald_map_pin(_ map: ald_map, _ a: () -> Int) -> ald_status {\n'


def counted(root: Path, line: str) -> tuple[int, int]:
    """The branches and loops of an entry point with that line; the helper after it has some, too."""
    helper = "func helper() { for a in b { if c { d() } } }\n"
    (root / "MapABI.swift").write_text(f"{START}  {line}\n}}\n{helper}")
    (found,) = entry_points.entry_points(root)
    assert (found.name, found.line) == ("ald_map_pin", 2)
    return found.branches, found.loops


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("enter(error) { try resolve(map, 1).pin() }", (0, 0)),
        ('guard let out else { throw missing("out", 2) }', (0, 0)),
        ('guard out != nil else { throw missing("out", 2) }', (0, 0)),
        ("guard let out else { return }", (1, 0)),
        ("if a { b() } else if c { d() }", (2, 0)),
        ("switch a { default: b() }", (1, 0)),
        ("for a in b where c { d() }", (0, 1)),
        ("while a { b() }", (0, 1)),
        ("find(for: a, while: b, if: c)  // if for while", (0, 0)),
        ('let a = "if for while"', (0, 0)),
    ],
)
def test_branches_and_loops_are_counted(tmp_path: Path, line: str, expected: tuple[int, int]) -> None:
    assert counted(tmp_path, line) == expected

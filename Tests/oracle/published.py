"""Coordinates that others have published, from Tests/data/coordinates."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "data" / "coordinates"


@dataclass(frozen=True)
class Conversion:
    """A point on a datum and its position on a map of the same datum. Angles are in degrees."""

    name: str
    source: str
    target: str
    point: tuple[float, float]
    expected: tuple[float, float]
    # In the unit of the map's coordinates; in metres for the rows of GIGS.
    tolerance: float
    reference: str


@dataclass(frozen=True)
class Operation:
    """A point and its image under an operation. `operation` is an authority's code or a PROJ string."""

    name: str
    operation: str
    # x, y and, if they matter, z and t. Angles are in degrees.
    point: tuple[float, ...]
    expected: tuple[float, ...]
    # Of x, y and, if it matters, z, in their own units.
    tolerances: tuple[float, ...]
    reference: str


def number(text: str) -> float:
    """A number, or an angle as it is printed (76d56'37.26W, 1.5R in radians), in degrees."""
    if text.endswith("R"):
        return math.degrees(float(text[:-1]))
    parts = re.fullmatch(r"(\d+)d(?:(\d+)'(\d+(?:\.\d+)?)?)?([NSEW])", text)
    if parts is None:
        return float(text)
    value = int(parts[1]) + int(parts[2] or 0) / 60 + float(parts[3] or 0) / 3600
    return -value if parts[4] in "SW" else value


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def conversions(name: str) -> list[Conversion]:
    return [
        Conversion(
            row["name"],
            row["source"],
            row["target"],
            (number(row["x"]), number(row["y"])),
            (number(row["expected_x"]), number(row["expected_y"])),
            float(row["tolerance"]),
            row["reference"],
        )
        for row in rows(name)
    ]


def operations(name: str) -> list[Operation]:
    def numbers(row: dict[str, str], *columns: str) -> tuple[float, ...]:
        return tuple(number(row[column]) for column in columns if row[column])

    return [
        Operation(
            row["name"],
            row["operation"],
            numbers(row, "x", "y", "z", "t"),
            numbers(row, "expected_x", "expected_y", "expected_z"),
            (float(row["tolerance"]), *numbers(row, "tolerance", "tolerance_z")),
            row["reference"],
        )
        for row in rows(name)
    ]

"""Random pairs of spatial references that PROJ can relate, and what PROJ's own programs say of them."""

from __future__ import annotations

import functools
import math
import random
import re
import subprocess
from dataclasses import dataclass

import pyproj
from pyproj.crs import CRS
from pyproj.exceptions import ProjError

import alidade
from alidade import SpatialReference

# A few of them have a projection that PROJ does not know; 500 and more are left.
PAIR_COUNT = 520
SEED = 20261121
KINDS = ("GEOGRAPHIC_2D_CRS", "GEOGRAPHIC_3D_CRS", "PROJECTED_CRS", "COMPOUND_CRS")
# Spheres and ellipsoids of other bodies lie outside of this; PROJ refuses to relate them to the earth.
EARTH_RADII_M = (6_300_000, 6_400_000)
POINTS_OF_A_PAIR = 4
# Systems with formulas that PROJ does not have: test_projection_published.py holds them against EPSG's.
NOT_AS_PROJ = {"EPSG:4087", "EPSG:31300", "EPSG:9311", "EPSG:3973", "EPSG:3974", "EPSG:3975"}


@functools.cache
def crs_of(code: str) -> CRS:
    return CRS.from_user_input(code)


@functools.cache
def is_of_the_earth(code: str) -> bool:
    return EARTH_RADII_M[0] < crs_of(code).ellipsoid.semi_major_metre < EARTH_RADII_M[1]


@dataclass(frozen=True)
class Box:
    """Degrees."""

    west: float
    south: float
    east: float
    north: float


@dataclass(frozen=True)
class Pair:
    source: str
    target: str
    # Where both are meant to be used.
    common: Box

    def __str__(self) -> str:
        return f"{self.source}-{self.target}"

    @property
    def is_as_proj(self) -> bool:
        return not NOT_AS_PROJ & {self.source, self.target}

    @property
    def can_come_back(self) -> bool:
        """Whether neither side is a map of the world: those fold, or have no way back, far from their middle."""
        return not any(
            crs.is_projected and crs.area_of_use.east - crs.area_of_use.west > 350
            for crs in (crs_of(self.source), crs_of(self.target))
        )

    @property
    def places(self) -> list[tuple[float, float]]:
        """Longitudes and latitudes inside the common area, of the source's datum."""
        chance = random.Random(f"{SEED} {self}")
        box = self.common
        return [
            (chance.uniform(box.west, box.east), chance.uniform(box.south, box.north)) for _ in range(POINTS_OF_A_PAIR)
        ]

    @functools.cached_property
    def points(self) -> list[tuple[float, float]]:
        """The points in the source's coordinates, x east, at digits that every program reads alike."""
        source = horizontal(crs_of(self.source))
        if source.is_geographic:
            unit = math.degrees(source.axis_info[0].unit_conversion_factor)
            points = [(x / unit, y / unit) for x, y in self.places]
        else:
            base = source.geodetic_crs
            # A base in grads or with another prime meridian takes its own numbers.
            to_base = pyproj.Transformer.from_crs(on_greenwich_in_degrees(base), source, always_xy=True)
            points = [to_base.transform(x, y) for x, y in self.places]
        return [(round(x, 6), round(y, 6)) for x, y in points if math.isfinite(x) and math.isfinite(y)]


def on_greenwich_in_degrees(base: CRS) -> CRS:
    """The datum's ellipsoid with longitudes from Greenwich in degrees: near enough to find points by."""
    ellipsoid = base.ellipsoid
    return CRS.from_proj4(f"+proj=longlat +a={ellipsoid.semi_major_metre} +b={ellipsoid.semi_minor_metre}")


def horizontal(crs: CRS) -> CRS:
    """A compound one without its vertical part."""
    if crs.is_bound:
        return horizontal(crs.source_crs)
    return horizontal(crs.sub_crs_list[0]) if crs.is_compound else crs


def pairs(count: int) -> list[Pair]:
    """Pairs whose areas of use meet, and which are of one celestial body."""
    infos = [
        info
        for authority in ("EPSG", "ESRI")
        for kind in KINDS
        for info in pyproj.database.query_crs_info(authority, kind)
        if info.area_of_use is not None
    ]
    chance = random.Random(SEED)
    found: list[Pair] = []
    while len(found) < count:
        one, two = chance.choice(infos), chance.choice(infos)
        codes = [f"{info.auth_name}:{info.code}" for info in (one, two)]
        a, b = one.area_of_use, two.area_of_use
        # Areas across the antimeridian have no box to take the common part of.
        box = Box(max(a.west, b.west), max(a.south, b.south), min(a.east, b.east), min(a.north, b.north))
        if one is two or box.west >= box.east or box.south >= box.north or a.west > a.east or b.west > b.east:
            continue
        if all(is_of_the_earth(code) for code in codes):
            found.append(Pair(*codes, box))
    return found


class Sides:
    """A pair as the library sees it."""

    def __init__(self, runtime: alidade.Runtime, pair: Pair) -> None:
        self.pair = pair
        self.source, self.target = SpatialReference(runtime, pair.source), SpatialReference(runtime, pair.target)
        # Points are horizontal; heights count in lists if both sides have some.
        self.flat = code_of(self.source.horizontal), code_of(self.target.horizontal)
        self.has_heights = self.source.info.vertical is not None and self.target.info.vertical is not None
        self.listed = (pair.source, pair.target) if self.has_heights else self.flat

    @functools.cached_property
    def points(self) -> list[tuple[float, float]] | None:
        """None if PROJ does not know the source's projection."""
        try:
            return self.pair.points
        except ProjError:
            return None


def bound(reference: SpatialReference) -> float:
    """How far a point may be from PROJ's where a fast path computes it, and from what is printed of it, in the unit of a
    system: 2e-7 m, and as much of arc on the earth, 2e-12 degrees."""
    return 2e-7 / reference.info.metres_per_unit


def code_of(reference: SpatialReference) -> str:
    info = reference.info
    return f"{info.authority}:{info.code}" if info.code else reference.to_wkt()


def projinfo(source: str, target: str) -> list[str]:
    """A line per candidate operation: "id, name, accuracy, area[, remarks]"."""
    command = ["projinfo", "-s", source, "-t", target, "--spatial-test", "intersects", "--summary"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    head, _, rest = text.partition("\n")
    count = int(re.fullmatch(r"Candidate operations found: (\d+)", head).group(1))
    # Names of areas may hold line breaks; an operation begins with its id.
    lines = [line for line in rest.splitlines() if re.match(r"(unknown id|[\w()]+:\S+), ", line)]
    assert len(lines) == count, text
    return lines


def is_north_first(crs: CRS) -> bool:
    """Whether the authority gives the northing or latitude first, and PROJ turns that round for us."""
    one, two = crs.axis_info[:2]
    if (one.direction, two.direction) == ("north", "east"):
        return True
    # Around a pole both axes lead to it, or both from it.
    return one.direction == two.direction and one.name.lower().startswith("northing")


def cs2cs(source: str, target: str, points: list[tuple[float, float]]) -> list[tuple[str, str] | None] | None:
    """What cs2cs prints for points, x first; None for a point that it cannot project, and if it has no operation."""
    turned = is_north_first(crs_of(source))
    text = "".join(f"{y!r} {x!r}\n" if turned else f"{x!r} {y!r}\n" for x, y in points)
    command = ["cs2cs", "-f", "%.12f", source, target]
    process = subprocess.run(command, input=text, capture_output=True, text=True)
    if process.returncode != 0:
        assert "cannot initialize" in process.stderr, process.stderr
        return None
    found: list[tuple[str, str] | None] = []
    for line in process.stdout.splitlines():
        words = line.split()
        if words[0] == "*":
            found.append(None)
        else:
            found.append((words[1], words[0]) if is_north_first(crs_of(target)) else (words[0], words[1]))
    assert len(found) == len(points), process.stdout
    return found

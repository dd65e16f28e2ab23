"""Lists and results for random pairs of spatial references, against projinfo, cs2cs and pyproj."""

from __future__ import annotations

import math
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyproj
import pytest
from pairs import Pair, cs2cs, pairs, projinfo
from pyproj.exceptions import ProjError
from pyproj.transformer import TransformerGroup

import alidade
from alidade import SpatialReference, TransformationList

# A few of them have a projection that PROJ does not know; 500 and more are left.
PAIR_COUNT = 520
LEAST = 500

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning")


class Sides:
    """A pair as the library sees it, and what PROJ's programs say of it, which is asked for in the background."""

    def __init__(self, runtime: alidade.Runtime, pair: Pair, pool: ThreadPoolExecutor) -> None:
        self.pair = pair
        self.source, self.target = SpatialReference(runtime, pair.source), SpatialReference(runtime, pair.target)
        # Points are horizontal; heights count in lists if both sides have some.
        self.flat = code_of(self.source.horizontal), code_of(self.target.horizontal)
        both = self.source.info.vertical is not None and self.target.info.vertical is not None
        self.listed = (pair.source, pair.target) if both else self.flat
        self.lines = pool.submit(projinfo, *self.listed)
        self.printed = pool.submit(lambda: cs2cs(*self.flat, self.points) if self.points else None)

    @property
    def points(self) -> list[tuple[float, float]] | None:
        """None if PROJ does not know the source's projection."""
        try:
            return self.pair.points
        except ProjError:
            return None


def code_of(reference: SpatialReference) -> str:
    info = reference.info
    return f"{info.authority}:{info.code}" if info.code else reference.to_wkt()


@pytest.fixture(scope="module")
def all_sides():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chosen = pairs(PAIR_COUNT)
    with alidade.Runtime() as runtime, ThreadPoolExecutor(max_workers=2) as pool:
        yield [Sides(runtime, pair, pool) for pair in chosen]


@pytest.fixture
def sides(all_sides, request):
    return all_sides[request.param]


every_pair = pytest.mark.parametrize("sides", range(PAIR_COUNT), indirect=True)


@every_pair
def test_list_holds_what_projinfo_lists(sides):
    rows = list(TransformationList(sides.source, sides.target))
    lines = sides.lines.result()
    if not rows:
        # The same datum: one exact way.
        assert all(", 0 m, " in line for line in lines), (sides.pair, lines)
        return
    assert len(rows) == len(lines), sides.pair
    for row in rows:
        facts = row.transformation
        accuracy = f"{facts.accuracy_m:g} m" if not math.isnan(facts.accuracy_m) else "unknown accuracy"
        fitting = [
            line
            for line in lines
            if f", {facts.name}, {accuracy}, " in line
            and facts.is_ballpark == ("has ballpark transformation" in line)
            and bool(facts.missing_grids) == ("at least one grid missing" in line)
        ]
        assert fitting, (sides.pair, facts.name, accuracy, facts.flags, lines)
        lines.remove(fitting[0])


@every_pair
def test_points_are_those_of_cs2cs(sides):
    """To the last of twelve decimals: the same operation, and the same order of arithmetic."""
    printed = sides.printed.result()
    if printed is None:
        assert cannot_project(sides), sides.pair
        return
    answer = sides.source.project(sides.points, sides.target)
    for point, is_projected, (x, y), expected in zip(sides.points, answer.projected, answer.points, printed):
        found = (f"{x:.12f}", f"{y:.12f}") if is_projected else None
        assert found == expected, (sides.pair, point)


def cannot_project(sides: Sides) -> bool:
    """Whether no point can be projected, one way or the other: PROJ does not know one of the two projections."""
    for source, target in ((sides.source, sides.target), (sides.target, sides.source)):
        try:
            if source.project([(1.0, 2.0)], target).projected.any():
                return False
        except alidade.ProjectionFailedError:
            pass
    return True

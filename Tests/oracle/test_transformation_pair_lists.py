"""Lists of transformations of random pairs of spatial references against projinfo and pyproj; each row as a choice."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyproj
import pytest
from pairs import PAIR_COUNT, Sides, bound, pairs, projinfo
from pyproj.enums import TransformDirection
from pyproj.exceptions import ProjError
from pyproj.transformer import TransformerGroup

import alidade
from alidade import Transformation, TransformationList, project_coordinates
from alidade.coordinates import PointStatus

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning")
every_pair = pytest.mark.parametrize("number", range(PAIR_COUNT))
some_pairs = pytest.mark.parametrize("number", range(0, PAIR_COUNT, 4))
HEIGHT = 25.0
NEAR_M = 0.001
# In two dimensions the height that a change of datum makes is dropped each way: shifts of hundreds of metres, and
# heights of as many, move a point by up to some decimetres.
NEAR_WITHOUT_HEIGHTS_M = 0.5


class Listed(Sides):
    """A pair with its list, and the lines of projinfo, which are asked for in the background."""

    def __init__(self, runtime: alidade.Runtime, pair, pool: ThreadPoolExecutor) -> None:
        super().__init__(runtime, pair)
        self.lines = pool.submit(projinfo, *self.listed)
        self.rows = [row.transformation for row in TransformationList(self.source, self.target)]


@pytest.fixture(scope="module")
def listed():
    """A function from a pair's number to its list; lists are created one by one, while projinfo works in parallel."""
    with alidade.Runtime() as runtime, ThreadPoolExecutor(max_workers=1) as pool:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            every = pairs(PAIR_COUNT)
        kept: dict[int, Listed] = {}

        def find(number: int) -> Listed:
            if number not in kept:
                kept[number] = Listed(runtime, every[number], pool)
            return kept[number]

        yield find


@every_pair
def test_list_holds_what_projinfo_lists(listed, number):
    sides = listed(number)
    lines = sides.lines.result()
    if not sides.rows:
        # The same datum: one exact way.
        assert all(", 0 m, " in line for line in lines), (sides.pair, lines)
        return
    lacks_grids = any("at least one grid missing" in line for line in lines)
    for row in sides.rows:
        # projinfo counts the files of triangulations, and not the files of deformation models.
        counted = [grid for grid in row.missing_grids if not grid.name.endswith(".json")]
        fitting = [
            line
            for line in lines
            if f", {row.name}, {stated(row)}, " in line
            and row.is_ballpark == ("has ballpark transformation" in line)
            and ("at least one grid missing" in line) in (bool(row.missing_grids), bool(counted))
        ]
        if not fitting:
            # While grids are missing, what projecting uses by default is listed as well: roundabout ways without any.
            assert lacks_grids and row.is_usable and not row.missing_grids, (sides.pair, row.name, stated(row), lines)
            continue
        lines.remove(fitting[0])
    assert not lines, (sides.pair, lines)


def stated(row: Transformation) -> str:
    return "unknown accuracy" if math.isnan(row.accuracy_m) else f"{row.accuracy_m:g} m"


@every_pair
def test_rows_are_those_of_pyproj(listed, number):
    """The same rows that can be used, with the same accuracies; and each, when it is chosen, gives the same numbers."""
    sides = listed(number)
    if not sides.points:
        return
    try:
        group = TransformerGroup(*sides.listed, always_xy=True)
    except ProjError:
        # One of the two projections is unknown to PROJ, or has no way back.
        assert not any(is_projected(sides, row) for row in sides.rows), sides.pair
        return
    except IndexError:
        # pyproj 3.4 trips over a group of which nothing can be used.
        if any(row.is_usable for row in sides.rows):
            OTHERWISE.append(sides.pair)
        return
    usable = [row for row in sides.rows if row.is_usable]
    ours = Counter((plain(row.name), stated(row)) for row in usable)
    theirs = Counter((plain(each.description), stated_by_pyproj(each.accuracy)) for each in group.transformers)
    if not sides.rows:
        assert {accuracy for _, accuracy in theirs} == {"0 m"}, (sides.pair, theirs)
        return
    if ours != theirs:
        # More than pyproj's are ways round what lacks a grid.
        if theirs - ours:
            OTHERWISE.append(sides.pair)
        return
    assert {row.name for row in sides.rows if not row.is_usable} == {each.name for each in group.unavailable_operations}
    for row in usable:
        found = choose(sides, row)
        same_name = [each for each in group.transformers if plain(each.description) == plain(row.name)]
        agree = any(is_same(found, expected_of(each, sides), sides.target) for each in same_name)
        assert agree == sides.pair.is_as_proj, (sides.pair, row.name, found)


# pyproj lists as if all grids were there, and then finds no ways round those that are not: where that makes a
# difference, projinfo's list counts, which the test above holds ours to.
OTHERWISE: list = []


def test_pyproj_differs_rarely(listed):
    assert len(OTHERWISE) <= PAIR_COUNT // 50, OTHERWISE


@some_pairs
def test_each_row_there_and_back(listed, number):
    """Back as PROJ goes back; and, between maps that have a way back everywhere, to where the points came from."""
    sides = listed(number)
    if not sides.points:
        return
    for row in sides.rows:
        if not row.is_usable or not is_projected(sides, row):
            continue
        there = choose(sides, row)
        try:
            back = project_coordinates(sides.target, sides.source, *there, transformation=row, inverse=True)
        except alidade.errors.UnsupportedError:
            assert not sides.pair.can_come_back, (sides.pair, row.name)
            continue
        found = (back.x, back.y) if back.z is None else (back.x, back.y, back.z)
        columns = there if sides.has_heights else there[:2]
        expected = transformed(pyproj.Transformer.from_pipeline(row.to_proj()), columns, TransformDirection.INVERSE)
        expected = on_earth(expected, sides.source)
        # The way back is written as a string of its own, whose steps may be put together in another order.
        assert is_near(found, expected, sides.source), (sides.pair, row.name)
        if not sides.pair.can_come_back:
            continue
        points = (*np.array(sides.points).T, np.full(len(there[0]), HEIGHT))
        fine = np.isfinite(there[0])
        near = NEAR_M if sides.has_heights else NEAR_WITHOUT_HEIGHTS_M
        scales = (sides.source.info.metres_per_unit, sides.source.info.metres_per_unit, 1)
        for value, right, scale in zip(found, points, scales):
            assert value[fine] == pytest.approx(right[fine], rel=0, abs=near / scale), (sides.pair, row.name)


EQUATOR_M_PER_DEGREE = 111319.5


def plain(name: str) -> str:
    """Without the steps that only turn axes round."""
    return " + ".join(step for step in name.split(" + ") if not step.startswith("axis order change"))


def stated_by_pyproj(accuracy: float) -> str:
    return "unknown accuracy" if accuracy == -1 else f"{accuracy:g} m"


def choose(sides: Sides, row: Transformation) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The points of a pair by one row and no other."""
    x, y = np.array(sides.points).T
    heights = [HEIGHT] if sides.has_heights else None
    found = project_coordinates(sides.source, sides.target, x, y, heights, transformation=row)
    assert ((found.statuses == PointStatus.OK) == np.isfinite(found.x)).all()
    return found.x, found.y, found.z


def is_projected(sides: Sides, row: Transformation) -> bool:
    try:
        return bool(np.isfinite(choose(sides, row)[0]).any())
    except (alidade.errors.MissingGridError, alidade.errors.ProjectionFailedError, alidade.errors.UnsupportedError):
        return False


def expected_of(transformer: pyproj.Transformer, sides: Sides) -> tuple[np.ndarray, ...]:
    x, y = np.array(sides.points).T
    return transformed(transformer, (x, y, np.full(len(x), HEIGHT)) if sides.has_heights else (x, y))


def transformed(
    transformer: pyproj.Transformer, columns, direction=TransformDirection.FORWARD
) -> tuple[np.ndarray, ...]:
    """pyproj's answer, NaN where it has none."""
    found = np.array(transformer.transform(*columns, direction=direction))
    return tuple(np.where(np.isfinite(found).all(axis=0), found, np.nan))


def on_earth(columns: tuple[np.ndarray, ...], reference: alidade.SpatialReference) -> tuple[np.ndarray, ...]:
    """Without points whose latitude is not valid: some of PROJ's inverse projections return such points."""
    if reference.info.kind != alidade.coordinates.SpatialReferenceKind.GEOGRAPHIC:
        return columns
    quarter = 90.001 * EQUATOR_M_PER_DEGREE / reference.info.metres_per_unit
    return tuple(np.where(np.abs(columns[1]) > quarter, np.nan, column) for column in columns)


def is_same(found, expected, reference: alidade.SpatialReference) -> bool:
    """But for what fast paths may differ by; heights have none."""
    *positions, height = zip(found, expected) if len(expected) == 3 else (*zip(found, expected), (0, 0))
    near = all(np.allclose(*columns, rtol=1e-15, atol=bound(reference), equal_nan=True) for columns in positions)
    return near and np.array_equal(*height, equal_nan=True)


def is_near(found, expected, reference: alidade.SpatialReference) -> bool:
    tolerance = max(1e-11, bound(reference))
    return all(
        np.allclose(one, other, rtol=1e-11, atol=tolerance, equal_nan=True) for one, other in zip(found, expected)
    )

"""Points of random pairs of spatial references: where cs2cs puts them, and back again."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest
from pairs import PAIR_COUNT, Sides, bound, cs2cs, pairs

import alidade

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning")
every_pair = pytest.mark.parametrize("sides", range(PAIR_COUNT), indirect=True)
# There and back: each fourth pair.
some_pairs = pytest.mark.parametrize("sides", range(0, PAIR_COUNT, 4), indirect=True)
# Heights that a change of ellipsoid makes are dropped each way, which moves a point by up to some millimetres.
NEAR_M = 0.01


@pytest.fixture(scope="module")
def asked():
    """All pairs, and what cs2cs prints for each, which is asked for in the background."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with alidade.Runtime() as runtime, ThreadPoolExecutor(max_workers=1) as pool:
            every = [Sides(runtime, pair) for pair in pairs(PAIR_COUNT)]
            yield [(sides, pool.submit(printed, sides)) for sides in every]


def printed(sides: Sides) -> list[tuple[str, str] | None] | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cs2cs(*sides.flat, sides.points) if sides.points else None


@pytest.fixture
def sides(asked, request):
    return asked[request.param]


@every_pair
def test_points_are_those_of_cs2cs(sides):
    """The same points have an image, and it is the same but for what fast paths may differ by."""
    sides, answer = sides
    expected = answer.result()
    if sides.points is None:
        assert cannot_project(sides), sides.pair
        return
    try:
        points, projected = sides.source.project(sides.points, sides.target)
        found = [tuple(point) if fine else None for point, fine in zip(points.tolist(), projected)]
    except alidade.errors.ProjectionFailedError:
        found = [None] * len(sides.points)
    for point, printed_point in zip(found, expected or [None] * len(sides.points), strict=True):
        assert (point is None) == (printed_point is None), (sides.pair, point, printed_point)
        if point is not None:
            right = tuple(map(float, printed_point))
            if not sides.pair.is_as_proj:
                assert point != pytest.approx(right, rel=1e-6), (sides.pair, point, right)
                continue
            assert point == pytest.approx(right, rel=1e-15, abs=bound(sides.target)), (sides.pair, point, right)


def cannot_project(sides: Sides) -> bool:
    """Whether no point can be projected, one way or the other: PROJ does not know one of the two projections."""
    for source, target in ((sides.source, sides.target), (sides.target, sides.source)):
        try:
            if source.project([(1.0, 2.0)], target).projected.any():
                return False
        except alidade.errors.ProjectionFailedError:
            pass
    return True


def test_enough_pairs_are_projected(asked):
    assert sum(any(answer.result() or []) for _, answer in asked) >= 490


@some_pairs
def test_there_and_back(sides):
    sides, answer = sides
    if not any(answer.result() or []) or not sides.pair.can_come_back:
        return
    points = sides.points
    images, projected = sides.source.project(points, sides.target)
    near = NEAR_M / sides.source.info.metres_per_unit
    for point, image, fine in zip(points, images.tolist(), projected):
        if not fine or not comes_back_the_same_way(sides, point, image):
            continue
        back = sides.target.project([image], sides.source)
        assert back.projected.all(), (sides.pair, point)
        assert tuple(back.points[0]) == pytest.approx(point, rel=0, abs=near), (sides.pair, point)


def comes_back_the_same_way(sides: Sides, point: tuple[float, float], image: tuple[float, float]) -> bool:
    """Whether the operation back is the one there: at the edge of its area another one may be best for the image."""
    there = sides.source.describe_projection(sides.target, point)
    back = sides.target.describe_projection(sides.source, image)
    return (there.is_ballpark, there.accuracy_m) == pytest.approx((back.is_ballpark, back.accuracy_m), nan_ok=True)

"""Coordinates and spatial references that have no answer: none of them may get one."""

from __future__ import annotations

import math

import numpy as np
import pyproj
import pytest

import alidade
from alidade import SpatialReference, TransformationList, project_coordinates
from alidade.coordinates import PointStatus

NAN, INFINITY = math.nan, math.inf


def reference(runtime: alidade.Runtime, text: str | int) -> SpatialReference:
    return SpatialReference(runtime, f"EPSG:{text}" if isinstance(text, int) else text)


@pytest.mark.parametrize("point", [(NAN, 0.0), (0.0, NAN), (INFINITY, 0.0), (0.0, -INFINITY), (NAN, INFINITY)])
@pytest.mark.parametrize("pair", [(4326, 3857), (27700, 4326), (4326, 4326), (28992, 25832)])
def test_not_finite(runtime, pair, point):
    source, target = (reference(runtime, code) for code in pair)
    inside = {4326: (5.4, 52.2), 27700: (530000.0, 180000.0), 28992: (155000.0, 463000.0)}[pair[0]]
    found = project_coordinates(source, target, [inside[0], point[0], inside[0]], [inside[1], point[1], inside[1]])
    assert found.statuses.tolist() == [PointStatus.OK, PointStatus.NOT_FINITE, PointStatus.OK]
    assert np.isnan([found.x[1], found.y[1]]).all()
    # A bad point does nothing to its neighbours.
    assert (found.x[0], found.y[0]) == (found.x[2], found.y[2])
    answer = source.project([inside, point, inside], target)
    assert answer.projected.tolist() == [True, False, True]
    assert np.isnan(answer.points[1]).all()


@pytest.mark.parametrize("latitude", [90.001, 91.0, -91.0, 180.0, 1e9])
@pytest.mark.parametrize("target", [3857, 32632, 3035, 5041, 4258, 4267, 4979, 4326])
def test_latitude_that_is_none(runtime, latitude, target):
    source, target = reference(runtime, 4326), reference(runtime, target)
    found = project_coordinates(source, target, [9.0, 9.0], [latitude, 50.0])
    assert found.statuses.tolist() == [PointStatus.INVALID_COORDINATE, PointStatus.OK]
    assert np.isnan([found.x[0], found.y[0]]).all()
    assert not source.project([(9.0, latitude)], target).projected.any()


def test_outside_the_domain(runtime):
    """Where the result of pyproj is a point, the image is that point; elsewhere there is none."""
    cases = [
        (3857, 4326, [(1e300, 0.0), (0.0, 1e300)]),
        (4326, 32632, [(-81.0, 0.0), (99.0, 0.0), (189.0, 10.0)]),
        (4326, 3035, [(-170.0, -52.0)]),
        (4326, 2154, [(3.0, -90.0)]),
        (4326, 5041, [(0.0, -90.0)]),
        (32632, 4326, [(1e9, 1e9), (-1e12, 0.0)]),
        (4326, "+proj=ortho +lat_0=40 +lon_0=-100", [(80.0, -40.0), (-100.0, 40.0)]),
        ("+proj=ortho +lat_0=40 +lon_0=-100", 4326, [(7e6, 0.0), (0.0, 0.0)]),
        (4326, "+proj=gnom +lat_0=40 +lon_0=-100", [(80.0, -40.0)]),
        ("ESRI:54009", 4326, [(1.8e7, 9e6), (3e7, 0.0), (0.0, 0.0)]),
    ]
    for source, target, points in cases:
        texts = [f"EPSG:{text}" if isinstance(text, int) else text for text in (source, target)]
        truth = pyproj.Transformer.from_crs(*texts, always_xy=True)
        answer = reference(runtime, source).project(points, reference(runtime, target))
        for point, found, fine in zip(points, answer.points, answer.projected):
            expected = truth.transform(*point)
            if not fine:
                # PROJ returns numbers that are no point for a pole that a projection cannot show.
                # And of numbers beyond 1e15 with a longitude by chance.
                is_place = all(math.isfinite(value) and abs(value) < 1e7 for value in expected) and max(map(abs, point)) < 1e15
                assert np.isnan(found).all() and not is_place, (source, target, point, expected)
            else:
                assert tuple(found) == pytest.approx(expected, rel=1e-12, abs=1e-9), (source, target, point)


def test_empty(runtime):
    source, target = reference(runtime, 4326), reference(runtime, 27700)
    answer = source.project(np.empty((0, 2)), target)
    assert answer.points.shape == (0, 2) and answer.projected.shape == (0,)
    found = project_coordinates(source, target, [], [])
    assert found.x.shape == found.y.shape == found.statuses.shape == found.marks.shape == (0,)
    assert found.receipt.point_count == 0 and found.receipt.operations == []


@pytest.mark.parametrize("shift", [-3, -1, 1, 2, 5])
def test_overlapping_arrays(runtime, shift):
    """An answer written over its own input comes out as if it were not."""
    source, target = reference(runtime, 4326), reference(runtime, 3035)
    chance = np.random.default_rng(7)
    memory = np.column_stack([chance.uniform(0, 20, 60), chance.uniform(40, 60, 60)])
    points, out = memory[5:45], memory[5 + shift : 45 + shift]
    expected = source.project(points.copy(), target).points
    answer = source.project(points, target, out=out)
    assert np.shares_memory(answer.points, memory)
    assert np.array_equal(answer.points, expected)


MARS = ["IAU_2015:49900", "ESRI:104905", "IAU_2015:49910", "+proj=longlat +a=3396190 +b=3376200"]


@pytest.mark.parametrize("mars", MARS)
@pytest.mark.parametrize("earth", [4326, 3857, 27700])
def test_two_worlds(runtime, mars, earth):
    """Nothing leads from Mars to the earth, and that is said for the whole call."""
    there, here = reference(runtime, mars), reference(runtime, earth)
    for source, target in ((there, here), (here, there)):
        for call in (
            lambda: source.project([(1.0, 2.0)], target),
            lambda: project_coordinates(source, target, [1.0], [2.0]),
            lambda: source.describe_projection(target, (1.0, 2.0)),
            lambda: TransformationList(source, target),
        ):
            with pytest.raises(alidade.errors.ProjectionFailedError, match="celestial body"):
                call()


def test_two_spheres_of_one_world_are_a_ballpark(runtime):
    """Two descriptions of Mars whose datums nobody has related: an answer, marked, and refused by who is strict."""
    one, two = reference(runtime, "IAU_2015:49900"), reference(runtime, "ESRI:104905")
    assert one.describe_projection(two, (1.0, 2.0)).is_ballpark
    found = project_coordinates(one, two, [1.0], [2.0])
    assert alidade.coordinates.ProjectionReceiptFlags.BALLPARK in found.receipt.flags
    assert math.isnan(found.receipt.accuracy_m)
    refused = project_coordinates(one, two, [1.0], [2.0], strict=True)
    assert refused.statuses.tolist() == [PointStatus.ONLY_BALLPARK]
    assert [row.transformation.is_ballpark for row in TransformationList(one, two)] == [True]


def test_no_image_lies_beyond_a_pole(runtime):
    """PROJ's inverse of the American polyconic projection returns latitudes of many turns far from its meridian."""
    polyconic = reference(runtime, "+proj=poly +lon_0=-60 +type=crs")
    x, y = 7800999.252805402, 9721210.338635772
    out_of_this_world = pyproj.Transformer.from_crs("+proj=poly +lon_0=-60", 4326, always_xy=True).transform(x, y)
    assert abs(out_of_this_world[1]) > 90
    found = project_coordinates(polyconic, reference(runtime, 4326), [x, 0.0], [y, 5e6])
    assert found.statuses.tolist() == [PointStatus.FAILED, PointStatus.OK]
    assert np.isnan([found.x[0], found.y[0]]).all()
    points = polyconic.project([(x, y), (0.0, 5e6)], reference(runtime, 4326)).points
    assert np.isnan(points[0]).all() and points[1, 0] == pytest.approx(-60)

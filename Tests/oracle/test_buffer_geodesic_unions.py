"""Unions of geodesic circles against distances by pyproj: where their outlines lie, and what is inside."""

from __future__ import annotations

import numpy as np
import pyproj
import pytest
from ground import inside, rings

import alidade

GEOD = pyproj.Geod(ellps="WGS84")


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


@pytest.fixture(scope="module")
def wgs84(runtime):
    return alidade.SpatialReference(runtime, "EPSG:4326")


def excess(centres, radii, places):
    """How far each point lies outside of the nearest circle, metres; negative inside."""
    n, m = len(places), len(centres)
    x, y = np.repeat(places, m, axis=0).T
    cx, cy = np.tile(centres, (n, 1)).T
    lengths = np.asarray(GEOD.inv(cx, cy, x, y)[2]).reshape(n, m)
    return (lengths - np.broadcast_to(radii, (m,))).min(axis=1)


def unite(runtime, reference, centres, radii, **options):
    points = alidade.GeometryArray.from_columns(
        runtime, centres, kind=alidade.geometry.GeometryKind.POINT, spatial_reference=reference
    )
    union = points.geodesic_buffer_union(radii, **options)
    return union, union.buffer_report


def check(runtime, wgs84, centres, radii, source, places=400, **options):
    union, report = unite(runtime, wgs84, centres, radii, **options)
    assert union.is_valid
    assert report.achieved_deviation_m <= report.maximum_deviation_m * (1 + 1e-12)
    edges = np.concatenate([np.stack([ring[:-1], ring[1:]], axis=1) for ring in rings(union)])
    edges = edges[source.integers(0, len(edges), places)]
    for u in (0.0, 0.3, 0.5):
        along = edges[:, 0] + u * (edges[:, 1] - edges[:, 0])
        along = along[np.abs(np.abs(along[:, 0]) - 180) > 1e-9]
        assert np.abs(excess(centres, radii, along)).max() <= report.achieved_deviation_m
    reach = np.max(radii)
    chosen = centres[source.integers(0, len(centres), places)]
    x, y, _ = GEOD.fwd(*chosen.T, source.uniform(0, 360, places), source.uniform(0, 1.5 * reach, places))
    samples = np.column_stack([x, y])
    depth = excess(centres, radii, samples)
    clear = np.abs(depth) > report.achieved_deviation_m
    assert (inside(union, samples[clear]) == (depth < 0)[clear]).all()
    return union, report


@pytest.mark.parametrize("latitude", [0.0, 33.0, -55.0, 78.0])
@pytest.mark.parametrize("radius", [0.01, 1.0, 1000.0, 50_000.0, 400_000.0])
def test_heaps(runtime, wgs84, latitude, radius):
    """A hundred circles of one size that overlap, from centimetres to where they are no circles in any map."""
    source = np.random.default_rng(int(radius * 100 + latitude + 90))
    size = 6 * radius / 111_000
    centres = np.column_stack([
        source.uniform(-size, size, 100) / np.cos(np.radians(latitude)) + 20,
        np.clip(source.uniform(-size, size, 100) + latitude, -85, 85),
    ])
    check(runtime, wgs84, centres, radius, source)


@pytest.mark.parametrize("deviation", [None, 0.01, 5.0])
def test_many_sizes(runtime, wgs84, deviation):
    """Small and large ones together, one inside another among them."""
    source = np.random.default_rng(3)
    centres = np.column_stack([source.uniform(5, 13, 150), source.uniform(42, 51, 150)])
    radii = 10 ** source.uniform(2.5, 5, 150)
    check(runtime, wgs84, centres, radii, source, maximum_deviation=deviation)


def test_across_a_continent(runtime, wgs84):
    source = np.random.default_rng(4)
    centres = np.column_stack([source.uniform(-120, 120, 300), source.uniform(-70, 70, 300)])
    check(runtime, wgs84, centres, 700_000.0, source)


@pytest.mark.parametrize("x", [-179.9, 180.0])
def test_where_the_map_ends(runtime, wgs84, x):
    """Across the antimeridian and over a pole it takes the way of all regions."""
    source = np.random.default_rng(5)
    centres = np.column_stack([x + source.uniform(-1, 1, 20), source.uniform(80, 89, 20)])
    check(runtime, wgs84, centres, 90_000.0, source)


def test_degenerate_circles(runtime, wgs84):
    """Identical ones, tangent ones, one inside another, and rings of them that leave a hole."""
    source = np.random.default_rng(6)
    same = np.tile([10.0, 50.0], (50, 1))
    one, _ = unite(runtime, wgs84, same, 1000)
    assert one.part_count == 1 and one.is_valid
    ends = GEOD.fwd(10, 50, 90, 2000)
    for shift in (0, -1e-7, 1e-7, -1e-3, 1e-3):
        pair = np.array([[10.0, 50.0], [ends[0] + shift / 70_000, ends[1]]])
        united, _ = unite(runtime, wgs84, pair, 1000)
        assert united.is_valid
        if abs(shift) > 1e-4:
            # A hundredth of the deviation: they may hang together or not, but at a kilometre's end.
            assert united.part_count in (1, 2)
    angles = np.arange(0, 360, 5.0)
    x, y, _ = GEOD.fwd(np.full(72, 10.0), np.full(72, 50.0), angles, np.full(72, 30_000.0))
    union, _ = check(runtime, wgs84, np.column_stack([x, y]), 2000.0, source)
    assert len(rings(union)) == 2


def test_small_circles_that_touch_from_inside(runtime, wgs84):
    """Where GEOS has to snap, it does so by the largest coordinate: degrees of longitude for circles of centimetres."""
    centres = np.array([[30.6547868437252, -79.8470465525581], [30.654784672093058, -79.84704655255808]])
    radii = np.array([0.042752850396509584, 0.08550570079301917])
    united, report = unite(runtime, wgs84, centres, radii, maximum_deviation=1.77827374849866e-07)
    for ring in rings(united):
        middles = (ring[:-1] + ring[1:]) / 2
        places = np.concatenate([ring, middles])
        assert np.abs(excess(centres, radii, places)).max() <= report.achieved_deviation_m + 1e-8


def test_random_configurations(runtime, wgs84):
    """Some hundred small heaps with coordinates on a grid, so that circles meet in one point and touch."""
    source = np.random.default_rng(8)
    for _ in range(150):
        count = source.integers(2, 12)
        centres = np.array([10.0, 50.0]) + np.round(source.uniform(-3, 3, (count, 2))) * 0.01
        radii = source.choice([500.0, 1111.9, 2000.0], count)
        union, report = unite(runtime, wgs84, centres, radii)
        assert union.is_valid
        samples = np.array([10.0, 50.0]) + source.uniform(-0.06, 0.06, (60, 2))
        depth = excess(centres, radii, samples)
        clear = np.abs(depth) > report.achieved_deviation_m
        assert (inside(union, samples[clear]) == (depth < 0)[clear]).all()


def test_the_policy_limits_vertices():
    with alidade.Runtime(policy=alidade.Policy(max_request_points=500)) as runtime:
        reference = alidade.SpatialReference(runtime, "EPSG:4326")
        centres = np.array([[10, 50], [10.01, 50.01], [10.02, 50.0]])
        assert not unite(runtime, reference, centres, 1000)[0].is_empty
        with pytest.raises(alidade.errors.LimitExceededError, match="vertices"):
            unite(runtime, reference, centres, 1000, maximum_deviation=0.01)

"""Prepared polygons against Shapely's predicates: with what crosses, contains, misses and touches them."""

import numpy as np
import pytest
import shapely
import shapely.affinity

import alidade
from alidade.geometry import Predicate

NAMES = ["equals", "disjoint", "intersects", "touches", "crosses", "within", "contains", "overlaps", "covers", "covered_by"]


def star(source, center, radius, vertices):
    angles = (np.arange(vertices) + source.uniform(0, 0.9, vertices)) * 2 * np.pi / vertices
    reach = radius * source.uniform(0.4, 1, vertices)
    return shapely.Polygon(np.column_stack([center[0] + reach * np.cos(angles), center[1] + reach * np.sin(angles)]))


def with_holes(source):
    """Stars apart, with holes, some with islands in these."""
    whole = shapely.union_all([star(source, source.uniform(0, 100, 2), 30, int(source.integers(5, 120))) for _ in range(4)])
    for _ in range(4):
        center = source.uniform(10, 90, 2)
        whole = whole.difference(star(source, center, 12, 20)).union(star(source, center, 4, 9))
    return whole


def on_a_grid(source):
    """Boxes that share corners and parts of their sides with other boxes."""
    corners = source.integers(0, 12, (6, 2))
    return shapely.union_all([shapely.box(x, y, x + w, y + h) for (x, y), (w, h) in zip(corners, source.integers(1, 5, (6, 2)))])


def on_corners(source):
    """Figures with corners on a grid, which often touch in a corner, or with a corner in the middle of a side."""
    while True:
        hull = shapely.MultiPoint(source.integers(0, 13, (int(source.integers(3, 9)), 2))).convex_hull
        if hull.geom_type == "Polygon":
            return hull


def pierced(source):
    """Such a figure with holes, which may touch it in a corner."""
    whole = shapely.box(-1, -1, 14, 14).difference(on_corners(source))
    for _ in range(int(source.integers(0, 3))):
        whole = whole.symmetric_difference(on_corners(source))
    return whole


def others(source, scene):
    if scene.startswith("corners"):
        lines = [shapely.LineString(source.integers(-1, 15, (int(source.integers(2, 6)), 2))) for _ in range(200)]
        areas = [on_corners(source) for _ in range(200)] + [pierced(source) for _ in range(40)]
        small = [shapely.affinity.scale(one, 0.25, 0.25, origin=(4, 4)) for one in areas[:200]]
        return areas + small + [line for line in lines if line.length > 0]
    if scene == "grid":
        lines = [shapely.LineString(source.integers(0, 14, (int(source.integers(2, 6)), 2))) for _ in range(40)]
        return [on_a_grid(source) for _ in range(40)] + lines + [shapely.Point(*source.integers(0, 14, 2)) for _ in range(20)]
    sizes = source.choice([1, 5, 30, 200], 60)
    areas = [star(source, source.uniform(0, 100, 2), size, int(source.integers(3, 80))) for size in sizes]
    pairs = [shapely.MultiPolygon([star(source, (x, 20), 3, 12), star(source, (x, 80), 3, 12)]) for x in range(0, 100, 5)]
    rings = [shapely.Polygon(star(source, (50, 50), 300, 30).exterior, [star(source, (50, 50), size, 9).exterior.coords])
             for size in (1, 10, 100)]
    lines = [shapely.LineString(source.uniform(0, 100, (int(source.integers(2, 9)), 2)) * source.choice([0.1, 1]))
             for _ in range(60)]
    several = [shapely.MultiLineString([source.uniform(x, x + 9, (3, 2)) for x in (0, 40, 80)]) for _ in range(20)]
    points = [shapely.Point(*source.uniform(0, 100, 2)) for _ in range(40)]
    return [one for one in areas + pairs + rings if one.is_valid] + lines + several + points


POLYGONS = {"holes": with_holes, "grid": on_a_grid, "corners": pierced, "corners of one": on_corners}


@pytest.mark.parametrize("scene", POLYGONS)
@pytest.mark.parametrize("seed", range(12))
def test_predicates(runtime, scene, seed):
    source = np.random.default_rng(seed)
    polygon = POLYGONS[scene](source)
    vertices = [shapely.Point(at) for at in shapely.get_coordinates(polygon)[:30]]
    middles = [shapely.LineString(edge) for edge in zip(shapely.get_coordinates(polygon)[:20], shapely.get_coordinates(polygon)[1:21])]
    near = others(source, scene) + vertices + [line for line in middles if line.length > 0] + [polygon, *shapely.get_parts(polygon)]
    array = alidade.GeometryArray.from_wkb(runtime, [shapely.to_wkb(one) for one in near])
    prepared = alidade.geometry.PreparedGeometry(alidade.Geometry.from_wkb(runtime, shapely.to_wkb(polygon)))
    for name in NAMES:
        expected = getattr(shapely, name)(polygon, np.array(near))
        results, _ = prepared.test_array(Predicate[name.upper()], array)
        assert [int(one) == 1 for one in results] == expected.tolist(), name
        assert 0 < expected.sum() or name in set(NAMES) - {"intersects", "covers"}


@pytest.mark.parametrize(("far", "size"), [
    (0, (1, 1)), (0, (1e-4, 1e4)), (0, (1e-12, 1e-12)), (0, (1e9, 1)), (1e5, (1, 1)), (1e5, (0.09, 0.09)), (1e5, (1e-4, 1e4)),
    (1e9, (1, 1)), (1e9, (900, 1100)), (1e9, (1e9, 1))])
def test_narrow_and_far_away(runtime, far, size):
    """Bounds of all sizes, near and far: small boxes in, on and outside of a star."""
    source = np.random.default_rng(int(far) + 7)
    ring = shapely.get_coordinates(star(source, (0, 0), 1, 400))
    polygon = shapely.Polygon(ring * size + far)
    centers = source.uniform(-1.2, 1.2, (3000, 2))
    boxes = [shapely.box(*(center * size + far), *((center + reach) * size + far)) for center, reach in zip(
        centers, source.choice([1e-3, 0.02, 0.3], 3000))]
    boxes = [box for box in boxes if box.is_valid and box.area > 0]
    assert polygon.is_valid and len(boxes) > 1000
    array = alidade.GeometryArray.from_wkb(runtime, [shapely.to_wkb(one) for one in boxes])
    prepared = alidade.geometry.PreparedGeometry(alidade.Geometry.from_wkb(runtime, shapely.to_wkb(polygon)))
    for name in ["intersects", "contains", "touches", "overlaps"]:
        results, _ = prepared.test_array(Predicate[name.upper()], array)
        assert [int(one) == 1 for one in results] == getattr(shapely, name)(polygon, np.array(boxes)).tolist(), name


def holds(runtime, polygon, other):
    """By a prepared polygon alone and in an array that is long enough for a grid."""
    prepared = alidade.geometry.PreparedGeometry(alidade.Geometry.from_wkb(runtime, shapely.to_wkb(polygon)))
    array = alidade.GeometryArray.from_wkb(runtime, [shapely.to_wkb(other)] * 100)
    single = alidade.Geometry.from_wkb(runtime, shapely.to_wkb(other))
    found = {name: prepared.test(Predicate[name.upper()], single).holds for name in NAMES}
    for name in NAMES:
        results, _ = prepared.test_array(Predicate[name.upper()], array)
        assert {int(one) == 1 for one in results} == {found[name]}, name
    return found


def test_a_gap_between_parts_that_touch_twice(runtime):
    """Neither ring around the gap lies in the box, but the gap does."""
    up = [(0, 4), (-2, 1), (-1, 0), (0, 1), (1, 0), (2, 1)]
    parts = shapely.MultiPolygon([shapely.Polygon(up), shapely.Polygon([(x, -y) for x, y in up])])
    island = shapely.Polygon([(0, 3), (-1, 0), (0, 1), (1, 0)])
    hole = shapely.Polygon([(0, 4), (-1, 0), (0, -4), (1, 0)])
    within_hole = shapely.MultiPolygon([shapely.Polygon([(-9, -9), (9, -9), (9, 9), (-9, 9)], [hole.exterior.coords]), island])
    for polygon in (parts, within_hole):
        assert polygon.is_valid
        for box in (shapely.box(-1, -1.5, 1, 1.5), shapely.box(-1, -0.5, 1, 0.5), shapely.box(-1.5, -0.2, 1.5, 0.2)):
            expected = {name: bool(getattr(shapely, name)(polygon, box)) for name in NAMES}
            assert holds(runtime, polygon, box) == expected, (polygon.wkt, box.wkt)


def test_a_line_through_a_point_where_rings_touch(runtime):
    square = [(0, 0), (10, 0), (10, 10), (0, 10)]
    line = shapely.LineString([(5, -1), (5, 1)])
    found = holds(runtime, shapely.Polygon(square, [[(5, 0), (3, 3), (7, 3)]]), line)
    assert {name for name in NAMES if found[name]} == {"intersects", "touches"}
    found = holds(runtime, shapely.MultiPolygon([shapely.Polygon(square), shapely.Polygon([(5, 0), (7, -3), (3, -3)])]), line)
    assert {name for name in NAMES if found[name]} == {"intersects", "contains", "covers"}


def test_a_grid_that_takes_too_long():
    """A comb of 800,000 vertices, whose teeth all pass through all rows of a grid."""
    teeth = 200_000
    x = np.repeat(np.arange(2 * teeth), 2) / teeth
    y = np.tile([0.0, 1.0, 1.0, 0.0], teeth)
    comb = np.column_stack([x, y])
    ring = np.concatenate([comb, [[2, -0.01], [0, -0.01]]])
    policy = alidade.Policy(max_request_ms=1000)
    with alidade.Runtime(policy=policy) as runtime:
        prepared = alidade.geometry.PreparedGeometry(alidade.Geometry.from_wkb(runtime, shapely.to_wkb(shapely.Polygon(ring))))
        points = alidade.GeometryArray.from_wkb(runtime, [shapely.to_wkb(shapely.Point(1, -0.009 + i / 1_000_000)) for i in range(15_000)])
        for _ in range(2):
            results, _ = prepared.test_array(Predicate.INTERSECTS, points)
            assert {int(one) for one in results[:8_000]} == {1}

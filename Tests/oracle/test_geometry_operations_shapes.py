"""Hulls, boundaries, simple and generalized geometries, offset curves and label points: against Shapely and formulas."""

import math
import random

import numpy as np
import pytest
import shapely.affinity
import shapely.algorithms.polylabel
import shapely.geometry
import shapely.ops
import shapely.validation
import shapely.wkb
import shapely.wkt

import alidade
from alidade import Geometry, GeometryArray
from alidade.geometry import GeometryKind, OffsetJoin
from operands import GRIDS, shape

BOW_TIE = "POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))"


def shaped(geometry):
    return shapely.wkb.loads(geometry.to_wkb())


def parts_of(shape):
    return list(getattr(shape, "geoms", [shape]))


def meets_at_ends_only(lines):
    """Noding changes nothing. GEOS takes the end of a closed line for a point inside it, where no other may end."""
    if "Line" not in lines.geom_type:
        return False
    noded = shapely.ops.unary_union(lines)
    return sorted(map(len_of, parts_of(noded))) == sorted(map(len_of, parts_of(lines)))


def len_of(line):
    return len(line.coords), round(line.length, 9)


@pytest.mark.parametrize("seed", range(20))
def test_hulls_and_boundaries(runtime, seed):
    source = random.Random(seed)
    shapes = [shape(source, GRIDS[seed % len(GRIDS)]) for _ in range(100)]
    array = GeometryArray.from_wkb(runtime, [one.wkb for one in shapes])
    for one, mine, hull in zip(shapes, array, array.convex_hulls()):
        assert shaped(mine.convex_hull).wkt == one.convex_hull.wkt
        assert hull.equals(mine.convex_hull)
        assert shaped(mine.boundary).wkt == one.boundary.wkt
        assert mine.is_simple == (one.is_simple or "Polygon" in one.geom_type or meets_at_ends_only(one))


@pytest.mark.parametrize("seed", range(20))
def test_middles(runtime, seed):
    source = random.Random(seed + 500)
    for one in [shape(source, GRIDS[seed % len(GRIDS)]) for _ in range(60)]:
        mine = Geometry.from_wkb(runtime, one.wkb)
        if not one.is_valid or "Collection" in one.geom_type:
            continue
        centroid = shaped(mine.centroid)
        assert centroid.is_empty == one.is_empty
        if one.is_empty:
            assert mine.minimum_clearance == math.inf
            continue
        size = max(1, *map(abs, one.bounds))
        assert np.allclose(centroid.coords[0], one.centroid.coords[0], rtol=0, atol=1e-9 * size)
        assert one.distance(shaped(mine.point_on_surface)) <= 1e-9 * size
        assert mine.minimum_clearance == one.minimum_clearance


@pytest.mark.parametrize("seed", range(20))
def test_lines_joined_and_closed(runtime, seed):
    source = random.Random(seed)
    crossing = shapely.geometry.MultiLineString(
        [[(source.randrange(9), source.randrange(9)) for _ in range(source.randrange(2, 5))] for _ in range(12)])
    noded = shapely.ops.unary_union(crossing)
    mine = Geometry.from_wkb(runtime, noded.wkb)
    merged = shaped(mine.merged_lines())
    right = shapely.ops.linemerge(noded)
    assert merged.equals(right) and len(parts_of(merged)) == len(parts_of(right))
    faces = shaped(mine.enclosed_polygons())
    right = list(shapely.ops.polygonize(noded))
    assert sorted(face.wkt for face in map(shapely.geometry.polygon.orient, parts_of(faces))) == sorted(
        face.wkt for face in map(shapely.geometry.polygon.orient, right))


@pytest.mark.parametrize("text", ["EMPTY, (0 0, 4 0), (4 0, 4 4)", "(0 0, 4 0), EMPTY, (4 0, 4 4)", "(0 0, 4 0), (4 0, 4 4), EMPTY"])
def test_empty_lines_beside_others(runtime, text):
    """GEOS crashed of them."""
    mine = Geometry.from_wkt(runtime, f"MULTILINESTRING ({text})")
    right = shapely.geometry.LineString([(0, 0), (4, 0), (4, 4)])
    assert right.distance(shaped(mine.point_on_surface)) == 0
    assert shaped(mine.merged_lines()).equals(right) and shaped(mine.centroid).equals(right.centroid)
    assert mine.minimum_clearance == 4 and mine.enclosed_polygons().is_empty
    for made in (mine.convex_hull, mine.minimum_rectangle, mine.boundary, mine.simple(), mine.label_point()):
        assert not made.is_empty
    empty = Geometry.from_wkt(runtime, "MULTILINESTRING (EMPTY, EMPTY)")
    assert empty.merged_lines().kind == GeometryKind.POLYLINE and empty.point_on_surface.is_empty


def test_linear_rings(runtime):
    text = "LINEARRING Z (0 0 1, 4 0 2, 4 3 3, 0 0 1)"
    ring = shapely.wkt.loads(text)
    mine = Geometry.from_wkt(runtime, text)
    assert mine.kind == GeometryKind.POLYLINE and mine.has_z
    assert mine.to_wkt() == "LINESTRING Z (0 0 1, 4 0 2, 4 3 3, 0 0 1)" and shaped(mine).length == ring.length == 12
    assert Geometry.from_wkt(runtime, "linearring empty").is_empty
    for wrong in ("LINEARRING (0 0, 4 0, 4 3)", "LINEARRING (0 0, 4 0, 0 0)", "LINEARRING (0 0, 4 0, 4 3, 0 1)"):
        with pytest.raises(alidade.errors.InvalidArgumentError, match="ring"):
            Geometry.from_wkt(runtime, wrong)


def smallest_rectangle(shape):
    """Of all directions of the hull's sides the one with the smallest box, by turning all vertices."""
    hull = np.array(shape.convex_hull.exterior.coords)
    areas = []
    for a, b in zip(hull, hull[1:]):
        angle = math.atan2(b[1] - a[1], b[0] - a[0])
        turned = (hull - hull[0]) @ np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        areas.append(np.prod(np.ptp(turned, axis=0)))
    return min(areas)


@pytest.mark.parametrize("seed", range(20))
def test_minimum_rectangles(runtime, seed):
    source = random.Random(seed)
    for _ in range(30):
        one = shape(source, GRIDS[seed % len(GRIDS)])
        if one.convex_hull.geom_type != "Polygon" or one.is_empty:
            continue
        rectangle = shaped(Geometry.from_wkb(runtime, one.wkb).minimum_rectangle)
        assert math.isclose(rectangle.area, smallest_rectangle(one), rel_tol=1e-7, abs_tol=1e-12)
        assert rectangle.buffer(1e-7 * max(1, abs(rectangle.bounds[2]) * 1e-7)).covers(one)
        corners = np.array(rectangle.exterior.coords)
        sides = np.diff(corners, axis=0)
        assert len(corners) == 5 and abs(sides[0] @ sides[1]) <= 1e-7 * max(1, rectangle.area)
    # Many sides, so that the calipers go a long way.
    round_one = shapely.geometry.Point(1e6, 2e6).buffer(1000, resolution=5000)
    stretched = shapely.affinity.rotate(shapely.affinity.scale(round_one, 1, 0.3), 37 + seed)
    found = shaped(Geometry.from_wkb(runtime, stretched.wkb).minimum_rectangle)
    assert math.isclose(found.area, 2000 * 600, rel_tol=1e-5)


def test_flat_hulls(runtime):
    assert Geometry.from_wkt(runtime, "LINESTRING (0 0, 1 1, 5 5)").minimum_rectangle.kind is GeometryKind.POLYLINE
    assert Geometry.from_wkt(runtime, "MULTIPOINT (1 1, 1 1)").minimum_rectangle.to_wkt() == "POINT (1 1)"
    assert Geometry.from_wkt(runtime, "POINT EMPTY").minimum_rectangle.is_empty
    z = Geometry.from_wkt(runtime, "MULTIPOINT Z ((0 0 7), (4 0 7), (4 4 7), (1 0 7))").convex_hull
    assert z.has_z and set(z.z) == {7}
    collection = Geometry.from_wkt(runtime, "GEOMETRYCOLLECTION (POINT (0 0), LINESTRING (4 0, 4 4))")
    assert shaped(collection.convex_hull).area == 8
    # What is not valid has a hull as well.
    assert shaped(Geometry.from_wkt(runtime, BOW_TIE).convex_hull).area == 4


# Simple


def test_simple_ones(runtime):
    cases = {
        "MULTIPOINT M ((1 1 5), (2 2 6), (1 1 7), (0 0 8))": "MULTIPOINT M ((1 1 5), (2 2 6), (0 0 8))",
        "LINESTRING (0 0, 2 2, 2 0, 0 2)": "MULTILINESTRING ((0 0, 1 1), (1 1, 2 2, 2 0, 1 1), (1 1, 0 2))",
        "LINESTRING (0 0, 4 0, 2 0)": None,
        BOW_TIE: None,
        "LINESTRING ZM (0 0 1 2, 4 0 3 4)": "LINESTRING ZM (0 0 1 2, 4 0 3 4)",
        "LINESTRING (1 1, 1 1)": "LINESTRING EMPTY",
        "POLYGON ((0 0, 2 0, 1 0, 0 0))": "POLYGON EMPTY",
    }
    for text, expected in cases.items():
        mine = Geometry.from_wkt(runtime, text)
        simple = mine.simple()
        assert simple.is_simple and simple.kind is mine.kind
        if expected:
            assert shaped(simple).equals(shapely.wkt.loads(expected)) or simple.to_wkt() == expected
            if " M" in text or "ZM" in text:
                assert simple.to_wkt() == expected
    assert shaped(Geometry.from_wkt(runtime, BOW_TIE).simple()).area == 2
    back = shaped(Geometry.from_wkt(runtime, "LINESTRING (0 0, 4 0, 2 0)").simple())
    assert back.length == 4
    collection = Geometry.from_wkt(runtime, f"GEOMETRYCOLLECTION ({BOW_TIE}, MULTIPOINT (1 1, 1 1))")
    assert not collection.is_simple and collection.simple().is_simple
    assert [member.kind for member in collection.simple().members] == [GeometryKind.POLYGON, GeometryKind.MULTIPOINT]


@pytest.mark.parametrize("seed", range(20))
def test_random_ones_become_simple(runtime, seed):
    source = random.Random(seed)

    def ring():
        points = [(source.randint(0, 6), source.randint(0, 6)) for _ in range(source.randint(3, 7))]
        return [*points, points[0]]

    shapes = [shapely.geometry.MultiPolygon([(ring(), []) for _ in range(source.randint(1, 3))]) for _ in range(40)]
    shapes += [shapely.geometry.MultiLineString([ring(), ring()]) for _ in range(40)]
    shapes += [shapely.geometry.MultiPoint(ring()) for _ in range(20)]
    array = GeometryArray.from_wkb(runtime, [one.wkb for one in shapes])
    for one, simple in zip(shapes, array.simple()):
        made = shaped(simple)
        assert simple.is_simple and simple.is_valid
        if one.geom_type == "MultiLineString":
            expected = shapely.ops.unary_union([line for line in one.geoms if line.length])
            assert made.is_empty == expected.is_empty
            assert math.isclose(made.length, expected.length) or made.is_empty
        elif one.geom_type == "MultiPoint":
            assert made.equals(one) and len(made.geoms) == len({(p.x, p.y) for p in one.geoms})
        else:
            expected = shapely.validation.make_valid(one)
            assert math.isclose(made.area, expected.area, abs_tol=1e-9)


# Generalized


def walk(source, count):
    """A line that wanders about."""
    steps = np.array([[source.gauss(0, 1), source.gauss(0, 1)] for _ in range(count)])
    return np.cumsum(steps, axis=0)


@pytest.mark.parametrize("seed", range(20))
def test_generalized_lines_as_shapely_does(runtime, seed):
    source = random.Random(seed)
    tolerance = source.choice([0.0, 0.5, 3.0, 20.0])
    line = shapely.geometry.LineString(walk(source, 3000))
    mine = Geometry.from_wkb(runtime, line.wkb)
    expected = line.simplify(tolerance, preserve_topology=False)
    assert shaped(mine.generalized(tolerance)).wkt == expected.wkt
    kept = shaped(mine.generalized(tolerance, preserve_topology=True))
    assert kept.wkt == line.simplify(tolerance, preserve_topology=True).wkt
    # No vertex is farther from what is left than the tolerance.
    far = max(expected.distance(shapely.geometry.Point(point)) for point in line.coords[::7])
    assert far <= tolerance * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_generalized_polygons(runtime, seed):
    source = random.Random(seed)
    angles = np.linspace(0, 2 * math.pi, 400, endpoint=False)
    shapes = []
    for number in range(20):
        radius = 10 + np.array([source.uniform(-1, 1) for _ in angles])
        outer = np.column_stack([radius * np.cos(angles), radius * np.sin(angles)]) + number * 30
        inner = np.column_stack([np.cos(angles[::9]), np.sin(angles[::9])]) * 7 + number * 30
        shapes.append(shapely.geometry.Polygon(outer, [inner]))
    array = GeometryArray.from_wkb(runtime, [one.wkb for one in shapes])
    tolerance = source.choice([0.1, 1.0, 4.0, 100.0])
    for one, plain, kept in zip(
        shapes, array.generalized(tolerance), array.generalized(tolerance, preserve_topology=True)
    ):
        expected = one.simplify(tolerance, preserve_topology=False)
        made = shaped(plain)
        # GEOS repairs what crosses itself, with a buffer of 0; here it is left as it is.
        if made.is_valid:
            assert made.equals(expected) or made.is_empty and expected.is_empty
        watched = shaped(kept)
        assert watched.is_valid and not watched.is_empty and len(watched.interiors) == 1
        assert len(watched.exterior.coords) <= len(one.exterior.coords)
        preserved = one.simplify(tolerance, preserve_topology=True)
        if preserved.is_valid:
            assert watched.equals(preserved)


def test_what_generalizing_keeps(runtime):
    line = Geometry.from_wkt(runtime, "LINESTRING ZM (0 0 1 5, 1 0.1 2 6, 2 0 3 7, 2 9 4 8)")
    assert line.generalized(0.5).to_wkt() == "LINESTRING ZM (0 0 1 5, 2 0 3 7, 2 9 4 8)"
    assert line.generalized(0.5, preserve_topology=True).to_wkt() == "LINESTRING Z (0 0 1, 2 0 3, 2 9 4)"
    points = Geometry.from_wkt(runtime, "MULTIPOINT M ((0 0 1), (1 0 2), (2 0 3))")
    assert points.generalized(9).equals(points)
    # Small things vanish, and holes with their shells.
    islands = Geometry.from_wkt(
        runtime,
        "MULTIPOLYGON (((0 0, 9 0, 9 9, 0 9, 0 0), (4 4, 4 5, 5 5, 4 4)), ((20 0, 21 0, 21 1, 20 1, 20 0), "
        "(20.2 0.2, 20.2 0.4, 20.4 0.4, 20.2 0.2)))",
    )
    assert islands.generalized(2).to_wkt() == "MULTIPOLYGON (((0 0, 9 0, 9 9, 0 9, 0 0)))"
    assert islands.generalized(100).is_empty and islands.generalized(100).kind is GeometryKind.POLYGON
    assert Geometry.from_wkt(runtime, "LINESTRING (0 0, 1 1, 0 0)").generalized(5).is_empty
    collection = Geometry.from_wkt(runtime, "GEOMETRYCOLLECTION (POINT (1 1), LINESTRING (0 0, 1 0.1, 2 0))")
    assert collection.generalized(1).to_wkt() == "GEOMETRYCOLLECTION (POINT (1 1), LINESTRING (0 0, 2 0))"
    empty = Geometry.from_wkt(runtime, "POLYGON EMPTY")
    assert empty.generalized(1).equals(empty) and empty.generalized(1, preserve_topology=True).is_empty


def test_lines_that_coil(runtime):
    # Each vertex but the last lies farthest from the rest: recursion would go as deep as there are vertices.
    count = 200_000
    turns = np.arange(count)
    radius = 1.0 + 1e-3 * (count - turns)
    spiral = np.column_stack([turns * 1e-9 + np.where(turns % 2 == 0, radius, -radius), turns * 1e-6])
    line = Geometry.from_coordinates(runtime, GeometryKind.POLYLINE, spiral[:4000])
    assert line.generalized(0).vertex_count == 4000
    with pytest.raises(alidade.errors.UnsupportedError, match="coils"):
        Geometry.from_coordinates(runtime, GeometryKind.POLYLINE, spiral[:20000]).generalized(
            0.1, preserve_topology=True
        )


@pytest.mark.parametrize("number", [-1.0, float("nan"), float("inf"), 1e101])
def test_numbers_that_are_none(runtime, number):
    square = Geometry.from_wkt(runtime, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))")
    array = GeometryArray.from_wkb(runtime, [square.to_wkb()])
    for one in [square, array]:
        with pytest.raises(alidade.errors.InvalidArgumentError, match="max_deviation"):
            one.generalized(number)
    for call in [square.label_point, array.label_points]:
        with pytest.raises(alidade.errors.InvalidArgumentError, match="tolerance"):
            call(number)
    if number != -1:
        with pytest.raises(alidade.errors.InvalidArgumentError, match="distance"):
            square.offset_curve(number)


# Offset curves

JOINS = {OffsetJoin.ROUND: 1, OffsetJoin.MITRE: 2, OffsetJoin.BEVEL: 3}


@pytest.mark.parametrize("join", list(OffsetJoin))
@pytest.mark.parametrize("distance", [-0.7, 0.4])
def test_offset_curves(runtime, join, distance):
    source = random.Random(int(distance * 10))
    for _ in range(60):
        count = source.randint(2, 6)
        line = shapely.geometry.LineString([(i * 3.0, source.uniform(-4, 4)) for i in range(count)])
        curve = shaped(Geometry.from_wkb(runtime, line.wkb).offset_curve(distance, join=join, quadrant_segments=32))
        assert curve.geom_type == "LineString"
        # A one-sided buffer is what lies between the two, its arcs drawn by other chords.
        width = 1e-3 if join is OffsetJoin.ROUND else 1e-9
        beside = line.buffer(distance, join_style=JOINS[join], resolution=32, single_sided=True, mitre_limit=5.0)
        assert beside.buffer(max(width, 1e-6)).covers(curve) and beside.boundary.distance(curve) < width
        side = shapely.geometry.Polygon([*line.coords, *reversed(curve.coords)])
        assert math.isclose(side.buffer(0).area, beside.area, rel_tol=0.05)
        if join is OffsetJoin.ROUND:
            assert all(abs(line.distance(shapely.geometry.Point(p)) - abs(distance)) < 1e-3 for p in curve.coords)


def test_offset_sides(runtime):
    east = Geometry.from_wkt(runtime, "LINESTRING (0 0, 10 0)")
    assert shaped(east.offset_curve(1)).bounds == (0, 1, 10, 1)
    assert shaped(east.offset_curve(-2)).bounds == (0, -2, 10, -2)
    both = Geometry.from_wkt(runtime, "MULTILINESTRING ((0 0, 10 0), (0 5, 10 5))").offset_curve(1)
    assert both.part_count == 2 and shaped(both).bounds == (0, 1, 10, 6)
    for nothing in [0.0, 5e-324, -2e-308, 1e-17]:
        assert shaped(east.offset_curve(nothing)).equals(shaped(east))
    with pytest.raises(alidade.errors.UnsupportedError, match="polyline or a polygon"):
        Geometry.from_wkt(runtime, "POINT (1 1)").offset_curve(1)
    for options in [{"mitre_limit": 0.5}, {"mitre_limit": float("nan")}, {"quadrant_segments": 1025}, {"join": 3}]:
        with pytest.raises(alidade.errors.InvalidArgumentError, match="must be within|no OffsetJoin"):
            east.offset_curve(1, **options)


# Label points


def depth(polygon, point):
    """How far a point lies from the boundary; below 0 outside."""
    return polygon.boundary.distance(point) * (1 if polygon.covers(point) else -1)


@pytest.mark.parametrize("seed", range(15))
def test_label_points_of_polygons(runtime, seed):
    source = random.Random(seed)
    shapes = []
    while len(shapes) < 40:
        one = shape(source, ["integers", "thirds", "floats"][seed % 3], empty=0)
        if "Polygon" in one.geom_type:
            shapes.append(one)
    array = GeometryArray.from_wkb(runtime, [one.wkb for one in shapes])
    for one, coarse, fine in zip(shapes, array.label_points(), array.label_points(1e-3)):
        parts = parts_of(one)
        best = max(
            depth(part, shapely.algorithms.polylabel.polylabel(part, tolerance=max(1e-3, part.area * 1e-3)))
            for part in parts
        )
        reached = depth(one, shaped(fine))
        assert reached >= best - 1e-3 - 1e-12
        assert depth(one, shaped(coarse)) >= best / 1.01 - 1e-12
        assert depth(one, shaped(coarse)) >= 0


def test_label_points_of_known_shapes(runtime):
    cases = {
        "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))": (2, 2),
        "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)), ((10 0, 14 0, 14 4, 10 4, 10 0)))": (12, 2),
        "LINESTRING (0 0, 10 0)": (5, 0),
        "MULTILINESTRING ((0 0, 1 0), (0 5, 6 5, 6 7))": (4, 5),
        "POINT (3 4)": (3, 4),
        "MULTIPOINT (0 0, 10 0, 4 1)": (4, 1),
        "GEOMETRYCOLLECTION (POINT (9 9), LINESTRING (0 0, 9 0), POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0)))": (1, 1),
        "GEOMETRYCOLLECTION (POINT (9 9), LINESTRING (0 0, 9 0))": (4.5, 0),
    }
    for text, place in cases.items():
        point = Geometry.from_wkt(runtime, text).label_point(1e-6)
        assert point.kind is GeometryKind.POINT and np.allclose(point.xy[0], place, atol=1e-3), text
    for kind in ["POINT", "LINESTRING", "POLYGON", "GEOMETRYCOLLECTION"]:
        assert Geometry.from_wkt(runtime, f"{kind} EMPTY").label_point().to_wkt() == "POINT EMPTY"
    # An L and a C, whose centroids lie outside.
    for text in ["POLYGON ((0 0, 9 0, 9 1, 1 1, 1 9, 0 9, 0 0))", "POLYGON ((0 0, 9 0, 9 1, 1 1, 1 8, 9 8, 9 9, 0 9, 0 0))"]:
        mine = Geometry.from_wkt(runtime, text)
        assert shaped(mine).contains(shaped(mine.label_point()))


def test_label_points_of_hard_shapes(runtime):
    # A million times as long as wide, slanting; far away; tiny; with very many vertices.
    sliver = Geometry.from_wkt(runtime, "POLYGON ((0 0, 1000000 1000000, 1000000 1000001, 0 1, 0 0))")
    assert depth(shaped(sliver), shaped(sliver.label_point())) > 0.3
    thin = Geometry.from_wkt(runtime, "POLYGON ((0 0, 1e9 1e9, 1e9 1000000001, 0 0))")
    assert shaped(thin).buffer(1e-6).contains(shaped(thin.label_point()))
    far = Geometry.from_wkt(runtime, "POLYGON ((1e15 1e15, 1000000000000004 1e15, 1000000000000004 1000000000000004, 1e15 1e15))")
    assert shaped(far).contains(shaped(far.label_point()))
    tiny = Geometry.from_wkt(runtime, "POLYGON ((0 0, 4e-30 0, 4e-30 4e-30, 0 4e-30, 0 0))")
    assert np.allclose(tiny.label_point().xy[0] * 1e30, (2, 2), atol=0.05)
    round_one = shapely.geometry.Point(5, 5).buffer(3, resolution=50_000)
    label = Geometry.from_wkb(runtime, round_one.wkb).label_point()
    assert depth(round_one, shaped(label)) > 2.97

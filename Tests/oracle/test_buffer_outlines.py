"""Planar buffers and offset curves against exact distances: what is in, where the outline runs, what is covered."""

import math
import random
from pathlib import Path

import numpy as np
import pytest
import shapely.affinity
import shapely.geometry
import shapely.wkb
import shapely.wkt

import outlines
from alidade import Geometry, GeometryArray
from alidade.geometry import BufferCap, BufferJoin, BufferSide, GeometryKind, OffsetJoin

FEATURES = Path(__file__).resolve().parents[1] / "data" / "features"


def shape(geometry):
    return shapely.wkb.loads(geometry.to_wkb())


def buffer(runtime, original, distance, **options):
    return shape(Geometry.from_wkb(runtime, original.wkb).buffer(distance, **options))


# What GEOS 3.11 gets wrong


@pytest.mark.parametrize(
    ("wkt", "distance", "area"),
    [
        ("LINESTRING (17 9, 10 20, 16 7, 17 9)", 100, 34351.6),
        ("LINESTRING (4 10, 3 11, 4 12, 3 11, 4 10)", 3, 43.60),
        ("LINESTRING (-1000 0, 0 0, 1000 -148)", 100, None),
        ("LINESTRING (5 5, 1 1, 1.5 3)", 1.6, None),
    ],
)
@pytest.mark.parametrize("segments", [4, 16, 200])
def test_published_lines_have_all_of_their_area(runtime, wkt, distance, area, segments):
    line = shapely.wkt.loads(wkt)
    made = buffer(runtime, line, distance, quadrant_segments=segments)
    true = outlines.polyline_area(line, distance)
    assert area is None or area == pytest.approx(true, rel=2e-3), "as published"
    deviation = distance * (1 - math.cos(math.pi / (4 * segments)))
    assert true - deviation * made.length <= made.area <= true * (1 + 1e-6)
    assert outlines.fault(made, line, distance, segments, np.random.default_rng(1), 2000) is None


@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("is_scaled", [False, True])
def test_outlines_keep_the_promised_deviation(runtime, seed, is_scaled):
    source, numbers = random.Random(seed), np.random.default_rng(seed)
    for _ in range(5):
        original = outlines.random_shape(source)
        distance, segments = source.choice([0.01, 0.3, 1, 2.5, 3, 7, 10, 100]), source.choice([1, 2, 4, 8, 16])
        if original.geom_type.endswith("Polygon") and source.random() < 0.5:
            distance = -min(distance, 3)
        if is_scaled:
            factor = 10.0 ** source.randint(-30, 30)
            offset = source.choice([0, 0, 1e3, 1e6, 1e9, 1e12]) * factor
            original = shapely.affinity.affine_transform(original, [factor, 0, 0, factor, offset, offset / 3])
            distance *= factor
        # Nearer to 0 a distance counts as 0.
        is_visible = abs(distance) > 65 * np.spacing(max(map(abs, original.bounds), default=0))
        if outlines.is_usable(original) and is_visible:
            made = buffer(runtime, original, distance, quadrant_segments=segments)
            found = outlines.fault(made, original, distance, segments, numbers)
            assert found is None, f"{found}: {distance}, {segments}, {original.wkt}"


@pytest.mark.parametrize("count", [300, 3000])
def test_long_lines_that_hardly_move(runtime, count):
    """Each segment is short against the distance, and has hundreds of neighbours within it."""
    numbers = np.random.default_rng(count)
    line = shapely.geometry.LineString(np.cumsum(numbers.normal(size=(count, 2)), 0))
    made = buffer(runtime, line, 10, quadrant_segments=8)
    assert made.is_valid
    places = numbers.uniform(line.bounds[:2], line.bounds[2:], (500, 2))
    for place in map(shapely.geometry.Point, places):
        away = line.distance(place)
        assert abs(away - 10) < 10 * (1 - math.cos(math.pi / 32)) + 1e-9 or made.contains(place) == (away < 10)


@pytest.mark.parametrize("distance", [-3, -0.5, 0.5, 3])
def test_polygons_of_many_vertices(runtime, distance):
    angles = np.linspace(0, 2 * math.pi, 3001)[:-1]
    radii = 50 + 5 * np.sin(40 * angles) + 0.2 * np.random.default_rng(3).random(3000)
    ring = np.stack([radii * np.cos(angles), radii * np.sin(angles)], 1)
    polygon = shapely.geometry.Polygon(ring, [ring[::-3] * 0.5])
    made = buffer(runtime, polygon, distance, quadrant_segments=8)
    assert outlines.fault(made, polygon, distance, 8, np.random.default_rng(4)) is None


def test_a_hole_stays_where_it_is(runtime):
    """GEOS left a hole nearer to the outline than the distance."""
    polygon = shapely.geometry.box(0, 0, 300, 300).difference(shapely.geometry.Point(150, 150).buffer(100))
    for distance in [60, 99, -20]:
        made = buffer(runtime, polygon, distance)
        assert outlines.fault(made, polygon, distance, 16, np.random.default_rng(4)) is None
        assert len(made.interiors) == (distance != 100)
    assert not buffer(runtime, polygon, 101).interiors


@pytest.mark.parametrize(("distance", "segments"), [(60, 16), (60, 8), (7.8, 16), (-10, 16)])
def test_a_dense_outline_of_gis_data(runtime, distance, segments):
    """The input of JTS's TestBigNastyBuffer: its buffer of 60 came out with a hole within 7.8 of the polygon."""
    polygon = shapely.wkt.loads((FEATURES / "big_nasty.wkt").read_text())
    made = buffer(runtime, polygon, distance, quadrant_segments=segments)
    assert outlines.fault(made, polygon, distance, segments, np.random.default_rng(60), 500) is None
    assert made.covers(polygon) if distance > 0 else polygon.covers(made)
    expected = polygon.buffer(distance, resolution=64)
    # GEOS takes out small dents of the outline before.
    deviation = abs(distance) * (1 - math.cos(math.pi / (4 * segments)) + 1e-3)
    assert expected.is_valid and made.symmetric_difference(expected).area <= deviation * expected.length
    if distance > 0:
        assert made.geom_type == expected.geom_type == "Polygon"
        assert len(made.interiors) == len(expected.interiors)


# Caps and joins


@pytest.mark.parametrize("limit", [1, 2.5, 5])
@pytest.mark.parametrize("degrees", [1, 30, 80, 130, 155, 175, 180])
def test_mitres(runtime, degrees, limit):
    """Two long segments with a turn between them: the area of each piece by formula."""
    turn = math.radians(degrees)
    line = shapely.geometry.LineString([(-1000, 0), (0, 0), (1000 * math.cos(turn), 1000 * math.sin(turn))])
    made = buffer(runtime, line, 2, join=BufferJoin.MITRE, cap=BufferCap.FLAT, mitre_limit=limit)
    tip = min(2 / math.cos(turn / 2) if degrees < 180 else math.inf, 2 * limit)
    bisector = (math.sin(turn / 2), -math.cos(turn / 2)) if degrees < 180 else (1, 0)
    reach = max(np.array(made.exterior.coords) @ bisector)
    assert made.is_valid and reach == pytest.approx(tip, rel=1e-9)


def test_ends_that_meet_have_no_caps(runtime):
    ring = shapely.geometry.LineString([(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)])
    made = buffer(runtime, ring, 1, cap=BufferCap.FLAT, join=BufferJoin.MITRE)
    assert made.equals(shapely.geometry.box(-1, -1, 11, 11).difference(shapely.geometry.box(1, 1, 9, 9)))


def test_strips_end_where_they_meet(runtime):
    corner = shapely.geometry.LineString([(0, 0), (100, 0), (100 - 80, 80)])
    for side, sign in [(BufferSide.LEFT, 1), (BufferSide.RIGHT, -1)]:
        for line in [corner, shapely.geometry.LineString(list(corner.coords)[::-1])]:
            made = buffer(runtime, line, 5, side=side)
            expected = line.buffer(sign * 5, resolution=16, single_sided=True)
            assert made.symmetric_difference(expected).area < 0.01


@pytest.mark.parametrize("join", list(BufferJoin))
def test_mitres_of_a_line_far_smaller_than_the_distance(runtime, join):
    line = shapely.geometry.LineString([(0, 0), (1, 0), (0, 1e-3), (3, 4)])
    made = buffer(runtime, line, 1e20, join=join)
    assert made.is_valid and made.contains(shapely.geometry.Point(1, 1)) and made.area > 2e40


# Offset curves


@pytest.mark.parametrize("distance", [1.6, -1.6])
def test_an_offset_curve_ends_with_its_line(runtime, distance):
    line = shapely.wkt.loads("LINESTRING (5 5, 1 1, 1.5 3)")
    curve = shape(Geometry.from_wkb(runtime, line.wkb).offset_curve(distance))
    assert curve.distance(line) >= 1.6 * math.cos(math.pi / 64) * (1 - 1e-12)


@pytest.mark.parametrize("seed", range(60))
def test_offset_curves_keep_their_distance(runtime, seed):
    source, numbers = random.Random(seed), np.random.default_rng(seed)
    for _ in range(5):
        line = outlines.random_shape(source)
        if line.geom_type not in ("LineString", "LinearRing") or not outlines.is_usable(line):
            continue
        distance = source.choice([0.01, 0.3, 1, 3, 10]) * source.choice([1, -1])
        curve = shape(Geometry.from_wkb(runtime, shapely.geometry.LineString(line).wkb).offset_curve(distance))
        if curve.is_empty:
            continue
        step = 16 * np.spacing(max(map(abs, curve.bounds)))
        for path in outlines.paths(curve):
            away = outlines.distances(outlines.along(path, numbers), outlines.paths(line))
            assert away.min() >= abs(distance) * math.cos(math.pi / 64) - step
            assert away.max() <= abs(distance) * (1 + 1e-12) + step


def test_offset_curves_run_along_their_line(runtime):
    line = Geometry.from_wkt(runtime, "LINESTRING (0 0, 10 0, 10 10)")
    left, right = (shape(line.offset_curve(distance, join=OffsetJoin.MITRE)) for distance in (1, -1))
    assert list(left.coords) == [(0, 1), (9, 1), (9, 10)]
    assert list(right.coords) == [(0, -1), (11, -1), (11, 10)]


def test_offset_curves_of_polygons_are_outlines(runtime):
    polygon = shapely.geometry.box(0, 0, 10, 10).difference(shapely.geometry.box(4, 4, 6, 6))
    geometry = Geometry.from_wkb(runtime, polygon.wkb)
    for distance in (0.5, -0.5, 3, -4):
        curve = shape(geometry.offset_curve(distance, join=OffsetJoin.MITRE))
        expected = shape(geometry.buffer(distance, join=BufferJoin.MITRE)).boundary
        assert curve.equals(expected)


def test_unions_of_lines_and_polygons(runtime):
    numbers = np.random.default_rng(8)
    for count in (2, 40, 300):
        shapes = []
        for at in numbers.uniform(0, 100, (count, 2)):
            corners = at + numbers.normal(size=(3, 2)) * 3
            shapes.append(source_shape(numbers, corners))
        array = GeometryArray.from_wkb(runtime, [made.wkb for made in shapes])
        made = shape(array.buffer_union(2))
        assert made.is_valid
        places = numbers.uniform(0, 100, (300, 2))
        for place in map(shapely.geometry.Point, places):
            away = min(one.distance(place) for one in shapes)
            assert abs(away - 2) < 0.003 or made.contains(place) == (away < 2)


def source_shape(numbers, corners):
    kinds = [shapely.geometry.LineString, shapely.geometry.Polygon, lambda points: shapely.geometry.Point(points[0])]
    return kinds[numbers.integers(3)](corners)


# Circles far from the origin


def circle_union(runtime, centres, radius, segments):
    array = GeometryArray.from_columns(runtime, centres, kind=GeometryKind.POINT)
    return shape(array.buffer_union(radius, quadrant_segments=segments))


@pytest.mark.parametrize("offset", [-3e7, 3e7, 1e9, 1e12])
def test_circles_that_meet_in_points_far_away(runtime, offset):
    """Rounding merges the points where a hole nearly touches the outline twice: what is between is a part of its own."""
    centres = np.array([[3, 4], [2, 0], [4, 2], [1, 2]]) + offset
    made = circle_union(runtime, centres, math.sqrt(2), 8)
    assert made.is_valid and made.area == pytest.approx(23.6072, rel=1e-4)


@pytest.mark.parametrize("seed", range(20))
def test_adversarial_circles_far_away(runtime, seed):
    numbers = np.random.default_rng(seed)
    for _ in range(30):
        centres = numbers.integers(0, 6, (numbers.integers(2, 9), 2)).astype(float)
        offset = numbers.choice([3e7, 1e8, 1e9, 1e10, 1e12, -3e7])
        radius, segments = math.sqrt(numbers.choice([1, 2, 4, 5, 8])), int(numbers.choice([1, 2, 4, 8, 16]))
        made = circle_union(runtime, centres + offset, radius, segments)
        near = circle_union(runtime, centres, radius, segments)
        assert made.is_valid
        assert abs(made.area - near.area) <= 1e-3 * near.area + 20 * near.length * np.spacing(abs(offset))

"""Relations of polylines and polygons against a computation in fractions."""

import math
import random

import numpy as np
import pytest
import shapely.geometry
import shapely.wkt

import exact_relations
from alidade import Geometry, GeometryArray, Predicate
from alidade.errors import InvalidArgumentError
from alidade.geometry import TestResult


def polyline(runtime, lines):
    return Geometry.from_wkb(runtime, shapely.geometry.MultiLineString(lines).wkb)


def test_a_line_contains_the_middle_of_one_that_crosses_itself(runtime):
    line = Geometry.from_wkt(runtime, "LINESTRING (1 0, 0 2, 0 0, 2 2)")
    diagonal = Geometry.from_wkt(runtime, "LINESTRING (0 0, 2 2)")
    assert line.contains(diagonal) and diagonal.within(line) and line.covers(diagonal)
    assert line.relate(diagonal) == "101F00FF2"


# What GEOS 3.11.1 and Shapely have 0 for where it is 1, or a touch where the line enters by the rounding of doubles.
@pytest.mark.parametrize("a, b, matrix", [
    ("MULTIPOLYGON (((1 0, 4 6, 6 6, 3 2, 6 2, 1 0)), ((2 5, 0 1, 2 4, 2 5)))",
     "MULTILINESTRING ((1 0, 4 6, 0 1, 6 6, 5 4, 1 0), (2 0, 3 3))", "1021F1102"),
    ("POLYGON ((1000000.4 300001.4, 1000000.2 300001.4, 1000000.2 300002.1, 1000000 300000.7, 1000000 300001.4, "
     "1000000.3 300002.8, 1000000.4 300001.4))", "LINESTRING (1000000.1 300001.4, 1000000.3 300000)", "1020F1102"),
    # Two triangles that touch where a line passes: it leaves neither there.
    ("MULTIPOLYGON (((0 0, 4 0, 2 2, 0 0)), ((2 2, 4 4, 0 4, 2 2)))", "LINESTRING (2 1, 2 3)", "1020F1FF2"),
])
def test_lines_against_polygons(runtime, a, b, matrix):
    shapes = shapely.wkt.loads(a), shapely.wkt.loads(b)
    assert exact_relations.relate(*shapes) == matrix
    mine, other = Geometry.from_wkt(runtime, a), Geometry.from_wkt(runtime, b)
    assert mine.relate(other) == matrix
    assert other.relate(mine) == "".join(matrix[column::3] for column in range(3))


@pytest.mark.parametrize("size", [1e-101, 5e-324, -1e-200])
def test_coordinates_whose_products_vanish_are_refused(runtime, size):
    """Their cross products are 0 in doubles, as if all of them lay on one line."""
    steep = polyline(runtime, [[(0, 0), (size, 2 * size)]])
    flat = polyline(runtime, [[(0, 0), (2 * size, size)]])
    for one, other in ((steep, flat), (flat, steep)):
        with pytest.raises(InvalidArgumentError, match="below 1e-100"):
            one.relate(other)
    small = polyline(runtime, [[(0, 0), (1e-100, 2e-100)]])
    assert small.relate(polyline(runtime, [[(0, 0), (2e-100, 1e-100)]])) == "FF1F00102"


def random_lines(source, unit):
    """Few points, so that much is shared: ends, stretches and crossings where a third line ends."""
    size = source.choice([2, 3, 6])
    lines = []
    for _ in range(source.choice([1, 1, 1, 2, 3])):
        while len({*(line := [(source.randint(0, size), source.randint(0, size)) for _ in range(source.randint(2, 6))])}) < 2:
            pass
        if source.random() < 0.2:
            line.append(line[0])
        lines.append([(x * unit[0] + unit[2], y * unit[1] + unit[3]) for x, y in line])
    return lines


# Units whose multiples are rounded: what looks collinear is not, and is not taken for it.
UNITS = [(1, 1, 0, 0), (0.1, 0.1, 0, 0), (0.1, 0.7, 1e6, 3e5), (1 / 3, 1 / 7, 100.1, -50.3), (1e-30, 1e-30, 0, 0),
         (1e70, 1e70, 0, 0)]


def random_polygon(source, unit):
    """One or two polygons, or one with a hole."""
    size = source.choice([3, 4, 6])

    def ring(count):
        places = [(source.randint(0, size), source.randint(0, size)) for _ in range(count)]
        return [(x * unit[0] + unit[2], y * unit[1] + unit[3]) for x, y in places]

    while True:
        shell = ring(source.randint(3, 7))
        one, other = shapely.geometry.Polygon(shell), shapely.geometry.Polygon(ring(source.randint(3, 4)))
        choices = [one]
        if other.is_valid and other.area > 0 and source.random() < 0.6:
            choices = [shapely.geometry.Polygon(shell, [other.exterior.coords]), shapely.geometry.MultiPolygon([one, other])]
        for shape in choices:
            if shape.is_valid and shape.area > 0:
                return shape


def random_shape(source, unit):
    if source.random() < 0.5:
        return random_polygon(source, unit)
    return shapely.geometry.MultiLineString(random_lines(source, unit))


@pytest.mark.parametrize("seed", range(60))
def test_random_shapes(runtime, seed):
    source = random.Random(seed)
    unit = source.choice(UNITS)
    for _ in range(30):
        a, b = random_shape(source, unit), random_shape(source, unit)
        matrix = exact_relations.relate(a, b)
        mine, other = Geometry.from_wkb(runtime, a.wkb), Geometry.from_wkb(runtime, b.wkb)
        assert mine.relate(other) == matrix, (a.wkt, b.wkt)
        prepared = mine.prepared()
        array = GeometryArray.from_wkb(runtime, [other.to_wkb()])
        for predicate in Predicate:
            holds = exact_relations.holds(predicate, a, b)
            assert mine.test(predicate, other).holds == holds, (predicate, a.wkt, b.wkt)
            assert prepared.test(predicate, other).holds == holds, (predicate, a.wkt, b.wkt)
            assert list(prepared.test_array(predicate, array).results) == [TestResult.YES if holds else TestResult.NO]


def test_long_lines(runtime):
    """A tree finds what meets: 20,000 segments against as many."""
    wave = [(i, i % 2) for i in range(20_001)]
    line, again = polyline(runtime, [wave]), polyline(runtime, [wave[::-1]])
    assert line.relate(again) == "1FFF0FFF2" and line.test(Predicate.EQUALS, again).holds
    other = polyline(runtime, [[(x, 1 - y) for x, y in wave]])
    assert line.relate(other) == "0F1FF0102"


# Many lines and polygons that end in one point


def directions(source, count):
    """Steps on a grid, each in another direction, counterclockwise."""
    found = {}
    while len(found) < count:
        x, y = source.randint(-12, 12), source.randint(-12, 12)
        if x or y:
            found[(x // math.gcd(x, y), y // math.gcd(x, y))] = (x, y)
    return sorted(found.values(), key=lambda step: math.atan2(step[1], step[0]))


def random_fan(source, unit):
    """Triangles, triangular holes or lines that meet in one of two points, and some that pass it or end near it."""
    centre = source.choice([(0, 0), (0, 0), (0, 0), (2, 1)])
    place = lambda x, y: ((centre[0] + x) * unit[0] + unit[2], (centre[1] + y) * unit[1] + unit[3])
    steps = directions(source, source.choice([4, 18, 20]))
    kind = source.choice(["triangles", "holes", "lines", "one line", "passing"])
    if kind in ("triangles", "holes"):
        rings = [[place(0, 0), place(*one), place(*other)] for one, other in zip(steps[::2], steps[1::2])]
        for ring in rings:
            turn = source.randrange(3)
            ring[:] = [*ring[turn:], *ring[:turn]][:: source.choice([1, -1])]
        shell = [place(-30, -30), place(30, -30), place(30, 30), place(-30, 30)]
        made = shapely.geometry.MultiPolygon([(ring, []) for ring in rings])
        if kind == "holes":
            made = shapely.geometry.Polygon(shell, rings)
        return made if made.is_valid else None
    lines = [[place(*step), place(0, 0)][:: source.choice([1, -1])] for step in steps]
    if kind == "one line":
        lines = [[point for line in lines for point in (place(0, 0), line[source.choice([0, -1])])]]
        lines = [[point for index, point in enumerate(lines[0]) if index == 0 or point != lines[0][index - 1]]]
    if kind == "passing" or source.random() < 0.3:
        lines += [[place(-x, -y), place(2 * x, 2 * y)] for x, y in steps[::3]]
        lines += [[place(x + 1, y), place(x, y + 1)] for x, y in steps[::2]]
    return shapely.geometry.MultiLineString(lines)


@pytest.mark.parametrize("seed", range(80))
def test_random_fans(runtime, seed):
    """At more than 16 ends of segments in one point these are put in order once, and not compared with each other."""
    source = random.Random(seed)
    a = b = None
    while a is None or b is None:
        unit = source.choice(UNITS)
        a, b = random_fan(source, unit), source.choice([random_fan, random_fan, random_shape])(source, unit)
    matrix = exact_relations.relate(a, b)
    mine, other = Geometry.from_wkb(runtime, a.wkb), Geometry.from_wkb(runtime, b.wkb)
    assert mine.relate(other) == matrix, (a.wkt, b.wkt)
    assert other.relate(mine) == "".join(matrix[column::3] for column in range(3)), (a.wkt, b.wkt)
    prepared = mine.prepared()
    for predicate in Predicate:
        assert prepared.test(predicate, other).holds == exact_relations.holds(predicate, a, b), (predicate, a.wkt, b.wkt)


def star(count, turn, share, radii):
    """Triangles around (0, 0), of a share of the angle each."""
    angles = (np.arange(count) + turn) * 2 * math.pi / count
    rings = np.zeros((count, 4, 2))
    for index, angle in ((1, angles), (2, angles + share * 2 * math.pi / count)):
        rings[:, index] = radii[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1)
    return shapely.geometry.MultiPolygon([(ring, []) for ring in rings])


@pytest.mark.parametrize(("turn", "share"), [(0.0, 0.5), (0.2, 0.5), (0.55, 0.4), (0.1, 0.3)])
@pytest.mark.parametrize("is_even", [False, True])
def test_stars_as_GEOS_has_them(runtime, turn, share, is_even):
    """Hundreds of triangles, which share a corner, against as many; their outlines, and lines through the corner."""
    count = 400
    radii = np.ones(count) if is_even else np.random.default_rng(count).uniform(0.5, 1, count)
    a, b = star(count, 0, 0.5, np.ones(count)), star(count, turn, share, radii)
    lines = shapely.geometry.MultiLineString([ring.exterior.coords for ring in b.geoms])
    for one, other in [(a, b), (b, a), (a, lines), (lines, a)]:
        mine, others = Geometry.from_wkb(runtime, one.wkb), Geometry.from_wkb(runtime, other.wkb)
        assert mine.relate(others) == one.relate(other)


@pytest.mark.parametrize("count", [400, 50_000])
def test_lines_of_one_point(runtime, count):
    """50,000 lines that end in one point: 2,500,000,000 pairs, none of which is looked at. GEOS has 400 of them."""
    angles = np.linspace(0, 2 * math.pi, count + 1)[:-1]
    ends = np.stack([np.cos(angles), np.sin(angles)], 1)
    lines = shapely.geometry.MultiLineString([[(0, 0), tuple(end)] for end in ends])
    between = shapely.geometry.MultiLineString([[(0, 0), tuple(end)] for end in (ends + np.roll(ends, 1, 0)) / 2])
    longer = shapely.geometry.MultiLineString([[tuple(2 * end), (0, 0)] for end in ends[::-1]])
    # The even number of ends in the middle makes it a point of the interior.
    for one, other, matrix in [
        (lines, lines, "1FFF0FFF2"), (lines, between, "0F1FF0102"), (lines, longer, "1FF0FF102"), (longer, lines, "101FF0FF2")
    ]:
        assert count > 400 or one.relate(other) == matrix
        mine, others = Geometry.from_wkb(runtime, one.wkb), Geometry.from_wkb(runtime, other.wkb)
        assert mine.relate(others) == matrix

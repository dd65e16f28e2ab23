"""Relations of polylines against a computation in fractions."""

import random

import pytest
import shapely.geometry
import shapely.wkt

import line_relations
from alidade import Answer, Geometry, GeometryArray, InvalidArgumentError, Predicate


def polyline(runtime, lines):
    return Geometry.from_wkb(runtime, shapely.geometry.MultiLineString(lines).wkb)


def test_a_line_contains_the_middle_of_one_that_crosses_itself(runtime):
    line = Geometry.from_wkt(runtime, "LINESTRING (1 0, 0 2, 0 0, 2 2)")
    diagonal = Geometry.from_wkt(runtime, "LINESTRING (0 0, 2 2)")
    assert line.contains(diagonal) and diagonal.within(line) and line.covers(diagonal)
    assert line.relate(diagonal) == line_relations.relate([[(1, 0), (0, 2), (0, 0), (2, 2)]], [[(0, 0), (2, 2)]])


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
    """Few places, so that much is shared: ends, stretches and crossings where a third line ends."""
    size = source.choice([2, 3, 6])
    lines = []
    for _ in range(source.choice([1, 1, 1, 2, 3])):
        while len({*(line := [(source.randint(0, size), source.randint(0, size)) for _ in range(source.randint(2, 6))])}) < 2:
            pass
        if source.random() < 0.2:
            line.append(line[0])
        lines.append([(x * unit[0] + unit[2], y * unit[1] + unit[3]) for x, y in line])
    return lines


@pytest.mark.parametrize("seed", range(60))
def test_random_lines(runtime, seed):
    source = random.Random(seed)
    # Units whose multiples are rounded: what looks collinear is not, and is not taken for it.
    unit = source.choice([(1, 1, 0, 0), (0.1, 0.1, 0, 0), (0.1, 0.7, 1e6, 3e5), (1e-30, 1e-30, 0, 0), (1e70, 1e70, 0, 0)])
    for _ in range(30):
        a, b = random_lines(source, unit), random_lines(source, unit)
        expected = line_relations.relate(a, b)
        mine, other = polyline(runtime, a), polyline(runtime, b)
        assert mine.relate(other) == expected, (a, b)
        prepared = mine.prepared()
        array = GeometryArray.from_wkb(runtime, [other.to_wkb()])
        for predicate in Predicate:
            holds = line_relations.holds(predicate, expected)
            assert mine.test(predicate, other).holds == holds, (predicate, a, b)
            assert prepared.test(predicate, other).holds == holds, (predicate, a, b)
            assert list(prepared.test_array(predicate, array).answers) == [Answer.YES if holds else Answer.NO]


def test_long_lines(runtime):
    """A tree finds what meets: 20,000 segments against as many."""
    wave = [(i, i % 2) for i in range(20_001)]
    line, again = polyline(runtime, [wave]), polyline(runtime, [wave[::-1]])
    assert line.relate(again) == "1FFF0FFF2" and line.test(Predicate.EQUALS, again).holds
    other = polyline(runtime, [[(x, 1 - y) for x, y in wave]])
    assert line.relate(other) == "0F1FF0102"

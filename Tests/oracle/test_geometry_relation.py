"""DE-9IM matrices, predicates and prepared geometries: against Shapely, on the same GEOS; of lines and polygons in fractions."""

import random
import threading

import numpy as np
import pyproj
import pytest
import shapely.geometry
import shapely.ops
import shapely.prepared
import shapely.wkb
import shapely.wkt

import alidade
import exact_relations
from alidade import Geometry, GeometryArray, Predicate
from alidade.geometry import TestResult
from operands import GRIDS, shape

METHODS = {
    Predicate.EQUALS: "equals",
    Predicate.DISJOINT: "disjoint",
    Predicate.INTERSECTS: "intersects",
    Predicate.TOUCHES: "touches",
    Predicate.CROSSES: "crosses",
    Predicate.WITHIN: "within",
    Predicate.CONTAINS: "contains",
    Predicate.OVERLAPS: "overlaps",
    Predicate.COVERS: "covers",
    Predicate.COVERED_BY: "covered_by",
}
# OGC 06-103r4, 6.1.15, and JTS for the two that OGC does not have.
PATTERNS = {
    Predicate.DISJOINT: ["FF*FF****"],
    Predicate.WITHIN: ["T*F**F***"],
    Predicate.CONTAINS: ["T*****FF*"],
    Predicate.COVERS: ["T*****FF*", "*T****FF*", "***T**FF*", "****T*FF*"],
    Predicate.COVERED_BY: ["T*F**F***", "*TF**F***", "**FT*F***", "**F*TF***"],
}
BOW_TIE = "POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))"


def expected(a, b, predicate):
    if exact_relations.can_relate(a, b):
        return exact_relations.holds(predicate, a, b)
    if predicate is Predicate.COVERED_BY:
        return b.covers(a)
    return getattr(a, METHODS[predicate])(b)


@pytest.mark.parametrize("seed", range(40))
def test_as_shapely_has_it(runtime, seed):
    source = random.Random(seed)
    grid = GRIDS[seed % len(GRIDS)]
    for _ in range(50):
        a, b = shape(source, grid), shape(source, grid)
        if source.random() < 0.1:
            b = a
        mine, other = Geometry.from_wkb(runtime, a.wkb), Geometry.from_wkb(runtime, b.wkb)
        matrix = exact_relations.relate(a, b) if exact_relations.can_relate(a, b) else a.relate(b)
        assert mine.relate(other) == matrix, (a.wkt, b.wkt)
        prepared = mine.prepared()
        for predicate in Predicate:
            holds = expected(a, b, predicate)
            assert mine.test(predicate, other) == (holds, None), (predicate, a.wkt, b.wkt)
            assert prepared.test(predicate, other) == (holds, None), (predicate, a.wkt, b.wkt)
            if predicate in PATTERNS and not (a.is_empty or b.is_empty):
                assert any(mine.matches(other, pattern) for pattern in PATTERNS[predicate]) == holds
        distance = source.choice([0.0, 0.5, 1.0, 2.0])
        apart = float("inf") if a.is_empty or b.is_empty else a.distance(b)
        # At a hair's breadth GEOS rounds one way or the other.
        if distance == 0 or abs(apart - distance) > 1e-12:
            assert prepared.within_distance(other, distance) == (apart <= distance), (a.wkt, b.wkt, distance)


def test_methods(runtime):
    square = Geometry.from_wkt(runtime, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))")
    again = Geometry.from_wkt(runtime, "POLYGON ((4 4, 0 4, 0 0, 2 0, 4 0, 4 4))")
    assert square.spatially_equals(again) and not square.equals(again)
    shapes = ["POINT (1 1)", "POINT (0 1)", "LINESTRING (-1 1, 1 1)", "POLYGON ((3 3, 5 3, 5 5, 3 3))", "POINT (9 9)"]
    for text in shapes:
        a, b = shapely.wkt.loads(square.to_wkt()), shapely.wkt.loads(text)
        other = Geometry.from_wkt(runtime, text)
        for name in ["disjoint", "intersects", "touches", "crosses", "within", "contains", "overlaps", "covers"]:
            assert getattr(square, name)(other) == getattr(a, name)(b), (name, text)
            assert getattr(other, name)(square) == getattr(b, name)(a), (name, text)
        assert other.covered_by(square) == a.covers(b)


# From the examples of DE-9IM in OGC 06-103r4 and in the documentation of JTS and PostGIS (ST_Relate).
EXAMPLES = [
    ("POINT (1 2)", "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))", "0FFFFF212"),
    ("LINESTRING (1 2, 3 4)", "LINESTRING (5 6, 7 8)", "FF1FF0102"),
    ("POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))", "POLYGON ((1 1, 3 1, 3 3, 1 3, 1 1))", "212101212"),
    ("POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))", "POLYGON ((2 0, 4 0, 4 2, 2 2, 2 0))", "FF2F11212"),
]


@pytest.mark.parametrize(("a", "b", "matrix"), EXAMPLES)
def test_published_matrices(runtime, a, b, matrix):
    assert Geometry.from_wkt(runtime, a).relate(Geometry.from_wkt(runtime, b)) == matrix


@pytest.mark.parametrize("seed", range(6))
def test_arrays(runtime, seed):
    source = random.Random(seed)
    one = shape(source, "thirds", empty=0)
    shapes = [shape(source, "thirds") for _ in range(600)]
    array = GeometryArray.from_wkb(runtime, [other.wkb for other in shapes])
    prepared = Geometry.from_wkb(runtime, one.wkb).prepared()
    for predicate in Predicate:
        answers, receipt = prepared.test_array(predicate, array)
        assert receipt is None and answers.dtype == np.uint8
        assert answers.tolist() == [expected(one, other, predicate) for other in shapes]
    near = prepared.within_distance(array, 0.75)
    assert near.tolist() == [not other.is_empty and one.distance(other) <= 0.75 for other in shapes]
    assert prepared.intersects(array).tolist() == [one.intersects(other) for other in shapes]
    assert prepared.contains(array).tolist() == [expected(one, other, Predicate.CONTAINS) for other in shapes]
    assert prepared.covers(array).tolist() == [expected(one, other, Predicate.COVERS) for other in shapes]
    empty = GeometryArray.from_wkb(runtime, [])
    assert prepared.intersects(empty).shape == (0,)


def test_prepared_from_many_threads(runtime):
    source = random.Random(5)
    # Large enough that GEOS's indexes, which it makes at the first question, take a while.
    angles = np.linspace(0, 2 * np.pi, 20000, endpoint=False)
    radius = 10 + np.sin(angles * 50)
    star = shapely.geometry.Polygon(np.column_stack([radius * np.cos(angles), radius * np.sin(angles)]))
    points = [shapely.geometry.Point(source.uniform(-12, 12), source.uniform(-12, 12)) for _ in range(400)]
    expected_answers = [shapely.prepared.prep(star).contains(point) for point in points]
    mine = [Geometry.from_wkb(runtime, point.wkb) for point in points]
    array = GeometryArray.from_wkb(runtime, [point.wkb for point in points])
    for _ in range(5):
        prepared = Geometry.from_wkb(runtime, star.wkb).prepared()
        found, barrier = {}, threading.Barrier(8)

        def ask(number):
            barrier.wait()
            if number % 2:
                found[number] = [prepared.contains(point) for point in mine]
            else:
                found[number] = prepared.contains(array).tolist()

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [found[number] for number in range(8)] == [expected_answers] * 8


def test_prepared_outlives_its_geometry(runtime):
    geometry = Geometry.from_wkt(runtime, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))")
    prepared = geometry.prepared()
    geometry.release()
    assert prepared.contains(Geometry.from_wkt(runtime, "POINT (1 1)"))
    prepared.release()
    with pytest.raises(alidade.errors.InvalidHandleError):
        prepared.contains(Geometry.from_wkt(runtime, "POINT (1 1)"))


# Several spatial references


def test_the_second_is_projected(runtime):
    mercator = alidade.SpatialReference.from_code(runtime, 3857)
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    to_mercator = pyproj.Transformer.from_crs(4326, 3857, always_xy=True).transform
    source = random.Random(9)
    for _ in range(20):
        a, b = shape(source, "floats", empty=0), shape(source, "floats", empty=0)
        projected = shapely.ops.transform(to_mercator, b)
        mine = Geometry.from_wkb(runtime, shapely.ops.transform(to_mercator, a).wkb, mercator)
        other = Geometry.from_wkb(runtime, b.wkb, degrees)
        holds, receipt = mine.test(Predicate.INTERSECTS, other)
        assert holds == a.intersects(b) and not mine.disjoint(other) == holds
        vertices = len(other.xy)
        assert receipt.point_count == vertices and receipt.failed_count == 0
        array = GeometryArray.from_wkb(runtime, [b.wkb] * 3, degrees)
        answers, receipt = mine.prepared().test_array(Predicate.INTERSECTS, array)
        assert answers.tolist() == [holds] * 3 and receipt.point_count == 3 * vertices
        union = mine | other
        assert union.spatial_reference.is_equivalent(mercator) and union.projection_receipt.point_count == vertices
        area = shapely.ops.transform(to_mercator, a).union(projected).area
        assert np.isclose(shapely.wkb.loads(union.to_wkb()).area, area, rtol=1e-9)
        near = mine.prepared().test_distance(1e6, other)
        assert near.holds and near.receipt is not None
    # The same under two names is not projected.
    again = Geometry.from_wkt(runtime, "POINT (1 1)", alidade.SpatialReference.from_code(runtime, 3857))
    assert Geometry.from_wkt(runtime, "POINT (1 1)", mercator).test(Predicate.EQUALS, again) == (True, None)


def test_one_without_a_spatial_reference(runtime):
    mercator = alidade.SpatialReference.from_code(runtime, 3857)
    known, unknown = Geometry.from_wkt(runtime, "POINT (1 1)", mercator), Geometry.from_wkt(runtime, "POINT (1 1)")
    for one, two in [(known, unknown), (unknown, known)]:
        for call in [one.intersects, one.relate, one.union, one.prepared().covers]:
            with pytest.raises(alidade.errors.InvalidArgumentError, match="has no spatial reference"):
                call(two)
    assert unknown.spatially_equals(unknown)


# What is refused


def test_invalid_ones_say_where(runtime):
    square = Geometry.from_wkt(runtime, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))")
    bow_tie = Geometry.from_wkt(runtime, BOW_TIE)
    for call, argument in [
        (lambda: square.relate(bow_tie), 2),
        (lambda: bow_tie.relate(square), 1),
        (lambda: square.intersects(bow_tie), 2),
        (lambda: bow_tie.prepared(), 1),
        (lambda: square.prepared().intersects(bow_tie), 2),
    ]:
        with pytest.raises(alidade.errors.InvalidArgumentError, match=r"Self-intersection at \(1, 1\).*Repair it") as e:
            call()
        assert e.value.argument == argument
    assert square.covers(bow_tie.repaired())
    still = Geometry.from_wkt(runtime, "LINESTRING (1 1, 1 1)")
    with pytest.raises(alidade.errors.InvalidArgumentError, match="all vertices of a line are at the same point"):
        square.intersects(still)


def test_invalid_ones_of_an_array(runtime):
    square = Geometry.from_wkt(runtime, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))")
    texts = ["POINT (1 1)"] * 700 + [BOW_TIE, "POINT (9 9)", BOW_TIE, "POINT (1e200 0)"]
    array = GeometryArray.from_wkb(runtime, [Geometry.from_wkt(runtime, text).to_wkb() for text in texts])
    prepared = square.prepared()
    with pytest.raises(alidade.errors.InvalidArgumentError, match=r"Geometry 700 .*Self-intersection at \(1, 1\)"):
        prepared.intersects(array)
    answers = prepared.test_array(Predicate.INTERSECTS, array, skip_invalid=True).results
    assert answers.tolist() == [TestResult.YES] * 700 + [TestResult.UNKNOWN, TestResult.NO, TestResult.UNKNOWN, TestResult.UNKNOWN]
    answers = prepared.test_array_distance(1, array, skip_invalid=True).results
    assert answers.tolist() == [TestResult.YES] * 700 + [TestResult.UNKNOWN, TestResult.NO, TestResult.UNKNOWN, TestResult.UNKNOWN]


@pytest.mark.parametrize("number", ["1e101", "1e308", "-1e200"])
def test_huge_coordinates(runtime, number):
    square = Geometry.from_wkt(runtime, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))")
    for text in [f"POINT ({number} 0)", f"LINESTRING (0 0, 1 {number})", f"GEOMETRYCOLLECTION (POINT (0 {number}))"]:
        with pytest.raises(alidade.errors.InvalidArgumentError, match="beyond 1e100"):
            square.intersects(Geometry.from_wkt(runtime, text))


def test_coordinates_that_are_too_small(runtime):
    """Valid polygons whose edges differ by less than the resolution of products of doubles."""
    first = Geometry.from_wkt(runtime, "POLYGON ((1e-219 1e-219, -1 -1, 2 4.28e-219, 1e-219 1e-219))")
    second = Geometry.from_wkt(runtime, "POLYGON ((2 4.28e-219, 1 1e-219, 0 1e-219, 2 4.28e-219))")
    with pytest.raises(alidade.errors.InvalidArgumentError, match="below 1e-100"):
        first.relate(second)


def test_large_coordinates_that_are_taken(runtime):
    large = Geometry.from_wkt(runtime, "POLYGON ((0 0, 1e99 0, 1e99 1e99, 0 1e99, 0 0))")
    assert large.contains(Geometry.from_wkt(runtime, "POINT (5e98 5e98)"))
    assert large.relate(Geometry.from_wkt(runtime, "LINESTRING (-1e99 5e98, 5e98 5e98)")) == "1020F1102"


def test_collections(runtime):
    collection = Geometry.from_wkt(
        runtime, "GEOMETRYCOLLECTION (POINT (1 1), GEOMETRYCOLLECTION (LINESTRING (5 5, 9 5), POLYGON EMPTY))"
    )
    square = Geometry.from_wkt(runtime, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))")
    corner = Geometry.from_wkt(runtime, "POLYGON ((6 4, 8 4, 8 6, 6 4))")
    away = Geometry.from_wkt(runtime, "POINT (5 1)")
    nothing = Geometry.from_wkt(runtime, "GEOMETRYCOLLECTION (POINT EMPTY)")
    for other, meets in [(square, True), (corner, True), (away, False), (collection, True), (nothing, False)]:
        for one, two in [(collection, other), (other, collection)]:
            assert one.intersects(two) == meets and one.disjoint(two) != meets
            assert one.prepared().intersects(two) == meets
    assert collection.prepared().within_distance(away, 4) and not collection.prepared().within_distance(away, 3.9)
    assert away.prepared().within_distance(collection, 4)
    with pytest.raises(alidade.errors.UnsupportedError, match="collections"):
        collection.relate(square)
    with pytest.raises(alidade.errors.UnsupportedError, match="collections"):
        square.prepared().contains(collection)
    array = GeometryArray.from_wkb(runtime, [square.to_wkb(), collection.to_wkb()])
    with pytest.raises(alidade.errors.UnsupportedError, match="Geometry 1: .*collections"):
        square.prepared().covers(array)
    assert square.prepared().intersects(array).tolist() == [True, True]
    # An empty one has no members that could overlap.
    empty = shapely.wkt.loads("GEOMETRYCOLLECTION EMPTY")
    assert nothing.relate(square) == empty.relate(shapely.wkt.loads(square.to_wkt()))
    assert not nothing.prepared().contains(square)


def test_patterns(runtime):
    point = Geometry.from_wkt(runtime, "POINT (1 2)")
    assert point.matches(point, "0********") and point.matches(point, "t*F**fFf2") and not point.matches(point, "1********")
    for pattern in ["", "TTTTTTTT", "TTTTTTTTTT", "TTTTTTTT3", "TTTTTTTTé", "TTTTTTTT "]:
        with pytest.raises(alidade.errors.InvalidArgumentError, match="nine characters"):
            point.matches(point, pattern)


def test_bad_arguments(runtime):
    point = Geometry.from_wkt(runtime, "POINT (1 2)")
    for number in [0, 11, -1]:
        with pytest.raises(alidade.errors.InvalidArgumentError, match="no Predicate"):
            point.test(number, point)
    for distance in [-1.0, float("nan"), float("inf")]:
        with pytest.raises(alidade.errors.InvalidArgumentError, match="distance"):
            point.prepared().within_distance(point, distance)
    with alidade.Runtime() as another:
        with pytest.raises(alidade.errors.InvalidArgumentError, match="two runtimes"):
            point.intersects(Geometry.from_wkt(another, "POINT (1 2)"))

"""Planar buffers against Shapely: circles vertex by vertex, others by areas; test_buffer_outlines.py has distances."""

import math
import random

import numpy as np
import pytest
import shapely.geometry
import shapely.ops
import shapely.wkb
import shapely.wkt

import alidade
from alidade import Geometry, GeometryArray, Unit
from alidade.geometry import BufferCap, BufferJoin, BufferSide, GeometryKind
from geometries import KINDS, text

CAPS = {BufferCap.ROUND: 1, BufferCap.FLAT: 2, BufferCap.SQUARE: 3}
JOINS = {BufferJoin.ROUND: 1, BufferJoin.MITRE: 2, BufferJoin.BEVEL: 3}


def shape(geometry):
    return shapely.wkb.loads(geometry.to_wkb())


def from_shape(runtime, made, reference=None):
    return Geometry.from_wkb(runtime, made.wkb, reference)


def points(runtime, xy, reference=None):
    return GeometryArray.from_columns(runtime, xy, kind=GeometryKind.POINT, spatial_reference=reference)


def is_same(made, expected, tolerance=1e-12):
    """The same area, but for what rounding moves along the edges."""
    if made.is_empty or expected.is_empty:
        return made.is_empty == expected.is_empty
    size = max(1, *map(abs, expected.bounds))
    return made.is_valid and made.symmetric_difference(expected).area <= tolerance * size * (expected.length + size)


def is_near(made, expected, distance, segments):
    """Whether two buffers differ by no more than chords do, and the dents of a hundredth that GEOS leaves out."""
    width = (0.01 + 1 - math.cos(math.pi / (4 * segments))) * abs(distance)
    return made.symmetric_difference(expected).area <= width * (made.length + expected.length) / 2 + 1e-9


def valid_shape(source, kind):
    while True:
        made = shapely.wkt.loads(text(source, kind, (False, False), is_wild=False))
        if made.is_valid and all(part.is_valid for part in getattr(made, "geoms", [made])):
            return made


@pytest.mark.parametrize("segments", [1, 2, 5, 8, 16, 100])
@pytest.mark.parametrize(("x", "y", "radius"), [(0, 0, 1), (3.25, -7.5, 2.1), (1e7, -5e6, 12.5), (-1e-3, 2e-3, 1e-6)])
def test_a_points_buffer_has_the_vertices_of_geos(runtime, segments, x, y, radius):
    made = Geometry.from_wkt(runtime, f"POINT ({x!r} {y!r})").buffer(radius, quadrant_segments=segments)
    expected = shapely.geometry.Point(x, y).buffer(radius, resolution=segments).exterior.coords
    assert made.kind is GeometryKind.POLYGON and made.part_count == made.path_count == 1
    # GEOS goes clockwise.
    tolerance = 1e-12 * radius + 4 * np.spacing(max(abs(x), abs(y)))
    assert np.abs(made.xy - np.array(expected)[::-1]).max() <= tolerance
    assert tuple(made.xy[0]) == (x + radius, y) and shape(made).exterior.is_ccw


def test_sixteen_segments_are_the_default(runtime):
    made = Geometry.from_wkt(runtime, "POINT (0 0)").buffer(1)
    assert made.vertex_count == 65
    assert 1 - math.cos(math.pi / 64) == pytest.approx(0.0012, rel=0.01), "as the header says"


@pytest.mark.parametrize("seed", range(300))
def test_lines_and_polygons_as_shapely_has_them(runtime, seed):
    source = random.Random(seed)
    original = valid_shape(source, source.choice(["LINESTRING", "MULTILINESTRING", "POLYGON", "MULTIPOLYGON"]))
    distance = source.choice([1, 5, 0.01, 30]) * source.choice([1, 1, 1, -1])
    cap, join = source.choice(list(CAPS)), source.choice(list(JOINS))
    segments, limit = source.choice([1, 4, 16]), source.choice([1, 2.5, 5])
    made = shape(
        from_shape(runtime, original).buffer(
            distance, cap=cap, join=join, quadrant_segments=segments, mitre_limit=limit
        )
    )
    expected = original.buffer(
        distance, resolution=segments, cap_style=CAPS[cap], join_style=JOINS[join], mitre_limit=limit
    )
    assert made.is_valid and is_near(made, expected, distance, segments)
    for polygon in getattr(made, "geoms", [made]):
        if not polygon.is_empty:
            assert polygon.exterior.is_ccw and not any(hole.is_ccw for hole in polygon.interiors)


@pytest.mark.parametrize("seed", range(60))
def test_single_sides_of_lines(runtime, seed):
    source = random.Random(seed)
    original = valid_shape(source, source.choice(["LINESTRING", "MULTILINESTRING"]))
    join = source.choice(list(JOINS))
    for side, sign in [(BufferSide.LEFT, 1), (BufferSide.RIGHT, -1)]:
        made = shape(from_shape(runtime, original).buffer(3, side=side, join=join, quadrant_segments=4))
        expected = original.buffer(sign * 3, resolution=4, join_style=JOINS[join], single_sided=True)
        assert made.is_valid and is_near(made, expected, 3, 4)


def test_sides_are_sides(runtime):
    line = Geometry.from_wkt(runtime, "LINESTRING (0 0, 10 0)")
    assert shape(line.buffer(2, side=BufferSide.LEFT)).equals(shapely.geometry.box(0, 0, 10, 2))
    assert shape(line.buffer(2, side=BufferSide.RIGHT)).equals(shapely.geometry.box(0, -2, 10, 0))
    # Points and polygons have none.
    square = Geometry.from_envelope(runtime, alidade.Envelope(0, 0, 4, 4))
    assert square.buffer(1, side=BufferSide.RIGHT).equals(square.buffer(1))
    point = Geometry.from_wkt(runtime, "POINT (1 2)")
    assert point.buffer(1, side=BufferSide.LEFT).equals(point.buffer(1))


@pytest.mark.parametrize("seed", range(150))
@pytest.mark.parametrize("cap", CAPS)
def test_collections_and_multipoints_are_unions(runtime, seed, cap):
    source = random.Random(seed + 5000)
    original = valid_shape(source, source.choice(["MULTIPOINT", "GEOMETRYCOLLECTION"]))
    distance = source.choice([0.5, 20, 90])
    made = shape(from_shape(runtime, original).buffer(distance, cap=cap, quadrant_segments=8))
    parts = [original] if original.geom_type != "GEOMETRYCOLLECTION" else list(original.geoms)
    expected = shapely.ops.unary_union([part.buffer(distance, resolution=8, cap_style=CAPS[cap]) for part in parts])
    # The arcs around points meet on the circles, chords a bit inside of them.
    sagitta = distance * (1 - math.cos(math.pi / 32))
    assert made.is_valid
    assert made.symmetric_difference(expected).area <= 1e-9 + sagitta * 0.1 * max(1, expected.length)
    assert made.area >= expected.area * (1 - 1e-9) - 1e-9


@pytest.mark.parametrize("cap", CAPS)
def test_points_have_the_caps_of_a_line_without_length(runtime, cap):
    made = shape(Geometry.from_wkt(runtime, "POINT (1 2)").buffer(3, cap=cap))
    expected = shapely.geometry.Point(1, 2).buffer(3, resolution=16, cap_style=CAPS[cap])
    assert is_same(made, expected)
    assert made.is_empty == (cap is BufferCap.FLAT)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("distance", [1, 0, -1])
def test_empty_in_empty_out(runtime, kind, distance):
    made = Geometry.from_wkt(runtime, f"{kind} EMPTY").buffer(distance)
    assert made.is_empty and made.kind is GeometryKind.POLYGON


@pytest.mark.parametrize("wkt", ["POINT (1 2)", "MULTIPOINT (1 2, 3 4)", "LINESTRING (1 2, 3 4)"])
@pytest.mark.parametrize("distance", [0, -0.0, -1])
def test_nothing_is_left_of_points_and_lines(runtime, wkt, distance):
    assert Geometry.from_wkt(runtime, wkt).buffer(distance).is_empty


def test_what_shrinks_to_nothing_is_empty(runtime):
    square = Geometry.from_envelope(runtime, alidade.Envelope(0, 0, 4, 4))
    assert shape(square.buffer(-1)).equals(shapely.geometry.box(1, 1, 3, 3))
    assert square.buffer(-3).is_empty
    assert shape(square.buffer(0)).equals(shapely.geometry.box(0, 0, 4, 4))


def test_z_and_m_are_not_kept_and_the_spatial_reference_is(runtime):
    reference = alidade.SpatialReference.from_code(runtime, 3857)
    made = Geometry.from_wkt(runtime, "LINESTRING ZM (0 0 1 7, 2 2 1 7)", reference).buffer(1)
    assert not made.has_z and not made.has_m and made.spatial_reference.is_equivalent(reference)


# Resolution


@pytest.mark.parametrize("deviation", [0.5, 0.01, 1e-4, 1e-7])
@pytest.mark.parametrize("wkt", ["POINT (3 4)", "LINESTRING (0 0, 10 0, 12 7, 3 3.5)", "POLYGON ((0 0, 9 1, 4 8, 0 0))"])
def test_arcs_keep_the_maximum_deviation(runtime, wkt, deviation):
    radius = 2.5
    made = shape(Geometry.from_wkt(runtime, wkt).buffer(radius, maximum_deviation=deviation))
    original = shapely.wkt.loads(wkt)
    edges = np.array(made.exterior.coords)
    middles = (edges[1:] + edges[:-1]) / 2
    distances = [original.distance(shapely.geometry.Point(middle)) for middle in middles]
    assert max(distances) <= radius * (1 + 1e-9) and min(distances) >= radius - deviation * (1 + 1e-6)
    # And not many more vertices than that takes: at most twice as many as arcs of a whole turn need.
    needed = 2 * math.pi / (2 * math.acos(max(0, 1 - min(deviation / radius, 1))))
    assert len(edges) <= 2.5 * needed + 16


# Arrays


@pytest.mark.parametrize("seed", range(20))
def test_arrays_have_the_buffers_of_their_geometries(runtime, seed):
    source = random.Random(seed)
    shapes = [valid_shape(source, source.choice(KINDS)) for _ in range(source.choice([1, 40, 120]))]
    array = GeometryArray.from_wkb(runtime, [made.wkb for made in shapes])
    distances = [source.choice([1, 4, -2, 0]) for _ in range(source.randint(1, len(shapes)))]
    made = array.buffers(distances, quadrant_segments=3)
    assert len(made) == len(shapes)
    for index, original in enumerate(array):
        distance = distances[min(index, len(distances) - 1)]
        assert made[index].equals(original.buffer(distance, quadrant_segments=3))


def test_arrays_of_points(runtime):
    xy = np.random.default_rng(5).uniform(-1e6, 1e6, (5000, 2))
    radii = np.random.default_rng(6).uniform(-10, 50, 4000)
    array = points(runtime, xy)
    made = array.buffers(radii, quadrant_segments=4)
    assert len(made) == 5000
    for index in range(0, 5000, 97):
        radius = radii[min(index, 3999)]
        expected = shapely.geometry.Point(xy[index]).buffer(radius, resolution=4)
        assert shape(made[index]).normalize().equals_exact(expected.normalize(), 1e-9)
    empty = sum(radii < 0) + 1000 * (radii[-1] < 0)
    assert made.columns.vertex_offsets.tolist() == list(range(0, 17 * (5000 - empty) + 1, 17))


def test_deviation_holds_for_each_radius(runtime):
    radii = np.geomspace(0.01, 1e5, 60)
    made = points(runtime, np.zeros((60, 2))).buffers(radii, maximum_deviation=0.01)
    for index, radius in enumerate(radii):
        edges = made[index].xy
        sagitta = radius - np.hypot(*((edges[1:] + edges[:-1]) / 2).T)
        assert sagitta.max() <= 0.01 * (1 + 1e-9) or len(edges) == 5


def test_one_bad_geometry_is_named(runtime):
    array = GeometryArray.from_wkb(
        runtime,
        [
            shapely.wkt.loads(wkt).wkb
            for wkt in ["POINT (1 2)", "LINESTRING (0 0, 1 1)", "POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))"]
        ],
    )
    for call in (array.buffers, array.buffer_union):
        with pytest.raises(alidade.errors.InvalidArgumentError, match=r"Geometry 2: .*not valid at \(1.0, 1.0\).*Repair it first"):
            call(1)


# Unions


@pytest.mark.parametrize("seed", range(40))
def test_unions_of_points(runtime, seed):
    numbers = np.random.default_rng(seed)
    count = int(numbers.integers(1, 60))
    xy, radii = numbers.uniform(0, 20, (count, 2)), numbers.uniform(0.1, 4, count)
    made = shape(points(runtime, xy).buffer_union(radii, quadrant_segments=8))
    circles = [shapely.geometry.Point(at).buffer(radius, resolution=256) for at, radius in zip(xy, radii)]
    expected = shapely.ops.unary_union(circles)
    sagitta = radii.max() * (1 - math.cos(math.pi / 32))
    assert made.is_valid and made.symmetric_difference(expected).area < sagitta * expected.length
    assert made.geom_type in ("Polygon", "MultiPolygon")


@pytest.mark.parametrize("seed", range(30))
def test_unions_of_anything(runtime, seed):
    source = random.Random(seed + 300)
    shapes = [valid_shape(source, source.choice(KINDS)) for _ in range(source.choice([2, 12]))]
    array = GeometryArray.from_wkb(runtime, [made.wkb for made in shapes])
    distances = [source.choice([2, 15]) for _ in shapes]
    made = shape(array.buffer_union(distances, quadrant_segments=8))
    separate = [shape(polygon) for polygon in array.buffers(distances, quadrant_segments=8)]
    expected = shapely.ops.unary_union([polygon.buffer(0) for polygon in separate])
    sagitta = 15 * (1 - math.cos(math.pi / 32))
    assert made.is_valid
    assert made.symmetric_difference(expected).area <= 1e-9 + sagitta * 0.1 * max(1, expected.length)


def test_a_union_of_nothing_is_empty(runtime):
    for xy, distance in [(np.zeros((0, 2)), 1), (np.zeros((3, 2)), 0), (np.zeros((3, 2)), -1)]:
        made = points(runtime, xy).buffer_union(distance)
        assert made.is_empty and made.kind is GeometryKind.POLYGON
    assert len(points(runtime, np.zeros((0, 2))).buffers(1)) == 0


def test_a_union_is_one_polygon_of_its_parts(runtime):
    made = points(runtime, [[0, 0], [10, 0], [1, 0]]).buffer_union([1, 2])
    assert made.kind is GeometryKind.POLYGON and made.part_count == 2
    touching = points(runtime, [[0, 0], [2, 0]]).buffer_union(1)
    assert touching.part_count == 2 and touching.is_valid


def test_a_hundred_thousand_in_one_place(runtime):
    xy = np.full((100_000, 2), 7.0)
    assert points(runtime, xy).buffer_union(2, quadrant_segments=4).vertex_count == 17
    # A circle each, of falling radii: the first is all.
    made = points(runtime, xy).buffer_union(np.linspace(2, 1, 100_000), quadrant_segments=4)
    assert made.vertex_count == 17 and made.envelope.x_max == 9


# Units


def test_units_of_length(runtime):
    feet = alidade.SpatialReference.from_code(runtime, 32038)
    point = Geometry.from_wkt(runtime, "POINT (0 0)", feet)
    # 1609.344 m in feet of 1200 / 3937 m.
    assert point.buffer(1, unit=Unit.STATUTE_MILE).envelope.x_max == pytest.approx(5279.98944, rel=1e-15)
    assert point.buffer(1).envelope.x_max == 1
    # The deviation is in the same unit.
    assert point.buffer(1, unit=Unit.STATUTE_MILE, maximum_deviation=0.001).equals(
        point.buffer(5279.98944, maximum_deviation=5.27998944)
    )
    with pytest.raises(alidade.errors.InvalidArgumentError, match="angle"):
        point.buffer(1, unit=Unit.DEGREE)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="no Unit"):
        point.buffer(1, unit=999)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="area"):
        point.buffer(1, unit=Unit.HECTARE)


def test_units_of_angle(runtime):
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    point = Geometry.from_wkt(runtime, "POINT (0 0)", degrees)
    assert point.buffer(30, unit=Unit.ARC_MINUTE).envelope.x_max == 0.5
    assert point.buffer(0.5).envelope.x_max == 0.5
    with pytest.raises(alidade.errors.InvalidArgumentError, match="geodesic buffer"):
        point.buffer(1, unit=Unit.METRE)


def test_a_unit_needs_a_spatial_reference(runtime):
    with pytest.raises(alidade.errors.InvalidArgumentError, match="no spatial reference.*Give"):
        Geometry.from_wkt(runtime, "POINT (0 0)").buffer(1, unit=Unit.METRE)


# What is refused, and extremes


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"distance": math.nan}, "distance is nan"),
        ({"distance": math.inf}, "distance is inf"),
        ({"distance": 1e91}, "1e-90 to 1e"),
        ({"distance": -1e-91}, "1e-90 to 1e"),
        ({"quadrant_segments": 4, "maximum_deviation": 1}, "one of them must be 0"),
        ({"quadrant_segments": 2**20 + 1}, "1 to 1048576"),
        ({"maximum_deviation": -1}, "deviation is -1"),
        ({"maximum_deviation": math.nan}, "deviation is nan"),
        ({"maximum_deviation": math.inf}, "deviation is inf"),
        ({"mitre_limit": 0.5}, "mitre limit is 0.5"),
        ({"mitre_limit": math.nan}, "mitre limit is nan"),
        ({"cap": 3}, "no BufferCap"),
        ({"join": -1}, "no BufferJoin"),
        ({"side": 3}, "no BufferSide"),
        ({"distance": -1, "side": BufferSide.LEFT}, "cannot be negative"),
    ],
)
@pytest.mark.parametrize("wkt", ["POINT (1 2)", "LINESTRING (0 0, 1 1)"])
def test_bad_options_are_refused(runtime, wkt, arguments, words):
    geometry = Geometry.from_wkt(runtime, wkt)
    array = GeometryArray.from_wkb(runtime, [geometry.to_wkb()])
    options = {name: value for name, value in arguments.items() if name != "distance"}
    for call in (geometry.buffer, array.buffers, array.buffer_union):
        with pytest.raises(alidade.errors.InvalidArgumentError, match=words):
            call(arguments.get("distance", 1), **options)


def test_distances_and_geometries(runtime):
    array = points(runtime, [[0, 0], [1, 1]])
    for call in (array.buffers, array.buffer_union):
        with pytest.raises(alidade.errors.InvalidArgumentError, match="3 distances and 2 geometries"):
            call([1, 2, 3])
        with pytest.raises(alidade.errors.InvalidArgumentError, match="0 distances"):
            call([])
        with pytest.raises(alidade.errors.InvalidArgumentError, match="Distance 1: .*nan"):
            call([1, math.nan])


@pytest.mark.parametrize("wkt", ["POINT (0 0)", "LINESTRING (0 0, 10 0, 10 10)", "MULTIPOINT (0 0, 1 1)"])
def test_limits_hold_before_memory_is_taken(wkt):
    policy = alidade.Policy(max_request_points=10_000)
    with alidade.Runtime(policy=policy) as runtime:
        geometry = Geometry.from_wkt(runtime, wkt)
        array = GeometryArray.from_wkb(runtime, [geometry.to_wkb()])
        for call in (geometry.buffer, array.buffers, array.buffer_union):
            with pytest.raises(alidade.errors.LimitExceededError):
                call(1, quadrant_segments=2**20)
            with pytest.raises(alidade.errors.LimitExceededError):
                call(1, maximum_deviation=1e-300)
            assert not getattr(call(1, quadrant_segments=10), "is_empty", False)


@pytest.mark.parametrize("size", [1e60, 1e89])
def test_huge_coordinates(runtime, size):
    for wkt in [f"POINT ({size} 0)", f"LINESTRING (0 0, {size} 0)", f"POLYGON ((0 0, {size} 0, 0 {size}, 0 0))"]:
        made = shape(Geometry.from_wkt(runtime, wkt).buffer(size / 10))
        assert made.is_valid and made.contains(shapely.wkt.loads(wkt))
    with pytest.raises(alidade.errors.InvalidArgumentError, match="up to 1e"):
        Geometry.from_wkt(runtime, "LINESTRING (0 0, 1e91 0)").buffer(1)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="Geometry 1: .*up to 1e"):
        points(runtime, [[0, 0], [1e91, 0]]).buffers(1)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="Geometry 1: .*up to 1e"):
        points(runtime, [[0, 0], [1e91, 0]]).buffer_union(1)


@pytest.mark.parametrize("steps", [0.01, 0.5, 0.9, 1, 3, 20, 63, 64, 200])
def test_distances_of_some_steps_of_the_coordinates(runtime, steps):
    """GEOS alone makes nothing of a polygon that is to grow by half a step, or to shrink by some."""
    distance = steps * np.spacing(1e7)
    source = random.Random(3)
    for _ in range(100):
        corners = [(1e7 + source.uniform(0, 10), 5e6 + source.uniform(0, 10)) for _ in range(3)]
        polygon = shapely.geometry.Polygon(corners)
        if polygon.area < 0.1:
            continue
        geometry = from_shape(runtime, polygon)
        grown, shrunk = shape(geometry.buffer(distance)), shape(geometry.buffer(-distance))
        slack = 8 * polygon.length * (distance + 64 * np.spacing(1e7))
        assert grown.is_valid and abs(grown.area - polygon.area) <= slack
        assert shrunk.is_valid and abs(shrunk.area - polygon.area) <= slack
        line = shape(from_shape(runtime, polygon.exterior).buffer(distance))
        assert line.is_empty == (steps < 1) and line.is_valid
        circle = shape(Geometry.from_wkt(runtime, f"POINT ({corners[0][0]!r} {corners[0][1]!r})").buffer(distance))
        assert circle.is_valid and circle.area <= 4 * (distance + np.spacing(1e7)) ** 2


def test_small_circles_far_away(runtime):
    numbers = np.random.default_rng(4)
    xy = 1e7 + numbers.uniform(0, 0.3, (400, 2))
    made = shape(points(runtime, xy).buffer_union(0.01, quadrant_segments=8))
    # The same near the origin, where differences of coordinates are exact.
    near = shape(points(runtime, xy - 1e7).buffer_union(0.01, quadrant_segments=8))
    assert made.is_valid and made.area == pytest.approx(near.area, rel=1e-4)


# Circles in the host's memory


def test_filled_circles_are_the_buffers(runtime):
    numbers = np.random.default_rng(2)
    xy, radii = numbers.uniform(-100, 100, (1000, 2)), numbers.uniform(0.1, 5, 700)
    filled = alidade.geometry.fill_circles(runtime, xy, radii, quadrant_segments=5)
    assert filled.shape == (1000, 21, 2)
    assert np.array_equal(filled.reshape(-1, 2), points(runtime, xy).buffers(radii, quadrant_segments=5).columns.xy)
    angles = np.arange(21) * (math.pi / 10)
    expected = xy[:, None, :] + np.resize(radii, 1000)[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], -1)
    expected[700:] = xy[700:, None, :] + radii[-1] * np.stack([np.cos(angles), np.sin(angles)], -1)
    assert np.abs(filled - expected).max() < 1e-12


def test_circles_between_other_data(runtime):
    record = np.dtype([("xy", np.float64, 2), ("colour", np.uint32), ("id", np.uint32)])
    vertices = np.full((3, 9), -1, dtype=record)
    centres = np.zeros((3, 5))
    centres[:, 1:3] = [[1, 2], [3, 4], [5, 6]]
    alidade.geometry.fill_circles(runtime, centres[:, 1:3], 1, quadrant_segments=2, out=vertices["xy"])
    assert np.array_equal(vertices["xy"], alidade.geometry.fill_circles(runtime, centres[:, 1:3], [1], quadrant_segments=2))
    assert (vertices["colour"] == 2**32 - 1).all() and (vertices["id"] == 2**32 - 1).all()
    with pytest.raises(ValueError, match="evenly spaced"):
        alidade.geometry.fill_circles(runtime, [[0, 0]], 1, quadrant_segments=2, out=np.zeros((1, 8, 2)))


def test_circles_that_cannot_be_filled(runtime):
    out = np.full((2, 9, 2), 7.0)
    for centres, radii, words in [
        ([[0, 0], [0, math.nan]], 1, "Circle 1"),
        ([[0, 0], [0, 0]], [1, -1], "circle 1 is -1"),
        ([[0, 0], [0, 0]], math.inf, "circle 0 is inf"),
        ([[0, 0], [1.7e308, 0]], 1e308, "Circle 1"),
        ([[0, 0], [0, 0]], [1, 2, 3], "3 radii"),
    ]:
        with pytest.raises(alidade.errors.InvalidArgumentError, match=words):
            alidade.geometry.fill_circles(runtime, centres, radii, quadrant_segments=2, out=out)
        assert (out == 7).all()
    assert alidade.geometry.fill_circles(runtime, np.zeros((0, 2)), 1).shape == (0, 65, 2)
    assert (alidade.geometry.fill_circles(runtime, [[3, 4]], 0) == [3, 4]).all()


def test_each_hole_goes_to_the_smallest_shell_around_it(runtime):
    """Squares within squares, side by side, and a lattice: as many holes in each polygon as Shapely has there."""
    squares = [[(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r), (x - r, y - r)]
               for x in range(0, 60, 15) for y in range(0, 60, 15) for r in range(1, 7)]
    lattice = [[(100 + i, -1), (100 + i, 30)] for i in range(30)] + [[(99, i), (130, i)] for i in range(30)]
    lines = shapely.geometry.MultiLineString([*squares, *lattice])
    made = shape(from_shape(runtime, lines).buffer(0.25, cap=BufferCap.FLAT, join=BufferJoin.MITRE))
    expected = lines.buffer(0.25, cap_style=2, join_style=2)
    assert is_same(made, expected)
    assert sorted(len(part.interiors) for part in made.geoms) == [1] * 96 + [29 * 29]

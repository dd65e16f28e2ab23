"""Vertices added along edges, and moved: against GeographicLib's Python and points computed here one by one."""

import re
import time

import numpy as np
import pytest
from geographiclib.geodesic import Geodesic
from pyproj import Transformer

import alidade
from alidade import Geometry, GeometryArray, Unit
from alidade.geometry import CurveType, GeometryKind
from earth import A, B, E2, normal, position

WAYS = [CurveType.GEODESIC, CurveType.LOXODROME, CurveType.GREAT_ELLIPTIC, CurveType.NORMAL_SECTION]


@pytest.fixture(scope="module")
def wgs84(runtime):
    return alidade.SpatialReference.from_code(runtime, 4326)


@pytest.fixture(scope="module")
def mercator(runtime):
    return alidade.SpatialReference.from_code(runtime, 3857)


def line(runtime, xy, reference, **more):
    return Geometry.from_coordinates(runtime, GeometryKind.POLYLINE, xy, spatial_reference=reference, **more)


def inverse(a, b):
    return Geodesic.WGS84.Inverse(a[1], a[0], b[1], b[0])


def test_in_the_plane(runtime):
    corners = [(0, 0), (10, 0), (10, 7), (10, 7), (10, 7.5)]
    path = line(runtime, corners, None, z=[0, 5, 5, 6, 7], m=[1, 2, np.nan, 4, 5])
    dense = path.densified(3)
    expected = [(0, 0), (2.5, 0), (5, 0), (7.5, 0), (10, 0), (10, 7 / 3), (10, 14 / 3), (10, 7), (10, 7), (10, 7.5)]
    assert dense.xy == pytest.approx(np.array(expected), rel=1e-15)
    assert dense.z == pytest.approx([0, 1.25, 2.5, 3.75, 5, 5, 5, 5, 6, 7])
    assert dense.m[:5] == pytest.approx([1, 1.25, 1.5, 1.75, 2]) and np.isnan(dense.m[5:8]).all()
    # A whole number of pieces is not cut once more by rounding.
    assert len(line(runtime, [(0, 0), (0.3, 0)], None).densified(0.1).xy) == 4
    polygons = "((0 0, 4 0, 4 4, 0 0), (1 0.5, 2 1, 2 0.5, 1 0.5)), ((9 9, 10 9, 9 10, 9 9))"
    shape = Geometry.from_wkt(runtime, f"MULTIPOLYGON ({polygons})")
    dense = shape.densified(0.5)
    assert (dense.part_count, dense.path_count) == (2, 3)
    assert dense.area() == pytest.approx(shape.area(), rel=1e-12)
    rings = np.split(dense.xy, dense.columns.vertex_offsets[1:-1])
    assert all((ring[0] == ring[-1]).all() for ring in rings)
    assert max(np.hypot(*np.diff(ring, axis=0).T).max() for ring in rings) <= 0.5 * (1 + 1e-12)
    given = "GEOMETRYCOLLECTION (POINT (1 2), MULTIPOINT (1 2, 9 9), LINESTRING (0 0, 2 0), POLYGON EMPTY)"
    mixed = Geometry.from_wkt(runtime, given)
    expected = "GEOMETRYCOLLECTION (POINT (1 2), MULTIPOINT ((1 2), (9 9)), LINESTRING (0 0, 1 0, 2 0), POLYGON EMPTY)"
    assert mixed.densified(1).equals(Geometry.from_wkt(runtime, expected))


@pytest.mark.parametrize(
    "ends",
    [((10, 20), (80, 60)), ((170, 50), (190, -20)), ((170, 50), (-170, -20)), ((0, 80), (150, 85)), ((5, 89), (5, 90))],
)
def test_geodesic_segments_lie_on_the_geodesic(runtime, wgs84, ends):
    dense = line(runtime, ends, wgs84).densified(100, geodesic=True, unit=Unit.KILOMETRE).xy
    there = inverse(*ends)
    count = int(np.ceil(there["s12"] / 1e5))
    assert len(dense) == count + 1
    assert (dense[0] == ends[0]).all() and (dense[-1] == ends[1]).all()
    way = Geodesic.WGS84.Line(ends[0][1], ends[0][0], there["azi1"])
    for index in range(1, count):
        at = way.Position(there["s12"] * index / count)
        assert inverse(dense[index], (at["lon2"], at["lat2"]))["s12"] < 1e-7
    steps = [inverse(a, b)["s12"] for a, b in zip(dense, dense[1:])]
    assert max(steps) <= 1e5 * (1 + 1e-9)
    # Longitudes go on beyond 180 where the ends do, and jump once where they do.
    jumps = (np.abs(np.diff(dense[:, 0])) > 180).sum()
    assert jumps == (1 if abs(ends[1][0] - ends[0][0]) > 180 else 0)


@pytest.mark.parametrize("curve", WAYS[1:])
@pytest.mark.parametrize("ends", [((10, 20), (80, 60)), ((170, 50), (-170, -20)), ((0, 0), (20, 1e-3))])
@pytest.mark.parametrize("longest", [50_000, 5_000])
def test_other_curves_lie_where_they_should(runtime, wgs84, ends, curve, longest):
    dense = line(runtime, ends, wgs84).densified(longest, curve_type=curve).xy
    assert (dense[0] == ends[0]).all() and (dense[-1] == ends[1]).all()
    steps = np.array([inverse(a, b)["s12"] for a, b in zip(dense, dense[1:])])
    assert steps.max() <= longest * (1 + 1e-9) and steps.min() > 0.8 * longest
    if curve is CurveType.LOXODROME:
        merc = Transformer.from_crs("EPSG:4326", "+proj=merc +ellps=WGS84", always_xy=True)
        x, y = merc.transform(*dense.T)
        x = np.unwrap(x, period=2 * np.pi * A)
        off = (x - x[0]) * (y[-1] - y[0]) - (y - y[0]) * (x[-1] - x[0])
        assert np.abs(off).max() / np.hypot(x[-1] - x[0], y[-1] - y[0]) < 1e-6
    else:
        p, points = position(*ends[0]), position(*dense.T)
        across = p if curve is CurveType.GREAT_ELLIPTIC else normal(*ends[0])
        plane = np.cross(across, points[-1] - p)
        assert np.abs((points - p) @ (plane / np.linalg.norm(plane))).max() < 1e-6


@pytest.mark.parametrize("curve", WAYS[1:])
def test_close_vertices_lie_where_sparse_ones_do(runtime, wgs84, curve):
    """Those are found one by one, close ones by a series."""
    path = line(runtime, [(-30, 10), (40, 89.9)], wgs84)
    sparse = path.densified(100_000, curve_type=curve).xy
    count = len(sparse) - 1
    length = path.length(curve_type=curve)
    dense = path.densified(length / count / 500 * (1 + 1e-9), curve_type=curve).xy
    assert len(dense) == count * 500 + 1
    assert max(inverse(a, b)["s12"] for a, b in zip(sparse, dense[::500])) < 5e-8
    # And evenly between them, also near the pole, where geodesics from one to the next are shorter than a loxodrome.
    steps = [inverse(a, b)["s12"] for a, b in zip(dense[-1600:], dense[-1599:])]
    assert np.ptp(steps) < 1e-4 and np.abs(np.diff(steps, 2)).max() < 1e-6


def test_shape_preserving_segments_stay_on_the_edge(runtime, mercator):
    ends = [(0, 0), (1e6, 1.5e7)]
    dense = line(runtime, ends, mercator).densified(100_000, curve_type=CurveType.SHAPE_PRESERVING).xy
    assert np.abs(dense[:, 1] - 15 * dense[:, 0]).max() < 1e-6
    back = Transformer.from_crs(3857, 4326, always_xy=True)
    places = np.column_stack(back.transform(*dense.T))
    # The longest segment is at the equator, and just within the limit.
    steps = [inverse(a, b)["s12"] for a, b in zip(places, places[1:])]
    assert 90_000 < max(steps) <= 100_000


def deviation(reference_code, dense, way):
    """The greatest distance of straight edges from dense points of a way, metres."""
    back = Transformer.from_crs(reference_code, 4326, always_xy=True)
    # The middle is where an edge is farthest off, or nearly.
    chosen = np.linspace(0, len(dense) - 2, min(len(dense) - 1, 150)).astype(int)
    shares = np.linspace(0.3, 0.7, 5)[:, None]
    edges = np.vstack([a + (b - a) * shares for a, b in zip(dense[chosen], dense[chosen + 1])])
    points = position(*back.transform(*edges.T)) if reference_code != 4326 else position(*edges.T)
    worst = 0.0
    for point in points:
        nearest = np.argmin(((way - point) ** 2).sum(axis=1))
        here = way[max(0, nearest - 1) : nearest + 2]
        worst = max(worst, min(to_segment(point, a, b) for a, b in zip(here, here[1:])))
    return worst


def to_segment(point, a, b):
    share = np.clip((point - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
    return np.linalg.norm(point - a - share * (b - a))


@pytest.mark.parametrize("limit", [10, 1000, 50_000])
@pytest.mark.parametrize(
    ("code", "ends"),
    [
        (4326, ((10, 20), (80, 60))), (4326, ((170, 50), (190, -20))), (3857, ((1e6, 2e6), (9e6, 8e6))),
        (3413, ((-3e6, -2e6), (2e6, 3e6))), (3857, ((1.9e7, 4e6), (2.1e7, 8e6))),
    ],
)  # fmt: skip
def test_deviation_is_kept(runtime, code, ends, limit):
    reference = alidade.SpatialReference.from_code(runtime, code)
    dense = line(runtime, ends, reference).densified(maximum_deviation=limit, geodesic=True).xy
    back = Transformer.from_crs(code, 4326, always_xy=True)
    start, end = back.transform(*ends[0]), back.transform(*ends[1])
    there = inverse(start, end)
    way = Geodesic.WGS84.Line(start[1], start[0], there["azi1"])
    at = [way.Position(s) for s in np.linspace(0, there["s12"], 20_001)]
    places = position(*np.array([(p["lon2"], p["lat2"]) for p in at]).T)
    found = deviation(code, dense, places)
    assert found <= limit
    # And not with many times the vertices that it takes: the deviation falls with their square.
    assert found >= limit / 20 or len(dense) < 60


def test_both_limits(runtime, wgs84):
    path = line(runtime, [(0, 50), (80, 50)], wgs84)
    by_length = path.densified(1e6, geodesic=True)
    both = path.densified(1e6, maximum_deviation=1, geodesic=True)
    by_deviation = path.densified(maximum_deviation=1, geodesic=True)
    assert len(both.xy) > len(by_length.xy) and len(both.xy) >= len(by_deviation.xy)
    metres = path.densified(maximum_deviation=0.01, geodesic=True, unit=Unit.KILOMETRE)
    assert metres.equals(path.densified(maximum_deviation=10, geodesic=True))


@pytest.mark.parametrize("curve", WAYS)
def test_moved_vertices_lie_where_the_way_leads(runtime, wgs84, curve):
    path = line(runtime, [(0, 0), (170, 50), (190, 20), (200, 20)], wgs84, z=[1, 2, 3, 4])
    moved = path.moved(1500, 70, curve_type=curve, unit=Unit.KILOMETRE)
    ends = alidade.geometry.geodesic_direct(wgs84, path.xy, 70, 1.5e6, curve_type=curve).points
    assert np.abs((moved.xy - ends + 180) % 360 - 180).max() < 1e-12
    assert np.abs(np.diff(moved.xy[:, 0])).max() < 180
    assert (moved.z == path.z).all()
    if curve is CurveType.GEODESIC:
        for a, b in zip(path.xy, moved.xy):
            there = Geodesic.WGS84.Direct(a[1], a[0], 70, 1.5e6)
            assert inverse(b, (there["lon2"], there["lat2"]))["s12"] < 1e-7


def test_moved_rings_stay_closed(runtime, wgs84, mercator):
    for reference, ring in ((wgs84, [(175, 0), (179, 0), (179, 3)]), (mercator, [(1.9e7, 0), (2e7, 0), (2e7, 1e6)])):
        shape = Geometry.from_coordinates(runtime, GeometryKind.POLYGON, ring, spatial_reference=reference)
        moved = shape.moved(500_000, 85, geodesic=True)
        assert (moved.xy[0] == moved.xy[-1]).all()
        assert moved.envelope.x_max - moved.envelope.x_min < 1.1 * (shape.envelope.x_max - shape.envelope.x_min)


def test_moved_in_the_plane(runtime):
    feet = alidade.SpatialReference.from_code(runtime, 2263)
    path = line(runtime, [(0, 0), (10, 5)], feet)
    assert path.moved(2, 90).xy.tolist() == [[2, 0], [12, 5]]
    assert path.moved(-3, 180).xy.tolist() == [[0, 3], [10, 8]]
    assert path.moved(1, 0, unit=Unit.KILOMETRE).xy[0] == pytest.approx((0, 3937 / 1.2), rel=1e-14)
    assert path.moved(2**0.5, 45).xy == pytest.approx(np.array([(1, 1), (11, 6)]))


def test_arrays_as_each_geometry(runtime, wgs84):
    wkts = ["LINESTRING (0 0, 20 30)", "POLYGON ((0 0, 10 0, 10 10, 0 0))", "POINT (3 4)", "LINESTRING EMPTY"]
    each = [Geometry.from_wkt(runtime, wkt, wgs84) for wkt in wkts]
    array = GeometryArray.from_wkb(runtime, [geometry.to_wkb() for geometry in each], wgs84)
    dense, moved = array.densified(1e5, geodesic=True), array.moved(1e5, 30, geodesic=True)
    for index, geometry in enumerate(each):
        assert dense[index].equals(geometry.densified(1e5, geodesic=True))
        assert moved[index].equals(geometry.moved(1e5, 30, geodesic=True))
    wkbs = [Geometry.from_wkt(runtime, wkt).to_wkb() for wkt in ("POINT (0 0)", "LINESTRING (0 0, 0 91)")]
    bad = GeometryArray.from_wkb(runtime, wkbs, wgs84)
    for call in (lambda: bad.densified(1, geodesic=True), lambda: bad.moved(1, 1, geodesic=True)):
        with pytest.raises(alidade.errors.ProjectionFailedError, match=r"Geometry 1: \(0, 91\)"):
            call()
    empty = GeometryArray.from_wkb(runtime, [], wgs84)
    assert len(empty.densified(1)) == 0 and len(empty.moved(1, 1)) == 0


def pair(runtime, xy, reference):
    """A line, and an array that holds just it."""
    one = line(runtime, xy, reference)
    return one, GeometryArray.from_wkb(runtime, [one.to_wkb()], reference)


def test_what_is_refused(runtime, wgs84, mercator):
    local = alidade.SpatialReference(runtime, 'LOCAL_CS["plan",UNIT["metre",1]]')
    for path in pair(runtime, [(0, 0), (10, 10)], wgs84):
        for call in (
            lambda p: p.densified(), lambda p: p.densified(0), lambda p: p.densified(-1), lambda p: p.densified(np.nan),
            lambda p: p.densified(maximum_deviation=1), lambda p: p.densified(maximum_deviation=0, geodesic=True),
            lambda p: p.densified(maximum_deviation=np.inf, geodesic=True), lambda p: p.densified(1, unit=Unit.METRE),
            lambda p: p.densified(1, geodesic=True, unit=Unit.DEGREE), lambda p: p.densified(1, curve_type=77),
            lambda p: p.moved(np.nan, 0), lambda p: p.moved(1, np.inf), lambda p: p.moved(np.inf, 0, geodesic=True),
            lambda p: p.moved(1, 1, unit=Unit.METRE), lambda p: p.moved(1, 1, curve_type=-1),
        ):  # fmt: skip
            with pytest.raises(alidade.errors.InvalidArgumentError):
                call(path)
        with pytest.raises(alidade.errors.UnsupportedError, match="hape-preserving"):
            path.moved(1, 1, curve_type=CurveType.SHAPE_PRESERVING)
        with pytest.raises(alidade.errors.LimitExceededError):
            path.densified(1e-300, geodesic=True)
        with pytest.raises(alidade.errors.LimitExceededError):
            path.densified(1e-9)
        with pytest.raises(alidade.errors.ProjectionFailedError, match="leads to a point that cannot be projected"):
            path.moved(1e7, 10, curve_type=CurveType.LOXODROME)
    for path in pair(runtime, [(0, 0), (10, 10)], None):
        for call in (lambda p: p.densified(1, geodesic=True), lambda p: p.moved(1, 1, geodesic=True)):
            with pytest.raises(alidade.errors.InvalidArgumentError, match="spatial reference"):
                call(path)
    for path in pair(runtime, [(0, 0), (10, 10)], local):
        for call in (lambda p: p.densified(1, geodesic=True), lambda p: p.moved(1, 1, geodesic=True)):
            with pytest.raises(alidade.errors.UnsupportedError):
                call(path)
    for path in pair(runtime, [(-1e308, 0), (1e308, 0)], wgs84):
        with pytest.raises(alidade.errors.UnsupportedError, match="too large"):
            path.densified(1)
    for path in pair(runtime, [(1e308, 0), (1e308, 1)], mercator):
        with pytest.raises(alidade.errors.InvalidArgumentError):
            path.moved(1e308, 90)
    opposite = line(runtime, [(0, 0), (180, 0)], wgs84)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="opposite"):
        opposite.densified(1e5, curve_type=CurveType.NORMAL_SECTION)


def test_points_have_a_limit():
    with alidade.Runtime(policy=alidade.Policy(max_request_points=100)) as runtime:
        path = line(runtime, [(0, 0), (50, 0)], None)
        assert len(path.densified(1).xy) == 51
        with pytest.raises(alidade.errors.LimitExceededError):
            path.densified(0.4)
        degrees = alidade.SpatialReference.from_code(runtime, 4326)
        with pytest.raises(alidade.errors.LimitExceededError):
            line(runtime, [(0, 50), (80, 50)], degrees).densified(maximum_deviation=1e-3, geodesic=True)


def test_too_many_vertices_are_refused_before_they_are_made():
    with alidade.Runtime(policy=alidade.Policy(max_request_points=1_000_000)) as runtime:
        reference = alidade.SpatialReference(runtime, "EPSG:4326")
        path = line(runtime, [(-75, 40), (20, 60)], reference)
        start = time.process_time()
        with pytest.raises(alidade.errors.LimitExceededError, match="points") as refused:
            path.densified(maximum_deviation=1e-7, geodesic=True)
        assert time.process_time() - start < 0.5
        # With a deviation of 1e-3 the square root of that many; of 1e-7 m 2e-8 are left to rounding.
        told = int(re.search(r"names (\d+) points", str(refused.value)).group(1))
        taken = len(path.densified(maximum_deviation=1e-3, geodesic=True).xy)
        assert told == pytest.approx(taken * 100 / 0.8**0.5, rel=0.05)
        # Of a whole array, too: half of the limit each.
        for call in ({"longest_segment": 7_000_000 / 499_999, "geodesic": True}, {"longest_segment": 95 / 499_999}):
            one, _ = pair(runtime, [(-75, 40), (20, 40)], reference)
            three = GeometryArray.from_wkb(runtime, [one.to_wkb()] * 3, reference)
            start = time.process_time()
            with pytest.raises(alidade.errors.LimitExceededError, match="points"):
                three.densified(**call)
            assert time.process_time() - start < 0.1


def across(start, azimuth, point):
    """How far a point lies aside of a geodesic, metres."""
    there = Geodesic.WGS84.Inverse(start[1], start[0], point[1], point[0], Geodesic.ALL)
    return abs(np.sin(np.radians(there["azi1"] - azimuth)) * there["m12"])


@pytest.mark.parametrize("limit", [1e-6, 1e-3, 1])
@pytest.mark.parametrize(
    ("code", "ends"),
    [
        (4326, ((10, 20), (80, 60))), (4326, ((-20, -30), (50, 40))), (4326, ((10, 80), (150, 85))),
        (3857, ((1e6, 2e6), (9e6, 8e6))), (3413, ((-3e6, -2e6), (2e6, 3e6))), (32633, ((3e5, 5e6), (7e5, 6e6))),
    ],
)  # fmt: skip
def test_small_deviations_are_kept_with_as_few_vertices_as_that_takes(runtime, code, ends, limit):
    with alidade.Runtime(policy=alidade.Policy(max_request_points=10_000_000)) as runtime:
        reference = alidade.SpatialReference.from_code(runtime, code)
        dense = line(runtime, ends, reference).densified(maximum_deviation=limit, geodesic=True).xy
    back = Transformer.from_crs(code, 4326, always_xy=True)
    start, end = (back.transform(*place) for place in ends)
    azimuth = inverse(start, end)["azi1"]
    found = []
    for index in np.linspace(0, len(dense) - 2, min(len(dense) - 1, 400)).astype(int):
        middle = (dense[index] + dense[index + 1]) / 2
        found.append(across(start, azimuth, back.transform(*middle)))
    assert max(found) <= limit
    # 5 of 100 are kept in reserve, 1 for rounding, and stretches bend by up to half more at one end than in the middle.
    if len(dense) > 100:
        assert np.median(found) > 0.55 * limit


def test_z_and_m_of_many_stretches(runtime, wgs84):
    path = line(runtime, [(0, 20), (0, 20), (80, 60), (80, 61)], wgs84, z=[0, 1, 2, 3], m=[5, 6, np.nan, 8])
    dense = path.densified(maximum_deviation=10, geodesic=True)
    first = next(index for index in range(len(dense.z)) if dense.z[index] == 2)
    assert dense.z[:2].tolist() == [0, 1] and dense.m[:2].tolist() == [5, 6]
    assert (np.diff(dense.z[1 : first + 1]) > 0).all() and np.isnan(dense.m[2 : first + 1]).all()
    assert dense.z[-1] == 3 and dense.m[-1] == 8
    shares = [inverse((0, 20), place)["s12"] for place in dense.xy[1 : first + 1]]
    assert dense.z[1 : first + 1] - 1 == pytest.approx(np.array(shares) / shares[-1], abs=1e-9)

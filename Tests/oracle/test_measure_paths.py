"""Paths on the earth: geodesics against GeographicLib's Python, loxodromes against its RhumbSolve, sections of planes
against points that are computed one by one."""

import subprocess

import numpy as np
import pytest
from geographiclib.geodesic import Geodesic
from pyproj import Transformer

import alidade
from alidade.geometry import CurveType, geodesic_direct, geodesic_inverse
from earth import azimuth, length, section

CURVES = [CurveType.GEODESIC, CurveType.LOXODROME, CurveType.GREAT_ELLIPTIC, CurveType.NORMAL_SECTION]


@pytest.fixture(scope="module")
def wgs84(runtime):
    return alidade.SpatialReference.from_code(runtime, 4326)


def random_pairs(count, seed=1):
    source = np.random.default_rng(seed)
    start = np.column_stack([source.uniform(-180, 180, count), source.uniform(-90, 90, count)])
    end = np.column_stack([source.uniform(-180, 180, count), source.uniform(-90, 90, count)])
    # A third close by.
    close = start + source.uniform(-1e-3, 1e-3, (count, 2)) * 10.0 ** source.integers(-6, 4, (count, 1))
    close[:, 1] = np.clip(close[:, 1], -90, 90)
    pick = source.random(count) < 0.33
    end[pick] = close[pick]
    return start, end


# Poles, the antimeridian, opposite points, equal points, nearly so.
HARD = [
    ((0, 90), (30, -90)), ((10, 90), (40, 90)), ((0, 0), (180, 0)), ((0, 0), (179.9, 0.3)), ((170, 10), (-170, 20)),
    ((0, 45), (180, -45)), ((5, 5), (5, 5)), ((5, 5), (5, 5 + 1e-12)), ((0, 89.9999999), (180, 89.9999999)),
    ((190, 10), (-190, -10)), ((0, 30), (179.9999, -30)), ((0, 0), (1e-9, 0)), ((0, -90), (77, 12)),
]  # fmt: skip


def angle(a, b):
    return np.abs((np.asarray(a) - np.asarray(b) + 180) % 360 - 180)


def test_geodesics_are_those_of_geographiclib(wgs84):
    start, end = random_pairs(3000)
    start = np.vstack([start, [a for a, _ in HARD]])
    end = np.vstack([end, [b for _, b in HARD]])
    ways = geodesic_inverse(wgs84, start, end)
    ends = geodesic_direct(wgs84, start, ways.azimuths_deg, ways.distances_m)
    for index, ((x, y), (u, v)) in enumerate(zip(start, end)):
        there = Geodesic.WGS84.Inverse(y, x, v, u)
        assert ways.distances_m[index] == pytest.approx(there["s12"], abs=3e-8)
        back = Geodesic.WGS84.Inverse(ends.points[index, 1], ends.points[index, 0], v, u)["s12"]
        assert back < 1e-7
        # Between opposite points any of the shortest paths will do, and between equal points there is none.
        if 1e-3 < there["s12"] < 1.99e7 and abs(y) < 90 and abs(v) < 90:
            room = 1e-9 + np.degrees(5e-8 / there["s12"]) + np.degrees(5e-8 / (2.00e7 - there["s12"]))
            assert angle(ways.azimuths_deg[index], there["azi1"]) < room
            assert angle(ways.end_azimuths_deg[index], there["azi2"]) < room


def rhumb_solve(lines, *options):
    text = "\n".join(" ".join(repr(float(number)) for number in line) for line in lines)
    run = subprocess.run(["RhumbSolve", "-p", "9", *options], input=text, capture_output=True, text=True, check=True)
    return np.array([[float(word) for word in line.split()[:2]] for line in run.stdout.splitlines()])


def test_a_published_loxodrome(wgs84):
    """From John F. Kennedy Airport to Singapore Changi, the example of RhumbSolve's manual page."""
    kennedy = (-(73 + 46 / 60 + 44 / 3600), 40 + 38 / 60 + 23 / 3600)
    changi = (103 + 59 / 60 + 22 / 3600, 1 + 21 / 60 + 33 / 3600)
    way = geodesic_inverse(wgs84, kennedy, changi, curve_type=CurveType.LOXODROME)
    assert way.distances_m[0] == pytest.approx(18523563, abs=0.5)
    assert way.azimuths_deg[0] == pytest.approx(103 + 34 / 60 + 58.2 / 3600, abs=0.05 / 3600)


def test_loxodromes_are_those_of_rhumb_solve(wgs84):
    start, end = random_pairs(1500, seed=2)
    more = [((0, 40), (50, 40)), ((0, 40), (50, 40 + 1e-11)), ((0, 89.999999), (90, 89.9999995)), ((170, 5), (-160, 5))]
    start, end = np.vstack([start, [a for a, _ in more]]), np.vstack([end, [b for _, b in more]])
    expected = rhumb_solve([(y, x, v, u) for (x, y), (u, v) in zip(start, end)], "-i")
    ways = geodesic_inverse(wgs84, start, end, curve_type=CurveType.LOXODROME)
    assert np.abs(ways.distances_m - expected[:, 1]).max() < 1e-7
    room = 2e-9 + np.degrees(2e-8 / np.maximum(expected[:, 1], 1e-9))
    long = expected[:, 1] > 1e-3
    assert (angle(ways.azimuths_deg, expected[:, 0]) < room)[long].all()
    assert (ways.azimuths_deg == ways.end_azimuths_deg).all()


def test_loxodromes_to_poles_are_meridians(wgs84):
    """What a loxodrome tends to when its end comes near a pole; RhumbSolve takes a latitude next to it, and spirals."""
    start = np.array([(0, 0), (20, -90), (5, 90), (5, 90), (7, -90)], float)
    end = np.array([(60, 90), (60, 3), (77, -90), (8, 90), (7, -90)], float)
    ways = geodesic_inverse(wgs84, start, end, curve_type=CurveType.LOXODROME)
    meridians = [Geodesic.WGS84.Inverse(y, 0, v, 0)["s12"] for (_, y), (_, v) in zip(start, end)]
    assert ways.distances_m == pytest.approx(meridians, abs=1e-7)
    assert (ways.azimuths_deg[:3] == (0, 0, 180)).all()
    ends = geodesic_direct(wgs84, [(3, 80)], [0, 180], [1e5, 2e5], curve_type=CurveType.LOXODROME)
    there = [Geodesic.WGS84.Direct(80, 3, a, s) for a, s in ((0, 1e5), (180, 2e5))]
    assert ends.points == pytest.approx(np.array([(t["lon2"], t["lat2"]) for t in there]), abs=1e-12)


def test_loxodromes_lead_where_rhumb_solve_says(wgs84):
    source = np.random.default_rng(3)
    count = 1500
    start = np.column_stack([source.uniform(-180, 180, count), source.uniform(-88, 88, count)])
    azimuths = source.uniform(-180, 180, count)
    azimuths[:50], azimuths[50:100], azimuths[100:120] = 90, -90, 90 + 1e-10
    distances = 10 ** source.uniform(-3, 7, count)
    expected = rhumb_solve([(y, x, a, s) for (x, y), a, s in zip(start, azimuths, distances)])
    ends = geodesic_direct(wgs84, start, azimuths, distances, curve_type=CurveType.LOXODROME)
    # Beyond a pole RhumbSolve has no longitude.
    beyond = np.isnan(expected[:, 1])
    assert 10 < beyond.sum() < 400
    assert np.isnan(ends.points[beyond]).all()
    there = np.column_stack([expected[:, 1], expected[:, 0]])[~beyond]
    off = [Geodesic.WGS84.Inverse(y, x, v, u)["s12"] for (x, y), (u, v) in zip(ends.points[~beyond], there)]
    assert max(off) < 2e-7


@pytest.mark.parametrize(
    ("curve", "kind"), [(CurveType.GREAT_ELLIPTIC, "centre"), (CurveType.NORMAL_SECTION, "normal")]
)
def test_sections_are_as_long_as_their_points_say(wgs84, curve, kind):
    start, end = random_pairs(60, seed=4)
    start = np.vstack([start, [(0, 0), (0, 90), (10, 89.9999), (5, 5), (0, 0)]])
    end = np.vstack([end, [(150, 0), (20, -30), (190, 89.9999), (5, 5.00001), (90, 90)]])
    ways = geodesic_inverse(wgs84, start, end, curve_type=curve)
    ends = geodesic_direct(wgs84, start, ways.azimuths_deg, ways.distances_m, curve_type=curve)
    for index, (a, b) in enumerate(zip(start, end)):
        assert Geodesic.WGS84.Inverse(*ends.points[index][::-1], *b[::-1])["s12"] < 1e-6
        shortest = Geodesic.WGS84.Inverse(*a[::-1], *b[::-1])["s12"]
        if shortest < 1000:
            # All ways are one, to a part of an atom.
            assert ways.distances_m[index] == pytest.approx(shortest, abs=2e-8)
            continue
        expected = length(lambda count: section(a, b, kind, count))
        assert ways.distances_m[index] == pytest.approx(expected, abs=2e-6, rel=1e-12)
        points = section(a, b, kind, 100_000)
        if abs(a[1]) < 89 and abs(b[1]) < 89:
            # One-sided differences of the second order.
            first = -3 * points[0] + 4 * points[1] - points[2]
            last = 3 * points[-1] - 4 * points[-2] + points[-3]
            assert angle(ways.azimuths_deg[index], azimuth(first, *a)) < 1e-6
            assert angle(ways.end_azimuths_deg[index], azimuth(last, *b)) < 1e-6


def test_no_way_is_shorter_than_the_geodesic(wgs84):
    start, end = random_pairs(2000, seed=5)
    shortest = geodesic_inverse(wgs84, start, end).distances_m
    for curve in CURVES[1:]:
        assert (geodesic_inverse(wgs84, start, end, curve_type=curve).distances_m > shortest - 5e-8).all()


def test_opposite_places_have_no_plane(wgs84):
    pairs = [((0, 0), (180, 0)), ((0, 90), (0, -90))]
    start, end = np.array([a for a, _ in pairs], float), np.array([b for _, b in pairs], float)
    assert np.isnan(geodesic_inverse(wgs84, start, end, curve_type=CurveType.GREAT_ELLIPTIC).distances_m).all()
    assert np.isnan(geodesic_inverse(wgs84, start, end, curve_type=CurveType.NORMAL_SECTION).distances_m).all()
    assert not np.isnan(geodesic_inverse(wgs84, start, end).distances_m).any()


@pytest.mark.parametrize("curve", CURVES)
def test_what_is_no_place_is_nan(wgs84, curve):
    bad = np.array([(np.nan, 0), (np.inf, 0), (0, 91), (0, -np.inf), (1e300, 0), (0, 1e308)])
    ways = geodesic_inverse(wgs84, bad, (1.0, 2.0), curve_type=curve)
    assert np.isnan(ways.distances_m).all() and np.isnan(ways.azimuths_deg).all()
    assert np.isnan(geodesic_direct(wgs84, bad, 10, 1000, curve_type=curve).points).all()
    for azimuths, distances in ((np.nan, 1), (np.inf, 1), (1, np.nan), (1, np.inf)):
        assert np.isnan(geodesic_direct(wgs84, (1.0, 2.0), azimuths, distances, curve_type=curve).points).all()
    # Many times around ends at a point.
    assert np.isfinite(geodesic_direct(wgs84, (1.0, 2.0), 90, 1e9, curve_type=curve).points).all()
    assert len(geodesic_inverse(wgs84, np.empty((0, 2)), np.empty((0, 2)), curve_type=curve).distances_m) == 0


def test_in_a_projected_system(runtime):
    """Points are brought to longitudes and latitudes of their own datum, and back."""
    grid = alidade.SpatialReference.from_code(runtime, 27700)
    source = np.random.default_rng(6)
    start, end = source.uniform((2e5, 1e5), (6e5, 9e5), (100, 2)), source.uniform((2e5, 1e5), (6e5, 9e5), (100, 2))
    to_airy = Transformer.from_crs("EPSG:27700", "EPSG:4277", always_xy=True)
    airy = Geodesic(6377563.396, 1 / 299.3249646)
    ways = geodesic_inverse(grid, start, end)
    ends = geodesic_direct(grid, start, ways.azimuths_deg, ways.distances_m)
    for index in range(100):
        x, y = to_airy.transform(*start[index])
        u, v = to_airy.transform(*end[index])
        there = airy.Inverse(y, x, v, u)
        assert ways.distances_m[index] == pytest.approx(there["s12"], abs=1e-6)
        assert angle(ways.azimuths_deg[index], there["azi1"]) < 1e-8
    assert np.abs(ends.points - end).max() < 1e-6


def test_in_grads_and_from_paris(runtime):
    paris = alidade.SpatialReference.from_code(runtime, 4807)
    way = geodesic_inverse(paris, (1.0, 50.0), (2.0, 51.0))
    clarke = Geodesic(6378249.2, 1 / 293.4660212936269)
    there = clarke.Inverse(45.0, 0.9, 45.9, 1.8)
    assert way.distances_m[0] == pytest.approx(there["s12"], abs=1e-6)
    end = geodesic_direct(paris, (1.0, 50.0), way.azimuths_deg, way.distances_m).points[0]
    assert end == pytest.approx((2, 51), abs=1e-12)


def test_arrays_of_any_stride(wgs84):
    wide = np.zeros((50, 5))
    wide[:, 0], wide[:, 1] = np.linspace(0, 50, 50), np.linspace(-20, 20, 50)
    plain = geodesic_inverse(wgs84, np.ascontiguousarray(wide[:, :2]), (7.0, 8.0))
    assert (geodesic_inverse(wgs84, wide[:, :2], (7.0, 8.0)).distances_m == plain.distances_m).all()


def test_what_is_refused(runtime, wgs84):
    with pytest.raises(alidade.errors.UnsupportedError, match="shape-preserving"):
        geodesic_inverse(wgs84, (0.0, 0.0), (1.0, 1.0), curve_type=CurveType.SHAPE_PRESERVING)
    with pytest.raises(alidade.errors.UnsupportedError, match="shape-preserving"):
        geodesic_direct(wgs84, (0.0, 0.0), 1, 1, curve_type=CurveType.SHAPE_PRESERVING)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="no CurveType"):
        geodesic_inverse(wgs84, (0.0, 0.0), (1.0, 1.0), curve_type=9)
    local = alidade.SpatialReference(runtime, 'LOCAL_CS["plan",UNIT["metre",1]]')
    with pytest.raises(alidade.errors.UnsupportedError, match="nowhere on the earth"):
        geodesic_inverse(local, (0.0, 0.0), (1.0, 1.0))
    flat = alidade.SpatialReference(runtime, "+proj=longlat +a=6378137 +rf=10 +type=crs")
    with pytest.raises(alidade.errors.UnsupportedError, match="inverse flattening"):
        geodesic_inverse(flat, (0.0, 0.0), (1.0, 1.0))


def test_points_have_a_limit():
    policy = alidade.Policy(max_request_points=10)
    with alidade.Runtime(policy=policy) as runtime:
        degrees = alidade.SpatialReference.from_code(runtime, 4326)
        with pytest.raises(alidade.errors.LimitExceededError):
            geodesic_inverse(degrees, np.zeros((11, 2)), np.ones((11, 2)))
        with pytest.raises(alidade.errors.LimitExceededError):
            geodesic_direct(degrees, np.zeros((11, 2)), 1, 1)

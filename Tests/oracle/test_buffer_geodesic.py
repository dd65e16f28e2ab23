"""Geodesic buffers against GeographicLib and pyproj: outlines lie at the distance, the inside is inside, areas agree."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
import pyproj
import pytest
from geographiclib.geodesic import Geodesic
from ground import GEOD, WGS84, Figure, along_edges, crossings, exact_distance, inside, rings

import alidade
from alidade.geometry import CurveType

SEED = 20261122
# What the search for the nearest point of an edge may miss, metres.
SEARCH = 1e-6


@dataclass(frozen=True)
class Case:
    name: str
    wkt: str
    distance: float
    deviation: float | None = None
    code: int | str = 4326

    def __str__(self) -> str:
        return self.name


CASES = [
    Case("a micrometre", "POINT(10 50)", 1e-6, 1e-7),
    Case("a kilometre", "POINT(10 50)", 1000),
    Case("a millimetre in a million", "POINT(10 50)", 1000, 1e-3),
    Case("near the pole", "POINT(30 89.9999)", 1000),
    Case("a pole", "POINT(0 -90)", 500_000),
    Case("across 180", "POINT(179.9 10)", 300_000),
    Case("19,000 km", "POINT(20 40)", 19_000_000),
    Case("points 90 degrees apart", "MULTIPOINT((0 0),(90 0))", 1_000_000),
    Case("10,000 km", "LINESTRING(-75 40, 20 -10)", 50_000),
    Case("over the pole", "LINESTRING(0 80, 170 75)", 200_000),
    Case("nearly antipodal", "LINESTRING(0 10, 179.5 -10.2)", 300_000),
    Case("where outlines focus", "LINESTRING(-40 30, 30 10)", 10_000_000, 10),
    Case("where they focus, a long line", "LINESTRING(-40 30, 125 10)", 9_830_000, 1000),
    Case("where they focus, over the pole", "LINESTRING(0 60, 160 70, 150 0)", 10_050_000, 500),
    Case("a ring over the pole", "POLYGON((0 70, 120 65, -120 75, 0 70))", 100_000),
    Case("the same inwards", "POLYGON((0 70, 120 65, -120 75, 0 70))", -100_000),
    Case(
        "a hole that closes",
        "POLYGON((178 60, -170 60, -170 65, 178 65, 178 60),(180 61, -179 61, -179 62, 180 61))",
        60_000,
    ),
    Case(
        "a hole inwards",
        "POLYGON((178 60, -170 60, -170 65, 178 65, 178 60),(180 61, -179 61, -179 62, 180 61))",
        -60_000,
    ),
    Case(
        "a collection",
        "GEOMETRYCOLLECTION(POINT(1 2), GEOMETRYCOLLECTION(LINESTRING(3 4, 5 6), MULTIPOINT((9 9),(10 8))))",
        80_000,
    ),
    Case("UTM", "LINESTRING(300000 5500000, 700000 5700000)", 20_000, code=32632),
    Case("UTM, a micrometre", "POINT(500000 5500000)", 1e-6, 1e-7, 32632),
    Case("UTM, 5,000 km", "POINT(500000 5500000)", 5_000_000, code=32632),
    Case("UTM across 180", "POINT(200000 500000)", 300_000, code=32601),
    Case("Web Mercator", "LINESTRING(0 0, 10000000 9000000)", 100_000, code=3857),
    Case("Web Mercator across 180", "POINT(20037000 6000000)", 100_000, code=3857),
    Case("OSGB", "LINESTRING(100000 0, 500000 500000, 600000 900000)", 7000, code=27700),
    Case("a pole, polar stereographic", "POINT(0 0)", 2_000_000, code=3031),
    Case("a line over the pole", "LINESTRING(-2000000 100000, 1500000 -200000)", 150_000, code=3413),
    Case("LAEA", "MULTIPOINT((4321000 3210000),(5000000 2000000))", 1_000_000, code=3035),
    Case("plate carree over the pole", "POINT(1000000 9500000)", 900_000, code=32662),
    Case("Albers, past the pole", "POINT(-361962 1334420)", 5_500_000, code=5070),
    Case("Albers in Alaska, past the pole", "POINT(168521 2009499)", 2_200_000, code=3338),
    Case("grads from Paris", "LINESTRING(0 50, 5 55)", 30_000, code=4807),
    Case("Clarke's feet", "POINT(2000000 500000)", 50_000, code=2263),
]


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


class Ground:
    """From the coordinates of a case to longitudes and latitudes in degrees, by pyproj."""

    def __init__(self, code) -> None:
        crs = pyproj.CRS(f"EPSG:{code}")
        self.geod = crs.get_geod()
        globe = crs.geodetic_crs
        self.transformer = None
        if not crs.equals(globe, ignore_axis_order=True):
            self.transformer = pyproj.Transformer.from_crs(crs, globe, always_xy=True)
        self.degrees = globe.axis_info[0].unit_conversion_factor * 180 / math.pi
        if abs(self.degrees - 1) < 1e-12:
            self.degrees = 1.0

    def places(self, xy: np.ndarray) -> np.ndarray:
        xy = np.asarray(xy, dtype=float)
        if self.transformer is not None:
            xy = np.column_stack(self.transformer.transform(xy[:, 0], xy[:, 1], errcheck=True))
        return xy * self.degrees

    def images(self, places: np.ndarray) -> np.ndarray:
        xy = np.asarray(places) / self.degrees
        if self.transformer is None:
            return xy
        return np.column_stack(self.transformer.transform(xy[:, 0], xy[:, 1], direction="INVERSE"))


def parts(geometry) -> tuple[list, list]:
    """The points, and the lines and rings, of a geometry."""
    if geometry.kind == alidade.geometry.GeometryKind.COLLECTION:
        members = [parts(member) for member in geometry.members]
        return sum((m[0] for m in members), []), sum((m[1] for m in members), [])
    if geometry.kind in (alidade.geometry.GeometryKind.POINT, alidade.geometry.GeometryKind.MULTIPOINT):
        return list(geometry.xy), []
    return [], rings(geometry)


def figure_of(geometry, ground: Ground) -> Figure:
    points, lines = parts(geometry)
    return Figure(
        ground.places(np.array(points)) if points else [], [ground.places(line) for line in lines], ground.geod
    )


def polygons(geometry, ground: Ground) -> list[list[np.ndarray]]:
    return [[ground.places(ring) for ring in rings(geometry)]] if geometry.kind == alidade.geometry.GeometryKind.POLYGON else []


def within(ring_places: list[np.ndarray], places: np.ndarray, geod: pyproj.Geod) -> np.ndarray:
    """Whether points are in a polygon of geodesics, in a map centred on its first vertex; not next to the boundary."""
    x, y = ring_places[0][0]
    flat = pyproj.Proj(proj="aeqd", lon_0=x, lat_0=y, a=geod.a, b=geod.b)
    found = np.zeros(len(places), dtype=bool)
    for ring in ring_places:
        dense = []
        for a, b in zip(ring, ring[1:]):
            dense += [tuple(a), *geod.npts(*a, *b, 300)]
        found ^= crossings(np.column_stack(flat(*np.array(dense + dense[:1]).T)), np.column_stack(flat(*places.T)))
    return found


def on_the_side(places: np.ndarray) -> np.ndarray:
    """Points on the sides of a map of longitudes and latitudes, along which it is cut."""
    return (np.abs(np.abs(places[:, 0]) - 180) < 1e-9) | (np.abs(places[:, 1]) > 90 - 1e-9)


def outline(buffer, ground: Ground, steps: int = 8) -> np.ndarray:
    places = np.concatenate([ground.places(along_edges(ring, steps)) for ring in rings(buffer)])
    return places[~on_the_side(places)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_outline_lies_at_the_distance(runtime, case):
    """Along all edges, as they are straight in the spatial reference: the reported deviation is not below the true one."""
    reference = alidade.SpatialReference(runtime, f"EPSG:{case.code}")
    geometry = alidade.Geometry.from_wkt(runtime, case.wkt, reference)
    buffer = geometry.geodesic_buffer(case.distance, maximum_deviation=case.deviation)
    report = buffer.buffer_report
    assert buffer.is_valid and buffer.spatial_reference == reference
    assert report.achieved_deviation_m <= report.maximum_deviation_m
    assert report.maximum_deviation_m == pytest.approx(case.deviation or abs(case.distance) / 1000)
    ground = Ground(case.code)
    figure = figure_of(geometry, ground)
    errors = np.abs(figure.distances(outline(buffer, ground)) - abs(case.distance))
    slack = SEARCH if case.distance > 1 else 1e-8
    assert errors.max() <= report.achieved_deviation_m + slack
    # It is the deviation, not a guess high above it.
    assert errors.max() >= 0.3 * report.achieved_deviation_m or report.achieved_deviation_m < 0.3 * report.maximum_deviation_m
    if not figure.segments and len(figure.points) == 1:
        # With GeographicLib's own code for single points.
        geodesic = Geodesic(ground.geod.a, ground.geod.f)
        (centre,) = figure.points
        for x, y in ground.places(rings(buffer)[0][:10]):
            if not on_the_side(np.array([[x, y]]))[0]:
                length = geodesic.Inverse(centre[1], centre[0], y, x)["s12"]
                assert abs(length - case.distance) <= report.achieved_deviation_m


@pytest.mark.parametrize("case", [case for case in CASES if case.distance > 1], ids=str)
def test_what_is_near_is_inside(runtime, case):
    reference = alidade.SpatialReference(runtime, f"EPSG:{case.code}")
    geometry = alidade.Geometry.from_wkt(runtime, case.wkt, reference)
    buffer = geometry.geodesic_buffer(case.distance, maximum_deviation=case.deviation)
    report = buffer.buffer_report
    ground = Ground(case.code)
    figure = figure_of(geometry, ground)
    source = np.random.default_rng(SEED)
    starts = np.array(figure.points + [segment[0] for segment in figure.segments])
    chosen = starts[source.integers(0, len(starts), 400)]
    reach = np.minimum(case.distance * source.uniform(0, 2, 400), 19_900_000)
    x, y, _ = ground.geod.fwd(chosen[:, 0], chosen[:, 1], source.uniform(0, 360, 400), reach)
    places = np.column_stack([x, y])
    distances = figure.distances(places)
    clear = np.abs(distances - case.distance) > report.achieved_deviation_m + SEARCH
    near = distances < case.distance
    for rings_of_one in polygons(geometry, ground):
        near |= within(rings_of_one, places, ground.geod)
    places, near = places[clear], near[clear]
    images = ground.images(places)
    shown = np.isfinite(images).all(axis=1)
    # Beyond the reach of pyproj's round trip the far side of a projection folds onto the near one.
    back = np.array(ground.places(np.where(shown[:, None], images, 0)))
    shown &= ground.geod.inv(back[:, 0], back[:, 1], places[:, 0], places[:, 1])[2] < 1
    images, near = images[shown], near[shown]
    assert near.sum() > 50 and (~near).sum() > 20
    assert (inside(buffer, images) == near).all()


# Maps that are cut open, or show a pole as a line or an arc.
MAPS = [5070, 3577, 3005, 3338, 8857, 27700, 2154, 32632, 3035]


@pytest.mark.parametrize("code", MAPS)
def test_random_circles_are_right_or_refused(runtime, code):
    """Of points everywhere, many near the poles: the reported deviation holds, or the call says why it cannot."""
    reference = alidade.SpatialReference.from_code(runtime, code)
    ground = Ground(code)
    source = np.random.default_rng(code)
    done = 0
    for _ in range(40):
        y = math.degrees(math.asin(source.choice([source.uniform(-1, 1), source.uniform(0.95, 1)])))
        centre, distance = np.array([source.uniform(-180, 180), y]), 10 ** source.uniform(4.5, 7)
        (image,) = ground.images(np.array([centre]))
        if not np.isfinite(image).all():
            continue
        try:
            buffer = alidade.Geometry.from_wkt(runtime, f"POINT ({image[0]!r} {image[1]!r})", reference).geodesic_buffer(distance)
            report = buffer.buffer_report
        except alidade.errors.ProjectionFailedError:
            continue
        done += 1
        reach = np.minimum(distance * np.sqrt(source.uniform(0, 1.5, 100)), 19_900_000)
        x, y, _ = ground.geod.fwd(*np.repeat([centre], 100, axis=0).T, source.uniform(0, 360, 100), reach)
        places = ground.images(np.column_stack([x, y]))
        clear = np.isfinite(places).all(axis=1) & (np.abs(reach - distance) > report.achieved_deviation_m + SEARCH)
        found = np.zeros(100, dtype=bool)
        for ring in rings(buffer):
            found ^= crossings(ring, places)
        assert (found == (reach < distance))[clear].all(), (centre, distance)
    assert done > 10


def test_polygons_hold_their_inside(runtime):
    """A ring over the pole, outwards and inwards."""
    reference = alidade.SpatialReference(runtime, "EPSG:4326")
    ring = alidade.Geometry.from_wkt(runtime, "POLYGON((0 70, 120 65, -120 75, 0 70))", reference)
    pole, far = np.array([[50.0, 89.5]]), np.array([[50.0, 40.0]])
    for distance in (100_000, -100_000):
        buffer = ring.geodesic_buffer(distance)
        assert inside(buffer, pole).all() and not inside(buffer, far).any()


# The far side of the earth is the edge of the map of EPSG:3035.
@pytest.mark.parametrize(
    ("code", "radius"),
    [(4326, radius) for radius in (1000, 100_000, 3_000_000, 9_000_000, 15_000_000)]
    + [(3035, radius) for radius in (1000, 100_000, 3_000_000, 9_000_000)],
)
def test_areas_of_circles(runtime, radius, code):
    """Against the polar integral of the reduced length, by Gauss and Legendre, with GeographicLib's numbers."""
    centre = (10.0, 52.0)
    ellipsoid = Geodesic(GEOD.a, GEOD.f) if code == 4326 else Geodesic(6378137, 1 / 298.257222101)
    nodes, weights = np.polynomial.legendre.leggauss(12)
    expected = 0.0
    directions = 72
    for azimuth in np.arange(directions) * 360 / directions:
        for node, weight in zip(nodes, weights):
            s = radius * (node + 1) / 2
            reduced = ellipsoid.Direct(centre[1], centre[0], azimuth, s, Geodesic.REDUCEDLENGTH)["m12"]
            expected += weight * radius / 2 * reduced * 2 * math.pi / directions
    reference = alidade.SpatialReference(runtime, f"EPSG:{code}")
    ground = Ground(code)
    point = alidade.Geometry.from_coordinates(
        runtime, alidade.geometry.GeometryKind.POINT, ground.images(np.array([centre]))[0], spatial_reference=reference
    )
    buffer = point.geodesic_buffer(radius, maximum_deviation=radius * 1e-6)
    report = buffer.buffer_report
    assert buffer.part_count == 1
    area = abs(_area(buffer, ground))
    perimeter = 2 * math.pi * ellipsoid.Direct(centre[1], centre[0], 0, radius, Geodesic.REDUCEDLENGTH)["m12"]
    assert abs(area - expected) < 1.2 * perimeter * report.achieved_deviation_m + 1e-9 * expected


def _area(buffer, ground: Ground) -> float:
    """Square metres: in LAEA by the shoelace formula, in degrees by the zone below each edge."""
    total = 0.0
    for ring in rings(buffer):
        x, y = ring[:, 0] - ring[0, 0], ring[:, 1]
        if ground.transformer is not None:
            total += np.sum(x[:-1] * (y[1:] - y[0]) - x[1:] * (y[:-1] - y[0])) / 2
            continue
        e2 = ground.geod.es
        e, b2 = math.sqrt(e2), ground.geod.b**2

        def zone(latitude):
            sine = np.sin(np.radians(latitude))
            return b2 / 2 * (sine / (1 - e2 * sine**2) + np.arctanh(e * sine) / e)

        nodes, weights = np.polynomial.legendre.leggauss(6)
        for node, weight in zip(nodes, weights):
            latitude = y[:-1] + (node + 1) / 2 * np.diff(y)
            total -= np.sum(np.radians(np.diff(x)) * zone(latitude) * weight / 2)
    return total


def test_points_far_apart_keep_their_area(runtime):
    """PostGIS's buffers of points 90 degrees apart lose half of the area: it takes one plane for all of them."""
    reference = alidade.SpatialReference(runtime, "EPSG:4326")
    ground = Ground(4326)
    one = alidade.Geometry.from_wkt(runtime, "POINT(0 0)", reference).geodesic_buffer(500_000, maximum_deviation=1)
    expected = abs(_area(one, ground))
    wkt = "MULTIPOINT((0 0), (90 0), (180 0), (-90 0))"
    many = alidade.Geometry.from_wkt(runtime, wkt, reference)
    buffer = many.geodesic_buffer(500_000, maximum_deviation=1)
    assert abs(_area(buffer, ground)) == pytest.approx(4 * expected, rel=1e-5)
    assert expected == pytest.approx(math.pi * 500_000**2, rel=1e-3)


@pytest.mark.parametrize("curve", list(CurveType))
@pytest.mark.parametrize("code", [4326, 3857])
def test_edges_of_every_curve(runtime, curve, code):
    """The buffer's outline lies at the distance from curves that pyproj and formulas of their own give."""
    reference = alidade.SpatialReference(runtime, f"EPSG:{code}")
    ground = Ground(code)
    ends = np.array([[-60.0, 50.0], [30.0, 20.0]])
    line = alidade.Geometry.from_coordinates(
        runtime, alidade.geometry.GeometryKind.POLYLINE, ground.images(ends), spatial_reference=reference
    )
    buffer = line.geodesic_buffer(200_000, maximum_deviation=500, curve_type=curve)
    report = buffer.buffer_report
    t = np.linspace(0, 1, 6001)
    path = _curve(curve, ends, t, ground)
    places = outline(buffer, ground, 3)[::7]
    distances = np.array([
        GEOD.inv(np.full(len(path), x), np.full(len(path), y), path[:, 0], path[:, 1])[2].min() for x, y in places
    ])
    # A sample lies within 1 km of every point of the path, so it is at most 1000^2 / (2 x 200,000) m farther away.
    assert np.abs(distances - 200_000).max() <= report.achieved_deviation_m + 2.5
    assert report.achieved_deviation_m <= 500


def _curve(curve, ends, t, ground: Ground) -> np.ndarray:
    (x0, y0), (x1, y1) = ends
    if curve == CurveType.GEODESIC:
        azimuth, _, length = GEOD.inv(x0, y0, x1, y1)
        n = len(t)
        x, y, _ = GEOD.fwd(np.full(n, x0), np.full(n, y0), np.full(n, azimuth), t * length)
        return np.column_stack([x, y])
    if curve == CurveType.LOXODROME:
        # A straight line in the ellipsoidal Mercator projection.
        mercator = pyproj.Transformer.from_crs("EPSG:4326", "EPSG:3395", always_xy=True)
        a, b = (np.array(mercator.transform(*end)) for end in ends)
        line = a + t[:, None] * (b - a)
        return np.column_stack(mercator.transform(line[:, 0], line[:, 1], direction="INVERSE"))
    if curve == CurveType.SHAPE_PRESERVING:
        a, b = ground.images(ends)
        return ground.places(a + t[:, None] * (b - a))
    # A plane through both: the earth's centre, or the normal at the first, is in it. Where it cuts the ellipsoid.
    geocentric = pyproj.Transformer.from_crs("EPSG:4979", "EPSG:4978", always_xy=True)
    a, b = (np.array(geocentric.transform(x, y, 0.0)) for x, y in ends)
    phi, lam = math.radians(y0), math.radians(x0)
    normal = np.array([math.cos(phi) * math.cos(lam), math.cos(phi) * math.sin(lam), math.sin(phi)])
    centre = np.zeros(3) if curve == CurveType.GREAT_ELLIPTIC else a - normal * 3_000_000
    chord = a + t[:, None] * (b - a)
    # From the point in the plane outwards through the chord until the ellipsoid is met.
    rays = chord - centre
    scale = np.array([1 / GEOD.a, 1 / GEOD.a, 1 / GEOD.b])
    p, d = centre * scale, rays * scale
    qa, qb, qc = (d * d).sum(1), 2 * (d * p).sum(1), (p * p).sum() - 1
    k = (-qb + np.sqrt(qb * qb - 4 * qa * qc)) / (2 * qa)
    found = centre + k[:, None] * rays
    x, y, _ = geocentric.transform(found[:, 0], found[:, 1], found[:, 2], direction="INVERSE")
    return np.column_stack([x, y])


def test_shape_preserving_polygons_may_be_large(runtime):
    """More than half of the earth, as it is drawn."""
    reference = alidade.SpatialReference(runtime, "EPSG:4326")
    box = alidade.Geometry.from_wkt(runtime, "POLYGON((-180 -60, 180 -60, 180 60, -180 60, -180 -60))", reference)
    buffer = box.geodesic_buffer(100_000, curve_type=CurveType.SHAPE_PRESERVING)
    north = WGS84.Direct(60, 0, 0, 100_000)["lat2"]
    assert buffer.envelope.y_max == pytest.approx(north, abs=1e-3)
    assert inside(buffer, np.array([[0.0, 0], [-179.5, 60.5], [100, -60.8]])).all()
    assert not inside(buffer, np.array([[0.0, 62], [100, -89]])).any()


def test_arrays_and_unions(runtime):
    reference = alidade.SpatialReference(runtime, "EPSG:4326")
    source = np.random.default_rng(SEED)
    xy = np.column_stack([source.uniform(-180, 180, 200), source.uniform(-90, 90, 200)])
    points = alidade.GeometryArray.from_columns(
        runtime, xy, kind=alidade.geometry.GeometryKind.POINT, spatial_reference=reference
    )
    kilometre = alidade.Unit.KILOMETRE
    buffers = points.geodesic_buffers([100, 200], unit=kilometre)
    report = buffers.buffer_report
    assert len(buffers) == 200
    assert report.maximum_deviation_m == 200 and report.achieved_deviation_m <= 200
    for index in (0, 1, 77):
        one = points[index].geodesic_buffer(100 if index == 0 else 200, unit=kilometre)
        assert one.equals(buffers[index])
    union = points.geodesic_buffer_union(800, unit=kilometre)
    report = union.buffer_report
    figure = Figure(xy)
    places = np.column_stack([source.uniform(-180, 180, 500), np.degrees(np.arcsin(source.uniform(-1, 1, 500)))])
    distances = figure.distances(places)
    clear = np.abs(distances - 800_000) > report.achieved_deviation_m
    assert (inside(union, places[clear]) == (distances < 800_000)[clear]).all()
    assert union.is_valid


@pytest.mark.parametrize("code", [4326, 32632, 3857])
def test_unions_of_thousands(runtime, code):
    """Heaps of hundreds, pairs and single ones, more than are united at once; pyproj finds the members of each."""
    reference = alidade.SpatialReference(runtime, f"EPSG:{code}")
    ground = Ground(code)
    source = np.random.default_rng(SEED)
    heap = np.column_stack([source.uniform(8, 9, 700), source.uniform(50, 50.6, 700)])
    sparse = np.column_stack([source.uniform(5, 13, 800), source.uniform(42, 49, 800)])
    xy = np.concatenate([heap, sparse])
    points = alidade.GeometryArray.from_columns(
        runtime, ground.images(xy), kind=alidade.geometry.GeometryKind.POINT, spatial_reference=reference
    )
    distance = 6000.0
    union = points.geodesic_buffer_union(distance)
    report = union.buffer_report
    assert union.is_valid and report.achieved_deviation_m <= 6
    # Circles hang together if their centres lie within twice the distance.
    first, second = np.triu_indices(len(xy), 1)
    near = np.abs(xy[first] - xy[second]).max(axis=1) < 0.3
    first, second = first[near], second[near]
    apart = ground.geod.inv(xy[first, 0], xy[first, 1], xy[second, 0], xy[second, 1])[2]
    apart = np.asarray(apart)
    parents = list(range(len(xy)))

    def root(k):
        while parents[k] != k:
            k = parents[k]
        return k

    doubtful = int((np.abs(apart - 2 * distance) <= 2 * report.achieved_deviation_m).sum())
    for a, b in zip(first[apart < 2 * distance], second[apart < 2 * distance]):
        parents[root(a)] = root(b)
    parts = len({root(k) for k in range(len(xy))})
    assert abs(union.part_count - parts) <= doubtful
    places = np.column_stack([source.uniform(5, 13, 3000), source.uniform(42, 51, 3000)])
    distances = Figure(xy, geod=ground.geod).distances(places)
    clear = np.abs(distances - distance) > report.achieved_deviation_m
    assert (inside(union, ground.images(places[clear])) == (distances < distance)[clear]).all()


def test_empty_and_negative(runtime):
    reference = alidade.SpatialReference(runtime, "EPSG:4326")
    for wkt in ("POINT EMPTY", "GEOMETRYCOLLECTION EMPTY", "POLYGON EMPTY"):
        buffer = alidade.Geometry.from_wkt(runtime, wkt, reference).geodesic_buffer(1000)
        report = buffer.buffer_report
        assert buffer.is_empty and buffer.kind == alidade.geometry.GeometryKind.POLYGON
        assert report.achieved_deviation_m == 0
    for wkt in ("POINT(1 2)", "LINESTRING(1 2, 3 4)", "POLYGON((0 0, 1 0, 1 1, 0 0))"):
        buffer = alidade.Geometry.from_wkt(runtime, wkt, reference).geodesic_buffer(-100_000)
        assert buffer.is_empty
    empty = alidade.GeometryArray.from_wkb(runtime, [], reference)
    assert len(empty.geodesic_buffers(10)) == 0
    assert empty.geodesic_buffer_union(10).is_empty


def test_unwrapped(runtime):
    """Beyond 180 degrees, or beyond the side of Web Mercator, in one piece."""
    for code, width, x in ((4326, 360, 179.9), (3857, 2 * math.pi * 6378137, 20_030_000)):
        reference = alidade.SpatialReference(runtime, f"EPSG:{code}")
        point = alidade.Geometry.from_coordinates(
            runtime, alidade.geometry.GeometryKind.POINT, [x, 10], spatial_reference=reference
        )
        split = point.geodesic_buffer(100_000)
        assert split.part_count == 2 and split.envelope.x_max == pytest.approx(width / 2, rel=1e-12)
        whole = point.geodesic_buffer(100_000, unwrapped=True)
        assert whole.part_count == 1 and whole.envelope.x_max > width / 2


@pytest.mark.parametrize("distance", [0, 1e-7, 2e7, -2e7, math.nan, math.inf, 1e308])
def test_distances_out_of_range(runtime, distance):
    reference = alidade.SpatialReference(runtime, "EPSG:4326")
    point = alidade.Geometry.from_wkt(runtime, "POINT(1 2)", reference)
    array = alidade.GeometryArray.from_wkb(runtime, [point.to_wkb()], reference)
    for call in (point.geodesic_buffer, array.geodesic_buffers, array.geodesic_buffer_union):
        with pytest.raises(alidade.errors.InvalidArgumentError):
            call(distance)


def test_what_cannot_be_buffered(runtime):
    """Each reason has its own error, for one geometry, for many and for their union."""

    def refused(wkt, code, error, message, distance=1000.0, **options):
        reference = alidade.SpatialReference(runtime, code) if code else None
        one = alidade.Geometry.from_wkt(runtime, wkt, reference)
        many = alidade.GeometryArray.from_wkb(runtime, [one.to_wkb()], reference)
        for call in (one.geodesic_buffer, many.geodesic_buffers, many.geodesic_buffer_union):
            with pytest.raises(error, match=message):
                call(distance, **options)

    invalid, failed = alidade.errors.InvalidArgumentError, alidade.errors.ProjectionFailedError
    refused("POINT(1 2)", None, invalid, "no spatial reference")
    refused("POINT(1 91)", "EPSG:4326", invalid, "91")
    refused("POINT(1e300 1)", "EPSG:4326", invalid, "1e.300")
    refused("LINESTRING(-180 0, 180 0)", "EPSG:4326", invalid, "all around")
    refused("POLYGON((-180 -90, 180 -90, 180 90, -180 90, -180 -90))", "EPSG:4326", invalid, "all around")
    refused("LINESTRING(0 0, 180 0)", "EPSG:4326", invalid, "opposite", curve_type=CurveType.GREAT_ELLIPTIC)
    refused("POINT(1 2)", "EPSG:4326", invalid, "must be at least", maximum_deviation=1e-9)
    refused("POINT(1 2)", "EPSG:4326", invalid, "no unit of length", unit=alidade.Unit.DEGREE)
    refused("POINT(0 19000000)", "EPSG:3857", failed, "pole", 3_000_000)
    refused("POINT(18000000 0)", "ESRI:54009", failed, "cut open", 1_000_000)
    refused("POINT(1147520 8345267)", "EPSG:8857", failed, "cut open", 700_000)
    refused("POINT(500000 0)", "EPSG:32632", failed, "geographic", 12_000_000)
    refused("POINT(1e300 1)", "EPSG:32632", failed, "no position on the earth")
    straight = "LINESTRING(-9500000 7500000, 2000000 7500000)"
    refused(straight, "+proj=igh +type=crs", failed, "cut open", curve_type=CurveType.SHAPE_PRESERVING)
    saturn = 'GEOGCS["Saturn",DATUM["Saturn",SPHEROID["Saturn",60268000,10.2]],PRIMEM["0",0],UNIT["degree",0.0174532925199433]]'
    refused("POINT(1 2)", saturn, alidade.errors.UnsupportedError, "flattening")


def test_the_policy_limits_vertices():
    policy = alidade.Policy(max_request_points=100)
    with alidade.Runtime(policy=policy) as runtime:
        reference = alidade.SpatialReference(runtime, "EPSG:4326")
        point = alidade.Geometry.from_wkt(runtime, "POINT(1 2)", reference)
        array = alidade.GeometryArray.from_wkb(runtime, [point.to_wkb()], reference)
        for call in (point.geodesic_buffer, array.geodesic_buffers, array.geodesic_buffer_union):
            assert call(1000) is not None
            with pytest.raises(alidade.errors.LimitExceededError, match="vertices"):
                call(1000, maximum_deviation=0.01)


def far_apart(runtime, count):
    source = np.random.default_rng(SEED)
    places = np.column_stack([source.uniform(-170, 170, count), source.uniform(-70, 70, count)])
    reference = alidade.SpatialReference(runtime, "EPSG:4326")
    return alidade.GeometryArray.from_columns(
        runtime, places, kind=alidade.geometry.GeometryKind.POINT, spatial_reference=reference
    )


def test_too_many_vertices_are_refused_before_all_are_made():
    """The vertices of a thousand circles take a minute."""
    with alidade.Runtime(policy=alidade.Policy(max_request_points=200_000), thread_count=1) as runtime:
        points = far_apart(runtime, 1000)
        line = alidade.Geometry.from_wkt(runtime, "LINESTRING(-75 40, 20 -10)", points.spatial_reference)
        start = time.process_time()
        with pytest.raises(alidade.errors.LimitExceededError, match="200000"):
            points.geodesic_buffer_union(9_700_000, maximum_deviation=1)
        with pytest.raises(alidade.errors.LimitExceededError, match="circles"):
            line.geodesic_buffer(10_000_000, maximum_deviation=0.01)
        for maximum_deviation in (1e-4, 1e-7):
            with pytest.raises(alidade.errors.LimitExceededError, match="max_request_points"):
                line.geodesic_buffer(3_000_000, maximum_deviation=maximum_deviation)
        assert time.process_time() - start < 5


def test_the_time_limit_ends_large_unions():
    with alidade.Runtime(policy=alidade.Policy(max_request_ms=300), thread_count=1) as runtime:
        points = far_apart(runtime, 100)
        start = time.process_time()
        with pytest.raises(alidade.errors.LimitExceededError, match="max_request_ms"):
            points.geodesic_buffer_union(9_700_000, maximum_deviation=1)
        assert time.process_time() - start < 1.5


def test_distances_do_not_fit(runtime):
    reference = alidade.SpatialReference(runtime, "EPSG:4326")
    array = alidade.GeometryArray.from_columns(
        runtime, [[0, 0], [1, 1]], kind=alidade.geometry.GeometryKind.POINT, spatial_reference=reference
    )
    for distances in ([], [1, 2, 3], [1, math.nan]):
        for call in (array.geodesic_buffers, array.geodesic_buffer_union):
            with pytest.raises(alidade.errors.InvalidArgumentError):
                call(distances)


def test_the_least_distance_is_exact(runtime):
    """A micrometre, to a tenth of one: about what degrees can resolve."""
    reference = alidade.SpatialReference(runtime, "EPSG:4326")
    point = alidade.Geometry.from_wkt(runtime, "POINT(10 50)", reference)
    buffer = point.geodesic_buffer(1, unit=alidade.Unit.MILLIMETRE, maximum_deviation=1.01e-4)
    report = buffer.buffer_report
    assert report.maximum_deviation_m == pytest.approx(1.01e-7, rel=1e-12)
    for x, y in rings(buffer)[0][::4]:
        assert abs(exact_distance((10, 50), (x, y)) - 0.001) <= report.achieved_deviation_m


def test_lines_of_some_steps_of_a_double(runtime):
    """GEOS snaps by the largest coordinate where it cannot do without: a degree of longitude is no small number."""
    x, y = -161.13943871714284, 22.95599315586218
    text = (
        f"LINESTRING ({x} {y}, -161.13943871714292 22.955993155862245, -161.13943871714304 22.955993155862373, "
        f"-161.13943871714298 {y}, -161.13943871714292 {y})"
    )
    reference = alidade.SpatialReference(runtime, "EPSG:4326")
    line = alidade.Geometry.from_wkt(runtime, text, reference)
    distance = 7.109127349689417e-06
    buffer = line.geodesic_buffer(distance, maximum_deviation=1e-7)
    report = buffer.buffer_report
    places = np.concatenate(rings(buffer))
    lengths = [exact_distance((x, y), place) for place in places]
    # The line itself is 3e-8 m long.
    assert len(places) > 8
    assert np.abs(np.array(lengths) - distance).max() <= report.achieved_deviation_m + 4e-8

"""Ellipses and sectors on the earth, and geometries brought back into the world."""

import numpy as np
import pytest
import shapely.affinity
import shapely.geometry
import shapely.ops
import shapely.wkt
from geographiclib.geodesic import Geodesic
from pyproj import Geod, Transformer

import alidade
from alidade import Geometry, GeometryArray, Unit

GEOD = Geod(ellps="WGS84")


@pytest.fixture(scope="module")
def wgs84(runtime):
    return alidade.SpatialReference.from_code(runtime, 4326)


@pytest.fixture(scope="module")
def mercator(runtime):
    return alidade.SpatialReference.from_code(runtime, 3857)


def off(place, centre, a, b, azimuth):
    """How far a point is from the outline of an ellipse, along its direction from the centre, metres."""
    way = Geodesic.WGS84.Inverse(centre[1], centre[0], place[1], place[0])
    angle = np.radians(way["azi1"] - azimuth)
    return abs(way["s12"] - a * b / np.hypot(b * np.cos(angle), a * np.sin(angle)))


def edges(shape, count=5):
    """Points along all edges, in the coordinates."""
    shares = np.linspace(0, 1, count, endpoint=False)[:, None]
    found = []
    columns = shape.columns
    for start, end in zip(columns.vertex_offsets, columns.vertex_offsets[1:]):
        ring = columns.xy[start:end]
        found += [a + (b - a) * shares for a, b in zip(ring, ring[1:])]
    return np.vstack(found)


@pytest.mark.parametrize("code", [4326, 3857, 3413])
@pytest.mark.parametrize(
    ("centre", "a", "b", "azimuth"),
    [((10, 50), 1000, 400, 30), ((-20, 40), 800_000, 500_000, -100), ((179.9, 65), 300_000, 200_000, 80)],
)
def test_ellipses_lie_where_their_axes_say(runtime, code, centre, a, b, azimuth):
    reference = alidade.SpatialReference.from_code(runtime, code)
    there = Transformer.from_crs(4326, code, always_xy=True)
    shape = Geometry.geodesic_ellipse(reference, there.transform(*centre), a, b, azimuth)
    assert shape.is_valid
    places = np.column_stack(there.transform(*edges(shape).T, direction="INVERSE"))
    # What is cut at the side of the world has edges that are no outline.
    side = {4326: 180, 3857: 20037508.34}.get(code)
    on_side = np.abs(np.abs(edges(shape)[:, 0]) - side) < 1e-6 * side if side else np.zeros(len(places), bool)
    deviations = [off(place, centre, a, b, azimuth) for place in places[~on_side]]
    # Along the direction from the centre, which slants to the outline, by less than the ratio of the axes.
    assert max(deviations) <= a / 1000 * (a / b) ** 2
    finer = Geometry.geodesic_ellipse(reference, there.transform(*centre), a, b, azimuth, maximum_deviation=1e-4 * a)
    assert finer.vertex_count > shape.vertex_count
    expected = sum_of_sectors(centre, a, b, azimuth)
    assert finer.area(geodesic=True) == pytest.approx(expected, rel=1e-3)
    axes = (a / 1000, b / 1000, azimuth)
    assert Geometry.geodesic_ellipse(reference, there.transform(*centre), *axes, unit=Unit.KILOMETRE).equals(shape)


def sum_of_sectors(centre, a, b, azimuth):
    angles = np.linspace(0, 360, 3601)[:-1]
    radii = a * b / np.hypot(b * np.cos(np.radians(angles)), a * np.sin(np.radians(angles)))
    x, y, _ = GEOD.fwd(np.full(3600, centre[0]), np.full(3600, centre[1]), angles + azimuth, radii)
    return abs(GEOD.polygon_area_perimeter(x, y)[0])


def test_a_circle_is_an_ellipse_and_a_sector(runtime, wgs84):
    for centre in ((10, 50), (0, 89.9), (30, -90), (-179.99, 0)):
        ellipse = Geometry.geodesic_ellipse(wgs84, centre, 100_000, 100_000, maximum_deviation=1)
        sector = Geometry.geodesic_sector(wgs84, centre, 100_000, 77, 360, maximum_deviation=1)
        x, y, _ = GEOD.fwd(np.full(3600, centre[0]), np.full(3600, centre[1]), np.arange(3600) / 10, np.full(3600, 1e5))
        expected = abs(GEOD.polygon_area_perimeter(x, y)[0])
        for shape in (ellipse, sector):
            # Parallels and meridians bound what holds a pole, so its edges are straight on the map.
            found = shape.area(curve_type=alidade.geometry.CurveType.SHAPE_PRESERVING)
            assert found == pytest.approx(expected, rel=1e-4)
            assert shape.is_valid


@pytest.mark.parametrize(("start", "angle"), [(0, 90), (200, 1), (-30, 300), (77, 359.9), (1000, 180)])
@pytest.mark.parametrize("centre", [(10, 50), (179.5, -20), (0, 88.5)])
def test_sectors_hold_what_they_should(runtime, wgs84, centre, start, angle):
    radius = 200_000
    shape = Geometry.geodesic_sector(wgs84, centre, radius, start, angle, maximum_deviation=1)
    flat = shapely.wkt.loads(shape.to_wkt())
    assert flat.is_valid
    source = np.random.default_rng(1)
    for _ in range(300):
        azimuth, distance = source.uniform(0, 360), radius * 1.3 * np.sqrt(source.random())
        x, y, _ = GEOD.fwd(*centre, azimuth, distance)
        turn = (azimuth - start) % 360
        edge = min(turn, 360 - turn, abs(turn - angle))
        if abs(distance - radius) < 3 or np.radians(edge) * distance < 3:
            continue
        assert flat.contains(shapely.geometry.Point(x, y)) == (turn < angle and distance < radius)
    assert shape.area(geodesic=True) > 0


def test_what_shapes_refuse(runtime, wgs84, mercator):
    local = alidade.SpatialReference(runtime, 'LOCAL_CS["plan",UNIT["metre",1]]')
    ellipse, sector = Geometry.geodesic_ellipse, Geometry.geodesic_sector
    for call in (
        lambda: ellipse(wgs84, (0, 0), 0, 1), lambda: ellipse(wgs84, (0, 0), 1, -1), lambda: ellipse(wgs84, (0, 0), 3e7, 1),
        lambda: ellipse(wgs84, (0, 0), 1, np.nan), lambda: ellipse(wgs84, (np.inf, 0), 1, 1),
        lambda: ellipse(wgs84, (0, 0), 1, 1, np.nan), lambda: ellipse(wgs84, (0, 0), 1, 1, unit=Unit.DEGREE),
        lambda: ellipse(wgs84, (0, 0), 1, 1, maximum_deviation=-1), lambda: sector(wgs84, (0, 0), 1, 0, 0),
        lambda: sector(wgs84, (0, 0), 1, 0, 361), lambda: sector(wgs84, (0, 0), 0, 0, 10),
        lambda: sector(wgs84, (0, 0), 1, np.nan, 10),
    ):  # fmt: skip
        with pytest.raises(alidade.errors.InvalidArgumentError):
            call()
    for call in (lambda: ellipse(local, (0, 0), 1, 1), lambda: sector(local, (0, 0), 1, 0, 10)):
        with pytest.raises(alidade.errors.UnsupportedError):
            call()
    for call in (
        lambda: ellipse(wgs84, (0, 91), 1, 1), lambda: sector(wgs84, (0, 91), 1, 0, 9),
        # Over the pole, which Web Mercator does not show.
        lambda: ellipse(mercator, (0, 1.9e7), 3e6, 3e6), lambda: sector(mercator, (0, 1.9e7), 3e6, 0, 360),
    ):  # fmt: skip
        with pytest.raises(alidade.errors.ProjectionFailedError):
            call()
    for call in (lambda r: ellipse(r, (0, 0), 1e6, 1e6), lambda r: sector(r, (0, 0), 1e6, 0, 9)):
        with alidade.Runtime(policy=alidade.Policy(max_request_points=5)) as small:
            with pytest.raises(alidade.errors.LimitExceededError):
                call(alidade.SpatialReference.from_code(small, 4326))


WORLDS = [
    ("POINT (190 5)", "POINT (-170 5)"), ("POINT (-540 5)", "POINT (-180 5)"), ("POINT (180 5)", "POINT (180 5)"),
    ("LINESTRING (170 0, 190 10)", "MULTILINESTRING ((170 0, 180 5), (-180 5, -170 10))"),
    ("LINESTRING M (170 0 1, 190 10 3)", "MULTILINESTRING M ((170 0 1, 180 5 2), (-180 5 2, -170 10 3))"),
    ("LINESTRING Z (170 0 1, 190 10 3)", "MULTILINESTRING Z ((170 0 1, 180 5 2), (-180 5 2, -170 10 3))"),
    ("LINESTRING (170 0, -170 10)", "LINESTRING (170 0, -170 10)"),
    ("MULTIPOINT (190 1, 0 0, -200 2)", "MULTIPOINT (-170 1, 0 0, 160 2)"),
    ("GEOMETRYCOLLECTION (POINT (181 1), POINT (1 1))", "GEOMETRYCOLLECTION (POINT (-179 1), POINT (1 1))"),
    ("POLYGON EMPTY", "POLYGON EMPTY"),
]


@pytest.mark.parametrize(("wkt", "expected"), WORLDS)
def test_normalized_in_degrees(runtime, wgs84, wkt, expected):
    given, there = Geometry.from_wkt(runtime, wkt, wgs84), Geometry.from_wkt(runtime, expected, wgs84)
    assert given.normalized().to_wkt() == there.to_wkt()
    array = GeometryArray.from_wkb(runtime, [given.to_wkb(), there.to_wkb()], wgs84).normalized()
    assert [geometry.to_wkt() for geometry in array] == [there.to_wkt()] * 2


@pytest.mark.parametrize("code", [4326, 3857, 3395, 4807, 54001])
def test_normalized_polygons(runtime, code):
    """Against Shapely's intersections with the worlds."""
    reference = alidade.SpatialReference(runtime, f"{'ESRI' if code == 54001 else 'EPSG'}:{code}")
    width = reference.info.world_width
    source = np.random.default_rng(code)
    for _ in range(20):
        count = 9
        angles = (np.arange(count) + source.uniform(0, 0.9, count)) / count * 2 * np.pi
        radii = width * source.uniform(0.02, 0.3) * source.uniform(0.4, 1, count)
        ring = np.column_stack([radii * np.cos(angles) + source.uniform(-1.5, 1.5) * width, radii * np.sin(angles) / 3])
        flat = shapely.geometry.Polygon(ring, [ring * 0.5 + ring.mean(axis=0) * 0.5])
        shape = Geometry.from_wkt(runtime, flat.wkt, reference)
        found = shapely.wkt.loads(shape.normalized().to_wkt())
        flat = shapely.wkt.loads(shape.to_wkt())
        pieces = []
        for world in range(-3, 4):
            box = shapely.geometry.box((world - 0.5) * width, -width, (world + 0.5) * width, width)
            pieces.append(shapely.affinity.translate(flat.intersection(box), -world * width))
        expected = shapely.ops.unary_union(pieces)
        assert found.is_valid
        assert found.symmetric_difference(expected).area < 1e-9 * flat.area
        assert found.bounds[0] >= -width / 2 * (1 + 1e-12) and found.bounds[2] <= width / 2 * (1 + 1e-12)


def test_what_normalizing_refuses(runtime, wgs84):
    british = alidade.SpatialReference.from_code(runtime, 27700)

    def both(wkt, reference):
        one = Geometry.from_wkt(runtime, wkt, reference)
        return one, GeometryArray.from_wkb(runtime, [one.to_wkb()], reference)

    for shape in both("POINT (1 2)", None):
        with pytest.raises(alidade.errors.InvalidArgumentError):
            shape.normalized()
    for wkt, reference in (
        ("POINT (1 2)", british), ("POINT (1e6 2)", wgs84), ("POINT (1e300 2)", wgs84),
        ("POLYGON ((170 0, 190 10, 190 0, 170 10, 170 0))", wgs84),
    ):  # fmt: skip
        for shape in both(wkt, reference):
            with pytest.raises(alidade.errors.UnsupportedError):
                shape.normalized()

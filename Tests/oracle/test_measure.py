"""Areas and lengths: in the plane against Shapely, on the earth against pyproj's geodesics and integrals of our own."""

import random

import numpy as np
import pytest
import shapely.wkt
from geographiclib.geodesic import Geodesic
from pyproj import Geod, Transformer

import alidade
from alidade import Geometry, GeometryArray, Unit
from alidade.geometry import CurveType, GeometryKind
from earth import B, E2, length, position, section
from geometries import text

GEOD = Geod(ellps="WGS84")
WORLD = 510065621724088.44  # square metres: Karney 2013, equation 27 and its text, for WGS 84
CURVES = list(CurveType)


@pytest.fixture(scope="module")
def wgs84(runtime):
    return alidade.SpatialReference.from_code(runtime, 4326)


def polygon(runtime, xy, reference):
    return Geometry.from_coordinates(runtime, GeometryKind.POLYGON, xy, spatial_reference=reference)


def line(runtime, xy, reference):
    return Geometry.from_coordinates(runtime, GeometryKind.POLYLINE, xy, spatial_reference=reference)


@pytest.mark.parametrize("seed", range(150))
def test_planar_measures_are_shapelys(runtime, seed):
    wkt = text(random.Random(seed + 60_000), dimensions=(False, False), is_wild=False)
    geometry, other = Geometry.from_wkt(runtime, wkt), shapely.wkt.loads(wkt)
    # Corners may be 1e7 from each other, and what they enclose a small difference of large areas.
    assert geometry.area() == pytest.approx(other.area, rel=1e-12, abs=1e-14 * other.length**2)
    assert geometry.length() == pytest.approx(other.length, rel=1e-12, abs=1e-9)


def star(source, count, centre, size):
    """A ring around a centre in degrees."""
    angles = np.sort(source.uniform(0, 2 * np.pi, count))
    radii = size * source.uniform(0.3, 1, count)
    y = np.clip(centre[1] + radii * np.sin(angles), -90, 90)
    return np.column_stack([centre[0] + radii * np.cos(angles), y])


@pytest.mark.parametrize("seed", range(40))
def test_geodesic_measures_are_pyprojs(runtime, wgs84, seed):
    source = np.random.default_rng(seed)
    ring = star(source, 30, (source.uniform(-200, 200), source.uniform(-80, 80)), 10 ** source.uniform(-5, 1.6))
    area, perimeter = GEOD.polygon_area_perimeter(ring[:, 0], ring[:, 1])
    shape = polygon(runtime, ring, wgs84)
    assert shape.area(geodesic=True) == pytest.approx(abs(area), rel=1e-12, abs=1e-3)
    assert shape.length(geodesic=True) == pytest.approx(perimeter, rel=1e-13, abs=1e-7)
    # And as another implementation has it, which is not PROJ's.
    other = Geodesic.WGS84.Polygon()
    for x, y in ring:
        other.AddPoint(y, x)
    _, perimeter, area = other.Compute()
    assert shape.area(geodesic=True) == pytest.approx(abs(area), rel=1e-11, abs=0.1)
    # Backwards it is as large.
    assert polygon(runtime, ring[::-1], wgs84).area(geodesic=True) == pytest.approx(abs(area), rel=1e-11, abs=0.1)


def test_holes_parts_and_collections(runtime, wgs84):
    outer, hole, island = (
        [(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)], [(2, 2), (2, 4), (4, 4), (4, 2), (2, 2)],
        [(20, 0), (21, 0), (21, 1), (20, 0)],
    )  # fmt: skip

    def size(ring):
        return abs(GEOD.polygon_area_perimeter(*zip(*ring))[0])

    def words(ring):
        return "(" + ", ".join(f"{x} {y}" for x, y in ring) + ")"

    multi = f"(({words(outer)[1:-1]}), ({words(hole)[1:-1]})), ({words(island)})"
    wkt = f"MULTIPOLYGON ({multi})"
    expected = size(outer) - size(hole) + size(island)
    shape = Geometry.from_wkt(runtime, wkt, wgs84)
    assert shape.area(geodesic=True) == pytest.approx(expected, rel=1e-12)
    mixed = f"GEOMETRYCOLLECTION ({wkt}, POINT (1 1), GEOMETRYCOLLECTION (LINESTRING (0 0, 0 1), {wkt}))"
    both = Geometry.from_wkt(runtime, mixed, wgs84)
    assert both.area(geodesic=True) == pytest.approx(2 * expected, rel=1e-12)
    rings = [GEOD.line_length(*zip(*ring)) for ring in (outer, hole, island)]
    expected = 2 * sum(rings) + GEOD.line_length([0, 0], [0, 1])
    assert both.length(geodesic=True) == pytest.approx(expected, rel=1e-13)
    assert Geometry.from_wkt(runtime, "LINESTRING (0 0, 1 1)", wgs84).area(geodesic=True) == 0
    for empty in ("POINT EMPTY", "POLYGON EMPTY", "MULTIPOLYGON (EMPTY)", "GEOMETRYCOLLECTION EMPTY"):
        nothing = Geometry.from_wkt(runtime, empty, wgs84)
        assert (nothing.area(), nothing.area(geodesic=True)) == (0, 0)
        assert (nothing.length(), nothing.length(geodesic=True)) == (0, 0)


def test_around_poles_and_across_the_antimeridian(runtime, wgs84):
    parallel = np.arange(0, 360, 0.5)
    for latitude in (89.9, 60, -45):
        ring = np.column_stack([parallel, np.full(len(parallel), latitude)])
        expected = abs(GEOD.polygon_area_perimeter(ring[:, 0], ring[:, 1])[0])
        assert polygon(runtime, ring, wgs84).area(geodesic=True) == pytest.approx(expected, rel=1e-12)
        # The cap of the sphere of equal area, but for what lies between chords and parallel.
        assert expected == pytest.approx(2 * np.pi * zone(latitude), rel=2e-4)
    for west, east in ((170, 190), (170, -170), (-190, -170)):
        box = [(west, -10), (east, -10), (east, 10), (west, 10)]
        expected = abs(GEOD.polygon_area_perimeter([170, 190, 190, 170], [-10, -10, 10, 10])[0])
        assert polygon(runtime, box, wgs84).area(geodesic=True) == pytest.approx(expected, rel=1e-12)
        assert line(runtime, box[:2], wgs84).length(geodesic=True) == pytest.approx(
            Geodesic.WGS84.Inverse(-10, 170, -10, 190)["s12"], abs=1e-8
        )


def zone(latitude):
    """Square metres per radian of longitude from a latitude to its pole."""

    def q(sine):
        e = np.sqrt(E2)
        return sine / (1 - E2 * sine**2) + np.arctanh(e * sine) / e

    return B * B / 2 * (q(1) - q(abs(np.sin(np.radians(latitude)))))


def test_shape_preserving_longitudes_and_latitudes_enclose_what_the_map_does(runtime, wgs84):
    def area(box):
        west, south, east, north = box
        corners = [(west, south), (east, south), (east, north), (west, north)]
        return polygon(runtime, corners, wgs84).area(curve_type=CurveType.SHAPE_PRESERVING)

    assert area((-180, -90, 180, 90)) == pytest.approx(WORLD, rel=1e-14)
    assert area((-180, 0, 180, 90)) == pytest.approx(WORLD / 2, rel=1e-14)
    assert area((-180, 60, 180, 90)) == pytest.approx(2 * np.pi * zone(60), rel=1e-13)
    assert area((10, 20, 11, 21)) == pytest.approx(np.radians(1) * (zone(20) - zone(21)), rel=1e-11)
    assert area((10, 0, 300, 1)) == pytest.approx(np.radians(290) * (zone(0) - zone(1)), rel=1e-11)
    # A triangle, against an integral over its columns.
    x = (np.arange(200_000) + 0.5) / 200_000 * 40
    expected = (zone(10) - zone(10 + x)).sum() * np.radians(40 / 200_000)
    triangle = polygon(runtime, [(0, 10), (40, 10), (40, 50)], wgs84)
    assert triangle.area(curve_type=CurveType.SHAPE_PRESERVING) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("curve", [CurveType.LOXODROME, CurveType.GREAT_ELLIPTIC, CurveType.NORMAL_SECTION])
def test_curved_edges_enclose_what_many_short_ones_do(runtime, wgs84, curve):
    """Against polygons of geodesics through points of the curves, made here from formulas."""
    ring = [(-30, 10), (50, 20), (40, 70), (-60, 60), (-30, 10)]
    places = []
    for start, end in zip(ring, ring[1:]):
        if curve is CurveType.LOXODROME:
            merc = Transformer.from_crs("EPSG:4326", "+proj=merc +ellps=WGS84", always_xy=True)
            p, q = np.array(merc.transform(*start)), np.array(merc.transform(*end))
            shares = np.linspace(0, 1, 2000, endpoint=False)[:, None]
            x, y = merc.transform(*(p + (q - p) * shares).T, direction="INVERSE")
        else:
            points = section(start, end, "centre" if curve is CurveType.GREAT_ELLIPTIC else "normal", 2000)[:-1]
            x = np.degrees(np.arctan2(points[:, 1], points[:, 0]))
            y = np.degrees(np.arctan2(points[:, 2], (1 - E2) * np.hypot(points[:, 0], points[:, 1])))
        places.append(np.column_stack([x, y]))
    places = np.vstack(places)
    expected = abs(GEOD.polygon_area_perimeter(places[:, 0], places[:, 1])[0])
    shape = polygon(runtime, ring, wgs84)
    assert shape.area(curve_type=curve) == pytest.approx(expected, rel=1e-7)
    assert abs(shape.area(curve_type=curve) - shape.area(geodesic=True)) > 1e-6 * expected
    if curve is not CurveType.LOXODROME:
        kind = "centre" if curve is CurveType.GREAT_ELLIPTIC else "normal"
        sides = [length(lambda count, a=a, b=b: section(a, b, kind, count)) for a, b in zip(ring, ring[1:])]
        assert shape.length(curve_type=curve) == pytest.approx(sum(sides), rel=1e-12)


def test_loxodromic_parallels_enclose_zones(runtime, wgs84):
    box = polygon(runtime, [(0, 40), (90, 40), (90, 70), (0, 70)], wgs84)
    assert box.area(curve_type=CurveType.LOXODROME) == pytest.approx(np.pi / 2 * (zone(40) - zone(70)), rel=1e-12)
    around = np.column_stack([np.arange(0, 360, 60), np.full(6, 70)])
    cap = polygon(runtime, around, wgs84)
    assert cap.area(curve_type=CurveType.LOXODROME) == pytest.approx(2 * np.pi * zone(70), rel=1e-12)


@pytest.mark.parametrize(
    "ends", [((10, 20), (60, 70)), ((0, 89), (170, 90)), ((-170, -5), (170, 5)), ((0, 60), (359, 60))]
)
def test_straight_lines_in_degrees_are_as_long_as_their_points_say(runtime, wgs84, ends):
    def points(count):
        shares = np.linspace(0, 1, count + 1)
        (x, y), (u, v) = ends
        return position(x + shares * (u - x), y + shares * (v - y))

    found = line(runtime, ends, wgs84).length(curve_type=CurveType.SHAPE_PRESERVING)
    assert found == pytest.approx(length(points), rel=1e-11)


@pytest.mark.parametrize(
    ("code", "box"),
    [(3857, (-2e6, 4e6, 3e6, 9e6)), (27700, (1e5, 1e5, 6e5, 9e5)), (3413, (-2e6, -2e6, 2e6, 1e6))],
)
def test_in_projected_systems(runtime, code, box):
    """Edges are geodesics between corners in longitude and latitude, or, shape-preserving, the edges of the map."""
    reference = alidade.SpatialReference.from_code(runtime, code)
    west, south, east, north = box
    ring = np.array([(west, south), (east, south), (east, north), (west, north), (west, south)])
    back = Transformer.from_crs(code, {3857: 4326, 27700: 4277, 3413: 4326}[code], always_xy=True)
    geod = Geod(ellps="airy") if code == 27700 else GEOD
    area, perimeter = geod.polygon_area_perimeter(*back.transform(*ring.T))
    shape = polygon(runtime, ring, reference)
    assert shape.area(geodesic=True) == pytest.approx(abs(area), rel=1e-9)
    assert shape.length(geodesic=True) == pytest.approx(perimeter, rel=1e-11)
    # The edges of the map as many points.
    shares = np.linspace(0, 1, 20_000, endpoint=False)[:, None]
    edges = np.vstack([a + (b - a) * shares for a, b in zip(ring, ring[1:])])
    area, perimeter = geod.polygon_area_perimeter(*back.transform(*edges.T))
    assert shape.area(curve_type=CurveType.SHAPE_PRESERVING) == pytest.approx(abs(area), rel=1e-8)
    assert shape.length(curve_type=CurveType.SHAPE_PRESERVING) == pytest.approx(perimeter, rel=1e-8)


@pytest.mark.parametrize("ends", [((0, 89.9999999), (180, 89.99999999)), ((-3600, -89.9999999999), (3600, 89.99))])
def test_straight_lines_beside_a_pole_end(runtime, wgs84, ends):
    """There the rounding of latitudes is all that a search for more digits finds."""
    (x, y), (to_x, to_y) = ends
    t = np.linspace(0, 1, 2_000_001)
    latitude = np.radians(y + t * (to_y - y))
    a, e2 = 6378137.0, E2
    w = np.sqrt(1 - e2 * np.sin(latitude) ** 2)
    speed = np.hypot(
        a * (1 - e2) / w**3 * np.radians(to_y - y), a * np.cos(latitude) / w * np.radians(to_x - x)
    )
    truth = ((speed[1:] + speed[:-1]) / 2).sum() * (t[1] - t[0])
    found = line(runtime, [(x, y), (to_x, to_y)], wgs84).length(geodesic=True, curve_type=CurveType.SHAPE_PRESERVING)
    assert found == pytest.approx(truth, rel=1e-6, abs=1e-7)


def test_units(runtime, wgs84):
    feet = alidade.SpatialReference.from_code(runtime, 2263)  # US survey feet
    square = polygon(runtime, [(0, 0), (1e4, 0), (1e4, 1e4), (0, 1e4)], feet)
    foot = 1200 / 3937
    assert square.area() == 1e8
    assert square.area(unit=Unit.US_SURVEY_SQUARE_FOOT) == 1e8
    assert square.area(unit=Unit.SQUARE_METRE) == pytest.approx(1e8 * foot**2, rel=1e-15)
    assert square.area(unit=Unit.US_SURVEY_ACRE) == pytest.approx(1e8 / 43560, rel=1e-15)
    assert square.length(unit=Unit.US_SURVEY_FOOT) == 4e4
    assert square.length(unit=Unit.KILOMETRE) == pytest.approx(40 * foot, rel=1e-15)
    degrees = line(runtime, [(0, 0), (3, 4)], wgs84)
    assert degrees.length() == 5
    assert degrees.length(unit=Unit.ARC_MINUTE) == pytest.approx(300, rel=1e-15)
    metres = degrees.length(geodesic=True)
    assert degrees.length(geodesic=True, unit=Unit.NAUTICAL_MILE) == pytest.approx(metres / 1852, rel=1e-15)
    box = polygon(runtime, [(0, 0), (1, 0), (1, 1), (0, 1)], wgs84)
    assert box.area(geodesic=True, unit=Unit.HECTARE) == pytest.approx(box.area(geodesic=True) / 1e4, rel=1e-15)
    for call in (
        lambda: degrees.length(unit=Unit.METRE), lambda: box.area(unit=Unit.SQUARE_METRE),
        lambda: square.area(unit=Unit.METRE), lambda: square.length(unit=Unit.SQUARE_METRE),
        lambda: square.length(unit=Unit.DEGREE), lambda: degrees.length(geodesic=True, unit=Unit.DEGREE),
        lambda: box.area(geodesic=True, unit=Unit.METRE), lambda: box.area(unit=999), lambda: box.length(unit=-1),
    ):  # fmt: skip
        with pytest.raises(alidade.errors.InvalidArgumentError):
            call()


def test_what_is_refused(runtime, wgs84):
    bare = Geometry.from_wkt(runtime, "POLYGON ((0 0, 1 0, 1 1, 0 0))")
    assert bare.area() == 0.5
    for call in (
        lambda: bare.area(geodesic=True), lambda: bare.length(geodesic=True), lambda: bare.area(unit=Unit.ACRE),
        lambda: bare.length(unit=Unit.METRE), lambda: bare.length(curve_type=17),
    ):  # fmt: skip
        with pytest.raises(alidade.errors.InvalidArgumentError):
            call()
    local = alidade.SpatialReference(runtime, 'LOCAL_CS["plan",UNIT["metre",1]]')
    plan = polygon(runtime, [(0, 0), (1, 0), (1, 1)], local)
    assert plan.area(unit=Unit.SQUARE_METRE) == 0.5
    for call in (lambda: plan.area(geodesic=True), lambda: plan.length(geodesic=True)):
        with pytest.raises(alidade.errors.UnsupportedError, match="nowhere on the earth"):
            call()
    far = polygon(runtime, [(0, 0), (1, 0), (1, 91)], wgs84)
    for call in (lambda: far.area(geodesic=True), lambda: far.length(geodesic=True)):
        with pytest.raises(alidade.errors.ProjectionFailedError, match=r"\(1, 91\) in WGS 84 has no position on the earth"):
            call()
    huge = polygon(runtime, [(0, 0), (1e308, 0), (1e308, 1e308)], wgs84)
    for call in (huge.area, lambda: polygon(runtime, [(-1e308, 0), (1e308, 0), (1e308, 1)], None).length()):
        with pytest.raises(alidade.errors.UnsupportedError, match="too large"):
            call()
    with pytest.raises(alidade.errors.ProjectionFailedError):
        huge.area(geodesic=True)
    opposite = line(runtime, [(0, 0), (180, 0)], wgs84)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="opposite"):
        opposite.length(curve_type=CurveType.GREAT_ELLIPTIC)
    assert opposite.length(geodesic=True) == pytest.approx(Geodesic.WGS84.Inverse(0, 0, 0, 180)["s12"], abs=1e-7)
    ring = polygon(runtime, [(0, 0), (90, 0), (180, 0), (-90, 45)], wgs84)
    assert ring.area(geodesic=True) > 0
    plane_ring = polygon(runtime, [(0, 0), (180, 0), (-90, 45)], wgs84)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="opposite"):
        plane_ring.area(curve_type=CurveType.GREAT_ELLIPTIC)


def test_a_rotated_pole_is_no_latitude(runtime):
    """Measured on the sphere or ellipsoid beneath, not as if its coordinates were latitudes."""
    text = "+proj=ob_tran +o_proj=longlat +o_lon_p=0 +o_lat_p=40 +lon_0=10 +ellps=WGS84 +type=crs"
    rotated = alidade.SpatialReference(runtime, text)
    path = [(0, 0), (10, 5), (20, -10)]
    back = Transformer.from_pipeline(
        "+proj=pipeline +step +inv +proj=ob_tran +o_proj=longlat +o_lon_p=0 +o_lat_p=40 +lon_0=10 +ellps=WGS84 "
        "+step +proj=unitconvert +xy_in=rad +xy_out=deg"
    )
    x, y = back.transform(*np.radians(np.array(path, float)).T)
    expected = GEOD.line_length(x, y)
    assert line(runtime, path, rotated).length(geodesic=True) == pytest.approx(expected, rel=1e-9)


def test_arrays_measure_each(runtime, wgs84):
    source = np.random.default_rng(9)
    rings = [star(source, 8, (source.uniform(-180, 180), source.uniform(-80, 80)), 1.0) for _ in range(5000)]
    closed = [np.vstack([ring, ring[:1]]) for ring in rings]
    offsets = np.cumsum([0] + [len(ring) for ring in closed])
    array = GeometryArray.from_columns(
        runtime, np.vstack(closed), kind=GeometryKind.POLYGON, vertex_offsets=offsets,
        path_offsets=np.arange(5001), part_offsets=np.arange(5001), spatial_reference=wgs84,
    )  # fmt: skip
    areas, lengths = array.areas(geodesic=True), array.lengths(geodesic=True)
    flat = array.areas()
    for index in range(0, 5000, 97):
        area, perimeter = GEOD.polygon_area_perimeter(*rings[index].T)
        assert areas[index] == pytest.approx(abs(area), rel=1e-11, abs=1e-3)
        assert lengths[index] == pytest.approx(perimeter, rel=1e-12)
        assert areas[index] == array[index].area(geodesic=True)
        assert flat[index] == array[index].area()
    bad = GeometryArray.from_columns(
        runtime, [(0, 0), (1, 91), (0, 0), (1, 1)], kind=GeometryKind.POLYLINE, vertex_offsets=[0, 2, 4],
        path_offsets=[0, 1, 2], part_offsets=[0, 1, 2], spatial_reference=wgs84,
    )  # fmt: skip
    assert np.isnan(bad.lengths(geodesic=True)).tolist() == [True, False]
    nothing = GeometryArray.from_wkb(runtime, [], wgs84)
    assert nothing.areas().shape == (0,) and nothing.lengths(geodesic=True).shape == (0,)
    for call in (lambda: bad.areas(unit=Unit.METRE), lambda: bad.lengths(unit=8888), lambda: bad.areas(curve_type=8)):
        with pytest.raises(alidade.errors.InvalidArgumentError):
            call()
    with pytest.raises(alidade.errors.InvalidArgumentError):
        GeometryArray.from_wkb(runtime, []).areas(geodesic=True)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        GeometryArray.from_wkb(runtime, []).lengths(geodesic=True)
    local = alidade.SpatialReference(runtime, 'LOCAL_CS["plan",UNIT["metre",1]]')
    for name in ("areas", "lengths"):
        with pytest.raises(alidade.errors.UnsupportedError):
            getattr(GeometryArray.from_wkb(runtime, [], local), name)(geodesic=True)

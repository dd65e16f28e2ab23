"""Distances and what is nearest: in the plane against Shapely, on the earth against a search over both edges, and on a
sphere against the gnomonic projection, in which geodesics are straight lines."""

import numpy as np
import pytest
import shapely.geometry
import shapely.ops
import shapely.wkt
from geographiclib.geodesic import Geodesic
from pyproj import Geod, Transformer

import alidade
from alidade import Geometry, Unit
from alidade.geometry import GeometryKind

GEOD = Geod(ellps="WGS84")


@pytest.fixture(scope="module")
def wgs84(runtime):
    return alidade.SpatialReference.from_code(runtime, 4326)


def line(runtime, xy, reference):
    return Geometry.from_coordinates(runtime, GeometryKind.POLYLINE, xy, spatial_reference=reference)


def polygon(runtime, xy, reference):
    return Geometry.from_coordinates(runtime, GeometryKind.POLYGON, xy, spatial_reference=reference)


def point(runtime, xy, reference):
    return Geometry.from_coordinates(runtime, GeometryKind.POINT, xy, spatial_reference=reference)


@pytest.mark.parametrize("exponent", [-300, -200, -180, -160, -100])
def test_lines_whose_squares_vanish(runtime, exponent):
    """In the plane: two lines of some 1e-200 have a right distance, or none."""
    tiny = 10.0**exponent
    a = line(runtime, [(0, 0), (tiny, tiny)], None)
    b = line(runtime, [(0, 3 * tiny), (tiny, 4 * tiny)], None)
    calls = [lambda: a.distance_to(b).distance <= 3 * tiny, lambda: a.prepared().within_distance(b, 1)]
    for call in calls:
        if exponent < -150:
            try:
                assert call()
            except alidade.errors.UnsupportedError as error:
                assert "squares of such small differences" in error.message
        else:
            assert call()


def searched(a, b):
    """The least distance of two geodesic segments: grids over both, finer and finer around the best points."""
    lines = [Geodesic.WGS84.InverseLine(p[1], p[0], q[1], q[0]) for p, q in (a, b)]
    starts = [(0.0, 1.0), (0.0, 1.0)]
    best = np.inf
    for _ in range(12):
        shares = [np.linspace(low, high, 13) for low, high in starts]
        places = []
        for way, share in zip(lines, shares):
            at = [way.Position(s * way.s13) for s in share]
            places.append(np.array([(p["lon2"], p["lat2"]) for p in at]))
        first, second = np.repeat(places[0], 13, axis=0), np.tile(places[1], (13, 1))
        distances = GEOD.inv(first[:, 0], first[:, 1], second[:, 0], second[:, 1])[2].reshape(13, 13)
        i, j = np.unravel_index(np.argmin(distances), distances.shape)
        best = min(best, distances[i, j])
        widths = [(high - low) / 6 for low, high in starts]
        starts = [
            (max(0, share[k] - width), min(1, share[k] + width)) for share, k, width in zip(shares, (i, j), widths)
        ]
    return best


def random_segment(source, size):
    start = np.array([source.uniform(-180, 180), source.uniform(-80, 80)])
    end = start + source.uniform(-size, size, 2)
    return [tuple(start), (end[0], np.clip(end[1], -90, 90))]


@pytest.mark.parametrize("seed", range(60))
def test_segments_are_as_far_as_a_search_says(runtime, wgs84, seed):
    source = np.random.default_rng(seed)
    size = 10 ** source.uniform(-3, 1.7)
    a = random_segment(source, size)
    b = random_segment(source, size)
    if seed % 2:
        # Near each other.
        shift = np.array(a[0]) - np.array(b[0]) + source.uniform(-2 * size, 2 * size, 2)
        b = [(x + shift[0], float(np.clip(y + shift[1], -89, 89))) for x, y in b]
    expected = searched(a, b)
    found = line(runtime, a, wgs84).distance_to(line(runtime, b, wgs84), geodesic=True)
    # A grid does not find the crossing itself.
    room = 1e-6 + 1e-7 * size * 1e5
    assert found.distance <= expected + 1e-6
    assert found.distance == pytest.approx(expected, abs=room)
    back = line(runtime, b, wgs84).distance_to(line(runtime, a, wgs84), geodesic=True)
    assert back.distance == pytest.approx(found.distance, abs=1e-6)
    apart = Geodesic.WGS84.Inverse(*found.point_a[::-1], *found.point_b[::-1])["s12"]
    assert apart == pytest.approx(found.distance, abs=2e-7)


FAR = [
    # A quarter of the way around: distances along the second line hardly change.
    ([(0, 0), (0, 0)], [(90, -40), (90, 50)]),
    ([(0, 90), (0, 90)], [(-70, 0), (80, 0)]),
    ([(0, 90), (0, 89)], [(10, 1), (100, -1)]),
    ([(12, 3), (13, 3)], [(102, -80), (102, 80)]),
    # Nearly opposite.
    ([(0, 0), (1, 0)], [(178, 1), (-179, -2)]),
    ([(0, 30), (0, 30)], [(179, -31), (-178, -29.5)]),
    # Over a pole, and along a long edge.
    ([(0, 80), (180, 80)], [(90, 88), (90, 70)]),
    ([(-60, 10), (100, 20)], [(0, 70), (0, 71)]),
    ([(0, 0), (170, 0)], [(50, 10), (60, -5)]),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), FAR)
def test_far_and_long_segments(runtime, wgs84, a, b):
    def shape(ends):
        return point(runtime, ends[0], wgs84) if ends[0] == ends[1] else line(runtime, ends, wgs84)

    expected = searched(a, b)
    found = shape(a).distance_to(shape(b), geodesic=True).distance
    assert found == pytest.approx(expected, abs=2e-3 if 9.7e6 < expected < 1.03e7 else 5 if expected < 5 else 1e-5)


def star(source, count, radius):
    angles = (np.arange(count) + source.uniform(0, 0.9, count)) / count * 2 * np.pi
    radii = radius * source.uniform(0.3, 1, count)
    return np.column_stack([radii * np.cos(angles), radii * np.sin(angles)])


@pytest.mark.parametrize("seed", range(80))
def test_zero_exactly_where_they_meet_on_a_sphere(runtime, seed):
    """In the gnomonic projection of a sphere geodesics are straight, and Shapely finds whether two geometries meet."""
    source = np.random.default_rng(seed)
    sphere = alidade.SpatialReference(runtime, "+proj=longlat +R=6371000 +type=crs")
    x, y = source.uniform(-180, 180), source.choice([0, 40, 89.5, -90, source.uniform(-90, 90)])
    flat = f"+proj=gnom +lon_0={x} +lat_0={y} +R=6371000"
    gnomonic = Transformer.from_crs("+proj=longlat +R=6371000", flat, always_xy=True)

    def make(kind, xy, hole=None):
        rings = [xy] if hole is None else [xy, hole]
        back = [np.column_stack(gnomonic.transform(*np.asarray(ring).T, direction="INVERSE")) for ring in rings]
        if kind == "line":
            return line(runtime, back[0], sphere), shapely.geometry.LineString(xy)
        words = ", ".join("(" + ", ".join(f"{float(u)!r} {float(v)!r}" for u, v in [*r, r[0]]) + ")" for r in back)
        holes = None if hole is None else [hole]
        return Geometry.from_wkt(runtime, f"POLYGON ({words})", sphere), shapely.geometry.Polygon(xy, holes)

    met = 0
    for _ in range(12):
        size = 10 ** source.uniform(2, 6.3)
        outline = star(source, 12, size)
        hole = outline * 0.5 if source.random() < 0.5 else None
        first, flat_first = make("polygon", outline, hole)
        shift = source.uniform(-size, size, 2) * source.choice([0.1, 1, 2])
        form = source.choice(["line", "polygon"])
        other = star(source, 7, size * source.choice([0.05, 0.5, 1])) + shift
        second, flat_second = make(form, other)
        meets = flat_first.intersects(flat_second)
        met += meets
        found = first.distance_to(second, geodesic=True)
        assert (found.distance == 0) == meets
        assert second.distance_to(first, geodesic=True).distance == pytest.approx(found.distance, abs=1e-6)
        if meets:
            place = shapely.geometry.Point(gnomonic.transform(*found.point_a))
            assert max(flat_first.distance(place), flat_second.distance(place)) < 1e-6 * size
    assert met > 0


def test_in_and_out_of_polygons(runtime, wgs84):
    around_pole = polygon(runtime, [(x, 70) for x in range(-180, 180, 20)], wgs84)
    rings = "(0 0, 40 0, 40 40, 0 40, 0 0), (10 10, 10 30, 30 30, 30 10, 10 10)"
    hole = Geometry.from_wkt(runtime, f"POLYGON ({rings})", wgs84)
    for shape, at, is_inside in [
        (around_pole, (33, 89), True), (around_pole, (0, 90), True), (around_pole, (33, 60), False),
        (around_pole, (33, -90), False), (hole, (5, 5), True), (hole, (20, 20), False), (hole, (35, 20), True),
        (hole, (-5, 5), False), (hole, (-140, -20), False),
    ]:  # fmt: skip
        found = shape.distance_to(point(runtime, at, wgs84), geodesic=True)
        assert (found.distance == 0) == is_inside
        nearest = shape.nearest_coordinate(at, geodesic=True)
        assert nearest.is_inside == is_inside
        on_ring = shape.nearest_coordinate(at, geodesic=True, on_boundary=True)
        assert on_ring.distance > 0
        if not is_inside:
            assert nearest.distance == pytest.approx(found.distance, abs=1e-7)
    # Across the antimeridian.
    for west, east in ((170, 190), (170, -170)):
        box = polygon(runtime, [(west, -10), (east, -10), (east, 10), (west, 10)], wgs84)
        assert box.distance_to(point(runtime, (180, 1), wgs84), geodesic=True).distance == 0
        assert box.distance_to(point(runtime, (-175, 1), wgs84), geodesic=True).distance == 0
        assert box.distance_to(point(runtime, (0, 1), wgs84), geodesic=True).distance > 1e7


@pytest.mark.parametrize("seed", range(60))
def test_planar_distances_are_shapelys(runtime, seed):
    source = np.random.default_rng(seed)

    def make(kind):
        xy = star(source, 9, 10) + source.uniform(-30, 30, 2)
        if kind == "point":
            return point(runtime, xy[0], None), shapely.geometry.Point(xy[0])
        if kind == "line":
            return line(runtime, xy, None), shapely.geometry.LineString(xy)
        return polygon(runtime, xy, None), shapely.geometry.Polygon(xy)

    for first in ("point", "line", "polygon"):
        for second in ("point", "line", "polygon"):
            (a, other_a), (b, other_b) = make(first), make(second)
            found = a.distance_to(b)
            assert found.distance == pytest.approx(other_a.distance(other_b), abs=1e-12)
            if found.distance:
                p, q = shapely.ops.nearest_points(other_a, other_b)
                assert found.point_a == pytest.approx((p.x, p.y)) and found.point_b == pytest.approx((q.x, q.y))
        (a, other_a) = make(first)
        at = tuple(source.uniform(-30, 30, 2))
        nearest = a.nearest_coordinate(at)
        there = shapely.ops.nearest_points(other_a, shapely.geometry.Point(at))[0]
        assert nearest.distance == pytest.approx(other_a.distance(shapely.geometry.Point(at)), abs=1e-12)
        assert nearest.point == pytest.approx((there.x, there.y)) if not nearest.is_inside else nearest.point == at
        vertex = a.nearest_vertex(at)
        distances = np.hypot(*(a.xy - at).T)
        assert vertex.distance == pytest.approx(distances.min(), rel=1e-14)
        assert tuple(a.xy[vertex.vertex]) == vertex.point and distances[vertex.vertex] == distances.min()


def test_lines_without_length(runtime):
    """GEOS finds them infinitely far away if one of the two is prepared."""
    texts = [
        "LINESTRING (16 -16, 16 -16)",
        "LINESTRING (1.6e49 -1.6e49, 1.6e49 -1.6e49)",
        "MULTILINESTRING ((16 -16, 16 -16), (0 0, 1 1))",
        "LINESTRING (1 -16, 16 -16)",
        "GEOMETRYCOLLECTION (LINESTRING (3 3, 3 3, 3 3), POINT (9 9))",
        "POINT (16 -15)",
    ]
    for first in texts:
        for second in texts:
            found = Geometry.from_wkt(runtime, first).distance_to(Geometry.from_wkt(runtime, second)).distance
            truth = shapely.wkt.loads(first).distance(shapely.wkt.loads(second))
            assert found == pytest.approx(truth, rel=1e-14), (first, second)


def test_indices(runtime):
    polygons = "((0 0, 9 0, 9 9, 0 9, 0 0), (2 2, 2 7, 7 7, 7 2, 2 2)), ((20 0, 21 0, 21 1, 20 0))"
    shape = Geometry.from_wkt(runtime, f"MULTIPOLYGON ({polygons})")
    found = shape.nearest_coordinate((3, 4))
    assert found[1:] == ((2, 4), 0, 1, 0, pytest.approx(0.4), False) and found.distance == 1
    found = shape.nearest_coordinate((30, -1))
    assert found[1:] == ((21, 0), 1, 0, 1, 0, False)
    assert shape.nearest_coordinate((1, 1)).is_inside
    found = shape.nearest_coordinate((1, 1.5), on_boundary=True)
    assert found[1:4] == ((0, 1.5), 0, 0) and not found.is_inside
    assert shape.nearest_vertex((6.9, 2.2))[1:5] == ((7, 2), 0, 1, 3)
    points = Geometry.from_wkt(runtime, "MULTIPOINT (0 0, 5 5, 9 1)")
    assert points.nearest_coordinate((6, 6))[1:6] == ((5, 5), 0, 0, 1, 0)


@pytest.mark.parametrize("seed", range(20))
def test_nearest_on_the_earth(runtime, wgs84, seed):
    source = np.random.default_rng(seed)
    path = np.cumsum(source.uniform(-8, 8, (15, 2)), axis=0) + (source.uniform(-180, 180), 0)
    at = (path[0, 0] + source.uniform(-50, 50), source.uniform(-60, 60))
    shape = line(runtime, path, wgs84)
    found = shape.nearest_coordinate(at, geodesic=True)
    distances = [searched((a, b), (at, at)) for a, b in zip(path, path[1:])]
    assert found.distance == pytest.approx(min(distances), abs=1e-4)
    assert found.distance <= min(distances) + 1e-6
    there = Geodesic.WGS84.Inverse(found.point[1], found.point[0], at[1], at[0])["s12"]
    assert there == pytest.approx(found.distance, abs=1e-7)
    edge = Geodesic.WGS84.InverseLine(*path[found.vertex][::-1], *path[min(found.vertex + 1, 14)][::-1])
    on_edge = edge.Position(found.share * edge.s13)
    assert Geodesic.WGS84.Inverse(found.point[1], found.point[0], on_edge["lat2"], on_edge["lon2"])["s12"] < 1e-6
    vertex = shape.nearest_vertex(at, geodesic=True, unit=Unit.KILOMETRE)
    to_vertices = [Geodesic.WGS84.Inverse(y, x, at[1], at[0])["s12"] for x, y in path]
    assert vertex.vertex == int(np.argmin(to_vertices))
    assert vertex.distance == pytest.approx(min(to_vertices) / 1000, abs=1e-10)


def test_many_vertices(runtime, wgs84):
    """Two coasts of 50,000 vertices each."""
    source = np.random.default_rng(3)
    x = np.linspace(0, 20, 50_000)
    south = np.column_stack([x, 40 + np.cumsum(source.normal(0, 1e-4, len(x)))])
    north = np.column_stack([x, 41 + np.cumsum(source.normal(0, 1e-4, len(x)))])
    found = line(runtime, south, wgs84).distance_to(line(runtime, north, wgs84), geodesic=True)
    # Near a minimum of the gap between vertices in one column.
    gaps = GEOD.inv(south[:, 0], south[:, 1], north[:, 0], north[:, 1])[2]
    assert 0.9 * gaps.min() < found.distance <= gaps.min()
    near = int(np.argmin(np.abs(x - found.point_a[0])))
    around = slice(max(0, near - 200), near + 200)
    first, second = south[around], north[around]
    first, second = np.repeat(first, len(second), axis=0), np.tile(second, (len(first), 1))
    vertices = GEOD.inv(first[:, 0], first[:, 1], second[:, 0], second[:, 1])[2].min()
    assert vertices - 50 < found.distance <= vertices + 1e-6


def test_across_spatial_references(runtime, wgs84):
    mercator = alidade.SpatialReference.from_code(runtime, 3857)
    british = alidade.SpatialReference.from_code(runtime, 27700)
    a = point(runtime, (0, 0), wgs84)
    b = point(runtime, (111319.49079327357, 0), mercator)
    found = a.distance_to(b, geodesic=True)
    assert found.distance == pytest.approx(111319.490793, abs=1e-5) and found.receipt is not None
    assert found.receipt.operations
    assert found.point_b == pytest.approx((1, 0))
    assert a.distance_to(b).distance == pytest.approx(1)
    assert a.distance_to(a, geodesic=True).receipt is None
    # From the first one's datum: to Airy's ellipsoid by the best transformation that is there.
    tower = point(runtime, (533600, 180500), british)
    to = alidade.project_coordinates(wgs84, british, [-0.1], [51.5])
    expected = alidade.geometry.geodesic_inverse(british, (533600, 180500), (to.x[0], to.y[0])).distances_m[0]
    found = tower.distance_to(point(runtime, (-0.1, 51.5), wgs84), geodesic=True)
    assert found.distance == pytest.approx(expected, abs=1e-3)
    kilometres = tower.distance_to(point(runtime, (-0.1, 51.5), wgs84), geodesic=True, unit=Unit.KILOMETRE)
    assert kilometres.distance == pytest.approx(found.distance / 1000, rel=1e-12)


def test_empty_is_nowhere(runtime, wgs84):
    for wkt in ("POINT EMPTY", "POLYGON EMPTY", "GEOMETRYCOLLECTION EMPTY", "LINESTRING EMPTY"):
        nothing, something = Geometry.from_wkt(runtime, wkt, wgs84), Geometry.from_wkt(runtime, "POINT (1 2)", wgs84)
        for geodesic in (False, True):
            for a, b in ((nothing, something), (something, nothing), (nothing, nothing)):
                found = a.distance_to(b, geodesic=geodesic)
                assert np.isnan([found.distance, *found.point_a, *found.point_b]).all()
            if "COLLECTION" not in wkt:
                assert np.isnan(nothing.nearest_coordinate((0, 0), geodesic=geodesic).distance)


def test_empty_members_are_nowhere(runtime):
    """GEOS ends the process where it measures from an empty point in a collection."""
    plain = ["POINT (1 1)", "LINESTRING (1 1, 2 5)", "POLYGON ((3 3, 9 3, 3 9, 3 3))", "LINESTRING (7 7, 7 7)"]
    empty = ["POINT EMPTY", "LINESTRING EMPTY", "POLYGON EMPTY", "GEOMETRYCOLLECTION (POINT EMPTY)"]
    for one in plain:
        for other in plain:
            expected = Geometry.from_wkt(runtime, one).distance_to(Geometry.from_wkt(runtime, other))
            for nothing in empty:
                a, b = (Geometry.from_wkt(runtime, f"GEOMETRYCOLLECTION ({nothing}, {wkt})") for wkt in (one, other))
                for first, second in ((a, b), (a, Geometry.from_wkt(runtime, other)), (Geometry.from_wkt(runtime, one), b)):
                    assert first.distance_to(second).distance == expected.distance, (one, other, nothing)


def test_what_is_refused(runtime, wgs84):
    a, bare = point(runtime, (0, 0), wgs84), point(runtime, (0, 0), None)
    far = point(runtime, (0, 91), wgs84)
    local = point(runtime, (0, 0), alidade.SpatialReference(runtime, 'LOCAL_CS["plan",UNIT["metre",1]]'))
    for call in (
        lambda: a.distance_to(bare), lambda: bare.distance_to(a, geodesic=True),
        lambda: bare.distance_to(bare, geodesic=True),
        lambda: a.distance_to(a, unit=Unit.METRE), lambda: a.nearest_coordinate((np.nan, 0)),
        lambda: a.nearest_vertex((0, np.inf)), lambda: bare.nearest_coordinate((0, 0), geodesic=True),
        lambda: a.distance_to(a, geodesic=True, unit=Unit.ACRE),
    ):  # fmt: skip
        with pytest.raises(alidade.errors.InvalidArgumentError):
            call()
    for call in (
        lambda: local.distance_to(local, geodesic=True), lambda: local.nearest_vertex((0, 0), geodesic=True),
        lambda: Geometry.from_wkt(runtime, "GEOMETRYCOLLECTION (POINT (0 0))").nearest_coordinate((0, 0)),
        lambda: point(runtime, (-1e308, 0), None).distance_to(point(runtime, (1e308, 0), None)),
        lambda: point(runtime, (-1e308, 0), None).nearest_vertex((1e308, 0)),
        lambda: point(runtime, (1.5e308, 0), local.spatial_reference).nearest_vertex((0, 0), unit=Unit.MILLIMETRE),
    ):  # fmt: skip
        with pytest.raises(alidade.errors.UnsupportedError):
            call()
    for call in (
        lambda: a.distance_to(far, geodesic=True), lambda: far.distance_to(a, geodesic=True),
        lambda: a.nearest_coordinate((0, 91), geodesic=True), lambda: far.nearest_vertex((0, 0), geodesic=True),
    ):  # fmt: skip
        with pytest.raises(alidade.errors.ProjectionFailedError):
            call()


def test_lines_in_a_polygon_are_at_no_distance(runtime):
    """GEOS 3.11 takes the distance of prepared lines from the rings even if they lie inside."""
    rng = np.random.default_rng(20)
    box = shapely.geometry.box(0, 0, 10, 10).difference(shapely.geometry.box(4, 4, 6, 6))
    several = shapely.geometry.MultiPolygon([box, shapely.geometry.box(20, 0, 30, 10)])
    mixed = shapely.geometry.GeometryCollection([shapely.geometry.Point(50, 50), box])
    inside = 0
    for _ in range(60):
        lines = shapely.geometry.LineString(rng.uniform(0, 30, 2) + rng.uniform(-1, 1, (4, 2)))
        for area in (box, several, mixed):
            expected = min(lines.distance(part) for part in getattr(area, "geoms", [area]))
            inside += expected == 0
            mine, other = (Geometry.from_wkb(runtime, shape.wkb) for shape in (lines, area))
            assert mine.distance_to(other).distance == pytest.approx(expected, abs=1e-12)
            assert other.distance_to(mine).distance == pytest.approx(expected, abs=1e-12)
            assert alidade.geometry.PreparedGeometry(mine).within_distance(other, 0.0) == (expected == 0)
            assert alidade.geometry.PreparedGeometry(other).within_distance(mine, 0.0) == (expected == 0)
    assert inside > 20

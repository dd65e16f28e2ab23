"""Joins of points and polygons: Shapely on a grid where points lie on corners and edges, exact fractions next to edges, and
the copies of the world. Each with an index in memory and without one, where features are read from their files."""
from fractions import Fraction

import alidade
import numpy
import pytest
import shapely.affinity
import shapely.wkb
from alidade import Predicate
from osgeo import ogr
from shapely.geometry import LineString, MultiPoint, MultiPolygon, Point, Polygon, box

from test_spatial_query import PREDICATES, several, written

RELATIONS = [predicate for predicate in PREDICATES if predicate != Predicate.DISJOINT]


def opened(runtime, path, is_indexed):
    source = alidade.FeatureSource(runtime, path)
    if is_indexed:
        source.build_index()
    return alidade.FeatureLayer(source)


def pairs_of(matches):
    return list(zip(matches.ids.tolist(), matches.other_ids.tolist()))


def check_joins(points, polygons, expected):
    """`expected` returns the pairs (id of the point, id of the polygon) for a predicate between a point and a polygon, or,
    if its second argument is false, between a polygon and a point."""
    for predicate in RELATIONS:
        found = points.query_pairs(polygons, predicate=predicate)
        assert pairs_of(found) == sorted(expected(predicate, True)), predicate
        found = polygons.query_pairs(points, predicate=predicate)
        assert pairs_of(found) == sorted((polygon, point) for point, polygon in expected(predicate, False)), predicate
        assert found.skipped_count == 0, found.first_reason


def random_ring(rng):
    """On a grid; often not valid."""
    size = int(rng.integers(3, 12))
    if rng.random() < 0.5:
        angles = numpy.sort(rng.uniform(0, 2 * numpy.pi, size))
        reach = rng.uniform(1, 6, size)
        corners = numpy.round(numpy.column_stack([reach * numpy.cos(angles), reach * numpy.sin(angles)]))
    else:
        corners = rng.integers(-5, 6, (size, 2))
    return Polygon(corners + rng.integers(0, 30, 2))


def random_area(rng):
    ring = random_ring(rng)
    kind = rng.random()
    if kind < 0.15:
        x, y = rng.integers(0, 30, 2)
        return box(x, y, x + 8, y + 6).difference(box(x + 2, y + 1, x + 5, y + 4))
    if kind < 0.25:
        x, y = rng.integers(0, 30, 2)
        return MultiPolygon([box(x, y, x + 2, y + 2), box(x + 2, y + 2, x + 5, y + 3)])
    return ring


def near(area, place):
    """Whether a point is in the box of an area: otherwise no predicate holds but disjoint."""
    x_min, y_min, x_max, y_max = area.bounds
    return x_min <= place.x <= x_max and y_min <= place.y <= y_max


def geometries_of(layer):
    """By the ids of the features."""
    features = layer.source.query(with_geometry=True)
    return {id: shapely.wkb.loads(bytes(feature.geometry.to_wkb())) for id, feature in zip(features.ids.tolist(), features)}


@pytest.mark.parametrize("is_indexed", [False, True])
@pytest.mark.parametrize("suffix", ["gpkg", "fgb", "geojson"])
def test_on_a_grid(runtime, tmp_path, suffix, is_indexed):
    rng = numpy.random.default_rng(21)
    driver = {"gpkg": "GPKG", "fgb": "FlatGeobuf", "geojson": "GeoJSON"}[suffix]
    areas = []
    while len(areas) < 300:
        area = random_area(rng)
        if area.is_valid and not area.is_empty:
            areas.append(area)
    places = several([Point(at) for at in rng.integers(-10, 80, (500, 2)) / 2])
    code = 4326 if suffix == "geojson" else 32632
    points = opened(runtime, written(tmp_path / f"points.{suffix}", places, code, driver), is_indexed)
    polygons = opened(runtime, written(tmp_path / f"polygons.{suffix}", areas, code, driver), is_indexed)
    # A FlatGeobuf has an order of its own.
    place_of, area_of = geometries_of(points), geometries_of(polygons)

    met = [(point, polygon) for polygon, area in area_of.items() for point, place in place_of.items() if near(area, place)]

    def expected(predicate, is_point_first):
        name = PREDICATES[predicate]
        return [(point, polygon) for point, polygon in met
                if (getattr(place_of[point], name)(area_of[polygon]) if is_point_first
                    else getattr(area_of[polygon], name)(place_of[point]))]

    check_joins(points, polygons, expected)


@pytest.mark.parametrize("is_indexed", [False, True])
def test_polygons_that_are_not_valid_are_skipped(runtime, tmp_path, is_indexed):
    """Whether a ring touches itself is found without GEOS for most; GEOS decides what is expected."""
    rng = numpy.random.default_rng(22)
    areas = [random_ring(rng) for _ in range(3000)]
    # Corners that are repeated, spikes, and rings that touch themselves in a point are among them.
    valid = numpy.array([area.is_valid for area in areas])
    assert 500 < valid.sum() < 2500
    path = written(tmp_path / "a.gpkg", areas, 32632)
    places = written(tmp_path / "p.gpkg", [Point(at) for at in rng.integers(-10, 80, (40, 2)) / 2], 32632)
    polygons, points = opened(runtime, path, is_indexed), opened(runtime, places, is_indexed)
    found = polygons.query_pairs(points, predicate=Predicate.INTERSECTS)
    assert found.skipped_count == (~valid).sum()
    assert set(found.ids.tolist()) <= set((numpy.nonzero(valid)[0] + 1).tolist())
    place_of = geometries_of(points)
    assert pairs_of(found) == [(a + 1, b) for a, area in enumerate(areas) if valid[a]
                               for b, place in place_of.items() if near(area, place) and area.intersects(place)]


def place_in(point, ring):
    """Exactly: -1 outside, 0 on the boundary, 1 inside."""
    x, y = map(Fraction, point)
    inside = False
    for (ax, ay), (bx, by) in zip(ring, ring[1:]):
        ax, ay, bx, by = map(Fraction, (ax, ay, bx, by))
        turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if turn == 0 and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            return 0
        if (ay > y) != (by > y) and (turn > 0) == (by > ay):
            inside = not inside
    return 1 if inside else -1


@pytest.mark.parametrize("is_indexed", [False, True])
def test_a_digit_beside_an_edge(runtime, tmp_path, is_indexed):
    """Points computed on edges, which rounding puts on either side, and one step of a double farther."""
    rng = numpy.random.default_rng(23)
    areas, places = [], []
    for number in range(60):
        x, y = rng.uniform(0, 1000, 2)
        scale = 10.0 ** rng.integers(-3, 3)
        angles = numpy.sort(rng.uniform(0, 2 * numpy.pi, 7))
        corners = numpy.column_stack([x + scale * numpy.cos(angles), y + scale * numpy.sin(angles)])
        area = Polygon(corners)
        if not area.is_valid:
            continue
        areas.append(area)
        for edge in range(7):
            a, b = corners[edge], corners[(edge + 1) % 7]
            on = a + (b - a) * rng.uniform(0, 1)
            places += [on, numpy.nextafter(on, [numpy.inf, on[1]]), numpy.nextafter(on, [on[0], -numpy.inf]), a]
    points = opened(runtime, written(tmp_path / "p.gpkg", [Point(at) for at in places], 32632), is_indexed)
    polygons = opened(runtime, written(tmp_path / "a.gpkg", areas, 32632), is_indexed)
    zones = {(p + 1, a + 1): place_in(place, list(area.exterior.coords)) for a, area in enumerate(areas)
             for p, place in enumerate(places) if near(area, Point(place))}
    assert all(sum(zone == wanted for zone in zones.values()) > 40 for wanted in (-1, 0, 1))

    def expected(predicate, is_point_first):
        wanted = {Predicate.INTERSECTS: {0, 1}, Predicate.TOUCHES: {0},
                  Predicate.WITHIN if is_point_first else Predicate.CONTAINS: {1},
                  Predicate.COVERED_BY if is_point_first else Predicate.COVERS: {0, 1}}.get(predicate, set())
        return [pair for pair, zone in zones.items() if zone in wanted]

    check_joins(points, polygons, expected)


@pytest.mark.parametrize("is_indexed", [False, True])
def test_copies_of_the_world(runtime, tmp_path, is_indexed):
    rng = numpy.random.default_rng(24)
    areas = [box(170, -10, 190, 10), box(-200, -5, -175, 5), box(-400, 20, 400, 30), box(350, -60, 370, -50), box(-5, 0, 5, 3),
             Polygon([(0, -40), (400, -40), (0, -15)]), Polygon([(-10, 40), (-400, 40), (-10, 70)])]
    areas += [Polygon([(x, y), (x + 9, y), (x + 4, y + 7)]) for x, y in rng.uniform((-300, -80), (300, 80), (60, 2))]
    places = [Point(x, y) for x, y in numpy.round(rng.uniform((-600, -80), (600, 80), (400, 2)) * 4) / 4]
    points = opened(runtime, written(tmp_path / "p.gpkg", places, 4326), is_indexed)
    polygons = opened(runtime, written(tmp_path / "a.gpkg", areas, 4326), is_indexed)

    images = [(p + 1, shapely.affinity.translate(place, 360 * turn)) for p, place in enumerate(places) for turn in range(-4, 5)]
    met = [(p, image, a + 1, area) for a, area in enumerate(areas) for p, image in images if near(area, image)]

    def expected(predicate, is_point_first):
        name = PREDICATES[predicate]
        return {(p, a) for p, image, a, area in met
                if (getattr(image, name)(area) if is_point_first else getattr(area, name)(image))}

    check_joins(points, polygons, expected)


def test_a_large_polygon_among_many_points(runtime, tmp_path):
    """It is prepared, and says the same as a point that looks at all of its vertices."""
    rng = numpy.random.default_rng(26)
    angles = numpy.linspace(0, 2 * numpy.pi, 5000, endpoint=False)
    reach = 400 * (1 + 0.2 * numpy.sin(37 * angles) + 0.01 * rng.uniform(0, 1, 5000))
    area = Polygon(numpy.column_stack([500 + reach * numpy.cos(angles), 500 + reach * numpy.sin(angles)]))
    places = [Point(at) for at in rng.uniform(0, 1000, (2000, 2))] + [Point(at) for at in area.exterior.coords[:50]]
    points = opened(runtime, written(tmp_path / "p.gpkg", places, 32632), False)
    polygons = opened(runtime, written(tmp_path / "a.gpkg", [area], 32632), False)
    check_joins(points, polygons, lambda predicate, is_point_first: [
        (p + 1, 1) for p, place in enumerate(places)
        if (getattr(place, PREDICATES[predicate])(area) if is_point_first else getattr(area, PREDICATES[predicate])(place))])


def test_a_second_join_says_the_same(runtime, tmp_path):
    """A source keeps what it has read, with what it could not read; a file that has changed is read no more."""
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(tmp_path / "p.gpkg"))
    layer = data.CreateLayer("shapes", None, ogr.wkbUnknown)
    for x, z in ((1, 2), (numpy.inf, 2), (1, numpy.inf)):
        feature, point = ogr.Feature(layer.GetLayerDefn()), ogr.Geometry(ogr.wkbPoint25D)
        point.SetPoint(0, x, 1, z)
        feature.SetGeometry(point)
        layer.CreateFeature(feature)
    data = layer = None
    points = opened(runtime, tmp_path / "p.gpkg", False)
    polygons = opened(runtime, written(tmp_path / "a.gpkg", [box(0, 0, 3, 3)], 0), False)
    for _ in range(3):
        found = points.query_pairs(polygons)
        assert pairs_of(found) == [(1, 1)] and found.skipped_count == 2 and "Feature 2" in found.first_reason
        points.source.build_index()
    written(tmp_path / "a.gpkg", [box(0, 0, 2, 2)], 0)
    with pytest.raises(alidade.errors.ReadFailedError):
        points.query_pairs(polygons)


def test_other_geometries_among_them(runtime, tmp_path):
    """Lines, multipoints, and polygons in one layer with points are compared as before."""
    rng = numpy.random.default_rng(25)
    mixed = []
    for x, y in rng.integers(0, 30, (120, 2)):
        mixed.append([Point(x, y), LineString([(x, y), (x + 3, y + 1)]), MultiPoint([(x, y), (x + 1, y)]),
                      MultiPoint([(x, y)]), box(x, y, x + 2, y + 2)][int(rng.integers(5))])
    areas = [box(x, y, x + w, y + h) for x, y, w, h in rng.integers(1, 12, (60, 4))]
    mixed, areas = several(mixed), several(areas)
    for is_indexed in (False, True):
        first = opened(runtime, written(tmp_path / f"m{is_indexed}.gpkg", mixed, 32632), is_indexed)
        second = opened(runtime, written(tmp_path / f"a{is_indexed}.gpkg", areas, 32632), is_indexed)
        for predicate, name in PREDICATES.items():
            expected = [(m + 1, a + 1) for m, one in enumerate(mixed) for a, area in enumerate(areas)
                        if getattr(one, name)(area)]
            assert pairs_of(first.query_pairs(second, predicate=predicate)) == expected, predicate


def test_a_point_that_only_looks_like_one(runtime, tmp_path):
    """A line whose vertices coincide has a box without a size, and is not valid: it is skipped, whether it was indexed or not."""
    for is_indexed in (False, True):
        path = written(tmp_path / f"l{is_indexed}.gpkg", [LineString([(1, 1), (1, 1)]), Point(1, 1)], 32632)
        area = written(tmp_path / f"a{is_indexed}.gpkg", [box(0, 0, 2, 2)], 32632)
        found = opened(runtime, path, is_indexed).query_pairs(opened(runtime, area, is_indexed))
        assert pairs_of(found) == [(2, 1)] and found.skipped_count == 1

"""Queries by geometry and joins: Shapely's predicates and distances on random and real data, and geographiclib on the
ellipsoid."""
import json
from typing import NamedTuple

import alidade
import numpy
import pytest
import shapely.affinity
import shapely.ops
import shapely.wkb
from alidade import Predicate, Unit
from geographiclib.geodesic import Geodesic
from osgeo import gdal, ogr
from pyproj import Geod, Transformer
from shapely.geometry import GeometryCollection, LineString, Point, Polygon, box, shape
from shapely.strtree import STRtree

import features
from conftest import ROOT

gdal.UseExceptions()

GEOD = Geod(ellps="WGS84")
COUNTRIES = ROOT / "examples" / "navigation" / "data" / "countries_110m.geojson"
PREDICATES = {predicate: predicate.name.lower() for predicate in Predicate}
PATTERNS = ["T*F**F***", "FF*FF****", "****T****", "*********", "F***T****", "0********"]


def several(geometries):
    """An array of geometries, which numpy would take apart."""
    array = numpy.empty(len(geometries), dtype=object)
    array[:] = list(geometries)
    return array


def points(xy):
    return several([Point(at) for at in xy])


def related(name, a, b):
    """Whether a predicate of Shapely's holds, for all pairs of two arrays that numpy makes of one shape."""
    return numpy.frompyfunc(lambda first, second: getattr(first, name)(second), 2, 1)(a, b).astype(bool)


def matching(a, b, pattern):
    return numpy.frompyfunc(lambda first, second: first.relate_pattern(second, pattern), 2, 1)(a, b).astype(bool)


def distances_of(a, b):
    return numpy.frompyfunc(lambda first, second: first.distance(second), 2, 1)(a, b).astype(float)


class Found(NamedTuple):
    ids: numpy.ndarray
    distances: numpy.ndarray


def check_nearest(found, distances, count=None, limit=None, unit=1.0):
    """Against the distance of each feature, whose ids are 1, 2, ...: GEOS rounds otherwise when it prepares one."""
    assert len(set(found.ids.tolist())) == len(found.ids)
    assert distances[found.ids - 1] / unit == pytest.approx(found.distances, abs=1e-12 * max(1, distances.max()))
    wanted = numpy.sort(distances)
    if limit is not None:
        wanted = wanted[wanted <= limit]
    assert found.distances == pytest.approx(wanted[:count] / unit, abs=1e-12 * max(1, distances.max()))
    assert (numpy.diff(found.distances) >= 0).all()


def one(geometry):
    """A geometry as an array without dimensions."""
    array = numpy.empty((), dtype=object)
    array[()] = geometry
    return array


def shapes(count, seed, kinds="plm"):
    """Points, lines and polygons on a grid of whole numbers, so that they touch, share edges and are equal."""
    rng = numpy.random.default_rng(seed)
    made = []
    while len(made) < count:
        x, y = rng.integers(0, 60, 2)
        width, height = rng.integers(1, 9, 2)
        kind = rng.choice(list(kinds))
        if kind == "p":
            made_one = Point(x, y)
        elif kind == "l":
            made_one = LineString(numpy.cumsum(rng.integers(-4, 5, (4, 2)), axis=0) + (x, y))
        elif kind == "m":
            made_one = box(x, y, x + width, y + height)
            if width > 3 and height > 3 and rng.random() < 0.5:
                made_one = made_one.difference(box(x + 1, y + 1, x + 2, y + 2))
        if made_one.is_valid and not made_one.is_empty:
            made.append(made_one)
    return several(made)


def written(path, geometries, code, driver="GPKG", ids=None):
    data = ogr.GetDriverByName(driver).CreateDataSource(str(path))
    layer = data.CreateLayer("shapes", features.reference(code) if code else None, ogr.wkbUnknown)
    for number, geometry in enumerate(geometries):
        feature = ogr.Feature(layer.GetLayerDefn())
        if geometry is not None:
            feature.SetGeometry(ogr.CreateGeometryFromWkb(geometry.wkb))
        if ids is not None:
            feature.SetFID(ids[number])
        layer.CreateFeature(feature)
    data = layer = None
    return path


def layer_of(runtime, path):
    return alidade.FeatureLayer(alidade.FeatureSource(runtime, path))


def given(runtime, geometry, code):
    reference = alidade.SpatialReference.from_code(runtime, code) if code else None
    return alidade.Geometry.from_wkb(runtime, geometry.wkb, reference)


@pytest.mark.parametrize("driver,suffix", [("GPKG", "gpkg"), ("GeoJSON", "geojson"), ("FlatGeobuf", "fgb")])
def test_relations(runtime, tmp_path, driver, suffix):
    mine, others = shapes(300, 1), shapes(25, 2)
    layer = layer_of(runtime, written(tmp_path / f"a.{suffix}", mine, 32632 if suffix != "geojson" else 4326, driver))
    code = 32632 if suffix != "geojson" else 4326
    set = layer.source.query(with_geometry=True)
    ids = set.ids
    read = several([shapely.wkb.loads(bytes(feature.geometry.to_wkb())) for feature in set])
    found = 0
    for other in others:
        geometry = given(runtime, other, code)
        for predicate, name in PREDICATES.items():
            matches = layer.query(geometry, predicate=predicate)
            assert matches.skipped_count == 0, matches.first_reason
            assert matches.ids.tolist() == ids[related(name, read, one(other))].tolist(), (predicate, other.wkt)
            assert matches.distances is None and matches.other_ids is None
            found += len(matches)
        for pattern in PATTERNS:
            expected = ids[matching(read, one(other), pattern)]
            assert layer.query(geometry, pattern=pattern).ids.tolist() == expected.tolist(), (pattern, other.wkt)
        assert layer.query(geometry).ids.tolist() == ids[related("intersects", read, one(other))].tolist()
    assert found > 7_000


def test_planar_distances(runtime, tmp_path):
    rng = numpy.random.default_rng(3)
    mine, others = shapes(400, 4), shapes(60, 5)
    layer = layer_of(runtime, written(tmp_path / "a.gpkg", mine, 32632))
    for other in others:
        geometry = given(runtime, other, 32632)
        distances = distances_of(mine, one(other))
        limit = float(rng.choice([0, 1.01, 2.51, 5.03, 30.07]))
        check_nearest(layer.query(geometry, max_distance=limit), distances, limit=limit)
        for count in (1, 5, 33, 500):
            check_nearest(layer.query(geometry, nearest=count), distances, count)
        both = layer.query(geometry, nearest=7, max_distance=0.00301, unit=Unit.KILOMETRE)
        check_nearest(both, distances, 7, 3.01, 1000)


def test_of_equally_near_ones_the_earlier_come_first(runtime, tmp_path):
    """Points on a grid, each three times, from points on the grid."""
    places = numpy.stack(numpy.meshgrid(numpy.arange(12.0), numpy.arange(12)), -1).reshape(-1, 2).repeat(3, axis=0)
    numpy.random.default_rng(15).shuffle(places)
    layer = layer_of(runtime, written(tmp_path / "a.gpkg", points(places), 32632))
    for at in [(5, 5), (0, 11), (3, 8)]:
        squares = ((places - at) ** 2).sum(axis=1)
        order = numpy.argsort(squares, kind="stable")
        point = given(runtime, Point(at), 32632)
        for count in (1, 4, 11, 70):
            assert layer.query(point, nearest=count).ids.tolist() == (order[:count] + 1).tolist()
        assert layer.query(point, max_distance=5).ids.tolist() == (order[squares[order] <= 25] + 1).tolist()


def test_a_geometry_in_another_spatial_reference(runtime, tmp_path):
    """It is projected to where the layer is, as pyproj does it."""
    mine = points(numpy.random.default_rng(6).uniform((500_000, 5_300_000), (560_000, 5_360_000), (400, 2)))
    layer = layer_of(runtime, written(tmp_path / "a.gpkg", mine, 32632))
    ids = layer.source.query().ids
    to_layer = Transformer.from_crs(4326, 32632, always_xy=True)
    area = Polygon([(9.05, 47.9), (9.6, 48.0), (9.5, 48.3), (9.1, 48.2)])
    image = Polygon(numpy.column_stack(to_layer.transform(*area.exterior.coords.xy)))
    assert layer.query(given(runtime, area, 4326), predicate=Predicate.WITHIN).ids.tolist() == \
        ids[related("within", mine, one(image))].tolist()
    distances = distances_of(mine, one(image))
    matches = layer.query(given(runtime, area, 4326), nearest=50)
    assert matches.distances == pytest.approx(numpy.sort(distances)[:50], abs=1e-6)


@pytest.mark.parametrize("code", [4326, 3857])
def test_the_world_repeats_itself(runtime, tmp_path, code):
    """A query over the antimeridian finds what lies on the other side of it, and distances are the shorter ones."""
    world = 360.0 if code == 4326 else 2 * numpy.pi * 6378137
    unit = world / 360
    mine = points([(x * unit, 0.0) for x in (-179, 179, 0, 90, -90)])
    layer = layer_of(runtime, written(tmp_path / "a.gpkg", mine, code))
    area = given(runtime, box(175 * unit, -unit, 185 * unit, unit), code)
    assert layer.query(area).ids.tolist() == [1, 2]
    assert layer.query(area, predicate=Predicate.WITHIN).ids.tolist() == [1, 2]
    assert layer.query(area, predicate=Predicate.DISJOINT).ids.tolist() == [3, 4, 5]
    assert layer.query(area, pattern="FF*FF****").ids.tolist() == [3, 4, 5]
    near = layer.query(given(runtime, Point(178 * unit, 0), code), nearest=3)
    assert near.ids.tolist() == [2, 1, 4]
    assert near.distances == pytest.approx(numpy.array([1.0, 3, 88]) * unit, rel=1e-12)
    far = layer.query(given(runtime, box(535 * unit, -unit, 545 * unit, unit), code))
    assert far.ids.tolist() == [1, 2]


def test_geodesic_distances_of_points(runtime, tmp_path):
    """Everywhere on the earth, poles and antimeridian included."""
    rng = numpy.random.default_rng(8)
    places = numpy.column_stack([rng.uniform(-180, 180, 600), numpy.degrees(numpy.arcsin(rng.uniform(-1, 1, 600)))])
    places[:4] = [(180, 0), (-180, 10), (0, 90), (77, -90)]
    layer = layer_of(runtime, written(tmp_path / "a.gpkg", points(places), 4326))
    ids = layer.source.query().ids
    for at in [(0, 0), (179.9, 5), (20, 89.5), (-100, -89), (13.4, 52.5), (-180, 90)]:
        distances = numpy.array([Geodesic.WGS84.Inverse(at[1], at[0], y, x)["s12"] for x, y in places])
        order = numpy.argsort(distances, kind="stable")
        point = given(runtime, Point(at), 4326)
        near = layer.query(point, nearest=20, geodesic=True)
        assert near.ids.tolist() == ids[order[:20]].tolist(), at
        assert near.distances == pytest.approx(distances[order[:20]], abs=1e-6)
        within = layer.query(point, max_distance=3000, geodesic=True, unit=Unit.KILOMETRE)
        assert within.ids.tolist() == ids[order[distances[order] <= 3e6]].tolist(), at
        assert within.distances == pytest.approx(distances[order[: len(within)]] / 1000, abs=1e-9)


def to_line(place, a, b):
    """The distance of a point from a geodesic: by golden sections, as it has one minimum where it is short."""
    azimuth, _, length = GEOD.inv(*a, *b)

    def at(along):
        return GEOD.inv(*place, *GEOD.fwd(*a, azimuth, along)[:2])[2]

    low, high = 0.0, length
    for _ in range(45):
        first, second = high - (high - low) * 0.6180339887, low + (high - low) * 0.6180339887
        if at(first) < at(second):
            high = second
        else:
            low = first
    return min(at(low), at(0), at(length))


@pytest.mark.parametrize("code", [4326, 3857, 32661])
def test_geodesic_distances_of_lines(runtime, tmp_path, code):
    """Edges are geodesics: at high latitudes one between the ends of a parallel bulges far out of the line's box."""
    rng = numpy.random.default_rng(9)
    lines = []
    for _ in range(60):
        x, y = rng.uniform(-170, 120), rng.uniform(50, 80)
        lines.append(((x, y), (x + rng.uniform(5, 45), y + rng.uniform(-2, 2))))
    to = Transformer.from_crs(4326, code, always_xy=True)
    back = Transformer.from_crs(code, 4326, always_xy=True)
    stored = [LineString(numpy.column_stack(to.transform(*numpy.transpose(line)))) for line in lines]
    layer = layer_of(runtime, written(tmp_path / "a.gpkg", stored, code))
    ids = layer.source.query().ids
    ends = [list(zip(*back.transform(*numpy.transpose(line.coords)))) for line in stored]
    for place in [(0, 70), (-120, 82), (100, 65), (30, 55), (-60, 75)]:
        distances = numpy.array([to_line(place, *line) for line in ends])
        order = numpy.argsort(distances)
        point = given(runtime, Point(place), 4326)
        near = layer.query(point, nearest=8, geodesic=True)
        assert near.ids.tolist() == ids[order[:8]].tolist(), place
        assert near.distances == pytest.approx(distances[order[:8]], abs=1e-3)
        within = layer.query(point, max_distance=9e5, geodesic=True)
        assert within.ids.tolist() == ids[order[distances[order] <= 9e5]].tolist(), place


def test_what_lies_in_a_polygon_is_at_no_distance(runtime, tmp_path):
    layer = layer_of(runtime, written(tmp_path / "a.gpkg", points([(10.0, 50), (30, 50), (10, 70)]), 4326))
    area = box(5, 45, 15, 55).difference(box(9, 49, 11, 51))
    near = layer.query(given(runtime, area, 4326), max_distance=100, unit=Unit.KILOMETRE, geodesic=True)
    hole = min(to_line((10, 50), *edge) for edge in [((9, 49), (11, 49)), ((9, 49), (9, 51)), ((11, 49), (11, 51)),
                                                     ((9, 51), (11, 51))])
    assert near.ids.tolist() == [1] and near.distances[0] == pytest.approx(hole / 1000, abs=1e-6)
    whole = given(runtime, box(5, 45, 15, 55), 4326)
    assert layer.query(whole, max_distance=0, geodesic=True).ids.tolist() == [1]
    inside = layer_of(runtime, written(tmp_path / "b.gpkg", [box(5, 45, 15, 55)], 4326))
    for geodesic in (False, True):
        assert inside.query(given(runtime, Point(9, 49), 4326), max_distance=0, geodesic=geodesic).ids.tolist() == [1]


def test_countries(runtime):
    """Real polygons, of one and many parts: the neighbours of each, and what is near some cities."""
    layer = alidade.FeatureLayer.from_path(runtime, COUNTRIES)
    layer.load()
    countries = several([shape(feature["geometry"]) for feature in json.loads(COUNTRIES.read_text())["features"]])
    ids = layer.source.query().ids
    assert len(ids) == len(countries) > 150
    pairs = layer.query_pairs(layer, predicate=Predicate.INTERSECTS)
    valid = [country.is_valid for country in countries]
    number = {id(country): row for row, country in enumerate(countries)}
    tree = STRtree([country for country in countries if country.is_valid])
    expected = set()
    for row, country in enumerate(countries):
        if valid[row]:
            met = [number[id(other)] for other in tree.query(country) if country.intersects(other)]
            expected |= {(ids[row], ids[other]) for other in met}
    # Where the world ends, Russia and Fiji meet themselves and each other only as they do on the map.
    found = set(zip(pairs.ids.tolist(), pairs.other_ids.tolist()))
    assert expected <= found
    for a, b in found - expected:
        a, b = (countries[ids.tolist().index(number)] for number in (a, b))
        moved = [shapely.affinity.translate(a, turn) for turn in (-360, 360)]
        assert any(image.intersects(b) for image in moved)
    for place in [(13.4, 52.5), (-0.1, 51.5), (151.2, -33.9), (77.2, 28.6)]:
        point = given(runtime, Point(place), 4326)
        assert layer.query(point, predicate=Predicate.CONTAINS).ids.tolist() == \
            ids[related("contains", countries, one(Point(place)))].tolist()
        # One is not valid, and is skipped.
        distances = distances_of(countries[valid], one(Point(place)))
        near = layer.query(point, nearest=6)
        assert near.distances == pytest.approx(numpy.sort(distances)[:6], abs=1e-9)


@pytest.mark.parametrize("code", [32632, 0])
def test_joins(runtime, tmp_path, code):
    mine, others = shapes(150, 10), shapes(170, 11)
    first = layer_of(runtime, written(tmp_path / "a.gpkg", mine, code))
    second = layer_of(runtime, written(tmp_path / "b.gpkg", others, code))
    ids, other_ids = first.source.query().ids, second.source.query().ids
    for predicate, name in PREDICATES.items():
        pairs = first.query_pairs(second, predicate=predicate)
        holds = related(name, mine[:, None], others[None, :])
        rows, columns = numpy.nonzero(holds)
        assert pairs.ids.tolist() == ids[rows].tolist(), predicate
        assert pairs.other_ids.tolist() == other_ids[columns].tolist(), predicate
    distances = distances_of(mine[:, None], others[None, :])
    for pairs, count, limit in [(first.query_pairs(second, max_distance=2.01), None, 2.01),
                                (first.query_pairs(second, nearest=3), 3, None)]:
        assert (numpy.diff(pairs.ids) >= 0).all()
        for row, number in enumerate(ids):
            of_one = pairs.ids == number
            check_nearest(Found(pairs.other_ids[of_one], pairs.distances[of_one]), distances[row], count, limit)


def test_a_join_on_the_ellipsoid(runtime, tmp_path):
    """Two spatial references, and points on both sides of the antimeridian."""
    rng = numpy.random.default_rng(12)
    mine = numpy.column_stack([rng.uniform(176, 184, 150), rng.uniform(-20, -12, 150)])
    mine[:, 0] = (mine[:, 0] + 180) % 360 - 180
    others = numpy.column_stack([rng.uniform(176, 184, 200), rng.uniform(-20, -12, 200)])
    to = Transformer.from_crs(4326, 3832, always_xy=True)
    projected = numpy.column_stack(to.transform(*others.T))
    first = layer_of(runtime, written(tmp_path / "a.gpkg", points(mine), 4326))
    second = layer_of(runtime, written(tmp_path / "b.gpkg", points(projected), 3832))
    pairs = first.query_pairs(second, max_distance=40, unit=Unit.KILOMETRE, geodesic=True)
    expected = {}
    for a, p in enumerate(mine, 1):
        for b, q in enumerate(others, 1):
            distance = Geodesic.WGS84.Inverse(p[1], p[0], q[1], q[0])["s12"] / 1000
            if distance <= 40:
                expected[a, b] = distance
    found = dict(zip(zip(pairs.ids.tolist(), pairs.other_ids.tolist()), pairs.distances.tolist()))
    assert found.keys() == expected.keys() and len(found) > 100
    assert max(abs(found[pair] - expected[pair]) for pair in found) < 1e-9
    back = second.query_pairs(first, max_distance=40, unit=Unit.KILOMETRE, geodesic=True)
    assert set(zip(back.other_ids.tolist(), back.ids.tolist())) == found.keys()


def test_overlays(runtime):
    """Graphics of several spatial references, in that of the geometry."""
    mine = shapes(200, 13)
    to = Transformer.from_crs(4326, 3857, always_xy=True)
    overlay = alidade.GraphicsOverlay(runtime)
    ids = []
    for number, stored in enumerate(mine):
        if number % 2:
            stored = shapely.ops.transform(to.transform, stored)
        ids.append(overlay.add(given(runtime, stored, 3857 if number % 2 else 4326)))
    ids = numpy.array(ids)
    for other in shapes(30, 14):
        geometry = given(runtime, shapely.affinity.translate(other, 0.25, 0.37), 4326)
        moved = shapely.affinity.translate(other, 0.25, 0.37)
        assert overlay.query(geometry).ids.tolist() == ids[related("intersects", mine, one(moved))].tolist()
        assert overlay.query(geometry, predicate=Predicate.DISJOINT).ids.tolist() == \
            ids[related("disjoint", mine, one(moved))].tolist()
        distances = distances_of(mine, one(moved))
        order = numpy.sort(distances)
        assert overlay.query(geometry, max_distance=3.01).distances == pytest.approx(order[order <= 3.01], abs=1e-9)
        near = overlay.query(geometry, nearest=9)
        assert near.distances == pytest.approx(order[:9], abs=1e-9)
        assert distances[numpy.searchsorted(ids, near.ids)] == pytest.approx(near.distances, abs=1e-9)


def test_what_cannot_be_compared_is_counted(runtime, tmp_path):
    bow = Polygon([(0, 0), (4, 4), (4, 0), (0, 4)])
    mixed = GeometryCollection([Point(1, 1), LineString([(0, 0), (2, 2)])])
    path = written(tmp_path / "a.gpkg", [bow, None, Point(1, 1), mixed], 32632)
    layer = layer_of(runtime, path)
    area = given(runtime, box(0, 0, 5, 5), 32632)
    matches = layer.query(area, predicate=Predicate.WITHIN)
    assert matches.ids.tolist() == [3] and matches.skipped_count == 2
    assert matches.first_reason.startswith("Feature 1: ") and "not valid" in matches.first_reason
    assert layer.query(area).ids.tolist() == [3, 4]
    assert len(matches) == 1 and "1 matches" in repr(matches)
    pairs = layer.query_pairs(layer)
    assert (pairs.ids.tolist(), pairs.other_ids.tolist()) == ([3, 3, 4, 4], [3, 4, 3, 4]) and pairs.skipped_count > 0
    # Nothing is near what is empty.
    assert len(layer.query(given(runtime, Point(), 32632), nearest=3)) == 0
    with pytest.raises(alidade.errors.InvalidArgumentError, match="not valid"):
        layer.query(given(runtime, bow, 32632))
    with pytest.raises(alidade.errors.InvalidArgumentError, match="spatial reference"):
        layer.query(given(runtime, Point(0, 0), 0))


def test_the_definition_expression_counts(runtime, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y,size\n" + "".join(f"{x},0,{x}\n" for x in range(10)))
    source = alidade.FeatureSource(runtime, path, definition="size >= 5")
    layer = alidade.FeatureLayer(source)
    point = given(runtime, Point(0, 0), 0)
    assert layer.query(point, nearest=2).distances.tolist() == [5.0, 6.0]
    assert layer.query_pairs(layer, nearest=1).distances.tolist() == [0.0] * 5


def test_requests(runtime, tmp_path):
    layer = layer_of(runtime, written(tmp_path / "a.gpkg", points([(0, 0), (3, 4)]), 32632))
    point = given(runtime, Point(0, 0), 32632)
    assert layer.query_async(point, nearest=5).result().distances.tolist() == [0, 5]
    assert layer.query_pairs_async(layer, max_distance=1).result().other_ids.tolist() == [1, 2]
    overlay = alidade.GraphicsOverlay(runtime)
    number = overlay.add(point)
    assert overlay.query_async(point).result().ids.tolist() == [number]

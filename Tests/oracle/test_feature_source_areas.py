"""Where features are searched: points in other spatial references, over the antimeridian and around poles, against
points projected by PROJ and geometries of shapely's."""
import random

import alidade
import numpy
import pytest
from osgeo import gdal, ogr
from pyproj import Transformer
from shapely.geometry import LineString, Point, Polygon, box

import features

gdal.UseExceptions()
# How wide worlds are that repeat themselves.
WIDTHS = {4326: 360.0, 3857: 40075016.68557849, 3832: 40075016.68557849}


def write(path, geometries, code=4326):
    """A GeoPackage of geometries of shapely's, in their order."""
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = data.CreateLayer("a", features.reference(code), ogr.wkbUnknown)
    layer.CreateField(ogr.FieldDefn("n", ogr.OFTInteger))
    layer.StartTransaction()
    for number, geometry in enumerate(geometries):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetField(0, number)
        feature.SetGeometryDirectly(ogr.CreateGeometryFromWkb(geometry.wkb))
        layer.CreateFeature(feature)
    layer.CommitTransaction()
    data = layer = None
    return path


def square(x, y, half):
    return list(box(x - half, y - half, x + half, y + half).exterior.coords)


def numbers(set):
    return sorted(int(n) for n in set.values("n"))


def found(source, **area):
    """The features in an area, which are those that are counted."""
    set = source.query(**area)
    assert source.count(**area) == len(set)
    return numbers(set)


def geometry(runtime, ring, code):
    wkt = "POLYGON ((" + ", ".join(f"{x!r} {y!r}" for x, y in ring) + "))"
    return alidade.Geometry.from_wkt(runtime, wkt, alidade.SpatialReference(runtime, f"EPSG:{code}"))


@pytest.fixture(scope="module")
def points(tmp_path_factory):
    rng = random.Random(11)
    # Even over the sphere, and more near the poles and the antimeridian.
    places = [(rng.uniform(-180, 180), float(numpy.degrees(numpy.arcsin(rng.uniform(-1, 1))))) for _ in range(1500)]
    places += [(rng.uniform(-180, 180), sign * rng.uniform(60, 89.99)) for sign in (-1, 1) for _ in range(200)]
    places += [(sign * rng.uniform(170, 180), rng.uniform(-80, 80)) for sign in (-1, 1) for _ in range(200)]
    return write(tmp_path_factory.mktemp("areas") / "points.gpkg", [Point(*place) for place in places]), places


AREAS = [(3031, square(0, 0, 4e6)), (3031, square(0, 2.5e6, 1.5e6)), (3031, square(-2e6, -2e6, 1.5e6)),
         (3413, square(0, 0, 4e6)), (3832, square(3.3e6, -2e6, 1e6)), (3857, square(0, 0, 3e6)),
         (3857, square(20037508, -2e6, 1e6)), (3857, square(-20037508, 6e6, 3e6)), (2193, square(1.6e6, 5.4e6, 1.5e6)),
         (3035, square(4.3e6, 3.2e6, 2e6)), (4326, [(170, -30), (190, -30), (190, 0), (170, 0), (170, -30)]),
         (4326, [(-200, -30), (-170, -30), (-170, 40), (-200, -30)]), (32660, square(5e5, 2e6, 1.2e6))]


@pytest.mark.parametrize("indexed", [False, True])
@pytest.mark.parametrize("code", [8857, 3035, 32632])
def test_a_geometry_beyond_the_world_has_nothing_in_it(runtime, points, code, indexed):
    """Where the map has no point of the earth there are no features, which is no error; a geometry around the whole
    world has them all."""
    path, places = points
    source = alidade.FeatureSource(runtime, path)
    if indexed:
        source.build_index()
    far = 1e9
    assert found(source, geometry=geometry(runtime, square(far, far, 1000), code)) == []
    if code == 8857:
        assert len(found(source, geometry=geometry(runtime, square(0, 0, far), code))) == len(places)


@pytest.mark.parametrize("indexed", [False, True])
def test_points_in_a_geometry_elsewhere(runtime, points, indexed):
    path, places = points
    source = alidade.FeatureSource(runtime, path)
    if indexed:
        source.build_index()
    sizes = []
    for code, ring in AREAS:
        x, y = Transformer.from_crs(4326, code, always_xy=True).transform(*numpy.array(places).T)
        area, width = Polygon(ring), WIDTHS.get(code, 0)
        expected = [number for number in range(len(places)) if numpy.isfinite(x[number])
                    and any(area.intersects(Point(x[number] + turn * width, y[number])) for turn in (-1, 0, 1))]
        assert found(source, geometry=geometry(runtime, ring, code)) == expected, (code, ring)
        sizes.append(len(expected))
    assert min(sizes) > 10


def test_polygons_with_long_edges_in_a_geometry_elsewhere(runtime, tmp_path):
    """Their edges are straight in degrees, and bend where the geometry is."""
    cells = [box(x, y, x + 20, y + 20) for x in range(-180, 180, 20) for y in range(-80, 80, 20)]
    source = alidade.FeatureSource(runtime, write(tmp_path / "cells.gpkg", cells))
    edges = []
    for cell in cells:
        corners = numpy.array(cell.exterior.coords)
        edges.append(numpy.vstack([numpy.linspace(a, b, 400) for a, b in zip(corners[:-1], corners[1:])]))
    rng, sizes = random.Random(4), []
    for code, reach in ((3035, 3e6), (3031, 6e6), (3413, 6e6)):
        there = Transformer.from_crs(4326, code, always_xy=True)
        lines = [LineString(numpy.transpose(there.transform(*edge.T))) for edge in edges]
        middle = numpy.array([4.3e6, 3.2e6]) if code == 3035 else numpy.zeros(2)
        for _ in range(30):
            x, y = middle + [rng.uniform(-reach, reach), rng.uniform(-reach, reach)]
            ring = square(x, y, 10 ** rng.uniform(4, 6.3))
            inside = Point(*there.transform(x, y, direction="INVERSE"))
            expected = [number for number, (cell, line) in enumerate(zip(cells, lines))
                        if Polygon(ring).intersects(line) or cell.contains(inside)]
            assert found(source, geometry=geometry(runtime, ring, code)) == expected, (code, ring)
            sizes.append(len(expected))
    assert max(sizes) > 8 and sizes.count(1) > 5


def test_a_polygon_around_a_pole_in_a_geometry_of_degrees(runtime, tmp_path):
    """In a polar map it is a ring; in degrees it goes all around, and over the pole."""
    ring = Polygon(square(0, 0, 1e6), [square(0, 0, 2e5)])
    source = alidade.FeatureSource(runtime, write(tmp_path / "cap.gpkg", [ring, Polygon(square(3e6, 0, 1e5))], 3031))
    there = Transformer.from_crs(4326, 3031, always_xy=True)
    for lon, lat, expected in ((10, -85, [0]), (-170, -83, [0]), (179.9, -84, [0]), (0, -89.5, []), (120, -70, []),
                               (90, -63, [1]), (450, -63, [1])):
        inside = ring.contains(Point(*there.transform(lon, lat)))
        assert inside == (expected == [0])
        area = [(lon - 0.1, lat - 0.1), (lon + 0.1, lat - 0.1), (lon + 0.1, lat + 0.1), (lon - 0.1, lat - 0.1)]
        assert found(source, geometry=geometry(runtime, area, 4326)) == expected, (lon, lat)


def test_an_envelope_over_the_antimeridian(runtime, tmp_path):
    cells = [box(x, y, x + 8, y + 8) for x in range(-180, 180, 10) for y in range(-80, 80, 10)]
    cells += [Polygon([(175, 0), (185, 5), (175, 10), (175, 0)]),
              Polygon([(-185, 20), (-178, 25), (-185, 30), (-185, 20)])]
    source = alidade.FeatureSource(runtime, write(tmp_path / "cells.gpkg", cells))
    world = alidade.SpatialReference(runtime, "EPSG:4326")
    mercator = alidade.SpatialReference(runtime, "EPSG:3857")
    pacific = alidade.SpatialReference(runtime, "EPSG:3832")
    to_mercator = Transformer.from_crs(4326, 3857, always_xy=True)
    to_pacific = Transformer.from_crs(4326, 3832, always_xy=True)
    for indexed in (False, True):
        if indexed:
            source.build_index()
        for given in ((177, -20, -178.5, -15), (179, 1, -176, 4), (172, 21, -179, 29), (91, -51, -91, 51)):
            west, south, east, north = given
            parts = [box(west, south, east + 360, north)] + [box(west - 360, south, east, north)]
            expected = [n for n, cell in enumerate(cells) if any(part.intersects(cell) for part in parts)]
            assert expected and len(expected) < len(cells) / 1.5
            assert found(source, envelope=given, envelope_spatial_reference=world) == expected, given
            assert found(source, envelope=(west, south, east + 360, north)) == expected
            for reference, to in ((mercator, to_mercator), (pacific, to_pacific)):
                # A little less, so that rounding moves no edge over another one.
                low, high = to.transform(west + 1e-9, south + 1e-9), to.transform(east - 1e-9, north - 1e-9)
                assert found(source, envelope=(*low, *high), envelope_spatial_reference=reference) == expected
            if indexed:
                boxes = [box(*cell.bounds) for cell in cells]
                bounds = [n for n, one in enumerate(boxes) if any(part.intersects(one) for part in parts)]
                assert (numpy.sort(source.ids_in_envelope(given, world)) - 1).tolist() == bounds


@pytest.mark.parametrize("code", [4326, 3857, 3832, 3031, 3413])
def test_features_beyond_the_antimeridian_are_drawn(runtime, tmp_path, code):
    """At any scale, whatever was looked at before, as a graphics overlay with the same geometries does."""
    cells = [box(x, y, x + 2, y + 2) for x in range(100, 300, 10) for y in range(-60, 60, 10)]
    source = alidade.FeatureSource(runtime, write(tmp_path / "pacific.gpkg", cells))
    everything = source.query()
    renderer = alidade.SimpleRenderer(alidade.FillSymbol((1, 2, 3)))
    reference = alidade.SpatialReference(runtime, f"EPSG:{code}")
    to = Transformer.from_crs(4326, code, always_xy=True)
    lat = {3031: -49, 3413: 41}.get(code, 1)
    for indexed in (False, True):
        if indexed:
            source.build_index()
        map = alidade.Map(runtime, reference)
        layer = alidade.FeatureLayer(source, renderer)
        map.add_layer(layer)
        view = alidade.View(map, 400, 300)
        overlay = alidade.GraphicsOverlay(runtime, renderer)
        first = overlay.add_many(everything.geometries).start
        view.add_overlay(overlay)
        for lon in (-119, -179, 121):
            for scale in (1e6, 1e7, 5e7, 2e8, 1e6):
                view.set_viewpoint(to.transform(lon, lat), scale=scale)
                drawn = view.overlay_drawing(overlay).columns.graphic_ids
                expected = {int(everything.ids[int(number) - first]) for number in drawn}
                assert expected
                assert {int(id) for id in view.feature_drawing(layer).columns.graphic_ids} == expected, (lon, scale)


def test_a_pole_on_an_interrupted_map(runtime, tmp_path):
    places = [Point(x, -89.9999998) for x in (-150, -60, 40, 139.3)] + [Point(10, 89.9999998), Point(5, 5)]
    source = alidade.FeatureSource(runtime, write(tmp_path / "poles.gpkg", places))
    everything = source.query()
    renderer = alidade.SimpleRenderer(alidade.MarkerSymbol((1, 2, 3)))
    to = Transformer.from_crs(4326, "ESRI:54052", always_xy=True)
    map = alidade.Map(runtime, alidade.SpatialReference(runtime, "ESRI:54052"))
    layer = alidade.FeatureLayer(source, renderer)
    map.add_layer(layer)
    view = alidade.View(map, 400, 300)
    overlay = alidade.GraphicsOverlay(runtime, renderer)
    first = overlay.add_many(everything.geometries).start
    view.add_overlay(overlay)
    for place in places:
        for scale in (1e8, 1e7, 1e6, 1e5):
            view.set_viewpoint(to.transform(place.x, place.y), scale=scale)
            drawn = view.overlay_drawing(overlay).columns.graphic_ids
            expected = {int(everything.ids[int(number) - first]) for number in drawn}
            assert expected
            assert {int(id) for id in view.feature_drawing(layer).columns.graphic_ids} == expected, (place, scale)


def test_what_is_nearest_over_the_antimeridian(runtime, tmp_path):
    """Of shapes on both sides of it, and of some that go on beyond it."""
    rng = random.Random(8)
    shapes = []
    for _ in range(300):
        x, y = rng.choice([rng.uniform(-180, 180), rng.uniform(170, 200), rng.uniform(-180, -170)]), rng.uniform(-80, 80)
        ring = [(x + rng.uniform(0, 9), y + rng.uniform(-5, 5)) for _ in range(3)]
        shapes.append(rng.choice([LineString(ring), Polygon(ring), Point(x, y)]))
    path = write(tmp_path / "a.gpkg", shapes)
    # The shapes of a CSV are kept next to the index.
    for file in (path, features.copy(path, "CSV", tmp_path / "a.csv", layerCreationOptions=["GEOMETRY=AS_WKT"])):
        world = alidade.SpatialReference(runtime, "EPSG:4326")
        source = alidade.FeatureSource(runtime, file, spatial_reference=world)
        source.build_index()
        ids = source.query().ids
        for x, y in ((179.5, 10), (-179.5, -30), (190, 60), (0, 0), (-200, 0)):
            images = [Point(x + turn * 360, y) for turn in (-1, 0, 1)]
            distances = numpy.array([min(shape.distance(image) for image in images) for shape in shapes])
            order = numpy.argsort(distances, kind="stable")[:25]
            near = source.nearest((x, y), 25)
            assert near["feature_id"].tolist() == ids[order].tolist()
            numpy.testing.assert_allclose(near["distance"], distances[order], rtol=1e-9, atol=1e-12)


def test_boxes_wider_than_the_world_in_a_file_geodatabase(tmp_path):
    """GDAL's driver goes through all cells of its index from one side of a box to the other, and would take hours."""
    rng = random.Random(3)
    places = [(rng.uniform(-170, 170), rng.uniform(-80, 80)) for _ in range(400)] + [(-180, 10), (180, -10)]
    data = ogr.GetDriverByName("OpenFileGDB").CreateDataSource(str(tmp_path / "a.gdb"))
    layer = data.CreateLayer("a", features.reference(4326), ogr.wkbPoint)
    layer.CreateField(ogr.FieldDefn("n", ogr.OFTInteger))
    for number, (x, y) in enumerate(places):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetField(0, number)
        feature.SetGeometryDirectly(ogr.CreateGeometryFromWkb(Point(x, y).wkb))
        layer.CreateFeature(feature)
    data = layer = None
    with alidade.Runtime() as runtime:
        source = alidade.FeatureSource(runtime, str(tmp_path / "a.gdb"))
        for sides in ((-180, 0, 180, 50), (-400, -20, 400, 20), (-1e6, 0, 1e6, 90), (-1e300, -1e300, 1e300, 1e300), (170, -90, 540, 90)):
            inside = [n for n, (x, y) in enumerate(places)
                      if sides[1] <= y <= sides[3] and any(sides[0] <= x + turn <= sides[2] for turn in (-360, 0, 360))]
            assert found(source, envelope=sides) == inside
        world = alidade.Map(runtime, spatial_reference=alidade.SpatialReference(runtime, "EPSG:3413"))
        polar = alidade.Geometry.from_wkt(runtime, "POLYGON ((-3e6 -3e6, 3e6 -3e6, 3e6 3e6, -3e6 3e6, -3e6 -3e6))", world.spatial_reference)
        to_polar = Transformer.from_crs(4326, 3413, always_xy=True)
        inside = [n for n, place in enumerate(places) if max(map(abs, to_polar.transform(*place))) <= 3e6]
        assert found(source, geometry=polar) == inside

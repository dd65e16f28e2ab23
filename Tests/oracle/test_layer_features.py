"""Feature layers: what is drawn of a source in a view, against GDAL's own reading and PROJ's own projecting."""
import random
import time

import alidade
import numpy
import pytest
from osgeo import gdal, ogr
from pyproj import Transformer

import features
from features import copy, places

gdal.UseExceptions()
TO_MERCATOR = Transformer.from_crs(4326, 3857, always_xy=True)


def marker(red=255, size=10):
    return alidade.MarkerSymbol(color=(red, 0, 0, 255), size_dip=size)


@pytest.fixture
def scene(runtime, tmp_path):
    """A function from a source to a layer and a view of it in Web Mercator."""

    def make(source, renderer, **options):
        layer = alidade.FeatureLayer(source, renderer)
        map = alidade.Map(runtime, alidade.SpatialReference(runtime, "EPSG:3857"))
        map.add_layer(layer)
        view = alidade.View(map, width_dip=400, height_dip=300)
        view.set_viewpoint(TO_MERCATOR.transform(10, 50), scale=2e7)
        return layer, view

    return make


def grid(path, count, driver="FlatGeobuf"):
    """Points at random over the world, with a number each."""
    rng = random.Random(5)
    numbers = [(rng.uniform(-180, 180), rng.uniform(-80, 80)) for _ in range(count)]
    data = ogr.GetDriverByName(driver).CreateDataSource(str(path))
    layer = data.CreateLayer("grid", features.reference(4326), ogr.wkbPoint)
    layer.CreateField(ogr.FieldDefn("n", ogr.OFTInteger))
    definition = layer.GetLayerDefn()
    if driver == "GPKG":
        layer.StartTransaction()
    for number, (x, y) in enumerate(numbers):
        feature = ogr.Feature(definition)
        feature.SetField(0, number % 3)
        feature.SetGeometryDirectly(ogr.CreateGeometryFromWkb(b"\1\1\0\0\0" + numpy.array([x, y]).tobytes()))
        layer.CreateFeature(feature)
    if driver == "GPKG":
        layer.CommitTransaction()
    data = layer = None
    return path


def truth(path):
    """Ids and coordinates of a file's points."""
    layer = gdal.OpenEx(str(path), gdal.OF_VECTOR)
    found = [(one.GetFID(), one.GetGeometryRef().GetX(), one.GetGeometryRef().GetY(), one["n"]) for one in layer.GetLayer(0)]
    return numpy.array(found)


def test_what_is_in_sight_is_drawn(runtime, scene, tmp_path):
    path = grid(tmp_path / "a.fgb", 5000)
    everything = truth(path)
    layer, view = scene(alidade.FeatureSource(runtime, path), alidade.SimpleRenderer(marker(size=0.001)))
    for center, scale in (((10, 50), 2e7), ((12, 51), 2e7), ((-100, 20), 5e7), ((0, 0), 4e8), ((178, 10), 3e7)):
        view.set_viewpoint(TO_MERCATOR.transform(*center), scale=scale)
        drawing = view.feature_drawing(layer)
        x, y = TO_MERCATOR.transform(everything[:, 1], everything[:, 2])
        shown, near = numpy.zeros((2, len(everything)), dtype=bool)
        for turn in range(-2, 3):
            dip = view.map_to_screen(numpy.column_stack([x + turn * 2 * numpy.pi * 6378137, y]))
            shown |= ((dip >= 0) & (dip <= (400, 300))).all(axis=1)
            near |= ((dip >= -1) & (dip <= (401, 301))).all(axis=1)
        columns = drawing.columns
        ids = list(dict.fromkeys(columns.graphic_ids.tolist()))
        # In the file's order; symbols have a margin of a pixel.
        assert ids == sorted(ids)
        assert set(everything[shown, 0].astype(int)) <= set(ids) <= set(everything[near, 0].astype(int))
        if shown.all():
            continue
        assert len(columns.graphic_ids) > 0


def test_renderers_look_at_fields(runtime, scene, tmp_path):
    path = grid(tmp_path / "a.fgb", 600)
    classes = [((0,), marker(10)), ((1,), marker(20))]
    renderer = alidade.graphics.UniqueValueRenderer(["n"], classes)
    layer, view = scene(alidade.FeatureSource(runtime, path), renderer)
    view.set_viewpoint((0, 0), scale=4e8)
    drawing = view.feature_drawing(layer)
    numbers = {int(id): int(n) for id, _, _, n in truth(path)}
    reds = {item.graphic_id: item.symbol.color[0] for item in drawing}
    assert reds and set(reds.values()) == {10, 20}
    assert all(reds[id] == {0: 10, 1: 20}[numbers[id]] for id in reds)
    layer.set_renderer(None)
    assert len(view.feature_drawing(layer).columns.graphic_ids) == 0


def test_hidden_and_opaque_layers(runtime, scene, tmp_path):
    layer, view = scene(alidade.FeatureSource(runtime, places(tmp_path)), alidade.SimpleRenderer(marker()))
    assert {1, 2} == set(view.feature_drawing(layer).columns.graphic_ids.tolist())
    layer.opacity = 0.25
    drawn = view.feature_drawing(layer).overlays[0]
    assert drawn.overlay is None and drawn.opacity == 0.25
    layer.visible = False
    hidden = view.feature_drawing(layer)
    assert len(hidden.columns.graphic_ids) == 0 and hidden.counts.hidden == len(features.PLACES)


def test_files_that_go_and_layers_without_a_place(runtime, scene, tmp_path):
    path = places(tmp_path)
    layer, view = scene(alidade.FeatureSource(runtime, path), alidade.SimpleRenderer(marker()))
    assert len(view.feature_drawing(layer).columns.graphic_ids)
    (tmp_path / "loose.csv").write_text("x,y\n1,2\n")
    other = alidade.FeatureLayer(alidade.FeatureSource(runtime, tmp_path / "loose.csv"), alidade.SimpleRenderer(marker()))
    view.map.add_layer(other)
    with pytest.raises(alidade.errors.NotReadyError, match="no spatial reference|spatial reference that can"):
        view.feature_drawing(other)
    path.unlink()
    time.sleep(0.02)
    with pytest.raises(alidade.errors.ReadFailedError, match="changed"):
        view.feature_drawing(layer)


@pytest.fixture
def own_runtime():
    """A runtime whose report lists the handles of one test: a report does not list thousands."""
    with alidade.Runtime() as runtime:
        yield runtime


@pytest.mark.parametrize("driver, name", [("FlatGeobuf", "a.fgb"), ("GPKG", "a.gpkg"), ("CSV", "a.csv")])
def test_the_index_answers_as_a_search_of_all(own_runtime, tmp_path, driver, name):
    runtime = own_runtime
    path = grid(tmp_path / "a.fgb", 3000)
    if driver != "FlatGeobuf":
        options = {"layerCreationOptions": ["GEOMETRY=AS_XY"]} if driver == "CSV" else {}
        path = copy(path, driver, tmp_path / name, **options)
    source = alidade.FeatureSource(runtime, path)
    set = source.query()
    xy = set.geometries.columns.xy
    with pytest.raises(alidade.errors.NotReadyError, match="Build it first"):
        source.nearest((0, 0))
    source.build_index_async().result(30)
    info = source.index_info
    assert info.status is alidade.features.IndexStatus.READY and info.feature_count == 3000
    assert info.extent.x_min == xy[:, 0].min() and info.extent.y_max == xy[:, 1].max()
    for x, y in ((0, 0), (100, 50), (-179, -79), (400, 0)):
        apart = numpy.abs(xy[:, 0] - x)
        # The features of the CSV are in no world that repeats itself.
        if driver != "CSV":
            apart = numpy.minimum(apart % 360, 360 - apart % 360)
        distances = numpy.hypot(apart, xy[:, 1] - y)
        order = numpy.argsort(distances, kind="stable")[:20]
        found = source.nearest((x, y), 20)
        assert found["feature_id"].tolist() == set.ids[order].tolist()
        numpy.testing.assert_allclose(found["distance"], distances[order], rtol=1e-12)
        near = source.nearest((x, y), 3000, max_distance=15)
        assert len(near) == (distances <= 15).sum()
        inside = (apart <= 20) & (numpy.abs(xy[:, 1] - y) <= 10)
        box = (x - 20, y - 10, x + 20, y + 10)
        assert source.ids_in_envelope(box).tolist() == set.ids[inside].tolist()
        assert source.query(envelope=box).ids.tolist() == set.ids[inside].tolist()
    report = runtime.report()
    assert report["memory"]["feature_index_bytes"] >= info.size_bytes > 3000 * 40
    listed = [one for one in report["handles"]["list"] if one["kind"] == "ald_feature_source"]
    assert any(one["index_bytes"] == info.size_bytes for one in listed)


def test_nearest_is_exact_for_lines_and_polygons(runtime, tmp_path):
    """By boxes the long diagonal would be the nearest to everything."""
    wkts = ["LINESTRING (0 0, 100 100)", "POLYGON ((50 10, 60 10, 60 20, 50 10))", "LINESTRING (5 90, 6 91)", "POINT (99 1)"]
    path = tmp_path / "a.gpkg"
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = data.CreateLayer("a", features.reference(3857), ogr.wkbUnknown)
    for wkt in wkts:
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromWkt(wkt))
        layer.CreateFeature(feature)
    data = layer = None
    gml = copy(path, "GML", tmp_path / "a.gml")
    for file in (path, gml):
        source = alidade.FeatureSource(runtime, file)
        ids = source.query().ids.tolist()
        source.build_index()
        for x, y in ((90, 5), (55, 14), (10, 80), (50, 50), (0, 100)):
            point = ogr.CreateGeometryFromWkt(f"POINT ({x} {y})")
            expected = sorted((point.Distance(ogr.CreateGeometryFromWkt(wkt)), id) for wkt, id in zip(wkts, ids))
            found = source.nearest((x, y), 4)
            assert found["feature_id"].tolist() == [id for _, id in expected]
            numpy.testing.assert_allclose(found["distance"], [distance for distance, _ in expected], rtol=1e-12)


def test_a_large_source_is_indexed_in_seconds(runtime, tmp_path):
    count = 100_000
    source = alidade.FeatureSource(runtime, grid(tmp_path / "a.fgb", count))
    start = time.monotonic()
    source.build_index()
    built = time.monotonic() - start
    assert source.index_info.size_bytes < 60 * count
    start = time.monotonic()
    for number in range(100):
        assert len(source.nearest((number, number / 2), 10)) == 10
    asked = (time.monotonic() - start) / 100
    # A reading of all takes longer than a hundredth of building.
    assert asked < built / 100, (asked, built)


def test_a_layer_of_a_path_loads(runtime, tmp_path):
    path = places(tmp_path)
    layer = alidade.FeatureLayer.from_path(runtime, path, renderer=alidade.SimpleRenderer(marker()))
    with pytest.raises(alidade.errors.NotReadyError, match="load"):
        layer.source
    layer.load()
    assert len(layer.source.query()) == len(features.PLACES) and layer.spatial_reference.info.code == "4326"
    missing = alidade.FeatureLayer.from_path(runtime, tmp_path / "none.gpkg")
    with pytest.raises(alidade.errors.NotFoundError, match="none.gpkg"):
        missing.load()


def test_a_given_spatial_reference_places_a_layer(runtime, scene, tmp_path):
    (tmp_path / "loose.csv").write_text("x,y\n10,50\n")
    source = alidade.FeatureSource(runtime, tmp_path / "loose.csv")
    layer, view = scene(source, alidade.SimpleRenderer(marker()))
    assert len(layer.warnings) == 1
    layer.spatial_reference = alidade.SpatialReference(runtime, "EPSG:4326")
    numpy.testing.assert_allclose(view.feature_drawing(layer).columns.screen_xy, [[200, 150]], atol=1e-6)
    assert layer.warnings == ()


@pytest.mark.parametrize("driver, name", [("FlatGeobuf", "a.fgb"), ("GPKG", "a.gpkg"), ("CSV", "a.csv")])
def test_a_definition_is_changed_while_the_layer_is_shown(runtime, scene, tmp_path, driver, name):
    """Against GDAL with the same condition: what is drawn, counted and near a point."""
    path = grid(tmp_path / "a.fgb", 3000)
    if driver != "FlatGeobuf":
        options = {"layerCreationOptions": ["GEOMETRY=AS_XY"]} if driver == "CSV" else {}
        path = copy(path, driver, tmp_path / name, **options)
    wgs84 = alidade.SpatialReference(runtime, "EPSG:4326")
    layer, view = scene(alidade.FeatureSource(runtime, path, spatial_reference=wgs84), alidade.SimpleRenderer(marker()))
    seen = []
    for definition in (None, "n = 1", "n > 0", "n = 7", None):
        layer.definition = definition
        assert layer.definition == definition and layer.source.info.definition == (definition or "")
        there = gdal.OpenEx(
            str(path), gdal.OF_VECTOR, open_options=["AUTODETECT_TYPE=YES"] if driver == "CSV" else []
        )
        theirs = there.GetLayer(0)
        assert theirs.SetAttributeFilter(definition) == 0
        ids = sorted(feature.GetFID() for feature in theirs)
        assert layer.source.count() == len(ids)
        drawn = view.feature_drawing(layer, keep_outside=True).columns.graphic_ids.tolist()
        assert set(drawn) <= set(ids)
        seen.append(len(drawn))
        layer.source.build_index()
        near = layer.source.nearest((10, 50), 5, spatial_reference=wgs84)["feature_id"].tolist()
        assert len(near) == min(5, len(ids)) and set(near) <= set(ids)
        assert layer.view_state(view).is_active
    assert seen[3] == 0 and 0 < seen[1] < seen[2] < seen[0] == seen[4]
    with pytest.raises(alidade.errors.InvalidArgumentError, match="no_such_field"):
        layer.definition = "no_such_field = 1"
    assert layer.definition is None and layer.source.count() == len(ids)

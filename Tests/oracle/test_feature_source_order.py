"""The order of features, and ids: whatever finds features, they come as a reading from the first to the last brings
them, each once. What is expected is GDAL's unfiltered reading, sifted here."""
import json
import random
from pathlib import Path

import numpy as np
import pytest
from osgeo import gdal, ogr

import alidade
from features import reference

BOX = (-15.0, -20.0, 25.0, 30.0)
SQUARES = 900


def squares(path: Path, driver: str, options=()) -> Path:
    """Squares here and there with numbers in no order, one in ten without a geometry."""
    chance = random.Random(3)
    data = ogr.GetDriverByName(driver).CreateDataSource(str(path), list(options))
    layer = data.CreateLayer("squares", reference(4326), ogr.wkbPolygon)
    layer.CreateField(ogr.FieldDefn("number", ogr.OFTInteger))
    layer.CreateField(ogr.FieldDefn("name", ogr.OFTString))
    layer.CreateField(ogr.FieldDefn("real", ogr.OFTReal))
    layer.StartTransaction()
    for row in range(SQUARES):
        x, y = chance.uniform(-60, 60), chance.uniform(-60, 60)
        feature = ogr.Feature(layer.GetLayerDefn())
        feature["number"] = chance.randrange(1000)
        if row % 7:
            feature["name"] = "n" * (row % 5) + str(row)
        feature["real"] = row / 7
        if row % 10:
            feature.SetGeometry(ogr.CreateGeometryFromWkt(
                f"POLYGON (({x} {y}, {x + 5} {y}, {x + 5} {y + 5}, {x} {y + 5}, {x} {y}))"))
        layer.CreateFeature(feature)
    layer.CommitTransaction()
    data = None
    return path


FORMATS = {"GPKG": ("s.gpkg", ()), "SQLite": ("s.sqlite", ("SPATIALITE=YES",)), "MapInfo File": ("s.tab", ()),
           "FlatGeobuf": ("s.fgb", ()), "GeoJSON": ("s.geojson", ())}


@pytest.fixture(scope="module", params=FORMATS)
def file(request, tmp_path_factory):
    name, options = FORMATS[request.param]
    path = squares(tmp_path_factory.mktemp("order") / name, request.param, options)
    if request.param == "GPKG":
        data = gdal.OpenEx(str(path), gdal.OF_UPDATE)
        # SQLite reads from it what it has, in its order.
        data.ExecuteSQL("CREATE INDEX by_number ON squares (number)")
        data = None
    return path


def rows(path: Path) -> list[dict]:
    found = []
    data = gdal.OpenEx(str(path), gdal.OF_VECTOR)
    for feature in data.GetLayer(0):
        shape = feature.GetGeometryRef()
        found.append({"id": feature.GetFID(), "number": feature["number"], "name": feature["name"],
                      "real": feature["real"], "shape": shape.Clone() if shape else None})
    return found


def within(row: dict, box) -> bool:
    x0, y0, x1, y1 = box
    area = ogr.CreateGeometryFromWkt(f"POLYGON (({x0} {y0}, {x1} {y0}, {x1} {y1}, {x0} {y1}, {x0} {y0}))")
    return row["shape"] is not None and row["shape"].Intersects(area)


def assert_rows(set: alidade.FeatureSet, expected: list[dict]) -> None:
    assert set.ids.tolist() == [row["id"] for row in expected]
    for field in ("number", "name", "real"):
        if field in [one.name for one in set.fields]:
            assert list(set.values(field)) == [row[field] for row in expected]
    for geometry, row in zip(set.geometries or [], expected):
        if row["shape"] is not None:
            assert geometry.to_wkb() == bytes(row["shape"].ExportToIsoWkb())


def pages(source: alidade.FeatureSource, size: int, **query) -> list[int]:
    found: list[int] = []
    while True:
        page = source.query(limit=size, offset=len(found), **query).ids.tolist()
        found += page
        if len(page) < size:
            return found


@pytest.mark.parametrize("has_index", [False, True])
def test_features_come_in_the_order_of_the_file(runtime, file, has_index):
    every = rows(file)
    source = alidade.FeatureSource(runtime, str(file))
    if has_index:
        source.build_index()
    few = (6, 6, 16, 16)
    for box in (BOX, few):
        inside = [row for row in every if within(row, box)]
        assert len(inside) > 5
        assert_rows(source.query(envelope=box), inside)
        assert pages(source, 7, envelope=box) == [row["id"] for row in inside]
        low = [row for row in inside if row["number"] < 500]
        assert_rows(source.query(envelope=box, where="number < 500"), low)
        assert source.count(envelope=box, where="number < 500") == len(low)
    low = [row["id"] for row in every if row["number"] < 30]
    assert source.query(where="number < 30").ids.tolist() == low
    assert pages(source, 4, where="number < 30") == low
    for fields in ([], ["number"]):
        assert_rows(source.query(fields=fields, with_geometry=False), every)
        assert pages(source, 250, fields=fields, with_geometry=False) == [row["id"] for row in every]
    defined = alidade.FeatureSource(runtime, str(file), definition="number < 500")
    if has_index:
        defined.build_index()
        boxed = [row["id"] for row in every if row["shape"] and row["number"] < 500]
        assert defined.ids_in_envelope((-90, -90, 90, 90)).tolist() == boxed
    assert_rows(defined.query(), [row for row in every if row["number"] < 500])
    assert_rows(defined.query(envelope=few), [row for row in every if row["number"] < 500 and within(row, few)])


@pytest.mark.parametrize("statement", ["SELECT * FROM squares", "SELECT number, name FROM squares WHERE number < 700",
                                       "SELECT * FROM squares ORDER BY number"])
def test_results_of_statements_keep_their_order(runtime, file, statement):
    data = gdal.OpenEx(str(file), gdal.OF_VECTOR)
    statement = statement.replace("squares", f'"{data.GetLayer(0).GetName()}"')
    every = rows(file)
    if "WHERE" in statement:
        every = [row for row in every if row["number"] < 700]
    if "ORDER" in statement:
        every.sort(key=lambda row: row["number"])
    source = alidade.FeatureSource(runtime, str(file), statement=statement)
    inside = [row["id"] for row in every if within(row, BOX)]
    assert source.query(envelope=BOX).ids.tolist() == inside
    assert pages(source, 9, envelope=BOX) == inside
    wanted = inside[3:9]
    assert source.query(ids=wanted, where="number >= 0", limit=3, offset=1).ids.tolist() == wanted[1:4]


def test_a_virtual_layer_keeps_the_order_of_its_file(runtime, tmp_path):
    path = squares(tmp_path / "s.gpkg", "GPKG")
    (tmp_path / "s.vrt").write_text(
        '<OGRVRTDataSource><OGRVRTLayer name="squares"><SrcDataSource relativeToVRT="1">s.gpkg</SrcDataSource>'
        "</OGRVRTLayer></OGRVRTDataSource>")
    source = alidade.FeatureSource(runtime, str(tmp_path / "s.vrt"))
    inside = [row for row in rows(path) if within(row, BOX)]
    assert_rows(source.query(envelope=BOX), inside)
    source.build_index()
    assert_rows(source.query(envelope=BOX), inside)
    assert pages(source, 7, envelope=(10, 10, 12, 12)) == [
        row["id"] for row in inside if within(row, (10, 10, 12, 12))]


def test_what_lies_on_top_does_not_change_with_the_view(runtime, tmp_path):
    path = squares(tmp_path / "s.gpkg", "GPKG")
    map = alidade.Map(runtime, alidade.SpatialReference(runtime, "EPSG:4326"))
    layer = alidade.FeatureLayer.from_path(runtime, str(path), renderer=alidade.SimpleRenderer(alidade.FillSymbol((1, 2, 3))))
    map.add_layer(layer)
    layer.load()
    view = alidade.View(map, 400, 300)
    drawn = 0
    for centre, scale in [((12, 12), 5e6), ((12, 12), 5e7), ((14, 13), 5e6), ((0, 0), 3e7)]:
        view.set_viewpoint(centre, scale=scale)
        ids = view.feature_drawing(layer).columns.graphic_ids
        assert (np.diff(ids.astype(np.int64)) > 0).all()
        drawn += len(ids)
    assert drawn > 100


@pytest.mark.parametrize("condition", ["1 LIMIT 1", "1 ORDER BY number DESC", "1 UNION SELECT * FROM squares"])
def test_nothing_goes_on_behind_a_condition(runtime, file, condition):
    source = alidade.FeatureSource(runtime, str(file))
    with pytest.raises(alidade.errors.InvalidArgumentError):
        source.query(where=condition)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        alidade.FeatureSource(runtime, str(file), definition=condition)
    assert len(source.query().ids) == len(rows(file))


# MARK: Ids


@pytest.mark.parametrize("driver, name", [("ESRI Shapefile", "f.shp"), ("GeoJSON", "f.geojson"), ("CSV", "f.csv"),
                                          ("MapInfo File", "f.tab"), ("FlatGeobuf", "f.fgb")])
def test_a_field_named_fid_is_not_the_id(runtime, tmp_path, driver, name):
    path = tmp_path / name
    data = ogr.GetDriverByName(driver).CreateDataSource(str(path))
    options = ["GEOMETRY=AS_XY"] if driver == "CSV" else []
    layer = data.CreateLayer("f", None if driver != "GeoJSON" else reference(4326), ogr.wkbPoint, options)
    layer.CreateField(ogr.FieldDefn("FID", ogr.OFTInteger))
    layer.CreateField(ogr.FieldDefn("a", ogr.OFTInteger))
    for row in range(12):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature["FID"] = 11 - row
        feature["a"] = row
        feature.SetGeometry(ogr.CreateGeometryFromWkt(f"POINT ({row} {row})"))
        layer.CreateFeature(feature)
    data = None
    data = gdal.OpenEx(str(path), gdal.OF_VECTOR)
    truth = [(feature.GetFID(), int(feature["a"])) for feature in data.GetLayer(0)]
    wanted = [truth[2], truth[9]]
    ids = [id for id, _ in wanted]
    source = alidade.FeatureSource(runtime, str(path))
    condition = "CAST(a AS integer) >= 0"
    for query in ({}, {"where": condition}):
        set = source.query(ids=ids[::-1] + [99, ids[0]], **query)
        assert list(zip(set.ids.tolist(), map(int, set.values("a")))) == wanted
        assert source.count(ids=ids + [99], **query) == 2
    defined = alidade.FeatureSource(runtime, str(path), definition=condition)
    assert defined.query(ids=ids).ids.tolist() == ids


def test_many_ids_in_any_order_are_answered_in_that_of_the_file(runtime, file):
    every = rows(file)
    chance = random.Random(5)
    some = [row["id"] for row in chance.sample(every, 800)]
    wanted = sorted(set(some), key=[row["id"] for row in every].index)
    source = alidade.FeatureSource(runtime, str(file))
    given = some + some[:50] + [10**9]
    assert source.query(ids=given).ids.tolist() == wanted
    assert source.query(ids=given, where="number >= 0").ids.tolist() == wanted
    assert source.count(ids=given) == source.count(ids=given, where="number >= 0") == len(wanted)
    assert pages(source, 300, ids=given, where="number >= 0") == wanted
    assert pages(source, 300, ids=given) == wanted
    inside = {row["id"] for row in every if within(row, BOX)}
    for query in ({}, {"where": "number >= 0"}):
        assert source.query(ids=given, envelope=BOX, **query).ids.tolist() == [id for id in wanted if id in inside]


def test_ids_that_are_in_no_order(runtime, tmp_path):
    ids = list(range(300))
    random.Random(2).shuffle(ids)
    path = tmp_path / "f.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": id, "properties": {}, "geometry": {"type": "Point", "coordinates": [place / 10, 0]}}
        for place, id in enumerate(ids)]}))
    data = gdal.OpenEx(str(path), gdal.OF_VECTOR)
    ids = [feature.GetFID() for feature in data.GetLayer(0)]
    source = alidade.FeatureSource(runtime, str(path))
    for _ in range(2):
        assert source.query(ids=sorted(ids[40:60])).ids.tolist() == ids[40:60]
        assert source.query(ids=sorted(ids[40:60]), limit=5, offset=3).ids.tolist() == ids[43:48]
        assert source.query(ids=[ids[7]]).ids.tolist() == [ids[7]]
        assert source.query(envelope=(2, 0, 4, 0)).ids.tolist() == ids[20:41]
        source.build_index()
    assert source.ids_in_envelope((2, 0, 4, 0)).tolist() == ids[20:41]


def test_ids_are_whole_numbers(runtime, tmp_path):
    source = alidade.FeatureSource(runtime, str(squares(tmp_path / "s.gpkg", "GPKG")))
    assert source.query(ids=np.array([3, 2], dtype=np.uint8)).ids.tolist() == [2, 3]
    assert source.query(ids=[]).ids.tolist() == source.query(ids=np.array([])).ids.tolist() == []
    for wrong in ([1.7], np.array([1.0]), ["1"]):
        with pytest.raises(TypeError):
            source.query(ids=wrong)
    for wrong in ([2**63], np.array([2**63], dtype=np.uint64)):
        with pytest.raises(ValueError):
            source.query(ids=wrong)


@pytest.mark.parametrize("wrong", [False, True])
def test_an_index_of_ids_that_come_twice_finds_all(runtime, tmp_path, wrong):
    """A union of two files that keeps their ids, which are the same for `wrong`."""
    every = []
    for name, shift in (("a", 0), ("b", 50)):
        features = []
        for number in range(40):
            place = [[number + shift, shift], [number + shift + 0.5, shift + 0.5]]
            id = number + (0 if wrong or name == "a" else 100)
            features.append({"type": "Feature", "id": id, "properties": {"of": name},
                             "geometry": {"type": "LineString", "coordinates": place}})
            every.append((id, name, ogr.CreateGeometryFromJson(json.dumps(features[-1]["geometry"]))))
        (tmp_path / f"{name}.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    layers = "".join(f'<OGRVRTLayer name="{name}"><SrcDataSource relativeToVRT="1">{name}.geojson</SrcDataSource>'
                     "</OGRVRTLayer>" for name in "ab")
    (tmp_path / "u.vrt").write_text(
        f'<OGRVRTDataSource><OGRVRTUnionLayer name="u">{layers}<PreserveSrcFID>ON</PreserveSrcFID></OGRVRTUnionLayer>'
        "</OGRVRTDataSource>")
    point = ogr.CreateGeometryFromWkt("POINT (52.5 50)")
    near = sorted((line.Distance(point), place) for place, (_, _, line) in enumerate(every))[:3]
    for options in ({}, {"statement": "SELECT * FROM u"}):
        source = alidade.FeatureSource(runtime, str(tmp_path / "u.vrt"), **options)
        for has_index in (False, True):
            if has_index:
                source.build_index()
            set = source.query(envelope=(51, 49, 54, 60))
            assert list(zip(set.ids.tolist(), set.values("of"))) == [
                (id, name) for id, name, line in every if line.GetEnvelope()[0] <= 54 and line.GetEnvelope()[1] >= 51
                and line.GetEnvelope()[2] >= 49]
            assert source.count(envelope=(-1, -1, 100, 100)) == 80
            ids = [every[0][0], every[41][0]]
            assert source.query(ids=ids).ids.tolist() == [id for id, _, _ in every if id in ids]
            assert source.query(ids=ids[:1]).ids.tolist() == [id for id, _, _ in every if id == ids[0]]
        found = source.nearest((52.5, 50), 3)
        assert found["feature_id"].tolist() == [every[place][0] for _, place in near]
        assert found["distance"].tolist() == pytest.approx([distance for distance, _ in near])

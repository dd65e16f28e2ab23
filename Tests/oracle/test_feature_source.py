"""Features of every format, as GDAL itself reads them: ids, geometries, typed values, nulls."""
import datetime
import math

import alidade
import numpy
import pytest
from osgeo import gdal, ogr

import features
from features import copy, places, truth

FORMATS = {
    "GeoPackage": ("GPKG", "a.gpkg", {}),
    "FlatGeobuf": ("FlatGeobuf", "a.fgb", {}),
    "Shapefile": ("ESRI Shapefile", "a.shp", {}),
    "GeoJSON": ("GeoJSON", "a.geojson", {}),
    "GeoJSON sequence": ("GeoJSONSeq", "a.geojsonl", {}),
    "CSV": ("CSV", "a.csv", {"layerCreationOptions": ["GEOMETRY=AS_XY"]}),
    "KML": ("LIBKML", "a.kml", {}),
    "file geodatabase": ("OpenFileGDB", "a.gdb", {}),
    "GML": ("GML", "a.gml", {}),
    "SQLite": ("SQLite", "a.sqlite", {}),
    "MapInfo": ("MapInfo File", "a.tab", {}),
    "GPX": ("GPX", "a.gpx", {"datasetCreationOptions": ["GPX_USE_EXTENSIONS=YES"]}),
}
OPEN_OPTIONS = {"CSV": ["AUTODETECT_TYPE=YES", "X_POSSIBLE_NAMES=x", "Y_POSSIBLE_NAMES=y"]}


@pytest.fixture(scope="module")
def gpkg(tmp_path_factory):
    return places(tmp_path_factory.mktemp("places"))


@pytest.fixture
def made(gpkg, tmp_path):
    """A function from the name of a format to a file of it."""

    def make(name):
        driver, file, options = FORMATS[name]
        return gpkg if name == "GeoPackage" else copy(gpkg, driver, tmp_path / file, **options)

    return make


def assert_equal(source, set, expected):
    assert [feature["id"] for feature in expected] == set.ids.tolist()
    wkb = [None if feature.geometry is None else feature.geometry.to_wkb() for feature in set]
    assert wkb == [feature["wkb"] for feature in expected]
    for feature, wanted in zip(set, expected):
        assert feature.attributes == wanted["attributes"], feature.id


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_read_as_gdal_reads_it(runtime, made, name):
    path = made(name)
    expected = truth(path, options=OPEN_OPTIONS.get(name, []))
    assert len(expected) == len(features.PLACES)
    with alidade.FeatureSource(runtime, path) as source:
        set = source.query()
        assert_equal(source, set, expected)
        assert source.count() == len(expected)
        assert source.info.feature_count in (None, len(expected))
        data = gdal.OpenEx(str(path), gdal.OF_VECTOR, open_options=OPEN_OPTIONS.get(name, []))
        definition = data.GetLayer(0).GetLayerDefn()
        assert [field.name for field in source.fields] == [
            definition.GetFieldDefn(index).GetName() for index in range(definition.GetFieldCount())]
        assert source.info.driver == data.GetDriver().ShortName
        assert not set.is_incomplete and set.unreadable_count == 0
        if name not in ("CSV", "GPX"):
            assert source.spatial_reference is not None
        some = [expected[4]["id"], expected[1]["id"]]
        assert sorted(source.query(ids=some).ids.tolist()) == sorted(some)
        assert source.query(limit=2, offset=3).ids.tolist() == [one["id"] for one in expected[3:5]]
        inside = source.query(envelope=(-1, 48, 14, 53)).ids.tolist()
        points = [(one["id"], ogr.CreateGeometryFromWkb(one["wkb"])) for one in expected]
        assert inside == [id for id, point in points if -1 <= point.GetX() <= 14 and 48 <= point.GetY() <= 53]
        assert len(inside) == 3


def test_null_is_told_apart_from_an_empty_text(runtime, gpkg):
    names = alidade.FeatureSource(runtime, gpkg).query().values("name")
    assert names[4] == "" and names[5] is None


def test_what_a_file_says_nothing_of_is_unset(runtime, tmp_path):
    path = tmp_path / "a.geojson"
    path.write_text('{"type":"FeatureCollection","features":['
                    '{"type":"Feature","properties":{"a":1,"b":null},"geometry":null},'
                    '{"type":"Feature","properties":{"b":"x"},"geometry":{"type":"Point","coordinates":[1,2]}}]}')
    set = alidade.FeatureSource(runtime, path).query()
    assert [feature.attributes for feature in set] == [{"a": 1, "b": None}, {"b": "x"}]
    assert set.column("a").states.tolist() == [alidade.rasters.ValueState.PRESENT, alidade.rasters.ValueState.UNSET]
    assert set.column("b").states.tolist() == [alidade.rasters.ValueState.NULL, alidade.rasters.ValueState.PRESENT]
    assert set[0].geometry is None and set.flags.tolist() == [alidade.features.FeatureFlags.NO_GEOMETRY, 0]
    assert set.geometries[0].is_empty


def test_lists_binary_times_and_booleans(runtime, tmp_path):
    path = tmp_path / "a.gpkg"
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = data.CreateLayer("a", features.reference(3857), ogr.wkbUnknown)
    layer.CreateField(ogr.FieldDefn("blob", ogr.OFTBinary))
    boolean = ogr.FieldDefn("truth", ogr.OFTInteger)
    boolean.SetSubType(ogr.OFSTBoolean)
    layer.CreateField(boolean)
    for value in (b"\0\1\xff", b""):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetFieldBinaryFromHexString("blob", value.hex())
        feature["truth"] = len(value) > 0
        layer.CreateFeature(feature)
    data = layer = None
    set = alidade.FeatureSource(runtime, path).query()
    assert set.values("blob") == [b"\0\1\xff", b""] and set.values("truth") == [True, False]
    assert set.fields[1].subtype is alidade.features.FieldSubtype.BOOLEAN

    lists = tmp_path / "a.geojson"
    lists.write_text('{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"properties":{'
                     '"i":[1,-2,9007199254740993],"r":[1.5,2],"t":["a","","\u00e4"],"none":[]}}]}')
    attributes = next(iter(alidade.FeatureSource(runtime, lists))).attributes
    assert attributes == truth(lists)[0]["attributes"]
    assert attributes["i"] == [1, -2, 9007199254740993] and attributes["t"] == ["a", "", "\u00e4"]


def test_the_columns_are_the_values(runtime, gpkg):
    set = alidade.FeatureSource(runtime, gpkg).query()
    column = set.column("large")
    assert column.data[column.states == 0].tolist() == [v for v in set.values("large") if v is not None]
    texts = set.column("name")
    whole = texts.data.tobytes()
    parts = [whole[start : end - 1].decode() for start, end in zip(texts.offsets[:-1], texts.offsets[1:])]
    assert parts == [name or "" for name in set.values("name")]
    assert math.isnan(set.column("real").data[5])
    moment = set.column("moment").data[2]
    assert (moment["year"], moment["hour"], moment["second"], moment["zone"]) == (2024, 12, 2.25, 2)


def test_dates_have_zones(runtime, tmp_path):
    path = tmp_path / "a.geojson"
    path.write_text('{"type":"FeatureCollection","features":['
                    + ",".join('{"type":"Feature","geometry":null,"properties":{"t":"2020-01-02T03:04:05.678%s"}}' % zone
                               for zone in ("", "Z", "+05:30", "-03:00")) + "]}")
    zones = [value.utcoffset() for value in alidade.FeatureSource(runtime, path).query().values("t")]
    hours = lambda number: datetime.timedelta(hours=number)
    assert zones == [None, hours(0), hours(5.5), hours(-3)]


def test_fields_and_geometries_can_be_left_out(runtime, gpkg):
    source = alidade.FeatureSource(runtime, gpkg)
    some = source.query(fields=["real", "name"], with_geometry=False)
    assert [field.name for field in some.fields] == ["real", "name"] and some.geometries is None
    assert some.values("name") == source.query().values("name")
    assert source.query(fields=[]).fields == ()
    assert len(source.query().fields) == len(features.FIELDS)  # nothing of it stays


def test_conditions(runtime, gpkg, made):
    for name in ("GeoPackage", "Shapefile", "FlatGeobuf", "GeoJSON"):
        path = made(name)
        source = alidade.FeatureSource(runtime, path, definition="small >= -1")
        expected = [one for one in truth(path) if (one["attributes"].get("small") or -2) >= -1 or one["attributes"].get("small") == 0]
        assert_equal(source, source.query(), expected)
        assert source.count(where="small < 2") == sum(one["attributes"]["small"] < 2 for one in expected)
        assert source.query(ids=[one["id"] for one in truth(path)]).ids.tolist() == [one["id"] for one in expected]
        assert source.count() == len(expected)
        for bad in ("nothing = 1", "small >", "1) OR (1", "small = 1; DROP TABLE x", "small = 1 -- x", ""):
            with pytest.raises(alidade.errors.InvalidArgumentError):
                source.query(where=bad)
            with pytest.raises(alidade.errors.InvalidArgumentError):
                alidade.FeatureSource(runtime, path, definition=bad)
        assert source.count() == len(expected)


def test_a_geopackage_without_a_spatial_reference_has_none(runtime, tmp_path):
    path = tmp_path / "a.gpkg"
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = data.CreateLayer("a", None, ogr.wkbPoint)
    feature = ogr.Feature(layer.GetLayerDefn())
    feature.SetGeometry(ogr.CreateGeometryFromWkt("POINT (3 4)"))
    layer.CreateFeature(feature)
    data = layer = feature = None
    for number in (0, -1):
        data = ogr.Open(str(path), 1)
        data.ExecuteSQL(f"UPDATE gpkg_geometry_columns SET srs_id = {number}")
        data.ExecuteSQL(f"UPDATE gpkg_contents SET srs_id = {number}")
        data = None
        source = alidade.FeatureSource(runtime, path)
        assert source.spatial_reference is None and "spatial reference" in source.warning
        assert len(source.query()) == 1


def test_statements(runtime, gpkg, tmp_path):
    source = alidade.FeatureSource(runtime, gpkg, statement="SELECT name, small * 2 AS twice FROM places WHERE small > 0")
    assert source.info.layer_index is None and source.info.id_stability is alidade.features.IdStability.NONE
    data = gdal.OpenEx(str(gpkg))
    result = data.ExecuteSQL("SELECT name, small * 2 AS twice FROM places WHERE small > 0", dialect="OGRSQL")
    assert source.query().values("twice") == [feature["twice"] for feature in result]
    data.ReleaseResultSet(result)
    copy(gpkg, "ESRI Shapefile", tmp_path / "other.shp")
    other = str(tmp_path / "other.shp")
    for bad in (f"SELECT * FROM '{other}'.other", f'SELECT * FROM "{other}".other',
                f"SELECT * FROM places LEFT JOIN '{other}'.other ON places.small = other.small",
                f"SELECT * FROM places UNION ALL SELECT * FROM '{other}' . other"):
        with pytest.raises(alidade.errors.PolicyRefusedError, match="rule: query"):
            alidade.FeatureSource(runtime, gpkg, statement=bad)
    for bad in ("DROP TABLE places", "CREATE INDEX ON places USING small", "SELECT nothing FROM places", "SELECT",
                "SELECT * FROM places -- '\n", "SELECT name FROM places WHERE name = 'a\\' FROM '"):
        with pytest.raises(alidade.errors.InvalidArgumentError):
            alidade.FeatureSource(runtime, gpkg, statement=bad)


def test_layers_are_chosen(runtime, gpkg, tmp_path):
    path = tmp_path / "many.gpkg"
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    data.CreateLayer("table", None, ogr.wkbNone).CreateField(ogr.FieldDefn("x"))
    data.CreateLayer("lines", features.reference(3857), ogr.wkbLineString25D)
    data.CreateLayer("areas", features.reference(4326), ogr.wkbMultiPolygon)
    data = None
    source = alidade.FeatureSource(runtime, path)
    assert source.info.layer_name == "lines" and source.info.sublayer_count == 3 and source.info.has_z
    assert source.info.geometry_kind is alidade.geometry.GeometryKind.POLYLINE
    assert [(one.name, one.has_geometry) for one in source.sublayers] == [("lines", True), ("areas", True), ("table", False)]
    assert alidade.FeatureSource(runtime, path, "areas").info.geometry_kind is alidade.geometry.GeometryKind.POLYGON
    table = alidade.FeatureSource(runtime, path, 2)
    assert table.info.layer_name == "table" and not table.info.has_geometry and table.query().geometries is None
    assert table.warning == ""
    for bad in ("none", 3):
        with pytest.raises(alidade.errors.NotFoundError, match="no layer"):
            alidade.FeatureSource(runtime, path, bad)


def test_queries_by_geometry_and_projected(runtime, gpkg):
    source = alidade.FeatureSource(runtime, gpkg)
    mercator = alidade.SpatialReference(runtime, "EPSG:3857")
    set = source.query(spatial_reference=mercator)
    radius = 6378137.0
    for feature, (x, y) in zip(set, features.PLACES):
        got = feature.geometry.columns.xy[0] if hasattr(feature.geometry, "columns") else None
        expected = (math.radians(x) * radius, math.log(math.tan(math.pi / 4 + math.radians(y) / 2)) * radius)
        place = feature.geometry.__geo_interface__["coordinates"]
        numpy.testing.assert_allclose(place, expected, atol=1e-6)
    triangle = alidade.Geometry.from_wkt(runtime, "POLYGON ((0 40, 20 60, 0 60, 0 40))", source.spatial_reference)
    inside = ogr.CreateGeometryFromWkt("POLYGON ((0 40, 20 60, 0 60, 0 40))")
    expected = [number + 1 for number, (x, y) in enumerate(features.PLACES)
                if inside.Intersects(ogr.CreateGeometryFromWkt(f"POINT ({x} {y})"))]
    assert source.query(geometry=triangle).ids.tolist() == expected
    assert source.query(geometry=triangle.project(mercator).geometry).ids.tolist() == expected
    box = (-2e5, 6e6, 2e6, 7e6)
    assert source.query(envelope=box, envelope_spatial_reference=mercator).ids.tolist() == [1, 2, 3]


def test_an_envelope_is_exact_in_every_format(runtime, tmp_path):
    """A diagonal line whose box meets the envelope, and that does not."""
    path = tmp_path / "a.gpkg"
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = data.CreateLayer("a", features.reference(3857), ogr.wkbLineString)
    for wkt in ("LINESTRING (0 0, 10 10)", "LINESTRING (0 10, 10 0)", "LINESTRING (6 1, 8 1)"):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromWkt(wkt))
        layer.CreateFeature(feature)
    data = layer = None
    for file in (path, copy(path, "FlatGeobuf", tmp_path / "a.fgb"), copy(path, "ESRI Shapefile", tmp_path / "a.shp")):
        source = alidade.FeatureSource(runtime, file)
        starts = lambda *box: sorted(one.geometry.__geo_interface__["coordinates"][0] for one in source.query(envelope=box))
        assert starts(6, 0, 7.5, 2) == [(6, 1)]
        assert starts(7, 0, 9, 3) == [(0, 10), (6, 1)]
        assert starts(5, 5, 5, 5) == [(0, 0), (0, 10)]
        assert source.count(envelope=(20, 20, 30, 30)) == 0


CURVES = ["CIRCULARSTRING (0 0, 1 1, 2 0)", "COMPOUNDCURVE ((-1 0, 0 0), CIRCULARSTRING (0 0, 1 1, 2 0), (2 0, 3 0))",
          "CURVEPOLYGON (CIRCULARSTRING (0 0, 2 0, 0 0))",
          "CURVEPOLYGON (COMPOUNDCURVE (CIRCULARSTRING (0 0, 1 1, 2 0), (2 0, 0 0)))",
          "MULTISURFACE (CURVEPOLYGON (CIRCULARSTRING (5 5, 7 5, 5 5)), ((0 0, 1 0, 1 1, 0 0)))",
          "MULTICURVE ((0 0, 1 1), CIRCULARSTRING (0 0, -1 -1, -2 0))"]


@pytest.mark.parametrize("tolerance", [0.0, 0.01, 1e-5])
def test_curves_become_lines(runtime, tmp_path, tolerance):
    path = tmp_path / "a.gpkg"
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = data.CreateLayer("a", features.reference(3857), ogr.wkbUnknown)
    for wkt in CURVES:
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromWkt(wkt))
        layer.CreateFeature(feature)
    data = layer = None
    for wkt, feature in zip(CURVES, alidade.FeatureSource(runtime, path, curve_tolerance=tolerance)):
        fine = ogr.CreateGeometryFromWkt(wkt).GetLinearGeometry(0.02)
        mine = ogr.CreateGeometryFromWkb(feature.geometry.to_wkb())
        kinds = {ogr.wkbMultiLineString: ogr.wkbMultiLineString, ogr.wkbMultiPolygon: ogr.wkbMultiPolygon}
        assert kinds.get(mine.GetGeometryType(), mine.GetGeometryType()) == fine.GetGeometryType(), wkt
        bound = (tolerance or 4e-5) + 1e-7
        assert hausdorff(mine, fine) <= bound, wkt


def hausdorff(a, b):
    """The largest distance of a vertex of one line to the other, both ways, by GEOS."""
    import shapely.wkb

    first, second = (shapely.wkb.loads(bytes(one.ExportToWkb())) for one in (a, b))
    first, second = (one.boundary if "Polygon" in one.geom_type else one for one in (first, second))
    return first.hausdorff_distance(second)


@pytest.mark.parametrize("radius, half, tolerance", [
    (100.0, 3.0, 0.001), (1e5, 0.5, 0.001), (1e7, 1.0, 0.001), (1e8, 0.01, 0.01), (1e9, 1e-3, 0.001),
    (1e11, 1e-5, 1e-3)])
def test_the_lines_of_an_arc_keep_to_their_tolerance(runtime, tmp_path, radius, half, tolerance):
    """Large arcs and flat ones, with their middle at the origin: how far chords are away, by the circle's equation."""
    x, y = -2 * radius * math.sin(half / 2) ** 2, radius * math.sin(half)
    path = tmp_path / "a.gpkg"
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = data.CreateLayer("a", features.reference(3857), ogr.wkbCircularString)
    feature = ogr.Feature(layer.GetLayerDefn())
    feature.SetGeometry(ogr.CreateGeometryFromWkt(f"CIRCULARSTRING ({x!r} {-y!r}, 0 0, {x!r} {y!r})"))
    layer.CreateFeature(feature)
    data = layer = None
    line = alidade.FeatureSource(runtime, path, curve_tolerance=tolerance).query()[0].geometry
    xy = numpy.array(line.__geo_interface__["coordinates"])

    def depth(place):
        """Inside the circle around (-radius, 0): (x + r)^2 + y^2 - r^2, without its large terms."""
        across, along = place.T
        return -(across * (across + 2 * radius) + along**2) / (2 * radius)

    assert abs(depth(xy)).max() <= 1e-3 * tolerance
    chords = depth((xy[1:] + xy[:-1]) / 2)
    # As far as it may be, and so with no more vertices than are needed.
    assert 0.8 * tolerance <= chords.max() <= 1.001 * tolerance


def test_an_arc_of_too_many_vertices_is_refused(runtime, tmp_path):
    path = tmp_path / "a.gpkg"
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = data.CreateLayer("a", features.reference(3857), ogr.wkbCircularString)
    feature = ogr.Feature(layer.GetLayerDefn())
    feature.SetGeometry(ogr.CreateGeometryFromWkt("CIRCULARSTRING (0 0, 1e7 1e7, 2e7 0)"))
    layer.CreateFeature(feature)
    data = layer = None
    for tolerance in (1e-10, 1e-30, 5e-324):
        with pytest.raises(alidade.errors.LimitExceededError):
            alidade.FeatureSource(runtime, path, curve_tolerance=tolerance).query()


def test_z_and_m_of_curves(runtime, tmp_path):
    path = tmp_path / "a.gpkg"
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = data.CreateLayer("a", features.reference(3857), ogr.wkbUnknown)
    for wkt in ("CIRCULARSTRING ZM (0 0 0 10, 1 1 5 20, 2 0 10 30)", "POINT ZM (1 2 3 4)", "LINESTRING M (0 0 1, 1 1 2)"):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromWkt(wkt))
        layer.CreateFeature(feature)
    data = layer = None
    curve, point, line = (ogr.CreateGeometryFromWkb(one.geometry.to_wkb()) for one in alidade.FeatureSource(runtime, path))
    vertices = [curve.GetPointZM(index) for index in range(curve.GetPointCount())]
    assert vertices[0] == (0, 0, 0, 10) and vertices[-1] == (2, 0, 10, 30) and (1, 1, 5, 20) in vertices
    for x, y, z, m in vertices:
        angle = math.pi - math.atan2(y, x - 1)
        numpy.testing.assert_allclose((z, m), (10 * angle / math.pi, 10 + 20 * angle / math.pi), atol=1e-9)
    assert point.ExportToIsoWkt() == "POINT ZM (1 2 3 4)" and line.ExportToIsoWkt() == "LINESTRING M (0 0 1,1 1 2)"


def test_requests(runtime, gpkg, tmp_path):
    request = alidade.FeatureSource.open_async(runtime, gpkg)
    source = request.result(10)
    assert source.query_async(where="small > 0").result(10).ids.tolist() == source.query(where="small > 0").ids.tolist()
    with pytest.raises(alidade.errors.FeatureSourceNotFoundError):
        alidade.FeatureSource.open_async(runtime, tmp_path / "none.gpkg").result(10)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        source.query_async(where="nothing = 1").result(10)


def test_geo_interface(runtime, gpkg):
    source = alidade.FeatureSource(runtime, gpkg)
    collection = source.__geo_interface__
    assert collection["type"] == "FeatureCollection" and len(collection["features"]) == len(features.PLACES)
    first = collection["features"][0]
    assert first["geometry"]["coordinates"] == features.PLACES[0] and first["properties"]["name"] == "Berlin"
    array = alidade.GeometryArray.from_geo_interface(runtime, source)
    assert array.to_wkb() == source.query().geometries.to_wkb()


def test_columns_of_csv_files(runtime, tmp_path):
    for x, y in (("lon", "lat"), ("Longitude", "LATITUDE"), ("X", "Y"), ("easting", "northing")):
        path = tmp_path / f"{x}.csv"
        path.write_text(f"name,{x},{y},height\na,1.5,2.5,7\nb,-3,4,8.5\n")
        source = alidade.FeatureSource(runtime, path)
        assert source.info.geometry_kind is alidade.geometry.GeometryKind.POINT and source.spatial_reference is None
        assert "no spatial reference" in source.warning
        assert [feature.geometry.__geo_interface__["coordinates"][:2] for feature in source] == [(1.5, 2.5), (-3, 4)]
        assert source.query().values("height") == [7.0, 8.5]
        given = alidade.FeatureSource(runtime, path, spatial_reference=alidade.SpatialReference(runtime, "EPSG:4326"))
        assert given.warning == "" and given.spatial_reference.info.code == "4326"
    path = tmp_path / "wkt.csv"
    path.write_text('id,WKT\n1,"POINT (1 2)"\n2,\n')
    assert [feature.geometry is None for feature in alidade.FeatureSource(runtime, path)] == [False, True]


@pytest.mark.parametrize("name, text", [
    ("large.csv", "n,x,y\n1,0,0\n12345678901234567890,0,0\n"),
    ("late.csv", "n,x,y\n" + "1,0,0\n" * 200_000 + "1.9,0,0\n"),
    ("large.geojson", '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":12345678901234567890},'
                      '"geometry":{"type":"Point","coordinates":[0,0]}}]}'),
])
def test_values_that_gdal_changes_are_reported(runtime, tmp_path, name, text):
    """A field has one type for all features; what does not fit is changed by GDAL, which the source says."""
    (tmp_path / name).write_text(text)
    source = alidade.FeatureSource(runtime, tmp_path / name)
    source.query()
    assert "do not fit the type of their field" in source.warning
    (tmp_path / f"small{name}").write_text(text.replace("1.9", "19").replace("12345678901234567890", "1234567890123456789"))
    source = alidade.FeatureSource(runtime, tmp_path / f"small{name}")
    source.query()
    assert "do not fit" not in source.warning


def test_the_extent_of_kml_has_all_that_is_drawn(tmp_path):
    """LIBKML's own leaves out tracks and overlays, and counts what lies in folders below."""
    track = ('<Placemark><gx:Track><when>2020</when><when>2021</when><gx:coord>{} 50 0</gx:coord>'
             '<gx:coord>{} 51 0</gx:coord></gx:Track></Placemark>')
    inner = "<Folder><name>inner</name><Placemark><Point><coordinates>9,8</coordinates></Point></Placemark></Folder>"
    path = tmp_path / "a.kml"
    path.write_text(
        '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><name>d</name>'
        "<Folder><name>tracks</name><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>"
        f"{track.format(100, 101)}{track.format(-100, -101)}</Folder>"
        f"<Folder><name>outer</name><Placemark><name>nowhere</name></Placemark>{inner}</Folder></Document></kml>")
    with alidade.Runtime() as runtime:
        tracks = alidade.FeatureSource(runtime, path, layer="tracks")
        layer = alidade.FeatureLayer(tracks)
        box = layer.full_extent(alidade.SpatialReference(runtime, "EPSG:4326"))
        assert (box.x_min, box.y_min, box.x_max, box.y_max) == pytest.approx((-101, 2, 101, 51))
        outer = alidade.FeatureLayer(alidade.FeatureSource(runtime, path, layer="outer"))
        assert not outer.full_extent(alidade.SpatialReference(runtime, "EPSG:4326"))


def test_seconds_stay_below_60(tmp_path):
    """GDAL holds seconds as floats; what is rounded to thousandths must not become another minute."""
    path = tmp_path / "a.geojson"
    feature = '{{"type": "Feature", "geometry": null, "properties": {{"t": "{}", "d": "{}"}}}}'
    path.write_text('{"type": "FeatureCollection", "features": [' + ", ".join([
        feature.format("23:59:59.9999", "2020-01-01T12:00:59.9997Z"), feature.format("23:59:59.25", "2020-01-01T12:00:59.001Z"),
    ]) + "]}")
    utc = datetime.timezone.utc
    with alidade.Runtime() as runtime:
        source = alidade.FeatureSource(runtime, path)
        assert source.query().values("t") == [datetime.time(23, 59, 59, 999000), datetime.time(23, 59, 59, 250000)]
        assert source.query().values("d") == [
            datetime.datetime(2020, 1, 1, 12, 0, 59, 999000, utc), datetime.datetime(2020, 1, 1, 12, 0, 59, 1000, utc)]
        assert list(source.query(where="d < '2020-01-01T12:01:00Z'").ids) == [0, 1]
        assert list(source.query(where="t <= '23:59:59.9995'").ids) == [0, 1]

"""Arrow arrays of geometries, features and identify results, read by PyArrow, GeoPandas, polars and DuckDB, and theirs read by us."""
import datetime
import gc
import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import alidade
import duckdb
import geopandas
import numpy
import pandas
import polars
import pyarrow
import pyproj
import pytest
import shapely
from alidade.arrow import ArrowEncoding
from shapely.geometry import LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon, box

ROOT = Path(__file__).resolve().parents[2]
SHASTA = ROOT / "examples" / "quickstart" / "data" / "Shasta_Elevation.tif"
WORLD = ROOT / "examples" / "world_identify" / "data" / "countries.fgb"
COUNTRIES = ROOT / "examples" / "navigation" / "data" / "countries_110m.geojson"
HOLE = Polygon([(0, 0), (9, 0), (9, 9), (0, 9)], [[(1, 1), (1, 2), (2, 2), (2, 1)]])
KINDS = {
    "point": [Point(1, 2), Point(-3.5, 4e7), Point()],
    "multipoint": [MultiPoint([(0, 0), (1, 1)]), MultiPoint([(5, 6)])],
    "linestring": [LineString([(0, 0), (1, 2), (3, 4)]), LineString([(7, 7), (8, 8)])],
    "multilinestring": [MultiLineString([[(0, 0), (1, 1)], [(2, 2), (3, 3), (4, 5)]]), MultiLineString([[(1, 0), (1, 1)]])],
    "polygon": [HOLE, box(3, 3, 4, 4)],
    "multipolygon": [MultiPolygon([HOLE, box(20, 20, 21, 22)]), MultiPolygon([box(0, 0, 1, 1)])],
}


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as made:
        yield made


def reference(runtime, code=3035):
    return alidade.SpatialReference.from_code(runtime, code)


def array_of(runtime, geometries, code=3035):
    wkb = [shapely.to_wkb(geometry, include_srid=False) for geometry in geometries]
    return alidade.GeometryArray.from_wkb(runtime, wkb, reference(runtime, code) if code else None)


def same(a, b):
    """As WKB, because Shapely takes NaN for unequal to NaN."""
    return [shapely.to_wkb(one) for one in a] == [shapely.to_wkb(one) for one in b]


@pytest.mark.parametrize("has_z", [False, True])
@pytest.mark.parametrize("encoding", list(ArrowEncoding))
@pytest.mark.parametrize("kind", KINDS)
def test_geometries_out_and_in(runtime, kind, encoding, has_z):
    # GeoPandas reads an empty point without its z.
    given = [shapely.force_3d(one, 5.5) for one in KINDS[kind] if not one.is_empty] if has_z else KINDS[kind]
    array = array_of(runtime, given)
    series = geopandas.GeoSeries.from_arrow(array.to_arrow(encoding))
    assert series.crs.to_epsg() == 3035
    assert same(series, given)
    field = pyarrow.field(array.to_arrow(encoding))
    assert field.metadata[b"ARROW:extension:name"].decode() == \
        ("geoarrow.wkb" if encoding is ArrowEncoding.WKB else f"geoarrow.{kind}")
    again = alidade.GeometryArray.from_arrow(runtime, array.to_arrow(encoding))
    assert again.spatial_reference.is_equivalent(array.spatial_reference)
    assert same([shapely.from_wkb(bytes(one.to_wkb())) for one in again], given)


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("encoding", ["WKB", "geoarrow"])
@pytest.mark.parametrize("kind", KINDS)
def test_geometries_of_geopandas(runtime, kind, encoding, interleaved):
    given = [one for one in KINDS[kind] if not one.is_empty] * 3
    series = geopandas.GeoSeries(given, crs=3035)
    read = alidade.GeometryArray.from_arrow(runtime, series.to_arrow(geometry_encoding=encoding, interleaved=interleaved))
    assert same([shapely.from_wkb(bytes(one.to_wkb())) for one in read], given)
    assert read.spatial_reference.is_equivalent(reference(runtime))
    # A table, and a part of a table that begins within its buffers.
    table = pyarrow.table(geopandas.GeoDataFrame({"n": range(len(given))}, geometry=series).to_arrow(
        geometry_encoding=encoding, interleaved=interleaved))
    part = alidade.GeometryArray.from_arrow(runtime, table.slice(1, 3))
    assert same([shapely.from_wkb(bytes(one.to_wkb())) for one in part], given[1:4])


def test_nulls_chunks_and_views(runtime):
    given = [HOLE, None, Point(1, 2), None]
    wkb = [None if one is None else shapely.to_wkb(one) for one in given]
    for type in (pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view()):
        read = alidade.GeometryArray.from_arrow(runtime, pyarrow.array(wkb, type))
        assert [bool(one.is_empty) for one in read] == [False, True, False, True]
    chunks = pyarrow.chunked_array([pyarrow.array(wkb[:1]), pyarrow.array(wkb[2:3] * 5)])
    assert len(alidade.GeometryArray.from_arrow(runtime, chunks)) == 6
    # polars has views of its own.
    assert len(alidade.GeometryArray.from_arrow(runtime, polars.Series("g", [wkb[0], wkb[2]]))) == 2
    null_points = geopandas.GeoSeries([Point(1, 2), None, Point(3, 4)]).to_arrow(geometry_encoding="geoarrow")
    assert [bool(one.is_empty) for one in alidade.GeometryArray.from_arrow(runtime, null_points)] == [False, True, False]


@pytest.mark.parametrize("crs", ["EPSG:3035", "ESRI:54030", "+proj=laea +lat_0=10 +lon_0=20"])
def test_spatial_references_in(runtime, crs):
    series = geopandas.GeoSeries([Point(1, 2)], crs=crs)
    read = alidade.GeometryArray.from_arrow(runtime, series.to_arrow())
    assert series.crs == read.spatial_reference.to_wkt()
    chosen = alidade.GeometryArray.from_arrow(runtime, series.to_arrow(), reference(runtime, 4326))
    assert chosen.spatial_reference.info.code == "4326"
    assert alidade.GeometryArray.from_arrow(runtime, geopandas.GeoSeries([Point(1, 2)]).to_arrow()).spatial_reference is None
    assert geopandas.GeoSeries.from_arrow(array_of(runtime, [Point(1, 2)], code=0)).crs is None


def test_countries(runtime):
    features = alidade.FeatureSource(runtime, COUNTRIES).query()
    expected = geopandas.read_file(COUNTRIES)
    found = geopandas.GeoDataFrame.from_arrow(features)
    assert found.crs == expected.crs
    assert same(found.geometry, expected.geometry)
    table = pyarrow.table(features)
    frame = polars.from_arrow(table)
    assert table.num_rows == frame.height == len(expected)
    assert frame.columns == table.column_names
    assert frame["fid"].to_list() == features.ids.tolist()
    assert duckdb.sql("select count(*), sum(fid) from features").fetchall() == [(len(expected), int(features.ids.sum()))]


def test_attributes(runtime, tmp_path):
    moments = pandas.to_datetime(["2024-02-29T12:30:15.125+02:00", None, "1969-12-31T23:59:59.999-05:30"], utc=True)
    table = geopandas.GeoDataFrame(
        {
            "fid": [7, 8, 9],
            "whole": pandas.array([1, None, -(2**53) - 1], "Int64"),
            "real": [0.1, numpy.nan, -1e300],
            "flag": pandas.array([True, None, False], "boolean"),
            "text": ["grün", None, ""],
            "moment": moments,
            "naive": pandas.to_datetime(["2001-01-01T00:00:00.5", None, "1900-03-01T00:00:00.0"]),
        },
        geometry=[Point(1, 2), None, Point(3, 4)], crs=3035)
    path = tmp_path / "a.gpkg"
    table.to_file(path, driver="GPKG")
    features = alidade.FeatureSource(runtime, path).query()
    found = pyarrow.table(features)
    columns = {name: found.column(name).to_pylist() for name in found.column_names}
    # The field fid is the file's own column of ids, or has a name of its own.
    assert list(features.ids) in columns.values()
    assert columns["whole"] == [1, None, -(2**53) - 1] and found.schema.field("whole").type == pyarrow.int64()
    assert columns["flag"] == [True, None, False] and found.schema.field("flag").type == pyarrow.bool_()
    assert columns["real"][::2] == [0.1, -1e300] and columns["real"][1] is None
    assert columns["text"] == ["grün", None, ""]
    assert [one and pandas.Timestamp(one) for one in columns["moment"]] == [moments[0], None, moments[2]]
    assert columns["naive"] == [datetime.datetime(2001, 1, 1, 0, 0, 0, 500_000), None, datetime.datetime(1900, 3, 1)]
    assert columns["geometry"][1] is None and same(shapely.from_wkb(columns["geometry"][::2]), [Point(1, 2), Point(3, 4)])


def test_lists_dates_and_mixed_time_zones(runtime, tmp_path):
    rows = [{"i": [1, 2], "r": [0.5], "t": ["a", ""], "when": "2024-01-01T10:00:00Z",
             "day": "1600-02-29", "time": "23:59:59.125"},
            {"i": [], "r": [], "t": [], "when": "2024-01-01T10:00:00", "day": "0001-01-01", "time": "00:00:00"},
            {"i": [3], "r": [1.5, 2], "t": ["grün"], "day": "9999-12-31"}]
    path = tmp_path / "a.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": row, "geometry": None} for row in rows]}))
    found = pyarrow.table(alidade.FeatureSource(runtime, path).query(with_geometry=False))
    for name in "irt":
        assert found.column(name).to_pylist() == [row[name] for row in rows]
    assert found.column("when").to_pylist() == ["2024-01-01T10:00:00Z", "2024-01-01T10:00:00", None]
    assert found.column("day").to_pylist() == [datetime.date.fromisoformat(row["day"]) for row in rows]
    assert found.column("time").to_pylist() == [datetime.time(23, 59, 59, 125_000), datetime.time(0), None]
    assert "geometry" not in found.column_names


def test_no_features(runtime, tmp_path):
    path = tmp_path / "a.gpkg"
    geopandas.GeoDataFrame({"n": [1]}, geometry=[Point(1, 2)], crs=3035).to_file(path)
    features = alidade.FeatureSource(runtime, path).query(where="n > 5")
    for encoding in ArrowEncoding:
        assert pyarrow.table(features.to_arrow(encoding)).num_rows == 0
    assert polars.from_arrow(pyarrow.table(features)).height == 0


def test_identify_results(runtime):
    raster = alidade.Raster(runtime, SHASTA)
    view = alidade.View(alidade.Map(runtime, 3857), width_dip=800, height_dip=600)
    countries = alidade.FeatureLayer(
        alidade.FeatureSource(runtime, WORLD), alidade.SimpleRenderer(alidade.FillSymbol((9, 9, 9))))
    for layer in (countries, alidade.RasterLayer(raster)):
        view.map.add_layer(layer)
    countries.name = "countries"
    overlay = alidade.GraphicsOverlay(runtime)
    overlay.renderer = alidade.SimpleRenderer(alidade.MarkerSymbol((9, 9, 9), 12))
    view.add_overlay(overlay)
    overlay.add(alidade.Geometry.from_wkt(runtime, "POINT (-122.1621 40.7624)", 4326), attributes={"name": "Redding"})
    view.set_viewpoint(center=(-122.1621, 40.7624), scale=72_000, spatial_reference=4326)
    result = view.identify((400, 300), 3, alidade.identify.ALL)
    found = geopandas.GeoDataFrame.from_arrow(result)
    assert list(found.kind) == ["graphic", "raster_cell", "feature"]
    assert found.crs == pyproj.CRS(3857)
    assert list(found.layer) == ["", "", "countries"]
    expected = geopandas.read_file(WORLD)
    (there,) = numpy.flatnonzero(expected.contains(Point(-122.1621, 40.7624)))
    # Of the country: its fields, and its outline on the map, by other software.
    country = found.iloc[2]
    for name in expected.columns.drop("geometry"):
        assert country[name] == expected.iloc[there][name], name
    outline = expected.to_crs(3857).geometry.iloc[there]
    assert shapely.get_num_coordinates(outline) == shapely.get_num_coordinates(country.geometry)
    assert outline.hausdorff_distance(country.geometry) < 1e-6
    # Of the cell: where GDAL finds it, what it reads there, and its corners.
    report = subprocess.run(
        ["gdallocationinfo", "-xml", "-wgs84", SHASTA, "-122.1621", "40.7624"], check=True, capture_output=True)
    place = ElementTree.fromstring(report.stdout)
    column, row = int(place.get("pixel")), int(place.get("line"))
    info = json.loads(subprocess.run(["gdalinfo", "-json", SHASTA], check=True, capture_output=True).stdout)
    x, width, _, y, _, height = info["geoTransform"]
    back = pyproj.Transformer.from_crs(pyproj.CRS(info["coordinateSystem"]["wkt"]), 3857, always_xy=True)
    corners = [back.transform(x + width * (column + dx), y + height * (row + dy)) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))]
    cell = found.iloc[1]
    assert (cell.column, cell.row) == (column, row)
    assert cell["Band 1"] == pytest.approx(float(place.findtext("BandReport/Value")), abs=1e-9)
    assert cell.geometry.hausdorff_distance(Polygon(corners)) < 1e-3
    # Of the graphic; and what others have is null.
    assert found["name"].tolist()[0] == "Redding" and found["name"].isna().tolist() == [False, True, False]
    assert found["Band 1"].isna().tolist() == [True, False, True] and found.column.isna().tolist() == [True, False, True]
    assert found.zone.isna().tolist() == [False, True, False] and found.zone.iloc[2] == "inside"
    assert pyarrow.table(result).schema.field("id").type == pyarrow.int64()
    assert duckdb.sql("select count(*) from result").fetchall() == [(3,)]
    nothing = view.identify_overlay(overlay, (1, 1))
    assert len(pyarrow.table(nothing)) == 0 and "geometry" in pyarrow.table(nothing).column_names


def test_types_of_identified_attributes(runtime):
    """One name in several layers: whole numbers, numbers, texts."""
    view = alidade.View(alidade.Map(runtime, 4326), width_dip=100, height_dip=100)
    view.set_viewpoint(center=(0, 0), scale=1e8, spatial_reference=4326)
    rows = [{"a": 1, "b": 1, "c": 1, "kind": "x"}, {"a": 2**53 + 1, "b": 0.5, "c": "ü", "kind": None}, {"b": None}]
    for row in rows:
        overlay = alidade.GraphicsOverlay(runtime)
        overlay.renderer = alidade.SimpleRenderer(alidade.MarkerSymbol((9, 9, 9), 12))
        view.add_overlay(overlay)
        overlay.add(alidade.Geometry.from_wkt(runtime, "POINT (0 0)", 4326), attributes=row)
    table = pyarrow.table(view.identify((50, 50)))
    columns = {name: table.column(name).to_pylist() for name in table.column_names}
    assert columns["a"] == [None, 2**53 + 1, 1] and table.schema.field("a").type == pyarrow.int64()
    assert columns["b"] == [None, 0.5, 1.0]
    assert columns["c"] == [None, "ü", "1"]
    assert columns["kind_2"] == [None, None, "x"] and columns["kind"] == ["graphic"] * 3


def test_what_is_handed_out_outlives_its_object():
    with alidade.Runtime() as runtime:
        array = array_of(runtime, KINDS["polygon"])
        features = alidade.FeatureSource(runtime, COUNTRIES).query()
        handed = [pyarrow.array(array.to_arrow(encoding)) for encoding in ArrowEncoding]
        table, stream = pyarrow.table(features), features.__arrow_c_stream__()
        del array, features
    gc.collect()
    assert len(handed[0]) == len(handed[1]) == 2 and handed[1].to_pylist()[1][0][0] == [4.0, 3.0] or handed[1].to_pylist()
    assert table.num_rows > 150 and len(table.column("geometry")[3].as_py()) > 100
    # A capsule that nobody takes is released with it.
    del stream, table, handed
    gc.collect()


def test_what_is_refused(runtime):
    mixed = array_of(runtime, [Point(1, 2), HOLE])
    with pytest.raises(alidade.errors.UnsupportedError, match="several types"):
        mixed.to_arrow(ArrowEncoding.GEOARROW)
    for wrong, error in ((pyarrow.array([1, 2]), alidade.errors.UnsupportedError), (pyarrow.array(["POINT (1 2)"]), alidade.errors.UnsupportedError),
                         (pyarrow.table({"a": [1]}), alidade.errors.InvalidArgumentError),
                         (pyarrow.array([b"no WKB"]), alidade.errors.InvalidArgumentError), ([1, 2], TypeError), (None, TypeError)):
        with pytest.raises(error):
            alidade.GeometryArray.from_arrow(runtime, wrong)

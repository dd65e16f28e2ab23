"""Features of files that are broken, hostile, or change: a clear error each, the rest works, and nothing is written."""
import gc
import os
import shutil
import sqlite3
import struct
import subprocess
import zipfile

import alidade
import pytest
from osgeo import gdal, ogr, osr

from test_nothing_written import listing

gdal.UseExceptions()

POINTS = ('{"type":"FeatureCollection","features":['
          + ",".join('{"type":"Feature","properties":{"n":%d},"geometry":{"type":"Point","coordinates":[%d,%d]}}'
                     % (n, n % 100, n // 100) for n in range(500)) + "]}")
KML = '<kml xmlns="http://www.opengis.net/kml/2.2"><Document>{}</Document></kml>'
TRACK = ('<Placemark><gx:Track xmlns:gx="http://www.google.com/kml/ext/2.2">{}<gx:coord>1 50 0</gx:coord>'
         "<gx:coord>1 51 0</gx:coord></gx:Track></Placemark>")
PLACEMARK = "<Placemark><Point><coordinates>1,2</coordinates></Point></Placemark>"


@pytest.fixture
def points(tmp_path):
    path = tmp_path / "points.geojson"
    path.write_text(POINTS)
    return path


@pytest.fixture
def made(points, tmp_path):
    """A function from a driver and a file name to the points in that format."""

    def make(driver, name, **options):
        gdal.VectorTranslate(str(tmp_path / name), str(points), format=driver, **options)
        return tmp_path / name

    return make


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def truncated(path, part=0.5):
    """The same file, cut."""
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * part)])
    return path


def virtual_table(path, statement):
    """A GeoPackage with another table in its schema, however SQLite itself may be built."""
    base = sqlite3.connect(path)
    base.execute("PRAGMA writable_schema = ON")
    base.execute("INSERT INTO sqlite_master VALUES ('table', 'evil', 'evil', 0, ?)", [statement])
    base.commit()
    base.close()
    return path


def union(name, relative=1, more=""):
    return (f'<OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource relativeToVRT="{relative}"{more}>{name}'
            "</SrcDataSource><SrcLayer>points</SrcLayer></OGRVRTLayer></OGRVRTDataSource>")


def ring(path):
    os.mkfifo(path)
    return path


def encrypted_zip(path, inner):
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(inner, inner.name)
    data = bytearray(path.read_bytes())
    data[6] |= 1
    path.write_bytes(bytes(data))
    return path


EVIL = "CREATE VIRTUAL TABLE evil USING VirtualText('/etc/passwd', 'UTF-8', 0, POINT, NONE, ':')"
FILLER = "CREATE /* " + "x" * 9000 + " */ VIRTUAL -- \n TABLE evil USING \"VirtualOGR\"('/etc/passwd')"
# By name: how the file is made, what the answer is, and what it says.
BAD = {
    "missing file": (lambda f, m: f / "none.gpkg", alidade.errors.FeatureSourceNotFoundError, "cannot be opened"),
    "directory": (lambda f, m: (f / "empty").mkdir() or f / "empty", alidade.errors.ReadFailedError, "source of features"),
    "empty file": (lambda f, m: write(f / "a.gpkg", b""), alidade.errors.ReadFailedError, "cannot be opened"),
    "empty GeoJSON": (lambda f, m: write(f / "a.geojson", b""), alidade.errors.ReadFailedError, "cannot be opened"),
    "truncated GeoPackage": (lambda f, m: truncated(m("GPKG", "a.gpkg"), 0.1), alidade.errors.ReadFailedError, "damaged|cannot"),
    "truncated GeoJSON": (lambda f, m: truncated(m("GeoJSON", "a.geojson")), alidade.errors.ReadFailedError, "cannot be opened"),
    "wrong type: a text": (lambda f, m: write(f / "a.shp", b"hello"), alidade.errors.ReadFailedError, "cannot be opened"),
    "a raster": (lambda f, m: raster(f / "a.tif"), alidade.errors.ReadFailedError, "source of features"),
    "encrypted database": (lambda f, m: write(f / "a.gpkg", os.urandom(4096)), alidade.errors.ReadFailedError, "encrypted"),
    "password needed": (lambda f, m: encrypted_zip(f / "a.zip", m("GeoJSON", "b.geojson")), None, "encrypted|vsizip"),
    "write-ahead log": (lambda f, m: logged(m("GPKG", "a.gpkg")), alidade.errors.UnsupportedError, "write-ahead log"),
    "a pipe": (lambda f, m: ring(f / "a.geojson"), alidade.errors.UnsupportedError, "pipe"),
    "zip": (lambda f, m: zipped(f / "a.kmz", m("LIBKML", "doc.kml")), alidade.errors.PolicyRefusedError, "virtual-file-systems"),
    "unsupported driver": (lambda f, m: write(f / "a.osm", "<osm version='0.6'></osm>"), alidade.errors.PolicyRefusedError, "OSM"),
    "service": (lambda f, m: write(f / "a.xml", "<OGRWFSDataSource><URL>http://127.0.0.1:9</URL></OGRWFSDataSource>"),
                alidade.errors.PolicyRefusedError, "WFS|network"),
    "address": (lambda f, m: "http://127.0.0.1:9/a.geojson", alidade.errors.PolicyRefusedError, "network"),
    "database server": (lambda f, m: "PG:host=127.0.0.1 port=9", alidade.errors.PolicyRefusedError, "PostgreSQL"),
    "virtual table": (lambda f, m: virtual_table(m("GPKG", "a.gpkg"), EVIL), alidade.errors.PolicyRefusedError, "virtual-tables"),
    "virtual table on overflow pages": (
        lambda f, m: virtual_table(m("SQLite", "a.sqlite"), FILLER), alidade.errors.PolicyRefusedError, "virtual-tables"),
    "VRT that names what is elsewhere": (
        lambda f, m: write(f / "a.vrt", union("/etc/hosts", 0)), alidade.errors.PolicyRefusedError, "folders"),
    "VRT with a server": (
        lambda f, m: write(f / "a.vrt", union("PG:dbname=x", 0)), alidade.errors.PolicyRefusedError, "drivers"),
    "VRT with SQL": (
        lambda f, m: write(f / "a.vrt", union("points.geojson").replace("<SrcLayer>points</SrcLayer>",
                                                                         "<SrcSQL>SELECT 1</SrcSQL>")),
        alidade.errors.PolicyRefusedError, "open-options"),
    "VRT with options": (
        lambda f, m: write(f / "a.vrt", union("points.geojson").replace(
            "<SrcLayer>", '<OpenOptions><OOI key="PRELUDE_STATEMENTS">x</OOI></OpenOptions><SrcLayer>')),
        alidade.errors.PolicyRefusedError, "open-options"),
    "VRT with a shared source": (
        lambda f, m: write(f / "a.vrt", union("points.geojson", 1, ' shared="1"')), alidade.errors.PolicyRefusedError, "threads"),
    "VRT that leads to itself": (lambda f, m: write(f / "a.vrt", union("a.vrt")), alidade.errors.PolicyRefusedError, "cycle"),
    "KML with a network link": (
        lambda f, m: write(f / "a.kml", KML.format(
            "<NetworkLink><Link><href>http://127.0.0.1:9/b.kml</href></Link></NetworkLink>" + PLACEMARK)),
        alidade.errors.PolicyRefusedError, "network"),
    "KML track with a point more than times": (
        lambda f, m: write(f / "a.kml", KML.format(TRACK.format("<when>2020</when>"))), alidade.errors.PolicyRefusedError, "tracks"),
    "KML track with times of another name": (
        lambda f, m: write(f / "a.kml", KML.format(TRACK.format("<When>2020</When><gx:when>2021</gx:when>"))),
        alidade.errors.PolicyRefusedError, "tracks"),
    "KML track without times": (
        lambda f, m: write(f / "a.kml", KML.format("<Folder>" + TRACK.format("") + "</Folder>")),
        alidade.errors.PolicyRefusedError, "tracks"),
    "entities": (
        lambda f, m: write(f / "a.gpx", '<!DOCTYPE gpx [<!ENTITY a "b">]><gpx version="1.1"><wpt lat="1" lon="2"/></gpx>'),
        alidade.errors.PolicyRefusedError, "entities"),
    "GML that names what is elsewhere": (
        lambda f, m: write(f / "a.gml", '<a xmlns:gml="http://www.opengis.net/gml" '
                           'xmlns:xlink="http://www.w3.org/1999/xlink"><gml:featureMember xlink:href="/etc/passwd"/></a>'),
        alidade.errors.PolicyRefusedError, "folders"),
    "linked tables": (
        lambda f, m: write(f / "a.tab", '!table\n!version 100\nOpen Table "../b" Hide\nCreate View a As Select * From b\n'),
        alidade.errors.PolicyRefusedError, "linked-tables"),
}


def raster(path):
    gdal.GetDriverByName("GTiff").Create(str(path), 2, 2)
    return path


def logged(path):
    base = sqlite3.connect(path)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("CREATE TABLE later (x)")
    base.commit()
    log = path.parent / (path.name + "-wal")
    kept = log.read_bytes()
    base.close()
    return write(log, kept).parent / path.name


def zipped(path, inner):
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(inner, "doc.kml")
    return path


@pytest.mark.parametrize("name", BAD)
def test_bad_input(runtime, tmp_path, made, points, name):
    make, expected, words = BAD[name]
    path = make(tmp_path, made)
    other = alidade.FeatureSource(runtime, points)
    gc.collect()  # The runtime is the session's: what earlier tests left in cycles must not go while this one counts.
    before, handles = listing(tmp_path), runtime.handle_count
    with pytest.raises(expected or alidade.AlidadeError, match=words):
        alidade.FeatureSource(runtime, path)
    request = alidade.FeatureSource.open_async(runtime, path)
    with pytest.raises(expected or alidade.AlidadeError, match=words):
        request.result(20)
    request.release()
    gc.collect()
    assert runtime.handle_count == handles
    assert listing(tmp_path) == before
    assert other.count() == 500
    other.release()


def test_tracks_in_archives(tmp_path):
    """LIBKML would end the process."""
    with alidade.Runtime(policy=alidade.Policy(vsi_prefixes=["/vsizip/"])) as runtime:
        for times, count in (("<when>2020</when><when>2021</when>", 1), ("<when>2020</when>", None), ("", None)):
            path = zipped(tmp_path / "a.kmz", write(tmp_path / "a.kml", KML.format(TRACK.format(times))))
            if count:
                assert len(alidade.FeatureSource(runtime, path).query()) == count
                continue
            with pytest.raises(alidade.errors.PolicyRefusedError, match="tracks"):
                alidade.FeatureSource(runtime, path)
        # A link leads to any file in the archive.
        link = write(tmp_path / "b.kml", KML.format("<NetworkLink><Link><href>layer.dat</href></Link></NetworkLink>"))
        with zipfile.ZipFile(zipped(tmp_path / "b.kmz", link), "a") as archive:
            archive.writestr("layer.dat", KML.format(TRACK.format("<when>2020</when>")))
            archive.writestr("picture.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF" + bytes(1000))
        with pytest.raises(alidade.errors.PolicyRefusedError, match="tracks"):
            alidade.FeatureSource(runtime, tmp_path / "b.kmz")


def test_what_the_policy_allows_can_be_read(tmp_path, made):
    with alidade.Runtime(policy=alidade.Policy(vsi_prefixes=["/vsizip/"])) as runtime:
        assert len(alidade.FeatureSource(runtime, zipped(tmp_path / "a.kmz", made("LIBKML", "doc.kml"))).query()) == 500
        with pytest.raises(alidade.errors.UnsupportedError, match="encrypted"):
            alidade.FeatureSource(runtime, encrypted_zip(tmp_path / "a.zip", made("GeoJSON", "b.geojson")))


def test_a_vrt_beside_its_source(runtime, points, tmp_path):
    write(tmp_path / "a.vrt", union("points.geojson"))
    assert alidade.FeatureSource(runtime, tmp_path / "a.vrt").count() == 500


def test_no_geometry_column_and_no_spatial_reference(runtime, tmp_path):
    table = alidade.FeatureSource(runtime, write(tmp_path / "table.csv", "a,b\n1,2\n"))
    assert not table.info.has_geometry and table.warning == "" and table.query().values("b") == [2]
    assert table.query(envelope=(0, 0, 1, 1)).ids.tolist() == []
    loose = alidade.FeatureSource(runtime, write(tmp_path / "loose.csv", "x,y\n1,2\n"))
    assert "no spatial reference" in loose.warning and len(loose.query()) == 1
    with pytest.raises(alidade.errors.NotReadyError):
        loose.query(spatial_reference=alidade.SpatialReference(runtime, "EPSG:3857"))


def wkb_line(*points):
    return struct.pack("<BII", 1, 2, len(points)) + b"".join(struct.pack("<dd", *point) for point in points)


def test_broken_geometries_are_counted(runtime, tmp_path):
    path = tmp_path / "a.gpkg"
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = data.CreateLayer("a", None, ogr.wkbLineString, options=["SPATIAL_INDEX=NO"])
    for x in range(4):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromWkt(f"LINESTRING ({x} 0, {x} 1)"))
        layer.CreateFeature(feature)
    data = layer = None
    base = sqlite3.connect(path)
    nan, infinity = float("nan"), float("inf")
    head = b"GP\0\1" + struct.pack("<i", 0)
    for fid, wkb in ((2, wkb_line((1, 1))), (3, wkb_line((0, 0), (infinity, 1)))):
        base.execute("UPDATE a SET geom = ? WHERE fid = ?", [head + wkb, fid])
    base.commit()
    base.close()
    source = alidade.FeatureSource(runtime, path)
    set = source.query()
    unreadable = alidade.features.FeatureFlags.UNREADABLE
    assert set.ids.tolist() == [1, 2, 3, 4] and set.unreadable_count == 2 and not set.is_incomplete
    assert [bool(flags & unreadable) for flags in set.flags] == [False, True, True, False]
    assert "feature 2" in set.first_reason and "one vertex" in set.first_reason
    assert "2 features" in source.warning and "feature 2" in source.warning
    assert [feature.geometry.is_empty for feature in set] == [False, True, True, False]
    source.build_index()
    assert source.ids_in_envelope((-1, -1, 0.5, 9)).tolist() == [1]


@pytest.mark.parametrize("driver, name", [("ESRI Shapefile", "a.shp"), ("FlatGeobuf", "a.fgb"), ("CSV", "a.csv")])
def test_a_cut_file_gives_what_it_has(runtime, made, driver, name):
    path = made(driver, name)
    truncated(path)
    try:
        source = alidade.FeatureSource(runtime, path)
    except alidade.AlidadeError as error:
        assert "cannot be opened" in str(error) or "damaged" in str(error)
        return
    set = source.query()
    if driver != "CSV":  # of which a part is a whole
        assert set.is_incomplete or set.unreadable_count or len(set) < 500
        if set.is_incomplete:
            assert set.first_reason and "read to its end" in source.warning


@pytest.mark.parametrize("how", ["replaced", "deleted", "written to", "companion"])
def test_a_file_that_changes_while_open(runtime, points, made, tmp_path, how):
    path = made("ESRI Shapefile", "a.shp")
    source, other = alidade.FeatureSource(runtime, path), alidade.FeatureSource(runtime, points)
    source.build_index()
    assert source.count() == 500
    if how == "replaced":
        shutil.copy(path, tmp_path / "b")
        os.replace(tmp_path / "b", path)
    elif how == "deleted":
        path.unlink()
    elif how == "written to":
        with open(path, "ab") as file:
            file.write(b"\0")
    else:
        (tmp_path / "a.dbf").unlink()
    for ask in (source.query, source.count, lambda: source.ids_in_envelope((0, 0, 1, 1)), lambda: source.nearest((0, 0))):
        with pytest.raises(alidade.errors.ReadFailedError, match="changed"):
            ask()
    assert other.count() == 500


def test_the_memory_limit_of_an_index(points):
    with alidade.Runtime(policy=alidade.Policy(max_request_bytes=20_000)) as runtime:
        source = alidade.FeatureSource(runtime, points)
        with pytest.raises(alidade.errors.LimitExceededError):
            source.build_index()
        assert source.index_info.status is alidade.features.IndexStatus.FAILED
        assert source.query(envelope=(0, 0, 2, 0), fields=[]).ids.tolist() == [0, 1, 2]


FORMATS = [("GPKG", "b.gpkg"), ("FlatGeobuf", "b.fgb"), ("ESRI Shapefile", "b.shp"), ("GML", "b.gml"), ("CSV", "b.csv"),
           ("LIBKML", "b.kml"), ("OpenFileGDB", "b.gdb"), ("SQLite", "b.sqlite"), ("MapInfo File", "b.tab"),
           ("GPX", "b.gpx"), ("DXF", "b.dxf"), ("GeoJSONSeq", "b.geojsonl"), ("OGR_GMT", "b.gmt"), ("JML", "b.jml")]


def test_nothing_is_written(tmp_path, made, points):
    for driver, name in FORMATS:
        options = {"GPX": {"datasetCreationOptions": ["GPX_USE_EXTENSIONS=YES"]},
                   "CSV": {"layerCreationOptions": ["GEOMETRY=AS_XY"]},
                   "DXF": {"SQLStatement": "SELECT geometry FROM points", "SQLDialect": "SQLITE"}}
        made(driver, name, **options.get(driver, {}))
    (tmp_path / "b.xsd").unlink()  # without it GML's driver would write what it has found out
    before = listing(tmp_path)
    with alidade.Runtime() as runtime:
        for driver, name in FORMATS:
            source = alidade.FeatureSource(runtime, tmp_path / name)
            assert source.info.driver == driver
            assert len(source.query()) == 500, name
            source.query(where="1 = 1" if driver in ("GPKG", "SQLite") else "FID > 3")
            source.build_index()
            source.nearest((3, 3), 5)
            source.release()
    assert listing(tmp_path) == before

"""SQL that databases bring along, and SQL that hosts pass on: what runs, and what does not.

Every file here is harmless, but it would leave a mark if it could: a file that it writes, a connection that it makes, a
pipe that it opens, a call that does not end. Each is opened in a process of its own, with a limit on time.
"""
import json
import socket
import sqlite3
import subprocess
import sys
import threading
import time

import alidade
import pytest
from conftest import ROOT
from osgeo import gdal, ogr
from test_feature_files import write

gdal.UseExceptions()

OPEN = """
import json, sys, time
import alidade
path, kind, options, policy = json.loads(sys.argv[1])
try:
    with alidade.Runtime(policy=alidade.Policy(**policy)) as runtime:
        if kind == "raster":
            raster = alidade.Raster(runtime, path)
            raster.read_cells([(0, 0)])
        else:
            where = options.pop("where", None)
            source = alidade.FeatureSource(runtime, path, **options)
            source.query(where=where)
            source.build_index()
    print("opened")
except alidade.AlidadeError as error:
    print(f"{type(error).__name__}: {error}")
"""


def open_apart(path, kind="features", seconds=20, policy=None, **options):
    """What becomes of opening and reading a file in a process of its own: "opened" or the error."""
    done = subprocess.run(
        [sys.executable, "-c", OPEN, json.dumps([str(path), kind, options, policy or {}])],
        env={**__import__("os").environ, "PYTHONPATH": str(ROOT / "bindings" / "python")},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    return done.stdout.strip()


def features(path, driver="GPKG", count=3, name="b"):
    data = ogr.GetDriverByName(driver).CreateDataSource(str(path))
    layer = data.CreateLayer(name, None, ogr.wkbPoint)
    layer.CreateField(ogr.FieldDefn("name"))
    layer.CreateField(ogr.FieldDefn("number", ogr.OFTInteger))
    layer.StartTransaction()
    for row in range(count):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature["name"], feature["number"] = f"n{row}", row
        feature.SetGeometry(ogr.CreateGeometryFromWkt(f"POINT ({row} {row})"))
        layer.CreateFeature(feature)
    layer.CommitTransaction()
    return path


def run(path, *statements):
    base = sqlite3.connect(path)
    for statement in statements:
        base.execute(*statement) if isinstance(statement, tuple) else base.execute(statement)
    base.commit()
    base.close()
    return path


def with_view(path, expression, driver="GPKG", select="SELECT {columns}, ({expression}) AS v FROM b"):
    """A file whose layer is a view with an expression."""
    features(path, driver)
    columns = "fid, geom, name" if driver == "GPKG" else "ogc_fid, GEOMETRY, name"
    view = "CREATE VIEW a AS " + select.format(columns=columns, expression=expression)
    if driver == "GPKG":
        return run(
            path, view,
            "INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) VALUES ('a', 'features', 'a', 0)",
            "INSERT INTO gpkg_geometry_columns VALUES ('a', 'geom', 'POINT', 0, 0, 0)")
    return run(path, view)


def tiles(path, expression):
    """An MBTiles file or a GeoPackage of one tile, whose table is a view with an expression."""
    source = gdal.GetDriverByName("MEM").Create("", 256, 256, 3)
    source.SetGeoTransform((0, 1, 0, 0, 0, -1))
    source.SetProjection("EPSG:3857")
    driver = "MBTiles" if str(path).endswith("mbtiles") else "GPKG"
    options = [] if driver == "MBTiles" else ["RASTER_TABLE=tiles"]
    gdal.GetDriverByName(driver).CreateCopy(str(path), source, options=options)
    base = sqlite3.connect(path)
    names = [row[1] for row in base.execute("PRAGMA table_info(tiles)")]
    base.execute("ALTER TABLE tiles RENAME TO inner_tiles")
    columns = ", ".join(f"(SELECT max(tile_data) FROM inner_tiles WHERE ({expression}) IS NOT 1) AS tile_data"
                        if name == "tile_data" else name for name in names)
    base.execute(f"CREATE VIEW tiles AS SELECT {columns} FROM inner_tiles")
    base.commit()
    base.close()
    return path


def sql_of(folder):
    """Expressions that a view must not have."""
    marker = folder / "marker"
    return {
        "writes a file": f"SqlProc_Execute(SqlProc_FromText('VACUUM INTO ''{marker}'''))",
        "opens another database": f"SqlProc_Execute(SqlProc_FromText('ATTACH ''{marker}'' AS x; CREATE TABLE x.y(z)'))",
        "sets an address to jump to": "length(fts3_tokenizer('simple', x'4141414141414141'))",
        "stops the host": "EnablePause() + Pause()",
        "opens a path": f"zipfile_numshp('{marker}.pipe')",
        "never ends": "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
        "loads code": f"load_extension('{marker}')",
        "writes by a function": f"BlobToFile(geom, '{marker}')",
        "asks GDAL": "ogr_geocode('Bern')",
        "reads the settings": "ogr_GetConfigOption('HOME')",
        "makes memory": "length(zeroblob(900000000))",
        "reads what is no table": "SELECT count(*) FROM pragma_database_list",
    }


@pytest.mark.parametrize("what", sql_of(ROOT))
@pytest.mark.parametrize("file", ["a.gpkg", "a.sqlite"])
def test_views_of_features(tmp_path, file, what):
    expression = sql_of(tmp_path)[what]
    if file == "a.gpkg":
        with_view(tmp_path / file, expression)
    else:
        with_view(tmp_path / file, expression.replace("geom", "GEOMETRY"), "SQLite")
    before = sorted(tmp_path.iterdir())
    words = open_apart(tmp_path / file, layer="a")
    assert words.startswith("PolicyRefusedError") and "rule: sql-in-files" in words and "view a" in words
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("what", ["writes a file", "never ends", "asks GDAL", "sets an address to jump to"])
@pytest.mark.parametrize("file", ["a.gpkg", "a.mbtiles"])
def test_views_of_tiles(tmp_path, file, what):
    tiles(tmp_path / file, sql_of(tmp_path)[what].replace("geom", "tile_data"))
    before = sorted(tmp_path.iterdir())
    words = open_apart(tmp_path / file, "raster")
    assert words.startswith("PolicyRefusedError") and "rule: sql-in-files" in words
    assert sorted(tmp_path.iterdir()) == before


def test_plain_views_are_read(tmp_path, runtime):
    """Views that pick, compute and join; MBTiles whose tiles are a view, as many programs write them."""
    path = with_view(tmp_path / "a.gpkg", "upper(name) || '-' || round(number * 1.5, 1)")
    source = alidade.FeatureSource(runtime, path, layer="a")
    assert source.query().values("v") == ["N0-0.0", "N1-1.5", "N2-3.0"]
    joined = with_view(tmp_path / "b.gpkg", "c.name", select="SELECT b.fid, b.geom, b.name, c.name AS v FROM b JOIN b c "
                       "ON c.number = b.number + 1")
    assert alidade.FeatureSource(runtime, joined, layer="a").query().values("v") == ["n1", "n2"]
    alidade.Raster(runtime, tiles(tmp_path / "a.mbtiles", "2")).read_cells([(0, 0)])
    alidade.Raster(runtime, tiles(tmp_path / "t.gpkg", "2")).read_cells([(0, 0)])


def test_a_view_stored_as_a_blob(tmp_path):
    """GDAL's own check of views compares texts, and passes over what is stored as a BLOB."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        for number, function in enumerate(["ogr_datasource_load_layers", "upper"]):
            path = features(tmp_path / f"{number}.gpkg")
            sql = f"CREATE VIEW a AS SELECT fid, geom, {function}('PG:host=127.0.0.1 port={port}') AS v FROM b"
            run(path, "PRAGMA writable_schema = ON",
                ("INSERT INTO sqlite_master VALUES ('view', 'a', 'a', 0, ?)", [sql.encode()]),
                "INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) VALUES ('a', 'features', 'a', 0)",
                "INSERT INTO gpkg_geometry_columns VALUES ('a', 'geom', 'POINT', 0, 0, 0)")
            words = open_apart(path, layer="a")
            assert words.startswith("PolicyRefusedError") and "no text" in words
        with pytest.raises(TimeoutError):
            server.accept()


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le", "UTF-16be"])
@pytest.mark.parametrize("module", ["VirtualText('/etc/hostname', 'UTF-8', 0)", "VirtualOGR('/etc/passwd')", "fts4(x)",
                                    "dbstat", "fts3tokenize", "VirtualShape('/etc/x', 'UTF-8', 0)"])
def test_virtual_tables(tmp_path, encoding, module):
    """Also where a comment hides them from who reads UTF-16 byte by byte: in U+2F2A are the bytes of "*/"."""
    path = tmp_path / "a.sqlite"
    # sqlite3 makes the tables of a module only where it has the module.
    base = sqlite3.connect(path)
    base.execute(f"PRAGMA encoding = '{encoding}'")
    base.execute("CREATE TABLE b (fid INTEGER PRIMARY KEY, name TEXT)")
    base.execute("INSERT INTO b (name) VALUES ('x')")
    base.execute("PRAGMA writable_schema = ON")
    sql = f"CREATE /* \u2f2a CREATE TABLE x(y) /* */ VIRTUAL TABLE evil USING {module}"
    base.execute("INSERT INTO sqlite_master VALUES ('table', 'evil', 'evil', 0, ?)", [sql])
    base.commit()
    base.close()
    words = open_apart(path)
    assert words.startswith("PolicyRefusedError") and "rule: virtual-tables" in words


def test_computed_columns(tmp_path, runtime):
    """Columns that are computed when they are read, by a function of SpatiaLite's and by SQLite's own."""
    for number, (expression, is_plain) in enumerate(
            [("lower(name)", True), ("number * 2", True), ("EnablePause()", False), ('"EnablePause"()', False)]):
        path = features(tmp_path / f"{number}.sqlite", "SQLite", name="a")
        run(path, "PRAGMA writable_schema = ON",
            ("UPDATE sqlite_master SET sql = substr(sql, 1, length(sql) - 1) || ?  WHERE name = 'a'",
             [f", v GENERATED ALWAYS AS ({expression}))"]))
        words = open_apart(path)
        assert words == "opened" if is_plain else words.startswith("PolicyRefusedError") and "sql-in-files" in words


def test_views_that_multiply(tmp_path):
    """Views over views, and joins without an index, in the time that the file's size explains."""
    path = with_view(tmp_path / "a.gpkg", "0", select="SELECT b.fid, b.geom, b.name, (SELECT count(*) FROM big x, big y, "
                     "big z WHERE x.n + y.n = z.n) AS v FROM b")
    run(path, "CREATE TABLE big AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 30000) "
        "SELECT n FROM c")
    begin = time.monotonic()
    words = open_apart(path, layer="a", seconds=90)
    assert words.startswith("LimitExceededError") and "index" in words, words
    words = open_apart(path, layer="a", seconds=90, policy={"max_request_ms": 500})
    assert words.startswith("LimitExceededError") and "500 ms" in words, words
    assert time.monotonic() - begin < 60
    deep = features(tmp_path / "b.gpkg")
    run(deep, "CREATE VIEW v0 AS SELECT name FROM b",
        *(f"CREATE VIEW v{n} AS SELECT x.name FROM v{n - 1} x JOIN v{n - 1} y LIMIT 5" for n in range(1, 40)))
    assert open_apart(deep).startswith("PolicyRefusedError")


def test_the_bit_for_trusted_files(tmp_path):
    path = with_view(tmp_path / "a.gpkg", "AsText(GeomFromText('POINT(1 2)'))")
    assert open_apart(path, layer="a").startswith("PolicyRefusedError")
    assert open_apart(path, layer="a", policy={"allow_sql_in_files": True}) == "opened"


def test_a_spatialite_database_is_read(tmp_path, runtime):
    """With all that SpatiaLite puts into its files: virtual tables and views that call its functions."""
    path = tmp_path / "a.sqlite"
    data = ogr.GetDriverByName("SQLite").CreateDataSource(str(path), options=["SPATIALITE=YES", "INIT_WITH_EPSG=NO"])
    layer = data.CreateLayer("towns", None, ogr.wkbPoint)
    layer.CreateField(ogr.FieldDefn("name"))
    feature = ogr.Feature(layer.GetLayerDefn())
    feature["name"] = "Chur"
    feature.SetGeometry(ogr.CreateGeometryFromWkt("POINT (9.5 46.8)"))
    layer.CreateFeature(feature)
    for call in ("CreateStylingTables(1)", "CreateIsoMetadataTables()", "CreateTopoTables()"):
        data.ReleaseResultSet(data.ExecuteSQL(f"SELECT {call}"))
    data = layer = feature = None
    source = alidade.FeatureSource(runtime, path, layer="towns")
    assert source.query().values("name") == ["Chur"]
    assert source.query(envelope=(9, 46, 10, 47)).geometries[0].to_wkt() == "POINT (9.5 46.8)"


# MARK: Conditions


EVIL_CONDITIONS = [
    "fts3_tokenizer('simple', x'4141414141414141') IS NOT NULL", "load_extension('/tmp/x') = 1",
    "(SELECT count(*) FROM sqlite_master) > 0", "number IN (SELECT number FROM b)",
    "EXISTS (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c)",
    "ogr_geocode(name) = 1", "zeroblob(1000000000) > 0", "name GLOB '*a*b'", "name REGEXP 'a'", "randomblob(9) = 1",
    "CASE WHEN number = 1 THEN 1 END = 1", "hstore_get_value(name, 'a') = '1'", "printf('%1000000000d', 1) = ''",
]


@pytest.mark.parametrize("driver, file", [("GPKG", "b.gpkg"), ("SQLite", "b.sqlite"), ("GeoJSON", "b.geojson"),
                                          ("ESRI Shapefile", "b.shp")])
@pytest.mark.parametrize("condition", EVIL_CONDITIONS)
def test_conditions_that_do_more_than_compare(runtime, tmp_path, driver, file, condition):
    source = alidade.FeatureSource(runtime, features(tmp_path / file, driver))
    for ask in (lambda: source.query(where=condition), lambda: source.count(where=condition),
                lambda: alidade.FeatureSource(runtime, tmp_path / file, definition=condition),
                lambda: alidade.FeatureSource(runtime, tmp_path / file, statement=f"SELECT * FROM b WHERE {condition}")):
        with pytest.raises((alidade.errors.PolicyRefusedError, alidade.errors.InvalidArgumentError)) as caught:
            ask()
        assert "rule: query" in str(caught.value) or "blob" in condition or "x'" in condition
    assert source.count() == 3


@pytest.mark.parametrize("driver, file", [("GPKG", "a.gpkg"), ("GeoJSON", "a.geojson")])
def test_patterns_that_would_take_for_ever(tmp_path, driver, file):
    """GDAL tries each % at each position for each position of those before: seconds for each feature that is long."""
    point = {"type": "Point", "coordinates": [0, 0]}
    write(tmp_path / "b.json", json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"t": "a" * 3000}, "geometry": point}] * 100}))
    assert gdal.VectorTranslate(str(tmp_path / file), str(tmp_path / "b.json"), format=driver) is not None
    for condition in ("t LIKE '%a%'", "t NOT LIKE 'b%'", "t LIKE '%!%b!%' ESCAPE '!'", "t LIKE '%a%a%a%a%b'",
                      f"t LIKE '{'%a' * 500}b'"):
        assert open_apart(tmp_path / file, where=condition) == "opened"


def rows(driver, path, condition):
    """What GDAL itself finds by a condition, by its own hands."""
    data = gdal.OpenEx(str(path), gdal.OF_VECTOR)
    layer = data.GetLayer(0)
    layer.SetAttributeFilter(condition)
    return [feature.GetFID() for feature in layer]


CONDITIONS = [
    "number = 3", "number == 3 OR number <> 4 AND NOT number > 6", "number + 2 * 3 >= 10", "(number + 2) * 3 < 20",
    "number BETWEEN 2 AND 5", "number NOT BETWEEN 2 AND 5", "number IN (1, 5, -3, 7)", "NOT number IN (1, 5)",
    "name IN ('n1', 'n5')", "name LIKE 'n1%'", "name LIKE '%1'", "name NOT LIKE '_1%'", "name IS NULL",
    "name IS NOT NULL", "\"number\" = 3", "NUMBER = 3", "number % 3 = 1", "number / 2 >= 2", "-number < -5",
    "CAST(number AS character(1)) = '7'", "CAST(name AS integer) = 0", "SUBSTR(name, 2) = '4'",
    "CONCAT(name, 'x') = 'n4x'", "name || 'x' = 'n4x'" , "number = 3.0", "number > 2.5e0", "number < .5",
    " OR ".join(f"number = {n}" for n in range(0, 200, 2)), "((((((number = 1))))))", "number=1 or(number=2)and name='n2'",
]


@pytest.mark.parametrize("driver, file", [("GPKG", "b.gpkg"), ("SQLite", "b.sqlite"), ("GeoJSON", "b.geojson"),
                                          ("ESRI Shapefile", "b.shp"), ("FlatGeobuf", "b.fgb")])
def test_conditions_mean_what_they_mean_to_gdal(runtime, tmp_path, driver, file):
    path = features(tmp_path / file, driver, 40)
    source = alidade.FeatureSource(runtime, path)
    for condition in CONDITIONS:
        theirs = condition
        if driver not in ("GPKG", "SQLite"):  # What GDAL's own SQL has no form for, in the form that it has.
            theirs = theirs.replace("name || 'x'", "CONCAT(name, 'x')").replace("==", "=").replace("< .5", "< 0.5")
            if theirs.count("OR") > 20:
                theirs = f"number IN ({', '.join(str(n) for n in range(0, 200, 2))})"
        else:
            theirs = theirs.replace("CONCAT(name, 'x')", "name || 'x'").replace("CAST(number AS character(1))",
                                                                                "CAST(number AS text)")
        expected = rows(driver, path, theirs)
        assert source.query(where=condition).ids.tolist() == expected, condition
        assert alidade.FeatureSource(runtime, path, definition=condition).count() == len(expected)


def test_random_conditions_mean_what_they_mean_to_sqlite(runtime, tmp_path):
    """Conditions from a generator of its own, against Python's sqlite3 on the same file."""
    import random

    chance = random.Random(7)
    path = features(tmp_path / "b.gpkg", count=60)
    base = sqlite3.connect(path)
    source = alidade.FeatureSource(runtime, path)

    def value(depth):
        kind = chance.randrange(7 if depth else 4)
        return [lambda: "number", lambda: str(chance.randrange(-5, 60)), lambda: f"{chance.random() * 50:.3f}",
                lambda: "fid", lambda: f"({value(depth - 1)} {chance.choice('+-*')} {value(depth - 1)})",
                lambda: f"- {value(depth - 1)}", lambda: f"abs({value(depth - 1)})"][kind]()

    def text():
        return chance.choice(["name", "upper(name)", "substr(name, 2, 1)", "name || 'x'", "'n7'", "'it''s'"])

    def condition(depth):
        kind = chance.randrange(10 if depth else 6)
        negated = chance.choice(["", " NOT"])
        return [lambda: f"{value(2)} {chance.choice(['=', '<>', '<', '<=', '>', '>=', '==', '!='])} {value(2)}",
                lambda: f"{text()} {chance.choice(['=', '<', '<>'])} {text()}",
                lambda: f"{text()}{negated} LIKE '{chance.choice(['n%', '%1', 'n_', 'N1%', '%', ''])}'",
                lambda: f"{value(1)}{negated} IN ({', '.join(str(chance.randrange(60)) for _ in range(4))})",
                lambda: f"{value(1)}{negated} BETWEEN {value(1)} AND {value(1)}",
                lambda: f"{text()} IS{negated} NULL",
                lambda: f"{condition(depth - 1)} AND {condition(depth - 1)}",
                lambda: f"{condition(depth - 1)} OR {condition(depth - 1)}",
                lambda: f"NOT {condition(depth - 1)}", lambda: f"({condition(depth - 1)})"][kind]()

    for _ in range(1500):
        given = condition(4)
        expected = [row[0] for row in base.execute(f"SELECT fid FROM b WHERE {given} ORDER BY fid")]
        assert source.query(where=given).ids.tolist() == expected, given


@pytest.mark.parametrize("condition, error, words", [
    ("nothing = 1", alidade.errors.InvalidArgumentError, "no column nothing; there are: .*name, number"),
    ("name = \"n1\"", alidade.errors.InvalidArgumentError, "single quotes"),
    ("number = ", alidade.errors.InvalidArgumentError, "it ends"), ("number = 1 2", alidade.errors.InvalidArgumentError, '"2"'),
    ("number = 0x10", alidade.errors.InvalidArgumentError, "0x10"), ("name = 'a", alidade.errors.InvalidArgumentError, "quote"),
    ("(" * 70 + "number = 1" + ")" * 70, alidade.errors.InvalidArgumentError, "deep"),
    ("NOT " * 100 + "number = 1", alidade.errors.InvalidArgumentError, "deep"),
    ("-" + " -" * 100 + "number = 1", alidade.errors.InvalidArgumentError, "deep"),
    ("+".join(["number"] * 300) + " = 1", alidade.errors.InvalidArgumentError, "signs"),
    ("name LIKE name", alidade.errors.InvalidArgumentError, "pattern"), ("number IN ()", alidade.errors.InvalidArgumentError, "number"),
    ("number = 1 -- x", alidade.errors.InvalidArgumentError, "comment"), ("number = 1; x", alidade.errors.InvalidArgumentError, ";"),
    ("a.number = 1", alidade.errors.InvalidArgumentError, "no column a.number"), ("\0", None, ""),
    ("x" * 2_000_000, alidade.errors.InvalidArgumentError, "longer"),
])
def test_conditions_that_cannot_be_read(runtime, tmp_path, condition, error, words):
    for driver, file in (("GPKG", "b.gpkg"), ("GeoJSON", "b.geojson")):
        source = alidade.FeatureSource(runtime, features(tmp_path / file, driver))
        with pytest.raises(error or (ValueError, alidade.AlidadeError), match=words):
            source.query(where=condition)


def test_a_quote_cannot_be_broken_out_of(runtime, tmp_path):
    """Texts and names with quotes and backslashes, which GDAL and SQLite read in different ways."""
    for driver, file in (("GPKG", "b.gpkg"), ("GeoJSON", "b.geojson"), ("ESRI Shapefile", "b.shp")):
        source = alidade.FeatureSource(runtime, features(tmp_path / file, driver))
        for text in ("'' OR 1=1 OR name=''", "\\'' OR 1=1 OR name=\\''", "\\", "x\\", "\"", "x\\\""):
            assert source.count(where=f"name = '{text}'") == 0
    # GDAL's virtual layer hands a condition that it is given on to the database that it shows.
    write(tmp_path / "b.vrt", '<OGRVRTDataSource><OGRVRTLayer name="b"><SrcDataSource relativeToVRT="1">b.gpkg'
          "</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>")
    virtual = alidade.FeatureSource(runtime, tmp_path / "b.vrt")
    assert virtual.query(where="name = 'n1' OR number = 2").ids.tolist() == [2, 3]
    assert virtual.count(where="name = '\\'' OR 1=1 OR name=\\'''") == 0


def test_the_open_dialect_is_a_bit_of_the_policy(tmp_path):
    path = features(tmp_path / "b.gpkg")
    with alidade.Runtime(policy=alidade.Policy(allow_sql=True)) as runtime:
        source = alidade.FeatureSource(runtime, path)
        assert source.query(where="number IN (SELECT max(number) FROM b)").ids.tolist() == [3]
        assert source.query(where="name GLOB 'n[12]'").ids.tolist() == [2, 3]
        statement = "SELECT name FROM b UNION ALL SELECT name FROM b"
        assert len(alidade.FeatureSource(runtime, path, statement=statement).query()) == 6
        # What the file brings along stays bound, and a call that has no end is ended by the limit on time.
        assert open_apart(with_view(tmp_path / "a.gpkg", "EnablePause()"), policy={"allow_sql": True}).startswith(
            "PolicyRefusedError")
    words = open_apart(path, where="(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) "
                       "FROM c) > 0", policy={"allow_sql": True, "max_request_ms": 500})
    assert "Error" in words


STATEMENTS = [
    "SELECT * FROM b", "SELECT name, number * 2 AS twice FROM b WHERE number > 0", "SELECT DISTINCT name FROM b",
    "SELECT * FROM b ORDER BY number DESC, name ASC", "SELECT COUNT(*) AS n, MAX(number) AS m FROM b",
    "SELECT name AS x FROM b LIMIT 2 OFFSET 1", "SELECT \"name\" FROM \"b\" WHERE name LIKE 'n%'",
]


@pytest.mark.parametrize("driver, file", [("GPKG", "b.gpkg"), ("ESRI Shapefile", "b.shp")])
@pytest.mark.parametrize("statement", STATEMENTS)
def test_statements_mean_what_they_mean_to_gdal(runtime, tmp_path, driver, file, statement):
    path = features(tmp_path / file, driver, 6)
    data = gdal.OpenEx(str(path), gdal.OF_VECTOR)
    result = data.ExecuteSQL(statement, dialect="OGRSQL")
    expected = [feature.items() for feature in result]
    set = alidade.FeatureSource(runtime, path, statement=statement).query()
    assert [{field.name: value for field, value in zip(set.fields, row)}
            for row in zip(*(set.values(field.name) for field in set.fields))] == expected
    data.ReleaseResultSet(result)


@pytest.mark.parametrize("statement, words", [
    ("SELECT * FROM b JOIN b c ON 1 = 1", "JOIN"), ("SELECT * FROM b UNION ALL SELECT * FROM b", "UNION"),
    ("SELECT * FROM (SELECT * FROM b)", "bracket"), ("SELECT * FROM b, b", "several"),
    ("SELECT ogr_geocode(name) FROM b", "ogr_geocode"),
])
def test_statements_that_do_more_than_select(runtime, tmp_path, statement, words):
    with pytest.raises(alidade.errors.PolicyRefusedError, match=f"{words}.*|rule: query"):
        alidade.FeatureSource(runtime, features(tmp_path / "b.shp", "ESRI Shapefile"), statement=statement)


# MARK: What lies next to a database


@pytest.mark.parametrize("file", ["b.gpkg", "b.sqlite", "b.mbtiles"])
@pytest.mark.parametrize("beside, content", [("-wal", b""), ("-wal", b"x" * 100), ("-journal", b""),
                                             ("-journal", b"\0" * 100), ("-journal", b"\xd9\xd5\x05\xf9" * 200),
                                             ("-shm", b"x")])
def test_what_lies_beside_a_database_stays(tmp_path, file, beside, content):
    path = tmp_path / file
    if file == "b.mbtiles":
        tiles(path, "2")
    else:
        features(path, "GPKG" if file == "b.gpkg" else "SQLite")
    other = tmp_path / (file + beside)
    other.write_bytes(content)
    before = {one.name: (one.read_bytes(), one.stat().st_mtime_ns) for one in tmp_path.iterdir()}
    words = open_apart(path, "raster" if file == "b.mbtiles" else "features")
    pending = content and beside == "-wal" or content[:1] == b"\xd9"
    assert words.startswith("UnsupportedError") if pending else words == "opened" or file == "b.mbtiles"
    assert {one.name: (one.read_bytes(), one.stat().st_mtime_ns) for one in tmp_path.iterdir()} == before


@pytest.mark.parametrize("file", ["b.gpkg", "b.sqlite"])
def test_a_write_ahead_log(tmp_path, file):
    """A database in that mode opens once its log is empty; what only the log has is not passed over in silence."""
    path = features(tmp_path / file, "GPKG" if file == "b.gpkg" else "SQLite")
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode = WAL")
    assert open_apart(path) == "opened"
    writer.execute("CREATE TABLE later (x)")
    writer.commit()
    words = open_apart(path)
    assert words.startswith("UnsupportedError") and "write-ahead log" in words
    writer.close()
    assert open_apart(path) == "opened"
    assert sorted(one.name for one in tmp_path.iterdir()) == [file]


MARKS = ["\u0600", "\u0301", "\u200d", "\u0600\u0301", "\U0001f1e6"]


@pytest.mark.parametrize("driver, file", [("GPKG", "b.gpkg"), ("GeoJSON", "b.geojson"), ("ESRI Shapefile", "b.shp")])
@pytest.mark.parametrize("before", MARKS)
@pytest.mark.parametrize("after", MARKS)
def test_marks_that_cling_to_quotes(runtime, tmp_path, driver, file, before, after):
    """To people and to Swift a quote and the mark next to it are one character; SQL sees two."""
    source = alidade.FeatureSource(runtime, features(tmp_path / file, driver))
    for quote in ("''", "\\''", "%''"):
        text = f"{before}{quote}{after} OR 1=1 OR name={before}{quote}{after}"
        assert source.count(where=f"name = '{text}'") == 0
    with pytest.raises(alidade.errors.InvalidArgumentError, match="no column"):
        source.count(where=f'"name{before}"" = 1 OR ""{after}" = 1')
    secret = features(tmp_path / "secret.shp", "ESRI Shapefile", 7, "secret")
    found = alidade.FeatureSource(runtime, tmp_path / file, statement=(
        f"SELECT * FROM b WHERE name = '{before}'') UNION ALL SELECT * FROM \"{secret}\".secret "
        f"WHERE (name <> ''{after}'")).query()
    assert len(found) == 0
    assert source.count(where=f"name LIKE '{before}%{after}{before}%{after}b'") == 0


def test_ways_around_the_look_at_a_schema(tmp_path):
    """What SQLite and a reader of its texts may take for different things."""
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
    for number, name in enumerate(['a\u0600"', "networks_view", "se_fonts_view", "a' || '", 'x"y']):
        path = features(tmp_path / f"{number}.gpkg")
        run(path, f"""CREATE VIEW "{name.replace('"', '""')}" AS SELECT fid, geom, ({endless}) AS v FROM b""")
        words = open_apart(path)
        assert words.startswith("PolicyRefusedError") and "sql-in-files" in words, (name, words)
    columns = ["v GENERATED ALWAYS AS (EnablePause()))",
               "k1 DEFAULT ($a(')), v GENERATED ALWAYS AS (printf('%500000000d',1)), k2 DEFAULT ($b(')))",
               "k1 DEFAULT (@a(')), v AS (zeroblob(99)), k2 DEFAULT (#b(')))"]
    for number, column in enumerate(columns):
        path = features(tmp_path / f"c{number}.sqlite", "SQLite", name="a")
        run(path, "PRAGMA writable_schema = ON",
            ("UPDATE sqlite_master SET sql = substr(sql, 1, length(sql) - 1) || ', ' || ? WHERE name = 'a'", [column]))
        assert open_apart(path).startswith("PolicyRefusedError"), column
    path = features(tmp_path / "stat.sqlite", "SQLite")
    run(path, "PRAGMA writable_schema = ON", "ANALYZE",
        "UPDATE sqlite_master SET sql = 'CREATE TABLE sqlite_stat1(tbl,idx,raw,stat AS (trim(raw,raw)))' "
        "WHERE name = 'sqlite_stat1'")
    assert open_apart(path).startswith("PolicyRefusedError")


@pytest.mark.parametrize("expression", ["trim(x'20' || name, name)", "instr(name, 'n')", "zeroblob(900000000)",
                                        "random()", "fts3_tokenizer('simple')"])
def test_functions_without_a_bound(tmp_path, expression):
    words = open_apart(with_view(tmp_path / "a.gpkg", expression), layer="a")
    assert words.startswith("PolicyRefusedError")


def test_texts_that_grow(tmp_path):
    """A view that doubles a text again and again ends at the policy's memory."""
    path = features(tmp_path / "a.gpkg")
    run(path, "CREATE VIEW v0 AS SELECT fid, geom, printf('%4000d', fid) AS x FROM b",
        *(f"CREATE VIEW v{n} AS SELECT fid, geom, x || x AS x FROM v{n - 1}" for n in range(1, 25)),
        "INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) VALUES ('v24', 'features', 'v24', 0)",
        "INSERT INTO gpkg_geometry_columns VALUES ('v24', 'geom', 'POINT', 0, 0, 0)")
    words = open_apart(path, layer="v24", seconds=60)
    assert words != "opened" and "Error" in words


@pytest.mark.parametrize("beside, content", [("-wal", b"x" * 100), ("-journal", b"\xd9\xd5\x05\xf9" * 200)])
def test_what_lies_beside_the_file_behind_a_link(tmp_path, beside, content):
    (tmp_path / "there").mkdir()
    path = features(tmp_path / "there" / "a.gpkg")
    (tmp_path / "there" / f"a.gpkg{beside}").write_bytes(content)
    (tmp_path / "link.gpkg").symlink_to(path)
    assert open_apart(tmp_path / "link.gpkg").startswith("UnsupportedError")


def test_a_database_called_like_projs_own(tmp_path):
    """Watched like any other, also where a virtual raster opens it late."""
    endless = "(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c)"
    path = with_view(tmp_path / "x.gpkg", endless).rename(tmp_path / "proj.db")
    assert open_apart(path, layer="a").startswith("PolicyRefusedError")


@pytest.mark.parametrize("name", ["a b", "a%20b", "a%2fb", "a?mode=rw", "a#b", "a&b=c", "\u00e4\u4e2d", "a\"b'c", "a//b", "%"])
@pytest.mark.parametrize("ending", ["gpkg", "sqlite"])
def test_the_name_of_a_database_is_its_name(tmp_path, runtime, name, ending):
    """SQLite takes names as addresses: none may lead to another file, or set how it is opened."""
    for folder in ("a", "decoy"):
        (tmp_path / folder).mkdir(exist_ok=True)
    driver = "GPKG" if ending == "gpkg" else "SQLite"
    for other in ("a b", "a", "a/b"):
        features(tmp_path / f"{other}.{ending}", driver, 1)
    path = features(tmp_path / f"{name}.{ending}", driver, 5)
    before = sorted(tmp_path.rglob("*"))
    assert alidade.FeatureSource(runtime, path).count() == 5
    link = tmp_path / f"link.{ending}"
    link.symlink_to(path)
    assert alidade.FeatureSource(runtime, link).count() == 5
    assert sorted(tmp_path.rglob("*")) == sorted([*before, link])


@pytest.mark.parametrize("ending", ["gpkg", "sqlite"])
def test_databases_in_archives_and_by_prefix(tmp_path, ending):
    """The same rules for names that are more than a path."""
    import zipfile

    driver = "GPKG" if ending == "gpkg" else "SQLite"
    good = features(tmp_path / f"good.{ending}", driver)
    bad = features(tmp_path / f"bad.{ending}", driver)
    columns = "fid, geom" if ending == "gpkg" else "ogc_fid, GEOMETRY"
    run(bad, f"CREATE VIEW a AS SELECT {columns}, EnablePause() AS v FROM b")
    run(good, "CREATE TABLE later (x)")
    base = sqlite3.connect(good)
    base.execute("PRAGMA journal_mode = WAL")
    base.close()
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(good, good.name)
        archive.write(bad, bad.name)
    policy = {"vsi_prefixes": ["/vsizip/"]}
    assert open_apart(f"/vsizip/{tmp_path}/a.zip/{good.name}", policy=policy) == "opened"
    words = open_apart(f"/vsizip/{tmp_path}/a.zip/{bad.name}", policy=policy)
    assert words.startswith("PolicyRefusedError") and "sql-in-files" in words
    assert "sql-in-files" in open_apart(f"SQLITE:{bad}")
    write(tmp_path / "b.vrt", f'<OGRVRTDataSource><OGRVRTLayer name="b"><SrcDataSource relativeToVRT="1">{bad.name}'
          "</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>")
    assert "sql-in-files" in open_apart(tmp_path / "b.vrt")


def test_many_threads_open_and_read(tmp_path):
    """The rules belong to the thread that opens; other threads go on."""
    good = [with_view(tmp_path / f"{n}.gpkg", "upper(name)") for n in range(4)]
    bad = with_view(tmp_path / "bad.gpkg", "EnablePause()")
    failures = []
    with alidade.Runtime() as runtime:
        def work(path):
            for _ in range(20):
                try:
                    assert alidade.FeatureSource(runtime, path, layer="a").query().values("v") == ["N0", "N1", "N2"]
                    with pytest.raises(alidade.errors.PolicyRefusedError):
                        alidade.FeatureSource(runtime, bad, layer="a")
                    # A database of the host's own, on the same thread, feels nothing of it.
                    assert sqlite3.connect(":memory:").execute(
                        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 9) "
                        "SELECT count(*) FROM c").fetchone() == (9,)
                except BaseException as error:  # noqa: BLE001  of a thread: the test below reports it
                    failures.append(error)
        threads = [threading.Thread(target=work, args=(path,)) for path in good]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures, failures[0]


# MARK: Spatial references


@pytest.mark.parametrize("kind", ["gpkg", "sqlite"])
@pytest.mark.parametrize("text", ["+proj=longlat +ellps=GRS80 +nadgrids={pipe} +type=crs", "+init={pipe}:x", "{pipe}",
                                  'GEOGCS["x",DATUM["x",SPHEROID["x",6378137,298]],PRIMEM["x",0],UNIT["degree",0.017],'
                                  'EXTENSION["PROJ4","+proj=longlat +nadgrids={pipe}"]]', "{deep}"])
def test_texts_of_spatial_references(tmp_path, kind, text):
    """A database's own list of spatial references makes PROJ open no pipe and build no tower of objects."""
    import os

    os.mkfifo(tmp_path / "pipe")
    deep = '{"type":"BoundCRS","source_crs":' * 2000 + "1" + "}" * 2000
    text = deep if text == "{deep}" else text.replace("{pipe}", str(tmp_path / "pipe"))
    path = tmp_path / f"a.{kind}"
    data = ogr.GetDriverByName("GPKG" if kind == "gpkg" else "SQLite").CreateDataSource(
        str(path), options=[] if kind == "gpkg" else ["SPATIALITE=YES", "INIT_WITH_EPSG=NO"])
    reference = __import__("osgeo.osr").osr.SpatialReference()
    reference.ImportFromEPSG(32633)
    layer = data.CreateLayer("b", reference, ogr.wkbPoint)
    feature = ogr.Feature(layer.GetLayerDefn())
    feature.SetGeometry(ogr.CreateGeometryFromWkt("POINT (1 2)"))
    layer.CreateFeature(feature)
    data = layer = feature = None
    assert open_apart(path) == "opened"
    if kind == "gpkg":
        run(path, ("UPDATE gpkg_spatial_ref_sys SET definition = ? WHERE srs_id = 32633", [text]))
    else:
        run(path, ("UPDATE spatial_ref_sys SET srtext = ?, proj4text = ? WHERE srid = 32633", [text, text]))
    words = open_apart(path)
    assert "rule: spatial-reference-text" in words and words.startswith(("PolicyRefusedError", "LimitExceededError"))

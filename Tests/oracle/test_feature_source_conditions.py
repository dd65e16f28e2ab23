"""Conditions and statements mean the same in every format: what they mean to SQLite, which is asked here by itself."""
import datetime
import json
import random
import sqlite3

import alidade
import pytest
from osgeo import gdal, ogr

gdal.UseExceptions()
FORMATS = [("GeoJSON", "t.geojson"), ("FlatGeobuf", "t.fgb"), ("GPKG", "t.gpkg"), ("SQLite", "t.sqlite"),
           ("OGR_VRT", "t.vrt")]
TEXTS = ["a", "A", "b", "ab", "Ärger", "Zürich", "%", "_", "5", "", "x'y", "\\", None]
MOMENTS = ["2020-01-01T00:00:00Z", "2020-01-01T00:30:00+01:00", "2019-12-31T23:45:00Z", "2020-01-01T05:00:00+05:30",
           "2021-06-30T12:00:00.5Z", None]


def rows():
    chance = random.Random(5)
    for number in range(60):
        yield {
            "k": number,
            "i": chance.choice([None, 0, 1, 2, 5, -3, 9007199254740993, 9007199254740992, number]),
            "n": chance.choice([None, 0, 0, 1, 3]),
            "r": chance.choice([None, 0.0, 1 / 3, 2.5, 0.1 + 0.2, -1e300]),
            "t": chance.choice(TEXTS),
            "d": chance.choice(MOMENTS),
        }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The same features in each format."""
    folder = tmp_path_factory.mktemp("conditions")
    features = [{"type": "Feature", "properties": row, "geometry": {"type": "Point", "coordinates": [number, 0]}}
                for number, row in enumerate(rows())]
    (folder / "t.geojson").write_text(json.dumps({"type": "FeatureCollection", "name": "t", "features": features}))
    for driver, file in FORMATS[1:4]:
        options = ["SPATIAL_INDEX=NO"] if driver == "FlatGeobuf" else []
        gdal.VectorTranslate(str(folder / file), str(folder / "t.geojson"), format=driver, layerCreationOptions=options)
    (folder / "t.vrt").write_text(
        '<OGRVRTDataSource><OGRVRTLayer name="t"><SrcDataSource relativeToVRT="1">t.geojson</SrcDataSource>'
        "</OGRVRTLayer></OGRVRTDataSource>")
    return folder


@pytest.fixture(scope="module")
def database():
    """The same rows in SQLite, moments in UTC."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, i INTEGER, n INTEGER, r REAL, t TEXT, d TEXT)")
    for number, row in enumerate(rows()):
        moment = row["d"] and datetime.datetime.fromisoformat(row["d"].replace("Z", "+00:00").replace(".5", ".500"))
        text = moment and moment.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds")
        database.execute("INSERT INTO t VALUES (?,?,?,?,?,?)",
                         (number, row["i"], row["n"], row["r"], row["t"], text and text.replace("+00:00", "Z")))
    return database


def found(source, **query):
    """The keys of the features."""
    return sorted(int(key) for key in source.query(**query).values("k"))


def expected(database, condition):
    return [key for key, in database.execute(f"SELECT k FROM t WHERE {condition} ORDER BY k")]


def conditions():
    """By chance from a grammar: comparisons of all kinds, under NOT, AND and OR."""
    chance = random.Random(11)
    texts = [f"'{text.replace(chr(39), chr(39) * 2)}'" for text in TEXTS if text is not None]

    def number(depth=2):
        kind = chance.randrange(8 if depth else 5)
        if kind < 3:
            return chance.choice(["i", "n", "r"])
        if kind < 5:
            return chance.choice(["0", "1", "2", "5", "-3", "2.5", "0.3333333333333333", "9007199254740993", "1e3"])
        return f"({number(depth - 1)} {chance.choice('+-*/%')} {number(depth - 1)})"

    def text():
        return chance.choice(["t", "t", "SUBSTR(t, 1, 2)", "t || 'b'", "CAST(i AS CHARACTER(3))", "LOWER(t)"])

    def atom():
        kind = chance.randrange(9)
        negated = chance.choice(["", "NOT "])
        if kind < 3:
            return f"{number()} {chance.choice(['=', '<>', '<', '<=', '>', '>='])} {number()}"
        if kind == 3:
            return f"{number()} {negated}BETWEEN {number()} AND {number()}"
        if kind == 4:
            return f"{chance.choice(['i', 'n', 'r'])} {negated}IN ({', '.join(str(chance.randrange(12)) for _ in range(chance.randrange(1, 14)))})"
        if kind == 5:
            return f"{text()} {negated}IN ({', '.join(chance.choices(texts, k=chance.randrange(1, 12)))})"
        if kind == 6:
            return f"{text()} {negated}LIKE '{chance.choice(['a%', '_', '%r%', 'Z_rich', '%', 'ä%', 'A_'])}'"
        if kind == 7:
            return f"{chance.choice(['i', 'r', 't', 'd', 'i / n'])} IS {negated}NULL"
        return f"{text()} {chance.choice(['=', '<', '>='])} {chance.choice(texts)}"

    def condition(depth=2):
        kind = chance.randrange(4) if depth else 0
        if kind == 0:
            return atom()
        if kind == 1:
            return f"NOT ({condition(depth - 1)})"
        return f"({condition(depth - 1)} {'AND' if kind == 2 else 'OR'} {condition(depth - 1)})"

    return [condition() for _ in range(400)]


@pytest.mark.parametrize("driver, file", FORMATS)
def test_conditions_mean_what_they_mean_to_sqlite(runtime, folder, database, driver, file):
    source = alidade.FeatureSource(runtime, folder / file)
    for condition in conditions():
        theirs = condition.replace("CAST(i AS CHARACTER(3))", "SUBSTR(CAST(i AS TEXT), 1, 3)")
        wanted = expected(database, theirs)
        assert found(source, where=condition) == wanted, condition
        assert source.count(where=condition) == len(wanted), condition


@pytest.mark.parametrize("driver, file", FORMATS)
def test_definitions_and_statements_mean_the_same(runtime, folder, database, driver, file):
    for condition in conditions()[:40]:
        wanted = expected(database, condition.replace("CAST(i AS CHARACTER(3))", "SUBSTR(CAST(i AS TEXT), 1, 3)"))
        source = alidade.FeatureSource(runtime, folder / file, definition=condition)
        assert found(source) == wanted and source.count() == len(wanted), condition
        assert found(source, where="n = 1") == sorted(set(wanted) & set(expected(database, "n = 1"))), condition
        source.build_index()
        assert found(source, envelope=(-1, -1, 29.5, 1)) == [key for key in wanted if key < 30], condition
        statement = alidade.FeatureSource(runtime, folder / file, statement=f"SELECT * FROM t WHERE {condition}")
        assert found(statement) == wanted, condition
        assert [field.name for field in statement.fields] == [
            field.name for field in alidade.FeatureSource(runtime, folder / file).fields]
        part = alidade.FeatureSource(
            runtime, folder / file, statement=f"SELECT t AS \"text\" FROM t WHERE {condition} LIMIT 5 OFFSET 2")
        assert len(part.query()) == len(wanted[2:7]) and [field.name for field in part.fields] == ["text"]
        count = alidade.FeatureSource(runtime, folder / file, statement=f"SELECT COUNT(*) AS n FROM t WHERE {condition}")
        assert count.query().values("n")[0] == len(wanted), condition


@pytest.mark.parametrize("driver, file", FORMATS)
def test_moments_are_compared_as_such(runtime, folder, database, driver, file):
    """Whatever their offset from UTC and the form in which they are written."""
    source = alidade.FeatureSource(runtime, folder / file)
    for sign in ("=", "<>", "<", "<=", ">", ">="):
        for literal in ("2020-01-01T00:00:00Z", "2020-01-01", "2020/01/01 00:00:00", "2020-01-01T01:00:00+01:00",
                        "2019-12-31 18:30:00-05:30"):
            wanted = expected(database, f"d {sign} '2020-01-01T00:00:00.000Z'")
            assert found(source, where=f"d {sign} '{literal}'") == wanted, (sign, literal)
    wanted = expected(database, "d IN ('2019-12-31T23:30:00.000Z', '2021-06-30T12:00:00.500Z')")
    assert found(source, where="d IN ('2020-01-01T00:30:00+01:00', '2021-06-30T12:00:00.500Z')") == wanted
    wanted = expected(database, "NOT d BETWEEN '2019-12-31T23:40:00.000Z' AND '2020-01-01T00:00:00.000Z'")
    assert found(source, where="NOT (d BETWEEN '2019/12/31 23:40' AND '2020-01-01')") == wanted
    for wrong in ("'31.12.2019'", "'2020-02-30'", "5", "'now'"):
        with pytest.raises(alidade.errors.InvalidArgumentError, match="compared with a date"):
            source.count(where=f"d = {wrong}")


SUMS = ["COUNT(*)", "COUNT(i)", "COUNT(DISTINCT n)", "MIN(i)", "MAX(i)", "SUM(n)", "MIN(r)", "AVG(n)", "MIN(t)", "MAX(t)"]


@pytest.mark.parametrize("driver, file", FORMATS)
def test_sums_are_exact(runtime, folder, database, driver, file):
    """GDAL's own SQL has doubles for integers, and forgets a condition on ids."""
    for condition in ("i > 0", "t ILIKE 'a%'", "NOT n = 0", "r = 0.3333333333333333", "1 = 1"):
        theirs = condition.replace("ILIKE", "LIKE")
        for item in SUMS:
            source = alidade.FeatureSource(runtime, folder / file, statement=f"SELECT {item} AS v FROM t WHERE {condition}")
            assert source.query().values("v")[0] == database.execute(
                f"SELECT {item} FROM t WHERE {theirs}").fetchone()[0], (item, condition)
    source = alidade.FeatureSource(runtime, folder / file, statement="SELECT DISTINCT i FROM t ORDER BY i")
    assert list(source.query().values("i")) == [
        value for value, in database.execute("SELECT DISTINCT i FROM t ORDER BY i")]
    features = alidade.FeatureSource(runtime, folder / file).query()
    for row, (some, key) in enumerate(zip(features.ids.tolist(), features.values("k"))):
        source = alidade.FeatureSource(runtime, folder / file, statement=f"SELECT COUNT(*) AS v, MAX(k), MIN(FID) FROM t WHERE FID = {some}")
        assert [source.query().values(name)[0] for name in ("v", "MAX_k", "MIN_FID")] == [1, key, some]
        source = alidade.FeatureSource(runtime, folder / file, statement=f"SELECT * FROM t WHERE FID = {some}")
        assert source.query().values("k")[0] == key and source.query().ids.tolist() == [some]
        if file != "t.sqlite":
            assert found(alidade.FeatureSource(runtime, folder / file), where=f"FID = {some}") == [key]
    moments = alidade.FeatureSource(runtime, folder / file, statement="SELECT MAX(d) AS v, MIN(d) FROM t").query()
    assert [moments.values(name)[0] for name in ("v", "MIN_d")] == [
        "2021-06-30T12:00:00.500Z", "2019-12-31T23:30:00.000Z"]
    assert len(moments) == 1
    nothing = alidade.FeatureSource(runtime, folder / file, statement="SELECT MIN(k), COUNT(*) FROM t WHERE k > 1000").query()
    assert (len(nothing), nothing.values("MIN_k")[0], nothing.values("COUNT_*")[0]) == (1, None, 0)


@pytest.mark.parametrize("driver, file", FORMATS)
def test_limits_of_a_statement_come_before_those_of_a_query(runtime, folder, driver, file):
    for statement, wanted in (("SELECT k FROM t LIMIT 5", range(5)), ("SELECT k FROM t OFFSET 57", range(57, 60)),
                              ("SELECT k FROM t WHERE k > 9 LIMIT 5", range(10, 15)),
                              ("SELECT k FROM t ORDER BY k DESC LIMIT 3", range(57, 60))):
        source = alidade.FeatureSource(runtime, folder / file, statement=statement)
        assert found(source) == list(wanted), statement
        assert found(source, envelope=(2.5, -1, 58.5, 1)) == [key for key in wanted if 2.5 < key < 58.5], statement
        assert len(source.query(limit=2)) == 2 and source.count(where="k > 11") == sum(key > 11 for key in wanted)


def test_ids_and_names_that_mean_two_things(runtime, folder):
    """An id column that is not called FID in addition to an attribute FID, attributes called rowid, names of other columns."""
    path = str(folder / "odd.gpkg")
    data = ogr.GetDriverByName("GPKG").CreateDataSource(path)
    layer = data.CreateLayer("t", options=["FID=id", "GEOMETRY_NAME=geom"])
    for name in ("FID", "k"):
        layer.CreateField(ogr.FieldDefn(name, ogr.OFTInteger))
    for number in range(1, 6):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature["FID"], feature["k"] = 100 - number, number
        feature.SetGeometry(ogr.CreateGeometryFromWkt(f"POINT ({number} 0)"))
        layer.CreateFeature(feature)
    layer = feature = data = None
    for condition, wanted in (("id = 3", [3]), ("FID = 98", [2]), ("geom IS NOT NULL AND id < 3", [1, 2])):
        assert found(alidade.FeatureSource(runtime, path), where=condition) == wanted, condition
        statement = alidade.FeatureSource(runtime, path, statement=f"SELECT id, k FROM t WHERE {condition}")
        assert found(statement) == wanted and statement.fields[0].name == "id", condition
        count = alidade.FeatureSource(runtime, path, statement=f"SELECT COUNT(*) AS n FROM t WHERE {condition}")
        assert count.query().values("n")[0] == len(wanted), condition
    with pytest.raises(alidade.errors.InvalidArgumentError, match="is the geometry"):
        alidade.FeatureSource(runtime, path, statement="SELECT geom FROM t")
    with pytest.raises(alidade.errors.InvalidArgumentError, match="name of a column of another type"):
        alidade.FeatureSource(runtime, path, statement="SELECT DISTINCT k + 0.5 AS k FROM t")
    with pytest.raises(alidade.errors.InvalidArgumentError, match="no column alidade_where_0"):
        alidade.FeatureSource(runtime, path, statement="SELECT k FROM t WHERE FID = 98").query(where="alidade_where_0 = 98")
    (folder / "rows.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": 7 - number, "properties": {"rowid": number, "k": number}, "geometry": None}
        for number in range(4)]}))
    for condition, wanted in (("FID = 7", [0]), ("rowid = 3", [3])):
        assert found(alidade.FeatureSource(runtime, folder / "rows.geojson"), where=condition) == wanted
        statement = f"SELECT MAX(k) AS v FROM rows WHERE {condition}"
        assert alidade.FeatureSource(runtime, folder / "rows.geojson", statement=statement).query().values("v")[0] == wanted[0]


@pytest.mark.parametrize("file", [file for _, file in FORMATS] + ["t.gdb"])
def test_sums_of_ids(runtime, folder, file):
    """A file geodatabase calls its ids OBJECTID, a GeoPackage fid, SQLite ogc_fid; GDAL's tables have no such columns."""
    if file == "t.gdb" and not (folder / file).exists():
        gdal.VectorTranslate(str(folder / file), str(folder / "t.geojson"), format="OpenFileGDB")
    names = {"t.gdb": ["FID", "OBJECTID", "objectid"], "t.gpkg": ["FID", "fid"], "t.sqlite": ["FID", "ogc_fid"]}
    ids = alidade.FeatureSource(runtime, folder / file).query().ids.tolist()
    some = sorted(ids)[40]

    def values(statement):
        source = alidade.FeatureSource(runtime, folder / file, statement=statement)
        features = source.query()
        return [list(features.values(number)) for number in range(len(source.fields))]

    for name in names.get(file, ["FID"]):
        assert values(f"SELECT MIN({name}), MAX({name}), SUM({name}), COUNT(DISTINCT {name}), AVG({name}) FROM t") == [
            [min(ids)], [max(ids)], [sum(ids)], [len(ids)], [sum(ids) / len(ids)]], name
        assert values(f"SELECT COUNT(*) FROM t WHERE {name} > {some}") == [[sum(id > some for id in ids)]], name
        assert values(f"SELECT COUNT(*) FROM t WHERE {name} = {some}") == [[1]], name
        assert values(f"SELECT DISTINCT {name} FROM t ORDER BY {name} LIMIT 3") == [sorted(ids)[:3]], name
        assert values(f"SELECT DISTINCT {name} AS v, k FROM t ORDER BY {name} LIMIT 2")[0] == sorted(ids)[:2], name


@pytest.mark.parametrize("driver, file", FORMATS)
def test_each_column_of_a_sum_is_there(runtime, folder, database, driver, file):
    def source(items):
        return alidade.FeatureSource(runtime, folder / file, statement=f"SELECT {items} FROM t")

    for items, names in (("COUNT(DISTINCT n), COUNT(n), MAX(k)", ["COUNT_n", "COUNT_n_2", "MAX_k"]),
                         ("COUNT(n), COUNT(n) AS count_n, MAX(k)", ["COUNT_n_2", "count_n", "MAX_k"]),
                         ("MAX(n), MAX(N), MAX(n)", ["MAX_n", "MAX_N_2", "MAX_n_3"]),
                         ("DISTINCT k, k, n", ["k", "k_2", "n"])):
        found = source(items)
        wanted = database.execute(f"SELECT {items} FROM t").fetchone()
        assert [field.name for field in found.fields] == names, items
        assert [found.query().values(number)[0] for number in range(3)] == list(wanted), items
    for name in ("fid", "FID", "ogc_fid", "OGC_FID", "_rowid_"):
        with pytest.raises(alidade.errors.InvalidArgumentError, match=f"called {name}, which GDAL takes for the ids"):
            source(f"COUNT(*) AS n, MAX(k) AS {name}")
    with pytest.raises(alidade.errors.InvalidArgumentError, match="Two columns of the result are called V"):
        source("COUNT(*) AS v, MAX(k) AS V")


@pytest.mark.parametrize("driver, file", FORMATS)
def test_signs_bind_as_in_sqlite(runtime, folder, database, driver, file):
    source = alidade.FeatureSource(runtime, folder / file)
    for condition, count in (("k + 1 || 2 = 17", 1), ("k + 1 || 2 = '17'", 0), ("2 * k || 4 = 68", 1),
                             ("'1' || k / 5 = 3", 5), ("-k || 1 = '-51'", 1), ("1 || 2 || 3 = '123'", 60),
                             ("i + 1 > -9223372036854775808 + 1", None),
                             ("i - 1 = -9223372036854775808 + 9223372036854775807 + 5", None)):
        wanted = expected(database, condition)
        assert found(source, where=condition) == wanted and count in (None, len(wanted)), condition


def test_lists_and_casts(runtime, folder, database):
    longer = ", ".join(map(str, [1, 2, *range(990, 1000)]))
    for file in ("t.geojson", "t.gpkg"):
        source = alidade.FeatureSource(runtime, folder / file)
        for numbers in ("1, 2", longer):
            for cast, theirs in (("CAST(i AS CHARACTER(3))", "SUBSTR(CAST(i AS TEXT), 1, 3)"), ("CAST(i AS TEXT)",) * 2,
                                 ("CAST(t AS INTEGER)",) * 2, ("t",) * 2, ("i",) * 2, ("n + 1",) * 2):
                assert found(source, where=f"{cast} IN ({numbers})") == expected(database, f"{theirs} IN ({numbers})")


def test_a_sum_opens_nothing_else(folder, tmp_path):
    """Neither another file that the text of this one names, nor this one again by another driver; nothing is written."""
    point = {"type": "Point", "coordinates": [0, 0]}
    secret = {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"k": 99}, "geometry": point}]}
    (tmp_path / "s.geojson").write_text(json.dumps(secret))
    vrt = ("<OGRVRTDataSource><OGRVRTLayer name='t'><SrcDataSource relativeToVRT='1'>s.geojson</SrcDataSource>"
           "<SrcLayer>s</SrcLayer></OGRVRTLayer></OGRVRTDataSource>")
    (tmp_path / "t.geojson").write_text(json.dumps({
        "type": "FeatureCollection", "description": vrt, "name": "t", "features": [
            {"type": "Feature", "properties": {"k": key}, "geometry": point} for key in (1, 2)]}))
    gdal.VectorTranslate(str(tmp_path / "t.gml"), str(folder / "t.geojson"), format="GML", datasetCreationOptions=["XSISCHEMA=OFF"])
    gdal.VectorTranslate(str(tmp_path / "t.csv"), str(folder / "t.geojson"), format="CSV")
    before = sorted(entry.name for entry in tmp_path.iterdir())
    for file, most, policy in (("t.geojson", 2, alidade.Policy.untrusted()), ("t.gml", 59, alidade.Policy()),
                               ("t.csv", 59, alidade.Policy.untrusted())):
        with alidade.Runtime(policy=policy) as runtime:
            source = alidade.FeatureSource(
                runtime, tmp_path / file, statement="SELECT COUNT(*) AS n, MAX(k) AS v, MIN(k), AVG(k) FROM t WHERE k > 0")
            assert source.query().values("v")[0] == most and source.query().values("n")[0] == most, file
            assert source.count() == 1
    assert sorted(entry.name for entry in tmp_path.iterdir()) == before


def test_what_a_statement_cannot_compute_is_refused(runtime, folder):
    for item in ("i / n", "i % n", "SUBSTR(t, 1, 1)", "CAST(t AS CHARACTER(1))", "(i = 1)", "LOWER(t)"):
        with pytest.raises(alidade.errors.UnsupportedError):
            alidade.FeatureSource(runtime, folder / "t.geojson", statement=f"SELECT {item} AS v FROM t")
    source = alidade.FeatureSource(runtime, folder / "t.geojson", statement="SELECT i / 2 AS v, i * -1 AS w FROM t WHERE i = 5")
    assert source.query().values("v")[0] == 2 and source.query().values("w")[0] == -5
    with pytest.raises(alidade.errors.NotFoundError, match="no layer u; it has t"):
        alidade.FeatureSource(runtime, folder / "t.geojson", statement="SELECT * FROM u")
    with pytest.raises(alidade.errors.InvalidArgumentError, match="no column x"):
        alidade.FeatureSource(runtime, folder / "t.geojson", statement="SELECT x FROM t")
    for mixed in ("k, COUNT(*)", "*, MAX(k)"):
        with pytest.raises(alidade.errors.InvalidArgumentError, match="mixes"):
            alidade.FeatureSource(runtime, folder / "t.geojson", statement=f"SELECT {mixed} FROM t")
    with pytest.raises(alidade.errors.InvalidArgumentError, match="needs numbers"):
        alidade.FeatureSource(runtime, folder / "t.geojson", statement="SELECT SUM(t) FROM t")


def test_special_fields_of_gdal(runtime, folder):
    source = alidade.FeatureSource(runtime, folder / "t.geojson")
    assert found(source, where="OGR_GEOMETRY = 'POINT' AND OGR_GEOM_AREA = 0 AND OGR_STYLE IS NULL") == list(range(60))
    assert found(source, where="OGR_GEOM_WKT LIKE 'POINT (7 %'") == [7]
    statement = alidade.FeatureSource(runtime, folder / "t.geojson", statement="SELECT k FROM t WHERE OGR_GEOM_WKT LIKE '% (7 %'")
    assert found(statement) == [7]

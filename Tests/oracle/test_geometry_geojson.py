"""GeoJSON in and out: against Python's own json, OGR and Shapely."""

import json
import random
from fractions import Fraction

import pytest
import shapely.affinity
import shapely.geometry
import shapely.ops
import shapely.wkt
from osgeo import ogr

import alidade
from alidade import Geometry, GeometryArray
from geometries import text

SEEDS = range(200)


def lists(value):
    """The same with lists for tuples."""
    if isinstance(value, dict):
        return {name: lists(item) for name, item in value.items()}
    return [lists(item) for item in value] if isinstance(value, (list, tuple)) else value


def area(points):
    """Exact, and above 0 for counterclockwise: rings here cross themselves, where it is the area that counts."""
    exact = [(Fraction(x), Fraction(y)) for x, y, *_ in points]
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(exact, exact[1:]))


def as_json(geometry):
    """What OGR's geometry is in GeoJSON, by its own coordinates: OGR's writer rounds."""
    kind = geometry.GetGeometryName()

    def positions(line):
        get = line.GetPoint if geometry.Is3D() else line.GetPoint_2D
        return [list(get(i)) for i in range(0 if line.IsEmpty() else line.GetPointCount())]

    def parts(of):
        return [of.GetGeometryRef(i) for i in range(of.GetGeometryCount())]

    def polygon(of):
        rings = []
        for number, ring in enumerate(parts(of)):
            points = positions(ring)
            rings.append(points if (area(points) > 0) == (number == 0) else points[::-1])
        return rings

    makers = {
        "POINT": ("Point", lambda: (positions(geometry) or [[]])[0]),
        "LINESTRING": ("LineString", lambda: positions(geometry)),
        "POLYGON": ("Polygon", lambda: polygon(geometry)),
        "MULTIPOINT": ("MultiPoint", lambda: [positions(part)[0] for part in parts(geometry)]),
        "MULTILINESTRING": ("MultiLineString", lambda: [positions(part) for part in parts(geometry)]),
        "MULTIPOLYGON": ("MultiPolygon", lambda: [polygon(part) for part in parts(geometry)]),
    }
    if kind == "GEOMETRYCOLLECTION":
        return {"type": "GeometryCollection", "geometries": [as_json(part) for part in parts(geometry)]}
    name, make = makers[kind]
    return {"type": name, "coordinates": make()}


@pytest.mark.parametrize("seed", SEEDS)
def test_round_trips(runtime, seed):
    local = alidade.SpatialReference.from_code(runtime, 3857)
    wkt = text(random.Random(seed), dimensions=(seed % 2 == 0, False), is_wild=False)
    geometry = Geometry.from_wkt(runtime, wkt, local)
    written = geometry.to_geojson(crs_member=True)
    value = json.loads(written)
    assert value.pop("crs")["properties"]["name"] == "urn:ogc:def:crs:EPSG::3857"
    assert value == as_json(ogr.CreateGeometryFromWkt(wkt))
    # In both ways Python writes it, and with members in another order.
    again = Geometry.from_geojson(runtime, written)
    assert again.spatial_reference.is_equivalent(local)
    assert again.to_geojson(crs_member=True) == written
    turned = json.dumps(dict(reversed(value.items())), indent=1)
    assert Geometry.from_geojson(runtime, turned, local).equals(again)
    assert lists(geometry.__geo_interface__) == value


@pytest.mark.parametrize("seed", SEEDS)
def test_reads_what_shapely_writes(runtime, seed):
    source = random.Random(seed + 5000)
    wkt = text(source, source.choice(["POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTIPOLYGON"]), (False, False))
    if "EMPTY" in wkt:
        return
    value = shapely.geometry.mapping(shapely.wkt.loads(wkt))
    read = Geometry.from_geojson(runtime, value)
    assert read.spatial_reference.info.code == "4326"
    assert read.equals(Geometry.from_wkt(runtime, "SRID=4326;" + wkt))
    if "Polygon" not in value["type"]:
        assert shapely.geometry.shape(read).equals_exact(shapely.geometry.shape(value), 0)


def test_features(runtime):
    point = {"type": "Point", "coordinates": [1, 2, 3, 4]}
    feature = {"bbox": [1], "type": "Feature", "properties": {"type": "x", "a": [1, {"b": None}]}, "geometry": point}
    assert Geometry.from_geojson(runtime, feature).to_wkt() == "POINT Z (1 2 3)"
    collection = {"type": "FeatureCollection", "features": [feature, {"type": "Feature", "geometry": None}, feature]}
    array = GeometryArray.from_geojson(runtime, json.dumps(collection))
    assert [each.to_wkt() for each in array] == ["POINT Z (1 2 3)", "GEOMETRYCOLLECTION EMPTY", "POINT Z (1 2 3)"]
    assert len(GeometryArray.from_geojson(runtime, json.dumps(point))) == 1
    assert len(GeometryArray.from_geojson(runtime, json.dumps(feature))) == 1
    with pytest.raises(alidade.errors.InvalidArgumentError, match="collection of features"):
        Geometry.from_geojson(runtime, collection)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="the feature has no geometry"):
        Geometry.from_geojson(runtime, {"type": "Feature", "geometry": None})
    mixed = '{"type":"LineString","coordinates":[[1,2],[3,4,5]]}'
    assert Geometry.from_geojson(runtime, mixed).to_wkt() == "LINESTRING Z (1 2 nan, 3 4 5)"
    assert Geometry.from_geojson(runtime, mixed).to_geojson() == mixed


def test_escapes_in_names(runtime):
    written = r'{"t\u0079pe": "Poi\u006et", "x\ud83d\ude00\n\"": "\/", "coordinates": [1, 2]}'
    assert json.loads(written)["type"] == "Point"
    assert Geometry.from_geojson(runtime, written).to_wkt() == "POINT (1 2)"


def test_crs_members(runtime):
    def read(crs):
        return Geometry.from_geojson(runtime, {"type": "Point", "coordinates": [1, 2], "crs": crs})

    named = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::27700"}}
    assert read(named).spatial_reference.info.code == "27700"
    assert read({"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}).spatial_reference is not None
    assert read(None).spatial_reference is None
    with pytest.raises(alidade.errors.NotFoundError, match=r"\$.crs: "):
        read({"type": "name", "properties": {"name": "EPSG:999999"}})
    with pytest.raises(alidade.errors.UnsupportedError, match=r"\$.crs: only"):
        read({"type": "link", "properties": {"href": "x"}})


def test_other_spatial_references_are_refused(runtime):
    point = Geometry.from_wkt(runtime, "SRID=27700;POINT (1 2)")
    with pytest.raises(alidade.errors.UnsupportedError, match="project it first"):
        point.to_geojson()
    assert Geometry.from_wkt(runtime, "POINT (1 2)").to_geojson() == '{"type":"Point","coordinates":[1,2]}'
    bare = Geometry.from_wkt(runtime, "POINT EMPTY")
    assert bare.to_geojson(crs_member=True) == '{"type":"Point","crs":null,"coordinates":[]}'
    assert Geometry.from_geojson(runtime, bare.to_geojson(crs_member=True)).equals(bare)
    local = alidade.SpatialReference(runtime, "+proj=tmerc +lat_0=1 +lon_0=2 +ellps=GRS80")
    with pytest.raises(alidade.errors.UnsupportedError, match="has no code"):
        Geometry.from_wkt(runtime, "POINT (1 2)", local).to_geojson(crs_member=True)
    assert Geometry.from_wkt(runtime, "POINT (1 2)", local).__geo_interface__["coordinates"] == (1, 2)
    written = Geometry.from_wkt(runtime, "POINT (1.23456 2)").to_geojson(decimals=2)
    assert written == '{"type":"Point","coordinates":[1.23,2]}'


MALFORMED = [
    ("", "$ (character 1): expected an object, and found the end of the text"),
    ("[]", '$ (character 1): expected an object, and found "["'),
    ('{"type": "Point"}', '$ (character 10): the Point has no "coordinates"'),
    ('{"coordinates": [1, 2]}', '$ (character 1): the object has no "type"'),
    ('{"type": "Pt", "coordinates": [1, 2]}', '$ (character 10): the type is "Pt"'),
    ('{"type": "Point", "coordinates": [1]}', "$.coordinates (character 34): a position has 1 numbers"),
    ('{"type": "Point", "coordinates": [1, "2"]}', "$.coordinates (character 38): expected a number"),
    ('{"type": "Point", "coordinates": [1, 02]}', "$.coordinates[1] (character 38): expected a value"),
    ('{"type": "Point", "coordinates": [1, 2}', "$.coordinates (character 39): expected"),
    ('{"type": "Point", "coordinates": [1, 1e999]}', "$.coordinates (character 38): the number is too large"),
    ('{"type": "Point", "coordinates": [1, 2]} 3', "$ (character 42): the text goes on"),
    ('{"type": "Point", "coordinates": [1, 2],}', "$ (character 41): expected the name of a member"),
    ('{"type": "Point", "type": "Point", "coordinates": [1, 2]}', "$.type (character 27): the member is there twice"),
    ('{"type": "Point", "a": tru, "coordinates": [1, 2]}', "$.a (character 24): expected a value"),
    ('{"type": "Point", "a": "\\x", "coordinates": [1, 2]}', "$.a (character 25): an escape is not valid"),
    ('{"type": "Point", "a": "\\ud800", "coordinates": [1, 2]}', "$.a (character 25): an escape is half"),
    ('{"type": "Point", "a": "\n", "coordinates": [1, 2]}', "$.a (character 25): a string holds a control"),
    ('{"type": "LineString",\n "coordinates": [[1, 2], [3]]}', "$.coordinates[1] (line 2, character 26): a position"),
    ('{"type": "LineString", "coordinates": [[1, 2]]}', "$.coordinates (character 39): a line has one vertex"),
    (
        '{"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 1]]]}',
        "$.coordinates[0] (character 37): a ring is not closed",
    ),
    (
        '{"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1]}]}',
        "$.geometries[0].coordinates (character 80): a position has 1 numbers",
    ),
]


@pytest.mark.parametrize(("written", "words"), MALFORMED)
def test_malformed_texts_say_where(runtime, written, words):
    with pytest.raises(alidade.errors.InvalidArgumentError) as failure:
        Geometry.from_geojson(runtime, written)
    assert f"GeoJSON, {words}" in failure.value.message


def test_every_beginning_is_refused(runtime):
    """And so is what Python's json refuses, of texts with one character changed."""
    source = random.Random(3)
    for seed in range(30):
        whole = json.dumps(as_json(ogr.CreateGeometryFromWkt(text(source, dimensions=(True, False)))))
        for size in range(len(whole)):
            with pytest.raises(alidade.errors.InvalidArgumentError):
                Geometry.from_geojson(runtime, whole[:size])
        for _ in range(100):
            place = source.randrange(len(whole))
            changed = whole[:place] + source.choice('{}[]",:0e-. x') + whole[place + 1 :]
            try:
                Geometry.from_geojson(runtime, changed)
            except alidade.errors.InvalidArgumentError:
                continue
            json.loads(changed)


def test_depth(runtime):
    def nested(depth):
        inside = '{"type":"Point","coordinates":[1,2]}'
        return '{"type":"GeometryCollection","geometries":[' * depth + inside + "]}" * depth

    assert Geometry.from_geojson(runtime, nested(32)).vertex_count == 1
    with pytest.raises(alidade.errors.InvalidArgumentError, match="collections are nested more than 32 deep"):
        Geometry.from_geojson(runtime, nested(33))
    for deep in (nested(100_000), '{"type":' + "[" * 1_000_000, '{"a":' * 1_000_000):
        with pytest.raises(alidade.errors.InvalidArgumentError):
            Geometry.from_geojson(runtime, deep)


# The antimeridian


def cut_by_shapely(shape):
    """By Shapely: worlds from -2 to 2, each cut out and moved back."""
    pieces = []
    for world in range(-3, 4):
        frame = shapely.geometry.box(360 * world - 180, -1000, 360 * world + 180, 1000)
        piece = shape.intersection(frame)
        if piece.area or piece.length:
            pieces.append(shapely.affinity.translate(piece, -360 * world))
    return pieces


@pytest.mark.parametrize("seed", range(100))
def test_polygons_are_cut(runtime, seed):
    source = random.Random(seed)
    centre = source.choice([180, -180, 540, 200])
    shape = shapely.geometry.Point(centre + source.uniform(-30, 30), source.uniform(-40, 40)).buffer(
        source.uniform(1, 60), resolution=4
    )
    shape = shape.difference(shapely.geometry.Point(centre, 0).buffer(0.8))
    geometry = Geometry.from_wkb(runtime, shape.wkb)
    written = shapely.geometry.shape(json.loads(geometry.to_geojson()))
    assert written.is_valid and written.bounds[0] >= -180 and written.bounds[2] <= 180
    pieces = cut_by_shapely(shape)
    area = sum(piece.area for piece in pieces)
    assert written.area == pytest.approx(area, rel=1e-12) and area == pytest.approx(shape.area, rel=1e-12)
    assert written.symmetric_difference(shapely.ops.unary_union(pieces)).area < 1e-9


@pytest.mark.parametrize("seed", range(100))
def test_lines_are_cut(runtime, seed):
    source = random.Random(seed)
    points = [(source.uniform(-700, 700), source.uniform(-80, 80)) for _ in range(source.randint(2, 8))]
    line = shapely.geometry.LineString(points)
    written = shapely.geometry.shape(json.loads(Geometry.from_wkb(runtime, line.wkb).to_geojson()))
    assert written.bounds[0] >= -180 and written.bounds[2] <= 180
    assert written.length == pytest.approx(line.length, rel=1e-12)
    # In their order, the pieces hang together across the edge.
    parts = list(getattr(written, "geoms", [written]))
    assert parts[0].coords[0][1] == points[0][1] and parts[-1].coords[-1][1] == points[-1][1]
    for before, after in zip(parts, parts[1:]):
        assert before.coords[-1][1] == after.coords[0][1]
        assert {before.coords[-1][0], after.coords[0][0]} == {-180, 180}


@pytest.mark.parametrize(
    ("wkt", "expected"),
    [
        ("LINESTRING (170 0, 190 10)", "MULTILINESTRING ((170 0, 180 5), (-180 5, -170 10))"),
        ("LINESTRING Z (190 0 0, 170 10 10)", "MULTILINESTRING Z ((-170 0 0, -180 5 5), (180 5 5, 170 10 10))"),
        ("LINESTRING (170 0, -170 10)", "LINESTRING (170 0, -170 10)"),
        ("LINESTRING (170 0, 180 0, 180 10, 190 10)", "MULTILINESTRING ((170 0, 180 0, 180 10), (-180 10, -170 10))"),
        ("LINESTRING (180 0, 180 10)", "LINESTRING (180 0, 180 10)"),
        # The neighbours of 180 among the doubles.
        (
            "LINESTRING (179.99999999999997 0, 180.00000000000003 1)",
            "MULTILINESTRING ((179.99999999999997 0, 180 0.5), (-180 0.5, -179.99999999999997 1))",
        ),
        (
            "LINESTRING (-180 0, -180.00000000000003 1, -190 2)",
            "LINESTRING (180 0, 179.99999999999997 1, 170 2)",
        ),
        ("LINESTRING (190 0, 200 10)", "LINESTRING (-170 0, -160 10)"),
        ("MULTIPOINT ((180 0), (-180 0), (181 0), (-541 1))", "MULTIPOINT ((180 0), (-180 0), (-179 0), (179 1))"),
        ("POLYGON ((180 0, 190 0, 190 10, 180 10, 180 0))", "POLYGON ((-180 0, -170 0, -170 10, -180 10, -180 0))"),
    ],
)
def test_cuts_by_hand(runtime, wkt, expected):
    written = Geometry.from_wkt(runtime, wkt).to_geojson()
    shape = shapely.geometry.shape(json.loads(written))
    other = shapely.wkt.loads(expected)
    assert shape.equals(other) and shape.geom_type == other.geom_type
    if "POLYGON" not in wkt:
        assert [list(part.coords) for part in getattr(shape, "geoms", [shape])] == [
            list(part.coords) for part in getattr(other, "geoms", [other])
        ]


def test_members_that_do_not_cross_stay_as_they_are(runtime):
    bow_tie = "POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))"
    mixed = Geometry.from_wkt(runtime, f"GEOMETRYCOLLECTION (POINT (190 0), {bow_tie}, POLYGON ((1 0, 1 1, 0 0, 1 0)))")
    point, first, second = json.loads(mixed.to_geojson())["geometries"]
    assert point["coordinates"] == [-170, 0]
    assert first["coordinates"] == [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]]
    assert second["coordinates"] == [[[1, 0], [1, 1], [0, 0], [1, 0]]]


def test_control_characters_do_not_end_a_message(runtime):
    with pytest.raises(alidade.errors.InvalidArgumentError) as caught:
        Geometry.from_geojson(runtime, '{"type":"Point","a\\u0000b":nul}')
    assert '$."a\\u0000b" (character 28): expected a value' in str(caught.value)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="which is not a geometry type of GeoJSON"):
        Geometry.from_geojson(runtime, '{"type":"Po\\u0000int","coordinates":[1,2]}')


def test_what_cannot_be_cut(runtime):
    bow_tie = Geometry.from_wkt(runtime, "POLYGON ((170 0, 190 10, 190 0, 170 10, 170 0))")
    with pytest.raises(alidade.errors.UnsupportedError, match="repair it first"):
        bow_tie.to_geojson()
    with pytest.raises(alidade.errors.UnsupportedError, match="16 times around the earth"):
        Geometry.from_wkt(runtime, "LINESTRING (0 0, 1e300 0)").to_geojson()

"""Geometries: what they read and write, against OGR (which knows m), Shapely and Python's own number texts."""

import random
import struct

import pytest
import shapely.geos
import shapely.wkb
import shapely.wkt
from osgeo import ogr

import alidade
from alidade import Geometry
from alidade.geometry import GeometryFlags, GeometryKind
from geometries import KINDS, MARKS, ogr_wkb, text

SEEDS = range(400)


@pytest.mark.parametrize("seed", SEEDS)
def test_wkt_to_wkb_as_ogr_does(runtime, seed):
    wkt = text(random.Random(seed))
    geometry = Geometry.from_wkt(runtime, wkt)
    for big_endian in (False, True):
        expected = ogr_wkb(wkt, big_endian=big_endian)
        written = geometry.to_wkb(big_endian=big_endian)
        # Bit for bit; where there are NaNs, the sign of which is nobody's, as OGR reads it.
        if any(nan in expected for nan in (b"\x7f\xf8", b"\xf8\x7f", b"\xff\xf8", b"\xf8\xff")):
            again, other = ogr.CreateGeometryFromWkb(written), ogr.CreateGeometryFromWkb(expected)
            assert again.ExportToIsoWkt() == other.ExportToIsoWkt()
        else:
            assert written == expected
        assert Geometry.from_wkb(runtime, expected).equals(geometry)
        assert Geometry.from_wkb(runtime, written).equals(geometry)


@pytest.mark.parametrize("seed", SEEDS)
def test_texts_read_back_bit_for_bit(runtime, seed):
    geometry = Geometry.from_wkt(runtime, text(random.Random(seed + 10_000)))
    again = Geometry.from_wkt(runtime, geometry.to_wkt())
    assert again.to_wkb() == geometry.to_wkb()
    # OGR reads the text as the same numbers.
    assert Geometry.from_wkb(runtime, ogr_wkb(geometry.to_wkt())).equals(geometry)


@pytest.mark.parametrize("seed", SEEDS)
def test_counts_and_envelopes_as_ogr_has_them(runtime, seed):
    wkt = text(random.Random(seed + 20_000))
    geometry, other = Geometry.from_wkt(runtime, wkt), ogr.CreateGeometryFromWkt(wkt)
    assert geometry.is_empty == other.IsEmpty()
    assert geometry.vertex_count == _points(other)
    assert (geometry.has_z, geometry.has_m) == (bool(other.Is3D()), bool(other.IsMeasured()))
    if not geometry.is_empty:
        x_min, x_max, y_min, y_max = other.GetEnvelope()
        box = geometry.envelope
        assert (box.x_min, box.x_max, box.y_min, box.y_max) == (x_min, x_max, y_min, y_max)


def _points(geometry):
    # OGR counts a point in some empty ones.
    if geometry.IsEmpty():
        return 0
    parts = geometry.GetGeometryCount()
    return sum(_points(geometry.GetGeometryRef(i)) for i in range(parts)) if parts else geometry.GetPointCount()


@pytest.mark.parametrize("seed", range(200))
def test_ewkb_as_geos_writes_and_reads_it(runtime, seed):
    source = random.Random(seed + 30_000)
    kind = source.choice(KINDS)
    wkt = text(source, kind, (source.random() < 0.5, False))
    shape = shapely.wkt.loads(wkt)
    shapely.geos.lgeos.GEOSSetSRID(shape._geom, 27700)
    utm = alidade.SpatialReference.from_code(runtime, 27700)
    geometry = Geometry.from_wkt(runtime, wkt, utm)
    expected = shapely.wkb.dumps(shape, srid=27700)
    read = Geometry.from_wkb(runtime, expected)
    assert read.spatial_reference.is_equivalent(utm)
    written = geometry.to_wkb(extended=True)
    again = shapely.wkb.loads(written)
    assert shapely.geos.lgeos.GEOSGetSRID(again._geom) == 27700
    if not geometry.is_empty:
        # GEOS marks no z on members of collections that are empty.
        assert again.equals_exact(shape, 0) or "EMPTY" in wkt
    if "EMPTY" not in wkt:
        assert written == expected
        assert read.equals(geometry)


@pytest.mark.parametrize("mark", ["", " Z", "Z", " m", "M", " zM", "ZM"])
def test_spellings(runtime, mark):
    numbers = " ".join(str(n) for n in range(1, 3 + len(mark.strip())))
    expected = Geometry.from_wkt(runtime, f"POINT {mark.strip().upper()} ({numbers})")
    assert Geometry.from_wkt(runtime, f"  pOint{mark}\n(\t{numbers} )  ").equals(expected)


def test_older_forms(runtime):
    def same(a, b):
        return Geometry.from_wkt(runtime, a).equals(Geometry.from_wkt(runtime, b))

    assert same("POINT (1 2 3)", "POINT Z (1 2 3)")
    assert same("LINESTRING (1 2 3 4, 5 6 7 8)", "LINESTRING ZM (1 2 3 4, 5 6 7 8)")
    assert same("MULTIPOINT (1 2, 3 4)", "MULTIPOINT ((1 2), (3 4))")
    assert same("MULTIPOINT (EMPTY, 1 2)", "MULTIPOINT ((1 2))")
    assert same("POLYGON (EMPTY)", "POLYGON EMPTY")
    assert same("GEOMETRYCOLLECTION (POINT (1 2 3))", "GEOMETRYCOLLECTION (POINT Z (1 2 3))")
    assert same("POINT (+1e2 .5)", "POINT (100 0.5)")
    assert not same("MULTILINESTRING ((1 2, 3 4))", "LINESTRING (1 2, 3 4)")


def test_srids(runtime):
    geometry = Geometry.from_wkt(runtime, "SRID=2193;POINT (1 2)")
    assert geometry.spatial_reference.info.code == "2193"
    assert geometry.to_wkt(extended=True) == "SRID=2193;POINT (1 2)"
    assert geometry.to_wkt() == "POINT (1 2)"
    assert Geometry.from_wkt(runtime, "SRID=0;POINT (1 2)").spatial_reference is None
    with pytest.raises(alidade.errors.NotFoundError, match="SRID 900914"):
        Geometry.from_wkt(runtime, "SRID=900914;POINT (1 2)")
    with pytest.raises(alidade.errors.UnsupportedError, match="SRID 4978"):
        Geometry.from_wkt(runtime, "SRID=4978;POINT (1 2)")
    mercator = alidade.SpatialReference.from_code(runtime, 3857)
    assert Geometry.from_wkt(runtime, "SRID=900914;POINT (1 2)", mercator).spatial_reference == mercator
    assert not Geometry.from_wkt(runtime, "POINT (1 2)").equals(geometry)


@pytest.mark.parametrize(
    ("wkt", "decimals", "expected"),
    [
        ("POINT (0.125 -0.375)", 2, "POINT (0.12 -0.38)"),
        ("POINT (2.5 -0.5)", 0, "POINT (2 0)"),
        ("POINT (0.05 0.051)", 1, "POINT (0 0.1)"),
        ("POINT (1e22 1e-22)", 3, "POINT (10000000000000000000000 0)"),
        ("POINT Z (99.995 1.10 nan)", 2, "POINT Z (100 1.1 nan)"),
        ("POINT (1e22 1e-22)", None, "POINT (1e+22 1e-22)"),
        ("POINT (-0 0.1)", None, "POINT (-0 0.1)"),
    ],
)
def test_decimals(runtime, wkt, decimals, expected):
    assert Geometry.from_wkt(runtime, wkt).to_wkt(decimals=decimals) == expected


def test_decimals_round_as_python_does(runtime):
    from decimal import ROUND_HALF_EVEN, Decimal

    source = random.Random(7)
    for _ in range(2000):
        value, places = source.uniform(-1, 1) * 10 ** source.randint(-8, 9), source.randint(0, 12)
        written = Geometry.from_wkt(runtime, f"POINT ({value!r} 0)").to_wkt(decimals=places)
        expected = Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)
        assert Decimal(written.removeprefix("POINT (").split()[0]) == expected


MALFORMED_TEXTS = [
    ("", "character 1: expected POINT"),
    ("   ", "character 4: expected POINT"),
    ("POINTER (1 2)", "character 1: expected POINT"),
    ("POINT", 'character 6: expected "(" or EMPTY, and found the end of the text'),
    ("POINT (1)", 'character 9: expected a number (y), and found ")"'),
    ("POINT (1 2", 'character 11: expected "," or ")" after the 2 numbers of a vertex, and found the end of the text'),
    ("POINT (1 2 3 4 5)", 'character 12: expected "," or ")" after'),
    ("POINT Z (1 2)", "character 13: expected a number (z)"),
    ("POINT (1 2) x", 'character 13: expected the end of the text, and found "x"'),
    ("POINT (1, 2)", 'character 9: expected a number (y), and found ","'),
    ("POINT (1 1e)", "character 10: expected a number (y)"),
    ("POINT (1 1e999)", "character 10: the number is too large"),
    ("POINT (nan nan)", "character 8: the vertex (nan, nan"),
    ("POINT (1 inf)", 'character 10: expected a number (y), and found "inf"'),
    ("LINESTRING (1 2)", "character 12: a line has one vertex"),
    ("LINESTRING (1 2, 3 4 5)", "character 22: expected"),
    ("LINESTRING (\n1 2,\n3 x)", 'line 3, character 3: expected a number (y), and found "x"'),
    ("POLYGON ((0 0, 1 0, 1 1, 0 1))", "character 10: a ring is not closed"),
    ("POLYGON ((0 0, 1 0, 0 0))", "character 10: a ring has 3 vertices"),
    ("POLYGON (EMPTY, (0 0, 1 0, 1 1, 0 0))", "character 17: a polygon has a ring without vertices"),
    ("POLYGON ((0 0, 1 0, 1 1, 0 0), EMPTY)", "character 32: a polygon has a ring without vertices"),
    ("GEOMETRYCOLLECTION (POINT (1 2), POINT (3))", "character 42: expected a number (y)"),
    ("SRID=x;POINT (1 2)", "character 6: expected a whole number as SRID"),
    ("SRID=1e400;POINT (1 2)", "character 6: expected a whole number as SRID"),
    ("SRID=4326 POINT (1 2)", 'character 11: expected ";"'),
]


@pytest.mark.parametrize(("wkt", "words"), MALFORMED_TEXTS)
def test_malformed_texts_say_where(runtime, wkt, words):
    with pytest.raises(alidade.errors.InvalidArgumentError) as failure:
        Geometry.from_wkt(runtime, wkt)
    assert f"WKT, {words}" in failure.value.message
    assert failure.value.argument == 2


def test_depth(runtime):
    def nested(depth):
        return "GEOMETRYCOLLECTION (" * depth + "POINT (1 2)" + ")" * depth

    assert Geometry.from_wkt(runtime, nested(32)).vertex_count == 1
    with pytest.raises(alidade.errors.InvalidArgumentError, match="character 641: collections are nested more than 32 deep"):
        Geometry.from_wkt(runtime, nested(33))
    with pytest.raises(alidade.errors.InvalidArgumentError, match="nested more than 32 deep"):
        Geometry.from_wkt(runtime, nested(100_000))


@pytest.mark.parametrize(
    "name", ["CIRCULARSTRING (0 0, 1 1, 2 0)", "TIN EMPTY", "CURVEPOLYGON Z EMPTY", "TRIANGLEZM EMPTY"]
)
def test_curves_are_refused(runtime, name):
    with pytest.raises(alidade.errors.UnsupportedError, match="character 1: "):
        Geometry.from_wkt(runtime, name)


def test_truncated_wkb_says_where(runtime):
    """Every beginning of a WKB is refused, and the byte named is within it."""
    for seed in range(40):
        wkb = ogr_wkb(text(random.Random(seed + 40_000)))
        for size in range(len(wkb)):
            with pytest.raises(alidade.errors.InvalidArgumentError, match=r"WKB, byte \d+: ") as failure:
                Geometry.from_wkb(runtime, wkb[:size])
            assert int(failure.value.message.split("byte ")[1].split(":")[0]) <= size
        with pytest.raises(alidade.errors.InvalidArgumentError, match=f"byte {len(wkb)}: the geometry ends here"):
            Geometry.from_wkb(runtime, wkb + b"\0")


MALFORMED_BYTES = [
    ("02" "01000000", "byte 0: expected a byte order, 0 or 1, and found 2"),
    ("01" "00000000", "byte 1: expected a type from 1"),
    ("01" "a10f0000", "byte 1: expected a type from 1"),
    ("01" "02000000" "ffffffff", "byte 5: 4294967295 vertices are promised, and 0 bytes follow"),
    ("01" "03000000" "01000000" "ffffff7f", "byte 9: 2147483647 vertices are promised"),
    ("01" "07000000" "ffffffff", "byte 5: 4294967295 members are promised"),
    ("01" "04000000" "01000000" "01" "02000000" "00000000", "byte 9: a member has another type"),
    ("01" "01000000" + struct.pack("<dd", 1, float("nan")).hex(), "byte 5: the vertex (1, nan"),
    ("01" "01000000" + struct.pack("<dd", 1, float("inf")).hex(), "byte 5: the vertex (1, inf"),
    ("01" "e9030000" + struct.pack("<ddd", 1, 2, float("inf")).hex(), "byte 5: the vertex (1, 2, inf"),
    ("01" "02000000" "01000000" + struct.pack("<dd", 1, 2).hex(), "byte 0: a line has one vertex"),
    ("01" "03000000" "01000000" "04000000" + struct.pack("<8d", *range(8)).hex(), "byte 9: a ring is not closed"),
]


@pytest.mark.parametrize(("wkb", "words"), MALFORMED_BYTES)
def test_malformed_bytes_say_where(runtime, wkb, words):
    with pytest.raises(alidade.errors.InvalidArgumentError) as failure:
        Geometry.from_wkb(runtime, bytes.fromhex(wkb))
    assert f"WKB, {words}" in failure.value.message


def test_damaged_wkb_is_read_as_something_or_refused(runtime):
    """One byte changed: either an error, or a geometry that is written and read back as the same."""
    source = random.Random(50_000)
    mercator = alidade.SpatialReference.from_code(runtime, 3857)
    read = 0
    for _ in range(3000):
        wkb = bytearray(ogr_wkb(text(source)))
        wkb[source.randrange(len(wkb))] = source.randrange(256)
        try:
            geometry = Geometry.from_wkb(runtime, bytes(wkb), mercator)
        except (alidade.errors.InvalidArgumentError, alidade.errors.UnsupportedError):
            continue
        read += 1
        assert Geometry.from_wkb(runtime, geometry.to_wkb(), geometry.spatial_reference).equals(geometry)
    assert read > 500


def test_the_limit_counts_members_of_members():
    with alidade.Runtime(policy=alidade.Policy(max_request_points=1000)) as runtime:

        def nested(depth):
            points = "MULTIPOINT (" + ", ".join(["1 2"] * 100) + ")"
            return f"GEOMETRYCOLLECTION ({points}{', ' + nested(depth - 1) if depth else ''})"

        assert Geometry.from_wkt(runtime, nested(9)).vertex_count == 1000
        with pytest.raises(alidade.errors.LimitExceededError, match="1100 points; the policy allows 1000"):
            Geometry.from_wkt(runtime, nested(10))


def test_members_and_kinds(runtime):
    collection = Geometry.from_wkt(
        runtime, "GEOMETRYCOLLECTION (POINT (1 2), MULTIPOLYGON (((0 0, 3 0, 3 3, 0 0))), GEOMETRYCOLLECTION EMPTY)"
    )
    assert collection.kind is GeometryKind.COLLECTION
    point, polygon, empty = collection.members
    assert point.to_wkt() == "POINT (1 2)"
    assert polygon.flags == GeometryFlags.MULTI and polygon.part_count == polygon.path_count == 1
    assert empty.is_empty and not collection.is_empty
    assert polygon.envelope == alidade.Envelope(0, 0, 3, 3)
    with pytest.raises(alidade.errors.NotFoundError):
        collection._member(3)


def test_envelope(runtime):
    box = alidade.Envelope(1, 2, 3, 5)
    assert Geometry.from_envelope(runtime, box).to_wkt() == "POLYGON ((1 2, 3 2, 3 5, 1 5, 1 2))"
    with pytest.raises(alidade.errors.InvalidArgumentError):
        Geometry.from_envelope(runtime, alidade.Envelope(3, 2, 1, 5))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dimensions", MARKS)
def test_empty_ones_keep_their_kind(runtime, kind, dimensions):
    wkt = f"{kind}{MARKS[dimensions]} EMPTY"
    geometry = Geometry.from_wkt(runtime, wkt)
    assert geometry.to_wkt() == wkt and geometry.is_empty and geometry.envelope is None
    assert Geometry.from_wkb(runtime, geometry.to_wkb()).to_wkt() == wkt

"""Facts and texts of spatial references, against pyproj: for a sample of PROJ's whole database, and pair by pair."""

import json
import math
import random
import sqlite3
from pathlib import Path

import pyproj
import pytest

import alidade
from alidade import SpatialReference, Unit
from alidade.coordinates import SpatialReferenceFormat, SpatialReferenceKind, SpatialReferenceRelation

DATABASE = Path(pyproj.datadir.get_data_dir()) / "proj.db"
# Of each kind of system and authority in the database.
SAMPLE = {
    "projected": 260,
    "geographic 2D": 120,
    "geographic 3D": 40,
    "compound": 100,
    "vertical": 20,
    "geocentric": 20,
}

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning")


def database(query):
    with sqlite3.connect(f"file:{DATABASE}?mode=ro", uri=True) as connection:
        return connection.execute(query).fetchall()


def sample():
    chance = random.Random(4326)
    rows = database("SELECT type, auth_name || ':' || code FROM crs_view ORDER BY auth_name, code")
    codes = []
    for kind, count in SAMPLE.items():
        of_kind = [code for row_kind, code in rows if row_kind == kind]
        codes += [(kind, code) for code in chance.sample(of_kind, min(count, len(of_kind)))]
    return codes


MAPPABLE = [code for kind, code in sample() if kind not in ("vertical", "geocentric")]
OTHERS = [code for kind, code in sample() if kind in ("vertical", "geocentric")]


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


def bare(crs):
    """Without a transformation that is bound to it."""
    return crs.source_crs if crs.is_bound else crs


def horizontal(crs):
    return bare(crs.sub_crs_list[0]) if crs.is_compound else bare(crs)


def check_facts(info, crs):
    flat = horizontal(crs)
    axis = flat.axis_info[0]
    assert info.name == crs.name
    assert (info.authority, info.code) == (crs.to_authority(min_confidence=100) or (info.authority, info.code))
    kind = SpatialReferenceKind.GEOGRAPHIC if flat.is_geographic else SpatialReferenceKind.PROJECTED
    assert info.kind == kind
    assert info.unit_name == axis.unit_name
    factor = axis.unit_conversion_factor
    # Radians of arc along the equator.
    assert info.metres_per_unit == (factor * flat.ellipsoid.semi_major_metre if flat.is_geographic else factor)
    assert info.datum_name == flat.datum.name
    assert info.is_datum_ensemble == (flat.datum.type_name == "Datum Ensemble")
    assert info.ellipsoid_name == flat.ellipsoid.name
    assert info.semi_major_axis_m == flat.ellipsoid.semi_major_metre
    # Where an ellipsoid is given by its two axes, the way to the flattening costs digits.
    assert info.inverse_flattening == pytest.approx(flat.ellipsoid.inverse_flattening, rel=1e-12)
    meridian = flat.prime_meridian
    degrees = meridian.longitude * meridian.unit_conversion_factor * 180 / math.pi
    assert info.prime_meridian_deg == pytest.approx(degrees, rel=1e-14, abs=0)
    if axis.unit_auth_code == "EPSG" and info.unit is not None:
        # Codes of ways to write degrees are degrees.
        code = "9102" if axis.unit_name.startswith(("degree", "hemisphere degree")) else axis.unit_code
        assert str(alidade.units.unit_info(info.unit).epsg_code) == code
    if info.unit is not None:
        assert alidade.units.unit_info(info.unit).si_factor == pytest.approx(factor, rel=1e-10)
    if flat.is_geographic:
        assert info.world_width == pytest.approx(2 * math.pi / factor, rel=1e-14)


def check_area(area, crs):
    expected = crs.area_of_use
    if expected is None:
        assert area is None
        return
    assert (area.west_deg, area.south_deg, area.east_deg, area.north_deg, area.name) == (
        expected.west,
        expected.south,
        expected.east,
        expected.north,
        expected.name,
    )


def check_vertical(vertical, crs):
    if crs.is_compound:
        part = bare(crs.sub_crs_list[1])
        axis, name, datum = part.axis_info[0], part.name, part.datum.name
    elif len(bare(crs).axis_info) == 3:
        axis, datum = bare(crs).axis_info[2], ""
        name = axis.name
    else:
        assert vertical is None
        return
    assert (vertical.name, vertical.datum_name) == (name, datum)
    assert (vertical.unit_name, vertical.metres_per_unit) == (axis.unit_name, axis.unit_conversion_factor)
    assert vertical.is_ellipsoidal == (not crs.is_compound)
    assert vertical.is_depth == (axis.direction == "down")
    assert alidade.units.unit_info(vertical.unit).si_factor == pytest.approx(axis.unit_conversion_factor, rel=1e-10)


def test_the_sample_is_large():
    assert len(set(MAPPABLE)) >= 500


def test_facts(runtime):
    failures = []
    for code in MAPPABLE:
        with SpatialReference(runtime, code) as reference:
            crs = pyproj.CRS.from_user_input(code)
            try:
                check_facts(reference.info, crs)
                check_area(reference.info.area_of_use, crs)
                check_vertical(reference.info.vertical, crs)
            except AssertionError as error:
                failures.append(f"{code}: {error}")
    assert not failures, "\n".join(failures[:20])


def test_what_no_map_can_have(runtime):
    for code in OTHERS:
        with pytest.raises(alidade.errors.UnsupportedError):
            SpatialReference(runtime, code)


def in_order(crs):
    """The same system with easting or longitude first."""

    def put(system):
        axes = system.get("coordinate_system", {}).get("axis", [])
        if len(axes) > 1 and axes[0]["direction"] in ("north", "south") and axes[1]["direction"] in ("east", "west"):
            axes[0], axes[1] = axes[1], axes[0]
        for part in system.get("components", []):
            put(part)
        for key in ("source_crs", "base_crs"):
            if key in system:
                put(system[key])
        return system

    return pyproj.CRS.from_json(json.dumps(put(json.loads(crs.to_json()))))


def are_equivalent(a, b):
    """In both directions: with names of datums that are aliases PROJ's answer depends on which is asked."""
    if a.equals(b, ignore_axis_order=True) or b.equals(a, ignore_axis_order=True):
        return True
    a, b = in_order(a), in_order(b)
    return a.equals(b, ignore_axis_order=True) or b.equals(a, ignore_axis_order=True)


def test_round_trips(runtime, is_long):
    """pyproj reads a text of the library as the same system. Where a text would not be the same, it is refused; rarely.

    Each third system is tested, unless all are asked for: each has six forms, which are read twice and looked up.
    """
    codes = MAPPABLE if is_long else MAPPABLE[::3]
    failures = []
    written = dict.fromkeys(SpatialReferenceFormat, 0)
    for code in codes:
        crs = pyproj.CRS.from_user_input(code)
        with SpatialReference(runtime, code) as reference:
            for form in SpatialReferenceFormat:
                try:
                    text = reference.to_text(form)
                except alidade.errors.UnsupportedError:
                    continue
                written[form] += 1
                read = pyproj.CRS.from_user_input(text)
                with SpatialReference(runtime, text) as again:
                    if form is not SpatialReferenceFormat.PROJ_STRING:
                        if not are_equivalent(crs, read):
                            failures.append(f"{code} as {form.name}: pyproj")
                        if not again.is_equivalent(reference):
                            failures.append(f"{code} as {form.name}: Alidade")
                    elif not check_proj_string(again.info, reference.info):
                        failures.append(f"{code} as {text}")
    assert not failures, "\n".join(failures[:30])
    assert written[SpatialReferenceFormat.PROJJSON] == len(codes)
    least = {
        SpatialReferenceFormat.WKT2_2019: 0.99,
        SpatialReferenceFormat.WKT2_2015: 0.95,
        SpatialReferenceFormat.WKT1_GDAL: 0.85,
        SpatialReferenceFormat.WKT1_ESRI: 0.80,
        SpatialReferenceFormat.PROJ_STRING: 0.95,
    }
    shares = {form: written[form] / len(codes) for form in least}
    assert all(shares[form] >= share for form, share in least.items()), shares


def check_proj_string(again, info):
    """What a PROJ string can say must be right: kind, ellipsoid and unit."""
    close = math.isclose(again.metres_per_unit, info.metres_per_unit, rel_tol=1e-9)
    # A geographic PROJ string is in degrees.
    return (
        again.kind == info.kind
        and (close or info.kind is SpatialReferenceKind.GEOGRAPHIC)
        and math.isclose(again.semi_major_axis_m, info.semi_major_axis_m, rel_tol=1e-9)
    )


def test_texts_are_pyprojs(runtime):
    """PROJ's own words, through two doors."""
    for code in random.Random(7).sample(MAPPABLE, 60):
        crs = pyproj.CRS.from_user_input(code)
        with SpatialReference(runtime, code) as reference:
            assert json.loads(reference.to_projjson()) == json.loads(crs.to_json())
            for form in ("WKT2_2019", "WKT2_2015", "WKT1_GDAL", "WKT1_ESRI"):
                try:
                    text = reference.to_wkt(SpatialReferenceFormat[form])
                except alidade.errors.UnsupportedError:
                    continue
                options = {"pretty": True} if form != "WKT1_ESRI" else {}
                assert text == crs.to_wkt(form, **options) or text == crs.to_wkt(form)


DIFFERENT, SAME, AXES = (
    SpatialReferenceRelation.DIFFERENT,
    SpatialReferenceRelation.SAME,
    SpatialReferenceRelation.SAME_BUT_FOR_AXIS_ORDER,
)
# Web Mercator as files of 2007 have it.
OLD_WEB_MERCATOR = (
    'PROJCS["Google Maps Global Mercator",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],'
    'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Mercator_1SP"],'
    'PARAMETER["central_meridian",0],PARAMETER["scale_factor",1],PARAMETER["false_easting",0],'
    'PARAMETER["false_northing",0],UNIT["metre",1],EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 +lat_ts=0 '
    '+lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +wktext +no_defs"]]'
)
PAIRS = [
    ("EPSG:4326", "EPSG:4326", SAME),
    ("EPSG:4326", "urn:ogc:def:crs:EPSG::4326", SAME),
    ("EPSG:4326", "WGS 84", SAME),
    ("EPSG:4326", "OGC:CRS84", AXES),
    ("EPSG:4326", "CRS:84", AXES),
    ("EPSG:4326", "EPSG:4979", DIFFERENT),
    ("EPSG:4326", "EPSG:4326+5773", DIFFERENT),
    ("EPSG:4979", "EPSG:4326+5773", DIFFERENT),
    ("EPSG:4326+5773", "EPSG:9707", SAME),
    ("EPSG:4326", "EPSG:4277", DIFFERENT),
    ("EPSG:4326", "EPSG:4267", DIFFERENT),
    ("EPSG:3857", "EPSG:900913", None),
    ("EPSG:3857", OLD_WEB_MERCATOR, SAME),
    ("EPSG:3857", "EPSG:3395", DIFFERENT),
    ("EPSG:3857", "ESRI:102100", SAME),
    ("EPSG:27700", "EPSG:7405", DIFFERENT),
    ("EPSG:32632", "EPSG:32633", DIFFERENT),
    ("EPSG:32632", "EPSG:25832", DIFFERENT),
    # Easting, northing and the other way round.
    ("EPSG:3067", "EPSG:5048", AXES),
    ("EPSG:2225", "EPSG:26941", DIFFERENT),
]


@pytest.mark.parametrize("first, second, relation", [pair for pair in PAIRS if pair[2] is not None])
def test_relation(runtime, first, second, relation):
    a, b = SpatialReference(runtime, first), SpatialReference(runtime, second)
    assert a.compare(b) == relation
    assert b.compare(a) == relation
    assert a.is_equivalent(b) == (relation is not DIFFERENT)
    one, other = (pyproj.CRS.from_user_input("OGC:CRS84" if text == "CRS:84" else text) for text in (first, second))
    assert are_equivalent(one, other) == (relation is not DIFFERENT)
    assert one.equals(other) == (relation is SAME)


def test_relation_to_what_esri_writes(runtime):
    """The .prj file of the British national grid, as pyproj writes it."""
    for code in ("EPSG:27700", "EPSG:32632", "EPSG:2154", "EPSG:32038"):
        prj = pyproj.CRS.from_user_input(code).to_wkt("WKT1_ESRI")
        assert SpatialReference(runtime, prj).compare(SpatialReference(runtime, code)) == SAME
    lonlat = SpatialReference(runtime, pyproj.CRS.from_epsg(4326).to_wkt("WKT1_ESRI"))
    assert lonlat.compare(SpatialReference(runtime, "EPSG:4326")) == AXES


@pytest.mark.parametrize(
    "code, part",
    [
        ("EPSG:4979", "EPSG:4326"),
        ("EPSG:4326+5773", "EPSG:4326"),
        ("EPSG:9518", "EPSG:4326"),
        ("EPSG:7405", "EPSG:27700"),
        ("EPSG:5555", "EPSG:25832"),
        ("EPSG:27700", "EPSG:27700"),
    ],
)
def test_horizontal(runtime, code, part):
    flat = SpatialReference(runtime, code).horizontal
    expected = pyproj.CRS.from_user_input(part)
    assert flat.info.vertical is None
    assert pyproj.CRS.from_user_input(flat.to_projjson()).equals(expected)
    assert flat.compare(SpatialReference(runtime, part)) == SAME
    assert flat.horizontal.compare(flat) == SAME
    # It projects like any other.
    places = {"EPSG:4326": (9, 50), "EPSG:27700": (-2, 52), "EPSG:25832": (9, 50)}
    truth = pyproj.Transformer.from_crs(expected, 4258, always_xy=True)
    inside = pyproj.Transformer.from_crs(4258, expected, always_xy=True).transform(*places[part])
    found = flat.project([inside], SpatialReference(runtime, "EPSG:4258")).points[0]
    assert found == pytest.approx(truth.transform(*inside), abs=1e-9)


def test_third_dimension_does_not_change_where_points_are(runtime):
    """Heights count when systems are compared, and not when points are projected."""
    flat, solid = SpatialReference(runtime, "EPSG:4326"), SpatialReference(runtime, "EPSG:4979")
    points = [[12.5, 55.25], [-179.5, -10.125]]
    assert solid.project(points, flat).points.tolist() == points


@pytest.mark.parametrize(
    "code, width",
    [
        ("EPSG:3857", 2 * math.pi * 6378137),
        ("EPSG:3395", 2 * math.pi * 6378137),
        ("EPSG:4087", 2 * math.pi * 6378137),
        ("EPSG:4326", 360),
        ("EPSG:4807", 400),
        # Mercator with a standard parallel of 41 degrees south, and the cylindrical EASE-Grid 2.0 of 30 degrees.
        ("EPSG:3994", None),
        ("EPSG:6933", None),
        ("EPSG:32632", 0),
        ("EPSG:27700", 0),
        ("ESRI:54030", 0),
    ],
)
def test_world_width(runtime, code, width):
    if width is None:
        parallel = math.radians({"EPSG:3994": 41, "EPSG:6933": 30}[code])
        e2 = (2 - 1 / 298.257223563) / 298.257223563
        width = 2 * math.pi * 6378137 * math.cos(parallel) / math.sqrt(1 - e2 * math.sin(parallel) ** 2)
    info = SpatialReference(runtime, code).info
    assert info.world_width == pytest.approx(width, rel=1e-12)
    assert info.can_wrap == (width > 0)


def test_names_are_those_of_the_database(runtime):
    rows = database(
        "SELECT name, count(*), max(auth_name || ':' || code) FROM crs_view "
        "WHERE auth_name = 'EPSG' AND deprecated = 0 AND type IN ('projected', 'geographic 2D') GROUP BY lower(name) ORDER BY code"
    )
    unique = [(name, code) for name, count, code in rows if count == 1]
    for name, code in random.Random(3).sample(unique, 40):
        for spelling in (name, name.lower()):
            info = SpatialReference(runtime, spelling).info
            assert (f"{info.authority}:{info.code}", info.name) == (code, name)


def test_unit_of_a_spatial_reference(runtime):
    texas = SpatialReference(runtime, "EPSG:32038")
    assert texas.info.unit is Unit.US_SURVEY_FOOT
    assert texas.from_unit(1, Unit.STATUTE_MILE) == 5279.98944
    assert texas.to_unit(5279.98944, Unit.STATUTE_MILE) == 1

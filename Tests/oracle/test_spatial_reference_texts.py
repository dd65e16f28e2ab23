"""Texts that should describe a spatial reference: all forms, and all ways to be wrong."""

import time

import pyproj
import pytest

import alidade
from alidade import SpatialReference
from alidade.coordinates import SpatialReferenceFormat

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning")

UTM = pyproj.CRS.from_epsg(32632)
FORMS = {
    "code": ("EPSG:32632", UTM),
    "lower case": ("epsg:32632", UTM),
    "blanks around": ("  EPSG:32632\n", UTM),
    "Esri's code": ("ESRI:102100", pyproj.CRS.from_user_input("ESRI:102100")),
    "a code with letters": ("IGNF:LAMB93", pyproj.CRS.from_user_input("IGNF:LAMB93")),
    "URN": ("urn:ogc:def:crs:EPSG::32632", UTM),
    "compound URN": (
        "urn:ogc:def:crs,crs:EPSG::4326,crs:EPSG::5773",
        pyproj.CRS.from_user_input("EPSG:4326+5773"),
    ),
    "address": ("http://www.opengis.net/def/crs/EPSG/0/32632", UTM),
    "compound": ("EPSG:4326+5773", pyproj.CRS.from_user_input("EPSG:4326+5773")),
    "WMS": ("CRS:84", pyproj.CRS.from_user_input("OGC:CRS84")),
    "WKT 2": (UTM.to_wkt("WKT2_2019"), UTM),
    "WKT 2 of 2015, on several lines": (UTM.to_wkt("WKT2_2015", pretty=True), UTM),
    "WKT 2 with round brackets": (UTM.to_wkt("WKT2_2019").replace("[", "(").replace("]", ")"), UTM),
    "WKT 1 of GDAL": (UTM.to_wkt("WKT1_GDAL"), UTM),
    "WKT 1 of Esri": (UTM.to_wkt("WKT1_ESRI"), pyproj.CRS.from_user_input(UTM.to_wkt("WKT1_ESRI"))),
    "PROJJSON": (UTM.to_json(), UTM),
    "PROJJSON on several lines": (UTM.to_json(pretty=True), UTM),
    "PROJ string": ("+proj=utm +zone=32 +datum=WGS84", pyproj.CRS.from_proj4("+proj=utm +zone=32 +datum=WGS84")),
    "PROJ string that says so": (
        "+proj=utm +zone=32 +datum=WGS84 +type=crs",
        pyproj.CRS.from_proj4("+proj=utm +zone=32 +datum=WGS84"),
    ),
    "PROJ string without signs": (
        "proj=utm zone=32 datum=WGS84",
        pyproj.CRS.from_proj4("+proj=utm +zone=32 +datum=WGS84"),
    ),
    "PROJ string bound to WGS 84": (
        "+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy "
        "+towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489",
        pyproj.CRS.from_proj4(
            "+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy "
            "+towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489"
        ),
    ),
    "name": ("WGS 84 / UTM zone 32N", UTM),
    "name in another case": ("wgs 84 / utm ZONE 32n", UTM),
    "name with a round bracket": ("NAD83(CSRS)", pyproj.CRS.from_epsg(4617)),
    "name of a compound one": ("WGS 84 + EGM2008 height", pyproj.CRS.from_epsg(9518)),
}


@pytest.mark.parametrize("text, crs", FORMS.values(), ids=FORMS)
def test_form(runtime, text, crs):
    reference = SpatialReference(runtime, text)
    read = pyproj.CRS.from_user_input(reference.to_projjson())
    assert read.equals(crs)
    # Its definition is read again when something is projected.
    assert reference.horizontal.project([[0, 0]], reference).points.tolist() == [[0, 0]]


MALFORMED = {
    "nothing": "",
    "blanks": " \t\n ",
    "a number": "4326.5",
    "half a WKT": UTM.to_wkt("WKT2_2019")[:200],
    "a keyword": "GEOGCS",
    "an unknown keyword": 'NOTHING["x"]',
    "an ellipsoid": 'ELLIPSOID["GRS 1980",6378137,298.257222101]',
    "half a JSON": UTM.to_json()[:200],
    "another JSON": '{"type": "FeatureCollection", "features": []}',
    "JSON of an ellipsoid": UTM.ellipsoid.to_json(),
    "JSON of an operation": UTM.coordinate_operation.to_json(),
    "a parameter that is not valid": "+proj=utm +zone=99",
    "an unknown projection": "+proj=foo",
    "no projection": "+ellps=GRS80",
    "a pipeline": "+proj=pipeline +step +proj=utm +zone=32",
    "a pipeline that claims to be a system": "+proj=pipeline +step +proj=utm +zone=32 +type=crs",
    "an operation": "+proj=axisswap +order=2,1",
    "an operation of seven parameters": "+proj=helmert +x=1 +y=2 +z=3",
    "an operation that does nothing": "+proj=noop +type=crs",
    "a file by way of +init": "+init=/etc/passwd:root",
    "a file in a type": "+type=crs +init=/etc/passwd:root",
    "a file with blanks": "+proj=utm + init = /etc/passwd:root",
    "the old form of codes": "+init=epsg:4326",
    "a name that none has": "no such system",
    "a name of many": "Mercator",
    "a part of a name": "UTM zone 32N",
    "a name of two": "ED50 UTM fuseau 30",
    "a URN of an operation": "urn:ogc:def:coordinateOperation:EPSG::1671",
    "a path": "/etc/passwd",
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
def test_malformed(runtime, text):
    with pytest.raises(alidade.errors.InvalidArgumentError) as failure:
        SpatialReference(runtime, text)
    assert failure.value.argument == 2
    assert failure.value.message


def test_words_are_projs(runtime):
    def message(text):
        with pytest.raises(alidade.AlidadeError) as failure:
            SpatialReference(runtime, text)
        return failure.value.message

    for text in ('GEOGCS["x"]', "+proj=foo", "EPSG:99999"):
        with pytest.raises(pyproj.exceptions.CRSError) as truth:
            pyproj.CRS.from_user_input(text)
        # "... (Internal Proj Error: proj_create: crs not found)"
        words = str(truth.value).split("proj_create: ")[-1].removesuffix(")")
        assert words.split("(")[0] in message(text)
    assert "zone" in message("+proj=utm +zone=99")
    assert "operation" in message("+proj=pipeline +step +proj=utm +zone=32")
    assert "IGNF:ED50UTM30, IGNF:UTM30" in message("ED50 UTM fuseau 30")
    # An earlier failure is not reported again.
    assert "zone" not in message("no such system")


@pytest.mark.parametrize(
    "code", ["EPSG:99999", "EPSG:7019", "EPSG:1623", "foo:1", "EPSG:", "EPSG:99999999999999999999", "EPSG:4326@2020"]
)
def test_unknown_codes(runtime, code):
    with pytest.raises(alidade.errors.NotFoundError):
        SpatialReference(runtime, code)


@pytest.mark.parametrize("text", ["EPSG:4978", "EPSG:5773", "+proj=geocent +ellps=GRS80", "ITRF2014 no"])
def test_kinds_without_a_map(runtime, text):
    expected = alidade.errors.InvalidArgumentError if text.endswith(" no") else alidade.errors.UnsupportedError
    with pytest.raises(expected):
        SpatialReference(runtime, text)


def nested(kind, depth):
    flat = pyproj.CRS.from_epsg(4326).to_json()
    if kind == "bound":
        end = (
            f',"target_crs":{flat},"transformation":{{"name":"t","method":{{"name":"Geocentric translations"}},'
            '"parameters":[{"name":"X-axis translation","value":0,"unit":"metre"}]}}'
        )
        return '{"type":"BoundCRS","source_crs":' * depth + flat + end * depth
    axis = '{{"name":"{0}","abbreviation":"{0}","direction":"{1}","unit":"degree"}}'
    end = (
        ',"conversion":{"name":"x","method":{"name":"PROJ ob_tran o_proj=longlat"},"parameters":[]},'
        '"coordinate_system":{"subtype":"ellipsoidal","axis":['
        f'{axis.format("Lat", "north")},{axis.format("Lon", "east")}]}}}}'
    )
    return '{"type":"DerivedGeographicCRS","name":"x","base_crs":' * depth + flat + end * depth


def test_nesting_is_bounded(runtime):
    """PROJ takes minutes for a derived system of 25 levels: each doubles its time."""
    for text in (nested("derived", 30), nested("bound", 100), "{" * 100_000, '{"a":[' * 20_000, "GEOGCS[" * 30_000):
        start = time.monotonic()
        with pytest.raises(alidade.errors.LimitExceededError, match="brackets"):
            SpatialReference(runtime, text)
        assert time.monotonic() - start < 5
    # What is nested as deeply as real systems are goes through; brackets in names do not count.
    for text in (nested("derived", 2), nested("bound", 1), UTM.to_wkt().replace("WGS 84 / UTM", "[" * 200)):
        SpatialReference(runtime, text)
    quoted = UTM.to_json().replace('"WGS 84 / UTM zone 32N"', '"\\"' + "[" * 200 + '"')
    assert quoted != UTM.to_json()
    SpatialReference(runtime, quoted)


def test_length_is_bounded(runtime):
    crowded = "+proj=utm +zone=32 +ellps=GRS80" + "".join(f" +a{i}=1" for i in range(30_000))
    for text in ("x" * 262_145, "EPSG:4326" + " " * 262_144, "EPSG:" + "9" * 300_000, crowded, "+proj=utm" * 50_000,
                 "+proj=utm +zone=32" + " +south" * 30_000):
        start = time.monotonic()
        with pytest.raises(alidade.errors.LimitExceededError):
            SpatialReference(runtime, text)
        assert time.monotonic() - start < 5
    with alidade.Runtime(policy=alidade.Policy(max_request_bytes=10)) as small:
        SpatialReference(small, "EPSG:3857")
        with pytest.raises(alidade.errors.LimitExceededError):
            SpatialReference(small, "EPSG:32632 ")


def test_limits_hold_for_well_known_text_too(runtime):
    with pytest.raises(alidade.errors.LimitExceededError, match="brackets"):
        SpatialReference.from_wkt(runtime, 'GEOGCS["a",' * 10_000)
    with pytest.raises(alidade.errors.LimitExceededError):
        SpatialReference.from_wkt(runtime, "x" * 300_000)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="well-known"):
        SpatialReference.from_wkt(runtime, "EPSG:4326")


def test_what_a_form_cannot_say_is_refused(runtime):
    rotated = SpatialReference(runtime, "+proj=ob_tran +o_proj=longlat +o_lon_p=0 +o_lat_p=30 +ellps=GRS80")
    solid = SpatialReference(runtime, "EPSG:4979")
    # PROJ writes k=-1 and does not read it.
    south = SpatialReference(runtime, "ESRI:102473")
    for reference, form in (
        (rotated, SpatialReferenceFormat.WKT1_ESRI),
        (solid, SpatialReferenceFormat.WKT1_GDAL),
        (south, SpatialReferenceFormat.PROJ_STRING),
    ):
        with pytest.raises(alidade.errors.UnsupportedError) as failure:
            reference.to_text(form)
        assert "cannot be written" in failure.value.message
    with pytest.raises(alidade.errors.InvalidArgumentError):
        solid.to_text(7)

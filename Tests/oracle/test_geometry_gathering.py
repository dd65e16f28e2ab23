"""Geometries put together, and geometries of other libraries: WKB of any kind of bytes, __geo_interface__, Shapely."""

import codecs
import datetime
import json

import numpy as np
import pyproj
import pytest
import shapely
import shapely.geometry
import shapely.wkb
import shapely.wkt

import alidade
from alidade import Geometry, GeometryArray, SpatialReference
from alidade.geometry import GeometryKind

TEXTS = [
    "POINT (1 2)",
    "LINESTRING Z (0 0 1, 1 1 2)",
    "POLYGON ((0 0, 4 0, 4 4, 0 0), (1 0.5, 2 1, 2 0.5, 1 0.5))",
    "MULTIPOINT (1 2, 3 4)",
    "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0)), ((10 10, 14 10, 14 14, 10 10)))",
    "GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (0 0, 1 1))",
]


@pytest.fixture(scope="module")
def world(runtime):
    return SpatialReference(runtime, "EPSG:4326")


@pytest.fixture(scope="module")
def mercator(runtime):
    return SpatialReference(runtime, "EPSG:3857")


def of_text(runtime, wkt, reference=None):
    return Geometry.from_wkt(runtime, wkt, reference)


class Shown:
    """An object of some other library, of which only this is known."""

    def __init__(self, interface):
        self.__geo_interface__ = interface


def test_an_array_of_geometries(runtime, world):
    geometries = [of_text(runtime, text, world) for text in TEXTS]
    array = GeometryArray.from_geometries(runtime, [*geometries, geometries[0]])
    assert array.projection_receipt is None and array.spatial_reference.is_equivalent(world)
    for mine, given in zip(array, [*geometries, geometries[0]], strict=True):
        assert mine.equals(given) and mine.to_wkb() == given.to_wkb()


def test_an_array_of_those_of_an_array(runtime, world):
    """Rows of other columns, in another order; nothing of the other rows comes along."""
    array = GeometryArray.from_wkb(runtime, [of_text(runtime, text).to_wkb() for text in TEXTS], world)
    order = [4, 1, 5, 1]
    picked = GeometryArray.from_geometries(runtime, [array[index] for index in order])
    assert [geometry.to_wkb() for geometry in picked] == [array[index].to_wkb() for index in order]
    assert picked.vertex_count == sum(array[index].vertex_count for index in (4, 1, 1))


def test_others_are_projected_to_the_first(runtime, world, mercator):
    given = [of_text(runtime, "POINT (10 50)", world), of_text(runtime, "POINT (1e6 6e6)", mercator),
             of_text(runtime, "LINESTRING (5e5 5.5e6, 6e5 5.5e6)", SpatialReference(runtime, "EPSG:32632")),
             of_text(runtime, "POINT (2e6 6e6)", SpatialReference(runtime, "EPSG:3857")),
             of_text(runtime, "POINT (11 51)", SpatialReference(runtime, "OGC:CRS84"))]  # fmt: skip
    for made in (GeometryArray.from_geometries(runtime, given), Geometry.collection(runtime, given)):
        members = made.members if isinstance(made, Geometry) else list(made)
        assert made.spatial_reference.is_equivalent(world)
        x, y = pyproj.Transformer.from_crs(3857, 4326, always_xy=True).transform([1e6, 2e6], [6e6, 6e6])
        u, v = pyproj.Transformer.from_crs(32632, 4326, always_xy=True).transform([5e5, 6e5], [5.5e6, 5.5e6])
        expected = [[[10, 50]], [[x[0], y[0]]], np.stack([u, v], 1), [[x[1], y[1]]], [[11, 51]]]
        for member, xy in zip(members, expected, strict=True):
            np.testing.assert_allclose(member.xy, xy, rtol=0, atol=1e-11)
        receipt = made.projection_receipt
        # The two in Web Mercator are one group, though they have a spatial reference each; CRS84 stays as it is.
        assert receipt.point_count == 4 and [row.point_count for row in receipt.operations] == [2, 2]
        assert receipt.failed_count == 0


def test_a_vertex_without_image_is_named(runtime, world, mercator):
    given = [of_text(runtime, "POINT (0 0)", mercator), of_text(runtime, "POINT (0 0)", mercator),
             of_text(runtime, "POINT (1 1)", world), of_text(runtime, "LINESTRING (0 0, 0 90)", world)]  # fmt: skip
    for make in (GeometryArray.from_geometries, Geometry.collection):
        with pytest.raises(alidade.errors.ProjectionFailedError, match=r"geometry 3, path 0, vertex 1, at \(0, 90\)"):
            make(runtime, given)


@pytest.mark.parametrize("first_has_one", [True, False])
def test_some_without_spatial_reference(runtime, world, first_has_one):
    given = [of_text(runtime, "POINT (0 0)", world if first_has_one else None) for _ in range(3)]
    given[2] = of_text(runtime, "POINT (0 0)", None if first_has_one else world)
    for make in (GeometryArray.from_geometries, Geometry.collection):
        with pytest.raises(alidade.errors.InvalidArgumentError, match="eometry 2.*no spatial reference"):
            make(runtime, given)


def test_none_and_nothing(runtime):
    array = GeometryArray.from_geometries(runtime, [])
    assert len(array) == 0 and array.spatial_reference is None and array.projection_receipt is None
    assert Geometry.collection(runtime, []).to_wkt() == "GEOMETRYCOLLECTION EMPTY"
    without = GeometryArray.from_geometries(runtime, [of_text(runtime, text) for text in TEXTS])
    assert without.spatial_reference is None and len(without) == len(TEXTS)


def test_a_collection_as_shapely_makes_it(runtime):
    made = Geometry.collection(runtime, [of_text(runtime, text) for text in TEXTS])
    expected = shapely.geometry.GeometryCollection([shapely.wkt.loads(text) for text in TEXTS])
    assert made.kind is GeometryKind.COLLECTION and len(made.members) == len(TEXTS) and made.has_z
    # OGC's collections have one number of dimensions, so that Shapely's two-dimensional members are compared as such.
    for member, theirs in zip(made.members, expected.geoms, strict=True):
        assert shapely.wkb.loads(member.to_wkb()).equals_exact(theirs, 0)


def test_collections_within_collections(runtime):
    made = of_text(runtime, "POINT (1 2)")
    for _ in range(32):
        made = Geometry.collection(runtime, [made])
    assert made.vertex_count == 1 and made.to_wkt().count("GEOMETRYCOLLECTION") == 32
    with pytest.raises(alidade.errors.InvalidArgumentError, match="32 deep"):
        Geometry.collection(runtime, [made])
    assert len(GeometryArray.from_geometries(runtime, [made, made])) == 2


def test_a_hundred_thousand(runtime, world, mercator):
    count = 100_000
    xy = np.random.default_rng(5).uniform(-80, 80, (count, 2))
    ours = GeometryArray.from_columns(runtime, xy, kind=GeometryKind.POINT, spatial_reference=world)
    first = of_text(runtime, "POINT (0 0)", mercator)
    array = GeometryArray.from_geometries(runtime, [first, *ours])
    x, y = pyproj.Transformer.from_crs(4326, 3857, always_xy=True).transform(*xy.T)
    np.testing.assert_allclose(array.columns.xy[1:], np.stack([x, y], 1), rtol=0, atol=1e-6)
    assert array.projection_receipt.point_count == count


# MARK: other libraries


@pytest.mark.parametrize("text", TEXTS)
def test_shapely_in_and_out(runtime, world, text):
    theirs = shapely.wkt.loads(text)
    ours = Geometry.from_geo_interface(runtime, theirs, world)
    assert shapely.wkb.loads(ours.to_wkb()).equals_exact(theirs, 0) and ours.has_z == theirs.has_z
    assert ours.spatial_reference.is_equivalent(world)
    assert shapely.geometry.shape(ours).equals_exact(theirs, 0)
    bare = Geometry.from_geo_interface(runtime, theirs)
    assert bare.spatial_reference is None and bare.to_wkb() == ours.to_wkb()


def test_a_ring_of_shapelys_is_a_line(runtime):
    ring = shapely.geometry.LinearRing([(0, 0), (1, 0), (1, 1)])
    assert Geometry.from_geo_interface(runtime, ring).to_wkt() == "LINESTRING (0 0, 1 0, 1 1, 0 0)"


def test_mixed_sources(runtime, world):
    array = GeometryArray.from_geometries(
        runtime, [shapely.geometry.Point(1, 2), of_text(runtime, "POINT (3 4)", world),
                  {"type": "Point", "coordinates": (5.0, 6.0)}, Shown({"type": "Point", "coordinates": [7, 8]})], world,
    )  # fmt: skip
    assert array.columns.xy.tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert Geometry.collection(runtime, [shapely.geometry.Point(1, 2)]).to_wkt() == "GEOMETRYCOLLECTION (POINT (1 2))"


def test_as_geopandas_shows_it(runtime, world):
    """The form of GeoSeries and GeoDataFrame: ids, boxes, and properties that JSON does not know."""
    features = [
        {"id": "0", "type": "Feature", "bbox": (1.0, 2.0, 1.0, 2.0),
         "properties": {"when": datetime.date(2024, 1, 1), "what": float("nan")},
         "geometry": {"type": "Point", "coordinates": (1.0, 2.0)}},
        {"id": "1", "type": "Feature", "bbox": (), "properties": {"when": {1, 2}}, "geometry": None},
        {"id": "2", "type": "Feature", "properties": {},
         "geometry": shapely.geometry.box(0, 0, 1, 1).__geo_interface__},
    ]  # fmt: skip
    frame = {"type": "FeatureCollection", "features": features, "bbox": (0.0, 0.0, 1.0, 2.0)}
    for given in (Shown(frame), frame):
        array = GeometryArray.from_geo_interface(runtime, given, world)
        assert [geometry.kind for geometry in array] == [1, GeometryKind.COLLECTION, GeometryKind.POLYGON]
        assert array[1].is_empty and array.spatial_reference.is_equivalent(world)
        assert GeometryArray.from_geo_interface(runtime, given).spatial_reference is None
    assert GeometryArray.from_geojson(runtime, frame).spatial_reference.is_equivalent(world)
    shown = array.__geo_interface__
    assert shown["type"] == "FeatureCollection" and shown["features"][0]["geometry"] == features[0]["geometry"]
    assert shapely.geometry.shape(shown["features"][2]["geometry"]).equals(shapely.geometry.box(0, 0, 1, 1))
    again = GeometryArray.from_geo_interface(runtime, array)
    assert again.to_wkb() == array.to_wkb()
    assert json.loads(json.dumps(shown))["features"][1]["id"] == "1"


def test_numbers_of_numpys(runtime):
    mapping = {"type": "LineString", "coordinates": np.array([[1, 2], [3, 4]], dtype=np.float32)}
    assert Geometry.from_geojson(runtime, mapping).to_wkt() == "LINESTRING (1 2, 3 4)"
    assert GeometryArray.from_geojson(runtime, {"type": "Point", "coordinates": [np.int64(1), 2]})[0].xy.tolist() == [
        [1, 2]
    ]


@pytest.mark.parametrize("thing", [5, "POINT (1 2)", None, [1, 2], object()])
def test_what_shows_nothing(runtime, thing):
    for make in (Geometry.from_geo_interface, GeometryArray.from_geo_interface):
        with pytest.raises(TypeError, match="__geo_interface__"):
            make(runtime, thing)


@pytest.mark.parametrize("mapping", [{}, {"type": "Circle"}, {"type": "Point"}, {"type": "Feature", "geometry": 5}])
def test_what_shows_no_geometry(runtime, mapping):
    with pytest.raises(alidade.errors.InvalidArgumentError):
        Geometry.from_geo_interface(runtime, Shown(mapping))


@pytest.mark.parametrize("form", [bytes, bytearray, memoryview, lambda data: memoryview(bytearray(data)),
                                  lambda data: np.frombuffer(data, dtype=np.uint8)])  # fmt: skip
def test_wkb_of_any_bytes(runtime, form):
    data = shapely.wkb.dumps(shapely.wkt.loads(TEXTS[2]))
    assert Geometry.from_wkb(runtime, form(data)).to_wkb() == data
    assert GeometryArray.from_wkb(runtime, [form(data), data]).to_wkb() == [data, data]
    assert GeometryArray.from_wkb_buffer(runtime, form(data + data), [0, len(data), 2 * len(data)]).to_wkb() == [data] * 2


def test_wkb_of_an_iterator_and_of_no_bytes(runtime):
    data = shapely.wkb.dumps(shapely.geometry.Point(1, 2))
    assert len(GeometryArray.from_wkb(runtime, (data for _ in range(3)))) == 3
    for wrong in (5, "text", [1, 2]):
        with pytest.raises(TypeError):
            Geometry.from_wkb(runtime, wrong)


# MARK: byte order marks

MARK = "\ufeff"


def test_a_byte_order_mark_is_passed_over(runtime):
    assert MARK.encode() == codecs.BOM_UTF8
    assert Geometry.from_wkt(runtime, f"{MARK}SRID=3857;POINT (1 2)").to_wkt() == "POINT (1 2)"
    text = '{"type": "Point", "coordinates": [1, 2]}'
    assert Geometry.from_geojson(runtime, f"{MARK} {text}").to_wkt() == "POINT (1 2)"
    assert len(GeometryArray.from_geojson(runtime, MARK + text)) == 1


@pytest.mark.parametrize("text", [MARK, MARK + MARK + "POINT (1 2)", "POINT" + MARK + "(1 2)", "POINT (1 2)" + MARK])
def test_elsewhere_it_is_refused(runtime, text):
    with pytest.raises(alidade.errors.InvalidArgumentError):
        Geometry.from_wkt(runtime, text)


def test_places_do_not_count_it(runtime):
    for mark in ("", MARK):
        with pytest.raises(alidade.errors.InvalidArgumentError, match="character 9[^0-9]"):
            Geometry.from_wkt(runtime, f"{mark}POINT (1x 2)")
        with pytest.raises(alidade.errors.InvalidArgumentError, match="line 2, character 3[^0-9]"):
            Geometry.from_geojson(runtime, f'{mark}{{\n  x"type": 1}}')
        with pytest.raises(alidade.errors.InvalidArgumentError, match="character 1[^0-9]"):
            Geometry.from_wkt(runtime, f"{mark}?")

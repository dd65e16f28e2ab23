"""Whether geometries are valid, and repairing them: against Shapely."""

import random
import re

import pytest
import shapely.geometry
import shapely.validation
import shapely.wkb
import shapely.wkt
from osgeo import ogr

import alidade
from alidade import Geometry
from alidade.geometry import GeometryKind, RepairMethod
from geometries import KINDS, text

INVALID = {
    "POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))": ("Self-intersection", (1, 1)),
    "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (6 6, 7 6, 7 7, 6 6))": ("Hole lies outside shell", (6, 6)),
    "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1), (1 1, 1 2, 2 2, 2 1, 1 1))": None,
    "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0)), ((1 1, 1 2, 2 2, 2 1, 1 1)))": ("Nested shells", None),
}
TOUCHING = "POLYGON ((0 0, 4 0, 4 4, 2 0, 0 4, 0 0))"


@pytest.mark.parametrize(("wkt", "expected"), INVALID.items())
def test_reasons_and_places(runtime, wkt, expected):
    validity = Geometry.from_wkt(runtime, wkt).validity
    assert not validity and not validity.is_valid
    words, x, y = re.fullmatch(
        r"(.*)\[(\S+) (\S+)\]", shapely.validation.explain_validity(shapely.wkt.loads(wkt))
    ).groups()
    assert (validity.reason, validity.point) == (words, (float(x), float(y)))
    if expected:
        assert validity.reason == expected[0] and expected[1] in (None, validity.point)


@pytest.mark.parametrize("seed", range(150))
def test_random_ones_as_shapely_has_it(runtime, seed):
    wkt = text(random.Random(seed), dimensions=(False, False))
    geometry, shape = Geometry.from_wkt(runtime, wkt), shapely.wkt.loads(wkt)
    assert geometry.is_valid == shape.is_valid
    if shape.is_valid:
        validity = geometry.validity
        assert (validity.reason, validity.point) == ("", None)


@pytest.mark.parametrize("seed", range(150))
def test_repaired_as_shapely_does(runtime, seed):
    source = random.Random(seed + 1000)
    # Few different coordinates: many lines cross and touch.
    def ring():
        points = [(source.randint(0, 9), source.randint(0, 9)) for _ in range(source.randint(3, 7))]
        return [*points, points[0]]

    shape = shapely.geometry.MultiPolygon([(ring(), []) for _ in range(source.randint(1, 3))])
    geometry = Geometry.from_wkb(runtime, shape.wkb)
    repaired = geometry.repaired()
    again = shapely.wkb.loads(repaired.to_wkb())
    assert again.is_valid and repaired.is_valid
    expected = shapely.validation.make_valid(shape)
    assert again.equals(expected) or again.equals_exact(expected, 1e-9)
    assert geometry.is_valid == repaired.equals(geometry)
    structure = shapely.wkb.loads(geometry.repaired(RepairMethod.STRUCTURE).to_wkb())
    assert structure.is_valid and structure.geom_type in ("Polygon", "MultiPolygon")


def test_methods_differ(runtime):
    # Where two shells overlap, linework leaves a hole and structure unites.
    overlapping = Geometry.from_wkt(
        runtime, "MULTIPOLYGON (((0 0, 2 0, 2 2, 0 2, 0 0)), ((1 1, 3 1, 3 3, 1 3, 1 1)))"
    )
    assert shapely.wkb.loads(overlapping.repaired().to_wkb()).area == 6
    assert shapely.wkb.loads(overlapping.repaired(RepairMethod.STRUCTURE).to_wkb()).area == 7
    flat = Geometry.from_wkt(runtime, "POLYGON ((0 0, 2 0, 1 0, 0 0))")
    assert flat.repaired(RepairMethod.STRUCTURE).is_empty
    kept = flat.repaired(RepairMethod.STRUCTURE_KEEP_COLLAPSED)
    assert kept.kind is GeometryKind.POLYLINE and not kept.is_empty
    with pytest.raises(alidade.errors.InvalidArgumentError, match="no RepairMethod"):
        flat.repaired(7)


def test_touching_rings(runtime):
    geometry = Geometry.from_wkt(runtime, TOUCHING)
    assert not geometry.is_valid
    assert geometry.validity.point == (2, 0)
    # Around the square, and from its corner around a hole.
    inverted = Geometry.from_wkt(runtime, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0, 1 2, 2 1, 0 0))")
    assert not inverted.is_valid and inverted.validity_with_touching_rings()


def test_what_is_kept(runtime):
    reference = alidade.SpatialReference.from_code(runtime, 3857)
    bow_tie = Geometry.from_wkt(runtime, "POLYGON ZM ((0 0 1 7, 2 2 1 7, 2 0 1 7, 0 2 1 7, 0 0 1 7))", reference)
    repaired = bow_tie.repaired()
    assert repaired.has_z and not repaired.has_m and set(repaired.z) == {1}
    assert repaired.spatial_reference.is_equivalent(reference)
    valid = Geometry.from_wkt(runtime, "LINESTRING ZM (0 0 1 7, 2 2 1 7)")
    assert valid.repaired().equals(valid)


def test_members_of_collections_keep_their_z(runtime):
    bow_tie = {"type": "Polygon", "coordinates": [[[0, 0, 5], [2, 2, 5], [2, 0, 5], [0, 2, 5], [0, 0, 5]]]}
    point = {"type": "Point", "coordinates": [1, 2, 3]}
    collection = Geometry.from_geojson(runtime, {"type": "GeometryCollection", "geometries": [bow_tie, point]})
    # As OGR and Shapely see it.
    assert collection.has_z and ogr.CreateGeometryFromWkb(collection.to_wkb()).Is3D()
    mended, kept = collection.repaired().members
    assert mended.has_z and set(mended.z) == {5}
    assert kept.to_wkt() == "POINT Z (1 2 3)"


def test_lines_in_one_place_are_not_valid(runtime):
    line = Geometry.from_wkt(runtime, "LINESTRING (1 1, 1 1)")
    assert not shapely.wkt.loads(line.to_wkt()).is_valid
    assert not line.is_valid and line.repaired().to_wkt() == "POINT (1 1)"


@pytest.mark.parametrize("kind", KINDS)
def test_empty_ones_are_valid(runtime, kind):
    geometry = Geometry.from_wkt(runtime, f"{kind} EMPTY")
    assert geometry.is_valid and geometry.repaired().equals(geometry)

"""Spatial references from texts, and units: what the Python layer adds."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import alidade
from alidade import SpatialReference, Unit
from alidade.coordinates import SpatialReferenceFormat
from alidade.units import UnitKind


def test_info_of_a_compound_one(runtime: alidade.Runtime) -> None:
    info = SpatialReference(runtime, "EPSG:7405").info
    assert info.unit is Unit.METRE and not info.can_wrap and info.world_width == 0
    assert info.area_of_use is not None and "Great Britain" in info.area_of_use.name
    assert info.vertical == alidade.coordinates.VerticalPart(
        name="ODN height",
        datum_name="Ordnance Datum Newlyn",
        unit_name="metre",
        metres_per_unit=1.0,
        unit=Unit.METRE,
        is_ellipsoidal=False,
        is_depth=False,
    )


def test_what_is_not_known_is_none(runtime: alidade.Runtime) -> None:
    info = SpatialReference(runtime, 'LOCAL_CS["a building site",UNIT["metre",1]]').info
    assert info.kind is alidade.coordinates.SpatialReferenceKind.LOCAL
    assert info.area_of_use is None and info.vertical is None and info.ellipsoid_name == ""
    assert math.isnan(info.inverse_flattening) and math.isnan(info.prime_meridian_deg)
    assert info.unit is Unit.METRE


def test_texts(runtime: alidade.Runtime) -> None:
    reference = SpatialReference(runtime, "EPSG:3857")
    assert reference.to_wkt() == reference.wkt
    assert reference.to_wkt(SpatialReferenceFormat.WKT1_ESRI).startswith('PROJCS["WGS_1984_Web_Mercator')
    assert reference.to_projjson().startswith("{")
    assert reference.to_proj().startswith("+proj=merc")
    with pytest.raises(ValueError):
        reference.to_wkt(SpatialReferenceFormat.PROJJSON)
    # Longer than the buffer that is tried first.
    long = SpatialReference(runtime, reference.wkt.replace("Pseudo-Mercator", "M" * 20_000, 1))
    assert "M" * 20_000 in long.wkt


def test_horizontal_outlives_what_it_was_made_from(runtime: alidade.Runtime) -> None:
    solid = SpatialReference(runtime, "EPSG:4979")
    flat = solid.horizontal
    solid.release()
    assert flat.info.vertical is None
    with pytest.raises(alidade.errors.InvalidHandleError):
        solid.horizontal


def test_spatial_references_of_two_runtimes_are_not_compared(runtime: alidade.Runtime) -> None:
    with alidade.Runtime() as other, pytest.raises(alidade.errors.InvalidArgumentError, match="two runtimes"):
        SpatialReference(runtime, "EPSG:3857").compare(SpatialReference(other, "EPSG:3857"))


def test_units() -> None:
    info = alidade.units.unit_info(Unit.US_SURVEY_FOOT)
    assert info.factor == Fraction(1200, 3937) and info.kind is UnitKind.LENGTH and info.epsg_code == 9003
    assert alidade.units.unit_info(Unit.ACRE).epsg_code is None
    assert alidade.units.units() == [unit for unit in Unit if unit is not Unit.NONE]
    with pytest.raises(alidade.errors.InvalidArgumentError):
        alidade.units.unit_info(Unit.NONE)
    with pytest.raises(ValueError):
        alidade.units.convert_unit(1, 2**32 + 1, Unit.METRE)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        alidade.units.unit_named("metre\0")

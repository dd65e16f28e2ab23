"""Named units: their factors against EPSG's table and GNU units, converting against exact fractions."""

import math
import random
import sqlite3
import subprocess
from fractions import Fraction
from pathlib import Path

import pyproj
import pytest

import alidade
from alidade import SpatialReference, Unit
from alidade.units import UnitKind

DATABASE = Path(pyproj.datadir.get_data_dir()) / "proj.db"
# 60 digits are more than any sum here needs.
PI = Fraction("3.14159265358979323846264338327950288419716939937510582097494")
INFOS = [alidade.units.unit_info(unit) for unit in alidade.units.units()]
SI = {UnitKind.LENGTH: Unit.METRE, UnitKind.ANGLE: Unit.RADIAN, UnitKind.AREA: Unit.SQUARE_METRE}

# What EPSG has no unit for, in the words of GNU units. Its own "survey" is of 3937/1200.
IN_GNU_UNITS = {
    Unit.DECIMETRE: "dm",
    Unit.INCH: "inch",
    Unit.US_SURVEY_INCH: "1|12 surveyfoot",
    Unit.US_SURVEY_YARD: "3 surveyfoot",
    Unit.ROD: "rod",
    Unit.FURLONG: "furlong",
    Unit.US_SURVEY_ROD: "1|4 surveychain",
    Unit.INDIAN_CHAIN: "66 * 0.30479841 m",
    Unit.MILLIRADIAN: "milliradian",
    Unit.TURN: "turn",
    Unit.SQUARE_METRE: "m^2",
    Unit.SQUARE_KILOMETRE: "km^2",
    Unit.SQUARE_CENTIMETRE: "cm^2",
    Unit.SQUARE_MILLIMETRE: "mm^2",
    Unit.ARE: "are",
    Unit.HECTARE: "hectare",
    Unit.ACRE: "intacre",
    Unit.US_SURVEY_ACRE: "USacre",
    Unit.SQUARE_FOOT: "foot^2",
    Unit.US_SURVEY_SQUARE_FOOT: "surveyfoot^2",
    Unit.SQUARE_INCH: "inch^2",
    Unit.SQUARE_YARD: "yard^2",
    Unit.SQUARE_ROD: "rod^2",
    Unit.SQUARE_MILE: "mile^2",
    Unit.US_SURVEY_SQUARE_MILE: "surveymile^2",
    Unit.SQUARE_NAUTICAL_MILE: "nauticalmile^2",
    Unit.SQUARE_BRITISH_FOOT_SEARS: "(12 m / 39.370147)^2",
    Unit.SQUARE_INDIAN_YARD: "(36 m / 39.370142)^2",
}


def factor(info):
    return info.factor * (PI if info.has_pi else 1)


def epsg_units():
    with sqlite3.connect(f"file:{DATABASE}?mode=ro", uri=True) as connection:
        return connection.execute(
            "SELECT CAST(code AS INTEGER), name, type, conv_factor, proj_short_name, deprecated FROM unit_of_measure "
            "WHERE auth_name = 'EPSG' AND type IN ('length', 'angle') AND conv_factor IS NOT NULL"
        ).fetchall()


def test_every_unit_of_epsg_is_here():
    """All but rates, deprecated ones (steps of seismic surveys, the gon), and degrees of the supplier's choice."""
    known = {info.epsg_code for info in INFOS}
    missing = [
        name
        for code, name, _, _, _, deprecated in epsg_units()
        if code not in known and not deprecated and not name.endswith((" per year", " per second")) and code != 9122
    ]
    assert missing == []


@pytest.mark.parametrize("info", [info for info in INFOS if info.epsg_code], ids=lambda info: info.unit.name)
def test_factor_is_epsgs(info):
    code, name, kind, conversion, short_name, _ = next(row for row in epsg_units() if row[0] == info.epsg_code)
    assert info.name == name
    assert info.kind is {"length": UnitKind.LENGTH, "angle": UnitKind.ANGLE}[kind]
    # The table has 15 digits of some factors, and angles with pi from 15 digits.
    assert float(factor(info)) == pytest.approx(conversion, rel=3e-15)
    assert alidade.units.unit_with_code(code) is info.unit
    if short_name and short_name != "link":
        assert info.abbreviation == short_name
        assert alidade.units.unit_named(short_name) is info.unit
    assert alidade.units.unit_named(name) is info.unit


@pytest.mark.parametrize("info", [info for info in INFOS if not info.epsg_code], ids=lambda info: info.unit.name)
def test_factor_is_that_of_gnu_units(info):
    si = {UnitKind.LENGTH: "m", UnitKind.ANGLE: "radian", UnitKind.AREA: "m^2"}[info.kind]
    command = ["units", "--terse", "--output-format", "%.15g", "--", IN_GNU_UNITS[info.unit], si]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert float(factor(info)) == pytest.approx(float(answer), rel=2e-15)


def test_si_factors_are_the_nearest_doubles():
    for info in INFOS:
        assert info.si_factor == float(factor(info)), info.name


def test_names_are_unique_and_forgiving():
    names = [name for info in INFOS for name in {info.name, info.abbreviation}]
    assert len(set(names)) == len(names)
    for info in INFOS:
        for spelling in (info.name, info.name.upper(), f" {info.name}s ", info.abbreviation):
            assert alidade.units.unit_named(spelling) is info.unit, spelling
    for spelling, unit in {
        "US survey feet": Unit.US_SURVEY_FOOT,
        "Kilometers": Unit.KILOMETRE,
        "square meter": Unit.SQUARE_METRE,
        "miles": Unit.STATUTE_MILE,
        "inches": Unit.INCH,
        "Foot_US": Unit.US_SURVEY_FOOT,
        "gon": Unit.GRAD,
        "gons": Unit.GRAD,
    }.items():
        assert alidade.units.unit_named(spelling) is unit
    for spelling in ("", " ", "M", "parsec", "s", "x" * 100_000):
        with pytest.raises(alidade.errors.NotFoundError):
            alidade.units.unit_named(spelling)
    assert alidade.units.unit_with_code(9122) is Unit.DEGREE
    for code in (0, -1, 9107, 4326, 2**31 - 1):
        with pytest.raises(alidade.errors.NotFoundError):
            alidade.units.unit_with_code(code)


def nearest(value):
    """The nearest double, ties to even; infinity where there is none."""
    try:
        return float(value)
    except OverflowError:
        return math.inf


def test_converting_is_rounded_once():
    """Every pair of units, at values of all sizes down to the last bit of a double."""
    chance = random.Random(9003)
    fixed = [1.0, -1.0, 0.1, 1 / 3, 1e300, 5e-324, -5e-324, 2.5e-310, 2.2250738585072014e-308, 1.7976931348623157e308]
    pairs = [(a, b) for a in INFOS for b in INFOS if a.kind is b.kind]
    for a, b in pairs:
        for value in [chance.choice(fixed), math.ldexp(chance.uniform(-1, 1), chance.randint(-1070, 1020))]:
            expected = nearest(Fraction(value) * factor(a) / factor(b))
            if math.isinf(expected):
                with pytest.raises(alidade.errors.InvalidArgumentError):
                    alidade.units.convert_unit(value, a.unit, b.unit)
            else:
                assert alidade.units.convert_unit(value, a.unit, b.unit) == expected, (value, a.name, b.name)


def test_subnormal_results_are_rounded_once():
    for value in [k * 5e-324 for k in range(1, 60)]:
        for unit in (Unit.FOOT, Unit.US_SURVEY_FOOT, Unit.DECIMETRE, Unit.MILLIMETRE, Unit.INCH):
            expected = nearest(Fraction(value) * alidade.units.unit_info(unit).factor)
            assert alidade.units.convert_unit(value, unit, Unit.METRE) == expected, (value, unit)


def test_zero_keeps_its_sign_and_the_same_unit_its_value():
    assert math.copysign(1, alidade.units.convert_unit(-0.0, Unit.FOOT, Unit.METRE)) == -1
    assert alidade.units.convert_unit(0.1, Unit.INDIAN_FOOT, Unit.INDIAN_FOOT) == 0.1


def test_different_kinds_do_not_mix():
    for a, b in ((Unit.METRE, Unit.DEGREE), (Unit.ACRE, Unit.METRE), (Unit.RADIAN, Unit.HECTARE)):
        with pytest.raises(alidade.errors.InvalidArgumentError, match="cannot be converted"):
            alidade.units.convert_unit(1, a, b)
    for value in (math.nan, math.inf, -math.inf):
        with pytest.raises(alidade.errors.InvalidArgumentError):
            alidade.units.convert_unit(value, Unit.METRE, Unit.FOOT)


@pytest.mark.parametrize(
    "code", ["EPSG:32038", "EPSG:2225", "EPSG:27291", "EPSG:24370", "EPSG:2314", "EPSG:3857", "EPSG:2222", "EPSG:4807"]
)
def test_unit_of_a_spatial_reference(runtime, code):
    """Into the unit of a spatial reference's axes, against EPSG's factor of that axis, and back."""
    reference = SpatialReference(runtime, code)
    axis = pyproj.CRS.from_user_input(code).axis_info[0]
    is_angle = pyproj.CRS.from_user_input(code).is_geographic
    unit, value = (Unit.DEGREE, 45.0) if is_angle else (Unit.STATUTE_MILE, 1.0)
    si = value * alidade.units.unit_info(unit).si_factor
    own = reference.from_unit(value, unit)
    assert own == pytest.approx(si / axis.unit_conversion_factor, rel=1e-14)
    assert reference.to_unit(own, unit) == pytest.approx(value, rel=1e-15)
    assert own == alidade.units.convert_unit(value, unit, reference.info.unit)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        reference.from_unit(1, Unit.METRE if is_angle else Unit.DEGREE)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        reference.to_unit(1, Unit.HECTARE)


def test_a_mile_is_not_5280_survey_feet(runtime):
    assert SpatialReference(runtime, "EPSG:32038").from_unit(1, Unit.STATUTE_MILE) == 5279.98944
    assert SpatialReference(runtime, "EPSG:32038").from_unit(1, Unit.US_SURVEY_MILE) == 5280
    assert SpatialReference(runtime, "EPSG:2222").from_unit(1, Unit.STATUTE_MILE) == 5280


def test_a_unit_without_a_name_is_taken_at_its_factor(runtime):
    reference = SpatialReference(runtime, "+proj=utm +zone=32 +ellps=GRS80 +to_meter=0.37")
    assert reference.info.unit is None
    assert reference.from_unit(1, Unit.METRE) == float(1 / Fraction(0.37))
    assert reference.to_unit(3, Unit.KILOMETRE) == float(3 * Fraction(0.37) / 1000)

"""Named units of length, angle and area."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from fractions import Fraction

from .. import _abi
from .._abi import Unit, UnitKind
from .._base.errors import check
from .._base.numbers import int32
from .._base.text import decoded, encoded
from .._library import library


@dataclass(frozen=True)
class UnitInfo:
    """The facts about a unit."""

    unit: Unit
    # The name. It is EPSG's name if EPSG has the unit.
    name: str
    # A short name that no other unit has. It is PROJ's short name if PROJ has one.
    abbreviation: str
    kind: UnitKind
    # One unit is exactly this many metres, radians or square metres; times pi if has_pi is true.
    factor: Fraction
    has_pi: bool
    # The same factor as the nearest double.
    si_factor: float
    # None if EPSG has no such unit.
    epsg_code: int | None


def units() -> list[Unit]:
    """All units, in the order of their numbers."""
    found = []
    for index in range(library().ald_unit_get_count()):
        unit = ctypes.c_int32()
        check(library().ald_unit_get_at, index, ctypes.byref(unit))
        found.append(Unit(unit.value))
    return found


def unit_info(unit: Unit) -> UnitInfo:
    """The facts about a unit.

    :raises InvalidArgumentError: there is no such unit.
    """
    info = _abi.ald_unit_info()
    check(library().ald_unit_get_info, int32(unit, "unit"), info)
    return UnitInfo(
        unit=Unit(info.unit),
        name=decoded(info.name),
        abbreviation=decoded(info.abbreviation),
        kind=UnitKind(info.kind),
        factor=Fraction(info.numerator, info.denominator),
        has_pi=bool(info.has_pi),
        si_factor=info.si_factor,
        epsg_code=info.epsg_code or None,
    )


def unit_named(name: str) -> Unit:
    """Finds a unit by its name ("US survey feet", "kilometer") or abbreviation ("ha").

    :raises NotFoundError: no unit has this name.
    """
    unit = ctypes.c_int32()
    check(library().ald_unit_find_by_name, encoded(name), ctypes.byref(unit))
    return Unit(unit.value)


def unit_with_code(code: int) -> Unit:
    """Finds a unit by its EPSG code.

    :raises NotFoundError: no unit in the list has the code.
    """
    unit = ctypes.c_int32()
    check(library().ald_unit_find_by_code, int32(code, "code"), ctypes.byref(unit))
    return Unit(unit.value)


def convert_unit(value: float, from_unit: Unit, to_unit: Unit) -> float:
    """Converts a value from one unit into another of the same kind. The result is the double nearest to the true value.

    >>> alidade.units.convert_unit(1, alidade.Unit.NAUTICAL_MILE, alidade.units.unit_named("metre"))
    1852.0

    :raises InvalidArgumentError: the units are of different kinds, or a value is not finite.
    """
    result = ctypes.c_double()
    check(
        library().ald_unit_convert,
        value,
        int32(from_unit, "from_unit"),
        int32(to_unit, "to_unit"),
        ctypes.byref(result),
    )
    return result.value

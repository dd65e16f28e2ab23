"""Named units of length, angle and area."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from fractions import Fraction

from . import _abi
from ._abi import Unit, UnitKind
from ._library import library
from ._numbers import int32
from ._text import decoded, encoded
from .errors import check


@dataclass(frozen=True)
class UnitInfo:
    """What a unit is."""

    unit: Unit
    # As EPSG writes it, where it has the unit.
    name: str
    # PROJ's short name where it has one.
    abbreviation: str
    kind: UnitKind
    # Metres, radians or square metres per unit: exactly this, times pi if has_pi.
    factor: Fraction
    has_pi: bool
    # The same as the nearest double.
    si_factor: float
    # None if EPSG has no such unit.
    epsg_code: int | None


def units() -> list[Unit]:
    """All units, in the order of their numbers."""
    found = []
    for index in range(library().ald_unit_count()):
        unit = ctypes.c_int32()
        check(library().ald_unit_at, index, ctypes.byref(unit))
        found.append(Unit(unit.value))
    return found


def unit_info(unit: Unit) -> UnitInfo:
    """What a unit is.

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
    """The unit with a name ("US survey feet", "kilometer") or an abbreviation ("ha").

    :raises NotFoundError: no unit is called so.
    """
    unit = ctypes.c_int32()
    check(library().ald_unit_from_name, encoded(name), ctypes.byref(unit))
    return Unit(unit.value)


def unit_with_code(code: int) -> Unit:
    """The unit with a code of EPSG's.

    :raises NotFoundError: no unit here has the code.
    """
    unit = ctypes.c_int32()
    check(library().ald_unit_from_code, int32(code, "code"), ctypes.byref(unit))
    return Unit(unit.value)


def convert_unit(value: float, from_unit: Unit, to_unit: Unit) -> float:
    """A value of one unit in another of the same kind: the double nearest to the true quotient.

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

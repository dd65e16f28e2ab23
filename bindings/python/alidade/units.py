"""Units of length, angle and area."""

from ._abi import Unit, UnitKind, UnitSystem
from ._base.calls import publish
from ._coordinates.units import UnitInfo, convert_unit, unit_info, unit_named, unit_with_code, units

__all__ = [
    "Unit",
    "UnitInfo",
    "UnitKind",
    "UnitSystem",
    "convert_unit",
    "unit_info",
    "unit_named",
    "unit_with_code",
    "units",
]

publish(__name__, __all__)

"""How far a planar buffer is off from the geodesic one."""

from __future__ import annotations

from dataclasses import dataclass

from . import _abi, _arrays
from ._abi import Unit
from ._library import library
from ._numbers import int32
from .errors import check
from .spatial_reference import SpatialReference


@dataclass(frozen=True)
class PlanarBufferError:
    """Metres on the ground that a planar buffer's outline lies too far out; negative: it falls short."""

    min_m: float
    max_m: float
    # Over all directions of the plane.
    mean_m: float
    # Where the two differ most, as an azimuth at the place: degrees clockwise from north.
    worst_azimuth_deg: float
    # The point of the planar buffer's outline there, in the spatial reference.
    worst_at: tuple[float, float]
    # Square metres on the ground.
    planar_area_m2: float
    geodesic_area_m2: float


def planar_buffer_error(
    spatial_reference: SpatialReference, place: _arrays.Point, distance: float, *, unit: Unit = Unit.METRE
) -> PlanarBufferError:
    """Measures how far the planar buffer of a place is off from the geodesic one.

    Args:
        spatial_reference: what the place and the planar buffer are in.
        place: (x, y), the centre.
        distance: in the unit, 1e-6 m to 19,970 km.
        unit: of length.

    :raises ProjectionFailedError: some of the planar buffer lies nowhere on the earth, such as beyond a pole.
    """
    found = _abi.ald_planar_buffer_error()
    check(
        library().ald_planar_buffer_measure_error,
        spatial_reference._handle,
        _arrays.c_point(place),
        float(distance),
        int32(unit, "unit"),
        found,
    )
    return PlanarBufferError(
        min_m=float(found.min_m),
        max_m=float(found.max_m),
        mean_m=float(found.mean_m),
        worst_azimuth_deg=float(found.worst_azimuth_deg),
        worst_at=(float(found.worst_at.x), float(found.worst_at.y)),
        planar_area_m2=float(found.planar_area_m2),
        geodesic_area_m2=float(found.geodesic_area_m2),
    )

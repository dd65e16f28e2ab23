"""How far a planar buffer differs from the geodesic buffer."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _abi
from .._abi import Unit
from .._base import arrays
from .._base.errors import check
from .._base.numbers import int32
from .._coordinates.spatial_reference import SpatialReferenceLike, reference_handle
from .._library import library


@dataclass(frozen=True)
class PlanarBufferError:
    """How far the outline of a planar buffer lies too far out, in metres on the ground; negative: too far in."""

    min_m: float
    max_m: float
    # The mean over all directions of the plane.
    mean_m: float
    # The direction in which the two differ most, as an azimuth at the point: degrees clockwise from north.
    worst_azimuth_deg: float
    # The position on the planar buffer's outline in that direction, in the spatial reference.
    worst_point: tuple[float, float]
    # The areas in square metres on the ground.
    planar_area_m2: float
    geodesic_area_m2: float


def planar_buffer_error(
    spatial_reference: SpatialReferenceLike, point: arrays.Point, distance: float, *, unit: Unit = Unit.METRE
) -> PlanarBufferError:
    """Measures how far the planar buffer of a point differs from the geodesic buffer.

    Args:
        spatial_reference: the spatial reference of the point and of the planar buffer.
        point: the centre (x, y).
        distance: the distance in the unit, 1e-6 m to 19,970 km.
        unit: a unit of length.

    :raises ProjectionFailedError: a part of the planar buffer does not lie on the ellipsoid, such as beyond a pole.
    """
    found = _abi.ald_planar_buffer_error()
    check(
        library().ald_spatial_reference_measure_buffer_error,
        reference_handle(spatial_reference),
        arrays.c_point(point),
        float(distance),
        int32(unit, "unit"),
        found,
    )
    return PlanarBufferError(
        min_m=float(found.min_m),
        max_m=float(found.max_m),
        mean_m=float(found.mean_m),
        worst_azimuth_deg=float(found.worst_azimuth_deg),
        worst_point=(float(found.worst_point.x), float(found.worst_point.y)),
        planar_area_m2=float(found.planar_area_m2),
        geodesic_area_m2=float(found.geodesic_area_m2),
    )

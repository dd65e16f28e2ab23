"""Geodesic buffers, and how near they are to the true buffers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, TypeVar

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import BufferCap, BufferJoin, CurveType, GeodesicBufferFlags, Unit
from .._base import arrays
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import int32
from .._library import library

_Self = TypeVar("_Self", bound="GeodesicBufferMethods")


@dataclass(frozen=True)
class GeodesicBufferReport:
    """How near a geodesic buffer is to the true buffer, in metres on the ground; the worst of several buffers."""

    # The allowed deviation.
    maximum_deviation_m: float
    # The achieved deviation; never below the true deviation.
    achieved_deviation_m: float


def make_buffer(
    function: Callable[..., int],
    source: Any,
    distances: npt.ArrayLike,
    unit: Unit,
    maximum_deviation: float | None,
    curve_type: CurveType,
    unwrapped: bool,
    cap: BufferCap,
    join: BufferJoin,
    mitre_limit: float,
    handle: Any,
) -> GeodesicBufferReport:
    """Calls a function that creates geodesic buffers. Functions for arrays take an array of distances."""
    options = _abi.ald_geodesic_buffer_options()
    options.unit = int32(unit, "unit")
    options.curve_type = int32(curve_type, "curve_type")
    options.cap, options.join = int32(cap, "cap"), int32(join, "join")
    options.mitre_limit = mitre_limit
    if mitre_limit == 0:
        raise ValueError("mitre_limit must be at least 1")
    if maximum_deviation is not None:
        if not maximum_deviation > 0:
            raise ValueError("maximum_deviation must be greater than 0")
        options.maximum_deviation = maximum_deviation
    if unwrapped:
        options.flags |= GeodesicBufferFlags.UNWRAPPED
    report = _abi.ald_geodesic_buffer_report()
    if isinstance(source, _abi.ald_geometry):
        check(function, source, float(np.asarray(distances)), options, handle, report)
    else:
        numbers = np.ascontiguousarray(np.atleast_1d(np.asarray(distances, dtype=np.float64)))
        if numbers.ndim != 1:
            raise ValueError(f"distances must be a number or of shape (n,), not {numbers.shape}")
        check(function, source, arrays.address(numbers), len(numbers), options, handle, report)
    return GeodesicBufferReport(float(report.maximum_deviation_m), float(report.achieved_deviation_m))


class GeodesicBufferMethods(Handle):
    """The methods of Geometry that create geodesic buffers."""

    # How near a geodesic buffer is to the true buffer; None for other geometries.
    buffer_report: GeodesicBufferReport | None = None

    def geodesic_buffer(
        self: _Self,
        distance: float,
        *,
        unit: Unit = Unit.METRE,
        maximum_deviation: float | None = None,
        curve_type: CurveType = CurveType.GEODESIC,
        unwrapped: bool = False,
        cap: BufferCap = BufferCap.ROUND,
        join: BufferJoin = BufferJoin.ROUND,
        mitre_limit: float = 5.0,
    ) -> _Self:
        """Creates a geodesic buffer: a polygon with all points within a distance on the ground.

        `buffer_report` of the result has its deviation.

        >>> point = alidade.Geometry.from_wkt("POINT(179.9 50)", 4326)
        >>> buffer = point.geodesic_buffer(20, unit=alidade.Unit.KILOMETRE)
        >>> buffer.part_count, buffer.buffer_report.maximum_deviation_m
        (2, 20.0)

        Args:
            distance: 1e-6 m to 19,970 km, or to 4,975 km unless cap and join are round. A negative distance keeps the
                part of polygons that lies farther than this from their boundaries.
            unit: the unit of the distance and of the deviation, a unit of length.
            maximum_deviation: the largest deviation of the outline on the ground; None: a thousandth of the distance.
            curve_type: the curves that the edges of lines and polygons are.
            unwrapped: keeps a polygon that crosses the antimeridian in one piece, with longitudes beyond 180.
            cap: how the ends of lines are buffered. If cap or join is not round, curve_type must be geodesic.
            join: how the outer sides of corners are buffered.
            mitre_limit: the longest mitre, as a multiple of the distance, 1 to 1e6.

        Raises:
            InvalidArgumentError: the distance or the deviation is out of range, or the geometry has no spatial
                reference.
            ProjectionFailedError: the projection cannot show the buffer; project to longitudes and latitudes first.
            LimitExceededError: the buffer needs more vertices than the policy allows.
        """
        handle = _abi.ald_geometry()
        function = library().ald_geometry_create_geodesic_buffer
        report = make_buffer(
            function,
            self._handle,
            distance,
            unit,
            maximum_deviation,
            curve_type,
            unwrapped,
            cap,
            join,
            mitre_limit,
            handle,
        )
        made = type(self)(handle, self)
        made._state(buffer_report=report)
        return made

"""Geodesic buffers: how they are made, and how near they are to the true ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, TypeVar

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._abi import BufferCap, BufferJoin, CurveType, GeodesicBufferFlags, Unit
from ._handle import Handle
from ._library import library
from ._numbers import int32
from .errors import check

_Self = TypeVar("_Self", bound="GeodesicBufferMethods")


@dataclass(frozen=True)
class GeodesicBufferReport:
    """How near a geodesic buffer is to the true one, in metres on the ground; of several buffers the worst."""

    # What was allowed.
    maximum_deviation_m: float
    # What was achieved; not below the true deviation.
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
    """Calls one of the functions that make geodesic buffers; those of arrays take an array of distances."""
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
        check(function, source, _arrays.address(numbers), len(numbers), options, handle, report)
    return GeodesicBufferReport(float(report.maximum_deviation_m), float(report.achieved_deviation_m))


class GeodesicBufferMethods(Handle):
    """What a Geometry can do with geodesic buffers."""

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
    ) -> tuple[_Self, GeodesicBufferReport]:
        """All that lies within a distance on the ground, as a polygon, and how near that is to the true one.

        Args:
            distance: 1e-6 m to 19,970 km, or to 4,975 km unless cap and join are round; negative: what of polygons lies farther than that from their boundaries.
            unit: of length, of the distance and the deviation.
            maximum_deviation: how far the outline may be off on the ground; None: a thousandth of the distance.
            curve_type: what the edges of lines and polygons are.
            unwrapped: leaves in one piece what crosses the antimeridian, with longitudes beyond 180.
            cap: how the ends of lines are buffered; like join, other than round only along geodesics.
            join: how the outer sides of corners are buffered.
            mitre_limit: how many times the distance a mitre may be long, 1 to 1e6.

        Raises:
            InvalidArgumentError: the distance or the deviation is out of range, or there is no spatial reference.
            ProjectionFailedError: the projection cannot show the buffer; project to longitudes and latitudes first.
            LimitExceededError: it takes more vertices than the policy allows.
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
        return type(self)(handle, self), report

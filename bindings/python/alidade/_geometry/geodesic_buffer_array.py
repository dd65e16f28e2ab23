"""Geodesic buffers of many geometries."""

from __future__ import annotations

from typing import TypeVar

import numpy.typing as npt

from .. import _abi
from .._abi import BufferCap, BufferJoin, CurveType, Unit
from .._base.handle import Handle
from .._library import library
from .geodesic_buffer import GeodesicBufferReport, make_buffer
from .geometry import Geometry

_Self = TypeVar("_Self", bound="GeodesicBufferArrayMethods")


class GeodesicBufferArrayMethods(Handle):
    """The methods of GeometryArray that create geodesic buffers."""

    # How near geodesic buffers are to the true buffers; None for other arrays.
    buffer_report: GeodesicBufferReport | None = None

    def geodesic_buffers(
        self: _Self,
        distances: npt.ArrayLike,
        *,
        unit: Unit = Unit.METRE,
        maximum_deviation: float | None = None,
        curve_type: CurveType = CurveType.GEODESIC,
        unwrapped: bool = False,
        cap: BufferCap = BufferCap.ROUND,
        join: BufferJoin = BufferJoin.ROUND,
        mitre_limit: float = 5.0,
    ) -> _Self:
        """Creates a geodesic buffer around each geometry. `buffer_report` of the result has the worst deviation of all.

        Args:
            distances: a number, or a distance for each geometry. If there are fewer distances, the last one applies to
                all remaining geometries.
            unit: this and the other arguments are as in Geometry.geodesic_buffer.
        """
        handle = _abi.ald_geometry_array()
        function = library().ald_geometry_array_create_geodesic_buffers
        report = make_buffer(
            function,
            self._handle,
            distances,
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

    def geodesic_buffer_union(
        self,
        distances: npt.ArrayLike,
        *,
        unit: Unit = Unit.METRE,
        maximum_deviation: float | None = None,
        curve_type: CurveType = CurveType.GEODESIC,
        unwrapped: bool = False,
        cap: BufferCap = BufferCap.ROUND,
        join: BufferJoin = BufferJoin.ROUND,
        mitre_limit: float = 5.0,
    ) -> Geometry:
        """Creates one polygon from the geodesic buffers around all geometries; arguments as in `geodesic_buffers`."""
        handle = _abi.ald_geometry()
        function = library().ald_geometry_array_create_geodesic_buffer_union
        report = make_buffer(
            function,
            self._handle,
            distances,
            unit,
            maximum_deviation,
            curve_type,
            unwrapped,
            cap,
            join,
            mitre_limit,
            handle,
        )
        made = Geometry(handle, self)
        made._state(buffer_report=report)
        return made

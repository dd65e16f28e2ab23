"""Geodesic buffers of many geometries."""

from __future__ import annotations

from typing import TypeVar

import numpy.typing as npt

from . import _abi
from ._abi import BufferCap, BufferJoin, CurveType, Unit
from ._handle import Handle
from ._library import library
from .geodesic_buffer import GeodesicBufferReport, make_buffer
from .geometry import Geometry

_Self = TypeVar("_Self", bound="GeodesicBufferArrayMethods")


class GeodesicBufferArrayMethods(Handle):
    """What a GeometryArray can do with geodesic buffers."""

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
    ) -> tuple[_Self, GeodesicBufferReport]:
        """A geodesic buffer of each geometry, and how near the worst of them is to the true one.

        Args:
            distances: one for each geometry, or fewer, of which the last one counts for all that follow.
            unit: this and the others as of Geometry.geodesic_buffer.
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
        return type(self)(handle, self), report

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
    ) -> tuple[Geometry, GeodesicBufferReport]:
        """The geodesic buffers of all geometries as one polygon; arguments as of `geodesic_buffers`."""
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
        return Geometry(handle, self), report

"""Reading views and snapshots of views."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy.typing as npt

from .. import _abi
from .._abi import Unit, UnitSystem
from .._base import arrays
from .._base.arrays import FloatArray, Point
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import int32
from .._coordinates.envelope import Envelope
from .._coordinates.units import unit_info
from .._library import library
from .view_state import ViewState, view_state


@dataclass(frozen=True)
class ScaleBar:
    """A scale bar: a line on the screen with its length on the ground."""

    unit: Unit
    # The length in that unit: 1, 2 or 5 times a power of ten.
    length: float
    length_m: float
    width_dip: float
    # The ends, (x, y) in DIP.
    start_dip: tuple[float, float]
    end_dip: tuple[float, float]

    def __str__(self) -> str:
        return f"{self.length:.15g} {unit_info(self.unit).abbreviation}"


class ViewReading(Handle):
    """The functions that read a view or a snapshot.

    They raise NotReadyError while the map has no spatial reference, or the view has no size, centre or scale.
    """

    # The prefix of the C functions.
    _prefix: ClassVar[str]

    def _function(self, name: str) -> Any:
        return getattr(library(), f"{self._prefix}_{name}")

    @property
    def state(self) -> ViewState:
        """The state of the view at one moment: everything that a frame needs."""
        state = _abi.ald_view_state()
        check(self._function("get_state"), self._handle, state)
        return view_state(state)

    def screen_to_map(self, points: npt.ArrayLike, out: npt.NDArray[Any] | None = None) -> FloatArray:
        """Converts screen points in DIP to map points in the map's spatial reference.

        Args:
            points: float64 of shape (n, 2) or (2,). Not copied if its rows are at least 16 bytes apart.
            out: None, or the array to write to: float64 of shape (n, 2), rows at least 16 bytes apart. May be `points`.

        Returns:
            float64 of shape (n, 2). `out` if it is not None.
        """
        return self._convert("screen_to_map", points, out)

    def map_to_screen(self, points: npt.ArrayLike, out: npt.NDArray[Any] | None = None) -> FloatArray:
        """Converts map points in the map's spatial reference to screen points in DIP. Arrays as for `screen_to_map`."""
        return self._convert("map_to_screen", points, out)

    def _convert(self, name: str, points: npt.ArrayLike, out: npt.NDArray[Any] | None) -> FloatArray:
        return converted(self._function(name), self._handle, points, out)

    @property
    def envelope(self) -> Envelope:
        """The box around the visible area, insets included. In a rotated view it is larger than the visible area."""
        box = _abi.ald_envelope()
        check(self._function("get_envelope"), self._handle, ctypes.byref(box))
        return Envelope(box.x_min, box.y_min, box.x_max, box.y_max)

    @property
    def world_copies(self) -> range:
        """The copies of the world that the view shows. The map point x is in copy round(x / world_width)."""
        first, last = ctypes.c_int64(), ctypes.c_int64()
        check(self._function("get_world_copies"), self._handle, ctypes.byref(first), ctypes.byref(last))
        return range(first.value, last.value + 1)

    def ground_resolution(self, point_dip: Point) -> tuple[float, float]:
        """Computes the metres of ground per DIP at a screen point, along the screen's x and y axes.

        :raises ProjectionFailedError: the point shows no position on the ellipsoid.
        """
        resolution = _abi.ald_ground_resolution()
        check(self._function("ground_resolution"), self._handle, arrays.c_point(point_dip), resolution)
        return resolution.x_m, resolution.y_m

    def scale_bar(
        self, point_dip: Point, max_width_dip: float, unit_system: UnitSystem = UnitSystem.METRIC
    ) -> ScaleBar:
        """Computes the longest scale bar of a round length that fits into a width. Its `str` is a label for it.

        Args:
            point_dip: the middle of the bar.
            max_width_dip: the largest width, more than 0, at most 1e5.
            unit_system: the units of the bar.

        Raises:
            InvalidArgumentError: a number is out of range.
            ProjectionFailedError: a part of the bar shows no position on the ellipsoid.
        """
        bar = _abi.ald_scale_bar()
        system = int32(unit_system, "unit_system")
        check(self._function("scale_bar"), self._handle, arrays.c_point(point_dip), max_width_dip, system, bar)
        return ScaleBar(
            unit=Unit(bar.unit),
            length=bar.length,
            length_m=bar.length_m,
            width_dip=bar.width_dip,
            start_dip=(bar.start_dip.x, bar.start_dip.y),
            end_dip=(bar.end_dip.x, bar.end_dip.y),
        )


class ViewSnapshot(ViewReading):
    """An immutable copy of a view at one moment, which any thread can read. `View.snapshot` creates it."""

    _release_function = "ald_view_snapshot_release"
    _prefix = "ald_view_snapshot"

    def _facts(self) -> str:
        state = self.state
        return f"{state.width_dip:g} x {state.height_dip:g} DIP, scale 1:{state.scale:.0f}"


def converted(
    function: Any, handle: ctypes.Structure, points: npt.ArrayLike, out: npt.NDArray[Any] | None
) -> FloatArray:
    """Calls a C function that converts points from one array into another."""
    source = arrays.input_points(points)
    target = arrays.output_points(out, len(source))
    source = arrays.without_overlap(source, target)
    check(
        function,
        handle,
        arrays.address(source),
        arrays.row_stride(source),
        len(source),
        arrays.address(target),
        arrays.row_stride(target),
    )
    return target

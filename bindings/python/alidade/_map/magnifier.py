"""Magnifiers: a second camera, bound to a view, that enlarges what is under a finger."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from .. import _abi
from .._abi import MagnifierFlags
from .._base import arrays
from .._base.arrays import FloatArray, Point
from .._base.errors import check
from .._base.handle import Handle
from .._coordinates.envelope import Envelope, envelope
from .._library import library
from .view import View
from .view_reading import converted


@dataclass(frozen=True)
class MagnifierOptions:
    """The options of a magnifier. Lengths are in DIP, up to 1e4."""

    # The magnification relative to the view, 1 to 1000.
    factor: float = 2.0
    # The size of the magnifier.
    width_dip: float = 120.0
    height_dip: float = 120.0
    # The distance from the finger to the magnifier's box.
    lift_dip: float = 40.0
    # A finger nearer than this to a side of the area that the insets leave free pans the map.
    edge_dip: float = 40.0
    # The speed of panning at the side itself.
    pan_speed_dip_s: float = 400.0


@dataclass(frozen=True)
class MagnifierState:
    """The state of a magnifier. While it is hidden, points and box are NaN."""

    is_shown: bool
    # Whether the map moves because the finger is near a side of the view.
    is_panning: bool
    # The position of the finger, as passed to `show_at`, in DIP of the view.
    finger_point: tuple[float, float]
    # The screen point of the view in the middle of the magnifier: the position of the finger, kept inside the view.
    target_point: tuple[float, float]
    # The map point at target_point, in the map's spatial reference.
    map_point: tuple[float, float]
    # The box in which to draw the magnifier, in DIP of the view, y down.
    box_dip: Envelope


class Magnifier(Handle):
    """A magnifier of a view, hidden until it is shown.

    Args:
        view: the view to magnify. A view can have any number of magnifiers and shows one at a time.
        options: None for all defaults.
    """

    _release_function = "ald_magnifier_release"

    def __init__(self, view: View, options: MagnifierOptions | None = None) -> None:
        handle = _abi.ald_magnifier()
        check(library().ald_magnifier_create, view._handle, _c_options(options), handle)
        super().__init__(handle, keeps=view)
        self._bound_view = view

    @property
    def bound_view(self) -> View:
        """The view that is magnified."""
        return self._bound_view

    @property
    def view(self) -> View:
        """The magnifier's own view. Functions that read a view accept it, in the magnifier's own DIP.

        While the magnifier is hidden, they raise NotReadyError. Functions that move a view raise InvalidStateError.
        """
        handle = _abi.ald_view()
        check(library().ald_magnifier_get_view, self._handle, handle)
        return View._lent(handle, self._bound_view.map, self)

    def set_options(self, options: MagnifierOptions | None) -> None:
        """Sets all options. None means all defaults.

        :raises InvalidArgumentError: a number is not finite or out of range.
        """
        check(library().ald_magnifier_set_options, self._handle, _c_options(options))

    def show_at(self, point_dip: Point) -> None:
        """Shows the magnifier, or moves it with the finger. Hides another magnifier that the view shows.

        Near a side of the view the map pans while time passes, unless the interaction options forbid it.

        Args:
            point_dip: the position of the finger in the magnified view, each coordinate -1e7 to 1e7.

        Raises:
            NotReadyError: as for `View.state`.
        """
        check(library().ald_magnifier_show_at, self._handle, arrays.c_point(point_dip))

    def hide(self) -> None:
        """Hides the magnifier and ends its panning. Does nothing if it is hidden."""
        check(library().ald_magnifier_hide, self._handle)

    @property
    def state(self) -> MagnifierState:
        """The state of the magnifier, including where to draw it."""
        state = _abi.ald_magnifier_state()
        check(library().ald_magnifier_get_state, self._handle, state)
        return MagnifierState(
            is_shown=bool(state.is_shown),
            is_panning=bool(state.is_panning),
            finger_point=_pair(state.finger_point),
            target_point=_pair(state.target_point),
            map_point=_pair(state.map_point),
            box_dip=envelope(state.box_dip),
        )

    def to_view(self, points: npt.ArrayLike, out: npt.NDArray[Any] | None = None) -> FloatArray:
        """Converts points of the magnifier's screen to points of the view's. Arrays as for `View.screen_to_map`.

        :raises NotReadyError: the magnifier is hidden.
        """
        return converted(library().ald_magnifier_to_view, self._handle, points, out)

    def from_view(self, points: npt.ArrayLike, out: npt.NDArray[Any] | None = None) -> FloatArray:
        """Converts points of the view's screen to points of the magnifier's. Arrays as for `View.screen_to_map`.

        :raises NotReadyError: the magnifier is hidden.
        """
        return converted(library().ald_magnifier_from_view, self._handle, points, out)

    def _facts(self) -> str:
        return f"of {self._bound_view!r}"


def _c_options(options: MagnifierOptions | None) -> Any:
    if options is None:
        return None
    return ctypes.byref(
        _abi.ald_magnifier_options(
            flags=MagnifierFlags.HAS_LIFT,
            factor=options.factor,
            width_dip=options.width_dip,
            height_dip=options.height_dip,
            lift_dip=options.lift_dip,
            edge_dip=options.edge_dip,
            pan_speed_dip_s=options.pan_speed_dip_s,
        )
    )


def _pair(point: _abi.ald_point) -> tuple[float, float]:
    return float(point.x), float(point.y)

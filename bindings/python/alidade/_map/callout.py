"""Callouts: a text at a point of the map, which follows the map while the view moves."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from .. import _abi
from .._abi import CalloutAction, CalloutFlags, CalloutLayoutFlags, CalloutPlacement, CalloutShowFlags, CalloutState
from .._base import arrays
from .._base.arrays import Point
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import uint32
from .._base.text import copied, encoded
from .._coordinates.envelope import Envelope, envelope
from .._coordinates.spatial_reference import SpatialReferenceLike, optional_reference
from .._library import library
from .identify import IdentifyResult
from .view import View


@dataclass(frozen=True)
class CalloutOptions:
    """The options for the layout of a callout. Lengths are in DIP, 0 to 1e7."""

    # The offset from the anchor's screen point to the leader's tip, right and down.
    offset_dip: tuple[float, float] = (0.0, 0.0)
    # The size of the box that the host will draw.
    width_dip: float = 0.0
    height_dip: float = 0.0
    # The distance from the leader's tip to the box.
    leader_length_dip: float = 0.0
    # The width of the leader where it meets the box.
    leader_width_dip: float = 0.0
    # The distance that stays free between the box and the insets, on each side.
    margin_dip: float = 0.0
    # The preferred side of the tip.
    placement: CalloutPlacement = CalloutPlacement.AUTOMATIC
    # Whether the offset, which applies to rotation 0, turns with the map.
    rotate_offset_with_map: bool = False


@dataclass(frozen=True)
class CalloutLayout:
    """Where to draw a callout. Points and boxes are in DIP, y down, so y_min of a box is its top. NaN means none."""

    state: CalloutState
    # Increases with every change of the callout.
    generation: int
    # Increases when the title or the text changes. Measure them again only then.
    text_generation: int
    # The generation of the view's state.
    view_generation: int
    # The side of the tip on which the box lies.
    placement: CalloutPlacement
    # TOO_LARGE: the box is larger than the free area. SHIFTED: the box fits on no side and may cover the tip.
    flags: CalloutLayoutFlags
    # The anchor in the map's spatial reference. Where the world repeats itself, the image that is shown.
    map_point: tuple[float, float]
    # The screen point of map_point.
    anchor_dip: tuple[float, float]
    # The point that the leader points to: the anchor plus the offset.
    leader_tip_dip: tuple[float, float]
    # The points at which the leader meets the box, both on one edge of the box, the left or upper one first.
    leader_base_dip: tuple[tuple[float, float], tuple[float, float]]
    box_dip: Envelope
    # The free area: what insets and margin leave free of the view.
    free_area_dip: Envelope


class Callout(Handle):
    """A callout of a view: a text that the host draws where `layout` says. Hidden until it is shown.

    Args:
        view: the view of the callout. A view can have any number of callouts.
        options: None for all defaults.
    """

    _release_function = "ald_callout_release"

    def __init__(self, view: View, options: CalloutOptions | None = None) -> None:
        handle = _abi.ald_callout()
        check(library().ald_callout_create, view._handle, _c_options(options), handle)
        super().__init__(handle, keeps=view)
        self._view = view

    @property
    def view(self) -> View:
        """The view that the callout belongs to."""
        return self._view

    def set_options(self, options: CalloutOptions | None) -> None:
        """Sets all options. None means all defaults.

        :raises InvalidArgumentError: a number is not finite or out of range.
        """
        check(library().ald_callout_set_options, self._handle, _c_options(options))

    def set_size(self, width_dip: float, height_dip: float) -> None:
        """Sets the size of the box and no other option. Call it after you have measured the text.

        :raises InvalidArgumentError: a number is not finite or out of range.
        """
        check(library().ald_callout_set_size, self._handle, width_dip, height_dip)

    def show_at(
        self,
        location: Point,
        spatial_reference: SpatialReferenceLike | None = None,
        *,
        title: str = "",
        text: str = "",
        while_dragging: bool = False,
    ) -> None:
        """Shows the callout at a location. On failure the callout does not change.

        Args:
            location: the location.
            spatial_reference: the spatial reference of `location`. None means the map's own.
            title, text: the texts that the host will draw.
            while_dragging: lifts the leader's tip by 70 DIP, so that the finger does not cover it.

        Raises:
            InvalidArgumentError: the location is not finite, or the spatial reference belongs to another runtime.
            NotReadyError: the map has no spatial reference.
            ProjectionFailedError: the location cannot be projected to the map's spatial reference.
        """
        reference = optional_reference(spatial_reference)
        check(
            library().ald_callout_show_at,
            self._handle,
            arrays.c_point(location),
            reference,
            encoded(title),
            encoded(text),
            _show_flags(while_dragging),
        )

    def show_for(
        self, result: IdentifyResult, index: int = 0, *, at_center: bool = False, while_dragging: bool = False
    ) -> None:
        """Shows the callout for an element of a result, with the element's text. You can release the result afterwards.

        Args:
            result: an identify result of this map or of another map of the same runtime.
            index: the index of the element.
            at_center: anchors the callout at the element's centre instead of the point that was identified.
            while_dragging: lifts the leader's tip by 70 DIP, so that the finger does not cover it.

        Raises:
            NotFoundError: there is no element with that index.
            ProjectionFailedError: the anchor cannot be projected to the map's spatial reference.
        """
        check(
            library().ald_callout_show_for,
            self._handle,
            result._handle,
            uint32(index, "index"),
            _show_flags(while_dragging, at_center),
        )

    def drag_to(self, point_dip: Point, result: IdentifyResult | None = None) -> CalloutAction:
        """Moves the callout with a finger, its tip lifted by 70 DIP, and returns what the call changed.

        Args:
            point_dip: the position of the finger.
            result: the identify result at that point. The callout shows the text of its topmost element, and a result
                without elements dismisses the callout. None means that the result is not known yet: a callout that is
                shown keeps its text, and a hidden callout stays hidden.
        """
        handle = _abi.ald_identify_result() if result is None else result._handle
        action = ctypes.c_int32()
        check(library().ald_callout_drag_to, self._handle, arrays.c_point(point_dip), handle, ctypes.byref(action))
        return CalloutAction(action.value)

    def handle_tap(self, result: IdentifyResult) -> CalloutAction:
        """Shows the callout for the topmost element, at the tap. A tap that hit nothing dismisses the callout."""
        action = ctypes.c_int32()
        check(library().ald_callout_handle_tap, self._handle, result._handle, ctypes.byref(action))
        return CalloutAction(action.value)

    def dismiss(self) -> None:
        """Hides the callout. Does nothing if it is hidden."""
        check(library().ald_callout_dismiss, self._handle)

    @property
    def layout(self) -> CalloutLayout:
        """Where to draw the callout in the current state of its view.

        :raises NotReadyError: as for `View.state`.
        """
        layout = _abi.ald_callout_layout()
        check(library().ald_callout_get_layout, self._handle, layout)
        return CalloutLayout(
            state=CalloutState(layout.state),
            generation=layout.generation,
            text_generation=layout.text_generation,
            view_generation=layout.view_generation,
            placement=CalloutPlacement(layout.placement),
            flags=CalloutLayoutFlags(layout.flags),
            map_point=_pair(layout.map_point),
            anchor_dip=_pair(layout.anchor_dip),
            leader_tip_dip=_pair(layout.leader_tip_dip),
            leader_base_dip=(_pair(layout.leader_base_dip[0]), _pair(layout.leader_base_dip[1])),
            box_dip=envelope(layout.box_dip),
            free_area_dip=envelope(layout.free_area_dip),
        )

    @property
    def title(self) -> str:
        """The title. It is empty while the callout is hidden."""
        return copied(library().ald_callout_get_title, self._handle)

    @property
    def text(self) -> str:
        """The text. It is empty while the callout is hidden."""
        return copied(library().ald_callout_get_text, self._handle)

    def _facts(self) -> str:
        return f"of {self._view!r}"


def _c_options(options: CalloutOptions | None) -> _abi.ald_callout_options:
    options = options or CalloutOptions()
    return _abi.ald_callout_options(
        flags=CalloutFlags.ROTATE_OFFSET_WITH_MAP if options.rotate_offset_with_map else 0,
        offset_dip=arrays.c_point(options.offset_dip),
        width_dip=options.width_dip,
        height_dip=options.height_dip,
        leader_length_dip=options.leader_length_dip,
        leader_width_dip=options.leader_width_dip,
        margin_dip=options.margin_dip,
        placement=options.placement,
    )


def _show_flags(while_dragging: bool, at_center: bool = False) -> int:
    return (CalloutShowFlags.WHILE_DRAGGING if while_dragging else 0) | (CalloutShowFlags.AT_CENTER if at_center else 0)


def _pair(point: _abi.ald_point) -> tuple[float, float]:
    return float(point.x), float(point.y)

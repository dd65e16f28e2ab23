"""Snapping: finds the vertex, endpoint, midpoint, edge, centroid or intersection near a screen point."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Sequence

from .. import _abi
from .._abi import SnapFlags
from .._base import arrays
from .._base.arrays import Point
from .._base.errors import check
from .._base.handle import Handle
from .._base.known_layers import known_layer
from .._base.request import Request, begin
from .._library import library
from .graphics_overlay import GraphicsOverlay
from .spatial_query import runtime_of

if TYPE_CHECKING:
    from .layer import Layer

_NONE = 0xFFFFFFFF


@dataclass(frozen=True)
class Snap:
    """What a screen point snaps to."""

    kind: SnapFlags
    # From the given screen point.
    distance_dip: float
    # In the map's spatial reference, in the copy of the world that is shown there.
    map_point: tuple[float, float]
    screen_point: tuple[float, float]
    # None for a graphic.
    layer: Layer | None
    # None for a feature.
    overlay: GraphicsOverlay | None
    # Of the feature or the graphic; for an intersection, of the upper one.
    id: int
    member_index: int
    part_index: int
    # For a polygon 0 for the shell, then the holes.
    path_index: int
    # None for points and centroids.
    segment_index: int | None
    # None unless the kind is VERTEX or ENDPOINT.
    vertex_index: int | None


class ViewSnap(Handle):
    """What a point of a view snaps to."""

    def snap(
        self,
        point_dip: Point,
        tolerance_dip: float,
        kinds: SnapFlags = SnapFlags.VERTEX | SnapFlags.EDGE,
        *,
        layers: Iterable[Layer] | None = None,
        overlays: Iterable[GraphicsOverlay] | None = None,
    ) -> Snap | None:
        """Finds what a screen point snaps to; None if there is nothing within the tolerance.

        Endpoints come first, however near the others are, then vertices and intersections, midpoints, centroids, and
        last edges. Of one kind the nearest is found.

        Args:
            point_dip: the screen point.
            tolerance_dip: the radius around the point.
            kinds: what the point may snap to.
            layers: feature layers of the view's map, and groups; None: all, unless `overlays` are given.
            overlays: overlays of the view; None: all, unless `layers` are given.

        Raises:
            InvalidArgumentError: a layer is not in the view's map, or a number is out of its range.
            NotFoundError: an overlay is not in the view.
            NotReadyError: as for `state`, or a given layer is not loaded.
        """
        options, keeps = _options(kinds, layers, overlays)
        snap = _abi.ald_snap()
        check(library().ald_view_snap, self._handle, arrays.c_point(point_dip), tolerance_dip, options, snap)
        del keeps
        return self._snap(snap)

    def snap_async(
        self,
        point_dip: Point,
        tolerance_dip: float,
        kinds: SnapFlags = SnapFlags.VERTEX | SnapFlags.EDGE,
        *,
        layers: Iterable[Layer] | None = None,
        overlays: Iterable[GraphicsOverlay] | None = None,
        on_done: Callable[[Request[Snap | None]], Any] | None = None,
        replace_key: int = 0,
        keep_begun: bool = False,
    ) -> Request[Snap | None]:
        """The same as `snap` without waiting, for the view as it is now.

        Args:
            on_done: called with the request once it has ended, inside `Runtime.pump`; None: an event reports it.
            replace_key: cancels older requests on this view with the same key; 0: none.
            keep_begun: if this one is replaced while a worker is on it, it is left to succeed.
        """

        def get(request: Request[Snap | None]) -> Snap | None:
            snap = _abi.ald_snap()
            check(library().ald_request_get_snap, request._handle, snap)
            return self._snap(snap)

        options, keeps = _options(kinds, layers, overlays)
        arguments = (self._handle, arrays.c_point(point_dip), tolerance_dip, options)
        function = library().ald_view_snap_async
        request = begin(runtime_of(self), function, arguments, get, on_done, replace_key, keep_begun)
        del keeps
        return request

    def _snap(self, snap: _abi.ald_snap) -> Snap | None:
        if not snap.kind:
            return None
        overlay = GraphicsOverlay._lent(_abi.ald_graphics_overlay(snap.overlay.id), self) if snap.overlay.id else None
        return Snap(
            kind=SnapFlags(snap.kind),
            distance_dip=snap.distance_dip,
            map_point=(snap.map_point.x, snap.map_point.y),
            screen_point=(snap.screen_point.x, snap.screen_point.y),
            layer=known_layer(snap.layer.id),
            overlay=overlay,
            id=snap.id,
            member_index=snap.member_index,
            part_index=snap.part_index,
            path_index=snap.path_index,
            segment_index=_index(snap.segment_index),
            vertex_index=_index(snap.vertex_index),
        )


def _options(
    kinds: SnapFlags, layers: Iterable[Layer] | None, overlays: Iterable[GraphicsOverlay] | None
) -> tuple[_abi.ald_snap_options, list[Any]]:
    """The options, and what must live as long as they."""
    options = _abi.ald_snap_options(kinds=int(kinds))
    return options, [_list(options, "layers", layers), _list(options, "overlays", overlays)]


def _list(options: _abi.ald_snap_options, name: str, objects: Iterable[Handle] | None) -> Any:
    """Puts handles into the options; returns what must live as long as they."""
    if objects is None:
        return None
    handles: Sequence[Any] = [one._handle for one in objects]
    pointer = type(getattr(options, name))
    # An empty list is a list, too.
    array = (pointer._type_ * max(1, len(handles)))(*handles)
    setattr(options, name, ctypes.cast(array, pointer))
    setattr(options, name.removesuffix("s") + "_count", len(handles))
    return array


def _index(number: int) -> int | None:
    return None if number == _NONE else number

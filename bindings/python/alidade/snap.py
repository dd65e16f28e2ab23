"""Snapping: the vertex, end, middle, edge, centroid or crossing of what is drawn that a screen point means."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Sequence

from . import _abi, _arrays
from ._abi import SnapFlags
from ._arrays import Point
from ._handle import Handle
from ._known_layers import known_layer
from ._library import library
from .errors import check
from .graphics_overlay import GraphicsOverlay

if TYPE_CHECKING:
    from .layer_properties import Layer

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
        options = _abi.ald_snap_options(kinds=int(kinds))
        keeps = [_list(options, "layers", layers), _list(options, "overlays", overlays)]
        snap = _abi.ald_snap()
        check(library().ald_view_snap, self._handle, _arrays.c_point(point_dip), tolerance_dip, options, snap)
        del keeps
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

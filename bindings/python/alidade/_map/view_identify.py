"""What a view can identify."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Sequence

from .. import _abi
from .._abi import IdentifyFlags
from .._base import arrays
from .._base.arrays import Point
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import int64, uint32, uint64
from .._base.request import Request, begin
from .._library import library
from .graphics_overlay import GraphicsOverlay
from .identify import IdentifyResult, WhyNot, why_not
from .layer import Layer
from .map import Map


class ViewIdentify(Handle):
    """What a view can identify.

    All of these functions take:

    Args:
        point_dip: the screen point.
        tolerance_dip: radius of a circle around the point that a footprint must meet, 0 or more. For a raster layer it is
            the cell that holds the point, whatever the tolerance.
        max_results: the most elements wanted of each layer and each overlay; 0: 1, the topmost; ALL: all.
        area: two opposite corners of a box, or the corners of a polygon, on the screen: features and graphics that meet it
            are identified instead of those at the point. Raster layers take no part.
        skip_empty_cells: cells without a value (nodata, masked, transparent) are left out.
        include_hidden: layers and overlays that are hidden or out of their scale range are identified as if they were
            shown.
        popups_only: layers and overlays without a popup definition are left out.

    The `_async` forms identify the view as it is now, without waiting for the result, and take:

    Args:
        on_done: called with the request once it has ended, inside `Runtime.pump`; None: an event reports it.
        replace_key: drag mode: cancels older requests on this view with the same key; 0: none.
        keep_begun: if this one is replaced while a worker is on it, it is left to succeed: for sources that are slower
            than the finger.

    Raises:
        InvalidArgumentError: the layer is not in the view's map, or a number is out of its range.
        NotFoundError: the overlay is not in the view.
        NotReadyError: as for `state`, or a single layer is not loaded.
        ProjectionFailedError: there is no operation between the map and a single layer.
        ReadFailedError: the data of a single layer cannot be read.
    """

    _map: Map

    def identify(
        self, point_dip: Point, tolerance_dip: float = 0.0, max_results: int = 0, **options: Any
    ) -> IdentifyResult:
        """Identifies everything: the graphics of all overlays, and all layers. See the class for the arguments."""
        return self._identify("ald_view_identify", None, point_dip, tolerance_dip, max_results, options)

    def identify_layer(
        self, layer: Layer, point_dip: Point, tolerance_dip: float = 0.0, max_results: int = 0, **options: Any
    ) -> IdentifyResult:
        """Identifies one layer of the view's map, or all layers in a group. See the class for the arguments."""
        return self._identify("ald_view_identify_layer", layer, point_dip, tolerance_dip, max_results, options)

    def identify_layers(
        self, point_dip: Point, tolerance_dip: float = 0.0, max_results: int = 0, **options: Any
    ) -> IdentifyResult:
        """Identifies all layers of the view's map. See the class for the arguments."""
        return self._identify("ald_view_identify_layers", None, point_dip, tolerance_dip, max_results, options)

    def identify_overlay(
        self,
        overlay: GraphicsOverlay,
        point_dip: Point,
        tolerance_dip: float = 0.0,
        max_results: int = 0,
        **options: Any,
    ) -> IdentifyResult:
        """Identifies the graphics of one overlay. See the class for the arguments."""
        name = "ald_view_identify_graphics_overlay"
        return self._identify(name, overlay, point_dip, tolerance_dip, max_results, options)

    def identify_overlays(
        self, point_dip: Point, tolerance_dip: float = 0.0, max_results: int = 0, **options: Any
    ) -> IdentifyResult:
        """Identifies the graphics of all overlays of the view. See the class for the arguments."""
        name = "ald_view_identify_graphics_overlays"
        return self._identify(name, None, point_dip, tolerance_dip, max_results, options)

    def identify_async(
        self, point_dip: Point, tolerance_dip: float = 0.0, max_results: int = 0, **options: Any
    ) -> Request[IdentifyResult]:
        """Identifies everything without waiting for the result. See the class for the arguments."""
        return self._begin("ald_view_identify_async", None, point_dip, tolerance_dip, max_results, **options)

    def identify_layer_async(
        self, layer: Layer, point_dip: Point, tolerance_dip: float = 0.0, max_results: int = 0, **options: Any
    ) -> Request[IdentifyResult]:
        """Identifies one layer, or all layers in a group, without waiting for the result. See the class for the arguments."""
        return self._begin("ald_view_identify_layer_async", layer, point_dip, tolerance_dip, max_results, **options)

    def identify_layers_async(
        self, point_dip: Point, tolerance_dip: float = 0.0, max_results: int = 0, **options: Any
    ) -> Request[IdentifyResult]:
        """Identifies all layers without waiting for the result. See the class for the arguments."""
        return self._begin("ald_view_identify_layers_async", None, point_dip, tolerance_dip, max_results, **options)

    def why_not(
        self,
        what: Layer | GraphicsOverlay,
        point_dip: Point,
        tolerance_dip: float = 0.0,
        max_results: int = 0,
        *,
        id: int | None = None,
        **options: Any,
    ) -> WhyNot:
        """Explains why something is not identified at a screen point. See the class for the other arguments.

        Args:
            what: a layer, or the layer or overlay of `id`.
            id: the id of a feature or a graphic; None: the layer, or anything in a group.
        """
        found = _abi.ald_why_not()
        arguments = _arguments(point_dip, tolerance_dip, max_results, **options)
        if isinstance(what, GraphicsOverlay):
            if id is None:
                raise TypeError("why_not needs the id of a graphic of the overlay")
            function = library().ald_view_why_not_graphic
            key: tuple[int, ...] = (uint64(id, "id"),)
        elif id is not None:
            function, key = library().ald_view_why_not_feature, (int64(id, "id"),)
        else:
            function, key = library().ald_view_why_not_layer, ()
        check(function, self._handle, what._handle, *key, *arguments, found)
        return why_not(found)

    def _identify(
        self,
        name: str,
        what: Layer | GraphicsOverlay | None,
        point_dip: Point,
        tolerance_dip: float,
        max_results: int,
        options: dict[str, Any],
    ) -> IdentifyResult:
        handle = _abi.ald_identify_result()
        arguments = _arguments(point_dip, tolerance_dip, max_results, **options)
        target = () if what is None else (what._handle,)
        check(getattr(library(), name), self._handle, *target, *arguments, handle)
        return IdentifyResult(handle, self)

    def _begin(
        self,
        name: str,
        what: Layer | GraphicsOverlay | None,
        point_dip: Point,
        tolerance_dip: float,
        max_results: int,
        *,
        on_done: Callable[[Request[IdentifyResult]], Any] | None = None,
        replace_key: int = 0,
        keep_begun: bool = False,
        **options: Any,
    ) -> Request[IdentifyResult]:
        def take(request: Request[IdentifyResult]) -> IdentifyResult:
            handle = _abi.ald_identify_result()
            check(library().ald_request_take_identify_result, request._handle, handle)
            return IdentifyResult(handle, self)

        arguments = _arguments(point_dip, tolerance_dip, max_results, **options)
        target = () if what is None else (what._handle,)
        function = getattr(library(), name)
        runtime = self._map._runtime
        return begin(runtime, function, (self._handle, *target, *arguments), take, on_done, replace_key, keep_begun)


def _arguments(
    point_dip: Point,
    tolerance_dip: float,
    max_results: int,
    *,
    area: Sequence[Point] = (),
    skip_empty_cells: bool = False,
    include_hidden: bool = False,
    popups_only: bool = False,
) -> tuple[Any, ...]:
    flags = IdentifyFlags.SKIP_EMPTY_CELLS if skip_empty_cells else IdentifyFlags(0)
    if include_hidden:
        flags |= IdentifyFlags.INCLUDE_HIDDEN
    if popups_only:
        flags |= IdentifyFlags.POPUPS_ONLY
    corners = (_abi.ald_point * len(area))(*(arrays.c_point(corner) for corner in area))
    options = _abi.ald_identify_options(flags=flags, area_count=len(area))
    if len(area):
        options.area = ctypes.cast(corners, ctypes.POINTER(_abi.ald_point))
    # ctypes does not keep what a pointer in a struct leads to.
    options._keeps = corners
    return arrays.c_point(point_dip), tolerance_dip, uint32(max_results, "max_results"), options

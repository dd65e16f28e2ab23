"""The graphics overlays of a view."""

from __future__ import annotations

import ctypes

from . import _abi
from ._handle import Handle
from ._library import library
from ._numbers import uint32
from .errors import check
from .feature_layer import FeatureLayer
from .graphics_overlay import GraphicsOverlay
from .overlay_drawing import OverlayDrawing


class ViewOverlays(Handle):
    """What a view can do with graphics overlays."""

    def add_overlay(self, overlay: GraphicsOverlay) -> None:
        """Puts an overlay on top. The view keeps it.

        :raises InvalidStateError: the overlay is in a view already.
        """
        check(library().ald_view_add_graphics_overlay, self._handle, overlay._handle)

    def insert_overlay(self, index: int, overlay: GraphicsOverlay) -> None:
        """Puts an overlay at a place among the others, from 0, the lowest.

        :raises InvalidStateError: the overlay is in a view already.
        :raises NotFoundError: there is no such place.
        """
        check(
            library().ald_view_insert_graphics_overlay, self._handle, overlay._handle, uint32(index, "index")
        )

    def move_overlay(self, overlay: GraphicsOverlay, index: int) -> None:
        """Moves an overlay to another place.

        :raises NotFoundError: the overlay is not in this view, or there is no such place.
        """
        check(library().ald_view_move_graphics_overlay, self._handle, overlay._handle, uint32(index, "index"))

    def remove_overlay(self, overlay: GraphicsOverlay) -> None:
        """Takes an overlay out of the view, with its graphics.

        :raises NotFoundError: the overlay is not in this view.
        """
        check(library().ald_view_remove_graphics_overlay, self._handle, overlay._handle)

    @property
    def overlays(self) -> tuple[GraphicsOverlay, ...]:
        """The overlays, the lowest in drawing order first. They are equal to those that were given."""
        count = ctypes.c_uint32()
        check(library().ald_view_graphics_overlay_count, self._handle, ctypes.byref(count))
        return tuple(self._overlay(index) for index in range(count.value))

    def _overlay(self, index: int) -> GraphicsOverlay:
        handle = _abi.ald_graphics_overlay()
        check(library().ald_view_graphics_overlay_at, self._handle, index, handle)
        return GraphicsOverlay._lent(handle, self)

    def overlay_drawing(
        self, overlay: GraphicsOverlay | None = None, *, keep_outside: bool = False
    ) -> OverlayDrawing:
        """What to draw of the overlays as view and overlays are now.

        Args:
            overlay: the only one to draw; None: all, the lowest first.
            keep_outside: graphics that are not in sight are kept, too.

        Raises:
            NotFoundError: the overlay is not in this view.
            NotReadyError: as for `state`.
            LimitExceededError: there are more vertices than the runtime's policy allows.
        """
        given = _abi.ald_graphics_overlay() if overlay is None else overlay._handle
        options = _abi.ald_overlay_drawing_options(
            flags=_abi.OverlayDrawingOptionsFlags.KEEP_OUTSIDE if keep_outside else 0
        )
        handle = _abi.ald_overlay_drawing()
        check(library().ald_view_create_overlay_drawing, self._handle, given, options, handle)
        return OverlayDrawing(handle, self)

    def feature_drawing(self, layer: FeatureLayer, *, keep_outside: bool = False) -> OverlayDrawing:
        """What to draw of a feature layer as view and layer are now; graphic ids are the ids of features.

        Args:
            layer: a feature layer of the view's map.
            keep_outside: features that were read and are not in sight are kept, too.

        Raises:
            InvalidArgumentError: the layer is not in the view's map.
            NotReadyError: as for `state`, or the source has no spatial reference.
            ReadFailedError: the file cannot be read any more, or has changed.
            LimitExceededError: there are more features or vertices than the runtime's policy allows.
        """
        options = _abi.ald_overlay_drawing_options(
            flags=_abi.OverlayDrawingOptionsFlags.KEEP_OUTSIDE if keep_outside else 0
        )
        handle = _abi.ald_overlay_drawing()
        check(library().ald_view_create_feature_drawing, self._handle, layer._handle, options, handle)
        return OverlayDrawing(handle, self)

"""The graphics overlays of a view."""

from __future__ import annotations

import ctypes

from .. import _abi
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import uint32
from .._library import library
from .feature_layer import FeatureLayer
from .graphics_overlay import GraphicsOverlay
from .overlay_drawing import OverlayDrawing


class ViewOverlays(Handle):
    """The part of a view that concerns graphics overlays."""

    @property
    def _overlay_objects(self) -> dict[int, GraphicsOverlay]:
        """The objects of the overlays, which live as long as the view, by the ids of their handles."""
        kept: dict[int, GraphicsOverlay] = vars(self).setdefault("_kept_overlays", {})
        return kept

    def add_overlay(self, overlay: GraphicsOverlay) -> None:
        """Adds an overlay on top of the others. The view keeps it.

        :raises InvalidStateError: the overlay is already in a view.
        """
        check(library().ald_view_add_graphics_overlay, self._handle, overlay._handle)
        self._overlay_objects[overlay._handle.id] = overlay

    def insert_overlay(self, index: int, overlay: GraphicsOverlay) -> None:
        """Inserts an overlay at an index. 0 is the lowest overlay.

        :raises InvalidStateError: the overlay is already in a view.
        :raises NotFoundError: the index is out of range.
        """
        check(library().ald_view_insert_graphics_overlay, self._handle, overlay._handle, uint32(index, "index"))
        self._overlay_objects[overlay._handle.id] = overlay

    def move_overlay(self, overlay: GraphicsOverlay, index: int) -> None:
        """Moves an overlay to another index.

        :raises NotFoundError: the overlay is not in this view, or the index is out of range.
        """
        check(library().ald_view_move_graphics_overlay, self._handle, overlay._handle, uint32(index, "index"))

    def remove_overlay(self, overlay: GraphicsOverlay) -> None:
        """Removes an overlay from the view. The overlay keeps its graphics.

        :raises NotFoundError: the overlay is not in this view.
        """
        check(library().ald_view_remove_graphics_overlay, self._handle, overlay._handle)
        self._overlay_objects.pop(overlay._handle.id, None)

    @property
    def overlays(self) -> tuple[GraphicsOverlay, ...]:
        """The overlays, the lowest in drawing order first: the objects that were added."""
        count = ctypes.c_uint32()
        check(library().ald_view_get_graphics_overlay_count, self._handle, ctypes.byref(count))
        return tuple(self._overlay(index) for index in range(count.value))

    def _overlay(self, index: int) -> GraphicsOverlay:
        handle = _abi.ald_graphics_overlay()
        check(library().ald_view_get_graphics_overlay_at, self._handle, index, handle)
        return GraphicsOverlay._lent(handle, self)

    def overlay_drawing(self, overlay: GraphicsOverlay | None = None, *, keep_outside: bool = False) -> OverlayDrawing:
        """Creates a drawing of the overlays in their current state.

        Args:
            overlay: the only overlay to draw. None draws all overlays, the lowest first.
            keep_outside: keeps graphics that are out of sight.

        Raises:
            NotFoundError: the overlay is not in this view.
            NotReadyError: as for `state`.
            LimitExceededError: there are more vertices than the runtime's policy allows.
        """
        given = _abi.ald_graphics_overlay() if overlay is None else overlay._handle
        options = _abi.ald_overlay_drawing_options(flags=_abi.OverlayDrawingFlags.KEEP_OUTSIDE if keep_outside else 0)
        handle = _abi.ald_overlay_drawing()
        check(library().ald_view_create_overlay_drawing, self._handle, given, options, handle)
        return OverlayDrawing(handle, self)

    def feature_drawing(self, layer: FeatureLayer, *, keep_outside: bool = False) -> OverlayDrawing:
        """Creates a drawing of a feature layer in its current state. The graphic ids are the ids of the features.

        Args:
            layer: a feature layer of the view's map.
            keep_outside: keeps features that were read and are out of sight.

        Raises:
            InvalidArgumentError: the layer is not in the view's map.
            NotReadyError: as for `state`, or the source has no spatial reference.
            ReadFailedError: the file can no longer be read, or has changed.
            LimitExceededError: there are more features or vertices than the runtime's policy allows.
        """
        options = _abi.ald_overlay_drawing_options(flags=_abi.OverlayDrawingFlags.KEEP_OUTSIDE if keep_outside else 0)
        handle = _abi.ald_overlay_drawing()
        check(library().ald_view_create_feature_drawing, self._handle, layer._handle, options, handle)
        return OverlayDrawing(handle, self)

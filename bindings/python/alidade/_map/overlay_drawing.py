"""Overlay drawings: what a host draws for graphics overlays and feature layers in a frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import GeometryKind, OverlayFailureReason, OverlayItemFlags, PointStatus
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import uint32
from .._geometry.geometry_columns import viewed_memory
from .._library import library
from .graphics_overlay import GraphicsOverlay
from .symbol import Symbol, python_symbol


class OverlayColumns(NamedTuple):
    """The items of a drawing in columns: read-only views of the library's memory.

    Item i has the parts part_offsets[i] to part_offsets[i + 1] - 1, a part has paths, and a path has vertices.
    """

    graphic_ids: npt.NDArray[np.uint64]
    # Indexes of the drawing's overlays.
    overlay_indexes: npt.NDArray[np.uint32]
    # Indexes of the drawing's symbols.
    symbol_indexes: npt.NDArray[np.uint32]
    # Bits of OverlayItemFlags: SELECTED, BALLPARK.
    flags: npt.NDArray[np.uint8]
    # A GeometryKind each. No item is a collection.
    kinds: npt.NDArray[np.uint8]
    part_offsets: npt.NDArray[np.int32]
    path_offsets: npt.NDArray[np.int32]
    vertex_offsets: npt.NDArray[np.int32]
    # Screen coordinates in DIP, of shape (n, 2). Finite and not clipped.
    screen_xy: npt.NDArray[np.float64]


@dataclass(frozen=True)
class OverlayItem:
    """An item to draw."""

    graphic_id: int
    # The index of its overlay in the drawing.
    overlay_index: int
    kind: GeometryKind
    # The symbol with its final sizes, its angle on the screen, and its colours.
    symbol: Symbol
    selected: bool
    # Whether it was projected by a ballpark transformation, which treats the datums as equal.
    ballpark: bool
    # The parts of the item, each a list of paths. A path has the shape (n, 2), in DIP.
    parts: list[list[npt.NDArray[np.float64]]]


@dataclass(frozen=True)
class DrawnOverlay:
    """An overlay of a drawing."""

    # The overlay, or None in the drawing of a feature layer.
    overlay: GraphicsOverlay | None
    # The opacity of the overlay as a whole: draw its items at full opacity, then blend the picture of all items.
    opacity: float
    # The generation of the overlay that was drawn.
    generation: int
    # The indexes of its items.
    items: range


@dataclass(frozen=True)
class OverlayFailure:
    """A graphic that should be drawn but cannot be."""

    graphic_id: int
    overlay_index: int
    reason: OverlayFailureReason
    # Why a vertex cannot be projected. None if the reason is another one.
    point_status: PointStatus | None
    # The vertex, as it was given.
    vertex: tuple[float, float] | None


@dataclass(frozen=True)
class OverlayCounts:
    """Counts of graphics. All counts except `ballpark`, which is a part of `drawn`, add up to all graphics."""

    drawn: int
    hidden: int
    outside: int
    # Graphics without a symbol, neither their own nor from the renderer.
    unsymbolized: int
    empty: int
    failed: int
    ballpark: int


class OverlayDrawing(Handle):
    """What to draw for a view's overlays, in drawing order, the lowest first. It never changes.

    `View.overlay_drawing` and `View.feature_drawing` create it. It is a sequence of items; `columns` has them as arrays.
    """

    _release_function = "ald_overlay_drawing_release"

    def __init__(self, handle: _abi.ald_overlay_drawing, keeps: Handle) -> None:
        super().__init__(handle, keeps=keeps)

    @property
    def columns(self) -> OverlayColumns:
        """The items in the library's own memory: read-only numpy arrays that keep this object alive."""
        c = self._columns()

        def view(pointer: object, shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
            return viewed_memory(pointer, shape, dtype, self)

        return OverlayColumns(
            view(c.graphic_ids, (c.item_count,), np.uint64),
            view(c.overlay_indexes, (c.item_count,), np.uint32),
            view(c.symbol_indexes, (c.item_count,), np.uint32),
            view(c.item_flags, (c.item_count,), np.uint8),
            view(c.kinds, (c.item_count,), np.uint8),
            view(c.part_offsets, (c.item_count + 1,), np.int32),
            view(c.path_offsets, (c.part_count + 1,), np.int32),
            view(c.vertex_offsets, (c.path_count + 1,), np.int32),
            view(c.screen_xy, (c.vertex_count, 2), np.float64),
        )

    @property
    def symbols(self) -> list[Symbol]:
        """The symbols of the items, with their final sizes, angles on the screen, and colours."""
        c = self._columns()
        drawn = (python_symbol(c.symbols[index]) for index in range(c.symbol_count))
        return [symbol for symbol in drawn if symbol is not None]

    @property
    def overlays(self) -> list[DrawnOverlay]:
        """The overlays of the drawing, the lowest first."""
        drawn = []
        for index in range(self._info().overlay_count):
            overlay = _abi.ald_overlay_drawing_overlay()
            check(library().ald_overlay_drawing_get_overlay_at, self._handle, index, overlay)
            drawn.append(
                DrawnOverlay(
                    # A copy: the struct's memory ends with it.
                    GraphicsOverlay._lent(_abi.ald_graphics_overlay(overlay.overlay.id), self)
                    if overlay.overlay.id
                    else None,
                    overlay.opacity,
                    overlay.generation,
                    range(overlay.first_item, overlay.first_item + overlay.item_count),
                )
            )
        return drawn

    @property
    def failures(self) -> list[OverlayFailure]:
        """The graphics that should be drawn but cannot be, and why."""
        return [self.failure(index) for index in range(self._info().failed_graphic_count)]

    def failure(self, index: int) -> OverlayFailure:
        """Returns one of the failures.

        :raises NotFoundError: there is no failure with that index.
        """
        failure = _abi.ald_overlay_failure()
        check(library().ald_overlay_drawing_get_failure_at, self._handle, uint32(index, "index"), failure)
        reason = OverlayFailureReason(failure.reason)
        has_vertex = reason is OverlayFailureReason.NO_IMAGE
        return OverlayFailure(
            failure.graphic_id,
            failure.overlay_index,
            reason,
            PointStatus(failure.point_status) if has_vertex else None,
            (failure.vertex.x, failure.vertex.y) if has_vertex else None,
        )

    @property
    def counts(self) -> OverlayCounts:
        """How many graphics are drawn, and how many are not, by reason."""
        info = self._info()
        return OverlayCounts(
            drawn=info.drawn_graphic_count,
            hidden=info.hidden_graphic_count,
            outside=info.outside_graphic_count,
            unsymbolized=info.unsymbolized_graphic_count,
            empty=info.empty_graphic_count,
            failed=info.failed_graphic_count,
            ballpark=info.ballpark_graphic_count,
        )

    @property
    def view_generation(self) -> int:
        """The generation of the view's state that the drawing is for."""
        return int(self._info().view_generation)

    def __len__(self) -> int:
        """The number of items."""
        return int(self._columns().item_count)

    def __iter__(self) -> Iterator[OverlayItem]:
        return self._items(range(len(self)))

    @overload
    def __getitem__(self, index: int) -> OverlayItem: ...
    @overload
    def __getitem__(self, index: slice) -> list[OverlayItem]: ...
    def __getitem__(self, index: int | slice) -> OverlayItem | list[OverlayItem]:
        if isinstance(index, slice):
            return list(self._items(range(len(self))[index]))
        position = range(len(self))[index]
        return next(self._items(range(position, position + 1)))

    def _items(self, indexes: range) -> Iterator[OverlayItem]:
        columns, symbols = self.columns, self.symbols
        for index in indexes:
            parts = [
                [
                    columns.screen_xy[columns.vertex_offsets[path] : columns.vertex_offsets[path + 1]]
                    for path in range(columns.path_offsets[part], columns.path_offsets[part + 1])
                ]
                for part in range(columns.part_offsets[index], columns.part_offsets[index + 1])
            ]
            flags = int(columns.flags[index])
            yield OverlayItem(
                int(columns.graphic_ids[index]),
                int(columns.overlay_indexes[index]),
                GeometryKind(int(columns.kinds[index])),
                symbols[columns.symbol_indexes[index]],
                bool(flags & OverlayItemFlags.SELECTED),
                bool(flags & OverlayItemFlags.BALLPARK),
                parts,
            )

    def _columns(self) -> _abi.ald_overlay_drawing_columns:
        columns = _abi.ald_overlay_drawing_columns()
        check(library().ald_overlay_drawing_get_columns, self._handle, columns)
        return columns

    def _info(self) -> _abi.ald_overlay_drawing_info:
        info = _abi.ald_overlay_drawing_info()
        check(library().ald_overlay_drawing_get_info, self._handle, info)
        return info

    def _facts(self) -> str:
        return f"of {len(self)} items, {self._info().failed_graphic_count} failed"

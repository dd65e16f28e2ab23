"""Graphics overlays: geometries with attributes and symbols that a host draws over a map."""

from __future__ import annotations

import contextlib
import ctypes
from dataclasses import dataclass
from typing import Any, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._abi import GraphicFlags, GraphicListFlags, GraphicsOverlayFlags, GraphicValueType
from ._graphic_columns import AttributeColumn, GraphicIds, c_graphic_columns, id_array
from ._handle import Handle
from ._library import library
from ._numbers import uint32, uint64
from ._text import copied, encoded
from .errors import AlidadeError, check
from .geometry import Geometry
from .geometry_array import GeometryArray
from .runtime import Runtime
from .symbol import (
    Attributes,
    Color,
    GraphicValue,
    Renderer,
    Symbol,
    c_color,
    c_renderer,
    color,
    python_symbol,
)


@dataclass(frozen=True)
class GraphicsOverlayOptions:
    """How an overlay is shown and edited."""

    visible: bool = True
    # 0 to 1, of the overlay as a whole. The host applies it.
    opacity: float = 1.0
    # The farthest scale at which the overlay is drawn, its denominator; 0: no limit.
    min_scale: float = 0.0
    # The closest one; 0: no limit. At both scales it is drawn.
    max_scale: float = 0.0
    # Symbols have their sizes at the map's reference scale, if it has one, and grow and shrink with the map.
    scale_symbols: bool = False
    # What selected graphics are drawn with.
    selection_color: Color = (0, 255, 255, 255)
    # How many edits are kept for undo, up to 10,000; 0: none.
    undo_limit: int = 100


@dataclass(frozen=True)
class Graphic:
    """What there is to say of a graphic beside its geometry."""

    graphic_id: int
    z_index: int
    visible: bool
    selected: bool
    # Its own; None: the renderer draws it.
    symbol: Symbol | None
    # Those that are not None.
    attributes: dict[str, GraphicValue]


class GraphicsOverlay(Handle):
    """Graphics that a host draws over a map, by z-index and then as they were added.

    A graphic is named by an id, a number from 1 that is never given to another one. The ids of graphics that are added
    together follow each other. An id whose graphic is gone raises NotFoundError, until undo brings it back.

    Args:
        runtime: what the overlay hangs on.
        renderer: what draws graphics without a symbol of their own; None: they are not drawn.
        options: how it is shown and edited; None: all defaults.
        name: the host's own matter.
    """

    _release_function = "ald_graphics_overlay_release"

    def __init__(
        self,
        runtime: Runtime,
        renderer: Renderer | None = None,
        options: GraphicsOverlayOptions | None = None,
        *,
        name: str = "",
    ) -> None:
        handle = _abi.ald_graphics_overlay()
        check(library().ald_graphics_overlay_create, runtime._handle, _c_options(options), handle)
        super().__init__(handle, keeps=runtime)
        if renderer is not None:
            self.set_renderer(renderer)
        if name:
            self.name = name

    @classmethod
    def _lent(cls, handle: _abi.ald_graphics_overlay, keeps: Handle) -> GraphicsOverlay:
        overlay = cls.__new__(cls)
        Handle.__init__(overlay, handle, keeps=keeps, is_lent=True)
        return overlay

    # How it is shown

    @property
    def options(self) -> GraphicsOverlayOptions:
        """How the overlay is shown and edited. Set all of it; `dataclasses.replace` changes a part.

        :raises InvalidArgumentError: a number is not finite or out of its range.
        """
        info = self._info()
        return GraphicsOverlayOptions(
            visible=not info.flags & GraphicsOverlayFlags.HIDDEN,
            opacity=info.opacity,
            min_scale=info.min_scale,
            max_scale=info.max_scale,
            scale_symbols=bool(info.flags & GraphicsOverlayFlags.SCALE_SYMBOLS),
            selection_color=color(info.selection_color),
            undo_limit=info.undo_limit,
        )

    @options.setter
    def options(self, options: GraphicsOverlayOptions | None) -> None:
        check(library().ald_graphics_overlay_set_options, self._handle, _c_options(options))

    @property
    def name(self) -> str:
        return copied(library().ald_graphics_overlay_name, self._handle)

    @name.setter
    def name(self, name: str) -> None:
        check(library().ald_graphics_overlay_set_name, self._handle, encoded(name))

    def set_renderer(self, renderer: Renderer | None) -> None:
        """Sets what draws graphics without a symbol of their own; None: they are not drawn.

        :raises InvalidArgumentError: a number is out of its range, or bounds do not rise.
        """
        given, keeps = c_renderer(renderer)
        check(library().ald_graphics_overlay_set_renderer, self._handle, given)
        del keeps

    @property
    def generation(self) -> int:
        """Goes up with every change of the overlay."""
        return int(self._info().generation)

    # Edits

    def add(
        self,
        geometry: Geometry,
        *,
        symbol: Symbol | None = None,
        attributes: Attributes | None = None,
        z_index: int = 0,
        visible: bool = True,
    ) -> int:
        """Adds a graphic and answers its id.

        Args:
            geometry: in any spatial reference; without one it is in the map's.
            symbol: its own; None: the renderer draws it.
            attributes: by name.
            z_index: those of a higher one are drawn over it.
            visible: whether it is drawn.
        """
        columns, keeps = c_graphic_columns(
            1,
            None if symbol is None else [symbol],
            {name: [value] for name, value in (attributes or {}).items()},
            z_index,
            visible,
        )
        graphic_id = ctypes.c_uint64()
        check(
            library().ald_graphics_overlay_add_one,
            self._handle,
            geometry._handle,
            columns,
            ctypes.byref(graphic_id),
        )
        del keeps
        return graphic_id.value

    def add_many(
        self,
        geometries: GeometryArray,
        *,
        symbols: Symbol | Sequence[Symbol | None] | None = None,
        attributes: Mapping[str, AttributeColumn] | None = None,
        z_index: int | npt.ArrayLike = 0,
        visible: bool | npt.ArrayLike = True,
    ) -> range:
        """Adds a graphic for each geometry of an array and answers their ids, which follow each other.

        Args:
            geometries: in any spatial reference; without one they are in the map's. They are not copied.
            symbols: one for all, one for each, or None: the renderer draws them.
            attributes: columns by name, a value for each graphic.
            z_index: one for all, or one for each.
            visible: one for all, or one for each.
        """
        count = len(geometries)
        columns, keeps = c_graphic_columns(count, symbols, attributes or {}, z_index, visible)
        first = ctypes.c_uint64()
        check(
            library().ald_graphics_overlay_add, self._handle, geometries._handle, columns, ctypes.byref(first)
        )
        del keeps
        return range(first.value, first.value + count) if count else range(0)

    def update(
        self,
        graphic_ids: GraphicIds,
        *,
        geometries: Geometry | GeometryArray | None = None,
        symbols: Symbol | Sequence[Symbol | None] | None = None,
        attributes: Mapping[str, GraphicValue | AttributeColumn] | None = None,
        z_index: int | npt.ArrayLike | None = None,
        visible: bool | npt.ArrayLike | None = None,
    ) -> None:
        """Changes graphics, in one step for undo: what is given, and nothing else.

        Args:
            graphic_ids: which graphics, or the one.
            geometries: a new one for each; a Geometry changes the only graphic, and must be the only change.
            symbols: one for all, or one for each; None in a sequence takes a graphic's own symbol away.
            attributes: a value for all, or a column; None is no value. Attributes that are not named stay.
            z_index, visible: one for all, or one for each.
        """
        ids = id_array(graphic_ids)
        if isinstance(geometries, Geometry):
            if len(ids) != 1 or any(given is not None for given in (symbols, attributes, z_index, visible)):
                raise ValueError("a single geometry changes one graphic, and nothing else of it; use a GeometryArray")
            check(library().ald_graphics_overlay_set_geometry, self._handle, int(ids[0]), geometries._handle)
            return
        table = {
            name: [value] * len(ids) if value is None or isinstance(value, (int, float, str)) else value
            for name, value in (attributes or {}).items()
        }
        columns, keeps = c_graphic_columns(len(ids), symbols, table, z_index, visible)
        array = _abi.ald_geometry_array() if geometries is None else geometries._handle
        check(
            library().ald_graphics_overlay_update, self._handle, _arrays.address(ids), len(ids), array, columns
        )
        del keeps

    def remove(self, graphic_ids: GraphicIds) -> None:
        """Removes graphics.

        :raises NotFoundError: one is not there; none is removed.
        """
        ids = id_array(graphic_ids)
        check(library().ald_graphics_overlay_remove, self._handle, _arrays.address(ids), len(ids))

    def clear(self) -> None:
        """Removes all graphics, in one step for undo."""
        check(library().ald_graphics_overlay_clear, self._handle)

    # Selection

    def select(self, graphic_ids: GraphicIds, selected: bool = True) -> None:
        """Selects graphics, or takes them out of the selection. Undo has no part in this."""
        ids = id_array(graphic_ids)
        check(
            library().ald_graphics_overlay_select, self._handle, _arrays.address(ids), len(ids), int(bool(selected))
        )

    def clear_selection(self) -> None:
        check(library().ald_graphics_overlay_clear_selection, self._handle)

    @property
    def selected_ids(self) -> list[int]:
        """In draw order."""
        return self._list(GraphicListFlags.SELECTED)

    # Undo

    @contextlib.contextmanager
    def undo_group(self) -> Iterator[None]:
        """A `with` block whose edits are one step for undo, whatever happens to it.

        :raises InvalidStateError: a group is open already.
        """
        self.begin_undo_group()
        try:
            yield
        finally:
            self.end_undo_group()

    def begin_undo_group(self) -> None:
        """Opens a group: all edits up to its end are one step for undo. For a drag, whose end comes with an event.

        :raises InvalidStateError: a group is open already.
        """
        check(library().ald_graphics_overlay_begin_undo_group, self._handle)

    def end_undo_group(self) -> None:
        """Ends the open group of edits.

        :raises InvalidStateError: no group is open.
        """
        check(library().ald_graphics_overlay_end_undo_group, self._handle)

    def undo(self) -> int:
        """Undoes the last step, or what an open group has done so far.

        Answers how many graphics came, went or changed; 0: there was nothing to undo.
        """
        return self._changed(library().ald_graphics_overlay_undo)

    def redo(self) -> int:
        """Does again what was undone last. A new edit drops what was undone."""
        return self._changed(library().ald_graphics_overlay_redo)

    def clear_history(self) -> None:
        """Forgets all edits, so that none can be undone or done again."""
        check(library().ald_graphics_overlay_clear_history, self._handle)

    @property
    def undo_count(self) -> int:
        """How many edits can be undone."""
        return int(self._info().undo_count)

    @property
    def redo_count(self) -> int:
        """How many edits can be done again."""
        return int(self._info().redo_count)

    def _changed(self, function: Any) -> int:
        count = ctypes.c_uint32()
        check(function, self._handle, ctypes.byref(count))
        return count.value

    # Reading

    @property
    def ids(self) -> list[int]:
        """The graphics in draw order, the lowest first."""
        return self._list(0)

    def __len__(self) -> int:
        return int(self._info().graphic_count)

    def __getitem__(self, graphic_id: int) -> Graphic:
        """A graphic by its id.

        :raises NotFoundError: it is not there.
        """
        number = uint64(graphic_id, "graphic_id")
        graphic = _abi.ald_graphic()
        check(library().ald_graphics_overlay_get_graphic, self._handle, number, graphic)
        names = (
            copied(library().ald_graphics_overlay_attribute_name, self._handle, number, index)
            for index in range(graphic.attribute_count)
        )
        return Graphic(
            graphic_id=graphic.graphic_id,
            z_index=graphic.z_index,
            visible=not graphic.flags & GraphicFlags.HIDDEN,
            selected=bool(graphic.flags & GraphicFlags.SELECTED),
            symbol=python_symbol(graphic.symbol),
            attributes={name: self.attribute(number, name) for name in names},
        )

    def geometry(self, graphic_id: int) -> Geometry:
        """The geometry of a graphic, as it was given."""
        handle = _abi.ald_geometry()
        check(
            library().ald_graphics_overlay_create_geometry, self._handle, uint64(graphic_id, "graphic_id"), handle
        )
        return Geometry(handle, self)

    def attribute(self, graphic_id: int, name: str) -> GraphicValue:
        """The value of an attribute; None if the graphic does not have it."""
        function = library().ald_graphics_overlay_attribute
        number, key = uint64(graphic_id, "graphic_id"), encoded(name)
        value, size = _abi.ald_graphic_value(), ctypes.c_size_t()
        check(function, self._handle, number, key, ctypes.byref(value), None, 0, ctypes.byref(size))
        while value.type == GraphicValueType.TEXT:
            buffer = ctypes.create_string_buffer(size.value)
            try:
                check(function, self._handle, number, key, ctypes.byref(value), buffer, len(buffer), ctypes.byref(size))
            except AlidadeError as error:
                # Another thread may have made the text longer.
                if error.status is not _abi.Status.BUFFER_TOO_SMALL:
                    raise
                continue
            if value.type == GraphicValueType.TEXT:
                return buffer.value.decode("utf-8")
        if value.type == GraphicValueType.INTEGER:
            return int(value.integer)
        return float(value.real) if value.type == GraphicValueType.REAL else None

    def _list(self, flags: int) -> list[int]:
        function = library().ald_graphics_overlay_list
        count = ctypes.c_size_t()
        check(function, self._handle, flags, None, 0, ctypes.byref(count))
        while True:
            ids = np.empty(count.value, dtype=np.uint64)
            try:
                check(function, self._handle, flags, _arrays.address(ids), len(ids), ctypes.byref(count))
            except AlidadeError as error:
                # Another thread may have added some.
                if error.status is not _abi.Status.BUFFER_TOO_SMALL:
                    raise
            else:
                return [int(number) for number in ids[: count.value]]

    def _info(self) -> _abi.ald_graphics_overlay_info:
        info = _abi.ald_graphics_overlay_info()
        check(library().ald_graphics_overlay_get_info, self._handle, info)
        return info

    def __repr__(self) -> str:
        return self._repr(f"{self._handle.id:#x}")


def _c_options(options: GraphicsOverlayOptions | None) -> _abi.ald_graphics_overlay_options:
    options = options or GraphicsOverlayOptions()
    result = _abi.ald_graphics_overlay_options(
        flags=GraphicsOverlayFlags.HAS_OPACITY | GraphicsOverlayFlags.HAS_SELECTION_COLOR,
        opacity=options.opacity,
        min_scale=options.min_scale,
        max_scale=options.max_scale,
        selection_color=c_color(options.selection_color),
        undo_limit=uint32(options.undo_limit, "undo_limit"),
    )
    if not options.visible:
        result.flags |= GraphicsOverlayFlags.HIDDEN
    if options.scale_symbols:
        result.flags |= GraphicsOverlayFlags.SCALE_SYMBOLS
    if options.undo_limit == 0:
        result.flags |= GraphicsOverlayFlags.NO_UNDO
    return result

"""Graphics overlays: geometries with attributes and symbols that a host draws above a map."""

from __future__ import annotations

import contextlib
import ctypes
import weakref
from dataclasses import dataclass
from typing import Any, Iterator, Mapping, Sequence, overload

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import GraphicFlags, GraphicListFlags, GraphicsOverlayFlags, GraphicValueType
from .._base import arrays
from .._base.errors import AlidadeError, check
from .._base.handle import Handle
from .._base.numbers import uint32, uint64
from .._base.runtime import Runtime
from .._base.text import copied, encoded
from .._geometry.geometry import Geometry
from .._geometry.geometry_array import GeometryArray
from .._library import library
from .graphic_columns import AttributeColumn, GraphicIds, c_graphic_columns, id_array
from .popup import PopupDefinition, c_definition
from .spatial_query import OverlayQueries
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

# The overlays that Python has, by the ids of their handles, so that a handle always gives the same object.
_known: weakref.WeakValueDictionary[int, GraphicsOverlay] = weakref.WeakValueDictionary()


@dataclass(frozen=True)
class GraphicsOverlayOptions:
    """How an overlay is shown and edited."""

    visible: bool = True
    # The opacity of the overlay as a whole, 0 to 1. The host applies it.
    opacity: float = 1.0
    # The denominator of the farthest scale at which the overlay is drawn. 0 means no limit.
    min_scale: float = 0.0
    # The denominator of the closest scale at which the overlay is drawn. 0 means no limit. Both ends are included.
    max_scale: float = 0.0
    # Symbols grow and shrink with the map. They have their given size at the map's reference scale, if it has one.
    scale_symbols: bool = False
    # The colour of selected graphics.
    selection_color: Color = (0, 255, 255, 255)
    # The number of edits that are kept for undo, up to 10,000. 0 means none.
    undo_limit: int = 100


@dataclass(frozen=True)
class Graphic:
    """The properties of a graphic, except its geometry."""

    graphic_id: int
    z_index: int
    visible: bool
    selected: bool
    # The graphic's own symbol. None: the renderer selects the symbol.
    symbol: Symbol | None
    # The attributes that are not None.
    attributes: dict[str, GraphicValue]


class GraphicsOverlay(OverlayQueries, Handle):
    """Graphics that a host draws above a map, by z-index and then in the order in which they were added.

    A graphic is identified by an id: a number from 1 that is never used for another graphic. Graphics that are added
    together have consecutive ids. The id of a removed graphic raises NotFoundError, until undo restores the graphic.

    >>> overlay = alidade.GraphicsOverlay(alidade.SimpleRenderer(alidade.MarkerSymbol((255, 0, 0))), name="turbines")
    >>> number = overlay.add(alidade.Geometry.from_wkt("POINT(10 50)", 4326), attributes={"height": 120})
    >>> overlay[number].attributes, overlay
    ({'height': 120}, <GraphicsOverlay 'turbines' with 1 graphics>)

    Args:
        runtime: the runtime of the overlay; may be left out.
        renderer: selects symbols for graphics without a symbol of their own. None: these graphics are not drawn.
        options: how the overlay is shown and edited. None means all defaults.
        name: a name for the host. The library only stores it.
    """

    _release_function = "ald_graphics_overlay_release"

    @overload
    def __init__(
        self,
        runtime: Runtime | None,
        renderer: Renderer | None = None,
        options: GraphicsOverlayOptions | None = None,
        *,
        name: str = "",
    ) -> None: ...
    @overload
    def __init__(
        self,
        renderer: Renderer | None = None,
        options: GraphicsOverlayOptions | None = None,
        *,
        name: str = "",
    ) -> None: ...
    def __init__(  # type: ignore[misc]
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
        _known[handle.id] = self
        if renderer is not None:
            self.renderer = renderer
        if name:
            self.name = name

    @classmethod
    def _lent(cls, handle: _abi.ald_graphics_overlay, keeps: Handle) -> GraphicsOverlay:
        known = _known.get(handle.id)
        if known is not None:
            return known
        overlay = cls.__new__(cls)
        Handle.__init__(overlay, handle, keeps=keeps, is_lent=True)
        return overlay

    # How it is shown

    @property
    def options(self) -> GraphicsOverlayOptions:
        """How the overlay is shown and edited. Setting it replaces all options; `dataclasses.replace` changes some.

        :raises InvalidArgumentError: a number is not finite or out of range.
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
        """The name of the overlay."""
        return copied(library().ald_graphics_overlay_get_name, self._handle)

    @name.setter
    def name(self, name: str) -> None:
        check(library().ald_graphics_overlay_set_name, self._handle, encoded(name))

    @property
    def renderer(self) -> Renderer | None:
        """The renderer for graphics without a symbol of their own. None: these graphics are not drawn.

        :raises InvalidArgumentError: a number is out of range, or the bounds do not increase.
        """
        return self._renderer

    @renderer.setter
    def renderer(self, renderer: Renderer | None) -> None:
        given, keeps = c_renderer(renderer)
        check(library().ald_graphics_overlay_set_renderer, self._handle, given)
        del keeps
        self._renderer = renderer

    # The library does not return it. A view keeps its overlays' objects, so that this is the renderer that was set.
    _renderer: Renderer | None = None

    def set_renderer(self, renderer: Renderer | None) -> None:
        """Sets `renderer`."""
        self.renderer = renderer

    def set_popup_definition(self, definition: PopupDefinition | None) -> None:
        """Sets how the graphics read in popups. None: they have none.

        :raises InvalidArgumentError: a template, a field or a format is not valid.
        """
        check(library().ald_graphics_overlay_set_popup_definition, self._handle, c_definition(definition))

    @property
    def generation(self) -> int:
        """Increases with every change of the overlay."""
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
        """Adds a graphic and returns its id.

        Args:
            geometry: the geometry, in any spatial reference. Without a spatial reference it is in the map's.
            symbol: the graphic's own symbol. None: the renderer selects the symbol.
            attributes: the attributes by name.
            z_index: graphics with a higher z-index are drawn above it.
            visible: whether the graphic is drawn.
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
            library().ald_graphics_overlay_add_graphic,
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
        """Adds a graphic for each geometry of an array and returns their ids, which are consecutive.

        Args:
            geometries: the geometries, not copied, in any spatial reference. Without one they are in the map's.
            symbols: one symbol for all graphics, or one for each. None: the renderer selects the symbols.
            attributes: columns by name, with a value for each graphic.
            z_index: one for all graphics, or one for each.
            visible: one for all graphics, or one for each.
        """
        count = len(geometries)
        columns, keeps = c_graphic_columns(count, symbols, attributes or {}, z_index, visible)
        first = ctypes.c_uint64()
        check(
            library().ald_graphics_overlay_add_graphics, self._handle, geometries._handle, columns, ctypes.byref(first)
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
        """Changes graphics, as one step for undo. Arguments that are None change nothing.

        Args:
            graphic_ids: the ids of the graphics, or one id.
            geometries: a new geometry for each graphic. A Geometry is for a single graphic and must be the only change.
            symbols: one symbol for all graphics, or one for each. None in a sequence removes a graphic's own symbol.
            attributes: a value for all graphics, or a column. None removes the value. Other attributes stay.
            z_index, visible: one for all graphics, or one for each.
        """
        ids = id_array(graphic_ids)
        if isinstance(geometries, Geometry):
            if len(ids) != 1 or any(given is not None for given in (symbols, attributes, z_index, visible)):
                raise ValueError("a Geometry changes only the geometry of one graphic; use a GeometryArray instead")
            check(library().ald_graphics_overlay_set_graphic_geometry, self._handle, int(ids[0]), geometries._handle)
            return
        table = {
            name: [value] * len(ids) if value is None or isinstance(value, (int, float, str)) else value
            for name, value in (attributes or {}).items()
        }
        columns, keeps = c_graphic_columns(len(ids), symbols, table, z_index, visible)
        array = _abi.ald_geometry_array() if geometries is None else geometries._handle
        check(
            library().ald_graphics_overlay_update_graphics, self._handle, arrays.address(ids), len(ids), array, columns
        )
        del keeps

    def remove(self, graphic_ids: GraphicIds) -> None:
        """Removes graphics. If one of the ids does not exist, none is removed.

        :raises NotFoundError: one of the ids does not exist.
        """
        ids = id_array(graphic_ids)
        check(library().ald_graphics_overlay_remove_graphics, self._handle, arrays.address(ids), len(ids))

    def clear(self) -> None:
        """Removes all graphics, as one step for undo."""
        check(library().ald_graphics_overlay_clear_graphics, self._handle)

    # Selection

    def select(self, graphic_ids: GraphicIds, selected: bool = True) -> None:
        """Selects or deselects graphics. Undo does not cover the selection."""
        ids = id_array(graphic_ids)
        check(
            library().ald_graphics_overlay_select_graphics,
            self._handle,
            arrays.address(ids),
            len(ids),
            int(bool(selected)),
        )

    def clear_selection(self) -> None:
        """Deselects all graphics."""
        check(library().ald_graphics_overlay_clear_selection, self._handle)

    @property
    def selected_ids(self) -> list[int]:
        """The ids of the selected graphics in drawing order, the lowest first."""
        return self._list(GraphicListFlags.SELECTED)

    # Undo

    @contextlib.contextmanager
    def undo_group(self) -> Iterator[None]:
        """Returns a context manager for a `with` block whose edits are one step for undo, even if the block raises.

        :raises InvalidStateError: a group is already open.
        """
        self.begin_undo_group()
        try:
            yield
        finally:
            self.end_undo_group()

    def begin_undo_group(self) -> None:
        """Opens an undo group: all edits until the end of the group are one step. Use it if an event ends a drag.

        :raises InvalidStateError: a group is already open.
        """
        check(library().ald_graphics_overlay_begin_undo_group, self._handle)

    def end_undo_group(self) -> None:
        """Ends the open undo group.

        :raises InvalidStateError: no group is open.
        """
        check(library().ald_graphics_overlay_end_undo_group, self._handle)

    def undo(self) -> int:
        """Undoes the last step, or what an open group has done so far.

        Returns:
            The number of graphics that were added, removed or changed, or 0 if there was nothing to undo.
        """
        return self._changed(library().ald_graphics_overlay_undo)

    def redo(self) -> int:
        """Redoes the step that was undone last. A new edit discards the undone steps."""
        return self._changed(library().ald_graphics_overlay_redo)

    def clear_history(self) -> None:
        """Discards all steps, so that nothing can be undone or redone."""
        check(library().ald_graphics_overlay_clear_history, self._handle)

    @property
    def undo_count(self) -> int:
        """The number of edits that can be undone."""
        return int(self._info().undo_count)

    @property
    def redo_count(self) -> int:
        """The number of edits that can be redone."""
        return int(self._info().redo_count)

    def _changed(self, function: Any) -> int:
        count = ctypes.c_uint32()
        check(function, self._handle, ctypes.byref(count))
        return count.value

    # Reading

    @property
    def ids(self) -> list[int]:
        """The ids of the graphics in drawing order, the lowest first."""
        return self._list(0)

    def __len__(self) -> int:
        return int(self._info().graphic_count)

    def __getitem__(self, graphic_id: int) -> Graphic:
        """Returns the properties of a graphic.

        :raises NotFoundError: there is no graphic with that id.
        """
        number = uint64(graphic_id, "graphic_id")
        graphic = _abi.ald_graphic()
        check(library().ald_graphics_overlay_get_graphic, self._handle, number, graphic)
        names = (
            copied(library().ald_graphics_overlay_get_attribute_name_at, self._handle, number, index)
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
        """Returns the geometry of a graphic, as it was added."""
        handle = _abi.ald_geometry()
        check(
            library().ald_graphics_overlay_create_graphic_geometry,
            self._handle,
            uint64(graphic_id, "graphic_id"),
            handle,
        )
        return Geometry(handle, self)

    def attribute(self, graphic_id: int, name: str) -> GraphicValue:
        """Returns the value of an attribute, or None if the graphic does not have it."""
        function = library().ald_graphics_overlay_find_attribute
        number, key = uint64(graphic_id, "graphic_id"), encoded(name)
        value, size = _abi.ald_graphic_value(), ctypes.c_size_t()
        check(function, self._handle, number, key, ctypes.byref(value), None, 0, ctypes.byref(size))
        while value.type == GraphicValueType.TEXT:
            buffer = ctypes.create_string_buffer(size.value)
            try:
                check(function, self._handle, number, key, ctypes.byref(value), buffer, len(buffer), ctypes.byref(size))
            except AlidadeError as error:
                # Another thread may have set a longer text.
                if error.status is not _abi.Status.BUFFER_TOO_SMALL:
                    raise
                continue
            if value.type == GraphicValueType.TEXT:
                return buffer.value.decode("utf-8")
        if value.type == GraphicValueType.INTEGER:
            return int(value.integer)
        return float(value.real) if value.type == GraphicValueType.REAL else None

    def _list(self, flags: int) -> list[int]:
        function = library().ald_graphics_overlay_get_graphic_ids
        count = ctypes.c_size_t()
        check(function, self._handle, flags, None, 0, ctypes.byref(count))
        while True:
            ids = np.empty(count.value, dtype=np.uint64)
            try:
                check(function, self._handle, flags, arrays.address(ids), len(ids), ctypes.byref(count))
            except AlidadeError as error:
                # Another thread may have added graphics.
                if error.status is not _abi.Status.BUFFER_TOO_SMALL:
                    raise
            else:
                return [int(number) for number in ids[: count.value]]

    def _info(self) -> _abi.ald_graphics_overlay_info:
        info = _abi.ald_graphics_overlay_info()
        check(library().ald_graphics_overlay_get_info, self._handle, info)
        return info

    def _facts(self) -> str:
        name = f"{self.name!r} " if self.name else ""
        return f"{name}with {len(self)} graphics"


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

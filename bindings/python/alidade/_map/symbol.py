"""Symbols and renderers: how graphics are drawn. The library says what to draw where; the host draws."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Mapping, Sequence, Union

from .. import _abi
from .._abi import FillStyle, GraphicsRendererKind, GraphicValueType, LineStyle, MarkerStyle, SymbolFlags, SymbolKind
from .._base import arrays
from .._base.text import encoded

# Red, green, blue and, optionally, alpha, 0 to 255. Without alpha the colour is opaque.
Color = Sequence[int]
RGBA = tuple[int, int, int, int]
# The value of an attribute. A bool is an integer.
GraphicValue = Union[None, int, float, str]


@dataclass(frozen=True)
class LineSymbol:
    """Draws polylines, and the rings of polygons."""

    color: Color = (0, 0, 0)
    # 0 to 1e7. 0 draws nothing.
    width_dip: float = 1.0
    style: LineStyle = LineStyle.SOLID


@dataclass(frozen=True)
class FillSymbol:
    """Draws polygons."""

    color: Color = (0, 0, 0)
    outline: LineSymbol | None = None
    style: FillStyle = FillStyle.SOLID


@dataclass(frozen=True)
class MarkerSymbol:
    """Draws points and multipoints: a shape in a box of size_dip by size_dip."""

    color: Color = (0, 0, 0)
    # 0 to 1e7.
    size_dip: float = 8.0
    style: MarkerStyle = MarkerStyle.CIRCLE
    outline: LineSymbol | None = None
    # In degrees clockwise.
    angle_deg: float = 0.0
    # The offset from the point to the middle of the marker, right and down on the screen. It does not turn.
    offset_dip: tuple[float, float] = (0.0, 0.0)
    # Whether the angle is from the map's north, so that the marker turns with the map.
    rotate_with_map: bool = False


Symbol = Union[MarkerSymbol, LineSymbol, FillSymbol]


@dataclass(frozen=True)
class SimpleRenderer:
    """Draws all graphics with one symbol, except graphics with a symbol of their own."""

    symbol: Symbol | None


@dataclass(frozen=True)
class UniqueValueRenderer:
    """Selects symbols by the values of 1 to 8 attributes. The first class whose values all equal the graphic's applies.

    Numbers are compared by value, whether int or float; texts byte by byte. None equals None. NaN equals nothing.
    """

    fields: Sequence[str]
    # The classes: a value for each field, and the symbol.
    classes: Sequence[tuple[Sequence[GraphicValue], Symbol | None]]
    # The symbol for graphics in no class. None: they are not drawn.
    default: Symbol | None = None


@dataclass(frozen=True)
class ClassBreaksRenderer:
    """Selects symbols by classes of an attribute's number.

    The first class holds values from `minimum` to its upper bound, both included. Every other class holds values above
    the previous bound, up to and including its own.
    """

    field: str
    minimum: float
    # The upper bound and the symbol of each class, with increasing bounds.
    breaks: Sequence[tuple[float, Symbol | None]]
    # The symbol for graphics in no class. None: they are not drawn.
    default: Symbol | None = None


Renderer = Union[SimpleRenderer, UniqueValueRenderer, ClassBreaksRenderer]


def c_color(color: Color) -> _abi.ald_rgba:
    channels = tuple(color)
    if len(channels) not in (3, 4) or not all(isinstance(c, int) and 0 <= c <= 255 for c in channels):
        raise ValueError(f"a colour must be 3 or 4 whole numbers from 0 to 255, not {color!r}")
    return _abi.ald_rgba(*channels, *(255,) * (4 - len(channels)))


def color(rgba: _abi.ald_rgba) -> RGBA:
    return rgba.red, rgba.green, rgba.blue, rgba.alpha


def c_symbol(symbol: Symbol | None) -> _abi.ald_symbol:
    result = _abi.ald_symbol()
    if symbol is None:
        return result
    line: LineSymbol | None
    if isinstance(symbol, LineSymbol):
        result.kind, line = SymbolKind.LINE, symbol
    elif isinstance(symbol, FillSymbol):
        result.kind, line = SymbolKind.FILL, symbol.outline
        result.fill_style, result.color = symbol.style, c_color(symbol.color)
    elif isinstance(symbol, MarkerSymbol):
        result.kind, line = SymbolKind.MARKER, symbol.outline
        result.flags = SymbolFlags.ROTATE_WITH_MAP if symbol.rotate_with_map else 0
        result.marker_style, result.color = symbol.style, c_color(symbol.color)
        result.size_dip, result.angle_deg = symbol.size_dip, symbol.angle_deg
        result.offset_dip = arrays.c_point(symbol.offset_dip)
    else:
        raise TypeError(f"expected a MarkerSymbol, LineSymbol or FillSymbol, not {symbol!r}")
    if line is not None:
        result.line_style, result.line_color, result.line_width_dip = line.style, c_color(line.color), line.width_dip
    return result


def python_symbol(symbol: _abi.ald_symbol) -> Symbol | None:
    """The Python form. None for a symbol that draws nothing. An outline without width becomes None."""
    line = LineSymbol(color(symbol.line_color), symbol.line_width_dip, LineStyle(symbol.line_style))
    outline = line if symbol.line_width_dip > 0 else None
    if symbol.kind == SymbolKind.LINE:
        return line
    if symbol.kind == SymbolKind.FILL:
        return FillSymbol(color(symbol.color), outline, FillStyle(symbol.fill_style))
    if symbol.kind == SymbolKind.MARKER:
        return MarkerSymbol(
            color(symbol.color),
            symbol.size_dip,
            MarkerStyle(symbol.marker_style),
            outline,
            symbol.angle_deg,
            (symbol.offset_dip.x, symbol.offset_dip.y),
            bool(symbol.flags & SymbolFlags.ROTATE_WITH_MAP),
        )
    return None


def c_renderer(renderer: Renderer | None) -> tuple[_abi.ald_graphics_renderer | None, list[Any]]:
    """The C form, and the arrays that it points to, which must live as long."""
    if renderer is None:
        return None, []
    result = _abi.ald_graphics_renderer()
    keeps: list[Any] = []
    fields: Sequence[str] = ()
    symbols: list[Symbol | None] = []
    if isinstance(renderer, SimpleRenderer):
        result.kind, default = GraphicsRendererKind.SIMPLE, renderer.symbol
    elif isinstance(renderer, UniqueValueRenderer):
        result.kind, default, fields = GraphicsRendererKind.UNIQUE_VALUE, renderer.default, tuple(renderer.fields)
        symbols = [symbol for _, symbol in renderer.classes]
        values = [value for given, _ in renderer.classes for value in _of_length(given, len(fields))]
        result.values = keep(keeps, (_abi.ald_graphic_value * len(values))(*map(c_value, values)))
        result.value_count = len(values)
    elif isinstance(renderer, ClassBreaksRenderer):
        result.kind, default, fields = GraphicsRendererKind.CLASS_BREAKS, renderer.default, (renderer.field,)
        symbols = [symbol for _, symbol in renderer.breaks]
        bounds = [float(bound) for bound, _ in renderer.breaks]
        result.upper_bounds = keep(keeps, (ctypes.c_double * len(bounds))(*bounds))
        result.upper_bound_count, result.minimum = len(bounds), renderer.minimum
    else:
        raise TypeError(f"expected a renderer, not {renderer!r}")
    result.symbol = c_symbol(default)
    result.symbols = keep(keeps, (_abi.ald_symbol * len(symbols))(*map(c_symbol, symbols)))
    result.class_count, result.field_count = len(symbols), len(fields)
    result.fields = keep(keeps, (ctypes.c_char_p * len(fields))(*map(encoded, fields)))
    return result, keeps


def c_value(value: GraphicValue) -> _abi.ald_graphic_value:
    if value is None:
        return _abi.ald_graphic_value()
    if isinstance(value, str):
        return _abi.ald_graphic_value(type=GraphicValueType.TEXT, text=encoded(value))
    if isinstance(value, int):
        return _abi.ald_graphic_value(type=GraphicValueType.INTEGER, integer=integer64(value))
    return _abi.ald_graphic_value(type=GraphicValueType.REAL, real=float(value))


def integer64(value: int) -> int:
    """Checks the range, because ctypes silently drops the bits that do not fit."""
    if not -(2**63) <= value < 2**63:
        raise ValueError(f"an integer attribute must fit into 64 bits; {value} does not")
    return int(value)


def keep(keeps: list[Any], array: Any) -> Any:
    """Keeps an array alive that a struct points to. ctypes converts the array to a pointer."""
    keeps.append(array)
    return array


def _of_length(values: Sequence[GraphicValue], length: int) -> Sequence[GraphicValue]:
    if isinstance(values, str) or len(values) != length:
        raise ValueError(f"a class must have a sequence of {length} values, one per field, not {values!r}")
    return values


# The attributes of one graphic, by name.
Attributes = Mapping[str, GraphicValue]

"""What is said of many graphics, on its way into the library."""

from __future__ import annotations

import ctypes
from typing import Any, Iterable, Mapping, Sequence, Union

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import GraphicFlags, GraphicValueType
from .._base.numbers import uint32, uint64
from .._base.text import encoded
from .symbol import GraphicValue, Symbol, c_symbol, integer64, keep

# Ids of graphics, however they come.
GraphicIds = Union[int, Iterable[int], npt.NDArray[np.uint64]]
# The values of one attribute of many graphics: a numpy array of integers or floats, or any values, None among them.
AttributeColumn = Union[Sequence[GraphicValue], npt.NDArray[Any]]


def id_array(graphic_ids: GraphicIds) -> npt.NDArray[np.uint64]:
    if isinstance(graphic_ids, (int, np.integer)):
        graphic_ids = [int(graphic_ids)]
    if isinstance(graphic_ids, np.ndarray):
        if graphic_ids.ndim != 1 or not np.issubdtype(graphic_ids.dtype, np.integer):
            raise ValueError("graphic_ids must be a flat array of whole numbers")
        if graphic_ids.size and int(graphic_ids.min()) < 0:
            raise ValueError("graphic_ids must not be negative")
        return np.ascontiguousarray(graphic_ids, dtype=np.uint64)
    return np.array([uint64(number, "graphic_ids") for number in graphic_ids], dtype=np.uint64)


def c_graphic_columns(
    count: int,
    symbols: Symbol | Sequence[Symbol | None] | None,
    attributes: Mapping[str, AttributeColumn],
    z_index: int | npt.ArrayLike | None,
    visible: bool | npt.ArrayLike | None,
) -> tuple[_abi.ald_graphic_columns, list[Any]]:
    """The C form, and what it points to, which must live as long."""
    result = _abi.ald_graphic_columns(graphic_count=uint32(count, "count"))
    keeps: list[Any] = []

    def point_to(name: str, array: npt.NDArray[Any], ctype: Any) -> None:
        keeps.append(array)
        setattr(result, name, array.ctypes.data_as(ctypes.POINTER(ctype)))

    if z_index is not None:
        given = np.asarray(z_index)
        numbers = np.ascontiguousarray(np.broadcast_to(given, (count,)), dtype=np.int32)
        if not np.array_equal(numbers, np.broadcast_to(given, (count,))):
            raise ValueError("z_index must be whole numbers of 32 bits")
        point_to("z_indexes", numbers, ctypes.c_int32)
    if visible is not None:
        shown = np.broadcast_to(np.asarray(visible, dtype=bool), (count,))
        point_to("graphic_flags", np.where(shown, 0, GraphicFlags.HIDDEN).astype(np.uint8), ctypes.c_uint8)
    if symbols is not None:
        each = list(symbols) if isinstance(symbols, Sequence) else [symbols] * count
        if len(each) != count:
            raise ValueError(f"there are {len(each)} symbols for {count} graphics")
        palette: dict[int, int] = {}
        different: list[Symbol] = []
        indexes = np.full(count, _abi.ALD_ALL, dtype=np.uint32)
        for index, symbol in enumerate(each):
            if symbol is not None:
                if id(symbol) not in palette:
                    palette[id(symbol)] = len(different)
                    different.append(symbol)
                indexes[index] = palette[id(symbol)]
        point_to("symbol_indexes", indexes, ctypes.c_uint32)
        result.symbols = keep(keeps, (_abi.ald_symbol * len(different))(*map(c_symbol, different)))
        result.symbol_count = len(different)
    columns = [_c_attribute(name, values, count, keeps) for name, values in attributes.items()]
    result.attributes = keep(keeps, (_abi.ald_graphic_attributes * len(columns))(*columns))
    result.attribute_count = len(columns)
    return result, keeps


def _c_attribute(name: str, values: AttributeColumn, count: int, keeps: list[Any]) -> _abi.ald_graphic_attributes:
    """A column of one type: integers, reals or texts. None is null, even in a column of numbers."""
    if isinstance(values, str) or len(values) != count:
        raise ValueError(f"the attribute {name} must have a value for each of the {count} graphics")
    if isinstance(values, np.ndarray) and values.ndim != 1:
        raise ValueError(f"the attribute {name} must be a flat array, not one of the shape {values.shape}")
    if isinstance(values, np.ma.MaskedArray):
        # What is masked is null; the number that lies under the mask means nothing.
        values = values.tolist()
    result = _abi.ald_graphic_attributes(name=encoded(name))
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        if values.dtype.kind == "f":
            result.type, array = GraphicValueType.REAL, np.ascontiguousarray(values, dtype=np.float64)
        else:
            if values.size and int(values.max()) > 2**63 - 1:
                raise ValueError(f"the attribute {name} has numbers beyond 64 bits")
            result.type, array = GraphicValueType.INTEGER, np.ascontiguousarray(values, dtype=np.int64)
        keeps.append(array)
        kind = ctypes.c_double if values.dtype.kind == "f" else ctypes.c_int64
        setattr(result, "reals" if kind is ctypes.c_double else "integers", array.ctypes.data_as(ctypes.POINTER(kind)))
        return result
    given = [value.item() if isinstance(value, np.generic) else value for value in values]
    present = [value for value in given if value is not None]
    if not present:
        return result
    if all(isinstance(value, str) for value in present):
        result.type = GraphicValueType.TEXT
        texts = [None if value is None else encoded(str(value)) for value in given]
        result.texts = keep(keeps, (ctypes.c_char_p * count)(*texts))
        return result
    if not all(isinstance(value, (int, float)) for value in present):
        raise TypeError(f"the attribute {name} must be all numbers or all texts, None aside")
    nulls = keep(keeps, (ctypes.c_uint8 * count)(*[int(value is None) for value in given]))
    result.nulls = nulls
    if all(isinstance(value, int) for value in present):
        result.type = GraphicValueType.INTEGER
        integers = [0 if value is None else integer64(int(value)) for value in given]
        result.integers = keep(keeps, (ctypes.c_int64 * count)(*integers))
    else:
        result.type = GraphicValueType.REAL
        reals = [0.0 if value is None else float(value) for value in given]
        result.reals = keep(keeps, (ctypes.c_double * count)(*reals))
    return result

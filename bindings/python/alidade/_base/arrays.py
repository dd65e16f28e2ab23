"""numpy arrays on their way into the library and out of it, without copies where their layout allows it."""

from __future__ import annotations

import ctypes
from typing import Any, Sequence, Union

import numpy as np
import numpy.typing as npt

from .. import _abi

# A point as users write it: (x, y).
Point = Union[Sequence[float], npt.NDArray[np.float64]]
FloatArray = npt.NDArray[np.float64]


def _layout(struct: type[ctypes.Structure]) -> np.dtype[np.void]:
    """The type of an array of C structs."""
    found: Any = np.dtype(struct)
    layout: np.dtype[np.void] = found
    return layout


# The results of Raster.read_cells, Raster.read_points and View.cell_at, with the fields of the C structs.
CELL = _layout(_abi.ald_cell)
BAND_VALUE = _layout(_abi.ald_band_value)
# What Raster.profile and Raster.polygon_classes answer.
PROFILE_SAMPLE = _layout(_abi.ald_profile_sample)
CLASS_COUNT = _layout(_abi.ald_class_count)

_POINT_BYTES = 16
_NUMBER = ctypes.POINTER(ctypes.c_double)


def c_point(point: Point) -> _abi.ald_point:
    try:
        x, y = point
    except ValueError:
        raise ValueError(f"a point must be a pair of numbers, not {point!r}") from None
    return _abi.ald_point(float(x), float(y))


def input_points(points: npt.ArrayLike) -> FloatArray:
    """Points of shape (n, 2), or one of shape (2,), as the library can read them.

    Returns the array itself if it has float64 values and rows at least 16 bytes apart, otherwise a copy.
    """
    array = np.asarray(points, dtype=np.float64)
    if array.shape == (2,):
        array = array.reshape(1, 2)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"points must have the shape (n, 2) or (2,), not {np.shape(points)}")
    return array if _is_readable_in_place(array) else np.array(array, order="C")


def output_points(out: npt.NDArray[Any] | None, count: int) -> FloatArray:
    """The caller's array for `count` points, or a new one.

    :raises ValueError: if the caller's array cannot be written in place.
    """
    if out is None:
        return np.empty((count, 2), dtype=np.float64)
    if out.dtype != np.float64 or out.shape != (count, 2) or not out.flags.writeable or not _is_readable_in_place(out):
        shape = f"({count}, 2)"
        raise ValueError(f"out must be a writeable float64 array of shape {shape} with rows at least 16 bytes apart")
    return out


def without_overlap(points: FloatArray, out: FloatArray) -> FloatArray:
    """The points, copied if they overlap the memory of `out` and are not exactly the same array."""
    in_place = points.ctypes.data == out.ctypes.data and row_stride(points) == row_stride(out)
    return points if in_place or not np.shares_memory(points, out) else points.copy()


def row_stride(points: FloatArray) -> int:
    """Bytes from one point to the next; numpy's own number means nothing where there is no next one."""
    return int(points.strides[0]) if len(points) > 1 else _POINT_BYTES


def address(array: npt.NDArray[Any] | None) -> int | None:
    return None if array is None else int(array.ctypes.data)


def output_array(
    out: npt.NDArray[Any] | None, shape: tuple[int, ...], dtype: npt.DTypeLike, name: str = "out"
) -> npt.NDArray[Any]:
    """The caller's array, or a new one, for a picture: only the lines may lie apart.

    :raises ValueError: if the caller's array has another shape or type, or cannot be written in place.
    """
    if out is None:
        return np.empty(shape, dtype=dtype)
    # Within a line, samples must follow each other without gaps.
    item = np.dtype(dtype).itemsize
    inner = tuple(item * int(np.prod(shape[axis + 1 :])) for axis in range(1, len(shape)))
    fits = out.dtype == dtype and out.shape == shape and out.flags.writeable
    if not fits or out.strides[1:] != inner or (shape[0] > 1 and out.strides[0] < inner[0] * shape[1]):
        raise ValueError(f"{name} must be a writeable {np.dtype(dtype).name} array of shape {shape} with whole lines")
    return out


def lines(array: npt.NDArray[Any]) -> tuple[int | None, int, int]:
    """Address, bytes from line to line and size in bytes of an array whose lines may lie apart."""
    rows = array.shape[0]
    line = array.itemsize * int(np.prod(array.shape[1:]))
    stride = int(array.strides[0]) if rows > 1 else line
    return address(array), stride, stride * (rows - 1) + line


def verdict_address(verdicts: npt.NDArray[Any] | None, rows: int, columns: int) -> int | None:
    if verdicts is None:
        return None
    if not verdicts.flags.c_contiguous:
        raise ValueError("verdicts must be contiguous")
    return address(output_array(verdicts, (rows, columns), np.uint8, "verdicts"))


def _is_readable_in_place(array: npt.NDArray[Any]) -> bool:
    columns_touch = array.strides[1] == 8
    rows_apart = len(array) <= 1 or array.strides[0] >= _POINT_BYTES
    return columns_touch and rows_apart


def coordinate_rows(points: npt.ArrayLike) -> FloatArray:
    """Points of shape (n, 2) or (n, 3), or one point, in a layout that the library can read."""
    array = np.asarray(points, dtype=np.float64)
    if array.ndim == 1:
        array = array.reshape(1, -1)
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ValueError(f"points must have the shape (n, 2) or (n, 3), not {np.shape(points)}")
    readable = array.strides[1] >= 8 and (len(array) <= 1 or array.strides[0] >= 8)
    return array if readable else np.array(array, order="C")


def c_coordinates(points: FloatArray) -> _abi.ald_coordinates:
    """The rows of an array as columns with a stride. The array must outlive the call."""
    coordinates = _abi.ald_coordinates()
    coordinates.count = len(points)
    coordinates.x, coordinates.y = column(points, 0), column(points, 1)
    if points.shape[1] == 3:
        coordinates.z = column(points, 2)
    coordinates.stride_bytes = points.strides[0] if len(points) > 1 else 8
    return coordinates


def column(array: FloatArray, index: int) -> Any:
    """The address of a column of an array, as the type of a C struct's field."""
    return ctypes.cast(array.ctypes.data + index * array.strides[1], _NUMBER)

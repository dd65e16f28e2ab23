"""Coordinates and offsets of geometries, on their way into the library and out of it."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import GeometryKind
from .._base import arrays
from .._base.handle import Handle


class GeometryColumns(NamedTuple):
    """Geometries in columns, as GeoArrow has them: read-only views of the library's memory.

    Path p has the vertices vertex_offsets[p] to vertex_offsets[p + 1] - 1, and so on upwards. A geometry of
    an array shares the columns of the array: its part_offsets say which part of them belongs to it.
    """

    # A GeometryKind each.
    kinds: npt.NDArray[np.uint8]
    # GeometryFlags each: HAS_Z, HAS_M, MULTI.
    flags: npt.NDArray[np.uint8]
    part_offsets: npt.NDArray[np.int32]
    path_offsets: npt.NDArray[np.int32]
    vertex_offsets: npt.NDArray[np.int32]
    # (n, 2)
    xy: npt.NDArray[np.float64]
    # NaN where a geometry has none; None if none has one.
    z: npt.NDArray[np.float64] | None
    m: npt.NDArray[np.float64] | None


def viewed_columns(columns: _abi.ald_geometry_columns, owner: Handle) -> GeometryColumns:
    """Views that keep their owner, and so the memory, alive."""

    def view(pointer: Any, shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        return viewed_memory(pointer, shape, dtype, owner)

    vertices = columns.vertex_count
    return GeometryColumns(
        view(columns.kinds, (columns.geometry_count,), np.uint8),
        view(columns.geometry_flags, (columns.geometry_count,), np.uint8),
        view(columns.part_offsets, (columns.geometry_count + 1,), np.int32),
        view(columns.path_offsets, (columns.part_count + 1,), np.int32),
        view(columns.vertex_offsets, (columns.path_count + 1,), np.int32),
        view(columns.xy, (vertices, 2), np.float64),
        view(columns.z, (vertices,), np.float64) if columns.z else None,
        view(columns.m, (vertices,), np.float64) if columns.m else None,
    )


def viewed_memory(pointer: Any, shape: tuple[int, ...], dtype: npt.DTypeLike, owner: Handle) -> npt.NDArray[Any]:
    """A read-only view of memory of the library's that lives as long as an object, which it keeps alive."""
    address = ctypes.cast(pointer, ctypes.c_void_p).value
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    if address is None or size == 0:
        return np.empty(shape, dtype=dtype)
    memory = (ctypes.c_uint8 * size).from_address(address)
    # numpy keeps the ctypes array, and that keeps the owner, which is not released meanwhile.
    owner._lend(memory)
    array: npt.NDArray[Any] = np.frombuffer(memoryview(memory), dtype=dtype).reshape(shape)
    array.flags.writeable = False
    return array


def c_columns(
    xy: npt.ArrayLike,
    kind: GeometryKind | None,
    kinds: npt.ArrayLike | None,
    flags: npt.ArrayLike | None,
    part_offsets: npt.ArrayLike | None,
    path_offsets: npt.ArrayLike | None,
    vertex_offsets: npt.ArrayLike | None,
    z: npt.ArrayLike | None,
    m: npt.ArrayLike | None,
) -> tuple[_abi.ald_geometry_columns, list[Any]]:
    """The struct for the library, and what must live as long as it."""
    columns = _abi.ald_geometry_columns()
    # No vertices are of no shape.
    points = arrays.input_points(np.reshape(xy, (0, 2)) if np.size(xy) == 0 else xy)
    columns.vertex_count = len(points)
    columns.xy_stride_bytes = arrays.row_stride(points)
    keeps: list[Any] = [points]

    def point_to(name: str, array: npt.NDArray[Any]) -> None:
        keeps.append(array)
        setattr(columns, name, ctypes.cast(arrays.address(array) or 0, type(getattr(columns, name))))

    point_to("xy", points)
    if kind is not None:
        columns.kind = int(kind)
    for name, given in (("kinds", kinds), ("geometry_flags", flags)):
        if given is not None:
            array = _flat(np.asarray(given), np.uint8, name)
            if name == "geometry_flags" and kinds is not None and columns.geometry_count != len(array):
                raise ValueError(f"kinds and flags must be of the same length, not {np.size(kinds)} and {len(array)}")
            columns.geometry_count = len(array)
            point_to(name, array)
    lists = (("part", part_offsets, "geometry_count"), ("path", path_offsets, "part_count"))
    for name, given, count in (*lists, ("vertex", vertex_offsets, "path_count")):
        if given is not None:
            array = _flat(np.asarray(given), np.int32, f"{name}_offsets")
            if len(array) == 0:
                raise ValueError(f"{name}_offsets must have one number more than there are things")
            if count == "geometry_count" and columns.geometry_count not in (0, len(array) - 1):
                raise ValueError("part_offsets must have one number more than kinds and flags")
            setattr(columns, count, len(array) - 1)
            point_to(f"{name}_offsets", array)
    for name, given in (("z", z), ("m", m)):
        if given is not None:
            numbers = np.asarray(given, dtype=np.float64)
            if numbers.shape != (len(points),):
                raise ValueError(f"{name} must have the shape ({len(points)},), not {numbers.shape}")
            if len(numbers) > 1 and numbers.strides[0] < 8:
                numbers = numbers.copy()
            setattr(columns, f"{name}_stride_bytes", numbers.strides[0] if len(numbers) > 1 else 8)
            point_to(name, numbers)
    return columns, keeps


def _flat(array: npt.NDArray[Any], dtype: npt.DTypeLike, name: str) -> npt.NDArray[Any]:
    """A contiguous array of whole numbers of another type; none may change on the way."""
    if array.ndim != 1:
        raise ValueError(f"{name} must be flat")
    converted = np.ascontiguousarray(array, dtype=dtype)
    if not np.array_equal(converted, array):
        raise ValueError(f"{name} must hold whole numbers of {np.dtype(dtype).name}")
    return converted

"""Planar buffers: code that Geometry and GeometryArray share, and circles for vertex buffers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import BufferCap, BufferJoin, BufferSide, Unit
from .._base import arrays
from .._base.arrays import FloatArray
from .._base.errors import check
from .._base.numbers import int32, uint32
from .._base.runtime import Runtime
from .._base.runtime_first import runtime_first
from .._library import library


def buffer_options(
    unit: Unit | None,
    cap: BufferCap,
    join: BufferJoin,
    side: BufferSide,
    quadrant_segments: int | None,
    maximum_deviation: float | None,
    mitre_limit: float,
    right_distance: float | None,
) -> _abi.ald_buffer_options:
    """The options in C's form; 0 means that a value is not given."""
    options = _abi.ald_buffer_options()
    options.unit = 0 if unit is None else int32(unit, "unit")
    options.cap, options.join, options.side = int32(cap, "cap"), int32(join, "join"), int32(side, "side")
    if quadrant_segments is not None:
        options.quadrant_segments = uint32(quadrant_segments, "quadrant_segments")
        if quadrant_segments == 0:
            raise ValueError("quadrant_segments must be at least 1")
    if maximum_deviation is not None:
        options.maximum_deviation = maximum_deviation
        if maximum_deviation == 0:
            raise ValueError("maximum_deviation must be above 0")
    options.mitre_limit = mitre_limit
    if mitre_limit == 0:
        raise ValueError("mitre_limit must be at least 1")
    if right_distance is not None:
        options.right_distance = right_distance
        if right_distance == 0:
            raise ValueError("right_distance must be above 0")
    return options


def buffer_distances(distances: npt.ArrayLike) -> FloatArray:
    """Distances as an array of shape (n,). A single number gives one distance."""
    array = np.ascontiguousarray(np.atleast_1d(np.asarray(distances, dtype=np.float64)))
    if array.ndim != 1:
        raise ValueError(f"distances must be a number or have the shape (n,), not {np.shape(distances)}")
    return array


@runtime_first
def fill_circles(
    runtime: Runtime,
    centres: npt.ArrayLike,
    radii: npt.ArrayLike,
    *,
    quadrant_segments: int = 16,
    out: npt.NDArray[np.float64] | None = None,
) -> FloatArray:
    """The vertices of planar circles, counterclockwise from due east; the last vertex equals the first.

    The result is float64 of shape (n, 4 * quadrant_segments + 1, 2).

    Args:
        runtime: the runtime whose worker threads and policy are used.
        centres: the centres, of shape (n, 2).
        radii: a radius for each centre, 0 or above. If there are fewer radii, the last one applies to all remaining
            centres.
        quadrant_segments: the number of segments for each right angle.
        out: the array to write to. Its vertices may be evenly spaced with gaps, as in an array of records.

    Raises:
        InvalidArgumentError: a number is not finite, or there are more radii than centres.
    """
    points = arrays.input_points(centres)
    numbers = buffer_distances(radii)
    shape = (len(points), 4 * uint32(quadrant_segments, "quadrant_segments") + 1, 2)
    if out is None:
        out = np.empty(shape, dtype=np.float64)
    # numpy's own stride is meaningless if there is no next vertex.
    step = out.strides[1] if out.ndim == 3 and out.size else 16
    fits = out.dtype == np.float64 and out.shape == shape and out.flags.writeable
    if (
        not fits
        or (out.size and out.strides[2] != 8)
        or step < 16
        or (len(points) > 1 and out.strides[0] != step * shape[1])
    ):
        raise ValueError(f"out must be a writeable float64 array of shape {shape} with evenly spaced vertices")
    if np.shares_memory(points, out) or np.shares_memory(numbers, out):
        raise ValueError("out must not overlap the input")
    check(
        library().ald_runtime_fill_circles,
        runtime._handle,
        arrays.address(points),
        arrays.row_stride(points),
        len(points),
        arrays.address(numbers),
        len(numbers),
        quadrant_segments,
        arrays.address(out),
        step,
        shape[0] * shape[1],
    )
    return out

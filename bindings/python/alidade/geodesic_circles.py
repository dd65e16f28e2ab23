"""Vertices of circles on the earth, in arrays of the host's."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._library import library
from ._numbers import uint32
from .errors import check
from .planar_buffer import buffer_distances
from .spatial_reference import SpatialReference


def fill_geodesic_circles(
    spatial_reference: SpatialReference,
    centres: npt.ArrayLike,
    radii_m: npt.ArrayLike,
    *,
    vertex_count: int = 64,
    out: np.ndarray | None = None,
) -> np.ndarray:
    """The vertices of geodesic circles, evenly spaced and clockwise from due north, not closed: float64 of shape
    (n, vertex_count, 2). NaN where there is no place on the earth or in the spatial reference.

    Args:
        spatial_reference: what the centres are in, and the vertices.
        centres: of shape (n, 2).
        radii_m: one for each, metres above 0; where there are fewer, the last one holds for the rest.
        vertex_count: of each circle, 3 or more.
        out: where to write them; its vertices may lie apart, evenly, as in an array of records.

    Raises:
        InvalidArgumentError: a radius is out of range, or there are more radii than centres.
        UnsupportedError: the spatial reference is local, or its ellipsoid is too flat.
    """
    points = _arrays.input_points(centres)
    numbers = buffer_distances(radii_m)
    shape = (len(points), uint32(vertex_count, "vertex_count"), 2)
    if out is None:
        out = np.empty(shape, dtype=np.float64)
    # numpy's own stride means nothing where there is no next one.
    step = out.strides[1] if out.ndim == 3 and out.size else 16
    fits = out.dtype == np.float64 and out.shape == shape and out.flags.writeable
    if not fits or (out.size and out.strides[2] != 8) or step < 16 or (len(points) > 1 and out.strides[0] != step * shape[1]):
        raise ValueError(f"out must be a writeable float64 array of shape {shape} with its vertices evenly apart")
    if np.shares_memory(points, out) or np.shares_memory(numbers, out):
        raise ValueError("out must not overlap the input")
    check(
        library().ald_geodesic_circles_fill,
        spatial_reference._handle,
        _arrays.address(points),
        _arrays.row_stride(points),
        len(points),
        _arrays.address(numbers),
        len(numbers),
        vertex_count,
        _arrays.address(out),
        step,
        shape[0] * shape[1],
    )
    return out

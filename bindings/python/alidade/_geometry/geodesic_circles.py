"""Vertices of circles on the ellipsoid, in numpy arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .._base import arrays
from .._base.errors import check
from .._base.numbers import uint32
from .._coordinates.spatial_reference import SpatialReferenceLike, reference_handle
from .._library import library
from .planar_buffer import buffer_distances


def fill_geodesic_circles(
    spatial_reference: SpatialReferenceLike,
    centres: npt.ArrayLike,
    radii_m: npt.ArrayLike,
    *,
    vertex_count: int = 64,
    out: np.ndarray | None = None,
) -> np.ndarray:
    """The vertices of geodesic circles, evenly spaced and clockwise from due north, not closed.

    The result is float64 of shape (n, vertex_count, 2). A vertex that does not exist on the ellipsoid or in the spatial
    reference is NaN.

    Args:
        spatial_reference: the spatial reference of the centres and of the vertices.
        centres: the centres, of shape (n, 2).
        radii_m: a radius for each centre in metres, above 0. If there are fewer radii, the last one applies to all
            remaining centres.
        vertex_count: the number of vertices of each circle, 3 or more.
        out: the array to write to. Its vertices may be evenly spaced with gaps, as in an array of records.

    Raises:
        InvalidArgumentError: a radius is out of range, or there are more radii than centres.
        UnsupportedError: the spatial reference is local, or its ellipsoid is too flat.
    """
    points = arrays.input_points(centres)
    numbers = buffer_distances(radii_m)
    shape = (len(points), uint32(vertex_count, "vertex_count"), 2)
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
        library().ald_spatial_reference_fill_geodesic_circles,
        reference_handle(spatial_reference),
        arrays.address(points),
        arrays.row_stride(points),
        len(points),
        arrays.address(numbers),
        len(numbers),
        vertex_count,
        arrays.address(out),
        step,
        shape[0] * shape[1],
    )
    return out

"""Displacement: the distances between the results of two transformations."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._base import arrays
from .._base.arrays import FloatArray
from .._base.errors import check
from .._base.numbers import uint32
from .._library import library
from .envelope import Envelope
from .spatial_reference import SpatialReferenceLike, reference_handle
from .transformation import Transformation


@dataclass(frozen=True)
class Displacement:
    """The distances in metres between the results of two transformations.

    They are along geodesics on the ellipsoid of the target.
    """

    min_m: float
    # The weight of each sample point is the area of its cell on the ellipsoid.
    mean_m: float
    max_m: float
    # The sample points with the smallest and the largest distance, in the area's spatial reference.
    min_point: tuple[float, float]
    max_point: tuple[float, float]
    # The sample points that were compared, and those for which one of the two transformations has no result.
    sample_count: int
    failed_count: int
    # The box around the area. Its x continues across the antimeridian.
    extent: Envelope
    # The distances, of shape (rows, columns), north first. NaN outside the area and where one of the two
    # transformations has no result.
    field: FloatArray


def transformation_displacement(
    source: SpatialReferenceLike,
    target: SpatialReferenceLike,
    first: Transformation | None = None,
    second: Transformation | None = None,
    *,
    area: npt.ArrayLike | None = None,
    area_spatial_reference: SpatialReferenceLike | None = None,
    columns: int = 16,
    rows: int = 16,
) -> Displacement:
    """Measures over an area how far apart the results of two transformations are.

    Args:
        source: the spatial reference of the coordinates before the transformation.
        target: the spatial reference of the coordinates after the transformation.
        first: a transformation; None: the operation that projecting uses for each sample point.
        second: the other transformation; None: the same.
        area: two corners of a box (lower left, upper right), or a polygon; None: the smaller one of the areas of use of
            the two spatial references.
        area_spatial_reference: the spatial reference of the area; None: longitude and latitude in degrees.
        columns: the number of sample points from west to east.
        rows: the number of sample points from north to south.

    :raises MissingGridError: a transformation lacks a grid file, so nothing can be measured.
    """
    options = _abi.ald_displacement_options()
    options.columns, options.rows = uint32(columns, "columns"), uint32(rows, "rows")
    if columns < 1 or rows < 1:
        raise ValueError("columns and rows must be at least 1")
    if area is not None:
        points = np.ascontiguousarray(arrays.input_points(area))
        options.area = points.ctypes.data_as(ctypes.POINTER(_abi.ald_point))
        options.area_count = len(points)
    if area_spatial_reference is not None:
        options.area_spatial_reference = reference_handle(area_spatial_reference)
    none = _abi.ald_transformation()
    out = _abi.ald_displacement()
    field = np.empty((rows, columns), dtype=np.float64)
    check(
        library().ald_spatial_reference_measure_displacement,
        reference_handle(source),
        reference_handle(target),
        none if first is None else first._handle,
        none if second is None else second._handle,
        options,
        out,
        arrays.address(field),
        field.size,
    )
    box = out.extent
    return Displacement(
        min_m=float(out.min_m),
        mean_m=float(out.mean_m),
        max_m=float(out.max_m),
        min_point=(float(out.min_point.x), float(out.min_point.y)),
        max_point=(float(out.max_point.x), float(out.max_point.y)),
        sample_count=int(out.sample_count),
        failed_count=int(out.failed_count),
        extent=Envelope(box.x_min, box.y_min, box.x_max, box.y_max),
        field=field,
    )

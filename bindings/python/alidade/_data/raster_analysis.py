"""Analysis of rasters: windows, values between cells, profiles, statistics of polygons."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, NamedTuple, Sequence, Union

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import Interpolation, PolygonRule, ProfileKind, SamplingFlags, Status
from .._base import arrays
from .._base.arrays import FloatArray, Point
from .._base.errors import AlidadeError, check
from .._base.handle import Handle
from .._base.numbers import int32, uint32
from .._coordinates.spatial_reference import SpatialReferenceLike, optional_reference
from .._library import library

# One ring of shape (n, 2), or several.
Rings = Union[npt.NDArray[Any], Sequence[Any]]

# The capacity for samples or classes before their number is known.
_FIRST_CAPACITY = 1024


class Samples(NamedTuple):
    """Values at points, in the order of the points."""

    # float64 of shape (n,); NaN where there is no value.
    values: FloatArray
    # uint8 of shape (n,): see CellVerdict.
    verdicts: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class RasterWindow:
    """A rectangle of a raster's grid, in cells: columns x rows squares with a sample in the centre of each.

    It may extend beyond the raster.
    """

    # The upper left corner.
    left: float = 0.0
    top: float = 0.0
    # Both 0: the whole raster.
    width: float = 0.0
    height: float = 0.0
    # The number of samples per line and the number of lines. Both 0: one sample per cell.
    columns: int = 0
    rows: int = 0


@dataclass(frozen=True)
class PolygonStatistics:
    """Statistics of the cells of a polygon. NaN and None if no cell has a value."""

    # The number of cells that have a value, and of cells of the raster that have no value.
    value_count: int
    empty_count: int
    # The number of cells that the polygon would have if the raster's grid continued beyond its edges.
    outside_count: int
    sum: float
    mean: float
    minimum: float
    maximum: float
    # The standard deviation of the population.
    standard_deviation: float
    # (column, row) of the first cell, row by row, that has the minimum, and of the first that has the maximum.
    minimum_cell: tuple[int, int] | None
    maximum_cell: tuple[int, int] | None


class RasterAnalysis(Handle):
    """Methods of `Raster` for windows, samples, profiles and polygons."""

    def window_around(
        self, point: Point, columns: int, rows: int, spatial_reference: SpatialReferenceLike | None = None
    ) -> RasterWindow:
        """The window of whole cells around a point.

        The cell that contains the point is in the middle. If a size is even, this cell is the first beyond the middle.

        Args:
            point: the point (x, y). It may lie outside the raster.
            columns, rows: the window's size in cells, 1 to 65536.
            spatial_reference: the spatial reference of the point; None: the raster's own.

        Raises:
            InvalidArgumentError: the point is not finite or too far away, or a size is out of its range.
            UnsupportedError: the raster is not georeferenced by a geotransform.
            NotReadyError: a spatial reference is given and the raster has none.
            ProjectionFailedError: the point cannot be projected.
        """
        window = _abi.ald_raster_window()
        check(
            library().ald_raster_window_around,
            self._handle,
            optional_reference(spatial_reference),
            arrays.c_point(point),
            int32(columns, "columns"),
            int32(rows, "rows"),
            window,
        )
        return RasterWindow(window.left, window.top, window.width, window.height, window.columns, window.rows)

    def read_window(
        self,
        band: int = 1,
        window: RasterWindow | None = None,
        interpolation: Interpolation = Interpolation.NEAREST,
        *,
        scaled: bool = False,
        out: npt.NDArray[Any] | None = None,
        verdicts: npt.NDArray[Any] | None = None,
    ) -> FloatArray:
        """Reads the values of a band at the samples of a window; NaN where there is no value or no raster.

        Args:
            band: from 1.
            window: the window; None: each cell of the whole raster.
            interpolation: how values between the centres of cells are computed.
            scaled: reads scaled values instead of stored values.
            out: None, or the array to write to: float64 of shape (rows, columns), with or without gaps between lines.
            verdicts: None, or the array for a CellVerdict per sample: contiguous uint8 of shape (rows, columns).

        Returns:
            float64 of shape (rows, columns); `out` if it was given.

        Raises:
            InvalidArgumentError: a field of the window is out of its range.
            NotFoundError: there is no such band.
            LimitExceededError: the call needs more samples or memory than the runtime's policy allows.
            ReadFailedError: a block of the file cannot be read.
        """
        c_window = _c_window(window)
        columns, rows = ctypes.c_int32(), ctypes.c_int32()
        size = ctypes.byref(columns), ctypes.byref(rows)
        check(library().ald_raster_window_size, self._handle, c_window, *size)
        values = arrays.output_array(out, (rows.value, columns.value), np.float64)
        check(
            library().ald_raster_read_window,
            self._handle,
            int32(band, "band"),
            c_window,
            _sampling_options(interpolation, scaled),
            *arrays.lines(values),
            arrays.verdict_address(verdicts, rows.value, columns.value),
        )
        return values

    def sample(
        self,
        points: npt.ArrayLike,
        band: int = 1,
        spatial_reference: SpatialReferenceLike | None = None,
        interpolation: Interpolation = Interpolation.NEAREST,
        *,
        scaled: bool = False,
    ) -> Samples:
        """Reads the values of a band at points, interpolated between cells on request.

        Args:
            points: float64 of shape (n, 2) or (2,). Not copied if its rows lie at least 16 bytes apart. A point that is
                not finite gives CellVerdict.OUTSIDE.
            band: from 1.
            spatial_reference: the spatial reference of the points; None: the raster's own.
            interpolation: how values between the centres of cells are computed.
            scaled: reads scaled values instead of stored values.

        Raises:
            NotFoundError: there is no such band.
            UnsupportedError, NotReadyError, ProjectionFailedError, LimitExceededError, ReadFailedError: as for
                `Raster.read_points`.
        """
        source = arrays.input_points(points)
        answer = Samples(np.empty(len(source), dtype=np.float64), np.empty(len(source), dtype=np.uint8))
        check(
            library().ald_raster_read_samples,
            self._handle,
            optional_reference(spatial_reference),
            int32(band, "band"),
            arrays.address(source),
            arrays.row_stride(source),
            len(source),
            _sampling_options(interpolation, scaled),
            arrays.address(answer.values),
            arrays.address(answer.verdicts),
        )
        return answer

    def profile(
        self,
        line: npt.ArrayLike,
        band: int = 1,
        spatial_reference: SpatialReferenceLike | None = None,
        *,
        step: float | None = None,
        count: int | None = None,
        interpolation: Interpolation = Interpolation.NEAREST,
        scaled: bool = False,
    ) -> npt.NDArray[np.void]:
        """Reads the values of a band along a line.

        Args:
            line: the vertices, float64 of shape (n, 2), straight in between.
            band: from 1.
            spatial_reference: the spatial reference of the line; None: the raster's own.
            step: the distance between samples, in the unit of the line's spatial reference. The end has a sample too.
            count: the number of samples, evenly spaced from start to end. Without `step` and `count`: every cell that
                the line crosses, with the distances at which the line enters and leaves it.
            interpolation: how values between the centres of cells are computed; must be NEAREST without `step` and
                `count`.
            scaled: reads scaled values instead of stored values.

        Returns:
            PROFILE_SAMPLE of shape (n,): distance, end_distance, x, y, value, column, row, verdict.

        Raises:
            InvalidArgumentError: there are fewer than two vertices, a vertex is not finite, or an option is out of its
                range.
            NotFoundError: there is no such band.
            UnsupportedError, NotReadyError, ProjectionFailedError, LimitExceededError, ReadFailedError: as for
                `Raster.read_points`.
        """
        if step is not None and count is not None:
            raise ValueError("give either step or count, not both")
        options = _abi.ald_profile_options(interpolation=int32(interpolation, "interpolation"), flags=_flags(scaled))
        if step is not None:
            options.kind, options.step = ProfileKind.STEP, step
        if count is not None:
            options.kind, options.sample_count = ProfileKind.COUNT, uint32(count, "count")
        vertices = arrays.input_points(line)
        return _list_of(
            arrays.PROFILE_SAMPLE,
            library().ald_raster_read_profile,
            self._handle,
            optional_reference(spatial_reference),
            int32(band, "band"),
            arrays.address(vertices),
            arrays.row_stride(vertices),
            len(vertices),
            options,
        )

    def polygon_statistics(
        self,
        rings: Rings,
        band: int = 1,
        spatial_reference: SpatialReferenceLike | None = None,
        *,
        all_touched: bool = False,
        scaled: bool = False,
    ) -> PolygonStatistics:
        """Computes statistics of a band's cells in a polygon.

        Args:
            rings: float64 of shape (n, 2), or a sequence of such arrays. The area inside an odd number of rings is
                inside the polygon.
            band: from 1.
            spatial_reference: the spatial reference of the rings; None: the raster's own.
            all_touched: uses cells that share any point with the polygon, instead of cells whose centre lies inside.
            scaled: uses scaled values instead of stored values.

        Raises:
            InvalidArgumentError: a ring has fewer than 3 vertices, or a vertex is not finite.
            NotFoundError: there is no such band.
            ProjectionFailedError: a part of the boundary has no image in the raster's spatial reference, or crosses its
                seam.
            UnsupportedError, NotReadyError, LimitExceededError, ReadFailedError: as for `Raster.read_points`.
        """
        answer = _abi.ald_polygon_statistics()
        with_rings = _ring_arguments(rings)
        check(
            library().ald_raster_read_polygon_statistics,
            self._handle,
            optional_reference(spatial_reference),
            int32(band, "band"),
            *with_rings.arguments,
            _polygon_options(all_touched, scaled),
            answer,
        )
        has_values = answer.value_count > 0
        return PolygonStatistics(
            value_count=answer.value_count,
            empty_count=answer.empty_count,
            outside_count=answer.outside_count,
            sum=answer.sum,
            mean=answer.mean,
            minimum=answer.minimum,
            maximum=answer.maximum,
            standard_deviation=answer.standard_deviation,
            minimum_cell=(answer.minimum_cell.column, answer.minimum_cell.row) if has_values else None,
            maximum_cell=(answer.maximum_cell.column, answer.maximum_cell.row) if has_values else None,
        )

    def polygon_classes(
        self,
        rings: Rings,
        band: int = 1,
        spatial_reference: SpatialReferenceLike | None = None,
        *,
        all_touched: bool = False,
    ) -> npt.NDArray[np.void]:
        """Counts how often each stored value of an integer band occurs in a polygon.

        Arguments and errors are as for `polygon_statistics`. UnsupportedError if the band does not store integers.

        Returns:
            CLASS_COUNT of shape (n,), by rising value: value, integer (exact; the bits for uint64), cell_count.
        """
        with_rings = _ring_arguments(rings)
        return _list_of(
            arrays.CLASS_COUNT,
            library().ald_raster_read_polygon_classes,
            self._handle,
            optional_reference(spatial_reference),
            int32(band, "band"),
            *with_rings.arguments,
            _polygon_options(all_touched, False),
        )


class _RingArguments(NamedTuple):
    """The arguments of a C function for rings, and the arrays that they point into."""

    arguments: tuple[Any, ...]
    keeps: tuple[Any, ...]


def _ring_arguments(rings: Rings) -> _RingArguments:
    if len(rings) == 0 or np.ndim(rings[0]) == 1 and np.size(rings[0]):
        vertices = arrays.input_points(rings if len(rings) else np.empty((0, 2)))
        starts = None
    else:
        parts = [arrays.input_points(ring) for ring in rings]
        vertices = np.concatenate(parts)
        lengths = [len(part) for part in parts]
        starts = np.cumsum([0, *lengths[:-1]]).astype(np.uintp)
    arguments = (
        arrays.address(vertices),
        arrays.row_stride(vertices),
        len(vertices),
        arrays.address(starts),
        0 if starts is None else len(starts),
    )
    return _RingArguments(arguments, (vertices, starts))


def _list_of(dtype: np.dtype[Any], function: Any, *arguments: Any) -> npt.NDArray[np.void]:
    """A list from the library, which reports the number that is needed if the first capacity is too small."""
    capacity = _FIRST_CAPACITY
    while True:
        entries = np.empty(capacity, dtype=dtype)
        count = ctypes.c_size_t()
        try:
            check(function, *arguments, arrays.address(entries), capacity, ctypes.byref(count))
        except AlidadeError as error:
            if error.status is not Status.BUFFER_TOO_SMALL or count.value <= capacity:
                raise
            capacity = count.value
            continue
        return entries[: count.value].copy() if count.value < capacity else entries


def _flags(scaled: bool) -> int:
    return SamplingFlags.SCALED if scaled else 0


def _sampling_options(interpolation: Interpolation, scaled: bool) -> _abi.ald_sampling_options:
    return _abi.ald_sampling_options(interpolation=int32(interpolation, "interpolation"), flags=_flags(scaled))


def _polygon_options(all_touched: bool, scaled: bool) -> _abi.ald_polygon_options:
    rule = PolygonRule.ALL_TOUCHED if all_touched else PolygonRule.CELL_CENTERS
    return _abi.ald_polygon_options(rule=rule, flags=_flags(scaled))


def _c_window(window: RasterWindow | None) -> _abi.ald_raster_window:
    window = window or RasterWindow()
    return _abi.ald_raster_window(
        left=window.left,
        top=window.top,
        width=window.width,
        height=window.height,
        columns=int32(window.columns, "columns"),
        rows=int32(window.rows, "rows"),
    )

"""Values of rasters beyond the single cell: windows, values between cells, profiles, statistics in polygons."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, NamedTuple, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._abi import Interpolation, PolygonRule, ProfileKind, SamplingFlags, Status
from ._arrays import FloatArray, Point
from ._handle import Handle
from ._library import library
from ._numbers import int32, uint32
from .errors import AlidadeError, check
from .spatial_reference import SpatialReference, optional_reference

# One ring of shape (n, 2), or several.
Rings = Union[npt.NDArray[Any], Sequence[Any]]

# Room for so many samples or classes is made before it is known how many there are.
_FIRST_CAPACITY = 1024


class Samples(NamedTuple):
    """Values at points, in the order of the points."""

    # float64 of shape (n,); NaN without a value.
    values: FloatArray
    # uint8 of shape (n,): see CellVerdict.
    verdicts: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class RasterWindow:
    """A rectangle of a raster's grid, in cells, and the samples over it: one in the middle of each of columns x rows
    squares. It may reach beyond the raster.
    """

    # The upper left corner.
    left: float = 0.0
    top: float = 0.0
    # Both 0: the whole raster.
    width: float = 0.0
    height: float = 0.0
    # Samples per line and lines; both 0: one per cell.
    columns: int = 0
    rows: int = 0


@dataclass(frozen=True)
class PolygonStatistics:
    """Statistics of the cells of a polygon; NaN and None where no cell has a value."""

    # Cells that have a value, and those of the raster that have none.
    value_count: int
    empty_count: int
    # Cells that the polygon would have if the raster's grid went on beyond its edges.
    outside_count: int
    sum: float
    mean: float
    minimum: float
    maximum: float
    # Of the population.
    standard_deviation: float
    # (column, row) of the first cell, row by row, that has the minimum, and the maximum.
    minimum_cell: tuple[int, int] | None
    maximum_cell: tuple[int, int] | None


class RasterAnalysis(Handle):
    """What a raster can be asked beyond its cells; `Raster` is one."""

    def window_around(
        self, point: Point, columns: int, rows: int, spatial_reference: SpatialReference | None = None
    ) -> RasterWindow:
        """The window of whole cells whose middle cell holds a point; of an even number, the first beyond the middle.

        Args:
            point: may lie beside the raster.
            columns, rows: the window's size in cells, 1 to 65536.
            spatial_reference: what the point is in; None: the raster's own.

        Raises:
            InvalidArgumentError: the point is not finite or too far off, or a size is out of its range.
            UnsupportedError: the raster is not georeferenced by a geotransform.
            NotReadyError: a spatial reference is given and the raster has none.
            ProjectionFailedError: the point cannot be projected.
        """
        window = _abi.ald_raster_window()
        check(
            library().ald_raster_window_around,
            self._handle,
            optional_reference(spatial_reference),
            _arrays.c_point(point),
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
        """The values of a band under the samples of a window; NaN where there is none, or no raster.

        Args:
            band: from 1.
            window: which samples; None: each cell of the whole raster.
            interpolation: how values between the middles of cells are found.
            scaled: scaled values instead of stored ones.
            out: None, or where to write: float64 of shape (rows, columns); lines may lie apart.
            verdicts: None, or where to write a CellVerdict per sample: contiguous uint8 of shape (rows, columns).

        Returns:
            float64 of shape (rows, columns): `out` if it was given.

        Raises:
            InvalidArgumentError: a field of the window is out of its range.
            NotFoundError: there is no such band.
            LimitExceededError: more samples or memory than the runtime's policy allows.
            ReadFailedError: a block of the file cannot be read.
        """
        c_window = _c_window(window)
        columns, rows = ctypes.c_int32(), ctypes.c_int32()
        size = ctypes.byref(columns), ctypes.byref(rows)
        check(library().ald_raster_window_size, self._handle, c_window, *size)
        values = _arrays.output_array(out, (rows.value, columns.value), np.float64)
        check(
            library().ald_raster_read_window,
            self._handle,
            int32(band, "band"),
            c_window,
            _sampling_options(interpolation, scaled),
            *_arrays.lines(values),
            _arrays.verdict_address(verdicts, rows.value, columns.value),
        )
        return values

    def sample(
        self,
        points: npt.ArrayLike,
        band: int = 1,
        spatial_reference: SpatialReference | None = None,
        interpolation: Interpolation = Interpolation.NEAREST,
        *,
        scaled: bool = False,
    ) -> Samples:
        """Values of a band at points, between cells too.

        Args:
            points: float64 of shape (n, 2) or (2,). Not copied if its rows lie at least 16 bytes apart. A point that is
                not finite is CellVerdict.OUTSIDE.
            band: from 1.
            spatial_reference: what the points are in; None: the raster's own.
            interpolation: how values between the middles of cells are found.
            scaled: scaled values instead of stored ones.

        Raises:
            NotFoundError: there is no such band.
            UnsupportedError, NotReadyError, ProjectionFailedError, LimitExceededError, ReadFailedError: as for
                `Raster.read_points`.
        """
        source = _arrays.input_points(points)
        answer = Samples(np.empty(len(source), dtype=np.float64), np.empty(len(source), dtype=np.uint8))
        check(
            library().ald_raster_sample_points,
            self._handle,
            optional_reference(spatial_reference),
            int32(band, "band"),
            _arrays.address(source),
            _arrays.row_stride(source),
            len(source),
            _sampling_options(interpolation, scaled),
            _arrays.address(answer.values),
            _arrays.address(answer.verdicts),
        )
        return answer

    def profile(
        self,
        line: npt.ArrayLike,
        band: int = 1,
        spatial_reference: SpatialReference | None = None,
        *,
        step: float | None = None,
        count: int | None = None,
        interpolation: Interpolation = Interpolation.NEAREST,
        scaled: bool = False,
    ) -> npt.NDArray[np.void]:
        """The values of a band along a line.

        Args:
            line: the vertices, float64 of shape (n, 2), straight in between.
            band: from 1.
            spatial_reference: what the line is in; None: the raster's own.
            step: a sample each `step`, in the unit of the line's spatial reference, and one at the end.
            count: so many samples, evenly from start to end. Without `step` and `count`: every cell that the line
                crosses, with the distances at which the line enters and leaves it.
            interpolation: how values between the middles of cells are found; nearest for every cell.
            scaled: scaled values instead of stored ones.

        Returns:
            PROFILE_SAMPLE of shape (n,): distance, end_distance, x, y, value, column, row, verdict.

        Raises:
            InvalidArgumentError: fewer than two vertices, one that is not finite, or an option out of its range.
            NotFoundError: there is no such band.
            UnsupportedError, NotReadyError, ProjectionFailedError, LimitExceededError, ReadFailedError: as for
                `Raster.read_points`.
        """
        if step is not None and count is not None:
            raise ValueError("a profile has either a step or a count")
        options = _abi.ald_profile_options(
            interpolation=int32(interpolation, "interpolation"), flags=_flags(scaled)
        )
        if step is not None:
            options.kind, options.step = ProfileKind.STEP, step
        if count is not None:
            options.kind, options.sample_count = ProfileKind.COUNT, uint32(count, "count")
        vertices = _arrays.input_points(line)
        return _list_of(
            _arrays.PROFILE_SAMPLE,
            library().ald_raster_profile,
            self._handle,
            optional_reference(spatial_reference),
            int32(band, "band"),
            _arrays.address(vertices),
            _arrays.row_stride(vertices),
            len(vertices),
            options,
        )

    def polygon_statistics(
        self,
        rings: Rings,
        band: int = 1,
        spatial_reference: SpatialReference | None = None,
        *,
        all_touched: bool = False,
        scaled: bool = False,
    ) -> PolygonStatistics:
        """Statistics of a band's cells in a polygon.

        Args:
            rings: float64 of shape (n, 2), or a sequence of such: what lies inside an odd number of rings is inside.
            band: from 1.
            spatial_reference: what the rings are in; None: the raster's own.
            all_touched: cells that have any point in common with the polygon, instead of those whose middle lies inside.
            scaled: of scaled values instead of stored ones.

        Raises:
            InvalidArgumentError: a ring has fewer than 3 vertices, or one that is not finite.
            NotFoundError: there is no such band.
            ProjectionFailedError: a part of the boundary has no image in the raster's spatial reference, or crosses a
                seam of it.
            UnsupportedError, NotReadyError, LimitExceededError, ReadFailedError: as for `Raster.read_points`.
        """
        answer = _abi.ald_polygon_statistics()
        with_rings = _ring_arguments(rings)
        check(
            library().ald_raster_polygon_statistics,
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
        spatial_reference: SpatialReference | None = None,
        *,
        all_touched: bool = False,
    ) -> npt.NDArray[np.void]:
        """How often each stored value of an integer band occurs in a polygon.

        Arguments and exceptions as for `polygon_statistics`, and UnsupportedError if the band does not store integers.

        Returns:
            CLASS_COUNT of shape (n,), by rising value: value, integer (exact; of uint64 its bits), cell_count.
        """
        with_rings = _ring_arguments(rings)
        return _list_of(
            _arrays.CLASS_COUNT,
            library().ald_raster_polygon_classes,
            self._handle,
            optional_reference(spatial_reference),
            int32(band, "band"),
            *with_rings.arguments,
            _polygon_options(all_touched, False),
        )



class _RingArguments(NamedTuple):
    """What a C function is told about rings, and the arrays that this points into."""

    arguments: tuple[Any, ...]
    keeps: tuple[Any, ...]


def _ring_arguments(rings: Rings) -> _RingArguments:
    if len(rings) == 0 or np.ndim(rings[0]) == 1 and np.size(rings[0]):
        vertices = _arrays.input_points(rings if len(rings) else np.empty((0, 2)))
        starts = None
    else:
        parts = [_arrays.input_points(ring) for ring in rings]
        vertices = np.concatenate(parts)
        lengths = [len(part) for part in parts]
        starts = np.cumsum([0, *lengths[:-1]]).astype(np.uintp)
    arguments = (
        _arrays.address(vertices),
        _arrays.row_stride(vertices),
        len(vertices),
        _arrays.address(starts),
        0 if starts is None else len(starts),
    )
    return _RingArguments(arguments, (vertices, starts))


def _list_of(dtype: np.dtype[Any], function: Any, *arguments: Any) -> npt.NDArray[np.void]:
    """A list whose length the library tells when the first guess is too small."""
    capacity = _FIRST_CAPACITY
    while True:
        entries = np.empty(capacity, dtype=dtype)
        count = ctypes.c_size_t()
        try:
            check(function, *arguments, _arrays.address(entries), capacity, ctypes.byref(count))
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

"""Rasters: facts about them, and their cells."""

from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Callable, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._base import arrays
from .._base.errors import AlidadeError, check, raster_error
from .._base.handle import Handle
from .._base.loading import Loadable
from .._base.numbers import int32
from .._base.request import Request, begin
from .._base.runtime import Runtime
from .._base.runtime_first import runtime_first, runtime_first_of_class
from .._base.text import PathLike, copied, decoded, encoded_path
from .._coordinates.spatial_reference import (
    SpatialReference,
    SpatialReferenceLike,
    lent_spatial_reference,
    optional_reference,
    reference_handle,
)
from .._library import library
from .raster_analysis import RasterAnalysis
from .raster_heights import RasterHeights
from .raster_info import BandInfo, RasterInfo, TableColumn, TableValue, band_info, raster_info, table_value


class Cells(NamedTuple):
    """Cells in the order of the input."""

    # Shape (n,): column, row, verdict (see CellVerdict). Column and row are -1 outside.
    cells: npt.NDArray[np.void]
    # Shape (n, bands): type, verdict, value, imaginary, integer, scaled, scaled_imaginary, color, category, table_row.
    values: npt.NDArray[np.void]


class ContainedDataset(NamedTuple):
    """A raster inside a file that can hold several."""

    # The name with which Raster opens it, if the policy allows.
    name: str
    # The driver's description; may be empty.
    description: str


@runtime_first
def read_datasets(runtime: Runtime, path: PathLike) -> list[ContainedDataset]:
    """Lists the rasters in a file, such as netCDF, HDF5 or GeoPackage.

    If the file lists no rasters but has bands, the file itself is the only entry.

    Args:
        runtime, path: as for Raster.

    Raises:
        RasterNotFoundError: there is no such file (also a FileNotFoundError).
        ReadFailedError: the file cannot be read (also an OSError).
        PolicyRefusedError: the policy does not allow the file (also a PermissionError).
        InvalidArgumentError: the path is empty or not UTF-8 (also a ValueError).
    """
    name = encoded_path(path)
    try:
        text = copied(library().ald_runtime_read_datasets, runtime._handle, name)
    except AlidadeError as error:
        raise raster_error(error, name) from None
    return [ContainedDataset(entry["name"], entry["description"]) for entry in json.loads(text)]


class Raster(RasterHeights, RasterAnalysis, Loadable):
    """A raster. Its facts never change, and any number of threads may read it at the same time.

    Args:
        runtime: the runtime of the raster; may be left out.
        path: the path of a file, or another name that GDAL understands and the runtime's policy allows.
        spatial_reference: used instead of the file's spatial reference, whether the file has one or not.

    Raises:
        RasterNotFoundError: there is no such file (also a FileNotFoundError).
        ReadFailedError: the file cannot be read as a raster (also an OSError).
        PolicyRefusedError: the policy does not allow the file (also a PermissionError).
        UnsupportedError: the file holds no band, only data sets inside it.
        InvalidArgumentError: the path is empty or not UTF-8 (also a ValueError).
    """

    _release_function = "ald_raster_release"
    _loads_as = "ald_raster"
    _is_named_by_events = True

    @overload
    def __init__(
        self,
        runtime: Runtime | None,
        path: PathLike,
        spatial_reference: SpatialReferenceLike | None = None,
    ) -> None: ...
    @overload
    def __init__(self, path: PathLike, spatial_reference: SpatialReferenceLike | None = None) -> None: ...
    def __init__(self, runtime: Runtime, path: PathLike, spatial_reference: SpatialReferenceLike | None = None) -> None:  # type: ignore[misc]
        handle = _abi.ald_raster()
        name = encoded_path(path)
        try:
            check(library().ald_raster_open, runtime._handle, name, open_options(spatial_reference), handle)
        except AlidadeError as error:
            raise raster_error(error, name) from None
        self._adopt(handle, runtime)

    def _adopt(self, handle: _abi.ald_raster, runtime: Runtime) -> None:
        super().__init__(handle, keeps=runtime)
        self._known_info: RasterInfo | None = self._read_info()

    @runtime_first_of_class
    @classmethod
    def unloaded(
        cls, runtime: Runtime, path: PathLike, spatial_reference: SpatialReferenceLike | None = None
    ) -> Raster:
        """Creates a raster that `load`, or a layer that shows it, opens later. Accesses no file.

        Until then its methods raise NotReadyError. The arguments are as for Raster.

        :raises InvalidArgumentError: the path is empty or not UTF-8 (also a ValueError).
        """
        handle = _abi.ald_raster()
        options = open_options(spatial_reference)
        name = encoded_path(path)
        check(library().ald_raster_create, runtime._handle, name, options, handle)
        raster = cls._of(handle, runtime)
        raster._path = name
        return raster

    @classmethod
    def _of(cls, handle: _abi.ald_raster, keeps: Handle, *, is_lent: bool = False) -> Raster:
        """A raster that may be loaded or not."""
        raster = cls.__new__(cls)
        Handle.__init__(raster, handle, keeps=keeps, is_lent=is_lent)
        raster._known_info = None
        return raster

    @runtime_first_of_class
    @classmethod
    def open_async(
        cls,
        runtime: Runtime,
        path: PathLike,
        spatial_reference: SpatialReferenceLike | None = None,
        *,
        on_done: Callable[[Request[Raster]], Any] | None = None,
        replace_key: int = 0,
        keep_begun: bool = False,
    ) -> Request[Raster]:
        """Opens a raster without waiting. `result` of the request returns the raster, or raises the error.

        Args:
            runtime, path, spatial_reference: as for Raster.
            on_done: called with the request after it has ended, inside `Runtime.pump`. None: an event reports the end.
            replace_key: cancels older open requests with the same key; 0: cancels none.
            keep_begun: if a newer request replaces this request while a worker runs it, it may still succeed.

        Raises:
            InvalidArgumentError: the path is empty or not UTF-8 (also a ValueError).
        """
        name = encoded_path(path)

        def take(request: Request[Raster]) -> Raster:
            handle = _abi.ald_raster()
            try:
                check(library().ald_request_take_raster, request._handle, handle)
            except AlidadeError as error:
                raise raster_error(error, name) from None
            raster = cls.__new__(cls)
            raster._adopt(handle, runtime)
            return raster

        arguments = runtime._handle, name, open_options(spatial_reference)
        function = library().ald_raster_open_async
        return begin(runtime, function, arguments, take, on_done, replace_key, keep_begun)

    @property
    def info(self) -> RasterInfo:
        """Size, georeference, extent, driver and path."""
        return self._info

    @property
    def _info(self) -> RasterInfo:
        if self._known_info is None:
            self._known_info = self._read_info()
        return self._known_info

    @property
    def spatial_reference(self) -> SpatialReference | None:
        """The spatial reference of the raster; None if it has no spatial reference that can be used."""
        return lent_spatial_reference(library().ald_raster_get_spatial_reference, self)

    def band(self, band: int) -> BandInfo:
        """Facts about a band. Bands count from 1.

        :raises NotFoundError: there is no such band.
        """
        info = _abi.ald_band_info()
        check(library().ald_raster_get_band_info, self._handle, int32(band, "band"), info)
        return band_info(info)

    def overview_sizes(self, band: int = 1) -> tuple[tuple[int, int], ...]:
        """The width and height in cells of every overview of a band."""
        sizes = []
        for index in range(self.band(band).overview_count):
            width, height = ctypes.c_int32(), ctypes.c_int32()
            check(
                library().ald_raster_get_overview_size,
                self._handle,
                int32(band, "band"),
                index,
                ctypes.byref(width),
                ctypes.byref(height),
            )
            sizes.append((width.value, height.value))
        return tuple(sizes)

    @property
    def subdatasets(self) -> tuple[str, ...]:
        """The names with which the data sets inside the file can be opened."""
        names = []
        for index in range(self._info.subdataset_count):
            name = ctypes.c_char_p()
            check(library().ald_raster_get_subdataset_at, self._handle, index, ctypes.byref(name))
            names.append(decoded(name.value))
        return tuple(names)

    def table_columns(self, band: int = 1) -> tuple[TableColumn, ...]:
        """The columns of a band's attribute table; empty if the band has no table."""
        columns = []
        for index in range(self.band(band).table_column_count):
            column = _abi.ald_table_column()
            check(library().ald_raster_get_table_column, self._handle, int32(band, "band"), index, column)
            columns.append(
                TableColumn(decoded(column.name), _abi.TableColumnType(column.type), _abi.TableColumnRole(column.role))
            )
        return tuple(columns)

    def table_value(self, row: int, column: int, band: int = 1) -> TableValue:
        """A value of a band's attribute table: int, float or str, depending on the type of the column.

        :raises NotFoundError: there is no such band, row or column.
        """
        value = _abi.ald_table_value()
        check(
            library().ald_raster_get_table_value,
            self._handle,
            int32(band, "band"),
            int32(row, "row"),
            int32(column, "column"),
            value,
        )
        return table_value(value)

    def table_row(self, row: int, band: int = 1) -> dict[str, TableValue]:
        """A row of a band's attribute table, by the names of the columns.

        :raises NotFoundError: there is no such band or row.
        """
        columns = self.table_columns(band)
        return {column.name: self.table_value(row, index, band) for index, column in enumerate(columns)}

    def outline(
        self, spatial_reference: SpatialReferenceLike | None = None, segments_per_edge: int = 1
    ) -> arrays.FloatArray:
        """The outline of the raster in its own or another spatial reference.

        Args:
            spatial_reference: the spatial reference of the outline; None: the raster's own.
            segments_per_edge: the number of segments into which each edge is divided before it is projected, 1 to
                10000.

        Returns:
            float64 of shape (4 * segments_per_edge + 1, 2), from corner (0, 0) through (width, 0). The last point
            equals the first.

        Raises:
            UnsupportedError: the raster is not georeferenced by a geotransform.
            NotReadyError: another spatial reference is requested and the raster has none.
            ProjectionFailedError: no point of the outline can be projected.
        """
        where = optional_reference(spatial_reference)
        segments = int32(segments_per_edge, "segments_per_edge")
        count = ctypes.c_size_t()
        function = library().ald_raster_get_outline
        check(function, self._handle, where, segments, None, 0, ctypes.byref(count))
        points = np.empty((count.value, 2), dtype=np.float64)
        check(function, self._handle, where, segments, arrays.address(points), len(points), None)
        return points

    def read_cells(self, indexes: npt.ArrayLike) -> Cells:
        """Reads cells by column and row.

        Args:
            indexes: int32 of shape (n, 2) or (2,): columns and rows. Not copied if it is contiguous. An index that is
                not on the raster gives CellVerdict.OUTSIDE; this is not an error.

        Raises:
            ReadFailedError: a block of the file cannot be read.
            LimitExceededError: the call needs more cells or memory than the runtime's policy allows.
        """
        pairs = _index_pairs(indexes)
        answer = self._room_for(len(pairs))
        check(
            library().ald_raster_read_cells,
            self._handle,
            arrays.address(pairs),
            len(pairs),
            arrays.address(answer.cells),
            arrays.address(answer.values),
            answer.values.size,
        )
        return answer

    def read_points(self, points: npt.ArrayLike, spatial_reference: SpatialReferenceLike | None = None) -> Cells:
        """Reads the cells at points.

        Args:
            points: float64 of shape (n, 2) or (2,). Not copied if its rows lie at least 16 bytes apart. A point that is
                not finite gives CellVerdict.OUTSIDE.
            spatial_reference: the spatial reference of the points; None: the raster's own.

        Raises:
            UnsupportedError: the raster is not georeferenced by a geotransform.
            NotReadyError: a spatial reference is given and the raster has none.
            ProjectionFailedError: there is no operation between the two spatial references.
            ReadFailedError, LimitExceededError: as for `read_cells`.
        """
        source = arrays.input_points(points)
        answer = self._room_for(len(source))
        check(
            library().ald_raster_read_points,
            self._handle,
            optional_reference(spatial_reference),
            arrays.address(source),
            arrays.row_stride(source),
            len(source),
            arrays.address(answer.cells),
            arrays.address(answer.values),
            answer.values.size,
        )
        return answer

    def _room_for(self, count: int) -> Cells:
        cells = np.empty(count, dtype=arrays.CELL)
        return Cells(cells, np.empty((count, self._info.band_count), dtype=arrays.BAND_VALUE))

    def _read_info(self) -> RasterInfo:
        info = _abi.ald_raster_info()
        check(library().ald_raster_get_info, self._handle, info)
        return raster_info(info)

    def _facts(self) -> str:
        info = self._known_info
        if info is None:
            return f"{os.fsdecode(self._path or b'')!r}, {self.load_status.name.lower()}"
        return f"{info.path!r}: {info.width} x {info.height}, {info.band_count} bands, {info.driver}"


def open_options(spatial_reference: SpatialReferenceLike | None) -> _abi.ald_raster_open_options:
    """The options for opening a raster, in C's form."""
    options = _abi.ald_raster_open_options()
    if spatial_reference is not None:
        options.spatial_reference = reference_handle(spatial_reference)
    return options


def _index_pairs(indexes: npt.ArrayLike) -> npt.NDArray[Any]:
    """Columns and rows as contiguous int32.

    :raises ValueError: if the shape is wrong or a number is not an integer of 32 bits.
    """
    array = np.asarray(indexes)
    if array.shape == (2,):
        array = array.reshape(1, 2)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"indexes must have the shape (n, 2) or (2,), not {np.shape(indexes)}")
    narrow = np.ascontiguousarray(array, dtype=np.int32) if array.dtype.kind in "iu" else None
    if narrow is None or not np.array_equal(narrow, array):
        raise ValueError("indexes must be integers of 32 bits")
    return narrow

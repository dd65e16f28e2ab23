"""Rasters: their facts and their cells."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Callable, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._handle import Handle
from ._library import library
from ._numbers import int32
from ._text import PathLike, copied, decoded, encoded_path
from .errors import AlidadeError, check, raster_error
from .loading import Loadable
from .raster_analysis import RasterAnalysis
from .raster_heights import RasterHeights
from .raster_info import BandInfo, RasterInfo, TableColumn, TableValue, band_info, raster_info, table_value
from .request import Request, begin
from .runtime import Runtime
from .spatial_reference import SpatialReference, lent_spatial_reference, optional_reference


class Cells(NamedTuple):
    """Cells that were asked for, in the order of the question."""

    # Shape (n,): column, row, verdict (see CellVerdict). Column and row are -1 outside.
    cells: npt.NDArray[np.void]
    # Shape (n, bands): type, verdict, value, imaginary, integer, scaled, scaled_imaginary, color, category, table_row.
    values: npt.NDArray[np.void]


class ContainedDataset(NamedTuple):
    """A raster inside a file that may hold several."""

    # By which Raster opens it, if the policy allows.
    name: str
    # What the driver says of it; may be empty.
    description: str


def read_datasets(runtime: Runtime, path: PathLike) -> list[ContainedDataset]:
    """The rasters in a file, such as netCDF, HDF5 or GeoPackage; the file itself if it lists none and has bands.

    Args:
        runtime, path: as for Raster.

    Raises:
        RasterNotFoundError: there is no such file (also a FileNotFoundError).
        ReadFailedError: it cannot be read (also an OSError).
        PolicyRefusedError: the policy does not allow it (also a PermissionError).
        InvalidArgumentError: the path is empty or not UTF-8 (also a ValueError).
    """
    name = encoded_path(path)
    try:
        text = copied(library().ald_runtime_read_datasets, runtime._handle, name)
    except AlidadeError as error:
        raise raster_error(error, name) from None
    return [ContainedDataset(entry["name"], entry["description"]) for entry in json.loads(text)]


class Raster(RasterHeights, RasterAnalysis, Loadable):
    """A raster. Its facts never change; any number of threads may read at once.

    Args:
        runtime: what the raster hangs on.
        path: a file's path, or another name that GDAL understands and the runtime's policy allows.
        spatial_reference: stands in for the file's own, present or not.

    Raises:
        RasterNotFoundError: there is no such file (also a FileNotFoundError).
        ReadFailedError: it cannot be read as a raster (also an OSError).
        PolicyRefusedError: the policy does not allow it (also a PermissionError).
        UnsupportedError: the file holds no band, only data sets inside it.
        InvalidArgumentError: the path is empty or not UTF-8 (also a ValueError).
    """

    _release_function = "ald_raster_release"
    _loads_as = "ald_raster"

    def __init__(self, runtime: Runtime, path: PathLike, spatial_reference: SpatialReference | None = None) -> None:
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

    @classmethod
    def unloaded(
        cls, runtime: Runtime, path: PathLike, spatial_reference: SpatialReference | None = None
    ) -> Raster:
        """A raster that is opened when it is loaded, by `load` or by a layer of it. Touches no file.

        Until then it answers NotReadyError. The arguments are those of Raster itself.

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
        """A raster that need not be loaded."""
        raster = cls.__new__(cls)
        Handle.__init__(raster, handle, keeps=keeps, is_lent=is_lent)
        raster._known_info = None
        return raster

    @classmethod
    def open_async(
        cls,
        runtime: Runtime,
        path: PathLike,
        spatial_reference: SpatialReference | None = None,
        *,
        on_done: Callable[[Request[Raster]], Any] | None = None,
        replace_key: int = 0,
        keep_begun: bool = False,
    ) -> Request[Raster]:
        """Opens a raster without waiting for it. `result` of the request gives it, or raises what opening raises.

        Args:
            runtime, path, spatial_reference: as for Raster itself.
            on_done: called with the request once it has ended, inside `Runtime.pump`; None: an event tells.
            replace_key: cancels older requests to open with the same key; 0: none.
            keep_begun: if this one is replaced while a worker is on it, it is left to succeed.

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
        """The raster's spatial reference; None if it has none, or one that cannot be used."""
        return lent_spatial_reference(library().ald_raster_spatial_reference, self)

    def band(self, band: int) -> BandInfo:
        """Facts about a band, which is counted from 1.

        :raises NotFoundError: there is no such band.
        """
        info = _abi.ald_band_info()
        check(library().ald_raster_band_info, self._handle, int32(band, "band"), info)
        return band_info(info)

    def overview_sizes(self, band: int = 1) -> tuple[tuple[int, int], ...]:
        """Width and height of every overview of a band, in cells."""
        sizes = []
        for index in range(self.band(band).overview_count):
            width, height = ctypes.c_int32(), ctypes.c_int32()
            check(
                library().ald_raster_overview_size,
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
        """The names by which the data sets inside the file can be opened."""
        names = []
        for index in range(self._info.subdataset_count):
            name = ctypes.c_char_p()
            check(library().ald_raster_subdataset, self._handle, index, ctypes.byref(name))
            names.append(decoded(name.value))
        return tuple(names)

    def table_columns(self, band: int = 1) -> tuple[TableColumn, ...]:
        """The columns of a band's attribute table; empty if it has none."""
        columns = []
        for index in range(self.band(band).table_column_count):
            column = _abi.ald_table_column()
            check(library().ald_raster_table_column, self._handle, int32(band, "band"), index, column)
            columns.append(
                TableColumn(
                    decoded(column.name), _abi.TableColumnType(column.type), _abi.TableColumnRole(column.role)
                )
            )
        return tuple(columns)

    def table_value(self, row: int, column: int, band: int = 1) -> TableValue:
        """A value in a band's attribute table: int, float or str, by the type of the column.

        :raises NotFoundError: there is no such band, row or column.
        """
        value = _abi.ald_table_value()
        check(
            library().ald_raster_table_value,
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
        self, spatial_reference: SpatialReference | None = None, segments_per_edge: int = 1
    ) -> _arrays.FloatArray:
        """The raster's outline in its own or another spatial reference.

        Args:
            spatial_reference: where the outline is wanted; None: the raster's own.
            segments_per_edge: how many segments each edge is cut into before it is projected, 1 to 10000.

        Returns:
            float64 of shape (4 * segments_per_edge + 1, 2), from corner (0, 0) by (width, 0); the last point equals the
            first.

        Raises:
            UnsupportedError: the raster is not georeferenced by a geotransform.
            NotReadyError: another spatial reference is asked for and the raster has none.
            ProjectionFailedError: a point of the outline cannot be projected.
        """
        where = optional_reference(spatial_reference)
        segments = int32(segments_per_edge, "segments_per_edge")
        count = ctypes.c_size_t()
        function = library().ald_raster_outline
        check(function, self._handle, where, segments, None, 0, ctypes.byref(count))
        points = np.empty((count.value, 2), dtype=np.float64)
        check(function, self._handle, where, segments, _arrays.address(points), len(points), None)
        return points

    def read_cells(self, indexes: npt.ArrayLike) -> Cells:
        """Reads cells by column and row.

        Args:
            indexes: int32 of shape (n, 2) or (2,): columns and rows. Not copied if it is contiguous. An index that is
                not on the raster is CellVerdict.OUTSIDE and no error.

        Raises:
            ReadFailedError: a block of the file cannot be read.
            LimitExceededError: more cells or memory than the runtime's policy allows.
        """
        pairs = _index_pairs(indexes)
        answer = self._room_for(len(pairs))
        check(
            library().ald_raster_read_cells,
            self._handle,
            _arrays.address(pairs),
            len(pairs),
            _arrays.address(answer.cells),
            _arrays.address(answer.values),
            answer.values.size,
        )
        return answer

    def read_points(self, points: npt.ArrayLike, spatial_reference: SpatialReference | None = None) -> Cells:
        """Reads the cells under points.

        Args:
            points: float64 of shape (n, 2) or (2,). Not copied if its rows lie at least 16 bytes apart. A point that is
                not finite is CellVerdict.OUTSIDE.
            spatial_reference: what the points are in; None: the raster's own.

        Raises:
            UnsupportedError: the raster is not georeferenced by a geotransform.
            NotReadyError: a spatial reference is given and the raster has none.
            ProjectionFailedError: there is no operation between the two.
            ReadFailedError, LimitExceededError: as for `read_cells`.
        """
        source = _arrays.input_points(points)
        answer = self._room_for(len(source))
        check(
            library().ald_raster_read_points,
            self._handle,
            optional_reference(spatial_reference),
            _arrays.address(source),
            _arrays.row_stride(source),
            len(source),
            _arrays.address(answer.cells),
            _arrays.address(answer.values),
            answer.values.size,
        )
        return answer

    def _room_for(self, count: int) -> Cells:
        cells = np.empty(count, dtype=_arrays.CELL)
        return Cells(cells, np.empty((count, self._info.band_count), dtype=_arrays.BAND_VALUE))

    def _read_info(self) -> RasterInfo:
        info = _abi.ald_raster_info()
        check(library().ald_raster_get_info, self._handle, info)
        return raster_info(info)

    def __repr__(self) -> str:
        info = self._known_info
        if info is None:
            return self._repr(f"{self._handle.id:#x}")
        return self._repr(f"{info.path!r}: {info.width} x {info.height}, {info.band_count} bands, {info.driver}")


def open_options(spatial_reference: SpatialReference | None) -> _abi.ald_raster_open_options:
    """How a raster is opened, in C's form."""
    options = _abi.ald_raster_open_options()
    if spatial_reference is not None:
        options.spatial_reference = spatial_reference._handle
    return options


def _index_pairs(indexes: npt.ArrayLike) -> npt.NDArray[Any]:
    """Columns and rows as contiguous int32.

    :raises ValueError: if the shape is wrong or a number is not a whole one of 32 bits.
    """
    array = np.asarray(indexes)
    if array.shape == (2,):
        array = array.reshape(1, 2)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"indexes must have the shape (n, 2) or (2,), not {np.shape(indexes)}")
    narrow = np.ascontiguousarray(array, dtype=np.int32) if array.dtype.kind in "iu" else None
    if narrow is None or not np.array_equal(narrow, array):
        raise ValueError("indexes must be whole numbers of 32 bits")
    return narrow

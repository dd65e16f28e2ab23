"""Views: a camera over a map."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._arrays import FloatArray, Point
from ._handle import Handle
from ._library import library
from ._numbers import int32, uint32
from .camera import CameraMoves, CameraPlan, Padding, c_padding, c_viewpoint, camera_plan
from .errors import check
from .geometry import Geometry
from .layer import RasterLayer
from .layer_view_state import ViewLayers
from .map import Map
from .navigation import Navigation
from .raster import Cells
from .spatial_reference import SpatialReference
from .view_identify import ViewIdentify
from .view_overlays import ViewOverlays
from .view_reading import ViewReading, ViewSnapshot
from .view_state import Insets, ScreenGrid, c_grid
from .viewpoint import Viewpoint, viewpoint


class View(Navigation, ViewReading, ViewIdentify, CameraMoves, ViewOverlays, ViewLayers):
    """A view: a size, a viewpoint and insets over a map, and no window.

    Screen coordinates are logical pixels (DIP), origin at the top left, y down. Functions that need the map's spatial
    reference and the view's size, centre and scale raise NotReadyError while one of them is missing.

    Args:
        map: what the view looks at.
        width_dip, height_dip: the size, up to 1e7; 0 and 0: set later.
        pixel_density: physical pixels per DIP, up to 100; 0: 1.
    """

    _release_function = "ald_view_release"
    _prefix = "ald_view"

    def __init__(
        self, map: Map, width_dip: float = 0.0, height_dip: float = 0.0, pixel_density: float = 0.0
    ) -> None:
        options = _abi.ald_view_options(width_dip=width_dip, height_dip=height_dip, pixel_density=pixel_density)
        handle = _abi.ald_view()
        check(library().ald_view_create, map._handle, options, handle)
        super().__init__(handle, keeps=map)
        self._map = map

    @classmethod
    def _lent(cls, handle: _abi.ald_view, map: Map, keeps: Handle) -> View:
        view = cls.__new__(cls)
        Handle.__init__(view, handle, keeps=keeps, is_lent=True)
        view._map = map
        return view

    @property
    def map(self) -> Map:
        """The map that the view looks at."""
        return self._map

    def set_size(self, width_dip: float, height_dip: float, pixel_density: float = 0.0) -> None:
        """Sets the size; centre, scale and rotation stay.

        :raises InvalidArgumentError: a number is out of its range, or the insets would leave no room.
        """
        check(library().ald_view_set_size, self._handle, width_dip, height_dip, pixel_density)

    def set_insets(self, insets: Insets | None) -> None:
        """Sets which parts of the view the host's controls cover; None: none.

        :raises InvalidArgumentError: a number is negative or not finite, or nothing of the view would be left.
        """
        c_insets = None
        if insets is not None:
            c_insets = _abi.ald_insets(insets.top_dip, insets.right_dip, insets.bottom_dip, insets.left_dip)
        check(library().ald_view_set_insets, self._handle, None if c_insets is None else ctypes.byref(c_insets))

    def set_viewpoint(
        self,
        center: Point | None = None,
        spatial_reference: SpatialReference | None = None,
        scale: float | None = None,
        rotation_deg: float | None = None,
    ) -> None:
        """Moves the view at once; what is None stays as it is. On failure the view stays.

        Unlike `move`, it takes parts of a viewpoint also while the view has no size, centre or scale.

        Args:
            center: the point in the middle of the part of the view that the insets leave free.
            spatial_reference: what `center` is in; None: the map's.
            scale: the denominator of the nominal scale, 1e-6 to 1e15.
            rotation_deg: the compass direction that is up on the screen, clockwise from north; taken modulo 360.

        Raises:
            InvalidArgumentError: a number is not finite or out of its range.
            ProjectionFailedError: the centre is not in the map's spatial reference.
        """
        viewpoint = c_viewpoint(center, spatial_reference, scale, rotation_deg)
        check(library().ald_view_set_viewpoint, self._handle, viewpoint)

    def snapshot(self) -> ViewSnapshot:
        """The view as it is now, as an immutable value.

        :raises NotReadyError: the view's size, centre or scale, or its map's spatial reference, is missing.
        """
        handle = _abi.ald_view_snapshot()
        check(library().ald_view_create_snapshot, self._handle, handle)
        return ViewSnapshot(handle, keeps=self._map._runtime)

    @property
    def viewpoint(self) -> Viewpoint:
        """Where the view looks, as centre, scale and rotation."""
        found = _abi.ald_viewpoint()
        check(library().ald_view_get_viewpoint, self._handle, found)
        return viewpoint(found, self._map, is_lent=True)

    def move_to(self, viewpoint: Viewpoint, padding: Padding = 0.0) -> CameraPlan:
        """Moves the view to a viewpoint. See `move`."""
        plan = _abi.ald_camera_plan()
        check(library().ald_view_move, self._handle, viewpoint._c(), ctypes.byref(c_padding(padding)), plan)
        return camera_plan(plan)

    def visible_area(self, viewpoint: Viewpoint | None = None) -> Geometry:
        """The area that the view shows, or would show after a move, as a polygon of four corners.

        :raises InvalidArgumentError, ProjectionFailedError: as for `move`.
        """
        handle = _abi.ald_geometry()
        given = None if viewpoint is None else ctypes.byref(viewpoint._c())
        check(library().ald_view_create_visible_area, self._handle, given, handle)
        return Geometry(handle, self._map._runtime)

    def layer_coverage(self, layer: RasterLayer) -> float:
        """How much of the visible area lies inside the layer's outline, 0 to 1.

        :raises ProjectionFailedError: the outline has no image in the map's spatial reference.
        """
        fraction = ctypes.c_double()
        check(library().ald_view_layer_coverage, self._handle, layer._handle, ctypes.byref(fraction))
        return fraction.value

    def cell_at(self, layer: RasterLayer, point_dip: Point) -> Cells:
        """The cell of a raster layer under a screen point, in its plainest form: arrays of one cell.

        A hidden layer answers CellVerdict.OUTSIDE.

        :raises InvalidArgumentError: the layer is not in the view's map, or the point is not finite.
        :raises ReadFailedError: the cell's block cannot be read.
        """
        cells = np.empty(1, dtype=_arrays.CELL)
        values = np.empty((1, layer.raster.info.band_count), dtype=_arrays.BAND_VALUE)
        check(
            library().ald_view_cell_at,
            self._handle,
            layer._handle,
            _arrays.c_point(point_dip),
            _arrays.address(cells),
            _arrays.address(values),
            values.size,
        )
        return Cells(cells, values)

    def grid_size(self, grid: ScreenGrid | None = None) -> tuple[int, int]:
        """The (columns, rows) of a grid of samples, its zeros filled in."""
        columns, rows = ctypes.c_int32(), ctypes.c_int32()
        check(
            library().ald_view_grid_size, self._handle, c_grid(grid), ctypes.byref(columns), ctypes.byref(rows)
        )
        return columns.value, rows.value

    def read_rgba(
        self,
        layer: RasterLayer,
        grid: ScreenGrid | None = None,
        *,
        out: npt.NDArray[Any] | None = None,
        verdicts: npt.NDArray[Any] | None = None,
    ) -> npt.NDArray[np.uint8]:
        """A picture of a raster layer as its renderer shows it. Samples without a value are 0, 0, 0, 0.

        Args:
            layer: a raster layer of the view's map.
            grid: which samples; None: one per physical pixel of the whole view.
            out: None, or where to write: uint8 of shape (rows, columns, 4); lines may lie apart.
            verdicts: None, or where to write a CellVerdict per sample: contiguous uint8 of shape (rows, columns).

        Returns:
            uint8 of shape (rows, columns, 4), red, green, blue, alpha, not premultiplied: `out` if it was given.

        Raises:
            ProjectionFailedError: there is no operation between map and raster.
            LimitExceededError: more samples or memory than the runtime's policy allows.
            ReadFailedError: a block of the file cannot be read.
        """
        columns, rows = self.grid_size(grid)
        pixels = _arrays.output_array(out, (rows, columns, 4), np.uint8)
        check(
            library().ald_view_read_rgba,
            self._handle,
            layer._handle,
            c_grid(grid, columns, rows),
            *_arrays.lines(pixels),
            _arrays.verdict_address(verdicts, rows, columns),
        )
        return pixels

    def read_values(
        self,
        layer: RasterLayer,
        band: int = 1,
        grid: ScreenGrid | None = None,
        *,
        scaled: bool = False,
        out: npt.NDArray[Any] | None = None,
        verdicts: npt.NDArray[Any] | None = None,
    ) -> FloatArray:
        """The values of a band under the samples of a grid; NaN where there is none.

        Args:
            layer: a raster layer of the view's map.
            band: from 1.
            grid: which samples; None: one per physical pixel of the whole view.
            scaled: scaled values instead of stored ones.
            out: None, or where to write: float64 of shape (rows, columns); lines may lie apart.
            verdicts: None, or where to write a CellVerdict per sample: contiguous uint8 of shape (rows, columns).

        Returns:
            float64 of shape (rows, columns): `out` if it was given.

        Raises:
            NotFoundError: there is no such band.
            ProjectionFailedError, LimitExceededError, ReadFailedError: as for `read_rgba`.
        """
        columns, rows = self.grid_size(grid)
        values = _arrays.output_array(out, (rows, columns), np.float64)
        check(
            library().ald_view_read_values,
            self._handle,
            layer._handle,
            c_grid(grid, columns, rows, scaled=scaled),
            int32(band, "band"),
            *_arrays.lines(values),
            _arrays.verdict_address(verdicts, rows, columns),
        )
        return values

    def __repr__(self) -> str:
        return self._repr(f"of {self._map!r}")

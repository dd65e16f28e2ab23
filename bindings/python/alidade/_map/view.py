"""Views: a camera over a map."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Iterable

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._base import arrays
from .._base.arrays import FloatArray, Point
from .._base.errors import NotReadyError, check
from .._base.handle import Handle
from .._base.numbers import int32
from .._base.request import Request, begin
from .._coordinates.spatial_reference import SpatialReferenceLike
from .._data.raster import Cells
from .._geometry.geometry import Geometry
from .._library import library
from .camera import CameraMoves, CameraPlan, Padding, c_padding, c_viewpoint, camera_plan
from .layer import Layer
from .layer_view_state import ViewLayers
from .map import Map
from .navigation import Navigation
from .raster_layer import RasterLayer
from .screen_picture import ScreenPicture
from .snap import ViewSnap
from .view_identify import ViewIdentify
from .view_overlays import ViewOverlays
from .view_reading import ViewReading, ViewSnapshot
from .view_state import Insets, ScreenGrid, c_grid
from .viewpoint import Viewpoint, viewpoint


class View(Navigation, ViewReading, ViewIdentify, ViewSnap, CameraMoves, ViewOverlays, ViewLayers):
    """A view of a map. It has a size, a viewpoint and insets, but no window.

    >>> view = alidade.View(alidade.Map(3857), width_dip=400, height_dip=300)
    >>> view.set_viewpoint((10, 50), 4326, scale=100_000)
    >>> view.rotation_deg = 90
    >>> view
    <View of <Map with 0 layers, EPSG:3857>, 400 x 300 DIP, scale 1:100000>
    >>> view.screen_to_map((200, 150)).round().tolist()
    [[1113195.0, 6446276.0]]

    Screen coordinates are logical pixels (DIP), origin at the top left, y down. Functions that read the view raise
    NotReadyError while the map has no spatial reference, or the view has no size, centre or scale.

    Args:
        map: the map that the view shows.
        width_dip, height_dip: the size, up to 1e7. If both are 0, set the size later.
        pixel_density: physical pixels per DIP, up to 100. 0 means 1.
    """

    _release_function = "ald_view_release"
    _prefix = "ald_view"
    _is_named_by_events = True

    def __init__(self, map: Map, width_dip: float = 0.0, height_dip: float = 0.0, pixel_density: float = 0.0) -> None:
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
        """The map of the view."""
        return self._map

    def set_size(self, width_dip: float, height_dip: float, pixel_density: float = 0.0) -> None:
        """Sets the size. Centre, scale and rotation do not change.

        :raises InvalidArgumentError: a number is out of range, or the insets would leave no free area.
        """
        check(library().ald_view_set_size, self._handle, width_dip, height_dip, pixel_density)

    @property
    def insets(self) -> Insets:
        """The parts of the view that the program's controls cover. Set it to None to remove the insets.

        :raises NotReadyError: it is read while the view is not ready.
        :raises InvalidArgumentError: a number is negative or not finite, or the insets leave no free area.
        """
        return self.state.insets

    @insets.setter
    def insets(self, insets: Insets | None) -> None:
        self.set_insets(insets)

    def set_insets(self, insets: Insets | None) -> None:
        """Sets the parts of the view that the host's controls cover. None removes the insets.

        :raises InvalidArgumentError: a number is negative or not finite, or the insets leave no free area.
        """
        c_insets = None
        if insets is not None:
            c_insets = _abi.ald_insets(insets.top_dip, insets.right_dip, insets.bottom_dip, insets.left_dip)
        check(library().ald_view_set_insets, self._handle, None if c_insets is None else ctypes.byref(c_insets))

    def set_viewpoint(
        self,
        center: Point | None = None,
        spatial_reference: SpatialReferenceLike | None = None,
        scale: float | None = None,
        rotation_deg: float | None = None,
    ) -> None:
        """Moves the view at once. The view keeps every part that is None. On failure the view does not change.

        Unlike `move`, it accepts parts of a viewpoint while the view has no size, centre or scale.

        Args:
            center: the point in the middle of the area that the insets leave free.
            spatial_reference: the spatial reference of `center`. None means the map's own.
            scale: the denominator of the nominal scale, 1e-6 to 1e15.
            rotation_deg: the compass direction that is up on the screen, clockwise from north. Taken modulo 360.

        Raises:
            InvalidArgumentError: a number is not finite or out of range.
            ProjectionFailedError: the centre cannot be projected to the map's spatial reference.
        """
        viewpoint = c_viewpoint(center, spatial_reference, scale, rotation_deg)
        check(library().ald_view_set_viewpoint, self._handle, viewpoint)

    @property
    def center(self) -> Point | None:
        """The point in the middle of the area that the insets leave free, in the map's spatial reference.

        Setting it moves the view at once.

        :raises NotReadyError: it is read while the view has no centre.
        :raises InvalidArgumentError: a number is not finite.
        """
        return self.viewpoint.center

    @center.setter
    def center(self, center: Point) -> None:
        x, y = center
        self.set_viewpoint(center=(x, y))

    @property
    def scale(self) -> float | None:
        """The denominator of the nominal scale, 1e-6 to 1e15. Setting it moves the view at once.

        :raises NotReadyError: it is read while the view has no scale.
        :raises InvalidArgumentError: the number is out of range.
        """
        return self.viewpoint.scale

    @scale.setter
    def scale(self, scale: float) -> None:
        self.set_viewpoint(scale=float(scale))

    @property
    def rotation_deg(self) -> float:
        """The compass direction that is up on the screen, clockwise from north. Setting it turns the view at once.

        :raises NotReadyError: it is read while the view is not ready.
        :raises InvalidArgumentError: the number is not finite.
        """
        return self.viewpoint.rotation_deg or 0.0

    @rotation_deg.setter
    def rotation_deg(self, rotation_deg: float) -> None:
        self.set_viewpoint(rotation_deg=float(rotation_deg))

    def snapshot(self) -> ViewSnapshot:
        """Creates an immutable copy of the view in its current state.

        :raises NotReadyError: the map has no spatial reference, or the view has no size, centre or scale.
        """
        handle = _abi.ald_view_snapshot()
        check(library().ald_view_create_snapshot, self._handle, handle)
        return ViewSnapshot(handle, keeps=self._map._runtime)

    @property
    def viewpoint(self) -> Viewpoint:
        """The viewpoint of the view: its centre, scale and rotation."""
        found = _abi.ald_viewpoint()
        check(library().ald_view_get_viewpoint, self._handle, found)
        return viewpoint(found, self._map, is_lent=True)

    @viewpoint.setter
    def viewpoint(self, viewpoint: Viewpoint) -> None:
        self.move_to(viewpoint)

    def move_to(self, viewpoint: Viewpoint, padding: Padding = 0.0) -> CameraPlan:
        """Moves the view to a viewpoint. See `move`."""
        plan = _abi.ald_camera_plan()
        check(library().ald_view_move, self._handle, viewpoint._c(self), ctypes.byref(c_padding(padding)), plan)
        return camera_plan(plan)

    def visible_area(self, viewpoint: Viewpoint | None = None) -> Geometry:
        """The visible area of the view, now or after a move: a polygon with four corners.

        :raises InvalidArgumentError, ProjectionFailedError: as for `move`.
        """
        handle = _abi.ald_geometry()
        given = None if viewpoint is None else ctypes.byref(viewpoint._c(self))
        check(library().ald_view_create_visible_area, self._handle, given, handle)
        return Geometry(handle, self._map._runtime)

    def layer_coverage(self, layer: RasterLayer) -> float:
        """The fraction of the visible area that the layer's outline covers, 0 to 1.

        :raises ProjectionFailedError: the outline cannot be projected to the map's spatial reference.
        """
        fraction = ctypes.c_double()
        check(library().ald_view_get_layer_coverage, self._handle, layer._handle, ctypes.byref(fraction))
        return fraction.value

    def cell_at(self, layer: RasterLayer, point_dip: Point) -> Cells:
        """The cell of a raster layer under a screen point, as arrays of one cell.

        For a hidden layer the verdict is CellVerdict.OUTSIDE.

        :raises InvalidArgumentError: the layer is not in the view's map, or the point is not finite.
        :raises ReadFailedError: the cell's block cannot be read.
        """
        cells = np.empty(1, dtype=arrays.CELL)
        values = np.empty((1, layer.raster.info.band_count), dtype=arrays.BAND_VALUE)
        check(
            library().ald_view_read_cell,
            self._handle,
            layer._handle,
            arrays.c_point(point_dip),
            arrays.address(cells),
            arrays.address(values),
            values.size,
        )
        return Cells(cells, values)

    def grid_size(self, grid: ScreenGrid | None = None) -> tuple[int, int]:
        """The size (columns, rows) of a grid of samples, with its zeros filled in."""
        columns, rows = ctypes.c_int32(), ctypes.c_int32()
        check(library().ald_view_grid_size, self._handle, c_grid(grid), ctypes.byref(columns), ctypes.byref(rows))
        return columns.value, rows.value

    def read_rgba(
        self,
        layer: RasterLayer,
        grid: ScreenGrid | None = None,
        *,
        out: npt.NDArray[Any] | None = None,
        verdicts: npt.NDArray[Any] | None = None,
    ) -> npt.NDArray[np.uint8]:
        """Reads a raster layer as pixels, coloured by its renderer. Samples without a value are 0, 0, 0, 0.

        Args:
            layer: a raster layer of the view's map.
            grid: the samples. None means one sample per physical pixel of the whole view.
            out: None, or the array to write to: uint8 of shape (rows, columns, 4). Gaps between lines are allowed.
            verdicts: None, or the array for a CellVerdict per sample: contiguous uint8 of shape (rows, columns).

        Returns:
            uint8 of shape (rows, columns, 4): red, green, blue, alpha, not premultiplied. `out` if it is not None.

        Raises:
            ProjectionFailedError: there is no operation between the spatial references of map and raster.
            LimitExceededError: more samples or memory than the runtime's policy allows.
            ReadFailedError: a block of the file cannot be read.
        """
        columns, rows = self.grid_size(grid)
        pixels = arrays.output_array(out, (rows, columns, 4), np.uint8)
        check(
            library().ald_view_read_rgba,
            self._handle,
            layer._handle,
            c_grid(grid, columns, rows),
            *arrays.lines(pixels),
            arrays.verdict_address(verdicts, rows, columns),
        )
        return pixels

    def screen_picture(self, layer: RasterLayer, grid: ScreenGrid | None = None) -> ScreenPicture:
        """Creates a picture of a raster layer, with the pixels of `read_rgba`.

        Waits for the cells that a server has to return. A picture in which cells are lacking is not an error.

        Raises:
            NotReadyError: the layer is not loaded.
            ProjectionFailedError, LimitExceededError, ReadFailedError: as for `read_rgba`.
        """
        handle = _abi.ald_screen_picture()
        check(library().ald_view_create_screen_picture, self._handle, layer._handle, c_grid(grid), handle)
        return ScreenPicture(handle, self._map._runtime)

    def screen_picture_async(
        self,
        layer: RasterLayer,
        grid: ScreenGrid | None = None,
        *,
        on_done: Callable[[Request[ScreenPicture]], Any] | None = None,
        replace_key: int = 0,
        keep_begun: bool = False,
    ) -> Request[ScreenPicture]:
        """Creates a picture of the view as it is now without waiting for it; see `screen_picture`.

        A newer request for the same view and layer replaces an older one, so that the newest view wins; with a
        `replace_key`, only requests with the same key replace each other.
        """

        def take(request: Request[ScreenPicture]) -> ScreenPicture:
            handle = _abi.ald_screen_picture()
            check(library().ald_request_take_screen_picture, request._handle, handle)
            return ScreenPicture(handle, self._map._runtime)

        arguments = (self._handle, layer._handle, c_grid(grid))
        function = library().ald_view_create_screen_picture_async
        return begin(self._map._runtime, function, arguments, take, on_done, replace_key, keep_begun)

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
        """Reads the values of a band for the samples of a grid. A sample without a value is NaN.

        Args:
            layer: a raster layer of the view's map.
            band: the band. The first band is 1.
            grid: the samples. None means one sample per physical pixel of the whole view.
            scaled: reads scaled values instead of stored values.
            out: None, or the array to write to: float64 of shape (rows, columns). Gaps between lines are allowed.
            verdicts: None, or the array for a CellVerdict per sample: contiguous uint8 of shape (rows, columns).

        Returns:
            float64 of shape (rows, columns). `out` if it is not None.

        Raises:
            NotFoundError: the band does not exist.
            ProjectionFailedError, LimitExceededError, ReadFailedError: as for `read_rgba`.
        """
        columns, rows = self.grid_size(grid)
        values = arrays.output_array(out, (rows, columns), np.float64)
        check(
            library().ald_view_read_values,
            self._handle,
            layer._handle,
            c_grid(grid, columns, rows, scaled=scaled),
            int32(band, "band"),
            *arrays.lines(values),
            arrays.verdict_address(verdicts, rows, columns),
        )
        return values

    def _facts(self) -> str:
        try:
            state = self.state
        except NotReadyError:
            return f"of {self._map!r}, not ready"
        return f"of {self._map!r}, {state.width_dip:g} x {state.height_dip:g} DIP, scale 1:{state.scale:.0f}"

    def _repr_png_(self) -> bytes | None:
        from .plots import png_of

        try:
            return png_of(self)
        except (ImportError, NotReadyError):
            return None

    def plot(self, axes: Any = None, *, layers: Iterable[Layer] | None = None) -> Any:
        """Draws with matplotlib what the view shows now: rasters, features and overlays. Returns the axes.

        Layers that are not loaded are loaded first. The coordinates of the axes are DIP, y down.

        Args:
            axes: the axes to draw on; None: a new figure of the view's size.
            layers: the layers that are drawn if the view shows them, in addition to the overlays; None: all.

        Raises:
            ImportError: matplotlib is not installed.
            NotReadyError: the map has no spatial reference, or the view has no size, centre or scale.
            AlidadeError: a layer cannot be loaded or read.
        """
        from .plots import new_axes, plot_view

        state = self.state
        drawn = new_axes(state.width_dip, state.height_dip) if axes is None else axes
        plot_view(self, drawn, layers)
        return drawn

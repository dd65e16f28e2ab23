"""Raster layers and their renderers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import RasterRendererFields, RasterRendererKind
from .._base.errors import check
from .._base.numbers import int32
from .._base.runtime import Runtime
from .._base.runtime_first import runtime_first_of_class
from .._base.text import PathLike, encoded_path
from .._coordinates.spatial_reference import SpatialReferenceLike
from .._data.raster import Raster, open_options
from .._library import library
from .layer import Layer


@dataclass(frozen=True)
class RasterRenderer:
    """How a raster layer converts values to colours. The library selects every value that is None or 0.

    `RasterLayer.renderer` returns it with all values filled in except the ramp.
    """

    kind: RasterRendererKind = RasterRendererKind.AUTOMATIC
    # The band of a kind that uses one band comes first; red, green, blue for RGB. The first band is 1.
    bands: tuple[int, int, int] = (0, 0, 0)
    # The stored values at the ends of the ramp. Set both or neither.
    minimum: float | None = None
    maximum: float | None = None
    # uint8 of shape (n, 4): red, green, blue, alpha at equal steps from minimum to maximum. None means black to white.
    ramp: npt.ArrayLike | None = None
    # The exponent for the stretched value. 0 means 1.
    gamma: float = 0.0
    # The direction of the light of a hillshade, in degrees clockwise from the y axis of the raster's spatial reference.
    azimuth_deg: float | None = None
    # The angle of the light above the horizon, 0 to 90 degrees.
    altitude_deg: float | None = None
    # The factor for heights, in map units per height unit. 0 means that heights are in metres.
    z_factor: float = 0.0


class RasterLayer(Layer):
    """A layer that shows a raster through a renderer. The layer is loaded if the raster is loaded.

    Raises:
        UnsupportedError: the raster is not georeferenced by a geotransform that can be inverted.
        NotReadyError: the raster is loaded and has no spatial reference. Set one when you open the raster.
    """

    def __init__(self, raster: Raster) -> None:
        handle = _abi.ald_layer()
        check(library().ald_raster_layer_create, raster._handle, handle)
        super().__init__(handle, keeps=raster)
        self._raster: Raster | None = raster

    @runtime_first_of_class
    @classmethod
    def from_path(
        cls, runtime: Runtime, path: PathLike, spatial_reference: SpatialReferenceLike | None = None
    ) -> RasterLayer:
        """Creates a layer that shows a file. The layer is not loaded, and the call does not access the file.

        The map loads the layer when a view reads the map; `load` loads it at once. The arguments are as for Raster.

        :raises InvalidArgumentError: the path is empty or not UTF-8 (also a ValueError).
        """
        handle = _abi.ald_layer()
        options = open_options(spatial_reference)
        function = library().ald_raster_layer_create_from_path
        name = encoded_path(path)
        check(function, runtime._handle, name, options, handle)
        layer = cls.__new__(cls)
        Layer.__init__(layer, handle, keeps=runtime)
        layer._raster, layer._path = None, name
        return layer

    @property
    def raster(self) -> Raster:
        """The raster of the layer.

        If the file has changed and the layer is loaded again, this is a new raster.
        """
        handle = _abi.ald_raster()
        check(library().ald_raster_layer_get_raster, self._handle, handle)
        if self._raster is not None and self._raster._handle.id == handle.id:
            return self._raster
        raster = Raster._of(handle, self, is_lent=True)
        raster._path = self._path
        return raster

    @property
    def renderer(self) -> RasterRenderer:
        """The renderer of the layer, with all values that the library selected. May read cells the first time.

        Set it to None for the automatic renderer.

        :raises NotFoundError: the band does not exist, or has no colour table.
        :raises UnsupportedError: a hillshade is requested for complex values.
        :raises ReadFailedError: cells are needed and cannot be read.
        """
        renderer = _abi.ald_raster_renderer()
        check(library().ald_raster_layer_get_renderer, self._handle, renderer)
        return RasterRenderer(
            kind=RasterRendererKind(renderer.kind),
            bands=tuple(renderer.bands),
            minimum=renderer.minimum if renderer.fields & RasterRendererFields.RANGE else None,
            maximum=renderer.maximum if renderer.fields & RasterRendererFields.RANGE else None,
            gamma=renderer.gamma,
            azimuth_deg=renderer.azimuth_deg if renderer.fields & RasterRendererFields.AZIMUTH else None,
            altitude_deg=renderer.altitude_deg if renderer.fields & RasterRendererFields.ALTITUDE else None,
            z_factor=renderer.z_factor,
        )

    @renderer.setter
    def renderer(self, renderer: RasterRenderer | None) -> None:
        c_renderer = None if renderer is None else _c_renderer(renderer)
        check(library().ald_raster_layer_set_renderer, self._handle, c_renderer)

    def _facts(self) -> str:
        return super()._facts() if self._raster is None else f"of {self._raster!r}"


def _c_renderer(renderer: RasterRenderer) -> _abi.ald_raster_renderer:
    """The C form. ctypes keeps the ramp alive."""
    result = _abi.ald_raster_renderer(
        kind=renderer.kind, gamma=float(renderer.gamma), z_factor=float(renderer.z_factor)
    )
    result.bands[:] = [int32(band, "bands") for band in renderer.bands]
    if renderer.minimum is not None or renderer.maximum is not None:
        if renderer.minimum is None or renderer.maximum is None:
            raise ValueError("set both minimum and maximum, or neither")
        result.fields |= RasterRendererFields.RANGE
        result.minimum, result.maximum = float(renderer.minimum), float(renderer.maximum)
    if renderer.azimuth_deg is not None:
        result.fields |= RasterRendererFields.AZIMUTH
        result.azimuth_deg = float(renderer.azimuth_deg)
    if renderer.altitude_deg is not None:
        result.fields |= RasterRendererFields.ALTITUDE
        result.altitude_deg = float(renderer.altitude_deg)
    if renderer.ramp is not None:
        colors = _ramp(renderer.ramp)
        result.ramp = (_abi.ald_rgba * len(colors)).from_buffer_copy(colors.tobytes())
        result.ramp_count = len(colors)
    return result


def _ramp(ramp: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    given = np.asarray(ramp)
    colors = given.astype(np.uint8)
    if colors.ndim != 2 or colors.shape[1] != 4 or not np.array_equal(colors, given):
        raise ValueError("ramp must have the shape (n, 4) and contain whole numbers from 0 to 255")
    return colors

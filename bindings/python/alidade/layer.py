"""Raster layers and how they are drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _abi
from ._abi import RasterRendererFields, RasterRendererKind
from ._library import library
from ._numbers import int32
from ._text import PathLike, encoded_path
from .errors import check
from .layer_properties import Layer
from .raster import Raster, open_options
from .runtime import Runtime
from .spatial_reference import SpatialReference


@dataclass(frozen=True)
class RasterRenderer:
    """How a raster layer turns values into colours. What is None or 0 is chosen by the library.

    `RasterLayer.renderer` answers it with everything filled in but the ramp.
    """

    kind: RasterRendererKind = RasterRendererKind.AUTOMATIC
    # The band of one-band kinds first; red, green, blue for RGB. From 1.
    bands: tuple[int, int, int] = (0, 0, 0)
    # The stored values that the ends of the ramp stand for; given together.
    minimum: float | None = None
    maximum: float | None = None
    # uint8 of shape (n, 4), red, green, blue, alpha at equal steps from minimum to maximum; None: black to white.
    ramp: npt.ArrayLike | None = None
    # Exponent on the stretched value; 0: 1.
    gamma: float = 0.0
    # Where the light of a hillshade comes from, degrees clockwise from the up of the raster's spatial reference.
    azimuth_deg: float | None = None
    # How high the light stands, 0 to 90 degrees.
    altitude_deg: float | None = None
    # Factor on heights, in map units per height unit; 0: heights are metres.
    z_factor: float = 0.0


class RasterLayer(Layer):
    """A layer that shows a raster, through a renderer. Loaded from the beginning if the raster is.

    Raises:
        UnsupportedError: the raster is not georeferenced by a geotransform that can be inverted.
        NotReadyError: the raster is loaded and has no spatial reference; give one when opening it.
    """

    def __init__(self, raster: Raster) -> None:
        handle = _abi.ald_layer()
        check(library().ald_raster_layer_create, raster._handle, handle)
        super().__init__(handle, keeps=raster)
        self._raster: Raster | None = raster

    @classmethod
    def from_path(
        cls, runtime: Runtime, path: PathLike, spatial_reference: SpatialReference | None = None
    ) -> RasterLayer:
        """A layer of a file, not loaded. Touches no file.

        A map loads it when a view looks at the map; `load` does at once. The arguments are those of Raster.

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
        """The raster that the layer was made of, or that it loads from its path.

        After a layer of a file that has changed was loaded again, another raster.
        """
        handle = _abi.ald_raster()
        check(library().ald_raster_layer_raster, self._handle, handle)
        if self._raster is not None and self._raster._handle.id == handle.id:
            return self._raster
        raster = Raster._of(handle, self, is_lent=True)
        raster._path = self._path
        return raster

    @property
    def renderer(self) -> RasterRenderer:
        """How the layer is drawn, with what was left to the library filled in. May read cells the first time.

        Setting it to None gives the automatic one.

        :raises NotFoundError: there is no such band, or no colour table on it.
        :raises UnsupportedError: a hillshade of complex values.
        :raises ReadFailedError: cells had to be read and cannot be.
        """
        renderer = _abi.ald_raster_renderer()
        check(library().ald_raster_layer_renderer, self._handle, renderer)
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

    def __repr__(self) -> str:
        return self._repr(f"{self._handle.id:#x}" if self._raster is None else f"of {self._raster!r}")


def _c_renderer(renderer: RasterRenderer) -> _abi.ald_raster_renderer:
    """The C form; ctypes keeps the ramp that it points to."""
    result = _abi.ald_raster_renderer(
        kind=renderer.kind, gamma=float(renderer.gamma), z_factor=float(renderer.z_factor)
    )
    result.bands[:] = [int32(band, "bands") for band in renderer.bands]
    if renderer.minimum is not None or renderer.maximum is not None:
        if renderer.minimum is None or renderer.maximum is None:
            raise ValueError("minimum and maximum are given together")
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
        raise ValueError("ramp must have the shape (n, 4) and hold whole numbers from 0 to 255")
    return colors

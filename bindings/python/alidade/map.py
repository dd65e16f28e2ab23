"""Maps: layers in an order, in one spatial reference."""

from __future__ import annotations

import ctypes

from . import _abi
from ._abi import MapFlags
from ._host_texts import HostTexts
from ._known_layers import remember_map
from ._library import library
from ._membership import membership
from ._numbers import uint32
from ._text import copied, encoded
from .camera import Box, c_box
from .errors import NotFoundError, check
from .layer_properties import Layer, LayerList, layer_handle
from .loading import Loadable
from .raster_info import Envelope
from .runtime import Runtime
from .spatial_reference import SpatialReference, lent_spatial_reference, optional_reference
from .viewpoint import Viewpoint, viewpoint


class Map(Loadable, HostTexts):
    """A map. Several views may look at one. It loads by loading its layers.

    Args:
        runtime: what the map hangs on.
        spatial_reference: fixed for ever; None: that of the lowest layer that loads and has one, as soon as all layers
            below it have ended loading.
    """

    _release_function = "ald_map_release"
    _loads_as = "ald_map"
    _texts_of = "ald_map"

    def __init__(self, runtime: Runtime, spatial_reference: SpatialReference | None = None) -> None:
        given = _abi.ald_spatial_reference() if spatial_reference is None else spatial_reference._handle
        handle = _abi.ald_map()
        check(library().ald_map_create, runtime._handle, given, handle)
        super().__init__(handle, keeps=runtime)
        remember_map(handle.id, self)
        self._runtime = runtime
        self._layers = LayerList(self, "ald_map_layer_count", "ald_map_layer_at")
        self._basemap = LayerList(self, "ald_map_basemap_layer_count", "ald_map_basemap_layer_at")

    @property
    def spatial_reference(self) -> SpatialReference | None:
        """The map's spatial reference; None if none was given, and none was found by loading layers yet."""
        return lent_spatial_reference(library().ald_map_spatial_reference, self)

    def add_layer(self, layer: Layer) -> None:
        """Puts a layer on top of the operational layers.

        :raises InvalidStateError: the layer is in a map or a group already.
        """
        with membership:
            self._layers.change(library().ald_map_add_layer, layer)

    def insert_layer(self, index: int, layer: Layer) -> None:
        """Puts a layer at a place among the operational layers, from 0, the lowest.

        :raises InvalidStateError: the layer is in a map or a group already.
        :raises NotFoundError: there is no such place.
        """
        with membership:
            self._layers.change(library().ald_map_insert_layer, layer, uint32(index, "index"))

    def add_basemap_layer(self, layer: Layer) -> None:
        """Puts a layer on top of the basemap, below the operational layers.

        :raises InvalidStateError: the layer is in a map or a group already.
        """
        with membership:
            self._basemap.change(library().ald_map_add_basemap_layer, layer)

    def insert_basemap_layer(self, index: int, layer: Layer) -> None:
        """Puts a layer at a place among those of the basemap, from 0, the lowest.

        :raises InvalidStateError: the layer is in a map or a group already.
        :raises NotFoundError: there is no such place.
        """
        with membership:
            self._basemap.change(library().ald_map_insert_basemap_layer, layer, uint32(index, "index"))

    def move_layer(self, layer: Layer, index: int) -> None:
        """Moves a layer to another place among the operational layers, or among those of the basemap, where it is.

        :raises NotFoundError: the layer is not in this map, or in a group, or there is no such place.
        """
        check(library().ald_map_move_layer, self._handle, layer_handle(layer), uint32(index, "index"))

    def remove_layer(self, layer: Layer) -> None:
        """Takes a layer out of the map, or out of its basemap. The map's spatial reference stays.

        :raises NotFoundError: the layer is not in this map, or in a group.
        """
        with membership:
            check(library().ald_map_remove_layer, self._handle, layer_handle(layer))
            if not self._layers.forget(layer):
                self._basemap.forget(layer)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The operational layers, the lowest in drawing order first."""
        with membership:
            return self._layers.all()

    @property
    def basemap_layers(self) -> tuple[Layer, ...]:
        """The layers of the basemap, the lowest in drawing order first."""
        with membership:
            return self._basemap.all()

    def set_initial_viewpoint(self, latitude_deg: float, longitude_deg: float, scale: float) -> None:
        """Sets where views of this map look at first; views that have a viewpoint keep theirs.

        Args:
            latitude_deg: WGS 84, -90 to 90.
            longitude_deg: WGS 84, -360 to 360.
            scale: the denominator of the nominal scale.

        Raises:
            InvalidArgumentError: a number is not finite or out of its range.
            ProjectionFailedError: the map has a spatial reference and the place is not in it.
        """
        check(library().ald_map_set_initial_viewpoint, self._handle, latitude_deg, longitude_deg, scale)

    @property
    def reference_scale(self) -> float:
        """The denominator of the scale at which symbols that follow it have the size that they say; 0: there is none.

        :raises InvalidArgumentError: the number is not finite or out of its range, 1e-6 to 1e15.
        """
        scale = ctypes.c_double()
        check(library().ald_map_reference_scale, self._handle, ctypes.byref(scale))
        return scale.value

    @reference_scale.setter
    def reference_scale(self, scale: float) -> None:
        check(library().ald_map_set_reference_scale, self._handle, scale)

    @property
    def initial_viewpoint(self) -> Viewpoint | None:
        """Where views of this map look at first; None: at its lowest layer."""
        found = _abi.ald_viewpoint()
        try:
            check(library().ald_map_get_initial_viewpoint, self._handle, found)
        except NotFoundError:
            return None
        return viewpoint(found, self, is_lent=True)

    def set_initial_viewpoint_to(self, viewpoint: Viewpoint | None) -> None:
        """Sets where views of this map look at first, as any viewpoint with a place; None: at the lowest layer.

        :raises InvalidArgumentError: the viewpoint has no place, or a number is out of its range.
        :raises ProjectionFailedError: the map has a spatial reference and the place is not in it.
        """
        given = None if viewpoint is None else ctypes.byref(viewpoint._c())
        check(library().ald_map_set_initial_viewpoint_to, self._handle, given)

    def _info(self) -> _abi.ald_map_info:
        info = _abi.ald_map_info()
        check(library().ald_map_get_info, self._handle, info)
        return info

    @property
    def scale_range(self) -> tuple[float, float]:
        """The denominators of the farthest and the closest scale at which views look at the map; 0: no limit.

        Every view keeps to it, beside its own constraints. Setting it moves those at once that are out of it.

        :raises InvalidArgumentError: a number is not 0 and out of its range, 1e-6 to 1e15, or the closest scale is
            farther than the farthest.
        """
        info = self._info()
        return info.min_scale, info.max_scale

    @scale_range.setter
    def scale_range(self, scale_range: tuple[float, float]) -> None:
        min_scale, max_scale = scale_range
        check(library().ald_map_set_scale_range, self._handle, min_scale, max_scale)

    @property
    def max_extent(self) -> Envelope | None:
        """The box that views must not leave, as it was set; None: there is none. See `set_max_extent`."""
        info = self._info()
        if not info.flags & MapFlags.HAS_MAX_EXTENT:
            return None
        box = info.max_extent
        return Envelope(box.x_min, box.y_min, box.x_max, box.y_max)

    @max_extent.setter
    def max_extent(self, max_extent: Box | None) -> None:
        self.set_max_extent(max_extent)

    def set_max_extent(self, max_extent: Box | None, spatial_reference: SpatialReference | None = None) -> None:
        """Sets the box that the map's views must not leave, and moves those at once that are out of it.

        By default a view shows nothing outside of it; with ExtentRule.CENTER in its constraints its centre stays inside.

        Args:
            max_extent: x_min > x_max where it goes over the antimeridian; None: there is no limit.
            spatial_reference: what it is in; None: the map's. One that is named may be so before the map has its own.

        Raises:
            InvalidArgumentError: the box has no width or height, or a number is not finite.
            NotReadyError: neither a spatial reference is given nor the map has one yet.
            ProjectionFailedError: nothing of the box is in the map's spatial reference.
        """
        box = None if max_extent is None else ctypes.byref(c_box(max_extent))
        check(library().ald_map_set_max_extent, self._handle, box, optional_reference(spatial_reference))

    @property
    def max_extent_spatial_reference(self) -> SpatialReference | None:
        """What `max_extent` is in, if it was named; None: the map's."""
        handle = self._info().max_extent_spatial_reference
        if not handle.id:
            return None
        return SpatialReference._of(_abi.ald_spatial_reference(handle.id), keeps=self, is_lent=True)

    @property
    def max_extent_holds(self) -> bool:
        """Whether there is a maximum extent that limits views: the map has a spatial reference in which it is."""
        return bool(self._info().flags & MapFlags.MAX_EXTENT_HOLDS)

    def full_extent(self, spatial_reference: SpatialReference | None = None) -> Envelope | None:
        """The box around the data of all layers, shown or not; None if there are none.

        Layers that are not loaded or cannot be placed are left out unless there is no other. Over the antimeridian it
        goes on to an x_max above half a world.

        Args:
            spatial_reference: what it is wanted in; None: the map's.

        Raises:
            NotReadyError: neither a spatial reference is given nor the map has one yet, or no layer is loaded and has a
                box that is known.
            ProjectionFailedError: nothing of the layers can be projected there.
        """
        extent = _abi.ald_envelope()
        given = optional_reference(spatial_reference)
        try:
            check(library().ald_map_full_extent, self._handle, given, ctypes.byref(extent))
        except NotFoundError:
            return None
        return Envelope(extent.x_min, extent.y_min, extent.x_max, extent.y_max)

    def add_bookmark(self, name: str, viewpoint: Viewpoint) -> None:
        """Adds a viewpoint with a name.

        :raises InvalidArgumentError: the name is empty, or a number is out of its range.
        :raises InvalidStateError: the map has a bookmark of that name.
        """
        check(library().ald_map_add_bookmark, self._handle, encoded(name), viewpoint._c())

    def remove_bookmark(self, name: str) -> None:
        """Removes a bookmark.

        :raises NotFoundError: there is none of that name.
        """
        check(library().ald_map_remove_bookmark, self._handle, encoded(name))

    def bookmark(self, name: str) -> Viewpoint:
        """The viewpoint of a bookmark.

        :raises NotFoundError: there is none of that name.
        """
        found = _abi.ald_viewpoint()
        check(library().ald_map_get_bookmark, self._handle, encoded(name), found)
        return viewpoint(found, self, is_lent=True)

    @property
    def bookmark_names(self) -> tuple[str, ...]:
        """In the order in which the bookmarks were added."""
        count = ctypes.c_uint32()
        check(library().ald_map_bookmark_count, self._handle, ctypes.byref(count))
        return tuple(copied(library().ald_map_bookmark_name, self._handle, index) for index in range(count.value))

    def __repr__(self) -> str:
        return self._repr(f"with {len(self._layers.layers) + len(self._basemap.layers)} layers")

"""Maps: layers in drawing order, in one spatial reference."""

from __future__ import annotations

import ctypes
from typing import overload

from .. import _abi
from .._abi import MapFlags
from .._base.errors import NotFoundError, check
from .._base.host_texts import HostTexts
from .._base.known_layers import remember_map
from .._base.loading import Loadable
from .._base.membership import membership
from .._base.numbers import uint32
from .._base.runtime import Runtime
from .._base.text import copied, encoded
from .._coordinates.envelope import Envelope
from .._coordinates.spatial_reference import (
    SpatialReference,
    SpatialReferenceLike,
    label,
    lent_spatial_reference,
    optional_reference,
)
from .._library import library
from .camera import Box, c_box
from .layer import Layer, LayerList, layer_handle, layer_table
from .viewpoint import Viewpoint, viewpoint


class Map(Loadable, HostTexts):
    """A map. Several views can share a map. A map loads by loading its layers.

    Args:
        runtime: the runtime of the map; may be left out.
        spatial_reference: the spatial reference, which never changes. None: the map takes it from the lowest layer that
            loads and has one, as soon as all layers below it have ended loading.
    """

    _release_function = "ald_map_release"
    _loads_as = "ald_map"
    _texts_of = "ald_map"

    @overload
    def __init__(self, runtime: Runtime | None, spatial_reference: SpatialReferenceLike | None = None) -> None: ...
    @overload
    def __init__(self, spatial_reference: SpatialReferenceLike | None = None) -> None: ...
    def __init__(self, runtime: Runtime, spatial_reference: SpatialReferenceLike | None = None) -> None:  # type: ignore[misc]
        given = optional_reference(spatial_reference)
        handle = _abi.ald_map()
        check(library().ald_map_create, runtime._handle, given, handle)
        super().__init__(handle, keeps=runtime)
        remember_map(handle.id, self)
        self._runtime = runtime
        self._layers = LayerList(self, "ald_map_get_layer_count", "ald_map_get_layer_at")
        self._basemap = LayerList(self, "ald_map_get_basemap_layer_count", "ald_map_get_basemap_layer_at")

    @property
    def spatial_reference(self) -> SpatialReference | None:
        """The map's spatial reference. None if none was set, and the map has not yet taken one from its layers."""
        return lent_spatial_reference(library().ald_map_get_spatial_reference, self)

    def add_layer(self, layer: Layer) -> None:
        """Adds a layer on top of the operational layers.

        :raises InvalidStateError: the layer is already in a map or a group.
        """
        with membership:
            self._layers.change(library().ald_map_add_layer, layer)

    def insert_layer(self, index: int, layer: Layer) -> None:
        """Inserts a layer into the operational layers at an index. 0 is the lowest layer.

        :raises InvalidStateError: the layer is already in a map or a group.
        :raises NotFoundError: the index is out of range.
        """
        with membership:
            self._layers.change(library().ald_map_insert_layer, layer, uint32(index, "index"))

    def add_basemap_layer(self, layer: Layer) -> None:
        """Adds a layer on top of the basemap layers, below the operational layers.

        :raises InvalidStateError: the layer is already in a map or a group.
        """
        with membership:
            self._basemap.change(library().ald_map_add_basemap_layer, layer)

    def insert_basemap_layer(self, index: int, layer: Layer) -> None:
        """Inserts a layer into the basemap layers at an index. 0 is the lowest layer.

        :raises InvalidStateError: the layer is already in a map or a group.
        :raises NotFoundError: the index is out of range.
        """
        with membership:
            self._basemap.change(library().ald_map_insert_basemap_layer, layer, uint32(index, "index"))

    def move_layer(self, layer: Layer, index: int) -> None:
        """Moves a layer to another index in its list: the operational layers or the basemap layers.

        :raises NotFoundError: the layer is not in this map, is inside a group, or the index is out of range.
        """
        check(library().ald_map_move_layer, self._handle, layer_handle(layer), uint32(index, "index"))

    def remove_layer(self, layer: Layer) -> None:
        """Removes an operational layer or a basemap layer. The map's spatial reference does not change.

        :raises NotFoundError: the layer is not in this map, or is inside a group.
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
        """The basemap layers, the lowest in drawing order first."""
        with membership:
            return self._basemap.all()

    def set_initial_location(self, latitude_deg: float, longitude_deg: float, scale: float) -> None:
        """Sets the first viewpoint of the map's views. Views that already have a viewpoint keep it.

        Args:
            latitude_deg: WGS 84, -90 to 90.
            longitude_deg: WGS 84, -360 to 360.
            scale: the denominator of the nominal scale.

        Raises:
            InvalidArgumentError: a number is not finite or out of range.
            ProjectionFailedError: the map has a spatial reference and the location cannot be projected to it.
        """
        check(library().ald_map_set_initial_location, self._handle, latitude_deg, longitude_deg, scale)

    @property
    def reference_scale(self) -> float:
        """The denominator of the scale at which symbols that scale with the map have their given size. 0 means none.

        :raises InvalidArgumentError: the number is not 0 and not within 1e-6 to 1e15.
        """
        scale = ctypes.c_double()
        check(library().ald_map_get_reference_scale, self._handle, ctypes.byref(scale))
        return scale.value

    @reference_scale.setter
    def reference_scale(self, scale: float) -> None:
        check(library().ald_map_set_reference_scale, self._handle, scale)

    @property
    def initial_viewpoint(self) -> Viewpoint | None:
        """The first viewpoint of the map's views. None: views show the map's lowest layer."""
        found = _abi.ald_viewpoint()
        try:
            check(library().ald_map_get_initial_viewpoint, self._handle, found)
        except NotFoundError:
            return None
        return viewpoint(found, self, is_lent=True)

    @initial_viewpoint.setter
    def initial_viewpoint(self, viewpoint: Viewpoint | None) -> None:
        self.set_initial_viewpoint(viewpoint)

    def set_initial_viewpoint(self, viewpoint: Viewpoint | None) -> None:
        """Sets the first viewpoint of the map's views. None: views show the map's lowest layer.

        :raises InvalidArgumentError: the viewpoint has no centre, extent or geometry, or a number is out of range.
        :raises ProjectionFailedError: the map has a spatial reference and the viewpoint cannot be projected to it.
        """
        given = None if viewpoint is None else ctypes.byref(viewpoint._c(self))
        check(library().ald_map_set_initial_viewpoint, self._handle, given)

    def _info(self) -> _abi.ald_map_info:
        info = _abi.ald_map_info()
        check(library().ald_map_get_info, self._handle, info)
        return info

    @property
    def scale_range(self) -> tuple[float, float]:
        """The denominators of the farthest and the closest scale that views may show. 0 means no limit.

        Every view obeys it in addition to its own constraints. Setting it moves views that are outside it at once.

        :raises InvalidArgumentError: a number is not 0 and not within 1e-6 to 1e15, or the closest scale is farther
            than the farthest.
        """
        info = self._info()
        return info.min_scale, info.max_scale

    @scale_range.setter
    def scale_range(self, scale_range: tuple[float, float]) -> None:
        min_scale, max_scale = scale_range
        check(library().ald_map_set_scale_range, self._handle, min_scale, max_scale)

    @property
    def max_extent(self) -> Envelope | None:
        """The box that views must not leave, as it was set, or None. See `set_max_extent`."""
        info = self._info()
        if not info.flags & MapFlags.HAS_MAX_EXTENT:
            return None
        box = info.max_extent
        return Envelope(box.x_min, box.y_min, box.x_max, box.y_max)

    @max_extent.setter
    def max_extent(self, max_extent: Box | None) -> None:
        self.set_max_extent(max_extent)

    def set_max_extent(self, max_extent: Box | None, spatial_reference: SpatialReferenceLike | None = None) -> None:
        """Sets the box that views of the map must not leave. A view that is outside the box moves into it at once.

        By default a view shows nothing outside the box. With ExtentRule.CENTER, its centre stays inside.

        Args:
            max_extent: the box; x_min > x_max if it crosses the antimeridian. None removes the limit.
            spatial_reference: the spatial reference of the box. None means the map's own. A box with a spatial
                reference can be set before the map has one.

        Raises:
            InvalidArgumentError: the box has no width or height, or a number is not finite.
            NotReadyError: spatial_reference is None and the map has no spatial reference yet.
            ProjectionFailedError: no part of the box can be projected to the map's spatial reference.
        """
        box = None if max_extent is None else ctypes.byref(c_box(max_extent))
        check(library().ald_map_set_max_extent, self._handle, box, optional_reference(spatial_reference))

    @property
    def max_extent_spatial_reference(self) -> SpatialReference | None:
        """The spatial reference of `max_extent`, if one was set. None means the map's own."""
        handle = self._info().max_extent_spatial_reference
        if not handle.id:
            return None
        return SpatialReference._of(_abi.ald_spatial_reference(handle.id), keeps=self, is_lent=True)

    @property
    def max_extent_holds(self) -> bool:
        """Whether the maximum extent limits views: it is set, and the map's spatial reference can show it."""
        return bool(self._info().flags & MapFlags.MAX_EXTENT_LIMITS)

    def full_extent(self, spatial_reference: SpatialReferenceLike | None = None) -> Envelope | None:
        """The box around the data of all layers, whether they are shown or not. None if there is no data.

        Layers that are not loaded or have no position on the map are left out unless there is no other layer. A box
        that crosses the antimeridian continues beyond it, to an x_max above half a world.

        Args:
            spatial_reference: the spatial reference of the box. None means the map's own.

        Raises:
            NotReadyError: spatial_reference is None and the map has none, or no layer is loaded and has a known box.
            ProjectionFailedError: no part of the layers can be projected to the spatial reference.
        """
        extent = _abi.ald_envelope()
        given = optional_reference(spatial_reference)
        try:
            check(library().ald_map_get_full_extent, self._handle, given, ctypes.byref(extent))
        except NotFoundError:
            return None
        return Envelope(extent.x_min, extent.y_min, extent.x_max, extent.y_max)

    def add_bookmark(self, name: str, viewpoint: Viewpoint) -> None:
        """Adds a bookmark: a viewpoint with a name.

        :raises InvalidArgumentError: the name is empty, or a number is out of range.
        :raises InvalidStateError: the map already has a bookmark with that name.
        """
        check(library().ald_map_add_bookmark, self._handle, encoded(name), viewpoint._c(self))

    def remove_bookmark(self, name: str) -> None:
        """Removes a bookmark.

        :raises NotFoundError: there is no bookmark with that name.
        """
        check(library().ald_map_remove_bookmark, self._handle, encoded(name))

    def bookmark(self, name: str) -> Viewpoint:
        """The viewpoint of a bookmark.

        :raises NotFoundError: there is no bookmark with that name.
        """
        found = _abi.ald_viewpoint()
        check(library().ald_map_find_bookmark, self._handle, encoded(name), found)
        return viewpoint(found, self, is_lent=True)

    @property
    def bookmark_names(self) -> tuple[str, ...]:
        """The names of the bookmarks, in the order in which they were added."""
        count = ctypes.c_uint32()
        check(library().ald_map_get_bookmark_count, self._handle, ctypes.byref(count))
        return tuple(
            copied(library().ald_map_get_bookmark_name_at, self._handle, index) for index in range(count.value)
        )

    def _facts(self) -> str:
        return f"with {len(self._layers.layers) + len(self._basemap.layers)} layers, {label(self.spatial_reference)}"

    def _repr_html_(self) -> str:
        layers = (*self.layers[::-1], *self.basemap_layers[::-1])
        return layer_table(repr(self)[1:-1], layers)

"""What all layers have: visibility, opacity, a scale range, texts, properties of the program, an extent."""

from __future__ import annotations

import ctypes
import os
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Sequence

from .. import _abi
from .._abi import LayerFlags, LayerKind, LoadStatus
from .._base.errors import NotFoundError, check
from .._base.handle import Handle
from .._base.host_texts import HostTexts
from .._base.known_layers import known_layer, known_map, remember_layer
from .._base.pictures import table
from .._coordinates.envelope import Envelope
from .._coordinates.spatial_reference import SpatialReferenceLike, optional_reference
from .._library import library
from .layer_loading import LoadableLayer
from .popup import PopupDefinition, c_definition

if TYPE_CHECKING:
    from .layer_view_state import LayerViewState, ViewLayers
    from .map import Map


@dataclass(frozen=True)
class LayerInfo:
    """The properties of a layer at one moment."""

    kind: LayerKind
    # Whether the layer itself is visible, and whether the layer and all groups above it are.
    is_visible: bool
    is_shown: bool
    # Whether the layer is in a map's basemap, directly or inside a group.
    is_in_basemap: bool
    # The number of groups above the layer.
    depth: int
    opacity: float
    # The product of the opacities of the layer and of all groups above it.
    effective_opacity: float
    # The denominators of the farthest and the closest scale at which the layer is shown. 0 means no limit.
    min_scale: float
    max_scale: float
    # The range in which the layer and all groups above it are shown. If the ranges do not overlap, effective_max_scale
    # is above effective_min_scale.
    effective_min_scale: float
    effective_max_scale: float
    load_status: LoadStatus
    # Increases when a property of the layer changes, or when the layer or a group above it moves.
    generation: int


class Layer(LoadableLayer, HostTexts):
    """The base class of all layers."""

    _release_function = "ald_layer_release"
    _texts_of = "ald_layer"

    def __init__(self, handle: _abi.ald_layer, keeps: Handle) -> None:
        super().__init__(handle, keeps=keeps)
        remember_layer(handle.id, self)

    def _facts(self) -> str:
        path = "" if self._path is None else f" of {os.fsdecode(self._path)!r}"
        return f"{self.name!r}{path}, {self.load_status.name.lower()}"

    @property
    def info(self) -> LayerInfo:
        """The current properties of the layer."""
        info = self._info()
        return LayerInfo(
            kind=LayerKind(info.kind),
            is_visible=bool(info.flags & LayerFlags.VISIBLE),
            is_shown=bool(info.flags & LayerFlags.SHOWN),
            is_in_basemap=bool(info.flags & LayerFlags.IN_BASEMAP),
            depth=info.depth,
            opacity=info.opacity,
            effective_opacity=info.effective_opacity,
            min_scale=info.min_scale,
            max_scale=info.max_scale,
            effective_min_scale=info.effective_min_scale,
            effective_max_scale=info.effective_max_scale,
            load_status=LoadStatus(info.load_status),
            generation=info.generation,
        )

    def _info(self) -> _abi.ald_layer_info:
        info = _abi.ald_layer_info()
        check(library().ald_layer_get_info, self._handle, info)
        return info

    @property
    def group(self) -> Layer | None:
        """The group that holds the layer, or None."""
        return known_layer(self._info().group.id)

    @property
    def map(self) -> Map | None:
        """The map that contains the layer, also inside a group. None without a map, or if Python has deleted it."""
        return known_map(self._info().map.id)

    def view_state(self, view: ViewLayers) -> LayerViewState:
        """The current state of the layer in a view: active, hidden, out of scale or loading, and why."""
        return view.layer_state(self)

    @property
    def visible(self) -> bool:
        """Whether the layer is visible. Hidden layers, and layers in hidden groups, are not drawn or identified."""
        visible = ctypes.c_uint32()
        check(library().ald_layer_is_visible, self._handle, ctypes.byref(visible))
        return bool(visible.value)

    @visible.setter
    def visible(self, visible: bool) -> None:
        check(library().ald_layer_set_visible, self._handle, int(bool(visible)))

    @property
    def opacity(self) -> float:
        """The opacity, from 0 (transparent) to 1. The opacity of a group is a factor for all layers in it.

        :raises InvalidArgumentError: the number is out of range.
        """
        return float(self._info().opacity)

    @opacity.setter
    def opacity(self, opacity: float) -> None:
        check(library().ald_layer_set_opacity, self._handle, opacity)

    def set_popup_definition(self, definition: PopupDefinition | None) -> None:
        """Sets how the layer's elements read in popups. None: they have none.

        :raises InvalidArgumentError: a template, a field or a format is not valid.
        """
        check(library().ald_layer_set_popup_definition, self._handle, c_definition(definition))

    @property
    def min_scale(self) -> float:
        """The denominator of the farthest scale that shows the layer. 0 means no limit. See `set_scale_range`."""
        return float(self._info().min_scale)

    @min_scale.setter
    def min_scale(self, scale: float) -> None:
        self.set_scale_range(scale, self._info().max_scale)

    @property
    def max_scale(self) -> float:
        """The denominator of the closest scale that shows the layer. 0 means no limit. See `set_scale_range`."""
        return float(self._info().max_scale)

    @max_scale.setter
    def max_scale(self, scale: float) -> None:
        self.set_scale_range(self._info().min_scale, scale)

    def set_scale_range(self, min_scale: float, max_scale: float) -> None:
        """Sets the scale range of the layer, both ends included. It also limits the layers in a group.

        Args:
            min_scale: the denominator of the farthest scale, 1e-6 to 1e15. 0 means no limit.
            max_scale: the denominator of the closest scale, at most min_scale. 0 means no limit.

        Raises:
            InvalidArgumentError: a number is out of range, or max_scale is above min_scale.
        """
        check(library().ald_layer_set_scale_range, self._handle, min_scale, max_scale)

    def full_extent(self, spatial_reference: SpatialReferenceLike | None = None) -> Envelope | None:
        """The envelope of the layer's data, or None without data. It crosses the antimeridian if x_min > x_max.

        Args:
            spatial_reference: the spatial reference of the box. None means the layer's own; a group has none.

        Raises:
            NotReadyError: the layer is a group and spatial_reference is None, or the box of a feature layer comes from
                the index of its source and the index is not ready.
            ProjectionFailedError: no part of the layer can be projected to the spatial reference.
        """
        given = optional_reference(spatial_reference)
        extent = _abi.ald_envelope()
        try:
            check(library().ald_layer_get_full_extent, self._handle, given, ctypes.byref(extent))
        except NotFoundError:
            return None
        return Envelope(extent.x_min, extent.y_min, extent.x_max, extent.y_max)


def layer_handle(layer: Layer) -> _abi.ald_layer:
    """The handle of a layer.

    :raises TypeError: the argument is not a layer.
    """
    if not isinstance(layer, Layer):
        raise TypeError(f"expected a layer, not {type(layer).__name__}")
    handle: _abi.ald_layer = layer._handle
    return handle


def layer_table(title: str, layers: Sequence[Layer]) -> str:
    """An HTML table of layers, in the given order."""
    rows = (
        (layer.name, repr(layer)[1:-1], layer.load_status.name.lower(), "yes" if layer.visible else "", layer.opacity)
        for layer in layers
    )
    return table(title, ("Name", "Layer", "Load status", "Visible", "Opacity"), rows, len(layers))


class LayerList:
    """The layers of a map or a group, synchronised with the library, so that callers receive the same Python objects.

    The caller holds the membership lock.
    """

    def __init__(self, owner: Handle, count: str, at: str) -> None:
        self._owner = weakref.ref(owner)
        self._count, self._at = count, at
        self.layers: dict[int, Layer] = {}

    def change(self, function: Any, layer: Layer, *arguments: int) -> None:
        """Calls a function that adds a layer."""
        owner = self._owner()
        assert owner is not None
        handle = layer_handle(layer)
        check(function, owner._handle, handle, *arguments)
        self.layers[handle.id] = layer

    def forget(self, layer: Layer) -> bool:
        """Forgets a layer and returns whether it was in the list."""
        return self.layers.pop(layer._handle.id, None) is not None

    def __len__(self) -> int:
        owner = self._owner()
        assert owner is not None
        count = ctypes.c_uint32()
        check(getattr(library(), self._count), owner._handle, ctypes.byref(count))
        return count.value

    def at(self, index: int) -> Layer:
        """:raises NotFoundError: there is no layer with that index."""
        owner = self._owner()
        assert owner is not None
        handle = _abi.ald_layer()
        check(getattr(library(), self._at), owner._handle, index, handle)
        return self.layers[handle.id]

    def all(self) -> tuple[Layer, ...]:
        """All layers, the lowest in drawing order first."""
        return tuple(self.at(index) for index in range(len(self)))

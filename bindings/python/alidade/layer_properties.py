"""What all layers have: visibility, opacity, scales, texts, properties of the program's own, an extent."""

from __future__ import annotations

import ctypes
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _abi
from ._abi import LayerFlags, LayerKind, LoadStatus
from ._handle import Handle
from ._host_texts import HostTexts
from ._known_layers import known_layer, known_map, remember_layer
from ._library import library
from .errors import NotFoundError, check
from .layer_loading import LoadableLayer
from .raster_info import Envelope
from .spatial_reference import SpatialReference

if TYPE_CHECKING:
    from .map import Map
    from .layer_view_state import LayerViewState, ViewLayers


@dataclass(frozen=True)
class LayerInfo:
    """A layer as of one moment."""

    kind: LayerKind
    # By itself, and with all groups above it.
    is_visible: bool
    is_shown: bool
    # In a map's basemap, by itself or in a group.
    is_in_basemap: bool
    # How many groups hold it.
    depth: int
    opacity: float
    # The product of its opacity and that of all groups above it.
    effective_opacity: float
    # Denominators of the farthest and the closest scale at which it is shown; 0: no limit.
    min_scale: float
    max_scale: float
    # What it and all groups above it have in common; effective_max_scale is above the other if that is nothing.
    effective_min_scale: float
    effective_max_scale: float
    load_status: LoadStatus
    # Rises when anything of the layer is changed, or it or a group above it is put elsewhere.
    generation: int


class Layer(LoadableLayer, HostTexts):
    """A layer: what all kinds of them have."""

    _release_function = "ald_layer_release"
    _texts_of = "ald_layer"

    def __init__(self, handle: _abi.ald_layer, keeps: Handle) -> None:
        super().__init__(handle, keeps=keeps)
        remember_layer(handle.id, self)

    @property
    def info(self) -> LayerInfo:
        """The layer as it is now."""
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
        """The group that the layer is in."""
        return known_layer(self._info().group.id)

    @property
    def map(self) -> Map | None:
        """The map that the layer is in, by itself or in a group; None also if Python does not have it any more."""
        return known_map(self._info().map.id)

    def view_state(self, view: ViewLayers) -> LayerViewState:
        """What the layer is in a view, as of now: shown, hidden, out of scale, loading, and why."""
        return view.layer_state(self)

    @property
    def visible(self) -> bool:
        """Whether the layer is shown. A hidden one is not identified and draws nothing, nor do those in a hidden group."""
        visible = ctypes.c_uint32()
        check(library().ald_layer_visible, self._handle, ctypes.byref(visible))
        return bool(visible.value)

    @visible.setter
    def visible(self, visible: bool) -> None:
        check(library().ald_layer_set_visible, self._handle, int(bool(visible)))

    @property
    def opacity(self) -> float:
        """0, transparent, to 1. That of a group is a factor for all in it.

        :raises InvalidArgumentError: the number is out of its range.
        """
        return float(self._info().opacity)

    @opacity.setter
    def opacity(self, opacity: float) -> None:
        check(library().ald_layer_set_opacity, self._handle, opacity)

    @property
    def min_scale(self) -> float:
        """The denominator of the farthest scale at which the layer is shown; 0: no limit. See `set_scale_range`."""
        return float(self._info().min_scale)

    @min_scale.setter
    def min_scale(self, scale: float) -> None:
        self.set_scale_range(scale, self._info().max_scale)

    @property
    def max_scale(self) -> float:
        """The denominator of the closest scale at which the layer is shown; 0: no limit. See `set_scale_range`."""
        return float(self._info().max_scale)

    @max_scale.setter
    def max_scale(self, scale: float) -> None:
        self.set_scale_range(self._info().min_scale, scale)

    def set_scale_range(self, min_scale: float, max_scale: float) -> None:
        """Sets between which scales the layer is shown, both ends counted in; those in a group only if it is, too.

        Args:
            min_scale: the denominator of the farthest scale, 1e-6 to 1e15; 0: no limit.
            max_scale: that of the closest one, not above min_scale; 0: no limit.

        Raises:
            InvalidArgumentError: a number is out of its range, or max_scale is above min_scale.
        """
        check(library().ald_layer_set_scale_range, self._handle, min_scale, max_scale)

    def full_extent(self, spatial_reference: SpatialReference | None = None) -> Envelope | None:
        """The box around the layer's data; None if there are none. x_min > x_max: over the antimeridian.

        Args:
            spatial_reference: what it is wanted in; None: the layer's own, which a group has not.

        Raises:
            NotReadyError: the layer is a group and no spatial reference is given, or the box of a feature layer takes a
                reading of all features and the index of its source is not ready.
            ProjectionFailedError: nothing of the layer can be projected there.
        """
        given = _abi.ald_spatial_reference() if spatial_reference is None else spatial_reference._handle
        extent = _abi.ald_envelope()
        try:
            check(library().ald_layer_full_extent, self._handle, given, ctypes.byref(extent))
        except NotFoundError:
            return None
        return Envelope(extent.x_min, extent.y_min, extent.x_max, extent.y_max)


def layer_handle(layer: Layer) -> _abi.ald_layer:
    """The handle of what must be a layer.

    :raises TypeError: it is none.
    """
    if not isinstance(layer, Layer):
        raise TypeError(f"a layer is wanted, not {type(layer).__name__}")
    return layer._handle


class LayerList:
    """What a map or a group knows of the layers in it, in step with the library: the same Python objects come out.

    All calls come with the lock of memberships held.
    """

    def __init__(self, owner: Handle, count: str, at: str) -> None:
        self._owner = weakref.ref(owner)
        self._count, self._at = count, at
        self.layers: dict[int, Layer] = {}

    def change(self, function: Any, layer: Layer, *arguments: int) -> None:
        """Calls a function that takes a layer in."""
        owner = self._owner()
        assert owner is not None
        handle = layer_handle(layer)
        check(function, owner._handle, handle, *arguments)
        self.layers[handle.id] = layer

    def forget(self, layer: Layer) -> bool:
        """Whether the layer was in here."""
        return self.layers.pop(layer._handle.id, None) is not None

    def __len__(self) -> int:
        owner = self._owner()
        assert owner is not None
        count = ctypes.c_uint32()
        check(getattr(library(), self._count), owner._handle, ctypes.byref(count))
        return count.value

    def at(self, index: int) -> Layer:
        """:raises NotFoundError: there is no such layer."""
        owner = self._owner()
        assert owner is not None
        handle = _abi.ald_layer()
        check(getattr(library(), self._at), owner._handle, index, handle)
        return self.layers[handle.id]

    def all(self) -> tuple[Layer, ...]:
        """The lowest in drawing order first."""
        return tuple(self.at(index) for index in range(len(self)))

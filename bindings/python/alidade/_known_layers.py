"""The layers and maps that Python has, by the ids of their handles, so that a handle always gives the same object."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .layer_properties import Layer
    from .map import Map

_known: weakref.WeakValueDictionary[int, Layer] = weakref.WeakValueDictionary()
_maps: weakref.WeakValueDictionary[int, Map] = weakref.WeakValueDictionary()


def remember_layer(id: int, layer: Layer) -> None:
    """Takes note of a layer that was made."""
    _known[id] = layer


def known_layer(id: int) -> Layer | None:
    """The layer with this id; None for the null handle, or if Python no longer has the layer."""
    return _known.get(id)


def remember_map(id: int, map: Map) -> None:
    """Takes note of a map that was made."""
    _maps[id] = map


def known_map(id: int) -> Map | None:
    """The map with this id; None for the null handle, or if Python no longer has the map."""
    return _maps.get(id)

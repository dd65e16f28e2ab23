"""The layers and maps that Python has, by the ids of their handles, so that a handle always gives the same object."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .._map.layer import Layer
    from .._map.map import Map

_known: weakref.WeakValueDictionary[int, Layer] = weakref.WeakValueDictionary()
_maps: weakref.WeakValueDictionary[int, Map] = weakref.WeakValueDictionary()


# Views, rasters and transformations, of which a handle may have several objects in Python: the newest.
_objects: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


def remember_object(id: int, object: Any) -> None:
    """Takes note of an object that events may name."""
    _objects[id] = object


def known_object(id: int) -> Any:
    """The layer, map, view, raster or transformation with this id; None if Python no longer has it."""
    return _known.get(id) or _maps.get(id) or _objects.get(id)


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

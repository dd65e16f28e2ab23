"""The layers that Python has, by the ids of their handles, so that the same objects are answered."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .layer_properties import Layer

_known: weakref.WeakValueDictionary[int, Layer] = weakref.WeakValueDictionary()


def remember_layer(id: int, layer: Layer) -> None:
    """Takes note of a layer that was made."""
    _known[id] = layer


def known_layer(id: int) -> Layer | None:
    """The layer with a handle; None for the null handle, and for one that Python does not have any more."""
    return _known.get(id)

"""The data of a layer: its spatial reference, its warnings, and failed reads."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from .. import _abi
from .._abi import LayerWarningKind, LoadStatus
from .._base.errors import AlidadeError, NotFoundError, check
from .._base.loading import Loadable
from .._base.names import with_python_names
from .._base.text import copied
from .._coordinates.spatial_reference import (
    SpatialReference,
    SpatialReferenceLike,
    lent_spatial_reference,
    optional_reference,
)
from .._library import library


@dataclass(frozen=True)
class LayerWarning:
    """A warning of a layer. The layer is loaded and can be used."""

    kind: LayerWarningKind
    # What is wrong, and what helps.
    text: str


class LoadableLayer(Loadable):
    """The part of a layer that concerns its data."""

    _loads_as = "ald_layer"

    @property
    def spatial_reference(self) -> SpatialReference | None:
        """The spatial reference that was set, otherwise the spatial reference of the data. None if it is not known.

        Setting it replaces the spatial reference of the data, whether the data has one or not. None restores it.

        :raises InvalidArgumentError: the layer is a group.
        """
        return lent_spatial_reference(library().ald_layer_get_spatial_reference, self)

    @spatial_reference.setter
    def spatial_reference(self, spatial_reference: SpatialReferenceLike | None) -> None:
        given = optional_reference(spatial_reference)
        check(library().ald_layer_set_spatial_reference, self._handle, given)

    @property
    def warnings(self) -> tuple[LayerWarning, ...]:
        """The warnings of the layer, at most one of each kind."""
        found: list[LayerWarning] = []
        kind = ctypes.c_int32()
        try:
            while True:
                text = copied(_warning_at, self._handle, len(found), kind)
                found.append(LayerWarning(LayerWarningKind(kind.value), with_python_names(text)))
        except NotFoundError:
            return tuple(found)

    @property
    def trouble(self) -> AlidadeError | None:
        """Why the last read of the loaded layer failed, or None if it succeeded. `retry_load` opens the file again."""
        info = self.load_info
        return info.error if info.status is LoadStatus.LOADED else None


def _warning_at(layer: _abi.ald_layer, index: int, kind: ctypes.c_int32, *arguments: Any) -> int:
    return int(library().ald_layer_get_warning_at(layer, index, ctypes.byref(kind), *arguments))

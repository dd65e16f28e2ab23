"""Group layers: layers of layers."""

from __future__ import annotations

from collections.abc import Iterator

from . import _abi
from ._library import library
from ._membership import membership
from ._numbers import uint32
from .errors import check
from .layer_properties import Layer, LayerList
from .runtime import Runtime


class GroupLayer(Layer):
    """A layer of layers, as a sequence: the lowest in drawing order first. Groups may be in groups, 64 deep.

    What it says of visibility, opacity and scales counts for all in it.
    """

    def __init__(self, runtime: Runtime) -> None:
        handle = _abi.ald_layer()
        check(library().ald_group_layer_create, runtime._handle, handle)
        super().__init__(handle, keeps=runtime)
        self._list = LayerList(self, "ald_group_layer_count", "ald_group_layer_at")

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers in the group, the lowest in drawing order first."""
        with membership:
            return self._list.all()

    def append(self, layer: Layer) -> None:
        """Puts a layer on top of the others.

        :raises InvalidArgumentError: a group would be inside itself.
        :raises InvalidStateError: the layer is in a map or a group already.
        :raises LimitExceededError: more than 64 groups would be inside each other.
        """
        with membership:
            self._list.change(library().ald_group_layer_add, layer)

    def insert(self, index: int, layer: Layer) -> None:
        """Puts a layer at a place among the others, from 0, the lowest.

        :raises InvalidArgumentError: a group would be inside itself.
        :raises InvalidStateError: the layer is in a map or a group already.
        :raises NotFoundError: there is no such place.
        :raises LimitExceededError: more than 64 groups would be inside each other.
        """
        with membership:
            self._list.change(library().ald_group_layer_insert, layer, uint32(index, "index"))

    def move(self, layer: Layer, index: int) -> None:
        """Moves a layer to another place among the others.

        :raises NotFoundError: the layer is not in this group, or there is no such place.
        """
        check(library().ald_group_layer_move, self._handle, layer._handle, uint32(index, "index"))

    def remove(self, layer: Layer) -> None:
        """Takes a layer out.

        :raises NotFoundError: the layer is not in this group.
        """
        with membership:
            check(library().ald_group_layer_remove, self._handle, layer._handle)
            self._list.forget(layer)

    def __len__(self) -> int:
        return len(self.layers)

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, index: int) -> Layer:
        return self.layers[index]

    def __iter__(self) -> Iterator[Layer]:
        return iter(self.layers)

    def __contains__(self, layer: object) -> bool:
        return layer in self.layers

    def __repr__(self) -> str:
        return self._repr(f"with {len(self._list.layers)} layers")

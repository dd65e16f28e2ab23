"""Group layers: layers that hold other layers."""

from __future__ import annotations

import operator
from typing import Iterator, Sequence, overload

from .. import _abi
from .._base.errors import NotFoundError, check
from .._base.membership import membership
from .._base.numbers import uint32
from .._base.runtime import Runtime
from .._library import library
from .layer import Layer, LayerList, layer_handle, layer_table


class GroupLayer(Layer, Sequence[Layer]):
    """A layer that holds other layers, as a sequence: the lowest in drawing order first. Groups nest up to 64 deep.

    Its visibility, opacity and scale range apply to all layers in it.
    """

    @overload
    def __init__(self, runtime: Runtime | None) -> None: ...
    @overload
    def __init__(self) -> None: ...
    def __init__(self, runtime: Runtime) -> None:  # type: ignore[misc]
        handle = _abi.ald_layer()
        check(library().ald_group_layer_create, runtime._handle, handle)
        super().__init__(handle, keeps=runtime)
        self._list = LayerList(self, "ald_group_layer_get_layer_count", "ald_group_layer_get_layer_at")

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers in the group, the lowest in drawing order first."""
        with membership:
            return self._list.all()

    def append(self, layer: Layer) -> None:
        """Adds a layer on top of the others.

        :raises InvalidArgumentError: a group would contain itself.
        :raises InvalidStateError: the layer is already in a map or a group.
        :raises LimitExceededError: groups would nest more than 64 deep.
        """
        with membership:
            self._list.change(library().ald_group_layer_add_layer, layer)

    def insert(self, index: int, layer: Layer) -> None:
        """Inserts a layer at an index. 0 is the lowest layer.

        :raises InvalidArgumentError: a group would contain itself.
        :raises InvalidStateError: the layer is already in a map or a group.
        :raises NotFoundError: the index is out of range.
        :raises LimitExceededError: groups would nest more than 64 deep.
        """
        with membership:
            self._list.change(library().ald_group_layer_insert_layer, layer, uint32(index, "index"))

    def move(self, layer: Layer, index: int) -> None:
        """Moves a layer to another index.

        :raises NotFoundError: the layer is not in this group, or the index is out of range.
        """
        check(library().ald_group_layer_move_layer, self._handle, layer_handle(layer), uint32(index, "index"))

    def remove(self, layer: Layer) -> None:
        """Removes a layer.

        :raises NotFoundError: the layer is not in this group.
        """
        with membership:
            check(library().ald_group_layer_remove_layer, self._handle, layer_handle(layer))
            self._list.forget(layer)

    def __len__(self) -> int:
        return len(self._list)

    def __bool__(self) -> bool:
        return True

    @overload
    def __getitem__(self, index: int) -> Layer: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Layer, ...]: ...

    def __getitem__(self, index: int | slice) -> Layer | tuple[Layer, ...]:
        if isinstance(index, slice):
            return self.layers[index]
        place = operator.index(index)
        with membership:
            if place < 0:
                place += len(self._list)
            try:
                return self._list.at(uint32(place, "index"))
            except (NotFoundError, ValueError):
                raise IndexError(f"the group has no layer with the index {index}") from None

    def __iter__(self) -> Iterator[Layer]:
        return iter(self.layers)

    def __contains__(self, layer: object) -> bool:
        with membership:
            return isinstance(layer, Layer) and layer._handle.id in self._list.layers

    def _facts(self) -> str:
        return f"with {len(self._list.layers)} layers"

    def _repr_html_(self) -> str:
        return layer_table(repr(self)[1:-1], self.layers[::-1])

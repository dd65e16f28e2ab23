"""What a layer is in a view: shown, hidden, out of scale, loading, in error or with a warning, and why."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

from . import _abi
from ._abi import LayerViewFlags, Status
from ._handle import Handle
from ._known_layers import known_layer
from ._library import library
from ._numbers import uint32
from ._text import copied
from .errors import AlidadeError, check, exception_of
from .layer_properties import Layer, layer_handle


@dataclass(frozen=True)
class LayerViewState:
    """The state of a layer in a view, as of one moment."""

    flags: LayerViewFlags
    # What they were before the last change.
    previous_flags: LayerViewFlags
    # How often they have changed since the layer came into the view's map.
    change_count: int
    # When they changed last, as time.monotonic_ns(), and how long ago that was; None: never.
    changed_at_ns: int | None
    since_s: float | None
    # Which layer is hidden, and which is out of its range: this one, else the nearest group above it that is.
    hidden_by: Layer | None
    out_of_scale_by: Layer | None
    # By which the view's scale would have to be multiplied to come to the end of that range; 1 inside.
    scale_factor: float
    # Why there is the flag ERROR or WARNING.
    error: AlidadeError | None

    @property
    def is_active(self) -> bool:
        """Whether the layer is loaded and shown."""
        return LayerViewFlags.ACTIVE in self.flags

    @property
    def text(self) -> str:
        """The flags as a person would read them."""
        return layer_view_state_text(self.flags)


@dataclass(frozen=True)
class LayerViewTransition:
    """A change of a layer's state."""

    flags: LayerViewFlags
    previous_flags: LayerViewFlags
    # Of the error or the warning that the layer had from then on.
    status: Status
    # As time.monotonic_ns().
    time_ns: int


def layer_view_state_text(flags: LayerViewFlags | int) -> str:
    """Flags as a person would read them, such as "active, with a warning".

    :raises InvalidArgumentError: a bit means nothing.
    :raises ValueError: the number is not within 0 to 2**32 - 1.
    """
    return copied(library().ald_layer_view_state_text, uint32(flags, "flags"))


class ViewLayers(Handle):
    """What a view can tell of its map's layers."""

    def layer_state(self, layer: Layer) -> LayerViewState:
        """The state of a layer in this view, as of now; without flags if it is not in the view's map."""
        state = _abi.ald_layer_view_state()
        check(library().ald_view_get_layer_state, self._handle, layer_handle(layer), state)
        return LayerViewState(
            flags=LayerViewFlags(state.flags),
            previous_flags=LayerViewFlags(state.previous_flags),
            change_count=state.change_count,
            changed_at_ns=state.changed_at_ns or None,
            since_s=state.since_s if state.changed_at_ns else None,
            hidden_by=known_layer(state.hidden_by.id),
            out_of_scale_by=known_layer(state.out_of_scale_by.id),
            scale_factor=state.scale_factor,
            error=exception_of(state.error) if state.error.message else None,
        )

    def layer_states(self, layers: Sequence[Layer]) -> list[LayerViewFlags]:
        """The flags of many layers in this view."""
        count = len(layers)
        handles = (_abi.ald_layer * count)(*(layer_handle(layer) for layer in layers))
        flags = (ctypes.c_uint32 * count)()
        check(library().ald_view_layer_states, self._handle, handles, count, flags)
        return [LayerViewFlags(value) for value in flags]

    def layer_state_history(self, layer: Layer) -> list[LayerViewTransition]:
        """The last changes of a layer's state in this view, at most 16, the oldest first."""
        transitions = (_abi.ald_layer_view_transition * 16)()
        count = ctypes.c_size_t()
        function = library().ald_view_layer_state_history
        check(function, self._handle, layer_handle(layer), transitions, len(transitions), ctypes.byref(count))
        return [
            LayerViewTransition(
                LayerViewFlags(transition.flags),
                LayerViewFlags(transition.previous_flags),
                Status(transition.status),
                transition.time_ns,
            )
            for transition in transitions[: count.value]
        ]

    @property
    def attribution(self) -> str:
        """Whom the data is from that the view shows: of its active layers, the lowest first."""
        return copied(library().ald_view_attribution, self._handle)

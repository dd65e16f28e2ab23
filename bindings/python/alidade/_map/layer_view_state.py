"""Layer view states: whether a view shows a layer, and why not."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

from .. import _abi
from .._abi import LayerViewFlags, Status
from .._base.errors import AlidadeError, check, exception_of
from .._base.handle import Handle
from .._base.known_layers import known_layer
from .._base.numbers import uint32
from .._base.text import copied
from .._library import library
from .layer import Layer, layer_handle


@dataclass(frozen=True)
class LayerViewState:
    """The state of a layer in a view at one moment."""

    flags: LayerViewFlags
    # The flags before the last change.
    previous_flags: LayerViewFlags
    # The number of changes of the flags since the layer came into the view's map.
    change_count: int
    # The time of the last change, as time.monotonic_ns(), and the seconds since then. None means never.
    changed_at_ns: int | None
    since_s: float | None
    # The layer that is hidden, and the layer that is out of its range: this layer, or the nearest such group above it.
    hidden_by: Layer | None
    out_of_scale_by: Layer | None
    # The factor that would bring the view's scale to the nearest end of the range. 1 inside the range.
    scale_factor: float
    # The cause of the flag ERROR or WARNING.
    error: AlidadeError | None

    @property
    def is_active(self) -> bool:
        """Whether the layer is loaded and shown."""
        return LayerViewFlags.ACTIVE in self.flags

    @property
    def text(self) -> str:
        """The flags as text for a person."""
        return layer_view_state_text(self.flags)


@dataclass(frozen=True)
class LayerViewTransition:
    """A change of a layer's state."""

    flags: LayerViewFlags
    previous_flags: LayerViewFlags
    # The status of the error or warning after the change.
    status: Status
    # The time of the change, as time.monotonic_ns().
    time_ns: int


@dataclass(frozen=True)
class FetchProgress:
    """How much of a server's layer has arrived for a view."""

    # The number of parts that the view shows: tiles of a raster layer; 1 for a feature layer; 0 for a layer of files.
    wanted_count: int
    # The number of these parts that have arrived.
    there_count: int
    # The number of parts that the server did not return when they were last requested.
    failed_count: int


def layer_view_state_text(flags: LayerViewFlags | int) -> str:
    """Returns flags as text for a person, such as "active, with a warning".

    :raises InvalidArgumentError: a bit is unknown.
    :raises ValueError: the number is not within 0 to 2**32 - 1.
    """
    return copied(library().ald_layer_view_flags_get_text, uint32(flags, "flags"))


class ViewLayers(Handle):
    """The part of a view that reports the states of its map's layers."""

    def layer_state(self, layer: Layer) -> LayerViewState:
        """The current state of a layer in this view. A layer that is not in the view's map has no flags."""
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

    def fetch_progress(self, layer: Layer) -> FetchProgress:
        """How much of a server's layer has arrived for this view, of the parts that its last drawing needed.

        :raises InvalidArgumentError: the layer is not in the view's map.
        """
        progress = _abi.ald_fetch_progress()
        check(library().ald_view_get_fetch_progress, self._handle, layer_handle(layer), progress)
        return FetchProgress(progress.wanted_count, progress.there_count, progress.failed_count)

    def layer_states(self, layers: Sequence[Layer]) -> list[LayerViewFlags]:
        """The flags of many layers in this view."""
        count = len(layers)
        handles = (_abi.ald_layer * count)(*(layer_handle(layer) for layer in layers))
        flags = (ctypes.c_uint32 * count)()
        check(library().ald_view_get_layer_states, self._handle, handles, count, flags)
        return [LayerViewFlags(value) for value in flags]

    def layer_state_history(self, layer: Layer) -> list[LayerViewTransition]:
        """The last changes of a layer's state in this view, at most 16, the oldest first."""
        transitions = (_abi.ald_layer_view_transition * 16)()
        count = ctypes.c_size_t()
        function = library().ald_view_get_layer_state_history
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
        """The attribution of the data that the view shows: of its active layers, the lowest first."""
        return copied(library().ald_view_get_attribution, self._handle)

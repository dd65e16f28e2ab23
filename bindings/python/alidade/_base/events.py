"""Events, by which a runtime reports what has happened, and the lines of its log."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

from .. import _abi
from .._abi import (
    ErrorDomain,
    EventKind,
    GestureKind,
    GesturePhase,
    LayerViewFlags,
    LoadStatus,
    LogLevel,
    NavigationCause,
    RequestState,
    Status,
)
from .._library import library
from .errors import AlidadeError, check
from .known_layers import known_layer, known_object
from .names import with_python_names
from .request import Request, find
from .text import decoded

if TYPE_CHECKING:
    from .._coordinates.transformation import Transformation
    from .._map.layer import Layer
    from .._map.navigation import Navigation
    from .._map.view import View
    from .loading import Loadable


@dataclass(frozen=True)
class RequestFinished:
    """A request without an `on_done` function has ended."""

    # The object that the program got when it started the request.
    request: Request[Any]
    state: RequestState
    # Status.OK, Status.CANCELLED, or why it failed.
    status: Status
    # A number that increases with each event of a runtime.
    sequence: int
    # When it happened, on the clock of time.monotonic_ns().
    time_ns: int


@dataclass(frozen=True)
class LogEvent:
    """A line was added to the log. `Runtime.log` reads it."""

    level: LogLevel
    # The library that wrote the line, and its code; 0 without a code.
    domain: ErrorDomain
    domain_code: int
    # The number of the line.
    number: int
    # How many lines before this one were overwritten before their events were read.
    dropped: int
    sequence: int
    time_ns: int


@dataclass(frozen=True)
class TransformationChanged:
    """A transformation became usable or stopped being usable, because the grid directories changed."""

    # The id of the object: see `concerns`.
    handle_id: int
    is_usable: bool
    # A number that increases with each event.
    sequence: int
    # When it happened, on the clock of time.monotonic_ns().
    time_ns: int

    @property
    def transformation(self) -> Transformation | None:
        """The transformation; None if the program no longer has it."""
        return known_object(self.handle_id)  # type: ignore[no-any-return]

    def concerns(self, transformation: Transformation) -> bool:
        """Whether the event is about this object."""
        return bool(transformation._handle.id == self.handle_id)


@dataclass(frozen=True)
class LoadStatusChanged:
    """A layer, a map or a raster begins to load, has been loaded, or has failed to load.

    At most one such event waits for each object.
    """

    # The id of the object: see `object` and `concerns`.
    handle_id: int
    # The newest status.
    load_status: LoadStatus
    # Why loading failed. Otherwise Status.OK.
    status: Status
    # A number that increases with each event.
    sequence: int
    # When it happened, on the clock of time.monotonic_ns().
    time_ns: int

    @property
    def object(self) -> Loadable | None:
        """The layer, map or raster; None if the program no longer has it."""
        return known_object(self.handle_id)  # type: ignore[no-any-return]

    @property
    def layer(self) -> Layer | None:
        """The layer; None if the event is about a map or a raster, or the program no longer has the layer."""
        return known_layer(self.handle_id)

    def concerns(self, loadable: Loadable) -> bool:
        """Whether the event is about this object."""
        return bool(loadable._handle.id == self.handle_id)


@dataclass(frozen=True)
class ViewEvent:
    """An event of a view."""

    # The id of the view: see `concerns`.
    handle_id: int
    # A number that increases with each event.
    sequence: int
    # When it happened, on the clock of time.monotonic_ns().
    time_ns: int

    @property
    def view(self) -> View | None:
        """The view; None if the program no longer has it."""
        return known_object(self.handle_id)  # type: ignore[no-any-return]

    def concerns(self, view: Navigation) -> bool:
        """Whether the event is about this view."""
        return bool(view._handle.id == self.handle_id)


@dataclass(frozen=True)
class ViewpointChanged(ViewEvent):
    """The state of a view has changed. At most one such event waits for each view."""


@dataclass(frozen=True)
class ViewReady(ViewEvent):
    """The view has become ready to be read. The event comes once for each view."""


@dataclass(frozen=True)
class LayerViewStateChanged(ViewEvent):
    """The state of a layer in a view has changed. At most one such event waits for each layer and view."""

    # The id of the layer: see `concerns_layer`.
    layer_id: int
    flags: LayerViewFlags
    # The state in the previous event.
    previous_flags: LayerViewFlags
    # How many earlier events of layers that have left their maps were lost, because more than 4096 waited.
    dropped: int

    @property
    def layer(self) -> Layer | None:
        """The layer; None if the program no longer has it."""
        return known_layer(self.layer_id)

    def concerns_layer(self, layer: Layer) -> bool:
        """Whether the event is about this layer."""
        return bool(layer._handle.id == self.layer_id)


@dataclass(frozen=True)
class NavigationEvent(ViewEvent):
    """A movement of a view."""

    cause: NavigationCause
    # GestureKind.NONE unless a gesture is the cause.
    gesture: GestureKind
    # How many earlier events of views were overwritten, because more than 4096 waited.
    dropped: int


@dataclass(frozen=True)
class NavigationBegan(NavigationEvent):
    """A view begins to move."""


@dataclass(frozen=True)
class NavigationEnded(NavigationEvent):
    """A view has come to rest."""

    # Whether something else moved the view, or the program ended the movement.
    is_interrupted: bool
    # The user_data of the animation.
    user_data: int


@dataclass(frozen=True)
class DidEndPanning(NavigationEvent):
    """The centre of a view has moved and its scale has not changed. For animations the cause is CALL."""


@dataclass(frozen=True)
class DidEndZooming(NavigationEvent):
    """The scale of a view has changed. For animations the cause is CALL."""


@dataclass(frozen=True)
class DidEndRotating(NavigationEvent):
    """The rotation of a view has changed. For animations the cause is CALL."""


@dataclass(frozen=True)
class GestureEvent(NavigationEvent):
    """A tap or a long press, to which the program may react."""

    phase: GesturePhase
    screen_point: tuple[float, float]
    # The map point under screen_dip at that moment, in the map's spatial reference.
    map_point: tuple[float, float]


Event = Union[RequestFinished, LogEvent, TransformationChanged, LoadStatusChanged, ViewEvent]

_NAVIGATION_EVENTS = {
    EventKind.NAVIGATION_BEGAN: NavigationBegan,
    EventKind.DID_END_PANNING: DidEndPanning,
    EventKind.DID_END_ZOOMING: DidEndZooming,
    EventKind.DID_END_ROTATING: DidEndRotating,
}


@dataclass(frozen=True)
class LogLine:
    """A line of a runtime's log."""

    level: LogLevel
    domain: ErrorDomain
    # The code of GDAL or PROJ; 0 without a code.
    domain_code: int
    # Counts from 1.
    number: int
    # When it was written: as time.monotonic_ns().
    time_ns: int
    text: str


@dataclass(frozen=True)
class PumpReport:
    """The result of `Runtime.pump`."""

    # How many on_done functions were called, and how many still wait.
    completion_count: int
    waiting_completion_count: int
    # How many events wait for `Runtime.events`.
    waiting_event_count: int


def take_events(runtime: ctypes.Structure) -> list[Event]:
    """All events that wait."""
    count = ctypes.c_size_t()
    function = library().ald_runtime_poll_events
    check(function, runtime, None, 0, ctypes.byref(count))
    if count.value == 0:
        return []
    taken = (_abi.ald_event * count.value)()
    check(function, runtime, taken, len(taken), ctypes.byref(count))
    return [event for event in map(_event, taken[: count.value]) if event is not None]


def _event(event: _abi.ald_event) -> Event | None:
    if event.kind == EventKind.REQUEST_FINISHED:
        request = find(event.user_data)
        # The last reference may have gone since the event was sent. Then the program does not need the event.
        if request is None:
            return None
        return RequestFinished(
            request, RequestState(event.request_state), Status(event.status), event.sequence, event.time_ns
        )
    if event.kind == EventKind.TRANSFORMATION_CHANGED:
        return TransformationChanged(event.transformation.id, bool(event.is_usable), event.sequence, event.time_ns)
    if event.kind == EventKind.LOAD_STATUS_CHANGED:
        handle_id = event.layer.id or event.map.id or event.raster.id
        status = LoadStatus(event.load_status)
        return LoadStatusChanged(handle_id, status, Status(event.status), event.sequence, event.time_ns)
    if event.kind == EventKind.VIEWPOINT_CHANGED:
        return ViewpointChanged(event.view.id, event.sequence, event.time_ns)
    if event.kind == EventKind.VIEW_READY:
        return ViewReady(event.view.id, event.sequence, event.time_ns)
    if event.kind == EventKind.LAYER_VIEW_STATE_CHANGED:
        return LayerViewStateChanged(
            event.view.id,
            event.sequence,
            event.time_ns,
            event.layer.id,
            LayerViewFlags(event.layer_view_state),
            LayerViewFlags(event.previous_layer_view_state),
            event.dropped,
        )
    if event.kind != EventKind.LOG:
        return _navigation_event(event)
    return LogEvent(
        LogLevel(event.log_level),
        ErrorDomain(event.domain),
        event.domain_code,
        event.log_number,
        event.dropped,
        event.sequence,
        event.time_ns,
    )


def _navigation_event(event: _abi.ald_event) -> NavigationEvent:
    cause, gesture = NavigationCause(event.cause), GestureKind(event.gesture)
    common = (event.view.id, event.sequence, event.time_ns, cause, gesture, event.dropped)
    if event.kind == EventKind.NAVIGATION_ENDED:
        return NavigationEnded(*common, event.status == Status.CANCELLED, event.user_data or 0)
    if event.kind == EventKind.GESTURE:
        screen, place = event.screen_point, event.map_point
        return GestureEvent(*common, GesturePhase(event.gesture_phase), (screen.x, screen.y), (place.x, place.y))
    return _NAVIGATION_EVENTS[EventKind(event.kind)](*common)


def read_log(runtime: ctypes.Structure, number: int) -> list[LogLine]:
    """The kept lines whose number is `number` or higher."""
    lines: list[LogLine] = []
    line, size = _abi.ald_log_line(), ctypes.c_size_t()
    buffer = ctypes.create_string_buffer(1024)
    while number < 2**64:
        try:
            check(library().ald_runtime_get_log_line, runtime, number, line, buffer, len(buffer), ctypes.byref(size))
        except AlidadeError as error:
            if error.status is Status.NOT_FOUND:
                break
            if error.status is not Status.BUFFER_TOO_SMALL:
                raise
            buffer = ctypes.create_string_buffer(size.value)
            continue
        lines.append(
            LogLine(
                LogLevel(line.level),
                ErrorDomain(line.domain),
                line.domain_code,
                line.number,
                line.time_ns,
                with_python_names(decoded(buffer.value)),
            )
        )
        number = line.number + 1
    return lines

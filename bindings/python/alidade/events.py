"""What a runtime tells of by itself: events, and the lines of its log."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

from . import _abi
from ._abi import (
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
from ._known_layers import known_layer
from ._library import library
from ._text import decoded
from .errors import AlidadeError, check
from .request import Request, find


if TYPE_CHECKING:
    from .layer_properties import Layer
    from .loading import Loadable
    from .navigation import Navigation
    from .transformation import Transformation


@dataclass(frozen=True)
class RequestFinished:
    """A request without an `on_done` function has ended."""

    # The request, as it was when it was begun.
    request: Request[Any]
    state: RequestState
    # Status.OK, Status.CANCELLED, or why it failed.
    status: Status
    # Rises from event to event of a runtime.
    sequence: int
    # When it happened: as time.monotonic_ns().
    time_ns: int


@dataclass(frozen=True)
class LogEvent:
    """A line was added to the log; `Runtime.log` reads it."""

    level: LogLevel
    # Who speaks, and with which code; 0 if there is none.
    domain: ErrorDomain
    domain_code: int
    # The line's number.
    number: int
    # How many lines before this one were overwritten without an event.
    dropped: int
    sequence: int
    time_ns: int


@dataclass(frozen=True)
class TransformationChanged:
    """A transformation became usable, or was lost: the grid directories changed."""

    # Which one: see `concerns`.
    handle_id: int
    is_usable: bool
    # Rises from event to event.
    sequence: int
    # When it happened: as time.monotonic_ns().
    time_ns: int

    def concerns(self, transformation: Transformation) -> bool:
        """Whether it is about this very object."""
        return transformation._handle.id == self.handle_id


@dataclass(frozen=True)
class LoadStatusChanged:
    """A layer, a map or a raster begins to load, has been loaded, or has failed. Waits once at most for each."""

    # Which one: see `concerns`.
    handle_id: int
    # The newest.
    load_status: LoadStatus
    # Why it failed; else Status.OK.
    status: Status
    # Rises from event to event.
    sequence: int
    # When it happened: as time.monotonic_ns().
    time_ns: int

    def concerns(self, loadable: Loadable) -> bool:
        """Whether it is about this very object."""
        return bool(loadable._handle.id == self.handle_id)


@dataclass(frozen=True)
class ViewEvent:
    """Something that a view has done."""

    # Which one: see `concerns`.
    handle_id: int
    # Rises from event to event.
    sequence: int
    # When it happened: as time.monotonic_ns().
    time_ns: int

    def concerns(self, view: Navigation) -> bool:
        """Whether it is about this very view."""
        return bool(view._handle.id == self.handle_id)


@dataclass(frozen=True)
class ViewpointChanged(ViewEvent):
    """What `View.state` answers has changed. Waits once at most for each view."""


@dataclass(frozen=True)
class ViewReady(ViewEvent):
    """The view can be read from now on. Comes once for each view."""


@dataclass(frozen=True)
class LayerViewStateChanged(ViewEvent):
    """A layer is in another state in a view. Waits once at most for each layer and view."""

    # Which layer: see `concerns_layer`.
    layer_id: int
    flags: LayerViewFlags
    # What was told last.
    previous_flags: LayerViewFlags
    # How many events of layers that have left their maps were given up before this one, because more than 4096 waited.
    dropped: int

    @property
    def layer(self) -> Layer | None:
        """The layer; None if Python does not have it any more."""
        return known_layer(self.layer_id)

    def concerns_layer(self, layer: Layer) -> bool:
        """Whether it is about this very layer."""
        return bool(layer._handle.id == self.layer_id)


@dataclass(frozen=True)
class NavigationEvent(ViewEvent):
    """A movement of a view."""

    cause: NavigationCause
    # GestureKind.NONE unless a gesture is the cause.
    gesture: GestureKind
    # How many events of views before this one were overwritten, because more than 4096 waited.
    dropped: int


@dataclass(frozen=True)
class NavigationBegan(NavigationEvent):
    """A view begins to move."""


@dataclass(frozen=True)
class NavigationEnded(NavigationEvent):
    """A view has come to rest."""

    # Something else moved the view, or the host ended it.
    is_interrupted: bool
    # Of the animation.
    user_data: int


@dataclass(frozen=True)
class DidEndPanning(NavigationEvent):
    """The centre has moved and the scale has not. For animations the cause is CALL, as of the two that follow."""


@dataclass(frozen=True)
class DidEndZooming(NavigationEvent):
    """The scale has changed."""


@dataclass(frozen=True)
class DidEndRotating(NavigationEvent):
    """The rotation has changed."""


@dataclass(frozen=True)
class GestureEvent(NavigationEvent):
    """A tap or a long press, for the program to do something there."""

    phase: GesturePhase
    screen_dip: tuple[float, float]
    # What lay there at that moment, in the map's spatial reference.
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
    # The code of GDAL or PROJ; 0 if there is none.
    domain_code: int
    # Counts from 1.
    number: int
    # When it was written: as time.monotonic_ns().
    time_ns: int
    text: str


@dataclass(frozen=True)
class PumpReport:
    """What a pump did."""

    # How many on_done functions were called, and how many wait still.
    completion_count: int
    waiting_completion_count: int
    # How many events wait for `Runtime.events`.
    waiting_event_count: int


def take_events(runtime: ctypes.Structure) -> list[Event]:
    """All events that wait."""
    count = ctypes.c_size_t()
    function = library().ald_runtime_next_events
    check(function, runtime, None, 0, ctypes.byref(count))
    if count.value == 0:
        return []
    taken = (_abi.ald_event * count.value)()
    check(function, runtime, taken, len(taken), ctypes.byref(count))
    return [event for event in map(_event, taken[: count.value]) if event is not None]


def _event(event: _abi.ald_event) -> Event | None:
    if event.kind == EventKind.REQUEST_FINISHED:
        request = find(event.user_data)
        # Between the library's telling and our looking its last reference may have gone: then nobody wants to know.
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
        screen, place = event.screen_dip, event.map_point
        return GestureEvent(*common, GesturePhase(event.gesture_phase), (screen.x, screen.y), (place.x, place.y))
    return _NAVIGATION_EVENTS[EventKind(event.kind)](*common)


def read_log(runtime: ctypes.Structure, number: int) -> list[LogLine]:
    """The lines that are kept, from a number on."""
    lines: list[LogLine] = []
    line, size = _abi.ald_log_line(), ctypes.c_size_t()
    buffer = ctypes.create_string_buffer(1024)
    while number < 2**64:
        try:
            check(
                library().ald_runtime_read_log, runtime, number, line, buffer, len(buffer), ctypes.byref(size)
            )
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
                decoded(buffer.value),
            )
        )
        number = line.number + 1
    return lines

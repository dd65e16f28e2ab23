"""What `Runtime.events` gives, and the log."""

from ._abi import LogLevel, NavigationCause
from ._base.calls import publish
from ._base.events import (
    DidEndPanning,
    DidEndRotating,
    DidEndZooming,
    Event,
    GestureEvent,
    LayerViewStateChanged,
    LoadStatusChanged,
    LogEvent,
    LogLine,
    NavigationBegan,
    NavigationEnded,
    NavigationEvent,
    PumpReport,
    RequestFinished,
    TransformationChanged,
    ViewEvent,
    ViewpointChanged,
    ViewReady,
)

__all__ = [
    "DidEndPanning",
    "DidEndRotating",
    "DidEndZooming",
    "Event",
    "GestureEvent",
    "LayerViewStateChanged",
    "LoadStatusChanged",
    "LogEvent",
    "LogLevel",
    "LogLine",
    "NavigationBegan",
    "NavigationCause",
    "NavigationEnded",
    "NavigationEvent",
    "PumpReport",
    "RequestFinished",
    "TransformationChanged",
    "ViewEvent",
    "ViewReady",
    "ViewpointChanged",
]

publish(__name__, __all__)

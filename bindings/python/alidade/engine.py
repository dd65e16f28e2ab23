"""Local frames and vertices for game engines."""

from ._abi import EngineAxes, EngineFrameFlags, EngineFrameKind
from ._base.calls import publish
from ._geometry.engine_frame import EngineFrame, EngineFrameInfo, VertexPlaces, Vertices

__all__ = [
    "EngineAxes",
    "EngineFrame",
    "EngineFrameFlags",
    "EngineFrameInfo",
    "EngineFrameKind",
    "VertexPlaces",
    "Vertices",
]

publish(__name__, __all__)

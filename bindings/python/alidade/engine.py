"""Local frames, vertices and meshes for game engines."""

from ._abi import EngineAxes, EngineFrameFlags, EngineFrameKind, MeshFlags
from ._base.calls import publish
from ._geometry.engine_frame import EngineFrame, EngineFrameInfo, VertexPlaces, Vertices
from ._geometry.mesh import Mesh, MeshColumns, MeshInfo, MeshOptions

__all__ = [
    "EngineAxes",
    "EngineFrame",
    "EngineFrameFlags",
    "EngineFrameInfo",
    "EngineFrameKind",
    "Mesh",
    "MeshColumns",
    "MeshFlags",
    "MeshInfo",
    "MeshOptions",
    "VertexPlaces",
    "Vertices",
]

publish(__name__, __all__)

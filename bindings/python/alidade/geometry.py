"""Geometries and arrays of them: formats, relations, overlays, measures and buffers."""

from ._abi import (
    BufferCap,
    BufferJoin,
    BufferSide,
    CurveType,
    GeneralizeMethod,
    GeometryFlags,
    GeometryKind,
    OffsetJoin,
    OverlayOperation,
    Predicate,
    RepairMethod,
    TestResult,
)
from ._base.calls import publish
from ._geometry.geodesic_buffer import GeodesicBufferReport
from ._geometry.geodesic_circles import fill_geodesic_circles
from ._geometry.geometry import Geometry, Validity
from ._geometry.geometry_array import GeometryArray
from ._geometry.geometry_columns import GeometryColumns
from ._geometry.geometry_operations import CutPieces, Tested
from ._geometry.geometry_projection import ProjectedGeometry, ProjectedGeometryArray
from ._geometry.measures import Distance, GeodesicEnds, GeodesicPaths, NearestPoint, geodesic_direct, geodesic_inverse
from ._geometry.planar_buffer import fill_circles
from ._geometry.planar_buffer_error import PlanarBufferError, planar_buffer_error
from ._geometry.prepared_geometry import PreparedGeometry, TestedArray

__all__ = [
    "BufferCap",
    "BufferJoin",
    "BufferSide",
    "CurveType",
    "CutPieces",
    "Distance",
    "GeneralizeMethod",
    "GeodesicBufferReport",
    "GeodesicEnds",
    "GeodesicPaths",
    "Geometry",
    "GeometryArray",
    "GeometryColumns",
    "GeometryFlags",
    "GeometryKind",
    "NearestPoint",
    "OffsetJoin",
    "OverlayOperation",
    "PlanarBufferError",
    "Predicate",
    "PreparedGeometry",
    "ProjectedGeometry",
    "ProjectedGeometryArray",
    "RepairMethod",
    "TestResult",
    "Tested",
    "TestedArray",
    "Validity",
    "fill_circles",
    "fill_geodesic_circles",
    "geodesic_direct",
    "geodesic_inverse",
    "planar_buffer_error",
]

publish(__name__, __all__)

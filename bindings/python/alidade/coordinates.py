"""Spatial references, and projecting coordinates between them."""

from ._abi import (
    ALD_NO_OPERATION as NO_OPERATION,
    PointStatus,
    ProjectedEnvelopeFlags,
    ProjectionReceiptFlags,
    SpatialReferenceFormat,
    SpatialReferenceKind,
    SpatialReferenceRelation,
)
from ._base.calls import publish
from ._coordinates.envelope import Envelope
from ._coordinates.projected_envelope import ProjectedEnvelope, project_envelope
from ._coordinates.projection import ProjectedCoordinates, ProjectionReceipt, UsedOperation, project_coordinates
from ._coordinates.spatial_reference import (
    AreaOfUse,
    ProjectedPoints,
    ProjectionInfo,
    SpatialReference,
    SpatialReferenceDefinition,
    SpatialReferenceInfo,
    SpatialReferenceLike,
    VerticalPart,
)
from ._coordinates.transformation import GeographicBox

__all__ = [
    "AreaOfUse",
    "Envelope",
    "GeographicBox",
    "NO_OPERATION",
    "PointStatus",
    "ProjectedCoordinates",
    "ProjectedEnvelope",
    "ProjectedEnvelopeFlags",
    "ProjectedPoints",
    "ProjectionInfo",
    "ProjectionReceipt",
    "ProjectionReceiptFlags",
    "SpatialReference",
    "SpatialReferenceDefinition",
    "SpatialReferenceFormat",
    "SpatialReferenceInfo",
    "SpatialReferenceKind",
    "SpatialReferenceLike",
    "SpatialReferenceRelation",
    "UsedOperation",
    "VerticalPart",
    "project_coordinates",
    "project_envelope",
]

publish(__name__, __all__)

"""Transformations between datums: listed for an area, ranked, with their grids."""

from ._abi import GridFlags, TransformationFlags, TransformationStepFlags
from ._base.calls import publish
from ._coordinates.displacement import Displacement, transformation_displacement
from ._coordinates.transformation import (
    Grid,
    RankedTransformation,
    Transformation,
    TransformationList,
    TransformationStep,
)

__all__ = [
    "Displacement",
    "Grid",
    "GridFlags",
    "RankedTransformation",
    "Transformation",
    "TransformationFlags",
    "TransformationList",
    "TransformationStep",
    "TransformationStepFlags",
    "transformation_displacement",
]

publish(__name__, __all__)

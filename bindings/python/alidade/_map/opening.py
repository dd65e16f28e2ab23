"""Opening a file of which the program does not know whether it holds a raster or features."""

from __future__ import annotations

from .._abi import Status
from .._base.errors import AlidadeError, error_of, feature_source_error
from .._base.runtime import Runtime
from .._base.runtime_first import runtime_first
from .._base.text import PathLike, encoded_path
from .._coordinates.spatial_reference import SpatialReferenceLike
from .._data.feature_source import FeatureSource
from .._data.raster import Raster

_NOT_THIS_KIND = (Status.READ_FAILED, Status.UNSUPPORTED)


@runtime_first
def open(
    runtime: Runtime, path: PathLike, spatial_reference: SpatialReferenceLike | None = None
) -> Raster | FeatureSource:
    """Opens a file and returns what it holds: a Raster or a FeatureSource. A file that holds both opens as a raster.

    >>> alidade.open(folder / "Shasta_Elevation.tif").info.driver
    'GTiff'

    Args:
        runtime: the runtime; may be left out.
        path: as for Raster and FeatureSource.
        spatial_reference: used instead of the file's spatial reference, whether the file has one or not.

    Raises:
        RasterNotFoundError: there is no such file (also a FileNotFoundError).
        ReadFailedError: the file is readable neither as a raster nor as features; the message has both reasons.
        PolicyRefusedError: the policy does not allow the file (also a PermissionError).
    """
    try:
        return Raster(runtime, path, spatial_reference)
    except AlidadeError as error:
        if error.status not in _NOT_THIS_KIND:
            raise
        no_raster = error
    try:
        return FeatureSource(runtime, path, spatial_reference=spatial_reference)
    except AlidadeError as error:
        if error.status not in _NOT_THIS_KIND:
            raise
        both = f"Not a raster: {no_raster.message} Not a source of features: {error.message}"
        raise feature_source_error(error_of(Status.READ_FAILED, both), encoded_path(path)) from None

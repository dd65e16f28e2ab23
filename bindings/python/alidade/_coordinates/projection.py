"""Projecting coordinates with heights and epochs, with a receipt that says which operations were used."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import ProjectFlags, ProjectionReceiptFlags
from .._base import arrays
from .._base.arrays import FloatArray
from .._base.errors import check
from .._base.handle import Handle
from .._base.pictures import metres, table
from .._base.text import decoded
from .._library import library
from .spatial_reference import SpatialReferenceLike, converted, optional_reference
from .transformation import Transformation

_NUMBER = ctypes.POINTER(ctypes.c_double)


@dataclass(frozen=True)
class UsedOperation:
    """An operation that projected points."""

    # The name of the operation.
    name: str
    # The accuracy as the authority states it; NaN if it is not known.
    accuracy_m: float
    # Whether the operation treats the datums as equal, because no relation is known.
    is_ballpark: bool
    # The number of points that the operation projected.
    point_count: int
    # The transformation with its steps and grid files; None for the identity.
    transformation: Transformation | None


class ProjectionReceipt(Handle):
    """The record of the operations that projected coordinates."""

    _release_function = "ald_projection_receipt_release"

    def _info(self) -> _abi.ald_projection_receipt_info:
        info = _abi.ald_projection_receipt_info()
        check(library().ald_projection_receipt_get_info, self._handle, info)
        return info

    @property
    def flags(self) -> ProjectionReceiptFlags:
        """The flags: BALLPARK, IDENTITY, SEVERAL, CHOSEN, VERTICAL, EPSG_FORMULAS."""
        return ProjectionReceiptFlags(self._info().flags)

    @property
    def accuracy_m(self) -> float:
        """The worst accuracy of the used operations; NaN if one is not known, or none was used."""
        return float(self._info().accuracy_m)

    @property
    def point_count(self) -> int:
        """The number of points."""
        return int(self._info().point_count)

    @property
    def failed_count(self) -> int:
        """The number of points that were not projected."""
        return int(self._info().failed_count)

    @property
    def operations(self) -> list[UsedOperation]:
        """The operations that were used. The marks are indexes of this list."""
        return [self._operation(index) for index in range(self._info().operation_count)]

    def _operation(self, index: int) -> UsedOperation:
        row = _abi.ald_projection_receipt_row()
        check(library().ald_projection_receipt_get_row_at, self._handle, index, row)
        transformation = None
        if row.transformation.id:
            own = _abi.ald_transformation()
            check(library().ald_transformation_clone, row.transformation, own)
            transformation = Transformation(own, self)
        return UsedOperation(
            decoded(row.name), row.accuracy_m, bool(row.is_ballpark), int(row.point_count), transformation
        )

    def _facts(self) -> str:
        info = self._info()
        names = ", ".join(repr(operation.name) for operation in self.operations[:2]) or "no operation"
        more = f" and {info.operation_count - 2} more" if info.operation_count > 2 else ""
        failed = f", {info.failed_count} failed" if info.failed_count else ""
        return f"of {info.point_count} points{failed}: {names}{more}"

    def _repr_html_(self) -> str:
        used = self.operations
        rows = (
            (
                operation.name,
                metres(operation.accuracy_m),
                "yes" if operation.is_ballpark else "",
                operation.point_count,
            )
            for operation in used
        )
        title = f"{self.point_count} points, {self.failed_count} failed"
        return table(title, ("Operation", "Accuracy", "Ballpark", "Points"), rows, len(used))


class ProjectedCoordinates(NamedTuple):
    """The result of project_coordinates. All arrays have the shape (n,)."""

    # NaN where a point could not be projected.
    x: FloatArray
    y: FloatArray
    # None if there were no heights.
    z: FloatArray | None
    # uint8: values of PointStatus.
    statuses: npt.NDArray[np.uint8]
    # uint32: the index of the operation in receipt.operations; NO_OPERATION where a point could not be projected.
    marks: npt.NDArray[np.uint32]
    receipt: ProjectionReceipt


def project_coordinates(
    source: SpatialReferenceLike | None,
    target: SpatialReferenceLike | None,
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    z: npt.ArrayLike | None = None,
    t: npt.ArrayLike | None = None,
    *,
    transformation: Transformation | None = None,
    strict: bool = False,
    only_best: bool = False,
    ignore_vertical: bool = False,
    inverse: bool = False,
) -> ProjectedCoordinates:
    """Projects coordinates, and gives a receipt of the operations that were used.

    Args:
        source: the spatial reference of the coordinates. `source` and `target` may both be None if there is a
            transformation: then the coordinates are in the source of the transformation.
        target: the spatial reference of the result.
        x: east or longitude; n numbers or one number, as for y, z and t.
        y: north or latitude.
        z: heights. They are converted only if both spatial references have a vertical part, and copied otherwise.
        t: coordinate epochs in decimal years; None: no epochs.
        transformation: the only operation that is used; None: the best operation for the location of each point.
        strict: refuses points that only a ballpark operation could project.
        only_best: refuses points whose best operation lacks a grid file.
        ignore_vertical: copies heights, even if both spatial references have heights.
        inverse: runs the transformation backwards.

    Raises:
        InvalidArgumentError: the transformation connects other spatial references.
        MissingGridError: the transformation lacks grid files.
        ProjectionFailedError: there is no operation between the two. Single points that fail become NaN and raise no
            error.
        LimitExceededError: there are more points than the runtime's policy allows.
    """
    given = [None if column is None else np.asarray(column, dtype=np.float64) for column in (x, y, z, t)]
    shape = np.broadcast_shapes(*(column.shape for column in given if column is not None), (1,))
    if len(shape) != 1:
        raise ValueError(f"coordinates must be columns of numbers, not of the shape {shape}")
    columns = [None if c is None else np.ascontiguousarray(np.broadcast_to(c, shape)) for c in given]
    count = shape[0]
    images: list[Any] = [None if column is None else np.empty(count, dtype=np.float64) for column in columns[:3]]
    statuses = np.empty(count, dtype=np.uint8)
    marks = np.empty(count, dtype=np.uint32)
    coordinates = _abi.ald_coordinates()
    coordinates.count = count
    coordinates.x, coordinates.y, coordinates.z, coordinates.t = map(_pointer, columns)
    output = _abi.ald_projected_coordinates()
    output.x, output.y, output.z = map(_pointer, images)
    options = projection_options(
        transformation, strict=strict, only_best=only_best, ignore_vertical=ignore_vertical, inverse=inverse
    )
    receipt = _abi.ald_projection_receipt()
    check(
        library().ald_spatial_reference_project_coordinates,
        optional_reference(source),
        optional_reference(target),
        options,
        coordinates,
        output,
        arrays.address(statuses),
        arrays.address(marks),
        receipt,
    )
    owner = converted(source) if source is not None else transformation
    x_image, y_image, z_image = images
    return ProjectedCoordinates(x_image, y_image, z_image, statuses, marks, ProjectionReceipt(receipt, keeps=owner))


def _pointer(column: FloatArray | None) -> Any:
    return _NUMBER() if column is None else column.ctypes.data_as(_NUMBER)


def projection_options(
    transformation: Transformation | None,
    *,
    strict: bool,
    only_best: bool,
    inverse: bool,
    ignore_vertical: bool = False,
) -> _abi.ald_projection_options:
    """The settings for projecting as a C struct."""
    options = _abi.ald_projection_options()
    options.flags = (
        (ProjectFlags.STRICT if strict else 0)
        | (ProjectFlags.ONLY_BEST if only_best else 0)
        | (ProjectFlags.IGNORE_VERTICAL if ignore_vertical else 0)
        | (ProjectFlags.INVERSE if inverse else 0)
    )
    if transformation is not None:
        options.transformation = transformation._handle
    return options

"""Projecting geometries to another spatial reference, with a receipt of the operations used."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import GeometryKind, MissingImageFlags
from .._base import arrays
from .._base.errors import check
from .._coordinates.projection import ProjectionReceipt, projection_options
from .._coordinates.spatial_reference import SpatialReferenceLike, converted, reference_handle
from .._coordinates.transformation import Transformation
from .._library import library

if TYPE_CHECKING:
    from .._base.runtime import Runtime
    from .geometry import Geometry
    from .geometry_array import GeometryArray


class ProjectedGeometry(NamedTuple):
    """The result of Geometry.project. The arrays have an entry for each input vertex, member by member."""

    geometry: Geometry
    # uint8: values of PointStatus.
    statuses: npt.NDArray[np.uint8]
    # uint32: the index of the operation in receipt.operations; NO_OPERATION if a vertex has no image.
    marks: npt.NDArray[np.uint32]
    receipt: ProjectionReceipt


class ProjectedGeometryArray(NamedTuple):
    """The result of GeometryArray.project."""

    array: GeometryArray
    # uint8: for each geometry the PointStatus of its first vertex without an image; OK if all vertices have one.
    geometry_statuses: npt.NDArray[np.uint8]
    # uint8, uint32: for each input vertex, geometry by geometry; for a collection member by member.
    statuses: npt.NDArray[np.uint8]
    marks: npt.NDArray[np.uint32]
    receipt: ProjectionReceipt


def project_geometry(
    geometry: Geometry, to: SpatialReferenceLike, options: _abi.ald_projection_options, *, leave_out: bool
) -> ProjectedGeometry:
    statuses, marks = _vertex_marks(geometry.vertex_count)
    handle = _abi.ald_geometry()
    receipt = _abi.ald_projection_receipt()
    check(
        library().ald_geometry_create_projected,
        geometry._handle,
        reference_handle(to),
        options,
        MissingImageFlags.LEFT_OUT if leave_out else 0,
        arrays.address(statuses),
        arrays.address(marks),
        len(marks),
        handle,
        receipt,
    )
    return ProjectedGeometry(
        type(geometry)(handle, geometry), statuses, marks, ProjectionReceipt(receipt, keeps=converted(to))
    )


def project_array(
    array: GeometryArray, to: SpatialReferenceLike, options: _abi.ald_projection_options, flags: MissingImageFlags
) -> ProjectedGeometryArray:
    count = whole_vertex_count(array)
    geometry_statuses = np.empty(len(array), dtype=np.uint8)
    statuses, marks = _vertex_marks(count)
    handle = _abi.ald_geometry_array()
    receipt = _abi.ald_projection_receipt()
    check(
        library().ald_geometry_array_create_projected,
        array._handle,
        reference_handle(to),
        options,
        flags,
        arrays.address(geometry_statuses),
        len(geometry_statuses),
        arrays.address(statuses),
        arrays.address(marks),
        len(marks),
        handle,
        receipt,
    )
    return ProjectedGeometryArray(
        type(array)(handle, array), geometry_statuses, statuses, marks, ProjectionReceipt(receipt, keeps=converted(to))
    )


def whole_vertex_count(array: GeometryArray) -> int:
    """The number of vertices, including the vertices of members of collections."""
    collections = np.flatnonzero(array.columns.kinds == GeometryKind.COLLECTION).tolist()
    return array.vertex_count + sum(array[index].vertex_count for index in collections)


def gather(
    function: Any, runtime: Runtime, geometries: Sequence[Geometry], handle: ctypes.Structure
) -> ProjectionReceipt | None:
    """Combines geometries into one object, written to `handle`. Returns the receipt if some were projected."""
    handles = (_abi.ald_geometry * len(geometries))(*(geometry._handle for geometry in geometries))
    receipt = _abi.ald_projection_receipt()
    check(function, runtime._handle, handles, len(geometries), handle, receipt)
    return ProjectionReceipt(receipt, keeps=runtime) if receipt.id else None


def chosen_options(
    transformation: Transformation | None, strict: bool, only_best: bool, ignore_vertical: bool, inverse: bool
) -> _abi.ald_projection_options:
    return projection_options(
        transformation, strict=strict, only_best=only_best, ignore_vertical=ignore_vertical, inverse=inverse
    )


def missing_images(leave_out: bool, empty_failed: bool) -> MissingImageFlags:
    flags = MissingImageFlags.LEFT_OUT if leave_out else MissingImageFlags(0)
    return flags | (MissingImageFlags.EMPTIES_GEOMETRY if empty_failed else MissingImageFlags(0))


def _vertex_marks(count: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32]]:
    return np.empty(count, dtype=np.uint8), np.empty(count, dtype=np.uint32)

"""Spatial references and projecting between them."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._abi import SpatialReferenceKind, Status
from ._arrays import FloatArray, Point
from ._handle import Handle
from ._library import library
from ._numbers import int32
from ._text import decoded, encoded
from .errors import AlidadeError, check
from .runtime import Runtime


@dataclass(frozen=True)
class SpatialReferenceInfo:
    """Facts about a spatial reference."""

    kind: SpatialReferenceKind
    # Empty if the authority or the file gives none.
    name: str
    # "EPSG", "ESRI", ... and its code; empty if there is none.
    authority: str
    code: str
    # The unit of the horizontal axes, such as "metre", "degree" or "US survey foot".
    unit_name: str
    # For an angular unit: metres of arc along the equator of the ellipsoid.
    metres_per_unit: float
    # NaN for a local spatial reference.
    semi_major_axis_m: float


@dataclass(frozen=True)
class ProjectionInfo:
    """How coordinates get from one spatial reference to another at a place."""

    # The operation's name, cut at 255 bytes.
    name: str
    # As the authority states it; NaN if it is not known.
    accuracy_m: float
    # The datums are treated as equal for want of a known relation.
    is_ballpark: bool


class ProjectedPoints(NamedTuple):
    """The answer of SpatialReference.project."""

    # float64 of shape (n, 2); NaN where a point has no image.
    points: FloatArray
    # bool of shape (n,): which points were projected.
    projected: npt.NDArray[np.bool_]


class SpatialReference(Handle):
    """A spatial reference: an immutable value that any thread may use.

    Make one with `from_code` or `from_wkt`, or ask a map or a raster for theirs. x is east or longitude and y is north
    or latitude, whatever order the authority gives.
    """

    _release_function = "ald_spatial_reference_release"

    @classmethod
    def from_code(cls, runtime: Runtime, code: int, authority: str = "EPSG") -> SpatialReference:
        """The spatial reference with an authority's code.

        :raises NotFoundError: there is no such code.
        :raises UnsupportedError: the code is of a geocentric or a purely vertical system.
        """
        handle = _abi.ald_spatial_reference()
        check(
            library().ald_spatial_reference_create_from_code,
            runtime._handle,
            encoded(authority),
            int32(code, "code"),
            handle,
        )
        return cls(handle, keeps=runtime)

    @classmethod
    def from_wkt(cls, runtime: Runtime, wkt: str) -> SpatialReference:
        """The spatial reference of well-known text: WKT 1 as GDAL and Esri write it, or WKT 2.

        :raises InvalidArgumentError: the text is not well-known text of a coordinate system.
        :raises UnsupportedError: it is of a geocentric or a purely vertical system.
        """
        handle = _abi.ald_spatial_reference()
        check(library().ald_spatial_reference_create_from_wkt, runtime._handle, encoded(wkt), handle)
        return cls(handle, keeps=runtime)

    @property
    def info(self) -> SpatialReferenceInfo:
        """Kind, name, code and unit."""
        info = _abi.ald_spatial_reference_info()
        check(library().ald_spatial_reference_get_info, self._handle, info)
        return SpatialReferenceInfo(
            kind=SpatialReferenceKind(info.kind),
            name=decoded(info.name),
            authority=decoded(info.authority),
            code=decoded(info.code),
            unit_name=decoded(info.unit_name),
            metres_per_unit=info.metres_per_unit,
            semi_major_axis_m=info.semi_major_axis_m,
        )

    @property
    def wkt(self) -> str:
        """The spatial reference as WKT 2 (2019)."""
        size = ctypes.c_size_t()
        check(library().ald_spatial_reference_wkt, self._handle, None, 0, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        check(library().ald_spatial_reference_wkt, self._handle, buffer, size, None)
        return decoded(buffer.value)

    def is_equivalent(self, other: SpatialReference) -> bool:
        """Whether both mean the same positions: the same system, whatever the order of its axes."""
        equal = ctypes.c_uint32()
        check(library().ald_spatial_reference_equals, self._handle, other._handle, ctypes.byref(equal))
        return bool(equal.value)

    def project(
        self, points: npt.ArrayLike, to: SpatialReference, out: npt.NDArray[Any] | None = None
    ) -> ProjectedPoints:
        """Projects points of this spatial reference into another.

        Args:
            points: float64 of shape (n, 2) or (2,). Not copied if its rows lie at least 16 bytes apart.
            to: the spatial reference of the answer.
            out: None, or where to write: float64 of shape (n, 2). May be `points` itself.

        Raises:
            ProjectionFailedError: there is no operation between the two. Single points that fail are NaN and no error.
            LimitExceededError: more points than the runtime's policy allows.
        """
        source = _arrays.input_points(points)
        target = _arrays.output_points(out, len(source))
        source = _arrays.without_overlap(source, target)
        statuses = np.empty(len(source), dtype=np.uint8)
        check(
            library().ald_project_points,
            self._handle,
            to._handle,
            _arrays.address(source),
            _arrays.row_stride(source),
            len(source),
            _arrays.address(target),
            _arrays.row_stride(target),
            _arrays.address(statuses),
        )
        return ProjectedPoints(target, statuses == _abi.PointStatus.OK)

    def describe_projection(self, to: SpatialReference, at: Point) -> ProjectionInfo:
        """Which operation `project`, identify and the screen calls use at a place of this spatial reference.

        :raises ProjectionFailedError: the point cannot be projected.
        """
        info = _abi.ald_projection_info()
        check(library().ald_projection_describe, self._handle, to._handle, _arrays.c_point(at), info)
        return ProjectionInfo(decoded(info.name), info.accuracy_m, bool(info.is_ballpark))

    def __repr__(self) -> str:
        return self._repr(f"{self._handle.id:#x}")


def lent_spatial_reference(function: Any, owner: Handle) -> SpatialReference | None:
    """The spatial reference that `owner` lends by a C function; None if it has none (yet)."""
    handle = _abi.ald_spatial_reference()
    try:
        check(function, owner._handle, handle)
    except AlidadeError as error:
        if error.status in (Status.NOT_FOUND, Status.NOT_READY):
            return None
        raise
    return SpatialReference(handle, keeps=owner, is_lent=True)

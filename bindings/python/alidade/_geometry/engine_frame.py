"""Local frames for engines: matrices, vertices of 32-bit floats, and conversion from vertices to map coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import EngineAxes, EngineFrameFlags, EngineFrameKind
from .._base import arrays
from .._base.arrays import FloatArray, Point, c_coordinates, coordinate_rows
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import int32
from .._coordinates.projection import ProjectionReceipt, projection_options
from .._coordinates.spatial_reference import SpatialReferenceLike, converted, optional_reference, reference_handle
from .._coordinates.transformation import Transformation
from .._library import library
from .geometry_projection import whole_vertex_count
from .mesh import FrameMeshes

if TYPE_CHECKING:
    from .geometry import Geometry
    from .geometry_array import GeometryArray


@dataclass(frozen=True)
class EngineFrameInfo:
    """Facts about a frame."""

    flags: EngineFrameFlags
    kind: EngineFrameKind
    axes: EngineAxes
    metres_per_unit: float
    # Matrices of shape (4, 4), for column vectors: world = local_to_world @ (x, y, z, 1).
    local_to_world: FloatArray
    world_to_local: FloatArray
    # The origin as the program gave it.
    origin: tuple[float, float]
    origin_height: float
    # The origin in degrees, east of Greenwich and north; NaN for a local plane.
    longitude_deg: float
    latitude_deg: float
    # The origin's height above the ellipsoid; NaN in a planar frame whose heights are not ellipsoidal.
    ellipsoidal_height_m: float
    # Metres on the map per metre on the ellipsoid at the origin; NaN for a local plane and close to a pole.
    meridian_scale: float
    parallel_scale: float
    # Degrees clockwise from true north to the map's north.
    convergence_deg: float


class Vertices(NamedTuple):
    """The result of `EngineFrame.to_vertices`."""

    # float32 of shape (n, 3); NaN for a point that has no position in the frame.
    vertices: npt.NDArray[np.float32]
    # uint8 of shape (n,): values of PointStatus.
    statuses: npt.NDArray[np.uint8]
    # The largest distance between a vertex and its true position; 0 without vertices.
    worst_rounding_m: float
    # The index of the vertex with this distance; None without vertices.
    worst_index: int | None
    # The largest distance of a vertex from the origin.
    farthest_m: float
    failed_count: int
    receipt: ProjectionReceipt


class VertexPlaces(NamedTuple):
    """The result of `EngineFrame.to_coordinates`."""

    # float64 of shape (n, 3): x, y, height; NaN for a vertex without a position.
    coordinates: FloatArray
    # uint8 of shape (n,): values of PointStatus.
    statuses: npt.NDArray[np.uint8]
    receipt: ProjectionReceipt


class EngineFrame(FrameMeshes):
    """A local frame at a point, with the axes of an engine.

    Args:
        spatial_reference: the spatial reference of the origin. The frame is on its datum.
        origin: the position of the frame's 0, 0, 0.
        height: the origin's height in the unit of the vertical axis, or in metres without one.
        kind: earth-centred, or the plane of a projected spatial reference.
        axes: the directions of the engine's axes.
        metres_per_unit: the length of the engine's unit; None: 0.01 for EngineAxes.UNREAL, and 1 otherwise.

    Raises:
        InvalidArgumentError: the origin is not finite, or an option is out of its range.
        UnsupportedError: a planar frame in longitudes and latitudes, or an earth-centred frame in a local plane.
        ProjectionFailedError: the origin is not a position on the earth.
    """

    _release_function = "ald_engine_frame_release"

    def __init__(
        self,
        spatial_reference: SpatialReferenceLike,
        origin: Point,
        height: float = 0.0,
        *,
        kind: EngineFrameKind = EngineFrameKind.TANGENT,
        axes: EngineAxes = EngineAxes.ENU,
        metres_per_unit: float | None = None,
    ) -> None:
        options = _abi.ald_engine_frame_options()
        options.kind, options.axes = int32(kind, "kind"), int32(axes, "axes")
        if metres_per_unit is not None:
            if metres_per_unit == 0:
                raise ValueError("metres_per_unit must not be 0")
            options.metres_per_unit = metres_per_unit
        handle = _abi.ald_engine_frame()
        check(
            library().ald_engine_frame_create,
            reference_handle(spatial_reference),
            arrays.c_point(origin),
            height,
            options,
            handle,
        )
        super().__init__(handle, keeps=converted(spatial_reference))

    @property
    def info(self) -> EngineFrameInfo:
        """Facts about the frame."""
        info = _abi.ald_engine_frame_info()
        check(library().ald_engine_frame_get_info, self._handle, info)
        return EngineFrameInfo(
            flags=EngineFrameFlags(info.flags),
            kind=EngineFrameKind(info.kind),
            axes=EngineAxes(info.axes),
            metres_per_unit=info.metres_per_unit,
            local_to_world=_matrix(info.local_to_world),
            world_to_local=_matrix(info.world_to_local),
            origin=(info.origin.x, info.origin.y),
            origin_height=info.origin_height,
            longitude_deg=info.longitude_deg,
            latitude_deg=info.latitude_deg,
            ellipsoidal_height_m=info.ellipsoidal_height_m,
            meridian_scale=info.meridian_scale,
            parallel_scale=info.parallel_scale,
            convergence_deg=info.convergence_deg,
        )

    def to_vertices(
        self,
        points: npt.ArrayLike,
        spatial_reference: SpatialReferenceLike | None = None,
        *,
        out: npt.NDArray[Any] | None = None,
        transformation: Transformation | None = None,
        strict: bool = False,
        only_best: bool = False,
        ignore_vertical: bool = False,
        inverse: bool = False,
    ) -> Vertices:
        """Projects points into the frame and rounds them to vertices of 32-bit floats.

        Args:
            points: float64 of shape (n, 2) or (n, 3): x, y and height (0 if it is not given). Not copied if its numbers
                are at least 8 bytes apart.
            spatial_reference: the spatial reference of the points; None: the one in which the frame was created.
            out: None, or the array for the result: float32 of shape (n, 3). There may be gaps between the vertices, as
                in buffer[:, :3].
            transformation, strict, only_best, ignore_vertical, inverse: as for `project_coordinates`.

        Raises:
            InvalidArgumentError: the transformation connects other spatial references.
            MissingGridError: the transformation lacks grid files.
            ProjectionFailedError: there is no operation to the frame's spatial reference. Single points that fail
                become NaN and raise no error.
            LimitExceededError: there are more points than the runtime's policy allows.
        """
        source = coordinate_rows(points)
        count = len(source)
        vertices = _output_vertices(out, count)
        statuses = np.empty(count, dtype=np.uint8)
        report = _abi.ald_vertex_report()
        receipt = _abi.ald_projection_receipt()
        options = projection_options(
            transformation, strict=strict, only_best=only_best, ignore_vertical=ignore_vertical, inverse=inverse
        )
        check(
            library().ald_engine_frame_to_vertices,
            self._handle,
            optional_reference(spatial_reference),
            options,
            c_coordinates(source),
            arrays.address(vertices),
            _vertex_stride(vertices),
            arrays.address(statuses),
            report,
            receipt,
        )
        return self._vertices(vertices, statuses, report, receipt)

    def _vertices(
        self,
        vertices: npt.NDArray[np.float32],
        statuses: npt.NDArray[np.uint8],
        report: _abi.ald_vertex_report,
        receipt: _abi.ald_projection_receipt,
    ) -> Vertices:
        has_vertices = report.failed_count < report.vertex_count
        return Vertices(
            vertices,
            statuses,
            report.worst_rounding_m,
            report.worst_index if has_vertices else None,
            report.farthest_m,
            report.failed_count,
            ProjectionReceipt(receipt, keeps=self),
        )

    def geometry_to_vertices(
        self,
        geometry: Geometry | GeometryArray,
        *,
        out: npt.NDArray[Any] | None = None,
        transformation: Transformation | None = None,
        strict: bool = False,
        only_best: bool = False,
        ignore_vertical: bool = False,
        inverse: bool = False,
    ) -> Vertices:
        """Projects the vertices of a geometry or of an array of geometries into the frame.

        The vertices are in the order of the columns, and for a collection member by member. A vertex without a height
        has height 0. The other arguments and the exceptions are as for `to_vertices`. Raises InvalidArgumentError
        if the geometry has no spatial reference.
        """
        is_array = isinstance(geometry._handle, _abi.ald_geometry_array)
        count = whole_vertex_count(geometry) if is_array else geometry.vertex_count  # type: ignore[arg-type]
        function = (
            "ald_engine_frame_geometry_array_to_vertices" if is_array else "ald_engine_frame_geometry_to_vertices"
        )
        vertices = _output_vertices(out, count)
        statuses = np.empty(count, dtype=np.uint8)
        report = _abi.ald_vertex_report()
        receipt = _abi.ald_projection_receipt()
        options = projection_options(
            transformation, strict=strict, only_best=only_best, ignore_vertical=ignore_vertical, inverse=inverse
        )
        check(
            getattr(library(), function),
            self._handle,
            geometry._handle,
            options,
            arrays.address(vertices),
            _vertex_stride(vertices),
            count,
            arrays.address(statuses),
            report,
            receipt,
        )
        return self._vertices(vertices, statuses, report, receipt)

    def to_coordinates(
        self,
        vertices: npt.ArrayLike,
        spatial_reference: SpatialReferenceLike | None = None,
        *,
        transformation: Transformation | None = None,
        strict: bool = False,
        only_best: bool = False,
        ignore_vertical: bool = False,
        inverse: bool = False,
    ) -> VertexPlaces:
        """Finds the map coordinates of vertices of the frame.

        The exceptions are as for `to_vertices`.

        Args:
            vertices: float32 of shape (n, 3) or (3,).
            spatial_reference: the spatial reference of the coordinates; None: the one in which the frame was created.
                Heights are in the unit of its vertical axis, or in metres without one.
            transformation, strict, only_best, ignore_vertical, inverse: as for `project_coordinates`.
        """
        source = np.asarray(vertices, dtype=np.float32)
        if source.shape == (3,):
            source = source.reshape(1, 3)
        if source.ndim != 2 or source.shape[1] != 3:
            raise ValueError(f"vertices must have the shape (n, 3) or (3,), not {np.shape(vertices)}")
        if not _is_vertex_buffer(source):
            source = np.array(source, order="C")
        count = len(source)
        coordinates = np.empty((count, 3), dtype=np.float64)
        images = _abi.ald_projected_coordinates()
        images.x, images.y, images.z = (arrays.column(coordinates, index) for index in range(3))
        images.stride_bytes = 24
        statuses = np.empty(count, dtype=np.uint8)
        receipt = _abi.ald_projection_receipt()
        options = projection_options(
            transformation, strict=strict, only_best=only_best, ignore_vertical=ignore_vertical, inverse=inverse
        )
        check(
            library().ald_engine_frame_from_vertices,
            self._handle,
            optional_reference(spatial_reference),
            options,
            arrays.address(source),
            _vertex_stride(source),
            count,
            images,
            arrays.address(statuses),
            receipt,
        )
        return VertexPlaces(coordinates, statuses, ProjectionReceipt(receipt, keeps=self))

    def _facts(self) -> str:
        info = self.info
        return f"{info.kind.name.lower()}, {info.axes.name}, at {info.origin}"


def _matrix(numbers: Any) -> FloatArray:
    return np.array(numbers, dtype=np.float64).reshape(4, 4).T


def _is_vertex_buffer(array: npt.NDArray[Any]) -> bool:
    return array.strides[1] == 4 and (len(array) <= 1 or array.strides[0] >= 12)


def _vertex_stride(array: npt.NDArray[Any]) -> int:
    return int(array.strides[0]) if len(array) > 1 else 12


def _output_vertices(out: npt.NDArray[Any] | None, count: int) -> npt.NDArray[np.float32]:
    if out is None:
        return np.empty((count, 3), dtype=np.float32)
    fits = out.dtype == np.float32 and out.shape == (count, 3) and out.flags.writeable and _is_vertex_buffer(out)
    if not fits:
        raise ValueError(f"out must be a writeable float32 array of shape ({count}, 3) with contiguous vertices")
    return out

"""Meshes: indexed triangles of polygons, lines and terrain, for engines and graphics cards."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Sequence

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import BufferCap, BufferJoin, MeshFlags
from .._base import arrays
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import int32, uint32
from .._base.request import Request, begin
from .._coordinates.envelope import Envelope, c_envelope
from .._coordinates.spatial_reference import SpatialReferenceLike, optional_reference
from .._library import library
from .geometry_columns import viewed_memory

if TYPE_CHECKING:
    from .._data.raster import Raster
    from .geometry import Geometry
    from .geometry_array import GeometryArray


class MeshOptions(NamedTuple):
    """How a mesh is created."""

    # The largest distance between the mesh and what it represents, in metres. None: 1 with a raster; without a raster,
    # triangles are not split.
    maximum_deviation_m: float | None = None
    # The width, ends and corners of lines.
    line_width_m: float = 0.0
    line_cap: BufferCap = BufferCap.ROUND
    line_join: BufferJoin = BufferJoin.ROUND
    mitre_limit: float = 5.0
    quadrant_segments: int = 8
    # The band with the heights, from 1, and the length in metres of its unit; None: the unit that the raster states.
    band: int = 1
    metres_per_band_unit: float | None = None
    # The height of the skirt around a terrain, in metres.
    skirt_m: float = 0.0
    # The box of the image for the texture coordinates of areas; None: the envelope of all geometries.
    texture_envelope: Envelope | Sequence[float] | None = None
    # MeshFlags.CLOCKWISE for Unity and Godot; BOTTOM and WALLS_ONLY for extruded polygons.
    flags: MeshFlags = MeshFlags(0)  # noqa: RUF009 (a constant)


class MeshInfo(NamedTuple):
    """Facts about a mesh."""

    vertex_count: int
    triangle_count: int
    # Triangles that were left out, because the raster has no heights there, or a corner has no position in the frame.
    dropped_triangle_count: int
    # How far the mesh is from what it represents: an upper bound.
    deviation_m: float
    # The largest distance between a vertex and its true position, due to 32-bit floats.
    worst_rounding_m: float
    # The largest distance of a vertex from the frame's origin.
    farthest_m: float


class MeshColumns(NamedTuple):
    """The vertices and triangles of a mesh: read-only numpy arrays that use the mesh's memory."""

    # float32 of shape (n, 3).
    positions: npt.NDArray[np.float32]
    normals: npt.NDArray[np.float32]
    # float32 of shape (n, 2). 0, 0 is the north-west corner of the image.
    texture_coordinates: npt.NDArray[np.float32]
    # uint32 of shape (triangles, 3).
    triangles: npt.NDArray[np.uint32]
    # uint32 of shape (geometries + 1,): vertices of each geometry, and indexes into the flat triangles.
    vertex_offsets: npt.NDArray[np.uint32]
    index_offsets: npt.NDArray[np.uint32]


class Mesh(Handle):
    """Triangles in an engine frame. Created by `EngineFrame.mesh` and `EngineFrame.terrain_mesh`. Immutable."""

    _release_function = "ald_mesh_release"

    @property
    def info(self) -> MeshInfo:
        """Facts about the mesh."""
        info = _abi.ald_mesh_info()
        check(library().ald_mesh_get_info, self._handle, info)
        return MeshInfo(
            info.vertex_count,
            info.triangle_count,
            info.dropped_triangle_count,
            info.deviation_m,
            info.worst_rounding_m,
            info.farthest_m,
        )

    @property
    def columns(self) -> MeshColumns:
        """The vertices and triangles, without a copy. The arrays keep the mesh alive."""
        columns = _abi.ald_mesh_columns()
        check(library().ald_mesh_get_columns, self._handle, columns)
        vertices, geometries = columns.vertex_count, columns.geometry_count

        def view(pointer: Any, shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
            return viewed_memory(pointer, shape, dtype, self)

        return MeshColumns(
            view(columns.positions, (vertices, 3), np.float32),
            view(columns.normals, (vertices, 3), np.float32),
            view(columns.texture_coordinates, (vertices, 2), np.float32),
            view(columns.indices, (columns.index_count // 3, 3), np.uint32),
            view(columns.vertex_offsets, (geometries + 1,), np.uint32),
            view(columns.index_offsets, (geometries + 1,), np.uint32),
        )

    def _facts(self) -> str:
        info = self.info
        return f"{info.triangle_count} triangles, {info.vertex_count} vertices"


class FrameMeshes(Handle):
    """Methods of `EngineFrame` for meshes."""

    def mesh(
        self,
        geometry: Geometry | GeometryArray,
        raster: Raster | None = None,
        *,
        extrusion_m: float | npt.ArrayLike | None = None,
        options: MeshOptions = MeshOptions(),
    ) -> Mesh:
        """Creates a mesh of polygons and lines.

        Polygons become triangles whose corners are the vertices of the polygons. Lines become ribbons.

        Args:
            geometry: a geometry, or many, with a spatial reference.
            raster: the raster with the heights, which the mesh follows; None: the heights of the vertices.
            extrusion_m: the height of the walls of polygons, for all or for each geometry; negative: downwards; None:
                no walls.
            options: the other settings.

        Raises:
            InvalidArgumentError: an option is out of its range, or a geometry is not valid; or it is a line, and the
                options have no width for lines.
            UnsupportedError: a geometry is a point, the raster is not georeferenced by a geotransform, or the band's
                unit is not a unit of length.
            NotFoundError: there is no such band.
            NotReadyError, ReadFailedError, ProjectionFailedError: as for `Raster.heights`.
            LimitExceededError: the mesh is larger than the runtime's policy allows.
        """
        handle = _abi.ald_mesh()
        if isinstance(geometry._handle, _abi.ald_geometry_array):
            check(
                library().ald_engine_frame_create_geometry_array_mesh,
                *self._array_arguments(geometry, raster, extrusion_m, options),
                handle,
            )
        else:
            extrusion = 0.0 if extrusion_m is None else extrusion_m
            if np.ndim(extrusion) != 0:
                raise ValueError("extrusion_m must be one number for a single geometry")
            check(
                library().ald_engine_frame_create_geometry_mesh,
                self._handle,
                geometry._handle,
                _raster_handle(raster),
                extrusion,
                _mesh_options(options),
                handle,
            )
        return Mesh(handle, keeps=self)

    def mesh_async(
        self,
        geometries: GeometryArray,
        raster: Raster | None = None,
        *,
        extrusion_m: float | npt.ArrayLike | None = None,
        options: MeshOptions = MeshOptions(),
        on_done: Optional[Callable[[Request[Mesh]], Any]] = None,
        replace_key: int = 0,
        keep_begun: bool = False,
    ) -> Request[Mesh]:
        """Creates a mesh on a worker; see `mesh`. `result` of the request returns the mesh, or raises the error."""
        arguments = self._array_arguments(geometries, raster, extrusion_m, options)
        function = library().ald_engine_frame_create_geometry_array_mesh_async
        return begin(self._root(), function, arguments, self._take_mesh, on_done, replace_key, keep_begun)

    def terrain_mesh(
        self,
        raster: Raster,
        envelope: Envelope | Sequence[float] | None = None,
        spatial_reference: SpatialReferenceLike | None = None,
        *,
        options: MeshOptions = MeshOptions(),
    ) -> Mesh:
        """Creates the mesh of a rectangle of terrain, which follows the heights of a raster.

        Args:
            raster: the raster with the heights.
            envelope: the rectangle; None: the whole raster.
            spatial_reference: the spatial reference of the rectangle; None: the raster's own.
            options: the other settings.

        Raises:
            InvalidArgumentError: an option is out of its range, or the envelope is not a rectangle with an area.
            UnsupportedError, NotFoundError, NotReadyError, ReadFailedError, ProjectionFailedError, LimitExceededError:
                as for `mesh`.
        """
        handle = _abi.ald_mesh()
        arguments = self._terrain_arguments(raster, envelope, spatial_reference, options)
        check(library().ald_engine_frame_create_terrain_mesh, *arguments, handle)
        return Mesh(handle, keeps=self)

    def terrain_mesh_async(
        self,
        raster: Raster,
        envelope: Envelope | Sequence[float] | None = None,
        spatial_reference: SpatialReferenceLike | None = None,
        *,
        options: MeshOptions = MeshOptions(),
        on_done: Optional[Callable[[Request[Mesh]], Any]] = None,
        replace_key: int = 0,
        keep_begun: bool = False,
    ) -> Request[Mesh]:
        """Creates the mesh of a rectangle of terrain on a worker; see `terrain_mesh`."""
        arguments = self._terrain_arguments(raster, envelope, spatial_reference, options)
        function = library().ald_engine_frame_create_terrain_mesh_async
        return begin(self._root(), function, arguments, self._take_mesh, on_done, replace_key, keep_begun)

    def _array_arguments(
        self,
        geometries: Geometry | GeometryArray,
        raster: Raster | None,
        extrusion_m: float | npt.ArrayLike | None,
        options: MeshOptions,
    ) -> tuple[Any, ...]:
        numbers = np.empty(0) if extrusion_m is None else np.atleast_1d(np.asarray(extrusion_m, dtype=np.float64))
        if numbers.ndim != 1:
            raise ValueError("extrusion_m must be one number, or one for each geometry")
        numbers = np.ascontiguousarray(numbers)
        return (
            self._handle,
            geometries._handle,
            _raster_handle(raster),
            arrays.address(numbers) if numbers.size else None,
            numbers.size,
            _mesh_options(options),
        )

    def _terrain_arguments(
        self,
        raster: Raster,
        envelope: Envelope | Sequence[float] | None,
        spatial_reference: SpatialReferenceLike | None,
        options: MeshOptions,
    ) -> tuple[Any, ...]:
        return (
            self._handle,
            raster._handle,
            optional_reference(spatial_reference),
            None if envelope is None else ctypes.byref(c_envelope(envelope)),
            _mesh_options(options),
        )

    def _take_mesh(self, request: Request[Mesh]) -> Mesh:
        handle = _abi.ald_mesh()
        check(library().ald_request_take_mesh, request._handle, handle)
        return Mesh(handle, keeps=self)


def _raster_handle(raster: Raster | None) -> Any:
    return _abi.ald_raster() if raster is None else raster._handle


def _mesh_options(options: MeshOptions) -> _abi.ald_mesh_options:
    given = _abi.ald_mesh_options()
    given.flags = uint32(options.flags, "flags")
    if options.maximum_deviation_m is not None:
        if options.maximum_deviation_m == 0:
            raise ValueError("maximum_deviation_m must not be 0; None takes the default")
        given.maximum_deviation_m = options.maximum_deviation_m
    given.line_width_m = options.line_width_m
    given.line_cap = int32(options.line_cap, "line_cap")
    given.line_join = int32(options.line_join, "line_join")
    for name in ("mitre_limit", "quadrant_segments", "band"):
        if getattr(options, name) == 0:
            raise ValueError(f"{name} must not be 0")
    given.mitre_limit = options.mitre_limit
    given.quadrant_segments = uint32(options.quadrant_segments, "quadrant_segments")
    given.band = int32(options.band, "band")
    if options.metres_per_band_unit is not None:
        if options.metres_per_band_unit == 0:
            raise ValueError("metres_per_band_unit must not be 0; None takes the unit that the raster states")
        given.metres_per_band_unit = options.metres_per_band_unit
    given.skirt_m = options.skirt_m
    if options.texture_envelope is not None:
        given.texture_envelope = c_envelope(options.texture_envelope)
    return given

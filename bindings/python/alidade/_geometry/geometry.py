"""Geometries: points, lines and polygons with their spatial reference."""

from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass
from typing import Any, Iterable, Mapping

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import (
    BufferCap,
    BufferJoin,
    BufferSide,
    GeojsonFlags,
    GeometryFlags,
    GeometryKind,
    RepairMethod,
    Unit,
    ValidityFlags,
    WkbFlags,
    WktFlags,
)
from .._base.errors import AlidadeError, check
from .._base.handle import Handle
from .._base.numbers import int32, uint32
from .._base.pictures import svg
from .._base.runtime import Runtime
from .._base.runtime_first import runtime_first_of_class
from .._base.text import copied, decoded, encoded
from .._base.values import Value
from .._coordinates.envelope import Envelope
from .._coordinates.projection import ProjectionReceipt
from .._coordinates.spatial_reference import SpatialReference, SpatialReferenceLike, label, optional_reference
from .._coordinates.transformation import Transformation
from .._library import library
from .geo_interface import Buffer, crs_of, geojson_text, interface_text, wkb_bytes
from .geodesic_buffer import GeodesicBufferMethods
from .geometry_columns import GeometryColumns, c_columns, viewed_columns
from .geometry_operations import GeometryOperations
from .geometry_projection import ProjectedGeometry, chosen_options, gather, project_geometry
from .measures import GeometryMeasures
from .planar_buffer import buffer_options


@dataclass(frozen=True)
class Validity:
    """Whether a geometry is valid. If it is not, why and where. True if it is valid."""

    is_valid: bool
    # GEOS's message, such as "Self-intersection"; empty if the geometry is valid.
    reason: str
    # The position (x, y) of the first fault; None if the geometry is valid.
    point: tuple[float, float] | None

    def __bool__(self) -> bool:
        return self.is_valid


class Geometry(GeodesicBufferMethods, GeometryMeasures, GeometryOperations, Value):
    """A geometry: an immutable value.

    A polyline has a part for each line. A polygon has a part for each polygon; the paths of a part are the shell and
    then the holes. A collection has members. Geometries are `==` if `equals` says so.

    >>> square = alidade.Geometry.from_wkt("POLYGON((0 0, 2 0, 2 2, 0 2, 0 0))", 27700)
    >>> square
    <Geometry polygon of 5 vertices, EPSG:27700>
    >>> square.area(), square.contains(square.centroid), square.buffer(1).envelope.x_min
    (4.0, True, -1.0)
    >>> half = alidade.Geometry.from_envelope(alidade.Envelope(1, 0, 3, 2), 27700)
    >>> (square & half).area(), (square | half).area()
    (2.0, 6.0)
    """

    _release_function = "ald_geometry_release"
    _pickled_facts = ("buffer_report",)
    # The receipt of projecting the geometries that it was created from; None if none was projected.
    projection_receipt: ProjectionReceipt | None = None

    def __init__(self, handle: _abi.ald_geometry, keeps: Handle) -> None:
        super().__init__(handle, keeps=keeps)

    @runtime_first_of_class
    @classmethod
    def from_wkb(cls, runtime: Runtime, wkb: Buffer, spatial_reference: SpatialReferenceLike | None = None) -> Geometry:
        """Creates a geometry from well-known binary: OGC's, ISO's or PostGIS's EWKB.

        Args:
            runtime: the runtime of the geometry; may be left out.
            wkb: the bytes, as bytes, a bytearray or a memoryview.
            spatial_reference: the spatial reference of the coordinates. None: the SRID, if there is one, as an EPSG
                code.

        Raises:
            InvalidArgumentError: the bytes are not WKB; the message names the byte.
            UnsupportedError: the bytes contain a curve or a surface.
        """
        data = wkb_bytes(wkb)
        handle = _abi.ald_geometry()
        check(
            library().ald_geometry_create_from_wkb,
            runtime._handle,
            data,
            len(data),
            optional_reference(spatial_reference),
            handle,
        )
        return cls(handle, runtime)

    @runtime_first_of_class
    @classmethod
    def from_wkt(cls, runtime: Runtime, wkt: str, spatial_reference: SpatialReferenceLike | None = None) -> Geometry:
        """Creates a geometry from well-known text: ISO's, the older form without marks, or PostGIS's with an SRID.

        Args:
            runtime: the runtime of the geometry; may be left out.
            wkt: the text.
            spatial_reference: the spatial reference of the coordinates. None: the SRID, if there is one, as an EPSG
                code.

        Raises:
            InvalidArgumentError: the text is not WKT; the message names the line and character.
            UnsupportedError: the text contains a curve or a surface.
        """
        handle = _abi.ald_geometry()
        check(
            library().ald_geometry_create_from_wkt,
            runtime._handle,
            encoded(wkt),
            optional_reference(spatial_reference),
            handle,
        )
        return cls(handle, runtime)

    @runtime_first_of_class
    @classmethod
    def from_geojson(
        cls,
        runtime: Runtime,
        geojson: str | Mapping[str, Any],
        spatial_reference: SpatialReferenceLike | None = None,
    ) -> Geometry:
        """Creates a geometry from GeoJSON (RFC 7946): from a geometry or from the geometry of a feature.

        Args:
            runtime: the runtime of the geometry; may be left out.
            geojson: the text, or the result of `json.loads` for it, such as another object's `__geo_interface__`.
            spatial_reference: the spatial reference of the coordinates. None: a "crs" member names it; without one it
                is EPSG:4326.

        Raises:
            InvalidArgumentError: the text is not GeoJSON of one geometry; the message names the path, line and
                character.
        """
        handle = _abi.ald_geometry()
        check(
            library().ald_geometry_create_from_geojson,
            runtime._handle,
            encoded(geojson_text(geojson)),
            optional_reference(spatial_reference),
            handle,
        )
        return cls(handle, runtime)

    @runtime_first_of_class
    @classmethod
    def from_geo_interface(
        cls, runtime: Runtime, thing: Any, spatial_reference: SpatialReferenceLike | None = None
    ) -> Geometry:
        """Creates a geometry from the `__geo_interface__` of another library's object, such as Shapely's.

        Args:
            runtime: the runtime of the geometry; may be left out.
            thing: the object, or a mapping of that form, for a geometry or a feature.
            spatial_reference: the spatial reference of the coordinates. None: the object's `crs`. Without one, the
                geometry has no spatial reference.

        Raises:
            InvalidArgumentError: the object is not a geometry.
            TypeError: the object has no `__geo_interface__`, and is not a mapping.
        """
        own = crs_of(thing) if spatial_reference is None else spatial_reference
        return cls.from_geojson(runtime, interface_text(thing), own)

    @runtime_first_of_class
    @classmethod
    def collection(
        cls, runtime: Runtime, geometries: Iterable[Any], spatial_reference: SpatialReferenceLike | None = None
    ) -> Geometry:
        """Creates a collection of geometries, in the spatial reference of the first geometry.

        Geometries in another spatial reference are projected to it; `projection_receipt` reports how.

        Args:
            runtime: the runtime of the collection; may be left out.
            geometries: geometries, or objects of other libraries that have a `__geo_interface__`.
            spatial_reference: the spatial reference of such objects.

        Raises:
            InvalidArgumentError: some geometries have a spatial reference and others have none.
            ProjectionFailedError: a vertex cannot be projected; the message names it.
        """
        handle = _abi.ald_geometry()
        function = library().ald_geometry_create_collection
        receipt = gather(function, runtime, cls._made(runtime, geometries, spatial_reference), handle)
        made = cls(handle, runtime)
        made._state(projection_receipt=receipt)
        return made

    @classmethod
    def _made(
        cls, runtime: Runtime, geometries: Iterable[Any], spatial_reference: SpatialReferenceLike | None
    ) -> list[Geometry]:
        """Geometries of this library, converted from other libraries' objects where necessary."""
        return [
            given if isinstance(given, Geometry) else cls.from_geo_interface(runtime, given, spatial_reference)
            for given in geometries
        ]

    @runtime_first_of_class
    @classmethod
    def from_coordinates(
        cls,
        runtime: Runtime,
        kind: GeometryKind,
        xy: npt.ArrayLike,
        *,
        path_offsets: npt.ArrayLike | None = None,
        vertex_offsets: npt.ArrayLike | None = None,
        z: npt.ArrayLike | None = None,
        m: npt.ArrayLike | None = None,
        spatial_reference: SpatialReferenceLike | None = None,
    ) -> Geometry:
        """Creates a geometry from coordinates. Open rings are closed.

        Args:
            runtime: the runtime of the geometry; may be left out.
            kind: the kind of the geometry; not a collection.
            xy: float64 of shape (n, 2), or (2,) for a point.
            path_offsets: for a polygon with several parts: the index of the first ring of each part, and the end index.
            vertex_offsets: the index of the first vertex of each line or ring in `xy`, and the end index. None: there
                is one line or ring.
            z: float64 of shape (n,).
            m: float64 of shape (n,).
            spatial_reference: the spatial reference of the coordinates.

        Raises:
            InvalidArgumentError: the numbers do not form a geometry; the message names the path or the vertex.
        """
        columns, keeps = c_columns(xy, kind, None, None, None, path_offsets, vertex_offsets, z, m)
        handle = _abi.ald_geometry()
        check(
            library().ald_geometry_create,
            runtime._handle,
            columns,
            optional_reference(spatial_reference),
            handle,
        )
        del keeps
        return cls(handle, runtime)

    @runtime_first_of_class
    @classmethod
    def from_envelope(
        cls, runtime: Runtime, envelope: Envelope, spatial_reference: SpatialReferenceLike | None = None
    ) -> Geometry:
        """Creates a polygon with one ring, counterclockwise from the lower left corner."""
        handle = _abi.ald_geometry()
        box = _abi.ald_envelope(envelope.x_min, envelope.y_min, envelope.x_max, envelope.y_max)
        check(
            library().ald_geometry_create_from_envelope,
            runtime._handle,
            box,
            optional_reference(spatial_reference),
            handle,
        )
        return cls(handle, runtime)

    @property
    def kind(self) -> GeometryKind:
        """Point, multipoint, polyline, polygon or collection."""
        return GeometryKind(self._info().kind)

    @property
    def flags(self) -> GeometryFlags:
        """What the geometry has, as flags."""
        return GeometryFlags(self._info().flags)

    @property
    def has_z(self) -> bool:
        """Whether the vertices have heights."""
        return GeometryFlags.HAS_Z in self.flags

    @property
    def has_m(self) -> bool:
        """Whether the vertices have measures."""
        return GeometryFlags.HAS_M in self.flags

    @property
    def is_empty(self) -> bool:
        """Whether the geometry and its members have no vertices."""
        return GeometryFlags.EMPTY in self.flags

    @property
    def part_count(self) -> int:
        """The number of parts: points, lines or polygons."""
        return int(self._info().part_count)

    @property
    def path_count(self) -> int:
        """The number of lines or rings; 1 for points."""
        return int(self._info().path_count)

    @property
    def vertex_count(self) -> int:
        """The number of vertices, including the vertices of a collection's members."""
        return int(self._info().vertex_count)

    @property
    def envelope(self) -> Envelope | None:
        """The box around all vertices; None if the geometry is empty."""
        info = self._info()
        if info.flags & GeometryFlags.EMPTY:
            return None
        box = info.envelope
        return Envelope(box.x_min, box.y_min, box.x_max, box.y_max)

    @property
    def columns(self) -> GeometryColumns:
        """The library's own coordinates and offsets: read-only numpy arrays that keep this object alive.

        A geometry of an array shows the columns of the array; `part_offsets` says which part of them the geometry has.
        """
        columns = _abi.ald_geometry_columns()
        check(library().ald_geometry_get_columns, self._handle, columns)
        return viewed_columns(columns, self)

    @property
    def xy(self) -> npt.NDArray[np.float64]:
        """The vertices, of shape (n, 2), without a copy. The vertices of a collection are in its members."""
        columns = self.columns
        return columns.xy[self._vertices(columns)]

    @property
    def z(self) -> npt.NDArray[np.float64] | None:
        """The z of each vertex; None if the geometry has no z."""
        columns = self.columns
        return None if columns.z is None or not self.has_z else columns.z[self._vertices(columns)]

    @property
    def m(self) -> npt.NDArray[np.float64] | None:
        """The m of each vertex; None if the geometry has no m."""
        columns = self.columns
        return None if columns.m is None or not self.has_m else columns.m[self._vertices(columns)]

    @staticmethod
    def _vertices(columns: GeometryColumns) -> slice:
        paths = columns.path_offsets[columns.part_offsets]
        first, last = columns.vertex_offsets[paths]
        return slice(int(first), int(last))

    @property
    def spatial_reference(self) -> SpatialReference | None:
        """The spatial reference of the coordinates; None if the geometry has none."""
        return attached_reference(library().ald_geometry_get_spatial_reference, self)

    @property
    def members(self) -> tuple[Geometry, ...]:
        """The geometries of a collection."""
        return tuple(self._member(index) for index in range(self._info().member_count))

    def equals(self, other: Geometry) -> bool:
        """Whether both have the same kind, parts, numbers in the same order, members and spatial reference."""
        equal = ctypes.c_uint32()
        check(library().ald_geometry_equals, self._handle, other._handle, ctypes.byref(equal))
        return bool(equal.value)

    def _equals(self, other: Geometry) -> bool:
        return self.equals(other)

    def _hash_key(self) -> Any:
        info = self._info()
        box = info.envelope
        return info.kind, info.vertex_count, None if info.flags & GeometryFlags.EMPTY else (box.x_min, box.y_min)

    def _pickled(self) -> tuple[Any, tuple[Any, ...]]:
        return Geometry.from_wkb, (None, self.to_wkb(), self.spatial_reference)

    def to_wkb(self, *, extended: bool = False, big_endian: bool = False) -> bytes:
        """The geometry as well-known binary: ISO's, or PostGIS's EWKB with an SRID."""
        flags = wkb_flags(extended, big_endian)
        size = ctypes.c_size_t()
        function = library().ald_geometry_get_wkb
        check(function, self._handle, flags, None, 0, ctypes.byref(size))
        buffer = (ctypes.c_uint8 * size.value)()
        check(function, self._handle, flags, buffer, len(buffer), ctypes.byref(size))
        return bytes(buffer)

    def to_wkt(self, *, extended: bool = False, decimals: int | None = None) -> str:
        """The geometry as well-known text.

        Args:
            extended: writes "SRID=4326;" before the text, if the spatial reference has an EPSG code.
            decimals: the number of decimals, 0 to 20. None: as many as are needed to read back the same numbers.
        """
        options = _abi.ald_wkt_options()
        if extended:
            options.flags |= WktFlags.EXTENDED
        if decimals is not None:
            options.flags |= WktFlags.HAS_DECIMALS
            options.decimals = uint32(decimals, "decimals")
        return copied(library().ald_geometry_get_wkt, self._handle, options)

    def to_geojson(self, *, crs_member: bool = False, decimals: int | None = None) -> str:
        """The geometry as GeoJSON (RFC 7946): cut at the antimeridian, with shells counterclockwise and without m.

        Args:
            crs_member: writes the coordinates as they are, in any spatial reference, and names it in a "crs" member.
            decimals: the number of decimals, 0 to 20. None: as many as are needed to read back the same numbers.

        Raises:
            UnsupportedError: the geometry is not in WGS 84, or a polygon that is not valid would have to be cut.
        """
        options = _abi.ald_geojson_options()
        if crs_member:
            options.flags |= GeojsonFlags.CRS_MEMBER
        if decimals is not None:
            options.flags |= GeojsonFlags.HAS_DECIMALS
            options.decimals = uint32(decimals, "decimals")
        return copied(library().ald_geometry_get_geojson, self._handle, options)

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The geometry for other libraries, with its coordinates as they are, in any spatial reference."""
        written: dict[str, Any] = json.loads(self._as_it_is())
        written.pop("crs", None)
        interface: dict[str, Any] = _with_tuples(written)
        return interface

    @property
    def validity(self) -> Validity:
        """Whether the geometry is valid in the sense of OGC. If it is not, why and where."""
        return self._validity(ValidityFlags(0))

    @property
    def is_valid(self) -> bool:
        """Whether the geometry is valid; see `validity`."""
        return self.validity.is_valid

    def validity_with_touching_rings(self) -> Validity:
        """Like `validity`, but rings that touch themselves in a point are valid, as in Esri's polygons."""
        return self._validity(ValidityFlags.TOUCHING_RINGS)

    def repaired(self, method: RepairMethod = RepairMethod.LINEWORK) -> Geometry:
        """Creates a valid geometry from this geometry. A valid geometry is returned unchanged.

        Otherwise the kind may change, and m is lost.
        """
        handle = _abi.ald_geometry()
        check(library().ald_geometry_create_repaired, self._handle, int32(method, "method"), handle)
        return Geometry(handle, self)

    def project(
        self,
        to: SpatialReferenceLike,
        *,
        transformation: Transformation | None = None,
        strict: bool = False,
        only_best: bool = False,
        ignore_vertical: bool = False,
        inverse: bool = False,
        leave_out: bool = False,
    ) -> ProjectedGeometry:
        """Projects the geometry to another spatial reference, vertex by vertex, and reports the operations used.

        >>> point = alidade.Geometry.from_wkt("POINT(400000 500000)", 27700)
        >>> point.project(4326).geometry.to_wkt(decimals=3)
        'POINT (-2.002 54.395)'

        Args:
            to: the spatial reference of the result.
            transformation: the only operation to use. None: the best operation for the position of each vertex.
            strict: refuse vertices for which there is only a ballpark operation.
            only_best: refuse vertices for which the best operation lacks a grid file.
            ignore_vertical: copy z, even if both spatial references have heights.
            inverse: use the transformation in the inverse direction.
            leave_out: leave out vertices without an image: points vanish, lines are cut there; polygons are refused.

        Raises:
            InvalidArgumentError: the geometry has no spatial reference, or the transformation leads elsewhere.
            ProjectionFailedError: a vertex has no image; the message names it. Or there is no operation at all.
            MissingGridError: the transformation lacks grid files, or a vertex has no image because one is missing.
        """
        options = chosen_options(transformation, strict, only_best, ignore_vertical, inverse)
        return project_geometry(self, to, options, leave_out=leave_out)

    def buffer(
        self,
        distance: float,
        *,
        unit: Unit | None = None,
        cap: BufferCap = BufferCap.ROUND,
        join: BufferJoin = BufferJoin.ROUND,
        side: BufferSide = BufferSide.BOTH,
        quadrant_segments: int | None = None,
        maximum_deviation: float | None = None,
        mitre_limit: float = 5.0,
        right_distance: float | None = None,
    ) -> Geometry:
        """Creates a planar buffer: a polygon with all points within a distance in the plane, without z and m.

        Args:
            distance: the distance; a negative distance shrinks polygons.
            unit: the unit of distances; None: the unit of the coordinates.
            cap: how the ends of lines are buffered.
            join: how the outer sides of corners are buffered.
            side: the sides on which lines are buffered.
            quadrant_segments: the number of segments for each right angle of an arc; None: 16, unless maximum_deviation
                is given.
            maximum_deviation: the largest distance between a segment and its arc.
            mitre_limit: the longest mitre, as a multiple of the distance.
            right_distance: the distance on the right of lines, if it differs from the distance on their left.

        Raises:
            InvalidArgumentError: a polygon is not valid, or a length is given for coordinates in degrees.
        """
        options = buffer_options(
            unit, cap, join, side, quadrant_segments, maximum_deviation, mitre_limit, right_distance
        )
        handle = _abi.ald_geometry()
        check(library().ald_geometry_create_buffer, self._handle, distance, options, handle)
        return Geometry(handle, self)

    def _validity(self, flags: ValidityFlags) -> Validity:
        found = _abi.ald_geometry_validity()
        check(library().ald_geometry_get_validity, self._handle, flags, found)
        place = None if found.is_valid else (found.point.x, found.point.y)
        return Validity(bool(found.is_valid), decoded(found.reason), place)

    def _as_it_is(self) -> str:
        """GeoJSON with the coordinates as they are, whatever the spatial reference is."""
        reference = self.spatial_reference
        has_code = reference is None or bool(reference.info.code)
        if has_code:
            return self.to_geojson(crs_member=True)
        bare = Geometry.from_wkb(self._root(), self.to_wkb())
        return bare.to_geojson(crs_member=True)

    def _info(self) -> _abi.ald_geometry_info:
        info = _abi.ald_geometry_info()
        check(library().ald_geometry_get_info, self._handle, info)
        return info

    def _member(self, index: int) -> Geometry:
        handle = _abi.ald_geometry()
        check(library().ald_geometry_create_member, self._handle, index, handle)
        return Geometry(handle, self)

    def _facts(self) -> str:
        info = self._info()
        kind = ("multi-" if info.flags & GeometryFlags.MULTI else "") + GeometryKind(info.kind).name.lower()
        if info.kind == GeometryKind.COLLECTION:
            size = f"of {info.member_count} geometries"
        elif info.flags & GeometryFlags.EMPTY:
            size = "empty"
        elif info.kind == GeometryKind.POINT:
            size = "({:.15g}, {:.15g})".format(*self.xy[0])
        else:
            size = f"of {info.vertex_count} vertices"
        return f"{kind} {size}, {label(self.spatial_reference)}"

    def _repr_svg_(self) -> str | None:
        return svg([self], self.envelope, self.vertex_count)

    def plot(self, axes: Any = None, **style: Any) -> Any:
        """Draws the geometry with matplotlib, in the plane of its coordinates. Returns the axes.

        Args:
            axes: the axes to draw on; None: new ones.
            style: the style of the patches, such as `color` and `linewidth`.

        Raises:
            ImportError: matplotlib is not installed.
        """
        from .._map.plots import plot_geometries

        return plot_geometries([self], axes, style)


def _with_tuples(value: Any) -> Any:
    """Coordinates as tuples, as in the `__geo_interface__` of other libraries."""
    if isinstance(value, dict):
        return {
            name: [_with_tuples(part) for part in item] if name == "geometries" else _with_tuples(item)
            for name, item in value.items()
        }
    return tuple(_with_tuples(part) for part in value) if isinstance(value, list) else value


def wkb_flags(extended: bool, big_endian: bool) -> WkbFlags:
    return (WkbFlags.EXTENDED if extended else WkbFlags(0)) | (WkbFlags.BIG_ENDIAN if big_endian else WkbFlags(0))


def attached_reference(function: Any, owner: Handle) -> SpatialReference | None:
    """The borrowed spatial reference that a C function returns; None if the object has none."""
    handle = _abi.ald_spatial_reference()
    try:
        check(function, owner._handle, handle)
    except AlidadeError as error:
        if error.status is not _abi.Status.NOT_READY:
            raise
        return None
    return SpatialReference._of(handle, keeps=owner, is_lent=True)

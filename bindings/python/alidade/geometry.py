"""Geometries: points, lines and polygons with their spatial reference."""

from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass
from typing import Any, Iterable, Mapping

import numpy as np
import numpy.typing as npt

from . import _abi
from ._abi import GeojsonFlags, GeometryFlags, GeometryKind, RepairMethod, ValidityFlags, WkbFlags, WktFlags
from ._geometry_columns import GeometryColumns, c_columns, viewed_columns
from ._geo_interface import Buffer, geojson_text, interface_text, wkb_bytes
from ._geometry_operations import GeometryOperations
from ._handle import Handle
from ._library import library
from ._numbers import int32, uint32
from ._text import copied, decoded, encoded
from .errors import AlidadeError, check
from .geodesic_buffer import GeodesicBufferMethods
from .geometry_projection import ProjectedGeometry, chosen_options, gather, project_geometry
from .measures import GeometryMeasures
from .planar_buffer import BufferCap, BufferJoin, BufferSide, Unit, buffer_options
from .projection import ProjectionReceipt
from .raster_info import Envelope
from .runtime import Runtime
from .spatial_reference import SpatialReference, optional_reference
from .transformation import Transformation


@dataclass(frozen=True)
class Validity:
    """Whether a geometry is valid, and if not, why and where. True if it is."""

    is_valid: bool
    # GEOS's words, such as "Self-intersection"; empty if it is valid.
    reason: str
    # (x, y); None if it is valid.
    place: tuple[float, float] | None

    def __bool__(self) -> bool:
        return self.is_valid


class Geometry(GeodesicBufferMethods, GeometryMeasures, GeometryOperations, Handle):
    """A geometry: an immutable value.

    A polyline has a part for each line, a polygon a part for each polygon, whose paths are the shell and then the
    holes. A collection has members. Two objects are `==` if they name the same geometry of the library; `equals`
    compares the values.
    """

    _release_function = "ald_geometry_release"
    # How what it was made of was projected; None if it was not.
    projection_receipt: ProjectionReceipt | None = None

    def __init__(self, handle: _abi.ald_geometry, keeps: Handle) -> None:
        super().__init__(handle, keeps=keeps)

    @classmethod
    def from_wkb(cls, runtime: Runtime, wkb: Buffer, spatial_reference: SpatialReference | None = None) -> Geometry:
        """The geometry of well-known binary: OGC's, ISO's or PostGIS's EWKB.

        Args:
            runtime: what the geometry hangs on.
            wkb: the bytes: bytes, a bytearray or a memoryview.
            spatial_reference: what the coordinates are in; None: EPSG's for the SRID, if there is one.

        Raises:
            InvalidArgumentError: the bytes are no WKB; the message names the byte.
            UnsupportedError: they are of a curve or a surface.
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

    @classmethod
    def from_wkt(cls, runtime: Runtime, wkt: str, spatial_reference: SpatialReference | None = None) -> Geometry:
        """The geometry of well-known text: ISO's, the older form without marks, or PostGIS's with an SRID in front.

        Args:
            runtime: what the geometry hangs on.
            wkt: the text.
            spatial_reference: what the coordinates are in; None: EPSG's for the SRID, if there is one.

        Raises:
            InvalidArgumentError: the text is no WKT; the message names the line and character.
            UnsupportedError: it is of a curve or a surface.
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

    @classmethod
    def from_geojson(
        cls,
        runtime: Runtime,
        geojson: str | Mapping[str, Any],
        spatial_reference: SpatialReference | None = None,
    ) -> Geometry:
        """The geometry of GeoJSON (RFC 7946): of a geometry or of a feature.

        Args:
            runtime: what the geometry hangs on.
            geojson: the text, or the same as `json.loads` makes it, such as another object's `__geo_interface__`.
            spatial_reference: what the coordinates are in; None: EPSG:4326, or what a "crs" member says.

        Raises:
            InvalidArgumentError: that is no GeoJSON of one geometry; the message names the path, line and character.
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

    @classmethod
    def from_geo_interface(
        cls, runtime: Runtime, thing: Any, spatial_reference: SpatialReference | None = None
    ) -> Geometry:
        """The geometry that another library's object, such as Shapely's, shows as `__geo_interface__`.

        Args:
            runtime: what the geometry hangs on.
            thing: the object, or a mapping of that form: of a geometry or of a feature.
            spatial_reference: what the coordinates are in; None: nothing is known of it, as the object does not say.

        Raises:
            InvalidArgumentError: that is no geometry.
            TypeError: the object has no `__geo_interface__`, and is no mapping.
        """
        return cls.from_geojson(runtime, interface_text(thing), spatial_reference)

    @classmethod
    def collection(
        cls, runtime: Runtime, geometries: Iterable[Any], spatial_reference: SpatialReference | None = None
    ) -> Geometry:
        """A collection of geometries, in the spatial reference of the first one.

        Those in another one are projected to it; `projection_receipt` of the collection tells how.

        Args:
            runtime: what the collection hangs on.
            geometries: geometries, or objects of other libraries that have a `__geo_interface__`.
            spatial_reference: what the coordinates of such objects are in.

        Raises:
            InvalidArgumentError: some have a spatial reference and others have none.
            ProjectionFailedError: a vertex cannot be projected; the message names it.
        """
        handle = _abi.ald_geometry()
        function = library().ald_geometry_create_collection
        receipt = gather(function, runtime, cls._made(runtime, geometries, spatial_reference), handle)
        made = cls(handle, runtime)
        made.projection_receipt = receipt
        return made

    @classmethod
    def _made(
        cls, runtime: Runtime, geometries: Iterable[Any], spatial_reference: SpatialReference | None
    ) -> list[Geometry]:
        """Geometries of the library, made where they are another's."""
        return [
            given if isinstance(given, Geometry) else cls.from_geo_interface(runtime, given, spatial_reference)
            for given in geometries
        ]

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
        spatial_reference: SpatialReference | None = None,
    ) -> Geometry:
        """A geometry from coordinates. Open rings are closed.

        Args:
            runtime: what the geometry hangs on.
            kind: what it is; not a collection.
            xy: float64 of shape (n, 2), or (2,) for a point.
            path_offsets: of a polygon with several parts: where the rings of each begin, and one number more.
            vertex_offsets: where the lines or rings begin in `xy`, and one number more; None: it is one.
            z: float64 of shape (n,).
            m: float64 of shape (n,).
            spatial_reference: what the coordinates are in.

        Raises:
            InvalidArgumentError: that is no geometry; the message names the path or the vertex.
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

    @classmethod
    def from_envelope(
        cls, runtime: Runtime, envelope: Envelope, spatial_reference: SpatialReference | None = None
    ) -> Geometry:
        """A polygon of one ring, counterclockwise from the lower left corner."""
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
        return GeometryKind(self._info().kind)

    @property
    def flags(self) -> GeometryFlags:
        return GeometryFlags(self._info().flags)

    @property
    def has_z(self) -> bool:
        return GeometryFlags.HAS_Z in self.flags

    @property
    def has_m(self) -> bool:
        return GeometryFlags.HAS_M in self.flags

    @property
    def is_empty(self) -> bool:
        """There is no vertex, in no member either."""
        return GeometryFlags.EMPTY in self.flags

    @property
    def part_count(self) -> int:
        return int(self._info().part_count)

    @property
    def path_count(self) -> int:
        """Lines, rings, or 1 for points."""
        return int(self._info().path_count)

    @property
    def vertex_count(self) -> int:
        """Those of a collection's members counted in."""
        return int(self._info().vertex_count)

    @property
    def envelope(self) -> Envelope | None:
        """The box around all vertices; None if there is none."""
        info = self._info()
        if info.flags & GeometryFlags.EMPTY:
            return None
        box = info.envelope
        return Envelope(box.x_min, box.y_min, box.x_max, box.y_max)

    @property
    def columns(self) -> GeometryColumns:
        """Coordinates and offsets as they lie in the library: read-only numpy arrays that keep this object alive.

        For a geometry of an array they are those of the array, of which `part_offsets` says which part it has.
        """
        columns = _abi.ald_geometry_columns()
        check(library().ald_geometry_get_columns, self._handle, columns)
        return viewed_columns(columns, self)

    @property
    def xy(self) -> npt.NDArray[np.float64]:
        """The vertices, (n, 2), as they lie in the library; those of a collection are in its members."""
        columns = self.columns
        return columns.xy[self._vertices(columns)]

    @property
    def z(self) -> npt.NDArray[np.float64] | None:
        """The z of each vertex; None if there is none."""
        columns = self.columns
        return None if columns.z is None or not self.has_z else columns.z[self._vertices(columns)]

    @property
    def m(self) -> npt.NDArray[np.float64] | None:
        """The m of each vertex; None if there is none."""
        columns = self.columns
        return None if columns.m is None or not self.has_m else columns.m[self._vertices(columns)]

    @staticmethod
    def _vertices(columns: GeometryColumns) -> slice:
        paths = columns.path_offsets[columns.part_offsets]
        first, last = columns.vertex_offsets[paths]
        return slice(int(first), int(last))

    @property
    def spatial_reference(self) -> SpatialReference | None:
        return attached_reference(library().ald_geometry_spatial_reference, self)

    @property
    def members(self) -> tuple[Geometry, ...]:
        """The geometries of a collection."""
        return tuple(self._member(index) for index in range(self._info().member_count))

    def equals(self, other: Geometry) -> bool:
        """Whether both have the same kind, parts, numbers in the same order, members and spatial reference."""
        equal = ctypes.c_uint32()
        check(library().ald_geometry_equals, self._handle, other._handle, ctypes.byref(equal))
        return bool(equal.value)

    def to_wkb(self, *, extended: bool = False, big_endian: bool = False) -> bytes:
        """The geometry as well-known binary: ISO's, or PostGIS's EWKB with an SRID."""
        flags = wkb_flags(extended, big_endian)
        size = ctypes.c_size_t()
        function = library().ald_geometry_wkb
        check(function, self._handle, flags, None, 0, ctypes.byref(size))
        buffer = (ctypes.c_uint8 * size.value)()
        check(function, self._handle, flags, buffer, len(buffer), ctypes.byref(size))
        return bytes(buffer)

    def to_wkt(self, *, extended: bool = False, decimals: int | None = None) -> str:
        """The geometry as well-known text.

        Args:
            extended: puts "SRID=4326;" in front, if the spatial reference has an EPSG code.
            decimals: places behind the point, 0 to 20; None: as many as it takes to read the same numbers again.
        """
        options = _abi.ald_wkt_options()
        if extended:
            options.flags |= WktFlags.EXTENDED
        if decimals is not None:
            options.flags |= WktFlags.HAS_DECIMALS
            options.decimals = uint32(decimals, "decimals")
        return copied(library().ald_geometry_wkt, self._handle, options)

    def to_geojson(self, *, crs_member: bool = False, decimals: int | None = None) -> str:
        """The geometry as GeoJSON (RFC 7946): cut at the antimeridian, shells counterclockwise; m is left out.

        Args:
            crs_member: writes coordinates in any spatial reference as they are, and names it in a "crs" member.
            decimals: places behind the point, 0 to 20; None: as many as it takes to read the same numbers again.

        Raises:
            UnsupportedError: the geometry is not in WGS 84, or a polygon that is not valid would have to be cut.
        """
        options = _abi.ald_geojson_options()
        if crs_member:
            options.flags |= GeojsonFlags.CRS_MEMBER
        if decimals is not None:
            options.flags |= GeojsonFlags.HAS_DECIMALS
            options.decimals = uint32(decimals, "decimals")
        return copied(library().ald_geometry_geojson, self._handle, options)

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """What other libraries take for a geometry; coordinates as they are, in any spatial reference."""
        written = json.loads(self._as_it_is())
        written.pop("crs", None)
        return _with_tuples(written)

    @property
    def validity(self) -> Validity:
        """Whether the geometry is valid in the sense of OGC, and if not, why and where."""
        return self._validity(ValidityFlags(0))

    @property
    def is_valid(self) -> bool:
        return self.validity.is_valid

    def validity_with_touching_rings(self) -> Validity:
        """The same, with rings that touch themselves in a point, as Esri's polygons have them, for valid."""
        return self._validity(ValidityFlags.TOUCHING_RINGS)

    def repaired(self, method: RepairMethod = RepairMethod.LINEWORK) -> Geometry:
        """A valid geometry of one that is not; a valid one comes out as it is. The kind may change, and m is lost."""
        handle = _abi.ald_geometry()
        check(library().ald_geometry_create_repaired, self._handle, int32(method, "method"), handle)
        return Geometry(handle, self)

    def project(
        self,
        to: SpatialReference,
        *,
        transformation: Transformation | None = None,
        strict: bool = False,
        only_best: bool = False,
        ignore_vertical: bool = False,
        inverse: bool = False,
        leave_out: bool = False,
    ) -> ProjectedGeometry:
        """The geometry in another spatial reference, vertex by vertex, and what was used.

        Args:
            to: what it is to be in.
            transformation: the one operation that is used; None: for each vertex what is best for its place.
            strict: refuse vertices for which there is only a ballpark operation.
            only_best: refuse vertices for which the best operation lacks a grid file.
            ignore_vertical: copy z, also where both sides have heights.
            inverse: take the transformation backwards.
            leave_out: leave out vertices without an image: points vanish, lines are cut there; polygons are refused.

        Raises:
            InvalidArgumentError: the geometry has no spatial reference, or the transformation leads elsewhere.
            ProjectionFailedError: a vertex has no image; the message names it. Or there is no operation at all.
            MissingGridError: the transformation lacks grid files, or a vertex has no image for want of one.
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
        """All that lies within a distance in the plane of the coordinates, as a polygon without z and m.

        Args:
            distance: how far; a negative one shrinks polygons.
            unit: what distances are in; None: the unit of the coordinates.
            cap: how the ends of lines are buffered.
            join: how the outer sides of corners are buffered.
            side: on which sides lines are buffered.
            quadrant_segments: segments to a right angle of an arc; None: 16, unless maximum_deviation says it.
            maximum_deviation: how far a segment may be from its arc.
            mitre_limit: how many times the distance a mitre may be long.
            right_distance: the distance on the right of lines, where it is another one than on their left.

        Raises:
            InvalidArgumentError: a polygon is not valid, or a length is to be buffered in degrees.
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
        place = None if found.is_valid else (found.place.x, found.place.y)
        return Validity(bool(found.is_valid), decoded(found.reason), place)

    def _as_it_is(self) -> str:
        """GeoJSON without regard to the spatial reference."""
        reference = self.spatial_reference
        has_code = reference is None or bool(reference.info.code)
        if has_code:
            return self.to_geojson(crs_member=True)
        bare = Geometry.from_wkb(self._runtime(), self.to_wkb())
        return bare.to_geojson(crs_member=True)

    def _runtime(self) -> Runtime:
        owner: Handle | None = self
        while owner is not None and not isinstance(owner, Runtime):
            owner = owner._keeps
        if owner is None:
            raise RuntimeError("the geometry does not know its runtime")
        return owner

    def _info(self) -> _abi.ald_geometry_info:
        info = _abi.ald_geometry_info()
        check(library().ald_geometry_get_info, self._handle, info)
        return info

    def _member(self, index: int) -> Geometry:
        handle = _abi.ald_geometry()
        check(library().ald_geometry_create_member, self._handle, index, handle)
        return Geometry(handle, self)

    def __repr__(self) -> str:
        return self._repr(f"{self._handle.id:#x}")


def _with_tuples(value: Any) -> Any:
    """Coordinates as tuples, as others' `__geo_interface__` has them."""
    if isinstance(value, dict):
        return {
            name: [_with_tuples(part) for part in item] if name == "geometries" else _with_tuples(item)
            for name, item in value.items()
        }
    return tuple(_with_tuples(part) for part in value) if isinstance(value, list) else value


def wkb_flags(extended: bool, big_endian: bool) -> WkbFlags:
    return (WkbFlags.EXTENDED if extended else WkbFlags(0)) | (WkbFlags.BIG_ENDIAN if big_endian else WkbFlags(0))


def attached_reference(function: Any, owner: Handle) -> SpatialReference | None:
    """The spatial reference that a C function lends; None if there is none."""
    handle = _abi.ald_spatial_reference()
    try:
        check(function, owner._handle, handle)
    except AlidadeError as error:
        if error.status is not _abi.Status.NOT_READY:
            raise
        return None
    return SpatialReference._of(handle, keeps=owner, is_lent=True)

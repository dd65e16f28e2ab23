"""Geometry arrays: many geometries behind one handle, and their columns as numpy arrays."""

from __future__ import annotations

import ctypes
from typing import Any, Iterable, Iterator, Mapping, Sequence, overload

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import BufferCap, BufferJoin, BufferSide, GeometryKind, Predicate, Unit
from .._base import arrays
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import uint32
from .._base.pictures import svg
from .._base.runtime import Runtime
from .._base.runtime_first import runtime_first_of_class
from .._base.text import encoded
from .._base.values import Value
from .._coordinates.envelope import Envelope
from .._coordinates.projection import ProjectionReceipt
from .._coordinates.spatial_reference import SpatialReference, SpatialReferenceLike, label, optional_reference
from .._coordinates.transformation import Transformation
from .._library import library
from .arrow import ArrowExport, imported
from .geo_interface import Buffer, crs_of, geojson_text, interface_text, wkb_bytes
from .geodesic_buffer_array import GeodesicBufferArrayMethods
from .geometry import Geometry, attached_reference, wkb_flags
from .geometry_columns import GeometryColumns, c_columns, viewed_columns
from .geometry_operations import GeometryArrayOperations
from .geometry_projection import ProjectedGeometryArray, chosen_options, gather, missing_images, project_array
from .measures import GeometryArrayMeasures
from .planar_buffer import buffer_distances, buffer_options


class GeometryArray(
    GeodesicBufferArrayMethods, GeometryArrayMeasures, GeometryArrayOperations, ArrowExport, Value, Sequence[Geometry]
):
    """Many geometries with one spatial reference: an immutable value, and a sequence of `Geometry`.

    For libraries that read Arrow it is an Arrow array.

    >>> points = alidade.GeometryArray.from_columns([(0, 0), (1, 1), (5, 5)], kind=alidade.geometry.GeometryKind.POINT)
    >>> zone = alidade.Geometry.from_wkt("POLYGON((-1 -1, 2 -1, 2 2, -1 2, -1 -1))")
    >>> points.within(zone)
    array([ True,  True, False])
    >>> points[points.within(zone)]
    <GeometryArray of 2 geometries with 2 vertices, no spatial reference>
    >>> points.buffers([1, 2, 3]).areas().round(1).tolist()
    [3.1, 12.5, 28.2]
    """

    _release_function = "ald_geometry_array_release"
    _export_function = "ald_geometry_array_export_arrow"
    _pickled_facts = ("buffer_report",)
    # The receipt of projecting the geometries that it was created from; None if none was projected.
    projection_receipt: ProjectionReceipt | None = None

    def __init__(self, handle: _abi.ald_geometry_array, keeps: Handle) -> None:
        super().__init__(handle, keeps=keeps)

    @runtime_first_of_class
    @classmethod
    def from_wkb(
        cls, runtime: Runtime, geometries: Iterable[Buffer], spatial_reference: SpatialReferenceLike | None = None
    ) -> GeometryArray:
        """Creates an array from many WKBs.

        Args:
            runtime: the runtime of the array; may be left out.
            geometries: a WKB for each geometry: bytes, a bytearray or a memoryview, as from GeoPandas' `to_wkb`.
            spatial_reference: the spatial reference of the coordinates. None: the SRID, if there is one, as an EPSG
                code.

        Raises:
            InvalidArgumentError: an entry is not WKB; the message names the geometry and the byte.
            UnsupportedError: an entry contains a curve or a surface.
        """
        given = [wkb_bytes(wkb) for wkb in geometries]
        sizes = np.fromiter((len(wkb) for wkb in given), dtype=np.uint64, count=len(given))
        offsets = np.zeros(len(given) + 1, dtype=np.uint64)
        np.cumsum(sizes, out=offsets[1:])
        return cls.from_wkb_buffer(runtime, b"".join(given), offsets, spatial_reference)

    @runtime_first_of_class
    @classmethod
    def from_wkb_buffer(
        cls,
        runtime: Runtime,
        wkb: Buffer | npt.NDArray[np.uint8],
        offsets: npt.ArrayLike,
        spatial_reference: SpatialReferenceLike | None = None,
    ) -> GeometryArray:
        """Creates an array from WKBs in one buffer.

        `offsets` are the positions at which each geometry begins, and the position at which the last one ends.
        """
        given = wkb if isinstance(wkb, np.ndarray) else np.frombuffer(wkb_bytes(wkb), dtype=np.uint8)
        data = np.ascontiguousarray(given, np.uint8)
        starts = np.ascontiguousarray(offsets, dtype=np.uint64)
        if data.ndim != 1 or starts.ndim != 1 or len(starts) == 0:
            raise ValueError("wkb must be one-dimensional, and offsets must have one number more than geometries")
        handle = _abi.ald_geometry_array()
        check(
            library().ald_geometry_array_create_from_wkb,
            runtime._handle,
            arrays.address(data),
            len(data),
            arrays.address(starts),
            len(starts) - 1,
            optional_reference(spatial_reference),
            handle,
        )
        return cls(handle, runtime)

    @runtime_first_of_class
    @classmethod
    def from_arrow(
        cls, runtime: Runtime, data: Any, spatial_reference: SpatialReferenceLike | None = None
    ) -> GeometryArray:
        """Creates an array from an object with the Arrow PyCapsule interface: an array, a stream or a table.

        Well-known binary and text and all types of GeoArrow are read, and of a table the first column that has such a
        type: `GeometryArray.from_arrow(runtime, gdf.to_arrow())`. A null becomes an empty geometry.

        Args:
            runtime: the runtime of the array.
            data: the object; `__arrow_c_array__` or `__arrow_c_stream__`.
            spatial_reference: the spatial reference of the coordinates. None: the one that the Arrow type names, if it
                names one.

        Raises:
            UnsupportedError: there are no geometries, or their type is not read.
        """
        batches = []
        for schema, array in imported(data):
            handle = _abi.ald_geometry_array()
            reference = optional_reference(spatial_reference)
            check(library().ald_geometry_array_create_from_arrow, runtime._handle, schema, array, reference, handle)
            batches.append(cls(handle, runtime))
        if len(batches) == 1:
            return batches[0]
        return cls.from_geometries(runtime, [geometry for batch in batches for geometry in batch], spatial_reference)

    @runtime_first_of_class
    @classmethod
    def from_geojson(
        cls,
        runtime: Runtime,
        geojson: str | Mapping[str, Any],
        spatial_reference: SpatialReferenceLike | None = None,
    ) -> GeometryArray:
        """Creates an array from GeoJSON (RFC 7946): from a collection of features, one feature, or one geometry.

        A feature without a geometry becomes an empty collection, so that the other features keep their indexes.

        Args:
            runtime: the runtime of the array; may be left out.
            geojson: the text, or the result of `json.loads` for it.
            spatial_reference: the spatial reference of the coordinates. None: a "crs" member names it; without one it
                is EPSG:4326.

        Raises:
            InvalidArgumentError: the text is not GeoJSON; the message names the path, line and character.
        """
        handle = _abi.ald_geometry_array()
        check(
            library().ald_geometry_array_create_from_geojson,
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
    ) -> GeometryArray:
        """Creates an array from the `__geo_interface__` of another library's object, such as GeoPandas'.

        For many geometries WKB is faster: `from_wkb(runtime, series.to_wkb(), ...)`.

        Args:
            runtime: the runtime of the array; may be left out.
            thing: the object, or a mapping of that form, for a collection of features, one feature or one geometry.
            spatial_reference: the spatial reference of the coordinates. None: the object's `crs`, as GeoPandas has it.
                Without one, the array has no spatial reference.

        Raises:
            InvalidArgumentError: the content is not GeoJSON.
            TypeError: the object has no `__geo_interface__`, and is not a mapping.
        """
        own = crs_of(thing) if spatial_reference is None else spatial_reference
        return cls.from_geojson(runtime, interface_text(thing), own)

    @runtime_first_of_class
    @classmethod
    def from_geometries(
        cls, runtime: Runtime, geometries: Iterable[Any], spatial_reference: SpatialReferenceLike | None = None
    ) -> GeometryArray:
        """Creates an array of geometries, in the spatial reference of the first geometry.

        Geometries in another spatial reference are projected to it; `projection_receipt` reports how.

        Args:
            runtime: the runtime of the array; may be left out.
            geometries: geometries, or objects of other libraries that have a `__geo_interface__`.
            spatial_reference: the spatial reference of such objects.

        Raises:
            InvalidArgumentError: some geometries have a spatial reference and others have none.
            ProjectionFailedError: a vertex cannot be projected; the message names it.
        """
        handle = _abi.ald_geometry_array()
        function = library().ald_geometry_array_create_from_geometries
        receipt = gather(function, runtime, Geometry._made(runtime, geometries, spatial_reference), handle)
        made = cls(handle, runtime)
        made._state(projection_receipt=receipt)
        return made

    @runtime_first_of_class
    @classmethod
    def from_columns(
        cls,
        runtime: Runtime,
        xy: npt.ArrayLike,
        *,
        kind: GeometryKind | None = None,
        kinds: npt.ArrayLike | None = None,
        flags: npt.ArrayLike | None = None,
        part_offsets: npt.ArrayLike | None = None,
        path_offsets: npt.ArrayLike | None = None,
        vertex_offsets: npt.ArrayLike | None = None,
        z: npt.ArrayLike | None = None,
        m: npt.ArrayLike | None = None,
        spatial_reference: SpatialReferenceLike | None = None,
    ) -> GeometryArray:
        """Creates an array from coordinates and offsets in the layout of GeoArrow. Open rings are closed.

        Args:
            runtime: the runtime of the array; may be left out.
            xy: float64 of shape (n, 2), the vertices of all geometries. The rows need no extra copy if they lie at
                least 16 bytes apart.
            kind: the kind of all geometries. None: `kinds` has the kind of each geometry.
            kinds: a GeometryKind for each geometry.
            flags: GeometryFlags for each geometry. None: all have a z if `z` is given, and an m if `m` is given.
            part_offsets: the index of the first part of each geometry, and the end index.
            path_offsets: the index of the first path of each part, and the end index.
            vertex_offsets: the index of the first vertex of each path, and the end index.
            z: float64 of shape (n,).
            m: float64 of shape (n,).
            spatial_reference: the spatial reference of the coordinates.

        Offsets may be None if `kind` is given. Each point then has one vertex, and each path of a polyline is a line of
        its own. For other kinds all vertices belong to one geometry.

        Raises:
            InvalidArgumentError: the columns do not fit together; the message names the geometry.
        """
        columns, keeps = c_columns(xy, kind, kinds, flags, part_offsets, path_offsets, vertex_offsets, z, m)
        handle = _abi.ald_geometry_array()
        check(
            library().ald_geometry_array_create,
            runtime._handle,
            columns,
            optional_reference(spatial_reference),
            handle,
        )
        del keeps
        return cls(handle, runtime)

    @property
    def columns(self) -> GeometryColumns:
        """The library's own coordinates and offsets: read-only numpy arrays that keep this object alive."""
        columns = _abi.ald_geometry_columns()
        check(library().ald_geometry_array_get_columns, self._handle, columns)
        return viewed_columns(columns, self)

    @property
    def envelope(self) -> Envelope | None:
        """The box around all geometries; None if all are empty."""
        box = self._info().envelope
        return None if np.isnan(box.x_min) else Envelope(box.x_min, box.y_min, box.x_max, box.y_max)

    @property
    def vertex_count(self) -> int:
        """The number of vertices, not including the vertices of members of collections."""
        return int(self._info().vertex_count)

    @property
    def spatial_reference(self) -> SpatialReference | None:
        """The spatial reference of the coordinates; None if the array has none."""
        return attached_reference(library().ald_geometry_array_get_spatial_reference, self)

    def __len__(self) -> int:
        return int(self._info().geometry_count)

    @overload
    def __getitem__(self, index: int) -> Geometry: ...
    @overload
    def __getitem__(self, index: slice | npt.NDArray[Any] | Sequence[bool] | Sequence[int]) -> GeometryArray: ...
    def __getitem__(self, index: Any) -> Geometry | GeometryArray:
        """One geometry of the array, which shares the columns of the array, or an array of several geometries.

        Args:
            index: an index; or a slice, a mask with a bool for each geometry, or a sequence of indexes, as in numpy.

        Raises:
            IndexError: an index is out of range, or the mask has another length than the array.
        """
        if isinstance(index, slice) or np.ndim(index):
            return self._chosen(np.arange(len(self))[index if isinstance(index, slice) else _selection(index)])
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"geometry {index} of {count}")
        handle = _abi.ald_geometry()
        position = uint32(index % count, "index")
        check(library().ald_geometry_array_create_geometry, self._handle, position, handle)
        return Geometry(handle, self)

    def _chosen(self, indexes: npt.NDArray[Any]) -> GeometryArray:
        wkb, offsets = self.to_wkb_buffer()
        data, starts, ends = wkb.data, offsets[:-1][indexes].tolist(), offsets[1:][indexes].tolist()
        chosen = b"".join(data[start:end] for start, end in zip(starts, ends))
        sizes = np.diff(offsets)[indexes]
        places = np.concatenate((np.zeros(1, np.uint64), np.cumsum(sizes, dtype=np.uint64)))
        return GeometryArray.from_wkb_buffer(self._root(), chosen, places, self.spatial_reference)

    def _equals(self, other: GeometryArray) -> bool:
        reference, its = self.spatial_reference, other.spatial_reference
        own, others = self.to_wkb_buffer(), other.to_wkb_buffer()
        return reference == its and np.array_equal(own[0], others[0]) and np.array_equal(own[1], others[1])

    def _hash_key(self) -> Any:
        info = self._info()
        return info.geometry_count, info.vertex_count

    def _pickled(self) -> tuple[Any, tuple[Any, ...]]:
        return GeometryArray.from_wkb_buffer, (None, *self.to_wkb_buffer(), self.spatial_reference)

    @property
    def is_empty(self) -> npt.NDArray[np.bool_]:
        """Whether each geometry has no vertices."""
        columns = self.columns
        vertices = columns.vertex_offsets[columns.path_offsets[columns.part_offsets]]
        empty: npt.NDArray[np.bool_] = np.diff(vertices) == 0
        # The vertices of collections are in their members.
        for index in np.flatnonzero(columns.kinds == GeometryKind.COLLECTION).tolist():
            empty[index] = self[index].is_empty
        return empty

    @property
    def is_valid(self) -> npt.NDArray[np.bool_]:
        """Whether each geometry is valid in the sense of OGC."""
        return np.fromiter((geometry.is_valid for geometry in self), dtype=bool, count=len(self))

    def intersects(self, other: Geometry) -> npt.NDArray[np.bool_]:
        """Whether each geometry has a point in common with another geometry. `array[array.intersects(zone)]` selects.

        :raises InvalidArgumentError: the other geometry or one of the array is not valid.
        """
        return self._tests(Predicate.INTERSECTS, other)

    def disjoint(self, other: Geometry) -> npt.NDArray[np.bool_]:
        """Whether each geometry has no point in common with another geometry."""
        return self._tests(Predicate.DISJOINT, other)

    def within(self, other: Geometry) -> npt.NDArray[np.bool_]:
        """Whether each geometry lies in another geometry, and their interiors meet."""
        return self._tests(Predicate.CONTAINS, other)

    def covered_by(self, other: Geometry) -> npt.NDArray[np.bool_]:
        """Whether no point of each geometry lies outside of another geometry."""
        return self._tests(Predicate.COVERS, other)

    def contains(self, other: Geometry) -> npt.NDArray[np.bool_]:
        """Whether another geometry lies in each geometry, and their interiors meet."""
        return self._tests(Predicate.WITHIN, other)

    def within_distance(self, other: Geometry, distance: float) -> npt.NDArray[np.bool_]:
        """Whether each geometry lies within a distance of another, in the unit of the other's spatial reference."""
        return other.prepared().test_array_distance(distance, self).results.astype(bool)

    def _tests(self, predicate: Predicate, other: Geometry) -> npt.NDArray[np.bool_]:
        """The other geometry is the first of the predicate."""
        return other.prepared().test_array(predicate, self).results.astype(bool)

    def __iter__(self) -> Iterator[Geometry]:
        return (self[index] for index in range(len(self)))

    def to_wkb_buffer(
        self, *, extended: bool = False, big_endian: bool = False
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint64]]:
        """All geometries as well-known binary in one buffer, and offsets: where each begins and where the last ends."""
        flags = wkb_flags(extended, big_endian)
        size = ctypes.c_size_t()
        function = library().ald_geometry_array_get_wkb
        check(function, self._handle, flags, None, 0, ctypes.byref(size), None, 0)
        data = np.empty(size.value, dtype=np.uint8)
        offsets = np.empty(len(self) + 1, dtype=np.uint64)
        # An empty numpy array has an address, too: the buffer is there.
        check(
            function,
            self._handle,
            flags,
            arrays.address(data),
            len(data),
            ctypes.byref(size),
            arrays.address(offsets),
            len(offsets),
        )
        return data, offsets

    def to_wkb(self, *, extended: bool = False, big_endian: bool = False) -> list[bytes]:
        """Each geometry as well-known binary."""
        data, offsets = self.to_wkb_buffer(extended=extended, big_endian=big_endian)
        return [data[start:end].tobytes() for start, end in zip(offsets[:-1].tolist(), offsets[1:].tolist())]

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The geometries for other libraries: a collection of features, with the coordinates as they are."""
        features = [
            {"id": str(index), "type": "Feature", "properties": {}, "geometry": geometry.__geo_interface__}
            for index, geometry in enumerate(self)
        ]
        return {"type": "FeatureCollection", "features": features}

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
        empty_failed: bool = False,
    ) -> ProjectedGeometryArray:
        """Projects the geometries to another spatial reference, on all cores; see Geometry.project.

        Args:
            to: the spatial reference of the result.
            transformation: the only operation to use. None: the best operation for the position of each vertex.
            strict: refuse vertices for which there is only a ballpark operation.
            only_best: refuse vertices for which the best operation lacks a grid file.
            ignore_vertical: copy z, even if both spatial references have heights.
            inverse: use the transformation in the inverse direction.
            leave_out: leave out vertices without an image: points vanish, lines are cut there; polygons are refused.
            empty_failed: a geometry that cannot be projected becomes an empty one, and the others are projected.

        Raises:
            InvalidArgumentError: the array has no spatial reference, or the transformation leads elsewhere.
            ProjectionFailedError: a vertex has no image; the message names it. Or there is no operation at all.
            MissingGridError: the transformation lacks grid files, or a vertex has no image because one is missing.
        """
        options = chosen_options(transformation, strict, only_best, ignore_vertical, inverse)
        return project_array(self, to, options, missing_images(leave_out, empty_failed))

    def buffers(
        self,
        distances: npt.ArrayLike,
        *,
        unit: Unit | None = None,
        cap: BufferCap = BufferCap.ROUND,
        join: BufferJoin = BufferJoin.ROUND,
        side: BufferSide = BufferSide.BOTH,
        quadrant_segments: int | None = None,
        maximum_deviation: float | None = None,
        mitre_limit: float = 5.0,
        right_distance: float | None = None,
    ) -> GeometryArray:
        """Creates the planar buffer around each geometry, as `Geometry.buffer` does.

        Args:
            distances: a number, or a distance for each geometry. If there are fewer distances, the last one applies to
                all remaining geometries.
            unit, cap, join, side, quadrant_segments, maximum_deviation, mitre_limit, right_distance: as in
                `Geometry.buffer`.

        Raises:
            InvalidArgumentError: there are more distances than geometries, or a geometry cannot be buffered; the
                message names it.
        """
        options = buffer_options(
            unit, cap, join, side, quadrant_segments, maximum_deviation, mitre_limit, right_distance
        )
        numbers = buffer_distances(distances)
        handle = _abi.ald_geometry_array()
        check(
            library().ald_geometry_array_create_buffers,
            self._handle,
            arrays.address(numbers),
            len(numbers),
            options,
            handle,
        )
        return GeometryArray(handle, self)

    def buffer_union(
        self,
        distances: npt.ArrayLike,
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
        """Creates the union of the planar buffers around all geometries: one polygon with any number of parts.

        Args:
            distances: a number, or a distance for each geometry. If there are fewer distances, the last one applies to
                all remaining geometries.
            unit, cap, join, side, quadrant_segments, maximum_deviation, mitre_limit, right_distance: as in
                `Geometry.buffer`.

        Raises:
            InvalidArgumentError: there are more distances than geometries, or a geometry cannot be buffered; the
                message names it.
        """
        options = buffer_options(
            unit, cap, join, side, quadrant_segments, maximum_deviation, mitre_limit, right_distance
        )
        numbers = buffer_distances(distances)
        handle = _abi.ald_geometry()
        check(
            library().ald_geometry_array_create_buffer_union,
            self._handle,
            arrays.address(numbers),
            len(numbers),
            options,
            handle,
        )
        return Geometry(handle, self)

    def _info(self) -> _abi.ald_geometry_array_info:
        info = _abi.ald_geometry_array_info()
        check(library().ald_geometry_array_get_info, self._handle, info)
        return info

    def _facts(self) -> str:
        info = self._info()
        sizes = f"of {info.geometry_count} geometries with {info.vertex_count} vertices"
        return f"{sizes}, {label(self.spatial_reference)}"

    def _repr_svg_(self) -> str | None:
        return svg(self, self.envelope, self.vertex_count)

    def plot(self, axes: Any = None, **style: Any) -> Any:
        """Draws all geometries with matplotlib. See `Geometry.plot`."""
        from .._map.plots import plot_geometries

        return plot_geometries(self, axes, style)


def _selection(index: Any) -> npt.NDArray[Any]:
    """A mask or indexes as an array; an empty list has no type of its own."""
    chosen = np.asarray(index)
    return chosen if chosen.size else chosen.astype(bool if chosen.dtype == bool else np.int64)

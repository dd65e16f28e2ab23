"""What geometries do with each other: methods that Geometry and GeometryArray have."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import _abi
from .._abi import GeneralizeMethod, OffsetJoin, OverlayOperation, Predicate
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import int32, uint32
from .._base.text import encoded
from .._coordinates.envelope import Envelope, c_envelope
from .._coordinates.projection import ProjectionReceipt
from .._library import library

if TYPE_CHECKING:
    from .geometry import Geometry
    from .geometry_array import GeometryArray
    from .prepared_geometry import PreparedGeometry


class Tested(NamedTuple):
    """Whether a predicate holds."""

    holds: bool
    # How the other geometry was projected; None if it was not.
    receipt: ProjectionReceipt | None


class CutPieces(NamedTuple):
    """What a line has cut."""

    # Those on the left of the cutting line, then those on its right, then those that lie on no one side.
    pieces: GeometryArray
    left_count: int
    right_count: int
    # How the cutting line was projected; None if it was not.
    receipt: ProjectionReceipt | None


def optional_receipt(handle: _abi.ald_projection_receipt, keeps: Handle) -> ProjectionReceipt | None:
    """The receipt, if something was projected."""
    return ProjectionReceipt(handle, keeps=keeps) if handle.id else None


def _is_geometry(other: object) -> bool:
    return isinstance(other, GeometryOperations)


class GeometryOperations(Handle):
    """The part of Geometry that is about other geometries.

    Another geometry in another spatial reference is projected to this one's; of two, both have one or none has. They
    must be valid (`Geometry.repaired` makes valid ones), and everything happens in the plane of the coordinates.
    """

    # How the other geometry was projected for what this one was made of; None if it was not.
    projection_receipt: ProjectionReceipt | None = None

    def relate(self, other: Geometry) -> str:
        """The DE-9IM matrix: nine characters, row by row."""
        matrix = ctypes.create_string_buffer(10)
        check(library().ald_geometry_relate, self._handle, other._handle, matrix, None)
        return matrix.value.decode()

    def matches(self, other: Geometry, pattern: str) -> bool:
        """Whether the DE-9IM matrix matches a pattern of nine characters: 0, 1, 2, F, T for any of these but F, `*`."""
        matches = ctypes.c_uint32()
        text = encoded(pattern)
        check(library().ald_geometry_matches, self._handle, other._handle, text, ctypes.byref(matches), None)
        return bool(matches.value)

    def test(self, predicate: Predicate, other: Geometry) -> Tested:
        """Whether a predicate holds, and how the other geometry was projected for it."""
        holds = ctypes.c_uint32()
        receipt = _abi.ald_projection_receipt()
        number = int32(predicate, "predicate")
        function = library().ald_geometry_test
        check(function, self._handle, other._handle, number, ctypes.byref(holds), receipt)
        return Tested(bool(holds.value), optional_receipt(receipt, self))

    def spatially_equals(self, other: Geometry) -> bool:
        """Both are the same set of points, whatever their vertices are; `equals` compares those."""
        return self.test(Predicate.EQUALS, other).holds

    def disjoint(self, other: Geometry) -> bool:
        """They have no point in common."""
        return self.test(Predicate.DISJOINT, other).holds

    def intersects(self, other: Geometry) -> bool:
        """They have a point in common."""
        return self.test(Predicate.INTERSECTS, other).holds

    def touches(self, other: Geometry) -> bool:
        """They have points in common, but their interiors have none."""
        return self.test(Predicate.TOUCHES, other).holds

    def crosses(self, other: Geometry) -> bool:
        """Their interiors meet in something of fewer dimensions, and neither covers the other."""
        return self.test(Predicate.CROSSES, other).holds

    def within(self, other: Geometry) -> bool:
        """This one lies in the other, and their interiors meet."""
        return self.test(Predicate.WITHIN, other).holds

    def contains(self, other: Geometry) -> bool:
        """The other lies in this one, and their interiors meet."""
        return self.test(Predicate.CONTAINS, other).holds

    def overlaps(self, other: Geometry) -> bool:
        """Both have the same dimension, so has what they share, and neither covers the other."""
        return self.test(Predicate.OVERLAPS, other).holds

    def covers(self, other: Geometry) -> bool:
        """No point of the other lies outside of this one."""
        return self.test(Predicate.COVERS, other).holds

    def covered_by(self, other: Geometry) -> bool:
        """No point of this one lies outside of the other."""
        return self.test(Predicate.COVERED_BY, other).holds

    def prepared(self) -> PreparedGeometry:
        """This geometry with an index, for fast tests against many others."""
        from .prepared_geometry import PreparedGeometry

        return PreparedGeometry(self)  # type: ignore[arg-type]

    def overlay(self, other: Geometry, operation: OverlayOperation, grid_size: float = 0.0) -> Geometry:
        """What is made of two geometries; m is lost.

        Args:
            other: the second one.
            operation: what is made.
            grid_size: the coordinates of the result are multiples of it; 0: as precise as they come.

        Raises:
            InvalidArgumentError: one is not valid; the message says why and where.
            UnsupportedError: one is a collection that is not empty.
        """
        handle = _abi.ald_geometry()
        receipt = _abi.ald_projection_receipt()
        number = int32(operation, "operation")
        function = library().ald_geometry_create_overlay
        check(function, self._handle, other._handle, number, float(grid_size), handle, receipt)
        made = _geometry(handle, self)
        made._state(projection_receipt=optional_receipt(receipt, self))
        return made

    def intersection(self, other: Geometry, *, grid_size: float = 0.0) -> Geometry:
        """What lies in both; also `a & b`."""
        return self.overlay(other, OverlayOperation.INTERSECTION, grid_size)

    def union(self, other: Geometry, *, grid_size: float = 0.0) -> Geometry:
        """What lies in one of them or in both; also `a | b`."""
        return self.overlay(other, OverlayOperation.UNION, grid_size)

    def difference(self, other: Geometry, *, grid_size: float = 0.0) -> Geometry:
        """What lies in this one and not in the other; also `a - b`."""
        return self.overlay(other, OverlayOperation.DIFFERENCE, grid_size)

    def symmetric_difference(self, other: Geometry, *, grid_size: float = 0.0) -> Geometry:
        """What lies in one of them and not in both; also `a ^ b`."""
        return self.overlay(other, OverlayOperation.SYMMETRIC_DIFFERENCE, grid_size)

    def __and__(self, other: Any) -> Geometry:
        return self.intersection(other) if _is_geometry(other) else NotImplemented

    def __or__(self, other: Any) -> Geometry:
        return self.union(other) if _is_geometry(other) else NotImplemented

    def __sub__(self, other: Any) -> Geometry:
        return self.difference(other) if _is_geometry(other) else NotImplemented

    def __xor__(self, other: Any) -> Geometry:
        return self.symmetric_difference(other) if _is_geometry(other) else NotImplemented

    def clipped(self, envelope: Envelope) -> Geometry:
        """What lies in a box, of this geometry's own kind."""
        handle = _abi.ald_geometry()
        check(library().ald_geometry_create_clipped, self._handle, c_envelope(envelope), handle)
        return _geometry(handle, self)

    def cut(self, cutter: Geometry) -> CutPieces:
        """The pieces into which a polyline cuts this polyline or polygon.

        Raises:
            InvalidArgumentError: one is not valid; the message says why and where.
            UnsupportedError: this one is neither, or the cutter no polyline.
        """
        handle = _abi.ald_geometry_array()
        receipt = _abi.ald_projection_receipt()
        left, right = ctypes.c_uint32(), ctypes.c_uint32()
        counts = ctypes.byref(left), ctypes.byref(right)
        check(library().ald_geometry_create_cut, self._handle, cutter._handle, handle, *counts, receipt)
        return CutPieces(_array(handle, self), left.value, right.value, optional_receipt(receipt, self))

    @property
    def convex_hull(self) -> Geometry:
        """The smallest convex polygon around all vertices; a line or a point if they have no area."""
        return self._derived(library().ald_geometry_create_convex_hull)

    @property
    def minimum_rectangle(self) -> Geometry:
        """The rectangle with the smallest area, in any direction, around all vertices."""
        return self._derived(library().ald_geometry_create_minimum_rectangle)

    @property
    def boundary(self) -> Geometry:
        """The rings of a polygon as lines, the ends of lines, and nothing of points."""
        return self._derived(library().ald_geometry_create_boundary)

    @property
    def centroid(self) -> Geometry:
        """The centre of the area, of the length, or of the points; it may lie outside."""
        return self._derived(library().ald_geometry_create_centroid)

    @property
    def point_on_surface(self) -> Geometry:
        """A point that lies on the geometry: inside of a polygon."""
        return self._derived(library().ald_geometry_create_point_on_surface)

    @property
    def minimum_clearance(self) -> float:
        """How far a vertex may be moved, at least, before the geometry is no longer valid; infinity if any distance."""
        clearance = ctypes.c_double()
        check(library().ald_geometry_minimum_clearance, self._handle, ctypes.byref(clearance))
        return clearance.value

    def merged_lines(self) -> Geometry:
        """The lines of a polyline joined wherever just two of them end."""
        return self._derived(library().ald_geometry_create_merged_lines)

    def enclosed_polygons(self) -> Geometry:
        """A collection of the polygons that the lines of a polyline enclose; lines count where they meet at their ends."""
        return self._derived(library().ald_geometry_create_enclosed_polygons)

    @property
    def is_simple(self) -> bool:
        """True if it is valid, no two points coincide, and lines meet only at their ends."""
        simple = ctypes.c_uint32()
        check(library().ald_geometry_is_simple, self._handle, ctypes.byref(simple))
        return bool(simple.value)

    def simple(self) -> Geometry:
        """A simple geometry of the same kind; a simple one as it is. `generalized` is what leaves vertices out."""
        return self._derived(library().ald_geometry_create_simple)

    def generalized(self, max_deviation: float, *, preserve_topology: bool = False) -> Geometry:
        """The geometry with fewer vertices: all that are left out lie within a distance of the line that is left.

        Args:
            max_deviation: the distance, in the unit of the coordinates.
            preserve_topology: no line crosses another one or itself because of it, and nothing vanishes; m is lost.
        """
        method = _generalize_method(preserve_topology)
        return self._derived(library().ald_geometry_create_generalized, float(max_deviation), method)

    def offset_curve(
        self,
        distance: float,
        *,
        join: OffsetJoin = OffsetJoin.ROUND,
        mitre_limit: float = 5.0,
        quadrant_segments: int = 16,
    ) -> Geometry:
        """A line parallel to each line or ring.

        Args:
            distance: how far to the left, looking along the line; to the right if it is negative.
            join: how corners are made.
            mitre_limit: how many times the distance a mitre may be long.
            quadrant_segments: segments to a right angle of an arc.
        """
        options = _abi.ald_offset_options()
        options.join = int32(join, "join")
        options.mitre_limit = mitre_limit
        options.quadrant_segments = uint32(quadrant_segments, "quadrant_segments")
        return self._derived(library().ald_geometry_create_offset_curve, float(distance), options)

    def label_point(self, tolerance: float = 0.0) -> Geometry:
        """A point for a label: in a polygon the point farthest from the boundary, on a line the middle.

        Args:
            tolerance: how much farther from the boundary another point may be; 0: one percent of the distance.
        """
        return self._derived(library().ald_geometry_create_label_point, float(tolerance))

    def _derived(self, function: Any, *arguments: Any) -> Geometry:
        """What a function makes of this geometry."""
        handle = _abi.ald_geometry()
        check(function, self._handle, *arguments, handle)
        return _geometry(handle, self)


class GeometryArrayOperations(Handle):
    """The part of GeometryArray that is about all of its geometries."""

    def union(self, *, grid_size: float = 0.0) -> Geometry:
        """All geometries united, polygons on all cores.

        Args:
            grid_size: the coordinates of the result are multiples of it; 0: as precise as they come.

        Raises:
            InvalidArgumentError: one is not valid; the message says which, why and where.
        """
        handle = _abi.ald_geometry()
        check(library().ald_geometry_array_create_union, self._handle, float(grid_size), handle)
        return _geometry(handle, self)

    def clipped(self, envelope: Envelope) -> GeometryArray:
        """What lies in a box of each geometry, of its own kind; empty where nothing does."""
        handle = _abi.ald_geometry_array()
        check(library().ald_geometry_array_create_clipped, self._handle, c_envelope(envelope), handle)
        return _array(handle, self)

    def convex_hulls(self) -> GeometryArray:
        """The convex hull of each geometry."""
        return self._derived(library().ald_geometry_array_create_convex_hulls)

    def simple(self) -> GeometryArray:
        """A simple geometry of each, of its own kind."""
        return self._derived(library().ald_geometry_array_create_simple)

    def generalized(self, max_deviation: float, *, preserve_topology: bool = False) -> GeometryArray:
        """Each geometry with fewer vertices; see `Geometry.generalized`."""
        method = _generalize_method(preserve_topology)
        return self._derived(library().ald_geometry_array_create_generalized, float(max_deviation), method)

    def label_points(self, tolerance: float = 0.0) -> GeometryArray:
        """A point for the label of each geometry; see `Geometry.label_point`."""
        return self._derived(library().ald_geometry_array_create_label_points, float(tolerance))

    def _derived(self, function: Any, *arguments: Any) -> GeometryArray:
        """What a function makes of this array."""
        handle = _abi.ald_geometry_array()
        check(function, self._handle, *arguments, handle)
        return _array(handle, self)


def _generalize_method(preserve_topology: bool) -> GeneralizeMethod:
    return GeneralizeMethod.PRESERVE_TOPOLOGY if preserve_topology else GeneralizeMethod.DOUGLAS_PEUCKER


def _geometry(handle: _abi.ald_geometry, keeps: Handle) -> Geometry:
    from .geometry import Geometry

    return Geometry(handle, keeps)


def _array(handle: _abi.ald_geometry_array, keeps: Handle) -> GeometryArray:
    from .geometry_array import GeometryArray

    return GeometryArray(handle, keeps)

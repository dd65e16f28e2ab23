"""Areas, lengths, distances and curves on the ellipsoid; adding and moving vertices."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import CurveType, MeasureKind, NearestFlags, NearestSearch, Unit
from .._base import arrays
from .._base.arrays import FloatArray
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import int32
from .._coordinates.projection import ProjectionReceipt
from .._coordinates.spatial_reference import SpatialReferenceLike, converted, reference_handle
from .._library import library

Made = TypeVar("Made", bound=Handle)


class Distance(NamedTuple):
    """The distance between two geometries, and the points at which they are nearest to each other."""

    # 0 if the geometries have a point in common; NaN if one of them is empty.
    distance: float
    # The nearest point on the first geometry; NaN if one of the geometries is empty.
    point_a: tuple[float, float]
    # The nearest point on the other geometry, in the spatial reference of the first; NaN if it has no coordinates
    # there.
    point_b: tuple[float, float]
    # The receipt of projecting the other geometry; None if it was not projected.
    receipt: ProjectionReceipt | None


class NearestPoint(NamedTuple):
    """The point of a geometry that is nearest to another point."""

    # NaN if the geometry is empty.
    distance: float
    # (x, y), in the spatial reference of the geometry.
    point: tuple[float, float]
    # The index of the part in the geometry, of the path in the part, and of the vertex at which the edge begins, from
    # 0.
    part: int
    path: int
    vertex: int
    # The position between that vertex and the next, 0 to 1.
    share: float
    # The input point lies inside a polygon and is itself the nearest point.
    is_inside: bool


class GeodesicPaths(NamedTuple):
    """The result of geodesic_inverse: arrays of shape (n,), NaN where there is no such curve."""

    distances_m: FloatArray
    # At the first points, degrees clockwise from north, -180 to 180.
    azimuths_deg: FloatArray
    # At the second points, in the direction away from the first points.
    end_azimuths_deg: FloatArray


class GeodesicEnds(NamedTuple):
    """The result of geodesic_direct; NaN where a curve has no end point."""

    # (n, 2), in the spatial reference of the starts.
    points: FloatArray
    # (n,): azimuths at the ends, in the direction away from the starts.
    end_azimuths_deg: FloatArray


def geodesic_inverse(
    spatial_reference: SpatialReferenceLike,
    start: npt.ArrayLike,
    end: npt.ArrayLike,
    *,
    curve_type: CurveType = CurveType.GEODESIC,
) -> GeodesicPaths:
    """Computes the distances and azimuths between points on the ellipsoid.

    >>> alidade.geometry.geodesic_inverse(4326, (10, 50), [(11, 50), (10, 51)]).distances_m.round().tolist()
    [71695.0, 111239.0]

    Args:
        spatial_reference: the spatial reference of the points.
        start: the first points, (n, 2) or (2,).
        end: the second points, of the same number. One of `start` and `end` may be a single point for all.
        curve_type: the curve between two points.

    Raises:
        UnsupportedError: the curve is shape-preserving, or the spatial reference has no ellipsoid.
        LimitExceededError: there are more points than the runtime's policy allows.
    """
    first, second = arrays.input_points(start), arrays.input_points(end)
    if len(first) != len(second):
        count = max(len(first), len(second))
        first, second = (arrays.input_points(np.broadcast_to(points, (count, 2))) for points in (first, second))
    count = len(first)
    distances, azimuths, ends = (np.empty(count, dtype=np.float64) for _ in range(3))
    check(
        library().ald_spatial_reference_geodesic_inverse,
        reference_handle(spatial_reference),
        int32(curve_type, "curve_type"),
        arrays.address(first),
        arrays.row_stride(first),
        arrays.address(second),
        arrays.row_stride(second),
        count,
        arrays.address(distances),
        arrays.address(azimuths),
        arrays.address(ends),
    )
    return GeodesicPaths(distances, azimuths, ends)


def geodesic_direct(
    spatial_reference: SpatialReferenceLike,
    start: npt.ArrayLike,
    azimuth_deg: npt.ArrayLike,
    distance_m: npt.ArrayLike,
    *,
    curve_type: CurveType = CurveType.GEODESIC,
) -> GeodesicEnds:
    """Computes the end points of curves on the ellipsoid.

    Args:
        spatial_reference: the spatial reference of the points.
        start: the start points, (n, 2) or (2,).
        azimuth_deg: the directions at the start points in degrees clockwise from north; n numbers or one.
        distance_m: the lengths in metres; n numbers or one. A negative length leads backwards.
        curve_type: the type of the curves.

    Raises:
        UnsupportedError: the curve is shape-preserving, or the spatial reference has no ellipsoid.
        LimitExceededError: there are more points than the runtime's policy allows.
    """
    points = arrays.input_points(start)
    courses = [np.asarray(column, dtype=np.float64) for column in (azimuth_deg, distance_m)]
    shape = np.broadcast_shapes((len(points),), *(column.shape for column in courses))
    if len(shape) != 1:
        raise ValueError(f"azimuths and distances must be numbers or one-dimensional arrays, not of shape {shape}")
    count = shape[0]
    points = arrays.input_points(np.broadcast_to(points, (count, 2)))
    azimuths, distances = (np.ascontiguousarray(np.broadcast_to(column, shape)) for column in courses)
    out = np.empty((count, 2), dtype=np.float64)
    ends = np.empty(count, dtype=np.float64)
    check(
        library().ald_spatial_reference_geodesic_direct,
        reference_handle(spatial_reference),
        int32(curve_type, "curve_type"),
        arrays.address(points),
        arrays.row_stride(points),
        arrays.address(azimuths),
        arrays.address(distances),
        count,
        arrays.address(out),
        arrays.row_stride(out),
        arrays.address(ends),
    )
    return GeodesicEnds(out, ends)


def measure_options(geodesic: bool, curve_type: CurveType | None, unit: Unit | None) -> _abi.ald_measure_options:
    """The options of measuring in C's form. A curve type means the ellipsoid."""
    options = _abi.ald_measure_options()
    options.kind = MeasureKind.GEODESIC if geodesic or curve_type is not None else MeasureKind.PLANAR
    options.curve_type = int32(CurveType.GEODESIC if curve_type is None else curve_type, "curve_type")
    options.unit = int32(Unit.NONE if unit is None else unit, "unit")
    return options


def densify_options(
    longest_segment: float,
    maximum_deviation: float,
    geodesic: bool,
    curve_type: CurveType | None,
    unit: Unit | None,
) -> _abi.ald_densify_options:
    """The options of adding vertices in C's form."""
    measure = measure_options(geodesic, curve_type, unit)
    options = _abi.ald_densify_options()
    options.kind, options.curve_type, options.unit = measure.kind, measure.curve_type, measure.unit
    options.longest_segment, options.maximum_deviation = longest_segment, maximum_deviation
    return options


class GeometryMeasures(Handle):
    """Measuring geometries, and adding and moving their vertices.

    The default is the plane of the coordinates. With `geodesic`, or with a `curve_type` for the edges, the methods work
    on the ellipsoid of the spatial reference: edges are then curves on the ellipsoid between vertices.

    A unit of None means metres and square metres on the ellipsoid, and the spatial reference's own unit in the plane.
    """

    def area(self, *, geodesic: bool = False, curve_type: CurveType | None = None, unit: Unit | None = None) -> float:
        """The area of polygons; 0 for points and lines.

        On the ellipsoid a ring encloses the smaller of the two areas into which it divides the earth.

        Raises:
            InvalidArgumentError: the unit does not fit, or a spatial reference is needed and missing.
            ProjectionFailedError: a vertex is not a point on the ellipsoid.
        """
        return self._measure(library().ald_geometry_area, geodesic, curve_type, unit)

    def length(self, *, geodesic: bool = False, curve_type: CurveType | None = None, unit: Unit | None = None) -> float:
        """The length of lines, and of the rings of polygons; 0 for points.

        Raises:
            InvalidArgumentError: the unit does not fit, or a spatial reference is needed and missing.
            ProjectionFailedError: a vertex is not a point on the ellipsoid.
        """
        return self._measure(library().ald_geometry_length, geodesic, curve_type, unit)

    def distance_to(
        self,
        other: GeometryMeasures,
        *,
        geodesic: bool = False,
        unit: Unit | None = None,
    ) -> Distance:
        """The distance to another geometry. It is projected if it is in another spatial reference.

        On the ellipsoid edges are geodesics. The distance is NaN if one of the two is empty.

        Raises:
            InvalidArgumentError: the unit does not fit, or one of the two lacks a spatial reference.
            ProjectionFailedError: a vertex is not a point on the ellipsoid, or cannot be projected.
        """
        found = _abi.ald_distance()
        receipt = _abi.ald_projection_receipt()
        options = measure_options(geodesic, None, unit)
        check(library().ald_geometry_distance, self._handle, other._handle, options, found, receipt)
        return Distance(
            found.distance,
            (found.point_a.x, found.point_a.y),
            (found.point_b.x, found.point_b.y),
            ProjectionReceipt(receipt, keeps=self) if receipt.id else None,
        )

    def nearest_coordinate(
        self, point: arrays.Point, *, geodesic: bool = False, unit: Unit | None = None, on_boundary: bool = False
    ) -> NearestPoint:
        """The point of the geometry that is nearest to another point in the same spatial reference.

        Args:
            point: (x, y).
            geodesic: measure on the ellipsoid.
            unit: the unit of the distance.
            on_boundary: search on the rings, even if the point lies inside a polygon.

        Raises:
            UnsupportedError: the geometry is a collection.
        """
        search = NearestSearch.ON_BOUNDARY if on_boundary else NearestSearch(0)
        return self._nearest(point, search, geodesic, unit)

    def nearest_vertex(self, point: arrays.Point, *, geodesic: bool = False, unit: Unit | None = None) -> NearestPoint:
        """The vertex of the geometry that is nearest to a point in the same spatial reference."""
        return self._nearest(point, NearestSearch.VERTEX, geodesic, unit)

    def normalized(self: Made) -> Made:
        """The geometry within the bounds of the world: cut at the antimeridian and moved back by whole turns.

        Raises:
            UnsupportedError: the spatial reference does not repeat itself, or a polygon that must be cut is not valid.
        """
        handle = _abi.ald_geometry()
        check(library().ald_geometry_create_normalized, self._handle, handle)
        return type(self)(handle, self)

    @classmethod
    def geodesic_ellipse(
        cls: type[Made],
        spatial_reference: SpatialReferenceLike,
        center: arrays.Point,
        semi_axis_1: float,
        semi_axis_2: float,
        axis_azimuth_deg: float = 0,
        *,
        unit: Unit | None = None,
        maximum_deviation: float = 0,
    ) -> Made:
        """Creates a polygon from an ellipse on the ellipsoid.

        Args:
            spatial_reference: the spatial reference of the centre and of the polygon.
            center: (x, y).
            semi_axis_1: the semi-axis along the axis direction.
            semi_axis_2: the semi-axis across the axis direction.
            axis_azimuth_deg: the axis direction in degrees clockwise from north.
            unit: the unit of the lengths; None: metres.
            maximum_deviation: the largest deviation of the outline on the ground; 0: a thousandth of the longer
                semi-axis.
        """
        ellipse = _abi.ald_geodesic_ellipse()
        ellipse.center = arrays.c_point(center)
        ellipse.semi_axis_1, ellipse.semi_axis_2 = semi_axis_1, semi_axis_2
        ellipse.axis_azimuth_deg, ellipse.maximum_deviation = axis_azimuth_deg, maximum_deviation
        ellipse.unit = int32(Unit.NONE if unit is None else unit, "unit")
        handle = _abi.ald_geometry()
        function = library().ald_spatial_reference_create_geodesic_ellipse
        check(function, reference_handle(spatial_reference), ellipse, handle, None)
        return cls(handle, converted(spatial_reference)._root())

    @classmethod
    def geodesic_sector(
        cls: type[Made],
        spatial_reference: SpatialReferenceLike,
        center: arrays.Point,
        radius: float,
        start_azimuth_deg: float,
        angle_deg: float,
        *,
        unit: Unit | None = None,
        maximum_deviation: float = 0,
    ) -> Made:
        """Creates a polygon from a sector: the area within a distance of the centre, between two directions.

        Args:
            spatial_reference: the spatial reference of the centre and of the polygon.
            center: (x, y).
            radius: the radius.
            start_azimuth_deg: the direction in which the sector begins, in degrees clockwise from north.
            angle_deg: the angle from there, clockwise, up to 360 degrees.
            unit: the unit of the lengths; None: metres.
            maximum_deviation: the largest deviation of the outline on the ground; 0: a thousandth of the radius.
        """
        sector = _abi.ald_geodesic_sector()
        sector.center = arrays.c_point(center)
        sector.radius, sector.maximum_deviation = radius, maximum_deviation
        sector.start_azimuth_deg, sector.angle_deg = start_azimuth_deg, angle_deg
        sector.unit = int32(Unit.NONE if unit is None else unit, "unit")
        handle = _abi.ald_geometry()
        function = library().ald_spatial_reference_create_geodesic_sector
        check(function, reference_handle(spatial_reference), sector, handle, None)
        return cls(handle, converted(spatial_reference)._root())

    def densified(
        self: Made,
        longest_segment: float = 0,
        *,
        maximum_deviation: float = 0,
        geodesic: bool = False,
        curve_type: CurveType | None = None,
        unit: Unit | None = None,
    ) -> Made:
        """The geometry with vertices added along its edges. The existing vertices stay.

        Args:
            longest_segment: the longest segment; 0: no limit.
            maximum_deviation: the largest distance between segments and the curves on the ellipsoid; 0: no limit. Must
                be 0 in the plane.
            geodesic: add vertices along curves on the ellipsoid.
            curve_type: the type of the curves.
            unit: the unit of both lengths.
        """
        handle = _abi.ald_geometry()
        options = densify_options(longest_segment, maximum_deviation, geodesic, curve_type, unit)
        check(library().ald_geometry_create_densified, self._handle, options, handle)
        return type(self)(handle, self)

    def moved(
        self: Made,
        distance: float,
        azimuth_deg: float,
        *,
        geodesic: bool = False,
        curve_type: CurveType | None = None,
        unit: Unit | None = None,
    ) -> Made:
        """The geometry with every vertex moved by a distance in one direction, degrees clockwise from north.

        Raises:
            ProjectionFailedError: a vertex is not a point on the ellipsoid, or its curve has no end point.
        """
        handle = _abi.ald_geometry()
        options = measure_options(geodesic, curve_type, unit)
        check(library().ald_geometry_create_moved, self._handle, distance, azimuth_deg, options, handle)
        return type(self)(handle, self)

    def _nearest(self, point: arrays.Point, search: NearestSearch, geodesic: bool, unit: Unit | None) -> NearestPoint:
        found = _abi.ald_nearest_point()
        options = measure_options(geodesic, None, unit)
        check(library().ald_geometry_nearest, self._handle, arrays.c_point(point), search, options, found)
        return NearestPoint(
            found.distance,
            (found.point.x, found.point.y),
            int(found.part),
            int(found.path),
            int(found.vertex),
            found.share,
            bool(found.flags & NearestFlags.INSIDE),
        )

    def _measure(self, function: Any, geodesic: bool, curve_type: CurveType | None, unit: Unit | None) -> float:
        value = ctypes.c_double()
        check(function, self._handle, measure_options(geodesic, curve_type, unit), ctypes.byref(value))
        return value.value


class GeometryArrayMeasures(Handle):
    """Measuring the geometries of an array, and adding and moving their vertices; see GeometryMeasures."""

    def areas(
        self, *, geodesic: bool = False, curve_type: CurveType | None = None, unit: Unit | None = None
    ) -> FloatArray:
        """The area of each geometry; NaN if `Geometry.area` would raise an error."""
        return self._measures(library().ald_geometry_array_areas, geodesic, curve_type, unit)

    def lengths(
        self, *, geodesic: bool = False, curve_type: CurveType | None = None, unit: Unit | None = None
    ) -> FloatArray:
        """The length of each geometry; NaN if `Geometry.length` would raise an error."""
        return self._measures(library().ald_geometry_array_lengths, geodesic, curve_type, unit)

    def densified(
        self: Made,
        longest_segment: float = 0,
        *,
        maximum_deviation: float = 0,
        geodesic: bool = False,
        curve_type: CurveType | None = None,
        unit: Unit | None = None,
    ) -> Made:
        """The geometries with vertices added along their edges; see `Geometry.densified`."""
        handle = _abi.ald_geometry_array()
        options = densify_options(longest_segment, maximum_deviation, geodesic, curve_type, unit)
        check(library().ald_geometry_array_create_densified, self._handle, options, handle)
        return type(self)(handle, self)

    def moved(
        self: Made,
        distance: float,
        azimuth_deg: float,
        *,
        geodesic: bool = False,
        curve_type: CurveType | None = None,
        unit: Unit | None = None,
    ) -> Made:
        """The geometries with every vertex moved by a distance in one direction; see `Geometry.moved`."""
        handle = _abi.ald_geometry_array()
        options = measure_options(geodesic, curve_type, unit)
        check(library().ald_geometry_array_create_moved, self._handle, distance, azimuth_deg, options, handle)
        return type(self)(handle, self)

    def normalized(self: Made) -> Made:
        """The geometries within the bounds of the world; see `Geometry.normalized`."""
        handle = _abi.ald_geometry_array()
        check(library().ald_geometry_array_create_normalized, self._handle, handle)
        return type(self)(handle, self)

    def _measures(self, function: Any, geodesic: bool, curve_type: CurveType | None, unit: Unit | None) -> FloatArray:
        info = _abi.ald_geometry_array_info()
        check(library().ald_geometry_array_get_info, self._handle, info)
        values = np.empty(info.geometry_count, dtype=np.float64)
        check(function, self._handle, measure_options(geodesic, curve_type, unit), arrays.address(values), len(values))
        return values

"""Areas, lengths and ways on the earth; vertices added along edges, and moved."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._abi import CurveType, MeasureKind, NearestFlags, NearestSearch, Unit
from ._arrays import FloatArray
from ._handle import Handle
from ._library import library
from ._numbers import int32
from .errors import check
from .projection import ProjectionReceipt
from .spatial_reference import SpatialReference

Made = TypeVar("Made", bound=Handle)


class Distance(NamedTuple):
    """How far two geometries are from each other, and where they are nearest."""

    # 0 if they have a place in common; NaN if one of them is empty.
    distance: float
    # On the first geometry; NaN if one of them is empty.
    nearest: tuple[float, float]
    # On the other one, in the spatial reference of the first; NaN if it has no coordinates there.
    other_nearest: tuple[float, float]
    # What the other geometry was projected by; None if nothing had to be projected.
    receipt: ProjectionReceipt | None


class NearestPlace(NamedTuple):
    """What of a geometry is nearest to a point."""

    # NaN if the geometry is empty.
    distance: float
    # (x, y), in the spatial reference of the geometry.
    point: tuple[float, float]
    # The part of the geometry, the path of the part, and the vertex of the path at which the edge begins, from 0.
    part: int
    path: int
    vertex: int
    # How far from that vertex to the next, 0 to 1.
    share: float
    # The point lies inside of a polygon and is the nearest place itself.
    is_inside: bool


class GeodesicWays(NamedTuple):
    """The answer of geodesic_inverse: arrays of shape (n,), NaN where there is no such way."""

    distances_m: FloatArray
    # At the first points, degrees clockwise from north, -180 to 180.
    azimuths_deg: FloatArray
    # At the second points, onwards.
    end_azimuths_deg: FloatArray


class GeodesicEnds(NamedTuple):
    """The answer of geodesic_direct; NaN where a way leads to no place."""

    # (n, 2), in the spatial reference of the starts.
    points: FloatArray
    # (n,): azimuths at the ends, onwards.
    end_azimuths_deg: FloatArray


def geodesic_inverse(
    spatial_reference: SpatialReference,
    start: npt.ArrayLike,
    end: npt.ArrayLike,
    *,
    curve_type: CurveType = CurveType.GEODESIC,
) -> GeodesicWays:
    """How far it is between points on the ellipsoid, and in which directions.

    Args:
        spatial_reference: what the points are in.
        start: the first points, (n, 2) or (2,).
        end: the second points, as many, or one of the two has one for all.
        curve_type: which way leads from one to the other.

    Raises:
        UnsupportedError: the curve is shape-preserving, or the spatial reference has no ellipsoid.
        LimitExceededError: more points than the runtime's policy allows.
    """
    first, second = _arrays.input_points(start), _arrays.input_points(end)
    if len(first) != len(second):
        count = max(len(first), len(second))
        first, second = (_arrays.input_points(np.broadcast_to(points, (count, 2))) for points in (first, second))
    count = len(first)
    distances, azimuths, ends = (np.empty(count, dtype=np.float64) for _ in range(3))
    check(
        library().ald_geodesic_inverse,
        spatial_reference._handle,
        int32(curve_type, "curve_type"),
        _arrays.address(first),
        _arrays.row_stride(first),
        _arrays.address(second),
        _arrays.row_stride(second),
        count,
        _arrays.address(distances),
        _arrays.address(azimuths),
        _arrays.address(ends),
    )
    return GeodesicWays(distances, azimuths, ends)


def geodesic_direct(
    spatial_reference: SpatialReference,
    start: npt.ArrayLike,
    azimuth_deg: npt.ArrayLike,
    distance_m: npt.ArrayLike,
    *,
    curve_type: CurveType = CurveType.GEODESIC,
) -> GeodesicEnds:
    """Where ways on the ellipsoid lead.

    Args:
        spatial_reference: what the points are in.
        start: where they begin, (n, 2) or (2,).
        azimuth_deg: in which directions, degrees clockwise from north; n numbers or one.
        distance_m: how far they go, metres; n numbers or one; backwards if negative.
        curve_type: what kind of ways they are.

    Raises:
        UnsupportedError: the curve is shape-preserving, or the spatial reference has no ellipsoid.
        LimitExceededError: more points than the runtime's policy allows.
    """
    points = _arrays.input_points(start)
    courses = [np.asarray(column, dtype=np.float64) for column in (azimuth_deg, distance_m)]
    shape = np.broadcast_shapes((len(points),), *(column.shape for column in courses))
    if len(shape) != 1:
        raise ValueError(f"azimuths and distances must be columns of numbers, not of the shape {shape}")
    count = shape[0]
    points = _arrays.input_points(np.broadcast_to(points, (count, 2)))
    azimuths, distances = (np.ascontiguousarray(np.broadcast_to(column, shape)) for column in courses)
    out = np.empty((count, 2), dtype=np.float64)
    ends = np.empty(count, dtype=np.float64)
    check(
        library().ald_geodesic_direct,
        spatial_reference._handle,
        int32(curve_type, "curve_type"),
        _arrays.address(points),
        _arrays.row_stride(points),
        _arrays.address(azimuths),
        _arrays.address(distances),
        count,
        _arrays.address(out),
        _arrays.row_stride(out),
        _arrays.address(ends),
    )
    return GeodesicEnds(out, ends)


def measure_options(geodesic: bool, curve_type: CurveType | None, unit: Unit | None) -> _abi.ald_measure_options:
    """How something is measured, as C has it. A curve means the earth."""
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
    """Where vertices are added, as C has it."""
    measure = measure_options(geodesic, curve_type, unit)
    options = _abi.ald_densify_options()
    options.kind, options.curve_type, options.unit = measure.kind, measure.curve_type, measure.unit
    options.longest_segment, options.maximum_deviation = longest_segment, maximum_deviation
    return options


class GeometryMeasures(Handle):
    """What geometries measure, and their vertices anew.

    In the plane of the coordinates by default. With `geodesic`, or with a `curve_type` that edges are, on the ellipsoid
    of the spatial reference: edges are then ways on the earth between vertices.

    A unit of None means metres and square metres on the earth, and the spatial reference's own unit in the plane.
    """

    def area(self, *, geodesic: bool = False, curve_type: CurveType | None = None, unit: Unit | None = None) -> float:
        """The area of polygons; 0 for points and lines.

        On the earth a ring encloses the smaller of the two parts that it cuts the earth into.

        Raises:
            InvalidArgumentError: the unit does not fit, or a spatial reference is needed and there is none.
            ProjectionFailedError: a vertex is no place on the earth.
        """
        return self._measure(library().ald_geometry_area, geodesic, curve_type, unit)

    def length(self, *, geodesic: bool = False, curve_type: CurveType | None = None, unit: Unit | None = None) -> float:
        """The length of lines, and of the rings of polygons; 0 for points.

        Raises:
            InvalidArgumentError: the unit does not fit, or a spatial reference is needed and there is none.
            ProjectionFailedError: a vertex is no place on the earth.
        """
        return self._measure(library().ald_geometry_length, geodesic, curve_type, unit)

    def distance_to(
        self,
        other: GeometryMeasures,
        *,
        geodesic: bool = False,
        unit: Unit | None = None,
    ) -> Distance:
        """The distance to another geometry, which is projected if it is in another spatial reference.

        On the earth edges are geodesics. NaN if one of the two is empty.

        Raises:
            InvalidArgumentError: the unit does not fit, or one of the two lacks a spatial reference.
            ProjectionFailedError: a vertex is no place on the earth, or cannot be projected.
        """
        found = _abi.ald_distance()
        receipt = _abi.ald_projection_receipt()
        options = measure_options(geodesic, None, unit)
        check(library().ald_geometry_distance, self._handle, other._handle, options, found, receipt)
        return Distance(
            found.distance,
            (found.nearest.x, found.nearest.y),
            (found.other_nearest.x, found.other_nearest.y),
            ProjectionReceipt(receipt, keeps=self) if receipt.id else None,
        )

    def nearest_coordinate(
        self, point: _arrays.Point, *, geodesic: bool = False, unit: Unit | None = None, on_boundary: bool = False
    ) -> NearestPlace:
        """The place that is nearest to a point, which is in the same spatial reference.

        Args:
            point: (x, y).
            geodesic: on the earth.
            unit: of the distance.
            on_boundary: on the rings also where the point lies inside of a polygon.

        Raises:
            UnsupportedError: the geometry is a collection.
        """
        search = NearestSearch.ON_BOUNDARY if on_boundary else NearestSearch(0)
        return self._nearest(point, search, geodesic, unit)

    def nearest_vertex(
        self, point: _arrays.Point, *, geodesic: bool = False, unit: Unit | None = None
    ) -> NearestPlace:
        """The vertex that is nearest to a point, which is in the same spatial reference."""
        return self._nearest(point, NearestSearch.VERTEX, geodesic, unit)

    def normalized(self: Made) -> Made:
        """The geometry within the bounds of the world: cut at the antimeridian and moved back by whole turns.

        Raises:
            UnsupportedError: the spatial reference does not repeat itself, or a polygon to be cut is not valid.
        """
        handle = _abi.ald_geometry()
        check(library().ald_geometry_create_normalized, self._handle, handle)
        return type(self)(handle, self)  # type: ignore[arg-type]

    @classmethod
    def geodesic_ellipse(
        cls: type[Made],
        spatial_reference: SpatialReference,
        center: _arrays.Point,
        semi_axis_1: float,
        semi_axis_2: float,
        axis_azimuth_deg: float = 0,
        *,
        unit: Unit | None = None,
        maximum_deviation: float = 0,
    ) -> Made:
        """A polygon of an ellipse on the earth.

        Args:
            spatial_reference: what the centre is in, and the polygon.
            center: (x, y).
            semi_axis_1: along the axis.
            semi_axis_2: across the axis.
            axis_azimuth_deg: of the axis, degrees clockwise from north.
            unit: of the lengths; None: metres.
            maximum_deviation: of the outline, on the ground; 0: a thousandth of the longer semi-axis.
        """
        ellipse = _abi.ald_geodesic_ellipse()
        ellipse.center = _arrays.c_point(center)
        ellipse.semi_axis_1, ellipse.semi_axis_2 = semi_axis_1, semi_axis_2
        ellipse.axis_azimuth_deg, ellipse.maximum_deviation = axis_azimuth_deg, maximum_deviation
        ellipse.unit = int32(Unit.NONE if unit is None else unit, "unit")
        handle = _abi.ald_geometry()
        function = library().ald_geometry_create_geodesic_ellipse
        check(function, spatial_reference._handle, ellipse, handle, None)
        return cls(handle, _runtime_of(spatial_reference))  # type: ignore[arg-type]

    @classmethod
    def geodesic_sector(
        cls: type[Made],
        spatial_reference: SpatialReference,
        center: _arrays.Point,
        radius: float,
        start_azimuth_deg: float,
        angle_deg: float,
        *,
        unit: Unit | None = None,
        maximum_deviation: float = 0,
    ) -> Made:
        """A polygon of a sector on the earth: what lies within a distance of the centre, between two directions.

        Args:
            spatial_reference: what the centre is in, and the polygon.
            center: (x, y).
            radius: how far it reaches.
            start_azimuth_deg: where it begins, degrees clockwise from north.
            angle_deg: how far it goes on clockwise, up to 360.
            unit: of the lengths; None: metres.
            maximum_deviation: of the outline, on the ground; 0: a thousandth of the radius.
        """
        sector = _abi.ald_geodesic_sector()
        sector.center = _arrays.c_point(center)
        sector.radius, sector.maximum_deviation = radius, maximum_deviation
        sector.start_azimuth_deg, sector.angle_deg = start_azimuth_deg, angle_deg
        sector.unit = int32(Unit.NONE if unit is None else unit, "unit")
        handle = _abi.ald_geometry()
        function = library().ald_geometry_create_geodesic_sector
        check(function, spatial_reference._handle, sector, handle, None)
        return cls(handle, _runtime_of(spatial_reference))  # type: ignore[arg-type]

    def densified(
        self: Made,
        longest_segment: float = 0,
        *,
        maximum_deviation: float = 0,
        geodesic: bool = False,
        curve_type: CurveType | None = None,
        unit: Unit | None = None,
    ) -> Made:
        """The geometry with vertices added along its edges; those that there were stay.

        Args:
            longest_segment: no segment is longer; 0: no limit.
            maximum_deviation: segments keep within so much of the ways on the earth; 0: no limit. Not in the plane.
            geodesic: along ways on the earth.
            curve_type: which ways.
            unit: of both lengths.
        """
        handle = _abi.ald_geometry()
        options = densify_options(longest_segment, maximum_deviation, geodesic, curve_type, unit)
        check(library().ald_geometry_create_densified, self._handle, options, handle)
        return type(self)(handle, self)  # type: ignore[arg-type]

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
            ProjectionFailedError: a vertex is no place on the earth, or its way leads to none.
        """
        handle = _abi.ald_geometry()
        options = measure_options(geodesic, curve_type, unit)
        check(library().ald_geometry_create_moved, self._handle, distance, azimuth_deg, options, handle)
        return type(self)(handle, self)  # type: ignore[arg-type]

    def _nearest(
        self, point: _arrays.Point, search: NearestSearch, geodesic: bool, unit: Unit | None
    ) -> NearestPlace:
        found = _abi.ald_nearest_place()
        options = measure_options(geodesic, None, unit)
        check(library().ald_geometry_nearest, self._handle, _arrays.c_point(point), search, options, found)
        return NearestPlace(
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


def _runtime_of(handle: Handle) -> Handle:
    while handle._keeps is not None:
        handle = handle._keeps
    return handle


class GeometryArrayMeasures(Handle):
    """What the geometries of an array measure, and their vertices anew; see GeometryMeasures."""

    def areas(
        self, *, geodesic: bool = False, curve_type: CurveType | None = None, unit: Unit | None = None
    ) -> FloatArray:
        """The area of each geometry; NaN where `Geometry.area` would raise."""
        return self._measures(library().ald_geometry_array_areas, geodesic, curve_type, unit)

    def lengths(
        self, *, geodesic: bool = False, curve_type: CurveType | None = None, unit: Unit | None = None
    ) -> FloatArray:
        """The length of each geometry; NaN where `Geometry.length` would raise."""
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
        return type(self)(handle, self)  # type: ignore[arg-type]

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
        return type(self)(handle, self)  # type: ignore[arg-type]

    def normalized(self: Made) -> Made:
        """The geometries within the bounds of the world; see `Geometry.normalized`."""
        handle = _abi.ald_geometry_array()
        check(library().ald_geometry_array_create_normalized, self._handle, handle)
        return type(self)(handle, self)  # type: ignore[arg-type]

    def _measures(self, function: Any, geodesic: bool, curve_type: CurveType | None, unit: Unit | None) -> FloatArray:
        info = _abi.ald_geometry_array_info()
        check(library().ald_geometry_array_get_info, self._handle, info)
        values = np.empty(info.geometry_count, dtype=np.float64)
        check(function, self._handle, measure_options(geodesic, curve_type, unit), _arrays.address(values), len(values))
        return values

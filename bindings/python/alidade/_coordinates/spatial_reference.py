"""Spatial references, and projecting points between them."""

from __future__ import annotations

import ctypes
import json
import math
from dataclasses import dataclass
from typing import Any, Mapping, NamedTuple, Protocol, SupportsIndex, Tuple, Union, overload, runtime_checkable

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import (
    SpatialReferenceFlags,
    SpatialReferenceFormat,
    SpatialReferenceKind,
    SpatialReferenceRelation,
    Status,
    Unit,
)
from .._base import arrays
from .._base.arrays import FloatArray, Point
from .._base.errors import AlidadeError, check
from .._base.handle import Handle
from .._base.numbers import int32
from .._base.runtime import Runtime
from .._base.runtime_first import runtime_first_of_class
from .._base.text import decoded, encoded
from .._base.values import Value
from .._library import library


@runtime_checkable
class HasWkt(Protocol):
    """An object that writes itself as well-known text: a CRS of pyproj, rasterio or GeoPandas."""

    def to_wkt(self) -> str: ...


# What a SpatialReference is created from: a code of EPSG as a number, a text, an authority and a code, PROJJSON or PROJ
# parameters as a mapping, or an object of another library.
SpatialReferenceDefinition = Union[SupportsIndex, str, Tuple[str, Union[str, int]], Mapping[str, Any], HasWkt]
# What is accepted wherever a spatial reference is wanted.
SpatialReferenceLike = Union["SpatialReference", SpatialReferenceDefinition]


@dataclass(frozen=True)
class AreaOfUse:
    """The area in which a spatial reference is meant to be used, as its authority states it, in degrees."""

    # West is greater than east where the area crosses the antimeridian. NaN if the authority only names the area.
    west_deg: float
    south_deg: float
    east_deg: float
    north_deg: float
    name: str


@dataclass(frozen=True)
class VerticalPart:
    """The heights or depths of a spatial reference."""

    # The name of the vertical system, or of the third axis.
    name: str
    # The name of the vertical datum; empty for ellipsoidal heights.
    datum_name: str
    unit_name: str
    metres_per_unit: float
    # None if it is not a named unit.
    unit: Unit | None
    # Whether heights are above the ellipsoid. Otherwise they refer to the vertical datum.
    is_ellipsoidal: bool
    # Whether the vertical axis points down.
    is_depth: bool


@dataclass(frozen=True)
class SpatialReferenceInfo:
    """Facts about a spatial reference."""

    kind: SpatialReferenceKind
    # Empty if the authority or the file gives none.
    name: str
    # "EPSG", "ESRI", ... and its code; empty without a code.
    authority: str
    code: str
    # The unit of the horizontal axes, such as "metre", "degree" or "US survey foot".
    unit_name: str
    # For an angular unit: metres of arc along the equator of the ellipsoid.
    metres_per_unit: float
    # The unit of the horizontal axes; None if it is not a named unit.
    unit: Unit | None
    # The name of the datum or of the datum ensemble.
    datum_name: str
    is_datum_ensemble: bool
    ellipsoid_name: str
    # The semi-major axis of the ellipsoid; NaN for a local spatial reference.
    semi_major_axis_m: float
    # 0 for a sphere; NaN for a local spatial reference.
    inverse_flattening: float
    # Degrees east of Greenwich; NaN for a local spatial reference.
    prime_meridian_deg: float
    # None if the authority states none.
    area_of_use: AreaOfUse | None
    # None if positions have no heights.
    vertical: VerticalPart | None
    # The number of units of x after which the world repeats itself; 0 if it does not.
    world_width: float

    @property
    def can_wrap(self) -> bool:
        """Whether the world repeats itself in x, so that a map can wrap around."""
        return self.world_width > 0


@dataclass(frozen=True)
class ProjectionInfo:
    """The operation that projects a point from one spatial reference into another."""

    # The name of the operation, cut at 255 bytes.
    name: str
    # The accuracy as the authority states it; NaN if it is not known.
    accuracy_m: float
    # Whether the operation treats the datums as equal, because no relation is known.
    is_ballpark: bool


class ProjectedPoints(NamedTuple):
    """The result of SpatialReference.project."""

    # float64 of shape (n, 2); NaN where a point has no image.
    points: FloatArray
    # bool of shape (n,): True where a point was projected.
    projected: npt.NDArray[np.bool_]


class SpatialReference(Value):
    """A spatial reference: an immutable value that any thread may use.

    Create one from a text, or get the spatial reference of a map or a raster. x is east or longitude and y is north or
    latitude, whatever the axis order of the authority::

        SpatialReference(27700)
        SpatialReference("EPSG:4326+5773")
        SpatialReference("+proj=utm +zone=32 +ellps=GRS80")
        SpatialReference(geopandas_frame.crs)

    >>> reference = alidade.SpatialReference(27700)
    >>> reference
    <SpatialReference EPSG:27700 'OSGB36 / British National Grid' (projected, metre)>
    >>> reference.info.ellipsoid_name, reference == alidade.SpatialReference(reference.wkt)
    ('Airy 1830', True)
    """

    _release_function = "ald_spatial_reference_release"

    @overload
    def __init__(self, runtime: Runtime | None, definition: SpatialReferenceDefinition) -> None: ...
    @overload
    def __init__(self, definition: SpatialReferenceDefinition) -> None: ...
    def __init__(self, runtime: Runtime, definition: SpatialReferenceDefinition) -> None:  # type: ignore[misc]
        """Creates a spatial reference from what describes it.

        Args:
            runtime: the runtime of the spatial reference. May be left out; see `default_runtime`.
            definition: a code of EPSG as a number; a text: a code ("EPSG:27700", "27700", "ESRI:102100",
                "EPSG:4326+5773", a URN), well-known text 1 or 2, PROJJSON, a PROJ string, or the complete name of a
                spatial reference in PROJ's database; an authority and its code as a pair, ("ESRI", 102100); PROJJSON or PROJ parameters as a mapping; or an object of another library that has
                `to_wkt`, such as a CRS of pyproj, rasterio or GeoPandas.

        Raises:
            TypeError: the definition has another type.
            InvalidArgumentError: the text describes no spatial reference, or several have this name.
            NotFoundError: there is no such code.
            UnsupportedError: it is a geocentric or a purely vertical system.
            LimitExceededError: the text is too long.
        """
        handle = _abi.ald_spatial_reference()
        check(library().ald_spatial_reference_create, runtime._handle, encoded(_definition_text(definition)), handle)
        super().__init__(handle, keeps=runtime)

    def _equals(self, other: SpatialReference) -> bool:
        return self.is_equivalent(other)

    def _hash_key(self) -> Any:
        # Equivalent ones may differ in their names, their codes and the spelling of their units.
        return self.info.kind

    def _pickled(self) -> tuple[Any, tuple[Any, ...]]:
        return SpatialReference, (self.to_projjson(),)

    @classmethod
    def _of(cls, handle: _abi.ald_spatial_reference, keeps: Handle, *, is_lent: bool = False) -> SpatialReference:
        """Wraps a handle."""
        reference = cls.__new__(cls)
        Handle.__init__(reference, handle, keeps=keeps, is_lent=is_lent)
        return reference

    @runtime_first_of_class
    @classmethod
    def from_code(cls, runtime: Runtime, code: int, authority: str = "EPSG") -> SpatialReference:
        """Creates a spatial reference from an authority's code.

        :raises NotFoundError: there is no such code.
        :raises UnsupportedError: the code stands for a geocentric or a purely vertical system.
        """
        handle = _abi.ald_spatial_reference()
        check(
            library().ald_spatial_reference_create_from_code,
            runtime._handle,
            encoded(authority),
            int32(code, "code"),
            handle,
        )
        return cls._of(handle, keeps=runtime)

    @runtime_first_of_class
    @classmethod
    def from_wkt(cls, runtime: Runtime, wkt: str) -> SpatialReference:
        """Creates a spatial reference from well-known text: WKT 1 as GDAL and Esri write it, or WKT 2.

        :raises InvalidArgumentError: the text is not well-known text of a coordinate system.
        :raises UnsupportedError: it is a geocentric or a purely vertical system.
        """
        handle = _abi.ald_spatial_reference()
        check(library().ald_spatial_reference_create_from_wkt, runtime._handle, encoded(wkt), handle)
        return cls._of(handle, keeps=runtime)

    @property
    def info(self) -> SpatialReferenceInfo:
        """The facts about the spatial reference."""
        info = _abi.ald_spatial_reference_info()
        check(library().ald_spatial_reference_get_info, self._handle, info)
        return SpatialReferenceInfo(
            kind=SpatialReferenceKind(info.kind),
            name=decoded(info.name),
            authority=decoded(info.authority),
            code=decoded(info.code),
            unit_name=decoded(info.unit_name),
            metres_per_unit=info.metres_per_unit,
            unit=_unit(info.unit),
            datum_name=decoded(info.datum_name),
            is_datum_ensemble=bool(info.flags & SpatialReferenceFlags.DATUM_ENSEMBLE),
            ellipsoid_name=decoded(info.ellipsoid_name),
            semi_major_axis_m=info.semi_major_axis_m,
            inverse_flattening=info.inverse_flattening,
            prime_meridian_deg=info.prime_meridian_deg,
            area_of_use=_area_of_use(info),
            vertical=_vertical_part(info),
            world_width=info.world_width,
        )

    @property
    def horizontal(self) -> SpatialReference:
        """The horizontal part as a spatial reference of its own."""
        handle = _abi.ald_spatial_reference()
        check(library().ald_spatial_reference_create_horizontal, self._handle, handle)
        return self._of(handle, keeps=self)

    def to_text(self, format: SpatialReferenceFormat) -> str:
        """Writes the spatial reference as a text that is read as the same system.

        Only a PROJ string is not compared: by its nature it leaves out most of a datum.

        :raises UnsupportedError: the format cannot express the spatial reference.
        """
        return _copied_text(library().ald_spatial_reference_get_text, self._handle, int32(format, "format"))

    def to_wkt(self, format: SpatialReferenceFormat = SpatialReferenceFormat.WKT2_2019) -> str:
        """Writes the spatial reference as well-known text: WKT2_2019, WKT2_2015, WKT1_GDAL or WKT1_ESRI.

        :raises UnsupportedError: the format cannot express the spatial reference.
        """
        if format in (SpatialReferenceFormat.PROJJSON, SpatialReferenceFormat.PROJ_STRING):
            raise ValueError(f"{format!r} is not a format of well-known text")
        return self.to_text(format)

    def to_projjson(self) -> str:
        """Writes the spatial reference as PROJJSON."""
        return self.to_text(SpatialReferenceFormat.PROJJSON)

    def to_proj(self) -> str:
        """Writes the spatial reference as a PROJ string, which leaves out names, codes, areas and most of a datum.

        :raises UnsupportedError: a PROJ string cannot express the spatial reference.
        """
        return self.to_text(SpatialReferenceFormat.PROJ_STRING)

    @property
    def wkt(self) -> str:
        """The spatial reference as WKT 2 (2019)."""
        return _copied_text(library().ald_spatial_reference_get_wkt, self._handle)

    def compare(self, other: SpatialReferenceLike) -> SpatialReferenceRelation:
        """Compares two spatial references, including their vertical parts."""
        relation = ctypes.c_int32()
        check(library().ald_spatial_reference_compare, self._handle, reference_handle(other), ctypes.byref(relation))
        return SpatialReferenceRelation(relation.value)

    def is_equivalent(self, other: SpatialReferenceLike) -> bool:
        """Whether both mean the same positions: the same system, whatever the order of its axes."""
        equal = ctypes.c_uint32()
        check(library().ald_spatial_reference_equals, self._handle, reference_handle(other), ctypes.byref(equal))
        return bool(equal.value)

    def from_unit(self, value: float, unit: Unit) -> float:
        """Converts a value from a named unit into the unit of the horizontal axes, rounded once.

        :raises InvalidArgumentError: the unit is of another kind than that of the spatial reference.
        """
        result = ctypes.c_double()
        check(
            library().ald_unit_convert_to_spatial_reference,
            value,
            int32(unit, "unit"),
            self._handle,
            ctypes.byref(result),
        )
        return result.value

    def to_unit(self, value: float, unit: Unit) -> float:
        """Converts a value from the unit of the horizontal axes into a named unit, rounded once.

        :raises InvalidArgumentError: the unit is of another kind than that of the spatial reference.
        """
        result = ctypes.c_double()
        check(
            library().ald_unit_convert_from_spatial_reference,
            value,
            self._handle,
            int32(unit, "unit"),
            ctypes.byref(result),
        )
        return result.value

    def project(
        self, points: npt.ArrayLike, to: SpatialReferenceLike, out: npt.NDArray[Any] | None = None
    ) -> ProjectedPoints:
        """Projects points of this spatial reference into another.

        >>> alidade.SpatialReference(4326).project([(10, 50), (11, 51)], 3857).points.round().tolist()
        [[1113195.0, 6446276.0], [1224514.0, 6621294.0]]

        Args:
            points: float64 of shape (n, 2) or (2,). Not copied if its rows are at least 16 bytes apart.
            to: the spatial reference of the result.
            out: None, or the array for the result: float64 of shape (n, 2). May be `points` itself.

        Raises:
            ProjectionFailedError: there is no operation between the two. Single points that fail become NaN and raise
                no error.
            LimitExceededError: there are more points than the runtime's policy allows.
        """
        source = arrays.input_points(points)
        target = arrays.output_points(out, len(source))
        source = arrays.without_overlap(source, target)
        statuses = np.empty(len(source), dtype=np.uint8)
        check(
            library().ald_spatial_reference_project_points,
            self._handle,
            reference_handle(to),
            arrays.address(source),
            arrays.row_stride(source),
            len(source),
            arrays.address(target),
            arrays.row_stride(target),
            arrays.address(statuses),
        )
        return ProjectedPoints(target, statuses == _abi.PointStatus.OK)

    def describe_projection(self, to: SpatialReferenceLike, at: Point) -> ProjectionInfo:
        """The operation that `project`, identify and the screen functions use for a point of this spatial reference.

        :raises ProjectionFailedError: the point cannot be projected.
        """
        info = _abi.ald_projection_info()
        check(
            library().ald_spatial_reference_get_projection_info,
            self._handle,
            reference_handle(to),
            arrays.c_point(at),
            info,
        )
        return ProjectionInfo(decoded(info.name), info.accuracy_m, bool(info.is_ballpark))

    def _facts(self) -> str:
        info = self.info
        unit = f", {info.unit_name}" if info.unit_name else ""
        return f"{self._label()} ({info.kind.name.lower()}{unit})"

    def _label(self) -> str:
        """The code and the name, or what there is of both."""
        info = self.info
        code = f"{info.authority}:{info.code}" if info.code else ""
        return " ".join(filter(None, (code, repr(info.name) if info.name else "")))


def spatial_reference_of(given: SpatialReferenceLike, owner: Handle) -> SpatialReference:
    """The spatial reference that is given in any form, of the same runtime as `owner`."""
    if isinstance(given, SpatialReference):
        return given
    return SpatialReference(owner._root(), given)


def converted(reference: SpatialReferenceLike) -> SpatialReference:
    """The same object: public functions receive SpatialReference objects only, because `_calls` converts other forms."""
    if not isinstance(reference, SpatialReference):
        raise TypeError(f"a SpatialReference is wanted, not {type(reference).__name__}")
    return reference


def reference_handle(reference: SpatialReferenceLike) -> _abi.ald_spatial_reference:
    """The handle of a spatial reference."""
    handle: _abi.ald_spatial_reference = converted(reference)._handle
    return handle


def optional_reference(reference: SpatialReferenceLike | None) -> _abi.ald_spatial_reference:
    """The handle of a spatial reference; null for None."""
    return _abi.ald_spatial_reference() if reference is None else reference_handle(reference)


def is_definition(value: object) -> bool:
    """Whether a spatial reference can be created from a value of this type."""
    if isinstance(value, (tuple, list)):
        return len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], (str, int))
    return not isinstance(value, (bool, bytes)) and isinstance(value, (str, SupportsIndex, Mapping, HasWkt))


def label(reference: SpatialReference | None) -> str:
    """The code of a spatial reference, or its name without a code."""
    if reference is None:
        return "no spatial reference"
    info = reference.info
    return f"{info.authority}:{info.code}" if info.code else repr(info.name)


def _definition_text(definition: SpatialReferenceDefinition) -> str:
    """The text from which the library creates a spatial reference."""
    if isinstance(definition, str):
        return f"EPSG:{definition}" if definition.isdecimal() else definition
    if isinstance(definition, (tuple, list)) and is_definition(definition):
        return f"{definition[0]}:{definition[1]}"
    if isinstance(definition, HasWkt):
        return definition.to_wkt()
    if isinstance(definition, Mapping):
        if "proj" not in definition and "init" not in definition:
            return json.dumps(definition)
        if "init" in definition:
            return str(definition["init"]).upper()
        given = ((name, value) for name, value in definition.items() if value is not None and value is not False)
        return " ".join(f"+{name}" if value is True else f"+{name}={value}" for name, value in given)
    if isinstance(definition, bool) or not isinstance(definition, SupportsIndex):
        raise TypeError(f"{type(definition).__name__} is no description of a spatial reference")
    return f"EPSG:{definition.__index__()}"


def _copied_text(function: Any, *arguments: Any) -> str:
    """The text of a C function whose last arguments are a buffer, its capacity and the size."""
    # PROJ writes the text in each call, and most texts fit into this size.
    size = ctypes.c_size_t(8192)
    while True:
        buffer = ctypes.create_string_buffer(size.value)
        try:
            check(function, *arguments, buffer, len(buffer), ctypes.byref(size))
        except AlidadeError as error:
            if error.status is not Status.BUFFER_TOO_SMALL:
                raise
        else:
            return decoded(buffer.value)


def _unit(number: int) -> Unit | None:
    return Unit(number) if number else None


def _area_of_use(info: _abi.ald_spatial_reference_info) -> AreaOfUse | None:
    name = decoded(info.area_name)
    bounds = (info.area_west_deg, info.area_south_deg, info.area_east_deg, info.area_north_deg)
    return None if not name and math.isnan(bounds[0]) else AreaOfUse(*bounds, name)


def _vertical_part(info: _abi.ald_spatial_reference_info) -> VerticalPart | None:
    if not info.flags & SpatialReferenceFlags.HAS_VERTICAL:
        return None
    return VerticalPart(
        name=decoded(info.vertical_name),
        datum_name=decoded(info.vertical_datum_name),
        unit_name=decoded(info.vertical_unit_name),
        metres_per_unit=info.metres_per_vertical_unit,
        unit=_unit(info.vertical_unit),
        is_ellipsoidal=bool(info.flags & SpatialReferenceFlags.ELLIPSOIDAL_HEIGHT),
        is_depth=bool(info.flags & SpatialReferenceFlags.DEPTH),
    )


def lent_spatial_reference(function: Any, owner: Handle) -> SpatialReference | None:
    """The spatial reference that `owner` has, from a C function; None if it has none (yet)."""
    handle = _abi.ald_spatial_reference()
    try:
        check(function, owner._handle, handle)
    except AlidadeError as error:
        if error.status in (Status.NOT_FOUND, Status.NOT_READY):
            return None
        raise
    return SpatialReference._of(handle, keeps=owner, is_lent=True)

"""Identify: what is drawn at a point of the screen, and why."""

from __future__ import annotations

import ctypes
import datetime
import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterator, Mapping, Sequence, Union, overload

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import (
    AttributeRole,
    AttributeType,
    CellVerdict,
    ElementKind,
    FieldType,
    HitZone,
    IdentifyResultFlags,
    MissReasonFlags,
    PointStatus,
    Status,
)
from .._base import arrays
from .._base.arrays import FloatArray
from .._base.errors import AlidadeError, NotFoundError, check, exception_of
from .._base.handle import Handle
from .._base.known_layers import known_layer
from .._base.numbers import uint32
from .._base.pictures import table
from .._base.text import decoded, encoded
from .._coordinates.envelope import Envelope, envelope
from .._data.feature_set import DateTime, python_date
from .._geometry.arrow import ArrowTable
from .._geometry.geometry import Geometry
from .._library import library
from .graphics_overlay import GraphicsOverlay
from .popup import Popup, popup_of

if TYPE_CHECKING:
    from .layer import Layer

_NONE = 0xFFFFFFFF
# Dates and times are objects of the datetime module; see `FeatureSet`.
AttributeValue = Union[
    None,
    int,
    float,
    complex,
    str,
    bytes,
    "list[int]",
    "list[float]",
    "list[str]",
    datetime.date,
    datetime.time,
    DateTime,
]


@dataclass(frozen=True)
class Attribute:
    """An attribute of an element."""

    # For a cell a band's own description, or "Band 1"; "Band 1 category"; a table column's name; unique within an element.
    # Otherwise the name of the field.
    name: str
    # The value as a person would read it, with its unit; the same in every locale.
    text: str
    # The value by its type; None where there is no value.
    value: AttributeValue
    type: AttributeType
    role: AttributeRole
    # The band that the attribute belongs to, from 1; 0 for a field.
    band: int
    # The name of the field for people; empty if it has no alias.
    alias: str = ""


@dataclass(frozen=True)
class IdentifyCell:
    """The facts of an element that is a raster cell."""

    column: int
    row: int
    # CellVerdict.VALUE if any band has a value, otherwise the verdict of the first band.
    verdict: CellVerdict
    # One per band, with the fields of `Cells.values`.
    values: npt.NDArray[np.void]
    # float64 of shape (5, 2): the cell's corners in the raster's spatial reference.
    raster_polygon: FloatArray
    # The same corners in the map's spatial reference; NaN if they cannot all be projected.
    polygon: FloatArray
    has_map_polygon: bool
    # The box around polygon.
    extent: Envelope
    # The cell's centre in the map's spatial reference.
    center: tuple[float, float]


@dataclass(frozen=True)
class IdentifyEvidence:
    """How a feature or a graphic was hit."""

    zone: HitZone
    # From the screen point, or the area, to the footprint; 0 on it.
    distance_dip: float
    # From the screen point to nearest_point on the screen.
    nearest_distance_dip: float
    # The same along the ellipsoid; 0 on a fill; NaN if one of the points has no position on the earth.
    distance_m: float
    # The point of the geometry's vertices and edges that is nearest to the screen point, in the map's spatial reference.
    nearest_point: tuple[float, float]
    # At that point, interpolated along the edge; NaN without.
    z: float
    m: float
    member_index: int
    part_index: int
    # For a polygon 0 for the shell, then the holes.
    path_index: int
    # None if the geometry has no edges.
    segment_index: int | None
    # The nearest end of the edge, or the point.
    vertex_index: int
    z_index: int
    # How many elements of the whole result lie above it: its index.
    draw_rank: int


class IdentifyElement(Mapping[str, AttributeValue]):
    """Something that was identified: a mapping from the names of its attributes to their values.

    Look-ups ignore the case of ASCII letters. Where two attributes have the same name, the first counts.

    Attributes:
        kind: a raster cell, a feature or a graphic.
        layer: the layer; None for a graphic.
        overlay: the graphics overlay; None unless the element is a graphic.
        sublayer: for a feature, the name of the layer in its file; otherwise empty.
        id: of the feature or the graphic; 0 for a cell.
        part_index: the part of the result that the element belongs to.
        text: the element as a person would read it.
        cell: the facts of the raster cell; None for a feature or a graphic.
        popup: the popup, filled in; None without a definition.
        evidence: how the feature or the graphic was hit; None for a raster cell.
    """

    def __init__(self, result: IdentifyResult, index: int) -> None:
        self._result = result
        self._index = index
        element = _abi.ald_identify_element()
        check(library().ald_identify_result_get_element_at, result._handle, index, element)
        self.kind = ElementKind(element.kind)
        self.layer: Layer | None = known_layer(element.layer.id)
        self.overlay = _overlay(element.overlay, result)
        self.sublayer = decoded(element.sublayer)
        self.id: int = element.id
        self.part_index: int = element.part_index
        self.text = decoded(element.text)
        self._attribute_count: int = element.attribute_count
        is_cell = self.kind is ElementKind.RASTER_CELL
        self.cell: IdentifyCell | None = _cell(result, index) if is_cell else None
        self.evidence: IdentifyEvidence | None = None if is_cell else _evidence(result, index)

    def __setattr__(self, name: str, value: object) -> None:
        # The evidence is the last that __init__ sets.
        if not name.startswith("_") and "evidence" in vars(self):
            raise AttributeError(f"An element is a result, in which {name!r} cannot be set")
        super().__setattr__(name, value)

    @functools.cached_property
    def attributes(self) -> tuple[Attribute, ...]:
        """For a cell: the bands in their order, each followed by its category and its table's columns. For a feature: the
        fields of its source. For a graphic: the attributes that are not null."""
        attributes = []
        for index in range(self._attribute_count):
            attribute = _abi.ald_attribute()
            check(library().ald_identify_result_get_attribute_at, self._result._handle, self._index, index, attribute)
            attributes.append(_attribute(attribute))
        return tuple(attributes)

    @functools.cached_property
    def popup(self) -> Popup | None:
        """The popup, filled in; None if the layer or overlay had no popup definition when it was identified."""
        return popup_of(self._result, self._index)

    @functools.cached_property
    def geometry(self) -> Geometry:
        """The geometry as it was given, in its own spatial reference; for a cell its polygon in that of its raster."""
        handle = _abi.ald_geometry()
        check(library().ald_identify_result_create_geometry, self._result._handle, self._index, handle)
        return Geometry(handle, self._result)

    def attribute(self, name: str) -> Attribute:
        """An attribute by its name; the case of ASCII letters does not matter.

        :raises NotFoundError: the element has no such attribute (also a LookupError).
        """
        attribute = _abi.ald_attribute()
        check(
            library().ald_identify_result_find_attribute,
            self._result._handle,
            self._index,
            encoded(name),
            attribute,
        )
        return _attribute(attribute)

    def __getitem__(self, name: str) -> AttributeValue:
        try:
            return self.attribute(name).value
        except NotFoundError as error:
            raise KeyError(name) from error

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and self.attribute(name) is not None
        except NotFoundError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(attribute.name for attribute in self.attributes))

    def __len__(self) -> int:
        return len({attribute.name for attribute in self.attributes})

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __repr__(self) -> str:
        what = self.kind.name.lower().replace("_", " ")
        if self.cell is not None:
            return f"<IdentifyElement {what}, column {self.cell.column}, row {self.cell.row}: {dict(self)!r}>"
        return f"<IdentifyElement {what} {self.id}: {dict(self)!r}>"


@dataclass(frozen=True)
class IdentifyPart:
    """What one layer, group or overlay has in a result."""

    layer: Layer | None
    overlay: GraphicsOverlay | None
    # The part of the group that the layer is in.
    parent_index: int | None
    # Its elements. A group has the elements of its layers.
    elements: range
    # How many were hit, those beyond max_results included.
    hit_count: int
    # Why it has no elements.
    reasons: MissReasonFlags
    # The generation of the layer or overlay that was identified.
    generation: int
    # Why it could not be identified.
    error: AlidadeError | None


@dataclass(frozen=True)
class WhyNot:
    """Why something is not identified at a screen point."""

    # Every reason that applies; 0 if it is identified.
    reasons: MissReasonFlags
    # What the view's scale would have to be multiplied by to come into the scale range; 1 inside.
    scale_factor: float
    # From the screen point to the footprint; NaN if it is not known.
    distance_dip: float
    # The first vertex without an image in the map's spatial reference, as it was given; otherwise NaN.
    vertex: tuple[float, float]
    # Why that vertex has no image; None if that is not the reason.
    point_status: PointStatus | None
    # The layer itself, or the nearest group above it, that is hidden, and that is out of its scale range.
    hidden_by: Layer | None
    out_of_scale_by: Layer | None
    # The status of the error with which it could not be loaded or read.
    status: Status


class IdentifyResult(ArrowTable, Sequence[IdentifyElement]):
    """What an identify found: a sequence of elements, topmost first. Empty if nothing was hit.

    For libraries that read Arrow it is a table with a row for each element: `geopandas.GeoDataFrame.from_arrow(result)`.
    Its columns are kind, layer, sublayer, id, column, row, zone, distance_dip, distance_m, nearest_x, nearest_y, text,
    one for each name of an attribute, and geometry, in the spatial reference of the map.
    """

    _export_function = "ald_identify_result_export_arrow"
    _stream_function = "ald_identify_result_export_arrow_stream"
    _release_function = "ald_identify_result_release"

    def __init__(self, handle: _abi.ald_identify_result, keeps: Handle) -> None:
        super().__init__(handle, keeps=keeps)
        info = _abi.ald_identify_result_info()
        check(library().ald_identify_result_get_info, self._handle, info)
        self._count: int = info.element_count
        self._part_count: int = info.part_count
        self._map_point = (float(info.map_point.x), float(info.map_point.y))
        self._flags = IdentifyResultFlags(info.flags)
        self._view_generation: int = info.view_generation

    @property
    def map_point(self) -> tuple[float, float]:
        """The map point under the screen point, in the map's spatial reference."""
        return self._map_point

    @property
    def view_generation(self) -> int:
        """The generation of the view's state that was identified."""
        return self._view_generation

    @property
    def limit_exceeded(self) -> bool:
        """More was hit in a layer or an overlay than the most elements wanted."""
        return IdentifyResultFlags.LIMIT_EXCEEDED in self._flags

    @functools.cached_property
    def elements(self) -> tuple[IdentifyElement, ...]:
        """The elements, topmost first."""
        return tuple(IdentifyElement(self, uint32(index, "index")) for index in range(self._count))

    @functools.cached_property
    def parts(self) -> tuple[IdentifyPart, ...]:
        """What each layer, group and overlay has, topmost first."""
        return tuple(self._part(index) for index in range(self._part_count))

    def _part(self, index: int) -> IdentifyPart:
        part = _abi.ald_identify_part()
        check(library().ald_identify_result_get_part_at, self._handle, index, part)
        return IdentifyPart(
            layer=known_layer(part.layer.id),
            overlay=_overlay(part.overlay, self),
            parent_index=None if part.parent_index == _NONE else part.parent_index,
            elements=range(part.first_element, part.first_element + part.element_count),
            hit_count=part.hit_count,
            reasons=MissReasonFlags(part.reasons),
            generation=part.generation,
            error=_error(part.status, part.message),
        )

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[IdentifyElement]:
        return iter(self.elements)

    @overload
    def __getitem__(self, index: int) -> IdentifyElement: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[IdentifyElement, ...]: ...
    def __getitem__(self, index: int | slice) -> IdentifyElement | tuple[IdentifyElement, ...]:
        return self.elements[index]

    def _facts(self) -> str:
        return f"with {self._count} elements at {self._map_point}"

    def _repr_html_(self) -> str:
        rows = (
            (element.text, ", ".join(f"{attribute.name}: {attribute.text}" for attribute in element.attributes))
            for element in self.elements
        )
        return table(repr(self)[1:-1], ("Element", "Attributes"), rows, self._count)


def why_not(found: _abi.ald_why_not) -> WhyNot:
    return WhyNot(
        reasons=MissReasonFlags(found.reasons),
        scale_factor=found.scale_factor,
        distance_dip=found.distance_dip,
        vertex=(found.vertex.x, found.vertex.y),
        point_status=PointStatus(found.point_status) if found.point_status else None,
        hidden_by=known_layer(found.hidden_by.id),
        out_of_scale_by=known_layer(found.out_of_scale_by.id),
        status=Status(found.status),
    )


def _cell(result: IdentifyResult, index: int) -> IdentifyCell:
    cell = _abi.ald_identify_cell()
    check(library().ald_identify_result_get_cell_at, result._handle, index, cell)
    return IdentifyCell(
        column=cell.column,
        row=cell.row,
        verdict=CellVerdict(cell.verdict),
        values=_copied_values(cell),
        raster_polygon=_polygon(cell.raster_polygon),
        polygon=_polygon(cell.polygon),
        has_map_polygon=bool(cell.has_map_polygon),
        extent=envelope(cell.extent),
        center=(cell.center.x, cell.center.y),
    )


def _evidence(result: IdentifyResult, index: int) -> IdentifyEvidence:
    found = _abi.ald_identify_evidence()
    check(library().ald_identify_result_get_evidence_at, result._handle, index, found)
    return IdentifyEvidence(
        zone=HitZone(found.zone),
        distance_dip=found.distance_dip,
        nearest_distance_dip=found.nearest_distance_dip,
        distance_m=found.distance_m,
        nearest_point=(found.nearest_point.x, found.nearest_point.y),
        z=found.z,
        m=found.m,
        member_index=found.member_index,
        part_index=found.part_index,
        path_index=found.path_index,
        segment_index=None if found.segment_index == _NONE else found.segment_index,
        vertex_index=found.vertex_index,
        z_index=found.z_index,
        draw_rank=found.draw_rank,
    )


def _overlay(handle: _abi.ald_graphics_overlay, keeps: Handle) -> GraphicsOverlay | None:
    return GraphicsOverlay._lent(_abi.ald_graphics_overlay(handle.id), keeps) if handle.id else None


def _error(status: int, message: bytes) -> AlidadeError | None:
    return exception_of(_abi.ald_error(status=status, message=message[:900])) if status else None


def _attribute(attribute: _abi.ald_attribute) -> Attribute:
    kind = AttributeType(attribute.type)
    return Attribute(
        name=decoded(attribute.name),
        text=decoded(attribute.text),
        value=_value(attribute, kind),
        type=kind,
        role=AttributeRole(attribute.role),
        band=attribute.band,
        alias=decoded(attribute.alias),
    )


_DATES = {
    AttributeType.DATE: FieldType.DATE,
    AttributeType.TIME: FieldType.TIME,
    AttributeType.DATE_TIME: FieldType.DATE_TIME,
}


def _value(attribute: _abi.ald_attribute, kind: AttributeType) -> AttributeValue:
    count = attribute.element_count
    if kind is AttributeType.INTEGER:
        return int(attribute.integer)
    if kind is AttributeType.UNSIGNED:
        return int(attribute.unsigned_integer)
    if kind is AttributeType.REAL:
        return float(attribute.real)
    if kind is AttributeType.COMPLEX:
        return complex(attribute.real, attribute.imaginary)
    if kind is AttributeType.TEXT:
        return decoded(attribute.text)
    if kind is AttributeType.BINARY:
        return bytes(attribute.bytes[:count])
    if kind is AttributeType.INTEGER_LIST:
        return list(attribute.integers[:count])
    if kind is AttributeType.REAL_LIST:
        return list(attribute.reals[:count])
    if kind is AttributeType.TEXT_LIST:
        return [decoded(attribute.texts[index]) for index in range(count)]
    if kind in _DATES:
        date: AttributeValue = python_date(attribute.date_time, _DATES[kind])
        return date
    return None


def _copied_values(element: _abi.ald_identify_cell) -> npt.NDArray[np.void]:
    """The values in memory of their own, so that they outlive the result."""
    count = element.band_count
    if count == 0:
        return np.empty(0, dtype=arrays.BAND_VALUE)
    lent = (_abi.ald_band_value * count).from_address(ctypes.addressof(element.values.contents))
    return np.frombuffer(bytes(lent), dtype=arrays.BAND_VALUE)


def _polygon(points: ctypes.Array[_abi.ald_point]) -> FloatArray:
    return np.frombuffer(bytes(points), dtype=np.float64).reshape(-1, 2)

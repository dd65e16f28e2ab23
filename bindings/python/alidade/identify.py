"""Identify: what lies under a point of the screen."""

from __future__ import annotations

import ctypes
import functools
from dataclasses import dataclass
from typing import Iterator, Union

import numpy as np
import numpy.typing as npt

from . import _abi, _arrays
from ._abi import AttributeRole, AttributeType, CellVerdict
from ._arrays import FloatArray
from ._handle import Handle
from ._library import library
from ._numbers import uint32
from ._text import decoded, encoded
from .errors import check
from .layer import RasterLayer
from .raster_info import Envelope, envelope

AttributeValue = Union[None, int, float, complex, str]


@dataclass(frozen=True)
class Attribute:
    """An attribute of an element."""

    # A band's own description, or "Band 1"; "Band 1 category"; a table column's name. Unique within an element.
    name: str
    # The value as a person would read it, with its unit; the same in every locale.
    text: str
    # The value by its type; None where there is no value (nodata, masked, transparent).
    value: AttributeValue
    type: AttributeType
    role: AttributeRole
    # The band that the attribute belongs to, from 1.
    band: int


class IdentifyElement:
    """What was found: a cell of a raster.

    Attributes:
        column, row: the cell's place in the raster.
        verdict: CellVerdict.VALUE if any band has a value; else why the first band has none.
        values: one per band, with the fields of `Cells.values`.
        raster_polygon: float64 of shape (5, 2): the cell's corners in the raster's spatial reference.
        polygon: the same corners in the map's spatial reference; NaN if they cannot all be projected.
        extent: the box around polygon.
        center: the cell's centre in the map's spatial reference.
        text: the element as a person would read it: attributes, then X and Y.
    """

    def __init__(self, result: IdentifyResult, index: int) -> None:
        self._result = result
        self._index = index
        element = _abi.ald_identify_element()
        check(library().ald_identify_result_element, result._handle, index, element)
        self.column: int = element.column
        self.row: int = element.row
        self.verdict = CellVerdict(element.verdict)
        self.values = _copied_values(element)
        self.raster_polygon = _polygon(element.raster_polygon)
        self.polygon = _polygon(element.polygon)
        self.has_map_polygon = bool(element.has_map_polygon)
        self.extent: Envelope = envelope(element.extent)
        self.center: tuple[float, float] = (element.center.x, element.center.y)
        self.text = decoded(element.text)
        self._attribute_count: int = element.attribute_count

    @functools.cached_property
    def attributes(self) -> tuple[Attribute, ...]:
        """The bands in their order, each followed by its category and its table's columns."""
        attributes = []
        for index in range(self._attribute_count):
            attribute = _abi.ald_attribute()
            check(library().ald_identify_result_attribute, self._result._handle, self._index, index, attribute)
            attributes.append(_attribute(attribute))
        return tuple(attributes)

    def __getitem__(self, name: str) -> Attribute:
        """An attribute by its name; the case of ASCII letters does not matter.

        :raises NotFoundError: there is none (also a LookupError).
        """
        attribute = _abi.ald_attribute()
        check(
            library().ald_identify_result_attribute_named,
            self._result._handle,
            self._index,
            encoded(name),
            attribute,
        )
        return _attribute(attribute)

    def __repr__(self) -> str:
        return f"<IdentifyElement column {self.column}, row {self.row}: {self.verdict.name}>"


class IdentifyResult(Handle):
    """What an identify found: a sequence of elements, topmost first. Empty after a tap beside the raster."""

    _release_function = "ald_identify_result_release"

    def __init__(self, handle: _abi.ald_identify_result, layer: RasterLayer) -> None:
        super().__init__(handle, keeps=layer)
        info = _abi.ald_identify_result_info()
        check(library().ald_identify_result_get_info, self._handle, info)
        self._count: int = info.element_count
        self._map_point = (float(info.map_point.x), float(info.map_point.y))
        self._layer = layer

    @property
    def layer(self) -> RasterLayer:
        """The layer that was identified."""
        return self._layer

    @property
    def map_point(self) -> tuple[float, float]:
        """The map point under the screen point, in the map's spatial reference."""
        return self._map_point

    @functools.cached_property
    def elements(self) -> tuple[IdentifyElement, ...]:
        """The elements, topmost first."""
        return tuple(IdentifyElement(self, uint32(index, "index")) for index in range(self._count))

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[IdentifyElement]:
        return iter(self.elements)

    def __getitem__(self, index: int) -> IdentifyElement:
        return self.elements[index]

    def __repr__(self) -> str:
        return self._repr(f"with {self._count} elements")


def _attribute(attribute: _abi.ald_attribute) -> Attribute:
    kind = AttributeType(attribute.type)
    return Attribute(
        name=decoded(attribute.name),
        text=decoded(attribute.text),
        value=_value(attribute, kind),
        type=kind,
        role=AttributeRole(attribute.role),
        band=attribute.band,
    )


def _value(attribute: _abi.ald_attribute, kind: AttributeType) -> AttributeValue:
    if kind is AttributeType.INTEGER:
        return int(attribute.integer)
    if kind is AttributeType.UNSIGNED:
        return int(attribute.unsigned_integer)
    if kind is AttributeType.REAL:
        return float(attribute.real)
    if kind is AttributeType.COMPLEX:
        return complex(attribute.real, attribute.imaginary)
    return decoded(attribute.text) if kind is AttributeType.TEXT else None


def _copied_values(element: _abi.ald_identify_element) -> npt.NDArray[np.void]:
    """The values in memory of their own, so that they outlive the result."""
    count = element.band_count
    if count == 0:
        return np.empty(0, dtype=_arrays.BAND_VALUE)
    lent = (_abi.ald_band_value * count).from_address(ctypes.addressof(element.values.contents))
    return np.frombuffer(bytes(lent), dtype=_arrays.BAND_VALUE)


def _polygon(points: ctypes.Array[_abi.ald_point]) -> FloatArray:
    return np.frombuffer(bytes(points), dtype=np.float64).reshape(-1, 2)

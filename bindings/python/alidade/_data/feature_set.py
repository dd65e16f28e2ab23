"""Feature sets: features that were read from a source, with ids, geometries and typed attributes."""

from __future__ import annotations

import datetime
import functools
from typing import Any, Iterator, NamedTuple, Sequence, overload

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import FeatureFlags, FeatureSetFlags, FieldSubtype, FieldType, TimeZone, ValueState
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import uint32
from .._base.pictures import table
from .._base.text import decoded
from .._geometry.arrow import ArrowTable
from .._geometry.geometry import Geometry
from .._geometry.geometry_array import GeometryArray
from .._geometry.geometry_columns import viewed_memory
from .._library import library
from .feature_field import FeatureField

_DATE_TIME = np.dtype(_abi.ald_date_time)


class DateTime(NamedTuple):
    """A date, a time, or both, for values that Python's own types cannot hold (a year 0, a second 60)."""

    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: float
    zone: TimeZone
    utc_offset_min: int


class AttributeColumn(NamedTuple):
    """The values of a field for all features: read-only views of the library's memory.

    For texts, binary values and lists, feature i has the part offsets[i] to offsets[i + 1] of `data`. The part includes
    the NUL after a text.
    """

    field: FeatureField
    # A ValueState for each feature.
    states: npt.NDArray[np.uint8]
    # int64, float64 (NaN without a value), dates as structured values, or uint8 for texts and binary values. None for
    # lists of texts; `FeatureSet.values` returns these.
    data: npt.NDArray[Any] | None
    # None for integers, reals, dates and times.
    offsets: npt.NDArray[np.int64] | None


class Feature(NamedTuple):
    """A feature of a set."""

    id: int
    # None if the feature has no geometry or it was not read. An empty geometry if it cannot be read or projected.
    geometry: Geometry | None
    # The values by the names of fields. null is None. A field that the file does not mention is missing.
    attributes: dict[str, Any]
    flags: FeatureFlags

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The feature for other libraries, with the coordinates as they are."""
        return {
            "type": "Feature",
            "id": str(self.id),
            "geometry": None if self.geometry is None else self.geometry.__geo_interface__,
            "properties": self.attributes,
        }


class FeatureSet(ArrowTable, Sequence[Feature]):
    """Features from a query, as a sequence of `Feature`. An immutable value that outlives its source.

    For libraries that read Arrow it is a table with the column fid, the fields that were read, and the column geometry.
    """

    _release_function = "ald_feature_set_release"
    _export_function = "ald_feature_set_export_arrow"
    _stream_function = "ald_feature_set_export_arrow_stream"

    def __init__(self, handle: _abi.ald_feature_set, keeps: Handle, fields: tuple[FeatureField, ...]) -> None:
        super().__init__(handle, keeps=keeps)
        info = _abi.ald_feature_set_info()
        check(library().ald_feature_set_get_info, handle, info)
        self._count = int(info.feature_count)
        self._flags = FeatureSetFlags(info.flags)
        self._unreadable_count = int(info.unreadable_count)
        self._first_reason = decoded(info.first_reason)
        columns = [self._column(index) for index in range(info.field_count)]
        self._fields = tuple(fields[column.field_index] for column in columns)

    def _column(self, index: int) -> _abi.ald_attribute_column:
        column = _abi.ald_attribute_column()
        check(library().ald_feature_set_get_attribute_column, self._handle, index, column)
        return column

    @property
    def fields(self) -> tuple[FeatureField, ...]:
        """The fields that were read, in the order of the columns."""
        return self._fields

    @property
    def is_incomplete(self) -> bool:
        """Whether reading ended before the last feature of the file, because the file is damaged."""
        return bool(self._flags & FeatureSetFlags.INCOMPLETE)

    @property
    def unreadable_count(self) -> int:
        """The number of features with damaged geometries."""
        return self._unreadable_count

    @property
    def first_reason(self) -> str:
        """The first message about a damaged geometry or a premature end; empty if there was no problem."""
        return self._first_reason

    @functools.cached_property
    def ids(self) -> npt.NDArray[np.int64]:
        """The ids of the features, without a copy."""
        columns = _abi.ald_feature_columns()
        check(library().ald_feature_set_get_columns, self._handle, columns)
        return viewed_memory(columns.ids, (self._count,), np.int64, self)

    @functools.cached_property
    def flags(self) -> npt.NDArray[np.uint8]:
        """The FeatureFlags of each feature, without a copy."""
        columns = _abi.ald_feature_columns()
        check(library().ald_feature_set_get_columns, self._handle, columns)
        return viewed_memory(columns.feature_flags, (self._count,), np.uint8, self)

    @functools.cached_property
    def geometries(self) -> GeometryArray | None:
        """The geometries, one for each feature. Features without a geometry have an empty one. None if not read."""
        if not self._flags & FeatureSetFlags.HAS_GEOMETRIES:
            return None
        handle = _abi.ald_geometry_array()
        check(library().ald_feature_set_get_geometries, self._handle, handle)
        array = GeometryArray.__new__(GeometryArray)
        Handle.__init__(array, handle, keeps=self, is_lent=True)
        return array

    def column(self, field: int | str) -> AttributeColumn:
        """The values of a field, by its name or its index in `fields`, without a copy."""
        index = self._index(field)
        column = self._column(index)
        count = self._count

        def view(pointer: Any, length: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
            return viewed_memory(pointer, (length,), dtype, self)

        states = view(column.states, count, np.uint8)
        offsets = view(column.offsets, count + 1, np.int64) if column.offsets else None
        length = count if offsets is None else int(offsets[-1])
        data: npt.NDArray[Any] | None = None
        type = self._fields[index].type
        if type in (FieldType.INTEGER, FieldType.INTEGER_LIST):
            data = view(column.integers, length, np.int64)
        elif type in (FieldType.REAL, FieldType.REAL_LIST):
            data = view(column.reals, length, np.float64)
        elif type in (FieldType.DATE, FieldType.TIME, FieldType.DATE_TIME):
            data = view(column.date_times, length, _DATE_TIME)
        elif type in (FieldType.TEXT, FieldType.BINARY):
            data = view(column.bytes, length, np.uint8)
        return AttributeColumn(self._fields[index], states, data, offsets)

    def value(self, feature: int, field: int | str) -> Any:
        """A value: int, bool, float, str, date, time, datetime, bytes, or a list. None if there is no value."""
        index = self._index(field)
        return _python_value(self._value(feature, index), self._fields[index])[0]

    def values(self, field: int | str) -> list[Any]:
        """The values of a field, each as `value` returns it."""
        index = self._index(field)
        return [_python_value(self._value(row, index), self._fields[index])[0] for row in range(self._count)]

    def _index(self, field: int | str) -> int:
        if not isinstance(field, str):
            return range(len(self._fields))[field]
        for index, known in enumerate(self._fields):
            if known.name == field:
                return index
        raise KeyError(field)

    def _value(self, row: int, index: int) -> _abi.ald_attribute_value:
        value = _abi.ald_attribute_value()
        position = uint32(range(self._count)[row], "feature")
        check(library().ald_feature_set_get_attribute, self._handle, position, index, value)
        return value

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Feature: ...
    @overload
    def __getitem__(self, index: slice) -> list[Feature]: ...
    def __getitem__(self, index: int | slice) -> Feature | list[Feature]:
        if isinstance(index, slice):
            return [self[row] for row in range(self._count)[index]]
        row = range(self._count)[index]
        flags = FeatureFlags(int(self.flags[row]))
        has_geometry = self.geometries is not None and not flags & FeatureFlags.NO_GEOMETRY
        attributes = {}
        for number, field in enumerate(self._fields):
            value, state = _python_value(self._value(row, number), field)
            if state is not ValueState.UNSET:
                attributes[field.name] = value
        geometry = self.geometries[row] if has_geometry and self.geometries is not None else None
        return Feature(int(self.ids[row]), geometry, attributes, flags)

    def __iter__(self) -> Iterator[Feature]:
        return (self[index] for index in range(self._count))

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The features for other libraries, with the coordinates as they are."""
        return {"type": "FeatureCollection", "features": [feature.__geo_interface__ for feature in self]}

    def _facts(self) -> str:
        return f"of {self._count} features with {len(self._fields)} fields"

    def _repr_html_(self) -> str:
        names = [field.name for field in self._fields]
        rows = (
            (feature.id, *(feature.attributes.get(name) for name in names), repr(feature.geometry)) for feature in self
        )
        return table(repr(self)[1:-1], ("id", *names, "geometry"), rows, self._count)


def _python_value(value: _abi.ald_attribute_value, field: FeatureField) -> tuple[Any, ValueState]:
    """A value in Python's form, and its state."""
    state = ValueState(value.state)
    if state is not ValueState.PRESENT:
        return None, state
    type, count = field.type, value.element_count
    if type is FieldType.INTEGER:
        return (bool(value.integer) if field.subtype is FieldSubtype.BOOLEAN else value.integer), state
    if type is FieldType.REAL:
        return value.real, state
    if type is FieldType.TEXT:
        return decoded(value.text), state
    if type is FieldType.BINARY:
        return bytes(value.bytes[:count]), state
    if type is FieldType.INTEGER_LIST:
        return value.integers[:count] if count else [], state
    if type is FieldType.REAL_LIST:
        return value.reals[:count] if count else [], state
    if type is FieldType.TEXT_LIST:
        return [decoded(value.texts[index]) for index in range(count)], state
    return python_date(value.date_time, type), state


def python_date(given: _abi.ald_date_time, type: FieldType) -> Any:
    microseconds = round(given.second * 1e6)
    time = given.hour, given.minute, microseconds // 1_000_000, microseconds % 1_000_000
    zone = None
    try:
        if given.zone == TimeZone.OFFSET:
            offset = datetime.timedelta(minutes=given.utc_offset_min)
            zone = datetime.timezone.utc if not offset else datetime.timezone(offset)
        if type is FieldType.DATE:
            return datetime.date(given.year, given.month, given.day)
        if type is FieldType.TIME:
            return datetime.time(*time, tzinfo=zone)
        return datetime.datetime(given.year, given.month, given.day, *time, tzinfo=zone)
    except ValueError:
        day = given.year, given.month, given.day, given.hour, given.minute, given.second
        return DateTime(*day, TimeZone(given.zone), given.utc_offset_min)

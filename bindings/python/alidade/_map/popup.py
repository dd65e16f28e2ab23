"""Popups: how the elements of a layer or an overlay read for a person."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .. import _abi
from .._abi import PopupFieldFlags
from .._base.errors import NotFoundError, check
from .._base.handle import Handle
from .._base.numbers import uint32
from .._base.text import decoded, encoded
from .._library import library


@dataclass(frozen=True)
class PopupField:
    """A row of a popup definition, and the format of its attribute in the row, title and text."""

    # The name of the attribute; the case of ASCII letters does not matter.
    name: str
    # None for the attribute's alias, or its name if it has no alias.
    label: str | None = None
    # Digits after the decimal separator, 0 to 17, rounded half to even; None for as many as the number needs.
    decimals: int | None = None
    decimal_separator: str = "."
    # Between groups of three digits before the decimal separator.
    digit_separator: str = ""
    # A text with %Y %m %d %H %I %M %S %p %B %b %z %%, as in strftime, in English; None for ISO 8601.
    date_format: str | None = None


@dataclass(frozen=True)
class PopupDefinition:
    """The contents of the popups of a layer or an overlay.

    In title and text, {NAME} stands for the attribute of that name; {{ and }} stand for braces. A name that the element
    does not have stays as it is written, with its braces. An attribute without a value becomes an empty text.
    """

    title: str = ""
    text: str = ""
    # The rows, in order; empty for a row per attribute.
    fields: Sequence[PopupField] = field(default=())


class PopupRow(NamedTuple):
    """A row of a popup."""

    label: str
    # Empty if the attribute has no value, or the element has no such attribute.
    text: str


@dataclass(frozen=True)
class Popup:
    """The popup of an element, filled in with its attributes."""

    title: str
    text: str
    rows: tuple[PopupRow, ...]


def c_definition(definition: PopupDefinition | None) -> _abi.ald_popup_definition | None:
    if definition is None:
        return None
    fields = [_c_field(given) for given in definition.fields]
    array = (_abi.ald_popup_field * len(fields))(*fields)
    result = _abi.ald_popup_definition(
        title=encoded(definition.title), text=encoded(definition.text), field_count=uint32(len(fields), "fields")
    )
    if fields:
        result.fields = ctypes.cast(array, ctypes.POINTER(_abi.ald_popup_field))
    # ctypes does not keep what a pointer in a struct leads to.
    result._keeps = (array, fields)
    return result


def popup_of(result: Handle, index: int) -> Popup | None:
    """The popup of an element; None if its layer or overlay had no definition."""
    found = _abi.ald_popup()
    try:
        check(library().ald_identify_result_get_popup_at, result._handle, index, found)
    except NotFoundError:
        return None
    rows = []
    for number in range(found.row_count):
        row = _abi.ald_popup_row()
        check(library().ald_identify_result_get_popup_row_at, result._handle, index, number, row)
        rows.append(PopupRow(decoded(row.label), decoded(row.text)))
    return Popup(decoded(found.title), decoded(found.text), tuple(rows))


def _c_field(given: PopupField) -> _abi.ald_popup_field:
    def text(value: str | None) -> bytes | None:
        return None if value is None else encoded(value)

    return _abi.ald_popup_field(
        flags=0 if given.decimals is None else PopupFieldFlags.HAS_DECIMALS,
        decimals=0 if given.decimals is None else uint32(given.decimals, "decimals"),
        name=encoded(given.name),
        label=text(given.label),
        decimal_separator=encoded(given.decimal_separator),
        digit_separator=encoded(given.digit_separator),
        date_format=text(given.date_format),
    )

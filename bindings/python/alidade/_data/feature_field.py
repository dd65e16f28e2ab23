"""Facts about the fields of features."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _abi
from .._abi import FieldFlags, FieldSubtype, FieldType
from .._base.text import decoded


@dataclass(frozen=True)
class FeatureField:
    """A field of a source of features."""

    name: str
    # Another name, for display; empty if the field has none.
    alias: str
    type: FieldType
    subtype: FieldSubtype
    # The width in characters or digits; 0 if it is not limited.
    width: int
    # The number of decimals; 0 if it is not limited.
    precision: int
    is_nullable: bool
    is_unique: bool


def feature_field(info: _abi.ald_field_info) -> FeatureField:
    return FeatureField(
        decoded(info.name),
        decoded(info.alias),
        FieldType(info.type),
        FieldSubtype(info.subtype),
        info.width,
        info.precision,
        bool(info.flags & FieldFlags.NULLABLE),
        bool(info.flags & FieldFlags.UNIQUE),
    )

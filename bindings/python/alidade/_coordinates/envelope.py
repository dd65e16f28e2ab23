"""A box with sides along the axes."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _abi


@dataclass(frozen=True)
class Envelope:
    """An axis-parallel box."""

    x_min: float
    y_min: float
    x_max: float
    y_max: float


def envelope(box: _abi.ald_envelope) -> Envelope:
    return Envelope(box.x_min, box.y_min, box.x_max, box.y_max)

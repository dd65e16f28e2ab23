"""A box with sides along the axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence

from .. import _abi


@dataclass(frozen=True)
class Envelope:
    """An axis-parallel box."""

    x_min: float
    y_min: float
    x_max: float
    y_max: float


def c_envelope(envelope: Envelope | Sequence[float]) -> _abi.ald_envelope:
    """The struct of an envelope, or of x_min, y_min, x_max, y_max."""
    if isinstance(envelope, Envelope):
        return _abi.ald_envelope(envelope.x_min, envelope.y_min, envelope.x_max, envelope.y_max)
    x_min, y_min, x_max, y_max = envelope
    return _abi.ald_envelope(float(x_min), float(y_min), float(x_max), float(y_max))


def envelope(box: _abi.ald_envelope) -> Envelope:
    return Envelope(box.x_min, box.y_min, box.x_max, box.y_max)

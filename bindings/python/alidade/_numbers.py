"""Whole numbers on their way into the library. ctypes cuts off what does not fit, in silence; these refuse it."""

from __future__ import annotations

import operator
from typing import SupportsIndex


def int32(value: SupportsIndex, name: str) -> int:
    return _within(value, -(2**31), 2**31 - 1, name)


def uint32(value: SupportsIndex, name: str) -> int:
    return _within(value, 0, 2**32 - 1, name)


def uint64(value: SupportsIndex, name: str) -> int:
    return _within(value, 0, 2**64 - 1, name)


def _within(value: SupportsIndex, lowest: int, highest: int, name: str) -> int:
    number = operator.index(value)
    if not lowest <= number <= highest:
        raise ValueError(f"{name} must be {lowest} to {highest}, not {number}")
    return number

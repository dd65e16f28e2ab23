"""Whole numbers on their way into the library. ctypes cuts off what does not fit, in silence; these refuse it."""

from __future__ import annotations

import operator
from typing import Iterable, SupportsIndex

import numpy as np
import numpy.typing as npt


def int32(value: SupportsIndex, name: str) -> int:
    return _within(value, -(2**31), 2**31 - 1, name)


def uint32(value: SupportsIndex, name: str) -> int:
    return _within(value, 0, 2**32 - 1, name)


def uint64(value: SupportsIndex, name: str) -> int:
    return _within(value, 0, 2**64 - 1, name)


def int64(value: SupportsIndex, name: str) -> int:
    return _within(value, -(2**63), 2**63 - 1, name)


def int64s(values: Iterable[SupportsIndex], name: str) -> npt.NDArray[np.int64]:
    if not isinstance(values, np.ndarray):
        return np.array([_within(value, -(2**63), 2**63 - 1, name) for value in values], dtype=np.int64)
    if values.dtype.kind not in "iu" and values.size:
        raise TypeError(f"{name} must be whole numbers, not {values.dtype}")
    if values.dtype.kind == "u" and values.size and int(values.max()) >= 2**63:
        raise ValueError(f"{name} must be {-(2**63)} to {2**63 - 1}, not {values.max()}")
    return np.ascontiguousarray(values, dtype=np.int64)


def _within(value: SupportsIndex, lowest: int, highest: int, name: str) -> int:
    number = operator.index(value)
    if not lowest <= number <= highest:
        raise ValueError(f"{name} must be {lowest} to {highest}, not {number}")
    return number

"""Texts on their way into the library and out of it."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Union

from .. import _abi
from .errors import AlidadeError, check

PathLike = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def encoded(text: str) -> bytes:
    """UTF-8 for the library, which ends a text at its first NUL.

    :raises TypeError: if it is no text.
    :raises ValueError: if the text holds a NUL or is not Unicode (a lone surrogate).
    """
    if not isinstance(text, str):
        raise TypeError(f"a text is wanted, not {type(text).__name__}")
    return _without_nul(text.encode("utf-8"))


def encoded_path(path: PathLike) -> bytes:
    """A path as the file system spells it. The library refuses a path that is not UTF-8."""
    return _without_nul(os.fsencode(path))


def decoded(text: bytes | None) -> str:
    """A text of the library; NULL is the empty one."""
    return "" if text is None else text.decode("utf-8")


def copied(function: Any, *arguments: Any) -> str:
    """A text that a C function copies out, with buffer, capacity and out_size as its last arguments.

    Another thread may make the text longer between the question for its size and the copying.
    """
    size = ctypes.c_size_t()
    check(function, *arguments, None, 0, ctypes.byref(size))
    while True:
        buffer = ctypes.create_string_buffer(size.value)
        try:
            check(function, *arguments, buffer, len(buffer), ctypes.byref(size))
        except AlidadeError as error:
            if error.status is not _abi.Status.BUFFER_TOO_SMALL:
                raise
        else:
            return decoded(buffer.value)


def _without_nul(data: bytes) -> bytes:
    if b"\0" in data:
        raise ValueError("embedded null byte")
    return data

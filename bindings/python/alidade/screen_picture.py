"""A raster layer as pixels, as a view showed it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _abi
from ._geometry_columns import viewed_memory
from ._handle import Handle
from ._library import library
from .errors import check


class ScreenPicture(Handle):
    """A raster layer as pixels, as a view showed it. Immutable.

    Attributes:
        rgba: uint8 of shape (rows, columns, 4): red, green, blue, alpha, not premultiplied. Not copied.
        verdicts: uint8 of shape (rows, columns): a CellVerdict per sample. Not copied.
        lacking_count: how many samples the server did not return.
    """

    rgba: npt.NDArray[np.uint8]
    verdicts: npt.NDArray[np.uint8]
    lacking_count: int

    _release_function = "ald_screen_picture_release"

    def __init__(self, handle: _abi.ald_screen_picture, keeps: Handle) -> None:
        super().__init__(handle, keeps=keeps)
        pixels = _abi.ald_screen_pixels()
        check(library().ald_screen_picture_get_pixels, handle, pixels)
        self._state(
            rgba=self._seen(pixels.rgba, (pixels.rows, pixels.columns, 4)),
            verdicts=self._seen(pixels.verdicts, (pixels.rows, pixels.columns)),
            lacking_count=pixels.lacking_count,
        )

    def _seen(self, pointer: Any, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
        return viewed_memory(pointer, shape, np.uint8, self)

    def __repr__(self) -> str:
        return self._repr(f"{self.rgba.shape[1]} x {self.rgba.shape[0]} samples, {self.lacking_count} lacking")

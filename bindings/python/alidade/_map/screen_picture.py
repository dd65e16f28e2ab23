"""The pixels of a raster layer, as a view showed them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._base.errors import check
from .._base.handle import Handle
from .._geometry.geometry_columns import viewed_memory
from .._library import library


class ScreenPicture(Handle):
    """The pixels of a raster layer, as a view showed them. Immutable.

    Attributes:
        lacking_count: how many samples the server did not return.
    """

    lacking_count: int
    _pixels: _abi.ald_screen_pixels

    _release_function = "ald_screen_picture_release"

    def __init__(self, handle: _abi.ald_screen_picture, keeps: Handle) -> None:
        super().__init__(handle, keeps=keeps)
        pixels = _abi.ald_screen_pixels()
        check(library().ald_screen_picture_get_pixels, handle, pixels)
        self._state(_pixels=pixels, lacking_count=pixels.lacking_count)

    @property
    def rgba(self) -> npt.NDArray[np.uint8]:
        """The pixels, of shape (rows, columns, 4): red, green, blue, alpha, not premultiplied. Not copied."""
        return self._seen(self._pixels.rgba, (*self._shape, 4))

    @property
    def verdicts(self) -> npt.NDArray[np.uint8]:
        """A CellVerdict per sample, of shape (rows, columns). Not copied."""
        return self._seen(self._pixels.verdicts, self._shape)

    @property
    def _shape(self) -> tuple[int, int]:
        return self._pixels.rows, self._pixels.columns

    def _seen(self, pointer: Any, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
        return viewed_memory(pointer, shape, np.uint8, self)

    def _facts(self) -> str:
        rows, columns = self._shape
        return f"{columns} x {rows} samples, {self.lacking_count} lacking"

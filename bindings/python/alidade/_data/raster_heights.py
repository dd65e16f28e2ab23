"""Heights of many points from a raster."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _abi
from .._abi import HeightFields, HeightFlags, Interpolation, ProjectFlags
from .._base import arrays
from .._base.arrays import FloatArray, c_coordinates, coordinate_rows
from .._base.errors import check
from .._base.handle import Handle
from .._base.numbers import int32
from .._coordinates.projection import ProjectionReceipt
from .._coordinates.spatial_reference import SpatialReferenceLike, optional_reference
from .._library import library


class Heights(NamedTuple):
    """The result of `Raster.heights`."""

    # float64 of shape (n,); NaN where there is no height.
    heights: FloatArray
    # uint8 of shape (n,): see CellVerdict; VALUE where there is a height.
    verdicts: npt.NDArray[np.uint8]
    flags: HeightFlags
    failed_count: int
    # Metres per unit of the heights; negative for depths.
    metres_per_unit: float
    # The receipt of converting the heights; None if they were not converted.
    receipt: ProjectionReceipt | None


class RasterHeights(Handle):
    """Methods of `Raster` for heights."""

    def heights(
        self,
        points: npt.ArrayLike,
        spatial_reference: SpatialReferenceLike | None = None,
        interpolation: Interpolation = Interpolation.BILINEAR,
        *,
        band: int = 1,
        metres_per_band_unit: float | None = None,
        strict: bool = False,
        only_best: bool = False,
        ignore_vertical: bool = False,
        out: npt.NDArray[Any] | None = None,
    ) -> Heights:
        """Reads heights at points, in the unit of the vertical axis of the points' spatial reference.

        Without a vertical axis the heights are in metres.

        Args:
            points: float64 of shape (n, 2) or (n, 3). Only x and y are read.
            spatial_reference: the spatial reference of the points and of the heights; None: the raster's own. If both
                this and the raster's have a vertical part, heights are converted. Otherwise they stay relative to the
                raster's reference.
            interpolation: how values between the centres of cells are computed.
            band: from 1.
            metres_per_band_unit: the length in metres of the unit of the band's values; None: the unit of the band or
                the raster.
            strict: refuse points whose heights only a ballpark operation can convert.
            only_best: refuse points if the best operation for their heights lacks a grid file.
            ignore_vertical: do not convert heights.
            out: None, or the array to write to: float64 of shape (n,), such as points[:, 2].

        Raises:
            NotFoundError: there is no such band.
            UnsupportedError: the unit of the band is not a unit of length, or the raster is not georeferenced by a
                geotransform.
            NotReadyError, ProjectionFailedError, LimitExceededError, ReadFailedError: as for `Raster.read_points`.
        """
        source = coordinate_rows(points)
        count = len(source)
        heights = np.empty(count, dtype=np.float64) if out is None else out
        if heights.dtype != np.float64 or heights.shape != (count,) or not heights.flags.writeable:
            raise ValueError(f"out must be a writeable float64 array of shape ({count},)")
        if count > 1 and heights.strides[0] < 8:
            raise ValueError("out must have its numbers at least 8 bytes apart")
        verdicts = np.empty(count, dtype=np.uint8)
        options = _abi.ald_height_options()
        options.fields = HeightFields.HAS_INTERPOLATION
        options.interpolation = int32(interpolation, "interpolation")
        options.band = _band(band)
        options.metres_per_band_unit = 0.0 if metres_per_band_unit is None else metres_per_band_unit
        options.project_flags = (
            (ProjectFlags.STRICT if strict else 0)
            | (ProjectFlags.ONLY_BEST if only_best else 0)
            | (ProjectFlags.IGNORE_VERTICAL if ignore_vertical else 0)
        )
        info = _abi.ald_height_info()
        receipt = _abi.ald_projection_receipt()
        check(
            library().ald_raster_read_heights,
            self._handle,
            optional_reference(spatial_reference),
            options,
            c_coordinates(source),
            arrays.address(heights),
            int(heights.strides[0]) if count > 1 else 8,
            arrays.address(verdicts),
            info,
            receipt,
        )
        return Heights(
            heights,
            verdicts,
            HeightFlags(info.flags),
            info.failed_count,
            info.metres_per_unit,
            ProjectionReceipt(receipt, keeps=self) if receipt.id else None,
        )


def _band(band: int) -> int:
    if int32(band, "band") == 0:
        raise ValueError("band must be at least 1")
    return band

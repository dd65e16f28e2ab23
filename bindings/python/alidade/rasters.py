"""Rasters: facts, cells, windows, profiles and statistics."""

from ._abi import (
    BandFacts,
    CellVerdict,
    ColorRole,
    DataType,
    GeoreferenceKind,
    HeightFlags,
    Interpolation,
    TableColumnRole,
    TableColumnType,
    ValueState,
)
from ._base.arrays import BAND_VALUE, CELL, CLASS_COUNT, PROFILE_SAMPLE
from ._base.calls import publish
from ._data.raster import Cells, ContainedDataset, Raster, read_datasets
from ._data.raster_analysis import PolygonStatistics, RasterWindow, Samples
from ._data.raster_heights import Heights
from ._data.raster_info import BandInfo, RasterInfo, TableColumn

__all__ = [
    "BAND_VALUE",
    "BandFacts",
    "BandInfo",
    "CELL",
    "CLASS_COUNT",
    "CellVerdict",
    "Cells",
    "ColorRole",
    "ContainedDataset",
    "DataType",
    "GeoreferenceKind",
    "HeightFlags",
    "Heights",
    "Interpolation",
    "PROFILE_SAMPLE",
    "PolygonStatistics",
    "Raster",
    "RasterInfo",
    "RasterWindow",
    "Samples",
    "TableColumn",
    "TableColumnRole",
    "TableColumnType",
    "ValueState",
    "read_datasets",
]

publish(__name__, __all__)

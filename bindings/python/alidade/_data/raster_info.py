"""Facts about rasters, bands and attribute tables, as plain Python values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from .. import _abi
from .._abi import (
    BandFacts,
    ColorRole,
    DataType,
    GeoreferenceKind,
    TableColumnRole,
    TableColumnType,
)
from .._base.text import decoded
from .._coordinates.envelope import Envelope, envelope

TableValue = Union[int, float, str]

_INTEGER_TYPES = frozenset(
    {
        DataType.UINT8,
        DataType.INT8,
        DataType.UINT16,
        DataType.INT16,
        DataType.UINT32,
        DataType.INT32,
        DataType.UINT64,
        DataType.INT64,
    }
)


@dataclass(frozen=True)
class RasterInfo:
    """Facts about a raster."""

    # The path or name with which the raster was opened.
    path: str
    # The short name of GDAL's driver, such as "GTiff".
    driver: str
    # In cells.
    width: int
    height: int
    band_count: int
    # Whether geotransform can be used, and if not, what locates the raster.
    georeference: GeoreferenceKind
    control_point_count: int
    # The number of further data sets inside the file.
    subdataset_count: int
    has_spatial_reference: bool
    # x = g[0] + column * g[1] + row * g[2] and y = g[3] + column * g[4] + row * g[5].
    geotransform: tuple[float, float, float, float, float, float]
    # The corners (0, 0), (width, 0), (width, height) and (0, height), converted by the geotransform.
    corners: tuple[tuple[float, float], ...]
    extent: Envelope


@dataclass(frozen=True)
class BandInfo:
    """Facts about a band."""

    type: DataType
    color_role: ColorRole
    # Which of nodata, scale, offset, mask and alpha the file defines.
    facts: BandFacts
    # The size in cells of the blocks in which the file stores the band.
    block_width: int
    block_height: int
    overview_count: int
    table_row_count: int
    table_column_count: int
    # An exact int for integer bands (a float if it is not an integer); None if the band has no nodata value.
    nodata: Union[int, float, None]
    # scaled value = raw value * scale + offset.
    scale: float
    offset: float
    # The unit of the scaled value; empty if the file defines none.
    unit: str
    # Empty if the file defines none.
    description: str
    # The name at index i belongs to raw value i.
    category_names: tuple[str, ...]
    # Red, green, blue, alpha. The colour at index i belongs to raw value i.
    colors: tuple[tuple[int, int, int, int], ...]


@dataclass(frozen=True)
class TableColumn:
    """A column of a band's attribute table."""

    name: str
    type: TableColumnType
    role: TableColumnRole


def raster_info(info: _abi.ald_raster_info) -> RasterInfo:
    return RasterInfo(
        path=decoded(info.path),
        driver=decoded(info.driver),
        width=info.width,
        height=info.height,
        band_count=info.band_count,
        georeference=GeoreferenceKind(info.georeference),
        control_point_count=info.control_point_count,
        subdataset_count=info.subdataset_count,
        has_spatial_reference=bool(info.has_spatial_reference),
        geotransform=tuple(info.geotransform),
        corners=tuple((corner.x, corner.y) for corner in info.corners),
        extent=envelope(info.extent),
    )


def band_info(info: _abi.ald_band_info) -> BandInfo:
    return BandInfo(
        type=DataType(info.type),
        color_role=ColorRole(info.color_role),
        facts=BandFacts(info.facts),
        block_width=info.block_width,
        block_height=info.block_height,
        overview_count=info.overview_count,
        table_row_count=info.table_row_count,
        table_column_count=info.table_column_count,
        nodata=_nodata(info),
        scale=info.scale,
        offset=info.offset,
        unit=decoded(info.unit),
        description=decoded(info.description),
        category_names=tuple(decoded(info.category_names[i]) for i in range(info.category_count)),
        colors=tuple(_color(info.colors[i]) for i in range(info.color_count)),
    )


def table_value(value: _abi.ald_table_value) -> TableValue:
    if value.type == TableColumnType.INTEGER:
        return int(value.integer)
    if value.type == TableColumnType.REAL:
        return float(value.real)
    return decoded(value.text)


def _nodata(info: _abi.ald_band_info) -> Union[int, float, None]:
    if not info.facts & BandFacts.NODATA:
        return None
    if info.type not in _INTEGER_TYPES or not float(info.nodata).is_integer():
        return float(info.nodata)
    # For UINT64, nodata_integer holds the bits.
    return info.nodata_integer % 2**64 if info.type == DataType.UINT64 else int(info.nodata_integer)


def _color(color: _abi.ald_rgba) -> tuple[int, int, int, int]:
    return color.red, color.green, color.blue, color.alpha

"""
The outside truth about a raster: its facts and cells as rasterio, GDAL and pyproj report them.

Rasters are read whole with rasterio; category names and attribute tables, which rasterio does not know, come from
GDAL's own Python binding. Screen points become cells by camera.py, pyproj and the inverse geotransform below.
"""
import math
from dataclasses import dataclass
from functools import cached_property

import numpy
import pyproj
import rasterio
from osgeo import gdal
from rasterio.enums import MaskFlags

gdal.UseExceptions()

# Verdicts, by the names of ald_cell_verdict.
VALUE, NODATA, MASKED, TRANSPARENT, OUTSIDE, NOT_PROJECTABLE = range(6)

# GDAL's types, by the numbers of ald_data_type; and the numpy type that holds them.
TYPES = {
    gdal.GDT_Byte: (1, "uint8"), gdal.GDT_UInt16: (3, "uint16"), gdal.GDT_Int16: (4, "int16"),
    gdal.GDT_UInt32: (5, "uint32"), gdal.GDT_Int32: (6, "int32"), gdal.GDT_UInt64: (7, "uint64"),
    gdal.GDT_Int64: (8, "int64"), gdal.GDT_Float32: (9, "float32"), gdal.GDT_Float64: (10, "float64"),
    gdal.GDT_CInt16: (11, "complex64"), gdal.GDT_CInt32: (12, "complex128"), gdal.GDT_CFloat32: (13, "complex64"),
    gdal.GDT_CFloat64: (14, "complex128"),
}
INT8 = (2, "int8")

NO_COLOUR = (0, 0, 0, 0)


@dataclass(frozen=True)
class BandValue:
    """What the truth says of one band of one cell, in the terms of ald_band_value."""

    type: int
    verdict: int
    raw: object
    scaled: complex
    colour: tuple
    category: int
    table_row: int


class Band:
    """One band: all of its cells and what they mean."""

    def __init__(self, source, dataset, number):
        self._dataset = dataset  # a GDAL band is only good as long as its data set
        self._band = dataset.GetRasterBand(number)
        signed = self._band.GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE") == "SIGNEDBYTE"
        self.type, numpy_type = INT8 if signed else TYPES[self._band.DataType]
        self.cells = self._read(source, number, numpy_type)
        self.valid = source.read_masks(number) != 0
        self.flags = source.mask_flag_enums[number - 1]
        self.nodata = self._band.GetNoDataValue()
        if signed and self.nodata is not None:
            self.valid = self.cells != self.nodata  # GDAL 3.6 compares with the unsigned value and finds none
        self.is_alpha = self._band.GetColorInterpretation() == gdal.GCI_AlphaBand
        self.scale, self.offset = source.scales[number - 1], source.offsets[number - 1]
        self.has_scale = (self.scale, self.offset) != (1.0, 0.0)
        self.unit = source.units[number - 1] or ""
        self.description = source.descriptions[number - 1] or ""
        self.category_names = self._band.GetCategoryNames() or []
        self.table = self._band.GetDefaultRAT()
        self.colours = self._colours()

    def _read(self, source, number, numpy_type):
        if self._band.DataType in (gdal.GDT_UInt64, gdal.GDT_Int64):
            # rasterio 1.3.5 has the names of these two types the wrong way round; the bits are right.
            return source.read(number).view(numpy_type)
        return source.read(number, out_dtype=numpy_type)

    def _colours(self):
        table = self._band.GetColorTable()
        if table is None:
            return None
        return [tuple(table.GetColorEntry(index)) for index in range(table.GetCount())]

    def overview(self, index):
        """All cells of an overview."""
        return self._band.GetOverview(index).ReadAsArray()

    @property
    def why_not_valid(self):
        """The verdict on cells that GDAL's mask excludes."""
        if MaskFlags.alpha in self.flags:
            return TRANSPARENT
        if MaskFlags.nodata in self.flags or self.type == INT8[0]:
            return NODATA
        return MASKED

    def value(self, column, row):
        raw = self.cells[row, column]
        verdict = VALUE if self.valid[row, column] else self.why_not_valid
        number = raw.item()
        scaled = scale(number, self.scale, self.offset) if verdict == VALUE else math.nan
        index = number if isinstance(number, int) else -1
        return BandValue(
            type=self.type, verdict=verdict, raw=raw, scaled=scaled,
            colour=self._colour(index) if verdict == VALUE else NO_COLOUR,
            category=index if 0 <= index < len(self.category_names) and self.category_names[index] else -1,
            table_row=self._table_row(number),
        )

    def _colour(self, index):
        return self.colours[index] if self.colours and 0 <= index < len(self.colours) else NO_COLOUR

    def _table_row(self, number):
        if self.table is None or isinstance(number, complex):
            return -1
        return self.table.GetRowOfValue(float(number))

    def table_columns(self):
        """(name, type, usage) of each column."""
        if self.table is None:
            return []
        return [(self.table.GetNameOfCol(index), self.table.GetTypeOfCol(index), self.table.GetUsageOfCol(index))
                for index in range(self.table.GetColumnCount())]

    def table_value(self, row, column):
        kind = self.table.GetTypeOfCol(column)
        if kind == gdal.GFT_Integer:
            return self.table.GetValueAsInt(row, column)
        if kind == gdal.GFT_Real:
            return self.table.GetValueAsDouble(row, column)
        return self.table.GetValueAsString(row, column)


def scale(number, factor, offset):
    """The scaled value; the offset of a complex number is real."""
    if isinstance(number, complex):
        return complex(number.real * factor + offset, number.imag * factor)
    return number * factor + offset


class Truth:
    """A raster: where its cells lie, and its bands."""

    def __init__(self, path, crs=None):
        with rasterio.open(path) as source:
            self.width, self.height = source.width, source.height
            self.driver = source.driver
            self.transform = source.get_transform()
            wkt = source.crs.to_wkt(version="WKT2_2019") if source.crs else None
            dataset = gdal.Open(str(path))
            self.bands = [Band(source, dataset, number) for number in source.indexes]
        self.crs = pyproj.CRS.from_user_input(crs or wkt) if crs or wkt else None

    @cached_property
    def inverse(self):
        """GDAL's own inverse geotransform: for edges and corners, where each bit counts."""
        return gdal.InvGeoTransform(self.transform)

    def to_coordinates(self, cells):
        """n x 2 positions in cells (column, row, with fractions) to raster coordinates."""
        x0, xc, xr, y0, yc, yr = self.transform
        columns, rows = numpy.asarray(cells, float).T
        return numpy.column_stack([x0 + columns * xc + rows * xr, y0 + columns * yc + rows * yr])

    def to_cells(self, points):
        """n x 2 raster coordinates to positions in cells."""
        x0, xc, xr, y0, yc, yr = self.transform
        x, y = (numpy.asarray(points, float) - (x0, y0)).T
        determinant = xc * yr - xr * yc
        return numpy.column_stack([(x * yr - y * xr) / determinant, (y * xc - x * yc) / determinant])

    def holds(self, column, row):
        return 0 <= column < self.width and 0 <= row < self.height

    def values(self, column, row):
        return [band.value(column, row) for band in self.bands]

    def verdict(self, column, row):
        """
        The verdict on a whole cell: a value if any band has one, otherwise why the first band has none. An alpha band
        says of others whether they are seen, and is itself valid everywhere: it does not count.
        """
        verdicts = [band.value(column, row).verdict for band in self.bands if not band.is_alpha]
        return VALUE if VALUE in verdicts else verdicts[0]



def projector(source, target):
    """A function from n x 2 points to n x 2 points; what cannot be projected becomes infinite."""
    if source == target:
        return lambda points: numpy.asarray(points, float)
    transformer = pyproj.Transformer.from_crs(source, target, always_xy=True)

    def project(points):
        x, y = numpy.asarray(points, float).T
        return numpy.column_stack(transformer.transform(x, y))

    return project

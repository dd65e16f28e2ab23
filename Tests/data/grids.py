"""Writing rasters from numpy arrays: what generate.py builds on."""
import numpy
from osgeo import gdal, osr

gdal.UseExceptions()

UTM33 = 32633
CELLS_OF_30_M = (500000.0, 30.0, 0.0, 5400000.0, 0.0, -30.0)

TYPES = {
    "uint8": gdal.GDT_Byte, "uint16": gdal.GDT_UInt16, "int16": gdal.GDT_Int16, "uint32": gdal.GDT_UInt32,
    "int32": gdal.GDT_Int32, "uint64": gdal.GDT_UInt64, "int64": gdal.GDT_Int64, "float32": gdal.GDT_Float32,
    "float64": gdal.GDT_Float64, "complex64": gdal.GDT_CFloat32, "complex128": gdal.GDT_CFloat64,
}


def pattern(width, height, band=1, modulus=251):
    """Whole numbers below modulus in which all neighbours differ, for any modulus from 7."""
    rows, columns = numpy.mgrid[0:height, 0:width]
    return (columns * 1009 + rows * 5003 + band * 31) % modulus


def spatial_reference(code):
    srs = osr.SpatialReference()
    srs.ImportFromEPSG(code)
    srs.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return srs


def empty(path, width, height, bands, gdal_type, code=UTM33, transform=CELLS_OF_30_M, driver="GTiff", options=()):
    """A data set with a location and no values yet."""
    dataset = gdal.GetDriverByName(driver).Create(path, width, height, bands, gdal_type, list(options))
    dataset.SetGeoTransform(transform)
    dataset.SetSpatialRef(spatial_reference(code))
    return dataset


def create(path, arrays, nodata=None, gdal_type=None, **placement):
    """
    A data set of one band per array. The caller may set more on it; it is written when the last name for it goes.
    nodata is set on band 1. gdal_type stands in for the arrays' own type.
    """
    height, width = arrays[0].shape
    dataset = empty(path, width, height, len(arrays), gdal_type or TYPES[arrays[0].dtype.name], **placement)
    for number, array in enumerate(arrays, start=1):
        dataset.GetRasterBand(number).WriteArray(array)
    if nodata is not None:
        dataset.GetRasterBand(1).SetNoDataValue(nodata)
    return dataset


def in_memory(arrays, **settings):
    return create("", arrays, driver="MEM", **settings)


def save_as(driver, dataset, path, *options):
    """Copies a data set into another format."""
    gdal.GetDriverByName(driver).CreateCopy(path, dataset, False, list(options))

#!/usr/bin/python3
"""Makes the rasters that tests need and that are not worth keeping as files.

    generate.py FOLDER               small rasters (a second, about 2 MB)
    generate.py --benchmarks FOLDER  the large raster for benchmarks

Everything follows from fixed formulas and seeds: two runs give the same cells. A cell's value differs from the values
of all neighbours, so that a reader that is off by one cell cannot get a right answer by luck.

Needs Debian's python3-gdal and python3-numpy (hence the interpreter above: the one those packages are for).
"""
import argparse
import csv
import os
import sys

import numpy
from osgeo import gdal

from grids import create, empty, in_memory, pattern, save_as

HERE = os.path.dirname(os.path.abspath(__file__))
RECIPES = []


def recipe(function):
    """Marks a function that writes rasters into the folder it is given."""
    RECIPES.append(function)
    return function


# Types and nodata


@recipe
def signed_byte(folder):
    """GDAL 3.6 knows int8 only as Byte with a metadata item."""
    values = (pattern(61, 47) - 125).astype("int8")
    create(f"{folder}/int8.tif", [values.view("uint8")], options=["PIXELTYPE=SIGNEDBYTE"], nodata=-100)


@recipe
def integers_of_64_bits(folder):
    """Numbers that a double cannot hold, and a nodata value among them whose neighbours are values."""
    values = numpy.uint64(2**64 - 1) - pattern(53, 41).astype("uint64") * numpy.uint64(3)
    create(f"{folder}/uint64.tif", [values])

    values = -(2**62) - pattern(53, 41).astype("int64")
    create(f"{folder}/int64_nodata.tif", [values], nodata=-(2**62) - 100)

    values = numpy.uint64(2**63) + pattern(53, 41).astype("uint64")
    create(f"{folder}/uint64_nodata.tif", [values], nodata=2**63 + 7)


@recipe
def complex_numbers(folder):
    real, imaginary = pattern(40, 30), pattern(40, 30, band=2)
    create(f"{folder}/complex_float64.tif", [(real + 0.1) + 1j * (imaginary / 7.0 - 3.0)])
    dataset = create(f"{folder}/complex_int32.tif", [(real * 100000 - 1j * imaginary * 70000)],
                     gdal_type=gdal.GDT_CInt32)
    # A scale on complex values: the imaginary part is scaled too, the offset is real.
    dataset.GetRasterBand(1).SetScale(0.5)
    dataset.GetRasterBand(1).SetOffset(10.0)


@recipe
def floats(folder):
    # Tenths are not exact in binary: their texts show whether float32 is written as float32.
    values = (pattern(64, 50) / 10.0 - 7.0).astype("float32")
    values[::7, ::5] = -9999.0
    create(f"{folder}/float32_nodata.tif", [values], nodata=-9999.0)

    values = pattern(64, 50) / 7.0 * 1e-5
    values[3::9, 2::4] = numpy.nan
    create(f"{folder}/float64_nan.tif", [values], nodata=float("nan"))

    # 0.1 as nodata of a float32 band: the number in the file and the number in the cells differ as doubles.
    values = (pattern(30, 20, modulus=7) / 10.0).astype("float32")
    create(f"{folder}/float32_tenth.tif", [values], nodata=0.1)


@recipe
def several_nodata_values(folder):
    bands = [pattern(45, 39, band, 200).astype("uint8") for band in (1, 2, 3)]
    dataset = create(f"{folder}/nodata_per_band.img", bands, driver="HFA")
    for number, nodata in enumerate((3, 50, 199), start=1):
        dataset.GetRasterBand(number).SetNoDataValue(nodata)

    # Only cells in which all three bands have these values are nodata.
    for number, (band, nodata) in enumerate(zip(bands, (10, 20, 30))):
        band[5:15, 5:25] = nodata
        band[20, number] = nodata
    dataset = create(f"{folder}/nodata_values.tif", bands)
    dataset.SetMetadataItem("NODATA_VALUES", "10 20 30")


@recipe
def masks_and_alpha(folder):
    bands = [pattern(70, 52, band).astype("uint8") for band in (1, 2, 3)]
    alpha = numpy.full((52, 70), 255, "uint8")
    alpha[10:20, :30] = 0
    alpha[30:40, 20:60] = 77
    dataset = create(f"{folder}/rgba.tif", bands + [alpha], code=3857, transform=(1e6, 10.0, 0.0, 6e6, 0.0, -10.0),
                     options=["PHOTOMETRIC=RGB", "ALPHA=YES", "TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=16"])
    dataset = None

    mask = numpy.full((52, 70), 255, "uint8")
    mask[5:25, 33:66] = 0
    for name, inside in (("mask_file", "NO"), ("mask_internal", "YES")):
        gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", inside)
        dataset = create(f"{folder}/{name}.tif", bands)
        dataset.CreateMaskBand(gdal.GMF_PER_DATASET)
        dataset.GetRasterBand(1).GetMaskBand().WriteArray(mask)
        dataset = None
    gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", None)


# What values mean


@recipe
def colour_table(folder):
    table = gdal.ColorTable()
    for value in range(200):
        table.SetColorEntry(value, (value, 255 - value, value * 5 % 256, 255 if value % 10 else 128))
    dataset = create(f"{folder}/palette.tif", [pattern(58, 44).astype("uint8")])
    dataset.GetRasterBand(1).SetColorTable(table)
    dataset = None

    # A palette of 16 colours: the cells above 15 have none.
    short = gdal.ColorTable()
    for value in range(16):
        short.SetColorEntry(value, (value * 16, 40, 255 - value * 16, 255))
    dataset = create(f"{folder}/palette_short.img", [pattern(58, 44, modulus=23).astype("uint16")], driver="HFA")
    dataset.GetRasterBand(1).SetColorTable(short)


@recipe
def categories(folder):
    dataset = create(f"{folder}/categories.tif", [pattern(50, 40, modulus=7).astype("uint8")])
    band = dataset.GetRasterBand(1)
    band.SetCategoryNames(["water", "for\u00eat", "field", "town", "rock"])  # 5 and 6 have no name
    band.SetDescription("Land cover")


def table_from_csv(path):
    """The attribute table of LANDFIRE's vegetation types, found by the value in its first column."""
    with open(path, newline="", encoding="utf-8-sig") as stream:
        lines = list(csv.DictReader(stream))
    table = gdal.RasterAttributeTable()
    table.CreateColumn("VALUE", gdal.GFT_Integer, gdal.GFU_MinMax)
    table.CreateColumn("EVT_NAME", gdal.GFT_String, gdal.GFU_Name)
    table.CreateColumn("RED", gdal.GFT_Real, gdal.GFU_Red)
    table.SetRowCount(len(lines))
    for row, line in enumerate(lines):
        table.SetValueAsInt(row, 0, int(line["VALUE"]))
        table.SetValueAsString(row, 1, line["EVT_NAME"])
        table.SetValueAsDouble(row, 2, float(line["RED"]))
    return table


@recipe
def attribute_tables(folder):
    source = gdal.Open(f"{HERE}/rasters/storml_evt.tif")
    dataset = gdal.GetDriverByName("GTiff").CreateCopy(f"{folder}/storml_evt_rat.tif", source)
    dataset.GetRasterBand(1).SetDefaultRAT(table_from_csv(f"{HERE}/rasters/LF20_EVT_220.csv"))
    dataset = None

    # Classes by ranges of values: minimum and maximum in columns of their own.
    table = gdal.RasterAttributeTable()
    table.CreateColumn("From", gdal.GFT_Real, gdal.GFU_Min)
    table.CreateColumn("To", gdal.GFT_Real, gdal.GFU_Max)
    table.CreateColumn("Class", gdal.GFT_String, gdal.GFU_Name)
    table.SetRowCount(3)
    for row, (low, high, name) in enumerate(((0.0, 5.0, "low"), (5.1, 9.9, "middle"), (12.0, 18.0, "high"))):
        table.SetValueAsDouble(row, 0, low)
        table.SetValueAsDouble(row, 1, high)
        table.SetValueAsString(row, 2, name)
    dataset = create(f"{folder}/rat_ranges.tif", [pattern(40, 40) / 10.0 - 4.0])
    dataset.GetRasterBand(1).SetDefaultRAT(table)


@recipe
def scale_and_offset(folder):
    bands = [pattern(48, 36, band, 5000).astype("int16") - 1000 for band in (1, 2)]
    bands[0][::6, ::6] = -9999
    dataset = create(f"{folder}/scale_unit.tif", bands)
    for number, (scale, offset, unit) in enumerate(((0.01, -273.15, "\u00b0C"), (0.1, 0.0, "m")), start=1):
        band = dataset.GetRasterBand(number)
        band.SetScale(scale)
        band.SetOffset(offset)
        band.SetUnitType(unit)
        band.SetNoDataValue(-9999)
        band.SetDescription(("Temperature", "Depth")[number - 1])


# Where cells lie


@recipe
def placements(folder):
    values = pattern(60, 45, modulus=60001).astype("uint16")
    create(f"{folder}/one_cell.tif", [values[:1, 7:8]])
    create(f"{folder}/sheared.tif", [values], transform=(400000.0, 20.0, 6.0, 5000000.0, 3.0, -25.0))
    turned = (400000.0, 25.98076211353316, 15.0, 5000000.0, 15.0, -25.98076211353316)
    create(f"{folder}/rotated_30.tif", [values], transform=turned)
    create(f"{folder}/mirrored.tif", [values], transform=(500000.0, -30.0, 0.0, 5400000.0, 0.0, -30.0))
    # US survey feet, and cells whose size is no round binary number.
    create(f"{folder}/feet.tif", [values], code=2263, transform=(980000.3, 100 / 3, 0.0, 200000.7, 0.0, -100 / 3))
    create(f"{folder}/degrees.tif", [values], code=4326, transform=(9.1, 0.001, 0.0, 46.2, 0.0, -0.001))
    create(f"{folder}/lambert.tif", [values], code=2154, transform=(650000.0, 12.5, 0.0, 6860000.0, 0.0, -12.5))
    # Across the antimeridian, in degrees that go on past 180.
    create(f"{folder}/antimeridian.tif", [values], code=4326, transform=(179.7, 0.01, 0.0, -16.5, 0.0, -0.01))


@recipe
def blocks(folder):
    """Tiles that do not divide the raster's size, with overviews inside."""
    values = pattern(333, 277, modulus=65521).astype("uint16")
    dataset = create(f"{folder}/tiled_deflate.tif", [values],
                     options=["TILED=YES", "BLOCKXSIZE=64", "BLOCKYSIZE=32", "COMPRESS=DEFLATE", "PREDICTOR=2"])
    dataset.BuildOverviews("NEAREST", [2, 4])


@recipe
def damaged_files(folder):
    """In one file a tile's bytes are overwritten; the other ends in the middle of its last tiles."""
    values = pattern(256, 256, modulus=65521).astype("uint16")
    options = ["TILED=YES", "BLOCKXSIZE=64", "BLOCKYSIZE=64", "COMPRESS=DEFLATE"]
    for name in ("damaged", "truncated"):
        create(f"{folder}/{name}.tif", [values], options=options).FlushCache()

    offset, size = tile_place(f"{folder}/damaged.tif", 1, 2)
    with open(f"{folder}/damaged.tif", "r+b") as stream:
        stream.seek(offset)
        stream.write(b"\xff" * size)

    offset, size = tile_place(f"{folder}/truncated.tif", 2, 3)
    with open(f"{folder}/truncated.tif", "r+b") as stream:
        stream.truncate(offset + size // 2)


def tile_place(path, column, row):
    """Where a tile's bytes lie in a TIFF file, and how many they are."""
    dataset = gdal.Open(path)
    band = dataset.GetRasterBand(1)
    return tuple(int(band.GetMetadataItem(f"BLOCK_{what}_{column}_{row}", "TIFF")) for what in ("OFFSET", "SIZE"))


# Other drivers


@recipe
def other_drivers(folder):
    """The same two grids, heights and a picture, in formats that other programs write."""
    heights = pattern(57, 43, modulus=3001).astype("int16") - 500
    heights[4::11, 6::9] = -32767
    grid = in_memory([heights], nodata=-32767)
    save_as("AAIGrid", grid, f"{folder}/ascii.asc")
    save_as("ENVI", grid, f"{folder}/envi.dat")
    save_as("EHdr", grid, f"{folder}/ehdr.bil")
    save_as("RST", grid, f"{folder}/idrisi.rst")
    save_as("SAGA", grid, f"{folder}/saga.sdat")
    save_as("PCIDSK", grid, f"{folder}/pcidsk.pix")
    save_as("HFA", grid, f"{folder}/imagine.img", "COMPRESSED=YES")
    save_as("netCDF", grid, f"{folder}/netcdf.nc")
    save_as("BT", in_memory([pattern(57, 43).astype("float32") / 8]), f"{folder}/terrain.bt")

    picture = in_memory([pattern(66, 54, band).astype("uint8") for band in (1, 2, 3)])
    save_as("PNG", picture, f"{folder}/portable.png", "WORLDFILE=YES")
    save_as("JPEG", picture, f"{folder}/photo.jpg", "WORLDFILE=YES", "QUALITY=95")
    save_as("BMP", picture, f"{folder}/bitmap.bmp", "WORLDFILE=YES")
    save_as("JP2OpenJPEG", picture, f"{folder}/wavelet.jp2", "REVERSIBLE=YES", "QUALITY=100")
    save_as("GPKG", picture, f"{folder}/package.gpkg", "TILE_FORMAT=PNG")


@recipe
def terrain_tiles(folder):
    """DTED and USGS DEM: formats with a layout of their own."""
    heights = (pattern(121, 121, modulus=2999) - 200).astype("int16")
    heights[50:60, 20:40] = -32767
    tile = in_memory([heights], code=4326, nodata=-32767,
                     transform=(10 - 0.5 / 120, 1 / 120, 0.0, 47 + 0.5 / 120, 0.0, -1 / 120))
    save_as("DTED", tile, f"{folder}/tile.dt0")

    tile = in_memory([(pattern(60, 50, modulus=997)).astype("int16")], code=26911,
                     transform=(400000.0, 30.0, 0.0, 4100000.0, 0.0, -30.0))
    save_as("USGSDEM", tile, f"{folder}/quad.dem")


def large(folder):
    """8192 x 8192 cells in 1024 deflated tiles: smooth enough to compress, noisy enough that decoding has to work."""
    path = f"{folder}/large.tif"
    size, generator = 8192, numpy.random.default_rng(8192)
    options = ["TILED=YES", "BLOCKXSIZE=256", "BLOCKYSIZE=256", "COMPRESS=DEFLATE", "NUM_THREADS=ALL_CPUS"]
    dataset = empty(f"{path}.part", size, size, 1, gdal.GDT_UInt16, options=options)
    columns = numpy.arange(size)
    for top in range(0, size, 256):
        rows = numpy.arange(top, top + 256)[:, None]
        waves = 20000 + 9000 * numpy.sin(columns / 300) * numpy.cos(rows / 410)
        noise = generator.integers(0, 16, (256, size))
        dataset.GetRasterBand(1).WriteArray((waves + noise).astype("uint16"), 0, top)
    dataset = None
    os.replace(f"{path}.part", path)  # a run that was stopped leaves no half file behind


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--benchmarks", action="store_true", help="only the large raster of the benchmarks")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    for make in [large] if arguments.benchmarks else RECIPES:
        make(arguments.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())

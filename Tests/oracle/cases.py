"""Which rasters are looked at, and through maps in which spatial reference."""
from dataclasses import dataclass

# Map spatial references that are no code: the raster's own, and the degrees that the raster's own is built on.
OWN = "own"
GEOGRAPHIC = "geographic"


@dataclass(frozen=True)
class Case:
    """A raster and the map that shows it. `assigned` is the spatial reference for files that have none."""

    file: str
    map: object
    assigned: int | None = None

    def __str__(self):
        return f"{self.file}-{self.map}"


# Real files, in Tests/data/rasters.
REAL = [
    Case("RGB.byte.tif", 3857),
    Case("MOD13A1_NDVI_2016_209.tif", 3857),
    Case("Shasta_Elevation.tif", 3857),
    Case("lc.tif", 4326),
    Case("storml_evt.tif", OWN),
    Case("storml_tcc.tif", 3857),
    Case("float_nan.tif", 4326, assigned=32618),
    Case("red.tif", 3857),
    Case("rotated.tif", 4326, assigned=32633),
    Case("geomatrix.tif", 3857),
    Case("alpha.tif", 2193),
    Case("uint32.tif", 26911),
    Case("int64.tif", 3857),
    Case("cint16.tif", 4326),
    Case("cfloat32.tif", OWN),
    Case("float64.tif", 3857),
    Case("goes.tif", 4326),
    Case("south-up.tif", 3857),
    Case("inverted_lat.tif", 3857),
    Case("rat.img", 3857),
    Case("f2r23.tif", 4326),
    Case("MODIS_ARRAY.nc", 3857),
    Case("tmmx_20190121.nc", 5070),
    Case("cog_scale.tif", 4326),
    Case("cog_rgb_mask.tif", OWN),
    Case("cog_rgb_mask.tif", 3857),
    Case("cog_dateline.tif", 3857),
    Case("cog_hirise_mars.tif", GEOGRAPHIC),
    Case("world.rgb.tif", 3857),
    Case("world.rgb.tif", 3035),
]

# Made by Tests/data/generate.py.
GENERATED = [
    Case("int8.tif", 3857),
    Case("uint64.tif", OWN),
    Case("uint64_nodata.tif", 3857),
    Case("int64_nodata.tif", 3857),
    Case("complex_float64.tif", 4326),
    Case("complex_int32.tif", OWN),
    Case("float32_nodata.tif", 3857),
    Case("float32_tenth.tif", OWN),
    Case("float64_nan.tif", 4326),
    Case("nodata_per_band.img", 3857),
    Case("nodata_values.tif", OWN),
    Case("rgba.tif", 4326),
    Case("mask_file.tif", 3857),
    Case("mask_internal.tif", OWN),
    Case("palette.tif", 3857),
    Case("palette_short.img", OWN),
    Case("categories.tif", 3857),
    Case("storml_evt_rat.tif", 3857),
    Case("rat_ranges.tif", OWN),
    Case("scale_unit.tif", 4326),
    Case("one_cell.tif", 3857),
    Case("sheared.tif", 3857),
    Case("rotated_30.tif", 25833),
    Case("mirrored.tif", OWN),
    Case("feet.tif", 3857),
    Case("feet.tif", OWN),
    Case("degrees.tif", 2056),
    Case("lambert.tif", 4326),
    Case("antimeridian.tif", OWN),
    Case("antimeridian.tif", 3857),
    Case("tiled_deflate.tif", 3857),
    Case("ascii.asc", 3857),
    Case("envi.dat", 4326),
    Case("ehdr.bil", OWN),
    Case("idrisi.rst", 3857),
    Case("saga.sdat", OWN),
    Case("pcidsk.pix", 3857),
    Case("imagine.img", OWN),
    Case("netcdf.nc", 3857),
    Case("terrain.bt", 4326),
    Case("portable.png", 3857),
    Case("photo.jpg", OWN),
    Case("bitmap.bmp", 4326),
    Case("wavelet.jp2", 3857),
    Case("package.gpkg", OWN),
    Case("tile.dt0", 3857),
    Case("quad.dem", 4326),
]

CASES = REAL + GENERATED

"""Windows of cells and values between cells, against GDAL's own resampling and against the formulas of sampling.py."""
import math

import alidade
import numpy
import pyproj
import pytest
from alidade.rasters import Interpolation, RasterWindow
from osgeo import gdal
from sampling import assert_samples, sample
from truth import OUTSIDE, Truth, projector

# Every type, kind of nodata, mask, alpha, scale and placement that there is data for.
FILES = [
    "RGB.byte.tif", "MOD13A1_NDVI_2016_209.tif", "Shasta_Elevation.tif", "lc.tif", "float_nan.tif", "rotated.tif",
    "alpha.tif", "uint32.tif", "int64.tif", "cint16.tif", "cfloat32.tif", "float64.tif", "goes.tif", "south-up.tif",
    "tmmx_20190121.nc", "cog_scale.tif", "cog_rgb_mask.tif", "world.rgb.tif", "int8.tif", "uint64_nodata.tif",
    "int64_nodata.tif", "complex_int32.tif", "float32_nodata.tif", "float64_nan.tif", "nodata_per_band.img",
    "nodata_values.tif", "rgba.tif", "mask_internal.tif", "scale_unit.tif", "one_cell.tif", "sheared.tif",
    "tiled_deflate.tif",
]
METHODS = list(Interpolation)


def random_window(generator, truth, samples=7):
    """A window at any position, also over an edge, with samples nearer or farther than the cells."""
    width, height = generator.uniform(0.5, 30, 2)
    left = generator.uniform(-3, truth.width + 3) - width / 2
    top = generator.uniform(-3, truth.height + 3) - height / 2
    return RasterWindow(left, top, width, height, samples + 2, samples)


def places_of(window):
    columns = window.left + (numpy.arange(window.columns) + 0.5) * (window.width / window.columns)
    rows = window.top + (numpy.arange(window.rows) + 0.5) * (window.height / window.rows)
    return numpy.stack(numpy.meshgrid(columns, rows), axis=-1).reshape(-1, 2)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", FILES)
def test_windows(runtime, raster_path, name, method):
    raster, truth = alidade.Raster(runtime, raster_path(name)), Truth(raster_path(name))
    generator = numpy.random.default_rng(len(name))
    for number, band in enumerate(truth.bands, start=1):
        for scaled in (False, True):
            window = random_window(generator, truth)
            verdicts = numpy.empty((window.rows, window.columns), numpy.uint8)
            values = raster.read_window(number, window, method, scaled=scaled, verdicts=verdicts)
            assert_samples(values.ravel(), verdicts.ravel(), band, places_of(window), method, scaled)


@pytest.mark.parametrize("name", FILES)
def test_whole_raster(runtime, raster_path, name):
    """Without a window: each cell as it is stored."""
    raster, truth = alidade.Raster(runtime, raster_path(name)), Truth(raster_path(name))
    for number, band in enumerate(truth.bands, start=1):
        verdicts = numpy.empty((truth.height, truth.width), numpy.uint8)
        values = raster.read_window(number, verdicts=verdicts)
        expected = numpy.where(band.valid, band.cells.real.astype(float), numpy.nan)
        numpy.testing.assert_array_equal(values, expected)
        numpy.testing.assert_array_equal(verdicts, numpy.where(band.valid, 0, band.why_not_valid))


@pytest.mark.parametrize("name", ["float64.tif", "uint32.tif", "world.rgb.tif", "cog_dateline.tif"])
@pytest.mark.parametrize("method, algorithm", [
    (Interpolation.BILINEAR, gdal.GRIORA_Bilinear), (Interpolation.CUBIC, gdal.GRIORA_Cubic),
])
def test_gdal_enlarges_alike(runtime, raster_path, name, method, algorithm):
    """
    GDALRasterIOEx with a window of fractions of cells. GDAL rounds to the band's own type, so it gets doubles; it
    calculates with float32 all the same.
    """
    raster, truth = alidade.Raster(runtime, raster_path(name)), Truth(raster_path(name))
    memory = gdal.GetDriverByName("MEM").Create("", truth.width, truth.height, 1, gdal.GDT_Float64)
    band = memory.GetRasterBand(1)
    cells = truth.bands[0].cells.astype(float)
    band.WriteArray(cells)
    generator = numpy.random.default_rng(7)
    for _ in range(20):
        width, height = generator.uniform(0.3, 1.0, 2) * (min(truth.width, 20), min(truth.height, 20))
        left, top = generator.uniform(0, 1, 2) * (truth.width - width, truth.height - height)
        window = RasterWindow(left, top, width, height, math.ceil(width * 3), math.ceil(height * 2))
        expected = band.ReadAsArray(left, top, width, height, window.columns, window.rows, resample_alg=algorithm)
        numpy.testing.assert_allclose(raster.read_window(1, window, method), expected, rtol=0,
                                      atol=5e-7 * abs(cells).max())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name, code", [
    ("Shasta_Elevation.tif", 4326), ("RGB.byte.tif", 3857), ("tiled_deflate.tif", 4326), ("alpha.tif", 2193),
    ("cog_rgb_mask.tif", 4326), ("south-up.tif", 3857), ("rotated_30.tif", 3857), ("float64_nan.tif", 4326),
])
def test_points(runtime, raster_path, name, code, method):
    """Points in another spatial reference, over all blocks and around the raster. pyproj says where they are."""
    raster, truth = alidade.Raster(runtime, raster_path(name)), Truth(raster_path(name))
    generator = numpy.random.default_rng(code)
    here = truth.to_coordinates(generator.uniform(-0.1, 1.1, (300, 2)) * (truth.width, truth.height))
    there = pyproj.CRS.from_epsg(code)
    points = projector(truth.crs, there)(here)
    reference = alidade.SpatialReference.from_code(runtime, code)
    answer = raster.sample(points, 1, reference, method)
    places = truth.to_cells(projector(there, truth.crs)(points))
    band = truth.bands[0]
    # pyproj and the library may differ in the last digits of a position: such a sample must not sit on a cell's edge,
    # and its value differs by what the position does.
    away = (abs(places - numpy.round(places)) > 1e-6).all(axis=1)
    assert away.sum() > 290
    steepest = 1.0 + numpy.ptp(band.cells[band.valid].astype(float))
    verdicts, values = answer.verdicts[away], answer.values[away]
    expected = numpy.array([sample(band, *place, method)[0] for place in places[away]])
    numpy.testing.assert_array_equal(numpy.isnan(values), numpy.isnan(expected))
    numpy.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-6 * steepest)
    assert (verdicts == OUTSIDE).any()


def test_nearest_is_read_points(runtime, raster_path):
    """The same cells, verdicts and values as the function that returns everything about a cell."""
    raster = alidade.Raster(runtime, raster_path("alpha.tif"))
    extent = raster.info.extent
    generator = numpy.random.default_rng(3)
    points = generator.uniform((extent.x_min, extent.y_min), (extent.x_max, extent.y_max), (5000, 2))
    points[::100] = numpy.nan
    cells, answer = raster.read_points(points), raster.sample(points, 2)
    has_value = cells.values["verdict"][:, 1] == 0
    numpy.testing.assert_array_equal(answer.verdicts, cells.values["verdict"][:, 1])
    numpy.testing.assert_array_equal(answer.values[has_value], cells.values["value"][has_value, 1])
    assert numpy.isnan(answer.values[~has_value]).all()


@pytest.mark.parametrize("columns, rows", [(1, 1), (3, 5), (4, 2), (9, 8)])
@pytest.mark.parametrize("name", ["Shasta_Elevation.tif", "rotated.tif", "south-up.tif", "sheared.tif"])
def test_window_around_a_point(runtime, raster_path, name, columns, rows):
    raster, truth = alidade.Raster(runtime, raster_path(name)), Truth(raster_path(name))
    generator = numpy.random.default_rng(columns)
    for column, row in generator.uniform(-0.5, 1.5, (30, 2)) * (truth.width, truth.height):
        window = raster.window_around(truth.to_coordinates([(column, row)])[0], columns, rows)
        # The middle cell is the one of the point; of an even number, the one behind the middle line.
        left, top = math.floor(column) - columns // 2, math.floor(row) - rows // 2
        assert window == RasterWindow(left, top, columns, rows, columns, rows)


def test_cells_of_64_bits_are_exact_up_to_2_53(runtime, tmp_path):
    path = str(tmp_path / "large.tif")
    values = numpy.array([[2**53, 2**53 - 1, -(2**53)], [2**53 + 2, 5, 2**62]], "int64")
    dataset = gdal.GetDriverByName("GTiff").Create(path, 3, 2, 1, gdal.GDT_Int64)
    dataset.GetRasterBand(1).WriteArray(values)
    dataset = None
    numpy.testing.assert_array_equal(alidade.Raster(runtime, path).read_window(), values.astype(float))

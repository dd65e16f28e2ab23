"""
The colours of rasters with one band in the interactive viewer: from 2 to 98 % of the cells, with a histogram.

Limits and bars follow from the cells by numpy, colours from the colour ramp.
"""
import numpy
import pytest
import rasterio
from conftest import RASTERS
from PIL import Image

from test_example_viewer import RAMP, is_colour, play, program, ramp_colour

assert program  # a fixture
BINS = 66
SCRIPT = "rest\nstate\nscreenshot shown.bmp\n"


def shown(program, folder, *files):
    """The limits of the topmost raster that has them, with its number, or None; and the picture."""
    result = play(program, folder, SCRIPT, *files)
    assert (result.returncode, result.stderr) == (0, "")
    lines = [line.split()[1:] for line in result.stdout.splitlines() if line.startswith("stretch ")]
    picture = numpy.asarray(Image.open(folder / "shown.bmp").convert("RGB"))
    return (int(lines[0][0]), [float(part) for part in lines[0][1:]]) if lines else None, picture


def cells_of(path):
    with rasterio.open(path) as raster:
        cells = raster.read(1, masked=True).compressed().astype(float)
    return cells[numpy.isfinite(cells)]


# Rasters of at most 512 x 512 cells: without nodata, with it, and with lines from south to north.
@pytest.mark.parametrize("name", ["Shasta_Elevation.tif", "MOD13A1_NDVI_2016_209.tif", "south-up.tif", "MODIS_ARRAY.nc"])
def test_each_cell_of_a_small_raster_is_counted(program, tmp_path, name):
    path = RASTERS / name
    if path.suffix == ".nc":  # the viewer's policy allows the driver of GeoTIFF
        path = tmp_path / "modis.tif"
        with rasterio.open(RASTERS / name) as raster:
            profile = {**raster.profile, "driver": "GTiff"}
            with rasterio.open(path, "w", **profile) as copy:
                copy.write(raster.read())
    (number, limits), _ = shown(program, tmp_path, path)
    assert number == 1
    assert limits == pytest.approx(numpy.percentile(cells_of(path), [2, 98]), rel=1e-12)


def test_a_large_raster_is_sampled(program, tmp_path):
    """The limits lie within a quarter of a percent of the cells, outliers or not."""
    rows, columns = 3000, 2000
    cells = numpy.random.default_rng(19).gamma(2, 100, (rows, columns)).astype("float32")
    cells[::97, ::89] = 1e9
    transform = rasterio.transform.from_bounds(10, 40, 11, 41.5, columns, rows)
    with rasterio.open(tmp_path / "large.tif", "w", driver="GTiff", width=columns, height=rows, count=1, dtype="float32",
                       crs="EPSG:4326", transform=transform) as file:
        file.write(cells, 1)
    (_, (low, high)), _ = shown(program, tmp_path, "large.tif")
    assert numpy.mean(cells < low) == pytest.approx(0.02, abs=0.0025)
    assert numpy.mean(cells < high) == pytest.approx(0.98, abs=0.0025)


def test_the_histogram_shows_how_often_values_occur(program, tmp_path):
    """Its bars have the colours of the values, and as heights the roots of the counts."""
    path = RASTERS / "Shasta_Elevation.tif"
    (_, limits), picture = shown(program, tmp_path, path)
    counts, _ = numpy.histogram(cells_of(path), BINS, limits)
    # Under one row of the list: 66 bars of 3 DIP each, up to 34 high, on a ground of 3 that all have.
    ground, left, height = 8 + 20 + 38, 16, 34
    for number, count in enumerate(counts):
        column = picture[:, left + 3 * number + 1]
        bar = is_colour(column, ramp_colour((number + 0.5) / BINS, (0, 1)), 1)
        assert bar[ground : ground + 2].all(), number
        assert bar[:ground].sum() == pytest.approx(height * numpy.sqrt(count / counts.max()), abs=1.01), number


def test_what_has_its_own_colours_keeps_them(program, tmp_path):
    """Three bands, and a band with a table of colours: no stretch, no histogram; below them a raster with one."""
    for name in ("RGB.byte.tif", "storml_tcc.tif"):
        assert shown(program, tmp_path, RASTERS / name)[0] is None, name
    limits, _ = shown(program, tmp_path, RASTERS / "Shasta_Elevation.tif", RASTERS / "RGB.byte.tif")
    assert limits[0] == 1


def test_a_raster_of_one_value_is_shown(program, tmp_path):
    transform = rasterio.transform.from_bounds(10, 40, 11, 41, 8, 8)
    with rasterio.open(tmp_path / "one.tif", "w", driver="GTiff", width=8, height=8, count=1, dtype="float32",
                       crs="EPSG:4326", transform=transform) as file:
        file.write(numpy.full((8, 8), 7, "float32"), 1)
    limits, picture = shown(program, tmp_path, "one.tif")
    assert limits is None
    assert (picture[100:500, 300:500] == picture[300, 400]).all()
    assert not any(is_colour(picture[300, 400], colour) for colour in RAMP[1:])

"""
The quickstart: its picture has the colour of the identified cell under each cross, and C and Python say the same.

Cells are found by numpy and pyproj and read by rasterio; the colours follow from the renderers' formulas.
"""
import os
import re
import shlex
import subprocess
import sys

import numpy
import pyproj
import pytest
from osgeo import gdal
from PIL import Image

from camera import Camera
from conftest import ROOT
from scene import BORDER
from truth import Truth, projector

QUICKSTART = ROOT / "examples" / "quickstart"
DATA = QUICKSTART / "data"
SDK = os.environ.get("ALIDADE_SDK", str(ROOT / ".build" / "sdk"))
FILES = ["MOD13A1_NDVI_2016_209.tif", "RGB.byte.tif", "Shasta_Elevation.tif"]
WEB_MERCATOR = pyproj.CRS.from_epsg(3857)


@pytest.fixture(scope="module")
def quickstart():
    """The program as a module: for its stops, taps and colours."""
    sys.path.insert(0, str(QUICKSTART))
    try:
        import quickstart

        yield quickstart
    finally:
        sys.path.remove(str(QUICKSTART))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What the Python program prints, and its picture."""
    import alidade

    output = tmp_path_factory.mktemp("quickstart") / "picture.png"
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(alidade.__file__)))
    command = [sys.executable, "-B", QUICKSTART / "quickstart.py", "--data", DATA, "--output", output]
    result = subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE)
    return result.stdout, Image.open(output).convert("RGB")


@pytest.fixture(scope="module")
def truths():
    return [(truth := Truth(DATA / name), projector(WEB_MERCATOR, truth.crs)) for name in FILES]


def cell_under(truths, quickstart, stop, tap):
    """(number of the raster, column, row) of the cell under a tap; None if there is none."""
    to_mercator = projector(pyproj.CRS.from_epsg(4326), WEB_MERCATOR)
    centre = to_mercator([(stop.longitude_deg, stop.latitude_deg)])[0]
    camera = Camera(tuple(centre), stop.scale, stop.rotation_deg, quickstart.SIZE)
    for number, (truth, to_raster) in enumerate(truths):
        position = truth.to_cells(to_raster(camera.to_map([tap])))[0]
        assert (numpy.abs(position - numpy.round(position)) > BORDER).all(), "move this tap off the border"
        column, row = (int(value) for value in numpy.floor(position))
        if truth.holds(column, row):
            return number, column, row
    return None


@pytest.fixture(scope="module")
def hillshade(tmp_path_factory):
    target = tmp_path_factory.mktemp("shade") / "shade.tif"
    return gdal.DEMProcessing(str(target), str(DATA / FILES[2]), "hillshade", computeEdges=True).ReadAsArray()


def expected_colour(truths, quickstart, hillshade, cell):
    """What the picture shows of a cell, by the formulas; None for the panel's own colour."""
    if cell is None:
        return None
    number, column, row = cell
    values = truths[number][0].values(column, row)
    if all(value.verdict for value in values):
        return None
    if number == 1:
        return [value.raw.item() for value in values]
    colour = stretched(float(values[0].raw), [quickstart.VEGETATION, None, quickstart.RELIEF][number])
    share = quickstart.SHADE_OPACITY
    return colour * (1 - share) + hillshade[row, column] * share if number == 2 else colour


def stretched(value, renderer):
    share = min(max((value - renderer.minimum) / (renderer.maximum - renderer.minimum), 0), 1)
    steps = numpy.linspace(0, 1, len(renderer.ramp))
    return numpy.array([numpy.interp(share, steps, [colour[channel] for colour in renderer.ramp]) for channel in range(3)])


def test_colours_under_the_crosses(run, quickstart, truths, hillshade):
    picture, sheet, drawing = run[1], quickstart.make_sheet(), quickstart.drawing
    shown = 0
    for number, stop in enumerate(quickstart.STOPS):
        left, top = sheet.origin(number)
        for x, y in stop.taps:
            pixel = picture.getpixel((drawing.DENSITY * (left + int(x)), drawing.DENSITY * (top + int(y))))
            colour = expected_colour(truths, quickstart, hillshade, cell_under(truths, quickstart, stop, (x, y)))
            # The relief goes through two roundings and a hillshade that may differ by one step from gdaldem's.
            allowed = 3 if number >= 4 else 1
            difference = numpy.abs(numpy.subtract(pixel, drawing.EMPTY if colour is None else colour)).max()
            assert difference <= allowed, (stop.title, (x, y), pixel, colour)
            shown += colour is not None
    assert shown >= 8


def test_tables_name_the_cells(run, quickstart, truths):
    lines = iter(run[0].splitlines())
    for stop in quickstart.STOPS:
        assert next(lines).startswith(stop.title)
        for tap in stop.taps:
            line, cell = next(lines), cell_under(truths, quickstart, stop, tap)
            found = re.search(r"column (\d+), row (\d+) \| ", line)
            assert (found is None) == (cell is None) == line.endswith("nothing here"), line
            if cell:
                assert tuple(map(int, found.groups())) == cell[1:], line
                for number, value in enumerate(truths[cell[0]][0].values(*cell[1:]), start=1):
                    text = "NoData" if value.verdict else str(value.raw)
                    assert f"Band {number}: {text} |" in line
    assert next(lines, None) is None


def test_the_tour_shows_what_it_should(run, quickstart):
    """The view off Cape Town finds nothing; the same taps find other cells after the move; one tap is on nodata."""
    first = quickstart.STOPS[0]
    assert (first.latitude_deg, first.longitude_deg, first.scale) == (-34.1, 18.6, 1155000)
    table = run[0].splitlines()
    assert table[1].endswith("nothing here")
    assert any("NoData" in line for line in table)
    assert sum("nothing here" in line for line in table) >= 2
    before, after = quickstart.STOPS[1:3]
    assert before.taps == after.taps
    start = next(index for index, line in enumerate(table) if line.startswith(after.title))
    taps = len(after.taps)
    assert not set(table[start + 1 : start + 1 + taps]) & set(table[start - taps : start])


def test_c_prints_the_same_tables(run, tmp_path):
    environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(SDK, "lib", "pkgconfig"))
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "alidade"], env=environment, check=True, text=True,
                           stdout=subprocess.PIPE).stdout
    program = tmp_path / "quickstart"
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", QUICKSTART / "quickstart.c",
                    *shlex.split(flags), f"-Wl,-rpath,{SDK}/lib", "-o", program], check=True)
    result = subprocess.run([program, "--data", DATA], check=True, text=True, stdout=subprocess.PIPE)
    assert result.stdout == run[0]

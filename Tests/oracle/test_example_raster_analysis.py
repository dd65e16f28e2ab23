"""The example examples/raster_analysis: its table and its picture, against rasterio, pyproj, shapely and numpy."""
import os
import re
import subprocess
import sys

import numpy
import pyproj
import pytest
from conftest import ROOT
from PIL import Image
from shapely.geometry import LineString, Point, Polygon, box
from truth import Truth, projector

EXAMPLE = ROOT / "examples" / "raster_analysis"
WGS84 = pyproj.CRS.from_epsg(4326)


@pytest.fixture(scope="module")
def example():
    """The program as a module: for its locations, colours and layout."""
    sys.path.insert(0, str(EXAMPLE))
    try:
        import raster_analysis

        yield raster_analysis
    finally:
        sys.path.remove(str(EXAMPLE))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What it prints, and its picture."""
    import alidade

    output = tmp_path_factory.mktemp("example") / "picture.png"
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(alidade.__file__)))
    command = [sys.executable, "-B", EXAMPLE / "raster_analysis.py", "--output", output]
    result = subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE)
    return result.stdout.splitlines(), Image.open(output).convert("RGB")


@pytest.fixture(scope="module")
def truth(example):
    return Truth(example.DATA / "Shasta_Elevation.tif")


@pytest.fixture(scope="module")
def cells(example, truth):
    """The cells of the magnifier."""
    place = truth.to_cells(projector(WGS84, truth.crs)([example.TAP]))[0]
    column, row = numpy.floor(place).astype(int) - example.CELLS // 2
    return column, row, truth.bands[0].cells[row:row + example.CELLS, column:column + example.CELLS].astype(float)


def test_magnifier(run, example, cells):
    column, row, expected = cells
    assert run[0][0] == f"Magnifier: 9 x 9 cells from column {column}, row {row}"
    table = [[float(value) for value in line.split()] for line in run[0][1:10]]
    numpy.testing.assert_allclose(table, expected, atol=0.005001)


def test_picture(run, example, cells):
    """The middle of each magnified cell has the cell's colour; the cubic one too, within what a pixel changes."""
    values = cells[2]
    steps = numpy.linspace(values.min(), values.max(), 2)
    scaled = numpy.interp(values, steps, (example.HEIGHTS[0], example.HEIGHTS[-1]))
    for panel, allowed in ((0, 1.1), (1, 16)):
        for row in range(example.CELLS):
            for column in range(example.CELLS):
                place = (example.LEFT[panel] + (column + 0.5) * example.PIXELS, example.TOP + (row + 0.5) * example.PIXELS)
                pixel = run[1].getpixel(tuple(int(value * example.drawing.DENSITY) for value in place))
                expected = [numpy.interp(scaled[row, column], example.HEIGHTS,
                                         [colour[channel] for colour in example.COLOURS]) for channel in range(3)]
                assert numpy.abs(numpy.subtract(pixel, expected)).max() <= allowed


def test_profile(run, example, truth):
    line = LineString(truth.to_cells(example.LINE))
    left, top, right, bottom = (int(bound) for bound in line.bounds)
    crossed = {(column, row): line.intersection(box(column, row, column + 1, row + 1)).length
               for column in range(left, right + 1) for row in range(top, bottom + 1)}
    crossed = {cell: length for cell, length in crossed.items() if length > 1e-9}
    heights = [truth.bands[0].cells[row, column] for column, row in crossed]
    length = numpy.hypot(*(example.LINE[1] - example.LINE[0]))
    shortest = min(crossed.values()) * length / line.length
    assert run[0][10] == (f"Profile: {length:.1f} m across {len(crossed)} cells, the shortest stretch {shortest:.2f} m, "
                          f"heights {min(heights):.2f} to {max(heights):.2f} m")


@pytest.mark.parametrize("line, name", [(11, "Circle"), (12, "Ring")])
def test_statistics(run, example, truth, line, name):
    band = truth.bands[0]
    polygon = Polygon(example.ring(example.CIRCLE_RADIUS_M))
    if name == "Ring":
        polygon = polygon.difference(Polygon(example.ring(example.HOLE_RADIUS_M)))
    rows, columns = numpy.nonzero(band.valid)
    middles = truth.to_coordinates(numpy.column_stack([columns + 0.5, rows + 0.5]))
    reach = numpy.hypot(*(middles - example.CIRCLE_CENTRE).T)
    inside = numpy.array([distance < 1001 and polygon.contains(Point(middle))
                          for distance, middle in zip(reach, middles)])
    values = band.cells[rows, columns][inside].astype(float)
    found = run[0][line]
    assert found.startswith(name)
    count, mean, low, high, deviation, column, row = map(float, re.findall(r"[\d.]+(?<!\.)", found))
    # The circle went through degrees and back: a middle on its very edge may have changed sides.
    assert abs(count - values.size) <= 2
    assert (mean, deviation) == pytest.approx((values.mean(), values.std()), abs=0.01)
    assert (low, high) == pytest.approx((values.min(), values.max()), abs=0.005001)
    assert band.cells[int(row), int(column)] == values.max()

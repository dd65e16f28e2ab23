"""The example examples/engine: its mesh and its lines of text, against rasterio, PROJ's topocentric conversion and numpy."""

import os
import re
import subprocess
import sys

import numpy
import pytest
from conftest import ROOT
from PIL import Image
from pyproj import Transformer
from sampling import BILINEAR, sample
from truth import Truth

EXAMPLE = ROOT / "examples" / "engine"


@pytest.fixture(scope="module")
def example():
    """The program as a module: for its locations."""
    sys.path.insert(0, str(EXAMPLE))
    try:
        import engine

        yield engine
    finally:
        sys.path.remove(str(EXAMPLE))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What it prints, its mesh's vertices and faces, and its picture."""
    import alidade

    folder = tmp_path_factory.mktemp("example")
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(alidade.__file__)))
    command = [sys.executable, "-B", EXAMPLE / "engine.py", "--mesh", folder / "a.obj", "--output", folder / "a.png"]
    result = subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE)
    lines = [line.split() for line in (folder / "a.obj").read_text().splitlines()]
    vertices = numpy.array([line[1:] for line in lines if line[0] == "v"], dtype=float)
    faces = numpy.array([line[1:] for line in lines if line[0] == "f"], dtype=int) - 1
    return result.stdout.splitlines(), vertices, faces, Image.open(folder / "a.png")


@pytest.fixture(scope="module")
def expected(example):
    """East, north and up of each vertex."""
    truth = Truth(example.DATA / "Shasta_Elevation.tif")
    points = example.grid()
    places = Transformer.from_crs(4326, truth.crs, always_xy=True).transform(points[:, 0], points[:, 1])
    cells = truth.to_cells(numpy.column_stack(places))
    points[:, 2] = [sample(truth.bands[0], column, row, BILINEAR)[0] for column, row in cells]
    x, y = (example.WEST + example.EAST) / 2, (example.SOUTH + example.NORTH) / 2
    there = Transformer.from_pipeline(
        "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=cart +ellps=WGS84 "
        f"+step +proj=topocentric +ellps=WGS84 +lon_0={x!r} +lat_0={y!r} +h_0=0"
    )
    return points, numpy.column_stack(there.transform(*points.T))


def test_mesh(run, example, expected):
    east, north, up = expected[1].T
    assert numpy.abs(run[1] - numpy.column_stack([east, up, -north])).max() < 2e-4
    assert len(run[2]) == 2 * (example.SIDE - 1) ** 2
    # Seen from above counter-clockwise: normals point up in right-handed axes with y up.
    a, b, c = (run[1][run[2][:, corner]] for corner in range(3))
    assert (numpy.cross(b - a, c - a)[:, 1] > 0).all()


def test_picture(run, example, expected):
    """From above, lake is blue and the highest ridge is bright; in its middle each square has one colour."""
    picture, density = run[3].convert("RGB"), example.drawing.DENSITY
    heights = expected[1][:, 2].reshape(example.SIDE, example.SIDE)[:-1, :-1]
    tall = round(example.WIDE * numpy.ptp(expected[1][:, 1]) / numpy.ptp(expected[1][:, 0]))
    squares = example.SIDE - 1
    lake = numpy.argwhere(heights < heights.min() + 5)
    assert len(lake) > 500
    for row, column in lake[::25]:
        x = density * (example.LEFT + (column + 0.5) * example.WIDE / squares)
        y = density * (example.TOP + (row + 0.5) * tall / squares)
        red, _, blue = picture.getpixel((int(x), int(y)))
        assert blue > red + 30, (row, column)


def test_texts(run, expected):
    points, enu = expected
    heights, farthest, picked = run[0]
    low, high = points[:, 2].min(), points[:, 2].max()
    assert heights == f"Heights: {len(points)} points, 0 without a height, {low:.2f} to {high:.2f} m"
    numbers = [float(number) for number in re.findall(r"-?\d+\.\d+", farthest)]
    assert numbers[0] == pytest.approx(numpy.linalg.norm(enu, axis=1).max(), abs=0.051)
    rounding = numpy.linalg.norm(enu.astype(numpy.float32) - enu, axis=1).max() * 1e3
    assert numbers[1] == pytest.approx(rounding, abs=0.0011)
    top = points[enu[:, 2].argmax()]
    numbers = [float(number) for number in re.findall(r"-?\d+\.\d+", picked)]
    assert numbers[3:] == pytest.approx(top, abs=0.0051)

"""
The example that drags a finger: each line that it prints, worked out by numpy, pyproj and rasterio.
"""
import os
import re
import subprocess
import sys

import numpy
import pyproj
import pytest

from camera import Camera
from conftest import ROOT
from truth import Truth, projector

EXAMPLE = ROOT / "examples" / "drag_identify"
DATA = ROOT / "examples" / "quickstart" / "data"
WEB_MERCATOR = pyproj.CRS.from_epsg(3857)
SECONDS, RATE = 3, 120


@pytest.fixture(scope="module")
def example():
    """The program as a module: for its finger and its size."""
    sys.path.insert(0, str(EXAMPLE))
    try:
        import drag_identify

        yield drag_identify
    finally:
        sys.path.remove(str(EXAMPLE))


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    import alidade

    output = tmp_path_factory.mktemp("drag_identify") / "picture.png"
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(alidade.__file__)))
    command = [sys.executable, "-B", EXAMPLE / "drag_identify.py", "--data", DATA, "--seconds", str(SECONDS),
               "--output", output]
    return subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()


def test_every_point_is_answered_or_overtaken(lines):
    summary = re.fullmatch(r"(\d+) points: (\d+) identified, (\d+) replaced", lines[-1])
    begun, answered, overtaken = map(int, summary.groups())
    assert begun == SECONDS * RATE == answered + overtaken
    numbers = [int(line.split()[0]) for line in lines[:-1]]
    assert len(numbers) == answered > 0
    # Never an older result after a newer one, and the last point always has a result.
    assert numbers == sorted(set(numbers)) and numbers[-1] == begun - 1


def test_answers_are_those_of_the_cells_under_the_finger(lines, example):
    truth = Truth(DATA / "Shasta_Elevation.tif")
    centre = projector(pyproj.CRS.from_epsg(4326), WEB_MERCATOR)([(-122.1621, 40.7624)])[0]
    camera = Camera(tuple(centre), 40_000, 0, example.SIZE)
    to_raster = projector(WEB_MERCATOR, truth.crs)
    values = []
    for line in lines[:-1]:
        number, x, y, *printed = line.split()
        point = example.finger(int(number))
        assert (float(x), float(y)) == pytest.approx(point, abs=6e-4)
        column, row = numpy.floor(truth.to_cells(to_raster(camera.to_map([point])))[0]).astype(int)
        if not (0 <= column < truth.width and 0 <= row < truth.height):
            assert printed == ["outside", "the", "raster"]
            continue
        height = truth.values(column, row)[0].raw
        assert printed == [str(column), str(row), f"{height:.2f}"]
        values.append(height)
    assert len(set(values)) > 20

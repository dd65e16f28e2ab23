"""The example with a layer of a service: what it prints of the layer's state, and how many points its pictures have.

How many hotspots are in sight follows from the table and from pyproj.
"""
import csv
import os
import re
import subprocess
import sys

import alidade
import numpy
import pytest
from PIL import Image
from pyproj import Transformer

from conftest import ROOT

EXAMPLES = ROOT / "examples"
CALIFORNIA, IDAHO, ARIZONA = (-136e5, 50e5), (-1285e4, 57e5), (-1245e4, 40e5)
UNITS_PER_DIP = 4e6 * 0.0254 / 96


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What the program prints, step by step, and its picture."""
    path = tmp_path_factory.mktemp("layer_services") / "picture.png"
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(alidade.__file__)))
    command = [sys.executable, "-B", EXAMPLES / "layer_services" / "layer_services.py", "--output", path]
    result = subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE, timeout=60)
    steps = []
    for line in result.stdout.splitlines():
        if re.match(r"\d ", line):
            steps.append([])
        else:
            steps[-1].append(line)
    return steps, numpy.asarray(Image.open(path).convert("RGB")).astype(int)


@pytest.fixture(scope="module")
def example():
    """The program as a module: for where its panels are."""
    sys.path.insert(0, str(EXAMPLES / "layer_services"))
    try:
        import layer_services

        yield layer_services
    finally:
        sys.path.remove(str(EXAMPLES / "layer_services"))


def on_screen(center):
    """Where the hotspots are in DIP, in a view of 400 x 300."""
    with open(EXAMPLES / "layer_states" / "data" / "hotspots.csv", newline="") as file:
        places = numpy.array([(float(row["longitude"]), float(row["latitude"])) for row in csv.DictReader(file)])
    x, y = Transformer.from_crs(4326, 3857, always_xy=True).transform(*places.T)
    return numpy.column_stack([200 + (x - center[0]) / UNITS_PER_DIP, 150 - (y - center[1]) / UNITS_PER_DIP])


def in_sight(center):
    # Markers of 5 DIP reach 2.5 DIP into the view.
    return int((numpy.abs(on_screen(center) - (200, 150)) <= (202.5, 152.5)).all(axis=1).sum())


def test_hotspots_in_sight(run):
    counts = [int(re.match(r" +(\d+) hotspots", step[-1])[1]) for step in run[0]]
    california, idaho, arizona = map(in_sight, (CALIFORNIA, IDAHO, ARIZONA))
    assert counts == [california, idaho, idaho, 0, california, 0, arizona]
    assert min(california, idaho, arizona) > 50


def test_states(run):
    changes = [[line.split("  ")[-1] for line in step if "->" in line] for step in run[0]]
    assert [step[-1].split(" -> ")[1] if step else None for step in changes] == [
        "active", "active", None, "active, with a warning", "active", "active, with a warning", "active"]
    assert any("Failed to connect to 127.0.0.1" in line for line in run[0][3])


def test_the_picture(run, example):
    """A red point at each hotspot, and grey where nothing could be had."""
    density = example.drawing.DENSITY
    width, height = (density * length for length in example.SIZE)
    for number, center in enumerate((CALIFORNIA, IDAHO, IDAHO, None, CALIFORNIA, None, ARIZONA)):
        left, top = (int(density * length) for length in example.make_sheet().origin(number))
        panel = run[1][top : top + height, left : left + width]
        if center is None:
            # But for the scale bar and the frame.
            assert (panel[4 : height - 100, 4 : width - 4] == example.NOTHING).all()
            continue
        for x, y in on_screen(center):
            # Below the scale bar nothing is seen.
            if 4 < x < 396 and 4 < y < 296 and not (x > 290 and y > 250):
                assert numpy.abs(panel[int(y * density), int(x * density)] - (210, 30, 30)).max() < 30, (number, x, y)
        assert (panel[4:40, 4:60] == example.drawing.LAND).all(axis=-1).mean() > 0.8

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


def in_sight(center):
    with open(EXAMPLES / "layer_states" / "data" / "hotspots.csv", newline="") as file:
        places = numpy.array([(float(row["longitude"]), float(row["latitude"])) for row in csv.DictReader(file)])
    x, y = Transformer.from_crs(4326, 3857, always_xy=True).transform(*places.T)
    # Markers of 5 DIP reach 2.5 DIP into the view.
    return int(numpy.sum((abs(x - center[0]) <= 202.5 * UNITS_PER_DIP) & (abs(y - center[1]) <= 152.5 * UNITS_PER_DIP)))


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


def test_the_picture(run):
    """Red points where there are hotspots, and none where they could not be had."""
    picture = run[1]
    red = (abs(picture - (210, 30, 30)).sum(axis=2) < 60)
    panels = [red[42 + 342 * (number // 3):342 + 342 * (number // 3), 18 + 418 * (number % 3):418 + 418 * (number % 3)]
              for number in range(7)]
    has_points = [bool(panel[25:].sum() > 500) for panel in panels]
    assert has_points == [True, True, True, False, True, False, True]

"""
The example with callouts: what it prints of each step and what it draws, worked out from the words of callout.h.

Cells are found by numpy and pyproj and read by rasterio; the drawn box is found in the picture by its colour.
"""
import os
import re
import subprocess
import sys

import numpy
import pyproj
import pytest
from PIL import Image

from camera import Camera
from conftest import ROOT
from truth import Truth, projector

EXAMPLE = ROOT / "examples" / "callout"
DATA = ROOT / "examples" / "quickstart" / "data"
WEB_MERCATOR = pyproj.CRS.from_epsg(3857)
LIFT = 70
FINGERS = [(210.25, 200.25), (120.25, 230.25), (340.25, 180.25), (75.25, 60.25)]


@pytest.fixture(scope="module")
def example():
    """The program as a module: for its sizes and colours."""
    sys.path.insert(0, str(EXAMPLE))
    try:
        import callout

        yield callout
    finally:
        sys.path.remove(str(EXAMPLE))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The lines that the program prints, and its picture."""
    import alidade

    output = tmp_path_factory.mktemp("callout") / "picture.png"
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(alidade.__file__)))
    command = [sys.executable, "-B", EXAMPLE / "callout.py", "--data", DATA, "--output", output]
    result = subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE)
    return result.stdout.splitlines(), numpy.asarray(Image.open(output).convert("RGB"))


def fields(line):
    """(action, state, tip, placement, box, text) of a line."""
    parts = line.split(" | ")
    if len(parts) == 3:
        return parts[1], parts[2], None, None, None, None
    numbers = [[float(number) for number in re.findall(r"-?[\d.]+", part)] for part in (parts[3], parts[5])]
    return parts[1], parts[2], numbers[0], parts[4], numbers[1], parts[6]


def first_camera(example):
    centre = projector(pyproj.CRS.from_epsg(4326), WEB_MERCATOR)([(-122.1626, 40.7624)])[0]
    insets = example.INSETS
    sides = (insets.top_dip, insets.right_dip, insets.bottom_dip, insets.left_dip)
    return Camera(tuple(centre), 72_000, 0, example.SIZE, sides)


def test_the_steps_do_what_they_say(run):
    actions = [fields(line)[:2] for line in run[0]]
    assert actions == [("SHOWN", "VISIBLE")] + 3 * [("SHOWN_AGAIN", "VISIBLE")] + [("-", "VISIBLE"), ("DISMISSED", "HIDDEN")]


def test_the_text_is_that_of_the_cell_under_the_finger(run, example):
    truth = Truth(DATA / "Shasta_Elevation.tif")
    to_raster = projector(WEB_MERCATOR, truth.crs)
    camera = first_camera(example)
    for line, finger in zip(run[0], FINGERS):
        column, row = numpy.floor(truth.to_cells(to_raster(camera.to_map([finger])))[0]).astype(int)
        value = truth.values(column, row)[0].raw
        corners = truth.to_coordinates([(column + x, row + y) for x in (0, 1) for y in (0, 1)])
        low = projector(truth.crs, WEB_MERCATOR)(corners).min(axis=0)
        band, x, y = fields(line)[5].split(" / ")
        assert numpy.float32(band.removeprefix("Band 1: ")) == value
        for text, expected in zip((x[3:], y[3:]), low):
            assert 0 <= abs(float(text)) - abs(expected) < 0.001 + 1e-6, (text, expected)


def test_tips_and_boxes_follow_the_rules(run, example):
    top, left, margin = example.INSETS.top_dip, example.INSETS.left_dip, example.OPTIONS.margin_dip
    low = numpy.array([left + margin, top + margin])
    high = numpy.array(example.SIZE) - margin
    for number, finger in enumerate(FINGERS):
        _, _, tip, placement, box, _ = fields(run[0][number])
        assert tip == pytest.approx([finger[0], finger[1] - (LIFT if number < 3 else 0)], abs=1e-3)
        size = numpy.subtract(box[2:], box[:2])
        assert (low - 1e-3 <= box[:2]).all() and (box[2:] <= high + 1e-3).all()
        assert placement == ("ABOVE" if number < 3 else "BELOW")
        gap = tip[1] - box[3] if placement == "ABOVE" else box[1] - tip[1]
        assert gap == pytest.approx(example.OPTIONS.leader_length_dip, abs=2e-3)
        expected = numpy.clip(tip[0] - size[0] / 2, low[0], high[0] - size[0])
        assert box[0] == pytest.approx(expected, abs=2e-3)


def test_the_callout_follows_the_view(run, example):
    """After the move the tapped point lies in the middle of what the insets leave free."""
    insets = example.INSETS
    middle = [(example.SIZE[0] + insets.left_dip) / 2, (example.SIZE[1] + insets.top_dip) / 2]
    before, after = fields(run[0][3]), fields(run[0][4])
    assert after[2] == pytest.approx(middle, abs=1e-3)
    assert after[5] == before[5]


def test_the_picture_shows_the_boxes_where_the_layout_says(run, example):
    drawing = example.drawing
    width, height = (length * drawing.DENSITY for length in example.SIZE)
    for number, line in enumerate(run[0]):
        left, top = (drawing.DENSITY * length for length in example.make_sheet().origin(number))
        panel = run[1][top : top + height, left : left + width]
        paper = (panel == drawing.BOX).all(axis=2)
        _, _, tip, _, box, _ = fields(line)
        if box is None:
            assert not paper.any()
            continue
        # The lines and columns that are mostly paper belong to the box; the leader is narrower.
        columns = numpy.flatnonzero(paper.sum(axis=0) > 0.5 * (box[3] - box[1]) * drawing.DENSITY)
        rows = numpy.flatnonzero(paper.sum(axis=1) > 0.4 * (box[2] - box[0]) * drawing.DENSITY)
        seen = [columns[0], rows[0], columns[-1] + 1, rows[-1] + 1]
        # Its frame is 2 pixels wide and of another colour.
        assert numpy.abs(numpy.subtract(seen, numpy.multiply(box, drawing.DENSITY))).max() <= 4
        # From the box to the tip there is paper, and beyond the tip there is none.
        x, y = (int(coordinate * drawing.DENSITY) for coordinate in tip)
        towards = 1 if box[1] > tip[1] else -1
        assert paper[y + towards * 9, x]
        assert not paper[y - towards * 3, x - 3 : x + 4].any()

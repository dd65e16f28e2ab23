"""The example with layers' states: what it reports of each layer and what it draws.

States follow from the text of the steps and from the table of states in the C header, locations from pyproj.
"""
import csv
import os
import re
import subprocess
import sys

import numpy
import pyproj
import pytest
from conftest import ROOT
from PIL import Image

from camera import Camera

EXAMPLE = ROOT / "examples" / "layer_states"
TO_MERCATOR = pyproj.Transformer.from_crs(4326, 3857, always_xy=True)
ACTIVE, NOT_VISIBLE, OUT_OF_SCALE, LOADING, ERROR, WARNING = 1, 2, 4, 8, 16, 32
# The colours of the example's classes of hotspots.
HOT = ((250, 200, 60), (240, 120, 30), (210, 30, 30))


@pytest.fixture(scope="module")
def example():
    """The program as a module: for its locations, sizes and colours."""
    sys.path.insert(0, str(EXAMPLE))
    try:
        import layer_states

        yield layer_states
    finally:
        sys.path.remove(str(EXAMPLE))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What the program prints, and its picture."""
    import alidade

    path = tmp_path_factory.mktemp("layer_states") / "picture.png"
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(alidade.__file__)))
    command = [sys.executable, "-B", EXAMPLE / "layer_states.py", "--output", path]
    result = subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE, timeout=60)
    return result.stdout.splitlines(), numpy.asarray(Image.open(path).convert("RGB")).astype(int)


@pytest.fixture(scope="module")
def steps(run):
    """The last state that each step reports of each layer, as its number."""
    found = []
    for line in run[0]:
        if re.fullmatch(r"\d+ .+", line):
            found.append({})
        elif match := re.fullmatch(r" {4}(\w+): .+ -> .+ \((\d+)\)", line):
            found[-1][match[1]] = int(match[2])
        elif line.startswith("The hotspots' last changes"):
            break
    assert len(found) == 11
    return found


def test_each_step_tells_what_has_changed(steps):
    assert steps[0] == {}
    # The events of a load may come at once, or at the end of loading: together they come to this.
    begun = steps[1] | steps[2]
    assert begun["Hotspots"] == WARNING and begun["Heights"] & ERROR and not begun["Heights"] & ACTIVE
    assert steps[3] == {"Hotspots": ACTIVE}
    assert steps[4]["Heights"] == ACTIVE
    assert [step.get("Hotspots") for step in steps[5:10]] == [
        OUT_OF_SCALE, ACTIVE, OUT_OF_SCALE, ACTIVE, NOT_VISIBLE]
    assert steps[10] == {"Hotspots": ACTIVE, "Terrain": NOT_VISIBLE, "Heights": NOT_VISIBLE}
    assert all("Heights" not in step for step in steps[5:10])


def test_the_history_ends_as_the_steps_do(run):
    lines = run[0]
    history = lines[lines.index("The hotspots' last changes:") + 1 :]
    changes = [line.strip().split(" -> ") for line in history]
    assert len(changes) >= 7
    # Each begins where the one before ended.
    assert all(before[1] == after[0] for before, after in zip(changes, changes[1:]))


def panel(run, example, number):
    """The map of a panel: of each DIP its top left pixel."""
    return list_and_map(run, example, number)[:: example.drawing.DENSITY, example.LIST * 2 :: example.drawing.DENSITY]


def list_and_map(run, example, number):
    left, top = example.make_sheet().origin(number - 1)
    sizes = (left, top, example.LIST + example.SIZE[0], example.SIZE[1])
    left, top, width, height = (example.drawing.DENSITY * length for length in sizes)
    return run[1][top : top + height, left : left + width]


def is_hot(picture):
    """Pixels in the colour of a hotspot."""
    near = [numpy.abs(picture - colour).max(axis=2) < 12 for colour in HOT]
    return numpy.logical_or.reduce(near)


def test_hotspots_are_drawn_where_they_are_in_the_steps_that_show_them(run, example):
    counts = [int(is_hot(panel(run, example, number)).sum()) for number in range(1, 12)]
    shown = [number for number, count in enumerate(counts, start=1) if count > 20]
    assert shown == [4, 5, 7, 9, 11], counts
    camera = Camera(example.CENTER, example.SCALE, 0, example.SIZE)
    with example.HOTSPOTS.open() as file:
        rows = list(csv.DictReader(file))
    places = camera.to_screen(numpy.column_stack(TO_MERCATOR.transform(
        [float(row["longitude"]) for row in rows], [float(row["latitude"]) for row in rows])))
    picture, checked = panel(run, example, 9), 0
    for row, (x, y) in zip(rows, places):
        if float(row["frp"]) < 60 or not (5 < x < example.SIZE[0] - 110 and 5 < y < example.SIZE[1] - 5):
            continue
        # The hottest are the largest; a later one may lie over it.
        block = picture[int(y) - 1 : int(y) + 2, int(x) - 1 : int(x) + 2]
        assert any(numpy.abs(block - colour).max(axis=2).min() < 12 for colour in HOT), (x, y)
        checked += 1
    assert checked >= 3


def test_the_list_shows_what_was_told(run, example, steps):
    """Whatever has happened since: the signs in a picture go with the lines that are printed."""
    told = {}
    for number, step in enumerate(steps, start=1):
        told |= step
        for row, (name, depth) in enumerate((("Hotspots", 0), ("Terrain", 0), ("Heights", 1))):
            x, y = 10 + 18 * depth + 25, 20 + example.ROW * row
            sign = list_and_map(run, example, number)[2 * y - 14 : 2 * y + 14, 2 * x - 14 : 2 * x + 14]
            flags = told.get(name, 0)
            wanted = {example.RED: ERROR, example.BLUE: LOADING, example.YELLOW: WARNING}
            for colour, flag in wanted.items():
                is_there = (numpy.abs(sign - colour).max(axis=2) < 8).any()
                assert is_there == bool(flags & flag), (number, name, flags, colour)


def test_the_raster_is_shown_where_the_view_is_close_to_it(run, example):
    """Its corners as pyproj has them; outside there is land."""
    picture = panel(run, example, 8)
    camera = Camera(example.CLOSE_CENTER, example.CLOSE_SCALE, 0, example.SIZE)
    to_mercator = pyproj.Transformer.from_crs(26910, 3857, always_xy=True)
    left, top, right, bottom = 568218, 4514770, 568218 + 4920, 4514770 - 4120
    for x, y, is_inside in ((left + 200, bottom + 200, True), (right - 200, top - 200, True),
                            (left - 200, bottom + 200, False), (right + 200, top - 200, False)):
        column, row = camera.to_screen([to_mercator.transform(x, y)])[0].astype(int)
        is_land = numpy.abs(picture[row, column] - example.drawing.LAND).max() < 8
        assert is_land != is_inside, (x, y)

"""The example with turbines and premises: who is in breach and by how much, against pyproj; and the picture."""
import csv
import os
import subprocess
import sys

import numpy
import pytest
from conftest import ROOT
from PIL import Image
from pyproj import Geod, Transformer

EXAMPLE = ROOT / "examples" / "turbines"
GEOD = Geod(ellps="WGS84")


def rows(name):
    with (EXAMPLE / "data" / name).open() as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def expected():
    """The distances of each of the premises in kilometres from all turbines, by their names."""
    to = Transformer.from_crs(25832, 4326, always_xy=True)
    turbines = {row["name"]: to.transform(float(row["x"]), float(row["y"])) for row in rows("turbines.csv")}
    return {row["name"]: {name: GEOD.inv(float(row["longitude"]), float(row["latitude"]), *place)[2] / 1000
                          for name, place in turbines.items()} for row in rows("premises.csv")}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    import alidade

    path = tmp_path_factory.mktemp("turbines") / "picture.png"
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(alidade.__file__)))
    command = [sys.executable, "-B", EXAMPLE / "turbines.py", "--output", path]
    result = subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE, timeout=60)
    return result.stdout.splitlines(), numpy.asarray(Image.open(path).convert("RGB")).astype(int)


def test_the_data_are_what_the_program_makes(tmp_path):
    for name in ("make_data.py",):
        (tmp_path / name).write_text((EXAMPLE / "data" / name).read_text())
    subprocess.run([sys.executable, "-B", tmp_path / "make_data.py"], check=True)
    for name in ("turbines.csv", "premises.csv"):
        assert (tmp_path / name).read_text() == (EXAMPLE / "data" / name).read_text()


def test_the_table(run, expected):
    breaches = {name: {turbine: distance for turbine, distance in near.items() if distance <= 2}
                for name, near in expected.items()}
    breaches = {name: near for name, near in breaches.items() if near}
    lines = run[0]
    assert lines[0] == f"{len(breaches)} of {len(expected)} premises are closer to a turbine than 2 km"
    assert len(lines) == len(breaches) + 1 and 20 < len(breaches) < len(expected) - 20
    order = sorted(breaches, key=lambda name: min(breaches[name].values()))
    for line, name in zip(lines[1:], order):
        near = breaches[name]
        turbine = min(near, key=near.get)
        others = f"  and {len(near) - 1} more" if len(near) > 1 else ""
        assert line == f"    {name:<14}{near[turbine]:6.3f} km from {turbine}{others}"


def test_the_picture(run, runtime, expected):
    """Each premises that is in the picture and alone there has the colour of its distance."""
    sys.path.insert(0, str(EXAMPLE))
    try:
        import turbines
    finally:
        sys.path.remove(str(EXAMPLE))
    app = turbines.App(runtime)
    view = turbines.make_view(app, app.breaches(2), 2)
    pixels, density = run[1], turbines.drawing.DENSITY
    to = Transformer.from_crs(4326, 3857, always_xy=True)
    premises = rows("premises.csv")
    places = view.map_to_screen([to.transform(float(row["longitude"]), float(row["latitude"])) for row in premises])
    checked = 0
    for row, (x, y) in zip(premises, places):
        alone = (numpy.hypot(*(places - (x, y)).T) < 9).sum() == 1
        if not alone or not (8 < x < turbines.SIZE[0] - 8 and 8 < y < turbines.SIZE[1] - 8):
            continue
        color = turbines.RED if min(expected[row["name"]].values()) <= 2 else turbines.GREEN
        if x > turbines.SIZE[0] - 170 and y > turbines.SIZE[1] - 80:
            continue  # below the scale bar or the arrow
        column, row_of = (int(density * value) for value in (turbines.LEFT + x, turbines.TOP + y))
        assert numpy.abs(pixels[row_of, column] - color).max() < 40, row
        checked += 1
    assert checked > 100

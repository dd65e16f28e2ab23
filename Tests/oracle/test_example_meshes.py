"""The example examples/meshes: its file of triangles against the heights of the raster, and its picture."""

import os
import subprocess
import sys

import numpy
import pytest
from conftest import ROOT
from PIL import Image
from sampling import BILINEAR, sample
from truth import Truth

EXAMPLE = ROOT / "examples" / "meshes"


@pytest.fixture(scope="module")
def example():
    """The program as a module: for its locations."""
    sys.path.insert(0, str(EXAMPLE))
    try:
        import meshes

        yield meshes
    finally:
        sys.path.remove(str(EXAMPLE))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What it prints, its groups as vertices and faces, and its picture."""
    import alidade

    folder = tmp_path_factory.mktemp("example")
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(alidade.__file__)))
    command = [sys.executable, "-B", EXAMPLE / "meshes.py", "--mesh", folder / "a.obj", "--output", folder / "a.png"]
    result = subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE)
    vertices, groups = [], {}
    for line in (folder / "a.obj").read_text().splitlines():
        kind, *words = line.split()
        if kind == "g":
            faces = groups[words[0]] = []
        elif kind == "v":
            vertices.append(words)
        elif kind == "f":
            faces.append([word.split("/")[0] for word in words])
    vertices = numpy.array(vertices, float)
    triangles = {name: vertices[numpy.array(faces, int) - 1] for name, faces in groups.items()}
    return result.stdout.splitlines(), triangles, Image.open(folder / "a.png")


def heights_of(example, points):
    """The raster's heights at points of the engine."""
    truth = Truth(example.DATA / "Shasta_Elevation.tif")
    cells = truth.to_cells(numpy.column_stack([points[:, 0] + example.ORIGIN[0], example.ORIGIN[1] - points[:, 2]]))
    return numpy.array([sample(truth.bands[0], column, row, BILINEAR)[0] for column, row in cells])


def test_ground(run, example):
    for name in ("terrain", "road"):
        triangles = run[1][name]
        up = numpy.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])[:, 1]
        surface = triangles[up > 0.01]
        # Corners are on the ground, and the middles of triangles within the distance that was asked for.
        step = max(1, len(surface) // 700)
        corners, middles = surface[::step, 0], surface[::step].mean(axis=1)
        assert numpy.abs(heights_of(example, corners) - corners[:, 1]).max() < 0.02
        assert numpy.abs(heights_of(example, middles) - middles[:, 1]).max() <= example.DEVIATION
        if name == "terrain":
            assert (up > -1e-6).all()
            box = numpy.array(example.TILE)
            assert up.sum() / 2 == pytest.approx((box[2] - box[0]) * (box[3] - box[1]), rel=1e-5)


def test_houses(run, example):
    triangles = run[1]["houses"]
    up = numpy.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])[:, 1]
    assert up.sum() / 2 == pytest.approx(len(example.HOUSES) * 60 * 40, rel=1e-4)
    assert len(triangles) == len(example.HOUSES) * (2 + 8)
    # Each stands on the lowest corner's ground.
    for x, y in example.HOUSES:
        corners = numpy.array([[x + dx - example.ORIGIN[0], 0, example.ORIGIN[1] - y - dy] for dx in (0, 60) for dy in (0, 40)])
        near = numpy.abs(triangles[:, :, [0, 2]].mean(axis=1) - corners.mean(axis=0)[[0, 2]]).max(axis=1) < 40
        assert triangles[near][:, :, 1].min() == pytest.approx(heights_of(example, corners).min(), abs=0.01)


def test_lines(run):
    for line, name in zip(run[0], ("terrain", "road", "houses")):
        words = line.split()
        assert words[0] == f"{name}:"
        assert int(words[1]) == len(run[1][name])
        assert float(words[5]) <= 2


def test_picture(run, example):
    """The lake is blue in both panels, houses are red, the road is grey."""
    picture, density = run[2].convert("RGB"), example.drawing.DENSITY
    west, south, east, north = example.TILE
    tall = round(example.WIDE * (north - south) / (east - west))

    def colour(x, y, left):
        return picture.getpixel((
            int(density * (left + (x - west) / (east - west) * example.WIDE)),
            int(density * (example.TOP + (north - y) / (north - south) * tall)),
        ))

    for x, y in example.HOUSES:
        red, green, blue = colour(x + 30, y + 20, example.LEFT)
        assert red > green + 30 and red > blue + 30
    (x, y), (to_x, to_y) = example.ROAD[3], example.ROAD[4]
    red, green, blue = colour((x + to_x) / 2, (y + to_y) / 2, example.LEFT)
    assert max(red, green, blue) - min(red, green, blue) < 25 and red < 110

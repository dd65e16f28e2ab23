"""The example examples/frame_loop: what it counts, and its last picture, cell for cell against rasterio."""

import math
import os
import re
import subprocess

import numpy
import pytest
import rasterio
from conftest import ROOT
from PIL import Image

EXAMPLE = ROOT / "examples" / "frame_loop"
DATA = ROOT / "examples" / "world_identify" / "data"
SDK = os.environ.get("ALIDADE_SDK", str(ROOT / ".build" / "sdk"))
SECONDS, RATE, WIDTH, HEIGHT = 3, 60, 800, 600


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Its lines by what stands before the colon, and its picture."""
    folder = tmp_path_factory.mktemp("frame_loop")
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "alidade"], check=True, text=True, capture_output=True,
        env={**os.environ, "PKG_CONFIG_PATH": f"{SDK}/lib/pkgconfig"},
    ).stdout.split()  # fmt: skip
    program = folder / "frame_loop"
    sources = sorted(map(str, EXAMPLE.glob("*.c")))
    strict = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
    subprocess.run(["gcc", *strict, *sources, *flags, "-lm", f"-Wl,-rpath,{SDK}/lib", "-o", program], check=True)
    command = [program, "--data", DATA, "--seconds", str(SECONDS), "--picture", folder / "map.ppm"]
    done = subprocess.run(command, check=True, text=True, capture_output=True, timeout=100)
    assert done.stderr == ""
    return dict(line.split(": ", 1) for line in done.stdout.splitlines()), Image.open(folder / "map.ppm")


def numbers(line):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", line)]


def test_counts(run):
    lines, _ = run
    assert numbers(lines["frames"])[:2] == [SECONDS * RATE, RATE]
    asked, completed, hits, _ = numbers(lines["taps"])
    # Each completes once. There are heights wherever a tap can be, but in the first frames no layer is loaded.
    assert asked == completed > 200 and completed / 2 < hits <= completed
    assert numbers(lines["pictures"])[0] >= 2
    median, p90, p99, longest = numbers(lines["work of a frame"].replace("p90", "").replace("p99", ""))
    assert 0 < median <= p90 <= p99 <= longest
    # A float has 24 bits: half of the last one below 2 ** 14 m, along each of three axes.
    assert 0 < numbers(lines["flight"])[1] < math.sqrt(3) * 1e3 * 2 ** (13 - 24)
    for stage in ("input", "ask for taps", "pump", "events", "move", "position the flight", "ask for a picture"):
        longest_ms, _ = numbers(lines[stage])
        assert longest_ms <= longest + 0.01
    assert numbers(lines["pump"])[1] < 0.5


def test_picture(run):
    lines, picture = run
    x, y, units, rotation = numbers(lines["view"])
    assert rotation == 0 and picture.size == (WIDTH, HEIGHT)
    column, row = numpy.meshgrid(numpy.arange(WIDTH) + 0.5, numpy.arange(HEIGHT) + 0.5)
    # Web Mercator's inverse, as EPSG's guidance note 7-2 has it (1024).
    longitude = numpy.degrees((x + units * (column - WIDTH / 2)) / 6378137)
    latitude = numpy.degrees(2 * numpy.arctan(numpy.exp((y - units * (row - HEIGHT / 2)) / 6378137)) - numpy.pi / 2)
    with rasterio.open(DATA / "elevation.tif") as dataset:
        heights, inverse = dataset.read(1).astype(float), ~dataset.transform
        nodata = dataset.nodata
    cell_x, cell_y = inverse * ((longitude + 180) % 360 - 180, latitude)
    found = heights[numpy.floor(cell_y).astype(int), numpy.floor(cell_x).astype(int)]
    expected = numpy.round(numpy.clip(found / 5000, 0, 1) * 255)
    if nodata is not None:
        expected[found == nodata] = 0
    grey = numpy.asarray(picture).astype(int)
    assert (grey[..., 0] == grey[..., 1]).all() and (grey[..., 0] == grey[..., 2]).all()
    # The view is printed with nine digits: a pixel on the edge between two cells may go to the other one.
    assert (numpy.abs(grey[..., 0] - expected) <= 1).mean() > 0.999
    assert grey.max() > 50


"""
Addresses of services on the viewer's command line, played without a screen: the server is another process.

What the tiles show and where the points are follows from the formulas of the server.
"""
import sys
from pathlib import Path

import numpy
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "services"))
import server as data  # noqa: E402
from client import MapServer  # noqa: E402
from test_example_viewer import ACTIVE, HEIGHT, STATUS, WIDTH, parsed, play, program  # noqa: E402

assert program  # a fixture
SCRIPT = """
rest
key 2            # to the points
wait 2
rest
state
screenshot tiles.bmp
"""


def test_tiles_and_points_of_a_server(program, tmp_path):
    with MapServer() as server:
        done = play(program, tmp_path, SCRIPT, f"{server.url}/tiles/{{z}}/{{x}}/{{y}}.png",
                    f"{server.url}/oapif/collections/points")
    assert done.returncode == 0 and done.stderr == ""
    [state] = parsed(done.stdout)
    assert [flags for _, flags, _ in state["rows"]] == [ACTIVE, ACTIVE]
    picture = numpy.asarray(Image.open(tmp_path / "tiles.bmp").convert("RGB")).astype(int)
    # The points are 0.2 degrees apart over 20 by 10 degrees; around them only the tiles show.
    (x, y), scale = state["camera"].centre, state["camera"].scale
    unit = scale * 0.0254 / 96
    column = numpy.arange(WIDTH) + 0.5 - WIDTH / 2
    row = numpy.arange(HEIGHT) + 0.5 - (HEIGHT - STATUS) / 2
    east, north = x + column[None, :] * unit, y - row[:, None] * unit
    world = 2 * data.HALF_WORLD
    zoom = round(numpy.log2(world / 256 / unit))
    red = numpy.floor((east + data.HALF_WORLD) / world * 2**zoom * 256).astype(int) // 16 % 256
    green = numpy.floor((data.HALF_WORLD - north) / world * 2**zoom * 256).astype(int) // 16 % 256
    expected = numpy.stack(numpy.broadcast_arrays(red, green, zoom * 8), axis=-1)
    same = (numpy.abs(picture - expected) <= 1).all(axis=-1)
    # Points, outlines of countries, panels and edges between cells cover the rest.
    assert same.mean() > 0.35

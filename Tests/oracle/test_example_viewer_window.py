"""
The interactive viewer as a program with a window: without a display, at rest, where it opens, and with many points.

A virtual screen, Xvfb, stands in for a display. The kernel and the program measure the times.
"""
import os
import re
import signal
import subprocess
import time

import numpy
import pytest
from conftest import ROOT
from PIL import Image

from test_example_viewer import (HEIGHT, SHASTA, STATUS, TO_MERCATOR, WIDTH, free_of_panels, is_colour, parsed,
                                 play, program)

assert program  # a fixture
TICKS = os.sysconf("SC_CLK_TCK")
BLUE = (0, 92, 200)


def environment(**more):
    """That of a terminal without a screen."""
    taken = {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"}
    return {**{name: value for name, value in os.environ.items() if name not in taken}, **more}


@pytest.fixture(scope="module")
def screen():
    """The name of a screen that nobody sees."""
    read_end, write_end = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1200x900x24", "-nolisten", "tcp"],
                              pass_fds=[write_end], stderr=subprocess.DEVNULL)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        yield f":{pipe.readline().strip()}"
    server.terminate()
    server.wait()


def test_without_a_display_it_says_so(program, tmp_path):
    """At once, and with what can be done instead."""
    command = [program, "--examples", ROOT / "examples"]
    result = subprocess.run(command, cwd=tmp_path, env=environment(), text=True, capture_output=True, timeout=30)
    assert result.returncode == 1 and result.stdout == ""
    [said] = [line for line in result.stderr.splitlines() if line.startswith("viewer: ")]
    assert "there is no display" in said and "DISPLAY" in said and "--script" in said
    # A screen that is not there is none either.
    result = subprocess.run(command, cwd=tmp_path, env=environment(DISPLAY=":4999"), text=True, capture_output=True,
                            timeout=30)
    assert result.returncode == 1 and "there is no display" in result.stderr


def processor_s(process):
    """The seconds that all threads of a process have run, as the kernel counts them."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def test_at_rest_it_does_not_run(program, screen):
    """In 3 seconds, not for a hundredth of a second; and it ends when it is asked to."""
    with subprocess.Popen([program, "--examples", ROOT / "examples"], env=environment(DISPLAY=screen),
                          stderr=subprocess.PIPE, text=True) as process:
        try:
            before, deadline = -1.0, time.monotonic() + 60
            while (now := processor_s(process)) != before or now < 0.1:
                assert process.poll() is None and time.monotonic() < deadline
                before = now
                time.sleep(1)
            time.sleep(3)
            assert processor_s(process) - before <= 1 / TICKS
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
        finally:
            process.kill()
        assert process.stderr.read() == ""


def margins(camera, west, south, east, north):
    """How far a box in Web Mercator is from the sides of what the status line leaves."""
    (left, top), (right, bottom) = camera.to_screen([(west, north), (east, south)])
    return numpy.array([left, top, WIDTH - right, HEIGHT - STATUS - bottom])


def write_points(path, degrees):
    """A file of features: lines that begin with the number of a point."""
    path.write_text("\n".join(
        ['{"type": "FeatureCollection", "features": ['] +
        [",\n".join(f'{{"type": "Feature", "properties": {{}}, "geometry": {{"type": "Point", "coordinates": [{x}, {y}]}}}}'
                    for x, y in degrees)] + ["]}"]))


def test_it_opens_at_the_data(program, tmp_path):
    """Of two files; where there is but a point, at 1 : 10,000; without a file, at the uppermost raster."""
    write_points(tmp_path / "a.json", [(7, 50), (9, 51)])
    write_points(tmp_path / "b.json", [(8, 46)])
    [both] = parsed(play(program, tmp_path, "rest\nstate\n", "a.json", "b.json").stdout)
    west, south = TO_MERCATOR.transform(7, 46)
    east, north = TO_MERCATOR.transform(9, 51)
    around = margins(both["camera"], west, south, east, north)
    assert around.min() == pytest.approx(30, abs=0.3)
    assert around[0] == pytest.approx(around[2], abs=0.3) and around[1] == pytest.approx(around[3], abs=0.3)
    [point] = parsed(play(program, tmp_path, "rest\nstate\n", "b.json").stdout)
    assert point["camera"].scale == pytest.approx(10000, rel=1e-6)
    assert point["camera"].centre == pytest.approx(TO_MERCATOR.transform(8, 46), abs=0.01)
    first, moved, home = parsed(play(program, tmp_path, "rest\nstate\nkey Left\nrest\nwheel 2\nrest\nstate\n"
                                     "key Home\nrest\nstate\n").stdout)
    [alone] = parsed(play(program, tmp_path, "rest\nstate\n", SHASTA).stdout)
    assert first["camera"] == alone["camera"] != moved["camera"]
    assert home["camera"].centre == pytest.approx(first["camera"].centre, abs=0.01)
    assert home["camera"].scale == pytest.approx(first["camera"].scale, rel=1e-6)


def write_many(path, degrees):
    """A shapefile of points, which is records of fixed length behind a head."""
    kinds = [("number", ">i4"), ("words", ">i4"), ("kind", "<i4"), ("xy", "<f8", 2)]
    records = numpy.zeros(len(degrees), kinds)
    records["number"], records["words"], records["kind"] = numpy.arange(1, len(degrees) + 1), 10, 1
    records["xy"] = degrees
    index = numpy.zeros(len(degrees), [("offset", ">i4"), ("words", ">i4")])
    index["offset"], index["words"] = 50 + 14 * numpy.arange(len(degrees)), 10
    for suffix, body in ((".shp", records), (".shx", index)):
        head = numpy.zeros(1, [("code", ">i4"), ("unused", ">i4", 5), ("words", ">i4"), ("version", "<i4"),
                               ("kind", "<i4"), ("box", "<f8", 8)])
        head["code"], head["words"], head["version"], head["kind"] = 9994, (100 + body.nbytes) // 2, 1000, 1
        head["box"][0, :4] = *degrees.min(axis=0), *degrees.max(axis=0)
        path.with_suffix(suffix).write_bytes(head.tobytes() + body.tobytes())
    path.with_suffix(".prj").write_text('GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],'
                                        'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]')


def test_a_million_points_are_drawn_in_less_than_a_second(program, tmp_path):
    degrees = numpy.random.default_rng(19).normal((10, 48), (3, 2), (1_000_000, 2))
    write_many(tmp_path / "million.shp", degrees)
    result = play(program, tmp_path, "rest\nkey Right\nrest\nkey Left\nrest\nstate\nscreenshot many.bmp\n", "--times",
                  "million.shp")
    assert result.returncode == 0, result.stderr
    times = [int(text) for text in re.findall(r"drawn in \d+ ms, (\d+) ms of a processor$", result.stderr, re.MULTILINE)]
    # The first one has read the file. What else runs on this machine does not count.
    assert len(times) >= 3 and max(times[-2:]) < 1000, times
    [state] = parsed(result.stdout)
    picture = numpy.asarray(Image.open(tmp_path / "many.bmp").convert("RGB"))
    screen = state["camera"].to_screen(numpy.column_stack(TO_MERCATOR.transform(*degrees.T)))
    # All of them: the pixel of each has the colour of points, but where coasts lie over it, and none is elsewhere.
    inside = [(x, y) for x, y in numpy.floor(screen[::100]).astype(int)
              if 0 <= x < WIDTH and 0 <= y < HEIGHT and free_of_panels(x, y)]
    assert len(inside) > 9000
    assert numpy.mean([is_colour(picture[y, x], BLUE, 100) for x, y in inside]) > 0.95
    covered = numpy.zeros((HEIGHT, WIDTH), bool)
    for right, down in numpy.mgrid[-3:4, -3:4].reshape(2, -1).T:
        x, y = numpy.floor(screen).astype(int).T + [[right], [down]]
        kept = (x >= 0) & (x < WIDTH) & (y >= 0) & (y < HEIGHT)
        covered[y[kept], x[kept]] = True
    blue = is_colour(picture, BLUE, 20)
    blue[~numpy.fromfunction(numpy.vectorize(lambda y, x: free_of_panels(x, y)), (HEIGHT, WIDTH))] = False
    assert blue.sum() > 50_000 and not (blue & ~covered).any()

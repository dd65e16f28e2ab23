"""
The interactive viewer, played without a screen: what it says of its camera, and the pixels of its window.

Cameras follow from the inputs, colours and values from rasterio, land and water from shapely, lengths from geodesics.
"""
import json
import math
import os
import shlex
import subprocess

import numpy
import pyproj
import pytest
import rasterio
import shapely
from conftest import ROOT
from PIL import Image, ImageFont
from shapely.geometry import shape
from shapely.ops import transform, unary_union

from camera import Camera

EXAMPLE = ROOT / "examples" / "viewer"
SDK = os.environ.get("ALIDADE_SDK", str(ROOT / ".build" / "sdk"))
SHASTA = ROOT / "examples" / "quickstart" / "data" / "Shasta_Elevation.tif"
TO_MERCATOR = pyproj.Transformer.from_crs(4326, 3857, always_xy=True)
TO_WGS84 = pyproj.Transformer.from_crs(3857, 4326, always_xy=True)
TO_SHASTA = pyproj.Transformer.from_crs(3857, 26910, always_xy=True)
GEOD = pyproj.Geod(ellps="WGS84")

WIDTH, HEIGHT, STATUS = 800, 600, 22
# 12.5 pixels high, times ten.
FONT = ImageFont.truetype("DejaVuSans.ttf", 125)
# The colours of the program's sources.
WATER, LAND, COAST, MARK = (206, 222, 234), (236, 234, 224), (96, 108, 104), (230, 0, 90)
PAPER, EDGE, INK, NORTH, SOUTH = (255, 255, 250), (60, 64, 70), (24, 28, 34), (214, 60, 60), (150, 156, 162)
RAMP = [(58, 110, 150), (96, 150, 92), (186, 190, 118), (206, 164, 96), (160, 112, 82), (244, 240, 236)]

TAP = """
press
wait 0.05
release
rest
"""
STORY = f"""
rest             # at the data; and the world
key 0
rest
state
screenshot world.bmp
key 3            # fly to Shasta Lake
rest
state
screenshot shasta.bmp
move 400 250     # a tap there
{TAP}
state
screenshot tapped.bmp
key Shift+3      # without the raster; the callout stays where it is
rest
state
screenshot hidden.bmp
key Shift+3
key Escape       # and without the callout
rest
state
screenshot shown.bmp
key E            # two steps to the right: 30 degrees east of north is up
key E
rest
state
screenshot turned.bmp
key N
rest
wheel 4          # 16 times as close, about the pointer
rest
move 300 200
{TAP}
state
screenshot close.bmp
key Escape
wheel -3         # twice as close as at first
rest
move 250 150     # a long press, then a drag
press
wait 0.6
glide 420 330 0.3
screenshot dragging.bmp
state
rest
state
screenshot magnified.bmp
release
rest
state
screenshot lifted.bmp
move 420 350     # ends near the right side: the map moves under the finger
press
wait 0.6
glide 790 350 0.2
wait 1
state
release
rest
state
key Escape
move 500 300     # a drag that ends at rest
press
glide 350 420 0.4
wait 0.3
release
rest
state
finger 1 down 300 300
finger 2 down 500 300
wait 0.1
finger 1 move 280 300
finger 2 move 520 300
finger 1 move 250 300
finger 2 move 550 300
wait 0.3
finger 1 up 250 300
finger 2 up 550 300
rest
state
"""
STATES = ["world", "shasta", "tapped", "hidden", "shown", "turned", "close", "dragging", "magnified", "lifted", "pulled",
          "dropped", "dragged", "pinched"]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The viewer, built as its own script does, with warnings as errors."""
    environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(SDK, "lib", "pkgconfig"))
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "alidade", "sdl2", "pangocairo"], env=environment, check=True,
                           text=True, stdout=subprocess.PIPE).stdout
    target = tmp_path_factory.mktemp("viewer") / "viewer"
    sources = sorted(EXAMPLE.glob("*.c"))
    subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", *sources,
                    *shlex.split(flags), "-lm", f"-Wl,-rpath,{SDK}/lib", "-o", target], check=True)
    return target


def play(program, folder, text, *options, preload=None):
    (folder / "script.txt").write_text(text)
    environment = dict(os.environ, LD_PRELOAD=str(preload)) if preload else None
    return subprocess.run([program, "--examples", ROOT / "examples", "--size", f"{WIDTH}x{HEIGHT}", "--script",
                           folder / "script.txt", *options], cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)


def parsed(text):
    """The blocks that `state` has printed."""
    states = []
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "camera":
            x, y, scale, rotation, _, width, height, _, density = rest.split()
            assert (float(width), float(height), float(density)) == (WIDTH, HEIGHT, 1)
            camera = Camera((float(x), float(y)), float(scale), float(rotation), (WIDTH, HEIGHT), (0, 0, STATUS, 0))
            states.append({"camera": camera})
        elif word in ("bar", "status", "hover"):
            states[-1][word] = [float(part) for part in rest.split()] if word == "bar" else rest
        elif word == "row":
            numbers, _, words = rest.partition(" flags ")
            flags, _, text = words.partition(" ")
            states[-1].setdefault("rows", []).append(([float(part) for part in numbers.split()], int(flags), text))
        elif word in ("callout", "magnifier") and rest != "none":
            numbers, _, words = rest.partition(" text ")
            numbers = [float(part) for part in numbers.split() if part not in ("tip", "target")]
            states[-1][word] = (numbers[:4], numbers[4:], words)
    return states


@pytest.fixture(scope="module")
def story(program, tmp_path_factory):
    """State and picture of each scene."""
    folder = tmp_path_factory.mktemp("story")
    result = play(program, folder, STORY, "--screenshot", "end.bmp")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    states = dict(zip(STATES, parsed(result.stdout)))
    assert len(states) == len(STATES)
    for name in [*STATES[:10], "end"]:
        states.setdefault(name, {})["picture"] = numpy.asarray(Image.open(folder / f"{name}.bmp").convert("RGB"))
        assert states[name]["picture"].shape == (HEIGHT, WIDTH, 3)
    return states


def is_colour(pixels, colour, allowed=0):
    return numpy.abs(pixels.astype(int) - colour).max(axis=-1) <= allowed


def free_of_panels(x, y):
    """Whether nothing of the glass is there: scale bar, compass, status line, layer list."""
    return not (x < 200 and y > HEIGHT - 70 or x > WIDTH - 60 and y < 60 or y >= HEIGHT - STATUS - 1
                or x < 223 and y < 127)


def test_the_world_has_land_water_and_coasts(story):
    camera, picture = story["world"]["camera"], story["world"]["picture"]
    west, south, east, north = (*TO_MERCATOR.transform(-170, -55), *TO_MERCATOR.transform(170, 75))
    (left, top), (right, bottom) = camera.to_screen([(west, north), (east, south)])
    assert min(left, top, WIDTH - right, HEIGHT - STATUS - bottom) == pytest.approx(30, abs=0.3)
    countries = json.loads((ROOT / "examples/navigation/data/countries_110m.geojson").read_text())["features"]
    lands = [transform(TO_MERCATOR.transform, shape(country["geometry"])).buffer(0) for country in countries]
    land, coasts = unary_union(lands), unary_union([part.boundary for part in lands])
    world = 2 * math.pi * 6378137
    seen = {True: 0, False: 0}
    for x in range(5, WIDTH, 29):
        for y in range(5, HEIGHT, 29):
            place = camera.to_map([(x + 0.5, y + 0.5)])[0]
            place = shapely.geometry.Point((place[0] + world / 2) % world - world / 2, place[1])
            # The rasters, which are some pixels in size, lie on coasts and between them.
            if not free_of_panels(x, y) or coasts.distance(place) < 3 * camera.units_per_dip:
                continue
            is_land = land.contains(place)
            assert tuple(picture[y, x]) == (LAND if is_land else WATER), (x, y)
            seen[is_land] += 1
    assert min(seen.values()) > 80
    lines = coasts.intersection(shapely.geometry.box(*numpy.ravel(camera.to_map([(10, 500), (700, 10)]))))
    steps = numpy.arange(0, lines.length, 20 * camera.units_per_dip)
    points = camera.to_screen([lines.interpolate(step).coords[0] for step in steps]).astype(int)
    points = [point for point in points if free_of_panels(*point)]
    dark = is_colour(picture, COAST, 75)
    assert len(points) > 300
    assert numpy.mean([dark[y - 1 : y + 2, x - 1 : x + 2].any() for x, y in points]) > 0.97


@pytest.fixture(scope="module")
def heights():
    with rasterio.open(SHASTA) as raster:
        cells = raster.read(1, masked=True)
        return cells, ~raster.transform, numpy.percentile(cells.compressed(), [2, 98]), raster.transform


def ramp_colour(value, limits):
    """Of a value between those that 2 and 98 % of the cells are below."""
    share = (float(value) - limits[0]) / (limits[1] - limits[0])
    return [numpy.interp(share, numpy.linspace(0, 1, len(RAMP)), channel) for channel in zip(*RAMP)]


def cell_of(heights, place):
    """Column and row of the cell at a point in Web Mercator, and how near its border the point is."""
    column, row = heights[1] * TO_SHASTA.transform(*place)
    return int(column // 1), int(row // 1), min(abs(column - round(column)), abs(row - round(row)))


def test_cells_have_the_colours_of_their_values(story, heights):
    values, _, limits, _ = heights
    for name in ("shasta", "shown", "turned"):
        camera, picture, checked = story[name]["camera"], story[name]["picture"], 0
        for x in range(3, WIDTH, 23):
            for y in range(3, HEIGHT, 23):
                column, row, border = cell_of(heights, camera.to_map([(x + 0.5, y + 0.5)])[0])
                inside = 0 <= row < values.shape[0] and 0 <= column < values.shape[1]
                if not inside or border < 1e-6 or not free_of_panels(x, y):
                    continue
                if values.mask[row, column]:
                    expected = LAND
                else:
                    expected = ramp_colour(values[row, column], limits)
                    checked += 1
                assert is_colour(picture[y, x], expected, 1), (name, x, y)
        assert checked > 250, name


def test_a_flight_fits_the_raster_into_the_view(story, heights):
    camera = story["shasta"]["camera"]
    rows, columns = heights[0].shape
    corners = [heights[3] * corner for corner in ((0, 0), (columns, 0), (columns, rows), (0, rows))]
    to_mercator = pyproj.Transformer.from_crs(26910, 3857, always_xy=True)
    screen = camera.to_screen([to_mercator.transform(*corner) for corner in corners])
    low, high = screen.min(axis=0), screen.max(axis=0)
    # 30 DIP on the sides that are nearest, more on the others; the status line covers a part.
    margins = numpy.array([*low, WIDTH - high[0], HEIGHT - STATUS - high[1]])
    assert margins.min() == pytest.approx(30, abs=0.3)
    assert margins[0] == pytest.approx(margins[2], abs=0.3) and margins[1] == pytest.approx(margins[3], abs=0.3)


def check_callout(state, heights, tap):
    """The callout of a tap: text and pixels."""
    camera, picture = state["camera"], state["picture"]
    (x_min, y_min, x_max, y_max), tip, text = state["callout"]
    assert tip == pytest.approx(tap, abs=0.001)
    values, to_cell, _, to_place = heights
    column, row, _ = cell_of(heights, camera.to_map([tap])[0])
    assert text.startswith(f"Band 1: {str(values.data[row, column])}||")
    steps = ((0, 0), (1, 0), (1, 1), (0, 1))
    corners = [to_place * (column + right, row + down) for right, down in steps]
    to_mercator = pyproj.Transformer.from_crs(26910, 3857, always_xy=True)
    places = numpy.array([to_mercator.transform(*corner) for corner in corners])
    west, south = (float(part.split(":")[1]) for part in text.split("|")[2:])
    assert (west, south) == pytest.approx(places.min(axis=0), abs=0.002)
    # The box: a border a pixel wide, and paper with a text on it.
    assert x_max < WIDTH and y_max == pytest.approx(tap[1] - 10, abs=0.001) and y_min > 0
    box = picture[math.ceil(y_min) + 2 : int(y_max) - 2, math.ceil(x_min) + 2 : int(x_max) - 2]
    paper = is_colour(box, PAPER)
    assert 0.6 < paper.mean() < 0.95
    assert paper[:4].all() and paper[:, :4].all() and paper[-4:].all()
    middle = int((y_min + y_max) / 2)
    for x in (x_min, x_max - 1):
        assert is_colour(picture[middle, math.floor(x) : math.floor(x) + 2], EDGE, 150).any()
    # The leader: paper half way from the box to its tip.
    assert is_colour(picture[int(tap[1] - 6), int(tap[0])], PAPER)
    # The mark at the tap: a disk with a white ring around it. The leader's tip lies on its upper half.
    assert is_colour(picture[int(tap[1]) + 2, int(tap[0])], MARK)
    assert is_colour(picture[int(tap[1]), int(tap[0]) + 4], (255, 255, 255), 60)
    return places


def test_a_tap_shows_what_is_there(story, heights):
    check_callout(story["tapped"], heights, (400.5, 250.5))
    for name in ("world", "shasta", "shown", "turned"):
        assert "callout" not in story[name], name


def test_the_cell_is_outlined(story, heights):
    state = story["close"]
    places = check_callout(state, heights, (300.5, 200.5))
    corners = state["camera"].to_screen(places)
    assert numpy.ptp(corners, axis=0).min() > 15
    ring = shapely.geometry.LineString([*corners, corners[0]])
    along = numpy.array([ring.interpolate(place).coords[0] for place in numpy.arange(0.5, ring.length, 1.0)])
    # The callout's leader and the mark may lie over it.
    along = along[numpy.hypot(*(along - (300.5, 200.5)).T) > 12]
    along = along[along[:, 1] > 195]
    assert len(along) > 20
    assert is_colour(state["picture"][along[:, 1].astype(int), along[:, 0].astype(int)], MARK, 150).mean() > 0.9


def check_glass(state, heights, least):
    """In the glass, cells are four times as large, about the one under the finger."""
    (x_min, y_min, x_max, y_max), finger, _ = state["magnifier"]
    camera, picture, values = state["camera"], state["picture"], heights[0]
    box = state["callout"][0]
    corner = numpy.floor([x_min + 0.5, y_min + 0.5])
    same, differing = [], 0
    for i in range(20, 130, 7):
        for j in range(20, 130, 7):
            offset = numpy.array([i + 0.5 - 75, j + 0.5 - 75])
            x, y = (corner + (i, j)).astype(int)
            column, row, border = cell_of(heights, camera.to_map([finger + offset / 4])[0])
            covered = box[0] - 12 < x < box[2] + 12 and box[1] - 12 < y < box[3] + 12
            # The mark of the cell and the cross in the middle lie over it.
            if border < 1e-6 or numpy.hypot(*offset) > 66 or numpy.abs(offset).max() < 24 or covered:
                continue
            same.append(is_colour(picture[y, x], ramp_colour(values[row, column], heights[2]), 1))
            below = cell_of(heights, camera.to_map([(x + 0.5, y + 0.5)])[0])[:2]
            differing += below != (column, row)
    assert len(same) > 100 and differing > 100
    assert numpy.mean(same) >= least


def test_the_magnifier_is_filled_while_the_finger_moves(story, heights):
    """In the frame after the last move. The mark is still where the last answer was."""
    assert story["dragging"]["magnifier"][1] == pytest.approx((420.5, 330.5), abs=0.001)
    check_glass(story["dragging"], heights, 0.95)


def test_a_long_press_identifies_under_a_magnifier(story, heights):
    state = story["magnified"]
    camera, picture, finger = state["camera"], state["picture"], numpy.array([420.5, 330.5])
    assert camera.centre == story["lifted"]["camera"].centre
    (x_min, y_min, x_max, y_max), target, _ = state["magnifier"]
    assert target == pytest.approx(finger, abs=0.001)
    assert (x_max - x_min, y_max - y_min) == pytest.approx((150, 150), abs=0.01)
    # The callout says what lies under the finger, and keeps clear of the magnifier.
    values = heights[0]
    column, row, _ = cell_of(heights, camera.to_map([finger])[0])
    box, _, text = state["callout"]
    assert text.startswith(f"Band 1: {str(values.data[row, column])}||")
    assert box[0] >= x_max or box[2] <= x_min or box[1] >= y_max or box[3] <= y_min
    check_glass(state, heights, 1)
    middle = numpy.array([x_min + x_max, y_min + y_max]) / 2
    # The ring, all around; the white rim inside of it.
    for angle in numpy.arange(0, 2 * math.pi, 0.1):
        direction = numpy.array([math.cos(angle), math.sin(angle)])
        x, y = (middle + 75 * direction).astype(int)
        if not (box[0] - 2 < x < box[2] + 1 and box[1] - 2 < y < box[3] + 1):
            assert is_colour(picture[y, x], EDGE, 60), (x, y)
    # When the finger is lifted the glass is gone, and the callout points to where it was.
    after = story["lifted"]
    assert "magnifier" not in after
    assert after["callout"][1] == pytest.approx(finger, abs=0.001) and after["callout"][2] == text
    x, y = (middle + (75, 0)).astype(int)
    assert not is_colour(after["picture"][y - 3 : y + 3, x - 1 : x + 2], EDGE, 20).any()


def test_a_magnifier_at_the_edge_moves_the_map(story, heights):
    lifted, pulled, dropped = (story[name] for name in ("lifted", "pulled", "dropped"))
    moved = lifted["camera"].to_screen([pulled["camera"].centre])[0] - lifted["camera"].anchor
    assert moved[0] > 50 and moved[1] == pytest.approx(0, abs=1e-3)
    assert pulled["magnifier"][1] == pytest.approx((790.5, 350.5), abs=1e-3)
    assert "magnifier" not in dropped


def test_a_raster_is_hidden_and_shown(story):
    hidden, shown, before = (story[name]["picture"] for name in ("hidden", "shown", "shasta"))
    assert story["hidden"]["callout"] == story["tapped"]["callout"]
    assert tuple(hidden[420, 500]) == LAND and tuple(shown[420, 500]) != LAND
    assert (shown[127 : HEIGHT - 70] == before[127 : HEIGHT - 70]).all()


def test_the_scale_bar_is_as_long_as_it_says_at_the_centre(story):
    for name in STATES[:7]:
        camera, picture = story[name]["camera"], story[name]["picture"]
        length, start, end, y = story[name]["bar"]
        row = picture[int(y)]
        dark = numpy.flatnonzero(is_colour(row[:200], INK, 3))
        assert len(dark) == dark[-1] - dark[0] + 1
        assert (dark[0], dark[-1] + 1) == pytest.approx((start, end), abs=1), name
        along = camera.anchor + numpy.column_stack([numpy.linspace(start - end, end - start, 500) / 2, numpy.zeros(500)])
        measured = GEOD.line_length(*TO_WGS84.transform(*camera.to_map(along).T))
        assert measured == pytest.approx(length, rel=1e-4), name
        # 1, 2 or 5, and the longest that fits in 140.
        assert float(f"{length:e}".split("e")[0]) in (1, 2, 5)
        assert 140 / 2.6 < end - start <= 140


def test_the_status_line_says_where_the_pointer_is(story):
    for name, pointer in (("tapped", (400.5, 250.5)), ("close", (300.5, 200.5)), ("world", None)):
        camera = story[name]["camera"]
        place = camera.to_map([pointer or camera.anchor])[0]
        longitude, latitude = TO_WGS84.transform(*place)
        parts = story[name]["status"].split("   ")
        assert parts[0] == f"1 : {camera.scale:,.0f}"
        assert parts[1] == "{:.5f}\u00b0 {} {:.5f}\u00b0 {}".format(
            abs(latitude), "NS"[latitude < 0], abs(longitude), "EW"[longitude < 0])
        line = story[name]["picture"][HEIGHT - STATUS + 3 : HEIGHT - 2]
        # Words end where the font says.
        words = numpy.flatnonzero(is_colour(line, (232, 236, 240), 80).any(axis=0))
        assert words[0] == pytest.approx(8, abs=3)
        assert words[-1] == pytest.approx(8 + FONT.getlength(story[name]["status"].rstrip()) / 10, abs=3)


def test_the_needle_shows_north(story):
    for name, rotation in (("shown", 0), ("turned", 30)):
        assert story[name]["camera"].rotation_deg == pytest.approx(rotation, abs=1e-9)
        angle = math.radians(-rotation)
        for colour, sign in ((NORTH, 1), (SOUTH, -1)):
            x, y = WIDTH - 28 + sign * 8 * math.sin(angle), 28 - sign * 8 * math.cos(angle)
            assert is_colour(story[name]["picture"][int(y), int(x)], colour, 2), name


def test_inputs_move_the_camera(story):
    shown, close, dropped, dragged, pinched = (
        story[name]["camera"] for name in ("shown", "close", "dropped", "dragged", "pinched"))
    assert close.scale == pytest.approx(shown.scale / 16, rel=1e-8)
    under = shown.to_map([(400.5, 250.5)])[0]
    assert close.to_screen([under])[0] == pytest.approx((400.5, 250.5), abs=1e-3)
    assert dragged.scale == pytest.approx(shown.scale / 2, rel=1e-8)
    held = dropped.to_map([(500.5, 300.5)])[0]
    assert dragged.to_screen([held])[0] == pytest.approx((350.5, 420.5), abs=1e-3)
    assert pinched.scale == pytest.approx(dragged.scale * 200 / 300, rel=1e-4)


def test_the_status_line_says_what_the_window_has_done_last(story):
    """And not what the views have done that the rasters are read through."""
    said = {"shasta": "zooming", "turned": "rotating", "close": "zooming", "magnified": "zooming", "pulled": "zooming",
            "dropped": "panning", "dragged": "panning", "pinched": "zooming"}
    for name, what in said.items():
        assert story[name]["status"].endswith(f"   did end {what}"), name


# Opens of slow.tif wait until there is a screenshot of the time before.
SLOW_FILE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static void hold(const char *path) {
  for (int i = 0; strstr(path, "slow.tif") && access("loading.bmp", F_OK) != 0 && i < 6000; i++)
    usleep(10000);
}
#define OPENING(name)                                                         \\
  int name(const char *path, int flags, ...) {                                \\
    va_list more;                                                             \\
    va_start(more, flags);                                                    \\
    const int mode = va_arg(more, int);                                       \\
    va_end(more);                                                             \\
    hold(path);                                                               \\
    return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name))(path, flags, mode); \\
  }
OPENING(open)
OPENING(open64)
#define STREAM(name)                                                          \\
  FILE *name(const char *path, const char *mode) {                            \\
    hold(path);                                                               \\
    return ((FILE * (*)(const char *, const char *))dlsym(RTLD_NEXT, #name))(path, mode); \\
  }
STREAM(fopen)
STREAM(fopen64)
"""
LISTS = """
wait 0.5
state
screenshot loading.bmp
rest
state
screenshot settled.bmp
move 20 18       # the box of the topmost layer
press
wait 0.05
release
rest
state
screenshot toggled.bmp
move 100 38      # the name of the second
press
wait 0.05
release
rest
state
move 100 78      # that of the lowest; a drag that begins on the list moves nothing
press
glide 300 200 0.3
release
rest
state
"""
ACTIVE, NOT_VISIBLE, LOADING, ERROR, WARNING = 1, 2, 8, 16, 32
YELLOW, RED, BLUE, PALE, GREY = (245, 190, 0), (205, 30, 40), (40, 110, 200), (205, 210, 216), (150, 156, 162)


@pytest.fixture(scope="module")
def lists(program, tmp_path_factory):
    """What the list shows of four layers, the topmost first: a slow layer, a missing layer, a layer without
    a spatial reference, and a layer as it should be."""
    folder = tmp_path_factory.mktemp("lists")
    (folder / "slow.c").write_text(SLOW_FILE)
    subprocess.run(["cc", "-shared", "-fPIC", folder / "slow.c", "-o", folder / "slow.so", "-ldl"], check=True)
    for name in ("right.tif", "slow.tif"):
        (folder / name).write_bytes(SHASTA.read_bytes())
    with rasterio.open(SHASTA) as raster:
        profile = {**raster.profile, "crs": None}
        with rasterio.open(folder / "nowhere.tif", "w", **profile) as copy:
            copy.write(raster.read())
    result = play(program, folder, LISTS, "right.tif", "nowhere.tif", "missing.tif", "slow.tif",
                  preload=folder / "slow.so")
    assert result.returncode == 0, result.stderr
    names = ["loading", "settled", "toggled", "told", "dragged"]
    states = dict(zip(names, parsed(result.stdout)))
    for name in names[:3]:
        states[name]["picture"] = numpy.asarray(Image.open(folder / f"{name}.bmp").convert("RGB"))
    return states


def test_the_list_tells_the_state_of_each_layer(lists):
    def flags(name):
        return [row[1] for row in lists[name]["rows"]]

    assert flags("loading") == [LOADING, ERROR, WARNING, ACTIVE]
    assert flags("settled") == [ACTIVE, ERROR, WARNING, ACTIVE]
    assert flags("toggled") == [NOT_VISIBLE, ERROR, WARNING, ACTIVE]
    for name in ("loading", "settled", "toggled"):
        picture = lists[name]["picture"]
        for (x_min, y_min, x_max, y_max), state, _ in lists[name]["rows"]:
            row = picture[int(y_min) + 1 : int(y_max) - 1, int(x_min) : int(x_max)]
            box, words, sign = row[:, 6:17], row[:, 24:190], row[:, 192:208]
            signs = {YELLOW: state & WARNING, RED: state & ERROR, BLUE: state & LOADING, PALE: state & LOADING}
            for colour, is_there in signs.items():
                assert is_colour(sign, colour, 2).any() == bool(is_there), (name, state, colour)
            # The wheel: one dot of eight is dark.
            if state & LOADING:
                assert is_colour(sign, PALE, 2).sum() > 4 * is_colour(sign, BLUE, 2).sum()
            assert is_colour(box, INK, 2).any() == (not state & NOT_VISIBLE)
            # Words are thin: the darkest pixels are nearly of the colour that they are written in.
            darkest = words.astype(int).sum(axis=-1).min()
            assert abs(darkest - sum(GREY if state & NOT_VISIBLE else INK)) < 90, (name, state, darkest)


def test_the_list_takes_clicks(lists):
    told = lists["told"]["status"]
    assert "missing.tif" in told and told.split("   ")[-1].startswith("in error: ")
    assert lists["dragged"]["camera"].centre == lists["told"]["camera"].centre


def test_long_names_have_an_ellipsis(program, tmp_path):
    """In their middle: what differs there looks alike, what differs at an end does not. Short names have none."""
    names = ["m" * 30 + "_1.tif", "m" * 30 + "_2.tif", "m" * 15 + "w" + "m" * 14 + "_1.tif", "m" * 8 + ".tif"]
    for name in names:
        (tmp_path / name).write_bytes(SHASTA.read_bytes())
    hide = "".join(f"key Shift+{number}\n" for number in range(1, len(names) + 1))
    result = play(program, tmp_path, f"rest\nwheel 3\n{hide}rest\nstate\nscreenshot names.bmp\n", *names)
    assert (result.returncode, result.stderr) == (0, "")
    picture = numpy.asarray(Image.open(tmp_path / "names.bmp").convert("RGB"))
    rows = [picture[int(y_min) : int(y_max), 8:222] for (_, y_min, _, y_max), _, _ in parsed(result.stdout)[0]["rows"]]
    first, second, third, short = rows[::-1]
    assert (first == third).all() and not (first == second).all()
    for row, name in ((first, names[0]), (second, names[1]), (short, names[3])):
        words = numpy.flatnonzero(is_colour(row[:, 20:], GREY, 60).any(axis=0)) + 20
        wanted = FONT.getlength(name) / 10
        room = 214 - 25 - 28
        assert (wanted > room) == (row is not short)
        assert words[0] == pytest.approx(25, abs=3)
        assert 25 + min(wanted, 0.85 * room) - 4 <= words[-1] < 25 + min(wanted, room) + 1


def test_what_cannot_be_done_is_said(program, tmp_path):
    result = play(program, tmp_path, "rest\n\njump 1 2\n")
    assert result.returncode == 1 and "line 3" in result.stderr and "jump 1 2" in result.stderr
    result = play(program, tmp_path, "key Nothing\n")
    assert result.returncode == 1 and "line 1" in result.stderr
    assert play(program, tmp_path, "rest\n", "--size", "0x10").returncode == 2
    result = play(program, tmp_path, "rest\nstate\n", "no_such_file.tif")
    assert result.returncode == 0 and "NOT_FOUND" in result.stderr and "no_such_file.tif" in result.stderr


# Rasters in degrees that reach a pole, which Web Mercator has no image of: west, south, east, north.
POLAR = {"world": (-180, -90, 180, 90), "north": (-180, 45, 180, 90), "sector": (10, -90, 70, -60),
         "upside down": (-40, 90, 100, -90)}


def test_flights_to_rasters_that_reach_a_pole(program, tmp_path):
    """They end where the square of Web Mercator ends, and the raster is in the view, by the formula of the sphere."""
    half = math.pi * 6378137
    for name, (west, south, east, north) in POLAR.items():
        transform = rasterio.transform.from_bounds(west, south, east, north, 36, 18)
        with rasterio.open(tmp_path / f"{name}.tif", "w", driver="GTiff", width=36, height=18, count=1, dtype="uint8",
                           crs="EPSG:4326", transform=transform) as file:
            file.write(numpy.arange(36 * 18, dtype="uint8").reshape(1, 18, 36))
    keys = "".join(f"key {number + 1}\nrest\nstate\n" for number in range(len(POLAR)))
    result = play(program, tmp_path, f"rest\n{keys}", *(f"{name}.tif" for name in POLAR))
    assert (result.returncode, result.stderr) == (0, "")
    states = parsed(result.stdout)
    assert len(states) == len(POLAR)
    for (name, (west, south, east, north)), state in zip(POLAR.items(), states):
        assert state["rows"][0][1] == ACTIVE, name
        y = [half * math.copysign(1, latitude) if abs(latitude) == 90
             else 6378137 * math.log(math.tan(math.pi / 4 + math.radians(latitude) / 2)) for latitude in (south, north)]
        box = [(longitude / 180 * half, height) for longitude in (west, east) for height in y]
        screen = state["camera"].to_screen(box)
        low, high = screen.min(axis=0), screen.max(axis=0)
        margins = numpy.array([*low, WIDTH - high[0], HEIGHT - STATUS - high[1]])
        assert margins.min() == pytest.approx(30, abs=0.3), (name, margins)
        assert margins[0] == pytest.approx(margins[2], abs=0.3) and margins[1] == pytest.approx(margins[3], abs=0.3)

"""
The example with navigation: the events that it prints, the cameras that it reaches and what it draws.

Cameras follow from pyproj and from the words of the steps, events from the table of the C header's words on movements,
land and water from shapely.
"""
import math
import os
import re
import subprocess
import sys

import numpy
import pyproj
import pytest
import shapely
from conftest import ROOT
from osgeo import ogr
from PIL import Image
from shapely import wkb
from shapely.ops import transform, unary_union

from camera import DIP_PER_METRE, Camera

EXAMPLE = ROOT / "examples" / "navigation"
TO_MERCATOR = pyproj.Transformer.from_crs(4326, 3857, always_xy=True)
TO_WGS84 = pyproj.Transformer.from_crs(3857, 4326, always_xy=True)
GEOD = pyproj.Geod(ellps="WGS84")


@pytest.fixture(scope="module")
def example():
    """The program as a module: for its locations, sizes, colours and the layout of its sheet."""
    sys.path.insert(0, str(EXAMPLE))
    try:
        import navigation

        yield navigation
    finally:
        sys.path.remove(str(EXAMPLE))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What the program prints, its picture and its log."""
    import alidade

    folder = tmp_path_factory.mktemp("navigation")
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(alidade.__file__)))
    command = [sys.executable, "-B", EXAMPLE / "navigation.py", "--output", folder / "picture.png",
               "--log", folder / "navigation.log"]
    result = subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE)
    pixels = numpy.asarray(Image.open(folder / "picture.png").convert("RGB")).astype(int)
    return result.stdout.splitlines(), pixels, (folder / "navigation.log").read_text()


@pytest.fixture(scope="module")
def steps(run, example):
    """Title: (number, events without their times, camera, share of the envelope, scale bar in metres) of each step."""
    found, events, title = {}, [], None
    for line in run[0]:
        if match := re.fullmatch(r"(\d) (.+)", line):
            title, events = (int(match[1]), match[2]), []
        elif match := re.fullmatch(r" {4} *[\d.]+ s  (.+)", line):
            events.append(match[1])
        else:
            match = re.fullmatch(r" {4}centre (\S+) (\S+) \| 1 : (\S+) \| (\S+) degrees \| the visible area is (\S+) "
                                 r"of its envelope \| (\S+) (km|m)", line)
            longitude, latitude, scale, rotation, share, length = map(float, match.groups()[:-1])
            camera = Camera(TO_MERCATOR.transform(longitude, latitude), scale, rotation, example.SIZE)
            found[title[1]] = (title[0], events, camera, share, length * {"km": 1000, "m": 1}[match[7]])
    assert [step[0] for step in found.values()] == list(range(1, 10))
    return found


def test_each_movement_has_a_beginning_an_end_and_what_it_did(steps):
    def movement(cause, *kinds, told=None):
        return [f"NavigationBegan {cause}", *(f"DidEnd{kind} {told or cause}" for kind in kinds),
                f"NavigationEnded {cause}"]

    assert {title: step[1] for title, step in steps.items()} == {
        "Begin": [],
        "Zoom to the envelope": movement("CALL", "Zooming"),
        "Centre at the point": movement("CALL", "Panning"),
        "Rotate by 30 degrees": movement("CALL", "Rotating"),
        "Pinch, the fingers together": movement("GESTURE PINCH", "Zooming"),
        "Double tap": ["GestureEvent GESTURE TAP at 120 220", "GestureEvent GESTURE DOUBLE_TAP at 120 220",
                       *movement("GESTURE DOUBLE_TAP", "Zooming")],
        "Fling": movement("GESTURE DRAG", "Panning"),
        "Twist, and snap to north": movement("GESTURE TWIST", "Rotating"),
        "Fly back to the envelope": movement("ANIMATION", "Zooming", told="CALL"),
    }


def fitted(example, padding):
    """The camera that shows the envelope with DIP to spare: its middle on the map, and the larger of two scales."""
    corners = numpy.array(TO_MERCATOR.transform(*numpy.reshape(example.ENVELOPE, (2, 2)).T)).T
    units = ((corners[1] - corners[0]) / (numpy.array(example.SIZE) - 2 * padding)).max()
    return corners.mean(axis=0), units * DIP_PER_METRE


def near(camera, centre, scale, rotation_deg, dip=0.001):
    """Whether a camera that was printed with 6 decimals of degrees is where it should be."""
    assert camera.scale == pytest.approx(scale, rel=1e-6)
    assert camera.rotation_deg == pytest.approx(rotation_deg, abs=1e-3)
    assert numpy.abs(numpy.subtract(camera.centre, centre)).max() < dip * camera.units_per_dip + 0.2


def test_cameras_follow_from_the_words(steps, example):
    cameras = {title: step[2] for title, step in steps.items()}
    point = TO_MERCATOR.transform(*example.POINT)
    centre, scale = fitted(example, 0)
    near(cameras["Zoom to the envelope"], centre, scale, 0)
    near(cameras["Centre at the point"], point, scale, 0)
    near(cameras["Rotate by 30 degrees"], point, scale, 30)
    near(cameras["Pinch, the fingers together"], point, scale * 240 / 80, 30)
    tapped = cameras["Pinch, the fingers together"].to_map([(120, 220)])[0]
    double = cameras["Double tap"]
    near(double, double.centre, scale * 240 / 80 / 2, 30)
    assert double.to_screen([tapped])[0] == pytest.approx((120, 220), abs=0.001)
    fling = cameras["Fling"]
    near(fling, fling.centre, double.scale, 30)
    # 150 DIP under the finger; then 750 DIP/s, of which 0.998 are left after each millisecond, until it is all but at
    # rest.
    moved = double.to_screen([fling.centre])[0] - double.anchor
    assert moved[1] == pytest.approx(0, abs=0.01)
    assert -moved[0] == pytest.approx(150 - 0.75 / math.log(0.998), abs=12)
    near(cameras["Twist, and snap to north"], fling.centre, double.scale, 0)
    near(cameras["Fly back to the envelope"], *fitted(example, 20), 0)


def test_a_turned_view_is_smaller_than_its_envelope(steps, example):
    width, height = example.SIZE
    for title, (_, _, camera, share, _) in steps.items():
        sine, cosine = (function(math.radians(camera.rotation_deg)) for function in (math.sin, math.cos))
        expected = width * height / ((width * cosine + height * sine) * (width * sine + height * cosine))
        assert share == pytest.approx(expected, abs=1e-6), title
    assert steps["Rotate by 30 degrees"][3] < 0.54


def panel(run, example, number):
    """A panel of the picture: of each DIP its top left pixel."""
    density = example.drawing.DENSITY
    left, top, width, height = (density * length for length in (*example.make_sheet().origin(number - 1), *example.SIZE))
    return run[1][top : top + height : density, left : left + width : density]


def outlines(path, where="1 = 1"):
    """The geometries of a file in Web Mercator, as GDAL reads them."""
    source = ogr.Open(str(path))
    layer = source.GetLayer(0)
    layer.SetAttributeFilter(where)
    return [transform(TO_MERCATOR.transform, wkb.loads(bytes(feature.GetGeometryRef().ExportToWkb()))).buffer(0)
            for feature in layer]


def test_pictures_show_land_and_water(run, steps, example):
    drawing = example.drawing
    world = EXAMPLE.parent / "world_identify" / "data"
    lands = outlines(world / "countries.fgb", "name NOT IN ('Canada', 'United States of America')")
    lands += outlines(drawing.DATA / "states.fgb")
    lakes = unary_union(outlines(world / "lakes.fgb"))
    coasts = unary_union([land.boundary for land in lands])
    for title, (number, _, camera, _, _) in steps.items():
        picture, checked, colours = panel(run, example, number), 0, set()
        frame = shapely.geometry.Polygon(camera.to_map([(0, 0), (400, 0), (400, 320), (0, 320)]))
        near_lands = unary_union([land.buffer(0).intersection(frame) for land in lands if land.intersects(frame)])
        near_coasts = coasts.union(lakes.boundary).intersection(frame)
        for x in range(5, 400, 13):
            for y in range(5, 320, 13):
                place = shapely.geometry.Point(camera.to_map([(x + 0.5, y + 0.5)])[0])
                colour = tuple(picture[y, x])
                # Marks of fingers, the scale bar, the envelope's dashes and the point lie over the map.
                is_map = colour in (drawing.LAND, drawing.WATER)
                if not is_map or near_coasts.distance(place) < 2 * camera.units_per_dip:
                    continue
                is_land = near_lands.contains(place) and not lakes.contains(place)
                assert colour == (drawing.LAND if is_land else drawing.WATER), (title, x, y)
                checked += 1
                colours.add(colour)
        assert checked > 500, title
        if title in ("Begin", "Zoom to the envelope", "Fly back to the envelope", "Pinch, the fingers together"):
            assert len(colours) == 2, title


def test_pictures_show_the_point_and_the_envelope(run, steps, example):
    shown = 0
    for title, (number, _, camera, _, _) in steps.items():
        picture = panel(run, example, number)
        x, y = camera.to_screen([TO_MERCATOR.transform(*example.POINT)])[0]
        if 5 < x < 395 and 5 < y < 315:
            shown += 1
            assert numpy.abs(picture[int(y), int(x)] - example.RED).max() < 8, title
    assert shown >= 5
    number, _, camera, _, _ = steps["Fly back to the envelope"]
    west, south, east, north = example.ENVELOPE
    corners = [(west, south), (west, north), (east, north), (east, south), (west, south)]
    ring = shapely.geometry.LineString(camera.to_screen([TO_MERCATOR.transform(*corner) for corner in corners]))
    assert ring.bounds[1] == pytest.approx(20, abs=0.01) and ring.bounds[3] == pytest.approx(300, abs=0.01)
    along = numpy.array([ring.interpolate(place).coords[0] for place in numpy.arange(0.5, ring.length, 1)]).astype(int)
    found = panel(run, example, number)[along[:, 1], along[:, 0]]
    # Dashes of 4 widths and gaps of 3, with smooth edges.
    assert (found[:, 0] < 130).mean() == pytest.approx(4 / 7, abs=0.12)


def test_the_scale_bar_is_as_long_as_it_says(run, steps, example):
    for title, (number, _, camera, _, length) in steps.items():
        row = panel(run, example, number)[example.SIZE[1] - 14]
        dark = numpy.flatnonzero(numpy.abs(row - example.drawing.INK).max(axis=1) < 12)
        dark = dark[dark > 250]
        assert dark[-1] - dark[0] == len(dark) - 1, title
        y = example.SIZE[1] - 14
        ends = camera.to_map(numpy.column_stack([numpy.linspace(dark[0], dark[-1] + 1, 200), numpy.full(200, y)]))
        measured = GEOD.line_length(*TO_WGS84.transform(*ends.T))
        # Pixels begin and end within one of where the line does.
        assert measured == pytest.approx(length, rel=1.5 / len(dark)), title


def test_the_log_plays_again(run, steps, runtime):
    import alidade

    view = alidade.View(alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857)), 10, 10)
    view.replay(run[2])
    camera = steps["Fly back to the envelope"][2]
    assert view.state.scale == pytest.approx(camera.scale, rel=1e-9)
    assert view.state.center == pytest.approx(camera.centre, abs=0.2)
    assert (view.state.width_dip, view.state.rotation_deg) == (400, 0)

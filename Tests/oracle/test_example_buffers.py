"""
The example with buffers: what it prints, the features that it writes and what it draws, against pyproj and shapely.

Nothing here is asked of the library: the script of taps is played with shapely's circles in the plane of EPSG:32038, a
mile being 1609.344 m and the US survey foot 1200 / 3937 m.
"""
import json
import os
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
from shapely.geometry import Point, Polygon, box, shape
from shapely.ops import transform, unary_union

from camera import Camera, metres_per_unit

EXAMPLE = ROOT / "examples" / "buffers"
MILE = 1609.344 * 3937 / 1200
REFERENCE = pyproj.CRS.from_epsg(32038)
TO_MAP = pyproj.Transformer.from_crs(4326, 32038, always_xy=True)


@pytest.fixture(scope="module")
def example():
    """The program as a module: for its sizes, colours and the layout of its sheet."""
    sys.path.insert(0, str(EXAMPLE))
    try:
        import buffers

        yield buffers
    finally:
        sys.path.remove(str(EXAMPLE))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The lines that the program prints, its picture and its features."""
    import alidade

    folder = tmp_path_factory.mktemp("buffers")
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(alidade.__file__)))
    command = [sys.executable, "-B", EXAMPLE / "buffers.py", "--output", folder / "picture.png",
               "--geojson", folder / "features.geojson"]
    result = subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE)
    lines = [line.split(" | ") for line in result.stdout.splitlines()]
    pixels = numpy.asarray(Image.open(folder / "picture.png").convert("RGB")).astype(int)
    return lines, pixels, json.loads((folder / "features.geojson").read_text())


@pytest.fixture(scope="module")
def camera(example):
    return Camera(TO_MAP.transform(*example.CENTRE), example.SCALE, 0.0, example.SIZE,
                  metres_per_unit=metres_per_unit(REFERENCE))


@pytest.fixture(scope="module")
def played(run, camera, example):
    """The points and radii after each step, by the printed words of the steps alone."""
    boundary = Polygon(numpy.column_stack(TO_MAP.transform(*numpy.array(example.BOUNDARY).T)))
    points, past, radius, is_union, states = [], [], None, False, []
    for step, *_ in run[0]:
        before = points
        if step.startswith("Tap (") and radius is not None:
            place = camera.to_map([[float(part) for part in step[5:-1].split(",")]])[0]
            if boundary.contains(Point(place)):
                points = [*points, (place, radius)]
        elif step.startswith("Enter"):
            try:
                entered = float(step[7:-1])
            except ValueError:
                entered = 0.0
            radius = entered if 0 < entered < 300 else radius
        elif step == "Union on":
            is_union = not is_union
        elif step == "Clear":
            points = []
        if step == "Undo":
            points = past.pop()
        elif points != before:
            past.append(before)
        states.append((points, is_union))
    return states


def test_points_and_buffers_are_counted(run, played):
    for (step, points, buffers, status), (state, is_union) in zip(run[0], played):
        wanted = 1 if is_union and state else len(state)
        assert (int(points), int(buffers)) == (len(state), wanted), step


def test_what_is_refused_is_said_with_its_reason(run):
    said = {step: status for step, _, _, status in run[0]}
    assert "not a number" in said["Enter 'fifty'"]
    for text in ("0", "300", "-20", "nan"):
        assert "more than 0 and less than 300" in said[f"Enter '{text}'"] and text in said[f"Enter '{text}'"]
    assert said["Tap (10, 10)"] == "Tap within the boundary."
    assert said["Tap before a radius"] == "Enter a radius in miles first."


def on_the_map(feature):
    return transform(TO_MAP.transform, shape(feature["geometry"]))


def test_features_are_the_union_of_shapelys_circles(run, played, example):
    by_overlay = {}
    for feature in run[2]["features"]:
        by_overlay.setdefault(feature["properties"]["overlay"], []).append(feature)
    points, is_union = played[-1]
    assert is_union and len(points) == 3
    assert {name: len(features) for name, features in by_overlay.items()} == {"buffers": 1, "boundary": 1, "points": 3}
    (united,) = by_overlay["buffers"]
    ours = on_the_map(united)
    # 16 segments to a quarter of a circle stay 1 - cos(pi / 64) of the radius inside it.
    theirs = unary_union([Point(place).buffer(radius * MILE, 256) for place, radius in points])
    assert ours.is_valid
    largest = max(radius for _, radius in points) * MILE
    assert ours.symmetric_difference(theirs).area < 1.3e-3 * largest * theirs.length
    assert len(shapely.get_parts(ours) if hasattr(shapely, "get_parts") else getattr(ours, "geoms", [ours])) == len(
        getattr(theirs, "geoms", [theirs]))
    for feature, (place, radius) in zip(by_overlay["points"], points):
        assert feature["properties"]["radius_miles"] == radius
        assert numpy.hypot(*(numpy.array(on_the_map(feature).coords[0]) - place)) < 0.01
    ring = by_overlay["boundary"][0]["geometry"]["coordinates"][0]
    assert {tuple(corner) for corner in ring} == set(example.BOUNDARY)


def states_and_words(camera, screen, drawing):
    """What lies on states' borders by GDAL, pyproj and shapely, and where the names of states and the scale bar are."""
    covered = (screen[..., 0] > screen[..., 0].max() - 110) & (screen[..., 1] > screen[..., 1].max() - 45)
    # The frame.
    covered[:2], covered[-2:], covered[:, :2], covered[:, -2:] = True, True, True, True
    for longitude, latitude in ((-97.3, 30.9), (-96.9, 35.2), (-103.55, 34.9)):
        x, y = camera.to_screen([TO_MAP.transform(longitude, latitude)])[0]
        covered |= (numpy.abs(screen[..., 0] - x) < 36) & (numpy.abs(screen[..., 1] - y) < 18)
    source = ogr.Open(str(drawing.DATA / "states.fgb"))
    for feature in source.GetLayer(0):
        outline = wkb.loads(bytes(feature.GetGeometryRef().ExportToWkb())).boundary.intersection(box(-110, 25, -85, 42))
        outline = transform(lambda x, y: camera.to_screen(numpy.column_stack(TO_MAP.transform(x, y))).T, outline)
        for part in getattr(outline, "geoms", [outline]):
            if part.is_empty or part.distance(box(0, 0, *screen[-1, -1])) > 2:
                continue
            for place in numpy.arange(0, part.length, 1.0):
                x, y = part.interpolate(place).coords[0]
                row, column = (int(value * drawing.DENSITY) for value in (y, x))
                covered[max(row - 5, 0) : max(row + 6, 0), max(column - 5, 0) : max(column + 6, 0)] = True
    return covered


def test_the_picture_shows_buffers_points_and_the_dashed_boundary(run, played, camera, example):
    kept = ["Tap (10, 10)", "Tap (290, 140)", "Union on", "Undo", "Clear", "Tap (300, 190)"]
    steps = [step for step, *_ in run[0]]
    drawing = example.drawing
    land, pixels, density = numpy.array(drawing.LAND), run[1], drawing.DENSITY
    yellow = land * 0.4 + numpy.array(example.YELLOW_60[:3]) * 0.6
    screen = numpy.stack(numpy.meshgrid(*(numpy.arange(0.25, length, 0.5) for length in example.SIZE)), axis=-1)
    border = Polygon(camera.to_screen(numpy.column_stack(TO_MAP.transform(*numpy.array(example.BOUNDARY).T))))
    drawn_over = states_and_words(camera, screen, drawing)
    for number, step in enumerate(kept):
        points, is_union = played[steps.index(step)]
        left, top = (int(length * density) for length in example.make_sheet().origin(number))
        width, height = (int(length * density) for length in example.SIZE)
        panel = pixels[top : top + height, left : left + width]
        assert panel.shape[:2] == screen.shape[:2]
        depths, at_points, labels = [], numpy.zeros(panel.shape[:2], bool), drawn_over.copy()
        for place, radius in points:
            middle = camera.to_screen([place])[0]
            distance = numpy.hypot(*numpy.moveaxis(screen - middle, -1, 0))
            depths.append(radius * MILE / camera.units_per_dip - distance)
            at_points |= distance < 4
            # Above the point its radius is written.
            drawn_over_point = (numpy.abs(screen[..., 0] - middle[0]) < 24) & (numpy.abs(screen[..., 1] - middle[1] + 14) < 10)
            labels |= drawn_over_point
            assert (panel[distance < 4] == example.RED).all()
            assert not (panel[numpy.abs(distance - 6.5) < 0.5] == example.RED).all(axis=-1).any()
        near_border = numpy.zeros(panel.shape[:2], bool)
        for row in range(0, height, 4):
            for column in range(0, width, 4):
                near_border[row : row + 4, column : column + 4] = border.exterior.distance(
                    Point(screen[min(row + 2, height - 1), min(column + 2, width - 1)])) < 6
        plain = ~near_border & ~at_points & ~labels
        if not points:
            assert numpy.abs(panel[plain] - land).max() <= 1
            continue
        depths = numpy.array(depths)
        deepest = numpy.sort(depths, axis=0)
        # Well inside one circle and well outside of the others, and away from its point: one layer of yellow.
        single = plain & (deepest[-1] > 4) & ((deepest[-2] < -4) if len(points) > 1 else True)
        single &= ~numpy.any([numpy.hypot(*numpy.moveaxis(screen - camera.to_screen([p])[0], -1, 0)) < 8
                              for p, _ in points], axis=0)
        assert numpy.abs(panel[single] - yellow).max() <= 2
        assert numpy.abs(panel[plain & (deepest[-1] < -4)] - land).max() <= 1
        # In the middle of the outline, away from other circles: green.
        edge = plain & (numpy.abs(deepest[-1]) < 0.4) & ((deepest[-2] < -6) if len(points) > 1 else True)
        assert edge.sum() > 50
        assert numpy.abs(panel[edge] - example.GREEN).max() <= 90 and (panel[edge][:, 1] > 90).all()
        both = plain & (deepest[-2] > 4) if len(points) > 1 else numpy.zeros_like(plain)
        both &= ~numpy.any([numpy.hypot(*numpy.moveaxis(screen - camera.to_screen([p])[0], -1, 0)) < 8
                            for p, _ in points], axis=0)
        if both.any():
            twice = yellow * 0.4 + numpy.array(example.YELLOW_60[:3]) * 0.6
            inner = panel[both & (numpy.abs(depths).min(axis=0) > 4)]
            assert numpy.abs(inner - (yellow if is_union else twice)).max() <= 2
        # Dashes of 20 DIP and gaps of 15 along the boundary.
        ring = border.exterior
        along = numpy.array([ring.interpolate(place).coords[0] for place in numpy.arange(0.5, ring.length, 1.0)])
        found = panel[(along[:, 1] * 2).astype(int), (along[:, 0] * 2).astype(int)]
        is_red = (numpy.abs(found - example.RED).max(axis=1) <= 8).mean()
        assert is_red == pytest.approx(20 / 35, abs=0.06)

#!/usr/bin/python3
"""Plays the game of examples/love in Xvfb, and compares what it shows with GDAL, OGR and formulas.

    game.py [--keep DIR]

Mercator and the camera are computed here; heights and names come from GDAL and OGR; pictures are read with Pillow. The
game reports the colours that it gave the engine. --keep leaves the pictures in a folder. Prints, last, "N passed, N
failed".
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy
from osgeo import gdal, ogr
from PIL import Image

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
DATA = ROOT / "examples" / "world_identify" / "data"
sys.path.insert(0, str(ROOT / "Tests" / "abi" / "harness"))

import toolbox  # noqa: E402

gdal.UseExceptions()
ogr.UseExceptions()
RADIUS = 6378137.0
WIDTH, HEIGHT, BAR = 900, 640, 26
# The middle of what the bar at the top leaves free: what the camera looks at.
ANCHOR = (WIDTH / 2, (BAR + HEIGHT) / 2)
BOX_COLOR = (33, 38, 48)


def mercator(longitude: float, latitude: float) -> numpy.ndarray:
    angle = math.radians(latitude)
    return numpy.array([RADIUS * math.radians(longitude), RADIUS * math.asinh(math.tan(angle))])


class Camera:
    """A state of the view: which map point is at a screen point, and the other way round."""

    def __init__(self, state: dict) -> None:
        self.center = numpy.array(state["center"])
        self.scale, self.rotation = state["scale"], state["rotation"]
        self.units = self.scale * 0.0254 / 96

    def _axes(self) -> tuple[numpy.ndarray, numpy.ndarray]:
        """What lies to the right and what lies up on the screen. The rotation is the direction that is up."""
        angle = math.radians(self.rotation)
        return numpy.array([math.cos(angle), -math.sin(angle)]), numpy.array([math.sin(angle), math.cos(angle)])

    def to_map(self, x: float, y: float) -> numpy.ndarray:
        right, up = self._axes()
        return self.center + self.units * ((x - ANCHOR[0]) * right - (y - ANCHOR[1]) * up)

    def to_screen(self, point: numpy.ndarray) -> numpy.ndarray:
        right, up = self._axes()
        offset = (point - self.center) / self.units
        return numpy.array([ANCHOR[0] + offset @ right, ANCHOR[1] - offset @ up])


@dataclass
class Feature:
    name: str
    people: int
    # The points of its rings, or its only point.
    paths: list[list[tuple[float, float]]]


def features(name: str, where: str | None = None) -> list[Feature]:
    """What OGR reads from a file."""
    source = ogr.Open(str(DATA / f"{name}.fgb"))
    layer = source.GetLayer()
    layer.SetAttributeFilter(where)
    return [
        Feature(found["name"], int(found["pop_max" if name == "cities" else "pop_est"]), paths_of(found.GetGeometryRef()))
        for found in layer
    ]


def paths_of(shape: ogr.Geometry) -> list[list[tuple[float, float]]]:
    if shape.GetGeometryCount() == 0:
        return [[(x, y) for x, y, *_ in shape.GetPoints()]]
    return [path for index in range(shape.GetGeometryCount()) for path in paths_of(shape.GetGeometryRef(index))]


class Heights:
    def __init__(self) -> None:
        raster = gdal.Open(str(DATA / "elevation.tif"))
        self.inverse = gdal.InvGeoTransform(raster.GetGeoTransform())
        self.values = raster.ReadAsArray()

    def at(self, point: numpy.ndarray) -> float | None:
        """The stored height at a point in Web Mercator; None outside of the world."""
        longitude = math.degrees(point[0] / RADIUS)
        latitude = math.degrees(math.atan(math.sinh(point[1] / RADIUS)))
        column, row = gdal.ApplyGeoTransform(self.inverse, longitude, latitude)
        if not (0 <= column < self.values.shape[1] and 0 <= row < self.values.shape[0]):
            return None
        return float(self.values[int(row), int(column)])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path)
    keep = parser.parse_args().keep
    report = toolbox.Report()
    with tempfile.TemporaryDirectory() as folder:
        output = keep or Path(folder)
        output.mkdir(parents=True, exist_ok=True)
        game = ["love", str(ROOT / "examples" / "love"), "--data", str(DATA), "--script", str(HERE / "play.txt")]
        screen = ["xvfb-run", "--auto-servernum", "--server-args", "-screen 0 1280x1024x24"]
        os.chdir(ROOT)
        environment = {"LIBGL_ALWAYS_SOFTWARE": "1", "SDL_VIDEODRIVER": "x11"}
        ran = toolbox.run([*screen, *game, "--output", str(output)], seconds=180, environment=environment)
        compare(report, ran, output)
    return report.finish()


def compare(report: toolbox.Report, ran: toolbox.Outcome, output: Path) -> None:
    """What a program wrote and drew that played the script. The demo for Godot shows the same map."""
    if not report.check(ran.succeeded, "the game runs to the end of the script", ran.output):
        return
    lines = [json.loads(line) for line in ran.output.splitlines() if line.startswith("{")]
    states = {line["label"]: line for line in lines}
    pictures = {path.stem: numpy.asarray(Image.open(path).convert("RGB")) for path in output.glob("*.png")}
    heights = Heights()
    moves(report, states)
    taps(report, states, heights, pictures["city"])
    for name in ("start", "zoomed", "turned"):
        colors(report, name, pictures[name], Camera(states[name]), states["relief"], heights)
    shapes(report, pictures["start"], Camera(states["start"]))
    for name, state in states.items():
        if "engine_ms" in state:
            print(f"{name}: the engine's part of a frame, {state['engine_ms'][0]:.2f} ms (p50), {state['engine_ms'][1]:.2f} (p99)")


def near(a: object, b: object, tolerance: float) -> bool:
    return bool(numpy.all(numpy.abs(numpy.subtract(a, b)) <= tolerance))


def moves(report: toolbox.Report, states: dict) -> None:
    """Where the gestures of the script must lead."""
    start, dragged, flung, rested, zoomed, turned = (
        Camera(states[name]) for name in ("start", "dragged", "flung", "rested", "zoomed", "turned")
    )
    report.check(near(start.center, mercator(12, 44), 1e-3), f"the start is at 12 E 44 N, not at {start.center}")
    # What was under the finger stays under it.
    report.check(near(dragged.to_map(420, 260), start.to_map(300, 300), 0.01), "a drag keeps what is under the finger")
    slid = (dragged.to_map(300, 300) - rested.to_map(420, 260)) / dragged.units
    direction = numpy.array([-120.0, -40.0])
    print(f"the fling slides on by {numpy.hypot(*slid):.0f} DIP")
    report.check(numpy.hypot(*(flung.center - rested.center)) > 10 * flung.units, "a fling goes on after the finger")
    cosine = slid @ -direction / numpy.hypot(*slid) / numpy.hypot(*direction)
    report.check(cosine > 0.99, f"a fling slides on as the finger moved, not {slid}")
    report.check(near(zoomed.scale, rested.scale / 4, 1e-6 * rested.scale), f"two notches: {rested.scale / zoomed.scale}")
    report.check(near(zoomed.to_map(250, 200), rested.to_map(250, 200), 0.01), "the wheel keeps what is under the pointer")
    # The finger and its opposite turned clockwise by so much; the map turns with them, so less east is up.
    before, after = (numpy.subtract(place, ANCHOR) for place in ((700, 330), (650, 500)))
    angle = math.degrees(math.atan2(after[1], after[0]) - math.atan2(before[1], before[0]))
    change = (zoomed.rotation - turned.rotation) % 360
    report.check(abs(change - angle) < 4, f"two fingers turn the map by {angle:.1f} degrees, not by {change:.1f}")
    report.check(near(turned.center, zoomed.center, 0.01 * zoomed.units), "opposite fingers keep the middle")


def taps(report: toolbox.Report, states: dict, heights: Heights, picture: numpy.ndarray) -> None:
    """A tap on a city and a tap on the sea: what is said, and where it is drawn."""
    (vienna,) = features("cities", "name = 'Vienna'")
    camera, callout = Camera(states["city"]), states["city"]["callout"]
    report.check(callout is not None and callout["title"] == vienna.name, f"a tap on Vienna says {callout}")
    report.check(f"{vienna.people:,}" in callout["text"], f"the number of its people: {callout['text']}")
    place = camera.to_screen(mercator(*vienna.paths[0][0]))
    report.check(near(callout["tip"], place, 1e-3), f"the tip of the callout is at {callout['tip']}, Vienna at {place}")
    left, top, right, bottom = callout["box"]
    inside = picture[math.ceil(top) + 6 : int(bottom) - 6, math.ceil(left) + 1 : int(right) - 1].reshape(-1, 3)
    dark = numpy.all(numpy.abs(inside.astype(int) - BOX_COLOR) <= 3, axis=1).mean()
    light = (inside.min(axis=1) > 200).mean()
    report.check(dark > 0.6 and light > 0.01, f"the box is {dark:.0%} dark and has {light:.1%} of letters")
    # Just outside of each side nothing of the box is left. Below lies the leader; its shadow is at the right.
    outside = {
        "left": picture[int(top) + 8 : int(bottom) - 8, math.floor(left) - 2],
        "above": picture[math.floor(top) - 2, int(left) + 8 : int(right) - 8],
        "right": picture[int(top) + 8 : int(bottom) - 8, math.ceil(right) + 4],
    }
    for side, pixels in outside.items():
        covered = numpy.all(numpy.abs(pixels.astype(int) - BOX_COLOR) <= 3, axis=1).mean()
        report.check(covered < 0.05, f"the box does not reach beyond its {side} side ({covered:.0%})")
    # The leader: halfway between the tip and the box it is as dark as the box.
    middle = picture[int((place[1] + bottom) / 2), int(place[0])]
    report.check(near(middle.astype(int), BOX_COLOR, 3), f"the leader at {place} is {middle}")
    sea = states["sea"]["callout"]
    height = heights.at(Camera(states["sea"]).to_map(300, 420))
    report.check(height is not None and height < 0 and sea["title"] == f"{-height:.0f} m", f"{height} m: {sea}")
    report.check(sea["text"] == "below sea level" and near(sea["tip"], (300, 420), 1e-6), f"the sea says {sea}")


def colors(
    report: toolbox.Report, name: str, picture: numpy.ndarray, camera: Camera, relief: dict, heights: Heights
) -> None:
    """Pixels against the colours of the heights that GDAL reads. Lines, markers and names cover some of them."""
    ramp = numpy.array(relief["ramp"], float)
    right, wrong = 0, []
    for y in range(BAR + 4, HEIGHT, 9):
        for x in range(4, WIDTH, 9):
            in_panel = (x < 200 and y > HEIGHT - 60) or (x > WIDTH - 70 and y < 100)
            # A pixel on the edge of a cell may belong to either.
            around = {heights.at(camera.to_map(x + 0.5 + dx, y + 0.5 + dy)) for dx in (-0.01, 0.01) for dy in (-0.01, 0.01)}
            height = around.pop()
            if in_panel or around or height is None:
                continue
            part = (height - relief["minimum"]) / (relief["maximum"] - relief["minimum"]) * (len(ramp) - 1)
            part = min(max(part, 0), len(ramp) - 1)
            low = min(int(part), len(ramp) - 2)
            expected = ramp[low] + (part - low) * (ramp[low + 1] - ramp[low])
            if near(picture[y, x].astype(float), expected, 1.01):
                right += 1
            else:
                wrong.append((x, y))
    share = right / (right + len(wrong))
    print(f"{name}: {right} of {right + len(wrong)} pixels have the colour of their height ({share:.1%})")
    # Over the sea nothing is drawn; over Europe there are borders, cities and names.
    least = 0.85 if name == "start" else 0.999
    report.check(share >= least and right > 3000, f"{name}: {share:.1%} of the pixels are right", str(wrong[:20]))


def shapes(report: toolbox.Report, picture: numpy.ndarray, camera: Camera) -> None:
    """Borders and cities, where OGR says that they are."""
    found = looked = 0
    for country in features("countries"):
        for path in country.paths:
            places = [camera.to_screen(mercator(x, max(-85.0, min(85.0, y)))) for x, y in path]
            for a, b in zip(places, places[1:]):
                x, y = (a + b) / 2
                if 5 < x < WIDTH - 75 and BAR + 5 < y < HEIGHT - 60:
                    around = picture[int(y) - 1 : int(y) + 2, int(x) - 1 : int(x) + 2].astype(int)
                    looked += 1
                    found += bool(around.sum(axis=2).min() < 330)
    print(f"{found} of {looked} segments of borders are drawn in the middle")
    report.check(looked > 200 and found >= 0.9 * looked, f"borders: {found} of {looked}")
    found = looked = 0
    for city in features("cities", "rank_max > 11"):
        x, y = camera.to_screen(mercator(*city.paths[0][0]))
        if 5 < x < WIDTH - 75 and BAR + 5 < y < HEIGHT - 60:
            looked += 1
            found += bool(picture[int(y), int(x)].min() > 235)
    print(f"{found} of {looked} large cities are white disks")
    report.check(looked > 15 and found >= 0.9 * looked, f"cities: {found} of {looked}")


if __name__ == "__main__":
    sys.exit(main())

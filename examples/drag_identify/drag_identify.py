#!/usr/bin/python3
"""Drags a finger over a raster at 120 points per second and identifies the cells under it without blocking the finger.

    drag_identify.py --data ../quickstart/data --seconds 2

Each point begins a request that replaces the older requests, so that the newest point wins. The loop sleeps until the
next point is due or the library has an event. Prints a line per result: the number of the point, its screen position,
column and row of the cell, and the height in metres. The last line counts the identified and the replaced points.
"""
import argparse
import math
import select
import sys
import time
from pathlib import Path

import alidade

RATE = 120  # points a second: what a touch screen sends
SIZE = (800, 600)  # of the view, in logical pixels
DRAG = 1  # any number but 0: requests with the same one replace each other


def make_view(runtime, folder):
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    layer = alidade.RasterLayer(alidade.Raster(runtime, folder / "Shasta_Elevation.tif"))
    map.add_layer(layer)
    map.set_initial_location(latitude_deg=40.7624, longitude_deg=-122.1621, scale=72_000)
    return alidade.View(map, *SIZE), layer


def finger(number):
    """The position of the finger, which draws a spiral."""
    angle, radius = number / 20, 40 + number / 3 % 200
    return 400 + radius * math.cos(angle), 300 + radius * math.sin(angle)


class Drag:
    """Begins a request for each point, and prints the results as they arrive."""

    def __init__(self, view, layer):
        self.view, self.layer = view, layer
        self.begun = self.answered = self.overtaken = 0

    def move(self):
        number, point = self.begun, finger(self.begun)
        self.begun += 1
        # The library keeps the request until it has called back.
        self.view.identify_layer_async(
            self.layer, point, replace_key=DRAG, on_done=lambda request: self.tell(number, point, request))

    def tell(self, number, point, request):
        if request.state is alidade.runtime.RequestState.CANCELLED:
            self.overtaken += 1
            return
        self.answered += 1
        with request.result() as result:
            found = "outside the raster"
            for element in result:
                cell = element.cell
                found = f"{cell.column:4d} {cell.row:4d}  {element['Band 1']:.2f}"
            print(f"{number:4d}  {point[0]:8.3f} {point[1]:8.3f}  {found}")

    def is_idle(self):
        return self.answered + self.overtaken == self.begun


def run(runtime, drag, count):
    """The loop of a program that sleeps: it wakes up for the finger and for the library's events."""
    start = time.monotonic()
    while drag.begun < count or not drag.is_idle():
        due = start + drag.begun / RATE if drag.begun < count else time.monotonic() + 60
        readable, _, _ = select.select([runtime.wake_fd], [], [], max(0, due - time.monotonic()))
        if readable:
            runtime.pump()
            runtime.events()  # discards log lines, which this program does not use
        elif drag.begun < count:
            drag.move()


def main():
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=here.parent / "quickstart" / "data", help="the rasters' folder")
    parser.add_argument("--seconds", type=float, default=2, help="how long the finger moves")
    arguments = parser.parse_args()
    try:
        with alidade.Runtime() as runtime:
            drag = Drag(*make_view(runtime, arguments.data))
            run(runtime, drag, round(arguments.seconds * RATE))
    except alidade.AlidadeError as error:
        print(f"{error.status.name}: {error}", file=sys.stderr)
        return 1
    print(f"{drag.begun} points: {drag.answered} identified, {drag.overtaken} replaced")
    return 0


if __name__ == "__main__":
    sys.exit(main())

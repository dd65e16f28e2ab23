#!/usr/bin/python3
"""Drags a finger over a raster at 120 points per second and identifies the cells under it without blocking the finger.

    drag_identify.py [--seconds 2] [--output drag_identify.png]

Each point begins a request that replaces the older requests, so that the newest point wins. The loop sleeps until the
next point is due or the library has an event. Prints a line per result: the number of the point, its screen position,
column and row of the cell, and the height in metres. The last line counts the identified and the replaced points. The
picture has all of them. It runs in the quickstart's environment:
.build/venv/bin/python3 examples/drag_identify/drag_identify.py
"""
import argparse
import math
import select
import sys
import time
from pathlib import Path

import alidade

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import drawing  # noqa: E402

RATE = 120  # points a second: what a touch screen sends
SIZE = (800, 600)  # of the view, in logical pixels
DRAG = 1  # any number but 0: requests with the same one replace each other
RELIEF = alidade.RasterRenderer(
    alidade.layers.RasterRendererKind.STRETCH, minimum=320, maximum=690,
    ramp=[(58, 110, 150, 255), (96, 150, 92, 255), (186, 190, 118, 255), (206, 164, 96, 255), (160, 112, 82, 255),
          (244, 240, 236, 255)])


def make_view(runtime, folder):
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    layer = alidade.RasterLayer(alidade.Raster(runtime, folder / "Shasta_Elevation.tif"))
    layer.renderer = RELIEF
    map.add_layer(layer)
    map.set_initial_location(latitude_deg=40.7624, longitude_deg=-122.1621, scale=40_000)
    return alidade.View(map, *SIZE, pixel_density=drawing.DENSITY), layer


def finger(number):
    """The position of the finger, which draws a spiral."""
    angle, radius = number / 20, 40 + number / 3 % 200
    return 400 + radius * math.cos(angle), 300 + radius * math.sin(angle)


class Drag:
    """Begins a request for each point, and prints the results as they arrive."""

    def __init__(self, view, layer):
        self.view, self.layer = view, layer
        self.begun, self.answered, self.overtaken = 0, [], []

    def move(self):
        number, point = self.begun, finger(self.begun)
        self.begun += 1
        # The library keeps the request until it has called back.
        self.view.identify_layer_async(
            self.layer, point, replace_key=DRAG, on_done=lambda request: self.tell(number, point, request))

    def tell(self, number, point, request):
        if request.state is alidade.runtime.RequestState.CANCELLED:
            self.overtaken.append(point)
            return
        self.answered.append(point)
        with request.result() as result:
            found = "outside the raster"
            for element in result:
                cell = element.cell
                found = f"{cell.column:4d} {cell.row:4d}  {element['Band 1']:.2f}"
            print(f"{number:4d}  {point[0]:8.3f} {point[1]:8.3f}  {found}")

    def is_idle(self):
        return len(self.answered) + len(self.overtaken) == self.begun


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


def draw(drag):
    """The path of the finger: which points were identified, and which ones newer points replaced."""
    left, top, (width, height) = drawing.MARGIN, drawing.Sheet.HEADER, SIZE
    sheet = drawing.Sheet(
        width + 2 * left, top + height + 84, f"{len(drag.answered)} of {drag.begun} points identified while the finger moves",
        f"{RATE} points a second. Where a newer point came before an older one was looked up, the newer one replaced it.")
    axes = sheet.map(drag.view, left, top)
    drawing.line(axes, [finger(number) for number in range(drag.begun)], drawing.WHITE, 1)
    for points, color, words in ((drag.overtaken, drawing.FRAME, "replaced"), (drag.answered, drawing.FINGER, "identified")):
        axes.plot(*zip(*points) if points else ((), ()), "o", color=drawing.rgb(color), markeredgecolor="white",
                  markeredgewidth=0.6, markersize=4.5, zorder=drawing.ABOVE, label=f"{len(points)} {words}")
    axes.legend(loc="upper right", bbox_to_anchor=(1.01, -0.01), ncol=2, frameon=False, fontsize=8)
    drawing.scale_bar(axes, drag.view)
    drawing.north_arrow(axes, drag.view)
    sheet.colour_bar(left, top + height + 20, 300, 10, RELIEF.ramp, RELIEF.minimum, RELIEF.maximum, "metres above sea level")
    return sheet


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=HERE.parent / "quickstart" / "data", help="the rasters' folder")
    parser.add_argument("--seconds", type=float, default=2, help="how long the finger moves")
    parser.add_argument("--output", type=Path, default=Path("drag_identify.png"), help="the picture")
    arguments = parser.parse_args()
    try:
        with alidade.Runtime() as runtime:
            drag = Drag(*make_view(runtime, arguments.data))
            run(runtime, drag, round(arguments.seconds * RATE))
            draw(drag).save(arguments.output)
    except alidade.AlidadeError as error:
        print(f"{error.status.name}: {error}", file=sys.stderr)
        return 1
    print(f"{drag.begun} points: {len(drag.answered)} identified, {len(drag.overtaken)} replaced")
    print(f"The picture is {arguments.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

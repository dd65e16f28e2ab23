#!/usr/bin/python3
"""Moves a view by calls, fingers and time. Prints the events and draws a picture of each step over coastlines.

    navigation.py [--output navigation.png] [--log navigation.log]

The program zooms a view to an envelope, centres it at a point and rotates it. Then two fingers pinch, one taps twice,
one flings the map, two twist it, and at last the view flies back. Time is simulated, at 60 frames per second. The log
that the program writes can be replayed, bit for bit. It runs in the quickstart's environment:
.build/venv/bin/python3 examples/navigation/navigation.py
"""
import argparse
import math
import sys
from pathlib import Path

import alidade
from alidade.navigation import TouchPhase
from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "buffers"))
from painter import paint  # noqa: E402

# Both in EPSG:4326: longitudes and latitudes.
ENVELOPE = (-124.83145667, 30.49849464, -113.91375495, 44.69150688)
POINT = (-93.032201, 49.636213)
SIZE, DENSITY = (400, 320), 1
# Seconds.
FRAME = 1 / 60

WATER, LAND, COAST = (214, 228, 236), (244, 240, 230), (118, 128, 120)
RED, BLUE, PAPER, INK, FAINT = (220, 40, 40), (30, 90, 200), (250, 249, 246), (38, 42, 48), (118, 122, 128)
COLUMNS, MARGIN, TITLE, FOOT = 3, 18, 24, 24


class App:
    """What an application needs in addition to Alidade: a frame loop, fingers and a way to draw."""

    def __init__(self, runtime):
        self.runtime, self.time, self.fingers = runtime, 0.0, {}
        self.wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
        self.map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
        self.map.set_initial_location(latitude_deg=35, longitude_deg=-100, scale=150_000_000)
        self.view = alidade.View(self.map, *SIZE, pixel_density=DENSITY)
        # The twist is the one gesture that is off unless asked for.
        self.view.set_interaction_options(alidade.navigation.InteractionOptions(alidade.navigation.InteractionFlags.TWIST))
        self.add((LAND, COAST), alidade.GeometryArray.from_geojson(
            runtime, (HERE / "data" / "countries_110m.geojson").read_text()))
        self.add(alidade.LineSymbol(BLUE, 2, alidade.graphics.LineStyle.DASH), self.envelope())
        self.add(alidade.MarkerSymbol(RED, 9), alidade.Geometry.from_coordinates(
            runtime, alidade.geometry.GeometryKind.POINT, [POINT], spatial_reference=self.wgs84))

    def add(self, symbol, geometries):
        if isinstance(symbol, tuple):
            symbol = alidade.FillSymbol(symbol[0], alidade.LineSymbol(symbol[1], 1))
        overlay = alidade.GraphicsOverlay(self.runtime, alidade.SimpleRenderer(symbol))
        self.view.add_overlay(overlay)
        overlay.add_many(geometries) if isinstance(geometries, alidade.GeometryArray) else overlay.add(geometries)

    def envelope(self):
        return alidade.Geometry.from_envelope(self.runtime, alidade.Envelope(*ENVELOPE), spatial_reference=self.wgs84)

    # Time

    def frame(self):
        """What a frame loop does: lets time pass and reads the events."""
        self.view.advance(FRAME)
        self.time += FRAME
        self.drain()

    def drain(self):
        for event in self.runtime.events():
            if isinstance(event, alidade.events.NavigationEvent):
                print(f"    {self.time:6.3f} s  {described(event)}")

    def rest(self):
        """Runs frames until nothing moves and nothing waits."""
        self.drain()
        while self.view.navigation_state.needs_time:
            self.frame()

    # Fingers

    def touch(self, finger, phase, place):
        self.fingers.setdefault(finger, []).append(place)
        self.view.handle_touch(finger, phase, place, self.time)

    def glide(self, paths, frames, hold=0):
        """Fingers come down at the start of their paths, move along them, stay, and are lifted, one step per frame."""
        for finger, path in paths.items():
            self.touch(finger, TouchPhase.BEGAN, path(0))
        for number in [*range(1, frames + 1), *[frames] * hold]:
            self.frame()
            for finger, path in paths.items():
                self.touch(finger, TouchPhase.MOVED, path(number / frames))
        for finger, path in paths.items():
            self.touch(finger, TouchPhase.ENDED, path(1))
        self.rest()

    # What happens

    def begin(self):
        """The map's initial viewpoint; from here on a log is kept."""
        self.view.start_recording()

    def zoom_to_envelope(self):
        self.view.zoom_to_envelope(ENVELOPE, self.wgs84)

    def center_at_point(self):
        self.view.set_viewpoint(POINT, self.wgs84)

    def rotate(self):
        self.view.set_viewpoint(rotation_deg=30)

    def pinch(self):
        """Two fingers, from 240 to 80 DIP apart. They stay for a moment, so that nothing slides on."""
        x, y = SIZE[0] / 2, SIZE[1] / 2
        self.glide({1: lambda part: (x - 120 + 80 * part, y), 2: lambda part: (x + 120 - 80 * part, y)}, 20, hold=12)

    def double_tap(self):
        for _ in range(2):
            self.touch(1, TouchPhase.BEGAN, (120, 220))
            self.frame()
            self.touch(1, TouchPhase.ENDED, (120, 220))
            for _ in range(4):
                self.frame()
        self.rest()

    def fling(self):
        """A finger that is still fast, 750 DIP/s, when it leaves."""
        self.glide({1: lambda part: (150 + 150 * part, 240)}, 12)

    def twist(self):
        """Two fingers turn by 25 degrees, clockwise: north is then near enough for the map to snap to it."""
        def on_circle(start):
            def place(part):
                angle = math.radians(start + 25 * part)
                return SIZE[0] / 2 + 90 * math.cos(angle), SIZE[1] / 2 + 90 * math.sin(angle)
            return place
        self.glide({1: on_circle(180), 2: on_circle(0)}, 25, hold=12)

    def fly_back(self):
        self.view.animate_to(geometry=self.envelope(), padding=20, fly=True)
        self.rest()

    # What comes out

    def picture(self):
        """What the user sees, with the paths of the fingers in red."""
        drawing = self.view.overlay_drawing()
        if drawing.failures:
            raise RuntimeError(f"not all can be drawn: {drawing.failures}")
        image = paint(drawing, Image.new("RGB", [int(length * DENSITY) for length in SIZE], WATER), DENSITY)
        draw = ImageDraw.Draw(image)
        for path in self.fingers.values():
            places = [(x * DENSITY, y * DENSITY) for x, y in path]
            draw.line(places, RED, 2 * DENSITY)
            for (x, y), radius in zip((places[0], places[-1]), (4 * DENSITY, 8 * DENSITY)):
                draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=RED, width=2 * DENSITY)
        bar = self.scale_bar()
        start, end = (tuple(value * DENSITY for value in place) for place in (bar.start_dip, bar.end_dip))
        draw.line([start, end], INK, 3 * DENSITY)
        draw.text((start[0], start[1] - 16 * DENSITY), str(bar), INK, font(10))
        return image

    def scale_bar(self):
        return self.view.scale_bar((SIZE[0] - 70, SIZE[1] - 12), 100)

    def line(self):
        state, box = self.view.state, self.view.envelope
        place = alidade.Geometry.from_coordinates(
            self.runtime, alidade.geometry.GeometryKind.POINT, [state.center], spatial_reference=self.map.spatial_reference)
        longitude, latitude = place.project(self.wgs84).geometry.xy[0]
        share = self.view.visible_area().area() / ((box.x_max - box.x_min) * (box.y_max - box.y_min))
        return (f"centre {longitude:.6f} {latitude:.6f} | 1 : {state.scale:.3f} | {state.rotation_deg:.3f} degrees | "
                f"the visible area is {share:.6f} of its envelope | {self.scale_bar()}")


def described(event):
    """An event as a line."""
    text = f"{type(event).__name__} {event.cause.name}"
    if event.cause is alidade.events.NavigationCause.GESTURE:
        text += f" {event.gesture.name}"
    if isinstance(event, alidade.events.NavigationEnded) and event.is_interrupted:
        text += " interrupted"
    if isinstance(event, alidade.events.GestureEvent):
        text += " at {:g} {:g}".format(*event.screen_point)
    return text


STEPS = [
    ("Begin", App.begin),
    ("Zoom to the envelope", App.zoom_to_envelope),
    ("Centre at the point", App.center_at_point),
    ("Rotate by 30 degrees", App.rotate),
    ("Pinch, the fingers together", App.pinch),
    ("Double tap", App.double_tap),
    ("Fling", App.fling),
    ("Twist, and snap to north", App.twist),
    ("Fly back to the envelope", App.fly_back),
]


def font(size):
    """DejaVu Sans if it is installed (Debian: fonts-dejavu-core), otherwise Pillow's own font."""
    try:
        return ImageFont.truetype("DejaVuSans.ttf", size * DENSITY)
    except OSError:
        return ImageFont.load_default()


def origin(number):
    """The top left pixel of a panel on the sheet."""
    row, column = divmod(number, COLUMNS)
    return ((MARGIN + column * (SIZE[0] + MARGIN)) * DENSITY,
            (TITLE + row * (SIZE[1] + TITLE + FOOT)) * DENSITY)


def sheet(panels):
    rows = math.ceil(len(panels) / COLUMNS)
    image = Image.new("RGB", ((MARGIN + COLUMNS * (SIZE[0] + MARGIN)) * DENSITY,
                              (rows * (SIZE[1] + TITLE + FOOT) + MARGIN) * DENSITY), PAPER)
    draw = ImageDraw.Draw(image)
    for number, (title, words, panel) in enumerate(panels):
        left, top = origin(number)
        image.paste(panel, (left, top))
        draw.text((left, top - 18 * DENSITY), f"{number + 1}  {title}", INK, font(11))
        draw.text((left, top + (SIZE[1] + 5) * DENSITY), " | ".join(words.split(" | ")[:3]), FAINT, font(10))
    return image


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("navigation.png"), help="the picture")
    parser.add_argument("--log", type=Path, default=Path("navigation.log"), help="the log of all inputs, for replay")
    arguments = parser.parse_args()
    panels = []
    with alidade.Runtime() as runtime:
        app = App(runtime)
        for number, (title, act) in enumerate(STEPS, start=1):
            print(f"{number} {title}")
            app.fingers = {}
            act(app)
            app.rest()
            print(f"    {app.line()}")
            panels.append((title, app.line(), app.picture()))
        arguments.log.write_text(app.view.stop_recording())
    sheet(panels).save(arguments.output)
    print(f"The picture is {arguments.output}, the log is {arguments.log}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

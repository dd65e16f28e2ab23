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

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import drawing  # noqa: E402

# Both in EPSG:4326: longitudes and latitudes.
ENVELOPE = (-124.83145667, 30.49849464, -113.91375495, 44.69150688)
POINT = (-93.032201, 49.636213)
SIZE = (400, 320)
# Seconds.
FRAME = 1 / 60

RED, BLUE = (220, 40, 40), (30, 90, 200)


class App:
    """What an application needs in addition to Alidade: a frame loop, fingers and a way to draw."""

    def __init__(self, runtime):
        self.runtime, self.time, self.fingers = runtime, 0.0, {}
        self.wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
        self.map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
        self.map.set_initial_location(latitude_deg=35, longitude_deg=-100, scale=150_000_000)
        drawing.add_base(self.map, runtime)
        self.view = alidade.View(self.map, *SIZE)
        # The twist is the one gesture that is off unless asked for.
        self.view.set_interaction_options(alidade.navigation.InteractionOptions(alidade.navigation.InteractionFlags.TWIST))
        self.add(alidade.LineSymbol(BLUE, 2, alidade.graphics.LineStyle.DASH), self.envelope())
        self.add(alidade.MarkerSymbol(RED, 9), alidade.Geometry.from_coordinates(
            runtime, alidade.geometry.GeometryKind.POINT, [POINT], spatial_reference=self.wgs84))

    def add(self, symbol, geometry):
        overlay = alidade.GraphicsOverlay(self.runtime, alidade.SimpleRenderer(symbol))
        self.view.add_overlay(overlay)
        overlay.add(geometry)

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

    def draw(self, sheet, number, title):
        """What the user sees, with the paths of the fingers in red."""
        shown = self.view.overlay_drawing()
        if shown.failures:
            raise RuntimeError(f"not all can be drawn: {shown.failures}")
        state, (longitude, latitude) = self.view.state, self.centre()
        where = f"centre {drawing.degrees(longitude, latitude, 2)}, rotated by {state.rotation_deg:.0f}°"
        axes = sheet.panel(number, title, [where], drawing.scale_text(state.scale), self.view, drawing.WATER)
        for path in self.fingers.values():
            drawing.finger(axes, path)
        drawing.scale_bar(axes, self.view)
        drawing.north_arrow(axes, self.view)

    def centre(self):
        """Longitude and latitude of the view's centre."""
        return self.map.spatial_reference.project([self.view.state.center], self.wgs84).points[0]

    def scale_bar(self):
        return self.view.scale_bar((SIZE[0] - 70, SIZE[1] - 12), 100)

    def line(self):
        state, box = self.view.state, self.view.envelope
        longitude, latitude = self.centre()
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


def make_sheet():
    return drawing.Grid(
        len(STEPS), SIZE, "A view is moved by calls, fingers and time", "Red: where fingers came down, went and were lifted "
        "(the large circle), and the point. Dashed: the envelope. Countries, states and lakes: Natural Earth.", lines=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("navigation.png"), help="the picture")
    parser.add_argument("--log", type=Path, default=Path("navigation.log"), help="the log of all inputs, for replay")
    arguments = parser.parse_args()
    sheet = make_sheet()
    with alidade.Runtime() as runtime:
        app = App(runtime)
        for number, (title, act) in enumerate(STEPS, start=1):
            print(f"{number} {title}")
            app.fingers = {}
            act(app)
            app.rest()
            print(f"    {app.line()}")
            app.draw(sheet, number - 1, title)
        arguments.log.write_text(app.view.stop_recording())
    sheet.save(arguments.output)
    print(f"The picture is {arguments.output}, the log is {arguments.log}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

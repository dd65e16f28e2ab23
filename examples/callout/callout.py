#!/usr/bin/python3
"""Callouts over a raster: a long press, a drag and two taps, and a picture of the screen after each step.

    callout.py --data ../quickstart/data --output callout.png

Alidade identifies the cells, stores the callout's anchor and text, and lays out its box and leader. This program
measures the text and draws. It runs in the quickstart's environment.
"""
import argparse
import sys
from pathlib import Path

import alidade
from matplotlib.patches import Rectangle

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import drawing  # noqa: E402

# The view, and a bar and a panel of the host's own over it.
SIZE = (400, 310)
INSETS = alidade.Insets(top_dip=34, left_dip=56)
PADDING = 8
BAR = (52, 60, 70)

RELIEF = alidade.RasterRenderer(
    alidade.layers.RasterRendererKind.STRETCH, minimum=320, maximum=690,
    ramp=[(58, 110, 150, 255), (96, 150, 92, 255), (186, 190, 118, 255), (206, 164, 96, 255), (160, 112, 82, 255),
          (244, 240, 236, 255)])
OPTIONS = alidade.callouts.CalloutOptions(leader_length_dip=9, leader_width_dip=14, margin_dip=4)


class App:
    """What an application needs in addition to Alidade: gestures, a font and a way to draw."""

    def __init__(self, runtime, folder):
        map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
        self.layer = alidade.RasterLayer(alidade.Raster(runtime, folder / "Shasta_Elevation.tif"))
        self.layer.renderer = RELIEF
        map.add_layer(self.layer)
        map.set_initial_location(latitude_deg=40.7624, longitude_deg=-122.1626, scale=72_000)
        self.view = alidade.View(map, *SIZE, pixel_density=drawing.DENSITY)
        self.view.set_insets(INSETS)
        self.callout = alidade.Callout(self.view, OPTIONS)
        self.words, self.measured = "", None

    # Gestures

    def drag(self, finger):
        """A long press, and each move of the finger after it."""
        with self.view.identify_layer(self.layer, finger) as result:
            action = self.callout.drag_to(finger, result)
            self.say(result)
        return action

    def tap(self, finger):
        with self.view.identify_layer(self.layer, finger) as result:
            action = self.callout.handle_tap(result)
            self.say(result)
        return action

    def say(self, result):
        """What the box says, instead of the library's own text: the height with its unit, and the location."""
        for element in result:
            longitude, latitude = self.view.map.spatial_reference.project([element.cell.center], 4326).points[0]
            height = element["Band 1"]
            self.words = f"{height:.1f} m above sea level\n{drawing.degrees(longitude, latitude)}"

    def move(self, center, scale, rotation_deg):
        """Moves the map point at a screen point to the middle, with another scale and rotation."""
        place = self.view.screen_to_map(center)[0]
        self.view.set_viewpoint(place, scale=scale, rotation_deg=rotation_deg)

    # Drawing

    def frame(self):
        """The callout's layout for this frame, its text measured if it is new."""
        layout = self.callout.layout
        if layout.text_generation != self.measured:
            self.measured = layout.text_generation
            width, height = drawing.text_size(self.words)
            self.callout.set_size(width + 2 * PADDING, height + 2 * PADDING)
            layout = self.callout.layout
        return layout

    def draw(self, axes, finger):
        """What the host draws over the map: its controls, the finger as a circle, the callout."""
        if finger is not None:
            drawing.circle(axes, finger, 7, drawing.FINGER, 2)
        for width, height in ((SIZE[0], INSETS.top_dip), (INSETS.left_dip, SIZE[1])):
            axes.add_patch(Rectangle((0, 0), width, height, color=drawing.rgb(BAR), zorder=drawing.ABOVE))
        axes.text(10, 12, "the host's own controls", fontsize=7.5, color="white", va="top", zorder=drawing.ABOVE)
        drawing.scale_bar(axes, self.view)
        drawing.north_arrow(axes, self.view)
        layout = self.frame()
        if layout.state in (alidade.callouts.CalloutState.VISIBLE, alidade.callouts.CalloutState.ANCHOR_COVERED):
            drawing.callout(axes, layout, self.words, PADDING)


def story(app):
    """What the user does: (title, position of the finger, what changed about the callout) after each step."""
    finger = (210.25, 200.25)
    yield "A long press: 70 DIP above the finger", finger, app.drag(finger)
    finger = (120.25, 230.25)
    yield "The finger moves, and the callout follows", finger, app.drag(finger)
    finger = (340.25, 180.25)
    yield "At the edge the box stays inside", finger, app.drag(finger)
    finger = (75.25, 60.25)
    yield "A tap next to the controls: the box is below", finger, app.tap(finger)
    app.move((75.25, 60.25), 40_000, 60)
    yield "The view moves, rotates and zooms in", None, None
    app.move((-60, 160), 72_000, 0)
    finger = (200.25, 150.25)
    yield "A tap that hits nothing dismisses the callout", finger, app.tap(finger)


def make_sheet():
    sheet = drawing.Grid(
        6, SIZE, "A callout follows the finger and the map", "Heights at Shasta Lake, California. The box stays inside the "
        "part of the view that the host's controls leave free.", extra=52)
    sheet.colour_bar(drawing.MARGIN, sheet.bottom, 300, 10, RELIEF.ramp, RELIEF.minimum, RELIEF.maximum,
                     "metres above sea level")
    return sheet


def main():
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=here.parent / "quickstart" / "data", help="the rasters' folder")
    parser.add_argument("--output", type=Path, default=Path("callout.png"), help="the picture")
    arguments = parser.parse_args()
    sheet = make_sheet()
    try:
        with alidade.Runtime() as runtime:
            app = App(runtime, arguments.data)
            for number, (title, finger, action) in enumerate(story(app)):
                aside = drawing.scale_text(app.view.state.scale)
                app.draw(sheet.panel(number, title, aside=aside, view=app.view), finger)
                print(described(title, app, action))
    except alidade.AlidadeError as error:
        print(f"{error.status.name}: {error}", file=sys.stderr)
        return 1
    sheet.save(arguments.output)
    print(f"The picture is {arguments.output}", file=sys.stderr)
    return 0


def described(title, app, action):
    layout, box = app.callout.layout, app.callout.layout.box_dip
    line = f"{title} | {action.name if action is not None else '-'} | {layout.state.name}"
    if layout.state is not alidade.callouts.CalloutState.HIDDEN:
        line += (f" | tip {layout.leader_tip_dip[0]:.3f} {layout.leader_tip_dip[1]:.3f} | {layout.placement.name}"
                 f" | box {box.x_min:.3f} {box.y_min:.3f} {box.x_max:.3f} {box.y_max:.3f}"
                 f" | {' / '.join(filter(None, app.callout.text.splitlines()))}")
    return line


if __name__ == "__main__":
    sys.exit(main())

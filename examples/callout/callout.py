#!/usr/bin/python3
"""Callouts over a raster: a long press, a drag and two taps, and a picture of the screen after each step.

    callout.py --data ../quickstart/data --output callout.png

Alidade identifies the cells, stores the callout's anchor and text, and lays out its box and leader. This program
measures the text and draws. It needs the Python package alidade, numpy and Pillow.
"""
import argparse
import sys
from pathlib import Path

import alidade
import numpy
from PIL import Image, ImageDraw, ImageFont

# The view: logical pixels, physical ones per logical one, and a bar and a panel of the host's own over it.
SIZE, DENSITY = (360, 290), 2
INSETS = alidade.Insets(top_dip=34, left_dip=56)
COLUMNS, MARGIN, TITLE = 3, 20, 26
PADDING, FONT_SIZE = 8, 11

PAPER, INK, FAINT, EMPTY = (250, 249, 246), (38, 42, 48), (118, 122, 128), (232, 236, 238)
BAR, BOX, EDGE, FINGER = (52, 60, 70), (255, 255, 250), (60, 64, 70), (214, 60, 60)

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
        self.view = alidade.View(map, *SIZE, pixel_density=DENSITY)
        self.view.set_insets(INSETS)
        self.callout = alidade.Callout(self.view, OPTIONS)
        self.measured = None

    # Gestures

    def drag(self, finger):
        """A long press, and each move of the finger after it."""
        with self.view.identify_layer(self.layer, finger) as result:
            return self.callout.drag_to(finger, result)

    def tap(self, finger):
        with self.view.identify_layer(self.layer, finger) as result:
            return self.callout.handle_tap(result)

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
            left, top, right, bottom = ImageDraw.Draw(Image.new("L", (1, 1))).multiline_textbbox(
                (0, 0), self.callout.text, font(FONT_SIZE))
            self.callout.set_size((right - left) / DENSITY + 2 * PADDING, (bottom - top) / DENSITY + 2 * PADDING)
            layout = self.callout.layout
        return layout

    def screen(self, finger):
        """The picture that the user sees; the finger as a circle."""
        pixels = self.view.read_rgba(self.layer)
        alpha = pixels[..., 3:].astype(float) / 255
        image = Image.fromarray((pixels[..., :3] * alpha + numpy.array(EMPTY) * (1 - alpha)).round().astype("uint8"))
        draw = ImageDraw.Draw(image)
        if finger is not None:
            (x, y), radius = physical(finger), 7 * DENSITY
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=FINGER, width=2 * DENSITY)
        width, height = image.size
        draw.rectangle((0, 0, width, INSETS.top_dip * DENSITY - 1), BAR)
        draw.rectangle((0, 0, INSETS.left_dip * DENSITY - 1, height), BAR)
        draw.text((8 * DENSITY, 10 * DENSITY), "the host's own controls", (220, 224, 228), font(10))
        layout = self.frame()
        if layout.state in (alidade.callouts.CalloutState.VISIBLE, alidade.callouts.CalloutState.ANCHOR_COVERED):
            self.draw_callout(draw, layout)
        return image

    def draw_callout(self, draw, layout):
        box = layout.box_dip
        corners = [*physical((box.x_min, box.y_min)), *physical((box.x_max, box.y_max))]
        draw.rectangle(corners, BOX, EDGE, width=DENSITY)
        first, second = (physical(point) for point in layout.leader_base_dip)
        tip = physical(layout.leader_tip_dip)
        # The foot of the leader reaches over the box's edge, so that the two are one shape.
        inward = numpy.sign((numpy.add(first, second) / 2 - tip) * (first[1] != second[1], first[0] != second[0]))
        inside = [tuple(numpy.add(point, inward * DENSITY)) for point in (first, second)]
        draw.polygon([tip, first, inside[0], inside[1], second], BOX)
        draw.line([first, tip, second], EDGE, width=DENSITY, joint="curve")
        text_at = box.x_min + PADDING, box.y_min + PADDING
        left, top, _, _ = draw.multiline_textbbox((0, 0), self.callout.text, font(FONT_SIZE))
        x, y = physical(text_at)
        draw.multiline_text((x - left, y - top), self.callout.text, INK, font(FONT_SIZE))


def physical(point):
    return point[0] * DENSITY, point[1] * DENSITY


def font(size):
    """DejaVu Sans if it is installed (Debian: fonts-dejavu-core), otherwise Pillow's own font."""
    try:
        return ImageFont.truetype("DejaVuSans.ttf", size * DENSITY)
    except OSError:
        return ImageFont.load_default()


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
    app.move((-1200, 160), 72_000, 0)
    finger = (200.25, 150.25)
    yield "A tap that hits nothing dismisses the callout", finger, app.tap(finger)


def main():
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=here.parent / "quickstart" / "data", help="the rasters' folder")
    parser.add_argument("--output", type=Path, default=Path("callout.png"), help="the picture")
    arguments = parser.parse_args()
    panels = []
    try:
        with alidade.Runtime() as runtime:
            app = App(runtime, arguments.data)
            for title, finger, action in story(app):
                panels.append((title, app.screen(finger)))
                print(described(title, app, action))
    except alidade.AlidadeError as error:
        print(f"{error.status.name}: {error}", file=sys.stderr)
        return 1
    sheet(panels).save(arguments.output)
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


def origin(number):
    """The top left pixel of a panel on the sheet."""
    row, column = divmod(number, COLUMNS)
    width, height = (int(length * DENSITY) for length in SIZE)
    gap, title = MARGIN * DENSITY, TITLE * DENSITY
    return gap + column * (width + gap), title + row * (height + gap + title) + gap // 2


def sheet(panels):
    left, top = origin(len(panels) - 1)
    width, height = panels[0][1].size
    image = Image.new("RGB", (origin(COLUMNS - 1)[0] + width + MARGIN * DENSITY, top + height + MARGIN * DENSITY), PAPER)
    draw = ImageDraw.Draw(image)
    for number, (title, panel) in enumerate(panels):
        left, top = origin(number)
        image.paste(panel, (left, top))
        draw.text((left, top - 18 * DENSITY), f"{number + 1}  {title}", INK, font(11))
    return image


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""A layer list: the state of each layer in a view after every step, and the reason.

    layer_states.py [--output layer_states.png]

The map has hotspots, and a raster in a group. The program loads it, repairs the raster's file, zooms past both ends of
the hotspots' scale range, and hides layers. It prints each change as an event reports it. The picture has the map and
the list after each step. It runs in the quickstart's environment:
.build/venv/bin/python3 examples/layer_states/layer_states.py
"""
import argparse
import math
import shutil
import sys
import tempfile
from pathlib import Path

import alidade
from alidade.layers import LayerViewFlags
from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "buffers"))
from painter import paint  # noqa: E402

HOTSPOTS = HERE / "data" / "hotspots.csv"
COUNTRIES = HERE.parent / "navigation" / "data" / "countries_110m.geojson"
SHASTA = HERE.parent / "quickstart" / "data" / "Shasta_Elevation.tif"
# In Web Mercator, over the western United States.
CENTER, SCALE = (-13e6, 51e5), 2e7
# Where all of the raster fills most of the view.
CLOSE_CENTER, CLOSE_SCALE = (-13598700, 4976600), 1e5
# The farthest and the closest scale at which hotspots are shown.
MIN_SCALE, MAX_SCALE = 1e8, 6e6
SIZE = (400, 300)

WATER, LAND, COAST = (214, 228, 236), (244, 240, 230), (150, 150, 140)
PAPER, INK, FAINT, GREY = (250, 249, 246), (38, 42, 48), (118, 122, 128), (160, 164, 170)
RED, YELLOW, BLUE, WHITE = (205, 30, 40), (245, 190, 0), (40, 110, 200), (255, 255, 255)
COLUMNS, MARGIN, TITLE, ROW = 3, 18, 24, 18


class App:
    """What an application needs in addition to Alidade: a layer list and a way to draw."""

    def __init__(self, runtime, folder):
        self.runtime = runtime
        self.mercator = alidade.SpatialReference.from_code(runtime, 3857)
        self.wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
        self.map = alidade.Map(runtime, self.mercator)
        self.map.set_initial_viewpoint(
            alidade.Viewpoint(center=CENTER, scale=SCALE, spatial_reference=self.mercator))
        self.hotspots = alidade.FeatureLayer.from_path(runtime, HOTSPOTS)
        self.hotspots.set_renderer(alidade.graphics.ClassBreaksRenderer("frp", 0, [
            (20, alidade.MarkerSymbol((250, 200, 60), 4)), (60, alidade.MarkerSymbol((240, 120, 30), 5)),
            (1e9, alidade.MarkerSymbol((210, 30, 30), 7))]))
        self.hotspots.name = "Hotspots"
        self.hotspots.set_scale_range(min_scale=MIN_SCALE, max_scale=MAX_SCALE)
        # The beginning of a raster: its file will be whole later.
        self.broken = folder / SHASTA.name
        self.broken.write_bytes(SHASTA.read_bytes()[:100])
        self.heights = alidade.RasterLayer.from_path(runtime, self.broken)
        self.heights.name = "Heights"
        self.group = alidade.GroupLayer(runtime)
        self.group.name = "Terrain"
        self.group.append(self.heights)
        self.land = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(
            alidade.FillSymbol(LAND, alidade.LineSymbol(COAST, 1))))
        self.land.add_many(alidade.GeometryArray.from_geojson(runtime, COUNTRIES.read_text()))
        self.view = None
        # The flags of each layer, as the last event reported them.
        self.told = {}

    @property
    def layers(self):
        """The layers, the topmost first as a list shows them, and the indentation of each."""
        return ((self.hotspots, 0), (self.group, 0), (self.heights, 1))

    # What happens

    def not_yet(self):
        """Layers that no view shows have no state."""
        print("    no changes")

    def look(self):
        """A view shows the map: its layers load, one after the other on the runtime's threads."""
        self.map.add_layer(self.group)
        self.map.add_layer(self.hotspots)
        self.view = alidade.View(self.map, *SIZE)
        self.view.add_overlay(self.land)

    def loaded(self):
        self.map.load()

    def place(self):
        """The file has no spatial reference; the program knows it."""
        self.hotspots.spatial_reference = self.wgs84

    def mend(self):
        """The file is complete now: loads it again."""
        shutil.copyfile(SHASTA, self.broken)
        self.heights.retry_load()

    def far_away(self):
        self.view.set_viewpoint(scale=1.5e8)

    def far_end(self):
        self.view.set_viewpoint(scale=MIN_SCALE)

    def too_close(self):
        """There the raster is large enough to be seen."""
        self.view.set_viewpoint(CLOSE_CENTER, scale=CLOSE_SCALE)

    def back(self):
        self.view.set_viewpoint(CENTER, scale=SCALE)

    def hide(self):
        self.hotspots.visible = False

    def hide_group(self):
        self.hotspots.visible = True
        self.group.visible = False

    # What comes of it

    def changes(self):
        """Prints what has changed since the last time."""
        for event in self.runtime.events():
            if isinstance(event, alidade.events.LayerViewStateChanged) and event.concerns(self.view):
                before, after = (alidade.layers.layer_view_state_text(flags)
                                 for flags in (event.previous_flags, event.flags))
                print(f"    {event.layer.name}: {before} -> {after} ({event.flags.value})")
                self.told[event.layer.name] = event.flags
                state = event.layer.view_state(self.view)
                if state.error is not None:
                    print(f"        {state.error}")

    def picture(self):
        image = Image.new("RGB", SIZE, WATER)
        if self.view is not None:
            image = paint(self.view.overlay_drawing(), image)
            if self.is_shown(self.heights):
                cells = Image.fromarray(self.view.read_rgba(self.heights), "RGBA")
                image.paste(cells, (0, 0), cells)
            if self.is_shown(self.hotspots):
                image = paint(self.view.feature_drawing(self.hotspots), image)
        draw = ImageDraw.Draw(image)
        draw.rectangle((0, 0, 132, ROW * len(self.layers) + 5), WHITE, GREY)
        for number, (layer, depth) in enumerate(self.layers):
            self.row(draw, layer, 6 + 12 * depth, 4 + ROW * number)
        return image

    def is_shown(self, layer):
        """The picture matches the list: a layer that has loaded since the last events appears in a later step."""
        return LayerViewFlags.ACTIVE in self.told.get(layer.name, LayerViewFlags(0))

    def row(self, draw, layer, left, top):
        """A box, a sign and a name."""
        flags = self.told.get(layer.name, LayerViewFlags(0))
        draw.rectangle((left, top + 3, left + 9, top + 12), WHITE, INK)
        if layer.visible:
            draw.rectangle((left + 3, top + 6, left + 6, top + 9), INK)
        x, y = left + 22, top + 8
        if flags & LayerViewFlags.ERROR:
            draw.ellipse((x - 6, y - 6, x + 6, y + 6), RED)
            draw.line((x - 2, y - 2, x + 2, y + 2), WHITE, 2)
            draw.line((x - 2, y + 2, x + 2, y - 2), WHITE, 2)
        elif flags & LayerViewFlags.LOADING:
            draw.arc((x - 6, y - 6, x + 6, y + 6), 0, 270, BLUE, 2)
        elif flags & LayerViewFlags.WARNING:
            draw.polygon((x, y - 6, x + 6, y + 5, x - 6, y + 5), YELLOW)
            draw.line((x, y - 2, x, y + 2), INK)
        is_seen = flags and not flags & (LayerViewFlags.NOT_VISIBLE | LayerViewFlags.OUT_OF_SCALE)
        draw.text((left + 34, top + 1), layer.name, INK if is_seen else GREY, font(10))


STEPS = [
    ("No view yet", App.not_yet),
    ("A view shows the map", App.look),
    ("The map is loaded; one layer failed", App.loaded),
    ("The hotspots get a spatial reference", App.place),
    ("The raster's file is repaired and loaded", App.mend),
    ("Too far away: 1 : 150,000,000", App.far_away),
    ("The farthest scale: 1 : 100,000,000", App.far_end),
    ("Too close for hotspots, at the raster: 1 : 100,000", App.too_close),
    ("Back to 1 : 20,000,000", App.back),
    ("The hotspots are hidden", App.hide),
    ("The group is hidden instead", App.hide_group),
]


def font(size):
    """DejaVu Sans if it is installed (Debian: fonts-dejavu-core), otherwise Pillow's own font."""
    try:
        return ImageFont.truetype("DejaVuSans.ttf", size)
    except OSError:
        return ImageFont.load_default()


def sheet(panels):
    rows = math.ceil(len(panels) / COLUMNS)
    image = Image.new("RGB", (MARGIN + COLUMNS * (SIZE[0] + MARGIN), rows * (SIZE[1] + TITLE + MARGIN) + MARGIN), PAPER)
    draw = ImageDraw.Draw(image)
    for number, (title, panel) in enumerate(panels):
        row, column = divmod(number, COLUMNS)
        left, top = MARGIN + column * (SIZE[0] + MARGIN), MARGIN + TITLE + row * (SIZE[1] + TITLE + MARGIN)
        image.paste(panel, (left, top))
        draw.text((left, top - 17), f"{number + 1}  {title}", INK, font(11))
    return image


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("layer_states.png"), help="the picture")
    arguments = parser.parse_args()
    panels = []
    with tempfile.TemporaryDirectory() as folder, alidade.Runtime() as runtime:
        app = App(runtime, Path(folder))
        for number, (title, act) in enumerate(STEPS, start=1):
            print(f"{number} {title}")
            act(app)
            app.changes()
            panels.append((title, app.picture()))
        print("The hotspots' last changes:")
        for change in app.view.layer_state_history(app.hotspots):
            before, after = (alidade.layers.layer_view_state_text(flags)
                             for flags in (change.previous_flags, change.flags))
            print(f"    {before} -> {after}")
    sheet(panels).save(arguments.output)
    print(f"The picture is {arguments.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""A layer list: the state of each layer in a view after every step, and the reason.

    layer_states.py [--output layer_states.png]

The map has hotspots, and a raster in a group. The program loads it, repairs the raster's file, zooms past both ends of
the hotspots' scale range, and hides layers. It prints each change as an event reports it. The picture has the map and
the list after each step. It runs in the quickstart's environment:
.build/venv/bin/python3 examples/layer_states/layer_states.py
"""
import argparse
import shutil
import sys
import tempfile
from pathlib import Path

import alidade
from alidade.layers import LayerViewFlags
from matplotlib.patches import Arc, Circle, Polygon, Rectangle

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import drawing  # noqa: E402

HOTSPOTS = HERE / "data" / "hotspots.csv"
SHASTA = HERE.parent / "quickstart" / "data" / "Shasta_Elevation.tif"
# In Web Mercator, over the western United States.
CENTER, SCALE = (-13e6, 51e5), 2e7
# Where all of the raster fills most of the view.
CLOSE_CENTER, CLOSE_SCALE = (-13598700, 4976600), 1e5
# The farthest and the closest scale at which hotspots are shown.
MIN_SCALE, MAX_SCALE = 1e8, 6e6
# Of the map, and the width of the list next to it.
SIZE, LIST = (380, 290), 130
# The height of a row of the list.
ROW = 24

GREY, RED, YELLOW, BLUE = (150, 154, 160), (205, 30, 40), (245, 190, 0), (40, 110, 200)
# The classes of the hotspots by their radiative power: up to how many megawatts, and how they are drawn.
CLASSES = [(20, alidade.MarkerSymbol((250, 200, 60), 4)), (60, alidade.MarkerSymbol((240, 120, 30), 5)),
           (1e9, alidade.MarkerSymbol((210, 30, 30), 7))]


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
        self.hotspots.set_renderer(alidade.graphics.ClassBreaksRenderer("frp", 0, CLASSES))
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
        drawing.add_base(self.map, runtime)
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
            if isinstance(event, alidade.events.LayerViewStateChanged) and any(
                    event.concerns_layer(layer) for layer, _ in self.layers):
                before, after = (alidade.layers.layer_view_state_text(flags)
                                 for flags in (event.previous_flags, event.flags))
                print(f"    {event.layer.name}: {before} -> {after} ({event.flags.value})")
                self.told[event.layer.name] = event.flags
                state = event.layer.view_state(self.view)
                if state.error is not None:
                    print(f"        {state.error}")

    def draw(self, sheet, number, title):
        """The layer list, and the map next to it."""
        left, top = sheet.origin(number)
        if self.view is None:
            axes = sheet.panel(number, title)
            drawing.label(axes, (LIST + SIZE[0] / 2, SIZE[1] / 2), "no view", 12, drawing.FAINT, "center")
        else:
            axes = sheet.panel(number, title, aside=drawing.scale_text(self.view.state.scale))
            # The picture matches the list: a layer that has loaded since the last events appears in a later step.
            told = [layer for layer, _ in self.layers if self.flags(layer) & LayerViewFlags.ACTIVE]
            picture = sheet.picture(left + LIST, top, *SIZE, drawing.WATER, order=1)
            self.view.plot(picture, layers=[*self.map.basemap_layers, *told])
            drawing.scale_bar(picture, self.view)
        axes.add_patch(Rectangle((0, 0), LIST, SIZE[1], color="white", zorder=drawing.ABOVE))
        for row, (layer, depth) in enumerate(self.layers):
            self.row(axes, layer, 10 + 18 * depth, 20 + ROW * row)

    def flags(self, layer):
        return self.told.get(layer.name, LayerViewFlags(0))

    def row(self, axes, layer, left, y):
        """A checkbox, a sign and a name."""
        flags, ink, above = self.flags(layer), drawing.rgb(drawing.INK), {"zorder": drawing.ABOVE + 1}
        box = drawing.rgb(BLUE) if layer.visible else (1, 1, 1)
        axes.add_patch(Rectangle((left, y - 6), 12, 12, facecolor=box, edgecolor=ink, linewidth=0.8, **above))
        if layer.visible:
            drawing.line(axes, [(left + 2.5, y), (left + 5, y + 3.5), (left + 10, y - 3.5)], drawing.WHITE, 2.2, above=2)
        x = left + 25
        if flags & LayerViewFlags.ERROR:
            axes.add_patch(Circle((x, y), 7, color=drawing.rgb(RED), **above))
            for side in (-1, 1):
                drawing.line(axes, [(x - 2.5, y - 2.5 * side), (x + 2.5, y + 2.5 * side)], drawing.WHITE, 2, above=2)
        elif flags & LayerViewFlags.LOADING:
            axes.add_patch(Arc((x, y), 12, 12, theta1=0, theta2=270, color=drawing.rgb(BLUE), linewidth=1.6, **above))
        elif flags & LayerViewFlags.WARNING:
            axes.add_patch(Polygon([(x, y - 7), (x + 7.5, y + 6), (x - 7.5, y + 6)], color=drawing.rgb(YELLOW), **above))
            drawing.line(axes, [(x, y - 3), (x, y + 1.5)], drawing.INK, 1.6, above=2)
            drawing.line(axes, [(x, y + 3), (x, y + 4.6)], drawing.INK, 1.6, above=2)
        is_seen = flags and not flags & (LayerViewFlags.NOT_VISIBLE | LayerViewFlags.OUT_OF_SCALE)
        drawing.label(axes, (left + 38, y), layer.name, 12, drawing.INK if is_seen else GREY)


STEPS = [
    ("No view yet", App.not_yet),
    ("A view shows the map", App.look),
    ("The map is loaded; one layer failed", App.loaded),
    ("The hotspots get a spatial reference", App.place),
    ("The raster's file is repaired and loaded", App.mend),
    ("Too far away for the hotspots", App.far_away),
    ("The farthest scale of the hotspots", App.far_end),
    ("Too close for the hotspots, at the raster", App.too_close),
    ("Back", App.back),
    ("The hotspots are hidden", App.hide),
    ("The group is hidden instead", App.hide_group),
]


def make_sheet():
    return drawing.Grid(
        len(STEPS), (LIST + SIZE[0], SIZE[1]), "The state of each layer in a view", "Grey: not seen at this scale, or hidden. "
        "Red: in error. Yellow: with a warning. Blue arc: loading. Dots: invented fires, by their power.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("layer_states.png"), help="the picture")
    arguments = parser.parse_args()
    sheet = make_sheet()
    with tempfile.TemporaryDirectory() as folder, alidade.Runtime() as runtime:
        app = App(runtime, Path(folder))
        for number, (title, act) in enumerate(STEPS, start=1):
            print(f"{number} {title}")
            act(app)
            app.changes()
            app.draw(sheet, number - 1, title)
        print("The hotspots' last changes:")
        for change in app.view.layer_state_history(app.hotspots):
            before, after = (alidade.layers.layer_view_state_text(flags)
                             for flags in (change.previous_flags, change.flags))
            print(f"    {before} -> {after}")
    sheet.save(arguments.output)
    print(f"The picture is {arguments.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

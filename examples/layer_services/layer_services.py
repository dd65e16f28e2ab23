#!/usr/bin/python3
"""Layers that come from a server that is stopped and started: the layers' states in a view over time.

    layer_services.py [--output layer_services.png]

The server is another process (server.py). The program shows its hotspots over its tiles, stops the server, pans, pans
back, and starts the server again. It prints each change of a layer's state with the time, and what the server or the
system said. The picture has the map after each step. It runs in the quickstart's environment:
.build/venv/bin/python3 examples/layer_services/layer_services.py
"""
import argparse
import subprocess
import sys
import time
from pathlib import Path

import alidade
from alidade.layers import LayerViewFlags

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import drawing  # noqa: E402

HOTSPOTS = HERE.parent / "layer_states" / "data" / "hotspots.csv"
COUNTRIES = HERE.parent / "navigation" / "data" / "countries_110m.geojson"

# In Web Mercator. A view has the features of three times the width and height of what it shows: these lie farther apart.
CALIFORNIA, IDAHO, ARIZONA = (-136e5, 50e5), (-1285e4, 57e5), (-1245e4, 40e5)
SCALE = 4e6
SIZE = (400, 300)
# Where there is nothing.
NOTHING = (205, 205, 205)
# A part that failed is asked for again after a second, and a slow machine takes its time.
PATIENCE_S = 10


class Server:
    """The server's process."""

    def __init__(self):
        self.process, self.port = None, 0
        self.start()

    def start(self):
        command = [sys.executable, "-B", HERE / "server.py", "--port", str(self.port), HOTSPOTS, COUNTRIES]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class App:
    """A map with a basemap of tiles and a layer of features, and a view that shows it."""

    def __init__(self, runtime, server):
        self.runtime, self.server, self.began = runtime, server, time.monotonic()
        self.layer = alidade.FeatureLayer.from_path(
            runtime, f"http://127.0.0.1:{server.port}/collections/hotspots",
            renderer=alidade.SimpleRenderer(alidade.MarkerSymbol((210, 30, 30), 5)))
        self.layer.name = "Hotspots"
        self.basemap = alidade.RasterLayer.from_path(
            runtime, f"http://127.0.0.1:{server.port}/tiles/{{z}}/{{x}}/{{y}}.png")
        self.basemap.name = "Basemap"
        self.layers = (self.basemap, self.layer)
        self.map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
        self.map.add_basemap_layer(self.basemap)
        self.map.add_layer(self.layer)
        self.view = alidade.View(self.map, *SIZE)
        self.view.set_viewpoint(CALIFORNIA, scale=SCALE)
        self.said = ""

    # What happens

    def load(self):
        self.map.load()

    def california(self):
        self.view.set_viewpoint(CALIFORNIA)

    def idaho(self):
        self.view.set_viewpoint(IDAHO)

    def arizona(self):
        self.view.set_viewpoint(ARIZONA)

    def stop(self):
        self.server.stop()

    def start(self):
        self.server.start()

    # What comes of it

    def frames(self, wanted):
        """Draws 50 frames a second, as a frame loop does, until the layers have a state and their events are read."""
        end = time.monotonic() + PATIENCE_S
        while True:
            self.view.read_rgba(self.basemap)
            self.view.feature_drawing(self.layer).release()
            self.tell()
            states = {layer.view_state(self.view).flags for layer in self.layers}
            if states == {wanted} or time.monotonic() > end:
                break
            time.sleep(0.02)

    def draw(self, sheet, number, title):
        """The picture. Where a tile is lacking, a coarser one stands in; where there is none, nothing is drawn."""
        left, top = sheet.origin(number)
        axes = sheet.map(self.view, left, top, NOTHING)
        hotspots = len(self.view.feature_drawing(self.layer))
        self.tell()
        words = [f"{layer.name}: {alidade.layers.layer_view_state_text(layer.view_state(self.view).flags)}"
                 for layer in (self.layer, self.basemap)]
        sheet.words(number, title, [f"{hotspots} hotspots in sight", *(f"    {line}" for line in words)])
        drawing.scale_bar(axes, self.view)
        print(f"    {hotspots} hotspots in sight")

    def tell(self):
        """Prints what has changed since the last time."""
        for event in self.runtime.events():
            if isinstance(event, alidade.events.LayerViewStateChanged) and event.concerns(self.view):
                before, after = (alidade.layers.layer_view_state_text(flags) for flags in (event.previous_flags, event.flags))
                layer = self.basemap if event.concerns_layer(self.basemap) else self.layer
                if before != after:
                    print(f"    {time.monotonic() - self.began:5.2f} s  {layer.name}: {before} -> {after}")
                error = layer.view_state(self.view).error
                if error is not None and str(error) != self.said:
                    print(f"             {error}")
                self.said = str(error)


ACTIVE, WARNING = LayerViewFlags.ACTIVE, LayerViewFlags.ACTIVE | LayerViewFlags.WARNING
# What is done, what the picture calls it, and the state that follows.
STEPS = [
    (App.load, "California: the map is loaded and drawn", ACTIVE),
    (App.idaho, "Pan to Idaho", ACTIVE),
    (App.stop, "The server is stopped: nothing is missing yet", ACTIVE),
    (App.arizona, "Pan to Arizona: what is missing cannot be had", WARNING),
    (App.california, "Back to California, which is there", ACTIVE),
    (App.arizona, "To Arizona again", WARNING),
    (App.start, "The server is started again", ACTIVE),
]


def make_sheet():
    return drawing.Grid(
        len(STEPS), SIZE, "Layers of a server that is stopped and started", "Hotspots from OGC API Features over tiles. "
        "Grey: neither a tile nor a coarser one is there. Lines: each degree of longitude, half degree of latitude.",
        columns=4, lines=3)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("layer_services.png"), help="the picture")
    arguments = parser.parse_args()
    sheet = make_sheet()
    server = Server()
    try:
        with alidade.Runtime(policy=alidade.Policy(hosts=[f"127.0.0.1:{server.port}"])) as runtime:
            app = App(runtime, server)
            for number, (act, title, wanted) in enumerate(STEPS, start=1):
                print(f"{number} {title}")
                act(app)
                app.frames(wanted)
                app.draw(sheet, number - 1, title)
    finally:
        server.stop()
    sheet.save(arguments.output)
    print(f"The picture is {arguments.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

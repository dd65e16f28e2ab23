#!/usr/bin/python3
"""A layer whose features come from a server that is stopped and started: the layer's state in a view over time.

    layer_services.py [--output layer_services.png]

The server is another process (server.py). The program shows its hotspots, stops the server, pans, pans back, and starts
the server again. It prints each change of the layer's state with the time, and what the server or the system said. The
picture has the map after each step. It runs in the quickstart's environment:
.build/venv/bin/python3 examples/layer_services/layer_services.py
"""
import argparse
import subprocess
import sys
import time
from pathlib import Path

import alidade
from alidade import LayerViewFlags
from PIL import Image, ImageDraw

HERE = Path(__file__).resolve().parent
for folder in ("buffers", "layer_states"):
    sys.path.insert(0, str(HERE.parent / folder))
from layer_states import COAST, COUNTRIES, HOTSPOTS, LAND, WATER, font, sheet  # noqa: E402
from painter import paint  # noqa: E402

# In Web Mercator. A view has the features of three times the width and height of what it shows: these lie farther apart.
CALIFORNIA, IDAHO, ARIZONA = (-136e5, 50e5), (-1285e4, 57e5), (-1245e4, 40e5)
SCALE = 4e6
SIZE = (400, 300)
# A part that failed is asked for again after a second, and a slow machine takes its time.
PATIENCE_S = 10


class Server:
    """The server's process."""

    def __init__(self):
        self.process, self.port = None, 0
        self.start()

    def start(self):
        command = [sys.executable, "-B", HERE / "server.py", "--port", str(self.port), HOTSPOTS]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class App:
    """A map with one layer, and a view that shows it."""

    def __init__(self, runtime, server):
        self.runtime, self.server, self.began = runtime, server, time.monotonic()
        self.layer = alidade.FeatureLayer.from_path(
            runtime, f"http://127.0.0.1:{server.port}/collections/hotspots",
            renderer=alidade.SimpleRenderer(alidade.MarkerSymbol((210, 30, 30), 5)))
        self.layer.name = "Hotspots"
        self.map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
        self.map.add_layer(self.layer)
        self.view = alidade.View(self.map, *SIZE)
        self.view.set_viewpoint(CALIFORNIA, scale=SCALE)
        land = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(
            alidade.FillSymbol(LAND, alidade.LineSymbol(COAST, 1))))
        land.add_many(alidade.GeometryArray.from_geojson(runtime, COUNTRIES.read_text()))
        self.view.add_overlay(land)
        self.picture, self.said = None, ""

    # What happens

    def load(self):
        self.layer.load()

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
        """Draws 50 frames a second, as a frame loop does, until the layer has a state and its events are read."""
        end = time.monotonic() + PATIENCE_S
        while True:
            drawing = self.view.feature_drawing(self.layer)
            self.tell()
            if self.layer.view_state(self.view).flags == wanted or time.monotonic() > end:
                break
            time.sleep(0.02)
        drawing = self.view.feature_drawing(self.layer)
        self.tell()
        image = paint(self.view.overlay_drawing(), Image.new("RGB", SIZE, WATER))
        self.picture = paint(drawing, image)
        state = self.layer.view_state(self.view)
        draw = ImageDraw.Draw(self.picture)
        draw.rectangle((0, 0, 190, 20), (255, 255, 255))
        draw.text((6, 3), alidade.layer_view_state_text(state.flags), (38, 42, 48), font(11))
        print(f"    {len(drawing)} hotspots in sight")

    def tell(self):
        """Prints what has changed since the last time."""
        for event in self.runtime.events():
            if isinstance(event, alidade.LayerViewStateChanged) and event.concerns(self.view):
                before, after = (alidade.layer_view_state_text(flags) for flags in (event.previous_flags, event.flags))
                print(f"    {time.monotonic() - self.began:5.2f} s  {before} -> {after}")
                error = self.layer.view_state(self.view).error
                if error is not None and str(error) != self.said:
                    print(f"             {error}")
                self.said = str(error)


ACTIVE, WARNING = LayerViewFlags.ACTIVE, LayerViewFlags.ACTIVE | LayerViewFlags.WARNING
# What is done, what the picture calls it, and the state that follows.
STEPS = [
    (App.load, "California: the layer is loaded and drawn", ACTIVE),
    (App.idaho, "Pan to Idaho", ACTIVE),
    (App.stop, "The server is stopped: nothing lacks yet", ACTIVE),
    (App.arizona, "Pan to Arizona: what lacks cannot be had", WARNING),
    (App.california, "Back to California, which is there", ACTIVE),
    (App.arizona, "To Arizona again", WARNING),
    (App.start, "The server is started again", ACTIVE),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("layer_services.png"), help="the picture")
    arguments = parser.parse_args()
    panels = []
    server = Server()
    try:
        with alidade.Runtime(policy=alidade.Policy(hosts=[f"127.0.0.1:{server.port}"])) as runtime:
            app = App(runtime, server)
            for number, (act, title, wanted) in enumerate(STEPS, start=1):
                print(f"{number} {title}")
                act(app)
                app.frames(wanted)
                panels.append((title, app.picture))
    finally:
        server.stop()
    sheet(panels).save(arguments.output)
    print(f"The picture is {arguments.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

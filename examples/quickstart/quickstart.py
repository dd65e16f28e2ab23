#!/usr/bin/python3
"""The quickstart in Python: opens three rasters, adds them to a map, shows the map in a view and taps the screen.

    quickstart.py --data data --output quickstart.png

Prints a table per viewpoint and draws a picture. The pixels come from the library; picture.py draws crosses and texts.
quickstart.c makes the same taps and prints the same tables.
"""
import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import alidade
import numpy

from picture import Picture

# The view's size in logical pixels.
SIZE = (400, 320)


@dataclass(frozen=True)
class Stop:
    """A viewpoint and the taps on it. Each tap is in the middle of a pixel."""

    title: str
    latitude_deg: float
    longitude_deg: float
    scale: float
    rotation_deg: float
    taps: list


STOPS = [
    Stop("Off Cape Town", -34.1, 18.6, 1155000, 0, [(200.5, 160.5)]),
    Stop("Vegetation, Lake Como", 45.94, 9.40, 700000, 0, [(200.5, 160.5), (118.5, 92.5), (30.5, 280.5)]),
    Stop("The same taps, the view moved", 46.02, 9.30, 120000, 0, [(200.5, 160.5), (118.5, 92.5), (30.5, 280.5)]),
    Stop("Picture, the Bahamas", 24.56, -77.76, 3300000, 0,
         [(200.5, 160.5), (153.5, 75.5), (84.5, 67.5), (20.5, 20.5)]),
    Stop("Elevation, Shasta Lake", 40.7624, -122.1626, 72000, 0, [(228.5, 33.5), (200.5, 240.5), (390.5, 12.5)]),
    Stop("Elevation, north-east is up", 40.7735, -122.1505, 9000, 45, [(200.5, 160.5), (300.5, 220.5)]),
]

# Stored values of the vegetation index are ten-thousandths. Values below 0 are water.
VEGETATION = alidade.RasterRenderer(
    alidade.layers.RasterRendererKind.STRETCH, minimum=-2000, maximum=10000,
    ramp=[(26, 58, 92, 255), (98, 150, 184, 255), (232, 230, 198, 255), (173, 214, 120, 255), (78, 160, 74, 255),
          (16, 92, 50, 255), (4, 48, 30, 255)])
RELIEF = alidade.RasterRenderer(
    alidade.layers.RasterRendererKind.STRETCH, minimum=320, maximum=690,
    ramp=[(58, 110, 150, 255), (96, 150, 92, 255), (186, 190, 118, 255), (206, 164, 96, 255), (160, 112, 82, 255),
          (244, 240, 236, 255)])
SHADE = alidade.RasterRenderer(alidade.layers.RasterRendererKind.HILLSHADE)


class Tour:
    """A Web Mercator map with all rasters, none of which is in Web Mercator, and a view of it."""

    def __init__(self, runtime, folder):
        self.map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
        self.wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
        self.vegetation, self.image, self.elevation = (
            self.add(runtime, folder / name)
            for name in ("MOD13A1_NDVI_2016_209.tif", "RGB.byte.tif", "Shasta_Elevation.tif"))
        self.vegetation.renderer = VEGETATION
        self.view = alidade.View(self.map, *SIZE)

    def add(self, runtime, path):
        layer = alidade.RasterLayer(alidade.Raster(runtime, path))
        self.map.add_layer(layer)
        return layer

    def look_at(self, stop):
        # x is east, whatever order the authority gives: longitude comes first.
        self.view.set_viewpoint((stop.longitude_deg, stop.latitude_deg), self.wgs84, stop.scale, stop.rotation_deg)

    def tap(self, point):
        """The text of the topmost cell under a screen point, on one line."""
        for layer in reversed(self.map.layers):
            with self.view.identify_layer(layer, point) as result:
                for element in result:
                    lines = [line for line in element.text.splitlines() if line]
                    return " | ".join([f"column {element.cell.column}, row {element.cell.row}", *lines])
        return "nothing here"

    def pixels(self):
        """The pixels of all layers. The layers are on different continents, so none covers another."""
        self.elevation.renderer = SHADE
        shade = self.view.read_rgba(self.elevation)[..., :1]
        self.elevation.renderer = RELIEF
        relief = self.view.read_rgba(self.elevation)
        relief[..., :3] = shaded(relief[..., :3], shade)
        return self.view.read_rgba(self.vegetation) + self.view.read_rgba(self.image) + relief


def shaded(colours, shade):
    """Colours darkened by a hillshade. Flat ground (180) does not change them."""
    return numpy.minimum(colours.astype(float) * shade / 180, 255).astype("uint8")


def main():
    here = Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=here / "data", help="the folder with the rasters")
    parser.add_argument("--output", type=Path, default=Path("quickstart.png"), help="the picture")
    arguments = parser.parse_args()

    picture = Picture(SIZE)
    try:
        with alidade.Runtime() as runtime:
            tour = Tour(runtime, arguments.data)
            for number, stop in enumerate(STOPS):
                visit(tour, stop, number, picture)
    except alidade.AlidadeError as error:
        # The message names the object, the value and the remedy.
        print(f"{error.status.name}: {error}", file=sys.stderr)
        return 1
    picture.save(arguments.output)
    print(f"The picture is {arguments.output}", file=sys.stderr)
    return 0


def visit(tour, stop, number, picture):
    print(f"{stop.title}: latitude {stop.latitude_deg:.10g}, longitude {stop.longitude_deg:.10g}, "
          f"1:{stop.scale:.0f}, {stop.rotation_deg:.10g} degrees is up")
    tour.look_at(stop)
    texts = [tour.tap(point) for point in stop.taps]
    for tap, (point, text) in enumerate(zip(stop.taps, texts), start=1):
        print(f"  {tap}  ({point[0]:.1f}, {point[1]:.1f})  {text}")
    picture.add(number, stop, tour.pixels(), texts)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""The quickstart in Python: opens three rasters, adds them to a map, shows the map in a view and taps the screen.

    quickstart.py --data data --output quickstart.png

Prints a table per viewpoint and draws a picture with matplotlib. quickstart.c makes the same taps and prints the same
tables.
"""
import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import alidade

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import drawing  # noqa: E402

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
    unit: str = ""
    # What the picture names: words with a longitude and a latitude.
    names: tuple = ()


STOPS = [
    Stop("Off Cape Town", -34.1, 18.6, 1155000, 0, [(200.5, 160.5)],
         names=(("Cape Town", 18.62, -33.9), ("False Bay", 18.64, -34.25))),
    Stop("Vegetation, Lake Como", 45.94, 9.40, 700000, 0, [(200.5, 160.5), (118.5, 92.5), (30.5, 280.5)]),
    Stop("The same taps, the view moved", 46.02, 9.30, 120000, 0, [(200.5, 160.5), (118.5, 92.5), (30.5, 280.5)]),
    Stop("Picture, the Bahamas", 24.56, -77.76, 3300000, 0,
         [(200.5, 160.5), (153.5, 75.5), (84.5, 67.5), (20.5, 20.5)]),
    Stop("Elevation, Shasta Lake", 40.7624, -122.1626, 72000, 0, [(228.5, 33.5), (200.5, 240.5), (390.5, 12.5)], " m"),
    Stop("Elevation, north-east is up", 40.7735, -122.1505, 9000, 45, [(200.5, 160.5), (300.5, 220.5)], " m"),
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
# How much of the hillshade lies over the relief.
SHADE_OPACITY = 0.4


class Tour:
    """A Web Mercator map with all rasters, none of which is in Web Mercator, and a view of it."""

    def __init__(self, runtime, folder):
        self.map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
        self.wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
        land = alidade.SimpleRenderer(alidade.FillSymbol(drawing.LAND, alidade.LineSymbol(drawing.COAST, 1)))
        self.map.add_basemap_layer(
            alidade.FeatureLayer.from_path(runtime, drawing.DATA / "land.fgb", renderer=land))
        self.rasters = [self.add(runtime, folder / name, renderer) for name, renderer in (
            ("MOD13A1_NDVI_2016_209.tif", VEGETATION), ("RGB.byte.tif", None), ("Shasta_Elevation.tif", RELIEF))]
        # For the picture alone: taps do not ask this layer.
        self.add(runtime, folder / "Shasta_Elevation.tif", SHADE).opacity = SHADE_OPACITY
        self.view = alidade.View(self.map, *SIZE)

    def add(self, runtime, path, renderer):
        layer = alidade.RasterLayer(alidade.Raster(runtime, path))
        if renderer is not None:
            layer.renderer = renderer
        self.map.add_layer(layer)
        return layer

    def look_at(self, stop):
        # x is east, whatever order the authority gives: longitude comes first.
        self.view.set_viewpoint((stop.longitude_deg, stop.latitude_deg), self.wgs84, stop.scale, stop.rotation_deg)

    def tap(self, point):
        """The text of the topmost cell under a screen point, on one line."""
        for layer in reversed(self.rasters):
            with self.view.identify_layer(layer, point) as result:
                for element in result:
                    lines = [line for line in element.text.splitlines() if line]
                    return " | ".join([f"column {element.cell.column}, row {element.cell.row}", *lines])
        return "nothing here"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=HERE / "data", help="the folder with the rasters")
    parser.add_argument("--output", type=Path, default=Path("quickstart.png"), help="the picture")
    arguments = parser.parse_args()

    sheet = make_sheet()
    try:
        with alidade.Runtime() as runtime:
            tour = Tour(runtime, arguments.data)
            for number, stop in enumerate(STOPS):
                visit(tour, stop, number, sheet)
    except alidade.AlidadeError as error:
        # The message names the object, the value and the remedy.
        print(f"{error.status.name}: {error}", file=sys.stderr)
        return 1
    sheet.save(arguments.output)
    print(f"The picture is {arguments.output}", file=sys.stderr)
    return 0


def make_sheet():
    return drawing.Grid(
        len(STOPS), SIZE, "Which cell is under a tap", "One Web Mercator map, one view that moves, three rasters in three "
        "other spatial references. Each square is a stored cell; X and Y are its corner on the map, in metres.", lines=8)


def visit(tour, stop, number, sheet):
    print(f"{stop.title}: latitude {stop.latitude_deg:.10g}, longitude {stop.longitude_deg:.10g}, "
          f"1:{stop.scale:.0f}, {stop.rotation_deg:.10g} degrees is up")
    tour.look_at(stop)
    texts = [tour.tap(point) for point in stop.taps]
    for tap, (point, text) in enumerate(zip(stop.taps, texts), start=1):
        print(f"  {tap}  ({point[0]:.1f}, {point[1]:.1f})  {text}")
    lines = [line for tap, text in enumerate(texts, start=1) for line in caption(tap, text, stop.unit)]
    axes = sheet.panel(number, stop.title, lines, drawing.scale_text(stop.scale), tour.view)
    for words, longitude, latitude in stop.names:
        place = tour.wgs84.project([(longitude, latitude)], tour.map.spatial_reference).points
        drawing.label(axes, tour.view.map_to_screen(place)[0], words, 11, align="center")
    for tap, point in enumerate(stop.taps, start=1):
        drawing.cross(axes, point, str(tap))
    drawing.scale_bar(axes, tour.view)
    drawing.north_arrow(axes, tour.view)


def caption(tap, text, unit):
    """The cell's values, and below them its position."""
    parts = text.split(" | ")
    place = [part for part in parts if part.startswith(("column ", "X: ", "Y: "))]
    yield f"{tap}  " + "   ".join(f"{part}{unit}" if part.startswith("Band") else part for part in parts if part not in place)
    if place:
        yield "    " + "   ".join(place)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""The taps of bench_identify.c with Shapely and with QGIS, on the same features. Prints "name value" lines.

    identify_peers.py FOLDER [PART]

Shapely: an STRtree in longitude and latitude finds candidates, pyproj and numpy put them on the screen, and distances,
nearest points and metres on the ellipsoid are computed there. QGIS: its identify tool on a canvas, on the files in the
folder; without PyQGIS (Debian's python3-qgis) its lines are left out.
"""
import math
import os
import statistics
import sys
import time
from pathlib import Path

import numpy
import pyproj
import shapely
from features_peers import random_units

TAPS, QGIS_TAPS, CORNERS, WIDTH, HEIGHT = 4000, 400, 8, 1200, 800
CELL_UNITS, UNITS_PER_DIP, TOLERANCE_DIP, TAPPED_DIP = 100.0, 10.0, 4.0, 300.0
EARTH = 6378137.0
SIZES = (1000, 100_000, 5_000_000)
# What symbols reach beyond geometries: half an outline of 1 DIP, half a marker of 6.
REACH_DIP = {"polygons": 0.5, "points": 3.0}

MERCATOR = pyproj.Transformer.from_crs(4326, 3857, always_xy=True)
GLOBE = pyproj.Transformer.from_crs(3857, 4326, always_xy=True)
GEOD = pyproj.Geod(ellps="WGS84")


def on_globe(x, y):
    return x / EARTH * 180 / math.pi, numpy.arctan(numpy.sinh(y / EARTH)) * 180 / math.pi


def features(kind, count, area_count=None, corners=CORNERS):
    """As feature_files.h makes them."""
    numbers = random_units(count, 3 * count)
    side = CELL_UNITS * math.sqrt(area_count or count)
    x, y = (numbers[0::3] - 0.5) * side, (numbers[1::3] - 0.5) * side
    if kind == "points":
        return shapely.points(*on_globe(x, y))
    radius = CELL_UNITS * (0.3 + 0.5 * numbers[2::3])
    angles = 2 * math.pi * (numpy.arange(corners + 1) % corners) / corners
    longitudes, latitudes = on_globe(x[:, None] + radius[:, None] * numpy.cos(angles),
                                     y[:, None] + radius[:, None] * numpy.sin(angles))
    return shapely.polygons(numpy.stack([longitudes, latitudes], axis=2))


def taps(count):
    """On the screen, in DIP."""
    numbers = random_units(TAPS, 2 * count)
    return numpy.column_stack([WIDTH / 2 + TAPPED_DIP * (numbers[0::2] - 0.5),
                               HEIGHT / 2 + TAPPED_DIP * (numbers[1::2] - 0.5)])


def to_map(screen):
    return (screen[0] - WIDTH / 2) * UNITS_PER_DIP, (HEIGHT / 2 - screen[1]) * UNITS_PER_DIP


def on_screen(coordinates):
    x, y = MERCATOR.transform(coordinates[:, 0], coordinates[:, 1])
    return numpy.column_stack([WIDTH / 2 + x / UNITS_PER_DIP, HEIGHT / 2 - y / UNITS_PER_DIP])


def tap(tree, screen, reach):
    """The hits with distance, nearest point and metres."""
    x, y = to_map(screen)
    margin = (TOLERANCE_DIP + reach) * UNITS_PER_DIP
    box = shapely.box(*GLOBE.transform(x - margin, y - margin), *GLOBE.transform(x + margin, y + margin))
    found = tree.query(box)
    if not len(found):
        return []
    point = shapely.Point(screen)
    images = shapely.transform(tree.geometries[found], on_screen)
    distances = shapely.distance(images, point)
    is_hit = distances <= TOLERANCE_DIP + reach
    if not is_hit.any():
        return []
    lines = shapely.shortest_line(images[is_hit], point)
    nearest = shapely.get_coordinates(shapely.get_point(lines, 0))
    places = numpy.array([GLOBE.transform(*to_map(place)) for place in nearest])
    here = GLOBE.transform(x, y)
    metres = GEOD.inv(numpy.full(len(places), here[0]), numpy.full(len(places), here[1]), *places.T)[2]
    return list(zip(found[is_hit], distances[is_hit], nearest, metres))


def measure_shapely(kind, count):
    tree = shapely.STRtree(features(kind, count))
    tree.query(shapely.Point(0, 0))
    times, hits = [], 0
    for screen in taps(TAPS):
        start = time.perf_counter_ns()
        found = tap(tree, screen, REACH_DIP[kind])
        times.append(time.perf_counter_ns() - start)
        hits += len(found)
    report(f"shapely_tap_{kind}_{count}", times, hits)


def report(name, times, hits):
    print(f"{name}_median", statistics.median(times))
    print(f"{name}_p99", numpy.percentile(times, 99))
    print(f"{name}_checksum", hits, flush=True)


class Canvas:
    """A canvas of QGIS that shows what the view of the benchmark shows."""

    def __init__(self):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        from qgis import core, gui

        self.core, self.gui = core, gui
        self.application = core.QgsApplication([], True)
        self.application.initQgis()
        self.canvas = gui.QgsMapCanvas()
        self.canvas.resize(WIDTH, HEIGHT)
        # Without a screen it takes its size when it is shown.
        self.canvas.show()
        self.application.processEvents()
        self.canvas.setDestinationCrs(core.QgsCoordinateReferenceSystem("EPSG:3857"))
        width, height = WIDTH * UNITS_PER_DIP / 2, HEIGHT * UNITS_PER_DIP / 2
        self.canvas.setExtent(core.QgsRectangle(-width, -height, width, height))
        self.tool = gui.QgsMapToolIdentify(self.canvas)
        # Its search radius is set in millimetres.
        pixels_per_mm = self.canvas.mapSettings().outputDpi() / 25.4
        core.QgsSettings().setValue("/Map/searchRadiusMM", TOLERANCE_DIP / pixels_per_mm)

    def measure(self, name, paths):
        layers = [self.core.QgsVectorLayer(str(path), path.stem, "ogr") for path in paths]
        assert all(layer.isValid() for layer in layers), paths
        times, hits = [], 0
        for x, y in taps(QGIS_TAPS):
            start = time.perf_counter_ns()
            found = self.tool.identify(round(x), round(y), layers, self.gui.QgsMapToolIdentify.TopDownAll)
            for one in found:
                one.mFeature.attributes()
            times.append(time.perf_counter_ns() - start)
            hits += len(found)
        report(f"qgis_tap_{name}", times, hits)


def main():
    folder = Path(sys.argv[1])
    only = sys.argv[2] if len(sys.argv) > 2 else None
    try:
        canvas = Canvas()
    except ImportError:
        canvas = None
    for count in SIZES:
        if only not in (None, f"layers_{count}"):
            continue
        for kind in ("polygons", "points"):
            measure_shapely(kind, count)
            if canvas:
                canvas.measure(f"{kind}_{count}", [folder / f"identify_{kind}_{count}.fgb"])
    if canvas and only in (None, "all"):
        paths = [folder / f"identify_{kind}_100000.fgb" for kind in ("points", "lines", "polygons")]
        canvas.measure("all", paths)
    if canvas:
        # QGIS does not survive the end of Python.
        sys.stdout.flush()
        os._exit(0)


if __name__ == "__main__":
    main()

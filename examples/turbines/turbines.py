#!/usr/bin/python3
"""Turbines and premises: which premises are closer to a wind turbine than the law allows, by how much, and a picture.

    turbines.py [--distance 2] [--output turbines.png]

The distance is in kilometres and measured on the ellipsoid. The two files are in different spatial references; one join
of the two layers finds all pairs. It runs in the quickstart's environment:
.build/venv/bin/python3 examples/turbines/turbines.py
"""
import argparse
import sys
from pathlib import Path

import alidade
from alidade import Unit
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import drawing  # noqa: E402

# The map and its top left corner, and the list next to it.
SIZE, LEFT, TOP, LIST_WIDTH = (900, 740), drawing.MARGIN, drawing.Sheet.HEADER, 320
# Where the columns of the list begin: premises, distance, turbine, how many others.
COLUMNS = (0, 96, 164, 222)
RED, GREEN, BLUE, ZONE, RIM = (205, 30, 40), (60, 140, 80), (30, 70, 160), (245, 190, 0, 90), (150, 110, 0)
LAND = (240, 242, 236)
# How many lines of the table the picture has.
LINES = 29


class App:
    """The two layers, and what they have to do with each other."""

    def __init__(self, runtime):
        self.runtime = runtime
        self.wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
        self.utm = alidade.SpatialReference.from_code(runtime, 25832)
        self.turbines = self.layer("turbines.csv", self.utm)
        self.premises = self.layer("premises.csv", self.wgs84)

    def layer(self, name, reference):
        """A file does not state its spatial reference; the program knows it."""
        layer = alidade.FeatureLayer.from_path(self.runtime, HERE / "data" / name, spatial_reference=reference)
        layer.load()
        return layer

    def breaches(self, distance_km):
        """Each premises in breach: its id, the ids of the turbines, the nearest first, and the distances in kilometres."""
        pairs = self.premises.query_pairs(self.turbines, max_distance=distance_km, unit=Unit.KILOMETRE, geodesic=True)
        if pairs.skipped_count:
            raise RuntimeError(f"{pairs.skipped_count} pairs could not be compared: {pairs.first_reason}")
        found = {}
        for premises, turbine, distance in zip(pairs.ids.tolist(), pairs.other_ids.tolist(), pairs.distances.tolist()):
            found.setdefault(premises, []).append((turbine, distance))
        return found

    def names(self, layer):
        return {feature.id: feature.attributes["name"] for feature in layer.source.query(with_geometry=False)}


def table(app, breaches):
    """A line for each premises in breach, the nearest to a turbine first."""
    turbines, premises = app.names(app.turbines), app.names(app.premises)
    for number, near in sorted(breaches.items(), key=lambda item: item[1][0][1]):
        turbine, distance = near[0]
        others = f"and {len(near) - 1} more" if len(near) > 1 else ""
        yield f"{premises[number]:<14}", f"{distance:6.3f} km", f"from {turbines[turbine]}", others


def make_view(app, breaches, distance_km):
    """The zones around the turbines, and both layers; premises in breach are red."""
    view = alidade.View(alidade.Map(app.runtime, alidade.SpatialReference.from_code(app.runtime, 3857)), *SIZE)
    zones = alidade.GraphicsOverlay(app.runtime, alidade.SimpleRenderer(
        alidade.FillSymbol(ZONE, alidade.LineSymbol(RIM, 1.5))))
    places = app.turbines.source.query().geometries
    circles = places.geodesic_buffer_union(distance_km, unit=Unit.KILOMETRE)
    zones.add(circles)
    marks = alidade.GraphicsOverlay(app.runtime)
    green, red = (alidade.MarkerSymbol(color, 6) for color in (GREEN, RED))
    for feature in app.premises.source.query():
        marks.add(feature.geometry, symbol=red if feature.id in breaches else green)
    blue = alidade.MarkerSymbol(BLUE, 11, alidade.graphics.MarkerStyle.TRIANGLE)
    for feature in app.turbines.source.query():
        marks.add(feature.geometry, symbol=blue)
    for overlay in (zones, marks):
        view.add_overlay(overlay)
    view.zoom_to_geometry(circles, 30)
    return view


def draw_sheet(view, lines, title, distance_km):
    width = SIZE[0] + LIST_WIDTH + 3 * drawing.MARGIN
    sheet = drawing.Sheet(width, TOP + SIZE[1] + 36, title,
                          "Distances are measured on the ellipsoid. The premises and turbines are invented.")
    axes = sheet.map(view, LEFT, TOP, LAND)
    marks = [("^", BLUE, 9, "turbine"), ("o", RED, 6, "premises, too close"), ("o", GREEN, 6, "premises, far enough")]
    handles = [Line2D([], [], linestyle="", marker=shape, markersize=size * 0.8, color=drawing.rgb(color), label=name)
               for shape, color, size, name in marks]
    handles.append(Patch(facecolor=[*drawing.rgb(ZONE[:3]), 0.35], edgecolor=drawing.rgb(RIM),
                         label=f"less than {distance_km:g} km from a turbine"))
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(-0.01, 0), ncol=4, frameon=False, fontsize=8)
    drawing.scale_bar(axes, view, 140)
    drawing.north_arrow(axes, view)
    left = SIZE[0] + 2 * drawing.MARGIN
    for row, line in enumerate([("premises", "distance", "nearest", ""), *lines[:LINES]]):
        for column, text in zip(COLUMNS, line):
            sheet.text(left + column, TOP + 24 * row, text.strip().removeprefix("from "), 12,
                       drawing.INK if row else drawing.FAINT)
    if len(lines) > LINES:
        sheet.text(left, TOP + 24 * (LINES + 1), f"and {len(lines) - LINES} more premises", 12, drawing.FAINT)
    return sheet


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--distance", type=float, default=2, help="the smallest distance that is allowed, in km")
    parser.add_argument("--output", type=Path, default=Path("turbines.png"), help="the picture")
    arguments = parser.parse_args()
    with alidade.Runtime() as runtime:
        app = App(runtime)
        breaches = app.breaches(arguments.distance)
        lines = list(table(app, breaches))
        count = len(app.names(app.premises))
        title = f"{len(lines)} of {count} premises are closer to a turbine than {arguments.distance:g} km"
        print(title)
        for line in lines:
            print(f"    {line[0]}{' '.join(line[1:3])}  {line[3]}".rstrip())
        view = make_view(app, breaches, arguments.distance)
        draw_sheet(view, lines, title, arguments.distance).save(arguments.output)
    print(f"The picture is {arguments.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

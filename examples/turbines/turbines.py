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
from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "buffers"))
from painter import paint  # noqa: E402

SIZE, LIST_WIDTH, MARGIN, HEADER = (900, 760), 320, 24, 84
# Where the columns of the list begin: premises, distance, turbine, how many others.
COLUMNS = (0, 96, 164, 222)
PAPER, LAND, INK, FAINT, FRAME = (250, 249, 246), (240, 242, 236), (38, 42, 48), (118, 122, 128), (196, 194, 188)
RED, GREEN, BLUE, ZONE = (205, 30, 40), (60, 140, 80), (30, 70, 160), (245, 190, 0, 90)
# How many lines of the table the picture has.
LINES = 24


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


def draw_map(app, breaches, distance_km):
    """The zones around the turbines, and both layers; premises in breach are red."""
    view = alidade.View(alidade.Map(app.runtime, alidade.SpatialReference.from_code(app.runtime, 3857)), *SIZE)
    zones = alidade.GraphicsOverlay(app.runtime, alidade.SimpleRenderer(
        alidade.FillSymbol(ZONE, alidade.LineSymbol((150, 110, 0), 1.5))))
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
    image = paint(view.overlay_drawing(), Image.new("RGB", SIZE, LAND))
    return image, view


def draw_sheet(picture, lines, title, subtitle):
    width, height = SIZE[0] + LIST_WIDTH + 3 * MARGIN, SIZE[1] + HEADER + MARGIN
    sheet = Image.new("RGB", (width, height), PAPER)
    draw = ImageDraw.Draw(sheet)
    draw.text((MARGIN, 20), title, INK, font(22))
    draw.text((MARGIN, 52), subtitle, FAINT, font(13))
    sheet.paste(picture, (MARGIN, HEADER))
    draw.rectangle((MARGIN - 1, HEADER - 1, MARGIN + SIZE[0], HEADER + SIZE[1]), outline=FRAME)
    left = SIZE[0] + 2 * MARGIN
    for row, line in enumerate(lines[:LINES]):
        for column, text in zip(COLUMNS, line):
            draw.text((left + column, HEADER + 24 * row), text.strip(), INK, font(12))
    if len(lines) > LINES:
        draw.text((left, HEADER + 24 * LINES), f"and {len(lines) - LINES} more", FAINT, font(12))
    return sheet


def font(size):
    """DejaVu Sans if the machine has it (Debian: fonts-dejavu-core), otherwise Pillow's own font."""
    try:
        return ImageFont.truetype("DejaVuSans.ttf", size)
    except OSError:
        return ImageFont.load_default()


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
        picture, _view = draw_map(app, breaches, arguments.distance)
        subtitle = "Distances on the ellipsoid. Triangles: turbines. Red: premises in breach. Yellow: the zone."
        draw_sheet(picture, lines, title, subtitle).save(arguments.output)
    print(f"The picture is {arguments.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Buffers around tapped points, separate or united, with undo. Plays taps and draws what the user sees.

    buffers.py [--output buffers.png] [--geojson buffers.geojson]

The map is in EPSG:32038, whose unit is the US survey foot; radii are in miles. It runs in the quickstart's environment:
.build/venv/bin/python3 examples/buffers/buffers.py
"""
import argparse
import json
import sys
from pathlib import Path

import alidade
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import drawing  # noqa: E402

# North Central Texas, in Lambert's conformal conic projection.
MAP_CODE = 32038
# Longitudes and latitudes in WGS 84 within which the projection is good.
BOUNDARY = [(-103.07, 31.72), (-103.07, 34.58), (-94.0, 34.58), (-94.0, 31.72)]
CENTRE, SCALE = (-98.535, 33.15), 8_000_000
SIZE = (480, 320)

# Names on the map, and where they are written.
STATES = {"Texas": (-97.3, 30.9), "Oklahoma": (-96.9, 35.2), "New\nMexico": (-103.55, 34.9)}

YELLOW_60, GREEN, RED = (255, 255, 0, 153), (0, 128, 0), (255, 0, 0)
BUFFER = alidade.FillSymbol(YELLOW_60, alidade.LineSymbol(GREEN, 3))
TAPPED = alidade.MarkerSymbol(RED, 10, alidade.graphics.MarkerStyle.CIRCLE)
OUTLINE = alidade.LineSymbol(RED, 5, alidade.graphics.LineStyle.DASH)


class App:
    """What an application needs in addition to Alidade: a radius, a switch, and messages for its user."""

    def __init__(self, runtime):
        self.runtime = runtime
        self.wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
        self.reference = alidade.SpatialReference.from_code(runtime, MAP_CODE)
        self.map = alidade.Map(runtime, self.reference)
        drawing.add_base(self.map, runtime)
        self.view = alidade.View(self.map, *SIZE)
        self.view.set_viewpoint(CENTRE, self.wgs84, SCALE)
        # Buffers are computed from the points, so undo covers only the points.
        never = alidade.graphics.GraphicsOverlayOptions(undo_limit=0)
        self.buffers = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(BUFFER), never, name="buffers")
        self.border = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(OUTLINE), never, name="boundary")
        self.points = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(TAPPED), name="points")
        for overlay in (self.buffers, self.border, self.points):
            self.view.add_overlay(overlay)
        self.boundary = alidade.Geometry.from_coordinates(
            runtime, alidade.geometry.GeometryKind.POLYGON, BOUNDARY, spatial_reference=self.wgs84)
        self.border.add(self.boundary)
        # What the user sees: edges that are straight on the map.
        self.boundary_on_map = self.boundary.project(self.reference).geometry
        self.radius = None
        self.is_union = False
        self.status = "Enter a radius in miles, then tap within the boundary."

    # What the user does

    def enter(self, text):
        """Sets the radius from a typed text. A text that is not valid does not change the radius."""
        try:
            radius = float(text)
        except ValueError:
            self.status = f"'{text}' is not a number. Enter a radius in miles."
            return
        if not 0 < radius < 300:
            self.status = f"The radius must be more than 0 and less than 300 miles, not {text}."
            return
        self.radius = radius
        self.status = f"Radius {radius:g} miles. Tap within the boundary."

    def tap(self, screen):
        """Adds a point with the current radius."""
        place = self.view.screen_to_map(screen)[0]
        if self.radius is None:
            self.status = "Enter a radius in miles first."
            return
        point = alidade.Geometry.from_coordinates(
            self.runtime, alidade.geometry.GeometryKind.POINT, [place], spatial_reference=self.reference)
        if not self.boundary_on_map.contains(point):
            self.status = "Tap within the boundary."
            return
        self.points.add(point, attributes={"radius_miles": self.radius})
        self.renew()

    def toggle_union(self):
        self.is_union = not self.is_union
        self.renew()

    def undo(self):
        if self.points.undo():
            self.renew()
        else:
            self.status = "There is nothing to undo."

    def clear(self):
        self.points.clear()
        self.renew()

    # Buffers

    def tapped(self):
        """The points as an array, and their radii."""
        ids = self.points.ids
        places = numpy.array([self.points.geometry(number).xy[0] for number in ids])
        array = alidade.GeometryArray.from_columns(
            self.runtime, places.reshape(-1, 2), kind=alidade.geometry.GeometryKind.POINT, spatial_reference=self.reference)
        return array, [self.points.attribute(number, "radius_miles") for number in ids]

    def renew(self):
        """Computes the planar buffers of all points in the map's plane."""
        array, radii = self.tapped()
        self.buffers.clear()
        if radii and self.is_union:
            united = array.buffer_union(radii, unit=alidade.Unit.STATUTE_MILE)
            self.buffers.add(united, attributes={"points": len(radii)})
        elif radii:
            self.buffers.add_many(
                array.buffers(radii, unit=alidade.Unit.STATUTE_MILE), attributes={"radius_miles": radii})
        points = f"{len(radii)} point{'s' * (len(radii) != 1)}"
        self.status = f"{points}, {'united' if self.is_union else 'separate'} buffers." if radii else "No points."

    # What comes out

    def draw(self, axes):
        """What is written on the picture that the user sees."""
        shown = self.view.overlay_drawing()
        if shown.failures:
            raise RuntimeError(f"not all can be drawn: {shown.failures}")
        for name, place in STATES.items():
            point = self.wgs84.project([place], self.reference).points
            drawing.label(axes, self.view.map_to_screen(point)[0], name, 10, drawing.FAINT, "center")
        for number in self.points.ids:
            x, y = self.view.map_to_screen(self.points.geometry(number).xy)[0]
            drawing.label(axes, (x, y - 8), f"{self.points.attribute(number, 'radius_miles'):g} mi", 10, align="center",
                          level="bottom")
        drawing.scale_bar(axes, self.view, system=alidade.units.UnitSystem.IMPERIAL)

    def geojson(self):
        """All graphics as GeoJSON, in WGS 84."""
        features = []
        for overlay in self.view.overlays:
            for number in overlay.ids:
                geometry = overlay.geometry(number).project(self.wgs84).geometry
                features.append({"type": "Feature", "properties": {"overlay": overlay.name, **overlay[number].attributes},
                                 "geometry": geometry.__geo_interface__})
        return {"type": "FeatureCollection", "features": features}


def story(app):
    """What the user does: (what is done, whether the picture is kept) after each step."""
    taps = [(150, 150), (215, 165), (290, 140)]
    yield "Begin", False
    app.tap(taps[0])
    yield "Tap before a radius", False
    for text in ("fifty", "0", "300", "-20", "nan", "60"):
        app.enter(text)
        yield f"Enter {text!r}", False
    app.tap(taps[0])
    yield f"Tap {taps[0]}", False
    app.tap((10, 10))
    yield "Tap (10, 10)", True
    app.enter("45")
    yield "Enter '45'", False
    app.tap(taps[1])
    yield f"Tap {taps[1]}", False
    app.enter("80")
    yield "Enter '80'", False
    app.tap(taps[2])
    yield f"Tap {taps[2]}", True
    app.toggle_union()
    yield "Union on", True
    app.undo()
    yield "Undo", True
    app.clear()
    yield "Clear", True
    app.undo()
    yield "Undo", False
    app.tap((300, 190))
    yield "Tap (300, 190)", True


def make_sheet():
    return drawing.Grid(
        6, SIZE, "Buffers around tapped points", "Texas in Lambert's conformal conic projection (EPSG:32038). Radii in miles, "
        "in the plane of the map. Only points within the dashed boundary are taken.", lines=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("buffers.png"), help="the picture")
    parser.add_argument("--geojson", type=Path, default=Path("buffers.geojson"), help="what is on the map at the end")
    arguments = parser.parse_args()
    sheet = make_sheet()
    kept = 0
    with alidade.Runtime() as runtime:
        app = App(runtime)
        for step, is_kept in story(app):
            print(f"{step} | {len(app.points)} | {len(app.buffers)} | {app.status}")
            if is_kept:
                app.draw(sheet.panel(kept, step, [app.status], view=app.view, background=drawing.WATER))
                kept += 1
        arguments.geojson.write_text(json.dumps(app.geojson()) + "\n")
    sheet.save(arguments.output)
    print(f"The picture is {arguments.output}, the features are in {arguments.geojson}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""A tap on a city of a world map: everything that lies under the finger, with the proof, and a picture of it.

    world_identify.py [--tap 470 330] [--tolerance 22] [--output world_identify.png]

The map has countries, rivers, lakes and cities over an elevation raster, and a flight as a graphic. It is in Equal Earth,
the data are in longitudes and latitudes. It runs in the quickstart's environment:
.build/venv/bin/python3 examples/world_identify/world_identify.py

README.md shows picture.png, which this program writes with `--output examples/world_identify/picture.png --colors 256`.
"""
import argparse
import sys
from pathlib import Path

import alidade
import numpy
from alidade import PopupDefinition
from alidade.identify import PopupField, SnapFlags
from matplotlib.patches import Polygon, Rectangle

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import drawing  # noqa: E402

EQUAL_EARTH = 8857
SIZE, SCALE, CENTRE = (860, 640), 3_000_000, (14.9, -4.55)
# Kinshasa is at (15.313, -4.328); a finger is not exact.
TAP, TOLERANCE = (482.0, 286.0), 22.0
# Where the user draws a line that begins on a river and ends on a border.
SNAPS = [("near the river", (640.0, 93.0), "rivers", SnapFlags.VERTEX),
         ("near the border", (250.0, 380.0), "countries", SnapFlags.EDGE)]

HIT, SNAP, WATER, BORDER = (230, 0, 90), (0, 110, 50), (20, 90, 190), (70, 60, 60)
RELIEF = alidade.RasterRenderer(
    alidade.layers.RasterRendererKind.STRETCH, minimum=-1000, maximum=2000,
    ramp=[(128, 166, 204, 255), (160, 194, 222, 255), (196, 220, 236, 255), (176, 208, 162, 255), (206, 222, 172, 255),
          (232, 224, 178, 255), (222, 196, 148, 255), (206, 170, 130, 255), (192, 152, 128, 255), (214, 196, 186, 255)])
COUNTRY = alidade.FillSymbol((255, 255, 255, 40), alidade.LineSymbol(BORDER, 1.5))
LAKE = alidade.FillSymbol((150, 188, 218), alidade.LineSymbol(WATER, 1))
RIVER = alidade.LineSymbol(WATER, 2.5)
FLIGHT = alidade.LineSymbol((120, 40, 140), 2, alidade.graphics.LineStyle.DASH)


def city_symbol(size):
    return alidade.MarkerSymbol((250, 250, 250), size, outline=alidade.LineSymbol((30, 30, 30), 1.5))


CITY = alidade.graphics.ClassBreaksRenderer("rank_max", 0, [(9, city_symbol(6)), (11, city_symbol(8)), (14, city_symbol(11))])
PEOPLE = PopupField("pop_max", decimals=0, digit_separator=",")
POPUPS = {
    "cities": PopupDefinition("{name}", "A city of {adm0name} with {pop_max} inhabitants.", [PEOPLE, PopupField("rank_max")]),
    "rivers": PopupDefinition("{name}", "A river of rank {scalerank}.", [PopupField("scalerank")]),
    "lakes": PopupDefinition("{name}", "{featurecla}"),
    "countries": PopupDefinition(
        "{name}", "A country in {continent} with {pop_est} inhabitants.",
        [PopupField("pop_est", decimals=0, digit_separator=","), PopupField("gdp_md_est", digit_separator=",")]),
    "flights": PopupDefinition("Flight {flight}", "From {from} to {to}."),
}


class App:
    """A world map and a view of it."""

    def __init__(self, runtime):
        self.runtime = runtime
        self.wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
        self.map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, EQUAL_EARTH))
        self.elevation = alidade.RasterLayer.from_path(runtime, HERE / "data" / "elevation.tif")
        self.elevation.name, self.elevation.renderer = "elevation", RELIEF
        self.map.add_basemap_layer(self.elevation)
        self.layers = {name: self.feature_layer(name, renderer) for name, renderer in {
            "countries": alidade.SimpleRenderer(COUNTRY), "lakes": alidade.SimpleRenderer(LAKE),
            "rivers": alidade.SimpleRenderer(RIVER), "cities": CITY}.items()}
        water = alidade.GroupLayer(runtime)
        water.name = "water"
        for name in ("lakes", "rivers"):
            water.append(self.layers[name])
        for layer in (self.layers["countries"], water, self.layers["cities"]):
            self.map.add_layer(layer)
        # Lakes are for closer looks.
        self.layers["lakes"].min_scale = 1_000_000
        self.map.load()
        self.view = alidade.View(self.map, *SIZE, pixel_density=drawing.DENSITY)
        self.view.set_viewpoint(CENTRE, self.wgs84, SCALE)
        self.flights = self.flight_overlay()

    def feature_layer(self, name, renderer):
        layer = alidade.FeatureLayer.from_path(self.runtime, HERE / "data" / f"{name}.fgb", renderer=renderer)
        layer.name = name
        layer.set_popup_definition(POPUPS[name])
        return layer

    def flight_overlay(self):
        """A flight along the shortest path on the ellipsoid."""
        overlay = alidade.GraphicsOverlay(self.runtime, alidade.SimpleRenderer(FLIGHT), name="flights")
        overlay.set_popup_definition(POPUPS["flights"])
        ends = [self.city(name).geometry.xy[0] for name in ("Kinshasa", "Johannesburg")]
        straight = alidade.Geometry.from_coordinates(
            self.runtime, alidade.geometry.GeometryKind.POLYLINE, ends, spatial_reference=self.wgs84)
        overlay.add(straight.densified(50_000, geodesic=True),
                    attributes={"flight": "AL 17", "from": "Kinshasa", "to": "Johannesburg"})
        self.view.add_overlay(overlay)
        return overlay

    def city(self, name):
        return next(iter(self.layers["cities"].source.query(where=f"name = '{name}'")))

    def lake(self, name):
        return next(iter(self.layers["lakes"].source.query(where=f"name = '{name}'", with_geometry=False)))

    def identify(self, tap=TAP, tolerance=TOLERANCE):
        return self.view.identify(tap, tolerance, alidade.identify.ALL)

    def misses(self, tap=TAP, tolerance=TOLERANCE):
        """Why two other things are not among the hits."""
        for layer, feature in (("cities", self.city("Matadi")), ("lakes", self.lake("Lake Tanganyika"))):
            name = feature.attributes["name"]
            yield name, self.view.why_not(self.layers[layer], tap, tolerance, id=feature.id)

    def snaps(self, tolerance=TOLERANCE):
        for what, point, layer, kinds in SNAPS:
            yield what, point, self.view.snap(point, tolerance, kinds, layers=[self.layers[layer]])

    def cities_on_screen(self):
        """All cities, and where the view has them."""
        cities = list(self.layers["cities"].source.query())
        degrees = numpy.array([city.geometry.xy[0] for city in cities])
        return cities, self.view.map_to_screen(self.wgs84.project(degrees, self.map.spatial_reference).points)

    def degrees(self, points):
        """Longitudes and latitudes of points of the map."""
        return self.map.spatial_reference.project(points, self.wgs84).points


# The answer as text


def place(app, point):
    longitude, latitude = app.degrees([point])[0]
    return f"{abs(latitude):.4f}° {'NS'[int(latitude < 0)]} {abs(longitude):.4f}° {'EW'[int(longitude < 0)]}"


def flags(reasons):
    return ", ".join(reason.name.lower().replace("_", " ") for reason in type(reasons) if reason in reasons)


def proof(app, element):
    """How an element was hit, in lines."""
    if element.cell is not None:
        cell = element.cell
        yield f"cell in column {cell.column}, row {cell.row}; its centre is at {place(app, cell.center)}"
        return
    evidence = element.evidence
    yield (f"{evidence.zone.name.lower()}: footprint {evidence.distance_dip:.2f} DIP, geometry "
           f"{evidence.nearest_distance_dip:.2f} DIP and {evidence.distance_m:.0f} m away")
    edge = "" if evidence.segment_index is None else f", edge {evidence.segment_index}"
    yield (f"nearest point {place(app, evidence.nearest_point)}: part {evidence.part_index}, path {evidence.path_index}"
           f"{edge}, vertex {evidence.vertex_index}")


def title(element):
    if element.cell is not None:
        return element.attributes[0].text
    return element.popup.title if element.popup else f"{element.kind.name.lower()} {element.id}"


def heading(part):
    return part.overlay.name if part.layer is None else part.layer.name


def answer(app, tap=TAP, tolerance=TOLERANCE):
    """The whole answer, in lines."""
    found = app.identify(tap, tolerance)
    yield f"A tap at ({tap[0]:g}, {tap[1]:g}) within {tolerance:g} DIP, at {place(app, found.map_point)}"
    number = 0
    for part in found.parts:
        indent = "" if part.parent_index is None else "  "
        if part.layer is app.map.layers[1]:
            yield f"{heading(part)}: a group, {part.hit_count} hits"
            continue
        reasons = f" ({flags(part.reasons)})" if part.reasons else ""
        yield f"{indent}{heading(part)}: {part.hit_count} hits{reasons}"
        for element in (found[index] for index in part.elements):
            number += 1
            yield f"{indent}  {number}. {title(element)}"
            yield from (f"{indent}       {line}" for line in proof(app, element))
            for attribute in element.attributes:
                yield f"{indent}       {attribute.alias or attribute.name}: {attribute.text}"
            if element.popup:
                yield f"{indent}       popup: {element.popup.text}"
                yield from (f"{indent}       popup: {row.label} = {row.text}" for row in element.popup.rows)
    for what, point, snap in app.snaps(tolerance):
        vertex = f"vertex {snap.vertex_index}" if snap.vertex_index is not None else f"edge {snap.segment_index}"
        yield (f"Snap {what}, from ({point[0]:g}, {point[1]:g}): {snap.distance_dip:.2f} DIP to {vertex} of "
               f"{snap.layer.name} {snap.id}, {place(app, snap.map_point)}")
    for name, miss in app.misses(tap, tolerance):
        far = "" if numpy.isnan(miss.distance_dip) else f", {miss.distance_dip:.2f} DIP away"
        scale = "" if miss.scale_factor == 1 else f", the scale must be multiplied by {miss.scale_factor:.4f}"
        yield f"Why not {name}: {flags(miss.reasons)}{far}{scale}"


# The picture

ZOOM, LENS, OVERVIEW, PANEL = 5, 250, (250, 122), 400


def draw_sheet(app, tap=TAP, tolerance=TOLERANCE):
    found = app.identify(tap, tolerance)
    lines = list(panel_lines(app, found, tap, tolerance))
    left, top = drawing.MARGIN, drawing.Sheet.HEADER
    height = max(SIZE[1], sum(height for height, _ in lines))
    sheet = drawing.Sheet(
        SIZE[0] + PANEL + 3 * left, top + height + left, f"{len(found)} hits under one finger",
        f"A tap at {place(app, found.map_point)} within {tolerance:g} DIP on a map in Equal Earth, "
        f"{drawing.scale_text(app.view.state.scale)}. Squares are stored cells of the elevation raster.")
    app.view.add_overlay(highlights(app, found))
    draw_map(app, sheet, left, top, tap, tolerance)
    draw_lens(app, sheet, left + SIZE[0] - LENS - 10, top + SIZE[1] - LENS - 10, found, tap, tolerance)
    draw_overview(app, sheet, left + 10, top + 10)
    for height, texts in lines:
        for indent, words, size, color in texts:
            sheet.text(SIZE[0] + 2 * left + indent, top, words, size, color)
        top += height
    return sheet


def highlights(app, found):
    """An overlay with all hits, the lowest first: each as a wide bright line, and then as it is."""
    overlay = alidade.GraphicsOverlay(app.runtime)
    for element in reversed([element for element in found if element.cell is None]):
        name = element.layer.name if element.layer else "flights"
        if name == "cities":
            rank = element["rank_max"]
            size = next(symbol.size_dip for bound, symbol in CITY.breaks if rank <= bound)
            glow, symbol = alidade.MarkerSymbol(HIT, size + 5), city_symbol(size)
        else:
            symbol = {"rivers": RIVER, "flights": FLIGHT, "lakes": LAKE.outline, "countries": COUNTRY.outline}[name]
            glow = alidade.LineSymbol(HIT, symbol.width_dip + 2.5)
        for one in (glow, symbol):
            if name in ("countries", "lakes"):
                one = alidade.FillSymbol((*HIT, 8), one)
            overlay.add(element.geometry, symbol=one)
    return overlay


def draw_map(app, sheet, left, top, tap, tolerance):
    """The view, with the tap, its circle and the hits."""
    axes = sheet.map(app.view, left, top)
    circle_of(axes, tap, tolerance, 1.5)
    for what, point, snap in app.snaps(tolerance):
        drawing.line(axes, [point, snap.screen_point], width=1.5)
        drawing.circle(axes, point, 2.5, width=2.5)
        drawing.circle(axes, snap.screen_point, 5, SNAP, 2.5)
        drawing.label(axes, numpy.add(snap.screen_point, (10, 14)), f"snap {what}", 11, SNAP)
    cities, places = app.cities_on_screen()
    drawing.names(axes, [(point, city.attributes["name"]) for city, point in zip(cities, places)
                         if numpy.hypot(*(point - tap)) > 2 * tolerance and not is_covered(point)])
    right = SIZE[0] - LENS - 10
    drawing.label(axes, (right + 4, SIZE[1] - LENS - 20), f"the same screen, {ZOOM} times as large", 11)
    drawing.scale_bar(axes, app.view, right=right)
    drawing.north_arrow(axes, app.view, (right - 27, SIZE[1] - 58))


def is_covered(point):
    """Whether the overview or the lens, with its title, lie over a name that begins at a screen point."""
    x, y = point
    return (x < OVERVIEW[0] + 20 and y < OVERVIEW[1] + 30) or (x > SIZE[0] - LENS - 140 and y > SIZE[1] - LENS - 40)


def circle_of(axes, point, radius, width):
    drawing.circle(axes, point, radius, drawing.WHITE, width + 2.5)
    drawing.circle(axes, point, radius, drawing.INK, width)


def draw_lens(app, sheet, left, top, found, tap, tolerance):
    """The surroundings of the tap on the screen, enlarged, with the number of each hit at its nearest point, or at the edge
    towards that point."""
    size = LENS / ZOOM
    lens = alidade.View(app.map, size, size, pixel_density=drawing.DENSITY * ZOOM)
    lens.set_viewpoint(app.view.screen_to_map(tap)[0], scale=app.view.state.scale)
    # An overlay can be in one view only.
    overlays = list(app.view.overlays)
    for overlay in overlays:
        app.view.remove_overlay(overlay)
        lens.add_overlay(overlay)
    axes = sheet.map(lens, left, top, zoom=ZOOM, order=1)
    middle = numpy.array((size / 2, size / 2))
    circle_of(axes, middle, tolerance, 2)
    for step in ((1.5, 0), (0, 1.5)):
        drawing.line(axes, [middle - step, middle + step], width=1.5)
    numbers = {}
    for number, element in enumerate(found, start=1):
        if element.evidence is not None:
            at = lens.map_to_screen([element.evidence.nearest_point])[0]
            numbers.setdefault(tuple(at.clip(2.5, size - 2.5).round(1)), []).append(str(number))
    for point, texts in numbers.items():
        axes.text(*point, " ".join(texts), fontsize=8, color="white", ha="center", va="center", zorder=2 * drawing.ABOVE,
                  clip_on=True, bbox={"boxstyle": "round,pad=0.25,rounding_size=0.8", "facecolor": drawing.rgb(HIT),
                                      "edgecolor": "white"})
    for overlay in overlays:
        lens.remove_overlay(overlay)
        app.view.add_overlay(overlay)


def draw_overview(app, sheet, left, top):
    """The whole world, and where the view is."""
    view = alidade.View(app.map, *OVERVIEW, pixel_density=drawing.DENSITY)
    view.set_viewpoint((0, 0), scale=540_000_000)
    app.layers["countries"].set_renderer(alidade.SimpleRenderer(
        alidade.FillSymbol((255, 255, 255, 40), alidade.LineSymbol(BORDER, 0.4))))
    axes = sheet.picture(left, top, *OVERVIEW, drawing.PAPER, order=1)
    view.plot(axes, layers=[app.elevation, app.layers["countries"]])
    app.layers["countries"].set_renderer(alidade.SimpleRenderer(COUNTRY))
    # The earth ends at the meridian of 180 degrees.
    north = [(180, latitude) for latitude in range(-90, 91)]
    edge = app.wgs84.project(north + [(-x, y) for x, y in north[::-1]], app.map.spatial_reference).points
    earth = Polygon(view.map_to_screen(edge), fill=False, edgecolor=drawing.rgb(drawing.FRAME), transform=axes.transData)
    for artist in (*axes.images, *(patch for patch in axes.patches if 0 < patch.zorder < drawing.ABOVE)):
        artist.set_clip_path(earth)
    axes.add_patch(earth)
    (x, y), (right, bottom) = view.map_to_screen(app.view.screen_to_map([(0, 0), SIZE]))
    axes.add_patch(Rectangle((x - 2, y - 2), right - x + 4, bottom - y + 4, fill=False, edgecolor=drawing.rgb(HIT),
                             linewidth=1.5, zorder=drawing.ABOVE))


def panel_lines(app, found, tap, tolerance):
    """The answer as texts: the height of each row, and its texts with their indents, sizes and colours."""
    ink, faint, number = drawing.INK, drawing.FAINT, 0
    for part in found.parts:
        if part.layer is app.map.layers[1]:
            continue
        reasons = f"   not hit: {flags(part.reasons)}" if part.reasons else ""
        yield 17, [(0, heading(part) + reasons, 11, faint)]
        for element in (found[index] for index in part.elements):
            number += 1
            yield 18, [(0, f"{number}", 13, HIT), (18, title(element), 13, ink)]
            if element.popup:
                yield 14, [(18, element.popup.text, 10, ink)]
            for line in proof(app, element):
                yield 14, [(18, line, 10, faint)]
            yield 6, []
        yield 3, []
    for name, miss in app.misses(tap, tolerance):
        far = "" if numpy.isnan(miss.distance_dip) else f", {miss.distance_dip:.1f} DIP away"
        yield 15, [(0, f"Why not {name}?", 11, ink)]
        yield 19, [(18, f"{flags(miss.reasons)}{far}", 10, faint)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tap", type=float, nargs=2, default=TAP, metavar=("X", "Y"), help="the screen point in DIP")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, help="the radius around it in DIP")
    parser.add_argument("--output", type=Path, default=Path("world_identify.png"), help="the picture")
    parser.add_argument("--colors", type=int, help="how many colours it has at most, for a small file")
    arguments = parser.parse_args()
    with alidade.Runtime() as runtime:
        app = App(runtime)
        for line in answer(app, arguments.tap, arguments.tolerance):
            print(line)
        draw_sheet(app, tuple(arguments.tap), arguments.tolerance).save(arguments.output, arguments.colors)
    print(f"The picture is {arguments.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

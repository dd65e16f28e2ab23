#!/usr/bin/python3
"""A tap on a city of a world map: everything that lies under the finger, with the proof, and a picture of it.

    world_identify.py [--tap 470 330] [--tolerance 22] [--output world_identify.png]

The map has countries, rivers, lakes and cities over an elevation raster, and a flight as a graphic. It is in Equal Earth,
the data are in longitudes and latitudes. It runs in the quickstart's environment:
.build/venv/bin/python3 examples/world_identify/world_identify.py
"""
import argparse
import dataclasses
import sys
from pathlib import Path

import alidade
import numpy
from alidade import PopupDefinition
from alidade.identify import PopupField, SnapFlags
from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "buffers"))
from painter import paint_item  # noqa: E402

EQUAL_EARTH = 8857
SIZE, SCALE, CENTRE = (860, 640), 3_000_000, (14.9, -4.55)
# Kinshasa is at (15.313, -4.328); a finger is not exact.
TAP, TOLERANCE = (482.0, 286.0), 22.0
# Where the user draws a line that begins on a river and ends on a border.
SNAPS = [("near the river", (640.0, 93.0), "rivers", SnapFlags.VERTEX),
         ("near the border", (250.0, 380.0), "countries", SnapFlags.EDGE)]

INK, FAINT, PAPER, FRAME = (38, 42, 48), (118, 122, 128), (250, 249, 246), (196, 194, 188)
HIT, TAPPED, WATER, BORDER = (230, 0, 90), (255, 255, 255), (20, 90, 190), (70, 60, 60)
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
        self.view = alidade.View(self.map, *SIZE)
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

DENSITY, SMOOTH, ZOOM = 2, 2, 5
LENS, OVERVIEW, MARGIN, PANEL, HEADER = 250, (250, 122), 24, 400, 78


def paint(image, items, pixels, origin=(0, 0)):
    """Draws items over an image: a DIP has `pixels` pixels, and `origin` is the point at the top left."""
    draw = ImageDraw.Draw(image, "RGBA")
    for item in items:
        parts = [[path - origin for path in part] for part in item.parts]
        symbol = item.symbol
        if isinstance(symbol, alidade.FillSymbol):
            mask = Image.new("L", image.size)
            alpha = symbol.color[3] if symbol.style is alidade.graphics.FillStyle.SOLID else 0
            for part in parts:
                for number, path in enumerate(part):
                    ImageDraw.Draw(mask).polygon([tuple(point) for point in (path * pixels).tolist()], 0 if number else alpha)
            image.paste(tuple(symbol.color[:3]), mask=mask)
            symbol = symbol.outline
            if symbol is None:
                continue
        paint_item(draw, dataclasses.replace(item, parts=parts, symbol=symbol), pixels)


def drawings(app, view):
    """All items of a view, the lowest first."""
    for name in ("countries", "lakes", "rivers", "cities"):
        if view.layer_state(app.layers[name]).is_active:
            yield from view.feature_drawing(app.layers[name])
    yield from app.view.overlay_drawing() if view is app.view else ()


def highlights(app, found):
    """The items of all hits, the lowest first: each as a wide bright line, and then as it is."""
    hits = {(id(element.layer), element.id) for element in found}
    for name in ("countries", "rivers", "cities", None):
        layer = app.layers[name] if name else None
        items = app.view.feature_drawing(layer) if layer else app.view.overlay_drawing()
        for item in items:
            if (id(layer), item.graphic_id) in hits:
                yield glowing(item)
                yield item


def glowing(item):
    symbol = item.symbol
    if isinstance(symbol, alidade.MarkerSymbol):
        symbol = dataclasses.replace(symbol, color=(*HIT, 255), size_dip=symbol.size_dip + 5, outline=None)
    elif isinstance(symbol, alidade.FillSymbol):
        symbol = alidade.FillSymbol((*HIT, 16), alidade.LineSymbol((*HIT, 255), 4))
    else:
        symbol = alidade.LineSymbol((*HIT, 255), symbol.width_dip + 2.5)
    return dataclasses.replace(item, symbol=symbol)


def relief(app, view, size, pixels):
    """The cells as the view shows them."""
    shown = view.read_rgba(app.elevation)
    image = Image.fromarray(shown).convert("RGBA")
    paper = Image.new("RGBA", image.size, (*PAPER, 255))
    paper.alpha_composite(image)
    return paper.convert("RGB").resize([round(length * pixels) for length in size], Image.NEAREST)


def circle(draw, point, radius, pixels, color, width):
    x, y = (value * pixels for value in point)
    box = (x - radius * pixels, y - radius * pixels, x + radius * pixels, y + radius * pixels)
    draw.ellipse(box, outline=color, width=round(width * pixels))


def label(draw, point, text, size, anchor="lm", color=INK):
    draw.text([value * DENSITY for value in point], text, color, font(size), anchor=anchor, stroke_width=2 * DENSITY,
              stroke_fill=(255, 255, 255))


def draw_map(app, found, tap, tolerance):
    """The view, with the tap, its circle and the hits."""
    pixels = DENSITY * SMOOTH
    image = relief(app, app.view, SIZE, pixels)
    paint(image, drawings(app, app.view), pixels)
    paint(image, highlights(app, found), pixels)
    draw = ImageDraw.Draw(image)
    circle(draw, tap, tolerance, pixels, TAPPED, 4)
    circle(draw, tap, tolerance, pixels, INK, 1.5)
    for _, point, snap in app.snaps(tolerance):
        line = [value * pixels for end in (point, snap.screen_point) for value in end]
        draw.line(line, INK, round(1.5 * pixels))
        circle(draw, snap.screen_point, 5, pixels, (0, 130, 60), 2.5)
        circle(draw, point, 2.5, pixels, INK, 2.5)
    image = image.reduce(SMOOTH)
    draw = ImageDraw.Draw(image)
    for feature, (x, y) in zip(*app.cities_on_screen()):
        if 0 < x < SIZE[0] - 60 and 12 < y < SIZE[1] - 12 and abs(x - tap[0]) + abs(y - tap[1]) > 2 * tolerance:
            label(draw, (x + 9, y), feature.attributes["name"], 11)
    for what, _, snap in app.snaps(tolerance):
        label(draw, numpy.add(snap.screen_point, (10, 14)), f"snap {what}", 11, color=(0, 110, 50))
    return image


def draw_lens(app, found, tap, tolerance):
    """The surroundings of the tap on the screen, enlarged, with the number of each hit at its nearest point."""
    pixels = DENSITY * SMOOTH * ZOOM
    size = LENS / ZOOM
    origin = numpy.subtract(tap, size / 2)
    shown = relief(app, app.view, SIZE, 1).crop((*origin.round(), *(origin + size).round()))
    image = shown.resize([LENS * DENSITY * SMOOTH] * 2, Image.NEAREST)
    paint(image, drawings(app, app.view), pixels, origin)
    paint(image, highlights(app, found), pixels, origin)
    draw = ImageDraw.Draw(image)
    circle(draw, numpy.subtract(tap, origin), tolerance, pixels, TAPPED, 1)
    circle(draw, numpy.subtract(tap, origin), tolerance, pixels, INK, 0.4)
    image = image.reduce(SMOOTH)
    draw = ImageDraw.Draw(image)
    middle = LENS * DENSITY / 2
    for across, down in ((14, 0), (0, 14)):
        draw.line((middle - across, middle - down, middle + across, middle + down), INK, 3)
    numbers = {}
    for number, element in enumerate(found, start=1):
        if element.evidence is not None:
            at = (app.view.map_to_screen([element.evidence.nearest_point])[0] - origin) * ZOOM * DENSITY
            numbers.setdefault(tuple(at.round()), []).append(str(number))
    for (x, y), texts in numbers.items():
        half = 6 + 10 * len(texts)
        draw.rounded_rectangle((x - half, y - 16, x + half, y + 16), 16, HIT, (255, 255, 255), 3)
        draw.text((x, y), " ".join(texts), (255, 255, 255), font(11), anchor="mm")
    return image


def draw_overview(app):
    """The whole world, and where the view is."""
    view = alidade.View(app.map, *OVERVIEW)
    view.set_viewpoint((0, 0), scale=540_000_000)
    pixels = DENSITY * SMOOTH
    image = relief(app, view, OVERVIEW, pixels)
    outlines = [dataclasses.replace(item, symbol=alidade.LineSymbol((*BORDER, 255), 0.4))
                for item in view.feature_drawing(app.layers["countries"])]
    paint(image, outlines, pixels)
    # The earth ends at the meridian of 180 degrees.
    north = [(180, latitude) for latitude in range(-90, 91)]
    edge = app.wgs84.project(north + [(-x, y) for x, y in north[::-1]], app.map.spatial_reference).points
    earth = Image.new("L", image.size)
    ImageDraw.Draw(earth).polygon([tuple(point) for point in (view.map_to_screen(edge) * pixels).tolist()], 255)
    image = Image.composite(image, Image.new("RGB", image.size, PAPER), earth)
    box = view.map_to_screen(app.view.screen_to_map([(0, 0), SIZE])) * pixels
    ImageDraw.Draw(image).rectangle((*(box[0] - 10), *(box[1] + 10)), outline=HIT, width=8)
    return image.reduce(SMOOTH)


def draw_sheet(app, tap=TAP, tolerance=TOLERANCE):
    found = app.identify(tap, tolerance)
    width, height = SIZE[0] + PANEL + 3 * MARGIN, SIZE[1] + HEADER + MARGIN
    sheet = Image.new("RGB", (width * DENSITY, height * DENSITY), PAPER)
    draw = ImageDraw.Draw(sheet)
    text(draw, (MARGIN, 16), f"{len(found)} hits under one finger", 22)
    text(draw, (MARGIN, 48), f"A tap at {place(app, found.map_point)} within {tolerance:g} DIP on a map in Equal Earth, "
         f"1 : {app.view.state.scale:,.0f}. Squares are stored cells of the elevation raster.", 13, FAINT)
    framed(sheet, draw_map(app, found, tap, tolerance), (MARGIN, HEADER))
    framed(sheet, draw_overview(app), (MARGIN + 10, HEADER + 10))
    framed(sheet, draw_lens(app, found, tap, tolerance), (MARGIN + SIZE[0] - LENS - 10, HEADER + SIZE[1] - LENS - 10))
    label(draw, (MARGIN + SIZE[0] - LENS - 4, HEADER + SIZE[1] - LENS - 24), f"the same screen, {ZOOM} times as large", 11)
    draw_panel(app, draw, found, tap, tolerance)
    return sheet


def draw_panel(app, draw, found, tap, tolerance):
    left, top = SIZE[0] + 2 * MARGIN, HEADER
    number = 0
    for part in found.parts:
        if part.layer is app.map.layers[1]:
            continue
        reasons = f"not hit: {flags(part.reasons)}" if part.reasons else ""
        text(draw, (left, top), heading(part), 11, FAINT)
        text(draw, (left + 62, top), reasons, 11, FAINT)
        top += 17
        for element in (found[index] for index in part.elements):
            number += 1
            text(draw, (left, top), f"{number}", 13, HIT)
            text(draw, (left + 18, top), title(element), 13)
            lines = [element.popup.text] if element.popup else []
            for row, line in enumerate([*lines, *proof(app, element)]):
                text(draw, (left + 18, top + 18 + 14 * row), line, 10, FAINT if row >= len(lines) else INK)
            top += 24 + 14 * (len(lines) + len(list(proof(app, element))))
        top += 3
    for name, miss in app.misses(tap, tolerance):
        text(draw, (left, top), f"Why not {name}?", 11)
        far = "" if numpy.isnan(miss.distance_dip) else f", {miss.distance_dip:.1f} DIP away"
        text(draw, (left + 18, top + 15), f"{flags(miss.reasons)}{far}", 10, FAINT)
        top += 34


def framed(sheet, picture, point):
    left, top = (value * DENSITY for value in point)
    sheet.paste(picture, (left, top))
    box = (left - 1, top - 1, left + picture.width, top + picture.height)
    ImageDraw.Draw(sheet).rectangle(box, outline=FRAME, width=2)


def text(draw, point, line, size, color=INK):
    draw.text([value * DENSITY for value in point], line, color, font(size))


def font(size):
    """DejaVu Sans if the machine has it (Debian: fonts-dejavu-core), otherwise Pillow's own font."""
    try:
        return ImageFont.truetype("DejaVuSans.ttf", size * DENSITY)
    except OSError:
        return ImageFont.load_default()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tap", type=float, nargs=2, default=TAP, metavar=("X", "Y"), help="the screen point in DIP")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, help="the radius around it in DIP")
    parser.add_argument("--output", type=Path, default=Path("world_identify.png"), help="the picture")
    arguments = parser.parse_args()
    with alidade.Runtime() as runtime:
        app = App(runtime)
        for line in answer(app, arguments.tap, arguments.tolerance):
            print(line)
        draw_sheet(app, tuple(arguments.tap), arguments.tolerance).save(arguments.output)
    print(f"The picture is {arguments.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

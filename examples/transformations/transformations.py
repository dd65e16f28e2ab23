#!/usr/bin/python3
"""Lists the transformations between two datums, explains and chooses them, and finds a better one with a grid file.

    transformations.py [--output transformations.png]

Prints tables and draws a picture. It runs in the quickstart's environment:
.build/venv/bin/python3 examples/transformations/transformations.py
"""
import argparse
import math
import sys
from pathlib import Path

import alidade
import numpy
from PIL import Image, ImageDraw, ImageFont

GRIDS = Path(__file__).resolve().parent / "grids"

# Easting and northing in the British National Grid, EPSG:27700.
OBSERVATORY = (538985.355, 177329.516)
# Longitude and latitude in NAD27, and the area around it.
SAN_FRANCISCO = (-122.4194, 37.7749)
BAY = ((-122.6, 37.6), (-122.3, 37.9))
CALIFORNIA = ((-124.0, 33.0), (-115.0, 42.0))

PAPER, INK, FAINT, FRAME = (250, 249, 246), (38, 42, 48), (128, 132, 138), (196, 194, 188)
USED, OTHER = (188, 52, 44), (44, 98, 148)
COOL, WARM = numpy.array((236, 242, 246)), numpy.array((176, 84, 40))
MARGIN, TITLE, SIDE = 28, 64, 420


def print_list(title, transformations):
    print(f"\n{title}: {len(transformations)} transformations")
    print("     accuracy   area covered   usable   name")
    for number, row in enumerate(transformations, start=1):
        own = row.transformation
        accuracy = "unknown" if math.isnan(own.accuracy_m) else f"{own.accuracy_m:g} m"
        usable = "ballpark" if own.is_ballpark else "yes" if own.is_usable else "no"
        print(f"{number:3}  {accuracy:>8}   {row.area_share:12.0%}   {usable:8} {short(own)}")
        print(f"     {row.reason}")
        for grid in own.missing_grids:
            names = " or ".join(name for name in (grid.name, grid.authority_name) if name)
            licence = "open licence" if alidade.transformations.GridFlags.OPEN_LICENSE in grid.flags else "licence not known to be open"
            print(f"     missing: {names}, {grid.url or 'no address known'}, {licence}")


def short(transformation):
    """The names of the steps that change the datum, without the map projections before and after them."""
    names = [step.name for step in transformation.steps if not step.is_conversion]
    return " + ".join(names)


def observatory(runtime):
    """Projects a point with each transformation: metres east and north of the default result."""
    grid = alidade.SpatialReference(runtime, "EPSG:27700")
    mercator = alidade.SpatialReference(runtime, "EPSG:3857")
    print(f"Royal Observatory: {OBSERVATORY[0]}, {OBSERVATORY[1]} in {grid.info.name}, to {mercator.info.name}")

    projected = alidade.project_coordinates(grid, mercator, [OBSERVATORY[0]], [OBSERVATORY[1]])
    default = projected.x[0], projected.y[0]
    used = projected.receipt.operations[0]
    print(f"By default: {default[0]:.3f}, {default[1]:.3f} with {short(used.transformation)}, {used.accuracy_m:g} m")

    everything = alidade.TransformationList(grid, mercator)
    print_list("All of them", everything)
    with_view = alidade.Map(runtime, mercator)
    view = alidade.View(with_view, 800, 600)
    view.set_viewpoint(center=default, scale=5000, rotation_deg=30)
    suitable = alidade.TransformationList(grid, mercator, area=view.state.visible_area, area_spatial_reference=mercator)
    print_list("Suitable for the area of a view at 1:5000, rotated by 30 degrees", suitable)

    print("\nDistance of each result from the default result:")
    places = []
    for row in everything:
        name = short(row.transformation)
        if not row.transformation.is_usable:
            try:
                alidade.project_coordinates(grid, mercator, [OBSERVATORY[0]], [OBSERVATORY[1]],
                                            transformation=row.transformation)
            except alidade.errors.MissingGridError as error:
                print(f"  {name}: refused. {error}")
            continue
        chosen = alidade.project_coordinates(grid, mercator, [OBSERVATORY[0]], [OBSERVATORY[1]],
                                             transformation=row.transformation)
        east, north = on_the_ground(mercator, default, (chosen.x[0], chosen.y[0]))
        is_suitable = any(row.transformation.is_equivalent(other.transformation) for other in suitable)
        places.append((name, east, north, is_suitable))
        print(f"  {name}: {math.hypot(east, north):.2f} m ({east:+.2f} east, {north:+.2f} north)")
    return places


def on_the_ground(mercator, origin, place):
    """Metres east and north on the ground. Distances in Web Mercator grow with the latitude.

    It treats the ellipsoid (semi-axis a, eccentricity e) as a sphere, so its scale is a / (N cos(latitude)) to the east
    and a / (M cos(latitude)) to the north, N and M the radii of curvature.
    """
    latitude = 2 * math.atan(math.exp(origin[1] / 6378137)) - math.pi / 2
    square = 2 / 298.257223563 - 1 / 298.257223563**2
    flat = 1 - square * math.sin(latitude) ** 2
    east = (place[0] - origin[0]) * math.cos(latitude) / math.sqrt(flat)
    north = (place[1] - origin[1]) * math.cos(latitude) * (1 - square) / flat**1.5
    return east, north


def san_francisco(runtime):
    """Adds a folder with a grid file and measures the difference that the file makes."""
    nad27 = alidade.SpatialReference(runtime, "EPSG:4267")
    mercator = alidade.SpatialReference(runtime, "EPSG:3857")
    before = alidade.TransformationList(nad27, mercator, area=BAY)
    print_list("San Francisco, NAD27 to Web Mercator, without grid files", before)
    lacking = {row.transformation: short(row.transformation) for row in before if not row.transformation.is_usable}
    without = alidade.project_coordinates(nad27, mercator, [SAN_FRANCISCO[0]], [SAN_FRANCISCO[1]])

    print(f"\nThe runtime now searches for grid files in {GRIDS.name}.")
    runtime.set_grid_directories([GRIDS])
    for event in runtime.events():
        if isinstance(event, alidade.events.TransformationChanged):
            for transformation, name in lacking.items():
                if event.concerns(transformation):
                    print(f"  event: {name} became {'usable' if event.is_usable else 'unusable'}")
    after = alidade.TransformationList(nad27, mercator, area=BAY)
    print_list("The same list again", after)
    best, second = after[0].transformation, before[0].transformation

    chosen = alidade.project_coordinates(nad27, mercator, [SAN_FRANCISCO[0]], [SAN_FRANCISCO[1]], transformation=best)
    east, north = on_the_ground(mercator, (without.x[0], without.y[0]), (chosen.x[0], chosen.y[0]))
    print(f"\nThe city hall moves by {math.hypot(east, north):.2f} m ({east:+.2f} east, {north:+.2f} north).")
    cost = alidade.transformations.transformation_displacement(nad27, mercator, second, best, area=CALIFORNIA, columns=36, rows=36)
    print(f"Over California and Nevada the grid changes results by {cost.min_m:.2f} to {cost.max_m:.2f} m, "
          f"{cost.mean_m:.2f} m on average.")
    return short(second), short(best), cost


class Sheet:
    """The picture: the Observatory by each transformation, twice, and the difference that the grid makes."""

    def __init__(self):
        self.image = Image.new("RGB", (4 * MARGIN + 3 * SIDE, TITLE + SIDE + 128), PAPER)
        self.draw = ImageDraw.Draw(self.image)

    def left(self, number):
        return MARGIN + number * (SIDE + MARGIN)

    def frame(self, number, title, subtitle):
        left = self.left(number)
        self.draw.text((left, 18), title, INK, font(15))
        self.draw.text((left, 40), subtitle, FAINT, font(12))
        self.draw.rectangle((left - 1, TITLE - 1, left + SIDE, TITLE + SIDE), outline=FRAME)

    def places(self, number, title, places, ring):
        """Crosses around the default, with circles each `ring` metres; north is up."""
        reach = 1.1 * max(math.hypot(east, north) for _, east, north, _ in places)
        self.frame(number, title, f"Circles every {ring:g} m around the default result; north is up.")
        left, middle = self.left(number), SIDE / 2
        pixels = middle / reach
        for radius in numpy.arange(ring, reach, ring) * pixels:
            box = (left + middle - radius, TITLE + middle - radius, left + middle + radius, TITLE + middle + radius)
            self.draw.ellipse(box, outline=FRAME)
        labelled = []
        for index, (name, east, north, _) in enumerate(places):
            x, y = left + middle + east * pixels, TITLE + middle - north * pixels
            colour = USED if math.hypot(east, north) < 1e-6 else OTHER
            legend = f"{index + 1}  {name[:52]}: {math.hypot(east, north):.1f} m"
            self.draw.text((left, TITLE + SIDE + 6 + 13 * index), legend, colour, font(11))
            # Where crosses are close together, only the first is drawn. The other panel shows them apart.
            if any(math.dist((x, y), other) < 9 for other in labelled):
                continue
            labelled.append((x, y))
            self.draw.line((x - 6, y, x + 6, y), colour, 2)
            self.draw.line((x, y - 6, x, y + 6), colour, 2)
            self.draw.text((x + 8, y - 15), str(index + 1), colour, font(12))

    def cost(self, number, second, best, cost):
        """How far the two transformations differ: a square per sample, north up."""
        self.frame(number, "Effect of the grid file in California and Nevada", "NAD27 to WGS 84, in metres")
        field = numpy.asarray(cost.field)
        share = (field - cost.min_m) / (cost.max_m - cost.min_m)
        colours = COOL + numpy.nan_to_num(share)[..., None] * (WARM - COOL)
        picture = Image.fromarray(colours.round().astype("uint8"))
        self.image.paste(picture.resize((SIDE, SIDE), Image.NEAREST), (self.left(number), TITLE))
        lines = (f"{cost.min_m:.1f} m (light) to {cost.max_m:.1f} m (dark), {cost.mean_m:.1f} m on average",
                 f"without: {second}", f"with us_noaa_conus.tif: {best}")
        for index, line in enumerate(lines):
            self.draw.text((self.left(number), TITLE + SIDE + 6 + 15 * index), line, INK, font(11))


def font(size):
    try:
        return ImageFont.truetype("DejaVuSans.ttf", size)
    except OSError:
        return ImageFont.load_default()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path("transformations.png"))
    arguments = parser.parse_args()
    with alidade.Runtime() as runtime:
        places = observatory(runtime)
        second, best, cost = san_francisco(runtime)
    sheet = Sheet()
    sheet.places(0, "All transformations to Web Mercator", places, 25)
    sheet.places(1, "Suitable for the view", [place for place in places if place[3]], 5)
    sheet.cost(2, second, best, cost)
    sheet.image.save(arguments.output)
    print(f"\npicture: {arguments.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

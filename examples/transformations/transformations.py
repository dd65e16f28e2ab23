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
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import MultipleLocator

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import drawing  # noqa: E402

GRIDS = HERE / "grids"

# Easting and northing in the British National Grid, EPSG:27700.
OBSERVATORY = (538985.355, 177329.516)
# Longitude and latitude in NAD27, and the area around it.
SAN_FRANCISCO = (-122.4194, 37.7749)
BAY = ((-122.6, 37.6), (-122.3, 37.9))
CALIFORNIA = ((-124.0, 33.0), (-115.0, 42.0))

USED, OTHER = (188, 52, 44), (44, 98, 148)
COOL, WARM = (236, 242, 246), (176, 84, 40)
# The panels in DIP: the left edge of each, the top of all, and the side of the first two.
LEFT, TOP, SIDE = (24, 468, 946), 124, 420
# The third has degrees on its axes. There a degree of latitude is longer than one of longitude.
FIELD_WIDTH = round(SIDE * math.cos(math.radians((CALIFORNIA[0][1] + CALIFORNIA[1][1]) / 2)))


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
            is_open = alidade.transformations.GridFlags.OPEN_LICENSE in grid.flags
            licence = "open licence" if is_open else "licence not known to be open"
            print(f"     missing: {names}, {grid.url or 'no address known'}, {licence}")


def short(transformation):
    """The names of the steps that change the datum, without the map projections before and after them."""
    names = [step.name for step in transformation.steps if not step.is_conversion]
    return " + ".join(names)


def observatory(runtime):
    """Projects a point with each transformation: metres east and north of the default result, and what cannot be used."""
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
    places, refused = [], []
    for number, row in enumerate(everything, start=1):
        name, accuracy = short(row.transformation), row.transformation.accuracy_m
        if not row.transformation.is_usable:
            try:
                alidade.project_coordinates(grid, mercator, [OBSERVATORY[0]], [OBSERVATORY[1]],
                                            transformation=row.transformation)
            except alidade.errors.MissingGridError as error:
                print(f"  {name}: refused. {error}")
            refused.append((number, name))
            continue
        chosen = alidade.project_coordinates(grid, mercator, [OBSERVATORY[0]], [OBSERVATORY[1]],
                                             transformation=row.transformation)
        east, north = on_the_ground(mercator, default, (chosen.x[0], chosen.y[0]))
        is_suitable = any(row.transformation.is_equivalent(other.transformation) for other in suitable)
        places.append((number, name, accuracy, east, north, is_suitable))
        print(f"  {name}: {math.hypot(east, north):.2f} m ({east:+.2f} east, {north:+.2f} north)")
    return places, refused


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
    cost = alidade.transformations.transformation_displacement(
        nad27, mercator, second, best, area=CALIFORNIA, columns=36, rows=36)
    print(f"Over California and Nevada the grid changes results by {cost.min_m:.2f} to {cost.max_m:.2f} m, "
          f"{cost.mean_m:.2f} m on average.")
    return short(second), short(best), cost


def heading(sheet, number, title, subtitle):
    sheet.text(LEFT[number], TOP - 42, title, 14, bold=True)
    sheet.text(LEFT[number], TOP - 20, subtitle, 11, drawing.FAINT)


def draw_places(sheet, number, title, places, reach, ring):
    """Crosses around the default result, and labelled rings; an arrow towards what lies beyond `reach` metres."""
    heading(sheet, number, title, "Metres from the default result; north is up. Numbered as in the printed list.")
    axes = sheet.picture(LEFT[number], TOP, SIDE, SIDE, drawing.WHITE)
    middle = SIDE / 2
    pixels = middle / reach
    for radius in numpy.arange(ring, reach, ring):
        drawing.circle(axes, (middle, middle), radius * pixels, drawing.FRAME, 1)
        drawing.label(axes, (middle, middle - radius * pixels), f"{radius:g} m", 10, drawing.FAINT, "center")
    write_row(sheet, number, 0, ("", "", "accuracy", "distance"), drawing.FAINT)
    for index, name, accuracy, east, north, _ in places:
        distance = math.hypot(east, north)
        color = USED if distance < 1e-6 else OTHER
        accuracy = "–" if math.isnan(accuracy) else f"{accuracy:g} m"
        write_row(sheet, number, index, (index, name, accuracy, f"{distance:.2f} m"), color)
        if distance < reach:
            x, y = middle + east * pixels, middle - north * pixels
            for dx, dy in ((6, 0), (0, 6)):
                drawing.line(axes, [(x - dx, y - dy), (x + dx, y + dy)], color, 2)
            drawing.label(axes, (x + 5, y - 5), f"{index}", 12, color, bold=True, level="bottom")
            continue
        along = numpy.array((east, -north)) / distance
        start, tip = (middle + part * middle * along for part in (0.8, 0.94))
        axes.annotate("", tip, start, zorder=drawing.ABOVE, arrowprops={"arrowstyle": "-|>", "color": drawing.rgb(color)})
        drawing.label(axes, start - (6, 0), f"{index}  at {distance:.0f} m", 11, color, "right", bold=True)


def write_row(sheet, number, row, words, color):
    """A row of the table below a panel: number, name, accuracy and distance."""
    places = ((0, "left"), (22, "left"), (SIDE - 70, "right"), (SIDE, "right"))
    for column, (text, (left, align)) in enumerate(zip(words, places)):
        sheet.text(LEFT[number] + left, TOP + SIDE + 8 + 16 * row, text, 11, color, bold=column == 0, align=align)


def draw_field(sheet, second, best, cost, states):
    """How far the two transformations differ: a square per sample, in degrees, north up."""
    heading(sheet, 2, "Effect of the grid file us_noaa_conus.tif", "How far NAD27 to WGS 84 moves. Longitudes, latitudes.")
    axes = sheet.axes(LEFT[2], TOP, FIELD_WIDTH, SIDE)
    (west, south), (east, north) = CALIFORNIA
    states.plot(axes, facecolor="none", edgecolor=drawing.rgb(drawing.INK), linewidth=0.6, alpha=1, zorder=2)
    ramp = LinearSegmentedColormap.from_list("", [drawing.rgb(COOL), drawing.rgb(WARM)])
    axes.imshow(cost.field, ramp, vmin=cost.min_m, vmax=cost.max_m, extent=(west, east, south, north),
                interpolation="nearest", zorder=1)
    axes.set(xlim=(west, east), ylim=(south, north), aspect="auto")
    axes.xaxis.set_major_formatter(lambda value, _: f"{-value:g}° W")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}° N")
    axes.xaxis.set_major_locator(MultipleLocator(2))
    for name, place in (("California", (-120.2, 36.9)), ("Nevada", (-116.8, 39.3)), ("Pacific Ocean", (-122.2, 34.6))):
        drawing.label(axes, place, name, 11, align="center", level="top")
    drawing.label(axes, SAN_FRANCISCO, "+", 16, USED, "center", True)
    drawing.label(axes, (SAN_FRANCISCO[0] + 0.2, SAN_FRANCISCO[1]), "San Francisco", 11, USED)
    sheet.colour_bar(LEFT[2], TOP + SIDE + 36, FIELD_WIDTH, 10, (COOL, WARM), cost.min_m, cost.max_m,
                     f"metres: {cost.min_m:.2f} to {cost.max_m:.2f}, {cost.mean_m:.2f} on average")
    for row, line in enumerate((f"without: {second}", f"with: {best}")):
        sheet.text(LEFT[2], TOP + SIDE + 92 + 16 * row, line, 11)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path("transformations.png"))
    arguments = parser.parse_args()
    with alidade.Runtime() as runtime:
        places, refused = observatory(runtime)
        second, best, cost = san_francisco(runtime)
        sheet = drawing.Sheet(
            LEFT[2] + FIELD_WIDTH + drawing.MARGIN, TOP + SIDE + 182, "Choosing a transformation",
            "Where the Royal Observatory at Greenwich is, by each way from the British National Grid to WGS 84; and what a "
            "grid file changes in California.")
        draw_places(sheet, 0, "All ways; eight can be used", places, 9.2, 2)
        for index, name in refused:
            write_row(sheet, 0, index, (index, name, "", "its grid file is missing"), drawing.FAINT)
        draw_places(sheet, 1, "Suitable for a view at 1 : 5,000", [place for place in places if place[-1]], 7, 1)
        states = alidade.FeatureLayer.from_path(runtime, drawing.DATA / "states.fgb")
        states.load()
        draw_field(sheet, second, best, cost, states.source.query().geometries)
    sheet.save(arguments.output)
    print(f"\npicture: {arguments.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

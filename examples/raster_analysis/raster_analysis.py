#!/usr/bin/python3
"""Reads more of a raster than one cell: a magnifier, a profile across a lake, and statistics of a circle.

    raster_analysis.py [--data FOLDER] [--output raster_analysis.png]

Prints a table for each and draws a picture. Uses the quickstart's data and runs in the quickstart's environment:
.build/venv/bin/python3 examples/raster_analysis/raster_analysis.py
"""
import argparse
import sys
from pathlib import Path

import alidade
import numpy
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import drawing  # noqa: E402

DATA = Path(__file__).resolve().parents[1] / "quickstart" / "data"

# Longitude and latitude; x comes first, whatever order the authority gives.
TAP = (-122.17412, 40.76081)
# The number of cells per side of the magnifier, and the width of a cell in DIP.
CELLS, PIXELS = 9, 30
# Two points in the raster's own spatial reference. Its unit is the metre, so distances along the line are in metres.
LINE = numpy.array([(568800.0, 4512400.0), (572900.0, 4511300.0)])
CIRCLE_CENTRE, CIRCLE_RADIUS_M, HOLE_RADIUS_M = (570600.0, 4512800.0), 1000.0, 400.0

HEIGHTS = (320.0, 400.0, 470.0, 540.0, 610.0, 690.0)
COLOURS = ((58, 110, 150), (96, 150, 92), (186, 190, 118), (206, 164, 96), (160, 112, 82), (244, 240, 236))
# The colours of the heights, in enough steps for each of 8 bits.
RELIEF = LinearSegmentedColormap.from_list(
    "", [((height - HEIGHTS[0]) / (HEIGHTS[-1] - HEIGHTS[0]), drawing.rgb(colour))
         for height, colour in zip(HEIGHTS, COLOURS)], 4096)
# The panels in DIP.
SIDE, TOP, LEFT, MAP_LEFT, MAP_SIZE = CELLS * PIXELS, 112, (74, 406), 728, (324, 270)
CHART_TOP, CHART_SIZE, TEXT_LEFT, WIDTH, HEIGHT = 520, (654, 200), 766, 1076, 780


def magnify(raster, wgs84):
    """The cells around a tap, and the same part of the raster drawn smooth."""
    window = raster.window_around(TAP, CELLS, CELLS, wgs84)
    cells = raster.read_window(1, window)
    fine = alidade.rasters.RasterWindow(window.left, window.top, window.width, window.height, CELLS * PIXELS, CELLS * PIXELS)
    smooth = raster.read_window(1, fine, alidade.rasters.Interpolation.CUBIC)
    print(f"Magnifier: {CELLS} x {CELLS} cells from column {window.left:.0f}, row {window.top:.0f}")
    for row in cells:
        print("  " + " ".join(f"{value:7.2f}" for value in row))
    return window, cells, smooth


def profile(raster):
    """Every cell that the line crosses, and interpolated heights every 25 m."""
    cells = raster.profile(LINE)
    heights = raster.profile(LINE, step=25.0, interpolation=alidade.rasters.Interpolation.BILINEAR)
    lengths = cells["end_distance"] - cells["distance"]
    print(f"Profile: {lengths.sum():.1f} m across {len(cells)} cells, the shortest stretch {lengths.min():.2f} m, "
          f"heights {numpy.nanmin(cells['value']):.2f} to {numpy.nanmax(cells['value']):.2f} m")
    return cells, heights


def ring(radius):
    """A circle in the raster's own spatial reference."""
    angles = numpy.linspace(0, 2 * numpy.pi, 360, endpoint=False)
    return numpy.array(CIRCLE_CENTRE) + radius * numpy.column_stack([numpy.cos(angles), numpy.sin(angles)])


def statistics(raster, wgs84):
    """Statistics of a circle in degrees, as a file of polygons might contain it, without and with a hole."""
    own, all_found = raster.spatial_reference, {}
    for name, radii in (("Circle", [CIRCLE_RADIUS_M]), ("Ring", [CIRCLE_RADIUS_M, HOLE_RADIUS_M])):
        rings = [own.project(ring(radius), wgs84).points for radius in radii]
        found = raster.polygon_statistics(rings, 1, wgs84)
        print(f"{name}: {found.value_count} cells, mean {found.mean:.2f} m, {found.minimum:.2f} to {found.maximum:.2f} m, "
              f"standard deviation {found.standard_deviation:.2f} m, highest at column {found.maximum_cell[0]}, "
              f"row {found.maximum_cell[1]}")
        all_found[name] = found
    return all_found


def draw_magnifiers(sheet, window, cells, smooth):
    """Both in the colours of the cells' own range, with a frame around the cell that was tapped."""
    extent = window.left, window.left + CELLS, window.top + CELLS, window.top
    for left, title, values in ((LEFT[0], f"{CELLS} x {CELLS} cells around a tap", cells),
                                (LEFT[1], "The same part, cubic", smooth)):
        sheet.text(left, TOP - 20, title, 12, bold=True)
        axes = sheet.axes(left, TOP, SIDE, SIDE)
        axes.imshow(values, RELIEF, vmin=numpy.nanmin(cells), vmax=numpy.nanmax(cells), extent=extent,
                    interpolation="nearest")
        axes.add_patch(Rectangle((window.left + CELLS // 2, window.top + CELLS // 2), 1, 1, fill=False,
                                 edgecolor=drawing.rgb(drawing.INK)))
        axes.set_xticks(window.left + 0.5 + numpy.arange(0, CELLS, 2))
        axes.set_yticks(window.top + 0.5 + numpy.arange(0, CELLS, 2))
        axes.xaxis.set_major_formatter(lambda value, _: f"{value - 0.5:.0f}")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value - 0.5:.0f}")
        labelled(axes, "column", "row")
    sheet.colour_bar(LEFT[0], TOP + SIDE + 46, LEFT[1] + SIDE - LEFT[0], 10, COLOURS, numpy.nanmin(cells),
                     numpy.nanmax(cells), "metres above sea level")


def labelled(axes, x, y):
    axes.set_xlabel(x, fontsize=8, color=drawing.rgb(drawing.INK))
    axes.set_ylabel(y, fontsize=8, color=drawing.rgb(drawing.INK))


def draw_map(sheet, runtime, raster):
    """The raster with the line and the ring, in its own spatial reference."""
    own = raster.spatial_reference
    layer = alidade.RasterLayer(raster)
    layer.renderer = alidade.RasterRenderer(alidade.layers.RasterRendererKind.STRETCH, minimum=HEIGHTS[0], maximum=HEIGHTS[-1],
                                            ramp=[(*colour, 255) for colour in COLOURS])
    map = alidade.Map(runtime, own)
    map.add_layer(layer)
    view = alidade.View(map, *MAP_SIZE, pixel_density=drawing.DENSITY)
    view.zoom_to_envelope(raster.info.extent)
    overlay = alidade.GraphicsOverlay(runtime)
    view.add_overlay(overlay)
    for points, color, width in ((LINE, drawing.WHITE, 2.5), *(
            (numpy.vstack([ring(radius), ring(radius)[:1]]), drawing.INK, 1.5) for radius in (CIRCLE_RADIUS_M, HOLE_RADIUS_M))):
        line = alidade.Geometry.from_coordinates(
            runtime, alidade.geometry.GeometryKind.POLYLINE, points, spatial_reference=own)
        overlay.add(line, symbol=alidade.LineSymbol(color, width))
    sheet.text(MAP_LEFT, TOP - 20, "The line and the circle with its hole", 12, bold=True)
    axes = sheet.map(view, MAP_LEFT, TOP)
    for name, point, align in zip("AB", view.map_to_screen(LINE), ("right", "left")):
        drawing.label(axes, point + ((-5, 0) if name == "A" else (5, 0)), name, 12, align=align, bold=True)
    sheet.colour_bar(MAP_LEFT, TOP + SIDE + 46, MAP_SIZE[0], 10, COLOURS, HEIGHTS[0], HEIGHTS[-1], "metres above sea level")
    drawing.scale_bar(axes, view, 80)
    drawing.north_arrow(axes, view, (24, 26))


def draw_profile(sheet, cells, heights):
    sheet.text(LEFT[0], CHART_TOP - 20, "Every cell along the line from A to B, and bilinear heights every 25 m (black)", 12,
               bold=True)
    axes = sheet.axes(LEFT[0], CHART_TOP, *CHART_SIZE)
    cells = cells[~numpy.isnan(cells["value"])]
    low = HEIGHTS[0] - 10
    shares = (cells["value"] - HEIGHTS[0]) / (HEIGHTS[-1] - HEIGHTS[0])
    axes.bar(cells["distance"], cells["value"] - low, cells["end_distance"] - cells["distance"], low, align="edge",
             color=RELIEF(shares))
    axes.plot(heights["distance"], heights["value"], color=drawing.rgb(drawing.INK), linewidth=1)
    axes.set(xlim=(0, cells["end_distance"][-1]), ylim=(low, numpy.nanmax(cells["value"]) + 15))
    labelled(axes, "metres from A", "metres above sea level")


def write_statistics(sheet, found):
    sheet.text(TEXT_LEFT, CHART_TOP - 20, "Cells within these distances of the middle", 12, bold=True)
    columns = [("", f"{CIRCLE_RADIUS_M:,.0f} m", f"{HOLE_RADIUS_M:g} m to {CIRCLE_RADIUS_M:,.0f} m"),
               *((name, *(text(one) for one in found.values())) for name, text in (
                   ("cells", lambda one: f"{one.value_count:,}"), ("mean", lambda one: f"{one.mean:.2f} m"),
                   ("lowest", lambda one: f"{one.minimum:.2f} m"), ("highest", lambda one: f"{one.maximum:.2f} m"),
                   ("standard deviation", lambda one: f"{one.standard_deviation:.2f} m")))]
    for row, (name, *values) in enumerate(columns):
        sheet.text(TEXT_LEFT, CHART_TOP + 6 + 22 * row, name, 11, drawing.FAINT)
        for right, value in zip((TEXT_LEFT + 176, TEXT_LEFT + 286), values):
            sheet.text(right, CHART_TOP + 6 + 22 * row, value, 11, drawing.INK if row else drawing.FAINT, align="right")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--output", type=Path, default=Path("raster_analysis.png"))
    arguments = parser.parse_args()
    with alidade.Runtime() as runtime:
        raster = alidade.Raster(runtime, arguments.data / "Shasta_Elevation.tif")
        wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
        sheet = drawing.Sheet(WIDTH, HEIGHT, "More of a raster than one cell",
                              "Heights at Shasta Lake, California, in cells of 10 m.")
        draw_magnifiers(sheet, *magnify(raster, wgs84))
        draw_profile(sheet, *profile(raster))
        write_statistics(sheet, statistics(raster, wgs84))
        draw_map(sheet, runtime, raster)
        sheet.save(arguments.output)
    print(f"picture: {arguments.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

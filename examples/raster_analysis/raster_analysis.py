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
from PIL import Image, ImageDraw, ImageFont

DATA = Path(__file__).resolve().parents[1] / "quickstart" / "data"

# Longitude and latitude; x comes first, whatever order the authority gives.
TAP = (-122.17412, 40.76081)
# The number of cells per side of the magnifier, and the width of a cell in pixels.
CELLS, PIXELS = 9, 30
# Two points in the raster's own spatial reference. Its unit is the metre, so distances along the line are in metres.
LINE = numpy.array([(568800.0, 4512400.0), (572900.0, 4511300.0)])
CIRCLE_CENTRE, CIRCLE_RADIUS_M, HOLE_RADIUS_M = (570600.0, 4512800.0), 1000.0, 400.0

HEIGHTS = (320.0, 400.0, 470.0, 540.0, 610.0, 690.0)
COLOURS = ((58, 110, 150), (96, 150, 92), (186, 190, 118), (206, 164, 96), (160, 112, 82), (244, 240, 236))
PAPER, INK, FAINT, NOTHING = (250, 249, 246), (38, 42, 48), (128, 132, 138), (232, 236, 238)
MARGIN, TITLE = 24, 40


def coloured(heights, low=HEIGHTS[0], high=HEIGHTS[-1]):
    """Heights from low to high as colours. A cell without a height has a colour of its own."""
    heights = HEIGHTS[0] + (heights - low) / (high - low) * (HEIGHTS[-1] - HEIGHTS[0])
    channels = [numpy.interp(heights, HEIGHTS, [colour[channel] for colour in COLOURS]) for channel in range(3)]
    return numpy.where(numpy.isnan(heights)[..., None], NOTHING, numpy.stack(channels, axis=-1)).round().astype("uint8")


def magnify(raster, wgs84):
    """The cells around a tap, and the same part of the raster drawn smooth."""
    window = raster.window_around(TAP, CELLS, CELLS, wgs84)
    cells = raster.read_window(1, window)
    fine = alidade.rasters.RasterWindow(window.left, window.top, window.width, window.height, CELLS * PIXELS, CELLS * PIXELS)
    smooth = raster.read_window(1, fine, alidade.rasters.Interpolation.CUBIC)
    print(f"Magnifier: {CELLS} x {CELLS} cells from column {window.left:.0f}, row {window.top:.0f}")
    for row in cells:
        print("  " + " ".join(f"{value:7.2f}" for value in row))
    return cells, smooth


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
    own = raster.spatial_reference
    for name, radii in (("Circle", [CIRCLE_RADIUS_M]), ("Ring", [CIRCLE_RADIUS_M, HOLE_RADIUS_M])):
        rings = [own.project(ring(radius), wgs84).points for radius in radii]
        found = raster.polygon_statistics(rings, 1, wgs84)
        print(f"{name}: {found.value_count} cells, mean {found.mean:.2f} m, {found.minimum:.2f} to {found.maximum:.2f} m, "
              f"standard deviation {found.standard_deviation:.2f} m, highest at column {found.maximum_cell[0]}, "
              f"row {found.maximum_cell[1]}")


class Sheet:
    """The picture: two magnifiers, the map with line and ring, and the profile below."""

    def __init__(self, raster):
        self.info = raster.info
        self.side = CELLS * PIXELS
        self.map_left = 3 * MARGIN + 2 * self.side
        self.map_size = (round(self.side * self.info.width / self.info.height), self.side)
        self.chart_top = 2 * TITLE + MARGIN + self.side
        self.width = self.map_left + self.map_size[0] + MARGIN
        self.image = Image.new("RGB", (self.width, self.chart_top + 200 + 2 * MARGIN), PAPER)
        self.draw = ImageDraw.Draw(self.image)

    def panel(self, left, title, values, *bounds):
        self.text((left, TITLE - 22), title)
        self.image.paste(Image.fromarray(coloured(values, *bounds)), (left, TITLE))

    def magnifiers(self, cells, smooth):
        """Both in the colours of the cells' own range, with a frame around the cell that was tapped."""
        bounds = numpy.nanmin(cells), numpy.nanmax(cells)
        large = cells.repeat(PIXELS, axis=0).repeat(PIXELS, axis=1)
        for left, title, values in ((MARGIN, f"{CELLS} x {CELLS} cells around a tap", large),
                                    (2 * MARGIN + self.side, "the same, cubic", smooth)):
            self.panel(left, title, values, *bounds)
            x, y = left + CELLS // 2 * PIXELS, TITLE + CELLS // 2 * PIXELS
            self.draw.rectangle((x, y, x + PIXELS - 1, y + PIXELS - 1), outline=INK)

    def text(self, place, words, colour=INK):
        self.draw.text(place, words, colour, font(13))

    def on_map(self, points):
        """Raster coordinates to pixels of the map."""
        x0, dx, _, y0, _, dy = self.info.geotransform
        return [(self.map_left + (x - x0) / dx / self.info.width * self.map_size[0],
                 TITLE + (y - y0) / dy / self.info.height * self.map_size[1]) for x, y in points]

    def chart(self, cells, heights):
        left, right, top, bottom = MARGIN, self.width - MARGIN, self.chart_top, self.chart_top + 200
        low, high, length = HEIGHTS[0] - 10, numpy.nanmax(cells["value"]) + 10, cells["end_distance"][-1]

        def place(distance, height):
            return left + distance / length * (right - left), bottom - (height - low) / (high - low) * (bottom - top)

        for cell in cells[~numpy.isnan(cells["value"])]:
            x0, y0 = place(cell["distance"], cell["value"])
            x1, _ = place(cell["end_distance"], cell["value"])
            self.draw.rectangle((x0, y0, max(x0, x1), bottom), fill=tuple(map(int, coloured(cell["value"][None])[0])))
        line = [place(sample["distance"], sample["value"]) for sample in heights if not numpy.isnan(sample["value"])]
        self.draw.line(line, INK, 2)
        self.text((left, top - 22), f"Every cell along the line, bilinear heights every 25 m: {length / 1000:.1f} km")
        self.text((left, bottom + 4), f"{low:.0f} m to {high:.0f} m", FAINT)


def font(size):
    try:
        return ImageFont.truetype("DejaVuSans.ttf", size)
    except OSError:
        return ImageFont.load_default()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--output", type=Path, default=Path("raster_analysis.png"))
    arguments = parser.parse_args()
    with alidade.Runtime() as runtime:
        raster = alidade.Raster(runtime, arguments.data / "Shasta_Elevation.tif")
        wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
        cells, smooth = magnify(raster, wgs84)
        along, heights = profile(raster)
        statistics(raster, wgs84)

        sheet = Sheet(raster)
        sheet.magnifiers(cells, smooth)
        whole = alidade.rasters.RasterWindow(columns=sheet.map_size[0], rows=sheet.map_size[1], width=raster.info.width,
                                     height=raster.info.height)
        sheet.panel(sheet.map_left, "the raster, the line and the ring", raster.read_window(1, whole))
        sheet.draw.line(sheet.on_map(LINE), (255, 255, 255), 2)
        for radius in (CIRCLE_RADIUS_M, HOLE_RADIUS_M):
            sheet.draw.polygon(sheet.on_map(ring(radius)), outline=(20, 20, 20))
        sheet.chart(along, heights)
        sheet.image.save(arguments.output)
    print(f"picture: {arguments.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

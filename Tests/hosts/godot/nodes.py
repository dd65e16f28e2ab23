#!/usr/bin/python3
"""Runs nodes.gd in godot3-server, and compares the numbers that the nodes give with GDAL, OGR and pyproj.

    nodes.py PROJECT

PROJECT is a project of Godot with the add-on. Prints, last, "N passed, N failed".
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import numpy
import pyproj
from osgeo import gdal, ogr

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
HEIGHTS = ROOT / "examples/quickstart/data/Shasta_Elevation.tif"
COLORS = ROOT / "examples/quickstart/data/RGB.byte.tif"
COUNTRIES = ROOT / "examples/world_identify/data/countries.fgb"
sys.path.insert(0, str(ROOT / "Tests" / "abi" / "harness"))

import toolbox  # noqa: E402

gdal.UseExceptions()
ogr.UseExceptions()
WIDTH, HEIGHT = 800, 600
DEGREES = pyproj.CRS("EPSG:4326")
MERCATOR = pyproj.CRS("EPSG:3857")


def main() -> int:
    report = toolbox.Report()
    command = ["godot3-server", "--path", sys.argv[1], "-s", str(HERE / "nodes.gd"), str(ROOT)]
    ran = toolbox.run(command, seconds=180)
    report.add(*(toolbox.counts(ran.output) or (0, 1)))
    for line in ran.output.splitlines():
        if line.startswith(("FAILED", "SCRIPT ERROR", "   At: /", "   At: res:")):
            print(line)
    report.check(
        ran.succeeded and "SCRIPT ERROR" not in ran.output, f"nodes.gd ended with status {ran.status}", ran.output
    )
    found: dict[str, list] = {}
    for line in ran.output.splitlines():
        if line.startswith('{"label"'):
            value = json.loads(line)
            found.setdefault(value["label"], []).append(value["value"])
    parts = (cells, pixels, country, camera, projected, buffers)
    for part in parts:
        try:
            part(report, found)
        except (KeyError, IndexError) as error:
            report.check(False, f"{part.__name__}: there is no {error}")
    return report.finish()


def near(report: toolbox.Report, what: str, value: object, expected: object, tolerance: float) -> None:
    is_near = numpy.shape(value) == numpy.shape(expected) and bool(
        numpy.all(numpy.abs(numpy.subtract(value, expected)) <= tolerance)
    )
    report.check(is_near, f"{what}: {value}, expected {expected} within {tolerance}")


def mercator(points: list, source: object = DEGREES) -> numpy.ndarray:
    transform = pyproj.Transformer.from_crs(source, MERCATOR, always_xy=True)
    return numpy.column_stack(transform.transform(*numpy.transpose(points)))


def under(camera: dict, screen: tuple[float, float]) -> tuple[float, float]:
    """The map point under a screen point. The rotation is the direction that is up."""
    angle, units = math.radians(camera["rotation_deg"]), camera["scale"] * 0.0254 / 96
    right, up = (screen[0] - WIDTH / 2) * units, (HEIGHT / 2 - screen[1]) * units
    x = camera["center"]["x"] + right * math.cos(angle) + up * math.sin(angle)
    return x, camera["center"]["y"] - right * math.sin(angle) + up * math.cos(angle)


class Raster:
    """What GDAL reads, and where the point of a map in Web Mercator lies in it."""

    def __init__(self, path: Path) -> None:
        self.file = gdal.Open(str(path))
        self.crs = pyproj.CRS(self.file.GetProjection())
        self.transform = self.file.GetGeoTransform()
        self.inverse = gdal.InvGeoTransform(self.transform)
        self.values = self.file.ReadAsArray()
        self.from_map = pyproj.Transformer.from_crs(MERCATOR, self.crs, always_xy=True)

    def cell(self, point: tuple[float, float]) -> tuple[float, float]:
        """Column and row, with fractions."""
        return gdal.ApplyGeoTransform(self.inverse, *self.from_map.transform(*point))


def cells(report: toolbox.Report, found: dict) -> None:
    raster, state = Raster(HEIGHTS), found["camera"][0]
    near(
        report,
        "the centre of the view",
        [state["center"]["x"], state["center"]["y"]],
        mercator([(-122.1621, 40.7624)])[0],
        1e-3,
    )
    for hit in found["cell"]:
        column, row = (int(part) for part in raster.cell(under(state, hit["screen"])))
        report.check(
            (hit["column"], hit["row"]) == (column, row), f"the cell at {hit['screen']}: {column}, {row}, found {hit}"
        )
        near(report, "its value", [hit["value"], hit["attribute"]], [float(raster.values[row, column])] * 2, 1e-9)
        corners = [(column + dx, row + dy) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0))]
        expected = mercator([gdal.ApplyGeoTransform(raster.transform, *corner) for corner in corners], raster.crs)
        ring = numpy.reshape(hit["ring"], (-1, 2))
        # The ring may begin at another corner.
        near(report, "its corners", sorted(map(tuple, ring[:4])), sorted(map(tuple, expected[:4])), 1e-3)
        near(report, "its corners as a polygon", numpy.reshape(hit["polygon"], (-1, 2)), expected, 1e-3)
        near(report, "its corners as vectors", numpy.add(hit["vectors"], hit["origin"]), ring, 1e-3)
    extent, width, height = found["extent"][0], raster.file.RasterXSize, raster.file.RasterYSize
    west, north = gdal.ApplyGeoTransform(raster.transform, 0, 0)
    east, south = gdal.ApplyGeoTransform(raster.transform, width, height)
    transform = pyproj.Transformer.from_crs(raster.crs, MERCATOR, always_xy=True)
    expected = transform.transform_bounds(west, south, east, north, densify_pts=1000)
    near(report, "the extent", [extent[k] for k in ("x_min", "y_min", "x_max", "y_max")], expected, 0.01)


def pixels(report: toolbox.Report, found: dict) -> None:
    """The picture of a raster with red, green and blue: its own bytes."""
    raster, picture = Raster(COLORS), found["pixels"][0]
    right, inside = 0, 0
    for x, y, color in picture["pixels"]:
        column, row = raster.cell(under(picture["camera"], (x + 0.5, y + 0.5)))
        expected = [0, 0, 0, 0]
        if 0 <= column < raster.file.RasterXSize and 0 <= row < raster.file.RasterYSize:
            values = [int(value) for value in raster.values[:3, int(row), int(column)]]
            # The file declares 0 as nodata in each band.
            expected = [*values, 255] if any(values) else expected
            inside += any(values)
        is_right = color == expected or (not any(expected) and color[3] == 0)
        right += is_right
        if not is_right:
            print(f"at {x}, {y}: {color}, GDAL has {expected}")
    report.check(
        right == len(picture["pixels"]) and inside > 20, f"{right} of {len(picture['pixels'])} pixels, {inside} inside"
    )


def country(report: toolbox.Report, found: dict) -> None:
    source = ogr.Open(str(COUNTRIES))
    layer = source.GetLayer()
    layer.SetAttributeFilter("name = 'Brazil'")
    feature = layer.GetNextFeature()
    hit = found["country"][0]
    report.check(hit["id"] == feature.GetFID(), f"the id: {hit['id']}")
    expected = {name: value for name, value in feature.items().items()}
    for name, value in expected.items():
        given = hit["attributes"].get(name, "none")
        is_right = given == value or (isinstance(value, float) and math.isclose(given, value, rel_tol=1e-9))
        report.check(is_right, f"the attribute {name}: {given}, OGR has {value}")
    rings = [part for index in range(feature.GetGeometryRef().GetGeometryCount()) for part in ring_of(feature, index)]
    report.check(hit["rings"] == len(rings), f"{hit['rings']} rings, OGR has {len(rings)}")
    near(report, "its outline", numpy.reshape(found["country ring"][0], (-1, 2)), mercator(rings[0]), 1e-3)


def ring_of(feature: ogr.Feature, index: int) -> list:
    part = feature.GetGeometryRef().GetGeometryRef(index)
    rings = [part.GetGeometryRef(ring) for ring in range(part.GetGeometryCount())] or [part]
    return [[point[:2] for point in ring.GetPoints()] for ring in rings]


def camera(report: toolbox.Report, found: dict) -> None:
    state = found["viewpoint"][0]
    center = [state["center"]["x"], state["center"]["y"]]
    near(report, "set_viewpoint", center, mercator([(13.4, 52.5)])[0], 1e-3)
    near(report, "scale and rotation", [state["scale"], state["rotation_deg"]], [1000000, 30], 1e-6)
    near(report, "screen_to_map", found["screen_to_map"][0], under(state, (123, 456)), 1e-3)
    # A Vector2 has 24 bits.
    near(report, "map_to_screen", under(state, found["map_to_screen"][0]), (1500000, 6900000), 264.6 * 5e-5)
    state = found["animated"][0]
    near(report, "an animation", [state["center"]["x"], state["center"]["y"]], mercator([(10, 50)])[0], 1e-3)
    near(report, "its scale and rotation", [state["scale"], state["rotation_deg"]], [500000, 90], 1e-6)


def projected(report: toolbox.Report, found: dict) -> None:
    places = [(13.4, 52.5), (7.44, 46.95), (179.9, -16.5), (8.0, 85.0)]
    near(report, "projected points", numpy.reshape(found["projected"][0], (-1, 2)), mercator(places), 1e-3)
    transform = pyproj.Transformer.from_crs(DEGREES, pyproj.CRS("EPSG:32632"), always_xy=True)
    expected = numpy.column_stack(transform.transform([9, 10.5], [48, 47.25]))
    near(report, "points in a zone of UTM", numpy.reshape(found["utm"][0], (-1, 2)), expected, 1e-3)


def buffers(report: toolbox.Report, found: dict) -> None:
    """Each vertex lies at the distance, and the area is that of the polygon of GeographicLib's circle."""
    geod = pyproj.Geod(ellps="WGS84")
    for center, made in zip([(13.4, 52.5), (7.44, 46.95)], found["buffers"][0]):
        ring = numpy.reshape(made["rings"][0], (-1, 2))
        distances = geod.inv([center[0]] * len(ring), [center[1]] * len(ring), ring[:, 0], ring[:, 1])[2]
        report.check(len(ring) > 16 and len(made["rings"]) == 1, f"a buffer has {len(ring)} vertices")
        # The polygon runs inside and outside of the circle by at most the deviation of the defaults: 1 thousandth.
        near(report, "the distance of its vertices", distances, [2500.0] * len(ring), 2.5)
        circle = [geod.fwd(*center, azimuth, 2500.0)[:2] for azimuth in numpy.arange(0, 360, 0.25)]
        area, expected = (abs(geod.polygon_area_perimeter(*numpy.transpose(points))[0]) for points in (ring, circle))
        near(report, "its area", area / expected, 1.0, 2e-3)
        near(report, "its vectors", numpy.add(made["vectors"][0], made["origin"]), ring, 1e-8)


if __name__ == "__main__":
    sys.exit(main())

"""The example with a tap on a world map: the whole answer, line by line, against GDAL, pyproj and Shapely; the picture."""
import math
import os
import re
import subprocess
import sys

import numpy
import pyproj
import pytest
from conftest import ROOT
from osgeo import gdal, ogr
from PIL import Image
from shapely import wkb
from shapely.geometry import LineString, Point, Polygon
from shapely.ops import transform

from camera import Camera, metres_per_unit

EXAMPLE = ROOT / "examples" / "world_identify"
CRS = pyproj.CRS.from_epsg(8857)
TO_MAP = pyproj.Transformer.from_crs(4326, CRS, always_xy=True).transform
TO_DEGREES = pyproj.Transformer.from_crs(CRS, 4326, always_xy=True).transform
GEOD = pyproj.Geod(ellps="WGS84")
TAP, TOLERANCE, SIZE = (482.0, 286.0), 22.0, (860.0, 640.0)
# Half of what the symbols are wide.
BORDER, RIVER, FLIGHT = 0.75, 1.25, 1.0


@pytest.fixture(scope="module")
def camera():
    return Camera(TO_MAP(14.9, -4.55), 3_000_000, 0.0, SIZE, metres_per_unit=metres_per_unit(CRS))


class Table:
    """A file as GDAL reads it, on the screen."""

    def __init__(self, name, camera):
        self.name, self.camera = name, camera
        source = ogr.Open(str(EXAMPLE / "data" / f"{name}.fgb"))
        layer = source.GetLayer(0)
        definition = layer.GetLayerDefn()
        fields = [definition.GetFieldDefn(index) for index in range(definition.GetFieldCount())]
        self.aliases = {field.GetName(): field.GetAlternativeName() for field in fields}
        self.rows = {}
        for feature in layer:
            values = {name: feature.GetField(name) for name in self.aliases}
            self.rows[feature.GetFID()] = (values, wkb.loads(bytes(feature.GetGeometryRef().ExportToWkb())))

    def find(self, name):
        return next(key for key, (values, _) in self.rows.items() if values["name"] == name)

    def screen(self, key):
        return on_screen(self.camera, self.rows[key][1])


def on_screen(camera, geometry):
    def move(x, y):
        return camera.to_screen(numpy.column_stack(TO_MAP(numpy.array(x), numpy.array(y)))).T

    return transform(move, geometry)


@pytest.fixture(scope="module")
def tables(camera):
    return {name: Table(name, camera) for name in ("countries", "lakes", "rivers", "cities")}


def paths(geometry):
    """All paths with the indexes of their parts and themselves."""
    for part, one in enumerate(getattr(geometry, "geoms", [geometry])):
        rings = [one.exterior, *one.interiors] if isinstance(one, Polygon) else [one]
        for path, ring in enumerate(rings):
            yield part, path, numpy.array(ring.coords)


def nearest(geometry, point):
    """The nearest point of all edges: its distance, itself, and the indexes of part, path, edge and vertex."""
    best = (math.inf,)
    for part, path, vertices in paths(geometry):
        if len(vertices) == 1:
            best = min(best, (float(numpy.hypot(*(vertices[0] - point))), tuple(vertices[0]), part, path, None, 0))
            continue
        start, along = vertices[:-1], numpy.diff(vertices, axis=0)
        length = numpy.maximum((along**2).sum(axis=1), 1e-300)
        share = numpy.clip(((point - start) * along).sum(axis=1) / length, 0, 1)
        places = start + share[:, None] * along
        distances = numpy.hypot(*(places - point).T)
        edge = int(distances.argmin())
        ends = numpy.hypot(*(vertices[edge : edge + 2] - point).T)
        best = min(best, (float(distances[edge]), tuple(places[edge]), part, path, edge, edge + int(ends.argmin())))
    return best


def degrees(longitude, latitude):
    return f"{abs(latitude):.4f}° {'S' if latitude < 0 else 'N'} {abs(longitude):.4f}° {'W' if longitude < 0 else 'E'}"


def place(camera, point):
    return degrees(*TO_DEGREES(*camera.to_map([point])[0]))


def proof(camera, geometry, reach, is_filled=False):
    """The two lines for a hit, or None for a miss. A marker is a circle of the radius `reach`."""
    distance, at, part, path, edge, vertex = nearest(geometry, TAP)
    is_inside = is_filled and geometry.contains(Point(TAP)) if geometry.area else is_filled and distance <= reach
    footprint = 0.0 if is_inside else max(0.0, distance - reach)
    if footprint > TOLERANCE:
        return None
    zone = "inside" if is_inside else "edge" if footprint == 0 else "halo"
    ends = [TO_DEGREES(*camera.to_map([point])[0]) for point in (TAP, at)]
    metres = 0 if is_inside and geometry.area else GEOD.inv(*ends[0], *ends[1])[2]
    edge_text = "" if edge is None else f", edge {edge}"
    return [f"{zone}: footprint {footprint:.2f} DIP, geometry {distance:.2f} DIP and {metres:.0f} m away",
            f"nearest point {degrees(*ends[1])}: part {part}, path {path}{edge_text}, vertex {vertex}"]


def section(table, camera, reach_of, is_filled, popup, numbers):
    """The lines of a layer: what is later in the file lies above."""
    lines = []
    for key in sorted(table.rows, reverse=True):
        values = table.rows[key][0]
        found = proof(camera, table.screen(key), reach_of(values), is_filled)
        if found is None:
            continue
        text, rows = popup(values)
        lines += [f"  {next(numbers)}. {values['name']}", *(f"       {line}" for line in found)]
        lines += [f"       {table.aliases[name]}: {value}" for name, value in values.items()]
        lines += [f"       popup: {text}", *(f"       popup: {table.aliases[name]} = {row}" for name, row in rows.items())]
    count = sum(". " in line[:6] for line in lines)
    return [f"{table.name}: {count} hits", *lines]


def city_reach(values):
    return next(size for bound, size in ((9, 6), (11, 8), (14, 11)) if values["rank_max"] <= bound) / 2 + 0.75


def flight(tables, camera):
    """The shortest path, in steps that are shorter than what a line of 1 DIP shows."""
    ends = [tables["cities"].rows[tables["cities"].find(name)][1] for name in ("Kinshasa", "Johannesburg")]
    metres = GEOD.inv(ends[0].x, ends[0].y, ends[1].x, ends[1].y)[2]
    steps = math.ceil(metres / 50_000)
    between = GEOD.npts(ends[0].x, ends[0].y, ends[1].x, ends[1].y, steps - 1)
    return on_screen(camera, LineString([(ends[0].x, ends[0].y), *between, (ends[1].x, ends[1].y)]))


@pytest.fixture(scope="module")
def expected(tables, camera):
    numbers = iter(range(1, 100))
    lines = [f"A tap at (482, 286) within 22 DIP, at {place(camera, TAP)}", "flights: 1 hits"]
    values = {"flight": "AL 17", "from": "Kinshasa", "to": "Johannesburg"}
    lines += [f"  {next(numbers)}. Flight AL 17", *(f"       {line}" for line in proof(camera, flight(tables, camera), FLIGHT))]
    lines += [f"       {name}: {value}" for name, value in values.items()]
    lines += ["       popup: From Kinshasa to Johannesburg.", *(f"       popup: {name} = {value}" for name, value in values.items())]
    lines += section(tables["cities"], camera, city_reach, True, lambda values: (
        f"A city of {values['adm0name']} with {values['pop_max']:,} inhabitants.",
        {"pop_max": f"{values['pop_max']:,}", "rank_max": values["rank_max"]}), numbers)
    rivers = section(tables["rivers"], camera, lambda values: RIVER, False, lambda values: (
        f"A river of rank {values['scalerank']}.", {"scalerank": values["scalerank"]}), numbers)
    lines += [rivers[0].replace("rivers:", "water: a group,"), *(f"  {line}" for line in rivers)]
    lines += ["  lakes: 0 hits (out of scale)"]
    lines += section(tables["countries"], camera, lambda values: BORDER, True, lambda values: (
        f"A country in {values['continent']} with {values['pop_est']:,} inhabitants.",
        {"pop_est": f"{values['pop_est']:,}", "gdp_md_est": f"{values['gdp_md_est']:,}"}), numbers)
    longitude, latitude = TO_DEGREES(*camera.to_map([TAP])[0])
    column, row = math.floor((longitude + 180) * 3), math.floor((90 - latitude) * 3)
    height = int(gdal.Open(str(EXAMPLE / "data" / "elevation.tif")).ReadAsArray(column, row, 1, 1)[0, 0])
    lines += ["elevation: 1 hits", f"  {next(numbers)}. {height} m", f"       Height above sea level: {height} m"]
    # The centre is that of the cell's corners on the map, or of the cell: the two are closer than the text shows.
    lines.insert(-1, f"       cell in column {column}, row {row}; its centre is at "
                     f"{degrees((column + 0.5) / 3 - 180, 90 - (row + 0.5) / 3)}")
    return lines


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    import alidade

    path = tmp_path_factory.mktemp("world_identify") / "picture.png"
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(alidade.__file__)))
    command = [sys.executable, "-B", EXAMPLE / "world_identify.py", "--output", path]
    result = subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE, timeout=120)
    return result.stdout.splitlines(), path


def test_the_answer(run, expected):
    lines = run[0]
    assert lines[: len(expected)] == expected
    # Under one finger: a graphic, two cities, a river, two countries and a cell.
    assert sum(". " in line[:8] and line.lstrip()[0].isdigit() for line in expected) == 7


def snapped(table, point, is_vertex):
    """The nearest vertex or point of an edge of a table, as nearest() has it, and the feature's number."""
    best = (math.inf,)
    for key in table.rows:
        for part, path, vertices in paths(table.screen(key)):
            if is_vertex:
                distances = numpy.hypot(*(vertices - point).T)
                index = int(distances.argmin())
                best = min(best, (float(distances[index]), tuple(vertices[index]), -key, f"vertex {index}"))
            else:
                distance, at, _, _, edge, _ = nearest(LineString(vertices), point)
                best = min(best, (distance, at, -key, f"edge {edge}"))
    return best


def test_the_snaps(run, tables, camera):
    lines = [line for line in run[0] if line.startswith("Snap ")]
    cases = (("near the river", (640.0, 93.0), "rivers", True), ("near the border", (250.0, 380.0), "countries", False))
    assert len(lines) == len(cases)
    for line, (what, point, name, is_vertex) in zip(lines, cases):
        distance, at, key, index = snapped(tables[name], point, is_vertex)
        assert distance < TOLERANCE
        text = f"Snap {what}, from ({point[0]:g}, {point[1]:g}): {distance:.2f} DIP to "
        assert line.startswith(text) and line.endswith(place(camera, at)), line
        if is_vertex:
            assert line == f"{text}{index} of {name} {-key}, {place(camera, at)}"


def test_the_misses(run, tables, camera):
    matadi, lake = tables["cities"], tables["lakes"]
    key = matadi.find("Matadi")
    city = nearest(matadi.screen(key), TAP)[0] - city_reach(matadi.rows[key][0])
    water = nearest(lake.screen(lake.find("Lake Tanganyika")), TAP)[0] - 0.5
    assert run[0][-2:] == [
        f"Why not Matadi: outside, {city:.2f} DIP away",
        # The scale is three times as far as the lakes' own limit.
        f"Why not Lake Tanganyika: out of scale, outside, {water:.2f} DIP away, the scale must be multiplied by 0.3333"]


def test_the_picture(run, tables, camera):
    """The circle of the tap is in the picture, and each hit shines."""
    pixels = numpy.asarray(Image.open(run[1]).convert("RGB")).astype(int)
    density, margin, header, pink = 2, 24, 76, numpy.array((230, 0, 90))

    def around(point, reach=6):
        x, y = (int(round(value * density)) for value in (point[0] + margin, point[1] + header))
        return pixels[y - reach : y + reach + 1, x - reach : x + reach + 1]

    for angle in numpy.linspace(0, 2 * math.pi, 24):
        dark = around(numpy.add(TAP, (TOLERANCE * math.cos(angle), TOLERANCE * math.sin(angle))), 3)
        assert dark.sum(axis=2).min() < 260, angle
    hit = {"rivers": "Congo", "countries": "Dem. Rep. Congo"}
    for name, feature in hit.items():
        table = tables[name]
        shown = [vertices for _, _, vertices in paths(table.screen(table.find(feature)))]
        # The text of a snap lies over some of them.
        points = [point for vertices in shown for point in vertices if numpy.hypot(*(point - TAP)) > 40
                  and 220 < point[0] < 580 and 150 < point[1] < 620 and not (point[0] < 380 and 360 < point[1] < 400)]
        assert len(points) > 4
        for point in points:
            assert numpy.abs(around(point) - pink).max(axis=2).min() < 40, (name, point)
    city = tables["cities"].screen(tables["cities"].find("Bandundu"))
    assert numpy.abs(around((city.x, city.y)) - pink).max(axis=2).min() > 60


def test_the_picture_of_the_readme_is_this_one(run):
    """The map pixel by pixel, but for a few of its texts' and for its fewer colours; the list by where its lines are."""
    page = (ROOT / "README.md").read_text()
    path = ROOT / re.search(r"!\[[^]]+\]\(([^)]+)\)", page)[1]
    assert path.stat().st_size < 300_000
    shown, drawn = (numpy.asarray(Image.open(one).convert("RGB")).astype(int) for one in (path, run[1]))
    assert shown.shape == drawn.shape
    left, top, width, height = (2 * length for length in (24, 76, 860, 640))
    differences = numpy.abs(shown - drawn).max(axis=2)[top : top + height, left : left + width]
    # Another tap, or a scale that is 1 % closer, changes more than 3 %, and a tolerance of 20 instead of 22 DIP 1 %.
    assert (differences > 64).mean() < 0.008
    # Other versions of the fonts move what is in a line, not the lines.
    lines = [(one[:, left + width + 20 :].min(axis=(1, 2)) < 150) for one in (shown, drawn)]
    assert 0.2 < lines[0].mean() < 0.8 and (lines[0] == lines[1]).mean() > 0.97

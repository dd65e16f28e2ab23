"""
Identify on a map of the world with rasters, countries, lakes, rivers, cities and graphics: taps, boxes and lassos.

The truth is GDAL's reading of the files, put on the screen by pyproj and numpy, and Shapely's distances. For cells it is
the geotransform.
"""
import math

import alidade
import numpy
import pyproj
import pytest
import rasterio
from osgeo import ogr
from shapely import wkb
from shapely.geometry import LineString, Point, box
from shapely.ops import polygonize, unary_union

from conftest import ROOT
from test_identify_features import SIZE, Truth, check, coordinates, make_view

DATA = ROOT / "examples" / "world_identify" / "data"
LINE = alidade.LineSymbol
SYMBOLS = {
    "countries": alidade.FillSymbol((1, 2, 3), LINE((0, 0, 0), 2)),
    "lakes": alidade.FillSymbol((1, 2, 3), LINE((0, 0, 0), 5), alidade.graphics.FillStyle.NULL),
    "rivers": LINE((1, 2, 3), 3, alidade.graphics.LineStyle.DASH),
    "cities": alidade.MarkerSymbol((1, 2, 3), 9, alidade.graphics.MarkerStyle.SQUARE, LINE((0, 0, 0), 1), 30),
    "graphics": alidade.MarkerSymbol((1, 2, 3), 14, alidade.graphics.MarkerStyle.TRIANGLE),
}
# The topmost first.
ORDER = ["graphics", "cities", "rivers", "lakes", "countries"]
RASTERS = ["sparse", "europe", "elevation"]
SCENES = [
    (3857, (25, 58), 2e7, 0.0, True),
    (3857, (177, 10), 2.5e8, 33.0, False),
    (8857, (25, 10), 6e7, 280.0, True),
    (3413, (20, 68), 4e7, 71.0, True),
]
# Together with test_countries, 5,000 taps in the plain run and 100,000 in the long one.
TAPS, LONG_TAPS = 500, 10_000


def table(name):
    source = ogr.Open(str(DATA / f"{name}.fgb"))
    return {feature.GetFID(): wkb.loads(bytes(feature.GetGeometryRef().ExportToWkb())) for feature in source.GetLayer(0)}


@pytest.fixture(scope="module")
def rasters(tmp_path_factory):
    """The paths: heights of the world; whole numbers around Europe; and cells in Web Mercator, every third without one."""
    folder = tmp_path_factory.mktemp("rasters")
    paths = {"elevation": DATA / "elevation.tif"}
    shapes = {"europe": ("EPSG:3035", (2e6, 1.5e6), 30_000.0, (170, 130)),
              "sparse": ("EPSG:3857", (-1.9e7, -9e6), 100_000.0, (330, 170))}
    for name, (crs, (west, south), size, (columns, rows)) in shapes.items():
        values = numpy.arange(rows * columns, dtype="uint16").reshape(1, rows, columns) % 30_000
        if name == "sparse":
            values[:, :, ::3] = 65535
        transform = rasterio.transform.from_origin(west, south + rows * size, size, size)
        paths[name] = folder / f"{name}.tif"
        with rasterio.open(paths[name], "w", driver="GTiff", width=columns, height=rows, count=1, dtype="uint16", crs=crs,
                           transform=transform, nodata=65535) as file:
            file.write(values)
    return paths


class Cells:
    """A raster file: which cell is at a point of the map."""

    def __init__(self, path, code):
        with rasterio.open(path) as file:
            self.values, self.nodata = file.read(1), file.nodata
            self.inverse = ~file.transform
            self.is_geographic = file.crs.is_geographic
            self.project = pyproj.Transformer.from_crs(code, file.crs, always_xy=True).transform

    def at(self, point):
        """Column, row and value; () outside; None if that cannot be decided."""
        x, y = self.project(*point)
        if not math.isfinite(x + y):
            return ()
        if self.is_geographic:
            x = (x + 180) % 360 - 180
        column, row = self.inverse * (x, y)
        rows, columns = self.values.shape
        if min(abs(column - round(column)), abs(row - round(row))) < 1e-5:
            return None
        if not (0 <= column < columns and 0 <= row < rows):
            return ()
        return math.floor(column), math.floor(row), self.values[math.floor(row), math.floor(column)]


class World:
    """The map, and the truth about it."""

    def __init__(self, runtime, rasters, code, centre, scale, rotation):
        self.map, self.view, self.camera = make_view(runtime, code, centre, scale, rotation)
        self.world = 2 * math.pi * 6378137 if code == 3857 else None
        self.layers, self.cells, self.truths = {}, {}, {}
        for name in RASTERS[::-1]:
            self.layers[name] = alidade.RasterLayer(alidade.Raster(runtime, rasters[name]))
            self.cells[name] = Cells(rasters[name], code)
            self.map.add_basemap_layer(self.layers[name])
        tables = {name: table(name) for name in ORDER[1:]}
        for name in tables:
            self.layers[name] = alidade.FeatureLayer.from_path(
                runtime, DATA / f"{name}.fgb", renderer=alidade.SimpleRenderer(SYMBOLS[name]))
        self.water = alidade.GroupLayer(runtime)
        for layer in (self.layers["lakes"], self.layers["rivers"]):
            self.water.append(layer)
        for layer in (self.layers["countries"], self.water, self.layers["cities"]):
            self.map.add_layer(layer)
        self.map.load()
        # Graphics where rivers have vertices, so that much lies under one finger.
        overlay = alidade.GraphicsOverlay(runtime, alidade.SimpleRenderer(SYMBOLS["graphics"]))
        points = numpy.vstack([coordinates(river)[::7] for river in tables["rivers"].values()])
        made = overlay.add_many(alidade.GeometryArray.from_columns(
            runtime, points, kind=alidade.geometry.GeometryKind.POINT, spatial_reference=alidade.SpatialReference.from_code(runtime, 4326)))
        tables["graphics"] = {key: Point(point) for key, point in zip(made, points)}
        self.view.add_overlay(overlay)
        for name in ORDER:
            self.truths[name] = truth = Truth(self.camera, code)
            for key, geometry in tables[name].items():
                truth.add((name, key), geometry, SYMBOLS[name])
            truth.finish()

    def draw(self):
        for name in ORDER[1:]:
            self.view.feature_drawing(self.layers[name])

    def vertices(self):
        found = numpy.vstack([coordinates(screen) for name in ORDER for _, screen, _, _, _ in self.truths[name].drawn])
        return found[(found >= 0).all(axis=1) & (found <= SIZE).all(axis=1)]

    def expected(self, point, tolerance, region=None, is_skipping=False):
        """By layer what is hit, topmost first; None if that cannot be decided."""
        found = {}
        for name in ORDER:
            truth = self.truths[name]
            hits = truth.hits(point, tolerance, region) if len(truth.drawn) else {}
            if hits is None:
                return None
            found[name] = [key[1] for key in hits]
        place = self.camera.to_map([point])[0]
        if self.world:
            place[0] = math.remainder(place[0], self.world)
        for name in RASTERS:
            cell = self.cells[name].at(place)
            if cell is None:
                return None
            is_empty = cell and cell[2] == self.cells[name].nodata
            found[name] = [] if region or not cell or (is_empty and is_skipping) else [cell]
        return found

    def name_of(self, thing):
        if thing.overlay is not None:
            return "graphics"
        return next((name for name, layer in self.layers.items() if layer is thing.layer), "water")


def inside(corners):
    """The points from which a ray crosses the edges of a polygon an odd number of times; it may cross itself."""
    ring = numpy.array([*corners, corners[0]])

    def is_odd(point):
        (x0, y0), (x1, y1) = ring[:-1].T, ring[1:].T
        crossing = (y0 > point.y) != (y1 > point.y)
        at = x0 + (point.y - y0) * (x1 - x0) / numpy.where(y1 == y0, 1, y1 - y0)
        return (crossing & (at > point.x)).sum() % 2 == 1

    faces = polygonize(unary_union(LineString(ring)))
    return unary_union([face for face in faces if is_odd(face.representative_point())])


def lasso(generator, middle):
    """A box, or a polygon that may cross itself, around a point: its corners, and the same for Shapely."""
    size, kind = generator.uniform(2, 90), generator.integers(3)
    if kind == 0:
        low, high = middle - size * generator.uniform(0.1, 1, 2), middle + size * generator.uniform(0.1, 1, 2)
        return [tuple(high), tuple(low)], box(*low, *high)
    angles = generator.uniform(0, 2 * math.pi, 8)
    if kind == 1:
        angles.sort()
    corners = [tuple(middle + size * generator.uniform(0.2, 1) * numpy.array([math.cos(a), math.sin(a)])) for a in angles]
    return corners, inside(corners)


@pytest.fixture(scope="module", params=SCENES, ids=lambda scene: f"{scene[0]}, {scene[3]:g} degrees")
def world(request, runtime, rasters):
    *camera, is_drawn = request.param
    made = World(runtime, rasters, *camera)
    if is_drawn:
        made.draw()
    return made


def test_taps(world, is_long):
    """Everything under a finger, in order, with several rasters; the same twice; and a limit takes from the end."""
    generator = numpy.random.default_rng(17)
    vertices, count = world.vertices(), LONG_TAPS if is_long else TAPS
    decided, by_layer, deepest = 0, dict.fromkeys(ORDER + RASTERS, 0), 0
    for number in range(count):
        point = generator.uniform((0, 0), SIZE)
        if number % 2:
            point = vertices[generator.integers(len(vertices))] + generator.normal(0, 6, 2)
        point = tuple(numpy.clip(point, 0.01, numpy.subtract(SIZE, 0.01)).tolist())
        tolerance = float(generator.choice([0.0, generator.uniform(0, 30)]))
        is_skipping = bool(generator.integers(2))
        expected = world.expected(point, tolerance, is_skipping=is_skipping)
        if expected is None:
            continue
        decided += 1
        found = world.view.identify(point, tolerance, alidade.identify.ALL, skip_empty_cells=is_skipping)
        compare(world, found, expected, (point, tolerance, is_skipping))
        if number % 10 == 0:
            check_evidence(world, found, point, tolerance)
            check_limits(world, found, point, tolerance, generator, skip_empty_cells=is_skipping)
        for name, hits in expected.items():
            by_layer[name] += len(hits)
        deepest = max(deepest, len(found))
    assert decided > 0.95 * count
    assert all(by_layer[name] > 0.01 * count for name in ("graphics", "cities", "rivers", "countries", *RASTERS)), by_layer
    assert by_layer["lakes"] > 0 and deepest > 9


def compare(world, found, expected, case):
    """Parts and elements in the order that the header states, and nothing else."""
    names = [world.name_of(part) for part in found.parts]
    assert names == ["graphics", "cities", "water", "rivers", "lakes", "countries", *RASTERS], case
    assert [part.parent_index for part in found.parts] == [None, None, None, 2, 2, None, None, None, None]
    flat = [(name, key) for name in ORDER + RASTERS for key in expected[name]]
    got = [(world.name_of(element), key_of(element)) for element in found]
    assert got == flat, case
    for part, name in zip(found.parts, names):
        hits = expected["rivers"] + expected["lakes"] if name == "water" else expected[name]
        assert part.hit_count == len(part.elements) == len(hits), case
        assert (part.reasons == 0) == bool(hits) and part.error is None, (case, name)


def key_of(element):
    if element.cell is None:
        return element.id
    return element.cell.column, element.cell.row, element.cell.values["integer"][0]


def check_evidence(world, found, point, tolerance):
    for name in ORDER:
        if len(world.truths[name].drawn):
            elements = [Keyed(name, element) for element in found if world.name_of(element) == name]
            assert check(world.truths[name], point, tolerance, elements)


class Keyed:
    """An element with the key that the truth has for it."""

    def __init__(self, name, element):
        self.id, self.evidence = (name, element.id), element.evidence


def described_all(result):
    return [(element.kind, element.layer, element.id, element.text, element.evidence) for element in result]


def check_limits(world, found, point, tolerance, generator, **options):
    again = world.view.identify(point, tolerance, alidade.identify.ALL, **options)
    assert list(map(str, described_all(again))) == list(map(str, described_all(found)))
    most = int(generator.integers(0, 5))
    limited = world.view.identify(point, tolerance, most, **options)
    for whole, part in zip(found.parts, limited.parts):
        if whole.layer is world.water:
            continue
        kept = [found[index] for index in whole.elements][: most or 1]
        assert [key_of(limited[index]) for index in part.elements] == [key_of(element) for element in kept]
        assert part.hit_count == whole.hit_count
    leaves = [part for part in found.parts if part.layer is not world.water]
    assert limited.limit_exceeded == any(part.hit_count > (most or 1) for part in leaves) and not found.limit_exceeded
    # One layer alone has what it has among all.
    for part in leaves:
        arguments = (point, tolerance, alidade.identify.ALL)
        alone = (world.view.identify_overlay(part.overlay, *arguments, **options) if part.layer is None
                 else world.view.identify_layer(part.layer, *arguments, **options))
        assert [key_of(element) for element in alone] == [key_of(found[index]) for index in part.elements]


def test_boxes_and_lassos(world, is_long):
    """The same for an area of the screen. It meets footprints; cells take no part."""
    generator = numpy.random.default_rng(18)
    vertices, count, decided, hits = world.vertices(), 2000 if is_long else 120, 0, 0
    for number in range(count):
        middle = generator.uniform((100, 100), (700, 500))
        if number % 2:
            middle = numpy.clip(vertices[generator.integers(len(vertices))], 100, (700, 500))
        corners, region = lasso(generator, middle)
        point = tuple(middle.tolist())
        expected = world.expected(point, 0.0, region)
        if expected is None:
            continue
        decided += 1
        found = world.view.identify(point, 0, alidade.identify.ALL, area=corners)
        compare(world, found, expected, (corners,))
        reasons = {world.name_of(part): part.reasons for part in found.parts}
        assert all(alidade.identify.MissReasonFlags.NEEDS_POINT in reasons[name] for name in RASTERS)
        hits += len(found)
        if number % 10 == 0:
            check_limits(world, found, point, 0.0, generator, area=corners)
    assert decided > 0.8 * count and hits > 2 * count

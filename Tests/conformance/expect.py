#!/usr/bin/python3
"""Checks the table of cases against peers: expect.py CASES, in the root of the repository.

Computes the values of each case with pyproj, PROJ, GeographicLib, Shapely, rasterio and OGR, or with a published formula,
and compares them with the table. None stands for a value that only Alidade defines, such as a message. Prints a line for
each case that differs, how many values were compared and, last, "N passed, N failed". Cases without such a value count as
neither.
"""
import math
import re
import sys
import warnings
from fractions import Fraction

import pyproj
import rasterio
import shapely.ops
import shapely.wkb
import shapely.wkt
from geographiclib.geodesic import Geodesic
from osgeo import gdal, ogr
from pyproj.transformer import TransformerGroup
from shapely.geometry import Point

gdal.UseExceptions()
ogr.UseExceptions()

# The definitions in metres, radians and square metres: SI brochure, and the yard and pound agreement of 1959.
FOOT, SURVEY_FOOT = Fraction(3048, 10000), Fraction(1200, 3937)
UNITS = {
    "metre": 1, "kilometre": 1000, "millimetre": Fraction(1, 1000), "foot": FOOT, "US survey foot": SURVEY_FOOT,
    "inch": FOOT / 12, "yard": 3 * FOOT, "statute mile": 5280 * FOOT, "US survey mile": 5280 * SURVEY_FOOT,
    "nautical mile": 1852, "degree": math.pi / 180, "radian": 1, "grad": math.pi / 200,
    "arc-second": math.pi / 180 / 3600, "square metre": 1, "hectare": 10_000, "square kilometre": 1_000_000,
    "acre": 43560 * FOOT * FOOT, "square foot": FOOT * FOOT, "square mile": (5280 * FOOT) ** 2,
}
# The numbers in raster.h and feature_source.h.
RASTER_TYPES = ["Byte", "Int8", "UInt16", "Int16", "UInt32", "Int32", "UInt64", "Int64", "Float32", "Float64"]
FIELD_TYPES = {ogr.OFTInteger: 1, ogr.OFTInteger64: 1, ogr.OFTReal: 2, ogr.OFTString: 3, ogr.OFTDateTime: 6,
               ogr.OFTIntegerList: 8, ogr.OFTRealList: 9, ogr.OFTStringList: 10}
GEOMETRY_KINDS = {"POINT": 1, "MULTIPOINT": 2, "LINESTRING": 3, "MULTILINESTRING": 3, "POLYGON": 4, "MULTIPOLYGON": 4,
                  "GEOMETRYCOLLECTION": 5}
PREDICATES = [None, "equals", "disjoint", "intersects", "touches", "crosses", "within", "contains", "overlaps", "covers",
              "covered_by"]


def factor(unit):
    return 1 if unit == "-" else UNITS[unit]


def pairs(numbers):
    return [(float(x), float(y)) for x, y in zip(numbers[::2], numbers[1::2])]


def transformer(source, target):
    return pyproj.Transformer.from_crs(source, target, always_xy=True)


def ellipsoid(definition):
    found = pyproj.CRS(definition).ellipsoid
    return Geodesic(found.semi_major_metre, 1 / found.inverse_flattening if found.inverse_flattening else 0)


def degrees(definition, geometry):
    """A geometry of any spatial reference in the degrees of its own datum."""
    return shapely.ops.transform(transformer(definition, pyproj.CRS(definition).geodetic_crs).transform, geometry)


def unit(value, source, target):
    return [float(Fraction(value) * Fraction(UNITS[source]) / Fraction(UNITS[target]))]


def reference(definition):
    crs = pyproj.CRS(definition)
    authority, code = crs.to_authority(min_confidence=100) or ("", "")
    axis, radius = crs.axis_info[0], crs.ellipsoid.semi_major_metre
    per_unit = axis.unit_conversion_factor * (radius if crs.is_geographic else 1)
    return [1 if crs.is_geographic else 2, crs.name, authority, code, axis.unit_name, per_unit, radius,
            crs.ellipsoid.inverse_flattening]


def project(source, target, *numbers):
    values = []
    for x, y in pairs(numbers):
        image = transformer(source, target).transform(x, y)
        values += [0, *image] if all(map(math.isfinite, image)) else [1]
    return values


def geodesic(definition, *numbers):
    (x1, y1), (x2, y2) = pairs(numbers)
    path = ellipsoid(definition).Inverse(y1, x1, y2, x2)
    return [path["s12"], path["azi1"], path["azi2"]]


def iso(geometry):
    """Text with a space after each comma, and whole numbers without decimals."""
    return re.sub(r"\.0\b", "", geometry.ExportToIsoWkt().replace(",", ", "))


def geometry(text):
    made = ogr.CreateGeometryFromWkt(text)
    name = made.GetGeometryName()
    is_multi = name in ("MULTILINESTRING", "MULTIPOLYGON")
    flags = made.Is3D() + 2 * made.IsMeasured() + 4 * is_multi + 8 * made.IsEmpty()
    return [GEOMETRY_KINDS[name], flags, vertex_count(made), made.ExportToIsoWkb().hex().upper(), iso(made)]


def vertex_count(geometry):
    if geometry.IsEmpty():
        return 0
    parts = [geometry.GetGeometryRef(index) for index in range(geometry.GetGeometryCount())]
    return sum(map(vertex_count, parts)) if parts else geometry.GetPointCount()


def from_wkb(digits):
    return [iso(ogr.CreateGeometryFromWkb(bytes.fromhex(digits)))]


def polygons(geometry):
    return getattr(geometry, "geoms", [geometry])


def ring_measures(earth, coordinates, is_line=False):
    ring = earth.Polygon(is_line)
    for x, y in coordinates[:None if is_line else -1]:
        ring.AddPoint(y, x)
    return ring.Compute()


def area(definition, kind, unit, text):
    made = shapely.wkt.loads(text)
    if kind != "1":
        # A number in the unit of the coordinates, squared, unless a unit is given.
        metres = 1 if unit == "-" else pyproj.CRS(definition).axis_info[0].unit_conversion_factor
        return [made.area * metres ** 2 / float(factor(unit))]
    earth, total = ellipsoid(definition), 0
    for polygon in polygons(degrees(definition, made)):
        total += abs(ring_measures(earth, polygon.exterior.coords)[2])
        total -= sum(abs(ring_measures(earth, ring.coords)[2]) for ring in polygon.interiors)
    return [total / float(factor(unit))]


def lengths(definition, kind, unit, *texts):
    values = []
    for text in texts:
        made = shapely.wkt.loads(text)
        if kind == "1":
            lines = [list(line.coords) for line in polygons(degrees(definition, made))]
            length = sum(ring_measures(ellipsoid(definition), line, True)[1] for line in lines)
        else:
            length = made.length
        values.append(length / float(factor(unit)))
    return values


def distance(definition, kind, unit, a, b):
    a, b = shapely.wkt.loads(a), shapely.wkt.loads(b)
    near_a, near_b = shapely.ops.nearest_points(a, b)
    if kind == "1":
        found = ellipsoid(definition).Inverse(a.y, a.x, b.y, b.x)["s12"]
    else:
        found = a.distance(b)
    return [found / float(factor(unit)), near_a.x, near_a.y, near_b.x, near_b.y]


def relate(a, b):
    return [shapely.wkt.loads(a).relate(shapely.wkt.loads(b))]


def test(predicate, a, b):
    return [int(getattr(shapely.wkt.loads(a), PREDICATES[int(predicate)])(shapely.wkt.loads(b)))]


def buffer(definition, distance, unit, segments, text):
    radius = float(distance) * float(factor(unit))
    return [shapely.wkt.loads(text).buffer(radius, 16 if segments == "-" else int(segments)).area]


def geodesic_buffer(definition, distance, unit, deviation, text):
    centre, radius = degrees(definition, shapely.wkt.loads(text)), float(distance) * float(factor(unit))
    earth = ellipsoid(definition)
    ring = [earth.Direct(centre.y, centre.x, step / 10, radius) for step in range(3600)]
    outline = [(end["lon2"], end["lat2"]) for end in ring]
    limit = radius / 1000 if deviation == "-" else float(deviation) * float(factor(unit))
    return [abs(ring_measures(earth, [*outline, outline[0]])[2]), limit, None]


def transformations(source, target):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = TransformerGroup(source, target, always_xy=True)
    first = found.transformers[0]
    name = first.description.replace("axis order change (2D) + ", "").replace(" + axis order change (2D)", "")
    if pyproj.CRS(source).geodetic_crs.datum == pyproj.CRS(target).geodetic_crs.datum:
        return [0]  # the same datum: only conversions
    return [len(found.transformers) + len(found.unavailable_operations), name, float(first.accuracy)]


def raster(path):
    with rasterio.open(path) as opened:
        code = opened.crs.to_epsg()
        facts = [opened.driver, opened.width, opened.height, opened.count, "" if code is None else str(code)]
        nodata = [] if opened.nodata is None else [float(opened.nodata)]
        west, south, east, north = opened.bounds
        extent = [west, min(south, north), east, max(south, north)]
        return [*facts, *extent, RASTER_TYPES.index(band_type(path)) + 1, *nodata]


def band_type(path):
    # rasterio 1.3 takes int64 for uint64.
    return gdal.GetDataTypeName(gdal.Open(path).GetRasterBand(1).DataType)


def cell_at(opened, source, point):
    """The column and row of a point, and its values; None outside."""
    x, y = transformer(source, opened.crs).transform(*point)
    column, row = (math.floor(number) for number in ~opened.transform * (x, y))
    if not (0 <= column < opened.width and 0 <= row < opened.height):
        return None
    window = rasterio.windows.Window(column, row, 1, 1)
    values = [value.item() for value in opened.read(window=window)[:, 0, 0]]
    return column, row, values, bool(opened.dataset_mask(window=window)[0, 0])


def cells(path, *numbers):
    values = []
    with rasterio.open(path) as opened:
        for point in pairs(numbers):
            found = cell_at(opened, "EPSG:4326", point)
            if found is None:
                values.append(4)
                continue
            column, row, numbers, is_valid = found
            as_they_are = numbers if band_type(path) == "Int64" else map(float, numbers)
            values += [0 if is_valid else 1, column, row, *as_they_are]
    return values


def selected(path, where="-"):
    source = ogr.Open(path)
    layer = source.GetLayer(0)
    layer.SetAttributeFilter(None if where == "-" else where)
    return source, list(layer)


def features(path, where):
    _source, found = selected(path, where)
    return [len(found), *(feature.GetFID() for feature in found[:5])]


def feature(path, where, field):
    _source, found = selected(path, where)
    return [iso(found[0].GetGeometryRef()), *field_values(found[0], int(field))]


def field_values(feature, index):
    kind = feature.GetFieldDefnRef(index).GetType()
    if not feature.IsFieldSetAndNotNull(index):
        return [FIELD_TYPES[kind], 0]
    if kind == ogr.OFTDateTime:
        *whole, second, _zone = feature.GetFieldAsDateTime(index)
        return [FIELD_TYPES[kind], 1, *whole, float(second)]
    value = feature.GetFieldAsInteger64(index) if FIELD_TYPES[kind] == 1 else feature.GetField(index)
    return [FIELD_TYPES[kind], 1, *(value if isinstance(value, list) else [value])]


class Camera:
    """A view of 800 x 600 DIP over Web Mercator. A DIP is 1/96 inch."""

    def __init__(self, longitude, latitude, scale, rotation):
        self.center = transformer("EPSG:4326", "EPSG:3857").transform(float(longitude), float(latitude))
        self.scale, self.rotation = float(scale), float(rotation) % 360
        self.units_per_dip = self.scale * 0.0254 / 96
        self.sine, self.cosine = math.sin(math.radians(self.rotation)), math.cos(math.radians(self.rotation))

    def to_map(self, x, y):
        right, up = (x - 400) * self.units_per_dip, (300 - y) * self.units_per_dip
        return (self.center[0] + right * self.cosine + up * self.sine, self.center[1] - right * self.sine + up * self.cosine)

    def to_screen(self, x, y):
        east, north = (x - self.center[0]) / self.units_per_dip, (y - self.center[1]) / self.units_per_dip
        return 400 + east * self.cosine - north * self.sine, 300 - east * self.sine - north * self.cosine


def view(longitude, latitude, scale, rotation, *numbers):
    made = Camera(longitude, latitude, scale, rotation)
    screen_point, map_point = pairs(numbers)
    state = [*made.center, made.scale, made.rotation, made.units_per_dip]
    return [*state, *made.to_map(*screen_point), *made.to_screen(*map_point)]


def identify(longitude, latitude, scale, rotation, x, y, path, symbol, tolerance, name):
    made = Camera(longitude, latitude, scale, rotation)
    point = made.to_map(float(x), float(y))
    if path.endswith(".tif"):
        with rasterio.open(path) as opened:
            found = cell_at(opened, "EPSG:3857", point)
            if found is None:
                return [0]
            column, row, values, _is_valid = found
            value = values[int(name.split()[-1]) - 1]
            return [1, 1, column, row, None, None, value]
    _source, all_features = selected(path)
    to_mercator = transformer("EPSG:4326", "EPSG:3857").transform
    # A marker has a diameter of 8 DIP.
    reach = (float(tolerance) + (4 if symbol == "1" else 0)) * made.units_per_dip
    for one in reversed(all_features):
        shape = shapely.wkb.loads(bytes(one.GetGeometryRef().ExportToWkb()))
        if shapely.ops.transform(to_mercator, shape).distance(Point(point)) <= reach:
            index = one.GetFieldIndex(name)
            kind, _is_present, value = field_values(one, index)
            return [1, 2, one.GetFID(), None, {1: 1, 2: 3, 3: 5}[kind], value]
    return [0]


def identify_async(*arguments):
    return [None, None, None, *identify(*arguments)]


def snap(longitude, latitude, scale, rotation, x, y, path, symbol, tolerance, kinds):
    made, at = Camera(longitude, latitude, scale, rotation), Point(float(x), float(y))
    to_mercator = transformer("EPSG:4326", "EPSG:3857").transform
    _source, all_features = selected(path)
    best = None
    for one in all_features:
        shape = shapely.wkb.loads(bytes(one.GetGeometryRef().ExportToWkb()))
        on_screen = shapely.ops.transform(lambda x, y: made.to_screen(*to_mercator(x, y)), shape)
        parts = [on_screen] if on_screen.geom_type == "Point" else [
            part for polygon in polygons(on_screen) for part in (Point(*end) for end in polygon.exterior.coords)]
        if kinds == "8":
            parts = [polygon.exterior for polygon in polygons(on_screen)]
        for part in parts:
            near = shapely.ops.nearest_points(part, at)[0]
            if near.distance(at) <= float(tolerance) and (best is None or near.distance(at) < best[0]):
                best = near.distance(at), near, one.GetFID()
    if best is None:
        return [0]
    away, near, identifier = best
    return [int(kinds), identifier, *made.to_map(near.x, near.y), near.x, near.y, away]


def fits(found, expected):
    if isinstance(found, float):
        number, _, tolerance = expected.partition("~")
        wanted, tolerance = float(number), float(tolerance or "nan")
        return abs(found - wanted) <= tolerance or (math.isnan(found) and math.isnan(wanted))
    text = str(found).replace("\n", "\\n") or '""'
    is_part = len(expected) > 2 and expected[0] == expected[-1] == "*"
    return expected[1:-1] in text if is_part else text == expected


def computed(operation, arguments, expected):
    """The values of the peers; no values for a case that fails, and for an operation without a peer."""
    if operation not in globals() or expected[0].startswith("ALD_STATUS_"):
        return [None] * len(expected)
    return globals()[operation](*arguments)


def main():
    passed = failed = compared = own = 0
    with open(sys.argv[1], encoding="utf-8") as table:
        for line in table:
            if line.startswith("#") or not line.strip():
                continue
            name, operation, *cells_of_line = line.rstrip("\n").split("\t")
            equals = cells_of_line.index("=")
            arguments, expected = cells_of_line[:equals], cells_of_line[equals + 1:]
            found = computed(operation, arguments, expected)
            checked = [pair for pair in zip(found, expected) if pair[0] is not None]
            compared, own = compared + len(checked), own + len(found) - len(checked)
            if len(found) != len(expected) or not all(fits(*pair) for pair in checked):
                failed += 1
                print(f"FAILED  {name}: the table has", *expected, sep=" | ", end=", the peers")
                print("", *("(own)" if value is None else value for value in found), sep=" | ")
            elif checked:
                passed += 1
    print(f"{compared} values compared with peers; {own} that only Alidade defines")
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0 or passed == 0)


if __name__ == "__main__":
    sys.exit(main())

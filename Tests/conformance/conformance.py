#!/usr/bin/python3
"""Runs the table of cases in Python: conformance.py CASES, in the root of the repository.

Prints a line for each case that fails and, last, "N passed, N failed". The head of cases.tsv explains the operations.
"""
import datetime
import math
import sys

import alidade
from alidade import MarkerSymbol, FillSymbol, SimpleRenderer, events
from alidade.features import FieldType

OPERATIONS = {}


def operation(function):
    """Adds a function to the table of operations. It takes a runtime and arguments, and yields the values it found."""
    OPERATIONS[function.__name__] = function
    return function


# Objects from arguments


def reference_of(runtime, definition):
    return None if definition == "-" else alidade.SpatialReference(runtime, definition)


def geometry_of(runtime, wkt, spatial_reference=None):
    return alidade.Geometry.from_wkt(runtime, wkt, spatial_reference)


def unit_of(name):
    return None if name == "-" else alidade.units.unit_named(name)


def measure(kind, name):
    return {"geodesic": kind == "1", "unit": unit_of(name)}


def layer_of(runtime, path, symbol="-"):
    if path.endswith(".tif"):
        return alidade.RasterLayer.from_path(runtime, path)
    symbols = {"-": None, "1": MarkerSymbol(size_dip=8), "3": FillSymbol()}
    return alidade.FeatureLayer.from_path(runtime, path, renderer=SimpleRenderer(symbols[symbol]))


def view_of(runtime, longitude, latitude, scale, rotation, path=None, symbol="-"):
    shown = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    if path is not None:
        added = layer_of(runtime, path, symbol)
        added.load()
        shown.add_layer(added)
    result = alidade.View(shown, 800, 600)
    center = float(longitude), float(latitude)
    result.set_viewpoint(center, alidade.SpatialReference.from_code(runtime, 4326), float(scale), float(rotation))
    return result


def selected(runtime, path, where):
    return alidade.FeatureSource(runtime, path).query(where=None if where == "-" else where)


def pairs(numbers):
    return [(float(x), float(y)) for x, y in zip(numbers[::2], numbers[1::2])]


# The operations


@operation
def unit(runtime, value, from_unit, to_unit):
    yield alidade.units.convert_unit(float(value), unit_of(from_unit), unit_of(to_unit))


@operation
def reference(runtime, definition):
    info = reference_of(runtime, definition).info
    yield from (int(info.kind), info.name, info.authority, info.code, info.unit_name)
    yield from (info.metres_per_unit, info.semi_major_axis_m, info.inverse_flattening)


@operation
def project(runtime, source, target, *numbers):
    projected = reference_of(runtime, source).project(pairs(numbers), reference_of(runtime, target))
    for point, is_projected in zip(projected.points, projected.projected):
        yield 0 if is_projected else 1
        if is_projected:
            yield from map(float, point)


@operation
def geodesic(runtime, definition, *numbers):
    start, end = pairs(numbers)
    paths = alidade.geometry.geodesic_inverse(reference_of(runtime, definition), start, end)
    for numbers in paths:
        yield float(numbers[0])


@operation
def geometry(runtime, text):
    made = geometry_of(runtime, text)
    yield from (int(made.kind), int(made.flags), made.vertex_count, made.to_wkb().hex().upper(), made.to_wkt())


@operation
def from_wkb(runtime, digits):
    yield alidade.Geometry.from_wkb(runtime, bytes.fromhex(digits)).to_wkt()


@operation
def area(runtime, definition, kind, name, text):
    yield geometry_of(runtime, text, reference_of(runtime, definition)).area(**measure(kind, name))


@operation
def lengths(runtime, definition, kind, name, *texts):
    made = reference_of(runtime, definition)
    array = alidade.GeometryArray.from_geometries(runtime, [geometry_of(runtime, text, made) for text in texts])
    yield from map(float, array.lengths(**measure(kind, name)))


@operation
def distance(runtime, definition, kind, name, a, b):
    made = reference_of(runtime, definition)
    result = geometry_of(runtime, a, made).distance_to(geometry_of(runtime, b, made), **measure(kind, name))
    yield from (result.distance, *result.point_a, *result.point_b)


@operation
def relate(runtime, a, b):
    yield geometry_of(runtime, a).relate(geometry_of(runtime, b))


@operation
def test(runtime, predicate, a, b):
    yield int(geometry_of(runtime, a).test(int(predicate), geometry_of(runtime, b)).holds)


@operation
def buffer(runtime, definition, distance, name, segments, text):
    made = geometry_of(runtime, text, reference_of(runtime, definition))
    count = None if segments == "-" else int(segments)
    yield made.buffer(float(distance), unit=unit_of(name), quadrant_segments=count).area()


@operation
def geodesic_buffer(runtime, definition, distance, name, deviation, text):
    made = geometry_of(runtime, text, reference_of(runtime, definition))
    options = {"maximum_deviation": None if deviation == "-" else float(deviation)}
    if name != "-":
        options["unit"] = unit_of(name)
    result = made.geodesic_buffer(float(distance), **options)
    report = result.buffer_report
    yield from (result.area(geodesic=True), report.maximum_deviation_m)
    yield int(report.achieved_deviation_m <= report.maximum_deviation_m)


@operation
def transformations(runtime, source, target):
    found = alidade.TransformationList(reference_of(runtime, source), reference_of(runtime, target))
    yield len(found)
    for row in found:
        yield from (row.transformation.name, row.transformation.accuracy_m)
        break


@operation
def raster(runtime, path):
    opened = alidade.Raster(runtime, path)
    info, band = opened.info, opened.band(1)
    yield from (info.driver, info.width, info.height, info.band_count, opened.spatial_reference.info.code)
    yield from (info.extent.x_min, info.extent.y_min, info.extent.x_max, info.extent.y_max, int(band.type))
    if band.nodata is not None:
        yield float(band.nodata)


@operation
def cells(runtime, path, *numbers):
    opened = alidade.Raster(runtime, path)
    found = opened.read_points(pairs(numbers), alidade.SpatialReference.from_code(runtime, 4326))
    for cell, values in zip(found.cells, found.values):
        yield int(cell["verdict"])
        if cell["verdict"] == alidade.rasters.CellVerdict.OUTSIDE:
            continue
        yield from (int(cell["column"]), int(cell["row"]))
        for value in values:
            is_integer = value["type"] == alidade.rasters.DataType.INT64
            yield int(value["integer"]) if is_integer else float(value["value"])


@operation
def features(runtime, path, where):
    found = selected(runtime, path, where)
    yield len(found)
    yield from map(int, found.ids[:5])


@operation
def feature(runtime, path, where, field):
    found = selected(runtime, path, where)
    yield found[0].geometry.to_wkt()
    value = found.value(0, int(field))
    yield from (int(found.fields[int(field)].type), int(value is not None))
    if isinstance(value, datetime.datetime):
        yield from (value.year, value.month, value.day, value.hour, value.minute)
        yield value.second + value.microsecond / 1e6
    elif isinstance(value, (list, tuple)):
        yield from value
    elif value is not None:
        yield value


@operation
def view(runtime, longitude, latitude, scale, rotation, *numbers):
    made = view_of(runtime, longitude, latitude, scale, rotation)
    state, (screen_point, map_point) = made.state, pairs(numbers)
    yield from (*state.center, state.scale, state.rotation_deg, state.units_per_dip)
    yield from (*map(float, made.screen_to_map(screen_point)[0]), *map(float, made.map_to_screen(map_point)[0]))


def identified(result, name):
    yield len(result)
    for element in result:
        yield int(element.kind)
        yield from (element.cell.column, element.cell.row) if element.cell else (element.id,)
        found = element.attribute(name)
        yield from (element.text, int(found.type), found.value)
        break


@operation
def identify(runtime, longitude, latitude, scale, rotation, x, y, path, symbol, tolerance, name):
    made = view_of(runtime, longitude, latitude, scale, rotation, path, symbol)
    yield from identified(made.identify((float(x), float(y)), float(tolerance)), name)


@operation
def identify_async(runtime, longitude, latitude, scale, rotation, x, y, path, symbol, tolerance, name):
    made = view_of(runtime, longitude, latitude, scale, rotation, path, symbol)
    calls = []
    request = made.identify_async((float(x), float(y)), float(tolerance), on_done=calls.append)
    request.wait()
    runtime.pump()
    yield from (int(request.kind), int(request.state), len(calls))
    yield from identified(request.result(), name)


@operation
def snap(runtime, longitude, latitude, scale, rotation, x, y, path, symbol, tolerance, kinds):
    made = view_of(runtime, longitude, latitude, scale, rotation, path, symbol)
    found = made.snap((float(x), float(y)), float(tolerance), alidade.identify.SnapFlags(int(kinds)))
    yield int(found.kind) if found else 0
    if found:
        yield from (found.id, *found.map_point, *found.screen_point, found.distance_dip)


@operation
def layer_names(runtime, path, *names):
    made = alidade.Map(runtime)
    for name in names:
        added = layer_of(runtime, path)
        added.name = name
        made.add_layer(added)
        added.release()
    for found in reversed(made.layers):
        yield found.name


@operation
def released(runtime, text):
    made = geometry_of(runtime, text)
    made.release()
    made.release()
    yield made.to_wkt()


@operation
def load(runtime, path):
    made = layer_of(runtime, path)
    request = made.load_async()
    finished = loaded = None
    while (finished is None or loaded is None or loaded.load_status < alidade.layers.LoadStatus.LOADED) and runtime.wait(60):
        for event in runtime.events():
            if isinstance(event, events.LoadStatusChanged) and event.concerns(made):
                loaded = event
            elif isinstance(event, events.RequestFinished) and event.request is request:
                finished = event
    yield from (int(finished.state), int(loaded.load_status), f"ALD_STATUS_{loaded.status.name}")


def run(name, arguments):
    """The values of a case. An operation that fails has three values: the status, the argument and the message."""
    if name not in OPERATIONS:
        return ["no such operation"]
    with alidade.Runtime() as runtime:
        try:
            return list(OPERATIONS[name](runtime, *arguments))
        except alidade.AlidadeError as error:
            return [f"ALD_STATUS_{error.status.name}", error.argument, error.message]
        except Exception as error:
            return [f"not an error of Alidade: {error!r}"]


def fits(found, expected):
    """Whether a value is the one expected: NUMBER~TOLERANCE, *PART OF A TEXT*, or the text itself."""
    if isinstance(found, float):
        number, _, tolerance = expected.partition("~")
        try:
            wanted = float(number)
            return abs(found - wanted) <= float(tolerance) or (math.isnan(found) and math.isnan(wanted))
        except ValueError:
            return False
    text = str(found).replace("\n", "\\n") or '""'
    if len(expected) > 2 and expected[0] == expected[-1] == "*":
        return expected[1:-1] in text
    return text == expected


def main():
    passed = failed = 0
    with open(sys.argv[1], encoding="utf-8") as table:
        for line in table:
            if line.startswith("#") or not line.strip():
                continue
            name, operation_name, *cells = line.rstrip("\n").split("\t")
            equals = cells.index("=")
            expected, found = cells[equals + 1:], run(operation_name, cells[:equals])
            if len(found) == len(expected) and all(map(fits, found, expected)):
                passed += 1
            else:
                failed += 1
                print(f"FAILED  {name}: expected", *expected, sep=" | ", end=", found")
                print("", *(str(value).replace("\n", "\\n") for value in found), sep=" | ")
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0 or passed == 0)


if __name__ == "__main__":
    sys.exit(main())

"""Compares what the library returns with the truth. Each function returns a list of differences as texts."""
import math

import numpy

from truth import NOT_PROJECTABLE, OUTSIDE, VALUE


def same(a, b):
    """The same number, with NaN equal to NaN."""
    return a == b or (math.isnan(a) and math.isnan(b))


def cell_differences(truth, allowed, cell, values):
    """
    One cell (column, row, verdict) and its values against the truth. `allowed` holds the cells that may be returned,
    or is None where the point has no image in the raster's spatial reference.
    """
    place, verdict = (int(cell["column"]), int(cell["row"])), int(cell["verdict"])
    if allowed is None:
        return nothing_differences(place, verdict, values, NOT_PROJECTABLE)
    if place == (-1, -1):
        if all(truth.holds(*cell) for cell in allowed):
            return [f"nothing found (verdict {verdict}), expected one of {allowed}"]
        return nothing_differences(place, verdict, values, OUTSIDE)
    if place not in allowed or not truth.holds(*place):
        return [f"cell {place}, expected one of {allowed}"]
    expected = truth.values(*place)
    differences = []
    if verdict != truth.verdict(*place):
        differences.append(f"cell {place}: verdict {verdict}, expected {truth.verdict(*place)}")
    for number, (want, got) in enumerate(zip(expected, values), start=1):
        differences += [f"cell {place} band {number}: {text}" for text in value_differences(want, got)]
    return differences


def nothing_differences(place, verdict, values, expected):
    """A result where there is no cell: no column and row, no values, never 0."""
    differences = []
    if place != (-1, -1) or verdict != expected:
        differences.append(f"cell {place} verdict {verdict}, expected none with verdict {expected}")
    for value in values:
        if value["verdict"] != expected or not math.isnan(value["value"]) or not math.isnan(value["scaled"]):
            differences.append(f"value {value} where there is no cell")
    return differences


def value_differences(want, got):
    """A BandValue of the truth against an ald_band_value."""
    pairs = [("type", want.type, int(got["type"])), ("verdict", want.verdict, int(got["verdict"]))]
    number = want.raw.item()
    if isinstance(number, complex):
        pairs += [("value", number.real, got["value"]), ("imaginary", number.imag, got["imaginary"])]
    else:
        pairs += [("value", float(number), got["value"]), ("imaginary", 0.0, got["imaginary"])]
    if isinstance(number, int):
        bits = 2**64
        pairs.append(("integer", number % bits, int(got["integer"]) % bits))
    if want.verdict == VALUE:
        scaled = complex(want.scaled)
        pairs += [("scaled", scaled.real, got["scaled"]), ("scaled_imaginary", scaled.imag, got["scaled_imaginary"]),
                  ("category", want.category, got["category"]), ("table_row", want.table_row, got["table_row"])]
    else:
        pairs.append(("scaled", math.nan, got["scaled"]))
    differences = [f"{name} {got}, expected {want}" for name, want, got in pairs if not same(want, got)]
    if tuple(got["color"].tolist()) != want.colour:
        differences.append(f"colour {got['color']}, expected {want.colour}")
    return differences


def polygon_differences(scene, element, tap_x):
    """The cell's corners and centre, in the raster's and in the map's spatial reference, there nearest to the tap."""
    column, row = element.column, element.row
    corners = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0), (0.5, 0.5)]
    in_raster = scene.truth.to_coordinates(numpy.add(corners, (column, row)))
    differences = []
    if not near(element.raster_polygon, in_raster[:5]):
        differences.append(f"raster polygon {element.raster_polygon.tolist()}, expected {in_raster[:5].tolist()}")
    in_map = scene.to_map(in_raster)
    if not numpy.isfinite(in_map).all():
        expected_none = not element.has_map_polygon and numpy.isnan(element.polygon).all()
        return differences + ([] if expected_none else [f"polygon {element.polygon.tolist()}, expected none"])
    in_map[:, 0] = nearest_images(in_map[:, 0], tap_x, world_width(scene.map_crs))
    if not element.has_map_polygon or not near(element.polygon, in_map[:5]):
        return differences + [f"polygon {element.polygon.tolist()}, expected {in_map[:5].tolist()}"]
    if not near(numpy.array([element.center, in_map[0]]), in_map[[5, 0]]):
        differences.append(f"centre {element.center}, expected {in_map[5].tolist()}")
    extent = (*element.polygon.min(axis=0), *element.polygon.max(axis=0))
    box = element.extent
    if (box.x_min, box.y_min, box.x_max, box.y_max) != extent:
        differences.append(f"extent {box}, expected {extent}")
    return differences


def world_width(crs):
    """How far apart two images of one point lie in x; None where the world does not repeat itself."""
    if crs.is_geographic:
        return 2 * math.pi / crs.axis_info[0].unit_conversion_factor
    return 2 * math.pi * 6378137 if crs.to_epsg() == 3857 else None


def nearest_images(x, tap_x, width):
    """Each x moved by whole worlds to within half a world of the tap."""
    return x if width is None else x + numpy.round((tap_x - x) / width) * width


def near(points, expected):
    """Within a millionth of the polygon's size, and the last digits of the coordinates."""
    size = numpy.ptp(expected, axis=0).max()
    tolerance = 1e-6 * size + 4 * numpy.spacing(numpy.abs(expected).max())
    return bool((numpy.abs(points - expected) <= tolerance).all())

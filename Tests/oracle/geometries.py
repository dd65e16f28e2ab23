"""Random geometries of every kind, as texts, and what OGR makes of them: the outside truth of test_geometry.py."""

import random
import struct

from osgeo import ogr

ogr.UseExceptions()

KINDS = ["POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION"]
MARKS = {(False, False): "", (True, False): " Z", (False, True): " M", (True, True): " ZM"}


def number(source: random.Random, is_wild: bool) -> float:
    """A coordinate; a wild one may be any finite double."""
    if is_wild and source.random() < 0.1:
        while True:
            value = struct.unpack("<d", source.randbytes(8))[0]
            if value == value and abs(value) < 1e300:
                return value
    coordinates = [source.uniform(-180, 180), float(source.randint(-(10**7), 10**7)), round(source.uniform(-90, 90), 6)]
    return source.choice(coordinates)


def text(source, kind=None, dimensions=None, depth=0, *, is_wild=True):
    """ISO well-known text of a random geometry, its numbers as Python's repr writes them."""
    kind = kind or source.choice(KINDS)
    dimensions = dimensions or source.choice(list(MARKS))
    body = _body(source, kind, dimensions, depth, is_wild)
    return f"{kind}{MARKS[dimensions]} {body}"


def _body(source, kind, dimensions, depth, is_wild):
    if source.random() < 0.1:
        return "EMPTY"

    def some(low, high, item):
        return "(" + ", ".join(item() for _ in range(source.randint(low, high))) + ")"

    def vertex():
        return " ".join(repr(number(source, is_wild)) for _ in range(2 + sum(dimensions)))

    def point():
        return f"({vertex()})"

    def line():
        return some(2, 6, vertex)

    def ring():
        first = vertex()
        return "(" + ", ".join([first, *(vertex() for _ in range(source.randint(2, 6))), first]) + ")"

    def polygon():
        return some(1, 3, ring)

    if kind == "GEOMETRYCOLLECTION":
        inner = KINDS if depth < 3 else KINDS[:-1]
        return some(1, 4, lambda: text(source, source.choice(inner), dimensions, depth + 1, is_wild=is_wild))
    items = {"MULTIPOINT": point, "MULTILINESTRING": line, "MULTIPOLYGON": polygon}
    if kind in items:
        return some(1, 4, items[kind])
    return {"POINT": point, "LINESTRING": line, "POLYGON": polygon}[kind]()


def ogr_wkb(wkt: str, *, big_endian: bool = False) -> bytes:
    """ISO well-known binary as OGR writes it."""
    order = ogr.wkbXDR if big_endian else ogr.wkbNDR
    return bytes(ogr.CreateGeometryFromWkt(wkt).ExportToIsoWkb(order))

"""Random valid shapes of every kind for operations: on a small grid, where everything touches everything, or anywhere."""

import random

import shapely.geometry
import shapely.wkt
from shapely.geometry import LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon

GRIDS = ["integers", "thirds", "floats", "far"]


def coordinate(source: random.Random, grid: str) -> float:
    """A coordinate: few different ones, or any."""
    if grid == "integers":
        return float(source.randint(0, 6))
    if grid == "thirds":
        return source.randint(0, 12) / 3
    if grid == "far":
        return 1e7 + source.randint(0, 1000) / 128
    return source.uniform(0, 6)


def _vertices(source, grid, count):
    return [(coordinate(source, grid), coordinate(source, grid)) for _ in range(count)]


def _box(source, grid):
    xs = sorted({coordinate(source, grid) for _ in range(4)})
    ys = sorted({coordinate(source, grid) for _ in range(4)})
    if len(xs) < 2 or len(ys) < 2:
        return None
    return shapely.geometry.box(xs[0], ys[0], xs[-1], ys[-1])


def _polygon(source, grid):
    while True:
        shape = _box(source, grid) if source.random() < 0.3 else Polygon(_vertices(source, grid, source.randint(3, 6)))
        if shape is None or not shape.is_valid or shape.area == 0:
            continue
        if source.random() < 0.4:
            hole = Polygon(_vertices(source, grid, 3))
            pierced = Polygon(shape.exterior.coords, [hole.exterior.coords]) if hole.area else shape
            if pierced.is_valid:
                return pierced
        return shape


def _line(source, grid):
    while True:
        vertices = _vertices(source, grid, source.randint(2, 5))
        if source.random() < 0.15:
            vertices.append(vertices[0])
        if len(set(vertices)) > 1:
            return LineString(vertices)


def _multipolygon(source, grid):
    while True:
        shape = MultiPolygon([_polygon(source, grid) for _ in range(source.randint(1, 3))])
        if shape.is_valid:
            return shape


def shape(source: random.Random, grid: str | None = None, *, empty: float = 0.03):
    """A valid shape that is no collection."""
    grid = grid or source.choice(GRIDS)
    makers = {
        "Point": lambda: Point(*_vertices(source, grid, 1)),
        "MultiPoint": lambda: MultiPoint(_vertices(source, grid, source.randint(1, 4))),
        "LineString": lambda: _line(source, grid),
        "MultiLineString": lambda: MultiLineString([_line(source, grid) for _ in range(source.randint(1, 3))]),
        "Polygon": lambda: _polygon(source, grid),
        "MultiPolygon": lambda: _multipolygon(source, grid),
    }
    weights = [1, 1, 2, 1, 3, 2]
    kind = source.choices(list(makers), weights)[0]
    if source.random() < empty:
        return shapely.wkt.loads(f"{kind.upper()} EMPTY")
    return makers[kind]()

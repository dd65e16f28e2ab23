"""The DE-9IM matrix of two of Shapely's polylines or polygons in fractions: cut at every point that any two segments
share, nothing is rounded."""

import functools
from collections import Counter
from fractions import Fraction

import shapely.wkb

from alidade import Predicate

LINES, POLYGONS = {"LineString", "MultiLineString"}, {"Polygon", "MultiPolygon"}
# OGC 06-103r4, 6.1.15, and JTS for what OGC does not have. What depends on the dimensions is in `patterns`.
PATTERNS = {
    Predicate.EQUALS: ["T*F**FFF*"],
    Predicate.DISJOINT: ["FF*FF****"],
    Predicate.INTERSECTS: ["T********", "*T*******", "***T*****", "****T****"],
    Predicate.TOUCHES: ["FT*******", "F**T*****", "F***T****"],
    Predicate.WITHIN: ["T*F**F***"],
    Predicate.CONTAINS: ["T*****FF*"],
    Predicate.COVERS: ["T*****FF*", "*T****FF*", "***T**FF*", "****T*FF*"],
    Predicate.COVERED_BY: ["T*F**F***", "*TF**F***", "**FT*F***", "**F*TF***"],
}
CROSSES = {(1, 1): ["0********"], (1, 2): ["T*T******"], (2, 1): ["T*****T**"], (2, 2): []}
OVERLAPS = {(1, 1): ["1*T***T**"], (1, 2): [], (2, 1): [], (2, 2): ["T*T***T**"]}


def holds(predicate, a, b):
    matrix = relate(a, b)
    by_dimensions = {Predicate.CROSSES: CROSSES, Predicate.OVERLAPS: OVERLAPS}.get(predicate)
    patterns = by_dimensions[dimension(a), dimension(b)] if by_dimensions else PATTERNS[predicate]
    return any(
        all(p == "*" or p == m or (p == "T" and m != "F") for p, m in zip(pattern, matrix)) for pattern in patterns
    )


def can_relate(a, b):
    return not a.is_empty and not b.is_empty and {a.geom_type, b.geom_type} <= LINES | POLYGONS


def dimension(shape):
    return 2 if shape.geom_type in POLYGONS else 1


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def on(point, segment):
    a, b = segment
    return (
        min(a[0], b[0]) <= point[0] <= max(a[0], b[0])
        and min(a[1], b[1]) <= point[1] <= max(a[1], b[1])
        and cross(a, b, point) == 0
    )


def meeting(first, second):
    """The points at which two segments meet, the ends of what they share included."""
    if any(max(p[i] for p in s) < min(p[i] for p in t) for s, t in [(first, second), (second, first)] for i in (0, 1)):
        return set()
    points = {p for p in first if on(p, second)} | {p for p in second if on(p, first)}
    (a, b), (c, d) = first, second
    ways = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if ways != 0:
        share = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / ways
        point = (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
        if on(point, first) and on(point, second):
            points.add(point)
    return points


class Exact:
    """A shape's segments, with the interior of a polygon to the left of them, and the boundary of lines."""

    def __init__(self, shape):
        self.dimension = dimension(shape)
        parts = getattr(shape, "geoms", [shape])
        if self.dimension == 2:
            parts = [turned(path, path is part.exterior) for part in parts for path in [part.exterior, *part.interiors]]
        lines = [[(Fraction(x), Fraction(y)) for x, y in getattr(line, "coords", line)] for line in parts]
        self.segments = [(a, b) for line in lines for a, b in zip(line, line[1:]) if a != b]
        ends = Counter(end for line in lines for end in (line[0], line[-1]))
        self.boundary = {end for end, count in ends.items() if count % 2}

    def place(self, point):
        """0: in the interior, 1: on the boundary, 2: outside."""
        if any(on(point, segment) for segment in self.segments):
            return 1 if self.dimension == 2 or point in self.boundary else 0
        if self.dimension == 1:
            return 2
        # A ray to the right crosses the boundary how often?
        crossed = [
            (cross(a, b, point) > 0) == (b[1] > a[1]) for a, b in self.segments if (a[1] > point[1]) != (b[1] > point[1])
        ]
        return 0 if sum(crossed) % 2 else 2


def turned(ring, is_shell):
    vertices = list(ring.coords)
    exact = [(Fraction(x), Fraction(y)) for x, y in vertices]
    area = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(exact, exact[1:]))
    return vertices if (area > 0) == is_shell else vertices[::-1]


def relate(a, b):
    return relate_wkb(a.wkb, b.wkb)


@functools.lru_cache(maxsize=10_000)
def relate_wkb(first, second):
    a, b = (Exact(shapely.wkb.loads(wkb)) for wkb in (first, second))
    matrix = [["F"] * 3 for _ in range(3)]

    def put(row, column, value):
        matrix[row][column] = max(matrix[row][column], value, key="F012".index)

    nodes = {point for s in a.segments for t in b.segments for point in meeting(s, t)}
    for point in nodes | a.boundary | b.boundary:
        put(a.place(point), b.place(point), "0")
    pieces = cut(a.segments, nodes), cut(b.segments, nodes)
    for own, other, mine, others, is_first in [(a, b, *pieces, True), (b, a, *pieces[::-1], False)]:

        def see(place, place_in_other, value):
            put(*((place, place_in_other) if is_first else (place_in_other, place)), value)

        for start, end in mine:
            place = other.place(((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
            see(own.dimension - 1, place, "1")
            if own.dimension == 1:
                continue
            # On both sides of a polygon's boundary lie its interior and its exterior.
            if other.dimension == 1:
                see(0, 2, "2")
            elif place != 1:
                see(0, place, "2"), see(2, place, "2")
            elif (end, start) in others:
                see(0, 2, "2"), see(2, 0, "2")
            else:
                see(0, 0, "2")
    put(2, 2, "2")
    return "".join(map("".join, matrix))


def cut(segments, nodes):
    pieces = set()
    for segment in segments:
        points = sorted({*segment, *(node for node in nodes if on(node, segment))}, reverse=segment[0] > segment[1])
        pieces |= set(zip(points, points[1:]))
    return pieces

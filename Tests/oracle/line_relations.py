"""The DE-9IM matrix of two polylines in fractions: cut at every point that any two segments share, nothing is rounded."""

from collections import Counter
from fractions import Fraction

from alidade import Predicate

# OGC 06-103r4, 6.1.15, for two lines, and JTS for what OGC does not have.
PATTERNS = {
    Predicate.EQUALS: ["T*F**FFF*"],
    Predicate.DISJOINT: ["FF*FF****"],
    Predicate.INTERSECTS: ["T********", "*T*******", "***T*****", "****T****"],
    Predicate.TOUCHES: ["FT*******", "F**T*****", "F***T****"],
    Predicate.CROSSES: ["0********"],
    Predicate.WITHIN: ["T*F**F***"],
    Predicate.CONTAINS: ["T*****FF*"],
    Predicate.OVERLAPS: ["1*T***T**"],
    Predicate.COVERS: ["T*****FF*", "*T****FF*", "***T**FF*", "****T*FF*"],
    Predicate.COVERED_BY: ["T*F**F***", "*TF**F***", "**FT*F***", "**F*TF***"],
}


def holds(predicate, matrix):
    return any(
        all(p == "*" or p == m or (p == "T" and m != "F") for p, m in zip(pattern, matrix))
        for pattern in PATTERNS[predicate]
    )


def of_shapes(a, b):
    """The matrix of two of Shapely's lines; None if one is something else, or empty."""
    if a.is_empty or b.is_empty or not {a.geom_type, b.geom_type} <= {"LineString", "MultiLineString"}:
        return None
    return relate(*([list(line.coords) for line in getattr(shape, "geoms", [shape])] for shape in (a, b)))


def exact(lines):
    return [[(Fraction(x), Fraction(y)) for x, y in line] for line in lines]


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def segments(lines):
    return [(a, b) for line in lines for a, b in zip(line, line[1:]) if a != b]


def on(point, segment):
    a, b = segment
    return (
        cross(a, b, point) == 0
        and min(a[0], b[0]) <= point[0] <= max(a[0], b[0])
        and min(a[1], b[1]) <= point[1] <= max(a[1], b[1])
    )


def meeting(first, second):
    """The points at which two segments meet, the ends of what they share included."""
    points = {p for p in first if on(p, second)} | {p for p in second if on(p, first)}
    (a, b), (c, d) = first, second
    ways = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if ways != 0:
        share = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / ways
        point = (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
        if on(point, first) and on(point, second):
            points.add(point)
    return points


def boundary(lines):
    ends = Counter(end for line in lines for end in (line[0], line[-1]))
    return {end for end, count in ends.items() if count % 2}


def relate(a, b):
    a, b = exact(a), exact(b)
    own, other = segments(a), segments(b)
    nodes = {point for s in own for t in other for point in meeting(s, t)}
    pieces_of_a, pieces_of_b = cut(own, nodes), cut(other, nodes)
    ends_of_a, ends_of_b = boundary(a), boundary(b)

    def place(point, lines, ends):
        if point in ends:
            return 1
        return 0 if any(on(point, segment) for segment in lines) else 2

    matrix = [["F"] * 3 for _ in range(3)]
    matrix[2][2] = "2"
    for point in nodes | ends_of_a | ends_of_b:
        row, column = place(point, own, ends_of_a), place(point, other, ends_of_b)
        matrix[row][column] = max(matrix[row][column], "0", key="F012".index)
    for pieces, is_first in [(pieces_of_a, True), (pieces_of_b, False)]:
        for start, end in pieces:
            middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
            row, column = (any(on(middle, s) for s in lines) for lines in (own, other))
            matrix[0 if row else 2][0 if column else 2] = "1"
    matrix[2][2] = "2"
    return "".join(map("".join, matrix))


def cut(lines, nodes):
    pieces = []
    for segment in lines:
        points = sorted({*segment, *(node for node in nodes if on(node, segment))})
        pieces += zip(points, points[1:])
    return pieces

"""The truth about planar buffers, without any buffer of GEOS's: distances of points to segments, by numpy."""

import math

import numpy as np
import shapely.geometry
import shapely.prepared


def paths(shape):
    """The lines of a geometry, and the rings of its polygons, as arrays of vertices."""
    found = []
    for part in getattr(shape, "geoms", [shape]):
        if part.geom_type == "Polygon" and not part.is_empty:
            found += [np.array(ring.coords) for ring in [part.exterior, *part.interiors]]
        elif not part.is_empty:
            found.append(np.array(part.coords))
    return found


def distances(points, lines):
    nearest = np.full(len(points), np.inf)
    for line in lines:
        for start, end in zip(line[:-1], line[1:]):
            way = end - start
            square = way @ way
            share = np.clip((points - start) @ way / square, 0, 1) if square > 0 else np.zeros(len(points))
            nearest = np.minimum(nearest, np.hypot(*(points - start - share[:, None] * way).T))
    return nearest


def along(line, numbers):
    """Vertices, middles and points in between."""
    return np.concatenate([line, (line[1:] + line[:-1]) / 2, line[:-1] + numbers.random((len(line) - 1, 1)) * np.diff(line, axis=0)])


def fault(made, original, distance, segments, numbers, count=150):
    """What is wrong with a buffer with round caps and joins; None if nothing is."""
    if not made.is_valid:
        return "not valid"
    lines, is_areal = paths(original), original.geom_type.endswith("Polygon")
    vertices = np.concatenate(lines)
    step = np.spacing(np.abs(vertices).max() + abs(distance))
    rounding = 1e-12 * abs(distance) + 8 * step
    least = abs(distance) * math.cos(math.pi / (4 * segments)) - rounding
    most = abs(distance) + rounding
    inside, own = shapely.prepared.prep(made), shapely.prepared.prep(original)

    low, high = vertices.min(0) - 1.2 * max(distance, 0), vertices.max(0) + 1.2 * max(distance, 0)
    places = low + numbers.random((count, 2)) * (high - low)
    for place, away in zip(places, distances(places, lines)):
        point = shapely.geometry.Point(place)
        is_own = is_areal and own.contains(point)
        is_in = inside.contains(point)
        if distance > 0 and ((is_own or away < least) and not is_in or not is_own and away > most and is_in):
            return f"{place} at {away / distance} of the distance is {'in' if is_in else 'out'}"
        if distance < 0 and (is_in and (not is_own or away < least) or is_own and away > most and not is_in):
            return f"{place} at {away / distance} of the distance is {'in' if is_in else 'out'}"
    for ring in paths(made):
        away = distances(along(ring, numbers), lines)
        if away.max() > most or away.min() < least:
            return f"the outline lies between {away.min()} and {away.max()}"
    if distance > 0:
        for line in lines:
            for place in map(shapely.geometry.Point, along(line, numbers)):
                if not inside.contains(place) and made.distance(place) > 4 * step:
                    return f"{place} of the geometry is not covered"
    return None


def random_shape(source):
    """Of the kinds with which buffers of lines go wrong: closed, there and back, spiky, crossing themselves, tiny."""

    def number():
        return source.uniform(0, 20) if is_fine else float(source.randint(0, 20))

    def points(fewest, most):
        return [(number(), number()) for _ in range(source.randint(fewest, most))]

    is_fine = source.random() < 0.5
    kind = source.choice(["ring", "back", "star", "crossing", "walk", "convex", "holes", "lines", "tiny"])
    if kind == "ring":
        corners = points(3, 8)
        return shapely.geometry.LineString([*corners, corners[0]])
    if kind == "back":
        corners = points(2, 6)
        return shapely.geometry.LineString([*corners, *corners[-2::-1]])
    if kind == "star":
        count = source.randint(3, 12)
        corners = []
        for index in range(2 * count):
            radius, angle = source.uniform(0.1, 10), math.pi * index / count
            corners.append((10 + radius * math.cos(angle), 10 + radius * math.sin(angle)))
        polygon = shapely.geometry.Polygon(corners)
        return source.choice([polygon, polygon.exterior])
    if kind == "crossing":
        return shapely.geometry.LineString(points(2, 25))
    if kind == "walk":
        steps = [(source.gauss(0, 1), source.gauss(0, 1)) for _ in range(source.randint(2, 200))]
        return shapely.geometry.LineString(np.cumsum(steps, 0))
    if kind == "convex":
        return shapely.geometry.MultiPoint(points(3, 9)).convex_hull
    if kind == "holes":
        made = shapely.geometry.box(0, 0, 20, 20)
        for _ in range(source.randint(1, 5)):
            made = made.difference(
                shapely.geometry.Point(number(), number()).buffer(source.uniform(0.5, 4), source.randint(1, 4))
            )
        return made
    if kind == "lines":
        return shapely.geometry.MultiLineString([points(2, 5) for _ in range(source.randint(2, 5))])
    reach = 10.0 ** -source.randint(3, 15)
    corners = [(10 + reach * source.uniform(-1, 1), 10 + 1e-3 * source.uniform(-1, 1)) for _ in range(source.randint(2, 8))]
    return shapely.geometry.LineString(corners)


def is_usable(shape):
    if shape.is_empty or shape.length == 0 or shape.geom_type in ("Point", "GeometryCollection"):
        return False
    return shape.is_valid or not shape.geom_type.endswith("Polygon")


def polyline_area(line, distance):
    """The area of all within a distance of a line, by adding up the lengths of cuts (Simpson's rule)."""
    corners = np.array(line.coords)
    x_min, x_max = corners[:, 0].min() - distance, corners[:, 0].max() + distance
    xs = np.linspace(x_min, x_max, 20001)
    lengths = np.zeros(len(xs))
    for index, x in enumerate(xs):
        spans = []
        for start, end in zip(corners[:-1], corners[1:]):
            spans += cuts(start, end, distance, x)
        spans.sort()
        top = -math.inf
        for low, high in spans:
            if high > top:
                lengths[index] += high - max(low, top)
                top = high
    weights = np.ones(len(xs))
    weights[1:-1:2], weights[2:-1:2] = 4, 2
    return (weights * lengths).sum() * (xs[1] - xs[0]) / 3


def cuts(start, end, distance, x):
    """The span of a vertical line within a distance of a segment: a stadium is convex."""
    ys = []
    for centre in (start, end):
        square = distance**2 - (x - centre[0]) ** 2
        if square >= 0:
            ys += [centre[1] - math.sqrt(square), centre[1] + math.sqrt(square)]
    way = end - start
    length = math.hypot(*way)
    if length > 0:
        normal = np.array([-way[1], way[0]]) / length * distance
        for side in (normal, -normal):
            (ax, ay), (bx, by) = start + side, end + side
            if min(ax, bx) <= x <= max(ax, bx):
                ys += [ay + (x - ax) / (bx - ax) * (by - ay)] if ax != bx else [ay, by]
    return [(min(ys), max(ys))] if ys else []

"""Geodesic buffers with flat and square ends, mitres and bevels: against Shapely where the earth is nearly flat, and
point by point against their definition, with PROJ's geodesics, where it is not."""

from __future__ import annotations

import itertools

import numpy as np
import pyproj
import pytest
import shapely.geometry
import shapely.ops
import shapely.vectorized
import shapely.wkt

import alidade
from alidade.geometry import BufferCap, BufferJoin

SEED = 20261124
GEOD = pyproj.Geod(ellps="WGS84")
RADIUS = 6371008.8
CAPS = {BufferCap.ROUND: 1, BufferCap.FLAT: 2, BufferCap.SQUARE: 3}
JOINS = {BufferJoin.ROUND: 1, BufferJoin.MITRE: 2, BufferJoin.BEVEL: 3}
STYLES = [style for style in itertools.product(BufferCap, BufferJoin) if any(style)]


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


def made(runtime, wkt: str, code: int = 4326) -> alidade.Geometry:
    return alidade.Geometry.from_wkt(runtime, wkt, alidade.SpatialReference.from_code(runtime, code))


# Where it is nearly flat: 1 km and a few around a point, in whose azimuthal plane distances are off by 1e-8.

SMALL = [
    ("LINESTRING (10 50, 10.01 50.004, 10.012 49.998, 10.03 50.01)", 300),
    ("LINESTRING (10 50, 10.01 50)", 100),
    ("LINESTRING (10 50, 10.01 50, 10.012 50.01, 10.004 50.002, 10 50)", 30),
    ("LINESTRING (10 50, 10.01 50, 10.02 50, 10.002 50.0005)", 50),
    ("POLYGON ((10 50, 10.01 50, 10.012 50.01, 10.004 50.002, 10 50))", 100),
    ("POLYGON ((10 50, 10.01 50, 10.012 50.01, 10.004 50.002, 10 50))", -25),
    ("POLYGON ((10 50, 10.02 50, 10.02 50.01, 10 50), (10.01 50.001, 10.015 50.001, 10.015 50.005, 10.01 50.001))", 20),
    ("POLYGON ((10 50, 10.02 50, 10.02 50.01, 10 50), (10.01 50.001, 10.015 50.001, 10.015 50.005, 10.01 50.001))", -20),
    ("MULTILINESTRING ((10 50, 10.01 50.01), (10.01 50, 10 50.01, 10.02 50.02))", 40),
    ("GEOMETRYCOLLECTION (LINESTRING (10 50, 10.01 50.01), POLYGON ((10.02 50, 10.03 50, 10.03 50.01, 10.02 50)))", 40),
]


@pytest.mark.parametrize("cap, join", STYLES)
@pytest.mark.parametrize("wkt, distance", SMALL)
@pytest.mark.parametrize("limit", [5, 1.2])
def test_like_a_plane_where_the_earth_is_flat(runtime, wkt, distance, cap, join, limit):
    buffer = made(runtime, wkt).geodesic_buffer(
        distance, cap=cap, join=join, mitre_limit=limit, maximum_deviation=0.01
    )
    report = buffer.buffer_report
    assert report.achieved_deviation_m <= report.maximum_deviation_m == 0.01
    figure = shapely.wkt.loads(wkt)
    plane = pyproj.Proj(proj="aeqd", ellps="WGS84", lon_0=figure.centroid.x, lat_0=figure.centroid.y)
    options = {"cap_style": CAPS[cap], "join_style": JOINS[join], "mitre_limit": limit, "resolution": 256}
    # Shapely's mitres of rings that shrink, and its closed lines' corners, follow the same rules.
    expected = shapely.ops.transform(plane, figure).buffer(distance, **options)
    found = shapely.wkt.loads(buffer.to_wkt())
    assert found.is_valid
    flat = shapely.ops.transform(plane, found)
    wrong = flat.symmetric_difference(expected)
    # Nothing but a seam as wide as the deviation, the earth's bend in some kilometres, and their arcs' chords.
    assert wrong.buffer(-0.008).is_empty
    assert wrong.area < 0.016 * expected.length


def test_points(runtime):
    point = made(runtime, "POINT (10 50)")
    assert point.geodesic_buffer(100, cap=BufferCap.FLAT).is_empty
    square = point.geodesic_buffer(100, cap=BufferCap.SQUARE, maximum_deviation=0.001)
    round_ = point.geodesic_buffer(100, join=BufferJoin.MITRE)
    assert round_.to_wkt() == point.geodesic_buffer(100).to_wkt()
    xs, ys = np.array(shapely.wkt.loads(square.to_wkt()).exterior.coords).T
    azimuths, _, distances = GEOD.inv(np.full(len(xs), 10.0), np.full(len(xs), 50.0), xs, ys)
    corners = distances > 141
    assert np.allclose(distances[corners], 100 * np.sqrt(2), atol=1e-3)
    assert np.allclose(np.sort(np.unique(azimuths[corners].round(3))), [-135, -45, 45, 135], atol=2e-3)


# Anywhere, from the definition.


def foot(start, azimuth, points, guess):
    """How far along a geodesic points lie, and how far abeam of it, metres, positive to its right."""
    along = guess.copy()
    for _ in range(12):
        x, y, back = GEOD.fwd(
            np.full(len(along), start[0]), np.full(len(along), start[1]), np.full(len(along), azimuth), along
        )
        towards, _, distance = GEOD.inv(x, y, points[:, 0], points[:, 1])
        angle = np.radians(towards - (back + 180))
        # The right triangle of the foot, on a sphere.
        along = along + RADIUS * np.arctan(np.tan(distance / RADIUS) * np.cos(angle))
    return along, np.where(np.sin(angle) < 0, -distance, distance)


class Corridor:
    """The pieces that a line's buffer is the union of; each says by how much a point is inside."""

    def __init__(self, line, distance, cap, join, limit):
        self.pieces = []
        steps = []
        for a, b in zip(line, line[1:]):
            azimuth, back, length = GEOD.inv(*a, *b)
            steps.append((a, b, azimuth, back + 180, length))
        beyond = distance if cap == BufferCap.SQUARE else 0
        for number, (a, _, azimuth, _, length) in enumerate(steps):
            first = -beyond if number == 0 else 0
            last = length + (beyond if number == len(steps) - 1 else 0)
            self.pieces.append(lambda p, s=(a, azimuth, first, last): self.strip(p, distance, *s))
        for before, after in zip(steps, steps[1:]):
            turn = (after[2] - before[3] + 180) % 360 - 180
            start = before[3] + 90 if turn < 0 else after[2] - 90
            self.pieces.append(lambda p, w=(after[0], start, abs(turn)): self.wedge(p, distance, join, limit, *w))
        if cap == BufferCap.ROUND:
            for place in (line[0], line[-1]):
                self.pieces.append(lambda p, c=place: distance - self.distances(p, c))

    @staticmethod
    def distances(points, place):
        return GEOD.inv(np.full(len(points), place[0]), np.full(len(points), place[1]), points[:, 0], points[:, 1])[2]

    @staticmethod
    def strip(points, distance, start, azimuth, first, last):
        # From several guesses: a point may have a foot on the far side of the earth.
        best = np.full(len(points), -np.inf)
        for share in (0, 0.5, 1):
            along, abeam = foot(start, azimuth, points, np.full(len(points), first + share * (last - first)))
            best = np.maximum(best, np.minimum.reduce([distance - abs(abeam), along - first, last - along]))
        return best

    @classmethod
    def wedge(cls, points, distance, join, limit, corner, start, span):
        azimuth, _, away = GEOD.inv(
            np.full(len(points), corner[0]), np.full(len(points), corner[1]), points[:, 0], points[:, 1]
        )
        # Degrees counterclockwise of the first side, and so how far from both sides.
        turned = (start - azimuth + 180) % 360 - 180
        reach = np.minimum(away, RADIUS)
        inside = np.minimum(np.sin(np.radians(turned)), np.sin(np.radians(span - turned))) * reach
        inside = np.where((turned < -90) | (turned > span + 90), -reach, inside)
        if join == BufferJoin.ROUND:
            return np.minimum(inside, distance - away)
        if join == BufferJoin.BEVEL:
            end = GEOD.fwd(*corner, start, distance)[:2]
            other = GEOD.fwd(*corner, start - span, distance)[:2]
            azimuth, _, length = GEOD.inv(*end, *other)
            _, abeam = foot(end, azimuth, points, np.full(len(points), length / 2))
            return np.minimum(inside, -abeam)
        _, right = foot(corner, start - 90, points, np.full(len(points), distance))
        _, left = foot(corner, start - span + 90, points, np.full(len(points), distance))
        x, y, back = GEOD.fwd(*corner, start - span / 2, limit * distance)
        _, beyond = foot((x, y), back + 180 + 90, points, np.zeros(len(points)))
        return np.minimum.reduce([inside, distance - abs(right), distance - abs(left), beyond])

    def depth(self, points):
        """By how much each point is in the piece that it is deepest in, metres."""
        return np.max([piece(points) for piece in self.pieces], axis=0)


def lines(random):
    """Lines anywhere, across 180 and over the poles; their distances; all styles in turn."""
    for number in range(48):
        place = np.array([random.uniform(-180, 180), np.degrees(np.arcsin(random.uniform(-0.95, 0.95)))])
        if number % 6 == 0:
            place = np.array([random.choice([-179.99, 179.99]), random.uniform(-60, 60)])
        if number % 6 == 3:
            place = np.array([random.uniform(-180, 180), random.choice([-88.0, 88.0])])
        distance = 10 ** random.uniform(2, 5.8)
        line, azimuth = [tuple(place)], random.uniform(0, 360)
        for _ in range(random.integers(1, 4)):
            # Segments that are long against the distance, so that each side's feet are its own.
            line.append(GEOD.fwd(*line[-1], azimuth, distance * random.uniform(2, 6))[:2])
            azimuth = (GEOD.inv(*line[-2], *line[-1])[1] + 180) + random.uniform(-130, 130)
        yield line, distance, STYLES[number % len(STYLES)], random.choice([1.1, 2.0, 5.0])


@pytest.mark.parametrize("line, distance, style, limit", list(lines(np.random.default_rng(SEED))))
def test_is_what_it_says(runtime, line, distance, style, limit):
    cap, join = style
    random = np.random.default_rng(SEED)
    wkt = "LINESTRING (" + ", ".join(f"{x!r} {y!r}" for x, y in line) + ")"
    buffer = made(runtime, wkt).geodesic_buffer(distance, cap=cap, join=join, mitre_limit=limit)
    report = buffer.buffer_report
    found = shapely.wkt.loads(buffer.to_wkt())
    assert found.is_valid
    # Around the vertices and along the segments, as far as the longest mitre reaches.
    points = []
    for a, b in zip(line, line[1:]):
        azimuth, _, length = GEOD.inv(*a, *b)
        along = random.uniform(-2 * distance, length + 2 * distance, 400)
        x, y, _ = GEOD.fwd(np.full(400, a[0]), np.full(400, a[1]), np.full(400, azimuth), along)
        far = distance * random.choice([1, limit], 400) * random.uniform(0, 1.3, 400)
        x, y, _ = GEOD.fwd(x, y, random.uniform(0, 360, 400), far)
        points.append(np.column_stack([x, y]))
    points = np.concatenate(points)
    depth = Corridor(line, distance, cap, join, limit).depth(points)
    clear = abs(depth) > report.achieved_deviation_m + 1e-6
    is_inside = shapely.vectorized.contains(found, points[:, 0], points[:, 1])
    wrong = clear & (is_inside != (depth > 0))
    assert not wrong.any(), (points[wrong][:3], depth[wrong][:3])
    assert (clear & is_inside).sum() > 50 and (clear & ~is_inside).sum() > 50

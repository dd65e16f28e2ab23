"""Planar buffers of lines whose distance on the right is another one than on the left: against the union of the pieces
that their definition names, made with Shapely."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely.geometry
import shapely.ops
import shapely.wkt
from shapely.geometry import Point, Polygon

import alidade
from alidade.geometry import BufferCap, BufferJoin, BufferSide

SEED = 20261124
STYLES = [(cap, join) for cap in BufferCap for join in BufferJoin]
# Of a right angle.
SEGMENTS = 64


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


def strips(line: np.ndarray, left: float, right: float, trimmed: bool):
    """The rectangles on both sides of the segments; trimmed ones end where the rectangles of long neighbours meet."""
    steps = line[1:] - line[:-1]
    lengths = np.hypot(*steps.T)
    along = steps / lengths[:, None]
    closed = np.array_equal(line[0], line[-1])
    for i, (a, b, way) in enumerate(zip(line, line[1:], along)):
        rightwards = np.array([way[1], -way[0]])
        for distance, side in ((right, rightwards), (left, -rightwards)):
            corners = [a, b, b + distance * side, a + distance * side]
            for at, other, end, back in ((3, i - 1, a, way), (2, i + 1, b, -way)):
                if not closed and not 0 <= other < len(along):
                    continue
                other %= len(along)
                turn = np.cross(along[other], way) if at == 3 else np.cross(way, along[other])
                # The inner side of a turn to the left is the left one.
                if not trimmed or (turn > 0) != (side is not rightwards):
                    continue
                angle = math.atan2(abs(turn), way @ along[other])
                if min(lengths[i], lengths[other]) >= 2 * distance * max(math.tan(angle / 2), math.sin(angle)):
                    corners[at] = corners[at] + distance * math.tan(angle / 2) * back
            yield Polygon(corners)


def are_long(line: np.ndarray, distance: float) -> bool:
    """Whether all strips can end where they meet."""
    lengths = np.hypot(*(line[1:] - line[:-1]).T)
    return all(
        min(lengths[i], lengths[i + 1]) >= 2 * distance * max(math.tan(angle / 2), math.sin(angle))
        for i, angle in enumerate(turns(line))
    )


def turns(line: np.ndarray):
    steps = line[1:] - line[:-1]
    return [math.atan2(abs(np.cross(a, b)), a @ b) for a, b in zip(steps, steps[1:])]


def joins_and_caps(line: np.ndarray, left: float, right: float, cap: BufferCap, join: BufferJoin, limit: float):
    """What is at the outer sides of corners and beyond the ends."""
    steps = line[1:] - line[:-1]
    along = steps / np.hypot(*steps.T)[:, None]
    rightwards = np.column_stack([along[:, 1], -along[:, 0]])
    closed = np.array_equal(line[0], line[-1])
    corners = [(i, (i + 1) % len(steps)) for i in range(len(steps) - (0 if closed else 1))]
    for i, j in corners:
        corner, turn = line[i + 1], np.cross(along[i], along[j])
        # A turn to the left has its outer side on the right.
        distance, sign = (right, 1) if turn > 0 else (left, -1)
        start, end = sign * rightwards[i], sign * rightwards[j]
        middle = start + end
        middle /= np.hypot(*middle)
        half = math.acos(np.clip(start @ end, -1, 1)) / 2
        p, q = corner + distance * start, corner + distance * end
        tip = corner + distance / math.cos(half) * middle
        if join == BufferJoin.BEVEL:
            yield Polygon([corner, p, q])
        elif join == BufferJoin.ROUND:
            cone = Polygon([corner, p + distance * start, corner + 3 * distance / math.cos(half) * middle, q + distance * end])
            yield cone.intersection(Point(corner).buffer(distance, SEGMENTS * 4))
        elif 1 / math.cos(half) <= limit:
            yield Polygon([corner, p, tip, q])
        else:
            far = corner + limit * distance * middle
            across = np.array([-middle[1], middle[0]]) * 10 * distance
            cut = Polygon([far + across, far - across, corner - across - middle, corner + across - middle])
            yield Polygon([corner, p, tip, q]).intersection(cut)
    if closed or cap == BufferCap.FLAT:
        return
    for place, way, r in ((line[0], -along[0], rightwards[0]), (line[-1], along[-1], rightwards[-1])):
        p, q, width = place + right * r, place - left * r, left + right
        if cap == BufferCap.SQUARE:
            yield Polygon([p, p + width / 2 * way, q + width / 2 * way, q])
        else:
            box = Polygon([p, p + width * way, q + width * way, q])
            yield Point((p + q) / 2).buffer(width / 2, SEGMENTS * 4).intersection(box)


def lines():
    random = np.random.default_rng(SEED)
    for number in range(90):
        line = random.uniform(0, 100, (random.integers(2, 7), 2))
        if number % 5 == 0 and len(line) > 2:
            line = np.vstack([line, line[:1]])
        left, right = 10 ** random.uniform(-0.5, 1.5, 2)
        yield line, left, right, STYLES[number % len(STYLES)], random.choice([1.1, 2.0, 5.0])


@pytest.mark.parametrize("line, left, right, style, limit", list(lines()))
def test_is_the_union_of_its_pieces(runtime, line, left, right, style, limit):
    cap, join = style
    wkt = shapely.geometry.LineString(line).wkt
    # Shapely's text has all digits.
    found = alidade.Geometry.from_wkt(runtime, wkt).buffer(
        left, right_distance=right, cap=cap, join=join, mitre_limit=limit, quadrant_segments=SEGMENTS
    )
    found = shapely.wkt.loads(found.to_wkt())
    assert found.is_valid
    others = list(joins_and_caps(line, left, right, cap, join, limit))
    least, most = (
        shapely.ops.unary_union([*strips(line, left, right, trimmed), *others]).buffer(1e-9) for trimmed in (True, False)
    )
    # Chords are off by 7.5e-5 of the radius, (1 - cos(pi / 256)), which is half of both distances at the ends.
    sagitta = 7.6e-5 * max(left, right) + 1e-8
    wrongs = [found.difference(most), least.difference(found)]
    # Where a segment is short, a strip may reach across the next one.
    if are_long(line, max(left, right)):
        wrongs.append(found.difference(least))
    for wrong in wrongs:
        assert wrong.area <= sagitta * most.length
        assert wrong.buffer(-0.51 * sagitta).is_empty


def test_there_are_long_lines_and_short_ones():
    longs = [are_long(line, max(left, right)) for line, left, right, _, _ in lines()]
    assert longs.count(True) > 30 and longs.count(False) > 20


def test_the_same_distance_twice_is_an_ordinary_buffer(runtime):
    line = alidade.Geometry.from_wkt(runtime, "LINESTRING (0 0, 10 0, 12 5, 3 9)")
    for cap, join in STYLES:
        twice = line.buffer(2, right_distance=2, cap=cap, join=join)
        assert twice.to_wkt() == line.buffer(2, cap=cap, join=join).to_wkt()


def test_points_and_polygons_have_the_distance_of_the_call(runtime):
    for wkt in ("MULTIPOINT (0 0, 9 9)", "POLYGON ((0 0, 10 0, 10 10, 0 0))", "LINESTRING (1 1, 1 1)"):
        geometry = alidade.Geometry.from_wkt(runtime, wkt)
        for cap in BufferCap:
            assert geometry.buffer(2, right_distance=7, cap=cap).to_wkt() == geometry.buffer(2, cap=cap).to_wkt()


def test_units_and_arrays(runtime):
    metres = alidade.SpatialReference.from_code(runtime, 32632)
    line = alidade.Geometry.from_wkt(runtime, "LINESTRING (500000 0, 500100 0)", metres)
    strip = line.buffer(0.02, right_distance=0.01, unit=alidade.Unit.KILOMETRE, cap=BufferCap.FLAT)
    box = strip.envelope
    assert (box.y_min, box.y_max) == (-10, 20)
    array = alidade.GeometryArray.from_geometries(runtime, [line, line])
    boxes = [made.envelope for made in array.buffers([20, 30], right_distance=10, cap=BufferCap.FLAT)]
    assert [(box.y_min, box.y_max) for box in boxes] == [(-10, 20), (-10, 30)]
    box = array.buffer_union([20, 30], right_distance=10, cap=BufferCap.FLAT).envelope
    assert (box.y_min, box.y_max) == (-10, 30)


@pytest.mark.parametrize("right", [-1, math.nan, math.inf, 1e91, 1e-91])
def test_what_is_no_distance(runtime, right):
    line = alidade.Geometry.from_wkt(runtime, "LINESTRING (0 0, 10 0)")
    with pytest.raises(alidade.errors.InvalidArgumentError, match="right distance"):
        line.buffer(1, right_distance=right)


def test_what_does_not_go_together(runtime):
    line = alidade.Geometry.from_wkt(runtime, "LINESTRING (0 0, 10 0)")
    with pytest.raises(alidade.errors.InvalidArgumentError, match="side"):
        line.buffer(1, right_distance=2, side=BufferSide.LEFT)
    for distance in (0, -1):
        with pytest.raises(alidade.errors.InvalidArgumentError, match="right distance"):
            line.buffer(distance, right_distance=2)

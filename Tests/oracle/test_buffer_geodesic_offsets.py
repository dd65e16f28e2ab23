"""Geodesic buffers of lines and polygons of many vertices, against distances in azimuthal projections by pyproj.

Around each point that is looked at, an equidistant azimuthal projection shows distances from it as they are; a short
segment is straight there to within some 1e-4 m.
"""

from __future__ import annotations

import math

import numpy as np
import pyproj
import pytest
from geographiclib.geodesic import Geodesic
from ground import WGS84, along_edges, crossings, inside, rings

import alidade

SEED = 20261122
SLACK = 1e-3


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


def ragged(count: int, at: tuple[float, float], size: float, roughness: float) -> np.ndarray:
    """A ring some 2 size degrees across."""
    source = np.random.default_rng(SEED)
    angle = 2 * np.pi * np.arange(count) / count
    radius = size * (1 + 0.1 * np.sin(7 * angle) + roughness * source.random(count))
    return np.column_stack([
        at[0] + radius * np.cos(angle) / math.cos(math.radians(at[1])), at[1] + radius * np.sin(angle)
    ])


def walk(count: int, at: tuple[float, float], step: float) -> np.ndarray:
    """A line that comes by where it has been."""
    return np.cumsum(np.random.default_rng(SEED).normal(0, step, (count, 2)), axis=0) + at


def spiral(count: int, at: tuple[float, float], turns: float, spacing: float) -> np.ndarray:
    angle = np.linspace(1, 2 * np.pi * turns, count)
    radius = spacing * angle / (2 * np.pi)
    return np.column_stack([at[0] + radius * np.cos(angle) / math.cos(math.radians(at[1])), at[1] + radius * np.sin(angle)])


def distances(places: np.ndarray, lines: list[np.ndarray]) -> np.ndarray:
    """Metres to the nearest of the segments, each point in a projection of its own."""
    found = []
    for x, y in places:
        flat = pyproj.Proj(proj="aeqd", lon_0=x, lat_0=y, ellps="WGS84")
        nearest = math.inf
        for line in lines:
            points = np.column_stack(flat(line[:, 0], line[:, 1]))
            a, along = points[:-1], np.diff(points, axis=0)
            share = np.clip(-(a * along).sum(1) / np.maximum((along * along).sum(1), 1e-30), 0, 1)
            nearest = min(nearest, float(np.hypot(*(a + share[:, None] * along).T).min()))
        found.append(nearest)
    return np.array(found)


def densified(line: np.ndarray, longest: float = 2000.0) -> np.ndarray:
    """With points on the geodesics between, where these are longer than so many metres."""
    places = [line[0]]
    for (x, y), (x2, y2) in zip(line, line[1:]):
        way = WGS84.InverseLine(y, x, y2, x2)
        count = math.ceil(way.s13 / longest)
        for part in range(1, count):
            place = way.Position(way.s13 * part / count, Geodesic.STANDARD | Geodesic.LONG_UNROLL)
            places.append((place["lon2"], place["lat2"]))
        places.append((x2, y2))
    return np.array(places)


CASES = {
    "a ragged ring": ("polygon", [ragged(1200, (10, 50), 0.5, 0.02)], 700.0),
    "inwards": ("polygon", [ragged(1200, (10, 50), 0.5, 0.02)], -700.0),
    "a smooth ring across 180": ("polygon", [ragged(1000, (179.8, -65), 0.4, 0)], 2000.0),
    "a smooth ring inwards across 180": ("polygon", [ragged(1000, (-179.8, -65), 0.4, 0)], -2000.0),
    "a ring and a hole": (
        "polygon", [ragged(800, (-75, 2), 0.5, 0.02), ragged(500, (-74.95, 2), 0.3, 0.02)[::-1]], 1500.0,
    ),
    "a hole inwards across 180": (
        "polygon", [ragged(800, (180, 2), 0.5, 0.02), ragged(500, (-179.95, 2), 0.3, 0.02)[::-1]], -1500.0,
    ),
    "a walk": ("line", [walk(1200, (10, 50), 0.004)], 150.0),
    "a walk, wide": ("line", [walk(1200, (140, -38), 0.002)], 1200.0),
    "a walk of decimetres": ("line", [walk(500, (140, -38), 2e-6)], 2.0),
    "a smooth ring of hundreds of kilometres": ("polygon", [ragged(1000, (10, 50), 4, 0)], 5000.0),
    "long edges": ("line", [np.array([[10, 45], [10.5, 47], [9.8, 49], [10.2, 51.5], [10.9, 51.4]])], 30_000.0),
    "long edges inwards": (
        "polygon", [np.array([[20, -34], [21.5, -34.2], [21.8, -30], [20.9, -31], [20.2, -30.2]])], -9000.0,
    ),
    "near the pole": ("line", [walk(1000, (30, 86), 0.002)], 400.0),
    "there and back": ("line", [np.array([[5, 45], [5.01, 45], [5, 45], [5, 45.01], [5, 45.005], [5.003, 45.005]])], 100.0),
    "a comb": (
        "line", [np.array([[20 + 0.001 * k, 60 + 0.01 * ((k // 2) % 2)] for k in np.arange(400) // 2 * 2]) + 0.0], 25.0,
    ),
    # Near themselves, with few corners that are tight against the distance.
    "a small smooth ring": ("polygon", [ragged(60, (10, 50), 0.003, 0)], 1000.0),
    "a smooth ring inwards": ("polygon", [ragged(400, (10, 50), 0.05, 0)], -1000.0),
    "a smooth ring and its hole": (
        "polygon", [ragged(300, (-75, 2), 0.05, 0), ragged(200, (-75, 2), 0.025, 0)], 1000.0,
    ),
    "a house": ("polygon", [np.array([[10, 50], [10.0003, 50], [10.0003, 50.0001], [10.0001, 50.0001], [10.0001, 50.0002], [10, 50.0002]])], 100.0),
    "a small ragged ring": ("polygon", [ragged(120, (10, 50), 0.01, 0.3)], 100.0),
    "a zigzag": ("line", [np.column_stack([10 + np.tile([0, 0.2, 0.2, 0], 10), 50 + 0.022 * (np.arange(40) // 2)])], 1000.0),
    "a spiral": ("line", [spiral(600, (10, 50), 8, 0.022)], 1000.0),
}


DEGREES = "EPSG:4326"
# Planes, by the longitude and latitude of a case; in the last one, axes go to the south and west.
PLANES = {
    "Mercator": "+proj=merc +datum=WGS84 +type=crs",
    "transverse Mercator": "+proj=tmerc +lon_0={0} +k=0.9996 +x_0=500000 +datum=WGS84 +units=us-ft +type=crs",
    "equal areas": "+proj=laea +lat_0={1} +lon_0={0} +datum=WGS84 +type=crs",
    "plate carree": "+proj=eqc +lat_ts=30 +datum=WGS84 +type=crs",
    "stereographic": "+proj=stere +lat_0={1} +lon_0={0} +k=0.99 +datum=WGS84 +type=crs",
    "mirrored": "EPSG:5513",
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("share", [1e-3, 2e-5])
def test_the_outline_lies_at_the_distance(runtime, name, share):
    check_the_outline(runtime, name, share, DEGREES)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("plane", PLANES)
def test_the_outline_in_a_plane_lies_at_the_distance(runtime, name, plane):
    first = CASES[name][1][0][0]
    if plane == "mirrored" and not (5 < first[0] < 25 and 40 < first[1] < 55):
        return
    check_the_outline(runtime, name, 1e-3, PLANES[plane].format(first[0] + 1, first[1] - 2))


def check_the_outline(runtime, name, share, definition):
    """The reported deviation is not below the true one, and what is farther or nearer by more is out or in."""
    kind, lines, distance = CASES[name]
    crs = pyproj.CRS.from_user_input(definition)
    to_plane, to_globe = (pyproj.Transformer.from_crs(*pair, always_xy=True) for pair in
                          ((crs.geodetic_crs, crs), (crs, crs.geodetic_crs)))

    def converted(places, way):
        return places if definition == DEGREES else np.column_stack(way.transform(*places.T))

    deviation = max(abs(distance) * share, 1e-6)
    closed = [np.vstack([line, line[:1]]) if kind == "polygon" else line for line in lines]
    exact = [densified(line) for line in closed]
    reference = alidade.SpatialReference(runtime, definition if definition == DEGREES else crs.to_wkt())
    shown = [converted(line, to_plane) for line in closed]
    text = ", ".join("(" + ", ".join(f"{x!r} {y!r}" for x, y in line.tolist()) + ")" for line in shown)
    wkt = f"POLYGON({text})" if kind == "polygon" else f"MULTILINESTRING({text})"
    figure = alidade.Geometry.from_wkt(runtime, wkt, reference)
    buffer = figure.geodesic_buffer(distance, maximum_deviation=deviation)
    report = buffer.buffer_report
    assert buffer.is_valid
    assert report.achieved_deviation_m <= report.maximum_deviation_m == pytest.approx(deviation, rel=1e-9)
    source = np.random.default_rng(SEED)
    slack = SLACK if deviation > SLACK else 1e-6
    edges = converted(np.concatenate([along_edges(ring, 5, 10**9) for ring in rings(buffer)]), to_globe)
    edges = edges[np.abs(np.abs(edges[:, 0]) - 180) > 1e-9]
    places = edges[source.integers(0, len(edges), 120)]
    errors = np.abs(distances(places, exact) - abs(distance))
    assert errors.max() <= report.achieved_deviation_m + slack
    # Somewhere near the lines, near the outline among them.
    starts = np.concatenate(closed)[source.integers(0, sum(map(len, closed)), 120)]
    reach = abs(distance) * np.where(source.random(120) < 0.5, source.uniform(0.9, 1.1, 120), source.uniform(0, 3, 120))
    ends = [WGS84.Direct(y, x, a, s, Geodesic.STANDARD | Geodesic.LONG_UNROLL)
            for (x, y), a, s in zip(starts, source.uniform(0, 360, 120), reach)]
    places = np.array([(end["lon2"], end["lat2"]) for end in ends])
    away = distances(places, exact)
    clear = np.abs(away - abs(distance)) > report.achieved_deviation_m + slack
    expected = away < abs(distance)
    if kind == "polygon":
        middle = closed[0][0, 0]
        unwrapped = [np.column_stack([middle + np.remainder(ring[:, 0] - middle + 180, 360) - 180, ring[:, 1]])
                     for ring in exact]
        own = np.column_stack([middle + np.remainder(places[:, 0] - middle + 180, 360) - 180, places[:, 1]])
        within = np.logical_xor.reduce([crossings(ring, own) for ring in unwrapped])
        expected = within & ~expected if distance < 0 else within | expected
    shown = converted(np.column_stack([np.remainder(places[:, 0] + 180, 360) - 180, places[:, 1]]), to_plane)
    assert clear.sum() > 50
    assert (inside(buffer, shown) == expected)[clear].all()

"""Distances on the ellipsoid by GeographicLib and pyproj: the outside truth of geodesic buffers."""

from __future__ import annotations

import math

import numpy as np
import pyproj
from geographiclib.geodesic import Geodesic

WGS84 = Geodesic.WGS84
GEOD = pyproj.Geod(ellps="WGS84")


def exact_distance(a, b) -> float:
    """Metres between two points (longitude, latitude), by GeographicLib's own Python."""
    return WGS84.Inverse(a[1], a[0], b[1], b[0])["s12"]


class Figure:
    """Points and lines on the ellipsoid, as so many samples along their edges that the nearest one can be refined."""

    def __init__(self, points=(), lines=(), geod: pyproj.Geod = GEOD, samples: int = 24) -> None:
        self.geod = geod
        self.points = [tuple(map(float, point)) for point in points]
        self.segments = []
        for line in lines:
            for a, b in zip(line, line[1:]):
                azimuth, _, length = geod.inv(a[0], a[1], b[0], b[1])
                self.segments.append((a, azimuth, length))
            self.points.append(tuple(map(float, line[0])))
        self.samples = samples

    def distances(self, places: np.ndarray) -> np.ndarray:
        """Metres from each of `places` to the nearest point of the figure."""
        places = np.atleast_2d(places)
        best = np.full(len(places), np.inf)
        for x, y in self.points:
            best = np.minimum(best, self._to(places, np.full(len(places), x), np.full(len(places), y)))
        for start, azimuth, length in self.segments:
            best = np.minimum(best, self._to_segment(places, start, azimuth, length))
        return best

    def _to(self, places, x, y):
        return np.asarray(self.geod.inv(places[:, 0], places[:, 1], x, y)[2])

    def _along(self, start, azimuth, s):
        n = len(s)
        x, y, _ = self.geod.fwd(np.full(n, start[0]), np.full(n, start[1]), np.full(n, azimuth), s)
        return np.asarray(x), np.asarray(y)

    def _to_segment(self, places, start, azimuth, length):
        s = np.linspace(0, length, self.samples + 1)
        x, y = self._along(start, azimuth, s)
        grid = np.array([self._to(places, np.full(len(places), a), np.full(len(places), b)) for a, b in zip(x, y)])
        nearest = grid.argmin(axis=0)
        # The golden section around the nearest sample, for all points at once.
        low, high = s[np.maximum(nearest - 1, 0)], s[np.minimum(nearest + 1, self.samples)]
        ratio = (math.sqrt(5) - 1) / 2
        best = grid.min(axis=0)
        for _ in range(40):
            left, right = high - ratio * (high - low), low + ratio * (high - low)
            at_left = self._to(places, *self._along(start, azimuth, left))
            at_right = self._to(places, *self._along(start, azimuth, right))
            best = np.minimum(best, np.minimum(at_left, at_right))
            low, high = np.where(at_left < at_right, low, left), np.where(at_left < at_right, right, high)
        return best


def rings(geometry) -> list[np.ndarray]:
    """All rings of a polygon, (n, 2) each."""
    columns = geometry.columns
    paths = columns.path_offsets[columns.part_offsets]
    offsets = columns.vertex_offsets[paths[0] : paths[-1] + 1]
    return [columns.xy[a:b] for a, b in zip(offsets, offsets[1:])]


def along_edges(ring: np.ndarray, steps: int, limit: int = 1500) -> np.ndarray:
    """Points along the edges of a ring, the vertices among them."""
    edges = len(ring) - 1
    skip = max(1, edges * steps // limit)
    a, b = ring[:-1][::skip], ring[1:][::skip]
    u = (np.arange(steps) / steps)[:, None, None]
    return (a + u * (b - a)).reshape(-1, 2)


def crossings(ring: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Whether a ray northwards from each point crosses a ring an odd number of times."""
    found = np.zeros(len(places), dtype=bool)
    a, b = ring[:-1], ring[1:]
    for start in range(0, len(a), 500):
        p, q = a[start : start + 500], b[start : start + 500]
        x, y = places[:, :1], places[:, 1:]
        spans = (p[:, 0] > x) != (q[:, 0] > x)
        with np.errstate(divide="ignore", invalid="ignore"):
            at = p[:, 1] + (x - p[:, 0]) / (q[:, 0] - p[:, 0]) * (q[:, 1] - p[:, 1])
        found ^= (np.sum(spans & (at > y), axis=1) % 2).astype(bool)
    return found


def inside(geometry, places: np.ndarray) -> np.ndarray:
    """Whether points are in a polygon."""
    found = np.zeros(len(places), dtype=bool)
    for ring in rings(geometry):
        found ^= crossings(ring, places)
    return found

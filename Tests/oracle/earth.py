"""The ellipsoid by other means: curves on it as dense points in three dimensions, and their lengths."""

import numpy as np

A = 6378137.0
F = 1 / 298.257223563
E2 = F * (2 - F)
B = A * (1 - F)


def position(longitude, latitude):
    """Earth-centred coordinates at height 0, of degrees."""
    x, y = np.radians(longitude), np.radians(latitude)
    n = A / np.sqrt(1 - E2 * np.sin(y) ** 2)
    return np.stack(
        [n * np.cos(y) * np.cos(x), n * np.cos(y) * np.sin(x), n * (1 - E2) * np.sin(y) + 0 * np.asarray(x)], axis=-1
    )


def normal(longitude, latitude):
    x, y = np.radians(longitude), np.radians(latitude)
    return np.array([np.cos(y) * np.cos(x), np.cos(y) * np.sin(x), np.sin(y)])


def section(start, end, kind, count):
    """Points of a great elliptic ("centre") or of the normal section at the start ("normal"), count + 1 of them."""
    p, q = position(*start), position(*end)
    if kind == "centre":
        first = p / np.linalg.norm(p)
        second = q - first * (q @ first)
        second /= np.linalg.norm(second)
        angles = np.linspace(0, np.arctan2(q @ second, q @ first), count + 1)[:, None]
        directions = np.cos(angles) * first + np.sin(angles) * second
        return directions / np.linalg.norm(directions / [A, A, B], axis=1)[:, None]
    up = normal(*start)
    chord = q - p
    ahead = chord - up * (chord @ up)
    ahead /= np.linalg.norm(ahead)
    # Chords from the start, by their angle to the horizon there.
    angles = np.linspace(0, np.arctan2(-(chord @ up), chord @ ahead), count + 1)[:, None]
    directions = np.cos(angles) * ahead - np.sin(angles) * up
    scale = np.array([A, A, B])
    lengths = -2 * ((p / scale) * (directions / scale)).sum(axis=1) / ((directions / scale) ** 2).sum(axis=1)
    return p + directions * lengths[:, None]


def length(points_of):
    """The length of a curve, of which points_of(count) gives points: that of chords, extrapolated."""
    rows = []
    for level in range(7):
        points = points_of(64 << level)
        rows.append([np.linalg.norm(np.diff(points, axis=0), axis=1).sum()])
        for order in range(level):
            rows[-1].append(rows[-1][-1] + (rows[-1][-1] - rows[-2][order]) / (4 ** (order + 1) - 1))
    return rows[-1][4]


def azimuth(direction, longitude, latitude):
    """The azimuth of a vector at a point, degrees."""
    x, y = np.radians(longitude), np.radians(latitude)
    east = np.array([-np.sin(x), np.cos(x), 0])
    north = np.array([-np.sin(y) * np.cos(x), -np.sin(y) * np.sin(x), np.cos(y)])
    return np.degrees(np.arctan2(direction @ east, direction @ north))

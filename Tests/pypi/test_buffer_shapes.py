"""Buffers of single lines and polygons, short and long, plain and degenerate, against distances and Shapely's buffers.

Every vertex of a buffer lies at the distance from what it is the buffer of, less what a chord cuts off, and every vertex
of Shapely's finer buffer lies near the outline: nothing is missing, and no hole either. Shapely's buffers are off by up
to a hundredth of the distance, because GEOS simplifies first.
"""

import numpy as np
import pytest
import shapely

import alidade

SEGMENTS = 8
CORNER = np.array([500_000.0, 4_500_000.0])
LEAST_STEP = 2.0**-30  # of doubles of this size


def walk(source, count):
    return shapely.LineString(CORNER + np.cumsum(source.normal(0, 8, (count, 2)) + [6, 2], axis=0))


def grid_walk(source, count):
    """Comes by its own vertices again and goes back along itself."""
    line = CORNER + np.cumsum(source.integers(-1, 2, (count, 2)) * 10, axis=0)
    return shapely.LineString(line + [[0, 0]] * (count - 1) + [[10, 0]] if len(np.unique(line, axis=0)) == 1 else line)


def comb(source, count):
    """Teeth that nearly touch, by some steps of the coordinates and by more."""
    gaps = 10.0 ** source.integers(-9, 1, count)
    x = np.repeat(np.cumsum(10 + gaps), 4)[: 4 * count]
    return shapely.LineString(CORNER + np.column_stack([x + np.tile([0, 0, 5, 5], count), np.tile([0, 50, 50, 0], count)]))


def spiral(source, count):
    turns = np.linspace(2 * np.pi, 12 * np.pi, count)
    return shapely.LineString(CORNER + np.column_stack([4 * turns * np.cos(turns), 4 * turns * np.sin(turns)]))


def ring(source, count):
    angles = (np.arange(count) + source.uniform(0, 0.9, count)) * 2 * np.pi / count
    radius = 8 * count * (1 + 0.02 * np.cumsum(source.normal(0, 1, count)) / np.sqrt(count))
    return shapely.Polygon(CORNER + np.column_stack([radius * np.cos(angles), radius * np.sin(angles)]))


def cells(source, count):
    """What is left of a grid of cells: its offset sides meet exactly where the distance is half a cell."""
    side = int(np.sqrt(count))
    boxes = [
        shapely.box(x, y, x + 10, y + 10)
        for x in CORNER[0] + 10 * np.arange(side)
        for y in CORNER[1] + 10 * np.arange(side)
        if source.random() < 0.55
    ]
    return max(shapely.get_parts(shapely.union_all(boxes)), key=lambda part: part.area)


def check(form, buffer, distance):
    assert buffer.is_valid, shapely.is_valid_reason(buffer)
    sag = abs(distance) * (1 - np.cos(np.pi / 4 / SEGMENTS))
    outline = form if form.geom_type == "LineString" else form.boundary
    if buffer.is_empty:
        assert shapely.buffer(form, distance + sag, quad_segs=64).area < 1e-6
        return
    shapely.prepare(outline)
    distances = shapely.distance(outline, shapely.points(shapely.get_coordinates(buffer)))
    assert distances.max() <= abs(distance) + 4 * LEAST_STEP
    assert distances.min() >= abs(distance) - sag - 4 * LEAST_STEP
    finer = shapely.buffer(form, distance, quad_segs=24)
    boundary = buffer.boundary
    shapely.prepare(boundary)
    away = shapely.distance(boundary, shapely.points(shapely.get_coordinates(finer)))
    assert away.max() <= 1.5 * sag + 0.02 * abs(distance)


LINES = {"walk": walk, "grid walk": grid_walk, "comb": comb, "spiral": spiral}
POLYGONS = {"ring": ring, "cells": cells}
CASES = [(shape, distance) for shape in LINES for distance in (0.7, 5.0, 23.0)]
CASES += [(shape, distance) for shape in POLYGONS for distance in (0.7, 5.0, 23.0, -0.7, -5.0)]


@pytest.mark.parametrize("count", [12, 60, 600])
@pytest.mark.parametrize("shape, distance", CASES)
def test_buffers(runtime, shape, count, distance):
    form = (LINES | POLYGONS)[shape](np.random.default_rng(count), count)
    geometry = alidade.Geometry.from_wkb(runtime, shapely.to_wkb(form), 32633)
    check(form, shapely.from_wkb(geometry.buffer(distance, quadrant_segments=SEGMENTS).to_wkb()), distance)

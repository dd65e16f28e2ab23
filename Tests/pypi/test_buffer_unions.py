"""Unions of buffers that are put together from neighbourhoods, against Shapely's union of the single buffers."""

import numpy as np
import pytest
import shapely

import alidade


def star(source, vertices, center, radius, least):
    angles = (np.arange(vertices) + source.uniform(0, 0.9, vertices)) * 2 * np.pi / vertices
    distances = radius * source.uniform(least, 1, vertices)
    return shapely.Polygon(np.column_stack([center[0] + distances * np.cos(angles), center[1] + distances * np.sin(angles)]))


def stars(source, span):
    return [star(source, int(source.integers(3, 40)), source.uniform(0, span, 2), 150, 0.3) for _ in range(1200)]


def squares(source):
    """Of a grid: they share edges and corners."""
    return [shapely.box(x, y, x + 10, y + 10) for x in range(0, 400, 10) for y in range(0, 400, 10) if source.random() < 0.6]


def boxes(source):
    """With corners on the edges of others."""
    x, y, width, height = source.integers([[0], [0], [1], [1]], [[400], [400], [9], [9]], (4, 2000))
    return list(shapely.box(x, y, x + width, y + height))


def with_holes(source):
    parts = []
    for _ in range(500):
        center = source.uniform(0, 8000, 2)
        form = star(source, 30, center, 300, 0.8)
        for _ in range(3):
            form = form.difference(star(source, 12, center + source.uniform(-120, 120, 2), 60, 0.8))
        parts += [part for part in shapely.get_parts(form) if part.geom_type == "Polygon"]
    return parts


SCENES = {
    "far apart": lambda source: stars(source, 40_000),
    "in groups": lambda source: stars(source, 12_000),
    "in one piece": lambda source: stars(source, 4_000),
    "many times": lambda source: stars(source, 1_200),
    "squares": squares,
    "boxes": boxes,
    "holes": with_holes,
}


@pytest.mark.parametrize("distance", [0.0, 3.0, 40.0, -2.0])
@pytest.mark.parametrize("scene", SCENES)
def test_unions_of_buffers(runtime, scene, distance):
    source = np.random.default_rng(len(scene))
    polygons = [polygon for polygon in SCENES[scene](source) if polygon.is_valid]
    array = alidade.GeometryArray.from_wkb(runtime, [shapely.to_wkb(polygon) for polygon in polygons], 32633)
    union = shapely.from_wkb(array.buffer_union(distance, quadrant_segments=4).to_wkb())
    single = shapely.from_wkb(array.buffers(distance, quadrant_segments=4).to_wkb())
    expected = shapely.union_all(single)
    assert union.is_valid
    assert union.area == pytest.approx(expected.area, rel=1e-12)
    assert union.symmetric_difference(expected).area <= 1e-12 * expected.area
    # What touches in a point alone is one part or two, as rounding has it.
    parts, expected_parts = shapely.get_parts(union), shapely.get_parts(expected)
    assert len(parts) == pytest.approx(len(expected_parts), abs=2)
    holes = sum(shapely.get_num_interior_rings(parts))
    assert holes == pytest.approx(sum(shapely.get_num_interior_rings(expected_parts)), abs=2)

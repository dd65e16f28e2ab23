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


def coarse_lines(source, count):
    return np.cumsum(source.uniform(-0.5, 0.5, (60, count, 2)), axis=1)


def coarse_rings(source, count):
    angles = np.sort(source.uniform(0, 2 * np.pi, (60, count)), axis=1)
    radii = source.uniform(1.5, 3, (60, count))
    rings = np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=-1)
    return np.concatenate([rings, rings[:, :1]], axis=1)


@pytest.mark.parametrize("origin", [1e9, 1e11, 3e12])
@pytest.mark.parametrize("snapped", [False, True])
@pytest.mark.parametrize("make", [coarse_lines, coarse_rings])
def test_buffers_where_much_is_near(runtime, origin, snapped, make):
    """So far from 0 doubles are so far apart that corners come within some of them of other edges everywhere."""
    source = np.random.default_rng(int(origin) + snapped)
    step = np.spacing(origin)
    kind = shapely.LineString if make is coarse_lines else shapely.Polygon
    for count in (10, 40, 150):
        vertices = make(source, count)
        width = 64 * step if snapped else step
        vertices = np.round(vertices / width) * width
        near = [form for form in map(kind, vertices) if form.is_valid]
        array = alidade.GeometryArray.from_wkb(
            runtime, shapely.to_wkb(shapely.transform(near, lambda points: points + origin)), 32633
        )
        for distance in (0.05, 1.0):
            buffers = shapely.from_wkb(array.buffers(distance, quadrant_segments=16).to_wkb())
            found = shapely.transform(buffers, lambda points: points - origin)
            expected = shapely.buffer(near, distance, quad_segs=16)
            assert shapely.is_valid(found).all()
            length = shapely.length(expected)
            # Each vertex is rounded; where a line is sampled otherwise than in GEOS, arcs differ by their sagitta.
            allowed = (0.002 * distance + 8 * step) * length
            assert (np.abs(shapely.area(found) - shapely.area(expected)) <= allowed).all()
            assert (shapely.area(shapely.symmetric_difference(found, expected)) <= 2 * allowed).all()


def test_a_union_needs_memory(runtime):
    """What all vertices take at once is known before they are united."""
    source = np.random.default_rng(1)
    wkb = [shapely.to_wkb(polygon) for polygon in stars(source, 40_000)]
    tight = alidade.Runtime(policy=alidade.runtime.Policy(max_request_bytes=1 << 22))
    array = alidade.GeometryArray.from_wkb(tight, wkb, 32633)
    with pytest.raises(alidade.errors.LimitExceededError, match="max_request_bytes"):
        array.buffer_union(40.0)
    assert alidade.GeometryArray.from_wkb(tight, wkb[:100], 32633).buffer_union(40.0).area() > 0

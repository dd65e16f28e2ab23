"""Buffers of polygons of which all is seen from one point, which are made without a union, and of some that nearly are.

Against the same polygon as one of two parts far apart, whose buffer is made by a union; against distances; and by
Shapely's test for validity.
"""

import numpy as np
import pytest
import shapely
import shapely.affinity

import alidade

SEGMENTS = 8


def ragged(source):
    count = int(source.integers(3, 200))
    angles = (np.arange(count) + source.uniform(0, 0.9, count)) * 2 * np.pi / count
    radius = source.uniform(source.choice([0.02, 0.3, 0.8]), 1, count)
    return np.column_stack([radius * np.cos(angles), radius * np.sin(angles)])


def convex(source):
    return shapely.get_coordinates(shapely.MultiPoint(source.uniform(-1, 1, (40, 2))).convex_hull)[:-1]


def regular(source):
    angles = (np.arange(count := int(source.integers(3, 40))) + source.choice([0, 0.5])) * 2 * np.pi / count
    radius = np.where(np.arange(count) % 2 == 0, 1, source.choice([1, 0.5, 0.2]))
    return np.column_stack([radius * np.cos(angles), radius * np.sin(angles)])


def house(source):
    """Corners on a grid: offset sides meet in corners, and lie on each other."""
    shape = shapely.union_all([shapely.box(*low, *(low + size)) for low, size in zip(
        source.integers(-4, 1, (3, 2)), source.integers(4, 8, (3, 2)))])
    return shapely.get_coordinates(shape)[:-1] / 8 if shape.geom_type == "Polygon" and not shape.interiors else regular(source)


def needles(source):
    """Long thin spikes in few directions."""
    count = int(source.integers(3, 12))
    angles = np.sort(source.uniform(0, 2 * np.pi, count)) + np.arange(count) * 1e-9
    spikes = np.column_stack([np.cos(angles), np.sin(angles)])
    between = 0.01 * np.column_stack([np.cos(angles + 0.01), np.sin(angles + 0.01)])
    return np.stack([spikes, between], 1).reshape(-1, 2)


def doubled(source):
    """Vertices twice, and more of them on the sides."""
    ring = ragged(source)
    middles = (ring + np.roll(ring, -1, axis=0)) / 2
    return np.stack([ring, ring, middles], 1).reshape(-1, 2)


def hooked(source):
    """Seen from nowhere as a whole, or hardly."""
    turn = np.linspace(0, source.uniform(0.5, 1.6) * np.pi, 20)
    wide = source.uniform(0.1, 0.5)
    return np.concatenate([np.column_stack([np.cos(turn), np.sin(turn)]),
                           wide * np.column_stack([np.cos(turn[::-1]), np.sin(turn[::-1])])])


SHAPES = [ragged, convex, regular, house, needles, doubled, hooked]


@pytest.mark.parametrize("place", [(0.0, 1.0), (4.5e6, 1.0), (4.5e6, 100.0), (1e3, 1e5), (-7.0, 1e-6), (1e12, 1e10)])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("distance", [1e-3, 0.03, 0.125, 0.3, 1.0, 30.0, 1000.0])
def test_stars(runtime, shape, place, distance):
    corner, size = place
    source = np.random.default_rng(SHAPES.index(shape) * 1000 + int(1000 * distance))
    rings = []
    while len(rings) < 12:
        ring = shape(source)[:: int(source.choice([-1, 1]))]
        polygon = shapely.Polygon(ring * size * source.uniform(0.5, 1, 1) + corner)
        if polygon.is_valid and polygon.area > 0:
            rings.append(polygon)
    reach = distance * size
    far = 20 * (size + reach)

    def buffers(geometries):
        array = alidade.GeometryArray.from_wkb(runtime, [shapely.to_wkb(one) for one in geometries])
        return [shapely.from_wkb(one.to_wkb()) for one in array.buffers(reach, quadrant_segments=SEGMENTS)]

    pairs = [shapely.MultiPolygon([ring, shapely.affinity.translate(shapely.box(0, 0, size, size), corner + far, corner)])
             for ring in rings]
    step = 2.0**-48 * max(abs(corner) + far + size, reach)
    sag = reach * (1 - np.cos(np.pi / 4 / SEGMENTS))
    for ring, buffer, both in zip(rings, buffers(rings), buffers(pairs)):
        assert buffer.is_valid, shapely.is_valid_reason(buffer)
        assert buffer.exterior.is_ccw
        expected = min(shapely.get_parts(both), key=lambda part: part.centroid.distance(ring.centroid))
        # The union rounds vertices before it looks where sides cross: of narrow needles, by more along these sides.
        rounding = step * (100 if shape is needles else 1)
        assert shapely.hausdorff_distance(buffer, expected) <= rounding, ring.wkt
        assert abs(buffer.area - expected.area) <= 4 * rounding * expected.length
        away = shapely.distance(ring, shapely.points(shapely.get_coordinates(buffer)))
        assert away.max() <= reach + step and away.min() >= reach - sag - step, ring.wkt


@pytest.mark.parametrize("distance", [6.217511489603295e-15, 1e-15, 3e-15, 1e-14, 1e-13])
def test_distances_of_some_steps(runtime, distance):
    for ring in (shapely.box(0, 0, 1, 1), shapely.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])):
        for factor in np.linspace(0.5, 1.5, 60):
            buffer = alidade.Geometry.from_wkb(runtime, shapely.to_wkb(ring)).buffer(distance * factor, quadrant_segments=SEGMENTS)
            outline = shapely.from_wkb(buffer.to_wkb())
            assert outline.is_valid and abs(outline.area - ring.area) < 20 * distance + 1e-14


@pytest.mark.parametrize("distance", [1e5, 1e6, 1e9])
def test_slivers(runtime, distance):
    source = np.random.default_rng(int(distance))
    for _ in range(60):
        high, middle = source.uniform(0, 1e-5, 2) * [1e-10, 1]
        ring = shapely.Polygon([(0.1, high), (0.05, middle), (0, 0), (0.1, 0)])
        if ring.is_valid:
            buffer = alidade.Geometry.from_wkb(runtime, shapely.to_wkb(ring)).buffer(distance, quadrant_segments=SEGMENTS)
            outline = shapely.from_wkb(buffer.to_wkb())
            circle = shapely.Point(0, 0).buffer(distance, quad_segs=SEGMENTS)
            assert outline.is_valid and abs(outline.area / circle.area - 1) < 1e-4


@pytest.mark.parametrize("seed", range(4))
def test_needles_of_some_steps(runtime, seed):
    """So thin that the directions of both sides, rounded, do not say to which side the ring turns at the tip: against the
    buffer of the line, because Shapely's buffers of one in two hundred such polygons lack an end."""
    source = np.random.default_rng(seed)
    done = 0
    while done < 400:
        ends = source.uniform(-1, 1, (2, 2)) * 10.0 ** source.integers(0, 6)
        middle = ends[0] + source.uniform(0, 1) * (ends[1] - ends[0])
        needle = shapely.Polygon([*ends, middle + np.spacing(np.abs(middle)) * source.integers(-8, 9, 2)])
        if not needle.is_valid or needle.area == 0:
            continue
        done += 1
        line = shapely.LineString(ends)
        distance = line.length * source.uniform(0.02, 2)
        far = [shapely.affinity.translate(shape, 30 * line.length) for shape in (needle, line)]
        both = shapely.MultiPolygon([needle, far[0]]), shapely.MultiLineString([line, far[1]])
        for shape, same in (needle, line), both:
            made = alidade.Geometry.from_wkb(runtime, shapely.to_wkb(shape)).buffer(distance, quadrant_segments=SEGMENTS)
            outline, expected = shapely.from_wkb(made.to_wkb()), shapely.buffer(same, distance, quad_segs=SEGMENTS)
            assert outline.is_valid
            assert shapely.hausdorff_distance(outline, expected) < 0.02 * distance, shape.wkt


def test_an_array_is_its_geometries(runtime):
    """The result of an array, which several threads write, with geometries of every kind and size and empty ones."""
    source = np.random.default_rng(20)
    shapes = [shapely.Polygon(), shapely.box(0, 0, 3, 3).difference(shapely.box(1, 1, 2, 2)),
              shapely.MultiPolygon([shapely.box(0, 0, 1, 1), shapely.box(5, 0, 6, 2)]), shapely.LineString([(0, 0), (4, 1), (1, 3)]),
              shapely.Point(1, 1), shapely.Point(0, 0).buffer(2, quad_segs=300), shapely.box(0, 0, 2, 1)]
    chosen = [shapely.affinity.translate(shapes[kind], *source.uniform(-1e5, 1e5, 2)) for kind in source.integers(0, 7, 3000)]
    array = alidade.GeometryArray.from_wkb(runtime, [shapely.to_wkb(one) for one in chosen])
    distances = source.uniform(0.01, 3, len(chosen))
    together = shapely.from_wkb(array.buffers(distances).to_wkb())
    alone = shapely.from_wkb([one.buffer(distance).to_wkb() for one, distance in zip(array, distances)])
    assert shapely.equals_exact(together, alone).all()
    assert not shapely.is_empty(together[[not one.is_empty for one in chosen]]).any()

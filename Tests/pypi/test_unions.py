"""Unions of polygons against Shapely's: those that cross plainly, and those that share vertices and sides."""

import numpy as np
import pytest
import shapely

import alidade

CORNER = np.array([500_000.0, 4_500_000.0])


def star(source, count, center, radius, least=0.3):
    angles = (np.arange(count) + source.uniform(0, 0.9, count)) * 2 * np.pi / count
    reach = radius * source.uniform(least, 1, count)
    return shapely.Polygon(center + np.column_stack([reach * np.cos(angles), reach * np.sin(angles)]))


def stars(source, span):
    return [star(source, int(source.integers(3, 40)), CORNER + source.uniform(0, span, 2), 150) for _ in range(400)]


def with_holes(source, span=6000):
    made = []
    for _ in range(150):
        center = CORNER + source.uniform(0, span, 2)
        form = star(source, 30, center, 300, 0.8)
        for _ in range(2):
            form = form.difference(star(source, 12, center + source.uniform(-120, 120, 2), 60))
        made.append(form)
    return made


def boxes(source):
    """With corners and sides on the sides of others."""
    x, y, width, height = source.integers([[0], [0], [1], [1]], [[300], [300], [9], [9]], (4, 400))
    return list(shapely.box(x, y, x + width, y + height))


def nested(source):
    """Each in the next one; and one in the hole of another."""
    rings = [star(source, 30, CORNER, radius, 0.9) for radius in (10, 50, 100, 500, 1000)]
    away = CORNER + [5000, 0]
    return rings + [star(source, 30, away, 100, 0.8).difference(star(source, 20, away, 20)), star(source, 5, away, 2)]


def nearly(source):
    """Sides that are apart by some steps of the coordinates, or cross by them."""
    gaps = source.choice([-1, 1], 100) * 10.0 ** source.integers(-10, 0, 100)
    x = 500_000 + np.concatenate([[0], np.cumsum(10 + gaps)])
    return [shapely.box(a, 4_500_000 + 3 * (i % 2), a + 10, 4_500_010) for i, a in enumerate(x)]


def concurrent(source):
    """Triangles whose sides pass one point, or miss it by some steps of the coordinates."""
    made = []
    for angle in source.uniform(0, 2 * np.pi, 12):
        along, aside = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        on_line = CORNER + source.integers(-6, 7) * 2.0**-30 * aside
        made.append(shapely.Polygon([on_line - 80 * along, on_line + 90 * along, on_line + 40 * aside]))
    return made


SCENES = {
    "concurrent": concurrent,
    "far apart": lambda source: stars(source, 40_000),
    "in groups": lambda source: stars(source, 8_000),
    "in one piece": lambda source: stars(source, 2_000),
    "holes": with_holes,
    "boxes": boxes,
    "both": lambda source: boxes(source) + [star(source, 9, source.uniform(0, 300, 2), 20) for _ in range(60)],
    "nested": nested,
    "nearly": nearly,
    "the same": lambda source: [star(np.random.default_rng(1), 8, CORNER, 5)] * 3 + stars(source, 4_000),
    "degrees": lambda source: [star(source, 20, source.uniform(-180, 180, 2) * [1, 0.5], 3) for _ in range(200)],
}


def counts(form):
    parts = shapely.get_parts(form)
    return len(parts), int(shapely.get_num_interior_rings(parts).sum())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("scene", SCENES)
def test_unions(runtime, scene, seed):
    polygons = [form for form in SCENES[scene](np.random.default_rng(seed)) if form.is_valid]
    array = alidade.GeometryArray.from_wkb(runtime, [shapely.to_wkb(form) for form in polygons], 32633)
    union = shapely.from_wkb(array.union().to_wkb())
    expected = shapely.union_all(polygons)
    assert union.is_valid
    assert union.area == pytest.approx(expected.area, rel=1e-9)
    assert union.symmetric_difference(expected).area <= 1e-9 * expected.area
    if scene not in ("nearly", "concurrent"):
        assert counts(union) == counts(expected)
    # A vertex that is left is exactly what it was.
    given = set(map(tuple, shapely.get_coordinates(polygons)))
    left = given & set(map(tuple, shapely.get_coordinates(expected)))
    moved = left - set(map(tuple, shapely.get_coordinates(union)))
    if scene == "nearly":
        # But where another part of the outline is within two steps of 2^-30: to the next step.
        vertices = shapely.multipoints(shapely.get_coordinates(union))
        assert all(shapely.distance(vertices, shapely.Point(vertex)) <= 2.0**-30 for vertex in moved)
    else:
        assert not moved


def test_a_polygon_that_crosses_itself_is_refused(runtime):
    bow = shapely.Polygon([(0, 0), (10, 10), (10, 0), (0, 10)])
    forms = [shapely.box(100, 100, 110, 110), bow, shapely.box(5, 2, 30, 8)]
    array = alidade.GeometryArray.from_wkb(runtime, [shapely.to_wkb(form) for form in forms], 32633)
    with pytest.raises(alidade.errors.InvalidArgumentError, match=r"Geometry 1 .*Self-intersection at \(5, 5\)"):
        array.union()


@pytest.mark.parametrize("count", [4, 30, 66, 300, 5000])
@pytest.mark.parametrize("fault", [None, "crosses", "crosses by a step", "touches", "doubled", "collinear"])
def test_rings_are_as_valid_as_geos_says(runtime, count, fault):
    """Whether buffers and unions take a ring or refuse it."""
    source = np.random.default_rng(count)
    ring = shapely.get_coordinates(star(source, count, CORNER, 10 * count, 0.9))[:-1]
    if fault == "crosses":
        ring[[1, 2]] = ring[[2, 1]]
    elif fault == "crosses by a step":
        # At the north the ring goes west: two vertices there, the western one first. On the grid they are one.
        north = np.argmax(ring[:, 1])
        ring = np.insert(ring, north, ring[north] - [2.0**-34, 0], axis=0)
    elif fault == "touches":
        ring[0] = ring[count // 2]
    elif fault == "doubled":
        ring = np.repeat(ring, 2, axis=0)
    elif fault == "collinear":
        ring = np.stack([ring, (ring + np.roll(ring, -1, axis=0)) / 2], axis=1).reshape(-1, 2)
    form = shapely.Polygon(ring)
    geometry = alidade.Geometry.from_wkb(runtime, shapely.to_wkb(form), 32633)
    array = alidade.GeometryArray.from_geometries(runtime, [geometry])
    for operation in (lambda: geometry.buffer(1.0), array.union):
        try:
            operation()
        except alidade.errors.InvalidArgumentError as error:
            assert not form.is_valid, error
        else:
            assert form.is_valid

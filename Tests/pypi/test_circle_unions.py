"""Unions of circles that just touch, or of which thousands overlap each, against Shapely and by hand."""

import numpy as np
import pytest
import shapely

import alidade

RADIUS = 5.0
SEGMENTS = 8
# A regular polygon of 32 corners on the circle.
AREA = 0.5 * 4 * SEGMENTS * np.sin(2 * np.pi / (4 * SEGMENTS)) * RADIUS**2


def union(runtime, centres, radius=RADIUS):
    array = alidade.GeometryArray.from_wkb(runtime, [shapely.to_wkb(shapely.Point(*one)) for one in centres], 32633)
    return shapely.from_wkb(array.buffer_union(radius, quadrant_segments=SEGMENTS).to_wkb())


def lattice(side, dx, dy, shift):
    row, column = np.divmod(np.arange(side * side), side)
    return np.column_stack([500_000 + dx * column + shift * (row % 2), 4_500_000 + dy * row])


@pytest.mark.parametrize("dx, dy, shift, parts", [
    (10, 10, 0, 1600),  # touch four others in vertices
    (10, 9, 5, 1600),  # touch two others; rows are apart: 5^2 + 9^2 > 10^2
    (20, 10, 0, 1600),  # touch in columns
    (10, 8.66, 5, 1),  # rows overlap by 0.0002, circles of a row touch
])  # fmt: skip
def test_lattices_that_touch(runtime, dx, dy, shift, parts):
    whole = union(runtime, lattice(40, dx, dy, shift))
    assert whole.is_valid
    assert len(shapely.get_parts(whole)) == parts
    if parts == 1:
        # Where two cross is one vertex more on each.
        assert 1600 * AREA < whole.area < 1600 * np.pi * RADIUS**2
        # Of the triangles between three circles each pair in a row makes one above and one below, but the outermost rows.
        assert shapely.get_num_interior_rings(shapely.get_parts(whole)).sum() == 2 * 39 * 39
    else:
        assert whole.area == pytest.approx(1600 * AREA, rel=1e-9)
        assert shapely.get_num_interior_rings(shapely.get_parts(whole)).sum() == 0


@pytest.mark.parametrize("angle", [0, np.pi / 2, 1])
@pytest.mark.parametrize("is_shuffled", [False, True])
def test_dense_lines(runtime, angle, is_shuffled):
    """Each circle of a line shows on both of its sides, however many others overlap it."""
    source = np.random.default_rng(7)
    steps = np.arange(2000) * 0.01
    centres = np.column_stack([500_000 + steps * np.cos(angle), 4_500_000 + steps * np.sin(angle)])
    if is_shuffled:
        source.shuffle(centres)
    whole = union(runtime, centres)
    expected = shapely.union_all(shapely.buffer(shapely.points(centres), RADIUS, quad_segs=64))
    assert whole.is_valid and whole.geom_type == "Polygon" and len(whole.interiors) == 0
    # A stadium, its round ends less what their chords leave out.
    assert whole.area == pytest.approx(2 * RADIUS * 19.99 + np.pi * RADIUS**2, rel=3e-3)
    assert not shapely.symmetric_difference(whole, expected).buffer(-0.026).area
    # The crossing points of neighbours are 2.5e-6 below the sides.
    corners = np.asarray(whole.exterior.coords) - [500_000, 4_500_000]
    along = corners @ [np.cos(angle), np.sin(angle)]
    across = np.abs(corners @ [-np.sin(angle), np.cos(angle)])
    within = (along > 0.1) & (along < 19.89)
    assert within.sum() >= 2 * 1970
    assert across[within] == pytest.approx(RADIUS, abs=3e-6)


@pytest.mark.parametrize("gap, parts", [(0.0, 2), (1e-6, 2), (-1e-6, 1)])
def test_dense_columns_beside_each_other(runtime, gap, parts):
    y = 4_500_000 + np.arange(500) * 0.01
    centres = np.concatenate([np.column_stack([np.full(500, x), y]) for x in (500_000, 500_000 + 2 * RADIUS + gap)])
    whole = union(runtime, centres)
    assert whole.is_valid
    assert len(shapely.get_parts(whole)) == parts


def test_small_ones_round_a_large_one(runtime):
    """30 circles touch a large one and each other: by hand their radius is R sin(a) / (1 - sin(a)), a half of 12 degrees."""
    sine = np.sin(np.pi / 30)
    small = 50 * sine / (1 - sine)
    angles = np.arange(30) * np.pi / 15
    centres = np.vstack([[0, 0], (50 + small) * np.column_stack([np.cos(angles), np.sin(angles)])])
    whole = union(runtime, centres, [50.0, small * (1 + 1e-9)])
    assert whole.is_valid and whole.geom_type == "Polygon"
    # Between the large one and each two neighbours.
    assert len(whole.interiors) == 30
    # Where two cross is one vertex more on each.
    discs = 50**2 + 30 * small**2
    assert AREA / RADIUS**2 * discs < whole.area < np.pi * discs


@pytest.mark.parametrize("seed", range(20))
def test_vertices_where_circles_touch(runtime, seed):
    """Hexagonal lattices and segments of 30 or 15 degrees: both circles have a vertex where they touch, but for rounding."""
    source = np.random.default_rng(seed)
    size = source.uniform(0.1, 30)
    centres = lattice(12, size, size * 3**0.5 / 2, size / 2) - [500_000, 4_500_000] + source.uniform(-1, 1, 2) * 5e6
    points = [shapely.to_wkb(shapely.Point(*one)) for one in centres]
    array = alidade.GeometryArray.from_wkb(runtime, points, 32633)
    for segments in (3, 6):
        whole = shapely.from_wkb(array.buffer_union(size / 2, quadrant_segments=segments).to_wkb())
        assert whole.is_valid
        corners = 4 * segments
        assert whole.area == pytest.approx(144 * 0.5 * corners * np.sin(2 * np.pi / corners) * size**2 / 4, rel=1e-5)


def test_a_repaired_polygon_that_touches_another(runtime):
    """Circles in a row that overlap by some steps of the coordinates are united anew; two others touch them.

    This case failed, and no other one of a million random ones.
    """
    circles = np.array([
        (7854807.833634153, 506038.2328253053, 2.8344929103862966), (7854814.579103236, 506038.2328253053, 3.9109761722440335),
        (7854809.963289039, 506038.2328253053, 0.7048380242544522), (7854815.971669036, 506038.2328253053, 5.303541972107285),
        (7854802.164648333, 506038.2328253053, 2.8344929103862966), (7854802.164648333, 506043.9018111261, 2.8344929103862966),
        (7854795.395001801, 506043.9018111261, 3.935153620917347), (7854795.395001801, 506035.14819444856, 4.818463056614343)])
    array = alidade.GeometryArray.from_wkb(runtime, [shapely.to_wkb(shapely.Point(*one)) for one in circles[:, :2]])
    for segments in (1, 2, 3, 8, 16, 64):
        whole = shapely.from_wkb(array.buffer_union(circles[:, 2], quadrant_segments=segments).to_wkb())
        assert whole.is_valid, shapely.is_valid_reason(whole)
        assert len(shapely.get_parts(whole)) == 3

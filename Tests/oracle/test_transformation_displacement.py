"""How far apart two transformations are, against pyproj's own runs of both and its geodesics."""

from __future__ import annotations

import numpy as np
import pyproj
import pytest
from pyproj.transformer import TransformerGroup

import alidade


@pytest.fixture(scope="module")
def runtime():
    with alidade.Runtime() as runtime:
        yield runtime


def reference(runtime: alidade.Runtime, code: int) -> alidade.SpatialReference:
    return alidade.SpatialReference.from_code(runtime, code)


def listed(runtime, source: int, target: int, words: str, area=None) -> alidade.Transformation:
    """The one transformation of a list whose name holds some words."""
    rows = alidade.TransformationList(reference(runtime, source), reference(runtime, target), area=area)
    [found] = [row.transformation for row in rows if words in row.transformation.name]
    return found


def peer(source: int, target: int, words: str) -> pyproj.Transformer:
    group = TransformerGroup(source, target, always_xy=True)
    [found] = [transformer for transformer in group.transformers if words in transformer.description]
    return found


def centers(box, columns: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """The points of a field: north first."""
    x = box[0] + (np.arange(columns) + 0.5) / columns * (box[2] - box[0])
    y = box[3] - (np.arange(rows) + 0.5) / rows * (box[3] - box[1])
    return np.meshgrid(x, y)


def distances(target: int, a, b) -> np.ndarray:
    """Metres between points of a spatial reference, on its ellipsoid."""
    system = pyproj.CRS(target)
    to_degrees = pyproj.Transformer.from_crs(system, system.geodetic_crs, always_xy=True)
    (x0, y0), (x1, y1) = to_degrees.transform(*a), to_degrees.transform(*b)
    return np.asarray(system.get_geod().inv(x0, y0, x1, y1)[2])


def check(ours: alidade.transformations.Displacement, expected: np.ndarray, weights: np.ndarray, x: np.ndarray, y: np.ndarray) -> None:
    """Holds a field and its summary against expected distances; those are NaN where there is none."""
    assert np.array_equal(np.isnan(ours.field), np.isnan(expected))
    np.testing.assert_allclose(ours.field, expected, rtol=1e-7, atol=2e-8)
    known = ~np.isnan(expected)
    assert ours.sample_count == known.sum()
    assert ours.min_m == pytest.approx(np.nanmin(expected), abs=2e-8)
    assert ours.max_m == pytest.approx(np.nanmax(expected), abs=2e-8)
    assert ours.mean_m == pytest.approx(np.average(expected[known], weights=weights[known]), rel=1e-9, abs=2e-8)
    for place, index in ((ours.min_point, np.nanargmin(ours.field)), (ours.max_point, np.nanargmax(ours.field))):
        assert place == pytest.approx((x.flat[index], y.flat[index]), rel=1e-12)


def band_weights(box, columns: int, rows: int, system: str = "EPSG:4326") -> np.ndarray:
    """The areas of cells in degrees, by an equal-area cylinder on the ellipsoid."""
    ellipsoid = pyproj.CRS(system).ellipsoid
    cylinder = pyproj.Proj(proj="cea", a=ellipsoid.semi_major_metre, b=ellipsoid.semi_minor_metre)
    edges = np.array([cylinder(0, latitude)[1] for latitude in np.linspace(box[3], box[1], rows + 1)])
    return np.repeat((edges[:-1] - edges[1:])[:, None], columns, axis=1)


# Source, target, words in two names (the first one has a grid that Debian has), a box in degrees, and between how many
# metres the farthest point lies.
PAIRS = [
    (31467, 25832, "DHDN to ETRS89 (8)", "DHDN to ETRS89 (2)", (6.5, 47.5, 11.5, 54.5), (1, 6)),
    (4314, 4258, "DHDN to ETRS89 (8)", "DHDN to ETRS89 (3)", (8, 48, 10, 50), (0.4, 0.7)),
    (4275, 4171, "RGF93 v1 to NTF (2)", "Ballpark", (-4, 43, 7, 50.5), (50, 400)),
    (4272, 4167, "NZGD49 to NZGD2000 (3)", "NZGD49 to NZGD2000 (1)", (166, -47, 179, -34), (1, 40)),
    (4272, 4167, "NZGD49 to NZGD2000 (2)", "NZGD49 to NZGD2000 (1)", (166, -47, 179, -34), (1, 40)),
]


def measure(runtime, source, target, *transformations, **choices) -> alidade.transformations.Displacement:
    return alidade.transformations.transformation_displacement(
        reference(runtime, source), reference(runtime, target), *transformations, **choices
    )


def expected_between(target, one, other, from_x, from_y) -> np.ndarray:
    found = distances(target, one.transform(from_x, from_y), other.transform(from_x, from_y))
    return np.where(np.isfinite(found), found, np.nan)


@pytest.mark.parametrize("columns, rows", [(16, 16), (5, 9)])
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]}-{pair[1]} {pair[2]}")
def test_two_of_a_list(runtime, pair, columns, rows):
    source, target, first, second, box, (least, most) = pair
    ours = measure(
        runtime, source, target, listed(runtime, source, target, first), listed(runtime, source, target, second),
        area=[box[:2], box[2:]], columns=columns, rows=rows,
    )
    x, y = centers(box, columns, rows)
    # Sampled in degrees of WGS 84.
    places = pyproj.Transformer.from_crs(4326, source, always_xy=True).transform(x, y)
    expected = expected_between(target, peer(source, target, first), peer(source, target, second), *places)
    check(ours, expected, band_weights(box, columns, rows), x, y)
    assert ours.failed_count == columns * rows - ours.sample_count
    assert least < ours.max_m < most and ours.min_m < ours.mean_m < ours.max_m
    assert (ours.extent.x_min, ours.extent.y_min, ours.extent.x_max, ours.extent.y_max) == box


def test_outside_the_grid(runtime):
    box = (0, 45, 16, 56)
    words = "DHDN to ETRS89 (8)", "DHDN to ETRS89 (2)"
    ours = measure(
        runtime, 4314, 4258, *(listed(runtime, 4314, 4258, text) for text in words), area=[box[:2], box[2:]], columns=24,
        rows=20,
    )
    x, y = centers(box, 24, 20)
    places = pyproj.Transformer.from_crs(4326, 4314, always_xy=True).transform(x, y)
    expected = expected_between(4258, *(peer(4314, 4258, text) for text in words), *places)
    check(ours, expected, band_weights(box, 24, 20), x, y)
    assert ours.failed_count > 100 and ours.sample_count + ours.failed_count == 480


def test_conversions_at_both_ends(runtime):
    """A transformation of degrees serves for any two systems of its datums."""
    helmert = alidade.Transformation.from_code(runtime, 1776)
    box = (8, 48, 10, 50)
    ours = measure(runtime, 31467, 25832, helmert, listed(runtime, 31467, 25832, "(8)"), area=[box[:2], box[2:]])
    same = measure(
        runtime, 31467, 25832, listed(runtime, 31467, 25832, "DHDN to ETRS89 (2)"),
        listed(runtime, 31467, 25832, "(8)"), area=[box[:2], box[2:]],
    )
    np.testing.assert_allclose(ours.field, same.field, rtol=1e-7, atol=2e-8)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="other datums"):
        measure(runtime, 27700, 25832, helmert, area=[box[:2], box[2:]])
    with pytest.raises(alidade.errors.InvalidArgumentError, match="other datums"):
        measure(runtime, 31467, 2193, helmert, area=[box[:2], box[2:]])


def test_default_is_what_projecting_uses(runtime):
    """Each point has its own operation: within Germany the grid, outside it parameters."""
    box = (0, 45, 16, 56)
    helmert = listed(runtime, 31467, 25832, "DHDN to ETRS89 (2)")
    ours = measure(runtime, 31467, 25832, helmert, area=[box[:2], box[2:]])
    x, y = centers(box, 16, 16)
    places = pyproj.Transformer.from_crs(4326, 31467, always_xy=True).transform(x, y)
    default = pyproj.Transformer.from_crs(31467, 25832, always_xy=True)
    expected = expected_between(25832, peer(31467, 25832, "DHDN to ETRS89 (2)"), default, *places)
    check(ours, expected, band_weights(box, 16, 16), x, y)
    swapped = measure(runtime, 31467, 25832, None, helmert, area=[box[:2], box[2:]])
    np.testing.assert_array_equal(ours.field, swapped.field)
    nothing = measure(runtime, 31467, 25832, area=[box[:2], box[2:]])
    assert nothing.max_m == 0 and nothing.sample_count == 256


def test_area_of_use_is_the_default(runtime):
    ours = measure(runtime, 31467, 4258, listed(runtime, 31467, 4258, "(2)"), listed(runtime, 31467, 4258, "(8)"))
    box = pyproj.CRS(31467).area_of_use.bounds
    assert (ours.extent.x_min, ours.extent.y_min, ours.extent.x_max, ours.extent.y_max) == pytest.approx(box)
    assert ours.field.shape == (16, 16)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="give an area"):
        local = "+proj=tmerc +lon_0=9 +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +type=crs"
        made = alidade.SpatialReference(runtime, local)
        alidade.transformations.transformation_displacement(made, alidade.SpatialReference(runtime, local.replace("=9", "=12")))


def test_polygon_in_a_projected_system(runtime):
    words = "DHDN to ETRS89 (8)", "DHDN to ETRS89 (2)"
    ring = [(4.0e6, 2.8e6), (4.5e6, 2.75e6), (4.3e6, 3.3e6)]
    ours = measure(
        runtime, 4314, 25832, *(listed(runtime, 4314, 25832, text) for text in words), area=ring,
        area_spatial_reference=reference(runtime, 3035), columns=20, rows=17,
    )
    box = (4.0e6, 2.75e6, 4.5e6, 3.3e6)
    x, y = centers(box, 20, 17)

    def side(a, b):
        return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) > 0

    inside = side(ring[0], ring[1]) & side(ring[1], ring[2]) & side(ring[2], ring[0])
    places = pyproj.Transformer.from_crs(3035, 4314, always_xy=True).transform(x, y)
    expected = expected_between(25832, *(peer(4314, 25832, text) for text in words), *places)
    # The system keeps areas: all cells weigh the same, but that their edges are taken for geodesics.
    expected = np.where(inside, expected, np.nan)
    known = ~np.isnan(expected)
    assert 100 < known.sum() < 200
    np.testing.assert_allclose(ours.field, expected, rtol=1e-6, atol=1e-7)
    assert ours.sample_count == known.sum() and ours.failed_count == (inside & ~known).sum()
    assert ours.mean_m == pytest.approx(expected[known].mean(), rel=1e-4)
    assert ours.max_point in {(x.flat[i], y.flat[i]) for i in np.flatnonzero(known)}


def test_weights_are_true_areas(runtime):
    """Over sixty degrees of latitude a cell in the north is half of one in the south."""
    box = (-130, 10, -60, 70)
    rows = alidade.TransformationList(reference(runtime, 4267), reference(runtime, 4326))
    chosen = next(row.transformation for row in rows if row.transformation.name == "NAD27 to WGS 84 (4)")
    ours = measure(runtime, 4267, 4326, chosen, area=[box[:2], box[2:]], columns=7, rows=30)
    weights = band_weights(box, 7, 30)
    known = ~np.isnan(ours.field)
    assert ours.mean_m == pytest.approx(np.average(ours.field[known], weights=weights[known]), rel=1e-12)
    assert ours.mean_m != pytest.approx(ours.field[known].mean(), rel=1e-3)
    # The same degrees as a plate carree: geodesics in place of parallels.
    metres = np.radians(1) * 6378137
    plain = measure(
        runtime, 4267, 4326, chosen, area=np.array([box[:2], box[2:]]) * metres,
        area_spatial_reference=alidade.SpatialReference(runtime, "+proj=eqc +datum=WGS84"), columns=7, rows=30,
    )
    assert plain.mean_m == pytest.approx(ours.mean_m, rel=5e-3)


def test_across_the_antimeridian(runtime):
    fiji = measure(runtime, 4720, 4326, area=[(176, -20), (-178, -15)], columns=6, rows=5)
    assert (fiji.extent.x_min, fiji.extent.x_max) == (176, 182)
    assert fiji.sample_count == 30


def test_missing_grid(runtime):
    """What it costs that a grid is not there can be measured only once it is: then the list's accuracies must do."""
    pair = reference(runtime, 27700), reference(runtime, 4258)
    [missing] = [row.transformation for row in alidade.TransformationList(*pair) if row.transformation.missing_grids]
    for ways in ((missing, None), (None, missing)):
        with pytest.raises(alidade.errors.MissingGridError, match="OSTN15"):
            alidade.transformations.transformation_displacement(*pair, *ways)
    assert missing.accuracy_m < 1.1


@pytest.mark.parametrize("size", [(0, 4), (4, 0), (-1, 4), (2**32, 4)])
def test_sizes_that_are_none(runtime, size):
    with pytest.raises(ValueError):
        measure(runtime, 4267, 4326, area=[(0, 0), (1, 1)], columns=size[0], rows=size[1])

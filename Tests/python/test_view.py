"""Views: state, conversions without copies, and screens of cells."""

from __future__ import annotations

import numpy as np
import pytest

import alidade
from alidade import Insets
from alidade.rasters import CellVerdict
from alidade.views import ScreenGrid
from conftest import Scene, make_scene


def test_state(scene: Scene) -> None:
    state = scene.view.state
    assert (state.width_dip, state.height_dip, state.pixel_density) == (200, 100, 1)
    assert state.scale == 100_000 and state.rotation_deg == 0
    assert state.anchor_dip == (100, 50)
    assert state.visible_area.shape == (4, 2)
    assert np.allclose(state.screen_to_map @ state.map_to_screen, np.eye(2))
    assert np.allclose(state.screen_to_map, np.diag([state.units_per_dip, -state.units_per_dip]))


def test_viewpoint_in_parts(scene: Scene) -> None:
    before = scene.view.state
    scene.view.set_viewpoint(rotation_deg=-90)
    after = scene.view.state
    assert after.rotation_deg == 270 and after.scale == before.scale and after.center == before.center
    assert after.generation > before.generation
    scene.view.set_viewpoint(center=(0, 0), scale=5000)
    assert scene.view.state.center == (0, 0) and scene.view.state.scale == 5000


def test_insets_move_the_anchor(scene: Scene) -> None:
    scene.view.set_insets(Insets(left_dip=100))
    assert scene.view.state.anchor_dip == (150, 50)
    assert scene.view.state.insets == Insets(left_dip=100)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        scene.view.set_insets(Insets(left_dip=150, right_dip=50))
    scene.view.set_insets(None)
    assert scene.view.state.insets == Insets()


def test_conversions_agree_with_the_state(scene: Scene) -> None:
    scene.view.set_viewpoint(rotation_deg=33)
    state = scene.view.state
    screen = np.random.default_rng(1).uniform(-100, 300, (50, 2))
    map_points = scene.view.screen_to_map(screen)
    expected = np.array(state.center) + (screen - state.anchor_dip) @ state.screen_to_map.T
    assert np.allclose(map_points, expected, rtol=0, atol=1e-6)
    assert np.allclose(scene.view.map_to_screen(map_points), screen, rtol=0, atol=1e-6)


def test_points_of_every_form(scene: Scene) -> None:
    expected = scene.view.screen_to_map([(1, 2)])
    assert expected.shape == (1, 2)
    for same in ((1, 2), np.array([1.0, 2.0]), np.array([[1, 2]]), np.array([[1, 2]], dtype=">f8")):
        assert np.array_equal(scene.view.screen_to_map(same), expected)
    assert scene.view.screen_to_map(np.empty((0, 2))).shape == (0, 2)
    for wrong in ([1, 2, 3], [[1, 2, 3]], 5, [[[1, 2]]]):
        with pytest.raises(ValueError):
            scene.view.screen_to_map(wrong)


def test_strided_points_are_read_where_they_lie(scene: Scene) -> None:
    vertices = np.arange(60, dtype=np.float64).reshape(10, 6)
    expected = scene.view.screen_to_map(vertices[:, 1:3].copy())
    assert np.array_equal(scene.view.screen_to_map(vertices[:, 1:3]), expected)
    assert np.array_equal(scene.view.screen_to_map(vertices[::-1, 1:3]), expected[::-1])
    assert np.array_equal(scene.view.screen_to_map(vertices[:, [1, 2]]), expected)
    assert np.array_equal(scene.view.screen_to_map(np.asfortranarray(vertices[:, 1:3])), expected)
    repeated = np.broadcast_to(np.array([1.0, 2.0]), (10, 2))
    assert np.array_equal(scene.view.screen_to_map(repeated), scene.view.screen_to_map(repeated.copy()))
    packed = np.zeros(10, dtype=[("flag", "u1"), ("place", "f8", 2)])
    packed["place"] = vertices[:, 1:3]
    assert np.array_equal(scene.view.screen_to_map(packed["place"]), expected)


def test_out_is_written_where_it_lies(scene: Scene) -> None:
    screen = np.arange(20, dtype=np.float64).reshape(10, 2)
    expected = scene.view.screen_to_map(screen)
    vertices = np.full((10, 5), -1.0)
    out = vertices[:, 2:4]
    assert scene.view.screen_to_map(screen, out=out) is out
    assert np.array_equal(vertices[:, 2:4], expected)
    assert (vertices[:, [0, 1, 4]] == -1).all()
    in_place = screen.copy()
    assert scene.view.screen_to_map(in_place, out=in_place) is in_place
    assert np.array_equal(in_place, expected)


def test_out_that_overlaps(scene: Scene) -> None:
    screen = np.arange(22, dtype=np.float64).reshape(11, 2)
    expected = scene.view.screen_to_map(screen[:-1].copy())
    assert np.array_equal(scene.view.screen_to_map(screen[:-1], out=screen[1:]), expected)


def test_out_that_does_not_fit(scene: Scene) -> None:
    screen = np.zeros((10, 2))
    read_only = np.zeros((10, 2))
    read_only.flags.writeable = False
    for wrong in (
        np.zeros((9, 2)),
        np.zeros((10, 2), dtype=np.float32),
        np.zeros((2, 10)).T,
        np.zeros((10, 4))[:, ::2],
        np.zeros((10, 2))[::-1],
        read_only,
    ):
        with pytest.raises(ValueError, match="out must be"):
            scene.view.screen_to_map(screen, out=wrong)


def test_large_arrays_are_not_copied(scene: Scene) -> None:
    """Memory in use does not grow by another array."""
    import tracemalloc

    points = np.zeros((1_000_000, 2))
    tracemalloc.start()
    scene.view.screen_to_map(points, out=points)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


def test_rgba(scene: Scene) -> None:
    pixels = scene.view.read_rgba(scene.layer)
    assert pixels.shape == (100, 200, 4) and pixels.dtype == np.uint8
    assert (pixels[..., 3] == 255).any()
    grid = ScreenGrid(left_dip=50, top_dip=25, width_dip=100, height_dip=50, columns=100, rows=50)
    assert np.array_equal(scene.view.read_rgba(scene.layer, grid), pixels[25:75, 50:150])


def test_rgba_into_part_of_a_picture(scene: Scene) -> None:
    expected = scene.view.read_rgba(scene.layer)
    picture = np.full((120, 250, 4), 7, dtype=np.uint8)
    out = picture[10:110, :200]
    verdicts = np.empty((100, 200), dtype=np.uint8)
    assert scene.view.read_rgba(scene.layer, out=out, verdicts=verdicts) is out
    assert np.array_equal(out, expected)
    assert (picture[:10] == 7).all() and (picture[10:110, 200:] == 7).all()
    assert ((verdicts == CellVerdict.VALUE) == (expected[..., 3] == 255)).all()


def test_pixel_density(scene: Scene) -> None:
    scene.view.set_size(200, 100, pixel_density=2)
    assert scene.view.grid_size() == (400, 200)
    assert scene.view.read_values(scene.layer).shape == (200, 400)


def test_values_agree_with_cells(scene: Scene) -> None:
    values = scene.view.read_values(scene.layer)
    assert values.shape == (100, 200) and values.dtype == np.float64
    for column, row in ((0, 0), (100, 50), (199, 99)):
        cell, bands = scene.view.cell_at(scene.layer, (column + 0.5, row + 0.5))
        expected = bands["value"][0, 0] if cell["verdict"][0] == CellVerdict.VALUE else np.nan
        assert np.array_equal(values[row, column], expected, equal_nan=True)


def test_scaled_values(runtime: alidade.Runtime) -> None:
    scene = make_scene(runtime, "cog_scale.tif", 1e5)
    band = scene.raster.band(1)
    assert (band.scale, band.offset) != (1, 0)
    stored = scene.view.read_values(scene.layer)
    scaled = scene.view.read_values(scene.layer, scaled=True)
    assert np.isfinite(stored).any()
    assert np.allclose(scaled, stored * band.scale + band.offset, equal_nan=True)


def test_pictures_that_do_not_fit(scene: Scene) -> None:
    for wrong in (
        np.zeros((100, 200, 3), np.uint8),
        np.zeros((100, 200, 4), np.int8),
        np.zeros((100, 400, 4), np.uint8)[:, ::2],
        np.zeros((200, 100, 4), np.uint8).transpose(1, 0, 2),
    ):
        with pytest.raises(ValueError, match="out must be"):
            scene.view.read_rgba(scene.layer, out=wrong)
    with pytest.raises(ValueError, match="verdicts"):
        scene.view.read_rgba(scene.layer, verdicts=np.zeros((100, 400), np.uint8)[:, ::2])
    with pytest.raises(alidade.errors.NotFoundError):
        scene.view.read_values(scene.layer, band=2)
    with pytest.raises(ValueError):
        scene.view.read_rgba(scene.layer, ScreenGrid(columns=-1, rows=5))


def test_coverage(scene: Scene) -> None:
    assert scene.view.layer_coverage(scene.layer) == pytest.approx(1)
    scene.view.set_viewpoint(center=(0, 0))
    assert scene.view.layer_coverage(scene.layer) == 0


def test_map_beyond_what_a_satellite_sees(runtime: alidade.Runtime) -> None:
    """Parts of the map are not visible in a geostationary view."""
    scene = make_scene(runtime, "goes.tif", 1e9)
    verdicts = np.empty((100, 200), dtype=np.uint8)
    scene.view.read_values(scene.layer, verdicts=verdicts)
    assert (verdicts == CellVerdict.VALUE).any() and (verdicts == CellVerdict.NOT_PROJECTABLE).any()

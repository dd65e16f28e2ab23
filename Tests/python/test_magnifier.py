"""Magnifiers: what lies under a finger, larger, and the map that pans at the view's edge."""

from __future__ import annotations

import math

import numpy as np
import pytest

import alidade
from alidade.events import GestureEvent
from alidade.navigation import GestureKind, GesturePhase, InteractionFlags, InteractionOptions, TouchPhase
from alidade.views import Magnifier, MagnifierOptions
from conftest import Scene

# The view of the scene is 200 by 100 DIP.
OPTIONS = MagnifierOptions(factor=4, width_dip=60, height_dip=40, lift_dip=5, edge_dip=25, pan_speed_dip_s=200)


def test_shows_what_lies_under_the_finger(scene: Scene) -> None:
    magnifier = Magnifier(scene.view, OPTIONS)
    assert not magnifier.state.is_shown and math.isnan(magnifier.state.box_dip.x_min)
    lens = magnifier.view
    assert magnifier.view == lens and lens != scene.view and lens.map is scene.view.map
    with pytest.raises(alidade.errors.NotReadyError):
        lens.state
    scene.view.set_viewpoint(rotation_deg=75)
    magnifier.show_at((120.25, 61.5))
    base, near = scene.view.state, lens.state
    assert near.scale == base.scale / 4 and near.rotation_deg == 75 and near.pixel_density == base.pixel_density
    assert np.allclose(near.center, scene.view.screen_to_map((120.25, 61.5))[0], rtol=0, atol=1e-9)
    # A way of 8 DIP in the magnifier is one of 2 in the view, whatever the rotation.
    points = np.array([[30.0, 20.0], [38.0, 20.0], [30.0, 28.0], [-100.0, 7.0]])
    expected = (points - (30, 20)) / 4 + (120.25, 61.5)
    assert np.allclose(magnifier.to_view(points), expected, rtol=0, atol=1e-6)
    assert np.allclose(magnifier.from_view(expected), points, rtol=0, atol=1e-6)
    assert np.allclose(lens.screen_to_map(points), scene.view.screen_to_map(expected), rtol=1e-12)
    assert np.allclose(lens.map_to_screen(lens.screen_to_map(points)), points, rtol=0, atol=1e-6)
    snapshot = lens.snapshot()
    magnifier.hide()
    assert snapshot.state.center == near.center and not magnifier.state.is_shown
    assert np.allclose(snapshot.screen_to_map(points), scene.view.screen_to_map(expected), rtol=1e-12)


def test_identifies_and_reads_through_it(scene: Scene) -> None:
    magnifier = Magnifier(scene.view, OPTIONS)
    magnifier.show_at((100.5, 50.5))
    values = magnifier.view.read_values(scene.layer)
    assert values.shape == (40, 60) and magnifier.view.read_rgba(scene.layer).shape == (40, 60, 4)
    for column, row in [(0, 0), (30, 20), (59, 39)]:
        place = (column + 0.5, row + 0.5)
        result = magnifier.view.identify_layer(scene.layer, place, tolerance_dip=3)
        under = scene.view.identify_layer(scene.layer, magnifier.to_view(place)[0])
        assert len(result) == len(under) == 1
        assert (result[0].cell.column, result[0].cell.row) == (under[0].cell.column, under[0].cell.row)
        assert np.allclose(result.map_point, magnifier.view.screen_to_map(place)[0])
        assert result[0]["Band 1"] == values[row, column]


def test_overlays_are_drawn_through_it(scene: Scene) -> None:
    overlay = alidade.GraphicsOverlay(scene.view.map._runtime)
    place = scene.view.screen_to_map((110.0, 45.0))[0]
    point = alidade.Geometry.from_wkt(
        scene.view.map._runtime, f"POINT ({place[0]:.17g} {place[1]:.17g})", scene.view.map.spatial_reference
    )
    overlay.set_renderer(alidade.SimpleRenderer(alidade.MarkerSymbol()))
    overlay.add(point)
    scene.view.add_overlay(overlay)
    magnifier = Magnifier(scene.view, OPTIONS)
    magnifier.show_at((105.0, 50.0))
    drawing = magnifier.view.overlay_drawing()
    expected = magnifier.from_view((110.0, 45.0))[0]
    assert np.allclose(expected, (50, 0), rtol=0, atol=1e-6)
    assert np.allclose(drawing.columns.screen_xy, [expected], rtol=0, atol=1e-6)


def test_follows_a_long_press_that_is_dragged(scene: Scene) -> None:
    runtime = scene.view.map._runtime
    magnifier = Magnifier(scene.view, OPTIONS)
    list(runtime.events())
    view = scene.view
    seen = []

    def frame(seconds: float = 1 / 60) -> None:
        view.advance(seconds)
        for event in runtime.events():
            if not isinstance(event, GestureEvent) or event.gesture is not GestureKind.LONG_PRESS:
                continue
            if event.phase in (GesturePhase.BEGAN, GesturePhase.CHANGED):
                magnifier.show_at(event.screen_point)
            else:
                magnifier.hide()
            seen.append(event.phase)

    center = view.state.center
    view.handle_touch(1, TouchPhase.BEGAN, (100, 50), 0)
    frame(0.6)
    assert magnifier.state.is_shown and magnifier.state.target_point == (100, 50)
    for step in range(1, 11):
        view.handle_touch(1, TouchPhase.MOVED, (100 + 9.0 * step, 50), 0.6 + step / 60)
        frame()
    # In the middle of the view the map has stayed; at its edge, 10 DIP from the side, it pans west to east.
    assert magnifier.state.target_point == (190, 50) and magnifier.state.is_panning
    before = view.state
    assert view.navigation_state.gesture is GestureKind.LONG_PRESS and view.navigation_state.needs_time
    frame(0.5)
    assert math.isclose(view.state.center[0] - before.center[0], 0.5 * 200 * 15 / 25 * before.units_per_dip)
    assert view.state.center[0] > center[0] and view.state.center[1] == center[1]
    view.handle_touch(1, TouchPhase.ENDED, (190, 50), 2)
    frame()
    assert seen == [GesturePhase.BEGAN] + [GesturePhase.CHANGED] * 10 + [GesturePhase.ENDED]
    assert not magnifier.state.is_shown and not view.navigation_state.is_navigating


def test_pans_as_far_as_constraints_allow(scene: Scene) -> None:
    view = scene.view
    box = view.envelope
    extent = alidade.Envelope(box.x_min, box.y_min - 1000, box.x_max + 10, box.y_max + 1000)
    view.set_constraints(alidade.views.Constraints(max_extent=extent))
    magnifier = Magnifier(view, OPTIONS)
    magnifier.show_at((500, 50))
    for _ in range(100):
        view.advance(0.1)
    assert view.envelope.x_max == pytest.approx(box.x_max + 10, abs=1e-6)
    magnifier.show_at((-500, 50))
    view.advance(0.01)
    assert view.envelope.x_max < box.x_max + 10
    view.set_interaction_options(InteractionOptions(flags=InteractionFlags.NO_MAGNIFIER_PAN))
    assert not magnifier.state.is_panning


def test_its_view_cannot_be_moved(scene: Scene) -> None:
    magnifier = Magnifier(scene.view)
    magnifier.show_at((50, 50))
    with pytest.raises(alidade.errors.InvalidStateError, match="magnifier"):
        magnifier.view.set_viewpoint(scale=1000)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="magnifier"):
        Magnifier(magnifier.view)
    with pytest.raises(alidade.errors.InvalidArgumentError, match="factor"):
        magnifier.set_options(MagnifierOptions(factor=0.5))
    magnifier.set_options(MagnifierOptions(factor=8))
    assert magnifier.view.state.scale == scene.view.state.scale / 8
    generation = magnifier.view.state.generation
    magnifier.show_at((51, 50))
    assert magnifier.view.state.generation > generation

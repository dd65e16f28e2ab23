"""
Limits as rubber bands: how far fingers pull a view past them (UIScrollView's rule, x c d / (d + c x) with c = 0.55), and
how it springs back (an ease-out cubic of 0.3 s, after Penner).
"""
import numpy
import pytest

import alidade
from alidade.navigation import GestureKind, GesturePhase, TouchPhase

# One map unit per DIP; 800 x 600 are shown.
SCALE = 96 / 0.0254
BOX = alidade.Envelope(0, 0, 2000, 4000)


def stretch(pull, reach):
    return pull * 0.55 * reach / (reach + 0.55 * pull)


@pytest.fixture
def view(runtime):
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 2056))
    view = alidade.View(map, 800, 600)
    view.set_viewpoint(center=(1000, 2000), scale=SCALE)
    view.set_constraints(alidade.views.Constraints(max_extent=BOX, rubber_band=True))
    runtime.events()
    yield view
    view.release()


def told(runtime):
    return [type(event).__name__ for event in runtime.events() if isinstance(event, alidade.events.NavigationEvent)]


def test_it_is_an_option(view):
    assert view.constraints == alidade.views.Constraints(max_extent=BOX, rubber_band=True)
    view.set_constraints(alidade.views.Constraints(max_extent=BOX))
    assert not view.constraints.rubber_band
    view.handle_touch(1, TouchPhase.BEGAN, (100, 300), 0)
    view.handle_touch(1, TouchPhase.MOVED, (5000, 300), 0.1)
    assert view.state.center[0] == pytest.approx(400, abs=1e-9)


@pytest.mark.parametrize("rotation_deg", [0, 90, 37])
def test_a_finger_pulls_past_the_extent_and_lets_go(runtime, view, rotation_deg):
    view.set_viewpoint(rotation_deg=rotation_deg)
    runtime.events()
    angle = numpy.radians(rotation_deg)
    width = abs(800 * numpy.cos(angle)) + abs(600 * numpy.sin(angle))
    height = abs(800 * numpy.sin(angle)) + abs(600 * numpy.cos(angle))
    # What is dragged, in DIP right and down, as a way on the map.
    way = numpy.array([900.0, -1900.0])
    moved = numpy.array(
        [way[0] * numpy.cos(angle) - way[1] * numpy.sin(angle), -way[0] * numpy.sin(angle) - way[1] * numpy.cos(angle)]
    )
    low = numpy.array([width / 2, height / 2])
    high = numpy.array([2000 - width / 2, 4000 - height / 2])
    asked = numpy.array([1000.0, 2000.0]) - moved
    kept = numpy.clip(asked, low, high)
    pull = asked - kept
    assert abs(pull).max() > 50
    shown = kept + numpy.sign(pull) * stretch(abs(pull), 600)
    view.handle_touch(1, TouchPhase.BEGAN, (0, 0), 0)
    view.handle_touch(1, TouchPhase.MOVED, tuple(way), 0.1)
    assert numpy.allclose(view.state.center, shown, rtol=0, atol=1e-6)
    view.handle_touch(1, TouchPhase.ENDED, tuple(way), 0.11)
    for frame in range(1, 10):
        view.advance(0.03)
        part = 1 - (1 - frame / 10) ** 3
        assert numpy.allclose(view.state.center, shown + (kept - shown) * part, rtol=0, atol=1e-6)
        assert told(runtime) == (["NavigationBegan"] if frame == 1 else [])
        assert view.navigation_state.needs_time
    view.advance(0.031)
    assert numpy.allclose(view.state.center, kept, rtol=0, atol=1e-9)
    assert told(runtime) == ["DidEndPanning", "NavigationEnded"] and not view.navigation_state.needs_time


@pytest.mark.parametrize("factor, limit", [(30.0, 1000.0), (1 / 30, 9000.0)])
def test_a_pinch_pulls_past_the_scales(runtime, view, factor, limit):
    view.set_constraints(alidade.views.Constraints(min_scale=9000, max_scale=1000, rubber_band=True))
    held = view.screen_to_map((300, 200))[0]
    view.handle_gesture(GestureKind.PINCH, GesturePhase.BEGAN, (300, 200))
    view.handle_gesture(GestureKind.PINCH, GesturePhase.CHANGED, (300, 200), scale_factor=factor)
    octaves = numpy.log2(SCALE / factor / limit)
    expected = limit * 2 ** (numpy.sign(octaves) * stretch(abs(octaves), 1))
    assert view.state.scale == pytest.approx(expected, rel=1e-12)
    assert numpy.allclose(view.map_to_screen(held)[0], (300, 200), rtol=0, atol=1e-6)
    view.handle_gesture(GestureKind.PINCH, GesturePhase.ENDED, (300, 200), scale_factor=factor)
    view.advance(10)
    assert view.state.scale == limit
    assert told(runtime) == ["NavigationBegan", "DidEndZooming", "NavigationEnded"]


def test_calls_take_it_back_at_once(view):
    view.handle_touch(1, TouchPhase.BEGAN, (0, 300), 0)
    view.handle_touch(1, TouchPhase.MOVED, (700, 300), 0.1)
    assert view.state.center[0] == pytest.approx(400 - stretch(100, 600), abs=1e-9)
    view.stop()
    assert view.state.center[0] == pytest.approx(400, abs=1e-9) and not view.navigation_state.is_navigating
    plan = view.move(center=(-5000, 2000))
    assert plan.center[0] == pytest.approx(400, abs=1e-9)

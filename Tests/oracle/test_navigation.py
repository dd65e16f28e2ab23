"""
How views move, against the published formulas: Penner's easing curves, van Wijk and Nuij's flight, exponential
inertia, and the words of navigation.h and gesture.h.
"""
import math

import numpy
import pytest

import alidade
from alidade.events import NavigationCause
from alidade.navigation import AnimationCurve, GestureKind, GesturePhase, TouchPhase
from alidade.runtime import Key
from camera import Camera

SIZE = (800, 600)
# One map unit per DIP.
SCALE = 96 / 0.0254
CENTRE = (1000.0, 2000.0)


@pytest.fixture
def view(runtime):
    runtime.events()
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    view = alidade.View(map, *SIZE)
    view.set_viewpoint(center=CENTRE, scale=SCALE)
    runtime.events()
    yield view
    view.release()


def camera(view):
    state = view.state
    return Camera(state.center, state.scale, state.rotation_deg, SIZE)


def advance(view, seconds, frames=60):
    for _ in range(frames):
        view.advance(seconds / frames)


def told(runtime, view):
    """The events of a view in their order, without the events of the viewpoint."""
    events = [event for event in runtime.events() if isinstance(event, alidade.events.NavigationEvent)]
    assert all(event.concerns(view) for event in events)
    return events


def names(events):
    return [type(event).__name__ for event in events]


# Penner's functions, as he published them: time, beginning 0, change 1, duration 1.
def power(exponent):
    return (
        lambda t: t**exponent,
        lambda t: 1 - (1 - t) ** exponent,
        lambda t: 2 ** (exponent - 1) * t**exponent if t < 0.5 else 1 - (-2 * t + 2) ** exponent / 2,
    )


PENNER = {
    "QUAD": power(2),
    "CUBIC": power(3),
    "QUART": power(4),
    "QUINT": power(5),
    "SINE": (
        lambda t: 1 - math.cos(t * math.pi / 2),
        lambda t: math.sin(t * math.pi / 2),
        lambda t: -(math.cos(math.pi * t) - 1) / 2,
    ),
    "EXPO": (
        lambda t: 2 ** (10 * t - 10),
        lambda t: 1 - 2 ** (-10 * t),
        lambda t: 2 ** (20 * t - 10) / 2 if t < 0.5 else (2 - 2 ** (-20 * t + 10)) / 2,
    ),
    "CIRC": (
        lambda t: 1 - math.sqrt(1 - t**2),
        lambda t: math.sqrt(1 - (t - 1) ** 2),
        lambda t: (
            (1 - math.sqrt(1 - (2 * t) ** 2)) / 2 if t < 0.5 else (math.sqrt(1 - (-2 * t + 2) ** 2) + 1) / 2
        ),
    ),
}
CURVES = {
    AnimationCurve[f"EASE_{side}_{family}"]: functions[number]
    for family, functions in PENNER.items()
    for number, side in enumerate(("IN", "OUT", "IN_OUT"))
} | {AnimationCurve.LINEAR: lambda t: t}


def test_there_are_the_22_classic_curves():
    assert len(CURVES) == len(AnimationCurve) == 22


@pytest.mark.parametrize("curve", AnimationCurve, ids=lambda curve: curve.name)
def test_curves_are_penners(curve):
    for t in numpy.linspace(0, 1, 101)[1:-1]:
        assert alidade.navigation.animation_curve_value(curve, t) == pytest.approx(CURVES[curve](t), abs=1e-12)
    for t, value in ((0, 0), (1, 1), (-5, 0), (7, 1)):
        assert alidade.navigation.animation_curve_value(curve, t) == value


@pytest.mark.parametrize("curve", [AnimationCurve.LINEAR, AnimationCurve.EASE_IN_OUT_QUINT, AnimationCurve.EASE_OUT_EXPO])
def test_an_animation_zooms_about_one_point(view, curve):
    """The scale moves by the curve in its logarithm, and some point of the screen stays where it is."""
    view.animate_to(center=(5000, 1000), scale=SCALE / 4, rotation_deg=350, duration_s=2, curve=curve)
    # What stays: c0 + d = p and c1 + d / 4 = p.
    fixed = numpy.array(CENTRE) + (numpy.array((5000, 1000)) - CENTRE) / (1 - 1 / 4)
    for frame in range(1, 20):
        view.advance(0.1)
        part = CURVES[curve](frame / 20)
        state = view.state
        assert state.scale == pytest.approx(SCALE * 0.25**part, rel=1e-9)
        growth = state.scale / SCALE
        assert state.center == pytest.approx(fixed + (numpy.array(CENTRE) - fixed) * growth, abs=1e-6)
        # The short way round: through north, to the left.
        assert state.rotation_deg == pytest.approx((-10 * part) % 360, abs=1e-9)
    view.advance(0.2)
    assert (view.state.center, view.state.scale, view.state.rotation_deg) == ((5000, 1000), SCALE / 4, 350)


def test_an_animation_tells_of_its_end(runtime, view):
    view.animate_to(center=(5000, 1000), duration_s=1, user_data=42)
    assert view.navigation_state.cause == NavigationCause.ANIMATION and view.navigation_state.needs_time
    advance(view, 1.1)
    events = told(runtime, view)
    assert names(events) == ["NavigationBegan", "DidEndPanning", "NavigationEnded"]
    assert [event.cause.name for event in events] == ["ANIMATION", "CALL", "ANIMATION"]
    assert events[-1].user_data == 42 and not events[-1].is_interrupted
    assert not view.navigation_state.is_navigating and not view.navigation_state.needs_time

    view.animate_to(scale=100, duration_s=1, user_data=43)
    view.advance(0.5)
    middle = view.state
    view.animate_to(rotation_deg=90, duration_s=1, user_data=44)
    view.advance(0.25)
    view.stop()
    events = told(runtime, view)
    assert names(events) == [
        "NavigationBegan", "DidEndZooming", "NavigationEnded",
        "NavigationBegan", "DidEndRotating", "NavigationEnded",
    ]  # fmt: skip
    assert [(e.user_data, e.is_interrupted) for e in events if isinstance(e, alidade.events.NavigationEnded)] == [
        (43, True),
        (44, True),
    ]
    assert view.state.scale == middle.scale and view.state.rotation_deg == pytest.approx(22.5)
    # An animation that changes nothing ends too, and has moved nothing.
    view.animate_to(scale=view.state.scale, duration_s=0)
    view.advance(0)
    assert names(told(runtime, view)) == ["NavigationBegan", "NavigationEnded"]


def test_calls_tell_what_they_did(runtime, view):
    view.set_viewpoint(center=(0, 0))
    view.set_viewpoint(center=(1, 1), scale=1e6)
    view.set_viewpoint(rotation_deg=10)
    view.set_viewpoint(center=(1, 1), scale=1e6, rotation_deg=10)
    events = told(runtime, view)
    assert [name for name in names(events) if name.startswith("Did")] == [
        "DidEndPanning", "DidEndZooming", "DidEndRotating",
    ]  # fmt: skip
    assert {event.cause for event in events} == {NavigationCause.CALL}
    assert names(events).count("NavigationBegan") == names(events).count("NavigationEnded") == 3


def test_the_viewpoints_event_waits_once(runtime, view):
    for number in range(50):
        view.set_viewpoint(center=(number, 0))
    changed = [event for event in runtime.events() if isinstance(event, alidade.events.ViewpointChanged)]
    assert len(changed) == 1 and changed[0].concerns(view)
    view.advance(1)
    assert runtime.events() == []
    view.set_size(400, 300)
    assert [type(event) for event in runtime.events()] == [alidade.events.ViewpointChanged]


def test_a_flight_is_van_wijk_and_nuijs(view):
    """
    In the paper's metric, ds^2 = (rho^2 du^2 + dw^2 / rho^2) / w^2, a flight has one speed, its length over its
    duration; and of all ways it is the shortest, so that nudging it makes it longer.
    """
    rho = 1.42
    far = (CENTRE[0] + 90_000, CENTRE[1] - 40_000)
    view.animate_to(center=far, scale=SCALE * 3, fly=True)
    us, widths = [0.0], [800.0]
    seconds = 0.01
    while view.navigation_state.is_navigating:
        view.advance(seconds)
        state = view.state
        us.append(math.dist(state.center, CENTRE))
        widths.append(800 * state.scale / SCALE)
    assert (us[-1], widths[-1]) == (pytest.approx(math.dist(far, CENTRE)), pytest.approx(2400))

    def length(us, widths):
        middle = (numpy.array(widths)[1:] + numpy.array(widths)[:-1]) / 2
        return numpy.sqrt(rho**2 * numpy.diff(us) ** 2 + numpy.diff(widths) ** 2 / rho**2) / middle

    steps = length(us, widths)
    # The last step is shorter: the flight ends within it.
    assert steps[:-1] == pytest.approx(steps[0], rel=1e-3)
    # 1.2 of it a second.
    assert steps[0] / seconds == pytest.approx(1.2, rel=1e-3)
    assert max(widths) > 40_000
    wave = numpy.sin(numpy.linspace(0, math.pi, len(us)))
    for nudge in (-0.02, 0.02):
        assert length(us, numpy.array(widths) * (1 + nudge * wave)).sum() > steps.sum()
        assert length(numpy.array(us) * (1 + nudge * wave), widths).sum() > steps.sum()


def test_a_fling_is_exponential(runtime, view):
    """After t seconds the map has slid v (1 - e^-kt) / k, k = -1000 ln 0.998; it ends at 20 DIP/s."""
    rate = 2.002
    for number in range(21):
        phase = TouchPhase.BEGAN if number == 0 else TouchPhase.MOVED
        view.handle_touch(1, phase, (200 + 8 * number, 300 - 6 * number), 0.01 * number)
    view.handle_touch(1, TouchPhase.ENDED, (360, 180), 0.2)
    velocity = numpy.array((800.0, -600.0))
    start = camera(view)
    for seconds in (0.1, 0.4, 0.5):
        view.advance(seconds)
    passed = 1.0
    way = velocity * (1 - math.exp(-rate * passed)) / rate
    assert camera(view).to_screen([start.centre])[0] == pytest.approx(numpy.array(start.anchor) + way, abs=1e-6)
    assert names(told(runtime, view)) == ["NavigationBegan"]
    advance(view, 5)
    end = velocity * (1000 - 20) / 1000 / rate
    assert camera(view).to_screen([start.centre])[0] == pytest.approx(numpy.array(start.anchor) + end, abs=1e-6)
    events = told(runtime, view)
    assert names(events) == ["DidEndPanning", "NavigationEnded"] and events[0].gesture == GestureKind.DRAG


def test_slow_fingers_fling_nothing_and_fast_ones_8000(view):
    for velocity, expected in ((49.0, 0), (50_000.0, (8000 - 20) / 2.002)):
        before = view.state.center
        view.handle_gesture(GestureKind.SWIPE, GesturePhase.AT_ONCE, (400, 300), velocity_dip_s=(0, velocity))
        advance(view, 20)
        assert view.state.center[1] - before[1] == pytest.approx(expected, abs=1e-6)


TABLE = [
    (GestureKind.PINCH, {"scale_factor": 2.0}, "DidEndZooming"),
    (GestureKind.PINCH, {"scale_factor": 0.5}, "DidEndZooming"),
    (GestureKind.ONE_FINGER_ZOOM, {"scale_factor": 3.0}, "DidEndZooming"),
    (GestureKind.DRAG, {}, "DidEndPanning"),
    (GestureKind.TWIST, {"rotation_deg": 30.0}, "DidEndRotating"),
]


@pytest.mark.parametrize("kind, step, expected", TABLE, ids=lambda value: getattr(value, "name", str(value)))
def test_lasting_gestures_end_as_the_table_says(runtime, view, kind, step, expected):
    view.set_interaction_options(alidade.navigation.InteractionOptions(alidade.navigation.InteractionFlags.TWIST))
    held = camera(view).to_map([(300, 200)])
    view.handle_gesture(kind, GesturePhase.BEGAN, (300, 200))
    at = (300, 200) if kind in (GestureKind.TWIST, GestureKind.ONE_FINGER_ZOOM) else (350, 260)
    view.handle_gesture(kind, GesturePhase.CHANGED, at, **step)
    assert camera(view).to_screen(held)[0] == pytest.approx(at, abs=1e-6)
    assert view.state.scale == pytest.approx(SCALE / step.get("scale_factor", 1))
    assert view.state.rotation_deg == pytest.approx(-step.get("rotation_deg", 0) % 360)
    view.handle_gesture(kind, GesturePhase.ENDED, at)
    advance(view, 1)
    events = told(runtime, view)
    assert names(events) == ["NavigationBegan", expected, "NavigationEnded"]
    assert {event.gesture for event in events} == {kind}


@pytest.mark.parametrize("kind, factor", [(GestureKind.DOUBLE_TAP, 3), (GestureKind.TWO_FINGER_TAP, 1 / 3)])
def test_taps_zoom_by_the_factor(runtime, view, kind, factor):
    view.set_interaction_options(alidade.navigation.InteractionOptions(zoom_factor=3))
    held = camera(view).to_map([(100, 500)])
    view.handle_gesture(kind, GesturePhase.AT_ONCE, (100, 500))
    for part in (1 / 3, 2 / 3, 1):
        view.advance(0.1)
        # Ease out quad, in the logarithm.
        assert view.state.scale == pytest.approx(SCALE / factor ** (1 - (1 - part) ** 2), rel=1e-9)
        assert camera(view).to_screen(held)[0] == pytest.approx((100, 500), abs=1e-6)
    events = told(runtime, view)
    assert names(events) == ["GestureEvent", "NavigationBegan", "DidEndZooming", "NavigationEnded"]
    assert events[0].screen_point == (100, 500) and events[0].map_point == pytest.approx(tuple(held[0]))


def test_a_wheel_zooms_about_the_pointer(runtime, view):
    held = camera(view).to_map([(700, 50)])
    for notches in (0.25, 0.5, 0.25):
        view.handle_wheel((700, 50), notches)
    assert view.state.scale == pytest.approx(SCALE / 2) and names(told(runtime, view)) == ["NavigationBegan"]
    assert camera(view).to_screen(held)[0] == pytest.approx((700, 50), abs=1e-6)
    view.advance(0.3)
    assert names(told(runtime, view)) == ["DidEndZooming", "NavigationEnded"]


@pytest.mark.parametrize(
    "key, expected",
    [
        (Key.LEFT, (-100, 0, 1, 0)),
        (Key.RIGHT, (100, 0, 1, 0)),
        (Key.UP, (0, 100, 1, 0)),
        (Key.DOWN, (0, -100, 1, 0)),
        (Key.ZOOM_IN, (0, 0, 0.5, 0)),
        (Key.ZOOM_OUT, (0, 0, 2, 0)),
        (Key.ROTATE_LEFT, (0, 0, 1, 345)),
        (Key.ROTATE_RIGHT, (0, 0, 1, 15)),
    ],
)
def test_keys(view, key, expected):
    view.handle_key(key)
    advance(view, 1)
    east, north, growth, rotation = expected
    assert view.state.center == pytest.approx((CENTRE[0] + east, CENTRE[1] + north))
    assert (view.state.scale, view.state.rotation_deg) == pytest.approx((SCALE * growth, rotation))
    view.handle_key(Key.NORTH_UP)
    advance(view, 1)
    assert view.state.rotation_deg == 0


def test_constraints_hold_where_gestures_would_leave(view):
    """Half of the extent's world is elsewhere: nothing is dragged over its edge, nor to its other side."""
    view.set_viewpoint(center=(0, 0), scale=1e8)
    view.set_constraints(
        alidade.views.Constraints(
            min_scale=1e8,
            max_scale=1e6,
            max_extent=(-1_000_000, -1_000_000, 1_000_000, 1_000_000),
            extent_rule=alidade.layers.ExtentRule.CENTER,
        )
    )
    view.handle_gesture(GestureKind.SWIPE, GesturePhase.AT_ONCE, (400, 300), velocity_dip_s=(8000, 0))
    advance(view, 10)
    assert view.state.center == (-1_000_000, 0)
    view.handle_gesture(GestureKind.SWIPE, GesturePhase.AT_ONCE, (400, 300), velocity_dip_s=(-8000, 0))
    view.advance(3600)
    assert view.state.center == (1_000_000, 0)
    view.handle_wheel((0, 0), 30)
    assert view.state.scale == 1e6
    view.handle_wheel((0, 0), -30)
    assert view.state.scale == 1e8


def test_an_animation_goes_the_short_way_round_the_world(view):
    """From 170 degrees east to 170 west is 20 degrees; where the extent has an end there, it is 340."""
    degree = 2 * math.pi * 6378137 / 360
    for constraints, middle in ((None, 180), (alidade.views.Constraints(max_extent=(-179 * degree, -1e7, 179 * degree, 1e7)), 0)):
        view.set_constraints(constraints)
        view.set_viewpoint(center=(170 * degree, 0), scale=1e6)
        view.animate_to(center=(-170 * degree, 0), duration_s=1)
        view.advance(0.5)
        assert view.state.center[0] == pytest.approx(middle * degree, abs=1e-6)
        view.advance(0.6)
        assert view.state.center[0] == pytest.approx(-170 * degree)


def test_an_animation_fits_a_geometry(runtime, view):
    """It ends where a move at once would."""
    reference = alidade.SpatialReference.from_code(runtime, 4326)
    extent = (-124.83145667, 30.49849464, -113.91375495, 44.69150688)
    plan = view.plan_move(extent=extent, spatial_reference=reference, rotation_deg=30, padding=40)
    view.animate_to(extent=extent, spatial_reference=reference, rotation_deg=30, padding=40, fly=True)
    advance(view, 60)
    state = view.state
    assert (state.center, state.scale, state.rotation_deg) == (plan.center, plan.scale, plan.rotation_deg)

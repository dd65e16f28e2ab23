"""Callouts: what a tap and a finger do to them, what they say, and that they follow the view."""

from __future__ import annotations

import math
import threading

import numpy as np
import pytest

import alidade
from alidade import Callout, Insets
from alidade.callouts import CalloutAction, CalloutLayoutFlags, CalloutOptions, CalloutPlacement, CalloutState
from conftest import RASTERS, Scene, make_scene

MIDDLE = (100.5, 50.5)
# Far from the raster, whose view is 200 by 100 DIP.
BESIDE = (1e6, 50.5)


def shifted(point: tuple[float, float], dx: float, dy: float) -> tuple[float, float]:
    return point[0] + dx, point[1] + dy


def test_a_hit_shows_and_a_miss_takes_away(scene: Scene) -> None:
    callout = Callout(scene.view)
    assert callout.layout.state is CalloutState.HIDDEN and callout.text == ""
    hit, miss = scene.view.identify_layer(scene.layer, MIDDLE), scene.view.identify_layer(scene.layer, BESIDE)
    assert len(hit) == 1 and len(miss) == 0
    assert callout.handle_tap(miss) is CalloutAction.UNCHANGED
    assert callout.handle_tap(hit) is CalloutAction.SHOWN
    layout = callout.layout
    assert layout.state is CalloutState.VISIBLE
    assert np.allclose(layout.anchor_dip, MIDDLE, rtol=0, atol=1e-6)
    assert layout.leader_tip_dip == layout.anchor_dip
    assert callout.text == hit[0].text and "X: " in callout.text and callout.title == ""
    other = scene.view.identify_layer(scene.layer, (20.5, 80.5))
    assert callout.handle_tap(other) is CalloutAction.SHOWN_AGAIN
    assert callout.text == other[0].text != hit[0].text
    assert callout.handle_tap(miss) is CalloutAction.DISMISSED
    assert callout.layout.state is CalloutState.HIDDEN and callout.text == ""
    assert math.isnan(callout.layout.anchor_dip[0]) and math.isnan(callout.layout.box_dip.x_min)
    assert callout.layout.placement is CalloutPlacement.AUTOMATIC


def test_dragging_lifts_the_tip(scene: Scene) -> None:
    assert alidade.callouts.CALLOUT_DRAG_LIFT_DIP == 70
    callout = Callout(scene.view, CalloutOptions(width_dip=20, height_dip=10))
    assert callout.drag_to(MIDDLE) is CalloutAction.UNCHANGED  # no text is known yet
    texts = set()
    for step, place in enumerate([(100.5, 90.5), (60.5, 95.5), (30.5, 85.5)]):
        with scene.view.identify_layer(scene.layer, place) as result:
            expected = result[0].text
            action = callout.drag_to(place, result)
        assert action is (CalloutAction.SHOWN if step == 0 else CalloutAction.SHOWN_AGAIN)
        layout = callout.layout
        assert np.allclose(layout.anchor_dip, place, rtol=0, atol=1e-6)
        assert layout.leader_tip_dip == shifted(layout.anchor_dip, 0, -70)
        assert layout.placement is CalloutPlacement.ABOVE
        assert np.allclose([layout.box_dip.y_max, layout.box_dip.y_min], [place[1] - 70, place[1] - 80])
        assert callout.text == expected
        texts.add(expected)
    assert len(texts) == 3
    # Faster than identify returns: the text stays until the next one is known.
    before = callout.layout
    assert callout.drag_to((33.5, 88.5)) is CalloutAction.SHOWN_AGAIN
    assert callout.text == expected
    assert callout.layout.text_generation == before.text_generation
    assert callout.layout.generation > before.generation
    assert callout.drag_to(BESIDE, scene.view.identify_layer(scene.layer, BESIDE)) is CalloutAction.DISMISSED
    # The finger is up: a tap anchors it without the lift.
    callout.handle_tap(scene.view.identify_layer(scene.layer, MIDDLE))
    assert callout.layout.leader_tip_dip == callout.layout.anchor_dip


def test_anchored_at_tap_or_centre(scene: Scene) -> None:
    scene.view.set_viewpoint(scale=1000, rotation_deg=30)
    result = scene.view.identify_layer(scene.layer, MIDDLE)
    center = result[0].cell.center
    callout = Callout(scene.view)
    callout.show_for(result)
    assert callout.layout.map_point == result.map_point
    callout.show_for(result, at_center=True)
    assert callout.layout.map_point == center != result.map_point
    callout.show_for(result, at_center=True, while_dragging=True)
    assert callout.layout.leader_tip_dip == shifted(callout.layout.anchor_dip, 0, -70)
    # The callout keeps its facts when the result is gone.
    text = result[0].text
    result.release()
    assert callout.text == text and callout.layout.map_point == center
    with pytest.raises(alidade.errors.InvalidHandleError):
        callout.show_for(result)
    again = scene.view.identify_layer(scene.layer, MIDDLE)
    for index in (1, 2**32 - 1):
        with pytest.raises(alidade.errors.NotFoundError):
            callout.show_for(again, index)
    assert callout.layout.map_point == center


def test_follows_the_view(scene: Scene) -> None:
    options = CalloutOptions(
        offset_dip=(3, -4), width_dip=50, height_dip=20, leader_length_dip=5, leader_width_dip=8, margin_dip=2
    )
    callout = Callout(scene.view, options)
    callout.show_for(scene.view.identify_layer(scene.layer, MIDDLE))
    place = callout.layout.map_point
    random = np.random.default_rng(3)
    for density in (1, 2, 2.75):
        scene.view.set_size(200, 100, density)
        for _ in range(20):
            state = scene.view.state
            offset = random.uniform(-60, 60, 2) * state.units_per_dip
            scene.view.set_viewpoint(
                np.array(place) + offset, scale=10 ** random.uniform(3, 6), rotation_deg=random.uniform(0, 360)
            )
            layout, state = callout.layout, scene.view.state
            assert layout.map_point == place and layout.view_generation == state.generation
            assert np.array_equal(layout.anchor_dip, scene.view.map_to_screen(place)[0])
            # What the header says of a view, worked out anew.
            expected = state.anchor_dip + state.map_to_screen @ (np.array(place) - state.center)
            assert np.allclose(layout.anchor_dip, expected, rtol=0, atol=1e-6)
            assert np.allclose(layout.leader_tip_dip, expected + (3, -4), rtol=0, atol=1e-6)
            box, room = layout.box_dip, layout.free_area_dip
            assert (room.x_min, room.y_min, room.x_max, room.y_max) == (2, 2, 198, 98)
            assert room.x_min <= box.x_min and box.x_max <= room.x_max
            assert room.y_min <= box.y_min and box.y_max <= room.y_max
            assert np.allclose((box.x_max - box.x_min, box.y_max - box.y_min), (50, 20))


def test_stays_inside_the_insets(scene: Scene) -> None:
    scene.view.set_insets(Insets(top_dip=30, left_dip=60))
    callout = Callout(scene.view, CalloutOptions(width_dip=40, height_dip=16, margin_dip=1, leader_length_dip=2))
    callout.show_at(scene.view.screen_to_map((65, 40))[0], text="at the corner")
    layout = callout.layout
    # Above there are 40 - 2 - 16 = 22 DIP, and the free area begins at 31; below there is enough.
    assert layout.placement is CalloutPlacement.BELOW and layout.flags == 0
    assert np.allclose((layout.box_dip.x_min, layout.box_dip.y_min), (61, 42))
    callout.set_size(500, 16)
    assert callout.layout.flags == CalloutLayoutFlags.TOO_LARGE and callout.layout.box_dip.x_min == 61
    callout.set_size(40, 60)
    # 60 DIP of height and the leader fit neither above, in 40 - 2 - 31, nor below, in 99 - 42; to the right they fit.
    assert callout.layout.placement is CalloutPlacement.RIGHT and callout.layout.flags == 0
    callout.set_size(135, 60)
    assert callout.layout.flags == CalloutLayoutFlags.SHIFTED
    callout.show_at(scene.view.screen_to_map((10, 50))[0])
    assert callout.layout.state is CalloutState.ANCHOR_COVERED
    callout.show_at(scene.view.screen_to_map((-1, 50))[0])
    assert callout.layout.state is CalloutState.ANCHOR_OUTSIDE


def test_a_location_in_another_spatial_reference(scene: Scene, runtime: alidade.Runtime) -> None:
    wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
    callout = Callout(scene.view)
    callout.show_at((-122.1, 40.75), wgs84, title="Shasta Lake", text="höher ☃\nzweite Zeile")
    radius = 6378137.0
    expected = (
        math.radians(-122.1) * radius,
        math.log(math.tan(math.pi / 4 + math.radians(40.75) / 2)) * radius,
    )
    assert np.allclose(callout.layout.map_point, expected, rtol=0, atol=1e-6)
    assert (callout.title, callout.text) == ("Shasta Lake", "höher ☃\nzweite Zeile")
    before = callout.layout
    with pytest.raises(alidade.errors.ProjectionFailedError):
        callout.show_at((0, 90), wgs84)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        callout.show_at((math.nan, 0))
    assert callout.layout == before and callout.title == "Shasta Lake"


def test_a_result_of_another_map(scene: Scene, runtime: alidade.Runtime) -> None:
    degrees = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 4326))
    small = alidade.View(degrees, 100, 100)
    callout = Callout(small)
    result = scene.view.identify_layer(scene.layer, MIDDLE)
    small.set_viewpoint((0, 0), scale=1e8)
    assert callout.handle_tap(result) is CalloutAction.SHOWN
    x, y = result.map_point
    expected = math.degrees(x / 6378137), math.degrees(2 * math.atan(math.exp(y / 6378137)) - math.pi / 2)
    assert np.allclose(callout.layout.map_point, expected, rtol=0, atol=1e-9)
    assert callout.text == result[0].text
    # A map that has no spatial reference yet cannot show it.
    empty = Callout(alidade.View(alidade.Map(runtime)))
    for use in (empty.handle_tap, empty.show_for):
        with pytest.raises(alidade.errors.NotReadyError):
            use(result)
    # Of another runtime it is refused.
    with alidade.Runtime() as elsewhere:
        foreign = make_scene(elsewhere, "Shasta_Elevation.tif", 100_000)
        other = foreign.view.identify_layer(foreign.layer, MIDDLE)
        for use in (callout.handle_tap, callout.show_for, lambda r: callout.drag_to((1, 1), r)):
            with pytest.raises(alidade.errors.InvalidArgumentError, match="two runtimes"):
                use(other)
        with pytest.raises(alidade.errors.InvalidArgumentError, match="two runtimes"):
            callout.show_at((0, 0), alidade.SpatialReference.from_code(elsewhere, 4326))


def test_an_element_without_a_place_on_the_map(runtime: alidade.Runtime) -> None:
    """A cell that reaches up to the pole has no polygon and no centre in Web Mercator: no other point is taken."""
    scene = make_scene(runtime, "Shasta_Elevation.tif", 100_000)
    layer = alidade.RasterLayer(alidade.Raster(runtime, RASTERS / "world.rgb.tif"))
    scene.map.add_layer(layer)
    wgs84 = alidade.SpatialReference.from_code(runtime, 4326)
    scene.view.set_viewpoint((10, 89.9), wgs84)
    result = scene.view.identify_layer(layer, (100, 50))
    assert len(result) == 1 and not result[0].cell.has_map_polygon
    callout = Callout(scene.view)
    with pytest.raises(alidade.errors.ProjectionFailedError):
        callout.show_for(result, at_center=True)
    assert callout.layout.state is CalloutState.HIDDEN
    callout.show_for(result)
    assert callout.layout.state is CalloutState.VISIBLE and callout.text == result[0].text


def test_a_result_that_has_no_place_on_the_map(scene: Scene, runtime: alidade.Runtime) -> None:
    """Web Mercator has no north pole, and a map in degrees has."""
    layer = alidade.RasterLayer(alidade.Raster(runtime, RASTERS / "world.rgb.tif"))
    degrees = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 4326))
    degrees.add_layer(layer)
    view = alidade.View(degrees, 200, 100)
    view.set_viewpoint((10, 90), scale=1e7)
    result = view.identify_layer(layer, (100, 50))
    assert len(result) == 1 and result.map_point == (10, 90)
    callout = Callout(scene.view)
    for use in (callout.handle_tap, callout.show_for):
        with pytest.raises(alidade.errors.ProjectionFailedError, match="10.0, 90.0"):
            use(result)
    assert callout.layout.state is CalloutState.HIDDEN


def test_names_what_is_missing(runtime: alidade.Runtime) -> None:
    map = alidade.Map(runtime)
    view = alidade.View(map)
    callout = Callout(view)
    for use in (lambda: callout.layout, lambda: callout.show_at((0, 0)), lambda: callout.drag_to((0, 0))):
        with pytest.raises(alidade.errors.NotReadyError, match="spatial reference"):
            use()
    map.add_layer(alidade.RasterLayer(alidade.Raster(runtime, RASTERS / "Shasta_Elevation.tif")))
    callout.show_at((560000, 4510000), text="kept for later")
    with pytest.raises(alidade.errors.NotReadyError, match="size"):
        callout.layout
    view.set_size(100, 100)
    view.set_viewpoint((560000, 4510000), scale=1000)
    assert callout.layout.anchor_dip == (50, 50) and callout.text == "kept for later"


def test_keeps_its_view(scene: Scene, runtime: alidade.Runtime) -> None:
    callout = Callout(scene.view)
    second = Callout(scene.view)
    assert callout != second and callout.view == scene.view
    second.show_at((0, 0))
    assert callout.layout.state is CalloutState.HIDDEN
    scene.view.release()
    callout.show_at((0, 0), text="still there")
    assert callout.layout.map_point == (0, 0)
    assert "of" in repr(callout)
    callout.release()
    assert repr(callout) == "<Callout released>"
    with pytest.raises(alidade.errors.InvalidHandleError):
        callout.dismiss()


@pytest.mark.parametrize("bad", [math.nan, math.inf, -1.0, 1e8])
def test_refuses_lengths_that_are_none(scene: Scene, bad: float) -> None:
    callout = Callout(scene.view)
    lengths = ("width_dip", "height_dip", "leader_length_dip", "leader_width_dip", "margin_dip")
    for options in [CalloutOptions(**{name: bad}) for name in lengths]:
        with pytest.raises(alidade.errors.InvalidArgumentError):
            callout.set_options(options)
        with pytest.raises(alidade.errors.InvalidArgumentError):
            Callout(scene.view, options)
    if bad != -1:
        with pytest.raises(alidade.errors.InvalidArgumentError):
            callout.set_options(CalloutOptions(offset_dip=(0, bad)))
    with pytest.raises(alidade.errors.InvalidArgumentError, match="height_dip"):
        callout.set_size(1, bad)
    assert callout.layout.generation == 0


def test_texts_are_whole_while_others_show(scene: Scene) -> None:
    callout = Callout(scene.view)
    stop = threading.Event()

    def show(letter: str) -> None:
        for round in range(400):
            if round % 10 == 0:
                callout.dismiss()
            callout.show_at((0, 0), text=letter * (1 + round % 50) * 20)

    seen: set[str] = set()

    def read() -> None:
        is_last = False
        while not is_last:
            # The last text is read when the writers are done, and is one of theirs.
            is_last = stop.is_set()
            text = callout.text
            seen.add("".join(sorted(set(text))))
            assert len(text) % 20 == 0

    errors: list[BaseException] = []

    def guarded(work, *arguments) -> None:
        try:
            work(*arguments)
        except BaseException as error:  # reported by the test below
            errors.append(error)

    readers = [threading.Thread(target=guarded, args=(read,)) for _ in range(2)]
    writers = [threading.Thread(target=guarded, args=(show, letter)) for letter in "abc"]
    for thread in readers + writers:
        thread.start()
    for thread in writers:
        thread.join()
    stop.set()
    for thread in readers:
        thread.join()
    assert not errors and seen <= {"", "a", "b", "c"} and seen != {""}

"""The state of a layer in a view, and the events of its changes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import alidade
from alidade.events import LayerViewStateChanged
from alidade.layers import LayerViewFlags
from conftest import RASTERS, Scene, make_scene

ACTIVE, NOT_VISIBLE, OUT_OF_SCALE = LayerViewFlags.ACTIVE, LayerViewFlags.NOT_VISIBLE, LayerViewFlags.OUT_OF_SCALE
NONE = LayerViewFlags(0)


def told(runtime: alidade.Runtime, view: alidade.View) -> list[tuple[LayerViewFlags, LayerViewFlags]]:
    events = [event for event in runtime.events() if isinstance(event, LayerViewStateChanged)]
    return [(event.previous_flags, event.flags) for event in events if event.concerns(view)]


def test_scale_range_and_visibility(runtime: alidade.Runtime) -> None:
    """A layer from 1 : 100,000,000 to 1 : 6,000,000; the view begins at 1 : 20,000,000 over (-13e6, 51e5)."""
    mercator = alidade.SpatialReference.from_code(runtime, 3857)
    map = alidade.Map(runtime, mercator)
    layer = alidade.RasterLayer(alidade.Raster(runtime, RASTERS / "Shasta_Elevation.tif"))
    layer.set_scale_range(min_scale=1e8, max_scale=6e6)
    map.add_layer(layer)
    map.set_initial_viewpoint(alidade.Viewpoint(center=(-13e6, 51e5), scale=2e7, spatial_reference=mercator))
    view = alidade.View(map, 800, 600)
    assert layer.view_state(view).flags == ACTIVE
    assert told(runtime, view) == [(NONE, ACTIVE)]
    expected = {2e8: 0.5, 1e8: None, 6e6: None, 3e6: 2.0, 5.999999e6: 6 / 5.999999, 1.000001e8: 1 / 1.000001}
    for scale, factor in expected.items():
        view.set_viewpoint(scale=scale)
        state = layer.view_state(view)
        assert state.flags == (ACTIVE if factor is None else OUT_OF_SCALE), scale
        assert state.out_of_scale_by is (None if factor is None else layer)
        assert state.scale_factor == pytest.approx(1 if factor is None else factor, rel=1e-12)
        assert state.text == ("active" if factor is None else "out of scale")
    view.set_viewpoint(scale=2e7)
    layer.visible = False
    state = layer.view_state(view)
    assert state.flags == NOT_VISIBLE and state.previous_flags == ACTIVE and state.hidden_by is layer
    assert not state.is_active and state.error is None
    view.set_viewpoint(scale=3e6)
    assert layer.view_state(view).flags == NOT_VISIBLE | OUT_OF_SCALE
    assert layer.view_state(view).text == "hidden, out of scale"
    layer.visible = True
    view.set_viewpoint(scale=2e7)
    assert layer.view_state(view).flags == ACTIVE


def test_events_and_history(scene: Scene, runtime: alidade.Runtime) -> None:
    first = scene.view.layer_state_history(scene.layer)
    assert [(change.previous_flags, change.flags) for change in first] == [(NONE, ACTIVE)]
    scene.layer.visible = False
    assert told(runtime, scene.view) == [(ACTIVE, NOT_VISIBLE)]
    # There is no event for a state that comes back.
    scene.layer.visible = True
    scene.layer.visible = False
    assert told(runtime, scene.view) == []
    scene.layer.visible = True
    scene.map.remove_layer(scene.layer)
    assert scene.layer.view_state(scene.view).flags == NONE
    assert scene.view.layer_state_history(scene.layer) == []
    (event,) = (event for event in runtime.events() if isinstance(event, LayerViewStateChanged))
    assert (event.previous_flags, event.flags) == (NOT_VISIBLE, NONE)
    assert event.layer is scene.layer and event.concerns_layer(scene.layer)
    scene.map.add_layer(scene.layer)
    assert scene.layer.view_state(scene.view).change_count == 1
    for _ in range(20):
        scene.layer.visible = not scene.layer.visible
    history = scene.view.layer_state_history(scene.layer)
    state = scene.layer.view_state(scene.view)
    assert len(history) == 16 and state.change_count == 21
    assert history[-1].flags == state.flags and history[-1].time_ns == state.changed_at_ns
    assert all(a.flags == b.previous_flags and a.time_ns <= b.time_ns for a, b in zip(history, history[1:]))
    assert state.since_s is not None and 0 <= state.since_s < 60


def test_groups(scene: Scene, runtime: alidade.Runtime) -> None:
    outer, inner = alidade.GroupLayer(runtime), alidade.GroupLayer(runtime)
    scene.map.remove_layer(scene.layer)
    inner.append(scene.layer)
    outer.append(inner)
    scene.map.add_layer(outer)
    layers = [outer, inner, scene.layer]
    assert scene.view.layer_states(layers) == [ACTIVE, ACTIVE, ACTIVE]
    outer.visible = False
    assert scene.view.layer_states(layers) == [NOT_VISIBLE] * 3
    assert scene.layer.view_state(scene.view).hidden_by is outer
    inner.set_scale_range(5e4, 0)
    state = scene.layer.view_state(scene.view)
    assert state.flags == NOT_VISIBLE | OUT_OF_SCALE and state.out_of_scale_by is inner
    assert scene.view.layer_states([outer]) == [NOT_VISIBLE]
    outer.visible = True
    assert scene.view.layer_states(layers) == [ACTIVE, OUT_OF_SCALE, OUT_OF_SCALE]
    inner.remove(scene.layer)
    assert scene.view.layer_states(layers) == [ACTIVE, OUT_OF_SCALE, NONE]


def test_two_views(scene: Scene, runtime: alidade.Runtime) -> None:
    other = alidade.View(scene.map, 100, 100)
    # It looks nowhere until it is read, but it is known where it would.
    assert [flags for _, flags in told(runtime, other)] == [ACTIVE]
    scene.layer.max_scale = 5e4
    other.set_viewpoint(scale=4e4)
    assert scene.layer.view_state(other).flags == OUT_OF_SCALE
    assert scene.layer.view_state(scene.view).flags == ACTIVE
    magnifier = alidade.views.Magnifier(scene.view, alidade.views.MagnifierOptions(factor=4))
    assert scene.layer.view_state(magnifier.view).flags == NONE
    magnifier.show_at((100, 50))
    # A quarter of 1 : 100,000.
    assert scene.layer.view_state(magnifier.view).flags == OUT_OF_SCALE
    magnifier.hide()
    assert scene.layer.view_state(magnifier.view).flags == NONE


def test_view_without_size(runtime: alidade.Runtime) -> None:
    scene = make_scene(runtime, "red.tif", 1e6)
    scene.layer.set_scale_range(1e3, 0)
    view = alidade.View(scene.map)
    assert scene.layer.view_state(view).flags == NONE
    scene.layer.visible = False
    assert scene.layer.view_state(view).flags == NOT_VISIBLE


def test_attribution(scene: Scene) -> None:
    other = alidade.RasterLayer(scene.raster)
    scene.layer.attribution, other.attribution = "USGS", "someone"
    scene.map.add_basemap_layer(other)
    assert scene.view.attribution == "someone | USGS"
    other.visible = False
    assert scene.view.attribution == "USGS"


def test_loading(scene: Scene, runtime: alidade.Runtime, tmp_path: Path) -> None:
    group = alidade.GroupLayer(runtime)
    good = alidade.RasterLayer.from_path(runtime, RASTERS / "red.tif")
    bad = alidade.RasterLayer.from_path(runtime, tmp_path / "missing.tif")
    group.append(good)
    group.append(bad)
    scene.map.add_layer(group)
    group.load(30)
    assert [change.flags for change in scene.view.layer_state_history(good)] == [LayerViewFlags.LOADING, ACTIVE]
    state = bad.view_state(scene.view)
    assert state.flags == LayerViewFlags.ERROR and state.text == "in error"
    assert isinstance(state.error, alidade.errors.NotFoundError) and "missing.tif" in str(state.error)
    assert scene.view.layer_state_history(bad)[-1].status is alidade.Status.NOT_FOUND
    assert group.view_state(scene.view).flags == ACTIVE
    assert group.info.load_status is alidade.layers.LoadStatus.LOADED
    assert bad.info.load_status is alidade.layers.LoadStatus.FAILED_TO_LOAD
    told_last = {event.layer: event.flags for event in runtime.events() if isinstance(event, LayerViewStateChanged)}
    assert told_last == {group: ACTIVE, good: ACTIVE, bad: LayerViewFlags.ERROR}
    shutil.copy(RASTERS / "red.tif", tmp_path / "missing.tif")
    bad.retry_load(30)
    assert bad.view_state(scene.view).flags == ACTIVE


def test_warning(scene: Scene, runtime: alidade.Runtime, tmp_path: Path) -> None:
    path = tmp_path / "nowhere.asc"
    path.write_text("ncols 2\nnrows 2\nxllcorner 440000\nyllcorner 3750000\ncellsize 10\n1 2\n3 4\n")
    layer = alidade.RasterLayer.from_path(runtime, path)
    scene.map.add_layer(layer)
    layer.load(30)
    state = layer.view_state(scene.view)
    assert state.flags == LayerViewFlags.WARNING and state.text == "with a warning"
    assert state.error is not None and "nowhere.asc" in str(state.error)
    layer.spatial_reference = alidade.SpatialReference.from_code(runtime, 32611)
    assert layer.view_state(scene.view).flags == ACTIVE


def test_texts() -> None:
    flags = LayerViewFlags
    assert alidade.layers.layer_view_state_text(0) == "not shown"
    assert alidade.layers.layer_view_state_text(flags.ACTIVE | flags.LOADING | flags.WARNING) == "active, loading, with a warning"
    assert alidade.layers.layer_view_state_text(flags.ERROR) == "in error"
    assert len({alidade.layers.layer_view_state_text(flags) for flags in range(64)}) == 64
    with pytest.raises(alidade.errors.InvalidArgumentError):
        alidade.layers.layer_view_state_text(64)
    for flags_beyond in (2**33 + 1, -1):
        with pytest.raises(ValueError):
            alidade.layers.layer_view_state_text(flags_beyond)


def test_a_layer_that_leaves_and_comes_back(runtime: alidade.Runtime) -> None:
    """The event of what the host does not know has the time of the change."""
    view = alidade.View(alidade.Map(runtime, alidade.SpatialReference(runtime, "EPSG:3857")), 200, 100)
    layer = alidade.GroupLayer(runtime)
    layer.visible = False
    view.map.add_layer(layer)
    before = [event for event in runtime.events() if isinstance(event, LayerViewStateChanged)][-1]
    view.map.remove_layer(layer)
    layer.visible = True
    view.map.add_layer(layer)
    events = [event for event in runtime.events() if isinstance(event, LayerViewStateChanged)]
    assert events and all(event.time_ns >= before.time_ns > 0 for event in events)


def test_a_view_that_loses_where_it_would_look(runtime: alidade.Runtime) -> None:
    """A layer that goes before the view is read takes the view's first camera with it, and the states that depend on it."""
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    view = alidade.View(map, 100, 100)
    far, near = alidade.GroupLayer(runtime), alidade.GroupLayer(runtime)
    far.set_scale_range(0, 1e12)
    map.add_layer(near)
    map.add_layer(far)
    assert view.layer_states([far, near]) == [NONE, NONE]
    raster = alidade.RasterLayer(alidade.Raster(runtime, RASTERS / "Shasta_Elevation.tif"))
    map.insert_layer(0, raster)
    events = told(runtime, view)
    assert (NONE, OUT_OF_SCALE) in events and (NONE, ACTIVE) in events
    map.remove_layer(raster)
    events = told(runtime, view)
    assert (OUT_OF_SCALE, NONE) in events and (ACTIVE, NONE) in events
    with pytest.raises(alidade.errors.NotReadyError):
        view.scale
    assert view.layer_states([far, near]) == [NONE, NONE]
    map.insert_layer(0, raster)
    assert view.layer_states([far, near, raster]) == [OUT_OF_SCALE, ACTIVE, ACTIVE] and view.scale > 0

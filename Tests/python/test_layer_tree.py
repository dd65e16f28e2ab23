"""Basemap, operational layers and groups; what layers have in common."""

from __future__ import annotations

import pytest

import alidade
from conftest import RASTERS, Scene


@pytest.fixture()
def raster(runtime: alidade.Runtime) -> alidade.Raster:
    return alidade.Raster(runtime, RASTERS / "red.tif")


def test_lists_of_a_map(runtime: alidade.Runtime, raster: alidade.Raster) -> None:
    map = alidade.Map(runtime)
    a, b, c = (alidade.RasterLayer(raster) for _ in range(3))
    map.add_layer(a)
    map.insert_layer(0, b)
    map.add_basemap_layer(c)
    assert map.layers == (b, a) and map.basemap_layers == (c,)
    assert map.layers[0] is b and map.basemap_layers[0] is c
    map.move_layer(b, 1)
    assert map.layers == (a, b)
    map.remove_layer(c)
    map.remove_layer(b)
    assert map.layers == (a,) and map.basemap_layers == ()
    map.insert_basemap_layer(0, b)
    assert b.info.is_in_basemap and not a.info.is_in_basemap
    assert "with 2 layers" in repr(map)
    with pytest.raises(alidade.errors.InvalidStateError):
        map.add_layer(b)
    with pytest.raises(alidade.errors.NotFoundError):
        map.remove_layer(c)
    with pytest.raises(alidade.errors.NotFoundError):
        map.insert_layer(7, c)
    assert map.layers == (a,)


def test_group_is_a_sequence(runtime: alidade.Runtime, raster: alidade.Raster) -> None:
    group, inner = alidade.GroupLayer(runtime), alidade.GroupLayer(runtime)
    a, b = alidade.RasterLayer(raster), alidade.RasterLayer(raster)
    assert len(group) == 0 and group and list(group) == []
    group.append(a)
    group.insert(0, inner)
    inner.append(b)
    assert len(group) == 2 and group[0] is inner and group[-1] is a and a in group and b not in group
    assert [layer.info.depth for layer in (group, inner, a, b)] == [0, 1, 1, 2]
    assert b.group is inner and inner.group is group and group.group is None
    group.move(inner, 1)
    assert group.layers == (a, inner)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        inner.append(group)
    with pytest.raises(alidade.errors.InvalidStateError):
        inner.append(a)
    group.remove(a)
    assert list(group) == [inner] and a.group is None
    with pytest.raises(IndexError):
        group[1]


def test_groups_layers_are_kept(scene: Scene, runtime: alidade.Runtime) -> None:
    group = alidade.GroupLayer(runtime)
    scene.map.remove_layer(scene.layer)
    group.append(scene.layer)
    scene.map.add_layer(group)
    del group
    assert len(scene.view.identify_layer(scene.layer, (100, 50))) == 1
    (found,) = scene.map.layers
    assert isinstance(found, alidade.GroupLayer) and found[0] is scene.layer
    found.visible = False
    assert scene.layer.visible and not scene.layer.info.is_shown
    assert len(scene.view.identify_layer(scene.layer, (100, 50))) == 0


def test_properties(runtime: alidade.Runtime, raster: alidade.Raster) -> None:
    layer = alidade.RasterLayer(raster)
    assert (layer.name, layer.id, layer.attribution) == ("", "", "")
    layer.name, layer.id, layer.attribution = "Höhen", "7", "© someone"
    assert (layer.name, layer.id, layer.attribution) == ("Höhen", "7", "© someone")
    layer.name = None
    assert layer.name == ""
    layer.properties["unit"] = "m"
    layer.properties.update({"source": "x" * 5000, "note": ""})
    assert dict(layer.properties) == {"unit": "m", "source": "x" * 5000, "note": ""}
    del layer.properties["unit"]
    assert list(layer.properties) == ["source", "note"] and "unit" not in layer.properties
    with pytest.raises(KeyError):
        del layer.properties["unit"]


def test_opacity_and_scales(runtime: alidade.Runtime, raster: alidade.Raster) -> None:
    group, layer = alidade.GroupLayer(runtime), alidade.RasterLayer(raster)
    group.append(layer)
    group.opacity, layer.opacity = 0.5, 0.5
    group.set_scale_range(1e8, 6e6)
    layer.min_scale = 5e7
    info = layer.info
    assert (info.opacity, info.effective_opacity) == (0.5, 0.25)
    assert (info.min_scale, info.max_scale) == (layer.min_scale, layer.max_scale) == (5e7, 0)
    assert (info.effective_min_scale, info.effective_max_scale) == (5e7, 6e6)
    assert info.kind is alidade.layers.LayerKind.RASTER and group.info.kind is alidade.layers.LayerKind.GROUP
    with pytest.raises(alidade.errors.InvalidArgumentError):
        layer.opacity = 2
    with pytest.raises(alidade.errors.InvalidArgumentError):
        layer.max_scale = 6e7
    assert layer.max_scale == 0


def test_full_extent(runtime: alidade.Runtime, raster: alidade.Raster) -> None:
    layer, group = alidade.RasterLayer(raster), alidade.GroupLayer(runtime)
    assert layer.full_extent() == raster.info.extent
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    extent = layer.full_extent(degrees)
    assert raster.spatial_reference is not None
    expected = alidade.coordinates.project_envelope(raster.spatial_reference, degrees, raster.info.extent)
    assert extent == expected.envelope
    assert group.full_extent(degrees) is None
    group.append(layer)
    assert group.full_extent(degrees) == extent
    with pytest.raises(alidade.errors.NotReadyError):
        group.full_extent()


def test_properties_of_a_map(runtime: alidade.Runtime, raster: alidade.Raster) -> None:
    map = alidade.Map(runtime)
    layer = alidade.RasterLayer(raster)
    assert (map.name, map.id, map.attribution) == ("", "", "")
    map.name, map.id, map.attribution = "Höhen", "7", "© someone"
    layer.name = "another"
    assert (map.name, map.id, map.attribution) == ("Höhen", "7", "© someone")
    map.properties["b"] = "1"
    map.properties["a"] = "ä"
    assert dict(map.properties) == {"b": "1", "a": "ä"} and dict(layer.properties) == {}
    del map.properties["b"]
    with pytest.raises(KeyError):
        map.properties["b"]
    map.name = None  # type: ignore[assignment]
    assert map.name == ""


def test_limits_of_a_map(scene: Scene, runtime: alidade.Runtime) -> None:
    map, view = scene.map, scene.view
    assert map.scale_range == (0, 0) and map.max_extent is None and not map.max_extent_holds
    map.scale_range = (2e5, 5e4)
    assert map.scale_range == (2e5, 5e4)
    plan = view.move(scale=1e6)
    assert plan.scale == 2e5 and plan.clamps == alidade.views.CameraClampFlags.MIN_SCALE
    map.scale_range = (1e5, 0)
    assert view.state.scale == 1e5
    with pytest.raises(alidade.errors.InvalidArgumentError):
        map.scale_range = (1, 2)

    map.max_extent = (0, 0, 1e6, 1e6)
    assert map.max_extent == alidade.Envelope(0, 0, 1e6, 1e6) and map.max_extent_spatial_reference is None
    assert alidade.views.CameraClampFlags.EXTENT_X in view.move(center=(-1e6, 5e5)).clamps
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    map.set_max_extent((-123, 40, -121, 42), degrees)
    assert map.max_extent_holds and map.max_extent_spatial_reference == degrees
    assert view.plan_move(center=(-122, 41), spatial_reference=degrees).clamps == alidade.views.CameraClampFlags(0)
    assert alidade.views.CameraClampFlags.EXTENT_Y in view.plan_move(center=(-122, 45), spatial_reference=degrees).clamps
    with pytest.raises(alidade.errors.InvalidArgumentError):
        map.max_extent = (1, 1, 1, 2)
    map.max_extent = None
    assert map.max_extent is None
    with pytest.raises(alidade.errors.NotReadyError):
        alidade.Map(runtime).max_extent = (0, 0, 1, 1)


def test_full_extent_of_a_map(runtime: alidade.Runtime, raster: alidade.Raster) -> None:
    map = alidade.Map(runtime)
    with pytest.raises(alidade.errors.NotReadyError):
        map.full_extent()
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    assert map.full_extent(degrees) is None
    layer = alidade.RasterLayer(raster)
    map.add_layer(layer)
    assert map.full_extent() == raster.info.extent
    assert map.full_extent(degrees) == layer.full_extent(degrees)


def test_map_of_a_layer(runtime: alidade.Runtime, raster: alidade.Raster) -> None:
    map, group, layer = alidade.Map(runtime), alidade.GroupLayer(runtime), alidade.RasterLayer(raster)
    assert layer.map is None
    group.append(layer)
    map.add_layer(group)
    assert layer.map is map and group.map is map
    group.remove(layer)
    assert layer.map is None


def test_what_is_no_layer_and_no_text(scene: Scene, runtime: alidade.Runtime) -> None:
    group = alidade.GroupLayer(runtime)
    for wrong in (None, 7, "layer", scene.raster):
        for call in (group.append, group.remove, scene.map.add_layer, scene.map.add_basemap_layer, scene.map.remove_layer):
            with pytest.raises(TypeError, match="layer must be a Layer, not"):
                call(wrong)  # type: ignore[arg-type]
        for move in (group.move, scene.map.move_layer):
            with pytest.raises(TypeError, match="layer must be a Layer, not"):
                move(wrong, 0)  # type: ignore[arg-type]
        for insert in (group.insert, scene.map.insert_layer, scene.map.insert_basemap_layer):
            with pytest.raises(TypeError, match="layer must be a Layer, not"):
                insert(0, wrong)  # type: ignore[arg-type]
        for ask in (scene.view.layer_state, scene.view.layer_state_history):
            with pytest.raises(TypeError, match="layer must be a Layer, not"):
                ask(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="expected a layer, not"):
            scene.view.layer_states([scene.layer, wrong])  # type: ignore[list-item]
    for holder in (scene.layer, scene.map):
        with pytest.raises(TypeError, match="name must be a text or None, not int"):
            holder.name = 7  # type: ignore[assignment]
        with pytest.raises(TypeError, match="a text is wanted, not float"):
            holder.properties["a"] = 1.5  # type: ignore[assignment]
        with pytest.raises(TypeError, match="a text is wanted, not NoneType"):
            holder.properties[None]  # type: ignore[index]
        assert holder.name == "" and not holder.properties


def test_one_layer_of_a_group_takes_one_call(runtime: alidade.Runtime, raster: alidade.Raster) -> None:
    group = alidade.GroupLayer(runtime)
    layers = [alidade.RasterLayer(raster) for _ in range(5)]
    for layer in layers:
        group.append(layer)
    calls = []
    at = group._list.at
    group._list.at = lambda index: calls.append(index) or at(index)  # type: ignore[func-returns-value, method-assign]
    assert len(group) == 5 and calls == [] and layers[2] in group and calls == []
    assert group[3] is layers[3] and group[-1] is layers[4] and calls == [3, 4]
    assert group[1:3] == (layers[1], layers[2])
    for outside in (5, -6, 2**40):
        with pytest.raises(IndexError):
            group[outside]

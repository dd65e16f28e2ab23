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
    with pytest.raises(alidade.InvalidStateError):
        map.add_layer(b)
    with pytest.raises(alidade.NotFoundError):
        map.remove_layer(c)
    with pytest.raises(alidade.NotFoundError):
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
    with pytest.raises(alidade.InvalidArgumentError):
        inner.append(group)
    with pytest.raises(alidade.InvalidStateError):
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
    assert len(scene.view.identify(scene.layer, (100, 50))) == 1
    (found,) = scene.map.layers
    assert isinstance(found, alidade.GroupLayer) and found[0] is scene.layer
    found.visible = False
    assert scene.layer.visible and not scene.layer.info.is_shown
    assert len(scene.view.identify(scene.layer, (100, 50))) == 0


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
    assert info.kind is alidade.LayerKind.RASTER and group.info.kind is alidade.LayerKind.GROUP
    with pytest.raises(alidade.InvalidArgumentError):
        layer.opacity = 2
    with pytest.raises(alidade.InvalidArgumentError):
        layer.max_scale = 6e7
    assert layer.max_scale == 0


def test_full_extent(runtime: alidade.Runtime, raster: alidade.Raster) -> None:
    layer, group = alidade.RasterLayer(raster), alidade.GroupLayer(runtime)
    assert layer.full_extent() == raster.info.extent
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    extent = layer.full_extent(degrees)
    assert raster.spatial_reference is not None
    expected = alidade.project_envelope(raster.spatial_reference, degrees, raster.info.extent)
    assert extent == expected.envelope
    assert group.full_extent(degrees) is None
    group.append(layer)
    assert group.full_extent(degrees) == extent
    with pytest.raises(alidade.NotReadyError):
        group.full_extent()

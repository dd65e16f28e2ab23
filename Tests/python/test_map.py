"""Spatial references, maps and layers."""

from __future__ import annotations

import numpy as np
import pytest

import alidade
from alidade import RasterRenderer
from alidade.layers import RasterRendererKind
from conftest import RASTERS, Scene, make_scene


def test_spatial_reference_info(runtime: alidade.Runtime) -> None:
    info = alidade.SpatialReference.from_code(runtime, 3857).info
    assert (info.authority, info.code, info.unit_name) == ("EPSG", "3857", "metre")
    assert info.kind is alidade.coordinates.SpatialReferenceKind.PROJECTED and info.metres_per_unit == 1
    degrees = alidade.SpatialReference.from_code(runtime, 4326).info
    assert degrees.unit_name == "degree"
    assert degrees.metres_per_unit == pytest.approx(111319.49, abs=0.01)
    assert alidade.SpatialReference.from_code(runtime, 102100, "esri").info.authority == "ESRI"


def test_wkt_round_trip(runtime: alidade.Runtime) -> None:
    reference = alidade.SpatialReference.from_code(runtime, 27700)
    again = alidade.SpatialReference.from_wkt(runtime, reference.wkt)
    assert again.is_equivalent(reference)
    assert not again.is_equivalent(alidade.SpatialReference.from_code(runtime, 3857))


def test_project(runtime: alidade.Runtime) -> None:
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    mercator = alidade.SpatialReference.from_code(runtime, 3857)
    points, projected = degrees.project([(180.0, 0.0), (0.0, 0.0)], mercator)
    assert points[0, 0] == pytest.approx(20037508.342789, abs=1e-6)
    assert projected.tolist() == [True, True]
    in_place = np.array([(10.0, 50.0)])
    answer = degrees.project(in_place, mercator, out=in_place)
    assert answer.points is in_place and in_place[0, 0] > 1e6
    assert degrees.project((np.nan, 0.0), mercator).projected.tolist() == [False]
    assert np.isnan(degrees.project((np.nan, 0.0), mercator).points).all()


def test_describe_projection(runtime: alidade.Runtime) -> None:
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    mercator = alidade.SpatialReference.from_code(runtime, 3857)
    info = degrees.describe_projection(mercator, (10, 50))
    assert info.name and not info.is_ballpark


def test_map_takes_first_layers_spatial_reference(runtime: alidade.Runtime) -> None:
    map = alidade.Map(runtime)
    assert map.spatial_reference is None
    raster = alidade.Raster(runtime, RASTERS / "Shasta_Elevation.tif")
    map.add_layer(alidade.RasterLayer(raster))
    own = raster.spatial_reference
    assert map.spatial_reference is not None and own is not None
    assert map.spatial_reference.is_equivalent(own)


def test_layers_are_those_that_were_given(runtime: alidade.Runtime) -> None:
    map = alidade.Map(runtime)
    raster = alidade.Raster(runtime, RASTERS / "red.tif")
    first, second = alidade.RasterLayer(raster), alidade.RasterLayer(raster)
    map.add_layer(first)
    map.add_layer(second)
    assert map.layers[0] is first and map.layers[1] is second
    assert first.raster is raster
    map.remove_layer(first)
    assert map.layers == (second,)
    map.add_layer(first)
    assert map.layers == (second, first)


def test_layer_is_kept_by_its_map(runtime: alidade.Runtime) -> None:
    scene = make_scene(runtime, "red.tif", 1e6)
    scene.layer.release()
    assert scene.layer.visible
    assert len(scene.view.identify_layer(scene.layer, (100, 50))) == 1


def test_visible(scene: Scene) -> None:
    assert scene.layer.visible is True
    scene.layer.visible = False
    assert scene.layer.visible is False
    assert len(scene.view.identify_layer(scene.layer, (100, 50))) == 0
    assert not scene.view.read_rgba(scene.layer).any()


def test_initial_viewpoint(runtime: alidade.Runtime) -> None:
    map = alidade.Map(runtime, alidade.SpatialReference.from_code(runtime, 3857))
    map.set_initial_location(latitude_deg=-34.1, longitude_deg=18.6, scale=1_155_000)
    state = alidade.View(map, 400, 300).state
    assert state.scale == pytest.approx(1_155_000)
    assert state.center[0] == pytest.approx(18.6 * 20037508.342789244 / 180)
    with pytest.raises(alidade.errors.InvalidArgumentError):
        map.set_initial_location(91, 0, 1000)


def test_renderer_defaults_and_automatic(scene: Scene) -> None:
    renderer = scene.layer.renderer
    assert renderer.kind is RasterRendererKind.STRETCH
    assert renderer.minimum is not None and renderer.maximum is not None and renderer.minimum < renderer.maximum
    scene.layer.renderer = RasterRenderer(kind=RasterRendererKind.HILLSHADE, azimuth_deg=0, altitude_deg=30)
    renderer = scene.layer.renderer
    assert (renderer.kind, renderer.azimuth_deg, renderer.altitude_deg) == (RasterRendererKind.HILLSHADE, 0, 30)
    scene.layer.renderer = None
    assert scene.layer.renderer.kind is RasterRendererKind.STRETCH


def test_renderer_ramp(scene: Scene) -> None:
    red_to_blue = np.array([(255, 0, 0, 255), (0, 0, 255, 255)])
    scene.layer.renderer = RasterRenderer(
        kind=RasterRendererKind.STRETCH, ramp=red_to_blue, minimum=1e6, maximum=2e6
    )
    pixels = scene.view.read_rgba(scene.layer)
    assert (pixels[50, 100] == (255, 0, 0, 255)).all()


def test_renderer_refuses(scene: Scene) -> None:
    stretch = RasterRendererKind.STRETCH
    for wrong in (
        RasterRenderer(kind=stretch, ramp=[(0, 0, 0)]),
        RasterRenderer(kind=stretch, ramp=[(0, 0, 0, 256), (0, 0, 0, 0)]),
        RasterRenderer(kind=stretch, minimum=1.0),
        RasterRenderer(kind=stretch, minimum=2.0, maximum=1.0),
        RasterRenderer(kind=stretch, bands=(2**40, 0, 0)),
    ):
        with pytest.raises(ValueError):
            scene.layer.renderer = wrong
    with pytest.raises(alidade.errors.NotFoundError):
        scene.layer.renderer = RasterRenderer(kind=RasterRendererKind.COLOR_TABLE)

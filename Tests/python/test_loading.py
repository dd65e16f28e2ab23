"""Loading layers, maps and rasters: waiting, events, asyncio, failures, warnings and trouble."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

import alidade
from alidade import Status
from alidade.layers import LayerWarningKind, LoadStatus
from conftest import RASTERS

LONG = 30
ELEVATION = RASTERS / "Shasta_Elevation.tif"
# A grid that has a location, but no spatial reference.
GRID = "ncols 2\nnrows 2\nxllcorner 440000\nyllcorner 3750000\ncellsize 10\n1 2\n3 4\n"


def test_layer_of_a_file(runtime: alidade.Runtime) -> None:
    layer = alidade.RasterLayer.from_path(runtime, ELEVATION)
    assert layer.load_info == alidade.layers.LoadInfo(LoadStatus.NOT_LOADED, 0, layer.load_info.since_ns, None)
    assert layer.spatial_reference is None and layer.warnings == () and layer.trouble is None
    with pytest.raises(alidade.errors.NotReadyError, match="Load it first"):
        layer.raster.info
    assert layer.load(LONG) is None
    assert layer.load_status is LoadStatus.LOADED and layer.load_info.attempt_count == 1
    assert layer.raster.info == alidade.Raster(runtime, ELEVATION).info
    assert layer.spatial_reference.is_equivalent(layer.raster.spatial_reference)
    layer.load(0)
    layer.retry_load(LONG)
    assert layer.load_info.attempt_count == 1


def test_what_is_open_is_loaded(runtime: alidade.Runtime) -> None:
    raster = alidade.Raster(runtime, ELEVATION)
    layer = alidade.RasterLayer(raster)
    assert raster.load_status is layer.load_status is LoadStatus.LOADED
    assert layer.raster is raster
    assert raster.load_info.attempt_count == layer.load_info.attempt_count == 0
    assert runtime.events() == []


def test_raster_that_loads(runtime: alidade.Runtime) -> None:
    raster = alidade.Raster.unloaded(runtime, ELEVATION)
    layer = alidade.RasterLayer(raster)
    assert layer.raster is raster and layer.load_status is LoadStatus.NOT_LOADED
    layer.load(LONG)
    assert raster.load_status is LoadStatus.LOADED and raster.info.driver == "GTiff"
    assert "Shasta" in repr(layer)


def test_map(runtime: alidade.Runtime) -> None:
    map = alidade.Map(runtime)
    with pytest.raises(alidade.errors.NotReadyError, match="no layer"):
        map.load(LONG)
    assert map.load_status is LoadStatus.FAILED_TO_LOAD and map.load_info.error.status is Status.NOT_READY
    lowest = alidade.RasterLayer.from_path(runtime, RASTERS / "no such file.tif")
    second = alidade.RasterLayer.from_path(runtime, ELEVATION)
    third = alidade.RasterLayer(alidade.Raster(runtime, RASTERS / "RGB.byte.tif"))
    for layer in lowest, second, third:
        map.add_layer(layer)
    # The third is loaded, but those below it may still say otherwise.
    assert map.spatial_reference is None
    map.retry_load(LONG)
    assert [layer.load_status for layer in map.layers] == [
        LoadStatus.FAILED_TO_LOAD,
        LoadStatus.LOADED,
        LoadStatus.LOADED,
    ]
    assert map.spatial_reference.is_equivalent(second.raster.spatial_reference)
    assert not map.spatial_reference.is_equivalent(third.raster.spatial_reference)


def test_view_loads_its_layers(runtime: alidade.Runtime) -> None:
    map = alidade.Map(runtime)
    before = alidade.RasterLayer.from_path(runtime, ELEVATION)
    map.add_layer(before)
    view = alidade.View(map, width_dip=200, height_dip=100)
    after = alidade.RasterLayer.from_path(runtime, RASTERS / "red.tif")
    map.add_layer(after)
    assert LoadStatus.NOT_LOADED not in (before.load_status, after.load_status)
    after.load(LONG)
    before.load(LONG)
    assert map.spatial_reference.is_equivalent(before.raster.spatial_reference)
    assert view.cell_at(before, (100, 50)).values.size == 1


def test_events(runtime: alidade.Runtime) -> None:
    layer = alidade.RasterLayer.from_path(runtime, ELEVATION)
    missing = alidade.RasterLayer.from_path(runtime, RASTERS / "no such file.tif")
    request = layer.load_async()
    assert request.kind is alidade.runtime.RequestKind.LOAD and request.result(LONG) is layer
    with pytest.raises(alidade.errors.NotFoundError, match="no such file"):
        missing.load(LONG)
    events = runtime.events()
    changes = {event.handle_id: event for event in events if isinstance(event, alidade.events.LoadStatusChanged)}
    assert len(changes) == 2 and any(isinstance(event, alidade.events.RequestFinished) for event in events)
    (good,) = (event for event in changes.values() if event.concerns(layer))
    (bad,) = (event for event in changes.values() if event.concerns(missing))
    assert (good.load_status, good.status) == (LoadStatus.LOADED, Status.OK)
    assert (bad.load_status, bad.status) == (LoadStatus.FAILED_TO_LOAD, Status.NOT_FOUND)
    assert runtime.events() == []


def test_callbacks(runtime: alidade.Runtime) -> None:
    layer = alidade.RasterLayer.from_path(runtime, ELEVATION)
    done: list[object] = []
    for _ in range(3):
        layer.load_async(on_done=lambda request: done.append(request.result()))
    layer.load(LONG)
    runtime.pump()
    assert done == [layer] * 3


def test_asyncio(runtime: alidade.Runtime) -> None:
    layers = [alidade.RasterLayer.from_path(runtime, ELEVATION) for _ in range(50)]

    async def load(layer: alidade.RasterLayer) -> alidade.RasterLayer:
        future = asyncio.get_running_loop().create_future()
        layer.load_async(on_done=future.set_result)
        return (await future).result()

    async def main() -> list[alidade.RasterLayer]:
        loop = asyncio.get_running_loop()
        loop.add_reader(runtime.wake_fd, lambda: (runtime.pump(), runtime.events()))
        try:
            return await asyncio.wait_for(asyncio.gather(*map(load, layers)), LONG)
        finally:
            loop.remove_reader(runtime.wake_fd)

    assert asyncio.run(main()) == layers
    assert all(layer.load_status is LoadStatus.LOADED for layer in layers)


def test_failures(runtime: alidade.Runtime, tmp_path: Path) -> None:
    path = tmp_path / "later.asc"
    layer = alidade.RasterLayer.from_path(runtime, path)
    raster = alidade.Raster.unloaded(runtime, path)
    for loadable in layer, raster:
        with pytest.raises(alidade.errors.NotFoundError, match="later.asc"):
            loadable.load(LONG)
    path.write_text(GRID)
    # What has failed is not tried again by itself.
    with pytest.raises(alidade.errors.NotFoundError):
        layer.load(LONG)
    error = layer.load_info.error
    assert error.status is Status.NOT_FOUND and "later.asc" in str(error)
    for loadable in layer, raster:
        loadable.retry_load(LONG)
        assert loadable.load_info.error is None and loadable.load_info.attempt_count == 2
    layer.cancel_load()
    assert layer.load_status is LoadStatus.LOADED
    with pytest.raises(ValueError):
        alidade.RasterLayer.from_path(runtime, "")


def test_spatial_reference_that_is_missing(runtime: alidade.Runtime, tmp_path: Path) -> None:
    path = tmp_path / "nowhere.asc"
    path.write_text(GRID)
    layer = alidade.RasterLayer.from_path(runtime, path)
    layer.load(LONG)
    (warning,) = layer.warnings
    assert warning.kind is LayerWarningKind.NO_SPATIAL_REFERENCE and "nowhere.asc" in warning.text
    assert layer.spatial_reference is None
    assert layer.raster.read_cells([(1, 0)]).values["value"].tolist() == [[2.0]]
    map = alidade.Map(runtime)
    map.add_layer(layer)
    with pytest.raises(alidade.errors.NotReadyError, match="none of its layers"):
        map.load(LONG)
    layer.spatial_reference = alidade.SpatialReference.from_code(runtime, 32611)
    assert layer.warnings == ()
    map.retry_load(LONG)
    assert map.spatial_reference.info.code == "32611"
    view = alidade.View(map, width_dip=100, height_dip=100)
    assert view.cell_at(layer, (25, 25)).values["value"].tolist() == [[1.0]]


def test_trouble(runtime: alidade.Runtime, tmp_path: Path) -> None:
    path = tmp_path / "elevation.tif"
    shutil.copy(RASTERS / "red.tif", path)
    layer = alidade.RasterLayer.from_path(runtime, path)
    layer.load(LONG)
    map = alidade.Map(runtime)
    map.add_layer(layer)
    view = alidade.View(map, width_dip=100, height_dip=100)
    before = view.read_rgba(layer)
    assert layer.trouble is None
    shutil.copy(RASTERS / "RGB.byte.tif", tmp_path / "other.tif")
    (tmp_path / "other.tif").replace(path)
    with pytest.raises(alidade.errors.ReadFailedError, match="has changed"):
        view.read_rgba(layer)
    assert layer.trouble.status is Status.READ_FAILED and layer.load_status is LoadStatus.LOADED
    layer.retry_load(LONG)
    assert layer.trouble is None and layer.load_info.attempt_count == 2
    assert layer.raster.info.band_count == 3
    assert view.read_rgba(layer).shape == before.shape

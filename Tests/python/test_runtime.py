"""Runtimes, and the life of objects: context managers, finalizers, and a runtime that goes first."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

import alidade
from conftest import RASTERS, make_scene


def test_versions(runtime: alidade.Runtime) -> None:
    assert alidade.version().count(".") == 2
    versions = runtime.library_versions
    assert all(text[0].isdigit() for text in (versions.gdal, versions.proj, versions.geos))


def test_handle_count_returns_to_where_it_was(runtime: alidade.Runtime) -> None:
    assert runtime.handle_count == 1
    raster = alidade.Raster(runtime, RASTERS / "red.tif")
    assert runtime.handle_count > 1
    raster.release()
    assert runtime.handle_count == 1


def test_with_block_releases(runtime: alidade.Runtime) -> None:
    with alidade.Map(runtime) as map:
        assert map.layers == ()
    with pytest.raises(alidade.errors.InvalidHandleError):
        map.layers
    map.release()
    assert runtime.handle_count == 1


def test_last_reference_releases(runtime: alidade.Runtime) -> None:
    map = alidade.Map(runtime)
    assert runtime.handle_count == 2
    del map
    assert runtime.handle_count == 1


def test_cycle_is_released_by_the_collector(runtime: alidade.Runtime) -> None:
    scene = make_scene(runtime, "red.tif", 1e6)
    scene.raster._scene = scene  # type: ignore[attr-defined]
    del scene
    gc.collect()
    assert runtime.handle_count == 1


def test_objects_keep_what_they_were_made_from() -> None:
    """Only the view is held by name; nothing that it needs may go before it."""
    view = make_scene(alidade.Runtime(), "red.tif", 1e6).view
    gc.collect()
    (layer,) = view.map.layers
    assert len(view.identify_layer(layer, (100, 50))) == 1


def test_lent_spatial_reference_keeps_its_raster(runtime: alidade.Runtime) -> None:
    reference = alidade.Raster(runtime, RASTERS / "red.tif").spatial_reference
    gc.collect()
    assert reference is not None and reference.info.kind == alidade.coordinates.SpatialReferenceKind.GEOGRAPHIC


def test_runtime_released_first_is_harmless() -> None:
    runtime = alidade.Runtime()
    scene = make_scene(runtime, "red.tif", 1e6)
    result = scene.view.identify_layer(scene.layer, (100, 50))
    runtime.release()
    for call in (
        lambda: scene.view.state,
        lambda: scene.map.layers,
        lambda: scene.layer.visible,
        lambda: scene.raster.band(1),
        lambda: result.elements,
        lambda: alidade.Map(runtime),
        lambda: runtime.handle_count,
    ):
        with pytest.raises(alidade.errors.InvalidHandleError):
            call()
    assert "red.tif" in repr(scene.raster)
    for item in (result, scene.view, scene.map, scene.layer, scene.raster, runtime):
        item.release()


def test_wrappers_can_be_weakly_referenced_and_compared(runtime: alidade.Runtime) -> None:
    raster = alidade.Raster(runtime, RASTERS / "red.tif")
    assert weakref.ref(raster)() is raster
    first, second = raster.spatial_reference, raster.spatial_reference
    assert first == second and hash(first) == hash(second)
    assert raster != alidade.Raster(runtime, RASTERS / "red.tif")
    assert raster != "red.tif"


def test_reprs(runtime: alidade.Runtime) -> None:
    scene = make_scene(runtime, "red.tif", 1e6)
    assert "64 x 64" in repr(scene.raster) and "GTiff" in repr(scene.raster)
    for item in (runtime, scene.layer, scene.map, scene.view, scene.raster.spatial_reference):
        assert repr(item).startswith(f"<{type(item).__name__} ")
    scene.view.release()
    assert repr(scene.view) == "<View released>"


def test_options(tmp_path: Path) -> None:
    alidade.Runtime(thread_count=2, policy=alidade.Policy(drivers=["GTiff"])).release()
    with pytest.raises(alidade.errors.InvalidArgumentError):
        alidade.Runtime(thread_count=100_000)
    with pytest.raises(ValueError, match="thread_count"):
        alidade.Runtime(thread_count=-1)
    with pytest.raises(alidade.errors.NotFoundError, match="proj.db"):
        alidade.Runtime(proj_directory=tmp_path)


def test_policy_names_drivers() -> None:
    with alidade.Runtime(policy=alidade.Policy(drivers=["HFA"])) as runtime:
        with pytest.raises(alidade.AlidadeError):
            alidade.Raster(runtime, RASTERS / "red.tif")
    with pytest.raises(TypeError):
        alidade.Runtime(policy=alidade.Policy(drivers="GTiff"))


def test_policy_limits_time() -> None:
    for limit in (1, 600_000, 0):
        with alidade.Runtime(policy=alidade.Policy(max_request_ms=limit)) as runtime:
            reference = alidade.SpatialReference(runtime, "EPSG:4326")
            line = alidade.Geometry.from_wkt(runtime, "LINESTRING (0 0, 20 40)", reference)

            def dense() -> alidade.Geometry:
                return line.densified(maximum_deviation=1e-3, geodesic=True)

            if limit == 1:
                with pytest.raises(alidade.errors.LimitExceededError, match="max_request_ms"):
                    dense()
            else:
                assert dense().columns.xy.shape[0] > 10_000


def test_policy_for_strangers() -> None:
    policy = alidade.Policy.untrusted(max_request_points=9)
    assert policy.common_formats_only
    with alidade.Runtime(policy=policy) as runtime:
        with pytest.raises(alidade.errors.LimitExceededError):
            alidade.Raster(runtime, RASTERS / "red.tif").read_cells([(0, 0)] * 10)
        with pytest.raises(alidade.errors.PolicyRefusedError, match="driver HFA"):
            alidade.Raster(runtime, RASTERS / "rat.img")


def test_policy_limits_points(runtime: alidade.Runtime) -> None:
    with alidade.Runtime(policy=alidade.Policy(max_request_points=9)) as limited:
        raster = alidade.Raster(limited, RASTERS / "red.tif")
        raster.read_cells([(0, 0)] * 9)
        with pytest.raises(alidade.errors.LimitExceededError):
            raster.read_cells([(0, 0)] * 10)

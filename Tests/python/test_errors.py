"""Exceptions: what they carry, and which of Python's own they are."""

from __future__ import annotations

import errno
import os
import pickle
from pathlib import Path

import pytest

import alidade
from conftest import RASTERS, Scene


def test_missing_file(runtime: alidade.Runtime, tmp_path: Path) -> None:
    path = tmp_path / "none.tif"
    with pytest.raises(FileNotFoundError) as caught:
        alidade.Raster(runtime, path)
    error = caught.value
    assert isinstance(error, alidade.errors.RasterNotFoundError) and isinstance(error, alidade.errors.NotFoundError)
    assert error.errno == errno.ENOENT
    assert os.fsdecode(error.filename) == str(path)
    assert error.status is alidade.Status.NOT_FOUND
    assert error.argument == 2
    assert str(path) in error.message and str(path) in str(error)


def test_not_a_raster(runtime: alidade.Runtime) -> None:
    with pytest.raises(OSError) as caught:
        alidade.Raster(runtime, RASTERS / "LF20_EVT_220.csv")
    error = caught.value
    assert isinstance(error, alidade.errors.ReadFailedError)
    assert error.domain is alidade.errors.ErrorDomain.GDAL
    assert error.domain_code != 0


def test_policy(runtime: alidade.Runtime) -> None:
    with pytest.raises(PermissionError) as caught:
        alidade.Raster(runtime, "/vsicurl/http://127.0.0.1:9/a.tif")
    assert isinstance(caught.value, alidade.errors.PolicyRefusedError)


def test_path_of_bytes_and_path_objects(runtime: alidade.Runtime) -> None:
    path = RASTERS / "red.tif"
    for name in (path, str(path), os.fsencode(path)):
        assert alidade.Raster(runtime, name).info.path == str(path)


def test_path_that_is_not_utf8(runtime: alidade.Runtime, tmp_path: Path) -> None:
    for name in (b"/tmp/\xff.tif", os.fsdecode(b"/tmp/\xff.tif"), Path(os.fsdecode(b"/tmp/\xff.tif"))):
        with pytest.raises(alidade.errors.InvalidArgumentError, match="UTF-8"):
            alidade.Raster(runtime, name)


def test_path_with_characters_beyond_ascii(runtime: alidade.Runtime, tmp_path: Path) -> None:
    path = tmp_path / "höhe 地図 🗺.tif"
    path.write_bytes((RASTERS / "red.tif").read_bytes())
    assert alidade.Raster(runtime, path).info.path == str(path)


def test_texts_with_a_nul(runtime: alidade.Runtime) -> None:
    with pytest.raises(ValueError, match="null"):
        alidade.Raster(runtime, "a\0.tif")
    with pytest.raises(ValueError, match="null"):
        alidade.SpatialReference.from_wkt(runtime, "GEOGCS\0")
    with pytest.raises(UnicodeEncodeError):
        alidade.SpatialReference.from_wkt(runtime, "\ud800")


def test_lookups(runtime: alidade.Runtime, scene: Scene) -> None:
    with pytest.raises(LookupError, match="999999"):
        alidade.SpatialReference.from_code(runtime, 999999)
    with pytest.raises(LookupError):
        scene.raster.band(2)
    (element,) = scene.view.identify_layer(scene.layer, (100, 50))
    with pytest.raises(LookupError):
        element["no such attribute"]


def test_values(runtime: alidade.Runtime, scene: Scene) -> None:
    with pytest.raises(ValueError) as caught:
        scene.view.set_viewpoint(scale=float("nan"))
    assert isinstance(caught.value, alidade.errors.InvalidArgumentError)
    assert caught.value.argument == 2
    with pytest.raises(ValueError, match="band"):
        scene.raster.band(2**40 + 1)


def test_not_ready(runtime: alidade.Runtime) -> None:
    view = alidade.View(alidade.Map(runtime))
    with pytest.raises(alidade.errors.NotReadyError, match="spatial reference"):
        view.state


def test_layer_in_two_maps(runtime: alidade.Runtime, scene: Scene) -> None:
    other = alidade.Map(runtime)
    with pytest.raises(alidade.errors.InvalidStateError):
        other.add_layer(scene.layer)
    with pytest.raises(alidade.errors.NotFoundError):
        other.remove_layer(scene.layer)


def test_objects_of_two_runtimes(scene: Scene) -> None:
    with alidade.Runtime() as other, pytest.raises(alidade.errors.InvalidArgumentError):
        alidade.Map(other).add_layer(scene.layer)


def test_rasters_that_have_no_place(runtime: alidade.Runtime) -> None:
    with alidade.Runtime(policy=alidade.Policy(drivers=["VRT"], add_drivers=True)) as with_vrt:
        raster = alidade.Raster(with_vrt, RASTERS / "RGB.byte.gcp.vrt")
        assert raster.info.georeference is alidade.rasters.GeoreferenceKind.CONTROL_POINTS
        with pytest.raises(alidade.errors.UnsupportedError):
            alidade.RasterLayer(raster)
    raster = alidade.Raster(runtime, RASTERS / "rotated.tif")
    assert raster.spatial_reference is None
    with pytest.raises(alidade.errors.NotReadyError):
        alidade.RasterLayer(raster)
    given = alidade.SpatialReference.from_code(runtime, 32633)
    placed = alidade.Raster(runtime, RASTERS / "rotated.tif", spatial_reference=given)
    assert placed.spatial_reference is not None and placed.spatial_reference.is_equivalent(given)
    alidade.RasterLayer(placed)


def test_repr(runtime: alidade.Runtime) -> None:
    with pytest.raises(alidade.errors.NotFoundError) as caught:
        alidade.SpatialReference.from_code(runtime, 999999)
    assert repr(caught.value).startswith("NotFoundError(NOT_FOUND: ")


def test_errors_arrive_whole_in_another_process(runtime: alidade.Runtime, tmp_path: Path) -> None:
    """Whoever sends work to other processes gets their exceptions pickled."""
    calls = [
        lambda: alidade.Raster(runtime, tmp_path / "none.tif"),
        lambda: alidade.FeatureSource(runtime, tmp_path / "none.gpkg"),
        lambda: alidade.Raster(runtime, RASTERS / "LF20_EVT_220.csv"),
        lambda: alidade.Raster(runtime, "/vsicurl/http://127.0.0.1:9/a.tif"),
        lambda: alidade.SpatialReference(runtime, 999999),
        lambda: alidade.View(alidade.Map(runtime)).state,
    ]
    for call in calls:
        with pytest.raises(alidade.AlidadeError) as caught:
            call()
        error = caught.value
        same = pickle.loads(pickle.dumps(error))
        assert type(same) is type(error) and same.args == error.args and str(same) == str(error)
        for name in ("status", "argument", "domain", "domain_code", "message", "errno", "strerror", "filename"):
            assert getattr(same, name, "no such attribute") == getattr(error, name, "no such attribute"), name


def test_a_completion_error_arrives_whole_in_another_process() -> None:
    error = alidade.errors.CompletionError((ValueError("first"), KeyError("second")))
    same = pickle.loads(pickle.dumps(error))
    assert str(same) == str(error) and [repr(one) for one in same.exceptions] == ["ValueError('first')", "KeyError('second')"]

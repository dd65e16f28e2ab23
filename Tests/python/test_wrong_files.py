"""Files that are missing or of the other kind, and what the errors say helps."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

import alidade
import numpy as np
import pyproj
import pytest
import rasterio

from conftest import RASTERS

FEATURES = '{"type": "FeatureCollection", "features": []}'


@pytest.mark.parametrize(
    "make", [alidade.Raster.unloaded, alidade.RasterLayer.from_path, alidade.FeatureLayer.from_path]
)
def test_a_missing_file_is_not_found_when_it_is_loaded(
    runtime: alidade.Runtime, tmp_path: Path, make: Callable[..., Any]
) -> None:
    path = tmp_path / "none.tif"
    loaded = make(runtime, path)
    for load in [loaded.load, loaded.load, loaded.retry_load]:
        with pytest.raises(FileNotFoundError) as caught:
            load()
        assert caught.value.filename == str(path).encode()
    assert isinstance(loaded.load_info.error, FileNotFoundError)


def test_a_layers_raster_says_so_too(runtime: alidade.Runtime, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        alidade.RasterLayer.from_path(runtime, tmp_path / "none.tif").raster.load()


def test_a_file_of_the_other_kind_names_its_class(runtime: alidade.Runtime, tmp_path: Path) -> None:
    features = tmp_path / "points.geojson"
    features.write_text(FEATURES)
    with pytest.raises(alidade.errors.ReadFailedError, match="open it as a source of features"):
        alidade.Raster(runtime, features)
    with pytest.raises(alidade.errors.ReadFailedError, match="open it as one"):
        alidade.FeatureSource(runtime, RASTERS / "RGB.byte.tif")
    # What is of no kind names neither.
    broken = tmp_path / "broken.tif"
    broken.write_text("nothing")
    with pytest.raises(alidade.errors.ReadFailedError) as caught:
        alidade.Raster(runtime, broken)
    assert "FeatureSource" not in str(caught.value)


def test_a_picture_without_georeference_is_not_to_be_warped(runtime: alidade.Runtime, tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    with rasterio.open(path, "w", driver="JPEG", width=8, height=8, count=1, dtype="uint8") as file:
        file.write(np.zeros((1, 8, 8), "uint8"))
    with pytest.raises(alidade.errors.UnsupportedError, match="world file") as caught:
        alidade.RasterLayer(alidade.Raster(runtime, path))
    assert "arp it" not in str(caught.value)


@pytest.mark.parametrize("path", ["/vsizip/archive.zip/raster.tif", "/vsizip//tmp/a.zip/b.tif", "/vsitar/x"])
def test_a_refused_file_system_is_named_without_the_path(runtime: alidade.Runtime, path: str) -> None:
    with pytest.raises(alidade.errors.PolicyRefusedError) as caught:
        alidade.Raster(runtime, path)
    assert f"virtual file system /{path.split('/')[1]}/, which" in str(caught.value)


def test_a_range_that_leaves_out_zero(scene: Any) -> None:
    with pytest.raises(alidade.errors.InvalidArgumentError, match="must be greater than 0 and at most 10000000"):
        scene.view.set_size(0, 100)


@pytest.mark.parametrize("code", [102100, 102008])
def test_a_number_of_esris_points_to_esri(runtime: alidade.Runtime, code: int) -> None:
    assert pyproj.CRS.from_authority("ESRI", code)
    with pytest.raises(alidade.errors.NotFoundError, match=f"There is ESRI:{code}; use that"):
        alidade.SpatialReference.from_code(runtime, code)
    with pytest.raises(alidade.errors.NotFoundError) as caught:
        alidade.SpatialReference.from_code(runtime, 999999)
    assert "ESRI" not in str(caught.value)


def test_a_text_with_esris_number_points_to_esri(runtime: alidade.Runtime) -> None:
    with pytest.raises(alidade.errors.NotFoundError, match="There is ESRI:102008; use that"):
        alidade.SpatialReference(runtime, "EPSG:102008")

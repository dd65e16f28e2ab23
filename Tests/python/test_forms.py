"""The forms in which a spatial reference may be given, the default runtime, and opening what a file holds."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import pytest

import alidade
from alidade import SpatialReference
from conftest import RASTERS, Scene

DATA = RASTERS.parent


@pytest.fixture(autouse=True)
def own_default() -> Iterator[None]:
    alidade.set_default_runtime(None)
    yield
    alidade.set_default_runtime(None)


class Crs:
    """As pyproj, rasterio and GeoPandas have it."""

    def __init__(self, wkt: str) -> None:
        self._wkt = wkt

    def to_wkt(self) -> str:
        return self._wkt


def forms(runtime: alidade.Runtime) -> list[Any]:
    reference = SpatialReference(runtime, "EPSG:27700")
    found = [27700, np.int32(27700), "EPSG:27700", "27700", ("EPSG", 27700), ["EPSG", "27700"]]
    found += [reference.wkt, reference.to_projjson(), Crs(reference.wkt)]
    return [*found, json.loads(reference.to_projjson()), {"init": "epsg:27700"}]


def test_a_spatial_reference_in_any_form(runtime: alidade.Runtime) -> None:
    for form in forms(runtime):
        info = SpatialReference(runtime, form).info
        assert (info.authority, info.code) == ("EPSG", "27700"), form
    utm = SpatialReference(runtime, {"proj": "utm", "zone": 33, "ellps": "GRS80", "south": True, "over": False})
    assert "+zone=33" in utm.to_proj() and "+south" in utm.to_proj()
    for wrong in (True, 1.5, b"EPSG:4326", [4326], ("EPSG", 1.5), (4326, 5773), object()):
        with pytest.raises(TypeError, match="definition must be an EPSG code, a text"):
            SpatialReference(runtime, wrong)  # type: ignore[arg-type]
    with pytest.raises(alidade.errors.NotFoundError, match="EPSG:999999"):
        SpatialReference(runtime, 999999)


def test_objects_of_other_libraries(runtime: alidade.Runtime) -> None:
    pyproj = pytest.importorskip("pyproj")
    rasterio_crs = pytest.importorskip("rasterio.crs")
    for crs in (pyproj.CRS(27700), pyproj.CRS(27700).to_json_dict(), rasterio_crs.CRS.from_epsg(27700)):
        assert SpatialReference(runtime, crs).info.code == "27700"


def test_wherever_a_spatial_reference_is_wanted(scene: Scene, runtime: alidade.Runtime) -> None:
    expected = scene.map.full_extent(SpatialReference(runtime, 27700))
    for form in forms(runtime):
        assert scene.map.full_extent(form) == expected
    point = alidade.Geometry.from_wkt(runtime, "POINT(-1 52)", 4326)
    assert point.project("EPSG:27700").geometry.xy[0, 0] == pytest.approx(468769, abs=2000)
    scene.raster.read_points((-122.2, 41.4), 4326)
    scene.view.set_viewpoint((-122.2, 41.4), 4326)
    scene.view.move_to(alidade.Viewpoint(center=(-122.2, 41.4), spatial_reference=4326, scale=5000))
    scene.view.constraints = alidade.views.Constraints(max_extent=alidade.Envelope(-130, 30, -110, 50), spatial_reference=4326)
    scene.map.initial_viewpoint = alidade.Viewpoint(center=(-122.2, 41.4), spatial_reference="EPSG:4326", scale=5000)
    scene.map.set_max_extent((-130, 30, -110, 50), 4326)
    assert len(alidade.TransformationList(27700, 4326)) > 1
    assert alidade.Viewpoint.at(runtime, 1, 2, 500).to_json(runtime)


def test_geo_interface_keeps_the_spatial_reference(runtime: alidade.Runtime) -> None:
    class Frame:
        crs: Any = Crs(SpatialReference(runtime, 27700).wkt)
        __geo_interface__ = {
            "type": "FeatureCollection",
            "features": [{"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": (1, 2)}}],
        }

    array = alidade.GeometryArray.from_geo_interface(runtime, Frame())
    assert array.spatial_reference is not None and array.spatial_reference.info.code == "27700"
    assert alidade.GeometryArray.from_geo_interface(Frame(), 4326).spatial_reference.info.code == "4326"
    Frame.crs = None
    assert alidade.GeometryArray.from_geo_interface(runtime, Frame()).spatial_reference is None
    geometry = alidade.Geometry.from_wkt(runtime, "POINT(1 2)", 27700)
    copy = alidade.Geometry.from_geo_interface(runtime, geometry)
    assert copy.equals(geometry)


def test_scripts_need_no_runtime() -> None:
    raster = alidade.Raster(RASTERS / "Shasta_Elevation.tif")
    map = alidade.Map(3857)
    map.add_layer(alidade.RasterLayer(raster))
    assert alidade.View(map, 20, 20).map is map
    runtime = alidade.default_runtime()
    assert raster._root() is runtime and map._root() is runtime
    assert alidade.GroupLayer()._root() is runtime and alidade.GraphicsOverlay()._root() is runtime
    assert alidade.Map()._root() is runtime and alidade.Map(runtime=None)._root() is runtime
    assert alidade.Geometry.from_wkt(wkt="POINT(1 2)")._root() is runtime
    assert alidade.rasters.read_datasets(RASTERS / "Shasta_Elevation.tif")
    runtime.release()
    assert alidade.default_runtime() is not runtime


def test_the_runtime_of_other_arguments_comes_first(runtime: alidade.Runtime) -> None:
    reference = SpatialReference(runtime, 4326)
    assert alidade.Geometry.from_wkt("POINT(1 2)", reference)._root() is runtime
    assert alidade.Map(spatial_reference=reference)._root() is runtime
    alidade.set_default_runtime(runtime)
    assert alidade.Map()._root() is runtime and alidade.default_runtime() is runtime


def test_threads_share_one_default_runtime() -> None:
    found: list[alidade.Runtime] = []
    barrier = threading.Barrier(8)

    def ask() -> None:
        barrier.wait()
        found.append(alidade.default_runtime())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and all(runtime is found[0] for runtime in found)


def test_a_fork_gets_a_default_runtime_of_its_own() -> None:
    assert SpatialReference(4326).info.code == "4326"
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if SpatialReference(4326).info.code == "4326" else 2
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert SpatialReference(4326).info.code == "4326"


def test_open_returns_what_the_file_holds(runtime: alidade.Runtime, tmp_path: Path) -> None:
    raster = alidade.open(RASTERS / "Shasta_Elevation.tif")
    assert isinstance(raster, alidade.Raster)
    source = alidade.open(runtime, DATA / "features" / "places.geojson", 4326)
    assert isinstance(source, alidade.FeatureSource) and source._root() is runtime
    with pytest.raises(FileNotFoundError) as missing:
        alidade.open(tmp_path / "none.tif")
    assert missing.value.filename is not None
    path = tmp_path / "neither.bin"
    path.write_text("neither")
    with pytest.raises(alidade.errors.ReadFailedError, match="(?s)Not a raster: .*Not a source of features: "):
        alidade.open(path)

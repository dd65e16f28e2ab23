"""The command `python -m alidade`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import alidade
from alidade.__main__ import main
from conftest import RASTERS, REPOSITORY, Scene

import pytest


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


def test_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "doctor")
    assert alidade.__version__ in text.splitlines()[0] and "libalidade.so" in text.splitlines()[0]
    assert "proj.db" in text and "registered drivers" in text


def test_identify_in_a_raster(capsys: pytest.CaptureFixture[str], scene: Scene) -> None:
    extent = scene.raster.info.extent
    x, y = (extent.x_min + extent.x_max) / 2, (extent.y_min + extent.y_max) / 2
    read = scene.raster.read_points((x, y))
    text = run(capsys, "identify", RASTERS / "Shasta_Elevation.tif", x, y)
    assert f"column {read.cells[0]['column']}, row {read.cells[0]['row']}" in text
    assert f"band 1: {read.values[0, 0]['scaled']:.15g}" in text
    longitude, latitude = scene.raster.spatial_reference.project((x, y), alidade.SpatialReference(scene.raster._root(), 4326)).points[0]
    again = run(capsys, "identify", RASTERS / "Shasta_Elevation.tif", "--crs", "4326", "--", longitude, latitude)
    assert again == text
    assert run(capsys, "identify", RASTERS / "Shasta_Elevation.tif", 1e9, 1e9) == "outside\n"


def test_identify_in_features(capsys: pytest.CaptureFixture[str]) -> None:
    path = REPOSITORY / "Tests" / "data" / "features" / "places.geojson"
    text = run(capsys, "identify", path, 13.4, 52.5)
    assert "name: Berlin" in text and text.count("feature ") == 1
    assert run(capsys, "identify", path, 13.4, 52.5, "--count", 2).count("feature ") == 2


def test_transformations(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, "transformations", "27700", "EPSG:4326")
    assert text.startswith("1. ") and "OSGB36 to WGS 84 (6): 2 m" in text
    assert run(capsys, "transformations", "27700", "4326", "--area", "-4", "55", "-3", "56") != text


def test_failures_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["identify", "none.tif", "1", "2"]) == 1
    shown = capsys.readouterr()
    assert shown.out == "" and shown.err.startswith("alidade: ") and shown.err.count("\n") == 1


def test_the_reader_may_leave() -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(alidade.__file__).parents[1])}
    command = f"{sys.executable} -m alidade transformations 27700 4326 | head -1"
    ended = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True)
    assert ended.stdout.startswith("1. ") and ended.stderr == ""

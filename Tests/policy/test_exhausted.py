"""A process that runs out of file handles, of memory or of disk: each call answers with an error or rightly, nothing
ends the process, and all works again as soon as there is enough.

A child does each round, because limits hold for a whole process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import RASTERS, ROOT

CHILD = """
import json, os, resource, sys
import alidade

rasters, features, what, number = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])


def raster(name):
    with alidade.Raster(runtime, f"{rasters}/{name}") as opened:
        return opened.read_cells([(0, 0)]).values.tolist()


def project():
    made = [alidade.SpatialReference.from_code(runtime, code) for code in (4326, 3857, 27700, 25832, 2056)]
    point = alidade.Geometry.from_wkt(runtime, "POINT (1 51)", made[0])
    return [point.project(reference).geometry.to_wkt() for reference in made[1:]]


def transformations():
    ends = [alidade.SpatialReference.from_code(runtime, code) for code in (27700, 4258)]
    return [found.transformation.name for found in alidade.TransformationList(*ends)]


def buffers():
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    line = alidade.Geometry.from_wkt(runtime, "LINESTRING (0 50, 1 51, 0 52)", degrees)
    buffer, _ = line.geodesic_buffer(10_000)
    return [round(buffer.area(), 9), round(line.buffer(0.1).area(), 9), buffer.relate(line)]


def identify():
    map = alidade.Map(runtime)
    layer = alidade.RasterLayer.from_path(runtime, f"{rasters}/RGB.byte.tif")
    layer.load()
    map.add_layer(layer)
    view = alidade.View(map, 100, 100)
    view.set_viewpoint((339_000, 2_780_000), scale=1_000_000)
    return view.read_rgba(layer).sum().item()


def places():
    with alidade.FeatureSource(runtime, features) as source:
        return source.count()


def another_runtime():
    with alidade.Runtime() as other:
        return alidade.SpatialReference.from_code(other, 3035).info.name


CALLS = [lambda: raster("Shasta_Elevation.tif"), lambda: raster("lc.tif"), lambda: raster("rat.img"),
         lambda: raster("RGB.byte.rpc.vrt"), project, transformations, buffers, identify, places, another_runtime]


def answers():
    found = []
    for call in CALLS:
        try:
            found.append(call())
        except alidade.AlidadeError as error:
            found.append({"error": type(error).__name__, "message": error.message})
    return found


def limited(kind, size, call):
    before = resource.getrlimit(kind)
    resource.setrlimit(kind, (size, before[1]))
    try:
        return call()
    finally:
        resource.setrlimit(kind, before)


runtime = alidade.Runtime(thread_count=2)
if what == "handles":
    # Some calls have been made by then, in every second round: what they opened stays open.
    if number % 2:
        answers()
    taken = len(os.listdir("/proc/self/fd")) - 1
    poor = limited(resource.RLIMIT_NOFILE, taken + number, answers)
else:
    poor = limited(resource.RLIMIT_FSIZE, number, answers)
print(json.dumps([poor, answers(), answers()]))
"""


def run(tmp_path, what, number):
    child = tmp_path / "child.py"
    child.write_text(CHILD)
    found = [os.environ["PYTHONPATH"]] if "PYTHONPATH" in os.environ else []
    path = os.pathsep.join([*found, str(ROOT / "bindings" / "python")])
    places = ROOT / "Tests" / "data" / "features" / "places.geojson"
    command = [sys.executable, "-B", str(child), str(RASTERS), str(places), what, str(number)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    """What is answered when there is enough."""
    poor, first, second = run(tmp_path_factory.mktemp("enough"), "handles", 500)
    assert poor == first == second
    assert not any(isinstance(answer, dict) for answer in first)
    return first


@pytest.mark.parametrize("spare", range(12))
def test_file_handles(tmp_path, right, spare):
    poor, *later = run(tmp_path, "handles", spare)
    for answer, expected in zip(poor, right):
        assert answer == expected or (isinstance(answer, dict) and answer["message"]), answer
    # Nothing remembers that a file could not be opened.
    assert later == [right, right]
    if spare == 0:
        assert any(isinstance(answer, dict) for answer in poor)

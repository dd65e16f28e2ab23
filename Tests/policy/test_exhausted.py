"""A process that runs out of file handles, of memory or of disk: each call returns an error or the right result,
nothing ends the process, and all works again as soon as there is enough.

A child does each round, because limits hold for a whole process. Memory is another matter than the rest: where the
system gives none for something small, Swift ends the process, as most programs do. So the limits of the policy have to
come before the system's: what is large is refused, and where memory suffices for what the policy allows, nothing
ends."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from osgeo import gdal, ogr

from conftest import RASTERS, ROOT

CHILD = """
import json, os, random, resource, sys, time
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
    buffer = line.geodesic_buffer(10_000)
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


def sorted_view():
    # In an order that a view makes: SQLite sorts what does not fit into its memory in a temporary file.
    with alidade.FeatureSource(runtime, f"{rasters}/sorted.gpkg", "sorted") as source:
        with source.query() as rows:
            said = [len(rows), rows.is_incomplete, bool(rows.first_reason)]
        return said + refused([source.count])


def large():
    # More than there is, and so more than the policy allows.
    degrees = alidade.SpatialReference.from_code(runtime, 4326)
    line = alidade.Geometry.from_wkt(runtime, "LINESTRING (0 50, 1 51, 0 52)", degrees)
    # Half a circle at each of its vertices.
    places = ", ".join(f"{(-1) ** index * index / 1e6:.6f} 50" for index in range(300_000))
    to_and_fro = alidade.Geometry.from_wkt(runtime, f"LINESTRING ({places})", degrees)
    return refused([lambda: line.buffer(10, maximum_deviation=1e-14), lambda: raster("large.tif"),
                    lambda: to_and_fro.buffer(0.5), lambda: to_and_fro.offset_curve(-0.01)])


def refused(calls):
    found = []
    for call in calls:
        try:
            found.append("made" if call() else "")
        except alidade.AlidadeError as error:
            found.append(type(error).__name__)
    return found


def fill(disk):
    with open(f"{disk}/filler", "wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(65536))
        except OSError:
            pass


def soak(seed, seconds, disk):
    # For so long, in an order by chance: a call with few handles, small files, little memory or a full disk.
    chance = random.Random(seed)
    calls = [*CALLS, sorted_view]
    right = [json.dumps(call()) for call in calls]  # as text, where NaN is NaN
    counts, failed, end, is_full = {}, 0, time.monotonic() + seconds, False
    while time.monotonic() < end:
        number = chance.randrange(len(calls))
        poverty = chance.choice(["handles", "file size", "memory", "disk", "nothing"])
        wanted_full = poverty == "disk"
        if is_full != wanted_full:
            fill(disk) if wanted_full else os.remove(f"{disk}/filler")
            is_full = wanted_full
        open_handles = len(os.listdir("/proc/self/fd")) - 1
        pages = int(open("/proc/self/statm").read().split()[0])
        limits = {"handles": (resource.RLIMIT_NOFILE, open_handles + chance.randrange(16)),
                  "file size": (resource.RLIMIT_FSIZE, chance.randrange(4096)),
                  "memory": (resource.RLIMIT_AS, pages * 4096 + (chance.randrange(128, 512) << 20))}
        try:
            found = limited(*limits[poverty], calls[number]) if poverty in limits else calls[number]()
        except alidade.AlidadeError as error:
            assert error.message and poverty != "nothing", (poverty, number, error)
            failed += 1
        else:
            incomplete = number == len(CALLS) and found[1] and poverty != "nothing"
            assert json.dumps(found) == right[number] or incomplete, (poverty, number, found)
        counts[poverty] = counts.get(poverty, 0) + 1
    return [counts, failed]


if what == "memory":
    runtime = alidade.Runtime(thread_count=2, policy=alidade.Policy(max_request_bytes=number << 19))
    before = answers()
    pages = int(open("/proc/self/statm").read().split()[0])
    poor = limited(resource.RLIMIT_AS, pages * 4096 + (number << 20), lambda: [answers(), large()])
    print(json.dumps([before, *poor, answers()]))
    sys.exit()
runtime = alidade.Runtime(thread_count=2, policy=alidade.Policy(max_request_bytes=64 << 20) if what == "soak" else None)
if what == "disk":
    print(json.dumps([answers(), sorted_view()]))
    sys.exit()
if what == "soak":
    print(json.dumps(soak(number, float(os.environ["SOAK_SECONDS"]), os.environ["SOAK_DISK"])))
    sys.exit()
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


def run(tmp_path, what, number, rasters=RASTERS, **environment):
    child = tmp_path / "child.py"
    child.write_text(CHILD)
    found = [os.environ["PYTHONPATH"]] if "PYTHONPATH" in os.environ else []
    path = os.pathsep.join([*found, str(ROOT / "bindings" / "python")])
    places = ROOT / "Tests" / "data" / "features" / "places.geojson"
    command = [sys.executable, "-B", str(child), str(rasters), str(places), what, str(number)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path, **environment}, capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    """The results when there is enough."""
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


@pytest.fixture
def full_disk(tmp_path):
    """A file system of 64 MB that holds the rasters, a database, and not one byte more."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "none", str(disk)], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("a full disk: this user may not mount a file system")
    try:
        shutil.copytree(RASTERS, disk / "rasters")
        write_sorted(disk / "rasters" / "sorted.gpkg")
        with open(disk / "filler", "wb", buffering=0) as filler, pytest.raises(OSError, match="No space left"):
            while True:
                filler.write(bytes(4096))
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


ROWS = 20_000


def write_sorted(path):
    """A GeoPackage with a view that puts 20,000 rows of 1,000 bytes each into an order."""
    gdal.UseExceptions()
    dataset = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    dataset.CreateLayer("t", None, ogr.wkbNone).CreateField(ogr.FieldDefn("n", ogr.OFTInteger))
    del dataset
    base = sqlite3.connect(path)
    base.execute("ALTER TABLE t ADD COLUMN s TEXT")
    base.executemany("INSERT INTO t (n, s) VALUES (?, ?)",
                     ((number * 7919 % ROWS, f"{number:01000}") for number in range(ROWS)))
    base.execute("CREATE VIEW sorted AS SELECT fid, n, s FROM t ORDER BY n")
    base.execute("INSERT INTO gpkg_contents (table_name, data_type, identifier) VALUES ('sorted', 'attributes', 'sorted')")
    base.commit()
    base.close()


def test_disk_full(tmp_path, right, full_disk):
    """All results but the view are right, because nothing is written; the view's error says that rows are missing."""
    places = {"TMPDIR": str(full_disk), "SQLITE_TMPDIR": str(full_disk), "CPL_TMPDIR": str(full_disk)}
    poor, view = run(tmp_path, "disk", ROWS, rasters=full_disk / "rasters", **places)
    assert poor == right
    assert view == [0, True, True, "ReadFailedError"]
    subprocess.run(["rm", str(full_disk / "filler")], check=True)
    assert run(tmp_path, "disk", ROWS, rasters=full_disk / "rasters", **places)[1] == [ROWS, False, False, "made"]


@pytest.mark.parametrize("megabytes", [64, 128, 256, 512, 1024])
def test_memory(tmp_path, right, megabytes):
    """So much memory is left, and the policy allows half of it to a call."""
    shutil.copytree(RASTERS, tmp_path / "rasters")
    # Blocks of 2 GB.
    options = ["SPARSE_OK=TRUE", "TILED=YES", "BLOCKXSIZE=16384", "BLOCKYSIZE=16384"]
    large = str(tmp_path / "rasters" / "large.tif")
    gdal.GetDriverByName("GTiff").Create(large, 20_000, 20_000, 1, gdal.GDT_Float64, options)
    before, poor, refused, later = run(tmp_path, "memory", megabytes, rasters=tmp_path / "rasters")
    for answer, expected in zip(poor, right):
        assert answer == expected or (isinstance(answer, dict) and answer["message"]), answer
    assert refused == ["LimitExceededError"] * 4
    assert later == before


def test_at_random(tmp_path, full_disk, pytestconfig):
    """What is short changes from call to call, in the order of a seed, for --seconds."""
    (full_disk / "filler").unlink()
    places = {"TMPDIR": str(full_disk), "SQLITE_TMPDIR": str(full_disk), "CPL_TMPDIR": str(full_disk),
              "SOAK_DISK": str(full_disk)}
    end, seed, tries, errors = time.monotonic() + pytestconfig.getoption("seconds"), 0, {}, 0
    while (left := end - time.monotonic()) > 0:
        for file in full_disk.glob("filler"):
            file.unlink()
        places["SOAK_SECONDS"] = str(min(60.0, left))
        counts, failed = run(tmp_path, "soak", seed, rasters=full_disk / "rasters", **places)
        tries = {what: tries.get(what, 0) + counts.get(what, 0) for what in tries | counts}
        seed, errors = seed + 1, errors + failed
    print("\n", tries, f"errors: {errors}", f"\ntries: {sum(tries.values())}")
    assert all(tries.get(what) for what in ("handles", "file size", "memory", "disk", "nothing")) and errors > 0
